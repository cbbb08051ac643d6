//===- ShapeFacts.cpp - What a ShapeEnv knows, and what follows from it -----------------===//
//
// In: atoms assumed true. Out: a replacement for each symbol that an equality determines, tighter
// bounds of symbols, and proofs: from the bounds of the difference, or from one fact that bounds
// it. Sound and fast, not complete: what is not proven becomes a guard, and the simplifier
// (lib/Dialect/Guard) drops it later if it was implied.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace ptc;
using namespace ptc::sym;

Expr ShapeEnv::simplify(Expr e) {
  if (e.isConstant() || replacements.empty())
    return e;
  auto isReplaced = [&](SymbolId id) { return replacements.contains(id); };
  if (llvm::none_of(symbols.symbolsOf(e), isReplaced))
    return e;
  noteFactsUsed(e);
  return symbols.substitute(e, [&](SymbolId id) {
    auto found = replacements.find(id);
    return found == replacements.end() ? symbols.symbol(id) : found->second;
  });
}

void ShapeEnv::assume(Relation relation, Expr a, Expr b) {
  if (std::optional<Atom> atom = makeAtom(symbols, relation, simplify(a), simplify(b)))
    if (!atom->expr.isConstant())
      addFact(*atom);
}

void ShapeEnv::addFact(Atom atom) {
  std::optional<UnaryAtom> unary = asUnary(atom);
  facts.push_back({atom, unary ? std::optional(unary->symbol) : std::nullopt});
  learn(atom);
}

void ShapeEnv::learn(const Atom &fact) {
  if (std::optional<UnaryAtom> unary = asUnary(fact)) {
    Interval known = symbols.symbolInfo(unary->symbol).bounds();
    auto [place, fresh] = refined.try_emplace(unary->symbol, known);
    Interval &interval = place->second;
    if (unary->relation == Relation::LessEqual || unary->relation == Relation::Equal)
      interval.upper = std::min(interval.upper, unary->value);
    if (unary->relation == Relation::GreaterEqual || unary->relation == Relation::Equal)
      interval.lower = std::max(interval.lower, unary->value);
    if (unary->relation == Relation::NotEqual && unary->value == interval.lower)
      interval.lower++;
    if (unary->relation == Relation::NotEqual && unary->value == interval.upper)
      interval.upper--;
  }
  if (fact.kind == AtomKind::IsZero)
    learnEquality(simplify(fact.expr));
}

std::optional<int64_t> ptc::sym::findLinearCoefficient(const Context &context, Expr e,
                                                       SymbolId id) {
  if (!e.isSupported() || e.isConstant())
    return std::nullopt;
  std::optional<int64_t> coefficient;
  for (const Term &term : e.terms()) {
    for (const Factor &factor : term.factors) {
      bool uses = llvm::is_contained(context.symbolsOf(factor.atom), id);
      bool alone =
          term.factors.size() == 1 && factor.power == 1 && factor.atom.kind() == ExprKind::Symbol;
      if (uses && !alone)
        return std::nullopt;
      if (uses)
        coefficient = term.coefficient;
    }
  }
  return coefficient;
}

/// The same where it is 1 or -1.
static std::optional<int64_t> findUnitTerm(const Context &context, Expr e, SymbolId id) {
  std::optional<int64_t> coefficient = findLinearCoefficient(context, e, id);
  return coefficient == 1 || coefficient == -1 ? coefficient : std::nullopt;
}

