//===- ArtefactRunner.h - Calls of an artefact -------------------------*- C++ -*-===//
#ifndef PTC_DRIVER_ARTEFACTRUNNER_H
#define PTC_DRIVER_ARTEFACTRUNNER_H

#include "ptc/Driver/Runner.h"
#include "ptc/Runtime/Frame.h"
#include "ptc/Symbolic/CallStructure.h"

namespace ptc {

/// A call as the artefact takes it. Tensors are the ExampleCall's own; it outlives this.
struct ArtefactCall {
  uint32_t structure = 0;
  std::vector<ptc_value> inputs;
  std::vector<std::unique_ptr<DLTensor>> tensors;
  std::vector<std::vector<int64_t>> numbers;
  std::vector<CallLeaf> leaves; ///< with their paths, as `inputs`
};

/// `call` for an artefact that has those structures; none: its arguments have no such structure.
/// Errors: IntOverflow, ArgumentMissing.
llvm::Expected<std::optional<ArtefactCall>>
prepareCall(const ExampleCall &call, const CompiledProgram &program,
            llvm::ArrayRef<sym::CallStructure> structures);

/// Whether the packed weights of an artefact, inside or in their file, are those that were
/// compiled, all of them. Success also where that cannot be asked: code for another machine.
/// Errors: as ArtefactRunner::create has for weights.
llvm::Error checkArtefactWeights(llvm::StringRef path, llvm::StringRef weights);

/// One context of an artefact. `program` is its IR; both outlive it.
class ArtefactRunner {
public:
  /// `weights`: their file, empty: in the library or beside it. Errors: FileNotReadable, NoDevice;
  /// UsageError where a file is named and the weights are in the library.
  static llvm::Expected<std::unique_ptr<ArtefactRunner>>
  create(llvm::StringRef path, CompiledProgram &program, llvm::StringRef weights = {},
         ptc_weight_check check = ptc_check_small, ptc_clock clock = nullptr,
         void *clockUser = nullptr);
  /// The same with packed weights in memory, which outlives it.
  static llvm::Expected<std::unique_ptr<ArtefactRunner>>
  create(llvm::StringRef path, CompiledProgram &program, llvm::ArrayRef<uint8_t> weights);
  ~ArtefactRunner();

  /// As Runner::call. Errors: NoVariantFits, IntOverflow, ArgumentMissing.
  llvm::Expected<CallReport> call(const ExampleCall &call);

  /// The variant that the last call took.
  unsigned variant() const { return lastVariant; }

  llvm::Expected<ArtefactCall> prepare(const ExampleCall &call);
  /// What a status of `context()` means that is neither ok nor raised. Errors: NoVariantFits,
  /// IntOverflow, InternalError.
  llvm::Error checkStatus(ptc_status status, const ExampleCall &call);
  ptc_context *context() { return handle; }
  /// Calls that no variant fits are added to the file at `path`; `write` gives the JSON of those
  /// whose arguments have no structure of the entry. Errors: OutputNotWritten.
  llvm::Error recordMisses(const std::string &path,
                           std::function<std::string(const ExampleCall &)> write);
  /// Most leaves that a result has.
  uint32_t numOutputs() const { return maxOutputs; }

private:
  explicit ArtefactRunner(CompiledProgram &program) : program(program) {}
  llvm::Error start(llvm::StringRef path);
  llvm::Expected<CallReport> finish(const ArtefactCall &made, const ptc_invocation &call,
                                    llvm::ArrayRef<ptc_value> outputs, ptc_status status);
  llvm::Expected<HostValue> listOf(mlir::Type type, const ptc_value &value,
                                   const ArtefactCall &made) const;
  program::VariantOp variantOf(const ptc_invocation &call) const;
  llvm::Error failure(ptc_status status);
  llvm::Error missed(const ExampleCall &call, llvm::StringRef notRecorded);
  program::CallResult::Raised raised() const;
  llvm::Expected<HostValue> valueOf(const ptc_value &value, const ArtefactCall &made) const;

  CompiledProgram &program;
  std::vector<sym::CallStructure> structures;
  ptc_model *model = nullptr;
  ptc_context *handle = nullptr;
  uint32_t maxOutputs = 0;
  unsigned lastVariant = 0;
  std::vector<std::shared_ptr<TensorStorage>> storages; ///< of results of the present call
  std::string out, err;
  std::function<std::string(const ExampleCall &)> writeMiss;
};

} // namespace ptc

#endif // PTC_DRIVER_ARTEFACTRUNNER_H
