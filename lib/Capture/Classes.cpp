//===- Classes.cpp - Making classes and instances ---------------------------------===//
//
// In: bases and a namespace, or a class and arguments. Out: a class object with its method
// resolution order (C3), or an instance whose __init__ was entered. Classes with a __new__ or
// metaclass __call__ in Python go through the prelude.
//
//===----------------------------------------------------------------------===//
#include "Objects.h"

#include "Escape.h"
#include "Members.h"
#include "MergeOrders.h"
#include "Overrides.h"
#include "Positions.h"

#include "llvm/ADT/StringExtras.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

std::optional<std::vector<ObjectId>> capture::linearize(Engine &e, llvm::ArrayRef<ObjectId> bases) {
  std::vector<std::vector<ObjectId>> lists;
  for (ObjectId base : bases)
    lists.push_back(e.classInfo(base).mro);
  lists.emplace_back(bases);
  std::vector<ObjectId> order;
  if (mergeOrders(lists, order))
    return order;
  std::string names;
  std::vector<ObjectId> next;
  for (const std::vector<ObjectId> &list : lists)
    if (!llvm::is_contained(next, list[0])) {
      next.push_back(list[0]);
      names += (names.empty() ? "" : ", ") + className(e, list[0]);
    }
  return e.raise(WellKnown::TypeError,
                 "Cannot create a consistent method resolution\norder (MRO) for bases " + names);
}

// Classes
// --------------------------------------------------------------------------------------------

/// Classes that CPython and PyTorch derive others from, whose instances have one form here.
static bool isBaseWithoutModel(Engine &e, ObjectId base) {
  static constexpr WellKnown kBases[] = {
      WellKnown::TorchGeneratorType, WellKnown::MapType,       WellKnown::ZipType,
      WellKnown::FilterType,         WellKnown::EnumerateType, WellKnown::ReversedType};
  return llvm::any_of(kBases, [&](WellKnown known) { return base == e.builtinClass(known); });
}

/// The nearest class of an MRO that says what instances are made of: one with slots, or a builtin
/// that holds a value.
static ObjectId solidBase(Engine &e, ObjectId cls) {
  for (ObjectId base : e.classInfo(cls).mro)
    if (!e.heap.get(base, slot::kClassSolid).isAbsent() ||
        (base <= e.world->classes.back() && e.classInfo(base).layout == Layout::Boxed))
      return base;
  return 0;
}

static bool haveConflict(Engine &e, llvm::ArrayRef<ObjectId> bases) {
  ObjectId best = 0;
  for (ObjectId base : bases) {
    ObjectId solid = solidBase(e, base);
    if (best && solid && !e.isSubclass(best, solid) && !e.isSubclass(solid, best))
      return true;
    if (!best || (solid && e.isSubclass(solid, best)))
      best = solid;
  }
  return false;
}

static std::optional<Layout> layoutOf(Engine &e, llvm::ArrayRef<ObjectId> bases) {
  Layout layout = Layout::Plain;
  auto isOfTensors = [&](ObjectId base) {
    return e.isSubclass(base, e.builtinClass(WellKnown::TensorType));
  };
  if (llvm::any_of(bases, isOfTensors)) {
    if (llvm::all_of(bases, [&](ObjectId base) {
          return isOfTensors(base) || e.classInfo(base).layout == Layout::Plain;
        }))
      return Layout::None; // see makeInstance()
    return e.refuse(DiagId::Unsupported, "a class derived from torch.Tensor and another builtin");
  }
  for (ObjectId base : bases) {
    Layout other = e.classInfo(base).layout;
    if (isBaseWithoutModel(e, base)) {
      (void)e.refuse(DiagId::Unsupported, "a class derived from " + classFullName(e, base));
      // While modules are imported they go on: no code of the program hears of a new class.
      e.pending.isPure = llvm::none_of(bases, [&](ObjectId b) { return isProgramClass(e, b); });
      return std::nullopt;
    }
    if (other == Layout::None || base == e.builtinClass(WellKnown::BoolType))
      return e.raise(WellKnown::TypeError,
                     "type '" + classFullName(e, base) + "' is not an acceptable base type");
    if (other == Layout::Plain || other == layout)
      continue;
    if (layout != Layout::Plain)
      return e.raise(WellKnown::TypeError, "multiple bases have instance lay-out conflict");
    layout = other;
  }
  if (haveConflict(e, bases))
    return e.raise(WellKnown::TypeError, "multiple bases have instance lay-out conflict");
  return layout;
}

