//===- HostMath.cpp - Powers, shifts, divisions and the math module -----------------------===//
//
// In: operations of program on int and float that are more than an instruction. Out: what CPython
// computes, with its exceptions. Functions of libm are called by their names, and LLVM is kept from
// knowing better: its own pow(x, 2) is another function than the one that CPython calls.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using IP = arith::CmpIPredicate;
using FP = arith::CmpFPredicate;

static Value constant(ImplicitLocOpBuilder &b, int64_t v) {
  return arith::ConstantIntOp::create(b, v, 64);
}
static Value constant(ImplicitLocOpBuilder &b, double v) {
  return arith::ConstantFloatOp::create(b, b.getF64Type(), llvm::APFloat(v));
}
static Value compare(ImplicitLocOpBuilder &b, FP predicate, Value x, double y) {
  return arith::CmpFOp::create(b, predicate, x, constant(b, y));
}
static Value compare(ImplicitLocOpBuilder &b, IP predicate, Value x, int64_t y) {
  return arith::CmpIOp::create(b, predicate, x, constant(b, y));
}
static Value isInfinite(ImplicitLocOpBuilder &b, Value x) {
  return compare(b, FP::OEQ, math::AbsFOp::create(b, x), HUGE_VAL);
}
static Value isFinite(ImplicitLocOpBuilder &b, Value x) {
  return compare(b, FP::OLT, math::AbsFOp::create(b, x), HUGE_VAL);
}
static Value both(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::AndIOp::create(b, x, y);
}
static Value oneOf(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::OrIOp::create(b, x, y);
}

Value Host::toFloat(Value number) {
  if (number.getType().isF64())
    return number;
  if (number.getType().isInteger(1))
    return arith::UIToFPOp::create(b, b.getF64Type(), number);
  return arith::SIToFPOp::create(b, b.getF64Type(), number);
}

Value Host::callMath(StringRef name, ValueRange args) {
  ModuleOp module = *program.code.module;
  SmallVector<Type> types(args.size(), b.getF64Type());
  auto type = LLVM::LLVMFunctionType::get(b.getF64Type(), types);
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto function = LLVM::LLVMFuncOp::create(b, name, type);
    function.setPassthroughAttr(b.getStrArrayAttr({"nobuiltin"}));
  }
  return LLVM::CallOp::create(b, type, name, args).getResult();
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// float_divmod of CPython: the quotient is floored, the remainder has the sign of y.
void Host::emitFloatDivision(Operation *op) {
  bool isModulo = isa<program::ModOp>(op);
  Value x = get(op->getOperand(0)), y = get(op->getOperand(1)), zero = constant(b, 0.0);
  failIf(compare(b, FP::OEQ, y, 0.0), op, ptc_status_raised, "ZeroDivisionError",
         isModulo ? "float modulo" : "float floor division by zero");
  Value mod = callMath("fmod", {x, y});
  Value div = arith::DivFOp::create(b, arith::SubFOp::create(b, x, mod), y);
  Value isRest = compare(b, FP::UNE, mod, 0.0);
  Value differs =
      arith::XOrIOp::create(b, compare(b, FP::OLT, y, 0.0), compare(b, FP::OLT, mod, 0.0));
  Value adjusts = both(b, isRest, differs);
  if (isModulo) {
    Value signedRest = arith::SelectOp::create(b, adjusts, arith::AddFOp::create(b, mod, y), mod);
    set(op->getResult(0),
        arith::SelectOp::create(b, isRest, signedRest, math::CopySignOp::create(b, zero, y)));
    return;
  }
  div = arith::SelectOp::create(b, adjusts, arith::SubFOp::create(b, div, constant(b, 1.0)), div);
  Value floored = math::FloorOp::create(b, div);
  Value isAbove = compare(b, FP::OGT, arith::SubFOp::create(b, div, floored), 0.5);
  floored = arith::SelectOp::create(b, isAbove, arith::AddFOp::create(b, floored, constant(b, 1.0)),
                                    floored);
  Value none = math::CopySignOp::create(b, zero, arith::DivFOp::create(b, x, y));
  set(op->getResult(0), arith::SelectOp::create(b, compare(b, FP::UNE, div, 0.0), floored, none));
}

