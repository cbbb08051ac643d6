//===- Body.cpp - The body of a nest on vectors --------------------------------------------===//
//
// In: the scalar body of a linalg operation. Out: the same operations on vectors; how partial
// results of a reduction are combined.
//
//===----------------------------------------------------------------------===//
#include "Body.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc::cpu;

/// Lanes that a mask switches off compute on zeros: what traps there stays scalar.
static bool mayTrap(Operation &op) {
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return getConstantIntValue(op.getOperand(1)).value_or(0) == 0;
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp>(op);
}

bool ptc::cpu::isElementwise(Block &body, bool mayPick) {
  return llvm::all_of(body.without_terminator(), [&](Operation &op) {
    if (mayTrap(op))
      return false;
    return isa<arith::ConstantOp, linalg::IndexOp>(op) || (mayPick && isa<memref::LoadOp>(op)) ||
           (OpTrait::hasElementwiseMappableTraits(&op) && op.getNumResults() == 1);
  });
}

namespace {
/// Whether `v`, of the body, is another one in each turn of the loop `row`.
class AlongRow {
public:
  AlongRow(const Nest &nest, size_t row) : nest(nest), row(row) {}

  bool differs(Value v) {
    auto [known, fresh] = answers.try_emplace(v, false);
    if (!fresh)
      return known->second;
    bool answer = decide(v);
    answers[v] = answer;
    return answer;
  }

private:
  bool decide(Value v) {
    if (auto arg = dyn_cast<BlockArgument>(v); arg && arg.getOwner() == nest.body) {
      size_t number = arg.getArgNumber(), inputs = nest.inputs.size();
      return number >= inputs || !nest.inputs[number].hasStride(row, 0);
    }
    Operation *op = v.getDefiningOp();
    if (!op || op->getBlock() != nest.body)
      return false;
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      return index.getDim() == row;
    return llvm::any_of(op->getOperands(), [&](Value from) { return differs(from); });
  }

  const Nest &nest;
  size_t row;
  llvm::DenseMap<Value, bool> answers;
};
} // namespace

bool ptc::cpu::picksAlong(const Nest &nest, size_t row) {
  AlongRow along(nest, row);
  return llvm::all_of(nest.body->getOps<memref::LoadOp>(), [&](memref::LoadOp load) {
    if (load.getIndices().empty())
      return true;
    auto last = load.getIndices().back().getDefiningOp<linalg::IndexOp>();
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    bool isEven = succeeded(load.getMemRefType().getStridesAndOffset(strides, offset)) &&
                  !ShapedType::isDynamic(strides.back());
    return last && last.getDim() == row && isEven &&
           llvm::none_of(load.getIndices().drop_back(),
                         [&](Value place) { return along.differs(place); });
  });
}

int64_t ptc::cpu::widestBits(const Nest &nest, std::optional<size_t> row) {
  int64_t widest = 8;
  AlongRow along(nest, row.value_or(0));
  auto see = [&](Value v) {
    if (row && !along.differs(v))
      return;
    Type type = v.getType();
    widest = std::max<int64_t>(widest, type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64);
  };
  llvm::for_each(nest.body->getArguments(), see);
  for (Operation &op : nest.body->without_terminator()) {
    bool isPlace = isa<linalg::IndexOp>(op) && llvm::all_of(op.getUsers(), [](Operation *user) {
                     return isa<memref::LoadOp>(user);
                   });
    if (!isa<arith::ConstantOp>(op) && !isPlace)
      see(op.getResult(0));
  }
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

Value ptc::cpu::combine(LoopBuilder &l, const Combiner &c, Value x, Value y) {
  IRMapping mapping;
  mapping.map(c.accumulator, x);
  mapping.map(c.element, y);
  cloneOnLanes(l, c.ops, mapping, 1);
  return mapping.lookup(c.result);
}

Value ptc::cpu::neutralOf(LoopBuilder &l, const Combiner &c, Value start) {
  TypedAttr neutral = c.neutral();
  return neutral ? arith::ConstantOp::create(l.b, neutral) : start;
}
