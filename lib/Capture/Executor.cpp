//===- Executor.cpp - Running instructions until a stop -----------------------===//
//
// In: the heap with a current frame. Out: how the run ended. One instruction at a time; what an
// instruction could not finish is rolled back and becomes a fork, an unwinding or a refusal.
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "CodeEffects.h"
#include "Escape.h"
#include "Failures.h"
#include "Imports.h"
#include "OpaqueCalls.h"
#include "OpenGenerators.h"
#include "Ops/Ops.h"

#include "ptc/Symbolic/ShapeEnv.h"

using namespace ptc::capture;
using ptc::Diagnostic;
using ptc::ExitCode;
using ptc::SourceLoc;

const Place *Stops::placeIn(ObjectId frame) const {
  auto found = llvm::find_if(at, [&](const Place &place) { return place.frame == frame; });
  return found == at.end() ? nullptr : found;
}

ExitKey Executor::keyAt(ObjectId frame) const {
  return {frame, e.heap.get(frame, slot::kIp).asIp(), e.heap.get(frame, slot::kSp).asIp(),
          stackAbove(frame)};
}

/// As keyAt(). A frame that is called stays below one call; only generators come back below others.
ExitKey Executor::keyOfLoop(ObjectId frame) const {
  if (e.heap.get(frame, slot::kGenState).isAbsent())
    for (const Pass &pass : llvm::reverse(passes))
      if (pass.key.frame == frame)
        return {frame, e.heap.get(frame, slot::kIp).asIp(), e.heap.get(frame, slot::kSp).asIp(),
                pass.key.stack};
  return keyAt(frame);
}

// Stops ------------------------------------------------------------------------------------------

/// Is `ip` where a turn of the loop that is closed ends, or where one of its exits arrives?
bool Executor::endsLoop(const Stops &stops, const CanonicalCode &code, uint32_t ip) const {
  uint32_t head = stops.loop.ip;
  if (!stops.afterLoop)
    return ip == head || !inLoop(code, head, ip);
  // While the exits of a finished loop are continued any node of the loop may have left.
  return ip < code.exitNode() && code.flow.isMergePoint(ip) && !inLoop(code, head, ip) &&
         inLoop(code, head, code.flow.immediateDominator(ip));
}

/// `stack` gives the number of the calls above the frame.
bool Executor::stopsAt(const Stops &stops, ObjectId frame, uint32_t ip, StackFn stack) const {
  for (const Place &key : stops.keys)
    if (key.frame == frame && key.ip == ip && key.stack == stack())
      return true;
  const CanonicalCode &code = e.code(frame);
  bool inLoopFrame = stops.loop.frame == frame;
  if (inLoopFrame && stops.afterLoop && endsLoop(stops, code, ip) && stops.loop.stack == stack())
    return true;
  const Place *at = stops.placeIn(frame);
  if (!at)
    return false;
  if (ip == code.unwindNode())
    return at->stack == stack();
  if (inLoopFrame && !stops.afterLoop && endsLoop(stops, code, ip) && stops.loop.stack == stack())
    return true;
  if (!code.flow.isMergePoint(ip))
    return false;
  uint32_t idom = code.flow.immediateDominator(ip);
  return (idom == FlowGraph::kNone || code.flow.dominates(idom, at->ip)) && at->stack == stack();
}

bool Executor::stopped(ObjectId frame, uint32_t ip, StackFn stack) const {
  return llvm::any_of(forks, [&](const Stops &stops) { return stopsAt(stops, frame, ip, stack); });
}

Stops Executor::stopsHere() const {
  Stops stops;
  const Value &frame = e.heap.get(kMachine, slot::kCurrentFrame);
  if (!frame.is(Kind::Ref))
    return stops;
  ObjectId current = frame.asRef();
  uint32_t stack = stackAbove(current);
  stops.at.push_back({current, e.heap.get(current, slot::kIp).asIp(), stack});
  while (stack) {
    auto [above, caller, ip] = calls[stack];
    stops.at.push_back({caller, ip, above});
    stack = above;
  }
  return stops;
}

// Running ----------------------------------------------------------------------------------------

