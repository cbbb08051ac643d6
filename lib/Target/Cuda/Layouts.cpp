//===- Layouts.cpp - Inputs of products as matrix instructions read them ---------------------===//
//
// In: sums of products of f16 or bf16 whose inputs do not come in groups, convolutions above all.
// Out: inputs that lie along a loop of the sum that both have, the channels: memory of the kernel
// lies so from the start, of other memory there is a copy.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Loops of the sum that are shorter are not worth another layout.
static constexpr int64_t kShortLoop = 16;

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
    if (!type.hasStaticShape())
      return std::nullopt;
    areInGroups &=
        comesInGroups(op, op.getMatchingIndexingMap(in), type,
                      isAlongSum(op, *product, in, loops) ? product->sum : loops, kGroup);
  }
  std::optional<unsigned> best;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned d : product->sum)
    if (!ShapedType::isDynamic(sizes[d]) && sizes[d] % kGroup == 0 && sizes[d] >= kShortLoop &&
        dimensionOf(op, product->rows, d) && dimensionOf(op, product->columns, d) &&
        (!best || sizes[d] > sizes[*best]))
      best = d;
  return areInGroups ? std::nullopt : best;
}

/// What is at `at` comes last.
template <typename T> static SmallVector<T> withLast(ArrayRef<T> all, unsigned at) {
  SmallVector<T> moved(all);
  std::rotate(moved.begin() + at, moved.begin() + at + 1, moved.end());
  return moved;
}

/// The operands that are `from` become `to`, whose dimension `at` is the last.
static void replaceOperand(linalg::GenericOp op, Value from, Value to, unsigned at) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == from) {
      AffineMap &map = maps[operand.getOperandNumber()];
      map = AffineMap::get(map.getNumDims(), 0, withLast(map.getResults(), at), map.getContext());
      operand.set(to);
    }
  op.setIndexingMapsAttr(OpBuilder(op).getAffineMapArrayAttr(maps));
}

static Value allocate(OpBuilder &b, Location loc, MemRefType type, unsigned at) {
  return memref::AllocOp::create(
      b, loc, MemRefType::get(withLast(type.getShape(), at), type.getElementType()));
}

/// Whether nests and views for nests alone use the memory.
static bool isForNests(Value memory) {
  return llvm::all_of(memory.getUsers(), [&](Operation *user) {
    auto view = dyn_cast<memref::SubViewOp>(user);
    return isa<linalg::GenericOp>(user) ||
           (view && view.getType().getRank() == view.getSourceType().getRank() &&
            llvm::all_of(view->getUsers(), llvm::IsaPred<linalg::GenericOp>));
  });
}

/// Memory of the kernel gets its dimension `at` last.
static void layOut(memref::AllocOp alloc, unsigned at) {
  OpBuilder b(alloc);
  Value made = allocate(b, alloc.getLoc(), alloc.getType(), at);
  SmallVector<Operation *> users(alloc->user_begin(), alloc->user_end());
  for (Operation *user : users) {
    auto view = dyn_cast<memref::SubViewOp>(user);
    if (!view) {
      auto nest = cast<linalg::GenericOp>(user);
      replaceOperand(nest, alloc, made, at);
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
        replaceOperand(nest, view, other, at);
    view.erase();
  }
  alloc.erase();
}

/// A copy in front of `op` whose dimension `at` is the last.
static Value copyOut(linalg::GenericOp op, Value memory, unsigned at) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto type = cast<MemRefType>(memory.getType());
  Value made = allocate(b, op.getLoc(), type, at);
  auto rank = unsigned(type.getRank());
  AffineMap out = b.getMultiDimIdentityMap(rank);
  AffineMap in =
      inversePermutation(AffineMap::get(rank, 0, withLast(out.getResults(), at), b.getContext()));
  linalg::GenericOp::create(b, ValueRange{memory}, ValueRange{made}, ArrayRef{in, out},
                            SmallVector(rank, utils::IteratorType::parallel),
                            [](OpBuilder &inner, Location loc, ValueRange arguments) {
                              linalg::YieldOp::create(inner, loc, arguments.front());
                            });
  return made;
}

void ptc::cuda::layAlongSums(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    std::optional<unsigned> loop = findCommonLoop(op);
    for (unsigned i = 0; loop && i < 2; ++i) {
      OpOperand *in = op.getDpsInputOperand(i);
      if (liesAlong(op, *in, *loop))
        continue;
      unsigned at = *dimensionOf(op, in, *loop);
      auto alloc = in->get().getDefiningOp<memref::AllocOp>();
      if (alloc && isForNests(alloc))
        layOut(alloc, at);
      else
        replaceOperand(op, in->get(), copyOut(op, in->get(), at), at);
    }
  }
}
