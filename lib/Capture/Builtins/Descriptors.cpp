//===- Descriptors.cpp - property, classmethod, staticmethod, super -------------------===//
//
// In: functions and classes. Out: the objects that a look-up binds, and their methods.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Descriptors.h"
#include "../Escape.h"
#include "../Members.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;

/// A class derived from property may have an __init__ with arguments of its own.
Value builtins::propertyNew(Engine &e, CallArgs &args) {
  if (args.positional.empty() || !isClass(e, arg(args, 0)))
    return e.raise(WellKnown::TypeError, "property.__new__(X): X is not a type object");
  ObjectId id = allocateInstance(e, arg(args, 0).asRef());
  e.heap.set(id, slot::kContent, Value::tuple(std::vector<Value>(4, Value::none())));
  e.heap.set(id, attrKey(WellKnown::Doc), Value::none());
  const Value init = e.lookupInClass(arg(args, 0).asRef(), NameId(WellKnown::Init));
  if (init.is(Kind::Builtin)) {
    args.positional[0] = Value::ref(id);
    PTC_LET(done, e.call(init, std::move(args)));
  }
  return Value::ref(id);
}

Value builtins::propertyInit(Engine &e, CallArgs &args) {
  ObjectId id = arg(args, 0).asRef();
  std::vector<Value> parts;
  for (size_t i = 1; i < 5; ++i)
    parts.push_back(given(args, i) ? arg(args, i) : Value::none());
  e.heap.set(id, slot::kContent, Value::tuple(parts));
  if (parts[3].isNone() && isPythonFunction(e, parts[0]))
    parts[3] = e.known(e.heap.get(parts[0].asRef(), attrKey(WellKnown::Doc)));
  e.heap.set(id, attrKey(WellKnown::Doc), parts[3].isAbsent() ? Value::none() : parts[3]);
  return Value::none();
}

static Value propertyWith(Engine &e, CallArgs &args, size_t part) {
  ObjectId old = arg(args, 0).asRef();
  Value content = e.heap.get(old, slot::kContent);
  std::vector<Value> parts(content.parts());
  if (!arg(args, 1).isNone())
    parts[part] = arg(args, 1);
  ObjectId id = e.heap.allocate(ObjectKind::Instance, e.heap.header(old).cls);
  e.heap.set(id, slot::kContent, Value::tuple(std::move(parts)));
  e.heap.set(id, attrKey(WellKnown::Doc), e.heap.get(old, attrKey(WellKnown::Doc)));
  return Value::ref(id);
}
Value builtins::propertyGetter(Engine &e, CallArgs &args) { return propertyWith(e, args, 0); }
Value builtins::propertySetter(Engine &e, CallArgs &args) { return propertyWith(e, args, 1); }
Value builtins::propertyDeleter(Engine &e, CallArgs &args) { return propertyWith(e, args, 2); }
static Value contentPart(Engine &e, CallArgs &args, size_t n) {
  PTC_LET(content, e.decide(e.heap.get(arg(args, 0).asRef(), slot::kContent)));
  return content.parts()[n];
}
Value builtins::propertyFget(Engine &e, CallArgs &args) { return contentPart(e, args, 0); }
Value builtins::propertyFset(Engine &e, CallArgs &args) { return contentPart(e, args, 1); }
Value builtins::propertyFdel(Engine &e, CallArgs &args) { return contentPart(e, args, 2); }
Value builtins::descriptorGet(Engine &e, CallArgs &args) {
  PTC_LET(object, e.decide(arg(args, 1)));
  if (object.isNone() && (!given(args, 2) || e.known(arg(args, 2)).isNone()))
    return e.raise(WellKnown::TypeError, "__get__(None, None) is invalid");
  ObjectId cls =
      given(args, 2) && isClass(e, arg(args, 2)) ? arg(args, 2).asRef() : e.typeOf(object);
  Value owner = object.isNone() ? Value() : object;
  if (arg(args, 0).is(Kind::Builtin) && !object.isNone()) {
    const BuiltinRow &row = builtinRows()[arg(args, 0).bits()];
    const ObjectId own = e.builtinClass(row.owner), type = e.typeOf(object);
    if (e.lookupInClass(type, e.intern(row.name)) != arg(args, 0) && !e.isSubclass(type, own))
      return e.raise(WellKnown::TypeError,
                     llvm::Twine("descriptor '") + row.name + "' for '" + className(e, own) +
                         "' objects doesn't apply to a '" + typeName(e, object) + "' object");
  }
  PTC_LET(bound, bindBuiltinDescriptor(e, arg(args, 0), owner, cls));
  return bound.isAbsent() ? bindAttribute(e, arg(args, 0), owner, cls) : bound;
}

