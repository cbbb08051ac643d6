//===- PackFormat.cpp - How a weight lies for a kernel ----------------------------------------===//
//
// In: a format and a dense tensor. Out: its elements in panels.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/PackFormat.h"

#include "llvm/Support/MathExtras.h"

using namespace ptc;

/// Panels are some vectors wide.
static constexpr int64_t kMostWidth = 4096;

static int64_t turnsOf(llvm::ArrayRef<PackFormat::Loop> loops) {
  int64_t turns = 1;
  for (const PackFormat::Loop &loop : loops)
    turns *= loop.size;
  return turns;
}

/// Where each turn's element lies.
static std::vector<int64_t> placesOf(llvm::ArrayRef<PackFormat::Loop> loops) {
  std::vector<int64_t> places{0};
  for (const PackFormat::Loop &loop : loops) {
    std::vector<int64_t> inner;
    inner.reserve(places.size() * size_t(loop.size));
    for (int64_t place : places)
      for (int64_t i = 0; i < loop.size; ++i)
        inner.push_back(place + i * loop.stride);
    places = std::move(inner);
  }
  return places;
}

int64_t PackFormat::numElements() const {
  return int64_t(llvm::alignTo(uint64_t(turnsOf(columns)), uint64_t(width))) * turnsOf(sum);
}

HostTensor PackFormat::pack(const HostTensor &plain) const {
  HostTensor packed = HostTensor::zeros(plain.dtype(), {numElements()});
  HostTensor dense = plain.contiguous();
  std::vector<int64_t> rows = placesOf(sum), starts = placesOf(columns);
  visitDType(plain.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T *from = dense.data<T>();
    T *to = packed.data<T>();
    for (size_t first = 0; first < starts.size(); first += size_t(width))
      for (int64_t row : rows) {
        size_t count = std::min(size_t(width), starts.size() - first);
        for (size_t j = 0; j < count; ++j)
          to[j] = from[row + starts[first + j]];
        to += width;
      }
  });
  return packed;
}

llvm::SmallVector<int64_t> PackFormat::toNumbers() const {
  llvm::SmallVector<int64_t> numbers{width};
  for (llvm::ArrayRef<Loop> loops : {llvm::ArrayRef(sum), llvm::ArrayRef(columns)}) {
    numbers.push_back(int64_t(loops.size()));
    for (const Loop &loop : loops)
      numbers.append({loop.size, loop.stride});
  }
  return numbers;
}

std::optional<PackFormat> PackFormat::fromNumbers(llvm::ArrayRef<int64_t> numbers) {
  PackFormat format;
  auto next = [&]() -> int64_t {
    if (numbers.empty())
      return -1;
    int64_t number = numbers.front();
    numbers = numbers.drop_front();
    return number;
  };
  format.width = next();
  for (auto *loops : {&format.sum, &format.columns}) {
    int64_t count = next();
    if (count < 0 || count > int64_t(numbers.size()) / 2)
      return std::nullopt;
    for (int64_t i = 0; i < count; ++i) {
      int64_t size = next();
      loops->push_back({size, next()});
    }
  }
  if (format.width < 1 || !numbers.empty())
    return std::nullopt;
  return format;
}

bool PackFormat::fits(int64_t numElements) const {
  int64_t turns = 1, last = 0;
  for (llvm::ArrayRef<Loop> loops : {llvm::ArrayRef(sum), llvm::ArrayRef(columns)})
    for (const Loop &loop : loops) {
      int64_t step = 0;
      if (loop.size < 1 || loop.stride < 0 || llvm::MulOverflow(turns, loop.size, turns) ||
          llvm::MulOverflow(loop.size - 1, loop.stride, step) ||
          llvm::AddOverflow(last, step, last))
        return false;
    }
  return turns <= numElements && last < numElements && width <= kMostWidth;
}
