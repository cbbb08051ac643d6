//===- Team.cpp - Kernels that threads run together ---------------------------------------===//
//
// In: a kernel's function on memrefs. Out: whether a team of threads may run it, and what it takes
// for that: numbers of threads as arguments, places where all wait for each other.
//
//===----------------------------------------------------------------------===//
#include "Team.h"

using namespace mlir;
using namespace ptc::cpu;

double ptc::cpu::operationCycles(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp>(op))
    return 8;
  return op.getName().getDialectNamespace() == "math" ? 12 : 0.5;
}

double ptc::cpu::bodyCycles(Block &body) {
  double cycles = 0;
  for (Operation &op : body.without_terminator())
    cycles += operationCycles(op);
  return cycles;
}

bool ptc::cpu::suitsTeam(func::FuncOp function, ArrayRef<memref::AllocOp> apart) {
  if (!function.getBody().hasOneBlock())
    return false;
  return llvm::all_of(function.getBody().front().without_terminator(), [&](Operation &op) {
    if (isa<linalg::LinalgOp>(op))
      return true;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      return alloc.getType().hasStaticShape() || llvm::is_contained(apart, alloc);
    return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
  });
}

TeamArguments ptc::cpu::addTeamArguments(func::FuncOp function) {
  Builder b(function.getContext());
  auto add = [&](Type type) {
    // Only a function with a body in several pieces can refuse.
    LogicalResult done =
        function.insertArgument(function.getNumArguments(), type, {}, function.getLoc());
    assert(succeeded(done));
    (void)done;
  };
  function->setAttr(kTeamAttr, b.getUnitAttr());
  for (Type type : {Type(b.getI32Type()), Type(b.getI32Type()),
                    Type(LLVM::LLVMPointerType::get(b.getContext()))})
    add(type);
  return teamArgumentsOf(function);
}

TeamArguments ptc::cpu::teamArgumentsOf(func::FuncOp function) {
  auto last = function.getArguments().take_back(3);
  return {last[0], last[1], last[2]};
}

void ptc::cpu::emitBarrier(LoopBuilder &l, const TeamArguments &team) {
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(l.b.getContext()),
                                          {l.b.getI32Type(), l.b.getI32Type()});
  LLVM::CallOp::create(l.b, type, ValueRange{team.barrier, team.thread, team.num});
}
