//===- EvalNumbers.cpp - Python's numbers ----------------------------------------===//
//
// In: operations of arith and program on bool, int and float. Out: their values as CPython computes
// them; ints that leave 64 bits are IntOverflow.
//
//===----------------------------------------------------------------------===//
#include "Frame.h"

#include "ptc/Python/Float.h"
#include "ptc/Python/Math.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace ptc;
using namespace ptc::program;

static llvm::Error overflow(Operation *op) {
  return makeError(DiagId::IntOverflow, sourceLocOf(op->getLoc()));
}

static llvm::Error raise(const py::Raised &raised) {
  return raise(py::getExcName(raised.kind), raised.text);
}

template <typename OpT> static llvm::Error checked(Frame &f, Operation *op) {
  int64_t x = f.getInt(op->getOperand(0)), y = f.getInt(op->getOperand(1)), r;
  bool bad;
  if constexpr (std::is_same_v<OpT, AddOp>)
    bad = llvm::AddOverflow(x, y, r);
  else if constexpr (std::is_same_v<OpT, SubOp>)
    bad = llvm::SubOverflow(x, y, r);
  else
    bad = llvm::MulOverflow(x, y, r);
  if (bad)
    return overflow(op);
  f.set(op->getResult(0), r);
  return llvm::Error::success();
}

template <bool kModulo> static llvm::Error divide(Frame &f, Operation *op) {
  if (op->getResult(0).getType().isF64()) {
    double x = f.getFloat(op->getOperand(0)), y = f.getFloat(op->getOperand(1));
    py::Result<double> result = kModulo ? py::modFloat(x, y) : py::floorDivFloat(x, y);
    if (!result)
      return raise(result.error());
    f.set(op->getResult(0), *result);
    return llvm::Error::success();
  }
  int64_t x = f.getInt(op->getOperand(0)), y = f.getInt(op->getOperand(1));
  if (y == 0)
    return raise("ZeroDivisionError", "integer division or modulo by zero");
  if (y == -1) { // INT64_MIN / -1 traps
    if (x == INT64_MIN && !kModulo)
      return overflow(op);
    f.set(op->getResult(0), kModulo ? int64_t(0) : -x);
    return llvm::Error::success();
  }
  int64_t div = x / y, mod = x % y;
  if (mod != 0 && (mod < 0) != (y < 0)) {
    mod += y;
    --div;
  }
  f.set(op->getResult(0), kModulo ? mod : div);
  return llvm::Error::success();
}

static llvm::Error power(Frame &f, Operation *op) {
  if (op->getResult(0).getType().isF64()) {
    double x = f.getFloat(op->getOperand(0)), y = f.getFloat(op->getOperand(1));
    py::Result<py::FloatOrComplex> power = py::powFloat(x, y);
    if (!power)
      return raise(power.error());
    const double *r = std::get_if<double>(&*power);
    if (!r)
      return internalError(op, "a complex power of floats");
    f.set(op->getResult(0), *r);
    return llvm::Error::success();
  }
  int64_t x = f.getInt(op->getOperand(0)), n = f.getInt(op->getOperand(1)), r = 1;
  if (n < 0)
    return internalError(op, "a negative power of ints");
  for (; n; n >>= 1) {
    if (n & 1 && llvm::MulOverflow(r, x, r))
      return overflow(op);
    if (n > 1 && llvm::MulOverflow(x, x, x))
      return overflow(op);
  }
  f.set(op->getResult(0), r);
  return llvm::Error::success();
}

template <bool kLeft> static llvm::Error shift(Frame &f, Operation *op) {
  int64_t x = f.getInt(op->getOperand(0)), n = f.getInt(op->getOperand(1));
  if (n < 0)
    return raise("ValueError", "negative shift count");
  if (op->use_empty())
    return llvm::Error::success();
  if (!kLeft) {
    f.set(op->getResult(0), x >> std::min<int64_t>(n, 63));
    return llvm::Error::success();
  }
  if (x != 0 && (n > 62 || (x << n) >> n != x))
    return overflow(op);
  f.set(op->getResult(0), x == 0 ? int64_t(0) : int64_t(x << n));
  return llvm::Error::success();
}

