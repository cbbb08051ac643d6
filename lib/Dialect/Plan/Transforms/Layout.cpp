//===- Layout.cpp - plan-layout ------------------------------------------------------------===//
//
// In: kernels, their results where eager would have them. Out: what kernels alone make and read
// around convolutions lies with channels last where the kernels together are faster so; a remark
// for each result that was looked at. Inputs, weights, state and what the program returns or looks
// at stay as they are: no program sees a difference.
//
//===----------------------------------------------------------------------===//
#include "LayoutCost.h"

#include "ptc/Dialect/Plan/Transforms/Passes.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Plan/IR/Lifetimes.h"
#include "ptc/Dialect/Program/IR/SizeSymbols.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/Format.h"

namespace ptc::plan {
#define GEN_PASS_DEF_PLANLAYOUT
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace ptc::plan

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

/// Families whose code goes along whatever dimension is there for it.
static bool takesAnyOrder(KernelOp kernel) {
  switch (kernel.getFamily()) {
  case Family::Pointwise:
  case Family::Copy:
  case Family::Reduction:
  case Family::Conv:
  case Family::Window:
    return true;
  case Family::Gather:
  case Family::Rows:
  case Family::Gemm:
  case Family::Attention:
  case Family::Scan:
  case Family::Sort:
  case Family::Scatter:
    return false;
  }
  llvm_unreachable("closed enum");
}

/// `type` with channels last; null if its sizes cannot be said, or it is not row-major.
static RankedTensorType channelsLast(RankedTensorType type, sym::Context &symbols) {
  std::optional<aten::TensorMeta> meta = aten::toMeta(type, symbols);
  if (!meta || meta->strides != aten::contiguousStrides(symbols, meta->sizes))
    return {};
  meta->strides = channelsLastStrides(symbols, meta->sizes);
  return aten::toType(type.getContext(), *meta, symbols);
}

namespace {

/// A result that may lie in either order.
struct Candidate {
  Value value;
  RankedTensorType type;            ///< with channels last
  bool isLast = false;              ///< what was decided
  SmallVector<unsigned, 4> kernels; ///< that make and read it
};

/// The decision for one variant.
class Assignment {
public:
  Assignment(program::VariantOp variant, const CostModel &model) : model(model) {
    declareSymbols(variant);
    variant.walk([&](KernelOp kernel) {
      if (takesAnyOrder(kernel))
        for (Value result : kernel.getResults())
          consider(kernel, result);
    });
    for (auto [i, candidate] : llvm::enumerate(candidates))
      for (unsigned kernel : candidate.kernels)
        candidatesOf[kernel].push_back(unsigned(i));
  }

  void run() {
    for (SmallVector<unsigned> &group : groups())
      if (llvm::any_of(group, [&](unsigned i) { return touchesConvolution(candidates[i]); }))
        decide(group);
  }

  unsigned write() {
    unsigned count = 0;
    for (Candidate &candidate : candidates)
      if (candidate.isLast) {
        candidate.value.setType(candidate.type);
        ++count;
      }
    return count;
  }

private:
  void declareSymbols(program::VariantOp variant) {
    for (const program::SizeSymbol &symbol : program::sizeSymbols(variant))
      if (!symbols.findSymbol(symbol.name))
        symbols.symbol({.name = symbol.name.str()});
  }

  unsigned numberOf(KernelOp kernel) {
    auto [found, isNew] = numbers.try_emplace(kernel, unsigned(kernels.size()));
    if (isNew) {
      kernels.push_back(kernel);
      candidatesOf.emplace_back();
    }
    return found->second;
  }

  void consider(KernelOp kernel, Value result) {
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getRank() < 3)
      return;
    for (Operation *user : result.getUsers()) {
      auto reader = dyn_cast<KernelOp>(user);
      if (reader && takesAnyOrder(reader))
        continue;
      if (kernel.getFamily() == Family::Conv)
        emitRemark(kernel.getLoc(), reader ? "lies as eager has it: a kernel that reads it goes "
                                             "along its last dimension"
                                           : "lies as eager has it: not only kernels read it");
      return;
    }
    RankedTensorType last = channelsLast(type, symbols);
    if (!last || last == type)
      return;
    Candidate candidate{result, last, false, {numberOf(kernel)}};
    for (Operation *user : result.getUsers())
      if (unsigned number = numberOf(cast<KernelOp>(user));
          !llvm::is_contained(candidate.kernels, number))
        candidate.kernels.push_back(number);
    candidateOf[result] = unsigned(candidates.size());
    candidates.push_back(std::move(candidate));
  }

  bool touchesConvolution(const Candidate &candidate) {
    return llvm::any_of(candidate.kernels, [&](unsigned number) {
      return kernels[number].getFamily() == Family::Conv;
    });
  }

