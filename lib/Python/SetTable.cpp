// The hash table of CPython's set.
// In: items with their hashes. Out: the same members in the same order of iteration.
#include "ptc/Python/SetTable.h"

#include <cassert>

namespace ptc::py {

static constexpr size_t kLinearProbes = 9;
static constexpr unsigned kPerturbShift = 5;

/// Walks the slots of `hash` until visit(slot number) says stop.
template <typename F> static size_t walk(int64_t hash, size_t mask, F visit) {
  auto perturb = static_cast<size_t>(hash);
  size_t at = perturb & mask;
  while (true) {
    const size_t probes = at + kLinearProbes <= mask ? kLinearProbes : 0;
    for (size_t i = at; i <= at + probes; ++i)
      if (visit(i))
        return i;
    perturb >>= kPerturbShift;
    at = (at * 5 + 1 + perturb) & mask;
  }
}

size_t SetTable::probe(SetItem key, SetEqualFn equal, std::optional<size_t> *lastDummy) const {
  return walk(key.hash, mask(), [&](size_t i) {
    const Slot &slot = slots[i];
    if (slot.state == State::Free)
      return true;
    if (slot.state == State::Dummy && lastDummy)
      *lastDummy = i;
    return slot.state == State::Active && slot.item.hash == key.hash &&
           (slot.item.id == key.id || equal(slot.item.id, key.id));
  });
}

void SetTable::insertClean(SetItem item) {
  size_t at = walk(item.hash, mask(), [&](size_t i) { return slots[i].state == State::Free; });
  slots.mutableAt(at) = {item, State::Active};
}

void SetTable::resize(size_t atLeast) {
  size_t size = kMinSlots;
  while (size <= atLeast)
    size *= 2;
  SetTable old(*this);
  slots = SharedVector<Slot>(size);
  fill = used;
  old.forEach([&](SetItem item) { insertClean(item); });
}

void SetTable::renumber(llvm::function_ref<uint32_t(uint32_t)> number) {
  for (size_t i = 0; i < slots.size(); ++i)
    if (slots[i].state == State::Active) {
      SetItem &item = slots.mutableAt(i).item;
      item.id = number(item.id);
    }
}

void SetTable::grow() { resize(used > 50000 ? used * 2 : used * 4); }

/// Makes room at once for `more` items of which few are expected to be members already.
void SetTable::reserveFor(size_t more) {
  if ((fill + more) * 5 >= mask() * 3)
    resize((used + more) * 2);
}

bool SetTable::add(SetItem item, SetEqualFn equal) {
  std::optional<size_t> dummy;
  size_t at = probe(item, equal, &dummy);
  if (slots[at].state == State::Active)
    return false;
  ++used;
  slots.mutableAt(dummy.value_or(at)) = {item, State::Active};
  if (dummy)
    return true;
  ++fill;
  if (fill * 5 >= mask() * 3)
    grow();
  return true;
}

std::optional<SetItem> SetTable::find(SetItem key, SetEqualFn equal) const {
  const Slot &slot = slots[probe(key, equal)];
  return slot.state == State::Active ? std::optional<SetItem>(slot.item) : std::nullopt;
}

std::vector<SetItem> SetTable::candidates(int64_t hash) const {
  std::vector<SetItem> found;
  (void)walk(hash, mask(), [&](size_t i) {
    if (slots[i].state == State::Active && slots[i].item.hash == hash)
      found.push_back(slots[i].item);
    return slots[i].state == State::Free;
  });
  return found;
}

std::optional<SetItem> SetTable::discard(SetItem key, SetEqualFn equal) {
  size_t at = probe(key, equal);
  if (slots[at].state != State::Active)
    return std::nullopt;
  slots.mutableAt(at).state = State::Dummy;
  --used;
  return slots[at].item;
}

std::optional<SetItem> SetTable::pop() {
  if (used == 0)
    return std::nullopt;
  size_t at = finger & mask();
  while (slots[at].state != State::Active)
    at = (at + 1) & mask();
  slots.mutableAt(at).state = State::Dummy;
  --used;
  finger = at + 1;
  return slots[at].item;
}

std::vector<SetItem> SetTable::items() const {
  std::vector<SetItem> result;
  result.reserve(used);
  forEach([&](SetItem item) { result.push_back(item); });
  return result;
}

SetTable SetTable::fromItems(llvm::ArrayRef<SetItem> items, SetEqualFn equal) {
  SetTable table;
  for (SetItem item : items)
    table.add(item, equal);
  return table;
}

SetTable SetTable::copy() const {
  SetTable result;
  result.merge(*this, [](uint32_t, uint32_t) -> bool {
    assert(false && "members of one set are not compared with each other");
    return false;
  });
  return result;
}

void SetTable::merge(const SetTable &other, SetEqualFn equal) {
  if (&other == this || other.used == 0)
    return;
  reserveFor(other.used);
  if (fill == 0 && mask() == other.mask() && other.fill == other.used) {
    slots = other.slots;
    fill = used = other.used;
    return;
  }
  if (fill == 0) {
    other.forEach([&](SetItem item) { insertClean(item); });
    fill = used = other.used;
    return;
  }
  other.forEach([&](SetItem item) { add(item, equal); });
}

void SetTable::mergeKeys(llvm::ArrayRef<SetItem> keys, SetEqualFn equal) {
  reserveFor(keys.size());
  for (SetItem key : keys)
    add(key, equal);
}

SetTable SetTable::unite(const SetTable &other, SetEqualFn equal) const {
  SetTable result = copy();
  // With itself nothing is merged, so that the copy does not grow either.
  if (&other != this)
    result.merge(other, equal);
  return result;
}

SetTable SetTable::intersect(const SetTable &other, SetEqualFn equal) const {
  if (&other == this)
    return copy();
  // The smaller set is walked; its members are the ones that stay.
  const bool swapped = other.used > used;
  const SetTable &walked = swapped ? *this : other;
  const SetTable &asked = swapped ? other : *this;
  SetTable result;
  walked.forEach([&](SetItem item) {
    if (asked.find(item, equal))
      result.add(item, equal);
  });
  return result;
}

void SetTable::takeMembers(SetTable &&members) {
  slots = members.slots;
  fill = members.fill;
  used = members.used;
}

SetTable SetTable::intersectItems(llvm::ArrayRef<SetItem> items, SetEqualFn equal) const {
  SetTable result;
  for (SetItem item : items)
    if (find(item, equal))
      result.add(item, equal);
  return result;
}

/// Too many dummies make every search long.
void SetTable::dropDummies() {
  if (fill - used > mask() / 4)
    grow();
}

void SetTable::subtractItems(llvm::ArrayRef<SetItem> items, SetEqualFn equal) {
  for (SetItem item : items)
    discard(item, equal);
  dropDummies();
}

void SetTable::subtractInPlace(const SetTable &other, SetEqualFn equal) {
  if (&other == this)
    return clear();
  // A much larger set is first cut down to what both have.
  if (other.used / 8 > used)
    return subtractItems(intersect(other, equal).items(), equal);
  subtractItems(other.items(), equal);
}

SetTable SetTable::subtract(const SetTable &other, SetEqualFn equal) const {
  if (used / 4 > other.used) {
    SetTable result = copy();
    result.subtractInPlace(other, equal);
    return result;
  }
  SetTable result;
  forEach([&](SetItem item) {
    if (!other.find(item, equal))
      result.add(item, equal);
  });
  return result;
}

void SetTable::symmetricDifferenceInPlace(const SetTable &other, SetEqualFn equal) {
  if (&other == this)
    return clear();
  other.forEach([&](SetItem item) {
    if (!discard(item, equal))
      add(item, equal);
  });
}

SetTable SetTable::symmetricDifference(const SetTable &other, SetEqualFn equal) const {
  SetTable result = other.copy();
  result.symmetricDifferenceInPlace(*this, equal);
  return result;
}

void SetTable::write(llvm::function_ref<void(uint64_t)> number) const {
  for (uint64_t n : {slots.size(), fill, used, finger})
    number(n);
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot &slot = slots[i];
    number(uint64_t(slot.state));
    if (slot.state == State::Free)
      continue;
    number(uint64_t(slot.item.hash));
    number(slot.item.id);
  }
}

SetTable SetTable::read(llvm::function_ref<uint64_t()> number) {
  SetTable table;
  table.slots = SharedVector<Slot>(size_t(number()));
  for (size_t *n : {&table.fill, &table.used, &table.finger})
    *n = size_t(number());
  for (size_t i = 0; i < table.slots.size(); ++i) {
    auto state = State(number());
    if (state == State::Free)
      continue;
    const auto hash = int64_t(number());
    table.slots.mutableAt(i) = {{hash, uint32_t(number())}, state};
  }
  return table;
}

} // namespace ptc::py
