//===- Simplify.cpp - Redundant guards, order of variants, overlap, coverage ---------------===//
//
// In: guards of one or several variants. Out: an equivalent smaller set; an order of preference; a
// call that two variants share or that none accepts.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Guard/Transforms/Simplify.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::guard;
using namespace ptc::sym;

static llvm::SmallVector<Atom> atomsOf(const GuardSet &set) {
  llvm::SmallVector<Atom> atoms;
  for (const Guard &guard : set.guards())
    atoms.push_back(guard.atom);
  return atoms;
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

namespace {

class Simplifier {
public:
  Simplifier(ObservableSpace &space, const GuardSet &set)
      : space(space), context(space.context()), solver(space.context()) {
    guards.assign(set.guards().begin(), set.guards().end());
  }

  Simplified run();

private:
  void fillInConstants();
  void dropLooseBounds();
  void dropImplied();
  void count(const Atom &atom, int change);
  bool isReadElsewhere(size_t index);
  void drop(size_t index);
  static void addOrigins(Guard &to, Guard &from);

  ObservableSpace &space;
  Context &context;
  Solver solver;
  std::vector<Guard> guards;
  llvm::DenseMap<SymbolId, int> readers; ///< how many guards read a symbol
};

} // namespace

void Simplifier::count(const Atom &atom, int change) {
  for (SymbolId id : context.symbolsOf(atom.expr))
    readers[id] += change;
}

/// Whether other guards read every symbol of guard `index`.
bool Simplifier::isReadElsewhere(size_t index) {
  return llvm::all_of(context.symbolsOf(guards[index].atom.expr),
                      [&](SymbolId id) { return readers[id] > 1; });
}

/// Removes a guard; its origins go to the first of the others that reads one of its observables.
void Simplifier::drop(size_t index) {
  Guard dropped = std::move(guards[index]);
  guards.erase(guards.begin() + std::ptrdiff_t(index));
  count(dropped.atom, -1);
  llvm::SmallVector<SymbolId, 4> symbols = context.symbolsOf(dropped.atom.expr);
  for (Guard &guard : guards) {
    bool shares = llvm::any_of(context.symbolsOf(guard.atom.expr),
                               [&](SymbolId id) { return llvm::is_contained(symbols, id); });
    if (!shares)
      continue;
    addOrigins(guard, dropped);
    return;
  }
}

/// Equal ones are dropped when the guards become a set.
void Simplifier::addOrigins(Guard &to, Guard &from) {
  to.origins.append(std::make_move_iterator(from.origins.begin()),
                    std::make_move_iterator(from.origins.end()));
}

namespace {
/// The values that guards on one symbol alone leave.
struct Range {
  int64_t lower = Interval::kMin, upper = Interval::kMax;
  bool isFixed = false; ///< by an equality

  void narrow(const UnaryAtom &atom) {
    bool isEqual = atom.relation == Relation::Equal;
    if (isEqual || atom.relation == Relation::LessEqual)
      upper = std::min(upper, atom.value);
    if (isEqual || atom.relation == Relation::GreaterEqual)
      lower = std::max(lower, atom.value);
    isFixed |= isEqual;
  }
  /// Whether other guards say more.
  bool implies(const UnaryAtom &atom) const {
    switch (atom.relation) {
    case Relation::LessEqual:
      return isFixed || upper < atom.value;
    case Relation::GreaterEqual:
      return isFixed || lower > atom.value;
    case Relation::NotEqual:
      return atom.value < lower || atom.value > upper;
    default:
      return false;
    }
  }
};
} // namespace

/// A loop over a number asks a bound of it for each turn: all but the tightest go, without asking
/// the solver about each.
void Simplifier::dropLooseBounds() {
  llvm::DenseMap<SymbolId, Range> ranges;
  llvm::DenseMap<SymbolId, llvm::SmallVector<size_t>> readersOf;
  std::vector<std::optional<UnaryAtom>> unary;
  for (auto [i, guard] : llvm::enumerate(guards)) {
    std::optional<UnaryAtom> bound = asUnary(guard.atom);
    unary.push_back(bound);
    for (SymbolId id : context.symbolsOf(guard.atom.expr))
      readersOf[id].push_back(i);
    if (bound)
      ranges[bound->symbol].narrow(*bound);
  }
  // Whoever contradicts keeps all that it says.
  if (llvm::any_of(ranges, [](const auto &at) { return at.second.lower > at.second.upper; }))
    return;
  std::vector<bool> dropped(guards.size());
  for (size_t i = guards.size(); i-- > 0;) {
    const std::optional<UnaryAtom> &bound = unary[i];
    if (!bound || !ranges.lookup(bound->symbol).implies(*bound))
      continue;
    dropped[i] = true;
    // As drop() does: to the first that is left and reads the symbol.
    for (size_t other : readersOf[bound->symbol])
      if (!dropped[other]) {
        addOrigins(guards[other], guards[i]);
        break;
      }
  }
  std::vector<Guard> kept;
  for (auto [i, guard] : llvm::enumerate(guards))
    if (!dropped[i])
      kept.push_back(std::move(guard));
  guards = std::move(kept);
}

/// `n == 8` and `n * m == 64` is `n == 8` and `m == 8`.
void Simplifier::fillInConstants() {
  Point known;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Guard &guard : guards)
      if (std::optional<UnaryAtom> unary = asUnary(guard.atom))
        if (unary->relation == Relation::Equal)
          known.try_emplace(unary->symbol, unary->value);
    for (Guard &guard : guards) {
      if (asUnary(guard.atom))
        continue;
      Expr filled = context.substitute(guard.atom.expr, [&](SymbolId id) {
        auto found = known.find(id);
        return found == known.end() ? context.symbol(id) : context.constant(found->second);
      });
      Relation relation = guard.atom.kind == AtomKind::IsZero      ? Relation::Equal
                          : guard.atom.kind == AtomKind::IsNonZero ? Relation::NotEqual
                                                                   : Relation::LessEqual;
      std::optional<Atom> atom;
      if (filled.isSupported() && filled != guard.atom.expr)
        atom = makeAtom(context, relation, filled, context.constant(0));
      // A symbol that vanished entirely is read by the guard that says what it is; one that
      // vanished with it must still be read.
      if (!atom || atom->expr.isConstant())
        continue;
      llvm::SmallVector<SymbolId, 4> left = context.symbolsOf(atom->expr);
      bool keepsReads = llvm::all_of(context.symbolsOf(guard.atom.expr), [&](SymbolId id) {
        return known.count(id) || llvm::is_contained(left, id);
      });
      if (!keepsReads)
        continue;
      guard.atom = *atom;
      guard.kind = classify(space, *atom);
      changed = true;
    }
  }
}

