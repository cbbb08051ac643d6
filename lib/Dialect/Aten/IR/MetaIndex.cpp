//===- MetaIndex.cpp - Shape functions of reading and writing by index -------===//
//
// In: argument 0, index tensors, masks. Out: gathered or scattered tensors; sizes that depend on
// elements are new symbols of the context.
//
//===----------------------------------------------------------------------===//
#include "ViewGeometry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

static constexpr llvm::StringLiteral kIndexWhy = "sizes of indices";

//===----------------------------------------------------------------------===//
// x[i, mask, …]
//===----------------------------------------------------------------------===//

namespace {
/// Indices after masks became positions: one entry per dimension of the indexed tensor.
struct Indices {
  llvm::SmallVector<std::optional<TensorMeta>, 6> entries;
  Exprs broadcast;      ///< sizes of all indices broadcast together
  size_t first = 0;     ///< dimension of the first index
  bool adjacent = true; ///< no `:` between indices
  bool any = false;
};
} // namespace

static bool isMask(const TensorMeta &t) { return isBool(t.dtype) || t.dtype == DType::UInt8; }

/// A mask stands for as many index vectors as it has dimensions.
static void addMask(Inference &inf, const TensorMeta &mask, size_t position, Indices &out) {
  const TensorMeta &self = inf.self();
  size_t start = out.entries.size();
  for (int64_t d = 0; d < mask.dim(); ++d)
    if (start + d >= self.sizes.size() ||
        !inf.isEqual(mask.sizes[d], self.sizes[start + d], kIndexWhy))
      return inf.raiseAs(PyErrorKind::IndexError,
                         "The shape of the mask {0} at index {1} does not match the shape of the "
                         "indexed tensor {2} at index {3}",
                         inf.str(mask.sizes), d, inf.str(self.sizes), start + d);
  if (inf.failed())
    return;
  Expr limit = numel(inf.sym, mask);
  Expr count = limit.isZero() ? limit : inf.ctx.freshUnbacked(0, limit, "true elements of a mask");
  TensorMeta vector = inf.make(DType::Int64, {count});
  for (int64_t d = 0; d < mask.dim(); ++d)
    out.entries.push_back(vector);
  if (mask.dim() == 0)
    inf.unsupported("a mask without dimensions as index");
}

static std::optional<Indices> readIndices(Inference &inf) {
  const TensorMeta &self = inf.self();
  Indices out;
  for (auto [i, t] : llvm::enumerate(inf.tensors("indices"))) {
    if (!t) {
      out.entries.push_back(std::nullopt);
    } else if (isMask(*t)) {
      addMask(inf, *t, i, out);
    } else if (t->dtype == DType::Int64 || t->dtype == DType::Int32) {
      out.entries.push_back(*t);
    } else {
      inf.raiseAs(PyErrorKind::IndexError,
                  "tensors used as indices must be long, int, byte or bool tensors");
    }
    if (inf.failed())
      return std::nullopt;
  }
  if (int64_t(out.entries.size()) > self.dim()) {
    inf.raiseAs(PyErrorKind::IndexError, "too many indices for tensor of dimension {0} (got {1})",
                self.dim(), out.entries.size());
    return std::nullopt;
  }
  out.entries.resize(self.dim());
  return out;
}

/// Broadcasts the indices and sees whether they stand side by side.
static void arrange(Inference &inf, Indices &indices) {
  std::optional<size_t> last;
  for (auto [d, entry] : llvm::enumerate(indices.entries)) {
    if (!entry)
      continue;
    if (!indices.any)
      indices.first = d;
    indices.adjacent &= !last || *last + 1 == d;
    indices.any = true;
    last = d;
    inf.broadcastInto(indices.broadcast, entry->sizes);
  }
  if (inf.result.status == MetaResult::Status::Raise) {
    inf.result = MetaResult();
    std::string shapes;
    for (const std::optional<TensorMeta> &entry : indices.entries)
      if (entry)
        shapes += (shapes.empty() ? "" : ", ") + inf.str(entry->sizes);
    inf.raiseAs(PyErrorKind::IndexError,
                "shape mismatch: indexing tensors could not be broadcast together with shapes {0}",
                shapes);
  }
  auto isSome = [&](Expr e) { return inf.proves(Cmp::NE, e, inf.constant(0)) == true; };
  for (auto [entry, size] : llvm::zip_equal(indices.entries, inf.self().sizes))
    if (entry && size.isZero() && llvm::all_of(indices.broadcast, isSome))
      inf.raiseAs(PyErrorKind::IndexError, "index is out of bounds for dimension with size 0");
}

