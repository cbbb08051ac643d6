//===- CallMemos.cpp - State that no result of a call depends on ---------------------===//
//
// In: what calls leave behind. Out: the part of it that consists of constants, and whether two
// calls did the same up to the names of values and objects.
//
//===----------------------------------------------------------------------===//
#include "CallMemos.h"
#include "Modes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace ptc::capture;
namespace sym = ptc::sym;

namespace {
/// Slots by object.
using ObjectSlots = llvm::DenseMap<ObjectId, llvm::SmallVector<std::pair<uint32_t, Value>, 4>>;

ObjectSlots slotsByObject(const Delta &delta) {
  ObjectSlots slots;
  for (const auto &[slot, value] : delta)
    if (slot.key != kExists && !value.isAbsent())
      slots[slot.object].emplace_back(slot.key, value);
  return slots;
}

bool isNew(const Delta &delta, ObjectId id) { return delta.contains({id, kExists}); }

/// Are two states, or two recordings, the same up to the names of values and objects?
class Likeness {
public:
  explicit Likeness(Engine &e) : e(e) {}

  bool alike(const TapeBlock &a, const TapeBlock &b);
  bool alike(const Delta &a, const Delta &b);
  bool name(ValueId a, ValueId b) {
    auto [known, isFresh] = values.try_emplace(a, b);
    return isFresh ? named.insert(b).second : known->second == b;
  }

private:
  bool sameValue(ValueId a, ValueId b) const {
    auto known = values.find(a);
    return known == values.end() ? a == b && !named.contains(b) : known->second == b;
  }
  bool alike(sym::Expr a, sym::Expr b) const;
  bool alike(const TapeArg &a, const TapeArg &b) const;
  bool alike(const TapeInstr &a, const TapeInstr &b);
  bool alikeAttrs(const TapeInstr &a, const TapeInstr &b) const;
  bool alike(const TapeValue &a, const TapeValue &b) const {
    return a.type == b.type && a.number == b.number && a.dtype == b.dtype &&
           a.requiresGrad == b.requiresGrad && a.device == b.device && allAlike(a.sizes, b.sizes) &&
           allAlike(a.strides, b.strides);
  }
  bool defines(llvm::ArrayRef<ValueId> a, llvm::ArrayRef<ValueId> b);
  bool sameObject(ObjectId a, ObjectId b);
  bool alike(const Value &a, const Value &b);
  bool alikeTensors(const TensorNode &a, const TensorNode &b);
  template <typename RangeT> bool allAlike(const RangeT &a, const RangeT &b) {
    return llvm::equal(a, b, [&](const auto &x, const auto &y) { return alike(x, y); });
  }
  bool allAlike(llvm::ArrayRef<sym::Expr> a, llvm::ArrayRef<sym::Expr> b) const {
    return llvm::equal(a, b, [&](sym::Expr x, sym::Expr y) { return alike(x, y); });
  }

  /// Values that lie deeper in others count as different.
  static constexpr unsigned kDeepest = 100;

  Engine &e;
  unsigned level = 0;
  llvm::DenseMap<ValueId, ValueId> values;
  llvm::DenseSet<ValueId> named;
  // Of the states that are being compared.
  const Delta *left = nullptr, *right = nullptr;
  llvm::DenseMap<ObjectId, ObjectId> objects;
  llvm::DenseSet<ObjectId> paired;
  std::vector<std::pair<ObjectId, ObjectId>> open;
};
} // namespace

// Recordings -------------------------------------------------------------------------------------

/// Symbols of a run stand for the values that they are bound to.
bool Likeness::alike(sym::Expr a, sym::Expr b) const {
  if (a.isConstant() || b.isConstant() || !a.isSupported() || !b.isSupported())
    return a == b;
  llvm::SmallVector<sym::SymbolId, 4> others = e.sizes().symbolsOf(b);
  auto renamed = [&](sym::SymbolId symbol) {
    const SymbolBinding *binding = e.bindingOf(symbol);
    const auto *other = llvm::find_if(others, [&](sym::SymbolId candidate) {
      const SymbolBinding *by = e.bindingOf(candidate);
      return binding && by && by->dimension == binding->dimension &&
             sameValue(binding->value, by->value) &&
             e.sizes().symbolInfo(symbol).bounds() == e.sizes().symbolInfo(candidate).bounds();
    });
    return e.sizes().symbol(other == others.end() ? symbol : *other);
  };
  return e.sizes().substitute(a, renamed) == b;
}

