//===- TurnCount.h - What grows evenly in a loop -------------------*- C++ -*-===//
//
// An int of a loop's state that grows, or shrinks, by 1 in each turn counts the turns: the position
// of an iterator, or the `i` of `while i < n`. Other ints, sizes and lengths of lists that grow by
// the same amount in each turn are formulas of it, and need not be carried:
//
//   before the loop  v0      c0
//   in the head      v0 + k * t, where t = step * (c - c0)
//   at a back edge   v0 + k * (t + 1)
//
// Where a comparison of such a formula ends the loop, the number of turns, and with it what all of
// them are behind the loop, is a formula of sizes that were known before.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_TURNCOUNT_H
#define PTC_LIB_CAPTURE_TURNCOUNT_H

#include "Engine.h"

namespace ptc::capture {

struct TurnCount {
  SlotKey slot;
  int64_t step = 1; ///< or -1
  sym::Expr first;  ///< before the loop
  sym::Expr was;    ///< a symbol: in the head of the turn that has ended; none: it was the first
  sym::Expr now;    ///< a symbol: in the head that is being joined

  /// Turns behind it where the count is `c`.
  sym::Expr turnsAt(sym::Context &sizes, sym::Expr c) const {
    sym::Expr grown = sizes.sub(c, first);
    return step > 0 ? grown : sizes.neg(grown);
  }
};

/// What the count is where a loop has ended.
struct EndOfCount {
  sym::SymbolId count;
  sym::Expr value;
};

/// An int as a formula of sizes, if it is known to be one.
sym::Expr formulaOf(Engine &e, const Value &number);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_TURNCOUNT_H
