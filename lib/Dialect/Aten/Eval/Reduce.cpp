//===- Reduce.cpp - Sums, order statistics, norms ----------------------------------===//
//
// In: a tensor and the dimensions that go. Out: one value for each row of what stays. Floats are
// summed in double; eager sums in the type itself, in cascades.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"

#include "ptc/Dialect/Aten/IR/NormTexts.h"

#include <cmath>
#include <limits>
#include <type_traits>

using namespace ptc;
using namespace ptc::aten;

namespace {

/// The rows that a reduction reads: dimensions that stay, then those that go.
template <typename T> struct Rows {
  Array<T> values;
  int64_t count;
  int64_t width;
  llvm::ArrayRef<T> row(int64_t i) const {
    return llvm::ArrayRef<T>(values).slice(i * width, width);
  }
};

template <typename T> bool isNan(T x) { return x != x; }

} // namespace

static llvm::SmallVector<bool, 6> reducedDims(EvalCall &call) {
  int64_t rank = call.self().dim();
  if (!call.has("dim") || call.arg("dim").isNone())
    return llvm::SmallVector<bool, 6>(rank, true);
  bool keepsAllIfEmpty = call.op.overload() == "dims"; // any.dims and all.dims
  if (keepsAllIfEmpty && call.ints("dim").empty())
    return llvm::SmallVector<bool, 6>(rank, false);
  return call.dimMask(call.ints("dim"), rank);
}

template <typename T> static Rows<T> loadRows(const HostTensor &tensor, llvm::ArrayRef<bool> mask) {
  int64_t count = 1, width = 1;
  for (int64_t d = 0; d < tensor.dim(); ++d)
    (mask[d] ? width : count) *= tensor.size(d);
  return {load<T>(maskedDimsLast(tensor, mask)), count, width};
}

/// One value per row, from `reduce(row)`.
template <typename T, typename Reduce>
static auto reduceRows(const Rows<T> &rows, Reduce &&reduce) {
  Array<std::decay_t<decltype(reduce(rows.row(0)))>> results;
  results.reserve(rows.count);
  for (int64_t i = 0; i < rows.count; ++i)
    results.push_back(reduce(rows.row(i)));
  return results;
}

template <typename T> static T sumOf(llvm::ArrayRef<T> row) {
  T sum = 0;
  for (T x : row)
    sum += x;
  return sum;
}

/// Rounded to the half type `H` at each step, as eager's kernel, which multiplies halves, does.
template <typename H> static double productOfHalves(llvm::ArrayRef<double> row) {
  H result(1);
  for (double x : row)
    result = H(float(result) * float(x));
  return float(result);
}

/// Index of the extreme element: the first NaN, else the first extreme.
template <typename T> static int64_t extremeOf(llvm::ArrayRef<T> row, bool isMax) {
  int64_t best = 0;
  if constexpr (!IsComplexElement<T>::value)
    for (int64_t i = 1; i < int64_t(row.size()) && !isNan(row[best]); ++i)
      if (isNan(row[i]) || (isMax ? row[i] > row[best] : row[i] < row[best]))
        best = i;
  return best;
}

/// Index of the lower median; the first NaN if there is one.
template <typename T> static int64_t medianOf(llvm::ArrayRef<T> row) {
  Array<int64_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  if constexpr (!IsComplexElement<T>::value) {
    for (size_t i = 0; i < row.size(); ++i)
      if (isNan(row[i]))
        return int64_t(i);
    llvm::sort(order,
               [&](int64_t a, int64_t b) { return row[a] != row[b] ? row[a] < row[b] : a < b; });
  }
  return order[(row.size() - 1) / 2];
}

