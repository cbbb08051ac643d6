//===- ScalarEval.cpp - arith and math on one element --------------------------------===//
//
// In: an operation of arith or math and its operands. Out: its result, computed in the operand's
// type: single precision in float, double in double, 16 bits rounded from float.
//
//===----------------------------------------------------------------------===//
#include "ScalarEval.h"

#include "ptc/TensorFile/Half.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/DenseMap.h"

#include <cmath>

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

Scalar ptc::plan::constantOf(Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return {.real = real.getValueAsDouble()};
  const llvm::APInt &bits = cast<IntegerAttr>(value).getValue();
  return {.integer = bits.getBitWidth() == 1 ? int64_t(bits.getZExtValue()) : bits.getSExtValue()};
}

DType ptc::plan::storageType(Type type) {
  if (type.isF16())
    return DType::Float16;
  if (type.isBF16())
    return DType::BFloat16;
  if (type.isF32())
    return DType::Float32;
  if (type.isF64())
    return DType::Float64;
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return width == 1    ? DType::Bool
         : width == 8  ? DType::Int8
         : width == 16 ? DType::Int16
         : width == 32 ? DType::Int32
                       : DType::Int64;
}

Scalar ptc::plan::narrow(Scalar value, DType type) {
  switch (type) {
  case DType::Bool:
    return {.integer = value.integer & 1};
  case DType::UInt8:
    return {.integer = uint8_t(value.integer)};
  case DType::Int8:
    return {.integer = int8_t(value.integer)};
  case DType::Int16:
    return {.integer = int16_t(value.integer)};
  case DType::Int32:
    return {.integer = int32_t(value.integer)};
  case DType::Float32:
    return {.real = float(value.real)};
  case DType::Float16:
    return {.real = float(Half(float(value.real)))};
  case DType::BFloat16:
    return {.real = float(BFloat16(float(value.real)))};
  case DType::Int64:
  case DType::Float64:
  case DType::Complex64:
  case DType::Complex128:
    return value;
  }
  llvm_unreachable("closed enum");
}

/// `Fn` in the precision of the operand, so that rounding happens once.
template <typename Fn> static Scalar inPrecision(Operation *op, Fn &&fn) {
  bool isDouble = op->getOperand(0).getType().isF64();
  return {.real = isDouble ? double(fn(double())) : double(fn(float()))};
}

#define PTC_UNARY(Op, Expr)                                                                        \
  {TypeID::get<Op>(), [](Operation *op, llvm::ArrayRef<Scalar> v) {                                \
     return inPrecision(op, [&](auto zero) {                                                       \
       using T = decltype(zero);                                                                   \
       T x = T(v[0].real);                                                                         \
       return T(Expr);                                                                             \
     });                                                                                           \
   }}
#define PTC_BINARY(Op, Expr)                                                                       \
  {TypeID::get<Op>(), [](Operation *op, llvm::ArrayRef<Scalar> v) {                                \
     return inPrecision(op, [&](auto zero) {                                                       \
       using T = decltype(zero);                                                                   \
       T x = T(v[0].real), y = T(v[1].real);                                                       \
       return T(Expr);                                                                             \
     });                                                                                           \
   }}
#define PTC_INTEGER(Op, Expr)                                                                      \
  {TypeID::get<Op>(), [](Operation *, llvm::ArrayRef<Scalar> v) {                                  \
     uint64_t x = uint64_t(v[0].integer), y = uint64_t(v[1].integer);                              \
     return Scalar{.integer = int64_t(Expr)};                                                      \
   }}

/// Integers without sign are kept as signed; an unsigned operation reads the bits of their width.
static uint64_t bitsOf(Operation *op, Scalar value) {
  Type type = op->getOperand(0).getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return llvm::APInt(64, uint64_t(value.integer)).trunc(width).getZExtValue();
}
#define PTC_SIGNED(Op, Expr)                                                                       \
  {TypeID::get<Op>(), [](Operation *, llvm::ArrayRef<Scalar> v) {                                  \
     int64_t x = v[0].integer, y = v[1].integer;                                                   \
     return Scalar{.integer = int64_t(Expr)};                                                      \
   }}
