// Doubles to decimal text and back.
// Out: CPython's layout of the digits (Python/pystrtod.c says the same). The digits come from
// std::to_chars, which is exact and rounds half to even, and text is read by std::from_chars.
#include "FloatText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

namespace ptc::py {

namespace {
/// 0.d1d2d3... * 10**point; no sign.
struct Digits {
  std::string digits;
  int point = 0;
};
} // namespace

/// From "d.ddde+xx" of std::to_chars.
static Digits fromScientific(std::string_view text) {
  const size_t mark = text.find('e');
  Digits result;
  for (char c : text.substr(0, mark))
    if (c != '.')
      result.digits += c;
  std::string_view exponent = text.substr(mark + 1);
  if (exponent[0] == '+')
    exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.point);
  ++result.point;
  return result;
}

static Digits shortestDigits(double value) {
  char buffer[64];
  auto end =
      std::to_chars(std::begin(buffer), std::end(buffer), value, std::chars_format::scientific);
  return fromScientific({buffer, end.ptr});
}

static Digits significantDigits(double value, int count) {
  std::string buffer(static_cast<size_t>(count) + 32, '\0');
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                           std::chars_format::scientific, count - 1);
  return fromScientific({buffer.data(), end.ptr});
}

static Digits fixedDigits(double value, int places) {
  std::string buffer(static_cast<size_t>(places) + 340, '\0');
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                           std::chars_format::fixed, places);
  buffer.resize(size_t(end.ptr - buffer.data()));
  const size_t point = std::min(buffer.find('.'), buffer.size());
  Digits result{buffer.substr(0, point), static_cast<int>(point)};
  if (point < buffer.size())
    result.digits += buffer.substr(point + 1);
  return result;
}

/// "e+05" for the first digit's place.
static std::string exponentText(int exponent, char letter) {
  const std::string digits = std::to_string(std::abs(exponent));
  return std::string{letter, exponent < 0 ? '-' : '+'} + (digits.size() < 2 ? "0" : "") + digits;
}

/// Digits first, zeros where they end, and a point before number `point`; at least `shown` digits.
static std::string placePoint(const std::string &digits, int point, int shown, bool keepPoint) {
  std::string text;
  shown = std::max(shown, point);
  for (int i = std::min(point - 1, 0); i < shown; ++i) {
    if (i == point)
      text += '.';
    text += i >= 0 && i < static_cast<int>(digits.size()) ? digits[size_t(i)] : '0';
  }
  if (keepPoint && text.find('.') == text.npos)
    text += '.';
  return text;
}

static std::string writeFinite(double value, const FloatStyle &style, bool &isZero) {
  const char type = llvm::toLower(style.type);
  const char exponentLetter = type == style.type ? 'e' : 'E';
  Digits d;
  bool useExponent = false;
  int shown = 0;
  switch (type) {
  case 'e':
    d = significantDigits(value, style.precision + 1);
    useExponent = true;
    shown = style.precision + 1;
    break;
  case 'f':
    d = fixedDigits(value, style.precision);
    shown = d.point + style.precision;
    break;
  case 'g': {
    const int precision = std::max(style.precision, 1);
    d = significantDigits(value, precision);
    useExponent = d.point <= -4 || d.point > precision - (style.dotZero ? 1 : 0);
    if (!style.alternate)
      d.digits.erase(std::max<size_t>(d.digits.find_last_not_of('0') + 1, 1));
    shown = static_cast<int>(d.digits.size());
    break;
  }
  case 'r':
    d = shortestDigits(value);
    useExponent = d.point <= -4 || d.point > 16;
    shown = static_cast<int>(d.digits.size());
    break;
  default:
    assert(false && "no such style of floats");
  }
  isZero = d.digits.find_first_not_of('0') == d.digits.npos;
  if (useExponent)
    return placePoint(d.digits, 1, shown, style.alternate) +
           exponentText(d.point - 1, exponentLetter);
  return placePoint(d.digits, d.point, style.dotZero ? std::max(shown, d.point + 1) : shown,
                    style.alternate);
}

