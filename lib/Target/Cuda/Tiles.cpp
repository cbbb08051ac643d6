//===- Tiles.cpp - Sums of products in tiles -------------------------------------------------===//
//
// In: a nest whose body adds the product of two inputs: a matrix product with any batch loops, a
// convolution; what fills its results first, and what is computed of them. Out: blocks that make a
// tile of the result each, one after the other. How a tile is made is the business of `FmaTiles`,
// `MatrixTiles` and `NarrowTiles`.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Of a block.
static constexpr int64_t kThreads = 256, kThreadsByMatrix = 128;
/// Sums that are shorter are not worth a tile.
static constexpr int64_t kShortSum = 8;

namespace {
struct Tile {
  int64_t size;
  int64_t fewest;         ///< so many tiles keep a GPU busy
  int64_t fewestByMatrix; ///< the same, where larger ones are worth more
};
} // namespace
/// The best first.
static constexpr Tile kTiles[] = {{128, 120, 60}, {64, 60, 60}, {32, 100, 1}};

/// The argument that is converted, or is, `v`.
static BlockArgument sourceOf(Value v) {
  if (auto extended = v.getDefiningOp<arith::ExtFOp>())
    v = extended.getIn();
  return dyn_cast<BlockArgument>(v);
}

int64_t ptc::cuda::elementBytesOf(const TiledProduct &product) {
  return cast<MemRefType>(product.rows->get().getType()).getElementTypeBitWidth() / 8;
}

bool ptc::cuda::isSumOfProducts(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !op.getNumReductionLoops())
    return false;
  Block &body = *op.getBlock();
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || !(add.getType().isF32() || add.getType().isF64()))
    return false;
  Value total = body.getArgument(2);
  auto product =
      (add.getLhs() == total ? add.getRhs() : add.getLhs()).getDefiningOp<arith::MulFOp>();
  if ((add.getLhs() != total && add.getRhs() != total) || !product)
    return false;
  BlockArgument x = sourceOf(product.getLhs()), y = sourceOf(product.getRhs());
  if (!x || !y || x == y || x == total || y == total || !llvm::hasSingleElement(add->getUses()))
    return false;
  return llvm::all_of(op.getDpsInputOperands(),
                      [](OpOperand *in) { return isa<MemRefType>(in->get().getType()); });
}

/// Whether there are matrix instructions for its inputs, which both are f16 or bf16, or f32 that
/// may be as exact as tf32.
static bool isForMatrices(linalg::LinalgOp op) {
  auto element = [&](unsigned i) {
    return cast<MemRefType>(op.getDpsInputs()[i].getType()).getElementType();
  };
  Type result = cast<MemRefType>(op.getDpsInits().front().getType()).getElementType();
  bool isFor = element(0).isF16() || element(0).isBF16() ||
               (element(0).isF32() && op->getParentOfType<func::FuncOp>()->hasAttr(kTf32Attr));
  return result.isF32() && element(0) == element(1) && isFor;
}

/// With loops that go through neighbours in memory as the innermost ones.
static TiledProduct putTogether(linalg::LinalgOp op, TiledProduct product) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (OpOperand *in : op.getDpsInputOperands())
    for (auto *loops : {&product.sum, &product.ofRows, &product.ofColumns}) {
      unsigned *found = llvm::find_if(
          *loops, [&](unsigned d) { return ranges[d] != 1 && liesAlong(op, *in, d); });
      if (found != loops->end())
        std::rotate(found, found + 1, loops->end());
    }
  return product;
}

int64_t ptc::cuda::extentOf(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  int64_t extent = 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned d : loops)
    extent *= ShapedType::isDynamic(sizes[d]) ? kTypicalSize : sizes[d];
  return extent;
}

int64_t ptc::cuda::extentOf(linalg::LinalgOp op) {
  return extentOf(op, llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops())));
}

