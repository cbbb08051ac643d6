//===- CallLoop.cpp - Capturing an entry ---------------------------------------------===//
//
// In: a callable and makers of its arguments, one for each example. Out: the bodies of the variants
// with their inputs, the state that they carry from call to call, and their ends. The turns stop
// when the state that a call of any variant leaves behind repeats up to renaming.
//
//===----------------------------------------------------------------------===//
#include "CallLoop.h"
#include "CallCaches.h"
#include "CallMemos.h"
#include "ListedViews.h"
#include "TensorWrites.h"

using namespace ptc::capture;
namespace sym = ptc::sym;

Value CallLoop::addTensorInput(llvm::StringRef path, uint32_t leaf, TapeValue type) {
  ValueId id = e.tape.makeValue(std::move(type));
  Value tensor = e.newTensor(id);
  current->inputs.push_back({path.str(), leaf, id});
  current->inputStorages.push_back(asTensor(tensor).storage);
  x.persistent.push_back(current->inputStorages.back());
  noteGiven(e, tensor);
  noteHeld(e, current->inputStorages.back());
  current->shapes->nameTensor(current->inputStorages.back(), path);
  return tensor;
}

Value CallLoop::addFloatInput(llvm::StringRef path, uint32_t leaf) {
  TapeValue type;
  type.type = TapeType::Float;
  ValueId id = e.tape.makeValue(std::move(type));
  current->inputs.push_back({path.str(), leaf, id});
  current->inputStorages.push_back(0);
  current->shapes->nameFloat(id, path);
  return Value::scalar(id, ScalarType::Float);
}

Value CallLoop::addIntInput(llvm::StringRef path, uint32_t leaf, sym::Expr size) {
  TapeValue type;
  type.type = TapeType::Int;
  current->inputs.push_back({path.str(), leaf, e.tape.makeValue(std::move(type))});
  current->inputStorages.push_back(0);
  return Value::size(size);
}

void CallLoop::addCallerObject(llvm::StringRef path, ObjectId id) {
  CallerObject &object = current->callerObjects.emplace_back(CallerObject{path.str(), id, {}});
  e.heap.forEachSlot(
      id, [&](uint32_t key, const Value &value) { object.slots.emplace_back(key, value); });
  x.persistent.push_back(id);
  noteHeld(e, id);
}

bool CallLoop::runTurn(const Value &callee, CallVariant &v, const HeadState *prev,
                       const Delta *memos) {
  v.body = std::make_unique<TapeBlock>(&e.top);
  e.block = v.body.get();
  e.attach(*v.shapes);
  e.log.clear();
  x.ran.clear();
  v.inputs.clear();
  v.inputStorages.clear();
  v.callerObjects.clear();
  std::vector<ObjectId> persistent = x.persistent;
  Heap::Mark mark = e.heap.mark();
  if (prev)
    e.heap.apply(prev->out);
  if (memos)
    e.heap.apply(*memos);
  v.firstNew = e.heap.nextId();
  beginWrites(e);
  if (e.caches)
    e.caches->begin(v.firstNew);
  current = &v;
  if (v.begin)
    v.shapes->rollback(*v.begin);
  CallArgs args = v.makeArguments(*this);
  if (!v.begin)
    v.begin = v.shapes->mark();
  Value result = e.call(callee, std::move(args));
  v.end = {};
  if (result.isFail()) {
    v.end = x.endOfPending();
  } else if (!Engine::isCalled(result)) {
    e.heap.set(kMachine, slot::kResult, result);
    v.end.status = End::Status::Exits;
    v.end.exits.push_back({doneKey(), {}});
  } else {
    v.end = x.run(Executor::Start::Arrive);
  }
  bool ended = v.end.status == End::Status::Exits && !v.end.exits.empty();
  if (ended) {
    Delta done = e.heap.delta(mark);
    for (Exit &exit : v.end.exits) {
      Delta whole = done;
      for (auto &[slot, value] : exit.delta)
        whole[slot] = std::move(value);
      exit.delta = std::move(whole);
    }
    guardOverlaps(v);
  }
  if (e.caches)
    e.caches->end(v.end);
  e.heap.rollback(mark);
  v.written.clear();
  for (const Value &write : writtenInPlace(e))
    v.written.insert(asTensor(write.parts()[0]).storage);
  x.persistent = std::move(persistent);
  v.ran = x.ran;
  e.block = &e.top;
  return ended;
}

