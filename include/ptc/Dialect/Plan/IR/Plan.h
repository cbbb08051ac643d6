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

#define GET_ATTRDEF_CLASSES
#include "ptc/Dialect/Plan/IR/PlanAttrs.h.inc"

#define GET_OP_CLASSES
#include "ptc/Dialect/Plan/IR/PlanOps.h.inc"

namespace ptc::plan {

/// Names of the attributes that say where values lie: see the dialect.
inline constexpr llvm::StringLiteral kPlacesAttr = "plan.places";
inline constexpr llvm::StringLiteral kStagingAttr = "plan.staging";
inline constexpr llvm::StringLiteral kArenaAttr = "plan.arena";
/// Of an operation of a kernel with rows and columns as its last loops: what it gives behind the
/// diagonal adds nothing to a result of the kernel.
inline constexpr llvm::StringLiteral kLowerTriangleAttr = "plan.lower_triangle";
/// Of an operation of a kernel: an OrderAttr.
inline constexpr llvm::StringLiteral kOrderAttr = "plan.order";

/// Whether a kernel of `family` reduces something, as its verifier asks.
bool mustReduce(Family family);

/// The tensor type as it is inside a kernel: without encoding, integers without sign.
mlir::RankedTensorType plainType(mlir::Type tensor);
/// The type of a kernel's argument for an input of `type`: plainType of a tensor, a number's own.
mlir::Type argumentType(mlir::Type type);

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_IR_PLAN_H