bool Likeness::alike(const TapeArg &a, const TapeArg &b) const {
  if (a.kind != b.kind)
    return false;
  if (a.isValue())
    return sameValue(a.id(), b.id());
  if (a.kind == TapeArg::Kind::List)
    return llvm::equal(a.items, b.items, [&](const auto &x, const auto &y) { return alike(x, y); });
  return a == b;
}

bool Likeness::defines(llvm::ArrayRef<ValueId> a, llvm::ArrayRef<ValueId> b) {
  return llvm::equal(a, b, [&](ValueId x, ValueId y) {
    // Sizes may be those of the value itself.
    return name(x, y) && alike(e.tape.type(x), e.tape.type(y));
  });
}

bool Likeness::alikeAttrs(const TapeInstr &a, const TapeInstr &b) const {
  const bool isOfSize = a.op == TapeOp::SizeExpr || a.op == TapeOp::AtenView;
  if (isOfSize && !a.attrs.empty() && !b.attrs.empty())
    return alike(e.sizeExprs[size_t(a.attrs[0].asInt())], e.sizeExprs[size_t(b.attrs[0].asInt())]);
  return llvm::equal(a.attrs, b.attrs, [&](const auto &x, const auto &y) { return alike(x, y); });
}

bool Likeness::alike(const TapeInstr &a, const TapeInstr &b) {
  if (a.op != b.op || a.aten != b.aten || !allAlike(a.args, b.args) || !alikeAttrs(a, b))
    return false;
  bool same = llvm::equal(a.regions, b.regions,
                          [&](const auto &x, const auto &y) { return alike(*x, *y); });
  return same && defines(a.results, b.results);
}

bool Likeness::alike(const TapeBlock &a, const TapeBlock &b) {
  return defines(a.args, b.args) && allAlike(a.instrs, b.instrs) && allAlike(a.yields, b.yields);
}

// States -----------------------------------------------------------------------------------------

bool Likeness::sameObject(ObjectId a, ObjectId b) {
  bool isLeftNew = isNew(*left, a);
  if (isLeftNew != isNew(*right, b))
    return false;
  if (!isLeftNew)
    return a == b;
  auto [known, isFresh] = objects.try_emplace(a, b);
  if (!isFresh)
    return known->second == b;
  open.emplace_back(a, b);
  return paired.insert(b).second;
}

bool Likeness::alikeTensors(const TensorNode &a, const TensorNode &b) {
  auto sameStep = [&](const ViewStep &x, const ViewStep &y) {
    return x.op == y.op && allAlike(x.args, y.args);
  };
  return sameObject(a.storage, b.storage) && llvm::equal(a.steps, b.steps, sameStep) &&
         (!a.made == !b.made) && (!a.made || sameValue(a.made, b.made) || name(a.made, b.made)) &&
         a.dtype == b.dtype && allAlike(a.sizes, b.sizes) && allAlike(a.strides, b.strides) &&
         alike(a.offset, b.offset) && a.isOffsetKnown == b.isOffsetKnown && a.device == b.device &&
         a.requiresGrad == b.requiresGrad && a.isParameter == b.isParameter;
}

bool Likeness::alike(const Value &a, const Value &b) {
  llvm::SaveAndRestore here(level, level + 1);
  if (level > kDeepest || a.kind() != b.kind() || a.sub() != b.sub())
    return false;
  switch (a.kind()) {
  case Kind::Ref:
    return sameObject(a.asRef(), b.asRef());
  case Kind::Raw:
    return sameValue(a.asRaw(), b.asRaw());
  case Kind::Scalar:
    return sameValue(a.scalarId(), b.scalarId());
  case Kind::Size:
    return alike(a.asSize(), b.asSize());
  case Kind::Tensor:
    return alikeTensors(asTensor(a), asTensor(b));
  case Kind::Choice:
    return sameValue(asChoice(a).selector, asChoice(b).selector) &&
           allAlike(asChoice(a).alternatives, asChoice(b).alternatives);
  case Kind::RunTimeList:
    return asRunTimeList(a).form == asRunTimeList(b).form &&
           llvm::all_of(llvm::zip_equal(asRunTimeList(a).columns, asRunTimeList(b).columns),
                        [&](const auto &p) { return sameValue(std::get<0>(p), std::get<1>(p)); });
  default:
    return isComposite(a.kind()) ? allAlike(a.parts(), b.parts()) : a == b;
  }
}

