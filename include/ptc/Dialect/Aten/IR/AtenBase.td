//===- AtenBase.td - The aten dialect and what a record says -----*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENBASE_TD
#define PTC_DIALECT_ATEN_IR_ATENBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Aten_Dialect : Dialect {
  let name = "aten";
  let cppNamespace = "::ptc::aten";
  let summary = "Operations on tensors under their ATen overload names, in value form";
  let description = [{
    Each operation is one ATen overload (`aten.add.Tensor`) with ATen's semantics: type promotion,
    broadcasting, memory formats. Operands are the tensors and the scalars that are known only at
    run time; everything else is in `args`, one element per schema argument. In assembly the
    schema's argument names are used and defaults left out:

    ```mlir
    %2 = aten.add.Tensor(%0, %1, alpha = 2) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %3 = aten.sum.dim_IntList(%2, dim = [1], dtype = f64) : (tensor<2x3xf32>) -> tensor<2xf64>
    ```

    Results are tensors (the elements of a list result each count as one) or run-time scalars.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Registers one op per row of the table.
    void registerOps();
    OpId getOpId(::mlir::TypeID id) const { return opIds.at(id); }

  private:
    ::mlir::TypeIDAllocator typeIds;
    ::llvm::DenseMap<::mlir::TypeID, OpId> opIds;

  public:
  }];
}

//===----------------------------------------------------------------------===//
// How the element type of the result follows
//===----------------------------------------------------------------------===//

class DTypeRule<string text> { string summary = text; }
def Promote : DTypeRule<"torch.result_type of the operands">;
def PromoteFloat : DTypeRule<"result_type of the operands, integers and bool become the default dtype">;
def BoolResult : DTypeRule<"bool">;
def SameAsSelf : DTypeRule<"that of argument 0">;
def SameFloat : DTypeRule<"that of argument 0, which is floating or complex">;
def RealOfSelf : DTypeRule<"that of argument 0; of a complex one its real part's">;
def SumLike : DTypeRule<"argument dtype, else int64 for integers and bool, else that of argument 0">;
def MeanLike : DTypeRule<"argument dtype, else that of argument 0, which must be floating or complex">;
def IndexResult : DTypeRule<"int64">;
def FromArgument : DTypeRule<"argument dtype, else as the shape function says">;
def PerResult : DTypeRule<"the shape function says it for each result">;

//===----------------------------------------------------------------------===//
// Where eager's own answer depends on the processor that it runs on: what it says on which, and
// which of its answers ptc gives on all of them
//===----------------------------------------------------------------------===//

class ProcessorRule<string text> { string summary = text; }
def SameOnAll : ProcessorRule<"the same on all processors">;
def VolumesOf16Bits : ProcessorRule<
    "convolutions of volumes of 16 bits: oneDNN makes results channels-last where the input or the weight is; without AVX-512 it has none for bfloat16, without AVX512-FP16 none for float16, and results are row-major. ptc: channels-last of bfloat16, row-major of float16">;
def GeluOfFloats : ProcessorRule<
    "float32 and bfloat16, with AVX512-FP16 float16, of two elements and more: oneDNN with AVX-512 makes NaN of infinity, with AVX2 it loses the sign of -0.0. ptc: the formula, infinity and -0.0">;

//===----------------------------------------------------------------------===//
// Which shape function computes the results
//===----------------------------------------------------------------------===//

