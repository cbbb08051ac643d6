//===- Loss.cpp - Losses ----------------------------------------------------------===//
//
// In: predictions and targets. Out: one value per element, or their mean or sum (ATen's Reduction:
// 0 none, 1 mean, 2 sum).
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"

#include <cmath>
#include <limits>

using namespace ptc;
using namespace ptc::aten;

static Array<double> loadAs(const HostTensor *tensor, llvm::ArrayRef<int64_t> sizes) {
  return tensor ? load<double>(expandTo(*tensor, sizes)) : Array<double>();
}

/// The loss of one element, which eager may compute in several steps.
static double lossOf(EvalCall &call, double x, double y) {
  llvm::StringRef name = call.op.baseName();
  double distance = std::fabs(x - y);
  if (name == "mse_loss")
    return distance * distance;
  if (name == "l1_loss")
    return distance;
  if (name == "smooth_l1_loss") {
    double beta = call.real("beta");
    return distance < beta ? 0.5 * distance * distance / beta : distance - 0.5 * beta;
  }
  if (name == "huber_loss") {
    double delta = call.real("delta");
    return distance <= delta ? 0.5 * distance * distance : delta * (distance - 0.5 * delta);
  }
  if (name == "binary_cross_entropy") {
    if (!(x >= 0 && x <= 1))
      call.raise(PyErrorKind::RuntimeError, "all elements of input should be between 0 and 1");
    if (!(y >= 0 && y <= 1))
      call.raise(PyErrorKind::RuntimeError, "all elements of target should be between 0 and 1");
    return (y - 1) * std::max(std::log1p(-x), -100.0) - y * std::max(std::log(x), -100.0);
  }
  assert(name == "kl_div" && "a base name of the rule Loss");
  DType type = call.out().dtype();
  if (call.flag("log_target"))
    return std::exp(y) * inRange(y - x, type);
  // xlogy(y, y) - y * x: 0 times infinity is NaN, as is what is left of two infinities.
  return inRange(y == 0 ? 0 : y * std::log(y), type) - inRange(y * x, type);
}

static double crossEntropyWithLogits(double x, double y, double positiveWeight) {
  double factor = 1 + (positiveWeight - 1) * y;
  return (1 - y) * x + factor * (std::log1p(std::exp(-std::fabs(x))) + std::max(-x, 0.0));
}

/// `type`: what the losses are summed in before they are divided.
static void storeReduced(EvalCall &call, const Array<double> &losses, double weightSum,
                         DType type) {
  int64_t reduction = call.integer("reduction");
  if (reduction == 0)
    return store<double>(losses, call.out());
  double sum = 0;
  for (double loss : losses)
    sum += inRange(loss, call.out().dtype());
  sum = inRange(sum, type);
  store<double>({reduction == 1 ? sum / inRange(weightSum, type) : sum}, call.out());
}

namespace {

/// [N, C, …] scores and [N, …] classes.
struct Classes {
  Axis axis;
  Array<double> scores, weights;
  Array<int64_t> target;

  Classes(EvalCall &call, const HostTensor &self)
      : axis(self.sizes(), self.dim() > 1 ? 1 : 0), scores(load<double>(self)),
        target(load<int64_t>(call.tensor("target"))) {
    if (const HostTensor *given = call.optional("weight"))
      weights = load<double>(*given);
  }
  double weight(int64_t c) const { return weights.empty() ? 1 : weights[c]; }
};

} // namespace

/// Runs `loss(o, n, class, weight)` on each target that is not ignored; the others are zero.
template <typename Loss>
static void eachTarget(EvalCall &call, const Classes &classes, Array<double> &losses,
                       double &weightSum, Loss &&loss) {
  int64_t ignored = call.integer("ignore_index");
  const Axis &axis = classes.axis;
  for (size_t i = 0; i < classes.target.size(); ++i) {
    int64_t c = classes.target[i];
    losses.push_back(0);
    if (c == ignored)
      continue;
    if (c < 0 || c >= axis.size)
      return call.raise(PyErrorKind::IndexError, "Target {0} is out of bounds.", c);
    losses.back() = loss(int64_t(i) / axis.inner, int64_t(i) % axis.inner, c, classes.weight(c));
    weightSum += classes.weight(c);
  }
}

