//===- MetaPromote.cpp - Type promotion --------------------------------------===//
//
// In: element types with their rank (tensor, 0-dim tensor, Python number). Out: the type that eager
// computes in. The rules are torch.result_type's: categories bool < integral < floating < complex;
// a lower rank class only raises the category.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"
#include "ptc/Dialect/Aten/IR/Promote.h"

#include "llvm/Support/ErrorHandling.h"

#include <cmath>
#include <limits>
#include <utility>

using namespace ptc;
using namespace ptc::aten;

llvm::StringRef ptc::aten::scalarTypeName(DType dtype) {
  switch (dtype) {
  case DType::UInt8:
    return "Byte";
  case DType::Int8:
    return "Char";
  case DType::Int16:
    return "Short";
  case DType::Int32:
    return "Int";
  case DType::Int64:
    return "Long";
  case DType::Float16:
    return "Half";
  case DType::Float32:
    return "Float";
  case DType::Float64:
    return "Double";
  case DType::Complex64:
    return "ComplexFloat";
  case DType::Complex128:
    return "ComplexDouble";
  case DType::Bool:
    return "Bool";
  case DType::BFloat16:
    return "BFloat16";
  }
  llvm_unreachable("closed enum");
}

llvm::StringRef ptc::aten::cppTypeName(DType dtype) {
  switch (dtype) {
  case DType::UInt8:
    return "unsigned char";
  case DType::Int8:
    return "signed char";
  case DType::Int16:
    return "short int";
  case DType::Int32:
    return "int";
  case DType::Int64:
    return "long int";
  case DType::Float16:
    return "c10::Half";
  case DType::Float32:
    return "float";
  case DType::Float64:
    return "double";
  case DType::Complex64:
    return "c10::complex<float>";
  case DType::Complex128:
    return "c10::complex<double>";
  case DType::Bool:
    return "bool";
  case DType::BFloat16:
    return "c10::BFloat16";
  }
  llvm_unreachable("closed enum");
}

DType ptc::aten::toComplex(DType dtype) {
  return dtype == DType::Float64 || dtype == DType::Complex128 ? DType::Complex128
                                                               : DType::Complex64;
}

DType ptc::aten::toReal(DType dtype) {
  if (dtype == DType::Complex64)
    return DType::Float32;
  return dtype == DType::Complex128 ? DType::Float64 : dtype;
}

/// bool 0, integral 1, floating 2, complex 3.
static int category(DType dtype) {
  switch (getDTypeInfo(dtype).kind) {
  case DTypeKind::Bool:
    return 0;
  case DTypeKind::Unsigned:
  case DTypeKind::Signed:
    return 1;
  case DTypeKind::Float:
    return 2;
  case DTypeKind::Complex:
    return 3;
  }
  llvm_unreachable("closed enum");
}

DType ptc::aten::promoteTypes(DType a, DType b) {
  if (a == b)
    return a;
  int ca = category(a), cb = category(b);
  if (ca < cb)
    return promoteTypes(b, a);
  const DTypeInfo &ia = getDTypeInfo(a), &ib = getDTypeInfo(b);
  if (ca == 3)
    return cb >= 2 && (ib.bytes == 16 || b == DType::Float64) ? DType::Complex128 : a;
  if (ca > cb)
    return a;
  if (ca == 2)
    return ia.bytes == ib.bytes ? DType::Float32 : ia.bytes > ib.bytes ? a : b;
  // Integers: uint8 with int8 needs int16; otherwise the wider one.
  if (ia.bytes == ib.bytes)
    return DType::Int16;
  return ia.bytes > ib.bytes ? a : b;
}

bool ptc::aten::canCast(DType from, DType to) {
  if (isComplex(from) && !isComplex(to))
    return false;
  if (isFloat(from) && (isInteger(to) || isBool(to)))
    return false;
  return !(isInteger(from) && isBool(to));
}

DType ptc::aten::combineCategories(std::optional<DType> higher, std::optional<DType> lower) {
  if (!higher)
    return lower.value_or(DType::Float32);
  if (!lower || isComplex(*higher))
    return *higher;
  if (isFloat(*higher))
    return isComplex(*lower) ? toComplex(*higher) : *higher;
  if (isBool(*higher) || isFloat(*lower) || isComplex(*lower))
    return promoteTypes(*higher, *lower);
  return *higher;
}

