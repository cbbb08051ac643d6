//===- Escape.cpp - What a call without a model may change -----------------------------------===//
//
// In: the callee and the operands of a call that is to be left out. Out: a refusal where it could
// change what the program goes on with, or call a function of the program's. While modules are
// imported the refusal is set aside, and what it could change is taken out of the program
// (Aside.h).
//
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "Answers.h"
#include "Aside.h"
#include "CodeEffects.h"
#include "Failures.h"
#include "Imports.h"
#include "KnownNames.h"
#include "Objects.h"
#include "OpaqueCalls.h"
#include "Tensors.h"

#include "ptc/Capture/Prelude.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace ptc;
using namespace ptc::capture;

static llvm::StringRef rootOf(llvm::StringRef path) {
  return path.take_until([](char c) { return c == '.' || c == '(' || c == '['; });
}

static bool isBelow(llvm::StringRef path, llvm::StringRef owner) {
  return isBelowOpaque(path, owner);
}

bool capture::isKnownRoot(Engine &e, llvm::StringRef path) {
  return isKnownModule(rootOf(path), e.world->minorVersion());
}

bool capture::isTorchPath(llvm::StringRef path) { return isBelow(path, "torch"); }

/// Has the module state that a model in lib/Prelude knows?
static bool isModelled(llvm::StringRef path) { return findPreludeModule(rootOf(path)) != nullptr; }

/// Was the class written in the program, and not in lib/Prelude or the engine?
bool capture::isProgramClass(Engine &e, ObjectId cls) {
  Value module = e.heap.get(cls, attrKey(WellKnown::Module));
  if (cls <= e.world->classes.back() || !module.is(Kind::Str))
    return false;
  if (!e.heap.get(cls, slot::kClassOfProgram).isAbsent())
    return true;
  ObjectId id = findModule(e, module.asStr());
  const auto *info = id ? static_cast<const ModuleInfo *>(e.heap.header(id).info) : nullptr;
  return !info || !info->prelude;
}

/// What modules of one root were given before, and may call now.
static std::vector<Value> &givenTo(Engine &e, llvm::StringRef path) {
  return e.world->given[rootOf(path).str()];
}

/// Calls that are never left out.
static bool isRefused(Engine &e, llvm::StringRef path, OpaqueEffect effect) {
  bool needsRow = isTorchPath(path) || isModelled(path);
  return (needsRow && effect == OpaqueEffect::Unknown) ||
         (effect == OpaqueEffect::AtImport && e.recording());
}

/// What the computation of that number may have given, had it not been refused.
std::vector<Value> &capture::refusedCandidates(Engine &e, uint32_t refusal) {
  return e.world->given["refusal " + std::to_string(refusal)];
}

/// Is it an operation of torch that draws random numbers?
static bool draws(llvm::StringRef spelling) {
  return llvm::any_of(aten::findSpelling(spelling), [](const aten::Spelling &row) {
    return aten::getOpInfo(row.id).has(aten::OpFlag::Random);
  });
}

/// Does a function of lib/Prelude draw random numbers, by operations of torch that it names, or
/// functions of its module and of those that it names?
static bool drawsWithin(Engine &e, ObjectId function) {
  llvm::SetVector<ObjectId> open;
  open.insert(function);
  for (size_t at = 0; at < open.size(); ++at) {
    const FunctionRecord &f = functionOf(e, open[at]);
    if (!f.code)
      readCode(e, f);
    const CodeRecord *record = recordOf(e, f.code);
    if (!record)
      return true;
    llvm::SetVector<ObjectId> modules;
    modules.insert(f.globals);
    for (NameId name : record->names) {
      llvm::StringRef text = e.nameText(name);
      if (draws(("torch." + text).str()) || draws(("aten." + text).str()) ||
          draws(("Tensor." + text).str()))
        return true;
      if (const Value &v = e.heap.get(f.globals, attrKey(name)); isRefTo(e, v, ObjectKind::Module))
        modules.insert(v.asRef());
    }
    for (ObjectId module : modules)
      for (NameId name : record->names)
        if (const Value &v = e.heap.get(module, attrKey(name)); isRefTo(e, v, ObjectKind::Function))
          open.insert(v.asRef());
  }
  return false;
}

