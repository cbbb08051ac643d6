//===- Async.cpp - async and await ----------------------------------------------===//
//
// A coroutine is a generator by another name: what it awaits is the iterator of a `yield from`.
// What asks methods of objects is the prelude's (_builtins/objects.py).
//
//===----------------------------------------------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

/// What comes of a coroutine is its own iterator, of other objects what __await__() gives. The
/// operand says where: 1 what __aenter__() gave, 2 what __aexit__() gave, 0 elsewhere.
PTC_OP(GET_AWAITABLE) {
  PTC_LET(v, e.decide(e.pop(frame)));
  if (isRefTo(e, v, ObjectKind::Frame) &&
      e.code(v.asRef()).code->flags & (ptc::CO_COROUTINE | ptc::CO_ITERABLE_COROUTINE)) {
    PTC_GET(point, e.generatorPoint(v.asRef()));
    if (isCoroutine(e, v) && point.state == GenState::Suspended)
      return e.raise(WellKnown::RuntimeError, "coroutine is being awaited already");
    return e.finish(frame, v);
  }
  return e.finish(frame, e.callPrelude("_get_awaitable", {v, Value::integer(instr.arg)}));
}

PTC_OP(GET_AITER) {
  (void)instr;
  return e.finish(frame, e.callPrelude("_get_aiter", {e.pop(frame)}));
}

PTC_OP(GET_ANEXT) {
  (void)instr;
  return e.finish(frame, e.callPrelude("_get_anext", {e.heap.get(frame, e.stackSlot(frame, 0))}));
}

/// The loop ends with a StopAsyncIteration.
PTC_OP(END_ASYNC_FOR) {
  (void)instr;
  PTC_LET(exception, e.decide(e.pop(frame)));
  if (!isInstance(e, exception, WellKnown::StopAsyncIteration))
    return e.raiseValue(std::move(exception));
  (void)e.pop(frame);
  return Flow::Next;
}

PTC_OP(BEFORE_ASYNC_WITH) {
  (void)instr;
  return ops::beginWith(e, frame, "__aenter__", "__aexit__", "asynchronous context manager");
}

/// What an asynchronous generator yields is told from what it awaits.
PTC_OP(ASYNC_GEN_WRAP) {
  (void)instr;
  return e.finish(frame, e.callPrelude("_async_item", {e.pop(frame)}));
}