DType ptc::aten::resultType(llvm::ArrayRef<PromotedOperand> operands, DType defaultDType) {
  std::optional<DType> classes[3];
  for (PromotedOperand operand : operands) {
    DType dtype = operand.dtype;
    if (operand.kind == OperandClass::Number && isComplex(dtype))
      dtype = toComplex(defaultDType);
    else if (operand.kind == OperandClass::Number && isFloat(dtype))
      dtype = defaultDType;
    std::optional<DType> &slot = classes[size_t(operand.kind)];
    slot = slot ? promoteTypes(*slot, dtype) : dtype;
  }
  auto [dimensioned, zero, number] = classes;
  std::optional<DType> low;
  if (zero || number)
    low = combineCategories(zero, number);
  return combineCategories(dimensioned, low);
}

DType Inference::resultType(llvm::ArrayRef<const TensorMeta *> operands) {
  llvm::SmallVector<PromotedOperand, 4> classified;
  bool hasHalf = false, hasComplex = false;
  for (const TensorMeta *t : operands) {
    if (!t)
      continue;
    OperandClass kind = t->dim() > 0         ? OperandClass::Dimensioned
                        : t->isWrappedNumber ? OperandClass::Number
                                             : OperandClass::ZeroDim;
    classified.push_back({t->dtype, kind});
  }
  OperandClass deciding = OperandClass::Number;
  for (PromotedOperand operand : classified)
    deciding = std::min(deciding, operand.kind);
  std::optional<DType> decided;
  for (PromotedOperand operand : classified) {
    hasComplex |= operand.kind != deciding && isComplex(operand.dtype);
    if (operand.kind == deciding)
      decided = decided ? promoteTypes(*decided, operand.dtype) : operand.dtype;
  }
  hasHalf = decided == DType::Float16 && deciding != OperandClass::Number;
  if (hasHalf && hasComplex)
    unsupported("complex32 tensors");
  return aten::resultType(classified, ctx.defaultDType());
}

namespace {
/// What eager says where it is not `"<kernel>" not implemented for '<type>'`. {0}: the type.
struct Refusal {
  OpId op;
  unsigned kinds; ///< bits of DTypeKind
  PyErrorKind kind;
  llvm::StringLiteral text;
  bool isOfKernel = false; ///< else the operation checks it
};
} // namespace

static constexpr unsigned bit(DTypeKind kind) { return 1u << unsigned(kind); }
static constexpr unsigned kBool = bit(DTypeKind::Bool);
static constexpr unsigned kIntegral = kBool | bit(DTypeKind::Signed) | bit(DTypeKind::Unsigned);
static constexpr unsigned kComplex = bit(DTypeKind::Complex);
static constexpr PyErrorKind kNotImplemented = PyErrorKind::NotImplementedError;
static constexpr PyErrorKind kRuntime = PyErrorKind::RuntimeError;