/// May a call of what a module of lib/Prelude holds under this name change what belongs to no
/// operand: generators of random numbers, defaults, loggers?
static bool setsState(Engine &e, const Value &v, llvm::StringRef module, llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWithState[] = {"importlib", "logging", "os",      "random",
                                                       "sys",       "torch",   "warnings"};
  if (v.is(Kind::Opaque)) {
    const auto &node = v.nodeAs<OpaqueNode>(Kind::Opaque);
    return node.is == OpaqueIs::Function && isRefused(e, node.path, effectOf(node.path));
  }
  if (!llvm::is_contained(kWithState, rootOf(module)))
    return false;
  if (v.isAbsent())
    return draws((module + "." + name).str());
  if (module == "sys" && name == "modules")
    return true;
  if (module == "torch.nn.functional" && isRefTo(e, v, ObjectKind::Function))
    return drawsWithin(e, v.asRef());
  // Layers draw their parameters.
  static constexpr llvm::StringLiteral kKnown[] = {"Parameter", "Size", "Tensor", "inference_mode",
                                                   "no_grad"};
  bool isWritten = isClass(e, v) || isRefTo(e, v, ObjectKind::Function);
  return isWritten && !llvm::is_contained(kKnown, name);
}

static bool isPreludeModule(Engine &e, ObjectId module) {
  const auto *info = static_cast<const ModuleInfo *>(e.heap.header(module).info);
  return !info || info->prelude;
}

namespace {
/// What a call could change: what its operands reach, and what the code that it may run names.
class Reach {
public:
  explicit Reach(Engine &e, OpaqueEffect effect)
      : e(e), changes(effect != OpaqueEffect::Reads && effect != OpaqueEffect::Acts &&
                      effect != OpaqueEffect::Keeps),
        calls(effect != OpaqueEffect::Keeps) {}

  void add(const Value &given) {
    open.push_back({given, Way::Given});
    do {
      while (!open.empty()) {
        auto [v, way] = open.pop_back_val();
        see(v, way);
      }
      addNamedParts();
    } while (!open.empty());
  }
  /// Does anything but the operands of the call hold what can be changed?
  bool isShared() const {
    if (setsState || !globals.empty() || !ownModules.empty())
      return true;
    llvm::DenseSet<ObjectId> changed = stored;
    for (const auto &[id, way] : reached)
      if (mayChange(id, way))
        changed.insert(id);
    return !changed.empty() && isHeld(changed);
  }
  /// What can be changed; none: state of no object that is followed, too.
  std::optional<Changes> changed() const;
  /// From where all of it, and all that code of it may come to later, is reached again.
  std::vector<Value> roots() const {
    std::vector<Value> all;
    for (const auto &[id, way] : reached)
      if (e.heap.kind(id) == ObjectKind::Function || mayChange(id, way))
        all.push_back(Value::ref(id));
    return all;
  }
  bool callsProgram = false;   ///< it can call what the program defines
  bool holdsProgram = false;   ///< the same of who keeps it
  bool holdsFunctions = false; ///< or what lib/Prelude has and that may do more than compute

private:
  /// How something is reached: code that may run names it, or the callee is given it.
  enum class Way : uint8_t { Named, Given };

  void see(const Value &v, Way way);
  void visit(ObjectId id, Way way);
  void addSlots(ObjectId id, Way way) {
    e.heap.forEachSlot(id, [&](uint32_t, const Value &v) { open.push_back({v, way}); });
  }
  void addMethods(ObjectId cls);
  void addForward(ObjectId cls);
  void addData(ObjectId cls, Way way);
  void addNamedParts();
  void addFunction(ObjectId id);
  void addCode(const CodeObject &code, ObjectId globalsOf, ObjectId function);
  void addUse(const GlobalUse &use, const CodeEffects &effects);
  void addImport(NameId name, const CodeEffects &effects);
  bool mayChange(ObjectId id, Way way) const;
  bool isHeld(const llvm::DenseSet<ObjectId> &changed) const;

