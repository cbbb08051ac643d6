//===- Team.cpp - Kernels that threads run together ---------------------------------------===//
//
// In: a kernel's function on memrefs. Out: whether a team of threads may run it, and what it takes
// for that: numbers of threads as arguments, places where all wait for each other.
//
//===----------------------------------------------------------------------===//
#include "Team.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc::cpu;

/// What one operation of a body costs, per vector.
static double cyclesOf(Operation &op) {
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp>(op))
    return 8;
  return op.getName().getDialectNamespace() == "math" ? 12 : 0.5;
}

double ptc::cpu::cyclesOf(linalg::GenericOp op, const Isa &isa) {
  constexpr int64_t kTypical = 64;
  double turns = 1, each = 0;
  for (int64_t size : op.getStaticLoopRanges())
    turns *= double(ShapedType::isDynamic(size) ? kTypical : size);
  for (Operation &part : op.getBody()->without_terminator())
    each += ::cyclesOf(part);
  unsigned bits = 8;
  for (Type type : op.getBody()->getArgumentTypes())
    if (type.isIntOrFloat())
      bits = std::max(bits, type.getIntOrFloatBitWidth());
  return turns * std::max(each, 0.5) / double(isa.lanes(bits));
}

bool ptc::cpu::suitsTeam(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return false;
  return llvm::all_of(function.getBody().front().without_terminator(), [](Operation &op) {
    if (isa<linalg::LinalgOp>(op))
      return true;
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      return alloc.getType().hasStaticShape();
    return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
  });
}

TeamArguments ptc::cpu::addTeamArguments(func::FuncOp function) {
  Builder b(function.getContext());
  auto add = [&](Type type) -> Value {
    unsigned at = function.getNumArguments();
    // Only a function with a body in several pieces can refuse.
    LogicalResult done = function.insertArgument(at, type, {}, function.getLoc());
    assert(succeeded(done));
    (void)done;
    return function.getArgument(at);
  };
  function->setAttr(kTeamAttr, b.getUnitAttr());
  Value thread = add(b.getI32Type()), num = add(b.getI32Type());
  return {thread, num, add(LLVM::LLVMPointerType::get(b.getContext()))};
}

void ptc::cpu::emitBarrier(LoopBuilder &l, const TeamArguments &team) {
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(l.b.getContext()),
                                          {l.b.getI32Type(), l.b.getI32Type()});
  LLVM::CallOp::create(l.b, type, ValueRange{team.barrier, team.thread, team.num});
}
