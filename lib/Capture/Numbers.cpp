//===- Numbers.cpp - Arithmetic on numbers known at run time -------------------------===//
//
// In: run-time scalars and sizes, with constants. Out: operations on the tape, size expressions, or
// guards. What can fail (a zero divisor) is decided first, so that it is a branch like any other;
// int overflow leaves the program with a status.
//
//===----------------------------------------------------------------------===//
#include "Comparison.h"
#include "Failures.h"
#include "InputNumbers.h"
#include "Objects.h"
#include "Overrides.h"
#include "SizeLoops.h"

#include "ptc/Python/Math.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
namespace sym = ptc::sym;

static bool isReal(const Value &v) { return numberType(v) == NumberType::Float; }

static TapeValue tapeType(ScalarType type) {
  TapeValue value;
  switch (type) {
  case ScalarType::Bool:
    value.type = TapeType::Bool;
    return value;
  case ScalarType::Int:
    value.type = TapeType::Int;
    return value;
  case ScalarType::Float:
    value.type = TapeType::Float;
    return value;
  }
  llvm_unreachable("closed enum");
}

sym::Expr capture::sizeOf(Engine &e, const Value &v) {
  return v.is(Kind::Size) ? v.asSize() : e.sizes().constant(v.asInt());
}

bool capture::isSizeOperand(const Value &v) { return v.is(Kind::Size) || v.isSmallInt(); }

/// Anything but polynomials and floor division of sizes becomes a scalar.
static Value sizeBinary(Engine &e, BinaryOp op, const Value &a, const Value &b) {
  sym::Expr result = e.sizeArithmetic(op, sizeOf(e, a), sizeOf(e, b));
  return result.isSupported() ? Value::size(result) : Value::absent();
}

/// Does an operation on run-time ints leave their relation in the algebra of sizes?
static bool relates(BinaryOp op, const Value &a, const Value &b) {
  auto isWhole = [](const Value &v) {
    return v.is(Kind::Scalar) || v.is(Kind::Size) || v.is(Kind::Int);
  };
  if (!isWhole(a) || !isWhole(b))
    return false;
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return true;
  case BinaryOp::Mul:
    return a.is(Kind::Int) || b.is(Kind::Int);
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod:
    return b.is(Kind::Int) && b.asInt() > 0;
  default:
    return false;
  }
}

static std::optional<TapeOp> tapeOpOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return TapeOp::Add;
  case BinaryOp::And:
    return TapeOp::And;
  case BinaryOp::FloorDiv:
    return TapeOp::FloorDiv;
  case BinaryOp::LShift:
    return TapeOp::Shl;
  case BinaryOp::MatMul:
    return std::nullopt;
  case BinaryOp::Mul:
    return TapeOp::Mul;
  case BinaryOp::Mod:
    return TapeOp::Mod;
  case BinaryOp::Or:
    return TapeOp::Or;
  case BinaryOp::Pow:
    return TapeOp::Pow;
  case BinaryOp::RShift:
    return TapeOp::Shr;
  case BinaryOp::Sub:
    return TapeOp::Sub;
  case BinaryOp::TrueDiv:
    return TapeOp::TrueDiv;
  case BinaryOp::Xor:
    return TapeOp::Xor;
  }
  llvm_unreachable("closed enum");
}

/// The text of CPython's ZeroDivisionError.
static llvm::StringRef zeroDivisionText(BinaryOp op, bool floats) {
  if (op == BinaryOp::TrueDiv)
    return floats ? "float division by zero" : "division by zero";
  if (op == BinaryOp::FloorDiv)
    return floats ? "float floor division by zero" : "integer division or modulo by zero";
  return floats ? "float modulo" : "integer modulo by zero";
}

static std::optional<int64_t> intBinary(BinaryOp op, int64_t a, int64_t b) {
  int64_t r = 0;
  switch (op) {
  case BinaryOp::Add:
    return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case BinaryOp::Sub:
    return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case BinaryOp::Mul:
    return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case BinaryOp::Mod:
    if (b <= 0)
      return std::nullopt;
    return (a % b + b) % b;
  default:
    return std::nullopt;
  }
}

