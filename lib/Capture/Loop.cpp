//===- Loop.cpp - Closing loops ---------------------------------------------------===//
//
// In: a pass of an unrolled loop that met a decision on data, or a call of the entry. Out: a Loop
// on the tape whose arguments are the slots that change from pass to pass, and its exits.
//
//===----------------------------------------------------------------------===//
#include "Loop.h"
#include "SizeLoops.h"

#include "ptc/Python/BigInt.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <set>

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

// Canonical names
// -----------------------------------------------------------------------------------

static bool holdsParts(const Value &v) {
  return v.is(Kind::Tuple) || v.is(Kind::DictItems) || v.is(Kind::Template);
}

/// A choice between tuples and the like, none of whose alternatives is a tensor itself.
static bool holdsPartsOnly(const Value &v) {
  return v.is(Kind::Choice) && llvm::any_of(asChoice(v).alternatives, holdsParts) &&
         llvm::none_of(asChoice(v).alternatives, [](const Value &a) { return a.is(Kind::Tensor); });
}

/// `whole` with a part of it replaced.
static Value withPart(const Value &whole, int alternative, int part, const Value &v) {
  if (alternative >= 0) {
    auto *node = new ChoiceNode(asChoice(whole));
    node->refs = 0;
    Value &one = node->alternatives[size_t(alternative)];
    one = withPart(one, -1, part, v);
    return Value::node(Kind::Choice, node).withSource(whole.source());
  }
  if (part < 0)
    return v;
  std::vector<Value> parts = whole.parts().vec();
  parts[size_t(part)] = v;
  return Value::composite(whole.kind(), std::move(parts)).withSub(whole.sub());
}

std::vector<LoopCloser::Spot> LoopCloser::collectSpots(const Delta &delta,
                                                       llvm::DenseMap<ObjectId, unsigned> &count) {
  std::vector<Spot> spots;
  Heap::Mark mark = e.heap.mark();
  e.heap.apply(delta);
  llvm::DenseSet<ObjectId> reach = x.reachable(key);
  std::vector<ObjectId> ids(reach.begin(), reach.end());
  llvm::sort(ids);
  for (ObjectId id : ids) {
    bool isFrame = e.heap.kind(id) == ObjectKind::Frame;
    e.heap.forEachSlot(id, [&](uint32_t slotKey, const Value &v) {
      if ((isFrame && slotKey == slot::kCaller) || !x.slotIsLive(key, {id, slotKey}))
        return;
      forEachRef(v, [&](ObjectId ref) { ++count[ref]; });
      auto addParts = [&](int alternative, const Value &whole) {
        for (size_t i = 0; i < whole.parts().size(); ++i)
          spots.push_back({{id, slotKey}, alternative, int(i), whole.parts()[i]});
      };
      if (holdsParts(v))
        return addParts(-1, v);
      spots.push_back({{id, slotKey}, -1, -1, v});
      if (!holdsPartsOnly(v))
        return;
      for (size_t k = 0; k < asChoice(v).alternatives.size(); ++k)
        if (const Value &one = asChoice(v).alternatives[k]; holdsParts(one))
          addParts(int(k), one);
    });
  }
  e.heap.rollback(mark);
  return spots;
}

static bool sameKind(const TensorNode &a, const TensorNode &b) {
  return a.dtype == b.dtype && a.device == b.device && a.requiresGrad == b.requiresGrad &&
         a.sizes == b.sizes && a.strides == b.strides;
}

void LoopCloser::compact(Delta &delta, TapeBlock &body) {
  llvm::DenseMap<ObjectId, unsigned> count;
  std::vector<Spot> spots = collectSpots(delta, count);
  UseMap uses;
  for (size_t i = 0; i < spots.size(); ++i)
    for (const Value &a : alternativesOf(spots[i].value))
      if (a.is(Kind::Tensor) && asTensor(a).made == 0 && !e.heap.exists(asTensor(a).storage)) {
        Uses &use = uses.try_emplace(asTensor(a).storage, Uses{a, {}}).first->second;
        use.spots.push_back(i);
      }
  for (auto it = uses.begin(); it != uses.end();)
    it = count[it->first] == it->second.spots.size() ? std::next(it) : uses.erase(it);
  while (!uses.empty()) {
    // Storages of one kind that are connected through slots.
    const Value like = uses.begin()->second.like;
    std::set<ObjectId> storages, grow{uses.begin()->first};
    std::set<size_t> at;
    while (!grow.empty()) {
      for (ObjectId id : grow) {
        storages.insert(id);
        at.insert(uses.at(id).spots.begin(), uses.at(id).spots.end());
      }
      grow.clear();
      for (const auto &[id, use] : uses)
        if (!storages.count(id) && sameKind(asTensor(use.like), asTensor(like)) &&
            llvm::any_of(use.spots, [&](size_t i) { return at.count(i); }))
          grow.insert(id);
    }
    Renaming renaming;
    renaming.at.assign(at.begin(), at.end());
    renaming.storages.assign(storages.begin(), storages.end());
    renaming.like = like;
    rename(std::move(renaming), spots, delta, body);
    for (ObjectId id : storages)
      uses.erase(id);
  }
}

