//===- MatrixTiles.cpp - Tiles by matrix instructions ----------------------------------------===//
//
// In: a sum of products of f16 or bf16, added up in f32. Out: parts of both inputs go to a ring of
// shared memory, 16 bytes at a time and without passing registers where neighbours in memory allow
// it; warps take them as operands of matrix instructions, in the order in which they lie.
//
// Lanes and their parts of matrices: PTX ISA, "Matrix Fragments for mma.m16n8k16" and "ldmatrix".
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

static constexpr int64_t kWarp = 32;
/// Turns of the sum in a part of the ring; elements that an access to memory brings.
static constexpr int64_t kDepth = 32, kGroup = 8, kBytes = 2;
/// Of a matrix instruction.
static constexpr int64_t kRows = 16, kColumns = 8, kTurns = 16;
/// Of the ring, and where it ends.
static constexpr int64_t kMostParts = 8, kRingBytes = 96 * 1024;
/// What lies behind each row in shared memory, so that eight rows are in different banks.
static constexpr int64_t kPadding = 8;

/// Bytes of a part of the ring of one side, which lies along the sum or across it.
static int64_t sideBytes(int64_t size) {
  return kBytes * std::max(size * (kDepth + kPadding), kDepth * (size + kPadding));
}
static int64_t numParts(int64_t size) {
  return std::min(kMostParts, size >= 128 ? 4 : kRingBytes / 2 / (2 * sideBytes(size)));
}
uint32_t ptc::cuda::matrixTileBytes(int64_t size) {
  return uint32_t(numParts(size) * 2 * sideBytes(size));
}

namespace {
class MatrixTiles final : public TileEmitter {
public:
  MatrixTiles(const Step &step, const TiledProduct &product)
      : TileEmitter(step, product), parts(numParts(product.size)), warpRows(product.size / 2),
        warpColumns(product.size / (product.threads() / kWarp / 2)),
        element(cast<MemRefType>(product.rows->get().getType()).getElementType()) {}

private:
  Value word(int64_t v) { return LLVM::ConstantOp::create(b, b.getI32Type(), v); }
  Value asWord(Value index) { return arith::IndexCastUIOp::create(b, b.getI32Type(), index); }
  Value add(Value x, int64_t y) { return arith::AddIOp::create(b, x, constant(y)); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value times(Value x, int64_t y) { return arith::MulIOp::create(b, x, constant(y)); }
  Value over(Value x, int64_t y) { return arith::DivUIOp::create(b, x, constant(y)); }
  Value modulo(Value x, int64_t y) { return arith::RemUIOp::create(b, x, constant(y)); }

  void begin() override {
    ring = dynamicSharedMemory(b);
    lane = modulo(thread, kWarp);
    Value warp = over(thread, kWarp);
    int64_t across = product.size / warpColumns;
    firstRow = times(over(warp, across), warpRows);
    firstColumn = times(modulo(warp, across), warpColumns);
    for (unsigned s = 0; s < 2; ++s) {
      isWide[s] = canBringGroups(sides[s]);
      if (!isWide[s])
        continue;
      Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, sides[s].operand->get());
      bases[s] = base;
      areAligned[s] = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, modulo(base, kWideAccess),
                                            constant(0));
    }
  }

  ArrayRef<unsigned> innerLoops(const TileSide &side) const {
    return side.alongSum ? ArrayRef(product.sum) : side.loops;
  }

