//===- Locals.cpp - Local variables and cells -------------------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

static uint32_t localKey(const Instr &instr) { return slot::kLocals + instr.arg; }

static llvm::StringRef localName(Engine &e, ObjectId frame, const Instr &instr) {
  return e.code(frame).locals[instr.arg].name;
}

static FailAny unbound(Engine &e, ObjectId frame, const Instr &instr, bool isFree) {
  llvm::StringRef name = localName(e, frame, instr);
  if (isFree)
    return e.raise(WellKnown::NameError,
                   "cannot access free variable '" + name +
                       "' where it is not associated with a value in enclosing scope");
  return e.raise(WellKnown::UnboundLocalError, "cannot access local variable '" + name +
                                                   "' where it is not associated with a value");
}

PTC_OP(LOAD_FAST) {
  // Proven bound: it can only be one of the values that are there.
  Value v = e.presentValue(e.heap.get(frame, localKey(instr)));
  if (v.isAbsent())
    return ops::opLOAD_FAST_CHECK(e, frame, instr);
  e.push(frame, std::move(v));
  return Flow::Next;
}

PTC_OP(LOAD_FAST_CHECK) {
  PTC_LET(v, e.boundValue(e.heap.get(frame, localKey(instr))));
  if (v.isAbsent())
    return unbound(e, frame, instr, instr.arg2 != 0);
  e.push(frame, std::move(v));
  return Flow::Next;
}

PTC_OP(LOAD_FAST_AND_CLEAR) {
  Value v = e.heap.get(frame, localKey(instr));
  e.heap.set(frame, localKey(instr), Value());
  e.push(frame, v.isAbsent() ? Value::null() : v);
  return Flow::Next;
}

PTC_OP(STORE_FAST) {
  Value v = e.pop(frame);
  e.heap.set(frame, localKey(instr), v.is(Kind::Null) ? Value() : std::move(v));
  return Flow::Next;
}

PTC_OP(DELETE_FAST) {
  PTC_LET(v, e.boundValue(e.heap.get(frame, localKey(instr))));
  if (v.isAbsent())
    return unbound(e, frame, instr, false);
  e.heap.set(frame, localKey(instr), Value());
  return Flow::Next;
}

// Cells
// ------------------------------------------------------------------------------------------------

PTC_OP(MAKE_CELL) {
  ObjectId cell = e.heap.allocate(ObjectKind::Cell);
  e.heap.set(cell, slot::kContent, e.heap.get(frame, localKey(instr)));
  e.heap.set(frame, localKey(instr), Value::ref(cell));
  return Flow::Next;
}

PTC_OP(LOAD_CLOSURE) {
  // A comprehension's variable may share the slot of a cell (3.12+), so it need not be one.
  return ops::opLOAD_FAST_CHECK(e, frame, instr);
}

static FailAny unboundCell(Engine &e, ObjectId frame, const Instr &instr) {
  return unbound(e, frame, instr, e.code(frame).locals[instr.arg].isFree);
}

PTC_OP(LOAD_DEREF) {
  PTC_LET(cell, e.decide(e.heap.get(frame, localKey(instr))));
  PTC_LET(v, e.boundValue(e.heap.get(cell.asRef(), slot::kContent)));
  if (v.isAbsent())
    return unboundCell(e, frame, instr);
  e.push(frame, std::move(v));
  return Flow::Next;
}

PTC_OP(STORE_DEREF) {
  PTC_LET(cell, e.decide(e.heap.get(frame, localKey(instr))));
  e.heap.set(cell.asRef(), slot::kContent, e.pop(frame));
  return Flow::Next;
}

PTC_OP(DELETE_DEREF) {
  PTC_LET(cell, e.decide(e.heap.get(frame, localKey(instr))));
  PTC_LET(v, e.boundValue(e.heap.get(cell.asRef(), slot::kContent)));
  if (v.isAbsent())
    return unboundCell(e, frame, instr);
  e.heap.set(cell.asRef(), slot::kContent, Value());
  return Flow::Next;
}

PTC_OP(LOAD_FROM_DICT_OR_DEREF) {
  Value names = e.pop(frame);
  if (isRefTo(e, names, ObjectKind::Dict)) {
    Value v = e.known(dictGet(e, names, localName(e, frame, instr)));
    if (!v.isAbsent()) {
      e.push(frame, std::move(v));
      return Flow::Next;
    }
  }
  return ops::opLOAD_DEREF(e, frame, instr);
}
