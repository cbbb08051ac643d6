//===- Members.cpp - Attributes of objects with a model, by the tables -------------------===//
//
// In: a class and the name of an attribute. Out: whether the class of CPython or PyTorch that it
// stands for has one, where the model has none, and the other way around.
//
//===----------------------------------------------------------------------===//
#include "Members.h"
#include "Escape.h"
#include "Objects.h"
#include "Tensors.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;

std::string capture::knownPathOf(Engine &e, ObjectId cls) {
  const Value &said = e.heap.get(cls, attrKey(e.intern("_ptc_known_as")));
  if (said.is(Kind::Str))
    return said.asStr().str();
  if (isProgramClass(e, cls))
    return "";
  std::string full = modelName(e, cls);
  auto [module, name] = llvm::StringRef(full).rsplit('.');
  if (name.empty())
    return "builtins." + full;
  // Classes of layers are known as those of torch.nn, wherever they are written.
  if (std::string layer = ("torch.nn." + name).str();
      module.starts_with("torch.nn.") && findKnownClass(layer, e.world->minorVersion()))
    return layer;
  // The tables have a class where its version of CPython defines it.
  if (!isTorchPath(full))
    if (std::optional<KnownName> known = findKnownName(full, e.world->minorVersion());
        known && known->kind == KnownKind::Class && !known->definedAs.empty())
      return known->definedAs.str();
  return full;
}

std::optional<KnownClass> capture::knownClass(Engine &e, ObjectId cls) {
  std::string path = knownPathOf(e, cls);
  return path.empty() ? std::nullopt : findKnownClass(path, e.world->minorVersion());
}

std::string capture::definedPathOf(Engine &e, ObjectId cls) {
  std::string path = knownPathOf(e, cls);
  if (path.empty())
    return "";
  std::optional<KnownName> known = findKnownName(path, e.world->minorVersion());
  if (known && known->kind == KnownKind::Class && !known->definedAs.empty())
    return known->definedAs.str();
  return e.heap.get(cls, attrKey(e.intern("_ptc_known_as"))).is(Kind::Str) ? path : "";
}

/// Are the classes that one of a library is derived from those that it has here?
static bool hasSameBases(Engine &e, ObjectId cls, llvm::ArrayRef<ObjectId> shown, bool direct) {
  std::set<std::string> have, want;
  for (ObjectId base : shown)
    have.insert(definedPathOf(e, base));
  const bool isKnown = forEachKnownBase(definedPathOf(e, cls), e.world->minorVersion(), direct,
                                        [&](llvm::StringRef base) { want.insert(base.str()); });
  return isKnown && have == want;
}

static FailAny refuseBases(Engine &e, ObjectId cls) {
  return e.refuse(DiagId::Unsupported,
                  "a list of the classes that '" + classFullName(e, cls) + "' is derived from");
}

std::optional<std::vector<ObjectId>> capture::classesForProgram(Engine &e,
                                                                llvm::ArrayRef<ObjectId> mro) {
  std::vector<ObjectId> shown;
  for (ObjectId cls : mro)
    if (!isOnlyHere(e, cls))
      shown.push_back(cls);
  for (size_t i = 0; i < shown.size(); ++i) {
    if (isProgramClass(e, shown[i]) || shown[i] <= e.world->classes.back())
      continue;
    std::vector<ObjectId> bases;
    for (ObjectId other : llvm::drop_begin(shown, i + 1))
      if (e.isSubclass(shown[i], other))
        bases.push_back(other);
    if (!hasSameBases(e, shown[i], bases, /*direct=*/false))
      return refuseBases(e, shown[i]);
  }
  return shown;
}

std::optional<std::vector<ObjectId>> capture::basesForProgram(Engine &e, ObjectId cls) {
  std::vector<ObjectId> shown;
  std::vector<ObjectId> open(e.classInfo(cls).bases.rbegin(), e.classInfo(cls).bases.rend());
  while (!open.empty()) {
    ObjectId base = open.back();
    open.pop_back();
    if (!isOnlyHere(e, base))
      shown.push_back(base);
    else
      llvm::append_range(open, llvm::reverse(e.classInfo(base).bases));
  }
  if (!isProgramClass(e, cls) && cls > e.world->classes.back() &&
      !hasSameBases(e, cls, shown, /*direct=*/true))
    return refuseBases(e, cls);
  return shown;
}

