// What one raw instruction does to the stack and what it becomes: the stack, locals, constants,
// attributes, operators, f-strings. Calls and control are in StepsControl.cpp.
// In: the stack before it. Out: the stack behind it, and canonical instructions when emitting.
// The semantics are those of Python/bytecodes.c (ceval.c for 3.11) of each version.
#include "Translator.h"

#include <array>

using namespace ptc;
using raw::Op;

namespace {

constexpr uint64_t kWords[] = {
#define PTC_16(n)                                                                                  \
  n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12,        \
      n + 13, n + 14, n + 15
    PTC_16(0),   PTC_16(16),  PTC_16(32),  PTC_16(48),  PTC_16(64),  PTC_16(80),
    PTC_16(96),  PTC_16(112), PTC_16(128), PTC_16(144), PTC_16(160), PTC_16(176),
    PTC_16(192), PTC_16(208), PTC_16(224), PTC_16(240)};
#undef PTC_16

template <size_t... I> constexpr std::array<IntConstant, 256> makeInts(std::index_sequence<I...>) {
  return {IntConstant(false, llvm::ArrayRef<uint64_t>(&kWords[I], I != 0))...};
}
// The constants that instructions carry in their operand.
constexpr std::array<IntConstant, 256> kSmallInts = makeInts(std::make_index_sequence<256>());
constexpr IntConstant kMinusOne(true, llvm::ArrayRef<uint64_t>(&kWords[1], 1));
constexpr Constant kNone(ConstKind::None);
constexpr BoolConstant kTrue(true), kFalse(false);
constexpr StrConstant kEmpty("", true);

const Constant *valueOf(raw::CommonConstant which) {
  switch (which) {
  case raw::CommonConstant::None:
    return &kNone;
  case raw::CommonConstant::EmptyStr:
    return &kEmpty;
  case raw::CommonConstant::True:
    return &kTrue;
  case raw::CommonConstant::False:
    return &kFalse;
  case raw::CommonConstant::MinusOne:
    return &kMinusOne;
  case raw::CommonConstant::AssertionError:
  case raw::CommonConstant::NotImplementedError:
  case raw::CommonConstant::Tuple:
  case raw::CommonConstant::All:
  case raw::CommonConstant::Any:
  case raw::CommonConstant::List:
  case raw::CommonConstant::Set:
    return nullptr;
  }
  llvm_unreachable("no such constant");
}

bool pushesBool(Opcode op) {
  return op == Opcode::CHECK_EXC_MATCH || op == Opcode::MATCH_MAPPING ||
         op == Opcode::MATCH_SEQUENCE;
}

} // namespace

ptc::Instr *Translator::previous() {
  bool adjacent =
      emitting && at > 0 && leaderOf[at] == kNoIndex && !rawOf.empty() && rawOf.back() == at - 1;
  return adjacent ? &out.instrs.back() : nullptr;
}

uint32_t Translator::addConst(const Constant *constant) {
  auto [it, isNew] = extraConsts.try_emplace(constant, out.consts.size());
  if (isNew)
    out.consts.push_back(constant);
  return it->second;
}

bool Translator::checkOperand(OperandKind kind, uint32_t arg) {
  switch (kind) {
  case OperandKind::Name:
    return arg < code.names.size() || fail("name index out of range");
  case OperandKind::Const:
    return arg < code.consts.size() || fail("constant index out of range");
  case OperandKind::Local:
    return arg < code.locals.size() || fail("local index out of range");
  case OperandKind::Cell:
    return (arg < code.locals.size() && code.locals[arg].holdsCell()) ||
           fail("cell index out of range");
  case OperandKind::Conversion:
    return (arg >= 1 && arg <= 3) || fail("no such conversion");
  case OperandKind::FunctionAttr:
    return (arg != 0 && arg <= 16 && (arg & (arg - 1)) == 0) || fail("no such attribute");
  case OperandKind::Flag:
    return arg <= 1 || fail("operand is not a flag");
  case OperandKind::None:
  case OperandKind::Count:
  case OperandKind::Depth:
  case OperandKind::Builtin:
  case OperandKind::Jump:
  case OperandKind::Binary:
  case OperandKind::Compare:
    return true;
  }
  llvm_unreachable("no such kind");
}

