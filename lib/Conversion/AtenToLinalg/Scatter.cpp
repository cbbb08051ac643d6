//===- Scatter.cpp - Writing by index as kernels -------------------------------------------===//
//
// In: a tensor, indices, values. Out: a kernel of family scatter: loops that write one element
// after the other into a copy of the tensor, in the order of the indices, so that of several for
// one place the last one counts. Sums are rounded at each step, as eager's loops do. What eager
// raises for places out of range is a check in front.
//
//===----------------------------------------------------------------------===//
#include "Indices.h"

#include "ptc/Dialect/Aten/IR/IndexKernels.h"

using namespace mlir;
using namespace ptc;

using R = ElementBuilder::Relation;
using Written = KernelBuilder::Written;

namespace {

enum class Combine : uint8_t { Replace, Add, Multiply, Max, Min };

/// Index and source of a scatter along one dimension, all with dimensions.
struct Along {
  Tensor index, source; ///< source: false for one number
  Value number;
  int64_t dim = 0;

  Value element(ElementBuilder &e, ValueRange at) const {
    return source ? e.make<tensor::ExtractOp>(source.value, at) : number;
  }
};

} // namespace

static Value combine(ElementBuilder &e, DType dtype, Combine how, Value old, Value given) {
  DType t = computeType(dtype);
  auto wide = [&](Value v) { return e.convert(v, dtype, t); };
  switch (how) {
  case Combine::Replace:
    return given;
  case Combine::Add:
    return e.convert(e.add(t, wide(old), wide(given)), t, dtype);
  case Combine::Multiply:
    return e.convert(e.mul(t, wide(old), wide(given)), t, dtype);
  case Combine::Max:
    return e.convert(e.maximum(t, wide(old), wide(given)), t, dtype);
  case Combine::Min:
    return e.convert(e.minimum(t, wide(old), wide(given)), t, dtype);
  }
  llvm_unreachable("closed enum");
}

/// What `how` starts with where the tensor's own element does not count.
static Value identityOf(ElementBuilder e, DType t, Combine how) {
  switch (how) {
  case Combine::Replace:
  case Combine::Add:
    return e.integer(t, 0);
  case Combine::Multiply:
    return e.integer(t, 1);
  case Combine::Max:
    return e.lowest(t);
  case Combine::Min:
    return e.highest(t);
  }
  llvm_unreachable("closed enum");
}

/// Each element of the index names the place along `dim`; its own place names the others.
static Tensor scatterAlong(KernelBuilder &k, Tensor whole, const Along &along, Combine how) {
  Value limit = k.toValue(k.sizeOf(whole, along.dim));
  return k.writeInTurn(
      whole, k.sizesOf(along.index), [&](ElementBuilder &e, ValueRange at, Tensor now) {
        SmallVector<Value> place(at);
        Value index = e.make<tensor::ExtractOp>(along.index.value, at);
        place[size_t(along.dim)] = placeOf(e, index, along.index.dtype, limit, false);
        Value given = along.element(e, at);
        if (how != Combine::Replace)
          given = combine(e, now.dtype, how, e.make<tensor::ExtractOp>(now.value, place), given);
        return Written{place, given};
      });
}

/// Sums over counts, rounded down for integers.
static Tensor divideByCounts(KernelBuilder &k, Tensor sums, Tensor counts) {
  DType dtype = sums.dtype, t = computeType(dtype);
  SmallVector<Access> ins{{sums, k.identity(sums.rank())}, {counts, k.identity(sums.rank())}};
  return k.map(ins, k.sizesOf(sums), dtype, [&](ElementBuilder &e, ValueRange x) {
    Value sum = e.convert(x[0], dtype, t);
    Value isMany = e.compare(DType::Int64, R::GT, x[1], e.integer(DType::Int64, 1));
    Value divisor = e.select(isMany, x[1], e.integer(DType::Int64, 1));
    if (isFloat(t))
      return e.convert(e.div(t, sum, e.convert(divisor, DType::Int64, t)), t, dtype);
    Value wide = e.convert(sum, t, DType::Int64);
    return e.convert(e.make<arith::FloorDivSIOp>(wide, divisor), DType::Int64, dtype);
  });
}

namespace {
/// What scatter_reduce does.
struct Reducing {
  Combine how = Combine::Replace;
  bool isMean = false, includesSelf = true;
};
} // namespace

