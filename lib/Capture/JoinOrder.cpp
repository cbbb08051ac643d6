//===- JoinOrder.cpp - The order of names where states join -------------------------===//
//
// In: the order in which each side gave an object's names values. Out: one order such that those
// names that have values on a path come in it there, or that there is none: then who looks at the
// order is refused.
//
//===----------------------------------------------------------------------===//
#include "Join.h"

#include "MergeOrders.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;

/// Keys of the names that may have values on a side, in their order; none if it is not known.
std::optional<std::vector<uint32_t>> Joiner::namesOn(unsigned side, ObjectId id) const {
  const Value order = read(side, {id, kNameOrder});
  if (order.isNone())
    return std::nullopt;
  std::vector<uint32_t> keys;
  if (order.is(Kind::Tuple))
    for (const Value &name : order.parts())
      keys.push_back(attrKey(NameId(name.bits())));
  else if (e.heap.exists(id))
    keys = e.heap.createdNames(id);
  else if (auto changed = states[side].changed.find(id); changed != states[side].changed.end())
    keys.assign(changed->second.begin(), changed->second.end());
  // A name of which the side knows that it has no value may have got its place from another path.
  llvm::erase_if(keys, [&](uint32_t key) {
    return !isAttrKey(key) || knownOn(side, read(side, {id, key})).isAbsent();
  });
  return keys;
}

/// Does each of the lists come in this order?
static bool isOrderOf(llvm::ArrayRef<uint32_t> order, llvm::ArrayRef<std::vector<uint32_t>> lists) {
  llvm::DenseMap<uint32_t, size_t> rank;
  for (uint32_t key : order)
    rank.try_emplace(key, rank.size());
  return llvm::all_of(lists, [&](const std::vector<uint32_t> &list) {
    return llvm::is_sorted(list,
                           [&](uint32_t a, uint32_t b) { return rank.lookup(a) < rank.lookup(b); });
  });
}

/// What kNameOrder is for an object that is these on the sides, and whose names are created in the
/// given order.
Value Joiner::joinNameOrder(const ObjectIds &ids, llvm::ArrayRef<uint32_t> created) const {
  std::vector<std::vector<uint32_t>> lists;
  for (const auto &[side, id] : ids) {
    std::optional<std::vector<uint32_t>> names = namesOn(side, id);
    if (!names)
      return Value::none();
    lists.push_back(std::move(*names));
  }
  if (isOrderOf(created, lists))
    return Value::absent();
  std::vector<uint32_t> merged;
  if (!mergeOrders(lists, merged))
    return Value::none();
  std::vector<Value> names;
  names.reserve(merged.size());
  for (uint32_t key : merged)
    names.push_back(Value::name(nameOfKey(key)));
  return Value::tuple(std::move(names));
}

/// Of an object that the joined state makes, or copies out.
void Joiner::setNameOrder(ObjectId joined, const ObjectIds &ids) {
  if (!e.heap.hasNames(joined))
    return;
  std::vector<uint32_t> created;
  if (e.heap.exists(joined))
    created = e.heap.createdNames(joined);
  else
    for (const auto &[slotKey, value] : slotsOf(ids[0].first, ids[0].second))
      if (isAttrKey(slotKey))
        created.push_back(slotKey);
  Value order = joinNameOrder(ids, created);
  if (!order.isAbsent() || (e.heap.exists(joined) && !e.heap.get(joined, kNameOrder).isAbsent()))
    out[{joined, kNameOrder}] = std::move(order);
}

/// Of objects that are older than the sides: those whose names some side gave or took values.
void Joiner::joinNameOrders(llvm::ArrayRef<SlotKey> slots) {
  llvm::SetVector<ObjectId> objects;
  for (SlotKey slot : slots)
    if (e.heap.exists(slot.object) && e.heap.hasNames(slot.object) && !oneSided(slot.object) &&
        (isNameOrder(slot) || (isAttrKey(slot.key) && mayBeAbsent(e.heap.get(slot)))))
      objects.insert(slot.object);
  for (ObjectId id : objects) {
    ObjectIds ids;
    for (unsigned s = 0; s < sides.size(); ++s)
      if (reaches(s, id))
        ids.emplace_back(s, id);
    setNameOrder(id, ids);
  }
}