std::optional<TiledProduct> ptc::cuda::findTiledProduct(linalg::LinalgOp op) {
  if (!isSumOfProducts(op))
    return std::nullopt;
  OpOperand *first = op.getDpsInputOperand(0), *second = op.getDpsInputOperand(1),
            *out = op.getDpsInitOperand(0);
  TiledProduct product{first, second, {}, {}, {}, {}};
  bool isFirstAlongOut = false;
  auto along = op->getAttrOfType<IntegerAttr>(kAlongAttr);
  for (auto [d, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool inFirst = op.getMatchingIndexingMap(first).isFunctionOfDim(unsigned(d)),
         inSecond = op.getMatchingIndexingMap(second).isFunctionOfDim(unsigned(d)),
         inOut = op.getMatchingIndexingMap(out).isFunctionOfDim(unsigned(d));
    if (inOut != (kind == utils::IteratorType::parallel))
      return std::nullopt;
    auto &loops = !inOut                ? product.sum
                  : inFirst == inSecond ? product.batch
                  : inFirst             ? product.ofRows
                                        : product.ofColumns;
    loops.push_back(unsigned(d));
    isFirstAlongOut |= inFirst && !inSecond &&
                       (along ? along.getInt() == int64_t(d) : liesAlong(op, *out, unsigned(d)));
  }
  if (extentOf(op, product.sum) < kShortSum)
    return std::nullopt;
  if (isFirstAlongOut) { // neighbours among the results are columns
    std::swap(product.rows, product.columns);
    std::swap(product.ofRows, product.ofColumns);
  }
  TiledProduct together = putTogether(op, product);
  if (std::optional<TiledProduct> narrow = findNarrowProduct(op, together))
    return narrow;
  if (product.ofRows.empty() || product.ofColumns.empty())
    return std::nullopt;
  int64_t rows = extentOf(op, product.ofRows), columns = extentOf(op, product.ofColumns),
          batch = extentOf(op, product.batch);
  bool isWide = cast<MemRefType>(out->get().getType()).getElementType().isF64();
  if (isForMatrices(op)) {
    product = together;
    product.byMatrix = true;
  }
  for (const Tile &tile : kTiles) {
    int64_t count = batch * int64_t(llvm::divideCeil(rows, tile.size)) *
                    int64_t(llvm::divideCeil(columns, tile.size));
    // Half a large tile by matrix instructions is faster than a whole small one.
    int64_t least = product.byMatrix ? tile.size / 2 : tile.size / 2 + 1;
    bool isFull = rows >= least && columns >= least;
    bool isEnough = count >= (product.byMatrix ? tile.fewestByMatrix : tile.fewest);
    if (product.byMatrix && tile.size == kTiles[std::size(kTiles) - 1].size)
      isFull = rows > 1 && columns > 1;
    if (!isEnough || !isFull || (isWide && tile.size > 64)) // of registers
      continue;
    product.size = product.width = tile.size;
    product.threads = product.byMatrix ? kThreadsByMatrix : kThreads;
    product.count = count;
    return product;
  }
  return std::nullopt;
}

static Value constant(ImplicitLocOpBuilder &b, int64_t v) {
  return arith::ConstantIndexOp::create(b, v);
}

static Value sizeOf(ImplicitLocOpBuilder &b, ArrayRef<unsigned> loops, ArrayRef<Value> sizes) {
  Value size = constant(b, 1);
  for (unsigned d : loops)
    size = arith::MulIOp::create(b, size, sizes[d]);
  return size;
}

Value ptc::cuda::countTiles(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
                            const TiledProduct &product) {
  SmallVector<Value> sizes = loopSizes(b, op);
  Value count = sizeOf(b, product.batch, sizes);
  for (auto [side, extent] : {std::pair(ArrayRef(product.ofRows), product.size),
                              std::pair(ArrayRef(product.ofColumns), product.width)})
    count = arith::MulIOp::create(
        b, count,
        Value(arith::CeilDivUIOp::create(b, sizeOf(b, side, sizes), constant(b, extent))));
  return count;
}

//===----------------------------------------------------------------------===//
// What comes in front and behind
//===----------------------------------------------------------------------===//

Value ptc::cuda::seenThrough(Value memory) {
  while (auto view = memory.getDefiningOp<memref::CollapseShapeOp>()) {
    auto type = cast<MemRefType>(view.getSrc().getType());
    bool dropsOnes = llvm::all_of(view.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
      return llvm::count_if(group, [&](int64_t d) { return type.getDimSize(d) != 1; }) <= 1;
    });
    if (!dropsOnes)
      break;
    memory = view.getSrc();
  }
  return memory;
}

