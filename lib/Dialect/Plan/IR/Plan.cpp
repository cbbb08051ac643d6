//===- Plan.cpp - The plan dialect ----------------------------------------------------===//
//
// In: ODS. Out: registration, and the verifiers of what ODS cannot say.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/IR/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ptc::plan;

#include "ptc/Dialect/Plan/IR/PlanEnums.cpp.inc"

#include "ptc/Dialect/Plan/IR/PlanDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ptc/Dialect/Plan/IR/PlanOps.cpp.inc"

void PlanDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ptc/Dialect/Plan/IR/PlanOps.cpp.inc"
      >();
}

RankedTensorType ptc::plan::plainType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// kernel_c1, kernel_c2
static LogicalResult verifyBoundary(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  if (body.getNumArguments() != kernel.getInputs().size())
    return kernel.emitOpError("has ")
           << kernel.getInputs().size() << " inputs and " << body.getNumArguments() << " arguments";
  for (auto [arg, input] : llvm::zip_equal(body.getArguments(), kernel.getInputs()))
    if (arg.getType() != plainType(input.getType()))
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

LogicalResult KernelOp::verify() {
  if (failed(verifyBoundary(*this)))
    return failure();
  auto result = getBody().walk([&](Operation *op) -> WalkResult {
    if (isa<YieldOp>(op))
      return WalkResult::advance();
    // kernel_c3
    if (!isa<linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect, math::MathDialect>(
            op->getDialect()))
      return op->emitOpError("may not stand in a kernel"), WalkResult::interrupt();
    // kernel_c4
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if (loops && getFamily() == Family::Pointwise &&
        loops.getNumParallelLoops() != loops.getNumLoops())
      return op->emitOpError("reduces in a pointwise kernel"), WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
