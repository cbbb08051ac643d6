//===- DecisionTree.cpp - Building and walking the tree of variants -------------------===//
//
// In: the guards of all variants, preferred variants first. Out: a tree whose answer for every call
// is that of a linear scan. Only atoms about one observable split; a path that proves such an atom
// removes it from what the leaf checks.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/DecisionTree.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <set>
#include <tuple>

using namespace ptc;
using namespace ptc::sym;

namespace {

/// What one variant allows one observable to be, from its unary atoms.
struct Allowed {
  Interval interval;
  bool constrained = false; ///< by an equality or a bound
  bool exact = false;       ///< by an equality
};

using Candidates = std::vector<DecisionTree::Candidate>;

/// A way to split candidates; `cases` as in Node. Range: lower part, upper part, rest.
struct Split {
  DecisionTree::Node::Kind kind = DecisionTree::Node::Kind::Leaf;
  SymbolId observable = 0;
  std::vector<int64_t> values;
  size_t largest = 0, total = 0;
  unsigned cost = 0;

  auto key() const { return std::tuple(largest, total, cost, observable, int(kind)); }
};

class Builder {
public:
  Builder(const ObservableSpace &space, std::vector<DecisionTree::Node> &tree, size_t numVariants)
      : space(space), tree(tree), maxNodes(16 * numVariants + 64) {}

  uint32_t build(Candidates candidates);

private:
  static Allowed allowedBy(const DecisionTree::Candidate &candidate, SymbolId observable);
  std::optional<Split> findBestSplit(const Candidates &candidates) const;
  std::optional<Split> trySwitch(const Candidates &candidates, SymbolId observable) const;
  void tryRanges(const Candidates &candidates, SymbolId observable,
                 std::optional<Split> &best) const;
  void measure(Split &split, llvm::ArrayRef<size_t> sizes) const;
  static Candidates select(const Candidates &candidates, SymbolId observable, Interval known);
  static Candidates unconstrained(const Candidates &candidates, SymbolId observable,
                                  bool exactOnly);
  uint32_t applySwitch(const Split &split, const Candidates &candidates);
  uint32_t applyRange(const Split &split, const Candidates &candidates);

  const ObservableSpace &space;
  std::vector<DecisionTree::Node> &tree;
  size_t maxNodes;
};

} // namespace

Allowed Builder::allowedBy(const DecisionTree::Candidate &candidate, SymbolId observable) {
  Allowed allowed;
  for (const Atom &atom : candidate.checks) {
    std::optional<UnaryAtom> unary = asUnary(atom);
    if (!unary || unary->symbol != observable || unary->relation == Relation::NotEqual)
      continue;
    allowed.constrained = true;
    allowed.exact |= unary->relation == Relation::Equal;
    if (unary->relation != Relation::GreaterEqual)
      allowed.interval.upper = std::min(allowed.interval.upper, unary->value);
    if (unary->relation != Relation::LessEqual)
      allowed.interval.lower = std::max(allowed.interval.lower, unary->value);
  }
  return allowed;
}

void Builder::measure(Split &split, llvm::ArrayRef<size_t> sizes) const {
  split.largest = 0;
  split.total = 0;
  for (size_t size : sizes) {
    split.largest = std::max(split.largest, size);
    split.total += size;
  }
  split.cost = getObservableInfo(space.observable(split.observable).kind).cost;
}

std::optional<Split> Builder::trySwitch(const Candidates &candidates, SymbolId observable) const {
  std::vector<Allowed> allowed;
  std::set<int64_t> values;
  for (const DecisionTree::Candidate &candidate : candidates) {
    allowed.push_back(allowedBy(candidate, observable));
    if (allowed.back().exact)
      values.insert(allowed.back().interval.lower);
  }
  if (values.empty())
    return std::nullopt;
  Split split{DecisionTree::Node::Kind::Switch, observable, {values.begin(), values.end()}};
  std::vector<size_t> sizes;
  sizes.reserve(values.size() + 1);
  for (int64_t value : values)
    sizes.push_back(size_t(
        llvm::count_if(allowed, [&](const Allowed &a) { return a.interval.contains(value); })));
  sizes.push_back(size_t(llvm::count_if(allowed, [](const Allowed &a) { return !a.exact; })));
  measure(split, sizes);
  return split;
}

