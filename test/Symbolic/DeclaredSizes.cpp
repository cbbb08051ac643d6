// Names of sizes: what declarations make of them in a call, and which calls fit.
#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

#include <catch2/catch.hpp>

using namespace ptc;
using namespace ptc::sym;

/// A call with vectors x, y, … of these sizes, and an int n.
static Observation callOf(std::vector<int64_t> sizes, int64_t n = 1) {
  Observation call;
  for (size_t i = 0; i < sizes.size(); ++i)
    call.addTensor(std::string(1, char('x' + i)),
                   ObservedTensor::contiguous(DType::Float32, {sizes[i]}));
  call.addInt("n", n);
  return call;
}

static DeclaredDim dimOf(const char *path, const char *size) { return {{path, 0}, size}; }

TEST_CASE("sizes are what was declared of them") {
  constexpr Relation kEqual = Relation::Equal;
  struct Row {
    std::vector<DeclaredDim> dims;
    std::vector<SizeDomain> domains;
    std::vector<SizeFact> facts;
    std::vector<int64_t> example;
    std::vector<std::string> sizes; ///< of x, y, … as the program has them
    std::vector<std::vector<int64_t>> fits, misses;
  };
  for (const Row &row : std::vector<Row>{
           {{dimOf("x", "B"), dimOf("y", "B")},
            {{"B", 1, 64}},
            {},
            {8, 8},
            {"B", "B"},
            {{1, 1}, {64, 64}},
            {{0, 0}, {65, 65}, {8, 9}}},
           {{dimOf("x", "L"), dimOf("y", "L + 1")},
            {{"L", 16, 512}},
            {{"L", kEqual, "16*K"}},
            {32, 33},
            {"16*K", "16*K + 1"},
            {{16, 17}, {512, 513}},
            {{40, 41}, {528, 529}, {0, 1}, {32, 32}}},
           {{dimOf("x", "L")},
            {},
            {{"L % 4", kEqual, "3"}},
            {7},
            {"4*L_4 + 3"},
            {{3}, {11}},
            {{4}}},
           {{dimOf("x", "16*K"), dimOf("y", "K")},
            {},
            {},
            {32, 2},
            {"16*K", "K"},
            {{0, 0}, {16, 1}},
            {{32, 3}}},
           {{dimOf("x", "P + L"), dimOf("y", "P")},
            {{"L", 1}},
            {},
            {9, 4},
            {"L + P", "P"},
            {{5, 4}, {1, 0}},
            {{4, 4}, {3, 4}}},
           {{dimOf("x", "3 - K")}, {}, {}, {1}, {"-K + 3"}, {{0}, {3}}, {{4}}},
           {{dimOf("x", "B")}, {{"B", 1, 9, {2, 4}}}, {}, {4}, {"4"}, {{4}, {2}, {9}}, {{10}}},
           {{dimOf("x", "B")},
            {{"B", 0, {}, {2, 4}, true}},
            {},
            {2},
            {"2"},
            {{4}, {2}},
            {{3}, {0}}},
           {{dimOf("x", "L")},
            {{"K", 0, {}, {2, 4}, true}},
            {{"L", kEqual, "3*K"}},
            {6},
            {"6"},
            {{12}},
            {{9}, {7}}},
           {{dimOf("x", "A"), dimOf("y", "B")},
            {},
            {{"A", Relation::Less, "B"}, {"A + B", Relation::LessEqual, "9"}},
            {2, 5},
            {"A", "B"},
            {{4, 5}},
            {{5, 5}, {4, 6}}}}) {
    DynamicDims dims({}, DynamicMode::None, {row.dims, row.domains, row.facts});
    Observation example = callOf(row.example);
    ObservableSpace space;
    ShapeEnv env(space, dims, example);
    REQUIRE(llvm::toString(env.declareSizes()).empty());
    CHECK_FALSE(env.contradictsDeclared());
    for (size_t i = 0; i < row.sizes.size(); ++i) {
      Expr size = env.addTensor(std::string(1, char('x' + i)), {})[0];
      INFO(row.dims[i].size);
      std::optional<Expr> wanted = env.context().parse(row.sizes[i]);
      REQUIRE(wanted);
      CHECK(size == *wanted);
      CHECK(env.hint(size) == row.example[i]);
    }
    for (const auto &sizes : row.fits) {
      INFO(row.dims[0].size << " is " << sizes[0]);
      CHECK(fitsDeclared(dims, callOf(sizes)));
    }
    for (const auto &sizes : row.misses) {
      INFO(row.dims[0].size << " is " << sizes[0]);
      CHECK_FALSE(fitsDeclared(dims, callOf(sizes)));
    }
  }
}

