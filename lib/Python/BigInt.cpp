// int: representation, arithmetic, comparison.
// In: PyInt values of any size. Out: what CPython's Objects/longobject.c computes for them, or its
// exception. Every operation tries int64_t first; the general case works on limbs (Magnitude.h).
#include "ptc/Python/BigInt.h"

#include "ptc/Python/Float.h"

#include "Magnitude.h"
#include "Raise.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace ptc::py {

using mag::Limbs;

static uint64_t absOf(int64_t value) {
  return value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
}

static Raised tooLarge() { return limitExceeded("an int larger than ptc computes"); }

//===----------------------------------------------------------------------===//
// Representation
//===----------------------------------------------------------------------===//

PyInt PyInt::fromUint64(uint64_t value) { return fromLimbs(false, mag::fromUint64(value)); }

PyInt PyInt::fromLimbs(bool negative, Limbs limbs) {
  mag::trim(limbs);
  if (limbs.size() <= 2) {
    uint64_t value = 0;
    for (size_t i = limbs.size(); i-- > 0;)
      value = value << 32 | limbs[i];
    if (value <= uint64_t(INT64_MAX) + (negative ? 1 : 0))
      return PyInt(static_cast<int64_t>(negative ? ~value + 1 : value));
  }
  PyInt result;
  result.wide = llvm::makeIntrusiveRefCnt<Wide>(negative, std::move(limbs));
  return result;
}

int64_t PyInt::clampToInt64() const {
  if (wide)
    return wide->negative ? INT64_MIN : INT64_MAX;
  return small;
}

bool PyInt::isOdd() const { return wide ? wide->limbs[0] & 1 : small & 1; }

Limbs PyInt::limbs() const { return wide ? wide->limbs : mag::fromUint64(absOf(small)); }

bool operator==(const PyInt &a, const PyInt &b) { return (a <=> b) == std::strong_ordering::equal; }

