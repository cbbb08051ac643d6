//===- Random.cpp - Random overloads ------------------------------------------------------===//
//
// In: the generator's state. Out: the numbers that eager's CPU kernels draw from it
// (ATen/native/cpu/DistributionTemplates.h, ATen/core/DistributionsHelper.h), in the order of
// memory, and the state after them. Eager's code for AVX2 and AVX-512 scales and shifts by one
// rounded operation.
//
//===----------------------------------------------------------------------===//
#include "RandomFill.h"

#include "Elements.h"
#include "PhiloxFill.h"
#include "ptc/Dialect/Aten/IR/RandomRange.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

using namespace ptc;
using namespace ptc::aten;

static constexpr RandomRow kRows[] = {
    {"bernoulli", RandomFidelity::Exact, "one uniform number per element, compared with p"},
    {"cauchy", RandomFidelity::Exact, "tan of one uniform double per element"},
    {"dropout", RandomFidelity::Exact, "bernoulli of 1 - p"},
    {"exponential", RandomFidelity::Exact, "log1p of one uniform double per element"},
    {"geometric", RandomFidelity::Exact, "log of one uniform double per element, rounded up"},
    {"log_normal", RandomFidelity::Exact, "exp of normal doubles drawn in pairs"},
    {"multinomial", RandomFidelity::Exact,
     "the least exponentials, or a search in the cumulative sum for each uniform double"},
    {"native_dropout", RandomFidelity::Exact, "bernoulli of 1 - p"},
    {"normal", RandomFidelity::Ulp, "as randn"},
    {"normal_functional", RandomFidelity::Ulp, "as randn"},
    {"rand", RandomFidelity::Exact, "as many bits as the significand has"},
    {"rand_like", RandomFidelity::Exact, "as rand"},
    {"randint", RandomFidelity::Exact, "remainder of 32 or 64 bits"},
    {"randint_like", RandomFidelity::Exact, "as randint"},
    {"random", RandomFidelity::Exact,
     "as randint; without a bound all that the type holds exactly"},
    {"randn", RandomFidelity::Ulp,
     "16 elements or more: Box-Muller on blocks of 16, vectorised log, sin and cos for float32"},
    {"randn_like", RandomFidelity::Ulp, "as randn"},
    {"randperm", RandomFidelity::Exact, "Fisher-Yates"},
    {"uniform", RandomFidelity::Exact, "as rand"},
};

llvm::ArrayRef<RandomRow> ptc::aten::getRandomRows() { return kRows; }

/// uniform_real_distribution: the low bits of a draw, scaled to [from, to). 16-bit floats are drawn
/// as float and rounded.
static double drawUniform(Mt19937 &generator, DType dtype, double from, double to) {
  if (dtype == DType::Float64) {
    uint64_t bits = generator.random64() & ((uint64_t(1) << 53) - 1);
    return std::fma(double(bits) * 0x1p-53, to - from, from);
  }
  float x = float(generator.random32() & ((1U << 24) - 1)) * 0x1p-24F;
  float value = std::fma(x, float(to) - float(from), float(from));
  // What rounds up to the open end of the interval becomes its start.
  auto rounded = [&](double v) { return scalarTensor(dtype, v).getDouble({}); };
  if (dtype != DType::Float32 && rounded(double(value)) == rounded(to))
    return from;
  return value;
}

/// normal_distribution<double>: pairs, the second sample kept for the next call.
static double drawNormal(Mt19937 &generator, double mean, double deviation) {
  if (std::optional<double> kept = std::exchange(generator.nextDoubleNormal, std::nullopt))
    return std::fma(*kept, deviation, mean);
  double u1 = drawUniform(generator, DType::Float64, 0, 1);
  double u2 = drawUniform(generator, DType::Float64, 0, 1);
  double radius = std::sqrt(-2 * std::log1p(-u2)), theta = 2 * std::numbers::pi * u1;
  generator.nextDoubleNormal = radius * std::sin(theta);
  return std::fma(radius * std::cos(theta), deviation, mean);
}

/// normal_fill: uniforms for all elements, then Box-Muller on blocks of 16; the last block is drawn
/// again if it is not whole.
template <typename T>
static Array<double> fillNormal(Mt19937 &generator, DType dtype, int64_t count, T mean,
                                T deviation) {
  Array<T> data(count);
  auto drawInto = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      data[i] = T(drawUniform(generator, dtype, 0, 1));
  };
  auto transform = [&](int64_t begin) {
    for (int64_t j = begin; j < begin + 8; ++j) {
      T u1 = 1 - data[j], u2 = data[j + 8];
      T radius = std::sqrt(-2 * std::log(u1)), theta = T(2 * std::numbers::pi) * u2;
      data[j] = std::fma(radius * std::cos(theta), deviation, mean);
      data[j + 8] = std::fma(radius * std::sin(theta), deviation, mean);
    }
  };
  drawInto(0, count);
  for (int64_t i = 0; i + 15 < count; i += 16)
    transform(i);
  if (count % 16) {
    drawInto(count - 16, count);
    transform(count - 16);
  }
  return Array<double>(data.begin(), data.end());
}

