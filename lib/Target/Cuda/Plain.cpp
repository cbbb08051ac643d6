//===- Plain.cpp - Loop nests as threads -----------------------------------------------------===//
//
// In: an operation on memrefs. Out: scf and memref operations of one thread. A thread takes
// elements of the parallel loops at a stride of all threads and goes through the other loops by
// itself, or with the other lanes of its warp or block, with what it adds up in registers.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

static constexpr uint32_t kThreads = 256;

/// So many turns keep a GPU busy when a thread has several of them.
static constexpr int64_t kManyTurns = 1 << 19;

/// Parallel loops in the order in which they go through the memory of the result, as far as that is
/// known: the last goes through neighbours.
static SmallVector<unsigned> inMemoryOrder(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getParallelDims(loops);
  if (op.getNumDpsInits() == 0)
    return loops;
  OpOperand *out = op.getDpsInitOperand(0);
  auto type = dyn_cast<MemRefType>(out->get().getType());
  SmallVector<int64_t> strides, ofLoops(op.getNumLoops());
  int64_t offset = 0;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return loops;
  for (auto [stride, at] : llvm::zip_equal(strides, op.getMatchingIndexingMap(out).getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(at);
    if (!dim || ShapedType::isDynamic(stride))
      return loops;
    ofLoops[dim.getPosition()] = stride;
  }
  llvm::sort(loops, [&](unsigned x, unsigned y) {
    return std::pair(-ofLoops[x], x) < std::pair(-ofLoops[y], y);
  });
  return loops;
}

/// How many neighbouring turns of a nest a thread takes together, by accesses of 16 bytes; 1: each
/// is on its own.
static int64_t groupOf(linalg::LinalgOp op) {
  bool isOpen = op.hasDynamicShape();
  if (!op.getNumParallelLoops() || !op.hasPureBufferSemantics() || findSharing(op) ||
      (isOpen && op.getNumReductionLoops()))
    return 1;
  SmallVector<unsigned> loops = inMemoryOrder(op);
  int64_t turns = isOpen ? kManyTurns : 1, innermost = op.getStaticLoopRanges()[loops.back()];
  for (unsigned d : isOpen ? ArrayRef<unsigned>() : loops)
    turns *= op.getStaticLoopRanges()[d];
  int64_t size = groupFor(SmallVector<Value>(op->getOperands()));
  bool isWhole = ShapedType::isDynamic(innermost) || innermost % size == 0;
  bool isIt = turns >= kManyTurns && llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
                auto type = dyn_cast<MemRefType>(operand.get().getType());
                AffineMap map = op.getMatchingIndexingMap(&operand);
                if (!type)
                  return true;
                if (op.isDpsInit(&operand) && op.getNumReductionLoops() &&
                    map.getNumResults() != op.getNumParallelLoops())
                  return false;
                if (!op.isDpsInit(&operand) && !map.isFunctionOfDim(loops.back()))
                  return isWhole; // the same for a group
                return type.getElementTypeBitWidth() >= 16 &&
                       comesInGroups(op, map, type, loops, size, isOpen);
              });
  return isIt ? size : 1;
}

/// Whether there are as many turns as that is good for, and they are whole groups; null: it is
/// known to be so. `count`: turns of all parallel loops.
static Value fitsGroups(ImplicitLocOpBuilder &b, linalg::LinalgOp op, int64_t group, Value count) {
  if (!op.hasDynamicShape())
    return {};
  auto constant = [&](int64_t v) -> Value { return arith::ConstantIndexOp::create(b, v); };
  Value innermost = loopSizes(b, op)[inMemoryOrder(op).back()];
  Value isWhole = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq, Value(arith::RemUIOp::create(b, innermost, constant(group))),
      constant(0));
  Value areMany = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, count, constant(kManyTurns));
  return arith::AndIOp::create(b, isWhole, areMany);
}