/// A run-time int that is a constant for each case of a selector, with a constant: so is the
/// result, and what the path knows stays known. Absent for anything else.
static Value binaryByTable(Engine &e, BinaryOp op, const Value &a, const Value &b) {
  const Value &run = a.is(Kind::Scalar) ? a : b;
  const Value &other = a.is(Kind::Scalar) ? b : a;
  if (!run.is(Kind::Scalar) || run.scalarType() == ScalarType::Float || !other.isSmallInt())
    return Value();
  ValueId selector = kUndef;
  const std::vector<Value> *table = e.tableOf(run.scalarId(), selector);
  if (!table)
    return Value();
  std::vector<Value> results;
  for (const Value &v : *table) {
    if (!v.isSmallInt())
      return Value();
    std::optional<int64_t> r = a.is(Kind::Scalar) ? intBinary(op, v.asInt(), other.asInt())
                                                  : intBinary(op, other.asInt(), v.asInt());
    if (!r)
      return Value();
    results.push_back(Value::integer(*r));
  }
  return e.mapOf(selector, results);
}

static bool isOfBits(BinaryOp op) {
  return op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor;
}

bool capture::isOfNumbers(BinaryOp op, const Value &a, const Value &b) {
  bool needsInts = isOfBits(op) || op == BinaryOp::LShift || op == BinaryOp::RShift;
  return tapeOpOf(op) && !(needsInts && (isReal(a) || isReal(b))); // no number has @
}

Value Engine::numberBinary(BinaryOp op, const Value &a, const Value &b) {
  if (Value constants = binaryByTable(*this, op, a, b); !constants.isAbsent())
    return constants;
  std::optional<TapeOp> tapeOp = tapeOpOf(op);
  if (!tapeOp || !isOfNumbers(op, a, b))
    return unsupportedOperands(*this, op, a, b, /*inPlace=*/false);
  bool floats = isReal(a) || isReal(b), bits = isOfBits(op);
  bool shift = op == BinaryOp::LShift || op == BinaryOp::RShift;
  if (a.is(Kind::BigInt) || b.is(Kind::BigInt))
    return refuse(DiagId::RunTimeBigInt);
  bool divides = op == BinaryOp::TrueDiv || op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  if (divides) {
    PTC_LET(nonZero, truthValue(b));
    PTC_GET(isNonZero, truth(nonZero));
    if (!isNonZero)
      return raise(WellKnown::ZeroDivisionError, zeroDivisionText(op, floats));
  }
  if (!floats && sizeLoops && sizeLoops->mayOutgrow(op, a, b))
    return refuse(DiagId::RunTimeBigInt);
  if (isSizeOperand(a) && isSizeOperand(b)) {
    Value size = sizeBinary(*this, op, a, b);
    if (!size.isAbsent())
      return size;
  }
  if (op == BinaryOp::Pow)
    return numberPower(a, b);
  if (shift)
    PTC_DO(checkShift(*this, b));
  bool bothBool = numberType(a) == NumberType::Bool && numberType(b) == NumberType::Bool;
  ScalarType type = floats || op == BinaryOp::TrueDiv ? ScalarType::Float
                    : bothBool && bits                ? ScalarType::Bool
                                                      : ScalarType::Int;
  Value x = promote(a, type, op == BinaryOp::TrueDiv),
        y = promote(b, type, op == BinaryOp::TrueDiv);
  ValueId result = emit(*tapeOp, {operand(x), operand(y)}, tapeType(type));
  if (type == ScalarType::Int && relates(op, x, y))
    intOperations.try_emplace(result, IntOperation{op, x, y});
  if (type == ScalarType::Float)
    noteQuotient(result, op, a, b);
  return Value::scalar(result, type);
}