std::strong_ordering operator<=>(const PyInt &a, const PyInt &b) {
  if (!a.wide && !b.wide)
    return a.small <=> b.small;
  if (a.isNegative() != b.isNegative())
    return a.isNegative() ? std::strong_ordering::less : std::strong_ordering::greater;
  int order = mag::compare(a.limbs(), b.limbs());
  return (a.isNegative() ? -order : order) <=> 0;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

static PyInt addSigned(const PyInt &a, bool bNegative, const Limbs &b) {
  Limbs left = a.limbs();
  if (a.isNegative() == bNegative)
    return PyInt::fromLimbs(bNegative, mag::add(left, b));
  if (mag::compare(left, b) >= 0)
    return PyInt::fromLimbs(a.isNegative(), mag::sub(left, b));
  return PyInt::fromLimbs(bNegative, mag::sub(b, left));
}

PyInt add(const PyInt &a, const PyInt &b) {
  int64_t sum = 0;
  auto x = a.asInt64(), y = b.asInt64();
  if (x && y && !llvm::AddOverflow(*x, *y, sum))
    return sum;
  return addSigned(a, b.isNegative(), b.limbs());
}

PyInt sub(const PyInt &a, const PyInt &b) {
  int64_t difference = 0;
  auto x = a.asInt64(), y = b.asInt64();
  if (x && y && !llvm::SubOverflow(*x, *y, difference))
    return difference;
  return addSigned(a, !b.isNegative(), b.limbs());
}

PyInt neg(const PyInt &a) { return sub(PyInt(), a); }

PyInt abs(const PyInt &a) { return a.isNegative() ? neg(a) : a; }

Result<PyInt> mul(const PyInt &a, const PyInt &b) {
  int64_t product = 0;
  auto x = a.asInt64(), y = b.asInt64();
  if (x && y && !llvm::MulOverflow(*x, *y, product))
    return PyInt(product);
  if (bitLength(a) + bitLength(b) > kMaxIntBits)
    return tooLarge();
  return PyInt::fromLimbs(a.isNegative() != b.isNegative(), mag::mul(a.limbs(), b.limbs()));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// Requires b != 0.
static IntPair divideFloor(const PyInt &a, const PyInt &b) {
  auto x = a.asInt64(), y = b.asInt64();
  if (x && y && !(*x == INT64_MIN && *y == -1)) {
    int64_t quotient = *x / *y, remainder = *x % *y;
    if (remainder != 0 && (remainder < 0) != (*y < 0)) {
      --quotient;
      remainder += *y;
    }
    return {quotient, remainder};
  }
  mag::Division parts = mag::divide(a.limbs(), b.limbs());
  PyInt quotient = PyInt::fromLimbs(a.isNegative() != b.isNegative(), std::move(parts.quotient));
  PyInt remainder = PyInt::fromLimbs(a.isNegative(), std::move(parts.remainder));
  if (!remainder.isZero() && remainder.isNegative() != b.isNegative())
    return {sub(quotient, 1), add(remainder, b)};
  return {quotient, remainder};
}

Result<PyInt> floorDiv(const PyInt &a, const PyInt &b) {
  if (b.isZero())
    return zeroDivision("integer division or modulo by zero");
  return divideFloor(a, b).quotient;
}

Result<PyInt> mod(const PyInt &a, const PyInt &b) {
  if (b.isZero())
    return zeroDivision("integer modulo by zero");
  return divideFloor(a, b).remainder;
}

Result<IntPair> divMod(const PyInt &a, const PyInt &b) {
  if (b.isZero())
    return zeroDivision("integer division or modulo by zero");
  return divideFloor(a, b);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// base ** exponent for an exponent of 0 or more.
static Result<PyInt> power(const PyInt &base, const PyInt &exponent) {
  const auto small = base.asInt64();
  if (exponent.isZero() || (small && *small == 1))
    return PyInt(1);
  if (small && *small == 0)
    return PyInt(0);
  if (small && *small == -1)
    return PyInt(exponent.isOdd() ? -1 : 1);
  // |base| >= 2 now: the result has at least (bits - 1) * exponent bits.
  const auto count = exponent.asInt64();
  if (!count || uint64_t(*count) > kMaxIntBits ||
      (bitLength(base) - 1) * uint64_t(*count) > kMaxIntBits)
    return tooLarge();
  PyInt result = 1;
  for (int bit = 63 - llvm::countl_zero(uint64_t(*count)); bit >= 0; --bit) {
    Result<PyInt> square = mul(result, result);
    if (square && (*count >> bit & 1))
      square = mul(*square, base);
    if (!square)
      return square;
    result = *square;
  }
  return result;
}

Result<IntOrFloat> pow(const PyInt &base, const PyInt &exponent) {
  if (!exponent.isNegative()) {
    Result<PyInt> result = power(base, exponent);
    if (!result)
      return std::move(result).error();
    return IntOrFloat(*result);
  }
  Result<double> x = toDouble(base), y = toDouble(exponent);
  if (!x)
    return std::move(x).error();
  if (!y)
    return std::move(y).error();
  Result<FloatOrComplex> result = powFloat(*x, *y);
  if (!result)
    return std::move(result).error();
  return IntOrFloat(std::get<double>(*result));
}

/// The inverse of a modulo m (0 < a < m), by Euclid's algorithm, or nullopt.
static std::optional<PyInt> invertModulo(const PyInt &a, const PyInt &m) {
  PyInt r0 = m, r1 = a, t0 = 0, t1 = 1;
  while (!r1.isZero()) {
    IntPair step = divideFloor(r0, r1);
    Result<PyInt> scaled = mul(step.quotient, t1);
    if (!scaled)
      return std::nullopt;
    PyInt t2 = sub(t0, *scaled);
    r0 = r1;
    r1 = step.remainder;
    t0 = t1;
    t1 = t2;
  }
  if (r0 != PyInt(1))
    return std::nullopt;
  return divideFloor(t0, m).remainder;
}

Result<PyInt> powMod(const PyInt &base, const PyInt &exponent, const PyInt &modulus) {
  if (modulus.isZero())
    return valueError("pow() 3rd argument cannot be 0");
  const PyInt m = abs(modulus);
  const uint64_t limbs = bitLength(m) / 32 + 1;
  // Squarings and divisions of this size: bounded so that no call runs for more than seconds.
  if (bitLength(m) > kMaxIntBits / 2 || bitLength(exponent) * limbs * limbs > uint64_t(1) << 32)
    return tooLarge();
  PyInt factor = divideFloor(base, m).remainder;
  PyInt count = exponent;
  if (count.isNegative()) {
    count = neg(count);
    if (m == PyInt(1))
      return PyInt(0);
    std::optional<PyInt> inverse = factor.isZero() ? std::nullopt : invertModulo(factor, m);
    if (!inverse)
      return valueError("base is not invertible for the given modulus");
    factor = *inverse;
  }
  PyInt result = divideFloor(1, m).remainder;
  const Limbs bits = count.limbs();
  for (uint64_t bit = bitLength(count); bit-- > 0;) {
    result = divideFloor(*mul(result, result), m).remainder;
    if (bits[bit / 32] >> bit % 32 & 1)
      result = divideFloor(*mul(result, factor), m).remainder;
  }
  if (modulus.isNegative() && !result.isZero())
    result = add(result, modulus);
  return result;
}

Result<PyInt> roundInt(const PyInt &a, const PyInt &digits) {
  if (!digits.isNegative())
    return a;
  // 10 ** -digits is more than twice |a| when it has two bits more: everything rounds to 0.
  const int64_t count = digits.clampToInt64();
  if (count < -int64_t(kMaxIntBits) || uint64_t(-count) * 3 > bitLength(a) + 2)
    return PyInt(0);
  Result<PyInt> unit = power(10, -count);
  if (!unit)
    return unit;
  IntPair parts = divideFloor(a, *unit);
  const auto order = add(parts.remainder, parts.remainder) <=> *unit;
  if (order > 0 || (order == 0 && parts.quotient.isOdd()))
    return add(a, sub(*unit, parts.remainder));
  return sub(a, parts.remainder);
}

} // namespace ptc::py
