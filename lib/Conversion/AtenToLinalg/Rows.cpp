//===- Rows.cpp - Row reductions as kernels ---------------------------------------------===//
//
// In: softmax, the norms. Out: one kernel of family rows each: statistics of a row, then what is
// made of its elements. 16-bit floats are computed in single precision.
//
//===----------------------------------------------------------------------===//
#include "Rows.h"

#include <limits>

using namespace mlir;
using namespace ptc;

using R = ElementBuilder::Relation;

Tensor ptc::softmaxOf(KernelBuilder &k, Tensor x, int64_t dim, bool isLog) {
  DType t = x.dtype;
  Mask mask(size_t(x.rank()), false);
  mask[size_t(dim)] = true;
  ElementBuilder top = k.top();
  Tensor most = k.reduce(x, mask, t, top.lowest(t),
                         [&](ElementBuilder &e, ValueRange v) { return e.maximum(t, v[1], v[0]); });
  SmallVector<Access> ins{{x, k.identity(x.rank())}, {most, k.without(mask)}};
  if (isLog) {
    Tensor sum = k.reduceOver(ins, k.sizesOf(x), mask, t, top.real(t, 0),
                              [&](ElementBuilder &e, ValueRange v) {
                                return e.add(t, v[2], e.make<math::ExpOp>(e.sub(t, v[0], v[1])));
                              });
    ins.push_back({sum, k.without(mask)});
    return k.map(ins, k.sizesOf(x), t, [&](ElementBuilder &e, ValueRange v) {
      return e.sub(t, e.sub(t, v[0], v[1]), e.make<math::LogOp>(v[2]));
    });
  }
  Tensor powers = k.map(ins, k.sizesOf(x), t, [&](ElementBuilder &e, ValueRange v) {
    return e.make<math::ExpOp>(e.sub(t, v[0], v[1]));
  });
  Tensor sum = k.reduce(powers, mask, t, top.real(t, 0),
                        [&](ElementBuilder &e, ValueRange v) { return e.add(t, v[1], v[0]); });
  SmallVector<Access> both{{powers, k.identity(x.rank())}, {sum, k.without(mask)}};
  return k.map(both, k.sizesOf(x), t,
               [&](ElementBuilder &e, ValueRange v) { return e.div(t, v[0], v[1]); });
}

