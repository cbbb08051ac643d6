//===- ExprArith.cpp - Sums, products, min and max in normal form ----------------===//
//
// In: expressions in normal form. Out: their sum, product, min or max in normal form, or the
// unsupported value if a coefficient leaves 64 bits or a polynomial grows beyond its limit.
//
//===----------------------------------------------------------------------===//
#include "ExprNode.h"

#include <algorithm>
#include <cassert>

using namespace ptc;
using namespace ptc::sym;

static uint32_t degree(llvm::ArrayRef<Factor> factors) {
  uint32_t sum = 0;
  for (const Factor &factor : factors)
    sum += factor.power;
  return sum;
}

static uint32_t atomId(Expr atom) { return Context::Impl::node(atom)->id; }

int ptc::sym::compareMonomials(llvm::ArrayRef<Factor> a, llvm::ArrayRef<Factor> b) {
  uint32_t degreeA = degree(a), degreeB = degree(b);
  if (degreeA != degreeB)
    return degreeA > degreeB ? -1 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    uint32_t idA = atomId(a[i].atom), idB = atomId(b[i].atom);
    if (idA != idB)
      return idA < idB ? -1 : 1;
    if (a[i].power != b[i].power)
      return a[i].power > b[i].power ? -1 : 1;
  }
  return 0;
}

std::optional<llvm::SmallVector<Factor, 2>> ptc::sym::divideMonomials(llvm::ArrayRef<Factor> a,
                                                                      llvm::ArrayRef<Factor> b) {
  llvm::SmallVector<Factor, 2> quotient;
  for (const Factor &factor : a) {
    if (b.empty() || b.front().atom != factor.atom) {
      quotient.push_back(factor);
      continue;
    }
    if (b.front().power > factor.power)
      return std::nullopt;
    if (uint32_t power = factor.power - b.front().power)
      quotient.push_back({factor.atom, power});
    b = b.drop_front();
  }
  if (!b.empty())
    return std::nullopt;
  return quotient;
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

Poly Context::Impl::toPoly(Expr e) {
  Poly poly;
  if (std::optional<int64_t> c = e.asConstant()) {
    if (*c)
      poly.push_back({*c, {}});
    return poly;
  }
  for (const Term &term : e.terms())
    poly.push_back({term.coefficient, llvm::SmallVector<Factor, 2>(term.factors)});
  return poly;
}

/// Sorts, merges equal monomials, drops zeros. False on overflow.
static bool normalise(Poly &poly) {
  llvm::sort(poly, [](const PolyTerm &a, const PolyTerm &b) {
    return compareMonomials(a.factors, b.factors) < 0;
  });
  size_t kept = 0;
  for (size_t i = 0; i < poly.size();) {
    size_t first = i;
    int64_t sum = poly[i++].coefficient;
    for (; i < poly.size() && poly[i].factors == poly[first].factors; ++i)
      if (__builtin_add_overflow(sum, poly[i].coefficient, &sum))
        return false;
    if (sum == 0)
      continue;
    if (kept != first)
      poly[kept].factors = std::move(poly[first].factors);
    poly[kept++].coefficient = sum;
  }
  poly.truncate(kept);
  return true;
}

Expr Context::Impl::fromPoly(Poly poly) {
  if (!normalise(poly) || poly.size() > kMaxTerms)
    return Expr();
  if (poly.empty())
    return context.constant(0);
  if (poly.size() == 1) {
    const PolyTerm &term = poly.front();
    if (term.factors.empty())
      return context.constant(term.coefficient);
    if (term.coefficient == 1 && term.factors.size() == 1 && term.factors.front().power == 1)
      return term.factors.front().atom;
  }
  llvm::SmallVector<Term, 4> terms;
  for (const PolyTerm &term : poly)
    terms.push_back({term.coefficient, term.factors});
  Expr sum = intern(ExprKind::Sum, 0, {}, terms);
  return fits(sum) ? sum : Expr();
}

Expr Context::Impl::addPoly(const Poly &a, const Poly &b) {
  Poly sum = a;
  sum.append(b.begin(), b.end());
  return fromPoly(std::move(sum));
}

/// Product of two monomials, sorted by atom. False if a power exceeds its limit.
static bool multiplyMonomials(llvm::ArrayRef<Factor> a, llvm::ArrayRef<Factor> b,
                              llvm::SmallVectorImpl<Factor> &product) {
  while (!a.empty() || !b.empty()) {
    if (!a.empty() && !b.empty() && a.front().atom == b.front().atom) {
      product.push_back({a.front().atom, a.front().power + b.front().power});
      a = a.drop_front();
      b = b.drop_front();
    } else if (b.empty() || (!a.empty() && atomId(a.front().atom) < atomId(b.front().atom))) {
      product.push_back(a.front());
      a = a.drop_front();
    } else {
      product.push_back(b.front());
      b = b.drop_front();
    }
    if (product.back().power > Context::Impl::kMaxPower)
      return false;
  }
  return true;
}

Expr Context::Impl::mulPoly(const Poly &a, const Poly &b) {
  if (a.size() * b.size() > kMaxTerms)
    return Expr();
  Poly product;
  for (const PolyTerm &x : a) {
    for (const PolyTerm &y : b) {
      PolyTerm &term = product.emplace_back();
      if (__builtin_mul_overflow(x.coefficient, y.coefficient, &term.coefficient) ||
          !multiplyMonomials(x.factors, y.factors, term.factors))
        return Expr();
    }
  }
  return fromPoly(std::move(product));
}

//===----------------------------------------------------------------------===//
// The ring operations
//===----------------------------------------------------------------------===//

Expr Context::add(Expr a, Expr b) {
  if (!a.isSupported() || !b.isSupported())
    return Expr();
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb) {
    int64_t sum;
    return __builtin_add_overflow(*ca, *cb, &sum) ? Expr() : constant(sum);
  }
  if (a.isZero())
    return b;
  if (b.isZero())
    return a;
  return impl->addPoly(impl->toPoly(a), impl->toPoly(b));
}

