//===- Passes.td - Passes over plans ---------------------------------*- tablegen -*-===//
#ifndef PTC_DIALECT_PLAN_TRANSFORMS_PASSES_TD
#define PTC_DIALECT_PLAN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanFuse : Pass<"plan-fuse", "::mlir::ModuleOp"> {
  let summary = "make one kernel of pointwise ones and what they go on with";
  let description = [{
    A pointwise kernel joins the kernel that computes one of its operands, where nobody else reads
    this and where each element is read once: pointwise kernels become one loop nest; behind sums of
    products they are an epilogue, which works in place. A remark says of each pair that was looked
    at whether it was fused, or why not.
  }];
  let dependentDialects = ["::ptc::plan::PlanDialect"];
  let statistics = [Statistic<"fused", "fused", "pairs of kernels made one">];
}

def PlanLayout : Pass<"plan-layout", "::mlir::ModuleOp"> {
  let summary = "choose in which order tensors between kernels lie";
  let description = [{
    A result that kernels alone read, in reach of a convolution, lies with its channels last where the
    kernels that make and read it take less time so: what a convolution, a pooling and an addition do
    along channels goes in vectors then. The orders of all such results are decided together. What
    the program returns, stores or looks at stays as it is; a kernel at the border reads one order
    and writes the other. A remark says of each result what the other order would cost.
  }];
  let dependentDialects = ["::ptc::plan::PlanDialect"];
  let statistics = [Statistic<"changed", "changed", "results that lie with channels last">];
}

def PlanPlace : Pass<"plan-place", "::mlir::ModuleOp"> {
  let summary = "say where each tensor lies";
  let description = [{
    Gives every storage of every variant a place: in the storage that the caller gets where it is
    written nowhere else, over an operand that is read for the last time, or in one arena. Sizes that
    are constants: largest first, best fit. Sizes over the variant's symbols: slots behind the
    constant part, shared where one size is proven to fit the other's slot. Sizes known only while the
    program runs: memory of their own.
  }];
  let dependentDialects = ["::ptc::plan::PlanDialect"];
  let statistics = [Statistic<"arenaBytes", "arena bytes", "constant part of all arenas">,
                    Statistic<"lowerBound", "lower bound", "most bytes that live at one time">];
}

#endif // PTC_DIALECT_PLAN_TRANSFORMS_PASSES_TD
