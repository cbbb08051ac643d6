//===- AtenToKernels.cpp - aten-to-kernels ------------------------------------------------===//
//
// In: a module of any phase up to core. Out: the same with plan.kernel for the aten operations that
// some family takes.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

#include "ptc/Conversion/Passes.h"
#include "ptc/Dialect/Aten/IR/Refused.h"
#include "ptc/Dialect/Program/IR/Program.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ptc {
#define GEN_PASS_DEF_ATENTOKERNELS
#include "ptc/Conversion/Passes.h.inc"
} // namespace ptc

using namespace mlir;
using namespace ptc;

/// By shape rule; none for rules that no family takes.
static Converter findConverter(aten::ShapeRule rule) {
  for (ArrayRef<ConverterRow> rows :
       {getPointwiseRows(), getReductionRows(), getGemmRows(), getRowsRows(), getAttentionRows(),
        getCopyRows(), getGatherRows(), getCreateRows(), getConvRows(), getWindowRows(),
        getScanRows(), getSortRows(), getLossRows(), getScatterRows()})
    for (const ConverterRow &row : rows)
      if (row.rule == rule)
        return row.convert;
  return nullptr;
}

/// Eager raises for integers, or for indices of what has no elements.
static bool mayRaiseWhereEmpty(aten::ShapeRule rule) {
  using S = aten::ShapeRule;
  return llvm::is_contained({S::Norm, S::Scatter, S::IndexAdd, S::IndexFill, S::IndexPut,
                             S::MaskedScatter, S::IndexTensors, S::IndexSelect, S::Embedding},
                            rule);
}

static bool hasNoElements(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return llvm::is_contained(tensor.getShape(), 0) && !isa<ComplexType>(tensor.getElementType());
}

/// Nothing is computed, and nothing is read that eager could raise for.
static LogicalResult convertToEmpty(KernelBuilder &k) {
  SmallVector<Tensor, 2> results;
  for (unsigned i = 0; i < k.op->getNumResults(); ++i) {
    std::optional<Sizes> sizes = k.resultSizes(i);
    if (!sizes)
      return k.refuse("a size of the result is no input's");
    results.push_back(k.empty(*sizes, k.resultDType(i)));
  }
  return k.finish(plan::Family::Copy, results);
}

namespace {

/// Keeps why the last operation was refused.
struct Reasons : RewriterBase::Listener {
  void notifyMatchFailure(Location loc, function_ref<void(mlir::Diagnostic &)> say) override {
    mlir::Diagnostic diag(loc, DiagnosticSeverity::Remark);
    say(diag);
    last = diag.str();
  }
  std::string last;
};

struct AtenToKernel : RewritePattern {
  AtenToKernel(MLIRContext *context, Reasons &reasons)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context), reasons(reasons) {}

  Reasons &reasons;

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto overload = dyn_cast<aten::AtenOp>(op);
    if (!overload)
      return failure();
    const aten::OpInfo &info = overload.getInfo();
    if (info.has(aten::OpFlag::Random) && info.shapeRule != aten::ShapeRule::Dropout)
      return rewriter.notifyMatchFailure(op, "it draws random numbers");
    bool givesTensors =
        llvm::all_of(op->getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); });
    if (op->getNumResults() == 0 || (!givesTensors && !info.has(aten::OpFlag::HostRead)))
      return rewriter.notifyMatchFailure(op, "its result is no tensor");
    Converter convert = info.payload.empty() ? findConverter(info.shapeRule) : convertPayload;
    if (convert && givesTensors && !mayRaiseWhereEmpty(info.shapeRule) &&
        llvm::all_of(op->getResultTypes(), hasNoElements))
      convert = convertToEmpty;
    if (!convert)
      return rewriter.notifyMatchFailure(op, "no family takes its shape rule");
    rewriter.setInsertionPoint(op);
    KernelBuilder kernel(op, rewriter);
    reasons.last.clear();
    LogicalResult made = convert(kernel);
    if (failed(made) && !reasons.last.empty())
      op->setAttr(aten::kRefusedAttr, rewriter.getStringAttr(reasons.last));
    return made;
  }
};

struct AtenToKernelsPass : ptc::impl::AtenToKernelsBase<AtenToKernelsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    Reasons reasons;
    patterns.add<AtenToKernel>(&getContext(), reasons);
    walkAndApplyPatterns(getOperation(), std::move(patterns), &reasons);
    getOperation()->walk([&](plan::KernelOp) { ++kernels; });
  }
};

} // namespace
