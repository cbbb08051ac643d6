//===- MetaPromote.cpp - Type promotion --------------------------------------===//
//
// In: element types with their rank (tensor, 0-dim tensor, Python number). Out: the type that eager
// computes in. The rules are torch.result_type's: categories bool < integral < floating < complex;
// a lower rank class only raises the category.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "llvm/Support/ErrorHandling.h"

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

DType Inference::resultType(llvm::ArrayRef<const TensorMeta *> operands) {
  std::optional<DType> dimensioned, zero, wrapped;
  for (const TensorMeta *t : operands) {
    if (!t)
      continue;
    DType dtype = t->dtype;
    if (t->isWrappedNumber && isComplex(dtype))
      dtype = toComplex(ctx.defaultDType());
    else if (t->isWrappedNumber && isFloat(dtype))
      dtype = ctx.defaultDType();
    std::optional<DType> &slot = t->dim() > 0 ? dimensioned : t->isWrappedNumber ? wrapped : zero;
    slot = slot ? promoteTypes(*slot, dtype) : dtype;
  }
  auto isComplexOf = [](std::optional<DType> t) { return t && isComplex(*t); };
  if ((dimensioned == DType::Float16 && (isComplexOf(zero) || isComplexOf(wrapped))) ||
      (!dimensioned && zero == DType::Float16 && isComplexOf(wrapped)))
    unsupported("complex32 tensors");
  std::optional<DType> low;
  if (zero || wrapped)
    low = combineCategories(zero, wrapped);
  return combineCategories(dimensioned, low);
}

void Inference::checkKernel(DType dtype) {
  if (op.kernelTypes & uint8_t(classOf(dtype)))
    return;
  std::string kernel = op.kernel.empty() ? op.baseName().str() + "_cpu" : op.kernel.str();
  raiseAs(PyErrorKind::NotImplementedError, "\"{0}\" not implemented for '{1}'", kernel,
          scalarTypeName(dtype));
}
