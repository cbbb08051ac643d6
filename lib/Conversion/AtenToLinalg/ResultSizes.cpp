//===- ResultSizes.cpp - Sizes of results by their shape rule ------------------------------===//
//
// In: an operation whose result has sizes under names that nothing binds where it stands. Out:
// these sizes as its shape rule computes them from the sizes and numbers of its arguments. What the
// rule asks about numbers of the run is answered in all ways that eager does not raise for: they
// must lead to one size.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

#include <deque>

using namespace mlir;
using namespace ptc;
using aten::ArgValue;

/// Ways to answer that are tried.
static constexpr unsigned kMaxRuns = 64;

namespace {

/// Answers what the algebra proves; else what is given, in the order of the questions, then yes.
class AnsweredContext final : public aten::MetaContext {
public:
  AnsweredContext(sym::Context &context, ArrayRef<bool> given) : context(context), answers(given) {}
  sym::Context &symbols() override { return context; }
  std::optional<bool> decide(aten::Cmp, sym::Expr, sym::Expr, StringRef) override {
    if (answers.size() == next)
      answers.push_back(true);
    return answers[next++];
  }
  sym::Expr freshUnbacked(int64_t, sym::Expr, StringRef) override { return {}; }

  sym::Context &context;
  SmallVector<bool, 8> answers;
  size_t next = 0;
};

/// Arguments of an operation as its shape rule takes them: sizes and numbers of the run are
/// symbols, equal ones the same.
class RuleArguments {
public:
  explicit RuleArguments(KernelBuilder &k) : k(k) {}

  std::optional<ArgValue> read(aten::OpArg arg, const aten::ArgInfo &info) {
    if (info.type == aten::ArgType::Tensor && info.isList) {
      ArgValue::TensorList list;
      for (Value value : arg.getValues()) {
        list.values.push_back(value ? meta(value) : nullptr);
        if (value && !list.values.back())
          return std::nullopt;
      }
      return ArgValue(std::move(list));
    }
    if (Value value = arg.getValue(); value && isa<RankedTensorType>(value.getType())) {
      const aten::TensorMeta *tensor = meta(value);
      return tensor ? std::optional<ArgValue>(tensor) : std::nullopt;
    }
    return read(arg.getAttr(), info);
  }

  sym::Context symbols;

private:
  sym::Expr name(OpFoldResult size, int64_t lower) {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return symbols.constant(*known);
    sym::Expr &symbol = symbolOf[cast<Value>(size)];
    if (!symbol.isSupported()) {
      std::string text = "." + std::to_string(symbols.numSymbols());
      symbol = symbols.symbol({.name = text, .lower = lower, .kind = sym::SymbolKind::Unbacked});
      k.nameSize(text, cast<Value>(size));
    }
    return symbol;
  }

  const aten::TensorMeta *meta(Value value) {
    Tensor tensor = k.input(value);
    if (!tensor)
      return nullptr;
    aten::TensorMeta &made = metas.emplace_back();
    made.dtype = tensor.dtype;
    for (OpFoldResult size : k.sizesOf(tensor))
      made.sizes.push_back(name(size, 0));
    made.strides = aten::contiguousStrides(symbols, made.sizes); // sizes do not depend on them
    return &made;
  }

  sym::Expr integer(Attribute attr) {
    OpFoldResult value = k.extent(attr);
    return value ? name(value, sym::Interval::kMin) : sym::Expr();
  }

