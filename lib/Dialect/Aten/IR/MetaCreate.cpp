//===- MetaCreate.cpp - Shape functions of creation and host reads ---===//
//
// In: sizes, types, devices. Out: new tensors; run-time scalars for what the host reads.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "ptc/Dialect/Aten/IR/Promote.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

static void checkSizes(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  for (Expr size : sizes)
    if (inf.isLess(size, inf.constant(0), "sizes are not negative") && inf.op.id == OpId::zeros)
      return inf.raise("zeros: Dimension size must be non-negative.");
    else if (inf.isLess(size, inf.constant(0), "sizes are not negative"))
      return inf.raise("Trying to create tensor with negative dimension {0}: {1}", inf.str(size),
                       inf.str(sizes));
}

/// The type that torch.full and arange take from a Python number.
static DType typeOfNumber(Inference &inf, const ArgValue &value) {
  if (value.is<ArgValue::Bool>())
    return DType::Bool;
  if (value.is<ArgValue::Int>())
    return DType::Int64;
  return value.is<ArgValue::Complex>() ? toComplex(inf.ctx.defaultDType()) : inf.ctx.defaultDType();
}

/// Random distributions exist for some types only.
static void checkDistribution(Inference &inf, DType dtype) {
  llvm::StringRef name = inf.op.baseName();
  llvm::StringRef kernel;
  if (!isFloat(dtype) && (name == "rand" || name == "rand_like") && !isComplex(dtype))
    kernel = "check_uniform_bounds";
  if (!isFloat(dtype) && !isComplex(dtype) &&
      (name == "randn" || name == "randn_like" || name == "normal"))
    kernel = "normal_kernel_cpu";
  if (!kernel.empty())
    inf.refuse(kernel, dtype);
}

static void checkRange(Inference &inf, DType dtype) {
  if (!inf.hasArg("high"))
    return;
  Expr low = inf.hasArg("low") ? inf.intExpr("low") : inf.constant(0);
  checkRandomRange(inf, dtype, low, inf.intExpr("high"));
}

static void addNew(Inference &inf, DType dtype, llvm::ArrayRef<Expr> sizes,
                   llvm::ArrayRef<Expr> strides, Device device) {
  checkSizes(inf, sizes);
  for (llvm::StringRef name : {"fill_value", "s"})
    if (inf.hasArg(name))
      inf.checkFilled(inf.arg(name), dtype, sizes);
  TensorMeta meta = inf.make(dtype, sizes, strides);
  meta.device = device;
  inf.add(meta);
}

void ptc::aten::inferFactory(Inference &inf) {
  DType dtype = inf.ctx.defaultDType();
  if (inf.op.id == OpId::full)
    dtype = typeOfNumber(inf, inf.arg("fill_value"));
  dtype = inf.dtypeArg().value_or(dtype);
  Exprs sizes;
  if (inf.hasArg("size"))
    sizes = Exprs(inf.exprList("size"));
  checkRange(inf, dtype);
  checkDistribution(inf, dtype);
  MemoryFormat format = inf.hasArg("memory_format") ? inf.memoryFormatArg(MemoryFormat::Contiguous)
                                                    : MemoryFormat::Contiguous;
  addNew(inf, dtype, sizes, denseStrides(inf.sym, sizes, format),
         inf.deviceArg(inf.ctx.defaultDevice()));
}

void ptc::aten::inferEmptyStrided(Inference &inf) {
  llvm::ArrayRef<Expr> sizes = inf.exprList("size"), strides = inf.exprList("stride");
  if (sizes.size() != strides.size())
    return inf.raise("dimensionality of sizes ({0}) must match dimensionality of strides ({1})",
                     sizes.size(), strides.size());
  addNew(inf, inf.dtypeArg().value_or(inf.ctx.defaultDType()), sizes, strides,
         inf.deviceArg(inf.ctx.defaultDevice()));
}

void ptc::aten::inferFactoryLike(Inference &inf) {
  const TensorMeta &self = inf.self();
  DType dtype = inf.dtypeArg().value_or(self.dtype);
  checkRange(inf, dtype);
  checkDistribution(inf, dtype);
  addNew(inf, dtype, self.sizes, inf.likeStrides(self, inf.memoryFormatArg(MemoryFormat::Preserve)),
         inf.deviceArg(self.device));
}

