//===- ExprNode.h - Nodes and working polynomials of the size algebra -*- C++ -*-===//
//
// Private to lib/Symbolic. Node is what an Expr points to; Poly is the form in which sums are
// computed before they are interned.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_SYMBOLIC_EXPRNODE_H
#define PTC_LIB_SYMBOLIC_EXPRNODE_H

#include "ptc/Symbolic/Expr.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"

#include <vector>

namespace ptc::sym {

struct Node : llvm::FoldingSetNode {
  ExprKind kind;
  bool boundsKnown = false; ///< memo of `bounds`, filled by the first query
  uint32_t id;              ///< order of creation: the order of atoms in monomials
  uint32_t nesting = 0;     ///< how deep atoms stand in atoms: symbols 0
  uint32_t textSize = 1;    ///< about how many names and operators the text has
  int64_t value = 0;        ///< Constant: its value; Symbol: its SymbolId
  Interval bounds;
  llvm::ArrayRef<Expr> operands;
  llvm::ArrayRef<Term> terms;
  Factor self; ///< atoms: what terms points to
  Term selfTerm;

  void Profile(llvm::FoldingSetNodeID &key) const { // NOLINT(readability-identifier-naming): LLVM's
    profile(key, kind, value, operands, terms);
  }
  static void profile(llvm::FoldingSetNodeID &key, ExprKind kind, int64_t value,
                      llvm::ArrayRef<Expr> operands, llvm::ArrayRef<Term> terms);
};

/// A term whose factors are being computed.
struct PolyTerm {
  int64_t coefficient;
  llvm::SmallVector<Factor, 2> factors;
};
/// Sorted by compareMonomials, no two equal, no zero coefficient, after normalise().
using Poly = llvm::SmallVector<PolyTerm, 4>;

/// Graded lexicographic order (greater monomials first): admissible for polynomial division.
/// Negative: a stands before b; 0: equal.
int compareMonomials(llvm::ArrayRef<Factor> a, llvm::ArrayRef<Factor> b);
/// a / b, none if b does not divide a.
std::optional<llvm::SmallVector<Factor, 2>> divideMonomials(llvm::ArrayRef<Factor> a,
                                                            llvm::ArrayRef<Factor> b);
int64_t floorDiv(int64_t a, int64_t b);

struct Context::Impl {
  explicit Impl(Context &context) : context(context) {}

  Context &context;
  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<Node> nodes;
  std::vector<SymbolInfo> symbols;
  std::vector<Expr> symbolExprs;
  llvm::StringMap<SymbolId> symbolsByName;
  uint32_t nextId = 0;
  /// Set while bounds are computed from more than the symbols' own; then nothing is remembered.
  const Context::SymbolBounds *knownBounds = nullptr;
  llvm::DenseMap<Expr, Interval> knownMemo; ///< of the current query with knownBounds

  /// More terms than this: unsupported. Sizes of real programs have fewer than ten.
  static constexpr size_t kMaxTerms = 128;
  static constexpr uint32_t kMaxPower = 32;
  /// Deeper nesting: unsupported. It bounds the recursion of everything that walks expressions.
  static constexpr uint32_t kMaxNesting = 64;
  /// Larger texts: unsupported. Shared atoms count as often as they occur.
  static constexpr uint32_t kMaxTextSize = 4096;

  static const Node *node(Expr e) { return e.node(); }
  Expr intern(ExprKind kind, int64_t value, llvm::ArrayRef<Expr> operands,
              llvm::ArrayRef<Term> terms);
  Expr atom(ExprKind kind, llvm::ArrayRef<Expr> operands);
  static bool fits(Expr e);

  // Polynomials (ExprArith.cpp). `false` or unsupported: something did not fit.
  Poly toPoly(Expr e);
  Expr fromPoly(Poly poly);
  Expr addPoly(const Poly &a, const Poly &b);
  Expr mulPoly(const Poly &a, const Poly &b);

  // Division (ExprDivide.cpp).
  Expr floordivConstant(Expr a, int64_t m);
  Expr floordivReduced(Poly r, int64_t m);
  Expr floordivSymbolic(Expr a, Expr b);

  // Bounds (ExprBounds.cpp).
  Interval boundsOf(Expr e, unsigned depth);
  Interval atomBounds(const Node *node, unsigned depth);
  Interval sumBounds(Expr e, unsigned depth);
  Interval termBounds(const Term &term, unsigned depth);
  bool tightenByDivision(Expr e, Interval &bounds, unsigned depth);
  bool tightenByMinMax(Expr e, Interval &bounds, unsigned depth);
  void tightenByCommonFactor(Expr e, Interval &bounds, unsigned depth);
};

} // namespace ptc::sym

#endif // PTC_LIB_SYMBOLIC_EXPRNODE_H