/// The indexed tensor as the kernel iterates over it: stride 0 in the dimensions of the indices,
/// which come first unless they stand side by side.
static TensorMeta restrided(Inference &inf, const Indices &indices) {
  const TensorMeta &self = inf.self();
  TensorMeta out = self;
  out.sizes.clear();
  out.strides.clear();
  auto addIndices = [&] {
    out.sizes.append(indices.broadcast);
    out.strides.append(indices.broadcast.size(), inf.constant(0));
  };
  if (indices.any && !indices.adjacent)
    addIndices();
  for (size_t d = 0; d < self.sizes.size(); ++d) {
    if (indices.entries[d]) {
      if (indices.adjacent && d == indices.first)
        addIndices();
      continue;
    }
    out.sizes.push_back(self.sizes[d]);
    out.strides.push_back(self.strides[d]);
  }
  return out;
}

/// One index among the dimensions of the result.
static TensorMeta spreadIndex(Inference &inf, const TensorMeta &index, const Indices &indices,
                              const TensorMeta &result) {
  size_t before = indices.adjacent ? indices.first : 0;
  size_t lead = indices.broadcast.size() - index.sizes.size();
  TensorMeta out = index;
  out.sizes.assign(result.sizes.size(), inf.constant(1));
  out.strides.assign(result.sizes.size(), inf.constant(0));
  for (size_t i = 0; i < index.sizes.size(); ++i) {
    out.sizes[before + lead + i] = index.sizes[i];
    out.strides[before + lead + i] = index.strides[i];
  }
  return out;
}

void ptc::aten::inferIndexTensors(Inference &inf) {
  std::optional<Indices> indices = readIndices(inf);
  if (!indices)
    return;
  arrange(inf, *indices);
  if (inf.failed())
    return;
  if (inf.tensors("indices").empty())
    return inf.raiseAs(PyErrorKind::IndexError, "at least one index must be provided");
  if (!indices->any)
    return inf.raise("ntensor >= 3 INTERNAL ASSERT FAILED");
  TensorMeta source = restrided(inf, *indices);
  llvm::SmallVector<TensorMeta, 4> spread;
  for (const std::optional<TensorMeta> &entry : indices->entries)
    if (entry)
      spread.push_back(spreadIndex(inf, *entry, *indices, source));
  llvm::SmallVector<const TensorMeta *, 4> operands{&source};
  for (const TensorMeta &t : spread)
    operands.push_back(&t);
  inf.add(inf.make(inf.self().dtype, source.sizes, inf.iteratorStrides(source.sizes, operands)));
}

/// Whether eager makes x[mask] = number a masked_fill, which converts the number.
static bool isFilledByMask(Inference &inf) {
  llvm::ArrayRef<const TensorMeta *> indices = inf.tensors("indices");
  size_t masks = llvm::count_if(indices, [](const TensorMeta *t) { return t && isMask(*t); });
  size_t given = llvm::count_if(indices, [](const TensorMeta *t) { return t != nullptr; });
  const TensorMeta &values = *inf.tensor("values");
  return given == 1 && masks == 1 && !inf.boolValue("accumulate") &&
         inf.proves(Cmp::EQ, numel(inf.sym, values), inf.constant(1)) == true;
}

void ptc::aten::inferIndexPut(Inference &inf) {
  const TensorMeta &self = inf.self(), *values = inf.tensor("values");
  std::optional<Indices> indices = readIndices(inf);
  if (!indices)
    return;
  arrange(inf, *indices);
  if (inf.failed())
    return;
  if (!indices->any)
    return inf.raise("sym_strides() called on an undefined Tensor");
  if (isFilledByMask(inf)) {
    if (inf.tensors("indices").front()->dtype == DType::UInt8)
      return inf.raise("masked_fill_ only supports boolean masks, but got mask with dtype unsigned "
                       "char");
  } else if (values->dtype != self.dtype)
    return inf.raise("Index put requires the source and destination dtypes match, got {0} for the "
                     "destination and {1} for the source.",
                     scalarTypeName(self.dtype), scalarTypeName(values->dtype));
  TensorMeta target = restrided(inf, *indices);
  if (!inf.expandsTo(values->sizes, target.sizes) && !inf.failed())
    return inf.raise("shape mismatch: value tensor of shape {0} cannot be broadcast to indexing "
                     "result of shape {1}",
                     inf.str(values->sizes), inf.str(target.sizes));
  inf.add(inf.make(self.dtype, self.sizes, inf.likeStrides(self)));
}

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

