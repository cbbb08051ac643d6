//===- Loss.cpp - Losses as kernels ---------------------------------------------------------===//
//
// In: predictions and targets. Out: a kernel with one value per target, or their mean or sum.
// Classes out of range raise what eager raises by a check in front; the kernel itself reads inside
// its tensors whatever the classes are.
//
//===----------------------------------------------------------------------===//
#include "Indices.h"
#include "Rows.h"

using namespace mlir;
using namespace ptc;

using R = ElementBuilder::Relation;

static constexpr DType kClass = DType::Int64;

/// ATen's Reduction.
enum Reduction : uint8_t { None, Mean, Sum };

static Tensor totalOf(KernelBuilder &k, Tensor of) {
  DType t = of.dtype;
  return k.reduce(of, Mask(size_t(of.rank()), true), t, k.top().real(t, 0),
                  [&](ElementBuilder &e, ValueRange x) { return e.add(t, x[1], x[0]); });
}

/// How many elements there are, as a tensor of their type.
static Tensor countOf(KernelBuilder &k, Tensor of) {
  return k.fill({}, of.dtype, k.countOf(of, Mask(size_t(of.rank()), true), of.dtype));
}

/// As eager keeps it between two steps, in the type of the result.
static Tensor kept(KernelBuilder &k, Tensor of) {
  return k.convert(k.convert(of, k.resultDType()), of.dtype);
}

/// All losses, their sum, or that over the sum of weights. `inSteps`: eager rounds the sums.
static Tensor reduceLosses(KernelBuilder &k, Tensor losses, int64_t reduction, Tensor weightSum,
                           bool inSteps) {
  if (reduction == None)
    return losses;
  DType t = losses.dtype;
  Tensor sum = totalOf(k, losses);
  if (inSteps && reduction == Mean) {
    sum = kept(k, sum);
    weightSum = kept(k, weightSum);
  }
  if (reduction == Sum)
    return sum;
  SmallVector<Access> both{{sum, k.identity(0)}, {weightSum, k.identity(0)}};
  return k.map(both, {}, t, [&](ElementBuilder &e, ValueRange x) { return e.div(t, x[0], x[1]); });
}

namespace {

/// Scores [N, C, …] or [C], and a target for each place but the dimension of classes.
class ClassLoss {
public:
  ClassLoss(KernelBuilder &k, Tensor scores, DType t, int64_t reduction)
      : k(k), scores(scores), target(k.tensor("target")), weight(k.tensor("weight")), t(t),
        reduction(reduction), dim(scores.rank() > 1 ? 1 : 0),
        isClass(size_t(scores.rank()), false) {
    isClass[size_t(dim)] = true;
    if (weight)
      weight = k.flat(weight);
  }

  bool isComplete() const { return bool(target) && (k.isNone("weight") || weight); }

  /// Of targets that are classes; those that are `ignored` count for nothing. `smoothing`: the part
  /// that goes to all classes alike; null: none.
  LogicalResult ofClasses(Value ignored, Value smoothing) {
    Tensor spread = smoothing ? spreadOver(smoothing) : Tensor();
    Sizes sizes = k.sizesOf(target);
    Value count = k.toValue(k.sizeOf(scores, dim));
    auto isCounted = [&](ElementBuilder &e, Value given) {
      return e.compare(kClass, R::NE, e.convert(given, target.dtype, kClass), ignored);
    };
    auto place = [&](ElementBuilder &e, Value given) {
      return e.clampIndex(e.toIndex(e.convert(given, target.dtype, kClass)), count);
    };
    AffineMap same = k.identity(target.rank());
    SmallVector<Access> ins{{target, same}};
    if (spread)
      ins.push_back({spread, same});
    Tensor losses = k.map(ins, sizes, t, [&](ElementBuilder &e, ValueRange x) {
      SmallVector<Value> from;
      for (int64_t d = 0, loop = 0; d < scores.rank(); ++d)
        from.push_back(d == dim ? place(e, x[0]) : e.make<linalg::IndexOp>(uint64_t(loop++)));
      Value loss = e.neg(t, e.make<tensor::ExtractOp>(scores.value, from));
      if (weight)
        loss = e.mul(t, weightAt(e, from[size_t(dim)]), loss);
      if (spread)
        loss = e.add(t, e.mul(t, e.sub(t, e.real(t, 1), smoothing), loss), x[1]);
      return e.select(isCounted(e, x[0]), loss, e.real(t, 0));
    });
    Tensor weights = k.map(Access{target, same}, sizes, t, [&](ElementBuilder &e, ValueRange x) {
      Value one = weight ? weightAt(e, place(e, x[0])) : e.real(t, 1);
      return e.select(isCounted(e, x[0]), one, e.real(t, 0));
    });
    return finish(losses, weights);
  }

