//===- Control.cpp - Jumps, loops and returns -------------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

PTC_OP(JUMP) {
  e.jump(frame, instr.target);
  return Flow::Next;
}

static Flow jumpIf(Engine &e, ObjectId frame, const Instr &instr, bool on) {
  Value v = e.pop(frame);
  PTC_GET(truth, e.truth(v));
  if (truth == on)
    e.jump(frame, instr.target);
  return Flow::Next;
}
PTC_OP(POP_JUMP_IF_TRUE) { return jumpIf(e, frame, instr, true); }
PTC_OP(POP_JUMP_IF_FALSE) { return jumpIf(e, frame, instr, false); }

static Flow jumpIfNone(Engine &e, ObjectId frame, const Instr &instr, bool on) {
  PTC_LET(none, identical(e, e.pop(frame), Value::none()));
  PTC_GET(truth, e.truth(none));
  if (truth == on)
    e.jump(frame, instr.target);
  return Flow::Next;
}
PTC_OP(POP_JUMP_IF_NONE) { return jumpIfNone(e, frame, instr, true); }
PTC_OP(POP_JUMP_IF_NOT_NONE) { return jumpIfNone(e, frame, instr, false); }

PTC_OP(GET_ITER) {
  (void)instr;
  Value v = e.pop(frame);
  return e.finish(frame, getIterator(e, v, true));
}

PTC_OP(FOR_ITER) {
  PTC_LET(it, e.decide(e.presentValue(e.heap.get(frame, e.stackSlot(frame, 0)))));
  if (isRefTo(e, it, ObjectKind::Frame)) {
    Value entered = e.resumeGenerator(it.asRef(), Value::none(), ReturnAction::Push);
    return entered.isFail() ? Flow::Fail : Flow::Next;
  }
  if (it.is(Kind::Opaque))
    return e.refuseOpaque(it);
  if (!isRefTo(e, it, ObjectKind::Iterator)) {
    // An iterator of a user class that was on the stack already (a generator expression's).
    Value made = e.callPrelude("_loop_iter", {it}, ReturnAction::PushAgain);
    if (made.isFail())
      return Flow::Fail;
    (void)e.pop(frame);
    return Flow::Next;
  }
  PTC_LET(next, nextOf(e, it));
  if (next.isAbsent()) {
    (void)e.pop(frame);
    e.jump(frame, instr.target);
    return Flow::Next;
  }
  e.push(frame, std::move(next));
  return Flow::Next;
}

PTC_OP(RETURN_VALUE) {
  (void)instr;
  e.heap.set(frame, slot::kReturn, e.pop(frame));
  e.jump(frame, e.code(frame).exitNode());
  return Flow::Next;
}
