//===- Passes.td - Passes over guards ------------------------------*- tablegen -*-===//
#ifndef PTC_DIALECT_GUARD_TRANSFORMS_PASSES_TD
#define PTC_DIALECT_GUARD_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def GuardSimplify : Pass<"guard-simplify", "::ptc::guard::SetOp"> {
  let summary = "drop guards that others imply";
  let description = [{
    Sizes known from an equality are filled in, then implied guards are dropped by Presburger
    arithmetic; their reasons stay with a guard that stands for them. Guards that contradict each
    other are an error: an example satisfied them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::ptc::guard::GuardDialect"];
}

#endif // PTC_DIALECT_GUARD_TRANSFORMS_PASSES_TD
