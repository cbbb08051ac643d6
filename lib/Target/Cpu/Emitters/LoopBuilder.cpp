//===- LoopBuilder.cpp - Loops and index arithmetic that folds -----------------------------===//
//
// In: sizes as values. Out: arith and scf operations; nothing for what constants decide.
//
//===----------------------------------------------------------------------===//
#include "LoopBuilder.h"

using namespace mlir;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

Value LoopBuilder::add(Value x, Value y) {
  if (isConstant(x, 0))
    return y;
  return b.createOrFold<arith::AddIOp>(x, y);
}

Value LoopBuilder::mul(Value x, Value y) {
  if (isConstant(x, 1) || isConstant(y, 0))
    return y;
  if (isConstant(x, 0))
    return x;
  return b.createOrFold<arith::MulIOp>(x, y);
}

Value LoopBuilder::product(ValueRange values) {
  Value product = index(1);
  for (Value value : values)
    product = mul(product, value);
  return product;
}

Values LoopBuilder::loop(Value lo, Value hi, Value step, ValueRange init, Body body) {
  std::optional<int64_t> first = constantOf(lo), end = constantOf(hi), by = constantOf(step);
  if (first && end && *first >= *end)
    return Values(init);
  if (first && end && by && *end - *first <= *by)
    return body(lo, init);
  auto loop = scf::ForOp::create(b, lo, hi, step, init);
  OpBuilder::InsertionGuard guard(b);
  if (init.empty()) {
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar(), {});
    return {};
  }
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return Values(loop.getResults());
}

void LoopBuilder::loop(Value lo, Value hi, Value step, llvm::function_ref<void(Value)> body) {
  loop(lo, hi, step, {}, [&](Value i, ValueRange) -> Values {
    body(i);
    return {};
  });
}

Values LoopBuilder::nestFrom(ValueRange sizes, Values &indices, ValueRange init, NestBody body) {
  if (indices.size() == sizes.size())
    return body(indices, init);
  return loop(index(0), sizes[indices.size()], index(1), init, [&](Value i, ValueRange carried) {
    indices.push_back(i);
    Values result = nestFrom(sizes, indices, carried, body);
    indices.pop_back();
    return result;
  });
}

Values LoopBuilder::nest(ValueRange sizes, ValueRange init, NestBody body) {
  Values indices;
  return nestFrom(sizes, indices, init, body);
}

Values LoopBuilder::unrolled(ValueRange lo, ValueRange hi, int64_t most, ValueRange init,
                             NestBody body) {
  size_t written = lo.size(); // loops from here on are
  for (int64_t turns = 1; written > 0; --written) {
    auto first = constantOf(lo[written - 1]), end = constantOf(hi[written - 1]);
    turns *= first && end ? std::max<int64_t>(*end - *first, 0) : most + 1;
    if (turns > most)
      break;
  }
  Values indices;
  auto from = [&](ValueRange carried, auto &self) -> Values {
    size_t d = indices.size();
    if (d == lo.size())
      return body(indices, carried);
    auto turn = [&](Value i, ValueRange in) {
      indices.push_back(i);
      Values out = self(in, self);
      indices.pop_back();
      return out;
    };
    if (d < written)
      return loop(lo[d], hi[d], index(1), carried, turn);
    Values values(carried);
    for (int64_t i = *constantOf(lo[d]), end = *constantOf(hi[d]); i < end; ++i)
      values = turn(index(i), values);
    return values;
  };
  return from(init, from);
}

