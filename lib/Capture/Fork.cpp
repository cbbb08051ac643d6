//===- Fork.cpp - Both sides of a run-time decision ------------------------------===//
//
// In: an instruction that needs to know which case of a selector holds. Out: a Switch on the tape
// with one region per case, and the exits that enclosing forks stop at; or, with one exit left, the
// run goes on in line (control.md, "A branch").
//
//===----------------------------------------------------------------------===//
#include "SizeLoops.h"

#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

static bool isConditionalJump(const Instr &instr) {
  return instr.op >= Opcode::POP_JUMP_IF_TRUE && instr.op <= Opcode::POP_JUMP_IF_NOT_NONE;
}

/// Does `i` have a way out of the loop of `head`?
static bool controlsLoop(const CanonicalCode &code, uint32_t head, uint32_t i) {
  const Loop *loop = code.flow.loopAt(head);
  return loop && llvm::is_contained(loop->controls, i);
}

/// The highest order of an instruction in the loop of `head`.
static uint32_t lastOrder(const CanonicalCode &code, uint32_t head) {
  uint32_t last = 0;
  for (unsigned i : code.flow.loopAt(head)->body.set_bits())
    last = std::max(last, code.flow.order(i));
  return last;
}

/// Sides that resume one generator at different yields meet again in its code.
void Executor::stopInResumedGenerator(ObjectId frame, Opcode op, ValueId selector,
                                      Stops &stops) const {
  if (op != Opcode::FOR_ITER && op != Opcode::SEND)
    return;
  Value it = e.known(e.heap.get(frame, e.stackSlot(frame, op == Opcode::SEND ? 1 : 0)));
  if (!it.is(Kind::Ref) || e.heap.kind(it.asRef()) != ObjectKind::Frame)
    return;
  Value point = e.known(e.heap.get(it.asRef(), slot::kGenState));
  if (!point.is(Kind::Choice) || asChoice(point).selector != selector)
    return;
  const CanonicalCode &code = e.code(it.asRef());
  const Place &resumer = stops.at.front();
  uint32_t stack = stackBelow(resumer.stack, frame, resumer.ip);
  for (uint32_t i = 0; i <= std::max(code.exitNode(), code.unwindNode()); ++i)
    if (code.flow.isMergePoint(i))
      stops.keys.push_back({it.asRef(), i, stack});
}

/// While it lives guards are found on a side of a branch. Its line is that of the first
/// instruction behind the branch, or of the branch if that one branches again.
class Executor::Conditional {
public:
  Conditional(Executor &executor, Start start) : shapes(executor.e.shapes) {
    if (!shapes)
      return;
    BetweenInstructions between(executor.e);
    shapes->enterSide(executor.e.here());
    executor.sideBegins = executor.e.steps + (start == Start::Restart ? 2 : 1);
  }
  ~Conditional() {
    if (shapes)
      shapes->leaveSide();
  }
  Conditional(const Conditional &) = delete;
  Conditional &operator=(const Conditional &) = delete;

private:
  sym::ShapeEnv *shapes;
};

End Executor::fork(ObjectId frame, const CanonicalCode &code, uint32_t ip, const Pending &pending) {
  ++e.forkCount;
  if (forks.size() >= e.limits.forkDepth) {
    e.reportLimit(DiagId::ForkLimit, e.limits.forkDepth);
    return End::failed();
  }
  if (std::optional<uint64_t> serial = loopToConvert(pending.selector, frame, code, ip))
    return convert(*serial, pending.selector);
  BetweenInstructions between(e);
  Stops stops = stopsHere();
  bool branch = isConditionalJump(code.instrs[ip]) && llvm::popcount(pending.cases) == 2;
  if (!branch)
    for (uint32_t s : code.flow.successors(ip))
      if (s < code.exitNode())
        stops.keys.push_back({frame, s, stops.at.front().stack});
  stopInResumedGenerator(frame, code.instrs[ip].op, pending.selector, stops);
  ValueId before = e.tape.nextId();
  std::vector<Engine::LogEntry> log = e.log;
  std::vector<Side> sides;
  for (uint32_t c = 0; c < 64; ++c) {
    if (!(pending.cases >> c & 1))
      continue;
    ValueId selector = pending.selector;
    Conditional conditional(*this, Start::Restart);
    sides.push_back(side(c, stops, [&] { e.assume(selector, c); }, Start::Restart, log));
    if (sides.back().end.status == End::Status::Convert)
      return std::move(sides.back().end);
    // A side is left out for a reason that is reported, or the program would be another.
    if (sides.back().end.status == End::Status::Failed && e.diags.empty())
      e.diags.push_back(makeDiagnostic(DiagId::Unsupported, e.here(), "a side of this decision"));
  }
  End end = combine(pending.selector, std::move(sides), before);
  if (end.status != End::Status::Exits)
    return end;
  return resume(std::move(end), stops);
}

