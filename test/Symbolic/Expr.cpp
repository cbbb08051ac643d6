// The size algebra: a table of identities, and random expressions against direct evaluation.
#include "ptc/Symbolic/Expr.h"

#include <catch2/catch.hpp>

#include <random>

using namespace ptc::sym;

namespace {

/// Sizes s, t, u (0 and more), b, c (1 and more), n, m (any sign).
struct Fixture {
  Context context;
  Expr s = context.symbol({.name = "s"});
  Expr t = context.symbol({.name = "t"});
  Expr u = context.symbol({.name = "u"});
  Expr b = context.symbol({.name = "b", .lower = 1});
  Expr c = context.symbol({.name = "c", .lower = 1, .upper = 64});
  Expr n = context.symbol({.name = "n", .lower = Interval::kMin});
  Expr m = context.symbol({.name = "m", .lower = Interval::kMin});

  Expr parse(const char *text) {
    std::string error;
    std::optional<Expr> e = context.parse(text, &error);
    INFO(text << ": " << error);
    REQUIRE(e.has_value());
    return *e;
  }
};

} // namespace

TEST_CASE("equal expressions are one pointer") {
  Fixture f;
  struct Row {
    const char *a, *b;
  };
  for (const Row &row : {
           Row{"(8*s) // 8", "s"},
           {"(8*s + 3) // 8", "s"},
           {"(8*s - 3) // 8", "s - 1"},
           {"(8*s) % 8", "0"},
           {"(8*s + 3) % 4", "3"},
           {"(-5) // 2", "-3"},
           {"(-5) % 3", "1"},
           {"5 % (-3)", "-1"},
           {"s // (-2)", "(-s) // 2"},
           {"(s // 4) * 4 + s % 4", "s"},
           {"(n // m) * m + n % m", "n"},
           {"(s // 2) // 3", "s // 6"},
           {"((s + 1) // 2 + 1) // 2", "(s + 3) // 4"},
           {"-(-s // 8)", "(s + 7) // 8"},
           {"(s % 8) // 8", "0"},
           {"(s % 8) % 4", "s % 4"},
           {"(s % 8) // 2", "s // 2 - 4*(s // 8)"},
           {"(6*s + 4) // 4", "(3*s + 2) // 2"},
           {"(b*t*c) // (b*t)", "c"},
           {"(b*t*u) // (b*t*c)", "u // c"},
           {"(b*t + b) // b", "t + 1"},
           {"((s + 1)*t) // (s + 1)", "t"},
           {"((s + 1)*(t + 2)) // (t + 2)", "s + 1"},
           {"(s // b) // c", "s // (b*c)"},
           {"(s % b) // b", "0"},
           {"(s+t)*(s-t)", "s*s - t*t"},
           {"min(s, s + 1)", "s"},
           {"max(s, 0)", "s"},
           {"min(c, 64)", "c"},
           {"min(s, max(s, t))", "s"},
           {"max(min(s, t), s)", "s"},
           {"min(t, min(s, t))", "min(s, t)"},
           {"min(s, 9223372036854775807)", "min(s, 9223372036854775807)"},
           {"min(c // 2, 40)", "c // 2"},
           {"(c + 63) // 128", "0"},
           {"7*s // 8", "(7*s) // 8"},
       }) {
    INFO(row.a << " and " << row.b);
    CHECK(f.context.str(f.parse(row.a)) == f.context.str(f.parse(row.b)));
    CHECK(f.parse(row.a) == f.parse(row.b));
  }
}

TEST_CASE("print is Python and reads back") {
  Fixture f;
  struct Row {
    const char *text, *printed;
  };
  for (const Row &row : {
           Row{"b*t+3", "t*b + 3"},
           {"(s+1)//2", "(s + 1) // 2"},
           {"s % 8", "s % 8"},
           {"(s + t) % b", "(s + t) % b"},
           {"-s", "-s"},
           {"0-9223372036854775807-1", "-9223372036854775808"},
           {"2*(s//3)*t", "2*t*(s // 3)"},
           {"max(s, t) - 4", "max(s, t) - 4"},
           {"s // (t*2)", "s // (2*t)"},
           {"s - 9223372036854775807 - 1", "s + -9223372036854775808"},
           {"t + -9223372036854775808*s", "-9223372036854775808*s + t"},
       }) {
    CHECK(f.context.str(f.parse(row.text)) == row.printed);
    CHECK(f.parse(row.printed) == f.parse(row.text));
  }
}

