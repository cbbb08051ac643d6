//===- Combiner.cpp - What a reduction does to its accumulator -------------------------------===//
//
// In: the body of a linalg operation. Out: which part of it combines two accumulators as well, and
// what changes nothing.
//
//===----------------------------------------------------------------------===//
#include "ptc/Target/Cpu/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ptc;

TypedAttr Combiner::neutral() const {
  Type type = accumulator.getType();
  Builder b(type.getContext());
  return startsAtZero ? b.getZeroAttr(type) : startsAtOne ? b.getOneAttr(type) : TypedAttr();
}

/// The operations between accumulator and element on one side and the result on the other, if
/// nothing else than constants goes in.
static bool collectOps(Combiner &c, Value at, llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (at == c.accumulator || at == c.element)
    return true;
  Operation *op = at.getDefiningOp();
  if (!op || isa<linalg::IndexOp>(op))
    return false;
  if (!seen.insert(op).second)
    return true;
  for (Value operand : op->getOperands())
    if (!collectOps(c, operand, seen))
      return false;
  c.ops.push_back(op);
  return true;
}

/// What stands beside the accumulator in an operation or a choice of two.
static Value otherOf(Operation *op, Value accumulator) {
  unsigned first = isa<arith::SelectOp>(op) ? 1 : 0;
  if (op->getNumOperands() != first + 2)
    return {};
  Value x = op->getOperand(first), y = op->getOperand(first + 1);
  if (x == accumulator)
    return y;
  return y == accumulator ? x : Value();
}

std::optional<Combiner> ptc::findCombiner(Block &body) {
  if (body.getTerminator()->getNumOperands() != 1)
    return std::nullopt;
  Combiner c;
  c.accumulator = body.getArguments().back();
  c.result = body.getTerminator()->getOperand(0);
  Operation *last = c.result.getDefiningOp();
  if (!last || last->getBlock() != &body)
    return std::nullopt;
  c.startsAtZero = isa<arith::AddFOp, arith::AddIOp>(last);
  c.startsAtOne = isa<arith::MulFOp, arith::MulIOp>(last);
  bool isIdempotent =
      isa<arith::SelectOp, arith::AndIOp, arith::OrIOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(last);
  if (!c.startsAtZero && !c.startsAtOne && !isIdempotent)
    return std::nullopt;
  c.element = otherOf(last, c.accumulator);
  if (!c.element || c.element == c.accumulator)
    return std::nullopt;
  llvm::SmallPtrSet<Operation *, 8> seen;
  if (!collectOps(c, c.result, seen))
    return std::nullopt;
  return c;
}
