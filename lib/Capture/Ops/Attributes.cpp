//===- Attributes.cpp - Attribute access ---------------------------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

PTC_OP(LOAD_ATTR) {
  Value object = e.pop(frame);
  return e.finish(frame, e.getAttr(object, ops::nameOf(e, frame, instr)));
}

/// The callable comes from a frame that was entered: null lies below it then, which CALL_METHOD
/// accepts.
static Flow pairFromCall(Engine &e, ObjectId frame) {
  e.push(frame, Value::null());
  return Flow::Next;
}

/// Pushes (callable, self_or_null).
PTC_OP(LOAD_METHOD) {
  Value object = e.pop(frame);
  PTC_LET(method, e.getAttr(object, ops::nameOf(e, frame, instr)));
  if (Engine::isCalled(method))
    return pairFromCall(e, frame);
  if (method.is(Kind::Bound)) {
    e.push(frame, method.parts()[1]);
    e.push(frame, method.parts()[0]);
    return Flow::Next;
  }
  e.push(frame, std::move(method));
  e.push(frame, Value::null());
  return Flow::Next;
}

PTC_OP(STORE_ATTR) {
  Value object = e.pop(frame);
  Value value = e.pop(frame);
  Value done = e.setAttr(object, ops::nameOf(e, frame, instr), std::move(value));
  return done.isFail() ? Flow::Fail : Flow::Next;
}

PTC_OP(DELETE_ATTR) {
  Value object = e.pop(frame);
  Value done = e.deleteAttr(object, ops::nameOf(e, frame, instr));
  return done.isFail() ? Flow::Fail : Flow::Next;
}

/// super().name, with the class and self on the stack.
static Value superValue(Engine &e, ObjectId frame, const Instr &instr) {
  Value self = e.pop(frame);
  Value cls = e.pop(frame);
  Value super = e.pop(frame);
  CallArgs args;
  args.positional = {cls, self};
  PTC_LET(object, e.call(super, std::move(args)));
  if (Engine::isCalled(object))
    return e.refuse(DiagId::Unsupported, "super as a name of something else");
  return e.getAttr(object, ops::nameOf(e, frame, instr));
}

PTC_OP(LOAD_SUPER_ATTR) { return e.finish(frame, superValue(e, frame, instr)); }

PTC_OP(LOAD_SUPER_METHOD) {
  PTC_LET(method, superValue(e, frame, instr));
  if (Engine::isCalled(method))
    return pairFromCall(e, frame);
  e.push(frame, std::move(method));
  e.push(frame, Value::null());
  return Flow::Next;
}
