//===- Code.h - From kernels to code of an NVIDIA GPU ------------------*- C++ -*-===//
//
// In: kernels as functions on memrefs, as the host program calls them (Target/Cpu/Code.h). Out:
// functions that launch what a module of the device holds; that module as machine code, where there
// is an assembler, and as PTX.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TARGET_CUDA_CODE_H
#define PTC_TARGET_CUDA_CODE_H

#include "ptc/Target/Cpu/Code.h"

namespace ptc::cuda {

/// GPUs that code is made for, as --gpu takes them.
std::vector<std::string> gpuNames();

/// Whether machine code can be made: there is nvJitLink or ptxas.
bool hasAssembler();

/// What a GPU does, for decisions between kernels.
plan::CostModel costModel();

/// The cpu::DeviceLowering of NVIDIA GPUs. `options.gpu` is one of gpuNames(). The code has machine
/// code of that GPU, if there is an assembler, and PTX for all from compute capability 8.0 on; its
/// assembly is PTX of that GPU. Errors: LibdeviceMissing; InternalError with the assembler's words.
llvm::Expected<cpu::DeviceCode> lowerKernels(mlir::ModuleOp kernels,
                                             llvm::ArrayRef<cpu::DrawForm> draws,
                                             const cpu::CodeOptions &options);

} // namespace ptc::cuda

#endif // PTC_TARGET_CUDA_CODE_H
