//===- KernelRows.cpp - What a plan shows of its kernels ---------------------------------===//
//
// In: a variant behind phase fuse or plan, a machine. Out: a row per kernel.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/IR/KernelRows.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Plan/IR/Lifetimes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

SmallVector<KernelOp> plan::kernelsOf(program::VariantOp variant) {
  SmallVector<KernelOp> kernels;
  variant.walk<WalkOrder::PreOrder>([&](KernelOp kernel) {
    kernels.push_back(kernel);
    return WalkResult::skip();
  });
  return kernels;
}

//===----------------------------------------------------------------------===//
// Where it comes from
//===----------------------------------------------------------------------===//

static SourceLoc placeOfLocation(Location loc) {
  SourceLoc place;
  if (auto file = loc->findInstanceOf<FileLineColLoc>()) {
    place.file = file.getFilename().str();
    place.line = file.getLine();
    place.column = file.getColumn();
  }
  return place;
}

static void collect(Location loc, StringRef name, std::vector<FusedOperation> &out) {
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      collect(part, name, out);
    return;
  }
  if (auto named = dyn_cast<NameLoc>(loc))
    return collect(named.getChildLoc(), named.getName(), out);
  FusedOperation operation{name.str(), placeOfLocation(loc)};
  bool isKnown = !operation.name.empty() || operation.loc.isKnown();
  if (isKnown && !llvm::is_contained(out, operation))
    out.push_back(std::move(operation));
}

std::vector<FusedOperation> plan::operationsAt(Location loc) {
  std::vector<FusedOperation> out;
  collect(loc, "", out);
  return out;
}

//===----------------------------------------------------------------------===//
// What it does
//===----------------------------------------------------------------------===//

static double turnsOf(linalg::LinalgOp loops, const CostModel &model) {
  double turns = 1;
  for (int64_t size : loops.getStaticLoopRanges())
    turns *= ShapedType::isDynamic(size) ? model.typicalSize : double(size);
  return turns;
}

/// The size of dimension `d` of an operand of `kernel` as its type names it; empty: it does not.
static std::string sizeName(Value operand, unsigned d) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  auto meta = type ? dyn_cast_or_null<aten::MetaAttr>(type.getEncoding()) : aten::MetaAttr();
  if (!meta || !meta.getSizes())
    return "";
  auto name = dyn_cast<aten::ExprAttr>(meta.getSizes()[d]);
  return name ? name.getText().str() : "";
}

/// What a loop's size is called outside of the kernel; `?` if nothing there has it.
static std::string nameOfLoop(KernelOp kernel, linalg::LinalgOp loops, unsigned loop) {
  Operation *yield = kernel.getBody().front().getTerminator();
  auto outside = [&](OpOperand &operand) -> Value {
    if (auto argument = dyn_cast<BlockArgument>(operand.get()))
      return argument.getOwner() == yield->getBlock() ? kernel.getInputs()[argument.getArgNumber()]
                                                      : Value();
    if (!loops.isDpsInit(&operand))
      return {};
    for (auto [given, result] : llvm::zip_equal(yield->getOperands(), kernel.getResults()))
      if (given == loops.getTiedOpResult(&operand))
        return result;
    return {};
  };
  for (OpOperand &operand : loops->getOpOperands()) {
    Value value = outside(operand);
    if (!value)
      continue;
    for (auto [d, place] : llvm::enumerate(loops.getMatchingIndexingMap(&operand).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(place); dim && dim.getPosition() == loop)
        if (std::string name = sizeName(value, unsigned(d)); !name.empty())
          return name;
  }
  return "?";
}

static void readSpace(KernelRow &row, const CostModel &model) {
  linalg::LinalgOp largest;
  double most = -1;
  row.kernel.getBody().walk([&](linalg::LinalgOp loops) {
    double turns = turnsOf(loops, model);
    // Of equal ones that which sums: filling its result takes as many turns where it sums over one.
    if (turns > most || (turns == most && loops.getNumReductionLoops())) {
      largest = loops;
      most = turns;
    }
  });
  if (!largest)
    return;
  auto kinds = largest.getIteratorTypesArray();
  for (auto [loop, size] : llvm::enumerate(largest.getStaticLoopRanges())) {
    std::string text = ShapedType::isDynamic(size) ? nameOfLoop(row.kernel, largest, unsigned(loop))
                                                   : std::to_string(size);
    bool reduces = kinds[loop] == utils::IteratorType::reduction;
    (reduces ? row.reduced : row.space).push_back(std::move(text));
  }
}

//===----------------------------------------------------------------------===//
// Where its results lie
//===----------------------------------------------------------------------===//

namespace {
/// When values are needed, in numbers of kernels.
class NeededFor {
public:
  NeededFor(program::VariantOp variant, ArrayRef<KernelOp> kernels) : lifetimes(variant) {
    for (KernelOp kernel : kernels)
      positions.push_back(lifetimes.positionOf(kernel));
    for (const Buffer &buffer : lifetimes.buffers())
      if (!buffer.isStaging)
        last[buffer.value] = buffer.last;
  }

  /// The last kernel that runs before `result` is no longer needed.
  unsigned lastKernel(Value result, unsigned made) const {
    auto found = last.find(result);
    if (found == last.end())
      return made;
    const auto *behind = llvm::upper_bound(positions, found->second);
    return std::max(made, unsigned(behind - positions.begin()) - 1);
  }

private:
  Lifetimes lifetimes;
  SmallVector<int64_t> positions; ///< of kernels
  llvm::DenseMap<Value, int64_t> last;
};
} // namespace

static void readPlaces(KernelRow &row, const NeededFor &needed) {
  for (Value result : row.kernel.getResults()) {
    PlaceAttr place = placeOf(result);
    if (!place)
      return;
    ResultPlace &made = row.places.emplace_back();
    made.kind = place.getKind();
    made.at = place.getAt().str();
    made.bytes = place.getBytes().str();
    if (place.getOver() >= 0)
      made.over = unsigned(place.getOver());
    made.firstKernel = row.number;
    made.lastKernel = needed.lastKernel(result, row.number);
  }
}

std::vector<KernelRow> plan::kernelRows(program::VariantOp variant, const CostModel &model) {
  std::vector<KernelRow> rows;
  SmallVector<KernelOp> kernels = kernelsOf(variant);
  NeededFor needed(variant, kernels);
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    KernelRow &row = rows.emplace_back();
    row.number = unsigned(i);
    row.kernel = kernel;
    row.family = kernel.getFamily();
    row.operations = operationsAt(kernel.getLoc());
    row.cost = costOf(kernel, model);
    readSpace(row, model);
    readPlaces(row, needed);
  }
  return rows;
}
