//===- Emitters.cpp - Vector code for nests ------------------------------------------------===//
//
// In: a kernel's function on memrefs. Out: the same, with every linalg operation that some emitter
// takes replaced by its code.
//
//===----------------------------------------------------------------------===//
#include "Emitters.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace ptc::cpu;

/// Named operations as loops with a body.
static linalg::GenericOp asGeneric(linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(*op))
    return generic;
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
  return generic.value_or(linalg::GenericOp());
}

void ptc::cpu::emitKernels(func::FuncOp function, const Isa &isa) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    linalg::GenericOp generic = asGeneric(op);
    if (!generic)
      continue;
    LoopBuilder l(generic);
    std::optional<Nest> nest = readNest(l, generic);
    if (!nest)
      continue;
    mergeLoops(l, *nest);
    if (emitContraction(l, *nest, isa) || emitVectorLoops(l, std::move(*nest), isa))
      generic.erase();
  }
}
