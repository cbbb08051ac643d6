//===- ObjectMethods.cpp - object, type, functions -----------------------------------===//
//
// Native methods of the classes that Python's object model itself is made of.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Aside.h"
#include "../Descriptors.h"
#include "../Escape.h"
#include "../Imports.h"
#include "../Members.h"
#include "../SetMembers.h"
#include "../Template.h"

#include "llvm/ADT/StringExtras.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
using namespace ptc::capture::builtins;

Value builtins::box(Engine &e, ObjectId cls, Value value) {
  // A bytearray is the one builtin that can change and still holds a plain value.
  if (cls <= e.world->classes.back() && cls != e.builtinClass(WellKnown::ByteArrayType))
    return value;
  ObjectId id = allocateInstance(e, cls);
  e.heap.set(id, slot::kContent, std::move(value));
  return Value::ref(id);
}

Value builtins::plainArg(Engine &e, CallArgs &args, size_t n) {
  PTC_LET(v, e.decide(args.positional[n]));
  return e.unboxed(v);
}

std::optional<NameId> builtins::nameArg(Engine &e, const Value &given) {
  PTC_LET(v, e.decide(given));
  Value name = e.unboxed(v);
  if (!name.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "attribute name must be string, not '" + typeName(e, v) + "'");
  return e.intern(name.asStr());
}

// object
// -----------------------------------------------------------------------------------------------

Value builtins::objectNew(Engine &e, CallArgs &args) {
  if (args.positional.empty() || !isClass(e, arg(args, 0)))
    return e.raise(WellKnown::TypeError, "object.__new__(X): X is not a type object");
  ObjectId cls = arg(args, 0).asRef();
  if (const Layout layout = e.classInfo(cls).layout;
      cls <= e.world->classes.back() && layout != Layout::Plain && layout != Layout::None)
    return e.raise(WellKnown::TypeError, "object.__new__(" + className(e, cls) +
                                             ") is not safe, use " + className(e, cls) +
                                             ".__new__()");
  if (cls == e.builtinClass(WellKnown::ObjectType) &&
      (args.positional.size() > 1 || !args.keywords.empty()))
    return e.raise(WellKnown::TypeError, "object() takes no arguments");
  for (const Value &only : {Value::none(), Value::ellipsis(), Value::notImplemented()}) {
    if (cls != e.typeOf(only))
      continue;
    if (args.positional.size() > 1 || !args.keywords.empty())
      return e.raise(WellKnown::TypeError, className(e, cls) + " takes no arguments");
    return only;
  }
  if (args.positional.size() > 1 || !args.keywords.empty()) {
    const auto isOfObject = [&](WellKnown name) {
      const Value &method = e.lookupInClass(cls, NameId(name));
      return method.is(Kind::Builtin) &&
             builtinRows()[method.bits()].owner == WellKnown::ObjectType;
    };
    if (!isOfObject(WellKnown::New))
      return e.raise(WellKnown::TypeError,
                     "object.__new__() takes exactly one argument (the type to instantiate)");
    if (isOfObject(WellKnown::Init))
      return e.raise(WellKnown::TypeError, className(e, cls) + "() takes no arguments");
  }
  return makeInstance(e, cls);
}

Value builtins::objectInit(Engine &e, CallArgs &args) {
  bool extra = args.positional.size() > 1 || !args.keywords.empty();
  if (!extra)
    return Value::none();
  ObjectId cls = e.typeOf(arg(args, 0));
  Value make = e.lookupInClass(cls, NameId(WellKnown::New));
  Value init = e.lookupInClass(cls, NameId(WellKnown::Init));
  bool ownInit =
      !(init.is(Kind::Builtin) && builtinRows()[init.bits()].owner == WellKnown::ObjectType);
  bool ownNew =
      !(make.is(Kind::Builtin) && builtinRows()[make.bits()].owner == WellKnown::ObjectType);
  if (ownInit)
    return e.raise(WellKnown::TypeError, "object.__init__() takes exactly one argument (the "
                                         "instance to initialize)");
  if (!ownNew)
    return e.raise(WellKnown::TypeError,
                   className(e, cls) + ".__init__() takes exactly one argument (the instance to "
                                       "initialize)");
  return Value::none();
}

