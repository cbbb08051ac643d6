//===- Generators.cpp - Suspended frames ----------------------------------------===//
//
// A generator is a frame whose kGenState is set. Resuming makes it the current frame with the
// resumer as caller; what it yields or returns goes there. Its exception state is swapped with the
// resumer's while it runs: kSavedException holds the other one.
//
// Where a suspended generator goes on (state, instruction, stack depth) is one value in kGenState,
// so that sides that leave it at different yields join to one choice. kIp and kSp are absent then.
//
//===----------------------------------------------------------------------===//
#include "Positions.h"

using ptc::CO_ASYNC_GENERATOR;
using ptc::CO_COROUTINE;
using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

static std::string nameOfKind(Engine &e, ObjectId generator) {
  return e.code(generator).code->hasFlag(CO_COROUTINE)         ? "coroutine"
         : e.code(generator).code->hasFlag(CO_ASYNC_GENERATOR) ? "async generator"
                                                               : "generator";
}

static void setState(Engine &e, ObjectId generator, GenState state, uint32_t ip = 0,
                     uint32_t sp = 0) {
  assert(sp < 1u << 24 && "the stack of a frame is bounded");
  e.heap.set(generator, slot::kGenState,
             Value::constant(Kind::Ip, uint64_t(state) | uint64_t(sp) << 8 | uint64_t(ip) << 32));
}

/// Takes the frame's position out of the frame, and what only a running one has.
static void park(Engine &e, ObjectId generator, GenState state) {
  if (state == GenState::Finished)
    setState(e, generator, state);
  else
    setState(e, generator, state, e.heap.get(generator, slot::kIp).asIp(),
             e.heap.get(generator, slot::kSp).asIp());
  for (uint32_t key : {slot::kIp, slot::kSp, slot::kCaller, slot::kReturn, slot::kAction,
                       slot::kActionArg, slot::kDepth})
    e.heap.set(generator, key, Value());
}

GenPoint capture::pointOf(const Value &place) {
  uint64_t bits = place.bits();
  return {GenState(bits & 255), uint32_t(bits >> 32), uint32_t(bits >> 8) & 0xffffff};
}

std::optional<GenPoint> Engine::generatorPoint(ObjectId generator) {
  PTC_LET(point, decide(heap.get(generator, slot::kGenState)));
  heap.set(generator, slot::kGenState, point);
  return pointOf(point);
}

void Engine::finishGenerator(ObjectId generator) { park(*this, generator, GenState::Finished); }

void Engine::suspendAtStart(ObjectId generator) { park(*this, generator, GenState::Created); }

/// Exchanges the running exception with the one kept in the generator.
static void swapException(Engine &e, ObjectId generator) {
  Value running = e.heap.get(kMachine, slot::kException);
  e.heap.set(kMachine, slot::kException, e.heap.get(generator, slot::kSavedException));
  e.heap.set(generator, slot::kSavedException, std::move(running));
}

static Flow enterGenerator(Engine &e, ObjectId generator, const GenPoint &point,
                           ReturnAction action) {
  Value current = e.heap.get(kMachine, slot::kCurrentFrame);
  uint32_t depth = e.frameDepth(current.asRef()) + 1;
  if (depth > e.limits.depth)
    return tooDeep(e);
  e.heap.set(generator, slot::kCaller, current);
  e.heap.set(generator, slot::kAction, Value::ip(uint32_t(action)));
  e.heap.set(generator, slot::kDepth, Value::ip(depth));
  e.setFrameDepth(generator, depth);
  setState(e, generator, GenState::Running);
  e.heap.set(generator, slot::kIp, Value::ip(point.ip));
  e.heap.set(generator, slot::kSp, Value::ip(point.sp));
  // At this point these operands exist, whatever other points leave there.
  uint32_t base = e.stackBase(generator);
  for (uint32_t key = base; key < base + point.sp; ++key)
    e.heap.set(generator, key, e.presentValue(e.heap.get(generator, key)));
  swapException(e, generator);
  e.heap.set(kMachine, slot::kCurrentFrame, Value::ref(generator));
  return Flow::Next;
}

