//===- Parts.cpp - Long reductions in parts --------------------------------------------------===//
//
// In: a nest with too few results to keep a GPU busy. Out: a nest that reduces parts of the loop to
// partial results, one that reduces these, and one for what is left of the loop. Sums of parts are
// more exact, too, than one long sum.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Reductions of fewer numbers are left as they are.
static constexpr int64_t kSmall = 1 << 17;
/// Along memory, a block makes a result: blocks that are enough, and what each should have to do.
static constexpr int64_t kEnoughBlocks = 132, kEnoughRows = 64, kManyBlocks = 1024,
                         kLongForBlock = 4096;
/// Sums of products that are worth it, and what a part has at least.
static constexpr int64_t kLongForTiles = 2048, kShortForTiles = 512;
/// The same where a block shares each sum.
static constexpr int64_t kLongForNarrow = 1 << 17, kShortForNarrow = 1 << 14;
/// Across memory, a thread does.
static constexpr int64_t kEnoughThreads = 1 << 17, kManyThreads = 1 << 18, kLongForThread = 32;

namespace {
struct Cut {
  unsigned loop;
  int64_t parts, length; ///< parts * length is at most the loop's size
  int64_t rest;
  Combiner combiner;
  TypedAttr neutral;
};
} // namespace

/// Into how many parts the turns of `size` of a sum of products are cut, in which there are `turns`
/// of the whole sum; 1: none. None of them is shorter than the others.
static int64_t partsOf(const TiledProduct &product, int64_t size, int64_t turns) {
  if (2 * product.count > kEnoughBlocks ||
      turns < (product.narrow ? kLongForNarrow : kLongForTiles))
    return 1;
  int64_t parts = std::min(kEnoughBlocks / product.count,
                           turns / (product.narrow ? kShortForNarrow : kShortForTiles));
  while (parts > 1 && (size % parts || size / parts % kWideAccess)) // whole groups
    --parts;
  return parts;
}

/// Whether places depend on loop `d` by nothing but its turn.
static bool isPlain(linalg::GenericOp op, unsigned d) {
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::all_of(map.getResults(), [&](AffineExpr at) {
      return !at.isFunctionOfDim(d) || at == getAffineDimExpr(d, op.getContext());
    });
  });
}

static int64_t numResults(linalg::LinalgOp op) {
  int64_t results = 1;
  for (auto [size, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    results *= kind == utils::IteratorType::parallel ? size : 1;
  return results;
}

/// None: it stays as it is.
static std::optional<Cut> findCut(linalg::GenericOp op, bool hasMaps) {
  if (!op.getNumReductionLoops() || op.getNumDpsInits() != 1 || op.hasIndexSemantics() ||
      op.hasDynamicShape() || !op.hasPureBufferSemantics())
    return std::nullopt;
  std::optional<Combiner> combiner = findCombiner(*op.getBlock());
  if (!combiner || !combiner->neutral())
    return std::nullopt;
  TypedAttr neutral = combiner->neutral();
  std::optional<TiledProduct> product = findTiledProduct(op);
  if (product && hasMaps && fitsMaps(op))
    return std::nullopt;
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t results = numResults(op), turns = 1;
  bool along = false;
  for (unsigned e : reduced) {
    turns *= sizes[e];
    along |= llvm::any_of(op.getDpsInputOperands(),
                          [&](OpOperand *in) { return liesAlong(op, *in, e); });
  }
  if (!product && llvm::any_of(op.getIndexingMapsArray(),
                               [](AffineMap map) { return !map.isProjectedPermutation(); }))
    return std::nullopt;
  llvm::erase_if(reduced, [&](unsigned e) { return !isPlain(op, e); });
  if (results == 0 || reduced.empty())
    return std::nullopt;
  unsigned d =
      *llvm::max_element(reduced, [&](unsigned x, unsigned y) { return sizes[x] < sizes[y]; });
  int64_t size = sizes[d], parts = 1;
  if (product) {
    parts = partsOf(*product, size, turns);
  } else if (results <= kSmall && turns * results >= kSmall &&
             results < (along ? kEnoughBlocks : kEnoughThreads)) {
    int64_t most = (along ? kManyBlocks : kManyThreads) / results;
    parts = std::min({most, turns / (along ? kLongForBlock : kLongForThread), size});
  }
  if (parts < 2)
    return std::nullopt;
  auto length = int64_t(llvm::divideCeil(size, parts)); // so that the rest is shorter than a part
  parts = size / length;
  return Cut{d, parts, length, size - parts * length, std::move(*combiner), neutral};
}

/// The turns `from` to `from + count` of the loop; with `parts`, these as a loop of their own in
/// front of it.
static Value cutOperand(ImplicitLocOpBuilder &b, Value memory, AffineMap map, const Cut &cut,
                        int64_t from, int64_t count, bool inParts) {
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (!type || !map.isFunctionOfDim(cut.loop))
    return memory;
  unsigned at = map.getResultPosition(getAffineDimExpr(cut.loop, b.getContext())).value_or(0);
  SmallVector<OpFoldResult> offsets(size_t(type.getRank()), b.getIndexAttr(0)),
      strides(size_t(type.getRank()), b.getIndexAttr(1)), sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  offsets[at] = b.getIndexAttr(from);
  sizes[at] = b.getIndexAttr(count);
  Value part = memref::SubViewOp::create(b, memory, offsets, sizes, strides);
  if (!inParts)
    return part;
  SmallVector<int64_t> shape(type.getShape());
  shape[at] = cut.parts;
  shape.insert(shape.begin() + at + 1, cut.length);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < type.getRank(); ++i) {
    groups.push_back({next++});
    if (i == int64_t(at))
      groups.back().push_back(next++);
  }
  return memref::ExpandShapeOp::create(b, shape, part, groups);
}

/// The map with one loop more in front, `part`, which comes before `cut.loop` in what depends on
/// that.
static AffineMap withParts(AffineMap map, const Cut &cut) {
  AffineMap shifted = map.shiftDims(1);
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> at;
  for (AffineExpr expr : shifted.getResults()) {
    if (expr == getAffineDimExpr(cut.loop + 1, context))
      at.push_back(getAffineDimExpr(0, context));
    at.push_back(expr);
  }
  return AffineMap::get(map.getNumDims() + 1, 0, at, context);
}

static void cloneBody(linalg::GenericOp op, OpBuilder &b, ValueRange arguments) {
  IRMapping mapping;
  for (auto [from, to] : llvm::zip_equal(op.getBody()->getArguments(), arguments))
    mapping.map(from, to);
  for (Operation &inner : op.getBody()->getOperations())
    b.clone(inner, mapping);
}

/// Partial results, [part][results…], in memory of their own.
static Value reduceParts(ImplicitLocOpBuilder &b, linalg::GenericOp op, const Cut &cut) {
  auto out = cast<MemRefType>(op.getDpsInits().front().getType());
  SmallVector<int64_t> shape = {cut.parts};
  llvm::append_range(shape, out.getShape());
  Value partial = memref::AllocOp::create(b, MemRefType::get(shape, out.getElementType()));
  Value neutral = arith::ConstantOp::create(b, cut.neutral);
  linalg::FillOp::create(b, ValueRange{neutral}, ValueRange{partial});
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *in : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(in);
    inputs.push_back(cutOperand(b, in->get(), map, cut, 0, cut.parts * cut.length, true));
    maps.push_back(withParts(map, cut));
  }
  SmallVector<AffineExpr> place = {b.getAffineDimExpr(0)};
  AffineMap results = op.getMatchingIndexingMap(op.getDpsInitOperand(0)).shiftDims(1);
  llvm::append_range(place, results.getResults());
  maps.push_back(AffineMap::get(results.getNumDims(), 0, place, b.getContext()));
  SmallVector<utils::IteratorType> kinds = {utils::IteratorType::parallel};
  llvm::append_range(kinds, op.getIteratorTypesArray());
  auto parts = linalg::GenericOp::create(
      b, inputs, ValueRange{partial}, maps, kinds,
      [&](OpBuilder &inner, Location, ValueRange arguments) { cloneBody(op, inner, arguments); });
  copyPadding(op, parts);
  return partial;
}

