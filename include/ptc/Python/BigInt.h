//===- BigInt.h - Python's int -*- C++ -*-===//
//
// PyInt is an immutable integer of any size: an int64_t inline, or a shared magnitude where the
// value does not fit. Operations follow CPython's int, results and error texts included. What may
// grow without bound returns Result and gives ExcKind::Limit beyond kMaxIntBits.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_BIGINT_H
#define PTC_PYTHON_BIGINT_H

#include "ptc/Python/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ptc::py {

class PyInt {
public:
  PyInt() = default;
  template <std::signed_integral T> PyInt(T value) : small(value) {}
  template <std::unsigned_integral T> PyInt(T value) : PyInt(fromUint64(value)) {}

  /// Sign and magnitude, least significant limb first; leading zeros are allowed, -0 is 0.
  static PyInt fromLimbs(bool negative, std::vector<uint32_t> limbs);
  static PyInt fromUint64(uint64_t value);

  /// The value where it fits an int64_t. Exactly then it is stored inline.
  std::optional<int64_t> asInt64() const {
    return wide ? std::nullopt : std::optional<int64_t>(small);
  }
  /// The value, or the nearest int64_t: for indices and bounds, which CPython clips the same way.
  int64_t clampToInt64() const;
  bool isZero() const { return !wide && small == 0; }
  bool isNegative() const { return wide ? wide->negative : small < 0; }
  bool isOdd() const;
  /// -1, 0 or 1.
  int sign() const { return isZero() ? 0 : isNegative() ? -1 : 1; }
  /// Of the absolute value, without leading zeros; empty for 0.
  std::vector<uint32_t> limbs() const;

  friend bool operator==(const PyInt &a, const PyInt &b);
  friend std::strong_ordering operator<=>(const PyInt &a, const PyInt &b);

private:
  struct Wide : llvm::RefCountedBase<Wide> {
    bool negative;
    std::vector<uint32_t> limbs;
    Wide(bool negative, std::vector<uint32_t> limbs)
        : negative(negative), limbs(std::move(limbs)) {}
  };
  int64_t small = 0;
  llvm::IntrusiveRefCntPtr<const Wide> wide;
};

using IntOrFloat = std::variant<PyInt, double>;

struct IntPair {
  PyInt quotient, remainder;
};

// Arithmetic. Sums grow by one bit at most, so that they need no limit of their own.
PyInt add(const PyInt &a, const PyInt &b);
PyInt sub(const PyInt &a, const PyInt &b);
PyInt neg(const PyInt &a);
PyInt abs(const PyInt &a);
Result<PyInt> mul(const PyInt &a, const PyInt &b);
/// Floor division and its remainder, which has the divisor's sign.
Result<PyInt> floorDiv(const PyInt &a, const PyInt &b);
Result<PyInt> mod(const PyInt &a, const PyInt &b);
Result<IntPair> divMod(const PyInt &a, const PyInt &b);
/// a / b, correctly rounded.
Result<double> trueDiv(const PyInt &a, const PyInt &b);
/// a ** b: a float where b is negative.
Result<IntOrFloat> pow(const PyInt &base, const PyInt &exponent);
/// pow(a, b, m), negative exponents included.
Result<PyInt> powMod(const PyInt &base, const PyInt &exponent, const PyInt &modulus);

// Bits, of the two's complement with infinitely many sign bits.
PyInt invert(const PyInt &a);
PyInt bitAnd(const PyInt &a, const PyInt &b);
PyInt bitOr(const PyInt &a, const PyInt &b);
PyInt bitXor(const PyInt &a, const PyInt &b);
Result<PyInt> shiftLeft(const PyInt &a, const PyInt &count);
Result<PyInt> shiftRight(const PyInt &a, const PyInt &count);
/// Of the absolute value, as int.bit_length and int.bit_count.
uint64_t bitLength(const PyInt &a);
uint64_t bitCount(const PyInt &a);

/// round(a, digits): negative digits round to a power of ten, half to even.
Result<PyInt> roundInt(const PyInt &a, const PyInt &digits);

// Of module math.
Result<PyInt> isqrt(const PyInt &a);
Result<PyInt> gcd(const PyInt &a, const PyInt &b);
Result<PyInt> lcm(const PyInt &a, const PyInt &b);
Result<PyInt> factorial(const PyInt &n);
Result<PyInt> perm(const PyInt &n, const PyInt &k);
Result<PyInt> comb(const PyInt &n, const PyInt &k);

// Text. CPython's limit of 4300 digits holds for bases that are not a power of two.
/// repr(a).
Result<std::string> toDecimal(const PyInt &a);
/// The digits of |a| in base 2, 8, 10 or 16, lower case, no prefix and no limit of digits.
std::string toDigits(const PyInt &a, unsigned base);
/// int(text, base) for a str in generalised UTF-8 (Str.h).
Result<PyInt> parseInt(std::string_view text, const PyInt &base = 10);
/// int(text, base) for bytes.
Result<PyInt> parseIntBytes(std::string_view text, const PyInt &base = 10);

// Bytes.
enum class ByteOrder : uint8_t { Little, Big };
Result<std::string> toBytes(const PyInt &a, const PyInt &length, ByteOrder order, bool isSigned);
PyInt fromBytes(std::string_view bytes, ByteOrder order, bool isSigned);

// Floats.
/// float(a): rounds half to even.
Result<double> toDouble(const PyInt &a);
/// int(value): towards zero.
Result<PyInt> truncToInt(double value);
/// round(value), math.floor, math.ceil of a finite value; the errors are those of int(value).
Result<PyInt> roundToInt(double value);
Result<PyInt> floorToInt(double value);
Result<PyInt> ceilToInt(double value);
/// Exact; unordered for nan.
std::partial_ordering compare(const PyInt &a, double b);

} // namespace ptc::py

#endif // PTC_PYTHON_BIGINT_H
