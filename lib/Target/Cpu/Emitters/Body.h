//===- Body.h - The body of a nest on vectors ---------------------------*- C++ -*-===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_BODY_H
#define PTC_LIB_TARGET_CPU_EMITTERS_BODY_H

#include "Nest.h"

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

/// How a reduction combines its accumulator with one more element.
struct Combiner {
  mlir::Value accumulator, element;         ///< values of the body
  llvm::SmallVector<mlir::Operation *> ops; ///< from both to the result, in order
  mlir::Value result;
  bool startsAtZero = false, startsAtOne = false; ///< else f(f(a, x), x) = f(a, x)

  /// The result for two accumulators, scalars or vectors.
  mlir::Value combine(LoopBuilder &l, mlir::Value x, mlir::Value y) const;
  /// What changes nothing: for a combiner without neutral element, `start` itself.
  mlir::Value neutral(LoopBuilder &l, mlir::Value start) const;
};

/// The combiner of the only output; none if the order of the elements could matter.
std::optional<Combiner> findCombiner(const Nest &nest);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_BODY_H