SmallVector<unsigned> ptc::cuda::dimensionsThrough(Value view) {
  auto collapse = view.getDefiningOp<memref::CollapseShapeOp>();
  if (!collapse || seenThrough(view) == view) {
    auto rank = unsigned(cast<MemRefType>(view.getType()).getRank());
    return llvm::to_vector(llvm::seq(0u, rank));
  }
  SmallVector<unsigned> outer = dimensionsThrough(collapse.getSrc()), inner;
  auto type = cast<MemRefType>(collapse.getSrc().getType());
  for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
    const int64_t *wide = llvm::find_if(group, [&](int64_t d) { return type.getDimSize(d) != 1; });
    inner.push_back(outer[size_t(wide == group.end() ? group.front() : *wide)]);
  }
  return inner;
}

OpOperand *ptc::cuda::findRead(linalg::LinalgOp op, Value memory) {
  if (!op || op.getNumReductionLoops() || op.getNumDpsInits() != 1)
    return nullptr;
  OpOperand *read = nullptr, *out = op.getDpsInitOperand(0);
  for (OpOperand &operand : op->getOpOperands()) {
    if (seenThrough(operand.get()) != memory)
      continue;
    if (read)
      return nullptr;
    read = &operand;
  }
  bool isIt = read && op.getMatchingIndexingMap(read).isPermutation() &&
              op.getMatchingIndexingMap(out).isPermutation() &&
              (read == out || (op.getMatchingBlockArgument(out).use_empty() &&
                               seenThrough(out->get()) == out->get()));
  return isIt ? read : nullptr;
}

/// The place of what `operand` has, in the same way.
static AffineMap placeOfOther(linalg::LinalgOp next, OpOperand &read, AffineMap place,
                              OpOperand &operand) {
  AffineMap map = next.getMatchingIndexingMap(&read);
  SmallVector<AffineExpr> turns(map.getNumDims());
  for (auto [i, dimension] : llvm::enumerate(dimensionsThrough(read.get())))
    turns[map.getDimPosition(unsigned(i))] = place.getResult(dimension);
  return next.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(turns, {}, place.getNumDims(),
                                                                     0);
}

AffineMap ptc::cuda::placeBehind(linalg::LinalgOp next, OpOperand &read, AffineMap place) {
  OpOperand *written = next.getDpsInitOperand(0);
  return written == &read ? place : placeOfOther(next, read, place, *written);
}

bool ptc::cuda::fills(linalg::LinalgOp op, Value memory) {
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getDpsInits().front() != memory || op.getNumReductionLoops())
    return false;
  OpOperand *in = op.getDpsInputOperand(0);
  return !isa<MemRefType>(in->get().getType()) &&
         op.getBlock()->getTerminator()->getOperand(0) == op.getMatchingBlockArgument(in);
}

bool ptc::cuda::isOwnOf(Value memory, ArrayRef<Operation *> ops) {
  if (!memory.getDefiningOp<memref::AllocOp>() && !memory.getDefiningOp<memref::CollapseShapeOp>())
    return false;
  return llvm::all_of(memory.getUsers(), [&](Operation *user) {
    if (auto view = dyn_cast<memref::CollapseShapeOp>(user))
      return isOwnOf(view.getResult(), ops);
    return llvm::is_contained(ops, user);
  });
}

Flow ptc::cuda::flowOf(const Step &step) {
  Flow flow{cast<linalg::LinalgOp>(step.op).getDpsInits().front(), {}, {}};
  for (linalg::LinalgOp end : step.ends) {
    flow.reads.push_back(findRead(end, flow.memory));
    Value out = seenThrough(end.getDpsInits().front());
    if (out != flow.memory)
      flow.left.push_back(flow.memory);
    flow.memory = out;
  }
  return flow;
}

SmallVector<Value> ptc::cuda::memoryLeft(const Step &step) {
  SmallVector<Value> left;
  for (const RowNest &nest : step.rows)
    if (!nest.isKept)
      left.push_back(cast<linalg::LinalgOp>(*nest.op).getDpsInits().front());
  for (Operation *op : step.scores)
    left.push_back(cast<linalg::LinalgOp>(op).getDpsInits().front());
  if (!step.ends.empty())
    left.append(flowOf(step).left);
  return left;
}

