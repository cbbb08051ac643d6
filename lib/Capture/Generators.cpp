//===- Generators.cpp - Suspended frames ----------------------------------------===//
//
// A generator is a frame whose kGenState is set. Resuming makes it the current frame with the
// resumer as caller; what it yields or returns goes there. Its exception state is swapped with the
// resumer's while it runs: kSavedException holds the other one.
//
//===----------------------------------------------------------------------===//
#include "Objects.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

static GenState stateOf(Engine &e, ObjectId generator) {
  return GenState(e.heap.get(generator, slot::kGenState).asIp());
}

static void setState(Engine &e, ObjectId generator, GenState state) {
  e.heap.set(generator, slot::kGenState, Value::ip(uint32_t(state)));
}

/// Exchanges the running exception with the one kept in the generator.
static void swapException(Engine &e, ObjectId generator) {
  Value running = e.heap.get(kMachine, slot::kException);
  e.heap.set(kMachine, slot::kException, e.heap.get(generator, slot::kSavedException));
  e.heap.set(generator, slot::kSavedException, std::move(running));
}

static Flow enterGenerator(Engine &e, ObjectId generator, ReturnAction action) {
  Value current = e.heap.get(kMachine, slot::kCurrentFrame);
  uint32_t depth = e.frameDepth(current.asRef()) + 1;
  if (depth > e.limits.depth)
    return e.raise(WellKnown::RecursionError, "maximum recursion depth exceeded");
  e.heap.set(generator, slot::kCaller, current);
  e.heap.set(generator, slot::kAction, Value::ip(uint32_t(action)));
  e.heap.set(generator, slot::kDepth, Value::ip(depth));
  e.setFrameDepth(generator, depth);
  setState(e, generator, GenState::Running);
  swapException(e, generator);
  e.heap.set(kMachine, slot::kCurrentFrame, Value::ref(generator));
  return Flow::Next;
}

Value Engine::resumeGenerator(ObjectId generator, Value sent, ReturnAction action) {
  switch (stateOf(*this, generator)) {
  case GenState::Running:
    return raise(WellKnown::ValueError, "generator already executing");
  case GenState::Finished:
    PTC_DO(generatorReturned(currentFrame(), Value::none(), action));
    return called();
  case GenState::Created:
    if (!sent.isNone())
      return raise(WellKnown::TypeError, "can't send non-None value to a just-started generator");
    break;
  case GenState::Suspended:
    break;
  }
  PTC_DO(enterGenerator(*this, generator, action));
  push(generator, std::move(sent));
  return called();
}

/// Raises `exception` at the yield where the generator is suspended.
Value Engine::throwInto(ObjectId generator, Value exception) {
  switch (stateOf(*this, generator)) {
  case GenState::Running:
    return raise(WellKnown::ValueError, "generator already executing");
  case GenState::Created:
    setState(*this, generator, GenState::Finished);
    return raiseValue(std::move(exception));
  case GenState::Finished:
    return raiseValue(std::move(exception));
  case GenState::Suspended:
    break;
  }
  PTC_DO(enterGenerator(*this, generator, ReturnAction::Push));
  unwind(generator, heap.get(generator, slot::kIp).asIp() - 1, std::move(exception));
  return called();
}

void Engine::suspend(ObjectId generator) {
  setState(*this, generator, GenState::Suspended);
  swapException(*this, generator);
  heap.set(kMachine, slot::kCurrentFrame, heap.get(generator, slot::kCaller));
}

void Engine::leaveGenerator(ObjectId generator) {
  setState(*this, generator, GenState::Finished);
  swapException(*this, generator);
  heap.set(generator, slot::kSavedException, Value());
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

/// A StopIteration that leaves a generator's frame becomes a RuntimeError.
Value Engine::generatorRaised(Value exception) {
  if (!isInstance(*this, exception, WellKnown::StopIteration))
    return exception;
  Value error = makeException(builtinClass(WellKnown::RuntimeError),
                              {Value::str("generator raised StopIteration")});
  heap.set(error.asRef(), attrKey(WellKnown::Cause), exception);
  heap.set(error.asRef(), attrKey(WellKnown::Context), exception);
  heap.set(error.asRef(), attrKey(WellKnown::SuppressContext), Value::boolean(true));
  return error;
}
