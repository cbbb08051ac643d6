//===- MetaNorm.cpp - Shape functions of normalisation, dropout and losses ---===//
//
// In: activations and parameters, predictions and targets. Out: results of the input's sizes, or
// what a loss's reduction leaves.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

/// "[*, 4]": the trailing sizes that a norm wants.
static std::string starText(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  std::string text = "[*";
  for (Expr e : sizes)
    text += ", " + inf.str(e);
  return text + "]";
}

static bool checkNormalized(Inference &inf, llvm::ArrayRef<Expr> shape) {
  const TensorMeta &input = inf.self();
  if (shape.empty()) {
    inf.raise("Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
              "one element, but got normalized_shape = {0}",
              inf.str(shape));
    return false;
  }
  for (llvm::StringRef name : {"weight", "bias"}) {
    if (!inf.hasArg(name) || !inf.tensor(name))
      continue;
    if (!inf.sameSizes(inf.tensor(name)->sizes, shape, "parameters of a norm")) {
      inf.raise("Expected {0} to be of same shape as normalized_shape, but got {0} of shape {1} "
                "and normalized_shape = {2}",
                name, inf.str(inf.tensor(name)->sizes), inf.str(shape));
      return false;
    }
  }
  if (input.sizes.size() < shape.size() ||
      !inf.sameSizes(llvm::ArrayRef(input.sizes).take_back(shape.size()), shape,
                     "sizes that are normalised")) {
    inf.raise("Given normalized_shape={0}, expected input with shape {1}, but got input of size{2}",
              inf.str(shape), starText(inf, shape), inf.str(input.sizes));
    return false;
  }
  return !inf.failed();
}

/// Statistics are kept in float for half inputs with float parameters.
static DType statisticsType(Inference &inf) {
  const TensorMeta *weight = inf.tensor("weight");
  return weight ? weight->dtype : inf.self().dtype;
}

void ptc::aten::inferLayerNorm(Inference &inf) {
  const TensorMeta &input = inf.self();
  llvm::ArrayRef<Expr> shape = inf.exprList("normalized_shape");
  if (!checkNormalized(inf, shape))
    return;
  if (!isFloat(input.dtype))
    return inf.raiseAs(PyErrorKind::NotImplementedError,
                       "\"LayerNormKernelImpl\" not implemented for '{0}'",
                       scalarTypeName(input.dtype));
  inf.add(inf.make(input.dtype, input.sizes));
  if (inf.op.returns.size() == 1)
    return;
  Exprs stats(input.sizes.begin(), input.sizes.end() - shape.size());
  stats.append(shape.size(), inf.constant(1));
  inf.add(inf.make(statisticsType(inf), stats));
  inf.add(inf.make(statisticsType(inf), stats));
}

void ptc::aten::inferRmsNorm(Inference &inf) {
  const TensorMeta &input = inf.self(), *weight = inf.tensor("weight");
  llvm::ArrayRef<Expr> shape = inf.exprList("normalized_shape");
  if (!checkNormalized(inf, shape))
    return;
  DType dtype = weight ? promoteTypes(input.dtype, weight->dtype) : input.dtype;
  inf.add(inf.make(dtype, input.sizes));
}

static bool checkGroups(Inference &inf, Expr channels, llvm::StringRef argName) {
  Expr groups = inf.intExpr(argName);
  if (inf.failed())
    return false;
  if (!inf.isLess(inf.constant(0), groups, "groups of a norm")) {
    inf.raise("Expected num groups to be greater than 0, got {0}", inf.str(groups));
    return false;
  }
  if (inf.isEqual(inf.sym.mod(channels, groups), 0, "groups of a norm"))
    return true;
  inf.raise("Expected number of channels in input to be divisible by num_groups, but got input of "
            "shape {0} and num_groups={1}",
            inf.str(inf.self().sizes), inf.str(groups));
  return false;
}

void ptc::aten::inferGroupNorm(Inference &inf) {
  const TensorMeta &input = inf.self();
  if (input.dim() < 2)
    return inf.raise("Expected at least 2 dimensions for input tensor but received {0}",
                     input.dim());
  if (!checkGroups(inf, input.sizes[1], "num_groups"))
    return;
  inf.add(inf.make(input.dtype, input.sizes,
                   denseStrides(inf.sym, input.sizes, inf.suggestMemoryFormat(input))));
}

