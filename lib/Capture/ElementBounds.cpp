//===- ElementBounds.cpp - What the elements of index tensors are below -----------------------===//
//
// In: an operation that is recorded, with its arguments. Out: a size that all elements of its
// result are below, none of them being negative; nothing where that is not known.
//
//===----------------------------------------------------------------------===//
#include "ElementBounds.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace aten = ptc::aten;
namespace sym = ptc::sym;
using aten::ArgValue;
using aten::OpId;

namespace {
/// The arguments of one call.
struct Bounds {
  Engine &e;
  const aten::OpInfo &op;
  llvm::ArrayRef<ArgValue> bound;
  const TensorCall &call;

  const ArgValue *arg(llvm::StringRef name) const {
    std::optional<unsigned> at = op.findArg(name);
    return at ? &bound[*at] : nullptr;
  }
  sym::Expr number(llvm::StringRef name) const {
    const ArgValue *given = arg(name);
    const auto *value = given ? given->getIf<ArgValue::Int>() : nullptr;
    return value ? value->value : sym::Expr();
  }
  sym::Expr of(const aten::TensorMeta *tensor) const {
    auto known = tensor ? e.elementsBelow.find(call.idOf(tensor)) : e.elementsBelow.end();
    return known == e.elementsBelow.end() ? sym::Expr() : known->second;
  }
  /// The size of the dimension of the first argument that `dim` names.
  sym::Expr sizeAlong() const {
    const aten::TensorMeta *self = bound[0].tensor();
    sym::Expr dim = number("dim");
    std::optional<int64_t> at = dim.isSupported() ? dim.asConstant() : std::nullopt;
    if (!self || !at)
      return {};
    *at += *at < 0 ? self->dim() : 0;
    return *at >= 0 && *at < self->dim() ? self->sizes[size_t(*at)] : sym::Expr();
  }
  bool isNotNegative(sym::Expr size) const {
    return e.sizes().isLessEqual(e.sizes().constant(0), size) == true;
  }

  sym::Expr clamped() const;
  sym::Expr joined() const;
  sym::Expr divided() const;
  sym::Expr below() const;
};
} // namespace

sym::Expr Bounds::clamped() const {
  sym::Expr least = number("min"), most = number("max");
  if (!least.isSupported() || !isNotNegative(least))
    return {};
  if (most.isSupported() && isNotNegative(most))
    return e.sizes().add(most, e.sizes().constant(1));
  const sym::Expr before = arg("max")->isNone() ? of(bound[0].tensor()) : sym::Expr();
  return before.isSupported() ? e.sizes().max(before, e.sizes().add(least, e.sizes().constant(1)))
                              : sym::Expr();
}

sym::Expr Bounds::joined() const {
  const auto *list = bound[0].getIf<ArgValue::TensorList>();
  sym::Expr all;
  for (const aten::TensorMeta *part :
       list ? llvm::ArrayRef(list->values) : llvm::ArrayRef<const aten::TensorMeta *>()) {
    sym::Expr size = of(part);
    if (!size.isSupported())
      return {};
    all = all.isSupported() ? e.sizes().max(all, size) : size;
  }
  return all;
}

/// Python's `//` by a positive number.
sym::Expr Bounds::divided() const {
  const sym::Expr before = of(bound[0].tensor()), by = number("other");
  const ArgValue *mode = arg("rounding_mode");
  const auto *text = mode ? mode->getIf<ArgValue::Str>() : nullptr;
  std::optional<int64_t> divisor = by.isSupported() ? by.asConstant() : std::nullopt;
  bool isFloor = !mode || (text && text->value == "floor");
  return before.isSupported() && isFloor && divisor && *divisor > 0 ? e.sizes().ceildiv(before, by)
                                                                    : sym::Expr();
}

sym::Expr Bounds::below() const {
  const aten::TensorMeta *self = bound.empty() ? nullptr : bound[0].tensor();
  switch (op.id) {
  case OpId::nonzero:
    return self && self->dim() == 1 ? self->sizes[0] : sym::Expr();
  case OpId::topk:
  case OpId::sort:
  case OpId::sort_stable:
  case OpId::max_dim:
  case OpId::min_dim:
  case OpId::argmax:
  case OpId::argmin:
  case OpId::argsort:
    return sizeAlong();
  case OpId::arange:
    return number("end");
  case OpId::clamp:
    return clamped();
  case OpId::cat:
    return joined();
  case OpId::div_Tensor_mode:
  case OpId::div_Scalar_mode:
  case OpId::floor_divide:
    return divided();
  case OpId::clone:
  case OpId::gather:
  case OpId::index_Tensor:
  case OpId::index_select:
  case OpId::masked_select:
  case OpId::reshape:
    return of(self);
  default: // every other one: not known
    return {};
  }
}

void capture::noteElements(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<ArgValue> bound,
                           const TensorCall &call, llvm::ArrayRef<ValueId> results) {
  const ValueId places = results.empty() ? kUndef : results.back();
  if (places == kUndef || e.tape.type(places).type != TapeType::Tensor ||
      e.tape.type(places).dtype != ptc::DType::Int64)
    return;
  if (sym::Expr size = Bounds{e, op, bound, call}.below(); size.isSupported())
    e.elementsBelow[places] = size;
}

void capture::noteElementsOfView(Engine &e, ValueId base, ValueId view) {
  if (e.tape.type(base).dtype != e.tape.type(view).dtype)
    return; // other numbers
  if (auto known = e.elementsBelow.find(base); known != e.elementsBelow.end()) {
    const sym::Expr size = known->second;
    e.elementsBelow[view] = size;
  }
}

bool capture::haveElementsBelow(Engine &e, ValueId tensor, sym::Expr size) {
  auto known = e.elementsBelow.find(tensor);
  return known != e.elementsBelow.end() && e.sizes().isLessEqual(known->second, size) == true;
}