bool Translator::step(uint32_t &consumed) {
  const raw::Instr &instr = instrs[at];
  const raw::OpInfo &info = raw::getOpInfo(instr.op);
  switch (info.rule) {
  case raw::Rule::Same:
    return stepSame(info.canonical, instr.arg);
  case raw::Rule::Drop:
    return true;
  case raw::Rule::Own:
    return stepOwn(consumed);
  case raw::Rule::Internal:
    return fail("an opcode that does not occur in files");
  }
  llvm_unreachable("no such rule");
}

bool Translator::stepSame(Opcode op, uint32_t arg) {
  const OpcodeInfo &info = getOpcodeInfo(op);
  if (!checkOperand(info.operand, arg))
    return false;
  if (op == Opcode::RAISE_VARARGS && arg > 2)
    return fail("too many operands of raise");
  ptc::Instr instr{};
  instr.op = op;
  instr.arg = arg;
  StackEffect effect = getStackEffect(instr);
  if (!popValues(effect.pops))
    return false;
  if (info.operand == OperandKind::Depth) {
    if (arg == 0 || !need(arg))
      return fail("stack underflow");
    uint32_t index = stack.size() - arg;
    if (stack[index] == Slot::Null)
      return fail("NULL is used as a value");
    arg = countValues(stack, index, stack.size());
  }
  if (stack.size() + uint64_t(effect.pushes) > code.stackSize)
    return fail("the stack is deeper than co_stacksize");
  stack.append(effect.pushes, Slot::Value);
  if (pushesBool(op))
    stack.back() = Slot::Bool;
  emit(op, info.operand == OperandKind::None ? 0 : arg);
  fallsThrough = info.flow == OpFlow::Next;
  return true;
}

bool Translator::stepOwn(uint32_t &consumed) {
  switch (instrs[at].op) {
  case Op::COPY:
  case Op::SWAP:
  case Op::POP_TOP:
  case Op::POP_ITER:
  case Op::PUSH_NULL:
  case Op::END_FOR:
    return stepStack();
  case Op::LOAD_FAST:
  case Op::LOAD_FAST_CHECK:
  case Op::LOAD_FAST_BORROW:
  case Op::LOAD_FAST_AND_CLEAR:
  case Op::LOAD_FAST_LOAD_FAST:
  case Op::LOAD_FAST_BORROW_LOAD_FAST_BORROW:
  case Op::STORE_FAST:
  case Op::STORE_FAST_LOAD_FAST:
  case Op::STORE_FAST_STORE_FAST:
    return stepLocals();
  case Op::LOAD_CONST:
  case Op::LOAD_SMALL_INT:
  case Op::LOAD_COMMON_CONSTANT:
  case Op::LOAD_ASSERTION_ERROR:
  case Op::RETURN_CONST:
  case Op::LOAD_GLOBAL:
  case Op::LOAD_CLASSDEREF:
  case Op::IMPORT_NAME:
    return stepLoad();
  case Op::LOAD_ATTR:
  case Op::LOAD_METHOD:
  case Op::LOAD_SUPER_ATTR:
    return stepAttribute();
  case Op::BINARY_OP:
  case Op::BINARY_SLICE:
  case Op::BUILD_SLICE:
  case Op::STORE_SLICE:
  case Op::COMPARE_OP:
  case Op::CONTAINS_OP:
  case Op::IS_OP:
  case Op::TO_BOOL:
  case Op::UNARY_NOT:
    return stepOperator();
  case Op::CALL:
  case Op::CALL_KW:
  case Op::KW_NAMES:
    return stepCall();
  case Op::CALL_FUNCTION_EX:
    return stepCallEx();
  case Op::CALL_INTRINSIC_1:
  case Op::CALL_INTRINSIC_2:
    return stepIntrinsic();
  case Op::MAKE_FUNCTION:
    return stepFunction();
  case Op::FORMAT_VALUE:
    return stepFormat();
  case Op::FOR_ITER:
  case Op::GET_ITER:
    return stepIteration();
  case Op::SEND:
  case Op::END_SEND:
  case Op::CLEANUP_THROW:
  case Op::YIELD_VALUE:
    return stepSend();
  case Op::LOAD_SPECIAL:
  case Op::WITH_EXCEPT_START:
    return stepWith(consumed);
  case Op::RERAISE:
    fallsThrough = false;
    if (!popValue() || !need(instrs[at].arg))
      return false;
    emit(Opcode::RERAISE);
    return true;
  default:
    return stepJump();
  }
}

