//===- ElementOrigins.cpp - Which tensors may be one element --------------------------------===//
//
// In: a tape. Out: for two of its tensors whether they may be one, by what is put into lists of the
// run anywhere. A value that an operation computes is its own origin.
//
//===----------------------------------------------------------------------===//
#include "ElementOrigins.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;

ElementOrigins::ElementOrigins(const TapeBlock &block) {
  for (const TapeBlock *around = &block; around; around = around->parent) {
    open.insert(around->args.begin(), around->args.end());
    addBlock(*around);
  }
}

void ElementOrigins::addBlock(const TapeBlock &block) {
  for (const TapeInstr &instr : block.instrs) {
    addInstr(instr);
    for (const auto &region : instr.regions)
      addBlock(*region);
  }
}

void ElementOrigins::addEdge(ValueId to, const TapeArg &arg) {
  if (arg.isValue() && arg.id()) // 0: undefined on this way
    from[to].push_back(arg.id());
}

void ElementOrigins::addInstr(const TapeInstr &instr) {
  switch (instr.op) {
  case TapeOp::Switch:
    for (const auto &region : instr.regions)
      for (auto [result, yield] : llvm::zip(instr.results, region->yields))
        addEdge(result, yield);
    return;
  case TapeOp::Loop: {
    const TapeBlock &body = *instr.regions.front();
    const size_t carried = body.args.size();
    for (size_t i = 0; i < carried; ++i) {
      addEdge(body.args[i], instr.args[i]);
      addEdge(body.args[i], body.yields[1 + i]);
    }
    for (size_t i = 1; i < instr.results.size(); ++i)
      addEdge(instr.results[i], body.yields[carried + i]);
    return;
  }
  case TapeOp::Pick:
    for (const TapeArg &alternative : llvm::ArrayRef(instr.args).drop_front())
      addEdge(instr.results[0], alternative);
    return;
  case TapeOp::ListNew:
    from.try_emplace(instr.results[0]); // of nothing
    return;
  case TapeOp::ListPush:
  case TapeOp::ListSet:
    addEdge(instr.results[0], instr.args.back());
    [[fallthrough]];
  case TapeOp::ListGet:
    taken.insert(instr.results[0]);
    addEdge(instr.results[0], instr.args[0]);
    return;
  case TapeOp::AtenView:
  case TapeOp::ListDrop:
  case TapeOp::Retype:
  case TapeOp::Scatter:
    addEdge(instr.results[0], instr.args[0]);
    return;
  default:
    return;
  }
}

ElementOrigins::Origins ElementOrigins::originsOf(ValueId id) const {
  llvm::DenseSet<ValueId> seen;
  Origins origins;
  llvm::SmallVector<ValueId> pending{id};
  while (!pending.empty()) {
    const ValueId next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    origins.areOpen |= open.contains(next);
    origins.areTaken |= taken.contains(next);
    auto found = from.find(next);
    if (found == from.end())
      origins.values.insert(next);
    else
      pending.append(found->second.begin(), found->second.end());
  }
  return origins;
}

bool ElementOrigins::Origins::mayBe(const Origins &other) const {
  return areOpen || other.areOpen ||
         llvm::any_of(values, [&](ValueId id) { return other.values.contains(id); });
}

bool ElementOrigins::mayMeet(ValueId a, ValueId b) const {
  const Origins ofA = originsOf(a), ofB = originsOf(b);
  return (ofA.areTaken || ofB.areTaken) && ofA.mayBe(ofB);
}

bool ElementOrigins::mayHold(ValueId list, ValueId tensor) const {
  return originsOf(list).mayBe(originsOf(tensor));
}