/// Refuses the names of a class that no library has, and new ones for one of a library.
static Flow checkNames(Engine &e, ObjectId cls, const CallArgs &args) {
  if (!isProgramsQuestion(e) || cls <= e.world->classes.back() || isProgramClass(e, cls) ||
      (args.positional.size() == 1 && !isOnlyHere(e, cls)))
    return Flow::Next;
  return e.refuse(DiagId::Unsupported,
                  (args.positional.size() == 1 ? "the name of '" : "a name for '") +
                      classFullName(e, cls) + "'");
}

/// Has a builtin class of values a __repr__ of its own in Builtins.def?
static bool hasOwnRepr(Engine &e, const Value &v) {
  const Value content = e.unboxed(v);
  if (isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict) ||
      isRefTo(e, v, ObjectKind::Set) || isException(e, v) || content.is(Kind::FrozenSet))
    return true;
  return isNumber(content) || content.is(Kind::Complex) || content.is(Kind::Str) ||
         content.is(Kind::Template) || content.is(Kind::Bytes) || content.is(Kind::Tuple);
}

Value builtins::objectRepr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  const bool isPlain = isRefTo(e, v, ObjectKind::Instance) && e.unboxed(v) == v;
  if (isPlain || hasOwnRepr(e, v)) { // the latter by object.__repr__(v)
    ObjectId cls = e.typeOf(v);
    PTC_DO(checkNames(e, cls, args));
    const uint64_t place = v.is(Kind::Ref) ? uint64_t(v.asRef()) : 0;
    return Value::str("<" + classFullName(e, cls) + " object at 0x" +
                      llvm::utohexstr(0x7f0000000000 + place * 16, true) + ">");
  }
  if (isClass(e, v)) {
    PTC_DO(checkNames(e, v.asRef(), args));
    return Value::str("<class '" + classFullName(e, v.asRef()) + "'>");
  }
  if (std::optional<Value> text = nativeText(e, e.unboxed(v), /*repr=*/true))
    return *text;
  if (e.pending.kind != Pending::Kind::None)
    return Value::fail();
  if (v.is(Kind::TorchOp) || (v.is(Kind::Bound) && v.parts()[1].is(Kind::TorchOp)))
    return e.refuse(DiagId::UnsupportedOperation, "the text of a function of torch",
                    "it has an address");
  return e.callPrelude("_repr_container", {v}, args.action);
}

Value builtins::containerRepr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (!overridesBuiltin(e, v, WellKnown::Repr))
    if (std::optional<Value> text = nativeText(e, v, /*repr=*/true))
      return *text;
  if (e.pending.kind != Pending::Kind::None)
    return Value::fail();
  return e.callPrelude("_repr_container", {v}, args.action);
}

Value builtins::ptcHasOwnText(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(overridesBuiltin(
      e, v, arg(args, 1).asStr() == "__repr__" ? WellKnown::Repr : WellKnown::Str));
}

Value builtins::objectStr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  Value repr = specialMethod(e, v, WellKnown::Repr);
  if (isPythonFunction(e, repr))
    return e.call(repr, {v}, args.action);
  if (hasOwnRepr(e, v) || (v.is(Kind::Ref) && overridesBuiltin(e, v, WellKnown::Repr)))
    return fnRepr(e, args);
  return objectRepr(e, args);
}

/// The method of a number, or of a string known at run time only: ints do not know floats.
static Value compareNumbersSlot(Engine &e, CompareOp op, const Value &x, const Value &y) {
  bool known = x.is(Kind::Template) ? y.is(Kind::Str) || y.is(Kind::Template)
                                    : isNumber(y) && (numberType(x) == NumberType::Float ||
                                                      numberType(y) != NumberType::Float);
  if (!known)
    return Value::notImplemented();
  return compareOperation(e, op, x, y, ReturnAction::Push);
}