static constexpr Refusal kRefusals[] = {
    {OpId::floor, kComplex, kNotImplemented, "floor is not supported for complex inputs"},
    {OpId::ceil, kComplex, kNotImplemented, "ceil is not supported for complex inputs"},
    {OpId::trunc, kComplex, kNotImplemented, "trunc is not supported for complex inputs"},
    {OpId::signbit, kComplex, kNotImplemented, "signbit is not implemented for complex tensors."},
    {OpId::relu, kBool, kRuntime, "Boolean inputs not supported for relu"},
    {OpId::relu, kComplex, kNotImplemented, "clamp is not supported for complex types"},
    {OpId::relu6, kBool, kRuntime, "Bool inputs not supported for hardtanh"},
    {OpId::relu6, kComplex, kNotImplemented, "clamp is not supported for complex types"},
    {OpId::hardtanh, kBool, kRuntime, "Bool inputs not supported for hardtanh"},
    {OpId::hardtanh, kComplex, kNotImplemented, "clamp is not supported for complex types"},
    {OpId::clamp, kComplex, kNotImplemented, "clamp is not supported for complex types"},
    {OpId::clamp_min, kComplex, kNotImplemented, "clamp is not supported for complex types"},
    {OpId::clamp_max, kComplex, kNotImplemented, "clamp is not supported for complex types"},
    {OpId::deg2rad, kComplex, kRuntime, "deg2rad is not supported for complex tensors."},
    {OpId::rad2deg, kComplex, kRuntime, "rad2deg is not supported for complex tensors."},
    {OpId::isposinf, kComplex, kRuntime, "isposinf does not support complex inputs."},
    {OpId::isneginf, kComplex, kRuntime, "isneginf does not support complex inputs."},
    {OpId::maximum, kComplex, kRuntime, "maximum not implemented for complex tensors."},
    {OpId::minimum, kComplex, kRuntime, "minimum not implemented for complex tensors."},
    {OpId::max_other, kComplex, kRuntime, "maximum not implemented for complex tensors."},
    {OpId::min_other, kComplex, kRuntime, "minimum not implemented for complex tensors."},
    {OpId::fmax, kComplex, kRuntime, "fmax not implemented for complex tensors."},
    {OpId::fmin, kComplex, kRuntime, "fmin not implemented for complex tensors."},
    {OpId::argmax, kBool, kRuntime, "argmax(): does not support bool input"},
    {OpId::argmax, kComplex, kRuntime, "argmax(): does not support complex input"},
    {OpId::argmin, kBool, kRuntime, "argmin(): does not support bool input"},
    {OpId::argmin, kComplex, kRuntime, "argmin(): does not support complex input"},
    {OpId::max_dim, kComplex, kRuntime, "max(): does not support complex input"},
    {OpId::min_dim, kComplex, kRuntime, "min(): does not support complex input"},
    {OpId::sort, kComplex, kRuntime, " Sort does not support complex dtypes on CPU"},
    {OpId::sort_stable, kComplex, kRuntime, " Sort does not support complex dtypes on CPU"},
    {OpId::argsort, kComplex, kRuntime, " Sort does not support complex dtypes on CPU"},
    {OpId::topk, kBool, kRuntime, "topk does not support bool dtypes on CPU"},
    {OpId::topk, kComplex, kRuntime, " topk does not support complex dtypes on CPU"},
    {OpId::clamp_Tensor, kBool, kNotImplemented, "\"clamp_cpu\" not implemented for 'Bool'", true},
    {OpId::clamp_Tensor, kComplex, kNotImplemented, "clamp is not supported for complex types"},
    {OpId::kl_div, kIntegral, kRuntime, "kl_div: Integral inputs not supported."},
    {OpId::kl_div, kComplex, kRuntime, "kl_div: Complex inputs not supported."},
    {OpId::bernoulli, kComplex, kNotImplemented,
     "\"bernoulli_tensor_cpu_self_\" not implemented for '{0}'", true},
    {OpId::exponential, kIntegral | kComplex, kRuntime,
     "Exponential distribution is a continuous probability distribution. dtype must be a floating "
     "point but you specified {0}",
     true},
    {OpId::sign, kComplex, kNotImplemented,
     "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn "
     "instead."},
    {OpId::neg, kBool, kRuntime,
     "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
     "mask, use the `~` or `logical_not()` operator instead."},
};

void Inference::checkKernel(DType dtype) {
  if (std::exchange(isKernelChecked, true))
    return;
  bool isHalfOpen = op.id == OpId::clamp_Tensor && (isNone("min") || isNone("max"));
  if (isHalfOpen && isBool(dtype)) // what maximum and minimum compute
    return;
  for (const Refusal &refusal : kRefusals)
    if (refusal.op == op.id && (refusal.kinds & bit(getDTypeInfo(dtype).kind))) {
      kernelRefusal = MetaResult::raise(
          refusal.kind, llvm::formatv(false, refusal.text.data(), scalarTypeName(dtype)).str());
      isRefusalOfKernel = refusal.isOfKernel;
      return;
    }
  if (!op.kernelTakes(dtype))
    refuse(op.kernel.empty() ? op.baseName().str() + "_cpu" : op.kernel.str(), dtype);
}

void Inference::refuse(llvm::StringRef kernel, DType dtype) {
  if (kernelRefusal)
    return;
  kernelRefusal = MetaResult::raise(
      kNotImplemented,
      llvm::formatv("\"{0}\" not implemented for '{1}'", kernel, scalarTypeName(dtype)).str());
  isRefusalOfKernel = true;
}