class ShapeRule<string text> { string summary = text; }
def Pointwise : ShapeRule<"operands broadcast together; strides as TensorIterator permutes them">;
def Where : ShapeRule<"as Pointwise; the condition broadcasts but does not promote">;
def MaskedFill : ShapeRule<"the mask broadcasts with argument 0">;
def Copy : ShapeRule<"argument 0, its sizes and strides; src broadcasts to it">;
def Fill : ShapeRule<"argument 0, its sizes and strides">;
def Glu : ShapeRule<"argument 0 with dimension dim halved">;
def Prelu : ShapeRule<"argument 0; weight has one element or one per channel">;
def Reduce : ShapeRule<"dimensions in dim (all if absent) go, or stay as 1 with keepdim">;
def ReduceIndex : ShapeRule<"as Reduce with one dimension; values and int64 indices">;
def ArgReduce : ShapeRule<"one dimension goes, or all">;
def Moment : ShapeRule<"as Reduce; var_mean has two results of these sizes">;
def Norm : ShapeRule<"as Reduce">;
def Scan : ShapeRule<"argument 0">;
def Softmax : ShapeRule<"argument 0">;
def Diff : ShapeRule<"argument 0 with n fewer entries in dim">;
def Sort : ShapeRule<"argument 0, values and int64 indices">;
def TopK : ShapeRule<"argument 0 with k entries in dim, values and int64 indices">;
def SearchSorted : ShapeRule<"the values searched for">;
def Unique : ShapeRule<"one dimension of run-time size; inverse and counts">;
def View : ShapeRule<"exactly the sizes asked for; error if strides do not allow it">;
def ViewDType : ShapeRule<"the last dimension scaled by the ratio of element sizes">;
def Reshape : ShapeRule<"a view where strides allow it, else a contiguous copy">;
def ViewAs : ShapeRule<"the sizes of other">;
def ReshapeAs : ShapeRule<"the sizes of other; a view where strides allow it">;
def Flatten : ShapeRule<
    "dimensions start_dim to end_dim become one; a view where strides allow it">;
def Unflatten : ShapeRule<"dimension dim becomes several">;
def Squeeze : ShapeRule<"dimensions of size 1 go">;
def Unsqueeze : ShapeRule<"a dimension of size 1 comes">;
def Expand : ShapeRule<"sizes of 1 grow with stride 0">;
def ExpandAs : ShapeRule<"as Expand, to the sizes of other">;
def AsStrided : ShapeRule<"sizes, strides and offset as given">;
def Permute : ShapeRule<"dimensions in the order given">;
def Transpose : ShapeRule<"two dimensions change places">;
def MatrixTranspose : ShapeRule<"the last two dimensions change places; numpy_T reverses all">;
def Movedim : ShapeRule<"dimensions move to given places">;
def Select : ShapeRule<"dimension dim goes">;
def Slice : ShapeRule<"dimension dim has ceil((end - start) / step) entries">;
def Narrow : ShapeRule<"dimension dim has length entries">;
def Diagonal : ShapeRule<"two dimensions go, one comes last">;
def Unfold : ShapeRule<"windows of dimension dim come last">;
def Split : ShapeRule<"pieces of split_size along dim">;
def SplitSizes : ShapeRule<"pieces of the given sizes along dim">;
def Chunk : ShapeRule<"at most chunks equal pieces along dim">;
def TensorSplit : ShapeRule<"pieces along dim whose sizes differ by at most 1, or cut at indices">;
def Unbind : ShapeRule<"one select for each entry of dim">;
def Alias : ShapeRule<"argument 0">;
def ViewAsReal : ShapeRule<"a last dimension of 2">;
def ViewAsComplex : ShapeRule<"without the last dimension">;
def Real : ShapeRule<"argument 0; of a complex one a view with doubled strides">;
def Contiguous : ShapeRule<"argument 0, or a copy in memory_format">;
def To : ShapeRule<"argument 0, or a copy of other type or device">;
def ToCopy : ShapeRule<"a copy of other type or device">;
def Clone : ShapeRule<"a copy">;
def Cat : ShapeRule<"sizes along dim add up">;
def Stack : ShapeRule<"a new dimension of as many entries as there are tensors">;
def Repeat : ShapeRule<"sizes times repeats; more leading dimensions allowed">;
def Tile : ShapeRule<"as Repeat with missing leading repeats 1">;
def RepeatInterleave : ShapeRule<"size of dim times repeats, or their sum">;
def Roll : ShapeRule<"argument 0">;
def Flip : ShapeRule<"argument 0">;
def ConstantPad : ShapeRule<"sizes plus padding">;
def Pad : ShapeRule<"sizes plus padding, by mode">;
def Triangle : ShapeRule<"argument 0, two dimensions or more">;
def Diag : ShapeRule<"a vector becomes a square matrix, a matrix its diagonal">;
def DiagEmbed : ShapeRule<"the last dimension becomes a diagonal plane">;
def OneHot : ShapeRule<"a last dimension of num_classes">;
def PixelShuffle : ShapeRule<"channels become pixels by a factor, or the reverse">;
def IndexTensors : ShapeRule<
    "indexed dimensions become the broadcast of the indices; masks count their true elements">;
