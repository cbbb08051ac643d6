//===- Fuse.cpp - plan-fuse ----------------------------------------------------------------===//
//
// In: one kernel per operation. Out: pointwise kernels as a part of the kernel in front of them if
// nobody else reads its result: one loop nest with another pointwise kernel, the epilogue of one
// that sums products; a remark for each pair that was looked at.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ptc::plan {
#define GEN_PASS_DEF_PLANFUSE
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace ptc::plan

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

/// More pointers than this do not fit the registers of a loop.
static constexpr size_t kMostOperands = 12;

static bool sumsProducts(KernelOp kernel) {
  return kernel.getFamily() == Family::Gemm || kernel.getFamily() == Family::Conv;
}

/// What `kernel` yields.
static Value resultOf(KernelOp kernel) {
  return kernel.getBody().front().getTerminator()->getOperand(0);
}

/// Why `input` is not read by one loop nest alone, which `read` is then, in the order of its loops.
static StringRef refusalOfUses(BlockArgument input, linalg::GenericOp &read) {
  for (OpOperand &use : input.getUses()) {
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || !user.isDpsInput(&use) || (read && read != user))
      return "the value is not read by one loop nest alone";
    if (!user.getMatchingIndexingMap(&use).isIdentity())
      return "the value would be computed again where it broadcasts";
    read = user;
  }
  return read ? "" : "nothing reads the elements of the value";
}

/// Why what reads `input` does not go on with what `producer` computes.
static StringRef refusalOfUses(KernelOp producer, BlockArgument input) {
  linalg::GenericOp read;
  if (StringRef why = refusalOfUses(input, read); !why.empty())
    return why;
  if (sumsProducts(producer)) {
    bool isKept = read->getResult(0).getType() == input.getType();
    return isKept ? "" : "the value and what becomes of it differ in type";
  }
  auto made = resultOf(producer).getDefiningOp<linalg::GenericOp>();
  if (!made)
    return "the value is not computed by a loop nest";
  if (made.hasIndexSemantics() &&
      !made.getIndexingMapMatchingResult(made->getResult(0)).isIdentity())
    return "the value is not written in the order of its loops";
  return {};
}

/// Why `producer` and `consumer` stay apart; empty: they become one.
static StringRef refusal(KernelOp producer, KernelOp consumer) {
  if (consumer.getFamily() != Family::Pointwise || consumer.getNumResults() != 1)
    return "what reads the value is not pointwise";
  if ((producer.getFamily() != Family::Pointwise && !sumsProducts(producer)) ||
      producer.getNumResults() != 1)
    return "what computes the value takes no more in";
  if (producer->getBlock() != consumer->getBlock())
    return "they run on different paths";
  for (Operation *user : producer->getUsers())
    if (user != consumer)
      return "others read the value, too";
  if (producer.getInputs().size() + consumer.getInputs().size() - 1 > kMostOperands)
    return "together they read too many tensors";
  for (auto [i, input] : llvm::enumerate(consumer.getInputs()))
    if (input == producer.getResult(0))
      if (StringRef why =
              refusalOfUses(producer, consumer.getBody().front().getArgument(unsigned(i)));
          !why.empty())
        return why;
  return {};
}

//===----------------------------------------------------------------------===//
// One kernel of two
//===----------------------------------------------------------------------===//