std::string writeFloat(double value, const FloatStyle &style) {
  const bool isUpper = style.type >= 'A' && style.type <= 'Z';
  bool isNegative = std::signbit(value);
  std::string text;
  if (std::isnan(value)) {
    text = isUpper ? "NAN" : "nan";
    isNegative = false;
  } else if (std::isinf(value)) {
    text = isUpper ? "INF" : "inf";
  } else {
    bool isZero = false;
    text = writeFinite(std::fabs(value), style, isZero);
    if (isZero && style.noNegativeZero)
      isNegative = false;
  }
  if (isNegative)
    return "-" + text;
  return style.plus ? "+" + text : text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static size_t countDigits(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && llvm::isDigit(text[end]))
    ++end;
  return end - at;
}

/// The length of digits with point and exponent at the start of `text`; 0 without any digit.
static size_t scanDecimal(std::string_view text) {
  const size_t whole = countDigits(text, 0);
  size_t size = whole, fraction = 0;
  if (size < text.size() && text[size] == '.') {
    fraction = countDigits(text, size + 1);
    size += 1 + fraction;
  }
  if (whole + fraction == 0)
    return 0;
  if (size < text.size() && (text[size] | 0x20) == 'e') {
    size_t at = size + 1;
    if (at < text.size() && (text[at] == '+' || text[at] == '-'))
      ++at;
    if (size_t count = countDigits(text, at))
      size = at + count;
  }
  return size;
}

/// Whether a decimal that std::from_chars cannot represent is too large (else it is too small): by
/// the place of its first digit that is not 0.
static bool isTooLarge(std::string_view text) {
  const size_t mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, mark);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const size_t first = mantissa.find_first_of("123456789");
  if (first == mantissa.npos)
    return false;
  const auto place = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  std::string_view exponent = text.substr(std::min(mark + 1, text.size()));
  const bool negative = !exponent.empty() && exponent[0] == '-';
  if (!exponent.empty() && (negative || exponent[0] == '+'))
    exponent.remove_prefix(1);
  int64_t value = 0;
  for (char c : exponent)
    value = std::min<int64_t>(value * 10 + (c - '0'), int64_t(1) << 50);
  return place + (negative ? -value : value) > 0;
}

double readFloat(std::string_view text, size_t &size) {
  size_t sign = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const bool negative = sign && text[0] == '-';
  const std::string_view rest = text.substr(sign);
  double value = 0;
  size = 0;
  for (llvm::StringRef name : {"infinity", "inf", "nan"})
    if (size == 0 && llvm::StringRef(rest).starts_with_insensitive(name)) {
      value = name == "nan" ? NAN : HUGE_VAL;
      size = name.size();
    }
  if (size == 0) {
    size = scanDecimal(rest);
    if (size == 0)
      return 0;
    auto end = std::from_chars(rest.data(), rest.data() + size, value);
    if (end.ec == std::errc::result_out_of_range)
      value = isTooLarge(rest.substr(0, size)) ? HUGE_VAL : 0;
  }
  size += sign;
  return negative ? -value : value;
}

bool dropUnderscores(std::string &text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    const bool isBetween =
        i > 0 && i + 1 < text.size() && llvm::isDigit(text[i - 1]) && llvm::isDigit(text[i + 1]);
    if (!isBetween)
      return false;
  }
  text = std::move(out);
  return true;
}

double roundScaled(uint64_t value, int64_t shift, bool sticky) {
  constexpr int64_t mantissaBits = 53, minExponent = -1021; // DBL_MANT_DIG, DBL_MIN_EXP
  const int64_t bits = value ? 64 - __builtin_clzll(value) : 0;
  if (bits + shift > 1100)
    return value ? HUGE_VAL : 0;
  if (bits + shift < -1100)
    return 0;
  // Denormals keep fewer bits: none below 2**(DBL_MIN_EXP - DBL_MANT_DIG).
  const int64_t extra = std::max(bits, minExponent - shift) - mantissaBits;
  if (extra > 62)
    return 0;
  if (extra > 0) {
    const uint64_t half = uint64_t(1) << (extra - 1);
    const uint64_t rest = value & (2 * half - 1);
    value -= rest;
    if (rest > half || (rest == half && (sticky || (value & (2 * half)))))
      value += 2 * half;
  }
  // The value is a multiple of the last place now, so that ldexp is exact (or overflows).
  return std::ldexp(static_cast<double>(value), static_cast<int>(shift));
}

} // namespace ptc::py
