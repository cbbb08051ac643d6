//===- Executor.h - Sides, exits and loops ----------------------*- C++ -*-===//
//
// Drives the engine: runs instructions, forks where one needs a run-time decision, stops sides at
// merge points, joins their exits and closes loops (control.md). Regions on the tape are structured
// from the start: a fork pushes a block per side and the join pops them.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_EXECUTOR_H
#define PTC_LIB_CAPTURE_EXECUTOR_H

#include "Join.h"
#include "Ops/Ops.h"

#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/UniqueVector.h"

namespace ptc::capture {

class LoopCloser;
struct HeadState;

struct Exit {
  ExitKey key;
  Delta delta; ///< on the state in which the fork was met
};

/// How a run ended.
struct End {
  enum class Status : uint8_t {
    Running, ///< it did not: go on in line
    Exits,
    Convert, ///< pass `serial` must become a loop
    Paused,  ///< it stands at Executor::pause
    Failed,  ///< a limit, or a refusal that all else depends on
  };
  Status status = Status::Running;
  std::vector<Exit> exits;
  ValueId selector = kUndef; ///< which exit, if several
  uint64_t serial = 0;

  static End failed() { return {Status::Failed, {}, kUndef, 0}; }
  /// What leads to an exit, of several.
  llvm::SmallVector<Way, 1> wayTo(size_t exit) const {
    llvm::SmallVector<Way, 1> way;
    if (exits.size() > 1)
      way.push_back({selector, exit, exits.size()});
    return way;
  }
};

/// One unrolled pass of a loop: where to come back to if it must become a loop in the IR.
struct Pass {
  ExitKey key;
  Heap::Mark mark;
  TapeBlock *block;
  size_t instrs;
  size_t forks;
  size_t diags;
  uint64_t serial;
  uint32_t count;                            ///< passes so far
  ValueId first;                             ///< values from here on were made in the loop
  ValueId by = kUndef;                       ///< what the loop is closed for
  std::optional<sym::ShapeEnv::Mark> guards; ///< while an entry is captured
};

/// While it lives no instruction is under way.
class BetweenInstructions {
public:
  explicit BetweenInstructions(Engine &engine, bool now = true) : e(engine), old(e.isBetween) {
    e.isBetween = now;
  }
  ~BetweenInstructions() { e.isBetween = old; }
  BetweenInstructions(const BetweenInstructions &) = delete;
  BetweenInstructions &operator=(const BetweenInstructions &) = delete;

private:
  Engine &e;
  bool old;
};

/// A position in a frame, below the calls that lead to it. A generator is in the same place again
/// only if the same call resumes it: what its callers go on with is part of the state.
struct Place {
  ObjectId frame = 0;
  uint32_t ip = 0;
  uint32_t stack = 0; ///< Executor::stackAbove()
  bool operator==(const Place &) const = default;
};

/// Where a side must stop (control.md, "A branch").
struct Stops {
  llvm::SmallVector<Place, 8> at;   ///< the fork's position in each frame
  llvm::SmallVector<Place, 4> keys; ///< stops named outright
  Place loop;                       ///< head of one that is closed, or whose exits are continued
  bool afterLoop = false;

  const Place *placeIn(ObjectId frame) const; ///< null if the frame is not on the fork's stack
};

/// Is node `i` in the natural loop of `head`?
inline bool inLoop(const CanonicalCode &code, uint32_t head, uint32_t i) {
  const Loop *loop = code.flow.loopAt(head);
  return loop && loop->body.test(i);
}

class Executor {
public:
  explicit Executor(Engine &engine) : e(engine) {}

  enum class Start : uint8_t {
    Restart, ///< an instruction is begun again on a side
    Arrive,  ///< at a stop that is being continued
    Go,
  };
  End run(Start start);

  /// Instructions of this code that ran, by index; null: nobody asks.
  const CodeObject *watched = nullptr;
  llvm::BitVector ran;

  /// Where a run is to stop, by frame and instruction; no frame: nowhere.
  std::pair<ObjectId, uint32_t> pause;

  /// Persistent roots: what later calls can see.
  std::vector<ObjectId> persistent;
  uint64_t maxForkDepth = 0;
  /// The end that a pending state means when no frame was entered.
  End endOfPending();
  /// Does the running instruction give the condition of a while loop that is being unrolled?
  bool feedsLoopControl() const;
  /// Does it step a for loop, or run in a generator that one steps?
  bool stepsForLoop() const;
  /// What the passes so far of the loop that the running instruction steps have put on the tape.
  struct PassCost {
    uint64_t operations; ///< of one pass
    uint32_t passes;
  };
  /// None: it steps no loop that is being unrolled, or not yet for long enough to tell.
  std::optional<PassCost> costOfPass() const;

private:
  friend class Joiner;
  friend class LoopCloser;
  friend class CallLoop;