  Engine &e;
  const bool changes, calls;
  bool setsState = false;   ///< of no object that is followed
  bool codeChanges = false; ///< code that may run changes what it reaches
  llvm::SmallVector<std::pair<Value, Way>, 8> open;
  llvm::DenseSet<uint32_t> refusals; ///< whose candidates were added
  llvm::DenseMap<ObjectId, Way> reached;
  llvm::DenseSet<ObjectId> stored; ///< cells, functions, classes and modules that code writes to
  llvm::DenseSet<SlotKey> globals; ///< that code writes to by their names
  llvm::DenseSet<ObjectId> ownModules; ///< of which code may write to any global
  llvm::DenseSet<ObjectId> methods;    ///< classes whose methods were added
  llvm::SetVector<ObjectId> parts;     ///< classes and modules of which code reaches what it names
  llvm::SetVector<NameId> named;       ///< by code that may run
  llvm::DenseSet<std::pair<ObjectId, NameId>> done;
};
} // namespace

static bool isInstanceOf(Engine &e, const Value &v, WellKnown cls) {
  return isRefTo(e, v, ObjectKind::Instance) &&
         e.isSubclass(e.heap.header(v.asRef()).cls, e.builtinClass(cls));
}

static bool isStream(Engine &e, const Value &v) {
  return !e.lookupInClass(e.heap.header(v.asRef()).cls, e.intern("write")).isAbsent();
}

/// Natives of torch that only answer.
static bool isAnswer(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {
      "can_cast", "get_default_dtype", "is_grad_enabled", "is_tensor", "promote_types", "tensor"};
  return llvm::is_contained(kNames, name);
}

void Reach::see(const Value &v, Way way) {
  if (v.is(Kind::Opaque)) {
    const auto &node = v.nodeAs<OpaqueNode>(Kind::Opaque);
    setsState |= isBelow(node.path, "sys.modules"); // any module
    if (!node.poison || !node.refusal)
      return;
    llvm::SmallVector<llvm::StringRef> path;
    llvm::StringRef(node.path).split(path, '.');
    for (llvm::StringRef name : path)
      named.insert(e.intern(name.take_until([](char c) { return c == '(' || c == '['; })));
    if (refusals.insert(node.refusal).second)
      for (const Value &candidate : refusedCandidates(e, node.refusal))
        open.push_back({candidate, Way::Given});
    return;
  }
  if (v.is(Kind::TorchOp)) {
    setsState |= calls && draws(e.nameText(NameId(v.bits())));
    return;
  }
  if (v.is(Kind::Builtin)) {
    const BuiltinRow &row = builtinRows()[v.bits()];
    setsState |= calls && row.kind == BuiltinKind::Function &&
                 llvm::StringRef(row.module) == "_ptc_torch" && !isAnswer(row.name);
    return;
  }
  if (v.is(Kind::Tuple) && v.parts().size() == 2 && v.parts()[0].is(Kind::Code)) {
    if (calls)
      addCode(*v.parts()[0].asCode(), v.parts()[1].asRef(), 0);
    return;
  }
  if (v.is(Kind::Bound) && v.parts()[1].is(Kind::Builtin)) // may change what it is a method of
    codeChanges |= calls;
  forEachRef(v, [&](ObjectId id) { visit(id, way); });
}

void Reach::visit(ObjectId id, Way way) {
  auto [at, fresh] = reached.try_emplace(id, way);
  if (!fresh && at->second >= way)
    return;
  at->second = way;
  switch (e.heap.kind(id)) {
  case ObjectKind::Instance:
    addMethods(e.heap.header(id).cls);
    addForward(e.heap.header(id).cls);
    return addSlots(id, way);
  case ObjectKind::List:
  case ObjectKind::Dict:
  case ObjectKind::Set:
  case ObjectKind::ByteArray:
  case ObjectKind::Storage:
  case ObjectKind::Cell:
  case ObjectKind::Iterator:
  case ObjectKind::Generator:
  case ObjectKind::Frame:
    return addSlots(id, way);
  case ObjectKind::Class:
    callsProgram |= calls && isProgramClass(e, id);
    addMethods(id);
    return addData(id, way);
  case ObjectKind::Module:
    if (isPreludeModule(e, id))
      parts.insert(id);
    else
      addSlots(id, way);
    return;
  case ObjectKind::Function:
    return addFunction(id);
  case ObjectKind::Engine:
    return;
  }
  llvm_unreachable("closed enum");
}

