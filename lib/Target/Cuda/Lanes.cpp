//===- Lanes.cpp - Threads that share a reduction --------------------------------------------===//
//
// In: a nest whose results are reductions. Out: how many threads share one, and what combines what
// they have: shuffles within a warp, shared memory between the warps of a block.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// So many results keep a GPU busy with one thread each, or one block each.
static constexpr int64_t kManyResults = 1 << 15, kManyBlocks = 1024;
/// Turns of a loop from which on a warp, or a block, is worth the exchange.
static constexpr int64_t kLongForWarp = 32, kLongForBlock = 1024, kLongForLargeBlock = 8192;

std::optional<Sharing> ptc::cuda::findSharing(linalg::LinalgOp op) {
  if (!op.getNumReductionLoops() || op.getNumDpsInits() != 1)
    return std::nullopt;
  std::optional<Combiner> combiner = findCombiner(*op.getBlock());
  if (!combiner)
    return std::nullopt;
  Type type = combiner->accumulator.getType();
  if (!type.isF32() && !type.isF64() && !type.isInteger(32) && !type.isInteger(64))
    return std::nullopt;
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  int64_t results = 1, best = -1, extent = 0;
  bool isAlong = false, isAlongResults = false;
  for (auto [d, given] : llvm::enumerate(op.getStaticLoopRanges())) {
    int64_t size = ShapedType::isDynamic(given) ? kTypicalSize : given;
    bool along = llvm::any_of(op.getDpsInputOperands(), [&, loop = unsigned(d)](OpOperand *in) {
      return liesAlong(op, *in, loop);
    });
    if (op.getIteratorTypesArray()[d] == utils::IteratorType::parallel) {
      results *= size;
      isAlongResults |= along && size > 1;
      continue;
    }
    if (out.isFunctionOfDim(unsigned(d)))
      return std::nullopt;
    if (std::pair(along, size) > std::pair(isAlong, extent)) {
      best = int64_t(d);
      extent = size;
      isAlong = along;
    }
  }
  if (best < 0 || extent < kLongForWarp)
    return std::nullopt;
  if (results >= kManyResults && (isAlongResults || !isAlong))
    return std::nullopt;
  uint32_t lanes = results > kManyBlocks || extent < kLongForBlock ? 32
                   : extent < kLongForLargeBlock                   ? 256
                                                                   : 1024;
  return Sharing{unsigned(best), lanes, std::move(*combiner)};
}

Value ptc::cuda::combine(OpBuilder &b, const Combiner &c, Value x, Value y) {
  IRMapping mapping;
  mapping.map(c.accumulator, x);
  mapping.map(c.element, y);
  for (Operation *op : c.ops)
    b.clone(*op, mapping);
  return mapping.lookup(c.result);
}

Value ptc::cuda::shuffle(ImplicitLocOpBuilder &b, Value v, int64_t mask) {
  Type word = b.getI32Type(), type = v.getType();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIntOp::create(b, number, 32);
  };
  auto exchange = [&](Value half) -> Value {
    return NVVM::ShflOp::create(b, half.getType(), constant(-1), half, constant(mask),
                                constant(kWarp - 1), NVVM::ShflKind::bfly, UnitAttr());
  };
  if (type.getIntOrFloatBitWidth() == 32)
    return exchange(v);
  Type wide = b.getI64Type();
  Value bits = type == wide ? v : Value(arith::BitcastOp::create(b, wide, v));
  Value half = arith::ConstantIntOp::create(b, 32, 64);
  Value low = exchange(arith::TruncIOp::create(b, word, bits));
  Value high =
      exchange(arith::TruncIOp::create(b, word, Value(arith::ShRUIOp::create(b, bits, half))));
  Value joined = arith::OrIOp::create(
      b, arith::ExtUIOp::create(b, wide, low),
      Value(arith::ShLIOp::create(b, Value(arith::ExtUIOp::create(b, wide, high)), half)));
  return type == wide ? joined : Value(arith::BitcastOp::create(b, type, joined));
}

Value ptc::cuda::combineLanes(ImplicitLocOpBuilder &b, const Combiner &c, Value v, int64_t lanes) {
  for (int64_t mask = lanes / 2; mask; mask /= 2)
    v = combine(b, c, v, shuffle(b, v, mask));
  return v;
}

Value ptc::cuda::combineShared(ImplicitLocOpBuilder &b, const Sharing &sharing, Value v,
                               Value lane) {
  v = combineLanes(b, sharing.combiner, v, kWarp);
  int64_t warps = sharing.lanes / kWarp;
  if (warps == 1)
    return v;
  Value memory = sharedMemory(b, "partials", v.getType(), kWarp); // one for each warp
  auto index = [&](int64_t i) -> Value { return arith::ConstantIndexOp::create(b, i); };
  Value inWarp = arith::RemUIOp::create(b, lane, index(kWarp));
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, inWarp, index(0));
  auto write = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(write.thenBlock());
    memref::StoreOp::create(b, v, memory, Value(arith::DivUIOp::create(b, lane, index(kWarp))));
  }
  NVVM::BarrierOp::create(b);
  v = memref::LoadOp::create(b, memory, Value(arith::RemUIOp::create(b, lane, index(warps))));
  NVVM::BarrierOp::create(b); // the next result writes there
  return combineLanes(b, sharing.combiner, v, warps);
}
