//===- Join.cpp - Joining states ------------------------------------------------===//
//
// In: the base state (the heap as it stands) and what each side changed. Out: the joined state as a
// delta, and the rows that the sides yield. Rules and their reasons: control.md, "The join".
//
//===----------------------------------------------------------------------===//
#include "CallCaches.h"
#include "ListedViews.h"
#include "Modes.h"
#include "OpenGenerators.h"
#include "SetMembers.h"
#include "SizeLoops.h"
#include "Tensors.h"

#include "ptc/Dialect/Aten/IR/OpTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace aten = ptc::aten;
namespace sym = ptc::sym;

Joiner::Joiner(Executor &executor, std::vector<JoinSide> sideList, ExitKey key,
               std::vector<JoinRow> &rows, JoinOptions options)
    : x(executor), e(executor.e), sides(std::move(sideList)), key(key), rows(rows),
      options(options), serial(++e.viewJoins) {
  states.resize(sides.size());
  for (auto [side, state] : llvm::zip(sides, states)) {
    for (const auto &[slot, value] : *side.delta) {
      state.changed[slot.object].push_back(slot.key);
      if (slot.object == kFacts)
        state.facts.emplace_back(slot.key, value);
    }
    Heap::Mark mark = e.heap.mark();
    e.heap.apply(*side.delta);
    state.reach = x.reachable(key);
    if (refuseLost(e, &state.reach) != Flow::Next)
      e.pending = {}; // the diagnostic is kept, and what follows is not used
    e.heap.rollback(mark);
  }
}

bool Joiner::reaches(unsigned side, ObjectId id) const {
  return x.alwaysReachable(id) || states[side].reach.contains(id);
}

bool Joiner::oneSided(ObjectId id) const {
  unsigned n = 0;
  for (unsigned s = 0; s < sides.size(); ++s)
    n += reaches(s, id);
  return n == 0 || (n == 1 && sides.size() > 1);
}

Value Joiner::read(unsigned side, SlotKey slot) const {
  auto changed = sides[side].delta->find(slot);
  if (changed != sides[side].delta->end())
    return changed->second;
  return e.heap.exists(slot.object) ? e.heap.get(slot) : Value::absent();
}

std::vector<std::pair<uint32_t, Value>> Joiner::slotsOf(unsigned side, ObjectId id) const {
  std::vector<std::pair<uint32_t, Value>> slots;
  if (e.heap.exists(id))
    e.heap.forEachSlot(id, [&](uint32_t slotKey, const Value &) {
      Value now = read(side, {id, slotKey});
      if (!now.isAbsent())
        slots.emplace_back(slotKey, std::move(now));
    });
  auto changed = states[side].changed.find(id);
  if (changed == states[side].changed.end())
    return slots;
  for (uint32_t slotKey : changed->second) {
    Value now = read(side, {id, slotKey});
    bool known = e.heap.exists(id) && !e.heap.get(id, slotKey).isAbsent();
    if (!known && !now.isAbsent())
      slots.emplace_back(slotKey, std::move(now));
  }
  return slots;
}

bool Joiner::run() {
  std::vector<SlotKey> slots;
  llvm::DenseSet<SlotKey> seen;
  for (const JoinSide &side : sides)
    for (const auto &[slot, value] : *side.delta)
      if (seen.insert(slot).second)
        slots.push_back(slot);
  if (options.forced)
    for (SlotKey slot : *options.forced)
      if (seen.insert(slot).second)
        slots.push_back(slot);
  // Slots that hold an object on every side go first: they decide the pairing, and a choice that
  // mentions one of these objects then finds the joined one.
  std::vector<std::pair<bool, SlotKey>> ordered;
  ordered.reserve(slots.size());
  for (SlotKey slot : slots)
    ordered.emplace_back(!holdsObjectEverywhere(slot), slot);
  llvm::sort(ordered, [](const auto &a, const auto &b) {
    return std::tuple(a.first, a.second.packed()) < std::tuple(b.first, b.second.packed());
  });
  if (options.count)
    joinCount();
  for (auto [late, slot] : ordered) {
    if (options.count && slot == options.count->slot)
      continue;
    joinSlot(slot);
    if (failed)
      return false;
  }
  joinNameOrders(slots);
  // Generators that nothing reaches any more were looked at (refuseLost): what they were before the
  // fork must not be seen again.
  for (SlotKey slot : slots)
    if (slot.key == slot::kGenState && e.heap.exists(slot.object) &&
        e.heap.kind(slot.object) == ObjectKind::Frame)
      out.try_emplace(slot, Value::absent());
  // What stands for a storage whose tensors were copied into a list is no more written to than it.
  for (const SideState &state : states)
    for (const auto &[id, became] : state.taken)
      for (llvm::DenseSet<ObjectId> *set :
           {&e.frozenStorages, &e.sharedElements, &e.maybeViews.views, &e.maybeViews.bases,
            &e.looseStrides})
        if (set->contains(id))
          set->insert(became);
  return true;
}

