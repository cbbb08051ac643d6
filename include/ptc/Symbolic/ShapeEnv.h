//===- ShapeEnv.h - Sizes and assumptions of one capture -------------*- C++ -*-===//
//
// One ShapeEnv accompanies the capture of one variant from one example. It makes the symbols of
// the inputs' sizes, answers questions about expressions, and writes down every assumption that an
// answer needed as a guard with its origin:
//
//   decide(a < b):  proven            -> the answer, no guard
//                   only input sizes  -> the example's answer, and a guard
//                   a run-time size   -> none: the caller forks
//
// Assumptions are on a trail: rollback(mark) forgets those made since. Symbols are not forgotten.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SYMBOLIC_SHAPEENV_H
#define PTC_SYMBOLIC_SHAPEENV_H

#include "ptc/Symbolic/DynamicDims.h"
#include "ptc/Symbolic/Guard.h"

#include "llvm/ADT/DenseMap.h"

namespace ptc::sym {

class ShapeEnv {
public:
  struct Options {
    /// A declared size that the program narrows becomes a guard instead of a diagnostic.
    bool allowNarrowing = false;
    /// Declared sizes are symbols also where the example has a value with a variant of its own.
    bool ignoreOwn = false;
    /// Shared by the variants of one entry, whose state has sizes, too; null: a new one.
    std::shared_ptr<Context> context;
  };

  /// `space` and `example` outlive the ShapeEnv.
  ShapeEnv(ObservableSpace &space, const DynamicDims &dims, const Observation &example,
           Options options);
  ShapeEnv(ObservableSpace &space, const DynamicDims &dims, const Observation &example)
      : ShapeEnv(space, dims, example, Options()) {}
  ShapeEnv(const ShapeEnv &) = delete;

  Context &context() { return symbols; }
  /// The same, for results that outlive the ShapeEnv.
  std::shared_ptr<Context> sharedContext() { return owner; }
  ObservableSpace &space() { return observables; }
  const Observation &example() const { return observed; }

  /// Makes the symbols of declared sizes, and guards what is said of them; once. Where it is not
  /// called before the inputs, it cannot fail. Errors: InputSpecMalformed, if a name is that of no
  /// size and follows from none.
  llvm::Error declareSizes();
  /// What was declared cannot hold for this example.
  bool contradictsDeclared() const { return contradicts; }
  /// What declared names of this example stand for, over observables.
  std::map<std::string, Expr, std::less<>> declaredValues();

  // Inputs. The paths must be in the example, with a value of that kind.

  /// Guards type, dtype, rank, device, requires_grad of the tensor at `path`; its sizes. Sizes that
  /// are not symbols are guarded to be the example's. Later calls return the same.
  llvm::ArrayRef<Expr> addTensor(llvm::StringRef path, const GuardOrigin &origin);
  /// Its strides, in elements; this is what guards their order and density, or (for a tensor that
  /// is not dense) their values.
  llvm::SmallVector<Expr, 4> strides(llvm::StringRef path, const GuardOrigin &origin);
  /// Strides that the memory says nothing of (dimensions of one element; all, where there is none)
  /// are not guarded above, and may differ from what is said there. This guards them as the example
  /// has them; true: they are what strides() says.
  bool specializeIdleStrides(llvm::StringRef path, const GuardOrigin &origin);
  /// The same of all arguments.
  bool specializeIdleStrides(const GuardOrigin &origin);
  /// The example's stride of a dimension that specializeIdleStrides() guards; none: it does not.
  std::optional<int64_t> findIdleStride(llvm::StringRef path, unsigned dim) const;
  /// Guards type(path) is int; its value, a symbol without bounds if it was not declared.
  Expr addInt(llvm::StringRef path, const GuardOrigin &origin);

