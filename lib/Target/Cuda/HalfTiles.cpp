//===- HalfTiles.cpp - What tiles by matrix instructions share -------------------------------===//
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

Value HalfTiles::bytesBehind(Value pointer, Value bytes) {
  Value offset = arith::IndexCastUIOp::create(b, b.getI64Type(), bytes);
  return LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>(offset));
}
Value HalfTiles::bytesBehind(Value pointer, int64_t bytes) {
  return bytes ? bytesBehind(pointer, constant(bytes)) : pointer;
}
Value HalfTiles::sharedAt(Value bytes) { return bytesBehind(ring, bytes); }

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

Value HalfTiles::multiplyGroup(Value rows, Value columns, Value sums, std::array<bool, 2> alongSum,
                               bool isFirst) {
  MLIRContext *c = b.getContext();
  auto kind = NVVM::WGMMATypesAttr::get(c, element.isF16()   ? NVVM::WGMMATypes::f16
                                           : element.isF32() ? NVVM::WGMMATypes::tf32
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
  // Turns as wide as those of 16-bit floats: an instruction for tf32 has half as many.
  auto turns = int32_t(kGroupTurns * kHalf / elementBytes());
  for (int64_t k = 0; k < kPanel; k += kGroupTurns)
    sums = NVVM::WgmmaMmaAsyncOp::create(
        b, sums.getType(), sums, step(rows, k, alongSum[0]), step(columns, k, alongSum[1]),
        NVVM::MMAShapeAttr::get(c, kGroupRows, width, turns), kind, kind,
        NVVM::WGMMATypesAttr::get(c, NVVM::WGMMATypes::f32),
        NVVM::WGMMAScaleOutAttr::get(c, isFirst && k == 0 ? NVVM::WGMMAScaleOut::zero
                                                          : NVVM::WGMMAScaleOut::one),
        one, one, layout(alongSum[0]), layout(!alongSum[1]), NVVM::MMAIntOverflowAttr());
  return sums;
}

Value HalfTiles::multiplyOwn(ArrayRef<Value> rows, Value columns, Value sums) {
  ArrayRef<Type> types = cast<LLVM::LLVMStructType>(sums.getType()).getBody();
  std::string name = element.isF16() ? "f16" : "bf16", results, constraints;
  llvm::raw_string_ostream listed(results), ties(constraints);
  for (size_t i = 0; i < types.size(); ++i) {
    listed << (i ? ", $" : "$") << i;
    ties << "=f,";
  }
  for (size_t i = 0; i < types.size(); ++i)
    ties << i << ",";
  ties << "r,r,r,r,l";
  for (size_t k = 0; k < rows.size(); k += 4) {
    SmallVector<Value> operands;
    for (size_t i = 0; i < types.size(); ++i)
      operands.push_back(LLVM::ExtractValueOp::create(b, sums, int64_t(i)));
    llvm::append_range(operands, rows.slice(k, 4));
    int64_t units = int64_t(k / 4) * kGroupTurns * kPanel * kHalf / kUnit;
    operands.push_back(arith::AddIOp::create(
        b, columns, Value(LLVM::ConstantOp::create(b, b.getI64Type(), units))));
    size_t n = 2 * types.size(); // behind the results and what is tied to them
    std::string text;
    llvm::raw_string_ostream(text)
        << "wgmma.mma_async.sync.aligned.m64n" << n << "k16.f32." << name << "." << name << " {"
        << results << "}, {$" << n << ", $" << n + 1 << ", $" << n + 2 << ", $" << n + 3 << "}, $"
        << n + 4 << ", 1, 1, 1, 1;";
    sums = LLVM::InlineAsmOp::create(
               b, sums.getType(), operands, text, constraints, /*has_side_effects=*/true,
               /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
               LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr())
               .getResult(0);
  }
  return sums;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Whether neighbour columns of the results are neighbours there, by whole groups.
static bool comesInColumns(linalg::LinalgOp op, const TiledProduct &product, AffineMap place,
                           MemRefType type) {
  unsigned bits = type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 0;
  return (bits == 16 || bits == 32) && isa<FloatType>(type.getElementType()) &&
         comesInGroups(op, place, type, product.ofColumns, kGroup);
}

Value HalfTiles::groupedResults() {
  auto [place, memory] = followEnds([](OpOperand &, AffineMap) {});
  bool isIt = comesInColumns(op, product, place, cast<MemRefType>(memory.getType()));
  return isIt ? memory : Value();
}

void HalfTiles::findReads() {
  SmallVector<Value> memories;
  followEnds([&](OpOperand &operand, AffineMap place) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || known.contains(operand.get()) || !comesInColumns(op, product, place, type))
      return;
    reads.emplace_back(&operand, place);
    memories.push_back(operand.get());
  });
  if (!memories.empty())
    areReadsAligned = areAligned(b, memories);
}

