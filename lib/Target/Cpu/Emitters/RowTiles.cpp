//===- RowTiles.cpp - Operations that go on together, some rows at a time
//----------------------===//
//
// In: the operations of a kernel in order, on memrefs. Out: loops over tiles of rows, with the same
// operations on a tile in them.
//
//===----------------------------------------------------------------------===//
#include "RowTiles.h"

#include "Epilogue.h"
#include "Nest.h"

#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

/// What a tile's memory may take: of passes along rows, and of a product with its scores.
static constexpr int64_t kNearBytes = 24 << 10, kFarBytes = 512 << 10;
/// A product wants so many rows at least, as it copies its columns for each tile; no more gain.
static constexpr int64_t kFewestRows = 16, kMostRows = 128;
/// Tiles for many threads.
static constexpr int64_t kManyTiles = 16;

//===----------------------------------------------------------------------===//
// Finding a group
//===----------------------------------------------------------------------===//

/// The one dimension that `loop` walks, by itself.
static std::optional<unsigned> dimensionOf(AffineMap map, unsigned loop) {
  std::optional<unsigned> found;
  for (auto [dim, place] : llvm::enumerate(map.getResults())) {
    if (!place.isFunctionOfDim(loop))
      continue;
    if (found || !isa<AffineDimExpr>(place))
      return std::nullopt;
    found = unsigned(dim);
  }
  return found;
}
namespace {

/// Looks for steps with `numLoops` loops in common, the first ones of the last operation.
class GroupFinder {
public:
  GroupFinder(ArrayRef<linalg::GenericOp> ops, unsigned numLoops) : ops(ops), numLoops(numLoops) {
    for (linalg::GenericOp op : ops)
      for (Value out : op.getDpsInits())
        group.written.try_emplace(out);
  }

  std::optional<RowGroup> find() {
    linalg::GenericOp last = ops.back();
    if (last.getNumLoops() < numLoops || !readsWholes())
      return std::nullopt;
    SmallVector<unsigned> first = llvm::to_vector(llvm::seq(numLoops));
    if (!give(last, first))
      return std::nullopt;
    // What reads or writes memory that has dimensions gets loops; its other memory gets dimensions.
    while (!pending.empty()) {
      linalg::GenericOp op = pending.pop_back_val();
      for (OpOperand &operand : op->getOpOperands())
        if (!spread(op, operand))
          return std::nullopt;
    }
    for (linalg::GenericOp op : ops) {
      if (!loops.contains(op))
        return std::nullopt;
      group.steps.push_back({op, loops[op], std::nullopt});
    }
    for (unsigned j : llvm::seq(numLoops))
      group.sizes.push_back(last.getStaticLoopRanges()[j]);
    return std::move(group);
  }

private:
  /// Memory that is written is an operand as it is: no view of another shape, not read by a body.
  bool readsWholes() const {
    llvm::SmallPtrSet<Value, 8> roots;
    for (const auto &[memory, dims] : group.written)
      roots.insert(rootOf(memory));
    auto isOther = [&](Value v) {
      return isa<MemRefType>(v.getType()) && roots.contains(rootOf(v));
    };
    for (linalg::GenericOp op : ops) {
      for (Value operand : op->getOperands())
        if (isOther(operand) && !group.written.contains(operand))
          return false;
      WalkResult inside = op.getRegion().walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), isOther) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
      });
      if (inside.wasInterrupted())
        return false;
    }
    return true;
  }

  /// The memory that a view of any kind is of.
  static Value rootOf(Value memref) {
    while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
      memref = view.getViewSource();
    return memref;
  }

  bool give(linalg::GenericOp op, ArrayRef<unsigned> walked) {
    auto [found, isNew] = loops.try_emplace(op, walked);
    if (!isNew)
      return ArrayRef(found->second) == walked;
    for (unsigned loop : walked)
      if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel)
        return false;
    pending.push_back(op);
    return true;
  }

  /// From the loops of `op` to the dimensions of one operand, from there to its other users.
  bool spread(linalg::GenericOp op, OpOperand &operand) {
    auto memory = group.written.find(operand.get());
    if (memory == group.written.end())
      return namesLoopsAlone(op, operand);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<unsigned> dims;
    for (unsigned loop : loops[op]) {
      std::optional<unsigned> dim = dimensionOf(map, loop);
      if (!dim)
        return false;
      dims.push_back(*dim);
    }
    if (!memory->second.empty())
      return memory->second == dims;
    memory->second = dims;
    for (linalg::GenericOp other : ops)
      for (OpOperand &use : other->getOpOperands())
        if (use.get() == operand.get() && !giveBy(other, use, dims))
          return false;
    return true;
  }

  bool giveBy(linalg::GenericOp op, OpOperand &use, ArrayRef<unsigned> dims) {
    SmallVector<unsigned> walked;
    for (unsigned dim : dims) {
      auto loop = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(&use).getResult(dim));
      if (!loop)
        return false;
      walked.push_back(loop.getPosition());
    }
    return give(op, walked);
  }

  /// Whether a tile of what is only read is a view of it.
  bool namesLoopsAlone(linalg::GenericOp op, OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return llvm::all_of(loops[op], [&](unsigned loop) {
      return !map.isFunctionOfDim(loop) || dimensionOf(map, loop);
    });
  }

  ArrayRef<linalg::GenericOp> ops;
  unsigned numLoops;
  RowGroup group;
  llvm::DenseMap<Operation *, SmallVector<unsigned>> loops;
  SmallVector<linalg::GenericOp> pending;
};

} // namespace

