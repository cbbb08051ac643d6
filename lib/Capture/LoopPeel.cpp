//===- LoopPeel.cpp - The first turn of a loop, in front of it -------------------------------===//
//
// In: the first iteration of a loop that is closed, as a side. Out: whether a tensor that it
// carries has another form before that iteration and the same ever after: its elements lie
// otherwise, as those of `h = x.t() * 1` in front of `h = torch.softmax(h, -1)`, or it needs no
// gradient yet, as `h = torch.zeros(n)` in front of `h = cell(x, h)`. In front of the loop the
// iteration leaves each form known; inside, every operation would ask for strides that the loop
// carries, or would be recorded once for each form.
//
//===----------------------------------------------------------------------===//
#include "Executor.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

/// Tensors of equal type and sizes whose elements lie in another order, or of which one needs a
/// gradient.
static bool hasOtherForm(const Value &was, const Value &now) {
  if (!was.is(Kind::Tensor) || !now.is(Kind::Tensor))
    return false;
  const TensorNode &a = asTensor(was), &b = asTensor(now);
  return a.dtype == b.dtype && a.device == b.device && a.sizes == b.sizes &&
         (a.strides != b.strides || a.requiresGrad != b.requiresGrad);
}

bool Executor::changesForm(const Delta &turn) const {
  return llvm::any_of(turn, [&](const auto &entry) {
    const auto &[slot, now] = entry;
    return e.heap.exists(slot.object) && hasOtherForm(e.heap.get(slot), now);
  });
}

bool Executor::firstTurnStandsApart(const ExitKey &key, const Side &first) {
  auto backOf = [&](const End &end) -> const Exit * {
    if (end.status != End::Status::Exits ||
        llvm::count_if(end.exits, [&](const Exit &exit) { return exit.key == key; }) != 1)
      return nullptr;
    return &*llvm::find_if(end.exits, [&](const Exit &exit) { return exit.key == key; });
  };
  const Exit *back = backOf(first.end);
  if (!back || !changesForm(back->delta))
    return false;
  // One turn more, to be thrown away: what has another form behind it would have so in each.
  Stops stops = stopsHere();
  stops.loop = {key.frame, key.ip, key.stack};
  stops.keys.push_back(stops.loop);
  size_t diags = e.diags.size();
  TapeBlock *outer = std::exchange(e.block, first.block.get());
  Side second = side(1, stops, [&] { enter(*back); }, Start::Restart, {});
  e.block = outer;
  e.diags.erase(e.diags.begin() + ptrdiff_t(diags), e.diags.end());
  const Exit *again = backOf(second.end);
  return again && llvm::none_of(again->delta, [&](const auto &entry) {
           auto was = back->delta.find(entry.first);
           return was != back->delta.end() && hasOtherForm(was->second, entry.second);
         });
}

End Executor::goOnBehindFirstTurn(Side first) {
  for (TapeInstr &instr : first.block->instrs) {
    for (auto &region : instr.regions)
      region->parent = e.block;
    e.block->instrs.push_back(std::move(instr));
  }
  return resume(std::move(first.end), stopsHere());
}
