//===- MappedProducts.cpp - Products whose inputs come by tensor maps ------------------------===//
//
// In: a sum of products of f16 or bf16, or of f32 as tf32. Out: whether both inputs are memory in
// which its own loops, those of the sum and those of the batch are one dimension each; the tiles
// that are made of it; what the stub makes tensor maps of.
//
//===----------------------------------------------------------------------===//
#include "Groups.h"
#include "Maps.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Turns of the sum in a part of the ring.
static constexpr int64_t kDepth = kPanel;
/// Processors of the GPU that tiles are chosen for, an H200.
static constexpr int64_t kProcessors = 132;

/// Bounds of what the hardware knows of windows.
static constexpr int64_t kMostStep = 8, kMostWindow = 127, kMostCorner = 127;

/// The loop whose turns are `step` apart there, and the one behind `dilation`: y * step + k *
/// dilation + begin. A loop without a turn shows as it likes.
struct WindowPlace {
  unsigned place, window;
  int64_t step, dilation, begin;
};
static std::optional<WindowPlace> placeOfWindow(linalg::LinalgOp op, AffineExpr expr,
                                                ArrayRef<unsigned> own, ArrayRef<unsigned> sum) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(expr, op.getNumLoops(), 0, &flat)) ||
      flat.size() != op.getNumLoops() + 1 || flat.back() > 0)
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
  return WindowPlace{place, window, step, dilation, flat.back()};
}

