//===- FuseRules.h - Which kernels may become one ------------------------*- C++ -*-===//
//
// What no cost decides: what would not be right, and what emitters have no code for.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_DIALECT_PLAN_TRANSFORMS_FUSERULES_H
#define PTC_LIB_DIALECT_PLAN_TRANSFORMS_FUSERULES_H

#include "ptc/Dialect/Plan/IR/Cost.h"

namespace ptc::plan {

/// Why `consumer` does not go on with what `producer` computes, whatever that costs, on a machine;
/// empty: it may.
llvm::StringRef refusal(KernelOp producer, KernelOp consumer, const CostModel &machine);

/// Why others than `consumer` cannot read the value from a kernel of both; empty: they can, or
/// there are none.
llvm::StringRef refusalOfOthers(KernelOp producer, KernelOp consumer);

/// Why what both became is no kernel that emitters do well; empty: it is one.
llvm::StringRef refusalOfMerged(KernelOp merged, KernelOp producer, KernelOp consumer);

} // namespace ptc::plan

#endif // PTC_LIB_DIALECT_PLAN_TRANSFORMS_FUSERULES_H
