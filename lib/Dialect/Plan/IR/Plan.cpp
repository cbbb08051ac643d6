//===- Plan.cpp - The plan dialect ----------------------------------------------------===//
//
// In: ODS. Out: registration, and the verifiers of what ODS cannot say.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/IR/Plan.h"

#include "ptc/Dialect/Plan/IR/Lifetimes.h"
#include "ptc/Dialect/Plan/IR/Products.h"
#include "ptc/Dialect/Plan/IR/Recomputed.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc::plan;
namespace program = ptc::program;

#include "ptc/Dialect/Plan/IR/PlanEnums.cpp.inc"

#include "ptc/Dialect/Plan/IR/PlanDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ptc/Dialect/Plan/IR/PlanAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "ptc/Dialect/Plan/IR/PlanOps.cpp.inc"

void PlanDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ptc/Dialect/Plan/IR/PlanAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ptc/Dialect/Plan/IR/PlanOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void PlaceAttr::print(AsmPrinter &p) const {
  p << '<' << stringifyPlaceKind(getKind());
  if (!getAt().empty())
    p << " at \"" << getAt() << '"';
  if (!getBytes().empty())
    p << " bytes \"" << getBytes() << '"';
  if (getOver() >= 0)
    p << " over " << getOver();
  p << '>';
}

Attribute PlaceAttr::parse(AsmParser &p, Type) {
  StringRef word;
  std::string at, bytes;
  int64_t over = -1;
  llvm::SMLoc loc = p.getCurrentLocation();
  if (p.parseLess() || p.parseKeyword(&word))
    return {};
  std::optional<PlaceKind> kind = symbolizePlaceKind(word);
  if (!kind)
    return p.emitError(loc, "no kind of place is called '") << word << "'", Attribute();
  if ((succeeded(p.parseOptionalKeyword("at")) && p.parseString(&at)) ||
      (succeeded(p.parseOptionalKeyword("bytes")) && p.parseString(&bytes)) ||
      (succeeded(p.parseOptionalKeyword("over")) && p.parseInteger(over)) || p.parseGreater())
    return {};
  return get(p.getContext(), *kind, at, bytes, over);
}

LogicalResult PlanDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  if (attr.getName() == kArenaAttr) {
    auto variant = dyn_cast<program::VariantOp>(op);
    if (!variant)
      return op->emitOpError("has an arena and is no program.variant");
    return verifyPlaces(variant);
  }
  if (attr.getName() == kLowerTriangleAttr) {
    if (!isa<linalg::GenericOp>(op) || !isa<UnitAttr>(attr.getValue()))
      return op->emitOpError("has a triangle and is no linalg.generic");
    return success();
  }
  if (attr.getName() == kOrderAttr) {
    if (!isa<linalg::GenericOp>(op) || !isa<OrderAttr>(attr.getValue()))
      return op->emitOpError("has an order and is no linalg.generic");
    return success();
  }
  if (attr.getName() == kRecomputedAttr) {
    if (!op->getParentOfType<KernelOp>() || !isPure(op) || !isa<UnitAttr>(attr.getValue()))
      return op->emitOpError("is marked as recomputed and is no pure operation of a kernel");
    return success();
  }
  if (attr.getName() != kPlacesAttr && attr.getName() != kStagingAttr)
    return op->emitOpError("has the unknown attribute ") << attr.getName();
  auto places = dyn_cast<ArrayAttr>(attr.getValue());
  if (!places || !llvm::all_of(places, llvm::IsaPred<PlaceAttr, UnitAttr>))
    return op->emitOpError("has places of an unknown form");
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

RankedTensorType ptc::plan::plainType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  Type element = type.getElementType();
  if (element.isInteger())
    element = IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth());
  return RankedTensorType::get(type.getShape(), element);
}

Type ptc::plan::argumentType(Type type) {
  return isa<RankedTensorType>(type) ? plainType(type) : type;
}

/// kernel_c1, kernel_c2
static LogicalResult verifyBoundary(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  if (body.getNumArguments() != kernel.getInputs().size())
    return kernel.emitOpError("has ")
           << kernel.getInputs().size() << " inputs and " << body.getNumArguments() << " arguments";
  for (auto [arg, input] : llvm::zip_equal(body.getArguments(), kernel.getInputs()))
    if (arg.getType() != argumentType(input.getType()))
      return kernel.emitOpError("argument ")
             << arg.getArgNumber() << " is " << arg.getType() << ", its input " << input.getType();
  auto yield = cast<YieldOp>(body.getTerminator());
  if (yield.getValues().size() != kernel.getNumResults())
    return yield.emitOpError("yields ")
           << yield.getValues().size() << " values for " << kernel.getNumResults() << " results";
  for (auto [value, result] : llvm::zip_equal(yield.getValues(), kernel.getResults()))
    if (value.getType() != plainType(result.getType()))
      return yield.emitOpError("yields ") << value.getType() << " for " << result.getType();
  return success();
}

