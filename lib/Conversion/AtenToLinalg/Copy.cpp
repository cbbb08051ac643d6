//===- Copy.cpp - Joins, repetitions, shifts, padding, other sizes as kernels ------------===//
//
// In: overloads whose result holds elements of their arguments at other places. Out: a kernel of
// family copy: slices inserted into an empty tensor, or loops that read computed places.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

using namespace mlir;
using namespace ptc;

using P = arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

/// Copies if no tensor is converted.
static plan::Family familyOf(ArrayRef<Tensor> tensors, DType result) {
  bool converts = llvm::any_of(tensors, [&](Tensor t) { return t.dtype != result; });
  return converts ? plan::Family::Pointwise : plan::Family::Copy;
}

static LogicalResult convertCat(KernelBuilder &k) {
  SmallVector<Tensor, 4> tensors = k.tensors("tensors");
  std::optional<Sizes> sizes = k.resultSizes();
  DType result = k.resultDType();
  if (!sizes || llvm::any_of(tensors, [](Tensor t) { return !t; }))
    return k.refuseComplexOr("a size of the result is no input's");
  int64_t rank = int64_t(sizes->size());
  std::optional<int64_t> dim = k.dim("dim", rank);
  if (!dim)
    return k.refuse("the dimension is known only at run time");
  Tensor whole = k.empty(*sizes, result);
  Sizes starts(size_t(rank), k.constant(0));
  for (Tensor t : tensors) {
    // Eager skips vectors without elements, whatever the rank.
    if (t.rank() != rank || t.size(*dim) == 0)
      continue;
    whole = k.insert(k.convert(t, result), whole, starts);
    starts[size_t(*dim)] = k.sum(starts[size_t(*dim)], k.sizeOf(t, *dim));
  }
  return k.finish(familyOf(tensors, result), whole);
}

static LogicalResult convertStack(KernelBuilder &k) {
  SmallVector<Tensor, 4> tensors = k.tensors("tensors");
  std::optional<Sizes> sizes = k.resultSizes();
  DType result = k.resultDType();
  if (!sizes || llvm::any_of(tensors, [](Tensor t) { return !t; }))
    return k.refuseComplexOr("a size of the result is no input's");
  std::optional<int64_t> dim = k.dim("dim", int64_t(sizes->size()));
  if (!dim)
    return k.refuse("the dimension is known only at run time");
  Tensor whole = k.empty(*sizes, result);
  Mask isNew(sizes->size(), false);
  isNew[size_t(*dim)] = true;
  Sizes starts(sizes->size(), k.constant(0));
  for (auto [i, t] : llvm::enumerate(tensors)) {
    starts[size_t(*dim)] = k.constant(int64_t(i));
    whole = k.insert(k.withOnes(k.convert(t, result), isNew), whole, starts);
  }
  return k.finish(familyOf(tensors, result), whole);
}

//===----------------------------------------------------------------------===//
// Repetitions
//===----------------------------------------------------------------------===//

/// Each dimension as [times, size], which then become one.
static LogicalResult repeat(KernelBuilder &k, ArrayRef<Attribute> times) {
  Tensor self = k.self();
  std::optional<Sizes> sizes = k.resultSizes();
  if (!self || !sizes)
    return k.refuseComplexOr("a size of the result is no input's");
  int64_t missing = int64_t(sizes->size()) - self.rank();
  Sizes apart, own = k.sizesOf(self);
  SmallVector<AffineExpr> places;
  for (int64_t d = 0; d < int64_t(sizes->size()); ++d) {
    int64_t fromEnd = int64_t(sizes->size()) - d;
    OpFoldResult count = fromEnd <= int64_t(times.size())
                             ? k.extent(times[times.size() - size_t(fromEnd)])
                             : k.constant(1);
    if (!count)
      return k.refuse("a count is no size and no number");
    apart.push_back(count);
    if (d < missing)
      continue;
    places.push_back(k.at(int64_t(apart.size())));
    apart.push_back(own[size_t(d - missing)]);
  }
  AffineMap map = k.mapOf(int64_t(apart.size()), places);
  Tensor copies = k.map(Access{self, map}, apart, self.dtype,
                        [](ElementBuilder &, ValueRange x) { return x[0]; });
  return k.finish(plan::Family::Copy, k.reshape(copies, *sizes));
}

static LogicalResult convertRepeat(KernelBuilder &k) {
  auto times = dyn_cast<ArrayAttr>(k.arg(k.has("repeats") ? "repeats" : "dims").getAttr());
  return times ? repeat(k, times.getValue()) : k.refuse("counts are no list");
}

