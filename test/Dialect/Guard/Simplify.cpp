// The simplifier, the order of variants, overlap and coverage against all points of small boxes.
#include "Symbolic/AddGuard.h"

#include "ptc/Dialect/Guard/Transforms/Simplify.h"

#include <catch2/catch.hpp>

#include <random>

using namespace ptc;
using namespace ptc::guard;
using namespace ptc::sym;

namespace {

constexpr int kSymbols = 3;
constexpr int64_t kAbsent = -1, kHigh = 7;

struct RandomGuards {
  ObservableSpace space;
  std::mt19937_64 random;

  explicit RandomGuards(uint64_t seed) : random(seed) {
    for (int i = 0; i < kSymbols; ++i)
      space.symbol({ObservableKind::Size, std::string(1, char('x' + i)), 0, {}});
  }

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }
  Expr symbol() { return space.context().symbol(SymbolId(below(kSymbols))); }

  Expr expr() {
    Context &c = space.context();
    Expr a = symbol(), b = symbol(), k = c.constant(1 + below(4));
    switch (below(9)) {
    case 0:
      return c.add(c.mul(k, a), b);
    case 1:
      return c.sub(a, c.mul(k, b));
    case 2:
      return c.floordiv(c.add(a, b), c.add(k, c.constant(1)));
    case 3:
      return c.mod(a, c.add(k, c.constant(1)));
    case 4:
      return c.mul(a, b);
    case 5:
      return c.min(a, b);
    case 6:
      return c.floordiv(c.mul(k, a), c.max(b, c.constant(1)));
    default:
      return a;
    }
  }

  Atom atom() {
    for (;;) {
      Expr right = below(2) ? space.context().constant(below(8)) : expr();
      // Contradictions and truths of one guard are dropped where guards are made.
      auto made = makeAtom(space.context(), Relation(below(6)), expr(), right);
      if (made && !made->expr.isConstant())
        return *made;
    }
  }

  GuardSet set(int count) {
    GuardSet set;
    for (int i = 0; i < count; ++i) {
      Atom made = atom();
      addGuard(set, {classify(space, made),
                     made,
                     {{{"model.py", uint32_t(random() % 1000), 0, 0, 0}, "guard"}}});
    }
    return set;
  }

  bool holdsAt(const GuardSet &set, const std::array<int64_t, kSymbols> &point) {
    for (const Guard &guard : set.guards())
      if (evaluate(space.context(), guard.atom, [&](SymbolId id) {
            return point[id] == kAbsent ? std::nullopt : std::optional(point[id]);
          }) != true)
        return false;
    return true;
  }
};

template <typename Callback> void forBox(int64_t low, int64_t high, Callback callback) {
  std::array<int64_t, kSymbols> point;
  point.fill(low);
  for (size_t i = 0; i < kSymbols;) {
    callback(point);
    for (i = 0; i < kSymbols && ++point[i] > high; ++i)
      point[i] = low;
  }
}

std::string textOf(const ObservableSpace &space, const GuardSet &set) {
  std::string text;
  for (const Guard &guard : set.guards())
    text += atomText(space, guard.atom) + "; ";
  return text;
}

size_t countOrigins(const GuardSet &set) {
  size_t count = 0;
  for (const Guard &guard : set.guards())
    count += guard.origins.size();
  return count;
}

