//===- FuseRules.cpp - Which kernels may become one -----------------------------------------===//
//
// In: a kernel and one that reads what it computes; both as one. Out: why they stay apart.
//
//===----------------------------------------------------------------------===//
#include "FuseRules.h"

#include "Merge.h"

#include "ptc/Dialect/Plan/IR/Products.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

/// More pointers than this do not fit the registers of a loop.
static constexpr size_t kMostOperands = 12;
/// What one loop computes for an element at most, in operations of arithmetic: more of them hide
/// what reading and writing the value between costs, and the time to compile a loop grows faster
/// than it.
static constexpr unsigned kMostOperations = 512;
/// Of a function such as the sine.
static constexpr unsigned kOperationsOfFunction = 8;
/// A tensor is small beside loops of so many times its elements.
static constexpr double kFewPerTurn = 16;

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// Passes over rows: one goes on with the rows of another.
static bool hasRows(Family family) { return family == Family::Reduction || family == Family::Rows; }

/// Whether what a family computes goes on elementwise.
static bool takesEpilogue(Family family) {
  switch (family) {
  case Family::Pointwise:
  case Family::Copy:
  case Family::Gather:
  case Family::Reduction:
  case Family::Rows:
  case Family::Gemm:
  case Family::Attention:
  case Family::Conv:
  case Family::Window:
    return true;
  case Family::Scan:
  case Family::Sort:
  case Family::Scatter:
    return false;
  }
  llvm_unreachable("closed enum");
}

/// Whether operands of a family may be computed where they are read.
static bool takesPrologue(Family family) {
  switch (family) {
  case Family::Pointwise:
  case Family::Reduction:
  case Family::Rows:
  case Family::Gemm:
  case Family::Conv:
  case Family::Window:
    return true;
  case Family::Copy:
  case Family::Gather:
  case Family::Attention:
  case Family::Scan:
  case Family::Sort:
  case Family::Scatter:
    return false;
  }
  llvm_unreachable("closed enum");
}

