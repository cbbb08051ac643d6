// float: division, powers, rounding, text.
// Out: CPython's results (Objects/floatobject.c) and exceptions.
#include "ptc/Python/Float.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Complex.h"

#include "FloatText.h"
#include "Magnitude.h"
#include "Numeral.h"
#include "Raise.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace ptc::py {

std::string reprFloat(double value) { return writeFloat(value, {.dotZero = true}); }

static Result<double> parseNumeral(std::string text, llvm::function_ref<std::string()> shown) {
  size_t size = 0;
  if (dropUnderscores(text)) {
    const double value = readFloat(text, size);
    if (size != 0 && size == text.size())
      return value;
  }
  return valueError("could not convert string to float: " + shown());
}

Result<double> parseFloat(StrRef text) {
  const std::string ascii = toAsciiNumeral(text.bytes());
  return parseNumeral(std::string(trimNumeral(ascii)), [&] { return str::repr(text).bytes(); });
}

Result<double> parseFloatBytes(std::string_view text) {
  return parseNumeral(std::string(trimNumeral(text)), [&] { return bytes::repr(text).bytes(); });
}

//===----------------------------------------------------------------------===//
// Division and powers
//===----------------------------------------------------------------------===//

Result<double> divFloat(double a, double b) {
  if (b == 0)
    return zeroDivision("float division by zero");
  return a / b;
}

/// Requires b != 0.
static FloatPair divideFloor(double a, double b) {
  double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder == 0) {
    remainder = std::copysign(0.0, b);
  } else if ((b < 0) != (remainder < 0)) {
    remainder += b;
    quotient -= 1;
  }
  if (quotient == 0)
    return {std::copysign(0.0, a / b), remainder};
  double floor = std::floor(quotient);
  if (quotient - floor > 0.5)
    floor += 1;
  return {floor, remainder};
}

Result<double> floorDivFloat(double a, double b) {
  if (b == 0)
    return zeroDivision("float floor division by zero");
  return divideFloor(a, b).quotient;
}

Result<double> modFloat(double a, double b) {
  if (b == 0)
    return zeroDivision("float modulo");
  return divideFloor(a, b).remainder;
}

Result<FloatPair> divModFloat(double a, double b) {
  if (b == 0)
    return zeroDivision("float divmod()");
  return divideFloor(a, b);
}

static bool isOdd(double value) { return std::fmod(std::fabs(value), 2.0) == 1.0; }

Result<FloatOrComplex> powFloat(double a, double b) {
  // C99's pow agrees for zeros, infinities and nans; CPython only refuses where C would overflow,
  // divide by zero or leave the reals.
  if (a == 0 && b < 0 && std::isfinite(b))
    return zeroDivision("0.0 cannot be raised to a negative power");
  if (std::isfinite(a) && a < 0 && std::isfinite(b) && b != std::floor(b)) {
    Result<Complex> power = powComplex(a, b);
    if (!power)
      return std::move(power).error();
    return FloatOrComplex(*power);
  }
  if (std::isnan(a) || std::isnan(b) || std::isinf(a) || std::isinf(b) || a == 0)
    return FloatOrComplex(std::pow(a, b));
  // The sign is taken off first, as CPython does.
  const double power = std::pow(std::fabs(a), b);
  if (std::isinf(power))
    return overflowError("(34, 'Numerical result out of range')");
  return FloatOrComplex(a < 0 && isOdd(b) ? -power : power);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// |value| rounded to a multiple of 10**places (places > 0), as decimal text.
static std::string roundToPlaces(double value, size_t places) {
  // All digits of the value: no double has more than 1074 of them behind the point.
  const std::string exact = writeFloat(std::fabs(value), {.type = 'f', .precision = 1074});
  const size_t point = exact.find('.');
  const size_t kept = places < point ? point - places : 0;
  if (places > point)
    return "0";
  const char next = exact[kept];
  const bool isMore = exact.find_first_not_of("0.", kept + 1) != exact.npos;
  PyInt rounded = kept == 0 ? PyInt(0) : *parseInt(exact.substr(0, kept));
  if (next > '5' || (next == '5' && (isMore || rounded.isOdd())))
    rounded = add(rounded, 1);
  return toDigits(rounded, 10) + std::string(places, '0');
}

Result<double> roundFloat(double value, const PyInt &digits) {
  // From these places on nothing or everything is rounded away.
  constexpr int64_t most = 323, least = -308;
  const int64_t places = digits.clampToInt64();
  if (!std::isfinite(value) || places > most)
    return value;
  if (places < least)
    return 0.0 * value;
  const std::string text =
      places >= 0
          ? writeFloat(std::fabs(value), {.type = 'f', .precision = static_cast<int>(places)})
          : roundToPlaces(value, static_cast<size_t>(-places));
  size_t size = 0;
  const double rounded = readFloat(text, size);
  assert(size == text.size() && "our own digits are a number");
  if (std::isinf(rounded))
    return overflowError("rounded value too large to represent");
  return std::copysign(rounded, value);
}

//===----------------------------------------------------------------------===//
// Exact forms
//===----------------------------------------------------------------------===//

Result<IntRatio> asIntegerRatio(double value) {
  if (std::isinf(value))
    return overflowError("cannot convert Infinity to integer ratio");
  if (std::isnan(value))
    return valueError("cannot convert NaN to integer ratio");
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  for (int i = 0; i < 53 && fraction != std::floor(fraction); ++i, --exponent)
    fraction *= 2;
  const PyInt mantissa = *truncToInt(fraction);
  if (exponent >= 0)
    return IntRatio{*shiftLeft(mantissa, exponent), 1};
  return IntRatio{mantissa, *shiftLeft(1, -exponent)};
}

bool isInteger(double value) { return std::isfinite(value) && std::floor(value) == value; }

std::string hexFloat(double value) {
  if (!std::isfinite(value))
    return reprFloat(value);
  const std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0)
    return sign + "0x0.0p+0";
  int exponent = 0;
  double fraction = std::frexp(std::fabs(value), &exponent);
  // One bit before the point, or none for denormals.
  const int shift = 1 - std::max(-1021 - exponent, 0);
  exponent -= shift;
  const auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, shift + 52));
  std::string digits = llvm::utohexstr(mantissa & ((uint64_t(1) << 52) - 1), true, 13);
  return sign + "0x" + (mantissa >> 52 ? "1." : "0.") + digits + "p" + (exponent < 0 ? "-" : "+") +
         std::to_string(std::abs(exponent));
}

