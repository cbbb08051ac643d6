//===- Maps.cpp - Inputs of products as tensor maps show them --------------------------------===//
//
// In: a sum of products of f16 or bf16. Out: whether both inputs are memory in which its own loops,
// those of the sum and those of the batch are one dimension each; the tiles that are made of it;
// what the stub makes tensor maps of.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "ptc/Runtime/Frame.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Turns of the sum in a part of the ring.
static constexpr int64_t kDepth = kPanel;
/// Processors of the GPU that tiles are chosen for, an H200.
static constexpr int64_t kProcessors = 132;

//===----------------------------------------------------------------------===//
// Distances in memory
//===----------------------------------------------------------------------===//

/// Elements between neighbours along each dimension.
static std::optional<SmallVector<Extent>> distancesIn(MemRefType type) {
  SmallVector<Extent> distances(size_t(type.getRank()));
  if (type.getLayout().isIdentity()) {
    Extent next;
    for (int64_t i = type.getRank(); i-- > 0;) {
      distances[size_t(i)] = next;
      next = next.times(type.isDynamicDim(unsigned(i)) ? Extent{1, {unsigned(i)}}
                                                       : Extent{type.getDimSize(unsigned(i)), {}});
    }
    return distances;
  }
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  for (auto [distance, stride] : llvm::zip_equal(distances, strides))
    distance = Extent{stride, {}};
  return distances;
}

Extent Extent::times(const Extent &other) const {
  Extent all{factor * other.factor, dimensions};
  all.dimensions.append(other.dimensions);
  llvm::sort(all.dimensions);
  return all;
}

namespace {
/// How the loops of a nest go through the memory of an input.
class Strides {
public:
  Strides(linalg::LinalgOp op, OpOperand &in)
      : map(op.getMatchingIndexingMap(&in)), ranges(op.getStaticLoopRanges()) {
    auto type = dyn_cast<MemRefType>(in.get().getType());
    if (std::optional<SmallVector<Extent>> found = type ? distancesIn(type) : std::nullopt) {
      distances = *found;
      areKnown = true;
    }
  }

  bool isKnown() const { return areKnown; }
  /// Whether a loop with more than one turn is a function of none of these.
  bool leavesAlone(ArrayRef<unsigned> loops) const {
    return llvm::none_of(loops,
                         [&](unsigned d) { return ranges[d] != 1 && map.isFunctionOfDim(d); });
  }
  /// Elements between turns of these loops, of which the last is the innermost; none: they are
  /// not as far from each other everywhere.
  std::optional<Extent> ofAll(ArrayRef<unsigned> loops) const {
    std::optional<Extent> innermost, expected;
    for (unsigned d : llvm::reverse(loops)) {
      if (ranges[d] == 1)
        continue;
      std::optional<std::pair<unsigned, int64_t>> at = dimensionOf(d);
      if (!at)
        return std::nullopt;
      Extent distance = distances[at->first];
      distance.factor *= at->second;
      if (expected && *expected != distance)
        return std::nullopt;
      if (!innermost)
        innermost = distance;
      bool isOpen = ShapedType::isDynamic(ranges[d]);
      if (isOpen && !isa<AffineDimExpr>(map.getResult(at->first)))
        return std::nullopt;
      expected = distance.times(isOpen ? Extent{1, {at->first}} : Extent{ranges[d], {}});
    }
    return innermost;
  }

private:
  /// The dimension that a loop goes through, and the elements of it between turns.
  std::optional<std::pair<unsigned, int64_t>> dimensionOf(unsigned d) const {
    std::optional<std::pair<unsigned, int64_t>> found;
    for (auto [i, result] : llvm::enumerate(map.getResults())) {
      if (!result.isFunctionOfDim(d))
        continue;
      if (found)
        return std::nullopt;
      // Turn 1 less turn 0, where all other loops stand still.
      auto at = [&](int64_t turn) -> std::optional<int64_t> {
        SmallVector<AffineExpr> turns(map.getNumDims(), getAffineConstantExpr(0, map.getContext()));
        turns[d] = getAffineConstantExpr(turn, map.getContext());
        auto made = dyn_cast<AffineConstantExpr>(result.replaceDims(turns));
        return made ? std::optional(made.getValue()) : std::nullopt;
      };
      std::optional<int64_t> first = at(0), second = at(1);
      bool isPlain = true;
      result.walk([&](AffineExpr e) {
        isPlain &= e.getKind() != AffineExprKind::Mod && e.getKind() != AffineExprKind::FloorDiv &&
                   e.getKind() != AffineExprKind::CeilDiv;
      });
      if (!first || !second || *second <= *first || !isPlain)
        return std::nullopt;
      found = std::pair(unsigned(i), *second - *first);
    }
    return found;
  }