def IndexSelect : ShapeRule<"dimension dim has one entry per index">;
def Gather : ShapeRule<"the sizes of index">;
def TakeAlongDim : ShapeRule<"dimension dim as in indices, the others broadcast">;
def MaskedSelect : ShapeRule<"one dimension of run-time size">;
def Nonzero : ShapeRule<"run-time size x rank">;
def NonzeroList : ShapeRule<"rank vectors of run-time size">;
def Embedding : ShapeRule<"sizes of indices, then the width of weight">;
def IndexPut : ShapeRule<"argument 0">;
def IndexAdd : ShapeRule<"argument 0">;
def IndexFill : ShapeRule<"argument 0">;
def Scatter : ShapeRule<"argument 0">;
def MaskedScatter : ShapeRule<"argument 0 and mask broadcast together">;
def SliceScatter : ShapeRule<"argument 0; src has the sizes of the slice">;
def SelectScatter : ShapeRule<"argument 0; src has the sizes of the select">;
def DiagonalScatter : ShapeRule<"argument 0; src has the sizes of the diagonal">;
def AsStridedScatter : ShapeRule<"argument 0; src has the given sizes">;
def Mm : ShapeRule<"[n, k] x [k, m]">;
def Bmm : ShapeRule<"[b, n, k] x [b, k, m]">;
def Mv : ShapeRule<"[n, k] x [k]">;
def Dot : ShapeRule<"[n] x [n], no dimensions">;
def Outer : ShapeRule<"[n] x [m]">;
def Addmm : ShapeRule<"as Mm; argument 0 broadcasts to it">;
def Baddbmm : ShapeRule<"as Bmm; argument 0 broadcasts to it">;
def Addmv : ShapeRule<"as Mv; argument 0 broadcasts to it">;
def Matmul : ShapeRule<"as numpy's matmul: vectors, matrices, broadcast batches">;
def Linear : ShapeRule<"[..., k] x [m, k]">;
def Convolution : ShapeRule<
    "batch, channels, then floor((in + 2 pad - dilation (kernel - 1) - 1) / stride) + 1">;
def ConvNd : ShapeRule<"as Convolution; the batch may be absent">;
def ConvNdPadding : ShapeRule<"as ConvNd; padding is a word">;
def ConvTranspose : ShapeRule<"as Convolution with transposed">;
def MaxPool : ShapeRule<"windows of the last dimensions; ceil_mode rounds up">;
def AvgPool : ShapeRule<"windows of the last dimensions; ceil_mode rounds up">;
def AdaptivePool : ShapeRule<"the last dimensions as given">;
def Upsample : ShapeRule<"the last dimensions as given or scaled">;
def LayerNorm : ShapeRule<"argument 0; native also mean and rstd">;
def GroupNorm : ShapeRule<"argument 0">;
def NativeGroupNorm : ShapeRule<"argument 0, mean and rstd per group">;
def RmsNorm : ShapeRule<"argument 0">;
def BatchNorm : ShapeRule<"argument 0">;
def NativeBatchNorm : ShapeRule<"argument 0, mean and inverse deviation per channel">;
def Attention : ShapeRule<"[..., L, width of value]">;
def Dropout : ShapeRule<"argument 0; native also the mask">;
def Loss : ShapeRule<
    "argument 0 and target broadcast together; no dimensions unless reduction is none">;
def Nll : ShapeRule<"sizes of target; no dimensions unless reduction is none">;
def CrossEntropy : ShapeRule<"sizes of target classes; no dimensions unless reduction is none">;
def Factory : ShapeRule<"sizes as given">;
def EmptyStrided : ShapeRule<"sizes and strides as given">;
def FactoryLike : ShapeRule<"sizes of argument 0, strides of it where dense">;
def NewFactory : ShapeRule<"sizes as given; type and device of argument 0">;
def Arange : ShapeRule<"ceil((end - start) / step)">;
def Linspace : ShapeRule<"steps">;
def Eye : ShapeRule<"n x n or n x m">;
def Randperm : ShapeRule<"n">;
def RandomFrom : ShapeRule<"argument 0">;
def Multinomial : ShapeRule<"rows of argument 0, num_samples entries each">;
def Item : ShapeRule<"a run-time scalar">;
def Equal : ShapeRule<"a run-time bool">;

