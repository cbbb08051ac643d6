//===- Trial.h - One call of an overload, as kernels -----------------*- C++ -*-===//
#ifndef PTC_TEST_CONVERSION_TRIAL_H
#define PTC_TEST_CONVERSION_TRIAL_H

#include "Cases.h"

#include "ptc/Conversion/Passes.h"

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

/// One call, as a function of a module that holds many.
class Trial {
public:
  Trial(const aten::OpInfo &op, numerics::Call call, Mode mode, DType dtype)
      : op(op), call(std::move(call)), mode(mode), dtype(dtype) {}

  /// Adds the function; false if eager or meta refuses the call, or a result is no tensor.
  bool build(mlir::ModuleOp module, unsigned number);
  /// Whether nothing of aten is left.
  bool isConverted();
  void collectFamilies(std::set<std::string> &families);
  /// Runs the kernels and compares with the evaluator of aten. What differs, or nothing.
  std::string compare();
  std::string describe() const;

private:
  const aten::OpInfo &op;
  numerics::Call call;
  Mode mode;
  DType dtype;
  mlir::func::FuncOp function;
  std::vector<HostValue> inputs; ///< of the function
};

} // namespace ptc::conversion

#endif // PTC_TEST_CONVERSION_TRIAL_H
