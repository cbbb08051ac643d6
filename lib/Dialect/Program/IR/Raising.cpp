//===- Raising.cpp - Which operations on numbers may raise ----------------------===//
//
// In: an operation that raises for some operands. Out: its effect, which is none where its operands
// are known to be others. Raising is a write to the world: existence and order count.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/IR/Program.h"

#include "ptc/Python/Math.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace ptc;
using namespace ptc::program;

namespace {
/// What is known of a number.
struct Known {
  double low = -HUGE_VAL, high = HUGE_VAL; ///< of what is no NaN
  bool isFinite = false;                   ///< and no NaN

  bool within(double from, double to) const { return low >= from && high <= to; }
};
} // namespace

static constexpr double kLeastInt = -0x1p63, kMostInt = 0x1p63;

static Known bounded(double low, double high) { return {low, high, true}; }

static Known constant(double x) {
  return std::isfinite(x) ? bounded(x, x) : Known{std::isnan(x) ? -HUGE_VAL : x, HUGE_VAL, false};
}

static Known knownOf(Value v, unsigned depth = 4) {
  if (Attribute value; matchPattern(v, m_Constant(&value))) {
    if (auto real = dyn_cast<FloatAttr>(value))
      return constant(real.getValueAsDouble());
    if (auto whole = dyn_cast<IntegerAttr>(value)) {
      bool isBool = whole.getType().isInteger(1);
      return constant(isBool ? double(!whole.getValue().isZero()) : double(whole.getInt()));
    }
  }
  Known any = v.getType().isF64()        ? Known()
              : v.getType().isInteger(1) ? bounded(0, 1)
                                         : bounded(kLeastInt, kMostInt);
  Operation *op = v.getDefiningOp();
  if (!op || depth == 0)
    return any;
  auto of = [&](unsigned i) { return knownOf(op->getOperand(i), depth - 1); };
  if (isa<arith::SIToFPOp, arith::UIToFPOp, arith::ExtUIOp>(op))
    return of(0);
  if (isa<SizeOfOp, ListLenOp, TextLengthOp>(op))
    return bounded(0, kMostInt);
  if (isa<TrueDivOp>(op)) // of ints
    return bounded(kLeastInt, kMostInt);
  if (isa<AbsOp>(op)) {
    Known x = of(0);
    double most = std::max(std::fabs(x.low), std::fabs(x.high));
    return {std::max(x.low, 0.0), most, x.isFinite};
  }
  if (isa<AddOp, arith::AddFOp>(op)) {
    Known x = of(0), y = of(1);
    if (!x.isFinite || !y.isFinite || std::isinf(x.low + y.low) || std::isinf(x.high + y.high))
      return any;
    return bounded(std::max(x.low + y.low, any.low), std::min(x.high + y.high, any.high));
  }
  return any;
}

static bool mayRaise(const py::NumberFunction &function, ValueRange operands) {
  if (function.errors == py::NumberErrors::None || function.result != py::NumberKind::Float)
    return false;
  constexpr double kNext = 0x1p-1074, kBelowOne = 1 - 0x1p-53;
  if (operands.size() == 2 && (function.name == "fmod" || function.name == "remainder")) {
    Known x = knownOf(operands[0]), y = knownOf(operands[1]);
    return !x.isFinite || !y.isFinite || (y.low <= 0 && y.high >= 0);
  }
  if (operands.size() != 1)
    return true;
  Known x = knownOf(operands[0]);
  using Range = std::optional<std::pair<double, double>>;
  Range domain =
      llvm::StringSwitch<Range>(function.name)
          .Case("sqrt", {{0, HUGE_VAL}})
          .Cases({"log", "log2", "log10"}, {{kNext, HUGE_VAL}})
          .Case("log1p", {{-kBelowOne, HUGE_VAL}})
          .Cases({"asin", "acos"}, {{-1, 1}})
          .Case("acosh", {{1, HUGE_VAL}})
          .Case("atanh", {{-kBelowOne, kBelowOne}})
          .Cases({"exp", "expm1", "exp2", "sinh", "cosh"}, {{-700, 700}})
          .Cases({"sin", "cos", "tan"}, {{-0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023}})
          .Default(std::nullopt);
  return !domain || !x.within(domain->first, domain->second);
}

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void mayRaiseIf(bool may, Effects &effects) {
  if (may)
    effects.emplace_back(MemoryEffects::Write::get());
}

void MathOp::getEffects(Effects &effects) {
  if (getTotal())
    return;
  if (const py::NumberFunction *function = py::findNumberFunction(getFunction()))
    return mayRaiseIf(mayRaise(*function, getValues()), effects);
  // A test, or a rounding; that gives an int of what is one.
  mayRaiseIf(getResult().getType().isInteger(64) && !knownOf(getValues()[0]).isFinite, effects);
}

void ToIntOp::getEffects(Effects &effects) { mayRaiseIf(!knownOf(getOperand()).isFinite, effects); }

/// Of floats. The greatest int of 64 bits to the power of 16 is a float.
void PowOp::getEffects(Effects &effects) {
  if (!getResult().getType().isF64())
    return;
  Known x = knownOf(getLhs()), y = knownOf(getRhs());
  bool isPower = x.isFinite && y.isFinite && x.within(kLeastInt, kMostInt) && y.within(0, 16);
  mayRaiseIf(!isPower, effects);
}

void ShlOp::getEffects(Effects &effects) { mayRaiseIf(knownOf(getRhs()).low < 0, effects); }

void ShrOp::getEffects(Effects &effects) { mayRaiseIf(knownOf(getRhs()).low < 0, effects); }
