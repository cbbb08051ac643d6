//===- Exceptions.cpp - Raising, matching and tracebacks -------------------------===//
//
// In: classes, texts, exception objects. Out: the engine's pending raise. An exception is an
// Instance whose kContent is the tuple of args; cause and context are attributes, the traceback is
// a tuple of rows in kTrace.
//
//===----------------------------------------------------------------------===//
#include "Groups.h"
#include "Objects.h"

#include "ptc/Python/Result.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

Value Engine::makeException(ObjectId cls, std::vector<Value> args) {
  ObjectId id = allocateInstance(*this, cls);
  heap.set(id, slot::kContent, Value::tuple(std::move(args)));
  return Value::ref(id);
}

FailAny Engine::raise(WellKnown cls, const llvm::Twine &text) {
  if (pending.isOpen())
    return {};
  pending = {};
  pending.kind = Pending::Kind::Raise;
  pending.cls = builtinClass(cls);
  pending.text = text.str();
  return {};
}

FailAny Engine::raiseValue(Value exception) {
  if (pending.isOpen())
    return {};
  pending = {};
  pending.kind = Pending::Kind::Raise;
  pending.exception = std::move(exception);
  return {};
}

/// Is `exception` in the chain of contexts of `from`? Cut there, so that no cycle is made.
static void cutContext(Engine &e, Value from, const Value &exception) {
  for (unsigned depth = 0; from.is(Kind::Ref) && depth < 1000; ++depth) {
    Value next = e.heap.get(from.asRef(), attrKey(WellKnown::Context));
    if (next == exception) {
      e.heap.set(from.asRef(), attrKey(WellKnown::Context), Value::none());
      return;
    }
    from = std::move(next);
  }
}

static void setContext(Engine &e, const Value &exception) {
  Value current = e.known(e.heap.get(kMachine, slot::kException));
  if (!current.is(Kind::Ref) || current == exception)
    return;
  cutContext(e, current, exception);
  e.heap.set(exception.asRef(), attrKey(WellKnown::Context), std::move(current));
}

FailAny Engine::raiseNew(Value exception) {
  if (!exception.is(Kind::Ref))
    return raiseValue(std::move(exception));
  setContext(*this, exception);
  // The instruction is rolled back, and with it the object if it was made there: what it holds is
  // kept beside it.
  std::vector<Value> slots;
  heap.forEachSlot(exception.asRef(), [&](uint32_t key, const Value &v) {
    slots.push_back(Value::ip(key));
    slots.push_back(v);
  });
  Value cls = Value::ref(heap.header(exception.asRef()).cls);
  return raiseValue(Value::tuple({exception, std::move(cls), Value::tuple(std::move(slots))}));
}

Value Engine::exceptionOf(const Pending &raise) {
  if (raise.exception.is(Kind::Tuple)) {
    llvm::ArrayRef<Value> parts = raise.exception.parts();
    ObjectId id = parts[0].asRef();
    if (!heap.exists(id))
      id = heap.allocate(ObjectKind::Instance, parts[1].asRef());
    llvm::ArrayRef<Value> slots = parts[2].parts();
    for (size_t i = 0; i < slots.size(); i += 2)
      heap.set(id, slots[i].asIp(), slots[i + 1]);
    return Value::ref(id);
  }
  if (!raise.exception.isAbsent())
    return raise.exception;
  Value exception = makeException(raise.cls, {Value::str(raise.text)});
  setContext(*this, exception);
  return exception;
}

Value capture::raised(Engine &e, const py::Raised &raised) {
  switch (raised.kind) {
  case py::ExcKind::ValueError:
    return e.raise(WellKnown::ValueError, raised.text);
  case py::ExcKind::TypeError:
    return e.raise(WellKnown::TypeError, raised.text);
  case py::ExcKind::OverflowError:
    return e.raise(WellKnown::OverflowError, raised.text);
  case py::ExcKind::ZeroDivisionError:
    return e.raise(WellKnown::ZeroDivisionError, raised.text);
  case py::ExcKind::IndexError:
    return e.raise(WellKnown::IndexError, raised.text);
  case py::ExcKind::KeyError:
    return e.raise(WellKnown::KeyError, raised.text);
  case py::ExcKind::LookupError:
    return e.raise(WellKnown::LookupError, raised.text);
  case py::ExcKind::UnicodeEncodeError:
    return raiseUnicodeFault(e, WellKnown::UnicodeEncodeError, *raised.fault);
  case py::ExcKind::UnicodeDecodeError:
    return raiseUnicodeFault(e, WellKnown::UnicodeDecodeError, *raised.fault);
  case py::ExcKind::MemoryError:
    return e.raise(WellKnown::MemoryError, raised.text);
  case py::ExcKind::Limit:
    return e.refuse(DiagId::Unsupported, raised.text);
  }
  llvm_unreachable("closed enum");
}

