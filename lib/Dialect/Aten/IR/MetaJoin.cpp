//===- MetaJoin.cpp - Shape functions of joining, repeating and padding ------===//
//
// In: tensors, counts. Out: larger, rearranged or padded copies.
//
//===----------------------------------------------------------------------===//
#include "ViewGeometry.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

/// Of each tensor, whether it takes no part in cat: an empty vector, whatever the rank of the
/// others. Among vectors alone one without elements adds nothing: nobody has to ask.
static llvm::SmallVector<bool, 8> findSkipped(Inference &inf,
                                              llvm::ArrayRef<const TensorMeta *> tensors) {
  bool isAsked = llvm::any_of(tensors, [](const TensorMeta *t) { return t->dim() != 1; });
  llvm::SmallVector<bool, 8> skipped;
  for (const TensorMeta *t : tensors)
    skipped.push_back(t->dim() == 1 &&
                      (isAsked ? inf.isEqual(t->sizes[0], 0, "empty vectors are left out of cat")
                               : t->sizes[0].isZero()));
  return skipped;
}

/// The format that all tensors suggest, contiguous if they differ.
static MemoryFormat commonFormat(Inference &inf, llvm::ArrayRef<const TensorMeta *> tensors) {
  std::optional<MemoryFormat> common;
  for (const TensorMeta *t : tensors) {
    MemoryFormat format = inf.suggestMemoryFormat(*t);
    if (format == MemoryFormat::Contiguous || (common && *common != format))
      return MemoryFormat::Contiguous;
    common = format;
  }
  return common.value_or(MemoryFormat::Contiguous);
}

static void checkSameButDim(Inference &inf, const TensorMeta &first, const TensorMeta &t,
                            size_t dim, size_t index) {
  if (first.dim() != t.dim())
    return inf.raise("Tensors must have same number of dimensions: got {0} and {1}", first.dim(),
                     t.dim());
  for (int64_t d = 0; d < first.dim(); ++d)
    if (d != int64_t(dim) && !inf.isEqual(first.sizes[d], t.sizes[d], "sizes that are joined"))
      return inf.raise("Sizes of tensors must match except in dimension {0}. Expected size {1} but "
                       "got size {2} for tensor number {3} in the list.",
                       dim, inf.str(first.sizes[d]), inf.str(t.sizes[d]), index);
}

void ptc::aten::inferCat(Inference &inf) {
  llvm::ArrayRef<const TensorMeta *> tensors = inf.tensors("tensors");
  if (tensors.empty())
    return inf.raiseAs(PyErrorKind::ValueError,
                       "torch.cat(): expected a non-empty list of Tensors");
  for (auto [i, t] : llvm::enumerate(tensors))
    if (t->dim() == 0)
      return inf.raise("zero-dimensional tensor (at position {0}) cannot be concatenated", i);
  llvm::SmallVector<bool, 8> skipped = findSkipped(inf, tensors);
  if (inf.failed())
    return;
  size_t at = llvm::find(skipped, false) - skipped.begin();
  const TensorMeta *first = at < tensors.size() ? tensors[at] : nullptr;
  DType dtype = inf.resultType(tensors);
  if (!first)
    return inf.add(inf.make(dtype, {inf.constant(0)}));
  int64_t dim = inf.wrapDim(inf.intValue("dim"), first->dim());
  if (inf.failed())
    return;
  Exprs sizes = first->sizes;
  sizes[dim] = inf.constant(0);
  for (auto [i, t] : llvm::enumerate(tensors)) {
    if (skipped[i])
      continue;
    checkSameButDim(inf, *first, *t, dim, i);
    if (inf.failed())
      return;
    sizes[dim] = inf.sym.add(sizes[dim], t->sizes[dim]);
  }
  inf.add(inf.make(dtype, sizes, denseStrides(inf.sym, sizes, commonFormat(inf, tensors))));
}

static bool isOfNothing(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  return llvm::any_of(sizes,
                      [&](Expr size) { return inf.isEqual(size, 0, "memory layout of a stack"); });
}