Value ptc::cuda::countThreads(ImplicitLocOpBuilder &b, const Step &step) {
  if (!step.rows.empty())
    return arith::IndexCastOp::create(b, b.getI64Type(), countRowThreads(b, step.rows));
  if (!step.scores.empty())
    return arith::IndexCastOp::create(b, b.getI64Type(), countAttentionThreads(b, step));
  Value count = arith::ConstantIndexOp::create(b, 1);
  auto nest = dyn_cast<linalg::LinalgOp>(step.op);
  if (std::optional<TiledProduct> product = nest ? findTiledProduct(nest) : std::nullopt) {
    Value threads = arith::ConstantIndexOp::create(b, product->threads);
    count = arith::MulIOp::create(b, countTiles(b, nest, *product), threads);
    return arith::IndexCastOp::create(b, b.getI64Type(), count);
  }
  if (std::optional<Turn> turn = nest ? findTurn(nest) : std::nullopt)
    return arith::IndexCastOp::create(b, b.getI64Type(), countTurnThreads(b, nest, *turn));
  if (nest) {
    for (auto [size, kind] : llvm::zip_equal(loopSizes(b, nest), nest.getIteratorTypesArray()))
      if (kind == utils::IteratorType::parallel)
        count = arith::MulIOp::create(b, count, size);
    if (std::optional<Sharing> sharing = findSharing(nest))
      count = arith::MulIOp::create(b, count, arith::ConstantIndexOp::create(b, sharing->lanes));
    if (int64_t group = groupOf(nest); group > 1) {
      Value few = arith::DivUIOp::create(b, count, arith::ConstantIndexOp::create(b, group));
      Value fits = fitsGroups(b, nest, group, count);
      count = fits ? Value(arith::SelectOp::create(b, fits, few, count)) : few;
    }
  }
  return arith::IndexCastOp::create(b, b.getI64Type(), count);
}

namespace {
/// One nest.
class ThreadNest {
public:
  /// `start`: what all results begin with; null: with what is there.
  ThreadNest(linalg::LinalgOp op, Value start)
      : op(op), b(op.getLoc(), op), sharing(findSharing(op)), start(start) {}

  /// Threads of a block.
  uint32_t numThreadsOfBlock() const { return std::max(kThreads, sharing ? sharing->lanes : 1); }

  void emit() {
    if (int64_t group = groupOf(op); group > 1) {
      SmallVector<Value> memories;
      for (OpOperand &operand : op->getOpOperands())
        if (isWide(operand))
          memories.push_back(operand.get());
      Value areWide = areAligned(b, memories);
      if (Value fits = fitsGroups(b, op, group, countTurns()))
        areWide = arith::AndIOp::create(b, areWide, fits);
      auto ways = scf::IfOp::create(b, areWide, /*withElseRegion=*/true);
      b.setInsertionPointToStart(ways.thenBlock());
      emitGroups(group);
      b.setInsertionPointToStart(ways.elseBlock());
      emitSingle();
    } else {
      emitSingle();
    }
    op.erase();
  }

private:
  bool isWide(OpOperand &operand) {
    return isa<MemRefType>(operand.get().getType()) &&
           op.getMatchingIndexingMap(&operand).isFunctionOfDim(inMemoryOrder(op).back());
  }

  /// Of all parallel loops.
  Value countTurns() {
    SmallVector<Value> sizes = loopSizes(b, op);
    Value count = arith::ConstantIndexOp::create(b, 1);
    for (unsigned d : inMemoryOrder(op))
      count = arith::MulIOp::create(b, count, sizes[d]);
    return count;
  }

  /// A thread has `group` neighbouring turns at a time.
  void emitGroups(int64_t group) {
    SmallVector<Value> sizes = loopSizes(b, op);
    SmallVector<unsigned> loops = inMemoryOrder(op);
    Value together = arith::ConstantIndexOp::create(b, group);
    auto loop =
        scf::ForOp::create(b, Value(arith::MulIOp::create(b, thread(), together)), countTurns(),
                           Value(arith::MulIOp::create(b, numThreads(), together)));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Turns turns;
    for (int64_t i = 0; i < group; ++i) {
      Value number = arith::AddIOp::create(b, loop.getInductionVar(),
                                           Value(arith::ConstantIndexOp::create(b, i)));
      turns.emplace_back(sizes.size());
      takeApart(b, number, loops, sizes, turns.back());
    }
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    SmallVector<Value> made;
    if (reductions.empty())
      made = computeGroup(turns, {});
    else
      made = reduceGroup(reductions, sizes, turns);
    for (OpOperand &out : op.getDpsInitsMutable()) {
      storeGroup(b, ArrayRef(made).take_front(size_t(group)), out.get(),
                 op.getMatchingIndexingMap(&out), turns, true);
      made.erase(made.begin(), made.begin() + group);
    }
  }

  using Turns = SmallVector<SmallVector<Value>>;