FailAny capture::raiseStatement(Engine &e, const Value &exception, const Value &cause) {
  if (!isException(e, exception))
    return e.raise(WellKnown::TypeError, "exceptions must derive from BaseException");
  if (!cause.isAbsent()) {
    if (!cause.isNone() && !isException(e, cause))
      return e.raise(WellKnown::TypeError, "exception causes must derive from BaseException");
    e.heap.set(exception.asRef(), attrKey(WellKnown::Cause), cause);
    e.heap.set(exception.asRef(), attrKey(WellKnown::SuppressContext), Value::boolean(true));
  }
  return e.raiseNew(exception);
}

/// The classes that an `except` or `except*` names.
static std::optional<std::vector<Value>> caughtClasses(Engine &e, const Value &pattern) {
  PTC_LET(p, e.decide(pattern));
  // A tuple holds classes, no tuples; CPython looks at all of them before it matches one.
  std::vector<Value> classes;
  for (const Value &part : p.is(Kind::Tuple) ? p.parts() : llvm::ArrayRef<Value>(p)) {
    PTC_LET(cls, e.decide(part));
    if (!isExceptionClass(e, cls))
      return e.raise(WellKnown::TypeError, "catching classes that do not inherit from "
                                           "BaseException is not allowed");
    classes.push_back(std::move(cls));
  }
  return classes;
}

std::optional<bool> capture::exceptionMatches(Engine &e, const Value &exception,
                                              const Value &pattern) {
  PTC_GET(classes, caughtClasses(e, pattern));
  PTC_LET(x, e.decide(exception));
  return llvm::any_of(classes,
                      [&](const Value &cls) { return e.isSubclass(e.typeOf(x), cls.asRef()); });
}

// Tracebacks
// -----------------------------------------------------------------------------------------

void Engine::addTraceback(const Value &exception, ObjectId frame, uint32_t ip) {
  Value known = this->known(exception);
  if (known.is(Kind::Choice)) { // each side raised its own
    for (const Value &one : asChoice(known).alternatives)
      addTraceback(one, frame, ip);
    return;
  }
  if (!isException(*this, known))
    return;
  ObjectId id = known.asRef();
  if (!this->known(heap.get(id, attrKey(WellKnown::Traceback))).is(Kind::Ref)) {
    ObjectId tb = heap.allocate(ObjectKind::Instance, builtinClass(WellKnown::TracebackType));
    heap.set(id, attrKey(WellKnown::Traceback), Value::ref(tb));
  }
  if (frameInfo(frame).hidden)
    return;
  SourceLoc loc = locationOf(frame, ip);
  Value row = Value::tuple(
      {Value::str(loc.file), Value::integer(loc.line), Value::str(code(frame).code->name)});
  Value &trace = heap.getForUpdate(id, slot::kTrace);
  if (trace.is(Kind::Tuple) && trace.isUnique()) {
    trace.mutableParts().push_back(std::move(row));
    return;
  }
  std::vector<Value> rows;
  if (trace.is(Kind::Tuple))
    rows = trace.parts();
  rows.push_back(std::move(row));
  trace = Value::tuple(std::move(rows));
}

uint32_t capture::exceptionTextKey(Engine &e) { return attrKey(e.intern("_ptc_text")); }

std::optional<std::string> capture::exceptionLine(Engine &e, const Value &exception) {
  ObjectId cls = e.typeOf(exception);
  std::string name = classFullName(e, cls);
  llvm::StringRef shown = name;
  shown.consume_front("__main__.");
  std::optional<std::string> text = nativeStr(e, exception);
  if (!text)
    return std::nullopt;
  return text->empty() ? shown.str() : (shown + ": " + *text).str();
}

std::string capture::tracebackText(Engine &e, const Value &exception) {
  std::string text;
  Value rows = e.heap.get(exception.asRef(), slot::kTrace);
  if (!rows.is(Kind::Tuple) || rows.parts().empty())
    return text;
  text = "Traceback (most recent call last):\n";
  for (const Value &row : llvm::reverse(rows.parts())) {
    llvm::ArrayRef<Value> parts = row.parts();
    text += ("  File \"" + parts[0].asStr() + "\", line " + std::to_string(parts[1].asInt()) +
             ", in " + parts[2].asStr() + "\n")
                .str();
  }
  return text;
}

// Groups
// -------------------------------------------------------------------------------------------------

