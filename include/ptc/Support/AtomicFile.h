//===- AtomicFile.h - Output files that appear whole or not at all -*- C++ -*-===//
#ifndef PTC_SUPPORT_ATOMICFILE_H
#define PTC_SUPPORT_ATOMICFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ptc {

/// Writes `contents` to `path`: into a temporary file beside it, then renamed over it. A file that
/// holds these bytes already is left alone, so that its time stamp does not change. `-` is stdout.
/// Errors: OutputNotWritten.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

} // namespace ptc

#endif // PTC_SUPPORT_ATOMICFILE_H
