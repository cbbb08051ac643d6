// What one raw instruction does to the stack and what it becomes: calls, functions, jumps,
// iteration, generators, `with`.
// In: the stack before it. Out: the stack behind it, and canonical instructions when emitting.
#include "Translator.h"

using namespace ptc;
using raw::Op;

//===-- Calls -------------------------------------------------------------------------------===//

bool Translator::takeKeywords(uint32_t args) {
  if (keywords == kNoIndex)
    return true;
  const auto *names = llvm::dyn_cast<TupleConstant>(out.consts[keywords]);
  bool ok = names && names->items.size() <= args &&
            llvm::all_of(names->items, [](const Constant *c) { return llvm::isa<StrConstant>(c); });
  return ok || fail("keyword names are not a tuple of strings");
}

/// Behind the callable there may be NULL, a method's self, or the first argument (a decorator's
/// function, an iterator of a comprehension, `None` of __exit__).
bool Translator::emitCall(uint32_t args) {
  if (!popValues(args) || !need(2))
    return false;
  Slot upper = stack.pop_back_val(), lower = stack.pop_back_val();
  auto isValue = [](Slot slot) { return slot == Slot::Value || slot == Slot::Bool; };
  Opcode op = Opcode::CALL;
  uint32_t count = args;
  if (upper == Slot::MethodSelf && isValue(lower))
    op = Opcode::CALL_METHOD;
  else if (isValue(upper) && isValue(lower))
    ++count;
  else if (!(table.nullBelow ? lower == Slot::Null && isValue(upper)
                             : upper == Slot::Null && isValue(lower)))
    return fail("there is no callable below the arguments");
  if (!takeKeywords(args))
    return false;
  if (ptc::Instr *instr = emit(op, count))
    instr->keywords = keywords;
  keywords = kNoIndex;
  return push(Slot::Value);
}

bool Translator::stepCall() {
  uint32_t arg = instrs[at].arg;
  switch (instrs[at].op) {
  case Op::KW_NAMES:
    keywords = arg;
    return checkOperand(OperandKind::Const, arg);
  case Op::CALL_KW:
    if (keywords == kNoIndex || !topIsNull())
      return fail("keyword names are not a constant");
    stack.pop_back();
    return emitCall(arg);
  default:
    return emitCall(arg);
  }
}

bool Translator::stepCallEx() {
  bool alwaysHasSlot = code.version >= PythonVersion::Py314;
  bool hasKeywords = alwaysHasSlot ? !topIsNull() : (instrs[at].arg & 1);
  if (alwaysHasSlot && !hasKeywords && !stack.empty())
    stack.pop_back();
  if (!popValues(hasKeywords ? 2 : 1) || !need(2))
    return false;
  Slot upper = stack.pop_back_val(), lower = stack.pop_back_val();
  Slot null = table.nullBelow ? lower : upper, callable = table.nullBelow ? upper : lower;
  if (null != Slot::Null || callable != Slot::Value)
    return fail("there is no callable below the arguments");
  emit(Opcode::CALL_EX, hasKeywords);
  return push(Slot::Value);
}

bool Translator::stepIntrinsic() {
  bool isUnary = instrs[at].op == Op::CALL_INTRINSIC_1;
  const auto &list = isUnary ? table.intrinsics1 : table.intrinsics2;
  uint32_t arg = instrs[at].arg;
  if (arg >= std::size(list) || !list[arg])
    return fail("no such intrinsic");
  Opcode op = *list[arg];
  if (!stepSame(op, 0))
    return false;
  // These two give None, which the canonical forms do not push; the POP_TOP behind them goes, too.
  return (op != Opcode::IMPORT_STAR && op != Opcode::PRINT_EXPR) || push(Slot::Null);
}

bool Translator::stepFunction() {
  uint32_t flags = code.version <= PythonVersion::Py312 ? instrs[at].arg : 0;
  if (flags > 15)
    return fail("no such attribute");
  if (!popValue())
    return false;
  emit(Opcode::MAKE_FUNCTION);
  for (FunctionAttribute attribute : {FunctionAttribute::Closure, FunctionAttribute::Annotations,
                                      FunctionAttribute::KwDefaults, FunctionAttribute::Defaults}) {
    auto bit = static_cast<uint32_t>(attribute);
    if (!(flags & bit))
      continue;
    if (!popValue())
      return false;
    emit(Opcode::SET_FUNCTION_ATTRIBUTE, bit);
  }
  return push(Slot::Value);
}

