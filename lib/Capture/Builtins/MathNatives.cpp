//===- MathNatives.cpp - Floating-point functions of module math ------------------------===//
//
// In: numbers. Out: what the C library gives, with CPython's errors; run-time numbers record.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "ptc/Python/Math.h"

#include <cmath>

using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;
namespace py = ptc::py;

static bool isRunTime(const Value &v) { return v.is(Kind::Scalar) || v.is(Kind::Size); }

static std::optional<double> number(Engine &e, CallArgs &args, size_t n) {
  if (e.isTensorLike(args.positional[n]))
    return e.refuse(ptc::DiagId::Unsupported, "a function of math of a tensor");
  PTC_LET(v, plainArg(e, args, n));
  if (!isNumberConst(v) || v.is(Kind::Complex))
    return e.raise(WellKnown::TypeError, "must be real number, not " + capture::typeName(e, v));
  return toFloat(e, v);
}

/// Decides the arguments and takes the numbers out of tensors, as __float__ does.
static Flow settleNumbers(Engine &e, CallArgs &args) {
  for (size_t i = 0; i < args.positional.size(); ++i) {
    if (e.isTensorLike(args.positional[i])) {
      PTC_LET(item, tensorNumber(e, args.positional[i], ScalarType::Float));
      args.positional[i] = std::move(item);
      continue;
    }
    PTC_LET(v, plainArg(e, args, i));
    if (!isNumber(v))
      return e.raise(WellKnown::TypeError, "must be real number, not " + capture::typeName(e, v));
    args.positional[i] = std::move(v);
  }
  return Flow::Next;
}

static bool anyRunTime(Engine &e, CallArgs &args) {
  return llvm::any_of(args.positional, [&](const Value &v) { return isRunTime(e.known(v)); });
}

/// A row of NumberFunctions.def of constants.
static Value computed(Engine &e, llvm::StringRef name, llvm::ArrayRef<py::Number> operands) {
  const py::NumberFunction &function = *py::findNumberFunction(name);
  bool overflowed = false;
  py::Result<py::Number> result = py::evaluate(function, operands, overflowed);
  if (!result)
    return raised(e, result.error());
  switch (function.result) {
  case py::NumberKind::Float:
    return Value::real(result->real);
  case py::NumberKind::Bool:
    return Value::boolean(result->integer != 0);
  default:
    return overflowed ? Value::notImplemented() : Value::integer(result->integer);
  }
}

/// A function of floats, constant or of the run.
static Value ofFloats(Engine &e, CallArgs &args, llvm::StringRef name) {
  PTC_DO(settleNumbers(e, args));
  if (anyRunTime(e, args))
    return e.numberMath(name, args.positional);
  llvm::SmallVector<py::Number, 2> operands;
  for (size_t i = 0; i < args.positional.size(); ++i) {
    PTC_GET(x, number(e, args, i));
    operands.push_back({.real = x});
  }
  return computed(e, name, operands);
}

/// floor(x), or ceil(x), of a quotient of sizes as a size; None of other numbers.
Value builtins::math_whole(Engine &e, CallArgs &args) {
  PTC_LET(x, plainArg(e, args, 0));
  PTC_LET(up, plainArg(e, args, 1));
  PTC_LET(whole, e.wholePart(x, up.asBool()));
  return whole.isAbsent() ? Value::none() : whole;
}

#define PTC_OF_FLOATS(Name)                                                                        \
  Value builtins::math_##Name(Engine &e, CallArgs &args) { return ofFloats(e, args, #Name); }
PTC_OF_FLOATS(acos)
PTC_OF_FLOATS(acosh)
PTC_OF_FLOATS(asin)
PTC_OF_FLOATS(asinh)
PTC_OF_FLOATS(atan)
PTC_OF_FLOATS(atan2)
PTC_OF_FLOATS(atanh)
PTC_OF_FLOATS(cbrt)
PTC_OF_FLOATS(copysign)
PTC_OF_FLOATS(cos)
PTC_OF_FLOATS(cosh)
PTC_OF_FLOATS(erf)
PTC_OF_FLOATS(erfc)
PTC_OF_FLOATS(exp)
PTC_OF_FLOATS(exp2)
PTC_OF_FLOATS(expm1)
PTC_OF_FLOATS(fmod)
PTC_OF_FLOATS(gamma)
PTC_OF_FLOATS(lgamma)
PTC_OF_FLOATS(log1p)
PTC_OF_FLOATS(nextafter)
PTC_OF_FLOATS(remainder)
PTC_OF_FLOATS(sin)
PTC_OF_FLOATS(sinh)
PTC_OF_FLOATS(sqrt)
PTC_OF_FLOATS(tan)
PTC_OF_FLOATS(tanh)
PTC_OF_FLOATS(ulp)
#undef PTC_OF_FLOATS

