//===- AttentionTiles.cpp - Attention by matrix instructions of a warp
//---------------------------===//
//
// In: the nests of an attention. Out: blocks that have 64 queries each and go through keys and
// values once, 64 at a time; scores are in registers alone. A greater score than all before makes
// what was added up so far smaller (Dao, FlashAttention-2: Faster Attention with Better Parallelism
// and Work Partitioning, 2023, algorithm 1).
//
// Lanes and their parts of matrices: PTX ISA, "Matrix Fragments for mma.m16n8k16".
//
//===----------------------------------------------------------------------===//
#include "Attention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Queries of a block, and keys that it goes through together; four warps have 16 queries each.
static constexpr int64_t kQueries = 64, kKeys = 64, kThreads = 128;
/// Of a matrix instruction.
static constexpr int64_t kRows = 16, kColumns = 8, kTurns = 16;
/// What lies behind each row in shared memory, so that eight rows are in different banks.
static constexpr int64_t kPadding = 8;
/// Lanes that have scores of one query.
static constexpr int64_t kLanesOfRow = 4;

namespace {
class AttentionTiles final : public RingTiles {
public:
  AttentionTiles(const Step &step, const TiledProduct &product, const Attention &attention)
      : RingTiles(step, product, /*parts=*/2, kKeys), a(attention),
        pitch(std::max(a.numElements, product.width) + kPadding) {}

  uint32_t bytes() const { return uint32_t(5 * sideBytes() + kQueries * 4); }

private:
  /// In each part keys and values; behind both parts queries, and sums.
  enum Panel : unsigned { Keys = 0, Values = 1 };
  static constexpr int64_t kOwnPart = 2;

  int64_t sideBytes() const override { return kKeys * pitch * kHalf; }
  int64_t lineBytes(unsigned) const override { return pitch * kHalf; }
  Value placeInSide(unsigned, Value row, Value column) override {
    return times(add(times(row, pitch), column), kHalf);
  }

  void begin() override {
    element = cast<MemRefType>(a.keys()->get().getType()).getElementType();
    ring = dynamicSharedMemory(b);
    lane = modulo(thread, kWarp);
    firstRow = times(over(thread, kWarp), kRows);
    isAligned = areAligned(b, {a.queries()->get(), a.keys()->get(), a.valued()->get()});
    numKeys = sizes[a.inValues[a.key]];
    numQueries = sizes[a.inValues[a.query]];
    op->getParentOfType<func::FuncOp>()->setAttr(
        kResidentAttr, b.getDenseI32ArrayAttr({int32_t(kThreads), pitch > 64 + kPadding ? 2 : 3}));
  }