/// Eager's stack is cat with the joined dimension split by a view, or, behind the last one, cat of
/// tensors with one dimension more: the format is cat's.
static Exprs stackedStrides(Inference &inf, llvm::ArrayRef<const TensorMeta *> tensors, int64_t dim,
                            const Exprs &sizes) {
  const TensorMeta &first = *tensors.front();
  if (dim == first.dim()) {
    llvm::SmallVector<TensorMeta, 4> longer;
    llvm::SmallVector<const TensorMeta *, 4> each;
    longer.reserve(tensors.size());
    for (const TensorMeta *t : tensors) {
      longer.push_back(*t);
      longer.back().sizes.push_back(inf.constant(1));
      longer.back().strides.push_back(inf.constant(1));
    }
    for (const TensorMeta &t : longer)
      each.push_back(&t);
    MemoryFormat format = commonFormat(inf, each);
    bool isPlain = format == MemoryFormat::Contiguous || isOfNothing(inf, sizes);
    return isPlain ? inf.contiguous(sizes) : denseStrides(inf.sym, sizes, format);
  }
  MemoryFormat format = commonFormat(inf, tensors);
  if (format == MemoryFormat::Contiguous)
    return inf.contiguous(sizes);
  TensorMeta joined = first;
  joined.sizes[dim] = inf.sym.mul(first.sizes[dim], inf.constant(int64_t(tensors.size())));
  joined.strides = denseStrides(inf.sym, joined.sizes, format);
  return viewStrides(inf, joined, sizes).value_or(inf.contiguous(sizes));
}

void ptc::aten::inferStack(Inference &inf) {
  llvm::ArrayRef<const TensorMeta *> tensors = inf.tensors("tensors");
  if (tensors.empty())
    return inf.raise("stack expects a non-empty TensorList");
  const TensorMeta &first = *tensors.front();
  int64_t dim = inf.wrapDim(inf.intValue("dim"), first.dim() + 1);
  for (auto [i, t] : llvm::enumerate(tensors))
    if (!inf.failed() && !inf.sameSizes(first.sizes, t->sizes, "sizes that are stacked"))
      return inf.raise("stack expects each tensor to be equal size, but got {0} at entry 0 and {1} "
                       "at entry {2}",
                       inf.str(first.sizes), inf.str(t->sizes), i);
  if (inf.failed())
    return;
  Exprs sizes = first.sizes;
  sizes.insert(sizes.begin() + dim, inf.constant(int64_t(tensors.size())));
  inf.add(inf.make(inf.resultType(tensors), sizes, stackedStrides(inf, tensors, dim, sizes)));
}

static constexpr llvm::StringLiteral kRepeatWhy = "how often a tensor is repeated";

static void repeatBy(Inference &inf, llvm::ArrayRef<Expr> repeats) {
  const TensorMeta &self = inf.self();
  if (int64_t(repeats.size()) < self.dim())
    return inf.raise("Number of dimensions of repeat dims can not be smaller than number of "
                     "dimensions of tensor");
  size_t lead = repeats.size() - self.dim();
  Exprs sizes;
  sizes.reserve(repeats.size());
  for (size_t i = 0; i < repeats.size(); ++i)
    sizes.push_back(i < lead ? repeats[i] : inf.sym.mul(self.sizes[i - lead], repeats[i]));
  for (auto [count, size] : llvm::zip_equal(repeats, sizes))
    if (inf.isLess(count, inf.constant(0), kRepeatWhy) && !inf.isEqual(size, 0, kRepeatWhy))
      return inf.raise("Trying to create tensor with negative dimension {0}: {1}", inf.str(size),
                       inf.str(sizes));
  inf.add(inf.make(self.dtype, sizes));
}

void ptc::aten::inferRepeat(Inference &inf) { repeatBy(inf, inf.exprList("repeats")); }

void ptc::aten::inferTile(Inference &inf) {
  llvm::ArrayRef<Expr> dims = inf.exprList("dims");
  Exprs repeats(std::max<int64_t>(0, inf.self().dim() - int64_t(dims.size())), inf.constant(1));
  repeats.append(dims.begin(), dims.end());
  repeatBy(inf, repeats);
}

