//===- Emitter.h - State of emitting one variant -----------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_EMIT_EMITTER_H
#define PTC_LIB_CAPTURE_EMIT_EMITTER_H

#include "../DevicePayload.h"
#include "ptc/Capture/Emit.h"
#include "ptc/Dialect/Aten/IR/Meta.h"
#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ptc::capture {

/// capture::Value is what the executor computes with; here values are MLIR's.
using Ssa = mlir::Value;

/// Emits blocks of one program's tape where `b` stands.
class Emitter {
public:
  using Symbols = llvm::SmallVector<sym::SymbolId, 4>;

  /// `owner` holds what all variants of the entry share: tape, top block, literals, places.
  Emitter(const Program &program, const Program &owner, mlir::OpBuilder &builder)
      : p(program), owner(owner), b(builder) {}

  // Emit.cpp
  mlir::Location locOf(SourceId source) const;
  mlir::Location locOf(const SourceLoc &loc) const;
  mlir::Type typeOf(const TapeValue &type) const;
  mlir::Type typeOf(ValueId id) const { return typeOf(owner.tape.type(id)); }
  void bind(ValueId id, mlir::Value value) { values[id] = value; }
  bool isBound(ValueId id) const { return values.contains(id); }
  mlir::Value lookup(ValueId id) const;

  /// `arg` as a value of `type`: made undefined, constant or converted where needed.
  mlir::Value valueOf(const TapeArg &arg, mlir::Type type, mlir::Location loc);
  /// `arg` as a value of its own type.
  mlir::Value valueOf(const TapeArg &arg, mlir::Location loc);
  /// i1 or index; a position in a Python list is an int until it selects.
  mlir::Value selectorOf(const TapeArg &arg, mlir::Location loc);
  mlir::Value convert(mlir::Value value, mlir::Type type, mlir::Location loc);
  /// A constant; null if `arg` is an SSA value.
  mlir::Attribute constantOf(const TapeArg &arg) const;
  /// As an argument of an aten operation: SSA values go into `operands`, and #aten.arg names them.
  mlir::Attribute argumentOf(const TapeArg &arg, llvm::SmallVectorImpl<mlir::Value> &operands,
                             mlir::Location loc);
  /// The steps of AtenView and Scatter.
  mlir::ArrayAttr stepsOf(const TapeArg &steps, llvm::SmallVectorImpl<mlir::Value> &operands,
                          mlir::Location loc);

  void emitBlock(const TapeBlock &block);
  /// EmitOps.cpp
  void emit(const TapeInstr &instr);

  /// EmitResult.cpp: one region of program.finish.
  void emitExit(size_t exit);

private:
  // EmitOps.cpp
  void emitSwitch(const TapeInstr &instr, mlir::Location loc);
  void emitLoop(const TapeInstr &instr, mlir::Location loc);
  void emitAten(const TapeInstr &instr, mlir::Location loc);
  void emitText(const TapeInstr &instr, mlir::Location loc);
  bool emitStructural(const TapeInstr &instr, mlir::Location loc);
  bool emitTensorOp(const TapeInstr &instr, mlir::Location loc);
  bool emitListOp(const TapeInstr &instr, mlir::Location loc);
  mlir::Value emitNumber(const TapeInstr &instr, mlir::Type type, mlir::Location loc);
  mlir::Value emitFloat(const TapeInstr &instr, mlir::Value x, mlir::Value y, mlir::Location loc);
  mlir::Value emitInt(const TapeInstr &instr, mlir::Value x, mlir::Value y, mlir::Location loc);
  mlir::Value emitBits(const TapeInstr &instr, mlir::Value x, mlir::Value y, mlir::Location loc);
  mlir::Value emitCompare(const TapeInstr &instr, mlir::Location loc);
  mlir::Value emitCast(const TapeInstr &instr, mlir::Location loc);
  llvm::SmallVector<mlir::Value> yieldsOf(llvm::ArrayRef<TapeArg> yields, mlir::TypeRange types,
                                          mlir::Location loc);

  // EmitSizes.cpp
  /// A result whose type has names that neither it nor its operands say: it is made with names of
  /// its own (`type`), and then gets its type with the values of the others.
  struct Naming {
    TapeValue type;
    llvm::SmallVector<mlir::Value, 2> numbers;
    llvm::SmallVector<mlir::Attribute, 2> symbols; ///< their names
  };
  void emitSizeExpr(const TapeInstr &instr, mlir::Location loc);
  /// A size expression as text.
  mlir::StringAttr sizeText(int64_t index);
  /// A size of a tensor, or a stride (Program.h).
  mlir::Value sizeOf(mlir::Value tensor, int64_t dimension, mlir::Location loc);
  bool isInput(sym::SymbolId id) const;
  mlir::Value valueOfSymbol(sym::SymbolId id, mlir::Location loc);
  void addNames(llvm::ArrayRef<TapeArg> args, Symbols &out) const;
  Naming namingOf(const TapeValue &type, llvm::ArrayRef<TapeArg> operands, mlir::Location loc);
  mlir::Value named(mlir::Value value, const Naming &naming, mlir::Type type, mlir::Location loc);

  // EmitResult.cpp
  /// Operands that trees read.
  struct Leaves {
    llvm::SmallVector<Ssa> values;
    int64_t add(Ssa value);
  };
  struct Tree;
  program::OutAttr treeOf(const OutValue &value, Tree &tree);
  /// Text as capture's TextTree.h says it.
  program::OutAttr textOf(const TapeArg &text, Leaves &leaves, mlir::Location loc);

  const Program &p, &owner;
  mlir::OpBuilder &b;
  llvm::DenseMap<ValueId, mlir::Value> values;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_EMIT_EMITTER_H