/// Does the function of a class method store attributes, maybe of the class? `cls.n += 1` does.
static bool storesOfClass(Engine &e, ObjectId classMethod) {
  bool stores = false;
  forEachRef(e.heap.get(classMethod, slot::kContent), [&](ObjectId id) {
    if (e.heap.kind(id) != ObjectKind::Function || functionOf(e, id).hidden)
      return;
    CodeEffects effects = effectsOf(e, *functionOf(e, id).code, functionOf(e, id).globals);
    stores |= effects.storesOfFirst || effects.storesAttributes;
  });
  return stores;
}

/// What the engine and modules of lib/Prelude keep in a class.
static bool isTableOfClass(llvm::StringRef name) {
  return (name.starts_with("__") && name.ends_with("__")) || name == "_member_map_" ||
         name == "_member_names_" || name == "_value2member_map_";
}

/// Functions of the program's classes that a class derives from, and of their data what code names.
void Reach::addMethods(ObjectId cls) {
  for (ObjectId base : e.classInfo(cls).mro) {
    if (!isProgramClass(e, base) || !methods.insert(base).second)
      continue;
    holdsProgram = true;
    if (!calls)
      continue;
    parts.insert(base);
    e.heap.forEachSlot(base, [&](uint32_t, const Value &v) {
      bool isClassMethod = isInstanceOf(e, v, WellKnown::ClassMethodType);
      if (isPythonFunction(e, v) || isClassMethod || isInstanceOf(e, v, WellKnown::PropertyType) ||
          isInstanceOf(e, v, WellKnown::StaticMethodType))
        open.push_back({v, Way::Named});
      if (isClassMethod && storesOfClass(e, v.asRef()))
        stored.insert(base);
    });
  }
}

/// A layer of lib/Prelude may be called.
void Reach::addForward(ObjectId cls) {
  const Value &forward = e.lookupInClass(cls, e.intern("forward"));
  if (calls && isRefTo(e, forward, ObjectKind::Function) && functionOf(e, forward.asRef()).hidden)
    setsState |= drawsWithin(e, forward.asRef());
}

void Reach::addData(ObjectId cls, Way way) {
  if (isProgramClass(e, cls))
    e.heap.forEachSlot(cls, [&](uint32_t key, const Value &v) {
      if (isAttrKey(key) && !isTableOfClass(e.nameText(nameOfKey(key))))
        open.push_back({v, way});
    });
}

void Reach::addNamedParts() {
  for (size_t at = 0; at < parts.size(); ++at) {
    ObjectId holder = parts[at];
    bool isPrelude = e.heap.kind(holder) == ObjectKind::Module && isPreludeModule(e, holder);
    for (NameId name : named) {
      if (!done.insert({holder, name}).second)
        continue;
      const Value &v = e.heap.get(holder, attrKey(name));
      if (isPrelude)
        setsState |= ::setsState(e, v, moduleName(e, holder), e.nameText(name));
      // What the program sees as sys.path.
      if (isPrelude && v.isAbsent())
        open.push_back(
            {e.heap.get(holder, attrKey(e.intern(("_" + e.nameText(name)).str()))), Way::Named});
      if (isRefTo(e, v, ObjectKind::Module))
        parts.insert(v.asRef());
      else if (!isPrelude || !(isClass(e, v) || isRefTo(e, v, ObjectKind::Function)))
        open.push_back({v, Way::Named});
    }
  }
}

void Reach::addFunction(ObjectId id) {
  const FunctionRecord &f = functionOf(e, id);
  holdsProgram |= !f.hidden;
  const Value &name = e.heap.get(id, attrKey(WellKnown::Name));
  const bool isPure = f.hidden && name.is(Kind::Str) && isPureFunction(name.asStr());
  holdsFunctions |= !isPure;
  if (!calls)
    return;
  codeChanges |= f.hidden && !isPure;
  // A function of lib/Prelude changes what it holds or is given. Nobody who calls one of the
  // program's comes to its annotations.
  e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
    if (f.hidden || key != slot::kAnnotations)
      open.push_back({v, f.hidden ? Way::Given : Way::Named});
  });
  if (f.hidden) {
    setsState |= ::setsState(e, Value::ref(id), moduleName(e, f.globals),
                             name.is(Kind::Str) ? name.asStr() : llvm::StringRef());
    return;
  }
  callsProgram = true;
  addCode(*f.code, f.globals, id);
}

