//===- MetaPointwise.cpp - Shape functions of elementwise operations ---------===//
//
// In: operands. Out: their broadcast sizes, promoted type, and the strides that TensorIterator
// gives an output.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "ptc/Dialect/Aten/IR/Promote.h"

#include "llvm/Support/ErrorHandling.h"

#include <limits>

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

namespace {
/// The operands of a record, numbers as wrapped 0-dim tensors.
struct Operands {
  llvm::SmallVector<const TensorMeta *, 3> promoting; ///< decide the type
  llvm::SmallVector<const TensorMeta *, 3> iterated;  ///< decide sizes and strides
};
} // namespace

/// These take their Python numbers as parameters of a unary kernel; all others wrap them.
static bool takesNumbersAsParameters(OpId id) {
  return id == OpId::pow_Tensor_Scalar || clampsToNumbers(id);
}

static Operands collectOperands(Inference &inf) {
  Operands operands;
  for (size_t i = 0; i < inf.args.size(); ++i) {
    if (!inf.op.args[i].isOperand)
      continue;
    const TensorMeta *t = inf.tensorOrNumber(inf.args[i]);
    if (!t)
      continue;
    operands.promoting.push_back(t);
    if (inf.args[i].tensor() || !takesNumbersAsParameters(inf.op.id))
      operands.iterated.push_back(t);
  }
  if (inf.op.id == OpId::rsub_Tensor || inf.op.id == OpId::rsub_Scalar)
    std::swap(operands.iterated[0], operands.iterated[1]);
  return operands;
}

static DType toFloating(Inference &inf, DType dtype) {
  return isInteger(dtype) || isBool(dtype) ? inf.ctx.defaultDType() : dtype;
}

static DType computeType(Inference &inf, llvm::ArrayRef<const TensorMeta *> operands) {
  if (clampsToNumbers(inf.op.id) && isFloat(inf.self().dtype))
    return inf.self().dtype;
  DType common = inf.resultType(operands);
  switch (inf.op.dtypeRule) {
  case DTypeRule::Promote:
  case DTypeRule::BoolResult:
    return common;
  case DTypeRule::PromoteFloat:
    return toFloating(inf, common);
  case DTypeRule::PerResult: { // div with rounding_mode
    bool isTrue = inf.isNone("rounding_mode");
    llvm::StringRef mode = inf.strValue("rounding_mode");
    if (!isTrue && mode != "trunc" && mode != "floor")
      inf.raise("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{0}'",
                mode);
    return isTrue ? toFloating(inf, common) : common;
  }
  default:
    return inf.self().dtype;
  }
}

static DType typeOfResult(const OpInfo &op, DType computed) {
  if (op.id == OpId::square && isBool(computed)) // self ** 2 with a Python integer
    return DType::Int64;
  if (op.dtypeRule == DTypeRule::BoolResult)
    return DType::Bool;
  return op.dtypeRule == DTypeRule::RealOfSelf ? toReal(computed) : computed;
}

/// The number itself where it is known.
static std::optional<double> knownNumber(const ArgValue &value) {
  if (const auto *i = value.getIf<ArgValue::Int>())
    if (std::optional<int64_t> v = i->value.asConstant())
      return double(*v);
  if (const auto *f = value.getIf<ArgValue::Float>())
    return f->value;
  return std::nullopt;
}

static void checkAlpha(Inference &inf, DType computed) {
  if (!inf.hasArg("alpha") || inf.op.name == "celu" || inf.op.name == "elu")
    return;
  const ArgValue &alpha = inf.arg("alpha");
  if (alpha.is<ArgValue::Bool>() && !isBool(computed))
    inf.raise("Boolean alpha only supported for Boolean results.");
  if (alpha.is<ArgValue::Float>() && !isFloat(computed) && !isComplex(computed))
    inf.raise("For integral input tensors, argument alpha must not be a floating point number.");
  if (alpha.is<ArgValue::Complex>() && !isComplex(computed))
    inf.raise("For non-complex input tensors, argument alpha must not be a complex number.");
}

