//===- EngineNatives.cpp - What the prelude asks of the engine -------------------------===//
//
// Class creation, generators, printing, names: natives of the module `_ptc`, which only the
// prelude sees.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Answers.h"
#include "../Escape.h"
#include "../Groups.h"
#include "../Imports.h"
#include "../Members.h"
#include "../Positions.h"
#include "../Template.h"
#include "ptc/Capture/ModuleFiles.h"
#include "ptc/Capture/Prelude.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
using namespace ptc::capture::builtins;

// Classes
// ------------------------------------------------------------------------------------------------

Value builtins::ptcRunBody(Engine &e, CallArgs &args) {
  const Value &f = arg(args, 0);
  if (!isRefTo(e, f, ObjectKind::Function))
    return e.raise(WellKnown::TypeError, "__build_class__: func must be a function");
  const FunctionRecord &record = functionOf(e, f.asRef());
  Value closure = e.heap.get(f.asRef(), slot::kClosure);
  return enterBody(e, Value::code(record.code), record.globals, arg(args, 1), closure, args.action,
                   args.actionArg);
}

Value builtins::ptcMakeClass(Engine &e, CallArgs &args) {
  PTC_LET(meta, e.decide(arg(args, 0)));
  PTC_LET(name, plainArg(e, args, 1));
  PTC_LET(bases, e.decide(arg(args, 2)));
  PTC_LET(names, e.decide(arg(args, 3)));
  return makeUserClass(e, meta.asRef(), name, bases, names);
}

/// Is the value an instance, on some path?
static bool mayBeInstance(Engine &e, const Value &v) {
  return isRefTo(e, v, ObjectKind::Instance) ||
         (v.is(Kind::Choice) && llvm::any_of(asChoice(v).alternatives, [&](const Value &one) {
            return mayBeInstance(e, one);
          }));
}

Value builtins::ptcSetNameHooks(Engine &e, CallArgs &args) {
  PTC_LET(cls, e.decide(arg(args, 0)));
  std::vector<std::pair<NameId, Value>> attributes;
  e.heap.forEachSlot(cls.asRef(), [&](uint32_t key, const Value &v) {
    if (isAttrKey(key))
      attributes.emplace_back(nameOfKey(key), v);
  });
  std::vector<Value> hooks;
  for (auto &[name, given] : attributes) {
    if (!mayBeInstance(e, given))
      continue;
    PTC_LET(v, e.decide(given));
    if (isRefTo(e, v, ObjectKind::Instance) &&
        !e.lookupInClass(e.typeOf(v), NameId(WellKnown::SetName)).isAbsent())
      hooks.push_back(Value::tuple({Value::str(e.nameText(name)), v}));
  }
  return Value::tuple(std::move(hooks));
}

Value builtins::ptcHasPrepare(Engine &e, CallArgs &args) {
  PTC_LET(meta, e.decide(arg(args, 0)));
  if (!isClass(e, meta))
    return Value::boolean(false);
  return Value::boolean(!e.lookupInClass(meta.asRef(), e.intern("__prepare__")).isAbsent());
}

/// Marks a class of the prelude as one of `module`: _publish(cls, "collections").
Value builtins::ptcPublish(Engine &e, CallArgs &args) {
  e.heap.set(arg(args, 0).asRef(), attrKey(WellKnown::Module), arg(args, 1));
  return arg(args, 0);
}

/// Gives a builtin class methods that are written in Python.
Value builtins::ptcAdopt(Engine &e, CallArgs &args) {
  ObjectId target = arg(args, 0).asRef();
  std::vector<std::pair<uint32_t, Value>> found;
  e.heap.forEachSlot(arg(args, 1).asRef(), [&](uint32_t key, const Value &v) {
    bool isStatic = isRefTo(e, v, ObjectKind::Instance) &&
                    e.typeOf(v) == e.builtinClass(WellKnown::StaticMethodType) &&
                    nameOfKey(key) != NameId(WellKnown::New);
    bool isProperty = isRefTo(e, v, ObjectKind::Instance) &&
                      e.typeOf(v) == e.builtinClass(WellKnown::PropertyType);
    if (isAttrKey(key) && (isRefTo(e, v, ObjectKind::Function) || isStatic || isProperty))
      found.emplace_back(key, v);
  });
  std::string prefix = className(e, target) + ".";
  for (auto &[key, v] : found) {
    if (isRefTo(e, v, ObjectKind::Function))
      e.heap.set(v.asRef(), attrKey(WellKnown::QualName),
                 Value::str(prefix + e.nameText(nameOfKey(key)).str()));
    e.heap.set(target, key, v);
  }
  return Value::none();
}

