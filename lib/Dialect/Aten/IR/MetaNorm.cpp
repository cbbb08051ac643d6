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

/// Parameters are of the input's type, or all float beside a half input.
static void checkParameterTypes(Inference &inf) {
  DType input = inf.self().dtype;
  llvm::SmallVector<DType, 4> types;
  bool isConverted = false;
  bool isInstanceNorm = inf.op.id == OpId::instance_norm;
  for (llvm::StringRef name : {"weight", "bias", "running_mean", "running_var"}) {
    if (!inf.hasArg(name) || !inf.tensor(name))
      continue;
    if (!isInstanceNorm || name == "weight" || name == "bias")
      types.push_back(inf.tensor(name)->dtype);
    else if (inf.tensor(name)->dtype != input) // eager converts them
      isConverted = true;
  }
  bool isBatchNorm = inf.op.kernel == "batch_norm"; // its kernel refuses other inputs first
  if (inf.failed() || (isBatchNorm && !isFloat(input)))
    return;
  bool isMixed = !types.empty() && types.front() != input;
  if (isMixed && input != DType::Float16 && input != DType::BFloat16)
    return inf.raise("mixed dtype (CPU): all inputs must share same datatype.");
  for (DType type : types)
    if (isMixed && type != DType::Float32)
      return inf.raise("mixed dtype (CPU): expect parameter to have scalar type of Float");
    else if (!isMixed && type != input)
      return inf.raise("expected scalar type {0} but found {1}", scalarTypeName(input),
                       scalarTypeName(type));
  if (isConverted || (isInstanceNorm && isMixed))
    inf.unsupported("a norm whose parameters are of another type than its input");
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
  if (inf.op.id == OpId::rms_norm && input.sizes.size() < shape.size()) {
    inf.raiseAs(PyErrorKind::ValueError,
                "Input tensor must have at least {0} dimensions, but got {1}", shape.size(),
                input.dim());
    return false;
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
  checkParameterTypes(inf);
  if (!isFloat(input.dtype))
    inf.refuse("LayerNormKernelImpl", input.dtype);
  inf.add(inf.make(input.dtype, input.sizes));
  if (inf.op.returns.size() == 1)
    return;
  Exprs stats(input.sizes.begin(), input.sizes.end() - shape.size());
  stats.append(shape.size(), inf.constant(1));
  inf.add(inf.make(statisticsType(inf), stats));
  inf.add(inf.make(statisticsType(inf), stats));
}

void ptc::aten::inferRmsNorm(Inference &inf) {
  const TensorMeta &input = inf.self();
  llvm::ArrayRef<Expr> shape = inf.exprList("normalized_shape");
  if (!checkNormalized(inf, shape))
    return;
  if (inf.isVacant(input) && input.strides != inf.contiguous(input.sizes))
    return inf.unsupported("rms_norm of no elements in another memory order than row-major");
  MemoryFormat format = inf.suggestMemoryFormat(input);
  // Of a weight of another type, too: rms_norm_composite() in ATen/native/layer_norm.cpp.
  inf.add(inf.make(input.dtype, input.sizes, denseStrides(inf.sym, input.sizes, format)));
}

static bool checkGroups(Inference &inf, Expr channels, llvm::StringRef argName) {
  Expr groups = inf.intExpr(argName);
  if (inf.failed())
    return false;
  if (!inf.isLess(inf.constant(0), groups, "groups of a norm")) {
    inf.raise("Expected num groups to be greater than 0, got {0}", inf.str(groups));
    return false;
  }
  for (llvm::StringRef name : {"weight", "bias"})
    if (const TensorMeta *t = inf.tensor(name);
        t && (t->dim() != 1 || !inf.isEqual(t->sizes[0], channels, "channels of a norm"))) {
      inf.raise("Expected {0} to be a vector of size equal to the number of channels in input, but "
                "got {0} of shape {1} and input of shape {2}",
                name, inf.str(t->sizes), inf.str(inf.self().sizes));
      return false;
    }
  checkParameterTypes(inf);
  if (inf.isEqual(inf.sym.mod(channels, groups), 0, "groups of a norm"))
    return !inf.failed();
  inf.raise("Expected number of channels in input to be divisible by num_groups, but got input of "
            "shape {0} and num_groups={1}",
            inf.str(inf.self().sizes), inf.str(groups));
  return false;
}

void ptc::aten::inferGroupNorm(Inference &inf) {
  const TensorMeta &input = inf.self();
  if (input.dim() < 2)
    return inf.raiseAs(PyErrorKind::IndexError,
                       "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
  if (!checkGroups(inf, input.sizes[1], "num_groups"))
    return;
  inf.add(inf.make(input.dtype, input.sizes,
                   denseStrides(inf.sym, input.sizes, inf.suggestMemoryFormat(input))));
}

void ptc::aten::inferNativeGroupNorm(Inference &inf) {
  const TensorMeta &input = inf.self();
  Expr count = inf.sym.product({inf.intExpr("N"), inf.intExpr("C"), inf.intExpr("HxW")});
  if (!isFloat(input.dtype) && inf.isVacant(input) && !inf.isEqual(count, 0, "sizes of a norm"))
    return inf.unsupported("a norm of no elements, whose sizes do not fit");
  if (!checkGroups(inf, inf.intExpr("C"), "group"))
    return;
  for (llvm::StringRef name : {"weight", "bias"})
    if (const TensorMeta *t = inf.tensor(name); t && !inf.isContiguous(*t))
      return inf.unsupported(
          "a weight or bias that is not contiguous: eager reads it as if it were");
  bool fits = inf.isEqual(numel(inf.sym, input), count, "sizes of a norm");
  bool isContiguous = inf.isContiguous(input, inf.suggestMemoryFormat(input));
  // The kernel, which is chosen first, asks for the sizes.
  if (!fits && isContiguous && !isFloat(input.dtype)) {
    inf.refuse("GroupNormKernelImpl", input.dtype);
    return inf.settle();
  }
  if (!fits)
    return inf.raise(
        "Expected X.numel() == N * C * HxW to be true, but got false. (Could this error "
        "message be improved?  If so, please report an enhancement request to "
        "PyTorch.)");
  if (!isContiguous)
    return inf.raise("Expected X.is_contiguous(memory_format) to be true, but got false.  (Could "
                     "this error message be improved?  If so, please report an enhancement request "
                     "to PyTorch.)");
  inf.add(inf.make(input.dtype, input.sizes,
                   denseStrides(inf.sym, input.sizes, inf.suggestMemoryFormat(input))));
  Exprs stats{inf.intExpr("N"), inf.intExpr("group")};
  inf.add(inf.make(statisticsType(inf), stats));
  inf.add(inf.make(statisticsType(inf), stats));
}

static void checkBothOrNeither(Inference &inf) {
  if (!inf.tensor("running_mean") != !inf.tensor("running_var"))
    inf.raiseAs(PyErrorKind::ValueError,
                "running_mean and running_var must either both be None or neither be None");
}

/// Statistics are given where they are not taken from the input.
static bool checkStatistics(Inference &inf) {
  bool isInstanceNorm = inf.op.id == OpId::instance_norm;
  if (!isInstanceNorm && inf.op.id != OpId::batch_norm)
    checkBothOrNeither(inf);
  llvm::StringRef flag = isInstanceNorm ? "use_input_stats" : "training";
  if (!inf.hasArg(flag) || inf.boolValue(flag))
    return !inf.failed();
  if (inf.tensor("running_mean") && inf.tensor("running_var"))
    return true;
  if (isInstanceNorm)
    inf.raise("Expected running_mean and running_var to be defined when use_input_stats is false");
  else
    inf.raise("{0} must be defined in evaluation mode",
              inf.tensor("running_mean") ? "running_var" : "running_mean");
  return false;
}

/// Every per-channel argument has one element per channel, the statistics in one dimension. Where
/// eager does not ask, it reads what is behind the tensor: that is refused.
static bool checkChannels(Inference &inf) {
  const TensorMeta &input = inf.self();
  if (!checkStatistics(inf))
    return false;
  bool isAsked = inf.op.id == OpId::batch_norm || inf.op.id == OpId::instance_norm;
  bool isEmpty = llvm::any_of(input.sizes, [](Expr e) { return e.isZero(); });
  if (isEmpty && inf.op.id == OpId::instance_norm)
    inf.unsupported("instance norm of no elements");
  auto fail = [&](PyErrorKind kind, std::string text) {
    if (isAsked && !isEmpty)
      inf.raiseAs(kind, "{0}", text);
    else
      inf.unsupported("a norm whose parameters do not fit its input");
    return false;
  };
  bool hasStatistics = inf.op.id == OpId::batch_norm && inf.tensor("running_mean");
  if (inf.op.id != OpId::instance_norm &&
      (input.dim() == 0 || (input.dim() == 1 && hasStatistics))) {
    inf.unsupported("batch norm of less than two dimensions, of which eager reads the second size");
    return false;
  }
  if (input.dim() < 2) {
    bool isAccepted = isEmpty && inf.op.id != OpId::_native_batch_norm_legit_functional;
    isAccepted ? inf.unsupported("batch norm of no elements in one dimension")
               : inf.raiseAs(PyErrorKind::IndexError,
                             "Dimension out of range (expected to be in range of [-1, 0], but got "
                             "1)");
    return false;
  }
  checkBothOrNeither(inf);
  for (llvm::StringRef name : {"running_mean", "running_var", "weight", "bias"}) {
    const TensorMeta *t = inf.tensor(name);
    if (!t)
      continue;
    if (!inf.isEqual(numel(inf.sym, *t), input.sizes[1], "channels of a norm"))
      return fail(PyErrorKind::RuntimeError,
                  llvm::formatv("{0} should contain {1} elements not {2}", name,
                                inf.str(input.sizes[1]), inf.str(numel(inf.sym, *t))));
    bool isVector = name.starts_with("running") || inf.op.id == OpId::instance_norm;
    if (isVector && t->dim() > 1)
      inf.raise("TensorAccessor expected 1 dims but tensor has {0}", t->dim());
  }
  bool isTraining = inf.hasArg("training") && inf.boolValue("training");
  if (isTraining && inf.op.id != OpId::instance_norm && !isFloat(input.dtype) &&
      !isComplex(input.dtype) && !isEmpty && !inf.isContiguous(input) &&
      !inf.isContiguous(input, MemoryFormat::ChannelsLast)) // statistics are taken apart
    inf.raise("mean(): could not infer output dtype. Input dtype must be either a floating point "
              "or complex dtype. Got: {0}",
              scalarTypeName(input.dtype));
  checkParameterTypes(inf);
  return !inf.failed();
}

static TensorMeta normalized(Inference &inf) {
  const TensorMeta &input = inf.self();
  bool isPlain = inf.op.id == OpId::instance_norm || inf.isContiguous(input);
  MemoryFormat format = isPlain ? MemoryFormat::Contiguous : inf.suggestMemoryFormat(input);
  return inf.make(input.dtype, input.sizes, denseStrides(inf.sym, input.sizes, format));
}

/// Of no elements eager copies the input, and multiplies by the first weight, adds the first bias.
static void normalizeNothing(Inference &inf) {
  TensorMeta out = inf.self();
  out.strides = inf.likeStrides(out);
  TensorMeta scalar;
  for (llvm::StringRef name : {"weight", "bias"}) {
    if (!inf.tensor(name))
      continue;
    if (inf.isVacant(*inf.tensor(name)))
      return inf.raiseAs(PyErrorKind::IndexError,
                         "select(): index 0 out of range for tensor of size [0] at dimension 0");
    out.strides = inf.iteratorStrides(out.sizes, {&out, &scalar});
  }
  inf.add(inf.make(out.dtype, out.sizes, out.strides));
}

void ptc::aten::inferBatchNorm(Inference &inf) {
  if (!checkChannels(inf))
    return;
  if (inf.isVacant(inf.self()))
    normalizeNothing(inf);
  else
    inf.add(normalized(inf));
}

void ptc::aten::inferNativeBatchNorm(Inference &inf) {
  if (!checkChannels(inf))
    return;
  if (inf.hasArg("training") && inf.boolValue("training") && isFloat(inf.self().dtype) &&
      llvm::any_of(inf.self().sizes, [](Expr e) { return e.isZero(); }))
    return inf.raise("input tensor must have at least one element, but got input_sizes = {0}",
                     inf.str(inf.self().sizes));
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
  bool isNative = inf.op.returns.size() == 2;
  bool isEmpty = llvm::any_of(input.sizes, [](Expr e) { return e.isZero(); });
  if (isNative && isEmpty)
    return inf.unsupported("native_dropout of no elements, whose result is its argument");
  bool isTraining = isNative && inf.isNone("train") ? true : inf.boolValue("train");
  if (inf.failed())
    return;
  if (p && !(*p >= 0 && *p <= 1) && (!isNative || isTraining))
    return inf.raise("dropout probability has to be between 0 and 1, but got {0}",
                     llvm::format("%g", *p));
  if (!isNative && (!isTraining || p == 0.0 || isEmpty))
    return inf.addSame(input);
  bool isScaled = isTraining && (isNative || p != 1.0); // else multiplied by ones or zeros
  if (isScaled && !isNative && isComplex(input.dtype))
    inf.refuse("bernoulli_scalar_cpu_", input.dtype);
  else if (isScaled && !isFloat(input.dtype) && !isComplex(input.dtype))
    return inf.raise("result type Float can't be cast to the desired output type {0}",
                     scalarTypeName(input.dtype));
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
    inf.unsupported("a reduction that is none, mean or sum by its number");
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
  bool first = isBool(inf.self().dtype), second = isBool(inf.tensor("target")->dtype);
  if (first && second)
    inf.raise("Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` "
              "or `logical_xor()` operator instead.");
  else if (first || second)
    inf.raise("Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
              "trying to invert a mask, use the `~` or `logical_not()` operator instead.");
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

/// `to` holds its product with `from`, or the difference: to.mul_(from).
static void checkMultiplied(Inference &inf, const TensorMeta &to, const TensorMeta &from) {
  DType computed = inf.resultType({&to, &from});
  Exprs sizes = to.sizes;
  inf.broadcastInto(sizes, from.sizes);
  if (inf.failed())
    return;
  if (!canCast(computed, to.dtype))
    inf.raise("result type {0} can't be cast to the desired output type {1}",
              scalarTypeName(computed), scalarTypeName(to.dtype));
  else if (!inf.sameSizes(sizes, to.sizes, "writing in place keeps the sizes"))
    inf.raise("output with shape {0} doesn't match the broadcast shape {1}", inf.str(to.sizes),
              inf.str(sizes));
}

static void checkNotSubtracted(Inference &inf, const TensorMeta &t) {
  if (isBool(t.dtype))
    inf.raise("Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
              "trying to invert a mask, use the `~` or `logical_not()` operator instead.");
}

/// log_sigmoid(input).mul_((pos_weight - 1).mul(target).add_(1)), then
/// (1 - target).mul_(input).sub_(…).mul_(weight): the target's sizes and type hold the loss.
static void checkLogits(Inference &inf) {
  const TensorMeta &self = inf.self(), &target = *inf.tensor("target");
  if (!isFloat(self.dtype))
    return inf.refuse("log_sigmoid_cpu", self.dtype);
  if (const TensorMeta *positive = inf.tensor("pos_weight")) {
    checkNotSubtracted(inf, *positive);
    TensorMeta factor = target;
    factor.dtype = inf.resultType({positive, &target});
    factor.sizes = positive->sizes;
    inf.broadcastInto(factor.sizes, target.sizes);
    checkMultiplied(inf, self, factor);
  }
  checkNotSubtracted(inf, target);
  checkMultiplied(inf, target, self);
  if (const TensorMeta *weight = inf.tensor("weight"))
    checkMultiplied(inf, target, *weight);
}

/// The target is like the input; a weight is multiplied in.
static void checkEntropy(Inference &inf) {
  const TensorMeta &self = inf.self(), &target = *inf.tensor("target");
  const TensorMeta *weight = inf.tensor("weight");
  if (!inf.sameSizes(self.sizes, target.sizes, "targets of a loss"))
    return inf.unsupported("a target of other sizes than the input");
  if (target.dtype != self.dtype)
    return inf.raise("Found dtype {0} but expected {1}", scalarTypeName(target.dtype),
                     scalarTypeName(self.dtype));
  if (weight && !inf.expandsTo(weight->sizes, self.sizes))
    return inf.raise("output with shape {0} doesn't match the broadcast shape",
                     inf.str(self.sizes));
  DType promoted = weight ? inf.resultType({&self, weight}) : self.dtype;
  if (!canCast(promoted, self.dtype))
    inf.raise("result type {0} can't be cast to the desired output type {1}",
              scalarTypeName(promoted), scalarTypeName(self.dtype));
}

/// What each loss asks of its parameters and types.
static void checkLoss(Inference &inf, DType promoted) {
  const TensorMeta &self = inf.self(), &target = *inf.tensor("target");
  switch (inf.op.id) {
  case OpId::huber_loss:
    if (std::optional<double> delta = inf.floatValue("delta"); delta && !(*delta > 0))
      inf.raise("huber_loss does not support non-positive values for delta.");
    else if (!canCast(promoted, self.dtype))
      inf.raise("result type {0} can't be cast to the desired output type {1}",
                scalarTypeName(promoted), scalarTypeName(self.dtype));
    return;
  case OpId::smooth_l1_loss:
    if (std::optional<double> beta = inf.floatValue("beta"); beta && !(*beta >= 0))
      inf.raise("smooth_l1_loss does not support negative values for beta.");
    return;
  case OpId::kl_div:
    if (!isFloat(target.dtype) && !isComplex(target.dtype))
      inf.raise("kl_div: Integral inputs not supported.");
    return;
  case OpId::binary_cross_entropy_with_logits:
    return checkLogits(inf);
  case OpId::binary_cross_entropy:
    return checkEntropy(inf);
  default: // the types of its kernel, and sizes that broadcast
    return;
  }
}

/// torch.nn.functional expands both, so that neither counts as a number for the type.
static bool expandsFirst(OpId id) {
  return id == OpId::mse_loss || id == OpId::l1_loss || id == OpId::smooth_l1_loss ||
         id == OpId::huber_loss;
}

void ptc::aten::inferLoss(Inference &inf) {
  const TensorMeta &self = inf.self(), *target = inf.tensor("target");
  DType promoted = inf.resultType({&self, target});
  Exprs sizes = self.sizes;
  if (expandsFirst(inf.op.id)) {
    inf.broadcastInto(sizes, target->sizes);
    TensorMeta first = self, second = *target;
    first.sizes = second.sizes = sizes;
    promoted = inf.resultType({&first, &second});
  }
  checkLoss(inf, promoted);
  if (!expandsFirst(inf.op.id))
    inf.broadcastInto(sizes, target->sizes);
  if (inf.failed())
    return;
  DType dtype = inf.op.dtypeRule == DTypeRule::Promote ? promoted : self.dtype;
  if (inf.op.id == OpId::l1_loss)
    dtype = absoluteLossType(inf, dtype);
  else if (expandsFirst(inf.op.id))
    inf.checkKernel(promoted);
  Exprs strides = inf.iteratorStrides(sizes, {&self, target});
  if (inf.op.id == OpId::binary_cross_entropy_with_logits) { // 1 - target holds it
    dtype = target->dtype;
    strides = inf.likeStrides(*target);
  }
  if (inf.op.id == OpId::kl_div) { // f(target) combined with g(target, input)
    TensorMeta first = inf.make(dtype, target->sizes, inf.iteratorStrides(target->sizes, {target}));
    TensorMeta second = inf.make(dtype, sizes, inf.iteratorStrides(sizes, {target, &self}));
    strides = inf.iteratorStrides(sizes, {&first, &second});
  }
  if (inf.op.id == OpId::binary_cross_entropy)
    strides = inf.likeStrides(self);
  if (inf.op.id == OpId::huber_loss) { // writes to a tensor like its input, resized if need be
    dtype = self.dtype;
    strides = sizes == self.sizes ? inf.likeStrides(self) : inf.contiguous(sizes);
  }
  addLoss(inf, dtype, sizes, strides);
}

/// Sizes of a loss per target, checked against the scores' classes in dimension 1.
static bool checkTargets(Inference &inf, const TensorMeta &self, const TensorMeta &target) {
  if (self.dim() == 0 && inf.op.id == OpId::cross_entropy_loss)
    inf.raiseAs(PyErrorKind::IndexError,
                "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
  else if (self.dim() == 0)
    inf.raiseAs(PyErrorKind::ValueError, "Expected 1 or more dimensions (got 0)");
  else if (self.dim() == 1 && target.dim() > 1)
    inf.raise("0D or 1D target tensor expected, multi-target not supported");
  else if (self.dim() == 1 && target.dim() == 1 &&
           !inf.isEqual(target.sizes[0], 1, "targets of a loss"))
    inf.raiseAs(PyErrorKind::ValueError,
                "For 1D input, 1D target must have size 1, but got target size: {0}",
                inf.str(target.sizes[0]));
  if (self.dim() <= 1)
    return !inf.failed();
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

/// What nll_loss itself asks, where nll_loss_nd asks checkTargets.
static bool checkPlainTargets(Inference &inf, const TensorMeta &self, const TensorMeta &target) {
  if (self.dim() < 1 || self.dim() > 2)
    inf.raise("input tensor should be 1D or 2D");
  else if (target.dim() > 1)
    inf.raise("0D or 1D target tensor expected, multi-target not supported");
  else if (self.dim() == 1 && target.dim() == 1 &&
           !inf.isEqual(target.sizes[0], 1, "targets of a loss"))
    inf.raiseAs(PyErrorKind::ValueError,
                "For 1D input, 1D target must have size 1, but got target size: {0}",
                inf.str(target.sizes[0]));
  else if (self.dim() == 2 && target.dim() == 0)
    inf.raiseAs(PyErrorKind::IndexError, "Dimension specified as 0 but tensor has no dimensions");
  else if (self.dim() == 2 && !inf.isEqual(self.sizes[0], target.sizes[0], "targets of a loss"))
    inf.raise("size mismatch (got input: {0}, target: {1})", inf.str(self.sizes),
              inf.str(target.sizes));
  return !inf.failed();
}

/// A weight for each class, of the scores' type.
static void checkClassWeights(Inference &inf, Expr classes, bool isSmoothed = false) {
  const TensorMeta *weight = inf.tensor("weight");
  if (!weight || inf.failed())
    return;
  // Of images only the number counts; smoothing takes it from the first dimension.
  bool isShaped = weight->dim() == 1 ||
                  (inf.self().dim() > 2 &&
                   (!isSmoothed || (weight->dim() > 0 &&
                                    inf.isEqual(weight->sizes[0], classes, "weights of classes"))));
  if (!isShaped || !inf.isEqual(numel(inf.sym, *weight), classes, "weights of classes"))
    inf.raise("weight tensor should be defined either for all {0} classes or no classes but got "
              "weight tensor of shape: {1}",
              inf.str(classes), inf.str(weight->sizes));
  else if (weight->dtype != inf.self().dtype && inf.op.kernelTakes(inf.self().dtype))
    inf.raise("expected scalar type {0} but found {1}", scalarTypeName(inf.self().dtype),
              scalarTypeName(weight->dtype));
}

static void checkClassType(Inference &inf, DType target) {
  bool isReshaped = inf.self().dim() > 2 && inf.self().dim() != 4; // to images
  if (isReshaped && inf.isEqual(inf.self().sizes[1], 0, "classes of targets"))
    inf.raise("size mismatch (got input: {0})", inf.str(inf.self().sizes));
  if (target == DType::UInt8 && inf.self().dim() > 2)
    inf.raise("expected scalar type Long but found Byte");
  else if (target != DType::Int64 && target != DType::UInt8)
    inf.raise("expected target dtype to be Long or Byte, but got {0}", scalarTypeName(target));
}

/// The dimension of the classes.
static Expr classCount(const TensorMeta &scores) { return scores.sizes[scores.dim() > 1]; }

/// Probabilities are multiplied by a weight for each class.
static void checkProbabilityWeights(Inference &inf, const TensorMeta &weight) {
  Expr classes = classCount(inf.self());
  if (weight.dim() != 1 || !inf.isEqual(weight.sizes[0], classes, "weights of classes"))
    inf.raise("cross_entropy: weight tensor should be defined either for all {0} classes or no "
              "classes but got weight tensor of shape: {1}",
              inf.str(classes), inf.str(weight.sizes));
  else if (isComplex(weight.dtype))
    inf.unsupported("complex weights of classes");
}

void ptc::aten::inferNll(Inference &inf) {
  const TensorMeta &self = inf.self(), &target = *inf.tensor("target");
  bool isFitting = inf.op.id == OpId::nll_loss_nd ? checkTargets(inf, self, target)
                                                  : checkPlainTargets(inf, self, target);
  if (!isFitting || inf.failed())
    return;
  checkClassType(inf, target.dtype);
  checkClassWeights(inf, classCount(self));
  addLoss(inf, self.dtype, target.sizes, inf.contiguous(target.sizes));
  if (inf.op.returns.size() == 2)
    inf.add(inf.make(self.dtype, {}));
}

void ptc::aten::inferCrossEntropy(Inference &inf) {
  const TensorMeta &self = inf.self(), &target = *inf.tensor("target");
  std::optional<double> smoothing = inf.floatValue("label_smoothing");
  bool isProbability =
      self.dim() == target.dim() && inf.sameSizes(self.sizes, target.sizes, "targets of a loss");
  if (inf.failed())
    return;
  if (isProbability && !isFloat(target.dtype))
    return inf.raise("Expected floating point type for target with class probabilities, got {0}",
                     scalarTypeName(target.dtype));
  if (isProbability && inf.intValue("ignore_index") >= 0)
    return inf.raise("ignore_index is not supported for floating point target");
  if (!isFloat(self.dtype))
    return inf.refuse(self.dim() <= 2 ? "log_softmax_lastdim_kernel_impl"
                                      : "log_softmax_kernel_impl",
                      self.dtype);
  if (smoothing && *smoothing > 1)
    return inf.raise("label_smoothing must be between 0.0 and 1.0. Got: {0}",
                     llvm::format("%g", *smoothing));
  if (isProbability && self.dim() > 0) {
    DType dtype = promoteTypes(self.dtype, target.dtype);
    if (const TensorMeta *weight = inf.tensor("weight")) {
      checkProbabilityWeights(inf, *weight);
      dtype = promoteTypes(dtype, weight->dtype);
    }
    Exprs sizes = self.sizes;
    sizes.erase(sizes.begin() + (self.dim() == 1 ? 0 : 1));
    return addLoss(inf, dtype, sizes, inf.contiguous(sizes));
  }
  if (!checkTargets(inf, self, target) || inf.failed())
    return;
  checkClassType(inf, target.dtype);
  checkClassWeights(inf, classCount(self), smoothing && *smoothing > 0);
  addLoss(inf, self.dtype, target.sizes, inf.contiguous(target.sizes));
}
