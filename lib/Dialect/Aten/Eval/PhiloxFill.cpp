//===- PhiloxFill.cpp - Random overloads as on a GPU -----------------------------------------===//
//
// In: the CUDA generator's state. Out: the numbers that eager's CUDA kernels draw from it
// (ATen/native/cuda/DistributionTemplates.h, Dropout.cu, Randperm.cu; curand_uniform.h,
// curand_normal.h), in the order of memory. Where these use approximations of the hardware, for
// float the logarithm, powers, sines and cosines, results differ in the last places.
//
//===----------------------------------------------------------------------===//
#include "PhiloxFill.h"

#include "Elements.h"
#include "ptc/Dialect/Aten/IR/RandomRange.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace ptc;
using namespace ptc::aten;

namespace {

/// Fills in the order of memory, by as many launches as eager needs to count bytes in 32 bits.
class Filler {
public:
  Filler(EvalCall &call, HostTensor out)
      : generator(*call.context.philox),
        flat(out.view({int64_t(out.storage()->size() / out.elementBytes())}, {1}, 0)) {}

  /// `draw` makes an element of its block of words and its place among the `perBlock` of it.
  template <typename T, typename Fn> void fill(int64_t perBlock, Fn draw) {
    Array<T> values(flat.numel());
    launch(0, flat.numel(), perBlock, [&](const PhiloxDraw &launch, int64_t begin, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        auto [words, component] = launch.at(i);
        values[begin + i] = draw(words, component);
      }
    });
    store<T>(values, flat);
  }

private:
  template <typename Fn> void launch(int64_t begin, int64_t count, int64_t perBlock, Fn run) {
    if (count == 0)
      return;
    PhiloxDraw whole(generator, count, perBlock);
    if ((count - 1) * int64_t(flat.elementBytes()) < std::numeric_limits<int32_t>::max())
      return run(whole, begin, count);
    pieces(begin, count, perBlock, run); // what `whole` took is lost, as in eager
  }
  template <typename Fn> void pieces(int64_t begin, int64_t count, int64_t perBlock, Fn run) {
    if ((count - 1) * int64_t(flat.elementBytes()) < std::numeric_limits<int32_t>::max())
      return launch(begin, count, perBlock, run);
    pieces(begin, count / 2, perBlock, run);
    pieces(begin + count / 2, count - count / 2, perBlock, run);
  }

  Philox &generator;
  HostTensor flat;
};

} // namespace

//===----------------------------------------------------------------------===//
// Numbers of words
//===----------------------------------------------------------------------===//

/// 64 bits, the first word above the second.
static uint64_t wide(const PhiloxBlock &words, unsigned component) {
  return uint64_t(words[2 * component]) << 32 | words[2 * component + 1];
}

static uint64_t mixed(uint32_t low, uint32_t high) { return low ^ uint64_t(high) << 21; }

/// curand_uniform4 and curand_uniform2_double: in (0, 1].
template <typename T> static T uniform(const PhiloxBlock &words, unsigned component) {
  if constexpr (std::is_same_v<T, float>)
    return std::fma(float(words[component]), 0x1p-32F, 0x1p-33F);
  else
    return std::fma(double(mixed(words[2 * component], words[2 * component + 1])), 0x1p-53,
                    0x1p-54);
}

/// curand_normal4 and curand_normal2_double: Box-Muller of two neighbours.
template <typename T> static T normal(const PhiloxBlock &words, unsigned component) {
  if constexpr (std::is_same_v<T, float>) {
    unsigned pair = component & ~1U;
    float radius = std::sqrt(-2 * std::log(uniform<float>(words, pair)));
    constexpr float kStep = 0x1p-32F * 6.2831855F;
    float angle = std::fma(float(words[pair + 1]), kStep, kStep / 2);
    return (component & 1 ? std::cos(angle) : std::sin(angle)) * radius;
  } else {
    double radius = std::sqrt(-2 * std::log(uniform<double>(words, 0)));
    double angle = std::fma(double(mixed(words[2], words[3])), 0x1p-52, 0x1p-53); // of pi
    // Within a quarter turn of 0, where sines of multiples of pi are exact enough.
    double quarters = std::round(2 * angle), rest = (angle - quarters / 2) * std::numbers::pi;
    double sine = std::sin(rest), cosine = std::cos(rest);
    switch (int(quarters) & 3) {
    case 0:
      return (component ? cosine : sine) * radius;
    case 1:
      return (component ? -sine : cosine) * radius;
    case 2:
      return (component ? -cosine : -sine) * radius;
    default:
      return (component ? sine : -cosine) * radius;
    }
  }
}