/// Appends the names that the object itself has values for.
static Flow addNames(Engine &e, ObjectId id, std::vector<Value> &names) {
  std::vector<NameId> given;
  e.heap.forEachSlot(id, [&](uint32_t key, const Value &) {
    if (isAttrKey(key))
      given.push_back(nameOfKey(key));
  });
  for (NameId name : given) {
    PTC_LET(own, ownAttr(e, id, name));
    if (!own.isAbsent() && !isOwnOfLibrary(e.nameText(name)))
      names.push_back(Value::str(e.nameText(name)));
  }
  return Flow::Next;
}

/// Objects that lie in one piece with their items have no weak references.
static bool isOfVaryingSize(Engine &e, ObjectId cls) {
  return llvm::any_of(
      llvm::ArrayRef{WellKnown::IntType, WellKnown::TupleType, WellKnown::BytesType},
      [&](WellKnown type) { return e.isSubclass(cls, e.builtinClass(type)); });
}

/// Names that a class adds to those of its instances; of classes of libraries those that they have
/// without models.
static Flow addNamesOfClass(Engine &e, ObjectId cls, std::vector<Value> &names) {
  std::vector<std::string> known;
  std::optional<bool> all =
      isAskedByProgram(e) ? addKnownNames(e, cls, known) : std::optional<bool>();
  if (all && !*all)
    return e.refuse(DiagId::Unsupported,
                    "a list of all names of class '" + classFullName(e, cls) + "'");
  for (llvm::StringRef name : known)
    names.push_back(Value::str(name));
  if (all)
    return Flow::Next;
  if (isProgramClass(e, cls)) {
    for (llvm::StringRef name : {"__doc__", "__module__"})
      names.push_back(Value::str(name));
    if (e.heap.get(cls, slot::kClassNoDict).isAbsent()) {
      names.push_back(Value::str("__dict__"));
      if (!isOfVaryingSize(e, cls))
        names.push_back(Value::str("__weakref__"));
    }
  }
  return addNames(e, cls, names);
}

Value builtins::ptcDir(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  PTC_DO(checkAllNames(e, v));
  std::vector<Value> names;
  if (v.is(Kind::Ref) && !isClass(e, v))
    PTC_DO(addNames(e, v.asRef(), names));
  if (!isRefTo(e, v, ObjectKind::Module))
    for (ObjectId cls : e.classInfo(isClass(e, v) ? v.asRef() : e.typeOf(v)).mro)
      PTC_DO(addNamesOfClass(e, cls, names));
  llvm::sort(names, [](const Value &a, const Value &b) { return a.asStr() < b.asStr(); });
  names.erase(llvm::unique(names), names.end());
  return e.makeList(std::move(names));
}

Value builtins::ptcCallerNames(Engine &e, CallArgs &) {
  Value frame = e.heap.get(e.currentFrame(), slot::kCaller);
  Value names = e.heap.get(frame.asRef(), slot::kNamespace);
  std::vector<Value> found;
  if (isRefTo(e, names, ObjectKind::Module)) {
    PTC_DO(checkAllNames(e, names));
    PTC_DO(addNames(e, names.asRef(), found));
    return e.makeList(std::move(found));
  }
  const CodeRecord &record = *e.world->codes[e.code(frame.asRef()).code];
  for (size_t i = 0; i < record.localNames.size(); ++i) {
    PTC_LET(bound, e.boundValue(e.heap.get(frame.asRef(), slot::kLocals + uint32_t(i))));
    if (!bound.isAbsent())
      found.push_back(Value::str(e.nameText(record.localNames[i])));
  }
  return e.makeList(std::move(found));
}

/// (module, file, line, number of the module's names) of the program's code that called the
/// prelude, `level` - 1 calls outwards; None: there other code stands, or none.
Value builtins::ptcCallerPlace(Engine &e, CallArgs &args) {
  PTC_LET(level, e.decide(arg(args, 0)));
  if (!isIntConst(level))
    return Value::none();
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  while (frame.is(Kind::Ref) && e.frameInfo(frame.asRef()).hidden)
    frame = e.heap.get(frame.asRef(), slot::kCaller);
  int64_t outwards = asPyInt(level).asInt64().value_or(INT64_MAX);
  for (; outwards > 1 && frame.is(Kind::Ref); --outwards) {
    frame = e.heap.get(frame.asRef(), slot::kCaller);
    if (frame.is(Kind::Ref) && e.frameInfo(frame.asRef()).hidden)
      return Value::none();
  }
  if (!frame.is(Kind::Ref))
    return Value::none();
  ObjectId globals = e.frameInfo(frame.asRef()).globals;
  Value name = e.known(e.heap.get(globals, attrKey(WellKnown::Name)));
  uint32_t ip = e.heap.get(frame.asRef(), slot::kIp).asIp();
  ptc::SourceLoc loc = e.locationOf(frame.asRef(), ip ? ip - 1 : ip);
  if (!name.is(Kind::Str))
    return Value::none();
  return Value::tuple({name, Value::str(loc.file), Value::integer(loc.line),
                       Value::integer(int64_t(globals)),
                       Value::str(e.code(frame.asRef()).code->name)});
}