std::string capture::classBehindFunction(Engine &e, const Value &v) {
  std::string module, name;
  if (v.is(Kind::Builtin)) {
    const BuiltinRow &row = builtinRows()[v.bits()];
    if (row.kind != BuiltinKind::Function)
      return "";
    module = row.module;
    name = row.name;
  } else if (isPythonFunction(e, v) && functionOf(e, v.asRef()).hidden) {
    const FunctionRecord &f = functionOf(e, v.asRef());
    module = f.globals == e.world->prelude ? "builtins" : moduleName(e, f.globals);
    name = f.code->qualName.str();
  }
  if (name.empty())
    return "";
  std::string path = module + "." + name;
  std::optional<KnownName> known = findKnownName(path, e.world->minorVersion(), module);
  return known && known->kind == KnownKind::Class ? path : "";
}

bool capture::isStandIn(Engine &e, const Value &v) {
  static constexpr llvm::StringLiteral kModules[] = {"collections", "collections._user",
                                                     "itertools"};
  if (!isRefTo(e, v, ObjectKind::Frame) || e.heap.header(v.asRef()).cls ||
      e.heap.get(v.asRef(), slot::kGenState).isAbsent())
    return false;
  const FrameInfo &info = e.frameInfo(v.asRef());
  return info.hidden && (info.globals == e.world->prelude ||
                         llvm::is_contained(kModules, moduleName(e, info.globals)));
}

std::string capture::standInText(Engine &e, const Value &v) {
  return "an iterator of '" + moduleName(e, e.frameInfo(v.asRef()).globals) + "'";
}

/// Builtins of lib/Prelude that ask for an attribute on behalf of who calls them.
static bool forwardsQuestion(Engine &e, ObjectId frame) {
  static constexpr llvm::StringLiteral kForward[] = {"delattr", "dir",  "getattr",        "hasattr",
                                                     "setattr", "vars", "_hooked_getattr"};
  return e.frameInfo(frame).globals == e.world->prelude &&
         llvm::is_contained(kForward, e.code(frame).code->name);
}

bool capture::isAskedDirectly(Engine &e) {
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  while (frame.is(Kind::Ref) && e.frameInfo(frame.asRef()).hidden) {
    if (!forwardsQuestion(e, frame.asRef()))
      return false;
    frame = e.heap.get(frame.asRef(), slot::kCaller);
  }
  return frame.is(Kind::Ref);
}

/// Does the program ask where `frame` is the one whose code does?
static bool isQuestionOf(Engine &e, const Value &frame) {
  if (!frame.is(Kind::Ref))
    return false;
  const FrameInfo &info = e.frameInfo(frame.asRef());
  if (!info.hidden)
    return true;
  if (info.globals == e.world->prelude && !forwardsQuestion(e, frame.asRef()))
    return false;
  return isAskedByProgram(e, frame);
}

bool capture::isProgramsQuestion(Engine &e) {
  return isQuestionOf(e, e.heap.get(kMachine, slot::kCurrentFrame));
}

/// What the classes that those of `mro` stand for have under a name.
static KnownAttribute knownAttribute(Engine &e, llvm::ArrayRef<ObjectId> mro, NameId name,
                                     bool ofInstance) {
  const uint32_t minor = e.world->minorVersion();
  const llvm::StringRef text = e.nameText(name);
  std::vector<std::string> paths;
  for (ObjectId cls : mro)
    paths.push_back(knownPathOf(e, cls));
  // The first class that has it itself, under the name that people know.
  for (const std::string &path : paths)
    if (!path.empty() && hasKnownMember(path, text, minor))
      return findKnownAttribute(path, text, minor, ofInstance);
  KnownAttribute best;
  for (const auto &[cls, path] : llvm::zip_equal(mro, paths)) {
    KnownAttribute found;
    if (!path.empty())
      found = findKnownAttribute(path, text, minor, ofInstance);
    if (found.is > best.is)
      best = std::move(found);
  }
  return best;
}

static KnownAttribute knownAttribute(Engine &e, ObjectId derived, NameId name, bool ofInstance) {
  return knownAttribute(e, e.classInfo(derived).mro, name, ofInstance);
}

static bool hasHook(Engine &e, ObjectId cls) {
  return !e.lookupInClass(cls, NameId(WellKnown::GetAttr)).isAbsent();
}

bool capture::isOnlyHere(Engine &e, ObjectId cls) {
  return !isProgramClass(e, cls) && !knownClass(e, cls);
}

