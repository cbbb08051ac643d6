//===- Gather.cpp - Reading by index as kernels -------------------------------------------===//
//
// In: a tensor and indices. Out: a kernel of family gather, whose loops read places that elements
// name. In front of it stands a check that raises what eager raises for places out of range; the
// kernel itself stays inside its tensors whatever the indices are.
//
//===----------------------------------------------------------------------===//
#include "Indices.h"

using namespace mlir;
using namespace ptc;

using P = arith::CmpIPredicate;
using R = ElementBuilder::Relation;

void ptc::raiseForFirst(KernelBuilder &check, Tensor elements, Value limit,
                        llvm::function_ref<Value(ElementBuilder &, Value)> isBad,
                        StringRef errorClass, StringRef text) {
  constexpr DType t = DType::Int64;
  constexpr int64_t kNone = INT64_MAX;
  ElementBuilder top = check.top();
  Sizes sizes = check.sizesOf(elements);
  SmallVector<Value> extents;
  for (OpFoldResult size : sizes)
    extents.push_back(top.fromIndex(check.toValue(size)));
  auto placeOf = [&](ElementBuilder &e) {
    Value place = e.integer(t, 0);
    for (auto [d, extent] : llvm::enumerate(extents))
      place = e.add(t, e.mul(t, place, extent), e.fromIndex(e.make<linalg::IndexOp>(d)));
    return place;
  };
  // The first place, then what stands there: two plain reductions, which run on vectors.
  Mask all(size_t(elements.rank()), true);
  Tensor first =
      check.reduce(elements, all, t, top.integer(t, kNone), [&](ElementBuilder &e, ValueRange x) {
        Value bad = isBad(e, e.convert(x[0], elements.dtype, t));
        return e.minimum(t, x[1], e.select(bad, placeOf(e), e.integer(t, kNone)));
      });
  SmallVector<Access> ins{{elements, check.identity(elements.rank())},
                          {first, check.mapOf(elements.rank(), {})}};
  Tensor value =
      check.reduceOver(ins, sizes, all, t, top.integer(t, 0), [&](ElementBuilder &e, ValueRange x) {
        Value isThere = e.compare(t, R::EQ, placeOf(e), x[1]);
        Value element = e.convert(x[0], elements.dtype, t);
        return e.add(t, x[2], e.select(isThere, element, e.integer(t, 0)));
      });
  Tensor found = check.map(Access{first, check.identity(0)}, {}, DType::Bool,
                           [&](ElementBuilder &e, ValueRange x) {
                             return e.compare(t, R::LT, x[0], e.integer(t, kNone));
                           });
  SmallVector<Tensor, 2> values{value};
  if (limit)
    values.push_back(check.map({}, {}, t, [&](ElementBuilder &, ValueRange) { return limit; }));
  check.raiseIf(found, values, errorClass, text);
}

void ptc::raiseOutside(KernelBuilder &k, Value index, Value source, int64_t d,
                       const OutOfRange &error) {
  KernelBuilder check(k.op, k.rewriter);
  constexpr DType t = DType::Int64;
  Tensor indices = check.input(index);
  ElementBuilder top = check.top();
  auto type = cast<RankedTensorType>(source.getType());
  OpFoldResult size = type.getRank() == 0 ? check.constant(1)
                      : type.isDynamicDim(unsigned(d))
                          ? check.sizeOf(check.input(source), d)
                          : check.constant(type.getDimSize(unsigned(d)));
  Value limit = top.fromIndex(check.toValue(size));
  Value least = error.mayBeNegative ? top.neg(t, limit) : top.integer(t, 0);
  Value isAsked = error.isAsked ? error.isAsked(check) : Value();
  auto isBad = [&](ElementBuilder &e, Value place) {
    Value isOut = e.either(e.compare(t, R::LT, place, least), e.compare(t, R::GE, place, limit));
    return isAsked ? e.both(isAsked, isOut) : isOut;
  };
  raiseForFirst(check, indices, limit, isBad, error.errorClass, error.text);
}