  /// Begins to bring rows of an operand from `first` on, whose elements `inner` goes through.
  void bringPanel(linalg::LinalgOp from, OpOperand *in, ArrayRef<unsigned> loops,
                  unsigned dimension, unsigned inner, Value first, Value part, unsigned panel) {
    int64_t across = from.getStaticLoopRanges()[inner] / kGroup;
    Value extent = dimension == a.key ? numKeys : numQueries;
    auto forGroups =
        [&](llvm::function_ref<void(ArrayRef<Value> place, Value isThere, Value to)> use) {
          for (int64_t i = 0; i < kKeys * across / kThreads; ++i) {
            Value number = add(thread, i * kThreads);
            Value row = over(number, across), column = times(modulo(number, across), kGroup);
            Value turn = add(first, row);
            SmallVector<Value> turns(from.getNumLoops(), constant(0));
            for (auto [d, loop] : llvm::enumerate(loops))
              if (d != a.query && d != a.key)
                turns[loop] = indices[a.inValues[d]];
            turns[loops[dimension]] = turn;
            turns[inner] = column;
            Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, turn, extent);
            use(placeOf(b, from.getMatchingIndexingMap(in), turns), isThere,
                placeInRing(panel, part, row, column));
          }
        };
    auto ways = scf::IfOp::create(b, isAligned, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ways.thenBlock());
    forGroups([&](ArrayRef<Value> place, Value isThere, Value to) {
      bringGroup(in->get(), place, isThere, to);
    });
    b.setInsertionPointToStart(ways.elseBlock());
    forGroups([&](ArrayRef<Value> place, Value isThere, Value to) {
      auto type = VectorType::get(kGroup, element);
      auto read = scf::IfOp::create(b, type, isThere, /*withElseRegion=*/true);
      {
        OpBuilder::InsertionGuard inside(b);
        b.setInsertionPointToStart(read.thenBlock());
        Value from = pointerTo(b, in->get(), place);
        SmallVector<Value> elements;
        for (int64_t i = 0; i < kGroup; ++i)
          elements.push_back(LLVM::LoadOp::create(
              b, element,
              Value(LLVM::GEPOp::create(b, from.getType(), b.getI8Type(), from,
                                        ArrayRef<LLVM::GEPArg>(int32_t(i * kHalf)))),
              unsigned(kHalf)));
        Value group = vector::FromElementsOp::create(b, type, elements);
        scf::YieldOp::create(b, group);
        b.setInsertionPointToStart(read.elseBlock());
        scf::YieldOp::create(b, Value(arith::ConstantOp::create(b, b.getZeroAttr(type))));
      }
      put(read.getResult(0), to);
    });
  }
  void bringKeys(Value from, Value part) {
    bringPanel(a.scores, a.keys(), a.inScores, a.key, a.depth, from, part, Keys);
    NVVM::CpAsyncCommitGroupOp::create(b);
  }
  void bringValues(Value from, Value part) {
    bringPanel(a.values, a.valued(), a.inValues, a.key, a.column, from, part, Values);
    NVVM::CpAsyncCommitGroupOp::create(b);
  }
  void await(uint32_t groups) {
    NVVM::CpAsyncWaitGroupOp::create(b, groups);
    NVVM::BarrierOp::create(b);
  }

  /// Four matrices of queries for each 16 of their elements.
  SmallVector<SmallVector<Value>> loadQueries() {
    SmallVector<SmallVector<Value>> rows;
    for (int64_t k = 0; k < a.numElements; k += kTurns)
      rows.push_back(loadMatrices(false, /*sideFirst=*/true, [&](Value alongSide, Value alongSum) {
        return placeInRing(Keys, constant(kOwnPart), add(firstRow, alongSide), add(alongSum, k));
      }));
    return rows;
  }