/// Guards given as text over the observables x, y, z (their first sizes).
struct Texts {
  ObservableSpace space;
  Texts() {
    for (const char *name : {"x", "y", "z"})
      space.symbol({ObservableKind::Size, name, 0, {}});
  }
  Expr parse(llvm::StringRef text) {
    std::string error;
    auto e = space.context().parse(
        text,
        [&](llvm::StringRef name) {
          return std::optional(space.symbol({ObservableKind::Size, name.str(), 0, {}}));
        },
        &error);
    INFO(text.str() << ": " << error);
    REQUIRE(e.has_value());
    return *e;
  }
  /// "a < b"
  Atom atom(llvm::StringRef text) {
    for (Relation relation : {Relation::Equal, Relation::NotEqual, Relation::LessEqual,
                              Relation::GreaterEqual, Relation::Less, Relation::Greater}) {
      auto [left, right] = text.split((" " + getRelationName(relation) + " ").str());
      if (!right.empty())
        return *makeAtom(space.context(), relation, parse(left), parse(right));
    }
    FAIL("no relation in " << text.str());
    return {};
  }
  GuardSet set(std::initializer_list<const char *> texts) {
    GuardSet set;
    uint32_t line = 0;
    for (const char *text : texts) {
      Atom made = atom(text);
      addGuard(set, {classify(space, made), made, {{{"model.py", ++line, 0, 0, 0}, text}}});
    }
    return set;
  }
};

} // namespace

TEST_CASE("original and simplified guards agree on all points of a box") {
  size_t before = 0, after = 0, contradictions = 0, satisfied = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    RandomGuards r(seed);
    GuardSet set = r.set(2 + r.below(6));
    Simplified simplified = simplify(r.space, set);
    before += set.size();
    after += simplified.guards.size();
    contradictions += simplified.contradictory;
    forBox(kAbsent, kHigh, [&](const std::array<int64_t, kSymbols> &point) {
      bool expected = r.holdsAt(set, point);
      satisfied += expected;
      if (r.holdsAt(simplified.guards, point) != expected || (expected && simplified.contradictory))
        FAIL("seed " << seed << " at " << point[0] << ' ' << point[1] << ' ' << point[2] << ": "
                     << textOf(r.space, set) << " became " << textOf(r.space, simplified.guards)
                     << (simplified.contradictory ? "contradictory" : ""));
    });
  }
  CHECK(after + 100 < before);
  CHECK(contradictions > 20);
  CHECK(satisfied > 5000);
}

TEST_CASE("what the simplifier drops and keeps") {
  struct Row {
    std::initializer_list<const char *> guards;
    const char *left;
  };
  for (const Row &row : {
           Row{{"x == y", "y == 8", "x == 8"}, "y.shape[0] == 8; x.shape[0] == 8; "},
           {{"x >= 2", "x >= 5", "x > 3"}, "x.shape[0] >= 5; "},
           {{"x == 8", "x >= 2", "x != 1"}, "x.shape[0] == 8; "},
           {{"x <= 6", "x <= 4", "x != 5", "x != 2", "x >= 0", "x >= 1", "y <= 9"},
            "x.shape[0] <= 4; x.shape[0] != 2; x.shape[0] >= 1; y.shape[0] <= 9; "},
           {{"x == 8", "x*y == 64"}, "x.shape[0] == 8; y.shape[0] == 8; "},
           {{"x % 8 == 0", "x % 4 == 0", "x % 2 == 0"}, "x.shape[0] % 8 == 0; "},
           {{"x <= y", "y <= z", "x <= z"}, "x.shape[0] <= y.shape[0]; y.shape[0] <= z.shape[0]; "},
           {{"x >= 2", "x != 2", "x != 3"}, "x.shape[0] >= 2; x.shape[0] != 2; x.shape[0] != 3; "},
           {{"x >= 1", "y >= 1"}, "x.shape[0] >= 1; y.shape[0] >= 1; "},
       }) {
    Texts t;
    GuardSet set = t.set(row.guards);
    Simplified simplified = simplify(t.space, set);
    CHECK(textOf(t.space, simplified.guards) == row.left);
    CHECK_FALSE(simplified.contradictory);
    CHECK(countOrigins(simplified.guards) == countOrigins(set));
  }
  for (auto contradiction : {std::initializer_list<const char *>{"x == 8", "x == 9"},
                             {"x < y", "y < z", "z < x"},
                             {"x % 4 == 1", "x % 2 == 0"},
                             {"x == 3", "y == 5", "x*y != 15"}}) {
    Texts t;
    CHECK(simplify(t.space, t.set(contradiction)).contradictory);
  }
}

