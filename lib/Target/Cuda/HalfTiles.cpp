//===- HalfTiles.cpp - What tiles of 16-bit floats share -------------------------------------===//
//
// Numbers of bytes and turns, matrix instructions of four warps, and the way of results to memory.
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
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Of a descriptor: addresses and distances count 16 bytes; eight rows are 1024 bytes behind each
/// other, and the groups of bytes of 128 are exchanged.
static constexpr int64_t kUnit = 16;
static constexpr uint64_t kAddressMask = 0x3fff,
                          kDescriptor = uint64_t(1) << 62 | uint64_t(1024 / kUnit) << 32;
static constexpr unsigned kPanelShift = 16;

void HalfTiles::begin() {
  element = cast<MemRefType>(product.rows->get().getType()).getElementType();
  ring = dynamicSharedMemory(b);
  lane = modulo(thread, kWarp);
}

Value HalfTiles::sharedAt(Value bytes) {
  Value offset = arith::IndexCastUIOp::create(b, b.getI64Type(), bytes);
  return LLVM::GEPOp::create(b, ring.getType(), b.getI8Type(), ring,
                             ArrayRef<LLVM::GEPArg>(offset));
}

Value HalfTiles::word(int64_t v) { return LLVM::ConstantOp::create(b, b.getI32Type(), v); }
Value HalfTiles::add(Value x, int64_t y) { return arith::AddIOp::create(b, x, constant(y)); }
Value HalfTiles::add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
Value HalfTiles::times(Value x, int64_t y) { return arith::MulIOp::create(b, x, constant(y)); }
Value HalfTiles::over(Value x, int64_t y) { return arith::DivUIOp::create(b, x, constant(y)); }
Value HalfTiles::modulo(Value x, int64_t y) { return arith::RemUIOp::create(b, x, constant(y)); }

void HalfTiles::put(Value group, Value at) {
  LLVM::StoreOp::create(b, group, at, /*alignment=*/unsigned(kWideAccess));
}

Value HalfTiles::describeShared(Value bytes, int64_t panel) {
  auto wide = [&](uint64_t v) -> Value {
    return LLVM::ConstantOp::create(b, b.getI64Type(), int64_t(v));
  };
  Value start = LLVM::PtrToIntOp::create(b, b.getI32Type(), ring);
  Value at = arith::IndexCastUIOp::create(b, b.getI32Type(), bytes);
  Value address =
      arith::ExtUIOp::create(b, b.getI64Type(), Value(arith::AddIOp::create(b, start, at)));
  Value units = arith::DivUIOp::create(b, address, wide(kUnit));
  return arith::OrIOp::create(b, Value(arith::AndIOp::create(b, units, wide(kAddressMask))),
                              wide(kDescriptor | uint64_t(panel) << kPanelShift));
}