/// Of the engine's own slots, what a call leaves for others.
static bool matters(SlotKey slot) {
  return slot.object != kFacts &&
         (slot.object != kMachine || slot.key == slot::kResult || isMode(slot.key));
}

bool Likeness::alike(const Delta &a, const Delta &b) {
  left = &a;
  right = &b;
  objects.clear();
  paired.clear();
  open.clear();
  size_t numOld = 0;
  for (const auto &[slot, value] : b)
    numOld += !isNew(b, slot.object) && matters(slot);
  for (const auto &[slot, value] : a) {
    if (isNew(a, slot.object) || !matters(slot))
      continue;
    auto other = b.find(slot);
    if (other == b.end() || !alike(value, other->second))
      return false;
    --numOld;
  }
  if (numOld)
    return false;
  ObjectSlots slots = slotsByObject(a), others = slotsByObject(b);
  while (!open.empty()) {
    auto [x, y] = open.back();
    open.pop_back();
    const ObjectHeader &header = e.heap.header(x), &other = e.heap.header(y);
    if (header.kind != other.kind || header.info != other.info ||
        !(header.cls == other.cls ||
          (header.cls && other.cls && sameObject(header.cls, other.cls))))
      return false;
    const auto &mine = slots[x];
    const auto &theirs = others[y];
    if (mine.size() != theirs.size())
      return false;
    for (const auto &[key, value] : mine) {
      const auto *match = llvm::find_if(theirs, [&](const auto &p) { return p.first == key; });
      if (match == theirs.end() || !alike(value, match->second))
        return false;
    }
  }
  return true;
}

// What only memos have asked for -----------------------------------------------------------------

namespace {
/// Takes out of a recording what branches give and nobody reads.
class Unread {
public:
  explicit Unread(Engine &e) : e(e) {}

  void readAtEnd(const Delta &left);
  void read(ValueId id);
  void takeOutOf(TapeBlock &body) {
    size_t before;
    do {
      before = isRead.size();
      see(body);
    } while (isRead.size() > before);
    drop(body);
  }

private:
  void read(sym::Expr size) {
    for (sym::SymbolId symbol : e.sizes().symbolsOf(size))
      if (const SymbolBinding *binding = e.bindingOf(symbol))
        read(binding->value);
  }
  void read(const Value &v);
  void read(const TapeArg &arg) {
    if (arg.isValue())
      read(arg.id());
    for (const TapeArg &item : arg.items)
      read(item);
  }
  bool isUnread(const TapeInstr &instr) const {
    return isLenient(instr.op) &&
           llvm::none_of(instr.results, [&](ValueId id) { return isRead.contains(id); });
  }
  void see(const TapeBlock &block);
  void drop(TapeBlock &block) const;

  Engine &e;
  llvm::DenseSet<ValueId> isRead;
};
} // namespace

void Unread::read(ValueId id) {
  if (!isRead.insert(id).second)
    return;
  const TapeValue type = e.tape.type(id);
  for (sym::Expr size : llvm::concat<const sym::Expr>(type.sizes, type.strides))
    read(size);
}