namespace {

/// Where elements behind the diagonal do not matter, finds the loops of all steps that walk them.
class ColumnFinder {
public:
  explicit ColumnFinder(RowGroup &group) : group(group) {}

  /// Leaves the group as it is if some step needs them.
  void run() {
    for (auto [i, step] : llvm::enumerate(group.steps))
      if (step.op->hasAttr(plan::kLowerTriangleAttr) &&
          step.loops.back() + 2 == step.op.getNumLoops())
        if (!give(i, step.loops.back() + 1))
          return;
    while (!pending.empty()) {
      size_t i = pending.pop_back_val();
      for (OpOperand &operand : group.steps[i].op->getOpOperands())
        if (!spread(i, operand))
          return;
    }
    for (auto [i, loop] : loops)
      group.steps[i].column = loop;
    group.columns = std::move(dims);
  }

private:
  bool give(size_t i, unsigned loop) {
    auto [found, isNew] = loops.try_emplace(i, loop);
    if (!isNew)
      return found->second == loop;
    pending.push_back(i);
    return !llvm::is_contained(group.steps[i].loops, loop);
  }

  bool spread(size_t i, OpOperand &operand) {
    AffineMap map = group.steps[i].op.getMatchingIndexingMap(&operand);
    if (!map.isFunctionOfDim(loops[i]))
      return true;
    std::optional<unsigned> dim = dimensionOf(map, loops[i]);
    if (!dim || !group.written.contains(operand.get()))
      return dim.has_value();
    auto [found, isNew] = dims.try_emplace(operand.get(), *dim);
    if (!isNew)
      return found->second == *dim;
    if (!operand.get().getDefiningOp<memref::AllocOp>())
      return false;
    for (auto [other, step] : llvm::enumerate(group.steps))
      for (OpOperand &use : step.op->getOpOperands())
        if (use.get() == operand.get()) {
          auto loop = dyn_cast<AffineDimExpr>(step.op.getMatchingIndexingMap(&use).getResult(*dim));
          if (!loop || !give(other, loop.getPosition()))
            return false;
        }
    return true;
  }

  RowGroup &group;
  llvm::DenseMap<size_t, unsigned> loops;
  llvm::DenseMap<Value, unsigned> dims;
  SmallVector<size_t> pending;
};

} // namespace

static int64_t typical(int64_t size) { return ShapedType::isDynamic(size) ? kTypicalSize : size; }

/// Bytes of all memory that one turn of the rows reads and writes for itself.
static int64_t bytesPerRow(const RowGroup &group) {
  llvm::SmallPtrSet<Value, 8> seen;
  int64_t bytes = 0;
  for (RowStep step : group.steps) {
    SmallVector<int64_t> sizes = step.op.getStaticLoopRanges();
    for (OpOperand &operand : step.op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      AffineMap map = step.op.getMatchingIndexingMap(&operand);
      if (!type || !map.isFunctionOfDim(step.loops.back()) || !seen.insert(operand.get()).second)
        continue;
      int64_t elements = 1;
      for (auto [loop, size] : llvm::enumerate(sizes))
        if (map.isFunctionOfDim(unsigned(loop)) && !llvm::is_contained(step.loops, loop))
          elements *= typical(size);
      bytes += elements * int64_t((type.getElementTypeBitWidth() + 7) / 8);
    }
  }
  return std::max<int64_t>(bytes, 1);
}