void Joiner::joinSlot(SlotKey slot) {
  if (slot.object == kFacts)
    return joinFact(slot);
  // Objects that only one side knows are reached through a reference, or dead.
  if (!e.heap.exists(slot.object) || oneSided(slot.object) || isNameOrder(slot))
    return;
  if (e.caches && slot.object == e.caches->results()) {
    for (const SideState &state : states)
      e.caches->noteForgotten(slot.key, state.reach);
    return;
  }
  if (slot.key == kExists || (key == callKey() && slot.object == kMachine && !isMode(slot.key)))
    return;
  if (!x.slotIsLive(key, slot)) {
    out[slot] = Value::absent();
    return;
  }
  PerSide values;
  for (unsigned s = 0; s < sides.size(); ++s)
    if (reaches(s, slot.object) && waitsFor(s, slot))
      values.emplace_back(s, read(s, slot));
  if (options.head && isRestored(slot, values))
    return;
  out[slot] = values.empty() ? Value::absent() : joinSlotValue(slot, values);
}

/// Was it written, and is the constant again that it was before the loop? Then it is none of what
/// the loop carries, as long as every pass leaves it so.
bool Joiner::isRestored(SlotKey slot, const PerSide &values) const {
  if (values.empty() || (options.forced && options.forced->contains(slot)))
    return false;
  const Value &before = e.heap.get(slot);
  if (!llvm::all_of(values, [&](const auto &v) { return v.second == before; }))
    return false;
  switch (before.kind()) {
  case Kind::None:
  case Kind::Bool:
  case Kind::Int:
  case Kind::Float:
  case Kind::Str:
  case Kind::DType:
    return true;
  case Kind::Ref:
    return x.alwaysReachable(before.asRef());
  default:
    return false;
  }
}

Value Joiner::joinSlotValue(SlotKey slot, const PerSide &values) {
  if (slot.key == slot::kFrozen && e.heap.kind(slot.object) == ObjectKind::Storage)
    return Value::boolean(llvm::any_of(values, [](const auto &v) { return v.second.bits() != 0; }));
  return join(values, slot);
}

bool Joiner::holdsObjectEverywhere(SlotKey slot) const {
  for (unsigned s = 0; s < sides.size(); ++s) {
    Value v = read(s, slot);
    if (!v.is(Kind::Ref) && !v.is(Kind::Tensor))
      return false;
  }
  return true;
}

// Values ---------------------------------------------------------------------------------------

void Joiner::refuseDepth() {
  if (!failed)
    e.reportLimit(DiagId::ValueDepthLimit, kRecursionLimit);
  failed = true;
}

Value Joiner::join(const PerSide &given, std::optional<SlotKey> slot) {
  WalkLevel here(level);
  if (!here.ok)
    refuseDepth();
  if (failed)
    return Value::none();
  if (given.size() == 1)
    return carry(given[0].first, given[0].second);
  PerSide values = given;
  // Without what each side knows, what it left alone would be open again behind the join. A loop's
  // head has one form for all passes.
  bool same = llvm::all_of(given, [&](const auto &v) { return v.second == given[0].second; });
  if (!same && !options.head)
    for (auto &[side, v] : values)
      v = knownOn(side, v);
  bool anyAbsent = llvm::any_of(values, [](const auto &v) { return v.second.isAbsent(); });
  if (!anyAbsent) {
    if (std::optional<Value> joined = joinAlike(values, slot))
      return *joined;
  } else if (llvm::all_of(values, [](const auto &v) { return v.second.isAbsent(); })) {
    return Value::absent();
  }
  return choose(values, slot);
}

