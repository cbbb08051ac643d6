//===- Promote.h - torch.result_type ----------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_PROMOTE_H
#define PTC_DIALECT_ATEN_IR_PROMOTE_H

#include "ptc/Dialect/Aten/IR/Meta.h"

#include "llvm/ADT/ArrayRef.h"

namespace ptc::aten {

/// The classes of operands, from the one that decides to the one that only raises the category.
enum class OperandClass : uint8_t { Dimensioned, ZeroDim, Number };

struct PromotedOperand {
  DType dtype;
  OperandClass kind;
};

/// The type in which eager computes with these operands. A Python float or complex counts as of the
/// default type. There is at least one operand.
DType resultType(llvm::ArrayRef<PromotedOperand> operands, DType defaultDType);

/// What eager says where `number`, which is a number, has no value of `dtype` (c10::Scalar::to);
/// none if it has one, or is known only at run time.
std::optional<std::string> conversionError(const ArgValue &number, DType dtype);

/// What eager says then.
std::string conversionText(DType dtype);
/// The least and the greatest finite value of a type that is not bool, and of the real part of a
/// complex one, as numbers that are converted to it. Negative integers wrap to unsigned types,
/// negative floats do not.
std::pair<double, double> convertibleRange(DType dtype, bool isFromFloat);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_PROMOTE_H