/// A number as an operand of an operation of type `type`; true division keeps ints, whose quotient
/// Python rounds once.
Value Engine::promote(const Value &v, ScalarType type, bool keepInts) {
  if (type == ScalarType::Bool || (keepInts && !isReal(v)))
    return numberType(v) == NumberType::Bool && type != ScalarType::Bool
               ? numberCast(v, ScalarType::Int)
               : v;
  return numberCast(v, type);
}

/// A negative number to a power that need not be whole: complex numbers are none of the run's. The
/// call ends there, unless the program would take that for an exception of its own.
static Value complexPower(Engine &e, const Value &exponent) {
  ptc::Diagnostic diag = ptc::makeDiagnostic(ptc::DiagId::RunTimePower, e.here());
  bool isRoot = exponent.is(Kind::Float) && exponent.asFloat() == 0.5;
  diag.hint(isRoot ? "math.sqrt(x) instead of x ** 0.5" : "math.pow(x, y) instead of x ** y");
  return endUncomputed(e, "a negative number to a fractional power is complex", std::move(diag));
}

/// Python's result type depends on the exponent's sign: decided first for ints.
Value Engine::numberPower(const Value &a, const Value &b) {
  bool floats = isReal(a) || isReal(b);
  if (!floats) {
    PTC_LET(negative, numberOrConstantCompare(CompareOp::Lt, b, Value::integer(0)));
    PTC_GET(isNegative, truth(negative));
    floats = isNegative;
  } else if (!isReal(b) || !b.is(Kind::Float) || b.asFloat() != std::floor(b.asFloat())) {
    // A negative base with a fractional exponent is complex.
    PTC_LET(negative, numberOrConstantCompare(CompareOp::Lt, a,
                                              isReal(a) ? Value::real(0) : Value::integer(0)));
    PTC_GET(isNegative, truth(negative));
    if (isNegative && isReal(b)) {
      PTC_LET(fraction, nativeBinary(*this, BinaryOp::Mod, b, Value::real(1), false));
      PTC_LET(fractional, numberOrConstantCompare(CompareOp::Ne, fraction, Value::real(0)));
      PTC_GET(isComplex, truth(fractional));
      if (isComplex)
        return complexPower(*this, b);
    }
  }
  ScalarType type = floats ? ScalarType::Float : ScalarType::Int;
  Value x = numberCast(a, type), y = numberCast(b, type);
  if (floats) {
    PTC_LET(power, noticedPower(*this, x, y));
    if (!power.isAbsent())
      return power;
  }
  return Value::scalar(emit(TapeOp::Pow, {operand(x), operand(y)}, tapeType(type)), type);
}

// Comparison
// -------------------------------------------------------------------------------------------

std::optional<bool> capture::proven(sym::Context &sizes, CompareOp op, sym::Expr a, sym::Expr b) {
  auto inverted = [](std::optional<bool> answer) -> std::optional<bool> {
    if (answer)
      return !*answer;
    return std::nullopt;
  };
  switch (op) {
  case CompareOp::Lt:
    return sizes.isLess(a, b);
  case CompareOp::Le:
    return sizes.isLessEqual(a, b);
  case CompareOp::Eq:
    return sizes.isEqual(a, b);
  case CompareOp::Ne:
    return inverted(sizes.isEqual(a, b));
  case CompareOp::Gt:
    return sizes.isLess(b, a);
  case CompareOp::Ge:
    return sizes.isLessEqual(b, a);
  }
  llvm_unreachable("closed enum");
}

static bool compareConstants(CompareOp op, const Value &a, const Value &b) {
  if (!a.is(Kind::Float) && !b.is(Kind::Float))
    return compareAs(op, a.asInt(), b.asInt());
  // 2^53 and above: a float is an integer there, so the comparison is exact in 80 bits.
  auto wide = [](const Value &v) {
    return v.is(Kind::Float) ? (long double)(v.asFloat()) : (long double)(v.asInt());
  };
  return compareAs(op, wide(a), wide(b));
}

