// ShapeEnv: which sizes become symbols, what is proven, what becomes a guard, what is forgotten.
#include "ptc/Symbolic/ShapeEnv.h"

#include <catch2/catch.hpp>

#include <random>

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

TEST_CASE("equalities are followed to the end") {
  ObservableSpace space;
  std::vector<Observation> examples{call({8, 8}), call({9, 8})};
  DynamicDims dims(examples, DynamicMode::All);
  ShapeEnv env(space, dims, examples.front());
  auto x = env.addTensor("x", at(1));
  CHECK(x[0] != x[1]);
  CHECK(env.decide(Relation::Equal, x[0], x[1], at(2)) == true);
  CHECK(env.simplify(x[1]) == env.simplify(x[0]));
  CHECK(env.specialize(x[0], at(3)) == 8);
  CHECK(env.simplify(x[1]).is(8));
  CHECK(env.decide(Relation::Less, x[1], env.context().constant(9), at(4)) == true);
  GuardSet set = env.guards();
  CHECK(std::none_of(set.guards().begin(), set.guards().end(),
                     [](const Guard &guard) { return guard.origins.front().loc.line == 4; }));
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

TEST_CASE("values whose bits are INT64_MIN are guarded") {
  ObservableSpace space;
  Observation example;
  example.addFloat("scale", -0.0);
  example.addInt("k", Interval::kMin);
  DynamicDims dims;
  ShapeEnv env(space, dims, example);
  env.specializeValue("scale", at(1));
  Expr k = env.addInt("k", at(2));
  CHECK(env.decide(Relation::Equal, k, env.context().constant(Interval::kMin), at(3)) == true);
  CHECK(env.simplify(k).asConstant() == Interval::kMin);
  CHECK(holds(env.guards(), space, example));
  Observation other = example;
  other.values.at("scale").real = 0.0;
  CHECK_FALSE(holds(env.guards(), space, other));
  other = example;
  other.values.at("k").number = Interval::kMax;
  CHECK_FALSE(holds(env.guards(), space, other));
}

TEST_CASE("any argument can be specialised to what it is") {
  Observation example;
  example.addNone("none");
  example.addBool("flag", true);
  example.addInt("k", 5);
  example.addFloat("scale", 0.5);
  example.addString("mode", "fast");
  ObservedValue list, dict, object, dtype, device;
  list.tag = ValueTag::List;
  list.length = 2;
  dict.tag = ValueTag::Dict;
  dict.length = 1;
  dict.keys = {"'a'"};
  object.tag = ValueTag::Object;
  object.text = "Config";
  object.keys = {"depth"};
  dtype.tag = ValueTag::DType;
  dtype.number = dtypeCode(DType::Int8);
  device.tag = ValueTag::Device;
  device.number = deviceCode(kDeviceCpu);
  example.add("list", list);
  example.add("dict", dict);
  example.add("object", object);
  example.add("dtype", dtype);
  example.add("device", device);
  ObservableSpace space;
  DynamicDims dims;
  ShapeEnv env(space, dims, example);
  for (const auto &[path, value] : example.values)
    env.specializeValue(path, at(1));
  GuardSet set = env.guards();
  CHECK(holds(set, space, example));
  // Each value changed in turn, first to None, then to another one of its type.
  for (const auto &[path, value] : example.values) {
    INFO(path);
    Observation changed = example;
    if (value.tag == ValueTag::None)
      changed.addInt(path, 0);
    else
      changed.addNone(path);
    CHECK_FALSE(holds(set, space, changed));
    if (value.tag == ValueTag::None)
      continue;
    changed = example;
    ObservedValue &other = changed.values.at(path);
    other.number ^= 1;
    other.real += 1;
    other.text += "x";
    other.length += 1;
    other.keys.emplace_back("more");
    CHECK_FALSE(holds(set, space, changed));
  }
  // Equal in all but the keys, or all but the class.
  Observation keys = example, renamed = example;
  keys.values.at("dict").keys = {"'b'"};
  renamed.values.at("object").text = "Other";
  CHECK_FALSE(holds(set, space, keys));
  CHECK_FALSE(holds(set, space, renamed));
}

TEST_CASE("declared sizes are facts; narrowing one is an error") {
  std::vector<Observation> examples{call({8, 6}, {8, 6})};
  DeclaredSizes declared{{{{"x", 0}, "B"}, {{"y", 0}, "B"}}, {{"B", 1, 64}}, {}};
  declared.add({"B", 0, 32});
  DynamicDims dims(examples, DynamicMode::Auto, declared);
  for (bool allow : {false, true}) {
    ObservableSpace space;
    ShapeEnv env(space, dims, examples.front(), {allow, false, nullptr});
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

//===----------------------------------------------------------------------===//
// Random decisions
//===----------------------------------------------------------------------===//

namespace {

/// Asks random questions about two sizes, a number and a run-time size, with rollbacks in between,
/// and keeps every answer.
struct RandomDecisions {
  struct Answer {
    Relation relation;
    Expr a, b;
    bool truth;
  };
  struct Replaced {
    Expr original, simplified;
  };

  std::mt19937_64 random;
  ObservableSpace space;
  std::vector<Observation> examples;
  DynamicDims dims;
  ShapeEnv env;
  std::vector<Expr> symbols;
  std::vector<Answer> answers;
  std::vector<Answer> assumptions; ///< about the run-time size
  std::vector<Replaced> replaced;
  Expr runTime;

  explicit RandomDecisions(uint64_t seed)
      : random(seed), examples{call({2 + below(5), 7 + below(3)}, {}, below(9) - 4)},
        dims(examples, DynamicMode::All), env(space, dims, examples.front()) {
    auto x = env.addTensor("x", at(1));
    runTime = env.createUnbacked(0, 9);
    symbols = {x[0], x[1], env.addInt("k", at(1)), runTime};
  }

  int64_t below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); }

  Expr expr() {
    Context &c = env.context();
    Expr a = symbols[size_t(below(4))], b = symbols[size_t(below(4))], k = c.constant(1 + below(4));
    switch (below(8)) {
    case 0:
      return c.add(c.mul(k, a), b);
    case 1:
      return c.sub(a, c.mul(k, b));
    case 2:
      return c.floordiv(a, k);
    case 3:
      return c.mod(a, k);
    case 4:
      return c.min(a, b);
    case 5:
      return c.mul(a, b);
    default:
      return a;
    }
  }

  void step() {
    Context &c = env.context();
    Relation relation = Relation(below(6));
    Expr a = expr(), b = below(2) ? expr() : c.constant(below(12) - 2);
    if (below(6) == 0) {
      // What is assumed of a run-time size must not restrict the inputs: nothing checks it there.
      Expr bound = c.constant(below(12));
      env.assume(relation, runTime, bound);
      assumptions.push_back({relation, runTime, bound, true});
      return;
    }
    if (std::optional<bool> truth = env.decide(relation, a, b, at(2)))
      answers.push_back({relation, a, b, *truth});
    Expr e = expr();
    replaced.push_back({e, env.simplify(e)});
  }

  bool satisfiesAssumptions(Context::Assignment value) {
    return std::all_of(assumptions.begin(), assumptions.end(), [&](const Answer &assumed) {
      return compare(*env.context().evaluate(assumed.a, value), assumed.relation,
                     *env.context().evaluate(assumed.b, value));
    });
  }

  void steps(int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      step();
  }
};

} // namespace

TEST_CASE("strides that are asked are guarded where some call's memory may say nothing of them") {
  std::vector<Observation> examples{call({3, 6})};
  for (auto [least, isGuarded] : {std::pair(0, true), std::pair(1, true), std::pair(2, false)}) {
    DeclaredSizes declared{{{{"x", 0}, "B"}}, {{"B", least, 8}}, {}};
    DynamicDims dims(examples, DynamicMode::Auto, declared);
    ObservableSpace space;
    ShapeEnv env(space, dims, examples[0]);
    env.strides("x", at(1));
    CHECK(env.specializeIdleStrides("x", at(2)));
    Observation other = call({1, 6});
    other.values.find("x")->second.tensor.strides = {0, 1};
    INFO(least);
    CHECK(!holds(env.guards(), space, other));
    CHECK(llvm::is_contained(sizeGuards(env, space), "x.stride(0) == 6") == isGuarded);
  }
}

TEST_CASE("wherever the guards hold, every answer is right") {
  size_t points = 0, answers = 0, guards = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    RandomDecisions r(seed);
    r.steps(r.below(6));
    auto before = std::tuple(r.answers.size(), r.replaced.size(), r.assumptions.size());
    ShapeEnv::Mark mark = r.env.mark();
    r.steps(r.below(4));
    if (r.below(2)) {
      r.env.rollback(mark);
      r.answers.resize(std::get<0>(before));
      r.replaced.resize(std::get<1>(before));
      r.assumptions.resize(std::get<2>(before));
      r.steps(r.below(4));
    }
    answers += r.answers.size();
    GuardSet set = r.env.guards();
    guards += set.size();
    REQUIRE(holds(set, r.space, r.examples.front()));
    Context &c = r.env.context();
    for (int64_t x = 0; x < 12; ++x)
      for (int64_t y = 0; y < 12; ++y)
        for (int64_t k = -5; k < 6; ++k) {
          if (!holds(set, r.space, call({x, y}, {}, k)))
            continue;
          for (int64_t u = 0; u < 10; ++u) {
            auto value = [&](SymbolId id) -> std::optional<int64_t> {
              auto source = r.env.source(id);
              if (!source)
                return u;
              if (source->kind == ObservableKind::Value)
                return k;
              return source->index == 0 ? x : y;
            };
            if (!r.satisfiesAssumptions(value))
              continue;
            ++points;
            for (const auto &answer : r.answers)
              if (compare(*c.evaluate(answer.a, value), answer.relation,
                          *c.evaluate(answer.b, value)) != answer.truth)
                FAIL("seed " << seed << " at " << x << ' ' << y << ' ' << k << ' ' << u << ": "
                             << c.str(answer.a) << ' ' << getRelationName(answer.relation).str()
                             << ' ' << c.str(answer.b) << " was answered " << answer.truth);
            for (const auto &e : r.replaced)
              if (c.evaluate(e.original, value) != c.evaluate(e.simplified, value))
                FAIL("seed " << seed << ": " << c.str(e.original) << " became "
                             << c.str(e.simplified));
          }
        }
  }
  CHECK(points > 10000);
  CHECK(answers > 800);
  CHECK(guards > 2500);
}
