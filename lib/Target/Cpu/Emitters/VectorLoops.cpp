//===- VectorLoops.cpp - Nests on vectors --------------------------------------------------===//
//
// In: a nest whose body is elementwise. Out: loops with one of them in vectors: along consecutive
// elements, or every second one, of each stream that moves, from a computed place on where the body
// picks elements; single elements of those that stay.
// What is left over at the end of a row takes one masked step. A reduction runs in several
// accumulators, in vectors where it runs along the row.
//
//===----------------------------------------------------------------------===//
#include "Body.h"
#include "Emitters.h"
#include "Windows.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

/// Accumulators that hide how long an addition takes.
static constexpr int64_t kChains = 4;
/// Fewer elements are not worth a vector.
static constexpr int64_t kFewest = 4;
/// Vectors that go through a body with functions together: one alone waits for each step of their
/// polynomials.
static constexpr int64_t kTogether = 4;
/// A loop of so many turns keeps as many threads busy as there are.
static constexpr int64_t kManyTurns = 64;

namespace {

class VectorLoops {
public:
  VectorLoops(LoopBuilder &l, Nest nest, int64_t lanes, int64_t together, Combiner combiner)
      : l(l), nest(std::move(nest)), lanes(lanes), together(together),
        combiner(std::move(combiner)) {}

  void run() {
    if (nest.reduces.back())
      reduceAlongRow();
    else
      alongRow();
  }

private:
  size_t row() const { return nest.numLoops() - 1; }

  /// The results of the body at `indices`; the row's loop stands at its first lane. `count`: lanes
  /// that are there, null for all. `accumulators`
  /// take the place of the outputs' elements; without any, these are read.
  Values body(ValueRange indices, int64_t width, Value count, ValueRange accumulators) {
    IRMapping mapping;
    Value mask = maskFor(count);
    auto load = [&](const Stream &s) -> Value {
      if (s.isScalar())
        return s.pointer;
      Value address = addressOf(l, s, indices);
      if (width == 1 || s.hasStride(row(), 0))
        return loadElement(l, address, s.element);
      if (s.hasStride(row(), 2))
        return loadEverySecond(l, address, s.element, width, count);
      return loadVector(l, address, s.element, width, mask);
    };
    unsigned next = 0;
    for (const Stream &s : nest.inputs)
      mapping.map(nest.body->getArgument(next++), load(s));
    for (auto [i, s] : llvm::enumerate(nest.outputs)) {
      BlockArgument arg = nest.body->getArgument(next++);
      if (!accumulators.empty())
        mapping.map(arg, accumulators[i]);
      else if (!arg.use_empty())
        mapping.map(arg, load(s));
    }
    SmallVector<Operation *> ops;
    for (Operation &op : nest.body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(op))
        mapping.map(index.getResult(), indexValue(indices, index.getDim(), width));
      auto pick = dyn_cast<memref::LoadOp>(op);
      if (!pick) {
        ops.push_back(&op);
        continue;
      }
      cloneOnLanes(l, ops, mapping, width);
      ops.clear();
      mapping.map(pick.getResult(), picked(pick, mapping, indices, width, mask));
    }
    cloneOnLanes(l, ops, mapping, width);
    Values results;
    for (Value v : nest.body->getTerminator()->getOperands()) {
      Value result = mapping.lookupOrDefault(v);
      if (width > 1 && !isa<VectorType>(result.getType()))
        result = broadcast(l, result, width);
      results.push_back(result);
    }
    return results;
  }

  Value indexValue(ValueRange indices, size_t loop, int64_t width) {
    Value index = indices[loop];
    if (loop != row() || width == 1)
      return index;
    auto type = VectorType::get({width}, l.b.getIndexType());
    Value steps = vector::StepOp::create(l.b, type);
    return arith::AddIOp::create(l.b, broadcast(l, index, width), steps);
  }

