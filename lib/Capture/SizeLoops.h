//===- SizeLoops.h - Loops that sizes of arguments count ---------*- C++ -*-===//
//
// A comparison of input sizes is decided by the example and becomes a guard. One that says whether
// a loop takes another turn would say how many turns it takes: `for i in range(x.shape[0])` would
// hold for one size only. Such a comparison is a computation of the run, and the loop one on the
// tape, as one that data end.
//
// A loop whose state has another form in each turn is unrolled by the example after all: the entry
// is captured again with that loop in Findings::unrolled.
//
// Of a known number of turns, so many that unrolling them costs more than it gives, a loop is made
// in the same way. Where something in it needs to be known, the entry is captured again without.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_SIZELOOPS_H
#define PTC_LIB_CAPTURE_SIZELOOPS_H

#include "Executor.h"

#include "llvm/ADT/DenseMap.h"

namespace ptc::capture {

/// A loop that is unrolled although a size counts it, and what of its state changes its form.
struct UnrolledLoop {
  std::string place; ///< file and position of its head
  std::string changing;
  size_t example = 0; ///< in which it was found
};

class SizeLoops {
public:
  /// Which loops earlier captures have found to be none of the run.
  struct Unrolled {
    llvm::ArrayRef<UnrolledLoop> some;
    bool all, allKnown; ///< allKnown: all of which the number of turns is known
  };
  SizeLoops(Engine &e, const Executor &x, Unrolled unrolled)
      : e(e), x(x), known(unrolled.some), none(unrolled.all), noneKnown(unrolled.allKnown) {}

  /// Which example is captured now.
  void begin(size_t which) { example = which; }

  /// Whether an iteration whose count is a size goes on, as a run-time bool. Absent: a guard
  /// decides.
  Value compareCount(CompareOp op, sym::Expr a, sym::Expr b);
  /// The same for a comparison that is the condition of a loop; absent where it is proven.
  Value compareCondition(CompareOp op, sym::Expr a, sym::Expr b);

  /// Does the running for loop, of which `rest` turns are left, become one of the run? `iterator`
  /// is what it steps. It stays so.
  bool rolls(ObjectId iterator, int64_t rest);
  bool isRolled(ObjectId iterator) const { return rolled.contains(iterator); }
  /// Whether a loop that was rolled takes turn `place` of `turns`, as a run-time bool.
  Value compareTurn(sym::Expr place, int64_t turns);
  bool hasRolled() const { return !rolled.empty(); }
  /// Of the loop that `selector` closes, if it was rolled: how many turns it has at most.
  std::optional<int64_t> turnsOf(ValueId selector) const {
    auto found = knownTurns.find(selector);
    return found == knownTurns.end() ? std::nullopt : std::optional(found->second);
  }

  // RolledInts.cpp

  /// A turn of a loop that was rolled is recorded while it lives.
  class Turn {
  public:
    /// `before`: values below it were made before the loop.
    Turn(SizeLoops *loops, ValueId before) : loops(loops) {
      if (loops)
        loops->open.push_back(before);
    }
    ~Turn() {
      if (loops)
        loops->open.pop_back();
    }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

  private:
    SizeLoops *loops;
  };
  /// What counts the turns of a loop that was rolled lies in `bounds`.
  void boundCount(sym::SymbolId count, sym::Interval bounds) { countBounds[count] = bounds; }
  /// May Python's int be one of more than 64 bits where the turn of a loop that was rolled says
  /// what it is? Unrolled, it would be known.
  bool mayOutgrow(BinaryOp op, const Value &a, const Value &b) const;
  /// Does the turn of a loop that was rolled say what `number` is?
  bool isOfTurn(const Value &number) const;

  // What the path knows of sizes, by the comparisons that were decided on it.

  /// `id` is `a op b`.
  void note(ValueId id, CompareOp op, sym::Expr a, sym::Expr b);
  /// What follows of `a op b`.
  std::optional<bool> prove(CompareOp op, sym::Expr a, sym::Expr b) const;

  struct Comparison {
    ValueId id;
    CompareOp op;
    sym::Expr a, b;
  };
  /// In the order of their ids.
  llvm::ArrayRef<Comparison> all() const { return comparisons; }

  /// The length of a list of the run; unsupported: not known.
  void noteLength(ValueId list, sym::Expr length) {
    if (length.isSupported())
      lengths[list] = length;
  }
  sym::Expr lengthOf(ValueId list) const { return lengths.lookup(list); }
  /// The same for contents of a list.
  sym::Expr lengthOf(const Value &contents) const;

  /// Is `selector` such a comparison?
  bool decides(ValueId selector) const { return counts.contains(selector); }
  /// The loop that `selector` controls cannot be one of the run: the entry is captured again.
  void unroll(ValueId selector, llvm::StringRef changing);
  /// Was any loop one of the run because of its count?
  bool isUsed() const { return !counts.empty(); }
  llvm::ArrayRef<UnrolledLoop> found() const { return newlyUnrolled; }
  /// Why a loop is unrolled whose count the running instruction asks for; empty: it is not.
  std::string reason() const;

  /// Does it depend on the size of a tensor among the arguments, so that a loop of as many turns is
  /// one of the run?
  bool isCount(sym::Expr size) const;

private:
  const UnrolledLoop *findHere() const;
  bool isFoundHere(const UnrolledLoop &loop, llvm::StringRef place) const;
  Value record(CompareOp op, sym::Expr a, sym::Expr b);
  const TapeInstr *madeInTurn(ValueId id) const;
  bool isOfTurn(const TapeArg &arg) const;
  long double magnitudeOf(const Value &number) const;

  Engine &e;
  const Executor &x;
  llvm::ArrayRef<UnrolledLoop> known;
  size_t example = 0;
  bool none, noneKnown;
  llvm::DenseSet<ObjectId> rolled;             ///< iterators of loops with a known number of turns
  llvm::DenseMap<ValueId, int64_t> knownTurns; ///< by what says whether they go on
  llvm::DenseMap<sym::SymbolId, sym::Interval> countBounds;
  std::vector<ValueId> open; ///< the first value of each of them that is being recorded
  std::vector<UnrolledLoop> newlyUnrolled;
  llvm::DenseMap<ValueId, std::string>
      counts; ///< that say whether a loop goes on: where they stand
  std::vector<Comparison> comparisons;
  llvm::DenseMap<ValueId, sym::Expr> lengths;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SIZELOOPS_H