static bool isIndexType(const TensorMeta &t) {
  return t.dtype == DType::Int64 || t.dtype == DType::Int32;
}

/// Of rows of which there are none eager complains before it looks at indices.
static void checkHasRows(Inference &inf, Expr rows, Expr count) {
  if (rows.isZero() && !inf.isEqual(count, 0, kIndexWhy))
    inf.raise("index_select(): self indexing axis dim should be positive");
}

void ptc::aten::inferIndexSelect(Inference &inf) {
  const TensorMeta &self = inf.self(), *index = inf.tensor("index");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  if (index->dim() > 1)
    return inf.raiseAs(PyErrorKind::IndexError, "index_select(): Index is supposed to be a vector");
  if (!isIndexType(*index))
    return inf.raise("index_select(): Expected dtype int32 or int64 for index");
  Exprs sizes = self.sizes;
  Expr count = numel(inf.sym, *index);
  if (self.dim() && !inf.failed())
    sizes[dim] = count;
  else if (!inf.isEqual(count, 1, kIndexWhy))
    inf.raise("index_select(): Index to scalar can have only 1 value, got {0} value(s)",
              inf.str(count));
  if (self.dim() > 1 && !inf.failed())
    checkHasRows(inf, self.sizes[dim], count);
  inf.add(inf.make(self.dtype, sizes));
}

/// index.size(d) <= other.size(d) in every dimension but `dim`.
static bool fitsInside(Inference &inf, const TensorMeta &index, const TensorMeta &other,
                       int64_t dim) {
  for (int64_t d = 0; d < index.dim(); ++d)
    if (d != dim && !inf.isTrue(Cmp::LE, index.sizes[d], other.sizes[d], kIndexWhy))
      return false;
  return true;
}

namespace {
/// Of an index without elements nothing is asked. Whether it has some is asked where they would be
/// wrong.
class IndexChecks {
public:
  IndexChecks(Inference &inf, const TensorMeta &index)
      : inf(inf), index(index), isEmpty(inf.isVacant(index)) {}

  bool areAsked() const { return !isEmpty; }
  bool fail(bool isWrong) {
    if (isEmpty || !isWrong)
      return false;
    isEmpty = inf.failed() || inf.isEqual(numel(inf.sym, index), 0, kIndexWhy) || inf.failed();
    return !isEmpty;
  }

private:
  Inference &inf;
  const TensorMeta &index;
  bool isEmpty;
};
} // namespace

static TensorMeta firstDims(const TensorMeta &t, int64_t count) {
  TensorMeta first = t;
  first.sizes.truncate(count);
  first.strides.truncate(count);
  return first;
}

void ptc::aten::inferGather(Inference &inf) {
  const TensorMeta &self = inf.self(), *index = inf.tensor("index");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  if (inf.failed())
    return;
  IndexChecks checks(inf, *index);
  if (checks.fail(!isIndexType(*index)))
    return inf.raise("gather(): Expected dtype int32/int64 for index");
  if (checks.fail(std::max<int64_t>(self.dim(), 1) != std::max<int64_t>(index->dim(), 1)))
    return inf.raise("Index tensor must have the same number of dimensions as input tensor");
  if (checks.areAsked() && self.dim() == index->dim() &&
      checks.fail(!fitsInside(inf, *index, self, dim)))
    return inf.raise("Size does not match at dimension {0} expected index {1} to be no larger than "
                     "self {2} apart from dimension {3}",
                     dim == 0 ? 1 : 0, inf.str(index->sizes), inf.str(self.sizes), dim);
  inf.add(inf.make(self.dtype, index->sizes));
}