static llvm::Error trueDivide(Frame &f, Operation *op) {
  int64_t x = f.getInt(op->getOperand(0)), y = f.getInt(op->getOperand(1));
  if (y == 0)
    return raise("ZeroDivisionError", "division by zero");
  // x86's long double holds every int64 exactly; rounding its quotient again is wrong only where
  // the 64-bit quotient lies exactly between two doubles without being exact.
  constexpr int64_t kExact = int64_t(1) << 53;
  if (std::abs(x) > kExact || std::abs(y) > kExact) {
    long double q = static_cast<long double>(x) / static_cast<long double>(y);
    f.set(op->getResult(0), double(q));
    return llvm::Error::success();
  }
  f.set(op->getResult(0), double(x) / double(y));
  return llvm::Error::success();
}

template <bool kAbs> static llvm::Error negate(Frame &f, Operation *op) {
  if (op->getResult(0).getType().isF64()) {
    double x = f.getFloat(op->getOperand(0));
    f.set(op->getResult(0), kAbs ? std::fabs(x) : -x);
    return llvm::Error::success();
  }
  int64_t x = f.getInt(op->getOperand(0));
  if (x == INT64_MIN)
    return overflow(op);
  f.set(op->getResult(0), kAbs ? (x < 0 ? -x : x) : -x);
  return llvm::Error::success();
}

/// -1, 0, 1; 2: unordered. Exact for any int and float.
static int compareExactly(int64_t i, double d) {
  if (std::isnan(d))
    return 2;
  if (d >= 0x1p63)
    return -1;
  if (d < -0x1p63)
    return 1;
  double whole = std::floor(d);
  int64_t k = int64_t(whole);
  if (i != k)
    return i < k ? -1 : 1;
  return d > whole ? -1 : 0;
}

static llvm::Error compare(Frame &f, Operation *op) {
  auto cmp = cast<CompareOp>(op);
  bool leftFloat = cmp.getLhs().getType().isF64();
  int order = leftFloat ? compareExactly(f.getInt(cmp.getRhs()), f.getFloat(cmp.getLhs()))
                        : compareExactly(f.getInt(cmp.getLhs()), f.getFloat(cmp.getRhs()));
  if (leftFloat && order != 2)
    order = -order;
  bool r = llvm::StringSwitch<bool>(cmp.getRelation())
               .Case("<", order == -1)
               .Case("<=", order == -1 || order == 0)
               .Case("==", order == 0)
               .Case("!=", order != 0)
               .Case(">", order == 1)
               .Case(">=", order == 1 || order == 0)
               .Default(false);
  f.set(op->getResult(0), r);
  return llvm::Error::success();
}

