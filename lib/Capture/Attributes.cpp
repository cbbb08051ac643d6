//===- Attributes.cpp - Getting, setting and deleting attributes -----------------===//
//
// In: an object and a name. Out: the attribute by CPython's rules: data descriptors of the type,
// the object's own attributes, the type's other attributes, __getattr__. A property or __getattr__
// written in Python is entered (called).
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "Aside.h"
#include "Descriptors.h"
#include "Escape.h"
#include "Imports.h"
#include "Members.h"
#include "NamedResults.h"
#include "Objects.h"
#include "OpaqueCalls.h"
#include "Overrides.h"
#include "TensorObjects.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

static const BuiltinRow *builtinRow(const Value &v) {
  return v.is(Kind::Builtin) ? &builtinRows()[v.bits()] : nullptr;
}

static bool isInstanceOf(Engine &e, const Value &v, WellKnown cls) {
  return isRefTo(e, v, ObjectKind::Instance) &&
         e.isSubclass(e.heap.header(v.asRef()).cls, e.builtinClass(cls));
}

/// Part n of what a property, classmethod or staticmethod holds.
static Value held(Engine &e, const Value &descriptor, size_t n) {
  const Value &content = e.heap.get(descriptor.asRef(), slot::kContent);
  return content.is(Kind::Tuple) ? content.parts()[n] : Value::none();
}

bool capture::isDataDescriptor(Engine &e, const Value &v) {
  if (const BuiltinRow *row = builtinRow(v))
    return row->kind == BuiltinKind::Getter;
  if (!isRefTo(e, v, ObjectKind::Instance))
    return false;
  ObjectId cls = e.heap.header(v.asRef()).cls;
  if (e.isSubclass(cls, e.builtinClass(WellKnown::PropertyType)) ||
      cls == e.builtinClass(WellKnown::SlotType))
    return true;
  return !e.lookupInClass(cls, NameId(WellKnown::Set)).isAbsent() ||
         !e.lookupInClass(cls, NameId(WellKnown::Delete)).isAbsent();
}

FailAny capture::attributeError(Engine &e, const Value &object, NameId name) {
  llvm::StringRef text = e.nameText(name);
  if (isClass(e, object))
    return e.raise(WellKnown::AttributeError, "type object '" + className(e, object.asRef()) +
                                                  "' has no attribute '" + text + "'");
  if (isRefTo(e, object, ObjectKind::Module) &&
      (text == "__annotations__" || text == "__annotate__"))
    return e.refuse(DiagId::Unsupported, "'" + moduleName(e, object.asRef()) + "." + text + "'");
  if (isRefTo(e, object, ObjectKind::Module)) {
    bool isPartial = isBeingImported(e, object.asRef());
    return e.raise(WellKnown::AttributeError,
                   (isPartial ? "partially initialized module '" : "module '") +
                       moduleName(e, object.asRef()) + "' has no attribute '" + text + "'" +
                       (isPartial ? " (most likely due to a circular import)" : ""));
  }
  return e.raise(WellKnown::AttributeError,
                 "'" + typeName(e, object) + "' object has no attribute '" + text + "'");
}

Value capture::ownAttr(Engine &e, ObjectId object, NameId name) {
  return e.boundValue(e.heap.get(object, attrKey(name)));
}

static Value getProperty(Engine &e, const Value &property, const Value &object) {
  PTC_LET(getter, e.decide(held(e, property, 0)));
  if (getter.isNone())
    return e.raise(WellKnown::AttributeError,
                   "property of '" + typeName(e, object) + "' object has no getter");
  return e.call(getter, {object});
}

static Value getSlot(Engine &e, const Value &descriptor, const Value &object) {
  NameId name = e.intern(held(e, descriptor, 0).asStr());
  if (isNamedResult(object))
    return namedResultField(object, e.nameText(name));
  PTC_LET(v, ownAttr(e, object.asRef(), name));
  if (!v.isAbsent())
    return v;
  // A member of a builtin has a value from the start.
  llvm::ArrayRef<Value> parts = e.heap.get(descriptor.asRef(), slot::kContent).parts();
  return parts.size() > 1 ? parts[1] : Value(attributeError(e, object, name));
}

/// Functions of C are no methods of the classes that they are put into; those of lib/Prelude are.
static bool isUnboundBuiltin(Engine &e, const Value &function) {
  const FunctionRecord &f = functionOf(e, function.asRef());
  if (!f.hidden || e.typeOf(function) != e.builtinClass(WellKnown::BuiltinType))
    return false;
  return f.globals != e.world->prelude ||
         e.heap.get(e.world->builtins, attrKey(e.intern(f.code->name))) == function;
}

