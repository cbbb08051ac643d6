//===- Trial.h - One call of an overload, as kernels -----------------*- C++ -*-===//
#ifndef PTC_TEST_CONVERSION_TRIAL_H
#define PTC_TEST_CONVERSION_TRIAL_H

#include "Cases.h"

#include "ptc/Conversion/Passes.h"
#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <set>
#include <string>

namespace ptc::conversion {

/// What of a call is known when it is converted.
enum class Mode : uint8_t {
  Constant, ///< all sizes and numbers
  Symbolic, ///< no size above 1; equal sizes have one name
  Apart,    ///< no size above 1, and not which are equal; of elementwise overloads
  Numbers,  ///< all sizes, no number of type Scalar or Float
};
const char *toString(Mode mode);

/// One call, as a function of a module or a variant of an entry that holds many.
class Trial {
public:
  /// Where sizes are symbols, strides are those of contiguous tensors: such copies are called with.
  Trial(const aten::OpInfo &op, numerics::Call call, Mode mode, DType dtype);

  /// Adds the function; false if eager or meta refuses the call, or a result is no tensor.
  bool build(mlir::ModuleOp module, unsigned number);
  /// Adds variant `v<number>` that returns a tuple of the results; its operations have `number` as
  /// the line of their location. False as of build.
  bool buildVariant(program::EntryOp entry, unsigned number);
  /// Argument `arg`, a dense tensor of known sizes, is the weight `w<number>` of the variant.
  void makeWeight(size_t arg) { weight = arg; }
  std::optional<size_t> getWeight() const { return weight; }
  /// The arguments of the function or the variant for a call of the same structure.
  std::vector<HostValue> inputsOf(const numerics::Call &given) const;
  /// Whether nothing of aten is left.
  bool isConverted();
  void collectFamilies(std::set<std::string> &families);
  /// Runs the kernels and compares with the evaluator of aten. What differs, or nothing.
  std::string compare();
  std::string describe() const;

  const aten::OpInfo &getOp() const { return op; }
  const numerics::Call &getCall() const { return call; }

private:
  /// Whether the argument is a number that is known when the call is made only.
  bool isOperand(size_t arg, const HostValue &value) const;
  std::vector<bool> operands() const;

  const aten::OpInfo &op;
  numerics::Call call;
  Mode mode;
  DType dtype;
  mlir::func::FuncOp function;
  std::optional<size_t> weight;
};

} // namespace ptc::conversion

#endif // PTC_TEST_CONVERSION_TRIAL_H
