//===- Environment.h - Exceptions for want of a variable -----------*- C++ -*-===//
#ifndef PTC_CAPTURE_ENVIRONMENT_H
#define PTC_CAPTURE_ENVIRONMENT_H

#include "ptc/Capture/Program.h"

namespace ptc::capture {

/// The diagnostic of an exception that leaves the program; of a KeyError for a variable of the
/// environment that --env does not give, with a hint.
Diagnostic diagnoseRaised(const SourceLoc &loc, llvm::StringRef type, llvm::StringRef text,
                          llvm::ArrayRef<WorldUse> world);

} // namespace ptc::capture

#endif // PTC_CAPTURE_ENVIRONMENT_H