/// The norm of a list of floats.
Value builtins::math_norm(Engine &e, CallArgs &args) {
  CallArgs coordinates;
  coordinates.positional = listItems(e, arg(args, 0));
  return ofFloats(e, coordinates, "hypot");
}
Value builtins::math_pow(Engine &e, CallArgs &args) {
  PTC_DO(settleNumbers(e, args));
  if (!anyRunTime(e, args)) {
    PTC_LET(x, plainArg(e, args, 0));
    PTC_LET(y, plainArg(e, args, 1));
    bool zero =
        (isIntConst(x) && x == Value::integer(0)) || (x.is(Kind::Float) && x.asFloat() == 0);
    bool negative = (y.is(Kind::Int) && y.asInt() < 0) ||
                    (y.is(Kind::Float) && y.asFloat() < 0 && std::isfinite(y.asFloat()));
    if (zero && negative)
      return e.raise(WellKnown::ValueError, "math domain error");
  }
  if (anyRunTime(e, args))
    return e.numberMath("pow", args.positional);
  PTC_GET(x, number(e, args, 0));
  PTC_GET(y, number(e, args, 1));
  double power = std::pow(x, y);
  if (std::isnan(power) && !std::isnan(x) && !std::isnan(y))
    return e.raise(WellKnown::ValueError, "math domain error");
  if (std::isinf(power) && std::isfinite(x) && std::isfinite(y))
    return e.raise(WellKnown::OverflowError, "math range error");
  return Value::real(power);
}

/// Logarithms take ints of any size: of one that is too large for a float, its leading digits and
/// how many there are behind them.
static Value logarithm(Engine &e, CallArgs &args, llvm::StringRef name, double (*f)(double)) {
  PTC_LET(v, plainArg(e, args, 0));
  if (!v.is(Kind::BigInt) || v.asBigInt().isNegative() || py::toDouble(v.asBigInt()))
    return ofFloats(e, args, name);
  constexpr uint64_t kLeading = 1000; // bits that a float has room for
  const uint64_t behind = py::bitLength(v.asBigInt()) - kLeading;
  int exponent = 0;
  py::Result<double> leading = py::toDouble(*py::shiftRight(v.asBigInt(), py::PyInt(behind)));
  double fraction = std::frexp(*leading, &exponent);
  return Value::real(f(fraction) + f(2.0) * double(uint64_t(exponent) + behind));
}
Value builtins::math_log(Engine &e, CallArgs &args) { return logarithm(e, args, "log", std::log); }
Value builtins::math_log2(Engine &e, CallArgs &args) {
  return logarithm(e, args, "log2", std::log2);
}
Value builtins::math_log10(Engine &e, CallArgs &args) {
  return logarithm(e, args, "log10", std::log10);
}

Value builtins::math_isfinite(Engine &e, CallArgs &args) {
  if (anyRunTime(e, args))
    return e.numberMath("isfinite", args.positional);
  PTC_GET(x, number(e, args, 0));
  return Value::boolean(std::isfinite(x));
}
Value builtins::math_isinf(Engine &e, CallArgs &args) {
  if (anyRunTime(e, args))
    return e.numberMath("isinf", args.positional);
  PTC_GET(x, number(e, args, 0));
  return Value::boolean(std::isinf(x));
}
Value builtins::math_isnan(Engine &e, CallArgs &args) {
  if (anyRunTime(e, args))
    return e.numberMath("isnan", args.positional);
  PTC_GET(x, number(e, args, 0));
  return Value::boolean(std::isnan(x));
}
/// Two functions of one number.
static Value pairOf(Engine &e, CallArgs &args, llvm::StringRef first, llvm::StringRef second) {
  PTC_LET(a, ofFloats(e, args, first));
  PTC_LET(b, ofFloats(e, args, second));
  return Value::tuple({a, b});
}
Value builtins::math_frexp(Engine &e, CallArgs &args) {
  return pairOf(e, args, "frexp.fraction", "frexp.exponent");
}
Value builtins::math_modf(Engine &e, CallArgs &args) {
  return pairOf(e, args, "modf.fraction", "modf.whole");
}

