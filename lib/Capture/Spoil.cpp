//===- Spoil.cpp - Branches of modules on what is not known -----------------------------------===//
//
// In: a branch in the code of a module that was refused. Out: every name that a side of it stores
// stands for the refusal, and the module goes on where the sides join; or nothing, where a side may
// do more than store names.
//
//===----------------------------------------------------------------------===//
#include "CodeEffects.h"
#include "Executor.h"
#include "Failures.h"
#include "Objects.h"

#include "ptc/Capture/Prelude.h"

#include "llvm/ADT/SmallSet.h"

using namespace ptc::capture;
using ptc::CanonicalCode;
using ptc::CodeObject;
using ptc::Constant;
using ptc::ConstKind;
using ptc::Instr;
using ptc::Opcode;

namespace {
/// The instructions between a branch and the place where its sides join.
class Sides {
public:
  Sides(Engine &e, ObjectId frame, uint32_t branch)
      : e(e), frame(frame), code(e.code(frame)), branch(branch) {}

  /// False: the sides do not join, or may do more than store names of the module.
  bool find() {
    join = findJoin();
    if (join >= code.size() || code.depths[join] + 1 != code.depths[branch])
      return false;
    llvm::BitVector inside = reach(join, std::nullopt);
    for (unsigned i : inside.set_bits())
      if (i != join && i != branch && !isHarmless(i))
        return false;
    return llvm::all_of(stored, [&](uint32_t name) { return isBoundBehind(name); }) &&
           llvm::none_of(tested, [&](uint32_t name) { return stored.contains(name); });
  }
  uint32_t join = 0;
  llvm::SmallSet<uint32_t, 8> stored; ///< indices of names
  /// What the names may be behind the sides, or be made of.
  std::vector<Value> candidates() const;

private:
  llvm::SmallSet<uint32_t, 8> tested;
  /// What is reached from the branch on, as far as `end` and stores of `name`.
  llvm::BitVector reach(uint32_t end, std::optional<uint32_t> name) const {
    llvm::BitVector seen(code.unwindNode() + 1);
    llvm::SmallVector<uint32_t, 16> open{branch};
    while (!open.empty()) {
      uint32_t node = open.pop_back_val();
      if (seen.test(node) || node == code.unwindNode())
        continue;
      seen.set(node);
      bool stores = name && node < code.size() && code.instrs[node].arg == *name &&
                    code.instrs[node].op == Opcode::STORE_NAME;
      if (node != end && !stores)
        llvm::append_range(open, code.flow.successors(node));
    }
    return seen;
  }
  /// The instructions behind the branch that are reached without `end`, in the order of the flow.
  llvm::SmallVector<uint32_t> sidesTo(uint32_t end) const {
    llvm::SmallVector<uint32_t> nodes;
    llvm::BitVector all = reach(end, std::nullopt);
    for (unsigned i : all.set_bits())
      if (i != branch && i != end)
        nodes.push_back(i);
    llvm::sort(nodes,
               [&](uint32_t a, uint32_t b) { return code.flow.order(a) < code.flow.order(b); });
    return nodes;
  }
  /// The first instruction that every way from the branch to the module's end goes through.
  uint32_t findJoin() const {
    uint32_t end = code.exitNode();
    for (bool closer = true; closer;) {
      closer = false;
      for (uint32_t node : sidesTo(end)) {
        if (reach(node, std::nullopt).test(end))
          continue;
        end = node; // the head of a loop around the branch stands in front of what lies between
        closer = true;
        break;
      }
    }
    return end;
  }
  bool isHarmless(uint32_t at) {
    const Instr &instr = code.instrs[at];
    switch (instr.op) {
    case Opcode::STORE_NAME:
      stored.insert(instr.arg);
      return true;
    case Opcode::IMPORT_NAME:
      return isImportHarmless(code.names[instr.arg]);
    case Opcode::LOAD_ATTR:
    case Opcode::IMPORT_FROM:
      return isOfModule(at);
    case Opcode::TO_BOOL:
      return isPlainTest(at);
    case Opcode::POP_TOP:
    case Opcode::COPY:
    case Opcode::SWAP:
    case Opcode::LOAD_CONST:
    case Opcode::LOAD_BUILTIN:
    case Opcode::LOAD_NAME:
    case Opcode::LOAD_GLOBAL:
    case Opcode::IS_OP:
    case Opcode::UNARY_NOT:
    case Opcode::BUILD_TUPLE:
    case Opcode::BUILD_LIST:
    case Opcode::MAKE_FUNCTION:
    case Opcode::SET_FUNCTION_ATTRIBUTE:
    case Opcode::JUMP:
    case Opcode::POP_JUMP_IF_TRUE:
    case Opcode::POP_JUMP_IF_FALSE:
    case Opcode::POP_JUMP_IF_NONE:
    case Opcode::POP_JUMP_IF_NOT_NONE:
    case Opcode::PUSH_EXC_INFO:
    case Opcode::CHECK_EXC_MATCH:
    case Opcode::POP_EXCEPT:
    case Opcode::RERAISE:
      return true;
    default:
      return false;
    }
  }
  /// Code of the program's modules may do anything; that of others is run, or stands aside, whoever
  /// imports them.
  bool isImportHarmless(llvm::StringRef name) const {
    for (;; name = name.rsplit('.').first) {
      if (name.empty() ||
          (e.world->resolve && e.world->resolve(name).kind != ModuleFile::Kind::Absent))
        return false;
      if (!name.contains('.'))
        return true;
    }
  }
  /// An attribute of a module, or of something without a model, calls nothing of the program.
  bool isOfModule(uint32_t at) const {
    while (at > 0 &&
           (code.instrs[at].op == Opcode::LOAD_ATTR || code.instrs[at].op == Opcode::IMPORT_FROM ||
            code.instrs[at].op == Opcode::STORE_NAME))
      --at;
    if (code.instrs[at].op == Opcode::IMPORT_NAME)
      return true;
    if (code.instrs[at].op != Opcode::LOAD_NAME)
      return false;
    const Value &v = e.heap.get(e.frameInfo(frame).globals,
                                attrKey(e.frameInfo(frame).record->names[code.instrs[at].arg]));
    return v.is(Kind::Opaque) || isRefTo(e, v, ObjectKind::Module);
  }
  /// Does it ask no method of the program's?
  bool isPlainTest(uint32_t at) {
    if (code.instrs[at - 1].op != Opcode::LOAD_NAME)
      return false;
    tested.insert(code.instrs[at - 1].arg);
    const Value &v = e.heap.get(e.frameInfo(frame).globals,
                                attrKey(e.frameInfo(frame).record->names[code.instrs[at - 1].arg]));
    return !v.isAbsent() && (!v.is(Kind::Ref) || e.heap.kind(v.asRef()) != ObjectKind::Instance);
  }
  /// A name that may not be there behind the branch stands for nothing.
  bool isBoundBehind(uint32_t name) const {
    uint32_t key = attrKey(e.frameInfo(frame).record->names[name]);
    return !e.heap.get(e.frameInfo(frame).globals, key).isAbsent() || !reach(join, name).test(join);
  }

