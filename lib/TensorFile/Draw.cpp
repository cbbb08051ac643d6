//===- Draw.cpp - Elements drawn from a seed -----------------------------------------===//
//
// In: a view and a seed. Out: its elements, normal or uniform, by a generator whose numbers the C++
// standard fixes; distributions of the standard library differ between implementations.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/Draw.h"

#include <cmath>
#include <random>

using namespace ptc;

Distribution ptc::distributionOf(const HostTensor &tensor) {
  Distribution out;
  if (tensor.numel() == 0)
    return out;
  double sum = 0, squares = 0;
  int64_t low = INT64_MAX, high = INT64_MIN;
  visitDType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *data = tensor.data<T>();
    forEachOffset(tensor.sizes(), tensor.strides(), [&](int64_t offset) {
      double real = convertElement<double>(data[offset]);
      sum += real;
      squares += real * real;
      int64_t integer = convertElement<int64_t>(data[offset]);
      low = std::min(low, integer);
      high = std::max(high, integer);
    });
  });
  double count = double(tensor.numel()), mean = sum / count;
  double variance = squares / count - mean * mean;
  if (std::isfinite(mean) && std::isfinite(variance) && variance > 0) {
    out.mean = mean;
    out.deviation = std::sqrt(variance);
  }
  out.low = low;
  out.high = high;
  return out;
}

void ptc::drawElements(HostTensor &tensor, uint64_t seed, const Distribution &from) {
  std::mt19937_64 engine(seed);
  auto uniform = [&] { return (double(engine() >> 11) + 0.5) * 0x1p-53; };
  double span = double(from.high) - double(from.low) + 1;
  visitDType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T *data = tensor.data<T>();
    forEachOffset(tensor.sizes(), tensor.strides(), [&](int64_t offset) {
      double u = uniform(), v = uniform();
      if (isFloat(tensor.dtype()) || isComplex(tensor.dtype()))
        data[offset] = convertElement<T>(from.mean + from.deviation * std::sqrt(-2 * std::log(u)) *
                                                         std::cos(2 * M_PI * v));
      else
        data[offset] = convertElement<T>(isBool(tensor.dtype()) ? int64_t(u < 0.5)
                                                                : from.low + int64_t(u * span));
    });
  });
}

HostTensor ptc::drawnTensor(DType dtype, llvm::ArrayRef<int64_t> sizes,
                            llvm::ArrayRef<int64_t> strides, uint64_t seed,
                            const std::function<Distribution()> &from) {
  std::optional<size_t> bytes = storageBytes(dtype, sizes, strides);
  assert(bytes && "the sizes were checked");
  auto fill = [=, sizes = llvm::SmallVector<int64_t, 4>(sizes),
               strides = llvm::SmallVector<int64_t, 4>(strides)](std::byte *memory) {
    std::fill_n(memory, *bytes, std::byte(0));
    auto storage = std::make_shared<TensorStorage>(memory, *bytes, nullptr);
    HostTensor view(dtype, sizes, strides, 0, std::move(storage));
    drawElements(view, seed, from());
  };
  return HostTensor(dtype, sizes, strides, 0,
                    std::make_shared<TensorStorage>(*bytes, std::move(fill)));
}

HostTensor ptc::drawnTensor(DType dtype, llvm::ArrayRef<int64_t> sizes, uint64_t seed) {
  return drawnTensor(dtype, sizes, contiguousStrides(sizes), seed, [] { return Distribution(); });
}
