//===- MetaParts.cpp - Shape functions of parts of a tensor and of copies ----===//
//
// In: argument 0, indices and bounds. Out: views that select, slice, split; the tensor itself or a
// copy for conversions.
//
//===----------------------------------------------------------------------===//
#include "ViewGeometry.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

static constexpr llvm::StringLiteral kSliceWhy = "bounds of a slice";

/// min(a, b), by a guard on input sizes, as an expression on run-time ones.
static Expr smaller(Inference &inf, Expr a, Expr b) {
  if (inf.proves(Cmp::LE, a, b) == true)
    return a;
  if (inf.proves(Cmp::LE, b, a) == true)
    return b;
  if (inf.sym.usesSymbolKind(a, sym::SymbolKind::Unbacked) ||
      inf.sym.usesSymbolKind(b, sym::SymbolKind::Unbacked))
    return inf.sym.min(a, b);
  return inf.isTrue(Cmp::LE, a, b, kSliceWhy) ? a : b;
}

static Expr larger(Inference &inf, Expr a, Expr b) {
  return inf.sym.neg(smaller(inf, inf.sym.neg(a), inf.sym.neg(b)));
}

/// A bound of a slice: negative ones count from the end, then clamped to 0 … size. The sign of a
/// run-time bound is asked of nobody: a formula holds for both, so that the same bound is the same
/// place wherever it is used.
static Expr clampBound(Inference &inf, Expr bound, Expr size) {
  if (bound.is(INT64_MAX))
    return size;
  Expr zero = inf.constant(0), one = inf.constant(1);
  if (inf.sym.usesSymbolKind(bound, sym::SymbolKind::Unbacked) &&
      !inf.proves(Cmp::LT, bound, zero)) {
    Expr isNegative = inf.sym.min(inf.sym.max(inf.sym.neg(bound), zero), one);
    Expr wrapped = inf.sym.add(bound, inf.sym.mul(size, isNegative));
    return inf.sym.max(inf.sym.min(wrapped, size), zero);
  }
  if (inf.isLess(bound, inf.constant(0), kSliceWhy))
    bound = larger(inf, inf.sym.add(bound, size), inf.constant(0));
  return smaller(inf, bound, size);
}

Part ptc::aten::slicePart(Inference &inf, const TensorMeta &t, int64_t dim, Expr start, Expr end,
                          Expr step) {
  Expr size = t.sizes[dim];
  Expr from = start.isSupported() ? clampBound(inf, start, size) : inf.constant(0);
  Expr to = end.isSupported() ? clampBound(inf, end, size) : size;
  to = larger(inf, to, from);
  Part part{t.sizes, t.strides, inf.sym.mul(from, t.strides[dim])};
  part.sizes[dim] = inf.sym.ceildiv(inf.sym.sub(to, from), step);
  part.strides[dim] = inf.sym.mul(t.strides[dim], step);
  return part;
}

Part ptc::aten::selectPart(Inference &inf, const TensorMeta &t, int64_t dim, Expr index) {
  Expr size = t.sizes[dim], zero = inf.constant(0);
  bool isNegative = inf.isLess(index, zero, "sign of an index");
  Expr position = isNegative ? inf.sym.add(index, size) : index;
  if (inf.isLess(position, zero, "range of an index") ||
      !inf.isLess(position, size, "range of an index"))
    inf.raiseAs(PyErrorKind::IndexError,
                "select(): index {0} out of range for tensor of size {1} at dimension {2}",
                inf.str(index), inf.str(t.sizes), dim);
  Part part{t.sizes, t.strides, inf.sym.mul(position, t.strides[dim])};
  part.sizes.erase(part.sizes.begin() + dim);
  part.strides.erase(part.strides.begin() + dim);
  return part;
}

static void addPart(Inference &inf, const Part &part) {
  addViewOf(inf, part.sizes, part.strides, part.offset);
}

void ptc::aten::inferSelect(Inference &inf) {
  if (inf.self().dim() == 0)
    return inf.raiseAs(PyErrorKind::IndexError, "select() cannot be applied to a 0-dim tensor.");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), inf.self().dim());
  Expr index = inf.intExpr("index");
  if (!inf.failed())
    addPart(inf, selectPart(inf, inf.self(), dim, index));
}