Value ptc::placeOf(ElementBuilder &e, Value element, DType from, Value size, bool mayBeNegative) {
  Value place = e.toIndex(e.convert(element, from, DType::Int64));
  if (mayBeNegative) {
    Value isNegative = e.compareIndex(P::slt, place, e.index(0));
    place = e.select(isNegative, e.addIndex(place, size), place);
  }
  return e.clampIndex(place, size);
}

std::string ptc::boundsText(int64_t dim) {
  return "index {0} is out of bounds for dimension " + std::to_string(dim) + " with size {1}";
}

/// Whether some size that `mask` selects may be 0.
static bool mayBeEmpty(Value source, llvm::function_ref<bool(int64_t)> isMeant) {
  for (auto [d, size] : llvm::enumerate(cast<RankedTensorType>(source.getType()).getShape()))
    if ((size == 0 || ShapedType::isDynamic(size)) && isMeant(int64_t(d)))
      return true;
  return false;
}

/// A truth value of the kernel: whether one of the sizes of `source` that are meant is 0.
static Value isEmpty(KernelBuilder &check, Value source,
                     llvm::function_ref<bool(int64_t)> isMeant) {
  Sizes meant;
  for (auto [d, size] : llvm::enumerate(check.sizesOf(check.input(source))))
    if (isMeant(int64_t(d)))
      meant.push_back(size);
  ElementBuilder top = check.top();
  return top.compareIndex(P::eq, check.toValue(check.product(meant)), top.index(0));
}

/// Raises `text` where `isFailed` is true, whatever elements are.
static void raiseWhere(KernelBuilder &check, Value isFailed, StringRef errorClass, StringRef text) {
  Tensor failed = check.map(ArrayRef<Access>(), {}, DType::Bool,
                            [&](ElementBuilder &, ValueRange) { return isFailed; });
  check.raiseIf(failed, {}, errorClass, text);
}

//===----------------------------------------------------------------------===//
// One index tensor
//===----------------------------------------------------------------------===//

/// What index_select raises, by the kernel that eager chooses: see isRow in Eval/Index.cpp.
static void raiseOutsideRows(KernelBuilder &k, Value index, Value source, int64_t dim) {
  auto isDim = [&](int64_t d) { return d == dim; };
  auto isOther = [&](int64_t d) { return d != dim; };
  auto isAny = [](int64_t) { return true; };
  bool isMatrix = cast<RankedTensorType>(source.getType()).getRank() > 1;
  if (isMatrix && mayBeEmpty(source, isDim)) {
    KernelBuilder check(k.op, k.rewriter);
    Value isSome = check.top().negate(isEmpty(check, index, isAny));
    raiseWhere(check, check.top().both(isSome, isEmpty(check, source, isDim)), "RuntimeError",
               "index_select(): self indexing axis dim should be positive");
  }
  if (isMatrix && (dim == 1 || mayBeEmpty(source, isOther)))
    raiseOutside(k, index, source, dim,
                 {"RuntimeError", "INDICES element is out of DATA bounds, id={0} axis_dim={1}",
                  false, [&](KernelBuilder &check) {
                    return dim == 1 ? check.top().truth(true) : isEmpty(check, source, isOther);
                  }});
  if (!isMatrix || dim != 1)
    raiseOutside(k, index, source, dim, {"IndexError", "index out of range in self"});
}

static LogicalResult convertEmbedding(KernelBuilder &k) {
  Tensor weight = k.tensor("weight"), indices = k.tensor("indices");
  std::optional<Sizes> sizes = k.resultSizes();
  if (!weight || !isIndexType(indices) || !sizes)
    return k.refuseComplexOr("a size of the result is no input's");
  Value limit = k.toValue(k.sizeOf(weight, 0));
  int64_t rank = indices.rank();
  SmallVector<AffineExpr> places;
  for (int64_t d = 0; d < rank; ++d)
    places.push_back(k.at(d));
  Tensor out = k.map(Access{indices, k.mapOf(rank + 1, places)}, *sizes, weight.dtype,
                     [&](ElementBuilder &e, ValueRange x) {
                       SmallVector<Value> from{placeOf(e, x[0], indices.dtype, limit, false),
                                               e.make<linalg::IndexOp>(uint64_t(rank))};
                       return e.make<tensor::ExtractOp>(weight.value, from);
                     });
  raiseOutsideRows(k, k.arg("indices").getValue(), k.arg("weight").getValue(), 0);
  return k.finish(plan::Family::Gather, out);
}

