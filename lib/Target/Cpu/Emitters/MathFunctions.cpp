//===- MathFunctions.cpp - Functions of vectors of floats -------------------------------------===//
//
// In: math operations on vectors of f32. Out: arithmetic, at most 2 units in the last place from
// the function over all of f32, subnormal results and arguments, infinities and NaN included.
// Polynomials are those of tools/gen/math_coefficients.sollya. Other types and functions stay calls
// of libm.
//
//===----------------------------------------------------------------------===//
#include "Emitters.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <numbers>

using namespace mlir;
using namespace ptc::cpu;

namespace {

/// Arithmetic on vectors of f32, f64 and i32 of one length.
class Lanes {
public:
  Lanes(OpBuilder &b, Location loc, VectorType type, bool hasFma)
      : b(loc, b), type(type), ints(type.clone(b.getI32Type())), wides(type.clone(b.getF64Type())),
        hasFma(hasFma) {}

  ImplicitLocOpBuilder b;

  Value real(float v) { return arith::ConstantOp::create(b, DenseElementsAttr::get(type, v)); }
  Value integer(int32_t v) { return arith::ConstantOp::create(b, DenseElementsAttr::get(ints, v)); }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  /// x * y + z
  Value fma(Value x, Value y, Value z) {
    return hasFma ? Value(math::FmaOp::create(b, x, y, z)) : add(mul(x, y), z);
  }
  Value abs(Value x) { return math::AbsFOp::create(b, x); }
  Value withSign(Value x, Value sign) { return math::CopySignOp::create(b, x, sign); }
  Value select(Value c, Value x, Value y) { return arith::SelectOp::create(b, c, x, y); }
  Value compare(arith::CmpFPredicate p, Value x, Value y) {
    return arith::CmpFOp::create(b, p, x, y);
  }
  Value less(Value x, Value y) { return compare(arith::CmpFPredicate::OLT, x, y); }
  Value isNan(Value x) { return compare(arith::CmpFPredicate::UNO, x, x); }
  Value bits(Value x) { return arith::BitcastOp::create(b, ints, x); }
  Value fromBits(Value x) { return arith::BitcastOp::create(b, type, x); }
  Value toInt(Value x) { return arith::FPToSIOp::create(b, ints, x); }
  Value toReal(Value x) { return arith::SIToFPOp::create(b, type, x); }
  Value constant(float v) { return real(v); }
  Value constant(double v) { return wide(v); }
  /// The sum of coefficients[i] * x^i, in the precision of the coefficients.
  template <typename Real> Value polynomial(Value x, ArrayRef<Real> coefficients) {
    Value sum = constant(coefficients.back());
    for (Real c : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, constant(c));
    return sum;
  }
  /// 2^n for -126 <= n <= 127.
  Value powerOfTwo(Value n) {
    Value biased = arith::AddIOp::create(b, n, integer(127));
    return fromBits(arith::ShLIOp::create(b, biased, integer(23)));
  }

  //===--- In double precision ----------------------------------------------------===//
  Value wide(double v) { return arith::ConstantOp::create(b, DenseElementsAttr::get(wides, v)); }
  Value widen(Value x) { return arith::ExtFOp::create(b, wides, x); }
  Value narrow(Value x) { return arith::TruncFOp::create(b, type, x); }
  /// The integer that is nearest to a number below 2^31, as both types. Added to 1.5 * 2^52 it is
  /// the lower half of the bits; zero comes out without a sign.
  std::pair<Value, Value> nearestInt(Value x) {
    Value shift = wide(0x1.8p52), sum = add(x, shift);
    Value bits = arith::BitcastOp::create(b, type.clone(b.getI64Type()), sum);
    return {sub(sum, shift), arith::TruncIOp::create(b, ints, bits)};
  }

  //===--- Bits -------------------------------------------------------------------===//
  Value both(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value differ(Value x, Value y) { return arith::XOrIOp::create(b, x, y); }
  Value isNonzero(Value x) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, integer(0));
  }
  Value equal(Value x, float y) { return compare(arith::CmpFPredicate::OEQ, x, real(y)); }
  Value timesPowerOfTwo(Value y, Value n);
  std::pair<Value, Value> splitExponent(Value x);

  Value exp(Value x);
  Value log(Value x);
  Value tanh(Value x);
  Value erf(Value x);
  Value sin(Value x) { return sinOrCos<math::SinOp>(x, 0); }
  Value cos(Value x) { return sinOrCos<math::CosOp>(x, 1); }
  Value pow(Value x, Value y);

private:
  Value expInside(Value x);
  Value sinFrom(Value x, int32_t quadrant);
  template <typename Op> Value sinOrCos(Value x, int32_t quadrant);
  Value powOfMagnitude(Value magnitude, Value y);

