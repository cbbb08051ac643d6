//===- MappedAttention.cpp - Attention by instructions of four warps -------------------------===//
//
// In: the nests of an attention whose scores are scaled by a number and have nothing behind the
// diagonal, or are as they come. Out: blocks that have 128 queries each, 64 for each of two groups
// of four warps, and go through keys and values once, 128 at a time, the last ones first. A thread
// asks for them by tensor maps. Scores and their powers stay in registers, which the product with
// the values takes as they are.
//
// Shah et al., FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision,
// 2024. Parts of matrices in registers: PTX ISA, "wgmma.mma_async", m64nNk16.
//
//===----------------------------------------------------------------------===//
#include "Attention.h"
#include "Groups.h"
#include "Maps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Groups that multiply; queries of a block, and keys that it goes through together.
static constexpr int64_t kGroups = 2, kQueries = kGroups * kGroupRows, kKeys = 128;
/// Parts that queries have, most that keys and values have.
static constexpr int64_t kQueryParts = 2, kMostParts = 4;
/// Of the scores of a group: a lane has two neighbours of every eight columns, in two rows.
static constexpr int64_t kColumns = 8, kRowStep = 8, kLanesOfRow = 4;
/// Bytes of keys and values that the GPU's cache keeps while all blocks go through them.
static constexpr int64_t kNearBytes = 32 << 20;
static constexpr double kLog2OfE = 1.4426950408889634;

namespace {
/// Memory of which rows come: dimensions of its map are what is in a row, rows, and batches.
struct MappedRows {
  OpOperand *operand = nullptr;
  linalg::LinalgOp op;
  int64_t numElements = 0;     ///< of a row
  unsigned row = 0;            ///< loop
  unsigned inner = 0;          ///< loop
  Extent pitch;                ///< between rows
  SmallVector<unsigned> batch; ///< dimensions of scores
  SmallVector<Extent> pitches; ///< by dimension of the batch
};

struct MappedAttention {
  Attention nests;
  double scale = 1; ///< of scores
  MappedRows queries, keys, values;
  int64_t parts = 0; ///< of the ring

  int64_t bytesOf(const MappedRows &rows) const {
    return (&rows == &queries ? kQueries : kKeys) * rows.numElements * kHalf;
  }
  int64_t incoming() const {
    return kQueryParts * bytesOf(queries) + parts * (bytesOf(keys) + bytesOf(values));
  }
  int64_t sumBytes() const { return kQueries * 4; }
};
} // namespace

/// Whether it keeps the greater one of two numbers, where none is NaN.
static bool keepsGreater(linalg::LinalgOp max) {
  Combiner c = certain(findCombiner(*max.getBlock()));
  if (c.result.getDefiningOp<arith::MaximumFOp>())
    return true;
  auto chosen = c.result.getDefiningOp<arith::SelectOp>();
  auto either = chosen ? chosen.getCondition().getDefiningOp<arith::OrIOp>() : arith::OrIOp();
  if (!either || chosen.getTrueValue() != c.accumulator || chosen.getFalseValue() != c.element)
    return false;
  bool isGreater = false, isNone = false;
  for (Value v : either->getOperands()) {
    auto compared = v.getDefiningOp<arith::CmpFOp>();
    if (!compared || compared.getLhs() != c.accumulator)
      return false;
    isGreater |=
        compared.getPredicate() == arith::CmpFPredicate::OGE && compared.getRhs() == c.element;
    isNone |=
        compared.getPredicate() == arith::CmpFPredicate::UNO && compared.getRhs() == c.accumulator;
  }
  return isGreater && isNone;
}