  /// Elements of a tensor from a computed place on, along the row.
  Value picked(memref::LoadOp pick, const IRMapping &mapping, ValueRange indices, int64_t width,
               Value mask) {
    Stream from = streamOf(l, pick.getMemRef());
    Values places;
    for (Value place : pick.getIndices())
      places.push_back(mapping.lookupOrDefault(place));
    if (!places.empty())
      places.back() = indices[row()];
    Value address = addressOf(l, from, places);
    if (places.empty() || width == 1)
      return loadElement(l, address, from.element);
    return loadApart(l, address, from.element, from.strides.back(), width, mask);
  }

  Value maskFor(Value count) { return count ? maskOf(l, count, lanes) : Value(); }

  void store(const Stream &s, ValueRange indices, Value value, Value mask) {
    Value address = addressOf(l, s, indices);
    if (isa<VectorType>(value.getType()))
      storeVector(l, address, value, mask);
    else
      storeElement(l, address, value);
  }

  /// Sizes of the loops around the row that reduce, or that do not.
  Values outerSizes(bool reduces) {
    Values sizes;
    for (size_t d = 0; d < row(); ++d)
      if (nest.reduces[d] == reduces)
        sizes.push_back(nest.sizes[d]);
    return sizes;
  }
  /// One index per loop from those of the parallel and of the reducing ones and the row's.
  Values allIndices(ValueRange parallel, ValueRange reducing, Value along) {
    Values all;
    size_t p = 0, r = 0;
    for (size_t d = 0; d < row(); ++d)
      all.push_back(nest.reduces[d] ? reducing[r++] : parallel[p++]);
    all.push_back(along);
    return all;
  }

  //===--- A row that is no reduction --------------------------------------------===//
  void alongRow() {
    auto [first, end] = insideOf(l, nest, row());
    Value size = l.sub(end, first), width = l.index(lanes), many = l.index(lanes * together);
    Value big = l.add(first, l.mul(l.div(size, many), many));
    Value whole = l.add(first, l.mul(l.div(size, width), width)), rest = l.sub(end, whole);
    std::optional<size_t> outer = mostOuter();
    bool sharesRow = !outer || (turnsOf(*outer) < kManyTurns && isLonger(row(), outer));
    auto last = [&](ValueRange parallel) {
      if (together > 1)
        l.loop(big, whole, width, [&](Value i) { step(parallel, i, lanes, {}); });
      l.when(l.less(l.index(0), rest), [&] { step(parallel, whole, lanes, rest); });
      if (llvm::none_of(nest.clips, [&](const Clip &clip) { return clip.place == row(); }))
        return;
      auto single = [&](Value i) { stepOnBorder(parallel, i); };
      l.loop(l.index(0), first, l.index(1), single);
      l.loop(end, nest.sizes[row()], l.index(1), single);
    };
    overOuter(!sharesRow, [&](ValueRange parallel) {
      auto full = [&](Value i) { step(parallel, i, lanes * together, {}); };
      l.share(sharesRow, first, big, many, full, [&] { last(parallel); });
    });
  }

  /// Turns of a loop, the row's in vectors; what only the run knows counts as many.
  int64_t turnsOf(size_t loop) const {
    int64_t size = LoopBuilder::constantOf(nest.sizes[loop]).value_or(kManyTurns);
    return loop == row() ? size / lanes : size;
  }
  /// The parallel loop around the row that threads share best: the outermost one with enough turns
  /// for many threads, or the longest; none if there is none that each output names.
  std::optional<size_t> mostOuter() const {
    std::optional<size_t> best;
    for (size_t d = 0; d < row(); ++d) {
      bool isNamed = !nest.reduces[d] && llvm::none_of(nest.outputs, [&](const Stream &s) {
        return s.hasStride(d, 0);
      });
      if (!isNamed)
        continue;
      if (turnsOf(d) >= kManyTurns)
        return d;
      if (isLonger(d, best))
        best = d;
    }
    return best;
  }
  bool isLonger(size_t loop, std::optional<size_t> than) const {
    return !than || turnsOf(loop) > turnsOf(*than);
  }
  /// The parallel loops around the row, one of them shared if that is wanted.
  void overOuter(bool shares, llvm::function_ref<void(ValueRange)> turn) {
    size_t which = SIZE_MAX;
    if (std::optional<size_t> most = shares ? mostOuter() : std::nullopt)
      which = size_t(llvm::count(ArrayRef(nest.reduces).take_front(*most), false));
    l.sharedNest(outerSizes(false), which, turn);
  }

