//===- NestJoin.cpp - One loop nest of several ------------------------------------------------===//
//
// In: a kernel. Out: the same with fewer loop nests: what one computes and another reads in the
// same turn goes from one to the other without memory.
//
//===----------------------------------------------------------------------===//
#include "NestJoin.h"

#include "ptc/Dialect/Plan/IR/Recomputed.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

//===----------------------------------------------------------------------===//
// Dimensions of size 1
//===----------------------------------------------------------------------===//

/// The places that are left of `map` when dimensions of size 1 that `expand` added are not named.
static AffineMap mapWithoutOnes(AffineMap map, tensor::ExpandShapeOp expand) {
  SmallVector<AffineExpr> places;
  ArrayRef<int64_t> shape = expand.getType().getShape();
  for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
    int64_t kept = group.front();
    for (int64_t d : group)
      if (shape[d] != 1)
        kept = d;
    places.push_back(map.getResult(unsigned(kept)));
  }
  return AffineMap::get(map.getNumDims(), 0, places, map.getContext());
}

/// Whether every loop of `op` would still have a size.
static bool namesAllLoops(linalg::GenericOp op, unsigned operand, AffineMap map) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand] = map;
  return inversePermutation(concatAffineMaps(maps, map.getContext())) != AffineMap();
}

/// Sizes of what has more dimensions are known without it.
static void replaceSizes(tensor::ExpandShapeOp expand) {
  for (Operation *user : llvm::make_early_inc_range(expand->getUsers())) {
    auto dim = dyn_cast<tensor::DimOp>(user);
    std::optional<int64_t> which = dim ? dim.getConstantIndex() : std::nullopt;
    if (!which)
      continue;
    OpBuilder b(dim);
    dim.replaceAllUsesWith(getValueOrCreateConstantIndexOp(
        b, dim.getLoc(), expand.getMixedOutputShape()[size_t(*which)]));
    dim.erase();
  }
  if (expand->use_empty())
    expand.erase();
}

void ptc::plan::readThroughOnes(KernelOp kernel) {
  for (auto op : kernel.getBody().front().getOps<linalg::GenericOp>())
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto expand = input->get().getDefiningOp<tensor::ExpandShapeOp>();
      if (!expand || withoutOnes(expand.getResult()) == expand.getResult())
        continue;
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      unsigned number = input->getOperandNumber();
      AffineMap map = mapWithoutOnes(maps[number], expand);
      if (!namesAllLoops(op, number, map))
        continue;
      maps[number] = map;
      op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
      input->set(expand.getSrc());
    }
  for (auto expand :
       llvm::make_early_inc_range(kernel.getBody().front().getOps<tensor::ExpandShapeOp>()))
    replaceSizes(expand);
}

//===----------------------------------------------------------------------===//
// Two nests with the same loops
//===----------------------------------------------------------------------===//

/// Computes each element of its results for itself, in the order of its loops.
static bool isElementwise(linalg::GenericOp op) {
  if (op.getNumReductionLoops() || op->hasAttr(kLowerTriangleAttr))
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &out) {
    return op.getMatchingIndexingMap(&out).isIdentity() && !op.payloadUsesValueFromOperand(&out);
  });
}

/// Readers of results of `op` besides the end of the kernel; none if someone reads them otherwise
/// than as an operand of a loop nest in the order of its loops.
static std::optional<SmallVector<linalg::GenericOp>> readersOf(linalg::GenericOp op) {
  SmallVector<linalg::GenericOp> readers;
  for (OpOperand &use : op->getUses()) {
    if (isa<YieldOp>(use.getOwner()))
      continue;
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || !reader.isDpsInput(&use) || !reader.getMatchingIndexingMap(&use).isIdentity())
      return std::nullopt;
    if (!llvm::is_contained(readers, reader))
      readers.push_back(reader);
  }
  return readers;
}

static bool isYielded(linalg::GenericOp op) {
  return llvm::any_of(op->getUsers(), llvm::IsaPred<YieldOp>);
}

