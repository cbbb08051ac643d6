//===- Order.cpp - Sorts, first entries of an order
//---------------------------------------------===//
//
// In: operations that say which order they are about (plan::OrderAttr). Out: lines sorted byte by
// byte, the few first entries of a line, or the very first one. All compare keys: integers that are
// less for what comes before, so that floats, NaN and descending orders are one case.
//
//===----------------------------------------------------------------------===//
#include "Emitters.h"

#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

/// So many first entries are kept in order while the line passes.
static constexpr int64_t kMostKept = 32;
/// Shorter lines are ordered as fast by counting.
static constexpr int64_t kShortLine = 32;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// Keys of elements of one type, as signed integers; on scalars and on vectors.
class Keys {
public:
  Keys(LoopBuilder &l, Type element, plan::OrderAttr order)
      : l(l), element(element), order(order), width(std::max(element.getIntOrFloatBitWidth(), 8U)) {
  }

  Type type() const { return l.b.getIntegerType(width); }
  unsigned bits() const { return width; }

  Value of(Value x) {
    Type ints = like(x, type());
    Value key = element.isInteger(1)  ? arith::ExtUIOp::create(l.b, ints, x).getResult()
                : element.isInteger() ? x
                                      : ofFloat(arith::BitcastOp::create(l.b, ints, x));
    if (order.getIsUnsigned())
      key = arith::XOrIOp::create(l.b, key, number(ints, APInt::getSignedMinValue(width)));
    if (element.isInteger() && order.getDescending())
      key = flipped(key);
    return key;
  }
  /// A key that nothing comes behind.
  Value last(Type like) { return number(like, APInt::getSignedMaxValue(width)); }
  Value number(Type like, APInt v) {
    auto scalar = IntegerAttr::get(type(), v);
    auto vector = dyn_cast<VectorType>(like);
    return arith::ConstantOp::create(
        l.b, vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(scalar))) : scalar);
  }

private:
  static Type like(Value x, Type scalar) {
    auto vector = dyn_cast<VectorType>(x.getType());
    return vector ? Type(vector.clone(scalar)) : scalar;
  }
  Value flipped(Value key) {
    return arith::XOrIOp::create(l.b, key, number(key.getType(), APInt::getAllOnes(width)));
  }
  /// Of the bits of a float: zeros of both signs are one.
  Value ofFloat(Value bits) {
    Type ints = bits.getType();
    APInt infinity = APFloat::getInf(cast<FloatType>(element).getFloatSemantics()).bitcastToAPInt();
    Value magnitude =
        arith::AndIOp::create(l.b, bits, number(ints, APInt::getSignedMaxValue(width)));
    Value isNan =
        arith::CmpIOp::create(l.b, arith::CmpIPredicate::sgt, magnitude, number(ints, infinity));
    Value isNegative = arith::CmpIOp::create(l.b, arith::CmpIPredicate::slt, bits,
                                             number(ints, APInt::getZero(width)));
    Value negated = arith::SubIOp::create(l.b, number(ints, APInt::getZero(width)), magnitude);
    Value key = arith::SelectOp::create(l.b, isNegative, negated, magnitude);
    if (order.getDescending())
      key = flipped(key);
    Value end = number(ints, order.getNanFirst() ? APInt::getSignedMinValue(width)
                                                 : APInt::getSignedMaxValue(width));
    return arith::SelectOp::create(l.b, isNan, end, key);
  }

  LoopBuilder &l;
  Type element;
  plan::OrderAttr order;
  unsigned width;
};

/// Memory of a line: consecutive elements of one type.
class Row {
public:
  Row(Value pointer, Type element, LoopBuilder &l) : s{pointer, element, {l.index(1)}} {}
  static Row make(LoopBuilder &l, Value size, Type element) {
    return {allocate(l, size, element), element, l};
  }
  Value load(LoopBuilder &l, Value i) const {
    return loadElement(l, addressOf(l, s, i), s.element);
  }
  void store(LoopBuilder &l, Value i, Value v) const { storeElement(l, addressOf(l, s, i), v); }
  Value pointer() const { return s.pointer; }

private:
  Stream s;
};
} // namespace

static Value less(LoopBuilder &l, Value x, Value y) {
  return arith::CmpIOp::create(l.b, arith::CmpIPredicate::slt, x, y);
}
static Value select(LoopBuilder &l, Value c, Value x, Value y) {
  return arith::SelectOp::create(l.b, c, x, y);
}

