//===- Contraction.cpp - Sums of products -----------------------------------------------------===//
//
// In: a nest whose body adds the product of two inputs to its output, in floats: GEMM, batches of
// them, convolutions. Out: one of two forms, chosen by an estimate of cycles.
//
// * Panels: columns, the loops that one operand alone names besides the output, run through
// vectors;
//   a tile of rows by columns is kept in registers while the sum runs, an element of the row
//   operand times vectors of the column operand. Columns are copied into panels [sum][columns]
//   first, which makes every stride, window and remainder the same case; a weight lies in panels
//   when the call begins.
// * Dots: where both operands are consecutive along the sum and there are few rows or columns, the
//   sum itself runs through vectors.
//
//===----------------------------------------------------------------------===//
#include "Body.h"
#include "Emitters.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

namespace {

/// Some loops of a nest as one group, innermost last.
struct Group {
  SmallVector<size_t> loops;
  Values sizesIn(const Nest &nest) const {
    Values sizes;
    for (size_t d : loops)
      sizes.push_back(nest.sizes[d]);
    return sizes;
  }
};

/// One factor, as the body reads it.
struct Factor {
  Stream stream;
  BlockArgument argument;
  Value converted; ///< in the type of the sum
};

/// rows: loops of the row factor and the output; columns: of the column factor and the output;
/// batch: of all three; sum: of both factors.
struct Product {
  Nest nest;
  Factor row, column;
  Stream out;
  Group batch, rows, columns, sum;
  Type type; ///< of the sum
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading a nest
//===----------------------------------------------------------------------===//

/// The argument that `v` is, through conversions of single elements.
static BlockArgument sourceOf(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!isa<arith::ExtFOp>(op))
      return {};
    v = op->getOperand(0);
  }
  return dyn_cast<BlockArgument>(v);
}

/// Factors of `yield(out + a * b)`.
static std::optional<std::pair<Factor, Factor>> readFactors(const Nest &nest) {
  if (nest.inputs.size() != 2 || nest.outputs.size() != 1)
    return std::nullopt;
  auto sum = nest.body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  BlockArgument accumulator = nest.body->getArgument(2);
  if (!sum || (sum.getLhs() != accumulator && sum.getRhs() != accumulator))
    return std::nullopt;
  Value other = sum.getLhs() == accumulator ? sum.getRhs() : sum.getLhs();
  auto product = other.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  BlockArgument a = sourceOf(product.getLhs()), b = sourceOf(product.getRhs());
  if (!a || !b || a == b || a.getOwner() != nest.body || b.getOwner() != nest.body ||
      a == accumulator || b == accumulator)
    return std::nullopt;
  auto factor = [&](BlockArgument arg, Value converted) {
    return Factor{nest.inputs[arg.getArgNumber()], arg, converted};
  };
  return std::pair(factor(a, product.getLhs()), factor(b, product.getRhs()));
}

static bool names(const Stream &s, size_t loop) { return !s.hasStride(loop, 0); }

/// Sorts the loops into groups; none if some loop belongs to none.
static std::optional<Product> readProduct(const Nest &nest) {
  auto factors = readFactors(nest);
  if (!factors)
    return std::nullopt;
  Product p{nest, factors->first,         factors->second, nest.outputs[0], {}, {}, {},
            {},   nest.outputs[0].element};
  if (p.row.stream.isScalar() || p.column.stream.isScalar())
    return std::nullopt;
  for (size_t d = 0; d < nest.numLoops(); ++d) {
    bool inRow = names(p.row.stream, d), inColumn = names(p.column.stream, d);
    if (nest.reduces[d] != !names(p.out, d) || (!inRow && !inColumn) ||
        (nest.reduces[d] && !(inRow && inColumn)))
      return std::nullopt;
    Group &group = nest.reduces[d] ? p.sum : !inColumn ? p.rows : !inRow ? p.columns : p.batch;
    group.loops.push_back(d);
  }
  if (p.sum.loops.empty() || !(p.type.isF32() || p.type.isF64()))
    return std::nullopt;
  return p;
}