  /// Products of queries with the keys of a part: four for each 8 keys.
  SmallVector<Value> multiplyKeys(ArrayRef<SmallVector<Value>> queries, Value part) {
    Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0.0));
    SmallVector<Value> sums(size_t(4 * kKeys / kColumns), zero);
    for (auto [k, row] : llvm::enumerate(queries))
      for (int64_t c = 0; c < kKeys; c += 2 * kColumns) {
        SmallVector<Value> two =
            loadMatrices(false, /*sideFirst=*/false, [&](Value alongSide, Value alongSum) {
              return placeInRing(Keys, part, add(alongSide, c), add(alongSum, int64_t(k) * kTurns));
            });
        auto at = size_t(4 * c / kColumns);
        multiplyAdd(row, ArrayRef(two).take_front(2), MutableArrayRef(sums).slice(at, 4));
        multiplyAdd(row, ArrayRef(two).drop_front(2), MutableArrayRef(sums).slice(at + 4, 4));
      }
    return sums;
  }

  /// Adds products of powers with the values of a part.
  void multiplyValues(ArrayRef<Value> powers, Value part, MutableArrayRef<Value> totals) {
    auto pair = VectorType::get(2, element);
    for (int64_t k = 0; k < kKeys; k += kTurns) {
      SmallVector<Value> row;
      for (int64_t i = 0; i < 4; ++i) {
        auto at = size_t(4 * (k / kColumns + i / 2) + 2 * (i % 2));
        SmallVector<Value> two;
        for (Value power : powers.slice(at, 2))
          two.push_back(arith::TruncFOp::create(b, element, power));
        Value both = vector::FromElementsOp::create(b, pair, two);
        row.push_back(element.isF16() ? both
                                      : Value(LLVM::BitcastOp::create(b, b.getI32Type(), both)));
      }
      for (int64_t c = 0; c < product.width; c += 2 * kColumns) {
        SmallVector<Value> two =
            loadMatrices(true, /*sideFirst=*/false, [&](Value alongSide, Value alongSum) {
              return placeInRing(Values, part, add(alongSum, k), add(alongSide, c));
            });
        auto at = size_t(4 * c / kColumns);
        multiplyAdd(row, ArrayRef(two).take_front(2), totals.slice(at, 4));
        multiplyAdd(row, ArrayRef(two).drop_front(2), totals.slice(at + 4, 4));
      }
    }
  }

  /// What becomes of the score of a query and a key.
  Value maskScore(Value score, Value query, Value key) {
    auto within = [&](Value turn, Value extent, const TileSide *side) -> Value {
      if (a.masks.empty() || (side && isWhole(*side)))
        return turn;
      Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, turn, extent);
      return arith::SelectOp::create(b, isThere, turn, constant(0));
    };
    bool isWholeKey = a.values.getStaticLoopRanges()[a.inValues[a.key]] % kKeys == 0 &&
                      !ShapedType::isDynamic(a.values.getStaticLoopRanges()[a.inValues[a.key]]);
    Value row = within(query, numQueries, &sides[0]),
          column = isWholeKey ? key : within(key, numKeys, nullptr);
    for (linalg::LinalgOp mask : a.masks) {
      OpOperand *read = mask.getDpsInitOperand(0);
      SmallVector<unsigned> loops = certain(loopsOf(mask, read));
      SmallVector<Value> turns(mask.getNumLoops());
      for (auto [d, loop] : llvm::enumerate(loops))
        turns[loop] = d == a.query ? row : d == a.key ? column : indices[a.inValues[d]];
      score = computeEnd(mask, *read, turns, score);
    }
    if (isWholeKey)
      return score;
    Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, key, numKeys);
    Value none =
        arith::ConstantOp::create(b, b.getF32FloatAttr(-std::numeric_limits<float>::infinity()));
    return arith::SelectOp::create(b, isThere, score, none);
  }

  Value power(Value score, Value greatest) {
    IRMapping mapping;
    for (OpOperand &operand : a.power->getOpOperands()) {
      Value value = operand.get() == a.max.getDpsInits().front()      ? greatest
                    : operand.get() == a.scores.getDpsInits().front() ? score
                                                                      : Value();
      if (value)
        mapping.map(a.power.getMatchingBlockArgument(&operand), value);
    }
    return cloneBody(b, a.power, {}, mapping).front();
  }

  /// Rows of the tile that this thread has scores of.
  SmallVector<Value> ownRows() {
    Value row = add(firstRow, over(lane, 4));
    return {row, add(row, kRows / 2)};
  }

  /// Turns of the keys that queries of this tile have to do with.
  Value keysOfTile() {
    if (!a.isTriangle())
      return numKeys;
    return arith::MinUIOp::create(b, numKeys, add(sides[0].first, kQueries));
  }

  void emitTile() override {
    if (a.isTriangle()) { // the last queries have most to do, and begin
      Value tiles = arith::CeilDivUIOp::create(b, numQueries, constant(kQueries));
      Value last = times(arith::SubIOp::create(b, tiles, constant(1)), kQueries);
      sides[0].first = arith::SubIOp::create(b, last, sides[0].first);
    }
    NVVM::BarrierOp::create(b); // the memory may still be read for the tile before
    bringPanel(a.scores, a.queries(), a.inScores, a.query, a.depth, sides[0].first,
               constant(kOwnPart), Keys);
    bringKeys(constant(0), constant(0));
    bringValues(constant(0), constant(0));
    await(1);
    SmallVector<SmallVector<Value>> queries = loadQueries();
    SmallVector<Value> rows = ownRows();
    Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0.0));
    auto numTotals = size_t(4 * product.width / kColumns);
    SmallVector<Value> carried(numTotals + 2, zero); // and sums; then the greatest
    carried.append(2, a.firstMax.getDpsInputs().front());
    Value count = arith::CeilDivUIOp::create(b, keysOfTile(), constant(kKeys));
    auto loop = scf::ForOp::create(b, constant(0), count, constant(1), carried);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value turn = loop.getInductionVar(), part = modulo(turn, 2), other = modulo(add(turn, 1), 2);
      Value next = times(add(turn, 1), kKeys);
      carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
      await(1);
      bringKeys(next, other);
      SmallVector<Value> scores = multiplyKeys(queries, part);
      weigh(scores, rows, times(turn, kKeys), carried);
      await(1);
      bringValues(next, other);
      multiplyValues(scores, part, MutableArrayRef(carried).take_front(numTotals));
      scf::YieldOp::create(b, carried);
    }
    NVVM::CpAsyncWaitGroupOp::create(b, 0u);
    storeSums(rows, loop.getResults().slice(numTotals, 2));
    SmallVector<Value> columns;
    for (int64_t c = 0; c < product.width; c += kColumns)
      for (int64_t i = 0; i < 2; ++i)
        columns.push_back(add(times(modulo(lane, 4), 2), c + i));
    finishInGroups(rows, columns, [&](size_t row, size_t column) {
      return loop.getResult(unsigned(4 * (column / 2) + 2 * row + column % 2));
    });
  }

  /// Scores become powers; what was added up so far becomes smaller where one is greater than all
  /// before.
  void weigh(MutableArrayRef<Value> scores, ArrayRef<Value> rows, Value firstKey,
             MutableArrayRef<Value> carried) {
    Combiner greater = certain(findCombiner(*a.max.getBlock()));
    size_t numTotals = carried.size() - 4;
    Value firstColumn = add(firstKey, times(modulo(lane, 4), 2));
    for (size_t r = 0; r < 2; ++r) {
      Value query = add(sides[0].first, rows[r]), before = carried[numTotals + 2 + r];
      Value greatest = before;
      auto visit = [&](llvm::function_ref<void(Value & score, int64_t column)> use) {
        for (int64_t c = 0; c < kKeys / kColumns; ++c)
          for (int64_t i = 0; i < 2; ++i)
            use(scores[size_t(4 * c + 2 * int64_t(r) + i)], c * kColumns + i);
      };
      visit([&](Value &score, int64_t column) {
        score = maskScore(score, query, add(firstColumn, column));
        greatest = combine(b, greater, greatest, score);
      });
      greatest = combineLanes(b, greater, greatest, kLanesOfRow);
      Value smaller = power(before, greatest);
      Value sum = arith::MulFOp::create(b, carried[numTotals + r], smaller);
      visit([&](Value &score, int64_t) {
        score = power(score, greatest);
        sum = arith::AddFOp::create(b, sum, score);
      });
      carried[numTotals + r] = sum;
      carried[numTotals + 2 + r] = greatest;
      for (size_t t = 0; t < numTotals; ++t)
        if (t / 2 % 2 == r)
          carried[t] = arith::MulFOp::create(b, carried[t], smaller);
    }
  }

  Value sumPlace(Value row) { return sharedAt(add(times(row, 4), 5 * sideBytes())); }
  /// Sums of powers, for who computes of results.
  void storeSums(ArrayRef<Value> rows, ValueRange sums) {
    Combiner adds = certain(findCombiner(*a.sum.getBlock()));
    for (auto [row, sum] : llvm::zip_equal(rows, sums))
      LLVM::StoreOp::create(b, combineLanes(b, adds, sum, kLanesOfRow), sumPlace(row), 4u);
    NVVM::BarrierOp::create(b);
  }
  void atRow(Value row) override {
    known[a.sum.getDpsInits().front()] = LLVM::LoadOp::create(b, b.getF32Type(), sumPlace(row), 4u);
  }

  Attention a;
  int64_t pitch; ///< elements of a row in shared memory
  Value firstRow, isAligned, numKeys, numQueries;
};
} // namespace

Value ptc::cuda::countAttentionThreads(ImplicitLocOpBuilder &b, const Step &step) {
  TiledProduct product = productOf(attentionOf(step), kQueries, kThreads);
  Value threads = arith::ConstantIndexOp::create(b, product.threads);
  Value count = countTiles(b, cast<linalg::LinalgOp>(step.op), product);
  return arith::MulIOp::create(b, count, threads);
}

KernelShape ptc::cuda::emitAttention(const Step &step) {
  Attention attention = attentionOf(step);
  TiledProduct product = productOf(attention, kQueries, kThreads);
  AttentionTiles tiles(step, product, attention);
  uint32_t bytes = tiles.bytes();
  tiles.emit();
  return {uint32_t(kThreads), bytes};
}
