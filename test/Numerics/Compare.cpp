//===- Compare.cpp - Results of the evaluator against eager's --------------------===//
//
// In: two values, and what they are in double precision. Out: nothing, or a line that says what
// differs. Ours must be the exact number rounded once; eager's must have the exact number within
// what rounding every step allows, or the two do not compute the same thing.
//
//===----------------------------------------------------------------------===//
#include "Compare.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace ptc;
using namespace ptc::numerics;
using aten::OpInfo;
using aten::ShapeRule;

namespace {

/// How results are compared.
enum class Family {
  Exact,     ///< moved or written elements
  Stepwise,  ///< one or two roundings, the same ones in eager
  Reference, ///< against double precision
};

/// A type's relative distance between neighbours, and its smallest positive number.
struct Rounding {
  double eps, tiny;
};

} // namespace

/// Pointwise operations of a few exact steps: eager and we agree on each.
static bool isArithmetic(const OpInfo &op) {
  for (llvm::StringRef libm :
       {"exp", "log", "sin", "cos", "tan", "sqrt", "erf", "pow", "lgamma", "gamma", "hypot", "lerp",
        "gelu", "logit", "xlogy", "atan", "acos", "asin"})
    if (op.payload.contains(libm))
      return false;
  return true;
}

static Family familyOf(const OpInfo &op) {
  switch (op.shapeRule) {
  case ShapeRule::Where:
  case ShapeRule::MaskedFill:
  case ShapeRule::Copy:
  case ShapeRule::Fill:
    return Family::Exact;
  case ShapeRule::Pointwise:
    if (op.id == aten::OpId::nan_to_num) // what it puts for infinity depends on the type
      return Family::Exact;
    return isArithmetic(op) ? Family::Stepwise : Family::Reference;
  default: // moves of elements pass the reference's bound as they pass any
    break;
  }
  if (op.has(aten::OpFlag::View) || op.has(aten::OpFlag::MaybeView))
    return Family::Exact;
  return Family::Reference;
}

static std::optional<Rounding> roundingOf(DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return Rounding{0x1p-10, 0x1p-24};
  case DType::BFloat16:
    return Rounding{0x1p-7, 0x1p-133};
  case DType::Float32:
  case DType::Complex64:
    return Rounding{0x1p-23, 0x1p-149};
  case DType::Float64:
  case DType::Complex128:
    return Rounding{0x1p-52, 0x1p-1074};
  case DType::Bool:
  case DType::UInt8:
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int64:
    return std::nullopt;
  }
  llvm_unreachable("closed enum");
}

static bool isNear(double a, double b, double bound) {
  if (std::isinf(bound))
    return true;
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  return std::fabs(a - b) <= bound;
}

static bool isNear(std::complex<double> a, std::complex<double> b, double bound) {
  return isNear(a.real(), b.real(), bound) && isNear(a.imag(), b.imag(), bound);
}

namespace {

/// An operation that gives a zero of one sign in some sizes and of the other in others.
struct ZeroRow {
  llvm::StringLiteral op; ///< overload
  llvm::StringLiteral why;
};

} // namespace

static constexpr ZeroRow kZeroRows[] = {
    {"maximum", "of zeros the scalar loop keeps the first, the vector loop the second"},
    {"minimum", "as maximum"},
    {"max.other", "as maximum"},
    {"min.other", "as maximum"},
    {"fmax", "of zeros bfloat16 keeps the second, other types the first"},
    {"fmin", "as fmax"},
    {"clamp.Tensor", "as maximum"},
    {"clamp_min.Tensor", "as maximum"},
    {"clamp_max.Tensor", "as maximum"},
    {"amax", "as maximum"},
    {"amin", "as maximum"},
    {"max", "as maximum: the lanes of a vector are joined last"},
    {"min", "as max"},
    {"softshrink", "the scalar loop multiplies by zero, the vector loop sets it"},
    {"lerp.Scalar", "the vector loop fuses the last step"},
    {"lerp.Tensor", "as lerp.Scalar"},
    {"mm", "a product of one term: BLAS writes it, we add it to zero"},
    {"matmul", "as mm"},
    {"linear", "as mm; without terms eager copies the bias, we add zero to it"},
    {"addmm", "as linear"},
    {"baddbmm", "as linear"},
    {"addmv", "as linear"},
    {"scaled_dot_product_attention", "as mm: of one key"},
    {"nll_loss", "as cross_entropy_loss"},
    {"nll_loss_nd", "as cross_entropy_loss"},
    {"conv1d", "as mm"},
    {"conv1d.padding", "as mm"},
    {"conv2d", "as mm"},
    {"conv2d.padding", "as mm"},
    {"conv3d", "as mm"},
    {"conv3d.padding", "as mm"},
    {"convolution", "as mm"},
    {"native_batch_norm", "of one element per channel: its deviation from itself, times a weight"},
    {"instance_norm", "as native_batch_norm"},
    {"group_norm", "of a weight of zero: eager multiplies the element and adds to it"},
    {"batch_norm", "as native_batch_norm"},
    {"_native_batch_norm_legit_functional", "as native_batch_norm"},
    {"_native_batch_norm_legit_no_training", "as native_batch_norm"},
    {"conv_transpose1d", "as mm"},
    {"conv_transpose2d.input", "as mm"},
    {"conv_transpose3d.input", "as mm"},
    {"nll_loss_forward", "as cross_entropy_loss"},
    {"cross_entropy_loss", "zero minus a zero, or the negative of it"},
    {"upsample_bilinear2d", "neighbours without weight add zeros of their own sign"},
    {"upsample_bilinear2d.vec", "as upsample_bilinear2d"},
};

