//===- Opaque.cpp - What exists without a model, or is unknown --------------------------------===//
//
// In: attributes, items, calls and questions about values that came from modules without a model.
// Out: more such values; what is known of them; refusals where the program needs to know more, or
// gives one what it goes on with. Never an exception of the program, never a side of a branch.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "Escape.h"
#include "Failures.h"
#include "Imports.h"
#include "KnownNames.h"
#include "Members.h"
#include "Objects.h"
#include "OpaqueCalls.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

static const OpaqueNode &nodeOf(const Value &v) { return v.nodeAs<OpaqueNode>(Kind::Opaque); }

/// What is used here: the call that gave it, where it was made, or the name, with its import.
static Diagnostic diagnoseUse(Engine &e, DiagId id, const OpaqueNode &node) {
  SourceLoc at = e.locationOfSource(node.importedAt), here = e.here();
  auto [call, rest] = llvm::StringRef(node.path).rsplit("()");
  bool isResult = call.size() != node.path.size() && at.isKnown();
  Diagnostic diag =
      makeDiagnostic(id, isResult ? at : here, isResult ? call.str() + "()" : node.path);
  bool isElsewhere = at.line != here.line || at.file != here.file;
  if (isResult && (isElsewhere || !rest.empty()))
    diag.note("used here: '" + node.path + "'", here);
  else if (!isResult && (isElsewhere || id == DiagId::OpaqueUsed))
    diag.note("imported here", at);
  return diag;
}

FailAny Engine::refuseOpaque(const Value &v) {
  const OpaqueNode &node = nodeOf(v);
  if (node.poison && node.refusal && !isImporting(*this)) {
    Diagnostic diag = world->setAside[node.refusal - 1];
    diag.note("used here", here());
    return refuse(std::move(diag));
  }
  if (node.poison) {
    pending = {};
    pending.kind = Pending::Kind::Refuse;
    pending.refusal = node.refusal;
    return {};
  }
  if (isMissingBuiltin(node.path))
    return refuse(DiagId::Unsupported, "'" + llvm::StringRef(node.path).split('.').second + "'");
  // What lib/Prelude makes other functions of.
  const Value &frame = heap.get(kMachine, slot::kCurrentFrame);
  if (isTorchPath(node.path) && frame.is(Kind::Ref) && frameInfo(frame.asRef()).hidden)
    return refuseTorchName(*this, node.path);
  if (isKnownRoot(*this, node.path)) {
    Diagnostic diag = diagnoseUse(*this, DiagId::UnsupportedTorchFunction, node);
    diag.hint(hintFor(node.path).str());
    return refuse(std::move(diag));
  }
  Diagnostic diag = diagnoseUse(*this, DiagId::OpaqueUsed, node);
  diag.hint(hintOnModule("do not compute with it"));
  return refuse(std::move(diag));
}

/// What the tables say about a name.
static OpaqueIs kindOf(const std::optional<KnownName> &known, llvm::StringRef path) {
  if (!known) // `site` adds some builtins when it starts
    return isMissingBuiltin(path) ? OpaqueIs::Object : OpaqueIs::Unknown;
  switch (known->kind) {
  case KnownKind::Module:
    return OpaqueIs::Module;
  case KnownKind::Class:
    return OpaqueIs::Class;
  case KnownKind::Function:
    return OpaqueIs::Function;
  case KnownKind::Value:
    return known->type.empty() ? OpaqueIs::Unknown : OpaqueIs::Object;
  case KnownKind::None:
    return OpaqueIs::Unknown;
  }
  llvm_unreachable("closed enum");
}

Value capture::makeOpaque(Engine &e, llvm::StringRef path, OpaqueIs is) {
  auto *node = new OpaqueNode;
  node->path = path.str();
  node->importedAt = e.sourceHere();
  node->is =
      is == OpaqueIs::Unknown ? kindOf(findKnownName(path, e.world->minorVersion()), path) : is;
  return Value::node(Kind::Opaque, node);
}