  void step(ValueRange parallel, Value i, int64_t width, Value count) {
    Value mask = maskFor(count);
    Values reducing = outerSizes(true), zeros(reducing.size(), l.index(0));
    Values at = allIndices(parallel, zeros, i), results;
    if (reducing.empty() && !nest.start) {
      results = body(at, width, count, {});
    } else {
      Values start;
      for (const Stream &s : nest.outputs)
        start.push_back(nest.start ? broadcast(l, nest.start, width)
                                   : loadVector(l, addressOf(l, s, at), s.element, width, mask));
      results = overWindow(l, nest, at, true, start, [&](ValueRange indices, ValueRange carried) {
        return body(allIndices(parallel, indices, i), width, count, carried);
      });
    }
    for (auto [s, result] : llvm::zip_equal(nest.outputs, results))
      store(s, at, result, mask);
  }

  /// One element of the row, with a window some entries of which do not count.
  void stepOnBorder(ValueRange parallel, Value i) {
    Values zeros(outerSizes(true).size(), l.index(0)), at = allIndices(parallel, zeros, i);
    Value result =
        overWindow(l, nest, at, false, nest.start, [&](ValueRange indices, ValueRange in) {
          return body(allIndices(parallel, indices, i), 1, {}, in);
        })[0];
    store(nest.outputs[0], at, result, {});
  }

  //===--- A row that is reduced ---------------------------------------------------===//
  /// Folds the lanes of `v` into one element.
  Value foldLanes(Value v) {
    for (int64_t width = lanes; width > 1; width /= 2) {
      auto half = [&](int64_t first) -> Value {
        return vector::ExtractStridedSliceOp::create(
            l.b, v, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{width / 2}, ArrayRef<int64_t>{1});
      };
      Value low = half(0), high = half(width / 2);
      v = combine(l, combiner, low, high);
    }
    return vector::ExtractOp::create(l.b, v, ArrayRef<int64_t>{0});
  }

  void reduceAlongRow() {
    Values zeros(outerSizes(true).size(), l.index(0));
    const Stream &out = nest.outputs.front();
    overOuter(true, [&](ValueRange parallel) {
      Value place = addressOf(l, out, allIndices(parallel, zeros, l.index(0)));
      Value start = loadElement(l, place, out.element);
      Value lane = broadcast(l, neutralOf(l, combiner, start), lanes);
      Values chains = l.nest(outerSizes(true), Values(kChains, lane),
                             [&](ValueRange reducing, ValueRange carried) {
                               return reduceRow(parallel, reducing, carried);
                             });
      Value sum = chains[0];
      for (int64_t c = 1; c < kChains; ++c)
        sum = combine(l, combiner, sum, chains[size_t(c)]);
      storeElement(l, place, combine(l, combiner, start, foldLanes(sum)));
    });
  }

  Values reduceRow(ValueRange parallel, ValueRange reducing, ValueRange carried) {
    Value size = nest.sizes[row()], width = l.index(lanes), many = l.index(lanes * kChains);
    Value big = l.mul(l.div(size, many), many), whole = l.mul(l.div(size, width), width);
    auto at = [&](Value i) { return allIndices(parallel, reducing, i); };
    Values chains = l.loop(l.index(0), big, many, carried, [&](Value i, ValueRange in) {
      Values out;
      for (int64_t c = 0; c < kChains; ++c)
        out.append(body(at(l.add(i, l.index(c * lanes))), lanes, {}, in[size_t(c)]));
      return out;
    });
    chains[0] = l.loop(big, whole, width, chains[0],
                       [&](Value i, ValueRange in) { return body(at(i), lanes, {}, in); })[0];
    Value rest = l.sub(size, whole), last = chains[0];
    chains[0] = l.choose(
        l.less(l.index(0), rest),
        [&] {
          Value more = body(at(whole), lanes, rest, last)[0];
          return Values{arith::SelectOp::create(l.b, maskFor(rest), more, last)};
        },
        [&] { return Values{last}; })[0];
    return chains;
  }