/// Whether the body compares and chooses elements as they are read: nothing was fused into it.
static bool comparesElements(Block &body) {
  auto isRead = [&](Value v) {
    return v.getType().isIndex() || isa<BlockArgument>(v) ||
           isa_and_nonnull<arith::IndexCastOp, arith::ExtUIOp>(v.getDefiningOp());
  };
  return llvm::all_of(body.without_terminator(), [&](Operation &op) {
    if (isa<arith::CmpFOp, arith::CmpIOp>(op))
      return llvm::all_of(op.getOperands(), isRead);
    return isa<arith::SelectOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ConstantOp,
               arith::IndexCastOp, arith::ExtUIOp, arith::AddIOp, linalg::IndexOp>(op);
  });
}

//===----------------------------------------------------------------------===//
// Places of entries
//===----------------------------------------------------------------------===//

namespace {
/// The order of the entries of every line: which entry comes at each of the first places.
class Sorter {
public:
  Sorter(LoopBuilder &l, Stream entries, Stream places, Values sizes, Value length,
         plan::OrderAttr order, const Isa &isa)
      : l(l), entries(std::move(entries)), places(std::move(places)), sizes(std::move(sizes)),
        length(length), dim(size_t(order.getDim())), keys(l, this->entries.element, order),
        lanes(isa.lanes(keys.bits())) {
    // Places fit 32 bits where the line does.
    auto known = LoopBuilder::constantOf(length);
    place = l.b.getIntegerType(known && *known <= INT32_MAX ? 32 : 64);
  }

  void run() {
    Value count = sizes[dim];
    auto few = LoopBuilder::constantOf(count);
    Values outer;
    std::optional<size_t> shared;
    for (size_t d = 0; d < sizes.size(); ++d)
      if (d != dim) {
        if (!shared && !LoopBuilder::isConstant(sizes[d], 1))
          shared = outer.size();
        outer.push_back(sizes[d]);
      }
    l.sharedNest(outer, shared.value_or(0), [&](ValueRange at) {
      Values indices(at);
      indices.insert(indices.begin() + int64_t(dim), l.index(0));
      Stream in = advance(l, entries, indices), out = advance(l, places, indices);
      if (few && *few <= kMostKept)
        keepFirst(in, out, *few);
      else
        sort(in, out, count);
    });
  }

private:
  Value elementAt(const Stream &line, Value i) {
    return addressOf(l, Stream{line.pointer, line.element, {line.strides[dim]}}, i);
  }
  Value keyAt(const Stream &in, Value i) {
    return keys.of(loadElement(l, elementAt(in, i), in.element));
  }
  void writePlace(const Stream &out, Value i, Value from) {
    Value at = elementAt(out, i);
    Value wide = place.isInteger(64)
                     ? from
                     : arith::ExtUIOp::create(l.b, l.b.getI64Type(), from).getResult();
    storeElement(l, at, wide);
  }
  Value asPlace(Value i) { return arith::IndexCastOp::create(l.b, place, i); }
  Value asIndex(Value v) { return arith::IndexCastUIOp::create(l.b, l.b.getIndexType(), v); }

  //===--- A few -------------------------------------------------------------------===//
  /// The kept ones lie in order; one that comes before the last of them moves up to its place.
  void keepFirst(const Stream &in, const Stream &out, int64_t few) {
    Row kept = Row::make(l, l.index(few), keys.type()), from = Row::make(l, l.index(few), place);
    Value end = l.index(few), one = l.index(1);
    auto insert = [&](Value at, Value key, Value i) {
      kept.store(l, at, key);
      from.store(l, at, asPlace(i));
      l.loop(l.index(0), at, one, [&](Value step) {
        Value j = l.sub(at, step), above = l.sub(j, one);
        Value x = kept.load(l, above), y = kept.load(l, j);
        Value p = from.load(l, above), q = from.load(l, j), swaps = less(l, y, x);
        kept.store(l, above, select(l, swaps, y, x));
        kept.store(l, j, select(l, swaps, x, y));
        from.store(l, above, select(l, swaps, q, p));
        from.store(l, j, select(l, swaps, p, q));
      });
    };
    Value last = l.index(few - 1);
    auto see = [&](Value i) {
      Value key = keyAt(in, i);
      l.when(less(l, key, kept.load(l, last)), [&] { insert(last, key, i); });
    };
    l.loop(l.index(0), end, one, [&](Value i) { insert(i, keyAt(in, i), i); });
    Value rest = end;
    if (in.hasStride(dim, 1)) { // most vectors have nothing for the few
      Value width = l.index(lanes);
      rest = l.add(end, l.mul(l.div(l.sub(length, end), width), width));
      l.loop(end, rest, width, [&](Value i) {
        Value x = loadVector(l, elementAt(in, i), in.element, lanes);
        Value comes = less(l, keys.of(x), broadcast(l, kept.load(l, last), lanes));
        Value any = vector::ReductionOp::create(l.b, vector::CombiningKind::OR, comes);
        l.when(any, [&] { l.loop(i, l.add(i, width), one, see); });
      });
    }
    l.loop(rest, length, one, see);
    l.loop(l.index(0), end, one, [&](Value i) { writePlace(out, i, from.load(l, i)); });
  }

