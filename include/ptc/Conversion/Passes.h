//===- Passes.h - Target-neutral lowering ----------------------------*- C++ -*-===//
#ifndef PTC_CONVERSION_PASSES_H
#define PTC_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ptc {

#define GEN_PASS_DECL
#include "ptc/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "ptc/Conversion/Passes.h.inc"

} // namespace ptc

#endif // PTC_CONVERSION_PASSES_H