/// Runs one side in its own block; its exits' deltas are relative to the present state.
Executor::Side Executor::side(int64_t number, const Stops &stops, llvm::function_ref<void()> setUp,
                              Start start, const std::vector<Engine::LogEntry> &log) {
  Side result{number, std::make_unique<TapeBlock>(e.block), {}};
  TapeBlock *outer = std::exchange(e.block, result.block.get());
  size_t depth = forks.size();
  Heap::Mark mark = e.heap.mark();
  forks.push_back(stops);
  maxForkDepth = std::max<uint64_t>(maxForkDepth, forks.size());
  setUp();
  e.log = log;
  result.end = run(start);
  e.block = outer;
  if (result.end.status == End::Status::Convert)
    return result; // closeLoop rolls back to the pass, which is older than this side
  forks.resize(depth);
  Delta done = e.heap.delta(mark);
  e.heap.rollback(mark);
  for (Exit &exit : result.end.exits) {
    Delta whole = done;
    for (auto &[slot, value] : exit.delta)
      whole[slot] = std::move(value);
    exit.delta = std::move(whole);
  }
  return result;
}

/// Closes the switch over the sides: one exit per key, joined from the sides that have it.
End Executor::combine(ValueId selector, std::vector<Side> sides, ValueId before) {
  std::vector<ExitKey> keys;
  for (const Side &side : sides)
    for (const Exit &exit : side.end.exits)
      if (!llvm::is_contained(keys, exit.key))
        keys.push_back(exit.key);
  if (keys.empty())
    return End::failed(); // every side was refused
  End end;
  end.status = End::Status::Exits;
  std::vector<JoinRow> rows;
  for (const ExitKey &key : keys) {
    std::vector<JoinSide> members;
    for (Side &side : sides)
      for (auto [i, exit] : llvm::enumerate(side.end.exits))
        if (exit.key == key)
          members.push_back({side.number, &exit.delta, side.block.get(), side.end.wayTo(i)});
    JoinOptions options;
    options.before = before;
    options.selector = selector;
    Joiner joiner(*this, std::move(members), key, rows, options);
    if (!joiner.run())
      return End::failed();
    end.exits.push_back({key, std::move(joiner.out)});
  }
  TapeInstr instr;
  instr.op = TapeOp::Switch;
  instr.source = e.sourceHere();
  instr.args = {TapeArg::value(selector)};
  std::vector<TapeArg> cases;
  std::map<int64_t, TapeArg> exitOf; // by side
  for (Side &side : sides) {
    cases.push_back(TapeArg::integer(side.number));
    std::vector<int64_t> table;
    table.reserve(side.end.exits.size());
    for (const Exit &exit : side.end.exits)
      table.push_back(llvm::find(keys, exit.key) - keys.begin());
    TapeArg which = TapeArg::value(kUndef);
    if (table.size() == 1)
      which = TapeArg::integer(table[0]);
    else if (table.size() > 1)
      which = TapeArg::value(e.mapIn(*side.block, side.end.selector, table));
    side.block->yields = {which};
    exitOf.emplace(side.number, which);
    for (const JoinRow &row : rows)
      side.block->yields.push_back(row.yieldOf(side.number));
    instr.regions.push_back(std::move(side.block));
  }
  instr.attrs = {TapeArg::list(std::move(cases))};
  TapeValue type;
  type.type = TapeType::Selector;
  ValueId which = e.tape.makeValue(type);
  if (llvm::none_of(exitOf, [](auto &exit) { return exit.second.isValue(); }))
    e.deriveFrom(which, selector, exitOf);
  instr.results.push_back(which);
  for (const JoinRow &row : rows)
    instr.results.push_back(row.result);
  e.block->instrs.push_back(std::move(instr));
  if (keys.size() > 1)
    end.selector = which;
  return end;
}