void ptc::aten::inferSlice(Inference &inf) {
  if (inf.self().dim() == 0)
    return inf.raiseAs(PyErrorKind::IndexError, "slice() cannot be applied to a 0-dim tensor.");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), inf.self().dim());
  Expr start = inf.isNone("start") ? Expr() : inf.intExpr("start");
  Expr end = inf.isNone("end") ? Expr() : inf.intExpr("end");
  Expr step = inf.intExpr("step");
  if (inf.failed())
    return;
  if (!inf.isLess(inf.constant(0), step, "sign of a step"))
    return inf.raise("slice step must be positive");
  addPart(inf, slicePart(inf, inf.self(), dim, start, end, step));
}

void ptc::aten::inferNarrow(Inference &inf) {
  const TensorMeta &self = inf.self();
  if (self.dim() == 0)
    return inf.raise("narrow() cannot be applied to a 0-dim tensor.");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  Expr start = inf.intExpr("start"), length = inf.intExpr("length");
  if (inf.failed())
    return;
  Expr size = self.sizes[dim], zero = inf.constant(0);
  if (inf.isLess(length, zero, "length of a part"))
    return inf.raise("narrow(): length must be non-negative.");
  Expr wrapped = inf.isLess(start, zero, "start of a part") ? inf.sym.add(start, size) : start;
  if (inf.isLess(wrapped, zero, "start of a part") || inf.isLess(size, wrapped, "start of a part"))
    return inf.raiseAs(PyErrorKind::IndexError,
                       "start out of range (expected to be in range of [-{0}, {0}], but got {1})",
                       inf.str(size), inf.str(start));
  Expr end = inf.sym.add(wrapped, length);
  if (inf.isLess(size, end, "end of a part"))
    return inf.raise("start ({0}) + length ({1}) exceeds dimension size ({2}).", inf.str(wrapped),
                     inf.str(length), inf.str(size));
  Part part{self.sizes, self.strides, inf.sym.mul(wrapped, self.strides[dim])};
  part.sizes[dim] = length;
  addPart(inf, part);
}

Part ptc::aten::diagonalPart(Inference &inf, const TensorMeta &t) {
  int64_t dim1 = inf.wrapDim(inf.intValue("dim1"), t.dim());
  int64_t dim2 = inf.wrapDim(inf.intValue("dim2"), t.dim());
  int64_t offset = inf.intValue("offset");
  if (inf.failed())
    return {};
  if (dim1 == dim2 || t.dim() == 0) {
    inf.raise("diagonal dimensions cannot be identical {0}, {1}", dim1, dim2);
    return {};
  }
  Expr first = t.sizes[dim1], second = t.sizes[dim2];
  (offset >= 0 ? second : first) =
      inf.sym.sub(offset >= 0 ? second : first, inf.constant(std::abs(offset)));
  Expr size = larger(inf, smaller(inf, first, second), inf.constant(0));
  Expr stride = t.strides[offset >= 0 ? dim2 : dim1];
  Part part{{}, {}, inf.sym.mul(inf.constant(std::abs(offset)), stride)};
  if (size.isZero())
    part.offset = inf.constant(0);
  for (int64_t d = 0; d < t.dim(); ++d)
    if (d != dim1 && d != dim2) {
      part.sizes.push_back(t.sizes[d]);
      part.strides.push_back(t.strides[d]);
    }
  part.sizes.push_back(size);
  part.strides.push_back(inf.sym.add(t.strides[dim1], t.strides[dim2]));
  return part;
}

void ptc::aten::inferDiagonal(Inference &inf) {
  Part part = diagonalPart(inf, inf.self());
  if (!inf.failed())
    addPart(inf, part);
}

void ptc::aten::inferUnfold(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t dim = inf.wrapDim(inf.intValue("dimension"), self.dim());
  Expr size = inf.intExpr("size"), step = inf.intExpr("step");
  if (inf.failed())
    return;
  Expr limit = self.dim() ? self.sizes[dim] : inf.constant(1);
  if (inf.isLess(size, inf.constant(0), "unfold"))
    return inf.raise("size is {0} but must be >= 0", inf.str(size));
  if (inf.isLess(limit, size, "unfold"))
    return inf.raise("maximum size for tensor at dimension {0} is {1} but size is {2}", dim,
                     inf.str(limit), inf.str(size));
  if (!inf.isLess(inf.constant(0), step, "unfold"))
    return inf.raise("step is {0} but must be > 0", inf.str(step));
  Part part{self.sizes, self.strides, inf.constant(0)};
  part.sizes.push_back(size);
  part.strides.push_back(self.dim() ? self.strides[dim] : inf.constant(1));
  if (self.dim()) {
    part.sizes[dim] =
        inf.sym.add(inf.sym.floordiv(inf.sym.sub(limit, size), step), inf.constant(1));
    part.strides[dim] = inf.sym.mul(self.strides[dim], step);
  }
  addPart(inf, part);
}