void ptc::aten::inferRepeatInterleave(Inference &inf) {
  const TensorMeta &self = inf.self();
  bool isFlat = inf.isNone("dim");
  int64_t dim = isFlat ? 0 : inf.wrapDim(inf.intValue("dim"), self.dim());
  if (inf.failed())
    return;
  Exprs sizes = self.sizes;
  if (isFlat || self.dim() == 0)
    sizes = {numel(inf.sym, self)};
  if (const TensorMeta *repeats = inf.tensor("repeats")) {
    if (repeats->dtype != DType::Int64 && repeats->dtype != DType::Int32)
      inf.refuse("repeat_interleave_cpu", repeats->dtype);
    if (repeats->dim() > 1)
      return inf.raise("repeats must be 0-dim or 1-dim tensor");
    constexpr llvm::StringLiteral why = "as many repeats as elements";
    if (repeats->dim() == 1 && !inf.isEqual(repeats->sizes[0], 1, why) &&
        !inf.isEqual(repeats->sizes[0], sizes[dim], why))
      return inf.raise("repeats must have the same size as input along dim, but got "
                       "repeats.size(0) = {0} and input.size({1}) = {2}",
                       inf.str(repeats->sizes[0]), dim, inf.str(sizes[dim]));
    if (!isFlat && self.dim() == 0)
      return inf.raiseAs(PyErrorKind::IndexError,
                         "Dimension specified as {0} but tensor has no dimensions", dim);
    sizes[dim] = inf.isNone("output_size") ? inf.ctx.freshUnbacked(0, Expr(), "sum of the repeats")
                                           : inf.intExpr("output_size");
  } else {
    Expr times = inf.intExpr("repeats");
    if (inf.isLess(times, inf.constant(0), "repeats are not negative"))
      return inf.raise("repeats must be non-negative");
    if (!isFlat && self.dim() == 0)
      return inf.raiseAs(PyErrorKind::IndexError,
                         "Dimension out of range (expected to be in range of [], but got {0})",
                         dim);
    sizes[dim] = inf.sym.mul(sizes[dim], times);
    if (!inf.isNone("output_size") &&
        !inf.isEqual(inf.intExpr("output_size"), sizes[dim], "size of what is repeated"))
      return inf.raise("repeat_interleave: Invalid output_size, expected {0} but got {1}",
                       inf.str(sizes[dim]), inf.str(inf.intExpr("output_size")));
  }
  inf.add(inf.make(self.dtype, sizes));
}

/// `t` rolled along one dimension: eager joins its two pieces in the other order, and an empty one
/// is row-major.
static TensorMeta rolledOnce(Inference &inf, TensorMeta t, Expr shift, int64_t dim) {
  MemoryFormat format = inf.suggestMemoryFormat(t);
  Expr &size = t.sizes[size_t(dim < 0 ? dim + t.dim() : dim)], whole = size;
  if (size.isConstant() && shift.isConstant()) {
    int64_t length = *size.asConstant(), start = (length - *shift.asConstant() % length) % length;
    size = inf.constant(start);
    format = inf.suggestMemoryFormat(t);
    size = inf.constant(length - start);
    if (inf.suggestMemoryFormat(t) != format)
      format = MemoryFormat::Contiguous;
    size = whole;
  } else if (format != MemoryFormat::Contiguous) {
    inf.unsupported("a channels-last tensor along a size, or by a shift, that only the run knows");
  }
  t.strides = denseStrides(inf.sym, t.sizes, format);
  return t;
}

void ptc::aten::inferRoll(Inference &inf) {
  const TensorMeta &self = inf.self();
  size_t shifts = inf.exprList("shifts").size();
  llvm::SmallVector<int64_t, 4> dims = inf.intList("dims");
  if (shifts == 0)
    return inf.raise("`shifts` required");
  if (dims.empty() && shifts != 1)
    return inf.raise("shifts and dimensions must align. shifts: {0}, dims:0", shifts);
  if (!dims.empty() && dims.size() != shifts)
    return inf.raise("shifts and dimensions must align. shifts: {0}, dims:{1}", shifts,
                     dims.size());
  if (!dims.empty() && self.dim() == 0)
    return inf.raiseAs(PyErrorKind::IndexError,
                       "Dimension specified as {0} but tensor has no dimensions", dims[0]);
  if (llvm::none_of(self.sizes, [](Expr e) { return e.isZero(); }))
    for (int64_t d : dims)
      inf.wrapDim(d, self.dim());
  if (inf.failed())
    return;
  bool isFlat = dims.empty() && self.dim() != 1;
  if (!isFlat && self.strides != inf.contiguous(self.sizes) && inf.isEmpty(self))
    return inf.add(inf.make(self.dtype, self.sizes, inf.likeStrides(self)));
  TensorMeta rolled = self;
  rolled.strides = inf.contiguous(self.sizes);
  if (!dims.empty() && !inf.isEmpty(self)) {
    rolled.strides = self.strides;
    for (auto [shift, dim] : llvm::zip_equal(inf.exprList("shifts"), dims))
      rolled = rolledOnce(inf, rolled, shift, dim);
  }
  inf.add(inf.make(self.dtype, self.sizes, rolled.strides));
}

