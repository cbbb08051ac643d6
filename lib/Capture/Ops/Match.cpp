//===- Match.cpp - Structural pattern matching
//--------------------------------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

PTC_OP(GET_LEN) {
  (void)instr;
  Value v = e.heap.get(frame, e.stackSlot(frame, 0));
  return e.finish(frame, lengthOf(e, v));
}

static bool isMapping(Engine &e, const Value &v) {
  return isRefTo(e, v, ObjectKind::Dict) ||
         !e.lookupInClass(e.typeOf(v), e.intern("_ptc_mapping")).isAbsent();
}

static bool isSequence(Engine &e, const Value &given) {
  Value v = e.unboxed(given);
  return v.is(Kind::Tuple) || v.is(Kind::Range) || isRefTo(e, v, ObjectKind::List) ||
         !e.lookupInClass(e.typeOf(v), e.intern("_ptc_sequence")).isAbsent();
}

PTC_OP(MATCH_MAPPING) {
  (void)instr;
  PTC_LET(v, e.decide(e.heap.get(frame, e.stackSlot(frame, 0))));
  e.push(frame, Value::boolean(isMapping(e, v)));
  return Flow::Next;
}

PTC_OP(MATCH_SEQUENCE) {
  (void)instr;
  PTC_LET(v, e.decide(e.heap.get(frame, e.stackSlot(frame, 0))));
  e.push(frame, Value::boolean(isSequence(e, v)));
  return Flow::Next;
}

PTC_OP(MATCH_KEYS) {
  (void)instr;
  Value keys = e.heap.get(frame, e.stackSlot(frame, 0));
  Value subject = e.heap.get(frame, e.stackSlot(frame, 1));
  return e.finish(frame, e.callPrelude("_match_keys", {subject, keys}));
}

PTC_OP(MATCH_CLASS) {
  Value names = e.pop(frame);
  Value cls = e.pop(frame);
  Value subject = e.pop(frame);
  return e.finish(frame,
                  e.callPrelude("_match_class", {subject, cls, Value::integer(instr.arg), names}));
}
