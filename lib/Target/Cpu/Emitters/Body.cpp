//===- Body.cpp - The body of a nest on vectors --------------------------------------------===//
//
// In: the scalar body of a linalg operation. Out: the same operations on vectors; how partial
// results of a reduction are combined.
//
//===----------------------------------------------------------------------===//
#include "Body.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc::cpu;

/// Lanes that a mask switches off compute on zeros: what traps there stays scalar.
static bool mayTrap(Operation &op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

bool ptc::cpu::isElementwise(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    if (mayTrap(op))
      return false;
    return isa<arith::ConstantOp, linalg::IndexOp>(op) ||
           (OpTrait::hasElementwiseMappableTraits(&op) && op.getNumResults() == 1);
  });
}

int64_t ptc::cpu::widestBits(const Nest &nest) {
  int64_t widest = 8;
  auto see = [&](Type type) {
    if (type.isIntOrFloat())
      widest = std::max<int64_t>(widest, type.getIntOrFloatBitWidth());
    else
      widest = 64;
  };
  for (BlockArgument arg : nest.body->getArguments())
    see(arg.getType());
  for (Operation &op : nest.body->without_terminator())
    if (!isa<arith::ConstantOp>(op))
      see(op.getResult(0).getType());
  return widest;
}

void ptc::cpu::cloneOnLanes(LoopBuilder &l, ArrayRef<Operation *> ops, IRMapping &mapping,
                            int64_t lanes) {
  for (Operation *op : ops) {
    if (mapping.contains(op->getResult(0)))
      continue; // given, as indices are
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(mapping.lookupOrDefault(operand));
    bool isVector = llvm::any_of(operands, [](Value v) { return isa<VectorType>(v.getType()); });
    Operation *clone = op->clone();
    if (isVector) {
      int64_t width = lanes;
      for (Value operand : operands)
        if (auto type = dyn_cast<VectorType>(operand.getType()))
          width = type.getDimSize(0);
      for (Value &operand : operands)
        if (!isa<VectorType>(operand.getType()))
          operand = broadcast(l, operand, width);
      clone->getResult(0).setType(VectorType::get({width}, op->getResult(0).getType()));
    }
    clone->setOperands(operands);
    l.b.insert(clone);
    mapping.map(op->getResult(0), clone->getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static Value cloneCombiner(LoopBuilder &l, const Combiner &c, Value x, Value y) {
  IRMapping mapping;
  mapping.map(c.accumulator, x);
  mapping.map(c.element, y);
  cloneOnLanes(l, c.ops, mapping, 1);
  return mapping.lookup(c.result);
}

Value Combiner::combine(LoopBuilder &l, Value x, Value y) const {
  return cloneCombiner(l, *this, x, y);
}

Value Combiner::neutral(LoopBuilder &l, Value start) const {
  Type type = accumulator.getType();
  if (startsAtZero)
    return arith::ConstantOp::create(l.b, l.b.getZeroAttr(type));
  if (startsAtOne)
    return arith::ConstantOp::create(l.b, l.b.getOneAttr(type));
  return start;
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

std::optional<Combiner> ptc::cpu::findCombiner(const Nest &nest) {
  if (nest.outputs.size() != 1)
    return std::nullopt;
  Combiner c;
  c.accumulator = nest.body->getArgument(unsigned(nest.inputs.size()));
  c.result = nest.body->getTerminator()->getOperand(0);
  Operation *last = c.result.getDefiningOp();
  if (!last || last->getBlock() != nest.body)
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
