//===- CallEffects.h - What a call did to its arguments ----------------*- C++ -*-===//
#ifndef PTC_DRIVER_CALLEFFECTS_H
#define PTC_DRIVER_CALLEFFECTS_H

#include "ptc/Driver/Runner.h"

namespace ptc {

/// Adds to the report of a call what it did to its arguments and which tensors share memory;
/// `leaves` are the call's, `report.call` is complete.
void describeEffects(CallReport &report, program::VariantOp variant,
                     llvm::ArrayRef<CallLeaf> leaves);

} // namespace ptc

#endif // PTC_DRIVER_CALLEFFECTS_H