static Value slotDescriptor(Engine &e, ObjectId cls, const Value &name) {
  ObjectId id = e.heap.allocate(ObjectKind::Instance, e.builtinClass(WellKnown::SlotType));
  e.heap.set(id, slot::kContent, Value::tuple({name}));
  e.heap.set(id, attrKey(e.intern("__objclass__")), Value::ref(cls));
  e.heap.set(id, attrKey(WellKnown::Name), name);
  return Value::ref(id);
}

/// Objects that lie in one piece with their items have no slots and no weak references.
static std::optional<WellKnown> typeOfVaryingSize(Engine &e, ObjectId cls) {
  for (WellKnown type : {WellKnown::IntType, WellKnown::TupleType, WellKnown::BytesType})
    if (e.isSubclass(cls, e.builtinClass(type)))
      return type;
  return std::nullopt;
}

static bool isIdentifier(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_' || !llvm::isASCII(c);
  });
}

static Flow addSlots(Engine &e, ObjectId cls, const Value &given) {
  PTC_LET(slots, e.decide(given));
  PTC_DO(openContents(e, {slots}));
  std::vector<Value> names;
  if (slots.is(Kind::Str)) {
    names = {slots};
  } else {
    std::optional<std::vector<Value>> items = listElements(e, slots);
    if (!items)
      return e.refuse(DiagId::Unsupported, "__slots__ that is no builtin sequence");
    names = std::move(*items);
  }
  bool dict = false, weak = false;
  llvm::SmallDenseSet<uint32_t> seen;
  for (const Value &item : names) {
    PTC_LET(name, e.decide(item));
    if (!name.is(Kind::Str))
      return e.raise(WellKnown::TypeError,
                     "__slots__ items must be strings, not '" + typeName(e, name) + "'");
    llvm::StringRef text = name.asStr();
    if (text == "__dict__" || text == "__weakref__") {
      dict |= text == "__dict__";
      weak |= text == "__weakref__";
      continue;
    }
    if (typeOfVaryingSize(e, cls))
      return e.raise(WellKnown::TypeError, "nonempty __slots__ not supported for subtype of '" +
                                               className(e, e.classInfo(cls).bases[0]) + "'");
    if (!isIdentifier(text))
      return e.raise(WellKnown::TypeError, "__slots__ must be identifiers");
    e.heap.set(cls, slot::kClassSolid, Value::boolean(true));
    std::string mangled = text.str();
    if (text.starts_with("__") && !text.ends_with("__"))
      mangled = ("_" + llvm::StringRef(e.classInfo(cls).name).ltrim('_') + text).str();
    uint32_t key = attrKey(e.intern(mangled));
    if (!seen.insert(key).second) // named twice: one slot of them is out of reach
      continue;
    if (!e.heap.get(cls, key).isAbsent())
      return e.raise(WellKnown::ValueError,
                     "'" + text + "' in __slots__ conflicts with class variable");
    e.heap.set(cls, key, slotDescriptor(e, cls, Value::str(mangled)));
  }
  bool baseHasDict = false;
  for (ObjectId base : llvm::drop_begin(e.classInfo(cls).mro))
    baseHasDict |=
        base > e.world->classes.back() && e.heap.get(base, slot::kClassNoDict).isAbsent();
  if (!dict && !baseHasDict)
    e.heap.set(cls, slot::kClassNoDict, Value::boolean(true));
  if (weak)
    e.heap.set(cls, slot::kClassWeak, Value::boolean(true));
  return Flow::Next;
}

/// Have instances weak references by a class of a library?
static bool isWeakInLibrary(Engine &e, ObjectId cls) {
  static constexpr llvm::StringLiteral kWithout[] = {"collections.defaultdict",
                                                     "types.SimpleNamespace"};
  if (cls <= e.world->classes.back())
    return llvm::any_of(llvm::ArrayRef{WellKnown::SetType, WellKnown::FrozenSetType,
                                       WellKnown::TypeType, WellKnown::ModuleType,
                                       WellKnown::TensorType},
                        [&](WellKnown type) { return e.isSubclass(cls, e.builtinClass(type)); });
  return !llvm::is_contained(kWithout, classFullName(e, cls));
}

