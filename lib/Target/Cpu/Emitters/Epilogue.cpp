//===- Epilogue.cpp - What follows a sum of products ------------------------------------===//
//
// In: the operations of a kernel in order, on memrefs. Out: which of them belong to a product, and
// their streams in the product's loops.
//
//===----------------------------------------------------------------------===//
#include "Epilogue.h"

#include "Body.h"
#include "Team.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc::cpu;

//===----------------------------------------------------------------------===//
// Finding them
//===----------------------------------------------------------------------===//

Value ptc::cpu::wholeOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

static Value outputOf(linalg::GenericOp op) { return op.getDpsInitOperand(0)->get(); }

static bool isParallel(linalg::GenericOp op) { return op.getNumReductionLoops() == 0; }

/// Writes zero to all of its only output.
static bool isZeroFill(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || !isParallel(op) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return false;
  Value filled = op.getBody()->getTerminator()->getOperand(0);
  if (auto arg = dyn_cast<BlockArgument>(filled); arg && arg.getOwner() == op.getBody()) {
    if (arg.getArgNumber() >= op.getNumDpsInputs())
      return false;
    filled = op.getDpsInputOperand(arg.getArgNumber())->get();
  }
  return matchPattern(filled, m_PosZeroFloat());
}

/// Nothing between the two reads or writes memory.
static bool areNeighbours(Operation *first, Operation *second) {
  if (first->getBlock() != second->getBlock())
    return false;
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    if (!op || !(isMemoryEffectFree(op) || isa<memref::AllocOp>(op)))
      return false;
  return true;
}

/// Whether `memref` is `value` or a view of it with all its elements in their order.
static bool isViewOf(Value memref, Value value) {
  while (memref != value) {
    Operation *op = memref.getDefiningOp();
    if (!isa_and_nonnull<memref::CastOp, memref::CollapseShapeOp>(op))
      return false;
    memref = op->getOperand(0);
  }
  return true;
}

/// The operand through which `op` reads all elements of `value` in the order of its loops, if
/// that is all that it does with this memory besides writing it.
static OpOperand *continues(linalg::GenericOp op, Value value) {
  OpOperand *read = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    if (wholeOf(operand.get()) != wholeOf(value))
      continue;
    if (!isViewOf(operand.get(), value) || !op.getMatchingIndexingMap(&operand).isIdentity())
      return nullptr;
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    if (read)
      return nullptr;
    read = &operand;
  }
  return read;
}

/// Whether `op` can be a step behind what writes `value`.
static bool isStep(linalg::GenericOp op, Value value) {
  if (op.getNumDpsInits() != 1 || !isParallel(op) || op.hasIndexSemantics() ||
      !isElementwise(*op.getBody()))
    return false;
  OpOperand *read = continues(op, value), *out = op.getDpsInitOperand(0);
  if (!read || !op.getMatchingIndexingMap(out).isIdentity())
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (input != read && wholeOf(input->get()) == wholeOf(out->get()))
      return false;
  // An output of its own is not read, and what it was made of is this kernel's alone.
  return wholeOf(out->get()) == wholeOf(value) ||
         (!op.payloadUsesValueFromOperand(out) && wholeOf(value).getDefiningOp<memref::AllocOp>());
}

/// Every operation that reads or writes the memory of `value`, through views as well.
static void collectUsers(Value value, llvm::SmallPtrSetImpl<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    if (!isMemoryEffectFree(user))
      users.insert(user);
    for (Value view : user->getResults())
      if (isa<MemRefType>(view.getType()))
        collectUsers(view, users);
  }
}

/// Drops steps from the end on until nobody outside reads what would not be written.
static void keepWhatOthersRead(Neighbours &n) {
  auto isRead = [&](Value value) {
    llvm::SmallPtrSet<Operation *, 4> users;
    collectUsers(wholeOf(value), users);
    users.erase(n.product);
    if (n.fill)
      users.erase(n.fill);
    for (linalg::GenericOp step : n.epilogue)
      users.erase(step);
    return !users.empty();
  };
  while (!n.epilogue.empty()) {
    Value last = outputOf(n.epilogue.back());
    SmallVector<Value> before{outputOf(n.product)};
    for (linalg::GenericOp step : ArrayRef(n.epilogue).drop_back())
      before.push_back(outputOf(step));
    if (llvm::none_of(before, [&](Value v) { return wholeOf(v) != wholeOf(last) && isRead(v); }))
      return;
    n.epilogue.pop_back();
  }
}

linalg::GenericOp ptc::cpu::productOfFill(ArrayRef<linalg::GenericOp> ops) {
  if (!isZeroFill(ops[0]))
    return {};
  Value memory = wholeOf(outputOf(ops[0]));
  if (!memory.getDefiningOp<memref::AllocOp>())
    return {};
  llvm::SmallPtrSet<Operation *, 4> users;
  collectUsers(memory, users);
  for (linalg::GenericOp op : ops.drop_front())
    if (users.contains(op) && !isParallel(op) && op.getNumDpsInits() == 1 &&
        outputOf(op) == outputOf(ops[0]) && op->getBlock() == ops[0]->getBlock() &&
        llvm::none_of(users, [&](Operation *user) {
          Operation *there = op->getBlock()->findAncestorOpInBlock(*user);
          return there && there != ops[0] && ops[0]->isBeforeInBlock(there) &&
                 there->isBeforeInBlock(op);
        }))
      return op;
  return {};
}

