//===- Body.h - The body of a nest on vectors ---------------------------*- C++ -*-===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_BODY_H
#define PTC_LIB_TARGET_CPU_EMITTERS_BODY_H

#include "Nest.h"

#include "ptc/Target/Cpu/Combiner.h"

#include "mlir/IR/IRMapping.h"

namespace ptc::cpu {

/// Whether the body means the same for each lane of vectors: elementwise operations alone, and
/// elements that it picks if it may.
bool isElementwise(mlir::Block &body, bool mayPick = false);

/// Whether elements that the body picks lie one behind the other along the loop `row`, at a place
/// that stays the same.
bool picksAlong(const Nest &nest, size_t row);

/// The widest element that the body computes with or that a stream holds, in bits; with a
/// `row`, of those that are other ones in each turn of that loop.
int64_t widestBits(const Nest &nest, std::optional<size_t> row = std::nullopt);

/// Clones `ops` on what `mapping` holds: an operation with some operand on vectors works on
/// vectors of `lanes`, and what is equal for all lanes stays a scalar.
void cloneOnLanes(LoopBuilder &l, llvm::ArrayRef<mlir::Operation *> ops, mlir::IRMapping &mapping,
                  int64_t lanes);

/// The result of a combiner for two accumulators, scalars or vectors.
mlir::Value combine(LoopBuilder &l, const Combiner &c, mlir::Value x, mlir::Value y);
/// What changes nothing: for a combiner without neutral element, `start` itself.
mlir::Value neutralOf(LoopBuilder &l, const Combiner &c, mlir::Value start);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_BODY_H
