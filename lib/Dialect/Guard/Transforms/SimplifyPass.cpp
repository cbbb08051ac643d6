//===- SimplifyPass.cpp - guard-simplify --------------------------------------------===//
//
// In: a guard.set. Out: an equivalent one without implied guards, or an error if no call satisfies
// it.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Guard/IR/GuardConvert.h"
#include "ptc/Dialect/Guard/Transforms/Passes.h"
#include "ptc/Dialect/Guard/Transforms/Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace ptc::guard {
#define GEN_PASS_DEF_GUARDSIMPLIFY
#include "ptc/Dialect/Guard/Transforms/Passes.h.inc"
} // namespace ptc::guard

using namespace ptc;
using namespace ptc::guard;

namespace {

struct GuardSimplifyPass : ptc::guard::impl::GuardSimplifyBase<GuardSimplifyPass> {
  void runOnOperation() override {
    SetOp set = getOperation();
    sym::ObservableSpace space;
    mlir::FailureOr<sym::GuardSet> guards = readGuards(set, space);
    if (mlir::failed(guards))
      return signalPassFailure();
    Simplified simplified =
        simplify(space, *guards); // NOLINT(bugprone-unchecked-optional-access): failed() tests it
    if (simplified.contradictory) {
      set.emitOpError("holds guards that contradict each other");
      return signalPassFailure();
    }
    mlir::OpBuilder builder(set);
    SetOp fresh = emitGuards(builder, set.getLoc(), set.getVariant(), space, simplified.guards);
    // The pass may not erase the operation it runs on: only the body is exchanged.
    set.getBody().takeBody(fresh.getBody());
    fresh.erase();
  }
};

} // namespace
