// Overlap on sizes that are not known: what the algebra shows is said, the rest is unknown.
#include "ptc/Dialect/Aten/IR/Meta.h"
#include "ptc/Dialect/Aten/IR/Overlap.h"

#include <catch2/catch.hpp>

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

namespace {
struct Sizes {
  sym::Context context;
  Expr size(const char *name, int64_t lower) {
    return context.symbol({name, lower, {}, 5, sym::SymbolKind::Input});
  }
  Expr num(int64_t v) { return context.constant(v); }
  Overlap overlap(const Exprs &sizesA, const Exprs &stridesA, Expr offsetA, const Exprs &sizesB,
                  const Exprs &stridesB, Expr offsetB) {
    return overlapOf(context, {sizesA, stridesA, offsetA, 4}, {sizesB, stridesB, offsetB, 4});
  }
};
} // namespace

TEST_CASE_METHOD(Sizes, "whether a tensor of unknown sizes overlaps itself") {
  Expr n = size("n", 2), m = size("m", 0);
  CHECK(overlapsItself(context, {n, m}, contiguousStrides(context, {n, m})) == SelfOverlap::No);
  CHECK(overlapsItself(context, {n, n}, {num(1), n}) == SelfOverlap::No);
  CHECK(overlapsItself(context, {n, num(3)}, {num(0), num(1)}) == SelfOverlap::Yes);
  // A single element, or none, is no overlap.
  CHECK(overlapsItself(context, {m, num(3)}, {num(0), num(1)}) == SelfOverlap::Unknown);
  CHECK(overlapsItself(context, {n, m}, {num(0), num(1)}) == SelfOverlap::Unknown);
  CHECK(overlapsItself(context, {num(0), n}, {num(0), num(0)}) == SelfOverlap::No);
  CHECK(overlapsItself(context, {num(3), num(2)}, {num(1), num(1)}) == SelfOverlap::TooHard);
  CHECK(overlapsItself(context, {}, {}) == SelfOverlap::No);
}

TEST_CASE_METHOD(Sizes, "how two parts of one storage lie to each other") {
  Expr n = size("n", 2), zero = num(0), one = num(1);
  Exprs unit{one}, whole{n}, but{context.sub(n, one)};
  CHECK(overlap(whole, unit, zero, whole, unit, zero) == Overlap::Full);
  CHECK(overlap(but, unit, zero, whole, unit, n) == Overlap::No);
  CHECK(overlap(whole, unit, zero, {num(1)}, unit, zero) == Overlap::Partial);
  CHECK(overlap({n, n}, {n, one}, zero, {n, n}, {one, n}, zero) == Overlap::Partial);
  // x[1:] and x[:-1] do not meet if there are two elements.
  CHECK(overlap(but, unit, one, but, unit, zero) == Overlap::Unknown);
  CHECK(overlap({num(3)}, unit, one, {num(3)}, unit, zero) == Overlap::Partial);
  CHECK(overlap({num(3)}, {num(2)}, one, {num(3)}, {num(2)}, one) == Overlap::TooHard);
  CHECK(overlap({num(0)}, unit, zero, {num(3)}, unit, zero) == Overlap::No);
  CHECK(overlap({size("m", 0)}, unit, zero, whole, unit, zero) == Overlap::Unknown);
  CHECK(overlap(whole, unit, Expr(), whole, unit, zero) == Overlap::Unknown);
}
