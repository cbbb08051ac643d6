//===- Norm.cpp - Normalisations -------------------------------------------------------------===//
//
// In: a tensor, statistics or where to take them from, scale and shift. Out: the normalised tensor
// and what the overload returns of its statistics. All in double.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"
#include "PhiloxFill.h"
#include "RandomFill.h"

#include <cmath>
#include <limits>

using namespace ptc;
using namespace ptc::aten;

namespace {
struct Statistics {
  double mean = 0;
  double variance = 0;
};
} // namespace

/// `type`: what eager sums in.
template <typename At> static Statistics statisticsOf(int64_t count, DType type, At &&at) {
  Statistics s;
  for (int64_t i = 0; i < count; ++i)
    s.mean += at(i);
  s.mean = inRange(s.mean, type) / double(count);
  for (int64_t i = 0; i < count; ++i)
    s.variance += (at(i) - s.mean) * (at(i) - s.mean);
  s.variance = inRange(s.variance, type) / double(count);
  return s;
}

static Array<double> loadOptional(const HostTensor *tensor) {
  return tensor ? load<double>(*tensor) : Array<double>();
}

static void storeIf(EvalCall &call, size_t index, const Array<double> &values) {
  if (index < call.outs.size() && call.out(index).numel() == int64_t(values.size()))
    store<double>(values, call.out(index));
}

/// Normalises runs of `width` elements; `parameter(run, i)` is the index of scale and shift.
template <typename Parameter>
static void normalizeRuns(EvalCall &call, int64_t width, Parameter &&parameter) {
  Array<double> x = load<double>(call.self()), scale = loadOptional(call.optional("weight")),
                shift = loadOptional(call.optional("bias")), means, inverses;
  int64_t runs = width ? int64_t(x.size()) / width : 0;
  double eps = call.real("eps");
  for (int64_t r = 0; r < runs; ++r) {
    double *row = &x[r * width];
    Statistics s =
        statisticsOf(width, sumType(call.self().dtype()), [&](int64_t i) { return row[i]; });
    double inverse = 1 / std::sqrt(s.variance + eps);
    means.push_back(s.mean);
    inverses.push_back(inverse);
    for (int64_t i = 0; i < width; ++i) {
      int64_t k = parameter(r, i);
      row[i] = (row[i] - s.mean) * inverse * (scale.empty() ? 1 : scale[k]) +
               (shift.empty() ? 0 : shift[k]);
    }
  }
  store<double>(x, call.out());
  storeIf(call, 1, means);
  storeIf(call, 2, inverses);
}

/// Batch norm over [N, C, …]; `statistics` of channel c come from the batch or are given. Computed
/// as ((x - mean) * inverse) * scale + shift, as by eager of tensors that are not contiguous, and
/// on GPUs. Of contiguous ones on a CPU eager has x * a + (shift - mean * a) with
/// a = inverse * scale: near the largest number its own answers are finite, infinite or NaN by how
/// the tensor lies in memory.
static void batchNorm(EvalCall &call, const HostTensor &input, bool usesBatch) {
  Axis axis(input.sizes(), input.dim() > 1 ? 1 : 0);
  Array<double> x = load<double>(input), scale = loadOptional(call.optional("weight")),
                shift = loadOptional(call.optional("bias")),
                runningMean = loadOptional(call.optional("running_mean")),
                runningVar = loadOptional(call.optional("running_var")), means, inverses;
  double eps = call.real("eps"), momentum = call.real("momentum");
  int64_t count = axis.outer * axis.inner;
  for (int64_t c = 0; c < axis.size; ++c) {
    auto place = [&](int64_t i) { return axis.at(i / axis.inner, c, i % axis.inner); };
    Statistics s;
    if (usesBatch) {
      s = statisticsOf(count, sumType(input.dtype()), [&](int64_t i) { return x[place(i)]; });
      double unbiased = s.variance * double(count) / double(count - 1);
      if (!runningMean.empty())
        runningMean[c] = (1 - momentum) * runningMean[c] + momentum * s.mean;
      if (!runningVar.empty())
        runningVar[c] = (1 - momentum) * runningVar[c] + momentum * unbiased;
    } else {
      s = {runningMean[c], runningVar[c]};
    }
    double inverse = 1 / std::sqrt(s.variance + eps);
    means.push_back(s.mean);
    inverses.push_back(inverse);
    for (int64_t i = 0; i < count; ++i)
      x[place(i)] = (x[place(i)] - s.mean) * inverse * (scale.empty() ? 1 : scale[c]) +
                    (shift.empty() ? 0 : shift[c]);
  }
  store<double>(x, call.out());
  storeIf(call, 1, means);
  storeIf(call, 2, inverses);
  storeIf(call, 3, runningMean);
  storeIf(call, 4, runningVar);
  for (llvm::StringRef name : {"running_mean", "running_var"})
    if (const HostTensor *given = call.op.has(OpFlag::Mutates) ? call.optional(name) : nullptr) {
      HostTensor fresh = HostTensor::zeros(given->dtype(), given->sizes());
      store<double>(name == "running_mean" ? runningMean : runningVar, fresh);
      call.updated.push_back(fresh);
    }
}