/// Notes which of `__dict__` and `__weakref__` the class has itself, and behind which name.
static void addOwnDescriptors(Engine &e, ObjectId cls, bool hasSlots) {
  bool hasDict = false, hasWeak = typeOfVaryingSize(e, cls).has_value();
  for (ObjectId base : llvm::drop_begin(e.classInfo(cls).mro)) {
    std::optional<KnownClass> known = knownClass(e, base);
    const bool isOfC = base <= e.world->classes.back() || (known && known->isListed());
    hasDict |= base != e.builtinClass(WellKnown::ObjectType) &&
               (e.classInfo(base).layout == Layout::Exception || hasInstanceDict(e, base));
    hasWeak |= isOfC ? isWeakInLibrary(e, base) : !e.heap.get(base, slot::kClassWeak).isAbsent();
  }
  if (!hasSlots && !hasWeak)
    e.heap.set(cls, slot::kClassWeak, Value::boolean(true));
  Value last = Value::str("__doc__");
  if (!e.heap.get(cls, attrKey(WellKnown::Doc)).isAbsent())
    e.heap.forEachSlot(cls, [&](uint32_t key, const Value &) {
      if (isAttrKey(key))
        last = Value::str(e.nameText(nameOfKey(key)));
    });
  const bool addsDict = !hasDict && e.heap.get(cls, slot::kClassNoDict).isAbsent();
  const bool addsWeak = !e.heap.get(cls, slot::kClassWeak).isAbsent();
  e.heap.set(cls, slot::kClassOwn,
             Value::tuple({std::move(last), Value::boolean(addsDict), Value::boolean(addsWeak)}));
}

/// Functions that are class or static methods without being marked so.
static Value implicitMethod(Engine &e, llvm::StringRef name, const Value &v) {
  if (!isPythonFunction(e, v))
    return v;
  bool ofClass = name == "__init_subclass__" || name == "__class_getitem__";
  if (!ofClass && name != "__new__")
    return v;
  ObjectId id =
      e.heap.allocate(ObjectKind::Instance, e.builtinClass(ofClass ? WellKnown::ClassMethodType
                                                                   : WellKnown::StaticMethodType));
  e.heap.set(id, slot::kContent, Value::tuple({v}));
  return Value::ref(id);
}

/// The name of the module whose code runs; of lib/Prelude, which makes classes for who calls it, of
/// its caller.
static Value callersModule(Engine &e) {
  const uint32_t key = attrKey(WellKnown::Name);
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  Value name = e.heap.get(e.frameInfo(frame.asRef()).globals, key);
  for (; frame.is(Kind::Ref); frame = e.heap.get(frame.asRef(), slot::kCaller)) {
    const FrameInfo &info = e.frameInfo(frame.asRef());
    if (!info.hidden)
      return e.heap.get(info.globals, key);
    if (e.code(frame.asRef()).code->name == "<module>")
      break; // a module of lib/Prelude makes it for itself
  }
  return name;
}

static Flow fillClass(Engine &e, ObjectId cls, llvm::ArrayRef<Value> names) {
  Value slots;
  bool hasEq = false, hasHash = false;
  for (size_t i = 0; i < names.size(); i += 2) {
    PTC_LET(key, e.decide(names[i]));
    if (!key.is(Kind::Str))
      return e.refuse(DiagId::Unsupported, "a class namespace with keys that are no strings");
    llvm::StringRef name = key.asStr();
    if (name == "__classcell__" || name == "__classdictcell__")
      continue;
    if (name == "__qualname__") {
      e.heap.set(cls, slot::kClassQualName, names[i + 1]);
      continue;
    }
    if (name == "__slots__")
      slots = names[i + 1];
    hasEq |= name == "__eq__";
    hasHash |= name == "__hash__";
    if (name == "__getattribute__")
      e.world->hookedGetAttribute = true;
    e.heap.set(cls, attrKey(e.intern(name)), implicitMethod(e, name, names[i + 1]));
  }
  if (!slots.isAbsent())
    PTC_DO(addSlots(e, cls, slots));
  if (e.heap.get(cls, attrKey(WellKnown::Module)).isAbsent())
    e.heap.set(cls, attrKey(WellKnown::Module), callersModule(e));
  // types.new_class() and dataclasses.make_dataclass() say that.
  if (const Value module = e.heap.get(cls, attrKey(WellKnown::Module));
      module.is(Kind::Str) && module.asStr() == "types" && callersModule(e) != module)
    e.heap.set(cls, slot::kClassOfProgram, Value::boolean(true));
  addOwnDescriptors(e, cls, !slots.isAbsent());
  if (e.heap.get(cls, attrKey(WellKnown::Doc)).isAbsent())
    e.heap.set(cls, attrKey(WellKnown::Doc), Value::none());
  if (hasEq && !hasHash)
    e.heap.set(cls, attrKey(WellKnown::Hash), Value::none());
  return Flow::Next;
}