/// Whether it makes a score times a number of each, and -inf of those behind the diagonal where it
/// says so. Sees `scale` times the number.
static bool readMask(const Attention &a, linalg::LinalgOp mask, double &scale) {
  OpOperand *out = mask.getDpsInitOperand(0);
  std::optional<SmallVector<unsigned>> loops = loopsOf(mask, out);
  if (!loops || mask.getNumDpsInputs())
    return false;
  Value v = mask.getBlock()->getTerminator()->getOperand(0);
  bool isTriangle = false;
  if (auto chosen = v.getDefiningOp<arith::SelectOp>()) {
    auto later = chosen.getCondition().getDefiningOp<arith::CmpIOp>();
    auto indexIs = [&](Value index, unsigned dimension) {
      auto at = index.getDefiningOp<linalg::IndexOp>();
      return at && at.getDim() == (*loops)[dimension];
    };
    isTriangle = later && later.getPredicate() == arith::CmpIPredicate::sgt &&
                 indexIs(later.getLhs(), a.key) && indexIs(later.getRhs(), a.query) &&
                 matchPattern(chosen.getTrueValue(), m_NegInfFloat());
    if (!isTriangle)
      return false;
    v = chosen.getFalseValue();
  }
  if (isTriangle != mask->hasAttr(plan::kLowerTriangleAttr))
    return false;
  Value score = mask.getMatchingBlockArgument(out);
  auto scaled = v.getDefiningOp<arith::MulFOp>();
  if (!scaled)
    return v == score;
  FloatAttr factor;
  if (scaled.getLhs() != score || !matchPattern(scaled.getRhs(), m_Constant(&factor)))
    return false;
  double own = factor.getValueAsDouble();
  scale *= own;
  return own > 0 && std::isfinite(own);
}

/// None: rows lie otherwise. `loops`: of `op`, by dimension of the scores.
static std::optional<MappedRows> findRowsOf(linalg::LinalgOp op, OpOperand *in,
                                            ArrayRef<unsigned> loops, const Attention &a,
                                            unsigned row, unsigned inner) {
  Strides strides(op, *in);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!strides.isKnown() || ranges[inner] % kPanel)
    return std::nullopt;
  MappedRows rows{in, op, ranges[inner], loops[row], inner, {}, {}, {}};
  std::optional<Extent> inRow = strides.ofAll(inner), pitch = strides.ofAll(rows.row);
  if (!inRow || *inRow != Extent() || !pitch)
    return std::nullopt;
  rows.pitch = *pitch;
  for (unsigned d = 0; d < loops.size(); ++d) {
    if (d == a.query || d == a.key || strides.leavesAlone(loops[d]))
      continue;
    std::optional<Extent> between = strides.ofAll(loops[d]);
    if (!between)
      return std::nullopt;
    rows.batch.push_back(d);
    rows.pitches.push_back(*between);
  }
  return rows.batch.size() + 2 <= PTC_MAP_RANK ? std::optional(rows) : std::nullopt;
}

static std::optional<MappedAttention> findMapped(const Step &step) {
  MappedAttention mapped{attentionOf(step), 1, {}, {}, {}, 0};
  const Attention &a = mapped.nests;
  linalg::LinalgOp first = a.firstMax;
  if (!keepsGreater(a.max) || !matchPattern(first.getDpsInputs().front(), m_NegInfFloat()))
    return std::nullopt;
  for (linalg::LinalgOp mask : a.masks)
    if (!readMask(a, mask, mapped.scale))
      return std::nullopt;
  auto queries = findRowsOf(a.scores, a.queries(), a.inScores, a, a.query, a.depth),
       keys = findRowsOf(a.scores, a.keys(), a.inScores, a, a.key, a.depth),
       values = findRowsOf(a.values, a.valued(), a.inValues, a, a.key, a.column);
  if (!queries || !keys || !values)
    return std::nullopt;
  mapped.queries = *queries;
  mapped.keys = *keys;
  mapped.values = *values;
  int64_t room = kMostShared - GroupTiles::stagedBytes(kGroups, values->numElements) -
                 kBarrierBytes - mapped.sumBytes() - mapped.incoming();
  mapped.parts =
      std::min(room / (mapped.bytesOf(mapped.keys) + mapped.bytesOf(mapped.values)), kMostParts);
  return mapped.parts > 1 ? std::optional(mapped) : std::nullopt;
}

namespace {
class AttentionOfGroups final : public GroupTiles {
public:
  AttentionOfGroups(const Step &step, const TiledProduct &product, const MappedAttention &mapped)
      : GroupTiles(step, product, kGroups, mapped.incoming() + mapped.sumBytes()), mapped(mapped),
        a(mapped.nests) {}

private:
  /// Barriers of the ring: of queries, of keys, of values; full, then empty ones.
  enum Barriers : int64_t {
    FullQueries = 0,
    EmptyQueries = FullQueries + kQueryParts,
    FullKeys = EmptyQueries + kQueryParts,
    EmptyKeys = FullKeys + kMostParts,
    FullValues = EmptyKeys + kMostParts,
    EmptyValues = FullValues + kMostParts,
    NumBarriers = EmptyValues + kMostParts,
  };
  static_assert(8 * NumBarriers <= kBarrierBytes);

