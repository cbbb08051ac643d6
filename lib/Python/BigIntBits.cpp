// int: operations on bits and the conversion to and from bytes.
// Negative numbers behave as two's complement with infinitely many sign bits.
#include "ptc/Python/BigInt.h"

#include "Magnitude.h"
#include "Raise.h"

#include "llvm/ADT/bit.h"

namespace ptc::py {

using mag::Limbs;

uint64_t bitLength(const PyInt &a) {
  if (auto small = a.asInt64()) {
    uint64_t value = *small < 0 ? ~uint64_t(*small) + 1 : uint64_t(*small);
    return 64 - llvm::countl_zero(value);
  }
  return mag::bitLength(a.limbs());
}

uint64_t bitCount(const PyInt &a) { return mag::countOnes(a.limbs()); }

PyInt invert(const PyInt &a) { return sub(-1, a); }

/// The low `count` limbs of the two's complement of `a`.
static Limbs toTwosComplement(const PyInt &a, size_t count) {
  Limbs limbs = a.limbs();
  limbs.resize(count);
  if (!a.isNegative())
    return limbs;
  uint64_t carry = 1;
  for (uint32_t &limb : limbs) {
    carry += static_cast<uint32_t>(~limb);
    limb = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  return limbs;
}

static PyInt fromTwosComplement(Limbs limbs) {
  const bool negative = !limbs.empty() && limbs.back() >> 31;
  if (negative) {
    uint64_t carry = 1;
    for (uint32_t &limb : limbs) {
      carry += static_cast<uint32_t>(~limb);
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  return PyInt::fromLimbs(negative, std::move(limbs));
}

template <typename Op> static PyInt combine(const PyInt &a, const PyInt &b, Op op) {
  auto x = a.asInt64(), y = b.asInt64();
  if (x && y)
    return PyInt(static_cast<int64_t>(op(uint64_t(*x), uint64_t(*y))));
  // One limb more than the longer operand holds the sign.
  const size_t count = std::max(bitLength(a), bitLength(b)) / 32 + 2;
  Limbs left = toTwosComplement(a, count), right = toTwosComplement(b, count);
  for (size_t i = 0; i < count; ++i)
    left[i] = static_cast<uint32_t>(op(left[i], right[i]));
  return fromTwosComplement(std::move(left));
}

PyInt bitAnd(const PyInt &a, const PyInt &b) {
  return combine(a, b, [](uint64_t x, uint64_t y) { return x & y; });
}
PyInt bitOr(const PyInt &a, const PyInt &b) {
  return combine(a, b, [](uint64_t x, uint64_t y) { return x | y; });
}
PyInt bitXor(const PyInt &a, const PyInt &b) {
  return combine(a, b, [](uint64_t x, uint64_t y) { return x ^ y; });
}

Result<PyInt> shiftLeft(const PyInt &a, const PyInt &count) {
  if (count.isNegative())
    return valueError("negative shift count");
  if (a.isZero())
    return PyInt(0);
  const int64_t bits = count.clampToInt64();
  if (bits > int64_t(kMaxIntBits) || bitLength(a) + uint64_t(bits) > kMaxIntBits)
    return limitExceeded("an int larger than ptc computes");
  return PyInt::fromLimbs(a.isNegative(), mag::shiftLeft(a.limbs(), uint64_t(bits)));
}

Result<PyInt> shiftRight(const PyInt &a, const PyInt &count) {
  if (count.isNegative())
    return valueError("negative shift count");
  const int64_t bits = count.clampToInt64();
  if (auto small = a.asInt64())
    return PyInt(*small >> std::min<int64_t>(bits, 63));
  const Limbs limbs = a.limbs();
  PyInt shifted = PyInt::fromLimbs(a.isNegative(), mag::shiftRight(limbs, uint64_t(bits)));
  if (a.isNegative() && mag::anyBitBelow(limbs, uint64_t(bits)))
    shifted = sub(shifted, 1);
  return shifted;
}

Result<std::string> toBytes(const PyInt &a, const PyInt &length, ByteOrder order, bool isSigned) {
  if (length.isNegative())
    return valueError("length argument must be non-negative");
  if (length.clampToInt64() > int64_t(kMaxStrBytes))
    return limitExceeded("bytes longer than ptc computes");
  if (a.isNegative() && !isSigned)
    return Raised{ExcKind::OverflowError, "can't convert negative int to unsigned"};
  const auto count = uint64_t(length.clampToInt64());
  // -2**(n-1) is the one value whose magnitude has as many bits as the signed field.
  const uint64_t bits = bitLength(a.isNegative() ? invert(a) : a) + (isSigned ? 1 : 0);
  // No bytes hold 0, and -1 as well where a sign is asked for (all its bits are signs).
  const bool isAllSigns = isSigned && count == 0 && bits == 1;
  if (bits > count * 8 && !isAllSigns)
    return Raised{ExcKind::OverflowError, "int too big to convert"};
  const Limbs limbs = toTwosComplement(a, (count + 3) / 4 + 1);
  std::string bytes(count, '\0');
  for (uint64_t i = 0; i < count; ++i)
    bytes[order == ByteOrder::Little ? i : count - 1 - i] =
        static_cast<char>(limbs[i / 4] >> i % 4 * 8);
  return bytes;
}

PyInt fromBytes(std::string_view bytes, ByteOrder order, bool isSigned) {
  const size_t count = bytes.size();
  auto byteAt = [&](size_t i) {
    return static_cast<uint8_t>(bytes[order == ByteOrder::Little ? i : count - 1 - i]);
  };
  const bool negative = isSigned && count > 0 && byteAt(count - 1) >> 7;
  Limbs limbs((count + 3) / 4 + 1, negative ? ~uint32_t(0) : 0);
  for (size_t i = 0; i < count; ++i) {
    const unsigned at = i % 4 * 8;
    limbs[i / 4] = (limbs[i / 4] & ~(uint32_t(0xff) << at)) | uint32_t(byteAt(i)) << at;
  }
  return fromTwosComplement(std::move(limbs));
}

} // namespace ptc::py