/// In the order of memory: images, rows, columns, channels, and dimensions of one element between
/// them.
static std::optional<MappedImages> findImages(linalg::LinalgOp op, OpOperand &in,
                                              ArrayRef<unsigned> own, const TiledProduct &product) {
  auto type = cast<MemRefType>(in.get().getType());
  SmallVector<int64_t> strides, ranges = op.getStaticLoopRanges();
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&in);
  SmallVector<unsigned> dimensions;
  for (unsigned r = 0; r < map.getNumResults(); ++r)
    if (type.getDimSize(r) != 1 || !isa<AffineDimExpr>(map.getResult(r)))
      dimensions.push_back(r);
  llvm::sort(dimensions, [&](unsigned x, unsigned y) {
    return std::pair(-strides[x], x) < std::pair(-strides[y], y);
  });
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
  auto isOfRun = [&](unsigned d) { return ShapedType::isDynamic(ranges[d]) && d != images.image; };
  if (longOwn != expected || ArrayRef(product.sum) != ArrayRef(ofSum) ||
      llvm::any_of(llvm::seq<unsigned>(0, op.getNumLoops()), isOfRun))
    return std::nullopt;
  images.channels = ranges[channel.getPosition()];
  images.places = {ofColumns->place, ofRows->place};
  for (auto [i, at, r] : {std::tuple(0, *ofColumns, columns), std::tuple(1, *ofRows, rows)}) {
    auto k = size_t(i);
    images.windows[k] = ranges[at.window];
    images.steps[k] = at.step;
    images.dilations[k] = at.dilation;
    int64_t window = (ranges[at.window] - 1) * at.dilation;
    // With zeros around it memory is as large as it is, else as far as windows go.
    int64_t last = (ranges[at.place] - 1) * at.step + at.begin;
    images.sizes[k] = isPadded(op, in) ? type.getDimSize(r) : last + window + 1;
    images.begins[k] = at.begin;
    images.ends[k] = last + 1 - images.sizes[k];
    images.pitches[k] = strides[r];
    if (at.step > kMostStep || window > kMostWindow || at.begin < -kMostCorner ||
        std::abs(images.ends[k]) > kMostCorner)
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
  if (!ofOwn || !ofSum || isPadded(op, in)) {
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

namespace {
/// How tiles may be made.
struct Way {
  int64_t size, groups, widest; // by the registers of a thread
  bool byTurns;
};
/// A way with a width, and how many blocks share the sum of a tile.
struct Choice {
  Way way;
  int64_t width, shares;
};
} // namespace

static constexpr Way kWays[] = {
    {64, 1, 256, false}, {128, 2, 256, false}, {192, 3, 128, false}, {128, 2, 128, true}};
static constexpr int64_t kWidths[] = {64, 96, 128, 160, 192, 256};

/// Seconds, about, on the processor that has most tiles: 64 turns of the sum take what multiplying
/// or what bringing them takes, and results are computed when all have been added. Blocks that
/// share a sum wait for each other twice.
static double secondsOf(const Choice &choice, int64_t turns, int64_t tiles) {
  static constexpr double kFlops = 6.2e12, kBytes = 120e9, kMeeting = 0.8e-6;
  auto [way, width, shares] = choice;
  double kStart = way.byTurns ? 3.1e-6 : 2.2e-6, kEnd = way.byTurns ? 0 : 0.6e-6 / 16384;
  auto size = double(way.size * width), edge = double(way.size + width);
  double step = std::max(size * 2 * kDepth / kFlops, edge * kDepth * kHalf / kBytes);
  auto parts = int64_t(llvm::divideCeil(llvm::divideCeil(turns, kDepth), shares));
  return kStart + (shares > 1 ? kMeeting : 0) +
         double(llvm::divideCeil(tiles * shares, kProcessors)) *
             (double(parts) * step + kEnd * size);
}

/// Whether so many blocks can share a sum: each has a part of it, and all run at one time.
static bool canShare(linalg::LinalgOp op, const Choice &choice, int64_t turns, int64_t tiles) {
  if (choice.shares == 1)
    return true;
  if (choice.way.groups > 1 || choice.width != GroupTiles::stagedColumns(choice.width) ||
      tiles * choice.shares > kProcessors || op.hasDynamicShape())
    return false;
  auto parts = int64_t(llvm::divideCeil(turns, kDepth));
  return (choice.shares - 1) * int64_t(llvm::divideCeil(parts, choice.shares)) < parts;
}

static std::optional<MappedProduct> findTiles(linalg::LinalgOp op) {
  std::optional<TiledProduct> product = findTiledProduct(op);
  if (!product || !product->byMatrix)
    return std::nullopt;
  int64_t numRows = extentOf(op, product->ofRows), numColumns = extentOf(op, product->ofColumns),
          turns = extentOf(op, product->sum), batch = extentOf(op, product->batch);
  if (numRows < kSmallestMapped || numColumns < kSmallestMapped)
    return std::nullopt;
  std::optional<MappedInput> rows = findInput(op, *product->rows, product->ofRows, *product),
                             columns =
                                 findInput(op, *product->columns, product->ofColumns, *product);
  if (!rows || !columns)
    return std::nullopt;
  // Instructions for tf32 take what lies along the sum.
  int64_t bytes = elementBytesOf(*product);
  if (bytes != kHalf && (!rows->alongSum || !columns->alongSum || rows->images || columns->images))
    return std::nullopt;
  turns = turns * bytes / kHalf; // one of tf32 takes as long as two
  MappedProduct best{*product, {*rows, *columns}, 1, false, 0};
  double least = 0;
  auto consider = [&](const Choice &choice) {
    auto [way, width, shares] = choice;
    // Columns that lie across the sum come 64 at a time.
    if ((!columns->alongSum && width % kPanel) || width > way.widest)
      return;
    int64_t tiles = batch * int64_t(llvm::divideCeil(numRows, way.size)) *
                    int64_t(llvm::divideCeil(numColumns, width));
    double seconds = secondsOf(choice, turns, tiles);
    if ((best.parts && seconds >= least) || !canShare(op, choice, turns, tiles))
      return;
    least = seconds;
    best.tiles.size = way.size;
    best.tiles.width = width;
    best.tiles.count = tiles;
    best.groups = way.groups;
    best.byTurns = way.byTurns;
    best.shares = shares;
    best.tiles.threads = 4 * kWarp * (best.groups + 1);
    int64_t room = kMostShared - GroupTiles::stagedBytes(way.groups, width) - kBarrierBytes;
    best.parts = std::min<int64_t>(room / best.partBytes(), kMostMapped);
  };
  for (const Way &way : kWays)
    for (int64_t width : kWidths)
      for (int64_t shares : {1, 2, 4, 8})
        consider({way, width, shares});
  return best;
}

bool ptc::cuda::fitsMaps(linalg::LinalgOp op) { return findTiles(op).has_value(); }

//===----------------------------------------------------------------------===//
// On the host
//===----------------------------------------------------------------------===//

/// The images that windows go through, and their positions in a box.
static void describeImages(MapWriter &w, const MappedImages &images, Value count, int64_t pixels) {
  w.putWide(offsetof(ptc_tensor_map, sizes[0]), images.channels);
  w.putWide(offsetof(ptc_tensor_map, sizes[1]), images.sizes[0]);
  w.putWide(offsetof(ptc_tensor_map, sizes[2]), images.sizes[1]);
  count ? w.put(offsetof(ptc_tensor_map, sizes[3]), count)
        : w.putWide(offsetof(ptc_tensor_map, sizes[3]), 1);
  w.putWide(offsetof(ptc_tensor_map, pitches[0]), images.pitches[0] * kHalf);
  w.putWide(offsetof(ptc_tensor_map, pitches[1]), images.pitches[1] * kHalf);
  w.putWide(offsetof(ptc_tensor_map, pitches[2]), images.pitches[2] * kHalf);
  w.putWord(offsetof(ptc_tensor_map, box[0]), kPanel);
  w.putWord(offsetof(ptc_tensor_map, pixels), pixels);
  w.putWord(offsetof(ptc_tensor_map, lower[0]), images.begins[0]);
  w.putWord(offsetof(ptc_tensor_map, lower[1]), images.begins[1]);
  w.putWord(offsetof(ptc_tensor_map, upper[0]), images.ends[0]);
  w.putWord(offsetof(ptc_tensor_map, upper[1]), images.ends[1]);
  w.putWord(offsetof(ptc_tensor_map, steps[0]), images.steps[0]);
  w.putWord(offsetof(ptc_tensor_map, steps[1]), images.steps[1]);
  w.putWord(offsetof(ptc_tensor_map, rank), 4);
}

namespace {
class ProductByMaps final : public MappedKernel {
public:
  ProductByMaps(const Step &step, const MappedProduct &product) : step(step), product(product) {}

  unsigned numMaps() const override { return 2; }
  Value countThreads(ImplicitLocOpBuilder &b) const override {
    return arith::MulIOp::create(
        b, countTiles(b, nest(), product.tiles),
        arith::ConstantIndexOp::create(b, product.tiles.threads * product.shares));
  }
  Value describeMaps(ImplicitLocOpBuilder &b) const override {
    linalg::LinalgOp op = nest();
    MapWriter w(b, op, numMaps());
    SmallVector<Value> sizes = loopSizes(b, op);
    auto turnsOf = [&](ArrayRef<unsigned> loops) {
      Value all = arith::ConstantIndexOp::create(b, 1);
      for (unsigned d : loops)
        all = arith::MulIOp::create(b, all, sizes[d]);
      return all;
    };
    for (unsigned s = 0; s < numMaps(); ++s) {
      const MappedInput &input = product.inputs[s];
      ArrayRef<unsigned> own = s ? product.tiles.ofColumns : product.tiles.ofRows;
      int64_t box = s ? product.tiles.width : product.tiles.size;
      w.begin(op, s ? *product.tiles.columns : *product.tiles.rows);
      if (input.images) {
        std::optional<unsigned> image = input.images->image;
        describeImages(w, *input.images, image ? sizes[*image] : Value(), box);
        continue;
      }
      Value inner = turnsOf(product.tiles.sum), outer = turnsOf(own);
      if (!input.alongSum) {
        std::swap(inner, outer);
        box = kDepth;
      }
      w.put(offsetof(ptc_tensor_map, sizes[0]), inner);
      w.put(offsetof(ptc_tensor_map, sizes[1]), outer);
      w.putPitch(offsetof(ptc_tensor_map, pitches[0]), input.pitch);
      w.putWord(offsetof(ptc_tensor_map, box[0]), kDepth * kHalf / elementBytesOf(product.tiles));
      w.putWord(offsetof(ptc_tensor_map, box[1]), box);
      w.putWord(offsetof(ptc_tensor_map, rank), input.batchPitch ? 3 : 2);
      if (!input.batchPitch)
        continue;
      w.put(offsetof(ptc_tensor_map, sizes[2]), turnsOf(product.tiles.batch));
      w.putPitch(offsetof(ptc_tensor_map, pitches[1]), *input.batchPitch);
      w.putWord(offsetof(ptc_tensor_map, box[2]), 1);
    }
    return w.maps();
  }
  KernelShape emit() const override { return emitMappedProduct(step, product); }

private:
  linalg::LinalgOp nest() const { return cast<linalg::LinalgOp>(step.op); }

  const Step &step;
  MappedProduct product;
};
} // namespace

std::unique_ptr<MappedKernel> ptc::cuda::findMappedProduct(const Step &step) {
  auto nest = dyn_cast<linalg::LinalgOp>(step.op);
  std::optional<MappedProduct> tiles = nest && step.rows.empty() ? findTiles(nest) : std::nullopt;
  return tiles ? std::make_unique<ProductByMaps>(step, *tiles) : nullptr;
}