/// Does a comparison method of x's class answer for y? Sets know sets, views of dicts sets and
/// views, all others their own class.
static bool answersFor(Engine &e, const Value &x, const Value &y) {
  auto isSet = [&](const Value &v) {
    return v.is(Kind::FrozenSet) || isRefTo(e, v, ObjectKind::Set);
  };
  if (x.is(Kind::Complex))
    return isNumber(y);
  if (isSet(x) || isSetView(e, x))
    return isSet(y) || (isSetView(e, x) && isSetView(e, y));
  return x.kind() == y.kind() &&
         (!x.is(Kind::Ref) || e.heap.kind(x.asRef()) == e.heap.kind(y.asRef()));
}

/// Is it of a class with a row of its own for __eq__ in Builtins.def?
static bool comparesByValue(Engine &e, const Value &v) {
  const Value content = e.unboxed(v);
  switch (content.kind()) {
  case Kind::Bytes:
  case Kind::Complex:
  case Kind::FrozenSet:
  case Kind::Range:
  case Kind::Slice:
  case Kind::Str:
  case Kind::Template:
  case Kind::Tuple:
    return true;
  case Kind::Ref:
    return isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict) ||
           isRefTo(e, v, ObjectKind::Set) || isSetView(e, v);
  default:
    return isNumber(content);
  }
}

/// __eq__ or, if `negated`, __ne__ of what has no such method in Python.
static Value equality(Engine &e, CallArgs &args, bool negated) {
  PTC_LET(a, e.decide(arg(args, 0)));
  PTC_LET(b, e.decide(arg(args, 1)));
  Value x = e.unboxed(a), y = e.unboxed(b);
  if (isNumber(x) || x.is(Kind::Template))
    return compareNumbersSlot(e, negated ? CompareOp::Ne : CompareOp::Eq, x, y);
  bool plain = (isRefTo(e, x, ObjectKind::Instance) && !isSetView(e, x)) || isClass(e, x) ||
               !x.is(Kind::Ref);
  if (a == b)
    return Value::boolean(!negated);
  if (plain && x.is(Kind::Ref))
    return Value::notImplemented();
  // An object that holds no value of a builtin class: its own method decides.
  if (isRefTo(e, y, ObjectKind::Instance) && !isDictView(e, y))
    return Value::notImplemented();
  if (!answersFor(e, x, y))
    return Value::notImplemented();
  std::optional<bool> same = nativeEqual(e, x, y);
  if (!same)
    return e.callPrelude(negated ? "_containers_differ" : "_containers_equal", {x, y}, args.action);
  return Value::boolean(*same != negated);
}

Value builtins::valueEq(Engine &e, CallArgs &args) { return equality(e, args, false); }

Value builtins::objectEq(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (!comparesByValue(e, v))
    return equality(e, args, false);
  PTC_LET(same, identical(e, v, arg(args, 1)));
  PTC_GET(isSame, e.truth(same));
  return isSame ? Value::boolean(true) : Value::notImplemented();
}

Value builtins::objectNe(Engine &e, CallArgs &args) {
  PTC_LET(a, e.decide(arg(args, 0)));
  Value eq = specialMethod(e, a, WellKnown::Eq);
  // The builtin classes that compare have a != beside their ==, and it is theirs that subclasses
  // inherit.
  bool isOfBuiltin = !(e.unboxed(a) == a) ||
                     (a.is(Kind::Ref) && !isClass(e, a) && !isRefTo(e, a, ObjectKind::Instance));
  if (isPythonFunction(e, eq) && !isOfBuiltin)
    return e.callPrelude("_ne_by_eq", {a, arg(args, 1)}, args.action);
  return equality(e, args, true);
}

