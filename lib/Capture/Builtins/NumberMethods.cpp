//===- NumberMethods.cpp - int, float, complex, bool -----------------------------------===//
#include "Builtins.h"

#include "../Failures.h"
#include "../Modes.h"
#include "../Template.h"
#include "../Tensors.h"

#include "ptc/Python/Complex.h"
#include "ptc/Python/Str.h"

#include <array>
#include <cmath>

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
using namespace ptc::capture::builtins;

// Constructors
// ---------------------------------------------------------------------------------------------

/// int() and float() say in words of their own that a tensor has several elements.
static Flow checkSingle(Engine &e, const Value &tensor) {
  ptc::sym::Expr count = e.sizes().product(asTensor(tensor).sizes);
  PTC_GET(single,
          e.decideSizes(CompareOp::Eq, count, e.sizes().constant(1), "a number of a tensor"));
  if (!single)
    return e.raise(WellKnown::ValueError,
                   "only one element tensors can be converted to Python scalars");
  return Flow::Next;
}

Value builtins::tensorNumber(Engine &e, const Value &tensor, ScalarType type) {
  PTC_DO(checkSingle(e, tensor));
  PTC_LET(t, e.readable(tensor));
  if (requiresGrad(e, anyTensor(t)))
    PTC_DO(checkWarning(e, "a number of a tensor that requires a gradient"));
  PTC_LET(item, e.tensorItem(tensor));
  return item.is(Kind::Scalar) ? e.numberCast(item, type) : item;
}

static Value intOfText(Engine &e, const Value &text, const py::PyInt &base) {
  if (text.is(Kind::Str))
    return toValue(e, py::parseInt(text.asStr(), base));
  return toValue(e, py::parseIntBytes(text.asBytes(), base));
}

/// Is the number one of a few constants, by a selector?
static bool isOneOfConstants(Engine &e, const Value &v) {
  ValueId selector = kUndef;
  return v.is(Kind::Scalar) && e.tableOf(v.scalarId(), selector);
}

/// A number of the run as an int or a float; instances of classes derived from these hold
/// constants, but for numpy.float64.
static Value boxRunTime(Engine &e, ObjectId cls, const Value &v, ScalarType type) {
  PTC_LET(number, v.is(Kind::Tensor) ? tensorNumber(e, v, type) : e.numberCast(v, type));
  if (cls <= e.world->classes.back() || isNumberConst(number) ||
      e.lookupInClass(cls, e.intern("_ptc_holds_data")).is(Kind::Bool))
    return box(e, cls, number);
  if (!isOneOfConstants(e, number))
    return e.refuse(DiagId::Unsupported, "an instance of '" + className(e, cls) +
                                             "' whose value is known at run time only");
  PTC_LET(constant, e.constantIndex(number));
  return box(e, cls, constant);
}

Value builtins::intNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  if (!given(args, 1)) {
    if (given(args, 2))
      return e.raise(WellKnown::TypeError, "int() missing string argument");
    return box(e, cls, Value::integer(0));
  }
  PTC_LET(object, e.decide(arg(args, 1)));
  Value v = e.unboxed(object);
  if (v.is(Kind::Template))
    return refuseTemplate(e, "int() of");
  bool text = v.is(Kind::Str) || v.is(Kind::Bytes);
  if (given(args, 2)) {
    if (!text)
      return e.raise(WellKnown::TypeError, "int() can't convert non-string with explicit base");
    PTC_LET(given, plainArg(e, args, 2));
    PTC_LET(base, integerOf(e, given));
    PTC_LET(made, intOfText(e, v, asPyInt(base)));
    return box(e, cls, made);
  }
  if (isUserObject(e, object) &&
      isPythonFunction(e, e.lookupInClass(e.typeOf(object), e.intern("__int__"))))
    return e.callPrelude(
        "_number_method",
        {object, Value::str("__int__"), Value::ref(e.builtinClass(WellKnown::IntType))},
        args.action);
  if (text) {
    PTC_LET(made, intOfText(e, v, 10));
    return box(e, cls, made);
  }
  if (v.is(Kind::Float)) {
    PTC_LET(made, toValue(e, py::truncToInt(v.asFloat())));
    return box(e, cls, made);
  }
  if (isIntConst(v))
    return box(e, cls, v.is(Kind::Bool) ? Value::integer(v.asInt()) : v);
  if (isNumber(v) || v.is(Kind::Tensor))
    return boxRunTime(e, cls, v, ScalarType::Int);
  if (v.is(Kind::Opaque))
    return e.opaqueItem(v, v);
  for (llvm::StringRef name : {"__int__", "__index__", "__trunc__"})
    if (isPythonFunction(e, e.lookupInClass(e.typeOf(object), e.intern(name))))
      return e.callPrelude(
          "_number_method",
          {object, Value::str(name), Value::ref(e.builtinClass(WellKnown::IntType))}, args.action);
  return e.raise(WellKnown::TypeError,
                 "int() argument must be a string, a bytes-like object or a real number, not '" +
                     capture::typeName(e, object) + "'");
}