/// Whether one is 0.0 and the other -0.0.
static bool zerosDiffer(double a, double b) {
  return a == 0 && b == 0 && std::signbit(a) != std::signbit(b);
}

/// Zeros of different signs where eager's sign is a fact. It is none where eager computes with
/// complex numbers: its vector loops subtract from zero and multiply by parts.
static bool zerosDiffer(const OpInfo &op, std::complex<double> a, std::complex<double> b) {
  if (!zerosDiffer(a.real(), b.real()) && !zerosDiffer(a.imag(), b.imag()))
    return false;
  return llvm::none_of(kZeroRows, [&](const ZeroRow &row) { return row.op == op.name; });
}

namespace {

/// How far ours may be from `expected`, and eager's from it.
struct Bounds {
  std::complex<double> expected;
  double ours, eager;
};

} // namespace

/// Ours is evaluated in double and rounded once, but for pointwise operations, which both of us
/// evaluate in their own type; eager rounds at every step (see Reference.h).
template <typename T>
static Bounds referenceBounds(const Reference &reference, const WideResult &wide, size_t i,
                              bool isStepwise, Rounding type) {
  std::complex<double> exact = wide.values[i];
  auto rounded = convertElement<std::complex<double>>(convertElement<T>(exact));
  if (!std::isfinite(rounded.real()) || !std::isfinite(rounded.imag()))
    return {rounded, 0, 0};
  double scale = std::abs(exact) + wide.movement[i];
  double absolute = reference.absolute + type.tiny;
  double stepwise = reference.terms * type.eps * scale + absolute;
  double once = type.eps * std::abs(exact) + reference.terms * 0x1p-52 * scale + absolute;
  return {exact, isStepwise ? stepwise : once, stepwise + reference.eagerAbsolute};
}

/// Against eager's own number: a fused multiply-add here or there, the four products of a complex
/// one. Where eager's sum cancels, its rounding follows the summands.
static Bounds stepwiseBounds(std::complex<double> eager, const WideResult *wide, size_t i,
                             Rounding type, bool isComplex) {
  double scale = std::isfinite(std::abs(eager)) ? std::abs(eager) : 0;
  // A step (floor, a comparison) moves by more than 2^20: no rounding is allowed there.
  if (wide && wide->movement[i] < 0x1p20 * (1 + scale))
    scale += wide->movement[i];
  return {eager, (isComplex ? 4 : 1) * type.eps * scale + type.tiny, 0};
}

template <typename T>
static std::string compareElements(const OpInfo &op, const HostTensor &ours,
                                   const HostTensor &eager, const Reference *reference,
                                   const WideResult *wide) {
  std::optional<Rounding> type = roundingOf(ours.dtype());
  // A product of halves is one after each factor, bit for bit eager's.
  bool isOfHalves = isHalfElement<T> && op.baseName() == "prod";
  Family family = type && !isOfHalves ? familyOf(op) : Family::Exact;
  for (size_t i = 0; i < size_t(ours.numel()); ++i) {
    auto x = convertElement<std::complex<double>>(ours.data<T>()[i]);
    auto y = convertElement<std::complex<double>>(eager.data<T>()[i]);
    Bounds bounds{y, 0, 0};
    if constexpr (!std::is_integral_v<T>) {
      if (family == Family::Reference && wide)
        bounds =
            referenceBounds<T>(*reference, *wide, i, op.shapeRule == ShapeRule::Pointwise, *type);
      else if (family != Family::Exact)
        bounds = stepwiseBounds(y, wide, i, *type, IsComplexElement<T>::value);
    }
    // Where summands cancel, a rounding decides between 0.0 and less.
    bool cancels = family == Family::Reference && wide && wide->movement[i] != 0;
    auto text = [](std::complex<double> z) {
      return llvm::formatv("{0:e9} {1:e9}j", z.real(), z.imag()).str();
    };
    if constexpr (std::is_integral_v<T>) {
      if (ours.data<T>()[i] != eager.data<T>()[i])
        return llvm::formatv("element {0}: {1}, eager {2}", i, x.real(), y.real());
    } else if (!isNear(x, bounds.expected, bounds.ours)) {
      return llvm::formatv("element {0}: {1}, expected {2} within {3:e3}, eager {4}", i, text(x),
                           text(bounds.expected), bounds.ours, text(y));
    } else if (!isNear(y, bounds.expected, bounds.eager)) {
      return llvm::formatv("element {0}: {1}, eager is {2}, not within {3:e3}", i, text(x), text(y),
                           bounds.eager);
    } else if ((family == Family::Exact || !IsComplexElement<T>::value) && !cancels &&
               zerosDiffer(op, x, y)) {
      return llvm::formatv("element {0}: {1}, eager has a zero of the other sign", i, text(x));
    }
  }
  return "";
}