Value capture::makeOpaqueMember(Engine &e, llvm::StringRef path, bool ofInstance) {
  std::optional<KnownName> known = findKnownName(path, e.world->minorVersion());
  auto *node = new OpaqueNode;
  node->path = path.str();
  node->importedAt = e.sourceHere();
  node->is = kindOf(known, path);
  if (ofInstance && node->is == OpaqueIs::Object)
    node->is = OpaqueIs::Unknown; // descriptors give anything, and instances may have another value
  return Value::node(Kind::Opaque, node);
}

/// `madeAt`: of the result of a call; 0: where `from` was imported or made.
static Value opaque(const llvm::Twine &path, const Value &from, OpaqueIs is = OpaqueIs::Unknown,
                    SourceId madeAt = 0) {
  auto *node = new OpaqueNode;
  node->path = path.str();
  node->is = is;
  const OpaqueNode &old = nodeOf(from);
  node->importedAt = madeAt ? madeAt : old.importedAt;
  node->poison = old.poison;
  node->refusal = old.refusal;
  return Value::node(Kind::Opaque, node);
}

/// Where it is noted that the program has set a name of something without a model.
static uint32_t assignedKey(Engine &e, llvm::StringRef path) {
  return attrKey(e.intern(("<assigned>." + path).str()));
}

void capture::noteAssigned(Engine &e, const Value &v, NameId name) {
  const std::string path = nodeOf(v).path + "." + e.nameText(name).str();
  e.heap.set(e.world->modules, assignedKey(e, path), Value::boolean(true));
}

OpaqueMember capture::memberOfOpaque(Engine &e, const Value &v, llvm::StringRef name) {
  const OpaqueNode &node = nodeOf(v);
  OpaqueMember member{(node.path + "." + name).str(), {}, false};
  if (!e.heap.get(e.world->modules, assignedKey(e, member.path)).isAbsent())
    return member; // no longer what the library has
  if (node.poison || (node.is != OpaqueIs::Module && node.is != OpaqueIs::Class))
    return member;
  const uint32_t minor = e.world->minorVersion();
  llvm::StringRef module = node.is == OpaqueIs::Module ? llvm::StringRef(node.path) : "";
  if (isInOpaquePackage(e, module)) {
    member.inPackage = findPackageMember(e, module, name);
    return member;
  }
  member.known = findKnownName(member.path, minor, module);
  // What a descriptor of a library's gives for the class, if anything, its code says.
  auto isComputed = [&](llvm::StringRef type) {
    return type.starts_with("torch.") && hasKnownMember(type, "__get__", minor);
  };
  if (node.is == OpaqueIs::Class && member.known &&
      (member.known->isOfEnumMembers() || isComputed(member.known->type))) {
    member.known.reset();
    return member;
  }
  member.isAbsent = !member.known && isKnownAbsent(member.path, minor, module);
  return member;
}

/// Is it a class that the package of which no code is run makes itself?
static bool isClassOfPackage(Engine &e, const Value &v) {
  return v.is(Kind::Opaque) && nodeOf(v).is == OpaqueIs::Class && !nodeOf(v).poison &&
         isInOpaquePackage(e, nodeOf(v).path);
}

/// What a class says of itself that the package makes: the place of its class statement.
static Value placeOfClass(Engine &e, const Value &v, NameId name) {
  if (!isClassOfPackage(e, v))
    return Value();
  const auto [module, cls] = llvm::StringRef(nodeOf(v).path).rsplit('.');
  const llvm::StringRef text = e.nameText(name);
  if (text != "__module__" && text != "__name__" && text != "__qualname__")
    return Value();
  capture::assume(e, ("classes of package '" + module.split('.').first +
                      "' have the names that its code and stubs give them")
                         .str());
  return Value::str(text == "__module__" ? module : cls);
}

