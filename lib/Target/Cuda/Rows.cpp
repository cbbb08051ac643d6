//===- Rows.cpp - Nests that go on together, row by row --------------------------------------===//
//
// In: nests that follow each other and have their outer loops in common: a softmax, a norm, a loss.
// Out: one kernel in which a block, or a warp, has a row at a time. What nests reduce each thread
// has in a register; columns that it computes stay there, too, as long as a row has few enough.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// What a size is taken for that only the run knows.
static constexpr int64_t kTypicalRow = 1024;
/// Shorter rows are not worth a warp.
static constexpr int64_t kShortRow = 32;
static constexpr int64_t kMostThreads = 1024;
/// Threads of a block in which each warp has a row.
static constexpr int64_t kThreads = 128;
/// So many rows of at most so many columns keep a GPU busy with a warp each.
static constexpr int64_t kManyRows = 1024, kLongForWarp = 1024;
/// Columns that a thread should have, with few rows fewer, and most of them that stay in registers.
static constexpr int64_t kColumnsOfThread = 16, kFewRows = 256, kFewColumnsOfThread = 4,
                         kMostInRegisters = 32;

namespace {

/// Loops of all nests by numbers that they have in common: first the rows, then the columns.
struct Labels {
  unsigned numRows = 0, numColumns = 0;
  SmallVector<int64_t> sizes;
  linalg::LinalgOp seed; ///< a nest that reduces columns: its loops are the common ones
  DenseMap<Operation *, SmallVector<unsigned>> loops; ///< numbers of each nest's
  DenseMap<Value, SmallVector<int64_t>> memories;     ///< numbers by dimension; -1: none
  DenseSet<Value> mixed; ///< memory that not all nests go through in the same way

  bool isColumn(unsigned number) const { return number >= numRows; }
  int64_t extent(unsigned first, unsigned end) const {
    int64_t all = 1;
    for (int64_t size : ArrayRef(sizes).slice(first, end - first))
      all *= ShapedType::isDynamic(size) ? kTypicalRow : size;
    return all;
  }
  int64_t rows() const { return extent(0, numRows); }
  int64_t columns() const { return extent(numRows, numRows + numColumns); }

  /// Threads that share a row.
  int64_t lanes() const {
    if (columns() <= kLongForWarp && rows() >= kManyRows)
      return kWarp;
    int64_t each = rows() < kFewRows ? kFewColumnsOfThread : kColumnsOfThread;
    auto wanted = int64_t(llvm::PowerOf2Ceil(llvm::divideCeil(uint64_t(columns()), each)));
    return wanted <= kWarp ? kWarp : std::clamp(wanted, kThreads, kMostThreads);
  }
  bool isInRegisters() const {
    bool isKnown = llvm::none_of(ArrayRef(sizes).drop_front(numRows), ShapedType::isDynamic);
    return isKnown &&
           columns() <= lanes() * (lanes() == kMostThreads ? kColumnsOfThread : kMostInRegisters);
  }
  int64_t threads() const { return std::max(kThreads, lanes()); } ///< of a block
  /// Blocks that share a processor, for the registers that they leave to a thread.
  int64_t blocks() const {
    bool isMuch = !isInRegisters() || columns() <= kColumnsOfThread * lanes();
    return (isMuch ? kMostThreads : kMostThreads * 3 / 8) / threads();
  }
  SmallVector<unsigned> columnLoops() const {
    return llvm::to_vector(llvm::seq(numRows, numRows + numColumns));
  }

  /// A map of a nest, of the common loops.
  AffineMap inCommon(linalg::LinalgOp op, AffineMap map) const {
    SmallVector<AffineExpr> dims;
    for (unsigned number : loops.at(op))
      dims.push_back(getAffineDimExpr(number, map.getContext()));
    return map.replaceDimsAndSymbols(dims, {}, numRows + numColumns, 0);
  }
  /// Whether a map of the common loops has a place for each column.
  bool hasColumns(AffineMap map) const {
    return llvm::any_of(columnLoops(), [&](unsigned d) { return map.isFunctionOfDim(d); });
  }
};

} // namespace

