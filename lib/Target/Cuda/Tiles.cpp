//===- Tiles.cpp - Sums of products in tiles -------------------------------------------------===//
//
// In: a nest whose body adds the product of two inputs: a matrix product with any batch loops, a
// convolution. Out: blocks that make a tile of the result each, one after the other: some turns of
// the sum at a time, what the tile needs of both inputs goes to shared memory, and each thread adds
// up some rows by some columns in registers, in the order of the sum. While it does, the next part
// is on its way to registers.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Threads along either side of a tile, and turns of the sum in shared memory.
static constexpr int64_t kSide = 16, kDepth = 16;
/// What a size is taken for that only the run knows.
static constexpr int64_t kTypicalSize = 256;
/// Sums that are shorter are not worth a tile.
static constexpr int64_t kShortSum = 8;

namespace {
struct Tile {
  int64_t size;
  int64_t fewest; ///< so many tiles keep a GPU busy
};
} // namespace
/// The best first.
static constexpr Tile kTiles[] = {{128, 120}, {64, 60}, {32, 100}};

/// The argument that is converted, or is, `v`.
static BlockArgument sourceOf(Value v) {
  if (auto extended = v.getDefiningOp<arith::ExtFOp>())
    v = extended.getIn();
  return dyn_cast<BlockArgument>(v);
}

/// Whether the body adds the product of both inputs to the result.
static bool isSumOfProducts(linalg::LinalgOp op) {
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

static int64_t extentOf(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  int64_t extent = 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned d : loops)
    extent *= ShapedType::isDynamic(sizes[d]) ? kTypicalSize : sizes[d];
  return extent;
}

std::optional<TiledProduct> ptc::cuda::findTiledProduct(linalg::LinalgOp op) {
  if (!isSumOfProducts(op))
    return std::nullopt;
  OpOperand *first = op.getDpsInputOperand(0), *second = op.getDpsInputOperand(1),
            *out = op.getDpsInitOperand(0);
  TiledProduct product{first, second, {}, {}, {}, {}, 0};
  bool isFirstAlongOut = false;
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
    isFirstAlongOut |= inFirst && !inSecond && liesAlong(op, *out, unsigned(d));
  }
  if (product.ofRows.empty() || product.ofColumns.empty() || extentOf(op, product.sum) < kShortSum)
    return std::nullopt;
  if (isFirstAlongOut) { // neighbours among the results are columns
    std::swap(product.rows, product.columns);
    std::swap(product.ofRows, product.ofColumns);
  }
  int64_t rows = extentOf(op, product.ofRows), columns = extentOf(op, product.ofColumns),
          batch = extentOf(op, product.batch);
  bool isWide = cast<MemRefType>(out->get().getType()).getElementType().isF64();
  for (const Tile &tile : kTiles) {
    int64_t count =
        batch * llvm::divideCeil(rows, tile.size) * llvm::divideCeil(columns, tile.size);
    bool isFull = 2 * rows > tile.size && 2 * columns > tile.size;
    if (count < tile.fewest || !isFull || (isWide && tile.size > 64)) // of registers
      continue;
    product.size = tile.size;
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
  Value count = sizeOf(b, product.batch, sizes), tile = constant(b, product.size);
  for (ArrayRef<unsigned> side : {ArrayRef(product.ofRows), ArrayRef(product.ofColumns)})
    count = arith::MulIOp::create(
        b, count, Value(arith::CeilDivUIOp::create(b, sizeOf(b, side, sizes), tile)));
  return count;
}

namespace {

/// One of the inputs, as a block sees it.
struct Side {
  OpOperand *operand;
  ArrayRef<unsigned> loops; ///< parallel ones that are its own
  Type element;             ///< in shared memory
  Value extent;             ///< turns of these loops
  Value first;              ///< turn where the tile begins
  Value memory;             ///< [kDepth][size, padded]
  bool alongSum;            ///< neighbours in memory are turns of the sum
};

class TileEmitter {
public:
  TileEmitter(linalg::LinalgOp op, const TiledProduct &product)
      : op(op), product(product), b(op.getLoc(), op), sizes(loopSizes(b, op)),
        type(cast<MemRefType>(op.getDpsInits().front().getType()).getElementType()),
        width(std::min(kWideAccess * 8 / int64_t(type.getIntOrFloatBitWidth()),
                       product.size / kSide)),
        groups(product.size / kSide / width) {}

