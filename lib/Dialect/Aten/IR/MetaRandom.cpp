//===- MetaRandom.cpp - Shape functions of random numbers --------------------===//
//
// In: the tensor that is filled or sampled, and parameters of a distribution. Out: the tensor of
// the numbers, or what eager says of a parameter or type.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "ptc/Dialect/Aten/IR/Promote.h"
#include "ptc/Dialect/Aten/IR/RandomRange.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

static const llvm::fltSemantics &semanticsOf(DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return llvm::APFloat::IEEEhalf();
  case DType::BFloat16:
    return llvm::APFloat::BFloat();
  case DType::Float64:
    return llvm::APFloat::IEEEdouble();
  default: // float32: callers ask for float types only
    return llvm::APFloat::IEEEsingle();
  }
}

static int digitsOf(DType dtype) {
  return int(llvm::APFloat::semanticsPrecision(semanticsOf(dtype)));
}

int64_t ptc::aten::greatestExact(DType dtype) {
  if (isBool(dtype))
    return 1;
  if (isFloat(dtype))
    return int64_t(1) << digitsOf(dtype);
  const DTypeInfo &info = getDTypeInfo(dtype);
  int bits = info.bytes * 8 - (info.kind == DTypeKind::Signed);
  return kMost >> (63 - bits);
}

/// An integer as its nearest of a float type, by way of float for 16 bits; what is outside of 64
/// bits then is the least integer, as by cvttss2si.
static int64_t roundTo(DType dtype, int64_t value) {
  llvm::APFloat rounded(0.0);
  if (dtype == DType::Float64)
    rounded = llvm::APFloat(double(value));
  else
    rounded = llvm::APFloat(float(value));
  bool isLossy = false;
  rounded.convert(semanticsOf(dtype), llvm::APFloat::rmNearestTiesToEven, &isLossy);
  llvm::APSInt integer(64, /*isUnsigned=*/false);
  bool isExact = false;
  if (rounded.convertToInteger(integer, llvm::APFloat::rmTowardZero, &isExact) ==
      llvm::APFloat::opInvalidOp)
    return kLeast;
  return integer.getExtValue();
}

/// The distance of the numbers of a float type around `value`.
static int64_t spacingAt(DType dtype, int64_t value) {
  uint64_t magnitude = value < 0 ? -uint64_t(value) : uint64_t(value);
  return int64_t(1) << (int(llvm::Log2_64(magnitude)) - digitsOf(dtype) + 1);
}

/// The least and the greatest integer that fit, for the real types that do not hold all of them.
static std::pair<int64_t, int64_t> limitsOf(DType dtype) {
  if (dtype == DType::Float16)
    return {-65504, 65504};
  if (isFloat(dtype))
    return {kLeast, kMost};
  int64_t most = greatestExact(dtype);
  return {getDTypeInfo(dtype).kind == DTypeKind::Signed ? -most - 1 : 0, most};
}

std::string ptc::aten::outOfBounds(llvm::StringRef what, DType dtype) {
  return llvm::formatv("{0} is out of bounds for {1}", what, cppTypeName(dtype)).str();
}

/// first … last, if they fit.
static RandomRange boundedRange(DType dtype, int64_t first, int64_t last) {
  auto [least, most] = limitsOf(dtype);
  RandomRange range{first, uint64_t(last) - uint64_t(first) + 1, "", PyErrorKind::RuntimeError};
  if (first < least || first > most)
    range.error = outOfBounds("from", dtype);
  else if (last < least || last > most)
    range.error = outOfBounds("to - 1", dtype);
  return range;
}

/// random_(-2**63, None).
static RandomRange wholeRange(DType dtype) {
  constexpr llvm::StringLiteral kKernel = "random_full_64_bits_range_kernel_cpu";
  RandomRange range;
  if (dtype == DType::Float16) {
    range.error = llvm::formatv("\"{0}\" not implemented for 'Half'", kKernel).str();
    range.errorKind = PyErrorKind::NotImplementedError;
  } else if (!isFloat(dtype) && dtype != DType::Int64) {
    range.error = (kKernel + " handles only int64, double, float and bfloat16").str();
  }
  return range;
}

