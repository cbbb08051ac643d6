//===- ScalarEval.h - arith and math on one element -----------------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_PLAN_EVAL_SCALAREVAL_H
#define PTC_LIB_DIALECT_PLAN_EVAL_SCALAREVAL_H

#include "ptc/Support/DType.h"

#include "mlir/IR/Operation.h"

#include "llvm/ADT/ArrayRef.h"

namespace ptc::plan {

/// An integer (also i1 and index), or a float of any width held exactly.
struct Scalar {
  int64_t integer = 0;
  double real = 0;
};

/// The value of an integer or float attribute.
Scalar constantOf(mlir::Attribute value);
/// The type that elements of a kernel are kept in; signless integers count as signed.
DType storageType(mlir::Type element);
/// A value as the type holds it: floats rounded, integers wrapped (i1: 0 or 1).
Scalar narrow(Scalar value, DType type);

using ScalarFunction = Scalar (*)(mlir::Operation *op, llvm::ArrayRef<Scalar> operands);
/// Null for an operation that has no meaning here. What it returns is not narrowed yet.
ScalarFunction findScalarFunction(mlir::Operation *op);

} // namespace ptc::plan

#endif // PTC_LIB_DIALECT_PLAN_EVAL_SCALAREVAL_H
