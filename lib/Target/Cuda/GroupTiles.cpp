//===- GroupTiles.cpp - What tiles of groups of four warps share -----------------------------===//
//
// Roles of groups, barriers in memory, requests for boxes of tensor maps, and the way of results to
// memory.
//
// Barriers, tensor copies: PTX ISA, "mbarrier", "cp.async.bulk.tensor".
//
//===----------------------------------------------------------------------===//
#include "Groups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Bytes of a barrier.
static constexpr int64_t kBarrier = 8;
/// Results of a lane: in two rows, this far from each other.
static constexpr int64_t kRowStep = 8;
/// Groups of results whose inputs a lane loads before it computes the first.
static constexpr int64_t kTogether = 4;
/// Nanoseconds after which a thread that waits looks again.
static constexpr int64_t kPatience = 10'000'000;

/// Registers of threads that bring, that multiply; 0: as the assembler gives them.
static std::pair<uint32_t, uint32_t> registersFor(int64_t groups) {
  if (groups == 1)
    return {0, 0};
  return groups == 2 ? std::pair(40u, 232u) : std::pair(32u, 160u);
}

int64_t GroupTiles::stagedColumns(int64_t width) { return width % 64 ? 32 : 64; }
int64_t GroupTiles::stagedBytes(int64_t groups, int64_t width) {
  return groups * kGroupRows * stagedColumns(width) * 4;
}
int64_t GroupTiles::bytes() const {
  return incoming + stagedBytes(groups, product.width) + kBarrierBytes;
}

void GroupTiles::begin() {
  HalfTiles::begin();
  auto function = op->getParentOfType<func::FuncOp>();
  function->setAttr(kResidentAttr, b.getDenseI32ArrayAttr({int32_t(product.threads), 1}));
  if (shares > 1)
    function->setAttr(kClusterAttr, b.getI32IntegerAttr(int32_t(shares)));
  auto numMaps = function->getAttrOfType<IntegerAttr>(kMapsAttr).getInt();
  maps = function.getArguments().take_back(size_t(numMaps));
  // The same in all lanes of a warp, as the assembler can see.
  Value ofWarp =
      NVVM::ShflOp::create(b, b.getI32Type(), word(-1), word32(over(thread, kGroupThreads)),
                           word(0), word(kWarp - 1), NVVM::ShflKind::idx, UnitAttr());
  group = arith::IndexCastUIOp::create(b, b.getIndexType(), ofWarp);
  results = groupedResults();
  if (results) {
    areGroups = areAligned(b, results);
    findReads();
  }
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifEqual(thread, 0).thenBlock());
    initBarriers();
    NVVM::FenceMbarrierInitOp::create(b);
  }
  awaitKernelsBefore(b);
  NVVM::BarrierOp::create(b);
}

void GroupTiles::emitTiles() {
  auto roles = ifEqual(group, 0, /*hasElse=*/true);
  auto [few, many] = registersFor(groups);
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

scf::IfOp GroupTiles::ifEqual(Value x, int64_t y, bool hasElse) {
  Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, constant(y));
  return scf::IfOp::create(b, is, hasElse);
}

Value GroupTiles::word32(Value v) { return arith::IndexCastUIOp::create(b, b.getI32Type(), v); }

Value GroupTiles::barrier(int64_t first, Value i) {
  int64_t behind = incoming + stagedBytes(groups, product.width);
  return sharedAt(add(times(i, kBarrier), behind + first * kBarrier));
}

void GroupTiles::initBarrier(Value barrier, int64_t arrivals) {
  NVVM::MBarrierInitOp::create(b, barrier, word(arrivals), Value());
}

void GroupTiles::await(Value barrier, Value phase) {
  NVVM::MBarrierTryWaitParityOp::create(b, barrier, phase, word(kPatience));
}

void GroupTiles::expect(Value barrier, int64_t bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(b, Type(), barrier, word(bytes), NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());
}

void GroupTiles::leave(Value barrier) {
  auto leads = ifEqual(modulo(thread, kGroupThreads), 0);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(leads.thenBlock());
  NVVM::MBarrierArriveOp::create(b, b.getI64Type(), barrier, Value());
}

void GroupTiles::awaitTurn() {
  NVVM::BarrierOp::create(b, Type(), word32(group), word(2 * kGroupThreads),
                          NVVM::BarrierReductionAttr(), Value());
}

