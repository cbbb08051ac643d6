//===- Product.h - Sums of products ------------------------------------*- C++ -*-===//
//
// A nest that adds products, with its loops in groups; what its forms have in common.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_PRODUCT_H
#define PTC_LIB_TARGET_CPU_EMITTERS_PRODUCT_H

#include "Isa.h"
#include "Nest.h"

namespace ptc::cpu {

/// Some loops of a nest as one group, innermost last.
struct Group {
  llvm::SmallVector<size_t> loops;
  LoopBuilder::Values sizesIn(const Nest &nest) const;
};

/// One factor, as the body reads it, and what it makes of each element before it multiplies.
struct Factor {
  Stream stream;
  mlir::BlockArgument argument;
  mlir::Value converted;                     ///< in the type of the sum
  llvm::SmallVector<mlir::Operation *> made; ///< of the body: what `converted` takes, in order
};

/// rows: loops of the row factor and the output; columns: of the column factor and the output;
/// batch: of all three; sum: of both factors.
struct Product {
  Nest nest;
  Factor row, column;
  Stream out;
  Group batch, rows, columns, sum;
  mlir::Type type; ///< of the sum
};

/// How many turns a group has; what only the run knows counts as typical.
double countOf(const Product &p, const Group &group);

/// Index arithmetic of a group that is walked by one number.
struct Walk {
  llvm::SmallVector<size_t> loops;
  LoopBuilder::Values sizes;

  Walk(const Product &p, const Group &group) : loops(group.loops), sizes(group.sizesIn(p.nest)) {}

  /// The place of entry `i`, in elements of `s`.
  mlir::Value offset(LoopBuilder &l, const Stream &s, mlir::Value i) const;
};

/// What the threads of a team share: a loop of the batch, tiles of columns, or tiles of rows.
struct Split {
  enum Kind : uint8_t { Batch, Columns, Rows } kind;
  size_t batch = SIZE_MAX; ///< which loop of the batch
};
/// Tiles of `tall` rows by `wide` columns: the outermost loops that have enough of them for many
/// threads, or those that have the most.
Split splitOf(const Product &p, int64_t tall, int64_t wide);

/// An element, or a vector of `lanes` of them, as the sum takes it.
mlir::Value convertFactor(LoopBuilder &l, const Factor &factor, mlir::Value element, int64_t lanes);
/// sum + x * y
mlir::Value multiplyAdd(LoopBuilder &l, const Isa &isa, mlir::Value x, mlir::Value y,
                        mlir::Value sum);
/// Writes what one sum becomes to `address`; `addressIn` gives where the stream of that number in
/// Nest::more has its element.
void writeElement(LoopBuilder &l, const Product &p, mlir::Value sum, mlir::Value address,
                  llvm::function_ref<mlir::Value(size_t)> addressIn);

/// Whether both factors are bfloat16 as they are, and there is an instruction for pairs of them.
bool hasPairs(const Product &p, const Isa &isa);
/// sum + x * y of vectors with twice as many elements, bfloat16, as the sum: each adds two
/// products.
mlir::Value multiplyAddPairs(LoopBuilder &l, mlir::Value x, mlir::Value y, mlir::Value sum);

/// Whether vectors can be read along the loop.
bool isShortStep(const Stream &s, size_t loop);
/// Whether columns, the only loop of their group, run through vectors in everything but factors.
bool suitsVectors(const Product &p);

/// Columns run through vectors; `packed`: the panels that they lie in, null: they are copied.
void emitPanels(LoopBuilder &l, const Product &p, const Isa &isa, mlir::Value packed);
/// The loop `along` of the sum runs through vectors.
void emitDots(LoopBuilder &l, const Product &p, const Isa &isa, size_t along);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_PRODUCT_H