static std::string compareTensors(const OpInfo &op, const HostTensor &ours, const HostTensor &eager,
                                  const Reference *reference, const WideResult *wide) {
  if (ours.isDefined() != eager.isDefined())
    return "one is None";
  if (!ours.isDefined())
    return "";
  if (ours.dtype() != eager.dtype())
    return llvm::formatv("dtype {0}, eager {1}", getDTypeInfo(ours.dtype()).torchName,
                         getDTypeInfo(eager.dtype()).torchName);
  if (ours.sizes() != eager.sizes())
    return "sizes " + toString(ours) + ", eager " + toString(eager);
  for (int64_t d = 0; d < ours.dim(); ++d)
    if (ours.size(d) != 1 && ours.stride(d) != eager.stride(d))
      return llvm::formatv("stride({0}) {1}, eager {2}", d, ours.stride(d), eager.stride(d));
  if (op.baseName().starts_with("empty") || op.baseName() == "new_empty")
    return ""; // eager's elements are arbitrary
  if (wide && wide->values.size() != size_t(ours.numel()))
    wide = nullptr;
  std::string difference;
  visitDType(ours.dtype(), [&](auto tag) {
    difference = compareElements<typename decltype(tag)::Type>(op, ours.contiguous(),
                                                               eager.contiguous(), reference, wide);
  });
  return difference;
}

static bool haveSameBits(const HostTensor &ours, const HostTensor &eager) {
  if (!ours.isDefined() || !eager.isDefined())
    return ours.isDefined() == eager.isDefined();
  if (ours.dtype() != eager.dtype() || ours.sizes() != eager.sizes())
    return false;
  HostTensor a = ours.contiguous(), b = eager.contiguous();
  bool isSame = false;
  visitDType(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    isSame = std::memcmp(a.data<T>(), b.data<T>(), size_t(a.numel()) * sizeof(T)) == 0;
  });
  return isSame;
}

bool ptc::numerics::haveSameBits(const HostValue &ours, const HostValue &eager) {
  const auto *a = ours.getIf<HostTensor>(), *b = eager.getIf<HostTensor>();
  if (a && b)
    return ::haveSameBits(*a, *b);
  const auto *as = ours.getIf<HostValue::TensorList>(), *bs = eager.getIf<HostValue::TensorList>();
  if (as && bs)
    return llvm::equal(*as, *bs, [](auto &x, auto &y) { return ::haveSameBits(x, y); });
  return !a && !b && !as && !bs; // other values are compared as they are
}

std::string ptc::numerics::compareValues(const OpInfo &op, const HostValue &ours,
                                         const HostValue &eager, const Reference *reference,
                                         size_t &nextTensor) {
  auto wide = [&]() -> const WideResult * {
    size_t index = nextTensor++;
    return reference && index < reference->results.size() ? &reference->results[index] : nullptr;
  };
  // An undefined tensor of eager comes back as None.
  if (eager.isNone() && ours.is<HostTensor>() && !ours.tensor().isDefined()) {
    ++nextTensor;
    return "";
  }
  if (const auto *a = ours.getIf<HostTensor>())
    return eager.is<HostTensor>() ? compareTensors(op, *a, eager.tensor(), reference, wide())
                                  : "not a tensor";
  if (const auto *a = ours.getIf<HostValue::TensorList>()) {
    const auto *b = eager.getIf<HostValue::TensorList>();
    if (!b || a->size() != b->size())
      return "lists of different lengths";
    for (auto [x, y] : llvm::zip_equal(*a, *b))
      if (std::string difference = compareTensors(op, x, y, reference, wide()); !difference.empty())
        return difference;
    return "";
  }
  if (ours.isNumber() && eager.isNumber() && ours.sum.index() == eager.sum.index() &&
      ours.asComplex() == eager.asComplex())
    return "";
  std::string a = toString(ours), b = toString(eager);
  return a == b ? "" : a + ", eager " + b;
}