void GroupTiles::passTurn() {
  Value other = arith::SubIOp::create(b, constant(3), group);
  NVVM::BarrierArriveOp::create(b, word32(other), word(2 * kGroupThreads));
}

Value GroupTiles::shareNumber() { return modulo(blockNumber(b), shares); }

void GroupTiles::meetShares() {
  NVVM::ClusterArriveOp::create(b, UnitAttr());
  NVVM::ClusterWaitOp::create(b, UnitAttr());
}

/// What all shares have at a place of their shared memory, in the order of their numbers.
Value GroupTiles::sumOfShares(Type vector, Value place) {
  auto cluster =
      LLVM::LLVMPointerType::get(b.getContext(), unsigned(NVVM::NVVMMemorySpace::SharedCluster));
  Value total;
  for (int64_t share = 0; share < shares; ++share) {
    Value there = NVVM::MapaOp::create(b, cluster, place, word(share));
    Value part = LLVM::LoadOp::create(b, vector, there, unsigned(kWideAccess));
    total = total ? Value(arith::AddFOp::create(b, total, part)) : part;
  }
  return total;
}

SmallVector<Value> GroupTiles::nextOf(Value part, Value phase, int64_t parts) {
  Value later = add(part, 1);
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, later, constant(parts));
  return {
      arith::SelectOp::create(b, isLast, constant(0), later),
      arith::SelectOp::create(b, isLast, Value(arith::XOrIOp::create(b, phase, word(1))), phase)};
}

void GroupTiles::bringBox(Value to, size_t map, ValueRange at, Value barrier, ValueRange offsets) {
  auto cluster =
      LLVM::LLVMPointerType::get(b.getContext(), unsigned(NVVM::NVVMMemorySpace::SharedCluster));
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, LLVM::AddrSpaceCastOp::create(b, cluster, sharedAt(to)), maps[map], at, barrier, offsets,
      Value(), Value(), offsets.empty() ? NVVM::TMALoadMode::TILE : NVVM::TMALoadMode::IM2COL,
      /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
}

void GroupTiles::computeResults(Value mine, Value rows, Value totals) {
  int64_t staged = stagedColumns(product.width), groups = staged / kGroup;
  Value warp = modulo(over(thread, kWarp), kGroupThreads / kWarp);
  Value firstRow = add(rows, times(warp, kWarpRows));
  Value ofWarp = times(add(times(mine, kGroupThreads / kWarp), warp), kWarpRows * staged * 4);
  Value begin = add(ofWarp, incoming);
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
  Value column = times(loop.getInductionVar(), staged);
  if (shares > 1 || !results) {
    shares > 1 ? meetShares() : all();
    return finishStaged(place, firstRow, column);
  }
  all();
  auto ways = scf::IfOp::create(b, areWhole(firstRow, kWarpRows, column, staged, areGroups),
                                /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(ways.elseBlock());
    finishStaged(place, firstRow, column);
  }
  b.setInsertionPointToStart(ways.thenBlock());
  for (int64_t from = 0; from < kWarpRows * groups; from += kTogether * kWarp) {
    SmallVector<GroupOfSums> together;
    for (int64_t i = from; i < std::min(from + kTogether * kWarp, kWarpRows * groups); i += kWarp) {
      Value item = add(lane, i), row = over(item, groups), number = modulo(item, groups);
      Value sums =
          LLVM::LoadOp::create(b, vector, place(row, number, constant(0)), unsigned(kWideAccess));
      together.push_back({add(firstRow, row), add(column, times(number, kGroup)), sums});
    }
    finishGroups(together, results);
  }
}

void GroupTiles::finishStaged(llvm::function_ref<Value(Value, Value, Value)> place, Value firstRow,
                              Value firstColumn) {
  int64_t groups = stagedColumns(product.width) / kGroup;
  auto vector = VectorType::get(kGroup, type);
  // Each share adds up and finishes some of what all have.
  Value from = shares > 1 ? add(lane, times(shareNumber(), kWarp)) : lane;
  auto of = scf::ForOp::create(b, from, constant(kWarpRows * groups), constant(kWarp * shares));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(of.getBody());
  Value row = over(of.getInductionVar(), groups), number = modulo(of.getInductionVar(), groups);
  Value at = place(row, number, constant(0));
  Value sums = shares > 1 ? sumOfShares(vector, at)
                          : Value(LLVM::LoadOp::create(b, vector, at, unsigned(kWideAccess)));
  finishGroup(add(firstRow, row), add(firstColumn, times(number, kGroup)), sums, results,
              areGroups);
}