/// A NaN that is no other NaN: containers look for elements by identity first, and a float has none
/// but its bits. Captured programs keep the one NaN, so that what a loop carries can repeat.
static Value freshNaN(Engine &e, double nan) {
  uint64_t bits = 0x7ff8000000000000 | (++e.world->nanCount & 0xffffffff);
  return Value::real(std::copysign(std::bit_cast<double>(bits), nan));
}

Value builtins::floatNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  if (!given(args, 1))
    return box(e, cls, Value::real(0));
  PTC_LET(object, e.decide(arg(args, 1)));
  Value v = e.unboxed(object);
  if (v.is(Kind::Template))
    return refuseTemplate(e, "float() of");
  if (isUserObject(e, object))
    for (llvm::StringRef name : {"__float__", "__index__"}) {
      bool hidden = v.is(Kind::Float) && name == "__index__";
      if (hidden || !isPythonFunction(e, e.lookupInClass(e.typeOf(object), e.intern(name))))
        continue;
      return e.callPrelude("_float_of", {Value::ref(cls), object}, args.action);
    }
  if (v.is(Kind::Str) || v.is(Kind::Bytes)) {
    PTC_LET(made, toValue(e, v.is(Kind::Str) ? py::parseFloat(strRef(v))
                                             : py::parseFloatBytes(v.asBytes())));
    if (e.plainPython && std::isnan(made.asFloat()))
      made = freshNaN(e, made.asFloat());
    return box(e, cls, made);
  }
  if (isNumberConst(v) && !v.is(Kind::Complex)) {
    PTC_GET(d, toFloat(e, v));
    return box(e, cls, Value::real(d));
  }
  if (isNumber(v) || v.is(Kind::Tensor))
    return boxRunTime(e, cls, v, ScalarType::Float);
  if (v.is(Kind::Opaque))
    return e.opaqueItem(v, v);
  return e.raise(WellKnown::TypeError, "float() argument must be a string or a real number, not '" +
                                           capture::typeName(e, object) + "'");
}

/// Does Python code say which number an object is as the real or the imaginary part?
static bool isMadeComplex(Engine &e, const Value &v, bool isReal) {
  if (!isUserObject(e, v))
    return false;
  auto has = [&](llvm::StringRef name) {
    return isPythonFunction(e, e.lookupInClass(e.typeOf(v), e.intern(name)));
  };
  bool isFloat = e.unboxed(v).is(Kind::Float);
  return (isReal && has("__complex__")) || has("__float__") || (!isFloat && has("__index__"));
}

