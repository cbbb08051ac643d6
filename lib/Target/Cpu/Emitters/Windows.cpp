//===- Windows.cpp - Reductions over windows of a tensor ------------------------------------===//
//
// In: on memrefs, a tensor copied between a border that changes no result, and a reduction over
// windows of that copy. Out: a nest on the tensor itself, with the turns of its reducing loops
// bounded by where a window lies; those loops.
//
//===----------------------------------------------------------------------===//
#include "Windows.h"

#include "Body.h"
#include "Epilogue.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using Values = LoopBuilder::Values;

/// Operations of the bodies of so many entries are written out.
static constexpr int64_t kMostWritten = 128;

//===----------------------------------------------------------------------===//
// Finding them
//===----------------------------------------------------------------------===//

/// The scalar that `op` writes to all of its only output; null if it does anything else.
static Value filledWith(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return {};
  Value filled = op.getBody()->getTerminator()->getOperand(0);
  if (auto arg = dyn_cast<BlockArgument>(filled); arg && arg.getOwner() == op.getBody()) {
    if (arg.getArgNumber() >= op.getNumDpsInputs())
      return {};
    filled = op.getDpsInputOperand(arg.getArgNumber())->get();
  }
  return filled.getParentBlock() != op.getBody() && !isa<MemRefType>(filled.getType()) ? filled
                                                                                       : Value();
}

/// Whether `op` does nothing else than copying its only input.
static bool isCopy(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 && !op.getNumReductionLoops() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }) &&
         op.getBody()->getTerminator()->getOperand(0) == op.getBody()->getArgument(0);
}

static linalg::GenericOp writerOf(Value memref, ArrayRef<linalg::GenericOp> ops) {
  for (linalg::GenericOp op : llvm::reverse(ops))
    if (llvm::any_of(op.getDpsInits(), [&](Value v) { return wholeOf(v) == wholeOf(memref); }))
      return op;
  return {};
}

/// The argument of the body that is combined as it is, or converted to a wider type.
static BlockArgument combinedBy(const Combiner &combiner, Block &body) {
  Value element = combiner.element;
  while (Operation *op = element.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp>(op))
      return {};
    element = op->getOperand(0);
  }
  auto arg = cast<BlockArgument>(element);
  return arg.getOwner() == &body ? arg : BlockArgument();
}

static bool isZero(Value v) {
  return matchPattern(v, m_PosZeroFloat()) || matchPattern(v, m_Zero());
}

/// Whether combining with `border` leaves what began as `start` as it is.
static bool changesNothing(const Combiner &combiner, Value border, Value start) {
  if (combiner.startsAtZero)
    return isZero(start) && isZero(border);
  Attribute least, other;
  return !combiner.startsAtOne && matchPattern(start, m_Constant(&least)) &&
         matchPattern(border, m_Constant(&other)) && least == other;
}

/// Where in a tensor with a border the tensor begins, if the view says so alone.
static memref::SubViewOp interiorOf(linalg::GenericOp copy, Value whole) {
  auto view = copy.getDpsInitOperand(0)->get().getDefiningOp<memref::SubViewOp>();
  bool isPlain = view && view.getSource() == whole && view.hasUnitStride() &&
                 view.getType().getRank() == view.getSourceType().getRank();
  return isPlain ? view : memref::SubViewOp();
}

/// The loops that walk one dimension: `place` * step + `entry` * dilation.
static std::optional<Clip> clipOf(AffineExpr at, ArrayRef<utils::IteratorType> kinds) {
  Clip clip{SIZE_MAX, SIZE_MAX, 0, 0, {}, {}};
  bool isSum = true;
  auto add = [&](AffineExpr part, int64_t factor) {
    if (auto product = dyn_cast<AffineBinaryOpExpr>(part);
        product && product.getKind() == AffineExprKind::Mul)
      if (auto number = dyn_cast<AffineConstantExpr>(product.getRHS())) {
        part = product.getLHS();
        factor *= number.getValue();
      }
    auto loop = dyn_cast<AffineDimExpr>(part);
    if (!loop)
      return isSum = false;
    bool reduces = kinds[loop.getPosition()] == utils::IteratorType::reduction;
    size_t &which = reduces ? clip.entry : clip.place;
    isSum &= which == SIZE_MAX && factor > 0;
    which = loop.getPosition();
    (reduces ? clip.dilation : clip.step) = factor;
    return true;
  };
  auto sum = dyn_cast<AffineBinaryOpExpr>(at);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  add(sum.getLHS(), 1);
  add(sum.getRHS(), 1);
  return isSum && clip.place != SIZE_MAX && clip.entry != SIZE_MAX ? std::optional(clip)
                                                                   : std::nullopt;
}