/// What a classmethod of `function` gives for a class. Until 3.13 it asked what it holds.
static Value bindClassMethod(Engine &e, const Value &function, ObjectId cls) {
  const Value owner = Value::ref(cls);
  const BuiltinRow *row = builtinRow(function);
  bool bindsItself = !row || row->kind != BuiltinKind::Function;
  if (isPythonFunction(e, function))
    bindsItself = !isUnboundBuiltin(e, function);
  else if (isClass(e, function))
    bindsItself = false;
  else if (isRefTo(e, function, ObjectKind::Instance))
    bindsItself = e.world->minorVersion() < 13 &&
                  !e.lookupInClass(e.typeOf(function), NameId(WellKnown::Get)).isAbsent();
  return bindsItself ? bindAttribute(e, function, owner, cls) : Value::bound(owner, function);
}

Value capture::bindBuiltinDescriptor(Engine &e, const Value &attribute, const Value &object,
                                     ObjectId cls) {
  if (isInstanceOf(e, attribute, WellKnown::PropertyType))
    return object.isAbsent() ? attribute : getProperty(e, attribute, object);
  if (isInstanceOf(e, attribute, WellKnown::StaticMethodType))
    return held(e, attribute, 0);
  if (isInstanceOf(e, attribute, WellKnown::ClassMethodType))
    return bindClassMethod(e, held(e, attribute, 0), cls);
  return Value();
}

Value capture::bindAttribute(Engine &e, const Value &attribute, const Value &object, ObjectId cls) {
  if (const BuiltinRow *row = builtinRow(attribute)) {
    switch (row->kind) {
    case BuiltinKind::Function:
    case BuiltinKind::Static:
      return attribute;
    case BuiltinKind::Method:
      return object.isAbsent() ? attribute : Value::bound(object, attribute);
    case BuiltinKind::ClassMethod:
      return Value::bound(Value::ref(cls), attribute);
    case BuiltinKind::Getter: {
      if (object.isAbsent())
        return attribute;
      CallArgs args;
      args.positional = {object};
      return row->fn(e, args);
    }
    }
  }
  if (!attribute.is(Kind::Ref))
    return attribute;
  switch (e.heap.kind(attribute.asRef())) {
  case ObjectKind::Function:
    return object.isAbsent() || isUnboundBuiltin(e, attribute) ? attribute
                                                               : Value::bound(object, attribute);
  case ObjectKind::Instance:
    break;
  default:
    return attribute;
  }
  ObjectId type = e.heap.header(attribute.asRef()).cls;
  Value get = e.lookupInClass(type, NameId(WellKnown::Get));
  // A subclass of the builtin descriptors may have a way of its own.
  if (!isPythonFunction(e, get)) {
    PTC_LET(bound, bindBuiltinDescriptor(e, attribute, object, cls));
    if (!bound.isAbsent())
      return bound;
  }
  if (type == e.builtinClass(WellKnown::SlotType))
    return object.isAbsent() ? attribute : getSlot(e, attribute, object);
  if (get.isAbsent())
    return attribute;
  return e.call(get, {attribute, object.isAbsent() ? Value::none() : object, Value::ref(cls)});
}

/// Has the object attributes of its own?
static bool hasOwnAttributes(Engine &e, const Value &object) {
  if (!object.is(Kind::Ref))
    return false;
  switch (e.heap.kind(object.asRef())) {
  case ObjectKind::Function:
  case ObjectKind::Module:
  case ObjectKind::Class:
  case ObjectKind::Instance:
    return true;
  case ObjectKind::List:
  case ObjectKind::Dict:
  case ObjectKind::Set:
    return e.heap.header(object.asRef()).cls != 0;
  default:
    return false;
  }
}

/// The class of an MRO that has a name, or 0.
static ObjectId ownerOf(Engine &e, ObjectId cls, NameId name) {
  for (ObjectId base : e.classInfo(cls).mro)
    if (!e.heap.get(base, attrKey(name)).isAbsent())
      return base;
  return 0;
}

/// What a class has under a name, what only its model has aside.
static Value visibleInClass(Engine &e, ObjectId cls, NameId name, bool ofInstance) {
  if (name == NameId(WellKnown::Doc) && isAskedByProgram(e))
    PTC_DO(checkDoc(e, cls));
  if (name == NameId(WellKnown::Module) && ofInstance)
    if (ObjectId owner = ownerOf(e, cls, name);
        owner && !isProgramClass(e, owner) && !isOwnOfModel(e, cls, name, ofInstance))
      return e.heap.get(owner, attrKey(name)).is(Kind::Str) && !isOnlyHere(e, owner)
                 ? Value::str(classModule(e, owner))
                 : e.lookupInClass(cls, name);
  Value found = e.lookupInClass(cls, name);
  return !found.isAbsent() && isOwnOfModel(e, cls, name, ofInstance) ? Value() : found;
}

