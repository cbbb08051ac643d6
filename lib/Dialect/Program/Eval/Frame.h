//===- Frame.h - Values of one running program --------------------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_PROGRAM_EVAL_FRAME_H
#define PTC_LIB_DIALECT_PROGRAM_EVAL_FRAME_H

#include "ptc/Dialect/Program/Eval/Eval.h"

#include "ptc/Symbolic/Expr.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace ptc::program {

/// Undefined values are HostValue::None; i1 is bool, i64 and index are int64_t, f64 is double.
struct Frame {
  Frame(OpExecutor &executor, const WeightLookup &weights, llvm::StringMap<HostValue> &states,
        VariantOp variant = {})
      : executor(executor), weights(weights), states(states), variant(variant) {}

  OpExecutor &executor;
  const WeightLookup &weights;
  llvm::StringMap<HostValue> &states;
  /// Contents for the next call; visible only then.
  llvm::StringMap<HostValue> nextStates;
  llvm::DenseMap<mlir::Value, HostValue> values;
  /// What eager raises for a view that is undefined because its steps do not fit: raised by who
  /// uses it. An alternative that this path does not have is not used.
  struct Misfit {
    std::string type, text;
  };
  llvm::DenseMap<mlir::Value, Misfit> misfits;
  /// Inputs as the caller holds them; `values` has copies, so that write-backs do not disturb
  /// reads.
  llvm::SmallVector<HostValue> callerInputs;
  VariantOp variant;
  CallResult result;
  /// The operation that is being executed, for the place of an exception.
  mlir::Operation *current = nullptr;
  uint64_t ops = 0, maxOps = UINT64_MAX; ///< executed in this call

  const HostValue &get(mlir::Value v) const;
  void set(mlir::Value v, HostValue value) { values[v] = std::move(value); }
  bool isUndefined(mlir::Value v) const { return get(v).isNone(); }
  int64_t getInt(mlir::Value v) const; ///< bools are 0 and 1
  double getFloat(mlir::Value v) const;
  const HostTensor &getTensor(mlir::Value v) const { return get(v).tensor(); }

  llvm::Error run(mlir::Block &block);
  /// EvalOps.cpp
  llvm::Error execute(mlir::Operation *op);

private:
  llvm::Error compute(mlir::Operation *op);
};

llvm::Error raise(llvm::StringRef type, const llvm::Twine &text);
llvm::Error internalError(mlir::Operation *op, const llvm::Twine &text);
SourceLoc sourceLocOf(mlir::Location loc);

/// Operations by family; none: not of this family.
using Handler = llvm::Error (*)(Frame &frame, mlir::Operation *op);
Handler findNumberHandler(mlir::Operation *op);  ///< EvalNumbers.cpp
Handler findProgramHandler(mlir::Operation *op); ///< EvalOps.cpp
/// EvalNumbers.cpp: a number as one of another type, which is undefined where the number is.
bool isConversion(mlir::Operation *op);

/// EvalAten.cpp
llvm::Error executeAten(Frame &frame, mlir::Operation *op);
llvm::Expected<HostTensor> applySteps(Frame &frame, mlir::Operation *op, HostTensor base,
                                      mlir::ArrayAttr steps, mlir::ValueRange operands);
/// A copy with the same strides, in memory of its own.
HostTensor cloneStrided(const HostTensor &tensor);

/// EvalResult.cpp
llvm::Error finish(Frame &frame, FinishOp op);

} // namespace ptc::program

#endif // PTC_LIB_DIALECT_PROGRAM_EVAL_FRAME_H