/// Elements of `self` whose place along `dim` is that of `index`, and whose others are those of the
/// result; what has size 1 and stands for more repeats.
static Tensor gatherAlong(KernelBuilder &k, Tensor self, Access index, int64_t dim,
                          ArrayRef<OpFoldResult> sizes) {
  Value limit = k.toValue(k.sizeOf(self, dim));
  return k.map(index, sizes, self.dtype, [&](ElementBuilder &e, ValueRange x) {
    SmallVector<Value> from;
    for (int64_t d = 0; d < self.rank(); ++d)
      from.push_back(d == dim        ? placeOf(e, x[0], index.tensor.dtype, limit, false)
                     : self.isOne(d) ? e.index(0)
                                     : e.make<linalg::IndexOp>(uint64_t(d)));
    return e.make<tensor::ExtractOp>(self.value, from);
  });
}

/// out[…, i, …] = self[…, index[…, i, …], …]
static LogicalResult finishAlong(KernelBuilder &k, Tensor self, Tensor index, int64_t dim,
                                 const Sizes &sizes) {
  AffineMap indexAt = k.broadcastMap(index, sizes);
  if (!indexAt)
    return k.refuse("sizes are not known to broadcast");
  return k.finish(plan::Family::Gather, gatherAlong(k, self, {index, indexAt}, dim, sizes));
}

static LogicalResult convertIndexSelect(KernelBuilder &k) {
  Tensor self = k.self(), index = k.tensor("index");
  std::optional<Sizes> sizes = k.resultSizes();
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  if (!self || !isIndexType(index) || !sizes || !dim)
    return k.refuseComplexOr("a size or dimension that is not known");
  raiseOutsideRows(k, k.arg("index").getValue(), k.op->getOperand(0), *dim);
  if (self.rank() == 0)
    return k.finish(plan::Family::Copy, k.reshape(self, *sizes));
  if (index.rank() == 0)
    index = k.flat(index);
  Access along{index, k.mapOf(self.rank(), k.at(*dim))};
  return k.finish(plan::Family::Gather, gatherAlong(k, self, along, *dim, *sizes));
}

static LogicalResult convertGather(KernelBuilder &k) {
  Tensor self = k.self(), index = k.tensor("index");
  std::optional<Sizes> sizes = k.resultSizes();
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  if (!self || !isIndexType(index) || !sizes || !dim)
    return k.refuseComplexOr("a size or dimension that is not known");
  raiseOutside(k, k.arg("index").getValue(), k.op->getOperand(0), *dim,
               {"RuntimeError", boundsText(*dim)});
  if (self.rank() == index.rank() && self.rank() > 0)
    return finishAlong(k, self, index, *dim, *sizes);
  // A tensor without dimensions counts as one of one element.
  Tensor places = k.reshape(index, k.sizesOf(k.flat(index)));
  Value limit = k.top().index(1);
  Tensor source = k.flat(self);
  if (self.rank() == 1)
    limit = k.toValue(k.sizeOf(self, 0));
  Tensor out = k.map(Access{places, k.identity(1)}, k.sizesOf(places), self.dtype,
                     [&](ElementBuilder &e, ValueRange x) {
                       Value from = placeOf(e, x[0], index.dtype, limit, false);
                       return e.make<tensor::ExtractOp>(source.value, from);
                     });
  return k.finish(plan::Family::Gather, k.reshape(out, *sizes));
}

