//===- Escape.cpp - What a call without a model may change -----------------------------------===//
//
// In: the callee and the operands of a call that is to be left out. Out: a refusal where it could
// change what the program goes on with, or call a function of the program's.
//
//===----------------------------------------------------------------------===//
#include "Escape.h"
#include "Failures.h"
#include "KnownNames.h"
#include "Objects.h"
#include "Tensors.h"

#include "ptc/Capture/Prelude.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

namespace {
enum class Raises : uint8_t { May, Never, UnlessText };
struct CallRow {
  llvm::StringLiteral path, name;
  OpaqueEffect effect;
  Raises raises;
};
} // namespace

static constexpr CallRow kCalls[] = {
#define PTC_OPAQUE_CALL(Path, Name, Effect, Raise, Reason)                                         \
  {Path, Name, OpaqueEffect::Effect, Raises::Raise},
#include "OpaqueCalls.def"
};

/// "a.b" of "a.b", "a.b.c", "a.b().c", "a.b[…]".
static bool isBelow(llvm::StringRef path, llvm::StringRef owner) {
  return path.consume_front(owner) &&
         (path.empty() || path.front() == '.' || path.front() == '(' || path.front() == '[');
}

static const CallRow *rowOf(llvm::StringRef path) {
  llvm::StringRef name = path.rsplit('.').second;
  for (const CallRow &row : kCalls)
    if (isBelow(path, row.path) && (row.name.empty() || row.name == name))
      return &row;
  return nullptr;
}

/// What a call gives may be anything that was put into it: the function that was decorated. No row
/// is about calls of that, but for the function that a decorator with arguments is given.
static const CallRow *rowOfCall(llvm::StringRef path, bool isDecorator) {
  if (isDecorator)
    while (path.consume_back("()"))
      ;
  return path.ends_with("()") ? nullptr : rowOf(path);
}

OpaqueEffect capture::effectOf(llvm::StringRef path) {
  const CallRow *row = rowOf(path);
  return row ? row->effect : OpaqueEffect::Unknown;
}

static llvm::StringRef rootOf(llvm::StringRef path) {
  return path.take_until([](char c) { return c == '.' || c == '(' || c == '['; });
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
  ObjectId id = findModule(e, module.asStr());
  const auto *info = id ? static_cast<const ModuleInfo *>(e.heap.header(id).info) : nullptr;
  return !info || !info->prelude;
}

static constexpr llvm::StringLiteral kPureFunctions[] = {
    "_ascii",      "_binary_op",  "_compare_containers",
    "_compare_op", "_hash_tuple", "_in_object",
    "_len",        "_repr",       "_str",
    "abs",         "all",         "any",
    "bool",        "callable",    "chr",
    "divmod",      "format",      "getattr",
    "hasattr",     "hash",        "hex",
    "id",          "isinstance",  "issubclass",
    "len",         "max",         "min",
    "oct",         "ord",         "pow",
    "repr",        "round",       "sorted",
    "sum",         "type"};

bool capture::isPureFunction(llvm::StringRef name) {
  return llvm::is_contained(kPureFunctions, name);
}

bool capture::isPureCall(Engine &e, const Value &callee) {
  if (callee.is(Kind::Builtin)) {
    const BuiltinRow &row = builtinRows()[callee.bits()];
    return row.kind == BuiltinKind::Function && isPureFunction(row.name);
  }
  if (callee.is(Kind::Opaque))
    return callee.nodeAs<OpaqueNode>(Kind::Opaque).path == "builtins.open";
  static constexpr WellKnown kTypes[] = {
      WellKnown::BoolType, WellKnown::IntType,   WellKnown::FloatType, WellKnown::ComplexType,
      WellKnown::StrType,  WellKnown::BytesType, WellKnown::RangeType, WellKnown::TypeType};
  return llvm::any_of(kTypes, [&](WellKnown type) {
    return callee.is(Kind::Ref) && callee.asRef() == e.builtinClass(type);
  });
}

namespace {
/// What a call could change through its operands, and whether the program goes on with any of it.
class Reach {
public:
  explicit Reach(Engine &e, OpaqueEffect effect)
      : e(e), changes(effect != OpaqueEffect::Reads && effect != OpaqueEffect::Keeps),
        calls(effect != OpaqueEffect::Keeps) {}