void ptc::aten::inferNativeGroupNorm(Inference &inf) {
  const TensorMeta &input = inf.self();
  Expr count = inf.sym.product({inf.intExpr("N"), inf.intExpr("C"), inf.intExpr("HxW")});
  if (!inf.isEqual(numel(inf.sym, input), count, "sizes of a norm"))
    return inf.raise(
        "Expected X.numel() == N * C * HxW to be true, but got false. (Could this error "
        "message be improved?  If so, please report an enhancement request to "
        "PyTorch.)");
  if (!checkGroups(inf, inf.intExpr("C"), "group"))
    return;
  inf.add(inf.make(input.dtype, input.sizes,
                   denseStrides(inf.sym, input.sizes, inf.suggestMemoryFormat(input))));
  Exprs stats{inf.intExpr("N"), inf.intExpr("group")};
  inf.add(inf.make(statisticsType(inf), stats));
  inf.add(inf.make(statisticsType(inf), stats));
}

/// Every per-channel argument has one element per channel.
static bool checkChannels(Inference &inf) {
  const TensorMeta &input = inf.self();
  if (input.dim() < 2) {
    inf.raiseAs(PyErrorKind::IndexError,
                "Dimension out of range (expected to be in range of [-{0}, {1}], but got 1)",
                std::max<int64_t>(input.dim(), 1), std::max<int64_t>(input.dim(), 1) - 1);
    return false;
  }
  for (llvm::StringRef name : {"running_mean", "running_var", "weight", "bias"}) {
    const TensorMeta *t = inf.tensor(name);
    if (t && !inf.isEqual(numel(inf.sym, *t), input.sizes[1], "channels of a norm")) {
      inf.raise("{0} should contain {1} elements not {2}", name, inf.str(input.sizes[1]),
                inf.str(numel(inf.sym, *t)));
      return false;
    }
  }
  return !inf.failed();
}

static TensorMeta normalized(Inference &inf) {
  const TensorMeta &input = inf.self();
  bool isPlain = inf.isContiguous(input);
  MemoryFormat format = isPlain ? MemoryFormat::Contiguous : inf.suggestMemoryFormat(input);
  Exprs strides = isPlain || inf.isContiguous(input, format)
                      ? denseStrides(inf.sym, input.sizes, format)
                      : inf.likeStrides(input);
  return inf.make(input.dtype, input.sizes, strides);
}

void ptc::aten::inferBatchNorm(Inference &inf) {
  if (checkChannels(inf))
    inf.add(normalized(inf));
}

void ptc::aten::inferNativeBatchNorm(Inference &inf) {
  if (!checkChannels(inf))
    return;
  inf.add(normalized(inf));
  bool isTraining = inf.hasArg("training") && inf.boolValue("training");
  Expr count = isTraining ? inf.self().sizes[1] : inf.constant(0);
  inf.add(inf.make(statisticsType(inf), {count}));
  inf.add(inf.make(statisticsType(inf), {count}));
  if (inf.op.returns.size() == 5)
    for (llvm::StringRef name : {"running_mean", "running_var"}) {
      const TensorMeta &given = *inf.tensor(name);
      inf.add(inf.make(given.dtype, given.sizes, inf.likeStrides(given)));
    }
}

