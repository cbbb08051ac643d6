//===- RawCode.h - Instructions as a version of CPython wrote them -*- C++ -*-===//
#ifndef PTC_LIB_BYTECODE_RAWCODE_H
#define PTC_LIB_BYTECODE_RAWCODE_H

#include "ptc/Bytecode/Instr.h"

#include "llvm/Support/Error.h"

namespace ptc::raw {

/// Opcodes of all versions by name.
enum class Op : uint8_t {
#define PTC_RAW_SAME(Name, Canonical) Name,
#define PTC_RAW_DROP(Name) Name,
#define PTC_RAW_OWN(Name) Name,
#define PTC_RAW_INTERNAL(Name) Name,
#include "RawOps.def"
  Invalid ///< no opcode of this version has the number
};

enum class Rule : uint8_t { Same, Drop, Own, Internal };
struct OpInfo {
  llvm::StringLiteral name;
  Rule rule;
  Opcode canonical; ///< for Rule::Same
};
const OpInfo &getOpInfo(Op op);

/// What a call to CPython's LOAD_COMMON_CONSTANT loads.
enum class CommonConstant : uint8_t {
  // In the order of BuiltinConst.
  AssertionError,
  NotImplementedError,
  Tuple,
  All,
  Any,
  List,
  Set,
  // Values.
  None,
  EmptyStr,
  True,
  False,
  MinusOne
};

enum class ForIterEnd : uint8_t { Pops, PopsPastEnd, Keeps };

struct VersionTable {
  Op ops[256];
  uint8_t caches[256];
  std::optional<Opcode> intrinsics1[32], intrinsics2[32]; ///< by number
  std::optional<CommonConstant> commonConstants[32];
  bool nullBelow, methodBit; ///< the columns of Versions.def
  uint8_t compareShift, boolBit;
  ForIterEnd forIterEnd;
};
const VersionTable &getVersionTable(PythonVersion version);

struct Instr {
  Op op;
  uint32_t arg;
  uint32_t start;  ///< offset of its first EXTENDED_ARG, or of itself
  uint32_t offset; ///< of itself
  uint32_t next;   ///< offset behind its caches
};

/// Whether a jump's operand counts backwards from `next`.
bool isBackward(Op op);
/// Whether the operand is a distance.
bool isJump(Op op);

struct ExceptionEntry {
  uint32_t begin, end, target; ///< byte offsets
  uint32_t depth;
  bool pushLasti;
};

/// A problem in a code object, for BytecodeInvalid.
using Problem = std::string;

/// Instructions of `code`; false and a reason if they are cut off or unknown.
bool parseInstrs(const CodeObject &code, std::vector<Instr> &out, Problem &why);
bool parseExceptions(const CodeObject &code, std::vector<ExceptionEntry> &out, Problem &why);
/// A range per instruction.
bool parseLocations(const CodeObject &code, llvm::ArrayRef<Instr> instrs,
                    std::vector<SourceRange> &out, Problem &why);

} // namespace ptc::raw

#endif // PTC_LIB_BYTECODE_RAWCODE_H