  /// Of targets that are probabilities, as large as the scores.
  LogicalResult ofProbabilities(Value smoothing) {
    SmallVector<Access> ins{{scores, k.identity(scores.rank())},
                            {target, k.identity(scores.rank())}};
    appendWeight(ins);
    Value most = smoothing ? k.top().sub(t, k.top().real(t, 1), smoothing) : Value();
    Value share = smoothing ? shareOf(smoothing) : Value();
    Tensor losses = k.reduceOver(ins, k.sizesOf(scores), isClass, t, k.top().real(t, 0),
                                 [&](ElementBuilder &e, ValueRange x) {
                                   Value p = e.convert(x[1], target.dtype, t);
                                   if (smoothing)
                                     p = e.add(t, e.mul(t, p, most), share);
                                   Value loss = e.mul(t, weighted(e, x, 2, p), x[0]);
                                   return e.sub(t, x.back(), loss);
                                 });
    return finish(losses, {});
  }

  /// Raises for the first class that is none.
  void checkClasses() {
    KernelBuilder check(k.op, k.rewriter);
    Value ignored = check.number(check.arg("ignore_index"), kClass);
    Value limit = check.top().fromIndex(check.toValue(check.sizeOf(check.self(), dim)));
    raiseForFirst(
        check, check.tensor("target"), {},
        [&](ElementBuilder &e, Value c) {
          Value isOut = e.either(e.compare(kClass, R::LT, c, e.integer(kClass, 0)),
                                 e.compare(kClass, R::GE, c, limit));
          return e.both(isOut, e.compare(kClass, R::NE, c, ignored));
        },
        "IndexError", "Target {0} is out of bounds.");
  }

private:
  Value weightAt(ElementBuilder &e, Value place) {
    return e.convert(e.make<tensor::ExtractOp>(weight.value, place), weight.dtype, t);
  }
  void appendWeight(SmallVectorImpl<Access> &ins) {
    if (weight)
      ins.push_back({weight, k.mapOf(scores.rank(), k.at(dim))});
  }
  /// `v` times the weight, if there is one, which is element `i`.
  Value weighted(ElementBuilder &e, ValueRange x, size_t i, Value v) {
    return weight ? e.mul(t, e.convert(x[i], weight.dtype, t), v) : v;
  }
  /// What each class gets of the part that is spread.
  Value shareOf(Value smoothing) {
    return k.top().div(t, smoothing, k.countOf(scores, isClass, t));
  }
  /// The loss by the part that goes to all classes.
  Tensor spreadOver(Value smoothing) {
    SmallVector<Access> ins{{scores, k.identity(scores.rank())}};
    appendWeight(ins);
    Value share = shareOf(smoothing);
    Tensor sum = k.reduceOver(ins, k.sizesOf(scores), isClass, t, k.top().real(t, 0),
                              [&](ElementBuilder &e, ValueRange x) {
                                return e.sub(t, x.back(), weighted(e, x, 1, x[0]));
                              });
    return k.map(Access{sum, k.identity(sum.rank())}, k.sizesOf(sum), t,
                 [&](ElementBuilder &e, ValueRange x) { return e.mul(t, share, x[0]); });
  }