template <CompareOp op> static Value compareSlot(Engine &e, CallArgs &args) {
  PTC_LET(a, e.decide(arg(args, 0)));
  PTC_LET(b, e.decide(arg(args, 1)));
  Value x = e.unboxed(a), y = e.unboxed(b);
  if (isNumber(x) || x.is(Kind::Template))
    return compareNumbersSlot(e, op, x, y);
  if (!answersFor(e, x, y))
    return Value::notImplemented();
  if (x.is(Kind::Slice))
    return compareOperation(e, op, x, y, args.action);
  PTC_LET(result, nativeCompare(e, op, x, y));
  if (result.isAbsent())
    return e.callPrelude("_compare_containers", {x, y, Value::str(ptc::getCompareOpSymbol(op))},
                         args.action);
  return result;
}
Value builtins::slotLt(Engine &e, CallArgs &args) { return compareSlot<CompareOp::Lt>(e, args); }
Value builtins::slotLe(Engine &e, CallArgs &args) { return compareSlot<CompareOp::Le>(e, args); }
Value builtins::slotGt(Engine &e, CallArgs &args) { return compareSlot<CompareOp::Gt>(e, args); }
Value builtins::slotGe(Engine &e, CallArgs &args) { return compareSlot<CompareOp::Ge>(e, args); }

Value builtins::objectOrder(Engine &, CallArgs &) { return Value::notImplemented(); }

Value builtins::objectHash(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (v.is(Kind::Ref))
    return Value::integer(int64_t(v.asRef()) * 16);
  if (comparesByValue(e, v))
    return e.refuse(DiagId::Unsupported, "object.__hash__() of a value, by its address,");
  return valueHash(e, args);
}

Value builtins::valueHash(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  Value content = e.unboxed(v);
  if (content.is(Kind::Scalar) || content.is(Kind::Size))
    return runTimeHash(e, content);
  bool needsPython = false;
  std::optional<int64_t> h = nativeHash(e, content, needsPython);
  if (needsPython)
    return e.refuse(DiagId::Unsupported, "the hash of a run-time value");
  return h ? Value::integer(*h) : Value::fail();
}

Value builtins::objectGetAttribute(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  PTC_GET(name, nameArg(e, arg(args, 1)));
  return v.is(Kind::Ref) ? genericGetAttr(e, v, name, false) : e.getAttr(v, name);
}

Value builtins::moduleGetAttribute(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  PTC_GET(name, nameArg(e, arg(args, 1)));
  // A module of lib/Prelude has names that are found in other ways, and no class of the program's.
  return isRefTo(e, v, ObjectKind::Module) &&
                 !static_cast<const ModuleInfo *>(e.heap.header(v.asRef()).info)->prelude
             ? moduleGetAttr(e, v, name)
             : e.getAttr(v, name);
}

Value builtins::objectSetAttr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  PTC_GET(name, nameArg(e, arg(args, 1)));
  return genericSetAttr(e, v, name, arg(args, 2));
}

Value builtins::objectDelAttr(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  PTC_GET(name, nameArg(e, arg(args, 1)));
  return genericSetAttr(e, v, name, Value());
}

static std::string qualNameOf(Engine &e, ObjectId cls) {
  const Value &said = e.heap.get(cls, attrKey(WellKnown::QualName));
  return said.is(Kind::Str) ? said.asStr().str() : className(e, cls);
}

Value builtins::objectInitSubclass(Engine &e, CallArgs &args) {
  if (!args.keywords.empty())
    return e.raise(WellKnown::TypeError, qualNameOf(e, arg(args, 0).asRef()) +
                                             ".__init_subclass__() takes no keyword arguments");
  return Value::none();
}

Value builtins::objectSubclassHook(Engine &, CallArgs &) { return Value::notImplemented(); }

Value builtins::objectFormat(Engine &e, CallArgs &args) {
  Value v = arg(args, 0), spec = arg(args, 1);
  if (spec.is(Kind::Str) && spec.asStr().empty())
    return e.callPrelude("_str", {v}, args.action);
  return e.raise(WellKnown::TypeError,
                 "unsupported format string passed to " + typeName(e, v) + ".__format__");
}