TEST_CASE("what is a multiple is proven to be one") {
  DynamicDims dims({}, DynamicMode::None,
                   {{dimOf("x", "L")}, {{"L", 16, 512}}, {{"L % 16", Relation::Equal, "0"}}});
  Observation example = callOf({64});
  ObservableSpace space;
  ShapeEnv env(space, dims, example);
  Context &c = env.context();
  Expr size = env.addTensor("x", {})[0];
  size_t before = env.guards().size();
  auto of = [&](int64_t v) { return c.constant(v); };
  CHECK(env.prove(Relation::Equal, c.mul(of(16), c.floordiv(size, of(16))), size) == true);
  CHECK(env.prove(Relation::Equal, c.mod(size, of(8)), of(0)) == true);
  CHECK(env.prove(Relation::GreaterEqual, size, of(16)) == true);
  CHECK(env.prove(Relation::LessEqual, c.floordiv(size, of(16)), of(32)) == true);
  CHECK(env.guards().size() == before);
  // What the program asks is asked of the size, not of its quotient.
  CHECK(env.decide(Relation::Greater, size, of(32), {}) == true);
  GuardSet guards = env.guards();
  CHECK(llvm::any_of(guards.guards(), [&](const Guard &guard) {
    return atomText(space, guard.atom) == "x.shape[0] >= 33";
  }));
}

TEST_CASE("a name that nothing says is an error") {
  DynamicDims dims({}, DynamicMode::None, {{dimOf("x", "P + L")}, {}, {}});
  Observation example = callOf({3});
  ObservableSpace space;
  ShapeEnv env(space, dims, example);
  std::vector<Diagnostic> diags = takeDiagnostics(env.declareSizes());
  REQUIRE(diags.size() == 1);
  CHECK(diags[0].id == DiagId::InputSpecMalformed);
  CHECK(diags[0].text.find("nothing says what P, L is") != std::string::npos);
}

TEST_CASE("a number that is a size") {
  DynamicDims dims({}, DynamicMode::None,
                   {{dimOf("x", "L"), {{"n", DimRef::kNumber}, "2*L"}}, {}, {}});
  Observation example = callOf({3}, 6);
  ObservableSpace space;
  ShapeEnv env(space, dims, example);
  Expr size = env.addTensor("x", {})[0];
  CHECK(env.addInt("n", {}) == env.context().mul(env.context().constant(2), size));
  CHECK(fitsDeclared(dims, callOf({4}, 8)));
  CHECK_FALSE(fitsDeclared(dims, callOf({4}, 7)));
}

TEST_CASE("declarations of one name meet") {
  DeclaredSizes sizes;
  sizes.dims = {dimOf("x", "B"), dimOf("y", "2*B"), dimOf("z", "B")};
  sizes.add({"B", 1, 64, {1, 8}, false, 8});
  sizes.add({"B", 0, 32, {4}});
  sizes.facts = {{"B", Relation::NotEqual, "7"}};
  CHECK(
      sizes.lines() ==
      std::vector<std::string>{
          "B in 1..32, typically 8, with variants of their own for {1,4,8}: x.shape[0], z.shape[0]",
          "2*B: y.shape[0]", "B != 7"});
  CHECK(sizes.typicalSize() > 7.99);
  CHECK(sizes.typicalSize() < 8.01);
  sizes.add({"B", 0, {}, {1, 2}, true});
  CHECK(sizes.lines().front() == "B in {1,2}, typically 8: x.shape[0], z.shape[0]");
}