/// x86's 80 bits hold every int64 exactly; rounding their quotient again is wrong only where it
/// lies exactly between two doubles without being exact. Small ints are divided as doubles.
void Host::emitTrueDivision(program::TrueDivOp op) {
  Value x = get(op.getLhs()), y = get(op.getRhs());
  failIf(compare(b, IP::eq, y, 0), op, ptc_status_raised, "ZeroDivisionError", "division by zero");
  auto quotient = [&](FloatType type) -> Value {
    return arith::DivFOp::create(b, arith::SIToFPOp::create(b, type, x),
                                 arith::SIToFPOp::create(b, type, y));
  };
  auto isLarge = [&](Value v) {
    constexpr int64_t kExact = int64_t(1) << 53;
    return oneOf(b, compare(b, IP::sgt, v, kExact), compare(b, IP::slt, v, -kExact));
  };
  Value exact = arith::TruncFOp::create(b, b.getF64Type(), quotient(b.getF80Type()));
  set(op.getResult(), arith::SelectOp::create(b, oneOf(b, isLarge(x), isLarge(y)), exact,
                                              quotient(b.getF64Type())));
}

//===----------------------------------------------------------------------===//
// Powers and shifts
//===----------------------------------------------------------------------===//

llvm::Error Host::emitPower(program::PowOp op) {
  Value x = get(op.getLhs()), y = get(op.getRhs());
  if (!x.getType().isF64()) {
    emitIntPower(op);
    return llvm::Error::success();
  }
  Value isInverse = both(b, compare(b, FP::OLT, y, 0.0), isFinite(b, y));
  failIf(both(b, compare(b, FP::OEQ, x, 0.0), isInverse), op, ptc_status_raised,
         "ZeroDivisionError", "0.0 cannot be raised to a negative power");
  Value areFinite = both(b, isFinite(b, x), isFinite(b, y));
  Value isBroken = arith::CmpFOp::create(b, FP::UNE, math::FloorOp::create(b, y), y);
  // Capture has asked: a complex power is no float.
  failIf(both(b, areFinite, both(b, compare(b, FP::OLT, x, 0.0), isBroken)), op,
         ptc_status_internal, "", "a complex power of floats");
  Value power = callMath("pow", {x, y});
  failIf(both(b, isInfinite(b, power), areFinite), op, ptc_status_raised, "OverflowError",
         "(34, 'Numerical result out of range')");
  set(op.getResult(), power);
  return llvm::Error::success();
}

/// By squaring, from the exponent's lowest bit.
void Host::emitIntPower(program::PowOp op) {
  Value base = get(op.getLhs()), exponent = get(op.getRhs());
  Type type = b.getI64Type();
  failIf(compare(b, IP::slt, exponent, 0), op, ptc_status_internal, "", "a negative power of ints");
  Block *head = newBlock({type, type, type}), *body = newBlock(), *after = newBlock();
  cf::BranchOp::create(b, head, ValueRange{base, exponent, constant(b, int64_t(1))});
  b.setInsertionPointToEnd(head);
  Value square = head->getArgument(0), rest = head->getArgument(1), result = head->getArgument(2);
  cf::CondBranchOp::create(b, compare(b, IP::ne, rest, 0), body, ValueRange(), after, ValueRange());
  b.setInsertionPointToEnd(body);
  Value one = constant(b, int64_t(1));
  Value isOdd = compare(b, IP::ne, arith::AndIOp::create(b, rest, one), 0);
  Value factor = arith::SelectOp::create(b, isOdd, square, one);
  Value next = checked(op, result, factor, /*multiplies=*/true);
  // The last square is not needed, and may not fit.
  Value isMore = compare(b, IP::sgt, rest, 1);
  Value kept = arith::SelectOp::create(b, isMore, square, one);
  Value squared = checked(op, kept, kept, /*multiplies=*/true);
  Value half = arith::ShRSIOp::create(b, rest, one);
  cf::BranchOp::create(b, head, ValueRange{squared, half, next});
  b.setInsertionPointToEnd(after);
  set(op.getResult(), result);
}

void Host::emitShift(Operation *op) {
  Value x = get(op->getOperand(0)), n = get(op->getOperand(1));
  failIf(compare(b, IP::slt, n, 0), op, ptc_status_raised, "ValueError", "negative shift count");
  Value by = arith::MinSIOp::create(b, n, constant(b, int64_t(63)));
  if (isa<program::ShrOp>(op)) {
    set(op->getResult(0), arith::ShRSIOp::create(b, x, by));
    return;
  }
  Value shifted = arith::ShLIOp::create(b, x, by);
  Value back = arith::ShRSIOp::create(b, shifted, by);
  Value isLost = arith::CmpIOp::create(b, IP::ne, back, x);
  Value isFar = compare(b, IP::sgt, n, 62);
  failIf(both(b, compare(b, IP::ne, x, 0), oneOf(b, isFar, isLost)), op, ptc_status_int_overflow);
  set(op->getResult(0), shifted);
}

