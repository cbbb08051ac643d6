//===- Solver.cpp - Satisfiability of conjunctions of atoms -------------------------------===//
//
// In: atoms. Out: "no solution" (proven on a linear relaxation), a solution (confirmed on the atoms
// themselves), or "unknown". In turn: symbols with a known value are filled in, atoms that share no
// symbol are solved apart, a disequality that the solution violates splits in two, and a symbol of
// a non-affine term is tried at a few values.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Guard/Transforms/Solver.h"

#include "LinearSystem.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace ptc;
using namespace ptc::guard;
using namespace ptc::sym;

static constexpr unsigned kMaxDepth = 12;

/// Atoms by the symbols that they share, directly or through others.
static std::vector<llvm::SmallVector<Atom>> splitConnected(const Context &context,
                                                           llvm::ArrayRef<Atom> atoms) {
  llvm::EquivalenceClasses<SymbolId> classes;
  llvm::SmallVector<SymbolId> firsts;
  for (const Atom &atom : atoms) {
    llvm::SmallVector<SymbolId, 4> symbols = context.symbolsOf(atom.expr);
    assert(!symbols.empty() && "constants are decided before");
    firsts.push_back(symbols.front());
    for (SymbolId id : symbols)
      classes.unionSets(symbols.front(), id);
  }
  llvm::DenseMap<SymbolId, size_t> index;
  std::vector<llvm::SmallVector<Atom>> parts;
  for (auto [atom, first] : llvm::zip(atoms, firsts)) {
    auto [place, fresh] = index.try_emplace(classes.getLeaderValue(first), parts.size());
    if (fresh)
      parts.emplace_back();
    parts[place->second].push_back(atom);
  }
  return parts;
}

Verdict Solver::solve(llvm::ArrayRef<Atom> atoms) {
  llvm::SmallVector<Atom> open;
  for (const Atom &atom : atoms) {
    std::optional<bool> truth = isTrue(context, atom);
    if (truth == false)
      return {Verdict::Kind::Empty, {}};
    if (!truth)
      open.push_back(atom);
  }
  Verdict verdict{Verdict::Kind::Solved, {}};
  for (llvm::SmallVector<Atom> &part : splitConnected(context, open)) {
    Verdict one = solvePropagated(std::move(part), 0);
    if (one.kind == Verdict::Kind::Empty)
      return one;
    if (one.kind == Verdict::Kind::Unknown)
      verdict.kind = one.kind;
    verdict.point.insert(one.point.begin(), one.point.end());
  }
  if (verdict.kind != Verdict::Kind::Solved)
    return verdict;
  for (const Atom &atom : atoms)
    for (SymbolId id : context.symbolsOf(atom.expr))
      if (!verdict.point.count(id)) {
        // Only symbols that cancelled out or became true are left: any value in bounds will do.
        Interval bounds = context.symbolInfo(id).bounds();
        verdict.point[id] = bounds.contains(0)  ? 0
                            : bounds.hasLower() ? bounds.lower
                                                : bounds.upper;
      }
  if (findViolated(atoms, verdict.point))
    return {};
  return verdict;
}

std::optional<bool> Solver::implies(llvm::ArrayRef<Atom> atoms, const Atom &goal) {
  if (llvm::is_contained(atoms, goal))
    return true;
  if (std::optional<bool> known = isTrue(context, goal); known == true)
    return true;
  std::optional<Atom> opposite = negate(context, goal);
  if (!opposite || opposite->expr.isConstant())
    return std::nullopt;
  // Only what is connected to the goal can imply it (unless the rest contradicts itself, which is
  // another question).
  llvm::SmallVector<Atom> all;
  for (const Atom &atom : atoms)
    if (!atom.expr.isConstant())
      all.push_back(atom);
  all.push_back(*opposite);
  llvm::SmallVector<Atom> connected;
  for (llvm::SmallVector<Atom> &part : splitConnected(context, all))
    if (part.back() == *opposite)
      connected = std::move(part);
  switch (solve(connected).kind) {
  case Verdict::Kind::Empty:
    return true;
  case Verdict::Kind::Solved:
    return false;
  case Verdict::Kind::Unknown:
    return std::nullopt;
  }
  llvm_unreachable("closed enum");
}

