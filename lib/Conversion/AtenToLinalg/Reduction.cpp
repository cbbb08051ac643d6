//===- Reduction.cpp - General reductions as kernels ------------------------------------===//
//
// In: sums, order statistics, moments, norms over some dimensions. Out: a kernel of family
// reduction (rows where it needs more than one pass). 16-bit floats are summed in single precision;
// variances and norms in double, as eager does.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "ptc/Dialect/Program/IR/Program.h"

#include <cmath>

using namespace mlir;
using namespace ptc;

using P = arith::CmpIPredicate;
using R = ElementBuilder::Relation;

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// Which dimensions go; none if that is known only at run time.
static std::optional<Mask> reducedDims(KernelBuilder &k, int64_t rank) {
  Mask mask(size_t(rank), true);
  if (!k.has("dim") || k.isNone("dim"))
    return mask;
  std::optional<SmallVector<int64_t, 4>> dims = k.ints("dim");
  if (!dims)
    return std::nullopt;
  bool keepsAllIfEmpty = k.info().overload() == "dims"; // any.dims and all.dims
  if (!dims->empty() || keepsAllIfEmpty)
    mask.assign(size_t(rank), false);
  if (rank > 0)
    for (int64_t d : *dims)
      mask[size_t(d < 0 ? d + rank : d)] = true;
  return mask;
}

static bool keepsDims(KernelBuilder &k) {
  return k.has("keepdim") && k.flag("keepdim").value_or(false);
}

/// The kernel with the results, which lack the dimensions in `mask`, as the operation has them.
static LogicalResult finishReduced(KernelBuilder &k, ArrayRef<Tensor> results, ArrayRef<bool> mask,
                                   plan::Family family = plan::Family::Reduction) {
  SmallVector<Tensor, 2> shaped;
  for (auto [i, result] : llvm::enumerate(results))
    shaped.push_back(keepsDims(k) && k.resultType(unsigned(i)).getRank() != result.rank()
                         ? k.withOnes(result, mask)
                         : result);
  bool reduces = llvm::is_contained(mask, true);
  return k.finish(reduces ? family : plan::Family::Pointwise, shaped);
}

/// Raises what eager does where there is no element of which to take the largest, the smallest, …:
/// `mask` says which dimensions are reduced.
static void raiseIfEmpty(KernelBuilder &k, ArrayRef<bool> mask, bool isArg = false) {
  auto type = cast<RankedTensorType>(k.arg(0U).getValue().getType());
  auto meta = dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  std::optional<SmallVector<int64_t, 4>> dims;
  if (k.has("dim"))
    dims = k.ints("dim");
  bool isAll = !dims || dims->empty();
  for (size_t d = 0; meta && d < mask.size() && meta.getSizes(); ++d) {
    if (!mask[d] || !isa<aten::ExprAttr>(meta.getSizes()[d]))
      continue;
    KernelBuilder check(k.op, k.rewriter);
    Tensor self = check.self();
    ElementBuilder top = check.top();
    Value isZero =
        top.compareIndex(P::eq, check.toValue(check.sizeOf(self, int64_t(d))), top.index(0));
    Tensor failed = check.map(ArrayRef<Access>(), {}, DType::Bool,
                              [&](ElementBuilder &, ValueRange) { return isZero; });
    std::string what = k.info().baseName().str() + "(): Expected reduction dim ";
    if (!isAll)
      check.raiseIf(failed, {}, "IndexError", what + std::to_string(d) + " to have non-zero size.");
    else
      check.raiseIf(failed, {}, isArg ? "IndexError" : "RuntimeError",
                    what + "to be specified for input.numel() == 0." +
                        (isArg ? "" : " Specify the reduction dim with the 'dim' argument."));
  }
}

//===----------------------------------------------------------------------===//
// One pass
//===----------------------------------------------------------------------===//

namespace {
/// A reduction: what it starts with, and what it does with an element and what it has.
struct Fold {
  DType type;
  Value start;
  std::function<Value(ElementBuilder &, Value, Value)> step;
};
} // namespace