TEST_CASE("a dropped guard leaves its origin to one that stands for it") {
  Texts t;
  Simplified simplified = simplify(t.space, t.set({"y >= 1", "x >= 2", "x >= 5"}));
  REQUIRE(simplified.guards.size() == 2);
  REQUIRE(simplified.guards.guards()[1].origins.size() == 2);
  CHECK(simplified.guards.guards()[1].origins[0].loc.line == 3);
  CHECK(simplified.guards.guards()[1].origins[1].loc.line == 2);
}

TEST_CASE("a thousand independent guards are simplified in no time") {
  ObservableSpace space;
  Context &c = space.context();
  GuardSet set;
  for (int64_t i = 0; i < 1000; ++i)
    for (Relation relation : {Relation::Equal, Relation::GreaterEqual}) {
      Expr size = space.symbol({ObservableKind::Size, "p" + std::to_string(i / 4), i % 4, {}});
      Atom atom = *makeAtom(c, relation, size, c.constant(relation == Relation::Equal ? 7 : 2));
      addGuard(set, {classify(space, atom), atom, {{{"m.py", 1, 0, 0, 0}, "static"}}});
    }
  Simplified simplified = simplify(space, set);
  CHECK(simplified.guards.size() == 1000);
  CHECK_FALSE(simplified.contradictory);
}

TEST_CASE("a specific variant comes before a general one") {
  Texts t;
  std::vector<GuardSet> variants{t.set({"x >= 2"}), t.set({"x == 8", "y == 3"}), t.set({"x == 8"}),
                                 t.set({"y >= 1"}), t.set({"x == 1"})};
  CHECK(orderBySpecificity(t.space.context(), variants) == std::vector<unsigned>{1, 2, 0, 3, 4});
}

TEST_CASE("variants are arranged for dispatch") {
  Texts t;
  std::vector<GuardSet> variants{t.set({"x >= 2", "x >= 1"}), t.set({"x == 8", "x >= 2"})};
  auto arranged = arrangeVariants(t.space, variants);
  REQUIRE(bool(arranged));
  CHECK(arranged->order == std::vector<unsigned>{1, 0});
  CHECK(textOf(t.space, arranged->guards[0]) == "x.shape[0] == 8; ");
  CHECK(textOf(t.space, arranged->guards[1]) == "x.shape[0] >= 2; ");
  variants.push_back(t.set({"x < y", "y < x"}));
  auto wrong = arrangeVariants(t.space, variants);
  REQUIRE_FALSE(bool(wrong));
  std::vector<Diagnostic> diags = takeDiagnostics(wrong.takeError());
  REQUIRE(diags.size() == 1);
  CHECK(diags[0].text.find("variant 2") != std::string::npos);
}

TEST_CASE("overlap of two variants") {
  Texts t;
  Context &c = t.space.context();
  CHECK(findOverlap(c, t.set({"x >= 5"}), t.set({"x <= 4"})).kind == Verdict::Kind::Empty);
  CHECK(findOverlap(c, t.set({"x % 4 == 0"}), t.set({"x % 4 == 2"})).kind == Verdict::Kind::Empty);
  Verdict both =
      findOverlap(c, t.set({"x % 4 == 0", "x*y >= 100"}), t.set({"x % 6 == 0", "y < 3"}));
  REQUIRE(both.kind == Verdict::Kind::Solved);
  CHECK(both.point.at(0) % 12 == 0);
  CHECK(both.point.at(0) * both.point.at(1) >= 100);
}

