//===- Scatter.cpp - Writing by index ---------------------------------------------===//
//
// In: a tensor, indices, values. Out: a copy with the named elements replaced or combined, in the
// order of the indices. Sums are rounded to the tensor's type at each step, as eager's loops do.
//
//===----------------------------------------------------------------------===//
#include "AdvancedIndex.h"
#include "Elements.h"

#include "ptc/Dialect/Aten/IR/IndexKernels.h"

#include <cmath>

using namespace ptc;
using namespace ptc::aten;

namespace {
enum class Combine : uint8_t { Replace, Add, Multiply, Mean, Max, Min };
} // namespace

template <typename T> static T combine(Combine how, T a, T b) {
  switch (how) {
  case Combine::Replace:
    return b;
  case Combine::Add:
  case Combine::Mean:
    return a + b;
  case Combine::Multiply:
    return a * b;
  case Combine::Max:
  case Combine::Min:
    if constexpr (!IsComplexElement<T>::value) {
      if (a != a || b != b)
        return a != a ? a : b;
      return how == Combine::Max ? std::max(a, b) : std::min(a, b);
    }
    return b;
  }
  llvm_unreachable("closed enum");
}

/// Integers wrap around at every step; floats are summed wide and rounded once, when stored.
template <typename T> static T wrapped(DType dtype, T value) {
  if constexpr (std::is_same_v<T, int64_t>)
    return visitDType(dtype, [&](auto tag) {
      return convertElement<T>(convertElement<typename decltype(tag)::Type>(value));
    });
  return value;
}

static Combine combineOf(EvalCall &call) {
  llvm::StringRef name = call.op.baseName();
  if (name == "scatter_add")
    return Combine::Add;
  if (name != "scatter_reduce")
    return Combine::Replace;
  llvm::StringRef how = call.text("reduce");
  if (how == "sum")
    return Combine::Add;
  if (how == "prod")
    return Combine::Multiply;
  if (how == "mean")
    return Combine::Mean;
  if (how != "amax" && how != "amin")
    call.raise(PyErrorKind::RuntimeError,
               "reduce argument must be either sum, prod, mean, amax or amin, got {0}.", how);
  return how == "amax" ? Combine::Max : Combine::Min;
}

/// Where each element of `index` writes in row-major `self`; raises if one is out of range.
static Array<int64_t> targets(EvalCall &call, const HostTensor &self, const HostTensor &index,
                              int64_t dim) {
  Array<int64_t> result;
  Ints strides(contiguousStrides(self.sizes()));
  for (int64_t at : load<int64_t>(index)) {
    int64_t size = self.dim() ? self.size(dim) : 1, target = 0;
    if (at < 0 || at >= size) {
      call.raise(PyErrorKind::RuntimeError,
                 "index {0} is out of bounds for dimension {1} with size {2}", at, dim, size);
      return {};
    }
    for (int64_t d = index.dim(), rest = int64_t(result.size()); d-- > 0; rest /= index.size(d))
      if (self.dim())
        target += (d == dim ? at : rest % index.size(d)) * strides[d];
    result.push_back(target);
  }
  return result;
}

/// The source elements that go with `index`: src may be larger.
template <typename T> static Array<T> sources(EvalCall &call, const HostTensor &index) {
  if (!call.has("src")) {
    HostTensor value = scalarTensor(call.self().dtype(), call.arg("value").asComplex());
    return Array<T>(index.numel(), load<T>(value)[0]);
  }
  const HostTensor &src = call.tensor("src");
  if (src.dim() == 0 || index.dim() == 0)
    return load<T>(src);
  return load<T>(src.view(index.sizes(), src.strides(), src.storageOffset()));
}

/// True division for floats, floor for integers: the mean of scatter_reduce.
template <typename T> static T divideCount(T sum, int64_t count) {
  if constexpr (std::is_same_v<T, int64_t>)
    return sum / count - (sum % count < 0);
  else
    return sum / T(double(count));
}

template <typename T> static void scatterAs(EvalCall &call, Combine how) {
  const HostTensor &self = call.self(), &index = call.tensor("index");
  DType dtype = self.dtype();
  Array<int64_t> places = targets(call, self, index, call.dim("dim", self.dim()));
  if (call.failed())
    return;
  Array<T> values = load<T>(self), from = places.empty() ? Array<T>() : sources<T>(call, index);
  bool includesSelf = !call.has("include_self") || call.flag("include_self");
  Array<int64_t> counts(values.size(), includesSelf ? 1 : 0);
  for (size_t i = 0; i < places.size(); ++i) {
    T &target = values[places[i]];
    bool isFirst = counts[places[i]]++ == 0;
    if (isFirst && (how == Combine::Add || how == Combine::Mean))
      target = T(0); // where eager begins, which shows in the sign of zero
    bool isKept = isFirst && how != Combine::Add && how != Combine::Mean;
    target = isKept ? from[i] : wrapped(dtype, combine(how, target, from[i]));
  }
  if (how == Combine::Mean)
    for (size_t i = 0; i < values.size(); ++i)
      if (counts[i] > 1)
        values[i] = divideCount(values[i], counts[i]);
  store<T>(values, call.out());
}

