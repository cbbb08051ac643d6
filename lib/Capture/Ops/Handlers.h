//===- Handlers.h - The handlers of all canonical instructions --*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_OPS_HANDLERS_H
#define PTC_LIB_CAPTURE_OPS_HANDLERS_H

#include "../Objects.h"
#include "Ops.h"

namespace ptc::capture::ops {

#define PTC_OPCODE(Name, ...) Flow op##Name(Engine &e, ObjectId frame, const Instr &instr);
#include "ptc/Bytecode/Opcodes.def"

/// The name that a name operand means.
inline NameId nameOf(Engine &e, ObjectId frame, const Instr &instr) {
  return e.frameInfo(frame).record->names[instr.arg];
}

/// Fails where an operand is of a kind that the handler does not expect (Operands.cpp).
Flow checkOperands(Engine &e, ObjectId frame, const Instr &instr);

/// Enters a context manager: leaves its bound exit method and calls its enter method. `protocol` is
/// what an object without these lacks.
Flow beginWith(Engine &e, ObjectId frame, llvm::StringRef enterName, llvm::StringRef exitName,
               llvm::StringRef protocol);

/// Refuses the file: no compiler writes the instruction in this place.
FailAny unfit(Engine &e, ObjectId frame, const Instr &instr, const llvm::Twine &why);

} // namespace ptc::capture::ops

/// The definition of one handler.
#define PTC_OP(Name) Flow ops::op##Name(Engine &e, ObjectId frame, const Instr &instr)

#endif // PTC_LIB_CAPTURE_OPS_HANDLERS_H