  VectorType type, ints, wides;
  bool hasFma;
};

} // namespace

/// y * 2^n, in two steps, so that results may be subnormal, for -252 <= n <= 254.
Value Lanes::timesPowerOfTwo(Value y, Value n) {
  Value half = arith::ShRSIOp::create(b, n, integer(1));
  Value rest = arith::SubIOp::create(b, n, half);
  return mul(mul(y, powerOfTwo(half)), powerOfTwo(rest));
}

/// n and m with x = m * 2^n and m between sqrt(1/2) and sqrt(2), for positive x.
std::pair<Value, Value> Lanes::splitExponent(Value x) {
  Value tiny = less(x, real(0x1p-126F));
  Value scaled = select(tiny, mul(x, real(0x1p23F)), x);
  constexpr int32_t kRootHalf = 0x3f3504f3;
  Value above = arith::SubIOp::create(b, bits(scaled), integer(kRootHalf));
  Value n = arith::ShRSIOp::create(b, above, integer(23));
  Value shift = arith::ShLIOp::create(b, n, integer(23));
  Value m = fromBits(arith::SubIOp::create(b, bits(scaled), shift));
  return {select(tiny, arith::SubIOp::create(b, n, integer(23)), n), m};
}

/// n and e^r with x = n * ln 2 + r.
static std::pair<Value, Value> reduceExp(Lanes &l, Value x) {
  Value n = math::RoundEvenOp::create(l.b, l.mul(x, l.real(1.44269504F)));
  Value r = l.fma(n, l.real(-0.693359375F), x);
  r = l.fma(n, l.real(2.12194440e-4F), r);
  Value tail =
      l.polynomial(r, ArrayRef<float>{0.5000002384185791F, 0.16666513681411743F, 4.166079685e-2F,
                                      8.369524031877518e-3F, 1.4247335493564606e-3F});
  return {l.toInt(n), l.add(l.fma(l.mul(r, r), tail, r), l.real(1))};
}

/// e^x = 2^n * e^r.
Value Lanes::exp(Value x) {
  Value high = real(89.0F), low = real(-104.0F);
  Value bounded = select(less(high, x), high, select(less(x, low), low, x));
  auto [n, y] = reduceExp(*this, bounded);
  return select(isNan(x), x, timesPowerOfTwo(y, n));
}

/// e^x where neither it nor a power of two near it is subnormal or infinite.
Value Lanes::expInside(Value x) {
  auto [n, y] = reduceExp(*this, x);
  Value steps = arith::ShLIOp::create(b, n, integer(23));
  return fromBits(arith::AddIOp::create(b, bits(y), steps));
}

/// log x = n * ln 2 + log(1 + f), with 1 + f between sqrt(1/2) and sqrt(2).
Value Lanes::log(Value x) {
  auto [n, m] = splitExponent(x);
  Value f = sub(m, real(1)), exponent = toReal(n);
  Value square = mul(f, f);
  Value tail = polynomial(f, ArrayRef<float>{0.33333373069763184F, -0.2500084042549133F,
                                             0.199989899992943F, -0.1662120670080185F,
                                             0.14238907396793365F, -0.13212355971336365F,
                                             0.12565889954566956F, -7.28602111339569e-2F});
  Value y = fma(mul(square, f), tail, mul(exponent, real(-2.12194440e-4F)));
  y = add(f, fma(square, real(-0.5F), y));
  Value result = fma(exponent, real(0.693359375F), y);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  result = select(compare(arith::CmpFPredicate::OEQ, x, real(kInfinity)), x, result);
  result = select(compare(arith::CmpFPredicate::OEQ, x, real(0)), real(-kInfinity), result);
  // Below zero, and NaN.
  return select(compare(arith::CmpFPredicate::UGE, x, real(0)), select(isNan(x), x, result),
                real(std::numeric_limits<float>::quiet_NaN()));
}

/// Near zero an odd polynomial, else 1 - 2 / (e^(2 |x|) + 1) with the sign of x.
Value Lanes::tanh(Value x) {
  Value a = abs(x), square = mul(x, x), ten = real(10);
  Value tail = polynomial(square, ArrayRef<float>{-0.33333280682563782F, 0.13331416249275208F,
                                                  -5.3737938404083252e-2F, 2.063411846756935e-2F,
                                                  -5.7000918313860893e-3F});
  Value near = fma(mul(square, x), tail, x);
  Value bounded = select(less(ten, a), ten, a);
  Value far = sub(real(1), div(real(2), add(expInside(add(bounded, bounded)), real(1))));
  // NaN is near, and zero keeps its sign.
  Value isNear = compare(arith::CmpFPredicate::ULT, a, real(0.625F));
  return withSign(select(isNear, near, far), x);
}

