//===- Draws.h - Kernels that draw random numbers -----------------------*- C++ -*-===//
//
// Private to lib/Target/Cuda.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CUDA_DRAWS_H
#define PTC_LIB_TARGET_CUDA_DRAWS_H

#include "ptc/Target/Cpu/Code.h"

namespace ptc::cuda {

/// Threads of a block of eager's kernels, and so of these.
inline constexpr uint32_t kDrawThreads = 256;

/// Adds a function of the device to `module`. `waits`: it comes to the processors while kernels
/// before it run.
void emitDraw(mlir::ModuleOp module, llvm::StringRef name, const cpu::DrawForm &form, bool waits);

} // namespace ptc::cuda

#endif // PTC_LIB_TARGET_CUDA_DRAWS_H
