//===- CodeEffects.cpp - What code of the program may do when it is run -----------------------===//
//
// In: a code object and its globals. Out: what it may change, and the globals that it names. Calls
// change what they reach unless the callee is known to compute only; what is called of the program
// is read by itself.
//
//===----------------------------------------------------------------------===//
#include "CodeEffects.h"
#include "Aside.h"
#include "Escape.h"
#include "Objects.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

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

/// Functions of the builtins by which code reaches what it does not name.
static bool isReflective(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {"__import__", "compile", "eval", "exec", "vars"};
  return llvm::is_contained(kNames, name);
}

/// Names of the builtins that make something new of their arguments, besides pure functions.
static bool isMaker(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {
      "bool", "bytes", "complex", "dict",  "enumerate", "filter", "float",   "frozenset",
      "int",  "iter",  "list",    "map",   "next",      "object", "print",   "range",
      "set",  "slice", "str",     "super", "tuple",     "zip",    "reversed"};
  return llvm::is_contained(kNames, name);
}

/// Functions that look at a class or module that they are given, and do not give it out.
static bool isQuestion(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {"callable", "hasattr", "isinstance",
                                                   "issubclass", "len"};
  return llvm::is_contained(kNames, name);
}

namespace {
class CodeReader {
public:
  CodeReader(Engine &e, const CodeRecord &record, ObjectId globals)
      : e(e), record(record), code(record.canonical), globals(globals), targets(code.size() + 1),
        callees(code.size()), questions(code.size()) {
    for (const Instr &instr : code.instrs)
      if (instr.target != kNoIndex)
        targets.set(instr.target);
  }
  CodeEffects read() {
    effects.names = record.names;
    for (uint32_t at = 0; at < code.size(); ++at)
      readEffect(at);
    for (uint32_t at = 0; at < code.size(); ++at)
      readUse(at);
    effects.storesOfClass =
        effects.storesAttributes && llvm::any_of(record.names, [&](NameId name) {
          return e.nameText(name) == "__class__" || e.nameText(name) == "type";
        });
    return std::move(effects);
  }

private:
  llvm::StringRef nameOf(uint32_t at) const {
    return e.nameText(record.names[code.instrs[at].arg]);
  }
  /// The instruction that pushed what lies at `depth` before instruction `at`, if it is the same
  /// one on every way there.
  std::optional<uint32_t> pusher(uint32_t at, uint32_t depth) const {
    bool isJoined = targets.test(at);
    while (at-- > 0) {
      if (code.depths[at] - getStackEffect(code.instrs[at]).pops <= depth)
        return isJoined ? std::nullopt : std::optional(at);
      isJoined |= targets.test(at);
    }
    return std::nullopt;
  }
  bool isGlobal(uint32_t at) const {
    return code.instrs[at].op == Opcode::LOAD_GLOBAL || code.instrs[at].op == Opcode::LOAD_NAME;
  }
  bool isOfBuiltins(uint32_t at) const {
    return isGlobal(at) && unknownNames(e, globals).isAbsent() &&
           e.heap.get(globals, attrKey(record.names[code.instrs[at].arg])).isAbsent();
  }
  /// What a global, or a part of a module, is now. Absent: not known.
  Value valueOf(uint32_t at) const {
    const Instr &instr = code.instrs[at];
    if (isGlobal(at)) {
      uint32_t key = attrKey(record.names[instr.arg]);
      const Value &v = e.heap.get(globals, key);
      if (!v.isAbsent())
        return v;
      const Value &unknown = unknownNames(e, globals);
      return unknown.isAbsent() ? e.heap.get(e.world->builtins, key) : unknown;
    }
    if ((instr.op != Opcode::LOAD_ATTR && instr.op != Opcode::LOAD_METHOD) || at == 0 ||
        targets.test(at))
      return Value();
    Value base = valueOf(at - 1);
    return isRefTo(e, base, ObjectKind::Module)
               ? e.heap.get(base.asRef(), attrKey(record.names[instr.arg]))
               : Value();
  }
  /// Does a call of it change nothing but what code of the program does that is read by itself?
  bool onlyComputes(uint32_t at) const {
    if (isOfBuiltins(at) && (isPureFunction(nameOf(at)) || isMaker(nameOf(at))))
      return true;
    Value v = valueOf(at);
    if (v.is(Kind::TorchOp))
      return !nameOf(at).ends_with("_");
    if (isRefTo(e, v, ObjectKind::Function))
      return !functionOf(e, v.asRef()).hidden;
    return isPureCall(e, v) ||
           (isClass(e, v) && (isProgramClass(e, v.asRef()) ||
                              e.isSubclass(v.asRef(), e.builtinClass(WellKnown::BaseException))));
  }
  void readCall(uint32_t at) {
    uint32_t depth = code.depths[at] - getStackEffect(code.instrs[at]).pops;
    std::optional<uint32_t> callee = pusher(at, depth);
    bool isKnown = callee && code.instrs[at].op != Opcode::CALL_EX && onlyComputes(*callee);
    effects.changes |= !isKnown;
    if (!callee)
      return;
    callees.set(*callee);
    if (isOfBuiltins(*callee) && isQuestion(nameOf(*callee)))
      questions.set(*callee, at);
    if (isOfBuiltins(*callee) && (nameOf(*callee) == "setattr" || nameOf(*callee) == "delattr"))
      effects.storesAttributes = true;
  }
  void readStore(uint32_t at) {
    std::optional<uint32_t> object = pusher(at, code.depths[at] - 1);
    bool isFirst = object && code.instrs[*object].op == Opcode::LOAD_FAST &&
                   code.instrs[*object].arg == 0 && record.positional > 0 &&
                   llvm::none_of(code.instrs, [](const Instr &instr) {
                     return instr.op == Opcode::STORE_FAST && instr.arg == 0;
                   });
    effects.storesOfFirst |= isFirst;
    effects.storesAttributes |= !isFirst;
    // What a constructor makes is new.
    effects.changes |= !isFirst || code.code->name != "__init__";
  }
  void readEffect(uint32_t at) {
    const Instr &instr = code.instrs[at];
    switch (instr.op) {
    case Opcode::CALL:
    case Opcode::CALL_METHOD:
    case Opcode::CALL_EX:
      return readCall(at);
    case Opcode::STORE_ATTR:
    case Opcode::DELETE_ATTR:
      return readStore(at);
    case Opcode::STORE_SUBSCR:
    case Opcode::DELETE_SUBSCR:
    case Opcode::BEFORE_WITH:
    case Opcode::BEFORE_ASYNC_WITH:
      effects.changes = true;
      return;
    case Opcode::BINARY_OP:
      effects.changes |= instr.isInPlace();
      return;
    case Opcode::STORE_GLOBAL:
      effects.sets.push_back(record.names[instr.arg]);
      return;
    case Opcode::DELETE_GLOBAL:
      effects.deletes.push_back(record.names[instr.arg]);
      return;
    case Opcode::IMPORT_STAR:
      effects.setsAllGlobals = true;
      return;
    case Opcode::STORE_DEREF:
    case Opcode::DELETE_DEREF:
      effects.setsCells = true;
      return;
    case Opcode::IMPORT_NAME:
      effects.imports.push_back(record.names[instr.arg]);
      return;
    default:
      return;
    }
  }
  void readUse(uint32_t at) {
    if (!isGlobal(at))
      return;
    if (isOfBuiltins(at)) {
      effects.setsAnything |= isReflective(nameOf(at));
      effects.setsAllGlobals |= nameOf(at) == "globals" || nameOf(at) == "locals";
      return;
    }
    bool isPart = questions.test(at) ||
                  (at + 1 < code.size() && (code.instrs[at + 1].op == Opcode::LOAD_ATTR ||
                                            code.instrs[at + 1].op == Opcode::LOAD_METHOD));
    GlobalUse::How how = isPart             ? GlobalUse::How::Part
                         : callees.test(at) ? GlobalUse::How::Called
                                            : GlobalUse::How::Whole;
    effects.uses.push_back({valueOf(at), how});
  }

  Engine &e;
  const CodeRecord &record;
  const CanonicalCode &code;
  const ObjectId globals;
  CodeEffects effects;
  llvm::BitVector targets;   ///< of jumps
  llvm::BitVector callees;   ///< what they push is called
  llvm::BitVector questions; ///< between a question and its call
};
} // namespace

CodeEffects capture::effectsOf(Engine &e, const CodeObject &code, ObjectId globals) {
  if (const CodeRecord *record = recordOf(e, &code))
    return CodeReader(e, *record, globals).read();
  CodeEffects unknown; // the file is damaged
  unknown.changes = unknown.setsAnything = true;
  return unknown;
}