  /// Whether the innermost loops go through neighbours in memory by whole groups, and nothing else
  /// leads between them.
  bool canBringGroups(const TileSide &side) {
    auto memory = cast<MemRefType>(side.operand->get().getType());
    AffineMap map = op.getMatchingIndexingMap(side.operand);
    SmallVector<int64_t> strides, extents = op.getStaticLoopRanges();
    int64_t offset = 0, together = 1;
    if (failed(memory.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
        offset % kGroup)
      return false;
    SmallVector<bool> isWithin(strides.size());
    ArrayRef<unsigned> loops = innerLoops(side);
    for (size_t i = loops.size(); i-- > 0 && together % kGroup;) {
      unsigned d = loops[i];
      for (size_t r = 0; r < strides.size(); ++r)
        if (map.getResult(unsigned(r)).isFunctionOfDim(d)) {
          bool follows = strides[r] == together && !isWithin[r] &&
                         map.getResult(unsigned(r)) == b.getAffineDimExpr(d);
          if (!follows || ShapedType::isDynamic(extents[d]))
            return false;
          isWithin[r] = true;
        }
      together *= extents[d];
    }
    return together % kGroup == 0 && llvm::is_contained(isWithin, true) &&
           llvm::all_of(llvm::zip_equal(strides, isWithin), [](auto of) {
             auto [stride, within] = of;
             return within || (!ShapedType::isDynamic(stride) && stride % kGroup == 0);
           });
  }

  int64_t pitch(const TileSide &side) const {
    return (side.alongSum ? kDepth : product.size) + kPadding;
  }
  /// Where an element lies in a part of the ring.
  Value placeInRing(unsigned s, Value part, Value inTile, Value inDepth) {
    const TileSide &side = sides[s];
    Value outer = side.alongSum ? inTile : inDepth, inner = side.alongSum ? inDepth : inTile;
    Value at = add(times(outer, pitch(side)), inner);
    at = add(times(at, kBytes), int64_t(s) * sideBytes(product.size));
    at = add(at, times(part, 2 * sideBytes(product.size)));
    return LLVM::GEPOp::create(b, ring.getType(), b.getI8Type(), ring,
                               ArrayRef<LLVM::GEPArg>(asWord(at)));
  }

  /// Group `i` of those that this thread brings: {turn within the tile, turn of the sum} of its
  /// first element.
  std::pair<Value, Value> group(const TileSide &side, int64_t i) {
    int64_t inner = (side.alongSum ? kDepth : product.size) / kGroup;
    Value number = add(thread, i * product.threads());
    Value low = times(modulo(number, inner), kGroup), high = over(number, inner);
    return side.alongSum ? std::pair(high, low) : std::pair(low, high);
  }
  int64_t numGroups() const { return product.size * kDepth / kGroup / product.threads(); }

  Value zero() { return arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0)); }

  /// A group of elements one by one; 0 behind the ends.
  Value gather(const TileSide &side, Value turn, Value step) {
    auto vector = VectorType::get(kGroup, element);
    Value all = arith::ConstantOp::create(b, b.getZeroAttr(vector));
    for (int64_t i = 0; i < kGroup; ++i) {
      Value t = side.alongSum ? turn : add(turn, i), k = side.alongSum ? add(step, i) : step;
      auto read = scf::IfOp::create(b, element, exists(side, t, k), /*withElseRegion=*/true);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(read.thenBlock());
        Value value = memref::LoadOp::create(b, side.operand->get(), place(side, t, k));
        scf::YieldOp::create(b, value);
        b.setInsertionPointToStart(read.elseBlock());
        scf::YieldOp::create(b, zero());
      }
      all = vector::InsertOp::create(b, read.getResult(0), all, ArrayRef<int64_t>{i});
    }
    return all;
  }

  void put(Value group, Value at) {
    LLVM::StoreOp::create(b, group, at, /*alignment=*/unsigned(kWideAccess));
  }

  /// A group without a detour through registers; 0 behind the ends, which come with whole groups.
  void bring(unsigned s, Value turn, Value step, Value to) {
    const TileSide &side = sides[s];
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    (void)cast<MemRefType>(side.operand->get().getType()).getStridesAndOffset(strides, offset);
    Value at = constant(offset);
    for (auto [stride, index] : llvm::zip_equal(strides, place(side, turn, step)))
      at = add(at, times(index, stride));
    Value isThere = exists(side, turn, step);
    at = arith::SelectOp::create(b, isThere, times(at, kBytes), constant(0));
    Value address = arith::IndexCastOp::create(b, b.getI64Type(), add(bases[s], at));
    auto generic = LLVM::LLVMPointerType::get(b.getContext());
    auto global =
        LLVM::LLVMPointerType::get(b.getContext(), unsigned(NVVM::NVVMMemorySpace::Global));
    Value from = LLVM::AddrSpaceCastOp::create(
        b, global, Value(LLVM::IntToPtrOp::create(b, generic, address)));
    Value bytes = arith::SelectOp::create(b, isThere, word(kWideAccess), word(0));
    NVVM::CpAsyncOp::create(b, to, from, uint32_t(kWideAccess), NVVM::LoadCacheModifierKind::CG,
                            bytes);
  }

  /// Begins to bring what part `part` of the ring gets; what passes registers comes back.
  SmallVector<Value> fetch(Value from, Value part) {
    SmallVector<Value> held;
    for (unsigned s = 0; s < 2; ++s)
      for (int64_t i = 0; i < numGroups(); ++i) {
        auto [inTile, inDepth] = group(sides[s], i);
        Value turn = add(sides[s].first, inTile), step = add(from, inDepth);
        if (!isWide[s]) {
          held.push_back(gather(sides[s], turn, step));
          continue;
        }
        Value to = placeInRing(s, part, inTile, inDepth);
        auto ways = scf::IfOp::create(b, areAligned[s], /*withElseRegion=*/true);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(ways.thenBlock());
        bring(s, turn, step, to);
        b.setInsertionPointToStart(ways.elseBlock());
        put(gather(sides[s], turn, step), to);
      }
    return held;
  }
  void settle(ArrayRef<Value> held, Value part) {
    size_t next = 0;
    for (unsigned s = 0; s < 2; ++s)
      for (int64_t i = 0; i < numGroups() && !isWide[s]; ++i) {
        auto [inTile, inDepth] = group(sides[s], i);
        put(held[next++], placeInRing(s, part, inTile, inDepth));
      }
  }

  /// Four 8x8 matrices, two along the side and two along the sum; `sideFirst`: which two are
  /// neighbours in the result.
  SmallVector<Value> loadMatrices(unsigned s, Value part, Value inTile, int64_t inDepth,
                                  bool sideFirst) {
    Value row = modulo(lane, 8), number = over(lane, 8);
    Value low = times(modulo(number, 2), 8), high = times(over(number, 2), 8);
    Value alongSide = sideFirst ? low : high, alongDepth = sideFirst ? high : low;
    bool isCrossed = !sides[s].alongSum;
    Value t = add(inTile, isCrossed ? alongSide : add(alongSide, row)),
          k = add(isCrossed ? add(alongDepth, row) : alongDepth, inDepth);
    auto words =
        LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(4, b.getI32Type()));
    Value loaded = NVVM::LdMatrixOp::create(b, words, placeInRing(s, part, t, k), 4u,
                                            isCrossed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                                            NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
                                            NVVM::LdStMatrixEltType::B16);
    SmallVector<Value> matrices;
    for (int64_t i = 0; i < 4; ++i) {
      Value matrix = LLVM::ExtractValueOp::create(b, loaded, i);
      if (element.isF16())
        matrix = LLVM::BitcastOp::create(b, VectorType::get(2, element), matrix);
      matrices.push_back(matrix);
    }
    return matrices;
  }

  /// Adds the products of what lies in a part of the ring.
  void multiply(Value part, SmallVectorImpl<Value> &totals) {
    NVVM::MMATypes kind = element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
    auto four =
        LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(4, b.getF32Type()));
    for (int64_t k = 0; k < kDepth; k += kTurns) {
      SmallVector<SmallVector<Value>> rows, columns;
      for (int64_t r = 0; r < warpRows; r += kRows)
        rows.push_back(loadMatrices(0, part, add(firstRow, r), k, /*sideFirst=*/true));
      for (int64_t c = 0; c < warpColumns; c += 2 * kColumns) {
        SmallVector<Value> two = loadMatrices(1, part, add(firstColumn, c), k, /*sideFirst=*/false);
        columns.push_back({two[0], two[1]});
        columns.push_back({two[2], two[3]});
      }
      for (auto [r, row] : llvm::enumerate(rows))
        for (auto [c, column] : llvm::enumerate(columns)) {
          MutableArrayRef<Value> sums =
              MutableArrayRef(totals).slice(4 * (r * columns.size() + c), 4);
          Value made = NVVM::MmaOp::create(b, four, row, column, sums, {kRows, kColumns, kTurns},
                                           std::nullopt, std::nullopt, std::array{kind, kind},
                                           std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
          for (auto [i, sum] : llvm::enumerate(sums))
            sum = LLVM::ExtractValueOp::create(b, made, int64_t(i));
        }
    }
  }

  void emitTile() override {
    // The ring may still be read for the tile before.
    NVVM::BarrierOp::create(b);
    for (int64_t p = 0; p < parts - 1; ++p) {
      settle(fetch(constant(p * kDepth), constant(p)), constant(p));
      NVVM::CpAsyncCommitGroupOp::create(b);
    }
    Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
    SmallVector<Value> totals(size_t(4 * (warpRows / kRows) * (warpColumns / kColumns)), zero);
    Value count = arith::CeilDivUIOp::create(b, depth, constant(kDepth));
    auto loop = scf::ForOp::create(b, constant(0), count, constant(1), totals);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value turn = loop.getInductionVar(), later = add(turn, parts - 1);
      NVVM::CpAsyncWaitGroupOp::create(b, uint32_t(parts - 2));
      NVVM::BarrierOp::create(b);
      Value next = modulo(later, parts);
      SmallVector<Value> held = fetch(times(later, kDepth), next);
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
    finish(rows, columns, [&](size_t row, size_t column) {
      size_t matrix = row / 2 * (columns.size() / 2) + column / 2;
      return loop.getResult(unsigned(4 * matrix + 2 * (row % 2) + column % 2));
    });
  }

  int64_t parts, warpRows, warpColumns;
  Type element;
  Value ring, lane, firstRow, firstColumn;
  bool isWide[2];
  Value bases[2], areAligned[2];
};
} // namespace

std::unique_ptr<TileEmitter> ptc::cuda::makeMatrixTiles(const Step &step,
                                                        const TiledProduct &product) {
  return std::make_unique<MatrixTiles>(step, product);
}