void Unread::read(const Value &v) {
  switch (v.kind()) {
  case Kind::Scalar:
    return read(v.scalarId());
  case Kind::Raw:
    return read(v.asRaw());
  case Kind::Size:
    return read(v.asSize());
  case Kind::RunTimeList:
    for (ValueId column : asRunTimeList(v).columns)
      read(column);
    return;
  case Kind::Choice:
    read(asChoice(v).selector);
    for (const Value &one : asChoice(v).alternatives)
      read(one);
    return;
  case Kind::Tensor:
    read(asTensor(v).made);
    for (const ViewStep &step : asTensor(v).steps)
      for (const Value &arg : step.args)
        read(arg);
    for (sym::Expr size : llvm::concat<const sym::Expr>(asTensor(v).sizes, asTensor(v).strides))
      read(size);
    return read(asTensor(v).offset);
  default:
    if (isComposite(v.kind()))
      for (const Value &part : v.parts())
        read(part);
  }
}

/// All that can be reached from what was there before, or leaves.
void Unread::readAtEnd(const Delta &left) {
  ObjectSlots slots = slotsByObject(left);
  llvm::SetVector<ObjectId> reached;
  auto see = [&](const Value &v) {
    read(v);
    forEachRef(v, [&](ObjectId id) {
      if (isNew(left, id))
        reached.insert(id);
    });
  };
  for (const auto &[slot, value] : left)
    if (!isNew(left, slot.object) && matters(slot))
      see(value);
  for (size_t i = 0; i < reached.size(); ++i)
    for (const auto &[key, value] : slots[reached[i]])
      see(value);
}

void Unread::see(const TapeBlock &block) {
  for (const TapeInstr &instr : llvm::reverse(block.instrs)) {
    if (isUnread(instr))
      continue;
    for (const TapeArg &arg : instr.args)
      read(arg);
    for (const auto &region : instr.regions) {
      for (auto [i, yield] : llvm::enumerate(region->yields))
        if (instr.op != TapeOp::Switch || isRead.contains(instr.results[i]))
          read(yield);
      see(*region);
    }
  }
}

void Unread::drop(TapeBlock &block) const {
  llvm::erase_if(block.instrs, [&](const TapeInstr &instr) { return isUnread(instr); });
  for (TapeInstr &instr : block.instrs) {
    for (const auto &region : instr.regions) {
      drop(*region);
      for (size_t i = region->yields.size(); instr.op == TapeOp::Switch && i-- > 0;)
        if (!isRead.contains(instr.results[i]))
          region->yields.erase(region->yields.begin() + ptrdiff_t(i));
    }
    if (instr.op == TapeOp::Switch)
      llvm::erase_if(instr.results, [&](ValueId id) { return !isRead.contains(id); });
  }
}

/// Of calls that are compared only.
static void dropUnread(Engine &e, CallVariant &v) {
  Unread unread(e);
  for (const Exit &exit : v.end.exits)
    unread.readAtEnd(exit.delta);
  unread.read(v.end.selector);
  unread.takeOutOf(*v.body);
}

// Memos ------------------------------------------------------------------------------------------

/// Does it hold nothing that a run decides?
static bool isConstantPart(const Value &v) {
  llvm::SmallVector<llvm::ArrayRef<Value>, 4> open{llvm::ArrayRef<Value>(v)};
  while (!open.empty())
    for (const Value &part : llvm::ArrayRef<Value>(open.pop_back_val()))
      switch (part.kind()) {
      case Kind::Scalar:
      case Kind::Size:
      case Kind::Raw:
      case Kind::Template:
      case Kind::RunTimeList:
      case Kind::Tensor:
      case Kind::Choice:
      case Kind::Opaque:
        return false;
      default:
        if (isComposite(part.kind()))
          open.push_back(part.parts());
      }
  return true;
}

/// May it be the same for all calls that find it?
static bool isConstantObject(const Engine &e, ObjectId id) {
  switch (e.heap.kind(id)) {
  case ObjectKind::Engine:
  case ObjectKind::Frame:
  case ObjectKind::Storage:
  case ObjectKind::Generator:
    return false;
  default:
    return true;
  }
}

/// New objects that can be reached from a value.
static llvm::SetVector<ObjectId> reachedFrom(const Value &v, const Delta &delta,
                                             const ObjectSlots &slots) {
  llvm::SetVector<ObjectId> reached;
  auto see = [&](ObjectId id) {
    if (isNew(delta, id))
      reached.insert(id);
  };
  forEachRef(v, see);
  for (size_t i = 0; i < reached.size(); ++i)
    if (auto found = slots.find(reached[i]); found != slots.end())
      for (const auto &[key, value] : found->second)
        forEachRef(value, see);
  return reached;
}