/// Where a value was computed; unknown if it is one of an outer block.
ptc::SourceLoc CallLoop::madeAt(const TapeBlock &block, ValueId value) const {
  for (const TapeInstr &instr : block.instrs) {
    if (llvm::is_contained(instr.results, value))
      return e.locationOfSource(instr.source);
    for (const auto &region : instr.regions)
      if (ptc::SourceLoc found = madeAt(*region, value); found.isKnown())
        return found;
  }
  return {};
}

/// Where the tensor or number was computed that `value` is, or the last one that it holds.
ptc::SourceLoc CallLoop::madeAt(const CallVariant &v, const Delta &end, const Value &value) const {
  if (value.is(Kind::Raw))
    return madeAt(*v.body, value.asRaw());
  if (value.is(Kind::Scalar))
    return madeAt(*v.body, value.scalarId());
  if (value.is(Kind::Tensor)) {
    auto contents = end.find({asTensor(value).storage, slot::kContent});
    return contents == end.end() ? ptc::SourceLoc() : madeAt(v, end, contents->second);
  }
  llvm::ArrayRef<Value> parts;
  if (isComposite(value.kind()))
    parts = value.parts();
  else if (value.is(Kind::Choice))
    parts = asChoice(value).alternatives;
  for (const Value &part : llvm::reverse(parts))
    if (ptc::SourceLoc found = madeAt(v, end, part); found.isKnown())
      return found;
  return {};
}

/// The first line of the entry that ran and stores an attribute or global of this name.
ptc::SourceLoc CallLoop::storedAt(NameId name) const {
  if (!x.watched)
    return {};
  const ptc::CanonicalCode &canonical = *x.watched->canonical;
  for (unsigned i : x.ran.set_bits()) {
    const ptc::Instr &instr = canonical.instrs[i];
    bool stores = instr.op == ptc::Opcode::STORE_ATTR || instr.op == ptc::Opcode::STORE_GLOBAL;
    if (stores && x.watched->names[instr.arg] == e.nameText(name))
      return canonical.location(i);
  }
  return {};
}

/// Who holds what changes, in words, where that is no attribute itself: behind its name.
static std::string holderOf(Engine &e, std::optional<SlotKey> slot, const HeadState &now) {
  std::string holder;
  auto add = [&](SlotKey by) {
    if (isAttrKey(by.key) && holder.empty())
      holder = ", in " + e.describeSlot(by);
  };
  if (!slot) {
    for (SlotKey old : now.shapeSlots)
      if (auto value = now.out.find(old); value != now.out.end())
        forEachRef(value->second, [&](ObjectId id) {
          if (id >= e.boundary)
            add(old);
        });
    return holder;
  }
  if (isAttrKey(slot->key))
    return holder;
  for (ObjectId id = 1; id < e.boundary; ++id)
    if (e.heap.exists(id) && holder.empty())
      e.heap.forEachSlot(id, [&](uint32_t key, const Value &value) {
        if (value.is(Kind::Ref) && value.asRef() == slot->object)
          add({id, key});
      });
  return holder;
}

