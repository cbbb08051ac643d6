//===- Target.h - What a target is ------------------------------------*- C++ -*-===//
//
// A target is a struct of functions, a row in Targets.def and a folder in lib/Target. What a target
// cannot do is a null pointer; whoever asks for it reports that.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TARGET_TARGET_H
#define PTC_TARGET_TARGET_H

#include "ptc/Dialect/Aten/Eval/Philox.h"
#include "ptc/Dialect/Program/Eval/Eval.h"

namespace ptc {

struct Target {
  /// Executes ATen overloads in this process.
  std::unique_ptr<program::OpExecutor> (*makeExecutor)() = nullptr;
};

namespace target {
#define PTC_TARGET(Id, Name, Summary) Target get##Id();
#include "ptc/Target/Targets.def"
} // namespace target

struct TargetInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  Target target;
};

/// An executor that draws from the default generator what eager draws on a GPU of these limits, and
/// leaves everything else to `inner`.
std::unique_ptr<program::OpExecutor> drawAsOnGpu(std::unique_ptr<program::OpExecutor> inner,
                                                 aten::GridLimits limits = {});

llvm::ArrayRef<TargetInfo> getAllTargets();
/// Null if there is none of this name.
const TargetInfo *findTarget(llvm::StringRef name);

} // namespace ptc

#endif // PTC_TARGET_TARGET_H