template <typename Pred> static bool allOf(const Joiner::PerSide &values, Pred pred) {
  return llvm::all_of(values, [&](const auto &v) { return pred(v.second); });
}

bool Joiner::sameHead(const Value &a, const Value &b) {
  if (a.kind() != b.kind() || a.sub() != b.sub() || !isComposite(a.kind()))
    return false;
  if (a.parts().size() != b.parts().size())
    return false;
  switch (a.kind()) {
  case Kind::SetItems:
  case Kind::FrozenSet:
    return a == b;
  case Kind::DictItems:
    for (size_t i = 0; i < a.parts().size(); i += 2)
      if (!(a.parts()[i] == b.parts()[i]))
        return false;
    return true;
  case Kind::Template:
    // Fields must be equal, and so must literal texts, whose field is None.
    for (size_t i = 0; i < a.parts().size(); i += 2)
      if (!(a.parts()[i + 1] == b.parts()[i + 1]) ||
          (a.parts()[i + 1].isNone() && !(a.parts()[i] == b.parts()[i])))
        return false;
    return true;
  default:
    return true;
  }
}

std::optional<Value> Joiner::joinAlike(const PerSide &values, std::optional<SlotKey> slot) {
  const Value &first = values[0].second;
  bool same = allOf(values, [&](const Value &v) { return v == first; });
  NumberType number = numberType(first);
  if (number != NumberType::NotNumber &&
      allOf(values, [&](const Value &v) { return numberType(v) == number; })) {
    if (!same && !allOf(values, [](const Value &v) { return !v.is(Kind::BigInt); }))
      return std::nullopt;
    return joinNumbers(values, slot && options.forced && options.forced->contains(*slot));
  }
  if (allOf(values, [](const Value &v) { return v.is(Kind::Raw); }))
    return joinRaw(values, slot && options.forced && options.forced->contains(*slot));
  if (allOf(values, [](const Value &v) { return v.is(Kind::Tensor); }))
    return joinTensors(values);
  if (allOf(values, [](const Value &v) { return v.is(Kind::Ref); })) {
    if (same && !oneSided(first.asRef()))
      return Value::ref(carryObject(values[0].first, first.asRef())).withSource(first.source());
    ObjectIds ids;
    for (const auto &[s, v] : values)
      ids.emplace_back(s, v.asRef());
    if (ObjectId joined = pairObjects(ids))
      return Value::ref(joined).withSource(first.source());
    return std::nullopt;
  }
  if (first.is(Kind::Choice) && same) {
    if (asChoice(first).selector >= options.before)
      return std::nullopt;
    bool hidden = false;
    forEachRef(first, [&](ObjectId id) { hidden |= oneSided(id); });
    if (hidden)
      return std::nullopt;
    return carry(values[0].first, first);
  }
  if (std::optional<Value> laid = joinLaid(values, slot))
    return laid;
  if (std::optional<Value> grown = joinGrowing(values, slot))
    return grown;
  if (llvm::any_of(values, [](const auto &v) { return v.second.is(Kind::RunTimeList); }))
    return std::nullopt;
  if (isComposite(first.kind()) &&
      allOf(values, [&](const Value &v) { return sameHead(first, v); }))
    return joinParts(values);
  if (same && !first.is(Kind::Choice))
    return first;
  return std::nullopt;
}

/// The numbered value as a constant, if it needs no run-time value.
static Value constantOf(const TapeArg &arg, NumberType type) {
  switch (arg.kind) {
  case TapeArg::Kind::Bool:
    return Value::boolean(arg.bits);
  case TapeArg::Kind::Int:
    return Value::integer(arg.asInt());
  case TapeArg::Kind::Float:
    return Value::real(arg.asReal());
  default:
    return Value::scalar(arg.id(), scalarTypeOf(type));
  }
}

