//===- InReaders.cpp - Few numbers are computed where they are read --------------------------===//
//
// In: nests that compute few numbers each, such as the scale of each channel, for one nest that
// reads them again and again. Out: readers that compute them each time, where that takes less time
// than a kernel of its own.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// So many numbers are few.
static constexpr int64_t kFew = 1 << 13;
/// Instructions of one lane that an H200 does in a second, about.
static constexpr double kInstructions = 28e12;

/// Instructions, about: what is no addition or product takes as many as a division does.
static double instructionsOf(linalg::GenericOp op) {
  double count = 0;
  for (Operation &inner : op.getBody()->without_terminator())
    count += isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::ExtFOp, arith::TruncFOp>(inner)
                 ? 1
                 : 20;
  return count;
}

/// The only nest that reads what `op` computes, by one of its inputs; null: it is not so.
static OpOperand *findReader(linalg::GenericOp op) {
  Value memory = op.getDpsInits().front();
  OpOperand *read = nullptr;
  for (OpOperand &use : memory.getUses()) {
    if (use.getOwner() == op)
      continue;
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (read || !reader || !reader.isDpsInput(&use) || reader->getBlock() != op->getBlock())
      return nullptr;
    read = &use;
  }
  return read;
}

/// Whether what `op` reads is the same while `reader` runs: that one, and those in between, write
/// other memory of the kernel.
static bool staysSame(linalg::GenericOp op, linalg::GenericOp reader) {
  auto isRead = [&](Value out) {
    Value written = rootOf(out);
    return llvm::any_of(op->getOperands(), [&](Value in) { return rootOf(in) == written; });
  };
  if (llvm::any_of(reader.getDpsInits(), isRead))
    return false;
  for (Operation *at = op->getNextNode(); at != reader; at = at->getNextNode()) {
    if (!at)
      return false; // it comes before
    if (isPure(at) || isa<memref::AllocOp>(at))
      continue;
    auto nest = dyn_cast<linalg::GenericOp>(at);
    if (!nest || llvm::any_of(nest.getDpsInits(), [&](Value out) {
          return !rootOf(out).getDefiningOp<memref::AllocOp>() || isRead(out);
        }))
      return false;
  }
  return true;
}

/// Whether the reader computes it sooner than a kernel would.
static bool isWorthIt(linalg::GenericOp op, linalg::GenericOp reader) {
  return !op.hasDynamicShape() && !reader.hasDynamicShape() && !reader.getNumReductionLoops() &&
         extentOf(op) <= kFew &&
         double(extentOf(reader)) * instructionsOf(op) / kInstructions < costModel().launch;
}

static bool isSimple(linalg::GenericOp op) {
  return op.getNumDpsInits() == 1 && !op.getNumReductionLoops() && op.hasPureBufferSemantics() &&
         !op.hasIndexSemantics() && op.getDpsInits().front().getDefiningOp<memref::AllocOp>() &&
         op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
         llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
           return !inner.getNumRegions() && isPure(&inner) && isSpeculatable(&inner);
         });
}

/// The reader with the inputs of `op` in place of what it computes.
static void computeIn(linalg::GenericOp op, OpOperand &read) {
  auto reader = cast<linalg::GenericOp>(read.getOwner());
  ImplicitLocOpBuilder b(reader.getLoc(), reader);
  // Turns of `op`, by those of the reader.
  AffineMap place = reader.getMatchingIndexingMap(&read),
            out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap turns = inversePermutation(out).compose(place);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  unsigned number = read.getOperandNumber();
  for (OpOperand *in : reader.getDpsInputOperands())
    if (in != &read) {
      inputs.push_back(in->get());
      maps.push_back(reader.getMatchingIndexingMap(in));
    }
  for (OpOperand *in : op.getDpsInputOperands()) {
    inputs.push_back(in->get());
    maps.push_back(op.getMatchingIndexingMap(in).compose(turns));
  }
  for (OpOperand &init : reader.getDpsInitsMutable())
    maps.push_back(reader.getMatchingIndexingMap(&init));
  unsigned numOwn = reader.getNumDpsInputs() - 1, numTheirs = op.getNumDpsInputs();
  auto build = [&](OpBuilder &inner, Location, ValueRange arguments) {
    IRMapping first, second;
    for (unsigned i = 0; i < numTheirs; ++i)
      first.map(op.getBody()->getArgument(i), arguments[numOwn + i]);
    for (Operation &each : op.getBody()->without_terminator())
      inner.clone(each, first);
    Block *body = reader.getBody();
    second.map(body->getArgument(number),
               first.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0)));
    for (unsigned i = 0, next = 0; i < body->getNumArguments(); ++i) {
      if (i == number)
        continue;
      second.map(body->getArgument(i), arguments[next < numOwn ? next : next + numTheirs]);
      ++next;
    }
    for (Operation &each : body->getOperations())
      inner.clone(each, second);
  };
  auto made = linalg::GenericOp::create(b, inputs, reader.getDpsInits(), maps,
                                        reader.getIteratorTypesArray(), build);
  made->setDiscardableAttrs(reader->getDiscardableAttrDictionary());
  reader.erase();
  op.erase();
}

void ptc::cuda::computeInReaders(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp &op : llvm::make_early_inc_range(llvm::reverse(ops))) {
    if (!isSimple(op))
      continue;
    OpOperand *read = findReader(op);
    auto reader = read ? dyn_cast<linalg::GenericOp>(read->getOwner()) : linalg::GenericOp();
    if (reader && !isPadded(reader) && isWorthIt(op, reader) && staysSame(op, reader))
      computeIn(op, *read);
  }
}
