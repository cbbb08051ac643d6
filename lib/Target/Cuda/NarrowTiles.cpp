//===- NarrowTiles.cpp - Products of few rows ------------------------------------------------===//
//
// In: a sum of products of which one input, the narrow one, has at most eight turns of its own; the
// other one, the wide one, lies along the sum or across it. Out: warps of the whole chip that read
// each element of the wide input once, 16 bytes at a time, and add up in registers what it gives
// for all turns of the narrow one. Lanes combine what they have by shuffles, warps of a block by
// shared memory, always in the same order.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Turns of the narrow input; the least of the sum, and elements of the wide input.
static constexpr int64_t kMostNarrow = 8, kShortSum = 32, kFewElements = 1 << 12;
/// Of a block, the most.
static constexpr int64_t kMostWarps = 8;
/// Warps that keep the memory of a GPU busy, with a few accesses each; blocks that do.
static constexpr int64_t kEnoughWarps = 2048, kEnoughBlocks = 132;
/// Lanes side by side across the sum, where the wide input lies so: 64 or 128 bytes of a row.
static constexpr int64_t kFewLanes = 4, kLanes = 8;

static int64_t powerBelow(int64_t v) {
  return int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(v, 1))));
}

namespace {
/// How threads share such a product.
struct NarrowShape {
  unsigned narrow; ///< its side: 0 for rows
  bool alongSum;   ///< whether neighbours of the wide input are turns of the sum
  int64_t group;   ///< elements of it in an access
  int64_t own;     ///< turns of it that a thread has
  int64_t lanes;   ///< of a warp, side by side across the sum; the others go along it
  int64_t warps;   ///< of a block, likewise
  int64_t along;   ///< warps of a block that go along the sum

  int64_t width() const { return own * lanes * warps; }
  int64_t threads() const { return kWarp * warps * along; } ///< of a block
  /// Threads of a block that share each sum.
  int64_t sharers() const { return kWarp / lanes * along; }
};
} // namespace

static OpOperand *inputOf(const TiledProduct &product, unsigned side) {
  return side == 0 ? product.rows : product.columns;
}
static ArrayRef<unsigned> loopsOf(const TiledProduct &product, unsigned side) {
  return side == 0 ? product.ofRows : product.ofColumns;
}
static unsigned bitsOf(OpOperand *in) {
  return cast<MemRefType>(in->get().getType()).getElementTypeBitWidth();
}
/// Elements of an input in an access of 16 bytes; 1: it does not come so.
static int64_t groupOf(linalg::LinalgOp op, const TiledProduct &product, OpOperand *in,
                       ArrayRef<unsigned> loops) {
  int64_t group = 8 * kWideAccess / bitsOf(in);
  return comesInGroups(op, op.getMatchingIndexingMap(in), cast<MemRefType>(in->get().getType()),
                       loops, group)
             ? group
             : 1;
}
static bool isKnown(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::none_of(loops, [&](unsigned d) { return ShapedType::isDynamic(sizes[d]); });
}

static NarrowShape shapeOf(linalg::LinalgOp op, const TiledProduct &product) {
  unsigned narrow = product.narrow.value();
  OpOperand *wide = inputOf(product, 1 - narrow);
  ArrayRef<unsigned> loops = loopsOf(product, 1 - narrow);
  int64_t count = extentOf(op, loopsOf(product, narrow)), extent = extentOf(op, loops),
          batch = extentOf(op, product.batch), turns = extentOf(op, product.sum);
  bool alongSum = isAlongSum(op, product, wide, loops);
  NarrowShape shape{narrow, alongSum, 1, 1, 1, 1, 1};
  shape.group = groupOf(op, product, wide, alongSum ? ArrayRef(product.sum) : loops);
  if (alongSum) {
    // What a thread reads of the narrow input is for several turns of the wide one.
    shape.own = count < 2 ? 1 : count < 4 ? 2 : 4;
    shape.lanes = kWarp / std::min(kWarp, powerBelow(turns / shape.group));
  } else {
    shape.own = shape.group;
    bool areMany = batch * extent >= kEnoughBlocks * kLanes * shape.own;
    shape.lanes = shape.group == 1 ? kWarp : areMany ? kLanes : kFewLanes;
  }
  // Warps share a sum where there are too few of them, or where it lies across.
  int64_t together = shape.own * shape.lanes, most = turns / (shape.group * (kWarp / shape.lanes)),
          others = batch * int64_t(llvm::divideCeil(extent, together)),
          wanted = alongSum ? int64_t(llvm::divideCeil(kEnoughWarps, others)) : kMostWarps;
  shape.along =
      std::min({kMostWarps, powerBelow(most), int64_t(llvm::PowerOf2Ceil(uint64_t(wanted)))});
  shape.warps = std::min(kMostWarps / shape.along, powerBelow(others / kEnoughBlocks));
  return shape;
}