Value capture::makeUserClass(Engine &e, ObjectId meta, const Value &name, const Value &bases,
                             const Value &names) {
  std::vector<ObjectId> baseIds;
  for (const Value &base : bases.parts()) {
    PTC_LET(b, e.decide(base));
    if (!isClass(e, b))
      return e.raise(WellKnown::TypeError, "bases must be types");
    if (llvm::is_contained(baseIds, b.asRef()))
      return e.raise(WellKnown::TypeError, "duplicate base class " + className(e, b.asRef()));
    baseIds.push_back(b.asRef());
  }
  if (baseIds.empty())
    baseIds.push_back(e.builtinClass(WellKnown::ObjectType));
  ClassInfo info;
  PTC_GET(layout, layoutOf(e, baseIds));
  PTC_GET(mro, linearize(e, baseIds));
  addOverridden(e, mro);
  if (name.asStr().contains('\0'))
    return e.raise(WellKnown::ValueError, "type name must not contain null characters");
  info.name = name.asStr().str();
  info.meta = meta;
  info.layout = layout;
  info.bases = baseIds;
  info.mro = std::move(mro);
  ObjectId cls = e.makeClass(std::move(info));
  Value content = e.heap.get(names.asRef(), slot::kContent);
  PTC_DO(fillClass(e, cls, content.parts()));
  noteOverrides(e, cls);
  Value cell = dictGet(e, names, "__classcell__");
  if (isRefTo(e, cell, ObjectKind::Cell))
    e.heap.set(cell.asRef(), slot::kContent, Value::ref(cls));
  return Value::ref(cls);
}

// Instances
// --------------------------------------------------------------------------------------------

ObjectId capture::allocateInstance(Engine &e, ObjectId cls) {
  const ClassInfo &info = e.classInfo(cls);
  ObjectKind kind = ObjectKind::Instance;
  Value content;
  switch (info.layout) {
  case Layout::List:
    kind = ObjectKind::List;
    content = Value::tuple({});
    break;
  case Layout::Dict:
    kind = ObjectKind::Dict;
    content = Value::composite(Kind::DictItems, {});
    break;
  case Layout::Set:
    kind = ObjectKind::Set;
    content = Value::composite(Kind::SetItems, {});
    break;
  case Layout::Exception:
    content = Value::tuple({});
    break;
  case Layout::Plain:
  case Layout::Boxed:
  case Layout::Class:
  case Layout::None:
    break;
  }
  bool exact = cls <= e.world->classes.back() && kind != ObjectKind::Instance;
  ObjectId id = e.heap.allocate(kind, exact ? 0 : cls);
  if (!content.isAbsent())
    e.heap.set(id, slot::kContent, std::move(content));
  return id;
}

FailAny capture::refuseTensorOfClass(Engine &e, ObjectId cls) {
  return e.refuse(DiagId::Unsupported, "an object of '" + classFullName(e, cls) +
                                           "', a class derived from torch.Tensor,");
}

Value capture::makeInstance(Engine &e, ObjectId cls) {
  if (e.isSubclass(cls, e.builtinClass(WellKnown::TensorType)))
    return refuseTensorOfClass(e, cls);
  return Value::ref(allocateInstance(e, cls));
}

static Flow checkAbstract(Engine &e, ObjectId cls) {
  static constexpr llvm::StringLiteral kAbstract = "__abstractmethods__";
  Value names = e.heap.get(cls, attrKey(e.intern(kAbstract)));
  if (!names.is(Kind::FrozenSet) || names.parts().empty())
    return Flow::Next;
  std::vector<std::string> sorted;
  for (const Value &name : names.parts())
    sorted.push_back(name.asStr().str());
  llvm::sort(sorted);
  const bool isQuoted = e.world->minorVersion() >= 12;
  const llvm::StringRef quote = isQuoted ? "'" : "";
  std::string list;
  for (const std::string &name : sorted)
    list += (llvm::Twine(list.empty() ? "" : ", ") + quote + name + quote).str();
  return e.raise(WellKnown::TypeError, "Can't instantiate abstract class " + className(e, cls) +
                                           (isQuoted ? " without an implementation for" : " with") +
                                           " abstract method" + (sorted.size() == 1 ? "" : "s") +
                                           " " + list);
}

