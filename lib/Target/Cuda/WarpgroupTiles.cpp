//===- WarpgroupTiles.cpp - Tiles by matrix instructions of four warps -----------------------===//
//
// In: a sum of products of f16 or bf16 whose inputs both lie along the sum. Out: instructions that
// read both from shared memory, where rows of 128 bytes lie with their 16-byte groups exchanged.
// Two blocks share a processor: one multiplies while the other waits.
//
// Descriptors of memory and results of lanes: PTX ISA, "Asynchronous warpgroup level matrix
// instructions".
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
static constexpr int64_t kTile = 128, kDepth = 64;
/// Of the ring, where two blocks share a processor, and where each has one and no other to fill its
/// pauses: then products of a part go on while those of the next begin.
static constexpr int64_t kParts = 3, kPartsOfAlone = 6;
/// So many processors has the smallest GPU with these instructions, about.
static constexpr int64_t kProcessors = 132;
static int64_t numParts(const TiledProduct &product) {
  return product.count <= kProcessors ? kPartsOfAlone : kParts;
}
/// Of a matrix instruction.
static constexpr int64_t kRows = 64, kTurns = 16;
/// Rows whose groups of bytes are exchanged in the same way come again after so many.
static constexpr int64_t kExchanged = 8;
/// Of a descriptor: addresses and distances count 16 bytes; eight rows are 1024 bytes behind each
/// other, and the groups of bytes of 128 are exchanged.
static constexpr int64_t kUnit = 16;
static constexpr uint64_t kAddressMask = 0x3fff,
                          kDescriptor = uint64_t(1) << 62 | uint64_t(1024 / kUnit) << 32 | 1 << 16;

namespace {
class WarpgroupTiles final : public RingTiles {
public:
  WarpgroupTiles(const Step &step, const TiledProduct &product)
      : RingTiles(step, product, numParts(product), kDepth), isAlone(parts > kParts) {}

private:
  void begin() override {
    RingTiles::begin();
    op->getParentOfType<func::FuncOp>()->setAttr(
        kResidentAttr, b.getDenseI32ArrayAttr({int32_t(product.threads), isAlone ? 1 : 2}));
  }
  int64_t sideBytes() const override { return kTile * kDepth * kHalf; }
  Value placeInSide(unsigned, Value inTile, Value inDepth) override {
    Value group = arith::XOrIOp::create(b, over(inDepth, kGroup), modulo(inTile, kExchanged));
    return add(times(inTile, kDepth * kHalf),
               add(times(group, kGroup * kHalf), times(modulo(inDepth, kGroup), kHalf)));
  }

  Value wide(uint64_t v) { return LLVM::ConstantOp::create(b, b.getI64Type(), int64_t(v)); }

  /// Describes a side of a part, from byte `from` on.
  Value describe(unsigned s, Value part, Value from) {
    Value start = LLVM::PtrToIntOp::create(b, b.getI32Type(), ring);
    Value at = arith::IndexCastUIOp::create(b, b.getI32Type(), add(offsetInRing(s, part), from));
    Value address =
        arith::ExtUIOp::create(b, b.getI64Type(), Value(arith::AddIOp::create(b, start, at)));
    Value units = arith::DivUIOp::create(b, address, wide(kUnit));
    return arith::OrIOp::create(b, Value(arith::AndIOp::create(b, units, wide(kAddressMask))),
                                wide(kDescriptor));
  }

