//===- JoinChoice.cpp - What sides cannot join becomes a choice --------------------===//
//
// In: the values of one slot that do not join into one. Out: a selector and alternatives. Nested
// choices are flattened and alternatives of one kind merge first (control.md, "The join").
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "Objects.h"

#include "ptc/Capture/Capture.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace ptc::capture;

// The order of alternatives at a loop head
// ----------------------------------------------------------------------------------------

static int compareWithoutParts(Engine &e, const Value &a, const Value &b) {
  auto order = [](auto x, auto y) { return x < y ? -1 : int(y < x); };
  if (int n = order(a.kind(), b.kind()))
    return n;
  switch (a.kind()) {
  case Kind::Scalar:
    return order(a.scalarType(), b.scalarType());
  case Kind::Size:
  case Kind::Raw:
  case Kind::RunTimeList:
  case Kind::Choice:
    return 0;
  case Kind::Ref: {
    const ObjectHeader &x = e.heap.header(a.asRef()), &y = e.heap.header(b.asRef());
    if (int n = order(x.kind, y.kind))
      return n;
    return order(x.cls, y.cls);
  }
  case Kind::Tensor: {
    const TensorNode &x = asTensor(a), &y = asTensor(b);
    if (int n = order(x.dtype, y.dtype))
      return n;
    if (int n = order(x.sizes.size(), y.sizes.size()))
      return n;
    return order(x.steps.size(), y.steps.size());
  }
  case Kind::Str:
    return a.asStr().compare(b.asStr());
  default:
    break;
  }
  if (!isComposite(a.kind()))
    return order(a.hash(), b.hash());
  return order(a.parts().size(), b.parts().size());
}

/// Orders values by what they are, not by run-time values and objects that each turn names anew.
static int compareForms(Engine &e, const Value &givenA, const Value &givenB) {
  llvm::SmallVector<std::pair<llvm::ArrayRef<Value>, llvm::ArrayRef<Value>>, 4> open{
      {llvm::ArrayRef<Value>(givenA), llvm::ArrayRef<Value>(givenB)}};
  while (!open.empty()) {
    if (open.back().first.empty()) {
      open.pop_back();
      continue;
    }
    auto &[restA, restB] = open.back();
    const Value &a = restA.front(), &b = restB.front();
    restA = restA.drop_front();
    restB = restB.drop_front();
    if (int n = compareWithoutParts(e, a, b))
      return n;
    if (isComposite(a.kind()))
      open.emplace_back(a.parts(), b.parts());
  }
  return 0;
}

/// A body may leave the same alternatives in another order than the head gave them; without one
/// order for both the state at the head would never repeat.
void Joiner::orderAlternatives(std::vector<Value> &alternatives,
                               std::vector<int64_t> &number) const {
  std::vector<size_t> order(alternatives.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t i, size_t k) {
    int n = compareForms(e, alternatives[i], alternatives[k]);
    return n ? n < 0 : i < k;
  });
  std::vector<Value> sorted;
  sorted.reserve(order.size());
  std::vector<int64_t> place(order.size());
  for (size_t i : order) {
    place[i] = int64_t(sorted.size());
    sorted.push_back(std::move(alternatives[i]));
  }
  alternatives = std::move(sorted);
  for (int64_t &n : number)
    n = place[size_t(n)];
}

// Choosing
// ----------------------------------------------------------------------------------------

/// So many exceptions stay objects of their own, of whose values a handler knows more.
static constexpr size_t kManyExceptions = 8;

/// Is it what a frame returns or raises, or the entry?
static bool isOnItsWayOut(const Engine &e, SlotKey slot) {
  return slot.object == kMachine
             ? slot.key == slot::kResult
             : slot.key == slot::kReturn && e.heap.kind(slot.object) == ObjectKind::Frame;
}

size_t Joiner::mostChoices(std::optional<SlotKey> slot) const {
  return isOfException || (slot && isOnItsWayOut(e, *slot)) ? kMostChoices : e.limits.choices;
}

