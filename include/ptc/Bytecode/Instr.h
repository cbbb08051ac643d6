//===- Instr.h - Canonical instructions --------------------------*- C++ -*-===//
//
// One normal form for all CPython versions. Inline caches, NOP, RESUME, EXTENDED_ARG and
// unreachable code are gone, super-instructions are split, jumps name the index of an instruction,
// `while` tests stand once. What an executor needs to know about an opcode is its row in
// Opcodes.def.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_BYTECODE_INSTR_H
#define PTC_BYTECODE_INSTR_H

#include "ptc/Bytecode/CodeObject.h"
#include "ptc/Bytecode/FlowGraph.h"
#include "ptc/Support/SourceLoc.h"

#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace ptc {

enum class Opcode : uint8_t {
#define PTC_OPCODE(Name, ...) Name,
#include "ptc/Bytecode/Opcodes.def"
};

/// What Instr::arg is.
enum class OperandKind : uint8_t {
  None,
  Count,        ///< a number
  Depth,        ///< the n-th value from the top of the stack, from 1
  Flag,         ///< 0 or 1
  Const,        ///< index into CanonicalCode::consts
  Builtin,      ///< a BuiltinConst
  Local,        ///< index into CanonicalCode::locals
  Cell,         ///< index into CanonicalCode::locals, of a cell or free variable
  Name,         ///< index into CanonicalCode::names
  Jump,         ///< none; the index of an instruction is in Instr::target
  Binary,       ///< a BinaryOp
  Compare,      ///< a CompareOp
  Conversion,   ///< 1 str, 2 repr, 3 ascii
  FunctionAttr, ///< a FunctionAttribute
};

enum class OpFlow : uint8_t { Next, Branch, Jump, Return, Raise };

enum class OpFamily : uint8_t {
  Stack,
  Locals,
  Names,
  Attributes,
  Subscripts,
  Operators,
  Containers,
  Calls,
  Control,
  Generators,
  Exceptions,
  Match,
  Imports,
  Async,
  Types
};

/// BINARY_OP's operand is one of these, or one plus kNumBinaryOps for the in-place form; numbered
/// as CPython's NB_ADD … NB_XOR, NB_INPLACE_ADD …
enum class BinaryOp : uint8_t {
  Add,
  And,
  FloorDiv,
  LShift,
  MatMul,
  Mul,
  Mod,
  Or,
  Pow,
  RShift,
  Sub,
  TrueDiv,
  Xor,
};
constexpr unsigned kNumBinaryOps = 13;

/// COMPARE_OP's operand, numbered as CPython's Py_LT … Py_GE.
enum class CompareOp : uint8_t { Lt, Le, Eq, Ne, Gt, Ge };

/// LOAD_BUILTIN's operand: the builtins that CPython's compiler refers to without a name look-up.
enum class BuiltinConst : uint8_t {
  AssertionError,
  NotImplementedError,
  Tuple,
  All,
  Any,
  List,
  Set
};

/// SET_FUNCTION_ATTRIBUTE's operand.
enum class FunctionAttribute : uint8_t {
  Defaults = 1,    ///< tuple
  KwDefaults = 2,  ///< dict
  Annotations = 4, ///< tuple (name, value, name, value, …)
  Closure = 8,     ///< tuple of cells
  Annotate = 16,   ///< function (3.14+)
};

/// A row of Opcodes.def without its stack effect.
struct OpcodeInfo {
  Opcode opcode;
  llvm::StringLiteral name;
  OperandKind operand;
  OpFlow flow;
  bool mayRaise;
  OpFamily family;
};
const OpcodeInfo &getOpcodeInfo(Opcode opcode);
llvm::ArrayRef<OpcodeInfo> getAllOpcodeInfos();

/// "+", "@=", "<=", "AssertionError".
llvm::StringRef getBinaryOpSymbol(BinaryOp op, bool inPlace);
llvm::StringRef getCompareOpSymbol(CompareOp op);
llvm::StringRef getBuiltinConstName(BuiltinConst which);

/// No index.
constexpr uint32_t kNoIndex = ~0U;

/// As SourceLoc, without the file: lines and columns from 1, 0 is unknown.
struct SourceRange {
  uint32_t line = 0, endLine = 0, column = 0, endColumn = 0;
  bool operator==(const SourceRange &) const = default;
};

struct Instr {
  Opcode op;
  uint32_t arg = 0;
  uint32_t arg2 = 0;            ///< see the rows of LOAD_SUPER_* and IMPORT_NAME
  uint32_t target = kNoIndex;   ///< where it may jump: an instruction's index
  uint32_t keywords = kNoIndex; ///< CALL*: index into consts of the tuple of keyword names
  uint32_t offset = 0;          ///< byte offset in co_code of the instruction it comes from
  SourceRange range;

  const OpcodeInfo &info() const { return getOpcodeInfo(op); }
  BinaryOp binaryOp() const { return static_cast<BinaryOp>(arg % kNumBinaryOps); }
  bool isInPlace() const { return arg >= kNumBinaryOps; }
  CompareOp compareOp() const { return static_cast<CompareOp>(arg); }
};

struct StackEffect {
  uint32_t pops = 0;
  uint32_t pushes = 0;     ///< when it falls through
  uint32_t jumpPushes = 0; ///< when it jumps (FOR_ITER: 0; else as `pushes`)
};
StackEffect getStackEffect(const Instr &instr);

/// Where an exception goes: the stack is cut to `depth`, the exception pushed.
struct Handler {
  uint32_t target = kNoIndex;
  uint32_t depth = 0;
  bool exists() const { return target != kNoIndex; }
};

/// A code object's instructions with their flow graph. Instruction 0 is the entry; the last cannot
/// fall through.
struct CanonicalCode {
  const CodeObject *code = nullptr;
  std::vector<Instr> instrs;
  std::vector<Handler> handlers; ///< per instruction; only where it may raise
  std::vector<uint32_t> depths;  ///< stack depth before each instruction
  /// co_consts, then constants that instructions carried in their operand (small integers).
  std::vector<const Constant *> consts;
  /// co_names, then those of comprehensions that stand in place.
  std::vector<llvm::StringRef> names;
  /// Parameters, then others in the order of their first use, then free variables.
  std::vector<LocalSlot> locals;
  uint32_t maxDepth = 0;
  FlowGraph flow;

  uint32_t size() const { return instrs.size(); }
  uint32_t exitNode() const { return instrs.size(); }
  uint32_t unwindNode() const { return instrs.size() + 1; }
  SourceLoc location(uint32_t index) const;
};

} // namespace ptc

#endif // PTC_BYTECODE_INSTR_H