TEST_CASE("text that is no expression is refused") {
  Fixture f;
  for (const char *text : {"", "s +", "(s", "s $ t", "q", "min(s", "99999999999999999999", "s // 0",
                           "4611686018427387904*s*4"}) {
    std::string error;
    CHECK_FALSE(f.context.parse(text, &error).has_value());
    CHECK_FALSE(error.empty());
  }
}

TEST_CASE("comparisons are proven or left open") {
  Fixture f;
  struct Row {
    const char *a, *b;
    std::optional<bool> equal, less;
  };
  const std::optional<bool> open;
  for (const Row &row : {
           Row{"s", "s", true, false},
           {"s", "s + 1", false, true},
           {"s", "t", open, open},
           {"2*s", "2*t + 1", false, open},
           {"s % 8", "8", false, true},
           {"s % 8", "0", open, false},
           {"n % b", "b", false, true},
           {"n % (s + 1)", "s + 1", false, true},
           {"n % (s + 1)", "-1", false, false},
           {"3*(n % (s + t + 1))", "3*s + 3*t + 1", false, true},
           {"(s + 1) * (n // (s + 1))", "n + 1", false, true},
           {"(s // 8) * 8", "s", open, open},
           {"s - s // 8", "0", open, false},
           {"(s // 8) * 8", "s + 1", false, true},
           {"min(s, t)", "s + 1", false, true},
           {"s", "max(s, t) + 1", false, true},
           {"b*s", "s", open, false},
           {"c", "65", false, true},
           {"b*c", "0", false, false},
           {"n*n + 1", "0", false, false},
       }) {
    INFO(row.a << " ? " << row.b);
    CHECK(f.context.isEqual(f.parse(row.a), f.parse(row.b)) == row.equal);
    CHECK(f.context.isLess(f.parse(row.a), f.parse(row.b)) == row.less);
  }
  CHECK(f.context.isDivisible(f.parse("8*s*t"), f.parse("4*s")) == true);
  CHECK(f.context.isDivisible(f.parse("4*s + 2"), f.parse("4")) == false);
  CHECK(f.context.isDivisible(f.parse("2*s"), f.parse("4")) == open);
}

TEST_CASE("what does not fit is unsupported, never wrong") {
  Fixture f;
  Context &context = f.context;
  Expr big = context.constant(Interval::kMax);
  CHECK(big.asConstant() == Interval::kMax);
  CHECK_FALSE(context.add(big, context.constant(1)).isSupported());
  CHECK_FALSE(context.mul(context.mul(big, f.s), context.constant(2)).isSupported());
  CHECK_FALSE(
      context.floordiv(context.constant(Interval::kMin), context.constant(-1)).isSupported());
  CHECK_FALSE(context.floordiv(f.s, context.constant(0)).isSupported());
  CHECK_FALSE(context.isEqual(Expr(), Expr()).has_value());
  CHECK_FALSE(context.add(Expr(), f.s).isSupported());
  Expr power = f.s;
  for (int i = 0; i < 60; ++i)
    power = context.mul(power, f.s);
  CHECK_FALSE(power.isSupported());
  CHECK(context.bounds(context.mul(big, f.s)).lower == 0);
}

