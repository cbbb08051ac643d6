//===- Steps.h - What the steps of views ask ------------------------*- C++ -*-===//
//
// Private to the files that emit views. Sizes of a view may depend on questions that the algebra
// cannot answer: capture has answered them, by a guard or by the path that the view is on. The type
// of the view says how.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_STEPS_H
#define PTC_LIB_TARGET_CPU_STEPS_H

#include "Host.h"

#include "ptc/Dialect/Aten/IR/MetaAnswers.h"

namespace ptc::cpu {

/// `x[a:b]`, `x[i]` with numbers of the run.
bool isSliceOfRun(mlir::ArrayAttr step);
bool isSelectOfRun(mlir::ArrayAttr step);

/// One of the pieces into which a step takes a dimension.
struct Piece {
  enum class Kind : uint8_t {
    OfSoMany, ///< chunk: at most that many pieces of one size
    OfSize,   ///< split: pieces of that size
    Even,     ///< tensor_split: exactly that many pieces
    Entry,    ///< unbind
  };
  Kind kind;
  int64_t dim, number;
};
/// None if the step takes no pieces, or if sizes are known: then its shape rule says all.
std::optional<Piece> pieceOfRun(mlir::ArrayAttr step, const aten::TensorMeta &meta);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_STEPS_H