bool Translator::stepSwap(uint32_t depth) {
  if (depth == 0 || !need(depth))
    return fail("stack underflow");
  uint32_t low = stack.size() - depth, high = stack.size() - 1;
  uint32_t between = depth < 2 ? 0 : countValues(stack, low + 1, high);
  bool lowIsNull = stack[low] == Slot::Null, highIsNull = stack[high] == Slot::Null;
  std::swap(stack[low], stack[high]);
  if (depth == 1 || (lowIsNull && highIsNull))
    return true;
  if (!lowIsNull && !highIsNull) {
    emit(Opcode::SWAP, between + 2);
  } else if (highIsNull) {
    // The value goes to the top past those between, which keep their order.
    for (uint32_t i = 2; i <= between + 1; ++i)
      emit(Opcode::SWAP, i);
  } else {
    for (uint32_t i = between + 1; i >= 2; --i)
      emit(Opcode::SWAP, i);
  }
  return true;
}

bool Translator::stepStack() {
  uint32_t arg = instrs[at].arg;
  auto popTop = [&] {
    if (!need(1))
      return false;
    if (stack.pop_back_val() != Slot::Null)
      emit(Opcode::POP_TOP);
    return true;
  };
  switch (instrs[at].op) {
  case Op::SWAP:
    return stepSwap(arg);
  case Op::COPY: {
    if (arg == 0 || !need(arg))
      return fail("stack underflow");
    uint32_t index = stack.size() - arg;
    if (stack[index] != Slot::Null)
      emit(Opcode::COPY, countValues(stack, index, stack.size()));
    return push(Slot(stack[index]));
  }
  case Op::PUSH_NULL:
    return push(Slot::Null);
  case Op::POP_ITER: // 3.15: with the iterator's index
    if (topIsNull())
      stack.pop_back();
    return popTop();
  case Op::END_FOR: // not reached in compiled code: FOR_ITER jumps past it
    return popTop() && (table.forIterEnd == raw::ForIterEnd::Keeps || popTop());
  default:
    return popTop();
  }
}

bool Translator::loadLocal(uint32_t slot, Opcode op) {
  if (!checkOperand(OperandKind::Local, slot))
    return false;
  // From 3.13 on LOAD_FAST of a cell's slot is LOAD_CLOSURE.
  if (op != Opcode::LOAD_FAST_AND_CLEAR && code.locals[slot].holdsCell())
    op = Opcode::LOAD_CLOSURE;
  emit(op, slot);
  return push(op == Opcode::LOAD_FAST_AND_CLEAR ? Slot::Unbound : Slot::Value);
}

bool Translator::storeLocal(uint32_t slot) {
  if (!checkOperand(OperandKind::Local, slot) || !need(1))
    return false;
  Slot value = stack.pop_back_val();
  if (value == Slot::Null || value == Slot::MethodSelf)
    return fail("NULL is used as a value");
  if (ptc::Instr *instr = emit(Opcode::STORE_FAST, slot))
    instr->arg2 = value == Slot::Unbound;
  return true;
}

bool Translator::stepLocals() {
  uint32_t arg = instrs[at].arg, first = arg >> 4, second = arg & 15;
  switch (instrs[at].op) {
  case Op::LOAD_FAST_AND_CLEAR:
    return loadLocal(arg, Opcode::LOAD_FAST_AND_CLEAR);
  case Op::LOAD_FAST_LOAD_FAST:
  case Op::LOAD_FAST_BORROW_LOAD_FAST_BORROW:
    return loadLocal(first, Opcode::LOAD_FAST_CHECK) && loadLocal(second, Opcode::LOAD_FAST_CHECK);
  case Op::STORE_FAST:
    return storeLocal(arg);
  case Op::STORE_FAST_LOAD_FAST:
    return storeLocal(first) && loadLocal(second, Opcode::LOAD_FAST_CHECK);
  case Op::STORE_FAST_STORE_FAST:
    return storeLocal(first) && storeLocal(second);
  default:
    // simplify() finds out which of them need no check, the same way in all versions.
    return loadLocal(arg, Opcode::LOAD_FAST_CHECK);
  }
}

