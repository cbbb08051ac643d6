//===- NumberChecks.cpp - Where functions of numbers fail -----------------------------------===//
//
// In: numbers of the run that an operation is about to take, under a handler that notices its
// failure. Out: comparisons that are decided, and CPython's exception on the side that fails.
//
//===----------------------------------------------------------------------===//
#include "Failures.h"
#include "Objects.h"

#include "ptc/Python/Math.h"

#include <cmath>

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

static Value ofMath(Engine &e, llvm::StringRef function, llvm::ArrayRef<Value> args,
                    ScalarType result) {
  std::vector<TapeArg> operands;
  operands.reserve(args.size());
  for (const Value &arg : args)
    operands.push_back(e.operand(arg));
  TapeValue type;
  type.type = result == ScalarType::Bool ? TapeType::Bool : TapeType::Float;
  return Value::scalar(e.emit(TapeOp::Math, std::move(operands), type, {TapeArg::str(function)}),
                       result);
}

static Value isInfinite(Engine &e, const Value &x) {
  return x.is(Kind::Float) ? Value::boolean(std::isinf(x.asFloat()))
                           : ofMath(e, "isinf", {x}, ScalarType::Bool);
}

static Value isNotNumber(Engine &e, const Value &x) {
  return x.is(Kind::Float) ? Value::boolean(std::isnan(x.asFloat()))
                           : ofMath(e, "isnan", {x}, ScalarType::Bool);
}

static std::optional<bool> isFinite(Engine &e, const Value &x) {
  PTC_GET(infinite, e.truth(isInfinite(e, x)));
  if (infinite)
    return false;
  PTC_GET(none, e.truth(isNotNumber(e, x)));
  return !none;
}

Flow capture::checkToInt(Engine &e, const Value &x) {
  if (isNoticed(e, WellKnown::ValueError))
    PTC_DO(
        failIf(e, isNotNumber(e, x), WellKnown::ValueError, "cannot convert float NaN to integer"));
  if (isNoticed(e, WellKnown::OverflowError))
    PTC_DO(failIf(e, isInfinite(e, x), WellKnown::OverflowError,
                  "cannot convert float infinity to integer"));
  return Flow::Next;
}

Flow capture::checkShift(Engine &e, const Value &count) {
  if (!isNoticed(e, WellKnown::ValueError))
    return Flow::Next;
  return failIf(e, e.numberOrConstantCompare(CompareOp::Lt, count, Value::integer(0)),
                WellKnown::ValueError, "negative shift count");
}

namespace {
/// `f(x)` fails where x, or its magnitude, stands so to `bound`.
struct FailureRow {
  llvm::StringLiteral function;
  CompareOp op;
  double bound;
  bool magnitude;
  bool overflows; ///< the finite result would be too large: OverflowError, else ValueError
};
} // namespace

/// The largest doubles of which exp and cosh are finite.
static constexpr double kMaxExp = 0x1.62e42fefa39efp+9, kMaxCosh = 0x1.633ce8fb9f87dp+9;
static constexpr FailureRow kFailures[] = {
    {"sqrt", CompareOp::Lt, 0, false, false},      {"log", CompareOp::Le, 0, false, false},
    {"log2", CompareOp::Le, 0, false, false},      {"log10", CompareOp::Le, 0, false, false},
    {"log1p", CompareOp::Le, -1, false, false},    {"sin", CompareOp::Eq, INFINITY, true, false},
    {"cos", CompareOp::Eq, INFINITY, true, false}, {"tan", CompareOp::Eq, INFINITY, true, false},
    {"asin", CompareOp::Gt, 1, true, false},       {"acos", CompareOp::Gt, 1, true, false},
    {"acosh", CompareOp::Lt, 1, false, false},     {"atanh", CompareOp::Ge, 1, true, false},
    {"exp", CompareOp::Gt, kMaxExp, false, true},  {"expm1", CompareOp::Gt, kMaxExp, false, true},
    {"sinh", CompareOp::Gt, kMaxCosh, true, true}, {"cosh", CompareOp::Gt, kMaxCosh, true, true},
};

static Flow checkRow(Engine &e, const FailureRow &row, const Value &x) {
  WellKnown cls = row.overflows ? WellKnown::OverflowError : WellKnown::ValueError;
  if (!x.is(Kind::Scalar) || !isNoticed(e, cls))
    return Flow::Next;
  Value compared = row.magnitude ? e.numberAbs(x) : x;
  PTC_LET(beyond, e.numberCompare(row.op, compared, Value::real(row.bound)));
  PTC_GET(fails, e.truth(beyond));
  if (!fails)
    return Flow::Next;
  if (row.overflows) {
    PTC_GET(infinite, e.truth(isInfinite(e, x)));
    if (infinite)
      return Flow::Next;
  }
  return e.raise(cls, row.overflows ? "math range error" : "math domain error");
}

/// fmod has no value of an infinity nor by zero; where the other operand is NaN, that is NaN.
static Flow checkRemainder(Engine &e, const Value &x, const Value &y) {
  PTC_GET(infinite, e.truth(isInfinite(e, x)));
  if (infinite)
    return failIf(e, e.notValue(isNotNumber(e, y)), WellKnown::ValueError, "math domain error");
  PTC_LET(zero, e.numberOrConstantCompare(CompareOp::Eq, y, Value::real(0)));
  PTC_GET(byZero, e.truth(zero));
  if (byZero)
    return failIf(e, e.notValue(isNotNumber(e, x)), WellKnown::ValueError, "math domain error");
  return Flow::Next;
}

