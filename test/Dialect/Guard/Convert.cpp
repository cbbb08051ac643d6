// Guard sets survive the way into IR and back, with formulas, kinds, reasons and places.
#include "Symbolic/AddGuard.h"

#include "ptc/Dialect/Guard/IR/GuardConvert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <catch2/catch.hpp>

using namespace ptc;
using namespace ptc::sym;

namespace {

std::string listing(const ObservableSpace &space, const GuardSet &set) {
  std::string text;
  for (const Guard &guard : set.guards()) {
    text += getGuardKindInfo(guard.kind).keyword.str() + " " + atomText(space, guard.atom);
    for (const GuardOrigin &origin : guard.origins)
      text += " | " + origin.reason + " " + origin.loc.file + ":" +
              std::to_string(origin.loc.line) + ":" + std::to_string(origin.loc.column) + "-" +
              std::to_string(origin.loc.endLine) + ":" + std::to_string(origin.loc.endColumn);
    text += "\n";
  }
  return text;
}

GuardSet sampleSet(ObservableSpace &space) {
  Context &c = space.context();
  Expr x = space.symbol({ObservableKind::Size, "x", 0, {}});
  Expr y = space.symbol({ObservableKind::Size, "batch[\"ids\"]", 1, {}});
  Expr k = space.symbol({ObservableKind::Value, "k", 0, {}});
  Expr mode = space.symbol({ObservableKind::StringValue, "mode", 0, {}});
  Expr apart = space.symbol({ObservableKind::Overlap, "x", 0, "y"});
  Expr zero = c.constant(0);
  SourceLoc point{"m.py", 3, 5, 0, 0}, range{"m.py", 9, 1, 10, 4};
  GuardSet set;
  auto add = [&](Relation relation, Expr a, Expr b, llvm::SmallVector<GuardOrigin, 1> origins) {
    Atom atom = *makeAtom(c, relation, a, b);
    addGuard(set, {classify(space, atom), atom, std::move(origins)});
  };
  add(Relation::Equal, x, c.constant(8), {{point, "static"}});
  add(Relation::GreaterEqual, y, c.constant(2), {{point, "one"}, {range, "two"}, {{}, "three"}});
  add(Relation::Equal, c.mod(x, c.constant(4)), zero, {{point, "same"}, {range, "same"}});
  add(Relation::Less, c.mul(x, y), c.add(c.min(x, k), c.constant(7)), {});
  add(Relation::Equal, c.floordiv(c.mul(x, y), c.max(k, c.constant(1))), c.mul(y, y),
      {{range, ""}});
  add(Relation::NotEqual, c.mul(c.constant(-3), k), y, {{point, "a"}, {point, "b"}});
  for (int64_t end : {Interval::kMin, Interval::kMin + 1, Interval::kMax - 1, Interval::kMax})
    add(Relation::NotEqual, k, c.constant(end), {{point, "an end of 64 bits"}});
  add(Relation::Equal, mode, c.constant(space.strings().intern("fa\"st")), {{point, "str"}});
  add(Relation::Equal, apart, zero, {{point, "x is written"}});
  return set;
}

} // namespace

TEST_CASE("a guard set is the same after a trip through IR, memory and text") {
  mlir::MLIRContext context;
  context.loadDialect<guard::GuardDialect, mlir::arith::ArithDialect>();
  mlir::OpBuilder builder(&context);
  auto module =
      mlir::OwningOpRef<mlir::ModuleOp>(mlir::ModuleOp::create(builder, builder.getUnknownLoc()));
  builder.setInsertionPointToStart(module->getBody());
  ObservableSpace space;
  space.strings().intern("something else"); // numbers of texts differ between spaces
  GuardSet set = sampleSet(space);
  guard::SetOp op = guard::emitGuards(builder, builder.getUnknownLoc(), "variant_3", space, set);
  REQUIRE(mlir::succeeded(mlir::verify(*module)));
  CHECK(op.getVariant() == "variant_3");
  std::string expected = listing(space, set);

  ObservableSpace direct;
  auto read = guard::readGuards(op, direct);
  REQUIRE(mlir::succeeded(read));
  CHECK(listing(direct, *read) == expected);

  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  REQUIRE(parsed);
  ObservableSpace again;
  auto reread = guard::readGuards(*parsed->getOps<guard::SetOp>().begin(), again);
  REQUIRE(mlir::succeeded(reread));
  CHECK(listing(again, *reread) == expected);
}
