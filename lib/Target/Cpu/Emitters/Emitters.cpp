//===- Emitters.cpp - Vector code for nests ------------------------------------------------===//
//
// In: a kernel's function on memrefs. Out: the same, with every linalg operation that some emitter
// takes replaced by its code.
//
//===----------------------------------------------------------------------===//
#include "Emitters.h"
#include "Team.h"

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

namespace {
/// Operations of one function, in order.
class FunctionEmitter {
public:
  FunctionEmitter(func::FuncOp function, const Isa &isa, double teamCycles)
      : function(function), isa(isa), teamCycles(teamCycles) {}

  void run() {
    SmallVector<linalg::LinalgOp> ops;
    function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    double cycles = 0;
    for (linalg::LinalgOp op : ops)
      if (linalg::GenericOp generic = asGeneric(op)) {
        generics.push_back(generic);
        cycles += cyclesOf(generic, isa);
      }
    keepWeightsReadOnce();
    function->setAttr(kCyclesAttr, Builder(function.getContext()).getF64FloatAttr(cycles));
    if (cycles >= teamCycles && generics.size() == ops.size() && suitsTeam(function))
      team = addTeamArguments(function);
    for (auto [i, generic] : llvm::enumerate(generics))
      emit(generic, i + 1 == generics.size());
  }

private:
  /// A weight is packed for one operation: one that several read stays as it is.
  void keepWeightsReadOnce() {
    llvm::DenseMap<Value, unsigned> readers;
    for (linalg::GenericOp generic : generics)
      for (Value operand : generic->getOperands())
        if (BlockArgument memory = memoryOf(operand))
          ++readers[memory];
    for (BlockArgument arg : function.getArguments())
      if (readers.lookup(arg) != 1)
        function.removeArgAttr(arg.getArgNumber(), kWeightAttr);
  }

  void emit(linalg::GenericOp generic, bool isLast) {
    LoopBuilder l(generic->getNextNode());
    if (team) {
      auto number = [&](Value v) -> Value {
        return arith::IndexCastUIOp::create(l.b, l.b.getIndexType(), v);
      };
      l.team = {number(team->thread), number(team->num)};
    }
    bool isEmitted = false;
    l.together([&] {
      std::optional<Nest> nest = readNest(l, generic);
      if (nest)
        mergeLoops(l, *nest);
      isEmitted = nest && (emitContraction(l, *nest, isa) || emitVectorLoops(l, *nest, isa));
      if (!isEmitted && team)
        generic->moveBefore(l.b.getInsertionBlock(), l.b.getInsertionPoint());
    });
    if (team && !isLast)
      emitBarrier(l, *team);
    if (isEmitted)
      generic.erase();
  }

  func::FuncOp function;
  const Isa &isa;
  double teamCycles;
  SmallVector<linalg::GenericOp> generics;
  std::optional<TeamArguments> team;
};
} // namespace

void ptc::cpu::emitKernels(func::FuncOp function, const Isa &isa, double teamCycles) {
  FunctionEmitter(function, isa, teamCycles).run();
}