bool Translator::loadConst(uint32_t index) {
  bool namesKeywords =
      at + 1 < instrs.size() && instrs[at + 1].op == Op::CALL_KW && leaderOf[at + 1] == kNoIndex;
  if (namesKeywords) {
    keywords = index;
    return push(Slot::Null);
  }
  emit(Opcode::LOAD_CONST, index);
  return push(Slot::Value);
}

bool Translator::stepLoad() {
  uint32_t arg = instrs[at].arg;
  switch (instrs[at].op) {
  case Op::LOAD_CONST:
    return checkOperand(OperandKind::Const, arg) && loadConst(arg);
  case Op::RETURN_CONST:
    fallsThrough = false;
    if (!checkOperand(OperandKind::Const, arg))
      return false;
    emit(Opcode::LOAD_CONST, arg);
    emit(Opcode::RETURN_VALUE);
    return true;
  case Op::LOAD_SMALL_INT:
    return arg < kSmallInts.size() ? loadConst(addConst(&kSmallInts[arg]))
                                   : fail("small integer out of range");
  case Op::LOAD_COMMON_CONSTANT: {
    if (arg >= std::size(table.commonConstants) || !table.commonConstants[arg])
      return fail("no such common constant");
    if (const Constant *value = valueOf(*table.commonConstants[arg]))
      return loadConst(addConst(value));
    emit(Opcode::LOAD_BUILTIN, static_cast<uint32_t>(*table.commonConstants[arg]));
    return push(Slot::Value);
  }
  case Op::LOAD_ASSERTION_ERROR:
    emit(Opcode::LOAD_BUILTIN, static_cast<uint32_t>(BuiltinConst::AssertionError));
    return push(Slot::Value);
  case Op::LOAD_GLOBAL:
    if (!checkOperand(OperandKind::Name, arg >> 1))
      return false;
    emit(Opcode::LOAD_GLOBAL, arg >> 1);
    if (!(arg & 1))
      return push(Slot::Value);
    return table.nullBelow ? push(Slot::Null) && push(Slot::Value)
                           : push(Slot::Value) && push(Slot::Null);
  case Op::LOAD_CLASSDEREF: // 3.11: as LOAD_FROM_DICT_OR_DEREF of the frame's own names
    if (!checkOperand(OperandKind::Cell, arg))
      return false;
    emit(Opcode::LOAD_LOCALS);
    emit(Opcode::LOAD_FROM_DICT_OR_DEREF, arg);
    return push(Slot::Value);
  default: {
    assert(instrs[at].op == Op::IMPORT_NAME && "a load without a case");
    bool hasMode = code.version >= PythonVersion::Py315;
    uint32_t name = hasMode ? arg >> 2 : arg;
    if (!checkOperand(OperandKind::Name, name) || !popValues(2))
      return false;
    if (ptc::Instr *instr = emit(Opcode::IMPORT_NAME, name))
      instr->arg2 = hasMode ? arg & 3 : 0;
    return push(Slot::Value);
  }
  }
}

bool Translator::stepAttribute() {
  Op op = instrs[at].op;
  bool isSuper = op == Op::LOAD_SUPER_ATTR;
  uint32_t arg = instrs[at].arg;
  uint32_t name = isSuper ? arg >> 2 : op == Op::LOAD_ATTR && table.methodBit ? arg >> 1 : arg;
  bool isMethod = op == Op::LOAD_METHOD || (isSuper && (arg & 1)) ||
                  (op == Op::LOAD_ATTR && table.methodBit && (arg & 1));
  if (!checkOperand(OperandKind::Name, name) || !popValues(isSuper ? 3 : 1))
    return false;
  Opcode canonical = isSuper ? (isMethod ? Opcode::LOAD_SUPER_METHOD : Opcode::LOAD_SUPER_ATTR)
                             : (isMethod ? Opcode::LOAD_METHOD : Opcode::LOAD_ATTR);
  if (ptc::Instr *instr = emit(canonical, name))
    instr->arg2 = isSuper ? arg >> 1 & 1 : 0;
  return push(Slot::Value) && (!isMethod || push(Slot::MethodSelf));
}