std::optional<size_t> Solver::findViolated(llvm::ArrayRef<Atom> atoms, const Point &point) const {
  auto values = [&](SymbolId id) -> std::optional<int64_t> {
    auto found = point.find(id);
    return found == point.end() ? std::nullopt : std::optional(found->second);
  };
  for (auto [i, atom] : llvm::enumerate(atoms))
    if (evaluate(context, atom, values) != true)
      return i;
  return std::nullopt;
}

/// Fills in what equalities with constants say until nothing changes.
Verdict Solver::solvePropagated(llvm::SmallVector<Atom> atoms, unsigned depth) {
  Point known;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < atoms.size(); ++i) {
      std::optional<bool> truth = isTrue(context, atoms[i]);
      if (truth == false)
        return {Verdict::Kind::Empty, {}};
      std::optional<UnaryAtom> unary = truth == true ? std::nullopt : asUnary(atoms[i]);
      if (truth != true && !(unary && unary->relation == Relation::Equal))
        continue;
      if (unary) {
        known[unary->symbol] = unary->value;
        changed = true;
        for (size_t j = 0; j < atoms.size(); ++j) {
          if (j == i || !llvm::is_contained(context.symbolsOf(atoms[j].expr), unary->symbol))
            continue;
          Expr filled = context.substitute(atoms[j].expr, [&](SymbolId id) {
            return id == unary->symbol ? context.constant(unary->value) : context.symbol(id);
          });
          if (!filled.isSupported())
            return {};
          atoms[j].expr = filled;
        }
      }
      atoms.erase(atoms.begin() + std::ptrdiff_t(i--));
    }
  }
  Verdict verdict = solveConnected(atoms, depth);
  verdict.point.insert(known.begin(), known.end());
  return verdict;
}

/// Atoms that share no symbol are independent.
Verdict Solver::solveConnected(llvm::ArrayRef<Atom> atoms, unsigned depth) {
  Verdict all{Verdict::Kind::Solved, {}};
  for (const llvm::SmallVector<Atom> &part : splitConnected(context, atoms)) {
    Verdict verdict = solveLinear(part, depth);
    if (verdict.kind == Verdict::Kind::Empty)
      return verdict;
    if (verdict.kind == Verdict::Kind::Unknown)
      all.kind = Verdict::Kind::Unknown;
    all.point.insert(verdict.point.begin(), verdict.point.end());
  }
  return all;
}

Verdict Solver::solveLinear(llvm::ArrayRef<Atom> atoms, unsigned depth) {
  if (budget == 0 || depth > kMaxDepth)
    return {};
  --budget;
  LinearSystem system(context);
  for (const Atom &atom : atoms)
    system.add(atom);
  std::optional<Point> sample = system.findSolution();
  if (!sample)
    return {Verdict::Kind::Empty, {}};
  std::optional<size_t> violated = findViolated(atoms, *sample);
  if (!violated)
    return {Verdict::Kind::Solved, std::move(*sample)};
  for (const Atom &atom : atoms)
    if (atom.kind == AtomKind::IsNonZero && findViolated(atom, *sample))
      return splitDisequality(atoms, atom, depth);
  return fixSymbol(atoms, *sample, depth);
}

Verdict Solver::splitDisequality(llvm::ArrayRef<Atom> atoms, const Atom &violated, unsigned depth) {
  Expr zero = context.constant(0);
  bool proven = true;
  for (Relation relation : {Relation::Greater, Relation::Less}) {
    llvm::SmallVector<Atom> side;
    std::optional<Atom> half = makeAtom(context, relation, violated.expr, zero);
    if (!half)
      return {};
    for (const Atom &atom : atoms)
      side.push_back(atom == violated ? *half : atom);
    Verdict verdict = solvePropagated(std::move(side), depth + 1);
    if (verdict.kind == Verdict::Kind::Solved)
      return verdict;
    proven &= verdict.kind == Verdict::Kind::Empty;
  }
  return {proven ? Verdict::Kind::Empty : Verdict::Kind::Unknown, {}};
}