/// Takes the nests at the front of `ops` into the kernel of a product that computes of its results:
/// how many.
static size_t joinEnds(Step &step, ArrayRef<Operation *> ops) {
  for (auto [i, op] : llvm::enumerate(ops)) {
    Value memory = flowOf(step).memory;
    auto next = dyn_cast<linalg::LinalgOp>(op);
    if (!findRead(next, memory))
      return i;
    Step longer = step;
    longer.ends.push_back(next);
    // Nobody else reads what is not written any more.
    if (flowOf(longer).memory != memory && !isOwnOf(memory, longer.all()))
      return i;
    step = longer;
  }
  return ops.size();
}

/// What fills the results of a step goes from `steps` to it, if nobody uses them in between.
static void takeFill(Step &step, SmallVectorImpl<Step> &steps) {
  Value out = cast<linalg::LinalgOp>(step.op).getDpsInits().front(), root = rootOf(out);
  auto usesIt = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value v) { return rootOf(v) == root; });
  };
  for (size_t before = steps.size(); before-- > 0;) {
    Step &other = steps[before];
    if (other.rows.empty() && fills(dyn_cast<linalg::LinalgOp>(other.op), out)) {
      step.start = other.op;
      steps.erase(steps.begin() + ptrdiff_t(before));
      return;
    }
    if (llvm::any_of(other.all(), usesIt))
      return;
  }
}

/// Whether threads of a nest that reduces may take what its results were filled with for what they
/// find there: each is written, by one turn of the parallel loops.
static bool beginsWithFill(linalg::LinalgOp nest) {
  if (!nest.getNumReductionLoops() || nest.getNumDpsInits() != 1 || !nest.hasPureBufferSemantics())
    return false;
  AffineMap out = nest.getMatchingIndexingMap(nest.getDpsInitOperand(0));
  SmallVector<unsigned> parallel;
  nest.getParallelDims(parallel);
  return out.isProjectedPermutation() && out.getNumResults() == parallel.size() &&
         llvm::all_of(parallel, [&](unsigned d) { return out.isFunctionOfDim(d); });
}

