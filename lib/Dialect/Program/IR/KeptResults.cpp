//===- KeptResults.cpp - Results that are state of the program --------------------------===//
//
// In: an end. Out: the leaves of its result that show storages which are marked as state.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/IR/KeptResults.h"

using namespace mlir;
using namespace ptc;

static bool isKept(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto view = dyn_cast_or_null<program::ViewOp>(op))
    return isKept(view.getBase());
  if (auto retype = dyn_cast_or_null<program::RetypeOp>(op))
    return isKept(retype.getValue());
  return isa_and_nonnull<program::PlaceOp>(op) && op->hasAttr(program::kKeptAttr);
}

llvm::SmallVector<uint32_t> program::keptLeaves(EndOp end) {
  llvm::SmallVector<uint32_t> leaves;
  for (auto [i, leaf] : llvm::enumerate(end.getLeaves()))
    if (isKept(leaf))
      leaves.push_back(uint32_t(i));
  return leaves;
}