/// Results are computed in double for double, else in float: four of a block, or two.
template <typename Fn> static void fillReals(EvalCall &call, Fn fn) {
  Filler filler(call, call.out());
  if (call.out().dtype() == DType::Float64)
    filler.fill<double>(2, [&](const PhiloxBlock &words, unsigned component) -> double {
      return fn(double(), words, component);
    });
  else
    filler.fill<double>(4, [&](const PhiloxBlock &words, unsigned component) -> double {
      return fn(float(), words, component);
    });
}

/// Raises for types that eager's kernel does not draw.
static bool isDrawn(EvalCall &call, llvm::StringRef kernel) {
  DType dtype = call.out().dtype();
  if (isComplex(dtype))
    call.unsupported("complex random numbers");
  else if (!isFloat(dtype))
    call.raise(PyErrorKind::NotImplementedError, "\"{0}\" not implemented for '{1}'", kernel,
               getDTypeInfo(dtype).torchName);
  return !call.failed();
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

static void fillUniforms(EvalCall &call, double from, double to) {
  if (!isDrawn(call, "uniform_kernel_cuda"))
    return;
  DType dtype = call.out().dtype();
  auto rounded = [&](double v) { return scalarTensor(dtype, v).getDouble({}); };
  double first = rounded(from), end = rounded(to);
  double range = rounded(dtype == DType::Float64 ? end - first : float(end) - float(first));
  fillReals(call, [&](auto tag, const PhiloxBlock &words, unsigned component) {
    using T = decltype(tag);
    double value = rounded(std::fma(uniform<T>(words, component), T(range), T(first)));
    return value == end ? first : value; // the open end is the other one
  });
}

static void fillNormals(EvalCall &call, double mean, double deviation, bool ofLogarithms = false) {
  if (!isDrawn(call, "normal_kernel_cuda"))
    return;
  fillReals(call, [&](auto tag, const PhiloxBlock &words, unsigned component) {
    using T = decltype(tag);
    T value = std::fma(normal<T>(words, component), T(deviation), T(mean));
    return ofLogarithms ? std::exp(value) : value;
  });
}

static void fillExponentials(EvalCall &call) {
  if (!isDrawn(call, "exponential_cuda"))
    return;
  double lambda = call.real("lambd");
  fillReals(call, [&](auto tag, const PhiloxBlock &words, unsigned component) {
    using T = decltype(tag);
    constexpr T kHalf = std::numeric_limits<T>::epsilon() / 2;
    T u = uniform<T>(words, component);
    return T(-1) / T(lambda) * (u >= 1 - kHalf ? -kHalf : std::log(u));
  });
}

static void fillCauchys(EvalCall &call) {
  if (!isDrawn(call, "cauchy_cuda"))
    return;
  double median = call.real("median"), sigma = call.real("sigma");
  fillReals(call, [&](auto tag, const PhiloxBlock &words, unsigned component) {
    using T = decltype(tag);
    T u = uniform<T>(words, component);
    if constexpr (std::is_same_v<T, float>) {
      constexpr float kLeast = std::numeric_limits<float>::epsilon();
      u = std::clamp(u, kLeast, 1 - kLeast);
    }
    T tangent = std::tan(std::numbers::pi_v<T> * (u - T(0.5)));
    return std::fma(tangent, T(sigma), T(median));
  });
}

/// As the hardware converts: what does not fit is the nearest that does, of 32 bits for narrow
/// types.
static double toInteger(DType dtype, double value) {
  if (!isInteger(dtype))
    return value;
  if (dtype == DType::Int64)
    return value;
  if (dtype == DType::UInt8)
    return std::fmod(std::clamp(value, 0.0, 0x1p32 - 1), 256);
  return std::clamp(value, -0x1p31, 0x1p31 - 1);
}

static void fillGeometrics(EvalCall &call) {
  DType dtype = call.out().dtype();
  double p = call.real("p");
  fillReals(call, [&](auto tag, const PhiloxBlock &words, unsigned component) {
    using T = decltype(tag);
    T u = std::log(uniform<T>(words, component));
    T step = std::is_same_v<T, float> ? std::log(1 - T(p)) : std::log1p(-T(p));
    return toInteger(dtype, double(std::ceil(u / step)));
  });
}

static void fillBernoullis(EvalCall &call) {
  if (!call.has("p"))
    return call.unsupported("probabilities in a tensor: eager's numbers on a GPU");
  if (isComplex(call.out().dtype()))
    return call.unsupported("complex random numbers");
  double p = call.real("p");
  fillReals(call, [&](auto tag, const PhiloxBlock &words, unsigned component) {
    using T = decltype(tag);
    return uniform<T>(words, component) < T(p) ? 1 : 0;
  });
}

/// The low words, or pairs of words, modulo `range`; 0: all of 64 bits.
static void fillModulo(EvalCall &call, bool isWide, uint64_t range, int64_t first) {
  if (isComplex(call.out().dtype()))
    return call.unsupported("complex random numbers");
  Filler(call, call.out())
      .fill<int64_t>(isWide ? 2 : 4, [&](const PhiloxBlock &words, unsigned component) {
        uint64_t bits = isWide ? wide(words, component) : words[component];
        return int64_t((range ? bits % range : bits) + uint64_t(first));
      });
}

static void fillIntegers(EvalCall &call) {
  bool isRandom = call.op.baseName() == "random";
  llvm::StringRef first = isRandom ? "from" : "low", end = isRandom ? "to" : "high";
  DType dtype = call.out().dtype();
  if (!call.has(end))
    return fillModulo(call, dtype == DType::Int64 || dtype == DType::Float64,
                      uint64_t(greatestExact(dtype)) + 1, 0);
  std::optional<int64_t> to;
  if (!call.arg(end).isNone())
    to = call.integer(end);
  RandomRange range = getRandomRange(dtype, call.has(first) ? call.integer(first) : 0, to);
  fillModulo(call, range.count == 0 || range.count >= uint64_t(1) << 28, range.count, range.first);
}

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

/// Places with the same key, which follow each other from `begin` on: Fisher and Yates, by a stream
/// of their own.
static void shuffleIsland(const Philox &generator, Array<int64_t> &order, int64_t begin,
                          int64_t size) {
  PhiloxBlock words{};
  unsigned used = 0;
  for (int64_t i = size - 1; i > 0; --i, ++used) {
    if (used % 4 == 0)
      words = generator.block(uint64_t(begin), used / 4);
    auto other = int64_t(words[used % 4] % uint32_t(i + 1));
    std::swap(order[begin + i], order[begin + other]);
  }
}

/// Numbers in the order of random keys, of as many bits as seldom give the same key twice.
static void fillPermutation(EvalCall &call) {
  int64_t count = call.out().numel();
  if (count == 0)
    return;
  auto n = double(count);
  double most = std::ceil(std::log2(n - (6 * n * n + 1) / (std::log(0.9) * 12)));
  if (most > 63)
    return call.unsupported("permutations of more than 2^31 numbers");
  uint64_t mask = (uint64_t(1) << unsigned(most)) - 1;
  bool isNarrow = most <= 32;
  Array<uint64_t> keys(count);
  Philox &generator = *call.context.philox;
  PhiloxDraw draw(generator, count, 2);
  for (int64_t i = 0; i < count; ++i) {
    auto [words, component] = draw.at(i);
    uint64_t bits = wide(words, component);
    // random_(lowest, greatest): the greatest is left out. Keys of 32 bits are sorted with their
    // sign.
    keys[i] = isNarrow ? bits % UINT32_MAX + 0x80000000U : bits % UINT64_MAX + (uint64_t(1) << 63);
    keys[i] = (most == 32 ? keys[i] ^ 0x80000000U : keys[i]) & mask;
  }
  Array<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int64_t a, int64_t b) { return std::pair(keys[a], a) < std::pair(keys[b], b); });
  Array<uint64_t> sorted(count);
  for (int64_t i = 0; i < count; ++i)
    sorted[i] = keys[order[i]];
  for (int64_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && sorted[end] == sorted[begin])
      ++end;
    shuffleIsland(generator, order, begin, end - begin);
  }
  generator.offset += 4 * ((uint64_t(count) + 3) / 4);
  store<int64_t>(order, call.out());
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

