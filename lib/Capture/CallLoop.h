//===- CallLoop.h - An entry as the body of a loop over calls ----*- C++ -*-===//
//
// Persistent slots (module globals, attributes, buffers) that a call leaves changed are run-time
// state of the context in all calls: they are found by joining the state before the first call with
// the ends of a call, as at any loop head (control.md, "Calls are a loop, too").
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_CALLLOOP_H
#define PTC_LIB_CAPTURE_CALLLOOP_H

#include "Loop.h"

#include "ptc/Capture/Program.h"
#include "ptc/Symbolic/ShapeEnv.h"

namespace ptc::capture {

/// Containers and objects of the caller, by the path from the arguments.
/// A container or an object of the caller, as it was before the call.
struct CallerObject {
  std::string path;
  ObjectId id;
  std::vector<std::pair<uint32_t, Value>> slots;
};
using CallerObjects = std::vector<CallerObject>;

class CallLoop;
class CallMemos;

/// The entry called with the arguments of one example.
struct CallVariant {
  sym::ShapeEnv *shapes;
  /// Makes the arguments of one turn: fresh objects each time. Those that are known only at run
  /// time are announced through addTensorInput and addNumberInput.
  std::function<CallArgs(CallLoop &)> makeArguments;
  /// Do the guards of an earlier variant of this turn hold for the example? Then there is no need
  /// of a variant.
  std::function<bool()> isCovered;

  std::optional<sym::ShapeEnv::Mark> begin; ///< behind the arguments: guards of a turn come later

  // What the last turn found.
  bool active = false;
  std::unique_ptr<TapeBlock> body;
  End end;
  llvm::BitVector ran;              ///< instructions of the entry's code
  int64_t firstSide = 0;            ///< number of its first end in the join
  ObjectId firstNew = 0;            ///< objects below it are older than the turn
  llvm::DenseSet<ObjectId> written; ///< storages, in place
  std::vector<Delta> before; ///< of each end, before storages that are state got names of their own
  std::vector<ProgramInput> inputs;
  std::vector<ObjectId> inputStorages; ///< by input, 0: no tensor
  CallerObjects callerObjects;
  std::unique_ptr<Program> program; ///< of the active ones, when the loop has closed
};

class CallLoop {
public:
  /// `code`: of the function that takes the arguments; null: it is not one of Python.
  CallLoop(Executor &executor, const CodeObject *code) : x(executor), e(executor.e) {
    x.watched = code;
  }

  /// A tensor argument: a fresh storage whose contents are an input of the body.
  Value addTensorInput(llvm::StringRef path, uint32_t leaf, TapeValue type);
  /// A float argument; an int, whose value `size` is. Known at run time.
  Value addFloatInput(llvm::StringRef path, uint32_t leaf);
  Value addIntInput(llvm::StringRef path, uint32_t leaf, sym::Expr size);
  /// An object of the caller: what is written to it can be seen after the call.
  void addCallerObject(llvm::StringRef path, ObjectId id);

  /// Captures the callee once for each variant that is not covered by others. State that one of
  /// them changes is run-time state of all. False: diagnostics say why.
  bool run(const Value &callee, llvm::MutableArrayRef<CallVariant> variants);

  /// Slots that calls change, and of which no call needs to know.
  llvm::DenseSet<SlotKey> memoSlots;

private:
  bool keepsNoViews(const HeadState &state);
  bool close(const Value &callee, llvm::MutableArrayRef<CallVariant> variants, bool keepLengths,
             CallMemos *memos);
  std::optional<std::vector<JoinSide>> turn(const Value &callee,
                                            llvm::MutableArrayRef<CallVariant> variants,
                                            const HeadState *prev, LoopCloser &closer,
                                            CallMemos *memos);
  bool needsNoMemos(const Value &callee, llvm::MutableArrayRef<CallVariant> variants,
                    const HeadState *prev, CallMemos &memos);
  /// `memos`: state that is none if no call can tell (CallMemos.h).
  bool runTurn(const Value &callee, CallVariant &v, const HeadState *prev,
               const Delta *memos = nullptr);
  void guardOverlaps(CallVariant &v);
  SourceLoc madeAt(const TapeBlock &block, ValueId value) const;
  SourceLoc madeAt(const CallVariant &v, const Delta &end, const Value &value) const;
  SourceLoc storedAt(NameId name) const;
  SourceLoc changedAt(SlotKey slot, llvm::ArrayRef<CallVariant> variants) const;
  bool finish(CallVariant &v, const HeadState *prev, const HeadState &now);
  void finishStates(CallVariant &v, const HeadState *prev, const HeadState &now);
  void findWrites(llvm::ArrayRef<CallVariant> variants, const HeadState *prev);
  llvm::DenseSet<ObjectId> keptBy(const CallVariant &v, size_t exit, const HeadState *prev) const;
  bool isWritten(const Value &held, const llvm::DenseSet<ObjectId> &written,
                 unsigned depth = 0) const;