namespace ptc::aten {

void evalLayerNorm(EvalCall &call) {
  int64_t width = product(call.ints("normalized_shape"));
  normalizeRuns(call, width, [](int64_t, int64_t i) { return i; });
}

void evalGroupNorm(EvalCall &call) {
  const HostTensor &self = call.self();
  int64_t groups = call.integer("num_groups"), channels = self.size(1);
  int64_t inner = product(self.sizes().drop_front(2));
  normalizeRuns(call, channels / groups * inner, [&](int64_t run, int64_t i) {
    return run % groups * (channels / groups) + i / inner;
  });
}

void evalNativeGroupNorm(EvalCall &call) {
  int64_t groups = call.integer("group"), channels = call.integer("C"), inner = call.integer("HxW");
  normalizeRuns(call, channels / groups * inner, [&](int64_t run, int64_t i) {
    return run % groups * (channels / groups) + i / inner;
  });
}

/// Without eps: that of the type that eager computes in.
void evalRmsNorm(EvalCall &call) {
  if (isComplex(call.self().dtype()))
    return call.unsupported("rms_norm of complex numbers");
  int64_t width = product(call.ints("normalized_shape"));
  bool isDouble = call.self().dtype() == DType::Float64;
  double eps = !call.arg("eps").isNone() ? call.real("eps")
               : isDouble                ? std::numeric_limits<double>::epsilon()
                                         : std::numeric_limits<float>::epsilon();
  Array<double> x = load<double>(call.self()), scale = loadOptional(call.optional("weight"));
  for (int64_t r = 0; r * width < int64_t(x.size()); ++r) {
    double *row = &x[r * width], sum = 0;
    for (int64_t i = 0; i < width; ++i)
      sum += isDouble ? row[i] * row[i] : double(float(row[i] * row[i]));
    if (!isDouble)
      sum = float(sum);
    double inverse = 1 / std::sqrt(sum / double(width) + eps);
    for (int64_t i = 0; i < width; ++i)
      row[i] *= inverse * (scale.empty() ? 1 : scale[i]);
  }
  store<double>(x, call.out());
}

/// batch_norm; instance_norm without running statistics is a group norm of one channel per group.
void evalBatchNorm(EvalCall &call) {
  const HostTensor &self = call.self();
  if (call.op.baseName() == "batch_norm")
    return batchNorm(call, self, call.flag("training"));
  if (!call.flag("use_input_stats"))
    return batchNorm(call, self, false);
  if (call.optional("running_mean") || call.optional("running_var"))
    return call.unsupported("instance_norm that updates running statistics");
  int64_t channels = self.size(1);
  normalizeRuns(call, product(self.sizes().drop_front(2)),
                [&](int64_t run, int64_t) { return run % channels; });
}

void evalNativeBatchNorm(EvalCall &call) {
  batchNorm(call, call.self(), call.has("training") && call.flag("training"));
}

/// The share of elements that dropout keeps, as eager divides by it.
static double dropoutShare(double p, DType computed, bool onGpu) {
  return onGpu ? scalarTensor(computed, p).getDouble({}) : p;
}

/// Kept elements are scaled by 1 / (1 - p).
void evalDropout(EvalCall &call) {
  const HostTensor &self = call.self();
  double p = call.real("p");
  bool isNative = call.outs.size() > 1;
  bool isTraining = call.arg("train").isNone() || call.flag("train");
  Array<double> kept(self.numel(), isTraining ? 0 : 1);
  bool onGpu = call.context.philox;
  if (isTraining && p < 1 && onGpu)
    kept = drawDropout(call, 1 - p);
  else if (isTraining && !onGpu && (isNative || p < 1))
    kept = drawBernoulli(call, call.out(), 1 - p);
  // Eager rounds the scale to the tensor's type before it multiplies, on a GPU to float.
  DType computed = onGpu && self.dtype() != DType::Float64 ? DType::Float32 : self.dtype();
  double factor = !isTraining ? 1 : p < 1 ? 1 / dropoutShare(1 - p, computed, onGpu) : 0;
  double scale = scalarTensor(computed, factor).getComplex({}).real();
  visitWide(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> x = load<T>(self);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] *= T(kept[i] * scale);
    if constexpr (std::is_same_v<T, double>)
      if (computed == DType::Float32) // rounded once more when it is stored
        std::transform(x.begin(), x.end(), x.begin(), [](double v) { return float(v); });
    store<T>(x, call.out());
  });
  if (isNative)
    store<double>(kept, call.out(1));
}

} // namespace ptc::aten