//===----------------------------------------------------------------------===//
// The math module
//===----------------------------------------------------------------------===//

namespace {
/// Where a function of one float raises ValueError.
enum class Outside : uint8_t {
  Never,
  Negative,
  NotPositive,
  NotAboveMinusOne,
  Infinite,
  BeyondOne,
  FromOne,
  BelowOne
};

/// A function of one float.
struct MathRow {
  StringLiteral name;
  Outside outside;
};
} // namespace

static constexpr MathRow kMathRows[] = {
    {"sqrt", Outside::Negative},
    {"exp", Outside::Never},
    {"expm1", Outside::Never},
    {"log", Outside::NotPositive},
    {"log2", Outside::NotPositive},
    {"log10", Outside::NotPositive},
    {"log1p", Outside::NotAboveMinusOne},
    {"sin", Outside::Infinite},
    {"cos", Outside::Infinite},
    {"tan", Outside::Infinite},
    {"asin", Outside::BeyondOne},
    {"acos", Outside::BeyondOne},
    {"atan", Outside::Never},
    {"sinh", Outside::Never},
    {"cosh", Outside::Never},
    {"tanh", Outside::Never},
    {"asinh", Outside::Never},
    {"acosh", Outside::BelowOne},
    {"atanh", Outside::FromOne},
    {"erf", Outside::Never},
    {"erfc", Outside::Never},
    {"fabs", Outside::Never},
};

static Value isOutside(ImplicitLocOpBuilder &b, Outside outside, Value x) {
  auto farFrom = [&](FP predicate) {
    return compare(b, predicate, math::AbsFOp::create(b, x), 1.0);
  };
  switch (outside) {
  case Outside::Never:
    return {};
  case Outside::Negative:
    return compare(b, FP::OLT, x, 0.0);
  case Outside::NotPositive:
    return compare(b, FP::OLE, x, 0.0);
  case Outside::NotAboveMinusOne:
    return compare(b, FP::OLE, x, -1.0);
  case Outside::Infinite:
    return isInfinite(b, x);
  case Outside::BeyondOne:
    return farFrom(FP::OGT);
  case Outside::FromOne:
    return farFrom(FP::OGE);
  case Outside::BelowOne:
    return compare(b, FP::OLT, x, 1.0);
  }
  llvm_unreachable("closed enum");
}

/// floor, ceil, trunc and round; as an int where that is asked for.
bool Host::emitRounding(program::MathOp op, Value x) {
  StringRef name = op.getFunction();
  Value whole;
  if (name == "floor")
    whole = math::FloorOp::create(b, x);
  else if (name == "ceil")
    whole = math::CeilOp::create(b, x);
  else if (name == "trunc")
    whole = math::TruncOp::create(b, x);
  else if (name == "round")
    whole = math::RoundEvenOp::create(b, x);
  else
    return false;
  set(op.getResult(), op.getResult().getType().isF64() ? whole : toInt(op, whole));
  return true;
}

/// isnan, isinf, isfinite.
bool Host::emitFloatTest(program::MathOp op, Value x) {
  StringRef name = op.getFunction();
  Value result;
  if (name == "isnan")
    result = arith::CmpFOp::create(b, FP::UNO, x, x);
  else if (name == "isinf")
    result = isInfinite(b, x);
  else if (name == "isfinite")
    result = isFinite(b, x);
  else
    return false;
  set(op.getResult(), result);
  return true;
}