static LogicalResult convertSoftmax(KernelBuilder &k) {
  Tensor self = k.self();
  DType result = k.resultDType();
  if (!self || isComplex(result))
    return k.refuse("complex numbers");
  std::optional<int64_t> dim = k.dim("dim", self.rank());
  if (!dim)
    return k.refuse("the dimension is known only at run time");
  Sizes sizes = k.sizesOf(self);
  Tensor x = k.convert(k.convert(self, result), computeType(result));
  bool isLog = k.info().baseName().contains("log_softmax");
  Tensor out = softmaxOf(k, x.rank() ? x : k.flat(x), *dim, isLog);
  return k.finish(plan::Family::Rows, k.convert(k.reshape(out, sizes), result));
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

namespace {

/// A normalisation of rows: the elements that `mask` names belong to one row.
struct Norm {
  KernelBuilder &k;
  Tensor x;
  Mask mask;
  DType t; ///< of the computation

  Value count() { return k.countOf(x, mask, t); }

  /// The mean over each row of `term` of an element and, where given, another row value.
  Tensor mean(Tensor other, KernelBuilder::Map term) {
    SmallVector<Access> ins{{x, k.identity(x.rank())}};
    if (other)
      ins.push_back({other, k.without(mask)});
    Tensor sum = k.reduceOver(ins, k.sizesOf(x), mask, t, k.top().real(t, 0),
                              [&](ElementBuilder &e, ValueRange v) {
                                SmallVector<Value, 2> values(v.drop_back());
                                values[0] = e.convert(values[0], x.dtype, t);
                                return e.add(t, v.back(), term(e, values));
                              });
    Value divisor = count();
    return k.map(Access{sum, k.identity(sum.rank())}, k.sizesOf(sum), t,
                 [&](ElementBuilder &e, ValueRange v) { return e.div(t, v[0], divisor); });
  }

  Tensor mean() {
    return mean({}, [](ElementBuilder &, ValueRange v) { return v[0]; });
  }
  /// Of distances from `mean`, divided by the count.
  Tensor variance(Tensor means) {
    return mean(means, [&](ElementBuilder &e, ValueRange v) {
      Value way = e.sub(t, v[0], v[1]);
      return e.mul(t, way, way);
    });
  }
  /// 1 / sqrt(v + eps).
  Tensor inverseRoot(Tensor v, Value eps) {
    return k.map(Access{v, k.identity(v.rank())}, k.sizesOf(v), t,
                 [&](ElementBuilder &e, ValueRange x) {
                   Value shifted = e.add(t, e.convert(x[0], v.dtype, t), eps);
                   return e.div(t, e.real(t, 1), e.make<math::SqrtOp>(shifted));
                 });
  }

  /// (x - mean) * inverse * weight + bias; what is not given is left out. Where there is a mean, a
  /// bias that is not given counts as 0: it gives zeros their sign.
  Tensor apply(Access means, Access inverse, Access weight, Access bias, DType result) {
    SmallVector<Access> ins{{x, k.identity(x.rank())}};
    for (const Access &access : {means, inverse, weight, bias})
      if (access.tensor)
        ins.push_back(access);
    return k.map(ins, k.sizesOf(x), result, [&](ElementBuilder &e, ValueRange v) {
      unsigned next = 1;
      Value y = e.convert(v[0], x.dtype, t);
      auto given = [&](const Access &access) {
        return e.convert(v[next++], access.tensor.dtype, t);
      };
      if (means.tensor)
        y = e.sub(t, y, given(means));
      y = e.mul(t, y, given(inverse));
      if (weight.tensor)
        y = e.mul(t, y, given(weight));
      if (bias.tensor || means.tensor)
        y = e.add(t, y, bias.tensor ? given(bias) : e.real(t, 0));
      return e.convert(y, t, result);
    });
  }
};

} // namespace

/// Statistics as further results: with their dimensions of size 1, or empty where eager leaves them
/// so.
static Tensor asResult(KernelBuilder &k, Tensor statistic, ArrayRef<bool> mask, unsigned i) {
  RankedTensorType type = k.resultType(i);
  if (type.hasStaticShape() && type.getNumElements() == 0 && statistic.rank() == type.getRank() &&
      statistic.size(0) != 0)
    return k.empty(k.constant(0), k.resultDType(i));
  Tensor typed = k.convert(statistic, k.resultDType(i));
  return type.getRank() == typed.rank() ? typed : k.withOnes(typed, mask);
}

static Value epsOf(KernelBuilder &k, DType t) { return k.number(k.arg("eps"), t); }

static LogicalResult convertLayerNorm(KernelBuilder &k) {
  Tensor x = k.self(), weight = k.tensor("weight"), bias = k.tensor("bias");
  Attribute shape = k.arg("normalized_shape").getAttr();
  if (!x || !isa<ArrayAttr>(shape))
    return k.refuse("complex numbers");
  int64_t width = int64_t(cast<ArrayAttr>(shape).size()), outer = x.rank() - width;
  Norm norm{k, x, Mask(size_t(x.rank()), false), computeType(x.dtype)};
  SmallVector<AffineExpr> last;
  for (int64_t d = outer; d < x.rank(); ++d) {
    norm.mask[size_t(d)] = true;
    last.push_back(k.at(d));
  }
  Value eps = epsOf(k, norm.t);
  if (!eps)
    return k.refuse("eps is no real number");
  AffineMap columns = k.mapOf(x.rank(), last), rows = k.without(norm.mask);
  Tensor means = norm.mean(), inverse = norm.inverseRoot(norm.variance(means), eps);
  SmallVector<Tensor, 3> results{norm.apply({means, rows}, {inverse, rows}, {weight, columns},
                                            {bias, columns}, k.resultDType())};
  if (k.op->getNumResults() > 1) {
    results.push_back(asResult(k, means, norm.mask, 1));
    results.push_back(asResult(k, inverse, norm.mask, 2));
  }
  return k.finish(plan::Family::Rows, results);
}

/// Without eps: that of the type that eager computes in.
static LogicalResult convertRmsNorm(KernelBuilder &k) {
  Tensor x = k.self(), weight = k.tensor("weight");
  Attribute shape = k.arg("normalized_shape").getAttr();
  if (!x || !isa<ArrayAttr>(shape))
    return k.refuse("complex numbers");
  int64_t width = int64_t(cast<ArrayAttr>(shape).size());
  Norm norm{k, x, Mask(size_t(x.rank()), false), computeType(x.dtype)};
  SmallVector<AffineExpr> last;
  for (int64_t d = x.rank() - width; d < x.rank(); ++d) {
    norm.mask[size_t(d)] = true;
    last.push_back(k.at(d));
  }
  double own = norm.t == DType::Float64 ? std::numeric_limits<double>::epsilon()
                                        : double(std::numeric_limits<float>::epsilon());
  Value eps = k.isNone("eps") ? k.top().real(norm.t, own) : epsOf(k, norm.t);
  if (!eps)
    return k.refuse("eps is no real number");
  Tensor squares =
      norm.mean({}, [&](ElementBuilder &e, ValueRange v) { return e.mul(norm.t, v[0], v[0]); });
  AffineMap rows = k.without(norm.mask);
  return k.finish(plan::Family::Rows,
                  norm.apply({}, {norm.inverseRoot(squares, eps), rows},
                             {weight, k.mapOf(x.rank(), last)}, {}, k.resultDType()));
}

/// [N, C, …] as [N, groups, C / groups, …]; scale and shift as [groups, C / groups].
static LogicalResult normGroups(KernelBuilder &k, OpFoldResult groups) {
  Tensor x = k.self(), weight = k.tensor("weight"), bias = k.tensor("bias");
  if (!x || !groups || x.rank() < 2 || getConstantIntValue(groups).value_or(1) <= 0)
    return k.refuseComplexOr("groups that are no number");
  Sizes sizes = k.sizesOf(x), split{sizes[0], groups, k.quotient(sizes[1], groups)};
  Sizes pair{split[1], split[2]};
  split.append(sizes.begin() + 2, sizes.end());
  Tensor parted = k.reshape(x, split);
  Norm norm{k, parted, Mask(size_t(parted.rank()), true), computeType(x.dtype)};
  norm.mask[0] = norm.mask[1] = false;
  Value eps = epsOf(k, norm.t);
  if (!eps)
    return k.refuse("eps is no real number");
  Tensor means = norm.mean(), inverse = norm.inverseRoot(norm.variance(means), eps);
  AffineMap rows = k.without(norm.mask);
  auto perChannel = [&](Tensor t) -> Access {
    return {t ? k.reshape(t, pair) : Tensor(), k.mapOf(parted.rank(), {k.at(1), k.at(2)})};
  };
  Tensor y = norm.apply({means, rows}, {inverse, rows}, perChannel(weight), perChannel(bias),
                        k.resultDType());
  SmallVector<Tensor, 3> results{k.reshape(y, sizes)};
  if (k.op->getNumResults() > 1) {
    results.push_back(asResult(k, means, norm.mask, 1));
    results.push_back(asResult(k, inverse, norm.mask, 2));
  }
  return k.finish(plan::Family::Rows, results);
}
static LogicalResult convertGroupNorm(KernelBuilder &k) {
  return normGroups(k, k.extent(k.arg("num_groups").getAttr()));
}
static LogicalResult convertNativeGroupNorm(KernelBuilder &k) {
  return normGroups(k, k.extent(k.arg("group").getAttr()));
}

/// A running statistic after this batch.
static Tensor blend(KernelBuilder &k, Tensor running, Tensor seen, Value momentum, Value factor) {
  DType t = seen.dtype;
  SmallVector<Access> ins{{running, k.identity(1)}, {seen, k.identity(1)}};
  return k.map(ins, k.sizesOf(running), running.dtype, [&](ElementBuilder &e, ValueRange v) {
    Value old = e.mul(t, e.sub(t, e.real(t, 1), momentum), e.convert(v[0], running.dtype, t));
    Value fresh = e.mul(t, momentum, factor ? e.mul(t, v[1], factor) : Value(v[1]));
    return e.convert(e.add(t, old, fresh), t, running.dtype);
  });
}

/// Channels are dimension 1, or the only one.
static LogicalResult normBatch(KernelBuilder &k, bool usesBatch) {
  Tensor x = k.self(), weight = k.tensor("weight"), bias = k.tensor("bias"),
         runningMean = k.tensor("running_mean"), runningVar = k.tensor("running_var");
  if (!x || x.rank() == 0 || (!usesBatch && !(runningMean && runningVar)))
    return k.refuseComplexOr("no statistics");
  if (usesBatch && k.info().has(aten::OpFlag::Mutates) && (runningMean || runningVar))
    return k.refuse("it updates running statistics");
  int64_t channel = x.rank() > 1 ? 1 : 0;
  Norm norm{k, x, Mask(size_t(x.rank()), true), computeType(x.dtype)};
  norm.mask[size_t(channel)] = false;
  Value eps = epsOf(k, norm.t), momentum = k.number(k.arg("momentum"), norm.t);
  if (!eps || !momentum)
    return k.refuse("eps or momentum is no real number");
  Tensor means = usesBatch ? norm.mean() : runningMean;
  Tensor variance = usesBatch ? norm.variance(means) : runningVar;
  Tensor inverse = norm.inverseRoot(variance, eps);
  AffineMap at = k.without(norm.mask);
  SmallVector<Tensor, 5> results{
      norm.apply({means, at}, {inverse, at}, {weight, at}, {bias, at}, k.resultDType())};
  if (k.op->getNumResults() > 1) {
    results.push_back(asResult(k, means, norm.mask, 1));
    results.push_back(asResult(k, inverse, norm.mask, 2));
  }
  if (k.op->getNumResults() > 3 && usesBatch) {
    ElementBuilder top = k.top();
    Value count = norm.count();
    Value unbiased = top.div(norm.t, count, top.sub(norm.t, count, top.real(norm.t, 1)));
    results.push_back(blend(k, runningMean, means, momentum, {}));
    results.push_back(blend(k, runningVar, variance, momentum, unbiased));
  } else if (k.op->getNumResults() > 3) {
    results.push_back(runningMean);
    results.push_back(runningVar);
  }
  return k.finish(usesBatch ? plan::Family::Rows : plan::Family::Pointwise, results);
}

/// instance_norm on its own statistics is a group norm of one channel per group.
static LogicalResult convertBatchNorm(KernelBuilder &k) {
  if (k.info().baseName() == "batch_norm") {
    std::optional<bool> training = k.flag("training");
    return training ? normBatch(k, *training) : k.refuse("training is known only at run time");
  }
  std::optional<bool> own = k.flag("use_input_stats");
  if (!own || (*own && (!k.isNone("running_mean") || !k.isNone("running_var"))))
    return k.refuse("it updates running statistics");
  if (!*own)
    return normBatch(k, false);
  Tensor x = k.self();
  if (!x || x.rank() < 3)
    return k.refuseComplexOr("no rows");
  return normGroups(k, k.sizeOf(x, 1));
}

static LogicalResult convertNativeBatchNorm(KernelBuilder &k) {
  std::optional<bool> training = k.has("training") ? k.flag("training") : std::optional(false);
  return training ? normBatch(k, *training) : k.refuse("training is known only at run time");
}

/// Outside of training nothing is dropped.
static LogicalResult convertDropout(KernelBuilder &k) {
  if (k.isNone("train") || k.flag("train").value_or(true))
    return k.refuse("it draws random numbers");
  Tensor self = k.self();
  if (!self)
    return k.refuse("complex numbers");
  if (k.op->getNumResults() == 1 && k.op->getOperand(0).getType() == k.op->getResult(0).getType()) {
    k.rewriter.replaceOp(k.op, k.op->getOperand(0));
    return success();
  }
  SmallVector<Tensor, 2> results{self};
  if (k.op->getNumResults() > 1) {
    DType t = k.resultDType(1);
    results.push_back(k.fill(k.sizesOf(self), t, k.top().integer(t, 1)));
  }
  return k.finish(plan::Family::Copy, results);
}

ArrayRef<ConverterRow> ptc::getRowsRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::Softmax, convertSoftmax},
      {S::LayerNorm, convertLayerNorm},
      {S::RmsNorm, convertRmsNorm},
      {S::GroupNorm, convertGroupNorm},
      {S::NativeGroupNorm, convertNativeGroupNorm},
      {S::BatchNorm, convertBatchNorm},
      {S::NativeBatchNorm, convertNativeBatchNorm},
      {S::Dropout, convertDropout},
  };
  return kRows;
}
