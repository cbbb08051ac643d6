//===- Guard.h - The guard dialect --------------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_GUARD_IR_GUARD_H
#define PTC_DIALECT_GUARD_IR_GUARD_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ptc/Dialect/Guard/IR/GuardDialect.h.inc"

#define GET_OP_CLASSES
#include "ptc/Dialect/Guard/IR/GuardOps.h.inc"

#endif // PTC_DIALECT_GUARD_IR_GUARD_H
