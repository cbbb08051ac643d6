// Permutations of the runtime of GPUs, against those of the reference evaluator
// (test/Dialect/Aten/Philox.cpp).
extern "C" {
#include "../../lib/Runtime/Stub.h"

uint64_t ptc_cuda_permute_bytes(uint64_t count);
void ptc_cuda_permute(ptc_generator *generator, uint64_t threads, void *memory, DLDataType type,
                      void *data, uint64_t count);
}

#include <catch2/catch.hpp>

#include <vector>

template <typename T>
static std::vector<T> permutation(ptc_generator &generator, uint64_t count, DLDataType type) {
  std::vector<T> made(count);
  std::vector<unsigned char> memory(ptc_cuda_permute_bytes(count));
  uint64_t threads = 256 * ((count - 1) / 256 + 1);
  ptc_cuda_permute(&generator, threads, memory.data(), type, made.data(), count);
  return made;
}

TEST_CASE("permutations of a GPU are sorted by random keys; equal ones are shuffled") {
  struct {
    uint64_t count, seed, offset, after, hash; // FNV-1a
  } rows[] = {{5, 3, 0, 12, 0xb7efdac7aa722b61},        {1000, 1, 0, 1004, 0xd4e40e4f9a34e043},
              {1000, 3, 4, 1008, 0x28bd1266e56950e9},   {1000, 30, 4, 1008, 0x9d1dde32297dc2f7},
              {29000, 5, 0, 29004, 0xc8e8ad4a1ef444cd}, {40000, 7, 0, 40004, 0x679c69922c26ea93}};
  for (auto [count, seed, offset, after, expected] : rows) {
    ptc_generator generator;
    ptc_generator_seed(&generator, seed);
    generator.offset = offset;
    uint64_t hash = 0xcbf29ce484222325;
    for (int64_t number : permutation<int64_t>(generator, count, {kDLInt, 64, 1}))
      hash = (hash ^ uint64_t(number)) * 0x100000001b3;
    CHECK(hash == expected);
    CHECK(generator.offset == after);
  }
}

TEST_CASE("permutations of a GPU are of any type") {
  ptc_generator generators[4];
  for (ptc_generator &generator : generators)
    ptc_generator_seed(&generator, 5);
  auto whole = permutation<int64_t>(generators[0], 100, {kDLInt, 64, 1});
  auto bytes = permutation<uint8_t>(generators[1], 100, {kDLUInt, 8, 1});
  auto floats = permutation<float>(generators[2], 100, {kDLFloat, 32, 1});
  auto doubles = permutation<double>(generators[3], 100, {kDLFloat, 64, 1});
  for (size_t i = 0; i < 100; ++i) {
    CHECK(bytes[i] == whole[i]);
    CHECK(floats[i] == float(whole[i]));
    CHECK(doubles[i] == double(whole[i]));
  }
}