RandomRange ptc::aten::getRandomRange(DType dtype, int64_t from, std::optional<int64_t> to) {
  RandomRange failed;
  if (to && from >= *to) {
    failed.error = llvm::formatv(
        "random_ expects 'from' to be less than 'to', but got from={0} >= to={1}", from, *to);
    return failed;
  }
  if (!to && from == kLeast)
    return wholeRange(dtype);
  if (!isFloat(dtype))
    return boundedRange(dtype, from, to ? *to - 1 : greatestExact(dtype));
  if (int64_t next = roundTo(dtype, int64_t(uint64_t(from) + 1)); next < from)
    from = next + spacingAt(dtype, int64_t(uint64_t(from) + 1));
  if (!to) {
    int64_t last = greatestExact(dtype);
    if (from < last)
      return boundedRange(dtype, from, last);
    failed.error = llvm::formatv("random_ expects 'from' casted to dtype to be less than or equal "
                                 "to 'to_inc' casted to dtype, but got from={0} > to_inc={1}",
                                 from, last);
    return failed;
  }
  if (int64_t last = roundTo(dtype, *to - 1); last >= *to)
    *to = last - spacingAt(dtype, *to - 1);
  if (from < *to)
    return boundedRange(dtype, from, *to - 1);
  failed.error = llvm::formatv("random_ expects 'from' casted to dtype to be less than 'to' casted "
                               "to dtype, but got from={0} >= to={1}",
                               from, *to);
  return failed;
}