/// An attribute of the class object itself, found along its MRO.
static Value classAttr(Engine &e, const Value &object, NameId name, const Value &inMeta) {
  ObjectId cls = object.asRef();
  ObjectId meta = e.typeOf(object);
  if (!inMeta.isAbsent() && isDataDescriptor(e, inMeta))
    return bindAttribute(e, inMeta, object, meta);
  if (name == NameId(WellKnown::Doc) && hasDocOfFields(e, cls) && isProgramClass(e, cls) &&
      isAskedByProgram(e))
    if (ObjectId module = findModule(e, "dataclasses"))
      return e.call(e.heap.get(module, attrKey(e.intern("_text_of"))), {object});
  PTC_LET(own, e.decide(visibleInClass(e, cls, name, false)));
  if (!own.isAbsent())
    return bindAttribute(e, own, Value(), cls);
  if (!inMeta.isAbsent())
    return bindAttribute(e, inMeta, object, meta);
  return Value();
}

/// Does it say what a function is, or where?
static bool isNameOfFunction(NameId name) {
  return name == NameId(WellKnown::Name) || name == NameId(WellKnown::QualName) ||
         name == NameId(WellKnown::Module);
}

/// Is it a name that lib/Prelude uses for itself in objects of its classes, asked by the program?
static bool isHiddenInObject(Engine &e, const Value &object, NameId name) {
  return e.nameText(name).starts_with("_ptc_") &&
         (isException(e, object) || llvm::any_of(e.classInfo(e.typeOf(object)).mro,
                                                 [&](ObjectId cls) {
                                                   return cls > e.world->classes.back() &&
                                                          !isProgramClass(e, cls);
                                                 })) &&
         isAskedDirectly(e);
}

static Value instanceAttr(Engine &e, const Value &object, NameId name, const Value &inClass) {
  ObjectId cls = e.typeOf(object);
  // list[int] has the text of list.
  if (name == NameId(WellKnown::Doc) && knownPathOf(e, cls) == "types.GenericAlias")
    return e.getAttr(e.heap.get(object.asRef(), attrKey(e.intern("__origin__"))), name);
  if (!inClass.isAbsent() && isDataDescriptor(e, inClass))
    return bindAttribute(e, inClass, object, cls);
  if (hasOwnAttributes(e, object) && !isHiddenInObject(e, object, name)) {
    PTC_LET(own, ownAttr(e, object.asRef(), name));
    if (!own.isAbsent() && isNameOfFunction(name) && isPythonFunction(e, object) &&
        functionOf(e, object.asRef()).hidden && isAskedByProgram(e))
      return nameOfPrelude(e, object.asRef(), name, own);
    if (!own.isAbsent())
      return name == NameId(WellKnown::Doc) && isOfPrelude(e, object.asRef()) &&
                     isAskedByProgram(e) && !isToldOfProgram(e, object.asRef())
                 ? makeOpaqueMember(e, pathOfPrelude(e, object.asRef()) + ".__doc__", true)
                 : own;
  }
  if (!inClass.isAbsent())
    return bindAttribute(e, inClass, object, cls);
  return Value();
}

namespace {
/// Which hooks answer for an attribute that is not there.
enum class Fallback : uint8_t { None, OfModule, All };
} // namespace

static Value getAttrOf(Engine &e, const Value &object, NameId name, Fallback fallback) {
  ObjectId cls = e.typeOf(object);
  PTC_LET(inClass, e.decide(visibleInClass(e, cls, name, true)));
  PTC_LET(found, isClass(e, object) ? classAttr(e, object, name, inClass)
                                    : instanceAttr(e, object, name, inClass));
  if (!found.isAbsent())
    return found;
  PTC_LET(method, isClass(e, object) ? derivedMethod(e, object.asRef(), Value(), name)
                                     : derivedMethod(e, cls, object, name));
  if (!method.isAbsent())
    return method;
  if (isClass(e, object)) {
    if (e.nameText(name) == "__abstractmethods__" && isProgramClass(e, object.asRef()))
      return e.raise(WellKnown::AttributeError, e.nameText(name)); // there where the class has it
    bool isMeta = e.isSubclass(object.asRef(), e.builtinClass(WellKnown::TypeType));
    PTC_LET(member, missingMember(e, object.asRef(), name, isMeta));
    if (!member.isAbsent())
      return member;
  }
  PTC_LET(member, missingMember(e, cls, name, true));
  if (!member.isAbsent())
    return member;
  if (fallback != Fallback::None) {
    Value hook = e.lookupInClass(cls, NameId(WellKnown::GetAttr));
    if (!hook.isAbsent() && fallback == Fallback::All)
      return e.call(hook, {object, Value::str(e.nameText(name))});
    if (isRefTo(e, object, ObjectKind::Module)) {
      PTC_DO(checkNoName(e, object.asRef()));
      PTC_LET(moduleHook, ownAttr(e, object.asRef(), NameId(WellKnown::GetAttr)));
      if (!moduleHook.isAbsent())
        return e.call(moduleHook, {Value::str(e.nameText(name))});
    }
  }
  return attributeError(e, object, name);
}