namespace {
/// What the constraints of a family ask of the region.
struct FamilyRule {
  bool mayReduce, mustReduce, mustSumProducts, computes;
};
} // namespace

static FamilyRule ruleOf(Family family) {
  switch (family) {
  case Family::Pointwise:
  case Family::Gather:
    return {.mayReduce = false, .mustReduce = false, .mustSumProducts = false, .computes = true};
  case Family::Copy:
    return {.mayReduce = false, .mustReduce = false, .mustSumProducts = false, .computes = false};
  case Family::Scatter:
    return {.mayReduce = true, .mustReduce = false, .mustSumProducts = false, .computes = true};
  case Family::Reduction:
  case Family::Rows:
  case Family::Window:
  case Family::Scan:
  case Family::Sort:
    return {.mayReduce = true, .mustReduce = true, .mustSumProducts = false, .computes = true};
  case Family::Gemm:
  case Family::Attention:
  case Family::Conv:
    return {.mayReduce = true, .mustReduce = true, .mustSumProducts = true, .computes = true};
  }
  llvm_unreachable("closed enum");
}

bool ptc::plan::mustReduce(Family family) { return ruleOf(family).mustReduce; }

bool ptc::plan::sumsProducts(linalg::LinalgOp loops) {
  if (loops.getNumReductionLoops() == 0 || loops.getNumDpsInits() != 1)
    return false;
  Operation *sum = loops.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp, arith::OrIOp>(sum))
    return false;
  return llvm::any_of(sum->getOperands(), [](Value operand) {
    return isa_and_nonnull<arith::MulFOp, arith::MulIOp, arith::AndIOp>(operand.getDefiningOp());
  });
}

/// Takes elements as they are: arithmetic is on indices and truth values alone.
static bool onlyMoves(linalg::LinalgOp loops) {
  auto result = loops.getBlock()->walk([](Operation *op) {
    bool isArithmetic = isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
    bool isFree = isa<arith::ConstantOp, arith::SelectOp>(op) ||
                  llvm::all_of(op->getOperandTypes(),
                               [](Type type) { return type.isIndex() || type.isInteger(1); });
    return isArithmetic && !isFree ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

LogicalResult KernelOp::verify() {
  if (failed(verifyBoundary(*this)))
    return failure();
  FamilyRule rule = ruleOf(getFamily());
  bool reduces = false, products = false, writes = false, mayWrite = getFamily() == Family::Scatter;
  Operation *other = nullptr; // reduces and sums no products
  auto result = getBody().walk([&](Operation *op) -> WalkResult {
    if (isa<YieldOp>(op))
      return WalkResult::advance();
    // kernel_c3
    if (!isa<linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect, math::MathDialect>(
            op->getDialect()) &&
        !(mayWrite && isa<scf::ForOp, scf::YieldOp>(op)))
      return op->emitOpError("may not stand in a kernel"), WalkResult::interrupt();
    writes |= isa<tensor::InsertOp>(op) && isa<scf::ForOp>(op->getParentOp());
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if (!loops)
      return WalkResult::advance();
    reduces |= loops.getNumReductionLoops() != 0;
    products |= sumsProducts(loops);
    // kernel_c4
    if (!rule.mayReduce && loops.getNumParallelLoops() != loops.getNumLoops())
      return op->emitOpError("reduces in a ") << stringifyFamily(getFamily()) << " kernel",
             WalkResult::interrupt();
    if (loops.getNumReductionLoops() != 0 && !sumsProducts(loops))
      other = other ? other : op;
    // kernel_c7
    if (!rule.computes && !onlyMoves(loops))
      return op->emitOpError("computes in a copy kernel"), WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // kernel_c5
  if (rule.mustReduce && !reduces)
    return emitOpError("reduces nothing");
  // kernel_c6
  if (rule.mustSumProducts && !products)
    return emitOpError("sums no products");
  // kernel_c9
  if (other && (getFamily() == Family::Gemm || getFamily() == Family::Conv))
    return other->emitOpError("reduces without products in a ")
           << stringifyFamily(getFamily()) << " kernel";
  // kernel_c8
  if (mayWrite && !writes)
    return emitOpError("writes no element in a loop");
  return success();
}