static llvm::Error toInt(Frame &f, Operation *op) {
  double x = f.getFloat(op->getOperand(0));
  if (std::isnan(x))
    return raise("ValueError", "cannot convert float NaN to integer");
  if (std::isinf(x))
    return raise("OverflowError", "cannot convert float infinity to integer");
  if (op->use_empty()) // an int of Python, of any length
    return llvm::Error::success();
  if (!(x >= -0x1p63 && x < 0x1p63))
    return overflow(op);
  f.set(op->getResult(0), int64_t(x));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// math
//===----------------------------------------------------------------------===//

/// Functions whose result is an int or a bool.
static llvm::Error integral(Frame &f, MathOp op, double x, bool &known) {
  StringRef name = op.getFunction();
  known = true;
  if (name == "isnan" || name == "isinf" || name == "isfinite") {
    bool r = name == "isnan" ? std::isnan(x) : name == "isinf" ? std::isinf(x) : std::isfinite(x);
    f.set(op.getResult(), r);
    return llvm::Error::success();
  }
  double whole;
  if (name == "floor")
    whole = std::floor(x);
  else if (name == "ceil")
    whole = std::ceil(x);
  else if (name == "trunc")
    whole = std::trunc(x);
  else if (name == "round")
    whole = std::nearbyint(x);
  else
    return known = false, llvm::Error::success();
  if (op.getResult().getType().isF64()) {
    f.set(op.getResult(), whole);
    return llvm::Error::success();
  }
  if (std::isnan(x))
    return raise("ValueError", "cannot convert float NaN to integer");
  if (std::isinf(x))
    return raise("OverflowError", "cannot convert float infinity to integer");
  if (op->use_empty())
    return llvm::Error::success();
  if (!(whole >= -0x1p63 && whole < 0x1p63))
    return overflow(op);
  f.set(op.getResult(), int64_t(whole));
  return llvm::Error::success();
}

/// A row of NumberFunctions.def.
static llvm::Error compute(Frame &f, MathOp call, const py::NumberFunction &function) {
  llvm::SmallVector<py::Number, 4> operands;
  for (auto [i, operand] : llvm::enumerate(call.getValues())) {
    py::Number number;
    if (function.operandKind(i) == py::NumberKind::Float)
      number.real = f.getFloat(operand);
    else
      number.integer = f.getInt(operand);
    operands.push_back(number);
  }
  bool overflowed = false;
  py::Number result;
  if (call.getTotal()) {
    overflowed = !function.compute(operands, result);
  } else {
    py::Result<py::Number> checked = py::evaluate(function, operands, overflowed);
    if (!checked)
      return raise(checked.error());
    result = *checked;
  }
  if (overflowed)
    return overflow(call);
  switch (function.result) {
  case py::NumberKind::Float:
    f.set(call.getResult(), result.real);
    break;
  case py::NumberKind::Bool:
    f.set(call.getResult(), result.integer != 0);
    break;
  default:
    f.set(call.getResult(), result.integer);
  }
  return llvm::Error::success();
}

static llvm::Error math(Frame &f, Operation *op) {
  auto call = cast<MathOp>(op);
  if (const py::NumberFunction *function = py::findNumberFunction(call.getFunction()))
    return compute(f, call, *function);
  bool known;
  if (llvm::Error error = integral(f, call, f.getFloat(call.getValues()[0]), known); error || known)
    return error;
  return internalError(op, "no function is called " + call.getFunction());
}

//===----------------------------------------------------------------------===//
// arith
//===----------------------------------------------------------------------===//

static llvm::Error constant(Frame &f, Operation *op) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  if (auto real = dyn_cast<FloatAttr>(value))
    f.set(op->getResult(0), real.getValueAsDouble());
  else if (auto flag = dyn_cast<BoolAttr>(value))
    f.set(op->getResult(0), flag.getValue());
  else if (auto integer = dyn_cast<IntegerAttr>(value))
    f.set(op->getResult(0), integer.getValue().getSExtValue());
  else
    return internalError(op, "a constant that is no number");
  return llvm::Error::success();
}

template <typename OpT> static llvm::Error arithFloat(Frame &f, Operation *op) {
  double x = f.getFloat(op->getOperand(0)), r;
  double y = op->getNumOperands() > 1 ? f.getFloat(op->getOperand(1)) : 0;
  if constexpr (std::is_same_v<OpT, arith::AddFOp>)
    r = x + y;
  else if constexpr (std::is_same_v<OpT, arith::SubFOp>)
    r = x - y;
  else if constexpr (std::is_same_v<OpT, arith::MulFOp>)
    r = x * y;
  else if constexpr (std::is_same_v<OpT, arith::DivFOp>)
    r = x / y;
  else
    r = -x;
  f.set(op->getResult(0), r);
  return llvm::Error::success();
}

template <typename OpT> static llvm::Error arithBits(Frame &f, Operation *op) {
  int64_t x = f.getInt(op->getOperand(0)), y = f.getInt(op->getOperand(1)), r;
  if constexpr (std::is_same_v<OpT, arith::AndIOp>)
    r = x & y;
  else if constexpr (std::is_same_v<OpT, arith::OrIOp>)
    r = x | y;
  else
    r = x ^ y;
  f.set(op->getResult(0),
        op->getResult(0).getType().isInteger(1) ? HostValue(bool(r & 1)) : HostValue(r));
  return llvm::Error::success();
}