  //===--- All -----------------------------------------------------------------------===//
  /// By the bytes of the keys from the lowest, each time in the order of before; where all keys
  /// have the same byte, nothing moves.
  void sort(const Stream &in, const Stream &out, Value count) {
    constexpr int64_t kDigits = 256;
    int64_t numBytes = keys.bits() / 8;
    Row counts = Row::make(l, l.index(kDigits * numBytes), place);
    Row key = Row::make(l, length, keys.type()), otherKey = Row::make(l, length, keys.type());
    Row from = Row::make(l, length, place), otherFrom = Row::make(l, length, place);
    Value one = l.index(1), digits = l.index(kDigits);
    Value none = arith::ConstantOp::create(l.b, l.b.getZeroAttr(place));
    Value unit = arith::ConstantOp::create(l.b, l.b.getIntegerAttr(place, 1));
    Value sign = keys.number(keys.type(), APInt::getSignedMinValue(keys.bits()));
    l.loop(l.index(0), l.index(kDigits * numBytes), one,
           [&](Value i) { counts.store(l, i, none); });
    l.loop(l.index(0), length, one, [&](Value i) {
      Value k = arith::XOrIOp::create(l.b, keyAt(in, i), sign); // bytes have no sign
      key.store(l, i, k);
      from.store(l, i, asPlace(i));
      for (int64_t byte = 0; byte < numBytes; ++byte) {
        Value at = l.add(digitOf(k, byte), l.index(byte * kDigits));
        counts.store(l, at, arith::AddIOp::create(l.b, counts.load(l, at), unit));
      }
    });
    Values now{key.pointer(), from.pointer(), otherKey.pointer(), otherFrom.pointer()};
    for (int64_t byte = 0; byte < numBytes; ++byte) {
      Value base = l.index(byte * kDigits);
      Row keyNow(now[0], keys.type(), l), fromNow(now[1], place, l);
      Value first = l.add(digitOf(keyNow.load(l, l.index(0)), byte), base);
      Value isOne = l.compare(arith::CmpIPredicate::eq, asIndex(counts.load(l, first)), length);
      now = l.choose(
          isOne, [&] { return now; },
          [&] {
            Row keyNext(now[2], keys.type(), l), fromNext(now[3], place, l);
            l.loop(l.index(0), digits, one, Values{none}, [&](Value d, ValueRange before) {
              Value at = l.add(base, d), here = counts.load(l, at);
              counts.store(l, at, before[0]);
              return Values{arith::AddIOp::create(l.b, before[0], here)};
            });
            l.loop(l.index(0), length, one, [&](Value i) {
              Value k = keyNow.load(l, i), at = l.add(digitOf(k, byte), base);
              Value to = counts.load(l, at);
              counts.store(l, at, arith::AddIOp::create(l.b, to, unit));
              keyNext.store(l, asIndex(to), k);
              fromNext.store(l, asIndex(to), fromNow.load(l, i));
            });
            return Values{now[2], now[3], now[0], now[1]};
          });
    }
    Row sorted(now[1], place, l);
    l.loop(l.index(0), count, one, [&](Value i) { writePlace(out, i, sorted.load(l, i)); });
  }

  Value digitOf(Value key, int64_t byte) {
    Value shifted = arith::ShRUIOp::create(
        l.b, key, keys.number(keys.type(), APInt(keys.bits(), uint64_t(byte) * 8)));
    Value low =
        arith::AndIOp::create(l.b, shifted, keys.number(keys.type(), APInt(keys.bits(), 255)));
    return asIndex(low);
  }

