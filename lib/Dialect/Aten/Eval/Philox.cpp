//===- Philox.cpp - Eager's CUDA generator --------------------------------------===//
//
// In: a seed, a stream, a number; sizes of draws. Out: the words that curand's Philox4_32_10 gives,
// and where in eager's kernels they go.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/Eval/Philox.h"

#include <algorithm>

using namespace ptc::aten;

static constexpr int64_t kThreadsOfBlock = 256;
static constexpr unsigned kRounds = 10;

PhiloxBlock ptc::aten::philox4x32(PhiloxBlock counter, std::array<uint32_t, 2> key) {
  for (unsigned round = 0; round < kRounds; ++round) {
    uint64_t a = uint64_t(0xD2511F53U) * counter[0], b = uint64_t(0xCD9E8D57U) * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key[0], uint32_t(b),
               uint32_t(a >> 32) ^ counter[3] ^ key[1], uint32_t(a)};
    key = {key[0] + 0x9E3779B9U, key[1] + 0xBB67AE85U};
  }
  return counter;
}

PhiloxBlock Philox::block(uint64_t stream, uint64_t number) const {
  uint64_t at = offset / 4 + number;
  return philox4x32({uint32_t(at), uint32_t(at >> 32), uint32_t(stream), uint32_t(stream >> 32)},
                    {uint32_t(seed), uint32_t(seed >> 32)});
}

PhiloxDraw::PhiloxDraw(Philox &generator, int64_t count, int64_t perBlock)
    : start(generator), perBlock(perBlock) {
  const GridLimits &limits = generator.limits;
  int64_t most = int64_t(limits.processors) * (limits.threadsPerProcessor / kThreadsOfBlock);
  threads = kThreadsOfBlock * std::min(most, (count - 1) / kThreadsOfBlock + 1);
  generator.offset += 4 * uint64_t((count - 1) / (threads * perBlock) + 1);
}

PhiloxDraw::Place PhiloxDraw::at(int64_t element) const {
  int64_t turn = element / (threads * perBlock);
  auto component = unsigned(element / threads % perBlock);
  return {start.block(uint64_t(element % threads), uint64_t(turn)), component};
}

PhiloxDraw::Place PhiloxDraw::atVector(int64_t element, int64_t width) const {
  int64_t turn = element / (threads * width), thread = element / width % threads;
  int64_t within = element % width, blocks = (width + 3) / 4;
  return {start.block(uint64_t(thread), uint64_t(turn * blocks + within / 4)),
          unsigned(within % 4)};
}