void ptc::aten::inferFlip(Inference &inf) {
  inf.dimMask(inf.intList("dims"), inf.self().dim());
  inf.add(inf.make(inf.self().dtype, inf.self().sizes, inf.likeStrides(inf.self())));
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// A tensor whose last dimensions grow by `pad`, or shrink.
static void addPadded(Inference &inf, llvm::ArrayRef<Expr> pad, MemoryFormat format) {
  const TensorMeta &self = inf.self();
  Exprs sizes = self.sizes;
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    size_t d = sizes.size() - 1 - i;
    sizes[d] = inf.sym.sum({sizes[d], pad[2 * i], pad[2 * i + 1]});
    if (inf.isLess(sizes[d], inf.constant(0), "padding"))
      return inf.raise("narrow(): length must be non-negative.");
  }
  inf.add(inf.make(self.dtype, sizes, denseStrides(inf.sym, sizes, format)));
}

static void padConstant(Inference &inf, llvm::ArrayRef<Expr> pad) {
  const TensorMeta &self = inf.self();
  inf.checkNumber(inf.arg("value"), self.dtype);
  if (pad.size() % 2)
    return inf.raise("Length of pad must be even but instead it equals {0}", pad.size());
  if (int64_t(pad.size()) > 2 * self.dim())
    return inf.raise("Length of pad should be no more than twice the number of dimensions of the "
                     "input. Pad length is {0}while the input has {1}dimensions.",
                     pad.size(), self.dim());
  for (size_t i = 0; i < pad.size(); ++i) { // what is cut off comes first
    Expr size = self.sizes[self.dim() - 1 - i / 2];
    if (inf.isLess(inf.sym.add(size, pad[i]), inf.constant(0), "padding"))
      return inf.raise("narrow(): length must be non-negative.");
  }
  addPadded(inf, pad, inf.suggestMemoryFormat(inf.self()));
}

void ptc::aten::inferConstantPad(Inference &inf) {
  const TensorMeta &self = inf.self();
  if (inf.exprList("pad").empty()) // a clone
    return inf.add(inf.make(self.dtype, self.sizes, inf.likeStrides(self)));
  padConstant(inf, inf.exprList("pad"));
}

/// Size of the dimension of pad[2 * i] and pad[2 * i + 1], and what it becomes.
static std::pair<Expr, Expr> paddedSize(Inference &inf, llvm::ArrayRef<Expr> pad, size_t i) {
  Expr size = inf.self().sizes[inf.self().dim() - 1 - int64_t(i)];
  return {size, inf.sym.sum({size, pad[2 * i], pad[2 * i + 1]})};
}

/// Both ends repeat the elements next to the other, of those that are not cut off.
static void checkCircularPad(Inference &inf, llvm::ArrayRef<Expr> pad) {
  constexpr llvm::StringLiteral why = "circular padding";
  Expr zero = inf.constant(0);
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    auto [size, padded] = paddedSize(inf, pad, i);
    Expr before = pad[2 * i], after = pad[2 * i + 1];
    if (inf.isLess(size, before, why) || inf.isLess(size, after, why))
      return inf.raise("Padding value causes wrapping around more than once.");
    if (inf.isLess(padded, zero, why))
      return inf.raise("Negative padding value is resulting in an empty dimension");
    Expr kept = inf.sym.sum({size, inf.sym.min(before, zero), inf.sym.min(after, zero)});
    if (inf.isLess(kept, inf.sym.max(before, after), why))
      return inf.unsupported("circular padding by more than is left: eager reads what it has not "
                             "written");
  }
}

