//===- Sort.cpp - Sorts and order statistics as kernels --------------------------------------===//
//
// In: sort, argsort, topk, median. Out: a kernel of family sort that says which order is meant: how
// many entries of a line come before each, then which entry comes at each place. An emitter sorts;
// as loops it takes the square of a line's length. Stable; NaN comes last, first when descending.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include <cmath>

using namespace mlir;
using namespace ptc;

using R = ElementBuilder::Relation;

static constexpr DType kPlace = DType::Int64;

static Value loopCounter(ElementBuilder &e, int64_t loop) {
  return e.fromIndex(e.make<linalg::IndexOp>(uint64_t(loop)));
}

/// Whether entry `x` at place `i` comes before entry `y` at place `j`.
static Value comesBefore(ElementBuilder &e, DType t, std::pair<Value, Value> x,
                         std::pair<Value, Value> y, bool isDescending) {
  Value earlier = e.compare(kPlace, R::LT, x.second, y.second);
  Value better = e.compare(t, isDescending ? R::GT : R::LT, x.first, y.first);
  Value same = e.compare(t, R::EQ, x.first, y.first);
  if (isFloat(t)) {
    Value xNan = e.isNan(t, x.first), yNan = e.isNan(t, y.first);
    same = e.either(same, e.both(xNan, yNan));
    better = e.either(better, isDescending ? xNan : yNan);
  }
  return e.select(same, earlier, better);
}

void ptc::markOrder(KernelBuilder &k, Tensor made, DType of, Order order) {
  bool isUnsigned = of == DType::UInt8 || of == DType::Bool;
  made.value.getDefiningOp()->setAttr(
      plan::kOrderAttr, plan::OrderAttr::get(k.b.getContext(), order.dim, order.isDescending,
                                             order.nanFirst, isUnsigned));
}

/// Which entry along `dim` comes at each of the first `count` places.
static Tensor orderOf(KernelBuilder &k, Tensor x, int64_t dim, bool isDescending,
                      OpFoldResult count) {
  DType t = x.dtype;
  int64_t rank = x.rank();
  Sizes sizes = k.sizesOf(x), pairs = sizes;
  pairs.push_back(sizes[size_t(dim)]);
  SmallVector<AffineExpr> own, other;
  for (int64_t d = 0; d < rank; ++d) {
    own.push_back(k.at(d));
    other.push_back(k.at(d == dim ? rank : d));
  }
  Mask last(size_t(rank), false);
  last.push_back(true);
  Value none = k.top().integer(kPlace, 0);
  SmallVector<Access> ins{{x, k.mapOf(rank + 1, own)}, {x, k.mapOf(rank + 1, other)}};
  Tensor before =
      k.reduceOver(ins, pairs, last, kPlace, none, [&](ElementBuilder &e, ValueRange v) {
        std::pair<Value, Value> mine{v[0], loopCounter(e, dim)}, theirs{v[1], loopCounter(e, rank)};
        Value comes = comesBefore(e, t, theirs, mine, isDescending);
        return e.add(kPlace, v[2], e.convert(comes, DType::Bool, kPlace));
      });
  markOrder(k, before, t, {dim, isDescending, /*nanFirst=*/isDescending});
  pairs[size_t(dim)] = count;
  Tensor order = k.reduceOver(Access{before, k.mapOf(rank + 1, other)}, pairs, last, kPlace, none,
                              [&](ElementBuilder &e, ValueRange v) {
                                Value isHere = e.compare(kPlace, R::EQ, v[0], loopCounter(e, dim));
                                return e.select(isHere, loopCounter(e, rank), v[1]);
                              });
  markOrder(k, order, t, {dim, isDescending, /*nanFirst=*/isDescending});
  return order;
}

/// The entries that `places` name along `dim`.
static Tensor take(KernelBuilder &k, Tensor x, Tensor places, int64_t dim) {
  Value limit = k.toValue(k.sizeOf(x, dim));
  return k.map(Access{places, k.identity(x.rank())}, k.sizesOf(places), x.dtype,
               [&](ElementBuilder &e, ValueRange v) {
                 SmallVector<Value> from;
                 for (int64_t d = 0; d < x.rank(); ++d)
                   from.push_back(d == dim ? e.clampIndex(e.toIndex(v[0]), limit)
                                           : e.make<linalg::IndexOp>(uint64_t(d)));
                 return e.make<tensor::ExtractOp>(x.value, from);
               });
}