/// math.hypot of two: the steps of py::vectorNorm, on magnitudes that a power of two brings away
/// from the ends of the range.
static Value emitHypot(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto mul = [&](Value v, Value w) { return arith::MulFOp::create(b, v, w); };
  auto add = [&](Value v, Value w) { return arith::AddFOp::create(b, v, w); };
  auto sub = [&](Value v, Value w) { return arith::SubFOp::create(b, v, w); };
  auto pick = [&](Value c, Value v, Value w) { return arith::SelectOp::create(b, c, v, w); };
  Value one = constant(b, 1.0), zero = constant(b, 0.0);
  Value sizes[] = {math::AbsFOp::create(b, x), math::AbsFOp::create(b, y)};
  Value largest = arith::MaxNumFOp::create(b, sizes[0], sizes[1]);
  Value isLarge = arith::CmpFOp::create(b, FP::OGT, largest, constant(b, 0x1p1000));
  Value isSmall = arith::CmpFOp::create(b, FP::OLT, largest, constant(b, 0x1p-900));
  Value nearer = pick(isLarge, constant(b, 0x1p-200), pick(isSmall, constant(b, 0x1p200), one));
  Value further = pick(isLarge, constant(b, 0x1p200), pick(isSmall, constant(b, 0x1p-200), one));
  // 2 to the exponent that frexp() gives, and its inverse, by their bits.
  Value width = arith::ConstantIntOp::create(b, 52, 64);
  Value bits = arith::BitcastOp::create(b, b.getI64Type(), mul(largest, nearer));
  Value biased = arith::ShRUIOp::create(b, bits, width);
  auto powerOfTwo = [&](Value exponent) -> Value {
    return arith::BitcastOp::create(b, b.getF64Type(), arith::ShLIOp::create(b, exponent, width));
  };
  Value unscale =
      powerOfTwo(arith::AddIOp::create(b, biased, arith::ConstantIntOp::create(b, 1, 64)));
  Value scale =
      powerOfTwo(arith::SubIOp::create(b, arith::ConstantIntOp::create(b, 2045, 64), biased));
  Value sum = one, lostBySquares = zero, lostBySums = zero;
  auto addProduct = [&](Value v, Value w) {
    Value product = mul(v, w);
    lostBySquares =
        add(lostBySquares, math::FmaOp::create(b, v, w, arith::NegFOp::create(b, product)));
    Value next = add(sum, product);
    lostBySums = add(lostBySums, sub(product, sub(next, sum)));
    sum = next;
  };
  auto value = [&] { return add(sub(sum, one), add(lostBySquares, lostBySums)); };
  for (Value size : sizes) {
    Value scaled = mul(mul(size, nearer), scale);
    addProduct(scaled, scaled);
  }
  Value root = math::SqrtOp::create(b, value());
  addProduct(arith::NegFOp::create(b, root), root);
  Value step = arith::DivFOp::create(b, value(), mul(constant(b, 2.0), root));
  Value norm = mul(mul(add(root, step), unscale), further);
  Value isZero = compare(b, FP::OEQ, largest, 0.0);
  Value isNumber = arith::CmpFOp::create(b, FP::ORD, x, y);
  Value finite = pick(isNumber, pick(isZero, zero, norm), add(x, y));
  return pick(isInfinite(b, largest), largest, finite);
}

llvm::Error Host::emitBinaryMath(program::MathOp op, Value x, Value y) {
  StringRef name = op.getFunction();
  if (!llvm::is_contained({"pow", "atan2", "copysign", "fmod", "hypot"}, name))
    return refuse(op, "the function " + name);
  if (name == "fmod") {
    auto isNumber = [&](Value v) { return arith::CmpFOp::create(b, FP::ORD, v, v); };
    Value isFar = both(b, isInfinite(b, x), isNumber(y));
    Value isZero = both(b, compare(b, FP::OEQ, y, 0.0), isNumber(x));
    failIf(oneOf(b, isFar, isZero), op, ptc_status_raised, "ValueError", "math domain error");
  }
  set(op.getResult(), name == "hypot" ? emitHypot(b, x, y) : callMath(name, {x, y}));
  return llvm::Error::success();
}

llvm::Error Host::emitMath(program::MathOp op) {
  if (op.getValues().empty() || op.getValues().size() > 2)
    return refuse(op, "a function of so many numbers");
  Value x = toFloat(get(op.getValues()[0]));
  if (op.getValues().size() == 2)
    return emitBinaryMath(op, x, toFloat(get(op.getValues()[1])));
  if (emitFloatTest(op, x) || emitRounding(op, x))
    return llvm::Error::success();
  StringRef name = op.getFunction();
  if (name == "degrees" || name == "radians") {
    double factor = name == "degrees" ? 180.0 / M_PI : M_PI / 180.0;
    Value scaled = arith::MulFOp::create(b, x, constant(b, factor));
    failIf(both(b, isInfinite(b, scaled), isFinite(b, x)), op, ptc_status_raised, "OverflowError",
           "math range error");
    set(op.getResult(), scaled);
    return llvm::Error::success();
  }
  const auto *row = llvm::find_if(kMathRows, [&](const MathRow &r) { return r.name == name; });
  if (row == std::end(kMathRows))
    return refuse(op, "the function " + name);
  if (Value isBad = isOutside(b, row->outside, x))
    failIf(isBad, op, ptc_status_raised, "ValueError", "math domain error");
  Value result = callMath(name, {x});
  failIf(both(b, isInfinite(b, result), isFinite(b, x)), op, ptc_status_raised, "OverflowError",
         "math range error");
  set(op.getResult(), result);
  return llvm::Error::success();
}