SmallVector<Step> ptc::cuda::joinSteps(ArrayRef<Operation *> ops) {
  SmallVector<Step> steps;
  RowRun rows = findRows(ops);
  for (size_t i = 0; i < ops.size(); ++i) {
    Step step{ops[i]};
    if (rows.first < i) { // a product took its first nests
      rows = findRows(ops.drop_front(i));
      rows.first += i;
    }
    if (!rows.nests.empty() && rows.first == i) {
      step.rows = rows.nests;
      steps.push_back(step);
      i += rows.nests.size() - 1;
      continue;
    }
    auto nest = dyn_cast<linalg::LinalgOp>(ops[i]);
    std::optional<TiledProduct> product = nest ? findTiledProduct(nest) : std::nullopt;
    if (product) {
      takeFill(step, steps);
      // Scores of one query are few: it is not worth a tile of an attention.
      bool isOne = product->narrow && (*product->narrow ? product->width : product->size) == 1;
      if (size_t count = step.start && !isOne ? countScores(step.start, ops.drop_front(i)) : 0) {
        Step whole{ops[i + count - 1]};
        whole.scores = {step.start};
        whole.scores.append(ops.begin() + ptrdiff_t(i), ops.begin() + ptrdiff_t(i + count - 1));
        Value out = cast<linalg::LinalgOp>(whole.op).getDpsInits().front();
        Operation **fill = llvm::find_if(whole.scores, [&](Operation *op) {
          return fills(dyn_cast<linalg::LinalgOp>(op), out);
        });
        if (fill != whole.scores.end()) {
          whole.start = *fill;
          whole.scores.erase(fill);
          size_t taken = joinEnds(whole, ops.drop_front(i + count));
          if (fitsAttention(whole)) {
            steps.push_back(whole);
            i += count - 1 + taken;
            continue;
          }
        }
      }
      if (step.start)
        i += joinEnds(step, ops.drop_front(i + 1));
    } else if (nest && beginsWithFill(nest)) {
      takeFill(step, steps);
    }
    steps.push_back(step);
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

TileEmitter::TileEmitter(const Step &step, const TiledProduct &product)
    : step(step), flow(flowOf(step)), op(cast<linalg::LinalgOp>(step.op)), product(product),
      b(op.getLoc(), op), sizes(loopSizes(b, op)),
      type(cast<MemRefType>(op.getDpsInits().front().getType()).getElementType()) {}

Value TileEmitter::constant(int64_t v) { return ::constant(b, v); }

void TileEmitter::emit() {
  indices.resize(sizes.size());
  thread = threadOfBlock(b);
  depth = sizeOf(b, product.sum, sizes);
  sides[0] = makeSide(product.rows, product.ofRows, product.size);
  sides[1] = makeSide(product.columns, product.ofColumns, product.width);
  begin();
  emitTiles();
  SmallVector<Operation *> done = step.all();
  for (Operation *each : llvm::reverse(done))
    each->erase();
}

void TileEmitter::emitTiles() {
  forTiles({}, {}, {}, [&](ValueRange) {
    emitTile();
    return SmallVector<Value>();
  });
}

void TileEmitter::forTiles(Value first, Value step, ValueRange carried,
                           llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  Value count = countTiles(b, op, product);
  auto loop = scf::ForOp::create(b, first ? first : blockNumber(b), count,
                                 step ? step : numBlocks(b), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  beginTile(loop.getInductionVar());
  SmallVector<Value> next = body(loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(b, next);
}

bool ptc::cuda::isAlongSum(linalg::LinalgOp op, const TiledProduct &product, OpOperand *operand,
                           ArrayRef<unsigned> loops) {
  auto along = [&](unsigned d) { return liesAlong(op, *operand, d); };
  return llvm::any_of(product.sum, along) && llvm::none_of(loops, along);
}

TileSide TileEmitter::makeSide(OpOperand *operand, ArrayRef<unsigned> loops, int64_t tile) {
  bool alongSum = isAlongSum(op, product, operand, loops);
  return {operand, loops, tile, sizeOf(b, loops, sizes), Value(), alongSum};
}

void TileEmitter::beginTile(Value number) {
  for (TileSide *side : {&sides[1], &sides[0]}) {
    Value tile = constant(side->tile);
    Value count = arith::CeilDivUIOp::create(b, side->extent, tile);
    side->first = arith::MulIOp::create(b, Value(arith::RemUIOp::create(b, number, count)), tile);
    number = arith::DivUIOp::create(b, number, count);
  }
  takeApart(b, number, product.batch, sizes, indices);
}

bool TileEmitter::isWhole(const TileSide &side) {
  SmallVector<int64_t> known = op.getStaticLoopRanges();
  int64_t extent = 1;
  for (unsigned d : side.loops) {
    if (ShapedType::isDynamic(known[d]))
      return false;
    extent *= known[d];
  }
  return extent % side.tile == 0;
}

Value TileEmitter::exists(const TileSide &side, Value turn, Value step) {
  auto isLess = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  };
  Value isThere = isLess(step, depth);
  if (!isWhole(side))
    isThere = arith::AndIOp::create(b, isThere, isLess(turn, side.extent));
  Value inside = isInside(b, op, *side.operand, turnsAt(side, turn, step));
  return inside ? Value(arith::AndIOp::create(b, isThere, inside)) : isThere;
}

SmallVector<Value> TileEmitter::turnsAt(const TileSide &side, Value turn, Value step) {
  SmallVector<Value> at = indices;
  takeApart(b, turn, side.loops, sizes, at);
  takeApart(b, step, product.sum, sizes, at);
  return at;
}

SmallVector<Value> TileEmitter::place(const TileSide &side, Value turn, Value step) {
  return placeOf(b, op.getMatchingIndexingMap(side.operand), turnsAt(side, turn, step));
}

void TileEmitter::visit(ArrayRef<Value> rows, ArrayRef<Value> columns,
                        llvm::function_ref<void(ValueRange, size_t, size_t)> use) {
  for (auto [r, row] : llvm::enumerate(rows))
    for (auto [c, column] : llvm::enumerate(columns)) {
      SmallVector<Value> at = indices;
      Value isThere;
      for (auto [side, inTile] : {std::pair(&sides[0], row), std::pair(&sides[1], column)}) {
        Value turn = arith::AddIOp::create(b, side->first, inTile);
        takeApart(b, turn, side->loops, sizes, at);
        if (isWhole(*side))
          continue;
        Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, turn, side->extent);
        isThere = isThere ? Value(arith::AndIOp::create(b, isThere, inside)) : inside;
      }
      // Loops of the sum do not show in the place.
      for (unsigned d : product.sum)
        at[d] = constant(0);
      OpBuilder::InsertionGuard guard(b);
      if (isThere)
        b.setInsertionPointToStart(
            scf::IfOp::create(b, isThere, /*withElseRegion=*/false).thenBlock());
      use(at, r, c);
    }
}

void TileEmitter::finish(ArrayRef<Value> rows, ArrayRef<Value> columns,
                         llvm::function_ref<Value(size_t row, size_t column)> total) {
  visit(rows, columns, [&](ValueRange at, size_t r, size_t c) {
    atRow(rows[r]);
    Result result = resultAt(at, total(r, c));
    memref::StoreOp::create(b, result.number, result.memory, result.place);
  });
}

std::pair<AffineMap, Value>
TileEmitter::followEnds(llvm::function_ref<void(OpOperand &, AffineMap)> use) {
  OpOperand *out = op.getDpsInitOperand(0);
  AffineMap place = op.getMatchingIndexingMap(out);
  Value memory = out->get();
  for (auto [each, read] : llvm::zip_equal(step.ends, flow.reads)) {
    linalg::LinalgOp end = each;
    for (OpOperand &operand : end->getOpOperands())
      if (&operand != read && !end.getMatchingBlockArgument(&operand).use_empty())
        use(operand, placeOfOther(end, *read, place, operand));
    place = placeBehind(end, *read, place);
    if (OpOperand *written = end.getDpsInitOperand(0); written != read)
      memory = written->get();
  }
  return {place, memory};
}

/// What the results held is added at the end: they begin as 0.
TileEmitter::Result TileEmitter::resultAt(ValueRange at, Value number) {
  OpOperand *out = op.getDpsInitOperand(0);
  Value memory = out->get();
  SmallVector<Value> place = placeOf(b, op.getMatchingIndexingMap(out), SmallVector<Value>(at));
  Value held = step.start ? cast<linalg::LinalgOp>(step.start).getDpsInputs().front()
                          : Value(memref::LoadOp::create(b, memory, place));
  number = arith::AddFOp::create(b, held, number);
  for (size_t e = 0; e < step.ends.size(); ++e) {
    linalg::LinalgOp end = step.ends[e];
    OpOperand *read = flow.reads[e];
    SmallVector<Value> turns(end.getNumLoops());
    AffineMap map = end.getMatchingIndexingMap(read);
    for (auto [i, dimension] : llvm::enumerate(dimensionsThrough(read->get())))
      turns[map.getDimPosition(unsigned(i))] = place[dimension];
    number = computeEnd(end, *read, turns, number);
    OpOperand *written = end.getDpsInitOperand(0);
    if (written == read)
      continue; // in place
    memory = written->get();
    place = placeOf(b, end.getMatchingIndexingMap(written), turns);
  }
  return {number, memory, place};
}

/// What a nest makes of `number`, which it gets by `read`.
Value TileEmitter::computeEnd(linalg::LinalgOp end, OpOperand &read, ArrayRef<Value> turns,
                              Value number) {
  IRMapping mapping;
  for (OpOperand &operand : end->getOpOperands()) {
    BlockArgument arg = end.getMatchingBlockArgument(&operand);
    if (arg.use_empty())
      continue;
    Value value = &operand == &read ? number : operand.get();
    if (Value here = present.lookup(&operand))
      value = here;
    else if (Value own = known.lookup(operand.get()))
      value = own;
    if (isa<MemRefType>(value.getType()))
      value =
          memref::LoadOp::create(b, value, placeOf(b, end.getMatchingIndexingMap(&operand), turns));
    mapping.map(arg, value);
  }
  return cloneBody(b, end, turns, mapping).front();
}

KernelShape ptc::cuda::emitTiledProduct(const Step &step, const TiledProduct &product,
                                        Means means) {
  auto threads = uint32_t(product.threads);
  if (means == Means::Warpgroups && fitsWarpgroups(cast<linalg::LinalgOp>(step.op), product)) {
    makeWarpgroupTiles(step, product)->emit();
    return {threads, warpgroupRingBytes()};
  }
  (product.narrow     ? makeNarrowTiles(step, product)
   : product.byMatrix ? makeMatrixTiles(step, product)
                      : makeFmaTiles(step, product))
      ->emit();
  return {threads, product.byMatrix ? ringBytes(product) : 0};
}