/// Objects whose contents the result of a call, or what it raises, shows: they are what it left.
static llvm::DenseSet<ObjectId> shownBy(const Engine &e, const Delta &delta,
                                        const ObjectSlots &slots) {
  llvm::DenseSet<ObjectId> shown;
  llvm::SmallVector<ObjectId, 8> open;
  auto see = [&](ObjectId id) {
    switch (e.heap.kind(id)) {
    case ObjectKind::List:
    case ObjectKind::Dict:
    case ObjectKind::Set:
    case ObjectKind::Iterator:
    case ObjectKind::Instance:
      if (shown.insert(id).second)
        open.push_back(id);
      break;
    default:
      break;
    }
  };
  for (const auto &[slot, value] : delta)
    if (slot.object == kMachine)
      forEachRef(value, see);
  while (!open.empty()) {
    ObjectId id = open.pop_back_val();
    if (auto found = slots.find(id); found != slots.end())
      for (const auto &[key, value] : found->second)
        forEachRef(value, see);
    if (!isNew(delta, id))
      e.heap.forEachSlot(id, [&](uint32_t, const Value &value) { forEachRef(value, see); });
  }
  return shown;
}

/// Of a value that several paths have left.
static Cases casesOf(const Engine &e, const Value &v) {
  Cases cases{kUndef, {v}};
  if (v.is(Kind::Choice))
    cases = {asChoice(v).selector, asChoice(v).alternatives};
  else if (v.is(Kind::Scalar))
    if (const std::vector<Value> *table = e.tableOf(v.scalarId(), cases.selector))
      cases.values = *table;
  // Slots that one path decides go together, whatever its selector was mapped to.
  for (ValueId from = kUndef; cases.selector != kUndef; cases.selector = from) {
    const std::vector<Value> *places = e.tableOf(cases.selector, from);
    if (!places)
      break;
    std::vector<Value> values;
    for (const Value &place : *places)
      values.push_back(place.isAbsent() ? Value::absent() : cases.values[size_t(place.asInt())]);
    cases.values = std::move(values);
  }
  return cases;
}

/// What programs keep many things in, unlike a flag or a count.
static bool isContainer(const Value &v) { return v.is(Kind::Ref) || isComposite(v.kind()); }

CallMemos::Memos CallMemos::memosOf(const Delta &left) const {
  ObjectSlots slots = slotsByObject(left);
  const llvm::DenseSet<ObjectId> shown = shownBy(e, left, slots);
  Memos memos, numbers;
  llvm::DenseSet<ObjectId> elsewhere;
  auto isConstantSlot = [](const auto &entry) { return isConstantPart(entry.second); };
  for (const auto &[slot, value] : left) {
    if (isNew(left, slot.object) || e.heap.kind(slot.object) == ObjectKind::Engine)
      continue;
    Memo memo{casesOf(e, value), reachedFrom(value, left, slots)};
    bool isMemo = !shown.contains(slot.object) && llvm::all_of(memo.held.values, isConstantPart) &&
                  llvm::all_of(memo.reached, [&](ObjectId id) {
                    return isConstantObject(e, id) && llvm::all_of(slots[id], isConstantSlot);
                  });
    if (!isMemo)
      elsewhere.insert(memo.reached.begin(), memo.reached.end());
    else if (llvm::any_of(memo.held.values, isContainer))
      memos[slot] = std::move(memo);
    else if (takesNumbers && !counts.contains(slot))
      numbers[slot] = std::move(memo);
  }
  // What other state shows as well is none.
  for (bool changed = true; changed;) {
    changed = false;
    memos.remove_if([&](const auto &entry) {
      const auto &reached = entry.second.reached;
      if (llvm::none_of(reached, [&](ObjectId id) { return elsewhere.contains(id); }))
        return false;
      elsewhere.insert(reached.begin(), reached.end());
      return changed = true;
    });
  }
  if (!memos.empty())
    for (auto &entry : numbers)
      memos.insert(std::move(entry));
  return memos;
}

