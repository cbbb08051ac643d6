//===- Passes.td - Target-neutral lowering -------------------------*- tablegen -*-===//
#ifndef PTC_CONVERSION_PASSES_TD
#define PTC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def AtenToKernels : Pass<"aten-to-kernels"> {
  let summary = "tensor operations become plan.kernel";
  let description = [{
    A partial conversion, by family: pointwise, copies, gathers, reductions, row reductions, products,
    attention, convolutions, windows, scans. Where eager raises for certain elements, a `plan.check` on
    a kernel of its own stands in front.

    What no family takes survives as it is, and so does everything that is not aten.
  }];
  let dependentDialects = ["::ptc::plan::PlanDialect", "::ptc::program::ProgramDialect"];
  let statistics = [Statistic<"kernels", "kernels", "kernels made">];
}

def SplitComplex : Pass<"split-complex"> {
  let summary = "tensors of complex numbers become tensors of their parts";
  let description = [{
    In bodies of variants and initialisations. A complex tensor becomes a real one with a last dimension of 2. A body
    stays as it is where an operation on complex numbers has no formula, or where a complex tensor comes from outside.
  }];
  let dependentDialects = ["::ptc::program::ProgramDialect"];
}

#endif // PTC_CONVERSION_PASSES_TD