  void add(const Value &given) {
    open.push_back({given, changes});
    while (!open.empty()) {
      auto [v, changed] = open.pop_back_val();
      if (!v.is(Kind::Builtin) && !v.is(Kind::TorchOp))
        forEachRef(v, [&, changed = changed](ObjectId id) { visit(id, changed); });
    }
  }
  /// Does anything but the operands of the call refer to what can be changed?
  bool isShared() const {
    if (setsGlobals)
      return true;
    const ObjectId frame = e.currentFrame();
    bool found = false;
    for (ObjectId id = 0; id < e.heap.nextId() && !found && !objects.empty(); ++id) {
      // A cell that a function closes over is its frame's, too.
      if (!e.heap.exists(id) || (seen.contains(id) && e.heap.kind(id) != ObjectKind::Cell))
        continue;
      e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
        if (id == frame && key >= e.stackBase(frame))
          return;
        forEachRef(v, [&](ObjectId ref) { found |= objects.contains(ref); });
      });
    }
    return found;
  }
  bool callsProgram = false; ///< it can call what the program defines

private:
  void addSlots(ObjectId id, bool changed) {
    e.heap.forEachSlot(id, [&](uint32_t, const Value &v) { open.push_back({v, changed}); });
  }
  void visit(ObjectId id, bool changed) {
    bool &wasChanged = visited.try_emplace(id, false).first->second;
    if (!seen.insert(id).second && (!changed || wasChanged))
      return;
    wasChanged |= changed;
    switch (e.heap.kind(id)) {
    case ObjectKind::Instance:
      if (ObjectId cls = e.heap.header(id).cls; calls && isProgramClass(e, cls))
        addMethods(cls);
      [[fallthrough]];
    case ObjectKind::List:
    case ObjectKind::Dict:
    case ObjectKind::Set:
    case ObjectKind::ByteArray:
    case ObjectKind::Storage:
      if (changed)
        objects.insert(id);
      return addSlots(id, changed);
    case ObjectKind::Iterator: // who looks at one advances it
    case ObjectKind::Generator:
    case ObjectKind::Frame:
      objects.insert(id);
      return addSlots(id, changed);
    case ObjectKind::Class:
      if (changed)
        objects.insert(id);
      callsProgram |= calls && isProgramClass(e, id);
      return addMethods(id);
    case ObjectKind::Module: // all of its variables can be set
      if (changed)
        objects.insert(id);
      return;
    case ObjectKind::Function:
      return addFunction(id);
    case ObjectKind::Cell:
      return addSlots(id, changed);
    case ObjectKind::Engine:
      return;
    }
    llvm_unreachable("closed enum");
  }
  void addMethods(ObjectId cls) {
    if (calls && isProgramClass(e, cls) && seen.insert(cls).second)
      addSlots(cls, /*changed=*/true);
  }
  /// A function of lib/Prelude changes what it holds or is given.
  void addFunction(ObjectId id) {
    const FunctionRecord &f = functionOf(e, id);
    if (!calls)
      return;
    addSlots(id, /*changed=*/true);
    if (f.hidden)
      return;
    callsProgram = true;
    addCode(*f.code, f.globals, id);
  }
  /// The variables that the code names, whatever it does with them.
  void addCode(const CodeObject &code, ObjectId globals, ObjectId function) {
    const CodeRecord *record = recordOf(e, &code);
    bool setsAttributes = false;
    llvm::ArrayRef<Instr> instrs;
    if (record)
      instrs = record->canonical.instrs;
    for (const Instr &instr : instrs) {
      setsAttributes |= instr.op == Opcode::STORE_ATTR || instr.op == Opcode::DELETE_ATTR;
      setsGlobals |= instr.op == Opcode::STORE_GLOBAL || instr.op == Opcode::DELETE_GLOBAL;
      if (instr.op == Opcode::STORE_DEREF || instr.op == Opcode::DELETE_DEREF)
        forEachRef(e.heap.get(function, slot::kClosure),
                   [&](ObjectId cell) { objects.insert(cell); });
    }
    for (llvm::StringRef name : code.names) {
      const Value &v = e.heap.get(globals, attrKey(e.intern(name)));
      bool isPart = isClass(e, v) || isRefTo(e, v, ObjectKind::Module);
      if (!v.isAbsent())
        open.push_back({v, setsAttributes || !isPart});
    }
    for (const Constant *constant : code.consts)
      if (constant->kind == ConstKind::Code)
        addCode(static_cast<const CodeObject &>(*constant), globals, function);
  }

  Engine &e;
  const bool changes, calls;
  bool setsGlobals = false;
  llvm::SmallVector<std::pair<Value, bool>, 8> open; ///< what is reached; can it be changed?
  llvm::DenseSet<ObjectId> objects;                  ///< that can be changed
  llvm::DenseMap<ObjectId, bool> visited;            ///< was it followed as what can be changed?
  llvm::DenseSet<ObjectId> seen;
};
} // namespace

