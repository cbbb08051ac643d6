//===- Passes.td - Passes over plans ---------------------------------*- tablegen -*-===//
#ifndef PTC_DIALECT_PLAN_TRANSFORMS_PASSES_TD
#define PTC_DIALECT_PLAN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanFuse : Pass<"plan-fuse", "::mlir::ModuleOp"> {
  let summary = "make one kernel of kernels that go on with each other's values";
  let description = [{
    A kernel goes on with what the kernel in front of it computes, as one kernel, where that may be and
    where a cost model says that it takes less time:

    - elementwise kernels are one loop nest, with several results where others read the values, too;
    - elementwise kernels join what reduces, sums products, slides windows or gathers: in front of it as
      a part of its loops, or for several passes over the same rows as a pass before them; behind it in
      the memory of what it gives;
    - reductions and passes over the same rows join each other;
    - an elementwise value that several kernels read is computed in each of them, if that is cheaper
      than its memory; operations that are computed again are marked with `plan.recomputed`.

    A remark says of each pair that was looked at what it costs together and apart, or why it is none.
  }];
  let dependentDialects = ["::ptc::plan::PlanDialect"];
  let statistics = [Statistic<"fused", "fused", "pairs of kernels made one">];
}

def PlanLayout : Pass<"plan-layout", "::mlir::ModuleOp"> {
  let summary = "choose in which order tensors between kernels lie";
  let description = [{
    A result that kernels alone read, in reach of a convolution, lies with its channels last where the
    kernels that make and read it take less time so: what a convolution, a pooling and an addition do
    along channels goes in vectors then. The orders of all such results are decided together; where a
    machine has matrix instructions for their elements, all have channels last. What
    the program returns, stores or looks at stays as it is; a kernel at the border reads one order
    and writes the other. A remark says of each result what the other order would cost.
  }];
  let dependentDialects = ["::ptc::plan::PlanDialect"];
  let statistics = [Statistic<"changed", "changed", "results that lie with channels last">];
}

def PlanShare : Pass<"plan-share", "::mlir::ModuleOp"> {
  let summary = "give numbers to kernels that differ in nothing else";
  let description = [{
    Elementwise kernels of which many are the same but for numbers that are added, multiplied and so
    on get these numbers as operands. Targets compile kernels that are the same once: the time to
    compile `x * i` for a thousand numbers is that of one kernel. Few small kernels keep their numbers.
  }];
  let statistics = [Statistic<"taken", "taken", "kernels that are given numbers">];
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