/// The memory of a tensor with a border, which may lie in another order of dimensions.
static memref::AllocOp memoryWithBorder(Value whole) {
  if (auto turned = whole.getDefiningOp<memref::TransposeOp>())
    whole = turned.getIn().hasOneUse() ? turned.getIn() : Value();
  return whole ? whole.getDefiningOp<memref::AllocOp>() : memref::AllocOp();
}

/// Whether the tensor with its border is as large as the tensor, in dimension `d`.
static bool hasNoBorder(memref::SubViewOp view, size_t d) {
  SmallVector<OpFoldResult> sizes = memoryWithBorder(view.getSource()).getMixedSizes();
  size_t from = d;
  if (auto turned = view.getSource().getDefiningOp<memref::TransposeOp>())
    from = turned.getPermutation().getDimPosition(unsigned(d));
  return isConstantIntValue(view.getMixedOffsets()[d], 0) &&
         isEqualConstantIntOrValue(view.getMixedSizes()[d], sizes[from]);
}

/// The operations that make what the reduction reads, if it needs only what they copy.
static void findBorder(Window &w, const Combiner &combiner, OpOperand &read,
                       ArrayRef<linalg::GenericOp> before) {
  Value whole = read.get();
  if (!memoryWithBorder(whole))
    return;
  linalg::GenericOp border, copy;
  memref::SubViewOp view;
  for (Operation *user : whole.getUsers()) {
    auto generic = dyn_cast<linalg::GenericOp>(user);
    if (auto part = dyn_cast<memref::SubViewOp>(user); part && !view && part->hasOneUse()) {
      view = part;
      copy = dyn_cast<linalg::GenericOp>(*part->getUsers().begin());
    } else if (generic && generic != w.reduction && !border && filledWith(generic)) {
      border = generic;
    } else if (generic != w.reduction) {
      return;
    }
  }
  if (!view || !border || !copy || !isCopy(copy) || interiorOf(copy, whole) != view ||
      !llvm::is_contained(before, copy) || !llvm::is_contained(before, border) ||
      !changesNothing(combiner, filledWith(border), w.start))
    return;
  SmallVector<utils::IteratorType> kinds = w.reduction.getIteratorTypesArray();
  for (auto [d, at] : llvm::enumerate(w.reduction.getMatchingIndexingMap(&read).getResults()))
    if (!clipOf(at, kinds) && !(isa<AffineDimExpr>(at) && hasNoBorder(view, d)))
      return;
  w.border = border;
  w.copy = copy;
}

/// Whether no operation between the two touches the memory that both write.
static bool isUsedOnlyBy(linalg::GenericOp begin, linalg::GenericOp op,
                         ArrayRef<linalg::GenericOp> before) {
  Value memory = wholeOf(op.getDpsInitOperand(0)->get());
  for (linalg::GenericOp other : llvm::reverse(before)) {
    if (other == begin)
      return true;
    if (llvm::any_of(other->getOperands(), [&](Value v) { return wholeOf(v) == memory; }))
      return false;
  }
  return false;
}

std::optional<Window> ptc::cpu::findWindow(linalg::GenericOp op, ArrayRef<linalg::GenericOp> all) {
  Window w{op, {}, {}, {}, {}};
  if (!op.getNumReductionLoops() || op.getNumDpsInits() != 1 || op.hasIndexSemantics())
    return std::nullopt;
  std::optional<Combiner> combiner = findCombiner(*op.getBody());
  if (!combiner)
    return std::nullopt;
  BlockArgument element = combinedBy(*combiner, *op.getBody());
  if (!element || element.getArgNumber() >= op.getNumDpsInputs())
    return std::nullopt;
  OpOperand &read = *op.getDpsInputOperand(element.getArgNumber());
  ArrayRef<linalg::GenericOp> before =
      all.take_until([&](linalg::GenericOp other) { return other == op; });
  linalg::GenericOp begin = writerOf(op.getDpsInitOperand(0)->get(), before);
  if (!begin || !isa<MemRefType>(read.get().getType()))
    return std::nullopt;
  w.start = filledWith(begin);
  if (!w.start || !isUsedOnlyBy(begin, op, before))
    return std::nullopt;
  w.begin = begin;
  findBorder(w, *combiner, read, before);
  return w;
}

