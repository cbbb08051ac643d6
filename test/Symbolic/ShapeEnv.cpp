// ShapeEnv: which sizes become symbols, what is proven, what becomes a guard, what is forgotten.
#include "ptc/Symbolic/ShapeEnv.h"

#include <catch2/catch.hpp>

using namespace ptc;
using namespace ptc::sym;

namespace {

Observation call(llvm::ArrayRef<int64_t> x, llvm::ArrayRef<int64_t> y = {}, int64_t k = 4) {
  Observation observation;
  observation.addTensor("x", ObservedTensor::contiguous(DType::Float32, x));
  if (!y.empty())
    observation.addTensor("y", ObservedTensor::contiguous(DType::Float32, y));
  observation.addInt("k", k);
  observation.addFloat("scale", 0.5);
  return observation;
}

GuardOrigin at(uint32_t line, std::string reason = "needed") {
  return {{"model.py", line, 0, 0, 0}, std::move(reason)};
}

/// Formulas about sizes, strides and numbers: the rest is the same for all tensors.
std::vector<std::string> sizeGuards(const ShapeEnv &env, const ObservableSpace &space) {
  std::vector<std::string> texts;
  GuardSet set = env.guards();
  for (const Guard &guard : set.guards())
    if (guard.kind >= GuardKind::SizeEqual)
      texts.push_back(atomText(space, guard.atom));
  return texts;
}

using Texts = std::vector<std::string>;
const std::optional<bool> kOpen;

} // namespace

TEST_CASE("what --dynamic makes of sizes") {
  struct Row {
    const char *what;
    DynamicMode mode;
    std::vector<Observation> examples;
    Texts guards;
  };
  for (const Row &row : {
           Row{"none: all static",
               DynamicMode::None,
               {call({8, 6}), call({9, 6})},
               {"x.shape[0] == 8", "x.shape[1] == 6"}},
           {"auto: what differs is a symbol",
            DynamicMode::Auto,
            {call({8, 6}), call({9, 6})},
            {"x.shape[1] == 6", "x.shape[0] >= 2"}},
           {"auto: one example is static",
            DynamicMode::Auto,
            {call({8, 6})},
            {"x.shape[0] == 8", "x.shape[1] == 6"}},
           {"all: everything, 1 specialises",
            DynamicMode::All,
            {call({8, 6, 1})},
            {"x.shape[2] == 1", "x.shape[0] >= 2", "x.shape[1] >= 2"}},
           {"all: equal sizes share",
            DynamicMode::All,
            {call({8, 6}, {6, 8})},
            {"x.shape[0] >= 2", "x.shape[1] >= 2", "x.shape[1] == y.shape[0]",
             "x.shape[0] == y.shape[1]"}},
           {"auto: equal in one example only is no relation",
            DynamicMode::Auto,
            {call({8}, {8}), call({9}, {7})},
            {"x.shape[0] >= 2", "y.shape[0] >= 2"}},
           {"auto: the example with 1 has its own variant",
            DynamicMode::Auto,
            {call({1}), call({9})},
            {"x.shape[0] == 1"}},
       }) {
    INFO(row.what);
    ObservableSpace space;
    DynamicDims dims(row.examples, row.mode);
    ShapeEnv env(space, dims, row.examples.front());
    (void)env.addTensor("x", at(1));
    if (row.examples.front().find("y"))
      (void)env.addTensor("y", at(1));
    CHECK(sizeGuards(env, space) == row.guards);
    CHECK(holds(env.guards(), space, row.examples.front()));
  }
}