Value capture::genericGetAttr(Engine &e, const Value &object, NameId name, bool fallback) {
  return getAttrOf(e, object, name, fallback ? Fallback::All : Fallback::None);
}

Value capture::moduleGetAttr(Engine &e, const Value &module, NameId name) {
  return getAttrOf(e, module, name, Fallback::OfModule);
}

/// May code of the program, which can raise AttributeError, answer for an attribute that is there?
static bool isComputed(Engine &e, const Value &attribute) {
  if (isInstanceOf(e, attribute, WellKnown::PropertyType))
    return true;
  return isRefTo(e, attribute, ObjectKind::Instance) &&
         isPythonFunction(e, e.lookupInClass(e.typeOf(attribute), NameId(WellKnown::Get)));
}

/// Would a descriptor raise AttributeError, __getattr__ is asked: that is Python in the prelude.
static bool needsFallbackCall(Engine &e, const Value &object, ObjectId cls, NameId name) {
  if (!object.is(Kind::Ref) || e.lookupInClass(cls, NameId(WellKnown::GetAttr)).isAbsent())
    return false;
  return isComputed(e, e.lookupInClass(cls, name)) ||
         (isClass(e, object) && isComputed(e, e.lookupInClass(object.asRef(), name)));
}

/// What a module of the prelude has beside its variables; Absent for any other.
static Value preludeModuleAttr(Engine &e, ObjectId module, NameId name) {
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module).info);
  if (!info.prelude)
    return Value::absent();
  PTC_LET(own, ownAttr(e, module, name));
  if (!own.isAbsent())
    return Value::absent();
  PTC_LET(answer, worldAttribute(e, info.name, name));
  if (answer.isAbsent() && !e.lookupInClass(e.typeOf(Value::ref(module)), name).isAbsent())
    return Value::absent();
  if (!answer.isAbsent())
    return answer;
  // Its own __getattr__ knows what is there.
  if (!e.heap.get(module, attrKey(WellKnown::GetAttr)).isAbsent())
    return Value::absent();
  PTC_LET(part, partOnTop(e, info.name, name));
  return part.isAbsent() ? torchModuleAttr(e, info.name, name) : part;
}

/// Has a method, which is what `object` is, the attributes of its function?
static bool isForwarded(Engine &e, const Value &object, NameId name) {
  if (name == NameId(WellKnown::Dict))
    return isPythonFunction(e, object.parts()[1]);
  return e.typeOf(object) == e.builtinClass(WellKnown::MethodType) &&
         e.lookupInClass(e.typeOf(object), name).isAbsent();
}

/// Attributes that only functions have, or only methods of classes, written in C.
static bool isOfMethodsOrFunctions(llvm::StringRef name) {
  return name == "__self__" || name == "__get__" || name == "__objclass__";
}

/// Attributes that generators have, and other iterators have not.
static bool isOfGenerators(llvm::StringRef name) {
  return name == "send" || name == "throw" || name == "close" || name.starts_with("gi_") ||
         name == "__name__" || name == "__qualname__" || name == "__del__";
}

/// Is a method of torch.Tensor that is native here Python in PyTorch?
static bool isOfPythonInTorch(Engine &e, const Value &v) {
  const BuiltinRow *row = builtinRow(v);
  if (!row || row->owner != WellKnown::TensorType)
    return false;
  std::optional<KnownName> known =
      findKnownName(std::string("torch.Tensor.") + row->name, e.world->minorVersion());
  return known && known->kind == KnownKind::Function && known->type == "function";
}

