//===- Dispatch.cpp - From opcode to handler ------------------------------------------===//
//
// One handler per row of Opcodes.def; a row without one does not link.
//
//===----------------------------------------------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

using Handler = Flow (*)(Engine &, ObjectId, const Instr &);

static constexpr Handler kHandlers[] = {
#define PTC_OPCODE(Name, ...) ops::op##Name,
#include "ptc/Bytecode/Opcodes.def"
};

Flow ops::dispatch(Engine &e, ObjectId frame, const Instr &instr) {
  if (checkOperands(e, frame, instr) == Flow::Fail)
    return Flow::Fail;
  return kHandlers[size_t(instr.op)](e, frame, instr);
}