void ptc::aten::inferTakeAlongDim(Inference &inf) {
  const TensorMeta &self = inf.self(), *indices = inf.tensor("indices");
  bool isFlat = inf.isNone("dim");
  if (indices->dtype != DType::Int64 && !(isFlat && indices->dtype == DType::Int32))
    return inf.raise("torch.take_along_dim(): dtype of indices should be Long but got {0}",
                     scalarTypeName(indices->dtype));
  if (isFlat && !viewStrides(inf, self, {numel(inf.sym, self)}))
    return inf.raise("{0}", kNoView);
  if (isFlat)
    return inf.add(inf.make(self.dtype, {numel(inf.sym, *indices)}));
  if (self.dim() != indices->dim())
    return inf.raise("torch.take_along_dim(): input and indices should have the same number of "
                     "dimensions, but got {0} dimensions for input, and {1} dimensions for indices",
                     self.dim(), indices->dim());
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  if (inf.failed() || self.dim() == 0)
    return inf.add(inf.make(self.dtype, indices->sizes));
  Exprs sizes = self.sizes, others = indices->sizes;
  sizes[dim] = others[dim] = inf.constant(1);
  inf.broadcastInto(sizes, others);
  if (inf.failed())
    return;
  sizes[dim] = indices->sizes[dim];
  inf.add(inf.make(self.dtype, sizes));
}

void ptc::aten::inferEmbedding(Inference &inf) {
  const TensorMeta &weight = inf.self(), *indices = inf.tensor("indices");
  if (weight.dim() != 2)
    return inf.raise("'weight' must be 2-D");
  if (!isIndexType(*indices))
    return inf.raise("Expected tensor for argument #1 'indices' to have one of the following "
                     "scalar types: Long, Int; but got torch.{0}Tensor instead (while checking "
                     "arguments for embedding)",
                     scalarTypeName(indices->dtype));
  checkHasRows(inf, weight.sizes[0], numel(inf.sym, *indices));
  Exprs sizes = indices->sizes;
  sizes.push_back(weight.sizes[1]);
  inf.add(inf.make(weight.dtype, sizes));
}

//===----------------------------------------------------------------------===//
// Sizes that depend on elements
//===----------------------------------------------------------------------===//

void ptc::aten::inferMaskedSelect(Inference &inf) {
  const TensorMeta &self = inf.self(), *mask = inf.tensor("mask");
  if (!isBool(mask->dtype))
    return inf.raise("masked_select: expected BoolTensor for mask");
  Exprs sizes = self.sizes;
  inf.broadcastInto(sizes, mask->sizes);
  if (inf.failed())
    return;
  Expr count = inf.ctx.freshUnbacked(0, inf.sym.product(sizes), "true elements of a mask");
  inf.add(inf.make(self.dtype, {count}));
}

void ptc::aten::inferNonzero(Inference &inf) {
  const TensorMeta &self = inf.self();
  Expr count = inf.ctx.freshUnbacked(0, numel(inf.sym, self), "number of nonzero elements");
  // The kernel writes one dimension after the other.
  Exprs strides{inf.constant(1), count};
  inf.add(inf.make(DType::Int64, {count, inf.constant(self.dim())}, strides));
}

