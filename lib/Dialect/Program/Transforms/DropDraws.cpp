//===- DropDraws.cpp - program-drop-draws ---------------------------------------------------===//
//
// In: program.init with the numbers that modules drew for their parameters. Out: only what is read,
// and what moves a generator from which numbers are drawn later.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SmallSet.h"

namespace ptc::program {
#define GEN_PASS_DEF_PROGRAMDROPDRAWS
#include "ptc/Dialect/Program/Transforms/Passes.h.inc"
} // namespace ptc::program

using namespace mlir;
using namespace ptc;

/// The generator from which an operation draws, or that it seeds.
static std::optional<int64_t> generatorOf(Operation *op) {
  IntegerAttr known;
  if (auto seed = dyn_cast<program::SeedOp>(op))
    return matchPattern(seed.getGenerator(), m_Constant(&known)) ? std::optional(known.getInt())
                                                                 : std::nullopt;
  auto generator = op->getAttrOfType<IntegerAttr>("program.generator");
  return generator ? std::optional(generator.getInt()) : std::nullopt;
}

namespace {
struct DropDrawsPass : ptc::program::impl::ProgramDropDrawsBase<DropDrawsPass> {
  void runOnOperation() override {
    for (auto entry : getOperation().getOps<program::EntryOp>())
      for (auto init : llvm::make_early_inc_range(entry.getBody().getOps<program::InitOp>())) {
        drop(entry, init.getBody().front());
        if (init.getBody().front().empty())
          init.erase();
      }
  }

  using Generators = llvm::SmallSet<int64_t, 4>;
  static void addGenerators(Operation *op, Generators &generators) {
    op->walk([&](Operation *inner) {
      if (std::optional<int64_t> used = generatorOf(inner))
        generators.insert(*used);
    });
  }

  /// Whether an operation matters by its results alone, and so do those in it. Draws again until
  /// numbers fit (a truncated normal distribution) are loops on data.
  static bool onlyGivesResults(Operation *op, const Generators &later) {
    if (std::optional<int64_t> generator = generatorOf(op))
      return !later.contains(*generator);
    if (op->getNumRegions() == 0) // numbers that are drawn again fit at some time
      return isMemoryEffectFree(op) || isa<program::TurnOp>(op);
    return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
           llvm::all_of(op->getRegions(), [&](Region &region) {
             return llvm::all_of(region.getOps(),
                                 [&](Operation &inner) { return onlyGivesResults(&inner, later); });
           });
  }

  /// Later operations first: what a draw is read by is known when it is looked at.
  static void drop(program::EntryOp entry, Block &block) {
    Generators later;
    for (auto variant : entry.getBody().getOps<program::VariantOp>())
      addGenerators(variant, later);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (op.use_empty() && onlyGivesResults(&op, later))
        op.erase();
      else
        addGenerators(&op, later);
    }
  }
};
} // namespace
