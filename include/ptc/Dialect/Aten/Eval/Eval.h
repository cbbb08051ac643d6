//===- Eval.h - The reference evaluator of ATen overloads ---------*- C++ -*-===//
//
// Executes one overload on host values with plain loops: what the null target runs, what folds
// constants. Slow and obviously right. Free of MLIR and of LibTorch.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_EVAL_EVAL_H
#define PTC_DIALECT_ATEN_EVAL_EVAL_H

#include "ptc/Dialect/Aten/Eval/Philox.h"
#include "ptc/Dialect/Aten/Eval/Random.h"
#include "ptc/Dialect/Aten/IR/Meta.h"
#include "ptc/TensorFile/HostValue.h"

#include "llvm/Support/Error.h"

namespace ptc::aten {

/// What an evaluation needs besides its arguments.
struct EvalContext {
  /// The state that random overloads read and advance; null: they are an error.
  Mt19937 *generator = nullptr;
  /// Instead of it: they draw what eager draws on a GPU.
  Philox *philox = nullptr;
  DType defaultDType = DType::Float32;
};

/// Eager would raise, the evaluator cannot follow eager, or has no memory for what it makes, which
/// `text` names then.
class EvalFailure : public llvm::ErrorInfo<EvalFailure> {
public:
  static char ID;
  enum class Kind : uint8_t { Raise, Unsupported, NoMemory };
  EvalFailure(Kind kind, PyErrorKind pythonClass, std::string text)
      : kind(kind), pythonClass(pythonClass), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  Kind kind;
  PyErrorKind pythonClass; ///< Raise
  std::string text;
};

/// The results of `op`, one value per argument of its schema in schema order, defaults filled in.
/// A number may stand for a tensor where the record takes numbers. Arguments are never written:
/// results of view overloads share storage with them, all others are fresh. Results have eager's
/// dtype, sizes and strides. Overloads with OpFlag::Mutates (batch norm in training) return, after
/// the schema's results, the new values of the running statistics that they were given, in schema
/// order. Errors: EvalFailure.
llvm::Expected<llvm::SmallVector<HostValue, 1>>
evaluate(const OpInfo &op, llvm::ArrayRef<HostValue> args, EvalContext &context);

/// Element-wise conversion to another type, contiguous; the tensor itself if it is of that type.
HostTensor convertTensor(const HostTensor &tensor, DType dtype);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_EVAL_EVAL_H