Value Joiner::joinNumbers(const PerSide &values, bool force) {
  const Value &first = values[0].second;
  bool same = allOf(values, [&](const Value &v) { return v == first; });
  if (same && !force) {
    bool before = first.is(Kind::Scalar) ? first.scalarId() < options.before
                  : first.is(Kind::Size) ? e.sizeKnownBefore(first.asSize(), options.before)
                                         : true;
    if (before)
      return first;
  }
  NumberType number = numberType(first);
  if (number == NumberType::Int)
    if (sym::Expr formula = joinedFormula(values); formula.isSupported())
      return sizeValue(formula).withSource(first.source());
  std::map<int64_t, TapeArg> yields;
  for (const auto &[s, v] : values)
    yields[sides[s].number] = yieldOf(s, v);
  TapeValue type;
  type.type = tapeTypeOf(number);
  TapeArg joined = result(std::move(yields), type, force);
  if (number == NumberType::Int && joined.isValue())
    shareSize(joined.id(), values);
  return constantOf(joined, number).withSource(first.source());
}

TapeArg Joiner::yieldOf(unsigned side, const Value &number) {
  return e.operandIn(*sides[side].block, number);
}

Value Joiner::joinRaw(const PerSide &values, bool force) {
  std::map<int64_t, TapeArg> yields;
  for (const auto &[s, v] : values)
    yields[sides[s].number] = TapeArg::value(v.asRaw());
  TapeValue type = e.tape.type(values[0].second.asRaw());
  return Value::raw(result(std::move(yields), type, force).id());
}

Value Joiner::joinParts(const PerSide &values) {
  const Value &first = values[0].second;
  std::vector<Value> parts;
  for (size_t i = 0; i < first.parts().size(); ++i) {
    PerSide column;
    for (const auto &[s, v] : values)
      column.emplace_back(s, v.parts()[i]);
    parts.push_back(join(column));
  }
  return Value::composite(first.kind(), std::move(parts))
      .withSub(first.sub())
      .withSource(first.source());
}

/// Numbers of one type and equal constants join to what a view operation can take as it is.
static bool joinsPlainly(const Value &a, const Value &b) {
  if (a == b)
    return true;
  if (a.is(Kind::Tuple) && b.is(Kind::Tuple) && a.parts().size() == b.parts().size())
    return llvm::all_of(llvm::zip(a.parts(), b.parts()), [](const auto &pair) {
      return joinsPlainly(std::get<0>(pair), std::get<1>(pair));
    });
  return numberType(a) == NumberType::Int && numberType(b) == NumberType::Int &&
         !a.is(Kind::BigInt) && !b.is(Kind::BigInt);
}

bool Joiner::sameStepForm(const PerSide &values) {
  const TensorNode &first = asTensor(values[0].second);
  return allOf(values, [&](const Value &v) {
    if (asTensor(v).steps.size() != first.steps.size())
      return false;
    for (const auto &[a, b] : llvm::zip(first.steps, asTensor(v).steps)) {
      if (a.op != b.op || a.args.size() != b.args.size())
        return false;
      for (size_t i = 0; i < a.args.size(); ++i)
        if (mayDifferInViews(a, i) ? !joinsPlainly(a.args[i], b.args[i]) : a.args[i] != b.args[i])
          return false;
    }
    return true;
  });
}

/// Where a view begins is a number of the run where lists may hold it.
void Joiner::joinOffsets(TensorNode &joined, const PerSide &values) {
  llvm::SmallVector<std::pair<unsigned, sym::Expr>, 4> offsets;
  for (const auto &[s, v] : values) {
    const TensorNode &t = asTensor(v);
    if (!t.isOffsetKnown)
      return;
    offsets.emplace_back(s, t.offset.isSupported() ? t.offset : e.sizes().constant(0));
  }
  joined.offset = joinSizes(offsets);
  joined.isOffsetKnown = true;
}

