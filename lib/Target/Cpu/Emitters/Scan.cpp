//===- Scan.cpp - Running totals
//----------------------------------------------------------------===//
//
// In: a nest along one of whose loops a total is carried that each step also writes, elementwise.
// Out: loops with the totals in registers: vectors of neighbouring lines where elements of these
// are consecutive, else several lines at a time, so that they need not wait for each other.
//
//===----------------------------------------------------------------------===//
#include "Body.h"
#include "Emitters.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

/// Lines that are walked together hide how long an addition takes.
static constexpr int64_t kLines = 4;

namespace {
class ScanLoops {
public:
  ScanLoops(LoopBuilder &l, const Nest &nest, size_t along, int64_t lanes)
      : l(l), nest(nest), along(along), lanes(lanes) {}

  /// Vectors take `across`, a loop whose elements are consecutive.
  void inVectors(size_t across) {
    Value width = l.index(lanes), whole = l.mul(l.div(nest.sizes[across], width), width);
    Value rest = l.sub(nest.sizes[across], whole);
    overOuter(across, [&](Values at) {
      auto some = [&](Value first, Value count) {
        at[across] = first;
        walk({at}, across, lanes, count ? maskOf(l, count, lanes) : Value());
      };
      auto last = [&] { l.when(l.less(l.index(0), rest), [&] { some(whole, rest); }); };
      l.share(!hasOuter(across), l.index(0), whole, width, [&](Value i) { some(i, {}); }, last);
    });
  }