/// The model of a class that a module of torch without one defines or imports: it is in a package
/// around the place where torch defines it, as torch.nn.modules.batchnorm.BatchNorm2d is in
/// torch.nn.modules. Absent: there is none.
static Value modelOfTorchClass(Engine &e, llvm::StringRef path, const KnownName &known,
                               NameId name) {
  if (known.kind != KnownKind::Class || !isTorchPath(path))
    return Value();
  const llvm::StringRef defined = known.definedAs.empty() ? path : known.definedAs;
  for (llvm::StringRef package = defined; package.contains('.');) {
    package = package.rsplit('.').first;
    if (ObjectId module = findModule(e, package))
      if (const Value &own = e.heap.get(module, attrKey(name));
          isClass(e, own) && !isProgramClass(e, own.asRef()) &&
          definedPathOf(e, own.asRef()) == defined)
        return own;
  }
  return Value();
}

/// The class that an enumeration's statement in a package makes, the same one each time.
static Value enumerationOfPackage(Engine &e, llvm::StringRef path, const Enumeration &made) {
  std::vector<Value> members;
  members.reserve(made.members.size());
  for (const auto &[name, number] : made.members)
    members.push_back(Value::tuple({Value::str(name), Value::integer(number)}));
  return e.callPrelude("_enumeration_of_package",
                       {Value::str(path), Value::str(made.base), Value::tuple(std::move(members)),
                        made.doc.empty() ? Value::none() : Value::str(made.doc)});
}

Value Engine::opaqueAttr(const Value &v, NameId name) {
  const OpaqueNode &node = nodeOf(v);
  std::string path = (node.path + "." + nameText(name)).str();
  // What a table has of something without a model.
  if (ObjectId natives = findModule(*this, node.path))
    if (const Value &own = heap.get(natives, attrKey(name)); !own.isAbsent())
      return own;
  if (Value place = placeOfClass(*this, v, name); !place.isAbsent())
    return place;
  auto unknownAttr = [&]() -> Value {
    // Whether it is there decides a side of the program.
    std::optional<SourceLoc> catcher = catcherOf(*this, builtinClass(WellKnown::AttributeError));
    if (!catcher)
      return opaque(path, v);
    size_t reported = diags.size();
    FailAny refused = refuseOpaque(opaque(path, v));
    if (diags.size() > reported)
      diags.back().note("the program catches here that it is not there", *catcher);
    return refused;
  };
  if (node.is != OpaqueIs::Module && node.is != OpaqueIs::Class)
    return unknownAttr();
  const OpaqueMember member = memberOfOpaque(*this, v, nameText(name));
  if (member.inPackage.version)
    return answerInstalled(*this, path, Value::str(*member.inPackage.version));
  if (const std::optional<Enumeration> &made = member.inPackage.enumeration)
    return enumerationOfPackage(*this, path, *made);
  if (member.isKnownThere())
    return opaque(path, v,
                  member.inPackage.isImported ? OpaqueIs::Module
                  : member.inPackage.isClass  ? OpaqueIs::Class
                                              : OpaqueIs::Unknown);
  if (member.isAbsent)
    return raise(WellKnown::AttributeError,
                 (node.is == OpaqueIs::Module
                      ? "module '" + llvm::Twine(node.path)
                      : "type object '" + llvm::StringRef(node.path).rsplit('.').second) +
                     "' has no attribute '" + nameText(name) + "'");
  const std::optional<KnownName> &known = member.known;
  if (known && known->kind == KnownKind::None)
    return Value::none();
  if (!known || !isThereNow(*this, path, *known))
    return unknownAttr();
  const Value model = modelOfTorchClass(*this, path, *known, name);
  return model.isAbsent() ? opaque(path, v, kindOf(known, path)) : model;
}

/// A method may change what the operator or the subscript gives it.
static bool mayBeChanged(const Value &v) {
  bool isObject = v.is(Kind::Tensor);
  forEachRef(v, [&](ObjectId) { isObject = true; });
  return isObject;
}

static std::string pathOfItem(const Value &v) {
  llvm::StringRef path = nodeOf(v).path;
  return (path.ends_with("]") ? path : path + "[…]").str();
}

