//===- PlanMemory.h - Tensors where a plan says ------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PLAN_EVAL_PLANMEMORY_H
#define PTC_DIALECT_PLAN_EVAL_PLANMEMORY_H

#include "ptc/Dialect/Plan/IR/Plan.h"
#include "ptc/Dialect/Program/Eval/Eval.h"

namespace ptc::plan {

/// The memory of one call of a variant. Each arena begins as NaN (integers: all bits), so that what
/// is read before it is written, or after something else was written over it, shows as a wrong
/// result. Tensors of variants without a plan stay where they are.
class PlanMemory {
public:
  /// Errors: IntOverflow where the size of the arena does not fit.
  llvm::Error begin(program::VariantOp variant, llvm::ArrayRef<HostValue> inputs);
  /// Errors: InternalError for a tensor that is larger than its place.
  llvm::Expected<HostTensor> settle(mlir::OpResult result, HostTensor tensor);
  llvm::Error settleCarried(mlir::scf::WhileOp loop, llvm::MutableArrayRef<HostValue> carried);

private:
  llvm::Expected<HostTensor> moveTo(PlaceAttr place, const HostTensor &tensor);
  llvm::Expected<int64_t> evaluate(llvm::StringRef text);

  std::shared_ptr<TensorStorage> arena; ///< null: no plan
  llvm::StringMap<int64_t> symbols;
  llvm::StringMap<int64_t> evaluated; ///< by text
};

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_EVAL_PLANMEMORY_H
