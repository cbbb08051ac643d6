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