static StringRef refusalOfFamilies(Family producer, Family consumer) {
  bool isElementwise = producer == Family::Pointwise || producer == Family::Copy;
  if (consumer == Family::Pointwise)
    return takesEpilogue(producer) ? "" : "what computes the value takes no more in";
  if (!takesPrologue(consumer))
    return "what reads the value takes no more in";
  if (hasRows(consumer) && (hasRows(producer) || producer == Family::Gather))
    return "";
  if (producer == Family::Copy)
    return "the value is a copy, which is read as it lies";
  return isElementwise ? "" : "both are more than elementwise";
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// Picks elements at computed places.
static bool picksElements(linalg::GenericOp op) {
  return op.getRegion()
      .walk([](tensor::ExtractOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Why `input` is not read by loop nests alone; `isInOrder`: all of them read it in the order of
/// their loops, one element each turn.
static StringRef refusalOfUses(BlockArgument input, linalg::GenericOp &read, bool &isInOrder) {
  isInOrder = true;
  for (OpOperand &use : input.getUses()) {
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || !user.isDpsInput(&use))
      return "the value is not read by loop nests alone";
    isInOrder &= user.getMatchingIndexingMap(&use).isIdentity();
    read = user;
  }
  return read ? "" : "nothing reads the elements of the value";
}

/// Why what reads result `number` of `producer` as `input` does not go on with it.
static StringRef refusalOfUses(KernelOp producer, unsigned number, KernelOp consumer,
                               BlockArgument input) {
  linalg::GenericOp read;
  bool isInOrder = true;
  if (StringRef why = refusalOfUses(input, read, isInOrder); !why.empty())
    return why;
  Family from = producer.getFamily(), to = consumer.getFamily();
  bool isOneNest =
      !hasRows(from) && !hasRows(to) && to != Family::Window && !sumsProducts(consumer);
  if (!isInOrder && isOneNest)
    return "the value would be computed again where it broadcasts";
  if (sumsProducts(producer))
    return read->getResult(0).getType() == input.getType()
               ? ""
               : "the value and what becomes of it differ in type";
  linalg::GenericOp made = nestOf(producer, number);
  if (!made)
    return "the value is not computed by a loop nest";
  if (made.hasIndexSemantics() &&
      !made.getIndexingMapMatchingResult(made->getResult(0)).isIdentity())
    return "the value is not written in the order of its loops";
  if (from == Family::Copy && picksElements(made))
    return "the value is put together element by element";
  return {};
}

/// Emitters take what looks for entries in an order by that order, not by its loops.
static bool looksForEntries(KernelOp kernel) {
  return llvm::any_of(kernel.getBody().front().getOps<linalg::GenericOp>(),
                      [](linalg::GenericOp op) { return op->hasAttr(kOrderAttr); });
}

/// Whether a product reads the value as one of its inputs, and not what follows it.
static bool isOfProduct(BlockArgument input) {
  return llvm::any_of(input.getUsers(), [](Operation *user) {
    auto nest = dyn_cast<linalg::LinalgOp>(user);
    return nest && nest.getNumReductionLoops();
  });
}

/// What loop nests of `kernel` compute for their elements, in operations of arithmetic.
static unsigned operationsOf(KernelOp kernel) {
  unsigned count = 0;
  for (auto nest : kernel.getBody().front().getOps<linalg::GenericOp>())
    for (Operation &op : *nest.getBody())
      count += isa<math::MathDialect>(op.getDialect()) ? kOperationsOfFunction : 1;
  return count;
}

StringRef ptc::plan::refusal(KernelOp producer, KernelOp consumer, const CostModel &machine) {
  if (StringRef why = refusalOfFamilies(producer.getFamily(), consumer.getFamily()); !why.empty())
    return why;
  if (looksForEntries(producer) || looksForEntries(consumer))
    return "entries are looked for as they lie";
  if (producer->getBlock() != consumer->getBlock())
    return "they run on different paths";
  if (producer.getInputs().size() + consumer.getInputs().size() - 1 > kMostOperands)
    return "together they read too many tensors";
  if (operationsOf(producer) + operationsOf(consumer) > kMostOperations)
    return "together they compute too much for one loop";
  for (auto [i, input] : llvm::enumerate(consumer.getInputs())) {
    if (input.getDefiningOp() != producer)
      continue;
    BlockArgument inside = consumer.getBody().front().getArgument(unsigned(i));
    if (machine.productsReadMemory && sumsProducts(consumer) && isOfProduct(inside))
      return "the product reads its inputs as they lie";
    if (StringRef why =
            refusalOfUses(producer, cast<OpResult>(input).getResultNumber(), consumer, inside);
        !why.empty())
      return why;
  }
  return {};
}

StringRef ptc::plan::refusalOfOthers(KernelOp producer, KernelOp consumer) {
  auto mayGiveTwo = [](Family family) { return family == Family::Pointwise || hasRows(family); };
  for (Operation *user : producer->getUsers()) {
    if (user == consumer)
      continue;
    if (!mayGiveTwo(producer.getFamily()) || !mayGiveTwo(consumer.getFamily()))
      return "others read the value, too";
    Operation *at = consumer->getBlock()->findAncestorOpInBlock(*user);
    if (!at || at->isBeforeInBlock(consumer))
      return "others read the value before";
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Both as one
//===----------------------------------------------------------------------===//

/// Tensors that loop nests of `kernel` give to others through memory, small ones left out.
static unsigned numBetween(KernelOp kernel) {
  const CostModel sizes;
  double turns = 0;
  auto ops = kernel.getBody().front().getOps<linalg::LinalgOp>();
  for (linalg::LinalgOp op : ops) {
    double own = 1;
    for (int64_t size : op.getStaticLoopRanges())
      own *= ShapedType::isDynamic(size) ? sizes.typicalSize : double(size);
    turns = std::max(turns, own);
  }
  unsigned count = 0;
  for (linalg::LinalgOp op : ops)
    for (Value result : op->getResults()) {
      bool isRead = llvm::any_of(result.getUses(), [](OpOperand &use) {
        auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
        return reader && reader.isDpsInput(&use);
      });
      count += isRead && elementsOf(result.getType(), sizes) * kFewPerTurn > turns;
    }
  return count;
}

/// Whether nothing is left of a product: a factor is 1, or an integer 0.
static bool losesProduct(KernelOp merged) {
  return llvm::any_of(merged.getBody().front().getOps<linalg::LinalgOp>(), [](auto loops) {
    return loops.getNumReductionLoops() != 0 && !sumsProducts(loops);
  });
}

StringRef ptc::plan::refusalOfMerged(KernelOp merged, KernelOp producer, KernelOp consumer) {
  if (sumsProducts(producer))
    return {}; // the epilogue goes on in the memory of the sums
  if (sumsProducts(consumer) && losesProduct(merged))
    return "a product with the value is none";
  if (sumsProducts(consumer))
    return numBetween(merged) ? "the value is read by more than one product" : "";
  bool hadRows = (hasRows(producer.getFamily()) && sharesRows(producer)) ||
                 (hasRows(consumer.getFamily()) && sharesRows(consumer)) ||
                 producer.getFamily() == Family::Attention;
  if (numBetween(merged) > numBetween(producer) + numBetween(consumer) && !sharesRows(merged))
    return "the value would lie in memory as a whole";
  hadRows |= producer.getFamily() == Family::Gather && hasRows(consumer.getFamily());
  if (hadRows && !sharesRows(merged))
    return "their operations have no rows in common";
  if (merged.getFamily() == Family::Pointwise &&
      llvm::range_size(merged.getBody().front().getOps<linalg::LinalgOp>()) >
          llvm::range_size(producer.getBody().front().getOps<linalg::LinalgOp>()) +
              llvm::range_size(consumer.getBody().front().getOps<linalg::LinalgOp>()) - 1)
    return "they are not one loop nest";
  return {};
}
