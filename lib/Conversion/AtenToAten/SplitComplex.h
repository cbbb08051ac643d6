//===- SplitComplex.h - Complex tensors as pairs of reals -----------------------*- C++ -*-===//
//
// What split-complex builds with, and the operations that it takes.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CONVERSION_ATENTOATEN_SPLITCOMPLEX_H
#define PTC_LIB_CONVERSION_ATENTOATEN_SPLITCOMPLEX_H

#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "llvm/ADT/MapVector.h"

namespace ptc {

/// The type if it is that of a complex tensor, or null.
inline mlir::RankedTensorType complexTensor(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && llvm::isa<mlir::ComplexType>(tensor.getElementType()) ? tensor
                                                                         : mlir::RankedTensorType();
}

/// Builds parts and pairs. Metas of all types that it is given are known.
class ComplexParts {
public:
  explicit ComplexParts(mlir::MLIRContext *context)
      : b(context), loc(mlir::UnknownLoc::get(context)) {}

  std::optional<aten::TensorMeta> metaOf(mlir::RankedTensorType type);
  /// Of a type whose meta was asked for before.
  aten::TensorMeta knownMeta(mlir::RankedTensorType type);
  std::optional<llvm::SmallVector<int64_t>> orderOf(const aten::TensorMeta &meta);
  mlir::RankedTensorType pairType(mlir::RankedTensorType complex);
  mlir::RankedTensorType partType(mlir::RankedTensorType complex);
  mlir::RankedTensorType truthType(mlir::RankedTensorType complex);

  mlir::Value part(mlir::Value pair, mlir::RankedTensorType complex, int64_t index);
  mlir::Value overParts(mlir::Value real);
  mlir::Value pair(mlir::Value real, mlir::Value imag, mlir::RankedTensorType complex);
  mlir::Value make(aten::OpId id, const aten::OpArgBuilder &args, mlir::RankedTensorType type);
  mlir::Value unary(aten::OpId id, mlir::Value value, mlir::RankedTensorType type);
  mlir::Value binary(aten::OpId id, mlir::Value left, mlir::Value right,
                     mlir::RankedTensorType type);
  mlir::Value scaled(mlir::Value value, mlir::FloatAttr factor, mlir::RankedTensorType type);
  /// The value itself for -0.0, which changes no number.
  mlir::Value plus(mlir::Value value, double number, mlir::RankedTensorType type);

  /// What the type of a value is, or was before it became a pair; null if it is no tensor.
  mlir::RankedTensorType typeBefore(mlir::Value value) const {
    auto found = was.find(value);
    return found == was.end() ? llvm::dyn_cast<mlir::RankedTensorType>(value.getType())
                              : found->second;
  }

  llvm::MapVector<mlir::Value, mlir::RankedTensorType> was; ///< of complex tensors
  llvm::SmallVector<mlir::Operation *> replaced; ///< without uses, to be erased: `was` names them
  sym::Context symbols;
  mlir::OpBuilder b;
  mlir::Location loc;

private:
  mlir::RankedTensorType typeOf(const aten::TensorMeta &meta);
  mlir::Value view(mlir::Value base, llvm::ArrayRef<mlir::Attribute> step,
                   mlir::RankedTensorType type);
};

/// Of an operation with complex operands or results, before anything changes.
bool canSplitComplex(aten::AtenOp op, ComplexParts &parts);

/// Once the types of all complex values are those of pairs.
void splitComplex(aten::AtenOp op, ComplexParts &parts);

} // namespace ptc

#endif // PTC_LIB_CONVERSION_ATENTOATEN_SPLITCOMPLEX_H
