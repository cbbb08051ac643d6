// The text form of values: see generate.py.
#include "Encoding.h"

#include "llvm/ADT/StringExtras.h"

#include <bit>
#include <cmath>

namespace values {

static std::string unescape(std::string_view text) {
  std::string octets;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      octets += text[i];
      continue;
    }
    octets += static_cast<char>(llvm::hexFromNibbles(text[i + 2], text[i + 3]));
    i += 3;
  }
  return octets;
}

static std::string escape(std::string_view octets) {
  std::string text;
  for (char c : octets) {
    if (c >= 0x20 && c < 0x7f && c != '\\' && c != '|')
      text += c;
    else
      text += "\\x" + llvm::utohexstr(static_cast<uint8_t>(c), /*LowerCase=*/true, /*Width=*/2);
  }
  return text;
}

static double decodeBits(std::string_view digits) {
  return std::bit_cast<double>(std::stoull(std::string(digits), nullptr, 16));
}

static std::string encodeBits(double value) {
  uint64_t bits = std::isnan(value) ? 0x7ff8000000000000 : std::bit_cast<uint64_t>(value);
  return llvm::utohexstr(bits, /*LowerCase=*/true, /*Width=*/16);
}

Value decode(std::string_view text) {
  Value value;
  value.kind = text.at(0);
  std::string_view rest = text.substr(1);
  switch (value.kind) {
  case 'n':
    break;
  case 'b':
  case 'i':
    value.integer = *parseInt(rest);
    break;
  case 'x':
    value.kind = 'i';
    value.integer = *parseInt(rest, 16);
    break;
  case 'f':
    value.real = decodeBits(rest);
    break;
  case 'c':
    value.real = decodeBits(rest.substr(0, 16));
    value.imag = decodeBits(rest.substr(16));
    break;
  case 's':
  case 'y':
    value.text = unescape(rest);
    break;
  case 'l':
    while (!rest.empty()) {
      size_t end = std::min(rest.find('|', 1), rest.size());
      value.items.push_back(decode(rest.substr(1, end - 1)));
      rest = rest.substr(end);
    }
    break;
  default:
    throw std::runtime_error("unknown kind of value: " + std::string(text));
  }
  return value;
}

std::string encode(bool value) { return value ? "b1" : "b0"; }
std::string encode(const PyInt &value) {
  if (bitLength(value) < 10000)
    return "i" + *toDecimal(value);
  return (value.isNegative() ? "x-" : "x") + toDigits(value, 16);
}
std::string encode(double value) { return "f" + encodeBits(value); }
std::string encode(std::complex<double> value) {
  return "c" + encodeBits(value.real()) + encodeBits(value.imag());
}
std::string encode(StrRef value) {
  if (value.length() != countCodePoints(value.bytes()))
    return "a str whose length is wrong";
  return "s" + escape(value.bytes());
}
std::string encode(const Octets &value) { return "y" + escape(value.text); }
std::string encode(const Raised &raised) {
  return "!" + getExcName(raised.kind).str() + ":" + escape(raised.text);
}

} // namespace values
