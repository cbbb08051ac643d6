//===- Panels.cpp - Products with columns in vectors -------------------------------------===//
//
// Columns, the loops that one operand alone names besides the output, run through vectors; a tile
// of rows by columns is kept in registers while the sum runs, an element of the row operand times
// vectors of the column operand. Columns are copied into panels [sum][columns] first, which makes
// every stride, window and remainder the same case; a weight lies in panels when the call begins.
//
//===----------------------------------------------------------------------===//
#include "Epilogue.h"
#include "Product.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

/// Entries of the sum between a prefetch of a panel and its use.
static constexpr int64_t kAhead = 64;
/// Chains of additions hide how long one takes: so many accumulators are in flight at least.
static constexpr int64_t kInFlight = 8;
/// So many entries of a sum are added up one by one, blocks of them then: the error of a sum grows
/// with the number of additions that one goes through.
static constexpr int64_t kBlock = 256;
/// So many tiles of rows ask for the panel behind the one that they go over meanwhile.
static constexpr int64_t kManyTiles = 2;
/// An epilogue of more cycles than this does not stand there for each vector of a tile.
static constexpr double kMostUnrolled = 48;

namespace {

class Panels {
public:
  /// `packed`: what the columns lie in already; null: they are copied.
  Panels(LoopBuilder &l, const Product &p, const Isa &isa, Value packed)
      : l(l), p(p), isa(isa), packed(packed), lanes(isa.lanes(p.type.getIntOrFloatBitWidth())),
        width(lanes * isa.tileVectors), rows(p, p.rows), columns(p, p.columns), sum(p, p.sum),
        numRows(l.product(rows.sizes)), numColumns(l.product(columns.sizes)),
        numSum(l.product(sum.sizes)) {
    for (size_t d : p.sum.loops)
      addSteps(p.nest.sizes[d], p.row.stream.strides[d]);
  }