/// Is it of a class that CPython has for it, and the model has not?
static bool hasClassOfC(Engine &e, const Value &v) {
  if (isDictView(e, v))
    return isOrderedDict(e, e.heap.get(v.asRef(), slot::kContent).asRef());
  if (v.is(Kind::TorchOp))
    return e.nameText(NameId(v.bits())).starts_with("Tensor.");
  const Value f = v.is(Kind::Bound) ? v.parts()[1] : v;
  if (!f.is(Kind::Builtin))
    return false;
  const BuiltinRow &row = builtinRows()[f.bits()];
  return (row.kind == BuiltinKind::Method && llvm::StringRef(row.name).starts_with("__")) ||
         (row.kind == BuiltinKind::ClassMethod && !v.is(Kind::Bound)) ||
         (row.kind == BuiltinKind::Getter && isMemberOfC(e, row));
}

/// type(v): to the program, a parameter is no plain tensor.
static Value classForProgram(Engine &e, const Value &v) {
  if (isStandIn(e, v) && isProgramsQuestion(e))
    return e.refuse(DiagId::Unsupported, "the class of " + standInText(e, v));
  if (hasClassOfC(e, v) && isProgramsQuestion(e))
    return e.refuse(DiagId::Unsupported,
                    "the class of " + (isDictView(e, v)
                                           ? std::string("a view of an OrderedDict")
                                           : std::string("a method or member of a builtin class")));
  if (!classBehindFunction(e, v).empty() && isProgramsQuestion(e))
    return Value::ref(e.builtinClass(WellKnown::TypeType));
  if (v.is(Kind::Tensor) && asTensor(v).isParameter && isProgramsQuestion(e))
    if (ObjectId module = findModule(e, "torch.nn.parameter"))
      if (const Value &cls = e.heap.get(module, attrKey(e.intern("Parameter"))); cls.is(Kind::Ref))
        return cls;
  if (hasUnknownContents(e, v) && isProgramsQuestion(e))
    return Value::ref(e.builtinClass(
        e.heap.kind(v.asRef()) == ObjectKind::List ? WellKnown::ListType : WellKnown::DictType));
  return Value::ref(e.typeOf(v));
}

bool builtins::hasOwnClass(Engine &e, const Value &v) {
  if (!isUserObject(e, v))
    return false;
  const Value &attribute = e.lookupInClass(e.typeOf(v), e.intern("__class__"));
  const Value &hook = e.lookupInClass(e.typeOf(v), NameId(WellKnown::GetAttribute));
  return (!attribute.isAbsent() && !attribute.is(Kind::Builtin)) ||
         (!hook.isAbsent() && !hook.is(Kind::Builtin));
}

/// Can a class be exchanged for another one that is so, too? All that its instances are is a
/// __dict__, by its own code and that of its bases.
static bool isPlainClass(Engine &e, ObjectId cls) {
  return e.classInfo(cls).layout == Layout::Plain && hasInstanceDict(e, cls) &&
         e.lookupInClass(cls, e.intern("__slots__")).isAbsent() &&
         llvm::all_of(e.classInfo(cls).mro, [&](ObjectId base) {
           return base == e.builtinClass(WellKnown::ObjectType) || !isBuiltinClass(e, base);
         });
}

