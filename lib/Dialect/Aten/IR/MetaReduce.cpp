//===- MetaReduce.cpp - Shape functions of reductions, scans and sorting -----===//
//
// In: argument 0, dimensions, keepdim. Out: contiguous results as eager's reductions allocate them.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "ptc/Dialect/Aten/IR/NormTexts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

Exprs ptc::aten::reducedSizes(Inference &inf, const TensorMeta &t, llvm::ArrayRef<bool> mask,
                              bool keepdim) {
  Exprs sizes;
  for (int64_t d = 0; d < t.dim(); ++d) {
    if (!mask[d])
      sizes.push_back(t.sizes[d]);
    else if (keepdim)
      sizes.push_back(inf.constant(1));
  }
  return sizes;
}

/// The dimensions that `dim` names; all if it is absent, None or (but for any and all) empty.
static llvm::SmallVector<bool, 8> reducedDims(Inference &inf) {
  int64_t rank = inf.self().dim();
  llvm::SmallVector<bool, 8> all(rank, true);
  if (!inf.hasArg("dim") || inf.isNone("dim"))
    return all;
  if (inf.arg("dim").is<ArgValue::Int>())
    return inf.dimMask({inf.intValue("dim")}, rank);
  llvm::SmallVector<int64_t, 4> dims = inf.intList("dim");
  bool isLogical = inf.op.dtypeRule == DTypeRule::BoolResult;
  return dims.empty() && !isLogical ? all : inf.dimMask(dims, rank);
}

static bool keepdimArg(Inference &inf) { return inf.hasArg("keepdim") && inf.boolValue("keepdim"); }

static DType reducedType(Inference &inf) {
  DType self = inf.self().dtype;
  std::optional<DType> given = inf.hasArg("dtype") ? inf.dtypeArg() : std::nullopt;
  bool isIntegral = isInteger(self) || isBool(self);
  switch (inf.op.dtypeRule) {
  case DTypeRule::SumLike:
    return given.value_or(isIntegral ? DType::Int64 : self);
  case DTypeRule::MeanLike: {
    DType result = given.value_or(self);
    if (!isFloat(result) && !isComplex(result))
      inf.raise("mean(): could not infer output dtype. {0} dtype must be either a floating point "
                "or complex dtype. Got: {1}",
                given ? "Optional" : "Input", scalarTypeName(result));
    return result;
  }
  case DTypeRule::BoolResult:
    // Reductions of bytes answer in bytes.
    return self == DType::UInt8 ? DType::UInt8 : DType::Bool;
  case DTypeRule::IndexResult:
    return DType::Int64;
  case DTypeRule::PromoteFloat:
    return isIntegral ? inf.ctx.defaultDType() : self;
  default:
    return self;
  }
}

/// Order statistics have no identity: the reduced dimensions must not be empty.
static void checkNotEmpty(Inference &inf, PyErrorKind kindOfAll) {
  const TensorMeta &self = inf.self();
  if (!llvm::any_of(self.sizes, [](Expr e) { return e.isZero(); }))
    return;
  llvm::SmallVector<int64_t, 4> dims;
  if (inf.hasArg("dim") && !inf.isNone("dim"))
    dims = inf.arg("dim").is<ArgValue::Int>() ? decltype(dims){inf.intValue("dim")}
                                              : inf.intList("dim");
  if (dims.empty())
    return inf.raiseAs(kindOfAll,
                       "{0}(): Expected reduction dim to be specified for input.numel() == 0.{1}",
                       inf.op.baseName(),
                       kindOfAll == PyErrorKind::IndexError
                           ? ""
                           : " Specify the reduction dim with the 'dim' argument.");
  for (int64_t dim : dims)
    if (int64_t d = inf.wrapDim(dim, self.dim()); !inf.failed() && self.sizes[d].isZero())
      return inf.raiseAs(PyErrorKind::IndexError,
                         "{0}(): Expected reduction dim {1} to have non-zero size.",
                         inf.op.baseName(), d);
}

static bool isOrderStatistic(OpId id) {
  switch (id) {
  case OpId::amax:
  case OpId::amin:
  case OpId::max:
  case OpId::min:
  case OpId::max_dim:
  case OpId::min_dim:
  case OpId::median_dim:
  case OpId::argmax:
  case OpId::argmin:
    return true;
  default: // sums, products, truth: an empty reduction has a value
    return false;
  }
}

/// Mask and keepdim checked; the sizes of the result.
static Exprs resultSizes(Inference &inf) {
  bool isArg = inf.op.id == OpId::argmax || inf.op.id == OpId::argmin;
  if (inf.op.id == OpId::median && inf.isVacant(inf.self())) // NaN
    inf.acceptKernel();
  inf.checkKernel(inf.self().dtype);
  if (isArg) // the type before the dimension
    inf.settle();
  if (isOrderStatistic(inf.op.id))
    checkNotEmpty(inf, isArg ? PyErrorKind::IndexError : PyErrorKind::RuntimeError);
  llvm::SmallVector<bool, 8> mask = reducedDims(inf);
  return inf.failed() ? Exprs() : reducedSizes(inf, inf.self(), mask, keepdimArg(inf));
}