Value builtins::complexNew(Engine &e, CallArgs &args) {
  Value missing = e.heap.get(e.world->prelude, attrKey(e.intern("_missing")));
  for (size_t n : {1, 2}) {
    if (!given(args, n))
      continue;
    PTC_LET(object, e.decide(arg(args, n)));
    if (isMadeComplex(e, object, n == 1))
      return e.callPrelude("_complex_of",
                           {given(args, 1) ? arg(args, 1) : Value::integer(0),
                            given(args, 2) ? arg(args, 2) : missing},
                           args.action);
  }
  auto part = [&](size_t n) -> std::optional<std::complex<double>> {
    if (!given(args, n))
      return std::complex<double>(0);
    PTC_LET(v, plainArg(e, args, n));
    if (v.is(Kind::Complex))
      return v.asComplex();
    if (v.is(Kind::Tensor))
      PTC_DO(checkSingle(e, v));
    if (v.is(Kind::Tensor) || (isNumber(v) && !isNumberConst(v)))
      return e.refuse(ptc::DiagId::UnsupportedOperation, "complex()",
                      "of what is known at run time only");
    if (!isNumberConst(v))
      return e.raise(WellKnown::TypeError,
                     "complex() argument must be a string or a number, not '" +
                         capture::typeName(e, v) + "'");
    PTC_GET(d, toFloat(e, v));
    return std::complex<double>(d);
  };
  if (given(args, 1) && arg(args, 1).is(Kind::Str)) {
    py::Result<std::complex<double>> made = py::parseComplex(strRef(arg(args, 1)));
    return made ? Value::complex(*made) : raised(e, made.error());
  }
  PTC_GET(re, part(1));
  PTC_GET(im, part(2));
  // No sum with 0 here: it would lose the sign of -0.0.
  if (im.imag() == 0 && re.imag() == 0)
    return Value::complex({re.real(), given(args, 2) ? im.real() : re.imag()});
  return Value::complex({re.real() - im.imag(), re.imag() + im.real()});
}

Value builtins::boolNew(Engine &e, CallArgs &args) {
  if (!given(args, 1))
    return Value::boolean(false);
  PTC_LET(v, e.readable(arg(args, 1)));
  return truthOf(e, v, args.action);
}

// Methods
// --------------------------------------------------------------------------------------------------

static Value self(Engine &e, CallArgs &args) { return e.unboxed(e.known(arg(args, 0))); }

/// For methods that look at the digits of a number: one that is known only at run time is refused.
static Value constantSelf(Engine &e, CallArgs &args, llvm::StringRef method) {
  Value v = self(e, args);
  if (isOneOfConstants(e, v))
    return e.constantIndex(v);
  if (v.is(Kind::Scalar) || v.is(Kind::Size))
    return e.refuse(DiagId::Unsupported, capture::typeName(e, v) + "." + method +
                                             "() of a number known only at run time");
  return v;
}

/// A row of NumberFunctions.def of the object, where it is known at run time only; else Absent.
static Value ofRunTime(Engine &e, CallArgs &args, llvm::StringRef function) {
  Value v = self(e, args);
  if ((!v.is(Kind::Scalar) && !v.is(Kind::Size)) || isOneOfConstants(e, v))
    return Value::absent();
  return e.numberMath(function, {v});
}

