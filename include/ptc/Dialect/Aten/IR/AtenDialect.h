//===- AtenDialect.h - The aten dialect --------------------------*- C++ -*-===//
//
// One op class per record of AtenOps.td. The classes carry nothing but their name: what an op means
// is its row of the table, and all of them share one parser, printer and verifier.
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
  void printAssembly(mlir::OpAsmPrinter &printer);
  void getMemoryEffects(
      llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>
          &effects);
};

mlir::ParseResult parseAtenOp(const OpInfo &info, mlir::OpAsmParser &parser,
                              mlir::OperationState &result);

/// What every op class inherits; nothing here depends on the op but its id.
template <typename Concrete, OpId Id>
class AtenOpBase
    : public mlir::Op<Concrete, mlir::OpTrait::ZeroRegions, mlir::OpTrait::VariadicResults,
                      mlir::OpTrait::ZeroSuccessors, mlir::OpTrait::VariadicOperands,
                      mlir::MemoryEffectOpInterface::Trait> {
public:
  using Parent = AtenOpBase;
  using mlir::Op<Concrete, mlir::OpTrait::ZeroRegions, mlir::OpTrait::VariadicResults,
                 mlir::OpTrait::ZeroSuccessors, mlir::OpTrait::VariadicOperands,
                 mlir::MemoryEffectOpInterface::Trait>::Op;

  static constexpr OpId kOpId = Id;
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() {
    static constexpr llvm::StringRef names[] = {"args"};
    return names;
  }
  static mlir::ParseResult parse(mlir::OpAsmParser &parser, mlir::OperationState &result) {
    return parseAtenOp(getOpInfo(Id), parser, result);
  }
  void print(mlir::OpAsmPrinter &printer) { AtenOp(this->getOperation()).printAssembly(printer); }
  mlir::LogicalResult verify() { return AtenOp(this->getOperation()).verifySchema(); }
  void
  getEffects(llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>
                 &effects) {
    AtenOp(this->getOperation()).getMemoryEffects(effects);
  }
  OpArg getArg(llvm::StringRef name) { return AtenOp(this->getOperation()).getArg(name); }
};

#define PTC_ATEN_OP_CLASS(Class, Id, Name)                                                         \
  class Class : public AtenOpBase<Class, OpId::Id> {                                               \
  public:                                                                                          \
    using Parent::Parent;                                                                          \
    static constexpr llvm::StringLiteral getOperationName() { return Name; }                       \
  };
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
