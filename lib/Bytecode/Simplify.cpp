// Brings the canonical instructions of all versions to one shape: jumps to jumps threaded, copies
// folded, comprehensions put in place, LOAD_FAST told from LOAD_FAST_CHECK, unreachable code
// removed; stack depths are checked. In: instructions in order of the code, any of them perhaps
// dead. Out: only reachable ones.
#include "Translate.h"

#include <utility>

using namespace ptc;

namespace {

class Simplifier {
public:
  explicit Simplifier(CanonicalCode &code) : code(code), instrs(code.instrs) {}

  bool run(std::string &why) {
    threadJumps();
    prune();
    bool ok = computeDepths();
    if (ok && !inlineComprehensions(code)) {
      separateComprehensions(code);
      dropIdleHandlers(code);
    }
    code.maxDepth = 0;
    ok = ok && foldCopies();
    if (ok) {
      // Copies of a load are told apart only if none of them was the same.
      const bool isOther = markBoundLocals();
      ok = (!isOther || foldCopies()) && computeDepths();
      orderLocals(code);
    }
    why = problem;
    return ok;
  }

private:
  void threadJumps();
  uint32_t resolve(uint32_t index) const;
  bool foldCopies();
  bool markBoundLocals();
  void flowBound(uint32_t leader, std::vector<uint64_t> &states, std::vector<uint8_t> &flags,
                 std::vector<uint32_t> &work, bool rewrite);
  void prune();
  bool computeDepths();
  bool checkHandlerDepth(uint32_t index);

  CanonicalCode &code;
  std::vector<Instr> &instrs;
  std::string problem;
};

/// Where control really arrives that goes to `index`; a cycle of jumps stays where it is.
uint32_t Simplifier::resolve(uint32_t index) const {
  for (unsigned hops = 0; hops < 8 && index < instrs.size(); ++hops) {
    if (instrs[index].op != Opcode::JUMP || instrs[index].target == index)
      break;
    index = instrs[index].target;
  }
  return index;
}

void Simplifier::threadJumps() {
  // Later targets first would be enough for chains forwards; 8 hops at a time, twice, covers what
  // compilers emit, and what is left is correct.
  for (Instr &instr : instrs)
    if (instr.target != kNoIndex)
      instr.target = resolve(instr.target);
}

bool Simplifier::foldCopies() {
  prune();
  if (!computeDepths())
    return false;
  ptc::foldCopies(code);
  return true;
}

//===-- Bound locals ------------------------------------------------------------------------===//

enum : uint8_t { kLeader = 1, kReached = 2, kQueued = 4 };

/// One block of the analysis: a bit per local that is bound on every path.
void Simplifier::flowBound(uint32_t leader, std::vector<uint64_t> &states,
                           std::vector<uint8_t> &flags, std::vector<uint32_t> &work, bool rewrite) {
  size_t words = (code.locals.size() + 63) / 64;
  std::vector<uint64_t> bound(states.begin() + ptrdiff_t(leader * words),
                              states.begin() + ptrdiff_t((leader + 1) * words));
  auto flowTo = [&](uint32_t target) {
    uint64_t *into = &states[target * words];
    bool changed = !(flags[target] & kReached);
    for (size_t w = 0; w < words; ++w) {
      uint64_t joined = flags[target] & kReached ? into[w] & bound[w] : bound[w];
      changed |= joined != into[w];
      into[w] = joined;
    }
    flags[target] |= kReached;
    if (changed && !(flags[target] & kQueued) && !rewrite) {
      flags[target] |= kQueued;
      work.push_back(target);
    }
  };
  for (uint32_t i = leader;; ++i) {
    Instr &instr = instrs[i];
    if (code.handlers[i].exists())
      flowTo(code.handlers[i].target);
    uint64_t bit = 1ULL << (instr.arg % 64);
    if (instr.op == Opcode::LOAD_FAST_CHECK) {
      if (rewrite && bound[instr.arg / 64] & bit) {
        instr.op = Opcode::LOAD_FAST;
        instr.arg2 = 0;
        code.handlers[i] = {};
      }
      bound[instr.arg / 64] |= bit;
    } else if (instr.op == Opcode::STORE_FAST && !instr.arg2) {
      bound[instr.arg / 64] |= bit;
    } else if (instr.op == Opcode::STORE_FAST || instr.op == Opcode::DELETE_FAST ||
               instr.op == Opcode::LOAD_FAST_AND_CLEAR) {
      bound[instr.arg / 64] &= ~bit;
    }
    OpFlow flow = instr.info().flow;
    if (instr.target != kNoIndex)
      flowTo(instr.target);
    if (flow != OpFlow::Next && flow != OpFlow::Branch)
      return;
    if (flags[i + 1] & kLeader)
      return flowTo(i + 1);
  }
}

/// Whether an instruction may be another one now.
bool Simplifier::markBoundLocals() {
  size_t words = (code.locals.size() + 63) / 64;
  bool any = llvm::any_of(instrs, [](const Instr &i) { return i.op == Opcode::LOAD_FAST_CHECK; });
  if (any) {
    std::vector<uint64_t> states(words * instrs.size());
    std::vector<uint8_t> flags(instrs.size());
    for (uint32_t i = 0; i < instrs.size(); ++i) {
      if (instrs[i].target != kNoIndex)
        flags[instrs[i].target] |= kLeader;
      if (code.handlers[i].exists())
        flags[code.handlers[i].target] |= kLeader;
    }
    flags[0] = kLeader | kReached | kQueued;
    for (uint32_t slot = 0; slot < code.code->parameterCount(); ++slot)
      states[slot / 64] |= 1ULL << (slot % 64);
    std::vector<uint32_t> work = {0};
    while (!work.empty()) {
      uint32_t leader = work.back();
      work.pop_back();
      flags[leader] &= ~kQueued;
      flowBound(leader, states, flags, work, false);
    }
    for (uint32_t i = 0; i < instrs.size(); ++i)
      if ((flags[i] & (kLeader | kReached)) == (kLeader | kReached))
        flowBound(i, states, flags, work, true);
  }
  for (Instr &instr : instrs)
    if (instr.op == Opcode::STORE_FAST)
      any |= std::exchange(instr.arg2, 0) != 0;
  return any;
}

//===-- Dead code and depths ----------------------------------------------------------------===//

void Simplifier::prune() {
  std::vector<bool> reached(instrs.size() + 2);
  std::vector<uint32_t> work = {0};
  reached[0] = true;
  llvm::SmallVector<uint32_t, 4> next;
  while (!work.empty()) {
    uint32_t i = work.back();
    work.pop_back();
    next.clear();
    appendSuccessors(code, i, next);
    for (uint32_t s : next)
      if (!reached[s]) {
        reached[s] = true;
        if (s < instrs.size())
          work.push_back(s);
      }
  }
  // A jump to what will stand behind it goes, too.
  std::vector<uint32_t> renamed(instrs.size());
  uint32_t following = kNoIndex;
  for (uint32_t i = instrs.size(); i-- > 0;) {
    if (!reached[i])
      continue;
    if (instrs[i].op == Opcode::JUMP && instrs[i].target == following)
      reached[i] = false; // whoever went here falls through to `following`
    else
      following = i;
    renamed[i] = following;
  }
  uint32_t count = 0;
  std::vector<uint32_t> indexOf(instrs.size());
  for (uint32_t i = 0; i < instrs.size(); ++i)
    indexOf[i] = reached[i] ? count++ : kNoIndex;
  auto rename = [&](uint32_t &index) {
    if (index != kNoIndex)
      index = indexOf[renamed[index]];
  };
  count = 0;
  for (uint32_t i = 0; i < instrs.size(); ++i) {
    if (!reached[i])
      continue;
    rename(instrs[i].target);
    rename(code.handlers[i].target);
    instrs[count] = instrs[i];
    code.handlers[count++] = code.handlers[i];
  }
  instrs.resize(count);
  code.handlers.resize(count);
}

/// An executor cuts its stack to the handler's depth when the instruction has taken its operands.
bool Simplifier::checkHandlerDepth(uint32_t index) {
  const Handler &handler = code.handlers[index];
  if (!handler.exists())
    return true;
  uint32_t taken = getStackEffect(instrs[index]).pops - getKeptOperands(instrs[index].op);
  return handler.depth + taken <= code.depths[index];
}

bool Simplifier::computeDepths() {
  code.depths.assign(instrs.size(), kNoIndex);
  std::vector<uint32_t> work = {0};
  code.depths[0] = 0;
  auto fail = [&](uint32_t index, const char *why) {
    problem = (llvm::Twine(why) + " (" + instrs[index].info().name + " at offset " +
               llvm::Twine(instrs[index].offset) + ")")
                  .str();
    return false;
  };
  while (!work.empty()) {
    uint32_t i = work.back();
    work.pop_back();
    uint32_t depth = code.depths[i];
    StackEffect effect = getStackEffect(instrs[i]);
    if (effect.pops > depth || !checkHandlerDepth(i))
      return fail(i, "stack underflow");
    bool ok = true;
    auto flowTo = [&](uint32_t target, uint32_t after) {
      code.maxDepth = std::max(code.maxDepth, after);
      if (code.depths[target] == kNoIndex) {
        code.depths[target] = after;
        work.push_back(target);
      }
      ok &= code.depths[target] == after;
    };
    OpFlow flow = instrs[i].info().flow;
    if (flow == OpFlow::Next || flow == OpFlow::Branch)
      flowTo(i + 1, depth - effect.pops + effect.pushes);
    if (instrs[i].target != kNoIndex)
      flowTo(instrs[i].target, depth - effect.pops + effect.jumpPushes);
    if (code.handlers[i].exists())
      flowTo(code.handlers[i].target, code.handlers[i].depth + 1);
    if (!ok)
      return fail(i, "paths meet with stacks that differ");
  }
  return true;
}

} // namespace