void LoopBuilder::when(Value condition, llvm::function_ref<void()> then,
                       llvm::function_ref<void()> otherwise) {
  if (std::optional<int64_t> known = constantOf(condition)) {
    if (*known)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  auto branch = scf::IfOp::create(b, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  then();
  if (otherwise) {
    b.setInsertionPointToStart(branch.elseBlock());
    otherwise();
  }
}

Values LoopBuilder::choose(Value condition, llvm::function_ref<Values()> then,
                           llvm::function_ref<Values()> otherwise) {
  if (std::optional<int64_t> known = constantOf(condition))
    return *known ? then() : otherwise();
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  auto fill = [&](Block &block, llvm::function_ref<Values()> values) {
    b.setInsertionPointToStart(&block);
    Values result = values();
    scf::YieldOp::create(b, result);
    return llvm::to_vector(ValueRange(result).getTypes());
  };
  // The types are those of what the first branch gives.
  Region thenRegion, elseRegion;
  SmallVector<Type> types = fill(thenRegion.emplaceBlock(), then);
  fill(elseRegion.emplaceBlock(), otherwise);
  b.restoreInsertionPoint(here);
  auto branch = scf::IfOp::create(b, types, condition, /*addThenBlock=*/false,
                                  /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(thenRegion);
  branch.getElseRegion().takeBody(elseRegion);
  return Values(branch.getResults());
}

void LoopBuilder::dispatch(Value x, int64_t most, llvm::function_ref<void(int64_t)> body) {
  if (std::optional<int64_t> known = constantOf(x))
    return body(*known);
  SmallVector<int64_t> cases = llvm::to_vector(llvm::seq_inclusive<int64_t>(1, most));
  auto choice = scf::IndexSwitchOp::create(b, TypeRange(), x, cases, unsigned(cases.size()));
  OpBuilder::InsertionGuard guard(b);
  for (auto [i, value] : llvm::enumerate(cases)) {
    b.setInsertionPointToStart(&choice.getCaseRegions()[unsigned(i)].emplaceBlock());
    body(value);
    scf::YieldOp::create(b);
  }
  b.setInsertionPointToStart(&choice.getDefaultRegion().emplaceBlock());
  scf::YieldOp::create(b);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

void LoopBuilder::together(llvm::function_ref<void()> body) {
  if (!team)
    return body();
  bool around = std::exchange(isTogether, true);
  isShared = false;
  // Emitted as if for the first thread alone; moved out once something is shared.
  Value isFirst = compare(arith::CmpIPredicate::eq, team->thread, index(0));
  auto alone = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertPoint behind = b.saveInsertionPoint();
  b.setInsertionPoint(alone.thenYield());
  body();
  if (isShared) {
    for (Operation &op : llvm::make_early_inc_range(alone.thenBlock()->without_terminator()))
      op.moveBefore(alone);
    alone.erase();
  }
  b.restoreInsertionPoint(behind);
  isTogether = around;
  isShared = true; // what is around is for all threads now
}

void LoopBuilder::share(bool wanted, Value lo, Value hi, Value step,
                        llvm::function_ref<void(Value)> body, llvm::function_ref<void()> more) {
  auto all = [&] {
    loop(lo, hi, step, body);
    if (more)
      more();
  };
  if (!wanted || !team || !isTogether)
    return all();
  auto [thread, num] = *team;
  isShared = true;
  Value steps = div(add(sub(hi, lo), sub(step, index(1))), step);
  if (constantOf(steps).value_or(2) < 2)
    return when(compare(arith::CmpIPredicate::eq, thread, index(0)), all);
  Value first = div(mul(steps, thread), num);
  Value last = div(mul(steps, add(thread, index(1))), num);
  loop(add(lo, mul(first, step)), min(hi, add(lo, mul(last, step))), step, body);
  if (more)
    when(compare(arith::CmpIPredicate::eq, add(thread, index(1)), num), more);
}

void LoopBuilder::sharedNest(ValueRange sizes, size_t which,
                             llvm::function_ref<void(ValueRange)> body) {
  Values indices;
  auto from = [&](auto &self) -> void {
    size_t d = indices.size();
    if (d == sizes.size())
      return body(indices);
    auto turn = [&](Value i) {
      indices.push_back(i);
      self(self);
      indices.pop_back();
    };
    share(d == which, index(0), sizes[d], index(1), turn);
  };
  from(from);
}