/// By base name; the element comes in the type of the fold, but for tests.
static std::optional<Fold> foldFor(KernelBuilder &k, DType element, DType result) {
  ElementBuilder top = k.top();
  StringRef name = k.info().baseName();
  DType sums = computeType(result);
  auto of = [&](DType t, auto step) {
    return [t, step](ElementBuilder &e, Value x, Value acc) { return step(e, t, x, acc); };
  };
  if (name == "sum" || name == "mean")
    return Fold{sums, top.integer(sums, 0),
                of(sums, [](auto &e, DType t, Value x, Value acc) { return e.add(t, acc, x); })};
  if (name == "prod") // of halves each product is one again, which may be 0 or infinity
    return Fold{sums, top.integer(sums, 1), of(sums, [=](auto &e, DType t, Value x, Value acc) {
                  return e.convert(e.convert(e.mul(t, acc, x), t, result), result, t);
                })};
  auto extreme = [&](bool isMax, bool keepsLast) {
    return of(element, [=](ElementBuilder &e, DType t, Value x, Value acc) {
      Value first = keepsLast ? x : acc, second = keepsLast ? acc : x;
      return isMax ? e.maximum(t, first, second) : e.minimum(t, first, second);
    });
  };
  // Of zeros eager's max() and min() keep the last.
  if (name == "amax" || name == "max")
    return Fold{element, top.lowest(element), extreme(true, name == "max")};
  if (name == "amin" || name == "min")
    return Fold{element, top.highest(element), extreme(false, name == "min")};
  if (name == "any")
    return Fold{DType::Bool, top.truth(false),
                [](ElementBuilder &e, Value x, Value acc) { return e.either(acc, x); }};
  if (name == "all")
    return Fold{DType::Bool, top.truth(true),
                [](ElementBuilder &e, Value x, Value acc) { return e.both(acc, x); }};
  if (name == "count_nonzero")
    return Fold{DType::Int64, top.integer(DType::Int64, 0),
                [](ElementBuilder &e, Value x, Value acc) {
                  return e.add(DType::Int64, acc, e.convert(x, DType::Bool, DType::Int64));
                }};
  return std::nullopt;
}

/// log(sum(exp(x - most))) + most.
static LogicalResult convertLogSumExp(KernelBuilder &k, Tensor self, ArrayRef<bool> mask) {
  DType result = k.resultDType(), t = computeType(result);
  self = k.convert(k.convert(self, result), t);
  ElementBuilder top = k.top();
  Tensor most = k.reduce(self, mask, t, top.lowest(t),
                         [&](ElementBuilder &e, ValueRange x) { return e.maximum(t, x[1], x[0]); });
  most = k.map(Access{most, k.identity(most.rank())}, k.sizesOf(most), t,
               [&](ElementBuilder &e, ValueRange x) {
                 Value size = e.make<math::AbsFOp>(x[0]);
                 return e.select(e.compare(t, R::EQ, size, e.highest(t)), e.real(t, 0), x[0]);
               });
  SmallVector<Access> ins{{self, k.identity(self.rank())}, {most, k.without(mask)}};
  Access out{k.fill(k.sizesOf(most), t, top.real(t, 0)), k.without(mask)};
  Tensor sum = k.loops(ins, out, [&](ElementBuilder &e, ValueRange x) {
                  Value term = e.make<math::ExpOp>(e.sub(t, x[0], x[1]));
                  return SmallVector<Value, 2>{e.add(t, x[2], term)};
                }).front();
  SmallVector<Access> both{{sum, k.identity(sum.rank())}, {most, k.identity(sum.rank())}};
  Tensor total = k.map(both, k.sizesOf(sum), result, [&](ElementBuilder &e, ValueRange x) {
    return e.convert(e.add(t, e.make<math::LogOp>(x[0]), x[1]), t, result);
  });
  return finishReduced(k, total, mask, plan::Family::Rows);
}

