//===- Guard.cpp - Atoms in normal form and the kinds of guards ------------------------===//
//
// In: relations between expressions over observables. Out: atoms in normal form, their truth for
// actual values, the conjunction of a variant in checking order.
//
//===----------------------------------------------------------------------===//
#include "ptc/Symbolic/Guard.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <set>
#include <tuple>

using namespace ptc;
using namespace ptc::sym;

static constexpr GuardKindInfo kGuardKindInfos[] = {
#define PTC_GUARD_KIND(Name, Keyword, Observable, Text, Hint)                                      \
  {GuardKind::Name, #Name, Keyword, ObservableKind::Observable, Text, Hint},
#include "ptc/Runtime/GuardKinds.def"
};

const GuardKindInfo &ptc::sym::getGuardKindInfo(GuardKind kind) {
  assert(size_t(kind) < std::size(kGuardKindInfos));
  return kGuardKindInfos[size_t(kind)];
}

llvm::ArrayRef<GuardKindInfo> ptc::sym::getAllGuardKindInfos() { return kGuardKindInfos; }

std::optional<GuardKind> ptc::sym::parseGuardKind(llvm::StringRef keyword) {
  for (const GuardKindInfo &info : kGuardKindInfos)
    if (info.keyword == keyword)
      return info.kind;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

Relation ptc::sym::negate(Relation relation) {
  switch (relation) {
  case Relation::Equal:
    return Relation::NotEqual;
  case Relation::NotEqual:
    return Relation::Equal;
  case Relation::Less:
    return Relation::GreaterEqual;
  case Relation::LessEqual:
    return Relation::Greater;
  case Relation::Greater:
    return Relation::LessEqual;
  case Relation::GreaterEqual:
    return Relation::Less;
  }
  llvm_unreachable("closed enum");
}

llvm::StringRef ptc::sym::getRelationName(Relation relation) {
  switch (relation) {
  case Relation::Equal:
    return "==";
  case Relation::NotEqual:
    return "!=";
  case Relation::Less:
    return "<";
  case Relation::LessEqual:
    return "<=";
  case Relation::Greater:
    return ">";
  case Relation::GreaterEqual:
    return ">=";
  }
  llvm_unreachable("closed enum");
}

bool ptc::sym::compare(int64_t a, Relation relation, int64_t b) {
  switch (relation) {
  case Relation::Equal:
    return a == b;
  case Relation::NotEqual:
    return a != b;
  case Relation::Less:
    return a < b;
  case Relation::LessEqual:
    return a <= b;
  case Relation::Greater:
    return a > b;
  case Relation::GreaterEqual:
    return a >= b;
  }
  llvm_unreachable("closed enum");
}

/// Divides by the common divisor of the coefficients; an inequality's constant rounds up, an
/// equality whose constant does not divide is left alone (it is false, and isTrue says so).
static Expr divideOut(Context &context, AtomKind kind, Expr e) {
  if (e.kind() != ExprKind::Sum)
    return e;
  uint64_t g = 0;
  int64_t constant = 0;
  for (const Term &term : e.terms()) {
    if (term.factors.empty())
      constant = term.coefficient;
    else
      g = std::gcd(g, term.coefficient < 0 ? 0 - uint64_t(term.coefficient)
                                           : uint64_t(term.coefficient));
  }
  if (g <= 1 || g > uint64_t(Interval::kMax))
    return e;
  Expr divisor = context.constant(int64_t(g));
  if (kind == AtomKind::IsNonPositive)
    return context.ceildiv(e, divisor); // g*x + c <= 0 exactly when x + ceil(c / g) <= 0
  return constant % int64_t(g) == 0 ? context.floordiv(e, divisor) : e;
}

static std::optional<Atom> normalAtom(Context &context, AtomKind kind, Expr e) {
  e = divideOut(context, kind, e);
  if (!e.isSupported())
    return std::nullopt;
  if (kind != AtomKind::IsNonPositive && !e.isConstant() && e.terms().front().coefficient < 0)
    if (Expr negated = context.neg(e); negated.isSupported())
      e = negated;
  return Atom{kind, e};
}

/// a - b or b - a, which are zero at the same points: `s - INT64_MIN` has no coefficient of 64
/// bits, `INT64_MIN - s` has.
static Expr differenceOf(Context &context, Expr a, Expr b) {
  Expr difference = context.sub(a, b);
  return difference.isSupported() ? difference : context.sub(b, a);
}

/// The sum without factors that all its terms have and that are positive by their bounds: of the
/// same sign, and zero where it was. `n*n - b*n*n` is `1 - b` for n >= 1.
static Expr withoutPositiveFactors(Context &context, Expr e) {
  if (e.kind() != ExprKind::Sum)
    return e;
  for (const Factor &factor : e.terms().front().factors) {
    if (context.bounds(factor.atom).lower < 1 ||
        !llvm::all_of(
            e.terms(),
            [&](const Term &term) {
              return llvm::any_of(term.factors,
                                  [&](const Factor &other) { return other.atom == factor.atom; });
            }))
      continue;
    Expr sum = context.constant(0);
    for (const Term &term : e.terms()) {
      Expr product = context.constant(term.coefficient);
      for (const Factor &other : term.factors)
        for (uint32_t i = other.atom == factor.atom; i < other.power; ++i)
          product = context.mul(product, other.atom);
      sum = context.add(sum, product);
    }
    return sum.isSupported() ? withoutPositiveFactors(context, sum) : e;
  }
  return e;
}

std::optional<Atom> ptc::sym::makeAtom(Context &context, Relation relation, Expr a, Expr b) {
  switch (relation) {
  case Relation::Equal:
    return normalAtom(context, AtomKind::IsZero,
                      withoutPositiveFactors(context, differenceOf(context, a, b)));
  case Relation::NotEqual:
    return normalAtom(context, AtomKind::IsNonZero,
                      withoutPositiveFactors(context, differenceOf(context, a, b)));
  case Relation::LessEqual:
    return normalAtom(context, AtomKind::IsNonPositive,
                      withoutPositiveFactors(context, context.sub(a, b)));
  case Relation::Less:
    return normalAtom(
        context, AtomKind::IsNonPositive,
        context.add(withoutPositiveFactors(context, context.sub(a, b)), context.constant(1)));
  case Relation::Greater:
    return makeAtom(context, Relation::Less, b, a);
  case Relation::GreaterEqual:
    return makeAtom(context, Relation::LessEqual, b, a);
  }
  llvm_unreachable("closed enum");
}

std::optional<Atom> ptc::sym::negate(Context &context, const Atom &atom) {
  switch (atom.kind) {
  case AtomKind::IsZero:
    return Atom{AtomKind::IsNonZero, atom.expr};
  case AtomKind::IsNonZero:
    return Atom{AtomKind::IsZero, atom.expr};
  case AtomKind::IsNonPositive:
    return makeAtom(context, Relation::Greater, atom.expr, context.constant(0));
  }
  llvm_unreachable("closed enum");
}

std::optional<bool> ptc::sym::isTrue(Context &context, const Atom &atom) {
  Expr zero = context.constant(0);
  switch (atom.kind) {
  case AtomKind::IsZero:
    return context.isEqual(atom.expr, zero);
  case AtomKind::IsNonZero: {
    std::optional<bool> equal = context.isEqual(atom.expr, zero);
    return equal ? std::optional(!*equal) : std::nullopt;
  }
  case AtomKind::IsNonPositive:
    return context.isLessEqual(atom.expr, zero);
  }
  llvm_unreachable("closed enum");
}

bool ptc::sym::holdsFor(AtomKind kind, int64_t value) {
  switch (kind) {
  case AtomKind::IsZero:
    return value == 0;
  case AtomKind::IsNonZero:
    return value != 0;
  case AtomKind::IsNonPositive:
    return value <= 0;
  }
  llvm_unreachable("closed enum");
}

std::optional<UnaryAtom> ptc::sym::asUnary(const Atom &atom) {
  if (!atom.expr.isSupported() || atom.expr.isConstant())
    return std::nullopt;
  llvm::ArrayRef<Term> terms = atom.expr.terms();
  const Term &first = terms.front();
  if (terms.size() > 2 || first.factors.size() != 1 || first.factors.front().power != 1 ||
      first.factors.front().atom.kind() != ExprKind::Symbol ||
      (first.coefficient != 1 && first.coefficient != -1))
    return std::nullopt;
  int64_t constant = 0;
  if (terms.size() == 2) {
    constant = terms.back().coefficient;
    if (!terms.back().factors.empty() || (first.coefficient == 1 && constant == Interval::kMin))
      return std::nullopt;
  }
  SymbolId symbol = first.factors.front().atom.symbol();
  bool positive = first.coefficient == 1;
  int64_t value = positive ? -constant : constant;
  switch (atom.kind) {
  case AtomKind::IsZero:
    return UnaryAtom{symbol, Relation::Equal, value};
  case AtomKind::IsNonZero:
    return UnaryAtom{symbol, Relation::NotEqual, value};
  case AtomKind::IsNonPositive:
    return UnaryAtom{symbol, positive ? Relation::LessEqual : Relation::GreaterEqual, value};
  }
  llvm_unreachable("closed enum");
}

std::optional<bool> ptc::sym::evaluate(const Context &context, const Atom &atom,
                                       ObservableReader values) {
  // Compared, not subtracted: the difference of two numbers of 64 bits may not fit.
  if (std::optional<UnaryAtom> unary = asUnary(atom)) {
    std::optional<int64_t> value = values(unary->symbol);
    return value ? std::optional(compare(*value, unary->relation, unary->value)) : std::nullopt;
  }
  std::optional<int64_t> value = context.evaluate(atom.expr, values);
  return value ? std::optional(holdsFor(atom.kind, *value)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// For sizes: the form decides; for everything else the row of that observable.
static GuardKind classifySizes(const Atom &atom) {
  if (std::optional<UnaryAtom> unary = asUnary(atom))
    return unary->relation == Relation::Equal ? GuardKind::SizeEqual : GuardKind::SizeRange;
  if (atom.kind == AtomKind::IsZero && Context::asModulo(atom.expr))
    return GuardKind::SizeDivisible;
  return GuardKind::SizeRelation;
}

GuardKind ptc::sym::classify(const ObservableSpace &space, const Atom &atom) {
  // The least usual observable names the guard: a relation of sizes and a number is about the
  // number, one of sizes and strides about strides.
  std::optional<ObservableKind> kind;
  for (SymbolId id : space.context().symbolsOf(atom.expr)) {
    ObservableKind found = space.observable(id).kind;
    if (!kind || found > *kind)
      kind = found;
  }
  if (!kind || *kind == ObservableKind::Size)
    return classifySizes(atom);
  for (const GuardKindInfo &info : kGuardKindInfos)
    if (info.observable == *kind)
      return info.kind;
  llvm_unreachable("every observable has a guard kind");
}

std::string ptc::sym::guardPath(const ObservableSpace &space, const Atom &atom) {
  for (SymbolId id : space.context().symbolsOf(atom.expr))
    if (!space.observable(id).path.empty())
      return space.observable(id).path;
  return "";
}

/// Types, lengths and keys stay as they come: a container's before those of its elements.
static GuardKind checkingOrder(const Guard &guard) { return std::max(guard.kind, GuardKind::Keys); }

/// Keeps the first of equal ones.
static void dropRepeated(llvm::SmallVectorImpl<GuardOrigin> &origins) {
  if (origins.size() < 2)
    return;
  auto key = [](const GuardOrigin &o) {
    return std::tie(o.loc.line, o.loc.column, o.loc.endLine, o.loc.endColumn, o.implicit,
                    o.loc.file, o.reason);
  };
  std::set<decltype(key(origins[0]))> seen;
  std::vector<bool> isRepeated;
  for (const GuardOrigin &origin : origins)
    isRepeated.push_back(!seen.insert(key(origin)).second);
  size_t kept = 0;
  for (size_t i = 0; i < origins.size(); ++i)
    if (!isRepeated[i] && kept++ != i)
      origins[kept - 1] = std::move(origins[i]);
  origins.truncate(kept);
}

GuardSet::GuardSet(llvm::ArrayRef<Guard> guards) {
  std::vector<Guard> found; // in the order in which they come
  llvm::DenseMap<std::pair<unsigned, Expr>, size_t> places;
  for (const Guard &guard : guards) {
    auto [place, isNew] =
        places.try_emplace({unsigned(guard.atom.kind), guard.atom.expr}, found.size());
    if (isNew) {
      found.push_back(guard);
      continue;
    }
    llvm::append_range(found[place->second].origins, guard.origins);
  }
  for (Guard &guard : found)
    dropRepeated(guard.origins);
  std::vector<std::pair<GuardKind, size_t>> order;
  for (auto [i, guard] : llvm::enumerate(found))
    order.emplace_back(checkingOrder(guard), i);
  llvm::sort(order);
  for (auto [kind, i] : order)
    list.push_back(std::move(found[i]));
}