End Executor::run(Start start) {
  size_t firstPass = passes.size();
  End end;
  do {
    end = runOn(start, firstPass);
    // A loop of this run that must become one in the IR, also met while closing one inside it.
    while (end.status == End::Status::Convert) {
      size_t pass = firstPass;
      while (pass < passes.size() && passes[pass].serial != end.serial)
        ++pass;
      if (pass == passes.size())
        break;
      end = closeLoop(pass);
    }
    start = Start::Arrive;
  } while (end.status == End::Status::Running);
  // After a refusal or for a conversion the marks die with an older one that is rolled back.
  if (end.status == End::Status::Exits)
    dropPasses(firstPass);
  else
    passes.resize(std::min(passes.size(), firstPass));
  return end;
}

/// Gives up the passes from `count` on; their marks must be the newest.
void Executor::dropPasses(size_t count) {
  if (passes.size() <= count)
    return;
  e.heap.release(passes[count].mark);
  passes.resize(count);
}

/// A new pass of a loop begins: the marks of its last pass and of loops inside it are given up.
std::optional<End> Executor::arriveAtLoop(const ExitKey &key, size_t firstPass) {
  // Before the call loops rarely wait for the run: where they do, the loop begins with the first
  // pass of those that recorded nothing.
  if (passes.size() > firstPass && passes.back().key == key && !e.recording() &&
      passes.back().block == e.block && passes.back().instrs == e.block->instrs.size() &&
      passes.back().forks == forks.size() && passes.back().diags == e.diags.size() &&
      passes.back().count < e.limits.unroll) {
    ++passes.back().count;
    return std::nullopt;
  }
  // Passes of enclosing runs count, too: what follows an exit that is pending runs on a side.
  uint32_t count = 0;
  ValueId first = e.tape.nextId();
  for (size_t i = 0; i < passes.size(); ++i)
    if (passes[i].key.frame == key.frame && passes[i].key.ip == key.ip) {
      count = passes[i].count + 1;
      first = std::min(first, passes[i].first);
      if (i < firstPass)
        continue;
      dropPasses(i);
      break;
    }
  if (count > e.limits.unroll && forks.empty() && !e.recording())
    count = 0; // plain Python: nothing is unrolled into a tape
  if (count > e.limits.unroll) {
    e.reportLimit(DiagId::UnrollLimit, e.limits.unroll);
    return End::failed();
  }
  passes.push_back({key,
                    e.heap.mark(),
                    e.block,
                    e.block->instrs.size(),
                    forks.size(),
                    e.diags.size(),
                    nextSerial++,
                    count,
                    first,
                    kUndef,
                    {}});
  if (e.shapes)
    passes.back().guards = e.shapes->mark();
  return std::nullopt;
}

/// What guards say about the place that needs them.
void Executor::lookAt(const CanonicalCode &code, uint32_t ip) {
  if (code.code == watched && ip < code.exitNode()) {
    ran.resize(std::max<unsigned>(ran.size(), code.exitNode()));
    ran.set(ip);
  }
  if (e.steps == sideBegins && e.shapes->sideDepth() > 0) {
    BetweenInstructions between(e);
    e.shapes->placeSide(e.here());
  }
}

/// What is looked at before each instruction, or may end there, is so between the instructions of a
/// run, too.
ops::FastRun Executor::fastRun(ObjectId frame, const CanonicalCode &code) const {
  ops::FastRun run{1, frame == pause.first ? pause.second : ~0u, !e.plainPython};
  if (!forks.empty() || !e.world->openGenerators.empty() || (e.shapes && code.code == watched))
    return run;
  run.most = std::max<uint64_t>(1, e.limits.steps - e.countedSteps() + 1);
  if (sideBegins > e.steps)
    run.most = std::min(run.most, sideBegins - e.steps);
  return run;
}