/// Whether LinearSystem represents `e` exactly.
static bool isLinear(Expr e) {
  if (e.isConstant() || e.kind() == ExprKind::Symbol)
    return true;
  return llvm::all_of(e.terms(), [](const Term &term) {
    if (term.factors.empty())
      return true;
    if (term.factors.size() != 1 || term.factors.front().power != 1)
      return false;
    Expr atom = term.factors.front().atom;
    return atom.kind() == ExprKind::Symbol ||
           (atom.kind() == ExprKind::FloorDiv && atom.operands()[1].isConstant() &&
            isLinear(atom.operands()[0]));
  });
}

/// Bounds of a symbol from its own and from the atoms about it alone.
static Interval boundsFrom(Context &context, llvm::ArrayRef<Atom> atoms, SymbolId symbol) {
  Interval bounds = context.symbolInfo(symbol).bounds();
  for (const Atom &atom : atoms) {
    std::optional<UnaryAtom> unary = asUnary(atom);
    if (!unary || unary->symbol != symbol)
      continue;
    if (unary->relation == Relation::LessEqual)
      bounds.upper = std::min(bounds.upper, unary->value);
    if (unary->relation == Relation::GreaterEqual)
      bounds.lower = std::max(bounds.lower, unary->value);
  }
  return bounds;
}

/// Of the symbols of atoms that are not linear, the one with the fewest values.
static std::optional<SymbolId> findSymbolToFix(Context &context, llvm::ArrayRef<Atom> atoms) {
  std::optional<SymbolId> best;
  uint64_t fewest = UINT64_MAX;
  for (const Atom &atom : atoms) {
    if (isLinear(atom.expr))
      continue;
    for (SymbolId id : context.symbolsOf(atom.expr)) {
      Interval bounds = boundsFrom(context, atoms, id);
      bool finite = bounds.hasLower() && bounds.hasUpper();
      uint64_t range = finite ? uint64_t(bounds.upper) - uint64_t(bounds.lower) : UINT64_MAX - 1;
      if (range < fewest) {
        fewest = range;
        best = id;
      }
    }
  }
  return best;
}

/// Looks for a solution with one symbol of a non-affine term at a few values. Finding none proves
/// something only if these are all its values.
Verdict Solver::fixSymbol(llvm::ArrayRef<Atom> atoms, const Point &sample, unsigned depth) {
  std::optional<SymbolId> symbol = findSymbolToFix(context, atoms);
  if (!symbol)
    return {};
  Interval bounds = boundsFrom(context, atoms, *symbol);
  constexpr int64_t kTries = 16;
  llvm::SmallVector<int64_t> tries;
  if (auto found = sample.find(*symbol); found != sample.end())
    tries.push_back(found->second);
  // From the finite end inwards; bounds may lie at either end of 64 bits.
  int64_t start = bounds.hasLower() ? bounds.lower : bounds.hasUpper() ? bounds.upper : -kTries / 2;
  int64_t step = bounds.hasLower() || !bounds.hasUpper() ? 1 : -1;
  bool all = bounds.hasLower() && bounds.hasUpper() &&
             (bounds.isEmpty() || uint64_t(bounds.upper) - uint64_t(bounds.lower) < kTries);
  for (int64_t i = 0, v; i < kTries; ++i) {
    if (llvm::AddOverflow(start, i * step, v) || !bounds.contains(v))
      break;
    if (!llvm::is_contained(tries, v))
      tries.push_back(v);
  }
  bool proven = all;
  for (int64_t value : tries) {
    llvm::SmallVector<Atom> fixed(atoms);
    std::optional<Atom> pinned =
        makeAtom(context, Relation::Equal, context.symbol(*symbol), context.constant(value));
    if (!pinned)
      return {};
    fixed.push_back(*pinned);
    Verdict verdict = solvePropagated(std::move(fixed), depth + 1);
    if (verdict.kind == Verdict::Kind::Solved)
      return verdict;
    proven &= verdict.kind == Verdict::Kind::Empty;
  }
  return {proven ? Verdict::Kind::Empty : Verdict::Kind::Unknown, {}};
}