/// Each entry of a dimension, several times in a row.
static LogicalResult convertRepeatInterleave(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<Sizes> sizes = k.resultSizes();
  OpFoldResult count = k.extent(k.arg("repeats").getAttr());
  if (!self || !sizes || k.info().overload() != "self_int" || !count)
    return k.refuseComplexOr("counts of each entry");
  if (k.isNone("dim"))
    self = k.flat(self);
  std::optional<int64_t> dim =
      k.isNone("dim") ? std::optional<int64_t>(0) : k.dim("dim", self.rank());
  if (!dim)
    return k.refuse("the dimension is known only at run time");
  if (self.rank() == 0)
    self = k.flat(self);
  Sizes apart = k.sizesOf(self);
  apart.insert(apart.begin() + *dim + 1, count);
  Mask isCopy(apart.size(), false);
  isCopy[size_t(*dim) + 1] = true;
  Tensor copies = k.map(Access{self, k.without(isCopy)}, apart, self.dtype,
                        [](ElementBuilder &, ValueRange x) { return x[0]; });
  return k.finish(plan::Family::Copy, k.reshape(copies, *sizes));
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// i modulo the size, as Python has it.
static Value wrap(ElementBuilder &e, Value i, Value size) {
  Value rest = e.make<arith::RemSIOp>(i, size);
  return e.select(e.compareIndex(P::slt, rest, e.index(0)), e.addIndex(rest, size), rest);
}

static LogicalResult convertRoll(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<Sizes> shifts = k.extents("shifts");
  std::optional<SmallVector<int64_t, 4>> dims = k.ints("dims");
  if (!self || !shifts || !dims)
    return k.refuseComplexOr("dimensions known only at run time");
  Sizes sizes = k.sizesOf(self);
  Tensor source = self;
  if (dims->empty()) {
    source = k.flat(self);
    dims = {0};
  }
  SmallVector<Value> limits = k.toValues(k.sizesOf(source)), ways = k.toValues(*shifts);
  Tensor moved = k.move(source, k.sizesOf(source), [&](ElementBuilder &e, ValueRange at) {
    SmallVector<Value, 6> from(at);
    for (auto [dim, way] : llvm::zip_equal(*dims, ways)) {
      size_t d = size_t(dim < 0 ? dim + source.rank() : dim);
      from[d] = wrap(e, e.subIndex(from[d], way), limits[d]);
    }
    return from;
  });
  return k.finish(plan::Family::Copy, k.reshape(moved, sizes));
}

static LogicalResult convertFlip(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<SmallVector<int64_t, 4>> dims = k.ints("dims");
  if (!self || !dims)
    return k.refuse("complex numbers");
  SmallVector<Value> last;
  for (OpFoldResult size : k.sizesOf(self))
    last.push_back(k.top().subIndex(k.toValue(size), k.top().index(1)));
  Tensor moved = k.move(self, k.sizesOf(self), [&](ElementBuilder &e, ValueRange at) {
    SmallVector<Value, 6> from(at);
    for (int64_t dim : *dims)
      if (self.rank()) {
        size_t d = size_t(dim < 0 ? dim + self.rank() : dim);
        from[d] = e.subIndex(last[d], at[d]);
      }
    return from;
  });
  return k.finish(plan::Family::Copy, moved);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// `pad` counts from the last dimension: before, after; negative ones cut.
static LogicalResult padWith(KernelBuilder &k, Tensor self, ArrayRef<OpFoldResult> pad,
                             Value value) {
  std::optional<Sizes> sizes = k.resultSizes();
  if (!sizes)
    return k.refuse("a size of the result is no input's");
  auto fillAll = [&] { return k.finish(plan::Family::Copy, k.fill(*sizes, self.dtype, value)); };
  if (self.hasZero())
    return fillAll();
  Sizes starts(size_t(self.rank()), k.constant(0));
  Tensor part = self;
  for (size_t i = 0; i + 1 < pad.size(); i += 2) {
    int64_t d = self.rank() - 1 - int64_t(i / 2);
    starts[size_t(d)] = k.positivePart(pad[i]);
    OpFoldResult cut = k.positivePart(k.difference(k.constant(0), pad[i])),
                 more = k.positivePart(k.difference(k.constant(0), pad[i + 1]));
    if (isConstantIntValue(cut, 0) && isConstantIntValue(more, 0))
      continue;
    OpFoldResult left = k.difference(k.sizeOf(self, d), k.sum(cut, more));
    if (std::optional<int64_t> known = getConstantIntValue(left); known && *known <= 0)
      return fillAll();
    // All may be cut: then nothing is copied.
    part = k.slice(part, d, cut, k.positivePart(left));
  }
  return k.finish(plan::Family::Copy, k.insert(part, k.fill(*sizes, self.dtype, value), starts));
}

static LogicalResult convertConstantPad(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<Sizes> pad = k.extents("pad");
  Value value = self ? k.number(k.arg("value"), self.dtype) : Value();
  if (!value || !pad)
    return k.refuseComplexOr("padding that is no number");
  return padWith(k, self, *pad, value);
}

namespace {
/// What is added at the ends of a dimension of `size`.
struct Margins {
  Value size, before, after;
};
} // namespace

/// Where entry `i` of a dimension that is padded by mode comes from.
static Value paddedFrom(ElementBuilder &e, StringRef mode, Value i, const Margins &margins) {
  Value zero = e.index(0), size = margins.size;
  if (mode == "circular") { // what is cut off is not repeated
    auto cutBy = [&](Value margin) {
      return e.make<arith::MaxSIOp>(e.subIndex(zero, margin), zero);
    };
    Value cut = cutBy(margins.before);
    Value kept = e.subIndex(size, e.addIndex(cut, cutBy(margins.after)));
    Value place = e.subIndex(i, e.make<arith::MaxSIOp>(margins.before, zero));
    return e.addIndex(cut, wrap(e, place, kept));
  }
  i = e.subIndex(i, margins.before);
  if (mode == "replicate")
    return e.clampIndex(i, size);
  Value isBelow = e.compareIndex(P::slt, i, zero);
  Value positive = e.select(isBelow, e.subIndex(zero, i), i);
  Value mirrored = e.subIndex(e.mulIndex(e.index(2), e.subIndex(size, e.index(1))), positive);
  return e.select(e.compareIndex(P::sge, positive, size), mirrored, positive);
}

static LogicalResult convertPad(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<Sizes> pad = k.extents("pad");
  std::optional<StringRef> mode = k.arg("mode").getString();
  std::optional<Sizes> sizes = k.resultSizes();
  if (!self || !pad || !mode || !sizes)
    return k.refuseComplexOr("padding that is no number");
  if (*mode == "constant") {
    Value value =
        k.isNone("value") ? k.top().integer(self.dtype, 0) : k.number(k.arg("value"), self.dtype);
    return value ? padWith(k, self, *pad, value) : k.refuse("the value is no real number");
  }
  SmallVector<Value> limits = k.toValues(k.sizesOf(self)), added = k.toValues(*pad);
  Tensor moved = k.move(self, *sizes, [&](ElementBuilder &e, ValueRange at) {
    SmallVector<Value, 6> from(at);
    for (size_t i = 0; i + 1 < added.size(); i += 2) {
      size_t d = size_t(self.rank()) - 1 - i / 2;
      from[d] = paddedFrom(e, *mode, at[d], {limits[d], added[i], added[i + 1]});
    }
    return from;
  });
  return k.finish(plan::Family::Copy, moved);
}

//===----------------------------------------------------------------------===//
// Diagonals
//===----------------------------------------------------------------------===//

static LogicalResult convertTriangle(KernelBuilder &k) {
  Tensor self = k.self();
  OpFoldResult diagonal = k.extent(k.arg("diagonal").getAttr());
  if (!self || !diagonal)
    return k.refuse("complex numbers");
  P outside = k.info().baseName() == "tril" ? P::sgt : P::slt;
  Value limit = k.toValue(diagonal);
  size_t rank = size_t(self.rank());
  Tensor out =
      k.map(Access{self, k.identity(self.rank())}, k.sizesOf(self), self.dtype,
            [&](ElementBuilder &e, ValueRange x) {
              Value way =
                  e.subIndex(e.make<linalg::IndexOp>(rank - 1), e.make<linalg::IndexOp>(rank - 2));
              return e.select(e.compareIndex(outside, way, limit), e.integer(self.dtype, 0), x[0]);
            });
  return k.finish(plan::Family::Copy, out);
}

/// Elements of `part` on the diagonal `offset` of dimensions `rows` and `columns` of the result,
/// whose other elements come from `rest` (zero if there is none). The diagonal is `part`'s last
/// dimension.
static Tensor onDiagonal(KernelBuilder &k, Tensor part, Tensor rest, const Sizes &sizes,
                         int64_t rows, int64_t columns, int64_t offset) {
  Value length = k.toValue(k.sizesOf(part).back());
  return k.fromIndices(sizes, part.dtype, [&](ElementBuilder &e, ValueRange at) {
    Value row = at[size_t(rows)], column = at[size_t(columns)];
    Value isOn = e.compareIndex(P::eq, e.subIndex(column, row), e.index(offset));
    SmallVector<Value, 6> from;
    for (auto [d, i] : llvm::enumerate(at))
      if (int64_t(d) != rows && int64_t(d) != columns)
        from.push_back(i);
    from.push_back(e.clampIndex(offset >= 0 ? row : column, length));
    Value other = rest ? e.make<tensor::ExtractOp>(rest.value, at) : e.integer(part.dtype, 0);
    return e.select(isOn, e.make<tensor::ExtractOp>(part.value, from), other);
  });
}

static LogicalResult convertDiag(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<int64_t> offset = k.arg("diagonal").getInt();
  std::optional<Sizes> sizes = k.resultSizes();
  if (!self || !offset || !sizes)
    return k.refuseComplexOr("a diagonal known only at run time");
  if (self.rank() == 1 && self.size(0) == 0)
    return k.finish(plan::Family::Copy, k.fill(*sizes, self.dtype, k.top().integer(self.dtype, 0)));
  if (self.rank() == 1)
    return k.finish(plan::Family::Copy, onDiagonal(k, self, {}, *sizes, 0, 1, *offset));
  Tensor moved = k.move(self, *sizes, [&](ElementBuilder &e, ValueRange at) {
    Value row = e.addIndex(at[0], e.index(std::max<int64_t>(-*offset, 0)));
    Value column = e.addIndex(at[0], e.index(std::max<int64_t>(*offset, 0)));
    return SmallVector<Value, 6>{row, column};
  });
  return k.finish(plan::Family::Copy, moved);
}

static LogicalResult convertDiagEmbed(KernelBuilder &k) {
  bool isScatter = k.info().shapeRule == aten::ShapeRule::DiagonalScatter;
  Tensor self = k.self(), part = isScatter ? k.tensor("src") : self;
  std::optional<Sizes> sizes = k.resultSizes();
  std::optional<int64_t> offset = k.arg("offset").getInt();
  if (!self || !part || !sizes || !offset)
    return k.refuseComplexOr("a diagonal known only at run time");
  int64_t rank = int64_t(sizes->size());
  std::optional<int64_t> rows = k.dim("dim1", rank), columns = k.dim("dim2", rank);
  if (!rows || !columns)
    return k.refuse("dimensions are known only at run time");
  if (part.size(part.rank() - 1) == 0) // nothing lies on it
    return k.finish(plan::Family::Copy,
                    isScatter ? self : k.fill(*sizes, self.dtype, k.top().integer(self.dtype, 0)));
  Tensor rest = isScatter ? self : Tensor();
  return k.finish(plan::Family::Copy, onDiagonal(k, k.convert(part, self.dtype), rest, *sizes,
                                                 *rows, *columns, *offset));
}

//===----------------------------------------------------------------------===//
// Parts of a tensor written
//===----------------------------------------------------------------------===//

static LogicalResult convertSelectScatter(KernelBuilder &k) {
  Tensor self = k.self(), src = k.tensor("src");
  OpFoldResult index = k.extent(k.arg("index").getAttr());
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  if (!self || !src || !index || !dim || src.dtype != self.dtype)
    return k.refuseComplexOr("a dimension known only at run time");
  std::optional<int64_t> known = getConstantIntValue(index);
  ElementBuilder top = k.top();
  if (!known || (*known < 0 && self.size(*dim) == ShapedType::kDynamic))
    index = wrap(top, k.toValue(index), k.toValue(k.sizeOf(self, *dim)));
  else if (*known < 0)
    index = k.constant(*known + self.size(*dim));
  Sizes starts(size_t(self.rank()), k.constant(0));
  starts[size_t(*dim)] = index;
  Mask isNew(size_t(self.rank()), false);
  isNew[size_t(*dim)] = true;
  return k.finish(plan::Family::Copy, k.insert(k.withOnes(src, isNew), self, starts));
}

/// Only for a start and sizes that are numbers: what lies behind the end is cut.
static LogicalResult convertSliceScatter(KernelBuilder &k) {
  Tensor self = k.self(), src = k.tensor("src");
  std::optional<int64_t> dim = self ? k.dim("dim", self.rank()) : std::nullopt;
  std::optional<int64_t> start =
      k.isNone("start") ? std::optional<int64_t>(0) : k.arg("start").getInt();
  std::optional<int64_t> step = k.arg("step").getInt();
  if (!self || !src || !dim || !start || !step || src.dtype != self.dtype ||
      self.size(*dim) == ShapedType::kDynamic)
    return k.refuseComplexOr("sizes known only at run time");
  int64_t size = self.size(*dim);
  if (*start < 0)
    *start += size;
  Sizes starts(size_t(self.rank()), k.constant(0));
  starts[size_t(*dim)] = k.constant(std::clamp<int64_t>(*start, 0, size));
  for (int64_t d = 0; d < src.rank(); ++d)
    if (src.size(d) == 0)
      return k.finish(plan::Family::Copy, self);
  Sizes steps(size_t(self.rank()), k.constant(1));
  steps[size_t(*dim)] = k.constant(*step);
  return k.finish(plan::Family::Copy, k.insert(src, self, starts, steps));
}

//===----------------------------------------------------------------------===//
// Pixels
//===----------------------------------------------------------------------===//

/// [outer, c, i, j, h, w] and [outer, c, h, i, w, j] change places.
static LogicalResult convertPixelShuffle(KernelBuilder &k) {
  bool isShuffle = k.info().baseName() == "pixel_shuffle";
  Tensor self = k.self();
  std::optional<Sizes> sizes = k.resultSizes();
  std::optional<int64_t> r = k.arg(isShuffle ? "upscale_factor" : "downscale_factor").getInt();
  if (!self || !r || !sizes)
    return k.refuseComplexOr("a factor known only at run time");
  size_t outer = sizes->size() - 3;
  const Sizes &big = isShuffle ? *sizes : k.sizesOf(self);
  const Sizes &small = isShuffle ? k.sizesOf(self) : *sizes;
  Sizes apart(big.begin(), big.begin() + int64_t(outer) + 1); // outer and channels
  Sizes stored = apart, made = apart;
  OpFoldResult factor = k.constant(*r), height = small[outer + 1], width = small[outer + 2];
  Sizes many{factor, factor, height, width}, wide{height, factor, width, factor};
  stored.append(isShuffle ? many : wide);
  made.append(isShuffle ? wide : many);
  // The loops are those of the result.
  SmallVector<AffineExpr> places;
  for (int64_t d = 0; d <= int64_t(outer); ++d)
    places.push_back(k.at(d));
  int64_t first = int64_t(outer) + 1;
  SmallVector<int64_t> order =
      isShuffle ? SmallVector<int64_t>{1, 3, 0, 2} : SmallVector<int64_t>{2, 0, 3, 1};
  for (int64_t from : order)
    places.push_back(k.at(first + from));
  Tensor parted = k.reshape(self, stored);
  Tensor moved = k.map(Access{parted, k.mapOf(parted.rank(), places)}, made, self.dtype,
                       [](ElementBuilder &, ValueRange x) { return x[0]; });
  return k.finish(plan::Family::Copy, k.reshape(moved, *sizes));
}

//===----------------------------------------------------------------------===//
// Other sizes
//===----------------------------------------------------------------------===//

/// What no view can show: the elements in a row, whose dimensions then go together or apart.
static LogicalResult convertReshape(KernelBuilder &k) {
  Tensor self = k.self();
  std::optional<Sizes> sizes = k.resultSizes();
  if (!self || !sizes)
    return k.refuseComplexOr("a size of the result is no input's");
  Tensor row = k.map(Access{self, k.identity(self.rank())}, k.sizesOf(self), self.dtype,
                     [](ElementBuilder &, ValueRange x) { return x[0]; });
  return k.finish(plan::Family::Copy, k.reshape(row, *sizes));
}

ArrayRef<ConverterRow> ptc::getCopyRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::Cat, convertCat},
      {S::Stack, convertStack},
      {S::Repeat, convertRepeat},
      {S::Tile, convertRepeat},
      {S::RepeatInterleave, convertRepeatInterleave},
      {S::Roll, convertRoll},
      {S::Flip, convertFlip},
      {S::ConstantPad, convertConstantPad},
      {S::Pad, convertPad},
      {S::Triangle, convertTriangle},
      {S::Diag, convertDiag},
      {S::DiagEmbed, convertDiagEmbed},
      {S::DiagonalScatter, convertDiagEmbed},
      {S::SelectScatter, convertSelectScatter},
      {S::SliceScatter, convertSliceScatter},
      {S::PixelShuffle, convertPixelShuffle},
      {S::Reshape, convertReshape},
      {S::ReshapeAs, convertReshape},
      {S::Flatten, convertReshape},
  };
  return kRows;
}