Value HalfTiles::multiplyGroup(Value rows, Value columns, Value sums,
                               std::array<bool, 2> alongSum) {
  MLIRContext *c = b.getContext();
  auto kind = NVVM::WGMMATypesAttr::get(c, element.isF16() ? NVVM::WGMMATypes::f16
                                                           : NVVM::WGMMATypes::bf16);
  auto one = NVVM::WGMMAScaleInAttr::get(c, NVVM::WGMMAScaleIn::one);
  auto width = int32_t(2 * cast<LLVM::LLVMStructType>(sums.getType()).getBody().size());
  auto step = [&](Value from, int64_t turn, bool along) -> Value {
    int64_t bytes = turn * kHalf * (along ? 1 : kPanel);
    Value units = LLVM::ConstantOp::create(b, b.getI64Type(), bytes / kUnit);
    return arith::AddIOp::create(b, from, units);
  };
  auto layout = [&](bool isRow) {
    return NVVM::MMALayoutAttr::get(c, isRow ? NVVM::MMALayout::row : NVVM::MMALayout::col);
  };
  for (int64_t k = 0; k < kPanel; k += kGroupTurns)
    sums = NVVM::WgmmaMmaAsyncOp::create(
        b, sums.getType(), sums, step(rows, k, alongSum[0]), step(columns, k, alongSum[1]),
        NVVM::MMAShapeAttr::get(c, kGroupRows, width, kGroupTurns), kind, kind,
        NVVM::WGMMATypesAttr::get(c, NVVM::WGMMATypes::f32),
        NVVM::WGMMAScaleOutAttr::get(c, NVVM::WGMMAScaleOut::one), one, one, layout(alongSum[0]),
        layout(!alongSum[1]), NVVM::MMAIntOverflowAttr());
  return sums;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value HalfTiles::groupedResults() {
  OpOperand *out = op.getDpsInitOperand(0);
  Value memory = out->get();
  AffineMap place = op.getMatchingIndexingMap(out);
  for (auto [end, read] : llvm::zip_equal(step.ends, flow.reads)) {
    OpOperand *written = linalg::LinalgOp(end).getDpsInitOperand(0);
    if (written == read)
      continue;
    AffineMap map = linalg::LinalgOp(end).getMatchingIndexingMap(read);
    SmallVector<AffineExpr> turns(map.getNumDims());
    for (auto [i, dimension] : llvm::enumerate(dimensionsThrough(read->get())))
      turns[map.getDimPosition(unsigned(i))] = place.getResult(dimension);
    place = linalg::LinalgOp(end).getMatchingIndexingMap(written).replaceDimsAndSymbols(
        turns, {}, place.getNumDims(), 0);
    memory = written->get();
  }
  auto type = cast<MemRefType>(memory.getType());
  unsigned bits = type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 0;
  bool isIt = (bits == 16 || bits == 32) && isa<FloatType>(type.getElementType()) &&
              comesInGroups(op, place, type, product.ofColumns, kGroup);
  return isIt ? memory : Value();
}

void HalfTiles::storeResults(Value memory, ValueRange place, Value group, Value isAligned) {
  Value first = pointerTo(b, memory, place);
  auto ways = scf::IfOp::create(b, isAligned, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ways.thenBlock());
  put(group, first);
  b.setInsertionPointToStart(ways.elseBlock());
  auto type = cast<MemRefType>(memory.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t i = 0; i < kGroup; ++i) {
    Value to = LLVM::GEPOp::create(b, first.getType(), b.getI8Type(), first,
                                   ArrayRef<LLVM::GEPArg>(int32_t(i * bytes)));
    LLVM::StoreOp::create(b, Value(vector::ExtractOp::create(b, group, ArrayRef<int64_t>{i})), to,
                          unsigned(bytes));
  }
}

void HalfTiles::finishGroup(Value row, Value column, Value sums, Value memory, Value areGroups) {
  auto sum = [&](int64_t i) -> Value {
    return vector::ExtractOp::create(b, sums, ArrayRef<int64_t>{i});
  };
  if (!memory) {
    SmallVector<Value> columns;
    for (int64_t i = 0; i < kGroup; ++i)
      columns.push_back(add(column, i));
    return finish({row}, columns, [&](size_t, size_t c) { return sum(int64_t(c)); });
  }
  visit({row}, {column}, [&](ValueRange at, size_t, size_t) {
    SmallVector<Value> numbers, first, turn(at.begin(), at.end());
    atRow(row);
    for (int64_t i = 0; i < kGroup; ++i) {
      takeApart(b, add(sides[1].first, add(column, i)), sides[1].loops, sizes, turn);
      Result result = resultAt(turn, sum(i));
      numbers.push_back(result.number);
      if (i == 0)
        first = result.place;
    }
    auto result = VectorType::get(kGroup, numbers.front().getType());
    Value group = vector::FromElementsOp::create(b, result, numbers);
    storeResults(memory, first, group, areGroups);
  });
}