/// A line that changes persistent state; unknown if none is found.
ptc::SourceLoc CallLoop::changedAt(SlotKey slot, llvm::ArrayRef<CallVariant> variants) const {
  if (isAttrKey(slot.key))
    if (ptc::SourceLoc found = storedAt(nameOfKey(slot.key)); found.isKnown())
      return found;
  for (const CallVariant &v : variants)
    for (const Exit &exit : v.end.exits)
      if (auto left = exit.delta.find(slot); left != exit.delta.end())
        if (ptc::SourceLoc found = madeAt(v, exit.delta, left->second); found.isKnown())
          return found;
  return {};
}

/// What an argument's contents are at an end, if they are written; else null.
static const Value *writtenInput(const CallVariant &v, size_t i, const Exit &exit) {
  auto found = exit.delta.find({v.inputStorages[i], slot::kContent});
  bool isSame = found == exit.delta.end() ||
                (found->second.is(Kind::Raw) && found->second.asRaw() == v.inputs[i].value);
  return isSame ? nullptr : &found->second;
}

/// Tensors of which one is written must share memory exactly as in the example; what is only read
/// may share it in any way.
void CallLoop::guardOverlaps(CallVariant &v) {
  auto findWrite = [&](size_t i) -> std::optional<ptc::SourceLoc> {
    for (const Exit &exit : v.end.exits)
      if (const Value *found = writtenInput(v, i, exit))
        return found->is(Kind::Raw) ? madeAt(*v.body, found->asRaw()) : ptc::SourceLoc();
    return std::nullopt;
  };
  for (size_t i = 0; i < v.inputs.size(); ++i) {
    std::optional<ptc::SourceLoc> written = v.inputStorages[i] ? findWrite(i) : std::nullopt;
    if (!written)
      continue;
    for (size_t k = 0; k < v.inputs.size(); ++k)
      if (k != i && v.inputStorages[k])
        v.shapes->specializeOverlap(v.inputs[std::min(i, k)].path, v.inputs[std::max(i, k)].path,
                                    {*written, v.inputs[i].path + " is written"});
  }
}

// State that the caller gets ---------------------------------------------------------------------

/// What a slot of the state holds when a call begins; null: it is no state.
static const Value *contentsBefore(const HeadState *prev, SlotKey slot) {
  if (!prev)
    return nullptr;
  auto found = prev->out.find(slot);
  return found == prev->out.end() ? nullptr : &found->second;
}

void CallLoop::findWrites(llvm::ArrayRef<CallVariant> variants, const HeadState *prev) {
  writtenStorages.clear();
  writesInputs = false;
  for (const CallVariant &v : variants) {
    if (!v.active)
      continue;
    // Where sides join, what one of them has written may be gone.
    for (ObjectId id : v.written)
      if (id < v.firstNew)
        writtenStorages.insert(id);
    for (const Exit &exit : v.end.exits) {
      for (size_t i = 0; i < v.inputStorages.size(); ++i)
        writesInputs |= v.inputStorages[i] && writtenInput(v, i, exit);
      for (const auto &[slot, value] : exit.delta) {
        if (slot.key != slot::kContent || slot.object >= v.firstNew ||
            e.heap.kind(slot.object) != ObjectKind::Storage)
          continue;
        const Value *was = contentsBefore(prev, slot);
        if (!was || *was != value)
          writtenStorages.insert(slot.object);
      }
    }
  }
}

/// How deep state is looked into; what lies deeper counts as written.
static constexpr unsigned kMostLevels = 8;

/// Does it hold a tensor on one of these storages?
bool CallLoop::isWritten(const Value &held, const llvm::DenseSet<ObjectId> &written,
                         unsigned depth) const {
  if (depth == kMostLevels)
    return !written.empty();
  auto isPart = [&](const Value &part) { return isWritten(part, written, depth + 1); };
  if (held.is(Kind::Tensor))
    return written.contains(asTensor(held).storage);
  if (held.is(Kind::Choice))
    return llvm::any_of(asChoice(held).alternatives, isPart);
  if (held.is(Kind::Ref)) {
    bool found = false;
    e.heap.forEachSlot(held.asRef(), [&](uint32_t, const Value &v) { found |= isPart(v); });
    return found;
  }
  return isComposite(held.kind()) && llvm::any_of(held.parts(), isPart);
}