/// One state for each way in which the selectors may be decided.
void CallMemos::openStates(const Delta &left, const Memos &memos) {
  llvm::MapVector<ValueId, size_t> selectors; ///< with the number of their cases
  for (const auto &[slot, memo] : memos)
    if (memo.held.selector != kUndef) {
      size_t &cases = selectors[memo.held.selector];
      cases = std::max(cases, memo.held.values.size());
    }
  ObjectSlots slots = slotsByObject(left);
  llvm::DenseMap<ValueId, size_t> taken{{kUndef, 0}};
  for (size_t n = 0;; ++n) {
    size_t rest = n;
    for (const auto &[selector, cases] : selectors) {
      taken[selector] = rest % cases;
      rest /= cases;
    }
    hasMore |= n > kMost;
    if (rest || hasMore)
      return;
    Delta state;
    for (const auto &[slot, memo] : memos) {
      size_t place = taken[memo.held.selector];
      state[slot] = place < memo.held.values.size() ? memo.held.values[place] : Value::absent();
      for (ObjectId id : memo.reached) {
        state[{id, kExists}] = left.find({id, kExists})->second;
        for (const auto &[key, value] : slots[id])
          state[{id, key}] = value;
      }
    }
    open.push_back(std::move(state));
  }
}

bool CallMemos::take(CallVariant &v) {
  bool any = false;
  for (Exit &exit : v.end.exits) {
    const Memos memos = memosOf(exit.delta);
    if (memos.empty())
      continue;
    any = true;
    openStates(exit.delta, memos);
    for (const auto &entry : memos)
      taken.insert(entry.first);
    exit.delta.remove_if([&](const auto &entry) { return memos.count(entry.first) != 0; });
  }
  return any;
}

bool CallMemos::noteCounts(llvm::DenseSet<SlotKey> &counts) const {
  bool any = false;
  for (SlotKey slot : taken) {
    llvm::SmallVector<Value, 4> held;
    if (e.heap.exists(slot.object))
      held.push_back(e.heap.get(slot));
    for (const auto *states : {&seen, &open})
      for (const Delta &state : *states)
        if (auto found = state.find(slot);
            found != state.end() && !llvm::is_contained(held, found->second))
          held.push_back(found->second);
    if (held.size() > 2 && llvm::none_of(held, isContainer))
      any |= counts.insert(slot).second;
  }
  return any;
}

std::optional<Delta> CallMemos::next() {
  while (!open.empty()) {
    Delta state = std::move(open.back());
    open.pop_back();
    auto isSeen = [&](const Delta &other) { return Likeness(e).alike(state, other); };
    if (llvm::any_of(seen, isSeen))
      continue;
    seen.push_back(state);
    return state;
  }
  return std::nullopt;
}

CallMemos::Reference CallMemos::referenceOf(CallVariant &v) const {
  dropUnread(e, v);
  return {std::move(v.body), std::move(v.end), std::move(v.inputs), v.shapes->guards()};
}

bool CallMemos::isAlike(const Reference &was, CallVariant &v) const {
  dropUnread(e, v);
  Likeness likeness(e);
  auto sameInput = [&](const ProgramInput &a, const ProgramInput &b) {
    return a.path == b.path && a.leaf == b.leaf && likeness.name(a.value, b.value);
  };
  auto sameExit = [&](const Exit &a, const Exit &b) {
    return a.key == b.key && likeness.alike(a.delta, b.delta);
  };
  sym::GuardSet guards = v.shapes->guards();
  auto isGuarded = [&](const sym::Guard &guard) {
    return llvm::any_of(was.guards.guards(),
                        [&](const sym::Guard &other) { return other.atom == guard.atom; });
  };
  return was.end.status == v.end.status && llvm::equal(was.inputs, v.inputs, sameInput) &&
         likeness.alike(*was.body, *v.body) && llvm::equal(was.end.exits, v.end.exits, sameExit) &&
         (v.end.exits.size() < 2 || likeness.name(was.end.selector, v.end.selector)) &&
         llvm::all_of(guards.guards(), isGuarded);
}
