//===- Attention.cpp - Attention in one kernel -----------------------------------------------===//
//
// In: a product of queries and keys, what is computed of each score, the greatest score of each
// query, powers of what the others lack, their sums, a product with values, and what is computed of
// its results. Out: blocks that have 64 queries each and go through keys and values once, 64 at a
// time; scores are in registers alone. A greater score than all before makes what was added up so
// far smaller (Dao, FlashAttention-2: Faster Attention with Better Parallelism and Work
// Partitioning, 2023, algorithm 1).
//
// Lanes and their parts of matrices: PTX ISA, "Matrix Fragments for mma.m16n8k16".
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Queries of a block, and keys that it goes through together; four warps have 16 queries each.
static constexpr int64_t kQueries = 64, kKeys = 64, kThreads = 128;
/// Of a matrix instruction.
static constexpr int64_t kRows = 16, kColumns = 8, kTurns = 16;
/// Most elements of a query or a value; their sums are in registers.
static constexpr int64_t kMostElements = 128;
/// What lies behind each row in shared memory, so that eight rows are in different banks.
static constexpr int64_t kPadding = 8;
/// Lanes that have scores of one query.
static constexpr int64_t kLanesOfRow = 4;

namespace {
/// The nests of an attention. Dimensions are those of the memory that would have the scores.
struct Attention {
  mutable linalg::LinalgOp scores, max, power, sum, values;
  SmallVector<linalg::LinalgOp> masks;      ///< what is computed of each score
  linalg::LinalgOp firstScore, firstMax;    ///< what fills the memory of both
  unsigned query = 0, key = 0;              ///< dimensions
  SmallVector<unsigned> inScores, inValues; ///< loops of both products, by dimension
  SmallVector<unsigned> ofSums;             ///< dimensions that the sums have, in order
  unsigned depth = 0, column = 0;           ///< loops: elements of queries and keys; of values
  int64_t numElements = 0;                  ///< of a query
  size_t count = 0;                         ///< of operations up to the product with values

  OpOperand *operand(linalg::LinalgOp product, bool isFirst) const {
    OpOperand *one = product.getDpsInputOperand(0), *other = product.getDpsInputOperand(1);
    unsigned loop = product == scores ? inScores[query] : inValues[key];
    bool isOne = product == scores ? product.getMatchingIndexingMap(one).isFunctionOfDim(loop)
                                   : one->get() == power.getDpsInits().front();
    return isOne == isFirst ? one : other;
  }
  OpOperand *queries() const { return operand(scores, true); }
  OpOperand *keys() const { return operand(scores, false); }
  OpOperand *weights() const { return operand(values, true); }
  OpOperand *valued() const { return operand(values, false); }
  bool isTriangle() const {
    return llvm::any_of(
        masks, [](linalg::LinalgOp mask) { return mask->hasAttr(plan::kLowerTriangleAttr); });
  }
};
} // namespace