std::optional<Value> Joiner::joinTensors(const PerSide &values) {
  const TensorNode &first = asTensor(values[0].second);
  auto alike = [&](const Value &v) {
    const TensorNode &t = asTensor(v);
    return t.dtype == first.dtype && t.sizes.size() == first.sizes.size() &&
           t.device == first.device && t.requiresGrad == first.requiresGrad &&
           t.isParameter == first.isParameter &&
           llvm::equal(t.steps, first.steps, [](const ViewStep &a, const ViewStep &b) {
             return a.op == b.op && a.args.size() == b.args.size();
           });
  };
  if (!allOf(values, alike) || !sameStepForm(values))
    return std::nullopt;
  ObjectId storage = 0;
  if (allOf(values, [&](const Value &v) { return asTensor(v).storage == first.storage; })) {
    if (!oneSided(first.storage))
      storage = carryObject(values[0].first, first.storage);
  }
  if (!storage) {
    ObjectIds ids;
    for (const auto &[s, v] : values)
      ids.emplace_back(s, asTensor(v).storage);
    storage = pairObjects(ids);
  }
  if (!storage)
    return std::nullopt;
  auto *node = new TensorNode(first);
  node->refs = 0;
  node->storage = storage;
  node->made = joinMade(values);
  for (size_t i = 0; i < node->steps.size(); ++i)
    for (size_t k = 0; k < node->steps[i].args.size(); ++k) {
      PerSide column;
      for (const auto &[s, v] : values)
        column.emplace_back(s, asTensor(v).steps[i].args[k]);
      node->steps[i].args[k] = join(column);
    }
  node->isOffsetKnown = allOf(values, [&](const Value &v) {
    const TensorNode &t = asTensor(v);
    return t.isOffsetKnown && t.offset == first.offset &&
           (!t.offset.isSupported() || t.offset.isConstant());
  });
  if (!node->isOffsetKnown && e.keeps.listedViews)
    joinOffsets(*node, values);
  if (!sizeAsContents(*node))
    for (size_t d = 0; d < node->sizes.size(); ++d) {
      llvm::SmallVector<std::pair<unsigned, sym::Expr>, 4> sizes, strides;
      for (const auto &[s, v] : values) {
        sizes.emplace_back(s, asTensor(v).sizes[d]);
        strides.emplace_back(s, asTensor(v).strides[d]);
      }
      node->sizes[d] = joinSizes(sizes);
      node->strides[d] = joinSizes(strides);
    }
  return Value::node(Kind::Tensor, node).withSource(values[0].second.source());
}

/// Which object a view is differs from side to side; sameObject() looks at each of them.
ValueId Joiner::joinMade(const PerSide &values) {
  ValueId first = asTensor(values[0].second).made;
  bool same = allOf(values, [&](const Value &v) { return asTensor(v).made == first; });
  if (same && first < options.before)
    return first;
  Engine::MadeBySide bySide;
  for (const auto &[s, v] : values)
    bySide.emplace_back(s, asTensor(v).made);
  auto [made, fresh] = madeOf.try_emplace(bySide, 0);
  if (fresh) {
    made->second = e.tape.makeValue({});
    e.joinedViews[made->second] = {serial, std::move(bySide)};
  }
  return made->second;
}

void Joiner::pickYields(JoinRow &row, int64_t number, TapeBlock &block, ValueId selector,
                        llvm::ArrayRef<int64_t> parts) {
  std::map<int64_t, TapeArg> wanted;
  for (int64_t part : parts)
    if (auto found = row.yields.find(part); found != row.yields.end()) {
      wanted[part] = std::move(found->second);
      row.yields.erase(found);
    }
  if (wanted.empty())
    return;
  const TapeArg &first = wanted.begin()->second;
  if (llvm::all_of(wanted, [&](const auto &y) { return y.second == first; })) {
    row.yields[number] = first;
    return;
  }
  TapeValue type = e.tape.type(row.result);
  bool constants = type.type == TapeType::Selector &&
                   llvm::none_of(wanted, [](const auto &y) { return y.second.isValue(); });
  if (constants) {
    std::vector<int64_t> table;
    for (int64_t part : parts)
      table.push_back(wanted.contains(part) ? wanted[part].asInt() : -1);
    row.yields[number] = TapeArg::value(e.mapIn(block, selector, table));
    return;
  }
  std::vector<TapeArg> args{TapeArg::value(selector)};
  for (int64_t part : parts)
    args.push_back(wanted.contains(part) ? wanted[part] : TapeArg::value(kUndef));
  ValueId picked = e.emitIn(block, TapeOp::Pick, std::move(args), type);
  if (type.type == TapeType::Tensor || type.type == TapeType::List) {
    for (const auto &[part, arg] : wanted)
      if (arg.isValue() && arg.id() != kUndef) {
        e.tape.type(picked) = e.tape.type(arg.id());
        break;
      }
    joinTypes(picked, wanted);
  }
  row.yields[number] = TapeArg::value(picked);
}

