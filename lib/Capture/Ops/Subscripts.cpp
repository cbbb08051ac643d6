//===- Subscripts.cpp - Items and slices ------------------------------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

PTC_OP(BINARY_SUBSCR) {
  (void)instr;
  Value key = e.pop(frame);
  Value container = e.pop(frame);
  return e.finish(frame, getItem(e, container, key));
}

PTC_OP(STORE_SUBSCR) {
  (void)instr;
  Value key = e.pop(frame);
  Value container = e.pop(frame);
  Value value = e.pop(frame);
  return setItem(e, container, key, value).isFail() ? Flow::Fail : Flow::Next;
}

PTC_OP(DELETE_SUBSCR) {
  (void)instr;
  Value key = e.pop(frame);
  Value container = e.pop(frame);
  return deleteItem(e, container, key).isFail() ? Flow::Fail : Flow::Next;
}

PTC_OP(BUILD_SLICE) {
  std::vector<Value> parts = e.popN(frame, instr.arg);
  parts.resize(3, Value::none());
  e.push(frame, Value::composite(Kind::Slice, std::move(parts)));
  return Flow::Next;
}
