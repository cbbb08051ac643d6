//===- Stack.cpp - Moves on the operand stack and constants ----------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

PTC_OP(POP_TOP) {
  (void)e.pop(frame);
  return Flow::Next;
}

PTC_OP(COPY) {
  Value v = e.heap.get(frame, e.stackSlot(frame, instr.arg - 1));
  e.push(frame, std::move(v));
  return Flow::Next;
}

PTC_OP(SWAP) {
  uint32_t top = e.stackSlot(frame, 0), other = e.stackSlot(frame, instr.arg - 1);
  Value v = e.heap.get(frame, top);
  e.heap.set(frame, top, e.heap.get(frame, other));
  e.heap.set(frame, other, std::move(v));
  return Flow::Next;
}

PTC_OP(LOAD_CONST) {
  e.push(frame, e.frameInfo(frame).record->constants[instr.arg]);
  return Flow::Next;
}

PTC_OP(LOAD_BUILTIN) {
  auto builtin = [&](llvm::StringRef name) {
    return e.heap.get(e.world->builtins, attrKey(e.intern(name)));
  };
  switch (ptc::BuiltinConst(instr.arg)) {
  case ptc::BuiltinConst::AssertionError:
    e.push(frame, Value::ref(e.builtinClass(WellKnown::AssertionError)));
    return Flow::Next;
  case ptc::BuiltinConst::NotImplementedError:
    e.push(frame, Value::ref(e.builtinClass(WellKnown::NotImplementedError)));
    return Flow::Next;
  case ptc::BuiltinConst::Tuple:
    e.push(frame, Value::ref(e.builtinClass(WellKnown::TupleType)));
    return Flow::Next;
  case ptc::BuiltinConst::List:
    e.push(frame, Value::ref(e.builtinClass(WellKnown::ListType)));
    return Flow::Next;
  case ptc::BuiltinConst::Set:
    e.push(frame, Value::ref(e.builtinClass(WellKnown::SetType)));
    return Flow::Next;
  case ptc::BuiltinConst::All:
    e.push(frame, builtin("all"));
    return Flow::Next;
  case ptc::BuiltinConst::Any:
    e.push(frame, builtin("any"));
    return Flow::Next;
  }
  llvm_unreachable("closed enum");
}