//===----------------------------------------------------------------------===//
// Several parts
//===----------------------------------------------------------------------===//

/// One result that is a list of views, parts of the given sizes one after the other.
static void addPieces(Inference &inf, int64_t dim, llvm::ArrayRef<Expr> pieces) {
  const TensorMeta &self = inf.self();
  ResultValue list;
  list.kind = ResultValue::Kind::TensorList;
  Expr start = inf.constant(0);
  for (Expr piece : pieces) {
    TensorMeta meta = inf.make(self.dtype, self.sizes, self.strides);
    meta.sizes[dim] = piece;
    Expr offset = inf.sym.mul(start, self.strides[dim]);
    list.tensors.push_back({std::move(meta), {Aliasing::Kind::View, 0, offset, false}});
    start = inf.sym.add(start, piece);
  }
  if (!inf.failed())
    inf.result.results.push_back(std::move(list));
}

/// Pieces of `length` and one for the rest.
static void splitBy(Inference &inf, int64_t dim, Expr length) {
  Expr size = inf.self().sizes[dim];
  if (inf.isLess(length, inf.constant(0), "length of a piece"))
    return inf.raise("split expects split_size be non-negative, but got split_size={0}",
                     inf.str(length));
  if (inf.isEqual(length, 0, "length of a piece")) {
    if (!inf.isEqual(size, 0, "length of a piece"))
      return inf.raise("split_size can only be 0 if dimension size is 0, but got dimension size of "
                       "{0}",
                       inf.str(size));
    return addPieces(inf, dim, {size});
  }
  if (inf.failed())
    return;
  std::optional<int64_t> count = specialize(
      inf, inf.sym.max(inf.sym.ceildiv(size, length), inf.constant(1)), "the number of pieces");
  if (!count)
    return;
  Exprs pieces(*count, length);
  pieces.back() = inf.sym.sub(size, inf.sym.mul(length, inf.constant(*count - 1)));
  addPieces(inf, dim, pieces);
}

/// The dimension that a split works on.
static std::optional<int64_t> splitDim(Inference &inf, llvm::StringRef name) {
  int64_t dim = inf.wrapDim(inf.intValue("dim"), inf.self().dim());
  if (!inf.failed() && inf.self().dim() == 0)
    name == "tensor_split" ? inf.raise("tensor_split expected at least a 1-dimensional tensor, but "
                                       "got a tensor with 0 dims")
                           : inf.raise("{0} expects at least a 1-dimensional tensor", name);
  return inf.failed() ? std::nullopt : std::optional(dim);
}

void ptc::aten::inferSplit(Inference &inf) {
  Expr length = inf.intExpr("split_size");
  if (std::optional<int64_t> dim = splitDim(inf, "split"))
    splitBy(inf, *dim, length);
}

void ptc::aten::inferSplitSizes(Inference &inf) {
  bool isNamedSizes = inf.hasArg("split_sizes");
  llvm::ArrayRef<Expr> pieces = inf.exprList(isNamedSizes ? "split_sizes" : "split_size");
  std::optional<int64_t> dim = splitDim(inf, "split");
  if (!dim)
    return;
  for (Expr piece : pieces)
    if (inf.isLess(piece, inf.constant(0), "length of a piece"))
      return inf.raise("split_with_sizes expects split_sizes have only non-negative entries, but "
                       "got split_sizes={0}",
                       inf.str(pieces));
  if (!inf.isEqual(inf.sym.sum(pieces), inf.self().sizes[*dim], "sum of the pieces"))
    return inf.raise("split_with_sizes expects split_sizes to sum exactly to {0} (input tensor's "
                     "size at dimension {1}), but got split_sizes={2}",
                     inf.str(inf.self().sizes[*dim]), *dim, inf.str(pieces));
  addPieces(inf, *dim, pieces);
}