TEST_CASE("not finding a solution of products is no proof") {
  Texts t;
  // 131 * 137, far from where the search looks.
  GuardSet product = t.set({"x*y == 17947", "x >= 100"}), bounds = t.set({"y >= 100"});
  CHECK(findOverlap(t.space.context(), product, bounds).kind == Verdict::Kind::Unknown);
  CHECK_FALSE(simplify(t.space, product).contradictory);
  // Within bounds that are searched in full it is one.
  GuardSet small = t.set({"x <= 12", "y <= 90", "x*y == 91*11"});
  CHECK(findOverlap(t.space.context(), small, t.set({"x >= 2"})).kind == Verdict::Kind::Empty);
}

TEST_CASE("coverage of a declared domain") {
  Texts t;
  Context &c = t.space.context();
  std::vector<Atom> domain{t.atom("x >= 1"), t.atom("x <= 64")};
  std::vector<GuardSet> variants{t.set({"x % 8 == 0"}), t.set({"x == 1"}),
                                 t.set({"x >= 2", "x % 8 != 0"})};
  CHECK(findCoverage(c, domain, variants).kind == Coverage::Kind::Covered);
  variants[2] = t.set({"x >= 2", "x <= 62", "x % 8 != 0"});
  Coverage found = findCoverage(c, domain, variants);
  REQUIRE(found.kind == Coverage::Kind::CounterExample);
  CHECK(pointText(t.space, found.point) == "x.shape[0] = 63");
  CHECK(findCoverage(c, domain, {}).kind == Coverage::Kind::CounterExample);
  CHECK(findCoverage(c, domain, variants, 2).kind == Coverage::Kind::Undecided);
}

TEST_CASE("coverage and overlap agree with all points of a box") {
  size_t covered = 0, open = 0, examples = 0, apart = 0, together = 0;
  for (uint64_t seed = 1; seed <= 250; ++seed) {
    RandomGuards r(seed);
    Context &c = r.space.context();
    std::vector<Atom> domain;
    domain.reserve(kSymbols);
    for (SymbolId id = 0; id < kSymbols; ++id)
      domain.push_back(
          *makeAtom(c, Relation::LessEqual, c.symbol(id), c.constant(id == 0 ? 5 : 2)));
    std::vector<GuardSet> variants;
    for (int i = 1 + r.below(3); i > 0; --i)
      variants.push_back(r.set(1 + r.below(2)));
    // Half of the time the last one is what the first leaves over, so that coverage occurs.
    if (r.below(2)) {
      GuardSet rest;
      Atom opposite = *negate(c, variants.front().guards().front().atom);
      addGuard(rest, {classify(r.space, opposite), opposite, {}});
      GuardSet first;
      addGuard(first, variants.front().guards().front());
      variants = {first, rest};
    }
    Coverage found = findCoverage(c, domain, variants);
    bool all = true, overlap = false;
    forBox(0, 5, [&](const std::array<int64_t, kSymbols> &point) {
      if (point[1] > 2 || point[2] > 2)
        return;
      size_t hits = size_t(std::count_if(variants.begin(), variants.end(),
                                         [&](const GuardSet &v) { return r.holdsAt(v, point); }));
      all &= hits > 0;
      overlap |=
          variants.size() > 1 && r.holdsAt(variants[0], point) && r.holdsAt(variants[1], point);
    });
    covered += found.kind == Coverage::Kind::Covered;
    open += found.kind == Coverage::Kind::Undecided;
    examples += found.kind == Coverage::Kind::CounterExample;
    INFO("seed " << seed);
    if (found.kind != Coverage::Kind::Undecided)
      CHECK(all == (found.kind == Coverage::Kind::Covered));
    if (variants.size() < 2)
      continue;
    Verdict verdict = findOverlap(c, variants[0], variants[1]);
    apart += verdict.kind == Verdict::Kind::Empty;
    together += verdict.kind == Verdict::Kind::Solved;
    if (overlap)
      CHECK(verdict.kind != Verdict::Kind::Empty);
  }
  CHECK(covered > 80);
  CHECK(examples > 80);
  CHECK(open < 12);
  CHECK(apart > 80);
  CHECK(together > 20);
}