  void emit() {
    indices.resize(sizes.size());
    thread = threadOfBlock(b);
    depth = sizeOf(b, product.sum, sizes);
    sides[0] = makeSide(product.rows, product.ofRows, "rows");
    sides[1] = makeSide(product.columns, product.ofColumns, "columns");
    Value count = countTiles(b, op, product);
    auto loop = scf::ForOp::create(b, blockNumber(b), count, numBlocks(b));
    b.setInsertionPointToStart(loop.getBody());
    beginTile(loop.getInductionVar());
    emitTile();
    op.erase();
  }

private:
  int64_t perThread() const { return product.size / kSide; }
  int64_t numStaged() const { return product.size * kDepth / kTileThreads; }

  Side makeSide(OpOperand *operand, ArrayRef<unsigned> loops, StringRef name) {
    Value memory = sharedMemory(b, name, type, {kDepth, product.size + width});
    bool alongSum =
        llvm::any_of(product.sum, [&](unsigned d) { return liesAlong(op, *operand, d); });
    return {operand, loops, type, sizeOf(b, loops, sizes), Value(), memory, alongSum};
  }

  void beginTile(Value number) {
    Value tile = constant(b, product.size);
    for (Side *side : {&sides[1], &sides[0]}) {
      Value count = arith::CeilDivUIOp::create(b, side->extent, tile);
      side->first = arith::MulIOp::create(b, Value(arith::RemUIOp::create(b, number, count)), tile);
      number = arith::DivUIOp::create(b, number, count);
    }
    if (!product.batch.empty())
      takeApart(b, number, product.batch, sizes, indices);
  }

  /// Whether the turns of a side end where a tile does.
  bool isWhole(const Side &side) {
    SmallVector<int64_t> known = op.getStaticLoopRanges();
    int64_t extent = 1;
    for (unsigned d : side.loops) {
      if (ShapedType::isDynamic(known[d]))
        return false;
      extent *= known[d];
    }
    return extent % product.size == 0;
  }

  /// Element `i` of those that this thread brings: {turn within the tile, turn of the sum}.
  std::pair<Value, Value> staged(const Side &side, int64_t i) {
    int64_t inner = side.alongSum ? kDepth : product.size;
    Value number = arith::AddIOp::create(b, thread, constant(b, i * kTileThreads));
    Value low = arith::RemUIOp::create(b, number, constant(b, inner)),
          high = arith::DivUIOp::create(b, number, constant(b, inner));
    return side.alongSum ? std::pair(high, low) : std::pair(low, high);
  }

  /// What the thread brings of a side; 0 behind the ends.
  void fetch(const Side &side, Value from, SmallVectorImpl<Value> &values) {
    for (int64_t i = 0; i < numStaged(); ++i) {
      auto [inTile, inDepth] = staged(side, i);
      Value turn = arith::AddIOp::create(b, side.first, inTile),
            step = arith::AddIOp::create(b, from, inDepth);
      Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, step, depth);
      if (!isWhole(side))
        isThere = arith::AndIOp::create(
            b, isThere,
            Value(arith::CmpIOp::create(b, arith::CmpIPredicate::ult, turn, side.extent)));
      auto read = scf::IfOp::create(b, side.element, isThere, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(read.thenBlock());
      SmallVector<Value> at = indices;
      takeApart(b, turn, side.loops, sizes, at);
      takeApart(b, step, product.sum, sizes, at);
      Value value = memref::LoadOp::create(b, side.operand->get(),
                                           placeOf(b, op.getMatchingIndexingMap(side.operand), at));
      if (value.getType() != side.element)
        value = arith::ExtFOp::create(b, side.element, value);
      scf::YieldOp::create(b, value);
      b.setInsertionPointToStart(read.elseBlock());
      scf::YieldOp::create(b,
                           Value(arith::ConstantOp::create(b, b.getFloatAttr(side.element, 0.0))));
      values.push_back(read.getResult(0));
    }
  }

