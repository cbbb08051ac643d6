// int: to digits and from literals.
// In: PyInt, or text with white space, sign, prefix, underscores and digits of any script. Out:
// digits, or the value, or CPython's ValueError.
#include "ptc/Python/BigInt.h"
#include "ptc/Python/Bytes.h"
#include "ptc/Python/Str.h"

#include "Magnitude.h"
#include "Numeral.h"
#include "Raise.h"
#include "Sequence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace ptc::py {

using mag::Limbs;

/// sys.int_info.default_max_str_digits, and the size below which it is not looked at.
static constexpr size_t kMaxDigits = 4300;

static std::string decimalDigits(Limbs limbs) {
  std::string digits;
  while (!limbs.empty()) {
    uint32_t group = mag::divSmall(limbs, 1'000'000'000);
    for (int i = 0; i < 9 && (group != 0 || !limbs.empty()); ++i, group /= 10)
      digits += static_cast<char>('0' + group % 10);
  }
  std::reverse(digits.begin(), digits.end());
  return digits.empty() ? "0" : digits;
}

std::string toDigits(const PyInt &a, unsigned base) {
  if (base == 10)
    return decimalDigits(a.limbs());
  assert((base == 2 || base == 8 || base == 16) && "no other base is printed");
  const unsigned shift = llvm::countr_zero(base);
  const Limbs limbs = a.limbs();
  auto bitAt = [&](uint64_t i) { return i / 32 < limbs.size() ? limbs[i / 32] >> i % 32 & 1 : 0; };
  const uint64_t count = std::max<uint64_t>((bitLength(a) + shift - 1) / shift, 1);
  std::string digits(count, '0');
  for (uint64_t i = 0; i < count; ++i) {
    unsigned digit = 0;
    for (unsigned bit = shift; bit-- > 0;)
      digit = digit << 1 | bitAt(i * shift + bit);
    digits[count - 1 - i] = "0123456789abcdef"[digit];
  }
  return digits;
}

Result<std::string> toDecimal(const PyInt &a) {
  if (auto small = a.asInt64())
    return std::to_string(*small);
  constexpr llvm::StringLiteral refusal =
      "Exceeds the limit (4300 digits) for integer string conversion; use "
      "sys.set_int_max_str_digits() to increase the limit";
  // 2**14285 has 4301 digits; the conversion of what is far beyond it would take long.
  if (bitLength(a) > 14400)
    return valueError(refusal);
  std::string digits = toDigits(a, 10);
  if (digits.size() > kMaxDigits)
    return valueError(refusal);
  return a.isNegative() ? "-" + digits : digits;
}

namespace {
/// An integer literal without its white space, sign and prefix.
struct Literal {
  bool negative = false;
  unsigned base = 10;
  /// Base 0 without a prefix: only zeros may start with a zero.
  bool mustNotLeadWithZero = false;
  std::string_view digits;
};
} // namespace

/// The base of a prefix letter, or 0.
static unsigned prefixBase(char letter) {
  switch (letter | 0x20) {
  case 'x':
    return 16;
  case 'o':
    return 8;
  case 'b':
    return 2;
  }
  return 0;
}

static Literal scanLiteral(std::string_view text, unsigned base) {
  Literal literal;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    literal.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const unsigned prefixed = text.size() > 1 && text[0] == '0' ? prefixBase(text[1]) : 0;
  literal.base = base != 0 ? base : prefixed != 0 ? prefixed : 10;
  literal.mustNotLeadWithZero = base == 0 && prefixed == 0;
  if (prefixed != 0 && prefixed == literal.base) {
    text.remove_prefix(2);
    // One underscore may separate the prefix from the digits.
    if (!text.empty() && text[0] == '_')
      text.remove_prefix(1);
  }
  literal.digits = text;
  return literal;
}

static unsigned digitValue(char c) {
  if (c >= '0' && c <= '9')
    return unsigned(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? unsigned(lower - 'a' + 10) : 99;
}

/// The digits of `literal` without underscores, or nullopt where it is malformed.
static std::optional<std::string> collectDigits(const Literal &literal) {
  std::string digits;
  for (size_t i = 0; i < literal.digits.size(); ++i) {
    const char c = literal.digits[i];
    if (c == '_' && i > 0 && literal.digits[i - 1] != '_')
      continue;
    if (digitValue(c) >= literal.base)
      return std::nullopt;
    digits += c;
  }
  if (digits.empty() || literal.digits.back() == '_')
    return std::nullopt;
  if (literal.mustNotLeadWithZero && digits[0] == '0' &&
      digits.find_first_not_of('0') != digits.npos)
    return std::nullopt;
  return digits;
}

/// `text` is stripped and in ASCII; `shown` is the argument's repr.
static Result<PyInt> parseLiteral(std::string_view text, const PyInt &base,
                                  llvm::function_ref<std::string()> shown) {
  if (base < PyInt(0) || base == PyInt(1) || base > PyInt(36))
    return valueError("int() base must be >= 2 and <= 36, or 0");
  const auto radix = static_cast<unsigned>(base.clampToInt64());
  const Literal literal = scanLiteral(text, radix);
  const std::optional<std::string> digits = collectDigits(literal);
  if (!digits)
    return valueError("invalid literal for int() with base " + llvm::Twine(radix) + ": " + shown());
  if (digits->size() > kMaxDigits && !llvm::has_single_bit(literal.base))
    return valueError("Exceeds the limit (4300 digits) for integer string conversion: value has " +
                      llvm::Twine(digits->size()) +
                      " digits; use sys.set_int_max_str_digits() to increase the limit");
  if (digits->size() > kMaxIntBits / 8)
    return limitExceeded("an int larger than ptc computes");
  Limbs limbs;
  for (char c : *digits)
    mag::mulAddSmall(limbs, literal.base, digitValue(c));
  return PyInt::fromLimbs(literal.negative, std::move(limbs));
}

std::string toAsciiNumeral(std::string_view text) {
  // ASCII stays as it is, so that its separators 0x1c to 0x1f are no white space here.
  if (llvm::all_of(text, [](char c) { return !(c & 0x80); }))
    return std::string(text);
  std::string ascii;
  for (size_t at = 0; at < text.size();) {
    const char32_t point = readCodePoint(text, at);
    const int digit = unicode::getDecimal(point);
    if (digit >= 0)
      ascii += static_cast<char>('0' + digit);
    else if (unicode::has(point, unicode::Space))
      ascii += ' ';
    else
      ascii += point < 0x7f ? static_cast<char>(point) : '?';
  }
  return ascii;
}

std::string_view trimNumeral(std::string_view text) {
  return seq::strip<seq::Octets>(text, std::nullopt, {true, true});
}

/// The first 200 characters of a repr: all that CPython's %.200R shows.
static std::string shorten(StrRef repr) {
  const auto count = static_cast<int64_t>(std::min<size_t>(repr.length(), 200));
  return str::slice(repr, {0, count, 1, count}).bytes();
}

Result<PyInt> parseInt(std::string_view text, const PyInt &base) {
  const std::string ascii = toAsciiNumeral(text);
  return parseLiteral(trimNumeral(ascii), base, [&] { return shorten(str::repr(text)); });
}

Result<PyInt> parseIntBytes(std::string_view text, const PyInt &base) {
  return parseLiteral(trimNumeral(text), base, [&] { return shorten(bytes::repr(text)); });
}

} // namespace ptc::py
