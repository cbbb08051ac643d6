//===- Lowering.h - What kernels of CPUs and GPUs have in common --------*- C++ -*-===//
#ifndef PTC_TARGET_CPU_LOWERING_H
#define PTC_TARGET_CPU_LOWERING_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"

namespace ptc {

/// Canonicalization that computes the same numbers: of two conversions that round, neither goes.
std::unique_ptr<mlir::Pass> createExactCanonicalizer();
/// Adds the passes that take memrefs, arith, functions and control flow to the llvm dialect.
void addLastPasses(mlir::PassManager &passes);

/// Sizes of what is allocated, as 64-bit integers.
llvm::SmallVector<mlir::Value> sizesOf(mlir::ImplicitLocOpBuilder &b, mlir::memref::AllocOp alloc);
/// What is allocated, as memory at the address `at` in row-major order.
mlir::Value describeMemory(mlir::ImplicitLocOpBuilder &b, mlir::memref::AllocOp alloc,
                           mlir::Value at);

/// Of a function: its kernel computes rows apart from each other, in several passes; what it adds
/// up is no product of matrices.
inline constexpr llvm::StringLiteral kRowsAttr = "ptc.rows";
/// Of an argument of a kernel: it is a row-major weight that one operation reads, and what the
/// kernel wants in its place: the numbers of a PackFormat.
inline constexpr llvm::StringLiteral kWeightAttr = "ptc.weight", kPackAttr = "ptc.pack";
/// The argument of the function whose memory the memref is, from its first element on; none if it
/// is not known.
mlir::BlockArgument memoryOf(mlir::Value memref);

} // namespace ptc

#endif // PTC_TARGET_CPU_LOWERING_H