/// Does the instruction behind the call give its result the name of the function or class that it
/// was given? A decorator makes something of it, and calls it later if at all.
static bool isDecorator(Engine &e, const CallArgs &args) {
  if (args.positional.size() != 1 || !args.keywords.empty() || !args.positional[0].is(Kind::Ref))
    return false;
  const Value &given = args.positional[0];
  if (!isClass(e, given) && !isPythonFunction(e, given))
    return false;
  ObjectId frame = e.currentFrame();
  const CanonicalCode &code = e.code(frame);
  Value name = e.heap.get(given.asRef(), attrKey(WellKnown::Name));
  std::string text = name.is(Kind::Str)  ? name.asStr().str()
                     : isClass(e, given) ? className(e, given.asRef())
                                         : "";
  for (uint32_t ip = e.heap.get(frame, slot::kIp).asIp(); ip < code.size(); ++ip) {
    const Instr &instr = code.instrs[ip];
    if (instr.op == Opcode::CALL || instr.op == Opcode::CALL_METHOD)
      continue;
    if (instr.op == Opcode::STORE_NAME || instr.op == Opcode::STORE_GLOBAL)
      return code.code->names[instr.arg] == text;
    bool local = instr.op == Opcode::STORE_FAST || instr.op == Opcode::STORE_DEREF;
    return local && code.locals[instr.arg].name == text;
  }
  return false;
}

/// What modules of one root were given before, and may call now.
static std::vector<Value> &givenTo(Engine &e, llvm::StringRef path) {
  return e.world->given[rootOf(path).str()];
}

/// `at`: where the reason is; unknown: in the call.
static FailAny refuseCall(Engine &e, const OpaqueNode &node, llvm::StringRef why,
                          const SourceLoc &at = {}) {
  bool known = isKnownRoot(e, node.path);
  Diagnostic diag = makeDiagnostic(known ? DiagId::UnsupportedTorchFunction : DiagId::OpaqueCalled,
                                   e.here(), node.path);
  diag.note("imported here", e.locationOfSource(node.importedAt));
  diag.note(why.str(), at);
  if (known) {
    diag.hint("do without the call, or give it copies that nothing else refers to");
    return e.refuse(std::move(diag));
  }
  diag.hint("give the folder that holds the module with -I, or do without the call");
  return e.refuse(std::move(diag));
}

/// Calls that are never left out.
static bool isRefused(Engine &e, llvm::StringRef path, OpaqueEffect effect) {
  bool needsRow = isTorchPath(path) || isModelled(path);
  return (needsRow && effect == OpaqueEffect::Unknown) ||
         (effect == OpaqueEffect::AtImport && e.recording());
}

/// Only text is given, and by position.
static bool isOfText(const CallArgs &args) {
  return args.keywords.empty() &&
         llvm::all_of(args.positional, [](const Value &v) { return v.is(Kind::Str); });
}

Flow capture::checkUncaught(Engine &e, const Value &callee, const CallArgs *args) {
  const auto &node = callee.nodeAs<OpaqueNode>(Kind::Opaque);
  const CallRow *row = args ? rowOfCall(node.path, isDecorator(e, *args)) : rowOf(node.path);
  bool isSure = row && (row->raises == Raises::Never ||
                        (row->raises == Raises::UnlessText && args && isOfText(*args)));
  if (isSure)
    return Flow::Next;
  std::optional<SourceLoc> catcher = catcherOf(e, /*cls=*/0);
  if (!catcher)
    return Flow::Next;
  if (node.poison)
    return e.refuseOpaque(callee);
  return refuseCall(e, node, "it may raise an exception, which the program catches here", *catcher);
}

Flow Engine::checkOpaqueCall(const Value &callee, const CallArgs &args) {
  const auto &node = callee.nodeAs<OpaqueNode>(Kind::Opaque);
  if (node.poison && !node.refusal)
    return Flow::Next;
  const bool decorates = isDecorator(*this, args);
  const CallRow *row = rowOfCall(node.path, decorates);
  OpaqueEffect effect = row ? row->effect : OpaqueEffect::Unknown;
  if (isRefused(*this, node.path, effect) || (node.poison && !world->importing))
    return refuseOpaque(callee);
  PTC_DO(checkUncaught(*this, callee, &args));
  std::vector<Value> &known = givenTo(*this, node.path);
  // What decorators are in modules of CPython and torch is known: those of the table.
  bool onlyKeeps = row ? effect != OpaqueEffect::Reads : !isKnownRoot(*this, node.path);
  if (!recording() && !plainPython && decorates && onlyKeeps) {
    known.push_back(args.positional[0]);
    return Flow::Next;
  }
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
  for (const Value &v : known)
    reach.add(v);
  if (reach.callsProgram && (recording() || plainPython))
    return refuseCall(*this, node, "it may call a function or class that it is given");
  if (reach.isShared())
    return refuseCall(
        *this, node,
        "something that the program goes on with can be reached from what it is given");
  if (!recording() && reach.callsProgram) {
    llvm::append_range(known, args.positional);
    for (const KeywordArg &keyword : args.keywords)
      known.push_back(keyword.value);
  }
  return Flow::Next;
}