static std::optional<Reducing> readReducing(KernelBuilder &k) {
  StringRef name = k.info().baseName();
  if (name == "scatter")
    return Reducing{};
  if (name == "scatter_add")
    return Reducing{Combine::Add};
  std::optional<StringRef> word = k.arg("reduce").getString();
  std::optional<bool> includesSelf = k.flag("include_self");
  if (!word || !includesSelf)
    return std::nullopt;
  if (*word == "sum" || *word == "mean")
    return Reducing{Combine::Add, *word == "mean", *includesSelf};
  if (*word == "prod")
    return Reducing{Combine::Multiply, false, *includesSelf};
  if (*word == "amax" || *word == "amin")
    return Reducing{*word == "amax" ? Combine::Max : Combine::Min, false, *includesSelf};
  return std::nullopt;
}

static LogicalResult convertScatter(KernelBuilder &k) {
  Tensor self = k.self();
  Along along{k.tensor("index"), k.has("src") ? k.tensor("src") : Tensor(), {}};
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  std::optional<Reducing> reducing = readReducing(k);
  if (!self || !isIndexType(along.index) || !dim || !reducing || (k.has("src") && !along.source))
    return k.refuseComplexOr("parameters known only at run time");
  Sizes sizes = k.sizesOf(self);
  if (!along.source)
    along.number = k.number(k.arg("value"), self.dtype);
  if (!along.source && !along.number)
    return k.refuse("the value is no real number");
  auto rank = [](Tensor &t) { return std::max<int64_t>(t.rank(), 1); };
  if (along.index.hasZero() || rank(along.index) != rank(self) ||
      (along.source && rank(along.source) != rank(self))) // nothing is read, whatever its shape
    return k.finish(plan::Family::Copy, self);
  // A tensor without dimensions counts as one of one element.
  for (Tensor *t : {&self, &along.index, &along.source})
    if (*t && t->rank() == 0)
      *t = k.flat(*t);
  along.dim = *dim;
  raiseOutside(k, k.arg("index").getValue(), k.op->getOperand(0), *dim,
               {"RuntimeError", boundsText(*dim)});
  DType dtype = self.dtype;
  if (reducing->how != Combine::Replace) { // eager combines numbers of 16 bits in single precision
    self = k.convert(self, computeType(dtype));
    along.source = k.convert(along.source, computeType(dtype));
  }
  Tensor result = self;
  if (!reducing->includesSelf) {
    Value start = identityOf(k.top(), self.dtype, reducing->how);
    result = scatterAlong(k, result, {along.index, {}, start, *dim}, Combine::Replace);
  }
  result = scatterAlong(k, result, along, reducing->how);
  if (reducing->isMean) {
    ElementBuilder top = k.top();
    Value own = top.integer(DType::Int64, reducing->includesSelf ? 1 : 0);
    Along ones{along.index, {}, top.integer(DType::Int64, 1), *dim};
    Tensor counts = scatterAlong(k, k.fill(k.sizesOf(self), DType::Int64, own), ones, Combine::Add);
    result = divideByCounts(k, result, counts);
  }
  return k.finish(plan::Family::Scatter, k.convert(k.reshape(result, sizes), dtype));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Raises for an index out of range, unless nothing is read: `self` is a matrix without elements.
static void raiseRows(KernelBuilder &k, int64_t dim, const OutOfRange &error) {
  KernelBuilder check(k.op, k.rewriter);
  constexpr DType t = DType::Int64;
  ElementBuilder top = check.top();
  Tensor self = check.self();
  Sizes sizes = check.sizesOf(self);
  Value size = check.toValue(sizes.empty() ? check.constant(1) : sizes[size_t(dim)]);
  Value limit = top.fromIndex(size);
  Value isRead = top.truth(true);
  if (sizes.size() > 1)
    isRead = top.compareIndex(arith::CmpIPredicate::ne, check.toValue(check.product(sizes)),
                              top.index(0));
  Value least = error.mayBeNegative ? top.neg(t, limit) : top.integer(t, 0);
  auto isBad = [&](ElementBuilder &e, Value place) {
    Value isOut = e.either(e.compare(t, R::LT, place, least), e.compare(t, R::GE, place, limit));
    return e.both(isRead, isOut);
  };
  raiseForFirst(check, check.tensor("index"), limit, isBad, error.errorClass, error.text);
}

/// index_add, index_copy, index_fill: rows of `self` along `dim` that a vector names.
static LogicalResult convertIndexRows(KernelBuilder &k) {
  Tensor self = k.self(), index = k.tensor("index");
  StringRef name = k.info().baseName();
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  bool isFill = name == "index_fill", isAdd = name == "index_add";
  if (!self || !isIndexType(index) || !dim)
    return k.refuseComplexOr("a dimension known only at run time");
  Sizes sizes = k.sizesOf(self);
  Tensor whole = k.flatIfScalar(self);
  index = k.flatIfScalar(index);
  Sizes shape = k.sizesOf(whole);
  shape[size_t(*dim)] = k.sizeOf(index, 0);
  DType dtype = self.dtype, t = computeType(dtype);
  Tensor source = isFill ? Tensor() : k.tensor("source");
  if (source && source.rank() != whole.rank())
    source = k.reshape(source, shape);
  Value number = isAdd ? k.number(k.arg("alpha"), t) : Value();
  if (isFill) {
    Tensor value = k.tensor("value");
    if (value && value.dtype != dtype)
      return k.refuse("a value of another type");
    number = value ? k.top().make<tensor::ExtractOp>(value.value, ValueRange())
                   : k.number(k.arg("value"), dtype);
  }
  if ((isFill || isAdd) && !number)
    return k.refuse("a factor or value that is no real number");
  if (!isFill && (!source || source.dtype != dtype))
    return k.refuse("a source of another type");
  bool isNamed = isAdd && aten::isIndexAddScattered(self.rank(), *dim, index.dtype);
  std::string text = (name == "index_copy" ? "index_copy_(): " : "") + boundsText(*dim);
  raiseRows(k, *dim,
            {isNamed ? "RuntimeError" : "IndexError",
             isAdd && !isNamed ? "index out of range in self" : text, isFill});
  Value limit = k.toValue(k.sizeOf(whole, *dim));
  Tensor result = k.writeInTurn(whole, shape, [&](ElementBuilder &e, ValueRange at, Tensor now) {
    SmallVector<Value> place(at);
    Value row = e.make<tensor::ExtractOp>(index.value, at[size_t(*dim)]);
    place[size_t(*dim)] = placeOf(e, row, index.dtype, limit, isFill);
    if (isFill)
      return Written{place, number};
    Value given = e.make<tensor::ExtractOp>(source.value, at);
    if (!isAdd)
      return Written{place, given};
    Value old = e.convert(e.make<tensor::ExtractOp>(now.value, place), dtype, t);
    Value part = e.mul(t, number, e.convert(given, dtype, t));
    return Written{place, e.convert(e.add(t, old, part), t, dtype)};
  });
  return k.finish(plan::Family::Scatter, k.reshape(result, sizes));
}

//===----------------------------------------------------------------------===//
// Several index tensors
//===----------------------------------------------------------------------===//

/// The sizes of what the indices name in `self`.
static std::optional<Sizes> namedSizes(KernelBuilder &k, Tensor self, const AdvancedIndex &index) {
  Sizes shape(size_t(index.rank), k.constant(1)), sizes, own = k.sizesOf(self);
  for (Tensor t : index.indices) {
    if (!t)
      continue;
    Sizes given = k.sizesOf(t);
    for (size_t d = 0; d < given.size(); ++d) {
      OpFoldResult &size = shape[shape.size() - given.size() + d];
      if (getConstantIntValue(size) == 1)
        size = given[d];
    }
  }
  for (auto [d, t] : llvm::enumerate(index.indices))
    if (!t)
      sizes.push_back(own[d]);
  if (size_t(index.place) > sizes.size())
    return std::nullopt;
  sizes.insert(sizes.begin() + index.place, shape.begin(), shape.end());
  return sizes;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// One value for all elements that the mask names.
static LogicalResult fillByMask(KernelBuilder &k, Tensor self, const Access &mask, Tensor value,
                                Combine how) {
  SmallVector<Access> ins{
      {self, k.identity(self.rank())}, mask, {k.reshape(value, {}), k.mapOf(self.rank(), {})}};
  return k.finish(plan::Family::Pointwise,
                  k.map(ins, k.sizesOf(self), self.dtype, [&](ElementBuilder &e, ValueRange x) {
                    return e.select(x[1], combine(e, self.dtype, how, x[0], x[2]), x[0]);
                  }));
}

/// How many elements of the mask are true up to each, itself counted.
static Tensor countTrue(KernelBuilder &k, Tensor mask) {
  constexpr DType t = DType::Int64;
  Tensor row = k.flat(mask);
  SmallVector<Access> outs{{k.fill({}, t, k.top().integer(t, 0)), k.mapOf(1, {})},
                           {k.empty(k.sizesOf(row), t), k.identity(1)}};
  Tensor counts = k.loops(Access{row, k.identity(1)}, outs, [&](ElementBuilder &e, ValueRange x) {
    Value count = e.add(t, x[1], e.convert(x[0], DType::Bool, t));
    return SmallVector<Value, 2>{count, count};
  })[1];
  return k.reshape(counts, k.sizesOf(mask));
}

/// Raises where the values are not as many as a mask names: a single one stands for all.
/// `mayBeMore`: what is left over does not count.
static void checkCount(KernelBuilder &k, StringRef maskName, StringRef valuesName, bool mayBeMore,
                       StringRef text) {
  KernelBuilder check(k.op, k.rewriter);
  constexpr DType t = DType::Int64;
  Tensor mask = maskName == "indices" ? check.tensors(maskName).front() : check.tensor(maskName);
  Tensor values = check.tensor(valuesName);
  if (std::optional<Sizes> sizes = mayBeMore ? check.resultSizes() : std::nullopt)
    mask = check
               .broadcast(mask, *sizes, DType::Bool,
                          [](ElementBuilder &, ValueRange x) { return x[0]; })
               .value_or(mask);
  Tensor count = check.reduce(mask, Mask(size_t(mask.rank()), true), t, check.top().integer(t, 0),
                              [&](ElementBuilder &e, ValueRange x) {
                                return e.add(t, x[1], e.convert(x[0], DType::Bool, t));
                              });
  OpFoldResult given = mayBeMore ? check.product(check.sizesOf(values)) : check.sizeOf(values, 0);
  Value number = check.top().fromIndex(check.toValue(given));
  Tensor isBad = check.map(Access{count, check.identity(0)}, {}, DType::Bool,
                           [&](ElementBuilder &e, ValueRange x) {
                             if (mayBeMore)
                               return e.compare(t, R::LT, number, x[0]);
                             return e.both(e.compare(t, R::NE, number, x[0]),
                                           e.compare(t, R::NE, number, e.integer(t, 1)));
                           });
  check.raiseIf(isBad, {}, "RuntimeError", text);
}

/// The n-th element that the mask names becomes the n-th row of `values`, which has a dimension for
/// them in front of those that the mask leaves.
static Tensor writeByMask(KernelBuilder &k, Tensor self, Tensor mask, Tensor values, Combine how) {
  Tensor counts = countTrue(k, mask);
  Sizes loops = k.sizesOf(self);
  Value rows = k.toValue(k.sizeOf(values, 0));
  // Without a row there is nothing to read.
  Value isNone = k.top().compareIndex(arith::CmpIPredicate::eq, rows, k.top().index(0));
  loops[0] = OpFoldResult(k.top().select(isNone, k.top().index(0), k.toValue(loops[0])));
  size_t masked = size_t(mask.rank());
  return k.writeInTurn(self, loops, [&](ElementBuilder &e, ValueRange at, Tensor now) {
    ValueRange front = at.take_front(masked);
    Value count = e.toIndex(e.make<tensor::ExtractOp>(counts.value, front));
    SmallVector<Value> from{e.clampIndex(e.subIndex(count, e.index(1)), rows)};
    for (auto [d, counter] : llvm::enumerate(at.drop_front(masked)))
      from.push_back(values.isOne(int64_t(d) + 1) ? e.index(0) : counter);
    Value old = e.make<tensor::ExtractOp>(now.value, at);
    Value given = combine(e, now.dtype, how, old, e.make<tensor::ExtractOp>(values.value, from));
    Value isNamed = e.make<tensor::ExtractOp>(mask.value, front);
    return Written{llvm::to_vector(at), e.select(isNamed, given, old)};
  });
}

/// index_put with one mask over the first dimensions.
static LogicalResult putByMask(KernelBuilder &k, Tensor self, Tensor values, Combine how) {
  SmallVector<Tensor, 4> masks = k.tensors("indices");
  if (masks.size() != 1 || !masks[0] || !isBool(masks[0].dtype) || values.dtype != self.dtype)
    return k.refuse("masks beside other indices, or values of another type");
  Tensor mask = masks[0];
  Sizes sizes = k.sizesOf(self), own = k.sizesOf(mask);
  SmallVector<AffineExpr> places;
  for (int64_t d = 0; d < mask.rank(); ++d) {
    if (own[size_t(d)] != sizes[size_t(d)])
      return k.refuse("a mask that is not known to fit");
    places.push_back(k.at(d));
  }
  if (values.type().hasStaticShape() && values.type().getNumElements() == 1)
    return fillByMask(k, self, {mask, k.mapOf(self.rank(), places)}, values, how);
  int64_t rest = self.rank() - mask.rank();
  if (mask.rank() == 0 || values.rank() > rest + 1)
    return k.refuse("a mask without dimensions, or values with more of them");
  bool hasRows = values.rank() == rest + 1;
  Sizes shape = k.sizesOf(values);
  shape.insert(shape.begin(), size_t(rest + 1 - values.rank()), k.constant(1));
  for (int64_t d = 0; d < rest; ++d) {
    OpFoldResult size = shape[size_t(d) + 1], wanted = sizes[size_t(mask.rank() + d)];
    if (getConstantIntValue(size) != 1 && size != wanted)
      return k.refuse("values that are not known to broadcast");
  }
  if (hasRows)
    checkCount(k, "indices", "values", /*mayBeMore=*/false,
               "shape mismatch: value tensor cannot be broadcast to indexing result");
  return k.finish(plan::Family::Scatter, writeByMask(k, self, mask, k.reshape(values, shape), how));
}

static LogicalResult convertMaskedScatter(KernelBuilder &k) {
  Tensor self = k.self(), mask = k.tensor("mask"), source = k.tensor("source");
  std::optional<Sizes> sizes = k.resultSizes();
  if (!self || !mask || !source || !sizes || !isBool(mask.dtype) || source.dtype != self.dtype)
    return k.refuseComplexOr("a size of the result is no input's");
  auto same = [](ElementBuilder &, ValueRange x) { return x[0]; };
  std::optional<Tensor> whole = k.broadcast(self, *sizes, self.dtype, same),
                        where = k.broadcast(mask, *sizes, DType::Bool, same);
  if (!whole || !where)
    return k.refuse("shapes that do not broadcast");
  checkCount(k, "mask", "source", /*mayBeMore=*/true,
             "Number of elements of source < number of ones in mask");
  Tensor result = writeByMask(k, k.flat(*whole), k.flat(*where), k.flat(source), Combine::Replace);
  return k.finish(plan::Family::Scatter, k.reshape(result, *sizes));
}

static LogicalResult convertIndexPut(KernelBuilder &k) {
  Tensor self = k.self(), values = k.tensor("values");
  std::optional<bool> adds = k.flag("accumulate");
  if (!self || !values || !adds)
    return k.refuseComplexOr("parameters known only at run time");
  std::optional<AdvancedIndex> index = readIndices(k, self);
  Combine how = *adds ? Combine::Add : Combine::Replace;
  if (!index)
    return putByMask(k, self, values, how);
  std::optional<Sizes> named = namedSizes(k, self, *index);
  std::optional<SmallVector<Access>> ins = named ? index->reach(k, *named) : std::nullopt;
  AffineMap valueAt = ins ? k.broadcastMap(values, *named) : AffineMap();
  if (!named || !ins || !valueAt || values.dtype != self.dtype)
    return k.refuse("sizes of indices or values are not known to broadcast");
  SmallVector<Value> limits = k.toValues(k.sizesOf(self));
  Tensor result = k.writeInTurn(self, *named, [&](ElementBuilder &e, ValueRange at, Tensor now) {
    SmallVector<Value> elements;
    for (const Access &access : *ins)
      elements.push_back(KernelBuilder::read(e, access, at));
    SmallVector<Value> place = index->placeAt(e, elements, llvm::to_vector(at), limits);
    Value given = KernelBuilder::read(e, {values, valueAt}, at);
    if (*adds)
      given = combine(e, now.dtype, how, e.make<tensor::ExtractOp>(now.value, place), given);
    return Written{place, given};
  });
  index->raiseOutside(k);
  return k.finish(plan::Family::Scatter, result);
}

ArrayRef<ConverterRow> ptc::getScatterRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::Scatter, convertScatter},
      {S::IndexAdd, convertIndexRows},
      {S::IndexFill, convertIndexRows},
      {S::IndexPut, convertIndexPut},
      {S::MaskedScatter, convertMaskedScatter},
  };
  return kRows;
}
