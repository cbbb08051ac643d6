//===- AtenIndex.td - Joining, repeating, indexing ---------------*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENINDEX_TD
#define PTC_DIALECT_ATEN_IR_ATENINDEX_TD

include "ptc/Dialect/Aten/IR/AtenBase.td"

//===----------------------------------------------------------------------===//
// Joining and repeating
//===----------------------------------------------------------------------===//

def CatOp : AtenOp<
    "cat(Tensor[] tensors, int dim=0) -> Tensor",
    Promote, Cat, Fn # ["torch.concat", "torch.concatenate"]>;

def StackOp : AtenOp<"stack(Tensor[] tensors, int dim=0) -> Tensor", Promote, Stack, Fn>;

def RepeatOp : AtenOp<"repeat(Tensor self, SymInt[] repeats) -> Tensor", SameAsSelf, Repeat, Me>;

def TileOp : AtenOp<"tile(Tensor self, SymInt[] dims) -> Tensor", SameAsSelf, Tile>;

def RepeatInterleaveSelfIntOp : AtenOp<
    "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor",
    SameAsSelf, RepeatInterleave>;

def RepeatInterleaveSelfTensorOp : AtenOp<
    "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor",
    SameAsSelf, RepeatInterleave> {
  let isDataDependent = 1;
  let mayFail = 1;
}

def RollOp : AtenOp<
    "roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor",
    SameAsSelf, Roll>;

def FlipOp : AtenOp<"flip(Tensor self, int[] dims) -> Tensor", SameAsSelf, Flip>;

def ConstantPadNdOp : AtenOp<
    "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor",
    SameAsSelf, ConstantPad, Fn>;

def PadOp : AtenOp<
    "pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor",
    SameAsSelf, Pad, ["torch._C._nn.*", "torch.nn.functional.*"]>;

def TrilOp : AtenOp<"tril(Tensor self, SymInt diagonal=0) -> Tensor", SameAsSelf, Triangle> {
  let hasInplace = 1;
}

def TriuOp : AtenOp<"triu(Tensor self, SymInt diagonal=0) -> Tensor", SameAsSelf, Triangle> {
  let hasInplace = 1;
}

def DiagOp : AtenOp<"diag(Tensor self, int diagonal=0) -> Tensor", SameAsSelf, Diag>;

def DiagEmbedOp : AtenOp<
    "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
    SameAsSelf, DiagEmbed>;

def OneHotOp : AtenOp<
    "one_hot(Tensor self, int num_classes=-1) -> Tensor",
    IndexResult, OneHot, ["torch.nn.functional.one_hot"]> {
  let isDataDependent = 1;
  let isNoGrad = 1;
  let mayFail = 1;
}

def PixelShuffleOp : AtenOp<
    "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
    SameAsSelf, PixelShuffle, Fn # ["torch.nn.functional.*"]>;

def PixelUnshuffleOp : AtenOp<
    "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
    SameAsSelf, PixelShuffle, Fn # ["torch.nn.functional.*"]>;

//===----------------------------------------------------------------------===//
// Reading by index
//===----------------------------------------------------------------------===//

def IndexTensorOp : AtenOp<
    "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
    SameAsSelf, IndexTensors, []> {
  let isDataDependent = 1;
  let mayFail = 1;
}

def IndexSelectOp : AtenOp<
    "index_select(Tensor self, int dim, Tensor index) -> Tensor",
    SameAsSelf, IndexSelect> {
  let mayFail = 1;
}

def GatherOp : AtenOp<
    "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
    SameAsSelf, Gather> {
  let mayFail = 1;
}

def TakeAlongDimOp : AtenOp<
    "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
    SameAsSelf, TakeAlongDim> {
  let mayFail = 1;
}

def MaskedSelectOp : AtenOp<
    "masked_select(Tensor self, Tensor mask) -> Tensor",
    SameAsSelf, MaskedSelect> {
  let isDataDependent = 1;
}

def NonzeroOp : AtenOp<"nonzero(Tensor self) -> Tensor", IndexResult, Nonzero> {
  let isDataDependent = 1;
  let isNoGrad = 1;
}

def ArgwhereOp : AtenOp<"argwhere(Tensor self) -> Tensor", IndexResult, Nonzero> {
  let isDataDependent = 1;
  let isNoGrad = 1;
}

def WhereOp : AtenOp<"where(Tensor condition) -> Tensor[]", IndexResult, NonzeroList, Fn> {
  let isDataDependent = 1;
  let isNoGrad = 1;
}

def EmbeddingOp : AtenOp<
    "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
    SameAsSelf, Embedding, Fn> {
  let mayFail = 1;
}

//===----------------------------------------------------------------------===//
// Writing by index
//===----------------------------------------------------------------------===//

def IndexPutOp : AtenOp<
    "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    SameAsSelf, IndexPut> {
  let hasInplace = 1;
  let mayFail = 1;
}

def IndexAddOp : AtenOp<
    "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
    SameAsSelf, IndexAdd> {
  let hasInplace = 1;
  let mayFail = 1;
}

def IndexCopyOp : AtenOp<
    "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
    SameAsSelf, IndexAdd> {
  let hasInplace = 1;
  let mayFail = 1;
}

def IndexFillIntScalarOp : AtenOp<
    "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    SameAsSelf, IndexFill> {
  let hasInplace = 1;
  let mayFail = 1;
}

def IndexFillIntTensorOp : AtenOp<
    "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
    SameAsSelf, IndexFill> {
  let hasInplace = 1;
  let mayFail = 1;
}

def ScatterSrcOp : AtenOp<
    "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    SameAsSelf, Scatter> {
  let hasInplace = 1;
  let mayFail = 1;
}

def ScatterValueOp : AtenOp<
    "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    SameAsSelf, Scatter> {
  let hasInplace = 1;
  let mayFail = 1;
}

def ScatterAddOp : AtenOp<
    "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    SameAsSelf, Scatter> {
  let hasInplace = 1;
  let mayFail = 1;
}

def ScatterReduceTwoOp : AtenOp<
    "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor",
    SameAsSelf, Scatter> {
  let hasInplace = 1;
  let mayFail = 1;
}

def MaskedScatterOp : AtenOp<
    "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
    SameAsSelf, MaskedScatter> {
  let hasInplace = 1;
  let mayFail = 1;
}

def SliceScatterOp : AtenOp<
    "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
    SameAsSelf, SliceScatter>;

def SelectScatterOp : AtenOp<
    "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
    SameAsSelf, SelectScatter>;

def DiagonalScatterOp : AtenOp<
    "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    SameAsSelf, DiagonalScatter>;

def AsStridedScatterOp : AtenOp<
    "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
    SameAsSelf, AsStridedScatter>;

#endif // PTC_DIALECT_ATEN_IR_ATENINDEX_TD