TEST_CASE("decisions: proven, guarded, or left to the caller") {
  ObservableSpace space;
  std::vector<Observation> examples{call({8, 6}, {6, 3})};
  DynamicDims dims(examples, DynamicMode::All);
  ShapeEnv env(space, dims, examples.front());
  Context &c = env.context();
  auto x = env.addTensor("x", at(1));
  auto y = env.addTensor("y", at(2));
  CHECK(x[1] == y[0]);
  size_t before = env.guards().size();
  // Proven: no guard.
  CHECK(env.decide(Relation::Equal, x[1], y[0], at(3)) == true);
  CHECK(env.decide(Relation::Equal, x[0], c.constant(1), at(3)) == false);
  CHECK(env.decide(Relation::Less, c.constant(2), c.constant(3), at(3)) == true);
  CHECK(env.decide(Relation::GreaterEqual, c.mul(x[0], x[1]), c.constant(4), at(3)) == true);
  CHECK(env.guards().size() == before);
  // Decided by the example, guarded once; what follows is proven.
  CHECK(env.decide(Relation::Greater, x[0], c.constant(5), at(4, "branch")) == true);
  CHECK(env.guards().size() == before + 1);
  CHECK(env.decide(Relation::Greater, x[0], c.constant(4), at(5)) == true);
  CHECK(env.decide(Relation::LessEqual, c.mul(x[0], c.constant(2)), c.constant(9), at(5)) == false);
  CHECK(env.decide(Relation::Equal, x[0], y[1], at(6)) == false);
  CHECK(env.decide(Relation::NotEqual, x[0], y[1], at(6)) == true);
  CHECK(env.decide(Relation::Less, x[1], x[0], at(7)) == true);
  CHECK(env.decide(Relation::LessEqual, x[1], c.add(x[0], c.constant(1)), at(7)) == true);
  CHECK(env.guards().size() == before + 3);
  // An equality replaces.
  CHECK(env.decide(Relation::Equal, c.mod(x[0], c.constant(4)), c.constant(0), at(8)) == true);
  CHECK(env.specialize(y[1], at(9)) == 3);
  CHECK(env.simplify(c.mul(y[1], x[0])) == c.mul(c.constant(3), x[0]));
  CHECK(holds(env.guards(), space, examples.front()));
  CHECK_FALSE(holds(env.guards(), space, call({8, 6}, {6, 4})));
  CHECK_FALSE(holds(env.guards(), space, call({10, 6}, {6, 3})));
  CHECK(holds(env.guards(), space, call({12, 7}, {7, 3})));
  // Run-time sizes are never decided by a hint, but by facts.
  Expr u = env.createUnbacked(0, 100);
  CHECK(env.decide(Relation::Equal, u, c.constant(1), at(10)) == kOpen);
  CHECK(env.decide(Relation::LessEqual, u, c.constant(100), at(10)) == true);
  env.assume(Relation::LessEqual, u, x[0]);
  CHECK(env.decide(Relation::Less, u, c.add(x[0], c.constant(1)), at(10)) == true);
  env.assume(Relation::Equal, u, x[1]);
  CHECK(env.simplify(u) == x[1]);
  CHECK(env.specialize(env.createUnbacked(), at(11)) == std::nullopt);
  CHECK(env.decide(Relation::Equal, Expr(), Expr(), at(11)) == kOpen);
}

TEST_CASE("rollback forgets guards and facts") {
  ObservableSpace space;
  std::vector<Observation> examples{call({8, 6})};
  DynamicDims dims(examples, DynamicMode::All);
  ShapeEnv env(space, dims, examples.front());
  Context &c = env.context();
  auto x = env.addTensor("x", at(1));
  CHECK(env.decide(Relation::Less, x[1], x[0], at(2)) == true);
  Texts before = sizeGuards(env, space);
  ShapeEnv::Mark mark = env.mark();
  CHECK(env.specialize(x[0], at(3)) == 8);
  CHECK(env.simplify(x[0]).is(8));
  CHECK(env.prove(Relation::Less, x[1], c.constant(8)) == true);
  env.rollback(mark);
  CHECK(sizeGuards(env, space) == before);
  CHECK(env.simplify(x[0]) == x[0]);
  CHECK(env.prove(Relation::Less, x[1], c.constant(8)) == kOpen);
  CHECK(env.prove(Relation::Less, x[1], x[0]) == true);
  CHECK(env.specialize(x[0], at(4)) == 8);
  CHECK(sizeGuards(env, space).size() == before.size() + 1);
}