  /// Candidates that kernels connect.
  SmallVector<SmallVector<unsigned>> groups() {
    SmallVector<SmallVector<unsigned>> all;
    llvm::BitVector seen(unsigned(candidates.size()));
    for (unsigned first = 0; first < candidates.size(); ++first) {
      if (seen[first])
        continue;
      SmallVector<unsigned> group{first};
      seen.set(first);
      for (size_t i = 0; i < group.size(); ++i)
        for (unsigned kernel : candidates[group[i]].kernels)
          for (unsigned other : candidatesOf[kernel])
            if (!seen[other]) {
              seen.set(other);
              group.push_back(other);
            }
      all.push_back(std::move(group));
    }
    return all;
  }

  int64_t run(Value value) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return kNoRun;
    auto found = candidateOf.find(value);
    bool isLast = found != candidateOf.end() && candidates[found->second].isLast;
    return isLast ? runOfChannelsLast(type) : runOf(type);
  }
  double secondsOf(unsigned number) const {
    KernelOp kernel = kernels[number];
    auto runs = [&](auto values) {
      return llvm::map_to_vector(values, [&](Value v) { return run(v); });
    };
    return layoutSeconds(kernel, runs(kernel.getInputs()), runs(kernel.getResults()), model);
  }
  double secondsAround(const Candidate &candidate) const {
    double seconds = 0;
    for (unsigned kernel : candidate.kernels)
      seconds += secondsOf(kernel);
    return seconds;
  }
  double secondsOf(ArrayRef<unsigned> group) const {
    llvm::SmallSetVector<unsigned, 16> all;
    for (unsigned i : group)
      all.insert_range(candidates[i].kernels);
    double seconds = 0;
    for (unsigned kernel : all)
      seconds += secondsOf(kernel);
    return seconds;
  }

  /// Seconds that the other order of one candidate would save.
  double gainOfChange(Candidate &candidate) const {
    double before = secondsAround(candidate);
    candidate.isLast = !candidate.isLast;
    double after = secondsAround(candidate);
    candidate.isLast = !candidate.isLast;
    return before - after;
  }

  /// Changes one at a time as long as that saves something.
  void refine(ArrayRef<unsigned> group) {
    constexpr int kMostSweeps = 8;
    bool changes = true;
    for (int sweep = 0; changes && sweep < kMostSweeps; ++sweep) {
      changes = false;
      for (unsigned i : group)
        if (gainOfChange(candidates[i]) > kLeastGain) {
          candidates[i].isLast = !candidates[i].isLast;
          changes = true;
        }
    }
  }

  /// The better of what refining all in eager's order and all with channels last leads to.
  void decide(ArrayRef<unsigned> group) {
    auto setAll = [&](llvm::function_ref<bool(size_t)> isLast) {
      for (auto [at, i] : llvm::enumerate(group))
        candidates[i].isLast = isLast(at);
    };
    if (llvm::all_of(group, [&](unsigned i) {
          return candidates[i].type.getElementTypeBitWidth() <= model.channelsLastBits;
        })) {
      setAll([](size_t) { return true; });
      for (unsigned i : group)
        emitRemark(candidates[i].value.getLoc(),
                   "lies with channels last: matrix instructions read it so");
      return;
    }
    refine(group);
    double asEager = secondsOf(group);
    SmallVector<bool> kept;
    for (unsigned i : group)
      kept.push_back(candidates[i].isLast);
    setAll([](size_t) { return true; });
    refine(group);
    if (secondsOf(group) + kLeastGain > asEager)
      setAll([&](size_t at) { return kept[at]; });
    for (unsigned i : group)
      report(candidates[i]);
  }

  void report(Candidate &candidate) const {
    std::string text;
    llvm::raw_string_ostream os(text);
    double microseconds = -gainOfChange(candidate) * 1e6;
    os << (candidate.isLast ? "lies with channels last" : "lies as eager has it")
       << ": the other way would cost the kernels that make and read it "
       << llvm::format("%.1f us more", microseconds);
    emitRemark(candidate.value.getLoc(), text);
  }

  /// Less is no reason for a change.
  static constexpr double kLeastGain = 1e-9;

  const CostModel &model;
  sym::Context symbols;
  SmallVector<KernelOp, 0> kernels;
  SmallVector<SmallVector<unsigned>, 0> candidatesOf; ///< by kernel
  SmallVector<Candidate, 0> candidates;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<Value, unsigned> candidateOf;
};

struct LayoutPass : plan::impl::PlanLayoutBase<LayoutPass> {
  LayoutPass() = default;
  explicit LayoutPass(const CostModel &cost) : cost(cost) {}

  void runOnOperation() override {
    getOperation().walk([&](program::VariantOp variant) {
      Assignment assignment(variant, cost);
      assignment.run();
      changed += assignment.write();
    });
  }

private:
  CostModel cost;
};

} // namespace

std::unique_ptr<Pass> ptc::plan::createPlanLayout(const CostModel &cost) {
  return std::make_unique<LayoutPass>(cost);
}
