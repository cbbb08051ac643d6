//===- ExprBounds.cpp - Intervals of expressions and proven comparisons -------------===//
//
// In: an expression. Out: an interval that holds all its values. Interval arithmetic alone forgets
// that two terms share an atom, so sums are also bounded by replacing one atom by what limits it:
//   (x - n + 1) / n <= floor(x / n) <= x / n,   b > 0: x - b + 1 <= b * floor(x / b) <= x,
//   min(x, y) <= x,   x <= max(x, y),
// which proves 0 <= s % 8 < 8 and min(a, b) <= a. Comparisons are bounds of the difference.
//
//===----------------------------------------------------------------------===//
#include "ExprNode.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

using namespace ptc;
using namespace ptc::sym;

/// How many atoms of one sum are replaced in turn.
static constexpr unsigned kMaxDepth = 6;

using Wide = __int128;

// A finite lower bound above the range is lowered, a finite upper bound below it is raised: both
// stay sound, and kMin/kMax keep meaning "unbounded".
static int64_t clampLower(Wide v) {
  if (v <= Interval::kMin)
    return Interval::kMin;
  return v >= Interval::kMax ? Interval::kMax - 1 : int64_t(v);
}
static int64_t clampUpper(Wide v) {
  if (v >= Interval::kMax)
    return Interval::kMax;
  return v <= Interval::kMin ? Interval::kMin + 1 : int64_t(v);
}
static bool isInfinite(int64_t end) { return end == Interval::kMin || end == Interval::kMax; }

/// Product of two ends; an infinite one counts as larger than any finite product.
static Wide multiplyEnds(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  if (isInfinite(a) || isInfinite(b))
    return (a < 0) == (b < 0) ? Wide(Interval::kMax) : Wide(Interval::kMin);
  return Wide(a) * b;
}

static Interval add(Interval a, Interval b) {
  return {a.hasLower() && b.hasLower() ? clampLower(Wide(a.lower) + b.lower) : Interval::kMin,
          a.hasUpper() && b.hasUpper() ? clampUpper(Wide(a.upper) + b.upper) : Interval::kMax};
}

static Interval multiply(Interval a, Interval b) {
  Wide ends[] = {multiplyEnds(a.lower, b.lower), multiplyEnds(a.lower, b.upper),
                 multiplyEnds(a.upper, b.lower), multiplyEnds(a.upper, b.upper)};
  return {clampLower(*std::min_element(std::begin(ends), std::end(ends))),
          clampUpper(*std::max_element(std::begin(ends), std::end(ends)))};
}

static Interval power(Interval base, uint32_t exponent) {
  Interval result = base;
  for (uint32_t i = 1; i < exponent; ++i)
    result = multiply(result, base);
  if (exponent % 2 == 0)
    result.lower = std::max<int64_t>(result.lower, 0);
  return result;
}