  /// Begins to add the products of what lies in a part of the ring.
  Value multiply(Value part, Value sums) {
    MLIRContext *c = b.getContext();
    auto kind = NVVM::WGMMATypesAttr::get(c, element.isF16() ? NVVM::WGMMATypes::f16
                                                             : NVVM::WGMMATypes::bf16);
    auto one = NVVM::WGMMAScaleInAttr::get(c, NVVM::WGMMAScaleIn::one);
    Value rows = describe(0, part, times(over(thread, 4 * kWarp), kRows * kDepth * kHalf)),
          columns = describe(1, part, constant(0));
    NVVM::WgmmaFenceAlignedOp::create(b);
    for (int64_t k = 0; k < kDepth; k += kTurns) {
      Value step = wide(uint64_t(k * kHalf / kUnit));
      sums = NVVM::WgmmaMmaAsyncOp::create(
          b, sums.getType(), sums, Value(arith::AddIOp::create(b, rows, step)),
          Value(arith::AddIOp::create(b, columns, step)),
          NVVM::MMAShapeAttr::get(c, kRows, kTile, kTurns), kind, kind,
          NVVM::WGMMATypesAttr::get(c, NVVM::WGMMATypes::f32),
          NVVM::WGMMAScaleOutAttr::get(c, NVVM::WGMMAScaleOut::one), one, one,
          NVVM::MMALayoutAttr::get(c, NVVM::MMALayout::row),
          NVVM::MMALayoutAttr::get(c, NVVM::MMALayout::col), NVVM::MMAIntOverflowAttr());
    }
    NVVM::WgmmaGroupSyncAlignedOp::create(b);
    return sums;
  }

  void emitTile() override {
    NVVM::BarrierOp::create(b); // the ring may still be read for the tile before
    // A part is free when its products are made, and all warps know it.
    int64_t ahead = isAlone ? parts - 2 : parts - 1;
    fillRing(ahead);
    auto totals = LLVM::LLVMStructType::getLiteral(
        b.getContext(), SmallVector<Type>(size_t(kTile / 2), b.getF32Type()));
    Value zero = LLVM::ZeroOp::create(b, totals);
    Value count = arith::CeilDivUIOp::create(b, depth, constant(kDepth));
    auto loop = scf::ForOp::create(b, constant(0), count, constant(1), zero);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value turn = loop.getInductionVar(), later = add(turn, ahead);
      NVVM::CpAsyncWaitGroupOp::create(b, uint32_t(ahead - 1));
      // What came by ordinary accesses is there for the instructions, too.
      NVVM::FenceProxyOp::create(
          b, NVVM::ProxyKindAttr::get(b.getContext(), NVVM::ProxyKind::async_shared),
          NVVM::SharedSpaceAttr::get(b.getContext(), NVVM::SharedSpace::shared_cta));
      NVVM::BarrierOp::create(b);
      Value sums = multiply(modulo(turn, parts), loop.getRegionIterArgs().front());
      fetch(times(later, kDepth), modulo(later, parts));
      NVVM::CpAsyncCommitGroupOp::create(b);
      NVVM::WgmmaWaitGroupSyncOp::create(b, isAlone ? 1u : 0u);
      scf::YieldOp::create(b, sums);
    }
    NVVM::WgmmaWaitGroupSyncOp::create(b, 0u);
    NVVM::CpAsyncWaitGroupOp::create(b, 0u);
    Value quad = over(lane, 4), inQuad = times(modulo(lane, 4), 2);
    Value firstRow = add(times(over(thread, kWarp), kRows / 4), quad);
    SmallVector<Value> rows = {firstRow, add(firstRow, kExchanged)}, columns;
    for (int64_t c = 0; c < kTile; c += 8)
      for (int64_t i = 0; i < 2; ++i)
        columns.push_back(add(inQuad, c + i));
    finishInGroups(rows, columns, [&](size_t row, size_t column) -> Value {
      auto number = int64_t(4 * (column / 2) + 2 * row + column % 2);
      return LLVM::ExtractValueOp::create(b, loop.getResult(0), number);
    });
  }

  bool isAlone; ///< on its processor
};
} // namespace

bool ptc::cuda::fitsWarpgroups(linalg::LinalgOp op, const TiledProduct &product) {
  return product.byMatrix && product.size == kTile &&
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

uint32_t ptc::cuda::warpgroupRingBytes(const TiledProduct &product) {
  return uint32_t(numParts(product) * 2 * kTile * kDepth * kHalf);
}