Value Engine::resumeGenerator(ObjectId generator, Value sent, ReturnAction action) {
  PTC_GET(point, generatorPoint(generator));
  switch (point.state) {
  case GenState::Running:
    return raise(WellKnown::ValueError, nameOfKind(*this, generator) + " already executing");
  case GenState::Finished:
    if (code(generator).code->hasFlag(CO_COROUTINE))
      return raise(WellKnown::RuntimeError, "cannot reuse already awaited coroutine");
    PTC_DO(generatorReturned(currentFrame(), Value::none(), action));
    return called();
  case GenState::Created:
    if (!sent.isNone())
      return raise(WellKnown::TypeError,
                   "can't send non-None value to a just-started " + nameOfKind(*this, generator));
    break;
  case GenState::Suspended:
    break;
  }
  PTC_DO(enterGenerator(*this, generator, point, action));
  push(generator, std::move(sent));
  return called();
}

/// Raises `exception` at the yield where the generator is suspended.
Value Engine::throwInto(ObjectId generator, Value exception) {
  PTC_GET(point, generatorPoint(generator));
  switch (point.state) {
  case GenState::Running:
    return raise(WellKnown::ValueError, nameOfKind(*this, generator) + " already executing");
  case GenState::Created:
    park(*this, generator, GenState::Finished);
    return raiseValue(std::move(exception));
  case GenState::Finished:
    if (code(generator).code->hasFlag(CO_COROUTINE))
      return raise(WellKnown::RuntimeError, "cannot reuse already awaited coroutine");
    return raiseValue(std::move(exception));
  case GenState::Suspended:
    break;
  }
  PTC_DO(enterGenerator(*this, generator, point, ReturnAction::Push));
  unwind(generator, point.ip - 1, std::move(exception));
  return called();
}

void Engine::suspend(ObjectId generator) {
  swapException(*this, generator);
  heap.set(kMachine, slot::kCurrentFrame, heap.get(generator, slot::kCaller));
  park(*this, generator, GenState::Suspended);
}

void Engine::leaveGenerator(ObjectId generator) {
  swapException(*this, generator);
  heap.set(generator, slot::kSavedException, Value());
  park(*this, generator, GenState::Finished);
  uint32_t end = stackBase(generator);
  for (uint32_t key = slot::kLocals; key < end; ++key)
    if (!heap.get(generator, key).isAbsent())
      heap.set(generator, key, Value());
}

Flow Engine::generatorReturned(ObjectId frame, Value value, ReturnAction action) {
  (void)action;
  uint32_t ip = heap.get(frame, slot::kIp).asIp();
  const Instr &instr = code(frame).instrs[ip - 1];
  switch (instr.op) {
  case Opcode::FOR_ITER:
    (void)pop(frame);
    jump(frame, instr.target);
    return Flow::Next;
  case Opcode::SEND:
    finishSend(frame, instr, std::move(value));
    return Flow::Next;
  default:
    break;
  }
  std::vector<Value> args;
  if (!value.isNone())
    args.push_back(std::move(value));
  return raiseNew(makeException(builtinClass(WellKnown::StopIteration), std::move(args)));
}

bool capture::isCoroutine(Engine &e, const Value &v) {
  return isRefTo(e, v, ObjectKind::Frame) && e.code(v.asRef()).code->hasFlag(CO_COROUTINE);
}

static Value stoppedWrongly(Engine &e, const Value &exception, const std::string &text) {
  Value error = e.makeException(e.builtinClass(WellKnown::RuntimeError), {Value::str(text)});
  e.heap.set(error.asRef(), attrKey(WellKnown::Cause), exception);
  e.heap.set(error.asRef(), attrKey(WellKnown::Context), exception);
  e.heap.set(error.asRef(), attrKey(WellKnown::SuppressContext), Value::boolean(true));
  return error;
}

/// A StopIteration that leaves a generator's frame becomes a RuntimeError, and so does a
/// StopAsyncIteration where the generator is asynchronous.
Value Engine::generatorRaised(Value exception, ObjectId generator) {
  const bool isAsync = code(generator).code->hasFlag(CO_ASYNC_GENERATOR);
  if (isAsync && isInstance(*this, exception, WellKnown::StopAsyncIteration))
    return stoppedWrongly(*this, exception, "async generator raised StopAsyncIteration");
  llvm::ArrayRef<Value> alternatives = alternativesOf(exception);
  auto stops = llvm::count_if(alternatives, [&](const Value &one) {
    return isInstance(*this, one, WellKnown::StopIteration);
  });
  if (!stops)
    return exception;
  if (size_t(stops) != alternatives.size())
    return refuse(DiagId::Unsupported, "StopIteration on one of several ways out of a generator");
  return stoppedWrongly(*this, exception, nameOfKind(*this, generator) + " raised StopIteration");
}
