//===- MakeArtefact.h - From a planned program to a file ---------------*- C++ -*-===//
#ifndef PTC_DRIVER_MAKEARTEFACT_H
#define PTC_DRIVER_MAKEARTEFACT_H

#include "ptc/Driver/Pipeline.h"
#include "ptc/Package/Artefact.h"
#include "ptc/Target/Cpu/Code.h"
#include "ptc/TensorFile/TensorFile.h"

namespace ptc {

struct ArtefactOptions {
  std::string output;
  ArtefactKind kind = ArtefactKind::Library;
  WeightPlacement placement = WeightPlacement::Embed;
  std::string weightsOutput; ///< of weights that are not embedded
  std::string headerOutput;  ///< empty: none
  std::string request;       ///< what the program was compiled from; empty: not said
  ExampleCall example;       ///< of a program: the call that it makes
  cpu::CodeOptions code;
};

/// The manifest of a program: what its module and what is known beside it say.
std::string manifestOf(const CompiledProgram &program);

/// Code for `program`, which is behind phase plan, linked and added to `out`, with its header and
/// its weights; `ir` is its text behind phase normalise. Errors: UnsupportedOperation,
/// WeightMissing, OutputNotWritten; of programs CallDoesNotFit for an example that no variant
/// takes.
llvm::Error makeArtefact(CompiledProgram &program, llvm::StringRef ir,
                         llvm::ArrayRef<NamedTensor> weights, const ArtefactOptions &options,
                         OutputFiles &out);

/// Writes into the module how its code is made, and reads it: of modules without it, the defaults.
void noteCodeOptions(CompiledProgram &program, const cpu::CodeOptions &options);
cpu::CodeOptions codeOptionsOf(const CompiledProgram &program);

/// What the machine does that these options name, with the sizes that are typical of the program.
/// Errors: UsageError for a CPU that LLVM does not know.
llvm::Expected<plan::CostModel> costModelFor(const cpu::CodeOptions &options,
                                             const CompiledProgram &program);

/// A library of `program`, which is behind phase plan, whose code times its kernels (kKernelTimes);
/// without `weights` it takes them packed as an argument, as an artefact made with the same options
/// has them. Gives what the code consists of. Errors: as makeArtefact.
llvm::Expected<cpu::ProgramCode> makeTimedLibrary(CompiledProgram &program,
                                                  llvm::ArrayRef<NamedTensor> weights,
                                                  cpu::CodeOptions options, llvm::StringRef path);

/// Code of a program behind phase plan, for what its options name. Errors: as makeArtefact.
llvm::Expected<cpu::ProgramCode> lowerFor(mlir::ModuleOp module, const cpu::CodeOptions &options);

/// The same code as assembly or LLVM IR; of programs for a GPU that of the host.
llvm::Expected<std::string> codeText(CompiledProgram &program, cpu::CodeForm form,
                                     const cpu::CodeOptions &options);

/// What the GPU runs of a program for one: PTX or machine code. Errors: also LibdeviceMissing,
/// AssemblerMissing.
llvm::Expected<std::string> deviceText(CompiledProgram &program, bool asMachineCode,
                                       const cpu::CodeOptions &options);

} // namespace ptc

#endif // PTC_DRIVER_MAKEARTEFACT_H
