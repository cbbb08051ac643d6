//===- MatrixTiles.cpp - Tiles by matrix instructions of a warp ------------------------------===//
//
// In: a sum of products of f16 or bf16, or of f32 as tf32, added up in f32. Out: warps take parts
// of the ring as operands of matrix instructions, in the order in which they lie.
//
// Lanes and their parts of matrices: PTX ISA, "Matrix Fragments for mma.m16n8k16", "for
// mma.m16n8k8" and "ldmatrix".
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Bytes of turns of the sum in a part of the ring.
static constexpr int64_t kDepthBytes = 64;
/// Of a matrix instruction; its turns of the sum.
static constexpr int64_t kRows = 16, kColumns = 8, kTurnBytes = 32;
/// Of the ring, and where it ends: GPUs with the least shared memory give a block 99 KB.
static constexpr int64_t kMostParts = 8, kRingBytes = int64_t(48) * 1024, kPartsOfLargest = 4;
/// What lies behind each row in shared memory, so that what lanes read together is in different
/// banks: bytes of rows along the sum, elements of those across it.
static constexpr int64_t kPaddingBytes = 16, kPadding = 8;

/// Bytes of a side, which lies along the sum or across it.
static int64_t bytesOfSide(int64_t size) {
  return std::max(size * (kDepthBytes + kPaddingBytes), kDepthBytes * (size + kPadding));
}
static int64_t numParts(int64_t size) {
  return size >= 128 ? kPartsOfLargest : std::min(kMostParts, kRingBytes / (2 * bytesOfSide(size)));
}

namespace {
class MatrixTiles final : public RingTiles {
public:
  MatrixTiles(const Step &step, const TiledProduct &product)
      : RingTiles(step, product, numParts(product.size), kDepthBytes / elementBytesOf(product)),
        warpRows(product.size / 2), warpColumns(product.size / (product.threads / kWarp / 2)) {}

private:
  void begin() override {
    RingTiles::begin();
    Value warp = over(thread, kWarp);
    int64_t across = product.size / warpColumns;
    firstRow = times(over(warp, across), warpRows);
    firstColumn = times(modulo(warp, across), warpColumns);
  }

  int64_t sideBytes() const override { return bytesOfSide(product.size); }
  int64_t lineElements(unsigned s) const {
    return sides[s].alongSum ? turns + kPaddingBytes / elementBytes() : product.size + kPadding;
  }
  int64_t lineBytes(unsigned s) const override { return lineElements(s) * elementBytes(); }
  Value placeInSide(unsigned s, Value inTile, Value inDepth) override {
    bool alongSum = sides[s].alongSum;
    Value line = alongSum ? inTile : inDepth, inner = alongSum ? inDepth : inTile;
    return times(add(times(line, lineElements(s)), inner), elementBytes());
  }

  /// Operands of matrix instructions: from turn `fromSide` of what the warp has of a side, and
  /// turn `fromSum` of the sum.
  SmallVector<Value> loadPart(unsigned s, Value part, int64_t fromSide, int64_t fromSum,
                              bool sideFirst) {
    bool isAlong = sides[s].alongSum;
    auto at = [&](Value ofSide, Value ofSum, int64_t side, int64_t sum) {
      int64_t line = isAlong ? side : sum, inner = isAlong ? sum : side;
      return placeInRing(s, part, add(s ? firstColumn : firstRow, ofSide), ofSum,
                         line * lineBytes(s) + inner * elementBytes());
    };
    if (isAlong || !element.isF32())
      return loadMatrices(!isAlong, sideFirst, [&](Value ofSide, Value ofSum) {
        return at(ofSide, ofSum, fromSide, fromSum);
      });
    // Matrices of 32-bit numbers cannot be turned: one by one. The lane 4i + k has turn k of row i.
    SmallVector<Value> numbers;
    for (int64_t i = 0; i < 4; ++i) {
      int64_t side = sideFirst ? i % 2 : i / 2, sum = sideFirst ? i / 2 : i % 2;
      Value from = at(over(lane, 4), modulo(lane, 4), fromSide + 8 * side, fromSum + 4 * sum);
      numbers.push_back(roundToTf32(LLVM::LoadOp::create(b, element, from, 4u)));
    }
    return numbers;
  }

  /// Adds the products of what lies in a part of the ring.
  void multiply(Value part, SmallVectorImpl<Value> &totals) {
    for (int64_t k = 0; k < turns; k += kTurnBytes / elementBytes()) {
      SmallVector<SmallVector<Value>> rows, columns;
      for (int64_t r = 0; r < warpRows; r += kRows)
        rows.push_back(loadPart(0, part, r, k, /*sideFirst=*/true));
      for (int64_t c = 0; c < warpColumns; c += 2 * kColumns) {
        SmallVector<Value> two = loadPart(1, part, c, k, /*sideFirst=*/false);
        columns.push_back({two[0], two[1]});
        columns.push_back({two[2], two[3]});
      }
      for (auto [r, row] : llvm::enumerate(rows))
        for (auto [c, column] : llvm::enumerate(columns))
          multiplyAdd(row, column, MutableArrayRef(totals).slice(4 * (r * columns.size() + c), 4));
    }
  }

  void emitTile() override {
    NVVM::BarrierOp::create(b); // the ring may still be read for the tile before
    fillRing(parts - 1);
    Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
    SmallVector<Value> totals(size_t(4 * (warpRows / kRows) * (warpColumns / kColumns)), zero);
    Value count = arith::CeilDivUIOp::create(b, depth, constant(turns));
    auto loop = scf::ForOp::create(b, constant(0), count, constant(1), totals);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value turn = loop.getInductionVar(), later = add(turn, parts - 1);
      NVVM::CpAsyncWaitGroupOp::create(b, uint32_t(parts - 2));
      NVVM::BarrierOp::create(b);
      Value next = modulo(later, parts);
      SmallVector<Value> held = fetch(times(later, turns), next);
      NVVM::CpAsyncCommitGroupOp::create(b);
      SmallVector<Value> sums(loop.getRegionIterArgs());
      multiply(modulo(turn, parts), sums);
      settle(held, next);
      scf::YieldOp::create(b, sums);
    }
    NVVM::CpAsyncWaitGroupOp::create(b, 0u);
    Value quad = over(lane, 4), inQuad = times(modulo(lane, 4), 2);
    SmallVector<Value> rows, columns;
    for (int64_t r = 0; r < warpRows; r += kRows / 2)
      rows.push_back(add(add(firstRow, r), quad));
    for (int64_t c = 0; c < warpColumns; c += kColumns)
      for (int64_t i = 0; i < 2; ++i)
        columns.push_back(add(add(firstColumn, c + i), inQuad));
    finishInGroups(rows, columns, [&](size_t row, size_t column) {
      size_t matrix = row / 2 * (columns.size() / 2) + column / 2;
      return loop.getResult(unsigned(4 * matrix + 2 * (row % 2) + column % 2));
    });
  }

  int64_t warpRows, warpColumns;
  Value firstRow, firstColumn;
};
} // namespace

std::unique_ptr<TileEmitter> ptc::cuda::makeMatrixTiles(const Step &step,
                                                        const TiledProduct &product) {
  return std::make_unique<MatrixTiles>(step, product);
}

uint32_t ptc::cuda::ringBytes(const TiledProduct &product) {
  return uint32_t(numParts(product.size) * 2 * bytesOfSide(product.size));
}