void Inference::settle() {
  if (!kernelRefusal || failed())
    return;
  result = *kernelRefusal;
  isOfKernel = isRefusalOfKernel;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// c10's name of a type that a number is converted to: "int8_t", "float".
static std::string numberName(DType dtype) {
  if (!isInteger(dtype) || dtype == DType::Int32)
    return cppTypeName(dtype).str();
  return (getDTypeInfo(dtype).torchName + "_t").str();
}

std::pair<double, double> ptc::aten::convertibleRange(DType dtype, bool isFromFloat) {
  const DTypeInfo &info = getDTypeInfo(dtype);
  switch (info.kind) {
  case DTypeKind::Unsigned: {
    double greatest = std::exp2(8.0 * info.bytes) - 1;
    return {isFromFloat ? 0 : -greatest, greatest};
  }
  case DTypeKind::Signed:
    return {-std::exp2(8.0 * info.bytes - 1), std::exp2(8.0 * info.bytes - 1) - 1};
  case DTypeKind::Bool:
  case DTypeKind::Float:
  case DTypeKind::Complex:
    break;
  }
  double greatest = std::numeric_limits<double>::max();
  if (dtype == DType::Float16)
    greatest = 65504;
  else if (dtype == DType::BFloat16)
    greatest = 0x1.FEp127;
  else if (dtype == DType::Float32 || dtype == DType::Complex64)
    greatest = std::numeric_limits<float>::max();
  return {-greatest, greatest};
}

/// Whether `part` is beyond what `dtype`, or the parts of a complex one, can hold.
static bool isBeyond(double part, DType dtype, bool isFromFloat) {
  if (!std::isfinite(part))
    return isInteger(dtype);
  auto [least, greatest] = convertibleRange(dtype, isFromFloat);
  return part < least || part > greatest;
}

std::optional<std::string> ptc::aten::conversionError(const ArgValue &number, DType dtype) {
  if (isBool(dtype))
    return std::nullopt;
  std::optional<double> real;
  bool isLost = false, isFromFloat = !number.is<ArgValue::Int>();
  if (const auto *z = number.getIf<ArgValue::Complex>()) {
    if (z->value)
      real = z->value->real();
    isLost = isComplex(dtype) ? z->value && isBeyond(z->value->imag(), dtype, isFromFloat)
                              : !z->value || z->value->imag() != 0;
  } else if (const auto *f = number.getIf<ArgValue::Float>()) {
    real = f->value;
  } else if (const auto *i = number.getIf<ArgValue::Int>()) {
    if (std::optional<int64_t> value = i->value.asConstant())
      real = double(*value);
  }
  isLost |= real && isBeyond(*real, dtype, isFromFloat);
  if (!isLost)
    return std::nullopt;
  return conversionText(dtype);
}

std::string ptc::aten::conversionText(DType dtype) {
  return "value cannot be converted to type " + numberName(dtype) + " without overflow";
}

/// Whether nobody knows before the run that `number` has a value of `dtype`.
static bool isOpen(const ArgValue &number, DType dtype) {
  if (isBool(dtype))
    return false;
  if (const auto *i = number.getIf<ArgValue::Int>())
    return !i->value.isConstant() && dtype != DType::Int64 &&
           (isInteger(dtype) || dtype == DType::Float16);
  const auto *f = number.getIf<ArgValue::Float>();
  return f && !f->value && dtype != DType::Float64 && dtype != DType::Complex128;
}

void Inference::checkNumber(const ArgValue &number, DType dtype) {
  if (std::optional<std::string> error = conversionError(number, dtype))
    raise("{0}", *error);
  if (isOpen(number, dtype))
    result.openNumbers.push_back({number, dtype});
}

void Inference::checkFilled(const ArgValue &number, DType dtype, llvm::ArrayRef<sym::Expr> sizes) {
  bool isHalf = dtype == DType::Float16 || dtype == DType::BFloat16;
  if (isHalf && (conversionError(number, dtype) || isOpen(number, dtype)) &&
      isEqual(sym.product(sizes), 1, "a number beyond the halves"))
    dtype = DType::Float64;
  checkNumber(number, dtype);
}