/// Whether a nest may be one of several.
static bool isCandidate(Operation *op) {
  auto nest = dyn_cast<linalg::GenericOp>(op);
  if (!nest || nest.getNumDpsInits() != 1 || !nest.hasPureBufferSemantics() ||
      findTiledProduct(nest) || isPadded(nest))
    return false;
  bool isPlain = llvm::all_of(nest.getBody()->without_terminator(), [](Operation &inner) {
    return isa<linalg::IndexOp>(inner) ||
           (!inner.getNumRegions() && isPure(&inner) && isSpeculatable(&inner));
  });
  // An element that is read in front of a kernel has to be there by then.
  bool readsInFront = false;
  SmallVector<Operation *> todo = {op};
  DenseSet<Operation *> seen;
  while (!todo.empty())
    todo.pop_back_val()->walk([&](Operation *inner) {
      readsInFront |= isa<memref::LoadOp>(inner);
      for (Value from : inner->getOperands())
        if (Operation *maker = from.getDefiningOp();
            maker && maker->getBlock() == op->getBlock() && seen.insert(maker).second)
          todo.push_back(maker);
    });
  return isPlain && !readsInFront;
}

/// Whether its results are reductions that threads can share.
static std::optional<Combiner> rowCombiner(linalg::LinalgOp op) {
  std::optional<Combiner> combiner = findCombiner(*op.getBlock());
  if (!combiner || !op.getNumReductionLoops())
    return std::nullopt;
  Type type = combiner->accumulator.getType();
  bool isIt = type.isF32() || type.isF64() || type.isInteger(32) || type.isInteger(64);
  return isIt ? combiner : std::nullopt;
}

/// Numbers of its dimensions, as a nest with known loops goes through it.
static SmallVector<int64_t> numbersOf(AffineMap map, ArrayRef<unsigned> loops) {
  SmallVector<int64_t> numbers;
  for (AffineExpr at : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(at);
    numbers.push_back(dim ? int64_t(loops[dim.getPosition()]) : -1);
  }
  return numbers;
}

/// The common numbers of a nest's loops, by memory that others go through; none: unknown.
static std::optional<SmallVector<unsigned>> numberLoops(const Labels &labels, linalg::LinalgOp op) {
  SmallVector<int64_t> found(op.getNumLoops(), -1);
  for (OpOperand &operand : op->getOpOperands()) {
    auto known = labels.memories.find(operand.get());
    if (known == labels.memories.end() || labels.mixed.contains(operand.get()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [at, number] : llvm::zip_equal(map.getResults(), known->second)) {
      auto dim = dyn_cast<AffineDimExpr>(at);
      if (!dim || number < 0)
        continue;
      int64_t &loop = found[dim.getPosition()];
      if (loop >= 0 && loop != number)
        return std::nullopt;
      loop = number;
    }
  }
  if (llvm::is_contained(found, -1))
    return std::nullopt;
  return SmallVector<unsigned>(found.begin(), found.end());
}

/// Whether a nest with numbered loops goes through all rows, and through all columns or none.
static bool fits(const Labels &labels, linalg::LinalgOp op) {
  ArrayRef<unsigned> loops = labels.loops.at(op);
  unsigned rows = 0, columns = 0, reduced = 0;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [d, number] : llvm::enumerate(loops)) {
    bool isReduced = op.getIteratorTypesArray()[d] == utils::IteratorType::reduction;
    if (llvm::count(loops, number) != 1 || sizes[d] != labels.sizes[number])
      return false;
    if (!labels.isColumn(number) && isReduced)
      return false;
    labels.isColumn(number) ? ++columns : ++rows;
    reduced += isReduced;
  }
  return rows == labels.numRows && (columns == 0 || columns == labels.numColumns) &&
         (reduced == 0 || (reduced == labels.numColumns && rowCombiner(op)));
}

