//===- AtenDialect.h - The aten dialect --------------------------*- C++ -*-===//
//
// One registered op per record of AtenOps.td. What an op means is its row of the table; all of them
// share one model (parser, printer, verifier, effects), so that hundreds of overloads cost the
// compiler of ptc no more than one.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_IR_ATENDIALECT_H
#define PTC_DIALECT_ATEN_IR_ATENDIALECT_H

#include "ptc/Dialect/Aten/IR/Meta.h"
#include "ptc/Dialect/Aten/IR/OpTable.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ptc/Dialect/Aten/IR/AtenAttrs.h.inc"

namespace ptc::aten {

/// A schema argument of an op: its constant, or the operand it stands for.
class OpArg {
public:
  OpArg(mlir::Attribute attr, mlir::OperandRange operands) : attr(attr), operands(operands) {}
  /// The constant, an ArgAttr, or an array that may hold both.
  mlir::Attribute getAttr() const { return attr; }
  bool isNone() const { return llvm::isa<NoneAttr>(attr); }
  /// The operand, or null if this is a constant.
  mlir::Value getValue() const;
  /// The operands of a list of tensors; null for None elements.
  llvm::SmallVector<mlir::Value, 4> getValues() const;
  std::optional<int64_t> getInt() const;
  std::optional<bool> getBool() const;
  /// Also for integer constants.
  std::optional<double> getFloat() const;
  std::optional<llvm::StringRef> getString() const;
  std::optional<DType> getDType() const;
  /// None if any element is not a constant integer.
  std::optional<llvm::SmallVector<int64_t, 4>> getIntList() const;

private:
  mlir::Attribute attr;
  mlir::OperandRange operands;
};

/// Any operation of the dialect: `dyn_cast<AtenOp>(op)`.
class AtenOp : public mlir::OpState {
public:
  explicit AtenOp(mlir::Operation *op = nullptr) : OpState(op) {}
  static bool classof(mlir::Operation *op);

  OpId getOpId();
  const OpInfo &getInfo() { return getOpInfo(getOpId()); }
  mlir::ArrayAttr getArgs();
  OpArg getArg(unsigned index);
  /// By schema name; the schema must have it.
  OpArg getArg(llvm::StringRef name);

  mlir::LogicalResult verifySchema();
  static mlir::ParseResult parseAssembly(mlir::OpAsmParser &parser, mlir::OperationState &result);
  void printAssembly(mlir::OpAsmPrinter &printer);
  void getMemoryEffects(
      llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>
          &effects);
};

/// The operation of one overload: `dyn_cast<AddTensorOp>(op)`, OpRewritePattern<AddTensorOp>.
template <OpId Id> class OpOf : public AtenOp {
public:
  using AtenOp::AtenOp;
  static constexpr OpId kOpId = Id;
  static llvm::StringRef getOperationName();
  static bool classof(mlir::Operation *op) {
    return AtenOp::classof(op) && AtenOp(op).getOpId() == Id;
  }
};

#define PTC_ATEN_OP_CLASS(Class, Id, Name)                                                         \
  using Class = OpOf<OpId::Id>;                                                                    \
  template <> inline llvm::StringRef OpOf<OpId::Id>::getOperationName() { return Name; }
#include "ptc/Dialect/Aten/IR/AtenEnums.inc"

/// Collects operands and `args` of an op in schema order.
class OpArgBuilder {
public:
  explicit OpArgBuilder(mlir::MLIRContext *context) : context(context) {}
  OpArgBuilder &add(mlir::Value value);
  /// A list of tensors; null values are None.
  OpArgBuilder &add(llvm::ArrayRef<mlir::Value> values);
  /// A constant; symbolic integers become ExprAttr texts.
  OpArgBuilder &add(const ArgValue &value, sym::Context &symbols);
  OpArgBuilder &add(mlir::Attribute attr);

  llvm::ArrayRef<mlir::Value> getOperands() const { return operands; }
  mlir::ArrayAttr getArgs() const;

private:
  mlir::Attribute reference(mlir::Value value);
  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::Value, 4> operands;
  llvm::SmallVector<mlir::Attribute, 8> args;
};

AtenOp createOp(mlir::OpBuilder &builder, mlir::Location loc, OpId id, mlir::ValueRange operands,
                mlir::ArrayAttr args, mlir::TypeRange results);
inline AtenOp createOp(mlir::OpBuilder &builder, mlir::Location loc, OpId id,
                       const OpArgBuilder &args, mlir::TypeRange results) {
  return createOp(builder, loc, id, args.getOperands(), args.getArgs(), results);
}

/// A constant argument as an attribute; none for tensors and values known only at run time.
mlir::Attribute toAttr(mlir::MLIRContext *context, const ArgValue &value, sym::Context &symbols);

/// Element types: bool is i1, uint8 ui8, other integers signless, complex64 complex<f32>.
mlir::Type toType(mlir::MLIRContext *context, DType dtype);
std::optional<DType> toDType(mlir::Type type);
/// The tensor type with a MetaAttr if sizes are symbolic, strides not contiguous, the device not
/// the CPU or a gradient required.
mlir::RankedTensorType toType(mlir::MLIRContext *context, const TensorMeta &meta,
                              sym::Context &symbols);
/// The inverse; symbols are looked up by name. None if a text does not parse.
std::optional<TensorMeta> toMeta(mlir::RankedTensorType type, sym::Context &symbols);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_ATENDIALECT_H