Expr Context::neg(Expr a) { return mul(constant(-1), a); }

Expr Context::sub(Expr a, Expr b) {
  if (a == b && a.isSupported())
    return constant(0);
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb) {
    int64_t difference;
    return __builtin_sub_overflow(*ca, *cb, &difference) ? Expr() : constant(difference);
  }
  return add(a, neg(b));
}

Expr Context::mul(Expr a, Expr b) {
  if (!a.isSupported() || !b.isSupported())
    return Expr();
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb) {
    int64_t product;
    return __builtin_mul_overflow(*ca, *cb, &product) ? Expr() : constant(product);
  }
  if (a.isZero() || b.isOne())
    return a;
  if (b.isZero() || a.isOne())
    return b;
  return impl->mulPoly(impl->toPoly(a), impl->toPoly(b));
}

Expr Context::sum(llvm::ArrayRef<Expr> operands) {
  Expr total = constant(0);
  for (Expr operand : operands)
    total = add(total, operand);
  return total;
}

Expr Context::product(llvm::ArrayRef<Expr> operands) {
  Expr total = constant(1);
  for (Expr operand : operands)
    total = mul(total, operand);
  return total;
}

//===----------------------------------------------------------------------===//
// Min and max
//===----------------------------------------------------------------------===//

/// Flattens nested operators of the same kind.
static void flatten(ExprKind kind, Expr e, llvm::SmallVectorImpl<Expr> &operands) {
  if (e.kind() == kind)
    operands.append(e.operands().begin(), e.operands().end());
  else
    operands.push_back(e);
}

/// min or max of a and b: operands that another one is proven to beat are dropped.
static Expr extremum(Context &context, ExprKind kind, Expr a, Expr b,
                     llvm::function_ref<Expr(llvm::ArrayRef<Expr>)> makeAtom) {
  if (!a.isSupported() || !b.isSupported())
    return Expr();
  llvm::SmallVector<Expr, 4> all, kept;
  flatten(kind, a, all);
  flatten(kind, b, all);
  auto beats = [&](Expr x, Expr y) {
    return (kind == ExprKind::Min ? context.isLessEqual(x, y) : context.isLessEqual(y, x)) == true;
  };
  for (Expr candidate : all) {
    if (llvm::any_of(kept, [&](Expr other) { return beats(other, candidate); }))
      continue;
    llvm::erase_if(kept, [&](Expr other) { return beats(candidate, other); });
    kept.push_back(candidate);
  }
  if (kept.size() == 1)
    return kept.front();
  // Constants last; the rest in order of creation.
  llvm::sort(kept, [](Expr x, Expr y) {
    if (x.isConstant() || y.isConstant())
      return !x.isConstant();
    return atomId(x) < atomId(y);
  });
  return makeAtom(kept);
}

Expr Context::min(Expr a, Expr b) {
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb)
    return constant(std::min(*ca, *cb));
  return extremum(*this, ExprKind::Min, a, b, [&](llvm::ArrayRef<Expr> operands) {
    return impl->atom(ExprKind::Min, operands);
  });
}

Expr Context::max(Expr a, Expr b) {
  std::optional<int64_t> ca = a.asConstant(), cb = b.asConstant();
  if (ca && cb)
    return constant(std::max(*ca, *cb));
  return extremum(*this, ExprKind::Max, a, b, [&](llvm::ArrayRef<Expr> operands) {
    return impl->atom(ExprKind::Max, operands);
  });
}
