//===- Fuse.cpp - plan-fuse ----------------------------------------------------------------===//
//
// In: one kernel per operation. Out: kernels that go on with what others compute as one with these,
// where that may be (FuseRules.cpp) and costs less; a remark for each pair that was looked at.
//
//===----------------------------------------------------------------------===//
#include "FuseRules.h"
#include "Merge.h"

#include "ptc/Dialect/Plan/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"

#include <set>

namespace ptc::plan {
#define GEN_PASS_DEF_PLANFUSE
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace ptc::plan

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

/// 1.2 us
static std::string timeText(double seconds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  double micro = seconds * 1e6;
  os << llvm::format(micro < 10 ? "%.2f us" : micro < 1000 ? "%.1f us" : "%.0f us", micro);
  return text;
}

/// Whether `consumer` is a product of matrices and the value its column factor alone, which
/// emitters copy before they read it again and again.
static bool isCopied(KernelOp producer, KernelOp consumer) {
  if (consumer.getFamily() != Family::Gemm)
    return false;
  for (auto [i, input] : llvm::enumerate(consumer.getInputs())) {
    if (input.getDefiningOp() != producer)
      continue;
    for (OpOperand &use : consumer.getBody().front().getArgument(unsigned(i)).getUses()) {
      auto product = dyn_cast<linalg::GenericOp>(use.getOwner());
      if (!product || product.getNumDpsInits() != 1)
        return false;
      AffineMap out = product.getMatchingIndexingMap(product.getDpsInitOperand(0));
      if (out.getNumResults() < 2 || !isa<AffineDimExpr>(out.getResults().back()))
        return false;
      unsigned column = cast<AffineDimExpr>(out.getResults().back()).getPosition();
      if (!product.getMatchingIndexingMap(&use).isFunctionOfDim(column))
        return false;
    }
  }
  return true;
}

namespace {

/// What two kernels cost by themselves and as one.
struct PairCost {
  double apart, together;
  double gain() const { return apart - together; }
  bool pays() const { return gain() > 0; }
  std::string text() const {
    return timeText(together) + " together, " + timeText(apart) + " apart";
  }
};

struct FusePass : plan::impl::PlanFuseBase<FusePass> {
  FusePass() = default;
  explicit FusePass(const CostModel &cost) : cost(cost) {}

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    live.insert_range(kernels);
    for (KernelOp kernel : kernels)
      if (live.contains(kernel))
        fuse(kernel);
    getOperation().walk([](KernelOp kernel) {
      if (sumsProducts(kernel) ||
          llvm::is_contained({Family::Rows, Family::Attention, Family::Reduction, Family::Window},
                             kernel.getFamily()))
        writeInPlace(kernel);
    });
  }

private:
  /// In the order of the text: what stands in front was fused before.
  void fuse(KernelOp kernel) {
    said.clear();
    for (unsigned i = 0; i < kernel.getInputs().size();) {
      auto producer = kernel.getInputs()[i].getDefiningOp<KernelOp>();
      KernelOp merged = producer ? fuse(producer, kernel, i) : KernelOp();
      i = merged ? 0 : i + 1;
      kernel = merged ? merged : kernel;
    }
  }

  /// The kernel of both; none: they stay apart.
  KernelOp fuse(KernelOp producer, KernelOp consumer, unsigned operand) {
    StringRef why = refusal(producer, consumer, cost);
    std::optional<PairCost> whole, again;
    if (why.empty()) {
      why = refusalOfOthers(producer, consumer);
      if (why.empty())
        whole = costAsOne(producer, consumer, why);
      again = costAgain(producer);
    }
    bool isAgain = again && again->pays() && (!whole || again->gain() > whole->gain());
    if (!isAgain && !(whole && whole->pays())) {
      std::string text = whole ? whole->text() : why.str();
      if (said.insert({producer, text}).second)
        emitRemark(consumer.getLoc(), "stays apart from what computes operand ")
            << operand << ": " << text;
      return {};
    }
    emitRemark(consumer.getLoc(), "goes on with what computes operand ")
        << operand << (isAgain ? ", as others do: " : ": ") << (isAgain ? again : whole)->text();
    Merged merged = merge(producer, consumer, isAgain, cost);
    bool isLastReader =
        llvm::all_of(producer->getUsers(), [&](Operation *user) { return user == consumer; });
    live.erase(consumer);
    if (!isAgain || isLastReader)
      live.erase(producer);
    replace(merged, producer, consumer);
    ++fused;
    return merged.kernel;
  }

  /// What both cost as one kernel, with results for other readers; none and why: that is none.
  std::optional<PairCost> costAsOne(KernelOp producer, KernelOp consumer, StringRef &why) {
    Merged merged = merge(producer, consumer, /*again=*/false, cost);
    why = refusalOfMerged(merged.kernel, producer, consumer);
    std::optional<PairCost> pair;
    if (why.empty()) {
      KernelCost first = costOf(producer, cost), second = costOf(consumer, cost);
      pair = {first.seconds() + second.seconds(), secondsOf(merged, first, second)};
      if (isCopied(producer, consumer)) // its elements are computed while they are copied
        pair->together = second.launch + std::max(first.compute + second.compute, second.memory);
    }
    merged.kernel.erase();
    return pair;
  }

  /// What it costs if each reader of a pointwise value computes it for itself; none if one cannot,
  /// or if one reads another, which may all become one kernel.
  std::optional<PairCost> costAgain(KernelOp producer) {
    constexpr size_t kMostReaders = 4;
    llvm::SmallSetVector<Operation *, 4> readers(producer->user_begin(), producer->user_end());
    if (producer.getFamily() != Family::Pointwise || readers.size() < 2 ||
        readers.size() > kMostReaders)
      return std::nullopt;
    KernelCost first = costOf(producer, cost);
    PairCost all{first.seconds(), 0};
    for (Operation *reader : readers) {
      auto consumer = dyn_cast<KernelOp>(reader);
      bool readsOther = llvm::any_of(reader->getOperands(), [&](Value input) {
        return readers.contains(input.getDefiningOp());
      });
      if (!consumer || readsOther || !refusal(producer, consumer, cost).empty())
        return std::nullopt;
      Merged merged = merge(producer, consumer, /*again=*/true, cost);
      KernelCost second = costOf(consumer, cost);
      bool isOne = refusalOfMerged(merged.kernel, producer, consumer).empty();
      all.apart += second.seconds();
      all.together += secondsOf(merged, first, second);
      merged.kernel.erase();
      if (!isOne)
        return std::nullopt;
    }
    return all;
  }

  /// Bytes move as fast as they do for both on their own: a kernel that moves less is no slower
  /// because it moves it at once.
  double secondsOf(const Merged &merged, const KernelCost &first, const KernelCost &second) const {
    KernelCost both = costOf(merged.kernel, cost);
    auto bytesOf = [](const KernelCost &c) { return c.bytesRead + c.bytesWritten; };
    double bytes = bytesOf(first) + bytesOf(second);
    double memory = bytes > 0 ? bytesOf(both) * (first.memory + second.memory) / bytes : 0;
    return both.launch + std::max(both.compute, memory);
  }

  CostModel cost;
  llvm::DenseSet<Operation *> live; ///< of the kernels that there were
  /// Why the kernel at hand stays apart from others, with those: said once, however often it grows.
  std::set<std::pair<Operation *, std::string>> said;
};
} // namespace

std::unique_ptr<Pass> ptc::plan::createPlanFuse(const CostModel &cost) {
  return std::make_unique<FusePass>(cost);
}
