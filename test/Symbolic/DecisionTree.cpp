// The decision tree against a linear scan of all guards, on all points of small boxes.
#include "Symbolic/AddGuard.h"

#include "ptc/Symbolic/DecisionTree.h"

#include <catch2/catch.hpp>

#include <random>

using namespace ptc;
using namespace ptc::sym;

namespace {

constexpr int kObservables = 4;
constexpr int64_t kLow = -1, kHigh = 6; ///< kLow stands for "the call does not have it"

Observable observable(int i) {
  // Different costs: the last one is derived.
  if (i == 3)
    return {ObservableKind::Stride, "x", 0, {}};
  return {ObservableKind::Size, std::string(1, char('x' + i)), 0, {}};
}

struct RandomVariants {
  ObservableSpace space;
  std::mt19937_64 random;
  std::vector<GuardSet> variants;

  explicit RandomVariants(uint64_t seed) : random(seed) {
    for (int i = 0; i < kObservables; ++i)
      space.symbol(observable(i));
    Atom common = atom();
    bool useCommon = below(2) == 0;
    int count = 1 + below(9);
    for (int v = 0; v < count; ++v) {
      std::vector<Guard> guards;
      if (useCommon)
        add(guards, common);
      for (int n = below(5); n > 0; --n)
        add(guards, atom());
      variants.emplace_back(guards);
    }
  }

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }
  void add(std::vector<Guard> &guards, Atom atom) {
    guards.push_back({classify(space, atom), atom, {}});
  }

  Atom atom() {
    Context &c = space.context();
    Expr a = c.symbol(SymbolId(below(kObservables)));
    Expr b = c.symbol(SymbolId(below(kObservables)));
    Expr v = c.constant(below(6));
    switch (below(8)) {
    case 0:
      return *makeAtom(c, Relation::Equal, a, b);
    case 1:
      return *makeAtom(c, Relation::LessEqual, c.add(a, b), c.add(v, v));
    case 2:
      return *makeAtom(c, Relation::Equal, c.mod(a, c.constant(2 + below(3))), c.constant(0));
    case 3:
      return *makeAtom(c, Relation::NotEqual, a, v);
    case 4:
      return *makeAtom(c, Relation::LessEqual, a, v);
    case 5:
      return *makeAtom(c, Relation::GreaterEqual, a, v);
    default:
      return *makeAtom(c, Relation::Equal, a, v);
    }
  }

  std::optional<unsigned> scan(ObservableReader values) {
    for (size_t i = 0; i < variants.size(); ++i)
      if (std::all_of(variants[i].guards().begin(), variants[i].guards().end(),
                      [&](const Guard &guard) {
                        return evaluate(space.context(), guard.atom, values) == true;
                      }))
        return unsigned(i);
    return std::nullopt;
  }
};

} // namespace

TEST_CASE("tree and linear scan agree on all points of a box") {
  size_t hits = 0, misses = 0, switches = 0, ranges = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    RandomVariants r(seed);
    DecisionTree tree(r.space, r.variants);
    for (const DecisionTree::Node &node : tree.nodes()) {
      switches += node.kind == DecisionTree::Node::Kind::Switch;
      ranges += node.kind == DecisionTree::Node::Kind::Range;
    }
    std::array<int64_t, kObservables> point;
    point.fill(kLow);
    for (size_t i = 0; i < kObservables;) {
      auto values = [&](SymbolId id) {
        return point[id] == kLow ? std::nullopt : std::optional(point[id]);
      };
      std::optional<unsigned> expected = r.scan(values);
      std::optional<unsigned> got = tree.dispatch(r.space.context(), values);
      (expected ? hits : misses)++;
      if (got != expected) {
        std::string text;
        llvm::raw_string_ostream os(text);
        tree.print(os, r.space);
        FAIL("seed " << seed << " at " << point[0] << ' ' << point[1] << ' ' << point[2] << ' '
                     << point[3] << '\n'
                     << text);
      }
      for (i = 0; i < kObservables && ++point[i] > kHigh; ++i)
        point[i] = kLow;
    }
  }
  CHECK(hits > 100000);
  CHECK(misses > 100000);
  CHECK(switches > 300);
  CHECK(ranges > 100);
}