TEST_CASE("strides guard order and density, or values") {
  ObservableSpace space;
  std::vector<Observation> examples{call({8, 6}, {4, 5})};
  examples[0].values["y"].tensor.strides = {1, 4};
  ObservedTensor broadcast = ObservedTensor::contiguous(DType::Float32, {3, 5});
  broadcast.strides = {0, 1};
  examples[0].addTensor("z", broadcast);
  DynamicDims dims(examples, DynamicMode::All);
  ShapeEnv env(space, dims, examples.front());
  Context &c = env.context();
  auto x = env.addTensor("x", at(1));
  auto y = env.addTensor("y", at(1));
  auto z = env.addTensor("z", at(1));
  size_t before = env.guards().size();
  CHECK(env.strides("x", at(2)) == llvm::SmallVector<Expr, 4>{x[1], c.constant(1)});
  CHECK(env.strides("x", at(2))[1].isOne());
  CHECK(env.strides("y", at(2)) == llvm::SmallVector<Expr, 4>{c.constant(1), y[0]});
  CHECK(env.strides("z", at(2)) == llvm::SmallVector<Expr, 4>{c.constant(0), c.constant(1)});
  CHECK(env.guards().size() == before + 4);
  CHECK(z.size() == 2);
  Observation other = examples.front();
  other.values["z"].tensor.strides = {5, 1};
  CHECK(holds(env.guards(), space, examples.front()));
  CHECK_FALSE(holds(env.guards(), space, other));
}

TEST_CASE("numbers are run-time values until a branch needs them") {
  ObservableSpace space;
  std::vector<Observation> examples{call({8})};
  DynamicDims dims(examples, DynamicMode::Auto);
  ShapeEnv env(space, dims, examples.front());
  Expr k = env.addInt("k", at(1));
  CHECK(k == env.addInt("k", at(1)));
  CHECK(sizeGuards(env, space).empty());
  CHECK(env.decide(Relation::Greater, k, env.context().constant(3), at(2)) == true);
  CHECK_FALSE(env.decideFloat("scale", Relation::Greater, 0.5, at(3)));
  CHECK(sizeGuards(env, space) == Texts{"k >= 4", "not scale > 0.5"});
  CHECK_FALSE(holds(env.guards(), space, call({8}, {}, 3)));
  CHECK(holds(env.guards(), space, call({8}, {}, 77)));
}

TEST_CASE("declared sizes are facts; narrowing one is an error") {
  std::vector<Observation> examples{call({8, 6}, {8, 6})};
  std::vector<DeclaredDim> declared{{{"x", 0}, "B", 1, 64}, {{"y", 0}, "B", 0, 32}};
  DynamicDims dims(examples, DynamicMode::Auto, declared);
  for (bool allow : {false, true}) {
    ObservableSpace space;
    ShapeEnv env(space, dims, examples.front(), {allow});
    Context &c = env.context();
    auto x = env.addTensor("x", at(1));
    auto y = env.addTensor("y", at(1));
    CHECK(x[0] == y[0]);
    CHECK(c.symbolInfo(x[0]).kind == SymbolKind::Declared);
    CHECK(env.decide(Relation::LessEqual, x[0], c.constant(32), at(2)) == true);
    CHECK(env.decide(Relation::GreaterEqual, x[0], c.constant(1), at(2)) == true);
    CHECK(env.narrowings().empty());
    ShapeEnv::Mark mark = env.mark();
    CHECK(env.decide(Relation::Equal, x[0], c.constant(8), at(31, "branch took the true side")) ==
          true);
    REQUIRE(env.narrowings().size() == (allow ? 0 : 1));
    if (!allow) {
      const Diagnostic &diag = env.narrowings()[0];
      CHECK(diag.loc.line == 31);
      CHECK(diag.text.find("x.shape[0] == 8") != std::string::npos);
      CHECK(diag.text.find('B') != std::string::npos);
    }
    CHECK_FALSE(holds(env.guards(), space, call({9, 6}, {9, 6})));
    env.rollback(mark);
    CHECK(env.narrowings().empty());
    CHECK(holds(env.guards(), space, call({9, 6}, {9, 6})));
    CHECK_FALSE(holds(env.guards(), space, call({33, 6}, {33, 6})));
    CHECK_FALSE(holds(env.guards(), space, call({9, 6}, {8, 6})));
  }
}