static llvm::Error arithCompareInts(Frame &f, Operation *op) {
  auto cmp = cast<arith::CmpIOp>(op);
  int64_t x = f.getInt(cmp.getLhs()), y = f.getInt(cmp.getRhs());
  unsigned width = cmp.getLhs().getType().isInteger(1) ? 1 : 64;
  f.set(op->getResult(0),
        arith::applyCmpPredicate(cmp.getPredicate(), APInt(width, uint64_t(x), true, true),
                                 APInt(width, uint64_t(y), true, true)));
  return llvm::Error::success();
}

static llvm::Error arithCompareFloats(Frame &f, Operation *op) {
  auto cmp = cast<arith::CmpFOp>(op);
  f.set(op->getResult(0),
        arith::applyCmpPredicate(cmp.getPredicate(), APFloat(f.getFloat(cmp.getLhs())),
                                 APFloat(f.getFloat(cmp.getRhs()))));
  return llvm::Error::success();
}

bool program::isConversion(Operation *op) {
  return isa<arith::SIToFPOp, arith::UIToFPOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
             arith::IndexCastUIOp>(op);
}

static llvm::Error arithConvert(Frame &f, Operation *op) {
  Type type = op->getResult(0).getType();
  if (f.isUndefined(op->getOperand(0)))
    f.set(op->getResult(0), HostValue());
  else if (type.isF64())
    f.set(op->getResult(0), f.getFloat(op->getOperand(0)));
  else if (type.isInteger(1))
    f.set(op->getResult(0), bool(f.getInt(op->getOperand(0)) & 1));
  else
    f.set(op->getResult(0), f.getInt(op->getOperand(0)));
  return llvm::Error::success();
}

static llvm::Error select(Frame &f, Operation *op) {
  // The canonicalizer makes it of an scf.if that only yields: lenient as that was.
  auto choose = cast<arith::SelectOp>(op);
  f.set(op->getResult(0),
        f.get(f.getInt(choose.getCondition()) ? choose.getTrueValue() : choose.getFalseValue()));
  return llvm::Error::success();
}

template <typename OpT> static llvm::detail::DenseMapPair<TypeID, Handler> row(Handler handler) {
  llvm::detail::DenseMapPair<TypeID, Handler> pair;
  pair.first = TypeID::get<OpT>();
  pair.second = handler;
  return pair;
}

Handler program::findNumberHandler(Operation *op) {
  static const llvm::DenseMap<TypeID, Handler> kHandlers{
      row<AddOp>(checked<AddOp>),
      row<SubOp>(checked<SubOp>),
      row<MulOp>(checked<MulOp>),
      row<FloorDivOp>(divide<false>),
      row<ModOp>(divide<true>),
      row<PowOp>(power),
      row<ShlOp>(shift<true>),
      row<ShrOp>(shift<false>),
      row<TrueDivOp>(trueDivide),
      row<NegOp>(negate<false>),
      row<AbsOp>(negate<true>),
      row<CompareOp>(compare),
      row<ToIntOp>(toInt),
      row<MathOp>(math),
      row<arith::ConstantOp>(constant),
      row<arith::AddFOp>(arithFloat<arith::AddFOp>),
      row<arith::SubFOp>(arithFloat<arith::SubFOp>),
      row<arith::MulFOp>(arithFloat<arith::MulFOp>),
      row<arith::DivFOp>(arithFloat<arith::DivFOp>),
      row<arith::NegFOp>(arithFloat<arith::NegFOp>),
      row<arith::AndIOp>(arithBits<arith::AndIOp>),
      row<arith::OrIOp>(arithBits<arith::OrIOp>),
      row<arith::XOrIOp>(arithBits<arith::XOrIOp>),
      row<arith::CmpIOp>(arithCompareInts),
      row<arith::CmpFOp>(arithCompareFloats),
      row<arith::SIToFPOp>(arithConvert),
      row<arith::UIToFPOp>(arithConvert),
      row<arith::ExtUIOp>(arithConvert),
      row<arith::TruncIOp>(arithConvert),
      row<arith::IndexCastOp>(arithConvert),
      row<arith::IndexCastUIOp>(arithConvert),
      row<arith::SelectOp>(select),
  };
  return kHandlers.lookup(op->getName().getTypeID());
}