Value builtins::intBitLength(Engine &e, CallArgs &args) {
  PTC_LET(recorded, ofRunTime(e, args, "bit_length"));
  if (!recorded.isAbsent())
    return recorded;
  PTC_LET(v, constantSelf(e, args, "bit_length"));
  return Value::integer(int64_t(py::bitLength(asPyInt(v))));
}
Value builtins::intBitCount(Engine &e, CallArgs &args) {
  PTC_LET(recorded, ofRunTime(e, args, "bit_count"));
  if (!recorded.isAbsent())
    return recorded;
  PTC_LET(v, constantSelf(e, args, "bit_count"));
  return Value::integer(int64_t(py::bitCount(asPyInt(v))));
}
Value builtins::intSelf(Engine &e, CallArgs &args) {
  Value v = self(e, args);
  return numberType(v) == NumberType::Bool ? e.numberCast(v, ScalarType::Int) : v;
}
Value builtins::intOne(Engine &, CallArgs &) { return Value::integer(1); }
static std::optional<py::ByteOrder> orderArg(Engine &e, CallArgs &args, llvm::StringRef method) {
  if (!given(args, 2))
    return py::ByteOrder::Big;
  PTC_LET(order, plainArg(e, args, 2));
  if (!order.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   method + "() argument 'byteorder' must be str, not " +
                       (order.isNone() ? "None" : capture::typeName(e, order)));
  if (order.asStr() == "little")
    return py::ByteOrder::Little;
  if (order.asStr() == "big")
    return py::ByteOrder::Big;
  return e.raise(WellKnown::ValueError, "byteorder must be either 'little' or 'big'");
}
static std::optional<bool> signedArg(Engine &e, CallArgs &args) {
  if (!given(args, 3))
    return false;
  PTC_GET(truth, e.truth(arg(args, 3)));
  return bool(truth);
}
Value builtins::intToBytes(Engine &e, CallArgs &args) {
  PTC_LET(v, constantSelf(e, args, "to_bytes"));
  py::PyInt length(1);
  if (given(args, 1)) {
    PTC_LET(size, plainArg(e, args, 1));
    if (isUserObject(e, size) && !isNumber(e.unboxed(size)) &&
        !e.lookupInClass(e.typeOf(size), e.intern("__index__")).isAbsent())
      return e.refuse(DiagId::Unsupported, "to_bytes with a length that is an object");
    PTC_LET(index, integerOf(e, size));
    length = asPyInt(index);
  }
  PTC_GET(order, orderArg(e, args, "to_bytes"));
  PTC_GET(isSigned, signedArg(e, args));
  py::Result<std::string> r = py::toBytes(asPyInt(v), length, order, isSigned);
  return r ? Value::bytes(*r) : raised(e, r.error());
}
Value builtins::intFromBytes(Engine &e, CallArgs &args) {
  const Value cls = arg(args, 0);
  PTC_LET(object, e.decide(arg(args, 1)));
  const bool isOwn = isUserObject(e, object) &&
                     isPythonFunction(e, e.lookupInClass(e.typeOf(object), e.intern("__bytes__")));
  Value data = isOwn ? object : e.unboxed(object);
  PTC_GET(order, orderArg(e, args, "from_bytes"));
  PTC_GET(isSigned, signedArg(e, args));
  if (isNumber(data) || data.is(Kind::Str) || data.is(Kind::Template))
    return e.raise(WellKnown::TypeError,
                   "cannot convert '" + capture::typeName(e, data) + "' object to bytes");
  if (!data.is(Kind::Bytes))
    return e.callPrelude(
        "_int_from_bytes",
        {cls, data, given(args, 2) ? arg(args, 2) : Value::str("big"), Value::boolean(isSigned)},
        args.action);
  Value number = ofPyInt(py::fromBytes(data.asBytes(), order, isSigned));
  if (cls == Value::ref(e.builtinClass(WellKnown::IntType)))
    return number;
  return e.callPrelude("_made_of", {cls, number}, args.action);
}
Value builtins::intAsRatio(Engine &e, CallArgs &args) {
  return Value::tuple({intSelf(e, args), Value::integer(1)});
}
Value builtins::numberConjugate(Engine &e, CallArgs &args) {
  Value v = self(e, args);
  return v.is(Kind::Complex) ? Value::complex(std::conj(v.asComplex())) : intSelf(e, args);
}
Value builtins::numberReal(Engine &e, CallArgs &args) {
  Value v = self(e, args);
  return v.is(Kind::Complex) ? Value::real(v.asComplex().real()) : intSelf(e, args);
}
Value builtins::numberImag(Engine &e, CallArgs &args) {
  Value v = self(e, args);
  if (v.is(Kind::Complex))
    return Value::real(v.asComplex().imag());
  return numberType(v) == NumberType::Float ? Value::real(0) : Value::integer(0);
}

