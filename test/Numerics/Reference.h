//===- Reference.h - A call in double precision, and its condition --*- C++ -*-===//
//
// What rounding is measured against. The same call is made with every float widened to double
// (complex64 to complex128), by LibTorch or by the reference evaluator, and again with elements x
// changed to x (1 + δ r). How far a result moves, over δ, is its condition: a backward stable
// evaluation with unit roundoff u has an error of at most terms * u * Σ|terms| (Higham, Accuracy
// and Stability of Numerical Algorithms, 3.1).
//
// An element of a pointwise result depends on one element of each operand: these are changed one
// operand after the other, real and imaginary parts apart, by r = 1 and r = -1, and the larger
// movements are added up. That is Σ|terms| itself.
//
// Elsewhere all elements are changed at once, r random in [-1, 1]. The movement's quadratic mean is
// √(Σ terms² / 3), at least Σ|terms| / √(3 terms), so that terms * eps * movement, the largest of
// eight tries, covers the probabilistic bound λ √terms u Σ|terms| (Higham and Mary 2019) with λ
// > 1.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_NUMERICS_REFERENCE_H
#define PTC_TEST_NUMERICS_REFERENCE_H

#include "Cases.h"

#include <complex>
#include <functional>

namespace ptc::numerics {

/// One tensor of the results, row-major; real values have no imaginary part.
struct WideResult {
  std::vector<std::complex<double>> values;
  std::vector<double> movement;
};

struct Reference {
  std::vector<WideResult> results; ///< the tensors among the results, lists opened, in order
  double terms = 1;                ///< no element of a result is made of more
  double absolute = 0;             ///< what both may differ by beside that
  double eagerAbsolute = 0;        ///< what eager alone may
};

/// Results of a call in double precision; none if it is refused. It may write the arguments.
using Caller = std::function<std::optional<llvm::SmallVector<HostValue, 1>>(const Call &)>;

/// None if the call has no floats to widen, or is refused when they are.
std::optional<Reference> referenceOf(const aten::OpInfo &op, const Call &call,
                                     const Caller &caller);

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_REFERENCE_H