  /// How many targets there are; none where there are no classes: the mean of no scores is NaN.
  Tensor countOfTargets(Tensor losses) {
    Value none = k.top().real(t, 0), classes = k.countOf(scores, isClass, t);
    Value count = k.countOf(losses, Mask(size_t(losses.rank()), true), t);
    return k.fill({}, t, k.top().select(k.top().compare(t, R::NE, classes, none), count, none));
  }

  /// `weights`: what each target counts for; false: 1.
  LogicalResult finish(Tensor losses, Tensor weights) {
    bool givesSum = k.op->getNumResults() > 1 && (reduction != None || scores.rank() == 1);
    Tensor weightSum;
    if (givesSum || reduction == Mean)
      weightSum = weights ? totalOf(k, weights) : countOfTargets(losses);
    SmallVector<Tensor, 2> results{reduceLosses(k, losses, reduction, weightSum, /*inSteps=*/true)};
    // Eager leaves the sum of weights at 0 where each target keeps its loss.
    if (k.op->getNumResults() > 1)
      results.push_back(givesSum ? weightSum : k.fill({}, t, k.top().real(t, 0)));
    for (auto [i, result] : llvm::enumerate(results))
      result = k.convert(result, k.resultDType(unsigned(i)));
    bool sums = target.rank() > 0 && (givesSum || reduction != None);
    bool reduces = sums || k.info().shapeRule != aten::ShapeRule::Nll;
    return k.finish(reduces ? plan::Family::Rows : plan::Family::Gather, results);
  }

  KernelBuilder &k;
  Tensor scores, target, weight;
  DType t;
  int64_t reduction, dim;
  Mask isClass;
};

} // namespace

static LogicalResult convertNll(KernelBuilder &k) {
  Tensor x = k.self();
  std::optional<int64_t> reduction = k.arg("reduction").getInt();
  if (!x || x.rank() == 0 || !reduction)
    return k.refuseComplexOr("a reduction known only at run time");
  DType t = computeType(k.resultDType());
  ClassLoss loss(k, k.convert(x, t), t, *reduction);
  Value ignored = k.number(k.arg("ignore_index"), kClass);
  if (!loss.isComplete() || !ignored)
    return k.refuse("complex numbers");
  loss.checkClasses();
  return loss.ofClasses(ignored, {});
}

static LogicalResult convertCrossEntropy(KernelBuilder &k) {
  Tensor x = k.self(), target = k.tensor("target");
  std::optional<int64_t> reduction = k.arg("reduction").getInt();
  if (!x || !target || x.rank() == 0 || !reduction)
    return k.refuseComplexOr("a reduction known only at run time");
  DType t = computeType(k.resultDType());
  Tensor scores = kept(k, softmaxOf(k, k.convert(x, t), x.rank() > 1 ? 1 : 0, /*isLog=*/true));
  ClassLoss loss(k, scores, t, *reduction);
  Value ignored = k.number(k.arg("ignore_index"), kClass);
  bool isSmooth = k.arg("label_smoothing").getFloat() != 0.0;
  Value smoothing = isSmooth ? k.number(k.arg("label_smoothing"), t) : Value();
  if (!loss.isComplete() || !ignored || (isSmooth && !smoothing))
    return k.refuse("complex numbers");
  if (isFloat(target.dtype) && target.rank() == x.rank())
    return loss.ofProbabilities(smoothing);
  loss.checkClasses();
  return loss.ofClasses(ignored, smoothing);
}

//===----------------------------------------------------------------------===//
// Losses of elements
//===----------------------------------------------------------------------===//

namespace {

/// A loss of elements, by the base name of its overload.
class ElementLoss {
public:
  ElementLoss(KernelBuilder &k, DType t)
      : k(k), t(t), result(k.resultDType()), name(k.info().baseName()) {}

