//===- Engine.h - The forking executor --------------------------*- C++ -*-===//
//
// Runs canonical bytecode on symbolic values and records what it does to tensors on a tape.
//
// The rules that every handler and builtin keeps:
//
// * All of Python's state lives in the heap. Nothing is remembered in C++ between instructions.
// * Nothing native calls Python and waits for it: it enters a frame and returns called(). What
//   needs more than one call is written in Python in lib/Prelude.
// * A computation that cannot go on returns Value::fail() (Flow::Fail) with the pending state set:
//   an exception is raised, a run-time value must be decided (fork), or the program is refused.
//   The instruction is then rolled back and, for a fork, started again on each side with the new
//   fact. So a handler may change the heap and record operations before it fails; it must not keep
//   state of its own.
// * `decide(v)` before looking at what a value is: a Choice forks there. `known(v)` resolves only
//   what the path knows already.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_ENGINE_H
#define PTC_LIB_CAPTURE_ENGINE_H

#include "Layout.h"
#include "ptc/Bytecode/Decode.h"
#include "ptc/Capture/Heap.h"
#include "ptc/Capture/Program.h"
#include "ptc/Capture/Tape.h"
#include "ptc/Support/Error.h"
#include "ptc/TensorFile/TensorFile.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <map>
#include <optional>

namespace ptc::aten {
struct OpInfo;
class ArgValue;
struct MetaResult;
struct TensorResult;
struct ResultValue;
} // namespace ptc::aten

namespace ptc::sym {
class ShapeEnv;
} // namespace ptc::sym