TEST_CASE("one size decides among many variants by one switch") {
  ObservableSpace space;
  std::vector<GuardSet> variants;
  auto equal = [&](ObservableKind kind, int64_t index, int64_t value) {
    Expr symbol = space.symbol({kind, "x", index, {}});
    Atom atom =
        *makeAtom(space.context(), Relation::Equal, symbol, space.context().constant(value));
    return Guard{classify(space, atom), atom, {{{"m.py", 3, 0, 0, 0}, "size needed"}}};
  };
  for (int64_t batch = 1; batch <= 64; ++batch) {
    GuardSet &set = variants.emplace_back();
    addGuard(set, equal(ObservableKind::Rank, 0, 2));
    addGuard(set, equal(ObservableKind::Size, 0, batch));
    addGuard(set, equal(ObservableKind::Size, 1, 512));
  }
  DecisionTree tree(space, variants);
  CHECK(tree.common().size() == 2);
  REQUIRE(tree.nodes().size() == 66);
  CHECK(tree.nodes()[0].cases.size() == 64);
  Observation call;
  call.addTensor("x", ObservedTensor::contiguous(DType::Float32, {17, 512}));
  CHECK(tree.dispatch(space, call) == 16u);
  call.addTensor("x", ObservedTensor::contiguous(DType::Float32, {65, 512}));
  CHECK(tree.dispatch(space, call) == std::nullopt);
  Miss miss = explainMiss(variants, space, call);
  CHECK(miss.failure.subject == "x.shape[0]");
  CHECK(miss.failure.found == "65");
  Diagnostic diag =
      diagnoseMiss(space, variants[miss.variant].guards()[miss.failure.guard], miss.failure);
  CHECK(diag.text == "no variant fits this call: x.shape[0] is 65, expected 1");
  REQUIRE(diag.attachments.size() == 2);
  CHECK(diag.attachments[0].loc.line == 3);
  CHECK(diag.attachments[1].text.find("65") != std::string::npos);
  // Wrong in everything: the rank, which comes first, is named.
  call.addTensor("x", ObservedTensor::contiguous(DType::Float32, {3}));
  CHECK(explainMiss(variants, space, call).failure.subject == "x.ndim");
}

TEST_CASE("a miss names the nearest variant") {
  ObservableSpace space;
  Context &c = space.context();
  std::vector<GuardSet> variants(3);
  for (int64_t v = 0; v < 3; ++v)
    for (const char *path : {"x", "y", "z"}) {
      Expr size = space.symbol({ObservableKind::Size, path, 0, {}});
      Atom atom = *makeAtom(c, Relation::Equal, size, c.constant(10 * v + 1));
      addGuard(variants[size_t(v)], {classify(space, atom), atom, {}});
    }
  Observation call;
  for (auto [path, size] : {std::pair("x", 11), std::pair("y", 11), std::pair("z", 21)})
    call.addTensor(path, ObservedTensor::contiguous(DType::Float32, {size}));
  CHECK(DecisionTree(space, variants).dispatch(space, call) == std::nullopt);
  Miss miss = explainMiss(variants, space, call);
  CHECK(miss.variant == 1);
  CHECK(miss.failure.subject == "z.shape[0]");
  CHECK(miss.failure.expected == "11");
}

TEST_CASE("the tree prints what it checks") {
  ObservableSpace space;
  Context &c = space.context();
  Expr x = space.symbol({ObservableKind::Size, "x", 0, {}});
  Expr y = space.symbol({ObservableKind::Size, "y", 0, {}});
  std::vector<GuardSet> variants(3);
  auto add = [&](GuardSet &set, Relation relation, Expr a, Expr b) {
    Atom atom = *makeAtom(c, relation, a, b);
    addGuard(set, {classify(space, atom), atom, {}});
  };
  add(variants[0], Relation::Equal, x, c.constant(8));
  add(variants[0], Relation::Equal, y, c.constant(3));
  add(variants[1], Relation::Equal, x, c.constant(9));
  add(variants[2], Relation::Greater, x, c.constant(16));
  DecisionTree tree(space, variants);
  std::string text;
  llvm::raw_string_ostream os(text);
  tree.print(os, space);
  CHECK(text == "x.shape[0] == 8:\n  variant 0 if y.shape[0] == 3\n"
                "x.shape[0] == 9:\n  variant 1\n"
                "otherwise:\n  variant 2 if x.shape[0] >= 17\n");
}
