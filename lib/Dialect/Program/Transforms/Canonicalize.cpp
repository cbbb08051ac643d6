//===- Canonicalize.cpp - program-canonicalize ----------------------------------------------===//
//
// In: a module. Out: what MLIR's canonicalize makes of it. There, each change in a branch or loop
// has all that are around it looked at again, and each look compares every result, and every value
// that is carried, with each other one: the cube of the number of variables. Here branches and
// loops are looked at from within outwards, and equal results are found by what they are made of.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/Transforms/Passes.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <map>

namespace ptc::program {
#define GEN_PASS_DEF_PROGRAMCANONICALIZE
#include "ptc/Dialect/Program/Transforms/Passes.h.inc"
} // namespace ptc::program

using namespace mlir;

namespace {

/// Replaces results, or arguments of a region, to which every way in forwards the same values by
/// the first of them. So those that are tied together lose their uses together, and are then
/// removed. Stands for a pattern of MLIR that compares all pairs.
struct MergeEqualInputs : RewritePattern {
  MergeEqualInputs(MLIRContext *context, OperationName name)
      : RewritePattern(name.getStringRef(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    RegionBranchInverseSuccessorMapping operandsOf;
    cast<RegionBranchOpInterface>(op).getSuccessorInputOperandMapping(operandsOf);
    SmallVector<Value> inputs = llvm::to_vector(operandsOf.keys());
    llvm::sort(inputs, [](Value a, Value b) { return numberOf(a) < numberOf(b); });
    bool changed = false;
    // Where inputs forward each other, those that are merged make more of them equal.
    for (bool again = true; again; changed |= again) {
      again = false;
      // Of where the input is and what it is forwarded from where, in the order of addresses: which
      // of equal ones is the first does not depend on that.
      std::map<SmallVector<const void *>, Value> first;
      for (Value input : inputs) {
        Value same = first.try_emplace(keyOf(input, operandsOf[input]), input).first->second;
        if (same == input || input.use_empty())
          continue;
        rewriter.replaceAllUsesWith(input, same);
        again = true;
      }
    }
    return success(changed);
  }

private:
  static unsigned numberOf(Value v) {
    auto result = dyn_cast<OpResult>(v);
    return result ? result.getResultNumber() : cast<BlockArgument>(v).getArgNumber();
  }
  static SmallVector<const void *> keyOf(Value input, ArrayRef<OpOperand *> operands) {
    SmallVector<std::pair<const void *, const void *>> forwarded;
    for (OpOperand *operand : operands)
      forwarded.emplace_back(operand->getOwner(), operand->get().getAsOpaquePointer());
    llvm::sort(forwarded);
    auto argument = dyn_cast<BlockArgument>(input);
    SmallVector<const void *> key{argument ? static_cast<const void *>(argument.getOwner())
                                           : input.getDefiningOp()};
    for (auto [from, value] : forwarded) {
      key.push_back(from);
      key.push_back(value);
    }
    return key;
  }
};

/// The patterns about what branches and loops forward, applied to all of them in a fixed order.
class BranchSimplifier {
public:
  /// Takes these patterns out of `patterns`.
  explicit BranchSimplifier(RewritePatternSet &patterns) {
    llvm::erase_if(patterns.getNativePatterns(), [&](std::unique_ptr<RewritePattern> &p) {
      llvm::StringRef name = p->getDebugName();
      if (name.ends_with("RemoveDuplicateSuccessorInputUses")) {
        auto merge = std::make_unique<MergeEqualInputs>(patterns.getContext(), *p->getRootKind());
        forwarding[*p->getRootKind()].push_back(std::move(merge));
        isFound[0] = true;
      } else if (name.ends_with("MakeRegionBranchOpSuccessorInputsDead")) {
        forwarding[*p->getRootKind()].push_back(std::move(p));
        isFound[1] = true;
      } else if (name.ends_with("RemoveDeadRegionBranchOpSuccessorInputs")) {
        removing[*p->getRootKind()].push_back(std::move(p));
        isFound[2] = true;
      } else {
        return false;
      }
      return true;
    });
  }

  /// Has MLIR all of them, under the names by which they are found here?
  bool isComplete() const { return isFound[0] && isFound[1] && isFound[2]; }

  /// Returns whether anything changed.
  bool run(Operation *root) {
    PatternRewriter rewriter(root->getContext());
    bool changed = false;
    for (bool again = true; again; changed |= again) {
      again = false;
      root->walk([&](Operation *op) { again |= apply(forwarding, op, rewriter); });
      again |= removeIn(root, rewriter);
    }
    return changed;
  }

private:
  using Patterns = DenseMap<OperationName, SmallVector<std::unique_ptr<RewritePattern>, 2>>;

  static bool apply(const Patterns &patterns, Operation *op, PatternRewriter &rewriter) {
    auto found = patterns.find(op->getName());
    if (found == patterns.end())
      return false;
    bool changed = false;
    for (const auto &pattern : found->second) {
      rewriter.setInsertionPoint(op);
      changed |= succeeded(pattern->matchAndRewrite(op, rewriter));
    }
    return changed;
  }

  /// Later operations first: whether a value is read is known when it is looked at.
  bool removeIn(Operation *root, PatternRewriter &rewriter) {
    bool changed = false;
    for (Region &region : root->getRegions())
      for (Block &block : region)
        for (Operation *op = block.empty() ? nullptr : &block.back(), *before; op; op = before) {
          before = op->getPrevNode();
          if (isOpTriviallyDead(op)) {
            rewriter.eraseOp(op);
            changed = true;
            continue;
          }
          if (apply(removing, op, rewriter)) {
            changed = true;
            op = before ? before->getNextNode() : &block.front(); // made in the place of the other
          }
          changed |= removeIn(op, rewriter);
        }
    return changed;
  }

  Patterns forwarding, removing;
  bool isFound[3] = {};
};

struct CanonicalizePass : ptc::program::impl::ProgramCanonicalizeBase<CanonicalizePass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet found(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(found);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      name.getCanonicalizationPatterns(found, context);
    BranchSimplifier branches(found);
    if (!branches.isComplete()) {
      getOperation()->emitError("patterns for branches and loops have other names in this MLIR");
      return signalPassFailure();
    }
    FrozenRewritePatternSet others(std::move(found));
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
    do
      (void)applyPatternsGreedily(getOperation(), others, config);
    while (branches.run(getOperation()));
  }
};

} // namespace