/// Goes on from the exits that this fork is responsible for, earliest first, joining as they meet.
End Executor::resume(End end, const Stops &stops) {
  for (;;) {
    std::vector<Exit> &exits = end.exits;
    std::optional<size_t> next;
    for (size_t i = 0; i < exits.size(); ++i) {
      const ExitKey &key = exits[i].key;
      if (key.frame == 0 || stopped(key.frame, key.ip, [&] { return key.stack; }))
        continue;
      if (!next || order(key, stops) < order(exits[*next].key, stops))
        next = i;
    }
    if (!next)
      return end;
    if (exits.size() == 1) {
      enter(exits[0]);
      return {};
    }
    if (std::optional<uint64_t> serial =
            loopToConvert(end.selector, exits[*next].key, exits.size())) {
      return convert(*serial, end.selector);
    }
    countPass(exits[*next].key);
    std::vector<int64_t> isNext, restNumber;
    isNext.reserve(exits.size());
    restNumber.reserve(exits.size());
    for (size_t i = 0; i < exits.size(); ++i) {
      isNext.push_back(i == *next);
      restNumber.push_back(i == *next ? 0 : int64_t(i - (i > *next)));
    }
    // Of two exits the selector itself says whether it is the next.
    int64_t goes = exits.size() == 2 ? int64_t(*next) : 1;
    ValueId condition = end.selector;
    if (exits.size() > 2)
      condition = e.mapIn(*e.block, end.selector, isNext);
    Stops here = stops;
    auto placeOf = [](const ExitKey &key) { return Place{key.frame, key.ip, key.stack}; };
    for (size_t i = 0; i < exits.size(); ++i)
      if (i != *next)
        here.keys.push_back(placeOf(exits[i].key));
    llvm::erase(here.keys, placeOf(exits[*next].key));
    ValueId before = e.tape.nextId();
    Exit continued = std::move(exits[*next]);
    exits.erase(exits.begin() + ptrdiff_t(*next));
    std::vector<Side> sides;
    {
      Conditional conditional(*this, Start::Arrive);
      sides.push_back(side(goes, here, [&] { enter(continued); }, Start::Arrive, {}));
    }
    if (sides.back().end.status == End::Status::Convert)
      return std::move(sides.back().end);
    sides.push_back({1 - goes, std::make_unique<TapeBlock>(e.block), {}});
    std::swap(sides[0], sides[1]);
    Side &skip = sides.front();
    skip.end.status = End::Status::Exits;
    skip.end.exits = std::move(exits);
    if (skip.end.exits.size() > 1)
      skip.end.selector = e.mapIn(*skip.block, end.selector, restNumber);
    end = combine(condition, std::move(sides), before);
    if (end.status != End::Status::Exits)
      return end;
  }
}

/// Goes on at a loop head from here, and not in a run inside the loop's last pass.
void Executor::countPass(const ExitKey &key) {
  for (Pass &pass : llvm::reverse(passes))
    if (pass.key.frame == key.frame && pass.key.ip == key.ip) {
      ++pass.count;
      return;
    }
}

void Executor::enter(const Exit &exit) {
  e.heap.apply(exit.delta);
  e.heap.set(kMachine, slot::kCurrentFrame, Value::ref(exit.key.frame));
  e.heap.set(exit.key.frame, slot::kIp, Value::ip(exit.key.ip));
}

/// Innermost frame first, then reverse post-order; arrival at a loop head by a back edge comes
/// after that loop's body.
std::pair<int64_t, double> Executor::order(const ExitKey &key, const Stops &stops) const {
  const CanonicalCode &code = e.code(key.frame);
  double n = code.flow.order(key.ip);
  const Place *at = stops.placeIn(key.frame);
  if (key.ip < code.exitNode() && code.flow.loopAt(key.ip) && at && inLoop(code, key.ip, at->ip))
    n = lastOrder(code, key.ip) + 0.5;
  // Depth as this exit has it: frames between here and the exit may be gone from the heap.
  return {-int64_t(e.frameDepth(key.frame)), n};
}

