//===- ExprDivide.cpp - Floor division in normal form ------------------------------===//
//
// In: numerator and denominator. Out: quotient with everything that divides exactly pulled out:
//   floor((b*q + r) / b) = q + floor(r / b)                      for any b != 0
//   floor((floor(x / n) + r) / m) = floor((x + n*r) / (n*m))      for m > 0
//   floor(-r / m) = -floor((r + m - 1) / m)                       for m > 0
//   floor(g*r / (g*m)) = floor(r / m)
// so that (8*s) // 8 is s, -(-s // 8) is (s + 7) // 8, and (s % 8) % 4 is s % 4.
//
//===----------------------------------------------------------------------===//
#include "ExprNode.h"

#include <algorithm>
#include <cassert>
#include <numeric>

using namespace ptc;
using namespace ptc::sym;

int64_t ptc::sym::floorDiv(int64_t a, int64_t b) {
  assert(b != 0 && !(a == Interval::kMin && b == -1));
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/// Never by way of the quotient: quotient * b may lie just outside of 64 bits.
static int64_t floorMod(int64_t a, int64_t b) {
  assert(b != 0);
  if (b == -1)
    return 0; // INT64_MIN % -1 traps
  int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static uint64_t magnitude(int64_t v) { return v < 0 ? 0 - uint64_t(v) : uint64_t(v); }

Expr Context::floordiv(Expr a, Expr b) {
  if (!a.isSupported() || !b.isSupported() || b.isZero())
    return Expr();
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb) {
    if (*ca == Interval::kMin && *cb == -1)
      return Expr();
    return constant(floorDiv(*ca, *cb));
  }
  if (a.isZero() || b.isOne())
    return a;
  if (a == b)
    return constant(1);
  if (cb && *cb > 0)
    return impl->floordivConstant(a, *cb);
  if (cb)
    return *cb == Interval::kMin ? Expr() : floordiv(neg(a), constant(-*cb));
  return impl->floordivSymbolic(a, b);
}

Expr Context::mod(Expr a, Expr b) {
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb && *cb != 0)
    return constant(floorMod(*ca, *cb));
  return sub(a, mul(b, floordiv(a, b)));
}

Expr Context::ceildiv(Expr a, Expr b) { return neg(floordiv(neg(a), b)); }

//===----------------------------------------------------------------------===//
// By a constant
//===----------------------------------------------------------------------===//

/// Splits `poly` into m * quotient + remainder. Coefficients of the remainder keep their sign and
/// are smaller than m; its constant is in [0, m).
static void splitByConstant(const Poly &poly, int64_t m, Poly &quotient, Poly &remainder) {
  for (const PolyTerm &term : poly) {
    bool isConstant = term.factors.empty();
    if (int64_t q = isConstant ? floorDiv(term.coefficient, m) : term.coefficient / m)
      quotient.push_back({q, term.factors});
    if (int64_t r = isConstant ? floorMod(term.coefficient, m) : term.coefficient % m)
      remainder.push_back({r, term.factors});
  }
}

Expr Context::Impl::floordivConstant(Expr a, int64_t m) {
  assert(m > 0);
  if (m == 1)
    return a;
  Poly quotient, remainder;
  splitByConstant(toPoly(a), m, quotient, remainder);
  Expr whole = fromPoly(std::move(quotient));
  if (remainder.empty() || remainder.front().factors.empty())
    return whole; // a constant in [0, m) divides to 0
  if (remainder.front().coefficient > 0)
    return context.add(whole, floordivReduced(std::move(remainder), m));
  for (PolyTerm &term : remainder)
    term.coefficient = -term.coefficient;
  Expr flipped = context.add(fromPoly(std::move(remainder)), context.constant(m - 1));
  return context.sub(whole, floordivReduced(toPoly(flipped), m));
}

/// The only term of the form 1 * floor(x / n) with a constant n; none if there are several.
static const PolyTerm *findNestedDivision(const Poly &poly) {
  const PolyTerm *found = nullptr;
  for (const PolyTerm &term : poly) {
    if (term.factors.size() != 1 || term.factors.front().power != 1 || term.coefficient != 1)
      continue;
    Expr atom = term.factors.front().atom;
    if (atom.kind() != ExprKind::FloorDiv || !atom.operands()[1].isConstant())
      continue;
    if (found)
      return nullptr;
    found = &term;
  }
  return found;
}