//===----------------------------------------------------------------------===//
// Which element types eager's CPU kernel has; others raise NotImplementedError
// `"<kernel>" not implemented for '<type>'`
//===----------------------------------------------------------------------===//

class TypeSet<list<string> types> { list<string> members = types; } // enumerators of DType.def
defvar Ints = ["UInt8", "Int8", "Int16", "Int32", "Int64"];
defvar Halves = ["Float16", "BFloat16"];
defvar Floats = ["Float32", "Float64"];
defvar Complexes = ["Complex64", "Complex128"];
def AllTypes : TypeSet<["Bool"] # Ints # Halves # Floats # Complexes>;
def NoBool : TypeSet<Ints # Halves # Floats # Complexes>;
def NoComplex : TypeSet<["Bool"] # Ints # Halves # Floats>;
def RealNoBool : TypeSet<Ints # Halves # Floats>;
def Floating : TypeSet<Halves # Floats>;
def FloatingComplex : TypeSet<Halves # Floats # Complexes>;
def FloatingLong : TypeSet<["Int64"] # Halves # Floats>;
def FloatingLongNoHalf : TypeSet<["Int64"] # Floats>;
def FloatingByte : TypeSet<["UInt8"] # Halves # Floats>;
def FloatingComplexLong : TypeSet<["Int64"] # Halves # Floats # Complexes>;
def IntegralBool : TypeSet<["Bool"] # Ints>;
def IntegralOnly : TypeSet<Ints>;

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

// Python spellings: `*` stands for the schema's name without overload.
defvar Fn = ["torch.*"];
defvar Me = ["Tensor.*"];
defvar FM = ["torch.*", "Tensor.*"];

/// One ATen overload. Everything else (C++ class, table row, documentation, in-place name) is
/// derived from the record by tools/gen/aten_table.py.
class AtenOp<string schemaText, DTypeRule dtypes, ShapeRule shapes, list<string> names = FM>
    : Op<Aten_Dialect, !substr(schemaText, 0, !find(schemaText, "("))> {
  /// Verbatim from PyTorch's native_functions.yaml (or what its autogen makes of an in-place form).
  string schema = schemaText;
  DTypeRule dtypeRule = dtypes;
  ShapeRule shapeRule = shapes;
  /// Python names that may mean this overload. Reflected operators whose operands change places
  /// (`2 ** x`) are not here: capture swaps and asks for the plain one.
  list<string> spellings = names;
  /// Names of the in-place form; it writes the result of this overload to argument 0. With
  /// hasInplace, `Tensor.<name>_` is added where `Tensor.<name>` is a spelling.
  list<string> inplaceSpellings = [];
  bit hasInplace = 0;
  /// Schema name of the in-place form where it is not `<name>_.<overload>`.
  string inplaceName = "";
  /// See OpTable.h, OpFlag.
  bit isView = 0;
  bit isMaybeView = 0;
  bit isRandom = 0;
  bit isDataDependent = 0;
  bit isNoGrad = 0;
  bit isMutating = 0;
  bit isHostRead = 0;
  bit takesNumbers = 0;
  bit mayFail = 0;
  /// Of an overload that updates arguments: the overload that gives the new contents as further
  /// results NAME_out instead, and the bool argument without which nothing is updated.
  string valueForm = "";
  string updatesWhen = "";
  /// Arguments that broadcast and take part in type promotion. Empty: the tensors, and numbers
  /// called self, other or exponent.
  list<string> operandNames = [];
  /// Name that eager's kernel has in its "not implemented" message, and the types it takes.
  string kernel = "";
  TypeSet kernelTypes = AllTypes;
  /// See ProcessorRule.
  ProcessorRule byProcessor = SameOnAll;
  /// What one element of the result is: argument names, numbers, and calls of the functions that
  /// lib/Dialect/Aten/README.md lists. Computed in the promoted type of the operands.
  string payload = "";

  let arguments = (ins Variadic<AnyType>:$operands, ArrayAttr:$args);
  let results = (outs Variadic<AnyType>:$results);
}

#endif // PTC_DIALECT_ATEN_IR_ATENBASE_TD
