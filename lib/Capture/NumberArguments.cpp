//===- NumberArguments.cpp - Tensors in places of numbers ---------------------------===//
//
// In: the arguments of a call and a schema. Out: the arguments with numbers for the tensors that
// torch's parser of arguments (python_arg_parser.cpp) takes for such.
//
//===----------------------------------------------------------------------===//
#include "NumberArguments.h"

#include "Folder.h"
#include "Objects.h"
#include "Tensors.h"

using namespace ptc;
using namespace ptc::capture;
using aten::ArgInfo;
using aten::ArgType;

/// The tensor, if it is one without dimensions that asks for no gradient.
static const TensorNode *numberTensor(Engine &e, const Value &v) {
  if (!v.is(Kind::Tensor))
    return nullptr;
  const TensorNode &t = asTensor(v);
  return t.sizes.empty() && !requiresGrad(e, t) ? &t : nullptr;
}

static bool isIntegerTensor(Engine &e, const Value &v) {
  const TensorNode *t = numberTensor(e, v);
  return t && isInteger(t->dtype);
}

/// Whether the schema's argument takes the tensor for a number.
static bool isNumberFor(Engine &e, const ArgInfo &arg, const Value &v) {
  const TensorNode *t = numberTensor(e, v);
  if (!t || arg.isOperand)
    return false;
  if (arg.type == ArgType::Int)
    return isInteger(t->dtype);
  bool isNumber = arg.type == ArgType::Scalar || arg.type == ArgType::Float;
  return isNumber && !arg.isList && !isComplex(t->dtype) && !isBool(t->dtype);
}

/// The items of a list or tuple; none of another value.
static std::optional<std::vector<Value>> itemsOf(Engine &e, const Value &v) {
  bool isList = isRefTo(e, v, ObjectKind::List);
  const Value &content = isList ? e.heap.get(v.asRef(), slot::kContent) : v;
  if (!content.is(Kind::Tuple))
    return std::nullopt;
  return std::vector<Value>(content.parts().begin(), content.parts().end());
}

bool capture::mixesNumbers(Engine &e, const CallArgs &args) {
  auto isMixed = [&](const Value &v) {
    std::optional<std::vector<Value>> items = itemsOf(e, v);
    if (!items)
      return false;
    auto isNumber = [&](const Value &item) { return isIntegerTensor(e, item); };
    auto isOther = [&](const Value &item) {
      Value plain = e.isTensorLike(item) ? item : e.unboxed(item);
      return numberType(plain) == NumberType::Int;
    };
    return llvm::any_of(*items, isNumber) && llvm::any_of(*items, isOther);
  };
  return llvm::any_of(args.positional, isMixed) ||
         llvm::any_of(args.keywords, [&](const KeywordArg &k) { return isMixed(k.value); });
}

NumberArguments::NumberArguments(Engine &e, const aten::OpInfo &op, const CallArgs &args)
    : e(e), op(op), given(args), probed(args) {
  visit(probed, [&](Value &v) {
    isAny = true;
    v = isFloat(asTensor(v).dtype) ? Value::real(1) : Value::integer(1);
  });
}

template <typename Replace> void NumberArguments::visit(CallArgs &args, Replace replace) {
  auto visitOne = [&](const ArgInfo &arg, Value &v) {
    if (isNumberFor(e, arg, v))
      return replace(v);
    std::optional<std::vector<Value>> items;
    if (arg.isList && arg.type == ArgType::Int)
      items = itemsOf(e, v);
    if (!items || llvm::none_of(*items, [&](Value &item) { return isIntegerTensor(e, item); }))
      return;
    for (Value &item : *items)
      if (isIntegerTensor(e, item))
        replace(item);
    v = Value::tuple(std::move(*items));
  };
  for (auto [i, v] : llvm::enumerate(args.positional)) {
    // Integers behind the last argument are items of its list: x.view(2, n).
    size_t last = 0;
    while (last + 1 < op.args.size() && !op.args[last + 1].isKeywordOnly)
      ++last;
    bool isSpread = i > last && last < op.args.size() && op.args[last].isList;
    if (i <= last || isSpread)
      if (const ArgInfo &arg = op.args[std::min(i, last)]; !arg.isKeywordOnly)
        visitOne(arg, v);
  }
  for (KeywordArg &keyword : args.keywords)
    if (std::optional<unsigned> slot = op.findArg(e.nameText(keyword.name)))
      visitOne(op.args[*slot], keyword.value);
}

std::optional<CallArgs> NumberArguments::read() {
  CallArgs args = given;
  bool isRead = true;
  visit(args, [&](Value &v) {
    if (!isRead)
      return;
    v = foldedInteger(e, e.tensorItem(v));
    isRead = !v.isFail();
  });
  return isRead ? std::optional(std::move(args)) : std::nullopt;
}
