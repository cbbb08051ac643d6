//===- Fuse.cpp - plan-fuse ----------------------------------------------------------------===//
//
// In: one kernel per operation. Out: pointwise kernels with the pointwise kernels in front of them
// that nobody else reads, as one loop nest; a remark for each pair that was looked at.
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

/// The only loop nest of a pointwise kernel with one result; null if it is another kernel.
static linalg::GenericOp loopsOf(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  if (kernel.getFamily() != Family::Pointwise || kernel.getNumResults() != 1 ||
      llvm::range_size(body.getOps<linalg::LinalgOp>()) != 1)
    return {};
  return body.getTerminator()->getOperand(0).getDefiningOp<linalg::GenericOp>();
}

/// Why `producer` does not become a part of `consumer`; empty: it does.
static StringRef refusal(KernelOp producer, KernelOp consumer) {
  linalg::GenericOp made = loopsOf(producer), read = loopsOf(consumer);
  if (!made || !read)
    return "one of them is no single pointwise loop nest";
  if (producer->getBlock() != consumer->getBlock())
    return "they run on different paths";
  for (Operation *user : producer->getUsers())
    if (user != consumer)
      return "others read the value, too";
  if (producer.getInputs().size() + consumer.getInputs().size() - 1 > kMostOperands)
    return "together they read too many tensors";
  for (auto [i, input] : llvm::enumerate(consumer.getInputs())) {
    if (input != producer.getResult(0))
      continue;
    for (OpOperand &use : consumer.getBody().front().getArgument(unsigned(i)).getUses()) {
      if (isa<tensor::DimOp>(use.getOwner()))
        continue;
      if (use.getOwner() != read || !read.isDpsInput(&use))
        return "the value is not read by the loops alone";
      if (!read.getMatchingIndexingMap(&use).isIdentity())
        return "the value would be computed again where it broadcasts";
    }
  }
  if (made.hasIndexSemantics() &&
      !made.getIndexingMapMatchingResult(made->getResult(0)).isIdentity())
    return "the value is not written in the order of its loops";
  return {};
}

/// One kernel that computes both, with the loops of one after those of the other.
static KernelOp merge(KernelOp producer, KernelOp consumer) {
  OpBuilder b(consumer);
  SmallVector<Value> inputs(producer.getInputs());
  for (Value input : consumer.getInputs())
    if (input != producer.getResult(0) && !llvm::is_contained(inputs, input))
      inputs.push_back(input);
  auto loc = b.getFusedLoc({producer.getLoc(), consumer.getLoc()});
  auto merged = KernelOp::create(b, loc, consumer.getResultTypes(), Family::Pointwise, inputs);
  Block &body = merged.getBody().emplaceBlock();
  for (Value input : inputs)
    body.addArgument(argumentType(input.getType()), input.getLoc());
  b.setInsertionPointToEnd(&body);
  IRMapping mapping;
  auto inline_body = [&](KernelOp kernel, Value known) {
    Block &from = kernel.getBody().front();
    for (auto [arg, input] : llvm::zip_equal(from.getArguments(), kernel.getInputs())) {
      auto *at = llvm::find(inputs, input);
      mapping.map(arg, at == inputs.end() ? known : Value(body.getArgument(at - inputs.begin())));
    }
    for (Operation &op : from.without_terminator())
      b.clone(op, mapping);
    return mapping.lookup(from.getTerminator()->getOperand(0));
  };
  Value middle = inline_body(producer, {});
  YieldOp::create(b, loc, inline_body(consumer, middle));
  consumer.getResult(0).replaceAllUsesWith(merged.getResult(0));
  consumer.erase();
  producer.erase();
  return merged;
}

/// Loop nests of one kernel become one; sizes are read from what is still there.
static LogicalResult fuseLoops(KernelOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *) { return true; });
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  return applyPatternsGreedily(kernel.getBody(), std::move(patterns));
}

namespace {
struct FusePass : plan::impl::PlanFuseBase<FusePass> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    llvm::DenseSet<Operation *> gone;
    for (KernelOp kernel : kernels) {
      if (gone.contains(kernel))
        continue;
      // In the order of the text: what stands in front was fused before.
      for (size_t i = 0; i < kernel.getInputs().size();) {
        auto producer = kernel.getInputs()[i].getDefiningOp<KernelOp>();
        if (!producer) {
          ++i;
          continue;
        }
        if (StringRef why = refusal(producer, kernel); !why.empty()) {
          emitRemark(kernel.getLoc(), "stays apart from what computes operand ")
              << i << ": " << why;
          ++i;
          continue;
        }
        emitRemark(kernel.getLoc(), "takes in what computes operand ")
            << i << ", which nobody else reads";
        gone.insert(producer);
        gone.insert(kernel);
        kernel = merge(producer, kernel);
        if (failed(fuseLoops(kernel)))
          return signalPassFailure();
        ++fused;
        i = 0;
      }
    }
  }
};
} // namespace
