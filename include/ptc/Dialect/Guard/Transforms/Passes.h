//===- Passes.h - Passes over guards ---------------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_GUARD_TRANSFORMS_PASSES_H
#define PTC_DIALECT_GUARD_TRANSFORMS_PASSES_H

#include "ptc/Dialect/Guard/IR/Guard.h"

#include "mlir/Pass/Pass.h"

namespace ptc::guard {

#define GEN_PASS_DECL
#include "ptc/Dialect/Guard/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ptc/Dialect/Guard/Transforms/Passes.h.inc"

} // namespace ptc::guard

#endif // PTC_DIALECT_GUARD_TRANSFORMS_PASSES_H
