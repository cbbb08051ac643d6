//===- Merge.cpp - One kernel of two ---------------------------------------------------------===//
//
// In: a kernel and one that reads what it computes. Out: one kernel that computes both, with as few
// loop nests as there can be.
//
//===----------------------------------------------------------------------===//
#include "Merge.h"

#include "NestJoin.h"

#include "ptc/Dialect/Plan/IR/Recomputed.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

bool ptc::plan::sumsProducts(KernelOp kernel) {
  return kernel.getFamily() == Family::Gemm || kernel.getFamily() == Family::Conv;
}

Value ptc::plan::withoutOnes(Value value) {
  while (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>()) {
    ArrayRef<int64_t> shape = expand.getType().getShape();
    bool addsOnes = llvm::all_of(expand.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
      return llvm::count_if(group, [&](int64_t d) { return shape[d] != 1; }) <= 1;
    });
    if (!addsOnes)
      break;
    value = expand.getSrc();
  }
  return value;
}

linalg::GenericOp ptc::plan::nestOf(KernelOp kernel, unsigned number) {
  Value given = kernel.getBody().front().getTerminator()->getOperand(number);
  return withoutOnes(given).getDefiningOp<linalg::GenericOp>();
}

//===----------------------------------------------------------------------===//
// Both bodies in one
//===----------------------------------------------------------------------===//

static Family familyOf(KernelOp producer, KernelOp consumer) {
  auto isFree = [](Family family) { return family == Family::Pointwise || family == Family::Copy; };
  Family first = producer.getFamily(), second = consumer.getFamily();
  if (isFree(first))
    return isFree(second) ? Family::Pointwise : second;
  bool readsRows =
      first == Family::Reduction &&
      llvm::any_of(consumer.getBody().front().getOps<linalg::LinalgOp>(), [&](linalg::LinalgOp op) {
        return op.getNumLoops() > nestOf(producer, 0).getNumParallelLoops();
      });
  if (isFree(second) && !readsRows)
    return first;
  return Family::Rows;
}

/// Marks what `op` computes for each element.
static void markAgain(Operation &op) {
  op.walk([&](Operation *inner) {
    if (inner != &op && inner->getNumResults() == 1 && !inner->hasTrait<OpTrait::ConstantLike>() &&
        !isa<linalg::IndexOp>(inner))
      inner->setAttr(kRecomputedAttr, UnitAttr::get(op.getContext()));
  });
}

namespace {
/// Puts the bodies of two kernels into one: what does not depend on the producer comes first.
class BodyMerger {
public:
  BodyMerger(KernelOp producer, KernelOp consumer, bool again)
      : producer(producer), consumer(consumer), again(again), b(consumer) {}

  Merged run() {
    Merged merged;
    collectInputs();
    SmallVector<Type> types(consumer.getResultTypes());
    for (Value result : producer.getResults())
      if (!again && llvm::any_of(result.getUsers(), [&](Operation *u) { return u != consumer; })) {
        merged.kept.push_back(result);
        types.push_back(result.getType());
      }
    auto loc = b.getFusedLoc({producer.getLoc(), consumer.getLoc()});
    merged.kernel = KernelOp::create(b, loc, types, familyOf(producer, consumer), inputs);
    Block &body = merged.kernel.getBody().emplaceBlock();
    for (Value input : inputs)
      body.addArgument(argumentType(input.getType()), input.getLoc());
    b.setInsertionPointToEnd(&body);
    cloneBodies(body);
    SmallVector<Value> yields;
    for (Value value : consumer.getBody().front().getTerminator()->getOperands())
      yields.push_back(mapping.lookup(value));
    for (Value kept : merged.kept)
      yields.push_back(mapping.lookup(yieldedBy(kept)));
    YieldOp::create(b, loc, yields);
    return merged;
  }

private:
  Value yieldedBy(Value result) {
    return producer.getBody().front().getTerminator()->getOperand(
        cast<OpResult>(result).getResultNumber());
  }

  void collectInputs() {
    for (Value input : producer.getInputs())
      if (!llvm::is_contained(inputs, input))
        inputs.push_back(input);
    for (Value input : consumer.getInputs())
      if (input.getDefiningOp() != producer && !llvm::is_contained(inputs, input))
        inputs.push_back(input);
  }

  void mapArguments(KernelOp kernel, Block &body) {
    for (auto [arg, input] :
         llvm::zip_equal(kernel.getBody().front().getArguments(), kernel.getInputs()))
      if (auto *at = llvm::find(inputs, input); at != inputs.end())
        mapping.map(arg, body.getArgument(unsigned(at - inputs.begin())));
  }

  void cloneBodies(Block &body) {
    mapArguments(producer, body);
    mapArguments(consumer, body);
    Block &first = producer.getBody().front(), &second = consumer.getBody().front();
    llvm::DenseSet<Value> behind; // what depends on the producer
    for (auto [arg, input] : llvm::zip_equal(second.getArguments(), consumer.getInputs()))
      if (input.getDefiningOp() == producer)
        behind.insert(arg);
    SmallVector<Operation *> later;
    for (Operation &op : second.without_terminator()) {
      bool depends = false;
      op.walk([&](Operation *inner) {
        depends |= llvm::any_of(inner->getOperands(), [&](Value v) { return behind.contains(v); });
      });
      if (!depends) {
        b.clone(op, mapping);
        continue;
      }
      behind.insert_range(op.getResults());
      later.push_back(&op);
    }
    for (Operation &op : first.without_terminator()) {
      Operation *clone = b.clone(op, mapping);
      if (again)
        markAgain(*clone);
    }
    for (auto [arg, input] : llvm::zip_equal(second.getArguments(), consumer.getInputs()))
      if (input.getDefiningOp() == producer)
        mapping.map(arg, mapping.lookup(yieldedBy(input)));
    for (Operation *op : later)
      b.clone(*op, mapping);
  }

