//===- MappedTiles.cpp - Tiles whose inputs come by tensor maps ------------------------------===//
//
// In: a sum of products of f16 or bf16, or of f32 as tf32, whose inputs tensor maps show. Out: a
// thread that asks for parts of both inputs, which the hardware brings to a ring of shared memory;
// groups of four warps that multiply them and say when a part of the ring is free again. Groups
// share a tile, 64 rows each, or have tiles by turns: one multiplies while the other computes
// results. Blocks go through tiles one after the other: the next one comes while the results of
// this one are computed.
//
// Barriers in memory, tensor copies: PTX ISA, "mbarrier", "cp.async.bulk.tensor".
//
//===----------------------------------------------------------------------===//
#include "Groups.h"
#include "Maps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

namespace {
class MappedTiles final : public GroupTiles {
public:
  MappedTiles(const Step &step, const MappedProduct &mapped)
      : GroupTiles(step, mapped.tiles, mapped.groups, mapped.parts * mapped.partBytes(),
                   mapped.shares),
        mapped(mapped) {}

private:
  Value full(Value part) { return barrier(0, part); }
  Value empty(Value part) { return barrier(kMostMapped, part); }
  void initBarriers() override {
    for (int64_t p = 0; p < mapped.parts; ++p) {
      initBarrier(full(constant(p)), 1);
      initBarrier(empty(constant(p)), mapped.byTurns ? 1 : mapped.groups);
    }
  }
  /// {part, phase} of what follows in the ring.
  SmallVector<Value> next(Value part, Value phase) { return nextOf(part, phase, mapped.parts); }
  Value numParts() { return arith::CeilDivUIOp::create(b, depth, constant(inPanel())); }
  /// Those of this block: the first, and behind the last.
  std::pair<Value, Value> ownParts() {
    Value all = numParts();
    if (mapped.shares == 1)
      return {constant(0), all};
    Value each = arith::CeilDivUIOp::create(b, all, constant(mapped.shares));
    Value first = arith::MulIOp::create(b, shareNumber(), each);
    return {first, arith::MinUIOp::create(b, all, add(first, each))};
  }
  /// Over the tiles that blocks make together.
  std::pair<Value, Value> sharedTiles() {
    if (mapped.shares == 1)
      return {};
    return {over(blockNumber(b), mapped.shares), over(numBlocks(b), mapped.shares)};
  }
  int64_t sideBytes(unsigned s) const {
    return (s ? product.width : product.size) * kPanel * kHalf;
  }
  Value offsetOf(unsigned s, Value part) {
    return add(times(part, mapped.partBytes()), s ? sideBytes(0) : 0);
  }

  //===--------------------------------------------------------------------===//
  // Bringing
  //===--------------------------------------------------------------------===//

  void bring(unsigned s, Value part, Value from) {
    const MappedInput &input = mapped.inputs[s];
    if (input.images)
      return bringImages(s, *input.images, part, from);
    Value batch = constant(0);
    for (unsigned d : product.batch)
      batch =
          arith::AddIOp::create(b, Value(arith::MulIOp::create(b, batch, sizes[d])), indices[d]);
    int64_t panels = input.alongSum ? 1 : (s ? product.width : product.size) / kPanel;
    for (int64_t p = 0; p < panels; ++p) {
      Value own = add(sides[s].first, p * kPanel);
      SmallVector<Value> at = {word32(input.alongSum ? from : own),
                               word32(input.alongSum ? own : from)};
      if (input.batchPitch)
        at.push_back(word32(batch));
      bringBox(add(offsetOf(s, part), p * kPanelBytes), s, at, full(part));
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
      Value place = add(times(at[images.places[i]], images.steps[i]), images.begins[i]);
      first.push_back(narrow(place, 32));
      offsets.push_back(narrow(times(inWindow[i], images.dilations[i]), 16));
    }
    first.push_back(images.image ? narrow(at[*images.image], 32) : word(0));
    bringBox(offsetOf(s, part), s, first, full(part), offsets);
  }

  void bringTiles() override {
    // All parts are free: as if a phase before the first one had been.
    auto [tile, step] = sharedTiles();
    forTiles(tile, step, {constant(0), word(1)}, [&](ValueRange ring) -> SmallVector<Value> {
      auto [first, last] = ownParts();
      auto loop = scf::ForOp::create(b, first, last, constant(1), ring);
      if (mapped.shares > 1) { // this thread comes where all do
        meetShares();
        meetShares();
      }
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value part = loop.getRegionIterArgs()[0], phase = loop.getRegionIterArgs()[1];
      await(empty(part), phase);
      expect(full(part), mapped.partBytes());
      for (unsigned s = 0; s < 2; ++s)
        bring(s, part, times(loop.getInductionVar(), inPanel()));
      scf::YieldOp::create(b, next(part, phase));
      return loop.getResults();
    });
  }

  //===--------------------------------------------------------------------===//
  // Multiplying
  //===--------------------------------------------------------------------===//

  /// {part, phase} so many parts on.
  SmallVector<Value> skip(Value part, Value phase, Value count) {
    Value later = add(part, count);
    Value rounds = word32(over(later, mapped.parts));
    return {modulo(later, mapped.parts),
            arith::XOrIOp::create(b, phase, Value(arith::AndIOp::create(b, rounds, word(1))))};
  }

  void multiplyTiles() override {
    Value mine = arith::SubIOp::create(b, group, constant(1));
    auto totals = LLVM::LLVMStructType::getLiteral(
        b.getContext(), SmallVector<Type>(size_t(product.width / 2), b.getF32Type()));
    Value zero = LLVM::ZeroOp::create(b, totals);
    std::array alongSum = {mapped.inputs[0].alongSum, mapped.inputs[1].alongSum};
    int64_t blocks = product.size / kGroupRows / (mapped.byTurns ? 1 : mapped.groups);
    Value firstBlock = mapped.byTurns ? constant(0) : mine;
    SmallVector<Value> start = {constant(0), word(0)};
    auto [first, step] = sharedTiles();
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
      if (mapped.byTurns)
        awaitTurn();
      SmallVector<Value> carried(ring);
      carried.push_back(constant(mapped.parts));
      carried.append(size_t(blocks), zero);
      auto [begin, end] = ownParts();
      auto loop = scf::ForOp::create(b, begin, end, constant(1), carried);
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
          leave(empty(before));
        }
        scf::YieldOp::create(b, following);
      }
      if (mapped.byTurns)
        passTurn();
      NVVM::WgmmaWaitGroupSyncOp::create(b, 0u);
      leave(empty(loop.getResult(2)));
      Value firstRow = times(firstBlock, kGroupRows);
      for (int64_t k = 0; k < blocks; ++k)
        computeResults(mine, add(firstRow, k * kGroupRows), loop.getResult(unsigned(3 + k)));
      if (mapped.shares > 1)
        meetShares(); // others may still read what this one has
      if (!mapped.byTurns)
        return loop.getResults().take_front(2);
      return skip(loop.getResult(0), loop.getResult(1), numParts());
    });
  }

  const MappedProduct &mapped;
};
} // namespace

KernelShape ptc::cuda::emitMappedProduct(const Step &step, const MappedProduct &product) {
  MappedTiles tiles(step, product);
  tiles.emit();
  // As many blocks as whole tiles take, on any number of processors.
  return {uint32_t(product.tiles.threads), uint32_t(tiles.bytes()),
          /*perProcessor=*/uint32_t(product.shares)};
}
