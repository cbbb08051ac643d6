//===- TurnCount.cpp - What grows evenly in a loop -----------------------------------===//
//
// In: the states before a loop and at its back edges. Out: the int that counts its turns, what
// other ints and sizes are by it, and what it is at the ends.
//
//===----------------------------------------------------------------------===//
#include "TurnCount.h"

#include "InputNumbers.h"
#include "Loop.h"
#include "SizeLoops.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace sym = ptc::sym;

sym::Expr capture::formulaOf(Engine &e, const Value &number) {
  if (number.isSmallInt())
    return e.sizes().constant(number.asInt());
  if (number.is(Kind::Size))
    return number.asSize();
  if (!number.is(Kind::Scalar) || number.scalarType() != ScalarType::Int)
    return {};
  ValueId id = number.scalarId();
  bool isFormula = e.scalarSizes.contains(id) || e.intOperations.contains(id);
  return isFormula ? e.sizeOfScalar(id, sym::Interval::kMin) : sym::Expr();
}

static sym::Expr replaced(sym::Context &sizes, sym::Expr e, sym::Expr symbol, sym::Expr by) {
  return sizes.substitute(e, [&](sym::SymbolId id) {
    return symbol.isSupported() && id == symbol.symbol() ? by : sizes.symbol(id);
  });
}

// Which int it is
// ----------------------------------------------------------------------------------------

/// The step by which the slot counts the turns that `sides` have taken; 0: it does not.
int64_t LoopCloser::stepOf(SlotKey slot, llvm::ArrayRef<JoinSide> sides, ValueId before,
                           sym::Expr was) const {
  Value entry = e.heap.get(slot);
  sym::Expr first = formulaOf(e, entry);
  if (!first.isSupported() || !e.sizeKnownBefore(first, before))
    return 0;
  std::optional<int64_t> step;
  for (const JoinSide &side : sides.drop_front()) {
    auto changed = side.delta->find(slot);
    if (changed == side.delta->end())
      return 0;
    sym::Expr then = formulaOf(e, changed->second);
    if (!then.isSupported())
      return 0;
    std::optional<int64_t> grown =
        e.sizes().sub(then, was.isSupported() ? was : first).asConstant();
    if (!grown || std::abs(*grown) != 1 || (step && *step != *grown))
      return 0;
    step = grown;
  }
  return step.value_or(0);
}

bool LoopCloser::countTurns(llvm::ArrayRef<JoinSide> sides, ValueId before) {
  if (!e.sizeLoops || sides.size() < 2)
    return true;
  if (isCounted) {
    if (!count)
      return true;
    count->was = count->now;
    count->now = {};
    if (!count->was.isSupported() || stepOf(count->slot, sides, before, count->was) != count->step)
      count.reset();
    return count.has_value();
  }
  isCounted = true;
  std::vector<SlotKey> slots;
  for (const auto &[slot, value] : *sides[1].delta)
    if (slot.object != kFacts && e.heap.exists(slot.object) && x.slotIsLive(key, slot))
      slots.push_back(slot);
  // Positions of iterators never shrink and are never assigned to: they are taken where there are
  // some.
  llvm::sort(slots, [&](SlotKey a, SlotKey b) {
    auto rank = [&](SlotKey slot) {
      bool isPosition =
          slot.key == slot::kPosition && e.heap.kind(slot.object) == ObjectKind::Iterator;
      return std::tuple(!isPosition, slot.packed());
    };
    return rank(a) < rank(b);
  });
  for (SlotKey slot : slots)
    if (int64_t step = stepOf(slot, sides, before, {})) {
      count = TurnCount{slot, step, formulaOf(e, e.heap.get(slot)), {}, {}};
      break;
    }
  return true;
}

// What grows with it
// --------------------------------------------------------------------------------------

void Joiner::joinCount() {
  TurnCount *count = options.count;
  joinSlot(count->slot);
  auto joined = out.find(count->slot);
  if (failed || joined == out.end() || !joined->second.is(Kind::Scalar))
    return;
  sym::Interval bounds = e.sizes().bounds(count->first);
  count->now = e.sizeOfScalar(joined->second.scalarId(),
                              count->step > 0 ? bounds.lower : sym::Interval::kMin);
}