//===-- Jumps -------------------------------------------------------------------------------===//

bool Translator::stepTruthJump(Opcode op, bool orPop) {
  uint32_t target = jumpTo[at];
  if (!orPop) {
    if (!ensureBool() || !popValue())
      return false;
    emit(op, 0, target);
    return flowTo(target, stack);
  }
  // 3.11's JUMP_IF_X_OR_POP: the value stays where it jumps and goes where it falls through.
  if (!need(1))
    return false;
  Slot value = stack.back();
  emit(Opcode::COPY, 1);
  if (value != Slot::Bool)
    emit(Opcode::TO_BOOL);
  emit(op, 0, target);
  if (!flowTo(target, stack) || !popValue())
    return false;
  emit(Opcode::POP_TOP);
  return true;
}

bool Translator::stepJump() {
  auto noneJump = [&](Opcode op) {
    if (!popValue())
      return false;
    emit(op, 0, jumpTo[at]);
    return flowTo(jumpTo[at], stack);
  };
  switch (instrs[at].op) {
  case Op::JUMP_FORWARD:
  case Op::JUMP_BACKWARD:
  case Op::JUMP_BACKWARD_NO_INTERRUPT:
    fallsThrough = false;
    emit(Opcode::JUMP, 0, jumpTo[at]);
    return flowTo(jumpTo[at], stack);
  case Op::POP_JUMP_IF_TRUE:
  case Op::POP_JUMP_FORWARD_IF_TRUE:
  case Op::POP_JUMP_BACKWARD_IF_TRUE:
    return stepTruthJump(Opcode::POP_JUMP_IF_TRUE, false);
  case Op::POP_JUMP_IF_FALSE:
  case Op::POP_JUMP_FORWARD_IF_FALSE:
  case Op::POP_JUMP_BACKWARD_IF_FALSE:
    return stepTruthJump(Opcode::POP_JUMP_IF_FALSE, false);
  case Op::JUMP_IF_TRUE_OR_POP:
    return stepTruthJump(Opcode::POP_JUMP_IF_TRUE, true);
  case Op::JUMP_IF_FALSE_OR_POP:
    return stepTruthJump(Opcode::POP_JUMP_IF_FALSE, true);
  case Op::POP_JUMP_IF_NONE:
  case Op::POP_JUMP_FORWARD_IF_NONE:
  case Op::POP_JUMP_BACKWARD_IF_NONE:
    return noneJump(Opcode::POP_JUMP_IF_NONE);
  default:
    assert((instrs[at].op == Op::POP_JUMP_IF_NOT_NONE ||
            instrs[at].op == Op::POP_JUMP_FORWARD_IF_NOT_NONE ||
            instrs[at].op == Op::POP_JUMP_BACKWARD_IF_NOT_NONE) &&
           "PTC_RAW_OWN row without a case");
    return noneJump(Opcode::POP_JUMP_IF_NOT_NONE);
  }
}

//===-- Iteration, generators, with ---------------------------------------------------------===//

bool Translator::stepIteration() {
  uint32_t arg = instrs[at].arg;
  if (instrs[at].op == Op::GET_ITER) {
    bool hasIndex = code.version >= PythonVersion::Py315;
    if (arg > 3)
      return fail("no such kind of iteration");
    if (!popValue())
      return false;
    emit(hasIndex && arg ? Opcode::GET_YIELD_FROM_ITER : Opcode::GET_ITER);
    return push(Slot::Value) && (!hasIndex || push(Slot::Null));
  }
  bool hasIndex = topIsNull();
  StackState past = stack;
  if (hasIndex)
    past.pop_back();
  if (past.empty() || past.pop_back_val() != Slot::Value)
    return fail("there is no iterator");
  emit(Opcode::FOR_ITER, 0, jumpTo[at]);
  return flowTo(jumpTo[at], past) && push(Slot::Value);
}