  LoopBuilder &l;
  Stream entries, places;
  Values sizes;
  Value length;
  size_t dim;
  Keys keys;
  int64_t lanes;
  Type place;
};
} // namespace

static plan::OrderAttr orderOf(linalg::GenericOp op) {
  return op->getAttrOfType<plan::OrderAttr>(plan::kOrderAttr);
}

bool ptc::cpu::emitSort(LoopBuilder &l, linalg::GenericOp counting, linalg::GenericOp placing,
                        const Isa &isa) {
  plan::OrderAttr order = orderOf(placing);
  if (!order || orderOf(counting) != order || counting.getNumDpsInputs() != 2 ||
      placing.getNumDpsInputs() != 1 || !comparesElements(*counting.getBody()) ||
      !comparesElements(*placing.getBody()))
    return false;
  std::optional<Nest> before = readNest(l, counting), after = readNest(l, placing);
  if (!before || !after)
    return false;
  Value length = before->sizes.back();
  auto known = LoopBuilder::constantOf(length);
  if (known && *known <= kShortLine)
    return false;
  // Counting has a loop more, which reads the others of a line; so has placing.
  auto withoutLast = [](Stream s) {
    s.strides.pop_back();
    return s;
  };
  Values sizes(ArrayRef(after->sizes).drop_back());
  Sorter(l, withoutLast(before->inputs[0]), withoutLast(after->outputs[0]), sizes, length, order,
         isa)
      .run();
  return true;
}

//===----------------------------------------------------------------------===//
// The first entry
//===----------------------------------------------------------------------===//

namespace {
/// The first entry of every line and its place.
class FirstFinder {
public:
  FirstFinder(LoopBuilder &l, const Nest &nest, plan::OrderAttr order, int64_t lanes)
      : l(l), nest(nest), in(nest.inputs[0]), dim(size_t(order.getDim())), lanes(lanes),
        keys(l, in.element, order) {}

  /// Lanes are parts of one line, which lies in consecutive elements.
  void alongLine() {
    overLines(SIZE_MAX, [&](Values at) {
      auto places = VectorType::get({lanes}, place());
      Value width = l.index(lanes), whole = l.mul(l.div(nest.sizes[dim], width), width);
      Values first{keys.last(vectorOfKeys()),
                   arith::ConstantOp::create(l.b, l.b.getZeroAttr(places))};
      auto step = [&](Value i, Value count, ValueRange best) {
        at[dim] = i;
        Value mask = count ? maskOf(l, count, lanes) : Value();
        Value key = keys.of(loadVector(l, addressOf(l, in, at), in.element, lanes, mask));
        if (mask)
          key = select(l, mask, key, keys.last(key.getType()));
        Value steps = vector::StepOp::create(l.b, VectorType::get({lanes}, l.b.getIndexType()));
        Value here = arith::AddIOp::create(l.b, broadcast(l, i, lanes), steps);
        return better(key, arith::IndexCastOp::create(l.b, places, here), best);
      };
      Values best = l.loop(l.index(0), whole, width, first,
                           [&](Value i, ValueRange best) { return step(i, {}, best); });
      Value rest = l.sub(nest.sizes[dim], whole);
      best = l.choose(
          l.less(l.index(0), rest), [&] { return step(whole, rest, best); }, [&] { return best; });
      Value least = vector::ReductionOp::create(l.b, vector::CombiningKind::MINSI, best[0]);
      Value isLeast =
          arith::CmpIOp::create(l.b, arith::CmpIPredicate::eq, best[0], broadcast(l, least, lanes));
      Value none = arith::ConstantOp::create(
          l.b, DenseElementsAttr::get(
                   places,
                   Attribute(l.b.getIntegerAttr(place(), APInt::getSignedMaxValue(placeBits())))));
      Value from = vector::ReductionOp::create(l.b, vector::CombiningKind::MINUI,
                                               select(l, isLeast, best[1], none));
      at[dim] = arith::IndexCastOp::create(l.b, l.b.getIndexType(), from);
      Value value = loadElement(l, addressOf(l, in, at), in.element);
      at[dim] = l.index(0);
      storeElement(l, addressOf(l, nest.outputs[0], at), value);
      storeElement(l, addressOf(l, nest.outputs[1], at),
                   arith::ExtUIOp::create(l.b, l.b.getI64Type(), from));
    });
  }