Flow capture::checkMath(Engine &e, llvm::StringRef function, llvm::ArrayRef<Value> args) {
  if (function == "floor" || function == "ceil" || function == "trunc")
    return checkToInt(e, args[0]);
  if (function == "fmod") {
    if (!isNoticed(e, WellKnown::ValueError))
      return Flow::Next;
    return checkRemainder(e, args[0], args[1]);
  }
  for (const FailureRow &row : kFailures)
    if (row.function == function)
      return checkRow(e, row, args[0]);
  return Flow::Next;
}

bool capture::noticesNumber(Engine &e, const py::NumberFunction &function) {
  bool isKnown = function.name == "fmod" || llvm::any_of(kFailures, [&](const FailureRow &row) {
                   return row.function == function.name;
                 });
  if (isKnown || function.result != py::NumberKind::Float)
    return false;
  return (py::raisedForNaN(function.errors) && isNoticed(e, WellKnown::ValueError)) ||
         (py::raisedForInfinity(function.errors) && isNoticed(e, WellKnown::OverflowError));
}

static Flow failed(Engine &e, const py::Raised &what) {
  (void)raised(e, what);
  return Flow::Fail;
}

Flow capture::checkResult(Engine &e, const py::NumberFunction &function, const Value &result,
                          llvm::ArrayRef<Value> args) {
  // True where each operand that is a float is something.
  auto all = [&](std::optional<bool> (*holds)(Engine &, const Value &)) -> std::optional<bool> {
    for (auto [i, arg] : llvm::enumerate(args)) {
      if (function.operandKind(i) != py::NumberKind::Float)
        continue;
      PTC_GET(one, holds(e, arg));
      if (!one)
        return false;
    }
    return true;
  };
  if (std::optional<py::Raised> raised = py::raisedForNaN(function.errors)) {
    PTC_GET(none, e.truth(isNotNumber(e, result)));
    if (none) {
      PTC_GET(areNumbers, all([](Engine &e, const Value &x) -> std::optional<bool> {
                PTC_GET(none, e.truth(isNotNumber(e, x)));
                return !none;
              }));
      return areNumbers ? failed(e, *raised) : Flow::Next;
    }
  }
  if (std::optional<py::Raised> raised = py::raisedForInfinity(function.errors)) {
    PTC_GET(infinite, e.truth(isInfinite(e, result)));
    if (infinite) {
      PTC_GET(areFinite, all(isFinite));
      if (areFinite)
        return failed(e, *raised);
    }
  }
  return Flow::Next;
}

/// Is the power infinite though the base and the exponent are finite?
static std::optional<bool> overflowed(Engine &e, const Value &power, const Value &x,
                                      const Value &y) {
  PTC_GET(infinite, e.truth(isInfinite(e, power)));
  if (!infinite)
    return false;
  PTC_GET(finiteBase, isFinite(e, x));
  if (!finiteBase)
    return false;
  return isFinite(e, y);
}

/// Zero, and raised to a finite number less than zero.
static std::optional<bool> dividesByZero(Engine &e, const Value &x, const Value &y) {
  PTC_LET(zero, e.numberOrConstantCompare(CompareOp::Eq, x, Value::real(0)));
  PTC_GET(isZero, e.truth(zero));
  if (!isZero)
    return false;
  PTC_LET(negative, e.numberOrConstantCompare(CompareOp::Lt, y, Value::real(0)));
  PTC_GET(isNegative, e.truth(negative));
  return isNegative ? isFinite(e, y) : false;
}

Value capture::noticedPower(Engine &e, const Value &x, const Value &y) {
  bool divides = isNoticed(e, WellKnown::ZeroDivisionError),
       overflows = isNoticed(e, WellKnown::OverflowError);
  if (divides) {
    PTC_GET(fails, dividesByZero(e, x, y));
    if (fails)
      return e.raise(WellKnown::ZeroDivisionError, "0.0 cannot be raised to a negative power");
  }
  if (!overflows)
    return Value::absent();
  Value power = ofMath(e, "pow", {x, y}, ScalarType::Float);
  PTC_GET(fails, overflowed(e, power, x, y));
  if (fails) {
    // Zero raised to less is not a number too large, and is what the operation itself refuses.
    PTC_GET(zero, dividesByZero(e, x, y));
    if (!zero)
      return e.raise(WellKnown::OverflowError, "(34, 'Numerical result out of range')");
  }
  return Value::absent();
}

Value capture::mathPower(Engine &e, const Value &x, const Value &y) {
  Value power = ofMath(e, "pow", {x, y}, ScalarType::Float);
  PTC_GET(none, e.truth(isNotNumber(e, power)));
  if (none) {
    PTC_GET(finiteBase, isFinite(e, x));
    PTC_GET(finiteExponent, isFinite(e, y));
    if (finiteBase && finiteExponent)
      return e.raise(WellKnown::ValueError, "math domain error");
    return power;
  }
  PTC_GET(fails, overflowed(e, power, x, y));
  if (!fails)
    return power;
  PTC_GET(zero, dividesByZero(e, x, y));
  return zero ? e.raise(WellKnown::ValueError, "math domain error")
              : e.raise(WellKnown::OverflowError, "math range error");
}