/// From the last guard to the first: relations of several observables before bounds of one, so
/// that what remains is cheap to check.
void Simplifier::dropImplied() {
  for (const Guard &guard : guards)
    count(guard.atom, 1);
  for (bool unaryTurn : {false, true}) {
    for (size_t i = guards.size(); i-- > 0;) {
      if (asUnary(guards[i].atom).has_value() != unaryTurn || !isReadElsewhere(i))
        continue;
      llvm::SmallVector<Atom> others;
      for (auto [j, guard] : llvm::enumerate(guards))
        if (j != i)
          others.push_back(guard.atom);
      if (solver.implies(others, guards[i].atom) == true)
        drop(i);
    }
  }
}

Simplified Simplifier::run() {
  Simplified result;
  fillInConstants();
  dropLooseBounds();
  llvm::SmallVector<Atom> atoms;
  for (const Guard &guard : guards)
    atoms.push_back(guard.atom);
  result.contradictory = solver.solve(atoms).kind == Verdict::Kind::Empty;
  if (!result.contradictory) // everything follows from a contradiction; keep it readable
    dropImplied();
  result.guards = GuardSet(guards);
  return result;
}

Simplified ptc::guard::simplify(ObservableSpace &space, const GuardSet &set) {
  return Simplifier(space, set).run();
}

//===----------------------------------------------------------------------===//
// Several variants
//===----------------------------------------------------------------------===//

static bool impliesAll(Solver &solver, llvm::ArrayRef<Atom> atoms, llvm::ArrayRef<Atom> goals) {
  return llvm::all_of(goals, [&](const Atom &goal) { return solver.implies(atoms, goal) == true; });
}