static size_t hashOfYields(const std::map<int64_t, TapeArg> &yields) {
  size_t h = 0;
  for (const auto &[n, arg] : yields)
    h = llvm::hash_combine(h, n, hashOf(arg));
  return h;
}

TapeArg Joiner::result(std::map<int64_t, TapeArg> yields, TapeValue type, bool force) {
  const TapeArg &first = yields.begin()->second;
  bool same = llvm::all_of(yields, [&](const auto &y) { return y.second == first; });
  if (same && !force && (!first.isValue() || first.id() < options.before))
    return first;
  auto &bucket = rowByContent[hashOfYields(yields)];
  for (size_t row : bucket)
    if (rows[row].yields == yields && e.tape.type(rows[row].result).type == type.type)
      return TapeArg::value(rows[row].result);
  TapeType kind = type.type;
  ValueId id = e.tape.makeValue(std::move(type));
  if (kind == TapeType::Tensor || kind == TapeType::List)
    joinTypes(id, yields);
  if (kind == TapeType::Float && options.selector != kUndef)
    e.tape.chooseMakers(id, llvm::to_vector(llvm::make_second_range(yields)));
  bool constants = llvm::none_of(yields, [](const auto &y) { return y.second.isValue(); });
  if (options.selector != kUndef && constants)
    e.deriveFrom(id, options.selector, yields);
  bucket.push_back(rows.size());
  rows.push_back({id, yields});
  if (!constants)
    deriveNested(id, kind, yields);
  return TapeArg::value(id);
}

/// The value that `arg` stands for where it is a constant; Absent for run-time ones.
static Value constantArg(const TapeArg &arg) {
  switch (arg.kind) {
  case TapeArg::Kind::Bool:
    return Value::boolean(arg.bits);
  case TapeArg::Kind::Int:
    return Value::integer(arg.asInt());
  default:
    return Value::absent();
  }
}

/// Ints and bools that are constants on every path, some decided on a side of a side: a selector
/// over all of them keeps what is known, so that a counter in a generator or an iterator's place
/// stays decided by where the program went.
void Joiner::deriveNested(ValueId id, TapeType type, const std::map<int64_t, TapeArg> &yields) {
  constexpr size_t kMaxConstants = 12;
  if (options.head || key == callKey() || (type != TapeType::Int && type != TapeType::Bool))
    return;
  std::vector<Value> table;
  std::vector<SidePlaces> sidePlaces;
  for (const auto &[n, arg] : yields) {
    SidePlaces &side = sidePlaces.emplace_back(SidePlaces{n, kUndef, {}});
    if (Value v = constantArg(arg); !v.isAbsent()) {
      side.places.push_back(rowOf(table, v));
      continue;
    }
    const std::vector<Value> *from = arg.isValue() ? e.tableOf(arg.id(), side.selector) : nullptr;
    if (!from)
      return;
    for (const Value &v : *from)
      side.places.push_back(v.isAbsent() ? -1 : rowOf(table, v));
    if (table.size() > kMaxConstants)
      return;
  }
  TapeArg selector = selectorOver(sidePlaces);
  if (selector.isValue())
    e.derived[id] = {selector.id(), std::move(table)};
}

TapeArg Joiner::selectorOver(llvm::ArrayRef<SidePlaces> sidePlaces) {
  std::map<int64_t, TapeArg> selectors;
  for (const SidePlaces &given : sidePlaces) {
    auto side = llvm::find_if(sides, [&](const JoinSide &s) { return s.number == given.side; });
    selectors[given.side] =
        given.selector == kUndef
            ? TapeArg::integer(given.places[0])
            : TapeArg::value(e.mapIn(*side->block, given.selector, given.places));
  }
  TapeValue selectorType;
  selectorType.type = TapeType::Selector;
  return result(std::move(selectors), selectorType);
}

// One side's values as the joined state sees them -----------------------------------------------

