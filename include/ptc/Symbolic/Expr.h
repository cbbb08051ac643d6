//===- Expr.h - Size algebra: canonical integer polynomials ------*- C++ -*-===//
//
// An Expr is an integer polynomial over symbols and atoms (floordiv, min, max), kept in a normal
// form: two expressions that the algebra can show equal are the same pointer. Division and modulo
// have Python's floor semantics. `a mod b` is `a - b * (a floordiv b)`, so it needs no node of its
// own and `(a floordiv b) * b + a mod b` is `a`; the printer writes `a % b` where it recognises it.
//
// Rewrites hold over the mathematical integers wherever the original is defined (no division by
// zero). A coefficient that does not fit in 64 bits, a division by the constant 0 and an expression
// of thousands of terms give Expr(), the *unsupported* value, which is absorbing and about which
// nothing can be proven: never a wrong number, never an endless computation.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SYMBOLIC_EXPR_H
#define PTC_SYMBOLIC_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace ptc::sym {

class Context;
struct Node;

/// Index of a symbol in its Context, in order of creation.
using SymbolId = uint32_t;

/// Closed interval of integers; kMin and kMax stand for "unbounded on this side".
struct Interval {
  static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  int64_t lower = kMin;
  int64_t upper = kMax;

  bool hasLower() const { return lower != kMin; }
  bool hasUpper() const { return upper != kMax; }
  bool contains(int64_t v) const { return lower <= v && v <= upper; }
  bool isEmpty() const { return lower > upper; }
  bool operator==(const Interval &) const = default;
};

/// Input: read from an argument, has a hint. Declared: named by the user (`B in 1..64`), its bounds
/// are facts. Unbacked: known only at run time, never decided by a hint.
enum class SymbolKind : uint8_t { Input, Declared, Unbacked };

struct SymbolInfo {
  std::string name;                  ///< unique in its Context
  int64_t lower = 0;                 ///< Interval::kMin: unbounded
  std::optional<int64_t> upper = {}; ///< none: unbounded
  std::optional<int64_t> hint = {};  ///< the example's value
  SymbolKind kind = SymbolKind::Input;

  Interval bounds() const { return {lower, upper.value_or(Interval::kMax)}; }
};

enum class ExprKind : uint8_t { Unsupported, Constant, Symbol, Sum, FloorDiv, Min, Max };

struct Factor;
struct Term;

/// Handle of an expression: one word, equality is identity. Constants of 63 bits live in the word
/// itself, so that making, testing and copying them touches no memory.
class Expr {
public:
  /// The unsupported value.
  constexpr Expr() = default;

  bool isSupported() const { return bits != 0; }
  ExprKind kind() const;

  std::optional<int64_t> asConstant() const {
    if (bits & 1)
      return int64_t(bits) >> 1;
    return asWideConstant();
  }
  bool isConstant() const { return asConstant().has_value(); }
  /// Whether this is the constant `v`.
  bool is(int64_t v) const { return asConstant() == v; }
  bool isZero() const { return bits == 1; }
  bool isOne() const { return bits == 3; }

  /// Kind Symbol: which one.
  SymbolId symbol() const;
  /// The expression as a sum of products, constant term last; an atom is one term. Not for
  /// constants. Valid as long as the Context.
  llvm::ArrayRef<Term> terms() const;
  /// FloorDiv: {numerator, denominator}; Min, Max: the operands, two or more, sorted.
  llvm::ArrayRef<Expr> operands() const;

  bool operator==(const Expr &) const = default;
  friend llvm::hash_code hash_value(Expr e) { // NOLINT(readability-identifier-naming): LLVM's name
    return llvm::hash_value(e.bits);
  }
  uintptr_t opaque() const { return bits; }

private:
  friend class Context;
  friend struct llvm::DenseMapInfo<Expr>;
  explicit constexpr Expr(uintptr_t bits) : bits(bits) {}
  explicit Expr(const Node *node) : bits(reinterpret_cast<uintptr_t>(node)) {}
  std::optional<int64_t> asWideConstant() const;
  const Node *node() const {
    return reinterpret_cast<const Node *>(bits); // NOLINT(performance-no-int-to-ptr): tagged word
  }

  uintptr_t bits = 0; ///< 0: unsupported; low bit set: constant << 1 | 1; else Node *
};

/// `atom` (Symbol, FloorDiv, Min or Max) to a power of 1 or more.
struct Factor {
  Expr atom;
  uint32_t power = 1;
  bool operator==(const Factor &) const = default;
};

/// coefficient * product of factors; no factors: the constant term.
struct Term {
  int64_t coefficient = 0;
  llvm::ArrayRef<Factor> factors;
};

