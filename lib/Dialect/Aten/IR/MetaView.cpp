//===- MetaView.cpp - Shape functions of views that keep or regroup elements -===//
//
// In: argument 0 with its strides. Out: sizes and strides of the view, or, for reshape and its
// kin, of the copy that eager makes where strides do not allow a view.
//
//===----------------------------------------------------------------------===//
#include "ViewGeometry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

static constexpr llvm::StringLiteral kViewWhy = "viewing under other sizes";

std::optional<int64_t> ptc::aten::specialize(Inference &inf, Expr e, llvm::StringRef why) {
  if (std::optional<int64_t> v = e.asConstant())
    return v;
  std::optional<int64_t> hint = inf.sym.evaluateHint(e);
  if (hint && inf.isEqual(e, *hint, why))
    return hint;
  inf.unsupported(llvm::formatv("{0} must be known, it is {1}", why, inf.str(e)));
  return std::nullopt;
}

/// Sizes that a caller asks for: -1, which means "work it out", is told from a size.
static Exprs settleSigns(Inference &inf, llvm::ArrayRef<Expr> wanted, llvm::StringRef why) {
  Exprs sizes(wanted.begin(), wanted.end());
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size.asConstant() || !inf.isLess(size, inf.constant(0), why))
      continue;
    if (inf.isEqual(size, -1, why))
      size = inf.constant(-1);
    else
      inf.raise("invalid shape dimension {0} at index {1} of shape {2}", inf.str(size), i,
                inf.str(wanted));
  }
  return sizes;
}

Exprs ptc::aten::inferSizes(Inference &inf, llvm::ArrayRef<Expr> asked, Expr count) {
  Exprs wanted = settleSigns(inf, asked, kViewWhy);
  if (inf.failed())
    return wanted;
  Exprs sizes = wanted;
  std::optional<size_t> hole;
  Expr product = inf.constant(1);
  for (auto [i, size] : llvm::enumerate(wanted)) {
    std::optional<int64_t> v = size.asConstant();
    if (v == -1 && hole) {
      inf.raise("only one dimension can be inferred");
      return sizes;
    }
    if (v == -1)
      hole = i;
    else if (v && *v < 0)
      inf.raise("invalid shape dimension {0} at index {1} of shape {2}", *v, i, inf.str(wanted));
    else
      product = inf.sym.mul(product, size);
  }
  auto mismatch = [&] {
    inf.raise("shape '{0}' is invalid for input of size {1}", inf.str(wanted), inf.str(count));
  };
  if (!hole) {
    if (!inf.isEqual(product, count, kViewWhy))
      mismatch();
    return sizes;
  }
  if (inf.isEqual(product, 0, kViewWhy)) {
    if (inf.isEqual(count, 0, kViewWhy))
      inf.raise("cannot reshape tensor of 0 elements into shape {0} because the unspecified "
                "dimension size -1 can be any value and is ambiguous",
                inf.str(wanted));
    else
      mismatch();
    return sizes;
  }
  if (inf.failed())
    return sizes;
  if (inf.sym.isDivisible(count, product) != true &&
      !inf.isEqual(inf.sym.mod(count, product), 0, kViewWhy))
    mismatch();
  sizes[*hole] = inf.sym.floordiv(count, product);
  return sizes;
}

namespace {
/// c10's computeStride: walks chunks of dimensions that lie densely one in another.
class StrideWalk {
public:
  StrideWalk(Inference &inf, const TensorMeta &from, llvm::ArrayRef<Expr> to)
      : inf(inf), from(from), to(to), strides(to.size(), inf.constant(1)),
        next(int64_t(to.size()) - 1) {}

