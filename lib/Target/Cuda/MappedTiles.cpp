//===- MappedTiles.cpp - Tiles whose inputs come by tensor maps ------------------------------===//
//
// In: a sum of products of f16 or bf16 whose inputs tensor maps show. Out: a thread that asks for
// parts of both inputs, which the hardware brings to a ring of shared memory; groups of four warps
// that multiply them and say when a part of the ring is free again. Groups share a tile, 64 rows
// each, or have tiles by turns: one multiplies while the other computes results. Blocks go
// through tiles one after the other: the next one comes while the results of this one are computed.
//
// Barriers in memory, tensor copies: PTX ISA, "mbarrier", "cp.async.bulk.tensor".
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

static constexpr int64_t kGroupThreads = 4 * kWarp;
/// Bytes of a barrier, of a panel of 64 rows of 128 bytes.
static constexpr int64_t kBarrier = 8, kPanelBytes = kPanel * kPanel * kHalf;
/// Results of a lane: in two rows, this far from each other.
static constexpr int64_t kRowStep = 8;
/// Rows of a warp.
static constexpr int64_t kWarpRows = kGroupRows / 4;
/// Nanoseconds after which a thread that waits looks again.
static constexpr int64_t kPatience = 10'000'000;

/// Registers of threads that bring, that multiply; 0: as the assembler gives them.
static std::pair<uint32_t, uint32_t> registersFor(int64_t groups) {
  if (groups == 1)
    return {0, 0};
  return groups == 2 ? std::pair(40u, 232u) : std::pair(32u, 160u);
}

namespace {
class MappedTiles final : public HalfTiles {
public:
  MappedTiles(const Step &step, const MappedProduct &mapped)
      : HalfTiles(step, mapped.tiles), mapped(mapped) {}

private:
  void begin() override {
    HalfTiles::begin();
    auto function = op->getParentOfType<func::FuncOp>();
    function->setAttr(kResidentAttr, b.getDenseI32ArrayAttr({int32_t(product.threads), 1}));
    maps = function.getArguments().take_back(2);
    // The same in all lanes of a warp, as the assembler can see.
    Value number = arith::IndexCastUIOp::create(b, b.getI32Type(), over(thread, kGroupThreads));
    Value ofWarp = NVVM::ShflOp::create(b, b.getI32Type(), word(-1), number, word(0),
                                        word(kWarp - 1), NVVM::ShflKind::idx, UnitAttr());
    group = arith::IndexCastUIOp::create(b, b.getIndexType(), ofWarp);
    results = groupedResults();
    if (results) {
      areGroups = areAligned(b, results);
      findReads();
    }
    auto first = ifEqual(thread, 0);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(first.thenBlock());
      for (int64_t p = 0; p < mapped.parts; ++p) {
        NVVM::MBarrierInitOp::create(b, full(constant(p)), word(1), Value());
        NVVM::MBarrierInitOp::create(b, empty(constant(p)),
                                     word(mapped.byTurns ? 1 : mapped.groups), Value());
      }
      NVVM::FenceMbarrierInitOp::create(b);
    }
    awaitKernelsBefore(b);
    NVVM::BarrierOp::create(b);
  }

