//===- LayoutCost.cpp - What the order of tensors costs a kernel ---------------------------===//
//
// In: a kernel, the runs of its operands and results. Out: seconds. Tensors inside lie as what is
// copied into them, or as the result that they become.
//
//===----------------------------------------------------------------------===//
#include "LayoutCost.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

//===----------------------------------------------------------------------===//
// Runs of tensors
//===----------------------------------------------------------------------===//

/// The last dimension of `dims` that has more than one entry; if none has, the last.
static int64_t lastOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  for (int64_t d : llvm::reverse(dims))
    if (shape[size_t(d)] != 1)
      return d;
  return dims.empty() ? kNoRun : dims.back();
}

static int64_t rowMajorRun(RankedTensorType type) {
  return lastOf(type.getShape(), llvm::to_vector(llvm::seq(type.getRank())));
}

int64_t plan::runOf(RankedTensorType type) {
  auto meta = dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  if (!meta || !meta.getStrides())
    return rowMajorRun(type);
  for (int64_t d = type.getRank(); d-- > 0;) {
    auto stride = dyn_cast<IntegerAttr>(meta.getStrides()[unsigned(d)]);
    if (stride && stride.getInt() == 1 && type.getDimSize(unsigned(d)) != 1)
      return d;
  }
  return kNoRun;
}

int64_t plan::runOfChannelsLast(RankedTensorType type) {
  SmallVector<int64_t> dims{0};
  llvm::append_range(dims, llvm::seq<int64_t>(2, type.getRank()));
  dims.push_back(1);
  return lastOf(type.getShape(), dims);
}

namespace {

/// Runs of the tensors inside a kernel.
class InnerRuns {
public:
  InnerRuns(KernelOp kernel, ArrayRef<int64_t> inputs, ArrayRef<int64_t> results) {
    Block &body = kernel.getBody().front();
    for (auto [arg, run] : llvm::zip_equal(body.getArguments(), inputs))
      known[arg] = run;
    for (auto [value, run] : llvm::zip_equal(body.getTerminator()->getOperands(), results))
      decide(value, run);
    for (auto insert : body.getOps<tensor::InsertSliceOp>())
      decide(insert.getResult(), of(insert.getSource()));
  }

  int64_t of(Value value) const {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return kNoRun;
    if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
      return inExpanded(expand.getReassociationIndices(), type, of(expand.getSrc()));
    if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
      return inCollapsed(collapse.getReassociationIndices(), of(collapse.getSrc()));
    return rowMajorRun(type);
  }

private:
  static int64_t inExpanded(ArrayRef<ReassociationIndices> groups, RankedTensorType type,
                            int64_t run) {
    return run == kNoRun ? kNoRun : lastOf(type.getShape(), groups[size_t(run)]);
  }
  static int64_t inCollapsed(ArrayRef<ReassociationIndices> groups, int64_t run) {
    for (auto [i, group] : llvm::enumerate(groups))
      if (llvm::is_contained(group, run))
        return int64_t(i);
    return kNoRun;
  }

  /// `value` and what it is made of in place or one by one lie so, unless that is known already.
  void decide(Value value, int64_t run) {
    Operation *op = value.getDefiningOp();
    if (!op || !known.try_emplace(value, run).second)
      return;
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      decide(insert.getDest(), run);
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      decide(collapse.getSrc(),
             inExpanded(collapse.getReassociationIndices(), collapse.getSrcType(), run));
    } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      decide(expand.getSrc(), inCollapsed(expand.getReassociationIndices(), run));
    } else if (auto loops = dyn_cast<linalg::LinalgOp>(op)) {
      decide(loops.getDpsInitOperand(cast<OpResult>(value).getResultNumber())->get(), run);
      for (OpOperand *input : loops.getDpsInputOperands())
        if (loops.getMatchingIndexingMap(input).isIdentity() &&
            loops.getNumParallelLoops() == loops.getNumLoops() &&
            isa<RankedTensorType>(input->get().getType()))
          decide(input->get(), run);
    }
  }

  llvm::DenseMap<Value, int64_t> known;
};

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

/// Elements of the widest vectors of f32, and columns that a product computes together.
constexpr double kLanes = 16, kPanel = 32;

/// What `e` grows by in a step of `loop`; none if that is no constant.
std::optional<int64_t> stepIn(AffineExpr e, unsigned loop) {
  if (auto dim = dyn_cast<AffineDimExpr>(e))
    return dim.getPosition() == loop;
  if (!e.isFunctionOfDim(loop))
    return 0;
  auto binary = cast<AffineBinaryOpExpr>(e);
  std::optional<int64_t> left = stepIn(binary.getLHS(), loop);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (left && binary.getKind() == AffineExprKind::Mul && factor)
    return *left * factor.getValue();
  std::optional<int64_t> right = stepIn(binary.getRHS(), loop);
  if (left && right && binary.getKind() == AffineExprKind::Add)
    return *left + *right;
  return std::nullopt;
}

