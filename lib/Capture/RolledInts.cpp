//===- RolledInts.cpp - Ints in loops whose number of turns is known --------------------------===//
//
// In: operations on ints, and what is carried, in a loop of the run of which the number of turns is
// known. Out: whether an int could have more than 64 bits, which it would have as a constant if the
// loop was unrolled: then it is.
//
//===----------------------------------------------------------------------===//
#include "InputNumbers.h"
#include "Loop.h"
#include "SizeLoops.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

//===----------------------------------------------------------------------===//
// In a turn
//===----------------------------------------------------------------------===//

/// What made `id` in the turn that is being recorded; null: it is carried, or joined.
const TapeInstr *SizeLoops::madeInTurn(ValueId id) const {
  for (const TapeBlock *block = e.block; block; block = block->parent)
    for (const TapeInstr &instr : llvm::reverse(block->instrs))
      if (llvm::is_contained(instr.results, id))
        return &instr;
  return nullptr;
}

/// Is the result one that is not known without the data of tensors?
static bool readsData(TapeOp op) {
  switch (op) {
  case TapeOp::Aten:
  case TapeOp::AtenView:
  case TapeOp::AtenRandom:
  case TapeOp::Item:
  case TapeOp::ListGet:
  case TapeOp::ListLen:
  case TapeOp::SizeOf:
    return true;
  default:
    return false;
  }
}

bool SizeLoops::isOfTurn(const TapeArg &arg) const {
  if (!arg.isValue())
    return llvm::any_of(arg.items, [&](const TapeArg &item) { return isOfTurn(item); });
  if (arg.id() == kUndef || arg.id() < open.front())
    return false;
  const TapeInstr *made = madeInTurn(arg.id());
  if (!made || made->op == TapeOp::Switch || made->op == TapeOp::Loop)
    return true;
  return !readsData(made->op) &&
         llvm::any_of(made->args, [&](const TapeArg &operand) { return isOfTurn(operand); });
}

bool SizeLoops::isOfTurn(const Value &number) const {
  if (open.empty())
    return false;
  if (number.is(Kind::Scalar))
    return isOfTurn(TapeArg::value(number.scalarId()));
  return number.is(Kind::Size) &&
         llvm::any_of(e.sizes().symbolsOf(number.asSize()), [&](sym::SymbolId symbol) {
           const SymbolBinding *binding = e.bindingOf(symbol);
           return countBounds.contains(symbol) ||
                  (binding && binding->dimension < 0 && isOfTurn(TapeArg::value(binding->value)));
         });
}

/// An upper bound; infinity: not known.
long double SizeLoops::magnitudeOf(const Value &number) const {
  ValueId selector = kUndef;
  const std::vector<Value> *table =
      number.is(Kind::Scalar) ? e.tableOf(number.scalarId(), selector) : nullptr;
  if (table) {
    long double most = 0;
    for (const Value &one : *table)
      most = std::max(most, one.isAbsent() ? 0 : magnitudeOf(one));
    return most;
  }
  if (number.is(Kind::Bool) || (number.is(Kind::Scalar) && number.scalarType() == ScalarType::Bool))
    return 1;
  sym::Expr formula = formulaOf(e, number);
  if (!formula.isSupported())
    return INFINITY;
  sym::Interval bounds = e.sizes().bounds(formula, [&](sym::SymbolId symbol) {
    auto known = countBounds.find(symbol);
    return known == countBounds.end() ? e.sizes().symbolInfo(symbol).bounds() : known->second;
  });
  if (!bounds.hasLower() || !bounds.hasUpper())
    return INFINITY;
  return std::max(std::fabs((long double)(bounds.lower)), std::fabs((long double)(bounds.upper)));
}

bool SizeLoops::mayOutgrow(BinaryOp op, const Value &a, const Value &b) const {
  const bool left = isOfTurn(a), right = isOfTurn(b);
  if (!left && !right)
    return false;
  const long double x = magnitudeOf(a), y = magnitudeOf(b);
  // With a number of the run it would be one if the loop was unrolled, too.
  if ((!left && std::isinf(x)) || (!right && std::isinf(y)))
    return false;
  constexpr long double kLimit = 0x1p63L;
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub: // what is carried is looked at where the loop closes
    return std::isfinite(x) && std::isfinite(y) && x + y >= kLimit;
  case BinaryOp::Mul:
    return !(x * y < kLimit);
  case BinaryOp::Pow:
    return x > 1 && !(std::pow(x, y) < kLimit);
  case BinaryOp::LShift:
    return !(x * std::exp2(y) < kLimit);
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// What is carried
//===----------------------------------------------------------------------===//

void LoopCloser::boundCount(int64_t turns) const {
  if (!count || !count->now.isSupported() || count->now.kind() != sym::ExprKind::Symbol)
    return;
  sym::Interval bounds = e.sizes().bounds(count->first);
  int64_t &end = count->step > 0 ? bounds.upper : bounds.lower;
  if (__builtin_add_overflow(end, count->step > 0 ? turns : -turns, &end))
    return;
  e.sizeLoops->boundCount(count->now.symbol(), bounds);
}

namespace {
/// Finds out whether values in a loop depend on data.
class DataInLoop {
public:
  DataInLoop(const TapeBlock &body, ValueId before) : before(before) { collect(body); }

  bool decides(const TapeArg &arg) {
    if (!arg.isValue())
      return llvm::any_of(arg.items, [&](const TapeArg &item) { return decides(item); });
    const ValueId id = arg.id();
    if (id == kUndef || carried.contains(id) || !seen.insert(id).second)
      return false;
    auto made = makers.find(id);
    if (made == makers.end())
      return id < before;
    auto anyOf = [&](llvm::ArrayRef<TapeArg> args) {
      return llvm::any_of(args, [&](const TapeArg &operand) { return decides(operand); });
    };
    const TapeInstr &instr = *made->second;
    return readsData(instr.op) || anyOf(instr.args) ||
           llvm::any_of(instr.regions, [&](const auto &region) { return anyOf(region->yields); });
  }

private:
  void collect(const TapeBlock &block) {
    carried.insert(block.args.begin(), block.args.end());
    for (const TapeInstr &instr : block.instrs) {
      for (ValueId id : instr.results)
        makers[id] = &instr;
      for (const auto &region : instr.regions)
        collect(*region);
    }
  }

  ValueId before;
  llvm::DenseMap<ValueId, const TapeInstr *> makers;
  llvm::DenseSet<ValueId> carried, seen;
};
} // namespace

bool LoopCloser::carriesNoKnownInts(const HeadState &now, const TapeBlock &body,
                                    ValueId before) const {
  const bool hasCount =
      count && count->now.isSupported() && count->now.kind() == sym::ExprKind::Symbol;
  const SymbolBinding *counted = hasCount ? e.bindingOf(count->now.symbol()) : nullptr;
  return llvm::all_of(now.args, [&](size_t i) {
    const JoinRow &row = now.rows[i];
    return e.tape.type(row.result).type != TapeType::Int ||
           (counted && counted->value == row.result) ||
           DataInLoop(body, before).decides(row.yieldOf(1)) || row.yieldOf(0).isValue();
  });
}