  void emitTiles() override {
    auto roles = ifEqual(group, 0, /*hasElse=*/true);
    auto [few, many] = registersFor(mapped.groups);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(roles.thenBlock());
      if (few)
        NVVM::SetMaxRegisterOp::create(b, few, NVVM::SetMaxRegisterAction::decrease);
      b.setInsertionPointToStart(ifEqual(thread, 0).thenBlock());
      bringTiles();
    }
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(roles.elseBlock());
    if (many)
      NVVM::SetMaxRegisterOp::create(b, many, NVVM::SetMaxRegisterAction::increase);
    multiplyTiles();
  }

  //===--------------------------------------------------------------------===//
  // The ring
  //===--------------------------------------------------------------------===//

  scf::IfOp ifEqual(Value x, int64_t y, bool hasElse = false) {
    Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, constant(y));
    return scf::IfOp::create(b, is, hasElse);
  }
  Value barrier(Value part, int64_t first) {
    int64_t behind = mapped.parts * mapped.partBytes() + mapped.stagedBytes();
    return sharedAt(add(times(part, kBarrier), behind + first * kBarrier));
  }
  Value full(Value part) { return barrier(part, 0); }
  Value empty(Value part) { return barrier(part, kMostMapped); }
  void await(Value barrier, Value phase) {
    NVVM::MBarrierTryWaitParityOp::create(b, barrier, phase, word(kPatience));
  }
  /// {part, phase} of what follows in the ring.
  SmallVector<Value> next(Value part, Value phase) {
    Value later = add(part, 1);
    Value isLast =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, later, constant(mapped.parts));
    return {
        arith::SelectOp::create(b, isLast, constant(0), later),
        arith::SelectOp::create(b, isLast, Value(arith::XOrIOp::create(b, phase, word(1))), phase)};
  }
  Value numParts() { return arith::CeilDivUIOp::create(b, depth, constant(kPanel)); }
  int64_t sideBytes(unsigned s) const {
    return (s ? product.width : product.size) * kPanel * kHalf;
  }
  Value offsetOf(unsigned s, Value part) {
    return add(times(part, mapped.partBytes()), s ? sideBytes(0) : 0);
  }

  //===--------------------------------------------------------------------===//
  // Bringing
  //===--------------------------------------------------------------------===//

  Type cluster() {
    return LLVM::LLVMPointerType::get(b.getContext(),
                                      unsigned(NVVM::NVVMMemorySpace::SharedCluster));
  }

  void bring(unsigned s, Value part, Value from) {
    const MappedInput &input = mapped.inputs[s];
    auto coordinate = [&](Value v) -> Value {
      return arith::IndexCastUIOp::create(b, b.getI32Type(), v);
    };
    if (input.images)
      return bringImages(s, *input.images, part, from);
    Value batch = constant(0);
    for (unsigned d : product.batch)
      batch =
          arith::AddIOp::create(b, Value(arith::MulIOp::create(b, batch, sizes[d])), indices[d]);
    int64_t panels = input.alongSum ? 1 : (s ? product.width : product.size) / kPanel;
    for (int64_t p = 0; p < panels; ++p) {
      Value to = LLVM::AddrSpaceCastOp::create(b, cluster(),
                                               sharedAt(add(offsetOf(s, part), p * kPanelBytes)));
      Value own = add(sides[s].first, p * kPanel);
      SmallVector<Value> at = {coordinate(input.alongSum ? from : own),
                               coordinate(input.alongSum ? own : from)};
      if (input.batchPitch)
        at.push_back(coordinate(batch));
      NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
          b, to, maps[s], at, full(part), ValueRange(), Value(), Value(), NVVM::TMALoadMode::TILE,
          /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
    }
  }

  /// The channels of a place in windows, for windows that follow each other.
  void bringImages(unsigned s, const MappedImages &images, Value part, Value from) {
    auto narrow = [&](Value v, unsigned bits) -> Value {
      return arith::IndexCastUIOp::create(b, b.getIntegerType(bits), v);
    };
    SmallVector<Value> at = indices;
    takeApart(b, sides[s].first, sides[s].loops, sizes, at);
    Value place = over(from, images.channels);
    Value inWindow[2] = {modulo(place, images.windows[0]), over(place, images.windows[0])};
    SmallVector<Value> first = {narrow(modulo(from, images.channels), 32)}, offsets;
    for (size_t i = 0; i < 2; ++i) {
      first.push_back(narrow(times(at[images.places[i]], images.steps[i]), 32));
      offsets.push_back(narrow(times(inWindow[i], images.dilations[i]), 16));
    }
    first.push_back(images.image ? narrow(at[*images.image], 32) : word(0));
    Value to = LLVM::AddrSpaceCastOp::create(b, cluster(), sharedAt(offsetOf(s, part)));
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        b, to, maps[s], first, full(part), offsets, Value(), Value(), NVVM::TMALoadMode::IM2COL,
        /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
  }

  void bringTiles() {
    // All parts are free: as if a phase before the first one had been.
    forTiles({}, {}, {constant(0), word(1)}, [&](ValueRange ring) -> SmallVector<Value> {
      auto loop = scf::ForOp::create(b, constant(0), numParts(), constant(1), ring);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value part = loop.getRegionIterArgs()[0], phase = loop.getRegionIterArgs()[1];
      await(empty(part), phase);
      NVVM::MBarrierArriveExpectTxOp::create(b, Type(), full(part), word(mapped.partBytes()),
                                             NVVM::MemScopeKind::CTA, /*relaxed=*/false, Value());
      for (unsigned s = 0; s < 2; ++s)
        bring(s, part, times(loop.getInductionVar(), kPanel));
      scf::YieldOp::create(b, next(part, phase));
      return loop.getResults();
    });
  }

  //===--------------------------------------------------------------------===//
  // Multiplying
  //===--------------------------------------------------------------------===//

  /// Of a group: it has read this part.
  void release(Value part) {
    auto leads = ifEqual(modulo(thread, kGroupThreads), 0);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(leads.thenBlock());
    NVVM::MBarrierArriveOp::create(b, b.getI64Type(), empty(part), Value());
  }

  /// Groups that have tiles by turns come here in order: the other one has `turn` next.
  void awaitTurn() {
    if (mapped.byTurns)
      NVVM::BarrierOp::create(b, Type(), word32(group), word(2 * kGroupThreads),
                              NVVM::BarrierReductionAttr(), Value());
  }
  void passTurn() {
    if (!mapped.byTurns)
      return;
    Value other = arith::SubIOp::create(b, constant(3), group);
    NVVM::BarrierArriveOp::create(b, word32(other), word(2 * kGroupThreads));
  }
  Value word32(Value v) { return arith::IndexCastUIOp::create(b, b.getI32Type(), v); }

  /// {part, phase} so many parts on.
  SmallVector<Value> skip(Value part, Value phase, Value count) {
    Value later = add(part, count);
    Value rounds = word32(over(later, mapped.parts));
    return {modulo(later, mapped.parts),
            arith::XOrIOp::create(b, phase, Value(arith::AndIOp::create(b, rounds, word(1))))};
  }

  void multiplyTiles() {
    Value mine = arith::SubIOp::create(b, group, constant(1));
    auto totals = LLVM::LLVMStructType::getLiteral(
        b.getContext(), SmallVector<Type>(size_t(product.width / 2), b.getF32Type()));
    Value zero = LLVM::ZeroOp::create(b, totals);
    std::array alongSum = {mapped.inputs[0].alongSum, mapped.inputs[1].alongSum};
    int64_t blocks = product.size / kGroupRows / (mapped.byTurns ? 1 : mapped.groups);
    Value firstBlock = mapped.byTurns ? constant(0) : mine;
    SmallVector<Value> start = {constant(0), word(0)};
    Value first, step;
    if (mapped.byTurns) {
      Value isSecond = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, mine, constant(1));
      first = add(blockNumber(b),
                  Value(arith::SelectOp::create(b, isSecond, numBlocks(b), constant(0))));
      step = times(numBlocks(b), 2);
      start =
          skip(constant(0), word(0), arith::SelectOp::create(b, isSecond, numParts(), constant(0)));
      auto begins = scf::IfOp::create(b, isSecond, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(begins.thenBlock());
      passTurn();
    }
    forTiles(first, step, start, [&](ValueRange ring) -> SmallVector<Value> {
      awaitTurn();
      SmallVector<Value> carried(ring);
      carried.push_back(constant(mapped.parts));
      carried.append(size_t(blocks), zero);
      auto loop = scf::ForOp::create(b, constant(0), numParts(), constant(1), carried);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(loop.getBody());
        Value part = loop.getRegionIterArgs()[0], phase = loop.getRegionIterArgs()[1],
              before = loop.getRegionIterArgs()[2];
        await(full(part), phase);
        Value columns = describeShared(offsetOf(1, part), alongSum[1] ? 1 : kPanelBytes / 16);
        SmallVector<Value> following = next(part, phase);
        following.push_back(part);
        NVVM::WgmmaFenceAlignedOp::create(b);
        for (int64_t k = 0; k < blocks; ++k) {
          Value rows =
              describeShared(add(offsetOf(0, part), times(add(firstBlock, k), kPanelBytes)));
          following.push_back(
              multiplyGroup(rows, columns, loop.getRegionIterArgs()[size_t(3 + k)], alongSum));
        }
        NVVM::WgmmaGroupSyncAlignedOp::create(b);
        NVVM::WgmmaWaitGroupSyncOp::create(b, 1u);
        Value isLater =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ne, before, constant(mapped.parts));
        auto had = scf::IfOp::create(b, isLater, /*withElseRegion=*/false);
        {
          OpBuilder::InsertionGuard inner(b);
          b.setInsertionPointToStart(had.thenBlock());
          release(before);
        }
        scf::YieldOp::create(b, following);
      }
      passTurn();
      NVVM::WgmmaWaitGroupSyncOp::create(b, 0u);
      release(loop.getResult(2));
      Value firstRow = times(firstBlock, kGroupRows);
      for (int64_t k = 0; k < blocks; ++k)
        computeResults(mine, add(firstRow, k * kGroupRows), loop.getResult(unsigned(3 + k)));
      if (!mapped.byTurns)
        return loop.getResults().take_front(2);
      return skip(loop.getResult(0), loop.getResult(1), numParts());
    });
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Each warp has 16 of the 64 rows from `rows` on, whose sums go through its shared memory some
  /// columns at a time.
  void computeResults(Value mine, Value rows, Value totals) {
    int64_t staged = mapped.stagedColumns(), groups = staged / kGroup;
    Value warp = modulo(over(thread, kWarp), kGroupThreads / kWarp);
    Value firstRow = add(rows, times(warp, kWarpRows));
    Value ofWarp = times(add(times(mine, kGroupThreads / kWarp), warp), kWarpRows * staged * 4);
    Value begin = add(ofWarp, mapped.parts * mapped.partBytes());
    // Groups of columns of neighbour rows lie in other banks.
    auto place = [&](Value row, Value number, Value inGroup) {
      Value exchanged = arith::XOrIOp::create(b, number, modulo(row, groups));
      Value at = add(times(row, staged), add(times(exchanged, kGroup), inGroup));
      return sharedAt(add(begin, times(at, 4)));
    };
    auto all = [&] { NVVM::SyncWarpOp::create(b, word(-1)); };
    auto pair = VectorType::get(2, type), vector = VectorType::get(kGroup, type);
    auto loop = scf::ForOp::create(b, constant(0), constant(product.width / staged), constant(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    all();
    for (int64_t c = 0; c < product.width / staged; ++c) {
      auto now = ifEqual(loop.getInductionVar(), c);
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(now.thenBlock());
      for (int64_t g = 0; g < groups; ++g)
        for (int64_t half = 0; half < 2; ++half) {
          Value row = add(over(lane, 4), half * kRowStep);
          SmallVector<Value> two;
          for (int64_t i = 0; i < 2; ++i)
            two.push_back(
                LLVM::ExtractValueOp::create(b, totals, 4 * (c * groups + g) + 2 * half + i));
          LLVM::StoreOp::create(b, Value(vector::FromElementsOp::create(b, pair, two)),
                                place(row, constant(g), times(modulo(lane, 4), 2)), 8u);
        }
    }
    all();
    auto of = scf::ForOp::create(b, lane, constant(kWarpRows * groups), constant(kWarp));
    b.setInsertionPointToStart(of.getBody());
    Value row = over(of.getInductionVar(), groups), number = modulo(of.getInductionVar(), groups);
    Value sums =
        LLVM::LoadOp::create(b, vector, place(row, number, constant(0)), unsigned(kWideAccess));
    Value column = add(times(loop.getInductionVar(), staged), times(number, kGroup));
    finishGroup(add(firstRow, row), column, sums, results, areGroups);
  }

  const MappedProduct &mapped;
  ValueRange maps;
  Value group, results, areGroups;
};
} // namespace

KernelShape ptc::cuda::emitMappedProduct(const Step &step, const MappedProduct &product) {
  MappedTiles(step, product).emit();
  int64_t bytes = product.parts * product.partBytes() + product.stagedBytes() + kBarrierBytes;
  return {uint32_t(product.tiles.threads), uint32_t(bytes), /*perProcessor=*/1};
}