void ptc::aten::inferNonzeroList(Inference &inf) {
  const TensorMeta &self = inf.self();
  Expr count = inf.ctx.freshUnbacked(0, numel(inf.sym, self), "number of nonzero elements");
  int64_t rank = std::max<int64_t>(self.dim(), 1);
  ResultValue list;
  list.kind = ResultValue::Kind::TensorList;
  for (int64_t i = 0; i < rank; ++i)
    list.tensors.push_back({inf.make(DType::Int64, {count}), {}});
  inf.result.results.push_back(std::move(list));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void ptc::aten::inferScatter(Inference &inf) {
  const TensorMeta &self = inf.self(), *index = inf.tensor("index");
  const TensorMeta *src = inf.tensor(inf.hasArg("src") ? "src" : "index");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  if (inf.failed())
    return;
  IndexChecks checks(inf, *index);
  llvm::StringRef reduce = inf.op.id == OpId::scatter_reduce_two ? inf.strValue("reduce") : "";
  if ((reduce == "mean" && isBool(self.dtype)) ||
      ((reduce == "amax" || reduce == "amin") && isComplex(self.dtype) && checks.areAsked()))
    inf.refuse("scatter_gather_tensor_cpu_reduce_" + reduce.str(), self.dtype);
  if (checks.fail(!isIndexType(*index)))
    return inf.raise("scatter(): Expected dtype int32/int64 for index");
  if (inf.hasArg("src") && src->dtype != self.dtype)
    return inf.raise("scatter(): Expected self.dtype to be equal to src.dtype");
  if (inf.hasArg("value"))
    inf.checkNumber(inf.arg("value"), self.dtype);
  auto rank = [](const TensorMeta &t) { return std::max<int64_t>(t.dim(), 1); };
  if (checks.fail(rank(*index) != rank(self)))
    return inf.raise("Index tensor must have the same number of dimensions as self tensor");
  if (checks.areAsked() && src->dim() > 0 && src->dim() < index->dim() &&
      fitsInside(inf, *index, self, dim) &&
      fitsInside(inf, firstDims(*index, src->dim()), *src, -1))
    inf.wrapDim(src->dim(), src->dim()); // of which eager asks the size
  if (checks.fail(rank(*index) != rank(*src)))
    return inf.raise("Index tensor must have the same number of dimensions as src tensor");
  if (checks.areAsked() && self.dim() > 0 && index->dim() > 0 && src->dim() > 0 &&
      checks.fail(!fitsInside(inf, *index, self, dim) || !fitsInside(inf, *index, *src, -1)))
    return inf.raise("Expected index {0} to be no larger than self {1} apart from dimension {2}{3}",
                     inf.str(index->sizes), inf.str(self.sizes), dim,
                     inf.hasArg("src") ? " and to be no larger size than src " + inf.str(src->sizes)
                                       : std::string());
  constexpr llvm::StringLiteral kWords[] = {"sum", "prod", "mean", "amax", "amin"};
  if (inf.op.id == OpId::scatter_reduce_two && !llvm::is_contained(kWords, reduce))
    return inf.raise("reduce argument must be either sum, prod, mean, amax or amin, got {0}.",
                     reduce);
  inf.add(inf.make(self.dtype, self.sizes));
}

/// The sizes beside `dim`, all if there is no such dimension.
static Exprs sliceSizes(const TensorMeta &t, int64_t dim) {
  Exprs sizes = t.sizes;
  if (dim < t.dim())
    sizes.erase(sizes.begin() + dim);
  return sizes;
}

/// "4 6".
static std::string spacedSizes(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  return llvm::join(llvm::map_range(sizes, [&](Expr e) { return inf.str(e); }), " ");
}

static constexpr llvm::StringLiteral kRowsWhy = "rows of what is added or copied";

/// index_add: as many rows in the source as the index names, each of the size of self's.
static void checkAdded(Inference &inf, const TensorMeta &index, const TensorMeta &source,
                       int64_t dim) {
  const TensorMeta &self = inf.self();
  Expr count = numel(inf.sym, index);
  if (dim != 0 && dim >= source.dim())
    return inf.raise("index_add_(): Indexing dim {0} is out of bounds of the source tensor with "
                     "dim {1}",
                     dim, source.dim());
  if (source.dim() == 0 && !inf.isEqual(count, 1, kRowsWhy)) // its message asks for a size
    return inf.raiseAs(PyErrorKind::IndexError,
                       "Dimension specified as 0 but tensor has no dimensions");
  if (source.dim() != 0 && !inf.isEqual(count, source.sizes[dim], kRowsWhy))
    return inf.raise("index_add_(): Number of indices ({0}) should be equal to source.size(dim): "
                     "({1}), for dim: {2}",
                     inf.str(count), inf.str(source.sizes[dim]), dim);
  if (self.dim() != source.dim() ||
      !inf.sameSizes(sliceSizes(self, dim), sliceSizes(source, dim), kRowsWhy))
    inf.raise("source tensor shape must match self tensor shape, excluding the specified "
              "dimension. Got self.shape = {0} source.shape = {1}",
              inf.str(self.sizes), inf.str(source.sizes));
}

/// index_copy: the same, where either may have no dimensions.
static void checkCopied(Inference &inf, const TensorMeta &index, const TensorMeta &source,
                        int64_t dim) {
  const TensorMeta &self = inf.self();
  Expr count = numel(inf.sym, index);
  if (source.dim() == 0 && !inf.isEqual(count, 1, kRowsWhy))
    return inf.raiseAs(PyErrorKind::IndexError,
                       "index_copy_(): When source is scalar, index should have one element (got "
                       "{0})",
                       inf.str(count));
  if (source.dim() != 0 && self.dim() != 0 && self.dim() != source.dim())
    return inf.raiseAs(PyErrorKind::IndexError,
                       "index_copy_(): When source and destination are not scalars, their "
                       "dimensionality must match. Source dimensionality ({0}), destination "
                       "dimensionality ({1})",
                       source.dim(), self.dim());
  if (index.dtype != DType::Int64)
    return inf.raise("index_copy_(): Expected a long tensor for index, but got {0}",
                     scalarTypeName(index.dtype));
  if (self.dtype != source.dtype)
    return inf.raise("index_copy_(): self and source expected to have the same dtype, but got "
                     "(self) {0} and (source) {1}",
                     scalarTypeName(self.dtype), scalarTypeName(source.dtype));
  Exprs into = sliceSizes(self, dim), from = sliceSizes(source, dim);
  if (!inf.sameSizes(into, from, kRowsWhy))
    return inf.raise("index_copy_(): Source/destination tensor must have same slice shapes. "
                     "Destination slice shape: {0} at dimension {2} and source slice shape: {1} at "
                     "dimension 0.",
                     spacedSizes(inf, into), spacedSizes(inf, from), dim);
  if (source.dim() > dim && !inf.isEqual(count, source.sizes[dim], kRowsWhy))
    inf.raiseAs(PyErrorKind::IndexError,
                "index_copy_(): Number of indices ({0}) should be equal to source.size(dim) ({1})",
                inf.str(count), inf.str(source.sizes[dim]));
}

/// Rows of a dimension without any: eager makes a view of them before it looks at the indices.
static void checkRowsExist(Inference &inf, const TensorMeta &index, int64_t dim) {
  const TensorMeta &self = inf.self();
  if (self.dim() == 0 || inf.failed() || !inf.isEqual(self.sizes[dim], 0, kRowsWhy))
    return;
  Exprs sizes = self.sizes, strides = self.strides;
  sizes[dim] = numel(inf.sym, index);
  strides[dim] = inf.constant(0);
  if (llvm::any_of(sizes, [&](Expr e) { return inf.isEqual(e, 0, kRowsWhy); }))
    return;
  Expr extent = inf.constant(1);
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    extent = inf.sym.add(extent, inf.sym.mul(inf.sym.sub(size, inf.constant(1)), stride));
  int64_t bytes = getDTypeInfo(self.dtype).bytes;
  inf.raise("setStorage: sizes {0}, strides {1}, storage offset 0, and itemsize {2} requiring a "
            "storage size of {3} are out of bounds for storage of size 0",
            inf.str(sizes), inf.str(strides), bytes,
            inf.str(inf.sym.mul(extent, inf.constant(bytes))));
}

void ptc::aten::inferIndexAdd(Inference &inf) {
  const TensorMeta &self = inf.self(), *index = inf.tensor("index"), *source = inf.tensor("source");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  llvm::StringRef name = inf.op.baseName();
  if (inf.failed())
    return;
  if (index->dim() > 1)
    return inf.raiseAs(PyErrorKind::IndexError,
                       "{0}(): Index is supposed to be a vector, but got "
                       "dim: {1} with type: {2} and size: {3}",
                       name, index->dim(), scalarTypeName(index->dtype), inf.str(index->sizes));
  if (name == "index_copy") {
    checkCopied(inf, *index, *source, dim);
    checkRowsExist(inf, *index, dim);
    return inf.add(inf.make(self.dtype, self.sizes));
  }
  if (!isIndexType(*index))
    return inf.raise("{0}(): Expected dtype int32/int64 for index but got: {1}", name,
                     scalarTypeName(index->dtype));
  if (self.dtype != source->dtype)
    return inf.raise("{0}(): self ({1}) and source ({2}) must have the same scalar type", name,
                     scalarTypeName(self.dtype), scalarTypeName(source->dtype));
  checkAdded(inf, *index, *source, dim);
  inf.checkNumber(inf.arg("alpha"), self.dtype);
  inf.add(inf.make(self.dtype, self.sizes));
}

void ptc::aten::inferIndexFill(Inference &inf) {
  const TensorMeta &self = inf.self(), *value = inf.tensor("value");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  if (inf.tensor("index")->dtype != DType::Int64)
    return inf.raiseAs(PyErrorKind::IndexError, "index_fill_(): Expected dtype int64 for index.");
  if (value && value->dim() != 0)
    return inf.raise("index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                     "{0} dimension(s).",
                     value->dim());
  if (inf.tensor("index")->dim() > 1)
    return inf.raise("Index has to be a vector/scalar");
  DType given = value ? value->dtype : DType::Bool;
  if (!isComplex(self.dtype) && (isComplex(given) || inf.arg("value").is<ArgValue::Complex>()))
    return inf.raise("index_fill_(): Converting complex Scalar to non-complex type is not "
                     "supported");
  inf.checkNumber(inf.arg("value"), self.dtype);
  checkRowsExist(inf, *inf.tensor("index"), dim);
  inf.add(inf.make(self.dtype, self.sizes, inf.likeStrides(self)));
}

void ptc::aten::inferMaskedScatter(Inference &inf) {
  const TensorMeta &self = inf.self(), *mask = inf.tensor("mask"), *source = inf.tensor("source");
  if (!isBool(mask->dtype))
    return inf.raise("masked_scatter_ only supports boolean masks, but got mask with dtype {0}",
                     scalarTypeName(mask->dtype));
  if (self.dtype != source->dtype)
    return inf.raise("masked_scatter: expected self and source to have same dtypes but got {0} and "
                     "{1}",
                     scalarTypeName(self.dtype), scalarTypeName(source->dtype));
  Exprs sizes = mask->sizes;
  inf.broadcastInto(sizes, self.sizes);
  inf.add(inf.make(self.dtype, sizes));
}

/// A copy of argument 0 of which one part is src.
static void addScattered(Inference &inf, const Part &part, llvm::StringRef name) {
  const TensorMeta &self = inf.self(), *src = inf.tensor("src");
  if (inf.failed())
    return;
  if (!inf.sameSizes(src->sizes, part.sizes, "sizes that are written") && !inf.failed())
    return inf.raise("expected src to have a size equal to the {0} of self. src size = {1}, {0} "
                     "size = {2}",
                     name, inf.str(src->sizes), inf.str(part.sizes));
  inf.add(inf.make(self.dtype, self.sizes, inf.cloneStrides(self)));
}

void ptc::aten::inferSliceScatter(Inference &inf) {
  if (inf.self().dim() == 0)
    return inf.raiseAs(PyErrorKind::IndexError, "slice() cannot be applied to a 0-dim tensor.");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), inf.self().dim());
  Expr start = inf.isNone("start") ? Expr() : inf.intExpr("start");
  Expr end = inf.isNone("end") ? Expr() : inf.intExpr("end");
  Expr step = inf.intExpr("step");
  if (!inf.failed())
    addScattered(inf, slicePart(inf, inf.self(), dim, start, end, step), "slice");
}

