//===- Attention.cpp - scaled_dot_product_attention as one kernel ------------------------===//
//
// In: query [..., L, E], key [..., S, E], value [..., S, Ev]. Out: one kernel of family attention:
// scores, their softmax over S, the sums of values. 16-bit floats are computed in single precision.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include <cmath>

using namespace mlir;
using namespace ptc;

using R = ElementBuilder::Relation;

namespace {

/// The loops are those of the batches, then rows, then keys or columns.
class Attention {
public:
  explicit Attention(KernelBuilder &k)
      : k(k), query(k.tensor("query")), key(k.tensor("key")), value(k.tensor("value")),
        mask(k.tensor("attn_mask")) {}

  LogicalResult convert() {
    if (!query || !key || !value || (!k.isNone("attn_mask") && !mask))
      return k.refuse("complex numbers");
    std::optional<bool> causal = k.flag("is_causal"), grouped = k.flag("enable_gqa");
    if (k.arg("dropout_p").getFloat() != 0.0)
      return k.refuse("dropout_p that is not 0");
    if (!causal || !grouped)
      return k.refuse(causal ? "enable_gqa known only at run time"
                             : "is_causal known only at run time");
    std::optional<Sizes> sizes = k.resultSizes();
    if (!sizes)
      return k.refuse("a size of the result is no input's");
    isCausal = *causal;
    t = computeType(query.dtype);
    if (*grouped && failed(splitHeads()))
      return failure();
    batch = Sizes(k.sizesOf(query));
    batch.resize(batch.size() - 2);
    if (!*grouped)
      batch.assign(sizes->begin(), sizes->end() - 2);
    std::optional<Tensor> out = run();
    if (!out)
      return k.refuse("batches are not known to broadcast");
    return k.finish(plan::Family::Attention, k.reshape(*out, *sizes));
  }

private:
  /// Heads of the query as [heads of the key, how many share one]; the others get a dimension of 1.
  LogicalResult splitHeads() {
    int64_t d = query.rank() - 3, heads = query.size(d), fewer = key.size(d);
    if (mask || heads == ShapedType::kDynamic || fewer == ShapedType::kDynamic || fewer == 0)
      return k.refuse("grouped heads with a mask, or of a number that is not known");
    Sizes sizes = k.sizesOf(query);
    sizes[size_t(d)] = k.constant(heads / fewer);
    sizes.insert(sizes.begin() + d, k.constant(fewer));
    query = k.reshape(query, sizes);
    Mask ones(size_t(key.rank() + 1), false);
    ones[size_t(d + 1)] = true;
    key = k.withOnes(key, ones);
    value = k.withOnes(value, ones);
    return success();
  }

  /// Places of a tensor's batches, then of `last`.
  AffineMap reach(Tensor tensor, int64_t numLoops, ArrayRef<AffineExpr> last) {
    SmallVector<AffineExpr> places;
    Sizes own = k.sizesOf(tensor);
    int64_t count = tensor.rank() - 2, shift = int64_t(batch.size()) - count;
    if (shift < 0)
      return {};
    for (int64_t d = 0; d < count; ++d) {
      OpFoldResult wanted = batch[size_t(d + shift)];
      bool repeats = tensor.isOne(d) && getConstantIntValue(wanted) != 1;
      if (!repeats && own[size_t(d)] != wanted)
        return {};
      places.push_back(repeats ? k.b.getAffineConstantExpr(0) : k.at(d + shift));
    }
    llvm::append_range(places, last);
    return k.mapOf(numLoops, places);
  }

  Value scale() {
    if (!k.isNone("scale"))
      return k.number(k.arg("scale"), t);
    int64_t width = query.size(query.rank() - 1);
    if (width != ShapedType::kDynamic)
      return k.top().real(t, 1 / std::sqrt(double(width)));
    Value size = k.top().fromIndex(k.toValue(k.sizesOf(query).back()));
    Value real = k.top().convert(size, DType::Int64, DType::Float64);
    Value root = k.top().make<math::SqrtOp>(real);
    return k.top().convert(k.top().div(DType::Float64, k.top().real(DType::Float64, 1), root),
                           DType::Float64, t);
  }

  /// One score: scaled, masked.
  Value masked(ElementBuilder &e, Value sum, Value scale, Value added) {
    Value score = e.mul(t, sum, scale), never = e.lowest(t);
    if (added && mask.dtype == DType::Bool)
      score = e.select(added, score, never);
    else if (added)
      score = e.add(t, score, e.convert(added, mask.dtype, t));
    if (!isCausal)
      return score;
    Value row = e.make<linalg::IndexOp>(batch.size());
    Value column = e.make<linalg::IndexOp>(batch.size() + 1);
    Value isLater = e.compareIndex(arith::CmpIPredicate::sgt, column, row);
    return e.select(isLater, never, score);
  }