  /// The example's value of an observable, which becomes a guard: for types, flags, strings,
  /// lengths, keys, modes. None if the example does not have it.
  std::optional<int64_t> specialize(const Observable &observable, const GuardOrigin &origin);
  /// Guards that the argument at `path` is what it is in the example: its type; the value of a
  /// flag, number, string, dtype or device; length of a container, keys of a dict; class and
  /// attribute names of an object. Not what a container or an object holds (those are paths of
  /// their own), and of a tensor only the type.
  void specializeValue(llvm::StringRef path, const GuardOrigin &origin);
  /// Truth of `path relation constant` for the float at `path`; guards this condition.
  bool decideFloat(llvm::StringRef path, Relation relation, double constant,
                   const GuardOrigin &origin);
  /// The tensors at the two paths share memory or do not, as in the example: a guard. Tensors that
  /// share it must be the same elements: one origin in the storage, equal strides.
  void specializeOverlap(llvm::StringRef a, llvm::StringRef b, const GuardOrigin &origin);

  /// The tensors at the two paths are different objects in the example: a guard.
  void specializeDistinct(llvm::StringRef a, llvm::StringRef b, const GuardOrigin &origin);

  // What the caller's values say about inputs; ids are the caller's.

  /// Value `id` is the float at `path`.
  void nameFloat(uint32_t id, llvm::StringRef path) { floats[id] = path.str(); }
  /// Path of the float that value `id` is; null: it is another value.
  const std::string *findFloat(uint32_t id) const {
    auto found = floats.find(id);
    return found == floats.end() ? nullptr : &found->second;
  }
  /// Storage `id` holds the tensor at `path`.
  void nameTensor(uint32_t id, llvm::StringRef path) { tensorPaths[id] = path.str(); }
  /// Path of the tensor that storage `id` holds; null: it is no argument.
  const std::string *findTensor(uint32_t id) const {
    auto found = tensorPaths.find(id);
    return found == tensorPaths.end() ? nullptr : &found->second;
  }
  /// The program sees that storage `id` is none of those that hold other arguments: a guard for
  /// each of them. Nothing if it holds no argument.
  void specializeDistinct(uint32_t id, const GuardOrigin &origin);
  /// The same for two storages.
  void specializeDistinct(uint32_t a, uint32_t b, const GuardOrigin &origin);
  /// The program marks a size. This capture goes on without it: rollback does not forget marks.
  void markSize(DimMark mark);
  llvm::ArrayRef<DimMark> marks() const { return marked; }
  /// Inputs are values from this id on: their sizes are not known before.
  uint32_t firstInput = 0;

  // Run-time sizes.

  /// A new run-time size with bounds; `prefix` and a number name it.
  Expr createUnbacked(int64_t lower = 0, std::optional<int64_t> upper = {},
                      llvm::StringRef prefix = "u");
  /// A fact that needs no guard because the program checks it (torch._check, a branch on it).
  void assume(Relation relation, Expr a, Expr b);

  // Questions.

  /// Proven truth, from bounds and everything assumed so far; adds no guard.
  std::optional<bool> prove(Relation relation, Expr a, Expr b);
  /// See above. Unsupported expressions are never decided.
  std::optional<bool> decide(Relation relation, Expr a, Expr b, const GuardOrigin &origin);
  /// The constant that `e` is: proven, or the example's value with a guard; none for run-time
  /// sizes.
  std::optional<int64_t> specialize(Expr e, const GuardOrigin &origin);
  /// `e` with what is assumed equal replaced; two sizes assumed equal have one simplified form.
  Expr simplify(Expr e);
  /// Value for the example; none with run-time sizes.
  std::optional<int64_t> hint(Expr e) const { return symbols.evaluateHint(e); }

  // Sides of branches on data. Guards are lifted to the entry and remember the side that needed
  // them, until something outside of it needs them, too.

  /// `loc`: of the side's first line.
  void enterSide(SourceLoc loc) { sides.push_back(std::move(loc)); }
  void leaveSide() { sides.pop_back(); }
  /// The innermost side begins here.
  void placeSide(SourceLoc loc) { sides.back() = std::move(loc); }
  size_t sideDepth() const { return sides.size(); }

  // The trail.

  struct Mark {
    size_t guards, facts, narrowings;
  };
  Mark mark() const { return {guardTrail.size(), facts.size(), narrowed.size()}; }
  void rollback(const Mark &mark);

  // Results.

