//===- Targets.cpp - The table of targets -------------------------------------------===//
//
// In: rows of Targets.def. Out: the table that names, help texts and look-ups come from.
//
//===----------------------------------------------------------------------===//
#include "ptc/Target/Target.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;

llvm::ArrayRef<TargetInfo> ptc::getAllTargets() {
  static const TargetInfo kTargets[] = {
#define PTC_TARGET(Id, Name, Summary) {Name, Summary, target::get##Id()},
#include "ptc/Target/Targets.def"
  };
  return kTargets;
}

const TargetInfo *ptc::findTarget(llvm::StringRef name) {
  const auto *found =
      llvm::find_if(getAllTargets(), [&](const TargetInfo &info) { return info.name == name; });
  return found == getAllTargets().end() ? nullptr : found;
}