Value Joiner::carry(unsigned side, const Value &v) {
  auto moved = [&](ValueId id) {
    return result({{sides[side].number, TapeArg::value(id)}}, e.tape.type(id)).id();
  };
  switch (v.kind()) {
  case Kind::Scalar:
    if (sym::Expr known = options.end ? atEnd(formulaOf(e, v)) : sym::Expr(); known.isSupported())
      return Value::size(known).withSource(v.source());
    return Value::scalar(moved(v.scalarId()), v.scalarType()).withSource(v.source());
  case Kind::Raw:
    return Value::raw(moved(v.asRaw()));
  case Kind::Size:
    return joinNumbers({{side, v}}, /*force=*/false);
  case Kind::Ref:
    return Value::ref(carryObject(side, v.asRef())).withSource(v.source());
  case Kind::RunTimeList: {
    auto *node = new RunTimeListNode(asRunTimeList(v));
    node->refs = 0;
    sym::Expr length = evenLength({{side, v}});
    for (ValueId &column : node->columns) {
      column = moved(column);
      if (e.sizeLoops)
        e.sizeLoops->noteLength(column, length);
    }
    if (holdsViews(node->form))
      node->form =
          withStorages(node->form, [&](ObjectId storage) { return carryObject(side, storage); });
    return Value::node(Kind::RunTimeList, node).withSource(v.source());
  }
  case Kind::Tensor: {
    auto *node = new TensorNode(asTensor(v));
    node->refs = 0;
    node->storage = carryObject(side, node->storage);
    node->made = joinMade({{side, v}});
    for (ViewStep &step : node->steps)
      for (Value &arg : step.args)
        arg = carry(side, arg);
    if (!sizeAsContents(*node)) {
      for (sym::Expr &size : node->sizes)
        size = joinSizes({{side, size}});
      for (sym::Expr &stride : node->strides)
        stride = joinSizes({{side, stride}});
    }
    node->isOffsetKnown &= !node->offset.isSupported() || node->offset.isConstant();
    if (!node->isOffsetKnown && e.keeps.listedViews)
      joinOffsets(*node, {{side, v}});
    return Value::node(Kind::Tensor, node).withSource(v.source());
  }
  case Kind::Choice: {
    auto *node = new ChoiceNode;
    node->selector = moved(asChoice(v).selector);
    for (const Value &alternative : asChoice(v).alternatives)
      node->alternatives.push_back(carry(side, alternative));
    return Value::node(Kind::Choice, node).withSource(v.source());
  }
  default:
    break;
  }
  if (!isComposite(v.kind()))
    return v;
  WalkLevel here(level);
  if (!here.ok)
    refuseDepth();
  if (failed)
    return v;
  std::vector<Value> parts;
  for (const Value &part : v.parts())
    parts.push_back(carry(side, part));
  if (v.is(Kind::SetItems) || v.is(Kind::FrozenSet))
    return withMembers(e, v, std::move(parts));
  return Value::composite(v.kind(), std::move(parts)).withSub(v.sub()).withSource(v.source());
}

ObjectId Joiner::carryObject(unsigned side, ObjectId id) {
  auto taken = states[side].taken.find(id);
  if (taken != states[side].taken.end())
    return taken->second;
  if (e.heap.exists(id) && (sides.size() == 1 || !oneSided(id)))
    return id;
  // Copied out under its own id. Its slots go through the same mapping, because an object that it
  // holds may be paired already. An object may be known to several exits of one side's common past.
  llvm::SmallVector<unsigned, 4> who;
  for (unsigned s = 0; s < sides.size(); ++s)
    if (reaches(s, id) && !states[s].taken.contains(id))
      who.push_back(s);
  if (!llvm::is_contained(who, side))
    who.push_back(side);
  for (unsigned s : who)
    states[s].taken[id] = id;
  for (const auto &[slotKey, value] : slotsOf(side, id)) {
    PerSide values;
    for (unsigned s : who)
      values.emplace_back(s, read(s, {id, slotKey}));
    SlotKey slot{id, slotKey};
    if (!isNameOrder(slot))
      out[slot] = slotKey == kExists ? value : joinSlotValue(slot, values);
  }
  // An older object may have held more.
  if (e.heap.exists(id))
    e.heap.forEachSlot(id, [&](uint32_t slotKey, const Value &) {
      if (read(side, {id, slotKey}).isAbsent())
        out[{id, slotKey}] = Value::absent();
    });
  ObjectIds ids{{side, id}};
  for (unsigned s : who)
    if (s != side)
      ids.emplace_back(s, id);
  setNameOrder(id, ids);
  return id;
}
