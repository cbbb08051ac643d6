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

void capture::noteSuspended(Engine &e, ObjectId generator) {
  std::optional<GenPoint> point = e.generatorPoint(generator);
  if (!e.world->openGenerators.empty())
    e.world->justSuspended = generator; // it may hold one
  if (!point || !isInHandler(e, generator, *point))
    return;
  e.world->suspendsInHandlers = true;
  if (!e.plainPython)
    return;
  std::vector<ObjectId> &open = e.world->openGenerators;
  if (!llvm::is_contained(open, generator))
    open.push_back(generator);
  e.world->justSuspended = generator;
}

/// Do objects hold one of the generators, by way of instances, containers and frames? Few are
/// looked at; none where that does not answer it.
static std::optional<bool> holdAny(Engine &e, llvm::SmallVector<ObjectId, 16> queue,
                                   llvm::ArrayRef<ObjectId> generators) {
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
  llvm::SmallVector<ObjectId, 16> held;
  e.heap.forEachSlot(frame, [&](uint32_t key, const Value &v) {
    if (key >= slot::kLocals)
      forEachRef(v, [&](ObjectId id) { held.push_back(id); });
  });
  return holdAny(e, std::move(held), e.world->openGenerators).value_or(true);
}

/// Does the value hold, as far as that can be said soon, a generator that would notice its end?
static bool mayHoldOpen(Engine &e, const Value &v) {
  llvm::SmallVector<ObjectId, 16> held;
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

namespace {
/// Marks what the program can still reach.
class Reachable {
public:
  explicit Reachable(Engine &e) : e(e), seen(e.heap.nextId()) {
    see(kMachine);
    see(e.world->modules);
    see(e.world->prelude);
    while (!queue.empty())
      visit(queue.pop_back_val());
  }
  bool contains(ObjectId id) const { return seen[id]; }

private:
  void see(ObjectId id) {
    if (seen[id] || !e.heap.exists(id))
      return;
    seen[id] = true;
    queue.push_back(id);
  }
  void visit(ObjectId id) {
    const ObjectHeader &header = e.heap.header(id);
    if (header.cls)
      see(header.cls);
    if (header.kind == ObjectKind::Class)
      for (ObjectId base : e.classInfo(id).mro)
        see(base);
    e.heap.forEachSlot(
        id, [&](uint32_t, const Value &v) { forEachRef(v, [&](ObjectId next) { see(next); }); });
  }

  Engine &e;
  std::vector<bool> seen;
  llvm::SmallVector<ObjectId, 64> queue;
};
} // namespace

static bool enterClosing(Engine &e, std::vector<ObjectId>::iterator at) {
  Value generator = Value::ref(*at);
  e.world->openGenerators.erase(at);
  Value entered = e.callPrelude("_gen_close_dropped", {generator}, ReturnAction::Drop);
  e.pending = {}; // too deep: it stays as it is
  return Engine::isCalled(entered);
}

bool capture::closeDropped(Engine &e) {
  std::vector<ObjectId> &open = e.world->openGenerators;
  llvm::erase_if(open, [&](ObjectId id) { return !isSuspended(e, id); });
  if (open.empty())
    return false;
  Reachable reachable(e);
  auto at = llvm::find_if(open, [&](ObjectId id) { return !reachable.contains(id); });
  return at != open.end() && enterClosing(e, at);
}

bool capture::closeAny(Engine &e) {
  std::vector<ObjectId> &open = e.world->openGenerators;
  llvm::erase_if(open, [&](ObjectId id) { return !isSuspended(e, id); });
  return !open.empty() && enterClosing(e, open.begin());
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
  for (ObjectId id = e.boundary; id < e.heap.nextId(); ++id) {
    if ((reach && reach->contains(id)) || !mayBeOpen(e, id))
      continue;
    ptc::Diagnostic diag =
        makeDiagnostic(DiagId::Unsupported, e.locationOf(id, 0),
                       "a generator that is dropped while it is suspended in a 'try' or 'with'");
    diag.note("CPython leaves the statement when the last reference to the generator goes")
        .hint("close the generator, or let it run to its end");
    return e.refuse(std::move(diag));
  }
  return Flow::Next;
}
