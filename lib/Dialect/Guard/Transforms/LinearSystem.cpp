//===- LinearSystem.cpp - Atoms as linear constraints -----------------------------------===//
//
// In: atoms. Out: an integer polyhedron over symbols and opaque monomials, and an integer point of
// it. A constraint whose coefficients do not fit is left out: the system stays a relaxation.
//
//===----------------------------------------------------------------------===//
#include "LinearSystem.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::guard;
using namespace ptc::sym;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

static Expr productOf(Context &context, llvm::ArrayRef<Factor> factors) {
  Expr product = context.constant(1);
  for (const Factor &factor : factors)
    for (uint32_t i = 0; i < factor.power; ++i)
      product = context.mul(product, factor.atom);
  return product;
}

unsigned LinearSystem::variable(Expr product) {
  auto [place, fresh] = variables.try_emplace(product, unsigned(products.size()));
  unsigned index = place->second;
  if (fresh) {
    products.push_back(product);
    describe(index, product);
  }
  return index;
}

/// What is known of a new variable.
void LinearSystem::describe(unsigned variable, Expr product) {
  // Solutions give all symbols a value, those that only stand in opaque terms too.
  if (product.kind() != ExprKind::Symbol)
    for (SymbolId id : context.symbolsOf(product))
      this->variable(context.symbol(id));
  Interval bounds = context.bounds(product);
  if (bounds.hasLower())
    rows.push_back({false, {{variable, 1}}, -bounds.lower});
  if (bounds.hasUpper())
    rows.push_back({false, {{variable, -1}}, bounds.upper});
  if (product.kind() == ExprKind::FloorDiv && product.operands()[1].isConstant()) {
    // n*q <= x <= n*q + n - 1
    Expr x = product.operands()[0], n = product.operands()[1];
    Expr rest = context.sub(x, context.mul(n, product));
    constrain(rest, /*isEquality=*/false);
    constrain(context.sub(context.sub(n, context.constant(1)), rest), /*isEquality=*/false);
  }
  if (product.kind() == ExprKind::Min)
    for (Expr operand : product.operands())
      constrain(context.sub(operand, product), /*isEquality=*/false);
  if (product.kind() == ExprKind::Max)
    for (Expr operand : product.operands())
      constrain(context.sub(product, operand), /*isEquality=*/false);
}

void LinearSystem::constrain(Expr e, bool isEquality) {
  if (!e.isSupported())
    return;
  Row row{isEquality, {}, 0};
  if (std::optional<int64_t> c = e.asConstant()) {
    row.constant = *c;
  } else {
    for (const Term &term : e.terms()) {
      if (term.factors.empty()) {
        row.constant = term.coefficient;
        continue;
      }
      Expr product = productOf(context, term.factors);
      if (!product.isSupported())
        return;
      row.coefficients.push_back({variable(product), term.coefficient});
    }
  }
  rows.push_back(std::move(row));
}

void LinearSystem::add(const Atom &atom) {
  switch (atom.kind) {
  case AtomKind::IsZero:
    return constrain(atom.expr, /*isEquality=*/true);
  case AtomKind::IsNonPositive:
    return constrain(context.neg(atom.expr), /*isEquality=*/false);
  case AtomKind::IsNonZero: // not convex; the solver splits where it matters
    for (SymbolId id : context.symbolsOf(atom.expr))
      variable(context.symbol(id));
    return;
  }
  llvm_unreachable("closed enum");
}

std::optional<Point> LinearSystem::findSolution() const {
  IntegerPolyhedron polyhedron(PresburgerSpace::getSetSpace(unsigned(products.size())));
  for (const Row &row : rows) {
    llvm::SmallVector<int64_t> dense(products.size() + 1);
    for (auto [variable, coefficient] : row.coefficients)
      dense[variable] += coefficient;
    dense.back() = row.constant;
    if (row.isEquality)
      polyhedron.addEquality(dense);
    else
      polyhedron.addInequality(dense);
  }
  if (polyhedron.isEmpty())
    return std::nullopt;
  auto sample = polyhedron.findIntegerSample();
  if (!sample)
    return std::nullopt;
  Point point;
  for (auto [i, product] : llvm::enumerate(products))
    if (product.kind() == ExprKind::Symbol)
      point[product.symbol()] = int64_t((*sample)[i]);
  return point;
}