/// Storages that are state behind an end and that calls write, or may write as an argument's. The
/// result may show one by the name that it had before states got names of their own.
llvm::DenseSet<ObjectId> CallLoop::keptBy(const CallVariant &v, size_t exit,
                                          const HeadState *prev) const {
  llvm::DenseSet<ObjectId> kept;
  // NOLINTNEXTLINE(misc-no-recursion)
  auto see = [&](auto &&self, const Value &held, unsigned depth) -> void {
    if (depth == kMostLevels)
      return;
    if (held.is(Kind::Tensor)) {
      if (!llvm::is_contained(v.inputStorages, asTensor(held).storage))
        kept.insert(asTensor(held).storage);
    } else if (held.is(Kind::Choice)) {
      for (const Value &one : asChoice(held).alternatives)
        self(self, one, depth + 1);
    } else if (held.is(Kind::Ref)) {
      if (held.asRef() >= v.firstNew)
        e.heap.forEachSlot(held.asRef(), [&](uint32_t key, const Value &part) {
          self(self, part, depth + 1);
          if (auto was = v.before[exit].find({held.asRef(), key}); was != v.before[exit].end())
            self(self, was->second, depth + 1);
        });
    } else if (isComposite(held.kind())) {
      for (const Value &part : held.parts())
        self(self, part, depth + 1);
    }
  };
  kept.insert(writtenStorages.begin(), writtenStorages.end());
  for (const auto &[slot, value] : v.end.exits[exit].delta) {
    if (slot.object >= v.firstNew || e.heap.kind(slot.object) == ObjectKind::Storage ||
        !e.heap.exists(slot.object))
      continue;
    const Value *was = contentsBefore(prev, slot);
    auto unnamed = v.before[exit].find(slot);
    const Value &first = unnamed == v.before[exit].end() ? value : unnamed->second;
    if (writesInputs ||
        (was && (isWritten(*was, writtenStorages) || isWritten(first, v.written)))) {
      see(see, value, 0);
      see(see, first, 0);
    }
  }
  return kept;
}

/// Would it help to know how long the lists are that calls leave behind?
static bool asksForLengths(const ptc::Diagnostic &diag) {
  switch (diag.id) {
  case ptc::DiagId::RunTimeListArgument:
  case ptc::DiagId::RunTimeListElement:
  case ptc::DiagId::RunTimeListChanged:
  case ptc::DiagId::FrozenTensorWritten:
  case ptc::DiagId::StateDoesNotClose:
    return true;
  default:
    return false;
  }
}

bool CallLoop::run(const Value &callee, llvm::MutableArrayRef<CallVariant> variants) {
  auto begin = ptrdiff_t(e.diags.size());
  size_t topInstrs = e.top.instrs.size();
  auto forget = [&] {
    e.diags.erase(e.diags.begin() + begin, e.diags.end());
    e.top.truncate(topInstrs);
  };
  // A flag or a count beside a table may belong to it, or be state.
  llvm::DenseSet<SlotKey> counts;
  for (bool takesNumbers = true;;) {
    CallMemos memos(e, takesNumbers, counts);
    if (close(callee, variants, /*keepLengths=*/false, &memos))
      return true;
    if (memos.slots().empty())
      break;
    forget();
    if (memos.noteCounts(counts))
      continue;
    if (!takesNumbers && close(callee, variants, /*keepLengths=*/false, nullptr))
      return true;
    if (!takesNumbers)
      break;
    takesNumbers = false;
  }
  // A window that begins empty has few lengths, and each of them is a path of its own.
  if (!llvm::any_of(llvm::drop_begin(e.diags, begin), asksForLengths))
    return false;
  std::vector<Diagnostic> refused(e.diags.begin() + begin, e.diags.end());
  forget();
  if (close(callee, variants, /*keepLengths=*/true, nullptr))
    return true;
  e.diags.erase(e.diags.begin() + begin, e.diags.end());
  llvm::append_range(e.diags, refused);
  return false;
}