/// The variables that the code names, whatever it does with them.
void Reach::addCode(const CodeObject &code, ObjectId globalsOf, ObjectId function) {
  const CodeEffects effects = effectsOf(e, code, globalsOf);
  setsState |= effects.setsAnything;
  if (effects.setsAllGlobals || !effects.deletes.empty())
    ownModules.insert(globalsOf);
  for (NameId name : effects.sets)
    globals.insert({globalsOf, attrKey(name)});
  codeChanges |= effects.changes;
  if (effects.setsCells && function)
    forEachRef(e.heap.get(function, slot::kClosure), [&](ObjectId cell) { stored.insert(cell); });
  if (effects.storesOfClass)
    stored.insert(methods.begin(), methods.end());
  named.insert(effects.names.begin(), effects.names.end());
  for (NameId name : effects.names) // methods of tensors
    setsState |= draws(("Tensor." + e.nameText(name)).str());
  for (const GlobalUse &use : effects.uses)
    addUse(use, effects);
  for (NameId name : effects.imports)
    addImport(name, effects);
  for (const Constant *constant : code.consts)
    if (constant->kind == ConstKind::Code)
      addCode(static_cast<const CodeObject &>(*constant), globalsOf, function);
}

void Reach::addUse(const GlobalUse &use, const CodeEffects &effects) {
  const Value &v = use.value;
  bool isModule = isRefTo(e, v, ObjectKind::Module);
  bool isWhole = use.how == GlobalUse::How::Whole;
  if (effects.storesAttributes &&
      (isModule || isClass(e, v) || isRefTo(e, v, ObjectKind::Function)))
    stored.insert(v.asRef());
  if (isModule && isPreludeModule(e, v.asRef())) {
    parts.insert(v.asRef());
  } else if (!isWhole && isModule) {
    parts.insert(v.asRef());
  } else if (!isWhole && isClass(e, v)) {
    callsProgram |= isProgramClass(e, v.asRef());
    addMethods(v.asRef());
  } else {
    open.push_back({v, Way::Named});
  }
}

void Reach::addImport(NameId name, const CodeEffects &effects) {
  llvm::StringRef text = e.nameText(name);
  ObjectId module = findModule(e, text);
  if (!module) { // its code is run
    setsState |= e.world->resolve && e.world->resolve(text).kind != ModuleFile::Kind::Absent;
    return;
  }
  if (effects.storesAttributes)
    stored.insert(module);
  visit(module, Way::Named);
}

bool Reach::mayChange(ObjectId id, Way way) const {
  const bool isGiven = way == Way::Given && changes;
  switch (e.heap.kind(id)) {
  case ObjectKind::Instance: {
    Value v = Value::ref(id);
    if (way == Way::Given && isStream(e, v)) // who is given one writes to it
      return true;
    return (isGiven || codeChanges) && !isInstanceOf(e, v, WellKnown::PropertyType) &&
           !isInstanceOf(e, v, WellKnown::ClassMethodType) &&
           !isInstanceOf(e, v, WellKnown::StaticMethodType);
  }
  case ObjectKind::List:
  case ObjectKind::Dict:
  case ObjectKind::Set:
  case ObjectKind::ByteArray:
  case ObjectKind::Storage:
    return isGiven || codeChanges;
  case ObjectKind::Iterator: // who looks at one advances it
  case ObjectKind::Generator:
  case ObjectKind::Frame:
    return true;
  case ObjectKind::Class: // nothing can be set of those of the builtins
    return isGiven && !e.classInfo(id).builtin;
  case ObjectKind::Module: // all of its variables can be set
    return isGiven;
  case ObjectKind::Cell:
  case ObjectKind::Function:
  case ObjectKind::Engine:
    return false;
  }
  llvm_unreachable("closed enum");
}