  std::optional<Exprs> run() {
    Expr base = from.strides.back(), chunk = inf.constant(1);
    for (int64_t d = from.dim() - 1; d >= 0; --d) {
      chunk = inf.sym.mul(chunk, from.sizes[d]);
      if (d > 0 && (from.sizes[d - 1].isOne() ||
                    inf.isEqual(from.strides[d - 1], inf.sym.mul(chunk, base), kViewWhy) ||
                    inf.isEqual(from.sizes[d - 1], 1, kViewWhy)))
        continue;
      if (!fill(chunk, base))
        return std::nullopt;
      if (d > 0) {
        base = from.strides[d - 1];
        chunk = inf.constant(1);
      }
    }
    if (next >= 0 || inf.failed())
      return std::nullopt;
    return strides;
  }

private:
  /// Gives strides to the new dimensions that make up `chunk` elements.
  bool fill(Expr chunk, Expr base) {
    Expr count = inf.constant(1);
    while (next >= 0 && (to[next].isOne() || inf.isLess(count, chunk, kViewWhy) ||
                         inf.isEqual(to[next], 1, kViewWhy))) {
      strides[next] = inf.sym.mul(count, base);
      count = inf.sym.mul(count, to[next]);
      --next;
    }
    return inf.isEqual(count, chunk, kViewWhy);
  }

  Inference &inf;
  const TensorMeta &from;
  llvm::ArrayRef<Expr> to;
  Exprs strides;
  int64_t next;
};
} // namespace

std::optional<Exprs> ptc::aten::viewStrides(Inference &inf, const TensorMeta &from,
                                            llvm::ArrayRef<Expr> sizes) {
  if (from.dim() == 0)
    return Exprs(sizes.size(), inf.constant(1));
  if (from.sizes == Exprs(sizes.begin(), sizes.end()))
    return from.strides;
  if (from.strides == inf.contiguous(from.sizes))
    return inf.contiguous(sizes);
  if (llvm::any_of(from.sizes, [](Expr e) { return e.isZero(); }))
    return inf.contiguous(sizes);
  std::optional<Exprs> strides = StrideWalk(inf, from, sizes).run();
  // A tensor without elements has every view, and row-major strides in it.
  Exprs plain = inf.contiguous(sizes);
  return strides == plain || !inf.isEmpty(from) ? strides : plain;
}

static TensorMeta reshaped(Inference &inf, llvm::ArrayRef<Expr> sizes,
                           llvm::ArrayRef<Expr> strides) {
  return inf.make(inf.self().dtype, sizes, strides);
}

void ptc::aten::addViewOf(Inference &inf, llvm::ArrayRef<Expr> sizes, llvm::ArrayRef<Expr> strides,
                          Expr offset) {
  inf.addView(reshaped(inf, sizes, strides), offset);
}

/// view and _unsafe_view.
static void viewAs(Inference &inf, llvm::ArrayRef<Expr> wanted) {
  Exprs sizes = inferSizes(inf, wanted, numel(inf.sym, inf.self()));
  if (inf.failed())
    return;
  std::optional<Exprs> strides = viewStrides(inf, inf.self(), sizes);
  if (inf.failed())
    return;
  if (!strides)
    return inf.raise("{0}", kNoView);
  if (!inf.op.has(OpFlag::View))
    return inf.add(reshaped(inf, sizes, *strides));
  addViewOf(inf, sizes, *strides, inf.constant(0));
}

/// A view where strides allow it, else a contiguous copy.
static void reshapeTo(Inference &inf, llvm::ArrayRef<Expr> wanted) {
  Exprs sizes = inferSizes(inf, wanted, numel(inf.sym, inf.self()));
  if (inf.failed())
    return;
  std::optional<Exprs> strides = viewStrides(inf, inf.self(), sizes);
  if (inf.failed())
    return;
  if (strides)
    return addViewOf(inf, sizes, *strides, inf.constant(0));
  inf.add(reshaped(inf, sizes, inf.contiguous(sizes)));
}

void ptc::aten::inferView(Inference &inf) { viewAs(inf, inf.exprList("size")); }

void ptc::aten::inferViewAs(Inference &inf) { viewAs(inf, inf.tensor("other")->sizes); }

void ptc::aten::inferReshape(Inference &inf) { reshapeTo(inf, inf.exprList("shape")); }

void ptc::aten::inferReshapeAs(Inference &inf) { reshapeTo(inf, inf.tensor("other")->sizes); }

