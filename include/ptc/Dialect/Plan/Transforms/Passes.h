//===- Passes.h - Passes over plans -------------------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PLAN_TRANSFORMS_PASSES_H
#define PTC_DIALECT_PLAN_TRANSFORMS_PASSES_H

#include "ptc/Dialect/Plan/IR/Cost.h"

#include "mlir/Pass/Pass.h"

namespace ptc::plan {

#define GEN_PASS_DECL
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"

/// plan-fuse for a machine; without one, for CostModel's.
std::unique_ptr<mlir::Pass> createPlanFuse(const CostModel &cost);
/// plan-layout, in the same way.
std::unique_ptr<mlir::Pass> createPlanLayout(const CostModel &cost);

#define GEN_PASS_REGISTRATION
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_TRANSFORMS_PASSES_H