bool LoopCloser::fillTables(Renaming &r, llvm::ArrayRef<Spot> spots) {
  bool needed = false;
  for (size_t i : r.at) {
    size_t hits = 0;
    for (const Value &a : alternativesOf(spots[i].value)) {
      auto found =
          a.is(Kind::Tensor) ? llvm::find(r.storages, asTensor(a).storage) : r.storages.end();
      r.tables[i].push_back(found == r.storages.end() ? -1 : found - r.storages.begin());
      hits += found != r.storages.end();
    }
    needed |= hits > 1;
  }
  return needed;
}

void LoopCloser::makeHomes(Renaming &r, llvm::ArrayRef<Spot> spots, Delta &delta, TapeBlock &body) {
  bool frozen = false, shared = false;
  for (ObjectId id : r.storages) {
    frozen |= delta[{id, slot::kFrozen}].bits() != 0 || e.frozenStorages.contains(id);
    shared |= e.sharedElements.contains(id);
  }
  for (size_t i : r.at) {
    const Value &v = spots[i].value;
    const std::vector<int64_t> &table = r.tables[i];
    TapeArg number = v.is(Kind::Choice) ? TapeArg::value(e.mapIn(body, asChoice(v).selector, table))
                                        : TapeArg::integer(table[0]);
    std::vector<TapeArg> args{number};
    for (ObjectId id : r.storages)
      args.push_back(TapeArg::value(delta[{id, slot::kContent}].asRaw()));
    TapeValue type = e.tape.type(args.back().id());
    ObjectId home = e.heap.reserve({ObjectKind::Storage});
    delta[{home, kExists}] = Value::ip(0);
    delta[{home, slot::kContent}] = Value::raw(e.emitIn(body, TapeOp::Pick, std::move(args), type));
    delta[{home, slot::kFrozen}] = Value::boolean(frozen);
    if (shared)
      e.sharedElements.insert(home);
    for (llvm::DenseSet<ObjectId> *set :
         {&e.maybeViews.views, &e.maybeViews.bases, &e.looseStrides})
      if (llvm::any_of(r.storages, [&](ObjectId id) { return set->contains(id); }))
        set->insert(home);
    r.number[i] = std::move(number);
    r.home[i] = home;
  }
}

Value LoopCloser::rehomed(Renaming &r, size_t i, const Value &v, TapeBlock &body) {
  std::vector<Value> made;
  std::vector<int64_t> oldTable;
  for (auto [k, alternative] : llvm::enumerate(alternativesOf(v))) {
    if (r.tables[i][k] >= 0) {
      oldTable.push_back(0);
      continue;
    }
    auto same = llvm::find(made, alternative);
    oldTable.push_back(same - made.begin());
    if (same == made.end())
      made.push_back(alternative);
  }
  size_t kept = made.size();
  std::vector<TapeArg> homeArgs{TapeArg::integer(0)};
  for (size_t j : r.at) {
    if (j > i)
      break;
    bool maybeShared = llvm::any_of(
        r.tables[j], [&](int64_t n) { return n >= 0 && llvm::is_contained(r.tables[i], n); });
    if (!maybeShared)
      continue;
    auto *node = new TensorNode(asTensor(r.like));
    node->refs = 0;
    node->steps.clear();
    node->made = 0;
    node->storage = r.home[j];
    made.push_back(Value::node(Kind::Tensor, node));
    homeArgs.push_back(r.number[j]);
  }
  if (made.size() == 1)
    return made[0];
  if (kept && v.is(Kind::Choice))
    homeArgs[0] = TapeArg::value(e.mapIn(body, asChoice(v).selector, oldTable));
  TapeValue selectorType;
  selectorType.type = TapeType::Selector;
  auto *choice = new ChoiceNode;
  choice->selector = e.emitIn(body, TapeOp::Home, std::move(homeArgs), selectorType,
                              {TapeArg::integer(int64_t(kept))});
  choice->alternatives = std::move(made);
  return Value::node(Kind::Choice, choice);
}