/// Near zero an odd polynomial, else 1 - e^-q(|x|) with the sign of x; 1 from 4 on.
Value Lanes::erf(Value x) {
  Value a = abs(x), square = mul(x, x), four = real(4);
  Value tail = polynomial(square, ArrayRef<float>{0.12837916612625122F, -0.37612625956535339F,
                                                  0.11283586174249649F, -2.68538445234298706e-2F,
                                                  5.18837757408618927e-3F, -8.01056041382253170e-4F,
                                                  7.85490192356519401e-5F});
  Value near = fma(x, tail, x);
  Value bounded = select(less(four, a), four, a);
  Value q = polynomial(bounded, ArrayRef<float>{-2.9105489375069737e-4F, 1.1301199197769165F,
                                                0.63201296329498291F, 0.10991028696298599F,
                                                -2.6327891275286674e-2F, 4.7278320416808128e-3F,
                                                -5.9023610083386302e-4F, 4.5302163925953209e-5F,
                                                -1.6000294635887258e-6F});
  Value far = sub(real(1), expInside(sub(real(0), q)));
  Value isNear = compare(arith::CmpFPredicate::ULT, a, real(1)); // or NaN
  return select(isNear, near, withSign(far, x));
}

/// sin(x + quadrant * pi / 2) for |x| < 2^20: x = n * pi / 2 + r with |r| <= pi / 4. The first part
/// of pi / 2 has 33 bits, so that its product with n is exact.
Value Lanes::sinFrom(Value x, int32_t quadrant) {
  Value given = widen(x);
  auto [n, whole] = nearestInt(mul(given, wide(2 * std::numbers::inv_pi)));
  Value rest = sub(given, mul(n, wide(0x1.921fb544p0)));
  Value r = narrow(sub(rest, mul(n, wide(0x1.0b4611a626331p-34))));
  Value square = mul(r, r);
  Value sine = fma(mul(square, r),
                   polynomial(square, ArrayRef<float>{-0.16666655242443085F, 8.332190103828907e-3F,
                                                      -1.9518454794798002e-4F}),
                   r);
  Value cosine =
      fma(mul(square, square),
          polynomial(square, ArrayRef<float>{4.166664555668831e-2F, -1.38873141258955e-3F,
                                             2.4433173166471533e-5F}),
          fma(square, real(-0.5F), real(1)));
  Value turns = arith::AddIOp::create(b, whole, integer(quadrant));
  Value result = select(isNonzero(both(turns, integer(1))), cosine, sine);
  Value sign = arith::ShLIOp::create(b, both(turns, integer(2)), integer(30));
  return fromBits(differ(bits(result), sign));
}

/// The function of the module that does `Op` with each element by itself. It is rarely called, and
/// large: in line, it would be half of a loop of sines.
template <typename Op> static func::FuncOp elementByElement(ModuleOp module, VectorType type) {
  std::string name = ("ptc_" + Op::getOperationName().rsplit('.').second + "_of_" +
                      llvm::Twine(type.getDimSize(0)))
                         .str();
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  ImplicitLocOpBuilder b(UnknownLoc::get(module.getContext()), module.getContext());
  b.setInsertionPointToStart(module.getBody());
  auto function = func::FuncOp::create(b, name, b.getFunctionType({type}, {type}));
  function.setPrivate();
  function->setAttr("passthrough", b.getStrArrayAttr({"noinline", "cold"}));
  b.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getDimSize(0); ++i)
    elements.push_back(
        Op::create(b, vector::ExtractOp::create(b, function.getArgument(0), ArrayRef<int64_t>{i})));
  func::ReturnOp::create(b, Value(vector::FromElementsOp::create(b, type, elements)));
  return function;
}

/// Vectors with arguments from 2^20 on are left to libm, element by element.
template <typename Op> Value Lanes::sinOrCos(Value x, int32_t quadrant) {
  constexpr int32_t kInfinity = 0x7f800000, kMost = 0x49800000; // the bits of 2^20
  Value above = arith::SubIOp::create(b, both(bits(x), integer(INT32_MAX)), integer(kMost));
  Value isHuge =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, above, integer(kInfinity - kMost));
  Value isAny = vector::ReductionOp::create(b, vector::CombiningKind::OR, isHuge);
  auto branch = scf::IfOp::create(b, TypeRange(type), isAny, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  func::FuncOp byElement = elementByElement<Op>(branch->getParentOfType<ModuleOp>(), type);
  scf::YieldOp::create(b, func::CallOp::create(b, byElement, x).getResult(0));
  b.setInsertionPointToStart(branch.elseBlock());
  Value result = sinFrom(x, quadrant);
  scf::YieldOp::create(b, quadrant ? result : select(equal(x, 0), x, result));
  return branch.getResult(0);
}