static LogicalResult convertReduce(KernelBuilder &k) {
  Tensor self = k.self();
  DType result = k.resultDType();
  if (!self || isComplex(result))
    return k.refuse("complex numbers");
  std::optional<Mask> mask = reducedDims(k, self.rank());
  if (!mask)
    return k.refuse("dimensions are known only at run time");
  StringRef name = k.info().baseName();
  if (name == "median")
    return k.finish(plan::Family::Sort, medianOf(k, k.flat(self), 0)[0]);
  if (name == "logsumexp")
    return convertLogSumExp(k, self, *mask);
  std::optional<Fold> fold = foldFor(k, self.dtype, result);
  if (!fold)
    return k.refuse("another reduction");
  if (name == "max" || name == "min" || name == "amax" || name == "amin")
    raiseIfEmpty(k, *mask);
  bool isTest = name == "any" || name == "all" || name == "count_nonzero";
  bool casts = name == "sum" || name == "mean" || name == "prod";
  bool isHalfMean = name == "mean" && isHalf(result);
  Tensor total =
      k.reduce(self, *mask, fold->type, fold->start, [&](ElementBuilder &e, ValueRange x) {
        Value v = x[0];
        if (isTest)
          v = e.notZero(self.dtype, v);
        else if (casts) // before the sum, as dtype= says
          v = e.convert(e.convert(v, self.dtype, isHalfMean ? fold->type : result),
                        isHalfMean ? fold->type : result, fold->type);
        return fold->step(e, v, x[1]);
      });
  if (name == "mean") {
    Value count = k.countOf(self, *mask, fold->type);
    total = k.map(Access{total, k.identity(total.rank())}, k.sizesOf(total), result,
                  [&](ElementBuilder &e, ValueRange x) {
                    return e.convert(e.div(fold->type, x[0], count), fold->type, result);
                  });
  }
  return finishReduced(k, k.convert(total, result), *mask);
}

//===----------------------------------------------------------------------===//
// Places of extremes
//===----------------------------------------------------------------------===//

SmallVector<Tensor, 2> ptc::findExtreme(KernelBuilder &k, Tensor self, Order order) {
  DType t = self.dtype;
  auto [dim, isMax, nanFirst] = order;
  Mask mask(size_t(self.rank()), false);
  mask[size_t(dim)] = true;
  Sizes kept = k.sizesOf(self);
  kept.erase(kept.begin() + dim);
  ElementBuilder top = k.top();
  bool startsWithNan = isFloat(t) && !nanFirst;
  Value start = startsWithNan ? top.real(t, std::nan("")) : isMax ? top.lowest(t) : top.highest(t);
  SmallVector<Access> outs{
      {k.fill(kept, t, start), k.without(mask)},
      {k.fill(kept, DType::Int64, top.integer(DType::Int64, 0)), k.without(mask)}};
  Access in{self, k.identity(self.rank())};
  SmallVector<Tensor, 2> found = k.loops(in, outs, [&](ElementBuilder &e, ValueRange x) {
    Value better = e.compare(t, isMax ? R::GT : R::LT, x[0], x[1]);
    if (startsWithNan)
      better = e.either(better, e.both(e.isNan(t, x[1]), e.negate(e.isNan(t, x[0]))));
    else if (isFloat(t))
      better = e.both(e.negate(e.isNan(t, x[1])), e.either(e.isNan(t, x[0]), better));
    Value place = e.fromIndex(e.make<linalg::IndexOp>(uint64_t(dim)));
    return SmallVector<Value, 2>{e.select(better, x[0], x[1]), e.select(better, place, x[2])};
  });
  markOrder(k, found[0], t, order);
  return found;
}

static SmallVector<Tensor, 2> findExtreme(KernelBuilder &k, Tensor self, int64_t dim, bool isMax) {
  return findExtreme(k, self, {dim, isMax, /*nanFirst=*/true});
}