static bool isWhole(const Value &v) {
  return numberType(v) == NumberType::Int || numberType(v) == NumberType::Bool;
}

/// A function of ints, one of which is known at run time only; Absent: none is.
static Value ofRunTimeInts(Engine &e, CallArgs &args, llvm::StringRef name) {
  bool runTime = false;
  for (size_t i = 0; i < args.positional.size(); ++i) {
    PTC_LET(v, plainArg(e, args, i));
    args.positional[i] = v;
    runTime |= isRunTime(v) && isWhole(v);
  }
  if (!runTime)
    return Value::absent();
  if (llvm::any_of(args.positional, [](const Value &v) { return v.is(Kind::BigInt); }))
    return e.refuse(ptc::DiagId::RunTimeBigInt);
  return e.numberMath(name, args.positional);
}

/// A function of ints that are not negative, of which the last counts factors.
template <typename Fn>
static Value ofInts(Engine &e, CallArgs &args, llvm::StringRef name, llvm::StringRef counted,
                    Fn compute) {
  PTC_LET(recorded, ofRunTimeInts(e, args, name));
  if (!recorded.isAbsent())
    return recorded;
  llvm::SmallVector<py::PyInt, 2> ints;
  for (const Value &v : args.positional)
    ints.push_back(asPyInt(v));
  if (ints.size() == 2 && !ints[0].isNegative() && ints[0] < ints[1])
    return Value::integer(0);
  if (name == "comb") // chosen or left out, whichever are fewer
    if (py::PyInt rest = py::sub(ints[0], ints[1]); rest < ints[1])
      ints[1] = rest;
  if (!ints.back().asInt64() && !ints.back().isNegative())
    return e.raise(WellKnown::OverflowError, counted + " not exceed 9223372036854775807");
  return toValue(e, compute(ints));
}
Value builtins::math_factorial(Engine &e, CallArgs &args) {
  return ofInts(e, args, "factorial", "factorial() argument should",
                [](llvm::ArrayRef<py::PyInt> n) { return py::factorial(n[0]); });
}
Value builtins::math_perm(Engine &e, CallArgs &args) {
  return ofInts(e, args, "perm", "k must",
                [](llvm::ArrayRef<py::PyInt> n) { return py::perm(n[0], n[1]); });
}
Value builtins::math_comb(Engine &e, CallArgs &args) {
  return ofInts(e, args, "comb", "min(n - k, k) must",
                [](llvm::ArrayRef<py::PyInt> n) { return py::comb(n[0], n[1]); });
}
/// The same of a number of the run; None where all are constants, which lib/Prelude computes.
static Value ofRunTimeOnly(Engine &e, CallArgs &args, llvm::StringRef name) {
  PTC_LET(recorded, ofRunTimeInts(e, args, name));
  return recorded.isAbsent() ? Value::none() : recorded;
}
Value builtins::math_gcd(Engine &e, CallArgs &args) { return ofRunTimeOnly(e, args, "gcd"); }
Value builtins::math_lcm(Engine &e, CallArgs &args) { return ofRunTimeOnly(e, args, "lcm"); }
Value builtins::math_isqrt(Engine &e, CallArgs &args) { return ofRunTimeOnly(e, args, "isqrt"); }

Value builtins::math_ldexp(Engine &e, CallArgs &args) {
  PTC_LET(exponent, plainArg(e, args, 1));
  bool isInt = isIntConst(exponent) || (isRunTime(exponent) && isWhole(exponent));
  if (!isInt)
    return e.raise(WellKnown::TypeError, "Expected an int as second argument to ldexp.");
  CallArgs first;
  first.positional = {args.positional[0]};
  PTC_DO(settleNumbers(e, first));
  if (isRunTime(exponent) || anyRunTime(e, first))
    return e.numberMath("ldexp",
                        {first.positional[0], exponent.is(Kind::BigInt)
                                                  ? Value::integer(asPyInt(exponent).clampToInt64())
                                                  : exponent});
  PTC_GET(x, number(e, first, 0));
  return computed(e, "ldexp", {{.real = x}, {.integer = asPyInt(exponent).clampToInt64()}});
}