static void logSoftmaxClasses(Classes &classes) {
  const Axis &axis = classes.axis;
  for (int64_t o = 0; o < axis.outer; ++o)
    for (int64_t n = 0; n < axis.inner; ++n) {
      double most = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int64_t c = 0; c < axis.size; ++c)
        most = std::max(most, classes.scores[axis.at(o, c, n)]);
      for (int64_t c = 0; c < axis.size; ++c)
        sum += std::exp(classes.scores[axis.at(o, c, n)] - most);
      for (int64_t c = 0; c < axis.size; ++c)
        classes.scores[axis.at(o, c, n)] -= most + std::log(sum);
    }
}

namespace ptc::aten {

void evalLoss(EvalCall &call) {
  const HostTensor &self = call.self(), &target = call.tensor("target");
  if (isComplex(self.dtype()) || isComplex(target.dtype()))
    return call.unsupported("losses of complex numbers");
  Ints sizes(std::max(self.dim(), target.dim()), 1);
  for (const HostTensor &t : {self, target})
    for (int64_t d = 0; d < t.dim(); ++d)
      if (t.size(d) != 1)
        sizes[sizes.size() - t.dim() + d] = t.size(d);
  Array<double> x = loadAs(&self, sizes), y = loadAs(&target, sizes), losses,
                weight = loadAs(call.has("weight") ? call.optional("weight") : nullptr, sizes);
  bool isWithLogits = call.op.baseName() == "binary_cross_entropy_with_logits";
  Array<double> positive = loadAs(isWithLogits ? call.optional("pos_weight") : nullptr, sizes);
  for (size_t i = 0; i < x.size(); ++i) {
    double loss = isWithLogits
                      ? crossEntropyWithLogits(x[i], y[i], positive.empty() ? 1 : positive[i])
                      : lossOf(call, x[i], y[i]);
    losses.push_back(loss * (weight.empty() ? 1 : weight[i]));
  }
  if (!call.failed())
    storeReduced(call, losses, double(losses.size()), sumType(call.out().dtype()));
}

void evalNll(EvalCall &call) {
  Classes classes(call, call.self());
  Array<double> losses;
  double weightSum = 0;
  eachTarget(call, classes, losses, weightSum, [&](int64_t o, int64_t n, int64_t c, double weight) {
    return -weight * classes.scores[classes.axis.at(o, c, n)];
  });
  if (call.failed())
    return;
  storeReduced(call, losses, weightSum, call.out().dtype());
  if (call.outs.size() > 1 && (call.integer("reduction") != 0 || call.self().dim() == 1))
    store<double>({weightSum}, call.out(1));
}

/// Targets are classes, or probabilities of the input's shape.
void evalCrossEntropyLoss(EvalCall &call) {
  const HostTensor &self = call.self(), &target = call.tensor("target");
  double smoothing = call.real("label_smoothing");
  bool hasProbabilities = isFloat(target.dtype()) && target.sizes() == self.sizes();
  Classes classes(call, self);
  logSoftmaxClasses(classes);
  DType type = call.out().dtype(); // of each step
  for (double &score : classes.scores)
    score = inRange(score, type);
  const Axis &axis = classes.axis;
  Array<double> losses;
  double weightSum = 0;
  if (hasProbabilities) {
    Array<double> wanted = load<double>(target);
    for (int64_t o = 0; o < axis.outer; ++o)
      for (int64_t n = 0; n < axis.inner; ++n) {
        double loss = 0;
        for (int64_t c = 0; c < axis.size; ++c) {
          double p = wanted[axis.at(o, c, n)] * (1 - smoothing) + smoothing / double(axis.size);
          loss -= inRange(classes.weight(c) * p * classes.scores[axis.at(o, c, n)], type);
        }
        losses.push_back(loss);
      }
    // The mean of no scores is NaN, by however many targets.
    return storeReduced(call, losses, self.numel() == 0 ? 0 : double(losses.size()), type);
  }
  eachTarget(call, classes, losses, weightSum, [&](int64_t o, int64_t n, int64_t c, double weight) {
    double own = -weight * classes.scores[axis.at(o, c, n)], all = 0;
    if (smoothing == 0) // the other scores may be infinite
      return own;
    for (int64_t k = 0; k < axis.size; ++k)
      all -= classes.weight(k) * classes.scores[axis.at(o, k, n)];
    return (1 - smoothing) * own + smoothing / double(axis.size) * all;
  });
  if (!call.failed())
    storeReduced(call, losses, weightSum, type);
}
void evalCrossEntropy(EvalCall &call) { evalCrossEntropyLoss(call); }

} // namespace ptc::aten