static bool isBuiltinOf(const Value &v, WellKnown owner) {
  return v.is(Kind::Builtin) && builtinRows()[v.bits()].owner == owner;
}

/// object.__new__ and object.__init__ take arguments only if the other one is overridden.
static Flow checkNoArguments(Engine &e, ObjectId cls, const CallArgs &args) {
  if (args.positional.empty() && args.keywords.empty())
    return Flow::Next;
  return e.raise(WellKnown::TypeError, className(e, cls) + "() takes no arguments");
}

static Value packKeywords(Engine &e, const CallArgs &args) {
  std::vector<Value> pairs;
  for (const KeywordArg &k : args.keywords) {
    pairs.push_back(Value::str(e.nameText(k.name)));
    pairs.push_back(k.value);
  }
  return e.makeDict(std::move(pairs));
}

static Value viaPrelude(Engine &e, llvm::StringRef function, ObjectId cls, CallArgs &args) {
  CallArgs call;
  call.action = args.action;
  call.actionArg = args.actionArg;
  Value keywords = packKeywords(e, args);
  call.positional = {Value::ref(cls), Value::tuple(std::move(args.positional)), keywords};
  Value f = e.heap.get(e.world->prelude, attrKey(e.intern(function)));
  return e.call(f, std::move(call));
}

Value capture::instantiate(Engine &e, ObjectId cls, CallArgs &args) {
  ObjectId meta = e.classInfo(cls).meta;
  if (meta != e.builtinClass(WellKnown::TypeType)) {
    Value call = e.lookupInClass(meta, NameId(WellKnown::Call));
    if (!call.isAbsent() && !call.is(Kind::Builtin)) {
      args.positional.insert(args.positional.begin(), Value::ref(cls));
      return e.call(call, std::move(args));
    }
  }
  Value make = e.lookupInClass(cls, NameId(WellKnown::New));
  Value init = e.lookupInClass(cls, NameId(WellKnown::Init));
  PTC_DO(checkAbstract(e, cls));
  if (!e.lookupInClass(cls, NameId(WellKnown::Del)).isAbsent())
    return e.refuse(DiagId::Unsupported,
                    "an object whose class, " + className(e, cls) + ", has a __del__");
  bool builtin = cls <= e.world->classes.back();
  bool exception = e.classInfo(cls).layout == Layout::Exception;
  if (builtin && !exception && make.is(Kind::Builtin)) {
    args.positional.insert(args.positional.begin(), Value::ref(cls));
    return e.call(make, std::move(args));
  }
  bool plainNew = isBuiltinOf(make, WellKnown::ObjectType);
  bool plainInit = isBuiltinOf(init, WellKnown::ObjectType);
  if (plainNew && plainInit) {
    PTC_DO(checkNoArguments(e, cls, args));
    return Value::ref(allocateInstance(e, cls));
  }
  if (plainNew && isPythonFunction(e, init) && args.action == ReturnAction::Push) {
    Value object = Value::ref(allocateInstance(e, cls));
    args.positional.insert(args.positional.begin(), object);
    args.action = ReturnAction::Init;
    args.actionArg = object;
    return e.call(init, std::move(args));
  }
  if (exception && make.is(Kind::Builtin)) {
    CallArgs made; // its __new__ checks what it is made of, or takes another class
    made.positional = args.positional;
    made.keywords = args.keywords;
    made.positional.insert(made.positional.begin(), Value::ref(cls));
    PTC_LET(object, e.call(make, std::move(made)));
    if (init.is(Kind::Builtin)) {
      args.positional.insert(args.positional.begin(), object);
      PTC_LET(done, e.call(init, std::move(args)));
      return object;
    }
    if (isPythonFunction(e, init) && args.action == ReturnAction::Push) {
      args.positional.insert(args.positional.begin(), object);
      args.action = ReturnAction::Init;
      args.actionArg = object;
      return e.call(init, std::move(args));
    }
  }
  return viaPrelude(e, "_type_call", cls, args);
}
