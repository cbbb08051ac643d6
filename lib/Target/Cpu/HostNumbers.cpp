//===- HostNumbers.cpp - Python's numbers as native code ----------------------------------===//
//
// In: operations of arith and program on bool, int and float. Out: instructions that give what
// CPython gives; ints that leave 64 bits and divisions by zero end the call.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

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

/// A value of the pair {i64, i1} that LLVM's checked arithmetic gives; the flag ends the call.
template <typename OpT>
static std::pair<Value, Value> withOverflow(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {b.getI64Type(), b.getI1Type()});
  Value both = OpT::create(b, type, x, y);
  return {LLVM::ExtractValueOp::create(b, both, 0), LLVM::ExtractValueOp::create(b, both, 1)};
}

Value Host::flagged(Value x, Value y, bool multiplies, Value &flag) {
  int64_t neutral = multiplies ? 1 : 0;
  if (getConstantIntValue(x) == neutral)
    return y;
  if (getConstantIntValue(y) == neutral)
    return x;
  std::optional<int64_t> knownX = getConstantIntValue(x), knownY = getConstantIntValue(y);
  int64_t known = 0;
  if (knownX && knownY &&
      !(multiplies ? llvm::MulOverflow(*knownX, *knownY, known)
                   : llvm::AddOverflow(*knownX, *knownY, known)))
    return constant(b, known);
  auto [result, overflow] = multiplies ? withOverflow<LLVM::SMulWithOverflowOp>(b, x, y)
                                       : withOverflow<LLVM::SAddWithOverflowOp>(b, x, y);
  flag = flag ? Value(arith::OrIOp::create(b, flag, overflow)) : overflow;
  return result;
}

Value Host::checked(Operation *op, Value x, Value y, bool multiplies) {
  Value overflow;
  Value result = flagged(x, y, multiplies, overflow);
  if (overflow)
    failIf(overflow, op, ptc_status_int_overflow);
  return result;
}

/// a // b and a % b: floor, and the sign of b.
void Host::emitDivision(Operation *op) {
  if (op->getResult(0).getType().isF64())
    return emitFloatDivision(op);
  bool isModulo = isa<program::ModOp>(op);
  Value x = get(op->getOperand(0)), y = get(op->getOperand(1));
  Value zero = constant(b, int64_t(0));
  failIf(arith::CmpIOp::create(b, IP::eq, y, zero), op, ptc_status_raised, "ZeroDivisionError",
         "integer division or modulo by zero");
  // INT64_MIN / -1 traps: its quotient does not fit, its rest is 0.
  Value isMinus = arith::CmpIOp::create(b, IP::eq, y, constant(b, int64_t(-1)));
  if (!isModulo) {
    Value isLeast = arith::CmpIOp::create(b, IP::eq, x, constant(b, INT64_MIN));
    failIf(arith::AndIOp::create(b, isMinus, isLeast), op, ptc_status_int_overflow);
  }
  Value divisor = arith::SelectOp::create(b, isMinus, constant(b, int64_t(1)), y);
  Value quotient = arith::DivSIOp::create(b, x, divisor);
  Value rest = arith::SubIOp::create(b, x, arith::MulIOp::create(b, quotient, divisor));
  Value isInexact = arith::CmpIOp::create(b, IP::ne, rest, zero);
  Value differs = arith::CmpIOp::create(b, IP::slt, arith::XOrIOp::create(b, rest, y), zero);
  Value adjust = arith::AndIOp::create(b, isInexact, differs);
  if (isModulo) {
    set(op->getResult(0),
        arith::SelectOp::create(b, adjust, arith::AddIOp::create(b, rest, y), rest));
    return;
  }
  Value less = arith::SubIOp::create(b, quotient, constant(b, int64_t(1)));
  Value floored = arith::SelectOp::create(b, adjust, less, quotient);
  set(op->getResult(0),
      arith::SelectOp::create(b, isMinus, arith::SubIOp::create(b, zero, x), floored));
}

