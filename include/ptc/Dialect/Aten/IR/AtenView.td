//===- AtenView.td - Views: results that share storage with argument 0 -*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENVIEW_TD
#define PTC_DIALECT_ATEN_IR_ATENVIEW_TD

include "ptc/Dialect/Aten/IR/AtenBase.td"

//===----------------------------------------------------------------------===//
// Sizes changed
//===----------------------------------------------------------------------===//

def ViewOp : AtenOp<"view(Tensor(a) self, SymInt[] size) -> Tensor(a)", SameAsSelf, View, Me> {
  let isView = 1;
}

def ViewDtypeOp : AtenOp<
    "view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)",
    FromArgument, ViewDType, Me> {
  let isView = 1;
  let isNoGrad = 1;
}

def InternalUnsafeViewOp : AtenOp<
    "_unsafe_view(Tensor self, SymInt[] size) -> Tensor",
    SameAsSelf, View, []>;

def ReshapeOp : AtenOp<
    "reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
    SameAsSelf, Reshape> {
  let isMaybeView = 1;
}

def ViewAsOp : AtenOp<
    "view_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    SameAsSelf, ViewAs, Me> {
  let isView = 1;
}

def ReshapeAsOp : AtenOp<
    "reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    SameAsSelf, ReshapeAs, Me> {
  let isMaybeView = 1;
}

def FlattenUsingIntsOp : AtenOp<
    "flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
    SameAsSelf, Flatten> {
  let isMaybeView = 1;
}

def RavelOp : AtenOp<"ravel(Tensor(a) self) -> Tensor(a)", SameAsSelf, Flatten> {
  let isMaybeView = 1;
}

def UnflattenIntOp : AtenOp<
    "unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)",
    SameAsSelf, Unflatten> {
  let isView = 1;
}

def SqueezeOp : AtenOp<"squeeze(Tensor(a) self) -> Tensor(a)", SameAsSelf, Squeeze> {
  let hasInplace = 1;
  let isView = 1;
}

def SqueezeDimOp : AtenOp<
    "squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)",
    SameAsSelf, Squeeze> {
  let hasInplace = 1;
  let isView = 1;
}

def SqueezeDimsOp : AtenOp<
    "squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)",
    SameAsSelf, Squeeze> {
  let hasInplace = 1;
  let isView = 1;
}

def UnsqueezeOp : AtenOp<"unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", SameAsSelf, Unsqueeze> {
  let hasInplace = 1;
  let isView = 1;
}

def ExpandOp : AtenOp<
    "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
    SameAsSelf, Expand, Me> {
  let isView = 1;
}

def ExpandAsOp : AtenOp<
    "expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    SameAsSelf, ExpandAs, Me> {
  let isView = 1;
}

def BroadcastToOp : AtenOp<
    "broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)",
    SameAsSelf, Expand> {
  let isView = 1;
}

def AsStridedOp : AtenOp<
    "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)",
    SameAsSelf, AsStrided> {
  let hasInplace = 1;
  let isView = 1;
}

//===----------------------------------------------------------------------===//
// Dimensions permuted
//===----------------------------------------------------------------------===//

def PermuteOp : AtenOp<"permute(Tensor(a) self, int[] dims) -> Tensor(a)", SameAsSelf, Permute> {
  let isView = 1;
}

def TransposeIntOp : AtenOp<
    "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
    SameAsSelf, Transpose, FM # ["torch.swapaxes", "Tensor.swapaxes", "torch.swapdims", "Tensor.swapdims"]> {
  let hasInplace = 1;
  let inplaceName = "transpose_";
  let isView = 1;
}

def TOp : AtenOp<"t(Tensor(a) self) -> Tensor(a)", SameAsSelf, MatrixTranspose> {
  let hasInplace = 1;
  let isView = 1;
}

def NumpyTOp : AtenOp<
    "numpy_T(Tensor(a) self) -> Tensor(a)",
    SameAsSelf, MatrixTranspose, ["Tensor.T"]> {
  let isView = 1;
}

def MTOp : AtenOp<"mT(Tensor(a) self) -> Tensor(a)", SameAsSelf, MatrixTranspose, ["Tensor.mT"]> {
  let isView = 1;
}

def MovedimIntlistOp : AtenOp<
    "movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
    SameAsSelf, Movedim, FM # ["torch.moveaxis", "Tensor.moveaxis"]> {
  let isView = 1;
}

