//===- ElementBuilder.cpp - Operations on elements -------------------------------------===//
//
// In: elements and the DType that they stand for. Out: arith operations on them that give what
// eager's scalar code gives, defined for all operands.
//
//===----------------------------------------------------------------------===//
#include "ElementBuilder.h"

#include "ptc/TensorFile/HostTensor.h"

#include <cmath>

using namespace mlir;
using namespace ptc;

Type ptc::elementType(MLIRContext *context, DType dtype) {
  Builder b(context);
  switch (dtype) {
  case DType::Bool:
    return b.getI1Type();
  case DType::UInt8:
  case DType::Int8:
    return b.getI8Type();
  case DType::Int16:
    return b.getI16Type();
  case DType::Int32:
    return b.getI32Type();
  case DType::Int64:
    return b.getI64Type();
  case DType::Float16:
    return b.getF16Type();
  case DType::BFloat16:
    return b.getBF16Type();
  case DType::Float32:
    return b.getF32Type();
  case DType::Float64:
    return b.getF64Type();
  case DType::Complex64:
    return ComplexType::get(b.getF32Type());
  case DType::Complex128:
    return ComplexType::get(b.getF64Type());
  }
  llvm_unreachable("closed enum");
}

static bool isUnsigned(DType t) { return t == DType::UInt8 || isBool(t); }

double ptc::roundTo(DType t, double value) {
  return visitDType(t, [&](auto tag) -> double {
    using T = typename decltype(tag)::Type;
    if constexpr (IsComplexElement<T>::value)
      llvm_unreachable("a floating type");
    else
      return convertElement<double>(convertElement<T>(value));
  });
}

Value ElementBuilder::real(DType t, double value) {
  if (!isFloat(t))
    return integer(t, isBool(t) ? value != 0 : convertElement<int64_t>(value));
  return make<arith::ConstantOp>(b.getFloatAttr(typeOf(t), roundTo(t, value)));
}

Value ElementBuilder::integer(DType t, int64_t value) {
  if (isFloat(t))
    return real(t, double(value));
  unsigned width = typeOf(t).getIntOrFloatBitWidth();
  llvm::APInt bits(64, uint64_t(isBool(t) ? value != 0 : value));
  return make<arith::ConstantOp>(IntegerAttr::get(typeOf(t), bits.trunc(width)));
}

Value ElementBuilder::lowest(DType t) {
  if (isFloat(t))
    return real(t, -HUGE_VAL);
  int64_t bits = int64_t(getDTypeInfo(t).bytes) * 8;
  return integer(t, isUnsigned(t) ? 0 : INT64_MIN >> (64 - bits));
}

Value ElementBuilder::highest(DType t) {
  if (isFloat(t))
    return real(t, HUGE_VAL);
  int64_t bits = int64_t(getDTypeInfo(t).bytes) * 8;
  return integer(t, isBool(t) ? 1 : isUnsigned(t) ? 255 : INT64_MAX >> (64 - bits));
}

static Value integerFromFloat(ElementBuilder &e, Value v, DType from, DType to) {
  if (isHalf(from)) {
    v = e.convert(v, from, DType::Float32);
    from = DType::Float32;
  }
  // What does not fit gives what x86 gives: the least int64, for signed types below it the least
  // int32, cut to the width.
  using R = ElementBuilder::Relation;
  bool isShort = !isUnsigned(to) && getDTypeInfo(to).bytes <= 4;
  DType by = isShort ? DType::Int32 : DType::Int64;
  double limit = isShort ? 0x1p31 : 0x1p63;
  Value fits =
      e.both(from == DType::Float64 && isShort ? e.compare(from, R::GT, v, e.real(from, -limit - 1))
                                               : e.compare(from, R::GE, v, e.real(from, -limit)),
             e.compare(from, R::LT, v, e.real(from, limit)));
  Value safe = e.select(fits, v, e.real(from, 0));
  Value wide = e.make<arith::FPToSIOp>(e.typeOf(by), safe);
  wide = e.select(fits, wide, e.integer(by, isShort ? INT32_MIN : INT64_MIN));
  return e.convert(wide, by, to);
}

static Value floatFromFloat(ElementBuilder &e, Value v, DType from, DType to) {
  unsigned have = getDTypeInfo(from).bytes, want = getDTypeInfo(to).bytes;
  if (have < want)
    return e.make<arith::ExtFOp>(e.typeOf(to), v);
  if (have - want == 2 || (have == 8 && want == 4))
    return e.make<arith::TruncFOp>(e.typeOf(to), v);
  // Between the 16-bit types and from double to them: by way of float.
  return e.convert(e.convert(v, from, DType::Float32), DType::Float32, to);
}