End Executor::runOn(Start start, size_t firstPass) {
  BetweenInstructions running(e, false);
  bool dropped = false;
  Held kept;
  for (;;) {
    dropped |= e.world->justSuspended && wasSuspendedUnheld(e);
    if (std::exchange(dropped, false) &&
        closeDropped(e, std::exchange(kept, {})) == Closing::Refused)
      return End::failed();
    ObjectId frame = e.currentFrame();
    const CanonicalCode &code = e.code(frame);
    uint32_t ip = e.heap.get(frame, slot::kIp).asIp();
    if (frame == pause.first && ip == pause.second) {
      End end;
      end.status = End::Status::Paused;
      return end;
    }
    if (start == Start::Go && !forks.empty() &&
        stopped(frame, ip, [&] { return stackAbove(frame); })) {
      End end;
      end.status = End::Status::Exits;
      end.exits.push_back({keyAt(frame), {}});
      return end;
    }
    if (start != Start::Restart) {
      if (!e.plainPython && code.flow.loopAt(ip))
        if (std::optional<End> limit = arriveAtLoop(keyOfLoop(frame), firstPass))
          return std::move(*limit);
      if (!e.log.empty())
        e.log.clear();
    }
    start = Start::Go;
    if (e.heap.size() > e.limits.objects) {
      e.reportLimit(DiagId::ObjectLimit, e.limits.objects);
      return End::failed();
    }
    ++e.steps;
    if (e.countedSteps() > e.limits.steps) {
      e.reportLimit(DiagId::StepLimit, e.limits.steps);
      return End::failed();
    }
    if (e.shapes && (code.code == watched || e.steps == sideBegins))
      lookAt(code, ip);
    if (ip >= code.exitNode()) {
      while (passes.size() > firstPass && passes.back().key.frame == frame)
        dropPasses(passes.size() - 1);
      dropped = !e.world->openGenerators.empty() && holdsGenerator(e, frame);
      if (dropped)
        kept = keptVariables(e, frame, ip == code.unwindNode());
      if (ip == code.unwindNode() && asksForText(frame))
        continue;
      End end = leaveFrame(frame, ip == code.unwindNode());
      if (end.status != End::Status::Running)
        return end;
      continue;
    }
    if (!e.world->openGenerators.empty())
      dropped |= mayDropGenerator(e, frame, code.instrs[ip]);
    if (ops::runFast(e, frame, code, fastRun(frame, code)))
      continue;
    Heap::Mark mark = e.heap.mark();
    e.pending.kind = Pending::Kind::None;
    e.pending.isOfContents = false;
    size_t reported = e.diags.size();
    e.heap.set(frame, slot::kIp, Value::ip(ip + 1));
    Flow flow = e.decideModes();
    if (flow == Flow::Next)
      flow = ops::dispatch(e, frame, code.instrs[ip]);
    if (flow == Flow::Next && !e.pending.isOpen()) {
      e.heap.release(mark);
      continue;
    }
    e.heap.rollback(mark);
    // What was recorded behind an open decision was found on no contents, and means nothing.
    if (e.pending.kind == Pending::Kind::Fork) {
      e.block->truncate(e.pending.recorded);
      e.log.resize(e.pending.logged);
    }
    Pending pending = std::exchange(e.pending, {});
    switch (pending.kind) {
    case Pending::Kind::Raise:
      // That what was refused, or has no model, does not fit here says nothing about the program.
      if (refusesOperands(frame, ip, pending)) {
        if (!goOnAfter(frame, ip, std::exchange(e.pending, {}), reported))
          return End::failed();
      } else if (!takesPoison(frame, ip))
        e.unwind(frame, ip, e.exceptionOf(pending));
      else if (!goOnWithPoison(frame, ip))
        return End::failed();
      dropped = !e.world->openGenerators.empty();
      break;
    case Pending::Kind::Fork: {
      End end = fork(frame, code, ip, pending);
      if (end.status != End::Status::Running)
        return end;
      start = Start::Arrive;
      break;
    }
    case Pending::Kind::Refuse:
      if (!goOnAfter(frame, ip, pending, reported))
        return End::failed();
      break;
    case Pending::Kind::None:
      llvm_unreachable("a handler failed without saying why");
    }
  }
}

// After a refusal -------------------------------------------------------------------------------

/// What says nothing about the rest of the program: a limit was hit, or the file is damaged.
static bool endsRun(const Diagnostic &diag) {
  ExitCode code = diag.info().exitCode;
  return code == ExitCode::LimitExceeded || code == ExitCode::InputMalformed;
}

/// More is not read by anybody, and a loop that refuses something new in each pass must end.
static constexpr size_t kMaxRefusals = 50;

