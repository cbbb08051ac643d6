//===- Join.h - Joining states -----------------------------------*- C++ -*-===//
//
// One class joins any number of states: the sides of a branch, the exits of a loop, entry and back
// edge of a loop head, the beginnings and ends of calls. It decides which objects pair, makes
// choices, and lists the run-time values that each side yields (control.md, "The join").
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_JOIN_H
#define PTC_LIB_CAPTURE_JOIN_H

#include "TurnCount.h"

#include "llvm/ADT/DenseSet.h"

#include <map>

namespace ptc::capture {

/// One region result: a new value, and what each side yields for it. Sides without an entry yield
/// undef.
struct JoinRow {
  ValueId result;
  std::map<int64_t, TapeArg> yields;

  /// What the side with this number yields; undefined where it has no value for the row.
  TapeArg yieldOf(int64_t side) const {
    auto found = yields.find(side);
    return found == yields.end() ? TapeArg::value(kUndef) : found->second;
  }
};

/// A case of a selector.
struct Way {
  ValueId selector;
  size_t number, count; ///< of so many
};

/// One state to join.
struct JoinSide {
  int64_t number;
  const Delta *delta; ///< on the heap as it stands
  TapeBlock *block;   ///< where operations that prepare its yields are put
  /// What leads to this side where `block` ends in several: else its values are undefined. Each is
  /// defined where those before it hold.
  llvm::SmallVector<Way, 1> under = {};
};

struct JoinOptions {
  ValueId before = 0;         ///< values below it were made before the sides began
  ValueId selector = kUndef;  ///< says which side ran, if there is one value that does
  bool head = false;          ///< of a loop: one form for all passes
  bool grow = false;          ///< lists that got longer become run-time lists
  const Delta *was = nullptr; ///< the head that the turn began with; null: it was the first turn
  const llvm::DenseSet<SlotKey> *forced = nullptr; ///< slots that must become region arguments
  TurnCount *count = nullptr;    ///< of a loop's head; null: nothing counts its turns
  std::optional<EndOfCount> end; ///< behind a loop
};

/// The place of `row` in `table`, which gets it if it is not there.
template <typename Row> int64_t rowOf(std::vector<Row> &table, const Row &row) {
  auto found = llvm::find(table, row);
  int64_t place = found - table.begin();
  if (found == table.end())
    table.push_back(row);
  return place;
}

class Joiner {
public:
  Joiner(Executor &executor, std::vector<JoinSide> sides, ExitKey key, std::vector<JoinRow> &rows,
         JoinOptions options);

  /// Fills `out` and appends to the rows. False: refused (a diagnostic was reported).
  bool run();

  /// Sides `parts` stand for side `number` by the alternatives of a selector: one yield for all.
  void pickYields(JoinRow &row, int64_t number, TapeBlock &block, ValueId selector,
                  llvm::ArrayRef<int64_t> parts);

  Delta out; ///< the joined state, on the heap as it stands

  /// Values of one slot: index of the side, value.
  using PerSide = llvm::SmallVector<std::pair<unsigned, Value>, 4>;

private:
  using ObjectIds = llvm::SmallVector<std::pair<unsigned, ObjectId>, 4>;

  struct SideState {
    llvm::DenseSet<ObjectId> reach;
    llvm::DenseMap<ObjectId, llvm::SmallVector<uint32_t, 4>> changed; ///< keys in the delta
    llvm::DenseMap<ObjectId, ObjectId> taken;                         ///< object → what it became
    llvm::SmallVector<std::pair<uint32_t, Value>, 4> facts;           ///< what it decided
  };

  bool reaches(unsigned side, ObjectId id) const;
  bool oneSided(ObjectId id) const;
  Value read(unsigned side, SlotKey slot) const;
  std::vector<std::pair<uint32_t, Value>> slotsOf(unsigned side, ObjectId id) const;
  void joinSlot(SlotKey slot);
  bool isRestored(SlotKey slot, const PerSide &values) const;
  Value joinSlotValue(SlotKey slot, const PerSide &values);
  void joinFact(SlotKey slot);
  bool holdsObjectEverywhere(SlotKey slot) const;