/// A tensor without dimensions counts as one of one element.
static LogicalResult convertReduceIndex(KernelBuilder &k) {
  Tensor self = k.self();
  StringRef name = k.info().baseName();
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  if (!dim)
    return k.refuseComplexOr("a dimension known only at run time");
  if (self.rank() == 0)
    self = k.flat(self);
  Mask mask(size_t(self.rank()), false);
  mask[size_t(*dim)] = true;
  raiseIfEmpty(k, ArrayRef(mask).take_front(k.self().rank()));
  if (name == "median")
    return finishReduced(k, medianOf(k, self, *dim), mask, plan::Family::Sort);
  return finishReduced(k, findExtreme(k, self, *dim, name == "max"), mask);
}

static LogicalResult convertArgReduce(KernelBuilder &k) {
  Tensor self = k.self();
  if (!self)
    return k.refuse("complex numbers");
  bool isMax = k.info().baseName() == "argmax";
  if (k.isNone("dim")) {
    raiseIfEmpty(k, Mask(size_t(self.rank()), true), /*isArg=*/true);
    Tensor place = findExtreme(k, k.flat(self), 0, isMax)[1];
    if (keepsDims(k) && self.rank() != 0)
      place = k.withOnes(place, Mask(size_t(self.rank()), true));
    return k.finish(plan::Family::Reduction, place);
  }
  std::optional<int64_t> dim = k.dim("dim", self.rank());
  if (!dim)
    return k.refuse("the dimension is known only at run time");
  if (self.rank() == 0)
    self = k.flat(self);
  Mask mask(size_t(self.rank()), false);
  mask[size_t(*dim)] = true;
  raiseIfEmpty(k, ArrayRef(mask).take_front(k.self().rank()), /*isArg=*/true);
  return finishReduced(k, findExtreme(k, self, *dim, isMax)[1], mask);
}

//===----------------------------------------------------------------------===//
// Moments and norms
//===----------------------------------------------------------------------===//

/// Eager adds powers in float unless they are doubles: they leave its range earlier.
static Value inRangeOf(ElementBuilder &e, Value v, DType work) {
  return e.convert(e.convert(v, DType::Float64, work), work, DType::Float64);
}

/// `v`, or the infinity that it is in `work`.
static Value infiniteAsIn(ElementBuilder &e, Value v, DType work) {
  Value there = inRangeOf(e, v, work), size = e.make<math::AbsFOp>(there);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return e.select(e.compare(DType::Float64, ElementBuilder::Relation::EQ, size,
                            e.real(DType::Float64, kInfinity)),
                  there, v);
}

/// The mean and the sum of squared distances from it, in double. Of all elements of floats eager
/// finds the mean by `mean`, whose sum leaves the range of floats.
static std::pair<Tensor, Tensor> momentsOf(KernelBuilder &k, Tensor self, ArrayRef<bool> mask) {
  constexpr DType t = DType::Float64;
  ElementBuilder top = k.top();
  Tensor sum = k.reduce(self, mask, t, top.real(t, 0), [&](ElementBuilder &e, ValueRange x) {
    return e.add(t, x[1], e.convert(x[0], self.dtype, t));
  });
  Value count = k.countOf(self, mask, t);
  bool isAll = llvm::all_of(mask, [](bool isReduced) { return isReduced; }) &&
               self.dtype == DType::Float32 && k.op->getNumResults() == 1;
  Tensor mean = k.map(Access{sum, k.identity(sum.rank())}, k.sizesOf(sum), t,
                      [&](ElementBuilder &e, ValueRange x) {
                        Value total = isAll ? infiniteAsIn(e, x[0], self.dtype) : Value(x[0]);
                        return e.div(t, total, count);
                      });
  SmallVector<Access> ins{{self, k.identity(self.rank())}, {mean, k.without(mask)}};
  Access out{k.fill(k.sizesOf(mean), t, top.real(t, 0)), k.without(mask)};
  Tensor spread = k.loops(ins, out, [&](ElementBuilder &e, ValueRange x) {
                     Value way = e.sub(t, e.convert(x[0], self.dtype, t), x[1]);
                     return SmallVector<Value, 2>{e.add(t, x[2], e.mul(t, way, way))};
                   }).front();
  return {mean, spread};
}