Value builtins::floatIsInteger(Engine &e, CallArgs &args) {
  if (numberType(self(e, args)) != NumberType::Float)
    return Value::boolean(true);
  PTC_LET(recorded, ofRunTime(e, args, "is_integer"));
  if (!recorded.isAbsent())
    return recorded;
  PTC_LET(v, constantSelf(e, args, "is_integer"));
  double d = v.asFloat();
  return Value::boolean(std::isfinite(d) && d == std::floor(d));
}
Value builtins::floatAsRatio(Engine &e, CallArgs &args) {
  PTC_LET(v, constantSelf(e, args, "as_integer_ratio"));
  py::Result<py::IntRatio> ratio = py::asIntegerRatio(v.asFloat());
  if (!ratio)
    return raised(e, ratio.error());
  return Value::tuple({ofPyInt(ratio->numerator), ofPyInt(ratio->denominator)});
}
Value builtins::floatHex(Engine &e, CallArgs &args) {
  PTC_LET(v, constantSelf(e, args, "hex"));
  return Value::str(py::hexFloat(v.asFloat()));
}
Value builtins::floatFromHex(Engine &e, CallArgs &args) {
  PTC_LET(text, plainArg(e, args, 1));
  if (!text.is(Kind::Str))
    return e.raise(WellKnown::TypeError, "bad argument type for built-in operation");
  PTC_LET(number, toValue(e, py::parseHexFloat(strRef(text))));
  if (arg(args, 0).asRef() == e.builtinClass(WellKnown::FloatType))
    return number;
  CallArgs one; // a subclass makes its own
  one.action = args.action;
  one.positional = {number};
  return e.call(arg(args, 0), std::move(one));
}

/// One of two floats, without a fork.
static Value selectFloat(Engine &e, const Value &condition, const Value &yes, const Value &no) {
  TapeValue type;
  type.type = TapeType::Float;
  std::vector<TapeArg> args{e.operand(condition), e.operand(no), e.operand(yes)};
  return Value::scalar(e.emit(TapeOp::Pick, std::move(args), type), ScalarType::Float);
}

/// round(x, digits) of a float of the run, as CPython's, which rounds the exact value half to even:
/// the product with 10^digits is taken as a sum of two floats (Dekker 1971), whose smaller part
/// says on which side of a tie it lies. Both 10^digits and the rounded product are exact, so that
/// one division gives the float that is nearest to the decimal. From 2^53 on, x is nearest itself.
static Value roundToDigits(Engine &e, const Value &x, int64_t digits) {
  auto apply = [&](BinaryOp op, const Value &a, const Value &b) {
    return nativeBinary(e, op, a, b, false);
  };
  auto both = [&](const Value &a, CompareOp op, double bound, const Value &b, CompareOp side) {
    return apply(BinaryOp::And, e.numberOrConstantCompare(op, a, Value::real(bound)),
                 e.numberOrConstantCompare(side, b, Value::real(0)));
  };
  constexpr double kSplitter = 0x1p27 + 1;
  const double scale = std::pow(10.0, double(digits));
  const double scaleHigh = scale * kSplitter - (scale * kSplitter - scale);
  const Value high = Value::real(scaleHigh), low = Value::real(scale - scaleHigh);
  const Value product = apply(BinaryOp::Mul, x, Value::real(scale));
  const Value wide = apply(BinaryOp::Mul, x, Value::real(kSplitter));
  const Value xHigh = apply(BinaryOp::Sub, wide, apply(BinaryOp::Sub, wide, x));
  const Value xLow = apply(BinaryOp::Sub, x, xHigh);
  Value rest = apply(BinaryOp::Sub, apply(BinaryOp::Mul, xHigh, high), product);
  rest = apply(BinaryOp::Add, rest, apply(BinaryOp::Mul, xHigh, low));
  rest = apply(BinaryOp::Add, rest, apply(BinaryOp::Mul, xLow, high));
  rest = apply(BinaryOp::Add, rest, apply(BinaryOp::Mul, xLow, low));
  PTC_LET(whole, e.numberMath("round", {product}));
  const Value off = apply(BinaryOp::Sub, product, whole);
  const Value up = both(off, CompareOp::Eq, 0.5, rest, CompareOp::Gt),
              down = both(off, CompareOp::Eq, -0.5, rest, CompareOp::Lt);
  Value rounded = selectFloat(e, up, apply(BinaryOp::Add, whole, Value::real(1)), whole);
  rounded = selectFloat(e, down, apply(BinaryOp::Sub, whole, Value::real(1)), rounded);
  const Value isSmall =
      e.numberOrConstantCompare(CompareOp::Lt, e.numberAbs(product), Value::real(0x1p53));
  return selectFloat(e, isSmall, apply(BinaryOp::TrueDiv, rounded, Value::real(scale)), x);
}