std::optional<Changes> Reach::changed() const {
  if (setsState)
    return std::nullopt;
  Changes all;
  all.variables = globals;
  all.modules = ownModules;
  auto add = [&](ObjectId id) {
    if (e.heap.kind(id) == ObjectKind::Cell)
      all.variables.insert({id, slot::kContent});
    else
      (e.heap.kind(id) == ObjectKind::Module ? all.modules : all.objects).insert(id);
  };
  for (ObjectId id : stored)
    add(id);
  for (const auto &[id, way] : reached)
    if (mayChange(id, way))
      add(id);
  return all;
}

/// Does the program come to any of these by another way than the operands of the call? What is
/// reached counts where something else holds it.
bool Reach::isHeld(const llvm::DenseSet<ObjectId> &changed) const {
  const ObjectId frame = e.currentFrame();
  llvm::DenseSet<ObjectId> held;
  llvm::SmallVector<ObjectId, 16> work;
  bool found = false;
  auto hold = [&](ObjectId id) {
    found |= changed.contains(id);
    if (reached.contains(id) && held.insert(id).second)
      work.push_back(id);
  };
  auto follow = [&](ObjectId id) {
    if (e.heap.kind(id) == ObjectKind::Instance)
      hold(e.heap.header(id).cls);
    e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
      if (id != frame || key < e.stackBase(frame))
        forEachRef(v, hold);
    });
  };
  for (ObjectId id = 0; id < e.heap.nextId() && !found; ++id)
    if (e.heap.exists(id) && !reached.contains(id))
      follow(id);
  while (!work.empty() && !found)
    follow(work.pop_back_val());
  return found;
}

/// What the last decorator was given, behind the frame and the instruction behind its call.
static std::vector<Value> &lastDecorated(Engine &e) { return e.world->given["last decorated"]; }

/// The function or class that the call decorates: the instruction behind it gives its result the
/// name of what it was given, or of what another decorator was. Such a call makes something of it,
/// and calls it later if at all. Absent: it is none.
static Value decoratedBy(Engine &e, const CallArgs &args) {
  if (args.positional.size() != 1 || !args.keywords.empty())
    return Value();
  ObjectId frame = e.currentFrame();
  const CanonicalCode &code = e.code(frame);
  const uint32_t next = e.heap.get(frame, slot::kIp).asIp();
  Value given = args.positional[0];
  if (given.is(Kind::Opaque)) {
    const std::vector<Value> &last = lastDecorated(e);
    if (last.empty() || !(last[0] == Value::ref(frame)) || last[1].asIp() + 1 != next)
      return Value();
    given = last[2];
  }
  if (!isClass(e, given) && !isPythonFunction(e, given))
    return Value();
  Value name = e.heap.get(given.asRef(), attrKey(WellKnown::Name));
  std::string text = name.is(Kind::Str)  ? name.asStr().str()
                     : isClass(e, given) ? className(e, given.asRef())
                                         : "";
  for (uint32_t ip = next; ip < code.size(); ++ip) {
    const Instr &instr = code.instrs[ip];
    if (instr.op == Opcode::CALL || instr.op == Opcode::CALL_METHOD)
      continue;
    bool isGlobal = instr.op == Opcode::STORE_NAME || instr.op == Opcode::STORE_GLOBAL;
    bool isLocal = instr.op == Opcode::STORE_FAST || instr.op == Opcode::STORE_DEREF;
    bool isNamed = (isGlobal && code.code->names[instr.arg] == text) ||
                   (isLocal && code.locals[instr.arg].name == text);
    return isNamed ? given : Value();
  }
  return Value();
}

/// `at`: where the reason is; unknown: in the call.
static Diagnostic refusalOf(Engine &e, const OpaqueNode &node, llvm::StringRef why,
                            const SourceLoc &at = {}) {
  bool known = isKnownRoot(e, node.path);
  Diagnostic diag = makeDiagnostic(known ? DiagId::UnsupportedTorchFunction : DiagId::OpaqueCalled,
                                   e.here(), node.path);
  diag.note("imported here", e.locationOfSource(node.importedAt));
  diag.note(why.str(), at);
  if (known) {
    diag.hint(asksForProgram(node.path)
                  ? hintFor(node.path).str()
                  : "do without the call, or give it copies that nothing else refers to");
    return diag;
  }
  diag.hint(hintOnModule("do without the call"));
  return diag;
}