Value Engine::opaqueItem(const Value &v, const Value &with, bool makesType) {
  // A generic class with its parameters, or a union of it and other types, computes only.
  const bool isType = nodeOf(v).is == OpaqueIs::Type && makesType;
  if ((nodeOf(v).is == OpaqueIs::Class || isType) && !nodeOf(v).poison)
    return opaque(pathOfItem(v), v,
                  makesType && !isProgramClass(*this, typeOf(with)) ? OpaqueIs::Type
                                                                    : OpaqueIs::Unknown);
  if (mayBeChanged(with)) {
    CallArgs args;
    args.positional = {with};
    PTC_DO(checkOpaqueCall(v, args));
  } else if (!existsAsName(v)) {
    PTC_DO(checkUncaught(*this, v));
  }
  return opaque(pathOfItem(v), v);
}

// Questions --------------------------------------------------------------------------------------

/// Modules of lib/Prelude that keep what they are given, and look at it for what they do themselves
/// with. They ask `_is_unknown` first where it matters, and know of what passes that it is nothing
/// of theirs.
static constexpr llvm::StringLiteral kKeepers[] = {"dataclasses", "functools", "torch.nn.module",
                                                   "torch.nn.container"};

/// The module of lib/Prelude that asks; empty where the program does. Functions of the builtins ask
/// for who calls them.
static std::string askingModule(Engine &e) {
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  while (frame.is(Kind::Ref) && e.frameInfo(frame.asRef()).globals == e.world->prelude)
    frame = e.heap.get(frame.asRef(), slot::kCaller);
  bool isHidden = frame.is(Kind::Ref) && e.frameInfo(frame.asRef()).hidden;
  return isHidden ? moduleName(e, e.frameInfo(frame.asRef()).globals) : "";
}

bool capture::isAskedByTyping(Engine &e) {
  return llvm::StringRef(askingModule(e)).split('.').first == "typing";
}
bool capture::isAskedByKeeper(Engine &e) {
  return llvm::is_contained(kKeepers, askingModule(e)) || isAskedByTyping(e);
}

Value capture::typeOfOpaque(Engine &e, const Value &v) {
  return isAskedByKeeper(e) ? Value::ref(e.typeOf(v)) : Value(e.refuseOpaque(v));
}

/// What a module holds of the import system: objects of classes that nobody else has.
static bool isOfImportSystem(const OpaqueNode &node) {
  static constexpr llvm::StringLiteral kNames[] = {"__loader__", "__spec__", "__path__",
                                                   "__cached__", "__builtins__"};
  return node.is == OpaqueIs::Object && !node.poison &&
         llvm::is_contained(kNames, llvm::StringRef(node.path).rsplit('.').second);
}

Value capture::isOpaqueCallable(Engine &e, const Value &v) {
  if (isOfImportSystem(nodeOf(v)))
    return Value::boolean(false);
  if (Engine::existsAsName(v))
    return Value::boolean(nodeOf(v).is != OpaqueIs::Module);
  if (nodeOf(v).is == OpaqueIs::Object && !nodeOf(v).poison)
    if (std::optional<KnownName> known = findKnownName(nodeOf(v).path, e.world->minorVersion()))
      return Value::boolean(known->isCallable);
  return isAskedByKeeper(e) ? Value::boolean(true) : Value(e.refuseOpaque(v));
}

bool Engine::existsAsName(const Value &v) {
  switch (nodeOf(v).is) {
  case OpaqueIs::Module:
  case OpaqueIs::Class:
  case OpaqueIs::Function:
    return !nodeOf(v).poison;
  case OpaqueIs::Object:
  case OpaqueIs::Type:
  case OpaqueIs::Unknown:
    return false;
  }
  llvm_unreachable("closed enum");
}

