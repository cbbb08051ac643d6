// Eager's CUDA generator: known answers of Random123 for philox4x32_10, and, as hashes, numbers
// that curand's own functions gave on a host in the order of eager's kernels.
#include "ptc/Dialect/Aten/Eval/Eval.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>

using namespace ptc;
using namespace ptc::aten;

namespace {
using Ints = HostValue::IntList;
using Call = std::vector<HostValue>;

/// FNV-1a over the bits of each element.
template <typename T> uint64_t hashOf(const HostTensor &tensor) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    std::conditional_t<sizeof(T) == 8, uint64_t,
                       std::conditional_t<sizeof(T) == 4, uint32_t, uint8_t>>
        bits;
    std::memcpy(&bits, tensor.data<T>() + i, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3;
  }
  return hash;
}

HostTensor draw(OpId op, llvm::ArrayRef<HostValue> args, Philox &generator, unsigned result = 0) {
  EvalContext context;
  context.philox = &generator;
  auto results = evaluate(getOpInfo(op), args, context);
  REQUIRE(bool(results));
  return (*results)[result].tensor();
}

struct Row {
  int64_t count;
  uint64_t seed, offset, after; ///< offsets before and behind the draw
  uint64_t hash;
};
} // namespace

TEST_CASE("philox4x32_10 gives Random123's known answers") {
  CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) ==
        PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}) ==
        PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

/// The grid of 132 processors has 270336 threads: larger counts take more words of a block, and
/// more blocks.
template <typename T> static void checkRand(DType dtype, llvm::ArrayRef<Row> rows) {
  for (const Row &row : rows) {
    Philox generator(row.seed);
    generator.offset = row.offset;
    HostTensor x = draw(OpId::rand, {HostValue(Ints{row.count}), dtype, {}, {}, {}}, generator);
    CHECK(hashOf<T>(x) == row.hash);
    CHECK(generator.offset == row.after);
  }
}

TEST_CASE("uniform numbers go to elements as eager's grid lets them") {
  checkRand<float>(DType::Float32, {{1, 0, 0, 4, 0x7bad8fa9a32327b5},
                                    {257, (uint64_t(1) << 63) + 5, 12, 16, 0x4d07256c1a5852ed},
                                    {300000, 1, 4, 8, 0xcfbe22062be3357e},
                                    {1100001, 67280421310721, 0, 8, 0x7ed46c877c3ff921}});
  checkRand<double>(DType::Float64, {{1, 0, 0, 4, 0x75f42c6222b98de9},
                                     {257, (uint64_t(1) << 63) + 5, 12, 16, 0x74c05735a53fb3fa},
                                     {300000, 1, 4, 8, 0x9005a60ce309fb1b},
                                     {1100001, 67280421310721, 0, 12, 0xefe2e1a89a8b11b6}});
}

TEST_CASE("the grid is as large as the GPU") {
  Philox small(1, {80, 1536}), large(1);
  Call all{HostValue(Ints{300000}), DType::Float32, {}, {}, {}};
  HostTensor x = draw(OpId::rand, all, small), y = draw(OpId::rand, all, large);
  int64_t threads = 80 * 1536;
  CHECK(x.data<float>()[threads - 1] == y.data<float>()[threads - 1]);
  CHECK(x.data<float>()[threads] != y.data<float>()[threads]);
}

TEST_CASE("integers are words, or pairs of them") {
  for (const Row &row : {Row{1, 0, 0, 4, 0xad9b17ef1ff8ef78},
                         Row{257, (uint64_t(1) << 63) + 5, 12, 16, 0x7ff46e5d1dba3ce1},
                         Row{300000, 1, 4, 8, 0xee0b51c3edc5e3a0},
                         Row{1100001, 67280421310721, 0, 12, 0x548473eb963006c3}}) {
    Philox generator(row.seed);
    generator.offset = row.offset;
    HostTensor like = HostTensor::zeros(DType::Int64, {row.count});
    HostTensor x = draw(OpId::random_from, {like, HostValue(INT64_MIN), {}, {}}, generator);
    CHECK(hashOf<int64_t>(x) == row.hash);
    CHECK(generator.offset == row.after);
  }
  // Ranges below 2^28 are of one word; where the low bits of numbers are those of words.
  Philox generator(3), same(3);
  HostTensor like = HostTensor::zeros(DType::Int32, {9});
  HostTensor x = draw(OpId::random_to, {like, HostValue(1 << 20), {}}, generator);
  for (unsigned i = 0; i < 9; ++i)
    CHECK(x.data<int32_t>()[i] == int32_t(same.block(i, 0)[0] & ((1 << 20) - 1)));
}

TEST_CASE("normal numbers are Box and Muller's") {
  // Seed 0, as curand's functions make them of the same words.
  Philox narrow(0), wide(0);
  HostTensor x = draw(OpId::randn, {HostValue(Ints{4}), DType::Float32, {}, {}, {}}, narrow);
  HostTensor y = draw(OpId::randn, {HostValue(Ints{4}), DType::Float64, {}, {}, {}}, wide);
  const double floats[] = {-0.92466241, -0.42534393, -2.64384580, 0.14518386};
  const double doubles[] = {-0.31039573600037634, -0.03432813230409506, 0.17559472731904135,
                            -2.2803814347037816};
  for (unsigned i = 0; i < 4; ++i) {
    CHECK(std::fabs(x.data<float>()[i] - floats[i]) < 1e-6);
    CHECK(std::fabs(y.data<double>()[i] - doubles[i]) < 1e-15);
  }
}