// Generators
// -----------------------------------------------------------------------------------------------

static bool isGenerator(Engine &e, const Value &v) { return isRefTo(e, v, ObjectKind::Frame); }

Value builtins::genSend(Engine &e, CallArgs &args) {
  return e.resumeGenerator(arg(args, 0).asRef(), arg(args, 1), args.action);
}

Value builtins::genThrow(Engine &e, CallArgs &args) {
  std::vector<Value> given{arg(args, 0), arg(args, 1)};
  if (builtins::given(args, 2))
    given.push_back(arg(args, 2));
  return e.callPrelude("_gen_throw", std::move(given), args.action);
}

Value builtins::genClose(Engine &e, CallArgs &args) {
  PTC_GET(point, e.generatorPoint(arg(args, 0).asRef()));
  if (point.state == GenState::Created) {
    e.finishGenerator(arg(args, 0).asRef());
    return Value::none();
  }
  return e.callPrelude("_gen_close", {arg(args, 0)}, args.action);
}

/// gi_frame: only that a generator that ended has none.
Value builtins::genFrame(Engine &e, CallArgs &args) {
  PTC_GET(point, e.generatorPoint(arg(args, 0).asRef()));
  if (point.state == GenState::Finished)
    return Value::none();
  return e.refuse(DiagId::Unsupported, "the frame of a generator that has not ended");
}

Value builtins::genRunning(Engine &e, CallArgs &args) {
  PTC_GET(point, e.generatorPoint(arg(args, 0).asRef()));
  return Value::boolean(point.state == GenState::Running);
}

Value builtins::coroutineAwait(Engine &e, CallArgs &args) {
  return e.callPrelude("_coroutine_wrapper", {arg(args, 0)}, args.action);
}
Value builtins::asyncNext(Engine &e, CallArgs &args) {
  return e.callPrelude("_async_send", {arg(args, 0), Value::none()}, args.action);
}
Value builtins::asyncSend(Engine &e, CallArgs &args) {
  return e.callPrelude("_async_send", {arg(args, 0), arg(args, 1)}, args.action);
}
Value builtins::asyncThrow(Engine &e, CallArgs &args) {
  return e.callPrelude(
      "_async_throw",
      {arg(args, 0), arg(args, 1), builtins::given(args, 2) ? arg(args, 2) : Value::none()},
      args.action);
}
Value builtins::asyncClose(Engine &e, CallArgs &args) {
  return e.callPrelude("_async_close", {arg(args, 0)}, args.action);
}

/// map, zip …: generators of the prelude behind a class; see generatorClassOf.
static Value iteratorNew(Engine &e, CallArgs &args, llvm::StringRef make) {
  args.positional.erase(args.positional.begin());
  Value function = e.heap.get(e.world->prelude, attrKey(e.intern(make)));
  return e.call(function, std::move(args));
}
Value builtins::mapNew(Engine &e, CallArgs &args) { return iteratorNew(e, args, "_make_map"); }
Value builtins::zipNew(Engine &e, CallArgs &args) { return iteratorNew(e, args, "_make_zip"); }
Value builtins::filterNew(Engine &e, CallArgs &args) {
  return iteratorNew(e, args, "_make_filter");
}
Value builtins::enumerateNew(Engine &e, CallArgs &args) {
  const size_t n = args.positional.size();
  if ((n == 2 || n == 3) && args.keywords.empty())
    if (Value made = makeEnumerate(e, e.known(args.positional[1]),
                                   n == 3 ? e.known(args.positional[2]) : Value::integer(0));
        !made.isAbsent())
      return made;
  return iteratorNew(e, args, "_make_enumerate");
}
Value builtins::reversedNew(Engine &e, CallArgs &args) {
  return iteratorNew(e, args, "_make_reversed");
}

Value builtins::iterSelf(Engine &, CallArgs &args) { return arg(args, 0); }

Value builtins::ptcGenSuspended(Engine &e, CallArgs &args) {
  PTC_GET(point, e.generatorPoint(arg(args, 0).asRef()));
  return Value::boolean(point.state != GenState::Finished);
}

