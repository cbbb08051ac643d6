//===- OpenGenerators.cpp - Closing generators that nobody holds ---------------------------===//
//
// CPython closes a suspended generator when its last reference goes, which runs its `finally`. The
// heap counts no references, so plain Python runs look for unreachable generators, but only while
// one is suspended inside a handler, and only behind instructions that may drop one. While an entry
// is captured, where sides may differ in what they drop, a generator that is lost so is refused.
//
//===----------------------------------------------------------------------===//
#include "OpenGenerators.h"
#include "Failures.h"
#include "Positions.h"
#include "Reachable.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

static bool isSuspended(Engine &e, ObjectId generator) {
  if (!e.heap.exists(generator))
    return false;
  std::optional<GenPoint> point = e.generatorPoint(generator);
  return point && point->state == GenState::Suspended;
}

/// Would a handler, other than the generator's own outermost one, see an exception there?
static bool isInHandler(Engine &e, ObjectId generator, const GenPoint &point) {
  if (point.state != GenState::Suspended || !point.ip)
    return false;
  const ptc::CanonicalCode &code = e.code(generator);
  ptc::Handler handler = code.handlers[point.ip - 1];
  return handler.exists() && code.instrs[handler.target].op != Opcode::STOPITERATION_ERROR;
}

void capture::noteJoined(Engine &e, ObjectId generator) { e.world->mayBeOpen.insert(generator); }

void capture::noteSuspended(Engine &e, ObjectId generator) {
  std::optional<GenPoint> point = e.generatorPoint(generator);
  if (!e.world->openGenerators.empty())
    e.world->justSuspended = generator; // it may hold one
  if (!point || !isInHandler(e, generator, *point))
    return;
  e.world->suspendsInHandlers = true;
  if (!e.plainPython) {
    e.world->mayBeOpen.insert(generator);
    return;
  }
  std::vector<ObjectId> &open = e.world->openGenerators;
  if (!llvm::is_contained(open, generator))
    open.push_back(generator);
  e.world->justSuspended = generator;
}

/// Do objects hold one of the generators, by way of instances, containers and frames? Few are
/// looked at; none where that does not answer it.
static std::optional<bool> holdAny(Engine &e, Held queue, llvm::ArrayRef<ObjectId> generators) {
  constexpr size_t kLookedAt = 4096;
  llvm::SmallDenseSet<ObjectId, 32> seen(queue.begin(), queue.end());
  while (!queue.empty()) {
    const ObjectId id = queue.pop_back_val();
    if (llvm::is_contained(generators, id))
      return true;
    if (!e.heap.exists(id) || e.heap.kind(id) == ObjectKind::Class ||
        e.heap.kind(id) == ObjectKind::Module)
      continue;
    if (seen.size() > kLookedAt)
      return std::nullopt;
    e.heap.forEachSlot(id, [&](uint32_t, const Value &v) {
      forEachRef(v, [&](ObjectId next) {
        if (seen.insert(next).second)
          queue.push_back(next);
      });
    });
  }
  return false;
}

bool capture::wasSuspendedUnheld(Engine &e) {
  const ObjectId generator = std::exchange(e.world->justSuspended, 0);
  return generator && !holdAny(e, {e.currentFrame()}, generator).value_or(false);
}

bool capture::holdsGenerator(Engine &e, ObjectId frame) {
  Held held;
  e.heap.forEachSlot(frame, [&](uint32_t key, const Value &v) {
    if (key >= slot::kLocals)
      forEachRef(v, [&](ObjectId id) { held.push_back(id); });
  });
  return holdAny(e, std::move(held), e.world->openGenerators).value_or(true);
}

/// Does the value hold, as far as that can be said soon, a generator that would notice its end?
static bool mayHoldOpen(Engine &e, const Value &v) {
  Held held;
  forEachRef(v, [&](ObjectId id) { held.push_back(id); });
  return !held.empty() && holdAny(e, std::move(held), e.world->openGenerators).value_or(true);
}

