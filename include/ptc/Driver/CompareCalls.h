//===- CompareCalls.h - What two executions of a call gave back ------*- C++ -*-===//
#ifndef PTC_DRIVER_COMPARECALLS_H
#define PTC_DRIVER_COMPARECALLS_H

#include "ptc/Driver/Runner.h"

#include <map>

namespace ptc {

/// |ours - eager| <= relative * |eager| + absolute * (largest |eager| of the tensor). Zero: equal.
struct Tolerance {
  double relative = 0, absolute = 0;
};
/// The one table of tolerances of whole programs, by element type.
Tolerance toleranceOf(DType dtype);

/// The same for the results of a program: those of an element type are as exact as the coarsest
/// float type in which the program has computed the values of one of them.
class Tolerances {
public:
  Tolerances() = default;
  /// `roundsProducts`: inputs of products of f32 are rounded to tf32, which has the digits of f16.
  explicit Tolerances(program::VariantOp variant, bool roundsProducts = false);
  Tolerance of(DType dtype) const;

private:
  void coarsen(DType result, DType workedIn);

  std::map<DType, Tolerance> coarser;
};

/// What was found so far; values are compared until the first difference, errors measured in all.
class Comparison {
public:
  bool agrees() const { return difference.empty(); }

  std::string difference; ///< "result[0]: element [1, 2]: 3.5, eager 3.25"; empty: none
  double worst = 0;       ///< largest error, as a fraction of what is allowed
  std::string worstAt;    ///< its path
  Tolerances tolerances;  ///< of tensors

  void calls(const CallReport &ours, const CallReport &eager);
  void values(const std::string &path, const ExampleValue &ours, const ExampleValue &eager);
  void tensors(const std::string &path, const HostTensor &ours, const HostTensor &eager);
  void hostValues(const std::string &path, const HostValue &ours, const HostValue &eager);
  /// Text that may hold numbers, which are compared as float32.
  void texts(const std::string &path, llvm::StringRef ours, llvm::StringRef eager);

private:
  void differ(const std::string &path, const llvm::Twine &what);
  /// Error of one number as a fraction of what is allowed, noted.
  double note(const std::string &path, double error, double allowed);
  void numbers(const std::string &path, double ours, double eager);
};

} // namespace ptc

#endif // PTC_DRIVER_COMPARECALLS_H