CompareOp capture::mirrored(CompareOp op) {
  switch (op) {
  case CompareOp::Lt:
    return CompareOp::Gt;
  case CompareOp::Le:
    return CompareOp::Ge;
  case CompareOp::Eq:
    return CompareOp::Eq;
  case CompareOp::Ne:
    return CompareOp::Ne;
  case CompareOp::Gt:
    return CompareOp::Lt;
  case CompareOp::Ge:
    return CompareOp::Le;
  }
  llvm_unreachable("closed enum");
}

TapeOp capture::comparisonOf(CompareOp op) {
  switch (op) {
  case CompareOp::Lt:
    return TapeOp::Lt;
  case CompareOp::Le:
    return TapeOp::Le;
  case CompareOp::Eq:
    return TapeOp::Eq;
  case CompareOp::Ne:
    return TapeOp::Ne;
  case CompareOp::Gt:
    return TapeOp::Gt;
  case CompareOp::Ge:
    return TapeOp::Ge;
  }
  llvm_unreachable("closed enum");
}

static bool isConstantNumber(const Value &v) { return v.isSmallInt() || v.is(Kind::Float); }

Value Engine::numberOrConstantCompare(CompareOp op, const Value &a, const Value &b) {
  if (isConstantNumber(a) && isConstantNumber(b))
    return Value::boolean(compareConstants(op, a, b));
  return numberCompare(op, a, b);
}

/// A run-time int that is known to be a size, as that size.
static Value asSizeIfKnown(Engine &e, const Value &v) {
  if (!v.is(Kind::Scalar))
    return v;
  auto size = e.scalarSizes.find(v.scalarId());
  return size == e.scalarSizes.end() ? v : Value::size(size->second);
}

/// What follows of a comparison from the bounds of sizes, and from what the path has decided.
static std::optional<bool> provenHere(Engine &e, CompareOp op, sym::Expr a, sym::Expr b) {
  std::optional<bool> answer = proven(e.sizes(), op, a, b);
  return answer || !e.sizeLoops ? answer : e.sizeLoops->prove(op, a, b);
}

/// `id` is `a op b`: on the sides of a branch on it, that is known of sizes.
static void noteComparison(Engine &e, ValueId id, CompareOp op, const Value &a, const Value &b) {
  auto isWhole = [](const Value &v) {
    return v.is(Kind::Scalar) && v.scalarType() == ScalarType::Int;
  };
  Value x = asSizeIfKnown(e, a), y = asSizeIfKnown(e, b);
  if (!e.sizeLoops || !(x.is(Kind::Size) || y.is(Kind::Size)))
    return;
  auto asSize = [&](const Value &v) {
    return isWhole(v) ? Value::size(e.sizeOfScalar(v.scalarId(), sym::Interval::kMin)) : v;
  };
  x = asSize(x);
  y = asSize(y);
  if (isSizeOperand(x) && isSizeOperand(y))
    e.sizeLoops->note(id, op, sizeOf(e, x), sizeOf(e, y));
}

