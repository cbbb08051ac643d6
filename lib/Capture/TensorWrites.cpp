//===- TensorWrites.cpp - In-place writes to memory that overlaps ---------------------------===//
//
// In: an in-place operation, the tensor that it writes to, and its arguments. Out: what eager
// raises when elements of the written tensor share memory, or an operand lies partly where it
// writes. Contents are values here, so a write whose outcome depends on the order of elements is
// refused.
//
//===----------------------------------------------------------------------===//
#include "Failures.h"
#include "Tensors.h"

#include "ptc/Dialect/Aten/IR/Overlap.h"
#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace aten = ptc::aten;
namespace sym = ptc::sym;
using ptc::DiagId;

static aten::Placement placementOf(Engine &e, const TensorNode &t, unsigned arg) {
  sym::Expr offset = t.offset.isSupported() ? t.offset : e.sizes().constant(0);
  return {t.sizes, t.strides, offset, int64_t(ptc::getDTypeInfo(t.dtype).bytes), arg};
}

/// May a view of the storage's own tensor show one element twice?
static bool mayRepeat(const TensorNode &t) {
  return llvm::any_of(t.steps, [](const ViewStep &step) {
    llvm::StringRef op = aten::getOpInfo(aten::OpId(step.op)).baseName();
    return op == "expand" || op == "unfold" || op == "as_strided";
  });
}

/// Is each element at a place of its own? False where that is not known; what depends on the
/// strides of an argument is guarded.
static std::optional<bool> isInjective(Engine &e, llvm::ArrayRef<sym::Expr> sizes,
                                       llvm::ArrayRef<sym::Expr> strides) {
  constexpr llvm::StringLiteral kWhy = "elements of a tensor that is written to";
  if (aten::overlapsItself(e.sizes(), sizes, strides) == aten::SelfOverlap::No)
    return true;
  llvm::SmallVector<std::pair<sym::Expr, sym::Expr>, 6> dims; // stride, size; by ascending strides
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (size.isOne())
      continue;
    if (!e.isInputSize(size) || !e.isInputSize(stride))
      return false;
    size_t at = dims.size();
    for (; at > 0; --at) {
      PTC_GET(isLess, e.decideSizes(CompareOp::Lt, stride, dims[at - 1].first, kWhy));
      if (!isLess)
        break;
    }
    dims.insert(dims.begin() + at, {stride, size});
  }
  sym::Expr one = e.sizes().constant(1), reach = e.sizes().constant(0);
  for (auto [stride, size] : dims) { // reach: of the dimensions with smaller strides
    PTC_GET(isBeyond, e.decideSizes(CompareOp::Gt, stride, reach, kWhy));
    if (!isBeyond)
      return false;
    reach = e.sizes().add(reach, e.sizes().mul(stride, e.sizes().sub(size, one)));
  }
  return true;
}

/// Does a caller's tensor, the storage's own, show one element twice?
static std::optional<bool> isStorageInjective(Engine &e, const TensorNode &t) {
  const TapeValue &all = e.tape.type(e.heap.get(t.storage, slot::kContent).asRaw());
  return isInjective(e, all.sizes, all.strides);
}

/// Equal arguments of views; an int that data decides may stand as a size or as itself.
static bool sameArgument(Engine &e, const Value &a, const Value &b) {
  if (a.is(Kind::Tuple) && b.is(Kind::Tuple))
    return llvm::equal(a.parts(), b.parts(),
                       [&](const Value &x, const Value &y) { return sameArgument(e, x, y); });
  auto isInt = [](const Value &v) {
    return v.is(Kind::Size) || (v.is(Kind::Scalar) && v.scalarType() == ScalarType::Int);
  };
  if (!isInt(a) || !isInt(b))
    return a == b;
  auto sizeOf = [&](const Value &v) {
    return v.is(Kind::Size) ? v.asSize() : e.sizeOfScalar(v.scalarId());
  };
  return a == b || sizeOf(a) == sizeOf(b);
}

/// Do views of one storage show the same elements in the same order?
static bool isSameView(Engine &e, const TensorNode &a, const TensorNode &b) {
  return llvm::equal(a.steps, b.steps, [&](const ViewStep &x, const ViewStep &y) {
    return x.op == y.op && llvm::equal(x.args, y.args, [&](const Value &v, const Value &w) {
             return sameArgument(e, v, w);
           });
  });
}

/// Whether what is read may share elements with what is written, other than all of them, each at
/// its own place; `repeats`: what is written may have elements that share a place.
static bool mayOverlap(Engine &e, const TensorNode &read, const TensorNode &written, bool repeats) {
  return read.storage == written.storage && (repeats || !isSameView(e, read, written));
}

namespace {
/// One write, to one of the tensors that its target may be.
struct Write {
  Engine &e;
  const aten::OpInfo &op;
  llvm::ArrayRef<aten::ArgValue> bound;
  const TensorNode &self;
  bool isStorageInjective; ///< no two of the storage's elements share a place
  llvm::SmallVector<aten::Placement, 4> operands;
  bool isPlaceKnown = true;

  bool repeats() const { return !isStorageInjective || mayRepeat(self); }

  bool mayOverlap(const Value &v) const {
    return v.is(Kind::Tensor) && ::mayOverlap(e, asTensor(v), self, repeats());
  }

  /// Of several tensors that the operand may be, one that overlaps must be known to be it.
  Flow look(const Value &operand, unsigned arg) {
    llvm::ArrayRef<Value> all = alternativesOf(operand);
    if (llvm::none_of(all, [&](const Value &v) { return mayOverlap(v); }))
      return Flow::Next;
    PTC_LET(v, e.decide(operand));
    if (!mayOverlap(v))
      return Flow::Next;
    isPlaceKnown &= asTensor(v).isOffsetKnown && self.isOffsetKnown;
    operands.push_back(placementOf(e, asTensor(v), arg));
    return Flow::Next;
  }

