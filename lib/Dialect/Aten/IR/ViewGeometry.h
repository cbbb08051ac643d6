//===- ViewGeometry.h - Sizes, strides and offsets of views ------*- C++ -*-===//
//
// Private to the shape functions.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_DIALECT_ATEN_IR_VIEWGEOMETRY_H
#define PTC_LIB_DIALECT_ATEN_IR_VIEWGEOMETRY_H

#include "Inference.h"

namespace ptc::aten {

/// What eager says where strides do not allow a view.
inline constexpr llvm::StringLiteral kNoView =
    "view size is not compatible with input tensor's size and stride (at least one dimension spans "
    "across two contiguous subspaces). Use .reshape(...) instead.";

/// The number behind `e`, by a guard if need be; none after a failure.
std::optional<int64_t> specialize(Inference &inf, sym::Expr e, llvm::StringRef why);
/// `wanted` with its -1 filled in so that there are `count` elements.
Exprs inferSizes(Inference &inf, llvm::ArrayRef<sym::Expr> wanted, sym::Expr count);
/// Strides under which `from` looks like `sizes`; none if there are none.
std::optional<Exprs> viewStrides(Inference &inf, const TensorMeta &from,
                                 llvm::ArrayRef<sym::Expr> sizes);
/// A view of argument 0 with its element type.
void addViewOf(Inference &inf, llvm::ArrayRef<sym::Expr> sizes, llvm::ArrayRef<sym::Expr> strides,
               sym::Expr offset);

/// Sizes and strides of a part of a tensor, and where it starts relative to it.
struct Part {
  Exprs sizes;
  Exprs strides;
  sym::Expr offset;
};
/// `t[start:end:step]` in dimension `dim`, clamped as Python does; unsupported bounds are absent.
Part slicePart(Inference &inf, const TensorMeta &t, int64_t dim, sym::Expr start, sym::Expr end,
               sym::Expr step);
Part selectPart(Inference &inf, const TensorMeta &t, int64_t dim, sym::Expr index);
Part diagonalPart(Inference &inf, const TensorMeta &t);

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_IR_VIEWGEOMETRY_H
