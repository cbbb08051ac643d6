//===- Attention.cpp - Nests that are an attention -------------------------------------------===//
//
// In: nests that follow each other. Out: whether they are a product of queries and keys, what is
// computed of each score, the greatest score of each query, powers of what the others lack, their
// sums, a product with values, and what is computed of its results; which loops are which.
//
//===----------------------------------------------------------------------===//
#include "Attention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Most elements of a query or a value; their sums are in registers.
static constexpr int64_t kMostElements = 128;

std::optional<SmallVector<unsigned>> ptc::cuda::loopsOf(linalg::LinalgOp op, OpOperand *operand) {
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
         !ShapedType::isDynamic(size) && size % kGroupTurns == 0 && size <= kMostElements &&
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

Attention ptc::cuda::attentionOf(const Step &step) { return certain(findAttention(opsOf(step))); }

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

TiledProduct ptc::cuda::productOf(const Attention &a, int64_t queries, int64_t threads) {
  TiledProduct product{a.weights(), a.valued(), {}, {}, {}, {}};
  for (unsigned d = 0; d < a.inValues.size(); ++d)
    if (d != a.query && d != a.key)
      product.batch.push_back(a.inValues[d]);
  product.ofRows = {a.inValues[a.query]};
  product.ofColumns = {a.column};
  product.sum = {a.inValues[a.key]};
  product.size = queries;
  product.width = a.values.getStaticLoopRanges()[a.column];
  product.threads = threads;
  product.byMatrix = true;
  return product;
}
