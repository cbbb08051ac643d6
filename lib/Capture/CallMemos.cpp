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
  bool alike(const TapeArg &a, const TapeArg &b) const;
  bool alike(const TapeInstr &a, const TapeInstr &b);
  bool alike(const TapeValue &a, const TapeValue &b) const {
    return a.type == b.type && a.number == b.number && a.dtype == b.dtype &&
           a.requiresGrad == b.requiresGrad && a.device == b.device && a.sizes == b.sizes &&
           a.strides == b.strides;
  }
  bool defines(llvm::ArrayRef<ValueId> a, llvm::ArrayRef<ValueId> b);
  bool sameObject(ObjectId a, ObjectId b);
  bool alike(const Value &a, const Value &b);
  bool alikeTensors(const TensorNode &a, const TensorNode &b);
  template <typename RangeT> bool allAlike(const RangeT &a, const RangeT &b) {
    return llvm::equal(a, b, [&](const auto &x, const auto &y) { return alike(x, y); });
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
    return alike(e.tape.type(x), e.tape.type(y)) && name(x, y);
  });
}

bool Likeness::alike(const TapeInstr &a, const TapeInstr &b) {
  if (a.op != b.op || a.aten != b.aten || !allAlike(a.args, b.args) || !allAlike(a.attrs, b.attrs))
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
         a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides &&
         a.offset == b.offset && a.isOffsetKnown == b.isOffsetKnown && a.device == b.device &&
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
  case Kind::Tensor:
    return alikeTensors(asTensor(a), asTensor(b));
  case Kind::Choice:
    return sameValue(asChoice(a).selector, asChoice(b).selector) &&
           allAlike(asChoice(a).alternatives, asChoice(b).alternatives);
  case Kind::RunTimeList:
    return sameValue(a.nodeAs<RunTimeListNode>(Kind::RunTimeList).list,
                     b.nodeAs<RunTimeListNode>(Kind::RunTimeList).list);
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

bool CallMemos::take(CallVariant &v) {
  bool any = false;
  for (Exit &exit : v.end.exits) {
    ObjectSlots slots = slotsByObject(exit.delta);
    const llvm::DenseSet<ObjectId> shown = shownBy(e, exit.delta, slots);
    llvm::MapVector<SlotKey, llvm::SetVector<ObjectId>> memos;
    llvm::DenseSet<ObjectId> elsewhere;
    for (const auto &[slot, value] : exit.delta) {
      if (isNew(exit.delta, slot.object) || e.heap.kind(slot.object) == ObjectKind::Engine)
        continue;
      llvm::SetVector<ObjectId> reached = reachedFrom(value, exit.delta, slots);
      auto isConstantSlot = [](const auto &entry) { return isConstantPart(entry.second); };
      bool isMemo = !shown.contains(slot.object) &&
                    (value.is(Kind::Ref) || isComposite(value.kind())) && isConstantPart(value) &&
                    llvm::all_of(reached, [&](ObjectId id) {
                      return isConstantObject(e, id) && llvm::all_of(slots[id], isConstantSlot);
                    });
      if (isMemo)
        memos[slot] = std::move(reached);
      else
        elsewhere.insert(reached.begin(), reached.end());
    }
    // What other state shows as well is none.
    for (bool changed = true; changed;) {
      changed = false;
      memos.remove_if([&](const auto &memo) {
        if (llvm::none_of(memo.second, [&](ObjectId id) { return elsewhere.contains(id); }))
          return false;
        elsewhere.insert(memo.second.begin(), memo.second.end());
        return changed = true;
      });
    }
    if (memos.empty())
      continue;
    any = true;
    Delta state;
    for (const auto &[slot, reached] : memos) {
      state[slot] = exit.delta[slot];
      taken.insert(slot);
      for (ObjectId id : reached) {
        state[{id, kExists}] = exit.delta[{id, kExists}];
        for (const auto &[key, value] : slots[id])
          state[{id, key}] = value;
      }
    }
    exit.delta.remove_if([&](const auto &entry) { return memos.count(entry.first) != 0; });
    open.push_back(std::move(state));
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

CallMemos::Reference CallMemos::referenceOf(CallVariant &v) {
  return {std::move(v.body), std::move(v.end), std::move(v.inputs), v.shapes->guards()};
}

bool CallMemos::isAlike(const Reference &was, const CallVariant &v) const {
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
