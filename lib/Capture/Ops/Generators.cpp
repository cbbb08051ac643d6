//===- Generators.cpp - yield and yield from
//-----------------------------------------------------===//
#include "../OpenGenerators.h"
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

/// Leaves the frame with a generator: the frame itself, suspended at its start.
PTC_OP(RETURN_GENERATOR) {
  (void)instr;
  Value caller = e.heap.get(frame, slot::kCaller);
  if (!caller.is(Kind::Ref) || !e.heap.get(frame, slot::kGenState).isAbsent())
    return ops::unfit(e, frame, instr, "is not at the start of a function");
  ReturnAction action = ReturnAction(e.heap.get(frame, slot::kAction).asIp());
  Value arg = e.heap.get(frame, slot::kActionArg);
  e.heap.set(kMachine, slot::kCurrentFrame, caller);
  e.suspendAtStart(frame);
  return e.finish(caller.asRef(), Value::ref(frame), action, arg);
}

PTC_OP(YIELD_VALUE) {
  (void)instr;
  if (e.heap.get(frame, slot::kGenState).isAbsent())
    return ops::unfit(e, frame, instr, "is not in a generator");
  Value v = e.pop(frame);
  ObjectId caller = e.heap.get(frame, slot::kCaller).asRef();
  ReturnAction action = ReturnAction(e.heap.get(frame, slot::kAction).asIp());
  e.suspend(frame);
  noteSuspended(e, frame);
  return e.finish(caller, std::move(v), action);
}

PTC_OP(GET_YIELD_FROM_ITER) {
  (void)instr;
  PTC_LET(v, e.decide(e.pop(frame)));
  if (isCoroutine(e, v)) {
    if (e.code(frame).code->flags & (ptc::CO_COROUTINE | ptc::CO_ITERABLE_COROUTINE))
      return e.finish(frame, v);
    return e.raise(WellKnown::TypeError, "cannot 'yield from' a coroutine object in a "
                                         "non-coroutine generator");
  }
  if (isUserObject(e, v) && isPythonFunction(e, specialMethod(e, v, WellKnown::Iter)))
    return e.finish(frame, e.callPrelude("_delegate_iter", {v}));
  return e.finish(frame, getIterator(e, v, true));
}

PTC_OP(SEND) {
  Value sent = e.pop(frame);
  PTC_LET(it, e.decide(e.presentValue(e.heap.get(frame, e.stackSlot(frame, 0)))));
  if (isRefTo(e, it, ObjectKind::Frame)) {
    Value entered = e.resumeGenerator(it.asRef(), sent, ReturnAction::Push);
    return entered.isFail() ? Flow::Fail : Flow::Next;
  }
  if (isRefTo(e, it, ObjectKind::Iterator)) {
    if (!sent.isNone())
      return e.raise(WellKnown::AttributeError,
                     "'" + typeName(e, it) + "' object has no attribute 'send'");
    PTC_LET(next, nextOf(e, it));
    if (next.isAbsent()) {
      e.finishSend(frame, instr, Value::none());
      return Flow::Next;
    }
    e.push(frame, std::move(next));
    return Flow::Next;
  }
  return e.refuse(DiagId::Unsupported, "'await' or 'yield from' of a " + typeName(e, it));
}

PTC_OP(END_SEND) {
  (void)instr;
  Value v = e.pop(frame);
  (void)e.pop(frame);
  e.push(frame, std::move(v));
  return Flow::Next;
}

PTC_OP(CLEANUP_THROW) {
  (void)instr;
  PTC_LET(exception, e.decide(e.pop(frame)));
  if (!isInstance(e, exception, WellKnown::StopIteration))
    return e.raiseValue(std::move(exception));
  (void)e.pop(frame);
  (void)e.pop(frame);
  Value content = e.heap.get(exception.asRef(), slot::kContent);
  e.push(frame, Value::none());
  e.push(frame, content.parts().empty() ? Value::none() : content.parts()[0]);
  return Flow::Next;
}

PTC_OP(STOPITERATION_ERROR) {
  (void)instr;
  PTC_LET(exception, e.decide(e.pop(frame)));
  e.push(frame, e.generatorRaised(exception, frame));
  return Flow::Next;
}
