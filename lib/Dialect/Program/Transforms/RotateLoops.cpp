//===- RotateLoops.cpp - program-rotate-loops -----------------------------------------------===//
//
// In: loops whose first region ends in a branch, one side of which ends the loop. Out: the other
// side in the second region, which runs where the condition holds:
//
//   while { r, y = if c { …; 1, y' } else { 0, undef }; condition(r == 1) y } do { yield y }
//   while { condition(c) captured… } do { …; yield y' }
//
// What the loop goes on with is then made where it does, and need not be undefined elsewhere.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

namespace ptc::program {
#define GEN_PASS_DEF_PROGRAMROTATELOOPS
#include "ptc/Dialect/Program/Transforms/Passes.h.inc"
} // namespace ptc::program

using namespace mlir;

namespace {

class Rotation {
public:
  explicit Rotation(scf::WhileOp loop) : loop(loop), before(*loop.getBeforeBody()) {}

  /// Whether the loop was another one.
  bool run() {
    if (!findBranch() || !findDependents() || !resultsAreKnown())
      return false;
    findPassed();
    rewrite();
    return true;
  }

private:
  bool findBranch();
  bool findDependents();
  bool resultsAreKnown();
  void findPassed();
  void rewrite();
  Value conditionToGoOn(OpBuilder &b);
  bool isOfBranch(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && (op == branch || dependents.contains(op));
  }

  scf::WhileOp loop;
  Block &before;
  Operation *branch = nullptr;
  Region *goesOn = nullptr, *ends = nullptr;
  llvm::SetVector<Operation *> dependents; ///< of the branch, in their order
  SmallVector<Value> passed;               ///< from the first region to the second
};

} // namespace

/// The constant that a region of a branch yields.
static std::optional<int64_t> yieldedConstant(Region &region, unsigned result) {
  Attribute value;
  if (region.empty() ||
      !matchPattern(region.front().getTerminator()->getOperand(result), m_Constant(&value)))
    return std::nullopt;
  auto number = dyn_cast<IntegerAttr>(value);
  return number ? std::optional(number.getInt()) : std::nullopt;
}

/// The condition is which side of a branch with two sides was taken.
bool Rotation::findBranch() {
  Value condition = loop.getConditionOp().getCondition();
  std::optional<int64_t> wanted = 1;
  if (auto compare = condition.getDefiningOp<arith::CmpIOp>();
      compare && compare.getPredicate() == arith::CmpIPredicate::eq) {
    IntegerAttr number;
    if (!matchPattern(compare.getRhs(), m_Constant(&number)))
      return false;
    wanted = number.getInt();
    condition = compare.getLhs();
  } else if (condition.getDefiningOp<arith::CmpIOp>()) {
    return false;
  }
  auto result = dyn_cast<OpResult>(condition);
  if (!result || result.getOwner()->getBlock() != &before ||
      !isa<scf::IfOp, scf::IndexSwitchOp>(result.getOwner()) ||
      result.getOwner()->getNumRegions() != 2)
    return false;
  branch = result.getOwner();
  for (Region &region : branch->getRegions()) {
    std::optional<int64_t> yielded = yieldedConstant(region, result.getResultNumber());
    if (!yielded)
      return false;
    bool holds =
        condition.getType().isInteger(1) ? (*yielded != 0) == (*wanted != 0) : *yielded == *wanted;
    (holds ? goesOn : ends) = &region;
  }
  return goesOn && ends && llvm::all_of(ends->front(), [](Operation &op) {
           return isMemoryEffectFree(&op) && op.getNumRegions() == 0;
         });
}

/// What follows the branch computes only, so that what needs its results can follow it.
bool Rotation::findDependents() {
  Operation *end = before.getTerminator();
  for (Operation *op = branch->getNextNode(); op != end; op = op->getNextNode()) {
    if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
      return false;
    if (llvm::any_of(op->getOperands(), [&](Value v) { return isOfBranch(v); }))
      dependents.insert(op);
  }
  return true;
}

/// Nothing behind the loop reads what the branch gives.
bool Rotation::resultsAreKnown() {
  return llvm::all_of(llvm::enumerate(loop.getConditionOp().getArgs()), [&](const auto &arg) {
    return !isOfBranch(arg.value()) || loop.getResult(unsigned(arg.index())).use_empty();
  });
}

