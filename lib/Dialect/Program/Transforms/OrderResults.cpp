//===- OrderResults.cpp - program-order-results ---------------------------------------------===//
//
// In: the body of a variant, where results stand in the order in which the joins met their slots.
// Where a compiler keeps a value, in a local or on the stack, differs between versions of Python.
// Out: the same body with the results of scf.if, scf.index_switch and scf.while, and what loops
// carry, in the order in which they are first read; undefined values stand where they are read.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ptc::program {
#define GEN_PASS_DEF_PROGRAMORDERRESULTS
#include "ptc/Dialect/Program/Transforms/Passes.h.inc"
} // namespace ptc::program

using namespace mlir;
using ptc::program::UndefOp;

namespace {
/// old place by new place
using Permutation = SmallVector<unsigned>;

class ResultOrder {
public:
  explicit ResultOrder(Operation *root) {
    unsigned next = 0;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { number[op] = next++; });
  }

  /// Later operations first: what reads a result has its final order before the result is looked
  /// at. Returns whether anything moved.
  bool run(Block &block) {
    bool moved = false;
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      moved |= run(&op);
    return moved;
  }

  /// Each undefined value right before what reads it first, in the order of reading.
  void placeUndefined(Operation *root) {
    SmallVector<std::pair<Place, UndefOp>> found;
    root->walk([&](UndefOp op) { found.emplace_back(firstUse(op), op); });
    llvm::sort(found, [](auto &a, auto &b) { return a.first < b.first; });
    for (auto &[place, op] : found)
      if (place != kUnused) {
        auto first = llvm::min_element(op->getUsers(), [&](Operation *a, Operation *b) {
          return number.lookup(a) < number.lookup(b);
        });
        op->moveBefore(op->getBlock()->findAncestorOpInBlock(**first));
      }
  }

private:
  using Place = std::pair<uint64_t, uint64_t>;
  static constexpr Place kUnused{UINT64_MAX, 0};

  Place firstUse(Value value) const {
    Place first = kUnused;
    for (OpOperand &use : value.getUses())
      first = std::min(first, Place(number.lookup(use.getOwner()), use.getOperandNumber()));
    return first;
  }

  static Permutation sorted(ArrayRef<Place> places) {
    Permutation order;
    order.reserve(places.size());
    for (unsigned i = 0; i < places.size(); ++i)
      order.push_back(i);
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::pair(places[a], a) < std::pair(places[b], b);
    });
    return order;
  }
  static bool isIdentity(const Permutation &order) {
    for (auto [i, old] : llvm::enumerate(order))
      if (i != old)
        return false;
    return true;
  }
  template <typename RangeT> static auto permuted(RangeT range, const Permutation &order) {
    SmallVector<std::decay_t<decltype(range[0])>> out;
    for (unsigned old : order)
      out.push_back(range[old]);
    return out;
  }

  bool run(Operation *op) {
    bool moved = false;
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      moved |= orderBranch(op);
    auto loop = dyn_cast<scf::WhileOp>(op);
    if (loop) {
      moved |= orderResults(loop);
      op = loop;
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        moved |= run(block);
    return loop ? moved | orderCarried(loop) : moved;
  }

  /// The operation with its results in another order; the old one is gone.
  Operation *recreate(Operation *op, const Permutation &order) {
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(op->getOperands());
    state.addTypes(permuted(op->getResultTypes(), order));
    state.addAttributes(op->getAttrs());
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    OpBuilder b(op);
    Operation *made = b.create(state);
    for (auto [i, old] : llvm::enumerate(order))
      op->getResult(old).replaceAllUsesWith(made->getResult(i));
    number[made] = number.lookup(op);
    op->erase();
    return made;
  }

  bool orderBranch(Operation *&op) {
    SmallVector<Place> places;
    for (Value result : op->getResults())
      places.push_back(firstUse(result));
    Permutation order = sorted(places);
    if (isIdentity(order))
      return false;
    op = recreate(op, order);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        Operation *yield = block.getTerminator();
        yield->setOperands(permuted(yield->getOperands(), order));
      }
    return true;
  }

  bool orderResults(scf::WhileOp &loop) {
    SmallVector<Place> places;
    for (auto [result, argument] : llvm::zip_equal(loop.getResults(), loop.getAfterArguments())) {
      Place place = firstUse(result);
      // Those that only the second region reads stand behind the others, in the order of that.
      if (place == kUnused && !argument.use_empty()) {
        place = firstUse(argument);
        place.first += kUnused.first / 2;
      }
      places.push_back(place);
    }
    Permutation order = sorted(places);
    if (isIdentity(order))
      return false;
    loop = cast<scf::WhileOp>(recreate(loop, order));
    scf::ConditionOp condition = loop.getConditionOp();
    SmallVector<Value> passed = permuted(condition.getArgs(), order);
    condition.getArgsMutable().assign(passed);
    reorderArguments(*loop.getAfterBody(), order);
    return true;
  }

  bool orderCarried(scf::WhileOp loop) {
    SmallVector<Place> places;
    for (Value argument : loop.getBeforeArguments())
      places.push_back(firstUse(argument));
    Permutation order = sorted(places);
    if (isIdentity(order))
      return false;
    reorderArguments(*loop.getBeforeBody(), order);
    loop->setOperands(permuted(loop->getOperands(), order));
    Operation *yield = loop.getAfterBody()->getTerminator();
    yield->setOperands(permuted(yield->getOperands(), order));
    return true;
  }

  static void reorderArguments(Block &block, const Permutation &order) {
    unsigned n = block.getNumArguments();
    for (unsigned old : order) {
      BlockArgument argument = block.getArgument(old);
      BlockArgument made = block.addArgument(argument.getType(), argument.getLoc());
      argument.replaceAllUsesWith(made);
    }
    block.eraseArguments(0, n);
  }

  llvm::DenseMap<Operation *, unsigned> number;
};

struct OrderResultsPass : ptc::program::impl::ProgramOrderResultsBase<OrderResultsPass> {
  void runOnOperation() override {
    // What a loop carries for its next pass only is ordered by what another round found.
    constexpr unsigned kRounds = 8;
    getOperation()->walk([](ptc::program::VariantOp variant) {
      ResultOrder order(variant);
      for (unsigned round = 0; round < kRounds; ++round)
        if (!order.run(variant.getBody().front()))
          break;
      ResultOrder(variant).placeUndefined(variant);
    });
  }
};
} // namespace
