//===- Kernels.h - What the files of this target share ------------------*- C++ -*-===//
//
// Private to lib/Target/Cuda.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CUDA_KERNELS_H
#define PTC_LIB_TARGET_CUDA_KERNELS_H

#include "ptc/Target/Cpu/Combiner.h"
#include "ptc/Target/Cuda/Code.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ptc::cuda {

/// Of a function: the device starts it.
inline constexpr llvm::StringLiteral kKernelAttr = "ptc.device";
/// Of a function of the host: it takes the frame behind its other arguments.
inline constexpr llvm::StringLiteral kFrameAttr = "ptc.frame";

/// What became of the kernels of a program.
struct SplitKernels {
  mlir::OwningOpRef<mlir::ModuleOp> module;     ///< memref, scf, arith, math, nvvm
  std::vector<cpu::DeviceCode::Kernel> kernels; ///< by the number that a launch names
  uint64_t scratchBytes = 0;
};

/// Takes the work out of the functions of `kernels`, which are on buffers: each of them becomes a
/// sequence of launches and takes the frame behind its other arguments. Errors: InternalError.
llvm::Expected<SplitKernels> splitKernels(mlir::ModuleOp kernels);

/// Turns an operation into what each thread does of it: loop nests share their parallel loops,
/// everything else is done by one thread. Returns the threads of a block.
uint32_t emitPlain(mlir::Operation *op);
/// How many threads there is work for, in front of it on the host.
mlir::Value countThreads(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op);

/// Threads that share a result of a nest.
struct Sharing {
  unsigned loop;  ///< the reduction whose turns they share
  uint32_t lanes; ///< neighbours, a warp or a block
  Combiner combiner;
};
/// None: a thread makes results alone.
std::optional<Sharing> findSharing(mlir::linalg::LinalgOp op);
mlir::Value combine(mlir::OpBuilder &b, const Combiner &c, mlir::Value x, mlir::Value y);
/// What all lanes have together, in each of them; all threads of a block come here.
mlir::Value combineShared(mlir::ImplicitLocOpBuilder &b, const Sharing &sharing, mlir::Value v,
                          mlir::Value lane);

/// The module becomes the llvm dialect. Errors: InternalError.
llvm::Error lowerToNvvm(mlir::ModuleOp device);

/// PTX text of a module of the llvm dialect, the same for the same module and GPU. `target`: what
/// LLVM calls the GPU; `version`: the feature of PTX that it needs. Errors: InternalError;
/// LibdeviceMissing.
llvm::Expected<std::string> emitPtx(mlir::ModuleOp device, llvm::StringRef target,
                                    llvm::StringRef version, unsigned level);

/// Machine code of PTX, by nvJitLink or ptxas; empty: there is neither. Errors: InternalError with
/// the assembler's words.
llvm::Expected<std::string> assemble(llvm::StringRef ptx, llvm::StringRef target, unsigned level);

/// Path; empty: there is none. Looked for in the folder that PTC_CUDA names, a toolkit or one with
/// Python packages, and nowhere else; without it where CUDA_HOME and CUDA_PATH say, and in
/// /usr/local/cuda.
std::string findLibdevice();

} // namespace ptc::cuda

#endif // PTC_LIB_TARGET_CUDA_KERNELS_H
