//===- CallCaches.h - Caches of functions in calls of the entry --*- C++ -*-===//
//
// functools.lru_cache and cache change no result of a function that changes nothing and reads
// nothing that changes. So what such a function gives in a call of the entry is kept for that call
// only, and no state: it is computed again by the next one. What would tell the difference is
// noticed: a body that writes to what is older than itself or records an effect, one that reads
// what calls change, a result that somebody writes to or that outlives its call, keys that are
// equal and not the same, a look at the counters. Then the entry is captured again with all caches
// as state (Findings::cachesAreState).
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_CALLCACHES_H
#define PTC_LIB_CAPTURE_CALLCACHES_H

#include "Executor.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace ptc::capture {

class CallCaches {
public:
  explicit CallCaches(Engine &e) : e(e) {}

  /// All variants are called once from the same state.
  void beginTurn();
  /// A call begins. Objects below `first` were there before.
  void begin(ObjectId first);
  /// It has ended: looks for results that outlive it.
  void end(const End &end);
  /// What it leaves behind is what calls change.
  void noteChanges(const End &end);

  /// The object whose attributes are the results, by the text of their key. Joins keep only what it
  /// has on both sides; 0: no call is captured.
  ObjectId results() const { return object; }

  /// The key of a call of `cached`: equal for equal arguments. None: not every part has a text.
  std::optional<std::string> keyOf(ObjectId cached, const Value &arguments);
  Value find(llvm::StringRef key) const;
  /// The body of a cached function begins; its number for `finish`.
  int64_t start();
  /// It gave `result`.
  void finish(int64_t run, llvm::StringRef key, const Value &result);

  /// Something tells whether results are kept over calls.
  void giveUp() { areState = true; }
  bool mustBeState() const { return areState; }

  /// Must calls be looked at once more, now that it is known what they change?
  bool wantsTurn() const { return anyBody && changed.size() > watched; }

private:
  /// The body of a cached function.
  struct Body {
    ObjectId frame, first; ///< who waits for it; objects below `first` are older
    size_t writes;         ///< Heap::notedWrites() when it began
    TapeBlock *block;
    size_t instrs; ///< of the block
  };

  void noteRead(SlotKey slot);
  bool isByIdentity(const Value &v) const;
  bool print(llvm::raw_ostream &same, llvm::raw_ostream &exact, const Value &given) const;
  bool hasEffects(const Body &body) const;

  Engine &e;
  ObjectId object = 0, older = 0;
  std::vector<Body> bodies; ///< of this call, on all of its sides
  bool anyBody = false;     ///< in this turn
  /// Keys by what makes them equal, with all that they are.
  llvm::StringMap<std::string> exactly;
  llvm::DenseSet<SlotKey> changed; ///< slots of older objects that calls write
  size_t watched = 0;              ///< of them: whose reads are noticed in this turn
  bool isLooking = false, areState = false;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CALLCACHES_H
