//===- Layouts.cpp - Inputs of products as matrix instructions read them ---------------------===//
//
// In: sums of products of f16 or bf16 whose inputs do not come in groups, convolutions above all.
// Out: inputs that lie along a loop of the sum that both have, the channels: memory of the kernel
// lies so from the start, weights are packed so, of other memory there is a copy.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "ptc/Target/Cpu/Lowering.h"
#include "ptc/TensorFile/PackFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Loops of the sum that are shorter are not worth another layout; others may have zeros behind
/// their end, if there is no better one.
static constexpr int64_t kShortLoop = 3;

/// Where a loop, and it alone, leads in the memory of an operand.
static std::optional<unsigned> dimensionOf(linalg::LinalgOp op, OpOperand *in, unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(in);
  std::optional<unsigned> at = map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
  bool isOnly = at && llvm::count_if(map.getResults(), [&](AffineExpr expr) {
                        return expr.isFunctionOfDim(loop);
                      }) == 1;
  return isOnly ? at : std::nullopt;
}

/// The loop of the sum that neighbours in both inputs should be turns of; none: there is none, or
/// both come in groups as they are.
static std::optional<unsigned> findCommonLoop(linalg::LinalgOp op) {
  std::optional<TiledProduct> product = findTiledProduct(op);
  if (!product || !product->byMatrix)
    return std::nullopt;
  bool areInGroups = true;
  for (auto [in, loops] : {std::pair(product->rows, ArrayRef(product->ofRows)),
                           std::pair(product->columns, ArrayRef(product->ofColumns))}) {
    auto type = cast<MemRefType>(in->get().getType());
    areInGroups &= comesInGroups(op, op.getMatchingIndexingMap(in), type,
                                 isAlongSum(op, *product, in, loops) ? product->sum : loops,
                                 kWideAccess / elementBytesOf(*product));
  }
  std::optional<unsigned> best;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto canBeLast = [&](OpOperand *in, unsigned d) {
    std::optional<unsigned> at = dimensionOf(op, in, d);
    return at && !cast<MemRefType>(in->get().getType()).isDynamicDim(*at);
  };
  for (unsigned d : product->sum)
    if (!ShapedType::isDynamic(sizes[d]) && sizes[d] >= kShortLoop && canBeLast(product->rows, d) &&
        canBeLast(product->columns, d) && (!best || sizes[d] > sizes[*best]))
      best = d;
  return areInGroups ? std::nullopt : best;
}

/// What is at `at` comes last.
template <typename T> static SmallVector<T> withLast(ArrayRef<T> all, unsigned at) {
  SmallVector<T> moved(all);
  std::rotate(moved.begin() + at, moved.begin() + at + 1, moved.end());
  return moved;
}

/// The operand becomes `to`, whose dimension `at` is the last.
static void replaceOperand(OpOperand &operand, Value to, unsigned at) {
  auto op = cast<linalg::GenericOp>(operand.getOwner());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap &map = maps[operand.getOperandNumber()];
  map = AffineMap::get(map.getNumDims(), 0, withLast(map.getResults(), at), map.getContext());
  operand.set(to);
  op.setIndexingMapsAttr(OpBuilder(op).getAffineMapArrayAttr(maps));
}

/// The same of all operands that are `from`.
static void replaceOperands(linalg::GenericOp op, Value from, Value to, unsigned at) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == from)
      replaceOperand(operand, to, at);
}

/// Memory for what `type` has, by whole groups of its dimension `at`, which the run does not
/// change.
static Value allocate(OpBuilder &b, Location loc, MemRefType type, unsigned at,
                      ValueRange sizesOfRun = {}) {
  assert(!type.isDynamicDim(at) && "other sizes keep their order");
  SmallVector<int64_t> shape = withLast(type.getShape(), at);
  shape.back() = int64_t(llvm::alignTo(uint64_t(shape.back()), uint64_t(kGroup)));
  return memref::AllocOp::create(b, loc, MemRefType::get(shape, type.getElementType()), sizesOfRun);
}