/// Is it for sure no name of a module that has no model? Stand-ins of lib/Prelude may be one under
/// another name.
static bool isProgramsOwn(Engine &e, const Value &v) {
  if (v.is(Kind::Builtin) || v.is(Kind::TorchOp) || v.is(Kind::Bound))
    return false;
  if (!v.is(Kind::Ref))
    return true;
  switch (e.heap.kind(v.asRef())) {
  case ObjectKind::Module:
    return !static_cast<const ModuleInfo *>(e.heap.header(v.asRef()).info)->prelude;
  case ObjectKind::Function:
    return !functionOf(e, v.asRef()).hidden;
  case ObjectKind::Class:
    return isProgramClass(e, v.asRef());
  case ObjectKind::Instance:
    return isProgramClass(e, e.heap.header(v.asRef()).cls);
  default:
    return true;
  }
}

std::optional<bool> Engine::sameObject(const Value &a, const Value &b) {
  if (a.is(Kind::Opaque) && b.is(Kind::Opaque)) {
    if (!existsAsName(a) || !existsAsName(b))
      return std::nullopt;
    auto defined = [&](const Value &v) -> std::string {
      std::optional<KnownName> known = findKnownName(nodeOf(v).path, world->minorVersion());
      return known ? known->definedAs.str() : "";
    };
    std::string first = defined(a), second = defined(b);
    if (nodeOf(a).path == nodeOf(b).path || (!first.empty() && first == second))
      return true;
    if (isClassOfPackage(*this, a) || isClassOfPackage(*this, b)) {
      auto root = [&](const Value &v) { return llvm::StringRef(nodeOf(v).path).split('.').first; };
      return root(a) != root(b) ? std::optional(false) : std::nullopt;
    }
    // Modules and classes have one place where they are defined; functions may have two names.
    return !first.empty() && !second.empty() ? std::optional(false) : std::nullopt;
  }
  const Value &unknown = a.is(Kind::Opaque) ? a : b, &other = a.is(Kind::Opaque) ? b : a;
  bool isName =
      existsAsName(unknown) && (isProgramsOwn(*this, other) || isClassOfPackage(*this, unknown));
  bool isThere = nodeOf(unknown).is == OpaqueIs::Object && other.isNone();
  return isName || isThere ? std::optional(false) : std::nullopt;
}

Value Engine::opaqueEquals(const Value &a, const Value &b) {
  if (std::optional<bool> same = sameObject(a, b))
    return Value::boolean(*same);
  if (isAskedByTyping(*this))
    return Value::boolean(a == b);
  if (isAskedByKeeper(*this) && !(a.is(Kind::Opaque) && b.is(Kind::Opaque)))
    return Value::boolean(false); // a sentinel of the module
  bool first = a.is(Kind::Opaque) && !(b.is(Kind::Opaque) && existsAsName(a));
  return refuseOpaque(first ? a : b);
}

/// isinstance(v, cls) of a class without a model.
static Value isOfKnownClass(Engine &e, const Value &v, const Value &cls) {
  unsigned minor = e.world->minorVersion();
  const OpaqueNode &node = nodeOf(cls);
  // What is derived from such a class has no model either.
  if (isClassOfPackage(e, cls)) {
    assume(e, ("no object of the program's is an instance of a class of package '" +
               llvm::StringRef(node.path).split('.').first + "'")
                  .str());
    return Value::boolean(false);
  }
  std::optional<KnownName> known = findKnownName(node.path, minor);
  if (node.poison || !known || known->kind != KnownKind::Class || !known->hasPlainInstanceCheck)
    return e.refuseOpaque(cls);
  for (ObjectId base : e.classInfo(e.typeOf(v)).mro) {
    if (isProgramClass(e, base)) // derived from classes with a model
      continue;
    std::string name = classFullName(e, base);
    if (!llvm::StringRef(name).contains('.'))
      name.insert(0, "builtins.");
    std::optional<bool> derived = isKnownSubclass(name, node.path, minor);
    if (!derived)
      return e.refuseOpaque(cls);
    if (*derived)
      return Value::boolean(true);
  }
  return Value::boolean(false);
}