  KernelOp producer, consumer;
  bool again;
  OpBuilder b;
  SmallVector<Value> inputs;
  IRMapping mapping;
};
} // namespace

//===----------------------------------------------------------------------===//
// Fewer loop nests
//===----------------------------------------------------------------------===//

/// Whether the loop nest that computes `operand` becomes a part of the one that reads it.
static bool isOneNest(OpOperand *operand) {
  auto made = operand->get().getDefiningOp<linalg::GenericOp>();
  auto read = cast<linalg::GenericOp>(operand->getOwner());
  return made && made->hasOneUse() && made.getNumDpsInits() == 1 && suitsOneNest(made, read) &&
         !made.payloadUsesValueFromOperand(made.getDpsInitOperand(0)) &&
         read.getMatchingIndexingMap(operand).isIdentity();
}

/// Sizes are read from what is still there.
static void cleanUp(KernelOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, isOneNest);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  // It ends: each pattern leaves fewer operations, operands or results.
  LogicalResult done = applyPatternsGreedily(kernel.getBody(), std::move(patterns));
  assert(succeeded(done));
  (void)done;
}

/// A consumer for which the producer's value turns out not to matter leaves nothing to sum.
static void settleFamily(KernelOp kernel) {
  bool reduces = false;
  kernel.getBody().walk(
      [&](linalg::LinalgOp loops) { reduces |= loops.getNumReductionLoops() != 0; });
  if (!reduces && mustReduce(kernel.getFamily()))
    kernel.setFamily(Family::Pointwise);
}

/// Families that read an operand in another order than it is computed in.
static bool isJoinedByMaps(Family family) {
  return family == Family::Gemm || family == Family::Conv || family == Family::Window;
}

Merged ptc::plan::merge(KernelOp producer, KernelOp consumer, bool again, const CostModel &model) {
  Merged merged = BodyMerger(producer, consumer, again).run();
  readThroughOnes(merged.kernel);
  cleanUp(merged.kernel);
  bool joined = joinNests(merged.kernel, model);
  if (isJoinedByMaps(merged.kernel.getFamily()))
    joined |= joinByMaps(merged.kernel);
  if (joined)
    cleanUp(merged.kernel);
  settleFamily(merged.kernel);
  return merged;
}

void ptc::plan::replace(const Merged &merged, KernelOp producer, KernelOp consumer) {
  KernelOp kernel = merged.kernel;
  unsigned own = consumer.getNumResults();
  consumer.replaceAllUsesWith(kernel.getResults().take_front(own));
  consumer.erase();
  for (auto [i, value] : llvm::enumerate(merged.kept))
    Value(value).replaceAllUsesWith(kernel.getResult(own + unsigned(i)));
  if (producer->use_empty())
    producer.erase();
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

/// Whether whoever else reads `value` does so before `op`.
static bool isLastReader(Operation *op, Value value) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    return user == op || (user->getBlock() == op->getBlock() && user->isBeforeInBlock(op));
  });
}

/// The input that `op` may write over: a result of operations before, read as it is written.
static OpOperand *overwritable(linalg::GenericOp op) {
  if (op.getNumReductionLoops() || op.getNumDpsInits() != 1)
    return nullptr;
  OpOperand *out = op.getDpsInitOperand(0);
  if (op.payloadUsesValueFromOperand(out) || !out->get().getDefiningOp<tensor::EmptyOp>())
    return nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Operation *made = input->get().getDefiningOp();
    if (isa_and_nonnull<linalg::LinalgOp, tensor::CollapseShapeOp>(made) &&
        isLastReader(op, input->get()) && input->get().getType() == out->get().getType() &&
        op.getMatchingIndexingMap(input) == op.getMatchingIndexingMap(out))
      return input;
  }
  return nullptr;
}

void ptc::plan::writeInPlace(KernelOp kernel) {
  for (auto op : llvm::make_early_inc_range(kernel.getBody().front().getOps<linalg::GenericOp>())) {
    OpOperand *over = overwritable(op);
    if (!over)
      continue;
    unsigned number = over->getOperandNumber();
    SmallVector<Value> inputs(op.getInputs());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    inputs.erase(inputs.begin() + number);
    maps.erase(maps.begin() + number);
    OpBuilder b(op);
    auto inPlace = linalg::GenericOp::create(b, op.getLoc(), op.getResultTypes(), inputs,
                                             over->get(), maps, op.getIteratorTypesArray());
    inPlace->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    inPlace.getRegion().takeBody(op.getRegion());
    Block *body = inPlace.getBody();
    body->getArgument(number).replaceAllUsesWith(body->getArguments().back());
    body->eraseArgument(number);
    op->replaceAllUsesWith(inPlace);
    op.erase();
  }
}