void ptc::aten::inferChunk(Inference &inf) {
  int64_t chunks = inf.intValue("chunks");
  std::optional<int64_t> dim = splitDim(inf, "chunk");
  if (!dim)
    return;
  if (chunks <= 0)
    return inf.raise("chunk expects `chunks` to be greater than 0, got: {0}", chunks);
  Expr size = inf.self().sizes[*dim];
  if (inf.isEqual(size, 0, "length of a piece"))
    return addPieces(inf, *dim, Exprs(chunks, inf.constant(0)));
  if (!inf.failed())
    splitBy(inf, *dim, inf.sym.ceildiv(size, inf.constant(chunks)));
}

void ptc::aten::inferTensorSplit(Inference &inf) {
  std::optional<int64_t> dim = splitDim(inf, "tensor_split");
  if (!dim)
    return;
  Expr size = inf.self().sizes[*dim];
  if (inf.op.id == OpId::tensor_split_sections) {
    int64_t sections = inf.intValue("sections");
    if (sections <= 0)
      return inf.raise("number of sections must be larger than 0, got {0}", sections);
    std::optional<int64_t> known = specialize(inf, size, "the size that is split");
    if (!known)
      return;
    Exprs pieces;
    for (int64_t i = 0; i < sections; ++i)
      pieces.push_back(inf.constant(*known / sections + (i < *known % sections)));
    return addPieces(inf, *dim, pieces);
  }
  ResultValue list;
  list.kind = ResultValue::Kind::TensorList;
  Expr start = inf.constant(0);
  Exprs bounds(inf.exprList("indices"));
  bounds.push_back(inf.constant(INT64_MAX));
  for (Expr end : bounds) {
    Part part = slicePart(inf, inf.self(), *dim, start, end, inf.constant(1));
    list.tensors.push_back({inf.make(inf.self().dtype, part.sizes, part.strides),
                            {Aliasing::Kind::View, 0, part.offset, false}});
    start = end;
  }
  if (!inf.failed())
    inf.result.results.push_back(std::move(list));
}

void ptc::aten::inferUnbind(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  if (inf.failed())
    return;
  if (self.dim() == 0)
    return inf.raiseAs(PyErrorKind::IndexError,
                       "Dimension specified as {0} but tensor has no dimensions",
                       inf.intValue("dim"));
  std::optional<int64_t> count =
      specialize(inf, self.sizes[dim],
                 "there is one tensor for each entry, and a loop over them is unrolled by "
                 "their number");
  if (!count)
    return;
  ResultValue list;
  list.kind = ResultValue::Kind::TensorList;
  for (int64_t i = 0; i < *count; ++i) {
    Part part = selectPart(inf, self, dim, inf.constant(i));
    list.tensors.push_back({inf.make(self.dtype, part.sizes, part.strides),
                            {Aliasing::Kind::View, 0, part.offset, false}});
  }
  inf.result.results.push_back(std::move(list));
}

//===----------------------------------------------------------------------===//
// The same elements, or a copy
//===----------------------------------------------------------------------===//

void ptc::aten::inferAlias(Inference &inf) { inf.addView(inf.self(), inf.constant(0)); }

void ptc::aten::inferViewAsReal(Inference &inf) {
  TensorMeta meta = inf.self();
  if (!isComplex(meta.dtype))
    return inf.raise("view_as_real is only supported for complex tensors");
  meta.dtype = toReal(meta.dtype);
  for (Expr &stride : meta.strides)
    stride = inf.sym.mul(stride, inf.constant(2));
  meta.sizes.push_back(inf.constant(2));
  meta.strides.push_back(inf.constant(1));
  inf.addView(meta, inf.constant(0));
}