/// Has the class that this one stands for a __getattr__, and the model none?
static bool computesNames(Engine &e, ObjectId cls, NameId name) {
  return !e.nameText(name).starts_with("__") &&
         knownAttribute(e, cls, NameId(WellKnown::GetAttr), true).is != KnownMember::No;
}

/// Nobody has a weak reference to an object without `weakref`, so that `__weakref__` is None; the
/// class has a descriptor.
static bool hasWeakReferences(Engine &e, ObjectId cls) {
  return llvm::any_of(e.classInfo(cls).mro, [&](ObjectId base) {
    return isProgramClass(e, base) && (e.heap.get(base, slot::kClassNoDict).isAbsent() ||
                                       !e.heap.get(base, slot::kClassWeak).isAbsent());
  });
}

/// What a class of CPython's builtins or torch.Tensor, and an instance, has as __doc__ in the
/// version; absent: it is none, each of its instances has its own, or another name is asked for.
static Value textOfBuiltinClass(Engine &e, ObjectId cls, NameId name, bool ofInstance) {
  static constexpr llvm::StringLiteral kEachItsOwn[] = {"classmethod", "property", "staticmethod",
                                                        "super", "type"};
  const uint32_t minor = e.world->minorVersion();
  if (name != NameId(WellKnown::Doc))
    return Value();
  const std::string path = knownPathOf(e, cls);
  llvm::StringRef member = path;
  member.consume_front("builtins.");
  if (path == "torch.Tensor") // a class of Python without a text
    return Value::none();
  if (ofInstance && llvm::is_contained(kEachItsOwn, member))
    return Value();
#define PTC_CLASS_DOC(Class, First, Last, Text)                                                    \
  if (member == Class && minor >= First && minor <= Last)                                          \
    return Value::str(Text);
#include "Known/ClassDocs.def"
  return Value();
}

Value capture::missingMember(Engine &e, ObjectId derived, NameId name, bool ofInstance) {
  // Code of the prelude knows what to do for the classes that it has, without these methods.
  const bool byProgram = isProgramsQuestion(e);
  if (!byProgram && e.nameText(name).starts_with("__"))
    return Value();
  KnownAttribute found = knownAttribute(e, derived, name, ofInstance);
  // A __getattr__ is asked before what may not be there: those of lib/Prelude know what is.
  if (found.is == KnownMember::Perhaps && (!byProgram || (ofInstance && hasHook(e, derived))))
    return Value();
  switch (found.is) {
  case KnownMember::No:
    if (e.nameText(name) == "__weakref__" && hasWeakReferences(e, derived)) {
      if (ofInstance && findModule(e, "weakref"))
        return e.refuse(DiagId::Unsupported, "'__weakref__' in a program that imports weakref");
      return ofInstance ? Value::none() : e.lookupInClass(derived, NameId(WellKnown::Dict));
    }
    // What only lib/Prelude has stands for something that nothing is known of, and so do names that
    // a class computes.
    if (byProgram && ofInstance && !hasHook(e, derived) &&
        (isOnlyHere(e, derived) || computesNames(e, derived, name)))
      return e.refuse(DiagId::Unsupported,
                      "'" + classFullName(e, derived) + "." + e.nameText(name) + "'");
    return Value();
  case KnownMember::Perhaps:
    return e.refuse(DiagId::Unsupported, "'" + found.path + "'");
  case KnownMember::Yes:
    if (Value text = textOfBuiltinClass(e, derived, name, ofInstance); !text.isAbsent())
      return text;
    return makeOpaqueMember(e, found.path, ofInstance);
  }
  llvm_unreachable("closed enum");
}

Value capture::missingOfSuper(Engine &e, llvm::ArrayRef<ObjectId> behind, NameId name,
                              bool ofInstance) {
  if (!isProgramsQuestion(e))
    return Value();
  KnownAttribute found = knownAttribute(e, behind, name, ofInstance);
  if (found.is == KnownMember::Perhaps)
    return e.refuse(DiagId::Unsupported, "'" + found.path + "'");
  return found.is == KnownMember::Yes ? makeOpaqueMember(e, found.path, ofInstance) : Value();
}

Flow capture::checkMissingMember(Engine &e, ObjectId cls, NameId name) {
  const Value &hook = e.heap.get(kMachine, slot::kCurrentFrame);
  if (!isQuestionOf(e, e.heap.get(hook.asRef(), slot::kCaller)))
    return Flow::Next;
  KnownAttribute found = knownAttribute(e, cls, name, true);
  return found.is == KnownMember::No ? Flow::Next
                                     : Flow(e.refuse(DiagId::Unsupported, "'" + found.path + "'"));
}