/// Indices beyond dimension `d` of `self` count on from its start; none can where it has no
/// elements.
static Tensor wrappedIndices(KernelBuilder &k, Tensor index, Tensor self, int64_t d) {
  constexpr DType t = DType::Int64;
  if (self.rank() == 0 || self.isOne(d))
    return k.map(Access{index, k.identity(index.rank())}, k.sizesOf(index), t,
                 [&](ElementBuilder &e, ValueRange) { return e.integer(t, 0); });
  auto type = cast<RankedTensorType>(k.op->getOperand(0).getType());
  if (type.isDynamicDim(unsigned(d)) || type.getDimSize(unsigned(d)) == 0) {
    Value source = k.op->getOperand(0);
    KernelBuilder check(k.op, k.rewriter);
    Value isNone = isEmpty(check, source, [&](int64_t at) { return at == d; });
    Value isVacant = check.top().either(
        isEmpty(check, source, [&](int64_t at) { return at != d; }),
        isEmpty(check, k.arg("indices").getValue(), [](int64_t) { return true; }));
    raiseWhere(check, check.top().both(isNone, check.top().negate(isVacant)), "RuntimeError",
               "ZeroDivisionError");
  }
  ElementBuilder top = k.top();
  Value size = top.maximum(t, top.fromIndex(k.toValue(k.sizeOf(self, d))), top.integer(t, 1));
  return k.map(Access{index, k.identity(index.rank())}, k.sizesOf(index), t,
               [&](ElementBuilder &e, ValueRange x) {
                 Value place = e.rem(t, e.convert(x[0], index.dtype, t), size);
                 Value isNegative = e.compare(t, R::LT, place, e.integer(t, 0));
                 return e.select(isNegative, e.add(t, place, size), place);
               });
}

static LogicalResult convertTakeAlongDim(KernelBuilder &k) {
  Tensor self = k.self(), index = k.tensor("indices");
  std::optional<Sizes> sizes = k.resultSizes();
  if (!self || !isIndexType(index) || !sizes)
    return k.refuseComplexOr("a size that is not known");
  bool isFlat = k.isNone("dim");
  std::optional<int64_t> dim = isFlat ? std::optional<int64_t>(0) : k.dim("dim", self.rank());
  if (!dim || self.rank() != index.rank() || isFlat)
    return k.refuse("all dimensions as one");
  for (int64_t d = 0; d < self.rank(); ++d)
    if (d != *dim && !self.isOne(d) && k.sizeOf(self, d) != (*sizes)[size_t(d)])
      return k.refuse("sizes are not known to broadcast");
  return finishAlong(k, self, wrappedIndices(k, index, self, *dim), *dim, *sizes);
}

//===----------------------------------------------------------------------===//
// Several index tensors
//===----------------------------------------------------------------------===//

std::optional<AdvancedIndex> ptc::readIndices(KernelBuilder &k, Tensor self) {
  AdvancedIndex index;
  index.indices = k.tensors("indices");
  index.indices.resize(size_t(self.rank()));
  int64_t first = -1, last = -1, count = 0;
  for (auto [d, t] : llvm::enumerate(index.indices)) {
    if (!t)
      continue;
    if (!isIndexType(t))
      return std::nullopt;
    first = first < 0 ? int64_t(d) : first;
    last = int64_t(d);
    ++count;
    index.rank = std::max(index.rank, t.rank());
  }
  index.place = last - first + 1 == count ? first : 0;
  return count ? std::optional(index) : std::nullopt;
}

std::optional<SmallVector<Access>> AdvancedIndex::reach(KernelBuilder &k,
                                                        ArrayRef<OpFoldResult> sizes) const {
  Sizes shape(sizes.slice(size_t(place), size_t(rank)));
  SmallVector<Access> ins;
  for (Tensor t : indices) {
    AffineMap inShape = t ? k.broadcastMap(t, shape) : AffineMap();
    if (t && !inShape)
      return std::nullopt;
    if (t)
      ins.push_back(
          {t, inShape.shiftDims(unsigned(place)).compose(k.identity(int64_t(sizes.size())))});
  }
  return ins;
}

SmallVector<Value> AdvancedIndex::placeAt(ElementBuilder &e, ValueRange elements,
                                          ArrayRef<Value> loops, ArrayRef<Value> limits) const {
  SmallVector<Value> at;
  size_t given = 0, loop = 0;
  for (auto [d, t] : llvm::enumerate(indices)) {
    if (t) {
      at.push_back(placeOf(e, elements[given++], t.dtype, limits[d], true));
      continue;
    }
    if (loop == size_t(place))
      loop += size_t(rank);
    at.push_back(loops[loop++]);
  }
  return at;
}