/// Numbers loops from those of `seed` on, as far as memory leads.
static Labels labelFrom(linalg::LinalgOp seed, ArrayRef<linalg::LinalgOp> ops) {
  Labels labels;
  labels.seed = seed;
  SmallVector<unsigned> ofSeed(seed.getNumLoops());
  for (utils::IteratorType kind : {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [d, own] : llvm::enumerate(seed.getIteratorTypesArray()))
      if (own == kind) {
        ofSeed[d] = labels.numRows + labels.numColumns;
        ++(kind == utils::IteratorType::parallel ? labels.numRows : labels.numColumns);
        labels.sizes.push_back(seed.getStaticLoopRanges()[d]);
      }
  auto add = [&](linalg::LinalgOp op, ArrayRef<unsigned> loops) {
    labels.loops[op].assign(loops.begin(), loops.end());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      SmallVector<int64_t> numbers = numbersOf(op.getMatchingIndexingMap(&operand), loops);
      auto [known, isNew] = labels.memories.try_emplace(operand.get(), numbers);
      if (!isNew && known->second != numbers)
        labels.mixed.insert(operand.get());
    }
  };
  add(seed, ofSeed);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (linalg::LinalgOp op : ops)
      if (!labels.loops.contains(op))
        if (std::optional<SmallVector<unsigned>> loops = numberLoops(labels, op)) {
          add(op, *loops);
          isChanged = true;
        }
  }
  return labels;
}

/// How many of `ops` from the first on write and read memory so that rows, and columns, stay apart.
static size_t countApart(const Labels &labels, ArrayRef<linalg::LinalgOp> ops) {
  auto accepts = [&](size_t count) {
    DenseMap<Value, Value> written; // by root
    for (linalg::LinalgOp op : ops.take_front(count)) {
      Value out = op.getDpsInits().front();
      if (Value other = written.insert({rootOf(out), out}).first->second; other != out)
        return false;
    }
    for (linalg::LinalgOp op : ops.take_front(count))
      for (OpOperand &operand : op->getOpOperands()) {
        Value memory = operand.get();
        auto found = written.find(rootOf(memory));
        if (!isa<MemRefType>(memory.getType()) || found == written.end())
          continue;
        if (found->second != memory || labels.mixed.contains(memory))
          return false;
        ArrayRef<int64_t> numbers = labels.memories.at(memory);
        size_t columns = 0, rows = 0;
        for (int64_t number : numbers)
          if (number >= 0)
            ++(labels.isColumn(unsigned(number)) ? columns : rows);
        bool isEach = llvm::all_of(llvm::enumerate(numbers), [&](auto at) {
          return at.value() < 0 ? cast<MemRefType>(memory.getType()).getDimSize(at.index()) == 1
                                : llvm::count(numbers, at.value()) == 1;
        });
        if (!isEach || rows != labels.numRows || (columns && columns != labels.numColumns))
          return false;
      }
    return true;
  };
  size_t count = ops.size();
  while (count && !accepts(count))
    --count;
  return count;
}

/// Whether rows of what `op` reads are neighbours in memory.
static bool liesInRows(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *in) {
    for (auto [d, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction && liesAlong(op, *in, unsigned(d)))
        return true;
    return false;
  });
}

/// The labels of nests that go on together; none: they do not.
static std::optional<Labels> labelsOf(ArrayRef<linalg::LinalgOp> ops) {
  for (linalg::LinalgOp op : ops) {
    if (!rowCombiner(op) || !liesInRows(op))
      continue;
    Labels labels = labelFrom(op, ops);
    if (llvm::all_of(ops, [&](linalg::LinalgOp each) {
          return labels.loops.contains(each) && fits(labels, each);
        }))
      return labels;
  }
  return std::nullopt;
}
static Labels labelsOf(ArrayRef<RowNest> nests) {
  std::optional<Labels> labels =
      labelsOf(llvm::map_to_vector(nests, [](RowNest nest) { return nest.op; }));
  return labels ? std::move(*labels) : Labels();
}

