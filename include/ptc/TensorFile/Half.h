//===- Half.h - float16 and bfloat16 as storage types -----------*- C++ -*-===//
//
// Sixteen bits with conversion to and from float, rounding to nearest even, as IEEE 754 and eager
// PyTorch do. Arithmetic is the caller's: widen, compute, narrow.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TENSORFILE_HALF_H
#define PTC_TENSORFILE_HALF_H

#include <bit>
#include <cstdint>

namespace ptc {

/// IEEE binary16.
struct Half {
  uint16_t bits = 0;

  Half() = default;
  explicit Half(float value);
  explicit operator float() const;
  static Half fromBits(uint16_t bits) {
    Half h;
    h.bits = bits;
    return h;
  }
};

/// The upper half of an IEEE binary32.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  explicit BFloat16(float value);
  explicit operator float() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
  static BFloat16 fromBits(uint16_t bits) {
    BFloat16 b;
    b.bits = bits;
    return b;
  }
};

inline BFloat16::BFloat16(float value) {
  uint32_t u = std::bit_cast<uint32_t>(value);
  if (value != value)
    bits = 0x7fc0;
  else
    bits = uint16_t((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

inline Half::Half(float value) {
  uint32_t u = std::bit_cast<uint32_t>(value);
  uint16_t sign = uint16_t((u >> 16) & 0x8000);
  u &= 0x7fffffff;
  if (u > 0x7f800000) { // NaN
    bits = sign | 0x7e00;
  } else if (u >= 0x477ff000) { // rounds to 65520 or more: infinity
    bits = sign | 0x7c00;
  } else if (u < 0x38800000) { // below 2^-14: the sum with 0.5 rounds at the subnormal grid
    float magic = std::bit_cast<float>(u) + 0.5f;
    bits = sign | uint16_t(std::bit_cast<uint32_t>(magic) - 0x3f000000);
  } else { // move the exponent's bias, round to nearest even on the 13 dropped bits
    u += 0xc8000000 + 0xfff + ((u >> 13) & 1);
    bits = sign | uint16_t(u >> 13);
  }
}

inline Half::operator float() const {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00) // infinity and NaN
    return std::bit_cast<float>(sign | 0x7f800000 | ((magnitude & 0x3ff) << 13));
  if (magnitude < 0x400) { // subnormal: a multiple of 2^-24
    float value = float(magnitude) * 0x1p-24f;
    return sign ? -value : value;
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000));
}

} // namespace ptc

#endif // PTC_TENSORFILE_HALF_H