static void checkSubtraction(Inference &inf, llvm::ArrayRef<const TensorMeta *> operands) {
  bool first = isBool(operands[0]->dtype), second = isBool(operands[1]->dtype);
  if (first && second)
    inf.raise("Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` "
              "or `logical_xor()` operator instead.");
  else if (first || second)
    inf.raise("Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
              "trying to invert a mask, use the `~` or `logical_not()` operator instead.");
}

static void checkExponent(Inference &inf) {
  std::optional<double> exponent = knownNumber(inf.arg("exponent"));
  if (!isFloat(inf.self().dtype) && !isComplex(inf.self().dtype) &&
      inf.arg("exponent").is<ArgValue::Int>() && exponent && *exponent < 0)
    inf.raise("Integers to negative integer powers are not allowed.");
}

/// All operands of one type, which these kernels do not promote.
static void checkSameType(Inference &inf, llvm::StringRef name) {
  const TensorMeta *other = inf.tensor(name);
  if (name == "weight" && other->dim() == 0 && other->dtype != inf.self().dtype)
    return inf.unsupported("a weight of no dimensions and another type");
  if (other && other->dtype != inf.self().dtype)
    inf.raise("expected dtype {0} for `{1}` but got dtype {2}", cppTypeName(inf.self().dtype), name,
              cppTypeName(other->dtype));
}

/// Kernels that compute with halves in float, and convert their parameters to it.
static bool widensParameters(OpId id) {
  switch (id) {
  case OpId::lerp_Scalar:
  case OpId::addcmul:
  case OpId::addcdiv:
  case OpId::leaky_relu:
  case OpId::elu:
  case OpId::celu:
  case OpId::softplus:
    return true;
  default: // they convert to halves
    return false;
  }
}

/// Parameters that eager converts to the type it computes in.
static void checkParameters(Inference &inf, DType computed) {
  bool isHalf = computed == DType::Float16 || computed == DType::BFloat16;
  if (isHalf && widensParameters(inf.op.id))
    computed = DType::Float32;
  bool isPower = inf.op.id == OpId::pow_Tensor_Scalar;
  bool areOperands =
      takesNumbersAsParameters(inf.op.id) && (!isPower || isHalf || isInteger(computed));
  for (auto [arg, value] : llvm::zip_equal(inf.op.args, inf.args)) {
    if (arg.type != ArgType::Scalar || (arg.isOperand && !areOperands))
      continue;
    if (!inf.op.kernelTakes(computed)) {                            // it would convert them
      if (inf.op.id == OpId::celu || inf.op.id == OpId::softshrink) // compared before
        inf.checkNumber(value, DType::Float64);
      continue;
    }
    // A threshold is compared in float, what stands below it is written.
    bool isCompared = inf.op.id == OpId::threshold && arg.name == "threshold" && isHalf;
    inf.checkNumber(value, isCompared ? DType::Float32 : computed);
  }
}

static double greatestOf(DType dtype) {
  return dtype == DType::Float16 ? 65504.0 : std::numeric_limits<double>::max();
}

/// Parameters that eager's activations refuse before they look at tensors.
static void checkActivation(Inference &inf, DType computed) {
  auto isNegative = [&](llvm::StringRef name) {
    std::optional<double> value = knownNumber(inf.arg(name));
    return value && *value < 0;
  };
  auto convert = [&](llvm::StringRef name, DType dtype) {
    if (std::optional<std::string> error = conversionError(inf.arg(name), dtype))
      inf.raise("{0}", *error);
  };
  switch (inf.op.id) {
  case OpId::hardtanh:
    for (llvm::StringRef name : {"min_val", "max_val"})
      if (isInteger(computed))
        convert(name, DType::Int64);
    if (computed == DType::UInt8 && (isNegative("min_val") || isNegative("max_val")))
      inf.raise("cannot do hardtanh on an unsigned type with negative limits");
    return;
  case OpId::celu:
    convert("alpha", DType::Float64);
    if (knownNumber(inf.arg("alpha")) == 0)
      inf.raise("ZeroDivisionError: alpha cannot be 0 for CELU");
    return;
  case OpId::softshrink:
    if (std::optional<double> lambd = knownNumber(inf.arg("lambd"));
        lambd && inf.op.kernelTakes(computed) && !(*lambd >= 0 && *lambd <= greatestOf(computed)))
      inf.raise("lambda must be in range [0, the largest number] for input dtype {0}",
                scalarTypeName(computed));
    return;
  default: // no parameter that is checked
    return;
  }
}