/// All elements of the result's storage, in order of memory: that is how eager's loops go.
static HostTensor inMemoryOrder(const HostTensor &out) {
  int64_t count = int64_t(out.storage()->size() / out.elementBytes());
  return out.view({count}, {1}, 0);
}

/// Raises for types that eager's kernel does not draw.
static bool isDrawn(EvalCall &call, llvm::StringRef kernel) {
  if (isComplex(call.out().dtype()))
    call.unsupported("complex random numbers");
  else if (!isFloat(call.out().dtype()))
    call.raise(PyErrorKind::NotImplementedError, "\"{0}\" not implemented for '{1}'", kernel,
               getDTypeInfo(call.out().dtype()).torchName);
  return !call.failed();
}

static void fillNormals(EvalCall &call, double mean, double deviation) {
  if (!isDrawn(call, "normal_kernel_cpu"))
    return;
  HostTensor flat = inMemoryOrder(call.out());
  Mt19937 &generator = *call.context.generator;
  DType dtype = flat.dtype();
  Array<double> values;
  bool isHalf = dtype == DType::Float16 || dtype == DType::BFloat16;
  if (isHalf && flat.numel() > 16 && flat.numel() % 16)
    return call.unsupported("normal numbers of 16 bits where the count is no multiple of 16");
  // The tensor that is filled in place, not the dense one of its numbers, decides.
  bool isFilled = call.op.id == OpId::normal_functional;
  if (flat.numel() >= 16 && (isFilled ? call.self() : call.out()).isContiguous()) {
    values = dtype == DType::Float64
                 ? fillNormal<double>(generator, dtype, flat.numel(), mean, deviation)
                 : fillNormal<float>(generator, DType::Float32, flat.numel(), float(mean),
                                     float(deviation));
  } else {
    for (int64_t i = 0; i < flat.numel(); ++i)
      values.push_back(drawNormal(generator, mean, deviation));
  }
  store<double>(values, flat);
}

static void fillUniforms(EvalCall &call, double from, double to) {
  if (!isDrawn(call, "check_uniform_bounds"))
    return;
  HostTensor flat = inMemoryOrder(call.out());
  Array<double> values;
  for (int64_t i = 0; i < flat.numel(); ++i)
    values.push_back(drawUniform(*call.context.generator, flat.dtype(), from, to));
  store<double>(values, flat);
}

/// Integers of [from, to) in the order of memory; without `to`, from `from` to all the type holds.
static void drawIntegers(EvalCall &call, int64_t from, std::optional<int64_t> to) {
  HostTensor flat = inMemoryOrder(call.out());
  RandomRange range = getRandomRange(flat.dtype(), from, to);
  Mt19937 &generator = *call.context.generator;
  Array<int64_t> values;
  bool isWide = range.count == 0 || range.count >= uint64_t(1) << 28;
  for (int64_t i = 0; i < flat.numel(); ++i) {
    uint64_t bits = isWide ? generator.random64() : generator.random32();
    values.push_back(int64_t((range.count ? bits % range.count : bits) + uint64_t(range.first)));
  }
  store<int64_t>(values, flat);
}

/// random_() of integers: as many bits as the type may need.
static void drawAll(EvalCall &call) {
  HostTensor flat = inMemoryOrder(call.out());
  DType dtype = flat.dtype();
  Mt19937 &generator = *call.context.generator;
  bool isWide = dtype == DType::Int64 || dtype == DType::Float64;
  Array<int64_t> values;
  for (int64_t i = 0; i < flat.numel(); ++i)
    values.push_back(int64_t((isWide ? generator.random64() : generator.random32()) %
                             (uint64_t(greatestExact(dtype)) + 1)));
  store<int64_t>(values, flat);
}

static void fillIntegers(EvalCall &call) {
  bool isRandom = call.op.baseName() == "random";
  llvm::StringRef first = isRandom ? "from" : "low", end = isRandom ? "to" : "high";
  if (!call.has(end))
    return drawAll(call);
  std::optional<int64_t> to;
  if (!call.arg(end).isNone())
    to = call.integer(end);
  drawIntegers(call, call.has(first) ? call.integer(first) : 0, to);
}