bool capture::mayDropGenerator(Engine &e, ObjectId frame, const Instr &instr) {
  switch (instr.op) {
  case Opcode::STORE_FAST:
  case Opcode::DELETE_FAST:
    return mayHoldOpen(e, e.heap.get(frame, slot::kLocals + instr.arg));
  case Opcode::STORE_NAME:
  case Opcode::STORE_GLOBAL:
  case Opcode::STORE_DEREF:
  case Opcode::STORE_ATTR:
  case Opcode::DELETE_NAME:
  case Opcode::DELETE_GLOBAL:
  case Opcode::DELETE_DEREF:
  case Opcode::DELETE_ATTR:
  case Opcode::DELETE_SUBSCR:
    return true;
  case Opcode::FOR_ITER: {
    // The generator itself, which goes on.
    const Value &walked = e.heap.get(frame, e.stackSlot(frame, 0));
    return !(walked.is(Kind::Ref) && llvm::is_contained(e.world->openGenerators, walked.asRef())) &&
           mayHoldOpen(e, walked);
  }
  default:
    break;
  }
  const uint32_t pops = getStackEffect(instr).pops;
  for (uint32_t i = 0; i < pops; ++i)
    if (mayHoldOpen(e, e.heap.get(frame, e.stackSlot(frame, i))))
      return true;
  return false;
}

/// Can nobody tell whether it ran? Names of the frame and what operators of builtins compute.
static bool isInvisible(const Instr &instr) {
  switch (instr.op) {
  case Opcode::PUSH_EXC_INFO:
  case Opcode::POP_EXCEPT:
  case Opcode::LOAD_CONST:
  case Opcode::LOAD_FAST:
  case Opcode::LOAD_FAST_CHECK:
  case Opcode::STORE_FAST:
  case Opcode::COMPARE_OP:
  case Opcode::COPY:
  case Opcode::SWAP:
  case Opcode::POP_TOP:
    return true;
  case Opcode::BINARY_OP:
    return !instr.isInPlace();
  default:
    return false;
  }
}

/// Does no code that somebody could notice run when the generator is closed at `ip`?
static bool leavesUnnoticed(Engine &e, ObjectId generator, uint32_t ip) {
  ObjectId exit = e.builtinClass(WellKnown::GeneratorExit);
  if (fateAt(e, exit, generator, ip) == Fate::Leaves)
    return true;
  bool hasObjects = false; // their operators may be Python code
  e.heap.forEachSlot(generator, [&](uint32_t key, const Value &v) {
    if (key >= slot::kLocals)
      forEachRef(v, [&](ObjectId id) { hasObjects |= e.heap.kind(id) == ObjectKind::Instance; });
  });
  const ptc::CanonicalCode &code = e.code(generator);
  for (unsigned hops = 0; !hasObjects && hops < code.size(); ++hops) {
    const ptc::Handler &handler = code.handlers[ip];
    if (!handler.exists() || code.instrs[handler.target].op == Opcode::STOPITERATION_ERROR)
      return true;
    for (ip = handler.target; ip < code.size() && isInvisible(code.instrs[ip]); ++ip)
      ;
    if (ip == code.size() || code.instrs[ip].op != Opcode::RERAISE)
      return false;
  }
  return false;
}