  /// False if a parameter is known only at run time.
  bool readParameters() {
    for (StringRef parameter : {"beta", "delta"})
      if (k.has(parameter))
        limit = k.number(k.arg(parameter), t);
    if (!k.has("log_target"))
      return true;
    std::optional<bool> given = k.flag("log_target");
    isLogTarget = given.value_or(false);
    return given.has_value();
  }

  Value of(ElementBuilder &e, Value x, Value y, Value positive) {
    if (name == "binary_cross_entropy")
      return crossEntropy(e, x, y);
    if (name == "binary_cross_entropy_with_logits")
      return crossEntropyOfLogits(e, x, y, positive);
    if (name == "kl_div")
      return divergence(e, x, y);
    Value distance = e.make<math::AbsFOp>(e.sub(t, x, y));
    if (name == "l1_loss")
      return distance;
    Value square = e.mul(t, distance, distance), half = e.real(t, 0.5);
    if (name == "mse_loss")
      return square;
    Value halfSquare = e.mul(t, half, square), halfLimit = e.mul(t, half, limit);
    if (name == "smooth_l1_loss")
      return e.select(e.compare(t, R::LT, distance, limit), e.div(t, halfSquare, limit),
                      e.sub(t, distance, halfLimit));
    assert(name == "huber_loss" && "a base name of the rule Loss");
    return e.select(e.compare(t, R::LE, distance, limit), halfSquare,
                    e.mul(t, limit, e.sub(t, distance, halfLimit)));
  }

private:
  /// -(y log(x) + (1 - y) log(1 - x)), logarithms no lower than -100.
  Value crossEntropy(ElementBuilder &e, Value x, Value y) {
    Value least = e.real(t, -100);
    Value no = e.maximum(t, e.make<math::Log1pOp>(e.neg(t, x)), least);
    Value yes = e.maximum(t, e.make<math::LogOp>(x), least);
    return e.sub(t, e.mul(t, e.sub(t, y, e.real(t, 1)), no), e.mul(t, y, yes));
  }

  /// (1 - y) x + (1 + (p - 1) y) (log(1 + e^-|x|) + max(-x, 0)); p: null for 1.
  Value crossEntropyOfLogits(ElementBuilder &e, Value x, Value y, Value positive) {
    Value one = e.real(t, 1), power = e.make<math::ExpOp>(e.neg(t, e.make<math::AbsFOp>(x)));
    Value soft = e.add(t, e.make<math::Log1pOp>(power), e.maximum(t, e.neg(t, x), e.real(t, 0)));
    if (positive)
      soft = e.mul(t, e.add(t, one, e.mul(t, e.sub(t, positive, one), y)), soft);
    return e.add(t, e.mul(t, e.sub(t, one, y), x), soft);
  }

  /// y (log(y) - x); e^y (y - x) where y is a logarithm.
  Value divergence(ElementBuilder &e, Value x, Value y) {
    if (isLogTarget)
      return e.mul(t, kept(e, e.make<math::ExpOp>(y)), kept(e, e.sub(t, y, x)));
    Value own = e.mul(t, y, e.make<math::LogOp>(y)); // 0 for a target of 0, also times infinity
    own = e.select(e.notZero(t, y), own, e.real(t, 0));
    return e.sub(t, kept(e, own), kept(e, e.mul(t, y, x)));
  }

  /// As eager keeps it between two steps.
  Value kept(ElementBuilder &e, Value v) { return e.convert(e.convert(v, t, result), result, t); }

  KernelBuilder &k;
  DType t, result;
  StringRef name;
  Value limit;
  bool isLogTarget = false;
};

} // namespace

