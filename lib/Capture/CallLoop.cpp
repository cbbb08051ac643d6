//===- CallLoop.cpp - Capturing an entry ---------------------------------------------===//
//
// In: a callable and a maker of its arguments. Out: the body of the program with its inputs, the
// state that it carries from call to call, and its ends. The turns stop when the state that a call
// leaves behind repeats up to renaming.
//
//===----------------------------------------------------------------------===//
#include "CallLoop.h"

using namespace ptc::capture;

Value CallLoop::addTensorInput(llvm::StringRef path, uint32_t leaf, TapeValue type) {
  ValueId id = e.tape.makeValue(std::move(type));
  Value tensor = e.newTensor(id);
  inputs.push_back({path.str(), leaf, id});
  inputStorages.push_back(asTensor(tensor).storage);
  x.persistent.push_back(inputStorages.back());
  return tensor;
}

void CallLoop::addCallerObject(llvm::StringRef path, ObjectId id) {
  callerObjects.push_back({path.str(), id});
  x.persistent.push_back(id);
}

std::optional<End> CallLoop::runTurn(const Value &callee,
                                     llvm::function_ref<CallArgs()> makeArguments,
                                     const HeadState *prev) {
  body = std::make_unique<TapeBlock>(&e.top);
  e.block = body.get();
  e.log.clear();
  inputs.clear();
  inputStorages.clear();
  callerObjects.clear();
  std::vector<ObjectId> persistent = x.persistent;
  Heap::Mark mark = e.heap.mark();
  if (prev)
    e.heap.apply(prev->out);
  Value result = e.call(callee, makeArguments());
  End end;
  if (result.isFail()) {
    end = x.endOfPending();
  } else if (!Engine::isCalled(result)) {
    e.heap.set(kMachine, slot::kResult, result);
    end.status = End::Status::Exits;
    end.exits.push_back({doneKey(), {}});
  } else {
    end = x.run(Executor::Start::Arrive);
  }
  if (end.status == End::Status::Exits) {
    Delta done = e.heap.delta(mark);
    for (Exit &exit : end.exits) {
      Delta whole = done;
      for (auto &[slot, value] : exit.delta)
        whole[slot] = std::move(value);
      exit.delta = std::move(whole);
    }
  }
  e.heap.rollback(mark);
  x.persistent = std::move(persistent);
  e.block = &e.top;
  if (end.status != End::Status::Exits || end.exits.empty())
    return std::nullopt;
  return end;
}

bool CallLoop::run(const Value &callee, llvm::function_ref<CallArgs()> makeArguments) {
  ValueId before = e.tape.nextId();
  size_t diags = e.diags.size(), topInstrs = e.top.instrs.size();
  LoopCloser closer(x, callKey());
  std::optional<HeadState> prev;
  llvm::DenseSet<SlotKey> forced;
  std::string changing;
  for (unsigned turn = 0; turn < LoopCloser::kMaxTurns; ++turn) {
    e.top.truncate(topInstrs);
    e.diags.erase(e.diags.begin() + ptrdiff_t(diags), e.diags.end());
    std::optional<End> end = runTurn(callee, makeArguments, prev ? &*prev : nullptr);
    if (!end || e.diags.size() > diags)
      return false;
    Delta none;
    std::vector<JoinSide> sides{{0, &none, &e.top}};
    for (size_t i = 0; i < end->exits.size(); ++i) {
      closer.compact(end->exits[i].delta, *body);
      sides.push_back({int64_t(i) + 1, &end->exits[i].delta, body.get()});
    }
    std::optional<HeadState> now = closer.join(std::move(sides), before, forced);
    if (!now)
      return false;
    program.counts.turns = turn + 1;
    bool unchanged = prev ? prev->shape == now->shape : now->shape.empty();
    if (unchanged)
      return finish(prev ? &*prev : nullptr, *now, std::move(*end));
    changing = LoopCloser::firstDifference(prev ? *prev : HeadState(), *now);
    forced = closer.carriedSlots(*now);
    prev = std::move(now);
  }
  e.reportState(changing);
  return false;
}

bool CallLoop::finish(const HeadState *prev, const HeadState &now, End end) {
  auto yieldOf = [](const JoinRow &row, int64_t side) {
    auto found = row.yields.find(side);
    return found == row.yields.end() ? TapeArg::value(kUndef) : found->second;
  };
  for (const ProgramInput &input : inputs)
    body->args.push_back(input.value);
  size_t numStates = prev ? prev->args.size() : 0;
  std::vector<std::vector<TapeArg>> next(end.exits.size());
  for (size_t i = 0; i < numStates; ++i) {
    const JoinRow &row = now.rows[now.args[i]];
    ProgramState state;
    state.name = e.stateName(*prev, prev->args[i]);
    state.argument = prev->rows[prev->args[i]].result;
    state.initial = yieldOf(row, 0);
    body->args.push_back(state.argument);
    program.states.push_back(std::move(state));
    for (size_t k = 0; k < end.exits.size(); ++k)
      next[k].push_back(yieldOf(row, int64_t(k) + 1));
  }
  program.next = std::move(next);
  // What the ends hand over is read on the state that the call began with.
  Heap::Mark mark = e.heap.mark();
  if (prev)
    e.heap.apply(prev->out);
  e.block = body.get();
  for (const Exit &exit : end.exits) {
    Heap::Mark inner = e.heap.mark();
    e.heap.apply(exit.delta);
    ExitBuilder builder(e, inputStorages, inputs);
    bool raised = exit.key == raisedKey();
    program.exits.push_back(builder.build(raised));
    for (const CallerObject &object : callerObjects)
      if (e.heap.exists(object.id))
        program.exits.back().mutatedInputs.emplace_back(object.path,
                                                        builder.value(Value::ref(object.id)));
    e.heap.rollback(inner);
  }
  e.block = &e.top;
  e.heap.rollback(mark);
  program.exitSelector = end.exits.size() > 1 ? TapeArg::value(end.selector) : TapeArg::integer(0);
  program.inputs = std::move(inputs);
  program.counts.ops = body->countInstrs();
  program.counts.depth = body->depth();
  program.body = std::move(body);
  return e.diags.empty();
}