void ptc::aten::inferDropout(Inference &inf) {
  const TensorMeta &input = inf.self();
  std::optional<double> p = inf.floatValue("p");
  if (p && (*p < 0 || *p > 1))
    return inf.raise("dropout probability has to be between 0 and 1, but got {0}",
                     llvm::format("%g", *p));
  bool isNative = inf.op.returns.size() == 2;
  bool isTraining = isNative && inf.isNone("train") ? true : inf.boolValue("train");
  if (inf.failed())
    return;
  bool isEmpty = llvm::any_of(input.sizes, [](Expr e) { return e.isZero(); });
  if (!isNative && (!isTraining || p == 0.0 || isEmpty))
    return inf.addSame(input);
  if (isNative && isEmpty) {
    inf.addSame(input);
    return inf.add(inf.make(input.dtype, input.sizes, inf.likeStrides(input)));
  }
  inf.add(inf.make(input.dtype, input.sizes, inf.likeStrides(input)));
  if (isNative)
    inf.add(inf.make(DType::Bool, input.sizes, inf.likeStrides(input)));
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// c10's at::Reduction.
enum class Reduction : int64_t { None = 0, Mean = 1, Sum = 2 };

static Reduction reductionArg(Inference &inf) {
  int64_t value = inf.intValue("reduction");
  if (value < 0 || value > 2)
    inf.raise("Invalid value for reduction: {0}", value);
  return Reduction(value);
}

static void addLoss(Inference &inf, DType dtype, llvm::ArrayRef<Expr> sizes,
                    llvm::ArrayRef<Expr> strides) {
  Reduction reduction = reductionArg(inf);
  if (inf.failed())
    return;
  if (reduction == Reduction::None)
    inf.add(inf.make(dtype, sizes, strides));
  else
    inf.add(inf.make(dtype, {}));
}

/// l1_loss is abs(self - target), then sum or mean: their rules for types hold.
static DType absoluteLossType(Inference &inf, DType dtype) {
  if (isBool(inf.self().dtype) && isBool(inf.tensor("target")->dtype))
    inf.raise("Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` "
              "or `logical_xor()` operator instead.");
  Reduction reduction = reductionArg(inf);
  if (!isInteger(dtype) || reduction == Reduction::None)
    return toReal(dtype);
  if (reduction == Reduction::Mean)
    inf.raise(
        "mean(): could not infer output dtype. Input dtype must be either a floating point or "
        "complex dtype. Got: {0}",
        scalarTypeName(dtype));
  return DType::Int64;
}

void ptc::aten::inferLoss(Inference &inf) {
  const TensorMeta &self = inf.self(), *target = inf.tensor("target");
  Exprs sizes = self.sizes;
  inf.broadcastInto(sizes, target->sizes);
  if (inf.failed())
    return;
  DType dtype =
      inf.op.dtypeRule == DTypeRule::Promote ? inf.resultType({&self, target}) : self.dtype;
  if (inf.op.id == OpId::l1_loss)
    dtype = absoluteLossType(inf, dtype);
  Exprs strides = inf.iteratorStrides(sizes, {&self, target});
  if (inf.op.id == OpId::huber_loss) { // writes to a tensor like its input, resized if need be
    dtype = self.dtype;
    strides = sizes == self.sizes ? inf.likeStrides(self) : inf.contiguous(sizes);
  }
  addLoss(inf, dtype, sizes, strides);
}

/// Sizes of a loss per target, checked against the scores' classes in dimension 1.
static bool checkTargets(Inference &inf, const TensorMeta &self, const TensorMeta &target) {
  if (self.dim() == 0) {
    inf.raise("Expected input to have at least 1 dimension");
    return false;
  }
  if (self.dim() == 1) {
    if (target.dim() <= 1 &&
        (target.dim() == 0 || inf.isEqual(target.sizes[0], 1, "targets of a loss")))
      return true;
    inf.raise("0D or 1D target tensor expected, multi-target not supported");
    return false;
  }
  if (target.dim() == 0 || !inf.isEqual(self.sizes[0], target.sizes[0], "targets of a loss")) {
    inf.raiseAs(PyErrorKind::ValueError,
                "Expected input batch_size ({0}) to match target batch_size ({1}).",
                inf.str(self.sizes[0]), target.dim() ? inf.str(target.sizes[0]) : "0");
    return false;
  }
  Exprs expected(self.sizes);
  expected.erase(expected.begin() + 1);
  if (inf.sameSizes(target.sizes, expected, "targets of a loss"))
    return true;
  inf.raise("Expected target size {0}, got {1}", inf.str(expected), inf.str(target.sizes));
  return false;
}

void ptc::aten::inferNll(Inference &inf) {
  const TensorMeta &self = inf.self(), &target = *inf.tensor("target");
  if (!checkTargets(inf, self, target) || inf.failed())
    return;
  if (target.dtype != DType::Int64 && target.dtype != DType::UInt8)
    return inf.raise("expected target dtype to be Long or Byte, but got {0}",
                     scalarTypeName(target.dtype));
  addLoss(inf, self.dtype, target.sizes, inf.contiguous(target.sizes));
  if (inf.op.returns.size() == 2)
    inf.add(inf.make(self.dtype, {}));
}

void ptc::aten::inferCrossEntropy(Inference &inf) {
  const TensorMeta &self = inf.self(), &target = *inf.tensor("target");
  bool isProbability = isFloat(target.dtype) && self.dim() == target.dim() &&
                       inf.sameSizes(self.sizes, target.sizes, "targets of a loss");
  if (isProbability) {
    Exprs sizes = self.sizes;
    sizes.erase(sizes.begin() + (self.dim() == 1 ? 0 : 1));
    return addLoss(inf, promoteTypes(self.dtype, target.dtype), sizes, inf.contiguous(sizes));
  }
  if (!checkTargets(inf, self, target) || inf.failed())
    return;
  if (target.dtype != DType::Int64 && target.dtype != DType::UInt8)
    return inf.raise("expected target dtype to be Long or Byte, but got {0}",
                     scalarTypeName(target.dtype));
  addLoss(inf, self.dtype, target.sizes, inf.contiguous(target.sizes));
}
