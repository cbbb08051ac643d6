//===- Passes.h - Target-neutral lowering ----------------------------*- C++ -*-===//
#ifndef PTC_CONVERSION_PASSES_H
#define PTC_CONVERSION_PASSES_H

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Plan/IR/Plan.h"
#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/Pass.h"

namespace ptc {

#define GEN_PASS_DECL
#include "ptc/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "ptc/Conversion/Passes.h.inc"

} // namespace ptc

#endif // PTC_CONVERSION_PASSES_H
