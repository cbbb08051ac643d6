//===- LinearSystem.h - Atoms as linear constraints ---------------------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_GUARD_TRANSFORMS_LINEARSYSTEM_H
#define PTC_LIB_DIALECT_GUARD_TRANSFORMS_LINEARSYSTEM_H

#include "ptc/Dialect/Guard/Transforms/Solver.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::presburger {
class IntegerPolyhedron;
}

namespace ptc::guard {

/// A relaxation of a conjunction of atoms (disequalities are left out): one variable for each
/// symbol, each division by a constant (exact, by its two inequalities) and each other monomial
/// (opaque, with its bounds). Every solution of the atoms is one of the system.
class LinearSystem {
public:
  explicit LinearSystem(sym::Context &context) : context(context) {}

  void add(const sym::Atom &atom);
  /// Values of the symbols at an integer solution; none: there is no solution.
  std::optional<Point> findSolution() const;

private:
  struct Row {
    bool isEquality;
    llvm::SmallVector<std::pair<unsigned, int64_t>, 4> coefficients;
    int64_t constant = 0;
  };

  unsigned variable(sym::Expr product);
  void describe(unsigned variable, sym::Expr product);
  /// `e >= 0`, or `e == 0`.
  void constrain(sym::Expr e, bool isEquality);

  sym::Context &context;
  llvm::DenseMap<sym::Expr, unsigned> variables;
  std::vector<sym::Expr> products; ///< by variable
  std::vector<Row> rows;
};

} // namespace ptc::guard

#endif // PTC_LIB_DIALECT_GUARD_TRANSFORMS_LINEARSYSTEM_H
