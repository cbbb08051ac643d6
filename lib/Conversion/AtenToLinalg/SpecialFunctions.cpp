//===- SpecialFunctions.cpp - lgamma, digamma and erfinv of payloads ------------------------===//
//
// In: an operand of a payload. Out: arithmetic in double precision, made of operations that every
// target has, rounded to the payload's type at the end. All cases are computed and one is selected.
//
//===----------------------------------------------------------------------===//
#include "PayloadFunctions.h"

#include "ptc/Dialect/Aten/IR/GammaSeries.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace ptc;

using R = ElementBuilder::Relation;

namespace {

/// Arithmetic in double precision.
class Doubles {
public:
  explicit Doubles(Payload &p) : p(p) {}

  Value from(Value v) { return p.e.convert(p.asNumber(v), p.type, t); }
  Value result(Value v) { return p.e.convert(v, t, p.type); }
  Value number(double v) { return p.e.real(t, v); }
  Value add(Value x, Value y) { return p.e.add(t, x, y); }
  Value sub(Value x, Value y) { return p.e.sub(t, x, y); }
  Value mul(Value x, Value y) { return p.e.mul(t, x, y); }
  Value div(Value x, Value y) { return p.e.div(t, x, y); }
  Value less(Value x, double y) { return p.e.compare(t, R::LT, x, number(y)); }
  Value equal(Value x, Value y) { return p.e.compare(t, R::EQ, x, y); }
  Value select(Value c, Value x, Value y) { return p.e.select(c, x, y); }
  template <typename Op> Value call(Value x) { return p.e.make<Op>(x); }
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double c : llvm::reverse(coefficients.drop_back()))
      sum = add(mul(sum, x), number(c));
    return sum;
  }
  /// x - n for the integer n that is nearest to it.
  Value fraction(Value x) { return sub(x, call<math::RoundEvenOp>(x)); }

  Value logGammaOfPositive(Value a);
  Value digammaOfPositive(Value a);

private:
  Payload &p;
  static constexpr DType t = DType::Float64;
};

} // namespace

/// Below 3/2 the series about 1, which is that about 2 less log(1 + z), and below 1/2 less log(a);
/// below 8 the series about 2 and the logarithm of what the recurrence multiplies by; else
/// Stirling's. At most 3 units in the last place.
Value Doubles::logGammaOfPositive(Value a) {
  Value isTiny = less(a, 0.5), isSmall = less(a, 1.5), isLarge = p.e.negate(less(a, 8));
  Value one = number(1), down = a, product = one;
  for (int i = 0; i < 6; ++i) {
    Value goes = p.e.compare(t, R::GT, down, number(2.5));
    down = select(goes, sub(down, one), down);
    product = select(goes, mul(product, down), product);
  }
  Value z = select(isTiny, a, select(isSmall, sub(a, one), sub(down, number(2))));
  Value series = mul(z, polynomial(z, aten::kLogGammaNearTwo));
  Value argument = select(p.e.either(isTiny, isLarge), a, select(isSmall, one, product));
  Value log = call<math::LogOp>(argument);
  Value aboutOne = sub(sub(series, call<math::Log1pOp>(z)), log);
  Value inverse = div(one, a);
  Value rest = mul(inverse, polynomial(mul(inverse, inverse), aten::kStirling));
  Value stirling = sub(mul(a, sub(log, one)), mul(number(0.5), log));
  stirling = add(stirling, add(number(aten::kHalfLogTwoPi), rest));
  stirling = select(equal(a, number(HUGE_VAL)), a, stirling);
  return select(isLarge, stirling, select(isSmall, aboutOne, add(series, log)));
}