void AdvancedIndex::raiseOutside(KernelBuilder &k) const {
  Value self = k.op->getOperand(0);
  SmallVector<Value> values(k.arg("indices").getValues());
  auto isIndexed = [&](int64_t d) { return d < int64_t(values.size()) && values[size_t(d)]; };
  auto isWhole = [&](int64_t d) { return !isIndexed(d); };
  // Whether some index names something: all do, if they broadcast to sizes that are not 0.
  auto isSome = [&](KernelBuilder &check) {
    Value some = check.top().truth(true);
    for (Value value : values)
      if (value)
        some = check.top().both(
            some, check.top().negate(isEmpty(check, value, [](int64_t) { return true; })));
    return some;
  };
  if (mayBeEmpty(self, isIndexed)) {
    KernelBuilder check(k.op, k.rewriter);
    raiseWhere(check, check.top().both(isSome(check), isEmpty(check, self, isIndexed)),
               "IndexError", "index is out of bounds for dimension with size 0");
  }
  auto isAsked = [&](KernelBuilder &check) {
    return check.top().both(isSome(check), check.top().negate(isEmpty(check, self, isWhole)));
  };
  int64_t shown = 0; // eager counts the dimensions that have an index
  for (auto [d, value] : llvm::enumerate(values))
    if (value)
      ptc::raiseOutside(k, value, self, int64_t(d),
                        {"IndexError", boundsText(shown++), true, isAsked});
}

static LogicalResult convertIndexTensors(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<Sizes> sizes = k.resultSizes();
  if (!self || !sizes)
    return k.refuseComplexOr("a size of the result is no input's");
  std::optional<AdvancedIndex> index = readIndices(k, self);
  if (!index)
    return k.refuse("a mask: how many elements it takes is known only at run time");
  std::optional<SmallVector<Access>> ins = index->reach(k, *sizes);
  if (!ins)
    return k.refuse("sizes of indices are not known to broadcast");
  SmallVector<Value> limits = k.toValues(k.sizesOf(self));
  Tensor out = k.map(*ins, *sizes, self.dtype, [&](ElementBuilder &e, ValueRange x) {
    SmallVector<Value> loops;
    for (size_t d = 0; d < sizes->size(); ++d)
      loops.push_back(e.make<linalg::IndexOp>(d));
    return e.make<tensor::ExtractOp>(self.value, index->placeAt(e, x, loops, limits));
  });
  index->raiseOutside(k);
  return k.finish(plan::Family::Gather, out);
}

//===----------------------------------------------------------------------===//
// Classes, places in sorted sequences
//===----------------------------------------------------------------------===//

/// Raises if some class is on the wrong side of `limit`.
static void raiseClass(KernelBuilder &k, R relation, Attribute limit, StringRef text) {
  KernelBuilder check(k.op, k.rewriter);
  Tensor classes = check.self();
  Value bound = check.top().fromIndex(check.toValue(check.extent(limit)));
  Tensor found = check.reduce(classes, Mask(size_t(classes.rank()), true), DType::Bool,
                              check.top().truth(false), [&](ElementBuilder &e, ValueRange x) {
                                Value c = e.convert(x[0], classes.dtype, DType::Int64);
                                return e.either(x[1], e.compare(DType::Int64, relation, c, bound));
                              });
  check.raiseIf(found, {}, "RuntimeError", text);
}

static LogicalResult convertOneHot(KernelBuilder &k) {
  Tensor self = k.self();
  Attribute count = k.arg("num_classes").getAttr();
  std::optional<Sizes> sizes = k.resultSizes();
  if (!isIndexType(self) || !k.extent(count) || k.arg("num_classes").getInt() == -1 || !sizes)
    return k.refuse("how many classes there are depends on the classes");
  SmallVector<AffineExpr> places;
  for (int64_t d = 0; d < self.rank(); ++d)
    places.push_back(k.at(d));
  Tensor out = k.map(Access{self, k.mapOf(self.rank() + 1, places)}, *sizes, DType::Int64,
                     [&](ElementBuilder &e, ValueRange x) {
                       Value c = e.toIndex(e.convert(x[0], self.dtype, DType::Int64));
                       Value at = e.make<linalg::IndexOp>(uint64_t(self.rank()));
                       return e.convert(e.compareIndex(P::eq, c, at), DType::Bool, DType::Int64);
                     });
  raiseClass(k, R::LT, k.b.getI64IntegerAttr(0), "Class values must be non-negative.");
  raiseClass(k, R::GE, count, "Class values must be smaller than num_classes.");
  return k.finish(plan::Family::Gather, out);
}