/// addcdiv divides only floating tensors, whatever it adds them to.
static void checkAddcdiv(Inference &inf, DType computed) {
  DType divided = inf.resultType({inf.tensor("tensor1"), inf.tensor("tensor2")});
  if (isInteger(divided) || isBool(divided))
    inf.raise("Integer division with addcdiv is no longer supported, and in a future  release "
              "addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv "
              "behavior can be implemented as (input + value * torch.trunc(tensor1 / "
              "tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / "
              "tensor2) for float inputs. The future addcdiv behavior is just the latter "
              "implementation: (input + value * tensor1 / tensor2), for all dtypes.");
}

static void checkClamp(Inference &inf) {
  bool isMinOrMax = inf.op.id == OpId::clamp_min || inf.op.id == OpId::clamp_max;
  if (!isMinOrMax && inf.isNone("min") && inf.isNone("max"))
    return inf.raise("torch.clamp: At least one of 'min' or 'max' must not be None");
  bool isComplexBound = isMinOrMax && inf.args[1].is<ArgValue::Complex>();
  if (isComplex(inf.self().dtype) || isComplexBound)
    inf.raiseAs(PyErrorKind::NotImplementedError, "clamp is not supported for complex types");
}

/// What eager refuses when it has made the iterator: parameters of the kernel.
static void checkKernelParameters(Inference &inf, DType computed) {
  checkAlpha(inf, computed);
  checkParameters(inf, computed);
  if (inf.op.id == OpId::gelu && inf.strValue("approximate") != "none" &&
      inf.strValue("approximate") != "tanh")
    inf.raise("approximate argument must be either none or tanh.");
}

/// What eager refuses beyond its kernels' types.
static void checkOperation(Inference &inf, const Operands &operands, DType computed) {
  if (clampsToNumbers(inf.op.id) || inf.op.id == OpId::clamp_Tensor)
    checkClamp(inf);
  switch (inf.op.id) {
  case OpId::sub_Tensor:
  case OpId::sub_Scalar:
  case OpId::rsub_Tensor:
  case OpId::rsub_Scalar:
    return checkSubtraction(inf, operands.iterated);
  case OpId::div_Tensor_mode:
  case OpId::div_Scalar_mode:
    if ((isComplex(computed) || isBool(computed)) && !inf.isNone("rounding_mode"))
      inf.refuse(("div_" + inf.strValue("rounding_mode") + "_cpu").str(), computed);
    return;
  case OpId::pow_Tensor_Scalar:
    return checkExponent(inf);
  case OpId::lerp_Tensor:
    checkSameType(inf, "weight");
    return checkSameType(inf, "end");
  case OpId::lerp_Scalar:
    return checkSameType(inf, "end");
  case OpId::addcdiv:
    return checkAddcdiv(inf, computed);
  default: // nothing beyond the kernel's types and what activations refuse
    return checkActivation(inf, computed);
  }
}

static Exprs broadcastAll(Inference &inf, llvm::ArrayRef<const TensorMeta *> operands) {
  Exprs sizes = operands.front()->sizes;
  for (const TensorMeta *t : operands.drop_front())
    inf.broadcastInto(sizes, t->sizes);
  return sizes;
}

/// Operations that write to `empty_like(self)`, which has the strides of a tensor without elements,
/// too; an iterator makes them row-major.
static bool writesLikeSelf(Inference &inf) {
  DType dtype = inf.self().dtype;
  switch (inf.op.id) {
  case OpId::deg2rad:
  case OpId::rad2deg:
  case OpId::nan_to_num:
  case OpId::relu6:
  case OpId::hardtanh:
    return true;
  case OpId::isinf:
  case OpId::isfinite:
    return isInteger(dtype) || isBool(dtype);
  case OpId::abs:
    return isComplex(dtype);
  default:
    return false;
  }
}