/// One double for each element.
template <typename Fn> static void fillEach(EvalCall &call, Fn draw) {
  HostTensor flat = inMemoryOrder(call.out());
  Array<double> values;
  for (int64_t i = 0; i < flat.numel(); ++i)
    values.push_back(draw(*call.context.generator));
  store<double>(values, flat);
}

static double drawExponential(Mt19937 &generator, double lambda) {
  return -1 / lambda * std::log1p(-drawUniform(generator, DType::Float64, 0, 1));
}

/// The other distributions of ATen/core/DistributionsHelper.h.
static void fillFromUniforms(EvalCall &call) {
  llvm::StringRef name = call.op.baseName();
  if (name == "exponential")
    return fillEach(call, [&](Mt19937 &g) { return drawExponential(g, call.real("lambd")); });
  if (name == "cauchy")
    return fillEach(call, [&](Mt19937 &g) {
      double u = drawUniform(g, DType::Float64, 0, 1);
      return std::fma(call.real("sigma"), std::tan(std::numbers::pi * (u - 0.5)),
                      call.real("median"));
    });
  if (name == "geometric") {
    // Narrow integers are those of 32 bits, where what does not fit is the least one.
    bool isNarrow = isInteger(call.out().dtype()) && call.out().dtype() != DType::Int64;
    return fillEach(call, [&](Mt19937 &g) {
      double u = drawUniform(g, DType::Float64, 0, 1);
      double count = std::ceil(std::log(u) / std::log1p(-call.real("p")));
      return isNarrow && count >= 0x1p31 ? -0x1p31 : count;
    });
  }
  fillEach(call, [&](Mt19937 &g) {
    return std::exp(drawNormal(g, call.real("mean"), call.real("std")));
  });
}

//===--- multinomial (native/Distributions.cpp, native/cpu/MultinomialKernel.cpp) -------------===//

/// Without replacement, or one sample: the greatest of p / q for exponential q.
static void sampleByExponentials(EvalCall &call, int64_t samples) {
  const HostTensor &self = call.self();
  Array<double> p = load<double>(self);
  int64_t categories = self.sizes().back(), rows = self.dim() > 1 ? self.sizes()[0] : 1;
  if (categories == 0)
    return call.raise(PyErrorKind::RuntimeError,
                      "aminmax(): cannot compute aminmax over an empty dimension as the operation "
                      "has no identity.");
  for (double x : p)
    if (!(x >= 0) || std::isinf(x))
      return call.raise(PyErrorKind::RuntimeError,
                        "probability tensor contains either `inf`, `nan` or element < 0");
  for (int64_t row = 0; row < rows; ++row)
    if (std::all_of(p.begin() + row * categories, p.begin() + (row + 1) * categories,
                    [](double x) { return x == 0; }))
      return call.raise(PyErrorKind::RuntimeError,
                        "invalid multinomial distribution (sum of probabilities <= 0)");
  HostTensor drawn = HostTensor::zerosStrided(self.dtype(), self.sizes(), self.strides());
  HostTensor flat = inMemoryOrder(drawn);
  Array<double> exponentials;
  for (int64_t i = 0; i < flat.numel(); ++i)
    exponentials.push_back(drawExponential(*call.context.generator, 1));
  store<double>(exponentials, flat);
  Array<double> q = load<double>(drawn);
  // The quotients are of the tensor's type.
  HostTensor quotients = HostTensor::zeros(self.dtype(), self.sizes());
  for (size_t i = 0; i < q.size(); ++i)
    q[i] = self.dtype() == DType::Float64 ? p[i] / q[i] : float(p[i]) / float(q[i]);
  store<double>(q, quotients);
  q = load<double>(quotients);
  Array<int64_t> chosen;
  std::vector<int64_t> order(static_cast<size_t>(categories));
  for (int64_t row = 0; row < rows; ++row) {
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      double x = q[row * categories + a], y = q[row * categories + b];
      return x != y ? x > y : a < b;
    });
    for (int64_t i = 0; i < samples; ++i)
      chosen.push_back(order[size_t(i)]);
  }
  store<int64_t>(chosen, call.out());
}