Value builtins::ptcGenCreated(Engine &e, CallArgs &args) {
  PTC_GET(point, e.generatorPoint(arg(args, 0).asRef()));
  return Value::boolean(point.state == GenState::Created);
}

/// The iterator that a `yield from` of the generator waits for, or None.
Value builtins::ptcGenDelegate(Engine &e, CallArgs &args) {
  const Value &g = arg(args, 0);
  if (!isGenerator(e, g))
    return Value::none();
  PTC_GET(point, e.generatorPoint(g.asRef()));
  uint32_t ip = point.ip;
  if (point.state != GenState::Suspended)
    return Value::none();
  const CanonicalCode &code = e.code(g.asRef());
  if (ip < 2 || code.instrs[ip - 2].op != Opcode::SEND)
    return Value::none();
  return e.presentValue(e.heap.get(g.asRef(), e.stackBase(g.asRef()) + point.sp - 1));
}

Value builtins::ptcGenRaise(Engine &e, CallArgs &args) {
  if (args.action != ReturnAction::Push)
    return e.refuse(DiagId::Unsupported, "throw() in this place");
  return e.throwInto(arg(args, 0).asRef(), arg(args, 1));
}

/// The iterator of a `yield from` ended with `value` while an exception was thrown into it.
Value builtins::ptcGenFinishSend(Engine &e, CallArgs &args) {
  ObjectId g = arg(args, 0).asRef();
  PTC_GET(point, e.generatorPoint(g));
  const Instr &send = e.code(g).instrs[point.ip - 2];
  Value result = e.resumeGenerator(g, Value::none(), args.action);
  if (result.isFail())
    return result;
  (void)e.pop(g);
  e.finishSend(g, send, arg(args, 1));
  return result;
}

// Exceptions
// -------------------------------------------------------------------------------------------------

Value builtins::ptcRaiseObject(Engine &e, CallArgs &args) {
  Value none = e.heap.get(e.world->prelude, attrKey(e.intern("_missing")));
  return raiseStatement(e, arg(args, 0), arg(args, 1) == none ? Value() : arg(args, 1));
}

Value builtins::ptcIsRaisedAgain(Engine &e, CallArgs &args) {
  return Value::boolean(isRaisedAgain(e, e.known(arg(args, 0)), e.known(arg(args, 1))));
}

/// A group is made of a text and a sequence of exceptions: except* and split() rely on it.
static Flow checkGroupArgs(Engine &e, CallArgs &args) {
  size_t n = args.positional.size();
  if (n != 2)
    return e.raise(WellKnown::TypeError,
                   "BaseExceptionGroup.__new__() takes exactly 2 arguments (" + llvm::Twine(n) +
                       " given)");
  PTC_LET(message, plainArg(e, args, 0));
  if (!message.is(Kind::Str) && !message.is(Kind::Template))
    return e.raise(WellKnown::TypeError,
                   "BaseExceptionGroup.__new__() argument 1 must be str, not " +
                       (message.isNone() ? "None" : capture::typeName(e, message)));
  PTC_LET(sequence, e.decide(arg(args, 1)));
  bool listed = sequence.is(Kind::Tuple) || isRefTo(e, sequence, ObjectKind::List);
  if (!listed && specialMethod(e, sequence, WellKnown::GetItem).isAbsent())
    return e.raise(WellKnown::TypeError, "second argument (exceptions) must be a sequence");
  std::optional<std::vector<Value>> parts;
  if (listed)
    parts = listElements(e, sequence);
  if (!parts)
    return e.refuse(DiagId::Unsupported, "a group of exceptions that is made of no list or tuple");
  if (parts->empty())
    return e.raise(WellKnown::ValueError,
                   "second argument (exceptions) must be a non-empty sequence");
  for (size_t i = 0; i < parts->size(); ++i) {
    PTC_LET(part, e.decide((*parts)[i]));
    if (!isInstance(e, part, WellKnown::BaseException))
      return e.raise(WellKnown::ValueError,
                     "Item " + llvm::Twine(i) +
                         " of second argument (exceptions) is not an exception");
  }
  return Flow::Next;
}