namespace ptc::capture {

class Engine;
class Executor;
class Joiner;
class TensorCall;
struct HeadState;

enum class [[nodiscard]] Flow : uint8_t { Next, Fail };

/// Evaluates to a value, or leaves the calling function (returning Flow or Value) when it failed.
struct FailAny {
  operator Flow() const { return Flow::Fail; }
  operator Value() const { return Value::fail(); }
  template <typename T> operator std::optional<T>() const { return std::nullopt; }
  /// Say which is meant: no value, or Value::fail() as the value. Not const, so that it is
  /// preferred to optional's own conversion by way of Value.
  operator std::optional<Value>() = delete;
};
#define PTC_LET(name, expr)                                                                        \
  Value name = (expr);                                                                             \
  if (name.isFail())                                                                               \
  return FailAny()
/// The same for std::optional results: `name` is the content.
#define PTC_GET(name, expr)                                                                        \
  auto name##OrFail = (expr);                                                                      \
  if (!name##OrFail)                                                                               \
    return FailAny();                                                                              \
  auto &name = *name##OrFail
#define PTC_DO(expr)                                                                               \
  if ((expr) == Flow::Fail)                                                                        \
  return FailAny()

struct KeywordArg {
  NameId name;
  Value value;
};

/// Arguments of one call, and what happens to its result.
struct CallArgs {
  std::vector<Value> positional;
  std::vector<KeywordArg> keywords;
  ReturnAction action = ReturnAction::Push;
  Value actionArg;
};

using ptc::BinaryOp;
using ptc::CompareOp;

/// A native function. Returns the result, Value::fail(), or Engine::called() when it entered a
/// frame whose return value is the result.
using NativeFn = Value (*)(Engine &, CallArgs &);

/// Names that the engine itself needs, interned first in this order.
enum class WellKnown : NameId {
#define PTC_NAME(Id, Text) Id,
#include "Names.def"
};
inline uint32_t attrKey(WellKnown name) { return attrKey(NameId(name)); }

struct Limits {
  uint64_t steps = 200'000'000;
  uint64_t stepsPerJoin = 10'000;
  uint32_t depth = 1000;
  uint64_t objects = 50'000'000;
  uint32_t unroll = 100'000;
  uint32_t choices = 12;
  uint32_t forkDepth = 2000;
};

/// (frame, instruction) with the operand stack's depth: where states meet.
struct ExitKey {
  ObjectId frame = 0;
  uint32_t ip = 0;
  uint32_t sp = 0;
  uint32_t stack = 0; ///< who called the frame, or resumes it: Executor::stackAbove()
  bool operator==(const ExitKey &) const = default;
};
/// The entry's own ends: returned, raised.
constexpr uint32_t kDoneIp = 0, kRaisedIp = 1, kCallIp = 2;
inline ExitKey doneKey() { return {0, kDoneIp, 0}; }
inline ExitKey raisedKey() { return {0, kRaisedIp, 0}; }
inline ExitKey callKey() { return {0, kCallIp, 0}; }

/// Why a computation did not go on.
struct Pending {
  enum class Kind : uint8_t { None, Raise, Fork, Refuse } kind = Kind::None;
  Value exception;            ///< Raise: the object, or Absent and:
  ObjectId cls = 0;           ///< … a class and
  std::string text;           ///< … a text to make one of
  ValueId selector = 0;       ///< Fork
  uint64_t cases = 0;         ///< Fork: mask
  uint32_t refusal = 0;       ///< Refuse: for a refusal that was set aside, its number, from 1
  bool isPure = false;        ///< Refuse: all that is missing is the result
  bool raisesNothing = false; ///< Refuse: and what was refused ends in no exception
  bool isOfContents = false;  ///< Refuse: contents were asked for that are not known
  size_t recorded = 0;        ///< Fork: operations of the block, and
  size_t logged = 0;          ///< … rows of the log, when the decision was found open

  /// Was something read before it could be known? What the instruction found since means nothing.
  bool isOpen() const { return kind == Kind::Fork || isOfContents; }
};

/// Interned texts; a NameId is a place in `texts`.
struct Names {
  llvm::StringMap<NameId> ids;
  std::vector<llvm::StringRef> texts;
};

/// What a run leaves in an engine beside the heap, the world and the block that it records in:
/// copied, so that another run begins from the same.
struct RunState {
  Tape tape;
  SourceLoc entryAt;        ///< definition of the entry, for what is wrong with no line of it alone
  bool isRecording = false; ///< is an entry being captured (as against plain Python being run)?
  /// Is a whole program run as plain Python? Then loops need no marks: nothing forks.
  bool plainPython = false;

  // State of the executor that handlers only read
  // ---------------------------------------------------

  uint64_t steps = 0;
  uint64_t forkCount = 0;
  /// No instruction is under way: sides are joined, or a loop is closed, before the next one.
  bool isBetween = false;
  std::vector<Diagnostic> diags;
  bool hitLimit = false;
  /// What the program shows of results for which no size was asked: strides of dimensions that may
  /// have one element; that a tensor is a view of another only for some sizes; that elements of a
  /// list of the run are views. Found in this run, and known before it.
  struct Shown {
    bool idleStrides = false, sharing = false, listedViews = false;
  };
  Shown shows, keeps;
  /// Of numbers and sizes in a call that follow from constants: was there one, and are they known.
  bool hasFoldable = false, folds = false;
  /// Where a run ended because what comes next depends on what was refused.
  std::optional<SourceLoc> stoppedAt;
  /// Objects below this id existed before the entry was called: always reachable, traversed only
  /// when written.
  ObjectId boundary = 0;

  // What the executor and the joiner share with the handlers
  // ---------------------------------------

  Pending pending;
  /// Symbols of the entry's sizes and the guards found; null while plain Python runs.
  sym::ShapeEnv *shapes = nullptr;
  /// A run-time value that is a constant for each case of a selector; Absent: not possible.
  struct Derived {
    ValueId selector;
    std::vector<Value> table;
  };
  llvm::DenseMap<ValueId, Derived> derived;
  /// Sizes and strides of joined tensors that are a constant for each case of a selector.
  llvm::DenseMap<sym::SymbolId, Derived> derivedSizes;
  /// Of tensors of integers on the tape: what all elements are below, none of which is negative
  /// (ElementBounds.h).
  llvm::DenseMap<ValueId, sym::Expr> elementsBelow;
  /// Which object a joined view is on each side.
  using MadeBySide = llvm::SmallVector<std::pair<unsigned, ValueId>, 4>;
  struct JoinedView {
    uint64_t join;
    MadeBySide sides;
  };
  llvm::DenseMap<ValueId, JoinedView> joinedViews;
  /// Views taken out of lists: which objects they are is not known.
  llvm::DenseSet<ValueId> listedViews;
  uint64_t viewJoins = 0; ///< joins so far

  /// What the running instruction recorded, so that it is found again after a fork.
  struct LogEntry {
    TapeOp op;
    uint16_t aten;
    std::vector<TapeArg> args, attrs;
    std::vector<ValueId> results;
  };
  std::vector<LogEntry> log;

  llvm::DenseMap<ObjectId, uint32_t> depths;
  llvm::DenseMap<sym::SymbolId, SymbolBinding> bindings;
  llvm::DenseMap<ValueId, sym::Expr> scalarSizes;
  /// How a run-time int was computed of others.
  struct IntOperation {
    BinaryOp op;
    Value a, b;
  };
  llvm::DenseMap<ValueId, IntOperation> intOperations;
  /// Floats that are the quotient of two sizes, correctly rounded.
  struct Quotient {
    sym::Expr dividend, divisor;
  };
  llvm::DenseMap<ValueId, Quotient> quotients;
  /// Of which type the elements were that numbers have been read from.
  llvm::DenseMap<ValueId, DType> itemTypes;
  /// Symbols made by freshSize that wait for the operation that decides them.
  std::vector<sym::SymbolId> unboundSizes;
  std::vector<sym::Expr> sizeExprs;
  std::vector<TensorLiteral> literals;

  struct WeightMeta {
    ptc::DType dtype = ptc::DType::Float32;
    std::vector<int64_t> sizes;
  };
  /// The tensors of the weight file, by state-dict name.
  llvm::StringMap<WeightMeta> weightTable;
  std::vector<std::string> usedWeights;
  /// What the program itself loaded, beside the weight file.
  std::vector<NamedTensor> loadedWeights;
  llvm::DenseSet<ValueId> loadedValues; ///< that stand for these
  /// Names that the file lacks, with the storage that they wait for.
  std::vector<std::pair<std::string, ObjectId>> missingWeights;
  llvm::DenseSet<ObjectId> boundStorages;
  std::vector<Diagnostic> weightProblems;
  /// Storages that became elements of run-time lists: writing them is refused.
  llvm::DenseSet<ObjectId> frozenStorages;
  /// Storages of what was taken out of such a list whose elements may share memory with others.
  llvm::DenseSet<ObjectId> sharedElements;
  /// Storages of results that are copies here, and views for some sizes in eager; and of what they
  /// show then. Nobody can tell as long as neither is written to, asked which object or memory it
  /// is, kept over calls, or left to the caller beside another that may be of the same memory.
  struct MaybeViews {
    llvm::DenseSet<ObjectId> views, bases;
    bool isOfArgument = false; ///< a base is older than the call
  } maybeViews;
  /// Storages of which some tensor may have other strides in eager, of dimensions of one element.
  /// Where real strides or exceptions follow from these (memory formats, views as another type), or
  /// where they are kept over calls, they are shown.
  llvm::DenseSet<ObjectId> looseStrides;
  /// While an entry is captured: or changes what belongs to the object, as attributes.
  bool writesTensors = false;
};

class Engine : public RunState {
public:
  Engine();
  /// Starts from what another engine had, and from nothing else that it did.
  Engine(Heap heap, Names names, std::unique_ptr<struct World> world);
  ~Engine();
  Engine(const Engine &) = delete;

  Heap heap;
  Names names;
  Limits limits;
  TapeBlock top;           ///< what runs once, when a context is made
  TapeBlock *block = &top; ///< where operations are recorded now

  // Names ---------------------------------------------------------------------------------------

  NameId intern(llvm::StringRef text);
  llvm::StringRef nameText(NameId name) const { return names.texts[name]; }

  // The pending state (Pending.cpp) ---------------------------------------------------------------

  /// A frame was entered; its result will be treated as the call's action says.
  static Value called() { return Value::null(); }
  static bool isCalled(const Value &v) { return v.is(Kind::Null); }

  /// Raises a builtin exception with one string argument.
  FailAny raise(WellKnown cls, const llvm::Twine &text);
  /// Raises an exception object.
  FailAny raiseValue(Value exception);
  /// Refuses to compile: reported with the place of the current instruction; capture goes on.
  FailAny refuse(Diagnostic diag);
  /// What is computed depends on an opaque value; poison was reported already.
  FailAny refuseOpaque(const Value &opaque);
  /// Is it a module, class or function of which only the name is known?
  static bool existsAsName(const Value &opaque);
  /// Are two values, one of them opaque, one object? None: that is not known.
  std::optional<bool> sameObject(const Value &a, const Value &b);
  /// The same as a value; refused where it is not known.
  Value opaqueEquals(const Value &a, const Value &b);
  /// isinstance(v, cls) where one of them is opaque.
  Value isOpaqueInstance(const Value &v, const Value &cls);
  /// Stands for the result of what was refused.
  static Value poison(uint32_t refusal = 0);
  /// Is it poison, or a list or tuple with poison in it?
  bool isPoison(const Value &v) const;
  template <typename... Args> FailAny refuse(DiagId id, Args &&...args) {
    return refuse(makeDiagnostic(id, here(), std::forward<Args>(args)...));
  }
  /// The exception object of a pending raise.
  Value exceptionOf(const Pending &pending);
  /// Reports a limit that was hit, at the current place.
  void reportLimit(DiagId id, uint64_t limit);
  /// Reports a loop that does not close, and what kept changing.
  void reportLoop(ObjectId frame, uint32_t ip, llvm::StringRef changing);
  /// Reports state that does not close over calls; `at`: the line that changes it, if it is known.
  void reportState(llvm::StringRef changing, const SourceLoc &at);
  SourceLoc locationOf(ObjectId frame, uint32_t ip) const;
  SourceLoc locationOfSource(SourceId source) const;
  /// Where an exception was raised.
  SourceLoc raisedAt(const Value &exception) const;
  /// repr-like text of any value, for diagnostics.
  std::string describeConstant(const Value &v) const;
  std::string describeObject(ObjectId id) const;
  /// Name of the slot that a head state's row came from.
  std::string stateName(const HeadState &state, size_t row) const;
  /// "self.cache", "local 'h'", "element of a list": how a diagnostic names a slot.
  std::string describeSlot(SlotKey slot) const;
  /// Where the user's program stands: the innermost frame that is not the prelude's; `entryAt`
  /// between the calls of the entry.
  SourceLoc here() const;
  /// A provenance row for the current instruction.
  SourceId sourceHere();

  // Facts and decisions (Facts.cpp) ---------------------------------------------------------------

  /// Forks on a choice that the path does not know, until it is none.
  Value decide(Value v);
  /// Replaces a choice that the path has decided.
  Value known(const Value &v) const;
  /// Content of a slot that exists here: alternatives that are absent are impossible on this path.
  Value presentValue(const Value &v);
  /// Which case of selector `sel` in 0..n-1 holds: from the facts, or by a fork here.
  std::optional<uint32_t> settle(ValueId sel, uint32_t n);
  uint64_t possible(ValueId sel, uint64_t cases) const;
  void assume(ValueId sel, uint32_t value);
  /// One of these cases holds from here on.
  void restrict(ValueId sel, uint64_t cases);
  /// A constant looked up by a selector; facts about one are facts about the other.
  Value mapOf(ValueId sel, llvm::ArrayRef<Value> table);
  /// The constants that `id` is made of by a selector, and the selector; null if it is not.
  const std::vector<Value> *tableOf(ValueId id, ValueId &sel) const;
  /// The selector that `id` follows from by tables; `id` itself if it follows from none.
  ValueId rootOf(ValueId id) const;
  /// A selector from a selector, recorded in `block`; the identity gives `sel` itself.
  ValueId mapIn(TapeBlock &block, ValueId sel, llvm::ArrayRef<int64_t> table);
  /// `id` is a constant for each case of `sel`: yields by case.
  void deriveFrom(ValueId id, ValueId sel, const std::map<int64_t, TapeArg> &yields);
  /// Are two views of a storage one Python object (TensorNode::made)? None: on some sides of a
  /// join.
  std::optional<bool> sameObject(ValueId a, ValueId b) const;
  /// Truth of a value that has one without calling Python: constants, scalars, sizes, tensors of
  /// one element, builtin containers. Instances go through TO_BOOL.
  std::optional<bool> truth(const Value &v);
  /// Truth as a value: Bool or a run-time bool; does not fork on a run-time scalar.
  Value truthValue(const Value &v);

  // Recording (Record.cpp)
  // --------------------------------------------------------------------------

  /// Records in the current block, or finds again what this instruction recorded before it forked.
  ValueId emit(TapeOp op, std::vector<TapeArg> args, const TapeValue &type,
               std::vector<TapeArg> attrs = {}, uint16_t aten = 0);
  ValueId emitIn(TapeBlock &block, TapeOp op, std::vector<TapeArg> args, const TapeValue &type,
                 std::vector<TapeArg> attrs = {}, uint16_t aten = 0);
  /// The same for several results.
  std::vector<ValueId> emitMany(TapeOp op, std::vector<TapeArg> args,
                                llvm::ArrayRef<TapeValue> types, std::vector<TapeArg> attrs,
                                uint16_t aten);
  /// An effect without result.
  void emitEffect(TapeOp op, std::vector<TapeArg> args, std::vector<TapeArg> attrs = {});
  /// A number as an operand: constant, scalar, or the value of a size expression.
  TapeArg operand(const Value &number);
  TapeArg operandIn(TapeBlock &block, const Value &number);
  bool recording() const { return isRecording; }

  // Frames and calls (Calls.cpp)
  // ---------------------------------------------------------------------

  ObjectId currentFrame() const { return heap.get(kMachine, slot::kCurrentFrame).asRef(); }
  const FrameInfo &frameInfo(ObjectId frame) const {
    return *static_cast<const FrameInfo *>(heap.header(frame).info);
  }
  const CanonicalCode &code(ObjectId frame) const { return *frameInfo(frame).code; }
  void push(ObjectId frame, Value v);
  Value pop(ObjectId frame);
  /// n values, deepest first.
  std::vector<Value> popN(ObjectId frame, size_t n);
  /// Key of the lowest operand.
  uint32_t stackBase(ObjectId frame) const {
    return slot::kLocals + uint32_t(code(frame).locals.size());
  }
  /// Number of callers of a frame, known even when it is not in the present state.
  uint32_t frameDepth(ObjectId frame) const { return depths.lookup(frame); }
  /// Slot of the operand `depth` below the top (0 = top).
  uint32_t stackSlot(ObjectId frame, uint32_t depth) const;
  void jump(ObjectId frame, uint32_t target) { heap.set(frame, slot::kIp, Value::ip(target)); }
  /// To the instruction that ran last.
  void runAgain(ObjectId frame) { jump(frame, heap.get(frame, slot::kIp).asIp() - 1); }

  /// Calls anything: enters a frame, or computes natively. The result is the value, fail or called.
  Value call(Value callee, CallArgs args);
  Value call(Value callee, std::vector<Value> positional, ReturnAction action = ReturnAction::Push);
  /// Calls a function of the prelude by name.
  Value callPrelude(llvm::StringRef name, std::vector<Value> positional,
                    ReturnAction action = ReturnAction::Push);
  /// Binds arguments and enters the frame of a Python function.
  Value enterFunction(ObjectId function, CallArgs &args);
  /// For handlers: pushes a finished result, does nothing for called.
  Flow finish(ObjectId frame, Value result, ReturnAction action = ReturnAction::Push,
              const Value &actionArg = Value());
  /// Enters a suspended generator's frame, sending `sent`; what it yields or returns goes to the
  /// current frame. Value: called or fail.
  Value resumeGenerator(ObjectId generator, Value sent, ReturnAction action);
  /// The generator's frame is left by return or exception: it is finished.
  void leaveGenerator(ObjectId generator);
  /// A generator returned `value` to `frame`: ends its FOR_ITER or SEND, or raises StopIteration.
  Flow generatorReturned(ObjectId frame, Value value, ReturnAction action);
  /// Adds `frame` at `ip` to the exception's traceback.
  void addTraceback(const Value &exception, ObjectId frame, uint32_t ip);

  // Objects (Objects.cpp)
  // -------------------------------------------------------------------------------

  const ClassInfo &classInfo(ObjectId cls) const {
    return *static_cast<const ClassInfo *>(heap.header(cls).info);
  }
  /// type(v), as a class object.
  ObjectId typeOf(const Value &v);
  bool isSubclass(ObjectId cls, ObjectId base) const;
  ObjectId builtinClass(WellKnown name) const;
  /// First hit along the MRO, Absent if none.
  Value lookupInClass(ObjectId cls, NameId name);
  /// The attribute, fail (AttributeError), or called (property, __getattr__).
  Value getAttr(const Value &object, NameId name);
  Value setAttr(const Value &object, NameId name, Value value);
  Value deleteAttr(const Value &object, NameId name);
  ObjectId makeClass(ClassInfo info);
  ObjectId makeModule(llvm::StringRef name, llvm::StringRef file, bool prelude);
  Value makeException(ObjectId cls, std::vector<Value> args);
  Value makeList(std::vector<Value> items);
  Value makeDict(std::vector<Value> keysAndValues);
  /// Elements of a tuple, range or list object of known length; fail on anything else.
  std::optional<llvm::SmallVector<Value, 4>> sequenceItems(const Value &v);
  /// The builtin value inside an instance of a class derived from int, str, tuple …; others as they
  /// are.
  Value unboxed(const Value &v) const;

  // Numbers known at run time (Numbers.cpp). At least one operand is a Scalar or a Size, the other
  // a number.

  Value numberBinary(BinaryOp op, const Value &a, const Value &b);
  Value numberCompare(CompareOp op, const Value &a, const Value &b);
  Value numberNegate(const Value &a);
  Value numberAbs(const Value &a);
  /// int(), float(), bool() of a run-time number, without a fork.
  Value numberCast(const Value &a, ScalarType to);
  /// A function of the math module on run-time numbers ("sqrt", "floor").
  Value numberMath(llvm::StringRef function, llvm::ArrayRef<Value> args);
  Value numberOrConstantCompare(CompareOp op, const Value &a, const Value &b);
  Value numberPower(const Value &a, const Value &b);
  Value promote(const Value &v, ScalarType type, bool keepInts);
  /// Truth of strings, containers and other constants: Bool or fail.
  Value containerTruth(const Value &v);
  /// Decides a comparison of input sizes by the example, keeping a guard.
  std::optional<bool> guardSizes(CompareOp op, sym::Expr a, sym::Expr b, llvm::StringRef why);
  /// The program sees which object a tensor is, or that two are different: a guard that arguments
  /// are.
  void guardIdentity(const Value &tensor);
  void guardDistinct(const Value &a, const Value &b);
  /// Decides a comparison of sizes: proven, by a guard on input sizes, or by a fork.
  std::optional<bool> decideSizes(CompareOp op, sym::Expr a, sym::Expr b, llvm::StringRef why);

  // Tensors (Tensors.cpp, TensorOps.cpp, TensorIndex.cpp)

  /// A tensor, or a choice of tensors only.
  bool isTensorLike(const Value &v) const;
  /// Calls the overload set behind a Python spelling ("torch.add", "Tensor.sum"), or behind an ATen
  /// name ("aten.leaky_relu").
  Value callTorch(llvm::StringRef spelling, CallArgs &args);
  Value tensorBinary(BinaryOp op, const Value &a, const Value &b, bool inPlace);
  Value tensorCompare(CompareOp op, const Value &a, const Value &b);
  Value tensorUnary(llvm::StringRef method, const Value &a);
  /// Metadata of a tensor ("shape", "T", "device"); Absent if it is none.
  Value tensorAttr(const Value &tensor, NameId name);
  Value tensorGetItem(const Value &tensor, const Value &index);
  Flow tensorSetItem(const Value &tensor, const Value &index, const Value &value);
  /// len(tensor): its first size.
  Value tensorLen(const Value &tensor);
  /// tensor.item(): a run-time scalar.
  Value tensorItem(const Value &tensor);
  /// The one element of a tensor as a run-time scalar, for a truth test.
  Value tensorTruth(const Value &v);
  Value tensorShape(const Value &tensor);
  /// torch.tensor.
  Value makeTensor(CallArgs &args);
  Value literal(TensorLiteral made);
  Value stackScalars(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Value> leaves, ptc::DType dtype);
  /// One overload by its ATen name, functional form.
  Value tensorOp(llvm::StringRef name, llvm::ArrayRef<Value> positional);
  // Run-time lists: contents of a list object that are a TensorList.
  Value runTimeListLength(const Value &contents);
  Value runTimeListGet(const Value &contents, const Value &position);
  Value runTimeListPush(const Value &contents, const Value &element);
  /// The list with another element at a position that is known to be in range.
  Value runTimeListSet(const Value &contents, const Value &position, const Value &element);
  /// One more element, or that at `at`, whose first `same` columns stay.
  Value runTimeListWith(const Value &contents, const Value &element, const Value *at,
                        size_t same = 0);
  Value runTimeListDrop(const Value &contents);
  /// `at`: in place of the element there; null: behind all.
  std::optional<ValueId> pushToColumn(ValueId column, const Value &leaf, bool &shared,
                                      const Value *at = nullptr);
  /// Replaces a parameter's or buffer's contents by those of the weight file. Bool: is it there?
  Value bindWeight(llvm::StringRef name, const Value &tensor);
  ValueId contentsWith(const TensorNode &view, ValueId weight); ///< of its storage, then
  bool hasAtenName(llvm::StringRef base) const;
  Value newTensor(ValueId id);
  /// A tensor, or a choice of tensors that read alike; any other choice is decided.
  Value readable(const Value &v);
  /// SSA value of a readable tensor's elements now.
  ValueId readTensor(const Value &v);
  /// What a storage holds, of a type that says which sizes this path has decided.
  ValueId contentsOf(ObjectId storage);
  /// Where a view begins in what its storage holds, as an index into sizeExprs: elements, if sizes
  /// of inputs say it. None, too, where its steps are of known sizes alone, and say all.
  std::optional<int64_t> offsetInContents(const TensorNode &t);
  /// Notes that the tensors in `result`, which are copies, may be views of `base` in eager.
  void noteMaybeViews(const Value &result, const Value &base);
  /// Somebody asks which object, or which memory, a tensor is.
  void noteIdentityShown(const Value &tensor) {
    shows.sharing |= maybeViews.views.contains(asTensor(tensor).storage);
  }
  /// The steps from a storage to this view, as the operand of AtenView and Scatter.
  TapeArg stepsIn(TapeBlock &into, const TensorNode &view);
  /// Replaces the elements that a tensor views.
  Flow writeTensor(const Value &target, ValueId contents);
  Value castTensor(ValueId id, ptc::DType to);
  TapeArg stepArgIn(TapeBlock &into, const Value &v);
  /// Writes what an overload set returned to the tensors of `out=`.
  Value writeOut(llvm::StringRef spelling, const Value &result, const Value &out);
  /// An overload that updates arguments: recorded in value form, then written to them.
  Value callUpdating(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                     TensorCall &call);
  Value callOnRunTimeList(llvm::StringRef spelling, CallArgs &args);
  Value callFunctional(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                       TensorCall &call);
  Value callInPlace(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound, TensorCall &call);
  std::vector<ValueId> recordAten(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                                  TensorCall &call, const aten::MetaResult &meta);
  Value packResults(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound, TensorCall &call,
                    const aten::MetaResult &meta, llvm::ArrayRef<ValueId> ids);
  Value viewOf(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound, TensorCall &call,
               const Value &base, const aten::TensorResult &result, std::optional<size_t> element,
               const aten::ResultValue &all);
  FailAny metaFailed(const aten::MetaResult &meta, const aten::OpInfo &op);
  /// Modes that differ between sides of a join become known: forks. Before each instruction that
  /// may ask for them.
  Flow decideModes();
  ptc::DType defaultDType() const;
  bool isGradEnabled() const;
  /// A size that a recorded operation will decide; bound by bindFreshSizes.
  sym::Expr freshSize(int64_t lower, sym::Expr upper);
  sym::Expr unbackedSize(int64_t lower, std::optional<int64_t> upper);
  void bindFreshSizes(llvm::ArrayRef<ValueId> results);

  // The Python side (Pending.cpp, Calls.cpp, Generators.cpp, Text.cpp, Opaque.cpp)

  /// Results of cached functions in calls of the entry; null: caches are state, or nothing is
  /// captured.
  std::unique_ptr<class CallCaches> caches;
  /// Loops of an entry that sizes count; null: nothing is captured.
  std::unique_ptr<class SizeLoops> sizeLoops;
  std::unique_ptr<class TensorHolders> tensorHolders; ///< made where it is needed first
  std::unique_ptr<class Folder> folder;               ///< made where it is needed first
  /// Builtin classes, code records and the like (Objects.h).
  std::unique_ptr<struct World> world;
  /// Raises an exception object for the first time: the one being handled becomes its context.
  FailAny raiseNew(Value exception);
  /// To the handler of the frame, or to the pseudo-instruction that leaves it.
  void unwind(ObjectId frame, uint32_t ip, Value exception);
  void setFrameDepth(ObjectId frame, uint32_t depth) { depths[frame] = depth; }
  /// What a slot of a variable holds; decides a choice that has "unbound" among its alternatives.
  Value boundValue(const Value &v);
  /// Not, of a Bool or run-time bool.
  Value notValue(const Value &truth);
  Value throwInto(ObjectId generator, Value exception);
  /// Where the generator goes on; decides it if sides left it at different places.
  std::optional<GenPoint> generatorPoint(ObjectId generator);
  void suspendAtStart(ObjectId generator);
  /// The generator ends without having run to its end.
  void finishGenerator(ObjectId generator);
  void suspend(ObjectId generator);
  Value generatorRaised(Value exception, ObjectId generator);
  void finishSend(ObjectId frame, const Instr &send, Value value);
  /// The class and object that super() without arguments means.
  Flow implicitSuper(Value &cls, Value &object);
  /// How many items an unpacking reads at most: -1 for all.
  int64_t unpackLimit(ObjectId frame) const;
  Flow listAppend(const Value &list, const Value &v);
  /// An int or size as a constant, with a guard if it is an input's size.
  Value constantIndex(const Value &v);
  std::optional<int64_t> exampleSize(sym::Expr e);
  Value opaqueAttr(const Value &opaque, NameId name);
  Value callOpaque(const Value &opaque, CallArgs &args);
  /// Refuses a call that could change what the program goes on with.
  Flow checkOpaqueCall(const Value &callee, const CallArgs &args);
  /// What a computation with an opaque operand gives.
  /// What an operator or a subscript of something unknown gives. `makesType`: of classes that is a
  /// type again, as for `[…]` and `|`.
  Value opaqueItem(const Value &opaque, const Value &with, bool makesType = false);
  /// Strings with run-time parts: `conversion` is 's' or 'r'.
  Value templateOf(const Value &v, char conversion, llvm::StringRef spec);
  Value templateConcat(const Value &a, const Value &b);
  Value recordPrint(llvm::ArrayRef<Value> parts, bool toStderr);
  Value printParts(llvm::ArrayRef<Value> parts, bool toStderr);
  Value callTorchValue(const Value &torchOp, CallArgs &args);

  // Sizes (Sizes.cpp)
  // -------------------------------------------------------------------------------

  /// A fresh run-time size bound to an int or to a dimension of a tensor on the tape.
  sym::Expr bindSize(SymbolBinding binding, int64_t lower = 0);
  /// The result in the algebra of sizes; unsupported for operations that it has not.
  sym::Expr sizeArithmetic(BinaryOp op, sym::Expr x, sym::Expr y);
  /// A fresh run-time size with the bounds of another.
  sym::Expr boundedSize(SymbolBinding binding, sym::Expr like);
  /// Were all run-time symbols of `e` made before tape value `before`?
  bool sizeKnownBefore(sym::Expr e, ValueId before) const;
  const SymbolBinding *bindingOf(sym::SymbolId symbol) const;
  sym::Context &sizes() { return *sizeContextOwner; }
  sym::Context &sizeContext() const { return *sizeContextOwner; }
  TapeArg sizeOperand(TapeBlock &block, sym::Expr e);
  int64_t sizeExprIndex(sym::Expr e);
  /// The size expression whose value a run-time int has: sums and multiples of others keep what
  /// relates them to those, so that `x[i : i + 2]` has a length; remainders keep their bounds.
  sym::Expr sizeOfScalar(ValueId scalar, int64_t lower = sym::Interval::kMin);
  /// The value of a number on the tape that constants decide; in a call only where the entry
  /// cannot be captured without (`folds`), and of no float. Absent: the run decides it.
  Value foldedNumber(ValueId number, ScalarType type);
  /// Gives results on the tape the sizes that elements of constants decide, likewise.
  Flow foldSizes(llvm::ArrayRef<ValueId> results);
  /// Refuses sizes of that time that the run decides: a call has no names for them.
  Flow checkImported(llvm::ArrayRef<sym::Expr> sizes);
  /// Sizes for each case of the selector that decides them; a case that none of them has is empty.
  /// Without run-time sizes: one case and no selector.
  struct SizeCases {
    ValueId selector = 0;
    std::vector<llvm::SmallVector<sym::Expr, 4>> cases;
  };
  /// None: they do not follow from one selector.
  std::optional<SizeCases> casesOf(llvm::ArrayRef<sym::Expr> sizes);
  /// The same size in terms of what this path has decided.
  sym::Expr settledSize(sym::Expr size);
  /// As settledSize(), for sizes and strides; do any become others?
  bool settleSizes(llvm::SmallVectorImpl<sym::Expr> &sizes);
  /// A comparison whose answer each case of a selector says, as tensors of different layouts meet;
  /// Absent: none does.
  Value compareByCases(CompareOp op, sym::Expr a, sym::Expr b);
  /// Remembers a float result that is a quotient of sizes, so that its whole part stays a size.
  void noteQuotient(ValueId result, BinaryOp op, const Value &a, const Value &b);
  /// floor(v), or ceil(v), of such a quotient that is not negative, as a size; Absent: v is none.
  Value wholePart(const Value &v, bool up);
  /// Does `e` consist of input sizes alone, so that comparing it makes a guard and not a branch?
  bool isInputSize(sym::Expr e) const;
  llvm::SmallVector<sym::Expr, 4> contiguousStrides(llvm::ArrayRef<sym::Expr> sizes);
  bool isContiguous(llvm::ArrayRef<sym::Expr> sizes, llvm::ArrayRef<sym::Expr> strides);

  /// What counts as steps where they are limited: joins do, too.
  uint64_t countedSteps() const { return steps + viewJoins * limits.stepsPerJoin; }
  /// From now on sizes belong to `env`.
  void attach(sym::ShapeEnv &env);
  /// What does not fit between the program and the weight file.
  std::vector<Diagnostic> checkWeights();
  /// Was it copied into a run-time list, or out of one?
  bool isFrozen(ObjectId storage) const {
    return heap.get(storage, slot::kFrozen).bits() || frozenStorages.contains(storage);
  }

  /// What there is beside the heap and the world, to begin from it again: between instructions.
  struct Kept {
    RunState state;
    TapeBlock top;
    std::shared_ptr<sym::Context> sizes;
  };
  Kept keep() const;
  void rewind(const Kept &kept);

private:
  std::shared_ptr<sym::Context> sizeContextOwner = std::make_shared<sym::Context>();
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_ENGINE_H