Value ElementBuilder::convert(Value v, DType from, DType to) {
  if (from == to)
    return v;
  if (isBool(to))
    return notZero(from, v);
  Type type = typeOf(to);
  if (isFloat(from))
    return isFloat(to) ? floatFromFloat(*this, v, from, to) : integerFromFloat(*this, v, from, to);
  if (isHalf(to)) // an integer becomes a float first
    return convert(convert(v, from, DType::Float32), DType::Float32, to);
  if (isFloat(to))
    return isUnsigned(from) ? make<arith::UIToFPOp>(type, v) : make<arith::SIToFPOp>(type, v);
  unsigned have = v.getType().getIntOrFloatBitWidth(), want = type.getIntOrFloatBitWidth();
  if (have == want)
    return v;
  if (have > want)
    return make<arith::TruncIOp>(type, v);
  return isUnsigned(from) ? make<arith::ExtUIOp>(type, v) : make<arith::ExtSIOp>(type, v);
}

Value ElementBuilder::add(DType t, Value x, Value y) {
  if (isBool(t))
    return either(x, y);
  return isFloat(t) ? make<arith::AddFOp>(x, y) : make<arith::AddIOp>(x, y);
}

Value ElementBuilder::sub(DType t, Value x, Value y) {
  return isFloat(t) ? make<arith::SubFOp>(x, y) : make<arith::SubIOp>(x, y);
}

Value ElementBuilder::mul(DType t, Value x, Value y) {
  if (isBool(t))
    return both(x, y);
  return isFloat(t) ? make<arith::MulFOp>(x, y) : make<arith::MulIOp>(x, y);
}

/// Whether a divisor is -1, by which the least integer overflows, and 1 in place of it.
static std::pair<Value, Value> replaceMinusOne(ElementBuilder &e, DType t, Value y) {
  Value isMinusOne = e.compare(t, ElementBuilder::Relation::EQ, y, e.integer(t, -1));
  return {isMinusOne, e.select(isMinusOne, e.integer(t, 1), y)};
}

Value ElementBuilder::div(DType t, Value x, Value y) {
  if (isFloat(t))
    return make<arith::DivFOp>(x, y);
  if (isUnsigned(t))
    return make<arith::DivUIOp>(x, y);
  auto [isMinusOne, divisor] = replaceMinusOne(*this, t, y);
  Value quotient = make<arith::DivSIOp>(x, divisor);
  return select(isMinusOne, neg(t, x), quotient);
}

Value ElementBuilder::rem(DType t, Value x, Value y) {
  if (isFloat(t))
    return make<arith::RemFOp>(x, y);
  if (isUnsigned(t))
    return make<arith::RemUIOp>(x, y);
  return make<arith::RemSIOp>(x, replaceMinusOne(*this, t, y).second);
}

Value ElementBuilder::neg(DType t, Value x) {
  return isFloat(t) ? make<arith::NegFOp>(x) : sub(t, integer(t, 0), x);
}

Value ElementBuilder::compare(DType t, Relation relation, Value x, Value y) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F kFloat[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  static constexpr I kSigned[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I kUnsigned[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge};
  if (isFloat(t))
    return make<arith::CmpFOp>(kFloat[size_t(relation)], x, y);
  return make<arith::CmpIOp>((isUnsigned(t) ? kUnsigned : kSigned)[size_t(relation)], x, y);
}

Value ElementBuilder::isNan(DType t, Value x) {
  return isFloat(t) ? make<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x) : truth(false);
}

Value ElementBuilder::notZero(DType t, Value x) {
  return isBool(t) ? x : compare(t, Relation::NE, x, integer(t, 0));
}

Value ElementBuilder::maximum(DType t, Value x, Value y) {
  Value keep = compare(t, Relation::GE, x, y);
  return select(isFloat(t) ? either(isNan(t, x), keep) : keep, x, y);
}

Value ElementBuilder::minimum(DType t, Value x, Value y) {
  Value keep = compare(t, Relation::LE, x, y);
  return select(isFloat(t) ? either(isNan(t, x), keep) : keep, x, y);
}

Value ElementBuilder::clampIndex(Value i, Value size) {
  Value last = subIndex(size, index(1));
  return make<arith::MaxSIOp>(make<arith::MinSIOp>(i, last), index(0));
}
