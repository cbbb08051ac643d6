//===- Draw.h - Elements drawn from a seed ---------------------------*- C++ -*-===//
#ifndef PTC_TENSORFILE_DRAW_H
#define PTC_TENSORFILE_DRAW_H

#include "ptc/TensorFile/HostTensor.h"

#include <functional>

namespace ptc {

/// What elements are drawn from; the same seed gives the same numbers on every machine.
struct Distribution {
  double mean = 0, deviation = 1; ///< of floats, complex numbers' real parts: normal
  int64_t low = 0, high = 9;      ///< of integers: uniform, both included
};

/// Mean and deviation, or range, of the elements; the default where they are not finite.
Distribution distributionOf(const HostTensor &tensor);

/// Fills every element of the view, in row-major order.
void drawElements(HostTensor &tensor, uint64_t seed, const Distribution &from = {});

/// A contiguous tensor whose elements are drawn when they are first asked for.
HostTensor drawnTensor(DType dtype, llvm::ArrayRef<int64_t> sizes, uint64_t seed);
/// The same with these strides, from a distribution that is asked for then; zeros between them.
HostTensor drawnTensor(DType dtype, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
                       uint64_t seed, const std::function<Distribution()> &from);

} // namespace ptc

#endif // PTC_TENSORFILE_DRAW_H
