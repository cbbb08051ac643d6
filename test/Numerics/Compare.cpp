//===- Compare.cpp - Results of the evaluator against eager's --------------------===//
//
// In: two values. Out: nothing, or a line that says what differs.
//
//===----------------------------------------------------------------------===//
#include "Compare.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace ptc;
using namespace ptc::numerics;
using aten::OpInfo;
using aten::ShapeRule;

namespace {

enum class Family { Exact, Arithmetic, Libm, Reduction, StoredSum };

} // namespace

/// Pointwise operations that round at most once or twice: eager and we agree on each step.
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
    return isArithmetic(op) ? Family::Arithmetic : Family::Libm;
  case ShapeRule::Convolution:
  case ShapeRule::ConvTranspose:
  case ShapeRule::Nll:
    return Family::StoredSum;
  default: // moves of elements are compared as arithmetic, sums as reductions, by name below
    break;
  }
  if (op.has(aten::OpFlag::View) || op.has(aten::OpFlag::MaybeView))
    return Family::Exact;
  return Family::Reduction;
}

Tolerance ptc::numerics::toleranceOf(const OpInfo &op, DType dtype) {
  // Units in the last place of each type, as relative errors.
  double ulp = 0;
  switch (dtype) {
  case DType::Float16:
    ulp = 0x1p-10;
    break;
  case DType::BFloat16:
    ulp = 0x1p-7;
    break;
  case DType::Float32:
  case DType::Complex64:
    ulp = 0x1p-23;
    break;
  case DType::Float64:
  case DType::Complex128:
    ulp = 0x1p-52;
    break;
  case DType::Bool:
  case DType::UInt8:
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int64:
    return {};
  }
  bool isHalf = dtype == DType::Float16 || dtype == DType::BFloat16;
  bool complex = isComplex(dtype);
  switch (familyOf(op)) {
  case Family::Exact:
    return {};
  case Family::Arithmetic: // fused multiply-add in eager's vector code, complex division
    return {(isHalf ? 1 : complex ? 8 : 2) * ulp, (complex ? 8 : isHalf ? 1 : 2) * ulp};
  case Family::Libm: // SLEEF's 1 ulp and a rounding, amplified where the function is steep
    return {(isHalf ? 1 : 16) * ulp, (isHalf ? 1 : 8) * ulp};
  case Family::Reduction: // eager sums a hundred products of 9 or less in the type itself
    return {(isHalf ? 2 : 32) * ulp, (isHalf ? 2 : 256) * ulp};
  case Family::StoredSum: // eager rounds each sum to the type: a unit of sums below 128
    return {(isHalf ? 16 : 32) * ulp, (isHalf ? 128 : 256) * ulp};
  }
  llvm_unreachable("closed enum");
}

static bool isClose(double a, double b, Tolerance tolerance) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  return std::fabs(a - b) <= tolerance.absolute + tolerance.relative * std::fabs(b);
}

static std::string compareTensors(const OpInfo &op, const HostTensor &ours,
                                  const HostTensor &eager) {
  if (ours.isDefined() != eager.isDefined())
    return "one is None";
  if (!ours.isDefined())
    return "";
  if (ours.dtype() != eager.dtype())
    return llvm::formatv("dtype {0}, eager {1}", getDTypeInfo(ours.dtype()).torchName,
                         getDTypeInfo(eager.dtype()).torchName);
  if (ours.sizes() != eager.sizes())
    return "sizes " + toString(ours) + ", eager " + toString(eager);
  if (ours.numel())
    for (int64_t d = 0; d < ours.dim(); ++d)
      if (ours.size(d) > 1 && ours.stride(d) != eager.stride(d))
        return llvm::formatv("stride({0}) {1}, eager {2}", d, ours.stride(d), eager.stride(d));
  if (op.baseName().starts_with("empty") || op.baseName() == "new_empty")
    return ""; // eager's elements are arbitrary
  Tolerance tolerance = toleranceOf(op, ours.dtype());
  HostTensor a = ours.contiguous(), b = eager.contiguous();
  std::string difference;
  visitDType(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0; i < a.numel() && difference.empty(); ++i) {
      T x = a.data<T>()[i], y = b.data<T>()[i];
      bool isEqual;
      std::complex<double> cx = convertElement<std::complex<double>>(x),
                           cy = convertElement<std::complex<double>>(y);
      if constexpr (std::is_integral_v<T>) {
        isEqual = x == y;
      } else if constexpr (IsComplexElement<T>::value) {
        Tolerance scaled = tolerance; // the error of one part follows the size of both
        if (std::isfinite(std::abs(cy)))
          scaled.absolute += tolerance.relative * std::abs(cy);
        isEqual = isClose(cx.real(), cy.real(), scaled) && isClose(cx.imag(), cy.imag(), scaled);
      } else {
        isEqual = isClose(cx.real(), cy.real(), tolerance);
      }
      if (!isEqual)
        difference = llvm::formatv("element {0}: {1} {2}j, eager {3} {4}j", i, cx.real(), cx.imag(),
                                   cy.real(), cy.imag());
    }
  });
  return difference;
}

std::string ptc::numerics::compareValues(const OpInfo &op, const HostValue &ours,
                                         const HostValue &eager) {
  // An undefined tensor of eager comes back as None.
  if (eager.isNone() && ours.is<HostTensor>() && !ours.tensor().isDefined())
    return "";
  if (const auto *a = ours.getIf<HostTensor>())
    return eager.is<HostTensor>() ? compareTensors(op, *a, eager.tensor()) : "not a tensor";
  if (const auto *a = ours.getIf<HostValue::TensorList>()) {
    const auto *b = eager.getIf<HostValue::TensorList>();
    if (!b || a->size() != b->size())
      return "lists of different lengths";
    for (auto [x, y] : llvm::zip_equal(*a, *b))
      if (std::string difference = compareTensors(op, x, y); !difference.empty())
        return difference;
    return "";
  }
  if (ours.isNumber() && eager.isNumber() && ours.sum.index() == eager.sum.index() &&
      ours.asComplex() == eager.asComplex())
    return "";
  std::string a = toString(ours), b = toString(eager);
  return a == b ? "" : a + ", eager " + b;
}
