//===- LoopObjects.cpp - New objects of several turns become one --------------------===//
//
// In: the sides of the join at a loop head. Out: sides in which no slot holds a choice among new
// objects of one form: a side that has one is split by its selector, so that the join pairs the
// objects under its own rules (control.md, "Canonical names").
//
//===----------------------------------------------------------------------===//
#include "Loop.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;

/// More sides than this cost more than they save: the alternatives stay apart.
static constexpr size_t kMostSides = 24;

static bool mayHoldChoice(const Value &v) {
  return v.is(Kind::Choice) || (isComposite(v.kind()) && llvm::any_of(v.parts(), mayHoldChoice));
}

/// A choice of the side with several alternatives that are objects of one form, made in the loop.
std::optional<Value> LoopCloser::findNewObjects(const JoinSide &side) {
  if (llvm::none_of(*side.delta, [](const auto &change) { return mayHoldChoice(change.second); }))
    return std::nullopt;
  llvm::DenseMap<ObjectId, unsigned> count;
  for (const Spot &spot : collectSpots(*side.delta, count)) {
    if (!spot.value.is(Kind::Choice))
      continue;
    llvm::SmallVector<ObjectId, 4> fresh;
    for (const Value &v : asChoice(spot.value).alternatives)
      if (v.is(Kind::Ref) && !e.heap.exists(v.asRef()) && !llvm::is_contained(fresh, v.asRef()))
        fresh.push_back(v.asRef());
    for (size_t i = 0; i < fresh.size(); ++i)
      for (size_t k = 0; k < i; ++k) {
        const ObjectHeader &a = e.heap.header(fresh[i]), &b = e.heap.header(fresh[k]);
        if (a.kind == b.kind && a.cls == b.cls && a.info == b.info)
          return spot.value;
      }
  }
  return std::nullopt;
}

/// The side's state where `selector` has the value `alternative`.
Delta LoopCloser::assume(const JoinSide &side, ValueId selector, size_t alternative) {
  Delta state = *side.delta;
  auto settled = [&](const Value &v) -> Value {
    if (!v.is(Kind::Choice))
      return v;
    const ChoiceNode &choice = asChoice(v);
    int64_t place = choice.selector == selector ? int64_t(alternative) : -1;
    ValueId from = kUndef;
    if (const std::vector<Value> *table = e.tableOf(choice.selector, from);
        table && from == selector && alternative < table->size() &&
        (*table)[alternative].is(Kind::Int))
      place = (*table)[alternative].asInt();
    return place < 0 || size_t(place) >= choice.alternatives.size()
               ? v
               : choice.alternatives[size_t(place)];
  };
  llvm::DenseMap<ObjectId, unsigned> count;
  for (const Spot &spot : collectSpots(*side.delta, count)) {
    Value now = settled(spot.value);
    if (now == spot.value || spot.alternative >= 0)
      continue;
    auto whole = state.find(spot.slot);
    Value &slot = whole != state.end()
                      ? whole->second
                      : state.insert({spot.slot, e.heap.get(spot.slot)}).first->second;
    if (spot.part < 0) {
      slot = now;
      continue;
    }
    std::vector<Value> parts = slot.parts().vec();
    parts[size_t(spot.part)] = now;
    slot = Value::composite(slot.kind(), std::move(parts)).withSub(slot.sub());
  }
  return state;
}

LoopCloser::SplitSides LoopCloser::split(llvm::ArrayRef<JoinSide> sides) {
  SplitSides out;
  out.sides.assign(sides.begin(), sides.end());
  int64_t next = 0;
  for (const JoinSide &side : sides)
    next = std::max(next, side.number + 1);
  // What a split adds is looked at, too.
  for (size_t i = 1; i < out.sides.size(); ++i) {
    for (;;) {
      std::optional<Value> found = findNewObjects(out.sides[i]);
      if (!found)
        break;
      const ChoiceNode &choice = asChoice(*found);
      if (out.sides.size() + choice.alternatives.size() > kMostSides)
        return out;
      JoinSide whole = out.sides[i];
      Split split{whole.number, whole.block, choice.selector, {}};
      for (size_t k = 0; k < choice.alternatives.size(); ++k) {
        out.states.push_back(assume(whole, choice.selector, k));
        JoinSide part{next++, &out.states.back(), whole.block, whole.under};
        part.under.push_back({choice.selector, k, choice.alternatives.size()});
        split.parts.push_back(part.number);
        if (k == 0)
          out.sides[i] = part;
        else
          out.sides.push_back(part);
      }
      out.splits.push_back(std::move(split));
    }
  }
  return out;
}