/// floor(r / m) for an r as splitByConstant leaves it, with a positive first coefficient.
Expr Context::Impl::floordivReduced(Poly r, int64_t m) {
  uint64_t g = uint64_t(m);
  for (const PolyTerm &term : r)
    if (!term.factors.empty())
      g = std::gcd(g, magnitude(term.coefficient));
  if (g > 1) {
    for (PolyTerm &term : r)
      term.coefficient = floorDiv(term.coefficient, int64_t(g));
    return floordivConstant(fromPoly(std::move(r)), m / int64_t(g));
  }
  if (const PolyTerm *nested = findNestedDivision(r)) {
    Expr inner = nested->factors.front().atom;
    Expr rest = context.sub(fromPoly(r), inner);
    Expr n = inner.operands()[1];
    Expr flat = context.add(inner.operands()[0], context.mul(n, rest));
    Expr divisor = context.mul(n, context.constant(m));
    if (flat.isSupported() && divisor.isSupported())
      return context.floordiv(flat, divisor);
  }
  Expr numerator = fromPoly(std::move(r));
  if (!numerator.isSupported())
    return Expr();
  Interval range = context.bounds(numerator);
  if (range.hasLower() && range.hasUpper() && floorDiv(range.lower, m) == floorDiv(range.upper, m))
    return context.constant(floorDiv(range.lower, m));
  return atom(ExprKind::FloorDiv, {numerator, context.constant(m)});
}

//===----------------------------------------------------------------------===//
// By an expression
//===----------------------------------------------------------------------===//

/// Greatest common monomial and coefficient of all terms of a and b.
static PolyTerm commonContent(const Poly &a, const Poly &b) {
  uint64_t g = 0;
  llvm::SmallVector<Factor, 2> common = a.front().factors;
  for (const Poly *poly : {&a, &b}) {
    for (const PolyTerm &term : *poly) {
      g = std::gcd(g, magnitude(term.coefficient));
      for (Factor &factor : common) {
        const auto *found = llvm::find_if(
            term.factors, [&](const Factor &other) { return other.atom == factor.atom; });
        factor.power = found == term.factors.end() ? 0 : std::min(factor.power, found->power);
      }
      llvm::erase_if(common, [](const Factor &factor) { return factor.power == 0; });
    }
  }
  return {g > uint64_t(Interval::kMax) ? 1 : int64_t(g), std::move(common)};
}

static void divideContent(Poly &poly, const PolyTerm &content) {
  for (PolyTerm &term : poly) {
    term.coefficient /= content.coefficient;
    if (auto factors = divideMonomials(term.factors, content.factors))
      term.factors = std::move(*factors);
  }
}

/// Quotient of a by a single term: what does not divide goes to the remainder.
static void divideByTerm(const Poly &a, const PolyTerm &b, Poly &quotient, Poly &remainder) {
  for (const PolyTerm &term : a) {
    auto factors = divideMonomials(term.factors, b.factors);
    int64_t q = 0;
    if (factors && !(term.coefficient == Interval::kMin && b.coefficient == -1)) {
      q = term.coefficient / b.coefficient;
      if (q)
        quotient.push_back({q, std::move(*factors)});
    }
    if (int64_t r = term.coefficient - q * b.coefficient)
      remainder.push_back({r, term.factors});
  }
}

/// Long division; the quotient if it is exact, else the unsupported value.
static Expr divideExactly(Context &context, Context::Impl &impl, Expr a, Expr b) {
  PolyTerm lead = impl.toPoly(b).front();
  Expr quotient = context.constant(0);
  for (size_t step = 0; step < Context::Impl::kMaxTerms && !a.isZero(); ++step) {
    Poly rest = impl.toPoly(a);
    if (rest.empty())
      break;
    auto factors = divideMonomials(rest.front().factors, lead.factors);
    if (!factors || rest.front().coefficient % lead.coefficient != 0)
      return Expr();
    Poly term{{rest.front().coefficient / lead.coefficient, std::move(*factors)}};
    Expr partial = impl.fromPoly(std::move(term));
    quotient = context.add(quotient, partial);
    a = context.sub(a, context.mul(partial, b));
    if (!a.isSupported())
      return Expr();
  }
  return a.isZero() ? quotient : Expr();
}

Expr Context::Impl::floordivSymbolic(Expr a, Expr b) {
  if (toPoly(b).front().coefficient < 0) {
    a = context.neg(a);
    b = context.neg(b);
    if (!a.isSupported() || !b.isSupported())
      return Expr();
  }
  Poly numerator = toPoly(a), denominator = toPoly(b);
  PolyTerm content = commonContent(numerator, denominator);
  if (content.coefficient > 1 || !content.factors.empty()) {
    divideContent(numerator, content);
    divideContent(denominator, content);
    return context.floordiv(fromPoly(std::move(numerator)), fromPoly(std::move(denominator)));
  }
  if (denominator.size() == 1) {
    Poly quotient, remainder;
    divideByTerm(numerator, denominator.front(), quotient, remainder);
    if (!quotient.empty())
      return context.add(fromPoly(std::move(quotient)),
                         context.floordiv(fromPoly(std::move(remainder)), b));
  } else if (Expr quotient = divideExactly(context, *this, a, b); quotient.isSupported()) {
    return quotient;
  }
  bool positive = context.bounds(b).lower > 0;
  if (positive && a.kind() == ExprKind::FloorDiv) {
    Expr divisor = context.mul(a.operands()[1], b);
    if (divisor.isSupported())
      return context.floordiv(a.operands()[0], divisor);
  }
  if (positive && context.bounds(a).lower >= 0 && context.isLess(a, b) == true)
    return context.constant(0);
  return atom(ExprKind::FloorDiv, {a, b});
}
