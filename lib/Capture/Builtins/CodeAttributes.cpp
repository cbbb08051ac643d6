//===- CodeAttributes.cpp - co_* ---------------------------------------------------------===//
//
// What a program may ask of a code object. What only a debugger or a compiler wants (co_code,
// co_linetable …) is not there.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

using namespace ptc::capture;
using namespace ptc::capture::builtins;

static const CodeObject &codeOf(CallArgs &args) { return *arg(args, 0).asCode(); }
static Value text(llvm::StringRef s) { return Value::str(s); }
static Value number(uint32_t n) { return Value::integer(n); }

/// Names of the slots that `wanted` takes, parameters first.
template <typename F> static Value slotNames(const CodeObject &code, F wanted) {
  std::vector<Value> names;
  for (const ptc::LocalSlot &local : code.locals)
    if (wanted(local))
      names.push_back(text(local.name));
  return Value::tuple(std::move(names));
}

Value builtins::codeName(Engine &, CallArgs &args) { return text(codeOf(args).name); }
Value builtins::codeQualName(Engine &, CallArgs &args) { return text(codeOf(args).qualName); }
Value builtins::codeFileName(Engine &, CallArgs &args) { return text(codeOf(args).fileName); }
Value builtins::codeFirstLine(Engine &, CallArgs &args) { return number(codeOf(args).firstLine); }
Value builtins::codeFlags(Engine &, CallArgs &args) { return number(codeOf(args).flags); }
Value builtins::codeArgCount(Engine &, CallArgs &args) { return number(codeOf(args).argCount); }
Value builtins::codePosOnlyArgCount(Engine &, CallArgs &args) {
  return number(codeOf(args).posOnlyArgCount);
}
Value builtins::codeKwOnlyArgCount(Engine &, CallArgs &args) {
  return number(codeOf(args).kwOnlyArgCount);
}
Value builtins::codeVarNames(Engine &, CallArgs &args) {
  return slotNames(codeOf(args), [](const ptc::LocalSlot &s) { return s.isLocal; });
}
Value builtins::codeCellVars(Engine &, CallArgs &args) {
  return slotNames(codeOf(args), [](const ptc::LocalSlot &s) { return s.isCell; });
}
Value builtins::codeFreeVars(Engine &, CallArgs &args) {
  return slotNames(codeOf(args), [](const ptc::LocalSlot &s) { return s.isFree; });
}
Value builtins::codeNumLocals(Engine &, CallArgs &args) {
  return number(uint32_t(
      llvm::count_if(codeOf(args).locals, [](const ptc::LocalSlot &s) { return s.isLocal; })));
}