TEST_CASE("division at the ends of 64 bits") {
  Fixture f;
  Context &context = f.context;
  constexpr int64_t kMin = Interval::kMin, kMax = Interval::kMax;
  const int64_t ends[] = {kMin, kMin + 1, kMin + 2, -3, -2, -1, 1, 2, 3, 8, kMax - 1, kMax};
  for (int64_t a : ends)
    for (int64_t b : ends) {
      INFO(a << " by " << b);
      __int128 q = __int128(a) / b, r = __int128(a) % b; // no wider than 65 bits
      if (r != 0 && (r < 0) != (b < 0)) {
        r += b;
        --q;
      }
      Expr x = context.constant(a), y = context.constant(b);
      CHECK(context.mod(x, y).asConstant() == int64_t(r));
      CHECK(context.floordiv(x, y).asConstant() ==
            (q > kMax ? std::optional<int64_t>() : std::optional(int64_t(q))));
      if (b <= 1)
        continue;
      // (n + a) // b with the constant split off.
      Expr sum = context.add(f.n, x), divided = context.floordiv(sum, y);
      REQUIRE(divided.isSupported());
      for (int64_t n : {-8, -1, 0, 1, 7}) {
        __int128 whole = __int128(n) + a, quotient = whole / b;
        quotient -= whole % b < 0;
        std::optional<int64_t> got =
            context.evaluate(divided, [&](SymbolId) { return std::optional(n); });
        if (got) // a sum on the way there may not fit
          CHECK(*got == int64_t(quotient));
        if (b < 100 && a > kMin + 8 && a < kMax - 8)
          CHECK(got.has_value());
      }
    }
}

TEST_CASE("substitution gives the normal form of the result") {
  Fixture f;
  Expr e = f.parse("(s*t + 4) // 8 + min(s, u)");
  Expr replaced = f.context.substitute(e, [&](SymbolId id) {
    return id == f.s.symbol() ? f.context.constant(8) : f.context.symbol(id);
  });
  CHECK(replaced == f.parse("t + min(u, 8)"));
  CHECK(f.context.symbolsOf(e).size() == 3);
}

TEST_CASE("shared subexpressions do not cost exponential time") {
  Fixture f;
  Context &c = f.context;
  Expr h = f.s, g = f.s, k = f.s;
  auto known = [&](SymbolId id) { return Interval{3, 1000}; };
  for (int i = 0; i < 40; ++i) {
    h = c.sub(h, c.floordiv(h, c.constant(3)));
    g = c.max(c.sub(g, c.floordiv(g, c.add(f.t, c.constant(2)))), c.floordiv(c.add(g, f.u), f.b));
    k = c.max(c.min(c.add(k, f.t), c.mul(k, f.u)), c.floordiv(c.mul(k, k), f.b));
    for (Expr e : {h, g, k})
      if (e.isSupported()) {
        (void)c.bounds(e, known);
        (void)c.isLess(e, f.s);
      }
  }
  CHECK_FALSE(g.isSupported()); // too large to be worth anything
  CHECK(c.str(h).size() < 100000);
}

//===----------------------------------------------------------------------===//
// Random expressions
//===----------------------------------------------------------------------===//

namespace {

/// Builds an expression and evaluates the same tree with Python's semantics on the side.
struct RandomTree {
  static constexpr int kPoints = 24;
  using Values = std::array<std::optional<int64_t>, kPoints>;
  struct Tree {
    Expr expr;
    Values values;
  };

  Context context;
  std::mt19937_64 random;
  std::vector<Tree> symbols;

  explicit RandomTree(uint64_t seed) : random(seed) {
    const std::pair<int64_t, int64_t> ranges[] = {{0, 20}, {1, 9}, {2, 64}, {-9, 9}, {-40, -1}};
    for (auto [lower, upper] : ranges) {
      Tree tree;
      tree.expr = context.symbol(
          {.name = "v" + std::to_string(symbols.size()), .lower = lower, .upper = upper});
      for (auto &v : tree.values)
        v = std::uniform_int_distribution<int64_t>(lower, upper)(random);
      symbols.push_back(tree);
    }
  }

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }

  Tree leaf() {
    if (below(3))
      return symbols[size_t(below(int(symbols.size())))];
    int64_t v = below(25) - 12;
    Tree tree{context.constant(v), {}};
    tree.values.fill(v);
    return tree;
  }