  // Executor.cpp
  End runOn(Start start, size_t firstPass);
  void lookAt(const CanonicalCode &code, uint32_t ip);
  ops::FastRun fastRun(ObjectId frame, const CanonicalCode &code) const;
  bool asksForText(ObjectId frame);
  End leaveFrame(ObjectId frame, bool raised);
  bool goOnWithPoison(ObjectId frame, uint32_t ip, uint32_t refusal = 0);
  /// After a refusal, for which `reported` diagnostics stood before it.
  bool goOnAfter(ObjectId frame, uint32_t ip, const Pending &refused, size_t reported);
  bool setAside(ObjectId frame, uint32_t ip, const Pending &pending, size_t reported);
  /// Spoil.cpp: does a module branch there, and where does it go on?
  bool isModuleBranch(ObjectId frame, uint32_t ip) const;
  bool goOnBehindBranch(ObjectId frame, uint32_t ip, uint32_t refusal);
  bool takesPoison(ObjectId frame, uint32_t ip) const;
  bool refusesOperands(ObjectId frame, uint32_t ip, const Pending &raised);
  bool refusesLocals(ObjectId frame, ObjectId caller, const Value &exception);
  using StackFn = llvm::function_ref<uint32_t()>;
  bool stopped(ObjectId frame, uint32_t ip, StackFn stack) const;
  bool stopsAt(const Stops &stops, ObjectId frame, uint32_t ip, StackFn stack) const;
  bool endsLoop(const Stops &stops, const CanonicalCode &code, uint32_t ip) const;
  ExitKey keyAt(ObjectId frame) const;
  ExitKey keyOfLoop(ObjectId frame) const;
  std::optional<End> arriveAtLoop(const ExitKey &key, size_t firstPass);
  void dropPasses(size_t count);
  Stops stopsHere() const;

  // Fork.cpp
  class Conditional;
  struct Side {
    int64_t number; ///< case of the selector
    std::unique_ptr<TapeBlock> block;
    End end;
  };
  End fork(ObjectId frame, const CanonicalCode &code, uint32_t ip, const Pending &pending);
  Side side(int64_t number, const Stops &stops, llvm::function_ref<void()> setUp, Start start,
            const std::vector<Engine::LogEntry> &log);
  End combine(ValueId selector, std::vector<Side> sides, ValueId before);
  End resume(End end, const Stops &stops);
  void enter(const Exit &exit);
  void countPass(const ExitKey &key);
  std::pair<int64_t, double> order(const ExitKey &key, const Stops &stops) const;
  /// `selector`: what the fork is by.
  std::optional<uint64_t> loopToConvert(ValueId selector, ObjectId frame, const CanonicalCode &code,
                                        uint32_t ip) const;
  std::optional<uint64_t> loopToConvert(ValueId selector, const ExitKey &key, size_t exits) const;
  End convert(uint64_t serial, ValueId selector);
  const Pass *passOfConsumer(ObjectId frame) const;
  std::optional<uint64_t> consumerToConvert(bool byCount, ObjectId frame, const CanonicalCode &code,
                                            uint32_t ip) const;
  bool iteratorIsOpen(ObjectId frame) const;
  bool iteratorGoesOn(const ExitKey &key) const;
  void stopInResumedGenerator(ObjectId frame, Opcode op, ValueId selector, Stops &stops) const;

  void reportTooManyAlternatives(std::optional<SlotKey> slot, llvm::ArrayRef<Value> alternatives);

  // Loop.cpp
  Side turnOfLoop(SizeLoops *rolled, ValueId before, const Stops &stops,
                  const std::optional<HeadState> &at);
  End closeLoop(size_t pass);
  End unrolledInstead(const Pass &pass, llvm::StringRef changing);
  bool iteratorEnds(const ExitKey &key, const HeadState &now) const;
  End finishLoop(const LoopCloser &closer, const ExitKey &key, const HeadState &prev,
                 const HeadState &now, Side body, ValueId before);

  // LoopPeel.cpp
  bool changesForm(const Delta &turn) const;
  /// Whether the turn that `first` is had better be taken before the loop.
  bool firstTurnStandsApart(const ExitKey &key, const Side &first);
  /// Puts the turn into the present block and goes on from its ends.
  End goOnBehindFirstTurn(Side first);

  // Reach.cpp: what the code behind a key can see
  llvm::DenseSet<ObjectId> reachable(const ExitKey &key) const;
  bool slotIsLive(const ExitKey &key, SlotKey slot) const;
  bool listsLocals(ObjectId frame) const;
  /// The number of the calls above a frame, as the state has them: equal for equal calls.
  uint32_t stackAbove(ObjectId frame) const;
  /// The number of `stack` and one more call in it: of `frame` at `ip`.
  uint32_t stackBelow(uint32_t stack, ObjectId frame, uint32_t ip) const;
  /// (frame, position of its call), innermost first.
  llvm::SmallVector<std::pair<ObjectId, uint32_t>, 8> callers(uint32_t stack) const;
  bool alwaysReachable(ObjectId id) const { return id < e.boundary; }

  Engine &e;
  std::vector<Stops> forks;
  std::vector<Pass> passes;
  /// Calls by number, from 1: the number of the call above, the frame and the position in it.
  mutable llvm::UniqueVector<std::tuple<uint32_t, ObjectId, uint32_t>> calls;
  /// stackAbove() of frames that are no generators: one caller waits for each where it called.
  mutable llvm::DenseMap<ObjectId, uint32_t> stackOf;
  uint64_t nextSerial = 1;
  /// An instruction that is begun again after its operand was replaced may be refused again.
  static constexpr uint32_t kMaxPoisoned = 1000;
  uint32_t poisoned = 0;   ///< how often poison was made
  uint64_t sideBegins = 0; ///< the step that is the first one on the innermost side
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_EXECUTOR_H