/// 10^22 is the last power of ten that a float holds exactly.
static constexpr int64_t kMostDigits = 22;

static Value roundRunTime(Engine &e, const Value &v, const Value &asked) {
  bool isRunTimeInt =
      (asked.is(Kind::Scalar) || asked.is(Kind::Size)) && numberType(asked) != NumberType::Float;
  Value digits = asked;
  if (!isRunTimeInt) {
    PTC_LET(n, integerOf(e, asked));
    digits = Value::integer(asPyInt(n).clampToInt64());
  }
  if (numberType(v) != NumberType::Float)
    return digits.is(Kind::Int) && digits.asInt() >= 0 ? e.numberCast(v, ScalarType::Int)
                                                       : e.numberMath("round.int", {v, digits});
  bool isExact = digits.is(Kind::Int) && digits.asInt() >= 0 && digits.asInt() <= kMostDigits;
  return isExact ? roundToDigits(e, v, digits.asInt()) : e.numberMath("round.float", {v, digits});
}

Value builtins::numberRound(Engine &e, CallArgs &args) {
  Value v = self(e, args);
  bool digits = given(args, 1) && !arg(args, 1).isNone();
  if (v.is(Kind::Scalar) || v.is(Kind::Size)) {
    if (digits) {
      PTC_LET(asked, plainArg(e, args, 1));
      return roundRunTime(e, v, asked);
    }
    if (numberType(v) != NumberType::Float)
      return e.numberCast(v, ScalarType::Int);
    // round() without digits is an int; its value is a whole float before.
    PTC_LET(whole, e.numberMath("round", {v}));
    return e.numberCast(whole, ScalarType::Int);
  }
  if (!digits)
    return isIntConst(v) ? intSelf(e, args) : toValue(e, py::roundToInt(v.asFloat()));
  PTC_LET(asked, plainArg(e, args, 1));
  if ((asked.is(Kind::Scalar) || asked.is(Kind::Size)) && numberType(asked) != NumberType::Float)
    return v.is(Kind::BigInt) ? e.refuse(DiagId::RunTimeBigInt) : roundRunTime(e, v, asked);
  PTC_LET(n, integerOf(e, asked));
  if (isIntConst(v))
    return toValue(e, py::roundInt(asPyInt(v), asPyInt(n)));
  return toValue(e, py::roundFloat(v.asFloat(), asPyInt(n)));
}

static Value mathRound(Engine &e, CallArgs &args, llvm::StringRef function,
                       py::Result<py::PyInt> (*f)(double)) {
  if (numberType(self(e, args)) != NumberType::Float)
    return intSelf(e, args);
  PTC_LET(recorded, ofRunTime(e, args, function));
  if (!recorded.isAbsent())
    return recorded;
  PTC_LET(v, constantSelf(e, args, function));
  return toValue(e, f(v.asFloat()));
}
Value builtins::numberTrunc(Engine &e, CallArgs &args) {
  return mathRound(e, args, "trunc", py::truncToInt);
}
Value builtins::numberFloor(Engine &e, CallArgs &args) {
  return mathRound(e, args, "floor", py::floorToInt);
}
Value builtins::numberCeil(Engine &e, CallArgs &args) {
  return mathRound(e, args, "ceil", py::ceilToInt);
}
Value builtins::numberFloat(Engine &e, CallArgs &args) {
  Value v = self(e, args);
  if (v.is(Kind::Scalar) || v.is(Kind::Size))
    return e.numberCast(v, ScalarType::Float);
  PTC_GET(d, toFloat(e, v));
  return Value::real(d);
}
Value builtins::numberBool(Engine &e, CallArgs &args) {
  return truthOf(e, self(e, args), args.action);
}
Value builtins::numberNeg(Engine &e, CallArgs &args) {
  return unaryOperation(e, "__neg__", self(e, args), args.action);
}
Value builtins::numberPos(Engine &e, CallArgs &args) {
  return unaryOperation(e, "__pos__", self(e, args), args.action);
}
Value builtins::intInvert(Engine &e, CallArgs &args) {
  return unaryOperation(e, "__invert__", self(e, args), args.action);
}
Value builtins::numberAbsMethod(Engine &e, CallArgs &args) {
  CallArgs one;
  one.positional = {self(e, args)};
  return fnAbs(e, one);
}