  void initBarriers() override {
    auto init = [&](int64_t first, int64_t count, int64_t arrivals) {
      for (int64_t i = 0; i < count; ++i)
        initBarrier(barrier(first, constant(i)), arrivals);
    };
    init(FullQueries, kQueryParts, 1);
    init(EmptyQueries, kQueryParts, kGroups);
    for (auto [full, empty] :
         {std::pair(FullKeys, EmptyKeys), std::pair(FullValues, EmptyValues)}) {
      init(full, mapped.parts, 1);
      init(empty, mapped.parts, kGroups);
    }
  }

  void begin() override {
    GroupTiles::begin();
    element = cast<MemRefType>(a.keys()->get().getType()).getElementType();
    numKeys = sizes[a.inValues[a.key]];
    numQueries = sizes[a.inValues[a.query]];
  }

  /// A loop over the tiles of this block. Behind a diagonal the last queries have most to do: they
  /// come first, those of all batches. Where keys and values of all of them do not stay near the
  /// processors, a block has tiles of one batch by pairs, the first and the last one and so on,
  /// which have as much to do as any other pair, while its neighbours have others of the same
  /// batch.
  void forOwnTiles(ValueRange carried, llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
    if (!a.isTriangle())
      return forTiles({}, {}, carried, body);
    Value tiles = arith::CeilDivUIOp::create(b, numQueries, constant(kQueries));
    Value batches = constant(1);
    for (unsigned d : product.batch)
      batches = arith::MulIOp::create(b, batches, sizes[d]);
    auto isMore = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, x, y);
    };
    int64_t rowBytes = (mapped.keys.numElements + mapped.values.numElements) * kHalf;
    Value rows = arith::MulIOp::create(b, batches, numKeys);
    Value count = arith::MulIOp::create(b, batches, tiles);
    Value isPaired = arith::AndIOp::create(b, isMore(rows, constant(kNearBytes / rowBytes)),
                                           isMore(count, numBlocks(b)));
    auto choose = [&](Value paired, Value single) -> Value {
      return arith::SelectOp::create(b, isPaired, paired, single);
    };
    Value pairs = over(add(tiles, 1), 2);
    count = choose(arith::MulIOp::create(b, batches, pairs), count);
    auto loop = scf::ForOp::create(b, blockNumber(b), count, numBlocks(b), carried);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value turn = loop.getInductionVar();
    Value inBatch =
        choose(arith::RemUIOp::create(b, turn, pairs), arith::DivUIOp::create(b, turn, batches));
    Value batch =
        choose(arith::DivUIOp::create(b, turn, pairs), arith::RemUIOp::create(b, turn, batches));
    Value last =
        arith::SubIOp::create(b, Value(arith::SubIOp::create(b, tiles, constant(1))), inBatch);
    // In the middle there may be one without another.
    Value isTwo = arith::AndIOp::create(b, isPaired, isMore(last, inBatch));
    auto both = scf::ForOp::create(b, constant(0),
                                   arith::SelectOp::create(b, isTwo, constant(2), constant(1)),
                                   constant(1), loop.getRegionIterArgs());
    {
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(both.getBody());
      Value isFirst =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, both.getInductionVar(), constant(0));
      Value tile = arith::SelectOp::create(b, isFirst, last, inBatch);
      beginTile(add(Value(arith::MulIOp::create(b, batch, tiles)), tile));
      scf::YieldOp::create(b, body(both.getRegionIterArgs()));
    }
    scf::YieldOp::create(b, both.getResults());
  }

  Value numBlocksOfKeys() {
    Value count = numKeys;
    if (a.isTriangle())
      count = arith::MinUIOp::create(b, numKeys, add(sides[0].first, kQueries));
    // Without keys a block of nothing, which scores do not see.
    return arith::MaxUIOp::create(b, constant(1),
                                  Value(arith::CeilDivUIOp::create(b, count, constant(kKeys))));
  }

  //===--------------------------------------------------------------------===//
  // Bringing
  //===--------------------------------------------------------------------===//

  Value queriesAt(Value part) { return times(part, mapped.bytesOf(mapped.queries)); }
  Value keysAt(Value part) {
    return add(times(part, mapped.bytesOf(mapped.keys)),
               kQueryParts * mapped.bytesOf(mapped.queries));
  }
  Value valuesAt(Value part) {
    return add(times(part, mapped.bytesOf(mapped.values)),
               kQueryParts * mapped.bytesOf(mapped.queries) +
                   mapped.parts * mapped.bytesOf(mapped.keys));
  }

  void bringRows(const MappedRows &rows, size_t map, Value first, Value to, Value full) {
    int64_t bytes = mapped.bytesOf(rows), panels = rows.numElements / kPanel;
    expect(full, bytes);
    for (int64_t p = 0; p < panels; ++p) {
      SmallVector<Value> at = {word(p * kPanel), word32(first)};
      for (unsigned d : rows.batch)
        at.push_back(word32(indices[a.inValues[d]]));
      bringBox(add(to, p * bytes / panels), map, at, full);
    }
  }

  void bringTiles() override {
    // All parts are free: as if a phase before the first one had been.
    SmallVector<Value> start = {constant(0), word(1), constant(0), word(1)};
    forOwnTiles(start, [&](ValueRange ring) -> SmallVector<Value> {
      Value query = ring[2], phaseOfQuery = ring[3];
      await(barrier(EmptyQueries, query), phaseOfQuery);
      bringRows(mapped.queries, 0, sides[0].first, queriesAt(query), barrier(FullQueries, query));
      Value count = numBlocksOfKeys();
      auto loop = scf::ForOp::create(b, constant(0), count, constant(1), ring.take_front(2));
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(loop.getBody());
        Value part = loop.getRegionIterArgs()[0], phase = loop.getRegionIterArgs()[1];
        Value first =
            times(arith::SubIOp::create(b, Value(arith::SubIOp::create(b, count, constant(1))),
                                        loop.getInductionVar()),
                  kKeys);
        await(barrier(EmptyKeys, part), phase);
        bringRows(mapped.keys, 1, first, keysAt(part), barrier(FullKeys, part));
        await(barrier(EmptyValues, part), phase);
        bringRows(mapped.values, 2, first, valuesAt(part), barrier(FullValues, part));
        scf::YieldOp::create(b, nextOf(part, phase, mapped.parts));
      }
      SmallVector<Value> next(loop.getResults());
      llvm::append_range(next, nextOf(query, phaseOfQuery, kQueryParts));
      return next;
    });
  }

  //===--------------------------------------------------------------------===//
  // Multiplying
  //===--------------------------------------------------------------------===//

  LLVM::LLVMStructType sumsOf(int64_t columns) {
    return LLVM::LLVMStructType::getLiteral(b.getContext(),
                                            SmallVector<Type>(size_t(columns / 2), b.getF32Type()));
  }
  /// Begins to multiply queries of this group and keys of a part.
  Value multiplyKeys(Value query, Value part) {
    Value sums = LLVM::UndefOp::create(b, sumsOf(kKeys));
    for (int64_t p = 0; p < mapped.keys.numElements / kPanel; ++p) {
      Value rows = describeShared(
          add(add(queriesAt(query), times(mine, kPanelBytes)), p * kQueries * kPanel * kHalf));
      Value columns = describeShared(add(keysAt(part), p * kKeys * kPanel * kHalf));
      sums = multiplyGroup(rows, columns, sums, {true, true}, p == 0);
    }
    return sums;
  }
  Value multiplyValues(ArrayRef<Value> powers, Value part, Value totals) {
    Value columns = describeShared(valuesAt(part), kKeys * kPanel * kHalf / 16);
    return multiplyOwn(powers, columns, totals);
  }
  void commit() { NVVM::WgmmaGroupSyncAlignedOp::create(b); }
  void finishAll() { NVVM::WgmmaWaitGroupSyncOp::create(b, 0u); }

  Value number(double v) { return arith::ConstantOp::create(b, b.getF32FloatAttr(float(v))); }
  Value greater(Value x, Value y) { return arith::MaxNumFOp::create(b, x, y); }
  Value sum(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value product2(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  /// 2^(x * factor + y).
  Value power(Value x, Value y) {
    Value exponent = math::FmaOp::create(b, x, number(mapped.scale * kLog2OfE), y);
    return LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                         b.getStringAttr("llvm.nvvm.ex2.approx.ftz.f32"), exponent)
        .getResults();
  }
  /// All of them together, neighbours first.
  static Value together(SmallVector<Value> all, llvm::function_ref<Value(Value, Value)> join) {
    while (all.size() > 1) {
      SmallVector<Value> half;
      for (size_t i = 0; i + 1 < all.size(); i += 2)
        half.push_back(join(all[i], all[i + 1]));
      if (all.size() % 2)
        half.push_back(all.back());
      all = std::move(half);
    }
    return all.front();
  }
  Value ofLanes(Value v, llvm::function_ref<Value(Value, Value)> join) {
    for (int64_t mask = kLanesOfRow / 2; mask; mask /= 2) {
      Value other = NVVM::ShflOp::create(b, v.getType(), word(-1), v, word(mask), word(kWarp - 1),
                                         NVVM::ShflKind::bfly, UnitAttr());
      v = join(v, other);
    }
    return v;
  }

  /// What goes from block to block of the keys.
  struct State {
    Value totals;
    SmallVector<Value> powers;       ///< of the block before, as words
    std::array<Value, 2> most, sums; ///< by row
  };
  SmallVector<Value> valuesOf(const State &s) {
    SmallVector<Value> all = {s.totals, s.most[0], s.most[1], s.sums[0], s.sums[1]};
    llvm::append_range(all, s.powers);
    return all;
  }
  static State stateOf(ValueRange v) {
    return {v[0], SmallVector<Value>(v.drop_front(5)), {v[1], v[2]}, {v[3], v[4]}};
  }

  /// Scores of the block that begins with this key, where some are not to be seen.
  void hide(MutableArrayRef<Value> scores, Value firstKey) {
    int64_t keys = a.values.getStaticLoopRanges()[a.inValues[a.key]];
    bool isWhole = !ShapedType::isDynamic(keys) && keys % kKeys == 0;
    if (isWhole && !a.isTriangle())
      return;
    Value column = times(modulo(lane, kLanesOfRow), 2),
          none = number(-std::numeric_limits<double>::infinity());
    for (size_t r = 0; r < 2; ++r) {
      // So many columns of the block are seen, from the first of this lane on.
      Value end = arith::SubIOp::create(b, numKeys, firstKey);
      if (a.isTriangle()) {
        Value query = add(add(sides[0].first, firstRow), int64_t(r) * kRowStep);
        Value own = arith::SubIOp::create(b, add(query, 1), firstKey);
        end = isWhole ? own : Value(arith::MinSIOp::create(b, own, end));
      }
      end = arith::IndexCastOp::create(b, b.getI32Type(),
                                       Value(arith::SubIOp::create(b, end, column)));
      for (size_t i = 0; i < scores.size(); ++i) {
        if (i % 4 / 2 != r)
          continue;
        auto at = int64_t(i / 4) * kColumns + int64_t(i % 2);
        Value isSeen = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, word(at), end);
        scores[i] = arith::SelectOp::create(b, isSeen, scores[i], none);
      }
    }
  }

  /// Scores become powers; what was added up so far becomes smaller where one is greater than all
  /// before. `firstKey`: some may not be to be seen.
  State weigh(Value products, const State *before, Value firstKey) {
    SmallVector<Value> scores;
    for (int64_t i = 0; i < kKeys / 2; ++i)
      scores.push_back(LLVM::ExtractValueOp::create(b, products, i));
    if (firstKey)
      hide(scores, firstKey);
    State after;
    std::array<Value, 2> smaller;
    auto join = [&](Value x, Value y) { return greater(x, y); };
    auto joinSums = [&](Value x, Value y) { return sum(x, y); };
    for (size_t r = 0; r < 2; ++r) {
      SmallVector<size_t> own;
      for (size_t i = 0; i < scores.size(); ++i)
        if (i % 4 / 2 == r)
          own.push_back(i);
      auto all = [&] { return llvm::map_to_vector(own, [&](size_t i) { return scores[i]; }); };
      Value most = ofLanes(together(all(), join), join);
      if (before)
        most = greater(before->most[r], most);
      // A row that sees nothing has no greatest score.
      Value isNone = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, most,
                                           number(-std::numeric_limits<double>::infinity()));
      Value less = arith::SelectOp::create(b, isNone, number(0),
                                           product2(most, number(-mapped.scale * kLog2OfE)));
      for (size_t i : own)
        scores[i] = power(scores[i], less);
      Value total = together(all(), joinSums);
      if (before) {
        smaller[r] = power(before->most[r], less);
        total = sum(product2(before->sums[r], smaller[r]), total);
      }
      after.most[r] = most;
      after.sums[r] = total;
    }
    after.totals = before ? shrink(before->totals, smaller)
                          : Value(LLVM::ZeroOp::create(b, sumsOf(product.width)));
    for (size_t i = 0; i < scores.size(); i += 2)
      after.powers.push_back(pack(scores[i], scores[i + 1]));
    return after;
  }

  Value shrink(Value totals, const std::array<Value, 2> &factors) {
    for (int64_t i = 0; i < product.width / 2; ++i) {
      Value v = product2(LLVM::ExtractValueOp::create(b, totals, i), factors[size_t(i % 4 / 2)]);
      totals = LLVM::InsertValueOp::create(b, totals, v, i);
    }
    return totals;
  }

  Value pack(Value x, Value y) {
    SmallVector<Value> both = {arith::TruncFOp::create(b, element, x),
                               arith::TruncFOp::create(b, element, y)};
    Value narrow = vector::FromElementsOp::create(b, VectorType::get(2, element), both);
    return LLVM::BitcastOp::create(b, b.getI32Type(), narrow);
  }

  void multiplyTiles() override {
    mine = arith::SubIOp::create(b, group, constant(1));
    Value warp = modulo(over(thread, kWarp), kGroupThreads / kWarp);
    firstRow = add(add(times(mine, kGroupRows), times(warp, kWarpRows)), over(lane, kLanesOfRow));
    SmallVector<Value> start = {constant(0), word(0), constant(0), word(0)};
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(ifEqual(mine, 1).thenBlock());
      passTurn();
    }
    forOwnTiles(start, [&](ValueRange ring) -> SmallVector<Value> {
      Value part = ring[0], phase = ring[1], query = ring[2], phaseOfQuery = ring[3];
      Value count = numBlocksOfKeys();
      await(barrier(FullQueries, query), phaseOfQuery);
      await(barrier(FullKeys, part), phase);
      awaitTurn();
      NVVM::WgmmaFenceAlignedOp::create(b);
      Value products = multiplyKeys(query, part);
      commit();
      passTurn();
      finishAll();
      leave(barrier(EmptyKeys, part));
      Value last = times(arith::SubIOp::create(b, count, constant(1)), kKeys);
      State state = weigh(products, nullptr, last);
      SmallVector<Value> carried = {part, phase};
      llvm::append_range(carried, valuesOf(state));
      auto loop = scf::ForOp::create(b, constant(1), count, constant(1), carried);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(loop.getBody());
        ValueRange args = loop.getRegionIterArgs();
        state = stateOf(args.drop_front(2));
        SmallVector<Value> next = nextOf(args[0], args[1], mapped.parts);
        await(barrier(FullKeys, next[0]), next[1]);
        awaitTurn();
        NVVM::WgmmaFenceAlignedOp::create(b);
        products = multiplyKeys(query, next[0]);
        await(barrier(FullValues, args[0]), args[1]);
        state.totals = multiplyValues(state.powers, args[0], state.totals);
        commit();
        passTurn();
        finishAll();
        leave(barrier(EmptyKeys, next[0]));
        leave(barrier(EmptyValues, args[0]));
        llvm::append_range(next, valuesOf(weigh(products, &state, Value())));
        scf::YieldOp::create(b, next);
      }
      leave(barrier(EmptyQueries, query));
      part = loop.getResult(0);
      phase = loop.getResult(1);
      state = stateOf(loop.getResults().drop_front(2));
      await(barrier(FullValues, part), phase);
      NVVM::WgmmaFenceAlignedOp::create(b);
      Value totals = multiplyValues(state.powers, part, state.totals);
      commit();
      finishAll();
      leave(barrier(EmptyValues, part));
      storeSums(state.sums);
      computeResults(mine, times(mine, kGroupRows), totals);
      SmallVector<Value> next = nextOf(part, phase, mapped.parts);
      llvm::append_range(next, nextOf(query, phaseOfQuery, kQueryParts));
      return next;
    });
  }

  //===--------------------------------------------------------------------===//
  // Sums of powers, for who computes of results
  //===--------------------------------------------------------------------===//

  Value sumPlace(Value row) { return sharedAt(add(times(row, 4), mapped.incoming())); }
  void storeSums(ArrayRef<Value> sums) {
    auto join = [&](Value x, Value y) { return sum(x, y); };
    for (auto [r, own] : llvm::enumerate(sums))
      LLVM::StoreOp::create(b, ofLanes(own, join), sumPlace(add(firstRow, int64_t(r) * kRowStep)),
                            4u);
  }
  void atRow(Value row) override {
    known[a.sum.getDpsInits().front()] = LLVM::LoadOp::create(b, b.getF32Type(), sumPlace(row), 4u);
  }

  const MappedAttention &mapped;
  const Attention &a;
  Value mine, firstRow, numKeys, numQueries;
};

