//===- ProgramOps.td - The program dialect -----------------------*- tablegen -*-===//
#ifndef PTC_DIALECT_PROGRAM_IR_PROGRAMOPS_TD
#define PTC_DIALECT_PROGRAM_IR_PROGRAMOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Program_Dialect : Dialect {
  let name = "program";
  let cppNamespace = "::ptc::program";
  let summary = "What a Python program does around its tensor operations";
  let description = [{
    A captured program is one `program.entry`: the state of a context, what runs when a context is
    made, and one `program.variant` per set of assumptions. Bodies are in value form with structured
    control flow (scf); tensor operations are `aten`. Python ints are `i64` and checked: what does not
    fit leaves the program with a status. Selectors (which case, which alternative) are `index` or `i1`.

    A value that a path does not have is `program.undef`. It may be yielded, and prepared for a yield
    by the operations with the trait `Lenient`, whose result is undefined then; nothing else may see it.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::ptc::aten::AtenDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Types, attributes, traits
//===----------------------------------------------------------------------===//

class Program_Type<string name, string typeMnemonic> : TypeDef<Program_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Program_ListType : Program_Type<"List", "list"> {
  let summary = "tensors or numbers of one type, as many as a loop made";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Program_OutKind : I32EnumAttr<"OutKind", "what a node of a result's structure is", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Bool", 1, "bool">,
  I32EnumAttrCase<"Int", 2, "int">,
  I32EnumAttrCase<"Float", 3, "float">,
  I32EnumAttrCase<"Str", 4, "str">,
  I32EnumAttrCase<"Bytes", 5, "bytes">,
  I32EnumAttrCase<"Other", 6, "other">,
  I32EnumAttrCase<"Template", 7, "template">,
  I32EnumAttrCase<"Leaf", 8, "leaf">,
  I32EnumAttrCase<"List", 9, "list">,
  I32EnumAttrCase<"Tuple", 10, "tuple">,
  I32EnumAttrCase<"Dict", 11, "dict">,
  I32EnumAttrCase<"Set", 12, "set">,
  I32EnumAttrCase<"Object", 13, "object">,
  I32EnumAttrCase<"Choice", 14, "choice">,
  I32EnumAttrCase<"Same", 15, "same">,
  I32EnumAttrCase<"Field", 16, "field">
]> {
  let cppNamespace = "::ptc::program";
  let genSpecializedAttr = 0;
}

def Program_OutAttr : AttrDef<Program_Dialect, "Out"> {
  let mnemonic = "out";
  let summary = "structure of a result: a tree whose leaves are constants or operands";
  let description = [{
    A node is its kind, then what it has of: the operand it reads (`leaf 0`, `choice 1`), a text, `id`
    and the number of the mutable object that it is (`same id 2` means that object again), `=` and a
    constant, and its children. Dicts have keys and values in turn, objects names and values.

    A tuple with the text `*` holds what the list does that is its only child.

    A template is text: its children one after the other. A field in it shows its child as its text
    says: `s`, `r`, `a` for str(), repr(), ascii() (and what torch appends to a tensor), `f` and a spec
    for format(), `%` and the rest of one conversion of the % operator.

    ```mlir
    #program.out<tuple [leaf 0, list id 1 [int = 3, str "a"], same id 1]>
    #program.out<template [str "loss ", field "f.2f" [leaf 0]]>
    ```
  }];
  let parameters = (ins
    "::ptc::program::OutKind":$kind,
    DefaultValuedParameter<"int64_t", "-1">:$leaf,
    "::mlir::StringAttr":$text,
    DefaultValuedParameter<"int64_t", "0">:$identity,
    "::mlir::Attribute":$constant,
    ArrayRefParameter<"::ptc::program::OutAttr">:$children
  );
  let hasCustomAssemblyFormat = 1;
}

def Program_Stream : I32EnumAttr<"Stream", "where text is printed", [
  I32EnumAttrCase<"Stdout", 0, "stdout">,
  I32EnumAttrCase<"Stderr", 1, "stderr">
]> {
  let cppNamespace = "::ptc::program";
}

def Program_Clock : I32EnumAttr<"Clock", "what a clock counts", [
  I32EnumAttrCase<"Realtime", 0, "realtime">,
  I32EnumAttrCase<"Monotonic", 1, "monotonic">,
  I32EnumAttrCase<"Process", 2, "process">,
  I32EnumAttrCase<"Thread", 3, "thread">
]> {
  let cppNamespace = "::ptc::program";
}

/// An undefined operand makes the result undefined; every other operation must not see one.
def Program_Lenient : NativeOpTrait<"Lenient"> {
  let cppNamespace = "::ptc::program";
}

def Program_Selector : AnyTypeOf<[I1, Index], "selector">;
def Program_Number : AnyTypeOf<[I1, I64, F64], "run-time bool, int or float">;
def Program_Element : AnyTypeOf<[AnyTensor, Program_Number], "what a run-time list holds">;

class Program_Op<string mnemonic, list<Trait> traits = []> : Op<Program_Dialect, mnemonic, traits>;
/// May end the call where Python has a result (an int of more than 64 bits), or where capture has
/// asked, so it is never moved to where it would not have run. Where nobody uses it, it may go.
class Program_FailingOp<string mnemonic, list<Trait> traits = []>
    : Program_Op<mnemonic, [NoMemoryEffect] # traits>;
/// Raises what Python raises, unless its operands are known to be others (Raising.cpp): then it has
/// no effect. Where nobody uses its result, it ends the call with nothing but an exception.
class Program_RaisingOp<string mnemonic, list<Trait> traits = []>
    : Program_Op<mnemonic, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>] # traits>;
class Program_Effect<string mnemonic, list<Trait> traits = []>
    : Program_Op<mnemonic, [MemoryEffects<[MemWrite]>] # traits>;

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Program_EntryOp : Program_Op<"entry", [
    IsolatedFromAbove, SymbolTable, Symbol, NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "one entry: its state, what runs when a context is made, its variants";
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$file);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}