Value Engine::getAttr(const Value &given, NameId name) {
  // A choice of tensors answers without a fork.
  if (isTensorLike(given)) {
    PTC_LET(tensor, readable(given));
    if (Value own = isFunctionModeActive(*this) ? overriddenMember(*this, name) : Value();
        isInstanceOf(*this, own, WellKnown::PropertyType))
      return bindAttribute(*this, own, tensor, typeOf(tensor));
    PTC_LET(found, tensorAttribute(*this, tensor, name));
    return found.isAbsent() ? Value(attributeError(*this, tensor, name)) : found;
  }
  PTC_LET(object, decide(given));
  if (isRefTo(*this, object, ObjectKind::Module)) {
    if (isOwnOfPrelude(*this, object.asRef(), name)) {
      PTC_LET(own, ownAttr(*this, object.asRef(), nameForProgram(*this, name)));
      return own.isAbsent() ? Value(attributeError(*this, object, name)) : own;
    }
    PTC_DO(checkPartImported(*this, object.asRef(), name));
    PTC_LET(found, preludeModuleAttr(*this, object.asRef(), name));
    if (!found.isAbsent())
      return found;
  }
  if (object.is(Kind::Opaque))
    return opaqueAttr(object, name);
  if (name == NameId(WellKnown::Module) && isOfPythonInTorch(*this, object))
    return Value::str("torch._tensor");
  if (isNamedResult(object))
    if (Value part = namedResultField(object, nameText(name)); !part.isAbsent())
      return part;
  if (object.is(Kind::Ref)) {
    if (object.asRef() == builtinClass(WellKnown::TensorType) &&
        lookupInClass(object.asRef(), name).isAbsent() &&
        !isDataDescriptor(*this, lookupInClass(typeOf(object), name)))
      if (Value found = tensorClassAttr(*this, name); !found.isAbsent()) {
        const std::string path = ("torch.Tensor." + nameText(name)).str(); // computed, such as `T`?
        return found.is(Kind::TorchOp) && isKnownDescriptor(path, world->minorVersion())
                   ? makeOpaqueMember(*this, path, false)
                   : found;
      }
    ObjectId cls = typeOf(object);
    if (cls == builtinClass(WellKnown::SuperType))
      return superAttr(*this, object, name);
    if (world->hookedGetAttribute) {
      Value hook = lookupInClass(cls, NameId(WellKnown::GetAttribute));
      if (!hook.isAbsent() && !hook.is(Kind::Builtin))
        return callPrelude("_hooked_getattr", {object, Value::str(nameText(name))});
    }
    if (needsFallbackCall(*this, object, cls, name))
      return callPrelude("_hooked_getattr", {object, Value::str(nameText(name))});
  }
  if (std::string path = isNameOfFunction(name) ? "" : classBehindFunction(*this, object);
      !path.empty() && isProgramsQuestion(*this))
    return opaqueAttr(makeOpaque(*this, path, OpaqueIs::Class), name);
  if (isStandIn(*this, object) && isOfGenerators(nameText(name)) && isProgramsQuestion(*this))
    return refuse(DiagId::Unsupported, "'" + nameText(name) + "' of " + standInText(*this, object));
  if (object.is(Kind::Bound) && isForwarded(*this, object, name))
    return getAttr(object.parts()[1], name);
  bool isOfC =
      object.is(Kind::TorchOp) || (object.is(Kind::Bound) && object.parts()[1].is(Kind::Builtin) &&
                                   nameText(name) == "__objclass__");
  if (isOfC && isOfMethodsOrFunctions(nameText(name)))
    return refuse(DiagId::UnsupportedOperation, "'" + nameText(name) + "'",
                  "whether the function is a method is not known");
  return genericGetAttr(*this, object, name, true);
}

Value capture::plainAttr(Engine &e, const Value &object, NameId name) {
  if (hasOwnAttributes(e, object)) {
    PTC_LET(own, ownAttr(e, object.asRef(), name));
    if (!own.isAbsent())
      return own;
  }
  return e.lookupInClass(e.typeOf(object), name);
}

// super
// ------------------------------------------------------------------------------------------------

Value capture::superLookup(Engine &e, ObjectId thisClass, const Value &object, ObjectId objectType,
                           NameId name) {
  llvm::ArrayRef<ObjectId> mro = e.classInfo(objectType).mro;
  const auto *at = llvm::find(mro, thisClass);
  if (at == mro.end())
    return Value();
  bool ofClass = isClass(e, object) && object.asRef() == objectType;
  for (++at; at != mro.end(); ++at) {
    if (name == NameId(WellKnown::Dict) && !isProgramClass(e, *at))
      continue; // of instances: no class has it
    PTC_LET(found, e.decide(e.heap.get(*at, attrKey(name))));
    if (!found.isAbsent())
      return bindAttribute(e, found, ofClass ? Value() : object, objectType);
  }
  return Value();
}