Value Engine::numberCompare(CompareOp op, const Value &a, const Value &b) {
  if (a.is(Kind::BigInt) || b.is(Kind::BigInt))
    return refuse(DiagId::RunTimeBigInt);
  if (a.is(Kind::Scalar) || b.is(Kind::Scalar)) {
    Value x = asSizeIfKnown(*this, a), y = asSizeIfKnown(*this, b);
    if (isSizeOperand(x) && isSizeOperand(y))
      if (std::optional<bool> answer = provenHere(*this, op, sizeOf(*this, x), sizeOf(*this, y)))
        return Value::boolean(*answer);
  }
  if (isSizeOperand(a) && isSizeOperand(b)) {
    sym::Expr x = sizeOf(*this, a), y = sizeOf(*this, b);
    if (isInputSize(x) && isInputSize(y)) {
      if (sizeLoops) {
        if (std::optional<bool> answer = sizeLoops->prove(op, x, y))
          return Value::boolean(*answer);
        if (Value goesOn = sizeLoops->compareCondition(op, x, y); !goesOn.isAbsent())
          return goesOn;
      }
      PTC_GET(answer, decideSizes(op, x, y, "a comparison"));
      return Value::boolean(answer);
    }
    if (std::optional<bool> answer = provenHere(*this, op, x, y))
      return Value::boolean(*answer);
    if (Value answer = compareByCases(op, x, y); !answer.isAbsent())
      return answer;
  }
  if (std::optional<bool> answer = guardFloat(*this, op, a, b))
    return Value::boolean(*answer);
  // A run-time scalar that is a constant for each case of a selector: facts flow both ways.
  for (bool swapped : {false, true}) {
    const Value &run = swapped ? b : a, &constant = swapped ? a : b;
    ValueId selector = kUndef;
    if (!run.is(Kind::Scalar) || !isConstantNumber(constant))
      continue;
    const std::vector<Value> *table = tableOf(run.scalarId(), selector);
    if (!table)
      continue;
    std::vector<Value> answers;
    CompareOp direct = swapped ? mirrored(op) : op;
    bool whole = true;
    for (const Value &v : *table) {
      whole &= !v.isAbsent();
      if (whole)
        answers.push_back(Value::boolean(compareConstants(direct, v, constant)));
    }
    if (whole)
      return mapOf(selector, answers);
  }
  if (a == b && numberType(a) == NumberType::Int)
    return Value::boolean(op == CompareOp::Eq || op == CompareOp::Le || op == CompareOp::Ge);
  // An int against a float is compared exactly by Python; the operation takes both as they are.
  Value x = isReal(a) ? a : numberCast(a, ScalarType::Int);
  Value y = isReal(b) ? b : numberCast(b, ScalarType::Int);
  ValueId id = emit(comparisonOf(op), {operand(x), operand(y)}, tapeType(ScalarType::Bool));
  noteComparison(*this, id, op, x, y);
  return Value::scalar(id, ScalarType::Bool);
}

std::optional<bool> Engine::decideSizes(CompareOp op, sym::Expr a, sym::Expr b,
                                        llvm::StringRef why) {
  // While a module is constructed there are no inputs, and sizes are constants.
  if (shapes && isInputSize(a) && isInputSize(b))
    return guardSizes(op, a, b, why);
  if (std::optional<bool> answer = proven(sizes(), op, a, b))
    return answer;
  PTC_LET(answer, numberOrConstantCompare(op, Value::size(a), Value::size(b)));
  return truth(answer);
}

// Unary
// ---------------------------------------------------------------------------------------------------

Value Engine::numberNegate(const Value &a) {
  if (a.is(Kind::Size))
    return Value::size(sizes().neg(a.asSize()));
  ScalarType type = isReal(a) ? ScalarType::Float : ScalarType::Int;
  Value x = numberCast(a, type);
  return Value::scalar(emit(TapeOp::Neg, {operand(x)}, tapeType(type)), type);
}

Value Engine::numberAbs(const Value &a) {
  ScalarType type = isReal(a) ? ScalarType::Float : ScalarType::Int;
  Value x = numberCast(a, type);
  return Value::scalar(emit(TapeOp::Abs, {operand(x)}, tapeType(type)), type);
}

Value Engine::numberCast(const Value &a, ScalarType to) {
  NumberType from = numberType(a);
  switch (to) {
  case ScalarType::Bool:
    return truthValue(a);
  case ScalarType::Int:
    if (from == NumberType::Int)
      return a;
    if (a.is(Kind::Bool))
      return Value::integer(a.asInt());
    if (Value whole = wholePart(a, /*up=*/false); !whole.isAbsent())
      return whole;
    if (isReal(a))
      PTC_DO(checkToInt(*this, a));
    return Value::scalar(emit(TapeOp::ToInt, {operand(a)}, tapeType(to)), to);
  case ScalarType::Float:
    if (from == NumberType::Float)
      return a;
    if (a.isSmallInt())
      return Value::real(double(a.asInt()));
    return Value::scalar(emit(TapeOp::ToFloat, {operand(a)}, tapeType(to)), to);
  }
  llvm_unreachable("closed enum");
}

