//===- IndexKernels.h - Which kernel eager takes for an index ---*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_INDEXKERNELS_H
#define PTC_DIALECT_ATEN_IR_INDEXKERNELS_H

#include "ptc/Support/DType.h"

#include <cstdint>

namespace ptc::aten {

/// Whether index_add to a tensor of `rank` along `dim` (0 … rank - 1) scatters, which says
/// otherwise that an index is out of range (index_add_cpu_ in
/// ATen/native/TensorAdvancedIndexing.cpp).
inline bool isIndexAddScattered(int64_t rank, int64_t dim, DType index) {
  return rank > 1 && index == DType::Int64 && (dim == 0 || dim == rank - 1);
}

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_INDEXKERNELS_H
