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

/// `known`: no operand is NaN; `finite`: none is infinite either.
static Value checked(Engine &e, double result, bool known, bool finite, bool overflows) {
  if (std::isnan(result) && known)
    return e.raise(WellKnown::ValueError, "math domain error");
  if (std::isinf(result) && finite)
    return overflows ? Value(e.raise(WellKnown::OverflowError, "math range error"))
                     : Value(e.raise(WellKnown::ValueError, "math domain error"));
  return Value::real(result);
}

/// A function of numbers of the run, where programs have it.
static Value recorded(Engine &e, CallArgs &args, llvm::StringRef name) {
  for (llvm::StringRef missing : {"cbrt", "exp2", "lgamma", "gamma", "nextafter", "remainder",
                                  "frexp", "modf", "ldexp", "ulp"})
    if (name == missing)
      return e.refuse(ptc::DiagId::UnsupportedOperation, ("math." + name).str(),
                      "of a run-time number");
  return e.numberMath(name, args.positional);
}

static Value unary(Engine &e, CallArgs &args, llvm::StringRef name, double (*f)(double),
                   bool overflows) {
  PTC_DO(settleNumbers(e, args));
  if (anyRunTime(e, args))
    return recorded(e, args, name);
  PTC_GET(x, number(e, args, 0));
  return checked(e, f(x), !std::isnan(x), std::isfinite(x), overflows);
}

static Value gammaFunction(Engine &e, CallArgs &args, llvm::StringRef name,
                           py::Result<double> (*f)(double)) {
  PTC_DO(settleNumbers(e, args));
  if (anyRunTime(e, args))
    return recorded(e, args, name);
  PTC_GET(x, number(e, args, 0));
  return toValue(e, f(x));
}

static Value binary(Engine &e, CallArgs &args, llvm::StringRef name, double (*f)(double, double)) {
  PTC_DO(settleNumbers(e, args));
  if (anyRunTime(e, args))
    return recorded(e, args, name);
  PTC_GET(x, number(e, args, 0));
  PTC_GET(y, number(e, args, 1));
  return checked(e, f(x, y), !std::isnan(x) && !std::isnan(y),
                 std::isfinite(x) && std::isfinite(y) && name != "nextafter", true);
}

/// floor(x), or ceil(x), of a quotient of sizes as a size; None of other numbers.
Value builtins::math_whole(Engine &e, CallArgs &args) {
  PTC_LET(x, plainArg(e, args, 0));
  PTC_LET(up, plainArg(e, args, 1));
  PTC_LET(whole, e.wholePart(x, up.asBool()));
  return whole.isAbsent() ? Value::none() : whole;
}

#define PTC_UNARY(Name, overflows)                                                                 \
  Value builtins::math_##Name(Engine &e, CallArgs &args) {                                         \
    return unary(e, args, #Name, static_cast<double (*)(double)>(std::Name), overflows);           \
  }
PTC_UNARY(acos, false)
PTC_UNARY(acosh, false)
PTC_UNARY(asin, false)
PTC_UNARY(asinh, false)
PTC_UNARY(atan, false)
PTC_UNARY(atanh, false)
PTC_UNARY(cbrt, false)
PTC_UNARY(cos, false)
PTC_UNARY(cosh, true)
PTC_UNARY(erf, false)
PTC_UNARY(erfc, false)
PTC_UNARY(exp, true)
PTC_UNARY(exp2, true)
PTC_UNARY(expm1, true)
PTC_UNARY(log1p, false)
PTC_UNARY(sin, false)
PTC_UNARY(sinh, true)
PTC_UNARY(sqrt, false)
PTC_UNARY(tan, false)
PTC_UNARY(tanh, false)
#undef PTC_UNARY
Value builtins::math_gamma(Engine &e, CallArgs &args) {
  return gammaFunction(e, args, "gamma", py::gamma);
}
Value builtins::math_lgamma(Engine &e, CallArgs &args) {
  return gammaFunction(e, args, "lgamma", py::logGamma);
}
/// The norm of a list of floats; NotImplemented where the run gives one of more than two.
Value builtins::math_norm(Engine &e, CallArgs &args) {
  std::vector<Value> items = listItems(e, arg(args, 0));
  std::vector<double> coordinates;
  for (Value &item : items) {
    PTC_LET(v, e.decide(item));
    item = v;
    if (v.is(Kind::Float))
      coordinates.push_back(v.asFloat());
  }
  if (coordinates.size() == items.size())
    return Value::real(py::vectorNorm(coordinates));
  return items.size() == 2 ? e.numberMath("hypot", items) : Value::notImplemented();
}
#define PTC_BINARY(Name)                                                                           \
  Value builtins::math_##Name(Engine &e, CallArgs &args) {                                         \
    return binary(e, args, #Name, static_cast<double (*)(double, double)>(std::Name));             \
  }