void ptc::aten::inferReduce(Inference &inf) {
  DType dtype = reducedType(inf);
  Exprs sizes = resultSizes(inf);
  // Eager reduces to sizes that it keeps, and then cannot write them.
  if (inf.op.id == OpId::logsumexp && inf.exprList("dim").empty() && inf.self().dim() > 0 &&
      !keepdimArg(inf) && llvm::none_of(inf.self().sizes, [](Expr e) { return e.isZero(); }))
    return inf.raise("output with shape [] doesn't match the broadcast shape {0}",
                     inf.str(Exprs(inf.self().dim(), inf.constant(1))));
  if (!inf.failed())
    inf.add(inf.make(dtype, sizes));
}

void ptc::aten::inferReduceIndex(Inference &inf) {
  Exprs sizes = resultSizes(inf);
  if (inf.failed())
    return;
  inf.add(inf.make(inf.self().dtype, sizes));
  inf.add(inf.make(DType::Int64, sizes));
}

void ptc::aten::inferArgReduce(Inference &inf) { inferReduce(inf); }

void ptc::aten::inferMoment(Inference &inf) {
  DType self = inf.self().dtype;
  if (!isFloat(self) && !isComplex(self))
    return inf.raise("{0} only support floating point and complex dtypes",
                     inf.op.returns.size() == 2 ? inf.op.baseName() : "std and var");
  Exprs sizes = resultSizes(inf);
  if (inf.failed())
    return;
  if (inf.hasArg("correction") && inf.arg("correction").is<ArgValue::Complex>())
    return inf.raise("value cannot be converted to type double without overflow");
  inf.add(inf.make(toReal(self), sizes));
  if (inf.op.returns.size() == 2)
    inf.add(inf.make(self, sizes));
}

static constexpr llvm::StringLiteral kNormWhy = "the norm of nothing";

static void checkHasElements(Inference &inf) {
  std::optional<double> order = inf.floatValue(inf.hasArg("ord") ? "ord" : "p");
  if (inf.failed() || !order || !needsElements(*order))
    return;
  const TensorMeta &self = inf.self();
  bool isAll = !inf.hasArg("dim") || inf.isNone("dim") || inf.exprList("dim").empty();
  if (isAll && inf.isEqual(numel(inf.sym, self), 0, kNormWhy))
    return inf.raise("{0}", noElementsText(*order, std::nullopt));
  for (auto [d, isReduced] : llvm::enumerate(reducedDims(inf)))
    if (!isAll && isReduced && inf.isEqual(self.sizes[d], 0, kNormWhy))
      return inf.raise("{0}", noElementsText(*order, int64_t(d)));
}

void ptc::aten::inferNorm(Inference &inf) {
  DType dtype = inf.self().dtype;
  if (!isFloat(dtype) && !isComplex(dtype))
    return inf.op.baseName() == "norm"
               ? inf.raise("norm(): input dtype should be either floating point or complex. Got "
                           "{0} instead.",
                           scalarTypeName(dtype))
               : inf.raise("linalg.vector_norm: Expected a floating point or complex tensor as "
                           "input. Got {0}",
                           scalarTypeName(dtype));
  if (inf.hasArg("dtype")) {
    DType given = inf.dtypeArg().value_or(dtype);
    if (isComplex(given) != isComplex(dtype))
      return inf.raise("linalg.vector_norm: dtype should be {0} for {0} inputs, but got {1}",
                       isComplex(dtype) ? "complex" : "real", scalarTypeName(given));
    if (promoteTypes(given, dtype) != given)
      return inf.raise("linalg.vector_norm: the dtype of the input ({0}) should be convertible "
                       "without narrowing to the specified dtype ({1})",
                       scalarTypeName(dtype), scalarTypeName(given));
    dtype = given;
  }
  Exprs sizes = resultSizes(inf);
  checkHasElements(inf);
  if (!inf.failed())
    inf.add(inf.make(toReal(dtype), sizes));
  for (llvm::StringRef name : {"p", "ord"})
    if (inf.hasArg(name) && inf.arg(name).is<ArgValue::Complex>())
      inf.unsupported("a complex order of a norm");
}

//===----------------------------------------------------------------------===//
// Scans and softmax
//===----------------------------------------------------------------------===//

void ptc::aten::inferScan(Inference &inf) {
  inf.wrapDim(inf.intValue("dim"), inf.self().dim());
  DType dtype = reducedType(inf);
  if (isBool(dtype) && inf.self().dim() > 0 && !inf.isEmpty(inf.self())) // one element is copied
    inf.refuse(inf.op.baseName().str() + "_out_cpu", dtype);
  inf.add(inf.make(dtype, inf.self().sizes));
}