static FailAny refuseCall(Engine &e, const OpaqueNode &node, llvm::StringRef why,
                          const SourceLoc &at = {}) {
  return e.refuse(refusalOf(e, node, why, at));
}

/// More are not worth the time to look for what they change.
static constexpr uint32_t kMostSetAside = 1000;

/// May it stand aside, and does it? What stands for what it may change reaches `roots`.
static bool standsAside(Engine &e, const OpaqueNode &node, std::optional<Changes> changed,
                        llvm::StringRef why, const std::vector<Value> &roots) {
  World &w = *e.world;
  const uint32_t number = node.poison ? node.refusal : uint32_t(w.setAside.size()) + 1;
  if (!isImporting(e) || !w.lenient || !changed || number > kMostSetAside ||
      !takeOut(e, std::move(*changed), number))
    return false;
  if (!node.poison)
    w.setAside.push_back(refusalOf(e, node, why));
  llvm::append_range(refusedCandidates(e, number), roots);
  return true;
}

bool capture::takeOutOperands(Engine &e, const Value &receiver, llvm::ArrayRef<Value> operands,
                              uint32_t refusal) {
  Reach reach(e, OpaqueEffect::Unknown);
  for (const Value &v : operands)
    reach.add(v);
  std::optional<Changes> changed = reach.changed();
  if (!changed || refusal > kMostSetAside)
    return false;
  // What torch and CPython have may be state that is not followed.
  bool isTaken =
      receiver.is(Kind::Opaque) && !isKnownRoot(e, receiver.nodeAs<OpaqueNode>(Kind::Opaque).path);
  if (receiver.is(Kind::Ref) || receiver.is(Kind::Tensor))
    forEachRef(receiver, [&](ObjectId id) { isTaken = changed->objects.contains(id); });
  if (!isTaken || !takeOut(e, std::move(*changed), refusal))
    return false;
  llvm::append_range(refusedCandidates(e, refusal), reach.roots());
  return true;
}

static bool isGivenText(const CallArgs &args) {
  auto mayBeText = [](const Value &v) {
    return v.is(Kind::Str) || v.is(Kind::Template) || v.is(Kind::Opaque) || v.is(Kind::Code);
  };
  return llvm::any_of(args.positional, mayBeText) ||
         llvm::any_of(args.keywords, [&](const KeywordArg &k) { return mayBeText(k.value); });
}

Flow capture::checkUncaught(Engine &e, const Value &callee, const CallArgs *args) {
  const auto &node = callee.nodeAs<OpaqueNode>(Kind::Opaque);
  const OpaqueRow *row =
      args ? rowOfOpaqueCall(node.path, !decoratedBy(e, *args).isAbsent()) : rowOfOpaque(node.path);
  if (row && row->raisesNothing(args))
    return Flow::Next;
  std::optional<SourceLoc> catcher = catcherOf(e, /*cls=*/0);
  if (!catcher)
    return Flow::Next;
  if (node.poison)
    return e.refuseOpaque(callee);
  return refuseCall(e, node, "it may raise an exception, which the program catches here", *catcher);
}

/// A decorator keeps what it is given, or registers it. What it gives the program is unknown; of a
/// class it may change what others have of it.
static Flow keepDecorated(Engine &e, const OpaqueNode &node, const Value &given, bool mayChange) {
  givenTo(e, node.path).push_back(given);
  const ObjectId frame = e.currentFrame();
  lastDecorated(e) = {Value::ref(frame), e.heap.get(frame, slot::kIp), given};
  if (!mayChange || !isClass(e, given))
    return Flow::Next;
  Changes changed;
  changed.objects.insert(given.asRef());
  static constexpr llvm::StringLiteral kChanges = "it may change the class that it decorates";
  return standsAside(e, node, std::move(changed), kChanges, {given})
             ? Flow::Next
             : Flow(refuseCall(e, node, kChanges));
}

