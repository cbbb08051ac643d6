//===- Numbers.h - Types of numbers that lanes compute with ---*- C++ -*-===//
//
// Half-precision numbers of both kinds, which are computed with in single precision and rounded
// once: 24 bits are more than twice as many as they have, so that nothing is rounded twice.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_NUMBERS_H
#define PTC_TEST_DEVICE_NUMBERS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace device {

/// The nearest float that is odd, where a number is none: what is rounded of it is not rounded
/// twice.
inline float toOdd(double value) {
  auto near = float(value);
  if (double(near) == value || std::isnan(value) || std::isinf(near))
    return near;
  auto bits = std::bit_cast<uint32_t>(near);
  if (std::fabs(double(near)) > std::fabs(value))
    --bits;
  return std::bit_cast<float>(bits | 1);
}

struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float value) : bits(std::bit_cast<uint16_t>(_Float16(value))) {}
  explicit Half(double value) : Half(toOdd(value)) {}
  explicit operator float() const { return float(std::bit_cast<_Float16>(bits)); }
  explicit operator double() const { return double(float(*this)); }
};

struct BFloat {
  uint16_t bits = 0;
  BFloat() = default;
  explicit BFloat(float value) {
    auto wide = std::bit_cast<uint32_t>(value);
    uint32_t rounded = (wide + 0x7fff + (wide >> 16 & 1)) >> 16;
    bits = uint16_t(value != value ? 0x7fff : rounded);
  }
  explicit BFloat(double value) : BFloat(toOdd(value)) {}
  explicit operator float() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
  explicit operator double() const { return double(float(*this)); }
};

/// Two of them in one register.
template <class T> struct Pair {
  T low, high;
};

/// Subnormal numbers are zeros.
inline float flushed(float value) {
  bool isSmall = std::fabs(value) < std::numeric_limits<float>::min();
  return isSmall ? std::copysign(0.0F, value) : value;
}

template <class T> constexpr bool isHalf = false;
template <> inline constexpr bool isHalf<Half> = true;
template <> inline constexpr bool isHalf<BFloat> = true;

template <class T> constexpr bool isPair = false;
template <class T> inline constexpr bool isPair<Pair<T>> = true;

} // namespace device

#endif // PTC_TEST_DEVICE_NUMBERS_H