/// Elements of `bytes` instead of `from`: the last dimension, which must be dense, holds more or
/// fewer of them. The view starts where the argument does.
static void viewOtherSize(Inference &inf, TensorMeta &meta, int64_t from, int64_t bytes) {
  llvm::StringRef fromName = scalarTypeName(inf.self().dtype), toName = scalarTypeName(meta.dtype);
  if (meta.dim() == 0)
    return inf.raise("self.dim() cannot be 0 to view {0} as {1} (different element sizes)",
                     fromName, toName);
  Expr ratio = inf.constant(std::max(from, bytes) / std::min(from, bytes));
  bool grows = from > bytes;
  if (!grows && !inf.isEqual(inf.sym.mod(meta.sizes.back(), ratio), 0, kViewWhy))
    return inf.raise("self.size(-1) must be divisible by {0} to view {1} as {2} (different element "
                     "sizes), but got {3}",
                     inf.str(ratio), fromName, toName, inf.str(meta.sizes.back()));
  if (!inf.isEqual(meta.strides.back(), 1, kViewWhy))
    return inf.raise("self.stride(-1) must be 1 to view {0} as {1} (different element sizes), but "
                     "got {2}",
                     fromName, toName, inf.str(meta.strides.back()));
  for (const auto &[d, stride] : llvm::enumerate(llvm::ArrayRef(meta.strides).drop_back()))
    if (!grows && !inf.isEqual(inf.sym.mod(stride, ratio), 0, kViewWhy))
      return inf.raise("self.stride({0}) must be divisible by {1} to view {2} as {3} (different "
                       "element sizes), but got {4}",
                       d, inf.str(ratio), fromName, toName, inf.str(stride));
  auto scale = [&](Expr e) { return grows ? inf.sym.mul(e, ratio) : inf.sym.floordiv(e, ratio); };
  meta.sizes.back() = scale(meta.sizes.back());
  for (Expr &stride : llvm::MutableArrayRef(meta.strides).drop_back())
    stride = scale(stride);
}

void ptc::aten::inferViewDType(Inference &inf) {
  const TensorMeta &self = inf.self();
  DType to = inf.dtypeArg().value_or(self.dtype);
  int64_t from = getDTypeInfo(self.dtype).bytes, bytes = getDTypeInfo(to).bytes;
  TensorMeta meta = self;
  meta.dtype = to;
  if (from != bytes)
    viewOtherSize(inf, meta, from, bytes);
  inf.addView(meta, inf.constant(0));
}

void ptc::aten::inferFlatten(Inference &inf) {
  const TensorMeta &self = inf.self();
  if (inf.op.id == OpId::ravel) { // contiguous, then a view
    if (inf.isContiguous(self))
      return reshapeTo(inf, {inf.constant(-1)});
    Exprs flat{numel(inf.sym, self)};
    return inf.add(reshaped(inf, flat, inf.contiguous(flat)));
  }
  int64_t start = inf.wrapDim(inf.intValue("start_dim"), self.dim());
  int64_t end = inf.wrapDim(inf.intValue("end_dim"), self.dim());
  if (inf.failed())
    return;
  if (start > end)
    return inf.raise("flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0)
    return reshapeTo(inf, {inf.constant(1)});
  if (start == end)
    return inf.addSame(self);
  Exprs sizes(self.sizes.begin(), self.sizes.begin() + start);
  sizes.push_back(inf.sym.product(llvm::ArrayRef(self.sizes).slice(start, end - start + 1)));
  sizes.append(self.sizes.begin() + end + 1, self.sizes.end());
  reshapeTo(inf, sizes);
}

void ptc::aten::inferUnflatten(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  llvm::ArrayRef<Expr> wanted = inf.exprList("sizes");
  if (inf.failed())
    return;
  if (self.dim() == 0)
    return inf.raise(
        "unflatten got an unexpected error:\nDimension specified as {0} but tensor has "
        "no dimensions",
        inf.intValue("dim"));
  if (wanted.empty())
    return inf.raise("unflatten: sizes must be non-empty");
  Exprs parts = inferSizes(inf, wanted, self.sizes[dim]);
  if (inf.result.status == MetaResult::Status::Raise)
    inf.result.text = llvm::formatv("unflatten: Provided sizes {0} don't multiply up to the size "
                                    "of dim {1} ({2}) in the input tensor",
                                    inf.str(wanted), dim, inf.str(self.sizes[dim]));
  if (inf.failed())
    return;
  Exprs sizes(self.sizes.begin(), self.sizes.begin() + dim);
  sizes.append(parts);
  sizes.append(self.sizes.begin() + dim + 1, self.sizes.end());
  viewAs(inf, sizes);
}

void ptc::aten::inferSqueeze(Inference &inf) {
  const TensorMeta &self = inf.self();
  llvm::SmallVector<bool, 8> mask(self.dim(), true);
  if (inf.op.id == OpId::squeeze_dim)
    mask = inf.dimMask({inf.intValue("dim")}, self.dim());
  else if (inf.op.id == OpId::squeeze_dims)
    mask = inf.dimMask(inf.intList("dim"), self.dim());
  Exprs sizes, strides;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (!mask[d] || !inf.isEqual(self.sizes[d], 1, "squeeze")) {
      sizes.push_back(self.sizes[d]);
      strides.push_back(self.strides[d]);
    }
  addViewOf(inf, sizes, strides, inf.constant(0));
}

void ptc::aten::inferUnsqueeze(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim() + 1);
  if (inf.failed())
    return;
  Exprs sizes = self.sizes, strides = self.strides;
  Expr stride =
      dim < self.dim() ? inf.sym.mul(self.sizes[dim], self.strides[dim]) : inf.constant(1);
  sizes.insert(sizes.begin() + dim, inf.constant(1));
  strides.insert(strides.begin() + dim, stride);
  addViewOf(inf, sizes, strides, inf.constant(0));
}

