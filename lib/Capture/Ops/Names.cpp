//===- Names.cpp - Globals, module and class namespaces ----------------------------------===//
#include "../Aside.h"
#include "../Failures.h"
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

/// A global or builtin; Absent if there is none.
static Value lookupGlobal(Engine &e, ObjectId frame, NameId name) {
  ObjectId globals = e.frameInfo(frame).globals;
  PTC_LET(v, ownAttr(e, globals, name));
  if (!v.isAbsent())
    return v;
  PTC_DO(checkNoName(e, globals));
  return e.known(e.heap.get(e.world->builtins, attrKey(name)));
}

/// Of a module that may have other names than it has here, one may be gone, too.
static Value checkedName(Engine &e, ObjectId frame, Value v) {
  bool isUnknown = v.is(Kind::Opaque) && !unknownNames(e, e.frameInfo(frame).globals).isAbsent() &&
                   catcherOf(e, e.builtinClass(WellKnown::NameError));
  return isUnknown ? Value(e.refuseOpaque(v)) : v;
}

static FailAny undefined(Engine &e, NameId name) {
  return e.raise(WellKnown::NameError, "name '" + e.nameText(name) + "' is not defined");
}

PTC_OP(LOAD_GLOBAL) {
  NameId name = ops::nameOf(e, frame, instr);
  PTC_LET(v, lookupGlobal(e, frame, name));
  if (v.isAbsent())
    return undefined(e, name);
  PTC_LET(known, checkedName(e, frame, std::move(v)));
  e.push(frame, std::move(known));
  return Flow::Next;
}

PTC_OP(STORE_GLOBAL) {
  e.heap.set(e.frameInfo(frame).globals, attrKey(ops::nameOf(e, frame, instr)), e.pop(frame));
  return Flow::Next;
}

PTC_OP(DELETE_GLOBAL) {
  NameId name = ops::nameOf(e, frame, instr);
  ObjectId globals = e.frameInfo(frame).globals;
  PTC_LET(v, ownAttr(e, globals, name));
  if (v.isAbsent())
    PTC_DO(checkNoName(e, globals));
  if (v.isAbsent())
    return undefined(e, name);
  e.heap.set(globals, attrKey(name), Value());
  return Flow::Next;
}

/// The namespace that STORE_NAME writes: the module itself or a class body's dict.
static Value namesOf(Engine &e, ObjectId frame) {
  Value names = e.heap.get(frame, slot::kNamespace);
  return names.isAbsent() ? Value::ref(e.frameInfo(frame).globals) : names;
}

static Value lookupName(Engine &e, const Value &names, NameId name) {
  if (isRefTo(e, names, ObjectKind::Module))
    return ownAttr(e, names.asRef(), name);
  if (isRefTo(e, names, ObjectKind::Dict))
    return e.boundValue(dictGet(e, names, e.nameText(name)));
  return Value();
}

/// Pushes what `name` is in `names`, else the global or builtin.
static Flow loadFrom(Engine &e, ObjectId frame, const Value &names, NameId name) {
  PTC_LET(v, lookupName(e, names, name));
  if (v.isAbsent()) {
    PTC_LET(global, lookupGlobal(e, frame, name));
    v = std::move(global);
  }
  if (v.isAbsent())
    return undefined(e, name);
  PTC_LET(known, checkedName(e, frame, std::move(v)));
  e.push(frame, std::move(known));
  return Flow::Next;
}

PTC_OP(LOAD_NAME) { return loadFrom(e, frame, namesOf(e, frame), ops::nameOf(e, frame, instr)); }

PTC_OP(STORE_NAME) {
  NameId name = ops::nameOf(e, frame, instr);
  Value names = namesOf(e, frame);
  Value v = e.pop(frame);
  if (isRefTo(e, names, ObjectKind::Module)) {
    e.heap.set(names.asRef(), attrKey(name), std::move(v));
    return Flow::Next;
  }
  if (isRefTo(e, names, ObjectKind::Dict) && !isUserObject(e, names))
    return dictSet(e, names, Value::str(e.nameText(name)), std::move(v));
  Value result = setItem(e, names, Value::str(e.nameText(name)), v);
  return result.isFail() ? Flow::Fail : Flow::Next;
}

PTC_OP(DELETE_NAME) {
  NameId name = ops::nameOf(e, frame, instr);
  Value names = namesOf(e, frame);
  PTC_LET(v, lookupName(e, names, name));
  if (v.isAbsent() && isRefTo(e, names, ObjectKind::Module))
    PTC_DO(checkNoName(e, names.asRef()));
  if (v.isAbsent())
    return undefined(e, name);
  if (isRefTo(e, names, ObjectKind::Module)) {
    e.heap.set(names.asRef(), attrKey(name), Value());
    return Flow::Next;
  }
  Value result = deleteItem(e, names, Value::str(e.nameText(name)));
  return result.isFail() ? Flow::Fail : Flow::Next;
}

PTC_OP(LOAD_LOCALS) {
  Value names = namesOf(e, frame);
  e.push(frame, std::move(names));
  return Flow::Next;
}

PTC_OP(LOAD_FROM_DICT_OR_GLOBALS) {
  NameId name = ops::nameOf(e, frame, instr);
  Value names = e.pop(frame);
  return loadFrom(e, frame, names, name);
}

PTC_OP(LOAD_BUILD_CLASS) {
  if (!e.frameInfo(frame).hidden)
    PTC_DO(checkBuildClass(e));
  e.push(frame, e.heap.get(e.world->prelude, attrKey(e.intern("__build_class__"))));
  return Flow::Next;
}

PTC_OP(SETUP_ANNOTATIONS) {
  Value names = namesOf(e, frame);
  NameId name = e.intern("__annotations__");
  PTC_LET(v, lookupName(e, names, name));
  if (!v.isAbsent())
    return Flow::Next;
  Value dict = e.makeDict({});
  if (isRefTo(e, names, ObjectKind::Module)) {
    e.heap.set(names.asRef(), attrKey(name), dict);
    return Flow::Next;
  }
  return dictSet(e, names, Value::str("__annotations__"), dict);
}