TEST_CASE("dropout takes as many neighbours at a time as memory allows") {
  struct DropoutRow {
    DType dtype;
    int64_t begin, count; ///< of the input in its memory
    uint64_t hash;
  };
  for (const DropoutRow &row : {DropoutRow{DType::Float32, 1, 264, 0x6abff6dc3bfb778},
                                DropoutRow{DType::Float32, 5, 1120000, 0x8c9be81944ed2dfc},
                                DropoutRow{DType::Float32, 2, 264, 0x1cd23caad83b48c},
                                DropoutRow{DType::Float16, 2, 1120000, 0x10d0f449da70661},
                                DropoutRow{DType::Float32, 4, 264, 0x3db296169fa1f526},
                                DropoutRow{DType::Float32, 0, 1120000, 0xba6236a69a649c8f},
                                DropoutRow{DType::BFloat16, 0, 264, 0x328ab7b9c8ae42e0},
                                DropoutRow{DType::Float16, 8, 1120000, 0x976ea4ec0cd869f0}}) {
    Philox generator(7);
    generator.offset = 8;
    HostTensor memory = HostTensor::zeros(row.dtype, {row.begin + row.count});
    HostTensor x = memory.view({row.count}, {1}, row.begin);
    Call call{x, HostValue(1 - 0.7), HostValue(true)};
    CHECK(hashOf<bool>(draw(OpId::native_dropout, call, generator, 1)) == row.hash);
    CHECK(generator.offset == (row.count > 1000000 ? 16 : 12));
  }
}

TEST_CASE("dropout scales what it keeps in float") {
  Philox generator(1);
  HostTensor x = HostTensor::zeros(DType::Float32, {64});
  for (unsigned i = 0; i < 64; ++i)
    x.data<float>()[i] = float(i) + 0.3F;
  Call call{x, HostValue(0.15), HostValue(true)};
  EvalContext context;
  context.philox = &generator;
  auto results = evaluate(getOpInfo(OpId::native_dropout), call, context);
  REQUIRE(bool(results));
  const HostTensor &y = (*results)[0].tensor(), &kept = (*results)[1].tensor();
  for (unsigned i = 0; i < 64; ++i)
    CHECK(y.data<float>()[i] == (kept.data<bool>()[i] ? x.data<float>()[i] * (1 / 0.85F) : 0));
}

TEST_CASE("permutations are sorted by random keys; equal ones are shuffled") {
  // Hashes of what curand's words give; seeds 3 and 30 have equal keys at offset 4.
  for (const Row &row :
       {Row{5, 3, 0, 12, 0xb7efdac7aa722b61}, Row{1000, 1, 0, 1004, 0xd4e40e4f9a34e043},
        Row{1000, 3, 4, 1008, 0x28bd1266e56950e9}, Row{1000, 30, 4, 1008, 0x9d1dde32297dc2f7},
        Row{29000, 5, 0, 29004, 0xc8e8ad4a1ef444cd}, Row{40000, 7, 0, 40004, 0x679c69922c26ea93}}) {
    Philox generator(row.seed);
    generator.offset = row.offset;
    Call call{HostValue(row.count), DType::Int64, {}, {}, {}};
    CHECK(hashOf<int64_t>(draw(OpId::randperm, call, generator)) == row.hash);
    CHECK(generator.offset == row.after);
  }
}

TEST_CASE("distributions of one uniform number") {
  Philox words(5);
  auto uniform = [&](unsigned i) {
    return std::fma(float(words.block(i, 0)[0]), 0x1p-32F, 0x1p-33F);
  };
  HostTensor like = HostTensor::zeros(DType::Float32, {50});
  auto drawn = [&](OpId op, std::vector<HostValue> parameters) {
    Philox generator(5);
    parameters.insert(parameters.begin(), like);
    parameters.emplace_back();
    return draw(op, parameters, generator);
  };
  HostTensor e = drawn(OpId::exponential, {HostValue(2.0)});
  HostTensor b = drawn(OpId::bernoulli_p, {HostValue(0.25)});
  HostTensor c = drawn(OpId::cauchy, {HostValue(1.0), HostValue(3.0)});
  HostTensor g = drawn(OpId::geometric, {HostValue(0.3)});
  HostTensor u = drawn(OpId::uniform, {HostValue(-1.0), HostValue(2.0)});
  HostTensor n = drawn(OpId::normal_functional, {HostValue(0.5), HostValue(0.25)});
  HostTensor l = drawn(OpId::log_normal, {HostValue(0.5), HostValue(0.25)});
  auto close = [](double x, double y) { return std::fabs(x - y) <= 1e-5 * (1 + std::fabs(y)); };
  for (unsigned i = 0; i < 50; ++i) {
    double x = uniform(i);
    CHECK(close(e.data<float>()[i], -std::log(x) / 2));
    CHECK(b.data<float>()[i] == (x < 0.25));
    CHECK(close(c.data<float>()[i], 1 + 3 * std::tan(3.141592653589793 * (x - 0.5))));
    CHECK(g.data<float>()[i] == std::ceil(std::log(x) / std::log(1 - 0.3)));
    CHECK(u.data<float>()[i] == std::fma(float(x), 3.0F, -1.0F));
    CHECK(close(l.data<float>()[i], std::exp(n.data<float>()[i])));
  }
}

TEST_CASE("what has no numbers of a GPU is refused") {
  Philox generator(0);
  EvalContext context;
  context.philox = &generator;
  HostTensor p = HostTensor::zeros(DType::Float32, {3});
  Call call{p, {}};
  auto refused = evaluate(getOpInfo(OpId::bernoulli), call, context);
  CHECK_FALSE(bool(refused));
  llvm::consumeError(refused.takeError());
}
