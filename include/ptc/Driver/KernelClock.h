//===- KernelClock.h - How long each kernel of a call takes -------------*- C++ -*-===//
//
// Calls of a library that is made for it: the same code as an artefact's, with readings of the time
// stamp counter around each kernel. The artefact itself pays nothing. Rows of the plan and of the
// measurement belong together by the number of the kernel, which the code carries.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DRIVER_KERNELCLOCK_H
#define PTC_DRIVER_KERNELCLOCK_H

#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/KernelReport.h"
#include "ptc/TensorFile/Example.h"
#include "ptc/TensorFile/TensorFile.h"

namespace ptc {

class KernelClock {
public:
  struct Options {
    cpu::CodeOptions code;
    plan::CostModel cost;
    unsigned threads = 1;
  };

  /// `program`: behind phase plan, made for `options.cost`. Its weights are given by name, or
  /// packed as an artefact of the same program and options has them. Errors: those of making code
  /// and of preparing the call; UsageError where packed weights are of other code.
  static llvm::Expected<std::unique_ptr<KernelClock>>
  create(CompiledProgram program, llvm::ArrayRef<NamedTensor> weights, const FilePart &packed,
         const ExampleCall &call, const Options &options);
  /// Of the artefact at `path`.
  static llvm::Expected<std::unique_ptr<KernelClock>> ofArtefact(const std::string &path,
                                                                 const std::string &weights,
                                                                 const ExampleCall &call,
                                                                 unsigned threads);
  ~KernelClock();

  /// Makes the call once more and adds a sample.
  llvm::Error call();
  /// The kernels that ran in these calls, the largest time first: medians. The first call is not
  /// counted if there are others.
  std::vector<KernelEntry> kernels() const;
  /// Median of whole calls.
  double callSeconds() const;

private:
  struct State;
  explicit KernelClock(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace ptc

#endif // PTC_DRIVER_KERNELCLOCK_H