  static std::optional<int64_t> apply(int op, int64_t a, int64_t b) {
    auto floored = [](int64_t x, int64_t y) { // by the definition, not by the code under test
      int64_t q = x / y;
      while (q * y > x && y > 0)
        --q;
      while (q * y < x && y < 0)
        --q;
      return q;
    };
    switch (op) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return b == 0 ? std::nullopt : std::optional(floored(a, b));
    case 4:
      return b == 0 ? std::nullopt : std::optional(a - b * floored(a, b));
    case 5:
      return std::min(a, b);
    default:
      return std::max(a, b);
    }
  }

  Tree grow(int depth) {
    if (depth == 0 || below(6) == 0)
      return leaf();
    Tree a = grow(depth - 1), b = grow(depth - 1);
    int op = below(7);
    Tree result;
    switch (op) {
    case 0:
      result.expr = context.add(a.expr, b.expr);
      break;
    case 1:
      result.expr = context.sub(a.expr, b.expr);
      break;
    case 2:
      result.expr = context.mul(a.expr, b.expr);
      break;
    case 3:
      result.expr = context.floordiv(a.expr, b.expr);
      break;
    case 4:
      result.expr = context.mod(a.expr, b.expr);
      break;
    case 5:
      result.expr = context.min(a.expr, b.expr);
      break;
    default:
      result.expr = context.max(a.expr, b.expr);
      break;
    }
    for (int i = 0; i < kPoints; ++i)
      if (a.values[i] && b.values[i] && std::abs(*a.values[i]) < (1 << 20) &&
          std::abs(*b.values[i]) < (1 << 20))
        result.values[i] = apply(op, *a.values[i], *b.values[i]);
    return result;
  }

  std::optional<int64_t> evaluate(Expr e, int point) {
    return context.evaluate(e, [&](SymbolId id) { return symbols[id].values[size_t(point)]; });
  }
};

} // namespace

TEST_CASE("normal form and bounds agree with direct evaluation") {
  size_t points = 0, trees = 0;
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    RandomTree r(seed);
    RandomTree::Tree tree = r.grow(4);
    if (!tree.expr.isSupported())
      continue;
    ++trees;
    Interval range = r.context.bounds(tree.expr);
    std::string text = r.context.str(tree.expr);
    std::optional<Expr> again = r.context.parse(text);
    if (!again || r.evaluate(*again, 0) != r.evaluate(tree.expr, 0))
      FAIL("seed " << seed << ": does not read back: " << text);
    for (int i = 0; i < RandomTree::kPoints; ++i) {
      if (!tree.values[size_t(i)])
        continue;
      ++points;
      std::optional<int64_t> got = r.evaluate(tree.expr, i);
      if (got != tree.values[size_t(i)] || !range.contains(*got))
        FAIL("seed " << seed << " point " << i << ": " << text << " gives " << got.value_or(-999)
                     << ", expected " << *tree.values[size_t(i)] << ", bounds [" << range.lower
                     << ", " << range.upper << "]");
    }
  }
  CHECK(trees > 3000);
  CHECK(points > 50000);
}

TEST_CASE("proven comparisons hold at random points") {
  size_t proven = 0;
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    RandomTree r(seed);
    RandomTree::Tree a = r.grow(3), b = r.grow(3);
    std::optional<bool> equal = r.context.isEqual(a.expr, b.expr);
    std::optional<bool> less = r.context.isLess(a.expr, b.expr);
    proven += equal.has_value() + less.has_value();
    for (size_t i = 0; i < RandomTree::kPoints; ++i) {
      if (!a.values[i] || !b.values[i])
        continue;
      if ((equal && *equal != (*a.values[i] == *b.values[i])) ||
          (less && *less != (*a.values[i] < *b.values[i])))
        FAIL("seed " << seed << ": " << r.context.str(a.expr) << " ? " << r.context.str(b.expr));
    }
  }
  CHECK(proven > 800);
}
