//===- SpecialFunctions.cpp - lgamma, digamma and erfinv of payloads ------------------------===//
//
// In: an operand of a payload. Out: arithmetic in double precision, made of operations that every
// target has, rounded to the payload's type at the end.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/SpecialFunctions.h"

#include "PayloadFunctions.h"

using namespace mlir;
using namespace ptc;

using R = ElementBuilder::Relation;

namespace {

/// The arithmetic of SpecialFunctions.h on values of a payload.
class Doubles {
public:
  using Value = mlir::Value;
  explicit Doubles(Payload &p) : p(p) {}

  Value from(Value v) { return p.e.convert(p.asNumber(v), p.type, t); }
  Value result(Value v) { return p.e.convert(v, t, p.type); }
  Value number(double v) { return p.e.real(t, v); }
  Value add(Value x, Value y) { return p.e.add(t, x, y); }
  Value sub(Value x, Value y) { return p.e.sub(t, x, y); }
  Value mul(Value x, Value y) { return p.e.mul(t, x, y); }
  Value div(Value x, Value y) { return p.e.div(t, x, y); }
  Value neg(Value x) { return p.e.neg(t, x); }
  Value abs(Value x) { return p.e.make<math::AbsFOp>(x); }
  Value floor(Value x) { return p.e.make<math::FloorOp>(x); }
  Value trunc(Value x) { return p.e.make<math::TruncOp>(x); }
  Value roundEven(Value x) { return p.e.make<math::RoundEvenOp>(x); }
  Value sqrt(Value x) { return p.e.make<math::SqrtOp>(x); }
  Value exp(Value x) { return p.e.make<math::ExpOp>(x); }
  Value log(Value x) { return p.e.make<math::LogOp>(x); }
  Value log1p(Value x) { return p.e.make<math::Log1pOp>(x); }
  Value sin(Value x) { return p.e.make<math::SinOp>(x); }
  Value tan(Value x) { return p.e.make<math::TanOp>(x); }
  Value erf(Value x) { return p.e.make<math::ErfOp>(x); }
  Value erfc(Value x) { return p.e.make<math::ErfcOp>(x); }
  Value copySign(Value x, Value sign) { return p.e.make<math::CopySignOp>(x, sign); }
  Value less(Value x, Value y) { return p.e.compare(t, R::LT, x, y); }
  Value equal(Value x, Value y) { return p.e.compare(t, R::EQ, x, y); }
  Value isNan(Value x) { return p.e.isNan(t, x); }
  Value negate(Value c) { return p.e.negate(c); }
  Value either(Value c, Value d) { return p.e.either(c, d); }
  Value select(Value c, Value x, Value y) { return p.e.select(c, x, y); }

private:
  Payload &p;
  static constexpr DType t = DType::Float64;
};

} // namespace

Value ptc::logGamma(Payload &p, ArrayRef<Value> operands) {
  Doubles d(p);
  return d.result(aten::logGamma(d, d.from(operands[0])));
}

Value ptc::digamma(Payload &p, ArrayRef<Value> operands) {
  Doubles d(p);
  return d.result(aten::digamma(d, d.from(operands[0])));
}

Value ptc::inverseErf(Payload &p, ArrayRef<Value> operands) {
  Doubles d(p);
  return d.result(aten::inverseErf(d, d.from(operands[0])));
}