namespace {
/// What is reachable no more: which of the generators there hold the others.
class Lost {
public:
  Lost(Engine &e, const Reachable &reachable, llvm::ArrayRef<ObjectId> generators)
      : generators(generators) {
    for (ObjectId id = 1; id < e.heap.nextId(); ++id)
      if (e.heap.exists(id) && !reachable.contains(id))
        forEachHeld(e, id, [&](ObjectId held) {
          if (!reachable.contains(held))
            holders[held].push_back(id);
        });
    findHolding();
  }
  /// The generators that neither another one holds nor a reference cycle.
  std::vector<ObjectId> outermost() const {
    llvm::DenseMap<ObjectId, unsigned> waits;
    llvm::DenseMap<ObjectId, llvm::SmallVector<ObjectId, 2>> holds;
    llvm::SmallVector<ObjectId, 32> free;
    for (ObjectId id : holding) {
      auto of = holders.find(id);
      if (of == holders.end()) {
        free.push_back(id);
        continue;
      }
      waits[id] = of->second.size();
      for (ObjectId holder : of->second)
        holds[holder].push_back(id);
    }
    std::vector<ObjectId> found;
    while (!free.empty()) {
      const ObjectId id = free.pop_back_val();
      if (llvm::is_contained(generators, id)) {
        found.push_back(id); // what it holds goes after it
        continue;
      }
      for (ObjectId next : holds.lookup(id))
        if (--waits[next] == 0)
          free.push_back(next);
    }
    return found;
  }

private:
  /// As CPython counts: a frame holds its variables and operands, not who called it.
  static void forEachHeld(Engine &e, ObjectId id, llvm::function_ref<void(ObjectId)> see) {
    const bool isFrame = e.heap.kind(id) == ObjectKind::Frame;
    e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
      if (!isFrame || key >= slot::kLocals)
        forEachRef(v, see);
    });
  }
  /// The generators, and all that hold one.
  void findHolding() {
    llvm::SmallVector<ObjectId, 32> queue(generators);
    holding.insert(generators.begin(), generators.end());
    while (!queue.empty())
      if (auto of = holders.find(queue.pop_back_val()); of != holders.end())
        for (ObjectId holder : of->second)
          if (holding.insert(holder))
            queue.push_back(holder);
  }

  llvm::ArrayRef<ObjectId> generators;
  llvm::DenseMap<ObjectId, llvm::SmallVector<ObjectId, 2>> holders;
  llvm::SetVector<ObjectId> holding;
};
} // namespace

static bool enterClosing(Engine &e, ObjectId id) {
  llvm::erase(e.world->openGenerators, id);
  Value entered = e.callPrelude("_gen_close_dropped", {Value::ref(id)}, ReturnAction::Drop);
  e.pending = {}; // too deep: it stays as it is
  return Engine::isCalled(entered);
}

static void forgetFinished(Engine &e) {
  llvm::erase_if(e.world->openGenerators, [&](ObjectId id) { return !isSuspended(e, id); });
}

/// Do variables of a frame that is left hold it by an exception that came by there?
static bool isKept(Engine &e, ObjectId frame) {
  bool kept = false;
  e.heap.forEachSlot(frame, [&](uint32_t key, const Value &v) {
    kept |= key >= slot::kLocals && key < e.stackBase(frame) && v.is(Kind::Ref) &&
            isException(e, v) && !e.heap.get(v.asRef(), slot::kTrace).isAbsent();
  });
  return kept;
}

/// Is the frame that of a generator that is closed, so that its GeneratorExit ends with it?
static bool isClosed(Engine &e, ObjectId frame) {
  if (!isInstance(e, e.heap.get(frame, slot::kReturn), WellKnown::GeneratorExit))
    return false;
  for (llvm::StringRef name : {"_gen_throw", "_gen_close"}) {
    Value caller = e.heap.get(frame, slot::kCaller);
    if (!caller.is(Kind::Ref) || !e.frameInfo(caller.asRef()).hidden ||
        e.code(caller.asRef()).code->name != name)
      return false;
    frame = caller.asRef();
  }
  return true;
}

Held capture::keptVariables(Engine &e, ObjectId frame, bool raised) {
  Held kept;
  const bool byTraceback = (raised && !isClosed(e, frame)) || isKept(e, frame);
  if (e.frameInfo(frame).hidden || !byTraceback)
    return kept;
  e.heap.forEachSlot(frame, [&](uint32_t key, const Value &v) {
    if (key >= slot::kLocals && key < e.stackBase(frame))
      forEachRef(v, [&](ObjectId id) { kept.push_back(id); });
  });
  return kept;
}

static Closing refuseOrder(Engine &e, ObjectId generator, llvm::StringRef when) {
  ptc::Diagnostic diag = makeDiagnostic(DiagId::Unsupported, e.locationOf(generator, 0),
                                        "a generator that is dropped " + when.str() +
                                            " while it is suspended in a 'try' or 'with'");
  diag.note("when CPython leaves the statement depends on its counts of references")
      .hint("close the generator, or let it run to its end");
  (void)e.refuse(std::move(diag));
  e.pending = {};
  return Closing::Refused;
}

