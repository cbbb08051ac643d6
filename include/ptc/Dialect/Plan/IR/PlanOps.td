//===- PlanOps.td - The plan dialect -----------------------------*- tablegen -*-===//
#ifndef PTC_DIALECT_PLAN_IR_PLANOPS_TD
#define PTC_DIALECT_PLAN_IR_PLANOPS_TD

include "mlir/IR/AttrTypeBase.td"
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

    Values stay in value form to the end; where they lie is said beside them, by attributes:

    - `plan.places` of an operation that makes tensors: one place per result.
    - `plan.places` of scf.while: one place per carried value, into which it is copied when the loop is
      entered and at the end of each turn; unit for what is no tensor. `plan.staging`: where a carried
      value is kept while the others are copied, unit where it does not matter.
    - `plan.arena` of program.variant: the bytes of the arena; its verifier proves that no two values
      that live at one time overlap in it.

    Views, choices and results of branches lie where what they are made of lies; inputs, weights,
    literals and the contents of slots where they are.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def Plan_OrderAttr : AttrDef<Plan_Dialect, "Order"> {
  let mnemonic = "order";
  let summary = "which order an operation of a kernel is about";
  let description = [{
    Loop `dim` runs along the lines whose entries are ordered: the least first, or the greatest; of
    equal ones the earlier one; NaN behind all others, or before. On a linalg.generic that gives for each
    entry how many come before it, on the one behind it that gives the entry of each place, and on one that
    finds the first entry and its place at once. Loops do as they say; an emitter knows faster ways.
  }];
  let parameters = (ins "int64_t":$dim, "bool":$descending, "bool":$nanFirst, "bool":$isUnsigned);
  let assemblyFormat = "`<` struct(params) `>`";
}

/// One case per family of emitters.
def Plan_Family : I32EnumAttr<"Family", "which emitter makes code of a kernel", [
  I32EnumAttrCase<"Pointwise", 0, "pointwise">,
  I32EnumAttrCase<"Copy", 1, "copy">,
  I32EnumAttrCase<"Gather", 2, "gather">,
  I32EnumAttrCase<"Reduction", 3, "reduction">,
  I32EnumAttrCase<"Rows", 4, "rows">,
  I32EnumAttrCase<"Gemm", 5, "gemm">,
  I32EnumAttrCase<"Attention", 6, "attention">,
  I32EnumAttrCase<"Conv", 7, "conv">,
  I32EnumAttrCase<"Window", 8, "window">,
  I32EnumAttrCase<"Scan", 9, "scan">,
  I32EnumAttrCase<"Sort", 10, "sort">,
  I32EnumAttrCase<"Scatter", 11, "scatter">
]> {
  let cppNamespace = "::ptc::plan";
}

def Plan_Input : AnyTypeOf<[AnyRankedTensor, I1, I64, F64], "tensor or run-time number">;

def Plan_PlaceKind : I32EnumAttr<"PlaceKind", "what kind of memory holds a tensor", [
  I32EnumAttrCase<"Arena", 0, "arena">,
  I32EnumAttrCase<"Output", 1, "output">,
  I32EnumAttrCase<"Block", 2, "block">
]> {
  let cppNamespace = "::ptc::plan";
  let genSpecializedAttr = 0;
}

def Plan_PlaceAttr : AttrDef<Plan_Dialect, "Place"> {
  let mnemonic = "place";
  let summary = "where a tensor lies";
  let description = [{
    `arena`: at byte `at` of the context's arena, `bytes` long; `over i`: in place of operand i, which
    is read for the last time. `output`: in the storage that the caller gets from program.place number
    `at` of the only outcome. `block`: in memory of its own, for sizes that are not known at entry.
    `at` and `bytes` are texts of ptc::sym over the symbols of the variant.

    ```mlir
    #plan.place<arena at "64" bytes "B*2048" over 0>
    ```
  }];
  let parameters = (ins "::ptc::plan::PlaceKind":$kind, StringRefParameter<>:$at,
                        StringRefParameter<>:$bytes, DefaultValuedParameter<"int64_t", "-1">:$over);
  let hasCustomAssemblyFormat = 1;
}

def Plan_KernelOp : Op<Plan_Dialect, "kernel", [
    IsolatedFromAbove, Pure, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "tensors computed by one kernel";
  let description = [{
    Arguments of the region are the operands without their encodings and signs: a kernel computes
    elements; where they lie is decided by the plan, and operations say how they read integers.
    Numbers known at run time are operands beside the tensors.

    ```mlir
    %1 = plan.kernel pointwise(%0 : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%x: tensor<4xf32>):
      …
      plan.yield %y : tensor<4xf32>
    }
    ```
    Constraints:
    - kernel_c1: each argument has its operand's type without encoding and sign.
    - kernel_c2: each yielded value has its result's type without encoding and sign.
    - kernel_c3: the region holds operations of linalg, tensor, arith and math without side effects,
      in a scatter kernel also scf.for.
    - kernel_c4: pointwise, copy, gather: each linalg operation has parallel loops only.
    - kernel_c5: reduction, rows, gemm, attention, conv, window, scan, sort: some linalg operation
      reduces.
    - kernel_c6: gemm, attention, conv: some reduction sums products.
    - kernel_c7: copy: linalg operations compute nothing but places and conditions on them.
    - kernel_c8: scatter: some tensor.insert in an scf.for writes an element.
  }];
  let arguments = (ins Plan_Family:$family, Variadic<Plan_Input>:$inputs);
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

def Plan_CheckOp : Op<Plan_Dialect, "check", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the call with an exception if a kernel found a reason";
  let description = [{
    What eager raises for certain elements (an index out of range, an integer division by zero). `{0}`,
    `{1}`, … in the text stand for the values. Kernels that read the same elements do not rely on it:
    they stay inside their tensors whatever is there.

    ```mlir
    plan.check %0 raises "IndexError" "index {0} is out of bounds" (%1 : tensor<i64>) : tensor<i1>
    ```
  }];
  let arguments = (ins TensorRankOf<[I1], [0]>:$failed, Variadic<TensorRankOf<[I64], [0]>>:$values,
                       StrAttr:$errorClass, StrAttr:$text);
  let assemblyFormat = [{
    $failed `raises` $errorClass $text (`(` $values^ `:` type($values) `)`)? attr-dict `:` type($failed)
  }];
}

#endif // PTC_DIALECT_PLAN_IR_PLANOPS_TD
