//===- NestJoin.h - One loop nest of several -----------------------------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_PLAN_TRANSFORMS_NESTJOIN_H
#define PTC_LIB_DIALECT_PLAN_TRANSFORMS_NESTJOIN_H

#include "ptc/Dialect/Plan/IR/Cost.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ptc::plan {

/// What `value` was before dimensions of size 1 were added to it.
mlir::Value withoutOnes(mlir::Value value);

/// Loop nests read a tensor that has more dimensions of size 1 as the tensor that it was before.
void readThroughOnes(KernelOp kernel);

/// Whether both are better as one. What takes long is as good by itself, in longer loops, as where
/// each row begins anew.
bool suitsOneNest(mlir::linalg::GenericOp made, mlir::linalg::GenericOp read);

/// Elementwise loop nests of the kernel become a part of what reads their results in the order of
/// their loops: of one reader, or of each of several if computing again costs less than memory
/// between them. Whether there were any.
bool joinNests(KernelOp kernel, const CostModel &model);

/// Elementwise loop nests become a part of the only one that reads them, in whatever order and
/// however often that does. Whether there were any.
bool joinByMaps(KernelOp kernel);

} // namespace ptc::plan

#endif // PTC_LIB_DIALECT_PLAN_TRANSFORMS_NESTJOIN_H
