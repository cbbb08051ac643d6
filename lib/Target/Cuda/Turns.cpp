//===- Turns.cpp - Nests that read memory across what they write -----------------------------===//
//
// In: a nest whose input lies along one loop and whose result along another, such as a
// transposition. Out: blocks that take 32x32 turns of both loops through shared memory, so that
// neighbouring threads read neighbours and write neighbours.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Turns of both loops in a tile; rows of it that the threads of a block have at a time.
static constexpr int64_t kTile = 32, kRows = 8;
/// Shorter loops leave too many threads without work, and so few turns are not worth it.
static constexpr int64_t kShortLoop = 12, kFewTurns = 1 << 14;

/// The loop along which an operand lies, and nothing else does; none: there is no such loop.
static std::optional<unsigned> loopAlong(linalg::LinalgOp op, OpOperand &operand) {
  std::optional<unsigned> found;
  for (unsigned d = 0; d < op.getNumLoops(); ++d)
    if (liesAlong(op, operand, d)) {
      if (found)
        return std::nullopt;
      found = d;
    }
  return found;
}

std::optional<Turn> ptc::cuda::findTurn(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() || op.getNumDpsInits() != 1 || !op.hasPureBufferSemantics())
    return std::nullopt;
  OpOperand *out = op.getDpsInitOperand(0);
  std::optional<unsigned> written = loopAlong(op, *out);
  if (!written || extentOf(op) < kFewTurns || extentOf(op, *written) < kShortLoop ||
      !op.getMatchingIndexingMap(out).isPermutation())
    return std::nullopt;
  for (OpOperand *in : op.getDpsInputOperands()) {
    auto type = dyn_cast<MemRefType>(in->get().getType());
    AffineMap map = op.getMatchingIndexingMap(in);
    if (!type || !map.isFunctionOfDim(*written) || op.getMatchingBlockArgument(in).use_empty() ||
        type.getElementTypeBitWidth() < 8)
      continue;
    std::optional<unsigned> read = loopAlong(op, *in);
    if (read && *read != *written && extentOf(op, *read) >= kShortLoop)
      return Turn{in, *read, *written};
  }
  return std::nullopt;
}

static Value constant(ImplicitLocOpBuilder &b, int64_t v) {
  return arith::ConstantIndexOp::create(b, v);
}

/// Loops that are the same for all turns of a tile.
static SmallVector<unsigned> outerLoops(linalg::LinalgOp op, const Turn &turn) {
  SmallVector<unsigned> loops;
  for (unsigned d = 0; d < op.getNumLoops(); ++d)
    if (d != turn.read && d != turn.written)
      loops.push_back(d);
  return loops;
}

static Value countTurnTiles(ImplicitLocOpBuilder &b, linalg::LinalgOp op, const Turn &turn,
                            ArrayRef<Value> sizes) {
  Value count = constant(b, 1);
  auto times = [&](Value n) { count = arith::MulIOp::create(b, count, n); };
  for (unsigned d : {turn.read, turn.written})
    times(arith::CeilDivUIOp::create(b, sizes[d], constant(b, kTile)));
  for (unsigned d : outerLoops(op, turn))
    times(sizes[d]);
  return count;
}

Value ptc::cuda::countTurnThreads(ImplicitLocOpBuilder &b, linalg::LinalgOp op, const Turn &turn) {
  return arith::MulIOp::create(b, countTurnTiles(b, op, turn, loopSizes(b, op)),
                               constant(b, kTile * kRows));
}

KernelShape ptc::cuda::emitTurn(linalg::LinalgOp op, const Turn &turn) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<Value> sizes = loopSizes(b, op), indices(sizes.size());
  Value thread = threadOfBlock(b), tile = constant(b, kTile);
  Value lane = arith::RemUIOp::create(b, thread, tile),
        row = arith::DivUIOp::create(b, thread, tile);
  Type element = cast<MemRefType>(turn.in->get().getType()).getElementType();
  Value memory = sharedMemory(b, "turn", element, {kTile, kTile + 1});
  auto loop =
      scf::ForOp::create(b, blockNumber(b), countTurnTiles(b, op, turn, sizes), numBlocks(b));
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar(), first[2];
  for (auto [i, d] : {std::pair(0, turn.read), std::pair(1, turn.written)}) {
    Value count = arith::CeilDivUIOp::create(b, sizes[d], tile);
    first[i] = arith::MulIOp::create(b, Value(arith::RemUIOp::create(b, number, count)), tile);
    number = arith::DivUIOp::create(b, number, count);
  }
  takeApart(b, number, outerLoops(op, turn), sizes, indices);
  // Calls `use` with the two places in the tile, of what lies along the lanes and the other.
  auto visit = [&](bool reads, llvm::function_ref<void(Value along, Value across)> use) {
    for (int64_t i = 0; i < kTile; i += kRows) {
      Value across = arith::AddIOp::create(b, row, constant(b, i));
      Value read = reads ? lane : across, written = reads ? across : lane;
      indices[turn.read] = arith::AddIOp::create(b, first[0], read);
      indices[turn.written] = arith::AddIOp::create(b, first[1], written);
      Value isThere = arith::AndIOp::create(
          b,
          Value(arith::CmpIOp::create(b, arith::CmpIPredicate::ult, indices[turn.read],
                                      sizes[turn.read])),
          Value(arith::CmpIOp::create(b, arith::CmpIPredicate::ult, indices[turn.written],
                                      sizes[turn.written])));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(
          scf::IfOp::create(b, isThere, /*withElseRegion=*/false).thenBlock());
      use(lane, across);
    }
  };
  auto place = [&](OpOperand *operand) {
    return placeOf(b, op.getMatchingIndexingMap(operand), indices);
  };
  visit(/*reads=*/true, [&](Value along, Value across) {
    Value value = memref::LoadOp::create(b, turn.in->get(), place(turn.in));
    memref::StoreOp::create(b, value, memory, ValueRange{across, along});
  });
  NVVM::BarrierOp::create(b);
  visit(/*reads=*/false, [&](Value along, Value across) {
    IRMapping mapping;
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument arg = op.getMatchingBlockArgument(&operand);
      if (arg.use_empty())
        continue;
      Value value = operand.get();
      if (&operand == turn.in)
        value = memref::LoadOp::create(b, memory, ValueRange{along, across});
      else if (isa<MemRefType>(value.getType()))
        value = memref::LoadOp::create(b, value, place(&operand));
      mapping.map(arg, value);
    }
    OpOperand *out = op.getDpsInitOperand(0);
    memref::StoreOp::create(b, cloneBody(b, op, indices, mapping).front(), out->get(), place(out));
  });
  NVVM::BarrierOp::create(b); // the next tile writes there
  op.erase();
  return {uint32_t(kTile * kRows), 0};
}