void ptc::aten::inferNewFactory(Inference &inf) {
  llvm::ArrayRef<Expr> sizes = inf.exprList("size");
  addNew(inf, inf.dtypeArg().value_or(inf.self().dtype), sizes, inf.contiguous(sizes),
         inf.deviceArg(inf.self().device));
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

/// ceil((end - start) / step) where all are integers that may be symbolic.
static Expr countIntegers(Inference &inf, Expr start, Expr end, Expr step) {
  std::optional<int64_t> s = step.asConstant();
  if (!s) {
    inf.unsupported("arange with a step known only at run time");
    return {};
  }
  if (*s == 0) {
    inf.raise("step must be nonzero");
    return {};
  }
  bool fits = *s > 0 ? inf.isTrue(Cmp::LE, start, end, "arange runs upwards")
                     : inf.isTrue(Cmp::GE, start, end, "arange runs downwards");
  if (!fits) {
    inf.raise("upper bound and lower bound inconsistent with step sign");
    return {};
  }
  return inf.sym.ceildiv(inf.sym.sub(end, start), step);
}

/// An integer, or a float that is one and that doubles tell from its neighbours; else unsupported.
static Expr wholeNumber(Inference &inf, const ArgValue &arg) {
  if (const auto *given = arg.getIf<ArgValue::Int>())
    return given->value;
  const auto *given = arg.getIf<ArgValue::Float>();
  const bool isWhole = given && given->value && std::trunc(*given->value) == *given->value &&
                       std::abs(*given->value) < 0x1p53;
  return isWhole ? inf.constant(int64_t(*given->value)) : Expr();
}

/// The same where a number is a float.
static Expr countReals(Inference &inf, std::optional<double> start, std::optional<double> end,
                       std::optional<double> step) {
  if (!start || !end || !step) {
    inf.unsupported("arange with bounds known only at run time");
    return {};
  }
  if (*step == 0) {
    inf.raise("step must be nonzero");
    return {};
  }
  if (!std::isfinite(*start) || !std::isfinite(*end)) {
    inf.raise("unsupported range: {0} -> {1}", *start, *end);
    return {};
  }
  if ((*step > 0) != (*end >= *start) && *end != *start) {
    inf.raise("upper bound and lower bound inconsistent with step sign");
    return {};
  }
  double count = std::ceil((*end - *start) / *step);
  if (count < 0 || count >= 0x1p62) {
    inf.raise("invalid size, possible overflow?");
    return {};
  }
  return inf.constant(int64_t(count));
}

void ptc::aten::inferArange(Inference &inf) {
  bool isReal = false;
  for (llvm::StringRef name : {"start", "end", "step"})
    isReal |= inf.hasArg(name) && inf.arg(name).is<ArgValue::Float>();
  DType dtype = inf.dtypeArg().value_or(isReal ? inf.ctx.defaultDType() : DType::Int64);
  if (isBool(dtype) || isComplex(dtype))
    return inf.refuse("arange_cpu", dtype);
  for (llvm::StringRef name : {"start", "end", "step"})
    if (isReal && isInteger(dtype) && inf.hasArg(name))
      inf.checkNumber(inf.arg(name), DType::Int64);
  if (isReal && dtype == DType::Int64 && inf.hasArg("step"))
    if (std::optional<double> step = inf.floatValue("step");
        step && *step != 0 && std::trunc(*step) == 0)
      return inf.raiseAs(PyErrorKind::ValueError, "step must be nonzero");
  if (inf.failed())
    return;
  Expr count;
  if (isReal) {
    auto number = [&](llvm::StringRef name, double otherwise) {
      return inf.hasArg(name) ? inf.floatValue(name) : std::optional(otherwise);
    };
    auto whole = [&](llvm::StringRef name, int64_t otherwise) {
      return inf.hasArg(name) ? wholeNumber(inf, inf.arg(name)) : inf.constant(otherwise);
    };
    std::optional<double> first = number("start", 0), last = number("end", 0);
    Expr start = whole("start", 0), end = whole("end", 0), step = whole("step", 1);
    const bool isOfSizes =
        (!first || !last) && start.isSupported() && end.isSupported() && step.isSupported();
    count = isOfSizes ? countIntegers(inf, start, end, step)
                      : countReals(inf, first, last, number("step", 1));
  } else {
    auto number = [&](llvm::StringRef name, int64_t otherwise) {
      return inf.hasArg(name) ? inf.intExpr(name) : inf.constant(otherwise);
    };
    Expr start = number("start", 0), end = number("end", 0), step = number("step", 1);
    if (inf.failed())
      return;
    count = countIntegers(inf, start, end, step);
  }
  if (!inf.failed())
    addNew(inf, dtype, {count}, {inf.constant(1)}, inf.deviceArg(inf.ctx.defaultDevice()));
}

void ptc::aten::inferLinspace(Inference &inf) {
  Expr steps = inf.intExpr("steps");
  if (inf.isLess(steps, inf.constant(0), "sizes are not negative"))
    return inf.raise("number of steps must be non-negative");
  if (inf.arg("start").is<ArgValue::Complex>() || inf.arg("end").is<ArgValue::Complex>())
    return inf.unsupported("a complex range");
  DType dtype = inf.dtypeArg().value_or(inf.ctx.defaultDType());
  bool isEmpty = inf.proves(Cmp::EQ, steps, inf.constant(0)) == true;
  bool isOne = inf.proves(Cmp::EQ, steps, inf.constant(1)) == true; // only start is looked at
  if (isBool(dtype) && !isEmpty && !isOne)
    inf.refuse("linspace_cpu", dtype);
  if (!isEmpty)
    inf.checkNumber(inf.arg("start"), dtype);
  if (!isEmpty && !isOne)
    inf.checkNumber(inf.arg("end"), dtype);
  addNew(inf, dtype, {steps}, {inf.constant(1)}, inf.deviceArg(inf.ctx.defaultDevice()));
}

void ptc::aten::inferEye(Inference &inf) {
  Expr n = inf.intExpr("n"), m = inf.hasArg("m") ? inf.intExpr("m") : n;
  for (auto [name, size] : {std::pair("n", n), std::pair("m", m)})
    if (inf.isLess(size, inf.constant(0), "sizes are not negative"))
      return inf.raise("{0} must be greater or equal to 0, got {1}", name, inf.str(size));
  addNew(inf, inf.dtypeArg().value_or(inf.ctx.defaultDType()), {n, m}, inf.contiguous({n, m}),
         inf.deviceArg(inf.ctx.defaultDevice()));
}

void ptc::aten::inferRandperm(Inference &inf) {
  Expr n = inf.intExpr("n");
  if (DType dtype = inf.dtypeArg().value_or(DType::Int64); isComplex(dtype) || isBool(dtype))
    inf.refuse("randperm", dtype);
  addNew(inf, inf.dtypeArg().value_or(DType::Int64), {n}, {inf.constant(1)},
         inf.deviceArg(inf.ctx.defaultDevice()));
}

//===----------------------------------------------------------------------===//
// Reading by the host
//===----------------------------------------------------------------------===//

static ResultValue::Kind scalarKind(DType dtype) {
  if (isBool(dtype))
    return ResultValue::Kind::Bool;
  if (isComplex(dtype))
    return ResultValue::Kind::Complex;
  return isFloat(dtype) ? ResultValue::Kind::Float : ResultValue::Kind::Int;
}

void ptc::aten::inferItem(Inference &inf) {
  Expr count = numel(inf.sym, inf.self());
  bool isOne = inf.isEqual(count, 1, "one element is read");
  if (inf.op.id == OpId::is_nonzero) {
    if (!isOne && inf.isEqual(count, 0, "one element is read"))
      return inf.raise("Boolean value of Tensor with no values is ambiguous");
    if (!isOne)
      return inf.raise("Boolean value of Tensor with more than one value is ambiguous");
    return inf.addScalar(ResultValue::Kind::Bool);
  }
  if (!isOne)
    return inf.raise("a Tensor with {0} elements cannot be converted to Scalar", inf.str(count));
  inf.addScalar(scalarKind(inf.self().dtype));
}

void ptc::aten::inferEqual(Inference &inf) {
  inf.sameSizes(inf.self().sizes, inf.tensor("other")->sizes, "tensors of equal sizes");
  inf.addScalar(ResultValue::Kind::Bool);
}
