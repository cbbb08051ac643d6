// Guards: for each kind one call that passes and one that fails, normal forms and texts of atoms,
// what a miss says.
#include "Symbolic/AddGuard.h"

#include "GuardRows.h"

#include <set>

using namespace ptc;
using namespace ptc::sym;

TEST_CASE("each guard kind: one call that passes, one that fails") {
  std::set<GuardKind> covered;
  for (const KindRow &row : kindRows()) {
    ObservableSpace space;
    std::optional<Atom> atom = row.atom(space);
    REQUIRE(atom.has_value());
    INFO(row.text);
    CHECK(atomText(space, *atom) == row.text);
    CHECK(classify(space, *atom) == row.kind);
    covered.insert(row.kind);
    GuardSet set;
    addGuard(set, {row.kind, *atom, {{{"model.py", 12, 0, 0, 0}, "line 12 needed it"}}});
    Observation call = baseCall();
    CHECK(holds(set, space, call));
    CHECK_FALSE(findFailure(set, space, call).has_value());
    row.breakIt(call);
    CHECK_FALSE(holds(set, space, call));
    std::optional<GuardFailure> failure = findFailure(set, space, call);
    REQUIRE(failure.has_value());
    CHECK(failure->expected == row.expected);
    CHECK(failure->found == row.found);
    Diagnostic diag = diagnoseMiss(space, set.guards()[0], *failure);
    std::string found = failure->found; // of several values: "6, y.shape[0] = 5"
    if (size_t equals = found.find(" = "); equals != std::string::npos) {
      CHECK(diag.attachments[1].text.find(failure->subject + " = " + found) != std::string::npos);
      found.replace(equals, 3, " is ");
    }
    CHECK(diag.text == "no variant fits this call: " + failure->subject + " is " + found +
                           ", expected " + failure->expected);
    REQUIRE(diag.attachments.size() == 2);
    CHECK(diag.attachments[0].loc.line == 12);
  }
  for (const GuardKindInfo &info : getAllGuardKindInfos()) {
    INFO(info.name.str());
    CHECK(covered.count(info.kind) == 1);
    CHECK(parseGuardKind(info.keyword) == info.kind);
  }
  for (const ObservableInfo &info : getAllObservableInfos())
    CHECK(parseObservableKind(info.keyword) == info.kind);
}

TEST_CASE("atoms have a normal form") {
  struct Row {
    const char *a;
    Relation relation;
    const char *b;
    const char *text;
  };
  for (const Row &row : {
           Row{"x0 + 1", Relation::Equal, "y0 + 1", "x.shape[0] == y.shape[0]"},
           {"4*x0", Relation::Less, "10", "x.shape[0] <= 2"},
           {"4*x0", Relation::Equal, "8", "x.shape[0] == 2"},
           {"x0", Relation::Less, "y0", "x.shape[0] < y.shape[0]"},
           {"x0*y0", Relation::GreaterEqual, "2", "x.shape[0]*y.shape[0] >= 2"},
           {"0", Relation::Equal, "x0 - 3", "x.shape[0] == 3"},
           {"x0 % 8", Relation::NotEqual, "0", "x.shape[0] % 8 != 0"},
           {"x0 // 2", Relation::Equal, "y0", "y.shape[0] == x.shape[0] // 2"},
       }) {
    ObservableSpace space;
    // Symbols in a fixed order.
    space.symbol({ObservableKind::Size, "x", 0, {}});
    space.symbol({ObservableKind::Size, "y", 0, {}});
    std::optional<Atom> atom = relation(row.a, row.relation, row.b)(space);
    REQUIRE(atom.has_value());
    CHECK(atomText(space, *atom) == row.text);
    std::optional<Atom> opposite = negate(space.context(), *atom);
    REQUIRE(opposite.has_value());
    for (int64_t x = 0; x < 20; ++x)
      for (int64_t y = 0; y < 6; ++y) {
        auto values = [&](SymbolId id) { return std::optional(id == 0 ? x : y); };
        CHECK(evaluate(space.context(), *atom, values) !=
              evaluate(space.context(), *opposite, values));
      }
  }
  ObservableSpace space;
  CHECK(isTrue(space.context(), *relation("2*x0", Relation::Equal, "7")(space)) == false);
  CHECK(isTrue(space.context(), *relation("x0", Relation::GreaterEqual, "0")(space)) == true);
}

TEST_CASE("an atom has no factor that is positive by its bounds") {
  Context context;
  Expr n = context.symbol({.name = "n", .lower = 1}), b = context.symbol({.name = "b", .lower = 1});
  Expr z = context.symbol({.name = "z", .lower = 0}), one = context.constant(1);
  auto times = [&](Expr x, Expr y) { return context.mul(x, y); };
  Expr squares = times(n, n);
  for (Relation relation : {Relation::Equal, Relation::NotEqual, Relation::Less,
                            Relation::LessEqual, Relation::Greater, Relation::GreaterEqual}) {
    CHECK(makeAtom(context, relation, squares, times(b, squares)) ==
          makeAtom(context, relation, one, b));
    CHECK(makeAtom(context, relation, times(n, z), times(times(b, n), z)) ==
          makeAtom(context, relation, z, times(b, z)));
    CHECK(makeAtom(context, relation, times(b, z), z) != makeAtom(context, relation, b, one));
  }
  CHECK(makeAtom(context, Relation::Less, context.add(n, one), times(b, n)) !=
        makeAtom(context, Relation::Less, one, b));
}