/// Does the instruction that failed take something that stands for a refused value?
bool Executor::takesPoison(ObjectId frame, uint32_t ip) const {
  if (e.diags.empty())
    return false;
  uint32_t pops = getStackEffect(e.code(frame).instrs[ip]).pops;
  for (uint32_t i = 0; i < pops; ++i)
    if (e.isPoison(e.heap.get(frame, e.stackSlot(frame, i))))
      return true;
  return false;
}

/// The opaque value that `v` is, or has an element that is one; Absent: there is none.
static Value opaqueIn(Engine &e, const Value &given) {
  llvm::SmallVector<Value, 4> open{given};
  llvm::DenseSet<ObjectId> seen;
  while (!open.empty()) {
    Value v = open.pop_back_val();
    if (v.is(Kind::Opaque))
      return v;
    if (v.is(Kind::Choice))
      llvm::append_range(open, asChoice(v).alternatives);
    if (v.is(Kind::Ref) && e.heap.kind(v.asRef()) == ObjectKind::List &&
        seen.insert(v.asRef()).second)
      v = e.heap.get(v.asRef(), slot::kContent);
    if (v.is(Kind::Tuple) || v.is(Kind::Bound) || v.is(Kind::Slice))
      llvm::append_range(open, v.parts());
  }
  return Value();
}

/// An exception that the engine itself raised over an instruction that takes an opaque value is
/// about that: refuses it.
bool Executor::refusesOperands(ObjectId frame, uint32_t ip, const Pending &raised) {
  if (!raised.cls)
    return false;
  uint32_t pops = getStackEffect(e.code(frame).instrs[ip]).pops;
  for (uint32_t i = 0; i < pops; ++i)
    if (Value v = opaqueIn(e, e.heap.get(frame, e.stackSlot(frame, i))); !v.isAbsent()) {
      (void)e.refuseOpaque(v);
      return true;
    }
  return false;
}

/// The same of an exception that leaves the prelude, which was given an opaque value, for the
/// program.
bool Executor::refusesLocals(ObjectId frame, ObjectId caller, const Value &exception) {
  if (!e.frameInfo(frame).hidden || e.frameInfo(caller).hidden || !exception.is(Kind::Ref) ||
      e.raisedAt(exception).isKnown())
    return false;
  for (uint32_t i = 0; i < e.code(frame).locals.size(); ++i)
    if (Value v = opaqueIn(e, e.heap.get(frame, slot::kLocals + i)); !v.isAbsent()) {
      (void)e.refuseOpaque(v);
      return true;
    }
  return false;
}

/// Is it the head of a comprehension's loop which does nothing but put what it is given into its
/// result?
static bool onlyCollects(const ptc::CanonicalCode &code, uint32_t ip) {
  static constexpr llvm::StringLiteral kNames[] = {"<listcomp>", "<dictcomp>", "<setcomp>"};
  if (code.instrs[ip].op != Opcode::FOR_ITER || !llvm::is_contained(kNames, code.code->name))
    return false;
  return llvm::all_of(code.instrs, [](const Instr &instr) {
    switch (instr.op) {
    case Opcode::FOR_ITER:
    case Opcode::JUMP:
    case Opcode::RETURN_VALUE:
    case Opcode::LOAD_CONST:
    case Opcode::LOAD_FAST:
    case Opcode::STORE_FAST:
    case Opcode::UNPACK_SEQUENCE:
    case Opcode::BUILD_TUPLE:
    case Opcode::BUILD_LIST:
    case Opcode::BUILD_SET:
    case Opcode::BUILD_MAP:
    case Opcode::LIST_APPEND:
    case Opcode::SET_ADD:
    case Opcode::MAP_ADD:
    case Opcode::COPY:
    case Opcode::SWAP:
    case Opcode::POP_TOP:
      return true;
    default:
      return false;
    }
  });
}

