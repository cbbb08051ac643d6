//===- LoopRun.h - One linalg operation on plain loops ---------------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_PLAN_EVAL_LOOPRUN_H
#define PTC_LIB_DIALECT_PLAN_EVAL_LOOPRUN_H

#include "ScalarEval.h"
#include "ptc/TensorFile/HostTensor.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace ptc::plan {

using Tensors = llvm::DenseMap<mlir::Value, HostTensor>;
using Scalars = llvm::DenseMap<mlir::Value, Scalar>;

Scalar loadElement(const HostTensor &tensor, int64_t offset);
void storeElement(HostTensor &tensor, int64_t offset, Scalar value);
/// Where an index lies, counted from data(); none outside.
std::optional<int64_t> offsetIn(const HostTensor &tensor, llvm::ArrayRef<int64_t> index);

/// Runs `op` on the values of its operands and of what its region captures; adds its results to
/// `tensors`. Errors: InternalError for an operation, map or place that has no plain meaning.
llvm::Error runLoops(mlir::linalg::LinalgOp op, Tensors &tensors, const Scalars &scalars);

} // namespace ptc::plan

#endif // PTC_LIB_DIALECT_PLAN_EVAL_LOOPRUN_H