/// Raises for what is no probability: for the first element with one, its input before its target.
static void checkProbabilities(KernelBuilder &k, int64_t which, StringRef text) {
  KernelBuilder check(k.op, k.rewriter);
  Tensor x = check.self(), y = check.tensor("target");
  auto isProbability = [](ElementBuilder &e, Tensor of, Value v) {
    return e.both(e.compare(of.dtype, R::GE, v, e.real(of.dtype, 0)),
                  e.compare(of.dtype, R::LE, v, e.real(of.dtype, 1)));
  };
  SmallVector<Access> ins{{x, check.identity(x.rank())}, {y, check.identity(y.rank())}};
  Value none = check.top().integer(kClass, 0);
  Tensor first =
      check.reduceOver(ins, check.sizesOf(x), Mask(size_t(x.rank()), true), kClass, none,
                       [&](ElementBuilder &e, ValueRange v) {
                         Value found = e.select(isProbability(e, y, v[1]), e.integer(kClass, 0),
                                                e.integer(kClass, 2));
                         found = e.select(isProbability(e, x, v[0]), found, e.integer(kClass, 1));
                         return e.select(e.notZero(kClass, v[2]), v[2], found);
                       });
  Tensor isBad = check.map(Access{first, check.identity(0)}, {}, DType::Bool,
                           [&](ElementBuilder &e, ValueRange v) {
                             return e.compare(kClass, R::EQ, v[0], e.integer(kClass, which));
                           });
  check.raiseIf(isBad, {}, "RuntimeError", text);
}

/// The sizes to which both broadcast.
static Sizes broadcastSizes(KernelBuilder &k, Tensor x, Tensor y) {
  if (x.rank() < y.rank())
    std::swap(x, y);
  Sizes sizes = k.sizesOf(x), others = k.sizesOf(y);
  for (auto [size, other] :
       llvm::zip_equal(MutableArrayRef<OpFoldResult>(sizes).take_back(others.size()), others))
    if (getConstantIntValue(size) == 1)
      size = other;
  return sizes;
}

static LogicalResult convertLoss(KernelBuilder &k) {
  Tensor x = k.self(), y = k.tensor("target");
  std::optional<int64_t> reduction = k.arg("reduction").getInt();
  DType result = k.resultDType(), t = computeType(result);
  ElementLoss loss(k, t);
  if (!x || !y || !isFloat(result) || !reduction || !loss.readParameters())
    return k.refuseComplexOr("parameters known only at run time");
  bool isChecked = k.info().baseName() == "binary_cross_entropy";
  if (isChecked && (!isFloat(x.dtype) || !isFloat(y.dtype) || x.rank() != y.rank()))
    return k.refuse("probabilities of another type or shape");
  SmallVector<Tensor> tensors{x, y};
  bool hasWeight = k.has("weight") && !k.isNone("weight");
  bool hasPositive = k.has("pos_weight") && !k.isNone("pos_weight");
  if (hasPositive)
    tensors.push_back(k.tensor("pos_weight"));
  if (hasWeight)
    tensors.push_back(k.tensor("weight"));
  Sizes sizes = broadcastSizes(k, x, y);
  std::optional<Tensor> losses =
      k.broadcast(tensors, sizes, t, [&](ElementBuilder &e, ValueRange v) {
        SmallVector<Value> given;
        for (auto [element, of] : llvm::zip(v, tensors))
          given.push_back(e.convert(element, of.dtype, t));
        Value one = loss.of(e, given[0], given[1], hasPositive ? given[2] : Value());
        return hasWeight ? e.mul(t, one, given.back()) : one;
      });
  if (!losses)
    return k.refuse("a weight with more dimensions");
  if (isChecked) {
    checkProbabilities(k, 1, "all elements of input should be between 0 and 1");
    checkProbabilities(k, 2, "all elements of target should be between 0 and 1");
  }
  bool reduces = *reduction != None && losses->rank() > 0;
  Tensor count = *reduction == Mean ? countOf(k, *losses) : Tensor();
  return k.finish(
      reduces ? plan::Family::Reduction : plan::Family::Pointwise,
      k.convert(reduceLosses(k, *losses, *reduction, count, /*inSteps=*/false), result));
}

ArrayRef<ConverterRow> ptc::getLossRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::Nll, convertNll}, {S::CrossEntropy, convertCrossEntropy}, {S::Loss, convertLoss}};
  return kRows;
}
