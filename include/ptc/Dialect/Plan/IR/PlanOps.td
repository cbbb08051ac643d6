//===- PlanOps.td - The plan dialect -----------------------------*- tablegen -*-===//
#ifndef PTC_DIALECT_PLAN_IR_PLANOPS_TD
#define PTC_DIALECT_PLAN_IR_PLANOPS_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::ptc::plan";
  let summary = "Kernels: what runs as one piece of native code";
  let description = [{
    Between the graph (what to compute) and the emitters (how one kernel runs). A kernel's region is a
    small program on tensors in linalg, tensor, arith and math; it is the loop-level IR that fusion
    composes and emitters inline.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

/// One case per family of emitters.
def Plan_Family : I32EnumAttr<"Family", "which emitter makes code of a kernel", [
  I32EnumAttrCase<"Pointwise", 0, "pointwise">
]> {
  let cppNamespace = "::ptc::plan";
}

def Plan_KernelOp : Op<Plan_Dialect, "kernel", [
    IsolatedFromAbove, Pure, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "tensors computed by one kernel";
  let description = [{
    Arguments of the region are the operands without their encodings: a kernel computes elements;
    where they lie is decided by the plan.

    ```mlir
    %1 = plan.kernel pointwise(%0 : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%x: tensor<4xf32>):
      …
      plan.yield %y : tensor<4xf32>
    }
    ```
    Constraints:
    - kernel_c1: each argument has its operand's type without encoding.
    - kernel_c2: each yielded value has its result's type without encoding.
    - kernel_c3: the region holds operations of linalg, tensor, arith and math without side effects.
    - kernel_c4: pointwise: each linalg operation has parallel loops only.
  }];
  let arguments = (ins Plan_Family:$family, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $family `(` ($inputs^ `:` type($inputs))? `)` `->` type($results) attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Plan_YieldOp : Op<Plan_Dialect, "yield", [Terminator, HasParent<"KernelOp">, Pure]> {
  let summary = "the results of a kernel";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // PTC_DIALECT_PLAN_IR_PLANOPS_TD