static void expandTo(Inference &inf, llvm::ArrayRef<Expr> asked) {
  const TensorMeta &self = inf.self();
  Exprs wanted = settleSigns(inf, asked, "expand");
  int64_t lead = int64_t(wanted.size()) - self.dim();
  if (lead < 0)
    return inf.raise("expand(torch.{0}Tensor{{{1}}, size={2}): the number of sizes provided ({3}) "
                     "must be greater or equal to the number of dimensions in the tensor ({4})",
                     scalarTypeName(self.dtype), inf.str(self.sizes), inf.str(wanted),
                     wanted.size(), self.dim());
  Exprs sizes = wanted, strides(wanted.size(), inf.constant(0));
  if (self.dim() == 0 && llvm::any_of(wanted, [](Expr size) { return size.is(-1); }))
    return inf.raise("numel: integer multiplication overflow"); // what eager says to a size of -1
  if (self.dim() == 0)
    return addViewOf(inf, sizes, strides, inf.constant(0));
  for (int64_t i = int64_t(wanted.size()) - 1; i >= 0; --i) {
    int64_t d = i - lead;
    Expr size = d >= 0 ? self.sizes[d] : inf.constant(1);
    strides[i] = d >= 0 ? self.strides[d] : inf.sym.mul(sizes[i + 1], strides[i + 1]);
    if (wanted[i].is(-1)) {
      if (d < 0)
        return inf.raise("The expanded size of the tensor (-1) isn't allowed in a leading, "
                         "non-existing dimension {0}",
                         i);
      sizes[i] = size;
    } else if (!inf.isEqual(size, wanted[i], "expand")) {
      if (!inf.isEqual(size, 1, "expand"))
        return inf.raise("The expanded size of the tensor ({0}) must match the existing size ({1}) "
                         "at non-singleton dimension {2}.  Target sizes: {3}.  Tensor sizes: {4}",
                         inf.str(wanted[i]), inf.str(size), i, inf.str(wanted),
                         inf.str(self.sizes));
      strides[i] = inf.constant(0);
    }
  }
  addViewOf(inf, sizes, strides, inf.constant(0));
}

void ptc::aten::inferExpand(Inference &inf) { expandTo(inf, inf.exprList("size")); }

void ptc::aten::inferExpandAs(Inference &inf) { expandTo(inf, inf.tensor("other")->sizes); }

void ptc::aten::inferAsStrided(Inference &inf) {
  llvm::ArrayRef<Expr> sizes = inf.exprList("size"), strides = inf.exprList("stride");
  if (sizes.size() != strides.size())
    return inf.raise("mismatch in length of strides and shape");
  bool isAbsolute = !inf.isNone("storage_offset");
  Expr offset = isAbsolute ? inf.intExpr("storage_offset") : inf.constant(0);
  inf.addAliased(reshaped(inf, sizes, strides), {Aliasing::Kind::View, 0, offset, isAbsolute});
}

