// The rows of Opcodes.def as tables and stack effects. In: an opcode or instruction. Out: its
// facts.
#include "ptc/Bytecode/Instr.h"

using namespace ptc;

namespace {

constexpr bool kMay = true, kNever = false;

constexpr OpcodeInfo kOpcodes[] = {
#define PTC_OPCODE(Name, Operand, Pops, Pushes, Flow, Raises, Family)                              \
  {Opcode::Name, #Name, OperandKind::Operand, OpFlow::Flow, k##Raises, OpFamily::Family},
#include "ptc/Bytecode/Opcodes.def"
};

constexpr llvm::StringLiteral kBinarySymbols[2 * kNumBinaryOps] = {
    "+",  "&",  "//",  "<<",  "@",  "*",  "%",  "|",  "**",  ">>",  "-",  "/",  "^",
    "+=", "&=", "//=", "<<=", "@=", "*=", "%=", "|=", "**=", ">>=", "-=", "/=", "^="};
constexpr llvm::StringLiteral kCompareSymbols[] = {"<", "<=", "==", "!=", ">", ">="};
constexpr llvm::StringLiteral kBuiltinNames[] = {
    "AssertionError", "NotImplementedError", "tuple", "all", "any", "list", "set"};

} // namespace

const OpcodeInfo &ptc::getOpcodeInfo(Opcode opcode) {
  return kOpcodes[static_cast<unsigned>(opcode)];
}
llvm::ArrayRef<OpcodeInfo> ptc::getAllOpcodeInfos() { return kOpcodes; }

llvm::StringRef ptc::getBinaryOpSymbol(BinaryOp op, bool inPlace) {
  return kBinarySymbols[static_cast<unsigned>(op) + (inPlace ? kNumBinaryOps : 0)];
}
llvm::StringRef ptc::getCompareOpSymbol(CompareOp op) {
  return kCompareSymbols[static_cast<unsigned>(op)];
}
llvm::StringRef ptc::getBuiltinConstName(BuiltinConst which) {
  return kBuiltinNames[static_cast<unsigned>(which)];
}

StackEffect ptc::getStackEffect(const Instr &instr) {
  [[maybe_unused]] uint32_t n = instr.arg;
  switch (instr.op) {
#define PTC_OPCODE(Name, Operand, Pops, Pushes, Flow, Raises, Family)                              \
  case Opcode::Name:                                                                               \
    return {Pops, Pushes, Opcode::Name == Opcode::FOR_ITER ? 0U : (Pushes)};
#include "ptc/Bytecode/Opcodes.def"
  }
  llvm_unreachable("no such opcode");
}

SourceLoc CanonicalCode::location(uint32_t index) const {
  const SourceRange &range = instrs[index].range;
  return {code->fileName.str(), range.line, range.column, range.endLine, range.endColumn};
}
