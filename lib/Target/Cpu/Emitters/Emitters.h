//===- Emitters.h - Vector code for nests --------------------------------*- C++ -*-===//
//
// Each emitter says whether the nest is of its kind; what none takes becomes plain loops.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_EMITTERS_H
#define PTC_LIB_TARGET_CPU_EMITTERS_EMITTERS_H

#include "Isa.h"
#include "Nest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ptc::cpu {

/// Sums of products of two inputs, floats: GEMM and its relatives, convolutions; with the epilogue
/// of the nest. None as well for an epilogue that is as good by itself.
std::optional<Form> emitContraction(LoopBuilder &l, const Nest &nest, const Isa &isa);
/// Sorts: an operation that counts for each entry how many come before it, and one that takes the
/// entries to their places.
bool emitSort(LoopBuilder &l, mlir::linalg::GenericOp counting, mlir::linalg::GenericOp placing,
              const Isa &isa);
/// The first entry of an order and its place.
bool emitFirst(LoopBuilder &l, mlir::linalg::GenericOp op, const Nest &nest, const Isa &isa);
/// Totals carried along a loop that writes them at each step.
bool emitScan(LoopBuilder &l, const Nest &nest, const Isa &isa);
/// Elementwise bodies and reductions along consecutive elements. Empty, or why not.
llvm::StringRef emitVectorLoops(LoopBuilder &l, Nest nest, const Isa &isa);
/// Whether it makes vectors of the results of a reduction over windows.
bool takesWindow(const Nest &nest);

/// Temporary memory that something is copied into lies in the order of what is copied.
void orderTemporaries(mlir::func::FuncOp function);
/// Replaces the linalg operations of `function`, on memrefs, that some emitter takes; a function of
/// at least so many seconds becomes one for a team, if it can be. Gives what became of it.
KernelCode emitKernels(mlir::func::FuncOp function, const Isa &isa, double teamSeconds);
/// Exponentials and their relatives on vectors of f32 become arithmetic.
llvm::LogicalResult expandMathFunctions(mlir::func::FuncOp function, const Isa &isa);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_EMITTERS_H
