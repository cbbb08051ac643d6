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

/// Looks for `numLoops` loops of the last operation in all others.
class RowLoops {
public:
  RowLoops(ArrayRef<linalg::LinalgOp> ops, unsigned numLoops) : ops(ops), numLoops(numLoops) {}

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
  /// What an operation writes to: tensors that become one memory count as one.
  static Value memoryOf(Value value) {
    while (auto op = value.getDefiningOp<linalg::LinalgOp>())
      value = op.getDpsInitOperand(cast<OpResult>(value).getResultNumber())->get();
    return value;
  }

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
    Value memory = memoryOf(operand.get());
    auto [found, isNew] = dims.try_emplace(memory, walked);
    if (!isNew)
      return found->second == walked;
    for (linalg::LinalgOp other : ops)
      for (OpOperand &use : other->getOpOperands())
        if (isa<RankedTensorType>(use.get().getType()) && memoryOf(use.get()) == memory &&
            !giveBy(other, use, walked))
          return false;
    return true;
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

  ArrayRef<linalg::LinalgOp> ops;
  unsigned numLoops;
  llvm::DenseMap<Operation *, SmallVector<unsigned>> loops;
  llvm::DenseMap<Value, SmallVector<unsigned>> dims; ///< by memory: what the loops walk
  SmallVector<linalg::LinalgOp> pending;
};

} // namespace

bool ptc::plan::sharesRows(KernelOp kernel) {
  SmallVector<linalg::LinalgOp> ops(kernel.getBody().front().getOps<linalg::LinalgOp>());
  if (ops.empty())
    return false;
  for (auto numLoops = unsigned(ops.back().getNumLoops()); numLoops > 0; --numLoops)
    if (RowLoops(ops, numLoops).areThere())
      return true;
  return false;
}