/// `type`: what eager sums in.
template <typename T>
static T reduceByName(llvm::StringRef name, llvm::ArrayRef<T> row, DType type) {
  if (name == "sum")
    return sumOf(row);
  if (name == "mean") {
    if constexpr (!std::is_same_v<T, int64_t>)
      return inRange(sumOf(row), type) / T(double(row.size()));
  }
  if (name == "prod") {
    T result = 1;
    for (T x : row)
      result *= x;
    return result;
  }
  if (name == "count_nonzero")
    return T(llvm::count_if(row, [](T x) { return x != T(0); }));
  if (name == "any")
    return T(llvm::any_of(row, [](T x) { return x != T(0); }));
  if (name == "all")
    return T(llvm::all_of(row, [](T x) { return x != T(0); }));
  if (name == "median")
    return row.empty() ? convertElement<T>(std::numeric_limits<double>::quiet_NaN())
                       : row[medianOf(row)];
  if (name == "logsumexp") {
    if constexpr (!std::is_same_v<T, int64_t>) {
      double most = -std::numeric_limits<double>::infinity();
      for (T x : row)
        most = std::max(most, std::real(x));
      most = std::isinf(most) ? 0 : most;
      T sum = 0;
      for (T x : row)
        sum += std::exp(x - most);
      return std::log(sum) + most;
    }
  }
  assert((name == "amax" || name == "amin" || name == "max" || name == "min") &&
         "a base name of the rule Reduce");
  T best = row[extremeOf(row, name == "amax" || name == "max")];
  // Of zeros eager's max() and min() keep the last.
  if (name.size() == 3 && best == T(0))
    best = *llvm::find(llvm::reverse(row), best);
  return best;
}

/// ord of linalg.vector_norm over absolute values.
/// Eager adds powers in float unless they are doubles: they leave its range earlier.
static double normOf(llvm::ArrayRef<double> row, double order, bool isDouble) {
  auto inRange = [&](double v) { return isDouble ? v : double(float(v)); };
  bool isMax = order == std::numeric_limits<double>::infinity();
  if (std::isinf(order)) {
    double result = isMax ? 0 : std::numeric_limits<double>::infinity();
    for (double x : row) {
      if (std::isnan(x))
        return x;
      result = isMax ? std::max(result, x) : std::min(result, x);
    }
    return result;
  }
  double sum = 0;
  for (double x : row)
    sum += order == 0   ? double(x != 0)
           : order == 1 ? x
                        : inRange(order == 2 ? x * x : std::pow(x, order));
  sum = inRange(sum);
  return order == 0 || order == 1 ? sum : order == 2 ? std::sqrt(sum) : std::pow(sum, 1 / order);
}

static Array<double> absolutes(const HostTensor &tensor) {
  Array<double> result;
  for (Complex x : load<Complex>(tensor))
    result.push_back(x.imag() == 0 ? std::fabs(x.real()) : std::abs(x));
  return result;
}

namespace {
struct Moments {
  Complex mean;
  double variance;
};
} // namespace

/// Of one row eager finds the mean by `mean`, whose sum is one of `type`.
static Moments momentsOf(llvm::ArrayRef<Complex> row, double correction, DType type,
                         bool isOneRow) {
  Complex sum = sumOf(row), mean = (isOneRow ? inRange(sum, type) : sum) / double(row.size());
  double real = 0, imag = 0, divisor = std::max(0.0, double(row.size()) - correction);
  for (Complex x : row) {
    real += (x.real() - mean.real()) * (x.real() - mean.real());
    imag += (x.imag() - mean.imag()) * (x.imag() - mean.imag());
  }
  return {mean, real / divisor + (isComplex(type) ? imag / divisor : 0)};
}

/// What x86 makes of NaN as an integer: the least int32 or int64, cut to the width.
static void fillOfNan(HostTensor &out) {
  bool isWide = out.dtype() == DType::Int64;
  store<int64_t>(
      {isWide ? std::numeric_limits<int64_t>::min() : int64_t(std::numeric_limits<int32_t>::min())},
      out);
}

namespace ptc::aten {

void evalReduce(EvalCall &call) {
  // Casting before the sum, as `dtype=` says; integers are summed as int64, and the mean of a half
  // is one of floats until it is stored.
  HostTensor source = call.self();
  DType type = call.out().dtype();
  llvm::StringRef name = call.op.baseName();
  bool isTest = name == "any" || name == "all" || name == "count_nonzero";
  if (name == "mean" && (type == DType::Float16 || type == DType::BFloat16))
    type = DType::Float32;
  if (!isTest)
    source = convertTensor(source, type);
  visitWide(source.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Rows<T> rows = loadRows<T>(source, reducedDims(call));
    if constexpr (std::is_same_v<T, double>)
      if (name == "prod" && (type == DType::Float16 || type == DType::BFloat16))
        return store<double>(reduceRows(rows, type == DType::Float16 ? productOfHalves<Half>
                                                                     : productOfHalves<BFloat16>),
                             call.out());
    if constexpr (std::is_same_v<T, int64_t>)
      if (name == "median" && rows.width == 0)
        return fillOfNan(call.out());
    store<T>(reduceRows(rows, [&](llvm::ArrayRef<T> r) { return reduceByName<T>(name, r, type); }),
             call.out());
  });
}