/// While modules are imported and objects made, outside of branches on data: a module of the
/// program's gets a class derived from its own, an instance another class of the same form.
static Value setClass(Engine &e, const Value &object, const Value &given) {
  PTC_LET(cls, e.decide(given));
  const llvm::StringRef what = "assignment to __class__";
  if (cls.is(Kind::Opaque) || object.is(Kind::Opaque))
    return e.refuseOpaque(cls.is(Kind::Opaque) ? cls : object);
  if (!isClass(e, cls))
    return e.raise(WellKnown::TypeError,
                   "__class__ must be set to a class, not '" + typeName(e, cls) + "' object");
  const ObjectId now = e.typeOf(object);
  const bool isModule = isRefTo(e, object, ObjectKind::Module);
  if (!isModule && (isBuiltinClass(e, now) || isBuiltinClass(e, cls.asRef())))
    return e.raise(
        WellKnown::TypeError,
        "__class__ assignment only supported for mutable types or ModuleType subclasses");
  if (e.recording() || e.block != &e.top || !object.is(Kind::Ref))
    return e.refuse(DiagId::Unsupported, what);
  const ObjectId id = object.asRef();
  if (isModule) {
    if (static_cast<const ModuleInfo *>(e.heap.header(id).info)->prelude ||
        !e.isSubclass(cls.asRef(), now) || !e.heap.get(cls.asRef(), slot::kClassNoDict).isAbsent())
      return e.refuse(DiagId::Unsupported, what);
    e.heap.set(id, attrKey(WellKnown::Class), cls);
    return Value::none();
  }
  if (!isRefTo(e, object, ObjectKind::Instance) || !isPlainClass(e, now) ||
      !isPlainClass(e, cls.asRef()))
    return e.refuse(DiagId::Unsupported, what);
  e.heap.setClass(id, cls.asRef());
  return Value::none();
}

Value builtins::objectClass(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (args.positional.size() == 2)
    return setClass(e, v, arg(args, 1));
  return classForProgram(e, v);
}

/// The read-only view of a class's attributes that its __dict__ is to the program.
static Value classDict(Engine &e, const Value &cls) {
  const Value &type = e.heap.get(e.world->prelude, attrKey(e.intern("_MappingProxy")));
  if (!isClass(e, type) || !isProgramsQuestion(e))
    return attributeDict(e, cls);
  ObjectId proxy = allocateInstance(e, type.asRef());
  e.heap.set(proxy, attrKey(e.intern("_ptc_mapping")), attributeDict(e, cls));
  return Value::ref(proxy);
}

Value builtins::objectDict(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (isClass(e, v) && args.positional.size() == 2)
    return e.raise(WellKnown::AttributeError,
                   "attribute '__dict__' of 'type' objects is not writable");
  if (v.is(Kind::Tensor))
    return e.refuse(DiagId::UnsupportedTorchFunction, "torch.Tensor.__dict__");
  bool noDict = !v.is(Kind::Ref) || (!isClass(e, v) && !hasInstanceDict(e, e.typeOf(v)));
  if (noDict && (!v.is(Kind::Ref) || isAskedByProgram(e)))
    return attributeError(e, v, NameId(WellKnown::Dict));
  PTC_DO(checkAllNames(e, v));
  if (args.positional.size() == 2) {
    PTC_LET(items, e.decide(arg(args, 1)));
    if (!isRefTo(e, items, ObjectKind::Dict))
      return e.raise(WellKnown::TypeError,
                     "__dict__ must be set to a dictionary, not a '" + typeName(e, items) + "'");
    if (items.asRef() == v.asRef() || e.heap.header(items.asRef()).cls ||
        !e.heap.get(items.asRef(), slot::kOwner).isAbsent())
      return e.refuse(DiagId::Unsupported, "a __dict__ that is the object itself or another one's");
    std::vector<Value> content = dictItems(e, items);
    for (size_t i = 0; i < content.size(); i += 2)
      if (!content[i].is(Kind::Str))
        return e.refuse(DiagId::Unsupported, "a __dict__ with keys that are no plain strings");
    // What CPython keeps beside the dict stays, and so does what lib/Prelude has in the object.
    for (const auto &[name, own] : shownAttributes(e, v))
      if (!isOwnOfLibrary(e.nameText(name)))
        e.heap.set(v.asRef(), attrKey(name), Value());
    for (size_t i = 0; i < content.size(); i += 2)
      e.heap.set(v.asRef(), attrKey(e.intern(content[i].asStr())), content[i + 1]);
    showAttributes(e, items, v); // from now on one thing
    return Value::none();
  }
  if (isRefTo(e, v, ObjectKind::Module) &&
      !e.heap.get(v.asRef(), attrKey(WellKnown::Class)).isAbsent())
    return e.refuse(DiagId::Unsupported, "the __dict__ of a module whose __class__ was set");
  return isClass(e, v) ? classDict(e, v) : attributeDict(e, v);
}

