//===- Passes.h - Passes over plans -------------------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PLAN_TRANSFORMS_PASSES_H
#define PTC_DIALECT_PLAN_TRANSFORMS_PASSES_H

#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Pass/Pass.h"

namespace ptc::plan {

#define GEN_PASS_DECL
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_TRANSFORMS_PASSES_H
