//===- Passes.td - Target-neutral lowering -------------------------*- tablegen -*-===//
#ifndef PTC_CONVERSION_PASSES_TD
#define PTC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def AtenToKernels : Pass<"aten-to-kernels"> {
  let summary = "tensor operations become plan.kernel";
  let description = [{
    A partial conversion. What becomes a kernel, by family:

    - pointwise: an overload with a payload on floating tensors of one type whose sizes are known to
      broadcast, with constant parameters.

    Everything else survives as it is: aten operations that no family takes yet, and everything that
    is not aten.
  }];
  let dependentDialects = ["::ptc::plan::PlanDialect"];
  let statistics = [Statistic<"kernels", "kernels", "kernels made">];
}

#endif // PTC_CONVERSION_PASSES_TD