  template <typename AskT> auto underFacts(unsigned side, AskT ask) const;
  Value knownOn(unsigned side, const Value &value) const;
  uint64_t possibleOn(unsigned side, const Value &value) const;
  std::optional<Value> onlyCase(ValueId selector, llvm::ArrayRef<Value> table) const;
  Value join(const PerSide &given, std::optional<SlotKey> slot = std::nullopt);
  std::optional<Value> joinAlike(const PerSide &values, std::optional<SlotKey> slot);
  Value joinNumbers(const PerSide &values, bool force);
  Value joinRaw(const PerSide &values, bool force);
  Value joinParts(const PerSide &values);
  std::optional<Value> joinTensors(const PerSide &values);
  // JoinLists.cpp
  std::optional<Value> joinGrowing(const PerSide &values, std::optional<SlotKey> slot);
  bool becameLonger(const PerSide &values, SlotKey slot) const;
  bool listsOnly(const PerSide &values, std::optional<SlotKey> slot) const;
  void joinOffsets(TensorNode &joined, const PerSide &values);
  std::optional<Value> joinToList(const PerSide &values, ObjectKind kind);
  std::optional<Value> joinToListOf(const PerSide &values, ObjectKind kind);
  bool keepsStorages(const PerSide &values, const Value &form) const;
  std::vector<TapeArg> makeUnder(const JoinSide &side, llvm::ArrayRef<TapeValue> types,
                                 llvm::function_ref<std::vector<TapeArg>(TapeBlock &)> make);
  std::optional<Value> joinLaid(const PerSide &values, std::optional<SlotKey> slot);
  bool mayShow(unsigned side, ObjectId list, const Value &contents) const;
  ValueId joinMade(const PerSide &values);
  /// Sizes or strides, which are never negative.
  sym::Expr joinSizes(llvm::ArrayRef<std::pair<unsigned, sym::Expr>> sizes);
  /// Gives a tensor that is the whole of its storage the sizes of the joined contents.
  bool sizeAsContents(TensorNode &node) const;
  /// What decides on a side which row of a table it has; without a selector: one place.
  struct SidePlaces {
    int64_t side;
    ValueId selector;
    std::vector<int64_t> places;
  };
  /// A selector over the rows that all sides have in all of their cases.
  TapeArg selectorOver(llvm::ArrayRef<SidePlaces> sidePlaces);
  void deriveNested(ValueId id, TapeType type, const std::map<int64_t, TapeArg> &yields);
  /// Sizes and strides of one tensor on each side.
  using LayoutBySide = std::vector<std::pair<int64_t, llvm::SmallVector<sym::Expr, 8>>>;
  void deriveLayout(llvm::ArrayRef<sym::Expr> joined, const LayoutBySide &bySide);
  void joinTypes(ValueId id, const std::map<int64_t, TapeArg> &yields);
  /// A size by the number of the side.
  using SizeBySide = llvm::SmallVector<std::pair<int64_t, sym::Expr>, 4>;
  /// The symbol of what is these sizes on the sides; `make` gives the first one.
  sym::Expr sharedSize(SizeBySide bySide, llvm::function_ref<sym::Expr()> make);
  void shareSize(ValueId joined, const PerSide &values);
  sym::Expr joinedFormula(const PerSide &values);
  /// What these sizes are in a loop's head by the count of turns, or behind its end; unsupported:
  /// that is not known.
  sym::Expr knownSize(const SizeBySide &bySide);
  // TurnCount.cpp
  void joinCount();
  /// What is these sizes on the sides, by number of the side, as a formula of the count of turns;
  /// unsupported: it does not grow evenly.
  sym::Expr evenGrowth(llvm::ArrayRef<std::pair<int64_t, sym::Expr>> bySide);
  /// The same for the length of lists; behind a join, of lists that are equally long on all sides.
  sym::Expr evenLength(const PerSide &lists);
  /// A size behind the loop that has ended; unsupported: it was not known before.
  sym::Expr atEnd(sym::Expr size) const;
  /// What is the same on all sides there; unsupported: it differs, or was not known before.
  sym::Expr sameAtEnd(llvm::ArrayRef<std::pair<int64_t, sym::Expr>> bySide) const;

  Value carry(unsigned side, const Value &value);
  // JoinOrder.cpp
  std::optional<std::vector<uint32_t>> namesOn(unsigned side, ObjectId id) const;
  Value joinNameOrder(const ObjectIds &ids, llvm::ArrayRef<uint32_t> created) const;
  void joinNameOrders(llvm::ArrayRef<SlotKey> slots);
  void setNameOrder(ObjectId joined, const ObjectIds &ids);
  bool isNameOrder(SlotKey slot) const {
    return slot.key == kNameOrder && e.heap.hasNames(slot.object);
  }

  void refuseDepth();
  ObjectId carryObject(unsigned side, ObjectId id);
  bool waitsFor(unsigned side, SlotKey slot) const;
  ObjectId pairObjects(const ObjectIds &ids);
  bool mayPair(const ObjectIds &ids) const;
  bool waitAlike(const ObjectIds &ids) const;
  bool sameForm(const ObjectIds &ids) const;
  bool sameContents(ValueId a, ValueId b) const;

  /// Do the arguments of the views join to numbers, not to choices?
  static bool sameStepForm(const PerSide &values);
  /// Composites of one kind whose parts may be joined one by one.
  static bool sameHead(const Value &a, const Value &b);

  // JoinChoice.cpp
  Value choose(const PerSide &values, std::optional<SlotKey> slot);
  void orderAlternatives(std::vector<Value> &alternatives, std::vector<int64_t> &number) const;
  Value makeChoice(const PerSide &values,
                   const std::map<std::pair<unsigned, size_t>, size_t> &place,
                   llvm::ArrayRef<int64_t> number, std::vector<Value> final);
  /// `pairsExceptions`: two of these may become one although no loop asks for it.
  bool mergeable(const PerSide &group, const PerSide &equal, bool pairsExceptions) const;
  /// As many alternatives as the slot may have.
  size_t mostChoices(std::optional<SlotKey> slot) const;
  bool isOfException = false; ///< what is being joined, and leaves the program unless it is caught

  /// A number as what side `side` yields.
  TapeArg yieldOf(unsigned side, const Value &number);
  /// The region result for these yields, or the common value if they are the same.
  TapeArg result(std::map<int64_t, TapeArg> yields, TapeValue type, bool force = false);

  Executor &x;
  Engine &e;
  std::vector<JoinSide> sides;
  std::vector<SideState> states;
  ExitKey key;
  std::vector<JoinRow> &rows;
  JoinOptions options;
  bool failed = false;
  uint32_t level = 0; ///< of the value that is being joined in what it is part of
  llvm::DenseMap<size_t, llvm::SmallVector<size_t, 1>> rowByContent;
  std::map<ObjectIds, ObjectId> pairs;
  uint64_t serial; ///< of this join, for joinedViews
  std::map<Engine::MadeBySide, ValueId> madeOf;
  /// Joined sizes: what is equal on each side is equal behind the join.
  std::vector<std::pair<SizeBySide, sym::Expr>> joinedSizes;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_JOIN_H
