//===- Exceptions.cpp - raise, except and with
//-----------------------------------------------------===//
#include "../Groups.h"
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

PTC_OP(RAISE_VARARGS) {
  if (instr.arg == 0) {
    PTC_LET(current, e.decide(e.heap.get(kMachine, slot::kException)));
    if (!current.is(Kind::Ref))
      return e.raise(WellKnown::RuntimeError, "No active exception to reraise");
    return e.raiseValue(std::move(current));
  }
  Value cause;
  if (instr.arg == 2) {
    PTC_LET(given, e.decide(e.pop(frame)));
    cause = std::move(given);
  }
  PTC_LET(exception, e.decide(e.pop(frame)));
  if (exception.is(Kind::Opaque))
    return e.refuseOpaque(exception);
  if (isExceptionClass(e, exception)) {
    // A class is called, which may be Python code.
    bool simple = e.lookupInClass(exception.asRef(), NameId(WellKnown::Init)).is(Kind::Builtin) &&
                  e.lookupInClass(exception.asRef(), NameId(WellKnown::New)).is(Kind::Builtin);
    if (!simple || isExceptionClass(e, cause)) {
      std::vector<Value> args{exception};
      if (!cause.isAbsent())
        args.push_back(cause);
      Value entered = e.callPrelude("_raise", std::move(args), ReturnAction::Drop);
      return entered.isFail() ? Flow::Fail : Flow::Next;
    }
    exception = e.makeException(exception.asRef(), {});
  }
  if (isExceptionClass(e, cause)) {
    Value entered = e.callPrelude("_raise", {exception, cause}, ReturnAction::Drop);
    return entered.isFail() ? Flow::Fail : Flow::Next;
  }
  return raiseStatement(e, exception, cause);
}

PTC_OP(RERAISE) {
  (void)instr;
  PTC_LET(exception, e.decide(e.pop(frame)));
  return e.raiseValue(std::move(exception));
}

PTC_OP(PUSH_EXC_INFO) {
  (void)instr;
  Value exception = e.pop(frame);
  Value before = e.heap.get(kMachine, slot::kException);
  e.push(frame, before.isAbsent() ? Value::none() : before);
  e.push(frame, exception);
  e.heap.set(kMachine, slot::kException, std::move(exception));
  return Flow::Next;
}

PTC_OP(POP_EXCEPT) {
  (void)instr;
  e.heap.set(kMachine, slot::kException, e.pop(frame));
  return Flow::Next;
}

PTC_OP(CHECK_EXC_MATCH) {
  (void)instr;
  Value pattern = e.pop(frame);
  Value exception = e.heap.get(frame, e.stackSlot(frame, 0));
  PTC_GET(match, exceptionMatches(e, exception, pattern));
  e.push(frame, Value::boolean(match));
  return Flow::Next;
}

PTC_OP(CHECK_EG_MATCH) {
  (void)instr;
  Value pattern = e.pop(frame);
  PTC_LET(exception, e.decide(e.pop(frame)));
  PTC_DO(checkStarPattern(e, pattern));
  Value match, rest;
  PTC_DO(splitGroup(e, exception, pattern, match, rest));
  if (!match.isNone() && !isInstance(e, exception, WellKnown::BaseExceptionGroup))
    match = makeGroup(e, Value::str(""), {match}, exception);
  e.push(frame, rest);
  e.push(frame, match);
  if (!match.isNone())
    e.heap.set(kMachine, slot::kException, match);
  return Flow::Next;
}

PTC_OP(PREP_RERAISE_STAR) {
  (void)instr;
  Value list = e.pop(frame);
  Value original = e.pop(frame);
  return e.finish(frame, e.callPrelude("_reraise_star", {original, list}));
}

// with
// -------------------------------------------------------------------------------------------------

static Value bindSpecial(Engine &e, const Value &object, llvm::StringRef name) {
  Value method = e.lookupInClass(e.typeOf(object), e.intern(name));
  if (method.isAbsent())
    return method;
  return bindAttribute(e, method, object, e.typeOf(object));
}

Flow ops::beginWith(Engine &e, ObjectId frame, llvm::StringRef enterName, llvm::StringRef exitName,
                    llvm::StringRef protocol) {
  PTC_LET(manager, e.decide(e.pop(frame)));
  if (manager.is(Kind::Opaque))
    return e.refuseOpaque(manager);
  PTC_LET(enter, bindSpecial(e, manager, enterName));
  PTC_LET(exit, bindSpecial(e, manager, exitName));
  const std::string lacks =
      "'" + typeName(e, manager) + "' object does not support the " + protocol.str() + " protocol";
  const bool exitFirst = e.world->minorVersion() >= 14;
  if (enter.isAbsent() && (!exitFirst || !exit.isAbsent()))
    return e.raise(WellKnown::TypeError,
                   lacks + (exitFirst ? " (missed " + enterName.str() + " method)" : ""));
  if (exit.isAbsent())
    return e.raise(WellKnown::TypeError, lacks + " (missed " + exitName.str() + " method)");
  e.push(frame, std::move(exit));
  return e.finish(frame, e.call(enter, std::vector<Value>()));
}

PTC_OP(BEFORE_WITH) {
  (void)instr;
  return ops::beginWith(e, frame, "__enter__", "__exit__", "context manager");
}

PTC_OP(WITH_EXCEPT_START) {
  (void)instr;
  PTC_LET(exception, e.decide(e.heap.get(frame, e.stackSlot(frame, 0))));
  PTC_LET(exit, e.decide(e.heap.get(frame, e.stackSlot(frame, 2))));
  Value traceback = plainAttr(e, exception, NameId(WellKnown::Traceback));
  return e.finish(frame, e.call(exit, {Value::ref(e.typeOf(exception)), exception, traceback}));
}
