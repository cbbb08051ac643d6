//===- RandomRange.h - Ranges and parameters of random numbers --*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_RANDOMRANGE_H
#define PTC_DIALECT_ATEN_IR_RANDOMRANGE_H

#include "ptc/Dialect/Aten/IR/Meta.h"

namespace ptc::aten {

/// The greatest integer up to which the real `dtype` holds all: the greatest that random_() draws.
int64_t greatestExact(DType dtype);

/// The integers first … first + count - 1, or what eager says instead.
struct RandomRange {
  int64_t first = 0;
  uint64_t count = 0; ///< 0: all of 64 bits
  std::string error;  ///< not empty: eager raises it, as errorKind
  PyErrorKind errorKind = PyErrorKind::RuntimeError;
};

/// random_(from, to) and randint for the real `dtype`; without `to` up to what the type holds. In a
/// float type bounds that would round outside move inwards (random_from_to_impl in
/// ATen/native/DistributionTemplates.h).
RandomRange getRandomRange(DType dtype, int64_t from, std::optional<int64_t> to);

/// What eager says of a bound, called `what`, that `dtype` does not hold.
std::string outOfBounds(llvm::StringRef what, DType dtype);

/// What a parameter of a distribution must be.
struct ParameterRule {
  llvm::StringLiteral op; ///< base name
  llvm::StringLiteral parameter;
  llvm::StringLiteral text; ///< what eager says of another one, without its value, which follows
  double least, most;       ///< both are allowed

  bool allows(double value) const { return least <= value && value <= most; }
};

llvm::ArrayRef<ParameterRule> getParameterRules();

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_RANDOMRANGE_H