/// One operation with loops, its operands in order.
class NestCost {
public:
  NestCost(linalg::LinalgOp op, const InnerRuns &runs, const CostModel &model)
      : op(op), runs(runs), model(model), maps(op.getIndexingMapsArray()) {
    for (int64_t size : op.getStaticLoopRanges())
      sizes.push_back(ShapedType::isDynamic(size) ? model.typicalSize : double(size));
    for (double size : sizes)
      turns *= size;
    for (auto [d, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      reduces.push_back(kind == utils::IteratorType::reduction);
  }

  double seconds() {
    double columns = op.getNumReductionLoops() && op.getNumDpsInputs() == 2 ? numColumns() : 1;
    return columns > 1 ? std::min(columnSeconds(columns), rowSeconds(columns)) : vectorSeconds();
  }

private:
  bool names(unsigned operand, unsigned loop) { return maps[operand].isFunctionOfDim(loop); }
  /// Whether vectors go along `loop`: it steps along the run of every operand that it names.
  bool goesAlong(unsigned loop) {
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned number = operand.getOperandNumber();
      bool isOutput = op.isDpsInit(&operand);
      if (!names(number, loop)) {
        if (isOutput && !reduces[loop])
          return false;
        continue;
      }
      if (isOutput && reduces[loop])
        return false;
      AffineMap map = maps[number];
      for (auto [d, place] : llvm::enumerate(map.getResults())) {
        std::optional<int64_t> step = stepIn(place, loop);
        bool isRun = int64_t(d) == runs.of(operand.get()) && step && *step >= 1 && *step <= 2;
        if (step != 0 && !isRun)
          return false;
      }
    }
    return true;
  }

  /// What lanes without work cost along `size` turns, so many at a time.
  double wasteOf(double size, double width) const {
    return turns / model.operations * (std::ceil(size / width) * width / size - 1);
  }

  /// Along the best loop; one element at a time if there is none.
  double vectorSeconds() {
    double best = turns / model.steps;
    for (unsigned d = 0; d < sizes.size(); ++d)
      if (sizes[d] > 1 && goesAlong(d))
        best = std::min(best, wasteOf(sizes[d], kLanes));
    return best;
  }

  bool isColumn(unsigned loop) { return !reduces[loop] && !names(0, loop) && names(1, loop); }
  double numColumns() {
    double count = 1;
    for (unsigned d = 0; d < sizes.size(); ++d)
      count *= isColumn(d) ? sizes[d] : 1;
    return count;
  }
  /// Whether what follows an element of the operand in memory is reached by `loop`.
  bool runsAlong(OpOperand &operand, unsigned loop) {
    int64_t run = runs.of(operand.get());
    return run != kNoRun &&
           maps[operand.getOperandNumber()].getResult(unsigned(run)).isFunctionOfDim(loop);
  }

  /// Of a sum of products: columns of the second factor in vectors, whatever its own run is; sums
  /// that do not follow each other are written one by one.
  double columnSeconds(double columns) {
    OpOperand &out = *op.getDpsInitOperand(0);
    bool isAlong = false;
    for (unsigned d = 0; d < sizes.size(); ++d)
      isAlong |= isColumn(d) && runsAlong(out, d);
    double written = isAlong ? 0 : elementsOf(out.get().getType(), model) / model.steps;
    return wasteOf(columns, kPanel) + written;
  }

  /// The same with a row of the first factor in vectors, along which sums follow each other: it is
  /// copied for each place of the window, two vectors in the time of four products. Rows of a
  /// length that only the run knows are not copied so.
  double rowSeconds(double columns) {
    constexpr double kCopy = 4;
    double best = turns / model.steps;
    for (unsigned d = 0; d < sizes.size(); ++d) {
      if (reduces[d] || names(1, d) || !runsAlong(*op.getDpsInitOperand(0), d) ||
          ShapedType::isDynamic(op.getStaticLoopRanges()[d]))
        continue;
      bool isRun = runsAlong(*op.getDpsInputOperand(0), d);
      double copied = turns / columns * (isRun ? kCopy / model.operations : 1 / model.steps);
      best = std::min(best, wasteOf(sizes[d], kPanel) + copied);
    }
    return best;
  }

  linalg::LinalgOp op;
  const InnerRuns &runs;
  const CostModel &model;
  SmallVector<AffineMap> maps;
  SmallVector<double> sizes;
  SmallVector<bool> reduces;
  double turns = 1;
};

} // namespace

double plan::layoutSeconds(KernelOp kernel, ArrayRef<int64_t> inputs, ArrayRef<int64_t> results,
                           const CostModel &model) {
  InnerRuns runs(kernel, inputs, results);
  double seconds = 0;
  for (Operation &op : kernel.getBody().front()) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      bool isCrossed = insert.getSourceType().getRank() == insert.getDestType().getRank() &&
                       runs.of(insert.getSource()) != runs.of(insert.getResult());
      seconds += isCrossed ? elementsOf(insert.getSourceType(), model) / model.steps : 0;
    } else if (auto loops = dyn_cast<linalg::LinalgOp>(op); loops && !isa<linalg::FillOp>(op)) {
      seconds += NestCost(loops, runs, model).seconds();
    }
  }
  return seconds;
}