Value builtins::exceptionNew(Engine &e, CallArgs &args) {
  Value cls = arg(args, 0);
  args.positional.erase(args.positional.begin());
  if (e.isSubclass(cls.asRef(), e.builtinClass(WellKnown::BaseExceptionGroup)))
    PTC_DO(checkGroupArgs(e, args));
  // One that is an Exception has nothing but such in it.
  std::optional<std::vector<Value>> parts;
  if (e.isSubclass(cls.asRef(), e.builtinClass(WellKnown::BaseExceptionGroup)))
    parts = listElements(e, e.known(arg(args, 1)));
  const bool hasOther = parts && !llvm::all_of(*parts, [&](const Value &part) {
                          return isInstance(e, e.known(part), WellKnown::Exception);
                        });
  const std::string name = className(e, cls.asRef());
  if (hasOther && e.isSubclass(cls.asRef(), e.builtinClass(WellKnown::Exception)))
    return e.raise(WellKnown::TypeError,
                   "Cannot nest BaseExceptions in " +
                       (name == "ExceptionGroup" ? "an " + name : "'" + name + "'"));
  // A group of nothing but Exceptions is one itself.
  if (parts && !hasOther && cls.asRef() == e.builtinClass(WellKnown::BaseExceptionGroup))
    cls = e.heap.get(e.world->builtins, attrKey(e.intern("ExceptionGroup")));
  Value made = e.makeException(cls.asRef(), args.positional);
  if (parts)
    setGroupMembers(e, made, arg(args, 0), std::move(*parts));
  return made;
}

Value builtins::exceptionArgs(Engine &e, CallArgs &args) {
  ObjectId id = arg(args, 0).asRef();
  if (args.positional.size() == 2) {
    std::optional<std::vector<Value>> items = listElements(e, arg(args, 1));
    if (!items)
      return e.raise(WellKnown::TypeError,
                     "'" + capture::typeName(e, arg(args, 1)) + "' object is not iterable");
    e.heap.set(id, slot::kContent, Value::tuple(std::move(*items)));
    return Value::none();
  }
  return e.heap.get(id, slot::kContent);
}

Value builtins::exceptionWithTraceback(Engine &e, CallArgs &args) {
  PTC_LET(traceback, e.decide(arg(args, 1)));
  if (!traceback.isNone() && e.typeOf(traceback) != e.builtinClass(WellKnown::TracebackType))
    return e.raise(WellKnown::TypeError, "__traceback__ must be a traceback or None");
  e.heap.set(arg(args, 0).asRef(), attrKey(WellKnown::Traceback), traceback);
  return arg(args, 0);
}

Value builtins::exceptionAddNote(Engine &e, CallArgs &args) {
  ObjectId id = arg(args, 0).asRef();
  if (!arg(args, 1).is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "note must be a str, not '" + capture::typeName(e, arg(args, 1)) + "'");
  PTC_LET(notes, ownAttr(e, id, NameId(WellKnown::Notes)));
  if (!notes.isAbsent() && !isRefTo(e, notes, ObjectKind::List))
    return e.raise(WellKnown::TypeError, "Cannot add note: __notes__ is not a list");
  if (notes.isAbsent()) {
    notes = e.makeList({});
    e.heap.set(id, attrKey(WellKnown::Notes), notes);
  }
  PTC_DO(extendList(e, notes, arg(args, 1)));
  return Value::none();
}

/// StopIteration.value, SystemExit.code: the first argument.
Value builtins::exceptionFirst(Engine &e, CallArgs &args) {
  PTC_LET(content, e.decide(e.heap.get(arg(args, 0).asRef(), slot::kContent)));
  if (content.parts().size() > 1 && isInstance(e, arg(args, 0), WellKnown::SystemExit))
    return content;
  return content.parts().empty() ? Value::none() : content.parts()[0];
}

Value builtins::exceptionRepr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  PTC_LET(content, e.decide(e.heap.get(v.asRef(), slot::kContent)));
  std::optional<Value> inside = nativeText(e, content, /*repr=*/true);
  if (!inside)
    return e.pending.kind != Pending::Kind::None
               ? Value::fail()
               : e.callPrelude("_repr_container", {v}, args.action);
  TextBuilder text;
  text += className(e, e.typeOf(v));
  // A tuple of one has a comma that the arguments do not have.
  std::optional<Value> only;
  if (content.parts().size() == 1)
    only = nativeText(e, content.parts()[0], /*repr=*/true);
  if (!only) {
    text.append(*inside);
    return text.take();
  }
  text += "(";
  text.append(*only);
  text += ")";
  return text.take();
}

Value builtins::tracebackPlace(Engine &e, CallArgs &) {
  return e.refuse(ptc::DiagId::Unsupported, "asking a traceback where an exception was raised");
}

// Printing
// ---------------------------------------------------------------------------------------------------

Value builtins::ptcPrint(Engine &e, CallArgs &args) {
  std::vector<Value> parts;
  Value texts = e.heap.get(arg(args, 0).asRef(), slot::kContent);
  for (const Value &text : texts.parts()) {
    if (!parts.empty())
      parts.push_back(arg(args, 1));
    parts.push_back(e.known(text));
  }
  parts.push_back(arg(args, 2));
  return e.printParts(parts, arg(args, 3).asInt() == 2);
}

