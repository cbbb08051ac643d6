// int and float: conversions both ways, division, comparison, all exact or correctly rounded.
#include "ptc/Python/BigInt.h"

#include "FloatText.h"
#include "Magnitude.h"
#include "Raise.h"

#include <cmath>

namespace ptc::py {

using mag::Limbs;

static constexpr int kMantissaBits = 53;
static constexpr int kMinExponent = -1021; // DBL_MIN_EXP

static uint64_t lowUint64(const Limbs &limbs) {
  uint64_t value = limbs.empty() ? 0 : limbs[0];
  return limbs.size() > 1 ? value | uint64_t(limbs[1]) << 32 : value;
}

/// numerator / denominator, both positive, correctly rounded; infinite where it overflows.
static double divideRounded(const Limbs &numerator, const Limbs &denominator) {
  const int64_t difference =
      int64_t(mag::bitLength(numerator)) - int64_t(mag::bitLength(denominator));
  if (difference > 1025)
    return HUGE_VAL;
  if (difference < kMinExponent - kMantissaBits - 1)
    return 0;
  // The quotient gets 55 or 56 bits: two more than a double, and the rest is sticky.
  const int64_t shift = std::max<int64_t>(difference, kMinExponent) - kMantissaBits - 2;
  mag::Division parts = shift <= 0
                            ? mag::divide(mag::shiftLeft(numerator, uint64_t(-shift)), denominator)
                            : mag::divide(numerator, mag::shiftLeft(denominator, uint64_t(shift)));
  return roundScaled(lowUint64(parts.quotient), shift, !parts.remainder.empty());
}

Result<double> trueDiv(const PyInt &a, const PyInt &b) {
  if (b.isZero())
    return zeroDivision("division by zero");
  if (a.isZero())
    return b.isNegative() ? -0.0 : 0.0;
  double quotient = divideRounded(a.limbs(), b.limbs());
  if (std::isinf(quotient))
    return overflowError("integer division result too large for a float");
  return a.isNegative() != b.isNegative() ? -quotient : quotient;
}

Result<double> toDouble(const PyInt &a) {
  if (auto small = a.asInt64())
    return static_cast<double>(*small);
  const Limbs limbs = a.limbs();
  const auto bits = int64_t(mag::bitLength(limbs));
  if (bits > 1024)
    return overflowError("int too large to convert to float");
  const int64_t shift = bits - 60;
  double value = roundScaled(lowUint64(mag::shiftRight(limbs, uint64_t(shift))), shift,
                             mag::anyBitBelow(limbs, uint64_t(shift)));
  if (std::isinf(value))
    return overflowError("int too large to convert to float");
  return a.isNegative() ? -value : value;
}

Result<PyInt> truncToInt(double value) {
  if (std::isnan(value))
    return valueError("cannot convert float NaN to integer");
  if (std::isinf(value))
    return overflowError("cannot convert float infinity to integer");
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  if (exponent <= 0)
    return PyInt(0);
  const auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 63));
  Limbs limbs = mag::fromUint64(mantissa);
  limbs = exponent > 63 ? mag::shiftLeft(limbs, uint64_t(exponent - 63))
                        : mag::shiftRight(limbs, uint64_t(63 - exponent));
  return PyInt::fromLimbs(value < 0, std::move(limbs));
}

Result<PyInt> roundToInt(double value) {
  double rounded = std::round(value);
  if (std::fabs(value - rounded) == 0.5)
    rounded = 2.0 * std::round(value / 2.0);
  return truncToInt(rounded);
}

Result<PyInt> floorToInt(double value) { return truncToInt(std::floor(value)); }
Result<PyInt> ceilToInt(double value) { return truncToInt(std::ceil(value)); }

std::partial_ordering compare(const PyInt &a, double b) {
  if (std::isnan(b))
    return std::partial_ordering::unordered;
  if (std::isinf(b))
    return b > 0 ? std::partial_ordering::less : std::partial_ordering::greater;
  const auto order = a <=> *floorToInt(b);
  if (order == 0 && std::floor(b) != b)
    return std::partial_ordering::less;
  return order;
}

} // namespace ptc::py