static void swapRoles(Product &p) {
  std::swap(p.row, p.column);
  std::swap(p.rows, p.columns);
}

//===----------------------------------------------------------------------===//
// Which form
//===----------------------------------------------------------------------===//

static double countOf(const Product &p, const Group &group) {
  double count = 1;
  for (size_t d : group.loops)
    count *= double(LoopBuilder::constantOf(p.nest.sizes[d]).value_or(kTypicalSize));
  return count;
}

/// The loop of the group along which the stream has consecutive elements.
static std::optional<size_t> consecutive(const Stream &s, const Group &group) {
  for (size_t d : group.loops)
    if (s.hasStride(d, 1))
      return d;
  return std::nullopt;
}

namespace {
/// An argument that is to lie in panels, and how.
struct Packed {
  BlockArgument memory;
  ptc::PackFormat format;
};
} // namespace

/// The column factor in panels of `width`, if it is a weight, in the type of the sum, that does not
/// differ by batch.
static std::optional<Packed> packedColumns(const Product &p, int64_t width) {
  auto op = cast<linalg::GenericOp>(p.nest.body->getParentOp());
  const Stream &s = p.column.stream;
  Value operand = op->getOperand(p.column.argument.getArgNumber());
  BlockArgument memory = memoryOf(operand);
  auto function = op->getParentOfType<func::FuncOp>();
  bool isFirst = s.pointer.getDefiningOp<LLVM::ExtractValueOp>() != nullptr; // no offset
  if (!memory || !isFirst || s.element != p.type ||
      !function.getArgAttr(memory.getArgNumber(), kWeightAttr) ||
      llvm::any_of(p.batch.loops, [&](size_t d) { return names(s, d); }))
    return std::nullopt;
  Packed packed{memory, {}};
  packed.format.width = width;
  for (auto [group, loops] :
       {std::pair(&p.sum, &packed.format.sum), std::pair(&p.columns, &packed.format.columns)})
    for (size_t d : group->loops) {
      auto size = LoopBuilder::constantOf(p.nest.sizes[d]),
           stride = LoopBuilder::constantOf(s.strides[d]);
      if (!size || !stride)
        return std::nullopt;
      loops->push_back({*size, *stride});
    }
  return packed;
}

/// Entries of the sum between a prefetch of a panel and its use.
static constexpr int64_t kAhead = 64;
/// Chains of additions hide how long one takes: so many accumulators are in flight at least.
static constexpr int64_t kInFlight = 8;

/// Estimates of cycles for one batch: with tiles of `tall` rows by `wide` vectors.
static double panelCycles(const Product &p, int64_t lanes, const Isa &isa) {
  double rows = countOf(p, p.rows), columns = countOf(p, p.columns), sum = countOf(p, p.sum);
  auto wide = double(isa.tileVectors), panel = double(lanes) * wide;
  double tall = std::min(rows, double(isa.tileRows));
  double tiles = std::ceil(rows / double(isa.tileRows)) * std::ceil(columns / panel);
  double step = std::max(tall * wide, tall + wide) / 2;
  double packing = 0, storing = 0;
  if (!packedColumns(p, int64_t(panel)))
    packing = sum * columns / (consecutive(p.column.stream, p.columns) ? double(lanes) / 2 : 1);
  if (!consecutive(p.out, p.columns))
    storing = rows * columns * 2;
  return packing + storing + tiles * sum * step;
}

