//===- Loop.h - Closing loops ------------------------------------*- C++ -*-===//
//
// A loop closes when the state at its head repeats up to renaming. The same closing serves loops in
// the program and the loop over calls of the entry (control.md, "A loop").
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_LOOP_H
#define PTC_LIB_CAPTURE_LOOP_H

#include "Executor.h"

#include <deque>

namespace ptc::capture {

/// The joined state at a loop head after one turn.
struct HeadState {
  Delta out;
  std::vector<JoinRow> rows;
  std::vector<size_t> args;        ///< rows that are region arguments, by first encounter
  std::vector<std::string> shape;  ///< the state up to renaming, one line a slot
  std::vector<SlotKey> shapeSlots; ///< of old objects: what the first lines of `shape` describe
};

class LoopCloser {
public:
  /// `keepLengths`: a list that got longer is one of several of known lengths.
  LoopCloser(Executor &executor, ExitKey key, bool keepLengths = false)
      : x(executor), e(executor.e), key(key), keepLengths(keepLengths) {}

  /// Names tensors made in the loop after the first slot that holds them. Without this `best = x`
  /// or a swap never closes: each pass adds a storage that only an old choice still knows. With it
  /// there are at most as many as there are slots. Operations go to `body`.
  void compact(Delta &delta, TapeBlock &body);

  /// Joins entry and ends of a turn into the head's state. `ends` belong to side 1 and up. An end
  /// that leaves one of several new objects in a slot joins once for each of them, so that they
  /// become one object: otherwise each turn would add one that only an old choice still knows.
  /// `was`: the head that the turn began with, if it was not the first turn.
  std::optional<HeadState> join(llvm::ArrayRef<JoinSide> sides, ValueId before,
                                const llvm::DenseSet<SlotKey> &forced,
                                const HeadState *was = nullptr);

  /// Looks for an int that counts the turns, before `join`; what grows with it is not carried.
  /// False: it did so far, and the turn that has ended relied on it, but does not any more.
  bool countTurns(llvm::ArrayRef<JoinSide> sides, ValueId before);
  /// What that int is at an exit to which a comparison of it led; `back`: the ends of a turn.
  std::optional<EndOfCount> endOfCount(const Delta &exit, llvm::ArrayRef<const Delta *> back,
                                       ValueId before) const;

  /// Does an int grow, or shrink, in each turn before another, and a comparison with what stays the
  /// same, which these answer alike, bound it? The loop ends then. `head`: the state that `body`
  /// begins with; `back`: the ends of turns.
  bool countIsBounded(const HeadState &head, const TapeBlock &body,
                      llvm::ArrayRef<const Delta *> back, ValueId before) const;

  // RolledInts.cpp

  /// Tells what counts the turns of a loop that was rolled how many there are at most.
  void boundCount(int64_t turns) const;
  /// Is each int that a rolled loop carries one that data decide, or the count of its turns?
  /// Others would be known, and of any length, if it was unrolled.
  bool carriesNoKnownInts(const HeadState &now, const TapeBlock &body, ValueId before) const;

  /// Slots of old objects that the state changes: they stay region arguments on the next turn.
  llvm::DenseSet<SlotKey> carriedSlots(const HeadState &state) const;

  static constexpr unsigned kMaxTurns = 8;
  /// The line that two turns differ in, for the diagnostic.
  static std::string firstDifference(const HeadState &was, const HeadState &now);
  /// The slot of that line; none for slots of new objects.
  static std::optional<SlotKey> differingSlot(const HeadState &was, const HeadState &now);

private:
  struct Spot {
    SlotKey slot;
    int alternative; ///< of a choice, or -1
    int part;        ///< of a composite, or -1
    Value value;
  };
  struct Uses {
    Value like; ///< a tensor that is the whole storage
    llvm::SmallVector<size_t, 4> spots;
  };
  using UseMap = std::map<ObjectId, Uses>;
  /// Storages of one kind that are connected through spots, and where each spot's goes.
  struct Renaming {
    std::vector<size_t> at; ///< the spots
    std::vector<ObjectId> storages;
    Value like; ///< a tensor that is a whole one of the storages
    /// Which of the storages each alternative of a spot is; -1: another value.
    std::map<size_t, std::vector<int64_t>> tables;
    std::map<size_t, TapeArg> number; ///< which of the storages a spot holds
    std::map<size_t, ObjectId> home;  ///< the storage that a spot gets
  };

  uint64_t casesIn(const Delta &delta, ValueId id) const;
  int64_t stepOf(SlotKey slot, llvm::ArrayRef<JoinSide> sides, ValueId before, sym::Expr was) const;
  std::vector<Spot> collectSpots(const Delta &delta, llvm::DenseMap<ObjectId, unsigned> &count);
  /// False: no spot may hold one of several, and names stay.
  static bool fillTables(Renaming &r, llvm::ArrayRef<Spot> spots);
  void makeHomes(Renaming &r, llvm::ArrayRef<Spot> spots, Delta &delta, TapeBlock &body);
  /// What spot `i` holds, in terms of the new storages.
  Value rehomed(Renaming &r, size_t i, const Value &v, TapeBlock &body);
  void rename(Renaming r, std::vector<Spot> &spots, Delta &delta, TapeBlock &body);
  void describe(HeadState &state, ValueId before);

  // LoopObjects.cpp
  struct Split {
    int64_t number; ///< of the side that was split
    TapeBlock *block;
    ValueId selector;
    std::vector<int64_t> parts; ///< numbers of the sides that stand for it, by alternative
  };
  /// Sides of a join with what keeps their states alive.
  struct SplitSides {
    std::vector<JoinSide> sides;
    std::deque<Delta> states;
    std::vector<Split> splits;
  };
  SplitSides split(llvm::ArrayRef<JoinSide> sides);
  std::optional<Value> findNewObjects(const JoinSide &side);
  Delta assume(const JoinSide &side, ValueId selector, size_t alternative);

  Executor &x;
  Engine &e;
  ExitKey key;
  bool keepLengths;
  std::optional<TurnCount> count;
  bool isCounted = false; ///< was it looked for?
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_LOOP_H