RowRun ptc::cuda::findRows(ArrayRef<Operation *> ops) {
  for (size_t i = 0; i < ops.size(); ++i) {
    SmallVector<linalg::LinalgOp> candidates;
    while (i + candidates.size() < ops.size() && isCandidate(ops[i + candidates.size()]))
      candidates.push_back(cast<linalg::LinalgOp>(ops[i + candidates.size()]));
    for (auto [s, seed] : llvm::enumerate(candidates)) {
      if (!rowCombiner(seed) || !liesInRows(seed))
        continue;
      Labels labels = labelFrom(seed, candidates);
      auto isPart = [&](linalg::LinalgOp op) {
        return labels.loops.contains(op) && fits(labels, op);
      };
      if (!isPart(seed) || labels.columns() < kShortRow)
        continue;
      size_t first = s, end = s + 1;
      while (first > 0 && isPart(candidates[first - 1]))
        --first;
      while (end < candidates.size() && isPart(candidates[end]))
        ++end;
      SmallVector<linalg::LinalgOp> run;
      for (; first <= s; ++first) {
        run.assign(candidates.begin() + ptrdiff_t(first), candidates.begin() + ptrdiff_t(end));
        run.truncate(countApart(labels, run));
        if (first + run.size() > s)
          break;
      }
      std::optional<Labels> own = run.size() < 2 ? std::nullopt : labelsOf(run);
      if (!own || countApart(*own, run) != run.size())
        continue;
      SmallVector<Operation *> all(run.begin(), run.end());
      RowRun found{i + first, {}};
      for (linalg::LinalgOp op : run) {
        OpOperand *out = op.getDpsInitOperand(0);
        bool hasColumns = own->hasColumns(own->inCommon(op, op.getMatchingIndexingMap(out)));
        bool isOwn = out->get().getDefiningOp<memref::AllocOp>() && isOwnOf(out->get(), all);
        found.nests.push_back({op, !isOwn || (hasColumns && !own->isInRegisters())});
      }
      return found;
    }
    i += candidates.size();
  }
  return {};
}

