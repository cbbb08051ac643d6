//===- Heap.cpp - Objects made of slots, and the trail -----------------------===//
//
// In: writes, marks. Out: rollbacks and deltas. The invariant that everything rests on: between two
// neighbouring marks a slot has at most one trail entry, made at its first write there, and the
// slot's epoch says which segment of the trail holds its newest entry. An object made there has one
// entry for all of its slots.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/Heap.h"

#include "llvm/ADT/DenseSet.h"

using namespace ptc::capture;

static const Value kAbsent;

Heap::Heap() {
  headers.push_back({ObjectKind::Engine});
  objects.append();
}

ObjectId Heap::allocate(ObjectKind kind, ObjectId cls, const void *info) {
  ObjectId id = reserve({kind, cls, info});
  revive(id);
  set(id, kExists, Value::ip(0));
  return id;
}

void Heap::revive(ObjectId id) {
  objects[id].alive = true;
  noteChange(id, objects[id]);
  objects[id].birth = epoch;
  ++alive;
  if (!marks.empty())
    trail.push_back({id, kAllocation, 0, Value()});
}

void Heap::discard(ObjectId id) {
  Object &object = objects[id];
  if (object.alive && (marks.empty() || object.birth >= marks.back().epoch))
    clear(id);
}

ObjectId Heap::reserve(const ObjectHeader &header) {
  ObjectId id = nextId();
  headers.push_back(header);
  objects.append();
  return id;
}

void Heap::setClass(ObjectId id, ObjectId cls) {
  assert(exists(id) && headers[id].cls && "an object of a class");
  if (objects[id].watched || objects[id].isProtected || objects[id].settled || id < noted)
    noteWrite(id, objects[id]);
  if (!marks.empty())
    trail.push_back({id, kReclassed, 0, Value::ref(headers[id].cls)});
  headers[id].cls = cls;
}

Heap::Slot *Heap::find(Object &object, uint32_t key) {
  if (key < kFirstAttr)
    return key < object.fixed.size() ? &object.fixed[key] : nullptr;
  if (object.index) {
    auto place = object.index->find(key);
    return place == object.index->end() ? nullptr : &object.named[place->second].second;
  }
  for (auto &[name, slot] : object.named)
    if (name == key)
      return &slot;
  return nullptr;
}

Heap::Slot &Heap::findOrMake(Object &object, uint32_t key) {
  if (Slot *slot = find(object, key))
    return *slot;
  if (key < kFirstAttr) {
    object.fixed.resize(key + 1);
    return object.fixed[key];
  }
  object.named.emplace_back(key, Slot());
  if (object.index) {
    (*object.index)[key] = uint32_t(object.named.size() - 1);
  } else if (object.named.size() >= kIndexFrom) {
    object.index = std::make_unique<llvm::DenseMap<uint32_t, uint32_t>>();
    for (uint32_t i = 0; i < object.named.size(); ++i)
      (*object.index)[object.named[i].first] = i;
  }
  return object.named.back().second;
}

const Value &Heap::getOther(const Object &object, SlotKey slot) const {
  if (object.readsWatched && onRead)
    onRead(slot);
  const Slot *found = find(object, slot.key);
  return found ? found->value : kAbsent;
}

void Heap::record(ObjectId id, uint32_t key, Slot &slot, bool keeps) {
  if (id < boundary)
    written.insert(id);
  trail.push_back({id, key, slot.epoch, keeps ? slot.value : Value()});
  slot.epoch = epoch;
}

const Value &Heap::fixedSlot(const Object &object, uint32_t key) {
  return key < object.fixed.size() ? object.fixed[key].value : kAbsent;
}

void Heap::setName(ObjectId id, uint32_t key, Value value) {
  Slot &slot = slotForWriting(id, key, /*keeps=*/true).second;
  if (!value.isAbsent() && mayBeAbsent(slot.value) && hasNames(id))
    placeLast(id, key, slot.value.isAbsent());
  slot.value = std::move(value);
}

/// A name that had no value on some paths gets one, and with it the last place on these.
void Heap::placeLast(ObjectId id, uint32_t key, bool wasAbsent) {
  const Object &object = objects[id];
  const Value order = fixedSlot(object, kNameOrder);
  if (order.isNone())
    return;
  std::vector<Value> names;
  if (order.isAbsent()) {
    auto behind = object.named.rbegin();
    for (; behind->first != key && behind->second.value.isAbsent(); ++behind)
      ;
    if (behind->first == key)
      return;
    for (const auto &[name, slot] : object.named)
      if (!slot.value.isAbsent())
        names.push_back(Value::name(nameOfKey(name)));
  } else {
    for (const Value &name : order.parts())
      if (const Slot *slot = find(object, attrKey(NameId(name.bits())));
          slot && !slot->value.isAbsent())
        names.push_back(name);
  }
  const Value name = Value::name(nameOfKey(key));
  if (!names.empty() && names.back() == name)
    return;
  llvm::erase(names, name);
  names.push_back(name);
  set(id, kNameOrder, wasAbsent ? Value::tuple(std::move(names)) : Value::none());
}

