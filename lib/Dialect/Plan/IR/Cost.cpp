//===- Cost.cpp - What a kernel costs -----------------------------------------------------===//
//
// In: a kernel, what a machine does in a second. Out: operations, bytes, and the time that they
// take at least. Each operand is read once, whatever the loops do: what does not fit into the
// nearest memory is the business of the emitter, which tiles.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/IR/Cost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

StringRef plan::stringifyBound(Bound bound) {
  switch (bound) {
  case Bound::Compute:
    return "compute";
  case Bound::Memory:
    return "memory";
  case Bound::Launch:
    return "launch";
  }
  llvm_unreachable("closed enum");
}

static double sizeOf(int64_t size, const CostModel &model) {
  return ShapedType::isDynamic(size) ? model.typicalSize : double(size);
}

double plan::elementsOf(Type type, const CostModel &model) {
  double elements = 1;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (int64_t size : tensor.getShape())
      elements *= sizeOf(size, model);
  return elements;
}

double plan::bytesOf(Type type, const CostModel &model) {
  return elementsOf(type, model) * ((getElementTypeOrSelf(type).getIntOrFloatBitWidth() + 7) / 8);
}

double plan::moveSeconds(double bytes, const CostModel &model) {
  for (const CostModel::Memory &memory : model.memories)
    if (bytes <= memory.bytes)
      return bytes / memory.perSecond;
  return bytes / model.memories.back().perSecond;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

namespace {
/// What one turn of a loop nest does.
struct Turn {
  double flops = 0, operations = 0, functions = 0, calls = 0, steps = 0;
  bool picks = false; ///< reads or writes elements at computed places
};
} // namespace

/// Functions that targets have vector code for.
static bool isVectorFunction(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op, math::Log10Op,
             math::Log1pOp, math::TanhOp, math::ErfOp, math::ErfcOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType()).isF32();
}

/// One instruction on vectors.
static bool isSimpleMath(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::SqrtOp, math::RsqrtOp, math::FloorOp,
             math::CeilOp, math::RoundEvenOp, math::TruncOp, math::CopySignOp>(op);
}

/// How many additions an instruction takes as long as: processors divide vectors slowly.
static double weightOf(Operation *op) {
  return isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op) ? 16 : 1;
}

/// What has no vectors.
static bool isScalar(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp>(op);
}

static Turn turnOf(Block &body) {
  Turn turn;
  body.walk([&](Operation *op) {
    if (isa<tensor::ExtractOp, tensor::InsertOp>(op)) {
      turn.picks = true;
      return;
    }
    bool isArith = isa<arith::ArithDialect>(op->getDialect());
    bool isMath = isa<math::MathDialect>(op->getDialect());
    if ((!isArith && !isMath) || isa<arith::ConstantOp>(op) || op->getNumResults() != 1)
      return;
    Type type = op->getResult(0).getType();
    if (type.isIndex())
      return;
    bool isFloat = isa<FloatType>(type);
    turn.flops += isFloat && !isa<arith::SelectOp, CastOpInterface>(op);
    if (isScalar(op)) {
      turn.steps += 1;
      return;
    }
    if (isMath && !isSimpleMath(op)) {
      (isVectorFunction(op) ? turn.functions : turn.calls) += 1;
      return;
    }
    // A product that goes into a sum is a part of it.
    bool isFused =
        isa<arith::MulFOp>(op) && op->hasOneUse() && isa<arith::AddFOp>(*op->getUsers().begin());
    if (!isFused)
      turn.operations += weightOf(op) * double(isFloat ? type.getIntOrFloatBitWidth() : 32) / 32;
  });
  return turn;
}

/// Whether each turn adds a product of two elements of 16 bits to a sum.
static bool multipliesHalves(linalg::LinalgOp loops) {
  auto isHalf = [](OpOperand *in) {
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(in->get().getType()));
    return type && type.getWidth() == 16;
  };
  auto sum = loops.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  bool isProduct = sum && llvm::any_of(sum->getOperands(), [](Value v) {
                     return v.getDefiningOp<arith::MulFOp>() != nullptr;
                   });
  return isProduct && sum.getType().isF32() && loops.getNumReductionLoops() &&
         loops.getNumDpsInputs() == 2 && llvm::all_of(loops.getDpsInputOperands(), isHalf);
}

/// Turns of all loops, those that a plain loop around picks elements included.
static double turnsOf(linalg::LinalgOp loops, const CostModel &model) {
  double turns = 1;
  for (int64_t size : loops.getStaticLoopRanges())
    turns *= sizeOf(size, model);
  return turns;
}

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// Families whose loops are not vector code.
static bool isPlain(Family family) {
  return family == Family::Scan || family == Family::Sort || family == Family::Scatter;
}

/// What is read of `input`: where elements are picked, no more than there are turns; of slices what
/// is in them.
static double readOf(BlockArgument input, double picked, const CostModel &model) {
  double all = bytesOf(input.getType(), model);
  if (!isa<RankedTensorType>(input.getType()))
    return all;
  double width = all / std::max(1.0, elementsOf(input.getType(), model)), read = 0;
  bool isPicked = false;
  for (Operation *user : input.getUsers()) {
    if (isa<tensor::ExtractOp>(user))
      isPicked = true;
    else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
      read += bytesOf(slice.getType(), model);
    else if (!isa<tensor::DimOp>(user))
      return all;
  }
  return std::min(all, read + (isPicked ? picked * width : 0));
}

KernelCost plan::costOf(KernelOp kernel, const CostModel &model) {
  KernelCost cost;
  double picked = 0;
  kernel.getBody().walk([&](linalg::LinalgOp loops) {
    double turns = turnsOf(loops, model);
    Turn turn = turnOf(*loops.getBlock());
    cost.iterations += turns;
    cost.flops += turns * turn.flops;
    if (model.products > 0 && multipliesHalves(loops)) {
      cost.compute += turns / model.products;
      return;
    }
    cost.compute += turns * (turn.operations / model.operations + turn.functions / model.functions +
                             turn.calls / model.calls + turn.steps / model.steps);
    if (turn.picks || isPlain(kernel.getFamily())) {
      picked += turns;
      cost.compute += turns / model.steps;
    }
  });
  kernel.getBody().walk([&](scf::ForOp loop) {
    double turns = model.typicalSize;
    if (std::optional<llvm::APInt> trips = loop.getStaticTripCount())
      turns = double(trips->getZExtValue());
    picked += turns;
    cost.iterations += turns;
    cost.compute += turns / model.steps;
  });
  for (BlockArgument input : kernel.getBody().getArguments()) {
    cost.bytesRead += readOf(input, picked, model);
    cost.isTypical |= isDynamic(input.getType());
  }
  for (Type type : kernel.getResultTypes()) {
    cost.bytesWritten += bytesOf(type, model);
    cost.isTypical |= isDynamic(type);
  }
  cost.memory = moveSeconds(cost.bytesRead + cost.bytesWritten, model);
  cost.launch = model.launch;
  return cost;
}