Value Engine::isOpaqueInstance(const Value &v, const Value &cls) {
  if (isAskedByKeeper(*this))
    return Value::boolean(v.is(Kind::Opaque) && isClass(*this, cls) &&
                          cls.asRef() == builtinClass(WellKnown::ObjectType));
  if (cls.is(Kind::Opaque))
    return v.is(Kind::Opaque) ? Value(refuseOpaque(v)) : isOfKnownClass(*this, v, cls);
  if (isClass(*this, cls) && cls.asRef() == builtinClass(WellKnown::ObjectType))
    return Value::boolean(true);
  if (isOfImportSystem(nodeOf(v)) && isClass(*this, cls) &&
      (isProgramClass(*this, cls.asRef()) || cls.asRef() == builtinClass(WellKnown::TypeType) ||
       cls.asRef() == builtinClass(WellKnown::FunctionType) ||
       cls.asRef() == builtinClass(WellKnown::TensorType)))
    return Value::boolean(false);
  if (!isClass(*this, cls) || !existsAsName(v))
    return refuseOpaque(v);
  // The tables say of what type a function is.
  for (WellKnown type : {WellKnown::FunctionType, WellKnown::BuiltinType, WellKnown::MethodType,
                         WellKnown::MethodDescriptorType})
    if (std::optional<KnownName> known = findKnownName(nodeOf(v).path, world->minorVersion());
        cls.asRef() == builtinClass(type) && known && !known->type.empty() &&
        nodeOf(v).is == OpaqueIs::Function)
      return Value::boolean(known->type == classFullName(*this, cls.asRef()));
  // A class is an instance of nothing but classes of classes, unless one of those says otherwise.
  if (nodeOf(v).is == OpaqueIs::Class && typeOf(cls) == builtinClass(WellKnown::TypeType) &&
      !isSubclass(cls.asRef(), builtinClass(WellKnown::TypeType)))
    return Value::boolean(false);
  // No number, text, container, tensor or exception is a module, a class or a function.
  static constexpr WellKnown kData[] = {
      WellKnown::IntType,     WellKnown::FloatType, WellKnown::ComplexType,   WellKnown::StrType,
      WellKnown::BytesType,   WellKnown::TupleType, WellKnown::ListType,      WellKnown::DictType,
      WellKnown::SetType,     WellKnown::BoolType,  WellKnown::FrozenSetType, WellKnown::TensorType,
      WellKnown::NoneTypeType};
  for (WellKnown data : kData)
    if (cls.asRef() == builtinClass(data))
      return Value::boolean(false);
  return refuseOpaque(v);
}

Value capture::isOpaqueSubclass(Engine &e, const Value &v, const Value &cls) {
  // Another package knows nothing of the program's classes; those that others may join ask.
  const bool isPlain =
      isClass(e, cls) && isProgramClass(e, cls.asRef()) &&
      e.lookupInClass(e.typeOf(cls), e.intern("__subclasscheck__")).is(Kind::Builtin);
  if (!isPlain || !isClassOfPackage(e, v))
    return e.refuseOpaque(v);
  assume(e, ("classes of package '" + llvm::StringRef(nodeOf(v).path).split('.').first +
             "' are derived from none of the program's")
                .str());
  return Value::boolean(false);
}

// Calls ------------------------------------------------------------------------------------------

Value Engine::callOpaque(const Value &v, CallArgs &args) {
  const std::string &path = nodeOf(v).path;
  if (path == "builtins.open" || path == "io.open") {
    PTC_LET(opened, openInstalled(*this, args));
    if (!opened.isAbsent())
      return opened;
  }
  PTC_LET(ended, callForAbsentProgram(*this, path, args));
  if (!ended.isAbsent())
    return ended;
  if (isMissingBuiltin(path))
    return refuseOpaque(v);
  PTC_DO(checkOpaqueCall(v, args));
  return opaque(path + "()", v, OpaqueIs::Unknown, sourceHere());
}