PTC_BINARY(atan2)
PTC_BINARY(copysign)
PTC_BINARY(fmod)
PTC_BINARY(nextafter)
PTC_BINARY(remainder)
#undef PTC_BINARY
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
  return binary(e, args, "pow", static_cast<double (*)(double, double)>(std::pow));
}

/// Logarithms take ints of any size.
static Value logarithm(Engine &e, CallArgs &args, llvm::StringRef name, double (*f)(double),
                       double perBit) {
  PTC_DO(settleNumbers(e, args));
  if (anyRunTime(e, args))
    return e.numberMath(name, args.positional);
  PTC_LET(v, plainArg(e, args, 0));
  if (v.is(Kind::BigInt) && !v.asBigInt().isNegative()) {
    uint64_t shift = py::bitLength(v.asBigInt()) - 60;
    py::Result<py::PyInt> top = py::shiftRight(v.asBigInt(), py::PyInt(shift));
    return Value::real(f(double(top->clampToInt64())) + double(shift) * perBit);
  }
  PTC_GET(x, number(e, args, 0));
  if (x <= 0)
    return e.raise(WellKnown::ValueError, "math domain error");
  return Value::real(f(x));
}
Value builtins::math_log(Engine &e, CallArgs &args) {
  return logarithm(e, args, "log", std::log, std::log(2.0));
}
Value builtins::math_log2(Engine &e, CallArgs &args) {
  return logarithm(e, args, "log2", std::log2, 1.0);
}
Value builtins::math_log10(Engine &e, CallArgs &args) {
  return logarithm(e, args, "log10", std::log10, std::log10(2.0));
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
Value builtins::math_frexp(Engine &e, CallArgs &args) {
  if (anyRunTime(e, args))
    return recorded(e, args, "frexp");
  PTC_GET(x, number(e, args, 0));
  int exponent = 0;
  double fraction = std::isfinite(x) ? std::frexp(x, &exponent) : x;
  return Value::tuple({Value::real(fraction), Value::integer(exponent)});
}
Value builtins::math_modf(Engine &e, CallArgs &args) {
  if (anyRunTime(e, args))
    return recorded(e, args, "modf");
  PTC_GET(x, number(e, args, 0));
  double whole = 0;
  double fraction = std::modf(x, &whole);
  return Value::tuple({Value::real(fraction), Value::real(whole)});
}
/// A function of ints, of which the last counts factors; NotImplemented where one is known at run
/// time only.
template <typename Fn>
static Value ofInts(Engine &e, CallArgs &args, llvm::StringRef counted, Fn compute) {
  llvm::SmallVector<py::PyInt, 2> ints;
  for (size_t i = 0; i < args.positional.size(); ++i) {
    PTC_LET(v, plainArg(e, args, i));
    if (!isIntConst(v))
      return Value::notImplemented();
    ints.push_back(asPyInt(v));
  }
  if (!ints.back().asInt64() && !ints.back().isNegative())
    return e.raise(WellKnown::OverflowError, counted + " not exceed 9223372036854775807");
  return toValue(e, compute(ints));
}
Value builtins::math_factorial(Engine &e, CallArgs &args) {
  return ofInts(e, args, "factorial() argument should",
                [](llvm::ArrayRef<py::PyInt> n) { return py::factorial(n[0]); });
}
Value builtins::math_perm(Engine &e, CallArgs &args) {
  return ofInts(e, args, "k must",
                [](llvm::ArrayRef<py::PyInt> n) { return py::perm(n[0], n[1]); });
}
Value builtins::math_comb(Engine &e, CallArgs &args) {
  return ofInts(e, args, "min(n - k, k) must",
                [](llvm::ArrayRef<py::PyInt> n) { return py::comb(n[0], n[1]); });
}
Value builtins::math_ldexp(Engine &e, CallArgs &args) {
  if (anyRunTime(e, args))
    return recorded(e, args, "ldexp");
  PTC_GET(x, number(e, args, 0));
  PTC_LET(n, plainArg(e, args, 1));
  if (!isIntConst(n))
    return e.raise(WellKnown::TypeError, "Expected an int as second argument to ldexp.");
  int64_t exponent = std::clamp<int64_t>(asPyInt(n).clampToInt64(), -100000, 100000);
  return checked(e, std::ldexp(x, int(exponent)), !std::isnan(x), std::isfinite(x), true);
}
Value builtins::math_ulp(Engine &e, CallArgs &args) {
  if (anyRunTime(e, args))
    return recorded(e, args, "ulp");
  PTC_GET(x, number(e, args, 0));
  x = std::fabs(x);
  if (!std::isfinite(x))
    return Value::real(x);
  double up = std::nextafter(x, INFINITY);
  return Value::real(std::isinf(up) ? x - std::nextafter(x, 0) : up - x);
}
