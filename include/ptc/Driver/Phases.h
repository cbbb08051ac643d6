//===- Phases.h - Running later phases on a program -------------------*- C++ -*-===//
#ifndef PTC_DRIVER_PHASES_H
#define PTC_DRIVER_PHASES_H

#include "ptc/Driver/Pipeline.h"

namespace ptc {

/// Runs the phases behind `from` up to `to` on a program that is behind `from`, verified after
/// each, for a machine of this cost. Errors: InternalError.
llvm::Error advance(CompiledProgram &program, Phase from, Phase to, const plan::CostModel &cost);

} // namespace ptc

#endif // PTC_DRIVER_PHASES_H