/// Standard output or error as it was made: the program has given it no write() or flush().
Value builtins::ptcIsStream(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (!isRefTo(e, v, ObjectKind::Instance))
    return Value::boolean(false);
  auto has = [&](llvm::StringRef name) {
    return !e.heap.get(v.asRef(), attrKey(e.intern(name))).isAbsent();
  };
  return Value::boolean(has("_ptc_fd") && !has("write") && !has("flush"));
}

/// Is str(v) text without code of the program being run?
static bool isTextOfEngine(Engine &e, const Value &v, unsigned depth = 0) {
  constexpr unsigned kDeepest = 8;
  auto isText = [&](const Value &part) { return isTextOfEngine(e, part, depth + 1); };
  if (depth > kDeepest)
    return false;
  if (v.is(Kind::Choice))
    return llvm::all_of(asChoice(v).alternatives, isText);
  if (isComposite(v.kind()) && !v.is(Kind::RunTimeList))
    return llvm::all_of(v.parts(), isText);
  if (isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict))
    return isText(e.heap.get(v.asRef(), slot::kContent));
  return !v.is(Kind::Ref);
}
/// One write of all arguments is what CPython's writes of each are: nothing comes between them.
Value builtins::ptcIsPrintedAtOnce(Engine &e, CallArgs &args) {
  llvm::ArrayRef<Value> parts = arg(args, 0).parts();
  return Value::boolean(parts.size() < 2 ||
                        llvm::all_of(parts, [&](const Value &v) { return isTextOfEngine(e, v); }));
}

// Modules
// --------------------------------------------------------------------------------------------------

/// Enters the code of one module, if it was not yet.
Value builtins::ptcModuleStep(Engine &e, CallArgs &args) {
  return loadModule(e, arg(args, 0).asStr(), args.action);
}
Value builtins::ptcSubmoduleStep(Engine &e, CallArgs &args) {
  return importSubmodule(e, arg(args, 0).asRef(), arg(args, 1).asStr(), args.action);
}
Value builtins::ptcNoSuchName(Engine &e, CallArgs &args) {
  return raiseNotThere(e, arg(args, 0).asRef(), arg(args, 1).asStr());
}
/// None where nobody has imported the module: natives of one of lib/Prelude are there before.
Value builtins::ptcModule(Engine &e, CallArgs &args) {
  llvm::StringRef name = arg(args, 0).asStr();
  ObjectId module = findModule(e, name);
  bool isImported =
      module && (!findPreludeModule(name) || !e.heap.get(module, slot::kStarted).isAbsent());
  return isImported ? Value::ref(module) : Value::none();
}
Value builtins::ptcIsOpaque(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(v.is(Kind::Opaque));
}
/// May it be anything? What the tables know as a module, a class, a function or of a type is no
/// object of a module of lib/Prelude.
static bool isUnknown(const Value &v) {
  return v.is(Kind::Opaque) && !Engine::existsAsName(v) &&
         v.nodeAs<OpaqueNode>(Kind::Opaque).is != OpaqueIs::Object;
}
Value builtins::ptcIsUnknown(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(isUnknown(v));
}
/// An attribute of an instance that may be anything; None if there is none.
Value builtins::ptcUnknownAttribute(Engine &e, CallArgs &args) {
  PTC_LET(object, e.decide(arg(args, 0)));
  std::vector<Value> held;
  e.heap.forEachSlot(object.asRef(), [&](uint32_t key, const Value &v) {
    if (isAttrKey(key))
      held.push_back(v);
  });
  for (const Value &given : held) {
    PTC_LET(v, e.boundValue(given));
    if (isUnknown(v))
      return v;
  }
  return Value::none();
}
/// Refuses an attribute that a __getattr__ of lib/Prelude does not find and that objects of the
/// class may have.
Value builtins::ptcCheckMissing(Engine &e, CallArgs &args) {
  PTC_LET(object, e.decide(arg(args, 0)));
  PTC_LET(name, plainArg(e, args, 1));
  PTC_DO(checkMissingMember(e, e.typeOf(object), e.intern(name.asStr())));
  return Value::none();
}

