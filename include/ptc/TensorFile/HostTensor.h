//===- HostTensor.h - A tensor in host memory -------------------*- C++ -*-===//
//
// What files hold, what the reference evaluator computes on, what `--input` makes. Strided as in
// eager PyTorch: several tensors may view one storage.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TENSORFILE_HOSTTENSOR_H
#define PTC_TENSORFILE_HOSTTENSOR_H

#include "ptc/Support/DType.h"
#include "ptc/TensorFile/Half.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>
#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace ptc {

/// Carries an element type to a generic lambda: `using T = typename decltype(tag)::Type`.
template <typename T> struct ElementTag {
  using Type = T;
};

/// Calls `fn` with the ElementTag of `dtype`: the one place that maps DType to C++ types.
template <typename Fn> decltype(auto) visitDType(DType dtype, Fn &&fn) {
  switch (dtype) {
  case DType::UInt8:
    return fn(ElementTag<uint8_t>());
  case DType::Int8:
    return fn(ElementTag<int8_t>());
  case DType::Int16:
    return fn(ElementTag<int16_t>());
  case DType::Int32:
    return fn(ElementTag<int32_t>());
  case DType::Int64:
    return fn(ElementTag<int64_t>());
  case DType::Float16:
    return fn(ElementTag<Half>());
  case DType::Float32:
    return fn(ElementTag<float>());
  case DType::Float64:
    return fn(ElementTag<double>());
  case DType::Complex64:
    return fn(ElementTag<std::complex<float>>());
  case DType::Complex128:
    return fn(ElementTag<std::complex<double>>());
  case DType::Bool:
    return fn(ElementTag<bool>());
  case DType::BFloat16:
    return fn(ElementTag<BFloat16>());
  }
  llvm_unreachable("closed enum");
}

/// Bytes that tensors share: allocated here, or a mapped file that `owner` keeps open. Writable;
/// what is written to a mapped file stays in this process.
class TensorStorage {
public:
  /// Zeroed, aligned to 64 bytes.
  explicit TensorStorage(size_t bytes);
  /// `fill` writes all of it when its bytes are first asked for: what nobody reads costs neither
  /// time nor memory. Any thread may be the first.
  TensorStorage(size_t bytes, std::function<void(std::byte *)> fill);
  TensorStorage(std::byte *data, size_t bytes, std::shared_ptr<void> owner)
      : bytes(data), numBytes(bytes), owner(std::move(owner)) {}
  TensorStorage(const TensorStorage &) = delete;
  TensorStorage &operator=(const TensorStorage &) = delete;

  std::byte *data() { return ready(); }
  const std::byte *data() const { return ready(); }
  /// Where the bytes lie; asks for none.
  const void *address() const { return bytes; }
  size_t size() const { return numBytes; }
  /// The same bytes in memory of their own; what is filled at first use is so there, too.
  std::shared_ptr<TensorStorage> clone() const;

private:
  struct Pending;

  std::byte *ready() const {
    if (pending)
      make();
    return bytes;
  }
  void make() const;
  void allocate();

  std::byte *bytes = nullptr;
  size_t numBytes;
  std::shared_ptr<void> owner;
  std::shared_ptr<Pending> pending; ///< of what is filled at first use; stays
};

/// A strided view of a storage. Sizes, strides and the offset count elements; strides are never
/// negative (as in PyTorch). Copying a HostTensor makes an alias; `clone` copies the elements.
/// A default-constructed one is undefined and only good for assignment.
class HostTensor {
public:
  HostTensor() = default;
  /// A view of `storage`; asserts that every element lies inside.
  HostTensor(DType dtype, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
             int64_t offset, std::shared_ptr<TensorStorage> storage);

  /// Contiguous, zeroed, own storage.
  static HostTensor zeros(DType dtype, llvm::ArrayRef<int64_t> sizes);
  /// Own storage just large enough for `strides`, zeroed; asserts that storageBytes gives a number.
  static HostTensor zerosStrided(DType dtype, llvm::ArrayRef<int64_t> sizes,
                                 llvm::ArrayRef<int64_t> strides);
  /// One dimension; T is the element type, so `ofValues<float>({1, 2})` is f32[2].
  template <typename T> static HostTensor ofValues(llvm::ArrayRef<T> values);

  bool isDefined() const { return storagePtr != nullptr; }
  DType dtype() const { return elementType; }
  size_t elementBytes() const { return getDTypeInfo(elementType).bytes; }
  int64_t dim() const { return int64_t(dimSizes.size()); }
  llvm::ArrayRef<int64_t> sizes() const { return dimSizes; }
  llvm::ArrayRef<int64_t> strides() const { return dimStrides; }
  int64_t size(int64_t d) const { return dimSizes[d]; }
  int64_t stride(int64_t d) const { return dimStrides[d]; }
  int64_t storageOffset() const { return elementOffset; }
  const std::shared_ptr<TensorStorage> &storage() const { return storagePtr; }
  bool sharesStorageWith(const HostTensor &other) const { return storagePtr == other.storagePtr; }

  int64_t numel() const;
  /// Row-major with eager's rule: dimensions of size 1 have any stride, no elements is contiguous.
  bool isContiguous() const;

