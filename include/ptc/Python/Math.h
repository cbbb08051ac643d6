//===- Math.h - Functions of math that CPython computes itself -*- C++ -*-===//
//
// The others are those of the C library (Modules/mathmodule.c).
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_MATH_H
#define PTC_PYTHON_MATH_H

#include "ptc/Python/Result.h"

#include "llvm/ADT/ArrayRef.h"

namespace ptc::py {

/// math.hypot(*coordinates): the root of the sum of squares, rounded once but for rare cases.
double vectorNorm(llvm::ArrayRef<double> coordinates);

/// math.gamma and math.lgamma, by Lanczos' approximation. ValueError at the poles and, for gamma,
/// at -inf; OverflowError where the result is too large.
Result<double> gamma(double x);
Result<double> logGamma(double x);

} // namespace ptc::py

#endif // PTC_PYTHON_MATH_H