/// Reflected and replicated edges.
static void checkImagePad(Inference &inf, llvm::StringRef mode, llvm::ArrayRef<Expr> pad) {
  const TensorMeta &self = inf.self();
  size_t spatial = pad.size() / 2;
  bool isReflect = mode == "reflect", isSome = false;
  for (Expr size : llvm::ArrayRef(self.sizes).take_back(spatial + 1))
    if (inf.isEqual(size, 0, "padding of nothing"))
      return inf.raise("Expected {0}D or {1}D (batch mode) tensor with possibly 0 batch size and "
                       "other non-zero dimensions for input, but got: {2}",
                       spatial + 1, spatial + 2, inf.str(self.sizes));
  for (size_t i = 0; i < pad.size(); ++i)
    if (isReflect && !inf.isLess(pad[i], paddedSize(inf, pad, i / 2).first, "reflected padding"))
      return inf.raise("Argument #{4}: Padding size should be less than the corresponding input "
                       "dimension, but got: padding ({0}, {1}) at dimension {2} of input {3}",
                       inf.str(pad[i & ~size_t(1)]), inf.str(pad[i | 1]), self.dim() - 1 - i / 2,
                       inf.str(self.sizes), 4 + i / 2 * 2);
  for (size_t i = 0; i < spatial; ++i)
    isSome |= !inf.isLess(paddedSize(inf, pad, i).second, inf.constant(1), "padding");
  if (!isSome)
    inf.raise("input {0} is too small for its padding", inf.str(self.sizes));
  if (isBool(self.dtype))
    inf.refuse((isReflect ? "reflection_pad" : "replication_pad") + std::to_string(spatial) + "d",
               self.dtype);
}

void ptc::aten::inferPad(Inference &inf) {
  const TensorMeta &self = inf.self();
  llvm::ArrayRef<Expr> pad = inf.exprList("pad");
  llvm::StringRef mode = inf.strValue("mode");
  if (pad.size() % 2)
    return inf.raise("Padding length must be divisible by 2");
  if (int64_t(pad.size()) > 2 * self.dim())
    return inf.raise("Padding length should be less than or equal to two times the input dimension "
                     "but got padding length {0} and input of dimension {1}",
                     pad.size(), self.dim());
  if (mode == "constant")
    return padConstant(inf, pad);
  if (mode != "reflect" && mode != "replicate" && mode != "circular")
    return inf.raiseAs(PyErrorKind::NotImplementedError, "Unrecognised padding mode {0}", mode);
  if (std::optional<double> value = inf.floatValue("value"); value && *value != 0)
    return inf.raise("Padding mode \"{0}\" doesn't take in value argument", mode);
  int64_t spatial = int64_t(pad.size() / 2);
  if (spatial < 1 || spatial > 3 || (self.dim() != spatial + 1 && self.dim() != spatial + 2))
    return inf.raiseAs(PyErrorKind::NotImplementedError,
                       "Padding size {0} is not supported for {1}D input tensor.", pad.size(),
                       self.dim());
  bool isCircular = mode == "circular";
  isCircular ? checkCircularPad(inf, pad) : checkImagePad(inf, mode, pad);
  if (!inf.failed())
    addPadded(inf, pad, isCircular ? MemoryFormat::Contiguous : inf.suggestMemoryFormat(self));
}

//===----------------------------------------------------------------------===//
// Rearranged
//===----------------------------------------------------------------------===//

void ptc::aten::inferTriangle(Inference &inf) {
  if (inf.self().dim() < 2)
    return inf.raise("{0}: input tensor must have at least 2 dimensions", inf.op.baseName());
  inf.add(inf.make(inf.self().dtype, inf.self().sizes));
}

void ptc::aten::inferDiag(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t offset = inf.intValue("diagonal");
  if (self.dim() == 1) {
    Expr n = inf.sym.add(self.sizes[0], inf.constant(std::abs(offset)));
    return inf.add(inf.make(self.dtype, {n, n}));
  }
  if (self.dim() != 2)
    return inf.raise("diag(): Supports 1D or 2D tensors. Got {0}D", self.dim());
  Expr first = self.sizes[0], second = self.sizes[1];
  Expr &shorter = offset >= 0 ? second : first;
  shorter = inf.sym.sub(shorter, inf.constant(std::abs(offset)));
  Expr size = inf.sym.max(inf.sym.min(first, second), inf.constant(0));
  inf.add(inf.make(self.dtype, {size}));
}