//===----------------------------------------------------------------------===//
// Dimensions permuted
//===----------------------------------------------------------------------===//

static void permuteTo(Inference &inf, llvm::ArrayRef<int64_t> order) {
  Exprs sizes, strides;
  for (int64_t d : order) {
    sizes.push_back(inf.self().sizes[d]);
    strides.push_back(inf.self().strides[d]);
  }
  addViewOf(inf, sizes, strides, inf.constant(0));
}

static llvm::SmallVector<int64_t, 6> identityOrder(int64_t rank) {
  return llvm::to_vector<6>(llvm::seq<int64_t>(0, rank));
}

void ptc::aten::inferPermute(Inference &inf) {
  llvm::SmallVector<int64_t, 4> dims = inf.intList("dims");
  int64_t rank = inf.self().dim();
  if (int64_t(dims.size()) != rank)
    return inf.raise("permute(sparse_coo): number of dimensions in the tensor input does not match "
                     "the length of the desired ordering of dimensions i.e. input.dim() = {0} is "
                     "not equal to len(dims) = {1}",
                     rank, dims.size());
  llvm::SmallVector<bool, 8> seen(rank, false);
  for (int64_t &d : dims) {
    d = inf.wrapDim(d, rank);
    if (inf.failed())
      return;
    if (seen[d])
      return inf.raise("permute(): duplicate dims are not allowed.");
    seen[d] = true;
  }
  permuteTo(inf, dims);
}

void ptc::aten::inferTranspose(Inference &inf) {
  int64_t rank = inf.self().dim();
  int64_t a = inf.wrapDim(inf.intValue("dim0"), rank);
  int64_t b = inf.wrapDim(inf.intValue("dim1"), rank);
  if (inf.failed())
    return;
  llvm::SmallVector<int64_t, 6> order = identityOrder(rank);
  if (rank > 0)
    std::swap(order[a], order[b]);
  permuteTo(inf, order);
}

void ptc::aten::inferMatrixTranspose(Inference &inf) {
  int64_t rank = inf.self().dim();
  llvm::SmallVector<int64_t, 6> order = identityOrder(rank);
  if (inf.op.id == OpId::numpy_T) {
    std::reverse(order.begin(), order.end());
    return permuteTo(inf, order);
  }
  if (inf.op.id == OpId::t && rank > 2)
    return inf.raise("t() expects a tensor with <= 2 dimensions, but self is {0}D", rank);
  if (inf.op.id == OpId::mT && rank == 0)
    return inf.addSame(inf.self());
  if (inf.op.id == OpId::mT && rank < 2)
    return inf.raise("tensor.mT is only supported on matrices or batches of matrices. Got {0}-D "
                     "tensor.",
                     rank);
  if (rank >= 2)
    std::swap(order[rank - 1], order[rank - 2]);
  permuteTo(inf, order);
}

void ptc::aten::inferMovedim(Inference &inf) {
  int64_t rank = inf.self().dim();
  llvm::SmallVector<int64_t, 4> from{0}, to{0};
  if (inf.op.id == OpId::movedim_int) {
    from = {inf.intValue("source")};
    to = {inf.intValue("destination")};
  } else {
    from = inf.intList("source");
    to = inf.intList("destination");
  }
  if (from.size() != to.size())
    return inf.raise("movedim: Invalid source or destination dims: source ({0} dims) should "
                     "contain the same number of dims as destination ({1} dims)",
                     inf.str(inf.exprList("source")), inf.str(inf.exprList("destination")));
  llvm::SmallVector<int64_t, 6> order(rank, -1);
  llvm::SmallVector<bool, 8> isMoved(rank, false);
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t s = inf.wrapDim(from[i], rank), d = inf.wrapDim(to[i], rank);
    if (inf.failed() || rank == 0)
      break;
    if (isMoved[s] || order[d] != -1)
      return inf.raise("movedim: repeated dim in `{0}`", isMoved[s] ? "source" : "destination");
    order[d] = s;
    isMoved[s] = true;
  }
  if (inf.failed())
    return;
  int64_t next = 0;
  for (int64_t &d : order) {
    if (d != -1)
      continue;
    while (isMoved[next])
      ++next;
    d = next++;
  }
  permuteTo(inf, order);
}
