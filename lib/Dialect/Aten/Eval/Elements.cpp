//===- Elements.cpp - Tensors as arrays of a compute type ----------------------===//
//
// In: strided tensors. Out: row-major arrays and back; converted copies; reordered views.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"

#include <cmath>

using namespace ptc;
using namespace ptc::aten;

namespace ptc::aten {

template <typename T> Array<T> load(const HostTensor &tensor) {
  Array<T> values;
  values.reserve(tensor.numel());
  visitDType(tensor.dtype(), [&](auto tag) {
    using Element = typename decltype(tag)::Type;
    const auto *data = tensor.data<Element>();
    forEachOffset(tensor.sizes(), tensor.strides(),
                  [&](int64_t o) { values.push_back(convertElement<T>(data[o])); });
  });
  return values;
}

template <typename T> void store(llvm::ArrayRef<T> values, HostTensor &tensor) {
  assert(int64_t(values.size()) == tensor.numel());
  visitDType(tensor.dtype(), [&](auto tag) {
    using Element = typename decltype(tag)::Type;
    auto *data = tensor.data<Element>();
    const T *next = values.begin();
    forEachOffset(tensor.sizes(), tensor.strides(),
                  [&](int64_t o) { data[o] = convertElement<Element>(*next++); });
  });
}

template Array<int64_t> load(const HostTensor &);
template Array<float> load(const HostTensor &);
template Array<double> load(const HostTensor &);
template Array<std::complex<float>> load(const HostTensor &);
template Array<Complex> load(const HostTensor &);
template void store(llvm::ArrayRef<int64_t>, HostTensor &);
template void store(llvm::ArrayRef<float>, HostTensor &);
template void store(llvm::ArrayRef<double>, HostTensor &);
template void store(llvm::ArrayRef<std::complex<float>>, HostTensor &);
template void store(llvm::ArrayRef<Complex>, HostTensor &);

} // namespace ptc::aten

double ptc::aten::inRange(double v, DType dtype) {
  if (!isFloat(dtype) && !isComplex(dtype))
    return v;
  return visitDType(dtype, [&](auto tag) {
    auto rounded = convertElement<double>(convertElement<typename decltype(tag)::Type>(v));
    return std::isinf(rounded) ? rounded : v;
  });
}

HostTensor ptc::aten::convertTensor(const HostTensor &tensor, DType dtype) {
  if (tensor.dtype() == dtype)
    return tensor;
  HostTensor result = HostTensor::zeros(dtype, tensor.sizes());
  visitDType(tensor.dtype(), [&](auto fromTag) {
    visitDType(dtype, [&](auto toTag) {
      const auto *from = tensor.data<typename decltype(fromTag)::Type>();
      using To = typename decltype(toTag)::Type;
      auto *to = result.data<To>();
      forEachOffset(tensor.sizes(), tensor.strides(),
                    [&](int64_t o) { *to++ = convertElement<To>(from[o]); });
    });
  });
  return result;
}

HostTensor ptc::aten::expandTo(const HostTensor &tensor, llvm::ArrayRef<int64_t> sizes) {
  assert(int64_t(sizes.size()) >= tensor.dim());
  llvm::SmallVector<int64_t, 6> strides(sizes.size(), 0);
  size_t missing = sizes.size() - size_t(tensor.dim());
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    assert((tensor.size(d) == 1 || tensor.size(d) == sizes[missing + d]) && "meta broadcast it");
    strides[missing + d] = tensor.size(d) == 1 ? 0 : tensor.stride(d);
  }
  return tensor.view(sizes, strides, tensor.storageOffset());
}

HostTensor ptc::aten::maskedDimsLast(const HostTensor &tensor, llvm::ArrayRef<bool> mask) {
  llvm::SmallVector<int64_t, 6> sizes, strides;
  for (bool wanted : {false, true})
    for (int64_t d = 0; d < tensor.dim(); ++d)
      if (mask[d] == wanted) {
        sizes.push_back(tensor.size(d));
        strides.push_back(tensor.stride(d));
      }
  return tensor.view(sizes, strides, tensor.storageOffset());
}

HostTensor ptc::aten::dimLast(const HostTensor &tensor, int64_t dim) {
  llvm::SmallVector<bool, 6> mask(tensor.dim(), false);
  if (tensor.dim() > 0)
    mask[dim] = true;
  return maskedDimsLast(tensor, mask);
}

HostTensor ptc::aten::scalarTensor(DType dtype, Complex value) {
  HostTensor result = HostTensor::zeros(dtype, {});
  visitDType(dtype, [&](auto tag) {
    using Element = typename decltype(tag)::Type;
    *result.data<Element>() = convertElement<Element>(value);
  });
  return result;
}