  Engine &e;
  const ObjectId frame;
  const CanonicalCode &code;
  const uint32_t branch;
};
} // namespace

std::vector<Value> Sides::candidates() const {
  const FrameInfo &info = e.frameInfo(frame);
  std::vector<Value> all;
  for (uint32_t name : stored)
    all.push_back(e.heap.get(info.globals, attrKey(info.record->names[name])));
  ObjectId imported = 0;
  for (uint32_t at : sidesTo(join)) {
    const Instr &instr = code.instrs[at];
    switch (instr.op) {
    case Opcode::LOAD_NAME:
    case Opcode::LOAD_GLOBAL:
      all.push_back(e.heap.get(info.globals, attrKey(info.record->names[instr.arg])));
      continue;
    case Opcode::LOAD_ATTR:
      if (isRefTo(e, all.empty() ? Value() : all.back(), ObjectKind::Module))
        all.back() = e.heap.get(all.back().asRef(), attrKey(info.record->names[instr.arg]));
      continue;
    case Opcode::IMPORT_NAME:
      imported = findModule(e, code.names[instr.arg]);
      if (imported)
        all.push_back(Value::ref(imported));
      continue;
    case Opcode::IMPORT_FROM:
      if (imported)
        all.push_back(e.heap.get(imported, attrKey(info.record->names[instr.arg])));
      continue;
    case Opcode::LOAD_CONST:
      if (const Constant &constant = *code.consts[instr.arg]; constant.kind == ConstKind::Code)
        all.push_back(Value::tuple(
            {Value::code(static_cast<const CodeObject *>(&constant)), Value::ref(info.globals)}));
      continue;
    default:
      continue;
    }
  }
  return all;
}

static bool isBranch(const Instr &instr) {
  switch (instr.op) {
  case Opcode::POP_JUMP_IF_TRUE:
  case Opcode::POP_JUMP_IF_FALSE:
  case Opcode::POP_JUMP_IF_NONE:
  case Opcode::POP_JUMP_IF_NOT_NONE:
    return true;
  default:
    return false;
  }
}

bool Executor::isModuleBranch(ObjectId frame, uint32_t ip) const {
  return isBranch(e.code(frame).instrs[ip]) && !e.frameInfo(frame).hidden &&
         e.code(frame).code->name == "<module>" &&
         isRefTo(e, e.heap.get(frame, slot::kNamespace), ObjectKind::Module);
}

bool Executor::goOnBehindBranch(ObjectId frame, uint32_t ip, uint32_t refusal) {
  Sides sides(e, frame, ip);
  if (++poisoned > kMaxPoisoned || !sides.find())
    return false;
  const FrameInfo &info = e.frameInfo(frame);
  llvm::append_range(refusedCandidates(e, refusal), sides.candidates());
  for (uint32_t name : sides.stored)
    e.heap.set(info.globals, attrKey(info.record->names[name]), Engine::poison(refusal));
  (void)e.pop(frame);
  e.heap.set(frame, slot::kIp, Value::ip(sides.join));
  return true;
}