void LoopCloser::rename(Renaming r, std::vector<Spot> &spots, Delta &delta, TapeBlock &body) {
  if (!fillTables(r, spots))
    return;
  makeHomes(r, spots, delta, body);
  for (size_t i : r.at) {
    Spot &spot = spots[i];
    spot.value = rehomed(r, i, spot.value, body);
    Value old = e.heap.exists(spot.slot.object) ? e.heap.get(spot.slot) : Value::absent();
    Value &whole = delta.insert({spot.slot, std::move(old)}).first->second;
    whole = withPart(whole, spot.alternative, spot.part, spot.value);
  }
}

// The state up to renaming
// ----------------------------------------------------------------------------

/// Constants that differ print differently.
static std::string exactConstant(const Value &v) {
  switch (v.kind()) {
  case Kind::Str:
    return v.asStr().str();
  case Kind::Bytes:
    return v.asBytes().str();
  case Kind::Complex: {
    auto bits = std::bit_cast<std::array<uint64_t, 2>>(v.asComplex());
    return std::to_string(bits[0]) + "," + std::to_string(bits[1]);
  }
  case Kind::BigInt:
    return (v.asBigInt().isNegative() ? "-" : "") + py::toDigits(v.asBigInt(), 16);
  case Kind::Opaque:
    return v.nodeAs<OpaqueNode>(Kind::Opaque).path;
  default:
    return std::to_string(v.is(Kind::Code) ? uint64_t(uintptr_t(v.asCode())) : v.bits());
  }
}

namespace {
/// Prints values of a head state with arguments and new objects numbered by first encounter.
class Describer {
public:
  Describer(Engine &e, HeadState &state, ValueId before) : e(e), state(state), before(before) {
    for (size_t i = 0; i < state.rows.size(); ++i)
      rowOf[state.rows[i].result] = i;
  }