/// Loops by the dimensions of an operand, each of which is one loop; none: it is not so.
static std::optional<SmallVector<unsigned>> loopsOf(linalg::LinalgOp op, OpOperand *operand) {
  SmallVector<unsigned> loops;
  for (AffineExpr at : op.getMatchingIndexingMap(operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(at);
    if (!dim || llvm::is_contained(loops, dim.getPosition()))
      return std::nullopt;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

/// Dimensions of scores that memory has, as a nest goes through both.
static std::optional<SmallVector<unsigned>> dimensionsOf(linalg::LinalgOp op, OpOperand *operand,
                                                         ArrayRef<unsigned> loops) {
  std::optional<SmallVector<unsigned>> own = loopsOf(op, operand);
  if (!own)
    return std::nullopt;
  for (unsigned &loop : *own) {
    const unsigned *at = llvm::find(loops, loop);
    if (at == loops.end())
      return std::nullopt;
    loop = unsigned(at - loops.begin());
  }
  return own;
}

/// Whether the body makes e^(score - m) of a score, where m is the greatest one or, if that is no
/// number below all others, 0.
static bool isPower(linalg::LinalgOp op, OpOperand *score, OpOperand *greatest) {
  auto power = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<math::ExpOp>();
  auto less = power ? power.getOperand().getDefiningOp<arith::SubFOp>() : arith::SubFOp();
  if (!less || less.getLhs() != op.getMatchingBlockArgument(score))
    return false;
  Value most = op.getMatchingBlockArgument(greatest);
  if (less.getRhs() == most)
    return true;
  auto chosen = less.getRhs().getDefiningOp<arith::SelectOp>();
  auto isNone = chosen ? chosen.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  return isNone && isNone.getPredicate() == arith::CmpFPredicate::OEQ && isNone.getLhs() == most &&
         matchPattern(isNone.getRhs(), m_NegInfFloat()) &&
         matchPattern(chosen.getTrueValue(), m_AnyZeroFloat()) && chosen.getFalseValue() == most;
}

/// Whether the body adds its only input, or keeps the greatest.
static bool reducesScores(linalg::LinalgOp op, Value scores, bool adds) {
  if (op.getNumDpsInputs() != 1 || op.getDpsInputs().front() != scores ||
      op.getNumReductionLoops() != 1)
    return false;
  std::optional<Combiner> combiner = findCombiner(*op.getBlock());
  BlockArgument in = op.getMatchingBlockArgument(op.getDpsInputOperand(0));
  if (!combiner || combiner->element != in || !combiner->accumulator.getType().isF32())
    return false;
  if (!adds)
    return !combiner->startsAtZero && !combiner->startsAtOne;
  auto sum = combiner->result.getDefiningOp<arith::AddFOp>();
  return sum && sum == op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
}

static bool startsAtZero(linalg::LinalgOp fill) {
  return fill && matchPattern(fill.getDpsInputs().front(), m_AnyZeroFloat());
}

/// Whether it lies so that its last loop comes in groups, and has a size for matrix instructions.
static bool isPanel(linalg::LinalgOp op, OpOperand *operand, unsigned loop) {
  auto type = cast<MemRefType>(operand->get().getType());
  int64_t size = op.getStaticLoopRanges()[loop];
  return (type.getElementType().isBF16() || type.getElementType().isF16()) &&
         !ShapedType::isDynamic(size) && size % kTurns == 0 && size <= kMostElements &&
         comesInGroups(op, op.getMatchingIndexingMap(operand), type, loop, kGroup);
}

/// Gives names to dimensions and loops of nests that are known.
static bool nameLoops(Attention &a) {
  OpOperand *out = a.scores.getDpsInitOperand(0);
  auto inScores = loopsOf(a.scores, out);
  Value powers = a.power.getDpsInits().front();
  OpOperand *weights = a.values.getDpsInputOperand(0);
  if (weights->get() != powers)
    weights = a.values.getDpsInputOperand(1);
  auto inValues = weights->get() == powers ? loopsOf(a.values, weights) : std::nullopt;
  if (!inScores || !inValues || a.scores.getNumReductionLoops() != 1 ||
      a.values.getNumReductionLoops() != 1 || a.values.getNumLoops() != inValues->size() + 1)
    return false;
  a.inScores = *inScores;
  a.inValues = *inValues;
  SmallVector<unsigned> reduced;
  a.values.getReductionDims(reduced);
  const unsigned *key = llvm::find(a.inValues, reduced.front());
  if (key == a.inValues.end())
    return false;
  a.key = unsigned(key - a.inValues.begin());
  a.scores.getReductionDims(reduced);
  a.depth = reduced.back();
  for (unsigned d = 0; d < a.values.getNumLoops(); ++d)
    if (!llvm::is_contained(a.inValues, d))
      a.column = d;
  // The last dimension that only queries have.
  AffineMap one = a.scores.getMatchingIndexingMap(a.scores.getDpsInputOperand(0)),
            other = a.scores.getMatchingIndexingMap(a.scores.getDpsInputOperand(1));
  if (one.isFunctionOfDim(a.inScores[a.key]))
    std::swap(one, other); // the keys
  bool hasQuery = false;
  for (unsigned d = 0; d < a.inScores.size(); ++d)
    if (d != a.key && one.isFunctionOfDim(a.inScores[d]) && !other.isFunctionOfDim(a.inScores[d])) {
      a.query = d;
      hasQuery = true;
    }
  AffineMap columns = a.values.getMatchingIndexingMap(a.valued());
  AffineMap results = a.values.getMatchingIndexingMap(a.values.getDpsInitOperand(0));
  a.numElements = a.scores.getStaticLoopRanges()[a.depth];
  return hasQuery && !one.isFunctionOfDim(a.inScores[a.key]) &&
         other.isFunctionOfDim(a.inScores[a.key]) && results.isProjectedPermutation() &&
         results.isFunctionOfDim(a.column) && columns.isFunctionOfDim(a.column) &&
         !columns.isFunctionOfDim(a.inValues[a.query]) &&
         columns.isFunctionOfDim(a.inValues[a.key]) && isPanel(a.scores, a.queries(), a.depth) &&
         isPanel(a.scores, a.keys(), a.depth) && isPanel(a.values, a.valued(), a.column) &&
         getElementTypeOrSelf(a.keys()->get()) == getElementTypeOrSelf(a.valued()->get()) &&
         getElementTypeOrSelf(a.keys()->get()) == getElementTypeOrSelf(a.queries()->get());
}

/// Whether both reductions and the powers go through scores in the same way.
static bool reduceAlike(Attention &a) {
  Value greatest = a.max.getDpsInits().front();
  OpOperand *read = nullptr, *scored = nullptr;
  for (OpOperand &operand : a.power->getOpOperands()) {
    if (operand.get() == greatest)
      read = &operand;
    else if (operand.get() == a.scores.getDpsInits().front())
      scored = &operand;
  }
  if (!read || !scored || a.power->getNumOperands() > 3 || !isPower(a.power, scored, read))
    return false;
  auto ofPower = loopsOf(a.power, scored);
  auto ofMax = loopsOf(a.max, a.max.getDpsInputOperand(0)),
       ofSum = loopsOf(a.sum, a.sum.getDpsInputOperand(0));
  OpOperand *powers = a.power.getDpsInitOperand(0);
  if (!ofPower || !ofMax || !ofSum || loopsOf(a.power, powers) != ofPower)
    return false;
  auto maxima = dimensionsOf(a.max, a.max.getDpsInitOperand(0), *ofMax),
       reads = dimensionsOf(a.power, read, *ofPower),
       sums = dimensionsOf(a.sum, a.sum.getDpsInitOperand(0), *ofSum);
  if (!maxima || maxima != reads || !sums || sums->size() + 1 != a.inScores.size() ||
      maxima->size() != sums->size() || llvm::is_contained(*sums, a.key) ||
      llvm::is_contained(*maxima, a.key))
    return false;
  a.ofSums = *sums;
  return true;
}

/// The attention at the front of `ops`, of which the first product or what fills its memory is the
/// first.
static std::optional<Attention> findAttention(ArrayRef<Operation *> ops) {
  Attention a;
  DenseMap<Value, linalg::LinalgOp> starts;
  Value scores, powers;
  for (Operation *op : ops) {
    auto nest = dyn_cast<linalg::GenericOp>(op);
    if (!nest || nest.getNumDpsInits() != 1 || !nest.hasPureBufferSemantics())
      return std::nullopt;
    ++a.count;
    Value out = nest.getDpsInits().front();
    if (fills(nest, out)) {
      if (!starts.insert({out, nest}).second)
        return std::nullopt;
    } else if (!a.scores) {
      if (!isSumOfProducts(nest))
        return std::nullopt;
      a.scores = nest;
      scores = out;
    } else if (!a.max && reducesScores(nest, scores, /*adds=*/false)) {
      a.max = nest;
    } else if (!a.max) {
      OpOperand *read = findRead(nest, scores);
      if (!read || !nest.isDpsInit(read) || read->get() != scores)
        return std::nullopt;
      a.masks.push_back(nest);
    } else if (!a.power) {
      if (nest.getNumReductionLoops())
        return std::nullopt;
      a.power = nest;
      powers = out;
    } else if (!a.sum && reducesScores(nest, powers, /*adds=*/true)) {
      a.sum = nest;
    } else if (a.sum && isSumOfProducts(nest)) {
      a.values = nest;
      break;
    } else {
      return std::nullopt;
    }
  }
  if (!a.values || !nameLoops(a) || !reduceAlike(a))
    return std::nullopt;
  a.firstScore = starts.lookup(scores);
  a.firstMax = starts.lookup(a.max.getDpsInits().front());
  if (!startsAtZero(a.firstScore) || !a.firstMax ||
      !startsAtZero(starts.lookup(a.sum.getDpsInits().front())) ||
      !startsAtZero(starts.lookup(a.values.getDpsInits().front())))
    return std::nullopt;
  return a;
}

/// The operations of a step up to the product with the values.
static SmallVector<Operation *> opsOf(const Step &step) {
  SmallVector<Operation *> ops = step.scores;
  ops.push_back(step.start);
  ops.push_back(step.op);
  return ops;
}

size_t ptc::cuda::countScores(Operation *fill, ArrayRef<Operation *> ops) {
  SmallVector<Operation *> all = {fill};
  llvm::append_range(all, ops);
  std::optional<Attention> found = findAttention(all);
  return found ? found->count - 1 : 0;
}

bool ptc::cuda::fitsAttention(const Step &step) {
  std::optional<Attention> a = findAttention(opsOf(step));
  if (!a)
    return false;
  SmallVector<Operation *> all = step.all();
  for (Operation *op : step.scores)
    if (Value memory = cast<linalg::LinalgOp>(op).getDpsInits().front();
        !memory.getDefiningOp<memref::AllocOp>() || !isOwnOf(memory, all))
      return false;
  // What is computed of results knows the sums of their own row.
  Value sums = a->sum.getDpsInits().front();
  Flow flow = flowOf(step);
  std::optional<SmallVector<unsigned>> loops =
      loopsOf(a->values, a->values.getDpsInitOperand(0)); // by dimension of what an end reads
  for (auto [end, read] : llvm::zip_equal(step.ends, flow.reads)) {
    auto ofEnd = loopsOf(end, read);
    for (OpOperand &operand : end->getOpOperands()) {
      if (&operand == read || !isa<MemRefType>(operand.get().getType()))
        continue;
      Value memory = seenThrough(operand.get());
      if (llvm::any_of(all, [&](Operation *op) {
            return llvm::is_contained(step.scores, op) && memory != sums &&
                   cast<linalg::LinalgOp>(op).getDpsInits().front() == memory;
          }))
        return false;
      if (memory != sums)
        continue;
      auto own = dimensionsOf(end, &operand, ofEnd ? *ofEnd : SmallVector<unsigned>());
      if (operand.get() != sums || !own || !loops || read->get() != seenThrough(read->get()) ||
          own->size() != a->ofSums.size())
        return false;
      for (auto [at, dimension] : llvm::zip_equal(*own, a->ofSums))
        if ((*loops)[at] != a->inValues[dimension])
          return false;
    }
    OpOperand *written = linalg::LinalgOp(end).getDpsInitOperand(0);
    if (written == read)
      continue;
    auto ofWritten = ofEnd ? dimensionsOf(end, written, *ofEnd) : std::nullopt;
    if (!ofWritten || !loops) {
      loops = std::nullopt;
      continue;
    }
    loops = llvm::map_to_vector(*ofWritten, [&](unsigned at) { return (*loops)[at]; });
  }
  return true;
}

static TiledProduct productOf(const Attention &a) {
  TiledProduct product{a.weights(), a.valued(), {}, {}, {}, {}};
  for (unsigned d = 0; d < a.inValues.size(); ++d)
    if (d != a.query && d != a.key)
      product.batch.push_back(a.inValues[d]);
  product.ofRows = {a.inValues[a.query]};
  product.ofColumns = {a.column};
  product.sum = {a.inValues[a.key]};
  product.size = kQueries;
  product.width = a.values.getStaticLoopRanges()[a.column];
  product.threads = kThreads;
  product.byMatrix = true;
  return product;
}

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
      SmallVector<unsigned> loops = *loopsOf(mask, read);
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
    Combiner greater = *findCombiner(*a.max.getBlock());
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

  Value sumPlace(Value row) {
    Value at = add(times(row, 4), 5 * sideBytes());
    Value offset = arith::IndexCastUIOp::create(b, b.getI64Type(), at);
    return LLVM::GEPOp::create(b, ring.getType(), b.getI8Type(), ring,
                               ArrayRef<LLVM::GEPArg>(offset));
  }
  /// Sums of powers, for who computes of results.
  void storeSums(ArrayRef<Value> rows, ValueRange sums) {
    Combiner adds = *findCombiner(*a.sum.getBlock());
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
  TiledProduct product = productOf(*findAttention(opsOf(step)));
  Value threads = arith::ConstantIndexOp::create(b, product.threads);
  Value count = countTiles(b, cast<linalg::LinalgOp>(step.op), product);
  return arith::MulIOp::create(b, count, threads);
}

KernelShape ptc::cuda::emitAttention(const Step &step) {
  Attention attention = *findAttention(opsOf(step));
  TiledProduct product = productOf(attention);
  AttentionTiles tiles(step, product, attention);
  uint32_t bytes = tiles.bytes();
  tiles.emit();
  return {uint32_t(kThreads), bytes};
}