  std::optional<Tensor> run() {
    int64_t n = int64_t(batch.size());
    Sizes square = batch;
    square.push_back(k.sizesOf(query)[size_t(query.rank() - 2)]);
    Sizes rows = square;
    square.push_back(k.sizesOf(key)[size_t(key.rank() - 2)]);
    AffineMap queryAt = reach(query, n + 3, {k.at(n), k.at(n + 2)});
    AffineMap keyAt = reach(key, n + 3, {k.at(n + 1), k.at(n + 2)});
    AffineMap valueAt = reach(value, n + 3, {k.at(n + 2), k.at(n + 1)});
    AffineMap maskAt = mask ? k.broadcastMap(mask, square) : AffineMap();
    Value factor = scale();
    if (!queryAt || !keyAt || !valueAt || (mask && !maskAt) || !factor)
      return std::nullopt;
    Mask last(size_t(n + 3), false), keys(size_t(n + 2), false);
    last.back() = keys.back() = true;
    ElementBuilder top = k.top();
    auto multiply = [&](ElementBuilder &e, Tensor a, Tensor c, ValueRange v) {
      Value product = e.mul(t, e.convert(v[0], a.dtype, t), e.convert(v[1], c.dtype, t));
      return SmallVector<Value, 2>{e.add(t, v[2], product)};
    };
    SmallVector<Access> pair{{query, queryAt}, {key, keyAt}};
    Access sums{k.fill(square, t, top.real(t, 0)), k.without(last)};
    Tensor scores = k.loops(pair, sums, [&](ElementBuilder &e, ValueRange v) {
                       return multiply(e, query, key, v);
                     }).front();
    SmallVector<Access> ins{{scores, k.identity(n + 2)}};
    if (mask)
      ins.push_back({mask, maskAt});
    scores = k.map(ins, square, t, [&](ElementBuilder &e, ValueRange v) {
      return masked(e, v[0], factor, mask ? v[1] : Value());
    });
    if (isCausal)
      scores.value.getDefiningOp()->setAttr(plan::kLowerTriangleAttr, k.b.getUnitAttr());
    return weigh(scores, rows, keys, {value, valueAt});
  }

  /// Sums of values by the softmax of scores; a row that sees nothing is zero.
  Tensor weigh(Tensor scores, const Sizes &rows, const Mask &keys, const Access &values) {
    int64_t n = int64_t(batch.size());
    ElementBuilder top = k.top();
    Tensor most = k.reduce(scores, keys, t, top.lowest(t), [&](ElementBuilder &e, ValueRange v) {
      return e.maximum(t, v[1], v[0]);
    });
    SmallVector<Access> ins{{scores, k.identity(n + 2)}, {most, k.without(keys)}};
    Tensor powers = k.map(ins, k.sizesOf(scores), t, [&](ElementBuilder &e, ValueRange v) {
      Value seesNothing = e.compare(t, R::EQ, v[1], e.lowest(t));
      Value peak = e.select(seesNothing, e.real(t, 0), v[1]);
      return e.make<math::ExpOp>(e.sub(t, v[0], peak));
    });
    Tensor total = k.reduce(powers, keys, t, top.real(t, 0),
                            [&](ElementBuilder &e, ValueRange v) { return e.add(t, v[1], v[0]); });
    Sizes wide = rows;
    wide.push_back(k.sizesOf(value).back());
    SmallVector<AffineExpr> places;
    for (int64_t d = 0; d <= n; ++d)
      places.push_back(k.at(d));
    AffineMap rowAt = k.mapOf(n + 2, places);
    places.push_back(k.at(n + 2));
    Mask last(size_t(n + 3), false);
    last.back() = true;
    SmallVector<Access> pair{{powers, k.mapOf(n + 3, places)}, values};
    Access sums{k.fill(wide, t, top.real(t, 0)), k.without(last)};
    Tensor out = k.loops(pair, sums, [&](ElementBuilder &e, ValueRange v) {
                    Value product = e.mul(t, v[0], e.convert(v[1], value.dtype, t));
                    return SmallVector<Value, 2>{e.add(t, v[2], product)};
                  }).front();
    DType result = k.resultDType();
    SmallVector<Access> both{{out, k.identity(n + 2)}, {total, rowAt}};
    return k.map(both, wide, result, [&](ElementBuilder &e, ValueRange v) {
      Value isEmpty = e.compare(t, R::EQ, v[1], e.real(t, 0));
      Value share = e.div(t, v[0], e.select(isEmpty, e.real(t, 1), v[1]));
      return e.convert(share, t, result);
    });
  }

  KernelBuilder &k;
  Tensor query, key, value, mask;
  Sizes batch;
  DType t = DType::Float32;
  bool isCausal = false;
};

} // namespace

static LogicalResult convertAttention(KernelBuilder &k) { return Attention(k).convert(); }

ArrayRef<ConverterRow> ptc::getAttentionRows() {
  static constexpr ConverterRow kRows[] = {{aten::ShapeRule::Attention, convertAttention}};
  return kRows;
}
