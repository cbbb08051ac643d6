//===- RowLoops.cpp - Loops that the operations of a kernel have in common ------------------===//
//
// In: a kernel. Out: whether its operations go on together, some rows at a time.
//
//===----------------------------------------------------------------------===//
#include "Merge.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

namespace {

/// The operations of a kernel, and who uses which memory.
class Uses {
public:
  explicit Uses(KernelOp kernel) : ops(kernel.getBody().front().getOps<linalg::LinalgOp>()) {
    for (linalg::LinalgOp op : ops) {
      for (auto [result, init] : llvm::zip(op->getResults(), initsOf(op)))
        memories.try_emplace(result, memoryOf(init));
      for (OpOperand &use : op->getOpOperands())
        if (isa<RankedTensorType>(use.get().getType()))
          uses[memoryOf(use.get())].push_back(&use);
    }
  }

  /// What an operation writes to: tensors that become one memory count as one.
  Value memoryOf(Value value) const {
    auto found = memories.find(value);
    return found == memories.end() ? value : found->second;
  }
  ArrayRef<OpOperand *> usesOf(Value memory) const { return uses.find(memory)->second; }

  const SmallVector<linalg::LinalgOp> ops;

private:
  /// Operands behind the inputs; getDpsInits() makes an attribute to find them.
  static OperandRange initsOf(linalg::LinalgOp op) {
    return op->getOperands().take_back(op->getNumResults());
  }

  llvm::DenseMap<Value, Value> memories; ///< of results of `ops`
  llvm::DenseMap<Value, SmallVector<OpOperand *, 2>> uses;
};

/// Looks for `numLoops` loops of the last operation in all others.
class RowLoops {
public:
  RowLoops(const Uses &uses, unsigned numLoops) : uses(uses), ops(uses.ops), numLoops(numLoops) {}

  bool areThere() {
    linalg::LinalgOp last = ops.back();
    if (last.getNumLoops() < numLoops || !readWholes() ||
        !give(last, llvm::to_vector(llvm::seq(numLoops))))
      return false;
    while (!pending.empty()) {
      linalg::LinalgOp op = pending.pop_back_val();
      for (OpOperand &operand : op->getOpOperands())
        if (isa<RankedTensorType>(operand.get().getType()) && !spread(op, operand))
          return false;
    }
    return llvm::all_of(
        ops, [&](linalg::LinalgOp op) { return loops.contains(op) && keepsRowsWhole(op); });
  }

private:
  static bool isWritten(Value value) { return value.getDefiningOp<linalg::LinalgOp>(); }

  /// Nobody reads a view of another shape, or single elements, of what is computed here.
  bool readWholes() {
    auto isView = [](Value value) {
      Operation *op = value.getDefiningOp();
      while (op && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp,
                       tensor::InsertSliceOp, tensor::CastOp>(op)) {
        value = op->getOperand(0);
        op = value.getDefiningOp();
        if (isWritten(value))
          return true;
      }
      return false;
    };
    return llvm::all_of(ops, [&](linalg::LinalgOp op) {
      bool inside = op->getRegion(0)
                        .walk([&](tensor::ExtractOp extract) {
                          Value from = extract.getTensor();
                          return isWritten(from) || isView(from) ? WalkResult::interrupt()
                                                                 : WalkResult::advance();
                        })
                        .wasInterrupted();
      return !inside && llvm::none_of(op->getOperands(), isView);
    });
  }

  bool give(linalg::LinalgOp op, ArrayRef<unsigned> walked) {
    auto [found, isNew] = loops.try_emplace(op, walked);
    if (!isNew)
      return ArrayRef(found->second) == walked;
    for (unsigned loop : walked)
      if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel)
        return false;
    pending.push_back(op);
    return true;
  }

  /// The one dimension that `loop` walks, by itself.
  static std::optional<unsigned> dimensionOf(AffineMap map, unsigned loop) {
    std::optional<unsigned> found;
    for (auto [dim, place] : llvm::enumerate(map.getResults())) {
      if (!place.isFunctionOfDim(loop))
        continue;
      if (found || !isa<AffineDimExpr>(place))
        return std::nullopt;
      found = unsigned(dim);
    }
    return found;
  }

  /// From the loops of `op` to dimensions of one operand, from there to its other users.
  bool spread(linalg::LinalgOp op, OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isComputed = isWritten(operand.get()) || op.isDpsInit(&operand);
    SmallVector<unsigned> walked;
    for (unsigned loop : loops[op]) {
      std::optional<unsigned> dim = dimensionOf(map, loop);
      if (!dim && (isComputed || map.isFunctionOfDim(loop)))
        return false;
      walked.push_back(dim.value_or(0));
    }
    if (!isComputed)
      return true;
    Value memory = uses.memoryOf(operand.get());
    auto [found, isNew] = dims.try_emplace(memory, walked);
    if (!isNew)
      return found->second == walked;
    return llvm::all_of(uses.usesOf(memory), [&](OpOperand *use) {
      return giveBy(cast<linalg::LinalgOp>(use->getOwner()), *use, walked);
    });
  }

  bool giveBy(linalg::LinalgOp op, OpOperand &use, ArrayRef<unsigned> walked) {
    SmallVector<unsigned> given;
    for (unsigned dim : walked) {
      auto loop = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(&use).getResult(dim));
      if (!loop)
        return false;
      given.push_back(loop.getPosition());
    }
    return give(op, given);
  }

  /// Whether no row cuts through consecutive elements of what has other dimensions besides.
  bool keepsRowsWhole(linalg::LinalgOp op) {
    return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      auto isWalked = [&](AffineExpr place) {
        return llvm::any_of(loops[op], [&](unsigned loop) { return place.isFunctionOfDim(loop); });
      };
      return map.getNumResults() == 0 || !isWalked(map.getResults().back()) ||
             llvm::all_of(map.getResults(), isWalked);
    });
  }

  const Uses &uses;
  ArrayRef<linalg::LinalgOp> ops;
  unsigned numLoops;
  llvm::DenseMap<Operation *, SmallVector<unsigned>> loops;
  llvm::DenseMap<Value, SmallVector<unsigned>> dims; ///< by memory: what the loops walk
  SmallVector<linalg::LinalgOp> pending;
};

} // namespace

bool ptc::plan::sharesRows(KernelOp kernel) {
  const Uses uses(kernel);
  if (uses.ops.empty())
    return false;
  for (auto numLoops = unsigned(linalg::LinalgOp(uses.ops.back()).getNumLoops()); numLoops > 0;
       --numLoops)
    if (RowLoops(uses, numLoops).areThere())
      return true;
  return false;
}
