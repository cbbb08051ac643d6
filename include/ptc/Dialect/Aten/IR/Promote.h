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

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_PROMOTE_H
