//===- AtenReduce.td - Reductions, scans, softmax, sorting -------*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENREDUCE_TD
#define PTC_DIALECT_ATEN_IR_ATENREDUCE_TD

include "ptc/Dialect/Aten/IR/AtenBase.td"

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

def SumOp : AtenOp<"sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", SumLike, Reduce>;

def SumDimIntListOp : AtenOp<
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    SumLike, Reduce>;

def MeanOp : AtenOp<"mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", MeanLike, Reduce>;

def MeanDimOp : AtenOp<
    "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    MeanLike, Reduce>;

def ProdOp : AtenOp<"prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", SumLike, Reduce>;

def ProdDimIntOp : AtenOp<
    "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    SumLike, Reduce>;

def CountNonzeroOp : AtenOp<
    "count_nonzero(Tensor self, int? dim=None) -> Tensor",
    IndexResult, Reduce> {
  let isNoGrad = 1;
}

def CountNonzeroDimIntListOp : AtenOp<
    "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor",
    IndexResult, Reduce> {
  let isNoGrad = 1;
}

//===----------------------------------------------------------------------===//
// Order and truth
//===----------------------------------------------------------------------===//

def AmaxOp : AtenOp<
    "amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
    SameAsSelf, Reduce> {
  let kernel = "max_values_cpu";
  let kernelTypes = NoComplex;
}

def AminOp : AtenOp<
    "amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
    SameAsSelf, Reduce> {
  let kernel = "min_values_cpu";
  let kernelTypes = NoComplex;
}

def MaxOp : AtenOp<"max(Tensor self) -> Tensor", SameAsSelf, Reduce> {
  let kernel = "max_all";
  let kernelTypes = NoComplex;
}

def MaxDimOp : AtenOp<
    "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    PerResult, ReduceIndex> {
  let kernelTypes = NoComplex;
}

def MinOp : AtenOp<"min(Tensor self) -> Tensor", SameAsSelf, Reduce> {
  let kernel = "min_all";
  let kernelTypes = NoComplex;
}

def MinDimOp : AtenOp<
    "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    PerResult, ReduceIndex> {
  let kernelTypes = NoComplex;
}

def MedianOp : AtenOp<"median(Tensor self) -> Tensor", SameAsSelf, Reduce> {
  let kernelTypes = RealNoBool;
}

def MedianDimOp : AtenOp<
    "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    PerResult, ReduceIndex> {
  let kernel = "median_out";
  let kernelTypes = RealNoBool;
}

def ArgmaxOp : AtenOp<
    "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
    IndexResult, ArgReduce> {
  let isNoGrad = 1;
  let kernelTypes = RealNoBool;
}

def ArgminOp : AtenOp<
    "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
    IndexResult, ArgReduce> {
  let isNoGrad = 1;
  let kernelTypes = RealNoBool;
}

def AnyOp : AtenOp<"any(Tensor self) -> Tensor", BoolResult, Reduce> {
  let isNoGrad = 1;
}

def AnyDimOp : AtenOp<
    "any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
    BoolResult, Reduce> {
  let isNoGrad = 1;
}

def AnyDimsOp : AtenOp<
    "any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
    BoolResult, Reduce> {
  let isNoGrad = 1;
}

def AllOp : AtenOp<"all(Tensor self) -> Tensor", BoolResult, Reduce> {
  let isNoGrad = 1;
}

def AllDimOp : AtenOp<
    "all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
    BoolResult, Reduce> {
  let isNoGrad = 1;
}

def AllDimsOp : AtenOp<
    "all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
    BoolResult, Reduce> {
  let isNoGrad = 1;
}

//===----------------------------------------------------------------------===//
// Moments and norms
//===----------------------------------------------------------------------===//

def VarOp : AtenOp<"var(Tensor self, bool unbiased=True) -> Tensor", RealOfSelf, Moment>;

def VarDimOp : AtenOp<
    "var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
    RealOfSelf, Moment>;

def VarCorrectionOp : AtenOp<
    "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
    RealOfSelf, Moment>;

def StdOp : AtenOp<"std(Tensor self, bool unbiased=True) -> Tensor", RealOfSelf, Moment>;

def StdDimOp : AtenOp<
    "std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
    RealOfSelf, Moment>;

def StdCorrectionOp : AtenOp<
    "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
    RealOfSelf, Moment>;

def VarMeanCorrectionOp : AtenOp<
    "var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
    PerResult, Moment, Fn>;

def StdMeanCorrectionOp : AtenOp<
    "std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
    PerResult, Moment, Fn>;

def NormScalarOp : AtenOp<"norm.Scalar(Tensor self, Scalar p=2) -> Tensor", RealOfSelf, Norm>;

def NormScalarOptDimOp : AtenOp<
    "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
    RealOfSelf, Norm>;

def LinalgVectorNormOp : AtenOp<
    "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    RealOfSelf, Norm, ["torch.linalg.vector_norm"]>;

def LogsumexpOp : AtenOp<
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    PromoteFloat, Reduce>;

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

def CumsumOp : AtenOp<
    "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    SumLike, Scan> {
  let hasInplace = 1;
}

def CumprodOp : AtenOp<
    "cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    SumLike, Scan> {
  let hasInplace = 1;
}

def LogcumsumexpOp : AtenOp<
    "logcumsumexp(Tensor self, int dim) -> Tensor",
    SameFloat, Scan> {
  let kernel = "logcumsumexp_out_cpu";
  let kernelTypes = FloatingComplex;
}

def DiffOp : AtenOp<
    "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
    SameAsSelf, Diff>;

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

def SoftmaxIntOp : AtenOp<
    "softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    FromArgument, Softmax, FM # ["torch.special.softmax"]>;

def LogSoftmaxIntOp : AtenOp<
    "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    FromArgument, Softmax, FM # ["torch.special.log_softmax"]>;

def InternalSoftmaxOp : AtenOp<
    "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    SameFloat, Softmax, Fn>;

def InternalLogSoftmaxOp : AtenOp<
    "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    SameFloat, Softmax, Fn>;

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

def SortOp : AtenOp<
    "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    PerResult, Sort> {
  let kernelTypes = NoComplex;
}

def SortStableOp : AtenOp<
    "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    PerResult, Sort> {
  let kernelTypes = NoComplex;
}

def ArgsortOp : AtenOp<
    "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
    IndexResult, Sort> {
  let isNoGrad = 1;
  let kernelTypes = NoComplex;
}

def TopkOp : AtenOp<
    "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
    PerResult, TopK> {
  let kernelTypes = RealNoBool;
}

def SearchsortedTensorOp : AtenOp<
    "searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
    FromArgument, SearchSorted, Fn> {
  let isNoGrad = 1;
  let kernel = "searchsorted_out_cpu";
  let kernelTypes = RealNoBool;
}

def BucketizeTensorOp : AtenOp<
    "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    FromArgument, SearchSorted, Fn> {
  let isNoGrad = 1;
  let kernel = "searchsorted_out_cpu";
  let kernelTypes = RealNoBool;
}

def InternalUnique2Op : AtenOp<
    "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
    PerResult, Unique, Fn> {
  let isDataDependent = 1;
  let isNoGrad = 1;
  let kernel = "unique";
  let kernelTypes = NoComplex;
}

#endif // PTC_DIALECT_ATEN_IR_ATENREDUCE_TD