/// How often the search in a sequence halves what is left of it, at most.
static OpFoldResult countHalvings(KernelBuilder &k, OpFoldResult length) {
  if (std::optional<int64_t> known = getConstantIntValue(length))
    return k.constant(int64_t(llvm::bit_width(uint64_t(*known))));
  Value most = arith::ConstantIndexOp::create(k.b, k.loc, 64);
  return OpFoldResult(arith::MinUIOp::create(k.b, k.loc, k.toValue(length), most).getResult());
}

/// Eager's search by halves, whose answer in a sequence that is not ascending, or has NaN, depends
/// on where it looks: ATen/native/Bucketization.cpp, cus_lower_bound and cus_upper_bound.
static LogicalResult convertSearchSorted(KernelBuilder &k) {
  bool isBucketize = k.info().baseName() == "bucketize";
  Tensor sequence = k.tensor(isBucketize ? "boundaries" : "sorted_sequence");
  Tensor values = k.self();
  if (!isBucketize)
    values = k.tensor("self");
  std::optional<Sizes> sizes = k.resultSizes();
  bool isRight = k.flag("right").value_or(false);
  std::optional<StringRef> side = isBucketize ? std::nullopt : k.arg("side").getString();
  if (side)
    isRight = *side == "right";
  if (!sequence || !values || !sizes || (!isBucketize && !k.isNone("sorter")) ||
      (sequence.rank() != 1 && sequence.rank() != values.rank()) || sequence.dtype != values.dtype)
    return k.refuse("another type than the sequence's, or a sorter");
  constexpr DType kPlace = DType::Int64;
  int64_t rank = values.rank();
  OpFoldResult length = k.sizesOf(sequence).back();
  Value limit = k.toValue(length);
  SmallVector<AffineExpr> places;
  for (int64_t d = 0; d < rank; ++d)
    places.push_back(k.at(d));
  AffineMap eachValue = k.mapOf(rank + 1, places);
  SmallVector<Access> ins{
      {values, eachValue},
      {k.empty({countHalvings(k, length)}, DType::Bool), k.mapOf(rank + 1, {k.at(rank)})}};
  Value all = k.top().fromIndex(limit);
  SmallVector<Access> outs{{k.fill(*sizes, kPlace, k.top().integer(kPlace, 0)), eachValue},
                           {k.fill(*sizes, kPlace, all), eachValue}};
  auto found = k.loops(ins, outs, [&](ElementBuilder &e, ValueRange x) {
    Value begin = x[2], end = x[3];
    Value middle = e.make<arith::ShRUIOp>(e.add(kPlace, begin, end), e.integer(kPlace, 1));
    SmallVector<Value> at;
    for (int64_t d = 0; sequence.rank() > 1 && d + 1 < rank; ++d)
      at.push_back(e.make<linalg::IndexOp>(uint64_t(d)));
    at.push_back(e.clampIndex(e.toIndex(middle), limit));
    Value seen = e.make<tensor::ExtractOp>(sequence.value, at);
    // Of NaN: nothing is greater, so what is not behind is in front.
    Value isBehind = e.compare(values.dtype, isRight ? R::GT : R::GE, seen, x[0]);
    Value isOpen = e.compare(kPlace, R::LT, begin, end);
    Value next = e.add(kPlace, middle, e.integer(kPlace, 1));
    return SmallVector<Value, 2>{
        e.select(e.both(isOpen, e.negate(isBehind)), next, begin),
        e.select(e.both(isOpen, isBehind), middle, end),
    };
  });
  return k.finish(plan::Family::Reduction, k.convert(found.front(), k.resultDType()));
}

ArrayRef<ConverterRow> ptc::getGatherRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::Embedding, convertEmbedding},
      {S::IndexSelect, convertIndexSelect},
      {S::Gather, convertGather},
      {S::TakeAlongDim, convertTakeAlongDim},
      {S::IndexTensors, convertIndexTensors},
      {S::OneHot, convertOneHot},
      {S::SearchSorted, convertSearchSorted},
  };
  return kRows;
}
