//===- Example.cpp - str() and repr() of call values -----------------------------===//
//
// In: values of calls. Out: their text as CPython prints them.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/Example.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>

using namespace ptc;

std::string ptc::floatRepr(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  // The shortest digits that read back, in Python's choice of notation.
  char buffer[40];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  llvm::StringRef text(buffer, size_t(end.ptr - buffer));
  auto [mantissa, exponentText] = text.split('e');
  int exponent = 0;
  exponentText.consume_front("+");
  (void)exponentText.getAsInteger(10, exponent);
  bool negative = mantissa.consume_front("-");
  std::string digits = mantissa.str();
  std::erase(digits, '.');
  std::string out;
  if (exponent < -4 || exponent >= 16) {
    out = digits.substr(0, 1);
    if (digits.size() > 1)
      out += "." + digits.substr(1);
    out += llvm::formatv("e{0}{1}{2}", exponent < 0 ? "-" : "+", std::abs(exponent) < 10 ? "0" : "",
                         std::abs(exponent))
               .str();
  } else if (exponent < 0) {
    out = "0." + std::string(size_t(-exponent - 1), '0') + digits;
  } else if (digits.size() <= size_t(exponent) + 1) {
    out = digits + std::string(size_t(exponent) + 1 - digits.size(), '0') + ".0";
  } else {
    out = digits.substr(0, size_t(exponent) + 1) + "." + digits.substr(size_t(exponent) + 1);
  }
  return negative ? "-" + out : out;
}

/// Quotes as repr(str) does; other than ASCII passes, as printable text does.
static std::string quoted(llvm::StringRef text, bool bytes) {
  char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string out(1, quote);
  for (unsigned char c : text) {
    if (char(c) == quote || c == '\\')
      out += {'\\', char(c)};
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (c < 32 || c == 127 || (bytes && c > 127))
      out += llvm::formatv("\\x{0:x-2}", unsigned(c)).str();
    else
      out += char(c);
  }
  return (bytes ? "b" : "") + out + quote;
}

static std::string joined(llvm::ArrayRef<ExampleValue> items) {
  std::string out;
  for (const ExampleValue &item : items)
    out += (out.empty() ? "" : ", ") + exampleRepr(item);
  return out;
}

std::string ptc::exampleRepr(const ExampleValue &v) {
  using K = ExampleValue::Kind;
  switch (v.kind) {
  case K::None:
    return "None";
  case K::Bool:
    return v.flag ? "True" : "False";
  case K::Int:
    return std::to_string(v.integer);
  case K::Float:
    return floatRepr(v.real);
  case K::Str:
    return quoted(v.text, /*bytes=*/false);
  case K::Bytes:
    return quoted(v.text, /*bytes=*/true);
  case K::BigInt:
  case K::Other:
    return v.text;
  case K::DType:
    return "torch." + getDTypeInfo(v.dtype).torchName.str();
  case K::Device:
    return "device(type='" + v.text + "')";
  case K::Tensor:
    return tensorRepr(v.tensor);
  case K::List:
    return "[" + joined(v.items) + "]";
  case K::Tuple:
    if (v.text == "torch.Size")
      return "torch.Size([" + joined(v.items) + "])";
    return v.text + "(" + joined(v.items) + (v.items.size() == 1 ? ",)" : ")");
  case K::Set:
    if (!v.text.empty())
      return v.text + (v.items.empty() ? "()" : "({" + joined(v.items) + "})");
    return v.items.empty() ? "set()" : "{" + joined(v.items) + "}";
  case K::Dict: {
    std::string out;
    for (size_t i = 0; i + 1 < v.items.size(); i += 2)
      out += (i ? ", " : "") + exampleRepr(v.items[i]) + ": " + exampleRepr(v.items[i + 1]);
    return "{" + out + "}";
  }
  case K::Object: {
    std::string out;
    for (size_t i = 0; i < v.items.size(); ++i)
      out += (i ? ", " : "") + v.names[i] + "=" + exampleRepr(v.items[i]);
    return v.text + "(" + out + ")";
  }
  case K::Call: {
    std::string out;
    const size_t positional = v.items.size() - v.names.size();
    for (size_t i = 0; i < v.items.size(); ++i)
      out += (i ? ", " : "") + (i < positional ? "" : v.names[i - positional] + "=") +
             exampleRepr(v.items[i]);
    return v.text + "(" + out + ")";
  }
  }
  llvm_unreachable("closed enum");
}

std::string ptc::objectClass(const ExampleValue &value) {
  return value.maker.empty() ? value.text : exampleRepr(value.maker.front());
}

std::string ptc::exampleStr(const ExampleValue &value) {
  if (value.kind == ExampleValue::Kind::Str || value.kind == ExampleValue::Kind::Device)
    return value.text;
  return exampleRepr(value);
}