Value builtins::wrapperNew(Engine &e, CallArgs &args) {
  ObjectId id = allocateInstance(e, arg(args, 0).asRef());
  e.heap.set(id, slot::kContent, Value::tuple({arg(args, 1)}));
  return Value::ref(id);
}
Value builtins::wrapperFunc(Engine &e, CallArgs &args) { return contentPart(e, args, 0); }
Value builtins::wrapperCall(Engine &e, CallArgs &args) {
  Value f = contentPart(e, args, 0);
  args.positional.erase(args.positional.begin());
  return e.call(f, std::move(args));
}
Value builtins::wrapperAttr(Engine &e, CallArgs &args) {
  // Others than these have to be asked of the function.
  static constexpr llvm::StringLiteral kCopied[] = {"__module__", "__name__", "__qualname__",
                                                    "__doc__", "__annotations__"};
  PTC_GET(name, nameArg(e, arg(args, 1)));
  llvm::StringRef text = e.nameText(name);
  if (isAskedByProgram(e) && text.starts_with("__") && !llvm::is_contained(kCopied, text)) {
    PTC_LET(missing, missingMember(e, e.typeOf(arg(args, 0)), name, true));
    return missing.isAbsent() ? Value(attributeError(e, arg(args, 0), name)) : missing;
  }
  return e.getAttr(contentPart(e, args, 0), name);
}

Value builtins::superNew(Engine &e, CallArgs &args) {
  Value cls, object;
  if (given(args, 1)) {
    cls = arg(args, 1);
    object = given(args, 2) ? arg(args, 2) : Value::none();
  } else {
    PTC_DO(e.implicitSuper(cls, object));
  }
  PTC_LET(self, e.decide(object));
  PTC_LET(thisClass, e.decide(cls));
  if (!isClass(e, thisClass))
    return e.raise(WellKnown::TypeError,
                   "super() argument 1 must be a type, not " + capture::typeName(e, thisClass));
  ObjectId type = 0;
  if (isClass(e, self) && e.isSubclass(self.asRef(), thisClass.asRef()))
    type = self.asRef();
  else if (!self.isNone())
    type = e.typeOf(self);
  if (type && !e.isSubclass(type, thisClass.asRef()))
    return e.raise(WellKnown::TypeError,
                   "super(type, obj): obj must be an instance or subtype of type");
  ObjectId id = e.heap.allocate(ObjectKind::Instance, e.builtinClass(WellKnown::SuperType));
  e.heap.set(id, slot::kContent,
             Value::tuple({thisClass, self, type ? Value::ref(type) : Value::none()}));
  return Value::ref(id);
}
Value builtins::superThisClass(Engine &e, CallArgs &args) { return contentPart(e, args, 0); }
Value builtins::superSelf(Engine &e, CallArgs &args) { return contentPart(e, args, 1); }

Value builtins::cellNew(Engine &e, CallArgs &args) {
  ObjectId id = e.heap.allocate(ObjectKind::Cell);
  if (given(args, 1))
    e.heap.set(id, slot::kContent, arg(args, 1));
  return Value::ref(id);
}
Value builtins::cellContents(Engine &e, CallArgs &args) {
  ObjectId id = arg(args, 0).asRef();
  if (args.positional.size() == 2) {
    e.heap.set(id, slot::kContent, arg(args, 1));
    return Value::none();
  }
  Value v = e.known(e.heap.get(id, slot::kContent));
  if (v.isAbsent())
    return e.raise(WellKnown::ValueError, "Cell is empty");
  return v;
}

/// The arguments are those of __init__, which a subclass may give others.
Value builtins::moduleNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  Value name = args.positional.size() > 1 ? e.known(args.positional[1]) : Value();
  ModuleInfo &info = e.world->moduleInfos.emplace_back(
      ModuleInfo{name.is(Kind::Str) ? name.asStr().str() : "?", "", false});
  bool exact = cls == e.builtinClass(WellKnown::ModuleType);
  Value module = Value::ref(e.heap.allocate(ObjectKind::Module, exact ? 0 : cls, &info));
  if (!exact)
    return module;
  args.positional[0] = module; // instantiate() calls no __init__ of a builtin
  const BuiltinRow *init = &builtinRows()[e.lookupInClass(cls, NameId(WellKnown::Init)).bits()];
  PTC_DO(bindNative(e, *init, args));
  PTC_LET(done, moduleInit(e, args));
  return module;
}

Value builtins::moduleInit(Engine &e, CallArgs &args) {
  PTC_LET(name, plainArg(e, args, 1));
  if (!name.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "module() argument 'name' must be str, not " + capture::typeName(e, name));
  const ObjectId id = arg(args, 0).asRef();
  e.heap.set(id, attrKey(WellKnown::Name), name);
  e.heap.set(id, attrKey(WellKnown::Doc), given(args, 2) ? arg(args, 2) : Value::none());
  for (llvm::StringRef none : {"__package__", "__loader__", "__spec__"})
    e.heap.set(id, attrKey(e.intern(none)), Value::none());
  return Value::none();
}
