//===- MetaOverlap.cpp - Which writes into shared memory eager refuses -------===//
//
// In: sizes, strides and offsets, symbolic or not. Out: how eager judges them. What the algebra
// does not show is unknown; nobody is asked.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/Overlap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

/// Whether the elements fill a range without gaps, each place once; none: not known. Dimensions
/// are taken from the innermost one on: each must begin where those before it end.
static std::optional<bool> isDense(sym::Context &symbols, llvm::ArrayRef<Expr> sizes,
                                   llvm::ArrayRef<Expr> strides) {
  if (llvm::any_of(sizes, [](Expr size) { return size.isZero(); }) ||
      llvm::ArrayRef<Expr>(contiguousStrides(symbols, sizes)) == strides)
    return true;
  bool isKnown = true;
  llvm::SmallVector<size_t, 6> left;
  for (size_t d : llvm::seq(sizes.size())) {
    isKnown &= sizes[d].isConstant() && strides[d].isConstant();
    if (!sizes[d].isOne())
      left.push_back(d);
  }
  for (Expr next = symbols.constant(1); !left.empty();) {
    auto *it =
        llvm::find_if(left, [&](size_t d) { return symbols.isEqual(strides[d], next) == true; });
    if (it == left.end())
      return isKnown ? std::optional(false) : std::nullopt;
    next = symbols.mul(next, sizes[*it]);
    left.erase(it);
  }
  return true;
}

SelfOverlap ptc::aten::overlapsItself(sym::Context &symbols, llvm::ArrayRef<Expr> sizes,
                                      llvm::ArrayRef<Expr> strides) {
  std::optional<bool> dense = isDense(symbols, sizes, strides);
  if (dense == true)
    return SelfOverlap::No;
  // A tensor without elements is dense, whatever its strides.
  bool hasElements = llvm::all_of(
      sizes, [&](Expr size) { return symbols.isLess(symbols.constant(0), size) == true; });
  bool isKnown = dense.has_value() && hasElements;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    std::optional<bool> isZero = symbols.isEqual(stride, symbols.constant(0));
    std::optional<bool> isLong = symbols.isLess(symbols.constant(1), size);
    if (isZero == true && isLong == true && hasElements)
      return SelfOverlap::Yes;
    isKnown &= isZero == false || isLong == false;
  }
  return isKnown ? SelfOverlap::TooHard : SelfOverlap::Unknown;
}

Overlap ptc::aten::overlapOf(sym::Context &symbols, const Placement &a, const Placement &b) {
  Expr countA = symbols.product(a.sizes), countB = symbols.product(b.sizes);
  if (countA.isZero() || countB.isZero())
    return Overlap::No;
  // Should one turn out to have no elements, both answers below would be wrong.
  Expr zero = symbols.constant(0);
  if (symbols.isLess(zero, countA) != true || symbols.isLess(zero, countB) != true)
    return Overlap::Unknown;
  std::optional<bool> denseA = isDense(symbols, a.sizes, a.strides);
  std::optional<bool> denseB = isDense(symbols, b.sizes, b.strides);
  if (denseA == false || denseB == false)
    return Overlap::TooHard;
  if (!denseA || !denseB || !a.offset.isSupported() || !b.offset.isSupported())
    return Overlap::Unknown;
  auto bytes = [&](Expr e, const Placement &p) {
    return symbols.mul(e, symbols.constant(p.elementBytes));
  };
  Expr beginA = bytes(a.offset, a), endA = bytes(symbols.add(a.offset, countA), a);
  Expr beginB = bytes(b.offset, b), endB = bytes(symbols.add(b.offset, countB), b);
  std::optional<bool> sameBegin = symbols.isEqual(beginA, beginB);
  std::optional<bool> sameEnd = symbols.isEqual(endA, endB);
  if (sameBegin == true && sameEnd == true) {
    if (a.strides == b.strides)
      return Overlap::Full;
    bool isKnown = a.strides.size() != b.strides.size();
    for (auto [x, y] : llvm::zip(a.strides, b.strides))
      isKnown |= symbols.isEqual(x, y) == false;
    return isKnown ? Overlap::Partial : Overlap::Unknown;
  }
  std::optional<bool> left = symbols.isLess(beginA, endB), right = symbols.isLess(beginB, endA);
  if (left == false || right == false)
    return Overlap::No;
  bool differ = sameBegin == false || sameEnd == false;
  return left == true && right == true && differ ? Overlap::Partial : Overlap::Unknown;
}

namespace {
/// A family of operations that does not follow the rule of elementwise ones.
struct WriteRow {
  llvm::StringLiteral op; ///< base name
  WriteRule rule;
};
} // namespace