class AttentionByMaps final : public MappedKernel {
public:
  AttentionByMaps(const Step &step, MappedAttention mapped)
      : step(step), mapped(std::move(mapped)),
        product(productOf(this->mapped.nests, kQueries, (kGroups + 1) * kGroupThreads)) {}

  unsigned numMaps() const override { return 3; }
  Value countThreads(ImplicitLocOpBuilder &b) const override {
    return arith::MulIOp::create(b, countTiles(b, cast<linalg::LinalgOp>(step.op), product),
                                 arith::ConstantIndexOp::create(b, product.threads));
  }
  Value describeMaps(ImplicitLocOpBuilder &b) const override {
    MapWriter w(b, cast<linalg::LinalgOp>(step.op), numMaps());
    for (const MappedRows *rows : {&mapped.queries, &mapped.keys, &mapped.values}) {
      ArrayRef<unsigned> loops =
          rows == &mapped.values ? mapped.nests.inValues : mapped.nests.inScores;
      SmallVector<Value> sizes = loopSizes(b, rows->op);
      w.begin(rows->op, *rows->operand);
      w.putWide(offsetof(ptc_tensor_map, sizes[0]), rows->numElements);
      w.put(offsetof(ptc_tensor_map, sizes[1]), sizes[rows->row]);
      w.putPitch(offsetof(ptc_tensor_map, pitches[0]), rows->pitch);
      w.putWord(offsetof(ptc_tensor_map, box[0]), kPanel);
      w.putWord(offsetof(ptc_tensor_map, box[1]), rows == &mapped.queries ? kQueries : kKeys);
      w.putWord(offsetof(ptc_tensor_map, rank), int64_t(2 + rows->batch.size()));
      for (auto [i, d] : llvm::enumerate(rows->batch)) {
        w.put(offsetof(ptc_tensor_map, sizes) + (2 + i) * sizeof(uint64_t), sizes[loops[d]]);
        w.putPitch(offsetof(ptc_tensor_map, pitches) + (1 + i) * sizeof(uint64_t),
                   rows->pitches[i]);
        w.putWord(offsetof(ptc_tensor_map, box) + (2 + i) * sizeof(uint32_t), 1);
      }
    }
    return w.maps();
  }
  KernelShape emit() const override {
    AttentionOfGroups tiles(step, product, mapped);
    auto bytes = uint32_t(tiles.bytes());
    tiles.emit();
    return {uint32_t(product.threads), bytes, /*perProcessor=*/1};
  }

private:
  const Step &step;
  MappedAttention mapped;
  TiledProduct product;
};
} // namespace

std::unique_ptr<MappedKernel> ptc::cuda::findMappedAttention(const Step &step) {
  std::optional<MappedAttention> mapped = findMapped(step);
  return mapped ? std::make_unique<AttentionByMaps>(step, std::move(*mapped)) : nullptr;
}
