//===- Scan.cpp - Along one dimension: scans, softmax, sorting ------------------------===//
//
// In: a tensor and a dimension. Out: as many values along it (or the k first of the sorted ones).
// Sorting is stable and puts NaN last, first when descending, as eager does.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"

#include <cmath>
#include <limits>

using namespace ptc;
using namespace ptc::aten;

/// Runs `fn(line)` on each line of row-major `values` along `axis`, in place.
template <typename T, typename Fn>
static void forEachLine(Array<T> &values, const Axis &axis, Fn &&fn) {
  Array<T> line(axis.size);
  for (int64_t o = 0; o < axis.outer; ++o)
    for (int64_t n = 0; n < axis.inner; ++n) {
      for (int64_t i = 0; i < axis.size; ++i)
        line[i] = values[axis.at(o, i, n)];
      fn(line);
      for (int64_t i = 0; i < axis.size; ++i)
        values[axis.at(o, i, n)] = line[i];
    }
}

static void softmaxLine(Array<double> &line, bool isLog) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (double x : line)
    most = std::isnan(x) ? x : std::max(most, x);
  for (double x : line)
    sum += std::exp(x - most);
  for (double &x : line)
    x = isLog ? x - most - std::log(sum) : std::exp(x - most) / sum;
}

/// Order of the line's entries.
template <typename T> static Array<int64_t> orderOf(const Array<T> &line, bool isDescending) {
  Array<int64_t> order(line.size());
  std::iota(order.begin(), order.end(), 0);
  if constexpr (!IsComplexElement<T>::value)
    llvm::sort(order, [&](int64_t a, int64_t b) {
      T x = line[a], y = line[b];
      bool xNan = x != x, yNan = y != y;
      if (x == y || (xNan && yNan))
        return a < b;
      return isDescending ? xNan || (!yNan && x > y) : yNan || (!xNan && x < y);
    });
  return order;
}

/// Sorts along `dim` and keeps `count` entries.
static void sortInto(EvalCall &call, int64_t dim, bool isDescending, int64_t count,
                     HostTensor *values, HostTensor *indices) {
  const HostTensor &self = call.self();
  Axis axis(self.sizes(), dim);
  visitWide(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> source = load<T>(self), sorted(axis.outer * count * axis.inner);
    Array<int64_t> places(sorted.size());
    Array<T> line(axis.size);
    for (int64_t o = 0; o < axis.outer; ++o)
      for (int64_t n = 0; n < axis.inner; ++n) {
        for (int64_t i = 0; i < axis.size; ++i)
          line[i] = source[axis.at(o, i, n)];
        Array<int64_t> order = orderOf(line, isDescending);
        for (int64_t i = 0; i < count; ++i) {
          sorted[(o * count + i) * axis.inner + n] = line[order[i]];
          places[(o * count + i) * axis.inner + n] = order[i];
        }
      }
    if (values)
      store<T>(sorted, *values);
    store<int64_t>(places, *indices);
  });
}

namespace ptc::aten {

void evalSoftmax(EvalCall &call) {
  HostTensor source = convertTensor(call.self(), call.out().dtype());
  bool isLog = call.op.baseName().contains("log_softmax");
  Axis axis(source.sizes(), call.dim("dim", source.dim()));
  Array<double> values = load<double>(source);
  forEachLine(values, axis, [&](Array<double> &line) { softmaxLine(line, isLog); });
  store<double>(values, call.out());
}

/// log(exp(x) + exp(y)), of 16 bits in float, of float in double, as eager carries it.
static void evalLogCumSumExp(EvalCall &call, const HostTensor &source, const Axis &axis) {
  if (isComplex(source.dtype()))
    return call.unsupported("logcumsumexp of complex numbers");
  auto scan = [&](auto tag) {
    using T = decltype(tag);
    Array<T> values = load<T>(source);
    forEachLine(values, axis, [&](Array<T> &line) {
      T total = -std::numeric_limits<T>::infinity();
      for (T &x : line) {
        T low = std::min(x, total), high = std::max(x, total);
        bool isNan = std::isnan(x) || std::isnan(total);
        if (isNan)
          x = std::numeric_limits<T>::quiet_NaN();
        else if (low != high || std::isfinite(low))
          x = std::log1p(std::exp(low - high)) + high;
        total = x;
      }
    });
    store<T>(values, call.out());
  };
  if (source.dtype() == DType::Float16 || source.dtype() == DType::BFloat16)
    scan(float());
  else
    scan(double());
}

void evalScan(EvalCall &call) {
  HostTensor source = convertTensor(call.self(), call.out().dtype());
  bool isSum = call.op.baseName() == "cumsum";
  Axis axis(source.sizes(), call.dim("dim", source.dim()));
  if (source.dim() == 0)
    return call.out().copyFrom(source);
  if (call.op.id == OpId::logcumsumexp)
    return evalLogCumSumExp(call, source, axis);
  visitWide(source.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> values = load<T>(source);
    forEachLine(values, axis, [&](Array<T> &line) {
      T total = isSum ? T(0) : T(1); // so the sum of -0.0 is 0.0
      for (T &x : line)
        x = total = isSum ? total + x : total * x;
    });
    store<T>(values, call.out());
  });
}

