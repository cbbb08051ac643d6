//===- Plan.h - The plan dialect ----------------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PLAN_IR_PLAN_H
#define PTC_DIALECT_PLAN_IR_PLAN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ptc/Dialect/Plan/IR/PlanEnums.h.inc"

#include "ptc/Dialect/Plan/IR/PlanDialect.h.inc"

#define GET_OP_CLASSES
#include "ptc/Dialect/Plan/IR/PlanOps.h.inc"

namespace ptc::plan {

/// The type as it is inside a kernel: without encoding.
mlir::RankedTensorType plainType(mlir::Type tensor);

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_IR_PLAN_H