def MovedimIntOp : AtenOp<
    "movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)",
    SameAsSelf, Movedim, FM # ["torch.moveaxis", "Tensor.moveaxis"]> {
  let isView = 1;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

def SelectIntOp : AtenOp<
    "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
    SameAsSelf, Select> {
  let isView = 1;
}

def SliceTensorOp : AtenOp<
    "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)",
    SameAsSelf, Slice, []> {
  let isView = 1;
}

def NarrowOp : AtenOp<
    "narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)",
    SameAsSelf, Narrow> {
  let isView = 1;
}

def DiagonalOp : AtenOp<
    "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
    SameAsSelf, Diagonal> {
  let isView = 1;
}

def UnfoldOp : AtenOp<
    "unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
    SameAsSelf, Unfold, Me> {
  let isView = 1;
}

def SplitTensorOp : AtenOp<
    "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
    SameAsSelf, Split> {
  let isView = 1;
}

def SplitSizesOp : AtenOp<
    "split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
    SameAsSelf, SplitSizes> {
  let isView = 1;
}

def SplitWithSizesOp : AtenOp<
    "split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
    SameAsSelf, SplitSizes> {
  let isView = 1;
}

def ChunkOp : AtenOp<
    "chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
    SameAsSelf, Chunk> {
  let isView = 1;
}

def TensorSplitSectionsOp : AtenOp<
    "tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
    SameAsSelf, TensorSplit> {
  let isView = 1;
}

def TensorSplitIndicesOp : AtenOp<
    "tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
    SameAsSelf, TensorSplit> {
  let isView = 1;
}

def UnbindIntOp : AtenOp<
    "unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]",
    SameAsSelf, Unbind> {
  let isView = 1;
}

//===----------------------------------------------------------------------===//
// The same elements
//===----------------------------------------------------------------------===//

def AliasOp : AtenOp<"alias(Tensor(a) self) -> Tensor(a)", SameAsSelf, Alias> {
  let isView = 1;
}

def DetachOp : AtenOp<"detach(Tensor(a) self) -> Tensor(a)", SameAsSelf, Alias> {
  let hasInplace = 1;
  let isView = 1;
  let isNoGrad = 1;
}

def ViewAsRealOp : AtenOp<"view_as_real(Tensor(a) self) -> Tensor(a)", PerResult, ViewAsReal, Fn> {
  let isView = 1;
}

def ViewAsComplexOp : AtenOp<
    "view_as_complex(Tensor(a) self) -> Tensor(a)",
    PerResult, ViewAsComplex, Fn> {
  let isView = 1;
}

def RealOp : AtenOp<"real(Tensor(a) self) -> Tensor(a)", PerResult, Real, Fn> {
  let isMaybeView = 1;
}

def ImagOp : AtenOp<"imag(Tensor(a) self) -> Tensor(a)", PerResult, Real, Fn> {
  let isView = 1;
}

//===----------------------------------------------------------------------===//
// Conversion: the tensor itself or a copy
//===----------------------------------------------------------------------===//

def ContiguousOp : AtenOp<
    "contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
    SameAsSelf, Contiguous, Me> {
  let isMaybeView = 1;
}

def ToDtypeOp : AtenOp<
    "to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
    FromArgument, To, Me> {
  let isMaybeView = 1;
}

def ToDeviceOp : AtenOp<
    "to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
    FromArgument, To, Me> {
  let isMaybeView = 1;
}

def ToDtypeLayoutOp : AtenOp<
    "to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
    FromArgument, To, Me> {
  let isMaybeView = 1;
}

def ToOtherOp : AtenOp<
    "to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
    FromArgument, To, Me> {
  let isMaybeView = 1;
}

def TypeAsOp : AtenOp<"type_as(Tensor self, Tensor other) -> Tensor", FromArgument, To, Me> {
  let isMaybeView = 1;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

def InternalToCopyOp : AtenOp<
    "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, ToCopy, Fn>;

def CloneOp : AtenOp<
    "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
    SameAsSelf, Clone>;

def LiftFreshCopyOp : AtenOp<"lift_fresh_copy(Tensor self) -> Tensor", SameAsSelf, Clone, []>;

#endif // PTC_DIALECT_ATEN_IR_ATENVIEW_TD