bool Translator::stepSend() {
  auto popIterator = [&](bool &hasIndex) {
    hasIndex = topIsNull();
    if (hasIndex)
      stack.pop_back();
    return popValue();
  };
  bool hasIndex = false;
  switch (instrs[at].op) {
  case Op::YIELD_VALUE:
    if (!popValue())
      return false;
    emit(Opcode::YIELD_VALUE);
    return push(Slot::Value);
  case Op::END_SEND:
    if (!popValue() || !popIterator(hasIndex))
      return false;
    emit(Opcode::END_SEND);
    return push(Slot::Value);
  case Op::CLEANUP_THROW:
    if (!popValues(2) || !popIterator(hasIndex))
      return false;
    emit(Opcode::CLEANUP_THROW);
    return push(Slot::Value) && (!hasIndex || push(Slot::Null)) && push(Slot::Value);
  default: {
    assert(instrs[at].op == Op::SEND && "a generator opcode without a case");
    if (!popValue())
      return false;
    StackState returned = stack;
    if (!popIterator(hasIndex))
      return false;
    if (table.forIterEnd == raw::ForIterEnd::Pops) // 3.11: the result replaces the iterator
      returned = stack;
    returned.push_back(Slot::Value);
    emit(Opcode::SEND, 0, jumpTo[at]);
    return flowTo(jumpTo[at], returned) && push(Slot::Value) && (!hasIndex || push(Slot::Null)) &&
           push(Slot::Value);
  }
  }
}

/// 3.14 and later spell BEFORE_WITH as COPY 1, LOAD_SPECIAL exit, SWAP 2, SWAP 3, LOAD_SPECIAL
/// enter, CALL 0, which starts here with the COPY already emitted.
bool Translator::isWithPattern() const {
  static constexpr std::pair<Op, uint32_t> rest[] = {
      {Op::SWAP, 2}, {Op::SWAP, 3}, {Op::LOAD_SPECIAL, ~0U}, {Op::CALL, 0}};
  if (at == 0 || at + 4 >= instrs.size() || instrs[at - 1].op != Op::COPY ||
      instrs[at - 1].arg != 1 || leaderOf[at] != kNoIndex || !(instrs[at].arg & 1))
    return false;
  for (unsigned i = 0; i < 4; ++i) {
    const raw::Instr &instr = instrs[at + 1 + i];
    uint32_t arg = rest[i].second == ~0U ? instrs[at].arg - 1 : rest[i].second;
    if (instr.op != rest[i].first || instr.arg != arg || leaderOf[at + 1 + i] != kNoIndex)
      return false;
  }
  return true;
}

bool Translator::stepWith(uint32_t &consumed) {
  if (instrs[at].op == Op::WITH_EXCEPT_START) {
    // (exit, lasti, handled before, exception), from 3.14 on (exit, self, lasti, …).
    uint32_t below = code.version >= PythonVersion::Py314 ? 5 : 4;
    if (!need(below))
      return false;
    auto slot = [&](uint32_t fromTop) { return stack[stack.size() - fromTop]; };
    if (slot(1) != Slot::Value || slot(2) != Slot::Value || slot(3) != Slot::Null ||
        slot(below) != Slot::Value || (below == 5 && slot(4) != Slot::Null))
      return fail("there is no __exit__ below the exception");
    emit(Opcode::WITH_EXCEPT_START);
    return push(Slot::Value);
  }
  if (instrs[at].arg > 3)
    return fail("no such special method");
  if (!isWithPattern()) {
    if (!popValue())
      return false;
    emit(Opcode::LOAD_SPECIAL, instrs[at].arg);
    return push(Slot::Value) && push(Slot::MethodSelf);
  }
  if (!popValues(2))
    return false;
  if (emitting) { // the COPY
    out.instrs.pop_back();
    out.handlers.pop_back();
    rawOf.pop_back();
  }
  emit(instrs[at].arg == 1 ? Opcode::BEFORE_WITH : Opcode::BEFORE_ASYNC_WITH);
  consumed = 5;
  return push(Slot::Value) && push(Slot::Null) && push(Slot::Value);
}