/// What stands for a class whose base has no model, by the frame that would have made it: known as
/// the base where the class has no name of its own for anything of it that the table has a row for.
static Value classStandIn(Engine &e, ObjectId frame, uint32_t refusal) {
  Value plain = Engine::poison(refusal);
  const FrameInfo &info = e.frameInfo(frame);
  if (!info.hidden || !info.record || info.record->code->name != "__build_class__")
    return plain;
  Value bases, names;
  for (const auto &[i, name] : llvm::enumerate(info.record->localNames)) {
    const Value &local = e.heap.get(frame, slot::kLocals + uint32_t(i));
    if (e.nameText(name) == "bases")
      bases = local;
    if (e.nameText(name) == "ns")
      names = local;
  }
  if (!bases.is(Kind::Tuple) || bases.parts().size() != 1 || !isRefTo(e, names, ObjectKind::Dict))
    return plain;
  const Value &base = bases.parts()[0];
  if (!base.is(Kind::Opaque) || e.isPoison(base))
    return plain;
  const std::string &path = base.nodeAs<OpaqueNode>(Kind::Opaque).path;
  bool isOwn = isKnownRoot(e, path);
  llvm::ArrayRef<Value> items = dictItems(e, names);
  for (size_t i = 0; i < items.size(); i += 2)
    if (const OpaqueRow *row =
            items[i].is(Kind::Str) ? rowOfOpaque(path + "." + items[i].asStr().str()) : nullptr)
      isOwn |= !row->name.empty();
  if (isOwn)
    return plain;
  auto *node = new OpaqueNode;
  node->path = path;
  node->poison = true;
  node->refusal = refusal;
  return Value::node(Kind::Opaque, node);
}

/// Gives poison for what the refused instruction, or the prelude's function that it is part of,
/// would have given, so that the next refusal is found, too. False: what comes next depends on it.
bool Executor::goOnWithPoison(ObjectId frame, uint32_t ip, uint32_t refusal) {
  e.stoppedAt = e.here();
  if (!e.world->lenient || e.diags.size() >= kMaxRefusals || llvm::any_of(e.diags, endsRun) ||
      ++poisoned > kMaxPoisoned)
    return false;
  ReturnAction action = ReturnAction::Push;
  Value actionArg;
  Value standIn = Engine::poison(refusal);
  bool hidden = false;
  for (bool collects = onlyCollects(e.code(frame), ip); collects || e.frameInfo(frame).hidden;
       collects = false) {
    Value caller = e.heap.get(frame, slot::kCaller);
    if (!caller.is(Kind::Ref) || !e.heap.get(frame, slot::kGenState).isAbsent())
      return false;
    action = ReturnAction(e.heap.get(frame, slot::kAction).asIp());
    actionArg = e.heap.get(frame, slot::kActionArg);
    standIn = classStandIn(e, frame, refusal);
    e.heap.set(kMachine, slot::kCurrentFrame, caller);
    e.heap.discard(frame);
    frame = caller.asRef();
    hidden = true;
  }
  if (hidden) {
    if (action == ReturnAction::Init || action == ReturnAction::Import)
      e.push(frame, std::move(actionArg));
    else if (action != ReturnAction::Drop && action != ReturnAction::DropAgain)
      e.push(frame, std::move(standIn));
    if (action == ReturnAction::PushAgain || action == ReturnAction::DropAgain)
      e.runAgain(frame);
  } else {
    const Instr &instr = e.code(frame).instrs[ip];
    if (instr.info().flow != OpFlow::Next || instr.op == Opcode::YIELD_VALUE)
      return false;
    StackEffect effect = getStackEffect(instr);
    for (uint32_t i = 0; i < effect.pops; ++i)
      (void)e.pop(frame);
    bool method = instr.op == Opcode::LOAD_METHOD; // pushes self_or_null last
    for (uint32_t i = 0; i < effect.pushes; ++i)
      e.push(frame, method && i == 1 ? Value::absent() : Engine::poison(refusal));
    e.heap.set(frame, slot::kIp, Value::ip(ip + 1));
  }
  e.stoppedAt.reset();
  return true;
}

/// Does an operator or a subscript of something unknown get an object, which it may change?
static bool givesToUnknown(Engine &e, ObjectId frame) {
  const Value &b = e.heap.get(frame, e.stackSlot(frame, 0));
  const Value &a = e.heap.get(frame, e.stackSlot(frame, 1));
  auto isUnknown = [&](const Value &v) { return v.is(Kind::Opaque) && !e.isPoison(v); };
  bool isObject = a.is(Kind::Tensor) || b.is(Kind::Tensor);
  for (const Value &v : {a, b})
    forEachRef(v, [&](ObjectId) { isObject = true; });
  return (isUnknown(a) || isUnknown(b)) && isObject;
}

