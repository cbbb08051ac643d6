//===- Windows.h - Reductions over windows of a tensor ------------------*- C++ -*-===//
//
// A pool: each result combines the entries of a window. What lies outside of the tensor changes
// nothing, so that no copy with a border around it is made for them.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_WINDOWS_H
#define PTC_LIB_TARGET_CPU_EMITTERS_WINDOWS_H

#include "Nest.h"

namespace ptc::cpu {

/// A reduction over windows and the operations that are needless once it is emitted as one.
struct Window {
  mlir::linalg::GenericOp reduction;
  mlir::linalg::GenericOp begin;        ///< writes the start of every result; or null
  mlir::linalg::GenericOp border, copy; ///< make the tensor with a border; or null
  mlir::Value start;                    ///< what `begin` writes
};

/// The window that `op` reduces, one of the operations `all` of a function in order; none if it is
/// no such reduction.
std::optional<Window> findWindow(mlir::linalg::GenericOp op,
                                 llvm::ArrayRef<mlir::linalg::GenericOp> all);

/// The nest of the reduction, on the tensor without its border; none if an access is not affine.
std::optional<Nest> readNest(LoopBuilder &l, const Window &window);

/// Indices [first, end) of a loop for which no clip leaves out an entry.
std::pair<mlir::Value, mlir::Value> insideOf(LoopBuilder &l, const Nest &nest, size_t loop);

/// The reducing loops around the row in the turn `indices` of the others, one per loop; what they
/// carry. `isInside`: no clip of the row leaves out anything. `turn` gets an index per reducing
/// loop.
LoopBuilder::Values overWindow(LoopBuilder &l, const Nest &nest, mlir::ValueRange indices,
                               bool isInside, mlir::ValueRange start, LoopBuilder::NestBody turn);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_WINDOWS_H