Value ptc::cuda::countRowThreads(ImplicitLocOpBuilder &b, ArrayRef<RowNest> nests) {
  Labels labels = labelsOf(nests);
  Value count = arith::ConstantIndexOp::create(b, labels.lanes());
  for (auto [size, kind] :
       llvm::zip_equal(loopSizes(b, labels.seed), labels.seed.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel)
      count = arith::MulIOp::create(b, count, size);
  return count;
}

namespace {

/// The nests of one kernel.
class RowEmitter {
public:
  RowEmitter(ArrayRef<RowNest> given)
      : nests(given), labels(labelsOf(given)), b(nests.back().op.getLoc(), nests.back().op) {}

  KernelShape emit() {
    nests.front().op->getParentOfType<func::FuncOp>()->setAttr(
        kResidentAttr,
        b.getDenseI32ArrayAttr({int32_t(labels.threads()), int32_t(labels.blocks())}));
    sizes.resize(labels.sizes.size());
    for (auto [d, size] : llvm::enumerate(loopSizes(b, labels.seed)))
      sizes[labels.loops.at(labels.seed)[d]] = size;
    SmallVector<Value> wide = findWide();
    if (wide.empty()) {
      emitAll(1);
    } else {
      auto ways = scf::IfOp::create(b, areAligned(b, wide), /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(ways.thenBlock());
      emitAll(wideGroup);
      b.setInsertionPointToStart(ways.elseBlock());
      emitAll(1);
    }
    for (RowNest nest : llvm::reverse(nests))
      nest.op->erase();
    return {uint32_t(labels.threads()), 0};
  }

private:
  using Place = std::pair<Value, AffineMap>; ///< memory, and where a turn's element is in it
  struct Access {
    bool hasColumns, isWide;
  };
  /// Columns that a thread goes through together.
  struct Chunk {
    size_t number;                           ///< among those in registers
    SmallVector<SmallVector<Value>> indices; ///< of the common loops, by column
    Value isThere;                           ///< null: all of them are
  };

  Value constant(int64_t v) { return arith::ConstantIndexOp::create(b, v); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value times(Value x, Value y) { return arith::MulIOp::create(b, x, y); }

  Place placeOf(linalg::LinalgOp op, OpOperand &operand) {
    return {operand.get(), labels.inCommon(op, op.getMatchingIndexingMap(&operand))};
  }

  /// Memory whose columns come in groups; decides how many are in one.
  SmallVector<Value> findWide() {
    SmallVector<Value> all, wide;
    for (const RowNest &nest : nests)
      all.append(nest.op->operand_begin(), nest.op->operand_end());
    wideGroup = groupFor(all);
    bool isKnown =
        llvm::none_of(ArrayRef(labels.sizes).drop_front(labels.numRows), ShapedType::isDynamic);
    if (!isKnown || labels.columns() % wideGroup)
      return {};
    for (const RowNest &nest : nests) {
      linalg::LinalgOp op = nest.op;
      SmallVector<unsigned> columns(labels.numColumns);
      for (auto [d, number] : llvm::enumerate(labels.loops.at(op)))
        if (labels.isColumn(number))
          columns[number - labels.numRows] = unsigned(d);
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<MemRefType>(operand.get().getType());
        Place place = type ? placeOf(op, operand) : Place();
        if (!type || !labels.hasColumns(place.second) || type.getElementTypeBitWidth() < 16)
          continue;
        if (comesInGroups(op, op.getMatchingIndexingMap(&operand), type, columns, wideGroup)) {
          isWide.insert(place);
          wide.push_back(operand.get());
        }
      }
    }
    return wide;
  }

  /// All rows, with `size` columns at a time.
  void emitAll(int64_t size) {
    OpBuilder::InsertionGuard guard(b);
    group = size;
    Value lanes = constant(labels.lanes()), thread = threadOfBlock(b), rows = constant(1);
    lane = arith::RemUIOp::create(b, thread, lanes);
    Value together = arith::DivUIOp::create(b, threadsOfBlock(b), lanes);
    Value first = add(times(blockNumber(b), together), arith::DivUIOp::create(b, thread, lanes));
    SmallVector<unsigned> loops = llvm::to_vector(llvm::seq(0u, labels.numRows));
    for (unsigned d : loops)
      rows = times(rows, sizes[d]);
    numColumns = constant(1);
    for (unsigned d : labels.columnLoops())
      numColumns = times(numColumns, sizes[d]);
    auto loop = scf::ForOp::create(b, first, rows, times(numBlocks(b), together));
    b.setInsertionPointToStart(loop.getBody());
    row.assign(sizes.size(), constant(0));
    takeApart(b, loop.getInductionVar(), loops, sizes, row);
    ofRow.clear();
    ofColumns.clear();
    kept.clear();
    for (const RowNest &nest : nests)
      emitNest(nest);
    storeKept();
  }

  /// Calls `use` for each chunk of this thread, which gives what is carried to the next.
  SmallVector<Value>
  forChunks(SmallVector<Value> carried,
            llvm::function_ref<SmallVector<Value>(const Chunk &, SmallVector<Value>)> use) {
    Value step = constant(labels.lanes() * group), start = times(lane, constant(group));
    auto chunkAt = [&](Value column, size_t number) {
      Chunk chunk{number, {}, {}};
      for (int64_t i = 0; i < group; ++i) {
        chunk.indices.push_back(row);
        takeApart(b, add(column, constant(i)), labels.columnLoops(), sizes, chunk.indices.back());
      }
      return chunk;
    };
    if (!labels.isInRegisters()) {
      auto loop = scf::ForOp::create(b, start, numColumns, step, carried);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
      carried = use(chunkAt(loop.getInductionVar(), 0), carried);
      if (!carried.empty())
        scf::YieldOp::create(b, carried);
      return SmallVector<Value>(loop.getResults());
    }
    int64_t width = labels.lanes() * group;
    for (int64_t at = 0; at < labels.columns(); at += width) {
      Value column = add(start, constant(at));
      Chunk chunk = chunkAt(column, size_t(at / width));
      if (at + width > labels.columns())
        chunk.isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, column, numColumns);
      carried = use(chunk, carried);
    }
    return carried;
  }

  /// What `make` gives where the chunk is there.
  SmallVector<Value> where(const Chunk &chunk, TypeRange types,
                           llvm::function_ref<SmallVector<Value>()> make) {
    if (!chunk.isThere)
      return make();
    auto branch = scf::IfOp::create(b, types, chunk.isThere, /*withElseRegion=*/!types.empty());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> made = make();
    if (types.empty())
      return {};
    scf::YieldOp::create(b, made);
    b.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> none;
    for (Type type : types)
      none.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
    scf::YieldOp::create(b, none);
    return SmallVector<Value>(branch.getResults());
  }

  /// The element of the row.
  Value &valueOfRow(const Place &place) {
    Value &value = ofRow[place];
    if (!value) {
      value = memref::LoadOp::create(b, place.first, cuda::placeOf(b, place.second, row));
      isRead.insert(place.first);
    }
    return value;
  }

  /// Elements of a chunk.
  SmallVector<Value> valuesOf(const Place &place, const Chunk &chunk) {
    auto load = [&] {
      return loadGroup(b, place.first, place.second, chunk.indices,
                       group > 1 && isWide.contains(place));
    };
    if (!labels.isInRegisters())
      return load();
    SmallVector<SmallVector<Value>> &chunks = ofColumns[place];
    if (chunks.size() <= chunk.number)
      chunks.resize(chunk.number + 1);
    SmallVector<Value> &values = chunks[chunk.number];
    Type element = cast<MemRefType>(place.first.getType()).getElementType();
    if (values.empty())
      values = where(chunk, SmallVector<Type>(size_t(group), element), load);
    return values;
  }

  void store(const Place &place, const Chunk &chunk, ArrayRef<Value> values) {
    (void)where(chunk, {}, [&] {
      storeGroup(b, values, place.first, place.second, chunk.indices,
                 group > 1 && isWide.contains(place));
      return SmallVector<Value>();
    });
  }

  /// What a nest makes of a chunk, with these values of its result; of one turn without columns.
  SmallVector<Value> compute(linalg::LinalgOp op, const Chunk *chunk, ArrayRef<Value> outs) {
    SmallVector<SmallVector<Value>> inputs;
    for (OpOperand *in : op.getDpsInputOperands()) {
      SmallVector<Value> &values = inputs.emplace_back();
      if (op.getMatchingBlockArgument(in).use_empty())
        continue;
      if (!isa<MemRefType>(in->get().getType()))
        values.assign(outs.size(), in->get());
      else if (Place place = placeOf(op, *in); labels.hasColumns(place.second))
        values = valuesOf(place, *chunk);
      else
        values.assign(outs.size(), valueOfRow(place));
    }
    SmallVector<Value> made;
    for (auto [i, out] : llvm::enumerate(outs)) {
      IRMapping mapping;
      for (auto [in, values] : llvm::zip_equal(op.getDpsInputOperands(), inputs))
        if (!values.empty())
          mapping.map(op.getMatchingBlockArgument(in), values[i]);
      if (out)
        mapping.map(op.getMatchingBlockArgument(op.getDpsInitOperand(0)), out);
      SmallVector<Value> turns;
      for (unsigned number : labels.loops.at(op))
        turns.push_back(chunk ? chunk->indices[i][number] : row[number]);
      made.push_back(cloneBody(b, op, turns, mapping).front());
    }
    return made;
  }

  void emitNest(const RowNest &nest) {
    linalg::LinalgOp op = nest.op;
    OpOperand *out = op.getDpsInitOperand(0);
    Place place = placeOf(op, *out);
    for (OpOperand *in : op.getDpsInputOperands()) // in front of loops
      if (isa<MemRefType>(in->get().getType()) && !op.getMatchingBlockArgument(in).use_empty())
        if (Place read = placeOf(op, *in); !labels.hasColumns(read.second))
          (void)valueOfRow(read);
    bool isUsed = !op.getMatchingBlockArgument(out).use_empty();
    if (op.getNumReductionLoops()) {
      Value all = reduce(op, valueOfRow(place));
      ofRow[place] = all;
    } else if (!labels.hasColumns(place.second)) {
      Value made = compute(op, nullptr, isUsed ? valueOfRow(place) : Value()).front();
      ofRow[place] = made;
    } else {
      forChunks({}, [&](const Chunk &chunk, SmallVector<Value> carried) {
        auto outs = SmallVector<Value>(size_t(group));
        if (isUsed)
          outs = valuesOf(place, chunk);
        SmallVector<Value> made = compute(op, &chunk, outs);
        if (!labels.isInRegisters()) {
          store(place, chunk, made);
          return carried;
        }
        SmallVector<SmallVector<Value>> &chunks = ofColumns[place];
        if (chunks.size() <= chunk.number)
          chunks.resize(chunk.number + 1);
        chunks[chunk.number] = made;
        return carried;
      });
    }
    if (nest.isKept)
      kept.insert(place);
  }

  Value reduce(linalg::LinalgOp op, Value start) {
    std::optional<Combiner> found = rowCombiner(op);
    if (!found)
      return start; // a nest of a run has one
    Combiner combiner = std::move(*found);
    TypedAttr neutral = combiner.neutral();
    Value first = neutral ? Value(arith::ConstantOp::create(b, neutral)) : start;
    SmallVector<Value> sums =
        forChunks(SmallVector<Value>(size_t(group), first),
                  [&](const Chunk &chunk, SmallVector<Value> carried) {
                    SmallVector<Value> made = compute(op, &chunk, carried);
                    if (chunk.isThere)
                      for (auto [one, before] : llvm::zip_equal(made, carried))
                        one = arith::SelectOp::create(b, chunk.isThere, one, before);
                    return made;
                  });
    Value own = sums.front();
    for (Value sum : ArrayRef(sums).drop_front())
      own = combine(b, combiner, own, sum);
    Sharing sharing{0, uint32_t(labels.lanes()), combiner};
    return combine(b, combiner, start, combineShared(b, sharing, own, lane));
  }

  /// What others use and is not in memory yet.
  void storeKept() {
    // All have read what is written now.
    if (llvm::any_of(kept, [&](const Place &place) {
          return !labels.hasColumns(place.second) && isRead.contains(place.first);
        })) {
      if (labels.lanes() > kWarp)
        NVVM::BarrierOp::create(b);
      else
        NVVM::SyncWarpOp::create(b, Value(arith::ConstantIntOp::create(b, -1, 32)));
    }
    for (const Place &place : kept) {
      if (labels.hasColumns(place.second)) {
        if (labels.isInRegisters())
          forChunks({}, [&](const Chunk &chunk, SmallVector<Value> carried) {
            store(place, chunk, ofColumns[place][chunk.number]);
            return carried;
          });
        continue;
      }
      Value isOne = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, constant(0));
      auto write = scf::IfOp::create(b, isOne, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(write.thenBlock());
      memref::StoreOp::create(b, ofRow[place], place.first, cuda::placeOf(b, place.second, row));
    }
  }

  SmallVector<RowNest> nests;
  Labels labels;
  ImplicitLocOpBuilder b;
  int64_t wideGroup = 1, group = 1; ///< columns that are neighbours
  DenseSet<Place> isWide;
  SmallVector<Value> sizes, row; ///< of the common loops; indices of the row
  Value lane, numColumns;
  DenseMap<Place, Value> ofRow;
  DenseMap<Place, SmallVector<SmallVector<Value>>> ofColumns; ///< by chunk
  DenseSet<Value> isRead;
  llvm::SetVector<Place> kept;
};

} // namespace

KernelShape ptc::cuda::emitRows(ArrayRef<RowNest> nests) { return RowEmitter(nests).emit(); }
