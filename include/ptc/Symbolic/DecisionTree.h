//===- DecisionTree.h - Which variant fits a call ---------------------*- C++ -*-===//
//
// All variants of an entry as one tree: guards that all variants share are checked first; each node
// looks at the observable that splits the remaining variants best (ties: the cheapest to read); a
// leaf checks what is left, in order of preference. Dispatch is exact: it gives the first variant,
// in order of preference, whose guards all hold.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SYMBOLIC_DECISIONTREE_H
#define PTC_SYMBOLIC_DECISIONTREE_H

#include "ptc/Symbolic/Guard.h"

namespace ptc::sym {

class DecisionTree {
public:
  /// A variant that a leaf may choose, and what is still to be checked of its guards.
  struct Candidate {
    unsigned variant;
    std::vector<Atom> checks;
  };
  struct Node {
    enum class Kind : uint8_t { Leaf, Switch, Range };
    Kind kind = Kind::Leaf;
    SymbolId observable = 0;
    /// Switch: child by value, ascending. Range: one entry, {threshold, child for value <= it}.
    std::vector<std::pair<int64_t, uint32_t>> cases;
    uint32_t above = 0;                ///< Range: child for value > threshold
    uint32_t otherwise = 0;            ///< no case fits, or the call does not have the observable
    std::vector<Candidate> candidates; ///< Leaf, preferred first
  };

  /// `variants` in order of preference, the most specific first.
  DecisionTree(const ObservableSpace &space, llvm::ArrayRef<GuardSet> variants);

  /// Index of the variant to run; none: a miss.
  std::optional<unsigned> dispatch(const Context &context, ObservableReader values) const;
  std::optional<unsigned> dispatch(ObservableSpace &space, const Observation &call) const;

  llvm::ArrayRef<Atom> common() const { return shared; }
  llvm::ArrayRef<Node> nodes() const { return tree; } ///< the root first
  void print(llvm::raw_ostream &os, const ObservableSpace &space) const;

private:
  std::vector<Atom> shared;
  std::vector<Node> tree;
};

/// Why no variant fits: the first failing guard of the variant with the fewest failing guards.
struct Miss {
  unsigned variant;
  GuardFailure failure;
};
/// `variants` is not empty and none of them holds.
Miss explainMiss(llvm::ArrayRef<GuardSet> variants, ObservableSpace &space,
                 const Observation &call);

} // namespace ptc::sym

#endif // PTC_SYMBOLIC_DECISIONTREE_H
