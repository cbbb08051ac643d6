//===- Guard.h - Assumptions as formulas with provenance -----------*- C++ -*-===//
//
// A guard is an assumption that capture made: an atom (a relation between expressions over the
// observables of an entry) and where it comes from. A GuardSet is the conjunction that one variant
// needs. Everything here is exact on actual values: this is the reference for generated guards.
//
// A guard whose observables a call does not have (`x.shape[3]` of a matrix) does not hold.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SYMBOLIC_GUARD_H
#define PTC_SYMBOLIC_GUARD_H

#include "ptc/Support/Error.h"
#include "ptc/Symbolic/Observable.h"

namespace ptc::sym {

enum class GuardKind : uint8_t {
#define PTC_GUARD_KIND(Name, Keyword, Observable, Text, Hint) Name,
#include "ptc/Runtime/GuardKinds.def"
};

/// A row of the table of guard kinds.
struct GuardKindInfo {
  GuardKind kind;
  llvm::StringLiteral name;
  llvm::StringLiteral keyword;
  ObservableKind observable;
  llvm::StringLiteral text;
  llvm::StringLiteral hint;
};
const GuardKindInfo &getGuardKindInfo(GuardKind kind);
llvm::ArrayRef<GuardKindInfo> getAllGuardKindInfos();
std::optional<GuardKind> parseGuardKind(llvm::StringRef keyword);

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

enum class Relation : uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
/// `a r b` is `not (a negate(r) b)`.
Relation negate(Relation relation);
bool compare(int64_t a, Relation relation, int64_t b);
/// Python's spelling: "==".
llvm::StringRef getRelationName(Relation relation);

enum class AtomKind : uint8_t { IsZero, IsNonZero, IsNonPositive };

/// `expr == 0`, `expr != 0` or `expr <= 0`, in normal form: coefficients without common divisor,
/// the first one positive unless the kind is IsNonPositive (or a coefficient is INT64_MIN, which
/// has no negation). Equal atoms are equal values.
struct Atom {
  AtomKind kind = AtomKind::IsZero;
  Expr expr;
  bool operator==(const Atom &) const = default;
};

/// `a relation b`; none if their difference is unsupported.
std::optional<Atom> makeAtom(Context &context, Relation relation, Expr a, Expr b);
/// The atom that holds exactly where `atom` does not; none if it is unsupported.
std::optional<Atom> negate(Context &context, const Atom &atom);
/// Proven truth from the bounds of the symbols.
std::optional<bool> isTrue(Context &context, const Atom &atom);
/// Truth of the relation for a value of the expression.
bool holdsFor(AtomKind kind, int64_t value);
/// `symbol == value`, `symbol <= value`, `symbol >= value`, `symbol != value` and nothing else.
struct UnaryAtom {
  SymbolId symbol;
  Relation relation; ///< Equal, NotEqual, LessEqual or GreaterEqual
  int64_t value;
};
std::optional<UnaryAtom> asUnary(const Atom &atom);

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// What needed the assumption.
struct GuardOrigin {
  SourceLoc loc;
  std::string reason; ///< "branch took the false side", "sizes 0 and 1 are specialised"
  /// No line asked: it follows from what the example passes; `loc` uses it first.
  bool implicit = false;
  bool operator==(const GuardOrigin &) const = default;
};

struct Guard {
  GuardKind kind;
  Atom atom; ///< over symbols of the ObservableSpace
  llvm::SmallVector<GuardOrigin, 1> origins;
};

/// The kind of guard that an atom is, from its observables and its form.
GuardKind classify(const ObservableSpace &space, const Atom &atom);
/// As Python: `x.shape[0] % 8 == 0`, `x.dtype == torch.float32`, `x.shape[0] >= 2`.
std::string atomText(const ObservableSpace &space, const Atom &atom);
/// Path of the first argument that the atom is about.
std::string guardPath(const ObservableSpace &space, const Atom &atom);

/// Reads values of observables.
using ObservableReader = Context::Assignment;
/// None if an observable has no value or the expression overflows: the atom does not hold.
std::optional<bool> evaluate(const Context &context, const Atom &atom, ObservableReader values);

/// Conjunction. Guards are in the order in which they are checked: what makes other observables
/// exist first (which arguments there are, their types and parts, ranks), cheap before derived
/// ones.
class GuardSet {
public:
  GuardSet() = default;
  /// Of guards in any order; those of one atom become one, with the origins of all.
  explicit GuardSet(llvm::ArrayRef<Guard> guards);
  llvm::ArrayRef<Guard> guards() const & { return list; }
  llvm::ArrayRef<Guard> guards() const && = delete; ///< would dangle
  size_t size() const { return list.size(); }
  bool empty() const { return list.empty(); }

private:
  std::vector<Guard> list;
};

//===----------------------------------------------------------------------===//
// Checking a call
//===----------------------------------------------------------------------===//

/// Why a guard does not hold for a call, in words.
struct GuardFailure {
  size_t guard;         ///< index in its GuardSet
  std::string subject;  ///< `x.shape[0]`, or the formula
  std::string expected; ///< `8`
  std::string found;    ///< `7`
};

bool holds(const GuardSet &set, ObservableSpace &space, const Observation &call);
std::optional<GuardFailure> findFailure(const GuardSet &set, ObservableSpace &space,
                                        const Observation &call);
size_t countFailures(const GuardSet &set, ObservableSpace &space, const Observation &call);
/// Words for guard `index` of `set`, which fails for this call.
GuardFailure describeFailure(const GuardSet &set, size_t index, ObservableSpace &space,
                             const Observation &call);

/// A guard in words, whatever the call.
struct GuardText {
  std::string subject;    ///< `x.shape[0]`, or the argument that a formula is about
  std::string expected;   ///< `8`, `>= 2`, or the formula
  std::string assumption; ///< the text of its kind
  GuardKind kind;
  std::string path;

  /// What to do when `found` was found.
  std::string hint(llvm::StringRef found) const;
};
GuardText describeGuard(const ObservableSpace &space, const Guard &guard);

/// The diagnostic of a miss: expected, found, where and why it was assumed, what to do.
Diagnostic diagnoseMiss(const ObservableSpace &space, const Guard &guard,
                        const GuardFailure &failure);

/// One line for each guard and one for each origin, as `ptc explain --guards` prints them.
void printGuards(llvm::raw_ostream &os, const ObservableSpace &space, const GuardSet &set);

} // namespace ptc::sym

#endif // PTC_SYMBOLIC_GUARD_H
