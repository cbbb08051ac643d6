//===- Facts.cpp - What a path knows about selectors ------------------------------===//
//
// In: run-time values that must be decided. Out: the case, if the path has decided it already, or a
// pending fork. Facts are slots of the heap object kFacts, so sides keep their own and joins unite
// them; a value derived from a selector by a table passes facts both ways.
//
//===----------------------------------------------------------------------===//
#include "Engine.h"
#include "ptc/Capture/Capture.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace ptc::capture;

static uint32_t factKey(ValueId selector) { return attrKey(NameId(selector)); }

/// The case that a derived value has for one case of its selector; -1: not possible.
static int64_t caseOf(const Value &v) { return v.isSmallInt() ? v.asInt() : -1; }

uint64_t Engine::possible(ValueId sel, uint64_t cases) const {
  const Value &fact = heap.get(kFacts, factKey(sel));
  if (!fact.isAbsent())
    cases &= fact.bits();
  auto from = derived.find(sel);
  if (from == derived.end())
    return cases;
  const std::vector<Value> &table = from->second.table;
  uint64_t inner = 0;
  for (size_t i = 0; i < table.size() && i < 64; ++i)
    if (!table[i].isAbsent())
      inner |= uint64_t(1) << i;
  inner = possible(from->second.selector, inner);
  uint64_t left = 0;
  for (size_t i = 0; i < table.size() && i < 64; ++i)
    if (inner >> i & 1)
      if (int64_t n = caseOf(table[i]); n >= 0 && n < 64)
        left |= uint64_t(1) << n;
  return cases & left;
}

void Engine::assume(ValueId sel, uint32_t value) { restrict(sel, uint64_t(1) << value); }

void Engine::restrict(ValueId sel, uint64_t cases) {
  uint64_t left = possible(sel, cases);
  if (!left)
    return; // no run takes this path
  heap.set(kFacts, factKey(sel), Value::constant(Kind::Ip, left));
  auto from = derived.find(sel);
  if (from == derived.end())
    return;
  const std::vector<Value> &table = from->second.table;
  uint64_t matching = 0;
  for (size_t i = 0; i < table.size() && i < 64; ++i)
    if (int64_t n = table[i].isAbsent() ? -1 : caseOf(table[i]); n >= 0 && n < 64 && left >> n & 1)
      matching |= uint64_t(1) << i;
  restrict(from->second.selector, matching);
}

std::optional<uint32_t> Engine::settle(ValueId sel, uint32_t n) {
  assert(n > 0 && n <= kMostChoices && "choices are bounded");
  uint64_t all = n == 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1;
  uint64_t cases = possible(sel, all);
  if (!cases)
    return 0; // no run takes this path, though nothing else here knows it: any case will do
  if (llvm::popcount(cases) == 1)
    return uint32_t(llvm::countr_zero(cases));
  if (pending.isOpen())
    return std::nullopt; // the first open decision is made first
  pending = {};
  pending.kind = Pending::Kind::Fork;
  pending.selector = sel;
  pending.cases = cases;
  pending.recorded = block ? block->instrs.size() : 0;
  pending.logged = log.size();
  return std::nullopt;
}

Value Engine::known(const Value &v) const {
  Value now = v;
  while (now.is(Kind::Choice)) {
    const ChoiceNode &choice = asChoice(now);
    size_t n = choice.alternatives.size();
    uint64_t cases = possible(choice.selector, n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1);
    if (llvm::popcount(cases) != 1)
      return now;
    Value picked = choice.alternatives[size_t(llvm::countr_zero(cases))];
    now = std::move(picked);
  }
  return now;
}

Value Engine::presentValue(const Value &v) {
  Value now = known(v);
  if (!now.is(Kind::Choice))
    return now;
  const ChoiceNode &choice = asChoice(now);
  uint64_t present = 0;
  for (size_t i = 0; i < choice.alternatives.size(); ++i)
    if (!choice.alternatives[i].isAbsent())
      present |= uint64_t(1) << i;
  if (!possible(choice.selector, present))
    return Value::absent(); // on a path that no run takes
  restrict(choice.selector, present);
  return known(now);
}

Value Engine::decide(Value v) {
  while (v.is(Kind::Choice)) {
    const ChoiceNode &choice = asChoice(v);
    std::optional<uint32_t> n = settle(choice.selector, uint32_t(choice.alternatives.size()));
    if (!n)
      return Value::fail();
    Value picked = choice.alternatives[*n];
    v = std::move(picked);
  }
  return v;
}

void Engine::deriveFrom(ValueId id, ValueId sel, const std::map<int64_t, TapeArg> &yields) {
  Derived d{sel, {}};
  for (const auto &[n, arg] : yields) {
    if (n < 0 || n >= 64)
      return;
    d.table.resize(size_t(n) + 1);
    switch (arg.kind) {
    case TapeArg::Kind::Bool:
      d.table[size_t(n)] = Value::boolean(arg.bits);
      break;
    case TapeArg::Kind::Int:
      d.table[size_t(n)] = Value::integer(arg.asInt());
      break;
    case TapeArg::Kind::Float:
      d.table[size_t(n)] = Value::real(arg.asReal());
      break;
    default:
      return;
    }
  }
  derived[id] = std::move(d);
}