Value capture::superAttr(Engine &e, const Value &super, NameId name) {
  PTC_LET(content, e.decide(e.heap.get(super.asRef(), slot::kContent)));
  std::vector<Value> parts;
  for (const Value &part : content.parts()) {
    PTC_LET(decided, e.decide(part));
    parts.push_back(std::move(decided));
  }
  if (name != NameId(WellKnown::Class) && !parts[1].isNone()) {
    PTC_LET(found, superLookup(e, parts[0].asRef(), parts[1], parts[2].asRef(), name));
    if (!found.isAbsent())
      return found;
    llvm::ArrayRef<ObjectId> mro = e.classInfo(parts[2].asRef()).mro;
    const auto *at = llvm::find(mro, parts[0].asRef());
    bool isOfClass = isClass(e, parts[1]) && parts[1].asRef() == parts[2].asRef();
    PTC_LET(method, derivedMethod(e, parts[2].asRef(), isOfClass ? Value() : parts[1], name));
    if (!method.isAbsent())
      return method;
    PTC_LET(member, missingOfSuper(e,
                                   at == mro.end() ? mro.take_front(0)
                                                   : mro.drop_front(at - mro.begin() + 1),
                                   name, !isOfClass));
    if (!member.isAbsent())
      return member;
  }
  return genericGetAttr(e, super, name, false);
}

// Setting
// ----------------------------------------------------------------------------------------------

static FailAny readOnly(Engine &e, const Value &object, NameId name, bool exists) {
  // CPython could change it: torch.Tensor is written in Python.
  if (isClass(e, object) && object.asRef() == e.builtinClass(WellKnown::TensorType))
    return e.refuse(DiagId::UnsupportedTorchFunction, "assigning torch.Tensor." + e.nameText(name));
  if (isClass(e, object))
    return e.raise(WellKnown::TypeError, "cannot set '" + e.nameText(name) +
                                             "' attribute of immutable type '" +
                                             classFullName(e, object.asRef()) + "'");
  if (exists && isRefTo(e, object, ObjectKind::Function))
    return e.raise(WellKnown::AttributeError, "readonly attribute");
  if (exists)
    return e.raise(WellKnown::AttributeError, "'" + typeName(e, object) + "' object attribute '" +
                                                  e.nameText(name) + "' is read-only");
  return attributeError(e, object, name);
}

/// Through a data descriptor of the class. Absent: there is none.
static Value setDescriptor(Engine &e, const Value &descriptor, const Value &object, NameId name,
                           const Value &value) {
  bool deleting = value.isAbsent();
  if (const BuiltinRow *row = builtinRow(descriptor)) {
    if (row->kind != BuiltinKind::Getter)
      return Value();
    const bool isSet = llvm::StringRef(row->signature) == "set";
    if (isSet && deleting && isRefTo(e, object, ObjectKind::Function))
      return e.refuse(DiagId::Unsupported, "deleting '" + e.nameText(name) + "' of a function");
    const std::string path = ("builtins." + e.nameText(NameId(row->owner)) + "." + row->name).str();
    std::optional<KnownName> known = findKnownName(path, e.world->minorVersion());
    if (!isSet && known && known->type == "member_descriptor")
      return e.raise(WellKnown::AttributeError, "readonly attribute");
    if (!isSet && known && known->type == "getset_descriptor")
      return e.raise(WellKnown::AttributeError, "attribute '" + e.nameText(name) + "' of '" +
                                                    e.nameText(NameId(row->owner)) +
                                                    "' objects is not writable");
    if (isSet && deleting && isException(e, object))
      return e.raise(WellKnown::TypeError, e.nameText(name) + " may not be deleted");
    if (!isSet || deleting)
      return readOnly(e, object, name, true);
    CallArgs args;
    args.positional = {object, value};
    return row->fn(e, args);
  }
  if (!isRefTo(e, descriptor, ObjectKind::Instance))
    return Value();
  ObjectId type = e.heap.header(descriptor.asRef()).cls;
  Value set = e.lookupInClass(type, NameId(deleting ? WellKnown::Delete : WellKnown::Set));
  if (isInstanceOf(e, descriptor, WellKnown::PropertyType) && !isPythonFunction(e, set)) {
    PTC_LET(setter, e.decide(held(e, descriptor, deleting ? 2 : 1)));
    if (setter.isNone())
      return e.raise(WellKnown::AttributeError, "property '" + e.nameText(name) + "' of '" +
                                                    typeName(e, object) + "' object has no " +
                                                    (deleting ? "deleter" : "setter"));
    std::vector<Value> args{object};
    if (!deleting)
      args.push_back(value);
    return e.call(setter, std::move(args), ReturnAction::Drop);
  }
  if (type == e.builtinClass(WellKnown::SlotType)) {
    if (isNamedResult(object))
      return e.raise(WellKnown::AttributeError, "readonly attribute");
    bool always = e.heap.get(descriptor.asRef(), slot::kContent).parts().size() > 1;
    if (deleting && !always) {
      PTC_LET(own, ownAttr(e, object.asRef(), name));
      if (own.isAbsent())
        return e.raise(WellKnown::AttributeError, e.nameText(name));
    }
    e.heap.set(object.asRef(), attrKey(name), value);
    return Value::none();
  }
  if (set.isAbsent()) {
    const WellKnown other = deleting ? WellKnown::Set : WellKnown::Delete;
    if (!e.lookupInClass(type, NameId(other)).isAbsent())
      return e.raise(WellKnown::AttributeError, deleting ? "__delete__" : "__set__");
    return Value();
  }
  std::vector<Value> args{descriptor, object};
  if (!deleting)
    args.push_back(value);
  return e.call(set, std::move(args), ReturnAction::Drop);
}

