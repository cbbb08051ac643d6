//===- ClassTests.cpp - isinstance() and issubclass() --------------------------------------===//
//
// In: an object and classes. Out: what is known without Python code; who calls asks the hooks of
// metaclasses where nothing is.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Answers.h"
#include "../Escape.h"
#include "../Members.h"
#include "../Positions.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;

static Value instanceOfAll(Engine &e, const Value &v, const Value &given, bool subclass) {
  NativeLevel level(e);
  if (!level.ok)
    return tooDeep(e, subclass ? " in __subclasscheck__" : " in __instancecheck__");
  PTC_LET(cls, e.decide(given));
  if (cls.is(Kind::Tuple)) {
    for (const Value &c : cls.parts()) {
      PTC_LET(one, instanceOfAll(e, v, c, subclass));
      // One that has to be asked is asked before those behind it.
      if (one.isNone() || one.asBool())
        return one;
    }
    return Value::boolean(false);
  }
  if (v.is(Kind::Opaque) || cls.is(Kind::Opaque))
    return subclass ? Value(e.refuseOpaque(v.is(Kind::Opaque) ? v : cls))
                    : e.isOpaqueInstance(v, cls);
  if (std::string path = classBehindFunction(e, cls); !path.empty()) {
    if (!subclass && isStandIn(e, v))
      return e.refuse(DiagId::Unsupported, "isinstance() of '" + path + "'");
    return Value::boolean(subclass && v == cls);
  }
  if (!isClass(e, cls))
    return Value::none();
  if (!subclass && isStandIn(e, v) && cls.asRef() == e.builtinClass(WellKnown::GeneratorType) &&
      isAskedByProgram(e))
    return e.refuse(DiagId::Unsupported, "the class of " + standInText(e, v));
  if (!subclass && !classBehindFunction(e, v).empty())
    return Value::boolean(cls.asRef() == e.builtinClass(WellKnown::TypeType) ||
                          cls.asRef() == e.builtinClass(WellKnown::ObjectType));
  WellKnown hook = subclass ? WellKnown::SubclassCheck : WellKnown::InstanceCheck;
  ObjectId type = subclass ? v.asRef() : e.typeOf(v);
  Value method = e.lookupInClass(e.typeOf(cls), NameId(hook));
  // A metaclass of the program, or of protocols, is asked of all but the instances of the class
  // itself.
  const FunctionRecord *f = isPythonFunction(e, method) ? &functionOf(e, method.asRef()) : nullptr;
  const bool isOfProgram = f && (!f->hidden || moduleName(e, f->globals) == "typing") &&
                           (subclass || type != cls.asRef());
  if (!isOfProgram && e.isSubclass(type, cls.asRef()))
    return Value::boolean(true);
  if (!method.isAbsent() && !method.is(Kind::Builtin))
    return Value::none();
  return !subclass && hasOwnClass(e, v) ? Value::none() : Value::boolean(false);
}

/// Is the class of `v` known, and all that its instances can be asked for?
static bool hasPlainClass(Engine &e, const Value &v) {
  switch (v.kind()) {
  case Kind::None:
  case Kind::Bool:
  case Kind::Int:
  case Kind::Float:
  case Kind::Str:
  case Kind::Tuple:
    return true;
  case Kind::Ref:
    return isRefTo(e, v, ObjectKind::Instance) || isRefTo(e, v, ObjectKind::Class) ||
           isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict) ||
           isRefTo(e, v, ObjectKind::Set);
  default:
    return false;
  }
}

std::optional<bool> builtins::plainIsInstance(Engine &e, const Value &v, const Value &cls) {
  if (!hasPlainClass(e, v))
    return std::nullopt;
  llvm::ArrayRef<Value> classes = cls.is(Kind::Tuple) ? cls.parts() : llvm::ArrayRef(cls);
  const ObjectId type = e.typeOf(v);
  for (const Value &one : classes) {
    if (!isClass(e, one) || e.typeOf(one) != e.builtinClass(WellKnown::TypeType))
      return std::nullopt;
    if (e.isSubclass(type, one.asRef()))
      return true;
  }
  return hasOwnClass(e, v) ? std::nullopt : std::optional(false);
}

Value builtins::ptcIsInstance(Engine &e, CallArgs &args) {
  PTC_LET(v, e.readable(arg(args, 0)));
  if (v.is(Kind::Choice))
    v = asChoice(v).alternatives[0];
  return instanceOfAll(e, v, arg(args, 1), false);
}

Value builtins::ptcIsSubclass(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (v.is(Kind::Opaque)) {
    PTC_LET(base, e.decide(arg(args, 1)));
    return isOpaqueSubclass(e, v, base);
  }
  return isClass(e, v) ? instanceOfAll(e, v, arg(args, 1), true) : Value::none();
}
