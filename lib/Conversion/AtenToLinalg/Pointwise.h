//===- Pointwise.h - Elementwise overloads as kernels ---------------*- C++ -*-===//
#ifndef PTC_LIB_CONVERSION_ATENTOLINALG_POINTWISE_H
#define PTC_LIB_CONVERSION_ATENTOLINALG_POINTWISE_H

#include "ptc/Conversion/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace ptc {

void populatePointwisePatterns(mlir::RewritePatternSet &patterns);

} // namespace ptc

#endif // PTC_LIB_CONVERSION_ATENTOLINALG_POINTWISE_H