static bool isImmutableClass(Engine &e, const Value &object) {
  return isClass(e, object) && isProgramsQuestion(e) && isBuiltinClass(e, object.asRef());
}

/// Can the object, of a class of a library, be given no attribute of this name?
static bool isClosed(Engine &e, const Value &object, ObjectId cls, NameId name) {
  const bool isInstance =
      e.heap.kind(object.asRef()) == ObjectKind::Instance || hasUnknownContents(e, object);
  return isInstance && isProgramsQuestion(e) && !isProgramClass(e, cls) &&
         !hasInstanceDict(e, cls) && e.heap.get(object.asRef(), attrKey(name)).isAbsent() &&
         !mayHaveMember(e, cls, name);
}

/// Names of functions and classes are text.
static Flow checkNameIsText(Engine &e, const Value &object, NameId name, const Value &value) {
  const bool isOfClass = isClass(e, object);
  if (isOfClass && value.isAbsent() && name == NameId(WellKnown::Module))
    return e.raise(WellKnown::TypeError,
                   "cannot delete '__module__' attribute of immutable type '" +
                       className(e, object.asRef()) + "'");
  if ((name != NameId(WellKnown::Name) && name != NameId(WellKnown::QualName)) ||
      (!isOfClass && !isRefTo(e, object, ObjectKind::Function)))
    return Flow::Next;
  const llvm::StringRef text = e.nameText(name);
  const std::string cls = isOfClass ? className(e, object.asRef()) : "";
  if (value.isAbsent())
    return e.raise(WellKnown::TypeError,
                   isOfClass
                       ? "cannot delete '" + text + "' attribute of immutable type '" + cls + "'"
                       : text + " must be set to a string object");
  PTC_LET(now, e.decide(value));
  if (now.is(Kind::Opaque) || isInstance(e, now, WellKnown::StrType))
    return Flow::Next;
  return e.raise(WellKnown::TypeError, isOfClass ? "can only assign string to " + cls + "." + text +
                                                       ", not '" + typeName(e, now) + "'"
                                                 : text + " must be set to a string object");
}

/// What an exception is linked with are exceptions and a traceback; setting its cause hides its
/// context.
static Flow setLink(Engine &e, const Value &object, NameId name, const Value &value) {
  const bool isCause = name == NameId(WellKnown::Cause);
  const bool isFlag = name == NameId(WellKnown::SuppressContext);
  const bool isTraceback = name == NameId(WellKnown::Traceback);
  if ((!isCause && !isFlag && !isTraceback && name != NameId(WellKnown::Context)) ||
      !isException(e, object))
    return Flow::Next;
  const llvm::StringRef text = e.nameText(name);
  if (value.isAbsent())
    return e.raise(WellKnown::TypeError,
                   isFlag ? "can't delete numeric/char attribute" : text + " may not be deleted");
  PTC_LET(now, e.decide(value));
  if (now.is(Kind::Opaque))
    return e.refuseOpaque(now);
  if (isFlag)
    return numberType(now) == NumberType::Bool
               ? Flow::Next
               : Flow(e.raise(WellKnown::TypeError, "attribute value type must be bool"));
  if (isTraceback)
    return now.isNone() || e.typeOf(now) == e.builtinClass(WellKnown::TracebackType)
               ? Flow::Next
               : Flow(e.raise(WellKnown::TypeError, "__traceback__ must be a traceback or None"));
  if (!now.isNone() && !isException(e, now))
    return e.raise(WellKnown::TypeError, llvm::Twine("exception ") +
                                             (isCause ? "cause" : "context") +
                                             " must be None or derive from BaseException");
  if (isCause)
    e.heap.set(object.asRef(), attrKey(WellKnown::SuppressContext), Value::boolean(true));
  return Flow::Next;
}

