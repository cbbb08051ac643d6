//===- Passes.h - Passes over programs ---------------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PROGRAM_TRANSFORMS_PASSES_H
#define PTC_DIALECT_PROGRAM_TRANSFORMS_PASSES_H

#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/Pass/Pass.h"

namespace ptc::program {

#define GEN_PASS_DECL
#include "ptc/Dialect/Program/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ptc/Dialect/Program/Transforms/Passes.h.inc"

} // namespace ptc::program

#endif // PTC_DIALECT_PROGRAM_TRANSFORMS_PASSES_H
