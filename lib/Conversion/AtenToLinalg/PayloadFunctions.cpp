//===- PayloadFunctions.cpp - What payloads call ----------------------------------------===//
//
// In: operands of one payload function. Out: operations that compute what eager's scalar code
// computes (ATen/native/cpu/*.cpp), as lib/Dialect/Aten/Eval/ScalarFunctions.cpp says it.
//
//===----------------------------------------------------------------------===//
#include "PayloadFunctions.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace ptc;

using Operands = ArrayRef<Value>;
using R = ElementBuilder::Relation;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// An operation of math on floats.
template <typename Op> static Value direct(Payload &p, Operands x) {
  SmallVector<Value, 2> floats;
  for (Value v : x)
    floats.push_back(p.asNumber(v));
  return p.e.make<Op>(floats);
}
/// In double precision, because libm's function of floats is more than two units in the last place
/// off.
template <typename Op> static Value inDouble(Payload &p, Operands x) {
  Value wide = p.e.convert(p.asNumber(x[0]), p.type, DType::Float64);
  return p.e.convert(p.e.make<Op>(wide), DType::Float64, p.type);
}
/// One that leaves integers as they are.
template <typename Op> static Value rounding(Payload &p, Operands x) {
  return isFloat(p.type) ? direct<Op>(p, x) : p.asNumber(x[0]);
}
template <R Relation> static Value relation(Payload &p, Operands x) {
  return p.compare(Relation, x[0], x[1]);
}
/// Bits of integers, truth of floats.
template <typename Op> static Value bits(Payload &p, Operands x) {
  bool areTruths = x[0].getType().isInteger(1) && x[1].getType().isInteger(1);
  if (areTruths || isFloat(p.type))
    return p.e.make<Op>(p.asTruth(x[0]), p.asTruth(x[1]));
  return p.e.make<Op>(p.asNumber(x[0]), p.asNumber(x[1]));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Value add(Payload &p, Operands x) {
  return p.e.add(p.type, p.asNumber(x[0]), p.asNumber(x[1]));
}
static Value sub(Payload &p, Operands x) {
  return p.e.sub(p.type, p.asNumber(x[0]), p.asNumber(x[1]));
}
static Value mul(Payload &p, Operands x) {
  return p.e.mul(p.type, p.asNumber(x[0]), p.asNumber(x[1]));
}
static Value neg(Payload &p, Operands x) { return p.e.neg(p.type, p.asNumber(x[0])); }

/// An integer divisor with 1 in place of 0; who made the kernel checks for it.
static Value safeDivisor(Payload &p, Value y) {
  y = p.asNumber(y);
  if (isFloat(p.type))
    return y;
  return p.e.select(p.e.notZero(p.type, y), y, p.number(1));
}
static Value divide(Payload &p, Operands x) {
  return p.e.div(p.type, p.asNumber(x[0]), safeDivisor(p, x[1]));
}
static Value fmod(Payload &p, Operands x) {
  return p.e.rem(p.type, p.asNumber(x[0]), safeDivisor(p, x[1]));
}

/// Not zero, and of another sign than `y`.
static Value hasOtherSign(Payload &p, Value rest, Value y) {
  Value signs = p.e.negate(p.e.compare(DType::Bool, R::EQ, p.compare(R::LT, rest, p.number(0)),
                                       p.compare(R::LT, y, p.number(0))));
  return p.e.both(p.e.notZero(p.type, rest), signs);
}
static Value remainder(Payload &p, Operands x) {
  Value y = safeDivisor(p, x[1]), rest = p.e.rem(p.type, p.asNumber(x[0]), y);
  return p.e.select(hasOtherSign(p, rest, y), p.e.add(p.type, rest, y), rest);
}

/// A step of a kernel whose arithmetic is that of c10::Half and c10::BFloat16, whose results are
/// rounded one by one. Where operand 1 is a single value, eager's kernels work in float.
static Value step(Payload &p, Value v) {
  bool isHalf = p.eager == DType::Float16 || p.eager == DType::BFloat16;
  if (!isHalf || p.single & 2)
    return v;
  return p.e.convert(p.e.convert(v, p.type, p.eager), p.eager, p.type);
}

/// c10/util/generic_math.h, div_floor_floating: exact where a / b is not.
static Value floorDivideFloats(Payload &p, Value a, Value b) {
  ElementBuilder &e = p.e;
  DType t = p.type;
  Value plain = e.div(t, a, b), rest = e.rem(t, a, b);
  Value quotient = step(p, e.div(t, step(p, e.sub(t, a, rest)), b));
  Value below = step(p, e.sub(t, quotient, p.number(1)));
  quotient = e.select(hasOtherSign(p, rest, b), below, quotient);
  Value floor = e.make<math::FloorOp>(quotient);
  Value isShort = e.compare(t, R::GT, e.sub(t, quotient, floor), p.number(0.5));
  Value result = e.select(isShort, e.add(t, floor, p.number(1)), floor);
  Value signedZero = e.make<math::CopySignOp>(p.number(0), plain);
  result = e.select(e.compare(t, R::EQ, quotient, p.number(0)), signedZero, result);
  return e.select(e.compare(t, R::EQ, b, p.number(0)), plain, result);
}
static Value floorDivide(Payload &p, Operands x) {
  Value a = p.asNumber(x[0]), b = safeDivisor(p, x[1]);
  if (isFloat(p.type))
    return floorDivideFloats(p, a, b);
  Value quotient = p.e.div(p.type, a, b);
  Value isAbove = hasOtherSign(p, p.e.rem(p.type, a, b), b);
  return p.e.select(isAbove, p.e.sub(p.type, quotient, p.number(1)), quotient);
}
static Value divideByMode(Payload &p, Operands x) {
  if (!(p.present & 4))
    return divide(p, x);
  if (p.word == "floor")
    return floorDivide(p, x);
  Value quotient = divide(p, x);
  return isFloat(p.type) ? p.e.make<math::TruncOp>(step(p, quotient)) : quotient;
}

/// base ** exponent modulo 2 to the width, by squaring; 1, -1 and 0 below an exponent of 0.
static Value powerOfIntegers(Payload &p, Value base, Value exponent) {
  ElementBuilder &e = p.e;
  DType t = p.type;
  Value result = p.number(1), square = base, rest = exponent;
  Value isOdd = e.notZero(t, e.make<arith::AndIOp>(exponent, p.number(1)));
  unsigned width = base.getType().getIntOrFloatBitWidth();
  APInt known;
  unsigned bitsToDo = width;
  if (matchPattern(exponent, m_ConstantInt(&known)) && !known.isNegative())
    bitsToDo = known.getActiveBits();
  for (unsigned bit = 0; bit < bitsToDo; ++bit) {
    Value takes = e.notZero(t, e.make<arith::AndIOp>(rest, p.number(1)));
    result = e.select(takes, e.mul(t, result, square), result);
    if (bit + 1 == bitsToDo)
      break;
    square = e.mul(t, square, square);
    rest = e.make<arith::ShRUIOp>(rest, p.number(1));
  }
  if (t == DType::UInt8)
    return result;
  Value one = p.number(1), minusOne = p.number(-1), zero = p.number(0);
  Value inverse =
      e.select(e.compare(t, R::EQ, base, one), one,
               e.select(e.compare(t, R::EQ, base, minusOne), e.select(isOdd, minusOne, one), zero));
  return e.select(e.compare(t, R::LT, exponent, zero), inverse, result);
}
static Value power(Payload &p, Operands x) {
  Value base = p.asNumber(x[0]), exponent = p.asNumber(x[1]);
  if (!isFloat(p.type))
    return powerOfIntegers(p, base, exponent);
  Value square = p.e.mul(p.type, base, base);
  APFloat known(0.0);
  if (matchPattern(exponent, m_ConstantFloat(&known))) {
    if (known.isExactlyValue(2))
      return square;
    return p.e.make<math::PowFOp>(base, exponent);
  }
  Value isTwo = p.compare(R::EQ, exponent, p.number(2));
  return p.e.select(isTwo, square, p.e.make<math::PowFOp>(base, exponent));
}

/// ATen/native/cpu/PowKernel.cpp, pow_tensor_scalar_kernel: powers to which eager takes another way
/// if the exponent is a number, which differ from pow() in the last place, for infinities and for
/// -0.
static Value powerOfNumber(Payload &p, Operands x) {
  if (!isFloat(p.type))
    return power(p, x);
  Value base = p.asNumber(x[0]), exponent = p.asNumber(x[1]), one = p.number(1);
  auto mul = [&](Value a, Value b) { return p.e.mul(p.type, a, b); };
  // A product of c10::BFloat16 is one; those of c10::Half are made in float.
  auto square = [&] {
    Value made = mul(base, base);
    return p.eager == DType::BFloat16
               ? p.e.convert(p.e.convert(made, p.type, p.eager), p.eager, p.type)
               : made;
  };
  auto inverse = [&](Value a) { return p.e.div(p.type, one, a); };
  struct Row {
    double exponent;
    bool half; ///< for 16-bit floats with 5 bits of exponent, too
    llvm::function_ref<Value()> value;
  };
  auto cube = [&] { return mul(square(), base); };
  auto root = [&] { return p.e.make<math::SqrtOp>(base); };
  auto inverseRoot = [&] { return inverse(p.e.make<math::SqrtOp>(base)); };
  auto reciprocal = [&] { return inverse(base); };
  auto inverseSquare = [&] { return inverse(square()); };
  const Row rows[] = {{3, true, cube},
                      {0.5, false, root},
                      {-0.5, false, inverseRoot},
                      {-1, false, reciprocal},
                      {-2, false, inverseSquare}};
  bool isHalf = p.eager == DType::Float16;
  APFloat known(0.0);
  bool isKnown = matchPattern(exponent, m_ConstantFloat(&known));
  Value result = isKnown ? Value() : power(p, x);
  for (const Row &row : rows) {
    if (isHalf && !row.half)
      continue;
    if (isKnown && known.isExactlyValue(row.exponent))
      return row.value();
    if (!isKnown)
      result = p.e.select(p.compare(R::EQ, exponent, p.number(row.exponent)), row.value(), result);
  }
  return isKnown ? power(p, x) : result;
}

static Value absolute(Payload &p, Operands x) {
  Value v = p.asNumber(x[0]);
  if (isFloat(p.type))
    return p.e.make<math::AbsFOp>(v);
  return p.e.select(p.compare(R::LT, v, p.number(0)), p.e.neg(p.type, v), v);
}
/// -1, 0 or 1; 0 for NaN.
static Value sign(Payload &p, Operands x) {
  Value v = p.asNumber(x[0]), zero = p.number(0);
  Value below =
      p.type == DType::UInt8 ? zero : p.select(p.compare(R::LT, v, zero), p.number(-1), zero);
  return p.select(p.compare(R::GT, v, zero), p.number(1), below);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static Value maximum(Payload &p, Operands x) {
  return p.e.maximum(p.type, p.asNumber(x[0]), p.asNumber(x[1]));
}
static Value minimum(Payload &p, Operands x) {
  return p.e.minimum(p.type, p.asNumber(x[0]), p.asNumber(x[1]));
}
/// The second operand where the first is NaN or worse, else the first: a NaN loses.
template <R AsGood> static Value numberOf(Payload &p, Operands x) {
  Value keep = p.compare(AsGood, x[0], x[1]);
  return p.select(p.e.either(p.e.isNan(p.type, p.asNumber(x[1])), keep), x[0], x[1]);
}
/// Limits that are not there do not limit; NaN stays, and a NaN limit gives NaN.
static Value clamp(Payload &p, Operands x) {
  Value value = p.asNumber(x[0]);
  auto limit = [&](Value bound, R beyond) {
    bound = p.asNumber(bound);
    Value replaces = p.compare(beyond, value, bound);
    if (isFloat(p.type)) // but a NaN stays
      replaces = p.e.both(p.e.negate(p.e.isNan(p.type, value)),
                          p.e.either(p.e.isNan(p.type, bound), replaces));
    value = p.e.select(replaces, bound, value);
  };
  if (p.present & 2)
    limit(x[1], R::LT);
  if (p.present & 4)
    limit(x[2], R::GT);
  return value;
}
static Value select(Payload &p, Operands x) { return p.select(p.asTruth(x[0]), x[1], x[2]); }

//===----------------------------------------------------------------------===//
// Bits and classes
//===----------------------------------------------------------------------===//

static Value bitNot(Payload &p, Operands x) {
  if (isBool(p.eager) || isFloat(p.type) || x[0].getType().isInteger(1))
    return p.e.negate(p.asTruth(x[0]));
  return p.e.make<arith::XOrIOp>(p.asNumber(x[0]), p.e.integer(p.type, -1));
}
/// Eager's shifts by what is negative or too much.
static Value isShift(Payload &p, Value count, int64_t most) {
  Value inside = p.compare(R::LT, count, p.e.integer(p.type, most));
  return p.e.both(inside, p.compare(R::GE, count, p.number(0)));
}
static Value leftShift(Payload &p, Operands x) {
  Value v = p.asNumber(x[0]), count = p.asNumber(x[1]), zero = p.number(0);
  Value fits = isShift(p, count, v.getType().getIntOrFloatBitWidth());
  return p.e.select(fits, p.e.make<arith::ShLIOp>(v, p.e.select(fits, count, zero)), zero);
}
static Value rightShift(Payload &p, Operands x) {
  Value v = p.asNumber(x[0]), count = p.asNumber(x[1]);
  int64_t width = v.getType().getIntOrFloatBitWidth();
  if (p.type == DType::UInt8) {
    Value fits = isShift(p, count, width), zero = p.number(0);
    return p.e.select(fits, p.e.make<arith::ShRUIOp>(v, p.e.select(fits, count, zero)), zero);
  }
  Value fits = isShift(p, count, width - 1);
  return p.e.make<arith::ShRSIOp>(v, p.e.select(fits, count, p.e.integer(p.type, width - 1)));
}

static Value isNan(Payload &p, Operands x) { return p.e.isNan(p.type, p.asNumber(x[0])); }
static Value magnitude(Payload &p, Value v, R relation) {
  return p.compare(relation, p.e.make<math::AbsFOp>(p.asNumber(v)), p.number(HUGE_VAL));
}
static Value isInfinite(Payload &p, Operands x) {
  return isFloat(p.type) ? magnitude(p, x[0], R::EQ) : p.e.truth(false);
}
static Value isFinite(Payload &p, Operands x) {
  return isFloat(p.type) ? magnitude(p, x[0], R::LT) : p.e.truth(true);
}
static Value signBit(Payload &p, Operands x) {
  if (!isFloat(p.type))
    return p.compare(R::LT, x[0], p.number(0));
  Value one = p.e.make<math::CopySignOp>(p.number(1), p.asNumber(x[0]));
  return p.compare(R::LT, one, p.number(0));
}

static Value nanToNum(Payload &p, Operands x) {
  Value v = p.asNumber(x[0]);
  if (!isFloat(p.type))
    return v;
  double largest = p.eager == DType::Float16    ? 65504
                   : p.eager == DType::BFloat16 ? 0x1.fep127
                   : p.type == DType::Float64   ? std::numeric_limits<double>::max()
                                                : double(std::numeric_limits<float>::max());
  Value nan = p.present & 2 ? p.asNumber(x[1]) : p.number(0);
  Value above = p.present & 4 ? p.asNumber(x[2]) : p.number(largest);
  Value below = p.present & 8 ? p.asNumber(x[3]) : p.number(-largest);
  Value result = p.select(p.compare(R::EQ, v, p.number(HUGE_VAL)), above, v);
  result = p.select(p.compare(R::EQ, v, p.number(-HUGE_VAL)), below, result);
  return p.select(p.e.isNan(p.type, v), nan, result);
}

//===----------------------------------------------------------------------===//
// Composites that eager computes as one
//===----------------------------------------------------------------------===//

static Value xlogy(Payload &p, Operands x) {
  Value a = p.asNumber(x[0]), b = p.asNumber(x[1]);
  p.single = 0; // no kernel of its own for one value
  Value product = p.e.mul(p.type, a, step(p, p.e.make<math::LogOp>(b)));
  Value result = p.select(p.compare(R::EQ, a, p.number(0)), p.number(0), product);
  return p.select(p.e.isNan(p.type, b), b, result);
}
static Value logAddExp(Payload &p, Operands x) {
  ElementBuilder &e = p.e;
  DType t = p.type;
  Value a = p.asNumber(x[0]), b = p.asNumber(x[1]);
  Value most = p.select(p.compare(R::LT, a, b), b, a);
  Value gap = e.neg(t, e.make<math::AbsFOp>(e.sub(t, a, b)));
  Value sum = e.add(t, most, e.make<math::Log1pOp>(Value(e.make<math::ExpOp>(gap))));
  Value same = e.both(magnitude(p, a, R::EQ), p.compare(R::EQ, a, b));
  return e.select(same, a, sum);
}
static Value lerp(Payload &p, Operands x) {
  ElementBuilder &e = p.e;
  DType t = p.type;
  Value start = p.asNumber(x[0]), end = p.asNumber(x[1]), weight = p.asNumber(x[2]);
  Value way = e.sub(t, end, start);
  Value near = e.compare(t, R::LT, e.make<math::AbsFOp>(weight), p.number(0.5));
  return e.select(near, e.add(t, start, e.mul(t, weight, way)),
                  e.sub(t, end, e.mul(t, way, e.sub(t, p.number(1), weight))));
}
static Value logit(Payload &p, Operands x) {
  Value v = p.asNumber(x[0]);
  if (p.present & 2) {
    Value low = p.asNumber(x[1]), high = p.e.sub(p.type, p.number(1), low);
    Value cut = p.select(p.compare(R::GT, v, high), high, v);
    v = p.select(p.compare(R::LT, v, low), low, cut);
  }
  return p.e.make<math::LogOp>(Value(p.e.div(p.type, v, p.e.sub(p.type, p.number(1), v))));
}

/// x * Phi(x), or its approximation by tanh (Hendrycks and Gimpel, 2016).
static Value gelu(Payload &p, Operands v) {
  Value x = p.asNumber(v[0]);
  auto mul = [&](Value a, Value c) { return p.e.mul(p.type, a, c); };
  auto add = [&](Value a, Value c) { return p.e.add(p.type, a, c); };
  if (p.word == "tanh") {
    Value cube = mul(mul(x, x), x);
    Value inner = mul(p.number(std::numbers::sqrt2 * std::numbers::inv_sqrtpi),
                      add(x, mul(p.number(0.044715), cube)));
    Value bend = p.e.make<math::TanhOp>(inner);
    return mul(mul(p.number(0.5), x), add(p.number(1), bend));
  }
  Value part = p.e.make<math::ErfOp>(mul(x, p.number(std::numbers::sqrt2 / 2)));
  return mul(mul(x, p.number(0.5)), add(p.number(1), part));
}

/// The larger leg times sqrt(1 + (smaller / larger)^2), which does not overflow on the way.
static Value hypotenuse(Payload &p, Operands x) {
  ElementBuilder &e = p.e;
  DType t = p.type;
  Value a = e.make<math::AbsFOp>(p.asNumber(x[0])), b = e.make<math::AbsFOp>(p.asNumber(x[1]));
  Value most = p.select(p.compare(R::LT, a, b), b, a);
  Value least = p.select(p.compare(R::LT, a, b), a, b);
  Value ratio = e.div(t, least, most);
  Value root = e.make<math::SqrtOp>(Value(e.add(t, p.number(1), e.mul(t, ratio, ratio))));
  Value result = p.select(p.compare(R::EQ, most, p.number(0)), most, e.mul(t, most, root));
  result = p.select(e.either(e.isNan(t, a), e.isNan(t, b)), e.add(t, a, b), result);
  Value isInfinite = e.either(magnitude(p, a, R::EQ), magnitude(p, b, R::EQ));
  return p.select(isInfinite, p.number(HUGE_VAL), result);
}

PayloadFunction ptc::findPayloadFunction(StringRef name) {
  static const llvm::StringMap<PayloadFunction> kFunctions = {
      {"abs", absolute},
      {"acos", direct<math::AcosOp>},
      {"acosh", direct<math::AcoshOp>},
      {"add", add},
      {"and", bits<arith::AndIOp>},
      {"asin", direct<math::AsinOp>},
      {"asinh", direct<math::AsinhOp>},
      {"atan", direct<math::AtanOp>},
      {"atan2", direct<math::Atan2Op>},
      {"atanh", direct<math::AtanhOp>},
      {"ceil", rounding<math::CeilOp>},
      {"clamp", clamp},
      {"copysign", direct<math::CopySignOp>},
      {"cos", direct<math::CosOp>},
      {"cosh", direct<math::CoshOp>},
      {"digamma", digamma},
      {"div", divide},
      {"div_mode", divideByMode},
      {"eq", relation<R::EQ>},
      {"erf", direct<math::ErfOp>},
      {"erfc", inDouble<math::ErfcOp>},
      {"erfinv", inverseErf},
      {"exp", direct<math::ExpOp>},
      {"exp2", direct<math::Exp2Op>},
      {"expm1", direct<math::ExpM1Op>},
      {"floor", rounding<math::FloorOp>},
      {"floordiv", floorDivide},
      {"fmax", numberOf<R::GE>},
      {"fmin", numberOf<R::LE>},
      {"fmod", fmod},
      {"ge", relation<R::GE>},
      {"gelu", gelu},
      {"gt", relation<R::GT>},
      {"hypot", hypotenuse},
      {"isfinite", isFinite},
      {"isinf", isInfinite},
      {"isnan", isNan},
      {"le", relation<R::LE>},
      {"left_shift", leftShift},
      {"lerp", lerp},
      {"lgamma", logGamma},
      {"log", direct<math::LogOp>},
      {"log10", inDouble<math::Log10Op>},
      {"log1p", direct<math::Log1pOp>},
      {"log2", direct<math::Log2Op>},
      {"logaddexp", logAddExp},
      {"logit", logit},
      {"lt", relation<R::LT>},
      {"max", maximum},
      {"maximum", maximum},
      {"min", minimum},
      {"minimum", minimum},
      {"mul", mul},
      {"nan_to_num", nanToNum},
      {"ne", relation<R::NE>},
      {"neg", neg},
      {"not", bitNot},
      {"or", bits<arith::OrIOp>},
      {"pow", power},
      {"pow_number", powerOfNumber},
      {"remainder", remainder},
      {"right_shift", rightShift},
      {"roundeven", rounding<math::RoundEvenOp>},
      {"select", select},
      {"sign", sign},
      {"signbit", signBit},
      {"sin", direct<math::SinOp>},
      {"sinh", direct<math::SinhOp>},
      {"sqrt", direct<math::SqrtOp>},
      {"sub", sub},
      {"tan", direct<math::TanOp>},
      {"tanh", direct<math::TanhOp>},
      {"trunc", rounding<math::TruncOp>},
      {"xlogy", xlogy},
      {"xor", bits<arith::XOrIOp>},
  };
  return kFunctions.lookup(name);
}
