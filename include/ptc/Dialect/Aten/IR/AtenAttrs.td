//===- AtenAttrs.td - Attributes of the aten dialect -------------*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENATTRS_TD
#define PTC_DIALECT_ATEN_IR_ATENATTRS_TD

include "mlir/IR/TensorEncoding.td"
include "ptc/Dialect/Aten/IR/AtenBase.td"

class Aten_Attr<string name, string word, list<Trait> traits = []>
    : AttrDef<Aten_Dialect, name, traits> {
  let mnemonic = word;
}

def Aten_ArgAttr : Aten_Attr<"Arg", "arg"> {
  let summary = "the operand at this index";
  let parameters = (ins "unsigned":$index);
  let assemblyFormat = "`<` $index `>`";
}

def Aten_NoneAttr : Aten_Attr<"None", "none"> {
  let summary = "Python's None";
}

def Aten_ExprAttr : Aten_Attr<"Expr", "expr"> {
  let summary = "an integer as an expression over size symbols, in the text form of ptc::sym";
  let parameters = (ins StringRefParameter<>:$text);
  let assemblyFormat = "`<` $text `>`";
}

def Aten_ComplexAttr : Aten_Attr<"Complex", "complex"> {
  let summary = "a Python complex number";
  let parameters = (ins "::mlir::FloatAttr":$real, "::mlir::FloatAttr":$imag);
  let assemblyFormat = "`<` $real `,` $imag `>`";
}

class Aten_WordAttr<string name, string word, string wordType, string text> : Aten_Attr<name, word> {
  let summary = text;
  let parameters = (ins AttrParameter<wordType, "the word">:$value);
  let hasCustomAssemblyFormat = 1;
}
def Aten_DTypeAttr : Aten_WordAttr<"DType", "dtype", "::ptc::DType", "an element type: `#aten.dtype<f32>`">;
def Aten_DeviceAttr : Aten_WordAttr<"Device", "device", "::ptc::aten::Device", "a device: `#aten.device<\"cuda:1\">`">;
def Aten_LayoutAttr : Aten_WordAttr<"Layout", "layout", "::ptc::aten::Layout", "`#aten.layout<strided>`">;
def Aten_MemoryFormatAttr
    : Aten_WordAttr<"MemoryFormat", "memory_format", "::ptc::aten::MemoryFormat", "`#aten.memory_format<channels_last>`">;

def Aten_MetaAttr : Aten_Attr<"Meta", "meta", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding, ["verifyEncoding"]>]> {
  let summary = "what a tensor type does not say: symbolic sizes, strides, device, requires_grad";
  let description = [{
    Encoding of tensor types. Sizes and strides are integers or texts of ptc::sym over the size
    symbols of the program; `sizes` is there if a dimension is `?`, `strides` if they are not the
    contiguous ones, `device` if it is not the CPU.

    ```mlir
    tensor<?x4xf32, #aten.meta<sizes = ["B", 4], strides = [1, "B"], requires_grad>>
    ```
  }];
  let parameters = (ins OptionalParameter<"::mlir::ArrayAttr">:$sizes,
                        OptionalParameter<"::mlir::ArrayAttr">:$strides,
                        "::ptc::aten::Device":$device, "bool":$requiresGrad);
  let hasCustomAssemblyFormat = 1;
}

#endif // PTC_DIALECT_ATEN_IR_ATENATTRS_TD