  std::string show(const Value &v) {
    std::string text;
    llvm::raw_string_ostream os(text);
    print(os, v);
    return text;
  }
  /// What `is` says of the views that the state holds.
  void showIdentities(std::vector<std::string> &lines) const {
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        if (std::optional<bool> same = e.sameObject(order[i], order[k]); !same || *same)
          lines.push_back((llvm::Twine("view ") + llvm::Twine(i) + (same ? " is " : " may be ") +
                           llvm::Twine(k))
                              .str());
  }
  std::vector<ObjectId> queue; ///< new objects, by number

private:
  void printId(llvm::raw_ostream &os, ValueId id) {
    auto row = rowOf.find(id);
    if (row == rowOf.end()) {
      os << '%' << id;
      return;
    }
    auto [place, fresh] = number.try_emplace(id, number.size());
    if (fresh)
      state.args.push_back(row->second);
    os << "arg" << place->second;
  }
  void printSize(llvm::raw_ostream &os, sym::Expr size) {
    e.sizes().print(os, size, [&](llvm::raw_ostream &os, sym::SymbolId symbol) {
      const SymbolBinding *binding = e.bindingOf(symbol);
      if (!binding) {
        os << 's' << symbol;
        return;
      }
      os << "size(";
      printId(os, binding->value);
      os << ',' << binding->dimension << ')';
    });
  }
  void printSizes(llvm::raw_ostream &os, llvm::ArrayRef<sym::Expr> sizes) {
    for (sym::Expr size : sizes) {
      printSize(os, size);
      os << ' ';
    }
  }
  void printObject(llvm::raw_ostream &os, ObjectId id) {
    if (!state.out.contains({id, kExists})) {
      os << '#' << id;
      return;
    }
    auto [place, fresh] = objects.try_emplace(id, objects.size());
    if (fresh)
      queue.push_back(id);
    os << "new" << place->second;
  }
  /// Which object it is decides what `is` says.
  void printMade(llvm::raw_ostream &os, ValueId id) {
    if (!id)
      return;
    auto [place, fresh] = made.try_emplace(id, order.size());
    if (fresh)
      order.push_back(id);
    if (id < before)
      os << '#' << id;
    else
      os << '@' << place->second;
  }
  void printType(llvm::raw_ostream &os, const TapeValue &type) {
    os << ':' << unsigned(type.dtype) << '[';
    printSizes(os, type.sizes);
    os << "][";
    printSizes(os, type.strides);
    os << ']';
  }
  void print(llvm::raw_ostream &os, const Value &v) {
    switch (v.kind()) {
    case Kind::Scalar:
      os << "scalar" << unsigned(v.scalarType()) << ' ';
      return printId(os, v.scalarId());
    case Kind::Raw:
      printId(os, v.asRaw());
      return printType(os, e.tape.type(v.asRaw()));
    case Kind::Size:
      return printSize(os, v.asSize());
    case Kind::Ref:
      return printObject(os, v.asRef());
    case Kind::RunTimeList:
      os << "list";
      for (ValueId column : asRunTimeList(v).columns) {
        os << ' ';
        printId(os, column);
      }
      os << (asRunTimeList(v).shared ? " shared of " : " of ");
      print(os, asRunTimeList(v).form);
      if (sym::Expr length = e.sizeLoops ? e.sizeLoops->lengthOf(v) : sym::Expr();
          length.isSupported()) {
        os << " of ";
        printSize(os, length);
      }
      return;
    case Kind::Tensor:
      return printTensor(os, asTensor(v));
    case Kind::Choice:
      os << "choice ";
      printId(os, asChoice(v).selector);
      for (const Value &a : asChoice(v).alternatives) {
        os << " | ";
        print(os, a);
      }
      return;
    default:
      break;
    }
    if (!isComposite(v.kind())) {
      os << unsigned(v.kind()) << ':' << unsigned(v.sub()) << ':' << exactConstant(v);
      return;
    }
    os << unsigned(v.kind()) << '(';
    for (const Value &part : v.parts()) {
      print(os, part);
      os << ", ";
    }
    os << ')';
  }
  void printTensor(llvm::raw_ostream &os, const TensorNode &t) {
    os << "tensor ";
    printObject(os, t.storage);
    printMade(os, t.made);
    for (const ViewStep &step : t.steps) {
      os << '.' << step.op << '(';
      for (const Value &arg : step.args) {
        print(os, arg);
        os << ", ";
      }
      os << ')';
    }
    os << " rg" << t.requiresGrad << " dev" << t.device << ':' << unsigned(t.dtype) << '[';
    printSizes(os, t.sizes);
    os << "][";
    printSizes(os, t.strides);
    os << ']';
  }

  Engine &e;
  HeadState &state;
  ValueId before;
  llvm::DenseMap<ValueId, size_t> made; ///< views, by first encounter
  std::vector<ValueId> order;
  llvm::DenseMap<ValueId, size_t> rowOf;
  llvm::DenseMap<ValueId, size_t> number;
  llvm::DenseMap<ObjectId, size_t> objects;
};
} // namespace

void LoopCloser::describe(HeadState &state, ValueId before) {
  Describer describer(e, state, before);
  std::vector<SlotKey> old;
  llvm::DenseMap<ObjectId, std::vector<uint32_t>> fresh;
  for (const auto &[slot, value] : state.out) {
    if (slot.object == kFacts)
      continue;
    if (state.out.contains({slot.object, kExists}))
      fresh[slot.object].push_back(slot.key);
    else
      old.push_back(slot);
  }
  llvm::sort(old, [](SlotKey a, SlotKey b) { return a.packed() < b.packed(); });
  for (SlotKey slot : old)
    state.shape.push_back(
        (llvm::Twine(e.describeSlot(slot)) + " = " + describer.show(state.out[slot])).str());
  state.shapeSlots = std::move(old);
  for (size_t i = 0; i < describer.queue.size(); ++i) {
    ObjectId id = describer.queue[i];
    std::vector<uint32_t> keys = fresh[id];
    llvm::sort(keys);
    for (uint32_t slotKey : keys)
      state.shape.push_back((llvm::Twine("new") + llvm::Twine(i) + "." + llvm::Twine(slotKey) +
                             " = " + describer.show(state.out[{id, slotKey}]))
                                .str());
  }
  describer.showIdentities(state.shape);
}

/// The line of `now` that `was` has not; past the end if there is none.
static size_t differingLine(const HeadState &was, const HeadState &now) {
  auto differs = llvm::find_if(
      now.shape, [&](const std::string &line) { return !llvm::is_contained(was.shape, line); });
  return size_t(differs - now.shape.begin());
}