Value Host::toInt(Operation *op, Value x) {
  failIf(arith::CmpFOp::create(b, FP::UNO, x, x), op, ptc_status_raised, "ValueError",
         "cannot convert float NaN to integer");
  Value size = math::AbsFOp::create(b, x);
  failIf(arith::CmpFOp::create(b, FP::OEQ, size, constant(b, HUGE_VAL)), op, ptc_status_raised,
         "OverflowError", "cannot convert float infinity to integer");
  if (op->use_empty()) // an int of Python, of any length
    return constant(b, int64_t(0));
  Value tooLow = arith::CmpFOp::create(b, FP::OLT, x, constant(b, -0x1p63));
  Value tooHigh = arith::CmpFOp::create(b, FP::OGE, x, constant(b, 0x1p63));
  failIf(arith::OrIOp::create(b, tooLow, tooHigh), op, ptc_status_int_overflow);
  return arith::FPToSIOp::create(b, b.getI64Type(), x);
}

/// An int and a float, exactly: rounding is monotonic, so that only equal ones need a second look.
llvm::Error Host::emitCompare(program::CompareOp op) {
  Value x = get(op.getLhs()), y = get(op.getRhs());
  bool isSwapped = isa<FloatType>(x.getType());
  Value whole = isSwapped ? y : x, real = isSwapped ? x : y;
  if (isa<FloatType>(whole.getType()) || !isa<FloatType>(real.getType()))
    return refuse(op, "numbers of these types");
  if (whole.getType().isInteger(1))
    whole = arith::ExtUIOp::create(b, b.getI64Type(), whole);
  Value rounded = arith::SIToFPOp::create(b, b.getF64Type(), whole);
  Value isTop = arith::CmpFOp::create(b, FP::OGE, real, constant(b, 0x1p63));
  Value inRange = arith::SelectOp::create(b, isTop, constant(b, 0.0), real);
  Value cut = arith::FPToSIOp::create(b, b.getI64Type(), inRange);
  Value same = arith::CmpFOp::create(b, FP::OEQ, rounded, real);
  // -1, 0, 1 as whole is below, at, above real; 2: not ordered.
  auto sign = [&](Value below, Value above) {
    Value up = arith::SelectOp::create(b, above, constant(b, int64_t(1)), constant(b, int64_t(0)));
    return Value(arith::SelectOp::create(b, below, constant(b, int64_t(-1)), up));
  };
  Value exact = sign(arith::CmpIOp::create(b, IP::slt, whole, cut),
                     arith::CmpIOp::create(b, IP::sgt, whole, cut));
  exact = arith::SelectOp::create(b, isTop, constant(b, int64_t(-1)), exact);
  Value apart = sign(arith::CmpFOp::create(b, FP::OLT, rounded, real),
                     arith::CmpFOp::create(b, FP::OGT, rounded, real));
  Value order = arith::SelectOp::create(b, same, exact, apart);
  Value zero = constant(b, int64_t(0));
  if (isSwapped)
    order = arith::SubIOp::create(b, zero, order);
  Value isNan = arith::CmpFOp::create(b, FP::UNO, real, real);
  auto predicate = llvm::StringSwitch<std::optional<IP>>(op.getRelation())
                       .Case("<", IP::slt)
                       .Case("<=", IP::sle)
                       .Case(">", IP::sgt)
                       .Case(">=", IP::sge)
                       .Case("==", IP::eq)
                       .Case("!=", IP::ne)
                       .Default(std::nullopt);
  if (!predicate)
    return refuse(op, "the relation " + op.getRelation());
  Value holds = arith::CmpIOp::create(b, *predicate, order, zero);
  Value ofNan = arith::ConstantIntOp::create(b, *predicate == IP::ne, 1);
  set(op.getResult(), arith::SelectOp::create(b, isNan, ofNan, holds));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// A selector as i64.
static Value wide(ImplicitLocOpBuilder &b, Value selector) {
  if (selector.getType().isInteger(1))
    return arith::ExtUIOp::create(b, b.getI64Type(), selector);
  if (selector.getType().isIndex())
    return arith::IndexCastOp::create(b, b.getI64Type(), selector);
  return selector;
}

/// Names stand for the numbers of `taken` where `condition` holds, else for what they stood for.
void Host::chooseExtents(Value condition, Value taken) {
  for (auto [id, number] : llvm::zip(dataSymbolsOf(taken.getType()), extents.lookup(taken)))
    bindSymbol(id, arith::SelectOp::create(b, condition, number, symbolValues.lookup(id)));
}

/// The last alternative stands for every selector beyond: nothing reads the result then.
llvm::Error Host::emitPick(program::PickOp op) {
  Value selector = wide(b, get(op.getSelector()));
  if (op.getAlternatives().empty())
    return refuse(op, "a choice of nothing");
  if (isa<RankedTensorType>(op.getResult().getType()))
    for (Value alternative : op.getAlternatives())
      if (alternative.getType() != op.getResult().getType())
        return refuse(op, "alternatives that lie differently");
  Value result = get(op.getAlternatives().back());
  bindOperands(op.getAlternatives().back());
  for (size_t i = op.getAlternatives().size() - 1; i-- > 0;) {
    Value isThis = arith::CmpIOp::create(b, IP::eq, selector, constant(b, int64_t(i)));
    result = arith::SelectOp::create(b, isThis, get(op.getAlternatives()[i]), result);
    chooseExtents(isThis, op.getAlternatives()[i]);
  }
  set(op.getResult(), result);
  return llvm::Error::success();
}

llvm::Error Host::emitMap(program::MapOp op) {
  Value selector = wide(b, get(op.getSelector()));
  Type type = op.getResult().getType();
  Value result;
  for (size_t i = op.getTable().size(); i-- > 0;) {
    Attribute entry = op.getTable()[i];
    Value value;
    if (auto real = dyn_cast<FloatAttr>(entry))
      value = constant(b, real.getValueAsDouble());
    else if (type.isInteger(1))
      value = arith::ConstantIntOp::create(b, !cast<IntegerAttr>(entry).getValue().isZero(), 1);
    else if (auto flag = dyn_cast<BoolAttr>(entry))
      value = constant(b, int64_t(flag.getValue()));
    else
      value = constant(b, cast<IntegerAttr>(entry).getValue().getSExtValue());
    if (type.isF64() && !value.getType().isF64())
      value = arith::SIToFPOp::create(b, type, value);
    if (type.isIndex())
      value = arith::IndexCastOp::create(b, type, value);
    result = result ? Value(arith::SelectOp::create(
                          b, arith::CmpIOp::create(b, IP::eq, selector, constant(b, int64_t(i))),
                          value, result))
                    : value;
  }
  if (!result)
    return refuse(op, "an empty table");
  set(op.getResult(), result);
  return llvm::Error::success();
}

llvm::Error Host::emitHome(program::HomeOp op) {
  Value old = wide(b, get(op.getOld()));
  Value last = wide(b, get(op.getNumbers().back()));
  Value place = constant(b, int64_t(op.getKept() + op.getNumbers().size() - 1));
  for (size_t i = op.getNumbers().size() - 1; i-- > 0;) {
    Value same = arith::CmpIOp::create(b, IP::eq, wide(b, get(op.getNumbers()[i])), last);
    place = arith::SelectOp::create(b, same, constant(b, int64_t(op.getKept() + i)), place);
  }
  Value isNone = arith::CmpIOp::create(b, IP::slt, last, constant(b, int64_t(0)));
  Value result = arith::SelectOp::create(b, isNone, old, place);
  set(op.getResult(), arith::IndexCastOp::create(b, b.getIndexType(), result));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Which operation is what
//===----------------------------------------------------------------------===//

llvm::Expected<bool> Host::emitNumber(Operation *op) {
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return std::move(error);
    return true;
  };
  if (isa<arith::ArithDialect>(op->getDialect())) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, get(operand));
    // A choice between tensors is one between their addresses.
    if (auto choice = dyn_cast<arith::SelectOp>(op)) {
      bool isTensor = isa<RankedTensorType>(choice.getType());
      if (isTensor && choice.getTrueValue().getType() != choice.getFalseValue().getType())
        return refuse(op, "alternatives that lie differently");
      set(choice.getResult(),
          arith::SelectOp::create(b, get(choice.getCondition()), get(choice.getTrueValue()),
                                  get(choice.getFalseValue())));
      bindOperands(choice.getFalseValue());
      chooseExtents(get(choice.getCondition()), choice.getTrueValue());
      return true;
    }
    if (!llvm::all_of(op->getResultTypes(), [](Type t) { return t.isIntOrIndexOrFloat(); }))
      return refuse(op, "a constant that is no number");
    Operation *clone = b.clone(*op, mapping);
    set(op->getResult(0), clone->getResult(0));
    return true;
  }
  return llvm::TypeSwitch<Operation *, llvm::Expected<bool>>(op)
      .Case<program::AddOp, program::MulOp>([&](auto sum) -> llvm::Expected<bool> {
        set(sum.getResult(),
            checked(op, get(sum.getLhs()), get(sum.getRhs()), isa<program::MulOp>(op)));
        return true;
      })
      .Case([&](program::SubOp sub) -> llvm::Expected<bool> {
        auto [result, overflow] =
            withOverflow<LLVM::SSubWithOverflowOp>(b, get(sub.getLhs()), get(sub.getRhs()));
        failIf(overflow, op, ptc_status_int_overflow);
        set(sub.getResult(), result);
        return true;
      })
      .Case<program::NegOp, program::AbsOp>([&](auto unary) -> llvm::Expected<bool> {
        Value x = get(unary.getOperand());
        if (x.getType().isF64()) {
          set(unary.getResult(), isa<program::AbsOp>(op) ? Value(math::AbsFOp::create(b, x))
                                                         : Value(arith::NegFOp::create(b, x)));
          return true;
        }
        Value zero = constant(b, int64_t(0));
        failIf(arith::CmpIOp::create(b, IP::eq, x, constant(b, INT64_MIN)), op,
               ptc_status_int_overflow);
        Value negative = arith::SubIOp::create(b, zero, x);
        Value isBelow = arith::CmpIOp::create(b, IP::slt, x, zero);
        set(unary.getResult(), isa<program::AbsOp>(op)
                                   ? Value(arith::SelectOp::create(b, isBelow, negative, x))
                                   : negative);
        return true;
      })
      .Case<program::FloorDivOp, program::ModOp>([&](auto) -> llvm::Expected<bool> {
        emitDivision(op);
        return true;
      })
      .Case([&](program::TrueDivOp division) -> llvm::Expected<bool> {
        emitTrueDivision(division);
        return true;
      })
      .Case<program::ShlOp, program::ShrOp>([&](auto) -> llvm::Expected<bool> {
        emitShift(op);
        return true;
      })
      .Case([&](program::ToIntOp cast) -> llvm::Expected<bool> {
        set(cast.getResult(), toInt(op, get(cast.getOperand())));
        return true;
      })
      .Case([&](program::PowOp power) { return done(emitPower(power)); })
      .Case([&](program::MathOp math) { return done(emitMath(math)); })
      .Case([&](program::CompareOp compare) { return done(emitCompare(compare)); })
      .Case([&](program::PickOp pick) { return done(emitPick(pick)); })
      .Case([&](program::MapOp map) { return done(emitMap(map)); })
      .Case([&](program::HomeOp home) { return done(emitHome(home)); })
      .Case([&](program::SizeOfOp size) { return done(emitSizeOf(size)); })
      .Case([&](program::SizeExprOp size) { return done(emitSizeExpr(size)); })
      .Default([](Operation *) -> llvm::Expected<bool> { return false; });
}