static bool isDense(const HostTensor &tensor) {
  llvm::SmallVector<std::pair<int64_t, int64_t>, 6> dims;
  for (int64_t d = 0; d < tensor.dim(); ++d)
    if (tensor.size(d) != 1)
      dims.emplace_back(tensor.stride(d), tensor.size(d));
  llvm::sort(dims);
  int64_t dense = 1;
  for (auto [stride, size] : dims) {
    if (stride != dense)
      return false;
    dense *= size;
  }
  return true;
}

/// How many neighbours a thread takes at a time: as wide as memory begins, without a rest.
static int64_t dropoutWidth(const HostTensor &self) {
  if (!isDense(self))
    return 1;
  auto bytes = int64_t(self.elementBytes());
  int64_t width = 16 / bytes;
  while (width > 1 && (self.storageOffset() % width || self.numel() % width))
    width /= 2;
  return width;
}

std::vector<double> ptc::aten::drawDropout(EvalCall &call, double p) {
  const HostTensor &self = call.self();
  PhiloxDraw draw(*call.context.philox, self.numel(), 4);
  int64_t width = dropoutWidth(self);
  bool isDouble = self.dtype() == DType::Float64;
  auto isKept = [&](PhiloxDraw::Place place) {
    float u = uniform<float>(place.words, place.component);
    return isDouble ? double(u) < p : u < float(p);
  };
  std::vector<double> kept;
  if (width == 1) { // in row-major order
    for (int64_t i = 0; i < self.numel(); ++i)
      kept.push_back(isKept(draw.at(i)));
    return kept;
  }
  HostTensor mask = HostTensor::zerosStrided(DType::Float64, self.sizes(), self.strides());
  for (int64_t i = 0; i < self.numel(); ++i)
    mask.data<double>()[i] = isKept(draw.atVector(i, width));
  return load<double>(mask);
}

void ptc::aten::fillByPhilox(EvalCall &call) {
  llvm::StringRef name = call.op.baseName();
  if (name == "bernoulli")
    return fillBernoullis(call);
  if (name == "uniform")
    return fillUniforms(call, call.real("from"), call.real("to"));
  if (name == "normal" || name == "normal_functional" || name == "log_normal")
    return fillNormals(call, call.real("mean"), call.real("std"), name == "log_normal");
  if (name == "exponential")
    return fillExponentials(call);
  if (name == "cauchy")
    return fillCauchys(call);
  if (name == "geometric")
    return fillGeometrics(call);
  if (name == "random" || name.starts_with("randint"))
    return fillIntegers(call);
  if (name == "randperm")
    return fillPermutation(call);
  if (name.starts_with("randn"))
    return fillNormals(call, 0, 1);
  if (name.starts_with("rand"))
    return fillUniforms(call, 0, 1);
  call.unsupported(name.str() + ": eager's numbers on a GPU");
}