/// With replacement: the place of a uniform number in the cumulative sum, which is of type T.
template <typename T> static void sampleBySums(EvalCall &call, int64_t samples) {
  const HostTensor &self = call.self();
  Array<T> p = load<T>(self);
  int64_t categories = self.sizes().back(), rows = self.dim() > 1 ? self.sizes()[0] : 1;
  Array<int64_t> chosen;
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<T> sums;
    T sum = 0;
    for (int64_t i = 0; i < categories; ++i) {
      T x = p[row * categories + i];
      if (!(x >= 0))
        return call.raise(PyErrorKind::RuntimeError, "invalid multinomial distribution "
                                                     "(encountering probability entry < 0)");
      if (std::isinf(x))
        return call.raise(PyErrorKind::RuntimeError,
                          "invalid multinomial distribution (encountering probability entry = "
                          "infinity or NaN)");
      sums.push_back(sum += x);
    }
    if (!(sum > 0))
      return call.raise(PyErrorKind::RuntimeError,
                        "invalid multinomial distribution (sum of probabilities <= 0)");
    for (T &x : sums)
      x /= sum;
    sums.back() = 1;
    for (int64_t i = 0; i < samples; ++i) {
      double u = drawUniform(*call.context.generator, DType::Float64, 0, 1);
      chosen.push_back(std::lower_bound(sums.begin(), sums.end(), u,
                                        [](T x, double v) { return double(x) < v; }) -
                       sums.begin());
    }
  }
  store<int64_t>(chosen, call.out());
}

static void fillMultinomial(EvalCall &call) {
  int64_t samples = call.integer("num_samples");
  if (samples == 1 || !call.flag("replacement"))
    return sampleByExponentials(call, samples);
  if (call.self().dtype() == DType::Float64)
    return sampleBySums<double>(call, samples);
  sampleBySums<float>(call, samples);
}

static void fillPermutation(EvalCall &call) {
  HostTensor &out = call.out();
  int64_t count = out.numel();
  Array<int64_t> values(count);
  std::iota(values.begin(), values.end(), 0);
  for (int64_t i = 0; i + 1 < count; ++i)
    std::swap(values[i],
              values[i + int64_t(call.context.generator->random32() % uint64_t(count - i))]);
  store<int64_t>(values, out);
}

/// bernoulli_(p) draws doubles, in order of the memory of a tensor with `like`'s dense strides.
std::vector<double> ptc::aten::drawBernoulli(EvalCall &call, const HostTensor &like, double p) {
  HostTensor drawn = HostTensor::zerosStrided(DType::Float64, like.sizes(), like.strides());
  HostTensor flat = inMemoryOrder(drawn);
  for (int64_t i = 0; i < flat.numel(); ++i)
    flat.data<double>()[i] = drawUniform(*call.context.generator, DType::Float64, 0, 1) < p;
  return load<double>(drawn);
}

static void fillBernoulli(EvalCall &call) {
  if (call.has("p"))
    return store<double>(drawBernoulli(call, call.out(), call.real("p")), call.out());
  if (!isFloat(call.self().dtype()))
    return call.raise(PyErrorKind::NotImplementedError,
                      "\"bernoulli_tensor_cpu_p_\" not implemented for this type");
  Array<double> values;
  DType drawn = call.self().dtype() == DType::Float64 ? DType::Float64 : DType::Float32;
  for (double p : load<double>(call.self())) {
    if (!(p >= 0 && p <= 1))
      return call.raise(PyErrorKind::RuntimeError, "Expected p_in >= 0 && p_in <= 1 to be true");
    values.push_back(drawUniform(*call.context.generator, drawn, 0, 1) < p);
  }
  store<double>(values, call.out());
}

void ptc::aten::fillRandom(EvalCall &call) {
  if (call.context.philox)
    return fillByPhilox(call);
  llvm::StringRef name = call.op.baseName();
  const RandomRow *row = llvm::find_if(kRows, [&](const RandomRow &r) { return r.op == name; });
  assert(row != std::end(kRows) && "a row per random base name");
  if (row->fidelity == RandomFidelity::Refused)
    return call.unsupported(row->op.str() + ": " + row->how.str());
  if (name == "bernoulli")
    return fillBernoulli(call);
  if (name == "multinomial")
    return fillMultinomial(call);
  if (name == "uniform")
    return fillUniforms(call, call.real("from"), call.real("to"));
  if (name == "normal" || name == "normal_functional")
    return fillNormals(call, call.real("mean"), call.real("std"));
  if (llvm::is_contained({"exponential", "log_normal", "cauchy", "geometric"}, name))
    return fillFromUniforms(call);
  if (name == "random" || name.starts_with("randint"))
    return fillIntegers(call);
  if (name == "randperm")
    return fillPermutation(call);
  if (name.starts_with("randn"))
    return fillNormals(call, 0, 1);
  return fillUniforms(call, 0, 1);
}
