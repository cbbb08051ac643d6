//===- NearName.cpp - What a mistyped name may have meant ---------------------------===//
//
// In: a name that is not known and those that are. Out: the nearest of them by edit distance, as a
// hint has it.
//
//===----------------------------------------------------------------------===//
#include "ptc/Support/NearName.h"

#include <algorithm>

std::string ptc::didYouMean(llvm::StringRef given, llvm::ArrayRef<llvm::StringRef> candidates) {
  llvm::StringRef nearest;
  // Two letters in the wrong order count as two changes: short names allow as many.
  auto least = unsigned(std::max<size_t>(2, given.size() / 3)) + 1;
  for (llvm::StringRef name : candidates) {
    unsigned distance = given.edit_distance(name, /*AllowReplacements=*/true, least);
    if (distance >= least || distance >= std::max(given.size(), name.size()))
      continue;
    nearest = name;
    least = distance;
  }
  return nearest.empty() ? "" : ("did you mean '" + nearest + "'?").str();
}
