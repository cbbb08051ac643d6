//===- Window.cpp - Pooling and interpolation as kernels -------------------------------------===//
//
// In: [outer…, spatial…]. Out: a kernel of family window: a reduction over the entries of each
// window, read at computed places (what lies outside counts for nothing); interpolation is a kernel
// of family gather. Windows are [first, end) in steps, from the loops' counters.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include <cmath>

using namespace mlir;
using namespace ptc;

using P = arith::CmpIPredicate;
using R = ElementBuilder::Relation;

namespace {

using Numbers = SmallVector<int64_t, 4>;

/// The windows of one operation. Loops: outer dimensions, places, then entries of the window.
class Windows {
public:
  Windows(KernelBuilder &k, Tensor x, SmallVector<Span, 3> spans, Sizes out)
      : out(std::move(out)), k(k), x(x), spans(std::move(spans)),
        outer(x.rank() - int64_t(this->spans.size())) {
    for (OpFoldResult size : k.sizesOf(x))
      inSizes.push_back(k.toValue(size));
    for (OpFoldResult size : this->out)
      outSizes.push_back(k.toValue(size));
    for (auto [d, span] : llvm::enumerate(this->spans))
      window.push_back(span.kernel == ShapedType::kDynamic ? longestAt(d)
                                                           : k.constant(span.kernel));
  }

  /// Where the window of place `i` begins and ends along spatial dimension `d`.
  std::pair<Value, Value> boundsAt(ElementBuilder &e, size_t d, Value i) {
    const Span &span = spans[d];
    size_t at = size_t(outer) + d;
    if (span.isAdaptive) {
      Value first = e.make<arith::DivSIOp>(e.mulIndex(i, inSizes[at]), outSizes[at]);
      Value next = e.mulIndex(e.addIndex(i, e.index(1)), inSizes[at]);
      Value up = e.addIndex(next, e.subIndex(outSizes[at], e.index(1)));
      return {first, e.make<arith::DivSIOp>(up, outSizes[at])};
    }
    Value first = e.subIndex(e.mulIndex(i, e.index(span.stride)), e.index(span.padding));
    return {first, e.addIndex(first, e.index(span.reach(1)))};
  }

  struct Entry {
    Value element; ///< of some place inside if the entry is outside
    Value isInside;
    Value place; ///< in the plane, row-major
  };

  /// Reduces; the body gets each entry and the accumulators.
  SmallVector<Tensor, 2> reduce(
      ArrayRef<Tensor> starts,
      llvm::function_ref<SmallVector<Value, 2>(ElementBuilder &, const Entry &, ValueRange)> body) {
    size_t count = spans.size(), rank = size_t(x.rank());
    // Nothing is read of it: it says how many entries there are.
    Tensor shape = k.empty(window, x.dtype);
    SmallVector<AffineExpr> entries;
    for (size_t d = 0; d < count; ++d)
      entries.push_back(k.at(int64_t(rank + d)));
    Mask mask(rank, false);
    mask.resize(rank + count, true);
    SmallVector<Access> outs;
    for (Tensor start : starts)
      outs.push_back({start, k.without(mask)});
    return k.loops(
        Access{shape, k.mapOf(int64_t(rank + count), entries)}, outs,
        [&](ElementBuilder &e, ValueRange v) { return body(e, entryAt(e), v.drop_front()); });
  }

  /// Folds the elements of each window; what lies outside counts as `filler`. The body gets the
  /// element, then the accumulator. Not for adaptive windows.
  Tensor fold(Value filler, Tensor start, KernelBuilder::Map body) {
    size_t count = spans.size(), rank = size_t(x.rank());
    Tensor padded = k.padForWindows(x, spans, ArrayRef(out).take_back(count), filler);
    SmallVector<AffineExpr> from, entries;
    for (size_t d = 0; d < rank; ++d)
      from.push_back(k.at(int64_t(d)));
    for (auto [d, span] : llvm::enumerate(spans)) {
      AffineExpr entry = k.at(int64_t(rank + d)), &place = from[size_t(outer) + d];
      place = place * span.stride + entry * span.dilation;
      entries.push_back(entry);
    }
    Mask mask(rank, false);
    mask.resize(rank + count, true);
    int64_t loops = int64_t(rank + count);
    // Nothing is read of it: it says how many entries there are.
    SmallVector<Access> ins{{padded, k.mapOf(loops, from)},
                            {k.empty(window, x.dtype), k.mapOf(loops, entries)}};
    return k
        .loops(ins, Access{start, k.without(mask)},
               [&](ElementBuilder &e, ValueRange v) {
                 return SmallVector<Value, 2>{body(e, {v[0], v[2]})};
               })
        .front();
  }