/// Of a negative number by reflection: log(pi / (|x| sin(pi |x|))) - lgamma(|x|); infinity at the
/// poles.
Value ptc::logGamma(Payload &p, ArrayRef<Value> operands) {
  Doubles d(p);
  Value x = d.from(operands[0]), a = d.call<math::AbsFOp>(x);
  Value positive = d.logGammaOfPositive(a);
  Value angle = d.mul(d.number(std::numbers::pi), d.call<math::AbsFOp>(d.fraction(a)));
  Value ratio = d.div(d.number(std::numbers::pi), d.call<math::SinOp>(angle));
  Value reflected = d.sub(d.sub(d.call<math::LogOp>(ratio), d.call<math::LogOp>(a)), positive);
  Value isPole = d.equal(d.call<math::FloorOp>(x), x);
  reflected = d.select(isPole, d.number(HUGE_VAL), reflected);
  Value isNegative = p.e.negate(p.e.compare(DType::Float64, R::GT, x, d.number(0)));
  Value isNan = p.e.isNan(DType::Float64, x);
  return d.result(d.select(isNan, x, d.select(isNegative, reflected, positive)));
}

/// The recurrence up to 10, then the asymptotic series, Bernoulli numbers B(2n) over 2n.
Value Doubles::digammaOfPositive(Value a) {
  static constexpr double kSeries[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                       1.0 / 132, -691.0 / 32760, 1.0 / 12};
  Value one = number(1), none = number(0), x = a, sum = none;
  for (int i = 0; i < 10; ++i) {
    Value goes = less(x, 10);
    sum = sub(sum, select(goes, div(one, x), none));
    x = select(goes, add(x, one), x);
  }
  Value inverse = div(one, mul(x, x)), power = inverse;
  for (double term : kSeries) {
    sum = sub(sum, mul(number(term), power));
    power = mul(power, inverse);
  }
  return sub(add(sum, call<math::LogOp>(x)), div(number(0.5), x));
}

/// Of a negative number by reflection: digamma(1 - x) - pi / tan(pi x). Infinity at zero, NaN at
/// the other poles.
Value ptc::digamma(Payload &p, ArrayRef<Value> operands) {
  Doubles d(p);
  Value x = d.from(operands[0]), pi = d.number(std::numbers::pi);
  Value isNegative = d.less(x, 0), whole = d.call<math::TruncOp>(x);
  Value positive = d.digammaOfPositive(d.select(isNegative, d.sub(d.number(1), x), x));
  Value tangent = d.call<math::TanOp>(d.mul(pi, d.sub(x, whole)));
  Value reflected = d.sub(positive, d.div(pi, tangent));
  reflected =
      d.select(d.equal(whole, x), d.number(std::numeric_limits<double>::quiet_NaN()), reflected);
  Value atZero = p.e.make<math::CopySignOp>(d.number(HUGE_VAL), p.e.neg(DType::Float64, x));
  return d.result(
      d.select(d.equal(x, d.number(0)), atZero, d.select(isNegative, reflected, positive)));
}

/// Winitzki's approximation, then two of Halley's steps, each of which triples the digits. Above
/// 1/2 the difference of erfc keeps its digits.
Value ptc::inverseErf(Payload &p, ArrayRef<Value> operands) {
  Doubles d(p);
  Value y = d.from(operands[0]), a = d.call<math::AbsFOp>(y), one = d.number(1);
  constexpr double kShape = 0.147;
  Value log = d.call<math::Log1pOp>(p.e.neg(DType::Float64, d.mul(a, a)));
  Value middle = d.add(d.number(2 / (std::numbers::pi * kShape)), d.mul(d.number(0.5), log));
  Value under = d.sub(d.mul(middle, middle), d.div(log, d.number(kShape)));
  Value x = d.call<math::SqrtOp>(d.sub(d.call<math::SqrtOp>(under), middle));
  Value isNear = p.e.compare(DType::Float64, R::GT, a, d.number(0.5));
  for (int i = 0; i < 2; ++i) {
    Value error = d.select(isNear, d.sub(d.sub(one, a), d.call<math::ErfcOp>(x)),
                           d.sub(d.call<math::ErfOp>(x), a));
    Value bell = d.call<math::ExpOp>(p.e.neg(DType::Float64, d.mul(x, x)));
    Value step = d.div(error, d.mul(d.number(2 * std::numbers::inv_sqrtpi), bell));
    x = d.sub(x, d.div(step, d.add(one, d.mul(x, step))));
  }
  x = d.select(d.equal(a, one), d.number(HUGE_VAL), x);
  return d.result(p.e.make<math::CopySignOp>(x, y));
}