/// With the sum's loop `along` in vectors.
static double dotCycles(const Product &p, size_t along, int64_t lanes) {
  double row = countOf(p, Group{{along}}), steps = std::ceil(row / double(lanes));
  double sum = countOf(p, p.sum) / row * steps;
  return countOf(p, p.rows) * countOf(p, p.columns) * (2 + sum / 2 * 1.3);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

namespace {
/// What the threads of a team share: a loop of the batch, tiles of columns, or tiles of rows.
struct Split {
  enum Kind : uint8_t { Batch, Columns, Rows } kind;
  size_t batch = SIZE_MAX; ///< which loop of the batch
};
} // namespace

/// Tiles of `tall` rows by `wide` columns: the outermost loops that have enough of them for many
/// threads, or those that have the most.
static Split splitOf(const Product &p, int64_t tall, int64_t wide) {
  constexpr double kMany = 16;
  Split batch{Split::Batch};
  double most = 0;
  for (auto [i, d] : llvm::enumerate(p.batch.loops))
    if (double count = countOf(p, Group{{d}}); count > most) {
      most = count;
      batch.batch = i;
    }
  double columns = std::ceil(countOf(p, p.columns) / double(wide));
  double rows = std::ceil(countOf(p, p.rows) / double(tall));
  if (most >= kMany || most >= std::max(columns, rows))
    return batch;
  return {columns >= kMany || columns >= rows ? Split::Columns : Split::Rows};
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// Whether vectors can be read along the loop.
static bool isShortStep(const Stream &s, size_t loop) {
  return s.hasStride(loop, 1) || s.hasStride(loop, 2);
}

/// A loop of columns along which vectors can be read and written, long enough for them, stays
/// alone: the others become batches.
static void splitColumns(Product &p, int64_t lanes) {
  for (size_t d : p.columns.loops) {
    std::optional<int64_t> size = LoopBuilder::constantOf(p.nest.sizes[d]);
    if (p.columns.loops.size() < 2 || !isShortStep(p.column.stream, d) || !p.out.hasStride(d, 1) ||
        !size || *size < lanes)
      continue;
    for (size_t other : p.columns.loops)
      if (other != d)
        p.batch.loops.push_back(other);
    p.columns.loops = {d};
    return;
  }
}

namespace {

/// Index arithmetic of a group that is walked by one number.
struct Walk {
  SmallVector<size_t> loops;
  Values sizes;

  Walk(const Product &p, const Group &group) : loops(group.loops), sizes(group.sizesIn(p.nest)) {}

  /// Adds the place of entry `i` to `elements`, per stride of `s`.
  Value offset(LoopBuilder &l, const Stream &s, Value i) const {
    Value elements = l.index(0);
    for (size_t k = loops.size(); k-- > 0;) {
      Value part = k == 0 ? i : l.rem(i, sizes[k]);
      elements = l.add(elements, l.mul(part, s.strides[loops[k]]));
      if (k)
        i = l.div(i, sizes[k]);
    }
    return elements;
  }
};

class Panels {
public:
  /// `packed`: what the columns lie in already; null: they are copied.
  Panels(LoopBuilder &l, const Product &p, const Isa &isa, Value packed)
      : l(l), p(p), isa(isa), packed(packed), lanes(isa.lanes(p.type.getIntOrFloatBitWidth())),
        width(lanes * isa.tileVectors), rows(p, p.rows), columns(p, p.columns), sum(p, p.sum),
        numRows(l.product(rows.sizes)), numColumns(l.product(columns.sizes)),
        numSum(l.product(sum.sizes)) {}

  void run() {
    if (!packed)
      panel = allocate(l, l.mul(numSum, l.index(width)), p.type);
    if (!packed && (columns.loops.size() != 1 || !isShortStep(p.column.stream, columns.loops[0])))
      starts = allocate(l, l.index(width), l.b.getI64Type());
    if (!writesRows())
      tile = allocate(l, l.index(isa.tileRows * width), p.type);
    Split split = splitOf(p, isa.tileRows, width);
    sharesTiles = split.kind == Split::Rows;
    l.sharedNest(p.batch.sizesIn(p.nest), split.batch, [&](ValueRange at) {
      row = within(p.row.stream, at);
      column = within(p.column.stream, at);
      out = within(p.out, at);
      auto turn = [&](Value first) {
        Value count = l.min(l.sub(numColumns, first), l.index(width));
        if (packed)
          panel = addressOf(l, Stream{packed, p.type, {numSum}}, first);
        else
          fillPanel(first, count);
        forEachTile([&](int64_t height, Value top) { tileOf(height, top, first, count); });
      };
      l.share(split.kind == Split::Columns, l.index(0), numColumns, l.index(width), turn);
    });
  }

private:
  /// The stream of one batch.
  Stream within(const Stream &s, ValueRange at) {
    Values indices(p.nest.numLoops(), l.index(0));
    for (auto [d, i] : llvm::zip_equal(p.batch.loops, at))
      indices[d] = i;
    return advance(l, s, indices);
  }
  Value move(const Stream &s, Value elements) {
    Stream line{s.pointer, s.element, {l.index(1)}};
    return addressOf(l, line, elements);
  }
  Value inPanel(Value elements) {
    return addressOf(l, Stream{panel, p.type, {l.index(1)}}, elements);
  }
  /// Whether neighbouring columns lie together in the output.
  bool writesRows() const {
    return columns.loops.size() == 1 && p.out.hasStride(columns.loops[0], 1);
  }

  Value convert(const Factor &factor, Value element) {
    IRMapping mapping;
    mapping.map(factor.argument, element);
    SmallVector<Operation *> ops;
    for (Value v = factor.converted; v != factor.argument; v = v.getDefiningOp()->getOperand(0))
      ops.insert(ops.begin(), v.getDefiningOp());
    cloneOnLanes(l, ops, mapping, lanes);
    return mapping.lookup(factor.converted);
  }

  //===--- Packing -----------------------------------------------------------------===//
  /// Copies `count` columns from `first` on; the rest of the panel is zero.
  void fillPanel(Value first, Value count) {
    if (isRun())
      return copyRun(first, count);
    l.when(l.less(count, l.index(width)), [&] { clearPanel(); });
    // Where each column starts is computed once for all entries of the sum.
    l.loop(l.index(0), count, l.index(1), [&](Value j) {
      Value start = columns.offset(l, column, l.add(first, j));
      storeElement(l, addressOf(l, Stream{starts, l.b.getI64Type(), {l.index(1)}}, j),
                   arith::IndexCastOp::create(l.b, l.b.getI64Type(), start));
    });
    l.nest(sum.sizes, {}, [&](ValueRange at, ValueRange) -> Values {
      Stream from = column, to{inPanel(l.mul(sumIndex(at), l.index(width))), p.type, {l.index(1)}};
      from.pointer = move(column, sumOffset(column, at));
      l.loop(l.index(0), count, l.index(1), [&](Value j) {
        Value start = loadElement(
            l, addressOf(l, Stream{starts, l.b.getI64Type(), {l.index(1)}}, j), l.b.getI64Type());
        Value place = arith::IndexCastOp::create(l.b, l.b.getIndexType(), start);
        Value element = loadElement(l, move(from, place), column.element);
        storeElement(l, addressOf(l, to, j), convert(p.column, element));
      });
      return {};
    });
  }

  /// Whether neighbouring columns lie at equal, small steps.
  bool isRun() const { return columns.loops.size() == 1 && isShortStep(column, columns.loops[0]); }

  void copyRun(Value first, Value count) {
    size_t along = columns.loops[0];
    Value start = l.mul(first, column.strides[along]);
    l.nest(sum.sizes, {}, [&](ValueRange at, ValueRange) -> Values {
      Value from = l.add(start, sumOffset(column, at)), to = l.mul(sumIndex(at), l.index(width));
      for (int64_t v = 0; v < isa.tileVectors; ++v) {
        Value lane = l.index(v * lanes), left = l.sub(count, lane);
        Value address = move(column, l.add(from, l.mul(lane, column.strides[along])));
        auto copy = [&](Value some) {
          Value loaded = column.hasStride(along, 2)
                             ? loadEverySecond(l, address, column.element, lanes, some)
                             : loadVector(l, address, column.element, lanes,
                                          some ? maskOf(l, some, lanes) : Value());
          storeVector(l, inPanel(l.add(to, lane)), convert(p.column, loaded));
        };
        l.when(
            l.less(left, l.index(lanes)),
            [&] { copy(l.b.createOrFold<arith::MaxSIOp>(left, l.index(0))); }, [&] { copy({}); });
      }
      return {};
    });
  }

  void clearPanel() {
    Value zero = arith::ConstantOp::create(l.b, l.b.getZeroAttr(VectorType::get({lanes}, p.type)));
    l.loop(l.index(0), l.mul(numSum, l.index(width)), l.index(lanes),
           [&](Value k) { storeVector(l, inPanel(k), zero); });
  }

  Value sumOffset(const Stream &s, ValueRange at) {
    Value elements = l.index(0);
    for (auto [d, i] : llvm::zip_equal(sum.loops, at))
      elements = l.add(elements, l.mul(i, s.strides[d]));
    return elements;
  }
  /// The number of an entry in the order of the loops.
  Value sumIndex(ValueRange at) {
    Value number = l.index(0);
    for (auto [size, i] : llvm::zip_equal(sum.sizes, at))
      number = l.add(l.mul(number, size), i);
    return number;
  }

  //===--- Tiles ---------------------------------------------------------------------===//
  /// Rows in tiles of nearly equal height: `high` of low + 1 rows, then those of `low`.
  void forEachTile(llvm::function_ref<void(int64_t, Value)> body) {
    Value tiles = l.ceilDiv(numRows, isa.tileRows);
    if (LoopBuilder::isConstant(numRows, 0))
      return;
    auto split = [&] {
      Value low = l.div(numRows, tiles), high = l.sub(numRows, l.mul(low, tiles));
      Value above = l.add(low, l.index(1)), cut = l.mul(high, above);
      auto part = [&](Value height, Value from, Value to) {
        l.dispatch(height, isa.tileRows, [&](int64_t h) {
          auto turn = [&](Value top) { body(h, top); };
          l.share(sharesTiles, from, to, l.index(h), turn);
        });
      };
      if (!LoopBuilder::isConstant(high, 0))
        part(above, l.index(0), cut);
      part(low, cut, numRows);
    };
    l.when(l.less(l.index(0), numRows), split);
  }

  /// Sums of `height` rows from `top` by one panel. Few rows take several entries of the sum at a
  /// time, each with accumulators of its own.
  Values accumulate(int64_t height, Value top) {
    auto vector = VectorType::get({lanes}, p.type);
    Value zero = arith::ConstantOp::create(l.b, l.b.getZeroAttr(vector));
    Values tops;
    for (int64_t r = 0; r < height; ++r)
      tops.push_back(rows.offset(l, row, l.add(top, l.index(r))));
    int64_t numSums = height * isa.tileVectors;
    int64_t chains = std::max<int64_t>(1, kInFlight / numSums);
    Value size = sum.sizes.back(), step = l.index(chains);
    Value whole = chains == 1 ? size : l.mul(l.div(size, step), step);
    Values sums =
        l.nest(ValueRange(sum.sizes).drop_back(), Values(size_t(numSums * chains), zero),
               [&](ValueRange outer, ValueRange carried) {
                 auto add = [&](Value k, MutableArrayRef<Value> sums) {
                   Values at(outer);
                   at.push_back(k);
                   addProducts(tops, at, sums);
                 };
                 Values out = l.loop(l.index(0), whole, step, carried, [&](Value k, ValueRange in) {
                   Values next(in);
                   for (int64_t c = 0; c < chains; ++c)
                     add(l.add(k, l.index(c)), MutableArrayRef(next).slice(c * numSums, numSums));
                   return next;
                 });
                 if (chains == 1)
                   return out;
                 return l.loop(whole, size, l.index(1), out, [&](Value k, ValueRange in) {
                   Values next(in);
                   add(k, MutableArrayRef(next).take_front(numSums));
                   return next;
                 });
               });
    for (int64_t i = numSums; i < numSums * chains; ++i)
      sums[size_t(i % numSums)] =
          arith::AddFOp::create(l.b, sums[size_t(i % numSums)], sums[size_t(i)]);
    sums.truncate(size_t(numSums));
    return sums;
  }

  /// Adds the products of the entry `at` of the sum.
  void addProducts(ArrayRef<Value> tops, ValueRange at, MutableArrayRef<Value> sums) {
    Value from = l.mul(sumIndex(at), l.index(width)), place = sumOffset(row, at);
    Values in;
    for (int64_t v = 0; v < isa.tileVectors; ++v) {
      Value entry = l.add(from, l.index(v * lanes));
      in.push_back(loadVector(l, inPanel(entry), p.type, lanes));
      // A weight comes from far away, in a row: what is read soon is asked for now.
      if (packed)
        LLVM::Prefetch::create(l.b, inPanel(l.add(entry, l.index(kAhead * width))), 0, 3, 1);
    }
    for (auto [r, top] : llvm::enumerate(tops)) {
      Value element = convert(p.row, loadElement(l, move(row, l.add(top, place)), row.element));
      Value x = broadcast(l, element, lanes);
      for (int64_t v = 0; v < isa.tileVectors; ++v) {
        Value &sum = sums[r * size_t(isa.tileVectors) + size_t(v)];
        sum = multiplyAdd(l, isa, x, in[size_t(v)], sum);
      }
    }
  }

  void tileOf(int64_t height, Value top, Value first, Value count) {
    Values sums = accumulate(height, top);
    for (int64_t r = 0; r < height; ++r)
      for (int64_t v = 0; v < isa.tileVectors; ++v) {
        Value result = sums[size_t(r * isa.tileVectors + v)], lane = l.index(v * lanes);
        if (writesRows())
          addToRow(l.add(rows.offset(l, out, l.add(top, l.index(r))), l.add(first, lane)), result,
                   l.sub(count, lane));
        else
          storeVector(
              l, addressOf(l, Stream{tile, p.type, {l.index(1)}}, l.index(r * width + v * lanes)),
              result);
      }
    if (!writesRows())
      scatterTile(height, top, first, count);
  }

  void addToRow(Value place, Value sums, Value left) {
    Value address = move(out, place);
    auto add = [&](Value mask) {
      Value old = loadVector(l, address, p.type, lanes, mask);
      storeVector(l, address, arith::AddFOp::create(l.b, old, sums), mask);
    };
    l.when(l.less(left, l.index(lanes)), [&] { add(maskOf(l, left, lanes)); }, [&] { add({}); });
  }

  /// Adds a tile in memory to an output whose columns do not lie together.
  void scatterTile(int64_t height, Value top, Value first, Value count) {
    l.loop(l.index(0), count, l.index(1), [&](Value j) {
      Value start = columns.offset(l, out, l.add(first, j));
      for (int64_t r = 0; r < height; ++r) {
        Value address = move(out, l.add(start, rows.offset(l, out, l.add(top, l.index(r)))));
        Value sum = loadElement(
            l, addressOf(l, Stream{tile, p.type, {l.index(1)}}, l.add(l.index(r * width), j)),
            p.type);
        storeElement(l, address, arith::AddFOp::create(l.b, loadElement(l, address, p.type), sum));
      }
    });
  }

public:
  static Value multiplyAdd(LoopBuilder &l, const Isa &isa, Value x, Value y, Value sum) {
    if (isa.hasFma)
      return math::FmaOp::create(l.b, x, y, sum);
    return arith::AddFOp::create(l.b, sum, arith::MulFOp::create(l.b, x, y));
  }

private:
  LoopBuilder &l;
  const Product &p;
  const Isa &isa;
  Value packed;
  int64_t lanes, width;
  Walk rows, columns, sum;
  Value numRows, numColumns, numSum;
  Value panel, tile, starts;
  Stream row, column, out; ///< of the batch at hand
  bool sharesTiles = false;
};

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// The innermost loop of the sum runs through vectors: `tall` by `wide` sums at a time.
class Dots {
public:
  Dots(LoopBuilder &l, const Product &p, const Isa &isa, size_t along)
      : l(l), p(p), isa(isa), lanes(isa.lanes(p.type.getIntOrFloatBitWidth())), along(along),
        rows(p, p.rows), columns(p, p.columns) {
    for (size_t d : p.sum.loops)
      if (d != along)
        outer.push_back(d);
  }

  void run() {
    Value numRows = l.product(rows.sizes), numColumns = l.product(columns.sizes);
    bool isOneRow = LoopBuilder::isConstant(numRows, 1);
    int64_t tall = isOneRow ? 1 : 4, wide = isOneRow ? 8 : 4;
    Split split = splitOf(p, tall, wide);
    l.sharedNest(p.batch.sizesIn(p.nest), split.batch, [&](ValueRange at) {
      batch = at;
      forEachPart(numColumns, wide, split.kind == Split::Columns, [&](int64_t w, Value left) {
        forEachPart(numRows, tall, split.kind == Split::Rows,
                    [&](int64_t t, Value top) { tileOf(t, w, top, left); });
      });
    });
  }

private:
  /// Parts of `most`, then what is left over.
  void forEachPart(Value count, int64_t most, bool shares,
                   llvm::function_ref<void(int64_t, Value)> body) {
    Value step = l.index(most), whole = l.mul(l.div(count, step), step), rest = l.sub(count, whole);
    auto turn = [&](Value i) { body(most, i); };
    auto more = [&] {
      if (!LoopBuilder::isConstant(rest, 0))
        l.dispatch(rest, most - 1, [&](int64_t n) { body(n, whole); });
    };
    l.share(shares, l.index(0), whole, step, turn, more);
  }

  Value place(const Stream &s, const Walk &walk, Value i, ValueRange outerAt) {
    Values indices(p.nest.numLoops(), l.index(0));
    for (auto [d, b] : llvm::zip_equal(p.batch.loops, batch))
      indices[d] = b;
    if (!outerAt.empty())
      for (auto [d, k] : llvm::zip_equal(outer, outerAt))
        indices[d] = k;
    Stream start = advance(l, s, indices);
    return addressOf(l, Stream{start.pointer, s.element, {l.index(1)}}, walk.offset(l, s, i));
  }

  Value load(const Factor &factor, Value start, Value k, Value mask) {
    Value address = addressOf(l, Stream{start, factor.stream.element, {l.index(1)}}, k);
    IRMapping mapping;
    mapping.map(factor.argument, loadVector(l, address, factor.stream.element, lanes, mask));
    SmallVector<Operation *> ops;
    for (Value v = factor.converted; v != factor.argument; v = v.getDefiningOp()->getOperand(0))
      ops.insert(ops.begin(), v.getDefiningOp());
    cloneOnLanes(l, ops, mapping, lanes);
    return mapping.lookup(factor.converted);
  }

  void tileOf(int64_t tall, int64_t wide, Value top, Value left) {
    auto vector = VectorType::get({lanes}, p.type);
    Value zero = arith::ConstantOp::create(l.b, l.b.getZeroAttr(vector));
    Values outerSizes;
    for (size_t d : outer)
      outerSizes.push_back(p.nest.sizes[d]);
    Values sums = l.nest(outerSizes, Values(size_t(tall * wide), zero),
                         [&](ValueRange at, ValueRange carried) {
                           return alongSum(tall, wide, top, left, at, carried);
                         });
    for (int64_t r = 0; r < tall; ++r)
      for (int64_t c = 0; c < wide; ++c) {
        Value total =
            vector::ReductionOp::create(l.b, vector::CombiningKind::ADD, sums[size_t(r * wide + c)],
                                        arith::FastMathFlags::reassoc);
        Value start = place(p.out, rows, l.add(top, l.index(r)), {});
        Value offset = columns.offset(l, p.out, l.add(left, l.index(c)));
        Value address = addressOf(l, Stream{start, p.type, {l.index(1)}}, offset);
        storeElement(l, address,
                     arith::AddFOp::create(l.b, loadElement(l, address, p.type), total));
      }
  }

  Values alongSum(int64_t tall, int64_t wide, Value top, Value left, ValueRange at,
                  ValueRange carried) {
    Values rowStarts, columnStarts;
    for (int64_t r = 0; r < tall; ++r)
      rowStarts.push_back(place(p.row.stream, rows, l.add(top, l.index(r)), at));
    for (int64_t c = 0; c < wide; ++c)
      columnStarts.push_back(place(p.column.stream, columns, l.add(left, l.index(c)), at));
    auto step = [&](Value k, ValueRange in, Value mask) {
      Values x, out(in);
      for (Value start : rowStarts)
        x.push_back(load(p.row, start, k, mask));
      for (int64_t c = 0; c < wide; ++c) {
        Value y = load(p.column, columnStarts[size_t(c)], k, mask);
        for (int64_t r = 0; r < tall; ++r) {
          Value &sum = out[size_t(r * wide + c)];
          sum = Panels::multiplyAdd(l, isa, x[size_t(r)], y, sum);
        }
      }
      return out;
    };
    Value size = p.nest.sizes[along], width = l.index(lanes);
    Value whole = l.mul(l.div(size, width), width), rest = l.sub(size, whole);
    Values sums = l.loop(l.index(0), whole, width, carried,
                         [&](Value k, ValueRange in) { return step(k, in, {}); });
    return l.choose(
        l.less(l.index(0), rest), [&] { return step(whole, sums, maskOf(l, rest, lanes)); },
        [&] { return sums; });
  }

  LoopBuilder &l;
  const Product &p;
  const Isa &isa;
  int64_t lanes;
  size_t along;
  Walk rows, columns;
  SmallVector<size_t> outer;
  Values batch;
};

} // namespace

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Fewer rows do not fill a tile: such a sum is as fast along its columns, without panels.
static constexpr double kFewestRows = 3;

/// The loop of the sum along which both factors are consecutive.
static std::optional<size_t> commonRow(const Product &p) {
  for (size_t d : p.sum.loops)
    if (p.row.stream.hasStride(d, 1) && p.column.stream.hasStride(d, 1))
      return d;
  return std::nullopt;
}

static bool hasUnknown(const Product &p, const Group &group) {
  return llvm::any_of(group.loops,
                      [&](size_t d) { return !LoopBuilder::constantOf(p.nest.sizes[d]); });
}

bool ptc::cpu::emitContraction(LoopBuilder &l, const Nest &nest, const Isa &isa) {
  std::optional<Product> p = readProduct(nest);
  if (!p)
    return false;
  int64_t lanes = isa.lanes(p->type.getIntOrFloatBitWidth()), width = lanes * isa.tileVectors;
  Product turned = *p;
  swapRoles(turned);
  if (panelCycles(turned, lanes, isa) < panelCycles(*p, lanes, isa))
    std::swap(*p, turned);
  std::optional<Packed> packed = packedColumns(*p, width);
  std::optional<size_t> along = commonRow(*p);
  if (along && countOf(*p, Group{{*along}}) < double(lanes))
    along.reset();
  auto panels = [&] {
    Product split = *p;
    if (packed)
      nest.body->getParentOp()->getParentOfType<func::FuncOp>().setArgAttr(
          packed->memory.getArgNumber(), kPackAttr,
          l.b.getDenseI64ArrayAttr(packed->format.toNumbers()));
    else
      splitColumns(split, lanes);
    l.together([&] { Panels(l, split, isa, packed ? packed->memory : Value()).run(); });
  };
  if (!along) {
    if (countOf(*p, p->rows) < kFewestRows)
      return false;
    panels();
    return true;
  }
  auto dots = [&] {
    // Rows are the few: one row is a case of its own.
    Product few = *p;
    if (countOf(few, few.rows) > countOf(few, few.columns))
      swapRoles(few);
    l.together([&] { Dots(l, few, isa, *along).run(); });
  };
  // A number of columns or rows that only the run knows decides there; a weight lies in one way.
  if (packed && hasUnknown(*p, p->rows)) {
    panels();
  } else if (hasUnknown(*p, p->columns)) {
    Value columns = l.product(p->columns.sizesIn(p->nest));
    l.when(l.less(columns, l.index(lanes)), dots, panels);
  } else if (hasUnknown(*p, p->rows)) {
    Value rows = l.product(p->rows.sizesIn(p->nest));
    l.when(l.less(rows, l.index(lanes)), dots, panels);
  } else if (dotCycles(*p, *along, lanes) < panelCycles(*p, lanes, isa)) {
    dots();
  } else {
    panels();
  }
  return true;
}