/// One kernel that computes both: what does not depend on the producer comes first.
static KernelOp merge(KernelOp producer, KernelOp consumer) {
  OpBuilder b(consumer);
  SmallVector<Value> inputs(producer.getInputs());
  for (Value input : consumer.getInputs())
    if (input != producer.getResult(0) && !llvm::is_contained(inputs, input))
      inputs.push_back(input);
  auto loc = b.getFusedLoc({producer.getLoc(), consumer.getLoc()});
  auto merged = KernelOp::create(b, loc, consumer.getResultTypes(), producer.getFamily(), inputs);
  Block &body = merged.getBody().emplaceBlock();
  for (Value input : inputs)
    body.addArgument(argumentType(input.getType()), input.getLoc());
  b.setInsertionPointToEnd(&body);
  IRMapping mapping;
  Block &first = producer.getBody().front(), &second = consumer.getBody().front();
  llvm::DenseSet<Value> behind; // the producer's value and what depends on it
  for (auto [block, kernel] : {std::pair(&first, producer), std::pair(&second, consumer)})
    for (auto [arg, input] : llvm::zip_equal(block->getArguments(), kernel.getInputs())) {
      auto *at = llvm::find(inputs, input);
      if (at == inputs.end())
        behind.insert(arg);
      else
        mapping.map(arg, body.getArgument(unsigned(at - inputs.begin())));
    }
  SmallVector<Operation *> later;
  for (Operation &op : second.without_terminator()) {
    if (llvm::none_of(op.getOperands(), [&](Value v) { return behind.contains(v); })) {
      b.clone(op, mapping);
      continue;
    }
    behind.insert_range(op.getResults());
    later.push_back(&op);
  }
  for (Operation &op : first.without_terminator())
    b.clone(op, mapping);
  for (BlockArgument arg : second.getArguments())
    if (behind.contains(arg))
      mapping.map(arg, mapping.lookup(resultOf(producer)));
  for (Operation *op : later)
    b.clone(*op, mapping);
  YieldOp::create(b, loc, mapping.lookup(resultOf(consumer)));
  consumer.getResult(0).replaceAllUsesWith(merged.getResult(0));
  consumer.erase();
  producer.erase();
  return merged;
}

/// Whether the loop nest that computes `operand` becomes a part of the one that reads it.
static bool isOneNest(OpOperand *operand) {
  auto made = operand->get().getDefiningOp<linalg::GenericOp>();
  auto read = cast<linalg::GenericOp>(operand->getOwner());
  return made && made->hasOneUse() && made.getNumDpsInits() == 1 &&
         !made.payloadUsesValueFromOperand(made.getDpsInitOperand(0)) &&
         read.getMatchingIndexingMap(operand).isIdentity();
}

/// Loop nests of one kernel become one; sizes are read from what is still there.
static LogicalResult fuseLoops(KernelOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, isOneNest);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  return applyPatternsGreedily(kernel.getBody(), std::move(patterns));
}

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

/// An epilogue works in the memory of the sums, a pass along rows in that of the one before.
static void writeInPlace(KernelOp kernel) {
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

namespace {
struct FusePass : plan::impl::PlanFuseBase<FusePass> {
  FusePass() = default;
  explicit FusePass(const CostModel &cost) : cost(cost) {}

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    llvm::DenseSet<Operation *> gone;
    for (KernelOp kernel : kernels)
      if (!gone.contains(kernel) && failed(fuse(kernel, gone)))
        return signalPassFailure();
    getOperation().walk([](KernelOp kernel) {
      if (sumsProducts(kernel) ||
          llvm::is_contained({Family::Rows, Family::Attention}, kernel.getFamily()))
        writeInPlace(kernel);
    });
  }

private:
  /// In the order of the text: what stands in front was fused before.
  LogicalResult fuse(KernelOp kernel, llvm::DenseSet<Operation *> &gone) {
    for (size_t i = 0; i < kernel.getInputs().size();) {
      auto producer = kernel.getInputs()[i].getDefiningOp<KernelOp>();
      if (!producer) {
        ++i;
        continue;
      }
      if (StringRef why = refusal(producer, kernel); !why.empty()) {
        emitRemark(kernel.getLoc(), "stays apart from what computes operand ") << i << ": " << why;
        ++i;
        continue;
      }
      emitRemark(kernel.getLoc(), "goes on with what computes operand ")
          << i << ", which nobody else reads";
      gone.insert(producer);
      gone.insert(kernel);
      kernel = merge(producer, kernel);
      if (failed(fuseLoops(kernel)))
        return failure();
      ++fused;
      i = 0;
    }
    return success();
  }

  CostModel cost;
};
} // namespace

std::unique_ptr<Pass> ptc::plan::createPlanFuse(const CostModel &cost) {
  return std::make_unique<FusePass>(cost);
}
