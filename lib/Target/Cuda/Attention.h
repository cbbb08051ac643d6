//===- Attention.h - Nests that are an attention ------------------------*- C++ -*-===//
//
// Private to lib/Target/Cuda.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CUDA_ATTENTION_H
#define PTC_LIB_TARGET_CUDA_ATTENTION_H

#include "Tiles.h"

#include "ptc/Dialect/Plan/IR/Plan.h"

namespace ptc::cuda {

/// The nests of an attention. Dimensions are those of the memory that would have the scores.
struct Attention {
  mutable mlir::linalg::LinalgOp scores, max, power, sum, values;
  llvm::SmallVector<mlir::linalg::LinalgOp> masks; ///< what is computed of each score
  mlir::linalg::LinalgOp firstScore, firstMax;     ///< what fills the memory of both
  unsigned query = 0, key = 0;                     ///< dimensions
  llvm::SmallVector<unsigned> inScores, inValues;  ///< loops of both products, by dimension
  llvm::SmallVector<unsigned> ofSums;              ///< dimensions that the sums have, in order
  unsigned depth = 0, column = 0; ///< loops: elements of queries and keys; of values
  int64_t numElements = 0;        ///< of a query
  size_t count = 0;               ///< of operations up to the product with values

  mlir::OpOperand *operand(mlir::linalg::LinalgOp product, bool isFirst) const {
    mlir::OpOperand *one = product.getDpsInputOperand(0), *other = product.getDpsInputOperand(1);
    unsigned loop = product == scores ? inScores[query] : inValues[key];
    bool isOne = product == scores ? product.getMatchingIndexingMap(one).isFunctionOfDim(loop)
                                   : one->get() == power.getDpsInits().front();
    return isOne == isFirst ? one : other;
  }
  mlir::OpOperand *queries() const { return operand(scores, true); }
  mlir::OpOperand *keys() const { return operand(scores, false); }
  mlir::OpOperand *weights() const { return operand(values, true); }
  mlir::OpOperand *valued() const { return operand(values, false); }
  bool isTriangle() const {
    return llvm::any_of(
        masks, [](mlir::linalg::LinalgOp mask) { return mask->hasAttr(plan::kLowerTriangleAttr); });
  }
};

/// What was found to be there before.
template <typename T> T certain(std::optional<T> found) {
  if (!found)
    llvm_unreachable("an attention that was found has changed");
  return std::move(*found);
}
/// Of a step that is one.
Attention attentionOf(const Step &step);
/// The product with the values, in tiles of so many queries.
TiledProduct productOf(const Attention &a, int64_t queries, int64_t threads);
/// Loops by the dimensions of an operand, each of which is one loop; none: it is not so.
std::optional<llvm::SmallVector<unsigned>> loopsOf(mlir::linalg::LinalgOp op,
                                                   mlir::OpOperand *operand);
} // namespace ptc::cuda

#endif // PTC_LIB_TARGET_CUDA_ATTENTION_H
