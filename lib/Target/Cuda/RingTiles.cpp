//===- RingTiles.cpp - Inputs of tiles in a ring of shared memory ----------------------------===//
//
// In: a sum of products of f16 or bf16, or of f32 as tf32. Out: what brings parts of both inputs to
// shared memory while earlier ones are multiplied.
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

/// From this size on, two blocks share a processor: shared memory has room for as many.
static constexpr int64_t kLargeTile = 128;

static ArrayRef<unsigned> innerLoops(const TiledProduct &product, const TileSide &side) {
  return side.alongSum ? ArrayRef(product.sum) : side.loops;
}

void RingTiles::begin() {
  HalfTiles::begin();
  if (product.size >= kLargeTile)
    op->getParentOfType<func::FuncOp>()->setAttr(
        kResidentAttr, b.getDenseI32ArrayAttr({int32_t(product.threads), 2}));
  SmallVector<Value> wide;
  for (unsigned s = 0; s < 2; ++s) {
    isWide[s] = comesInGroups(op, op.getMatchingIndexingMap(sides[s].operand),
                              cast<MemRefType>(sides[s].operand->get().getType()),
                              innerLoops(product, sides[s]), inAccess());
    if (isWide[s])
      wide.push_back(sides[s].operand->get());
  }
  if (!wide.empty())
    isAligned = areAligned(b, wide);
}

Value RingTiles::offsetInRing(unsigned s, Value part) {
  return add(times(part, 2 * sideBytes()), int64_t(s) * sideBytes());
}
Value RingTiles::placeInRing(unsigned s, Value part, Value inTile, Value inDepth, int64_t behind) {
  return bytesBehind(sharedAt(add(placeInSide(s, inTile, inDepth), offsetInRing(s, part))), behind);
}

int64_t RingTiles::groupsInLine(const TileSide &side) const {
  return (side.alongSum ? turns : product.size) / inAccess();
}
std::pair<Value, Value> RingTiles::firstGroup(const TileSide &side) {
  int64_t inLine = groupsInLine(side);
  Value line = over(thread, inLine), inner = times(modulo(thread, inLine), inAccess());
  return side.alongSum ? std::pair(line, inner) : std::pair(inner, line);
}
int64_t RingTiles::linesBetween(const TileSide &side) const {
  assert(product.threads % groupsInLine(side) == 0 && "groups of a thread are below each other");
  return product.threads / groupsInLine(side);
}
int64_t RingTiles::bytesBetween(unsigned s) const { return linesBetween(sides[s]) * lineBytes(s); }
int64_t RingTiles::numGroups() const {
  int64_t groups = product.size * turns / inAccess();
  assert(groups % product.threads == 0 && "all threads bring as many");
  return groups / product.threads;
}

/// A group of elements one by one; 0 behind the ends.
Value RingTiles::gather(const TileSide &side, Value turn, Value step) {
  auto vector = VectorType::get(inAccess(), element);
  Value all = arith::ConstantOp::create(b, b.getZeroAttr(vector));
  for (int64_t i = 0; i < inAccess(); ++i) {
    Value t = side.alongSum ? turn : add(turn, i), k = side.alongSum ? add(step, i) : step;
    auto read = scf::IfOp::create(b, element, exists(side, t, k), /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(read.thenBlock());
      Value value = memref::LoadOp::create(b, side.operand->get(), place(side, t, k));
      scf::YieldOp::create(b, value);
      b.setInsertionPointToStart(read.elseBlock());
      scf::YieldOp::create(b, Value(arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0))));
    }
    all = vector::InsertOp::create(b, read.getResult(0), all, ArrayRef<int64_t>{i});
  }
  return all;
}

void RingTiles::bringGroup(Value memory, ValueRange place, Value isThere, Value to) {
  Value bytes = arith::SelectOp::create(b, isThere, word(kWideAccess), word(0));
  NVVM::CpAsyncOp::create(b, to, pointerTo(b, memory, place), uint32_t(kWideAccess),
                          NVVM::LoadCacheModifierKind::CG, bytes);
}

void RingTiles::bring(unsigned s, Value turn, Value step, Value to) {
  const TileSide &side = sides[s];
  bringGroup(side.operand->get(), place(side, turn, step), exists(side, turn, step), to);
}

Value RingTiles::roundToTf32(Value number) {
  return NVVM::ConvertFloatToTF32Op::create(b, b.getI32Type(), number, NVVM::FPRoundingMode::RNA);
}

SmallVector<Value> RingTiles::loadMatrices(bool isCrossed, bool sideFirst, PointerTo pointer) {
  Value row = modulo(lane, 8), number = over(lane, 8);
  Value low = modulo(number, 2), high = over(number, 2);
  Value alongSide = times(sideFirst ? low : high, 8),
        alongSum = times(sideFirst ? high : low, inAccess());
  (isCrossed ? alongSum : alongSide) = add(isCrossed ? alongSum : alongSide, row);
  auto words =
      LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(4, b.getI32Type()));
  Value loaded = NVVM::LdMatrixOp::create(b, words, pointer(alongSide, alongSum), 4u,
                                          isCrossed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                                          NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
                                          NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> matrices;
  for (int64_t i = 0; i < 4; ++i) {
    Value matrix = LLVM::ExtractValueOp::create(b, loaded, i);
    if (element.isF16())
      matrix = LLVM::BitcastOp::create(b, VectorType::get(2, element), matrix);
    if (element.isF32())
      matrix = roundToTf32(LLVM::BitcastOp::create(b, element, matrix));
    matrices.push_back(matrix);
  }
  return matrices;
}