  void put(const Side &side, ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values)) {
      auto [inTile, inDepth] = staged(side, int64_t(i));
      memref::StoreOp::create(b, value, side.memory, ValueRange{inDepth, inTile});
    }
  }

  /// Row or column `i` of those of this thread, within the tile.
  Value own(unsigned side, int64_t i) {
    Value lane = side == 0 ? arith::DivUIOp::create(b, thread, constant(b, kSide)).getResult()
                           : arith::RemUIOp::create(b, thread, constant(b, kSide)).getResult();
    Value first = arith::MulIOp::create(b, lane, constant(b, width));
    return arith::AddIOp::create(b, first, constant(b, i / width * kSide * width + i % width));
  }

  /// Visits the results of this thread that exist, with their places.
  void visitResults(llvm::function_ref<void(unsigned number, ValueRange place)> visit) {
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (int64_t r = 0; r < perThread(); ++r)
      for (int64_t c = 0; c < perThread(); ++c) {
        SmallVector<Value> at = indices;
        Value isThere;
        for (auto [s, i] : {std::pair(0u, r), std::pair(1u, c)}) {
          Value turn = arith::AddIOp::create(b, sides[s].first, own(s, i));
          takeApart(b, turn, sides[s].loops, sizes, at);
          if (isWhole(sides[s]))
            continue;
          Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, turn, sides[s].extent);
          isThere = isThere ? Value(arith::AndIOp::create(b, isThere, inside)) : inside;
        }
        // Loops of the sum do not show in the place.
        for (unsigned d : product.sum)
          at[d] = constant(b, 0);
        OpBuilder::InsertionGuard guard(b);
        if (isThere)
          b.setInsertionPointToStart(
              scf::IfOp::create(b, isThere, /*withElseRegion=*/false).thenBlock());
        visit(unsigned(r * perThread() + c), placeOf(b, map, at));
      }
  }

  /// Adds the products of what lies in shared memory.
  void multiply(SmallVectorImpl<Value> &totals) {
    auto vector = VectorType::get(width, type);
    for (int64_t k = 0; k < kDepth; ++k) {
      SmallVector<Value> numbers[2];
      for (unsigned s = 0; s < 2; ++s)
        for (int64_t g = 0; g < groups; ++g) {
          Value part = vector::LoadOp::create(b, vector, sides[s].memory,
                                              ValueRange{constant(b, k), own(s, g * width)},
                                              /*nontemporal=*/false, llvm::MaybeAlign(alignment()));
          for (int64_t i = 0; i < width; ++i)
            numbers[s].push_back(vector::ExtractOp::create(b, part, ArrayRef<int64_t>{i}));
        }
      for (auto [i, total] : llvm::enumerate(totals))
        total = math::FmaOp::create(b, numbers[0][i / size_t(perThread())],
                                    numbers[1][i % size_t(perThread())], total);
    }
  }
  uint64_t alignment() const { return uint64_t(width) * type.getIntOrFloatBitWidth() / 8; }

  void emitTile() {
    Value out = op.getDpsInits().front();
    // The results begin as 0; what they held is added at the end.
    Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
    SmallVector<Value> carried(size_t(perThread() * perThread()), zero);
    size_t numTotals = carried.size(), perSide = size_t(numStaged());
    for (const Side &side : sides)
      fetch(side, constant(b, 0), carried);
    auto loop = scf::ForOp::create(b, constant(b, 0), depth, constant(b, kDepth), carried);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      ValueRange given = loop.getRegionIterArgs();
      for (auto [s, side] : llvm::enumerate(sides))
        put(side, given.slice(numTotals + s * perSide, perSide));
      NVVM::BarrierOp::create(b);
      SmallVector<Value> next(given.take_front(numTotals)), brought;
      Value from = arith::AddIOp::create(b, loop.getInductionVar(), constant(b, kDepth));
      for (const Side &side : sides)
        fetch(side, from, brought);
      multiply(next);
      NVVM::BarrierOp::create(b);
      llvm::append_range(next, brought);
      scf::YieldOp::create(b, next);
    }
    visitResults([&](unsigned i, ValueRange place) {
      Value held = memref::LoadOp::create(b, out, place);
      memref::StoreOp::create(b, Value(arith::AddFOp::create(b, held, loop.getResult(i))), out,
                              place);
    });
  }

  linalg::LinalgOp op;
  const TiledProduct &product;
  ImplicitLocOpBuilder b;
  SmallVector<Value> sizes;
  Type type;
  int64_t width, groups; ///< of a thread's rows and columns: neighbours, and how many of these
  SmallVector<Value> indices;
  Value thread, depth;
  Side sides[2];
};

} // namespace

void ptc::cuda::emitTiledProduct(linalg::LinalgOp op, const TiledProduct &product) {
  TileEmitter(op, product).emit();
}
