// hash() of builtin immutable values.
// Numbers: residues modulo 2**61 - 1, so that equal numbers of different types agree. Text:
// SipHash-1-3 (Aumasson and Bernstein, 2012) with the key 0. Tuples: xxHash's lane mixing.
#include "ptc/Python/Hash.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cmath>

namespace ptc::py {

static constexpr uint64_t kModulus = (uint64_t(1) << 61) - 1;
static constexpr int64_t kHashInfinity = 314159;
static constexpr uint64_t kHashImaginary = 1000003;

/// -1 is CPython's sign of an error, so that no hash has it.
static int64_t avoidMinusOne(uint64_t hash) {
  const auto value = static_cast<int64_t>(hash);
  return value == -1 ? -2 : value;
}

int64_t hashInt(const PyInt &value) {
  uint64_t residue = 0;
  const std::vector<uint32_t> limbs = value.limbs();
  for (size_t i = limbs.size(); i-- > 0;) {
    // residue * 2**32: a rotation by 32 within 61 bits.
    residue = (residue << 32 & kModulus) | residue >> 29;
    residue += limbs[i];
    if (residue >= kModulus)
      residue -= kModulus;
  }
  return avoidMinusOne(value.isNegative() ? ~residue + 1 : residue);
}

int64_t hashFloat(double value) {
  if (std::isnan(value))
    return 0;
  if (std::isinf(value))
    return value > 0 ? kHashInfinity : -kHashInfinity;
  int exponent = 0;
  // The mantissa as an integer of 53 bits; 2**61 is 1, so that the exponent rotates.
  const double fraction = std::frexp(std::fabs(value), &exponent);
  uint64_t residue = static_cast<uint64_t>(std::ldexp(fraction, 53)) % kModulus;
  const int rotate = ((exponent - 53) % 61 + 61) % 61;
  residue = (residue << rotate & kModulus) | residue >> (61 - rotate);
  return avoidMinusOne(value < 0 ? ~residue + 1 : residue);
}

int64_t hashComplex(std::complex<double> value) {
  const auto real = static_cast<uint64_t>(hashFloat(value.real()));
  const auto imaginary = static_cast<uint64_t>(hashFloat(value.imag()));
  return avoidMinusOne(real + kHashImaginary * imaginary);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
struct SipState {
  explicit SipState(uint64_t key) {
    v0 ^= key;
    v2 ^= key;
  }
  // The initial constants spell "somepseudorandomlygeneratedbytes". The key's other half is 0.
  uint64_t v0 = 0x736f6d6570736575, v1 = 0x646f72616e646f6d;
  uint64_t v2 = 0x6c7967656e657261, v3 = 0x7465646279746573;

  void round() {
    v0 += v1;
    v2 += v3;
    v1 = llvm::rotl(v1, 13) ^ v0;
    v3 = llvm::rotl(v3, 16) ^ v2;
    v0 = llvm::rotl(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = llvm::rotl(v1, 17) ^ v2;
    v3 = llvm::rotl(v3, 21) ^ v0;
    v2 = llvm::rotl(v2, 32);
  }
  void absorb(uint64_t word) {
    v3 ^= word;
    round();
    v0 ^= word;
  }
};
} // namespace

static uint64_t sipHash(uint64_t key, std::string_view value) {
  SipState state(key);
  size_t at = 0;
  for (; at + 8 <= value.size(); at += 8)
    state.absorb(llvm::support::endian::read64le(value.data() + at));
  uint64_t last = uint64_t(value.size()) << 56;
  for (size_t i = 0; at + i < value.size(); ++i)
    last |= uint64_t(static_cast<uint8_t>(value[at + i])) << 8 * i;
  state.absorb(last);
  state.v2 ^= 0xff;
  for (int i = 0; i < 3; ++i)
    state.round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

int64_t hashBytes(std::string_view value) {
  return value.empty() ? 0 : avoidMinusOne(sipHash(0, value));
}

uint64_t hashSource(uint32_t magic, std::string_view source) { return sipHash(magic, source); }

int64_t hashStr(StrRef value) {
  if (value.isAscii())
    return hashBytes(value.bytes());
  const std::u32string points = toCodePoints(value.bytes());
  const char32_t largest = *std::max_element(points.begin(), points.end());
  const int width = largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4;
  std::string stored;
  stored.reserve(points.size() * width);
  for (char32_t point : points)
    for (int i = 0; i < width; ++i)
      stored += static_cast<char>(point >> 8 * i);
  return hashBytes(stored);
}

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

static constexpr uint64_t kPrime1 = 11400714785074694791u;
static constexpr uint64_t kPrime2 = 14029467366897019727u;
static constexpr uint64_t kPrime5 = 2870177450012600261u;
static constexpr int64_t kInsteadOfMinusOne = 1546275796;

static uint64_t mixLanes(llvm::ArrayRef<int64_t> items) {
  uint64_t sum = kPrime5;
  for (int64_t item : items)
    sum = llvm::rotl(sum + static_cast<uint64_t>(item) * kPrime2, 31) * kPrime1;
  return sum;
}

int64_t hashTuple(llvm::ArrayRef<int64_t> items) {
  const uint64_t sum = mixLanes(items) + (items.size() ^ (kPrime5 ^ 3527539));
  return sum == ~uint64_t(0) ? kInsteadOfMinusOne : static_cast<int64_t>(sum);
}

int64_t hashSlice(int64_t start, int64_t stop, int64_t step) {
  const uint64_t sum = mixLanes({start, stop, step});
  return sum == ~uint64_t(0) ? kInsteadOfMinusOne : static_cast<int64_t>(sum);
}

int64_t hashFrozenset(llvm::ArrayRef<int64_t> items) {
  uint64_t hash = 0;
  for (int64_t item : items) {
    const auto bits = static_cast<uint64_t>(item);
    hash ^= ((bits ^ 89869747) ^ bits << 16) * 3644798167;
  }
  hash ^= (items.size() + 1) * uint64_t(1927868237);
  hash ^= hash >> 11 ^ hash >> 25;
  hash = hash * 69069 + 907133923;
  return hash == ~uint64_t(0) ? 590923713 : static_cast<int64_t>(hash);
}

} // namespace ptc::py
