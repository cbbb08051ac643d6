//===- Mt19937.cpp - Eager's CPU generator --------------------------------------===//
//
// In: a seed. Out: the numbers of std::mt19937 seeded with its low 32 bits, which is what
// at::mt19937 gives.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/Eval/Random.h"

using namespace ptc::aten;

static constexpr uint32_t kSize = 624, kShift = 397;

Mt19937::Mt19937(uint64_t seed) : next(kSize) {
  state[0] = uint32_t(seed);
  for (uint32_t i = 1; i < kSize; ++i)
    state[i] = 1812433253U * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
}

void Mt19937::refill() {
  for (uint32_t i = 0; i < kSize; ++i) {
    uint32_t mixed = (state[i] & 0x80000000U) | (state[(i + 1) % kSize] & 0x7fffffffU);
    state[i] = state[(i + kShift) % kSize] ^ (mixed >> 1) ^ (mixed & 1 ? 0x9908b0dfU : 0);
  }
  next = 0;
}

uint32_t Mt19937::random32() {
  if (next == kSize)
    refill();
  uint32_t y = state[next++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680U;
  y ^= (y << 15) & 0xefc60000U;
  return y ^ (y >> 18);
}

uint64_t Mt19937::random64() {
  uint64_t high = random32();
  return high << 32 | random32();
}