//===----------------------------------------------------------------------===//
// Nest
//===----------------------------------------------------------------------===//

std::optional<Nest> ptc::cpu::readNest(LoopBuilder &l, const Window &w) {
  std::optional<Nest> nest = readNest(l, w.reduction);
  if (!nest)
    return std::nullopt;
  nest->start = w.start;
  if (!w.copy)
    return nest;
  linalg::GenericOp op = w.reduction, copy = w.copy;
  auto view = copy.getDpsInitOperand(0)->get().getDefiningOp<memref::SubViewOp>();
  Stream tensor = streamOf(l, copy.getDpsInputOperand(0)->get());
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  OpOperand *read = llvm::find_if(
      op->getOpOperands(), [&](OpOperand &operand) { return operand.get() == view.getSource(); });
  Stream &stream = nest->inputs[read->getOperandNumber()];
  stream.strides.assign(nest->numLoops(), l.index(0));
  SmallVector<Value> corner; // of the border, seen from the tensor
  for (auto [d, at] : llvm::enumerate(op.getMatchingIndexingMap(read).getResults())) {
    Value padding = l.index(view.getMixedOffsets()[d]), step = tensor.strides[d];
    corner.push_back(l.sub(l.index(0), padding));
    if (std::optional<Clip> clip = clipOf(at, kinds)) {
      clip->padding = padding;
      clip->limit = l.index(view.getMixedSizes()[d]);
      stream.strides[clip->place] = l.mul(step, l.index(clip->step));
      stream.strides[clip->entry] = l.mul(step, l.index(clip->dilation));
      if (!hasNoBorder(view, d))
        nest->clips.push_back(*clip);
    } else {
      stream.strides[cast<AffineDimExpr>(at).getPosition()] = step;
    }
  }
  stream.pointer = addressOf(l, tensor, corner);
  return nest;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::pair<Value, Value> ptc::cpu::insideOf(LoopBuilder &l, const Nest &nest, size_t loop) {
  Value first = l.index(0), end = nest.sizes[loop];
  auto isOf = [&](const Clip &clip) { return clip.place == loop; };
  if (llvm::none_of(nest.clips, isOf))
    return {first, end};
  for (const Clip &clip : llvm::make_filter_range(nest.clips, isOf)) {
    Value last = l.mul(l.sub(nest.sizes[clip.entry], l.index(1)), l.index(clip.dilation));
    Value room = l.sub(l.add(clip.limit, clip.padding), last); // 0 <= i * step < room
    first = l.max(first, l.ceilDiv(clip.padding, clip.step));
    end = l.min(end, l.ceilDiv(l.max(room, l.index(0)), clip.step));
  }
  first = l.min(first, nest.sizes[loop]);
  return {first, l.max(first, end)};
}

Values ptc::cpu::overWindow(LoopBuilder &l, const Nest &nest, ValueRange indices, bool isInside,
                            ValueRange start, LoopBuilder::NestBody turn) {
  size_t row = nest.numLoops() - 1;
  Values lo, hi, first, end;
  Value isWhole = arith::ConstantIntOp::create(l.b, l.b.getI1Type(), 1);
  for (size_t d = 0; d < row; ++d) {
    if (!nest.reduces[d])
      continue;
    lo.push_back(l.index(0));
    hi.push_back(nest.sizes[d]);
    first.push_back(lo.back());
    end.push_back(hi.back());
    for (const Clip &clip : nest.clips) {
      if (clip.entry != d || (clip.place == row && isInside))
        continue;
      Value at = l.mul(indices[clip.place], l.index(clip.step)), none = l.index(0);
      Value below = l.max(l.sub(clip.padding, at), none);
      Value above = l.max(l.sub(l.add(clip.limit, clip.padding), at), none);
      first.back() = l.ceilDiv(below, clip.dilation);
      end.back() = l.min(hi.back(), l.ceilDiv(above, clip.dilation));
      using P = arith::CmpIPredicate;
      for (Value holds :
           {l.compare(P::eq, first.back(), none), l.compare(P::eq, end.back(), hi.back())})
        isWhole = l.b.createOrFold<arith::AndIOp>(isWhole, holds);
    }
  }
  auto ops = int64_t(llvm::range_size(nest.body->without_terminator()));
  int64_t most = std::max<int64_t>(kMostWritten / (ops + 1), 1);
  return l.choose(
      isWhole, [&] { return l.unrolled(lo, hi, most, start, turn); },
      [&] { return l.unrolled(first, end, most, start, turn); });
}