/// Can somebody tell when the generator, which is suspended, is closed?
static bool closesNoticed(Engine &e, ObjectId generator) {
  std::optional<GenPoint> point = e.generatorPoint(generator);
  return !point || !leavesUnnoticed(e, generator, point->ip - 1);
}

/// Closes one of the generators, of which none holds another.
static Closing closeOneOf(Engine &e, llvm::ArrayRef<ObjectId> generators) {
  if (llvm::count_if(generators, [&](ObjectId id) { return closesNoticed(e, id); }) > 1)
    return refuseOrder(e, generators.back(), "together with another one");
  return enterClosing(e, generators.front()) ? Closing::Entered : Closing::None;
}

Closing capture::closeDropped(Engine &e, Held kept) {
  std::vector<ObjectId> &open = e.world->openGenerators;
  forgetFinished(e);
  if (open.empty())
    return Closing::None;
  Reachable reachable(e);
  std::vector<ObjectId> dropped;
  llvm::copy_if(open, std::back_inserter(dropped),
                [&](ObjectId id) { return !reachable.contains(id); });
  if (dropped.empty())
    return Closing::None;
  llvm::SmallVector<ObjectId, 4> noticed;
  llvm::copy_if(dropped, std::back_inserter(noticed),
                [&](ObjectId id) { return closesNoticed(e, id); });
  if (!kept.empty() && holdAny(e, std::move(kept), noticed).value_or(true))
    return refuseOrder(e, dropped.front(), "by a frame that an exception has left");
  const std::vector<ObjectId> outermost = Lost(e, reachable, dropped).outermost();
  if (outermost.empty())
    return noticed.empty() ? Closing::None
                           : refuseOrder(e, noticed.front(), "by a reference cycle");
  return closeOneOf(e, outermost);
}

Closing capture::closeAny(Engine &e) {
  std::vector<ObjectId> &open = e.world->openGenerators;
  forgetFinished(e);
  if (open.empty())
    return Closing::None;
  std::vector<ObjectId> outermost;
  llvm::copy_if(open, std::back_inserter(outermost), [&](ObjectId id) {
    return llvm::none_of(open, [&](ObjectId other) {
      return other != id && holdAny(e, {other}, {id}).value_or(true);
    });
  });
  if (outermost.empty())
    return refuseOrder(e, open.front(), "by a reference cycle");
  return closeOneOf(e, outermost);
}

/// May the generator be suspended, on some side, where it would notice that it is closed?
static bool mayBeOpen(Engine &e, ObjectId generator) {
  if (!e.heap.exists(generator) || e.heap.kind(generator) != ObjectKind::Frame)
    return false;
  Value place = e.known(e.heap.get(generator, slot::kGenState));
  auto open = [&](const Value &v) {
    GenPoint point = v.is(Kind::Ip) ? pointOf(v) : GenPoint();
    return v.is(Kind::Ip) && isInHandler(e, generator, point) &&
           !leavesUnnoticed(e, generator, point.ip - 1);
  };
  return place.is(Kind::Choice) ? llvm::any_of(asChoice(place).alternatives, open) : open(place);
}

Flow capture::refuseLost(Engine &e, const llvm::DenseSet<ObjectId> *reach) {
  if (e.plainPython || !e.world->suspendsInHandlers)
    return Flow::Next;
  // Most objects of a call are none of these. An id may be another object's by now.
  Held lost;
  for (ObjectId id : e.world->mayBeOpen)
    if (id >= e.boundary && !(reach && reach->contains(id)) && mayBeOpen(e, id))
      lost.push_back(id);
  if (auto *first = llvm::min_element(lost); first != lost.end()) {
    const ObjectId id = *first;
    ptc::Diagnostic diag =
        makeDiagnostic(DiagId::Unsupported, e.locationOf(id, 0),
                       "a generator that is dropped while it is suspended in a 'try' or 'with'");
    diag.note("CPython leaves the statement when the last reference to the generator goes")
        .hint("close the generator, or let it run to its end");
    return e.refuse(std::move(diag));
  }
  return Flow::Next;
}