// Operators as methods
// ---------------------------------------------------------------------------------------

static bool isWholeNumber(const Value &v) {
  return numberType(v) == NumberType::Int || numberType(v) == NumberType::Bool;
}

/// Is the method of number `a` there for `b`? An int's knows ints, a float's ints and floats.
static bool operatesOn(const Value &a, const Value &b) {
  if (!isNumber(a) && !a.is(Kind::Complex))
    return true;
  if (b.is(Kind::Complex))
    return a.is(Kind::Complex);
  return isNumber(b) && (!isWholeNumber(a) || isWholeNumber(b));
}

static Value operate(Engine &e, BinaryOp op, const Value &a, const Value &b, bool inPlace = false) {
  if (!operatesOn(a, b))
    return Value::notImplemented();
  PTC_LET(result, nativeBinary(e, op, a, b, inPlace));
  return result.isAbsent() ? Value::notImplemented() : result;
}

template <BinaryOp op> static Value slotForward(Engine &e, CallArgs &args) {
  if (op == BinaryOp::Mod && self(e, args).is(Kind::Str))
    return percentFormat(e, self(e, args), arg(args, 1));
  PTC_LET(b, plainArg(e, args, 1));
  return operate(e, op, self(e, args), b);
}
template <BinaryOp op> static Value slotBackward(Engine &e, CallArgs &args) {
  PTC_LET(b, plainArg(e, args, 1));
  Value a = self(e, args);
  if (!operatesOn(a, b))
    return Value::notImplemented();
  PTC_LET(result, nativeBinary(e, op, b, a, false));
  return result.isAbsent() ? Value::notImplemented() : result;
}
template <BinaryOp op> static Value slotInPlace(Engine &e, CallArgs &args) {
  PTC_LET(b, plainArg(e, args, 1));
  Value a = self(e, args);
  PTC_LET(result, nativeBinary(e, op, a, b, true));
  if (result.isAbsent() && op == BinaryOp::Add && isRefTo(e, a, ObjectKind::List))
    return e.callPrelude("_list_iadd", {a, b}, args.action);
  if (result.isAbsent() && op == BinaryOp::Or && isRefTo(e, a, ObjectKind::Dict))
    return e.callPrelude("_dict_ior", {a, arg(args, 1)}, args.action);
  return result.isAbsent() ? Value::notImplemented() : result == a ? arg(args, 0) : result;
}
#define PTC_SLOTS(Name)                                                                            \
  Value builtins::slot##Name(Engine &e, CallArgs &args) {                                          \
    return slotForward<BinaryOp::Name>(e, args);                                                   \
  }                                                                                                \
  Value builtins::slotR##Name(Engine &e, CallArgs &args) {                                         \
    return slotBackward<BinaryOp::Name>(e, args);                                                  \
  }
#define PTC_IN_PLACE(Name)                                                                         \
  Value builtins::slotI##Name(Engine &e, CallArgs &args) {                                         \
    return slotInPlace<BinaryOp::Name>(e, args);                                                   \
  }
PTC_SLOTS(Add)
PTC_SLOTS(And)
PTC_SLOTS(FloorDiv)
PTC_SLOTS(LShift)
PTC_SLOTS(Mul)
PTC_SLOTS(Mod)
PTC_SLOTS(Or)
PTC_SLOTS(RShift)
PTC_SLOTS(Sub)
PTC_SLOTS(TrueDiv)
PTC_SLOTS(Xor)
PTC_IN_PLACE(Add)
PTC_IN_PLACE(And)
PTC_IN_PLACE(Mul)
PTC_IN_PLACE(Or)
PTC_IN_PLACE(Sub)
PTC_IN_PLACE(Xor)
#undef PTC_IN_PLACE
#undef PTC_SLOTS

