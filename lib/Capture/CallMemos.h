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

namespace ptc::capture {

class CallMemos {
public:
  explicit CallMemos(Engine &e) : e(e) {}

  /// Forgets what earlier turns left.
  void beginTurn() { open.clear(); }
  /// Takes from the ends of a call what they leave of constants. True: there was some.
  bool take(CallVariant &v);

  /// A state that a call may find, and that nobody has looked at.
  std::optional<Delta> next();
  /// More of them than it is worth to look at?
  bool tooMany() const { return seen.size() > kMost; }
  /// Slots that hold what was taken.
  const llvm::DenseSet<SlotKey> &slots() const { return taken; }

  /// What a call did from the state without memos.
  struct Reference {
    std::unique_ptr<TapeBlock> body;
    End end;
    std::vector<ProgramInput> inputs;
    sym::GuardSet guards;
  };
  static Reference referenceOf(CallVariant &v);
  /// Has the call done the same?
  bool isAlike(const Reference &was, const CallVariant &v) const;

private:
  static constexpr size_t kMost = 8;

  Engine &e;
  std::vector<Delta> open, seen;
  llvm::DenseSet<SlotKey> taken;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CALLMEMOS_H
