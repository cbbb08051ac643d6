//===- HostMath.cpp - Powers, shifts, divisions and the math module -----------------------===//
//
// In: operations of program on int and float that are more than an instruction. Out: what CPython
// computes, with its exceptions. Functions of libm are called by their names, and LLVM is kept from
// knowing better: its own pow(x, 2) is another function than the one that CPython calls.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "ptc/Python/Math.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

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

/// A function of C by its name, that of a row: LLVM does not know better what it gives.
Value Host::callFunction(StringRef name, Type result, ValueRange args) {
  ModuleOp module = *program.code.module;
  auto type = LLVM::LLVMFunctionType::get(result, SmallVector<Type>(args.getTypes()));
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto function = LLVM::LLVMFuncOp::create(b, name, type);
    function.setPassthroughAttr(b.getStrArrayAttr({"nobuiltin"}));
    if (name.starts_with("ptc_")) // part of the artefact
      function.setVisibility_(LLVM::Visibility::Hidden);
  }
  return LLVM::CallOp::create(b, type, name, args).getResult();
}

Value Host::callMath(StringRef name, ValueRange args) {
  return callFunction(name, b.getF64Type(), args);
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
  if (op->use_empty()) {
    set(op->getResult(0), x);
    return;
  }
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

/// The operands of a row of NumberFunctions.def as its C function takes them.
SmallVector<Value> Host::numberOperands(const py::NumberFunction &function, program::MathOp op) {
  SmallVector<Value> operands;
  for (auto [i, value] : llvm::enumerate(op.getValues())) {
    Value operand = get(value);
    bool isReal = function.operandKind(i) == py::NumberKind::Float;
    if (isReal)
      operand = toFloat(operand);
    else if (operand.getType().isInteger(1))
      operand = arith::ExtUIOp::create(b, b.getI64Type(), operand);
    operands.push_back(operand);
  }
  if (!function.takesAny())
    return operands;
  Value numbers = stackSlot(sizeof(double) * std::max<size_t>(operands.size(), 1));
  for (auto [i, operand] : llvm::enumerate(operands))
    store(operand, numbers, i * sizeof(double));
  return {numbers, constant(b, int64_t(operands.size()))};
}

/// Ends the call where the result is a NaN that no operand is, or an infinity of finite operands.
void Host::checkNumber(const py::NumberFunction &function, Value result, program::MathOp op) {
  auto all = [&](llvm::function_ref<Value(Value)> holds) {
    Value every;
    for (auto [i, value] : llvm::enumerate(op.getValues())) {
      if (function.operandKind(i) != py::NumberKind::Float)
        continue;
      Value one = holds(toFloat(get(value)));
      every = every ? both(b, every, one) : one;
    }
    return every;
  };
  auto fail = [&](Value condition, const std::optional<py::Raised> &raised) {
    if (raised)
      failIf(condition, op, ptc_status_raised, py::getExcName(raised->kind), raised->text);
  };
  std::optional<py::Raised> ofNaN = py::raisedForNaN(function.errors),
                            ofInfinity = py::raisedForInfinity(function.errors);
  if (ofNaN) {
    Value isNaN = arith::CmpFOp::create(b, FP::UNO, result, result);
    fail(both(b, isNaN, all([&](Value x) { return arith::CmpFOp::create(b, FP::ORD, x, x); })),
         ofNaN);
  }
  if (ofInfinity)
    fail(both(b, isInfinite(b, result), all([&](Value x) { return isFinite(b, x); })), ofInfinity);
}

/// A row of NumberFunctions.def: a call of its C function, which is libm's or goes into the
/// artefact with it.
void Host::emitNumberFunction(const py::NumberFunction &function, program::MathOp op) {
  SmallVector<Value> operands = numberOperands(function, op);
  bool isChecked = function.result == py::NumberKind::CheckedInt;
  Value slot = isChecked ? stackSlot(sizeof(int64_t)) : Value();
  if (isChecked)
    operands.push_back(slot);
  Type type = function.result == py::NumberKind::Float ? Type(b.getF64Type())
              : function.result == py::NumberKind::Int ? Type(b.getI64Type())
                                                       : Type(b.getI8Type());
  Value result = callFunction(function.symbol, type, operands);
  if (type.isInteger(8)) // a bool of C
    result = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, result,
                                  LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, 0)));
  if (isChecked) {
    failIf(arith::XOrIOp::create(b, result, arith::ConstantIntOp::create(b, 1, 1)), op,
           ptc_status_int_overflow);
    result = load(b.getI64Type(), slot, 0);
  } else if (type.isF64() && !op.getTotal()) {
    checkNumber(function, result, op);
  }
  set(op.getResult(), result);
}

llvm::Error Host::emitMath(program::MathOp op) {
  StringRef name = op.getFunction();
  if (const py::NumberFunction *function = py::findNumberFunction(name)) {
    emitNumberFunction(*function, op);
    return llvm::Error::success();
  }
  if (op.getValues().size() != 1)
    return refuse(op, "the function " + name);
  Value x = toFloat(get(op.getValues()[0]));
  if (emitFloatTest(op, x) || emitRounding(op, x))
    return llvm::Error::success();
  return refuse(op, "the function " + name);
}