  /// Eager's text, empty where it writes; none: it is not known, or depends on the order.
  std::optional<llvm::StringRef> check() const {
    if (!repeats() && operands.empty())
      return "";
    aten::WriteCheck check =
        aten::checkWrite(e.sizes(), op, bound, placementOf(e, self, 0), operands);
    if (!check.isKnown || !isPlaceKnown)
      return std::nullopt;
    if (!check.text.empty())
      return check.text;
    // A write to one of two elements at one place changes both, whatever the view shows.
    if (!repeats())
      return "";
    PTC_GET(isApart, isInjective(e, self.sizes, self.strides));
    return isApart && isStorageInjective ? std::optional<llvm::StringRef>("") : std::nullopt;
  }
};
} // namespace

Flow capture::checkWrite(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                         TensorCall &call, const Value &target) {
  std::optional<llvm::StringRef> first;
  for (const Value &one : alternativesOf(target)) {
    PTC_GET(isStorageInjective, ::isStorageInjective(e, asTensor(one)));
    Write write{e, op, bound, asTensor(one), isStorageInjective, {}};
    for (const auto &[i, arg] : llvm::enumerate(bound.drop_front())) {
      llvm::SmallVector<const aten::TensorMeta *, 4> read;
      if (const aten::TensorMeta *meta = arg.tensor())
        read.push_back(meta);
      else if (const auto *list = arg.getIf<aten::ArgValue::TensorList>())
        read.append(list->values.begin(), list->values.end());
      for (const aten::TensorMeta *meta : read)
        PTC_DO(meta ? write.look(call.valueOf(meta), unsigned(i) + 1) : Flow::Next);
    }
    std::optional<llvm::StringRef> text = write.check();
    if (!(text && text->empty()) && target.is(Kind::Choice)) {
      PTC_LET(known, e.decide(target));
      if (!(known == one))
        continue; // it is another one that is written
    }
    if (!text || (first && *first != *text))
      return e.refuse(DiagId::UnsupportedOperation, op.name,
                      "it writes in place to memory that may overlap");
    first = text;
  }
  return first && !first->empty() ? Flow(e.raise(WellKnown::RuntimeError, *first)) : Flow::Next;
}

Flow capture::checkOut(Engine &e, const CallArgs &operands, const Value &target) {
  auto liesOver = [&](auto &self, const Value &v) -> bool {
    if (v.is(Kind::Tuple))
      return llvm::any_of(v.parts(), [&](const Value &part) { return self(self, part); });
    if (!e.isTensorLike(v))
      return false;
    for (const Value &read : alternativesOf(v))
      for (const Value &written : alternativesOf(target))
        if (mayOverlap(e, asTensor(read), asTensor(written), mayRepeat(asTensor(written))))
          return true;
    return false;
  };
  bool overlaps =
      llvm::any_of(operands.positional, [&](const Value &v) { return liesOver(liesOver, v); });
  for (const KeywordArg &keyword : operands.keywords)
    overlaps |= liesOver(liesOver, keyword.value);
  if (overlaps)
    return e.refuse(DiagId::UnsupportedTorchFunction, "an out= that lies over part of an operand");
  return Flow::Next;
}

// Gradients
// -----------------------------------------------------------------------------------------------

bool capture::requiresGrad(Engine &e, const TensorNode &t) {
  const Value &said = e.heap.get(t.storage, slot::kGradient);
  // Data that a parameter was made of shares its storage, and asks for none.
  bool isData = !t.isParameter && !t.requiresGrad && !e.heap.get(t.storage, slot::kLeaf).isAbsent();
  if (!t.steps.empty() || isData || !said.is(Kind::Bool))
    return t.requiresGrad;
  return said.asBool();
}

Value capture::setRequiresGrad(Engine &e, const Value &tensor, const Value &wanted) {
  PTC_GET(isWanted, e.truth(wanted));
  PTC_LET(v, e.decide(tensor));
  const TensorNode &t = asTensor(v);
  if (requiresGrad(e, t) == isWanted)
    return v;
  if (isWanted && !isFloat(t.dtype) && !isComplex(t.dtype))
    return e.raise(WellKnown::RuntimeError,
                   "only Tensors of floating point dtype can require gradients");
  bool isLeaf = isWanted || !e.heap.get(t.storage, slot::kLeaf).isAbsent() ||
                !e.heap.get(t.storage, slot::kGradient).isAbsent();
  if (!isLeaf || !t.steps.empty())
    return e.refuse(DiagId::UnsupportedTorchFunction,
                    "torch.Tensor.requires_grad_ of a view or of a result");
  e.heap.set(t.storage, slot::kGradient, Value::boolean(isWanted));
  return v;
}

Flow capture::checkLeaf(Engine &e, const Value &target) {
  if (!e.isGradEnabled())
    return Flow::Next;
  for (const Value &one : alternativesOf(target)) {
    const TensorNode &t = asTensor(one);
    if (e.shapes && e.shapes->findTensor(t.storage) && requiresGrad(e, t))
      return e.refuse(DiagId::UnsupportedTorchFunction,
                      "writing in place to an argument that requires gradients");
    bool isLeaf = !e.heap.get(t.storage, slot::kLeaf).isAbsent() ||
                  !e.heap.get(t.storage, slot::kGradient).isAbsent();
    if (isLeaf && requiresGrad(e, t))
      return e.raise(
          WellKnown::RuntimeError,
          llvm::Twine(t.steps.empty() ? "a leaf Variable" : "a view of a leaf Variable") +
              " that requires grad is being used in an in-place operation.");
  }
  return Flow::Next;
}