  Executor &x;
  Engine &e;
  CallVariant *current = nullptr; ///< whose arguments are being made
  // What calls of any variant write in place: storages that were there before them, an argument's.
  llvm::DenseSet<ObjectId> writtenStorages;
  bool writesInputs = false;
};

/// Turns an end of the body into what the caller gets.
class ExitBuilder {
public:
  /// `kept`: storages whose results are state (OutStorage::kept).
  ExitBuilder(Engine &e, llvm::ArrayRef<ObjectId> inputStorages,
              llvm::ArrayRef<ProgramInput> inputs, const llvm::DenseSet<ObjectId> &kept)
      : e(e), inputStorages(inputStorages), inputs(inputs), kept(kept) {}

  /// The heap stands at this end.
  ProgramExit build(bool raised, const CallerObjects &callerObjects);

  OutValue value(const Value &v);

  /// Does anything change from call to call? Then lists of the run may hold tensors of earlier
  /// calls, of which state has copies.
  bool hasState = false;

private:
  bool refusesResult(const Value &v);
  bool refusesAttributes(const Value &v);
  bool refusesOrder(ObjectId id);
  bool isAmongItems(NameId name, const Value &attribute, const Value &items);
  bool isSame(const Value &attribute, const Value &item);
  /// Whether `test` holds for each alternative of a choice that is possible here.
  bool holdsOnEach(const Value &choice, llvm::function_ref<bool(const Value &)> test);
  OutValue object(const Value &v);
  using Attributes = llvm::ArrayRef<std::pair<NameId, Value>>;
  /// Which alternative of a selector's choice is shown.
  using Taken = llvm::SmallVector<std::pair<ValueId, uint32_t>, 4>;
  OutValue attributes(OutValue shown, Attributes rest, const Taken &taken);
  uint64_t possibleAfter(const Taken &taken, const ChoiceNode &choice);
  OutValue linkedDict(ObjectId dict, const Value &owner);
  OutValue views(const RunTimeListNode &list, const Value &form);
  OutValue elementsOf(const Value &contents, const Value &form);
  OutValue contents(OutValue::Kind kind, const Value &v);
  /// One node per alternative of a choice.
  OutValue choice(const ChoiceNode &choice, llvm::function_ref<OutValue(const Value &)> make);
  /// (exception, its text, (file, line)).
  OutValue raised(const Value &exception);
  OutValue text(const Value &v, bool repr);
  OutValue argsText(const Value &args, bool key);
  OutValue place(const Value &trace);
  OutValue tensor(const TensorNode &t);
  uint32_t storage(ObjectId id);
  bool losesAliases() const;

  Engine &e;
  llvm::ArrayRef<ObjectId> inputStorages;
  llvm::ArrayRef<ProgramInput> inputs;
  const llvm::DenseSet<ObjectId> &kept;
  ProgramExit exit;
  SourceLoc raisedAt;                       ///< of the exception that is being looked at
  llvm::SmallVector<ValueId, 2> listLeaves; ///< columns of run-time lists of tensors in the result
  bool listShares = false;                  ///< one of these whose elements may share memory
  SourceLoc grownAt;                        ///< where it got an element
  /// What storages in the result hold that were copied into such a list.
  llvm::SmallVector<ValueId, 2> elementLeaves;
  size_t numInputLeaves = 0;  ///< of the caller's tensors, which come first
  bool sharedLeaves = false;  ///< so is one of Engine::sharedElements
  unsigned numMaybeViews = 0; ///< storages of Engine::maybeViews
  bool hasMaybeBase = false;  ///< of Engine::maybeViews
  uint32_t attributeSets = 0; ///< of the object that is being looked at
  uint32_t level = 0;         ///< of the value that is being looked at in what it is part of
  bool tooDeep = false;       ///< reported
  llvm::DenseMap<ObjectId, uint32_t> identities;
  llvm::DenseMap<ObjectId, ObjectId> dicts; ///< by the object whose attributes they show
  llvm::DenseMap<ObjectId, uint32_t> storages;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CALLLOOP_H