void evalDiff(EvalCall &call) {
  const HostTensor &self = call.self();
  int64_t dim = call.dim("dim", self.dim()), times = call.integer("n");
  Ints sizes(self.sizes());
  HostTensor joined = self;
  for (bool isPrepend : {true, false}) { // joins what is given before and after
    const HostTensor *other = call.optional(isPrepend ? "prepend" : "append");
    if (!other)
      continue;
    sizes[dim] += other->size(dim);
    HostTensor longer = HostTensor::zeros(self.dtype(), sizes);
    const HostTensor &first = isPrepend ? *other : joined, &second = isPrepend ? joined : *other;
    longer.view(first.sizes(), longer.strides(), 0).copyFrom(convertTensor(first, self.dtype()));
    longer.view(second.sizes(), longer.strides(), first.size(dim) * longer.stride(dim))
        .copyFrom(convertTensor(second, self.dtype()));
    joined = longer;
  }
  visitWide(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> values = load<T>(joined);
    for (int64_t t = 0; t < times && sizes[dim] > 0; ++t) {
      Axis axis(sizes, dim);
      Array<T> next(axis.outer * (axis.size - 1) * axis.inner);
      for (int64_t o = 0; o < axis.outer; ++o)
        for (int64_t i = 0; i + 1 < axis.size; ++i)
          for (int64_t n = 0; n < axis.inner; ++n) {
            T a = values[axis.at(o, i, n)], b = values[axis.at(o, i + 1, n)];
            next[(o * (axis.size - 1) + i) * axis.inner + n] =
                isBool(self.dtype()) ? T(a != b) : b - a;
          }
      values = std::move(next);
      --sizes[dim];
    }
    store<T>(values, call.out());
  });
}

void evalSort(EvalCall &call) {
  int64_t dim = call.dim("dim", call.self().dim());
  int64_t size = call.self().dim() ? call.self().size(dim) : 1;
  bool isPair = call.outs.size() == 2;
  sortInto(call, dim, call.flag("descending"), size, isPair ? &call.out(0) : nullptr,
           &call.out(isPair ? 1 : 0));
}

void evalTopK(EvalCall &call) {
  sortInto(call, call.dim("dim", call.self().dim()), call.flag("largest"), call.integer("k"),
           &call.out(0), &call.out(1));
}

void evalSearchSorted(EvalCall &call) {
  bool isBucketize = call.op.baseName() == "bucketize";
  const HostTensor &bounds = call.tensor(isBucketize ? "boundaries" : "sorted_sequence");
  const HostTensor &self = call.tensor("self");
  bool isRight = call.flag("right");
  if (!isBucketize && !call.arg("side").isNone())
    isRight = call.text("side") == "right";
  DType common = promoteTypes(bounds.dtype(), self.dtype());
  visitWide(common, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (!IsComplexElement<T>::value) {
      Array<T> sorted = load<T>(bounds), wanted = load<T>(self);
      const HostTensor *sorter = isBucketize ? nullptr : call.optional("sorter");
      Array<int64_t> order = sorter ? load<int64_t>(*sorter) : Array<int64_t>();
      int64_t width = bounds.dim() ? bounds.sizes().back() : 1;
      int64_t perRow =
          bounds.dim() > 1 && self.dim() ? self.sizes().back() : int64_t(wanted.size());
      Array<int64_t> found;
      for (size_t i = 0; i < wanted.size(); ++i) {
        int64_t row = perRow ? int64_t(i) / perRow * width : 0;
        if (bounds.dim() <= 1)
          row = 0;
        auto at = [&](int64_t k) { return sorted[row + (order.empty() ? k : order[row + k])]; };
        // By halves, as eager: with NaN in the sequence the answer depends on where it looks.
        int64_t begin = 0, end = width;
        while (begin < end) {
          int64_t middle = begin + (end - begin) / 2;
          bool isBehind = isRight ? at(middle) > wanted[i] : at(middle) >= wanted[i];
          (isBehind ? end : begin) = isBehind ? middle : middle + 1;
        }
        found.push_back(begin);
      }
      store<int64_t>(found, call.out());
    }
  });
}

/// The distinct values ascending; where each element is among them; how often each occurs.
void evalUnique(EvalCall &call) {
  const HostTensor &self = call.self();
  visitWide(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> values = load<T>(self), distinct;
    Array<int64_t> order = orderOf(values, false), inverse(values.size()), counts;
    for (int64_t i : order) {
      if (distinct.empty() || values[i] != distinct.back()) {
        distinct.push_back(values[i]);
        counts.push_back(0);
      }
      inverse[i] = int64_t(distinct.size()) - 1;
      ++counts.back();
    }
    HostTensor unique = HostTensor::zeros(self.dtype(), {int64_t(distinct.size())});
    store<T>(distinct, unique);
    HostTensor places = HostTensor::zeros(DType::Int64, {0}), numbers = places.clone();
    if (call.flag("return_inverse") || call.flag("return_counts")) {
      places = HostTensor::zeros(DType::Int64, self.sizes());
      store<int64_t>(inverse, places);
    }
    if (call.flag("return_counts"))
      numbers = HostTensor::ofValues<int64_t>(counts);
    call.results = {unique, places, numbers};
  });
}

} // namespace ptc::aten