TEST_CASE("numbers are compared with every constant of 64 bits") {
  constexpr int64_t kMin = Interval::kMin, kMax = Interval::kMax;
  const int64_t ends[] = {kMin, kMin + 1, kMin + 2, -5, -1, 0, 1, 5, kMax - 1, kMax};
  for (Relation relation : {Relation::Equal, Relation::NotEqual, Relation::Less,
                            Relation::LessEqual, Relation::Greater, Relation::GreaterEqual})
    for (int64_t constant : ends) {
      ObservableSpace space;
      Context &context = space.context();
      Expr k = space.symbol({ObservableKind::Value, "k", 0, {}});
      INFO("k " << getRelationName(relation).str() << " " << constant);
      std::optional<Atom> atom = makeAtom(context, relation, k, context.constant(constant));
      bool isEquality = relation == Relation::Equal || relation == Relation::NotEqual;
      if (!atom) {
        CHECK_FALSE(isEquality);
        continue;
      }
      if (isEquality) {
        CHECK(atomText(space, *atom) ==
              "k " + getRelationName(relation).str() + " " + std::to_string(constant));
        CHECK(makeAtom(context, relation, context.constant(constant), k) == atom);
        CHECK(asUnary(*atom).has_value());
      }
      for (int64_t value : ends) {
        auto values = [&](SymbolId) { return std::optional(value); };
        CHECK(evaluate(context, *atom, values) == compare(value, relation, constant));
      }
    }
}

TEST_CASE("a set keeps checking order and merges origins") {
  ObservableSpace space;
  GuardSet set;
  Atom size = *equals(space, {ObservableKind::Size, "x", 0, {}}, 8);
  Atom rank = *equals(space, {ObservableKind::Rank, "x", 0, {}}, 1);
  addGuard(set, {GuardKind::SizeEqual, size, {{{"a.py", 1, 0, 0, 0}, "one"}}});
  addGuard(set, {GuardKind::Rank, rank, {{{"a.py", 2, 0, 0, 0}, "two"}}});
  addGuard(set, {GuardKind::SizeEqual, size, {{{"a.py", 3, 0, 0, 0}, "three"}}});
  addGuard(set, {GuardKind::SizeEqual, size, {{{"a.py", 1, 0, 0, 0}, "one"}}});
  REQUIRE(set.size() == 2);
  CHECK(set.guards()[0].kind == GuardKind::Rank);
  CHECK(set.guards()[1].origins.size() == 2);
  std::string text;
  llvm::raw_string_ostream os(text);
  printGuards(os, space, set);
  CHECK(text == "x.ndim == 1\n    a.py:2: two\n"
                "x.shape[0] == 8\n    a.py:1: one\n    a.py:3: three\n");
  // A call without x at all: the first guard in order fails.
  std::optional<GuardFailure> failure = findFailure(set, space, Observation());
  REQUIRE(failure.has_value());
  CHECK(failure->guard == 0);
  CHECK(failure->subject == "x");
  CHECK(failure->found == "missing");
  CHECK(countFailures(set, space, Observation()) == 2);
}

TEST_CASE("dense orders") {
  using V = std::vector<int64_t>;
  auto order = [](const V &sizes, const V &strides) -> std::optional<std::vector<unsigned>> {
    auto found = findDenseOrder(sizes, strides);
    if (!found)
      return std::nullopt;
    return std::vector<unsigned>(found->begin(), found->end());
  };
  using U = std::vector<unsigned>;
  CHECK(order({2, 3, 4}, {12, 4, 1}) == U{0, 1, 2});
  CHECK(order({2, 3, 4}, {1, 8, 2}) == U{1, 2, 0});
  CHECK(order({2, 3, 4, 5}, {60, 1, 15, 3}) == U{0, 2, 3, 1});
  CHECK(order({2, 1, 4}, {4, 99, 1}) == U{0, 1, 2});
  CHECK(order({2, 0}, {5, 5}) == U{0, 1});
  CHECK(order({0, 3, 4, 5}, {60, 1, 15, 3}) == U{0, 2, 3, 1});
  CHECK(order({0, 3, 4, 5}, {60, 20, 5, 1}) == U{0, 1, 2, 3});
  CHECK(order({0, 3, 4}, {1, 0, 0}) == U{0, 1, 2});
  CHECK(order({4, 0}, {1, 4}) == U{1, 0});
  CHECK(order({2, 3}, {4, 1}) == std::nullopt);
  CHECK(order({2, 3}, {0, 1}) == std::nullopt);
  CHECK(order({}, {}) == U{});
}