  std::optional<ArgValue> read(Attribute attr, const aten::ArgInfo &info) {
    using Result = std::optional<ArgValue>;
    if (auto list = dyn_cast<ArrayAttr>(attr))
      return readList(list, info);
    return llvm::TypeSwitch<Attribute, Result>(attr)
        .Case([&](aten::ArgAttr arg) -> Result {
          Type type = k.op->getOperand(arg.getIndex()).getType();
          if (type.isF64())
            return ArgValue(ArgValue::Float());
          if (type.isInteger(1))
            return ArgValue(ArgValue::Bool());
          return type.isInteger(64) ? Result(ArgValue::Int{integer(arg)}) : std::nullopt;
        })
        .Case([](aten::NoneAttr) -> Result { return ArgValue(); })
        .Case([](aten::DTypeAttr a) -> Result { return ArgValue(a.getValue()); })
        .Case([](aten::DeviceAttr a) -> Result { return ArgValue(a.getValue()); })
        .Case([](aten::LayoutAttr a) -> Result { return ArgValue(a.getValue()); })
        .Case([](aten::MemoryFormatAttr a) -> Result { return ArgValue(a.getValue()); })
        .Case([](StringAttr a) -> Result { return ArgValue(ArgValue::Str{a.getValue().str()}); })
        .Case([](BoolAttr a) -> Result { return ArgValue(ArgValue::Bool{a.getValue()}); })
        .Case([](FloatAttr a) -> Result { return ArgValue(ArgValue::Float{a.getValueAsDouble()}); })
        .Case([&](IntegerAttr a) -> Result {
          if (info.type == aten::ArgType::Float)
            return ArgValue(ArgValue::Float{double(a.getInt())});
          return ArgValue(ArgValue::Int{symbols.constant(a.getInt())});
        })
        .Case([&](aten::ExprAttr a) -> Result { return ArgValue(ArgValue::Int{integer(a)}); })
        .Default([](Attribute) -> Result { return std::nullopt; });
  }

  std::optional<ArgValue> readList(ArrayAttr list, const aten::ArgInfo &info) {
    if (info.type == aten::ArgType::Float) {
      ArgValue::FloatList numbers;
      for (Attribute attr : list) {
        auto number = dyn_cast<FloatAttr>(attr);
        if (!number)
          return std::nullopt;
        numbers.values.push_back(number.getValueAsDouble());
      }
      return ArgValue(std::move(numbers));
    }
    if (info.type != aten::ArgType::Int)
      return std::nullopt;
    ArgValue::IntList numbers;
    for (Attribute attr : list)
      numbers.values.push_back(integer(attr));
    return ArgValue(std::move(numbers));
  }

  KernelBuilder &k;
  std::deque<aten::TensorMeta> metas;
  llvm::DenseMap<Value, sym::Expr> symbolOf;
};

} // namespace

/// The sizes of result `i`; none if eager raises, or the rule cannot say.
static std::optional<aten::Exprs> sizesByRule(const aten::OpInfo &info, ArrayRef<ArgValue> args,
                                              AnsweredContext &context, unsigned i) {
  aten::MetaResult result = aten::infer(info, args, context);
  if (!result.isOk() || i >= result.results.size() || result.results[i].tensors.size() != 1)
    return std::nullopt;
  return result.results[i].tensors.front().meta.sizes;
}

/// Answers behind these; false if there are none.
static bool advance(SmallVectorImpl<bool> &answers) {
  while (!answers.empty() && !answers.back())
    answers.pop_back();
  if (answers.empty())
    return false;
  answers.back() = false;
  return true;
}

std::optional<Sizes> KernelBuilder::sizesByRule(unsigned i) {
  RuleArguments arguments(*this);
  SmallVector<ArgValue, 8> args;
  for (auto [n, argInfo] : llvm::enumerate(info().args)) {
    std::optional<ArgValue> value = arguments.read(arg(unsigned(n)), argInfo);
    if (!value)
      return std::nullopt;
    args.push_back(std::move(*value));
  }
  ArrayRef<int64_t> shape = resultType(i).getShape();
  std::optional<aten::Exprs> found;
  SmallVector<bool, 8> answers;
  unsigned runs = 0;
  do {
    if (++runs > kMaxRuns)
      return std::nullopt;
    AnsweredContext context(arguments.symbols, answers);
    std::optional<aten::Exprs> sizes = ::sizesByRule(info(), args, context, i);
    answers = context.answers;
    answers.truncate(context.next);
    bool isThis = sizes && sizes->size() == shape.size() &&
                  llvm::all_of(llvm::zip(*sizes, shape), [](auto pair) {
                    auto [says, has] = pair;
                    std::optional<int64_t> known = says.asConstant();
                    return ShapedType::isDynamic(has) || !known || *known == has;
                  });
    if (isThis && found && *found != *sizes)
      return std::nullopt;
    if (isThis)
      found = std::move(sizes);
  } while (advance(answers));
  if (!found)
    return std::nullopt;
  Sizes sizes;
  for (auto [e, known] : llvm::zip(*found, shape)) {
    Value value = ShapedType::isDynamic(known) ? expressionValue(e, arguments.symbols) : Value();
    if (ShapedType::isDynamic(known) && !value)
      return std::nullopt;
    sizes.push_back(value ? OpFoldResult(value) : constant(known));
  }
  return sizes;
}