/// isinf is abs(self) == inf, isfinite (self == self) * (abs(self) != inf), of complex numbers each
/// of their real parts first.
static Exprs stridesOfInfinities(Inference &inf) {
  TensorMeta part = inf.self();
  if (isComplex(part.dtype))
    for (Expr &stride : part.strides)
      stride = inf.sym.mul(stride, inf.constant(2));
  TensorMeta absolute = part, compared = part, same = part;
  absolute.strides = same.strides = inf.iteratorStrides(part.sizes, {&part});
  compared.strides = inf.numberedStrides(absolute);
  return inf.op.id == OpId::isinf ? compared.strides
                                  : inf.iteratorStrides(part.sizes, {&same, &compared});
}

/// Strides from the operands as the iterator sees them: those of another type than is computed in
/// are converted first, to what `empty_like` gives.
static Exprs pointwiseStrides(Inference &inf, llvm::ArrayRef<Expr> sizes,
                              llvm::ArrayRef<const TensorMeta *> operands, DType computed) {
  if (writesLikeSelf(inf))
    return inf.likeStrides(inf.self());
  if (inf.op.id == OpId::isinf || inf.op.id == OpId::isfinite)
    return stridesOfInfinities(inf);
  llvm::SmallVector<TensorMeta, 3> converted(operands.size());
  llvm::SmallVector<const TensorMeta *, 3> seen(operands);
  for (auto [i, t] : llvm::enumerate(operands))
    if (t->dtype != computed && t->dim() > 1) {
      converted[i] = *t;
      converted[i].strides = inf.likeStrides(*t);
      seen[i] = &converted[i];
    }
  return inf.iteratorStrides(sizes, seen);
}

void ptc::aten::inferPointwise(Inference &inf) {
  Operands operands = collectOperands(inf);
  DType computed = computeType(inf, operands.promoting);
  checkOperation(inf, operands, computed);
  if (inf.failed())
    return;
  inf.isIterating = true;
  checkKernelParameters(inf, computed);
  if (inf.failed())
    return;
  Exprs sizes = broadcastAll(inf, operands.iterated);
  inf.checkKernel(computed);
  if (inf.failed())
    return;
  bool isDense = inf.op.id == OpId::pow_Scalar || inf.op.id == OpId::log_sigmoid;
  Exprs strides =
      isDense ? inf.contiguous(sizes) : pointwiseStrides(inf, sizes, operands.iterated, computed);
  inf.add(inf.make(typeOfResult(inf.op, computed), sizes, strides));
}

void ptc::aten::inferWhere(Inference &inf) {
  const TensorMeta *condition = inf.tensor("condition");
  if (!isBool(condition->dtype) && condition->dtype != DType::UInt8)
    return inf.raise("where expected condition to be a boolean tensor, but got a tensor with dtype "
                     "{0}",
                     scalarTypeName(condition->dtype));
  const TensorMeta *a = inf.tensorOrNumber(inf.arg("self"));
  const TensorMeta *b = inf.tensorOrNumber(inf.arg("other"));
  llvm::SmallVector<const TensorMeta *, 3> operands{condition, a, b};
  Exprs sizes = broadcastAll(inf, operands);
  if (inf.failed())
    return;
  DType dtype = inf.resultType({a, b});
  bool isHalf = dtype == DType::Float16 || dtype == DType::BFloat16;
  for (llvm::StringRef name : {"self", "other"}) // halves get infinity
    inf.checkNumber(inf.arg(name), isHalf ? DType::Float64 : dtype);
  // What has another type is converted first.
  llvm::SmallVector<TensorMeta, 2> converted(2);
  for (auto [i, meta] : llvm::enumerate(converted))
    if (const TensorMeta *&t = operands[i + 1]; t->dtype != dtype && t->dim() > 1) {
      meta = *t;
      meta.strides = inf.likeStrides(*t);
      t = &meta;
    }
  inf.add(inf.make(dtype, sizes, inf.iteratorStrides(sizes, operands)));
}