using Operands = WriteRule::Operands;
using Order = WriteRule::Order;
static constexpr WriteRow kWriteRows[] = {
    // Every element is given one value, or the kernel does not look.
    {"zero", {false, Operands::Any}},
    {"fill_diagonal", {false, Operands::Any}},
    {"tril", {false, Operands::Any}},
    {"triu", {false, Operands::Any}},
    {"threshold", {false, Operands::Whole, false, Order::Last}},
    {"masked_fill", {false, Operands::Whole, true}},
    {"index_fill", {false, Operands::Outside, true}},
    {"index_put", {false, Operands::Outside, false, Order::First}},
    {"_index_put_impl", {false, Operands::Outside, false, Order::First}},
    {"_unsafe_index_put", {false, Operands::Outside, false, Order::First}},
    // The type is looked at first.
    {"uniform", {true, Operands::Whole, false, Order::Last}},
    {"dropout", {true, Operands::Whole, false, Order::Last}},
    {"cumsum", {true, Operands::Whole, false, Order::Last}},
    {"cumprod", {true, Operands::Whole, false, Order::Last}},
    // Read as a whole before or while the kernel writes.
    {"addmm", {true, Operands::Any, false, Order::Last}},
    {"addbmm", {true, Operands::Any, false, Order::Last}},
    {"baddbmm", {false, Operands::Any, false, Order::Last}},
    {"addmv", {false, Operands::Any, false, Order::Last}},
    {"masked_scatter", {true, Operands::Any, false, Order::First}},
    {"index_add", {true, Operands::Outside}},
    {"index_copy", {true, Operands::Outside, false, Order::First}},
    {"index_reduce", {true, Operands::Outside}},
    {"put", {true, Operands::Outside}},
    {"scatter", {true, Operands::Outside}},
    {"scatter_add", {true, Operands::Outside}},
    {"scatter_reduce", {true, Operands::Outside}},
};

/// Whether eager's index_put fills under a mask: one mask, and a value of one element.
static bool isMaskedFill(llvm::ArrayRef<ArgValue> args) {
  const auto *indices = args[1].getIf<ArgValue::TensorList>();
  const TensorMeta *value = args[2].tensor();
  if (!indices || !value || !llvm::all_of(value->sizes, [](Expr size) { return size.isOne(); }))
    return false;
  llvm::SmallVector<const TensorMeta *> given;
  llvm::copy_if(indices->values, std::back_inserter(given), [](const auto *t) { return t; });
  return given.size() == 1 && (given[0]->dtype == DType::Bool || given[0]->dtype == DType::UInt8);
}

WriteRule ptc::aten::writeRuleOf(const OpInfo &op, llvm::ArrayRef<ArgValue> args) {
  const WriteRule anything{false, Operands::Any};
  if (op.name == "fill.Scalar")
    return anything;
  // A tensor is copied.
  if (op.name == "fill.Tensor")
    return {true, Operands::Any};
  // Nothing is written.
  if (const TensorMeta *self = args[0].tensor();
      self && op.id == OpId::nan_to_num && !isFloat(self->dtype) && !isComplex(self->dtype))
    return anything;
  WriteRule rule;
  for (const WriteRow &row : kWriteRows)
    if (op.baseName() == row.op)
      rule = row.rule;
  // The value is read as a number; the mask is of another type, unless self is one as well.
  if (op.baseName() == "index_put" && isMaskedFill(args))
    return anything;
  return rule;
}

static constexpr llvm::StringLiteral kMoreThanOne =
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation.";
static constexpr llvm::StringLiteral kSome =
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location. Please clone() the tensor before performing the operation.";

WriteCheck ptc::aten::checkWrite(sym::Context &symbols, const OpInfo &op,
                                 llvm::ArrayRef<ArgValue> args, const Placement &self,
                                 llvm::ArrayRef<Placement> operands) {
  WriteRule rule = writeRuleOf(op, args);
  WriteCheck check;
  if (rule.refusesSelfOverlap) {
    SelfOverlap overlap = overlapsItself(symbols, self.sizes, self.strides);
    if (overlap == SelfOverlap::Yes)
      return {true, kMoreThanOne};
    check.isKnown &= overlap != SelfOverlap::Unknown;
  }
  if (rule.operands == Operands::Any)
    return check;
  for (const Placement &operand : operands) {
    if (rule.readsValueFirst && op.args[operand.arg].name == "value")
      continue;
    Overlap overlap = overlapOf(symbols, self, operand);
    if (overlap == Overlap::Partial ||
        (overlap == Overlap::Full && rule.operands == Operands::Outside))
      return {true, kSome};
    check.isKnown &= overlap != Overlap::Unknown;
  }
  return check;
}
