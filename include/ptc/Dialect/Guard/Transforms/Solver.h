//===- Solver.h - Questions about guards, answered by Presburger arithmetic -*- C++ -*-===//
//
// Atoms are linear over the integers once non-affine terms (products of symbols, division by a
// symbol, min, max) are opaque variables with bounds. That only ever adds solutions, so "no
// solution" is a proof; a solution is confirmed by evaluating the atoms themselves.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_GUARD_TRANSFORMS_SOLVER_H
#define PTC_DIALECT_GUARD_TRANSFORMS_SOLVER_H

#include "ptc/Symbolic/Guard.h"

#include <map>

namespace ptc::guard {

/// Values of observables, by symbol.
using Point = std::map<sym::SymbolId, int64_t>;

/// Whether a conjunction has a solution.
struct Verdict {
  enum class Kind : uint8_t {
    Empty,   ///< proven: none
    Solved,  ///< `point` is one, confirmed
    Unknown, ///< not decided within the budget
  } kind = Kind::Unknown;
  Point point; ///< a value for each symbol of the atoms
};

class Solver {
public:
  /// `budget`: how many linear systems may be solved before the answer is "unknown".
  explicit Solver(sym::Context &context, unsigned budget = 4000)
      : context(context), budget(budget) {}

  Verdict solve(llvm::ArrayRef<sym::Atom> atoms);
  /// Whether all points of `atoms` satisfy `goal`; none: not decided.
  std::optional<bool> implies(llvm::ArrayRef<sym::Atom> atoms, const sym::Atom &goal);

private:
  Verdict solveConnected(llvm::ArrayRef<sym::Atom> atoms, unsigned depth);
  Verdict solvePropagated(llvm::SmallVector<sym::Atom> atoms, unsigned depth);
  Verdict solveLinear(llvm::ArrayRef<sym::Atom> atoms, unsigned depth);
  Verdict splitDisequality(llvm::ArrayRef<sym::Atom> atoms, const sym::Atom &violated,
                           unsigned depth);
  Verdict fixSymbol(llvm::ArrayRef<sym::Atom> atoms, const Point &sample, unsigned depth);
  std::optional<size_t> findViolated(llvm::ArrayRef<sym::Atom> atoms, const Point &point) const;

  sym::Context &context;
  unsigned budget;
};

} // namespace ptc::guard

#endif // PTC_DIALECT_GUARD_TRANSFORMS_SOLVER_H
