//===- Record.cpp - Recording for the running instruction ----------------------------===//
//
// In: operations that handlers ask for. Out: SSA values on the tape. What an instruction recorded
// before it forked is found again on each side, by content and not by position: on a side the new
// fact may take a shorter way to the same point.
//
//===----------------------------------------------------------------------===//
#include "Engine.h"

#include <bit>

using namespace ptc::capture;

ValueId Engine::emitIn(TapeBlock &into, TapeOp op, std::vector<TapeArg> args, const TapeValue &type,
                       std::vector<TapeArg> attrs, uint16_t aten) {
  TapeInstr instr;
  instr.op = op;
  instr.aten = aten;
  instr.source = sourceHere();
  instr.args = std::move(args);
  instr.attrs = std::move(attrs);
  return tape.record(into, std::move(instr), type)[0];
}

ValueId Engine::emit(TapeOp op, std::vector<TapeArg> args, const TapeValue &type,
                     std::vector<TapeArg> attrs, uint16_t aten) {
  return emitMany(op, std::move(args), type, std::move(attrs), aten)[0];
}

std::vector<ValueId> Engine::emitMany(TapeOp op, std::vector<TapeArg> args,
                                      llvm::ArrayRef<TapeValue> types, std::vector<TapeArg> attrs,
                                      uint16_t aten) {
  // One instruction never records two equal effects, so content is enough for these, too.
  for (const LogEntry &entry : log)
    if (entry.op == op && entry.aten == aten && entry.args == args && entry.attrs == attrs &&
        tape.haveTypes(entry.results, types))
      return entry.results;
  TapeInstr instr;
  instr.op = op;
  instr.aten = aten;
  instr.source = sourceHere();
  instr.args = args;
  instr.attrs = attrs;
  std::vector<ValueId> results = tape.record(*block, std::move(instr), types).vec();
  log.push_back({op, aten, std::move(args), std::move(attrs), results});
  return results;
}

void Engine::emitEffect(TapeOp op, std::vector<TapeArg> args, std::vector<TapeArg> attrs) {
  emitMany(op, std::move(args), {}, std::move(attrs), 0);
}

TapeArg Engine::operand(const Value &number) { return operandIn(*block, number); }

TapeArg Engine::operandIn(TapeBlock &into, const Value &number) {
  switch (number.kind()) {
  case Kind::Bool:
    return TapeArg::boolean(number.asBool());
  case Kind::Int:
    return TapeArg::integer(number.asInt());
  case Kind::Float:
    return TapeArg::real(number.asFloat());
  case Kind::Scalar:
    return TapeArg::value(number.scalarId());
  case Kind::Size:
    return sizeOperand(into, number.asSize());
  default:
    llvm_unreachable("not a number that fits a register");
  }
}
