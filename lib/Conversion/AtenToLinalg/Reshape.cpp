//===- Reshape.cpp - The same elements with other sizes --------------------------------------===//
//
// In: a tensor inside a kernel and sizes of as many elements. Out: reshapes of tensor as far as
// MLIR lowers them: groups of dimensions of which at most one has no number, and none without
// elements or without dimensions; else a copy.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

using namespace mlir;
using namespace ptc;

Tensor KernelBuilder::flat(Tensor in) {
  if (in.rank() == 1)
    return in;
  if (in.hasZero()) // MLIR multiplies no unknown sizes by 0
    return empty(constant(0), in.dtype);
  if (in.rank() == 0)
    return copyElement(in, constant(1));
  Sizes total{product(sizesOf(in))};
  SmallVector<ReassociationIndices, 1> groups;
  groups.emplace_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, in.rank())));
  // The folded type may know less than the product of the sizes does, but never more.
  Value collapsed = tensor::CollapseShapeOp::create(b, loc, in.value, groups);
  return define(collapsed, in.dtype, total);
}

Tensor KernelBuilder::copyElement(Tensor in, ArrayRef<OpFoldResult> sizes) {
  SmallVector<AffineExpr> first(size_t(in.rank()), b.getAffineConstantExpr(0));
  return map(Access{in, mapOf(int64_t(sizes.size()), first)}, sizes, in.dtype,
             [](ElementBuilder &, ValueRange x) { return x[0]; });
}

namespace {

/// Dimensions in front and behind that hold the same elements.
struct Group {
  ReassociationIndices from, to;
};

/// Pairs dimensions in their order: equal sizes, numbers whose products are equal, ones with a
/// neighbour.
class Pairing {
public:
  Pairing(ArrayRef<OpFoldResult> from, ArrayRef<OpFoldResult> to) : from(from), to(to) {}

  /// None if it is not known which dimensions belong together.
  std::optional<SmallVector<Group>> run() {
    while (i < from.size() || j < to.size()) {
      if (i < from.size() && j < to.size() && from[i] == to[j])
        begin();
      else if (j < to.size() && isConstantIntValue(to[j], 1))
        current().to.push_back(int64_t(j++));
      else if (i < from.size() && isConstantIntValue(from[i], 1))
        current().from.push_back(int64_t(i++));
      else if (!pairProducts())
        return std::nullopt;
    }
    if (llvm::any_of(groups, [](const Group &g) { return g.from.empty() || g.to.empty(); }))
      return std::nullopt;
    return groups;
  }

private:
  /// A group of the next two; ones in front of all are part of the first.
  void begin() {
    if (groups.empty() || !isOpen)
      groups.emplace_back();
    isOpen = false;
    groups.back().from.push_back(int64_t(i++));
    groups.back().to.push_back(int64_t(j++));
  }
  Group &current() {
    if (groups.empty()) {
      groups.emplace_back();
      isOpen = true;
    }
    return groups.back();
  }
  bool pairProducts() {
    auto numberAt = [](ArrayRef<OpFoldResult> sizes, size_t d) {
      return d < sizes.size() ? getConstantIntValue(sizes[d]) : std::nullopt;
    };
    std::optional<int64_t> left = numberAt(from, i), right = numberAt(to, j);
    if (!left || !right)
      return false;
    int64_t x = *left, y = *right;
    begin();
    while (x != y) {
      bool isLeft = x < y;
      std::optional<int64_t> next = isLeft ? numberAt(from, i) : numberAt(to, j);
      if (!next)
        return false;
      (isLeft ? x : y) *= *next;
      (isLeft ? groups.back().from : groups.back().to).push_back(int64_t(isLeft ? i++ : j++));
    }
    return true;
  }

  ArrayRef<OpFoldResult> from, to;
  size_t i = 0, j = 0;
  SmallVector<Group> groups;
  bool isOpen = false; ///< the only group holds nothing but ones of one side
};

} // namespace

Tensor KernelBuilder::regroup(Tensor in, ArrayRef<OpFoldResult> sizes) {
  std::optional<SmallVector<Group>> groups = Pairing(sizesOf(in), sizes).run();
  if (!groups)
    return {};
  SmallVector<ReassociationIndices> from, to;
  for (const Group &group : *groups) {
    from.push_back(group.from);
    to.push_back(group.to);
  }
  Value value = in.value;
  RankedTensorType known = typeFor(sizesOf(in), in.dtype), wanted = typeFor(sizes, in.dtype);
  if (value.getType() != known)
    value = tensor::CastOp::create(b, loc, known, value);
  if (int64_t(from.size()) != in.rank())
    value = tensor::CollapseShapeOp::create(b, loc, value, from);
  if (to.size() != sizes.size())
    value = tensor::ExpandShapeOp::create(b, loc, wanted, value, to, sizes);
  else if (value.getType() != wanted)
    value = tensor::CastOp::create(b, loc, wanted, value);
  return define(value, in.dtype, Sizes(sizes));
}

Tensor KernelBuilder::reshape(Tensor in, ArrayRef<OpFoldResult> sizes) {
  if (ArrayRef<OpFoldResult>(sizesOf(in)) == sizes)
    return in;
  if (in.hasZero() || llvm::any_of(sizes, [](auto size) { return isConstantIntValue(size, 0); }))
    return empty(sizes, in.dtype);
  if (in.rank() == 0 || sizes.empty())
    return copyElement(in, sizes);
  if (Tensor same = regroup(in, sizes))
    return same;
  Tensor row = flat(in);
  RankedTensorType type = typeFor(sizes, in.dtype);
  if (type.getRank() == 1) {
    Value cast = row.value;
    if (cast.getType() != type)
      cast = tensor::CastOp::create(b, loc, type, cast);
    return define(cast, in.dtype, Sizes(sizes));
  }
  if (type.getNumDynamicDims() > 1) { // row-major: the number of an element in its line
    SmallVector<Value> widths = toValues(sizes);
    return move(row, Sizes(sizes), [&](ElementBuilder &e, ValueRange at) {
      Value number = at[0];
      for (auto [i, width] : llvm::zip_equal(at.drop_front(), ArrayRef(widths).drop_front()))
        number = e.addIndex(e.mulIndex(number, width), i);
      return SmallVector<Value, 6>{number};
    });
  }
  // expand_shape wants both sides static or both dynamic.
  if (type.hasStaticShape() != row.type().hasStaticShape()) {
    int64_t total = type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
    row.value = tensor::CastOp::create(
        b, loc, RankedTensorType::get({total}, type.getElementType()), row.value);
  }
  SmallVector<ReassociationIndices, 1> groups;
  groups.emplace_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank())));
  return define(tensor::ExpandShapeOp::create(b, loc, type, row.value, groups, sizes), in.dtype,
                Sizes(sizes));
}