sym::Expr Joiner::evenGrowth(llvm::ArrayRef<std::pair<int64_t, sym::Expr>> bySide) {
  const TurnCount *count = options.count;
  if (!options.head || !count || !count->now.isSupported() || bySide.size() != sides.size())
    return {};
  sym::Context &sizes = e.sizes();
  auto entry = llvm::find_if(bySide, [&](const auto &p) { return p.first == sides[0].number; });
  if (entry == bySide.end() || !entry->second.isSupported() ||
      !e.sizeKnownBefore(entry->second, options.before))
    return {};
  sym::Expr first = entry->second, rate;
  for (unsigned s = 1; s < sides.size(); ++s) {
    auto there = llvm::find_if(bySide, [&](const auto &p) { return p.first == sides[s].number; });
    sym::Expr counted = formulaOf(e, read(s, count->slot));
    if (there == bySide.end() || !there->second.isSupported() || !counted.isSupported())
      return {};
    sym::Expr grown = sizes.sub(there->second, first), turns = count->turnsAt(sizes, counted);
    sym::Expr once = replaced(sizes, grown, count->was, count->first);
    if (!once.isSupported() || !e.sizeKnownBefore(once, options.before) ||
        (rate.isSupported() && once != rate) || sizes.mul(once, turns) != grown)
      return {};
    rate = once;
  }
  if (!rate.isSupported())
    return {};
  return sizes.add(first, sizes.mul(rate, count->turnsAt(sizes, count->now)));
}

sym::Expr Joiner::evenLength(const PerSide &lists) {
  SizeBySide bySide;
  for (const auto &[s, v] : lists)
    bySide.emplace_back(sides[s].number, e.sizeLoops ? e.sizeLoops->lengthOf(v) : sym::Expr());
  return options.head ? evenGrowth(bySide) : sameAtEnd(bySide);
}

// Where the loop has ended
// --------------------------------------------------------------------------------

sym::Expr Joiner::atEnd(sym::Expr size) const {
  if (!size.isSupported())
    return {};
  if (options.end)
    size = e.sizes().substitute(size, [&](sym::SymbolId id) {
      return id == options.end->count ? options.end->value : e.sizes().symbol(id);
    });
  return size.isSupported() && e.sizeKnownBefore(size, options.before) ? size : sym::Expr();
}

sym::Expr Joiner::sameAtEnd(llvm::ArrayRef<std::pair<int64_t, sym::Expr>> bySide) const {
  sym::Expr all = atEnd(bySide.front().second);
  bool isSame = llvm::all_of(bySide, [&](const auto &p) { return atEnd(p.second) == all; });
  return isSame ? all : sym::Expr();
}

/// `a op b` as `f < 0`; none for equalities.
static sym::Expr belowZero(sym::Context &sizes, CompareOp op, bool holds, sym::Expr a,
                           sym::Expr b) {
  auto negated = [&](sym::Expr f) { return sizes.sub(sizes.neg(f), sizes.constant(1)); };
  sym::Expr f = sizes.sub(a, b);
  switch (op) {
  case CompareOp::Lt:
    return holds ? f : negated(f);
  case CompareOp::Ge:
    return holds ? negated(f) : f;
  case CompareOp::Gt:
    return holds ? sizes.neg(f) : sizes.sub(f, sizes.constant(1));
  case CompareOp::Le:
    return holds ? sizes.sub(f, sizes.constant(1)) : sizes.neg(f);
  case CompareOp::Eq:
  case CompareOp::Ne:
    return {};
  }
  llvm_unreachable("closed enum");
}

/// Which of the answers to the condition `id` are possible in that state, as bits.
uint64_t LoopCloser::casesIn(const Delta &delta, ValueId id) const {
  Heap::Mark mark = e.heap.mark();
  e.heap.apply(delta);
  uint64_t cases = e.possible(id, 3);
  e.heap.rollback(mark);
  return cases;
}

/// The operation of a loop's body that makes `arg`; null: it is none of them.
static const TapeInstr *makerIn(const TapeBlock &body, const TapeArg &arg) {
  if (!arg.isValue())
    return nullptr;
  for (const TapeInstr &instr : body.instrs) {
    if (llvm::is_contained(instr.results, arg.id()))
      return &instr;
    for (const auto &region : instr.regions)
      if (const TapeInstr *made = makerIn(*region, arg))
        return made;
  }
  return nullptr;
}

/// The sign of what was added to `was` for `then`, wherever that is defined; 0: not known.
static int signOfStep(const TapeBlock &body, const TapeArg &was, const TapeArg &then) {
  const TapeInstr *made = makerIn(body, then);
  if (made && made->op == TapeOp::Switch) {
    const auto result = size_t(llvm::find(made->results, then.id()) - made->results.begin());
    int sign = 0;
    for (const auto &region : made->regions) {
      const TapeArg &yielded = region->yields[result];
      if (yielded == TapeArg::value(kUndef))
        continue;
      const int here = signOfStep(body, was, yielded);
      if (here == 0 || here == -sign)
        return 0;
      sign = here;
    }
    return sign;
  }
  if (!made || (made->op != TapeOp::Add && made->op != TapeOp::Sub))
    return 0;
  const bool swaps = made->op == TapeOp::Add && made->args[1] == was;
  const TapeArg &step = made->args[!swaps];
  if (made->args[swaps] != was || step.kind != TapeArg::Kind::Int || step.asInt() == 0)
    return 0;
  return (step.asInt() > 0) == (made->op == TapeOp::Add) ? 1 : -1;
}