/// Both in one, at the place of `second`, which reads results of `first` or nothing of it. Gives
/// all results of both.
static linalg::GenericOp join(linalg::GenericOp first, linalg::GenericOp second) {
  SmallVector<Value> inputs(first.getInputs()), outs(first.getDpsInits());
  SmallVector<AffineMap> inputMaps, outMaps;
  auto mapOf = [](linalg::GenericOp op, OpOperand &operand) {
    return op.getMatchingIndexingMap(&operand);
  };
  for (OpOperand *input : first.getDpsInputOperands())
    inputMaps.push_back(mapOf(first, *input));
  for (OpOperand *input : second.getDpsInputOperands())
    if (input->get().getDefiningOp() != first) {
      inputs.push_back(input->get());
      inputMaps.push_back(mapOf(second, *input));
    }
  for (linalg::GenericOp op : {first, second})
    for (OpOperand &out : op.getDpsInitsMutable())
      outMaps.push_back(mapOf(op, out));
  llvm::append_range(outs, second.getDpsInits());
  inputMaps.append(outMaps);
  SmallVector<Type> types(first.getResultTypes());
  llvm::append_range(types, second.getResultTypes());
  OpBuilder b(second);
  auto joined = linalg::GenericOp::create(
      b, b.getFusedLoc({first.getLoc(), second.getLoc()}), types, inputs, outs, inputMaps,
      second.getIteratorTypesArray(), [&](OpBuilder &inner, Location loc, ValueRange args) {
        IRMapping mapping;
        Block *a = first.getBody(), *z = second.getBody();
        size_t next = 0, firstInputs = first.getInputs().size();
        for (; next < firstInputs; ++next)
          mapping.map(a->getArgument(unsigned(next)), args[next]);
        for (Operation &op : a->without_terminator())
          inner.clone(op, mapping);
        SmallVector<Value> results;
        for (Value v : a->getTerminator()->getOperands())
          results.push_back(mapping.lookupOrDefault(v));
        for (OpOperand *input : second.getDpsInputOperands()) {
          auto given = dyn_cast<OpResult>(input->get());
          mapping.map(z->getArgument(input->getOperandNumber()),
                      given && given.getOwner() == first ? results[given.getResultNumber()]
                                                         : args[next++]);
        }
        next += first.getDpsInits().size();
        for (BlockArgument out : z->getArguments().drop_front(second.getInputs().size()))
          mapping.map(out, args[next++]);
        for (Operation &op : z->without_terminator())
          inner.clone(op, mapping);
        for (Value v : z->getTerminator()->getOperands())
          results.push_back(mapping.lookupOrDefault(v));
        linalg::YieldOp::create(inner, loc, results);
      });
  joined->setDiscardableAttrs(second->getDiscardableAttrDictionary());
  unsigned numFirst = first.getNumResults();
  second->replaceAllUsesWith(joined.getResults().drop_front(numFirst));
  second.erase();
  first->replaceAllUsesWith(joined.getResults().take_front(numFirst));
  first.erase();
  return joined;
}

static bool computesFunctions(linalg::GenericOp op) {
  return llvm::any_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return isa<math::MathDialect>(inner.getDialect()) &&
           !isa<math::SqrtOp, math::RsqrtOp, math::AbsFOp, math::FmaOp, math::FloorOp>(inner);
  });
}

bool ptc::plan::suitsOneNest(linalg::GenericOp made, linalg::GenericOp read) {
  if (made->hasAttr(kLowerTriangleAttr) || read->hasAttr(kLowerTriangleAttr))
    return false;
  bool goesByRows = llvm::any_of(made.getDpsInputOperands(), [&](OpOperand *input) {
    return input->get().getDefiningOp<linalg::LinalgOp>() &&
           !made.getMatchingIndexingMap(input).isIdentity();
  });
  return !(goesByRows && computesFunctions(read) && !read.getNumReductionLoops());
}

/// Whether what `made` computes can be a part of its only reader `read`.
static bool mayJoin(linalg::GenericOp made, linalg::GenericOp read) {
  if (made.getNumLoops() != read.getNumLoops() || !suitsOneNest(made, read))
    return false;
  if (!isYielded(made))
    return true;
  // A result is written once: where no loop of the reader goes over it again.
  return isElementwise(read);
}