/// a^y = 2^(y * log2 a) for positive finite a. The logarithm is in double precision:
/// log2 a = n + log2 m, with m = (1 + s) / (1 - s).
Value Lanes::powOfMagnitude(Value a, Value y) {
  auto [exponent, m] = splitExponent(a);
  Value mantissa = widen(m), one = wide(1), high = wide(160), low = wide(-160);
  Value s = div(sub(mantissa, one), add(mantissa, one));
  Value series = polynomial(mul(s, s), ArrayRef<double>{2.8853900817900997, 0.96179667332356477,
                                                        0.5770835886659057, 0.41167248486893776,
                                                        0.34073464492506222});
  Value log = fma(s, series, arith::SIToFPOp::create(b, wides, exponent));
  Value t = mul(widen(y), log);
  Value bounded = select(less(high, t), high, select(less(t, low), low, t));
  auto [n, whole] = nearestInt(bounded);
  Value f = narrow(sub(bounded, n));
  Value tail = polynomial(f, ArrayRef<float>{0.6931471824645996F, 0.2402265071868896F,
                                             5.550358071923256e-2F, 9.618075564503670e-3F,
                                             1.3391643296927214e-3F, 1.5457191329915076e-4F});
  return timesPowerOfTwo(fma(f, tail, real(1)), whole);
}

/// As C has it for zeros, infinities and NaN.
Value Lanes::pow(Value x, Value y) {
  using P = arith::CmpFPredicate;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Value a = abs(x), zero = real(0), infinity = real(kInfinity), one = real(1);
  Value isZero = equal(x, 0), isInfinite = equal(a, kInfinity);
  Value isWhole = compare(P::OEQ, math::RoundEvenOp::create(b, y), y);
  // From 2^24 on all numbers are even.
  Value small = select(less(abs(y), real(0x1p24F)), y, zero);
  Value isOdd = both(isWhole, isNonzero(both(toInt(small), integer(1))));
  Value result = powOfMagnitude(a, y);
  Value vanishes = differ(isZero, less(y, zero));
  result = select(either(isZero, isInfinite), select(vanishes, zero, infinity), result);
  result = select(equal(a, 1), one, result);
  Value sign = select(isOdd, both(bits(x), integer(INT32_MIN)), integer(0));
  result = fromBits(either(bits(result), sign));
  Value isBelow = both(less(x, zero), compare(P::ONE, a, infinity));
  Value hasNone = both(isBelow, compare(P::UNE, math::RoundEvenOp::create(b, y), y));
  result = select(hasNone, real(std::numeric_limits<float>::quiet_NaN()), result);
  result = select(compare(P::UNO, x, y), add(x, y), result);
  return select(either(equal(x, 1), equal(y, 0)), one, result);
}

namespace {
/// Replaces one operation of one operand.
template <typename Op> struct Expand : OpRewritePattern<Op> {
  Expand(MLIRContext *context, Value (Lanes::*function)(Value), const Isa &isa)
      : OpRewritePattern<Op>(context), function(function), hasFma(isa.hasFma) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "no vector of f32");
    Lanes lanes(rewriter, op.getLoc(), type, hasFma);
    rewriter.replaceOp(op, (lanes.*function)(op.getOperand()));
    return success();
  }

  Value (Lanes::*function)(Value);
  bool hasFma;
};

struct ExpandPow : OpRewritePattern<math::PowFOp> {
  ExpandPow(MLIRContext *context, const Isa &isa) : OpRewritePattern(context), hasFma(isa.hasFma) {}

  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "no vector of f32");
    Lanes lanes(rewriter, op.getLoc(), type, hasFma);
    rewriter.replaceOp(op, lanes.pow(op.getLhs(), op.getRhs()));
    return success();
  }

  bool hasFma;
};
} // namespace

LogicalResult ptc::cpu::expandMathFunctions(func::FuncOp function, const Isa &isa) {
  RewritePatternSet patterns(function.getContext());
  patterns.add<Expand<math::ExpOp>>(function.getContext(), &Lanes::exp, isa);
  patterns.add<Expand<math::LogOp>>(function.getContext(), &Lanes::log, isa);
  patterns.add<Expand<math::TanhOp>>(function.getContext(), &Lanes::tanh, isa);
  patterns.add<Expand<math::ErfOp>>(function.getContext(), &Lanes::erf, isa);
  patterns.add<Expand<math::SinOp>>(function.getContext(), &Lanes::sin, isa);
  patterns.add<Expand<math::CosOp>>(function.getContext(), &Lanes::cos, isa);
  patterns.add<ExpandPow>(function.getContext(), isa);
  return applyPatternsGreedily(function, std::move(patterns));
}