static LogicalResult convertMoment(KernelBuilder &k) {
  constexpr DType t = DType::Float64;
  Tensor self = k.self();
  std::optional<Mask> mask = self ? reducedDims(k, self.rank()) : std::nullopt;
  if (!mask)
    return k.refuseComplexOr("dimensions known only at run time");
  ElementBuilder top = k.top();
  Value correction = top.real(t, 1);
  if (k.has("unbiased"))
    correction = top.real(t, k.flag("unbiased").value_or(true) ? 1 : 0);
  else if (!k.isNone("correction"))
    correction = k.number(k.arg("correction"), t);
  if (!correction)
    return k.refuse("the correction is no real number");
  auto [mean, spread] = momentsOf(k, self, *mask);
  Value count = k.countOf(self, *mask, t);
  Value divisor = top.maximum(t, top.real(t, 0), top.sub(t, count, correction));
  bool isStd = k.info().baseName().starts_with("std");
  DType result = k.resultDType();
  Tensor variance = k.map(Access{spread, k.identity(spread.rank())}, k.sizesOf(spread), result,
                          [&](ElementBuilder &e, ValueRange x) {
                            Value v = e.div(t, x[0], divisor);
                            return e.convert(isStd ? e.make<math::SqrtOp>(v) : v, t, result);
                          });
  SmallVector<Tensor, 2> results{variance};
  if (k.op->getNumResults() > 1)
    results.push_back(k.convert(mean, k.resultDType(1)));
  return finishReduced(k, results, *mask, plan::Family::Rows);
}

/// What an absolute value adds to a norm of this order.
static Value normTerm(ElementBuilder &e, Value size, Value sum, double order, DType work) {
  constexpr DType t = DType::Float64;
  if (std::isinf(order))
    return order > 0 ? e.maximum(t, sum, size) : e.minimum(t, sum, size);
  if (order == 0)
    return e.add(t, sum, e.convert(e.notZero(t, size), DType::Bool, t));
  Value term = order == 1   ? size
               : order == 2 ? e.mul(t, size, size)
                            : e.make<math::PowFOp>(size, e.real(t, order));
  return e.add(t, sum, order == 1 ? term : inRangeOf(e, term, work));
}

static LogicalResult convertNorm(KernelBuilder &k) {
  constexpr DType t = DType::Float64;
  Tensor self = k.self();
  std::optional<Mask> mask = self ? reducedDims(k, self.rank()) : std::nullopt;
  aten::OpArg given = k.arg(k.has("ord") ? "ord" : "p");
  std::optional<double> order = given.isNone() ? std::optional(2.0) : given.getFloat();
  if (!mask || !order)
    return k.refuseComplexOr("an order or dimensions known only at run time");
  bool hasNoIdentity = std::isinf(*order) || *order < 0;
  for (auto [d, goes] : llvm::enumerate(*mask))
    if (goes && hasNoIdentity && self.size(int64_t(d)) == 0)
      return k.refuse("it raises: there is no norm of no elements");
  if (k.has("dtype"))
    if (std::optional<DType> wanted = k.arg("dtype").getDType())
      self = k.convert(self, *wanted);
  if (!isFloat(self.dtype))
    return k.refuse("it raises: integers have no norm");
  DType work = self.dtype == DType::Float64 ? t : DType::Float32;
  Value start = *order < 0 && std::isinf(*order) ? k.top().highest(t) : k.top().real(t, 0);
  Tensor sum = k.reduce(self, *mask, t, start, [&](ElementBuilder &e, ValueRange x) {
    Value size = e.make<math::AbsFOp>(e.convert(x[0], self.dtype, t));
    return normTerm(e, size, x[1], *order, work);
  });
  bool isSum = std::isinf(*order) || *order == 0 || *order == 1;
  DType result = k.resultDType();
  Tensor norm = k.map(Access{sum, k.identity(sum.rank())}, k.sizesOf(sum), result,
                      [&](ElementBuilder &e, ValueRange x) {
                        Value v = inRangeOf(e, x[0], work);
                        if (*order == 2)
                          v = e.make<math::SqrtOp>(v);
                        else if (!isSum)
                          v = e.make<math::PowFOp>(v, e.real(t, 1 / *order));
                        return e.convert(v, t, result);
                      });
  return finishReduced(k, norm, *mask);
}