bool Translator::ensureBool() {
  if (!need(1))
    return false;
  Slot slot = stack.back();
  if (!popValue())
    return false;
  if (slot != Slot::Bool)
    emit(Opcode::TO_BOOL);
  return push(Slot::Bool);
}

bool Translator::stepOperator() {
  uint32_t arg = instrs[at].arg;
  auto binary = [&](Opcode op, uint32_t operand, Slot result) {
    if (!popValues(2))
      return false;
    emit(op, operand);
    return push(result);
  };
  switch (instrs[at].op) {
  case Op::BINARY_OP:
    if (arg == 2 * kNumBinaryOps && code.version >= PythonVersion::Py314)
      return binary(Opcode::BINARY_SUBSCR, 0, Slot::Value);
    return arg < 2 * kNumBinaryOps ? binary(Opcode::BINARY_OP, arg, Slot::Value)
                                   : fail("no such binary operator");
  case Op::BINARY_SLICE:
    return binary(Opcode::BUILD_SLICE, 2, Slot::Value) &&
           binary(Opcode::BINARY_SUBSCR, 0, Slot::Value);
  case Op::STORE_SLICE:
    if (!binary(Opcode::BUILD_SLICE, 2, Slot::Value) || !popValues(3))
      return false;
    emit(Opcode::STORE_SUBSCR);
    return true;
  case Op::BUILD_SLICE:
    if (arg != 2 && arg != 3)
      return fail("no such slice");
    return stepSame(Opcode::BUILD_SLICE, arg);
  case Op::COMPARE_OP: {
    uint32_t compare = arg >> table.compareShift;
    if (compare > static_cast<uint32_t>(CompareOp::Ge))
      return fail("no such comparison");
    return binary(Opcode::COMPARE_OP, compare, Slot::Value) &&
           (!(arg & table.boolBit) || ensureBool());
  }
  case Op::CONTAINS_OP:
    return checkOperand(OperandKind::Flag, arg) && binary(Opcode::CONTAINS_OP, arg, Slot::Bool);
  case Op::IS_OP:
    return checkOperand(OperandKind::Flag, arg) && binary(Opcode::IS_OP, arg, Slot::Bool);
  case Op::TO_BOOL:
    return ensureBool();
  default:
    assert(instrs[at].op == Op::UNARY_NOT && "an operator without a case");
    if (!ensureBool())
      return false;
    emit(Opcode::UNARY_NOT);
    return true;
  }
}

bool Translator::stepFormat() {
  uint32_t arg = instrs[at].arg, conversion = arg & 3;
  bool hasSpec = arg & 4;
  if (arg > 7)
    return fail("no such format");
  if (!popValues(hasSpec ? 2 : 1))
    return false;
  if (conversion && hasSpec) {
    // The value is converted before its format is computed, as later versions do where that can
    // be seen: a constant format is loaded behind the conversion.
    if (ptc::Instr *spec = previous(); spec && spec->op == Opcode::LOAD_CONST) {
      uint32_t constant = spec->arg;
      spec->op = Opcode::CONVERT_VALUE;
      spec->arg = conversion;
      spec->range = ranges[at];
      out.handlers.pop_back();
      ptc::Instr convert = out.instrs.back();
      out.instrs.pop_back();
      rawOf.pop_back();
      ptc::Instr *emitted = emit(convert.op, convert.arg);
      emitted->offset = convert.offset;
      emit(Opcode::LOAD_CONST, constant);
    } else {
      emit(Opcode::SWAP, 2);
      emit(Opcode::CONVERT_VALUE, conversion);
      emit(Opcode::SWAP, 2);
    }
  } else if (conversion) {
    emit(Opcode::CONVERT_VALUE, conversion);
  }
  emit(hasSpec ? Opcode::FORMAT_WITH_SPEC : Opcode::FORMAT_SIMPLE);
  return push(Slot::Value);
}