  /// The element at offset 0 of this view; elements of T's type must be asked for.
  template <typename T> T *data() {
    return reinterpret_cast<T *>(storagePtr->data()) + elementOffset;
  }
  template <typename T> const T *data() const {
    return reinterpret_cast<const T *>(storagePtr->data()) + elementOffset;
  }
  std::byte *bytes() { return storagePtr->data() + elementOffset * elementBytes(); }
  const std::byte *bytes() const { return storagePtr->data() + elementOffset * elementBytes(); }
  /// The elements of a contiguous tensor.
  llvm::ArrayRef<std::byte> contiguousBytes() const;

  /// Another view of the same storage, same element type.
  HostTensor view(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
                  int64_t offset) const {
    return HostTensor(elementType, sizes, strides, offset, storagePtr);
  }
  /// A contiguous copy in own storage.
  HostTensor clone() const;
  /// This tensor if contiguous, else a contiguous copy.
  HostTensor contiguous() const { return isContiguous() ? *this : clone(); }
  /// A contiguous copy with elements of another type, rounded to nearest even as eager's `to` does.
  HostTensor convertedTo(DType dtype) const;
  /// Copies the elements of `src` (same dtype and sizes) into this view. Storages may overlap only
  /// if both views are the same.
  void copyFrom(const HostTensor &src);

  /// The element at `index`, converted; complex values lose their imaginary part.
  double getDouble(llvm::ArrayRef<int64_t> index) const;
  int64_t getInt(llvm::ArrayRef<int64_t> index) const;
  std::complex<double> getComplex(llvm::ArrayRef<int64_t> index) const;

private:
  int64_t offsetOf(llvm::ArrayRef<int64_t> index) const;

  DType elementType = DType::Float32;
  llvm::SmallVector<int64_t, 4> dimSizes;
  llvm::SmallVector<int64_t, 4> dimStrides;
  int64_t elementOffset = 0;
  std::shared_ptr<TensorStorage> storagePtr;
};

/// Bytes of storage that a view needs: up to the end of its last element, 0 without elements. None
/// if that does not fit in 63 bits, or if something is negative.
std::optional<size_t> storageBytes(DType dtype, llvm::ArrayRef<int64_t> sizes,
                                   llvm::ArrayRef<int64_t> strides, int64_t offset = 0);

/// Row-major strides as eager makes them: a dimension's stride is the product of max(size, 1) of
/// those after it.
llvm::SmallVector<int64_t, 4> contiguousStrides(llvm::ArrayRef<int64_t> sizes);

/// Calls `fn(offset)` for each element in row-major order; offsets count elements from data().
template <typename Fn>
void forEachOffset(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides, Fn &&fn);

/// Converts one element: C casts between numbers as eager's copy does them (float to integer
/// truncates, anything to bool tests against zero, complex to real drops the imaginary part).
template <typename To, typename From> To convertElement(From value);

template <typename T> struct IsComplexElement : std::false_type {};
template <typename T> struct IsComplexElement<std::complex<T>> : std::true_type {};
template <typename T>
inline constexpr bool isHalfElement = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

//===----------------------------------------------------------------------===//
// Templates
//===----------------------------------------------------------------------===//

template <typename To, typename From> To convertElement(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (isHalfElement<From>) {
    return convertElement<To>(float(value));
  } else if constexpr (IsComplexElement<From>::value) {
    if constexpr (IsComplexElement<To>::value)
      return To(typename To::value_type(value.real()), typename To::value_type(value.imag()));
    else if constexpr (std::is_same_v<To, bool>)
      return value.real() != 0 || value.imag() != 0;
    else
      return convertElement<To>(value.real());
  } else if constexpr (isHalfElement<To>) {
    return To(float(value));
  } else if constexpr (IsComplexElement<To>::value) {
    return To(typename To::value_type(value), 0);
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // What x86's conversion gives for values out of range, so that no behaviour is undefined: the
    // smallest int64, for signed types below it the smallest int32, cut to the width.
    if constexpr (std::is_signed_v<To> && sizeof(To) <= 4)
      return value > From(-0x1p31) - 1 && value < From(0x1p31) ? To(int32_t(value)) : To(INT32_MIN);
    else
      return value >= From(-0x1p63) && value < From(0x1p63) ? To(int64_t(value)) : To(INT64_MIN);
  } else {
    return To(value);
  }
}

template <typename Fn>
void forEachOffset(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides, Fn &&fn) {
  assert(sizes.size() == strides.size());
  for (int64_t size : sizes)
    if (size == 0)
      return;
  llvm::SmallVector<int64_t, 6> index(sizes.size(), 0);
  int64_t offset = 0;
  while (true) {
    fn(offset);
    int64_t d = int64_t(sizes.size()) - 1;
    for (; d >= 0; --d) {
      offset += strides[d];
      if (++index[d] < sizes[d])
        break;
      offset -= strides[d] * sizes[d];
      index[d] = 0;
    }
    if (d < 0)
      return;
  }
}

template <typename T> HostTensor HostTensor::ofValues(llvm::ArrayRef<T> values) {
  std::optional<DType> dtype;
  for (const DTypeInfo &info : getAllDTypeInfos())
    if (visitDType(info.dtype,
                   [](auto tag) { return std::is_same_v<typename decltype(tag)::Type, T>; }))
      dtype = info.dtype;
  assert(dtype && "an element type of DType.def");
  HostTensor result = zeros(*dtype, {int64_t(values.size())});
  std::copy(values.begin(), values.end(), result.data<T>());
  return result;
}

} // namespace ptc

#endif // PTC_TENSORFILE_HOSTTENSOR_H
