//===- Operators.cpp - Unary, binary and comparison operators
//-----------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

static Flow unary(Engine &e, ObjectId frame, llvm::StringRef method) {
  Value v = e.pop(frame);
  return e.finish(frame, unaryOperation(e, method, v, ReturnAction::Push));
}
PTC_OP(UNARY_POSITIVE) { return (void)instr, unary(e, frame, "__pos__"); }
PTC_OP(UNARY_NEGATIVE) { return (void)instr, unary(e, frame, "__neg__"); }
PTC_OP(UNARY_INVERT) { return (void)instr, unary(e, frame, "__invert__"); }

PTC_OP(UNARY_NOT) {
  (void)instr;
  PTC_LET(v, e.decide(e.pop(frame)));
  PTC_LET(truth, e.truthValue(v));
  e.push(frame, e.notValue(truth));
  return Flow::Next;
}

PTC_OP(TO_BOOL) {
  (void)instr;
  Value v = e.readable(e.pop(frame));
  if (v.isFail())
    return Flow::Fail;
  return e.finish(frame, truthOf(e, v, ReturnAction::Push));
}

PTC_OP(BINARY_OP) {
  Value b = e.pop(frame);
  Value a = e.pop(frame);
  return e.finish(frame, binaryOperation(e, instr.binaryOp(), std::move(a), std::move(b),
                                         instr.isInPlace(), ReturnAction::Push));
}

PTC_OP(COMPARE_OP) {
  Value b = e.pop(frame);
  Value a = e.pop(frame);
  return e.finish(frame, compareOperation(e, instr.compareOp(), std::move(a), std::move(b),
                                          ReturnAction::Push));
}

PTC_OP(IS_OP) {
  Value b = e.pop(frame);
  Value a = e.pop(frame);
  PTC_LET(same, identical(e, a, b));
  e.push(frame, instr.arg ? e.notValue(same) : same);
  return Flow::Next;
}

PTC_OP(CONTAINS_OP) {
  Value container = e.pop(frame);
  Value item = e.pop(frame);
  ReturnAction action = instr.arg ? ReturnAction::NotBool : ReturnAction::Bool;
  Value found = containsItem(e, container, item, action);
  return e.finish(frame, std::move(found), action);
}