/// pow() of ints, one of which is known at run time only, with a modulus.
static Value runTimePowerModulo(Engine &e, const Value &base, const Value &exponent,
                                const Value &modulus) {
  for (const Value &v : {base, exponent, modulus})
    if (v.is(Kind::BigInt))
      return e.refuse(DiagId::RunTimeBigInt);
  PTC_GET(nonZero, e.truth(modulus));
  if (!nonZero)
    return e.raise(WellKnown::ValueError, "pow() 3rd argument cannot be 0");
  PTC_LET(negative, e.numberOrConstantCompare(CompareOp::Lt, exponent, Value::integer(0)));
  PTC_GET(isInverse, e.truth(negative));
  if (isInverse)
    return endUncomputed(
        e, "an inverse of ints of the run",
        ptc::makeDiagnostic(DiagId::Unsupported, e.here(), "an inverse of ints of the run"));
  return e.numberMath("pow.mod", {base, exponent, modulus});
}

Value builtins::slotPow(Engine &e, CallArgs &args) {
  if (!given(args, 2) || arg(args, 2).isNone())
    return slotForward<BinaryOp::Pow>(e, args);
  PTC_LET(exponent, plainArg(e, args, 1));
  PTC_LET(modulus, plainArg(e, args, 2));
  Value base = self(e, args);
  bool runTime = !isNumberConst(base) || !isNumberConst(exponent) || !isNumberConst(modulus);
  if (runTime && isWholeNumber(base) && isWholeNumber(exponent) && isWholeNumber(modulus))
    return runTimePowerModulo(e, base, exponent, modulus);
  if (!isIntConst(base) || !isIntConst(exponent) || !isIntConst(modulus))
    return e.raise(WellKnown::TypeError,
                   "pow() 3rd argument not allowed unless all arguments are integers");
  return toValue(e, py::powMod(asPyInt(base), asPyInt(exponent), asPyInt(modulus)));
}
Value builtins::slotRPow(Engine &e, CallArgs &args) { return slotBackward<BinaryOp::Pow>(e, args); }

/// divmod(a, b)
static Value divideBoth(Engine &e, const Value &a, const Value &b) {
  if (isNumberConst(a) && isNumberConst(b) && (a.is(Kind::Float) || b.is(Kind::Float))) {
    PTC_GET(x, toFloat(e, a));
    PTC_GET(y, toFloat(e, b));
    py::Result<py::FloatPair> both = py::divModFloat(x, y);
    if (!both)
      return raised(e, both.error());
    return Value::tuple({Value::real(both->quotient), Value::real(both->remainder)});
  }
  bool floats = numberType(a) == NumberType::Float || numberType(b) == NumberType::Float;
  if (floats) {
    PTC_GET(nonZero, e.truth(b));
    if (!nonZero)
      return e.raise(WellKnown::ZeroDivisionError, "float divmod()");
  }
  PTC_LET(quotient, nativeBinary(e, BinaryOp::FloorDiv, a, b, false));
  PTC_LET(remainder, nativeBinary(e, BinaryOp::Mod, a, b, false));
  return Value::tuple({quotient, remainder});
}
Value builtins::slotDivMod(Engine &e, CallArgs &args) {
  PTC_LET(b, plainArg(e, args, 1));
  Value a = self(e, args);
  return operatesOn(a, b) ? divideBoth(e, a, b) : Value::notImplemented();
}
Value builtins::slotRDivMod(Engine &e, CallArgs &args) {
  PTC_LET(b, plainArg(e, args, 1));
  Value a = self(e, args);
  return operatesOn(a, b) ? divideBoth(e, b, a) : Value::notImplemented();
}
Value builtins::numberNewArgs(Engine &e, CallArgs &args) {
  return Value::tuple({intSelf(e, args)});
}