  AffineMap map;
  SmallVector<int64_t> ranges;
  SmallVector<Extent> distances; ///< of the memory's dimensions
  bool areKnown = false;
};
} // namespace

/// Bounds of what the hardware knows of windows.
static constexpr int64_t kMostStep = 8, kMostWindow = 127;

/// The loop whose turns are `step` apart there, and the one behind `dilation`: y * step + k *
/// dilation. A loop without a turn shows as it likes.
struct WindowPlace {
  unsigned place, window;
  int64_t step, dilation;
};
static std::optional<WindowPlace> placeOfWindow(linalg::LinalgOp op, AffineExpr expr,
                                                ArrayRef<unsigned> own, ArrayRef<unsigned> sum) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(expr, op.getNumLoops(), 0, &flat)) ||
      flat.size() != op.getNumLoops() + 1 || flat.back() != 0)
    return std::nullopt;
  SmallVector<std::pair<unsigned, int64_t>> found[2];
  for (unsigned d = 0; d < op.getNumLoops(); ++d) {
    if (flat[d] == 0)
      continue;
    size_t which = llvm::is_contained(own, d) ? 0 : 1;
    if (flat[d] < 0 || (which && !llvm::is_contained(sum, d)))
      return std::nullopt;
    found[which].emplace_back(d, flat[d]);
  }
  if (found[0].size() != 1 || found[1].size() != 1)
    return std::nullopt;
  auto [place, step] = found[0].front();
  auto [window, dilation] = found[1].front();
  return WindowPlace{place, window, step, dilation};
}

/// Channels last: images, rows, columns, channels, and dimensions of one element between them.
static std::optional<MappedImages> findImages(linalg::LinalgOp op, OpOperand &in,
                                              ArrayRef<unsigned> own, const TiledProduct &product) {
  auto type = cast<MemRefType>(in.get().getType());
  SmallVector<int64_t> strides, ranges = op.getStaticLoopRanges();
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic) || llvm::any_of(ranges, ShapedType::isDynamic))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&in);
  SmallVector<unsigned> dimensions;
  for (unsigned r = 0; r < map.getNumResults(); ++r)
    if (type.getDimSize(r) != 1)
      dimensions.push_back(r);
  // One image has no dimension of its own here.
  bool isOne = dimensions.size() == 3;
  if (!isOne && dimensions.size() != 4)
    return std::nullopt;
  unsigned rows = dimensions[isOne ? 0 : 1], columns = dimensions[isOne ? 1 : 2],
           channels = dimensions.back();
  std::optional<WindowPlace> ofRows = placeOfWindow(op, map.getResult(rows), own, product.sum),
                             ofColumns =
                                 placeOfWindow(op, map.getResult(columns), own, product.sum);
  auto channel = dyn_cast<AffineDimExpr>(map.getResult(channels));
  if (!ofRows || !ofColumns || !channel || strides[channels] != 1)
    return std::nullopt;
  SmallVector<unsigned> longOwn, expected;
  for (unsigned d : own)
    if (ranges[d] != 1 || d == ofRows->place || d == ofColumns->place)
      longOwn.push_back(d);
  MappedImages images;
  if (!isOne) {
    auto image = dyn_cast<AffineDimExpr>(map.getResult(dimensions.front()));
    if (!image)
      return std::nullopt;
    images.image = image.getPosition();
    expected.push_back(image.getPosition());
  }
  expected.append({ofRows->place, ofColumns->place});
  SmallVector<unsigned> ofSum = {ofRows->window, ofColumns->window, channel.getPosition()};
  if (longOwn != expected || ArrayRef(product.sum) != ArrayRef(ofSum))
    return std::nullopt;
  images.channels = ranges[channel.getPosition()];
  images.places = {ofColumns->place, ofRows->place};
  for (auto [i, at, r] : {std::tuple(0, *ofColumns, columns), std::tuple(1, *ofRows, rows)}) {
    auto k = size_t(i);
    images.windows[k] = ranges[at.window];
    images.steps[k] = at.step;
    images.dilations[k] = at.dilation;
    int64_t window = (ranges[at.window] - 1) * at.dilation;
    images.sizes[k] = (ranges[at.place] - 1) * at.step + window + 1;
    images.pitches[k] = strides[r];
    if (at.step > kMostStep || window > kMostWindow)
      return std::nullopt;
  }
  images.pitches[2] = isOne ? images.pitches[1] * images.sizes[1] : strides[dimensions.front()];
  return images.channels % kPanel == 0 ? std::optional(images) : std::nullopt;
}