  /// What an operand has in each turn.
  SmallVector<Value> loadTurns(OpOperand &operand, const Turns &turns) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (start && op.isDpsInit(&operand))
      return SmallVector<Value>(turns.size(), start);
    if (isWide(operand))
      return loadInside(b, op, operand, turns,
                        [&] { return loadGroup(b, operand.get(), map, turns, true); });
    auto read = [&] {
      Value place = operand.get();
      return SmallVector<Value>{
          memref::LoadOp::create(b, place, cuda::placeOf(b, map, turns.front()))};
    };
    Value all = operand.get();
    if (isa<MemRefType>(all.getType()))
      all = loadInside(b, op, operand, turns.front(), read).front();
    return SmallVector<Value>(turns.size(), all);
  }

  /// The body in each turn: what it yields, result by result. `outs`: what results have, in the
  /// same order; empty: it is in their memory.
  SmallVector<Value> computeGroup(const Turns &turns, ArrayRef<Value> outs) {
    SmallVector<IRMapping> mappings{turns.size()};
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument arg = op.getMatchingBlockArgument(&operand);
      if (arg.use_empty())
        continue;
      SmallVector<Value> values;
      if (op.isDpsInit(&operand) && !outs.empty()) {
        size_t number = operand.getOperandNumber() - op.getNumDpsInputs();
        values = SmallVector<Value>(outs.slice(number * turns.size(), turns.size()));
      } else {
        values = loadTurns(operand, turns);
      }
      for (auto [mapping, value] : llvm::zip_equal(mappings, values))
        mapping.map(arg, value);
    }
    SmallVector<SmallVector<Value>> made;
    for (auto [mapping, turn] : llvm::zip_equal(mappings, turns))
      made.push_back(cloneBody(b, op, turn, mapping));
    SmallVector<Value> all;
    for (size_t out = 0; out < size_t(op.getNumDpsInits()); ++out)
      for (const SmallVector<Value> &of : made)
        all.push_back(of[out]);
    return all;
  }

  /// The same, after all turns of the reductions.
  SmallVector<Value> reduceGroup(ArrayRef<unsigned> reductions, ArrayRef<Value> sizes,
                                 Turns &turns) {
    SmallVector<Value> carried;
    for (OpOperand &out : op.getDpsInitsMutable())
      llvm::append_range(carried, loadTurns(out, turns));
    Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
    OpBuilder::InsertionGuard guard(b);
    SmallVector<scf::ForOp> loops;
    for (unsigned d : reductions) {
      loops.push_back(scf::ForOp::create(b, zero, sizes[d], one, carried));
      b.setInsertionPointToStart(loops.back().getBody());
      for (SmallVector<Value> &turn : turns)
        turn[d] = loops.back().getInductionVar();
      carried.assign(loops.back().getRegionIterArgs().begin(),
                     loops.back().getRegionIterArgs().end());
    }
    SmallVector<Value> made = computeGroup(turns, carried);
    for (scf::ForOp loop : llvm::reverse(loops)) {
      scf::YieldOp::create(b, made);
      b.setInsertionPointAfter(loop);
      made.assign(loop.getResults().begin(), loop.getResults().end());
    }
    for (SmallVector<Value> &turn : turns)
      for (unsigned d : reductions)
        turn[d] = zero; // results are not a function of it
    return made;
  }

  void emitSingle() {
    SmallVector<Value> sizes = loopSizes(b, op);
    SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    indices.resize(sizes.size());
    Value count = arith::ConstantIndexOp::create(b, 1);
    SmallVector<unsigned> parallel = inMemoryOrder(op), others;
    for (unsigned d = 0; d < sizes.size(); ++d)
      if (kinds[d] == utils::IteratorType::parallel)
        count = arith::MulIOp::create(b, count, sizes[d]);
      else
        others.push_back(d);
    Value first = thread(), step = numThreads();
    if (sharing) {
      Value lanes = arith::ConstantIndexOp::create(b, sharing->lanes);
      lane = arith::RemUIOp::create(b, first, lanes);
      first = arith::DivUIOp::create(b, first, lanes);
      step = arith::DivUIOp::create(b, step, lanes);
    }
    auto loop = scf::ForOp::create(b, first, count, step);
    b.setInsertionPointToStart(loop.getBody());
    takeApart(b, loop.getInductionVar(), parallel, sizes, indices);
    bool stays = llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &out) {
      return llvm::none_of(
          others, [&](unsigned d) { return op.getMatchingIndexingMap(&out).isFunctionOfDim(d); });
    });
    emitOthers(others, sizes, stays);
  }

  Value thread() {
    Value first = arith::MulIOp::create(b, blockNumber(b), threadsOfBlock(b));
    return arith::AddIOp::create(b, first, threadOfBlock(b));
  }
  Value numThreads() { return arith::MulIOp::create(b, numBlocks(b), threadsOfBlock(b)); }

  /// The place of an operand's element.
  SmallVector<Value> placeOf(OpOperand &operand) {
    return cuda::placeOf(b, op.getMatchingIndexingMap(&operand), indices);
  }

  Value load(OpOperand &operand) {
    if (start && op.isDpsInit(&operand))
      return start;
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    auto read = [&] {
      return SmallVector<Value>{memref::LoadOp::create(b, operand.get(), placeOf(operand))};
    };
    return loadInside(b, op, operand, indices, read).front();
  }
  void store(ValueRange values) {
    for (auto [value, out] : llvm::zip_equal(values, op.getDpsInitsMutable()))
      memref::StoreOp::create(b, value, out.get(), placeOf(out));
  }

  /// The loops that a thread goes through by itself. `stays`: they write one element.
  void emitOthers(ArrayRef<unsigned> others, ArrayRef<Value> sizes, bool stays) {
    SmallVector<Value> carried;
    if (stays)
      for (OpOperand &out : op.getDpsInitsMutable())
        carried.push_back(load(out));
    Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
    SmallVector<scf::ForOp> loops;
    Value first = sharing ? carried.front() : Value();
    if (TypedAttr neutral = sharing ? sharing->combiner.neutral() : TypedAttr())
      carried.front() = arith::ConstantOp::create(b, neutral);
    for (unsigned d : others) {
      bool isShared = sharing && sharing->loop == d;
      Value step = isShared ? Value(arith::ConstantIndexOp::create(b, sharing->lanes)) : one;
      auto loop = scf::ForOp::create(b, isShared ? lane : zero, sizes[d], step, carried);
      loops.push_back(loop);
      b.setInsertionPointToStart(loop.getBody());
      indices[d] = loop.getInductionVar();
      carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    }
    if (!stays)
      for (OpOperand &out : op.getDpsInitsMutable())
        carried.push_back(load(out));
    SmallVector<Value> made = emitBody(carried);
    if (!stays) {
      store(made);
      return;
    }
    for (scf::ForOp loop : llvm::reverse(loops)) {
      if (!made.empty())
        scf::YieldOp::create(b, made);
      b.setInsertionPointAfter(loop);
      made.assign(loop.getResults().begin(), loop.getResults().end());
    }
    if (sharing)
      storeShared(*sharing, first, made.front());
    else
      store(made);
  }

  /// The first lane stores what all have together.
  void storeShared(const Sharing &shared, Value first, Value own) {
    Value all = combineShared(b, shared, own, lane);
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, zero);
    auto write = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(write.thenBlock());
    store(combine(b, shared.combiner, first, all));
  }

  SmallVector<Value> emitBody(ArrayRef<Value> outs) {
    Block *body = op.getBlock();
    IRMapping mapping;
    for (auto [arg, operand] : llvm::zip(body->getArguments(), op.getDpsInputOperands()))
      if (!arg.use_empty())
        mapping.map(arg, load(*operand));
    for (auto [arg, value] : llvm::zip_equal(op.getRegionOutputArgs(), outs))
      mapping.map(arg, value);
    return cloneBody(b, op, indices, mapping);
  }

  linalg::LinalgOp op;
  ImplicitLocOpBuilder b;
  SmallVector<Value> indices;
  std::optional<Sharing> sharing;
  Value start, lane; ///< `lane`: among those that share a result
};
} // namespace

KernelShape ptc::cuda::emitStep(const Step &step, Means means) {
  if (!step.rows.empty())
    return emitRows(step.rows);
  if (means == Means::TensorMaps)
    return findMappedKernel(step)->emit();
  if (!step.scores.empty())
    return emitAttention(step);
  auto nest = dyn_cast<linalg::LinalgOp>(step.op);
  if (!nest)
    return {1, 0}; // of one block
  if (std::optional<TiledProduct> product = findTiledProduct(nest))
    return emitTiledProduct(step, *product, means);
  if (std::optional<Turn> turn = findTurn(nest))
    return emitTurn(nest, *turn);
  Value start = step.start ? cast<linalg::LinalgOp>(step.start).getDpsInputs().front() : Value();
  ThreadNest threads(nest, start);
  uint32_t count = threads.numThreadsOfBlock();
  threads.emit();
  if (step.start)
    step.start->erase();
  return {count, 0};
}