/// Whether nests and views for nests alone use the memory; if it is to have more elements, what
/// fills it, with 0, and `reader`.
static bool isForNests(Value memory, linalg::GenericOp reader, bool grows) {
  bool isFilled = llvm::any_of(memory.getUsers(), [&](Operation *user) {
    auto nest = dyn_cast<linalg::GenericOp>(user);
    return nest && fills(nest, memory) &&
           matchPattern(nest.getDpsInputs().front(), m_AnyZeroFloat());
  });
  return (isFilled || !grows) && llvm::all_of(memory.getUsers(), [&](Operation *user) {
           auto view = dyn_cast<memref::SubViewOp>(user);
           auto nest = dyn_cast<linalg::GenericOp>(user);
           return (nest && (!grows || nest == reader || fills(nest, memory))) ||
                  (view && view.getType().getRank() == view.getSourceType().getRank() &&
                   llvm::all_of(view->getUsers(), llvm::IsaPred<linalg::GenericOp>));
         });
}

/// Memory of the kernel gets its dimension `at` last.
static void layOut(memref::AllocOp alloc, unsigned at) {
  OpBuilder b(alloc);
  Value made = allocate(b, alloc.getLoc(), alloc.getType(), at, alloc.getDynamicSizes());
  SmallVector<Operation *> users(alloc->user_begin(), alloc->user_end());
  for (Operation *user : users) {
    auto view = dyn_cast<memref::SubViewOp>(user);
    if (!view) {
      auto nest = cast<linalg::GenericOp>(user);
      replaceOperands(nest, alloc, made, at);
      if (fills(nest, made)) { // in the order of memory
        AffineMap map = b.getMultiDimIdentityMap(nest.getNumLoops());
        nest.setIndexingMapsAttr(
            b.getAffineMapArrayAttr({nest.getIndexingMapsArray().front(), map}));
      }
      continue;
    }
    b.setInsertionPoint(view);
    Value other = memref::SubViewOp::create(b, view.getLoc(), made,
                                            withLast(ArrayRef(view.getMixedOffsets()), at),
                                            withLast(ArrayRef(view.getMixedSizes()), at),
                                            withLast(ArrayRef(view.getMixedStrides()), at));
    SmallVector<Operation *> readers(view->user_begin(), view->user_end());
    for (Operation *reader : readers)
      if (auto nest = cast<linalg::GenericOp>(reader);
          llvm::is_contained(nest->getOperands(), view.getResult()))
        replaceOperands(nest, view, other, at);
    view.erase();
  }
  alloc.erase();
}

/// A copy in front of `op` whose dimension `at` is the last.
static Value copyOut(linalg::GenericOp op, Value memory, unsigned at) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<OpFoldResult> sizes =
      withLast(ArrayRef<OpFoldResult>(memref::getMixedSizes(b, op.getLoc(), memory)), at);
  SmallVector<Value> sizesOfRun;
  for (OpFoldResult size : sizes)
    if (auto v = dyn_cast<Value>(size))
      sizesOfRun.push_back(v);
  Value made = allocate(b, op.getLoc(), type, at, sizesOfRun), all = made;
  auto rank = unsigned(type.getRank());
  if (type.getDimSize(at) % kGroup) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
    linalg::FillOp::create(b, ValueRange{zero}, ValueRange{made});
    all = memref::SubViewOp::create(b, made, SmallVector<OpFoldResult>(rank, b.getIndexAttr(0)),
                                    sizes, SmallVector<OpFoldResult>(rank, b.getIndexAttr(1)));
  }
  AffineMap out = b.getMultiDimIdentityMap(rank);
  AffineMap in =
      inversePermutation(AffineMap::get(rank, 0, withLast(out.getResults(), at), b.getContext()));
  linalg::GenericOp::create(b, ValueRange{memory}, ValueRange{all}, ArrayRef{in, out},
                            SmallVector(rank, utils::IteratorType::parallel),
                            [](OpBuilder &inner, Location loc, ValueRange arguments) {
                              linalg::YieldOp::create(inner, loc, arguments.front());
                            });
  return made;
}

/// How many operands of a function are memory of its argument, however it is seen.
static int64_t countReads(BlockArgument argument) {
  int64_t count = 0;
  argument.getOwner()->walk([&](Operation *op) {
    if (isa<ViewLikeOpInterface, memref::DimOp>(op))
      return;
    count += llvm::count_if(op->getOperands(), [&](Value v) {
      return isa<MemRefType>(v.getType()) && rootOf(v) == argument;
    });
  });
  return count;
}