void ptc::aten::inferSelectScatter(Inference &inf) {
  if (inf.self().dim() == 0)
    return inf.raiseAs(PyErrorKind::IndexError, "select() cannot be applied to a 0-dim tensor.");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), inf.self().dim());
  Expr index = inf.intExpr("index");
  if (!inf.failed())
    addScattered(inf, selectPart(inf, inf.self(), dim, index), "slice");
}

void ptc::aten::inferDiagonalScatter(Inference &inf) {
  addScattered(inf, diagonalPart(inf, inf.self()), "slice");
}

void ptc::aten::inferAsStridedScatter(Inference &inf) {
  Exprs sizes(inf.exprList("size")), strides(inf.exprList("stride"));
  if (sizes.size() != strides.size())
    return inf.raise("mismatch in length of strides and shape");
  if (!inf.isNone("storage_offset") &&
      inf.isLess(inf.intExpr("storage_offset"), inf.constant(0), "offset in a storage"))
    return inf.raise("Tensor: invalid storage offset {0}", inf.str(inf.intExpr("storage_offset")));
  for (Expr stride : strides)
    if (inf.isLess(stride, inf.constant(0), "strides are not negative"))
      return inf.raise("as_strided: Negative strides are not supported at the moment, got strides: "
                       "{0}",
                       inf.str(strides));
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    if (stride.isZero() && !inf.isEqual(size, 1, "one place for each element"))
      return inf.raise("unsupported operation: more than one element of the written-to tensor "
                       "refers to a single memory location. Please clone() the tensor before "
                       "performing the operation.");
  addScattered(inf, {sizes, strides, inf.constant(0)}, "slice");
}