/// Does the instruction change nothing but its result, whatever its operands are?
static bool onlyComputes(Engine &e, ObjectId frame, const Instr &instr) {
  switch (instr.op) {
  case Opcode::LOAD_ATTR:
  case Opcode::LOAD_METHOD:
  case Opcode::COMPARE_OP:
  case Opcode::CONTAINS_OP:
  case Opcode::IS_OP:
  case Opcode::TO_BOOL:
  case Opcode::UNPACK_SEQUENCE:
  case Opcode::IMPORT_FROM:
  case Opcode::BUILD_STRING:
  case Opcode::BUILD_SET:
  case Opcode::BUILD_MAP:
  case Opcode::GET_ITER:
    return true;
  case Opcode::BINARY_SUBSCR:
    return !givesToUnknown(e, frame);
  case Opcode::BINARY_OP:
    return !instr.isInPlace() && !givesToUnknown(e, frame);
  case Opcode::CALL: {
    const Value &callee = e.heap.get(frame, e.stackSlot(frame, getStackEffect(instr).pops - 1));
    return isPureCall(e, callee);
  }
  default:
    return false;
  }
}

/// The function of the prelude that the program called, whose frames stand above `frame`.
static llvm::StringRef preludeFunction(Engine &e, ObjectId frame) {
  llvm::StringRef name;
  for (Value at = Value::ref(frame); at.is(Kind::Ref) && e.frameInfo(at.asRef()).hidden;
       at = e.heap.get(at.asRef(), slot::kCaller))
    name = e.code(at.asRef()).code->name;
  return name;
}

/// May the result be one of the operands, or a part of one?
static bool givesPart(Opcode op) {
  switch (op) {
  case Opcode::COMPARE_OP:
  case Opcode::CONTAINS_OP:
  case Opcode::IS_OP:
  case Opcode::TO_BOOL:
  case Opcode::BUILD_STRING:
    return false;
  default:
    return true;
  }
}

/// What the refused instruction, or the prelude's function that it is part of, may have given: its
/// operands. Of a class: what its body and its methods do.
static void noteCandidates(Engine &e, ObjectId frame, uint32_t ip, uint32_t refusal, bool isClass) {
  std::vector<Value> &all = refusedCandidates(e, refusal);
  auto note = [&](const Value &v) {
    if (!isClass || isPythonFunction(e, v))
      all.push_back(v);
  };
  while (e.frameInfo(frame).hidden) {
    for (uint32_t i = 0; i < e.code(frame).locals.size(); ++i)
      note(e.heap.get(frame, slot::kLocals + i));
    Value caller = e.heap.get(frame, slot::kCaller);
    if (!caller.is(Kind::Ref))
      return;
    frame = caller.asRef();
    if (!e.frameInfo(frame).hidden)
      return; // the operands of the call are gone from its stack
  }
  const Instr &instr = e.code(frame).instrs[ip];
  uint32_t depth = e.heap.get(frame, slot::kSp).asIp();
  for (uint32_t i = 0; givesPart(instr.op) && i < getStackEffect(instr).pops && i < depth; ++i)
    note(e.heap.get(frame, e.stackSlot(frame, i)));
}

/// Methods of containers, which change those, and call what they are given at most.
static bool isContainerMethod(Engine &e, const Value &callee) {
  if (!callee.is(Kind::Builtin))
    return false;
  const BuiltinRow &row = builtinRows()[callee.bits()];
  return row.kind == BuiltinKind::Method &&
         (row.owner == WellKnown::ListType || row.owner == WellKnown::DictType ||
          row.owner == WellKnown::SetType);
}