//===----------------------------------------------------------------------===//
// Several readers
//===----------------------------------------------------------------------===//

/// Seconds for one pass of `op`, from the nearest memory; `computes`: not only its memory.
static double passSeconds(linalg::GenericOp op, const CostModel &model) {
  double turns = 1, moved = 0, operations = 0, functions = 0;
  for (int64_t size : op.getStaticLoopRanges())
    turns *= ShapedType::isDynamic(size) ? model.typicalSize : double(size);
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(input).isPermutation())
      moved += bytesOf(getElementTypeOrSelf(input->get().getType()), model);
  for (Operation &inner : op.getBody()->without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>())
      (isa<math::MathDialect>(inner.getDialect()) ? functions : operations) += 1;
  return turns * (moved / model.memories.front().perSecond + operations / model.operations +
                  functions / model.functions);
}

/// Whether each of several readers computes the elements for itself rather than reads them from
/// the memory of a tile.
static bool isCheaperAgain(linalg::GenericOp made, size_t readers, const CostModel &model) {
  double bytes = 0;
  for (Value result : made.getResults())
    bytes += bytesOf(result.getType(), model);
  double between = bytes * double(readers + 1) / model.memories.front().perSecond;
  return double(readers - 1) * passSeconds(made, model) <= between;
}

/// A copy of `made` for `reader` alone.
static linalg::GenericOp copyFor(linalg::GenericOp made, linalg::GenericOp reader) {
  OpBuilder b(reader);
  auto copy = cast<linalg::GenericOp>(b.clone(*made));
  for (Operation &op : copy.getBody()->without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>() && !isa<linalg::IndexOp>(op))
      op.setAttr(kRecomputedAttr, b.getUnitAttr());
  for (auto [old, fresh] : llvm::zip_equal(made.getResults(), copy.getResults()))
    old.replaceUsesWithIf(fresh, [&](OpOperand &use) { return use.getOwner() == reader; });
  return copy;
}

/// Joins `made` with its readers, if that is possible and pays.
static bool joinWithReaders(linalg::GenericOp made, const CostModel &model) {
  if (!isElementwise(made))
    return false;
  std::optional<SmallVector<linalg::GenericOp>> readers = readersOf(made);
  if (!readers || readers->empty() ||
      !llvm::all_of(*readers, [&](linalg::GenericOp read) { return mayJoin(made, read); }))
    return false;
  if (readers->size() > 1 && (isYielded(made) || !isCheaperAgain(made, readers->size(), model)))
    return false;
  for (linalg::GenericOp reader : ArrayRef(*readers).drop_front())
    join(copyFor(made, reader), reader);
  join(made, readers->front());
  return true;
}

bool ptc::plan::joinNests(KernelOp kernel, const CostModel &model) {
  bool changed = false;
  for (bool again = true; again; changed |= again) {
    again = false;
    SmallVector<linalg::GenericOp> ops(kernel.getBody().front().getOps<linalg::GenericOp>());
    // From the end: what one reader takes in may be what another reads, too.
    for (linalg::GenericOp op : llvm::reverse(ops))
      if (joinWithReaders(op, model)) {
        again = true;
        break;
      }
  }
  return changed;
}

bool ptc::plan::joinByMaps(KernelOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<OpOperand *> found;
  for (auto op : kernel.getBody().front().getOps<linalg::GenericOp>())
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto made = input->get().getDefiningOp<linalg::GenericOp>();
      if (op.getNumReductionLoops() && made && made->hasOneUse() && isElementwise(made) &&
          linalg::areElementwiseOpsFusable(input)) {
        found.push_back(input);
        break; // the operation is another one behind that
      }
    }
  for (OpOperand *input : found) {
    Operation *read = input->getOwner();
    rewriter.setInsertionPoint(read);
    FailureOr<linalg::ElementwiseOpFusionResult> joined =
        linalg::fuseElementwiseOps(rewriter, input);
    if (failed(joined))
      continue;
    for (auto [old, fresh] : joined->replacements)
      rewriter.replaceAllUsesWith(old, fresh);
    rewriter.eraseOp(read);
  }
  return !found.empty();
}
