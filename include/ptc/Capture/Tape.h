//===- Tape.h - What capture records ----------------------------*- C++ -*-===//
//
// A structured SSA program: blocks of operations, regions inside Switch and Loop. It is what the
// executor writes while it runs; Emit.cpp turns it into a `ptc.program` module at the end. It
// exists beside MLIR because sides of a branch are recorded, thrown away and recorded again while
// loops close: appending, truncating and finding an operation again by content are all O(1), value
// ids are plain numbers that grow with time, and the engine (and its fuzzers) build without MLIR.
//
// A value that a path does not have is `undef` (id 0): it may be yielded and picked, never used.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_TAPE_H
#define PTC_CAPTURE_TAPE_H

#include "ptc/Capture/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>
#include <vector>

namespace ptc::capture {

enum class TapeOp : uint8_t {
#define TAPE_OP(Name, Pure, Lenient) Name,
#include "ptc/Capture/TapeOps.def"
};
llvm::StringRef tapeOpName(TapeOp op);
bool isPure(TapeOp op);
bool isLenient(TapeOp op);

inline constexpr ValueId kUndef = 0;

enum class TapeType : uint8_t { None, Bool, Int, Float, Selector, Tensor, List, Generator };

/// Type of one SSA value. Tensors and lists (their elements) carry the full meta.
struct TapeValue {
  TapeType type = TapeType::None;
  NumberType number = NumberType::NotNumber; ///< of a list of numbers: of which type
  ptc::DType dtype = ptc::DType::Float32;
  bool requiresGrad = false;
  uint64_t device = 0;
  /// Of a number: the operations that may have made this object in Python, by their results, and
  /// never twice the same one. None: not known, as for what a caller gives or a loop carries.
  llvm::SmallVector<ValueId, 1> makers;
  llvm::SmallVector<sym::Expr, 4> sizes, strides;
};

/// The type of a run-time number.
inline TapeType tapeTypeOf(NumberType type) {
  assert(type != NumberType::NotNumber && "a number");
  return type == NumberType::Bool  ? TapeType::Bool
         : type == NumberType::Int ? TapeType::Int
                                   : TapeType::Float;
}

/// An operand or attribute: an SSA value, a constant, or a list of these.
struct TapeArg {
  enum class Kind : uint8_t {
    None,
    Value,
    Bool,
    Int,
    Float,
    Complex,
    Str,
    DType,
    Device,
    Layout,
    MemoryFormat,
    List,
  };
  Kind kind = Kind::None;
  uint64_t bits = 0; ///< ValueId, or the constant by its bits
  double imaginary = 0;
  std::string text;
  std::vector<TapeArg> items;

  static TapeArg value(ValueId id) { return {Kind::Value, id, 0, {}, {}}; }
  static TapeArg none() { return {}; }
  static TapeArg boolean(bool b) { return {Kind::Bool, b, 0, {}, {}}; }
  static TapeArg integer(int64_t i) { return {Kind::Int, static_cast<uint64_t>(i), 0, {}, {}}; }
  static TapeArg real(double d);
  static TapeArg str(llvm::StringRef text) { return {Kind::Str, 0, 0, text.str(), {}}; }
  static TapeArg dtype(ptc::DType t) { return {Kind::DType, uint64_t(t), 0, {}, {}}; }
  static TapeArg list(std::vector<TapeArg> items) {
    return {Kind::List, 0, 0, {}, std::move(items)};
  }

  bool isValue() const { return kind == Kind::Value; }
  ValueId id() const { return assert(isValue()), ValueId(bits); }
  int64_t asInt() const { return static_cast<int64_t>(bits); }
  double asReal() const;
  bool operator==(const TapeArg &) const;
};
size_t hashOf(const TapeArg &arg);

struct TapeBlock;

/// One recorded operation.
struct TapeInstr {
  TapeOp op = TapeOp::Switch;
  uint16_t aten = 0;          ///< aten::OpId of Aten, AtenView, AtenRandom
  SourceId source = 0;        ///< place in the user's program
  std::vector<TapeArg> args;  ///< operands, then what the row says; Aten: schema order
  std::vector<TapeArg> attrs; ///< constants that are no operands: table, cases, name …
  llvm::SmallVector<ValueId, 2> results;
  std::vector<std::unique_ptr<TapeBlock>> regions;

  TapeInstr() = default;
  /// With copies of the regions, whose parent is `block`.
  TapeInstr(const TapeInstr &other, TapeBlock *block);
  TapeInstr(TapeInstr &&) noexcept = default;
  TapeInstr &operator=(TapeInstr &&) noexcept = default;
};

struct TapeBlock {
  TapeBlock *parent = nullptr;
  std::vector<ValueId> args;
  std::vector<TapeInstr> instrs;
  std::vector<TapeArg> yields;
  /// Pure operations by content hash → place in instrs.
  llvm::DenseMap<size_t, llvm::SmallVector<uint32_t, 1>> memo;

  explicit TapeBlock(TapeBlock *parent = nullptr) : parent(parent) {}
  /// Takes over what another one holds, as copies; the parent stays.
  void copyFrom(const TapeBlock &other);
  /// Abandons what was recorded behind the first n operations.
  void truncate(size_t n);
  size_t countInstrs() const;
  size_t depth() const;
};

class Tape {
public:
  Tape() : values(1) {}

  ValueId makeValue(TapeValue type) {
    type.makers.clear();
    values.push_back(std::move(type));
    return ValueId(values.size() - 1);
  }
  const TapeValue &type(ValueId id) const { return values[id]; }
  TapeValue &type(ValueId id) { return values[id]; }
  /// The id that the next value will get.
  ValueId nextId() const { return ValueId(values.size()); }

  /// Appends to `block`, or finds an equal pure operation there or in an enclosing block.
  /// `types`: one per result.
  /// Returns the results; good until the block changes.
  llvm::ArrayRef<ValueId> record(TapeBlock &block, TapeInstr instr,
                                 llvm::ArrayRef<TapeValue> types);

  /// `result` is one of `alternatives`: tells its makers.
  void chooseMakers(ValueId result, llvm::ArrayRef<TapeArg> alternatives);

  /// Are the results of the types that `types` wants?
  bool haveTypes(llvm::ArrayRef<ValueId> results, llvm::ArrayRef<TapeValue> types) const;

  void print(llvm::raw_ostream &os, const TapeBlock &block, unsigned indent = 0) const;

private:
  std::vector<TapeValue> values;
};

} // namespace ptc::capture

#endif // PTC_CAPTURE_TAPE_H