// When an unrolled loop must become one in the IR
// ---------------------------------------------------

/// Passes of a for loop with a way out on data that are unrolled.
static constexpr uint32_t kForkingPasses = 64;
/// The same for a for loop over a generator whose while loop ends on data: few enough that what the
/// passes leave in a list is still one of few contents.
static constexpr uint32_t kYieldingPasses = 8;

/// A fork that controls an unrolled loop: a branch with a way out, or a FOR_ITER over something of
/// run-time length. A for loop over what counts or yields on stays unrolled for some passes only.
std::optional<uint64_t> Executor::loopToConvert(ValueId selector, ObjectId frame,
                                                const CanonicalCode &code, uint32_t ip) const {
  ValueId decidedBy = e.rootOf(selector);
  bool byCount = e.sizeLoops && e.sizeLoops->decides(selector);
  for (const Pass &pass : llvm::reverse(passes)) {
    uint32_t head = pass.key.ip;
    if (pass.key.frame != frame || !inLoop(code, head, ip))
      continue;
    // What was decided before the loop ends it on one side and is known on the other.
    bool wayOut = isConditionalJump(code.instrs[ip]) && controlsLoop(code, head, ip) &&
                  decidedBy >= pass.first;
    bool controls = wayOut;
    if (code.instrs[head].op == Opcode::FOR_ITER)
      controls = (ip == head && (byCount || iteratorIsOpen(frame))) ||
                 (wayOut && pass.count >= kForkingPasses && iteratorGoesOn(pass.key));
    if (controls && pass.key.stack == stackAbove(frame))
      return pass.serial;
  }
  return consumerToConvert(byCount, frame, code, ip);
}

/// Pass `serial` must become a loop because of what `selector` says.
End Executor::convert(uint64_t serial, ValueId selector) {
  for (Pass &pass : passes)
    if (pass.serial == serial)
      pass.by = selector;
  End end;
  end.status = End::Status::Convert;
  end.serial = serial;
  return end;
}

bool Executor::feedsLoopControl() const {
  ObjectId frame = e.currentFrame();
  const CanonicalCode &code = e.code(frame);
  uint32_t ip = e.heap.get(frame, slot::kIp).asIp();
  while (ip < code.exitNode() &&
         (code.instrs[ip].op == Opcode::TO_BOOL || code.instrs[ip].op == Opcode::UNARY_NOT))
    ++ip;
  return ip < code.exitNode() && isConditionalJump(code.instrs[ip]) &&
         llvm::any_of(
             passes,
             [&](const Pass &pass) {
               return pass.key.frame == frame && code.instrs[pass.key.ip].op != Opcode::FOR_ITER &&
                      controlsLoop(code, pass.key.ip, ip);
             });
}

bool Executor::stepsForLoop() const {
  ObjectId frame = e.currentFrame();
  return e.code(frame).instrs[e.heap.get(frame, slot::kIp).asIp() - 1].op == Opcode::FOR_ITER ||
         passOfConsumer(frame);
}

std::optional<Executor::PassCost> Executor::costOfPass() const {
  const ObjectId frame = e.currentFrame();
  const uint32_t ip = e.heap.get(frame, slot::kIp).asIp() - 1;
  for (const Pass &pass : llvm::reverse(passes))
    if (pass.key.frame == frame && pass.key.ip == ip && pass.key.stack == stackAbove(frame))
      return pass.count < 2
                 ? std::nullopt
                 : std::optional(PassCost{(e.tape.nextId() - pass.first) / pass.count, pass.count});
  return std::nullopt;
}

/// The latest pass of a for loop that resumes the generator `frame`, or one that this one resumes.
const Pass *Executor::passOfConsumer(ObjectId frame) const {
  for (Value at = Value::ref(frame); at.is(Kind::Ref); at = e.heap.get(at.asRef(), slot::kCaller))
    for (const Pass &pass : llvm::reverse(passes))
      if (e.code(pass.key.frame).instrs[pass.key.ip].op == Opcode::FOR_ITER &&
          e.known(e.heap.get(pass.key.frame, e.stackBase(pass.key.frame) + pass.key.sp - 1)) == at)
        return &pass;
  return nullptr;
}