#define PTC_UNSIGNED(Op, Expr)                                                                     \
  {TypeID::get<Op>(), [](Operation *op, llvm::ArrayRef<Scalar> v) {                                \
     uint64_t x = bitsOf(op, v[0]), y = bitsOf(op, v[1]);                                          \
     return Scalar{.integer = int64_t(Expr)};                                                      \
   }}

static int64_t floorDivide(int64_t x, int64_t y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static Scalar compareFloats(Operation *op, llvm::ArrayRef<Scalar> v) {
  llvm::APFloat a(v[0].real), b(v[1].real);
  auto compare = cast<arith::CmpFOp>(op);
  return {.integer = arith::applyCmpPredicate(compare.getPredicate(), a, b)};
}

static Scalar compareIntegers(Operation *op, llvm::ArrayRef<Scalar> v) {
  unsigned width = op->getOperand(0).getType().isIndex()
                       ? 64
                       : op->getOperand(0).getType().getIntOrFloatBitWidth();
  llvm::APInt a = llvm::APInt(64, uint64_t(v[0].integer)).trunc(width);
  llvm::APInt b = llvm::APInt(64, uint64_t(v[1].integer)).trunc(width);
  auto compare = cast<arith::CmpIOp>(op);
  return {.integer = arith::applyCmpPredicate(compare.getPredicate(), a, b)};
}

static Scalar choose(Operation *, llvm::ArrayRef<Scalar> v) { return v[0].integer ? v[1] : v[2]; }
static Scalar pass(Operation *, llvm::ArrayRef<Scalar> v) { return v[0]; }
static Scalar zeroExtend(Operation *op, llvm::ArrayRef<Scalar> v) {
  return {.integer = int64_t(bitsOf(op, v[0]))};
}
/// Rounded once: by way of double, a wide integer would be rounded twice.
static Scalar toReal(Operation *op, llvm::ArrayRef<Scalar> v) {
  bool isUnsigned = isa<arith::UIToFPOp>(op);
  int64_t value = isUnsigned ? int64_t(bitsOf(op, v[0])) : v[0].integer;
  if (op->getResult(0).getType().isF64())
    return {.real = double(value)};
  return {.real = float(value)};
}
/// Values out of range are poison: here they are told apart from every number in range.
static Scalar toInteger(Operation *, llvm::ArrayRef<Scalar> v) {
  bool fits = v[0].real >= -0x1p63 && v[0].real < 0x1p63;
  return {.integer = fits ? int64_t(v[0].real) : INT64_MIN};
}

/// IEEE 754-2019: a NaN wins, and -0 is below +0.
template <typename T> static T maximum(T x, T y) {
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<T>::quiet_NaN();
  return x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
}

ScalarFunction ptc::plan::findScalarFunction(Operation *op) {
  static const llvm::DenseMap<TypeID, ScalarFunction> kFunctions = {
      PTC_BINARY(arith::AddFOp, x + y),
      PTC_BINARY(arith::SubFOp, x - y),
      PTC_BINARY(arith::MulFOp, x * y),
      PTC_BINARY(arith::DivFOp, x / y),
      PTC_BINARY(arith::RemFOp, std::fmod(x, y)),
      PTC_BINARY(arith::MaximumFOp, maximum(x, y)),
      PTC_BINARY(arith::MinimumFOp, -maximum(T(-x), T(-y))),
      PTC_BINARY(arith::MaxNumFOp, std::fmax(x, y)),
      PTC_BINARY(arith::MinNumFOp, std::fmin(x, y)),
      PTC_BINARY(math::Atan2Op, std::atan2(x, y)),
      PTC_BINARY(math::CopySignOp, std::copysign(x, y)),
      PTC_BINARY(math::PowFOp, std::pow(x, y)),
      PTC_UNARY(arith::NegFOp, -x),
      PTC_UNARY(math::AbsFOp, std::fabs(x)),
      PTC_UNARY(math::AcosOp, std::acos(x)),
      PTC_UNARY(math::AcoshOp, std::acosh(x)),
      PTC_UNARY(math::AsinOp, std::asin(x)),
      PTC_UNARY(math::AsinhOp, std::asinh(x)),
      PTC_UNARY(math::AtanOp, std::atan(x)),
      PTC_UNARY(math::AtanhOp, std::atanh(x)),
      PTC_UNARY(math::CeilOp, std::ceil(x)),
      PTC_UNARY(math::CosOp, std::cos(x)),
      PTC_UNARY(math::CoshOp, std::cosh(x)),
      PTC_UNARY(math::ErfOp, std::erf(x)),
      PTC_UNARY(math::ErfcOp, std::erfc(x)),
      PTC_UNARY(math::ExpOp, std::exp(x)),
      PTC_UNARY(math::Exp2Op, std::exp2(x)),
      PTC_UNARY(math::ExpM1Op, std::expm1(x)),
      PTC_UNARY(math::FloorOp, std::floor(x)),
      PTC_UNARY(math::LogOp, std::log(x)),
      PTC_UNARY(math::Log10Op, std::log10(x)),
      PTC_UNARY(math::Log1pOp, std::log1p(x)),
      PTC_UNARY(math::Log2Op, std::log2(x)),
      PTC_UNARY(math::RoundEvenOp, std::nearbyint(x)),
      PTC_UNARY(math::RsqrtOp, 1 / std::sqrt(x)),
      PTC_UNARY(math::SinOp, std::sin(x)),
      PTC_UNARY(math::SinhOp, std::sinh(x)),
      PTC_UNARY(math::SqrtOp, std::sqrt(x)),
      PTC_UNARY(math::TanOp, std::tan(x)),
      PTC_UNARY(math::TanhOp, std::tanh(x)),
      PTC_UNARY(math::TruncOp, std::trunc(x)),
      PTC_INTEGER(arith::AddIOp, x + y),
      PTC_INTEGER(arith::SubIOp, x - y),
      PTC_INTEGER(arith::MulIOp, x * y),
      PTC_INTEGER(arith::AndIOp, x & y),
      PTC_INTEGER(arith::OrIOp, x | y),
      PTC_INTEGER(arith::XOrIOp, x ^ y),
      PTC_INTEGER(arith::ShLIOp, x << y),
      PTC_UNSIGNED(arith::ShRUIOp, x >> y),
      PTC_UNSIGNED(arith::DivUIOp, x / y),
      PTC_UNSIGNED(arith::RemUIOp, x % y),
      PTC_UNSIGNED(arith::MaxUIOp, std::max(x, y)),
      PTC_UNSIGNED(arith::MinUIOp, std::min(x, y)),
      PTC_SIGNED(arith::ShRSIOp, x >> y),
      PTC_SIGNED(arith::DivSIOp, x / y),
      PTC_SIGNED(arith::RemSIOp, x % y),
      PTC_SIGNED(arith::MaxSIOp, std::max(x, y)),
      PTC_SIGNED(arith::MinSIOp, std::min(x, y)),
      PTC_SIGNED(arith::FloorDivSIOp, floorDivide(x, y)),
      {TypeID::get<arith::CmpFOp>(), compareFloats},
      {TypeID::get<arith::CmpIOp>(), compareIntegers},
      {TypeID::get<arith::SelectOp>(), choose},
      {TypeID::get<arith::ExtFOp>(), pass},
      {TypeID::get<arith::TruncFOp>(), pass},
      {TypeID::get<arith::UIToFPOp>(), toReal},
      {TypeID::get<arith::SIToFPOp>(), toReal},
      {TypeID::get<arith::FPToSIOp>(), toInteger},
      {TypeID::get<arith::ExtUIOp>(), zeroExtend},
      {TypeID::get<arith::ExtSIOp>(), pass},
      {TypeID::get<arith::TruncIOp>(), pass},
      {TypeID::get<arith::IndexCastOp>(), pass},
  };
  return kFunctions.lookup(op->getName().getTypeID());
}
