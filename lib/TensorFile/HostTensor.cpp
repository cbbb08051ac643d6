//===- HostTensor.cpp - Tensors in host memory -------------------------------===//
//
// In: element types, sizes, strides, shared storages. Out: views and copies. Bounds are asserted at
// construction; callers that read foreign data check before.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/HostTensor.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <mutex>
#include <new>
#include <numeric>

using namespace ptc;

static constexpr size_t kAlignment = 64;

struct TensorStorage::Pending {
  std::once_flag once;
  std::mutex mutex; ///< of `fill`
  std::function<void(std::byte *)> fill;
};

TensorStorage::TensorStorage(size_t size) : numBytes(size) {
  allocate();
  std::memset(bytes, 0, std::max<size_t>(size, 1));
}

TensorStorage::TensorStorage(size_t size, std::function<void(std::byte *)> fill)
    : numBytes(size), pending(std::make_shared<Pending>()) {
  pending->fill = std::move(fill);
  allocate();
}

void TensorStorage::allocate() {
  void *memory = ::operator new(std::max<size_t>(numBytes, 1), std::align_val_t(kAlignment));
  bytes = static_cast<std::byte *>(memory);
  owner = std::shared_ptr<void>(
      bytes, [](void *p) { ::operator delete(p, std::align_val_t(kAlignment)); });
}

void TensorStorage::make() const {
  std::call_once(pending->once, [&] {
    std::lock_guard lock(pending->mutex);
    pending->fill(bytes);
    pending->fill = nullptr;
  });
}

std::shared_ptr<TensorStorage> TensorStorage::clone() const {
  if (pending) {
    std::lock_guard lock(pending->mutex);
    if (pending->fill)
      return std::make_shared<TensorStorage>(numBytes, pending->fill);
  }
  auto copy = std::make_shared<TensorStorage>(numBytes);
  std::copy_n(data(), numBytes, copy->data());
  return copy;
}

std::optional<size_t> ptc::storageBytes(DType dtype, llvm::ArrayRef<int64_t> sizes,
                                        llvm::ArrayRef<int64_t> strides, int64_t offset) {
  int64_t end = offset;
  bool fits = offset >= 0;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (size == 0)
      return 0;
    int64_t reach = 0;
    fits &= size > 0 && stride >= 0 && !llvm::MulOverflow(size - 1, stride, reach) &&
            !llvm::AddOverflow(end, reach, end);
  }
  int64_t bytes = 0;
  fits &= !llvm::AddOverflow(end, int64_t(1), end) &&
          !llvm::MulOverflow(end, int64_t(getDTypeInfo(dtype).bytes), bytes);
  return fits ? std::optional(size_t(bytes)) : std::nullopt;
}

[[maybe_unused]] static bool liesInside(DType dtype, llvm::ArrayRef<int64_t> sizes,
                                        llvm::ArrayRef<int64_t> strides, int64_t offset,
                                        const TensorStorage &storage) {
  std::optional<size_t> needed = storageBytes(dtype, sizes, strides, offset);
  return needed && *needed <= storage.size();
}

HostTensor::HostTensor(DType dtype, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
                       int64_t offset, std::shared_ptr<TensorStorage> storage)
    : elementType(dtype), dimSizes(sizes), dimStrides(strides), elementOffset(offset),
      storagePtr(std::move(storage)) {
  assert(offset >= 0 && "storage offsets are not negative");
  assert(liesInside(dtype, sizes, strides, offset, *storagePtr) &&
         "a view lies inside its storage");
}

llvm::SmallVector<int64_t, 4> ptc::contiguousStrides(llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 4> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<int64_t>(sizes[d], 1);
  return strides;
}

HostTensor HostTensor::zeros(DType dtype, llvm::ArrayRef<int64_t> sizes) {
  return zerosStrided(dtype, sizes, contiguousStrides(sizes));
}

HostTensor HostTensor::zerosStrided(DType dtype, llvm::ArrayRef<int64_t> sizes,
                                    llvm::ArrayRef<int64_t> strides) {
  std::optional<size_t> bytes = storageBytes(dtype, sizes, strides);
  assert(bytes && "callers that read foreign sizes and strides ask storageBytes first");
  return HostTensor(dtype, sizes, strides, 0, std::make_shared<TensorStorage>(*bytes));
}

int64_t HostTensor::numel() const {
  return std::accumulate(dimSizes.begin(), dimSizes.end(), int64_t(1), std::multiplies<>());
}

bool HostTensor::isContiguous() const {
  int64_t expected = 1;
  for (int64_t d = dim(); d-- > 0;) {
    if (dimSizes[d] == 0)
      return true;
    if (dimSizes[d] != 1 && dimStrides[d] != expected)
      return numel() == 0;
    expected *= dimSizes[d];
  }
  return true;
}

llvm::ArrayRef<std::byte> HostTensor::contiguousBytes() const {
  assert(isContiguous());
  return {bytes(), size_t(numel()) * elementBytes()};
}

HostTensor HostTensor::convertedTo(DType wanted) const {
  HostTensor made = zeros(wanted, dimSizes);
  visitDType(wanted, [&](auto toTag) {
    visitDType(elementType, [&](auto fromTag) {
      using To = typename decltype(toTag)::Type;
      using From = typename decltype(fromTag)::Type;
      To *to = made.data<To>();
      const From *from = data<From>();
      forEachOffset(dimSizes, dimStrides,
                    [&](int64_t at) { *to++ = convertElement<To, From>(from[at]); });
    });
  });
  return made;
}

HostTensor HostTensor::clone() const {
  HostTensor result = zeros(elementType, dimSizes);
  result.copyFrom(*this);
  return result;
}

void HostTensor::copyFrom(const HostTensor &src) {
  assert(elementType == src.elementType && dimSizes == src.dimSizes);
  size_t width = elementBytes();
  std::byte *to = bytes();
  const std::byte *from = src.bytes();
  if (isContiguous() && src.isContiguous()) {
    std::memmove(to, from, size_t(numel()) * width);
    return;
  }
  llvm::SmallVector<int64_t, 0> offsets;
  offsets.reserve(numel());
  forEachOffset(src.dimSizes, src.dimStrides, [&](int64_t o) { offsets.push_back(o); });
  const int64_t *next = offsets.begin();
  forEachOffset(dimSizes, dimStrides,
                [&](int64_t o) { std::memmove(to + o * width, from + *next++ * width, width); });
}

int64_t HostTensor::offsetOf(llvm::ArrayRef<int64_t> index) const {
  int64_t offset = 0;
  for (auto [i, size, stride] : llvm::zip_equal(index, dimSizes, dimStrides)) {
    assert(i >= 0 && i < size && "index inside the tensor");
    offset += i * stride;
  }
  return offset;
}

template <typename To> static To readElement(const HostTensor &tensor, int64_t offset) {
  return visitDType(tensor.dtype(), [&](auto tag) {
    return convertElement<To>(tensor.data<typename decltype(tag)::Type>()[offset]);
  });
}

double HostTensor::getDouble(llvm::ArrayRef<int64_t> index) const {
  return readElement<double>(*this, offsetOf(index));
}

int64_t HostTensor::getInt(llvm::ArrayRef<int64_t> index) const {
  return readElement<int64_t>(*this, offsetOf(index));
}

std::complex<double> HostTensor::getComplex(llvm::ArrayRef<int64_t> index) const {
  return readElement<std::complex<double>>(*this, offsetOf(index));
}
