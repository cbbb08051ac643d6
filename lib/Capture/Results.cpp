//===- Results.cpp - What happens to the results of calls -----------------------===//
//
// In: what a call gave, and what its caller asked for. Out: the operand stack, with the value, its
// truth, or nothing; a failure where the result is of no type that the caller takes.
//
//===----------------------------------------------------------------------===//
#include "Builtins/Builtins.h"

using namespace ptc::capture;

Flow Engine::finish(ObjectId frame, Value result, ReturnAction action, const Value &actionArg) {
  if (result.isFail())
    return Flow::Fail;
  if (isCalled(result))
    return Flow::Next;
  switch (action) {
  case ReturnAction::Push:
    push(frame, std::move(result));
    return Flow::Next;
  case ReturnAction::Drop:
    return Flow::Next;
  case ReturnAction::PushAgain:
  case ReturnAction::DropAgain:
    if (action == ReturnAction::PushAgain)
      push(frame, std::move(result));
    runAgain(frame);
    return Flow::Next;
  case ReturnAction::Import:
    push(frame, actionArg);
    return Flow::Next;
  case ReturnAction::Init: {
    PTC_LET(now, decide(result));
    if (!now.isNone())
      return raise(WellKnown::TypeError, "__init__() should return None, not '" +
                                             llvm::Twine(typeName(*this, now)) + "'");
    push(frame, actionArg);
    return Flow::Next;
  }
  case ReturnAction::Bool:
  case ReturnAction::NotBool: {
    PTC_LET(now, decide(result));
    if (numberType(now) != NumberType::Bool)
      return raise(WellKnown::TypeError,
                   "__bool__ should return bool, returned " + llvm::Twine(typeName(*this, now)));
    PTC_LET(truth, truthValue(now));
    if (action == ReturnAction::NotBool)
      truth = notValue(truth);
    push(frame, std::move(truth));
    return Flow::Next;
  }
  case ReturnAction::LenBool: {
    PTC_LET(now, decide(result));
    if (isUserObject(*this, now) && unboxed(now) == now &&
        isPythonFunction(*this, lookupInClass(typeOf(now), intern("__index__"))))
      return finish(frame, callPrelude("_index", {now}, action), action, actionArg);
    if (now.isSmallInt() && now.asInt() < 0)
      return raise(WellKnown::ValueError, "__len__() should return >= 0");
    if (numberType(now) != NumberType::Int && numberType(now) != NumberType::Bool)
      return raise(WellKnown::TypeError, "'" + llvm::Twine(typeName(*this, now)) +
                                             "' object cannot be interpreted as an integer");
    if (now.is(Kind::BigInt))
      return raise(asPyInt(now).isNegative() ? WellKnown::ValueError : WellKnown::OverflowError,
                   asPyInt(now).isNegative() ? "__len__() should return >= 0"
                                             : "cannot fit 'int' into an index-sized integer");
    if (now.is(Kind::Scalar) || now.is(Kind::Size)) // it may be negative, which raises
      return finish(frame, callPrelude("_len_truth", {now}, ReturnAction::Push), ReturnAction::Push,
                    Value());
    PTC_LET(truth, truthValue(now));
    push(frame, std::move(truth));
    return Flow::Next;
  }
  }
  llvm_unreachable("closed enum");
}
