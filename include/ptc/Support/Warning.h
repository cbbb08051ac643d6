//===- Warning.h - Errors that are only foreseen ----------------------*- C++ -*-===//
#ifndef PTC_SUPPORT_WARNING_H
#define PTC_SUPPORT_WARNING_H

#include "ptc/Support/Error.h"

namespace ptc {

/// As printDiagnostic, of an error that does not stop what is done now: its severity is printed as
/// a warning.
void printWarning(llvm::raw_ostream &os, const Diagnostic &diag, const DiagStyle &style = {});

} // namespace ptc

#endif // PTC_SUPPORT_WARNING_H