Value Joiner::choose(const PerSide &values, std::optional<SlotKey> slot) {
  // Flatten the sides' alternatives: equal ones belong together, and what joins into one value.
  std::vector<PerSide> same, groups;
  std::map<std::pair<unsigned, size_t>, size_t> sameAs, place;
  llvm::SmallDenseMap<unsigned, uint64_t> cases;
  for (const auto &[s, v] : values) {
    llvm::ArrayRef<Value> alternatives = alternativesOf(v);
    uint64_t possible = cases[s] = possibleOn(s, v);
    for (size_t i = 0; i < alternatives.size(); ++i) {
      if (!(possible >> i & 1))
        continue;
      auto found = llvm::find_if(
          same, [&, i = i](const PerSide &p) { return p[0].second == alternatives[i]; });
      sameAs[{s, i}] = size_t(found - same.begin());
      if (found == same.end())
        same.push_back({{s, alternatives[i]}});
      else if (found->back().first != s)
        found->emplace_back(s, alternatives[i]);
    }
  }
  std::vector<size_t> groupOf;
  auto makeGroups = [&](bool pairsExceptions) {
    groups.clear();
    groupOf.clear();
    groupOf.reserve(same.size());
    for (const PerSide &equal : same) {
      auto fits = llvm::find_if(
          groups, [&](const PerSide &g) { return mergeable(g, equal, pairsExceptions); });
      groupOf.push_back(size_t(fits - groups.begin()));
      if (fits == groups.end())
        groups.emplace_back();
      llvm::append_range(groups[groupOf.back()], equal);
      llvm::sort(groups[groupOf.back()],
                 [](const auto &a, const auto &b) { return a.first < b.first; });
    }
  };
  makeGroups(false);
  // Exceptions on their way out are many where each operation may fail; which object one is matters
  // to nobody.
  if (groups.size() > kManyExceptions && slot && isOnItsWayOut(e, *slot))
    makeGroups(true);
  // Lists of so many lengths are one of the run.
  if (slot && groups.size() > mostChoices(slot) && listsOnly(values, slot))
    if (std::optional<Value> list = joinToList(values, e.heap.kind(slot->object)))
      return *list;
  for (const auto &[alternative, n] : sameAs)
    place[alternative] = groupOf[n];
  // What a side cannot hold may go anywhere.
  for (const auto &[s, v] : values)
    for (size_t i = 0; i < alternativesOf(v).size(); ++i)
      place.try_emplace({s, i}, place.at({s, size_t(llvm::countr_zero(cases[s]))}));
  // Joining may find two alternatives equal after all (an old object from both sides).
  std::vector<Value> final;
  std::vector<int64_t> number;
  number.reserve(groups.size());
  for (const PerSide &group : groups) {
    Value joined = group.size() > 1 ? join(group) : carry(group[0].first, group[0].second);
    auto same = llvm::find(final, joined);
    number.push_back(same - final.begin());
    if (same == final.end())
      final.push_back(std::move(joined));
  }
  if (final.size() == 1)
    return final[0];
  if (final.size() > mostChoices(slot)) {
    x.reportTooManyAlternatives(slot, final);
    failed = true;
    return Value::none();
  }
  if (options.head)
    orderAlternatives(final, number);
  return makeChoice(values, place, number, std::move(final));
}

Value Joiner::makeChoice(const PerSide &values,
                         const std::map<std::pair<unsigned, size_t>, size_t> &place,
                         llvm::ArrayRef<int64_t> number, std::vector<Value> final) {
  std::map<int64_t, TapeArg> yields;
  bool bySide = options.selector != kUndef && values.size() == final.size();
  for (const auto &[s, v] : values) {
    std::vector<int64_t> table;
    for (size_t i = 0; i < alternativesOf(v).size(); ++i)
      table.push_back(number[place.at({s, i})]);
    bool identity = true;
    for (size_t i = 0; i < table.size(); ++i)
      identity &= table[i] == int64_t(i);
    bySide &= !v.is(Kind::Choice) && table[0] == sides[s].number;
    if (!v.is(Kind::Choice))
      yields[sides[s].number] = TapeArg::integer(table[0]);
    else if (identity)
      yields[sides[s].number] = TapeArg::value(asChoice(v).selector);
    else
      yields[sides[s].number] =
          TapeArg::value(e.mapIn(*sides[s].block, asChoice(v).selector, table));
  }
  auto *node = new ChoiceNode;
  node->alternatives = std::move(final);
  if (bySide) {
    node->selector = options.selector;
    return Value::node(Kind::Choice, node);
  }
  TapeValue type;
  type.type = TapeType::Selector;
  TapeArg selector = result(std::move(yields), type);
  if (!selector.isValue())
    return node->alternatives[size_t(selector.asInt())];
  node->selector = selector.id();
  return Value::node(Kind::Choice, node);
}

/// Would join() give a plain value? Greedy: the first group that fits. `equal`: one alternative on
/// each side that has it.
bool Joiner::mergeable(const PerSide &group, const PerSide &equal, bool pairsExceptions) const {
  for (const auto &[side, v] : equal)
    if (llvm::any_of(group, [s = side](const auto &p) { return p.first == s; }))
      return false;
  const Value &first = group[0].second, &alternative = equal[0].second;
  if (alternative.isAbsent() || first.isAbsent())
    return alternative.isAbsent() && first.isAbsent();
  if (numberType(first) != NumberType::NotNumber)
    return numberType(first) == numberType(alternative) && !first.is(Kind::BigInt) &&
           !alternative.is(Kind::BigInt);
  auto objectsPair = [&](auto objectOf) {
    ObjectIds ids;
    for (const auto &[s, v] : group)
      ids.emplace_back(s, objectOf(v));
    for (const auto &[s, v] : equal)
      ids.emplace_back(s, objectOf(v));
    llvm::sort(ids);
    return pairs.contains(ids) || (mayPair(ids) && sameForm(ids));
  };
  // At a loop head alternatives must not multiply from turn to turn; elsewhere two objects stay
  // two, and what is known of each stays known.
  if (first.is(Kind::Ref) && alternative.is(Kind::Ref) &&
      (options.head || (pairsExceptions && isException(e, first) && isException(e, alternative))))
    return objectsPair([](const Value &v) { return v.asRef(); });
  if (first.is(Kind::Tensor) && alternative.is(Kind::Tensor)) {
    const TensorNode &a = asTensor(first), &b = asTensor(alternative);
    if (a.dtype != b.dtype || a.sizes.size() != b.sizes.size() || a.device != b.device ||
        a.requiresGrad != b.requiresGrad || a.isParameter != b.isParameter)
      return false;
    // Views that are alike but for where they begin are one view from there.
    bool alike = a.steps == b.steps || (a.sizes == b.sizes && a.strides == b.strides &&
                                        sameStepForm({{0, first}, {1, alternative}}));
    if (!alike)
      return false;
    if (a.storage == b.storage)
      return !oneSided(a.storage);
    return objectsPair([](const Value &v) { return asTensor(v).storage; });
  }
  return sameHead(first, alternative);
}
