//===- MetaBind.cpp - From a Python call to arguments in schema order --------===//
//
// In: positional and keyword values. Out: one value per schema argument, converted as eager's
// argument parser does (defaults, `x.view(2, 3)`, `padding=1` for int[2]), or why the overload does
// not take them.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/Meta.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>

using namespace ptc;
using namespace ptc::aten;

static bool acceptsList(const ArgInfo &arg, const ArgValue &value) {
  switch (arg.type) {
  case ArgType::Tensor:
    if (const auto *list = value.getIf<ArgValue::TensorList>())
      return arg.hasOptionalElements || llvm::none_of(list->values, [](auto *t) { return !t; });
    return false;
  case ArgType::Int:
    return value.is<ArgValue::IntList>();
  case ArgType::Float:
    return value.is<ArgValue::FloatList>();
  case ArgType::Bool:
    return value.is<ArgValue::BoolList>();
  case ArgType::Scalar:
  case ArgType::Str:
  case ArgType::DType:
  case ArgType::Layout:
  case ArgType::Device:
  case ArgType::MemoryFormat:
  case ArgType::Generator:
    return false;
  }
  llvm_unreachable("closed enum");
}

bool ptc::aten::accepts(const OpInfo &op, const ArgInfo &arg, const ArgValue &value) {
  if (value.isNone())
    return arg.isOptional || arg.type == ArgType::Generator;
  if (arg.isList)
    return acceptsList(arg, value);
  switch (arg.type) {
  case ArgType::Tensor:
    return value.tensor() || (op.has(OpFlag::Numbers) && arg.isOperand && value.isNumber());
  case ArgType::Int:
    return value.is<ArgValue::Int>();
  case ArgType::Float:
    return value.is<ArgValue::Float>() || value.is<ArgValue::Int>() || value.is<ArgValue::Bool>();
  case ArgType::Bool:
    return value.is<ArgValue::Bool>();
  case ArgType::Scalar:
    return value.isNumber();
  case ArgType::Str:
    return value.is<ArgValue::Str>();
  case ArgType::DType:
    return value.is<DType>();
  case ArgType::Layout:
    return value.is<Layout>();
  case ArgType::Device:
    return value.is<Device>();
  case ArgType::MemoryFormat:
    return value.is<MemoryFormat>();
  case ArgType::Generator:
    return value.is<ArgValue::Generator>();
  }
  llvm_unreachable("closed enum");
}

std::optional<ArgValue> ptc::aten::defaultValue(const ArgInfo &arg, sym::Context &symbols) {
  const ArgDefault &d = arg.defaultValue;
  switch (d.kind) {
  case ArgDefault::Kind::Required:
    return std::nullopt;
  case ArgDefault::Kind::None:
    return ArgValue();
  case ArgDefault::Kind::Bool:
    return ArgValue(ArgValue::Bool{d.i != 0});
  case ArgDefault::Kind::Int:
    if (arg.type == ArgType::Float)
      return ArgValue(ArgValue::Float{double(d.i)});
    return ArgValue(ArgValue::Int{symbols.constant(d.i)});
  case ArgDefault::Kind::Float:
    return ArgValue(ArgValue::Float{d.f});
  case ArgDefault::Kind::Str:
    return ArgValue(ArgValue::Str{d.s.str()});
  case ArgDefault::Kind::IntList: {
    ArgValue::IntList list;
    for (int64_t v : d.list)
      list.values.push_back(symbols.constant(v));
    if (arg.type == ArgType::Bool)
      return ArgValue(ArgValue::BoolList());
    return ArgValue(std::move(list));
  }
  case ArgDefault::Kind::MemoryFormat:
    return ArgValue(MemoryFormat(d.i));
  case ArgDefault::Kind::DType:
    return ArgValue(DType(d.i));
  }
  llvm_unreachable("closed enum");
}

/// The value in the form that `arg` wants: numbers to lists, integers to floats, text to devices.
static ArgValue convert(const ArgInfo &arg, const ArgValue &value) {
  const auto *integer = value.getIf<ArgValue::Int>();
  if (arg.isList && arg.listSize && integer) {
    ArgValue::IntList list;
    list.values.assign(arg.listSize, integer->value);
    return list;
  }
  if (const auto *ints = value.getIf<ArgValue::IntList>()) {
    if (arg.isList && arg.type == ArgType::Float) {
      ArgValue::FloatList list;
      for (sym::Expr e : ints->values)
        if (std::optional<int64_t> v = e.asConstant())
          list.values.push_back(double(*v));
      if (list.values.size() == ints->values.size())
        return list;
    }
    if (arg.isList && arg.type == ArgType::Tensor && ints->values.empty())
      return ArgValue::TensorList();
  }
  if (!arg.isList && arg.type == ArgType::Float && integer)
    if (std::optional<int64_t> v = integer->value.asConstant())
      return ArgValue::Float{double(*v)};
  if (!arg.isList && arg.type == ArgType::Device)
    if (const auto *text = value.getIf<ArgValue::Str>())
      if (std::optional<Device> device = parseDevice(text->value))
        return *device;
  return value;
}

