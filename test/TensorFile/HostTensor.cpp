// Host tensors: sizes and strides, views share storage, copies do not, 16-bit floats round as IEEE.
#include "ptc/TensorFile/HostTensor.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace ptc;

static HostTensor iota(llvm::ArrayRef<int64_t> sizes) {
  HostTensor t = HostTensor::zeros(DType::Float32, sizes);
  for (int64_t i = 0; i < t.numel(); ++i)
    t.data<float>()[i] = float(i);
  return t;
}

TEST_CASE("strides of new tensors are row-major; empty ones as in eager") {
  CHECK(contiguousStrides({2, 3, 4}) == llvm::SmallVector<int64_t, 4>{12, 4, 1});
  CHECK(contiguousStrides({2, 0, 4}) == llvm::SmallVector<int64_t, 4>{4, 4, 1});
  CHECK(contiguousStrides({}).empty());
  CHECK(HostTensor::zeros(DType::Int64, {}).numel() == 1);
  CHECK(HostTensor::zeros(DType::Int64, {2, 0}).numel() == 0);
}

TEST_CASE("a view shares its storage, a clone does not") {
  HostTensor t = iota({2, 3});
  HostTensor transposed = t.view({3, 2}, {1, 3}, 0);
  CHECK(transposed.getDouble({2, 1}) == 5);
  CHECK_FALSE(transposed.isContiguous());
  HostTensor copy = transposed.clone();
  CHECK(copy.isContiguous());
  CHECK_FALSE(copy.sharesStorageWith(t));
  t.data<float>()[5] = 50;
  CHECK(transposed.getDouble({2, 1}) == 50);
  CHECK(copy.getDouble({2, 1}) == 5);
  HostTensor expanded = t.view({2, 4, 3}, {3, 0, 1}, 0).clone();
  CHECK(expanded.getDouble({1, 3, 0}) == 3);
}

TEST_CASE("a dimension of size one has any stride, a tensor without elements is contiguous") {
  HostTensor t = iota({6});
  CHECK(t.view({1, 6}, {77, 1}, 0).isContiguous());
  CHECK(t.view({2, 0, 3}, {1, 5, 9}, 0).isContiguous());
  CHECK_FALSE(t.view({3}, {2}, 0).isContiguous());
}

TEST_CASE("the storage that a view needs, or none of 64 bits") {
  struct Row {
    std::vector<int64_t> sizes, strides;
    int64_t offset;
    std::optional<size_t> bytes; ///< of f32
  };
  constexpr int64_t kMax = INT64_MAX;
  for (const Row &row : {
           Row{{}, {}, 0, 4},
           {{2, 3}, {3, 1}, 0, 24},
           {{2, 3}, {3, 1}, 5, 44},
           {{4}, {0}, 0, 4},
           {{3, 0}, {kMax, kMax}, kMax, 0},
           {{1, 1}, {kMax, kMax}, 0, 4},
           {{2, 2}, {int64_t(1) << 62, 1}, 0, std::nullopt},
           {{3, 1}, {int64_t(1) << 61, 1}, 0, std::nullopt},
           {{2, 1}, {int64_t(1) << 61, 1}, 0, std::nullopt},
           {{2}, {(int64_t(1) << 61) - 2}, 0, size_t(kMax - 3)},
           {{2}, {1}, kMax, std::nullopt},
           {{1}, {1}, kMax, std::nullopt},
           {{kMax, kMax}, {kMax, 1}, 0, std::nullopt},
           {{2}, {-1}, 0, std::nullopt},
           {{2}, {1}, -1, std::nullopt},
       })
    CHECK(storageBytes(DType::Float32, row.sizes, row.strides, row.offset) == row.bytes);
}

TEST_CASE("elements convert as eager's copy does") {
  CHECK(convertElement<bool>(0.5f));
  CHECK(convertElement<int64_t>(-1.9) == -1);
  CHECK(convertElement<uint8_t>(int64_t(257)) == 1);
  CHECK(convertElement<float>(std::complex<double>(2, 3)) == 2.0f);
  CHECK(convertElement<int64_t>(std::nan("")) == INT64_MIN);
  HostTensor t = HostTensor::ofValues<int64_t>({1, 2, 3});
  CHECK(t.dtype() == DType::Int64);
  CHECK(t.getInt({2}) == 3);
  CHECK(t.getComplex({1}) == std::complex<double>(2, 0));
}

TEST_CASE("every float16 and bfloat16 survives float and back; ties round to even") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float h = float(Half::fromBits(uint16_t(bits)));
    if (!std::isnan(h))
      REQUIRE(Half(h).bits == bits);
    float b = float(BFloat16::fromBits(uint16_t(bits)));
    if (!std::isnan(b))
      REQUIRE(BFloat16(b).bits == bits);
  }
  struct Row {
    float value;
    uint16_t half, bfloat;
  } rows[] = {{1.0f, 0x3c00, 0x3f80},
              {1.0f + 0x1p-11f, 0x3c00, 0x3f80},
              {1.0f + 0x3p-11f, 0x3c02, 0x3f80},
              {65519.0f, 0x7bff, 0x4780},
              {65520.0f, 0x7c00, 0x4780},
              {0x1p-25f, 0x0000, 0x3300},
              {0x1.8p-25f, 0x0001, 0x3340},
              {1.0f + 0x1p-8f, 0x3c04, 0x3f80},
              {1.0f + 0x3p-8f, 0x3c0c, 0x3f82},
              {-2.5f, 0xc100, 0xc020}};
  for (const Row &row : rows) {
    CAPTURE(row.value);
    CHECK(Half(row.value).bits == row.half);
    CHECK(BFloat16(row.value).bits == row.bfloat);
  }
}