  bool isAdaptive() const {
    return llvm::any_of(spans, [](const Span &span) { return span.isAdaptive; });
  }

  Sizes out;

private:
  /// Of adaptive windows: the longest begins within an entry and ends within another.
  OpFoldResult longestAt(size_t d) {
    size_t at = size_t(outer) + d;
    OpFoldResult count = out[at];
    if (isConstantIntValue(count, 1))
      return k.sizeOf(x, int64_t(at));
    return k.sum(k.quotient(k.sizeOf(x, int64_t(at)), count), k.constant(2));
  }

  Entry entryAt(ElementBuilder &e) {
    SmallVector<Value> from;
    for (int64_t d = 0; d < outer; ++d)
      from.push_back(e.make<linalg::IndexOp>(uint64_t(d)));
    Entry entry{{}, e.truth(true), e.index(0)};
    for (auto [d, span] : llvm::enumerate(spans)) {
      size_t at = size_t(outer) + d;
      auto [first, end] = boundsAt(e, d, e.make<linalg::IndexOp>(at));
      Value tap = e.make<linalg::IndexOp>(size_t(x.rank()) + d);
      Value place = e.addIndex(first, e.mulIndex(tap, e.index(span.dilation)));
      Value inside = e.both(e.compareIndex(P::sge, place, e.index(0)),
                            e.compareIndex(P::slt, place, inSizes[at]));
      if (span.isAdaptive)
        inside = e.both(inside, e.compareIndex(P::slt, place, end));
      entry.isInside = e.both(entry.isInside, inside);
      entry.place = e.addIndex(e.mulIndex(entry.place, inSizes[at]), place);
      from.push_back(e.clampIndex(place, inSizes[at]));
    }
    entry.element = e.make<tensor::ExtractOp>(x.value, from);
    return entry;
  }

  KernelBuilder &k;
  Tensor x;
  SmallVector<Span, 3> spans;
  int64_t outer;
  SmallVector<Value> inSizes, outSizes;
  Sizes window; ///< entries of each window, of an adaptive one at most
};

} // namespace

/// The number in the name: max_pool2d pools two dimensions.
static size_t spatialRank(KernelBuilder &k) {
  StringRef name = k.info().baseName();
  size_t at = name.find_first_of("123");
  assert(at != StringRef::npos && "an overload names its rank");
  return size_t(name[at] - '0');
}

static std::optional<Numbers> numbersOf(KernelBuilder &k, StringRef name, size_t count,
                                        const Numbers &otherwise) {
  if (!k.has(name))
    return otherwise;
  std::optional<Numbers> given = k.ints(name);
  if (!given)
    return std::nullopt;
  if (given->empty())
    return otherwise;
  if (given->size() == 1)
    given->resize(count, given->front());
  return given;
}

static std::optional<SmallVector<Span, 3>> readSpans(KernelBuilder &k, size_t count) {
  std::optional<Numbers> kernel = numbersOf(k, "kernel_size", count, Numbers(count, 1));
  if (!kernel)
    return std::nullopt;
  std::optional<Numbers> stride = numbersOf(k, "stride", count, *kernel),
                         padding = numbersOf(k, "padding", count, Numbers(count, 0)),
                         dilation = numbersOf(k, "dilation", count, Numbers(count, 1));
  if (!stride || !padding || !dilation)
    return std::nullopt;
  SmallVector<Span, 3> spans;
  for (size_t d = 0; d < count; ++d)
    spans.push_back({(*kernel)[d], (*stride)[d], (*padding)[d], (*dilation)[d]});
  return spans;
}

