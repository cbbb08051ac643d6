//===- Merge.h - One kernel of two ---------------------------------------*- C++ -*-===//
//
// What fusion makes of two kernels, before anybody decides whether it is better than both.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_DIALECT_PLAN_TRANSFORMS_MERGE_H
#define PTC_LIB_DIALECT_PLAN_TRANSFORMS_MERGE_H

#include "ptc/Dialect/Plan/IR/Cost.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ptc::plan {

/// Whether its reductions sum products and nothing else.
bool sumsProducts(KernelOp kernel);

/// The loop nest that computes what `kernel` gives as result `number`, seen through dimensions of
/// size 1 that are added to it; none if it is something else.
mlir::linalg::GenericOp nestOf(KernelOp kernel, unsigned number);

/// A kernel that computes what both do, in front of `consumer`; both stay as they are. Its results
/// are those of `consumer`, then those of `producer` that others than `consumer` read, unless
/// `again`: then the operations of `producer` are marked as computed again.
struct Merged {
  KernelOp kernel;
  llvm::SmallVector<mlir::Value> kept; ///< results of the producer behind those of the consumer
  /// Tensors that the one part gives to the other in memory; the others are gone.
  llvm::SmallVector<mlir::Value> between;
};
Merged merge(KernelOp producer, KernelOp consumer, bool again, const CostModel &model);

/// Puts the merged kernel in the place of `consumer`, and of `producer` if nobody needs it.
void replace(const Merged &merged, KernelOp producer, KernelOp consumer);

/// An epilogue works in the memory of the sums, a pass along rows in that of the one before.
void writeInPlace(KernelOp kernel);

/// Whether all operations of `kernel` have loops in common, so that what one of them gives in one
/// turn of these, others read in the same turn alone: an emitter takes a few turns at a time, and
/// the tensors between stay small.
bool sharesRows(KernelOp kernel);

} // namespace ptc::plan

#endif // PTC_LIB_DIALECT_PLAN_TRANSFORMS_MERGE_H