void Builder::tryRanges(const Candidates &candidates, SymbolId observable,
                        std::optional<Split> &best) const {
  std::vector<Allowed> allowed;
  std::set<int64_t> thresholds;
  for (const DecisionTree::Candidate &candidate : candidates) {
    allowed.push_back(allowedBy(candidate, observable));
    const Interval &interval = allowed.back().interval;
    if (allowed.back().constrained && interval.hasUpper())
      thresholds.insert(interval.upper);
    if (allowed.back().constrained && interval.hasLower())
      thresholds.insert(interval.lower - 1);
  }
  for (int64_t threshold : thresholds) {
    Split split{DecisionTree::Node::Kind::Range, observable, {threshold}};
    auto count = [&](auto fits) { return size_t(llvm::count_if(allowed, fits)); };
    measure(split, {count([&](const Allowed &a) { return a.interval.lower <= threshold; }),
                    count([&](const Allowed &a) { return a.interval.upper > threshold; }),
                    count([](const Allowed &a) { return !a.constrained; })});
    if (split.largest < candidates.size() && (!best || split.key() < best->key()))
      best = split;
  }
}

std::optional<Split> Builder::findBestSplit(const Candidates &candidates) const {
  std::set<SymbolId> observables;
  for (const DecisionTree::Candidate &candidate : candidates)
    for (const Atom &atom : candidate.checks)
      if (std::optional<UnaryAtom> unary = asUnary(atom))
        observables.insert(unary->symbol);
  std::optional<Split> best;
  for (SymbolId observable : observables) {
    std::optional<Split> split = trySwitch(candidates, observable);
    if (split && split->largest < candidates.size() && (!best || split->key() < best->key()))
      best = split;
    tryRanges(candidates, observable, best);
  }
  return best;
}

/// Candidates that remain where the observable's value is in `known`, without the atoms that this
/// proves.
Candidates Builder::select(const Candidates &candidates, SymbolId observable, Interval known) {
  Candidates selected;
  for (const DecisionTree::Candidate &candidate : candidates) {
    Interval allowed = allowedBy(candidate, observable).interval;
    if (allowed.upper < known.lower || allowed.lower > known.upper)
      continue;
    DecisionTree::Candidate kept{candidate.variant, {}};
    for (const Atom &atom : candidate.checks) {
      std::optional<UnaryAtom> unary = asUnary(atom);
      bool proven = false;
      if (unary && unary->symbol == observable) {
        bool isPoint = known.lower == known.upper;
        switch (unary->relation) {
        case Relation::Equal:
          proven = isPoint && known.lower == unary->value;
          break;
        case Relation::NotEqual:
          proven = !known.contains(unary->value);
          break;
        case Relation::LessEqual:
          proven = known.upper <= unary->value;
          break;
        case Relation::GreaterEqual:
          proven = known.lower >= unary->value;
          break;
        case Relation::Less:
        case Relation::Greater:
          llvm_unreachable("not in normal form");
        }
      }
      if (!proven)
        kept.checks.push_back(atom);
    }
    selected.push_back(std::move(kept));
  }
  return selected;
}

/// Candidates that can still hold where no case fits (`exactOnly`) or the observable is absent.
Candidates Builder::unconstrained(const Candidates &candidates, SymbolId observable,
                                  bool exactOnly) {
  Candidates rest;
  for (const DecisionTree::Candidate &candidate : candidates) {
    Allowed allowed = allowedBy(candidate, observable);
    if (exactOnly ? !allowed.exact : !allowed.constrained)
      rest.push_back(candidate);
  }
  return rest;
}

uint32_t Builder::applySwitch(const Split &split, const Candidates &candidates) {
  uint32_t index = uint32_t(tree.size());
  tree.emplace_back();
  DecisionTree::Node node;
  node.kind = split.kind;
  node.observable = split.observable;
  for (int64_t value : split.values)
    node.cases.push_back({value, build(select(candidates, split.observable, {value, value}))});
  node.otherwise = build(unconstrained(candidates, split.observable, /*exactOnly=*/true));
  tree[index] = std::move(node);
  return index;
}

uint32_t Builder::applyRange(const Split &split, const Candidates &candidates) {
  uint32_t index = uint32_t(tree.size());
  tree.emplace_back();
  DecisionTree::Node node;
  node.kind = split.kind;
  node.observable = split.observable;
  int64_t threshold = split.values.front();
  node.cases.push_back(
      {threshold, build(select(candidates, split.observable, {Interval::kMin, threshold}))});
  node.above = build(select(candidates, split.observable, {threshold + 1, Interval::kMax}));
  node.otherwise = build(unconstrained(candidates, split.observable, /*exactOnly=*/false));
  tree[index] = std::move(node);
  return index;
}

uint32_t Builder::build(Candidates candidates) {
  if (candidates.size() > 1 && tree.size() < maxNodes) {
    if (std::optional<Split> split = findBestSplit(candidates))
      return split->kind == DecisionTree::Node::Kind::Switch ? applySwitch(*split, candidates)
                                                             : applyRange(*split, candidates);
  }
  uint32_t index = uint32_t(tree.size());
  tree.emplace_back().candidates = std::move(candidates);
  return index;
}