std::optional<TiledProduct> ptc::cuda::findNarrowProduct(linalg::LinalgOp op,
                                                         TiledProduct product) {
  if (llvm::any_of(op.getIndexingMapsArray(),
                   [](AffineMap map) { return !map.isProjectedPermutation(); }) ||
      extentOf(op, product.sum) < kShortSum)
    return std::nullopt;
  int64_t extents[] = {extentOf(op, product.ofRows), extentOf(op, product.ofColumns)};
  unsigned narrow = extents[0] <= extents[1] && isKnown(op, product.ofRows) ? 0 : 1;
  OpOperand *wide = inputOf(product, 1 - narrow);
  ArrayRef<unsigned> own = loopsOf(product, narrow), others = loopsOf(product, 1 - narrow);
  if (!isKnown(op, own) || extents[narrow] > kMostNarrow || extents[narrow] < 1 || others.empty() ||
      extents[1 - narrow] * extentOf(op, product.sum) < kFewElements)
    return std::nullopt;
  // Reductions of rows beside nests of such rows have a kernel of their own (`Rows.cpp`).
  if (own.empty() && isAlongSum(op, product, wide, others))
    return std::nullopt;
  product.narrow = narrow;
  product.byMatrix = false;
  NarrowShape shape = shapeOf(op, product);
  product.threads = shape.threads();
  product.size = narrow == 0 ? extents[0] : shape.width();
  product.width = narrow == 0 ? shape.width() : extents[1];
  product.count =
      extentOf(op, product.batch) * int64_t(llvm::divideCeil(extents[1 - narrow], shape.width()));
  return product;
}

namespace {
class NarrowTiles final : public TileEmitter {
public:
  NarrowTiles(const Step &step, const TiledProduct &product)
      : TileEmitter(step, product), shape(shapeOf(op, product)),
        count(shape.narrow == 0 ? product.size : product.width) {}

private:
  void begin() override {
    OpOperand *narrow = inputOf(product, shape.narrow), *wide = inputOf(product, 1 - shape.narrow);
    bool isAlong = isAlongSum(op, product, narrow, loopsOf(product, shape.narrow));
    int64_t ofNarrow = isAlong ? groupOf(op, product, narrow, product.sum) : 1;
    // Both are read by groups of the same turns, or the narrow one is by single elements.
    isNarrowWide = ofNarrow > 1 && (!shape.alongSum || ofNarrow == shape.group);
    SmallVector<Value> memories;
    if (shape.group > 1)
      memories.push_back(wide->get());
    if (isNarrowWide)
      memories.push_back(narrow->get());
    if (!memories.empty())
      areGroups = areAligned(b, memories);
    narrowGroup = ofNarrow;
    partials = sharedMemory(b, "sums", type, {shape.along * results()});
    Value warp = arith::DivUIOp::create(b, thread, constant(kWarp)),
          lane = arith::RemUIOp::create(b, thread, constant(kWarp)),
          ofWarps = constant(shape.warps), ofLanes = constant(shape.lanes);
    laneAcross = arith::RemUIOp::create(b, lane, ofLanes);
    laneAlong = arith::DivUIOp::create(b, lane, ofLanes);
    warpAlong = arith::DivUIOp::create(b, warp, ofWarps);
    Value warpAcross = arith::RemUIOp::create(b, warp, ofWarps);
    Value ofBlock = arith::MulIOp::create(b, warpAcross, constant(shape.own * shape.lanes));
    int64_t step = shape.alongSum ? 1 : shape.own;
    firstOwn = arith::AddIOp::create(b, ofBlock,
                                     Value(arith::MulIOp::create(b, laneAcross, constant(step))));
  }

  int64_t results() const { return product.size * product.width; }

  /// Turn `i` of the wide input that this thread has, within the tile.
  Value own(int64_t i) {
    return arith::AddIOp::create(b, firstOwn, constant(shape.alongSum ? i * shape.lanes : i));
  }