SmallVector<Tensor, 2> ptc::medianOf(KernelBuilder &k, Tensor x, int64_t dim) {
  Mask mask(size_t(x.rank()), false);
  mask[size_t(dim)] = true;
  OpFoldResult size = k.sizeOf(x, dim);
  Tensor order = orderOf(k, x, dim, /*isDescending=*/false, size);
  // The lower one in the middle; the first NaN, which comes behind all numbers, if there is one.
  Tensor numbers =
      k.reduce(x, mask, kPlace, k.top().integer(kPlace, 0), [&](ElementBuilder &e, ValueRange v) {
        Value isNumber = e.negate(e.isNan(x.dtype, v[0]));
        return e.add(kPlace, v[1], e.convert(isNumber, DType::Bool, kPlace));
      });
  Value total = k.top().fromIndex(k.toValue(size));
  SmallVector<Access> ins{{order, k.identity(x.rank())}, {numbers, k.without(mask)}};
  Tensor place = k.reduceOver(
      ins, k.sizesOf(x), mask, kPlace, k.top().integer(kPlace, 0),
      [&](ElementBuilder &e, ValueRange v) {
        Value hasNan = e.compare(kPlace, R::LT, v[1], total);
        Value middle = e.make<arith::ShRUIOp>(e.sub(kPlace, total, e.integer(kPlace, 1)),
                                              e.integer(kPlace, 1));
        Value wanted = e.select(hasNan, v[1], middle);
        return e.select(e.compare(kPlace, R::EQ, loopCounter(e, dim), wanted), v[0], v[2]);
      });
  // Of no entries: NaN, or what eager's conversion makes of it in an integer.
  bool isWide = x.dtype == DType::Int32 || x.dtype == DType::Int64;
  Value none = isFloat(x.dtype)         ? k.top().real(x.dtype, std::nan(""))
               : isWide                 ? k.top().lowest(x.dtype)
               : x.dtype == DType::Bool ? k.top().truth(true)
                                        : k.top().integer(x.dtype, 0);
  SmallVector<Access> entries{{x, k.identity(x.rank())}, {place, k.without(mask)}};
  Tensor value = k.reduceOver(entries, k.sizesOf(x), mask, x.dtype, none,
                              [&](ElementBuilder &e, ValueRange v) {
                                Value isHere = e.compare(kPlace, R::EQ, v[1], loopCounter(e, dim));
                                return e.select(isHere, v[0], v[2]);
                              });
  return {value, place};
}

static LogicalResult convertSort(KernelBuilder &k) {
  bool isTopK = k.info().shapeRule == aten::ShapeRule::TopK;
  Tensor x = k.self();
  std::optional<int64_t> dim = x ? k.dim("dim", x.rank()) : std::nullopt;
  std::optional<bool> descending = k.flag(isTopK ? "largest" : "descending");
  std::optional<Sizes> sizes = k.resultSizes();
  if (!dim || !descending || !sizes)
    return k.refuseComplexOr("sizes or an order known only at run time");
  if (x.rank() == 0)
    x = k.flat(x);
  OpFoldResult count = sizes->empty() ? k.constant(1) : (*sizes)[size_t(*dim)];
  SmallVector<Tensor, 2> results;
  if (isTopK && isConstantIntValue(count, 1)) {
    for (Tensor first : findExtreme(k, x, {*dim, *descending, /*nanFirst=*/*descending}))
      results.push_back(k.reshape(first, *sizes));
    return k.finish(plan::Family::Reduction, results);
  }
  Tensor order = orderOf(k, x, *dim, *descending, count);
  if (k.op->getNumResults() == 2)
    results.push_back(k.reshape(take(k, x, order, *dim), *sizes));
  results.push_back(k.reshape(order, *sizes));
  return k.finish(plan::Family::Sort, results);
}

ArrayRef<ConverterRow> ptc::getSortRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {{S::Sort, convertSort}, {S::TopK, convertSort}};
  return kRows;
}
