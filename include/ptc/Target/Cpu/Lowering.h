//===- Lowering.h - What kernels of CPUs and GPUs have in common --------*- C++ -*-===//
#ifndef PTC_TARGET_CPU_LOWERING_H
#define PTC_TARGET_CPU_LOWERING_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"

namespace ptc {

/// Adds the passes that take memrefs, arith, functions and control flow to the llvm dialect.
void addLastPasses(mlir::PassManager &passes);

/// Sizes of what is allocated, as 64-bit integers.
llvm::SmallVector<mlir::Value> sizesOf(mlir::ImplicitLocOpBuilder &b, mlir::memref::AllocOp alloc);
/// What is allocated, as memory at the address `at` in row-major order.
mlir::Value describeMemory(mlir::ImplicitLocOpBuilder &b, mlir::memref::AllocOp alloc,
                           mlir::Value at);

} // namespace ptc

#endif // PTC_TARGET_CPU_LOWERING_H
