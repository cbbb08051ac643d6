//===- NearName.h - What a mistyped name may have meant -------------*- C++ -*-===//
#ifndef PTC_SUPPORT_NEARNAME_H
#define PTC_SUPPORT_NEARNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace ptc {

/// "did you mean 'NAME'?", of the candidate that differs from `given` by the fewest letters that
/// are changed, added or left out; empty: none differs by two letters, or a third of them, or less.
std::string didYouMean(llvm::StringRef given, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace ptc

#endif // PTC_SUPPORT_NEARNAME_H