  /// `n` neighbours along the sum, or across it, from these turns on.
  SmallVector<Value> load(const TileSide &side, Value turn, Value step, int64_t n, bool isWide) {
    Value memory = side.operand->get();
    Type element = cast<MemRefType>(memory.getType()).getElementType();
    SmallVector<Value> numbers;
    Value group;
    if (isWide)
      group = LLVM::LoadOp::create(b, VectorType::get(n, element),
                                   pointerTo(b, memory, place(side, turn, step)),
                                   unsigned(kWideAccess));
    for (int64_t i = 0; i < n; ++i) {
      Value number;
      if (isWide) {
        number = vector::ExtractOp::create(b, group, ArrayRef<int64_t>{i});
      } else {
        Value &moved = side.alongSum ? step : turn;
        Value start = moved;
        moved = arith::AddIOp::create(b, start, constant(i));
        number = memref::LoadOp::create(b, memory, place(side, turn, step));
        moved = start;
      }
      numbers.push_back(number.getType() == type ? number
                                                 : Value(arith::ExtFOp::create(b, type, number)));
    }
    return numbers;
  }

  /// What the thread reads at a time: neighbouring turns of the sum, several times.
  struct Chunk {
    int64_t turns;
    bool isWide, isNarrowWide;
  };
  Chunk chunkOf(bool areWide) const {
    bool narrowWide = areWide && isNarrowWide, wide = areWide && shape.group > 1;
    int64_t turns = shape.alongSum ? (wide ? shape.group : 1) : narrowWide ? narrowGroup : 1;
    return {turns, wide, narrowWide};
  }

  /// The numbers of a chunk: of the wide input [turn][own], of the narrow one [own][turn].
  struct Numbers {
    SmallVector<SmallVector<Value>> wide, narrow;
  };
  Numbers read(const Chunk &chunk, Value step) {
    const TileSide &narrow = sides[shape.narrow], &wide = sides[1 - shape.narrow];
    Numbers numbers;
    auto at = [&](Value first, int64_t i) -> Value {
      return arith::AddIOp::create(b, first, constant(i));
    };
    // Behind the end the last turns are read again: nobody stores their sums.
    auto inside = [&](Value inTile, int64_t together) -> Value {
      Value turn = arith::AddIOp::create(b, wide.first, inTile);
      if (isWhole(wide))
        return turn;
      Value last = arith::SubIOp::create(b, wide.extent, constant(together));
      return arith::MinUIOp::create(b, turn, last);
    };
    if (shape.alongSum) {
      numbers.wide.resize(size_t(chunk.turns));
      for (int64_t i = 0; i < shape.own; ++i)
        for (auto [turn, number] : llvm::zip_equal(
                 numbers.wide, load(wide, inside(own(i), 1), step, chunk.turns, chunk.isWide)))
          turn.push_back(number);
    } else {
      for (int64_t k = 0; k < chunk.turns; ++k)
        numbers.wide.push_back(
            load(wide, inside(own(0), shape.own), at(step, k), shape.own, chunk.isWide));
    }
    for (int64_t m = 0; m < count; ++m) {
      Value turn = at(narrow.first, m);
      if (narrow.alongSum) {
        numbers.narrow.push_back(load(narrow, turn, step, chunk.turns, chunk.isNarrowWide));
        continue;
      }
      auto &row = numbers.narrow.emplace_back();
      for (int64_t k = 0; k < chunk.turns; ++k)
        llvm::append_range(row, load(narrow, turn, at(step, k), 1, false));
    }
    return numbers;
  }

