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
  std::vector<size_t> args;       ///< rows that are region arguments, by first encounter
  std::vector<std::string> shape; ///< the state up to renaming, one line a slot
};

class LoopCloser {
public:
  LoopCloser(Executor &executor, ExitKey key) : x(executor), e(executor.e), key(key) {}

  /// Names tensors made in the loop after the first slot that holds them. Without this `best = x`
  /// or a swap never closes: each pass adds a storage that only an old choice still knows. With it
  /// there are at most as many as there are slots. Operations go to `body`.
  void compact(Delta &delta, TapeBlock &body);

  /// Joins entry and ends of a turn into the head's state. `ends` belong to side 1 and up. An end
  /// that leaves one of several new objects in a slot joins once for each of them, so that they
  /// become one object: otherwise each turn would add one that only an old choice still knows.
  std::optional<HeadState> join(llvm::ArrayRef<JoinSide> sides, ValueId before,
                                const llvm::DenseSet<SlotKey> &forced);

  /// Slots of old objects that the state changes: they stay region arguments on the next turn.
  llvm::DenseSet<SlotKey> carriedSlots(const HeadState &state) const;

  static constexpr unsigned kMaxTurns = 8;
  /// The line that two turns differ in, for the diagnostic.
  static std::string firstDifference(const HeadState &was, const HeadState &now);

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

  std::vector<Spot> collectSpots(const Delta &delta, llvm::DenseMap<ObjectId, unsigned> &count);
  void rename(llvm::ArrayRef<size_t> at, llvm::ArrayRef<ObjectId> storages,
              std::vector<Spot> &spots, Delta &delta, TapeBlock &body, const TensorNode &like);
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
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_LOOP_H
