//===- Runner.h - Calls on the null target ---------------------------*- C++ -*-===//
#ifndef PTC_DRIVER_RUNNER_H
#define PTC_DRIVER_RUNNER_H

#include "ptc/Capture/Observe.h"
#include "ptc/Dialect/Program/Eval/Eval.h"
#include "ptc/Driver/Pipeline.h"

namespace ptc {

/// What a call showed to its caller.
struct CallReport {
  program::CallResult call;
  /// Arguments that were written, by path, with their new contents.
  std::vector<std::pair<std::string, ExampleValue>> inputs;
  /// Pairs of paths of tensors that share a storage; at least one of each is in the result.
  std::vector<std::pair<std::string, std::string>> aliases;
};

/// One context: calls are made one after the other.
class Runner {
public:
  static llvm::Expected<std::unique_ptr<Runner>> create(CompiledProgram &program,
                                                        llvm::ArrayRef<NamedTensor> weights,
                                                        program::OpExecutor &executor);

  /// Index of the variant that fits. Errors: NoVariantFits with the guard that failed.
  llvm::Expected<unsigned> dispatch(const ExampleCall &call);
  llvm::Expected<unsigned> dispatch(const sym::Observation &seen);
  /// See Evaluator::setMaxOps.
  void setMaxOps(uint64_t count) { evaluator->setMaxOps(count); }
  /// Tensors of `call` are written as the program does. Errors: NoVariantFits, and those of
  /// Evaluator::call.
  llvm::Expected<CallReport> call(const ExampleCall &call);

private:
  Runner(CompiledProgram &program, program::OpExecutor &executor)
      : program(program), executor(executor) {}

  CompiledProgram &program;
  program::OpExecutor &executor;
  llvm::StringMap<HostTensor> weights;
  std::unique_ptr<program::Evaluator> evaluator;
};

} // namespace ptc

#endif // PTC_DRIVER_RUNNER_H