static Interval intersect(Interval a, Interval b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

/// floor of an interval by a positive one.
static Interval divide(Interval a, Interval b) {
  assert(b.lower > 0);
  // The quotient is monotone in a, and in b with the sign of a.
  auto quotient = [](int64_t x, int64_t y) -> int64_t {
    if (y == Interval::kMax)
      return x < 0 ? -1 : 0;
    return floorDiv(x, y);
  };
  Interval result;
  if (a.hasLower())
    result.lower = std::min(quotient(a.lower, b.lower), quotient(a.lower, b.upper));
  if (a.hasUpper())
    result.upper = std::max(quotient(a.upper, b.lower), quotient(a.upper, b.upper));
  return result;
}

Interval Context::Impl::atomBounds(const Node *node, unsigned depth) {
  switch (node->kind) {
  case ExprKind::Symbol:
    return knownBounds ? (*knownBounds)(SymbolId(node->value))
                       : symbols[size_t(node->value)].bounds();
  case ExprKind::FloorDiv: {
    Interval b = boundsOf(node->operands[1], depth);
    return b.lower > 0 ? divide(boundsOf(node->operands[0], depth), b) : Interval{};
  }
  case ExprKind::Min:
  case ExprKind::Max: {
    Interval result = boundsOf(node->operands.front(), depth);
    for (Expr operand : node->operands.drop_front()) {
      Interval other = boundsOf(operand, depth);
      if (node->kind == ExprKind::Min)
        result = {std::min(result.lower, other.lower), std::min(result.upper, other.upper)};
      else
        result = {std::max(result.lower, other.lower), std::max(result.upper, other.upper)};
    }
    return result;
  }
  case ExprKind::Sum:
  case ExprKind::Constant:
  case ExprKind::Unsupported:
    break;
  }
  llvm_unreachable("not an atom");
}

Interval Context::Impl::termBounds(const Term &term, unsigned depth) {
  Interval result{term.coefficient, term.coefficient};
  for (const Factor &factor : term.factors)
    result = multiply(result, power(boundsOf(factor.atom, depth), factor.power));
  return result;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// c * floor(x / n) with a constant n, or c * b * floor(x / b), as part of a sum: what to replace.
struct DivisionPart {
  Expr whole;
  int64_t coefficient;
  Expr numerator;
  Expr denominator;
  bool multiplied; ///< the part already holds the factor b
};

static Expr termToExpr(Context &context, const Term &term) {
  Expr product = context.constant(term.coefficient);
  for (const Factor &factor : term.factors)
    for (uint32_t i = 0; i < factor.power; ++i)
      product = context.mul(product, factor.atom);
  return product;
}

/// Does the sum hold c * product, all terms of it? Then c, else 0.
static int64_t timesHeld(Expr sum, Expr product) {
  int64_t times = 0;
  for (const Term &wanted : product.terms()) {
    const auto *held = llvm::find_if(sum.terms(), [&](const Term &term) {
      return llvm::ArrayRef<Factor>(term.factors) == llvm::ArrayRef<Factor>(wanted.factors);
    });
    if (held == sum.terms().end() || held->coefficient == Interval::kMin ||
        held->coefficient % wanted.coefficient != 0)
      return 0;
    const int64_t here = held->coefficient / wanted.coefficient;
    if (times && here != times)
      return 0;
    times = here;
  }
  return times;
}

static std::optional<DivisionPart> findDivision(Context &context, Expr e) {
  for (const Term &term : e.terms()) {
    for (const Factor &factor : term.factors) {
      if (factor.atom.kind() != ExprKind::FloorDiv || factor.power != 1)
        continue;
      Expr numerator = factor.atom.operands()[0], denominator = factor.atom.operands()[1];
      if (denominator.isConstant()) {
        if (term.factors.size() == 1)
          return DivisionPart{termToExpr(context, term), term.coefficient, numerator, denominator,
                              false};
        continue;
      }
      const Expr product = context.mul(denominator, factor.atom);
      if (!product.isSupported() || product.kind() != ExprKind::Sum ||
          context.bounds(denominator).lower <= 0)
        continue;
      if (int64_t times = timesHeld(e, product))
        return DivisionPart{context.mul(context.constant(times), product), times, numerator,
                            denominator, true};
    }
  }
  return std::nullopt;
}

bool Context::Impl::tightenByDivision(Expr e, Interval &bounds, unsigned depth) {
  std::optional<DivisionPart> division = findDivision(context, e);
  if (!division)
    return false;
  // e = rest + c * [b *] floor(x / b); scaled = b * e when the factor is missing.
  Expr rest = context.sub(e, division->whole);
  int64_t scale = division->multiplied ? 1 : division->denominator.asConstant().value_or(1);
  Expr coefficient = context.constant(division->coefficient);
  Expr most = division->numerator;
  Expr least = context.add(context.sub(most, division->denominator), context.constant(1));
  if (division->coefficient < 0)
    std::swap(least, most);
  Expr scaledRest = context.mul(context.constant(scale), rest);
  Interval low = boundsOf(context.add(scaledRest, context.mul(coefficient, least)), depth);
  Interval high = boundsOf(context.add(scaledRest, context.mul(coefficient, most)), depth);
  Interval tight;
  if (low.hasLower())
    tight.lower = clampLower(-Wide(floorDiv(-low.lower, scale))); // rounds up
  if (high.hasUpper())
    tight.upper = floorDiv(high.upper, scale);
  bounds = intersect(bounds, tight);
  return true;
}

bool Context::Impl::tightenByMinMax(Expr e, Interval &bounds, unsigned depth) {
  for (const Term &term : e.terms()) {
    if (term.factors.size() != 1 || term.factors.front().power != 1)
      continue;
    Expr atom = term.factors.front().atom;
    if (atom.kind() != ExprKind::Min && atom.kind() != ExprKind::Max)
      continue;
    // Each operand is a bound of the atom, on the side that kind and sign say.
    bool operandIsUpper = (atom.kind() == ExprKind::Min) == (term.coefficient > 0);
    Expr rest = context.sub(e, termToExpr(context, term));
    for (Expr operand : atom.operands()) {
      Expr replaced = context.mul(context.constant(term.coefficient), operand);
      Interval other = boundsOf(context.add(rest, replaced), depth);
      if (operandIsUpper)
        bounds.upper = std::min(bounds.upper, other.upper);
      else
        bounds.lower = std::max(bounds.lower, other.lower);
    }
    return true;
  }
  return false;
}

/// m * (p): the bounds of a product, when all terms share the monomial m (B*T - B is B * (T - 1)).
void Context::Impl::tightenByCommonFactor(Expr e, Interval &bounds, unsigned depth) {
  llvm::ArrayRef<Term> terms = e.terms();
  for (const Factor &factor : terms.front().factors) {
    Poly quotient;
    for (const Term &term : terms) {
      auto factors = divideMonomials(term.factors, {Factor{factor.atom, 1}});
      if (!factors)
        break;
      quotient.push_back({term.coefficient, std::move(*factors)});
    }
    if (quotient.size() != terms.size())
      continue;
    Interval p = boundsOf(fromPoly(std::move(quotient)), depth);
    bounds = intersect(bounds, multiply(boundsOf(factor.atom, depth), p));
    return;
  }
}

Interval Context::Impl::sumBounds(Expr e, unsigned depth) {
  Interval result{0, 0};
  for (const Term &term : e.terms())
    result = ::add(result, termBounds(term, depth));
  if (depth == 0 || e.terms().size() < 2)
    return result;
  if (!tightenByDivision(e, result, depth - 1) && !tightenByMinMax(e, result, depth - 1))
    tightenByCommonFactor(e, result, depth - 1);
  return result;
}

/// Answers of full depth are remembered; others depend on who asked. Atoms are always asked for in
/// full: they occur in many places, and there are only so many of them.
Interval Context::Impl::boundsOf(Expr e, unsigned depth) {
  if (!e.isSupported())
    return {};
  if (std::optional<int64_t> c = e.asConstant())
    return {clampLower(*c), clampUpper(*c)};
  Node *n = const_cast<Node *>(node(e));
  if (knownBounds) {
    if (auto found = knownMemo.find(e); found != knownMemo.end())
      return found->second;
  } else if (n->boundsKnown) {
    return n->bounds;
  }
  bool isSum = n->kind == ExprKind::Sum;
  Interval result = isSum ? sumBounds(e, depth) : atomBounds(n, kMaxDepth);
  if (isSum && depth != kMaxDepth)
    return result;
  if (knownBounds) {
    knownMemo.try_emplace(e, result);
  } else {
    n->bounds = result;
    n->boundsKnown = true;
  }
  return result;
}

Interval Context::bounds(Expr e) {
  // Building an expression asks for its bounds: what becomes of it must not depend on what is
  // assumed at the moment.
  const SymbolBounds *outer = std::exchange(impl->knownBounds, nullptr);
  Interval result = impl->boundsOf(e, kMaxDepth);
  impl->knownBounds = outer;
  return result;
}

Interval Context::bounds(Expr e, SymbolBounds known) {
  assert(!impl->knownBounds && "queries do not nest");
  impl->knownBounds = &known;
  Interval result = impl->boundsOf(e, kMaxDepth);
  impl->knownBounds = nullptr;
  impl->knownMemo.clear();
  return result;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Whether sum of terms == 0 has no solution because their common divisor does not divide the
/// constant.
static bool isNeverZeroByDivisor(Expr sum) {
  if (sum.kind() != ExprKind::Sum || !sum.terms().back().factors.empty())
    return false;
  uint64_t g = 0;
  for (const Term &term : sum.terms().drop_back())
    g = std::gcd(g, term.coefficient < 0 ? 0 - uint64_t(term.coefficient)
                                         : uint64_t(term.coefficient));
  int64_t c = sum.terms().back().coefficient;
  return (c < 0 ? 0 - uint64_t(c) : uint64_t(c)) % g != 0;
}

std::optional<bool> Context::isEqual(Expr a, Expr b) {
  if (!a.isSupported() || !b.isSupported())
    return std::nullopt;
  if (a == b)
    return true;
  if (a.isConstant() && b.isConstant())
    return false;
  Expr difference = sub(a, b);
  Interval range = bounds(difference);
  if (!range.contains(0) || (difference.isSupported() && isNeverZeroByDivisor(difference)))
    return false;
  if (range.lower == 0 && range.upper == 0)
    return true;
  return std::nullopt;
}

std::optional<bool> Context::isLess(Expr a, Expr b) {
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb)
    return *ca < *cb;
  Interval range = bounds(sub(a, b));
  if (range.upper < 0)
    return true;
  if (range.lower >= 0)
    return false;
  return std::nullopt;
}

std::optional<bool> Context::isLessEqual(Expr a, Expr b) {
  std::optional<bool> greater = isLess(b, a);
  return greater ? std::optional<bool>(!*greater) : std::nullopt;
}

std::optional<bool> Context::isDivisible(Expr a, Expr b) {
  if (!b.isSupported() || b.isZero())
    return std::nullopt;
  return isEqual(mod(a, b), constant(0));
}