uint32_t ptc::getKeptOperands(Opcode op) {
  if (op == Opcode::WITH_EXCEPT_START)
    return 3;
  if (op == Opcode::MATCH_KEYS)
    return 2;
  bool one = op == Opcode::GET_LEN || op == Opcode::MATCH_MAPPING || op == Opcode::MATCH_SEQUENCE ||
             op == Opcode::CHECK_EXC_MATCH || op == Opcode::IMPORT_FROM || op == Opcode::FOR_ITER ||
             op == Opcode::YIELD_VALUE || op == Opcode::SEND || op == Opcode::GET_ANEXT ||
             op == Opcode::END_ASYNC_FOR;
  return one ? 1 : 0;
}

void ptc::appendSuccessors(const CanonicalCode &code, uint32_t index,
                           llvm::SmallVectorImpl<uint32_t> &out) {
  const Instr &instr = code.instrs[index];
  const OpcodeInfo &info = instr.info();
  auto add = [&](uint32_t node) {
    if (!llvm::is_contained(out, node))
      out.push_back(node);
  };
  if (info.flow == OpFlow::Return)
    add(code.exitNode());
  if (info.flow == OpFlow::Next || info.flow == OpFlow::Branch)
    add(index + 1);
  if (instr.target != kNoIndex)
    add(instr.target);
  if (info.mayRaise)
    add(code.handlers[index].exists() ? code.handlers[index].target : code.unwindNode());
}

bool ptc::simplify(CanonicalCode &code, std::string &why) { return Simplifier(code).run(why); }
