//===- ElementBuilder.h - Operations on elements --------------------*- C++ -*-===//
//
// Builds arith and math operations on single elements. Values carry the storage type of a DType;
// operations take the DType, because integers have no sign in a kernel. 16-bit floats are converted
// to single precision before anything is computed.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CONVERSION_ATENTOLINALG_ELEMENTBUILDER_H
#define PTC_LIB_CONVERSION_ATENTOLINALG_ELEMENTBUILDER_H

#include "ptc/Support/DType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace ptc {

/// The type of elements inside a kernel: signless.
mlir::Type elementType(mlir::MLIRContext *context, DType dtype);
inline bool isHalf(DType t) { return t == DType::Float16 || t == DType::BFloat16; }
/// The type in which eager's kernels compute elements of `dtype`: float for 16-bit floats.
inline DType computeType(DType dtype) { return isHalf(dtype) ? DType::Float32 : dtype; }

/// A number as an element of the floating type `t` holds it; 16 bits by way of float.
double roundTo(DType t, double value);

struct ElementBuilder {
  mlir::OpBuilder &b;
  mlir::Location loc;

  using Value = mlir::Value;
  mlir::Type typeOf(DType t) { return elementType(b.getContext(), t); }
  template <typename Op, typename... Args> Value make(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }

  //===--- Constants and conversions ----------------------------------------===//
  /// `value` as an element of `t`: rounded, cut as eager casts a Python number.
  Value real(DType t, double value);
  Value integer(DType t, int64_t value);
  Value truth(bool value) { return make<mlir::arith::ConstantOp>(b.getBoolAttr(value)); }
  Value index(int64_t value) { return make<mlir::arith::ConstantIndexOp>(value); }
  /// The lowest and the highest value: infinities for floats.
  Value lowest(DType t);
  Value highest(DType t);
  /// As eager's casts: to bool tests against zero, floats are cut towards zero.
  Value convert(Value v, DType from, DType to);
  /// i64 to index and back.
  Value toIndex(Value v) { return make<mlir::arith::IndexCastOp>(b.getIndexType(), v); }
  Value fromIndex(Value v) { return make<mlir::arith::IndexCastOp>(b.getI64Type(), v); }

  //===--- Arithmetic in type `t` (Bool: add is or, mul is and) ----------------===//
  Value add(DType t, Value x, Value y);
  Value sub(DType t, Value x, Value y);
  Value mul(DType t, Value x, Value y);
  /// Cut towards zero for integers, whose divisor is not 0.
  Value div(DType t, Value x, Value y);
  /// The remainder that belongs to `div`.
  Value rem(DType t, Value x, Value y);
  Value neg(DType t, Value x);

  //===--- Truth values ---------------------------------------------------------===//
  enum class Relation : uint8_t { EQ, NE, LT, LE, GT, GE };
  /// Comparisons with NaN are false, but NE.
  Value compare(DType t, Relation relation, Value x, Value y);
  Value isNan(DType t, Value x);
  Value notZero(DType t, Value x);
  Value both(Value x, Value y) { return make<mlir::arith::AndIOp>(x, y); }
  Value either(Value x, Value y) { return make<mlir::arith::OrIOp>(x, y); }
  Value negate(Value x) { return make<mlir::arith::XOrIOp>(x, truth(true)); }
  Value select(Value condition, Value x, Value y) {
    return make<mlir::arith::SelectOp>(condition, x, y);
  }
  /// x if it is NaN or as good as y, else y: a NaN in either wins, and of equal ones the first.
  Value maximum(DType t, Value x, Value y);
  Value minimum(DType t, Value x, Value y);

  //===--- Indices ------------------------------------------------------------------===//
  Value addIndex(Value x, Value y) { return make<mlir::arith::AddIOp>(x, y); }
  Value subIndex(Value x, Value y) { return make<mlir::arith::SubIOp>(x, y); }
  Value mulIndex(Value x, Value y) { return make<mlir::arith::MulIOp>(x, y); }
  Value compareIndex(mlir::arith::CmpIPredicate predicate, Value x, Value y) {
    return make<mlir::arith::CmpIOp>(predicate, x, y);
  }
  /// Into 0 … size - 1; `size` is not 0 where this is read.
  Value clampIndex(Value i, Value size);
};

} // namespace ptc

#endif // PTC_LIB_CONVERSION_ATENTOLINALG_ELEMENTBUILDER_H