/// Rows of `self` along dim named by index: combined with source, or set to a value.
template <typename T> static void indexRows(EvalCall &call, llvm::StringRef name) {
  const HostTensor &self = call.self();
  int64_t dim = call.dim("dim", self.dim());
  Axis axis(self.sizes(), dim);
  Array<T> values = load<T>(self), source;
  Array<int64_t> index = load<int64_t>(call.tensor("index"));
  T alpha = call.has("alpha") ? convertElement<T>(call.arg("alpha").asComplex()) : T(1), fill = 0;
  if (name == "index_fill") {
    const HostTensor *value = call.optional("value");
    if (value)
      call.checkItem(*value, self.dtype());
    HostTensor given = value ? convertTensor(*value, self.dtype())
                             : scalarTensor(self.dtype(), call.arg("value").asComplex());
    fill = load<T>(given)[0];
  } else {
    source = load<T>(call.tensor("source"));
  }
  int64_t count = values.empty() && self.dim() > 1 ? 0 : int64_t(index.size()); // nothing is read
  for (int64_t k = 0; k < count; ++k) {
    int64_t at = name != "index_add" && index[k] < 0 ? index[k] + axis.size : index[k];
    if (name == "index_copy" && index[k] < 0)
      at = -1;
    bool isOutside = at < 0 || at >= axis.size;
    bool isAdd = name == "index_add";
    if (isOutside && isAdd && !isIndexAddScattered(self.dim(), dim, call.tensor("index").dtype()))
      return call.raise(PyErrorKind::IndexError, "index out of range in self");
    if (isOutside)
      return call.raise(isAdd ? PyErrorKind::RuntimeError : PyErrorKind::IndexError,
                        "{0}index {1} is out of bounds for dimension {2} with size {3}",
                        name == "index_copy" ? "index_copy_(): " : "", index[k], dim, axis.size);
    for (int64_t o = 0; o < axis.outer; ++o)
      for (int64_t n = 0; n < axis.inner; ++n) {
        T &target = values[axis.at(o, at, n)];
        T from = source.empty() ? fill : source[(o * count + k) * axis.inner + n];
        target = name == "index_add" ? wrapped(self.dtype(), target + alpha * from) : from;
      }
  }
  store<T>(values, call.out());
}

namespace ptc::aten {

void evalScatter(EvalCall &call) {
  Combine how = combineOf(call);
  if (!call.failed())
    visitWide(call.self().dtype(),
              [&](auto tag) { scatterAs<typename decltype(tag)::Type>(call, how); });
}

void evalIndexAdd(EvalCall &call) {
  visitWide(call.self().dtype(),
            [&](auto tag) { indexRows<typename decltype(tag)::Type>(call, call.op.baseName()); });
}

void evalIndexFill(EvalCall &call) { evalIndexAdd(call); }

void evalIndexPut(EvalCall &call) {
  HostTensor self = call.self().contiguous();
  AdvancedIndex index(call, self, call.arg("indices").get<HostValue::TensorList>());
  if (call.failed())
    return;
  const HostTensor &values = call.tensor("values");
  if (values.dtype() != self.dtype()) // meta lets through what is filled by a mask
    call.checkItem(values, self.dtype());
  Ints sizes = index.resultSizes();
  int64_t missing = int64_t(sizes.size()) - values.dim();
  for (int64_t d = 0; d < values.dim(); ++d)
    if (missing < 0 || (values.size(d) != 1 && values.size(d) != sizes[missing + d]))
      return call.raise(PyErrorKind::RuntimeError,
                        "shape mismatch: value tensor cannot be broadcast to indexing result");
  Array<int64_t> places = index.offsets();
  visitWide(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> result = load<T>(self), from = load<T>(expandTo(values, sizes));
    for (size_t i = 0; i < places.size(); ++i) {
      T &target = result[places[i]];
      target = call.flag("accumulate") ? wrapped(self.dtype(), target + from[i]) : from[i];
    }
    store<T>(result, call.out());
  });
}

void evalMaskedScatter(EvalCall &call) {
  HostTensor &out = call.out();
  Array<int64_t> mask = load<int64_t>(expandTo(call.tensor("mask"), out.sizes()));
  visitWide(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> values = load<T>(expandTo(call.self(), out.sizes())),
             source = load<T>(call.tensor("source"));
    size_t next = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!mask[i])
        continue;
      if (next == source.size())
        return call.raise(PyErrorKind::RuntimeError,
                          "Number of elements of source < number of ones in mask");
      values[i] = source[next++];
    }
    store<T>(values, out);
  });
}

} // namespace ptc::aten