std::vector<uint32_t> Heap::createdNames(ObjectId id) const {
  std::vector<uint32_t> keys;
  for (const auto &[key, slot] : objects[id].named)
    keys.push_back(key);
  return keys;
}

void Heap::noteWrite(ObjectId id, Object &object) {
  noteChange(id, object);
  disturbed |= object.watched;
  protectedWritten |= object.isProtected;
  // One object is written many times in a row: the frame that runs.
  if (id < noted && (writes.empty() || writes.back() != id))
    writes.push_back(id);
}

Value &Heap::getForUpdate(ObjectId id, uint32_t key) {
  auto [isFirst, slot] = slotForWriting(id, key, /*keeps=*/false);
  if (isFirst) {
    std::optional<Value> before = slot.value.keepVersion();
    trail.back().old = before ? std::move(*before) : slot.value;
  }
  return slot.value;
}

void Heap::forEachSlot(ObjectId id, llvm::function_ref<void(uint32_t, const Value &)> see) const {
  const Object &object = objects[id];
  if (object.readsWatched && onRead) {
    for (uint32_t key = 0; key < object.fixed.size(); ++key)
      onRead({id, key});
    for (const auto &[key, slot] : object.named)
      onRead({id, key});
  }
  for (uint32_t key = 0; key < object.fixed.size(); ++key)
    if (!object.fixed[key].value.isAbsent())
      see(key, object.fixed[key].value);
  const Value order = hasNames(id) ? fixedSlot(object, kNameOrder) : Value();
  if (order.is(Kind::Tuple)) {
    for (const Value &name : order.parts()) {
      const uint32_t key = attrKey(NameId(name.bits()));
      if (const Slot *slot = find(object, key); slot && !slot->value.isAbsent())
        see(key, slot->value);
    }
    return;
  }
  for (const auto &[key, slot] : object.named)
    if (!slot.value.isAbsent())
      see(key, slot.value);
}

std::vector<ObjectId> Heap::takeChanged() {
  std::vector<ObjectId> found = std::exchange(changed, {});
  llvm::sort(found);
  for (; changesBelow < nextId(); ++changesBelow)
    found.push_back(changesBelow);
  for (ObjectId id : found)
    objects[id].settled = true;
  return found;
}

Heap::Mark Heap::mark() {
  marks.push_back({trail.size(), ++epoch, nextId(), disturbed});
  newest = epoch;
  return Mark(marks.size() - 1);
}

void Heap::watch(ObjectId first) {
  for (ObjectId id = first; id < objects.size(); ++id)
    objects[id].watched = objects[id].alive;
}

void Heap::clear(ObjectId id) {
  Object &object = objects[id];
  noteChange(id, object);
  object.alive = object.watched = false;
  // Nothing asks again for most objects, frames above all: their memory goes, too.
  std::vector<Slot>().swap(object.fixed);
  std::vector<std::pair<uint32_t, Slot>>().swap(object.named);
  object.index.reset();
  --alive;
}

void Heap::rollback(Mark m) {
  assert(m < marks.size() && "rolling back a dead mark");
  size_t bottom = marks[m].trail;
  while (trail.size() > bottom) {
    Entry entry = std::move(trail.back());
    trail.pop_back();
    Object &object = objects[entry.object];
    if (!object.alive)
      continue; // discarded, and so made since the mark
    if (entry.key == kAllocation) {
      clear(entry.object);
      continue;
    }
    if (entry.key == kReclassed) {
      headers[entry.object].cls = entry.old.asRef();
      noteChange(entry.object, object);
      continue;
    }
    Slot *slot = find(object, entry.key);
    assert(slot && "a recorded slot exists");
    slot->value = std::move(entry.old);
    slot->epoch = entry.oldEpoch;
    noteChange(entry.object, object);
  }
  marks.resize(m);
  newest = m ? marks.back().epoch : 0;
}