bool capture::mayHaveMember(Engine &e, ObjectId cls, NameId name) {
  return knownAttribute(e, cls, name, true).is != KnownMember::No;
}

bool capture::isOwnOfModel(Engine &e, ObjectId derived, NameId name, bool ofInstance) {
  if ((ofInstance && !e.nameText(name).starts_with("_")) || !isProgramsQuestion(e))
    return false;
  if (name == NameId(WellKnown::Dict))
    return false; // objectDict() knows who has one
  for (ObjectId base : e.classInfo(derived).mro) {
    const Value &found = e.heap.get(base, attrKey(name));
    if (found.isAbsent())
      continue;
    if (!e.heap.get(base, attrKey(nameForProgram(e, name))).isAbsent())
      return false; // noteOwnOfProgram()
    if (isOnlyHere(e, base) &&
        (name == NameId(WellKnown::GetAttr) || name == NameId(WellKnown::Module) ||
         name == NameId(WellKnown::Doc)))
      return true;
    if (!knownClass(e, base))
      return false;
    if (name == NameId(WellKnown::Doc))
      return true; // the model's own
    // A member of an enumeration, which the class of the library may have by a property.
    if (isRefTo(e, found, ObjectKind::Instance) && e.isSubclass(e.typeOf(found), base) &&
        hasKnownMember(knownPathOf(e, base), e.nameText(name), e.world->minorVersion()))
      return false;
    KnownAttribute known = knownAttribute(e, derived, name, ofInstance);
    return known.is == KnownMember::No ||
           (!ofInstance && found.isNone() && known.is == KnownMember::Yes &&
            isKnownDescriptor(known.path, e.world->minorVersion()));
  }
  return false;
}

void capture::noteOwnOfProgram(Engine &e, ObjectId cls, NameId name, bool isThere) {
  if (!isProgramClass(e, cls))
    e.heap.set(cls, attrKey(nameForProgram(e, name)), isThere ? Value::boolean(true) : Value());
}

bool capture::hasDocOfFields(Engine &e, ObjectId cls) {
  const Value &doc = e.heap.get(cls, attrKey(WellKnown::Doc));
  return (doc.isAbsent() || doc.isNone()) &&
         !e.heap.get(cls, attrKey(e.intern("__dataclass_fields__"))).isAbsent();
}

Flow capture::checkDoc(Engine &e, ObjectId derived) {
  for (ObjectId base : e.classInfo(derived).mro) {
    if (hasDocOfFields(e, base))
      return e.refuse(DiagId::Unsupported, "'" + classFullName(e, base) + ".__doc__'");
    if (!e.heap.get(base, attrKey(WellKnown::Doc)).isAbsent())
      return Flow::Next;
  }
  return Flow::Next;
}

bool capture::hasInstanceDict(Engine &e, ObjectId cls) {
  if (!e.heap.get(cls, slot::kClassNoDict).isAbsent())
    return false;
  std::optional<KnownClass> known = knownClass(e, cls);
  return known ? known->hasInstanceDict : cls > e.world->classes.back();
}

bool capture::isBuiltinClass(Engine &e, ObjectId cls) {
  if (cls <= e.world->classes.back())
    return true;
  std::optional<KnownClass> known = knownClass(e, cls);
  return known && known->isFixed;
}

/// The names that the tables have, and what they leave out of every class.
static void addNamesOf(Engine &e, ObjectId cls, const KnownClass &known, bool withBases,
                       std::vector<std::string> &names) {
  forEachKnownMember(knownPathOf(e, cls), e.world->minorVersion(), withBases,
                     [&](llvm::StringRef name) { names.push_back(name.str()); });
  names.emplace_back("__doc__");
  if (!known.isStatic)
    names.emplace_back("__module__");
  if (known.hasInstanceDict && !known.isStatic)
    names.emplace_back("__dict__");
  if (!known.isListed()) // written in Python: whether it has any is not known, and what they are
    names.emplace_back("__annotations__");
}

std::optional<bool> capture::addKnownNames(Engine &e, ObjectId cls,
                                           std::vector<std::string> &names) {
  std::optional<KnownClass> known = knownClass(e, cls);
  if (!known)
    return std::nullopt;
  if (known->isListed())
    addNamesOf(e, cls, *known, /*withBases=*/true, names);
  return known->isListed();
}