Value builtins::ptcUnknownPath(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::str(v.nodeAs<OpaqueNode>(Kind::Opaque).path);
}
Value builtins::ptcAssume(Engine &e, CallArgs &args) {
  assume(e, arg(args, 0).asStr());
  return Value::none();
}
/// Whether there is an attribute is known of names in the tables alone.
Value builtins::ptcOpaqueHasAttr(Engine &e, CallArgs &args) {
  PTC_LET(name, plainArg(e, args, 1));
  if (!name.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "attribute name must be string, not '" + capture::typeName(e, name) + "'");
  const OpaqueMember member = memberOfOpaque(e, arg(args, 0), name.asStr());
  const auto &[path, known, isAbsent, inPackage] = member;
  if (isAbsent)
    return Value::boolean(false);
  if (member.isKnownThere())
    return Value::boolean(true);
  PTC_LET(found, e.opaqueAttr(arg(args, 0), e.intern(name.asStr())));
  if (!found.is(Kind::Opaque))
    return Value::boolean(true);
  if (isAskedByKeeper(e))
    return Value::boolean(false);
  if (!known)
    return e.refuseOpaque(found);
  return isThereNow(e, path, *known) ? Value::boolean(true) : Value(refuseNotImported(e, path));
}
Value builtins::ptcOpaqueGetAttr(Engine &e, CallArgs &args) {
  PTC_LET(has, ptcOpaqueHasAttr(e, args));
  return has.asBool() ? e.opaqueAttr(arg(args, 0), e.intern(arg(args, 1).asStr())) : arg(args, 2);
}

/// A class or function of the program's, or a class method of one?
Value builtins::ptcIsProgramCode(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (isRefTo(e, v, ObjectKind::Instance)) // a class method, or _missing
    if (Value held = e.heap.get(v.asRef(), slot::kContent); held.is(Kind::Tuple))
      v = held.parts()[0];
  if (v.is(Kind::Bound))
    v = v.parts()[1];
  if (isPythonFunction(e, v))
    return Value::boolean(!functionOf(e, v.asRef()).hidden);
  return Value::boolean(isClass(e, v) && isProgramClass(e, v.asRef()));
}
/// A class statement whose body has run, with a base or metaclass without a model.
Value builtins::ptcRefuseClass(Engine &e, CallArgs &args) {
  (void)e.refuseOpaque(arg(args, 0));
  e.pending.isPure = e.pending.kind == Pending::Kind::Refuse && !arg(args, 1).asBool();
  return Value::fail();
}
Value builtins::ptcIsModule(Engine &e, CallArgs &args) {
  return Value::boolean(isModuleThere(e, arg(args, 0).asStr()));
}
/// The extension module of a name in a folder, or None.
Value builtins::ptcExtensionFile(Engine &e, CallArgs &args) {
  PTC_LET(folder, plainArg(e, args, 0));
  PTC_LET(name, plainArg(e, args, 1));
  if (!folder.is(Kind::Str) || !name.is(Kind::Str))
    return e.refuse(DiagId::Unsupported, "a finder of files in a folder that is not known");
  ModuleFile found = findModuleFile({}, {folder.asStr().str()}, name.asStr(), e.world->version);
  return found.kind == ModuleFile::Kind::Native ? Value::str(found.path) : Value::none();
}
/// A module that has a model, asked by the program.
Value builtins::ptcIsLibraryModule(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  bool isModule = isRefTo(e, v, ObjectKind::Module) && v.asRef() != e.world->builtins;
  return Value::boolean(isModule &&
                        static_cast<const ModuleInfo *>(e.heap.header(v.asRef()).info)->prelude &&
                        isAskedByProgram(e));
}
Value builtins::ptcIsInModules(Engine &e, CallArgs &args) {
  PTC_GET(isThere, isInModules(e, arg(args, 0).asStr()));
  return Value::boolean(isThere);
}
Value builtins::ptcReplaceModule(Engine &e, CallArgs &args) {
  PTC_DO(replaceModule(e, arg(args, 0).asStr(), arg(args, 1)));
  return Value::none();
}

/// What __str__ of an exception that leaves the entry gave; None: it raised.
Value builtins::ptcKeepText(Engine &e, CallArgs &args) {
  PTC_LET(exception, e.decide(arg(args, 0)));
  if (e.known(arg(args, 1)).isNone())
    return e.refuse(DiagId::Unsupported,
                    "an exception that leaves the program and whose __str__ raises");
  e.heap.set(exception.asRef(), exceptionTextKey(e), arg(args, 1));
  return Value::none();
}

/// From now on nobody knows what is in a list or dict but its class; `what` is refused to others.
Value builtins::ptcHideContents(Engine &e, CallArgs &args) {
  ObjectId container = arg(args, 0).asRef();
  e.heap.set(container, slot::kContent, Value::none());
  e.heap.set(container, attrKey(e.intern("_ptc_contents")), arg(args, 1));
  return Value::none();
}
/// Stands for what the tables know of a module, by its name or by itself: its __name__ may be
/// another.
Value builtins::ptcUnmodelledModule(Engine &e, CallArgs &args) {
  const Value &of = arg(args, 0);
  if (of.is(Kind::Str))
    return makeOpaque(e, of.asStr(), OpaqueIs::Module);
  const auto *info = static_cast<const ModuleInfo *>(e.heap.header(of.asRef()).info);
  return makeOpaque(e, info && info->prelude ? info->name : moduleName(e, of.asRef()),
                    OpaqueIs::Module);
}