  /// Guards so far, in checking order, over symbols of the ObservableSpace.
  GuardSet guards() const;
  /// One diagnostic for each declared size that the program narrowed (DeclaredSizeNarrowed).
  llvm::ArrayRef<Diagnostic> narrowings() const { return narrowed; }
  /// What a symbol reads at entry; none for run-time sizes and those of a formula.
  std::optional<Observable> source(SymbolId symbol) const;
  /// The formula over symbols with a source that a symbol stands for at entry (`L // 16`);
  /// unsupported: there is none.
  Expr formula(SymbolId symbol) const { return formulas.lookup(symbol); }
  /// Is it a size of an argument, or follows it from such sizes?
  bool isOfSizes(SymbolId symbol) const;
  /// Was this int of the arguments declared as a size?
  bool isDeclaredNumber(llvm::StringRef path) const {
    return declaredDims.count({path.str(), DimRef::kNumber});
  }

private:
  std::string uniqueName(llvm::StringRef name) const;
  Expr createSize(const DimRef &dim, int64_t hint, const GuardOrigin &origin);
  Expr createBounded(const DimMark &mark, const Observable &source, int64_t hint,
                     const GuardOrigin &specialised);
  Expr createInputSymbol(SymbolInfo info, const Observable &source);
  Expr createStride(llvm::StringRef path, unsigned dim, int64_t hint, const GuardOrigin &origin);
  /// Whether the memory of some call may say nothing of the stride.
  bool mayBeIdle(llvm::StringRef path, unsigned dim, const GuardOrigin &origin);
  Expr toObservables(Expr e);
  class Declaration; ///< the work of declareSizes()
  void requireOf(Expr a, Relation relation, Expr b, const GuardOrigin &origin);
  void addGuardOn(const Observable &observable, int64_t value, const GuardOrigin &origin);
  void recordGuard(const Atom &atom, const GuardOrigin &origin);
  void addFact(Atom atom);
  void learn(const Atom &fact);
  void learnEquality(Expr zero);
  std::optional<bool> proveAtom(const Atom &atom);
  std::optional<bool> proveFromFacts(const Atom &atom);
  bool isProvenNonPositive(Expr e);
  void noteNarrowing(const Atom &atom, const GuardOrigin &origin);

  ObservableSpace &observables;
  const DynamicDims &dims;
  const Observation &observed;
  Options options;
  std::shared_ptr<Context> owner;
  Context &symbols;

  llvm::DenseMap<SymbolId, Observable> sources; ///< of input symbols
  llvm::DenseMap<SymbolId, Expr> formulas;      ///< of symbols that follow from those
  llvm::DenseMap<uint32_t, std::string> floats;
  std::map<std::string, llvm::SmallVector<Expr, 4>, std::less<>> tensors;
  std::map<DimRef, Expr> dynamicSizes; ///< Input symbols, for sharing
  /// {c, e}: c times the symbol is e.
  llvm::DenseMap<SymbolId, std::pair<int64_t, Expr>> multiples;
  bool isDeclared = false, contradicts = false;
  std::map<std::string, Expr, std::less<>> declaredNames;
  std::map<DimRef, Expr> declaredDims;
  unsigned unbackedCount = 0;

  struct Recorded {
    Guard guard;
    std::optional<SourceLoc> only;       ///< first line of the only side that needs it
    llvm::SmallVector<SymbolId, 2> used; ///< with `only`: symbols of the fact that it is
  };
  bool isOutside(const Recorded &recorded) const;
  void noteFactsUsed(Expr e);

  std::vector<Recorded> guardTrail;
  std::vector<SourceLoc> sides;
  std::map<uint32_t, std::string> tensorPaths; ///< in the order of the arguments
  std::vector<DimMark> marked;
  llvm::DenseMap<std::pair<unsigned, Expr>, size_t> guardIndex;
  struct Fact {
    Atom atom;                       ///< over `symbols`
    std::optional<SymbolId> bounded; ///< whose bounds say all of it, while nothing replaces it
  };
  std::vector<Fact> facts;
  std::vector<Diagnostic> narrowed;
  // Derived from `facts`:
  llvm::DenseMap<SymbolId, Expr> replacements;
  llvm::DenseMap<SymbolId, Interval> refined;
};

/// The coefficient of a symbol that occurs in `e` only in terms of its own; none if it does not
/// occur, or otherwise.
std::optional<int64_t> findLinearCoefficient(const Context &context, Expr e, SymbolId id);

} // namespace ptc::sym

#endif // PTC_SYMBOLIC_SHAPEENV_H
