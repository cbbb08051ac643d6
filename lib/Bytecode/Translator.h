//===- Translator.h - The state of one translation ---------------*- C++ -*-===//
#ifndef PTC_LIB_BYTECODE_TRANSLATOR_H
#define PTC_LIB_BYTECODE_TRANSLATOR_H

#include "StackState.h"
#include "Translate.h"

#include "llvm/ADT/DenseMap.h"

namespace ptc {

/// Walks the raw instructions twice with the same step function: first to find the stack at every
/// leader (`emitting` is false), then in order of the code to emit.
class Translator {
public:
  Translator(const CodeObject &code, CanonicalCode &out)
      : code(code), table(raw::getVersionTable(code.version)), out(out) {}

  bool run();
  const std::string &reason() const { return problem; }

private:
  // Translate.cpp: structure.
  void passDelegateHandlers();
  bool prepare();
  bool resolveJumps();
  bool resolveForIter(uint32_t index, uint32_t &target);
  uint32_t indexAt(uint64_t offset) const;
  bool findStacks();
  bool emitAll();
  bool resolveTargets();
  bool walkBlock(uint32_t leader);
  bool flowTo(uint32_t target, const StackState &state);
  bool flowToHandler();
  bool mayRaise(uint32_t index) const;

  // Steps.cpp: one raw instruction. `consumed` is more than 1 for patterns.
  bool step(uint32_t &consumed);
  bool stepSame(Opcode op, uint32_t arg);
  bool stepOwn(uint32_t &consumed);
  bool stepStack();
  bool stepLocals();
  bool stepLoad();
  bool stepAttribute();
  bool stepOperator();
  bool stepCall();
  bool stepCallEx();
  bool stepIntrinsic();
  bool stepFunction();
  bool stepFormat();
  bool stepJump();
  bool stepTruthJump(Opcode op, bool orPop);
  bool stepIteration();
  bool stepSend();
  bool stepWith(uint32_t &consumed);
  bool stepSwap(uint32_t depth);
  bool loadConst(uint32_t index);
  bool loadLocal(uint32_t slot, Opcode op);
  bool storeLocal(uint32_t slot);
  bool emitCall(uint32_t args);
  bool takeKeywords(uint32_t args);
  bool isWithPattern() const;
  bool ensureBool();
  bool checkOperand(OperandKind kind, uint32_t arg);

  // The stack.
  bool need(uint32_t n) { return stack.size() >= n || fail("stack underflow"); }
  bool push(Slot slot) {
    stack.push_back(slot);
    return stack.size() <= code.stackSize || fail("the stack is deeper than co_stacksize");
  }
  bool popValue() {
    if (!need(1))
      return false;
    Slot slot = stack.pop_back_val();
    return slot == Slot::Value || slot == Slot::Bool || fail("NULL is used as a value");
  }
  bool popValues(uint32_t n) {
    if (!need(n))
      return false;
    for (uint32_t i = 0; i < n; ++i)
      if (!popValue())
        return false;
    return true;
  }
  bool topIsNull() const { return !stack.empty() && stack.back() == Slot::Null; }

  // Emission.
  ptc::Instr *emit(Opcode op, uint32_t arg = 0, uint32_t target = kNoIndex);
  uint32_t addConst(const Constant *constant);
  /// The instruction just emitted if it came from the raw instruction before this one and nothing
  /// jumps between them.
  ptc::Instr *previous();

  bool fail(const llvm::Twine &why) {
    if (problem.empty())
      problem = why.str();
    return false;
  }

  const CodeObject &code;
  const raw::VersionTable &table;
  CanonicalCode &out;
  std::string problem;

  std::vector<raw::Instr> instrs;
  std::vector<SourceRange> ranges;
  std::vector<raw::ExceptionEntry> entries;
  std::vector<uint32_t> entryOf;     ///< raw instruction -> index into entries
  std::vector<uint32_t> entryTarget; ///< exception entry -> raw instruction
  std::vector<uint32_t> jumpTo;      ///< raw instruction -> raw instruction
  std::vector<uint32_t> indexOf;     ///< code unit -> raw instruction that starts there
  std::vector<uint32_t> leaderOf;    ///< raw instruction -> index into states
  std::vector<StackState> states;
  std::vector<bool> reached, queued; ///< per leader
  std::vector<uint32_t> work;

  uint32_t at = 0; ///< the raw instruction being stepped
  StackState stack;
  bool fallsThrough = true;
  uint32_t keywords = kNoIndex; ///< from KW_NAMES, or the constant before CALL_KW
  bool emitting = false;

  std::vector<uint32_t> rawOf;     ///< emitted instruction -> raw instruction
  std::vector<uint32_t> firstOf;   ///< raw instruction -> first emitted at or behind it
  std::vector<uint32_t> sendEndOf; ///< raw instruction -> END_SEND put before it (3.11)
  llvm::DenseMap<const Constant *, uint32_t> extraConsts;
};

} // namespace ptc

#endif // PTC_LIB_BYTECODE_TRANSLATOR_H