ValueId Engine::rootOf(ValueId id) const {
  for (auto from = derived.find(id); from != derived.end(); from = derived.find(id))
    id = from->second.selector;
  return id;
}

const std::vector<Value> *Engine::tableOf(ValueId id, ValueId &sel) const {
  auto from = derived.find(id);
  if (from == derived.end())
    return nullptr;
  sel = from->second.selector;
  return &from->second.table;
}

namespace {
/// Compares views by where they come from; a number is younger than all that it may stand for.
class ViewIdentity {
public:
  explicit ViewIdentity(const Engine &e) : e(e) {}

  std::optional<bool> same(ValueId a, ValueId b) {
    if (a == b)
      return true;
    if (e.listedViews.contains(a) || e.listedViews.contains(b))
      return std::nullopt;
    if (a < b)
      std::swap(a, b);
    auto joined = e.joinedViews.find(a);
    if (joined == e.joinedViews.end())
      return false; // made by an instruction that ran later
    auto [known, fresh] = answers.try_emplace({a, b}, std::nullopt);
    if (!fresh)
      return known->second;
    std::optional<bool> answer = onEachSide(joined->second, b);
    answers[{a, b}] = answer;
    return answer;
  }

private:
  std::optional<bool> onEachSide(const Engine::JoinedView &a, ValueId b) {
    auto other = e.joinedViews.find(b);
    bool together = other != e.joinedViews.end() && other->second.join == a.join;
    std::optional<bool> all;
    for (const auto &[side, made] : a.sides) {
      ValueId with = b;
      if (together) {
        const auto *there = llvm::find_if(other->second.sides,
                                          [side = side](const auto &p) { return p.first == side; });
        if (there == other->second.sides.end())
          continue;
        with = there->second;
      }
      std::optional<bool> here = same(made, with);
      if (!here || (all && *all != *here))
        return std::nullopt;
      all = here;
    }
    return all.value_or(false); // no side has both
  }

  const Engine &e;
  std::map<std::pair<ValueId, ValueId>, std::optional<bool>> answers;
};
} // namespace

std::optional<bool> Engine::sameObject(ValueId a, ValueId b) const {
  return ViewIdentity(*this).same(a, b);
}

static TapeArg argOf(const Value &v) {
  switch (v.kind()) {
  case Kind::Bool:
    return TapeArg::boolean(v.asBool());
  case Kind::Float:
    return TapeArg::real(v.asFloat());
  default:
    assert(v.is(Kind::Int) && "tables hold numbers");
    return TapeArg::integer(v.asInt());
  }
}

Value Engine::mapOf(ValueId sel, llvm::ArrayRef<Value> table) {
  // A case that the path excludes may have any value: one value left is a constant.
  uint64_t all = table.size() >= 64 ? ~uint64_t(0) : (uint64_t(1) << table.size()) - 1;
  uint64_t cases = possible(sel, all);
  const Value *only = nullptr;
  bool constant = true;
  for (size_t i = 0; i < table.size(); ++i) {
    if (!(cases >> i & 1))
      continue;
    constant &= !only || *only == table[i];
    only = &table[i];
  }
  if (constant && only)
    return *only;
  bool isBool = table[0].is(Kind::Bool);
  if (isBool && table.size() == 2 && !table[0].asBool() && table[1].asBool() &&
      tape.type(sel).type == TapeType::Bool)
    return Value::scalar(sel, ScalarType::Bool);
  std::vector<TapeArg> row;
  for (const Value &v : table)
    row.push_back(argOf(v));
  TapeValue type;
  ScalarType scalar = ScalarType::Int;
  type.type = TapeType::Int;
  if (isBool) {
    scalar = ScalarType::Bool;
    type.type = TapeType::Bool;
  } else if (table[0].is(Kind::Float)) {
    scalar = ScalarType::Float;
    type.type = TapeType::Float;
  }
  ValueId id = emit(TapeOp::Map, {TapeArg::value(sel)}, type, {TapeArg::list(std::move(row))});
  derived[id] = {sel, table.vec()};
  return Value::scalar(id, scalar);
}

ValueId Engine::mapIn(TapeBlock &into, ValueId sel, llvm::ArrayRef<int64_t> table) {
  bool identity = true;
  for (size_t i = 0; i < table.size(); ++i)
    identity &= table[i] == int64_t(i);
  if (identity && tape.type(sel).type == TapeType::Selector)
    return sel;
  std::vector<TapeArg> row;
  Derived d{sel, {}};
  for (int64_t n : table) {
    row.push_back(TapeArg::integer(n));
    d.table.push_back(n < 0 ? Value::absent() : Value::integer(n));
  }
  TapeValue type;
  type.type = TapeType::Selector;
  ValueId id =
      emitIn(into, TapeOp::Map, {TapeArg::value(sel)}, type, {TapeArg::list(std::move(row))});
  derived[id] = std::move(d);
  return id;
}