std::optional<Neighbours> ptc::cpu::findNeighbours(ArrayRef<linalg::GenericOp> ops) {
  auto at = [&](size_t i) { return i < ops.size() ? ops[i] : linalg::GenericOp(); };
  Neighbours n;
  size_t next = 0;
  if (isZeroFill(ops[0]) && at(1) && areNeighbours(ops[0], at(1)) && !isParallel(at(1)) &&
      at(1).getNumDpsInits() == 1 && outputOf(at(1)) == outputOf(ops[0]))
    n.fill = ops[next++];
  n.product = ops[next++];
  OpOperand *out = n.product.getDpsInitOperand(0);
  if (isParallel(n.product) || n.product.getNumDpsInits() != 1 ||
      !n.product.getMatchingIndexingMap(out).isProjectedPermutation())
    return std::nullopt;
  Value value = out->get();
  for (linalg::GenericOp before = n.product;
       at(next) && areNeighbours(before, at(next)) && isStep(at(next), value); ++next) {
    before = at(next);
    n.epilogue.push_back(before);
    value = outputOf(before);
  }
  keepWhatOthersRead(n);
  return n;
}

//===----------------------------------------------------------------------===//
// Their streams
//===----------------------------------------------------------------------===//

/// Per dimension of a view of the product's output the loops that walk it, innermost last.
using LoopsOfDims = SmallVector<SmallVector<size_t>>;

/// Those of `view`, which is one of `value`.
static LoopsOfDims loopsOfView(LoopsOfDims loops, Value view, Value value) {
  SmallVector<memref::CollapseShapeOp> collapses;
  for (; view != value; view = view.getDefiningOp()->getOperand(0))
    if (auto collapse = view.getDefiningOp<memref::CollapseShapeOp>())
      collapses.push_back(collapse);
  for (memref::CollapseShapeOp collapse : llvm::reverse(collapses)) {
    LoopsOfDims fewer;
    for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
      fewer.emplace_back();
      for (int64_t d : group)
        fewer.back().append(loops[size_t(d)]);
    }
    loops = std::move(fewer);
  }
  return loops;
}

/// A stream of a step in the loops of the product.
static Stream inLoopsOf(LoopBuilder &l, const Nest &product, const LoopsOfDims &loops,
                        const Stream &s) {
  Stream result{s.pointer, s.element, {}};
  result.strides.assign(product.numLoops(), l.index(0));
  for (auto [dim, stride] : llvm::enumerate(s.strides)) {
    Value step = stride;
    for (size_t loop : llvm::reverse(loops[dim])) {
      result.strides[loop] = step;
      step = l.mul(step, product.sizes[loop]);
    }
  }
  return result;
}

std::optional<Nest> ptc::cpu::readNest(LoopBuilder &l, Neighbours n) {
  std::optional<Nest> nest = readNest(l, n.product);
  if (!nest)
    return std::nullopt;
  nest->startsAtZero = bool(n.fill);
  Stream begin = nest->outputs[0];
  OpOperand *out = n.product.getDpsInitOperand(0);
  Value value = out->get();
  LoopsOfDims loops;
  for (AffineExpr at : n.product.getMatchingIndexingMap(out).getResults())
    loops.push_back({cast<AffineDimExpr>(at).getPosition()});
  for (linalg::GenericOp op : n.epilogue) {
    std::optional<Nest> step = readNest(l, op);
    if (!step)
      return std::nullopt;
    OpOperand *read = continues(op, value);
    loops = loopsOfView(std::move(loops), read->get(), value);
    EpilogueStep made{step->body, {}};
    for (auto [i, s] : llvm::enumerate(step->inputs)) {
      bool isValue = i == read->getOperandNumber();
      made.arguments.push_back(isValue ? std::nullopt : std::optional(nest->more.size()));
      if (!isValue)
        nest->more.push_back(inLoopsOf(l, *nest, loops, s));
    }
    made.arguments.push_back(std::nullopt);
    nest->outputs[0] = inLoopsOf(l, *nest, loops, step->outputs[0]);
    nest->epilogue.push_back(std::move(made));
    value = op.getDpsInitOperand(0)->get();
  }
  if (!nest->startsAtZero && wholeOf(value) != wholeOf(out->get())) {
    nest->accumulator = nest->more.size();
    nest->more.push_back(std::move(begin));
  }
  return nest;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Value ptc::cpu::finish(LoopBuilder &l, const Nest &nest, Value sum, int64_t lanes,
                       llvm::function_ref<Value(size_t)> load) {
  for (const EpilogueStep &step : nest.epilogue) {
    IRMapping mapping;
    for (auto [arg, from] : llvm::zip_equal(step.body->getArguments(), step.arguments))
      mapping.map(arg, from ? load(*from) : sum);
    SmallVector<Operation *> ops;
    for (Operation &op : step.body->without_terminator())
      ops.push_back(&op);
    cloneOnLanes(l, ops, mapping, lanes);
    bool isVector = isa<VectorType>(sum.getType());
    sum = mapping.lookupOrDefault(step.body->getTerminator()->getOperand(0));
    if (isVector && !isa<VectorType>(sum.getType()))
      sum = broadcast(l, sum, lanes);
  }
  return sum;
}

double ptc::cpu::epilogueCycles(const Nest &nest) {
  double cycles = 0;
  for (const EpilogueStep &step : nest.epilogue)
    cycles += bodyCycles(*step.body);
  return cycles;
}
