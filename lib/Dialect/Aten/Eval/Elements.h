//===- Elements.h - Tensors as arrays of a compute type ----------*- C++ -*-===//
//
// Kernels compute on row-major arrays of few types: integers as int64_t (stores cut to the width,
// which is what wrapping arithmetic of the width gives), floats as float or double, complex.
// `Wide` kernels (sums, products of matrices, norms) compute every float in double: more exact than
// eager, and rounded once when stored.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_DIALECT_ATEN_EVAL_ELEMENTS_H
#define PTC_LIB_DIALECT_ATEN_EVAL_ELEMENTS_H

#include "ptc/TensorFile/HostTensor.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ptc::aten {

using Complex = std::complex<double>;

/// Calls `fn` with int64_t, double or complex<double> for `dtype`.
template <typename Fn> decltype(auto) visitWide(DType dtype, Fn &&fn) {
  switch (getDTypeInfo(dtype).kind) {
  case DTypeKind::Bool:
  case DTypeKind::Unsigned:
  case DTypeKind::Signed:
    return fn(ElementTag<int64_t>());
  case DTypeKind::Float:
    return fn(ElementTag<double>());
  case DTypeKind::Complex:
    return fn(ElementTag<Complex>());
  }
  llvm_unreachable("closed enum");
}

/// The type that eager sums `dtype` in.
inline DType sumType(DType dtype) {
  return dtype == DType::Float16 || dtype == DType::BFloat16 ? DType::Float32 : dtype;
}

/// `v`, or the infinity that it is to eager, which computes in `dtype`: double holds more.
double inRange(double v, DType dtype);
inline std::complex<double> inRange(std::complex<double> v, DType dtype) {
  return {inRange(v.real(), dtype), inRange(v.imag(), dtype)};
}
inline int64_t inRange(int64_t v, DType) { return v; }

/// A row-major array; a vector<bool> never occurs.
template <typename T> using Array = std::vector<T>;

/// The elements in row-major order. To int64_t: only from integers and bool.
template <typename T> Array<T> load(const HostTensor &tensor);
/// Writes row-major `values`, one per element of `tensor`.
template <typename T> void store(llvm::ArrayRef<T> values, HostTensor &tensor);

extern template Array<int64_t> load(const HostTensor &);
extern template Array<float> load(const HostTensor &);
extern template Array<double> load(const HostTensor &);
extern template Array<std::complex<float>> load(const HostTensor &);
extern template Array<Complex> load(const HostTensor &);
extern template void store(llvm::ArrayRef<int64_t>, HostTensor &);
extern template void store(llvm::ArrayRef<float>, HostTensor &);
extern template void store(llvm::ArrayRef<double>, HostTensor &);
extern template void store(llvm::ArrayRef<std::complex<float>>, HostTensor &);
extern template void store(llvm::ArrayRef<Complex>, HostTensor &);

inline int64_t product(llvm::ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
}

/// Dimension `dim` of a row-major array: element (o, i, n) is at (o * size + i) * inner + n.
/// A scalar counts as one dimension of size 1.
struct Axis {
  Axis(llvm::ArrayRef<int64_t> sizes, int64_t dim)
      : outer(sizes.empty() ? 1 : product(sizes.take_front(dim))),
        size(sizes.empty() ? 1 : sizes[dim]),
        inner(sizes.empty() ? 1 : product(sizes.drop_front(dim + 1))) {}
  int64_t outer, size, inner;
  int64_t at(int64_t o, int64_t i, int64_t n) const { return (o * size + i) * inner + n; }
};

/// A view of `tensor` expanded to `sizes` (right-aligned, sizes of 1 repeat).
HostTensor expandTo(const HostTensor &tensor, llvm::ArrayRef<int64_t> sizes);
/// A view with the dimensions in `mask` last, in their order.
HostTensor maskedDimsLast(const HostTensor &tensor, llvm::ArrayRef<bool> mask);
/// A view with dimension `dim` moved to the end.
HostTensor dimLast(const HostTensor &tensor, int64_t dim);
/// A tensor of one element without dimensions.
HostTensor scalarTensor(DType dtype, Complex value);

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_EVAL_ELEMENTS_H
