//===- Dots.cpp - Products with the sum in vectors ---------------------------------------===//
//
// Where both operands are consecutive along the sum and there are few rows or columns, the sum
// itself runs through vectors.
//
//===----------------------------------------------------------------------===//
#include "Product.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

/// So many vectors are added to each accumulator one by one, blocks of them then.
static constexpr int64_t kBlock = 128;

namespace {

/// The innermost loop of the sum runs through vectors: `tall` by `wide` sums at a time.
class Dots {
public:
  Dots(LoopBuilder &l, const Product &p, const Isa &isa, size_t along)
      : l(l), p(p), isa(isa), lanes(isa.lanes(p.type.getIntOrFloatBitWidth())),
        hasPairs(ptc::cpu::hasPairs(p, isa)), taken(hasPairs ? 2 * lanes : lanes), along(along),
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
    Value loaded = loadVector(l, address, factor.stream.element, taken, mask);
    if (hasPairs)
      return loaded;
    Value made = convertFactor(l, factor, loaded, lanes);
    if (!mask || factor.made.empty())
      return made;
    // Lanes that are not there add nothing, whatever becomes of zero.
    Value zero = arith::ConstantOp::create(l.b, l.b.getZeroAttr(made.getType()));
    return arith::SelectOp::create(l.b, mask, made, zero);
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
        Value address = addressOf(l, Stream{start, p.out.element, {l.index(1)}}, offset);
        writeElement(l, p, total, address, [&](size_t i) {
          const Stream &s = p.nest.more[i];
          Value from = place(s, rows, l.add(top, l.index(r)), {});
          return addressOf(l, Stream{from, s.element, {l.index(1)}},
                           columns.offset(l, s, l.add(left, l.index(c))));
        });
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
          sum = hasPairs ? multiplyAddPairs(l, x[size_t(r)], y, sum)
                         : multiplyAdd(l, isa, x[size_t(r)], y, sum);
        }
      }
      return out;
    };
    Value size = p.nest.sizes[along], width = l.index(taken);
    Value whole = l.mul(l.div(size, width), width), rest = l.sub(size, whole);
    Values sums = inBlocks(whole, carried, [&](Value from, Value to, ValueRange init) {
      return l.loop(from, to, width, init, [&](Value k, ValueRange in) { return step(k, in, {}); });
    });
    return l.choose(
        l.less(l.index(0), rest), [&] { return step(whole, sums, maskOf(l, rest, taken)); },
        [&] { return sums; });
  }

  /// Carries 0 … size through `run`; a long way in blocks that are added up, as in panels.
  Values inBlocks(Value size, ValueRange carried,
                  llvm::function_ref<Values(Value, Value, ValueRange)> run) {
    const int64_t block = kBlock * taken;
    if (LoopBuilder::constantOf(size).value_or(INT64_MAX) <= 2 * block)
      return run(l.index(0), size, carried);
    Value zero = arith::ConstantOp::create(l.b, l.b.getZeroAttr(carried[0].getType()));
    Values zeros(carried.size(), zero);
    return l.loop(l.index(0), size, l.index(block), carried, [&](Value from, ValueRange totals) {
      Values sums = run(from, l.min(l.add(from, l.index(block)), size), zeros);
      for (auto [sum, total] : llvm::zip_equal(sums, totals))
        sum = arith::AddFOp::create(l.b, total, sum);
      return sums;
    });
  }

  LoopBuilder &l;
  const Product &p;
  const Isa &isa;
  int64_t lanes;
  bool hasPairs;
  int64_t taken; ///< elements of each factor in a step
  size_t along;
  Walk rows, columns;
  SmallVector<size_t> outer;
  Values batch;
};

} // namespace

void ptc::cpu::emitDots(LoopBuilder &l, const Product &p, const Isa &isa, size_t along) {
  Dots(l, p, isa, along).run();
}