static constexpr llvm::StringLiteral kGroupMessage = "_ptc_message",
                                     kGroupParts = "_ptc_exceptions";

void capture::setGroupMembers(Engine &e, const Value &group, Value text,
                              std::vector<Value> exceptions) {
  e.heap.set(group.asRef(), attrKey(e.intern(kGroupMessage)), std::move(text));
  e.heap.set(group.asRef(), attrKey(e.intern(kGroupParts)), Value::tuple(std::move(exceptions)));
}

/// A part of the group `like`, or a group around the exception `like`.
Value capture::makeGroup(Engine &e, Value text, std::vector<Value> exceptions, const Value &like) {
  const bool isSplit = isInstance(e, like, WellKnown::BaseExceptionGroup);
  const bool isPlain = llvm::all_of(exceptions, [&](const Value &part) {
    return isInstance(e, e.known(part), WellKnown::Exception);
  });
  ObjectId cls = e.builtinClass(WellKnown::BaseExceptionGroup);
  if (isPlain)
    cls = e.heap.get(e.world->builtins, attrKey(e.intern("ExceptionGroup"))).asRef();
  Value group =
      e.makeException(cls, {text, isSplit ? e.makeList(exceptions) : Value::tuple(exceptions)});
  setGroupMembers(e, group, std::move(text), std::move(exceptions));
  for (WellKnown name :
       {WellKnown::Cause, WellKnown::Context, WellKnown::Traceback, WellKnown::SuppressContext}) {
    const Value &v = e.heap.get(like.asRef(), attrKey(name));
    if (!v.isAbsent())
      e.heap.set(group.asRef(), attrKey(name), v);
  }
  e.heap.set(group.asRef(), slot::kTrace, e.heap.get(like.asRef(), slot::kTrace));
  if (std::optional<std::vector<Value>> notes =
          listElements(e, e.known(e.heap.get(like.asRef(), attrKey(WellKnown::Notes)))))
    e.heap.set(group.asRef(), attrKey(WellKnown::Notes), e.makeList(std::move(*notes)));
  return group;
}

bool capture::isRaisedAgain(Engine &e, const Value &group, const Value &caught) {
  if (!isInstance(e, group, WellKnown::BaseExceptionGroup))
    return false;
  for (uint32_t key : {attrKey(WellKnown::Cause), attrKey(WellKnown::Context), slot::kTrace})
    if (e.heap.get(group.asRef(), key) != e.heap.get(caught.asRef(), key))
      return false;
  return true;
}

Flow capture::checkStarPattern(Engine &e, const Value &pattern) {
  PTC_GET(classes, caughtClasses(e, pattern));
  for (const Value &cls : classes)
    if (e.isSubclass(cls.asRef(), e.builtinClass(WellKnown::BaseExceptionGroup)))
      return e.raise(WellKnown::TypeError,
                     "catching ExceptionGroup with except* is not allowed. Use except instead.");
  return Flow::Next;
}

/// What of `exception` matches and what does not, None for nothing.
Flow capture::splitGroup(Engine &e, const Value &exception, const Value &pattern, Value &match,
                         Value &rest) {
  NativeLevel level(e);
  if (!level.ok)
    return tooDeep(e);
  if (exception.isNone()) { // an earlier except* took all of it
    match = rest = Value::none();
    return Flow::Next;
  }
  PTC_GET(whole, exceptionMatches(e, exception, pattern));
  match = whole ? exception : Value::none();
  rest = whole ? Value::none() : exception;
  if (whole || !isInstance(e, exception, WellKnown::BaseExceptionGroup))
    return Flow::Next;
  if (const Value &derive = e.lookupInClass(e.typeOf(exception), e.intern("derive"));
      !isPythonFunction(e, derive) || !functionOf(e, derive.asRef()).hidden)
    return e.refuse(DiagId::Unsupported, "except* of a part of a group with a derive() of its own");
  PTC_LET(parts, e.decide(e.heap.get(exception.asRef(), attrKey(e.intern(kGroupParts)))));
  const Value text = e.heap.get(exception.asRef(), attrKey(e.intern(kGroupMessage)));
  std::vector<Value> matched, unmatched;
  for (const Value &item : parts.parts()) {
    PTC_LET(part, e.decide(item));
    Value yes, no;
    PTC_DO(splitGroup(e, part, pattern, yes, no));
    if (!yes.isNone())
      matched.push_back(yes);
    if (!no.isNone())
      unmatched.push_back(no);
  }
  match = matched.empty() ? Value::none() : makeGroup(e, text, std::move(matched), exception);
  rest = unmatched.empty() ? Value::none() : makeGroup(e, text, std::move(unmatched), exception);
  return Flow::Next;
}
