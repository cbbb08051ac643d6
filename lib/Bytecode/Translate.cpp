// Raw into canonical instructions: finds the kinds of all stack slots at every leader by abstract
// interpretation, which also verifies the code, then emits in order of the code.
// In: a code object. Out: canonical instructions whose jumps and handlers are indices of them.
// What one raw instruction becomes is in Steps.cpp.
#include "Translator.h"

using namespace ptc;
using raw::Op;

uint32_t Translator::indexAt(uint64_t offset) const {
  return offset / 2 < indexOf.size() && offset % 2 == 0 ? indexOf[offset / 2] : kNoIndex;
}

/// Since 3.12 what is raised at the yield of a `yield from` goes to a CLEANUP_THROW, which makes
/// the value of a StopIteration the result and lets all else through. 3.11 leaves that to throw(),
/// and so does the canonical form: the handler of the yield is the one around it.
void Translator::passDelegateHandlers() {
  for (uint32_t i = 1; i < instrs.size(); ++i) {
    if (instrs[i].op != Op::YIELD_VALUE || instrs[i - 1].op != Op::SEND || entryOf[i] == kNoIndex)
      continue;
    uint32_t handler = entryTarget[entryOf[i]];
    if (instrs[handler].op == Op::CLEANUP_THROW)
      entryOf[i] = entryOf[handler];
  }
}

bool Translator::prepare() {
  if (!raw::parseInstrs(code, instrs, problem) || !raw::parseExceptions(code, entries, problem) ||
      !raw::parseLocations(code, instrs, ranges, problem))
    return false;
  indexOf.assign(code.code.size() / 2, kNoIndex);
  for (uint32_t i = 0; i < instrs.size(); ++i)
    indexOf[instrs[i].start / 2] = i;
  leaderOf.assign(instrs.size(), kNoIndex);
  jumpTo.assign(instrs.size(), kNoIndex);
  entryOf.assign(instrs.size(), kNoIndex);
  uint32_t i = 0;
  for (uint32_t e = 0; e < entries.size(); ++e) {
    uint32_t target = indexAt(entries[e].target);
    if (target == kNoIndex)
      return fail("an exception handler is not at the start of an instruction");
    entryTarget.push_back(target);
    leaderOf[target] = 0;
    while (i < instrs.size() && instrs[i].offset < entries[e].begin)
      ++i;
    for (; i < instrs.size() && instrs[i].offset < entries[e].end; ++i)
      entryOf[i] = e;
  }
  passDelegateHandlers();
  if (!resolveJumps())
    return false;
  leaderOf[0] = 0;
  uint32_t leaders = 0;
  for (uint32_t &leader : leaderOf)
    if (leader != kNoIndex)
      leader = leaders++;
  states.resize(leaders);
  reached.resize(leaders);
  queued.resize(leaders);
  return true;
}

bool Translator::resolveForIter(uint32_t index, uint32_t &target) {
  at = index;
  if (table.forIterEnd == raw::ForIterEnd::Pops)
    return true;
  if (instrs[target].op != Op::END_FOR)
    return fail("FOR_ITER does not jump to END_FOR");
  ++target;
  if (table.forIterEnd == raw::ForIterEnd::Keeps) {
    if (target >= instrs.size() ||
        (instrs[target].op != Op::POP_TOP && instrs[target].op != Op::POP_ITER))
      return fail("END_FOR is not followed by the removal of the iterator");
    ++target;
  }
  return target < instrs.size() || fail("the code ends behind a loop");
}

bool Translator::resolveJumps() {
  for (uint32_t i = 0; i < instrs.size(); ++i) {
    const raw::Instr &instr = instrs[i];
    if (!raw::isJump(instr.op))
      continue;
    uint64_t distance = 2ULL * instr.arg;
    uint64_t offset = raw::isBackward(instr.op) ? instr.next - distance : instr.next + distance;
    uint32_t target = indexAt(offset);
    at = i;
    if (target == kNoIndex)
      return fail("a jump does not lead to the start of an instruction");
    if (instr.op == Op::FOR_ITER && !resolveForIter(i, target))
      return false;
    jumpTo[i] = target;
    leaderOf[target] = 0;
  }
  return true;
}

bool Translator::flowTo(uint32_t target, const StackState &state) {
  if (emitting)
    return true;
  uint32_t leader = leaderOf[target];
  assert(leader != kNoIndex && "flow to something that is not a leader");
  bool changed = false;
  if (!reached[leader]) {
    reached[leader] = changed = true;
    states[leader] = state;
  } else if (!joinStacks(states[leader], state, changed)) {
    return fail("paths meet with stacks that differ");
  }
  if (changed && !queued[leader]) {
    queued[leader] = true;
    work.push_back(target);
  }
  return true;
}

bool Translator::mayRaise(uint32_t index) const {
  const raw::OpInfo &info = raw::getOpInfo(instrs[index].op);
  if (info.rule != raw::Rule::Own)
    return info.rule == raw::Rule::Same && getOpcodeInfo(info.canonical).mayRaise;
  static constexpr Op quiet[] = {Op::COPY,           Op::SWAP,
                                 Op::POP_TOP,        Op::PUSH_NULL,
                                 Op::POP_ITER,       Op::END_FOR,
                                 Op::END_SEND,       Op::LOAD_CONST,
                                 Op::LOAD_SMALL_INT, Op::LOAD_COMMON_CONSTANT,
                                 Op::RETURN_CONST,   Op::LOAD_ASSERTION_ERROR,
                                 Op::KW_NAMES,       Op::STORE_FAST,
                                 Op::IS_OP,          Op::STORE_FAST_STORE_FAST,
                                 Op::BUILD_SLICE,    Op::LOAD_FAST_AND_CLEAR,
                                 Op::MAKE_FUNCTION,  Op::JUMP_BACKWARD,
                                 Op::JUMP_FORWARD,   Op::JUMP_BACKWARD_NO_INTERRUPT};
  return !llvm::is_contained(quiet, instrs[index].op);
}