std::vector<unsigned> ptc::guard::orderBySpecificity(Context &context,
                                                     llvm::ArrayRef<GuardSet> variants) {
  std::vector<llvm::SmallVector<Atom>> atoms;
  for (const GuardSet &set : variants)
    atoms.push_back(atomsOf(set));
  size_t n = variants.size();
  // before[i][j]: i is strictly more specific than j.
  std::vector<std::vector<bool>> implied(n, std::vector<bool>(n));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      Solver solver(context, 64);
      implied[i][j] = i != j && impliesAll(solver, atoms[i], atoms[j]);
    }
  std::vector<unsigned> order;
  std::vector<bool> placed(n);
  while (order.size() < n) {
    for (size_t i = 0; i < n; ++i) {
      bool waits = placed[i];
      for (size_t j = 0; j < n && !waits; ++j)
        waits = !placed[j] && implied[j][i] && !implied[i][j];
      if (waits)
        continue;
      placed[i] = true;
      order.push_back(unsigned(i));
      break;
    }
  }
  return order;
}

llvm::Expected<Arranged> ptc::guard::arrangeVariants(ObservableSpace &space,
                                                     llvm::ArrayRef<GuardSet> variants) {
  std::vector<GuardSet> simplified;
  for (auto [i, set] : llvm::enumerate(variants)) {
    Simplified one = simplify(space, set);
    if (one.contradictory)
      return makeError(DiagId::InternalError, {},
                       "the guards of variant " + std::to_string(i) + " contradict each other");
    simplified.push_back(std::move(one.guards));
  }
  Arranged arranged;
  arranged.order = orderBySpecificity(space.context(), simplified);
  for (unsigned i : arranged.order)
    arranged.guards.push_back(std::move(simplified[i]));
  return arranged;
}

Verdict ptc::guard::findOverlap(Context &context, const GuardSet &a, const GuardSet &b) {
  llvm::SmallVector<Atom> both = atomsOf(a);
  both.append(atomsOf(b));
  return Solver(context).solve(both);
}

namespace {

/// Looks for a point of the domain outside all variants: outside a variant means that its first
/// guards hold and the next one does not.
class CoverSearch {
public:
  CoverSearch(Context &context, llvm::ArrayRef<GuardSet> variants, unsigned budget)
      : context(context), solver(context, budget), steps(budget) {
    for (const GuardSet &set : variants)
      atoms.push_back(atomsOf(set));
  }

  Coverage search(llvm::SmallVector<Atom> region, size_t firstVariant);

private:
  bool isOutside(const Point &point, llvm::ArrayRef<Atom> variant) const;

  Context &context;
  Solver solver;
  unsigned steps;
  std::vector<llvm::SmallVector<Atom>> atoms;
};

} // namespace

bool CoverSearch::isOutside(const Point &point, llvm::ArrayRef<Atom> variant) const {
  return llvm::any_of(variant, [&](const Atom &atom) {
    return evaluate(context, atom, [&](SymbolId id) -> std::optional<int64_t> {
             auto found = point.find(id);
             return found == point.end() ? std::nullopt : std::optional(found->second);
           }) == false;
  });
}

Coverage CoverSearch::search(llvm::SmallVector<Atom> region, size_t firstVariant) {
  if (steps == 0)
    return {};
  --steps;
  Verdict verdict = solver.solve(region);
  if (verdict.kind == Verdict::Kind::Empty)
    return {Coverage::Kind::Covered, {}};
  if (verdict.kind == Verdict::Kind::Solved &&
      llvm::all_of(atoms, [&](const auto &variant) { return isOutside(verdict.point, variant); }))
    return {Coverage::Kind::CounterExample, std::move(verdict.point)};
  if (firstVariant == atoms.size())
    return {};
  Coverage result{Coverage::Kind::Covered, {}};
  for (const Atom &atom : atoms[firstVariant]) {
    std::optional<Atom> opposite = negate(context, atom);
    if (!opposite)
      return {};
    llvm::SmallVector<Atom> outside = region;
    outside.push_back(*opposite);
    Coverage found = search(std::move(outside), firstVariant + 1);
    if (found.kind == Coverage::Kind::CounterExample)
      return found;
    if (found.kind == Coverage::Kind::Undecided)
      result.kind = Coverage::Kind::Undecided;
    region.push_back(atom);
  }
  return result;
}

Coverage ptc::guard::findCoverage(Context &context, llvm::ArrayRef<Atom> domain,
                                  llvm::ArrayRef<GuardSet> variants, unsigned budget) {
  return CoverSearch(context, variants, budget).search(llvm::SmallVector<Atom>(domain), 0);
}

std::string ptc::guard::pointText(const ObservableSpace &space, const Point &point) {
  std::string text;
  for (auto [id, value] : point) {
    const Observable &observable = space.observable(id);
    text += (text.empty() ? "" : ", ") + observable.str() + " = " +
            space.formatValue(observable, value);
  }
  return text;
}
