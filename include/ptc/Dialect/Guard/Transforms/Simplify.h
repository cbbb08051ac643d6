//===- Simplify.h - Fewer guards; questions about sets of variants ----*- C++ -*-===//
#ifndef PTC_DIALECT_GUARD_TRANSFORMS_SIMPLIFY_H
#define PTC_DIALECT_GUARD_TRANSFORMS_SIMPLIFY_H

#include "ptc/Dialect/Guard/Transforms/Solver.h"

namespace ptc::guard {

struct Simplified {
  sym::GuardSet guards;
  /// No call can satisfy the guards: with an example at hand that is a bug of the compiler.
  bool contradictory = false;
};

/// An equivalent set without guards that the others imply; sizes known from an equality are filled
/// in. Also equivalent for calls that lack observables: a dropped guard reads nothing that the kept
/// ones do not read. The origins of what is dropped go to a guard that stands for it.
Simplified simplify(sym::ObservableSpace &space, const sym::GuardSet &set);

/// Order of preference of variants: one whose guards imply another's comes before it; otherwise the
/// order in which they are given.
std::vector<unsigned> orderBySpecificity(sym::Context &context,
                                         llvm::ArrayRef<sym::GuardSet> variants);

/// Variants of one entry, ready for dispatch.
struct Arranged {
  std::vector<unsigned> order;       ///< indices of the variants given, preferred first
  std::vector<sym::GuardSet> guards; ///< simplified, in that order
};
/// Simplifies and orders. A variant whose guards contradict each other is an internal error: an
/// example satisfied them.
llvm::Expected<Arranged> arrangeVariants(sym::ObservableSpace &space,
                                         llvm::ArrayRef<sym::GuardSet> variants);

/// A call that two variants both accept.
Verdict findOverlap(sym::Context &context, const sym::GuardSet &a, const sym::GuardSet &b);

/// Whether every call of a domain has a variant.
struct Coverage {
  enum class Kind : uint8_t { Covered, CounterExample, Undecided } kind = Kind::Undecided;
  Point point; ///< CounterExample: values of observables that no variant accepts, confirmed
};
Coverage findCoverage(sym::Context &context, llvm::ArrayRef<sym::Atom> domain,
                      llvm::ArrayRef<sym::GuardSet> variants, unsigned budget = 4000);

/// `x.shape[0] = 3, k = 7`.
std::string pointText(const sym::ObservableSpace &space, const Point &point);

} // namespace ptc::guard

#endif // PTC_DIALECT_GUARD_TRANSFORMS_SIMPLIFY_H
