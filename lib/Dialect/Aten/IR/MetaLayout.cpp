//===- MetaLayout.cpp - Sizes and strides as eager lays results out ----------===//
//
// In: sizes and strides of operands. Out: broadcast sizes and the strides that eager's allocation
// rules give, in particular TensorIterator's: the output keeps the operands' order of dimensions.
// Symbolic strides are compared by the size algebra first; what it cannot show is decided by the
// context.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

static constexpr llvm::StringLiteral kLayoutWhy = "memory layout of an operand";

/// Dimensions from fastest to slowest in a dense tensor of `format`.
static llvm::SmallVector<unsigned, 5> dimOrder(size_t rank, MemoryFormat format) {
  if (format == MemoryFormat::ChannelsLast && rank == 4)
    return {1, 3, 2, 0};
  if (format == MemoryFormat::ChannelsLast3d && rank == 5)
    return {1, 4, 3, 2, 0};
  llvm::SmallVector<unsigned, 5> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

Exprs ptc::aten::denseStrides(sym::Context &symbols, llvm::ArrayRef<Expr> sizes,
                              MemoryFormat format) {
  Exprs strides(sizes.size(), symbols.constant(1));
  Expr next = symbols.constant(1);
  for (unsigned d : dimOrder(sizes.size(), format)) {
    strides[d] = next;
    // Row-major strides count sizes of 0 as 1, those of other formats do not.
    bool isPlain = format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve;
    next = symbols.mul(next, isPlain ? symbols.max(sizes[d], symbols.constant(1)) : sizes[d]);
  }
  return strides;
}

Exprs ptc::aten::contiguousStrides(sym::Context &symbols, llvm::ArrayRef<Expr> sizes) {
  return denseStrides(symbols, sizes, MemoryFormat::Contiguous);
}

void Inference::broadcastInto(Exprs &a, llvm::ArrayRef<Expr> b) {
  if (failed())
    return;
  // The longer one's leading sizes stay.
  Exprs sizes = a.size() >= b.size() ? a : Exprs(b.begin(), b.end());
  Exprs shortOne = a.size() >= b.size() ? Exprs(b.begin(), b.end()) : a;
  size_t lead = sizes.size() - shortOne.size();
  for (int64_t i = int64_t(shortOne.size()) - 1; i >= 0; --i) {
    Expr sizeA = a.size() >= b.size() ? sizes[lead + i] : shortOne[i];
    Expr sizeB = a.size() >= b.size() ? shortOne[i] : sizes[lead + i];
    Expr merged;
    if (sizeA == sizeB || sizeB.isOne())
      merged = sizeA;
    else if (sizeA.isOne())
      merged = sizeB;
    else if (isEqual(sizeA, sizeB, "broadcasting"))
      merged = sizeB.isConstant() ? sizeB : sizeA;
    else if (isEqual(sizeA, 1, "broadcasting"))
      merged = sizeB;
    else if (isEqual(sizeB, 1, "broadcasting"))
      merged = sizeA;
    else
      return raise("The size of tensor a ({0}) must match the size of tensor b ({1}) at "
                   "non-singleton dimension {2}",
                   str(sizeA), str(sizeB), lead + i);
    sizes[lead + i] = merged;
  }
  a = sizes;
}

bool Inference::expandsTo(llvm::ArrayRef<Expr> from, llvm::ArrayRef<Expr> to) {
  if (from.size() > to.size())
    return false;
  size_t lead = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i)
    if (!from[i].isOne() && !isEqual(from[i], to[lead + i], "broadcasting") &&
        !isEqual(from[i], 1, "broadcasting"))
      return false;
  return true;
}

bool Inference::isContiguous(const TensorMeta &t, MemoryFormat format) {
  if (format == MemoryFormat::ChannelsLast && t.dim() != 4)
    return false;
  if (format == MemoryFormat::ChannelsLast3d && t.dim() != 5)
    return false;
  if (t.strides == denseStrides(sym, t.sizes, format))
    return true;
  bool isPlain = format == MemoryFormat::Contiguous;
  if (isPlain && llvm::any_of(t.sizes, [](Expr size) { return size.isZero(); }))
    return true;
  Expr expected = constant(1);
  for (unsigned d : dimOrder(t.sizes.size(), format)) {
    Expr size = t.sizes[d];
    if (size.isOne())
      continue;
    if (!isEqual(t.strides[d], expected, kLayoutWhy) && !isEqual(size, 1, kLayoutWhy))
      return isPlain && isEmpty(t);
    expected = sym.mul(expected, size);
  }
  return !failed();
}