// type
// -------------------------------------------------------------------------------------------------

Value builtins::typeNew(Engine &e, CallArgs &args) {
  std::vector<Value> &p = args.positional;
  if (p.size() == 2 && args.keywords.empty()) {
    PTC_LET(v, e.decide(p[1]));
    if (v.is(Kind::Opaque) && p[0].asRef() == e.builtinClass(WellKnown::TypeType))
      return typeOfOpaque(e, v);
    if (p[0].asRef() == e.builtinClass(WellKnown::TypeType))
      return classForProgram(e, v);
  }
  if (p.size() != 4)
    return e.raise(WellKnown::TypeError, "type() takes 1 or 3 arguments");
  if (!p[1].is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "type.__new__() argument 1 must be str, not " + typeName(e, p[1]));
  if (!p[2].is(Kind::Tuple))
    return e.raise(WellKnown::TypeError,
                   "type.__new__() argument 2 must be tuple, not " + typeName(e, p[2]));
  PTC_LET(ns, e.decide(p[3]));
  if (!isRefTo(e, ns, ObjectKind::Dict))
    return e.raise(WellKnown::TypeError,
                   "type.__new__() argument 3 must be dict, not " + typeName(e, ns));
  std::vector<Value> pairs;
  for (const KeywordArg &k : args.keywords) {
    pairs.push_back(Value::str(e.nameText(k.name)));
    pairs.push_back(k.value);
  }
  return e.callPrelude("_type_new", {p[0], p[1], p[2], p[3], e.makeDict(std::move(pairs))},
                       args.action);
}

Value builtins::typeInit(Engine &, CallArgs &) { return Value::none(); }

Value builtins::typeCall(Engine &e, CallArgs &args) {
  Value cls = arg(args, 0);
  std::vector<Value> pairs;
  for (const KeywordArg &k : args.keywords) {
    pairs.push_back(Value::str(e.nameText(k.name)));
    pairs.push_back(k.value);
  }
  args.positional.erase(args.positional.begin());
  return e.callPrelude("_type_call", {cls, Value::tuple(args.positional), e.makeDict(pairs)},
                       args.action);
}

static Value classTuple(llvm::ArrayRef<ObjectId> ids) {
  std::vector<Value> parts;
  for (ObjectId id : ids)
    parts.push_back(Value::ref(id));
  return Value::tuple(std::move(parts));
}

Value builtins::typeMro(Engine &e, CallArgs &args) {
  const std::vector<ObjectId> &mro = e.classInfo(arg(args, 0).asRef()).mro;
  if (!isProgramsQuestion(e))
    return classTuple(mro);
  PTC_GET(shown, classesForProgram(e, mro));
  return classTuple(shown);
}
Value builtins::typeMroList(Engine &e, CallArgs &args) {
  PTC_LET(mro, typeMro(e, args));
  return e.makeList(mro.parts());
}
Value builtins::typeBases(Engine &e, CallArgs &args) {
  if (args.positional.size() == 2)
    return e.refuse(DiagId::Unsupported, "assignment to __bases__");
  ObjectId cls = arg(args, 0).asRef();
  if (!isProgramsQuestion(e))
    return classTuple(e.classInfo(cls).bases);
  PTC_GET(shown, basesForProgram(e, cls));
  return classTuple(shown);
}
Value builtins::typeBase(Engine &e, CallArgs &args) {
  PTC_LET(bases, typeBases(e, args));
  return bases.parts().empty() ? Value::none() : bases.parts()[0];
}

Value builtins::typeName(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  PTC_DO(checkNames(e, cls, args));
  if (args.positional.size() == 2) {
    e.heap.set(cls, slot::kClassName, arg(args, 1));
    return Value::none();
  }
  return Value::str(className(e, cls));
}