/// Adaptive windows: as long as the longest.
static std::optional<SmallVector<Span, 3>> adaptiveSpans(Tensor x, ArrayRef<OpFoldResult> out,
                                                         size_t count) {
  SmallVector<Span, 3> spans;
  for (size_t d = 0; d < count; ++d) {
    int64_t in = x.size(x.rank() - int64_t(count - d));
    std::optional<int64_t> size = getConstantIntValue(out[out.size() - (count - d)]);
    if (size == 0)
      return std::nullopt;
    if (in == ShapedType::kDynamic || !size)
      spans.push_back({ShapedType::kDynamic, 1, 0, 1, true});
    else if (in % *size == 0)
      spans.push_back({in / *size, in / *size});
    else
      spans.push_back({(in + *size - 1) / *size + 1, 1, 0, 1, true});
  }
  return spans;
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// The largest of each window, NaN above all, and where it is: the first of equal ones, the last
/// NaN.
static LogicalResult poolMax(KernelBuilder &k, Tensor x, Windows windows) {
  DType t = x.dtype;
  ElementBuilder top = k.top();
  if (k.op->getNumResults() == 1 && !windows.isAdaptive()) {
    Value lowest = top.lowest(t);
    return k.finish(plan::Family::Window, windows.fold(lowest, k.fill(windows.out, t, lowest),
                                                       [&](ElementBuilder &e, ValueRange v) {
                                                         return e.maximum(t, v[1], v[0]);
                                                       }));
  }
  SmallVector<Tensor, 2> starts{k.fill(windows.out, t, top.lowest(t)),
                                k.fill(windows.out, DType::Int64, top.integer(DType::Int64, -1))};
  auto made =
      windows.reduce(starts, [&](ElementBuilder &e, const Windows::Entry &entry, ValueRange best) {
        Value isFirst = e.compare(DType::Int64, R::LT, best[1], e.integer(DType::Int64, 0));
        Value better = e.either(isFirst, e.compare(t, R::GT, entry.element, best[0]));
        if (isFloat(t))
          better = e.either(better, e.isNan(t, entry.element));
        better = e.both(better, entry.isInside);
        return SmallVector<Value, 2>{e.select(better, entry.element, best[0]),
                                     e.select(better, e.fromIndex(entry.place), best[1])};
      });
  if (k.op->getNumResults() == 1)
    made.pop_back();
  return k.finish(plan::Family::Window, made);
}

/// Sums over the counted entries: `divisor` of all windows, or what lies inside.
static LogicalResult poolAverage(KernelBuilder &k, Tensor x, Windows windows, ArrayRef<Span> spans,
                                 std::optional<int64_t> divisor) {
  DType result = k.resultDType(), t = isFloat(x.dtype) ? computeType(x.dtype) : DType::Float64;
  ElementBuilder top = k.top();
  Tensor start = k.fill(windows.out, t, top.real(t, 0)), sums;
  if (windows.isAdaptive())
    sums = windows
               .reduce(start,
                       [&](ElementBuilder &e, const Windows::Entry &entry, ValueRange sum) {
                         Value v = e.convert(entry.element, x.dtype, t);
                         Value next = e.add(t, sum[0], v);
                         return SmallVector<Value, 2>{e.select(entry.isInside, next, sum[0])};
                       })
               .front();
  else
    sums = windows.fold(top.integer(x.dtype, 0), start, [&](ElementBuilder &e, ValueRange v) {
      return e.add(t, v[1], e.convert(v[0], x.dtype, t));
    });
  bool countsPadding = k.has("count_include_pad") && k.flag("count_include_pad").value_or(true);
  int64_t outer = x.rank() - int64_t(spans.size());
  SmallVector<Value> limits;
  for (OpFoldResult size : k.sizesOf(x))
    limits.push_back(k.toValue(size));
  Tensor out = k.map(Access{sums, k.identity(sums.rank())}, windows.out, result,
                     [&](ElementBuilder &e, ValueRange v) {
                       Value count = e.index(divisor.value_or(1));
                       for (size_t d = 0; !divisor && d < spans.size(); ++d) {
                         size_t at = size_t(outer) + d;
                         auto [first, end] = windows.boundsAt(e, d, e.make<linalg::IndexOp>(at));
                         Value pad = e.index(countsPadding ? spans[d].padding : 0);
                         end = e.make<arith::MinSIOp>(end, e.addIndex(limits[at], pad));
                         if (!countsPadding)
                           first = e.make<arith::MaxSIOp>(first, e.index(0));
                         count = e.mulIndex(count, e.subIndex(end, first));
                       }
                       Value number = e.convert(e.fromIndex(count), DType::Int64, t);
                       return e.convert(e.div(t, v[0], number), t, result);
                     });
  return k.finish(plan::Family::Window, out);
}

static LogicalResult convertPool(KernelBuilder &k) {
  Tensor x = k.self();
  std::optional<Sizes> sizes = k.resultSizes();
  if (!x || !sizes)
    return k.refuseComplexOr("a size of the result is no input's");
  size_t count = spatialRank(k);
  bool isAdaptive = k.info().shapeRule == aten::ShapeRule::AdaptivePool;
  auto spans = isAdaptive ? adaptiveSpans(x, *sizes, count) : readSpans(k, count);
  if (!spans)
    return k.refuse("windows are known only at run time");
  bool isMax = k.info().baseName().contains("max");
  if (x.hasZero())
    return k.refuse("there is nothing in the windows");
  Windows windows(k, x, *spans, *sizes);
  if (isMax)
    return poolMax(k, x, windows);
  std::optional<int64_t> divisor;
  if (k.has("divisor_override") && !k.isNone("divisor_override")) {
    divisor = k.arg("divisor_override").getInt();
    if (!divisor)
      return k.refuse("the divisor is known only at run time");
  }
  return poolAverage(k, x, windows, *spans, divisor);
}

//===----------------------------------------------------------------------===//
// Interpolation
//===----------------------------------------------------------------------===//

namespace {
/// Two neighbours along a dimension and the weight of the second.
struct Place {
  Value first, second, weight;
};

/// Those of every place along a dimension, computed once for all others.
struct Places {
  Tensor first, second, weight;
};
} // namespace

/// Factors where given, by dimension; none if some is known only at run time.
static std::optional<SmallVector<double, 3>> givenScales(KernelBuilder &k) {
  SmallVector<double, 3> scales;
  if (k.has("scale_factors")) {
    auto list = dyn_cast<ArrayAttr>(k.arg("scale_factors").getAttr());
    for (Attribute attr : list ? list.getValue() : ArrayRef<Attribute>()) {
      auto number = dyn_cast<FloatAttr>(attr);
      if (!number)
        return std::nullopt;
      scales.push_back(number.getValueAsDouble());
    }
    return scales;
  }
  for (StringRef name : {"scales_h", "scales_w"}) {
    if (!k.has(name) || k.isNone(name))
      continue;
    std::optional<double> number = k.arg(name).getFloat();
    if (!number)
      return std::nullopt;
    scales.push_back(*number);
  }
  return scales;
}

/// How far places lie apart in a dimension as eager takes it: from the factor where given, else
/// from the sizes.
static Value scaleOf(KernelBuilder &k, DType t, OpFoldResult in, OpFoldResult out,
                     std::optional<double> factor, bool isAligned, bool isPicture) {
  ElementBuilder top = k.top();
  auto number = [&](OpFoldResult size) {
    return top.convert(top.fromIndex(k.toValue(size)), DType::Int64, t);
  };
  if (isAligned) {
    OpFoldResult steps = k.difference(out, k.constant(1));
    Value isOne = top.compareIndex(P::slt, k.toValue(steps), top.index(1));
    Value scale = top.div(t, number(k.difference(in, k.constant(1))), number(steps));
    return top.select(isOne, top.real(t, 0), scale);
  }
  Value bySizes = top.div(t, number(in), number(out));
  if (!factor)
    return bySizes;
  Value given = top.real(t, roundTo(t, 1 / *factor));
  if (!isPicture)
    return given;
  // Pictures that keep a size or double it: eager takes the places from the sizes.
  Value isSame = top.compareIndex(P::eq, k.toValue(out), k.toValue(in));
  Value isTwice = top.compareIndex(P::eq, k.toValue(out), k.toValue(k.sum(in, in)));
  return top.select(top.either(isSame, isTwice), bySizes, given);
}

/// One dimension after the other, the last one first: eager nests its sums, in type `sums`, so.
/// What goes along the others then copies or adds whole rows.
static Tensor interpolate(KernelBuilder &k, Tensor x, ArrayRef<Places> places, const Sizes &sizes,
                          DType sums) {
  size_t rank = sizes.size();
  Sizes made = k.sizesOf(x);
  DType result = x.dtype;
  for (size_t d = places.size(); d-- > 0;) {
    const Places &place = places[d];
    size_t along = rank - places.size() + d;
    made[along] = sizes[along];
    bool isLinear = bool(place.second);
    SmallVector<Access> ins;
    for (Tensor table : {place.first, place.second, place.weight})
      if (table)
        ins.push_back({table, k.mapOf(int64_t(rank), {k.at(int64_t(along))})});
    DType to = d ? sums : result;
    x = k.map(ins, made, to, [&](ElementBuilder &e, ValueRange v) -> Value {
      SmallVector<Value> from;
      for (size_t loop = 0; loop < rank; ++loop)
        from.push_back(e.make<linalg::IndexOp>(loop));
      auto elementAt = [&](Value at) -> Value {
        from[along] = e.toIndex(at);
        return e.make<tensor::ExtractOp>(x.value, from);
      };
      if (!isLinear)
        return elementAt(v[0]);
      auto term = [&](Value at, Value weight) {
        return e.mul(sums, weight, e.convert(elementAt(at), x.dtype, sums));
      };
      // A neighbour without weight makes NaN of an infinity, as in eager.
      Value first = term(v[0], e.sub(sums, e.real(sums, 1), v[2]));
      return e.convert(e.add(sums, first, term(v[1], v[2])), sums, to);
    });
  }
  return x;
}

static LogicalResult convertUpsample(KernelBuilder &k) {
  Tensor x = k.self();
  std::optional<Sizes> sizes = k.resultSizes();
  std::optional<SmallVector<double, 3>> given = givenScales(k);
  bool isLinear = k.has("align_corners");
  std::optional<bool> aligned = isLinear ? k.flag("align_corners") : std::optional(false);
  if (!x || !sizes || !given || !aligned || (isLinear && !isFloat(x.dtype)))
    return k.refuse("sizes or factors are known only at run time, or integers");
  size_t count = spatialRank(k), outer = size_t(x.rank()) - count;
  // Nearest places are found in float, linear ones in the type itself.
  DType t = isLinear && x.dtype == DType::Float64 ? DType::Float64 : DType::Float32;
  DType sums = isLinear ? computeType(x.dtype) : x.dtype;
  Sizes own = k.sizesOf(x);
  SmallVector<Value> limits = k.toValues(own), goals = k.toValues(*sizes), scales;
  for (size_t d = 0; d < count; ++d)
    scales.push_back(scaleOf(k, t, own[outer + d], (*sizes)[outer + d],
                             given->size() == count ? std::optional((*given)[d]) : std::nullopt,
                             *aligned, !isLinear && count == 2));
  auto placeOf = [&](ElementBuilder &e, size_t d, Value i) -> Place {
    Value limit = limits[outer + d], last = e.subIndex(limit, e.index(1)), scale = scales[d];
    Value counter = e.convert(e.fromIndex(i), DType::Int64, t), half = e.real(t, 0.5);
    Value at = e.mul(t, counter, scale);
    if (isLinear && !*aligned)
      at = e.maximum(t, e.sub(t, e.mul(t, scale, e.add(t, counter, half)), half), e.real(t, 0));
    Value cut = e.toIndex(e.convert(at, t, DType::Int64));
    Value first = e.make<arith::MinSIOp>(cut, last);
    if (!isLinear)
      return {first, first, {}};
    Value second = e.make<arith::MinSIOp>(e.addIndex(first, e.index(1)), last);
    Value begin = e.convert(e.fromIndex(first), DType::Int64, t);
    Value weight = e.convert(e.sub(t, at, begin), t, sums);
    // A size that stays: every place is its own.
    Value isKept = e.compareIndex(P::eq, goals[outer + d], limit);
    return {e.select(isKept, i, first), e.select(isKept, i, second),
            e.select(isKept, e.real(sums, 0), weight)};
  };
  SmallVector<Places, 3> places;
  for (size_t d = 0; d < count; ++d) {
    auto table = [&](DType type, Value Place::*which) {
      return k.fromIndices({(*sizes)[outer + d]}, type, [&](ElementBuilder &e, ValueRange at) {
        Value v = placeOf(e, d, at[0]).*which;
        return which == &Place::weight ? v : e.fromIndex(v);
      });
    };
    places.push_back({table(DType::Int64, &Place::first), {}, {}});
    if (isLinear) {
      places.back().second = table(DType::Int64, &Place::second);
      places.back().weight = table(sums, &Place::weight);
    }
  }
  Tensor out = interpolate(k, x, places, *sizes, sums);
  return k.finish(plan::Family::Gather, out);
}

ArrayRef<ConverterRow> ptc::getWindowRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::MaxPool, convertPool},
      {S::AvgPool, convertPool},
      {S::AdaptivePool, convertPool},
      {S::Upsample, convertUpsample},
  };
  return kRows;
}