/// While a call is compiled, or a plain program is run, nothing is left out that writes to the
/// process's output or changes what is outside of the program, or of which that is not known.
static Flow checkOutside(Engine &e, const OpaqueNode &node, const OpaqueRow *row) {
  const bool acts = row ? row->effect == OpaqueEffect::Acts : isKnownRoot(e, node.path);
  if (!acts || node.poison || !(e.recording() || e.plainPython))
    return Flow::Next;
  Diagnostic diag = makeDiagnostic(DiagId::UnsupportedTorchFunction, e.here(), node.path);
  diag.note("imported here", e.locationOfSource(node.importedAt));
  diag.note(row ? "it writes to the output, or changes what is outside of the program, and a "
                  "compiled call would leave that out"
                : "what it does outside of the program is not known, and a compiled call would "
                  "leave it out");
  llvm::StringRef known = hintFor(node.path);
  diag.hint(known.starts_with("write it")
                ? "call it where the module is imported, or around calls of the entry"
                : known.str());
  return e.refuse(std::move(diag));
}

Flow Engine::checkOpaqueCall(const Value &callee, const CallArgs &args) {
  const auto &node = callee.nodeAs<OpaqueNode>(Kind::Opaque);
  if (node.poison && !node.refusal)
    return Flow::Next;
  const Value decorated = decoratedBy(*this, args);
  const bool decorates = !decorated.isAbsent();
  const OpaqueRow *row = rowOfOpaqueCall(node.path, decorates);
  OpaqueEffect effect = row ? row->effect : OpaqueEffect::Unknown;
  if (isRefused(*this, node.path, effect) || (node.poison && !isImporting(*this)))
    return refuseOpaque(callee);
  PTC_DO(checkOutside(*this, node, row));
  if (runsText(node.path) && isGivenText(args))
    return refuseCall(*this, node, "it runs code, or sets a name, that it is given as text");
  PTC_DO(checkUncaught(*this, callee, &args));
  std::vector<Value> &known = givenTo(*this, node.path);
  // What decorators are in modules of CPython and torch is known: those of the table.
  bool onlyKeeps = row ? effect != OpaqueEffect::Reads && effect != OpaqueEffect::Acts
                       : !isKnownRoot(*this, node.path);
  if (!recording() && !plainPython && decorates && onlyKeeps && !node.poison)
    return keepDecorated(*this, node, decorated, /*mayChange=*/!row);
  Reach reach(*this, effect);
  auto see = [&](const Value &v) {
    // What it draws for a parameter is overwritten by the weight file.
    bool isLoaded =
        !shapes && !weightTable.empty() && v.is(Kind::Tensor) && asTensor(v).isParameter;
    if (!isLoaded)
      reach.add(v);
  };
  for (const Value &v : args.positional)
    see(v);
  for (const KeywordArg &keyword : args.keywords)
    see(keyword.value);
  const bool givesProgram = reach.holdsProgram;
  // What the module was given before, by others of its functions.
  bool callsKnown = !row || row->name.empty() ||
                    (effect != OpaqueEffect::Reads && effect != OpaqueEffect::Acts &&
                     effect != OpaqueEffect::Keeps);
  if (callsKnown)
    for (const Value &v : known)
      reach.add(v);
  reach.add(callee);
  // Rows of whole modules that keep say that nothing of these calls it later.
  bool isKept = effect == OpaqueEffect::Keeps && !row->name.empty() && reach.holdsFunctions;
  bool mayCall = reach.callsProgram || (effect != OpaqueEffect::Keeps && reach.holdsFunctions);
  if ((mayCall || isKept) && (recording() || plainPython))
    return refuseCall(*this, node, "it may call a function or class that it is given");
  static constexpr llvm::StringLiteral kChanges =
      "it may change something that it is given, or that what it is given refers to, and that the "
      "program uses elsewhere";
  if (reach.isShared() && !standsAside(*this, node, reach.changed(), kChanges, reach.roots()))
    return node.poison ? refuseOpaque(callee) : refuseCall(*this, node, kChanges);
  if (!recording() && givesProgram) {
    llvm::append_range(known, args.positional);
    for (const KeywordArg &keyword : args.keywords)
      known.push_back(keyword.value);
  }
  if (recording() && !isKnownRoot(*this, node.path))
    capture::assume(*this, "what a call of '" + node.path + "' does is left out");
  return Flow::Next;
}