/// A loop in a generator makes no pass between two yields: the for loop that resumes it does.
std::optional<uint64_t> Executor::consumerToConvert(bool byCount, ObjectId frame,
                                                    const CanonicalCode &code, uint32_t ip) const {
  bool open = byCount || (code.instrs[ip].op == Opcode::FOR_ITER && iteratorIsOpen(frame));
  bool wayOut = llvm::any_of(code.flow.loops(), [&](const Loop &loop) {
    return code.instrs[loop.head].op != Opcode::FOR_ITER && llvm::is_contained(loop.controls, ip);
  });
  if (!open && !wayOut)
    return std::nullopt;
  const Pass *pass = passOfConsumer(frame);
  return pass && (open || pass->count >= kYieldingPasses) ? std::optional(pass->serial)
                                                          : std::nullopt;
}

/// The same, found late: the next pass and a way out of the loop are both pending.
std::optional<uint64_t> Executor::loopToConvert(ValueId selector, const ExitKey &key,
                                                size_t exits) const {
  if (exits < 2)
    return std::nullopt;
  ValueId decidedBy = e.rootOf(selector);
  for (const Pass &pass : passes)
    if (pass.key == key && decidedBy >= pass.first &&
        e.code(key.frame).instrs[key.ip].op != Opcode::FOR_ITER)
      return pass.serial;
  return std::nullopt;
}

/// Is the loop at `key` over a range or a generator, whose next item needs no table of items?
bool Executor::iteratorGoesOn(const ExitKey &key) const {
  Value it = e.known(e.heap.get(key.frame, e.stackBase(key.frame) + key.sp - 1));
  if (!it.is(Kind::Ref))
    return false;
  if (e.heap.kind(it.asRef()) == ObjectKind::Frame)
    return true;
  return e.heap.kind(it.asRef()) == ObjectKind::Iterator &&
         e.known(e.heap.get(it.asRef(), slot::kSequence)).is(Kind::Range);
}

/// Few enough passes to follow them one by one; Absent: no value on this side.
static bool isSmallNumber(const Value &v) {
  return v.isAbsent() || (v.isSmallInt() && std::abs(v.asInt()) <= int64_t(kForkingPasses));
}

/// Does the iterator on top of the stack count to a run-time number?
bool Executor::iteratorIsOpen(ObjectId frame) const {
  Value it = e.known(e.heap.get(frame, e.stackSlot(frame, 0)));
  if (!it.is(Kind::Ref) || e.heap.kind(it.asRef()) != ObjectKind::Iterator)
    return false;
  auto atRunTime = [&](const Value &v) {
    Value now = e.known(v);
    return now.is(Kind::Scalar) || (now.is(Kind::Size) && !e.isInputSize(now.asSize()));
  };
  // A number that is one of a few, by where the program went, ends the loop with the last of them.
  auto isOpen = [&](const Value &v) {
    ValueId selector = kUndef;
    Value now = e.known(v);
    const std::vector<Value> *table =
        now.is(Kind::Scalar) ? e.tableOf(now.scalarId(), selector) : nullptr;
    return table ? !llvm::all_of(*table, isSmallNumber) : atRunTime(v);
  };
  if (isOpen(e.heap.get(it.asRef(), slot::kPosition)))
    return true;
  Value sequence = e.known(e.heap.get(it.asRef(), slot::kSequence));
  if (sequence.is(Kind::Range))
    return llvm::any_of(sequence.parts(), isOpen);
  if (sequence.is(Kind::Ref) && e.heap.kind(sequence.asRef()) == ObjectKind::List)
    sequence = e.known(e.heap.get(sequence.asRef(), slot::kContent));
  if (sequence.is(Kind::Tensor))
    return !asTensor(sequence).sizes.empty() && atRunTime(Value::size(asTensor(sequence).sizes[0]));
  if (sequence.is(Kind::RunTimeList))
    return true;
  return false;
}