SmallVector<Value> HalfTiles::loadGroups(ArrayRef<Value> turn, bool areWide) {
  SmallVector<Value> groups;
  for (auto [operand, place] : reads) {
    auto group =
        VectorType::get(kGroup, cast<MemRefType>(operand->get().getType()).getElementType());
    Value first = pointerTo(b, operand->get(), placeOf(b, place, turn));
    auto bytes = int32_t(group.getElementTypeBitWidth() / 8);
    if (areWide) {
      groups.push_back(LLVM::LoadOp::create(b, group, first, unsigned(kWideAccess)));
      continue;
    }
    SmallVector<Value> each;
    for (int32_t i = 0; i < kGroup; ++i) {
      Value at = LLVM::GEPOp::create(b, first.getType(), b.getI8Type(), first,
                                     ArrayRef<LLVM::GEPArg>(i * bytes));
      each.push_back(LLVM::LoadOp::create(b, group.getElementType(), at, unsigned(bytes)));
    }
    groups.push_back(vector::FromElementsOp::create(b, group, each));
  }
  return groups;
}

SmallVector<Value> HalfTiles::loadReads(ArrayRef<Value> turn) {
  if (reads.empty())
    return {};
  SmallVector<Type> types;
  for (auto [operand, place] : reads)
    types.push_back(
        VectorType::get(kGroup, cast<MemRefType>(operand->get().getType()).getElementType()));
  auto ways = scf::IfOp::create(b, types, areReadsAligned, /*withElseRegion=*/true);
  for (bool areWide : {true, false}) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(areWide ? ways.thenBlock() : ways.elseBlock());
    scf::YieldOp::create(b, loadGroups(turn, areWide));
  }
  return ways.getResults();
}

HalfTiles::Result HalfTiles::computeGroup(const GroupOfSums &sums, ArrayRef<Value> at,
                                          ValueRange read) {
  SmallVector<Value> numbers, turn(at);
  atRow(sums.row);
  Result all;
  for (int64_t i = 0; i < kGroup; ++i) {
    takeApart(b, add(sides[1].first, add(sums.column, i)), sides[1].loops, sizes, turn);
    for (auto [operand, group] : llvm::zip_equal(reads, read))
      present[operand.first] = vector::ExtractOp::create(b, group, ArrayRef<int64_t>{i});
    Value sum = vector::ExtractOp::create(b, sums.sums, ArrayRef<int64_t>{i});
    Result result = resultAt(turn, sum);
    numbers.push_back(result.number);
    if (i == 0)
      all = result;
  }
  present.clear();
  all.number = vector::FromElementsOp::create(b, VectorType::get(kGroup, numbers.front().getType()),
                                              numbers);
  return all;
}

Value HalfTiles::areWhole(Value row, int64_t rows, Value column, int64_t columns, Value areGroups) {
  Value all = areGroups;
  if (areReadsAligned)
    all = arith::AndIOp::create(b, all, areReadsAligned);
  for (auto [side, from, count] :
       {std::tuple(&sides[0], row, rows), std::tuple(&sides[1], column, columns)}) {
    if (isWhole(*side))
      continue;
    Value end = add(add(side->first, from), count);
    Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, end, side->extent);
    all = arith::AndIOp::create(b, all, is);
  }
  return all;
}

void HalfTiles::finishGroups(ArrayRef<GroupOfSums> groups, Value memory) {
  SmallVector<SmallVector<Value>> turns, read;
  for (const GroupOfSums &group : groups) {
    SmallVector<Value> turn = indices;
    takeApart(b, add(sides[0].first, group.row), sides[0].loops, sizes, turn);
    takeApart(b, add(sides[1].first, group.column), sides[1].loops, sizes, turn);
    for (unsigned d : product.sum)
      turn[d] = constant(0);
    turns.push_back(turn);
    read.push_back(loadGroups(turn, /*areWide=*/true));
  }
  for (auto [group, turn, loaded] : llvm::zip_equal(groups, turns, read)) {
    Result result = computeGroup(group, turn, loaded);
    put(result.number, pointerTo(b, memory, result.place));
  }
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
    SmallVector<Value> turn(at.begin(), at.end());
    Result result = computeGroup({row, column, sums}, turn, loadReads(turn));
    storeResults(memory, result.place, result.number, areGroups);
  });
}