  void run() {
    if (!packed)
      panel = allocate(l, l.mul(numSum, l.index(width)), p.type);
    if (!packed && (columns.loops.size() != 1 || !isShortStep(p.column.stream, columns.loops[0])))
      starts = allocate(l, l.index(width), l.b.getI64Type());
    if (!writesRows() || unrolledEpilogue(isa.tileRows) > kMostUnrolled)
      tile = allocate(l, l.index(isa.tileRows * width), p.type);
    Split split = splitOf(p, isa.tileRows, width);
    sharesTiles = split.kind == Split::Rows;
    l.sharedNest(p.batch.sizesIn(p.nest), split.batch, [&](ValueRange at) {
      row = within(p.row.stream, at);
      column = within(p.column.stream, at);
      out = within(p.out, at);
      more.clear();
      for (const Stream &s : p.nest.more)
        more.push_back(s.isScalar() ? s : within(s, at));
      auto forEachPanel = [&](llvm::function_ref<void(Value, Value)> body) {
        l.share(split.kind == Split::Columns, l.index(0), numColumns, l.index(width),
                [&](Value first) {
                  Value count = l.min(l.sub(numColumns, first), l.index(width));
                  if (packed)
                    panel = addressOf(l, Stream{packed, p.type, {numSum}}, first);
                  else
                    fillPanel(first, count);
                  body(first, count);
                });
      };
      auto rowsFirst = [&] {
        asksForNext = false;
        forEachTile([&](int64_t height, Value top) {
          forEachPanel([&](Value first, Value count) { tileOf(height, top, first, count); });
        });
      };
      auto panelsFirst = [&] {
        asksForNext = comesFromFar() && (isOrderDecided() || hasManyRows());
        forEachPanel([&](Value first, Value count) {
          forEachTile([&](int64_t height, Value top) { tileOf(height, top, first, count); });
        });
      };
      if (isOrderDecided())
        l.when(l.less(numRows, l.index(kManyTiles * isa.tileRows)), rowsFirst, panelsFirst);
      else
        keepsRows() ? rowsFirst() : panelsFirst();
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
  bool writesRows() const { return suitsVectors(p); }

  /// Whether the columns are a weight that does not stay in the second-level cache.
  bool comesFromFar() const {
    constexpr double kNearBytes = 1 << 20;
    double bytes = countOf(p, p.columns) * countOf(p, p.sum) * double(bytesOfElement());
    return packed && bytes > kNearBytes;
  }
  /// Whether several tiles go over each panel, if there are any rows.
  bool hasManyRows() const {
    int64_t rowsAtLeast = 1;
    for (Value size : rows.sizes)
      rowsAtLeast *= LoopBuilder::constantOf(size).value_or(1);
    return rowsAtLeast >= kManyTiles * isa.tileRows;
  }
  /// Whether a tile of rows meets all panels before the next one: panels that come from far away
  /// stream past it, where the rows are few enough to make that seldom.
  bool keepsRows() const { return comesFromFar() && !hasManyRows(); }
  /// Whether that is found out at run time.
  bool isOrderDecided() const { return keepsRows() && !LoopBuilder::constantOf(numRows); }

  Value convert(const Factor &factor, Value element) {
    return convertFactor(l, factor, element, lanes);
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
  /// The number of an entry in the order of loops of these sizes.
  Value numberOf(ValueRange sizes, ValueRange at) {
    Value number = l.index(0);
    for (auto [size, i] : llvm::zip_equal(sizes, at))
      number = l.add(l.mul(number, size), i);
    return number;
  }
  Value sumIndex(ValueRange at) { return numberOf(sum.sizes, at); }

  /// One more loop of the sum for the row factor: it goes on with the one before where the entries
  /// lie at equal steps, as those of a window and its channels do.
  void addSteps(Value size, Value step) {
    auto turns = LoopBuilder::constantOf(size), by = LoopBuilder::constantOf(step),
         before = stepsOfRow.empty() ? std::nullopt : LoopBuilder::constantOf(stepsOfRow.back());
    if (turns && by && before && *before == *turns * *by) {
      sizesOfRow.back() = l.mul(sizesOfRow.back(), size);
      stepsOfRow.back() = step;
      return;
    }
    sizesOfRow.push_back(size);
    stepsOfRow.push_back(step);
  }

  //===--- Tiles ---------------------------------------------------------------------===//
  /// Rows in tiles of nearly equal height: `high` of low + 1 rows, then those of `low`.
  void forEachTile(llvm::function_ref<void(int64_t, Value)> body) {
    Value tiles = l.ceilDiv(numRows, isa.tileRows);
    if (LoopBuilder::isConstant(numRows, 0))
      return;
    const bool isKnown = LoopBuilder::constantOf(numRows).has_value();
    auto split = [&] {
      Value low = l.div(numRows, tiles), high = l.sub(numRows, l.mul(low, tiles));
      if (!isKnown) { // each height stands once
        auto topOf = [&](Value t) { return l.add(l.mul(t, low), l.min(t, high)); };
        l.share(sharesTiles, l.index(0), tiles, l.index(1), [&](Value t) {
          Value top = topOf(t), height = l.sub(topOf(l.add(t, l.index(1))), top);
          l.dispatch(height, isa.tileRows, [&](int64_t h) { body(h, top); });
        });
        return;
      }
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

  /// Where the share of the panel behind this one begins that the rows from `top` on ask for.
  void startNext(Value top) {
    next = {};
    if (!asksForNext)
      return;
    Value bytes = l.mul(numSum, l.index(width * bytesOfElement()));
    Value share = l.div(l.add(bytes, l.sub(numRows, l.index(1))), numRows);
    next = byteAt(panel, l.add(bytes, l.mul(top, share)));
  }
  Value inNext(Value entry, int64_t height) {
    Value row = l.index(height * width * bytesOfElement());
    Value step = l.div(l.add(row, l.sub(numRows, l.index(1))), numRows);
    return byteAt(next, l.mul(entry, step));
  }
  int64_t bytesOfElement() const { return int64_t(p.type.getIntOrFloatBitWidth()) / 8; }
  Value byteAt(Value pointer, Value bytes) {
    return addressOf(l, Stream{pointer, l.b.getI8Type(), {l.index(1)}}, bytes);
  }

  /// Sums of `height` rows from `top` by one panel.
  Values accumulate(int64_t height, Value top) {
    startNext(top);
    Values tops;
    for (int64_t r = 0; r < height; ++r)
      tops.push_back(rows.offset(l, row, l.add(top, l.index(r))));
    int64_t numSums = height * isa.tileVectors;
    int64_t chains = std::max<int64_t>(1, kInFlight / numSums);
    auto vector = VectorType::get({lanes}, p.type);
    Value zero = arith::ConstantOp::create(l.b, l.b.getZeroAttr(vector));
    Values zeros(size_t(numSums * chains), zero);
    Value size = sizesOfRow.back();
    ValueRange sizes = sizesOfRow;
    auto run = [&](ValueRange outer, Value from, Value to, ValueRange sums) {
      return addEntries(tops, outer, from, to, sums, chains);
    };
    size_t whole = loopsOfBlock();
    Values sums =
        l.nest(sizes.drop_back(whole), zeros, [&](ValueRange outer, ValueRange carried) -> Values {
          if (!isLong())
            return run(outer, l.index(0), size, carried);
          auto added = [&](ValueRange totals, Values block) {
            for (auto [sum, total] : llvm::zip_equal(block, totals))
              sum = arith::AddFOp::create(l.b, total, sum);
            return block;
          };
          if (whole > 1)
            return added(carried, l.nest(sizes.take_back(whole).drop_back(), zeros,
                                         [&](ValueRange inner, ValueRange sums) {
                                           Values at(outer);
                                           at.append(inner.begin(), inner.end());
                                           return run(at, l.index(0), size, sums);
                                         }));
          return l.loop(l.index(0), size, l.index(kBlock), carried,
                        [&](Value from, ValueRange totals) {
                          Value to = l.min(l.add(from, l.index(kBlock)), size);
                          return added(totals, run(outer, from, to, zeros));
                        });
        });
    for (int64_t i = numSums; i < numSums * chains; ++i)
      sums[size_t(i % numSums)] =
          arith::AddFOp::create(l.b, sums[size_t(i % numSums)], sums[size_t(i)]);
    sums.truncate(size_t(numSums));
    return sums;
  }

  /// Whether the sum is added up in blocks.
  bool isLong() const {
    int64_t turns = 1;
    for (Value size : sizesOfRow) {
      std::optional<int64_t> known = LoopBuilder::constantOf(size);
      if (!known)
        return true;
      turns *= *known;
    }
    return turns > 2 * kBlock;
  }
  /// How many of the innermost loops make a block: one, which may be cut into several, or those
  /// that have no more entries than one together.
  size_t loopsOfBlock() const {
    size_t loops = 1;
    int64_t turns = LoopBuilder::constantOf(sizesOfRow.back()).value_or(kBlock);
    while (isLong() && loops < sizesOfRow.size()) {
      turns *= LoopBuilder::constantOf(sizesOfRow[sizesOfRow.size() - 1 - loops]).value_or(kBlock);
      if (turns > kBlock)
        break;
      ++loops;
    }
    return loops;
  }

  /// Adds the entries `from` … `to` - 1 of the innermost loop. Few rows take several entries at a
  /// time, each with accumulators of its own.
  Values addEntries(ArrayRef<Value> tops, ValueRange outer, Value from, Value to, ValueRange init,
                    int64_t chains) {
    const size_t numSums = init.size() / size_t(chains);
    Value step = l.index(chains);
    Value count = l.sub(to, from);
    Value whole = chains == 1 ? to : l.add(from, l.mul(l.div(count, step), step));
    auto add = [&](Value k, MutableArrayRef<Value> sums) {
      Values at(outer);
      at.push_back(k);
      addProducts(tops, at, sums);
    };
    Values out = l.loop(from, whole, step, init, [&](Value k, ValueRange in) {
      Values next(in);
      for (int64_t c = 0; c < chains; ++c)
        add(l.add(k, l.index(c)), MutableArrayRef(next).slice(size_t(c) * numSums, numSums));
      return next;
    });
    if (chains == 1)
      return out;
    return l.loop(whole, to, l.index(1), out, [&](Value k, ValueRange in) {
      Values next(in);
      add(k, MutableArrayRef(next).take_front(numSums));
      return next;
    });
  }

  /// Adds the products of the entry `at` of the sum, in loops of `sizesOfRow`.
  void addProducts(ArrayRef<Value> tops, ValueRange at, MutableArrayRef<Value> sums) {
    Value from = l.mul(numberOf(sizesOfRow, at), l.index(width)), place = l.index(0);
    for (auto [step, i] : llvm::zip_equal(stepsOfRow, at))
      place = l.add(place, l.mul(i, step));
    Values in;
    for (int64_t v = 0; v < isa.tileVectors; ++v) {
      Value entry = l.add(from, l.index(v * lanes));
      in.push_back(loadVector(l, inPanel(entry), p.type, lanes));
      // A weight comes from far away, in a row: what is read soon is asked for now.
      if (packed && !next)
        LLVM::Prefetch::create(l.b, inPanel(l.add(entry, l.index(kAhead * width))), 0, 3, 1);
    }
    if (next)
      LLVM::Prefetch::create(l.b, inNext(numberOf(sizesOfRow, at), int64_t(tops.size())), 0, 2, 1);
    for (auto [r, top] : llvm::enumerate(tops)) {
      Value element = convert(p.row, loadElement(l, move(row, l.add(top, place)), row.element));
      Value x = broadcast(l, element, lanes);
      for (int64_t v = 0; v < isa.tileVectors; ++v) {
        Value &sum = sums[r * size_t(isa.tileVectors) + size_t(v)];
        sum = multiplyAdd(l, isa, x, in[size_t(v)], sum);
      }
    }
  }

  double unrolledEpilogue(int64_t height) const {
    return epilogueCycles(p.nest) * double(height * isa.tileVectors);
  }

  void tileOf(int64_t height, Value top, Value first, Value count) {
    Values sums = accumulate(height, top);
    bool inTurn = writesRows() && unrolledEpilogue(height) > kMostUnrolled;
    for (int64_t r = 0; r < height; ++r)
      for (int64_t v = 0; v < isa.tileVectors; ++v) {
        Value result = sums[size_t(r * isa.tileVectors + v)], lane = l.index(v * lanes);
        if (writesRows() && !inTurn)
          writeVector(l.add(top, l.index(r)), l.add(first, lane), result, l.sub(count, lane));
        else
          storeVector(l, inTile(l.index(r * width + v * lanes)), result);
      }
    if (inTurn)
      writeInTurn(height, top, first, count);
    else if (!writesRows())
      scatterTile(height, top, first, count);
  }

  Value inTile(Value elements) {
    return addressOf(l, Stream{tile, p.type, {l.index(1)}}, elements);
  }

  /// Rows of a tile in memory, one after the other: an epilogue of many operations stands once.
  void writeInTurn(int64_t height, Value top, Value first, Value count) {
    l.loop(l.index(0), l.index(height), l.index(1), [&](Value r) {
      for (int64_t v = 0; v < isa.tileVectors; ++v) {
        Value lane = l.index(v * lanes);
        Value sums = loadVector(l, inTile(l.add(l.mul(r, l.index(width)), lane)), p.type, lanes);
        writeVector(l.add(top, r), l.add(first, lane), sums, l.sub(count, lane));
      }
    });
  }

  /// Writes what the sums of one row, from column `first` on, become; `left`: columns from there.
  void writeVector(Value rowAt, Value first, Value sums, Value left) {
    auto write = [&](Value mask) {
      auto addressIn = [&](const Stream &s) {
        return move(s, l.add(rows.offset(l, s, rowAt), columns.offset(l, s, first)));
      };
      Value whole = sums, address = addressIn(out);
      if (!p.nest.startsAtZero) {
        Value begin = p.nest.accumulator ? addressIn(more[*p.nest.accumulator]) : address;
        whole = arith::AddFOp::create(l.b, loadVector(l, begin, p.type, lanes, mask), sums);
      }
      Value result = finish(l, p.nest, whole, lanes, [&](size_t i) {
        const Stream &s = more[i];
        if (s.isScalar())
          return s.pointer;
        Value from = addressIn(s);
        return s.hasStride(columns.loops[0], 0) ? loadElement(l, from, s.element)
                                                : loadVector(l, from, s.element, lanes, mask);
      });
      storeVector(l, address, result, mask);
    };
    l.when(
        l.less(left, l.index(lanes)), [&] { write(maskOf(l, left, lanes)); }, [&] { write({}); });
  }

  /// Writes a tile in memory to an output whose columns do not lie together.
  void scatterTile(int64_t height, Value top, Value first, Value count) {
    l.loop(l.index(0), count, l.index(1), [&](Value j) {
      Value column = l.add(first, j);
      auto partIn = [&](const Stream &s) { return columns.offset(l, s, column); };
      Value start = partIn(out);
      for (int64_t r = 0; r < height; ++r) {
        Value rowAt = l.add(top, l.index(r));
        Value address = move(out, l.add(start, rows.offset(l, out, rowAt)));
        Value sum = loadElement(l, inTile(l.add(l.index(r * width), j)), p.type);
        writeElement(l, p, sum, address, [&](size_t i) {
          return move(more[i], l.add(partIn(more[i]), rows.offset(l, more[i], rowAt)));
        });
      }
    });
  }

  LoopBuilder &l;
  const Product &p;
  const Isa &isa;
  Value packed;
  int64_t lanes, width;
  Walk rows, columns, sum;
  Value numRows, numColumns, numSum;
  Values sizesOfRow, stepsOfRow; ///< loops of the sum, as few as the row factor needs
  Value panel, tile, starts;
  bool asksForNext = false; ///< tiles ask for the panel behind the one at hand
  Value next;               ///< what the tile at hand asks for of the panel behind; null: nothing
  Stream row, column, out;  ///< of the batch at hand
  SmallVector<Stream> more; ///< what its epilogue reads
  bool sharesTiles = false;
};

} // namespace

void ptc::cpu::emitPanels(LoopBuilder &l, const Product &p, const Isa &isa, Value packed) {
  Panels(l, p, isa, packed).run();
}
