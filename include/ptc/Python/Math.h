//===- Math.h - Functions of ints and floats -*- C++ -*-===//
//
// The rows of NumberFunctions.def: what an operation on numbers is called, computes and raises. One
// table for the engine, the evaluator of programs and generated code.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_MATH_H
#define PTC_PYTHON_MATH_H

#include "ptc/Python/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace ptc::py {

union Number {
  double real;
  int64_t integer;
};

enum class NumberKind : uint8_t {
  Float,
  Int,
  Bool,       ///< of results: `integer` is 0 or 1
  CheckedInt, ///< of results: may leave 64 bits
  Floats,     ///< of operands: any number of floats
};

/// When a function raises; see NumberFunctions.def.
enum class NumberErrors : uint8_t { None, Domain, Range, Rounded };

struct NumberFunction {
  llvm::StringLiteral name;
  llvm::StringLiteral symbol; ///< of the C function
  llvm::ArrayRef<NumberKind> operands;
  NumberKind result;
  NumberErrors errors;
  /// False: the result leaves 64 bits. Raises nothing.
  bool (*compute)(llvm::ArrayRef<Number> operands, Number &result);

  bool takesAny() const { return operands[0] == NumberKind::Floats; }
  NumberKind operandKind(size_t i) const { return takesAny() ? NumberKind::Float : operands[i]; }
};

/// Null: there is none.
const NumberFunction *findNumberFunction(llvm::StringRef name);

/// What CPython raises for a NaN that no operand is, and for an infinity of finite operands.
std::optional<Raised> raisedForNaN(NumberErrors errors);
std::optional<Raised> raisedForInfinity(NumberErrors errors);

/// The result, or what is raised; `overflowed` where the result leaves 64 bits, which raises
/// nothing.
Result<Number> evaluate(const NumberFunction &function, llvm::ArrayRef<Number> operands,
                        bool &overflowed);

/// math.hypot(*coordinates): the root of the sum of squares, rounded once but for rare cases.
double vectorNorm(llvm::ArrayRef<double> coordinates);

/// math.gamma and math.lgamma, by Lanczos' approximation. ValueError at the poles and, for gamma,
/// at -inf; OverflowError where the result is too large.
Result<double> gamma(double x);
Result<double> logGamma(double x);

} // namespace ptc::py

#endif // PTC_PYTHON_MATH_H