DecisionTree::DecisionTree(const ObservableSpace &space, llvm::ArrayRef<GuardSet> variants) {
  // A set holds an atom once: shared by all is counted as often as there are variants.
  llvm::DenseMap<std::pair<unsigned, Expr>, size_t> counts;
  auto countOf = [&](const Atom &atom) -> size_t & {
    return counts[{unsigned(atom.kind), atom.expr}];
  };
  for (const GuardSet &set : variants)
    for (const Guard &guard : set.guards())
      ++countOf(guard.atom);
  Candidates candidates;
  for (auto [i, set] : llvm::enumerate(variants)) {
    Candidate &candidate = candidates.emplace_back();
    candidate.variant = unsigned(i);
    for (const Guard &guard : set.guards()) {
      if (countOf(guard.atom) < variants.size())
        candidate.checks.push_back(guard.atom);
      else if (i == 0)
        shared.push_back(guard.atom);
    }
  }
  Builder(space, tree, variants.size()).build(std::move(candidates));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

std::optional<unsigned> DecisionTree::dispatch(const Context &context,
                                               ObservableReader values) const {
  auto holds = [&](const Atom &atom) { return evaluate(context, atom, values) == true; };
  if (!llvm::all_of(shared, holds))
    return std::nullopt;
  const Node *node = &tree.front();
  while (node->kind != Node::Kind::Leaf) {
    std::optional<int64_t> value = values(node->observable);
    uint32_t next = node->otherwise;
    if (value && node->kind == Node::Kind::Range) {
      next = *value <= node->cases.front().first ? node->cases.front().second : node->above;
    } else if (value) {
      auto found = llvm::lower_bound(node->cases, std::pair(*value, uint32_t(0)));
      if (found != node->cases.end() && found->first == *value)
        next = found->second;
    }
    node = &tree[next];
  }
  for (const Candidate &candidate : node->candidates)
    if (llvm::all_of(candidate.checks, holds))
      return candidate.variant;
  return std::nullopt;
}

std::optional<unsigned> DecisionTree::dispatch(ObservableSpace &space,
                                               const Observation &call) const {
  return dispatch(space.context(),
                  [&](SymbolId id) { return call.read(space.observable(id), space.strings()); });
}

Miss ptc::sym::explainMiss(llvm::ArrayRef<GuardSet> variants, ObservableSpace &space,
                           const Observation &call) {
  assert(!variants.empty());
  unsigned nearest = 0;
  size_t fewest = SIZE_MAX;
  for (auto [i, set] : llvm::enumerate(variants)) {
    size_t failures = countFailures(set, space, call);
    if (failures < fewest) {
      fewest = failures;
      nearest = unsigned(i);
    }
  }
  std::optional<GuardFailure> failure = findFailure(variants[nearest], space, call);
  assert(failure && "a variant that holds is no miss");
  return {nearest, std::move(*failure)};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printNode(llvm::raw_ostream &os, const ObservableSpace &space,
                      llvm::ArrayRef<DecisionTree::Node> tree, uint32_t index, unsigned indent) {
  const DecisionTree::Node &node = tree[index];
  auto child = [&](const std::string &label, uint32_t next) {
    os.indent(indent) << label << ":\n";
    printNode(os, space, tree, next, indent + 2);
  };
  if (node.kind == DecisionTree::Node::Kind::Leaf) {
    for (const DecisionTree::Candidate &candidate : node.candidates) {
      os.indent(indent) << "variant " << candidate.variant;
      for (auto [i, atom] : llvm::enumerate(candidate.checks))
        os << (i ? " and " : " if ") << atomText(space, atom);
      os << '\n';
    }
    if (node.candidates.empty())
      os.indent(indent) << "miss\n";
    return;
  }
  const Observable &observable = space.observable(node.observable);
  bool isRange = node.kind == DecisionTree::Node::Kind::Range;
  for (auto [value, next] : node.cases)
    child(observable.str() + (isRange ? " <= " : " == ") + space.formatValue(observable, value),
          next);
  if (isRange)
    child(observable.str() + " > " + space.formatValue(observable, node.cases.front().first),
          node.above);
  child("otherwise", node.otherwise);
}

void DecisionTree::print(llvm::raw_ostream &os, const ObservableSpace &space) const {
  for (const Atom &atom : shared)
    os << "check " << atomText(space, atom) << '\n';
  printNode(os, space, tree, 0, 0);
}