bool Inference::isEmpty(const TensorMeta &t) {
  return llvm::any_of(t.sizes, [&](Expr size) { return isEqual(size, 0, kLayoutWhy); });
}

bool Inference::isDense(const TensorMeta &t) {
  for (MemoryFormat f :
       {MemoryFormat::Contiguous, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
    if (t.strides == denseStrides(sym, t.sizes, f))
      return true;
  llvm::SmallVector<unsigned, 6> order;
  for (unsigned d = 0; d < t.sizes.size(); ++d)
    if (!isEqual(t.sizes[d], 1, kLayoutWhy)) {
      if (t.sizes[d].isZero())
        return true;
      order.push_back(d);
    }
  // Insertion sort by stride; equal strides of sizes over 1 overlap, whatever their order.
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t j = i; j > 0 && isLess(t.strides[order[j]], t.strides[order[j - 1]], kLayoutWhy);
         --j)
      std::swap(order[j], order[j - 1]);
  Expr expected = constant(1);
  for (unsigned d : order) {
    if (!isEqual(t.strides[d], expected, kLayoutWhy))
      return isEmpty(t);
    expected = sym.mul(expected, t.sizes[d]);
  }
  return !failed();
}

namespace {

/// Sorts dimensions as TensorIterator::reorder_dimensions does: fastest first, ambiguous
/// comparisons (stride 0) leave the order alone.
class DimSorter {
public:
  DimSorter(Inference &inf, llvm::ArrayRef<Expr> sizes) : inf(inf), sizes(sizes) {}

  /// Strides over `sizes` of one operand.
  void addOperand(Exprs strides) { operands.push_back(std::move(strides)); }

  llvm::SmallVector<unsigned, 6> sort() {
    llvm::SmallVector<unsigned, 6> perm(sizes.size());
    std::iota(perm.rbegin(), perm.rend(), 0);
    for (size_t i = 1; i < perm.size(); ++i) {
      size_t dim1 = i;
      for (size_t k = i; k-- > 0;) {
        int order = compare(perm[k], perm[dim1]);
        if (order > 0) {
          std::swap(perm[k], perm[dim1]);
          dim1 = k;
        } else if (order < 0) {
          break;
        }
      }
    }
    return perm;
  }

private:
  /// 1: dim0 comes after dim1; -1: before; 0: ambiguous.
  int compare(unsigned dim0, unsigned dim1) {
    for (const Exprs &strides : operands) {
      Expr s0 = strides[dim0], s1 = strides[dim1];
      if (repeats(s0) || repeats(s1))
        continue;
      if (s0 != s1 && inf.isLess(s0, s1, kLayoutWhy))
        return -1;
      if (s0 != s1 && inf.isLess(s1, s0, kLayoutWhy))
        return 1;
      if (sizes[dim0] != sizes[dim1] && inf.isLess(sizes[dim1], sizes[dim0], kLayoutWhy))
        return 1;
    }
    return 0;
  }

  /// Whether all entries of a dimension are one element.
  bool repeats(Expr stride) { return stride.isZero() || inf.isEqual(stride, 0, kLayoutWhy); }

  Inference &inf;
  llvm::ArrayRef<Expr> sizes;
  llvm::SmallVector<Exprs, 3> operands;
};

} // namespace

/// Strides of `t` over the broadcast `sizes`: 0 where it is repeated.
static Exprs broadcastStrides(Inference &inf, const TensorMeta &t, llvm::ArrayRef<Expr> sizes) {
  size_t lead = sizes.size() - t.sizes.size();
  Exprs strides(sizes.size(), inf.constant(0));
  for (size_t i = 0; i < t.sizes.size(); ++i)
    if (!t.sizes[i].isOne() || sizes[lead + i].isOne())
      strides[lead + i] = t.strides[i];
  return strides;
}

/// Strides by TensorIterator's short cut for operands of one shape; none if it does not apply.
static std::optional<Exprs> fastStrides(Inference &inf, llvm::ArrayRef<Expr> sizes,
                                        llvm::ArrayRef<const TensorMeta *> operands) {
  auto all = [&](auto test) { return llvm::all_of(operands, test); };
  if (!all([&](const TensorMeta *t) { return t->sizes == operands.front()->sizes; }))
    return std::nullopt;
  if (all([&](const TensorMeta *t) { return inf.isContiguous(*t); }))
    return inf.contiguous(sizes);
  if (all([&](const TensorMeta *t) { return inf.isContiguous(*t, MemoryFormat::ChannelsLast); }))
    return denseStrides(inf.sym, sizes, MemoryFormat::ChannelsLast);
  if (all([&](const TensorMeta *t) { return t->strides == operands.front()->strides; }) &&
      inf.isDense(*operands.front()))
    return operands.front()->strides;
  return std::nullopt;
}

Exprs Inference::iteratorStrides(llvm::ArrayRef<Expr> sizes,
                                 llvm::ArrayRef<const TensorMeta *> operands) {
  Exprs plain = contiguous(sizes);
  bool allPlain = llvm::all_of(operands, [&](const TensorMeta *t) {
    return t->strides == contiguousStrides(sym, t->sizes);
  });
  bool isEmpty = llvm::any_of(sizes, [](Expr e) { return e.isZero(); });
  if (failed() || operands.empty() || sizes.size() < 2 || (allPlain && !isEmpty))
    return plain;
  if (std::optional<Exprs> fast = fastStrides(*this, sizes, operands))
    return *fast;
  DimSorter sorter(*this, sizes);
  for (const TensorMeta *t : operands)
    sorter.addOperand(broadcastStrides(*this, *t, sizes));
  llvm::SmallVector<unsigned, 6> perm = sorter.sort();
  if (llvm::is_sorted(llvm::reverse(perm)))
    return plain;
  Exprs strides(sizes.size(), constant(1));
  Expr next = constant(1);
  for (unsigned d : perm) {
    strides[d] = next;
    next = sym.mul(next, sizes[d]);
  }
  return strides;
}

Exprs Inference::numberedStrides(const TensorMeta &t) {
  TensorMeta number = make(t.dtype, {});
  return iteratorStrides(t.sizes, {&number, &t});
}

Exprs Inference::likeStrides(const TensorMeta &t, MemoryFormat format) {
  if (format != MemoryFormat::Preserve)
    return denseStrides(sym, t.sizes, format);
  if (t.strides == contiguous(t.sizes) || isDense(t))
    return t.strides;
  if (t.dim() < 2)
    return contiguous(t.sizes);
  DimSorter sorter(*this, t.sizes);
  sorter.addOperand(t.strides);
  Exprs strides(t.sizes.size(), constant(1));
  Expr next = constant(1);
  for (unsigned d : sorter.sort()) {
    strides[d] = next;
    next = sym.mul(next, sym.max(t.sizes[d], constant(1)));
  }
  return strides;
}

Exprs Inference::cloneStrides(const TensorMeta &t) {
  if (isVacant(t))
    return t.strides;
  for (auto [size, stride] : llvm::zip_equal(t.sizes, t.strides))
    if (stride.isZero() && !isEqual(size, 1, kLayoutWhy))
      return contiguous(t.sizes);
  return t.strides;
}

/// c10's is_channels_last_strides: the order of strides says NHWC, sizes of 1 resolved so that
/// N111 and 1C1W count as contiguous.
static bool looksChannelsLast(Inference &inf, const TensorMeta &t, llvm::ArrayRef<unsigned> dims) {
  Expr min = inf.constant(0);
  if (t.strides[1].isZero())
    return false;
  for (unsigned d : dims) {
    if (t.sizes[d].isZero() || inf.isLess(t.strides[d], min, kLayoutWhy))
      return false;
    if (d == 0 && inf.isEqual(min, t.strides[1], kLayoutWhy))
      return false;
    min = t.strides[d];
    if (!t.sizes[d].isOne() && inf.isLess(inf.constant(1), t.sizes[d], kLayoutWhy))
      min = inf.sym.mul(min, t.sizes[d]);
  }
  auto isZero = [&](Expr size) { return inf.isEqual(size, 0, kLayoutWhy); };
  return !llvm::any_of(t.sizes, isZero) && !inf.failed();
}

MemoryFormat Inference::suggestMemoryFormat(const TensorMeta &t) {
  if (t.strides == contiguous(t.sizes) &&
      llvm::all_of(t.sizes, [&](Expr e) { return proves(Cmp::GT, e, constant(1)) == true; }))
    return MemoryFormat::Contiguous;
  if (t.dim() == 4 && looksChannelsLast(*this, t, {1, 3, 2, 0}))
    return MemoryFormat::ChannelsLast;
  if (t.dim() == 5 && looksChannelsLast(*this, t, {1, 4, 3, 2, 0}))
    return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}