/// How far below the top of the stack what a statement changes lies, if it changes that and what
/// can be reached from its operands, and nothing else.
static std::optional<uint32_t> receiverOf(Engine &e, ObjectId frame, const Instr &instr) {
  const uint32_t pops = getStackEffect(instr).pops;
  switch (instr.op) {
  case Opcode::STORE_SUBSCR:
  case Opcode::DELETE_SUBSCR:
    return 1;
  case Opcode::STORE_ATTR:
  case Opcode::DELETE_ATTR:
    return 0;
  case Opcode::BINARY_OP:
    return instr.isInPlace() ? std::optional(1u) : std::nullopt;
  case Opcode::LIST_APPEND:
  case Opcode::LIST_EXTEND:
  case Opcode::SET_ADD:
  case Opcode::SET_UPDATE:
  case Opcode::MAP_ADD:
  case Opcode::DICT_UPDATE:
  case Opcode::DICT_MERGE:
    return pops + instr.arg - 1;
  case Opcode::CALL_METHOD: // callee, self
    return isContainerMethod(e, e.heap.get(frame, e.stackSlot(frame, pops - 1)))
               ? std::optional(pops - 2)
               : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// What a refused statement of module code may have changed stands for the refusal.
static bool takeOutReceiver(Engine &e, ObjectId frame, uint32_t ip, uint32_t receiver,
                            uint32_t refusal) {
  const uint32_t pops = getStackEffect(e.code(frame).instrs[ip]).pops;
  if (std::max(receiver + 1, pops) > e.heap.get(frame, slot::kSp).asIp())
    return false;
  std::vector<Value> operands{e.heap.get(frame, e.stackSlot(frame, receiver))};
  for (uint32_t i = 0; i < pops; ++i)
    operands.push_back(e.heap.get(frame, e.stackSlot(frame, i)));
  const Value changed = operands[0];
  return takeOutOperands(e, changed, operands, refusal);
}

/// Modules of the prelude whose functions change nothing.
static bool isOfPureModule(Engine &e, ObjectId frame) {
  static constexpr llvm::StringLiteral kPureModules[] = {"math", "posixpath"};
  bool isPure = false;
  for (Value at = Value::ref(frame); at.is(Kind::Ref) && e.frameInfo(at.asRef()).hidden;
       at = e.heap.get(at.asRef(), slot::kCaller))
    isPure = llvm::is_contained(kPureModules, moduleName(e, e.frameInfo(at.asRef()).globals));
  return isPure;
}

/// A refusal in module code spoils what uses it, if the instruction has no other effect: the
/// module's import goes on, and whoever uses the result reports it.
bool Executor::setAside(ObjectId frame, uint32_t ip, const Pending &pending, size_t reported) {
  World &w = *e.world;
  if (!isImporting(e) || !w.lenient)
    return false;
  uint32_t number = pending.refusal;
  bool computes = pending.isPure || onlyCollects(e.code(frame), ip) ? true
                  : e.frameInfo(frame).hidden
                      ? isPureFunction(preludeFunction(e, frame)) || isOfPureModule(e, frame)
                      : onlyComputes(e, frame, e.code(frame).instrs[ip]);
  bool branches = isModuleBranch(frame, ip);
  std::optional<uint32_t> receiver;
  if (!computes && !branches && !e.frameInfo(frame).hidden)
    receiver = receiverOf(e, frame, e.code(frame).instrs[ip]);
  const bool goesOn = computes || branches || receiver;
  if (!number && (!goesOn || e.diags.size() != reported + 1 || endsRun(e.diags.back())))
    return false;
  if (!number) {
    w.setAside.push_back(std::move(e.diags.back()));
    e.diags.pop_back();
    number = uint32_t(w.setAside.size());
  }
  // Where the program would catch an exception of it, what comes next depends on it.
  e.heap.set(frame, slot::kIp, Value::ip(ip + 1));
  std::optional<SourceLoc> catcher = pending.raisesNothing ? std::nullopt : catcherOf(e, /*cls=*/0);
  e.heap.set(frame, slot::kIp, Value::ip(ip));
  if (!catcher && computes && !branches)
    noteCandidates(e, frame, ip, number, pending.isPure);
  bool isAside = receiver && !catcher && takeOutReceiver(e, frame, ip, *receiver, number);
  if (!catcher && (branches              ? goOnBehindBranch(frame, ip, number)
                   : computes || isAside ? goOnWithPoison(frame, ip, number)
                                         : false))
    return true;
  e.diags.push_back(w.setAside[number - 1]);
  if (goesOn && catcher)
    e.diags.back().note("the program catches its exceptions here", *catcher);
  return false;
}

bool Executor::goOnAfter(ObjectId frame, uint32_t ip, const Pending &refused, size_t reported) {
  return setAside(frame, ip, refused, reported) || goOnWithPoison(frame, ip);
}

/// Has the text of what is raised to be made by a call?
static bool needsCodeForText(Engine &e, const Value &raised) {
  Value v = e.known(raised);
  return llvm::any_of(alternativesOf(v), [&](const Value &one) {
    return one.is(Kind::Ref) && isException(e, one) && overridesBuiltin(e, one, WellKnown::Str);
  });
}

/// An exception leaves the entry: its __str__ is called while there is an engine to run it. Then
/// the exception leaves again, with its text.
bool Executor::asksForText(ObjectId frame) {
  constexpr llvm::StringLiteral kLeaving = "_leaving";
  Value raised = e.heap.get(frame, slot::kReturn);
  if (!e.shapes || e.plainPython || e.world->importing ||
      e.heap.get(frame, slot::kCaller).is(Kind::Ref) || !needsCodeForText(e, raised) ||
      (e.frameInfo(frame).hidden && e.code(frame).code->name == kLeaving))
    return false;
  e.heap.set(kMachine, slot::kCurrentFrame, Value::absent());
  Value called = e.callPrelude(kLeaving, {std::move(raised)}, ReturnAction::Push);
  assert(Engine::isCalled(called) && "a function of Python");
  return true;
}

/// The frame is done: gives its value or exception to the caller, or ends the entry.
End Executor::leaveFrame(ObjectId frame, bool raised) {
  End end;
  Value value = e.heap.get(frame, slot::kReturn);
  Value caller = e.heap.get(frame, slot::kCaller);
  if (!caller.is(Kind::Ref)) {
    if (refuseLost(e, nullptr) != Flow::Next) {
      e.pending = {};
      return End::failed();
    }
    // A class that was called from outside gives its instance, not what __init__ returned.
    if (!raised && e.heap.get(frame, slot::kAction).is(Kind::Ip) &&
        ReturnAction(e.heap.get(frame, slot::kAction).asIp()) == ReturnAction::Init)
      value = e.heap.get(frame, slot::kActionArg);
    e.heap.set(kMachine, slot::kResult, std::move(value));
    e.heap.set(kMachine, slot::kCurrentFrame, Value::absent());
    end.status = End::Status::Exits;
    end.exits.push_back({raised ? raisedKey() : doneKey(), {}});
    return end;
  }
  ObjectId up = caller.asRef();
  size_t reported = e.diags.size();
  if (raised && refusesLocals(frame, up, value))
    return goOnAfter(frame, 0, std::exchange(e.pending, {}), reported) ? end : End::failed();
  ReturnAction action = ReturnAction(e.heap.get(frame, slot::kAction).asIp());
  Value actionArg = e.heap.get(frame, slot::kActionArg);
  bool generator = !e.heap.get(frame, slot::kGenState).isAbsent();
  e.heap.set(kMachine, slot::kCurrentFrame, caller);
  if (isModuleBody(e, frame))
    (raised ? forgetModule : nameInPackage)(e, e.frameInfo(frame).globals);
  if (generator)
    e.leaveGenerator(frame);
  else
    e.heap.discard(frame);
  Flow flow = Flow::Next;
  if (raised && generator)
    value = e.generatorRaised(std::move(value), frame);
  if (raised)
    flow = value.is(Kind::Fail) ? Flow::Fail : Flow(e.raiseValue(std::move(value)));
  else if (generator)
    flow = e.generatorReturned(up, std::move(value), action);
  else
    flow = e.finish(up, std::move(value), action, actionArg);
  if (flow == Flow::Next)
    return end;
  Pending pending = std::exchange(e.pending, {});
  if (pending.kind != Pending::Kind::Raise) {
    // The call is over: nothing can be run once for each of several results.
    if (pending.kind == Pending::Kind::Fork)
      e.diags.push_back(makeDiagnostic(DiagId::Unsupported, e.here(),
                                       "a result of __init__, __bool__ or __len__ whose type the "
                                       "run decides"));
    return End::failed();
  }
  e.unwind(up, e.heap.get(up, slot::kIp).asIp() - 1, e.exceptionOf(pending));
  return end;
}
