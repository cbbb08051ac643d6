//===- CallText.cpp - Calls of overloads as text ------------------------------===//
//
// In: a line of meta_cases.txt. Out: arguments; and the text of what meta says.
//
//===----------------------------------------------------------------------===//
#include "CallText.h"

#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::aten;

namespace {
class Reader {
public:
  Reader(llvm::StringRef text, sym::Context &symbols, Call &call)
      : text(text), symbols(symbols), call(call) {}

  void read() {
    llvm::StringRef name = word();
    call.op = findOp(name);
    if (!call.op) {
      call.error = "no record of " + name.str();
      return;
    }
    text.consume_front("(");
    while (!text.ltrim().consume_front(")") && call.error.empty() && !text.empty()) {
      text = text.ltrim(" ,");
      if (text.starts_with(")"))
        break;
      llvm::StringRef key = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      if (!key.empty() && text.drop_front(key.size()).starts_with("=")) {
        text = text.drop_front(key.size() + 1);
        call.keywords.push_back({key, value()});
      } else {
        call.positional.push_back(value());
      }
    }
  }

private:
  llvm::StringRef word() {
    llvm::StringRef w = text.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-' || c == '+'; });
    text = text.drop_front(w.size());
    return w;
  }

  Exprs numbers(char close) {
    Exprs list;
    auto [inside, rest] = text.split(close);
    text = rest;
    llvm::SmallVector<llvm::StringRef> parts;
    inside.split(parts, ',', -1, false);
    for (llvm::StringRef part : parts) {
      int64_t v = 0;
      if (part.trim().getAsInteger(10, v))
        call.error = "bad number " + part.str();
      list.push_back(symbols.constant(v));
    }
    return list;
  }

  ArgValue tensor(DType dtype) {
    TensorMeta &meta = call.tensors.emplace_back();
    meta.dtype = dtype;
    text.consume_front("[");
    meta.sizes = numbers(']');
    meta.strides = text.consume_front("{") ? numbers('}') : contiguousStrides(symbols, meta.sizes);
    return static_cast<const TensorMeta *>(&meta);
  }

  llvm::SmallVector<ArgValue, 4> listOf(llvm::StringRef close) {
    llvm::SmallVector<ArgValue, 4> values;
    while (!text.consume_front(close) && call.error.empty() && !text.empty()) {
      values.push_back(value());
      text = text.ltrim(" ,");
    }
    return values;
  }

  ArgValue numberList() {
    llvm::SmallVector<ArgValue, 4> values = listOf(")");
    ArgValue::IntList ints;
    ArgValue::FloatList floats;
    for (const ArgValue &v : values) {
      if (const auto *i = v.getIf<ArgValue::Int>())
        ints.values.push_back(i->value);
      if (const auto *f = v.getIf<ArgValue::Float>())
        floats.values.push_back(*f->value);
    }
    if (!floats.values.empty())
      return floats;
    return ints;
  }

  ArgValue tensorList() {
    ArgValue::TensorList list;
    for (const ArgValue &v : listOf("]"))
      list.values.push_back(v.tensor());
    return list;
  }

  ArgValue value() {
    if (text.consume_front("("))
      return numberList();
    if (text.consume_front("["))
      return tensorList();
    if (text.consume_front("'")) {
      auto [inside, rest] = text.split('\'');
      text = rest;
      return ArgValue::Str{inside.str()};
    }
    llvm::StringRef w = word();
    if (std::optional<DType> dtype = parseDType(w))
      return text.starts_with("[") ? tensor(*dtype) : ArgValue(*dtype);
    return scalar(w);
  }

  ArgValue scalar(llvm::StringRef w) {
    if (w == "None")
      return ArgValue();
    if (w == "True" || w == "False")
      return ArgValue::Bool{w == "True"};
    if (std::optional<MemoryFormat> format = parseMemoryFormat(w))
      return *format;
    if (w == "cpu")
      return Device();
    int64_t i;
    double f;
    if (!w.getAsInteger(10, i))
      return ArgValue::Int{symbols.constant(i)};
    if (!w.getAsDouble(f))
      return ArgValue::Float{f};
    call.error = "cannot read '" + w.str() + "'";
    return ArgValue();
  }

  llvm::StringRef text;
  sym::Context &symbols;
  Call &call;
};
} // namespace

Call ptc::aten::readCall(llvm::StringRef text, sym::Context &symbols) {
  Call call;
  Reader(text, symbols, call).read();
  return call;
}

static std::string listText(llvm::ArrayRef<sym::Expr> exprs, sym::Context &symbols) {
  std::string text;
  for (sym::Expr e : exprs)
    text += (text.empty() ? "" : ",") + symbols.str(e);
  return text;
}

static std::string tensorText(const TensorResult &t, sym::Context &symbols) {
  if (t.aliasing.kind == Aliasing::Kind::Same)
    return "=" + std::to_string(t.aliasing.arg);
  std::string text;
  if (t.aliasing.kind == Aliasing::Kind::View)
    text = "@" + std::to_string(t.aliasing.arg) + "+" + symbols.str(t.aliasing.offset) + " ";
  return text + getDTypeInfo(t.meta.dtype).alias.str() + "[" + listText(t.meta.sizes, symbols) +
         "]{" + listText(t.meta.strides, symbols) + "}";
}

static std::string valueText(const ResultValue &value, sym::Context &symbols) {
  switch (value.kind) {
  case ResultValue::Kind::Tensor:
    return tensorText(value.tensors.front(), symbols);
  case ResultValue::Kind::TensorList: {
    std::string text;
    for (const TensorResult &t : value.tensors)
      text += (text.empty() ? "" : "; ") + tensorText(t, symbols);
    return "[" + text + "]";
  }
  case ResultValue::Kind::Bool:
    return "bool";
  case ResultValue::Kind::Int:
    return "int";
  case ResultValue::Kind::Float:
    return "float";
  case ResultValue::Kind::Complex:
    return "complex";
  }
  return "";
}

std::string ptc::aten::outcomeText(const MetaResult &result, sym::Context &symbols) {
  switch (result.status) {
  case MetaResult::Status::Ok: {
    std::string text;
    for (const ResultValue &value : result.results)
      text += (text.empty() ? "" : "; ") + valueText(value, symbols);
    return text;
  }
  case MetaResult::Status::Raise:
    return toString(result.errorKind).str() + ": " +
           llvm::StringRef(result.text).split('\n').first.str();
  case MetaResult::Status::Unsupported:
    return "unsupported: " + result.text;
  case MetaResult::Status::Pending:
    return "pending";
  }
  return "";
}
