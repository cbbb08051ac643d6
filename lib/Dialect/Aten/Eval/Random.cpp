//===- Random.cpp - Random overloads
//------------------------------------------------------------===//
//
// In: the generator's state. Out: the numbers that eager's CPU kernels draw from it
// (ATen/native/cpu/DistributionTemplates.h, ATen/core/DistributionsHelper.h), in the order of
// memory, and the state after them.
//
//===----------------------------------------------------------------------===//
#include "RandomFill.h"

#include "Elements.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

using namespace ptc;
using namespace ptc::aten;

static constexpr RandomRow kRows[] = {
    {"bernoulli", RandomFidelity::Exact, "one uniform number per element, compared with p"},
    {"dropout", RandomFidelity::Exact, "bernoulli of 1 - p"},
    {"multinomial", RandomFidelity::Exact,
     "the least exponentials, or a search in the cumulative sum for each uniform double"},
    {"native_dropout", RandomFidelity::Exact, "bernoulli of 1 - p"},
    {"normal", RandomFidelity::Ulp, "as randn"},
    {"normal_functional", RandomFidelity::Ulp, "as randn"},
    {"rand", RandomFidelity::Exact, "as many bits as the significand has"},
    {"rand_like", RandomFidelity::Exact, "as rand"},
    {"randint", RandomFidelity::Exact, "remainder of 32 or 64 bits"},
    {"randint_like", RandomFidelity::Exact, "as randint"},
    {"randn", RandomFidelity::Ulp,
     "16 elements or more: Box-Muller on blocks of 16, vectorised log, sin and cos for float32"},
    {"randn_like", RandomFidelity::Ulp, "as randn"},
    {"randperm", RandomFidelity::Exact, "Fisher-Yates"},
    {"uniform", RandomFidelity::Exact, "as rand"},
};

llvm::ArrayRef<RandomRow> ptc::aten::getRandomRows() { return kRows; }

/// Bits of a float type's significand, the hidden one included.
static int digitsOf(DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return 11;
  case DType::BFloat16:
    return 8;
  case DType::Float64:
    return 53;
  default: // float32
    return 24;
  }
}

/// uniform_real_distribution: the low bits of a draw, scaled to [from, to). 16-bit floats are drawn
/// as float and rounded.
static double drawUniform(Mt19937 &generator, DType dtype, double from, double to) {
  if (dtype == DType::Float64) {
    uint64_t bits = generator.random64() & ((uint64_t(1) << 53) - 1);
    return double(bits) * 0x1p-53 * (to - from) + from;
  }
  float x = float(generator.random32() & ((1U << 24) - 1)) * 0x1p-24F;
  float value = x * (float(to) - float(from)) + float(from);
  // What rounds up to the open end of the interval becomes its start.
  if (dtype != DType::Float32 && scalarTensor(dtype, double(value)).getDouble({}) == to)
    return from;
  return value;
}

/// normal_distribution<double>: pairs, the second sample kept for the next call.
static double drawNormal(Mt19937 &generator, double mean, double deviation) {
  if (std::optional<double> kept = std::exchange(generator.nextDoubleNormal, std::nullopt))
    return *kept * deviation + mean;
  double u1 = drawUniform(generator, DType::Float64, 0, 1);
  double u2 = drawUniform(generator, DType::Float64, 0, 1);
  double radius = std::sqrt(-2 * std::log1p(-u2)), theta = 2 * std::numbers::pi * u1;
  generator.nextDoubleNormal = radius * std::sin(theta);
  return radius * std::cos(theta) * deviation + mean;
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
      data[j] = radius * std::cos(theta) * deviation + mean;
      data[j + 8] = radius * std::sin(theta) * deviation + mean;
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
  if (flat.numel() >= 16 && call.out().isContiguous()) {
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

/// Where `high - 1` rounds up to `high` in a float type, eager lowers the bound (update_to in
/// ATen/native/DistributionTemplates.h).
static int64_t highestFor(DType dtype, int64_t high) {
  if (!isFloat(dtype))
    return high;
  double last = scalarTensor(dtype, double(high - 1)).getDouble({});
  if (last < double(high))
    return high;
  int exponent = int(llvm::Log2_64(uint64_t(std::abs(high - 1))));
  return high - (int64_t(1) << (exponent - digitsOf(dtype) + 1));
}

/// Draws `count` integers of [low, low + range); 0 stands for 2 to the 64.
static Array<int64_t> drawIntegers(Mt19937 &generator, int64_t count, int64_t low, uint64_t range) {
  Array<int64_t> values;
  for (int64_t i = 0; i < count; ++i) {
    bool isWide = range == 0 || range >= uint64_t(1) << 28;
    uint64_t bits = isWide ? generator.random64() : generator.random32();
    values.push_back(int64_t((range ? bits % range : bits) + uint64_t(low)));
  }
  return values;
}

static double drawExponential(Mt19937 &generator, double lambda) {
  return -1 / lambda * std::log1p(-drawUniform(generator, DType::Float64, 0, 1));
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

static void fillIntegers(EvalCall &call) {
  HostTensor flat = inMemoryOrder(call.out());
  int64_t low = call.has("low") ? call.integer("low") : 0;
  int64_t high = highestFor(flat.dtype(), call.integer("high"));
  const DTypeInfo &info = getDTypeInfo(flat.dtype());
  int bits = info.bytes * 8 - (info.kind == DTypeKind::Signed);
  bool isBeyondInt = isInteger(info.dtype) && bits < 63 && high - 1 >= int64_t(1) << bits;
  if (isBeyondInt || (info.dtype == DType::Float16 && high - 1 > 65504))
    return call.raise(PyErrorKind::RuntimeError, "to - 1 is out of bounds for {0}", info.torchName);
  uint64_t range = uint64_t(high) - uint64_t(low);
  store<int64_t>(drawIntegers(*call.context.generator, flat.numel(), low, range), flat);
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
  if (name.starts_with("randint"))
    return fillIntegers(call);
  if (name == "randperm")
    return fillPermutation(call);
  if (name.starts_with("randn"))
    return fillNormals(call, 0, 1);
  return fillUniforms(call, 0, 1);
}
