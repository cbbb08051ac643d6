//===- Program.h - The program dialect ---------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PROGRAM_IR_PROGRAM_H
#define PTC_DIALECT_PROGRAM_IR_PROGRAM_H

#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ptc::program {

/// See Program_Lenient.
template <typename ConcreteType>
// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): the form that MLIR's traits have
class Lenient : public mlir::OpTrait::TraitBase<ConcreteType, Lenient> {};

} // namespace ptc::program

#include "ptc/Dialect/Program/IR/ProgramEnums.h.inc"

#include "ptc/Dialect/Program/IR/ProgramDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ptc/Dialect/Program/IR/ProgramTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ptc/Dialect/Program/IR/ProgramAttrs.h.inc"

namespace ptc::program {
/// A tuple of what a list holds that is its only child.
inline bool isTupleOfList(OutAttr node) {
  return node.getKind() == OutKind::Tuple && node.getText() && node.getText().getValue() == "*";
}
} // namespace ptc::program

#define GET_OP_CLASSES
#include "ptc/Dialect/Program/IR/ProgramOps.h.inc"

#endif // PTC_DIALECT_PROGRAM_IR_PROGRAM_H