Value builtins::ptcAboutWorld(Engine &e, CallArgs &args) {
  return answerAboutWorld(e, arg(args, 0).asStr());
}

/// Nanoseconds that the run reads, of a clock of program.clock. Readings are effects: each is made
/// where the program makes it.
Value builtins::ptcClock(Engine &e, CallArgs &args) {
  TapeValue type;
  type.type = TapeType::Int;
  ValueId number = e.emit(TapeOp::Clock, {}, type, {TapeArg::integer(arg(args, 0).asInt())});
  return Value::scalar(number, ScalarType::Int).withSource(e.sourceHere());
}

Value builtins::ptcEnvironmentValue(Engine &e, CallArgs &args) {
  PTC_LET(name, e.decide(arg(args, 0)));
  Value key = e.unboxed(name);
  if (!key.is(Kind::Str))
    return e.refuse(DiagId::Unsupported,
                    "a name of an environment variable that is made of run-time values");
  return environmentValue(e, key.asStr());
}
/// None: it is not known.
Value builtins::ptcIsFileThere(Engine &e, CallArgs &args) {
  PTC_LET(path, e.decide(arg(args, 1)));
  Value text = e.unboxed(path);
  Value answer = text.is(Kind::Str) ? isFileThere(e, arg(args, 0).asStr(), text.asStr()) : Value();
  return answer.isAbsent() ? Value::none() : answer;
}
Value builtins::ptcEnvironmentNames(Engine &e, CallArgs &) { return environmentNames(e); }

/// An int as it is: an exception where no C ssize_t holds it.
Value builtins::ptcSSize(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (isIntConst(v) && !asPyInt(v).asInt64())
    return e.raise(WellKnown::OverflowError, "Python int too large to convert to C ssize_t");
  return v;
}

/// An int that is a number of items, or the number of those that a range or its iterator gives;
/// none if it is known at run time only.
static std::optional<py::PyInt> countOf(Engine &e, const Value &given) {
  Value v = given;
  if (isRefTo(e, v, ObjectKind::Iterator))
    v = e.known(e.heap.get(v.asRef(), slot::kSequence));
  if (isIntConst(v))
    return asPyInt(v);
  std::optional<py::Range> range = v.is(Kind::Range) ? rangeOf(v) : std::nullopt;
  return range ? std::optional(range->length()) : std::nullopt;
}

/// A number of items to be made, or what gives them, as it is: an exception where no memory holds
/// so many. Numbers known at run time are bounded where they are used.
Value builtins::ptcItemCount(Engine &e, CallArgs &args) {
  PTC_LET(given, e.decide(arg(args, 0)));
  if (std::optional<py::PyInt> count = countOf(e, given))
    PTC_DO(checkItemCount(e, *count));
  return given;
}

/// The same for items that are looked at and not kept: each takes a step at least.
Value builtins::ptcStepCount(Engine &e, CallArgs &args) {
  PTC_LET(given, e.decide(arg(args, 0)));
  std::optional<py::PyInt> count = countOf(e, given);
  if (count && (!count->asInt64() || uint64_t(*count->asInt64()) > e.limits.steps))
    return e.refuse(DiagId::StepLimit, e.limits.steps);
  return given;
}

/// The number of items of what has no end.
Value builtins::ptcNoEnd(Engine &e, CallArgs &) {
  return e.refuse(DiagId::StepLimit, e.limits.steps);
}

Value builtins::ptcRangeHasZero(Engine &e, CallArgs &args) {
  std::optional<py::Range> range = rangeOf(e.known(arg(args, 0)));
  return range ? Value::boolean(range->contains(0))
               : e.heap.get(e.world->prelude, attrKey(e.intern("_missing")));
}

/// The versions whose bytecode is read, oldest first: "3.11" …
Value builtins::ptcPythonVersions(Engine &, CallArgs &) {
  return Value::tuple({
#define PTC_PYTHON(Minor, ...) Value::str("3." #Minor),
#include "ptc/Bytecode/Versions.def"
  });
}

/// 11 for a program of 3.11: for texts that differ. Not a question of the program's.
Value builtins::ptcPythonMinor(Engine &e, CallArgs &) {
  return Value::integer(e.world->minorVersion());
}