/// Owns symbols and interned nodes. Expressions of two contexts do not mix. Not thread safe.
/// What simplification uses are the bounds that a symbol was created with; they never change, so
/// an expression stays valid whatever is assumed or forgotten later (ShapeEnv keeps assumptions).
class Context {
public:
  Context();
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  Expr constant(int64_t v) {
    if (v >= -(int64_t(1) << 62) && v < (int64_t(1) << 62))
      return Expr((uintptr_t(v) << 1) | 1);
    return wideConstant(v);
  }
  /// A new symbol. Its name must not be taken.
  Expr symbol(SymbolInfo info);
  Expr symbol(SymbolId id) const;
  const SymbolInfo &symbolInfo(SymbolId id) const;
  const SymbolInfo &symbolInfo(Expr symbol) const { return symbolInfo(symbol.symbol()); }
  std::optional<SymbolId> findSymbol(llvm::StringRef name) const;
  uint32_t numSymbols() const;

  Expr add(Expr a, Expr b);
  Expr sub(Expr a, Expr b);
  Expr mul(Expr a, Expr b);
  Expr neg(Expr a);
  /// Python's `a // b`.
  Expr floordiv(Expr a, Expr b);
  /// Python's `a % b`: the sign of b.
  Expr mod(Expr a, Expr b);
  /// Rounds up: -(-a // b).
  Expr ceildiv(Expr a, Expr b);
  Expr min(Expr a, Expr b);
  Expr max(Expr a, Expr b);
  Expr sum(llvm::ArrayRef<Expr> operands);
  Expr product(llvm::ArrayRef<Expr> operands);

  /// Interval that holds every value of `e` for symbols within their bounds.
  Interval bounds(Expr e);
  /// The same when more is known of the symbols than their bounds; not remembered.
  using SymbolBounds = llvm::function_ref<Interval(SymbolId)>;
  Interval bounds(Expr e, SymbolBounds known);

  /// Proven answers, from the normal form, intervals and divisibility; none: not proven.
  std::optional<bool> isEqual(Expr a, Expr b);
  std::optional<bool> isLess(Expr a, Expr b);
  std::optional<bool> isLessEqual(Expr a, Expr b);
  /// Whether b divides a; b is not zero.
  std::optional<bool> isDivisible(Expr a, Expr b);

  using Assignment = llvm::function_ref<std::optional<int64_t>(SymbolId)>;
  /// Value of `e`; none if a symbol has no value, something divides by zero or overflows 64 bits.
  std::optional<int64_t> evaluate(Expr e, Assignment values) const;
  /// Value by the symbols' hints.
  std::optional<int64_t> evaluateHint(Expr e) const;

  using Replacement = llvm::function_ref<Expr(SymbolId)>;
  /// `e` with every symbol replaced; return the symbol itself to keep it. `e` may belong to another
  /// context when all its symbols are replaced by expressions of this one.
  Expr substitute(Expr e, Replacement replace);

  /// Symbols of `e`, each once, ascending.
  llvm::SmallVector<SymbolId, 4> symbolsOf(Expr e) const;
  bool usesSymbolKind(Expr e, SymbolKind kind) const;

  /// {a, b} if `e` is `a % b` written out, that is `a - b * (a // b)`.
  static std::optional<std::pair<Expr, Expr>> asModulo(Expr e);

  using SymbolPrinter = llvm::function_ref<void(llvm::raw_ostream &, SymbolId)>;
  /// As Python: `B*T + 3`, `(s0 + 1) // 2`, `s0 % 8`, `min(a, b)`; unsupported: `?`.
  void print(llvm::raw_ostream &os, Expr e) const;
  void print(llvm::raw_ostream &os, Expr e, SymbolPrinter printSymbol) const;
  std::string str(Expr e) const;

  using SymbolLookup = llvm::function_ref<std::optional<Expr>(llvm::StringRef name)>;
  /// Reads what print wrote, with + - * // % min max, parentheses and names ([A-Za-z_]\w*).
  /// None, and in *error a text, for anything else.
  std::optional<Expr> parse(llvm::StringRef text, SymbolLookup lookup,
                            std::string *error = nullptr);
  std::optional<Expr> parse(llvm::StringRef text, std::string *error = nullptr);

  struct Impl; ///< private to lib/Symbolic

private:
  Expr wideConstant(int64_t v);
  std::unique_ptr<Impl> impl;
};

} // namespace ptc::sym

template <> struct llvm::DenseMapInfo<ptc::sym::Expr> {
  static ptc::sym::Expr getEmptyKey() { return ptc::sym::Expr(uintptr_t(2)); }
  static ptc::sym::Expr getTombstoneKey() { return ptc::sym::Expr(uintptr_t(4)); }
  static unsigned getHashValue(ptc::sym::Expr e) {
    return DenseMapInfo<uintptr_t>::getHashValue(e.opaque());
  }
  static bool isEqual(ptc::sym::Expr a, ptc::sym::Expr b) { return a == b; }
};

#endif // PTC_SYMBOLIC_EXPR_H