  /// Each lane has a line of its own: loop `row` passes from one to the next.
  void acrossLines(size_t row) {
    overLines(row, [&](Values at) {
      Value width = l.index(lanes), whole = l.mul(l.div(nest.sizes[row], width), width);
      auto some = [&](Value first, Value count) {
        Value mask = count ? maskOf(l, count, lanes) : Value();
        at[row] = first;
        auto places = VectorType::get({lanes}, place());
        auto load = [&](Value i) {
          at[dim] = i;
          return loadVector(l, addressOf(l, in, at), in.element, lanes, mask);
        };
        Value start = load(l.index(0));
        Values best{keys.of(start), arith::ConstantOp::create(l.b, l.b.getZeroAttr(places)), start};
        best = l.loop(l.index(1), nest.sizes[dim], l.index(1), best, [&](Value i, ValueRange best) {
          Value x = load(i), key = keys.of(x);
          Value comes = less(l, key, best[0]);
          Value here = broadcast(l, arith::IndexCastOp::create(l.b, place(), i), lanes);
          return Values{select(l, comes, key, best[0]), select(l, comes, here, best[1]),
                        select(l, comes, x, best[2])};
        });
        at[dim] = l.index(0);
        storeVector(l, addressOf(l, nest.outputs[0], at), best[2], mask);
        Value wide =
            arith::ExtUIOp::create(l.b, VectorType::get({lanes}, l.b.getI64Type()), best[1]);
        storeVector(l, addressOf(l, nest.outputs[1], at), wide, mask);
      };
      l.loop(l.index(0), whole, width, [&](Value i) { some(i, {}); });
      Value rest = l.sub(nest.sizes[row], whole);
      l.when(l.less(l.index(0), rest), [&] { some(whole, rest); });
    });
  }

private:
  Type place() { return l.b.getI32Type(); }
  unsigned placeBits() { return 32; }
  VectorType vectorOfKeys() { return VectorType::get({lanes}, keys.type()); }
  Values better(Value key, Value here, ValueRange best) {
    Value comes = less(l, key, best[0]);
    return {select(l, comes, key, best[0]), select(l, comes, here, best[1])};
  }
  /// The loops around, the longest of them shared; `row` and the line stand at 0.
  void overLines(size_t row, llvm::function_ref<void(Values)> body) {
    Values sizes;
    SmallVector<size_t> loops;
    size_t shared = 0;
    for (size_t d = 0; d < nest.numLoops(); ++d) {
      if (d == dim || d == row)
        continue;
      int64_t size = LoopBuilder::constantOf(nest.sizes[d]).value_or(kTypicalSize);
      if (!sizes.empty() && size > LoopBuilder::constantOf(sizes[shared]).value_or(kTypicalSize))
        shared = sizes.size();
      sizes.push_back(nest.sizes[d]);
      loops.push_back(d);
    }
    l.sharedNest(sizes, shared, [&](ValueRange given) {
      Values at(nest.numLoops(), l.index(0));
      for (auto [d, i] : llvm::zip_equal(loops, given))
        at[d] = i;
      body(at);
    });
  }

  LoopBuilder &l;
  const Nest &nest;
  const Stream &in;
  size_t dim;
  int64_t lanes;
  Keys keys;
};
} // namespace

bool ptc::cpu::emitFirst(LoopBuilder &l, linalg::GenericOp op, const Nest &nest, const Isa &isa) {
  plan::OrderAttr order = orderOf(op);
  if (!order || nest.inputs.size() != 1 || nest.outputs.size() != 2 ||
      !comparesElements(*nest.body) || nest.outputs[0].element != nest.inputs[0].element ||
      !nest.readsIndices) // lines of one entry have no place to tell, and loops may be gone
    return false;
  auto dim = size_t(order.getDim());
  auto length = LoopBuilder::constantOf(nest.sizes[dim]);
  if (!length || *length < 1 || *length > INT32_MAX)
    return false;
  int64_t lanes = isa.lanes(std::max(nest.inputs[0].element.getIntOrFloatBitWidth(), 32U));
  FirstFinder finder(l, nest, order, lanes);
  if (nest.inputs[0].hasStride(dim, 1) && *length >= 2 * lanes) {
    finder.alongLine();
    return true;
  }
  for (size_t d = 0; d < nest.numLoops(); ++d)
    if (d != dim && nest.inputs[0].hasStride(d, 1) && nest.outputs[0].hasStride(d, 1) &&
        nest.outputs[1].hasStride(d, 1)) {
      finder.acrossLines(d);
      return true;
    }
  return false;
}