/// Solves `zero == 0` for its newest symbol that occurs linearly; run-time sizes first. Declared
/// symbols only become constants: their names should stay in what people read.
void ShapeEnv::learnEquality(Expr zero) {
  if (!zero.isSupported() || zero.isConstant())
    return;
  llvm::SmallVector<SymbolId, 4> candidates = symbols.symbolsOf(zero);
  llvm::sort(candidates, [&](SymbolId a, SymbolId b) {
    auto rank = [&](SymbolId id) {
      return std::pair(symbols.symbolInfo(id).kind == SymbolKind::Unbacked, id);
    };
    return rank(a) > rank(b);
  });
  bool single = candidates.size() == 1;
  for (SymbolId id : candidates) {
    std::optional<int64_t> coefficient = findUnitTerm(symbols, zero, id);
    if (!coefficient || (!single && symbols.symbolInfo(id).kind == SymbolKind::Declared))
      continue;
    Expr symbol = symbols.symbol(id);
    // c*s + rest == 0 with c = 1 or -1: s = -c * rest.
    Expr rest = symbols.sub(zero, symbols.mul(symbols.constant(*coefficient), symbol));
    Expr value = symbols.mul(symbols.constant(-*coefficient), rest);
    if (!value.isSupported())
      return;
    Interval bounds = symbols.symbolInfo(id).bounds();
    if (auto found = refined.find(id); found != refined.end())
      bounds = found->second;
    for (auto &[other, old] : replacements)
      old = symbols.substitute(
          old, [&](SymbolId used) { return used == id ? value : symbols.symbol(used); });
    replacements[id] = value;
    // What was known of the symbol must be known of its value.
    if (bounds.hasLower())
      if (auto atom =
              makeAtom(symbols, Relation::GreaterEqual, value, symbols.constant(bounds.lower)))
        if (!atom->expr.isConstant() && isTrue(symbols, *atom) != true)
          learn(*atom);
    if (bounds.hasUpper())
      if (auto atom = makeAtom(symbols, Relation::LessEqual, value, symbols.constant(bounds.upper)))
        if (!atom->expr.isConstant() && isTrue(symbols, *atom) != true)
          learn(*atom);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// e <= 0, from bounds or from one fact: f <= 0 (or f == 0) and e - f <= 0.
bool ShapeEnv::isProvenNonPositive(Expr e) {
  if (!e.isSupported())
    return false;
  auto knownBounds = [&](SymbolId id) {
    auto found = refined.find(id);
    return found == refined.end() ? symbols.symbolInfo(id).bounds() : found->second;
  };
  if (symbols.bounds(e, knownBounds).upper <= 0)
    return true;
  auto follows = [&](Expr fact) {
    Expr difference = symbols.sub(e, fact);
    return difference.isSupported() && symbols.bounds(difference, knownBounds).upper <= 0;
  };
  for (const auto &[fact, bounded] : facts) {
    if (fact.kind == AtomKind::IsNonZero || (bounded && !replacements.contains(*bounded)))
      continue;
    Expr known = simplify(fact.expr);
    if (!known.isSupported() || known.isConstant())
      continue;
    if (follows(known) || (fact.kind == AtomKind::IsZero && follows(symbols.neg(known))))
      return true;
  }
  return false;
}

std::optional<bool> ShapeEnv::proveAtom(const Atom &atom) {
  if (std::optional<bool> known = isTrue(symbols, atom))
    return known;
  std::optional<bool> proven = proveFromFacts(atom);
  if (proven)
    noteFactsUsed(atom.expr);
  return proven;
}

std::optional<bool> ShapeEnv::proveFromFacts(const Atom &atom) {
  Expr e = atom.expr;
  Expr above = symbols.add(e, symbols.constant(1)); // <= 0: e < 0
  Expr below = symbols.sub(symbols.constant(1), e); // <= 0: e > 0
  if (atom.kind == AtomKind::IsNonPositive) {
    if (isProvenNonPositive(e))
      return true;
    return isProvenNonPositive(below) ? std::optional(false) : std::nullopt;
  }
  bool zeroIs = atom.kind == AtomKind::IsZero;
  if (isProvenNonPositive(above) || isProvenNonPositive(below))
    return !zeroIs;
  if (isProvenNonPositive(e) && isProvenNonPositive(symbols.neg(e)))
    return zeroIs;
  for (const auto &[fact, bounded] : facts)
    if (fact.kind == AtomKind::IsNonZero) {
      Expr known = simplify(fact.expr);
      if (known == e || symbols.neg(known) == e)
        return !zeroIs;
    }
  return std::nullopt;
}

std::optional<bool> ShapeEnv::prove(Relation relation, Expr a, Expr b) {
  std::optional<Atom> atom = makeAtom(symbols, relation, simplify(a), simplify(b));
  return atom ? proveAtom(*atom) : std::nullopt;
}