Value builtins::typeQualName(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  PTC_DO(checkNames(e, cls, args));
  if (args.positional.size() == 2) {
    e.heap.set(cls, slot::kClassQualName, arg(args, 1));
    return Value::none();
  }
  return Value::str(classQualName(e, cls));
}

static Value classSlot(Engine &e, CallArgs &args, WellKnown name, const Value &missing) {
  ObjectId cls = arg(args, 0).asRef();
  if (args.positional.size() == 2) {
    e.heap.set(cls, attrKey(name), arg(args, 1));
    return Value::none();
  }
  PTC_LET(own, ownAttr(e, cls, NameId(name)));
  return own.isAbsent() || own.is(Kind::Builtin) ? missing : own; // type has the getter itself
}

Value builtins::typeModule(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  PTC_DO(checkNames(e, cls, args));
  if (args.positional.size() == 1 && !isProgramClass(e, cls))
    return Value::str(classModule(e, cls));
  return classSlot(e, args, WellKnown::Module, Value::str(e.classInfo(cls).module));
}
Value builtins::typeDoc(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  if (args.positional.size() == 1 && isAskedByProgram(e)) {
    PTC_DO(checkDoc(e, cls));
    if (knownClass(e, cls))
      return missingMember(e, cls, NameId(WellKnown::Doc), false);
  }
  return classSlot(e, args, WellKnown::Doc, Value::none());
}

/// The class's own annotations: made by its annotate function from 3.14 on, kept once made.
Value builtins::typeAnnotations(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  uint32_t key = attrKey(e.intern("__annotations__"));
  if (args.positional.size() == 2) {
    e.heap.set(cls, key, arg(args, 1));
    return Value::none();
  }
  std::optional<KnownClass> known = knownClass(e, cls);
  if (known && known->isStatic && isAskedByProgram(e))
    return attributeError(e, arg(args, 0), e.intern("__annotations__"));
  if (!isProgramClass(e, cls) && isProgramsQuestion(e))
    return e.refuse(DiagId::Unsupported, "'" + classFullName(e, cls) + ".__annotations__'");
  PTC_LET(own, e.decide(e.heap.get(cls, key)));
  if (isRefTo(e, own, ObjectKind::Dict))
    return own;
  PTC_LET(annotate, e.decide(e.heap.get(cls, attrKey(e.intern("__annotate_func__")))));
  if (isPythonFunction(e, annotate))
    return e.callPrelude("_class_annotations", {arg(args, 0), annotate}, args.action);
  Value dict = e.makeDict({});
  e.heap.set(cls, key, dict);
  return dict;
}

Value builtins::typeInstanceCheck(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 1)));
  if (!e.isSubclass(e.typeOf(v), arg(args, 0).asRef()) && hasOwnClass(e, v))
    return e.callPrelude("_claims_class", {v, arg(args, 0)}, args.action);
  return Value::boolean(e.isSubclass(e.typeOf(v), arg(args, 0).asRef()));
}
Value builtins::typeSubclassCheck(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 1)));
  if (!isClass(e, v))
    return e.callPrelude("_derives", {v, arg(args, 0)}, args.action);
  return Value::boolean(e.isSubclass(v.asRef(), arg(args, 0).asRef()));
}

Value builtins::typeSubclasses(Engine &e, CallArgs &args) {
  const ObjectId cls = arg(args, 0).asRef();
  if (!isProgramClass(e, cls) && isAskedByProgram(e)) // libraries have more than have a model
    return e.refuse(DiagId::Unsupported, "subclasses of '" + classFullName(e, cls) + "'");
  std::vector<Value> found;
  for (const ClassInfo &info : e.world->classInfos)
    if (llvm::is_contained(info.bases, cls) && e.heap.exists(info.self)) {
      const std::string module = classModule(e, info.self);
      if (isByCalls(e, module))
        return refuseNotImported(e, module);
      found.push_back(classOrStandIn(e, info.self));
    }
  return e.makeList(std::move(found));
}