void ptc::aten::inferViewAsComplex(Inference &inf) {
  TensorMeta meta = inf.self();
  if (meta.dtype == DType::Float16)
    return inf.unsupported("complex32 tensors");
  if (meta.dtype != DType::Float32 && meta.dtype != DType::Float64)
    return inf.raise("view_as_complex is only supported for half, float and double tensors, but "
                     "got a tensor of scalar type: {0}",
                     scalarTypeName(meta.dtype));
  if (meta.dim() == 0)
    return inf.raise("Input tensor must have one or more dimensions");
  if (!inf.isEqual(meta.sizes.back(), 2, "view_as_complex"))
    return inf.raise("Tensor must have a last dimension of size 2");
  if (!inf.isEqual(meta.strides.back(), 1, "view_as_complex"))
    return inf.raise("Tensor must have a last dimension with stride 1");
  meta.sizes.pop_back();
  meta.strides.pop_back();
  for (auto [size, stride] : llvm::zip_equal(meta.sizes, meta.strides)) {
    if (!inf.isEqual(inf.sym.mod(stride, inf.constant(2)), 0, "view_as_complex") &&
        !inf.isEqual(size, 1, "view_as_complex"))
      return inf.raise("Tensor must have a stride divisible by 2 for all but last dimension");
    stride = inf.sym.floordiv(stride, inf.constant(2));
  }
  meta.dtype = toComplex(meta.dtype);
  inf.addView(meta, inf.constant(0));
}

void ptc::aten::inferReal(Inference &inf) {
  TensorMeta meta = inf.self();
  bool isImag = inf.op.id == OpId::imag;
  if (!isComplex(meta.dtype)) {
    if (isImag)
      return inf.raise("imag is not implemented for tensors with non-complex dtypes.");
    return inf.addSame(meta);
  }
  meta.dtype = toReal(meta.dtype);
  for (Expr &stride : meta.strides)
    stride = inf.sym.mul(stride, inf.constant(2));
  inf.addView(meta, inf.constant(isImag));
}

/// A copy of `dtype` on `device`.
static void addCopy(Inference &inf, DType dtype, Device device, MemoryFormat format) {
  const TensorMeta &self = inf.self();
  if ((format == MemoryFormat::ChannelsLast && self.dim() != 4) ||
      (format == MemoryFormat::ChannelsLast3d && self.dim() != 5))
    return inf.raise("required rank {0} tensor to use {1} format",
                     format == MemoryFormat::ChannelsLast ? 4 : 5, toString(format));
  TensorMeta meta = inf.make(dtype, self.sizes, inf.likeStrides(self, format));
  meta.device = device;
  inf.add(meta);
}

void ptc::aten::inferContiguous(Inference &inf) {
  MemoryFormat format = inf.memoryFormatArg(MemoryFormat::Contiguous);
  // To is_contiguous, "preserve" asks for nothing else than row-major.
  bool isPreserve = format == MemoryFormat::Preserve;
  if (inf.isContiguous(inf.self(), isPreserve ? MemoryFormat::Contiguous : format))
    return inf.addSame(inf.self());
  if (isPreserve)
    return inf.raise("preserve memory format is unsupported by the contiguous operator");
  addCopy(inf, inf.self().dtype, inf.self().device, format);
}

void ptc::aten::inferTo(Inference &inf) {
  const TensorMeta &self = inf.self();
  DType dtype = self.dtype;
  Device device = self.device;
  if (inf.hasArg("other")) {
    dtype = inf.tensor("other")->dtype;
    device = inf.tensor("other")->device;
  } else {
    dtype = inf.dtypeArg().value_or(dtype);
    if (inf.hasArg("device"))
      device = inf.deviceArg(device);
  }
  bool isCopy = inf.hasArg("copy") && inf.boolValue("copy");
  MemoryFormat format = inf.hasArg("memory_format") ? inf.memoryFormatArg(MemoryFormat::Preserve)
                                                    : MemoryFormat::Preserve;
  if (dtype == self.dtype && device == self.device && !isCopy &&
      (format == MemoryFormat::Preserve || inf.suggestMemoryFormat(self) == format))
    return inf.addSame(self);
  addCopy(inf, dtype, device, format);
}

void ptc::aten::inferToCopy(Inference &inf) {
  addCopy(inf, inf.dtypeArg().value_or(inf.self().dtype), inf.deviceArg(inf.self().device),
          inf.memoryFormatArg(MemoryFormat::Preserve));
}

void ptc::aten::inferClone(Inference &inf) {
  MemoryFormat format = inf.hasArg("memory_format") ? inf.memoryFormatArg(MemoryFormat::Preserve)
                                                    : MemoryFormat::Contiguous;
  addCopy(inf, inf.self().dtype, inf.self().device, format); // lift_fresh_copy has no format
}
