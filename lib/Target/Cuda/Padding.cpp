//===- Padding.cpp - Inputs with a border around them ----------------------------------------===//
//
// In: a sum of products, or a reduction over windows, that reads memory which is a copy of other
// memory with one number around it. Out: it reads what was copied, at places that may lie outside;
// the copy is gone. Whoever loads such an input takes the number of the border for these places.
//
//===----------------------------------------------------------------------===//
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// Of a nest: the number of the input whose places may lie outside of its memory, and what it has
/// there.
static constexpr llvm::StringLiteral kPaddedAttr = "ptc.padded", kBorderAttr = "ptc.border";

//===----------------------------------------------------------------------===//
// Inputs that have a border
//===----------------------------------------------------------------------===//

bool ptc::cuda::isPadded(linalg::LinalgOp op) { return op->hasAttr(kPaddedAttr); }

bool ptc::cuda::isPadded(linalg::LinalgOp op, OpOperand &in) {
  auto number = op->getAttrOfType<IntegerAttr>(kPaddedAttr);
  return number && number.getInt() == int64_t(in.getOperandNumber());
}

void ptc::cuda::copyPadding(linalg::LinalgOp from, linalg::LinalgOp to) {
  for (StringRef name : {StringRef(kPaddedAttr), StringRef(kBorderAttr)})
    if (Attribute attr = from->getAttr(name))
      to->setAttr(name, attr);
}

/// Places of a dimension that may lie outside.
static bool mayLeave(AffineExpr place) { return !isa<AffineDimExpr>(place); }

Value ptc::cuda::isInside(ImplicitLocOpBuilder &b, linalg::LinalgOp op, OpOperand &in,
                          ArrayRef<Value> indices) {
  if (!isPadded(op, in))
    return {};
  AffineMap map = op.getMatchingIndexingMap(&in);
  Value all;
  for (auto [d, at] : llvm::enumerate(placeOf(b, map, indices))) {
    if (!mayLeave(map.getResult(unsigned(d))))
      continue;
    // In front of the memory, numbers wrap around.
    Value size = memref::DimOp::create(b, in.get(), int64_t(d));
    Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at, size);
    all = all ? Value(arith::AndIOp::create(b, all, is)) : is;
  }
  return all;
}

SmallVector<Value> ptc::cuda::loadInside(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
                                         OpOperand &in, ArrayRef<SmallVector<Value>> turns,
                                         llvm::function_ref<SmallVector<Value>()> load) {
  Value inside = isInside(b, op, in, turns.front());
  if (!inside)
    return load();
  Value border = arith::ConstantOp::create(b, op->getAttrOfType<TypedAttr>(kBorderAttr));
  SmallVector<Type> types(turns.size(), border.getType());
  auto ways = scf::IfOp::create(b, types, inside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&ways.getThenRegion().front());
  scf::YieldOp::create(b, load());
  b.setInsertionPointToStart(&ways.getElseRegion().front());
  scf::YieldOp::create(b, SmallVector<Value>(turns.size(), border));
  return ways.getResults();
}

//===----------------------------------------------------------------------===//
// Reading without a copy
//===----------------------------------------------------------------------===//

namespace {
/// What makes memory with a border around a copy.
struct Border {
  memref::AllocOp memory;
  linalg::GenericOp fill, copy;
  memref::SubViewOp inside;
  TypedAttr number;
};
} // namespace

static bool isCopy(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 && !op.getNumReductionLoops() &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); }) &&
         op.getBody()->getTerminator()->getOperand(0) == op.getBody()->getArgument(0);
}

/// Whether a border has no part in dimension `d`: all of the memory is inside.
static bool hasNoBorder(memref::SubViewOp inside, memref::AllocOp memory, unsigned d) {
  return inside.getStaticOffset(d) == 0 &&
         isEqualConstantIntOrValue(inside.getMixedSizes()[d], memory.getMixedSizes()[d]);
}