//===----------------------------------------------------------------------===//
// Numbers of the host
//===----------------------------------------------------------------------===//

/// Whether all elements are equal, as a number of the program; of other sizes they are not.
static LogicalResult convertEqual(KernelBuilder &k) {
  Tensor a = k.self(), c = k.tensor("other");
  if (!a || !c)
    return k.refuse("complex numbers");
  DType t = computeType(aten::promoteTypes(a.dtype, c.dtype));
  Sizes sizes = k.sizesOf(a), others = k.sizesOf(c);
  ElementBuilder top = k.top();
  Value fits = top.truth(sizes.size() == others.size());
  bool isKnown = sizes.size() == others.size();
  for (auto [size, other] : llvm::zip(sizes, others)) {
    isKnown &= size == other;
    fits = top.both(fits, top.compareIndex(P::eq, k.toValue(size), k.toValue(other)));
  }
  auto same = [&](ElementBuilder &e, Value x, Value y) {
    return e.compare(t, R::EQ, e.convert(x, a.dtype, t), e.convert(y, c.dtype, t));
  };
  Tensor result = k.fill({}, DType::Bool, fits);
  Mask all(sizes.size(), true);
  if (isKnown) {
    SmallVector<Access> ins{{a, k.identity(a.rank())}, {c, k.identity(a.rank())}};
    result = k.reduceOver(ins, sizes, all, DType::Bool, fits, [&](ElementBuilder &e, ValueRange x) {
      return e.both(x[2], same(e, x[0], x[1]));
    });
  } else if (a.rank() && a.rank() == c.rank()) {
    // Where they do not fit there is nothing to compare.
    sizes[0] = OpFoldResult(top.select(fits, k.toValue(sizes[0]), top.index(0)));
    Access turns{k.empty(sizes, DType::Bool), k.identity(a.rank())};
    result =
        k.reduceOver(turns, sizes, all, DType::Bool, fits, [&](ElementBuilder &e, ValueRange x) {
          SmallVector<Value> at;
          for (int64_t d = 0; d < a.rank(); ++d)
            at.push_back(e.make<linalg::IndexOp>(uint64_t(d)));
          return e.both(x[1], same(e, e.make<tensor::ExtractOp>(a.value, at),
                                   e.make<tensor::ExtractOp>(c.value, at)));
        });
  }
  auto type = RankedTensorType::get({}, k.b.getI1Type());
  Value flag = k.emit(plan::Family::Reduction, result, type).getResult(0);
  k.rewriter.replaceOpWithNewOp<program::ItemOp>(k.op, k.op->getResult(0).getType(), flag);
  return success();
}

/// The one element, which needs no kernel.
static LogicalResult convertItem(KernelBuilder &k) {
  k.rewriter.replaceOpWithNewOp<program::ItemOp>(k.op, k.op->getResult(0).getType(),
                                                 k.op->getOperand(0));
  return success();
}

ArrayRef<ConverterRow> ptc::getReductionRows() {
  static constexpr ConverterRow kRows[] = {
      {aten::ShapeRule::Equal, convertEqual},
      {aten::ShapeRule::Item, convertItem},
      {aten::ShapeRule::Reduce, convertReduce},
      {aten::ShapeRule::ReduceIndex, convertReduceIndex},
      {aten::ShapeRule::ArgReduce, convertArgReduce},
      {aten::ShapeRule::Moment, convertMoment},
      {aten::ShapeRule::Norm, convertNorm},
  };
  return kRows;
}
