//===- FmaTiles.cpp - Tiles by multiply-adds -------------------------------------------------===//
//
// In: a sum of products. Out: some turns of the sum at a time, what the tile needs of both inputs
// goes to shared memory, and each thread adds up some rows by some columns in registers, in the
// order of the sum. While it does, the next part is on its way to registers.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Threads along either side of a tile, and turns of the sum in shared memory.
static constexpr int64_t kSide = 16, kDepth = 16;

namespace {
class FmaTiles final : public TileEmitter {
public:
  FmaTiles(const Step &step, const TiledProduct &product)
      : TileEmitter(step, product),
        width(std::min(kWideAccess * 8 / int64_t(type.getIntOrFloatBitWidth()),
                       product.size / kSide)),
        groups(product.size / kSide / width) {}

private:
  int64_t perThread() const { return product.size / kSide; }
  int64_t numStaged() const { return product.size * kDepth / product.threads; }

  void begin() override {
    for (auto [s, name] : {std::pair(0, "rows"), std::pair(1, "columns")})
      memory[s] = sharedMemory(b, name, type, {kDepth, product.size + width});
  }

  /// Element `i` of those that this thread brings: {turn within the tile, turn of the sum}.
  std::pair<Value, Value> staged(const TileSide &side, int64_t i) {
    int64_t inner = side.alongSum ? kDepth : product.size;
    Value number = arith::AddIOp::create(b, thread, constant(i * product.threads));
    Value low = arith::RemUIOp::create(b, number, constant(inner)),
          high = arith::DivUIOp::create(b, number, constant(inner));
    return side.alongSum ? std::pair(high, low) : std::pair(low, high);
  }

  /// What the thread brings of a side; 0 behind the ends.
  void fetch(const TileSide &side, Value from, SmallVectorImpl<Value> &values) {
    for (int64_t i = 0; i < numStaged(); ++i) {
      auto [inTile, inDepth] = staged(side, i);
      Value turn = arith::AddIOp::create(b, side.first, inTile),
            step = arith::AddIOp::create(b, from, inDepth);
      auto read = scf::IfOp::create(b, type, exists(side, turn, step), /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(read.thenBlock());
      Value value = memref::LoadOp::create(b, side.operand->get(), place(side, turn, step));
      if (value.getType() != type)
        value = arith::ExtFOp::create(b, type, value);
      scf::YieldOp::create(b, value);
      b.setInsertionPointToStart(read.elseBlock());
      scf::YieldOp::create(b, Value(arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0))));
      values.push_back(read.getResult(0));
    }
  }

  void put(unsigned s, ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values)) {
      auto [inTile, inDepth] = staged(sides[s], int64_t(i));
      memref::StoreOp::create(b, value, memory[s], ValueRange{inDepth, inTile});
    }
  }

  /// Row or column `i` of those of this thread, within the tile.
  Value own(unsigned side, int64_t i) {
    Value lane = side == 0 ? arith::DivUIOp::create(b, thread, constant(kSide)).getResult()
                           : arith::RemUIOp::create(b, thread, constant(kSide)).getResult();
    Value first = arith::MulIOp::create(b, lane, constant(width));
    return arith::AddIOp::create(b, first, constant(i / width * kSide * width + i % width));
  }

  /// Adds the products of what lies in shared memory.
  void multiply(SmallVectorImpl<Value> &totals) {
    auto vector = VectorType::get(width, type);
    auto alignment = uint64_t(width) * type.getIntOrFloatBitWidth() / 8;
    for (int64_t k = 0; k < kDepth; ++k) {
      SmallVector<Value> numbers[2];
      for (unsigned s = 0; s < 2; ++s)
        for (int64_t g = 0; g < groups; ++g) {
          Value part = vector::LoadOp::create(b, vector, memory[s],
                                              ValueRange{constant(k), own(s, g * width)},
                                              /*nontemporal=*/false, llvm::MaybeAlign(alignment));
          for (int64_t i = 0; i < width; ++i)
            numbers[s].push_back(vector::ExtractOp::create(b, part, ArrayRef<int64_t>{i}));
        }
      for (auto [i, total] : llvm::enumerate(totals))
        total = math::FmaOp::create(b, numbers[0][i / size_t(perThread())],
                                    numbers[1][i % size_t(perThread())], total);
    }
  }

  void emitTile() override {
    Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
    SmallVector<Value> carried(size_t(perThread() * perThread()), zero);
    size_t numTotals = carried.size(), perSide = size_t(numStaged());
    for (const TileSide &side : sides)
      fetch(side, constant(0), carried);
    auto loop = scf::ForOp::create(b, constant(0), depth, constant(kDepth), carried);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      ValueRange given = loop.getRegionIterArgs();
      for (unsigned s = 0; s < 2; ++s)
        put(s, given.slice(numTotals + s * perSide, perSide));
      NVVM::BarrierOp::create(b);
      SmallVector<Value> next(given.take_front(numTotals)), brought;
      Value from = arith::AddIOp::create(b, loop.getInductionVar(), constant(kDepth));
      for (const TileSide &side : sides)
        fetch(side, from, brought);
      multiply(next);
      NVVM::BarrierOp::create(b);
      llvm::append_range(next, brought);
      scf::YieldOp::create(b, next);
    }
    SmallVector<Value> places[2];
    for (unsigned s = 0; s < 2; ++s)
      for (int64_t i = 0; i < perThread(); ++i)
        places[s].push_back(own(s, i));
    finish(places[0], places[1], [&](size_t row, size_t column) {
      return loop.getResult(unsigned(row * size_t(perThread()) + column));
    });
  }

  int64_t width, groups; ///< of a thread's rows and columns: neighbours, and how many of these
  Value memory[2];       ///< [kDepth][size, padded]
};
} // namespace

std::unique_ptr<TileEmitter> ptc::cuda::makeFmaTiles(const Step &step,
                                                     const TiledProduct &product) {
  return std::make_unique<FmaTiles>(step, product);
}