void RingTiles::multiplyAdd(ValueRange row, ValueRange column, MutableArrayRef<Value> sums) {
  NVVM::MMATypes kind = element.isF16()   ? NVVM::MMATypes::f16
                        : element.isF32() ? NVVM::MMATypes::tf32
                                          : NVVM::MMATypes::bf16;
  auto four =
      LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(4, b.getF32Type()));
  Value made = NVVM::MmaOp::create(b, four, row, column, sums, {16, 8, 2 * inAccess()},
                                   std::nullopt, std::nullopt, std::array{kind, kind},
                                   std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = LLVM::ExtractValueOp::create(b, made, int64_t(i));
}

Value RingTiles::anew(Value number) {
  Value word = arith::IndexCastUIOp::create(b, b.getI64Type(), number);
  auto same = LLVM::InlineAsmOp::create(
      b, b.getI64Type(), word, "mov.b64 $0, $1;", "=l,l", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
  return arith::IndexCastUIOp::create(b, b.getIndexType(), same.getResult(0));
}

SmallVector<Value> RingTiles::fetch(Value from, Value part) {
  SmallVector<Value> held;
  for (unsigned s = 0; s < 2; ++s) {
    const TileSide &side = sides[s];
    auto [inTile, inDepth] = firstGroup(side);
    auto turnsBelow = [&, turn = add(side.first, inTile), step = add(from, inDepth)](Value lines) {
      return side.alongSum ? std::pair(add(turn, lines), step) : std::pair(turn, add(step, lines));
    };
    if (!isWide[s]) {
      for (int64_t i = 0; i < numGroups(); ++i) {
        auto [turn, step] = turnsBelow(constant(i * linesBetween(side)));
        held.push_back(gather(side, turn, step));
      }
      continue;
    }
    Value to = placeInRing(s, part, inTile, inDepth);
    auto ways = scf::IfOp::create(b, isAligned, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ways.thenBlock());
    for (int64_t i = 0; i < numGroups(); ++i) {
      auto [turn, step] = turnsBelow(constant(i * linesBetween(side)));
      bring(s, turn, step, bytesBehind(to, i * bytesBetween(s)));
    }
    b.setInsertionPointToStart(ways.elseBlock());
    // A loop, and nothing computed in front of it: its addresses take no registers from the sums.
    auto loop = scf::ForOp::create(b, constant(0), constant(numGroups()), constant(1));
    b.setInsertionPointToStart(loop.getBody());
    Value i = loop.getInductionVar();
    auto [turn, step] = turnsBelow(times(i, linesBetween(side)));
    Value &same = side.alongSum ? step : turn;
    same = anew(same);
    put(gather(side, turn, step), bytesBehind(to, times(i, bytesBetween(s))));
  }
  return held;
}

void RingTiles::settle(ArrayRef<Value> held, Value part) {
  size_t next = 0;
  for (unsigned s = 0; s < 2; ++s) {
    auto [inTile, inDepth] = firstGroup(sides[s]);
    for (int64_t i = 0; i < numGroups() && !isWide[s]; ++i)
      put(held[next++], placeInRing(s, part, inTile, inDepth, i * bytesBetween(s)));
  }
}

void RingTiles::fillRing(int64_t count) {
  for (int64_t p = 0; p < count; ++p) {
    settle(fetch(constant(p * turns), constant(p)), constant(p));
    NVVM::CpAsyncCommitGroupOp::create(b);
  }
}

void RingTiles::finishInGroups(ArrayRef<Value> rows, ArrayRef<Value> columns,
                               llvm::function_ref<Value(size_t row, size_t column)> total) {
  Value memory = groupedResults();
  if (!memory)
    return finish(rows, columns, total);
  int64_t pitch = product.width + kGroup, bytes = type.getIntOrFloatBitWidth() / 8;
  auto staged = [&](Value row, Value column) -> Value {
    return sharedAt(times(add(times(row, pitch), column), bytes));
  };
  auto pair = VectorType::get(2, type), vector = VectorType::get(kGroup, type);
  NVVM::BarrierOp::create(b); // other warps may still read the ring
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); c += 2) {
      Value two = vector::FromElementsOp::create(b, pair, ValueRange{total(r, c), total(r, c + 1)});
      LLVM::StoreOp::create(b, two, staged(rows[r], columns[c]), unsigned(2 * bytes));
    }
  NVVM::BarrierOp::create(b);
  Value areGroups = areAligned(b, memory);
  findReads();
  int64_t across = product.width / kGroup;
  auto loop =
      scf::ForOp::create(b, thread, constant(product.size * across), constant(product.threads));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value row = over(loop.getInductionVar(), across),
        column = times(modulo(loop.getInductionVar(), across), kGroup);
  Value sums = LLVM::LoadOp::create(b, vector, staged(row, column), unsigned(kWideAccess));
  finishGroup(row, column, sums, memory, areGroups);
}