void evalReduceIndex(EvalCall &call) {
  const HostTensor &self = call.self();
  llvm::StringRef name = call.op.baseName();
  visitWide(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Rows<T> rows = loadRows<T>(self, call.dimMask({call.integer("dim")}, self.dim()));
    Array<int64_t> indices = reduceRows(rows, [&](llvm::ArrayRef<T> row) {
      return name == "median" ? medianOf(row) : extremeOf(row, name == "max");
    });
    Array<T> values;
    for (int64_t i = 0; i < rows.count; ++i)
      values.push_back(rows.row(i)[indices[i]]);
    store<T>(values, call.out(0));
    store<int64_t>(indices, call.out(1));
  });
}

void evalArgReduce(EvalCall &call) {
  const HostTensor &self = call.self();
  visitWide(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Rows<T> rows = loadRows<T>(self, reducedDims(call));
    store<int64_t>(reduceRows(rows,
                              [&](llvm::ArrayRef<T> row) {
                                return extremeOf(row, call.op.baseName() == "argmax");
                              }),
                   call.out());
  });
}

void evalMoment(EvalCall &call) {
  const HostTensor &self = call.self();
  double correction = 1;
  if (call.has("unbiased"))
    correction = call.flag("unbiased") ? 1 : 0;
  else if (!call.arg("correction").isNone())
    correction = call.real("correction");
  bool isStd = call.op.baseName().starts_with("std");
  Rows<Complex> rows = loadRows<Complex>(self, reducedDims(call));
  // With their mean, or of halves, they are found step by step.
  bool isOneRow = rows.count == 1 && call.outs.size() == 1 && self.dtype() == DType::Float32;
  Array<double> spread;
  Array<Complex> means;
  for (int64_t i = 0; i < rows.count; ++i) {
    Moments moments = momentsOf(rows.row(i), correction, sumType(self.dtype()), isOneRow);
    spread.push_back(isStd ? std::sqrt(moments.variance) : moments.variance);
    means.push_back(moments.mean);
  }
  store<double>(spread, call.out(0));
  if (call.outs.size() > 1)
    store<Complex>(means, call.out(1));
}

void evalNorm(EvalCall &call) {
  HostTensor self = call.self();
  if (call.has("dtype") && !call.arg("dtype").isNone())
    self = convertTensor(self, call.arg("dtype").get<DType>());
  const HostValue &order = call.has("ord") ? call.arg("ord") : call.arg("p");
  llvm::SmallVector<bool, 6> mask = reducedDims(call);
  Rows<Complex> rows = loadRows<Complex>(self, mask);
  Rows<double> sizes{absolutes(maskedDimsLast(self, mask)), rows.count, rows.width};
  double p = order.isNone() ? 2 : order.asDouble();
  if (!isFloat(self.dtype()) && !isComplex(self.dtype()))
    return call.raise(PyErrorKind::RuntimeError,
                      "linalg.vector_norm: dtype should be floating point or complex");
  if (rows.width == 0 && needsElements(p)) {
    std::optional<int64_t> dim;
    for (int64_t d = 0; llvm::is_contained(mask, false) && d < self.dim() && !dim; ++d)
      if (mask[size_t(d)] && self.size(d) == 0)
        dim = d;
    return call.raise(PyErrorKind::RuntimeError, "{0}", noElementsText(p, dim));
  }
  bool isDouble = self.dtype() == DType::Float64 || self.dtype() == DType::Complex128;
  auto norm = [&](llvm::ArrayRef<double> row) { return normOf(row, p, isDouble); };
  store<double>(reduceRows(sizes, norm), call.out());
}

} // namespace ptc::aten
