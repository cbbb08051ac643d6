//===- LayoutCost.h - What the order of tensors costs a kernel ----------*- C++ -*-===//
//
// Of a tensor only one thing matters here: along which of its dimensions elements that follow each
// other in memory lie. Vectors are read and written along it.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_DIALECT_PLAN_TRANSFORMS_LAYOUTCOST_H
#define PTC_LIB_DIALECT_PLAN_TRANSFORMS_LAYOUTCOST_H

#include "ptc/Dialect/Plan/IR/Cost.h"

namespace ptc::plan {

/// No dimension: every step in memory is a longer one, or there is one element alone.
inline constexpr int64_t kNoRun = -1;

/// The dimension of a tensor of the program along which its elements follow each other.
int64_t runOf(mlir::RankedTensorType type);
/// That of a dense tensor whose dimension 1 varies fastest, then the others from the last on.
int64_t runOfChannelsLast(mlir::RankedTensorType type);

/// Seconds that `kernel` takes beyond what its arithmetic takes, for its operands in these orders,
/// one run per operand and result: loops without a dimension for vectors, vectors that are not
/// full, sums that are written one by one. Tensors inside the kernel lie as suits it.
double layoutSeconds(KernelOp kernel, llvm::ArrayRef<int64_t> inputs,
                     llvm::ArrayRef<int64_t> results, const CostModel &model);

} // namespace ptc::plan

#endif // PTC_LIB_DIALECT_PLAN_TRANSFORMS_LAYOUTCOST_H