void Heap::release(Mark m) {
  assert(m < marks.size() && "releasing a dead mark");
  size_t bottom = marks[m].trail;
  uint32_t outer = m ? marks[m - 1].epoch : 0;
  marks.resize(m);
  newest = outer;
  if (marks.empty()) {
    trail.clear();
    return;
  }
  // An entry whose slot was recorded since the enclosing mark already is no longer needed. The
  // others now belong to the enclosing segment; their slots' epochs are above its mark's anyway.
  size_t keep = bottom;
  for (size_t i = bottom; i < trail.size(); ++i) {
    Entry &entry = trail[i];
    const Object &object = objects[entry.object];
    const bool isSlot = entry.key != kAllocation && entry.key != kReclassed;
    if (!object.alive || (isSlot && (entry.oldEpoch >= outer || object.birth >= outer)))
      continue;
    if (keep != i)
      trail[keep] = std::move(entry);
    ++keep;
  }
  trail.resize(keep);
}

/// The newest names that have no value: else they would keep their places in the order.
void Heap::dropEmpty(Object &object) {
  for (; !object.named.empty() && object.named.back().second.value.isAbsent();
       object.named.pop_back())
    if (object.index)
      object.index->erase(object.named.back().first);
}

void Heap::rewind(Mark m) {
  assert(m < marks.size() && "something to go back to");
  const MarkInfo to = marks[m];
  const ObjectId next = to.next;
  llvm::DenseSet<ObjectId> touched;
  for (size_t i = to.trail; i < trail.size(); ++i)
    if (trail[i].object < next)
      touched.insert(trail[i].object);
  rollback(m);
  headers.resize(next);
  objects.truncate(next);
  changed.clear();
  changesBelow = 0;
  for (ObjectId id = 0; id < next; ++id)
    objects[id].settled = objects[id].isProtected = objects[id].readsWatched = false;
  for (ObjectId id : touched)
    dropEmpty(objects[id]);
  boundary = 0;
  disturbed = to.disturbed;
  protectedWritten = false;
  written.clear();
  noted = 0;
  writes.clear();
  (void)mark();
}

/// Brings names of objects made since an epoch into the order of their creation, in which who
/// writes the changes again creates them.
void Heap::sortNames(llvm::SmallVectorImpl<std::pair<SlotKey, Value>> &changes,
                     uint32_t since) const {
  llvm::MapVector<ObjectId, std::vector<size_t>> placesOf;
  for (size_t i = 0; i < changes.size(); ++i)
    if (const auto &[object, key] = changes[i].first;
        isAttrKey(key) && objects[object].birth >= since && hasNames(object))
      placesOf[object].push_back(i);
  for (const auto &[object, places] : placesOf) {
    llvm::SmallDenseMap<uint32_t, size_t> rank;
    for (const auto &[key, slot] : objects[object].named)
      rank.try_emplace(key, rank.size());
    auto rankAt = [&](size_t i) { return rank.lookup(changes[i].first.key); };
    if (llvm::is_sorted(places, [&](size_t a, size_t b) { return rankAt(a) < rankAt(b); }))
      continue;
    std::vector<std::pair<SlotKey, Value>> sorted;
    for (size_t i : places)
      sorted.push_back(std::move(changes[i]));
    llvm::sort(sorted, [&](const auto &a, const auto &b) {
      return rank.lookup(a.first.key) < rank.lookup(b.first.key);
    });
    for (auto [i, change] : llvm::zip(places, sorted))
      changes[i] = std::move(change);
  }
}

Delta Heap::delta(Mark m) const {
  Delta result;
  for (size_t i = marks[m].trail; i < trail.size(); ++i) {
    const Entry &entry = trail[i];
    const Object &object = objects[entry.object];
    if (!object.alive)
      continue;
    if (entry.key == kAllocation) {
      for (uint32_t key = 0; key < object.fixed.size(); ++key)
        if (!object.fixed[key].value.isAbsent())
          result.insert({{entry.object, key}, object.fixed[key].value});
      for (const auto &[key, slot] : object.named)
        if (!slot.value.isAbsent())
          result.insert({{entry.object, key}, slot.value});
      continue;
    }
    SlotKey slot{entry.object, entry.key == kReclassed ? kExists : entry.key};
    result.insert({slot, get(slot)});
  }
  auto changes = result.takeVector();
  sortNames(changes, marks[m].epoch);
  for (auto &change : changes)
    result.insert(std::move(change));
  return result;
}

void Heap::apply(const Delta &delta) {
  bool was = protectedWritten;
  for (const auto &[slot, value] : delta) {
    if (!objects[slot.object].alive)
      revive(slot.object);
    restore(slot, value);
  }
  protectedWritten = was;
}