bool capture::addOwnKnownNames(Engine &e, ObjectId cls, std::vector<std::string> &names) {
  std::optional<KnownClass> known = knownClass(e, cls);
  if (!known || !known->isComplete)
    return false;
  addNamesOf(e, cls, *known, /*withBases=*/false, names);
  return true;
}

bool capture::makesGenericAliases(Engine &e, ObjectId cls) {
  return llvm::any_of(e.classInfo(cls).mro, [&](ObjectId base) {
    const std::string path = knownPathOf(e, base);
    return !path.empty() && !isTorchPath(path) &&
           hasKnownMember(path, "__class_getitem__", e.world->minorVersion());
  });
}

// What functions and modules of lib/Prelude say of themselves
// ------------------------------------------------------------------

bool capture::isOfPrelude(Engine &e, ObjectId object) {
  if (e.heap.kind(object) == ObjectKind::Function)
    return functionOf(e, object).hidden;
  return e.heap.kind(object) == ObjectKind::Module &&
         static_cast<const ModuleInfo *>(e.heap.header(object).info)->prelude;
}

std::string capture::pathOfPrelude(Engine &e, ObjectId object) {
  if (e.heap.kind(object) == ObjectKind::Module)
    return moduleName(e, object);
  const FunctionRecord &f = functionOf(e, object);
  return moduleName(e, f.globals) + "." + f.code->qualName.str();
}

bool capture::isToldOfProgram(Engine &e, ObjectId function) {
  if (e.heap.kind(function) != ObjectKind::Function)
    return false;
  const Value &module = e.heap.get(function, attrKey(WellKnown::Module));
  return module.is(Kind::Str) && module.asStr() != moduleName(e, functionOf(e, function).globals) &&
         !findKnownName(module.asStr(), e.world->minorVersion());
}

/// What a method of a class of lib/Prelude says of itself: the module where the library has it.
static Value nameOfMethod(Engine &e, const FunctionRecord &f, NameId name, const Value &own) {
  auto [owner, method] = f.code->qualName.rsplit('.');
  const Value &cls = e.heap.get(f.globals, attrKey(e.intern(owner)));
  if (name == NameId(WellKnown::Name) && owner == "Methods" &&
      moduleName(e, f.globals) == "torch._tensor")
    return findKnownAttribute("torch.Tensor", method, e.world->minorVersion(), true).is ==
                   KnownMember::Yes
               ? own
               : Value();
  if (!isClass(e, cls) || isOnlyHere(e, cls.asRef()) ||
      !hasKnownMember(definedPathOf(e, cls.asRef()), method, e.world->minorVersion()))
    return Value();
  return name == NameId(WellKnown::Module) ? Value::str(classModule(e, cls.asRef())) : own;
}

Value capture::nameOfPrelude(Engine &e, ObjectId function, NameId name, const Value &own) {
  const FunctionRecord &f = functionOf(e, function);
  const bool isModule = name == NameId(WellKnown::Module);
  const Value &said = e.heap.get(
      function, attrKey(name == NameId(WellKnown::Name) ? WellKnown::Name : WellKnown::QualName));
  const std::string module = moduleName(e, f.globals);
  const bool isOwn = isModule ? own.is(Kind::Str) && own.asStr() == module
                              : said.is(Kind::Str) && (said.asStr() == f.code->qualName ||
                                                       said.asStr() == f.code->name);
  if (!isOwn || isToldOfProgram(e, function))
    return own; // said on purpose
  Value found;
  if (f.code->qualName.contains("<locals>") || f.code->name == "<lambda>") {
    // The library may make the function in another way.
  } else if (f.code->qualName.contains('.')) {
    found = nameOfMethod(e, f, name, own);
  } else if (std::string path = pathOfFunction(e, module, f.code->qualName); !path.empty()) {
    std::optional<KnownName> known = findKnownName(path, e.world->minorVersion());
    const bool isOfTorch = isTorchPath(module);
    if (known && known->kind == KnownKind::Class)
      found = isModule ? Value::str(known->definedAs.rsplit('.').first) : own;
    else if (known && known->type == "function")
      found = isModule ? Value::str(llvm::StringRef(path).rsplit('.').first) : own;
    else if (known && !isModule && !isOfTorch)
      found = own;
    else if (known && name == NameId(WellKnown::Name) && path == "torch." + f.code->qualName.str())
      found = own; // in a part of torch that has a private name here
  }
  return found.isAbsent() ? makeOpaque(e, pathOfPrelude(e, function) + "." + e.nameText(name).str())
                          : found;
}
