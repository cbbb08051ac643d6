//===- HoistInvariants.cpp - program-hoist-invariants ---------------------------------------===//
//
// In: loops. Out: what each iteration would compute anew, `torch.sigmoid(self.a)` say, in front of
// them. Nobody knows whether a loop runs at all, so what moves can neither raise nor depend on what
// only iterations establish: tensors of known sizes, computed from what is there in any case.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/Transforms/Passes.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ptc::program {
#define GEN_PASS_DEF_PROGRAMHOISTINVARIANTS
#include "ptc/Dialect/Program/Transforms/Passes.h.inc"
} // namespace ptc::program

using namespace mlir;
using namespace ptc;

static bool hasKnownSizes(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return !type || type.hasStaticShape();
}

/// Has it a value in front of the loop, and never an undefined one? What branches and loops give
/// may be undefined, and so may what passes that on.
static bool isThere(Value v, scf::WhileOp loop) {
  if (loop->isAncestor(v.getParentRegion()->getParentOp()))
    return false;
  Operation *op = v.getDefiningOp();
  if (!op)
    return v.getParentRegion()->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>();
  return op->getNumRegions() == 0 && !op->hasTrait<program::Lenient>();
}

static bool isInvariant(Operation &op, scf::WhileOp loop) {
  return isa<aten::AtenOp>(op) && isMemoryEffectFree(&op) &&
         llvm::all_of(op.getResults(), hasKnownSizes) &&
         llvm::all_of(op.getOperands(),
                      [&](Value v) { return hasKnownSizes(v) && isThere(v, loop); });
}

namespace {
struct HoistPass : ptc::program::impl::ProgramHoistInvariantsBase<HoistPass> {
  void runOnOperation() override {
    // The inner loops first: what leaves one may leave the next.
    getOperation().walk([](scf::WhileOp loop) {
      for (Region *region : {&loop.getBefore(), &loop.getAfter()})
        for (Operation &op : llvm::make_early_inc_range(region->front()))
          if (isInvariant(op, loop))
            op.moveBefore(loop);
    });
  }
};
} // namespace
