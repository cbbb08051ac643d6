//===- GuardOps.td - The guard dialect ---------------------------*- tablegen -*-===//
#ifndef PTC_DIALECT_GUARD_IR_GUARDOPS_TD
#define PTC_DIALECT_GUARD_IR_GUARDOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Guard_Dialect : Dialect {
  let name = "guard";
  let cppNamespace = "::ptc::guard";
  let summary = "What a variant assumes of a call";
  let description = [{
    A `guard.set` holds the assumptions of one variant: `guard.observe` reads observables of the call
    (rows of GuardKinds.def), `arith` computes with them, `guard.require` says which relation must
    hold and why. The place that needed a guard is its location; with several reasons it is a fused
    location with one place for each.

    Sets are the same data as `ptc::sym::GuardSet`; GuardConvert.h goes both ways.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

class Guard_Op<string mnemonic, list<Trait> traits = []> : Op<Guard_Dialect, mnemonic, traits>;

def Guard_SetOp : Guard_Op<"set", [
    IsolatedFromAbove, NoTerminator, SingleBlock, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "the conjunction that one variant needs";
  let description = [{
    Requirements are in the order in which they are checked: what makes other observables exist
    (types, ranks) comes first.

    ```mlir
    guard.set @variant_0 {
      %size = guard.observe size "x"[0]
      %c2 = arith.constant 2 : i64
      guard.require size_range ge %size, %c2 because ["sizes 0 and 1 are specialised"]
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variant);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$variant attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Guard_ObserveOp : Guard_Op<"observe", [
    Pure, HasParent<"SetOp">]> {
  let summary = "reads an observable of the call";
  let description = [{
    `kind` is a row of the table of observables. `index` is the dimension (size, stride), the order
    (dense) or the bits of the constant (float_compare); `other` the second argument (overlap) or the
    operator (float_compare). Kinds that have neither are written without.

    ```mlir
    %0 = guard.observe dtype "batch[\"mask\"]"
    %1 = guard.observe overlap "x" with "y"
    ```
  }];
  let arguments = (ins I32Attr:$kind, StrAttr:$path, OptionalAttr<I64Attr>:$index,
                       OptionalAttr<StrAttr>:$other);
  let results = (outs I64:$value);
  let assemblyFormat = [{
    custom<ObservableKind>($kind) $path (`[` $index^ `]`)? (`with` $other^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Guard_TextOp : Guard_Op<"text", [
    Pure, HasParent<"SetOp">]> {
  let summary = "the number that stands for a text";
  let description = [{
    Strings, class names and key lists are compared as numbers; equal texts have equal numbers.

    ```mlir
    %0 = guard.text "fast"
    ```
  }];
  let arguments = (ins StrAttr:$text);
  let results = (outs I64:$value);
  let assemblyFormat = "$text attr-dict";
}

def Guard_RequireOp : Guard_Op<"require", [
    HasParent<"SetOp">, MemoryEffects<[MemWrite]>]> {
  let summary = "an assumption, and why it was made";
  let description = [{
    `kind` is a row of the table of guard kinds; the relation is one of eq, ne, lt, le, gt, ge.

    ```mlir
    guard.require int_condition gt %k, %c3 because ["branch took the true side"] loc("m.py":31:5)
    ```
  }];
  let arguments = (ins I32Attr:$kind, I32Attr:$relation, I64:$lhs, I64:$rhs,
                       StrArrayAttr:$reasons);
  let assemblyFormat = [{
    custom<GuardKind>($kind) custom<Relation>($relation) $lhs `,` $rhs `because` $reasons
    attr-dict
  }];
  let hasVerifier = 1;
}

#endif // PTC_DIALECT_GUARD_IR_GUARDOPS_TD
