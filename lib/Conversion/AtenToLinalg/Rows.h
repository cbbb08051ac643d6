//===- Rows.h - What other families share with row reductions -------*- C++ -*-===//
#ifndef PTC_LIB_CONVERSION_ATENTOLINALG_ROWS_H
#define PTC_LIB_CONVERSION_ATENTOLINALG_ROWS_H

#include "KernelBuilder.h"

namespace ptc {

/// The softmax of `x` along `dim` in its own type, or the logarithm of it.
Tensor softmaxOf(KernelBuilder &k, Tensor x, int64_t dim, bool isLog);

} // namespace ptc

#endif // PTC_LIB_CONVERSION_ATENTOLINALG_ROWS_H