bool Translator::flowToHandler() {
  if (emitting || entryOf[at] == kNoIndex || !mayRaise(at))
    return true;
  const raw::ExceptionEntry &entry = entries[entryOf[at]];
  if (entry.depth > stack.size())
    return fail("a handler keeps more of the stack than there is");
  StackState state(stack.begin(), stack.begin() + entry.depth);
  if (entry.pushLasti)
    state.push_back(Slot::Null);
  state.push_back(Slot::Value);
  if (state.size() > code.stackSize)
    return fail("the stack is deeper than co_stacksize");
  return flowTo(entryTarget[entryOf[at]], state);
}

bool Translator::walkBlock(uint32_t leader) {
  at = leader;
  stack = states[leaderOf[leader]];
  keywords = kNoIndex;
  while (true) {
    uint32_t consumed = 1;
    fallsThrough = true;
    if (!flowToHandler() || !step(consumed))
      return false;
    if (!fallsThrough)
      return true;
    if (at + consumed >= instrs.size())
      return fail("control reaches the end of the code");
    at += consumed;
    if (leaderOf[at] != kNoIndex)
      return flowTo(at, stack);
  }
}

bool Translator::findStacks() {
  if (!flowTo(0, {}))
    return false;
  // Each slot's kind changes at most twice, so this ends.
  while (!work.empty()) {
    uint32_t leader = work.back();
    work.pop_back();
    queued[leaderOf[leader]] = false;
    if (!walkBlock(leader))
      return false;
  }
  return true;
}

ptc::Instr *Translator::emit(Opcode op, uint32_t arg, uint32_t target) {
  if (!emitting)
    return nullptr;
  ptc::Instr &instr = out.instrs.emplace_back();
  instr.op = op;
  instr.arg = arg;
  instr.target = target;
  instr.offset = instrs[at].offset;
  instr.range = ranges[at];
  rawOf.push_back(at);
  // The handler's depth is that of the canonical stack: the slots that exist there.
  Handler handler;
  if (entryOf[at] != kNoIndex && getOpcodeInfo(op).mayRaise) {
    handler.target = entryTarget[entryOf[at]];
    const StackState &state = states[leaderOf[handler.target]];
    handler.depth = countValues(state, 0, entries[entryOf[at]].depth);
  }
  out.handlers.push_back(handler);
  return &instr;
}

bool Translator::emitAll() {
  emitting = true;
  firstOf.assign(instrs.size(), kNoIndex);
  sendEndOf.assign(instrs.size(), kNoIndex);
  if (table.forIterEnd == raw::ForIterEnd::Pops)
    for (uint32_t i = 0; i < instrs.size(); ++i)
      if (instrs[i].op == Op::SEND)
        sendEndOf[jumpTo[i]] = 0;
  out.instrs.reserve(instrs.size() + instrs.size() / 4);
  bool open = false;
  for (uint32_t i = 0, consumed = 1; i < instrs.size(); i += consumed) {
    consumed = 1;
    at = i;
    if (leaderOf[i] != kNoIndex && reached[leaderOf[i]]) {
      stack = states[leaderOf[i]];
      keywords = kNoIndex;
    } else if (!open) {
      continue;
    }
    if (sendEndOf[i] != kNoIndex) {
      // 3.11's SEND leaves only the result at its target, later versions leave that to END_SEND.
      if (open)
        emit(Opcode::JUMP, 0, i);
      sendEndOf[i] = out.instrs.size();
      emit(Opcode::END_SEND);
    }
    firstOf[i] = out.instrs.size();
    fallsThrough = true;
    if (!step(consumed))
      return false;
    open = fallsThrough;
  }
  return true;
}

bool Translator::resolveTargets() {
  for (uint32_t i = 0; i < out.instrs.size(); ++i) {
    ptc::Instr &instr = out.instrs[i];
    Handler &handler = out.handlers[i];
    if (handler.exists())
      handler.target = firstOf[handler.target];
    if (instr.target == kNoIndex)
      continue;
    bool toSendEnd = instr.op == Opcode::SEND && sendEndOf[instr.target] != kNoIndex;
    instr.target = toSendEnd ? sendEndOf[instr.target] : firstOf[instr.target];
    if (instr.target >= out.instrs.size())
      return fail("a jump leads behind the code");
  }
  return true;
}

bool Translator::run() {
  out.code = &code;
  out.consts.assign(code.consts.begin(), code.consts.end());
  out.names.assign(code.names.begin(), code.names.end());
  out.locals.assign(code.locals.begin(), code.locals.end());
  bool ok = prepare() && findStacks() && emitAll() && resolveTargets();
  if (!ok && !instrs.empty() && at < instrs.size())
    problem += (" (" + raw::getOpInfo(instrs[at].op).name + " at offset " +
                llvm::Twine(instrs[at].offset) + ")")
                   .str();
  return ok;
}

bool ptc::translate(const CodeObject &code, CanonicalCode &out, std::string &why) {
  Translator translator(code, out);
  if (translator.run())
    return true;
  why = translator.reason();
  return false;
}
