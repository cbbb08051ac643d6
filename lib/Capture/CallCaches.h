//===- CallCaches.h - Caches of functions in calls of the entry --*- C++ -*-===//
//
// functools.lru_cache and cache change no result of a function that changes nothing and reads
// nothing that changes. So what such a function gives in a call of the entry is kept for that call
// only, and no state: the next one computes it again, and so does what runs behind a join for what
// one of its sides has computed. That is given up, and the entry captured again with all caches as
// state (Findings::cachesAreState), where
//
//  * a body writes to what is older than itself, records an effect, or leaves another mode (grad
//    mode, default dtype) than it found, or one function is called in several modes;
//  * a body reads what calls change, or what the call made before it and is no cached result;
//  * somebody writes to a result or to what it holds, asks for its hash, or whether it is another
//    one; a result outlives the call, or the side of a join that computed it;
//  * numbers of different types stand at one place of keys, which may be equal;
//  * there may be more keys than `maxsize`, or the program looks at the counters.
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

  /// The object whose attributes are the results, by the text of their key; 0: no call is captured.
  /// What a side adds is forgotten behind a join.
  ObjectId results() const { return object; }
  /// A side of a join has added the result under `key`; it goes on with what `reach` has.
  void noteForgotten(uint32_t key, const llvm::DenseSet<ObjectId> &reach);

  /// The text of a key of `cached`, which has `room` for so many keys more: texts are equal if the
  /// keys are the same. None: caches are state, or not every part has a text.
  std::optional<std::string> keyOf(ObjectId cached, const Value &key, std::optional<size_t> room);
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
    std::string modes;
  };
  /// What is known of the keys of one cached function.
  struct Keys {
    llvm::StringMap<std::string> modes; ///< by text: in which it is called
    llvm::StringMap<std::string> types; ///< of numbers, by the rest of what keys are
    bool areState = false;              ///< some have no text
  };

  void noteRead(SlotKey slot);
  bool isByIdentity(const Value &v) const;
  bool writeKey(llvm::raw_ostream &text, const Value &given) const;
  bool writeForm(llvm::raw_ostream &rest, llvm::raw_ostream &types, const Value &given) const;
  std::optional<std::string> modes() const;
  bool hasEffects(const Body &body) const;

  Engine &e;
  ObjectId object = 0, older = 0;
  std::vector<Body> bodies; ///< of this call, on all of its sides
  bool anyBody = false;     ///< in this turn
  std::map<ObjectId, Keys> keys;
  llvm::DenseMap<uint32_t, llvm::SmallVector<ObjectId, 4>> made; ///< objects of results, by key
  llvm::DenseSet<SlotKey> changed; ///< slots of objects older than all calls that these write
  size_t watched = 0;              ///< of them: whose reads are noticed in this turn
  ObjectId watchedBelow = 0;       ///< of objects that calls made: the same
  bool isLooking = false, areState = false;
};

/// Somebody learns whether two values are one object: of results of caches that is known only if
/// they are.
void noteDistinct(Engine &e, const Value &a, const Value &b);

/// Does more than compute its results, or something in its regions does.
bool hasEffect(const TapeInstr &instr);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CALLCACHES_H