/// Calls each variant once from a state. None: refused.
std::optional<std::vector<JoinSide>> CallLoop::turn(const Value &callee,
                                                    llvm::MutableArrayRef<CallVariant> variants,
                                                    const HeadState *prev, LoopCloser &closer,
                                                    CallMemos *memos) {
  static const Delta kNone;
  size_t diags = e.diags.size();
  std::vector<JoinSide> sides{{0, &kNone, &e.top}};
  for (CallVariant &v : variants)
    v.active = false;
  if (e.caches)
    e.caches->beginTurn();
  if (memos)
    memos->beginTurn();
  for (CallVariant &v : variants) {
    if (v.isCovered())
      continue;
    v.active = true;
    if (!runTurn(callee, v, prev) || e.diags.size() > diags)
      return std::nullopt;
    // What calls fill once is changed, too, for who reads it.
    if (e.caches)
      e.caches->noteChanges(v.end);
    if (memos)
      memos->take(v);
    v.firstSide = int64_t(sides.size());
    v.before.clear();
    for (Exit &exit : v.end.exits) {
      v.before.push_back(exit.delta);
      closer.compact(exit.delta, *v.body);
      sides.push_back({int64_t(sides.size()), &exit.delta, v.body.get()});
    }
  }
  return sides;
}

/// Do calls the same from all states that differ in memos only?
bool CallLoop::needsNoMemos(const Value &callee, llvm::MutableArrayRef<CallVariant> variants,
                            const HeadState *prev, CallMemos &memos) {
  std::vector<CallMemos::Reference> references;
  size_t diags = e.diags.size();
  for (CallVariant &v : variants) {
    references.emplace_back();
    if (!v.active)
      continue;
    // As it was before storages got new names.
    if (!runTurn(callee, v, prev))
      return false;
    memos.take(v);
    references.back() = memos.referenceOf(v);
  }
  while (std::optional<Delta> state = memos.next()) {
    if (memos.tooMany())
      return false;
    for (auto [v, reference] : llvm::zip(variants, references)) {
      if (!v.active)
        continue;
      if (!runTurn(callee, v, prev, &*state) || e.diags.size() > diags)
        return false;
      memos.take(v);
      if (!memos.isAlike(reference, v))
        return false;
    }
  }
  return true;
}

/// Refuses lists of views that calls leave: the next call would find other tensors behind them.
bool CallLoop::keepsNoViews(const HeadState &state) {
  for (const auto &[slot, value] : state.out)
    if (isListOfViews(value)) {
      e.diags.push_back(
          makeDiagnostic(DiagId::RunTimeListShared, e.locationOfSource(value.source())));
      return false;
    }
  return true;
}