def Program_StateOp : Program_Op<"state", [Symbol, HasParent<"EntryOp">]> {
  let summary = "a slot of the context that lives from call to call";
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$name, TypeAttr:$type);
  let assemblyFormat = "$sym_name $name `:` $type attr-dict";
}

def Program_InitOp : Program_Op<"init", [IsolatedFromAbove,
    NoTerminator, SingleBlock, NoRegionArguments, HasParent<"EntryOp">, RecursiveMemoryEffects]> {
  let summary = "runs once when a context is made; `set_state` gives the first contents";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

def Program_VariantOp : Program_Op<"variant", [
    IsolatedFromAbove, Symbol, HasParent<"EntryOp">, SingleBlockImplicitTerminator<"FinishOp">]> {
  let summary = "the program under one set of assumptions";
  let description = [{
    Arguments of the body are the run-time leaves of the call's arguments; `inputs` names them and
    `leaves` gives their numbers among all leaves, depth first. `symbols` binds size symbols:
    `[name, input, dimension]`, dimensions from 1000 on are strides; or `[name, formula]` of symbols
    before it, as `["K", "L // 16"]`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$inputs, DenseI64ArrayAttr:$leaves,
                       ArrayAttr:$symbols);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Program_FinishOp : Program_Op<"finish", [
    Terminator, HasParent<"VariantOp">, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "ends a call in one of several ways";
  let description = "One region per outcome, each with its own `program.end`; the selector says which.";
  let arguments = (ins Optional<Program_Selector>:$selector);
  let regions = (region VariadicRegion<SizedRegion<1>>:$outcomes);
  let assemblyFormat = "($selector^ `:` type($selector))? attr-dict-with-keyword $outcomes";
  let hasVerifier = 1;
}

def Program_EndOp : Program_Op<"end", [Terminator, HasParent<"FinishOp">]> {
  let summary = "what a call gives back, or the exception with which it ends";
  let description = [{
    `raised`: the tree is a tuple of the exception object, str() of it, and the file and line where it
    was raised; or a choice of such tuples.
    `mutated` names containers of the caller that changed, and their new contents.
  }];
  let arguments = (ins Variadic<AnyType>:$leaves, Program_OutAttr:$result,
                       OptionalAttr<StrArrayAttr>:$mutatedPaths,
                       OptionalAttr<TypedArrayAttrBase<Program_OutAttr, "trees">>:$mutated,
                       UnitAttr:$raised);
  let assemblyFormat = [{
    (`raised` $raised^)? $result (`mutated` $mutatedPaths^ $mutated)?
    (`(` $leaves^ `:` type($leaves) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Program_PlaceOp : Program_Effect<"place", [HasParent<"FinishOp">, AllTypesMatch<["contents", "result"]>]> {
  let summary = "puts a storage's final contents where the caller finds them";
  let description = [{
    Into the storage of input `input` (written back if `written`), or into fresh memory. Views of the
    result are the tensors that the caller gets, aliasing as in eager.
  }];
  let arguments = (ins AnyTensor:$contents, OptionalAttr<I64Attr>:$input, UnitAttr:$written);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$contents (`input` $input^)? (`written` $written^)? attr-dict `:` type($contents)";
}

//===----------------------------------------------------------------------===//
// State, weights, literals
//===----------------------------------------------------------------------===//

def Program_GetStateOp : Program_Op<"get_state", [Pure]> {
  let summary = "the contents of a slot when the call began";
  let arguments = (ins FlatSymbolRefAttr:$state);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$state attr-dict `:` type($result)";
}

def Program_SetStateOp : Program_Effect<"set_state"> {
  let summary = "the contents of a slot when the next call begins";
  let arguments = (ins FlatSymbolRefAttr:$state, AnyType:$value);
  let assemblyFormat = "$state `,` $value attr-dict `:` type($value)";
}

def Program_WeightOp : Program_Op<"weight", [Pure]> {
  let summary = "a parameter or buffer by its state-dict name";
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Program_LiteralOp : Program_Op<"literal", [Pure]> {
  let summary = "a tensor known when the program was captured";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

def Program_UndefOp : Program_Op<"undef", [Pure, Program_Lenient]> {
  let summary = "a value that this path does not have";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Program_PickOp : Program_Op<"pick", [
    Pure, Program_Lenient]> {
  let summary = "one of several alternatives; undefined for a selector that names none";
  let arguments = (ins Program_Selector:$selector, Variadic<AnyType>:$alternatives);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$selector `of` $alternatives attr-dict `:` functional-type(operands, results)";
}

def Program_MapOp : Program_Op<"map", [Pure, Program_Lenient]> {
  let summary = "the constant at the selector's place in a table; undefined where there is none";
  let description = [{
    A selector may have values beyond the table on paths where nothing reads the result: what is
    prepared for one exit of a side is computed on the way to its other exits, too.
  }];
  let arguments = (ins Program_Selector:$selector, ArrayAttr:$table);
  let results = (outs AnyTypeOf<[I1, I64, F64, Index]>:$result);
  let assemblyFormat = "$selector $table attr-dict `:` type($selector) `->` type($result)";
}

def Program_HomeOp : Program_Op<"home", [Pure, Program_Lenient]> {
  let summary = "which slot holds a storage first";
  let description = [{
    The last of `numbers` names a storage: if it is below 0 the result is `old`, else `kept` plus the
    first place in `numbers` that is equal to it.
  }];
  let arguments = (ins Program_Selector:$old, Variadic<Program_Selector>:$numbers, I64Attr:$kept);
  let results = (outs Index:$result);
  let assemblyFormat = "$old `,` $numbers `kept` $kept attr-dict `:` type(operands)";
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

class Program_StepsOp<string mnemonic, dag operands> : Program_Op<mnemonic, [Pure, Program_Lenient]> {
  let arguments = !con(operands, (ins Variadic<AnyType>:$values, ArrayAttr:$steps));
  let results = (outs AnyTensor:$result);
}

def Program_ViewOp : Program_StepsOp<"view", (ins AnyTensor:$base)> {
  let summary = "a chain of ATen view operations";
  let description = [{
    Each step is `[overload, arguments behind self…]`; `#aten.arg<i>` stands for operand i of
    `values`. A step with one argument more than its schema takes that element of a list result.

    The result is undefined where a step does not fit (an index out of range): a view may stand in
    front of the `pick` that leaves it out.

    ```mlir
    %1 = program.view %0 [["select.int", 0, #aten.arg<0>], ["t"]] (%i) : (tensor<2x3x4xf32>, i64) -> tensor<4x3xf32>
    ```
  }];
  let assemblyFormat = "$base $steps (`(` $values^ `)`)? attr-dict `:` functional-type(operands, results)";
}

def Program_ScatterOp : Program_StepsOp<"scatter", (ins AnyTensor:$base, AnyTensor:$part)> {
  let summary = "`base` with the part that a chain of views shows replaced by `part`";
  let assemblyFormat = "$base `,` $part $steps (`(` $values^ `)`)? attr-dict `:` functional-type(operands, results)";
}

def Program_RetypeOp : Program_Op<"retype", [Pure, Program_Lenient]> {
  let summary = "the same value with other static knowledge about its sizes";
  let description = [{
    Symbols of the result's type that are named in `symbols` have the values of `numbers`.
  }];
  let arguments = (ins AnyType:$value, Variadic<I64>:$numbers, OptionalAttr<StrArrayAttr>:$symbols);
  let results = (outs AnyType:$result);
  let builders = [OpBuilder<(ins "mlir::Type":$result, "mlir::Value":$value), [{
    build($_builder, $_state, result, value, mlir::ValueRange(), mlir::ArrayAttr());
  }]>];
  let assemblyFormat =
      "$value ($symbols^ `(` $numbers `)`)? attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Program_ItemOp : Program_FailingOp<"item"> {
  let summary = "the number in a tensor of one element";
  let arguments = (ins AnyTensor:$tensor);
  let results = (outs Program_Number:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `->` type($result)";
}

// Symbols of one side are yielded wherever it leaves, also where their tensor is undefined.
def Program_SizeOfOp : Program_Op<"size_of", [Pure, Program_Lenient]> {
  let summary = "a size or stride of a tensor; undefined of what is undefined";
  let arguments = (ins AnyTensor:$tensor, I64Attr:$dimension, UnitAttr:$stride);
  let results = (outs I64:$result);
  let assemblyFormat = "(`stride` $stride^)? $tensor `,` $dimension attr-dict `:` type($tensor)";
}

def Program_SizeExprOp : Program_FailingOp<"size_expr", [Program_Lenient]> {
  let summary = "the value of a size expression; undefined if a symbol is";
  let description = [{
    Symbols named in `symbols` have the values of the operands; the others are sizes of inputs, see
    the variant's `symbols`.
  }];
  let arguments = (ins Variadic<I64>:$values, StrAttr:$expr, StrArrayAttr:$symbols);
  let results = (outs I64:$result);
  let assemblyFormat = "$expr $symbols (`(` $values^ `)`)? attr-dict";
}

def Program_TensorOp : Program_Op<"tensor", [Pure]> {
  let summary = "a tensor without dimensions from a number";
  let arguments = (ins Program_Number:$value);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// Numbers: what arith does not do as Python does. Capture asks for divisors that are 0.
//===----------------------------------------------------------------------===//

class Program_BinaryForm<string text> {
  string summary = text;
  dag arguments = (ins AnyTypeOf<[I64, F64]>:$lhs, AnyTypeOf<[I64, F64]>:$rhs);
  dag results = (outs AnyTypeOf<[I64, F64]>:$result);
  string assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
class Program_Binary<string mnemonic, string text> : Program_FailingOp<mnemonic, [
    SameOperandsAndResultType]> {
  let summary = text;
  let arguments = Program_BinaryForm<text>.arguments;
  let results = Program_BinaryForm<text>.results;
  let assemblyFormat = Program_BinaryForm<text>.assemblyFormat;
}
class Program_RaisingBinary<string mnemonic, string text> : Program_RaisingOp<mnemonic, [
    SameOperandsAndResultType]> {
  let summary = text;
  let arguments = Program_BinaryForm<text>.arguments;
  let results = Program_BinaryForm<text>.results;
  let assemblyFormat = Program_BinaryForm<text>.assemblyFormat;
}

def Program_AddOp : Program_Binary<"add", "a + b of ints; overflow is a status">;
def Program_SubOp : Program_Binary<"sub", "a - b of ints; overflow is a status">;
def Program_MulOp : Program_Binary<"mul", "a * b of ints; overflow is a status">;
def Program_FloorDivOp : Program_Binary<"floordiv", "a // b">;
def Program_ModOp : Program_Binary<"mod", "a % b, with the sign of b">;
def Program_PowOp : Program_RaisingBinary<"pow", "a ** b; ints: b is not negative">;
def Program_ShlOp : Program_RaisingBinary<"shl", "a << b of ints">;
def Program_ShrOp : Program_RaisingBinary<"shr", "a >> b of ints">;

def Program_TrueDivOp : Program_FailingOp<"truediv"> {
  let summary = "a / b of ints, correctly rounded";
  let arguments = (ins I64:$lhs, I64:$rhs);
  let results = (outs F64:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
}

class Program_Unary<string mnemonic, string text> : Program_FailingOp<mnemonic, [
    SameOperandsAndResultType]> {
  let summary = text;
  let arguments = (ins AnyTypeOf<[I64, F64]>:$operand);
  let results = (outs AnyTypeOf<[I64, F64]>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}
def Program_NegOp : Program_Unary<"neg", "-a of an int; overflow is a status">;
def Program_AbsOp : Program_Unary<"abs", "abs(a)">;

def Program_CompareOp : Program_Op<"compare", [Pure]> {
  let summary = "an int compared with a float, exactly as Python does";
  let arguments = (ins StrAttr:$relation, Program_Number:$lhs, Program_Number:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$relation $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

def Program_ToIntOp : Program_RaisingOp<"to_int"> {
  let summary = "int(a) of a float: truncates; inf, nan and what does not fit fail";
  let arguments = (ins F64:$operand);
  let results = (outs I64:$result);
  let assemblyFormat = "$operand attr-dict";
}

def Program_MathOp : Program_RaisingOp<"math"> {
  let summary = "a function of Python's numbers: a row of NumberFunctions.def, a rounding or a test";
  let description = [{
    `total`: its failures have been looked for: it gives NaN and infinities where it would raise.
  }];
  let arguments = (ins StrAttr:$function, Variadic<Program_Number>:$values, UnitAttr:$total);
  let results = (outs Program_Number:$result);
  let assemblyFormat = "$function `(` $values `)` attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Run-time lists of tensors or numbers
//===----------------------------------------------------------------------===//

def Program_ListNewOp : Program_Op<"list.new", [Pure, Program_Lenient]> {
  let summary = "an empty list";
  let results = (outs Program_ListType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Program_ListPushOp : Program_Op<"list.push", [
    Pure, Program_Lenient, AllTypesMatch<["list", "result"]>]> {
  let summary = "the list with a number or a copy of a tensor behind its last element";
  let arguments = (ins Program_ListType:$list, Program_Element:$element);
  let results = (outs Program_ListType:$result);
  let assemblyFormat = "$list `,` $element attr-dict `:` type($list) `,` type($element)";
  let hasVerifier = 1;
}

def Program_ListDropOp : Program_Op<"list.drop", [
    Pure, Program_Lenient, AllTypesMatch<["list", "result"]>]> {
  let summary = "the list without its last element; of an empty list, that";
  let arguments = (ins Program_ListType:$list);
  let results = (outs Program_ListType:$result);
  let assemblyFormat = "$list attr-dict `:` type($list)";
}

def Program_ListSetOp : Program_Op<"list.set", [
    Pure, Program_Lenient, AllTypesMatch<["list", "result"]>]> {
  let summary = "the list with another element in one of its places; where there is no such place, that";
  let arguments = (ins Program_ListType:$list, I64:$index, Program_Element:$element);
  let results = (outs Program_ListType:$result);
  let assemblyFormat = "$list `,` $index `,` $element attr-dict `:` type($list) `,` type($element)";
  let hasVerifier = 1;
}

def Program_ListGetOp : Program_FailingOp<"list.get"> {
  let summary = "an element; negative indices count from the end";
  let arguments = (ins Program_ListType:$list, I64:$index);
  let results = (outs Program_Element:$result);
  let assemblyFormat = "$list `,` $index attr-dict `:` type($list) `->` type($result)";
}

def Program_ListLenOp : Program_Op<"list.len", [Pure]> {
  let summary = "how many elements";
  let arguments = (ins Program_ListType:$list);
  let results = (outs I64:$result);
  let assemblyFormat = "$list attr-dict `:` type($list)";
}

class Program_ListJoin<string mnemonic, string text> : Program_FailingOp<mnemonic> {
  let summary = text;
  let arguments = (ins Program_ListType:$list, I64Attr:$dim);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$list `,` $dim attr-dict `:` type($list) `->` type($result)";
}
def Program_ListStackOp : Program_ListJoin<"list.stack", "torch.stack of the elements">;
def Program_ListCatOp : Program_ListJoin<"list.cat", "torch.cat of the elements">;

def Program_ListViewsOp : Program_Op<"list.views", [Pure, Program_Lenient]> {
  let summary = "views of one tensor, as many as lists have numbers";
  let description = [{
    Of what a caller gets: element i begins behind as many elements of `base` as `offsets` says. `extents` are
    sizes, then strides: a number, which is that of all, or a list of numbers, one for each. Where the result is
    another one nothing may be known of them.
  }];
  let arguments = (ins AnyTensor:$base, Program_ListType:$offsets, Variadic<AnyTypeOf<[I64, Program_ListType]>>:$extents);
  let results = (outs Program_ListType:$result);
  let assemblyFormat = "$base `,` $offsets `extents` `(` $extents `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

def Program_TextLengthOp : Program_FailingOp<"text_length"> {
  let summary = "how many characters a text has";
  let arguments = (ins Program_OutAttr:$text, Variadic<AnyType>:$values);
  let results = (outs I64:$result);
  let assemblyFormat = "$text (`(` $values^ `:` type($values) `)`)? attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

def Program_PrintOp : Program_Effect<"print"> {
  let summary = "writes text to a stream of the context";
  let arguments = (ins Program_Stream:$stream, Program_OutAttr:$text, Variadic<AnyType>:$values);
  let assemblyFormat = "$stream $text (`(` $values^ `:` type($values) `)`)? attr-dict";
  let hasVerifier = 1;
}

def Program_SeedOp : Program_Effect<"seed"> {
  let summary = "seeds a random generator of the context; 0 is the default one";
  let arguments = (ins I64:$generator, I64:$seed);
  let assemblyFormat = "$generator `,` $seed attr-dict";
}

def Program_TurnOp : Program_Effect<"turn"> {
  let summary = "a loop that nothing proves to end goes on";
  let description = "It does nothing, and keeps such a loop where nobody uses what it computes.";
  let assemblyFormat = "attr-dict";
}

def Program_ClockOp : Program_Effect<"clock"> {
  let summary = "reads a clock of the machine when the program comes here: nanoseconds";
  let arguments = (ins Program_Clock:$clock);
  let results = (outs I64:$result);
  let assemblyFormat = "$clock attr-dict";
}

#endif // PTC_DIALECT_PROGRAM_IR_PROGRAMOPS_TD