static Value setOwn(Engine &e, const Value &object, NameId name, Value value) {
  if (e.isTensorLike(object))
    return setTensorAttr(e, object, name, value);
  if (isPythonFunction(e, object) && functionOf(e, object.asRef()).hidden && isProgramsQuestion(e))
    if (std::string path = classBehindFunction(e, object); !path.empty())
      return e.refuse(DiagId::Unsupported,
                      "assigning '" + path + "." + e.nameText(name).str() + "'");
  PTC_DO(checkNameIsText(e, object, name, value));
  PTC_DO(setLink(e, object, name, value));
  ObjectId cls = e.typeOf(object);
  PTC_LET(inClass, e.decide(e.lookupInClass(cls, name)));
  if (!inClass.isAbsent()) {
    PTC_LET(done, setDescriptor(e, inClass, object, name, value));
    if (!done.isAbsent())
      return done;
  }
  bool plain = cls == e.builtinClass(WellKnown::ObjectType) && !isClass(e, object);
  if (!hasOwnAttributes(e, object) || plain || isImmutableClass(e, object))
    return readOnly(e, object, name, !inClass.isAbsent());
  ObjectId id = object.asRef();
  if (isRefTo(e, object, ObjectKind::Module)) {
    PTC_DO(checkModuleStore(e, id, name));
    // The tables would still have it, and so would lib/Prelude.
    if (value.isAbsent() && isOfPrelude(e, id) && isAskedByProgram(e) &&
        findKnownName(moduleName(e, id) + "." + e.nameText(name).str(), e.world->minorVersion()))
      return e.refuse(DiagId::Unsupported,
                      "deleting '" + moduleName(e, id) + "." + e.nameText(name) + "'");
  }
  if (isRefTo(e, object, ObjectKind::Module) && isOwnOfPrelude(e, id, name)) {
    NameId kept = nameForProgram(e, name);
    if (value.isAbsent() && e.heap.get(id, attrKey(kept)).isAbsent())
      return attributeError(e, object, name);
    e.heap.set(id, attrKey(kept), std::move(value));
    return Value::none();
  }
  if (e.heap.kind(id) != ObjectKind::Class && e.classInfo(cls).layout != Layout::None &&
      !e.heap.get(cls, slot::kClassNoDict).isAbsent())
    return readOnly(e, object, name, !inClass.isAbsent());
  if (isClosed(e, object, cls, name))
    return readOnly(e, object, name, !inClass.isAbsent());
  if (value.isAbsent()) {
    PTC_LET(own, ownAttr(e, id, name));
    if (own.isAbsent())
      return attributeError(e, object, name);
  }
  if (isClass(e, object) && isProgramsQuestion(e))
    noteOwnOfProgram(e, id, name, !value.isAbsent());
  if (name == NameId(WellKnown::GetAttribute) && e.heap.kind(id) == ObjectKind::Class)
    e.world->hookedGetAttribute = true;
  // Whether it had a value on this path decides its place among the names.
  if (const Value was = e.heap.get(id, attrKey(name)); was.is(Kind::Choice))
    e.heap.restore({id, attrKey(name)}, e.known(was));
  e.heap.set(id, attrKey(name), std::move(value));
  return Value::none();
}

Value capture::genericSetAttr(Engine &e, const Value &object, NameId name, Value value) {
  return setOwn(e, object, name, std::move(value));
}

Value Engine::setAttr(const Value &given, NameId name, Value value) {
  PTC_LET(object, decide(given));
  if (object.is(Kind::Tensor)) {
    PTC_DO(checkNoFunctionMode(*this, "assigning attributes of tensors"));
    return setTensorAttr(*this, object, name, value);
  }
  if (object.is(Kind::Opaque)) {
    CallArgs args;
    args.positional = {std::move(value)};
    PTC_DO(checkOpaqueCall(object, args));
    noteAssigned(*this, object, name);
    return Value::none();
  }
  Value hook = lookupInClass(typeOf(object), NameId(WellKnown::SetAttr));
  if (!hook.isAbsent() && !hook.is(Kind::Builtin)) {
    PTC_LET(method, bindAttribute(*this, hook, object, typeOf(object)));
    return call(method, {Value::str(nameText(name)), std::move(value)}, ReturnAction::Drop);
  }
  if (hook.is(Kind::Builtin) && builtinRows()[hook.bits()].owner != WellKnown::ObjectType) {
    // __setattr__ = dict.__setitem__
    return call(hook, {object, Value::str(nameText(name)), std::move(value)}, ReturnAction::Drop);
  }
  return setOwn(*this, object, name, std::move(value));
}

Value Engine::deleteAttr(const Value &given, NameId name) {
  PTC_LET(object, decide(given));
  if (object.is(Kind::Opaque))
    return refuseOpaque(object);
  Value hook = lookupInClass(typeOf(object), NameId(WellKnown::DelAttr));
  if (!hook.isAbsent() && !hook.is(Kind::Builtin)) {
    PTC_LET(method, bindAttribute(*this, hook, object, typeOf(object)));
    return call(method, {Value::str(nameText(name))}, ReturnAction::Drop);
  }
  return setOwn(*this, object, name, Value());
}