/// Whether what lies together in memory stays together: no tile cuts through consecutive elements
/// of what has other dimensions besides.
static bool keepsRowsWhole(const RowGroup &group) {
  return llvm::all_of(group.steps, [](RowStep step) {
    return llvm::all_of(step.op.getIndexingMapsArray(), [&](AffineMap map) {
      auto walked = [&](AffineExpr place) {
        return llvm::any_of(step.loops, [&](unsigned loop) { return place.isFunctionOfDim(loop); });
      };
      return map.getNumResults() == 0 || !walked(map.getResults().back()) ||
             llvm::all_of(map.getResults(), walked);
    });
  });
}

static bool hasProduct(const RowGroup &group) {
  return llvm::any_of(group.steps, [](RowStep step) {
    return step.op.getNumReductionLoops() && step.op.getNumDpsInputs() > 1;
  });
}

/// Turns of each loop so that `rows` of them, or fewer, go together: inner loops first.
static SmallVector<int64_t> tileOf(ArrayRef<int64_t> sizes, int64_t rows) {
  SmallVector<int64_t> tile(sizes.size(), 1);
  for (size_t j = sizes.size(); j-- > 0;) {
    bool isInnermost = j + 1 == sizes.size();
    if (ShapedType::isDynamic(sizes[j])) {
      if (isInnermost)
        tile[j] = rows;
      break;
    }
    if (sizes[j] > rows) {
      // One loop alone has tiles of two sizes.
      int64_t fewest = (sizes[j] + rows - 1) / rows, number = fewest;
      while (sizes[j] % number && (!isInnermost || number < 2 * fewest))
        ++number;
      if (sizes[j] % number)
        number = fewest;
      tile[j] = (sizes[j] + number - 1) / number;
      break;
    }
    tile[j] = std::max<int64_t>(sizes[j], 1);
    rows /= tile[j];
  }
  return tile;
}

std::optional<RowGroup> ptc::cpu::findRowGroup(ArrayRef<linalg::GenericOp> ops, bool forTeam) {
  if (ops.size() < 2)
    return std::nullopt;
  linalg::GenericOp last = ops.back();
  for (unsigned numLoops = unsigned(last.getNumLoops()); numLoops > 0; --numLoops) {
    std::optional<RowGroup> group = GroupFinder(ops, numLoops).find();
    if (!group || !keepsRowsWhole(*group))
      continue;
    int64_t all = 1, bytes = bytesPerRow(*group);
    bool isProduct = hasProduct(*group);
    for (int64_t size : group->sizes)
      all *= typical(size);
    int64_t most = isProduct ? kFarBytes : kNearBytes;
    bool isKnown = llvm::none_of(group->sizes, ShapedType::isDynamic);
    if (isKnown && !forTeam && all * bytes <= most)
      return std::nullopt;
    int64_t rows = std::max<int64_t>(most / bytes, 1);
    if (forTeam)
      rows = std::clamp<int64_t>((all + kManyTiles - 1) / kManyTiles, 1, rows);
    if (isProduct)
      rows = std::clamp(rows, kFewestRows, kMostRows);
    group->tile = tileOf(group->sizes, rows);
    ColumnFinder(*group).run();
    return group;
  }
  return std::nullopt;
}

SmallVector<memref::AllocOp> ptc::cpu::temporariesOf(const RowGroup &group) {
  SmallVector<memref::AllocOp> allocs;
  for (const auto &[memory, dims] : group.written)
    if (auto alloc = memory.getDefiningOp<memref::AllocOp>())
      allocs.push_back(alloc);
  return allocs;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Whether the sum walks the last dimension, columns the one before, and rows none.
static bool liesAcross(RowStep step, OpOperand &operand) {
  AffineMap map = step.op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !type.hasStaticShape() || map.isFunctionOfDim(step.loops.back()))
    return false;
  auto isOf = [&](AffineExpr place, utils::IteratorType kind) {
    auto loop = dyn_cast<AffineDimExpr>(place);
    return loop && step.op.getIteratorTypesArray()[loop.getPosition()] == kind &&
           !llvm::is_contained(step.loops, loop.getPosition());
  };
  ArrayRef<AffineExpr> places = map.getResults();
  return places.size() > 1 && isOf(places.back(), utils::IteratorType::reduction) &&
         isOf(places[places.size() - 2], utils::IteratorType::parallel);
}

