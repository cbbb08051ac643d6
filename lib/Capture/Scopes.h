//===- Scopes.h - Whether every value is used where it is defined --*- C++ -*-===//
//
// A loop whose state has another form in some turns may be recorded with a value of one turn in
// another, or of a region outside of it. Such a program is refused before it is emitted.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_SCOPES_H
#define PTC_LIB_CAPTURE_SCOPES_H

#include "ptc/Capture/Program.h"

namespace ptc::capture {

/// A refusal, with the line of the first operation that uses what is not defined there. `top`: the
/// block in front of the body of `program`; `sources`: of the places in both.
llvm::Error checkScopes(const Program &program, const TapeBlock &top,
                        llvm::ArrayRef<SourcePlace> sources);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SCOPES_H