void ptc::aten::inferSoftmax(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  DType dtype = self.dtype;
  if (inf.hasArg("dtype"))
    dtype = inf.dtypeArg().value_or(dtype);
  if (inf.hasArg("half_to_float") && inf.boolValue("half_to_float"))
    return inf.raise("softmax with half to float conversion is not supported on CPU");
  if (inf.failed())
    return;
  if (!isFloat(dtype)) {
    bool isLast = dim + 1 >= self.dim();
    inf.refuse((inf.op.baseName().ltrim('_') + (isLast ? "_lastdim" : "") + "_kernel_impl").str(),
               dtype);
  }
  inf.add(inf.make(dtype, self.sizes));
}

void ptc::aten::inferDiff(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t n = inf.intValue("n");
  if (self.dim() == 0)
    return inf.raise("diff expects input to be at least one-dimensional");
  if (n < 0)
    return inf.raise("order must be non-negative but got {0}", n);
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  if (inf.failed())
    return;
  if (!inf.isNone("prepend") || !inf.isNone("append"))
    return inf.unsupported("diff with prepend or append; concatenate first");
  if (self.sizes[dim].isZero())
    return inf.addSame(self);
  Expr left = inf.sym.sub(self.sizes[dim], inf.constant(n));
  TensorMeta part = self;
  part.sizes[dim] = inf.isLess(left, inf.constant(0), "diff") ? inf.constant(0) : left;
  Exprs strides = n == 0 ? inf.likeStrides(self) : inf.iteratorStrides(part.sizes, {&part, &part});
  inf.add(inf.make(self.dtype, part.sizes, strides));
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

void ptc::aten::inferSort(Inference &inf) {
  const TensorMeta &self = inf.self();
  inf.wrapDim(inf.intValue("dim"), self.dim());
  inf.checkKernel(self.dtype);
  if (inf.failed())
    return;
  Exprs strides = inf.likeStrides(self);
  if (inf.op.returns.size() == 2)
    inf.add(inf.make(self.dtype, self.sizes, strides));
  inf.add(inf.make(DType::Int64, self.sizes, strides));
}

void ptc::aten::inferTopK(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t dim = inf.wrapDim(inf.intValue("dim"), self.dim());
  Expr k = inf.intExpr("k");
  if (inf.failed())
    return;
  Expr size = self.dim() ? self.sizes[dim] : inf.constant(1);
  if (inf.isLess(k, inf.constant(0), "topk") || inf.isLess(size, k, "topk"))
    return inf.raise("selected index k out of range");
  if (self.dim() == 0 && !k.isOne())
    return inf.unsupported("topk of a scalar for no elements");
  inf.checkKernel(self.dtype);
  Exprs sizes = self.sizes;
  if (self.dim())
    sizes[dim] = k;
  inf.add(inf.make(self.dtype, sizes));
  inf.add(inf.make(DType::Int64, sizes));
}

void ptc::aten::inferSearchSorted(Inference &inf) {
  bool isBucketize = inf.op.baseName() == "bucketize";
  if (inf.hasArg("side") && !inf.isNone("side")) {
    llvm::StringRef side = inf.strValue("side");
    if (side != "left" && side != "right")
      return inf.raise("torch.searchsorted(): side can only be 'left' or 'right' but got {0}",
                       side);
    if (side == "left" && inf.boolValue("right"))
      return inf.raise("torch.searchsorted(): side and right can't be set to opposites, got side "
                       "of left while right was True");
  }
  const TensorMeta *values = isBucketize ? &inf.self() : inf.tensor("self");
  const TensorMeta *bounds = isBucketize ? inf.tensor("boundaries") : &inf.self();
  if (isBucketize && bounds->dim() != 1)
    return inf.raise("boundaries tensor must be 1 dimension, but got dim({0})", bounds->dim());
  bool fits = bounds->dim() == 1;
  if (!fits && bounds->dim() == values->dim() && bounds->dim() > 0)
    fits = inf.sameSizes(llvm::ArrayRef(bounds->sizes).drop_back(),
                         llvm::ArrayRef(values->sizes).drop_back(), "searchsorted");
  if (inf.failed())
    return;
  if (!fits)
    return inf.raise("torch.searchsorted(): boundaries tensor should be 1 dimension or the first "
                     "N-1 dimensions of boundaries tensor and input value tensor must match, but "
                     "we got boundaries tensor {0} and input value tensor {1}",
                     inf.str(bounds->sizes), inf.str(values->sizes));
  inf.checkKernel(promoteTypes(bounds->dtype, values->dtype));
  inf.add(inf.make(inf.boolValue("out_int32") ? DType::Int32 : DType::Int64, values->sizes));
}

void ptc::aten::inferUnique(Inference &inf) {
  const TensorMeta &self = inf.self();
  bool inverse = inf.boolValue("return_inverse"), counts = inf.boolValue("return_counts");
  Expr count = numel(inf.sym, self);
  bool isEmpty = inf.isEqual(count, 0, "number of unique values");
  if (inf.failed())
    return;
  Expr unique =
      isEmpty ? inf.constant(0) : inf.ctx.freshUnbacked(1, count, "number of unique values");
  Exprs none{inf.constant(0)};
  inf.add(inf.make(self.dtype, {unique}));
  inf.add(inf.make(DType::Int64, inverse ? self.sizes : none));
  inf.add(inf.make(DType::Int64, counts ? Exprs{unique} : none));
}