/// A row of NumberFunctions.def of its operands. Where the program notices what it raises, the
/// result is computed first.
static Value numberFunction(Engine &e, const py::NumberFunction &function,
                            llvm::ArrayRef<Value> args) {
  std::vector<TapeArg> operands;
  std::vector<Value> numbers;
  for (auto [i, arg] : llvm::enumerate(args)) {
    bool isReal = function.operandKind(i) == py::NumberKind::Float;
    PTC_LET(number, e.numberCast(arg, isReal ? ScalarType::Float : ScalarType::Int));
    operands.push_back(e.operand(number));
    numbers.push_back(number);
  }
  PTC_DO(checkMath(e, function.name, numbers));
  const bool grows = llvm::is_contained({"comb", "factorial", "lcm", "perm"}, function.name);
  if (grows && e.sizeLoops &&
      llvm::any_of(numbers, [&](const Value &n) { return e.sizeLoops->isOfTurn(n); }))
    return e.refuse(ptc::DiagId::RunTimeBigInt);
  ScalarType type = function.result == py::NumberKind::Float  ? ScalarType::Float
                    : function.result == py::NumberKind::Bool ? ScalarType::Bool
                                                              : ScalarType::Int;
  auto record = [&](std::vector<TapeArg> how) {
    how.insert(how.begin(), TapeArg::str(function.name));
    return Value::scalar(e.emit(TapeOp::Math, operands, tapeType(type), std::move(how)), type);
  };
  if (!noticesNumber(e, function))
    return record({});
  Value result = record({TapeArg::boolean(true)}); // total
  PTC_DO(checkResult(e, function, result, numbers));
  return result;
}

Value Engine::numberMath(llvm::StringRef function, llvm::ArrayRef<Value> args) {
  if (function == "pow")
    return mathPower(*this, numberCast(args[0], ScalarType::Float),
                     numberCast(args[1], ScalarType::Float));
  if (const py::NumberFunction *row = py::findNumberFunction(function))
    return numberFunction(*this, *row, args);
  Value real = numberCast(args[0], ScalarType::Float);
  PTC_DO(checkMath(*this, function, {real}));
  bool toInt = function == "floor" || function == "ceil" || function == "trunc";
  bool toBool = function == "isnan" || function == "isinf" || function == "isfinite";
  ScalarType type = toInt ? ScalarType::Int : toBool ? ScalarType::Bool : ScalarType::Float;
  return Value::scalar(
      emit(TapeOp::Math, {operand(real)}, tapeType(type), {TapeArg::str(function)}), type);
}

// Truth
// ----------------------------------------------------------------------------------------------------

Value Engine::truthValue(const Value &given) {
  PTC_LET(v, isTensorLike(given) ? given : decide(given));
  if (isTensorLike(v)) {
    PTC_DO(checkNoFunctionMode(*this, "bool() of tensors"));
    PTC_LET(item, tensorTruth(v));
    return truthValue(item);
  }
  switch (v.kind()) {
  case Kind::None:
    return Value::boolean(false);
  case Kind::Bool:
  case Kind::Int:
    return Value::boolean(v.asInt() != 0);
  case Kind::Float:
    return Value::boolean(v.asFloat() != 0);
  case Kind::Scalar: {
    if (v.scalarType() == ScalarType::Bool)
      return v;
    Value zero = v.scalarType() == ScalarType::Float ? Value::real(0) : Value::integer(0);
    return numberCompare(CompareOp::Ne, v, zero);
  }
  case Kind::Size:
    return numberCompare(CompareOp::Ne, v, Value::integer(0));
  default:
    return containerTruth(v);
  }
}

std::optional<bool> Engine::truth(const Value &given) {
  PTC_LET(v, truthValue(given));
  if (v.is(Kind::Bool))
    return v.asBool();
  PTC_GET(n, settle(v.scalarId(), 2));
  return n != 0;
}
