//===- OpTable.h - The table of ATen overloads -------------------*- C++ -*-===//
//
// One row per record of AtenOps.td, free of MLIR: capture, meta, the evaluator, the oracle and
// `ptc list ops` read the same facts. Rows are constant data; a `const OpInfo &` never dies.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_IR_OPTABLE_H
#define PTC_DIALECT_ATEN_IR_OPTABLE_H

#include "ptc/Support/DType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ptc::aten {

/// One enumerator per overload: its name with `.` as `_` (`add_Tensor`; `relu` for a default one).
enum class OpId : uint16_t {
#define PTC_ATEN_OP(Id) Id,
#include "ptc/Dialect/Aten/IR/AtenEnums.inc"
};

/// How the result's element type follows from the arguments; described in AtenOps.td.
enum class DTypeRule : uint8_t {
#define PTC_ATEN_DTYPE_RULE(Name) Name,
#include "ptc/Dialect/Aten/IR/AtenEnums.inc"
};

/// Which shape function computes sizes and strides; described in AtenOps.td.
enum class ShapeRule : uint8_t {
#define PTC_ATEN_SHAPE_RULE(Name) Name,
#include "ptc/Dialect/Aten/IR/AtenEnums.inc"
};

/// Base types of schema arguments. `int` and `SymInt` are both Int.
enum class ArgType : uint8_t {
  Tensor,
  Int,
  Float,
  Bool,
  Scalar, ///< a Python number: bool, int, float or complex
  Str,
  DType,
  Layout,
  Device,
  MemoryFormat,
  Generator,
};

/// What an argument is when the call leaves it out.
struct ArgDefault {
  enum class Kind : uint8_t { Required, None, Bool, Int, Float, Str, IntList, MemoryFormat, DType };
  Kind kind = Kind::Required;
  int64_t i = 0;                     ///< Bool, Int, MemoryFormat (c10's number), DType (ours)
  double f = 0;                      ///< Float
  llvm::StringRef s = {};            ///< Str
  llvm::ArrayRef<int64_t> list = {}; ///< IntList
};

struct ArgInfo {
  llvm::StringLiteral name;
  ArgType type;
  bool isOptional = false;          ///< `T?` or `T[]?`: None is allowed
  bool isList = false;              ///< `T[]`
  bool hasOptionalElements = false; ///< `Tensor?[]`
  uint8_t listSize = 0; ///< `int[2]`: a single int stands for that many; 0: no such rule
  bool isKeywordOnly = false;
  bool isOperand = false; ///< broadcasts and takes part in type promotion
  ArgDefault defaultValue = {};
};

struct ReturnInfo {
  llvm::StringLiteral name; ///< "" if the schema gives none
  ArgType type;
  bool isList = false;
};

/// Properties of a record, as bits of OpInfo::flags.
enum class OpFlag : uint16_t {
  View = 1,          ///< the results share the storage of argument 0
  MaybeView = 2,     ///< shares storage or copies, by sizes and strides (reshape, contiguous, to)
  Random = 4,        ///< reads and advances a generator
  DataDependent = 8, ///< a size of the result depends on the elements of an argument
  NoGrad = 16,       ///< the result never requires a gradient
  Inplace = 32,      ///< `name_` exists: the result of this overload is written to argument 0
  Mutates = 64,      ///< also updates arguments in place (running statistics of batch norm)
  HostRead = 128,    ///< the result is a run-time scalar made from elements (item, equal)
  Numbers = 256,     ///< a Python number may stand for a Tensor argument (binary arithmetic)
  MayFail = 512,     ///< eager may raise for certain elements (indices out of range)
};

struct OpInfo {
  OpId id;
  llvm::StringLiteral name;     ///< schema name with overload: "add.Tensor", "relu"
  llvm::StringLiteral schema;   ///< verbatim from native_functions.yaml
  llvm::ArrayRef<ArgInfo> args; ///< in schema order
  llvm::ArrayRef<ReturnInfo> returns;
  DTypeRule dtypeRule;
  ShapeRule shapeRule;
  uint16_t flags;
  llvm::ArrayRef<llvm::StringLiteral> spellings; ///< Python names that may mean this overload
  llvm::ArrayRef<llvm::StringLiteral> inplaceSpellings;
  llvm::StringLiteral inplaceName; ///< "add_.Tensor", "" if there is no in-place form
  llvm::StringLiteral kernel;      ///< eager's kernel in `"…" not implemented for 'Long'`
  uint16_t kernelTypes;            ///< a bit per DType that the kernel takes
  llvm::StringLiteral payload;     ///< what an element is, see AtenOps.td; "" if not elementwise
  llvm::StringLiteral valueForm;   ///< Mutates: the overload that returns what this one updates
  llvm::StringLiteral updatesWhen; ///< Mutates: the bool argument that says whether it updates

  bool kernelTakes(DType dtype) const { return kernelTypes >> unsigned(dtype) & 1; }
  bool has(OpFlag flag) const { return flags & uint16_t(flag); }
  /// Name without overload ("add") and overload without name ("Tensor", "" for a default one).
  llvm::StringRef baseName() const { return llvm::StringRef(name).split('.').first; }
  llvm::StringRef overload() const { return llvm::StringRef(name).split('.').second; }
  std::optional<unsigned> findArg(llvm::StringRef argName) const;
};

const OpInfo &getOpInfo(OpId id);
/// All rows, in the order of the enumerators.
llvm::ArrayRef<OpInfo> getAllOpInfos();
/// By schema name ("add.Tensor", "relu"; "aten." or "aten::" in front is allowed).
const OpInfo *findOp(llvm::StringRef name);

/// An overload that a Python spelling may mean.
struct Spelling {
  llvm::StringLiteral name; ///< "torch.add", "Tensor.__add__", "torch.nn.functional.linear", …
  OpId id;
  bool isInplace;
};
/// All spellings, sorted by name, overloads of one name in the order of the records (the order in
/// which eager tries them).
llvm::ArrayRef<Spelling> getAllSpellings();
/// The overloads behind `name`; empty if no record has it.
llvm::ArrayRef<Spelling> findSpelling(llvm::StringRef name);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_OPTABLE_H