/// A weight that `op` alone reads, as the package lays it out: its dimension `at` is the last.
/// Null: it is no weight, or not by whole groups.
static Value packWeight(linalg::GenericOp op, Value memory, unsigned at) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto type = cast<MemRefType>(memory.getType());
  BlockArgument argument = memory.hasOneUse() ? memoryOf(memory) : BlockArgument();
  if (!argument || countReads(argument) != 1 ||
      !function.getArgAttr(argument.getArgNumber(), kWeightAttr) ||
      function.getArgAttr(argument.getArgNumber(), kPackAttr) || !type.hasStaticShape() ||
      type.getDimSize(at) % kGroup)
    return {};
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) || offset != 0)
    return {};
  PackFormat format;
  format.width = 1;
  for (auto [i, loop] : llvm::enumerate(
           llvm::zip_equal(withLast(type.getShape(), at), withLast(ArrayRef(strides), at)))) {
    auto [size, stride] = loop;
    (i == 0 ? format.columns : format.sum).push_back({size, stride});
  }
  ImplicitLocOpBuilder b(op.getLoc(), op);
  function.setArgAttr(argument.getArgNumber(), kPackAttr,
                      b.getDenseI64ArrayAttr(format.toNumbers()));
  auto as = allocate(b, op.getLoc(), type, at).getDefiningOp<memref::AllocOp>();
  Value packed = describeMemory(b, as, argument);
  as.erase();
  return packed;
}

/// Says of a product along which of its loops the results lie that are computed of its sums.
static void nameAlong(linalg::GenericOp op) {
  OpOperand *out = op.getDpsInitOperand(0);
  AffineMap place = op.getMatchingIndexingMap(out);
  Value memory = out->get();
  for (Operation *at = op->getNextNode(); at; at = at->getNextNode()) {
    auto next = dyn_cast<linalg::GenericOp>(at);
    if (!next)
      continue;
    OpOperand *read = findRead(next, seenThrough(memory));
    if (!read)
      break;
    place = placeBehind(next, *read, place);
    memory = next.getDpsInits().front();
  }
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return;
  for (auto [r, stride] : llvm::enumerate(strides))
    if (auto loop = dyn_cast<AffineDimExpr>(place.getResult(unsigned(r)));
        loop && stride == 1 && type.getDimSize(unsigned(r)) != 1)
      op->setAttr(kAlongAttr, Builder(op).getI64IntegerAttr(loop.getPosition()));
}

/// Memory that windows go through lies along the loop along which their results lie.
static void layAlongResults(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 || isSumOfProducts(op))
    return;
  SmallVector<unsigned> loops;
  op.getParallelDims(loops);
  unsigned *along =
      llvm::find_if(loops, [&](unsigned d) { return liesAlong(op, *op.getDpsInitOperand(0), d); });
  if (along == loops.end())
    return;
  for (OpOperand *in : op.getDpsInputOperands()) {
    auto alloc = in->get().getDefiningOp<memref::AllocOp>();
    std::optional<unsigned> at = alloc ? dimensionOf(op, in, *along) : std::nullopt;
    bool isWindow = !op.getMatchingIndexingMap(in).isProjectedPermutation();
    if (at && isWindow && alloc.getType().getDimSize(*at) % kGroup == 0 &&
        !alloc.getType().isDynamicDim(*at) && !liesAlong(op, *in, *along) &&
        isForNests(alloc, op, /*grows=*/false))
      layOut(alloc, *at);
  }
}

void ptc::cuda::layAlongSums(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    std::optional<unsigned> loop = findCommonLoop(op);
    for (unsigned i = 0; loop && i < 2; ++i) {
      OpOperand *in = op.getDpsInputOperand(i);
      unsigned at = dimensionOf(op, in, *loop).value_or(0);
      bool grows = cast<MemRefType>(in->get().getType()).getDimSize(at) % kGroup != 0;
      if (liesAlong(op, *in, *loop) && !grows)
        continue;
      auto alloc = in->get().getDefiningOp<memref::AllocOp>();
      bool isOther = op.getDpsInputs()[0] != op.getDpsInputs()[1];
      if (alloc && isOther && isForNests(alloc, op, grows))
        layOut(alloc, at);
      else if (Value packed = packWeight(op, in->get(), at))
        replaceOperand(*in, packed, at);
      else
        replaceOperand(*in, copyOut(op, in->get(), at), at);
    }
    if (isSumOfProducts(op))
      nameAlong(op);
    layAlongResults(op);
  }
}