/// The same of a slot in all turns before another.
static int signOfSteps(SlotKey slot, const TapeArg &was, const TapeBlock &body,
                       llvm::ArrayRef<const Delta *> back) {
  int sign = 0;
  for (const Delta *delta : back) {
    auto then = delta->find(slot);
    if (then == delta->end() || !then->second.is(Kind::Scalar))
      return 0;
    const int here = signOfStep(body, was, TapeArg::value(then->second.scalarId()));
    if (here == 0 || here == -sign)
      return 0;
    sign = here;
  }
  return sign;
}

bool LoopCloser::countIsBounded(const HeadState &head, const TapeBlock &body,
                                llvm::ArrayRef<const Delta *> back, ValueId before) const {
  auto isOlder = [&](const TapeArg &arg) { return !arg.isValue() || arg.id() < before; };
  // No int comes beyond an infinity, or compares with a NaN.
  auto isInt = [&](const TapeArg &arg) {
    return arg.isValue() ? e.tape.type(arg.id()).type == TapeType::Int
                         : arg.kind == TapeArg::Kind::Int;
  };
  auto staysTheSame = [&](const TapeArg &arg) {
    const TapeInstr *made = makerIn(body, arg);
    return (isOlder(arg) && isInt(arg)) ||
           (made && made->op == TapeOp::SizeExpr && llvm::all_of(made->args, isOlder));
  };
  auto signOf = [&](const TapeArg &arg) {
    for (const auto &[slot, value] : head.out)
      if (value.is(Kind::Scalar) && arg == TapeArg::value(value.scalarId()))
        if (int sign = signOfSteps(slot, arg, body, back))
          return sign;
    return 0;
  };
  return llvm::any_of(body.instrs, [&](const TapeInstr &c) {
    const bool isLess = c.op == TapeOp::Lt || c.op == TapeOp::Le;
    if (!isLess && c.op != TapeOp::Gt && c.op != TapeOp::Ge)
      return false;
    for (unsigned side : {0, 1}) {
      const int sign = staysTheSame(c.args[1 - side]) ? signOf(c.args[side]) : 0;
      // The answer that keeps a growing int below, and another one above.
      const uint64_t goesOn = isLess == ((side == 0) == (sign > 0)) ? 2 : 1;
      if (sign && llvm::all_of(back, [&](const Delta *delta) {
            return casesIn(*delta, c.results[0]) == goesOn;
          }))
        return true;
    }
    return false;
  });
}

std::optional<EndOfCount> LoopCloser::endOfCount(const Delta &exit,
                                                 llvm::ArrayRef<const Delta *> back,
                                                 ValueId before) const {
  if (!count || !count->was.isSupported())
    return std::nullopt;
  sym::Context &sizes = e.sizes();
  for (const SizeLoops::Comparison &c : llvm::reverse(e.sizeLoops->all())) {
    if (c.id < before)
      break;
    sym::SymbolId symbol = count->was.symbol();
    if (!llvm::is_contained(sizes.symbolsOf(c.a), symbol) &&
        !llvm::is_contained(sizes.symbolsOf(c.b), symbol))
      continue;
    // It says the same in each turn that is followed by another, and the opposite here.
    uint64_t here = casesIn(exit, c.id);
    bool ends = (here == 1 || here == 2) && !back.empty() &&
                llvm::all_of(back, [&](const Delta *d) { return casesIn(*d, c.id) == 3 - here; });
    sym::Expr f = ends ? belowZero(sizes, c.op, here == 1, c.a, c.b) : sym::Expr();
    if (!f.isSupported())
      continue;
    sym::Expr none = replaced(sizes, f, count->was, count->first);
    sym::Expr one =
        replaced(sizes, f, count->was, sizes.add(count->first, sizes.constant(count->step)));
    std::optional<int64_t> rate = sizes.sub(one, none).asConstant();
    if (!rate || *rate <= 0 || !none.isSupported() || !e.sizeKnownBefore(none, before) ||
        sizes.add(none, sizes.mul(sizes.constant(*rate), count->turnsAt(sizes, count->was))) != f)
      continue;
    sym::Expr turns =
        sizes.max(sizes.ceildiv(sizes.neg(none), sizes.constant(*rate)), sizes.constant(0));
    return EndOfCount{symbol, sizes.add(count->first, count->step > 0 ? turns : sizes.neg(turns))};
  }
  return std::nullopt;
}