/// None: the memory that `in` reads is something else, or others use it too.
static std::optional<Border> findBorder(linalg::GenericOp op, OpOperand &in) {
  Border border{in.get().getDefiningOp<memref::AllocOp>(), {}, {}, {}, {}};
  if (!border.memory || llvm::count(op->getOperands(), in.get()) != 1)
    return std::nullopt;
  for (Operation *user : border.memory->getUsers()) {
    auto nest = dyn_cast<linalg::GenericOp>(user);
    if (auto view = dyn_cast<memref::SubViewOp>(user); view && !border.inside)
      border.inside = view;
    else if (nest && nest != op && !border.fill && fills(nest, border.memory))
      border.fill = nest;
    else if (nest != op)
      return std::nullopt;
  }
  memref::SubViewOp view = border.inside;
  Attribute number;
  if (!view || !border.fill || !view->hasOneUse() || !view.hasUnitStride() ||
      view.getType().getRank() != view.getSourceType().getRank() ||
      ShapedType::isDynamicShape(view.getStaticOffsets()) ||
      !matchPattern(border.fill.getDpsInputs().front(), m_Constant(&number)))
    return std::nullopt;
  border.number = dyn_cast<TypedAttr>(number);
  border.copy = dyn_cast<linalg::GenericOp>(*view->getUsers().begin());
  bool isIt = border.number && border.copy && isCopy(border.copy) &&
              border.copy.getDpsInits().front() == view.getResult() &&
              border.fill->isBeforeInBlock(border.copy) && border.copy->isBeforeInBlock(op);
  AffineMap map = op.getMatchingIndexingMap(&in);
  for (unsigned d = 0; d < map.getNumResults(); ++d)
    isIt = isIt && (mayLeave(map.getResult(d)) || hasNoBorder(view, border.memory, d));
  return isIt ? std::optional(border) : std::nullopt;
}

/// Whether something behind a copy may write what was copied: its reader, and what is computed of
/// that in one kernel, too.
static bool mayChange(const Border &border) {
  Value root = rootOf(linalg::GenericOp(border.copy).getDpsInputs().front());
  for (Operation *at = border.copy->getNextNode(); at; at = at->getNextNode()) {
    if (isPure(at) || isa<memref::AllocOp>(at) || at->hasTrait<OpTrait::IsTerminator>())
      continue;
    auto nest = dyn_cast<linalg::GenericOp>(at);
    if (!nest || llvm::any_of(nest.getDpsInits(), [&](Value out) { return rootOf(out) == root; }))
      return true;
  }
  return false;
}

/// The place in what is copied, where `map` is that in the memory with a border.
static AffineMap placeInside(Border border, AffineMap map) {
  AffineMap in = border.copy.getMatchingIndexingMap(border.copy.getDpsInputOperand(0)),
            out = border.copy.getMatchingIndexingMap(border.copy.getDpsInitOperand(0));
  SmallVector<AffineExpr> places;
  for (AffineExpr loop : in.getResults()) {
    unsigned d = out.getResultPosition(loop).value_or(0);
    places.push_back(map.getResult(d) - border.inside.getStaticOffset(d));
  }
  return AffineMap::get(map.getNumDims(), 0, places, map.getContext());
}

/// How loops go through an input.
static SmallVector<bool> orderOf(linalg::GenericOp op, OpOperand &in) {
  SmallVector<bool> along;
  for (unsigned d = 0; d < op.getNumLoops(); ++d)
    along.push_back(liesAlong(op, in, d));
  return along;
}

/// Whether it loads what it reads with regard to a border of this number.
static bool takesBorder(linalg::GenericOp op, TypedAttr number) {
  if (findTiledProduct(op)) {
    auto zero = dyn_cast<FloatAttr>(number);
    return zero && zero.getValue().isZero();
  }
  return op.getNumReductionLoops() && op.getNumDpsInits() == 1 && op.hasPureBufferSemantics();
}

/// The nest reads what was copied; false: it is better off with the copy.
static bool goAround(Border border, linalg::GenericOp op, OpOperand &in) {
  Builder b(op.getContext());
  bool wasTiled = findTiledProduct(op).has_value();
  SmallVector<bool> order = orderOf(op, in);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  ArrayAttr before = op.getIndexingMapsAttr();
  AffineMap &map = maps[in.getOperandNumber()];
  map = placeInside(border, map);
  op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
  in.set(border.copy.getDpsInputs().front());
  if (findTiledProduct(op).has_value() == wasTiled && orderOf(op, in) == order) {
    op->setAttr(kPaddedAttr, b.getI64IntegerAttr(in.getOperandNumber()));
    op->setAttr(kBorderAttr, border.number);
    return true;
  }
  op.setIndexingMapsAttr(before);
  in.set(border.memory.getResult());
  return false;
}

void ptc::cuda::readWithoutBorders(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    if (!op.getNumReductionLoops())
      continue; // nothing is read twice
    for (OpOperand *in : op.getDpsInputOperands()) {
      std::optional<Border> border = findBorder(op, *in);
      if (!border || !takesBorder(op, border->number) || mayChange(*border) ||
          !goAround(*border, op, *in))
        continue;
      for (Operation *needless : {border->copy.getOperation(), border->inside.getOperation(),
                                  border->fill.getOperation(), border->memory.getOperation()})
        needless->erase();
      break; // there is one such input at most
    }
  }
}