/// The second region gets what it had, and what its new operations read of the first.
void Rotation::findPassed() {
  llvm::SetVector<Value> values;
  for (Value arg : loop.getConditionOp().getArgs())
    if (!isOfBranch(arg))
      values.insert(arg);
  auto capture = [&](Value v) {
    bool isOfBefore = v.getParentBlock() == &before;
    if (isOfBefore && !isOfBranch(v))
      values.insert(v);
  };
  goesOn->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      capture(operand);
  });
  for (Operation *op : dependents)
    for (Value operand : op->getOperands())
      capture(operand);
  passed = values.takeVector();
}

Value Rotation::conditionToGoOn(OpBuilder &b) {
  Location loc = branch->getLoc();
  if (auto one = dyn_cast<scf::IfOp>(branch)) {
    if (goesOn == &one.getThenRegion())
      return one.getCondition();
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    return arith::XOrIOp::create(b, loc, one.getCondition(), yes);
  }
  auto choice = cast<scf::IndexSwitchOp>(branch);
  bool isDefault = goesOn == &choice.getDefaultRegion();
  int64_t number = choice.getCases().front();
  if (auto select = choice.getArg().getDefiningOp<arith::SelectOp>()) {
    IntegerAttr yes, no;
    if (matchPattern(select.getTrueValue(), m_Constant(&yes)) &&
        matchPattern(select.getFalseValue(), m_Constant(&no)) &&
        ((yes.getInt() == number) != isDefault) && ((no.getInt() == number) == isDefault))
      return select.getCondition();
  }
  Value same = arith::ConstantIndexOp::create(b, loc, number);
  return arith::CmpIOp::create(b, loc,
                               isDefault ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq,
                               choice.getArg(), same);
}

void Rotation::rewrite() {
  scf::ConditionOp end = loop.getConditionOp();
  OpBuilder b(end);
  Value condition = conditionToGoOn(b);
  OpBuilder at(loop);
  auto made =
      scf::WhileOp::create(at, loop.getLoc(), ValueRange(passed).getTypes(), loop.getInits());
  SmallVector<Location> locs(passed.size(), loop.getLoc());
  for (auto [i, value] : llvm::enumerate(passed))
    locs[i] = value.getLoc();
  Block *body = at.createBlock(&made.getAfter(), {}, ValueRange(passed).getTypes(), locs);
  auto argOf = [&](Value value) -> Value {
    auto *found = llvm::find(passed, value);
    return found == passed.end() ? Value() : body->getArgument(unsigned(found - passed.begin()));
  };
  // The side that goes on, what needs its results, and what stood there before.
  Operation *yields = goesOn->front().getTerminator();
  SmallVector<Value> given(yields->getOperands());
  body->getOperations().splice(body->end(), goesOn->front().getOperations(),
                               goesOn->front().begin(), Block::iterator(yields));
  for (Operation *op : dependents)
    op->moveBefore(body, body->end());
  branch->replaceUsesWithIf(given, [&](OpOperand &use) {
    return use.getOwner()->getBlock() == body || use.getOwner() == end;
  });
  Block &old = *loop.getAfterBody();
  SmallVector<Value> afterArgs;
  for (Value arg : end.getArgs())
    afterArgs.push_back(argOf(arg) ? argOf(arg) : arg); // those of the branch were moved
  for (auto [arg, value] : llvm::zip_equal(old.getArguments(), afterArgs))
    arg.replaceAllUsesWith(value);
  body->getOperations().splice(body->end(), old.getOperations());
  for (auto [i, value] : llvm::enumerate(passed))
    value.replaceUsesWithIf(body->getArgument(unsigned(i)), [&](OpOperand &use) {
      return made.getAfter().isAncestor(use.getOwner()->getParentRegion());
    });
  for (auto [arg, result] : llvm::zip_equal(end.getArgs(), loop.getResults()))
    if (!result.use_empty())
      result.replaceAllUsesWith(made.getResult(unsigned(llvm::find(passed, arg) - passed.begin())));
  scf::ConditionOp::create(b, end.getLoc(), condition, passed);
  Operation *decision = end.getCondition().getDefiningOp();
  end.erase();
  if (decision != branch && decision->use_empty())
    decision->erase();
  branch->erase();
  made.getBefore().takeBody(loop.getBefore());
  made->setAttrs(loop->getDiscardableAttrDictionary());
  loop.erase();
}

namespace {
struct RotatePass : ptc::program::impl::ProgramRotateLoopsBase<RotatePass> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops; // the inner ones first
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      Rotation(loop).run();
  }
};
} // namespace
