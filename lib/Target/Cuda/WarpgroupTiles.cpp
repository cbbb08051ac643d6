//===- WarpgroupTiles.cpp - Tiles by matrix instructions of four warps -----------------------===//
//
// In: a sum of products of f16 or bf16 whose inputs both lie along the sum. Out: instructions that
// read both from shared memory, where rows of 128 bytes lie with their 16-byte groups exchanged.
// Two blocks share a processor: one multiplies while the other waits.
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

/// The only tile; turns of the sum in a part of the ring, a row of 128 bytes.
static constexpr int64_t kTile = 128, kDepth = kPanel, kParts = 3;
/// One launch is for GPUs without these instructions, too, whose blocks have 99 KB at least.
static_assert(kParts * 2 * kTile * kDepth * kHalf <= 101'376);
/// Rows whose groups of bytes are exchanged in the same way come again after so many.
static constexpr int64_t kExchanged = 8;

namespace {
class WarpgroupTiles final : public RingTiles {
public:
  WarpgroupTiles(const Step &step, const TiledProduct &product)
      : RingTiles(step, product, kParts, kDepth) {}

private:
  int64_t sideBytes() const override { return kTile * kDepth * kHalf; }
  int64_t lineBytes(unsigned) const override { return kDepth * kHalf; }
  Value placeInSide(unsigned, Value inTile, Value inDepth) override {
    Value group = arith::XOrIOp::create(b, over(inDepth, kGroup), modulo(inTile, kExchanged));
    return add(times(inTile, kDepth * kHalf),
               add(times(group, kGroup * kHalf), times(modulo(inDepth, kGroup), kHalf)));
  }

  /// Begins to add the products of what lies in a part of the ring: for each 64 rows.
  SmallVector<Value> multiply(Value part, ValueRange sums) {
    Value columns = describeShared(offsetInRing(1, part));
    SmallVector<Value> more;
    NVVM::WgmmaFenceAlignedOp::create(b);
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value rows = add(offsetInRing(0, part), int64_t(i) * kGroupRows * kDepth * kHalf);
      more.push_back(multiplyGroup(describeShared(rows), columns, sum, {true, true}));
    }
    NVVM::WgmmaGroupSyncAlignedOp::create(b);
    return more;
  }

  void emitTile() override {
    assert(linesBetween(sides[0]) % kExchanged == 0 &&
           "what a thread brings lies in rows that are exchanged in the same way");
    NVVM::BarrierOp::create(b); // the ring may still be read for the tile before
    fillRing(kParts - 1);
    auto totals = LLVM::LLVMStructType::getLiteral(
        b.getContext(), SmallVector<Type>(size_t(kTile / 2), b.getF32Type()));
    Value zero = LLVM::ZeroOp::create(b, totals);
    Value count = arith::CeilDivUIOp::create(b, depth, constant(kDepth));
    auto loop = scf::ForOp::create(b, constant(0), count, constant(1),
                                   SmallVector<Value>(size_t(kTile / kGroupRows), zero));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value turn = loop.getInductionVar(), later = add(turn, kParts - 1);
      NVVM::CpAsyncWaitGroupOp::create(b, uint32_t(kParts - 2));
      // What came by ordinary accesses is there for the instructions, too.
      NVVM::FenceProxyOp::create(
          b, NVVM::ProxyKindAttr::get(b.getContext(), NVVM::ProxyKind::async_shared),
          NVVM::SharedSpaceAttr::get(b.getContext(), NVVM::SharedSpace::shared_cta));
      NVVM::BarrierOp::create(b);
      SmallVector<Value> sums = multiply(modulo(turn, kParts), loop.getRegionIterArgs());
      fetch(times(later, kDepth), modulo(later, kParts));
      NVVM::CpAsyncCommitGroupOp::create(b);
      NVVM::WgmmaWaitGroupSyncOp::create(b, 0u);
      scf::YieldOp::create(b, sums);
    }
    NVVM::CpAsyncWaitGroupOp::create(b, 0u);
    Value quad = over(lane, 4), inQuad = times(modulo(lane, 4), 2);
    Value firstRow = add(times(over(thread, kWarp), kGroupRows / 4), quad);
    SmallVector<Value> rows, columns;
    for (int64_t r = 0; r < kTile; r += kGroupRows)
      for (int64_t i = 0; i < 2; ++i)
        rows.push_back(add(firstRow, r + i * kExchanged));
    for (int64_t c = 0; c < kTile; c += 8)
      for (int64_t i = 0; i < 2; ++i)
        columns.push_back(add(inQuad, c + i));
    finishInGroups(rows, columns, [&](size_t row, size_t column) -> Value {
      auto number = int64_t(4 * (column / 2) + 2 * (row % 2) + column % 2);
      return LLVM::ExtractValueOp::create(b, loop.getResult(unsigned(row / 2)), number);
    });
  }
};
} // namespace

bool ptc::cuda::fitsWarpgroups(linalg::LinalgOp op, const TiledProduct &product) {
  return product.byMatrix && elementBytesOf(product) == kHalf && product.size == kTile &&
         llvm::all_of(std::array{product.rows, product.columns}, [&](OpOperand *in) {
           return llvm::any_of(product.sum, [&](unsigned d) { return liesAlong(op, *in, d); }) &&
                  comesInGroups(op, op.getMatchingIndexingMap(in),
                                cast<MemRefType>(in->get().getType()), product.sum, kGroup);
         });
}

std::unique_ptr<TileEmitter> ptc::cuda::makeWarpgroupTiles(const Step &step,
                                                           const TiledProduct &product) {
  return std::make_unique<WarpgroupTiles>(step, product);
}

uint32_t ptc::cuda::warpgroupRingBytes() { return uint32_t(kParts * 2 * kTile * kDepth * kHalf); }
