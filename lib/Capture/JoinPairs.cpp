//===- JoinPairs.cpp - Objects of several sides that become one --------------------===//
//
// In: one object of each side. Out: the object that stands for all of them, if no side can tell:
// each is unknown to the other sides, and all are of one form (control.md, "The join").
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "Objects.h"
#include "OpenGenerators.h"
#include "Positions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using ptc::CanonicalCode;
using namespace ptc::capture;
namespace capture = ptc::capture;

/// Each object must be unknown to every side that is represented by another one, and unused.
bool Joiner::mayPair(const ObjectIds &ids) const {
  for (const auto &[side, id] : ids) {
    if (states[side].taken.contains(id))
      return false;
    if (e.heap.isProtected(id)) // a cached function may give it again
      return false;
    for (unsigned s = 0; s < sides.size(); ++s) {
      if (!reaches(s, id))
        continue;
      const auto *own = llvm::find_if(ids, [&, s](const auto &p) { return p.first == s; });
      if (own == ids.end() || own->second != id)
        return false;
    }
  }
  return true;
}

/// Is each of the frames a generator that waits at the same place?
bool Joiner::waitAlike(const ObjectIds &ids) const {
  Value place = read(ids[0].first, {ids[0].second, slot::kGenState});
  return place.is(Kind::Ip) && pointOf(place).state != GenState::Running &&
         llvm::all_of(ids, [&](const auto &p) {
           return read(p.first, {p.second, slot::kGenState}) == place;
         });
}

/// May the side's code still read the slot? A generator that waits reads what is live where it goes
/// on, and one that is finished nothing: what other sides hold there may stand for it.
bool Joiner::waitsFor(unsigned side, SlotKey slot) const {
  if (slot.key < slot::kLocals || e.heap.kind(slot.object) != ObjectKind::Frame)
    return true;
  const CanonicalCode &code = e.code(slot.object);
  uint32_t n = slot.key - slot::kLocals;
  auto reads = [&](const Value &place) {
    if (!place.is(Kind::Ip))
      return true;
    GenPoint point = pointOf(place);
    if (point.state == GenState::Finished || point.state == GenState::Running)
      return point.state == GenState::Running;
    if (n >= code.locals.size())
      return n - code.locals.size() < point.sp;
    // An exception may be thrown where it waits.
    return x.listsLocals(slot.object) || code.flow.isLive(point.ip, n) ||
           (point.ip && code.flow.isLive(point.ip - 1, n));
  };
  return llvm::any_of(alternativesOf(read(side, {slot.object, slot::kGenState})), reads);
}

bool Joiner::sameForm(const ObjectIds &ids) const {
  const ObjectHeader &header = e.heap.header(ids[0].second);
  if (header.kind == ObjectKind::Engine || header.kind == ObjectKind::Class ||
      header.kind == ObjectKind::Module)
    return false;
  if (header.kind == ObjectKind::Frame && !waitAlike(ids))
    return false;
  std::vector<std::pair<uint32_t, Value>> first = slotsOf(ids[0].first, ids[0].second);
  for (const auto &[side, id] : llvm::drop_begin(ids)) {
    const ObjectHeader &other = e.heap.header(id);
    if (other.kind != header.kind || other.cls != header.cls || other.info != header.info)
      return false;
    std::vector<std::pair<uint32_t, Value>> slots = slotsOf(side, id);
    auto isPaired = [&](const auto &p) { return !isNameOrder({ids[0].second, p.first}); };
    if (llvm::count_if(slots, isPaired) != llvm::count_if(first, isPaired))
      return false;
    for (const auto &[slotKey, value] : llvm::make_filter_range(first, isPaired)) {
      auto match = llvm::find_if(slots, [&](const auto &p) { return p.first == slotKey; });
      if (match == slots.end())
        return false;
      if (header.kind == ObjectKind::Storage && slotKey == slot::kContent &&
          !sameContents(value.asRaw(), match->second.asRaw()))
        return false;
    }
  }
  return true;
}

bool Joiner::sameContents(ValueId a, ValueId b) const {
  const TapeValue &left = e.tape.type(a), &right = e.tape.type(b);
  return left.dtype == right.dtype && left.device == right.device &&
         left.sizes.size() == right.sizes.size() && left.requiresGrad == right.requiresGrad;
}

ObjectId Joiner::pairObjects(const ObjectIds &ids) {
  auto known = pairs.find(ids);
  if (known != pairs.end())
    return known->second;
  if (ids.size() < 2 || !mayPair(ids) || !sameForm(ids))
    return 0;
  ObjectId joined = e.heap.reserve(e.heap.header(ids[0].second));
  if (e.heap.kind(joined) == ObjectKind::Frame)
    noteJoined(e, joined);
  pairs[ids] = joined;
  for (const auto &[side, id] : ids)
    states[side].taken[id] = joined;
  const bool isException = capture::isException(e, Value::ref(joined));
  for (const auto &[slotKey, value] : slotsOf(ids[0].first, ids[0].second)) {
    llvm::SaveAndRestore restore(isOfException, isException);
    PerSide values;
    for (const auto &[side, id] : ids)
      values.emplace_back(side, read(side, {id, slotKey}));
    SlotKey slot{joined, slotKey};
    if (!isNameOrder(slot))
      out[slot] = slotKey == kExists ? value : joinSlotValue(slot, values);
  }
  setNameOrder(joined, ids);
  return joined;
}