namespace {
/// A scanner over the text of a hexadecimal float.
struct HexScanner {
  std::string_view rest;

  bool eat(char lower) {
    if (rest.empty() || llvm::toLower(rest[0]) != lower)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  std::string_view eatWhile(bool (*belongs)(char)) {
    size_t size = 0;
    while (size < rest.size() && belongs(rest[size]))
      ++size;
    std::string_view eaten = rest.substr(0, size);
    rest.remove_prefix(size);
    return eaten;
  }
};
} // namespace

/// The mantissa digits and exponent after the sign; nullopt where malformed.
static std::optional<double> scanHexFloat(std::string_view text) {
  HexScanner scanner{text};
  if (text.size() > 1 && text[0] == '0' && llvm::toLower(text[1]) == 'x')
    scanner.rest.remove_prefix(2);
  std::string digits(scanner.eatWhile(llvm::isHexDigit));
  int64_t exponent = 0;
  if (scanner.eat('.')) {
    std::string_view fraction = scanner.eatWhile(llvm::isHexDigit);
    digits += fraction;
    exponent -= 4 * static_cast<int64_t>(fraction.size());
  }
  if (digits.empty())
    return std::nullopt;
  if (scanner.eat('p')) {
    const bool negative = scanner.eat('-');
    if (!negative)
      scanner.eat('+');
    std::string_view power = scanner.eatWhile([](char c) { return llvm::isDigit(c); });
    if (power.empty())
      return std::nullopt;
    int64_t value = 0;
    for (char c : power)
      value = std::min<int64_t>(value * 10 + (c - '0'), int64_t(1) << 50);
    exponent += negative ? -value : value;
  }
  if (!scanner.rest.empty())
    return std::nullopt;
  mag::Limbs limbs;
  for (char c : digits)
    mag::mulAddSmall(limbs, 16, llvm::hexDigitValue(c));
  mag::trim(limbs);
  const auto bits = static_cast<int64_t>(mag::bitLength(limbs));
  const int64_t shift = std::max<int64_t>(bits - 60, 0);
  const mag::Limbs top = mag::shiftRight(limbs, uint64_t(shift));
  uint64_t value = 0;
  for (size_t i = top.size(); i-- > 0;)
    value = value << 32 | top[i];
  return roundScaled(value, shift + exponent, mag::anyBitBelow(limbs, uint64_t(shift)));
}

Result<double> parseHexFloat(StrRef text) {
  std::string_view body = trimNumeral(text.bytes());
  const bool isSigned = !body.empty() && (body[0] == '+' || body[0] == '-');
  const bool negative = isSigned && body[0] == '-';
  body.remove_prefix(isSigned ? 1 : 0);
  const llvm::StringRef name(body);
  std::optional<double> value;
  if (name.equals_insensitive("inf") || name.equals_insensitive("infinity"))
    return negative ? -HUGE_VAL : HUGE_VAL;
  if (name.equals_insensitive("nan"))
    return negative ? -NAN : NAN;
  if (body.size() > kMaxIntBits / 8)
    return limitExceeded("a hexadecimal number longer than ptc reads");
  value = scanHexFloat(body);
  if (!value)
    return valueError("invalid hexadecimal floating-point string");
  if (std::isinf(*value))
    return overflowError("hexadecimal value too large to represent as a float");
  return negative ? -*value : *value;
}

} // namespace ptc::py