void ptc::aten::inferDiagEmbed(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t rank = self.dim() + 1, offset = inf.intValue("offset");
  int64_t a = inf.wrapDim(inf.intValue("dim1"), rank), b = inf.wrapDim(inf.intValue("dim2"), rank);
  if (inf.failed())
    return;
  if (a == b)
    return inf.raise("diagonal dimensions cannot be identical {0}, {1}", inf.intValue("dim1"),
                     inf.intValue("dim2"));
  Exprs sizes = self.sizes;
  Expr n = inf.sym.add(sizes.pop_back_val(), inf.constant(std::abs(offset)));
  sizes.insert(sizes.begin() + std::min(a, b), n);
  sizes.insert(sizes.begin() + std::max(a, b), n);
  inf.add(inf.make(self.dtype, sizes));
}

void ptc::aten::inferOneHot(Inference &inf) {
  const TensorMeta &self = inf.self();
  if (self.dtype != DType::Int64)
    return inf.raise("one_hot is only applicable to index tensor of type LongTensor.");
  Expr classes = inf.intExpr("num_classes");
  if (classes.is(-1)) {
    if (inf.isEqual(numel(inf.sym, self), 0, "one_hot"))
      return inf.raise("Can not infer total number of classes from empty tensor.");
    if (inf.failed())
      return;
    classes = inf.ctx.freshUnbacked(1, Expr(), "number of classes");
  } else if (inf.isLess(classes, inf.constant(1), "one_hot")) {
    return inf.raise("num_classes should be positive");
  }
  Exprs sizes = self.sizes;
  sizes.push_back(classes);
  inf.add(inf.make(DType::Int64, sizes));
}

void ptc::aten::inferPixelShuffle(Inference &inf) {
  const TensorMeta &self = inf.self();
  bool isShuffle = inf.op.id == OpId::pixel_shuffle;
  int64_t factor = inf.intValue(isShuffle ? "upscale_factor" : "downscale_factor");
  llvm::StringRef name = inf.op.baseName();
  if (self.dim() < 3)
    return inf.raise("{0} expects input to have at least 3 dimensions, but got input with {1} "
                     "dimension(s)",
                     name, self.dim());
  if (factor <= 0)
    return inf.raise("{0} expects a positive {1}, but got {2}", name,
                     isShuffle ? "upscale_factor" : "downscale_factor", factor);
  Exprs sizes = self.sizes;
  size_t c = sizes.size() - 3;
  auto divide = [&](size_t d, int64_t by) {
    if (!inf.isEqual(inf.sym.mod(sizes[d], inf.constant(by)), 0, name)) {
      if (isShuffle)
        inf.raise("pixel_shuffle expects its input's 'channel' dimension to be divisible by the "
                  "square of upscale_factor, but input.size(-3)={0} is not divisible by {1}",
                  inf.str(sizes[d]), by);
      else
        inf.raise("pixel_unshuffle expects {0} to be divisible by downscale_factor, but "
                  "input.size({1})={2} is not divisible by {3}",
                  d == c + 1 ? "height" : "width", d == c + 1 ? -2 : -1, inf.str(sizes[d]), by);
    }
    sizes[d] = inf.sym.floordiv(sizes[d], inf.constant(by));
  };
  if (!isShuffle && inf.isEmpty(self)) { // eager copies it as it is
    divide(c + 1, factor);
    divide(c + 2, factor);
    return inf.add(inf.make(self.dtype, self.sizes, inf.likeStrides(self)));
  }
  auto multiply = [&](size_t d, int64_t by) { sizes[d] = inf.sym.mul(sizes[d], inf.constant(by)); };
  if (isShuffle) {
    divide(c, factor * factor);
    multiply(c + 1, factor);
    multiply(c + 2, factor);
  } else {
    multiply(c, factor * factor);
    divide(c + 1, factor);
    divide(c + 2, factor);
  }
  inf.add(inf.make(self.dtype, sizes, denseStrides(inf.sym, sizes, inf.suggestMemoryFormat(self))));
}