void ptc::aten::checkRandomRange(Inference &inf, DType dtype, Expr from, std::optional<Expr> to) {
  if (inf.failed())
    return;
  if (to && !inf.isLess(from, *to, "range of random integers"))
    return inf.raise("random_ expects 'from' to be less than 'to', but got from={0} >= to={1}",
                     inf.str(from), inf.str(*to));
  if (isComplex(dtype))
    return inf.raise("{0} handles only integral, floating-point and boolean types",
                     to ? "check_random_bounds" : "random_from_to_impl");
  std::optional<int64_t> first = from.asConstant(), end = to ? to->asConstant() : std::nullopt;
  if (first && end.has_value() == to.has_value()) {
    RandomRange range = getRandomRange(dtype, *first, end);
    if (!range.error.empty() && !(*first == kLeast && !to && inf.isVacant(inf.self())))
      inf.raiseAs(range.errorKind, "{0}", range.error);
    return;
  }
  auto [least, most] = limitsOf(dtype);
  if (least != kLeast && inf.isLess(from, inf.constant(least), "range of random integers"))
    return inf.raise("{0}", outOfBounds("from", dtype));
  if (most != kMost && to &&
      inf.isLess(inf.constant(most), inf.sym.sub(*to, inf.constant(1)), "range of random integers"))
    return inf.raise("{0}", outOfBounds("to - 1", dtype));
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

static auto numberText(double x) { return llvm::format("%g", x); }

/// The bounds of uniform numbers, which are drawn for each part of a complex one.
static void checkUniformRange(Inference &inf, double from, double to) {
  const TensorMeta &self = inf.self();
  if (isComplex(self.dtype) && inf.isVacant(self))
    return;
  DType part = toReal(self.dtype);
  if (!isFloat(part))
    return inf.refuse("check_uniform_bounds", part);
  for (auto [name, bound] : {std::pair("from", from), std::pair("to", to)})
    if (!std::isfinite(bound) || conversionError(ArgValue::Float{bound}, part))
      return inf.raise("{0}", outOfBounds(name, part));
  if (!(from <= to))
    return inf.raise("uniform_ expects to return a [from, to) range, but found from={0} > to={1}",
                     numberText(from), numberText(to));
  if (conversionError(ArgValue::Float{to - from}, part))
    inf.raise("uniform_ expects to-from <= std::numeric_limits<{0}>::max(), but found to={1} and "
              "from={2} which result in to-from to exceed the limit",
              scalarTypeName(part), numberText(to), numberText(from));
}

static constexpr double kAboveZero = 0x1p-1074, kBelowOne = 1 - 0x1p-53;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr ParameterRule kParameters[] = {
    {"bernoulli", "p", "bernoulli_ expects p to be in [0, 1], but got p=", 0, 1},
    {"exponential", "lambd", "exponential_ expects lambda > 0.0, but found lambda=", kAboveZero,
     kInfinity},
    {"log_normal", "std", "log_normal_ expects std > 0.0, but found std=", kAboveZero, kInfinity},
    {"cauchy", "sigma", "cauchy_ expects sigma > 0.0, but found sigma=", kAboveZero, kInfinity},
    {"geometric", "p", "geometric_ expects p to be in (0, 1), but got p=", kAboveZero, kBelowOne},
    {"normal", "std", "normal expects std >= 0.0, but found std ", 0, kInfinity},
    {"normal_functional", "std", "normal expects std >= 0.0, but found std ", 0, kInfinity},
};

llvm::ArrayRef<ParameterRule> ptc::aten::getParameterRules() { return kParameters; }

/// Eager looks at the type of these where there are elements, of Cauchy numbers always.
static void checkFilledType(Inference &inf) {
  llvm::StringRef name = inf.op.baseName();
  if (name == "cauchy" && !isFloat(inf.self().dtype))
    inf.raise("Cauchy distribution is a continuous probability distribution. dtype must be a "
              "floating point but you specified {0}",
              cppTypeName(inf.self().dtype));
  if (inf.isVacant(inf.self()) &&
      llvm::is_contained({"exponential", "geometric", "log_normal", "random"}, name))
    inf.acceptKernel();
}

/// Parameters outside of what the distribution allows; those known at run time only pass.
static void checkDistribution(Inference &inf) {
  if (inf.hasArg("to") && inf.op.baseName() == "random") {
    Expr first = inf.hasArg("from") ? inf.intExpr("from") : inf.constant(0);
    std::optional<Expr> end;
    if (!inf.isNone("to"))
      end = inf.intExpr("to");
    inf.isIterating = true;
    return checkRandomRange(inf, inf.self().dtype, first, end);
  }
  auto known = [&](llvm::StringRef name) {
    return inf.hasArg(name) ? inf.floatValue(name) : std::nullopt;
  };
  std::optional<double> from = known("from"), to = known("to");
  if (inf.op.baseName() == "uniform" && from && to)
    return checkUniformRange(inf, *from, *to);
  for (const ParameterRule &rule : kParameters)
    if (inf.op.baseName() == rule.op)
      if (std::optional<double> value = known(rule.parameter); value && !rule.allows(*value))
        return inf.raise("{0}{1}", rule.text, numberText(*value));
  checkFilledType(inf);
}

void ptc::aten::inferRandomFrom(Inference &inf) {
  checkDistribution(inf);
  const TensorMeta &self = inf.self();
  bool isBernoulli = inf.op.baseName() == "bernoulli";
  inf.add(inf.make(self.dtype, self.sizes,
                   isBernoulli ? inf.contiguous(self.sizes) : inf.likeStrides(self)));
}

void ptc::aten::inferMultinomial(Inference &inf) {
  const TensorMeta &self = inf.self();
  Expr samples = inf.intExpr("num_samples");
  if (self.dim() < 1 || self.dim() > 2)
    return inf.raise("prob_dist must be 1 or 2 dim");
  if (!isFloat(self.dtype))
    return inf.raise("multinomial only supports floating-point dtypes for input, got: {0}",
                     scalarTypeName(self.dtype));
  if (!inf.isLess(inf.constant(0), samples, "number of samples"))
    return inf.raise("cannot sample n_sample <= 0 samples");
  if (!inf.boolValue("replacement") && inf.isLess(self.sizes.back(), samples, "number of samples"))
    return inf.raise("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  Exprs sizes = self.sizes;
  sizes.back() = samples;
  inf.add(inf.make(DType::Int64, sizes));
}
