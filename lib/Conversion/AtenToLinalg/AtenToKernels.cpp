//===- AtenToKernels.cpp - aten-to-kernels ------------------------------------------------===//
//
// In: a module of any phase up to core. Out: the same with plan.kernel for the aten operations that
// some family takes.
//
//===----------------------------------------------------------------------===//
#include "Pointwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ptc {
#define GEN_PASS_DEF_ATENTOKERNELS
#include "ptc/Conversion/Passes.h.inc"
} // namespace ptc

using namespace mlir;

namespace {

struct AtenToKernelsPass : ptc::impl::AtenToKernelsBase<AtenToKernelsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    ptc::populatePointwisePatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    getOperation()->walk([&](ptc::plan::KernelOp) { ++kernels; });
  }
};

} // namespace