void ptc::aten::inferMaskedFill(Inference &inf) {
  const TensorMeta *mask = inf.tensor("mask"), *value = inf.tensor("value");
  if (!isBool(mask->dtype))
    return inf.raise("masked_fill_ only supports boolean masks, but got mask with dtype {0}",
                     cppTypeName(mask->dtype));
  if (value && value->dim() != 0)
    return inf.raise("masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                     "{0} dimension(s).",
                     value->dim());
  inf.checkNumber(inf.arg("value"), inf.self().dtype);
  Exprs sizes = mask->sizes;
  inf.broadcastInto(sizes, inf.self().sizes);
  inf.add(inf.make(inf.self().dtype, sizes));
}

void ptc::aten::inferCopy(Inference &inf) {
  const TensorMeta &self = inf.self(), *src = inf.tensor("src");
  inf.isIterating = true;
  Exprs sizes = self.sizes;
  inf.broadcastInto(sizes, src->sizes);
  if (inf.failed())
    return;
  if (!inf.sameSizes(sizes, self.sizes, "copy_ keeps the sizes"))
    return inf.raise("output with shape {0} doesn't match the broadcast shape {1}",
                     inf.str(self.sizes), inf.str(sizes));
  TensorMeta meta = inf.make(self.dtype, self.sizes, inf.cloneStrides(self));
  meta.device = self.device;
  inf.add(meta);
}

void ptc::aten::inferFill(Inference &inf) {
  if (inf.hasArg("value"))
    if (const TensorMeta *value = inf.tensor("value"); value && value->dim() != 0)
      return inf.raise("fill_ only supports 0-dimension value tensor but got tensor with {0} "
                       "dimensions.",
                       value->dim());
  if (inf.hasArg("value"))
    inf.checkFilled(inf.arg("value"), inf.self().dtype, inf.self().sizes);
  inf.add(inf.make(inf.self().dtype, inf.self().sizes, inf.likeStrides(inf.self())));
}

void ptc::aten::inferGlu(Inference &inf) {
  const TensorMeta &self = inf.self();
  if (self.dim() == 0)
    return inf.raise("glu does not support 0-dimensional tensors");
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  if (inf.failed())
    return;
  Expr two = inf.constant(2);
  if (!inf.isEqual(inf.sym.mod(self.sizes[dim], two), 0, "glu halves a dimension"))
    return inf.raise("Halving dimension must be even, but dimension {0} is size {1}", dim,
                     inf.str(self.sizes[dim]));
  inf.checkKernel(self.dtype);
  TensorMeta half = self;
  half.sizes[dim] = inf.sym.floordiv(self.sizes[dim], two);
  inf.add(inf.make(self.dtype, half.sizes, inf.iteratorStrides(half.sizes, {&half, &half})));
}

void ptc::aten::inferPrelu(Inference &inf) {
  const TensorMeta &self = inf.self(), *weight = inf.tensor("weight");
  if (self.dtype != weight->dtype)
    return inf.raise("prelu: Type promoting not supported. Got {0} and {1}",
                     scalarTypeName(self.dtype), scalarTypeName(weight->dtype));
  if (weight->dim() > 1)
    return inf.raise("prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {0}",
                     weight->dim());
  Expr count = numel(inf.sym, *weight);
  if (!inf.isEqual(count, 1, "one slope or one per channel")) {
    if (self.dim() == 0)
      return inf.raise("Not allow zero-dim input tensor.");
    Expr channels = self.dim() > 1 ? self.sizes[1] : inf.constant(1);
    if (!inf.isEqual(channels, count, "one slope per channel"))
      return inf.raise("Mismatch of parameter numbers and input channel size. Found parameter "
                       "numbers = {0} and channel size = {1}.",
                       inf.str(count), inf.str(channels));
  }
  inf.checkKernel(self.dtype);
  inf.add(inf.make(self.dtype, self.sizes, inf.likeStrides(self)));
}