std::string LoopCloser::firstDifference(const HeadState &was, const HeadState &now) {
  size_t line = differingLine(was, now);
  if (line == now.shape.size())
    return "fewer slots than before";
  // What follows the name is for comparisons only.
  llvm::StringRef name = llvm::StringRef(now.shape[line]).split(" = ").first;
  return name.starts_with("new") ? "an object that is made anew" : name.str();
}

std::optional<SlotKey> LoopCloser::differingSlot(const HeadState &was, const HeadState &now) {
  size_t line = differingLine(was, now);
  if (line >= now.shapeSlots.size())
    return std::nullopt;
  return now.shapeSlots[line];
}

std::optional<HeadState> LoopCloser::join(llvm::ArrayRef<JoinSide> sides, ValueId before,
                                          const llvm::DenseSet<SlotKey> &forced,
                                          const HeadState *was) {
  HeadState state;
  JoinOptions options;
  options.before = before;
  options.head = true;
  options.grow = !keepLengths;
  options.was = was ? &was->out : nullptr;
  options.forced = &forced;
  options.count = count ? &*count : nullptr;
  SplitSides parts = split(sides);
  Joiner joiner(x, std::move(parts.sides), key, state.rows, options);
  if (!joiner.run())
    return std::nullopt;
  for (const Split &whole : llvm::reverse(parts.splits))
    for (JoinRow &row : state.rows)
      joiner.pickYields(row, whole.number, *whole.block, whole.selector, whole.parts);
  state.out = std::move(joiner.out);
  describe(state, before);
  return state;
}

llvm::DenseSet<SlotKey> LoopCloser::carriedSlots(const HeadState &state) const {
  llvm::DenseSet<SlotKey> carried;
  for (const auto &[slot, value] : state.out)
    if (slot.object != kFacts && e.heap.exists(slot.object))
      carried.insert(slot);
  return carried;
}

// Loops of the program
// ---------------------------------------------------------------------------------

/// One turn from the head's state `at`, or from the state before the loop. `rolled`: of a loop with
/// a known number of turns.
Executor::Side Executor::turnOfLoop(SizeLoops *rolled, ValueId before, const Stops &stops,
                                    const std::optional<HeadState> &at) {
  SizeLoops::Turn turn(rolled, before);
  return side(1, stops,
              [&] {
                if (at)
                  e.heap.apply(at->out);
              },
              Start::Restart, {});
}

End Executor::closeLoop(size_t index) {
  BetweenInstructions between(e);
  Pass pass = passes[index];
  ExitKey key = pass.key;
  e.heap.rollback(pass.mark);
  e.block = pass.block;
  forks.resize(pass.forks);
  passes.resize(index);
  e.block->truncate(pass.instrs);
  ValueId before = e.tape.nextId();
  LoopCloser closer(*this, key);
  std::optional<HeadState> prev;
  llvm::DenseSet<SlotKey> forced;
  std::string changing;
  const std::optional<int64_t> turns = e.sizeLoops ? e.sizeLoops->turnsOf(pass.by) : std::nullopt;
  for (unsigned turn = 0; turn < LoopCloser::kMaxTurns; ++turn) {
    e.block->truncate(pass.instrs);
    e.diags.erase(e.diags.begin() + ptrdiff_t(pass.diags), e.diags.end());
    if (pass.guards)
      e.shapes->rollback(*pass.guards);
    Stops stops = stopsHere();
    stops.loop = {key.frame, key.ip, key.stack};
    stops.keys.push_back(stops.loop);
    Side body = turnOfLoop(turns ? e.sizeLoops.get() : nullptr, before, stops, prev);
    if (body.end.status != End::Status::Exits)
      return std::move(body.end);
    if (turn == 0 && firstTurnStandsApart(key, body))
      return goOnBehindFirstTurn(std::move(body));
    Delta none;
    std::vector<JoinSide> sides{{0, &none, e.block}};
    for (auto [i, exit] : llvm::enumerate(body.end.exits))
      if (exit.key == key) {
        closer.compact(exit.delta, *body.block);
        sides.push_back({1, &exit.delta, body.block.get(), body.end.wayTo(i)});
      }
    if (sides.size() == 1)
      sides.push_back({1, &none, body.block.get()});
    const bool countHolds = closer.countTurns(sides, before);
    std::optional<HeadState> now = closer.join(sides, before, forced, prev ? &*prev : nullptr);
    if (!now)
      return unrolledInstead(pass, "what it carries");
    if (turns)
      closer.boundCount(*turns);
    if (prev && countHolds && prev->shape == now->shape) {
      changing = "an int that is known in each turn";
      if (turns && !closer.carriesNoKnownInts(*now, *body.block, before))
        break;
      return finishLoop(closer, key, *prev, *now, std::move(body), before);
    }
    changing = LoopCloser::firstDifference(prev ? *prev : HeadState(), *now);
    forced = closer.carriedSlots(*now);
    prev = std::move(now);
  }
  e.reportLoop(key.frame, key.ip, changing);
  return unrolledInstead(pass, changing);
}