/// `op` reads a copy of the operand with its last two dimensions swapped; gives what makes it.
static linalg::GenericOp turn(linalg::GenericOp op, OpOperand &operand) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> shape(type.getShape());
  auto rank = unsigned(shape.size());
  std::swap(shape[rank - 1], shape[rank - 2]);
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq(rank));
  std::swap(order[rank - 1], order[rank - 2]);
  AffineMap swap = AffineMap::getPermutationMap(order, b.getContext());
  Value turned = memref::AllocOp::create(b, loc, MemRefType::get(shape, type.getElementType()));
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(b, loc, ValueRange{operand.get()}, ValueRange{turned},
                                        ArrayRef{swap, b.getMultiDimIdentityMap(rank)}, kinds,
                                        [](OpBuilder &inner, Location at, ValueRange v) {
                                          linalg::YieldOp::create(inner, at, v[0]);
                                        });
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] = swap.compose(maps[operand.getOperandNumber()]);
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  operand.set(turned);
  return copy;
}

SmallVector<linalg::GenericOp> ptc::cpu::turnColumns(RowGroup &group) {
  SmallVector<linalg::GenericOp> copies;
  // One tile reads them but once.
  if (ShapedType::isDynamic(group.sizes.back()) || group.sizes.back() == group.tile.back())
    return copies;
  for (RowStep step : group.steps)
    for (OpOperand &operand : step.op->getOpOperands())
      if (step.op.isDpsInput(&operand) && !group.written.contains(operand.get()) &&
          liesAcross(step, operand))
        copies.push_back(turn(step.op, operand));
  return copies;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

class TileEmitter {
public:
  using Ops = SmallVector<linalg::GenericOp>;

  TileEmitter(LoopBuilder &l, RowGroup &group) : l(l), group(group) {
    RowStep last = group.steps.back();
    SmallVector<Range> ranges =
        cast<linalg::LinalgOp>(*last.op).createLoopRanges(l.b, l.b.getLoc());
    for (unsigned loop : last.loops)
      sizes.push_back(l.index(ranges[loop].size));
    for (memref::AllocOp alloc : temporariesOf(group))
      makeSmall(alloc);
  }

  SmallVector<Ops> run() {
    SmallVector<Ops> made;
    // The loop that tiles do not divide, if there is one, has a last turn of its own.
    std::optional<size_t> uneven;
    SmallVector<Value> counts, rest;
    for (auto [j, size] : llvm::enumerate(sizes)) {
      std::optional<int64_t> known = LoopBuilder::constantOf(size);
      if (known && *known % group.tile[j])
        uneven = j;
      Value tile = l.index(group.tile[j]);
      counts.push_back(known ? l.div(size, tile) : l.ceilDiv(size, group.tile[j]));
    }
    made.push_back(loopOver(counts, std::nullopt));
    if (uneven) {
      Value whole = counts[*uneven];
      counts[*uneven] = l.index(1);
      made.push_back(loopOver(counts, std::pair(*uneven, whole)));
    }
    return made;
  }

private:
  /// The memory of one tile in the place of that of all.
  void makeSmall(memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, size] : llvm::zip_equal(group.written[alloc], group.tile))
      shape[dim] = size;
    SmallVector<Value> dynamic;
    unsigned next = 0;
    for (auto [was, is] : llvm::zip_equal(type.getShape(), shape)) {
      if (!ShapedType::isDynamic(was))
        continue;
      if (ShapedType::isDynamic(is))
        dynamic.push_back(alloc.getDynamicSizes()[next]);
      ++next;
    }
    auto small =
        memref::AllocOp::create(l.b, MemRefType::get(shape, type.getElementType()), dynamic);
    small->setAttr(kPrivateAttr, l.b.getUnitAttr());
    temporaries[alloc] = small;
  }

  /// All tiles; or, of loop `last->first`, the tile number `last->second` alone.
  Ops loopOver(ArrayRef<Value> counts, std::optional<std::pair<size_t, Value>> last) {
    Ops ops;
    l.share(true, l.index(0), l.product(counts), l.index(1), [&](Value number) {
      starts.assign(sizes.size(), Value());
      lengths.assign(sizes.size(), OpFoldResult());
      for (size_t j = sizes.size(); j-- > 0;) {
        Value turn = j == 0 ? number : l.rem(number, counts[j]);
        if (j)
          number = l.div(number, counts[j]);
        bool isLast = last && last->first == j;
        Value tile = l.index(group.tile[j]);
        starts[j] = l.mul(isLast ? last->second : turn, tile);
        std::optional<int64_t> known = LoopBuilder::constantOf(sizes[j]);
        if (isLast)
          lengths[j] = l.b.getIndexAttr(*known % group.tile[j]);
        else if (known || group.tile[j] == 1)
          lengths[j] = l.b.getIndexAttr(group.tile[j]);
        else
          lengths[j] = l.min(tile, l.sub(sizes[j], starts[j]));
      }
      behind = l.add(starts.back(), l.index(lengths.back()));
      tiles.clear();
      for (const RowStep &step : group.steps)
        ops.push_back(onTile(step));
    });
    return ops;
  }

  linalg::GenericOp onTile(RowStep step) {
    SmallVector<Value> views;
    for (OpOperand &operand : step.op->getOpOperands())
      views.push_back(isa<MemRefType>(operand.get().getType()) ? viewOf(step, operand)
                                                               : operand.get());
    auto made = cast<linalg::GenericOp>(l.b.clone(*step.op));
    made->setOperands(views);
    SmallVector<OpFoldResult> offsets(made.getNumLoops());
    for (auto [loop, start] : llvm::zip_equal(step.loops, starts))
      offsets[loop] = start;
    OpBuilder::InsertionGuard guard(l.b);
    linalg::offsetIndices(l.b, cast<linalg::LinalgOp>(*made), offsets);
    return made;
  }

  /// The part of an operand that a tile reads or writes.
  Value viewOf(RowStep step, OpOperand &operand) {
    Value memory = operand.get();
    auto written = group.written.find(memory);
    if (written != group.written.end()) {
      Value &tile = tiles[memory];
      auto column = group.columns.find(memory);
      if (!tile)
        tile = viewOf(memory, written->second,
                      column == group.columns.end() ? std::nullopt : std::optional(column->second));
      return tile;
    }
    AffineMap map = step.op.getMatchingIndexingMap(&operand);
    SmallVector<unsigned> dims;
    for (unsigned loop : step.loops) {
      auto *found = llvm::find(map.getResults(), l.b.getAffineDimExpr(loop));
      dims.push_back(unsigned(found - map.getResults().begin()));
    }
    return viewOf(memory, dims, step.column ? dimensionOf(map, *step.column) : std::nullopt);
  }

  /// `dims`: what each loop of the rows walks; one behind the last: nothing. `column`: a dimension
  /// of which nothing is needed behind the tile's last row.
  Value viewOf(Value memory, ArrayRef<unsigned> dims, std::optional<unsigned> column) {
    Value small = temporaries.lookup(memory);
    Value source = small ? small : memory;
    auto type = cast<MemRefType>(source.getType());
    SmallVector<OpFoldResult> offsets(size_t(type.getRank()), l.b.getIndexAttr(0));
    SmallVector<OpFoldResult> steps(size_t(type.getRank()), l.b.getIndexAttr(1));
    SmallVector<OpFoldResult> extents = memref::getMixedSizes(l.b, l.b.getLoc(), source);
    bool isWhole = true;
    for (auto [j, dim] : llvm::enumerate(dims)) {
      if (dim >= type.getRank())
        continue;
      isWhole &= extents[dim] == lengths[j] && bool(small);
      if (!small)
        offsets[dim] = getAsOpFoldResult(starts[j]);
      extents[dim] = lengths[j];
    }
    if (column) {
      extents[*column] = getAsOpFoldResult(l.min(l.index(extents[*column]), behind));
      isWhole = false;
    }
    if (isWhole)
      return source;
    return memref::SubViewOp::create(l.b, source, offsets, extents, steps);
  }

  LoopBuilder &l;
  RowGroup &group;
  SmallVector<Value> sizes;
  llvm::DenseMap<Value, Value> temporaries; ///< memory of all rows: that of a tile
  SmallVector<Value> starts;                ///< of the tile at hand, per loop
  SmallVector<OpFoldResult> lengths;
  Value behind;                       ///< the row behind its last one
  llvm::DenseMap<Value, Value> tiles; ///< its views of what is written
};

} // namespace

SmallVector<SmallVector<linalg::GenericOp>> ptc::cpu::emitRowTiles(LoopBuilder &l,
                                                                   RowGroup &group) {
  SmallVector<memref::AllocOp> old = temporariesOf(group);
  SmallVector<SmallVector<linalg::GenericOp>> made = TileEmitter(l, group).run();
  for (RowStep &step : llvm::reverse(group.steps))
    step.op.erase();
  for (memref::AllocOp alloc : old)
    alloc.erase();
  return made;
}