/// None: it takes more dimensions, or its neighbours lie along none of them.
static std::optional<MappedInput> findInput(linalg::LinalgOp op, OpOperand &in,
                                            ArrayRef<unsigned> own, const TiledProduct &product) {
  Strides strides(op, in);
  if (!strides.isKnown())
    return std::nullopt;
  std::optional<Extent> ofOwn = strides.ofAll(own), ofSum = strides.ofAll(product.sum);
  MappedInput input;
  if (!ofOwn || !ofSum) {
    input.alongSum = true;
    input.images = findImages(op, in, own, product);
    return input.images && strides.leavesAlone(product.batch) ? std::optional(input) : std::nullopt;
  }
  const Extent one;
  input.alongSum = *ofSum == one;
  if (!input.alongSum && *ofOwn != one)
    return std::nullopt;
  input.pitch = input.alongSum ? *ofOwn : *ofSum;
  if (strides.leavesAlone(product.batch))
    return input;
  input.batchPitch = strides.ofAll(product.batch);
  return input.batchPitch ? std::optional(input) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

int64_t MappedProduct::partBytes() const { return (tiles.size + tiles.width) * kDepth * kHalf; }
int64_t MappedProduct::stagedColumns() const { return tiles.width % 64 ? 32 : 64; }
int64_t MappedProduct::stagedBytes() const { // of 16 rows of each warp, as f32
  return groups * kGroupRows * stagedColumns() * 4;
}

/// Seconds, about, on the processor that has most tiles: 64 turns of the sum take what multiplying
/// or what bringing them takes, and results are computed when all have been added.
static double secondsOf(int64_t rows, int64_t columns, int64_t turns, int64_t tiles, bool byTurns) {
  static constexpr double kFlops = 6.2e12, kBytes = 120e9;
  double kStart = byTurns ? 3.1e-6 : 2.2e-6, kEnd = byTurns ? 0 : 0.6e-6 / 16384;
  auto size = double(rows * columns), edge = double(rows + columns);
  double step = std::max(size * 2 * kDepth / kFlops, edge * kDepth * kHalf / kBytes);
  return kStart + double(llvm::divideCeil(tiles, kProcessors)) *
                      (double(llvm::divideCeil(turns, kDepth)) * step + kEnd * size);
}

std::optional<MappedProduct> ptc::cuda::findMappedProduct(linalg::LinalgOp op) {
  std::optional<TiledProduct> product = findTiledProduct(op);
  if (!product || !product->byMatrix || product->size < kSmallestMapped)
    return std::nullopt;
  std::optional<MappedInput> rows = findInput(op, *product->rows, product->ofRows, *product),
                             columns =
                                 findInput(op, *product->columns, product->ofColumns, *product);
  if (!rows || !columns)
    return std::nullopt;
  int64_t numRows = extentOf(op, product->ofRows), numColumns = extentOf(op, product->ofColumns),
          turns = extentOf(op, product->sum), batch = extentOf(op, product->batch);
  MappedProduct best{*product, {*rows, *columns}, 1, false, 0};
  double least = 0;
  struct Way {
    int64_t size, groups, widest; // by the registers of a thread
    bool byTurns;
  };
  static constexpr Way ways[] = {
      {64, 1, 256, false}, {128, 2, 256, false}, {192, 3, 128, false}, {128, 2, 128, true}};
  for (auto [size, groups, widest, byTurns] : ways)
    for (int64_t width : {64, 96, 128, 160, 192, 256}) {
      // Columns that lie across the sum come 64 at a time.
      if ((!columns->alongSum && width % kPanel) || width > widest)
        continue;
      int64_t tiles = batch * int64_t(llvm::divideCeil(numRows, size)) *
                      int64_t(llvm::divideCeil(numColumns, width));
      double seconds = secondsOf(size, width, turns, tiles, byTurns);
      if (best.parts && seconds >= least)
        continue;
      least = seconds;
      best.tiles.size = size;
      best.tiles.width = width;
      best.tiles.count = tiles;
      best.groups = groups;
      best.byTurns = byTurns;
      best.tiles.threads = 4 * kWarp * (best.groups + 1);
      int64_t room = kMostShared - best.stagedBytes() - kBarrierBytes;
      best.parts = std::min<int64_t>(room / best.partBytes(), kMostMapped);
    }
  return best;
}

//===----------------------------------------------------------------------===//
// On the host
//===----------------------------------------------------------------------===//

static Value evaluate(ImplicitLocOpBuilder &b, const Extent &extent, Value memory) {
  Value all = arith::ConstantIndexOp::create(b, extent.factor);
  for (unsigned d : extent.dimensions)
    all = arith::MulIOp::create(b, all, Value(memref::DimOp::create(b, memory, int64_t(d))));
  return all;
}

Value ptc::cuda::describeMaps(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
                              const MappedProduct &product) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto wide = [&](int64_t v) -> Value { return LLVM::ConstantOp::create(b, b.getI64Type(), v); };
  auto narrow = [&](int64_t v) -> Value { return LLVM::ConstantOp::create(b, b.getI32Type(), v); };
  auto elementOf = [](Value memory) {
    bool isF16 = cast<MemRefType>(memory.getType()).getElementType().isF16();
    return isF16 ? ptc_map_Float16 : ptc_map_BFloat16;
  };
  Value maps;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&op->getParentOfType<func::FuncOp>().getBody().front());
    maps = LLVM::AllocaOp::create(b, pointer, b.getI8Type(), narrow(2 * sizeof(ptc_tensor_map)), 8);
  }
  SmallVector<Value> sizes = loopSizes(b, op);
  auto turnsOf = [&](ArrayRef<unsigned> loops) {
    Value all = arith::ConstantIndexOp::create(b, 1);
    for (unsigned d : loops)
      all = arith::MulIOp::create(b, all, sizes[d]);
    return all;
  };
  // Every byte: calls are compared to find out what changed.
  LLVM::MemsetOp::create(b, maps, LLVM::ConstantOp::create(b, b.getI8Type(), 0),
                         wide(2 * sizeof(ptc_tensor_map)), /*isVolatile=*/false);
  for (unsigned s = 0; s < 2; ++s) {
    const MappedInput &input = product.inputs[s];
    OpOperand &operand = s ? *product.tiles.columns : *product.tiles.rows;
    ArrayRef<unsigned> own = s ? product.tiles.ofColumns : product.tiles.ofRows;
    Value memory = operand.get();
    auto put = [&](uint64_t at, Value v) {
      auto offset = int32_t(s * sizeof(ptc_tensor_map) + at);
      LLVM::StoreOp::create(b, v,
                            Value(LLVM::GEPOp::create(b, pointer, b.getI8Type(), maps,
                                                      ArrayRef<LLVM::GEPArg>(offset))));
    };
    auto putSize = [&](uint64_t at, Value v) {
      put(at, arith::IndexCastOp::create(b, b.getI64Type(), v));
    };
    auto pitch = [&](const Extent &extent) {
      return evaluate(b, Extent{kHalf, {}}.times(extent), memory);
    };
    SmallVector<Value> none(op.getNumLoops(), arith::ConstantIndexOp::create(b, 0));
    putSize(offsetof(ptc_tensor_map, data),
            addressOf(b, memory, placeOf(b, op.getMatchingIndexingMap(&operand), none)));
    if (input.images) {
      const MappedImages &images = *input.images;
      const std::pair<uint64_t, Value> numbers[] = {
          {offsetof(ptc_tensor_map, sizes[0]), wide(images.channels)},
          {offsetof(ptc_tensor_map, sizes[1]), wide(images.sizes[0])},
          {offsetof(ptc_tensor_map, sizes[2]), wide(images.sizes[1])},
          {offsetof(ptc_tensor_map, sizes[3]),
           images.image ? Value(arith::IndexCastOp::create(b, b.getI64Type(), sizes[*images.image]))
                        : wide(1)},
          {offsetof(ptc_tensor_map, pitches[0]), wide(images.pitches[0] * kHalf)},
          {offsetof(ptc_tensor_map, pitches[1]), wide(images.pitches[1] * kHalf)},
          {offsetof(ptc_tensor_map, pitches[2]), wide(images.pitches[2] * kHalf)},
          {offsetof(ptc_tensor_map, box[0]), narrow(kPanel)},
          {offsetof(ptc_tensor_map, pixels), narrow(s ? product.tiles.width : product.tiles.size)},
          {offsetof(ptc_tensor_map, lower[0]), narrow(0)},
          {offsetof(ptc_tensor_map, lower[1]), narrow(0)},
          {offsetof(ptc_tensor_map, upper[0]),
           narrow(-(images.windows[0] - 1) * images.dilations[0])},
          {offsetof(ptc_tensor_map, upper[1]),
           narrow(-(images.windows[1] - 1) * images.dilations[1])},
          {offsetof(ptc_tensor_map, steps[0]), narrow(images.steps[0])},
          {offsetof(ptc_tensor_map, steps[1]), narrow(images.steps[1])},
          {offsetof(ptc_tensor_map, rank), narrow(4)},
          {offsetof(ptc_tensor_map, element), narrow(elementOf(memory))}};
      for (auto [at, v] : numbers)
        put(at, v);
      continue;
    }
    Value inner = turnsOf(product.tiles.sum), outer = turnsOf(own);
    int64_t box = s ? product.tiles.width : product.tiles.size;
    if (!input.alongSum) {
      std::swap(inner, outer);
      box = kDepth;
    }
    bool hasBatch = input.batchPitch.has_value();
    putSize(offsetof(ptc_tensor_map, sizes[0]), inner);
    putSize(offsetof(ptc_tensor_map, sizes[1]), outer);
    putSize(offsetof(ptc_tensor_map, sizes[2]),
            hasBatch ? turnsOf(product.tiles.batch) : Value(arith::ConstantIndexOp::create(b, 1)));
    put(offsetof(ptc_tensor_map, sizes[3]), wide(1));
    putSize(offsetof(ptc_tensor_map, pitches[0]), pitch(input.pitch));
    Extent none64{kGroup, {}};
    putSize(offsetof(ptc_tensor_map, pitches[1]), pitch(input.batchPitch.value_or(none64)));
    put(offsetof(ptc_tensor_map, pitches[2]), wide(0));
    const std::pair<uint64_t, int64_t> words[] = {
        {offsetof(ptc_tensor_map, box[0]), kDepth},
        {offsetof(ptc_tensor_map, box[1]), box},
        {offsetof(ptc_tensor_map, box[2]), 1},
        {offsetof(ptc_tensor_map, box[3]), 1},
        {offsetof(ptc_tensor_map, pixels), 0},
        {offsetof(ptc_tensor_map, rank), hasBatch ? 3 : 2},
        {offsetof(ptc_tensor_map, element), elementOf(memory)}};
    for (auto [at, v] : words)
      put(at, narrow(v));
  }
  return maps;
}
