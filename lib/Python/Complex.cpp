// complex: CPython's formulas (Objects/complexobject.c), text.
#include "ptc/Python/Complex.h"

#include "ptc/Python/Str.h"

#include "FloatText.h"
#include "Numeral.h"
#include "Raise.h"

#include <cmath>

// Products and sums are rounded one by one, as CPython's build does.
#pragma STDC FP_CONTRACT OFF

namespace ptc::py {

std::string reprComplex(Complex value) {
  // The shortest digits without ".0".
  if (value.real() == 0 && !std::signbit(value.real()))
    return writeFloat(value.imag(), {}) + "j";
  return "(" + writeFloat(value.real(), {}) + writeFloat(value.imag(), {.plus = true}) + "j)";
}

Complex mulComplex(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Smith's method; nullopt for a divisor of 0.
static std::optional<Complex> divide(Complex a, Complex b) {
  if (std::fabs(b.real()) >= std::fabs(b.imag())) {
    if (b.real() == 0)
      return std::nullopt;
    const double ratio = b.imag() / b.real();
    const double denominator = b.real() + b.imag() * ratio;
    return Complex((a.real() + a.imag() * ratio) / denominator,
                   (a.imag() - a.real() * ratio) / denominator);
  }
  if (std::isnan(b.real()) || std::isnan(b.imag()))
    return Complex(NAN, NAN);
  const double ratio = b.real() / b.imag();
  const double denominator = b.real() * ratio + b.imag();
  return Complex((a.real() * ratio + a.imag()) / denominator,
                 (a.imag() * ratio - a.real()) / denominator);
}

Result<Complex> divComplex(Complex a, Complex b) {
  if (auto quotient = divide(a, b))
    return *quotient;
  return zeroDivision("complex division by zero");
}

static Complex powUnsigned(Complex a, unsigned exponent) {
  Complex result = 1, power = a;
  for (unsigned bit = 1; bit <= exponent; bit *= 2) {
    if (exponent & bit)
      result = mulComplex(result, power);
    power = mulComplex(power, power);
  }
  return result;
}

/// By polar coordinates; nullopt where the result is undefined.
static std::optional<Complex> powPolar(Complex a, Complex b) {
  if (b == Complex(0))
    return Complex(1);
  if (a == Complex(0)) {
    if (b.imag() != 0 || b.real() < 0)
      return std::nullopt;
    return Complex(0);
  }
  const double magnitude = std::hypot(a.real(), a.imag());
  const double angle = std::atan2(a.imag(), a.real());
  double length = std::pow(magnitude, b.real());
  double phase = angle * b.real();
  if (b.imag() != 0) {
    length /= std::exp(angle * b.imag());
    phase += b.imag() * std::log(magnitude);
  }
  if (std::isinf(phase))
    return std::nullopt;
  return Complex(length * std::cos(phase), length * std::sin(phase));
}

Result<Complex> powComplex(Complex a, Complex b) {
  const double exponent = b.real();
  const bool isSmallInt =
      b.imag() == 0 && exponent == std::floor(exponent) && std::fabs(exponent) <= 100;
  std::optional<Complex> power;
  if (!isSmallInt)
    power = powPolar(a, b);
  else if (exponent > 0)
    power = powUnsigned(a, static_cast<unsigned>(exponent));
  else
    power = divide(1, powUnsigned(a, static_cast<unsigned>(-exponent)));
  if (!power)
    return zeroDivision("0.0 to a negative or complex power");
  if (std::isinf(power->real()) || std::isinf(power->imag()))
    return overflowError("complex exponentiation");
  return *power;
}

Result<double> absComplex(Complex value) {
  const double magnitude = std::hypot(value.real(), value.imag());
  if (std::isinf(magnitude) && std::isfinite(value.real()) && std::isfinite(value.imag()))
    return overflowError("absolute value too large");
  return magnitude;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static bool eatUnit(std::string_view &text) {
  if (text.empty() || (text[0] | 0x20) != 'j')
    return false;
  text.remove_prefix(1);
  return true;
}

/// A number, or a sign alone, which means 1 before a j.
static std::optional<double> eatNumber(std::string_view &text, bool &isBareSign) {
  size_t size = 0;
  const double value = readFloat(text, size);
  isBareSign = size == 0;
  if (size != 0) {
    text.remove_prefix(size);
    return value;
  }
  if (text.empty() || (text[0] != '+' && text[0] != '-'))
    return std::nullopt;
  const double one = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  return one;
}

/// <float>, <float>j, <float><signed float>j, with j alone for 1j; nullopt where malformed.
static std::optional<Complex> scanComplex(std::string_view &text) {
  bool isBareSign = false;
  std::optional<double> first = eatNumber(text, isBareSign);
  if (!first) {
    if (eatUnit(text))
      return Complex(0, 1);
    return std::nullopt;
  }
  if (eatUnit(text))
    return Complex(0, *first);
  if (isBareSign)
    return std::nullopt;
  if (text.empty() || (text[0] != '+' && text[0] != '-'))
    return Complex(*first, 0);
  std::optional<double> second = eatNumber(text, isBareSign);
  if (!second || !eatUnit(text))
    return std::nullopt;
  return Complex(*first, *second);
}

Result<Complex> parseComplex(StrRef text) {
  std::string ascii = toAsciiNumeral(text.bytes());
  std::string body(trimNumeral(ascii));
  if (!dropUnderscores(body))
    return valueError("could not convert string to complex: " + str::repr(text).bytes());
  const Raised malformed = valueError("complex() arg is a malformed string");
  std::string_view rest = body;
  const bool hasParens = !rest.empty() && rest[0] == '(';
  if (hasParens)
    rest = trimNumeral(rest.substr(1));
  std::optional<Complex> value = scanComplex(rest);
  if (!value)
    return malformed;
  rest = trimNumeral(rest);
  if (hasParens) {
    if (rest.empty() || rest[0] != ')')
      return malformed;
    rest = trimNumeral(rest.substr(1));
  }
  if (!rest.empty())
    return malformed;
  return *value;
}

} // namespace ptc::py
