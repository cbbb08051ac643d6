//===- CallMemos.h - State that no result of a call depends on ---*- C++ -*-===//
//
// Programs keep what they have looked up once: `if key not in table: table[key] = …`. Such state is
// made of constants, and calls do the same whatever they find there. Both are seen here: slots that
// a call leaves with objects and containers of constants are set apart, and when the rest of the
// state has closed, calls are followed from each of the states that this leads to. If they record
// the same operations and end alike, no call can tell these states from the first one (they are
// bisimilar), and the program needs none of them.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_CALLMEMOS_H
#define PTC_LIB_CAPTURE_CALLMEMOS_H

#include "CallLoop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ptc::capture {

/// Constants that a slot may hold, by the value of a selector; undefined: there is one.
struct Cases {
  ValueId selector = kUndef;
  std::vector<Value> values;
};

class CallMemos {
public:
  /// `takesNumbers`: beside tables, what says that they are filled, and how many there are; but for
  /// `counts`, which are state.
  CallMemos(Engine &e, bool takesNumbers, const llvm::DenseSet<SlotKey> &counts)
      : e(e), takesNumbers(takesNumbers), counts(counts) {}

  /// Forgets what earlier turns left.
  void beginTurn() {
    open.clear();
    hasMore = false;
  }
  /// Takes from the ends of a call what they leave of constants. True: there was some.
  bool take(CallVariant &v);

  /// A state that a call may find, and that nobody has looked at.
  std::optional<Delta> next();
  /// More of them than it is worth to look at?
  bool tooMany() const { return hasMore || seen.size() > kMost; }
  /// Adds the numbers that have changed again in the second call. False: there are none.
  bool noteCounts(llvm::DenseSet<SlotKey> &counts) const;
  /// Slots that hold what was taken.
  const llvm::DenseSet<SlotKey> &slots() const { return taken; }

  /// What a call did from the state without memos.
  struct Reference {
    std::unique_ptr<TapeBlock> body;
    End end;
    std::vector<ProgramInput> inputs;
    sym::GuardSet guards;
  };
  /// Takes the recording; v must be run again.
  Reference referenceOf(CallVariant &v) const;
  /// Has the call done the same? What nobody reads is taken out of its recording.
  bool isAlike(const Reference &was, CallVariant &v) const;

private:
  /// What a slot is left with, and the new objects that it reaches.
  struct Memo {
    Cases held;
    llvm::SetVector<ObjectId> reached;
  };
  using Memos = llvm::MapVector<SlotKey, Memo>;

  Memos memosOf(const Delta &left) const;
  void openStates(const Delta &left, const Memos &memos);

  static constexpr size_t kMost = 8;

  Engine &e;
  bool takesNumbers;
  const llvm::DenseSet<SlotKey> &counts;
  std::vector<Delta> open, seen;
  bool hasMore = false; ///< states that are not among the open ones
  llvm::DenseSet<SlotKey> taken;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CALLMEMOS_H
