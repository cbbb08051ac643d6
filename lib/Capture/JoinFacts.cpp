//===- JoinFacts.cpp - What the sides of a join know --------------------------------===//
//
// In: the facts that each side found on its way: which cases of a selector it may be in. Out: what
// holds on all sides, and what a side's values are there.
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "Join.h"

using namespace ptc::capture;

void Joiner::joinFact(SlotKey slot) {
  uint64_t cases = 0;
  for (unsigned s = 0; s < sides.size(); ++s) {
    Value fact = read(s, slot);
    if (fact.isAbsent()) {
      out[slot] = Value::absent();
      return;
    }
    cases |= fact.bits();
  }
  out[slot] = Value::constant(Kind::Ip, cases);
}

/// What `ask` gives where the side's facts hold.
template <typename AskT> auto Joiner::underFacts(unsigned side, AskT ask) const {
  Heap::Mark mark = e.heap.mark();
  for (const auto &[factKey, fact] : states[side].facts)
    e.heap.set(kFacts, factKey, fact);
  auto answer = ask();
  e.heap.rollback(mark);
  return answer;
}

/// What the facts of the side leave of a choice or of a number that is a constant in each case.
Value Joiner::knownOn(unsigned side, const Value &v) const {
  bool decidable = v.is(Kind::Choice) || v.is(Kind::Scalar);
  if (!decidable || states[side].facts.empty())
    return v;
  return underFacts(side, [&] {
    Value now = e.known(v);
    ValueId selector = kUndef;
    if (const std::vector<Value> *table =
            now.is(Kind::Scalar) ? e.tableOf(now.scalarId(), selector) : nullptr)
      now = onlyCase(selector, *table).value_or(now);
    return now;
  });
}

/// Bit i: the side may hold alternative i of `v`. At least one is set.
uint64_t Joiner::possibleOn(unsigned side, const Value &v) const {
  size_t n = alternativesOf(v).size();
  uint64_t all = n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1;
  if (!v.is(Kind::Choice) || options.head)
    return all;
  uint64_t cases = underFacts(side, [&] { return e.possible(asChoice(v).selector, all); });
  return cases ? cases : all;
}

/// The one value that a table has where the path leaves it no other.
std::optional<Value> Joiner::onlyCase(ValueId selector, llvm::ArrayRef<Value> table) const {
  if (table.size() > 64)
    return std::nullopt;
  uint64_t all = 0;
  for (size_t i = 0; i < table.size(); ++i)
    if (!table[i].isAbsent())
      all |= uint64_t(1) << i;
  uint64_t cases = e.possible(selector, all);
  if (llvm::popcount(cases) != 1)
    return std::nullopt;
  return table[size_t(llvm::countr_zero(cases))];
}