  /// Single elements of several lines, which loop `across` tells apart.
  void inLines(size_t across) {
    Value many = l.index(kLines), size = nest.sizes[across];
    Value whole = l.mul(l.div(size, many), many);
    overOuter(across, [&](Values at) {
      auto some = [&](Value first, int64_t lines) {
        SmallVector<Values> places(size_t(lines), at);
        for (int64_t i = 0; i < lines; ++i)
          places[size_t(i)][across] = l.add(first, l.index(i));
        walk(places, across, 1, {});
      };
      auto rest = [&] { l.loop(whole, size, l.index(1), [&](Value i) { some(i, 1); }); };
      l.share(!hasOuter(across), l.index(0), whole, many, [&](Value i) { some(i, kLines); }, rest);
    });
  }
  void oneLine() { walk({Values(nest.numLoops(), l.index(0))}, SIZE_MAX, 1, {}); }

private:
  bool isTotal(const Stream &s) const { return s.hasStride(along, 0); }
  bool hasOuter(size_t across) const {
    for (size_t d = 0; d < nest.numLoops(); ++d)
      if (d != along && d != across && !LoopBuilder::isConstant(nest.sizes[d], 1))
        return true;
    return false;
  }
  /// The loops but the line's and `across`, the longest of them shared.
  void overOuter(size_t across, llvm::function_ref<void(Values)> body) {
    Values sizes;
    SmallVector<size_t> loops;
    size_t shared = 0;
    auto turns = [](Value size) { return LoopBuilder::constantOf(size).value_or(kTypicalSize); };
    for (size_t d = 0; d < nest.numLoops(); ++d) {
      if (d == along || d == across)
        continue;
      if (!sizes.empty() && turns(nest.sizes[d]) > turns(sizes[shared]))
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

  Value load(const Stream &s, ValueRange at, size_t across, int64_t width, Value mask) {
    if (s.isScalar())
      return s.pointer;
    Value address = addressOf(l, s, at);
    if (width == 1 || s.hasStride(across, 0))
      return loadElement(l, address, s.element);
    return loadVector(l, address, s.element, width, mask);
  }
  void store(const Stream &s, ValueRange at, Value v, int64_t width, Value mask) {
    if (width > 1 && !isa<VectorType>(v.getType()))
      v = broadcast(l, v, width);
    Value address = addressOf(l, s, at);
    isa<VectorType>(v.getType()) ? storeVector(l, address, v, mask) : storeElement(l, address, v);
  }

  /// One step at `at`: writes what it gives, and returns the totals.
  Values step(ValueRange at, size_t across, int64_t width, Value mask, ValueRange totals) {
    IRMapping mapping;
    unsigned next = 0;
    for (const Stream &s : nest.inputs)
      mapping.map(nest.body->getArgument(next++), load(s, at, across, width, mask));
    size_t total = 0;
    for (const Stream &s : nest.outputs) {
      BlockArgument arg = nest.body->getArgument(next++);
      if (isTotal(s))
        mapping.map(arg, totals[total++]);
      else if (!arg.use_empty())
        mapping.map(arg, load(s, at, across, width, mask));
    }
    SmallVector<Operation *> ops;
    for (Operation &op : nest.body->without_terminator())
      ops.push_back(&op);
    cloneOnLanes(l, ops, mapping, width);
    Values after;
    for (auto [s, v] : llvm::zip_equal(nest.outputs, nest.body->getTerminator()->getOperands())) {
      Value result = mapping.lookupOrDefault(v);
      if (!isTotal(s))
        store(s, at, result, width, mask);
      else if (width > 1 && !isa<VectorType>(result.getType()))
        after.push_back(broadcast(l, result, width));
      else
        after.push_back(result);
    }
    return after;
  }

  /// Walks the lines of `places` together.
  void walk(SmallVector<Values> places, size_t across, int64_t width, Value mask) {
    Values start;
    size_t numTotals = 0;
    for (Values &at : places) {
      at[along] = l.index(0);
      numTotals = 0;
      for (const Stream &s : nest.outputs)
        if (isTotal(s)) {
          Value v = load(s, at, across, width, mask);
          start.push_back(width > 1 && !isa<VectorType>(v.getType()) ? broadcast(l, v, width) : v);
          ++numTotals;
        }
    }
    Values end =
        l.loop(l.index(0), nest.sizes[along], l.index(1), start, [&](Value i, ValueRange totals) {
          Values after;
          for (auto [n, at] : llvm::enumerate(places)) {
            at[along] = i;
            after.append(step(at, across, width, mask, totals.slice(n * numTotals, numTotals)));
          }
          return after;
        });
    size_t next = 0;
    for (Values &at : places) {
      at[along] = l.index(0);
      for (const Stream &s : nest.outputs)
        if (isTotal(s))
          store(s, at, end[next++], width, mask);
    }
  }

  LoopBuilder &l;
  const Nest &nest;
  size_t along;
  int64_t lanes;
};
} // namespace

/// The loop of totals: the only one that reduces, along which some output moves and some stays.
static std::optional<size_t> lineOf(const Nest &nest) {
  if (llvm::count(nest.reduces, true) != 1 || nest.readsIndices || !isElementwise(*nest.body))
    return std::nullopt;
  size_t along = size_t(llvm::find(nest.reduces, true) - nest.reduces.begin());
  auto stays = [&](const Stream &s) { return s.hasStride(along, 0); };
  if (llvm::all_of(nest.outputs, stays) || llvm::none_of(nest.outputs, stays))
    return std::nullopt;
  return along;
}

bool ptc::cpu::emitScan(LoopBuilder &l, const Nest &nest, const Isa &isa) {
  std::optional<size_t> along = lineOf(nest);
  if (!along)
    return false;
  int64_t lanes = isa.lanes(widestBits(nest));
  ScanLoops loops(l, nest, *along, lanes);
  std::optional<size_t> most;
  auto turns = [&](size_t d) {
    return LoopBuilder::constantOf(nest.sizes[d]).value_or(kTypicalSize);
  };
  for (size_t d = 0; d < nest.numLoops(); ++d) {
    if (d == *along)
      continue;
    auto moves = [&](const Stream &s) { return s.hasStride(d, 1); };
    auto fits = [&](const Stream &s) { return s.isScalar() || moves(s) || s.hasStride(d, 0); };
    if (turns(d) >= lanes && llvm::all_of(nest.inputs, fits) && llvm::all_of(nest.outputs, moves)) {
      loops.inVectors(d);
      return true;
    }
    if (!most || turns(d) > turns(*most))
      most = d;
  }
  most ? loops.inLines(*most) : loops.oneLine();
  return true;
}