  /// A loop from turn `first` of the sum to `end`, `chunks` chunks at a time that are `apart`;
  /// `carried`: sums, and where the next loop begins.
  void goThrough(const Chunk &chunk, Value end, int64_t chunks, int64_t apart,
                 SmallVectorImpl<Value> &carried) {
    Value stride = constant(chunks * apart);
    auto loop = scf::ForOp::create(b, carried.back(), end, stride, carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> sums(loop.getRegionIterArgs().drop_back());
    SmallVector<Numbers> numbers;
    for (int64_t i = 0; i < chunks; ++i)
      numbers.push_back(
          read(chunk, arith::AddIOp::create(b, loop.getInductionVar(), constant(i * apart))));
    for (const Numbers &each : numbers)
      for (int64_t k = 0; k < chunk.turns; ++k)
        for (int64_t m = 0; m < count; ++m)
          for (int64_t i = 0; i < shape.own; ++i) {
            Value &sum = sums[size_t(m * shape.own + i)];
            sum = math::FmaOp::create(b, each.wide[size_t(k)][size_t(i)],
                                      each.narrow[size_t(m)][size_t(k)], sum);
          }
    sums.push_back(arith::AddIOp::create(b, loop.getInductionVar(), stride));
    scf::YieldOp::create(b, sums);
    carried.assign(loop.getResults().begin(), loop.getResults().end());
  }

  /// Accesses to the wide input that a thread has under way.
  int64_t chunksOf(const Chunk &chunk, int64_t apart) const {
    int64_t accesses = shape.alongSum ? shape.own : chunk.turns, wanted = count <= 2 ? 8 : 4;
    int64_t most = std::max<int64_t>(1, wanted / accesses),
            all = std::max<int64_t>(1, extentOf(op, product.sum) / apart);
    for (int64_t chunks = std::min(most, all); chunks > most / 2; --chunks)
      if (all % chunks == 0)
        return chunks;
    return std::min(most, all);
  }

  /// What this thread adds up, [turn of the narrow input][own].
  SmallVector<Value> addUp(bool areWide) {
    Chunk chunk = chunkOf(areWide);
    int64_t apart = chunk.turns * shape.sharers(), chunks = chunksOf(chunk, apart);
    Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
    SmallVector<Value> carried(size_t(count * shape.own), zero);
    Value sharer = arith::AddIOp::create(
        b, Value(arith::MulIOp::create(b, warpAlong, constant(kWarp / shape.lanes))), laneAlong);
    carried.push_back(arith::MulIOp::create(b, sharer, constant(chunk.turns)));
    Value last = arith::SubIOp::create(b, depth, constant((chunks - 1) * apart));
    goThrough(chunk, last, chunks, apart, carried);
    bool isAll = isKnown(op, product.sum) && extentOf(op, product.sum) % (chunks * apart) == 0;
    if (chunks > 1 && !isAll)
      goThrough(chunk, depth, 1, apart, carried);
    carried.pop_back();
    return carried;
  }

  SmallVector<Value> addUpEither() {
    if (!areGroups)
      return addUp(/*areWide=*/false);
    SmallVector<Type> types(size_t(count * shape.own), type);
    auto ways = scf::IfOp::create(b, types, areGroups, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    for (bool areWide : {true, false}) {
      b.setInsertionPointToStart(areWide ? ways.thenBlock() : ways.elseBlock());
      scf::YieldOp::create(b, addUp(areWide));
    }
    return ways.getResults();
  }

  /// The number of a result within the tile.
  Value numberOf(int64_t m, Value own) {
    bool isRow = shape.narrow == 0;
    Value first = isRow ? constant(m) : own, second = isRow ? own : constant(m);
    return arith::AddIOp::create(b, Value(arith::MulIOp::create(b, first, constant(product.width))),
                                 second);
  }

  void emitTile() override {
    SmallVector<Value> sums = addUpEither();
    for (Value &sum : sums)
      for (int64_t mask = kWarp / 2; mask >= shape.lanes; mask /= 2)
        sum = arith::AddFOp::create(b, sum, shuffle(b, sum, mask));
    NVVM::BarrierOp::create(b); // partial sums of the tile before may still be read
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, laneAlong, constant(0));
    {
      auto write = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(write.thenBlock());
      Value start = arith::MulIOp::create(b, warpAlong, constant(results()));
      for (int64_t m = 0; m < count; ++m)
        for (int64_t i = 0; i < shape.own; ++i)
          memref::StoreOp::create(b, sums[size_t(m * shape.own + i)], partials,
                                  Value(arith::AddIOp::create(b, start, numberOf(m, own(i)))));
    }
    NVVM::BarrierOp::create(b);
    auto loop = scf::ForOp::create(b, thread, constant(results()), constant(shape.threads()));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar(), sum;
    for (int64_t w = 0; w < shape.along; ++w) {
      Value at = arith::AddIOp::create(b, number, constant(w * results()));
      Value part = memref::LoadOp::create(b, partials, at);
      sum = sum ? Value(arith::AddFOp::create(b, sum, part)) : part;
    }
    Value row = arith::DivUIOp::create(b, number, constant(product.width)),
          column = arith::RemUIOp::create(b, number, constant(product.width));
    finish(row, column, [&](size_t, size_t) { return sum; });
  }

  NarrowShape shape;
  int64_t count;       ///< turns of the narrow input
  int64_t narrowGroup; ///< elements of it in an access
  bool isNarrowWide;   ///< whether it is read so
  Value areGroups;     ///< whether memory allows it; null: nothing is
  Value partials;      ///< [warp along the sum][row][column]
  Value laneAcross, laneAlong, warpAlong, firstOwn;
};
} // namespace

std::unique_ptr<TileEmitter> ptc::cuda::makeNarrowTiles(const Step &step,
                                                        const TiledProduct &product) {
  return std::make_unique<NarrowTiles>(step, product);
}