/// A loop that does not close is unrolled in the next capture, if its count is known by example.
End Executor::unrolledInstead(const Pass &pass, llvm::StringRef changing) {
  if (e.sizeLoops && e.sizeLoops->decides(pass.by))
    e.sizeLoops->unroll(pass.by, changing);
  return End::failed();
}

/// Is the loop at `key` over a sequence that its turns do not change? It ends then. `now`: the
/// state that they change.
bool Executor::iteratorEnds(const ExitKey &key, const HeadState &now) const {
  if (e.code(key.frame).instrs[key.ip].op != Opcode::FOR_ITER)
    return false;
  Value it = e.known(e.heap.get(key.frame, e.stackBase(key.frame) + key.sp - 1));
  if (!it.is(Kind::Ref) || e.heap.kind(it.asRef()) != ObjectKind::Iterator)
    return false;
  Value sequence = e.known(e.heap.get(it.asRef(), slot::kSequence));
  return !sequence.is(Kind::Ref) || llvm::none_of(now.out, [&](const auto &changed) {
    return changed.first.object == sequence.asRef();
  });
}

End Executor::finishLoop(const LoopCloser &closer, const ExitKey &key, const HeadState &prev,
                         const HeadState &now, Side body, ValueId before) {
  std::vector<JoinRow> rows;
  End end;
  end.status = End::Status::Exits;
  int64_t back = -1;
  std::vector<int64_t> table;
  std::vector<const Delta *> backEdges;
  for (const Exit &exit : body.end.exits)
    if (exit.key == key)
      backEdges.push_back(&exit.delta);
  bool ends = iteratorEnds(key, now) || closer.countIsBounded(prev, *body.block, backEdges, before);
  for (size_t i = 0; i < body.end.exits.size(); ++i) {
    Exit &exit = body.end.exits[i];
    table.push_back(int64_t(end.exits.size()));
    if (exit.key == key) {
      back = int64_t(i);
      table.back() = 0;
      continue;
    }
    JoinOptions options;
    options.before = before;
    options.end = closer.endOfCount(exit.delta, backEdges, before);
    ends |= options.end.has_value();
    Joiner joiner(*this, {{0, &exit.delta, body.block.get(), body.end.wayTo(i)}}, exit.key, rows,
                  options);
    if (!joiner.run())
      return End::failed();
    end.exits.push_back({exit.key, std::move(joiner.out)});
  }
  if (end.exits.empty()) {
    e.reportLoop(key.frame, key.ip, "no way out of the loop was found");
    return End::failed();
  }
  TapeInstr instr;
  instr.op = TapeOp::Loop;
  instr.source = e.sourceHere();
  instr.attrs = {TapeArg::integer(back), TapeArg::boolean(ends)};
  TapeArg which =
      body.end.exits.size() > 1 ? TapeArg::value(body.end.selector) : TapeArg::integer(0);
  body.block->yields = {which};
  for (size_t i = 0; i < prev.args.size(); ++i) {
    body.block->args.push_back(prev.rows[prev.args[i]].result);
    const JoinRow &row = now.rows[now.args[i]];
    instr.args.push_back(row.yieldOf(0));
    body.block->yields.push_back(row.yieldOf(1));
  }
  TapeValue type;
  type.type = TapeType::Selector;
  ValueId exitNumber = e.tape.makeValue(type);
  instr.results.push_back(exitNumber);
  for (const JoinRow &row : rows) {
    body.block->yields.push_back(row.yieldOf(0));
    instr.results.push_back(row.result);
  }
  instr.regions.push_back(std::move(body.block));
  e.block->instrs.push_back(std::move(instr));
  if (end.exits.size() > 1)
    end.selector = e.mapIn(*e.block, exitNumber, table);
  Stops stops = stopsHere();
  stops.loop = {key.frame, key.ip, key.stack};
  stops.afterLoop = true;
  return resume(std::move(end), stops);
}