  LoopBuilder &l;
  Nest nest;
  int64_t lanes;
  int64_t together;  ///< vectors that are computed with as one
  Combiner combiner; ///< of a row that is reduced
};

} // namespace

/// The loop along which every stream has consecutive elements or stays; outputs move unless the
/// loop reduces. The longest known one, or the one that is not known.
static std::optional<size_t> chooseRow(const Nest &nest) {
  std::optional<size_t> best;
  int64_t most = kFewest - 1;
  for (size_t d = 0; d < nest.numLoops(); ++d) {
    auto moves = [&](const Stream &s) { return s.hasStride(d, 1); };
    auto fits = [&](const Stream &s) {
      return s.isScalar() || moves(s) || s.hasStride(d, 0) || s.hasStride(d, 2);
    };
    if (!llvm::all_of(nest.inputs, fits))
      continue;
    if (nest.reduces[d] ? llvm::none_of(nest.inputs, moves) : !llvm::all_of(nest.outputs, moves))
      continue;
    int64_t size = LoopBuilder::constantOf(nest.sizes[d]).value_or(INT64_MAX);
    if (size > most) {
      most = size;
      best = d;
    }
  }
  return best;
}

/// Whether some output is written at each step of a reducing loop, as that of a scan.
static bool writesEachStep(const Nest &nest) {
  return llvm::any_of(nest.outputs, [&](const Stream &s) {
    return llvm::any_of(llvm::seq<size_t>(0, nest.numLoops()),
                        [&](size_t d) { return nest.reduces[d] && !s.hasStride(d, 0); });
  });
}

/// Why a nest has no vectors, or the loop that they run along.
static std::pair<llvm::StringRef, size_t> findRow(const Nest &nest) {
  if (!isElementwise(*nest.body, /*mayPick=*/true))
    return {"its body does more than arithmetic on elements", 0};
  if (writesEachStep(nest))
    return {"each step of a sum is a result", 0};
  std::optional<size_t> row = chooseRow(nest);
  if (!row)
    return {"no loop of 4 turns or more has consecutive elements everywhere", 0};
  if (!picksAlong(nest, *row))
    return {"it picks elements one by one", 0};
  if (nest.reduces[*row] && !findCombiner(*nest.body))
    return {"what it reduces by has no vectors", 0};
  if (nest.readsIndices && *row + 1 != nest.numLoops()) // linalg.index counts loops in their order
    return {"it asks for indices, and its last loop has no consecutive elements", 0};
  return {"", *row};
}

/// Whether the operation becomes many dependent steps of arithmetic.
static bool isLong(Operation &op) {
  return isa<math::ExpOp, math::LogOp, math::TanhOp, math::ErfOp, math::SinOp, math::CosOp,
             math::PowFOp>(op) &&
         op.getResult(0).getType().isF32();
}

bool ptc::cpu::takesWindow(const Nest &nest) {
  auto [whyNot, row] = findRow(nest);
  return whyNot.empty() && !nest.reduces[row];
}

llvm::StringRef ptc::cpu::emitVectorLoops(LoopBuilder &l, Nest nest, const Isa &isa) {
  auto [whyNot, row] = findRow(nest);
  if (!whyNot.empty())
    return whyNot;
  int64_t lanes = isa.lanes(widestBits(nest, row));
  bool isAlone = llvm::is_contained(nest.reduces, true) ||
                 llvm::none_of(nest.body->without_terminator(), isLong);
  Combiner combiner = findCombiner(*nest.body).value_or(Combiner());
  makeInnermost(nest, row);
  VectorLoops(l, std::move(nest), lanes, isAlone ? 1 : kTogether, std::move(combiner)).run();
  return {};
}