/// Repeats the turns until the state that they leave behind is the one that they began with.
/// `memos`: of what calls leave, those that they do not need are no state.
bool CallLoop::close(const Value &callee, llvm::MutableArrayRef<CallVariant> variants,
                     bool keepLengths, CallMemos *memos) {
  ValueId before = e.tape.nextId();
  for (CallVariant &v : variants)
    v.shapes->firstInput = before;
  size_t diags = e.diags.size(), topInstrs = e.top.instrs.size();
  LoopCloser closer(x, callKey(), keepLengths);
  // Each turn may add a length.
  unsigned maxTurns = keepLengths ? e.limits.choices + 2 : LoopCloser::kMaxTurns;
  std::optional<HeadState> prev;
  llvm::DenseSet<SlotKey> forced;
  std::string changing;
  ptc::SourceLoc changedHere;
  bool isProven = false;
  for (unsigned turns = 1; turns <= maxTurns; ++turns) {
    e.top.truncate(topInstrs);
    e.diags.erase(e.diags.begin() + ptrdiff_t(diags), e.diags.end());
    const HeadState *head = prev ? &*prev : nullptr;
    auto sides = turn(callee, variants, head, closer, memos);
    if (!sides)
      return false;
    std::optional<HeadState> now = closer.join(*sides, before, forced);
    if (!now || !keepsNoViews(*now))
      return false;
    bool unchanged = prev ? prev->shape == now->shape : now->shape.empty();
    if (unchanged && !(e.caches && e.caches->wantsTurn())) {
      if (memos && !memos->slots().empty() && !isProven) {
        if (!needsNoMemos(callee, variants, head, *memos))
          return false;
        isProven = true; // once more, for what it has recorded
        continue;
      }
      findWrites(variants, head);
      for (CallVariant &v : variants)
        if (v.active) {
          v.program = std::make_unique<Program>();
          v.program->counts.turns = turns;
          if (!finish(v, head, *now))
            return false;
        }
      if (memos)
        memoSlots = memos->slots();
      return true;
    }
    const HeadState &was = prev ? *prev : HeadState();
    std::optional<SlotKey> slot = LoopCloser::differingSlot(was, *now);
    changing = LoopCloser::firstDifference(was, *now) + holderOf(e, slot, *now);
    changedHere = slot ? changedAt(*slot, variants) : ptc::SourceLoc();
    forced = closer.carriedSlots(*now);
    prev = std::move(now);
  }
  e.reportState(changing, changedHere);
  return false;
}

/// The states as arguments of the body, and their values behind each end.
void CallLoop::finishStates(CallVariant &v, const HeadState *prev, const HeadState &now) {
  size_t numStates = prev ? prev->args.size() : 0;
  std::vector<std::vector<TapeArg>> next(v.end.exits.size());
  v.program->states.reserve(numStates);
  for (size_t i = 0; i < numStates; ++i) {
    const JoinRow &row = now.rows[now.args[i]];
    ProgramState state;
    state.name = e.stateName(*prev, prev->args[i]);
    state.argument = prev->rows[prev->args[i]].result;
    state.initial = row.yieldOf(0);
    v.body->args.push_back(state.argument);
    v.program->states.push_back(std::move(state));
    for (size_t k = 0; k < v.end.exits.size(); ++k)
      next[k].push_back(row.yieldOf(v.firstSide + int64_t(k)));
  }
  v.program->next = std::move(next);
}

bool CallLoop::finish(CallVariant &v, const HeadState *prev, const HeadState &now) {
  Program &program = *v.program;
  e.attach(*v.shapes);
  for (const ProgramInput &input : v.inputs)
    v.body->args.push_back(input.value);
  finishStates(v, prev, now);
  // What the ends hand over is read on the state that the call began with.
  Heap::Mark mark = e.heap.mark();
  if (prev)
    e.heap.apply(prev->out);
  e.block = v.body.get();
  for (auto [i, exit] : llvm::enumerate(v.end.exits)) {
    Heap::Mark inner = e.heap.mark();
    e.heap.apply(exit.delta);
    llvm::DenseSet<ObjectId> kept = keptBy(v, i, prev);
    ExitBuilder builder(e, v.inputStorages, v.inputs, kept);
    builder.hasState = prev && !prev->args.empty();
    bool raised = exit.key == raisedKey();
    program.exits.push_back(builder.build(raised, v.callerObjects));
    e.heap.rollback(inner);
  }
  e.block = &e.top;
  e.heap.rollback(mark);
  program.exitSelector =
      v.end.exits.size() > 1 ? TapeArg::value(v.end.selector) : TapeArg::integer(0);
  program.inputs = std::move(v.inputs);
  program.counts.ops = v.body->countInstrs();
  program.counts.depth = v.body->depth();
  program.body = std::move(v.body);
  return e.diags.empty();
}