/// Whether the positional values from argument `i` on are integers that stand for one list, as in
/// x.view(2, 3): only where the list is the last positional argument, and the first but for self.
static bool isSpreadList(const OpInfo &op, size_t i, llvm::ArrayRef<ArgValue> rest) {
  const ArgInfo &arg = op.args[i];
  bool isLast = i + 1 == op.args.size() || op.args[i + 1].isKeywordOnly;
  bool isFirst = i == 0 || (i == 1 && op.args[0].name == "self");
  return arg.isList && arg.type == ArgType::Int && isLast && isFirst && !rest.empty() &&
         llvm::all_of(rest, [](const ArgValue &v) { return v.is<ArgValue::Int>(); });
}

static llvm::StringRef canonicalKeyword(const OpInfo &op, llvm::StringRef name) {
  if (op.findArg(name))
    return name;
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kAliases[] = {
      {"input", "self"}, {"axis", "dim"}, {"keepdims", "keepdim"}, {"x", "self"}, {"x2", "other"}};
  for (auto [from, to] : kAliases)
    if (from == name && op.findArg(to))
      return to;
  return name;
}

/// Tensor.to(device, dtype, non_blocking, copy): the one Python signature whose positional
/// arguments are keyword-only in the schema.
static std::optional<size_t> positionalSlot(const OpInfo &op, size_t i) {
  static constexpr llvm::StringLiteral kTo[] = {"self", "device", "dtype", "non_blocking", "copy"};
  if (op.id == OpId::to_dtype_layout)
    return i < std::size(kTo) ? op.findArg(kTo[i]) : std::nullopt;
  return i < op.args.size() && !op.args[i].isKeywordOnly ? std::optional(i) : std::nullopt;
}

/// "a tensor", "None": what a caller sees of an argument.
static llvm::StringRef kindOf(const ArgValue &value) {
  static constexpr llvm::StringLiteral kNames[] = {"None",
                                                   "a bool",
                                                   "an int",
                                                   "a float",
                                                   "a complex number",
                                                   "a string",
                                                   "a dtype",
                                                   "a device",
                                                   "a layout",
                                                   "a memory format",
                                                   "a generator",
                                                   "a list of ints",
                                                   "a list of floats",
                                                   "a list of bools",
                                                   "a tensor",
                                                   "a list of tensors"};
  static_assert(std::size(kNames) == std::variant_size_v<ArgValue::Sum>);
  return kNames[value.sum.index()];
}

namespace {
/// Fills the slots of one call.
class Binder {
public:
  Binder(const OpInfo &op, std::string *error) : op(op), error(error), slots(op.args.size()) {}

  bool positional(llvm::ArrayRef<ArgValue> values) {
    for (size_t i = 0; i < values.size(); ++i) {
      std::optional<size_t> slot = positionalSlot(op, i);
      if (!slot)
        return fail(llvm::formatv("{0}() takes {1} positional arguments but {2} were given",
                                  op.baseName(), i, values.size()));
      llvm::ArrayRef<ArgValue> rest = values.drop_front(i);
      if (isSpreadList(op, *slot, rest)) {
        ArgValue::IntList list;
        for (const ArgValue &v : rest)
          list.values.push_back(v.getIf<ArgValue::Int>()->value);
        return place(*slot, std::move(list));
      }
      if (!place(*slot, values[i]))
        return false;
    }
    return true;
  }

  bool keyword(const KeywordArg &keyword) {
    llvm::StringRef name = canonicalKeyword(op, keyword.name);
    std::optional<unsigned> i = op.findArg(name);
    if (!i)
      return fail(llvm::formatv("{0}() got an unexpected keyword argument '{1}'", op.baseName(),
                                keyword.name));
    if (slots[*i])
      return fail(llvm::formatv("{0}() got multiple values for argument '{1}'", op.baseName(),
                                keyword.name));
    return place(*i, keyword.value);
  }

  std::optional<llvm::SmallVector<ArgValue, 8>> finish(sym::Context &symbols) {
    llvm::SmallVector<ArgValue, 8> values;
    for (size_t i = 0; i < slots.size(); ++i) {
      std::optional<ArgValue> value = slots[i] ? slots[i] : defaultValue(op.args[i], symbols);
      if (!value) {
        fail(llvm::formatv("{0}() missing 1 required positional arguments: \"{1}\"", op.baseName(),
                           op.args[i].name));
        return std::nullopt;
      }
      values.push_back(std::move(*value));
    }
    return values;
  }

private:
  bool place(size_t i, const ArgValue &value) {
    ArgValue converted = convert(op.args[i], value);
    if (!accepts(op, op.args[i], converted))
      return fail(llvm::formatv("{0}(): argument '{1}' given as {2}", op.baseName(),
                                op.args[i].name, kindOf(value)));
    slots[i] = std::move(converted);
    return true;
  }

  bool fail(std::string text) {
    if (error)
      *error = std::move(text);
    return false;
  }

  const OpInfo &op;
  std::string *error;
  llvm::SmallVector<std::optional<ArgValue>, 8> slots;
};
} // namespace

std::optional<llvm::SmallVector<ArgValue, 8>>
ptc::aten::bindArgs(const OpInfo &op, llvm::ArrayRef<ArgValue> positional,
                    llvm::ArrayRef<KeywordArg> keywords, sym::Context &symbols,
                    std::string *error) {
  Binder binder(op, error);
  if (!binder.positional(positional))
    return std::nullopt;
  for (const KeywordArg &keyword : keywords)
    if (!binder.keyword(keyword))
      return std::nullopt;
  return binder.finish(symbols);
}