/// Adds partial results to the result.
static void reducePartials(ImplicitLocOpBuilder &b, linalg::GenericOp op, const Cut &cut,
                           Value partial) {
  auto rank = unsigned(cast<MemRefType>(partial.getType()).getRank());
  AffineMap all = b.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds.front() = utils::IteratorType::reduction;
  linalg::GenericOp::create(b, ValueRange{partial}, op.getDpsInits(),
                            ArrayRef<AffineMap>{all, all.dropResult(0)}, kinds,
                            [&](OpBuilder &inner, Location loc, ValueRange arguments) {
                              Value made = combine(inner, cut.combiner, arguments[1], arguments[0]);
                              linalg::YieldOp::create(inner, loc, made);
                            });
}

static void reduceRest(ImplicitLocOpBuilder &b, linalg::GenericOp op, const Cut &cut) {
  SmallVector<Value> inputs;
  for (OpOperand *in : op.getDpsInputOperands())
    inputs.push_back(cutOperand(b, in->get(), op.getMatchingIndexingMap(in), cut,
                                cut.parts * cut.length, cut.rest, false));
  auto rest = linalg::GenericOp::create(
      b, inputs, op.getDpsInits(), op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location, ValueRange arguments) { cloneBody(op, inner, arguments); });
  copyPadding(op, rest);
}

void ptc::cuda::cutReductions(func::FuncOp function, bool hasMaps) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  // Rows that go on in one kernel stay whole, if there are enough of them.
  SmallVector<Operation *> all(ops.begin(), ops.end());
  DenseSet<Operation *> inRows;
  for (ArrayRef<Operation *> rest = all; !rest.empty();) {
    RowRun run = findRows(rest);
    if (run.nests.empty())
      break;
    for (RowNest nest : run.nests)
      inRows.insert(nest.op);
    rest = rest.drop_front(run.first + run.nests.size());
  }
  for (linalg::GenericOp op : ops) {
    std::optional<Cut> cut = findCut(op, hasMaps);
    if (!cut || (inRows.contains(op) && numResults(op) >= kEnoughRows))
      continue;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    // Each result has a place of its own.
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (out.getNumResults() + op.getNumReductionLoops() != out.getNumDims())
      continue;
    reducePartials(b, op, *cut, reduceParts(b, op, *cut));
    if (cut->rest)
      reduceRest(b, op, *cut);
    op.erase();
  }
}
