//===- MetaConv.cpp - Shape functions of convolution, pooling, resizing ------===//
//
// In: images [N, C, spatial…] or without N, kernel parameters. Out: the sizes by eager's formulas;
// channels-last where an input is.
//
//===----------------------------------------------------------------------===//
#include "ViewGeometry.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

namespace {
struct ConvParams {
  Exprs stride, padding, dilation, outputPadding;
  bool transposed = false;
  Expr groups;
};
} // namespace

static Expr plus(Inference &inf, Expr a, int64_t b) { return inf.sym.add(a, inf.constant(b)); }

/// dilation * (kernel - 1) + 1.
static Expr extent(Inference &inf, Expr kernel, Expr dilation) {
  return plus(inf, inf.sym.mul(dilation, plus(inf, kernel, -1)), 1);
}

static std::string sizeText(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  std::string text = "(";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i ? " x " : "") + inf.str(sizes[i]);
  return text + ")";
}

static Exprs spread(llvm::ArrayRef<Expr> values, size_t rank) {
  return values.size() == 1 ? Exprs(rank, values.front()) : Exprs(values);
}

/// Dimensions after batch and channels.
static Exprs convolvedSizes(Inference &inf, const TensorMeta &input, const TensorMeta &weight,
                            const ConvParams &p) {
  Exprs sizes;
  for (size_t i = 0; i + 2 < input.sizes.size(); ++i) {
    Expr in = input.sizes[i + 2];
    Expr window = extent(inf, weight.sizes[i + 2], p.dilation[i]);
    Expr pad = inf.sym.mul(inf.constant(2), p.padding[i]);
    if (p.transposed) {
      Expr out = inf.sym.mul(plus(inf, in, -1), p.stride[i]);
      out = inf.sym.add(inf.sym.sub(out, pad), inf.sym.add(window, p.outputPadding[i]));
      sizes.push_back(out);
      continue;
    }
    Expr padded = inf.sym.add(in, pad);
    sizes.push_back(plus(inf, inf.sym.floordiv(inf.sym.sub(padded, window), p.stride[i]), 1));
  }
  return sizes;
}

static constexpr llvm::StringLiteral kNothing = "a size of 0";

static bool isAnyZero(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  return llvm::any_of(sizes, [&](Expr size) { return inf.isEqual(size, 0, kNothing); });
}

static void checkKernelFits(Inference &inf, const TensorMeta &input, const TensorMeta &weight,
                            const ConvParams &p) {
  Exprs padded, windows;
  bool fits = true;
  for (size_t i = 0; i + 2 < input.sizes.size(); ++i) {
    padded.push_back(inf.sym.add(input.sizes[i + 2], inf.sym.mul(inf.constant(2), p.padding[i])));
    windows.push_back(extent(inf, weight.sizes[i + 2], p.dilation[i]));
    fits &= inf.isTrue(Cmp::LE, windows[i], padded[i], "the kernel fits the input");
  }
  if (!fits)
    inf.raise("Calculated padded input size per channel: {0}. Kernel size: {1}. Kernel size can't "
              "be greater than actual input size",
              sizeText(inf, padded), sizeText(inf, windows));
}

static bool areAll(Inference &inf, llvm::ArrayRef<Expr> values, int64_t least) {
  return llvm::all_of(values, [&](Expr e) {
    return !inf.isLess(e, inf.constant(least), "parameters of a convolution");
  });
}

/// One number for each spatial dimension, within what eager allows.
static bool checkConvParams(Inference &inf, const ConvParams &p, size_t rank) {
  std::pair<llvm::StringLiteral, const Exprs *> lists[] = {{"stride", &p.stride},
                                                           {"padding", &p.padding},
                                                           {"dilation", &p.dilation},
                                                           {"output_padding", &p.outputPadding}};
  for (auto [name, list] : lists)
    if (list->size() != rank)
      inf.raise("expected {0} to be a single integer value or a list of {1} values to match the "
                "convolution dimensions, but got {0}={2}",
                name, rank, inf.str(*list));
  if (inf.failed())
    return false;
  if (!areAll(inf, p.padding, 0))
    inf.raise("negative padding is not supported");
  else if (!areAll(inf, p.outputPadding, 0))
    inf.raise("negative output_padding is not supported");
  else if (!areAll(inf, p.stride, 1))
    inf.raise("non-positive stride is not supported");
  else if (!areAll(inf, p.dilation, 1))
    inf.raise("dilation should be greater than zero, but got {0}", inf.str(p.dilation));
  for (size_t i = 0; p.transposed && i < rank; ++i)
    if (!inf.isLess(p.outputPadding[i], inf.sym.max(p.stride[i], p.dilation[i]),
                    "parameters of a convolution"))
      inf.raise("output padding must be smaller than either stride or dilation");
  return !inf.failed();
}

/// Groups divide the weight's first dimension.
static bool checkGroups(Inference &inf, const TensorMeta &weight, Expr groups) {
  constexpr llvm::StringLiteral why = "groups of a convolution";
  if (!inf.isLess(inf.constant(0), groups, why))
    inf.raise("non-positive groups is not supported");
  else if (inf.isLess(weight.sizes[0], groups, why))
    inf.raise("Given groups={0}, expected weight to be at least {0} at dimension 0, but got weight "
              "of size {1} instead",
              inf.str(groups), inf.str(weight.sizes));
  else if (!inf.isEqual(inf.sym.mod(weight.sizes[0], groups), 0, why))
    inf.raise("Given groups={0}, expected weight to be divisible by {0} at dimension 0, but got "
              "weight of size [{1}] instead",
              inf.str(groups), inf.str(weight.sizes));
  return !inf.failed();
}

/// The kernel that eager chooses looks at the input's type before it reads the weight. Complex
/// convolutions but `convolution` itself are made of real ones.
static void refuseConvolved(Inference &inf, DType dtype, const ConvParams &p) {
  bool isDilated = llvm::any_of(p.dilation, [](Expr e) { return !e.isOne(); });
  bool isComposed = isComplex(dtype) && inf.op.id != OpId::convolution;
  if (isFloat(dtype) || dtype == DType::Int64 || isComposed ||
      (isInteger(dtype) && !isDilated && !p.transposed))
    return;
  std::string rank = p.dilation.size() > 2 ? "3d" : "2d";
  if (p.transposed)
    inf.refuse("slow_conv_transpose" + rank + "_out_cpu", dtype);
  else if (isDilated)
    inf.refuse("slow_conv_dilated<>", dtype);
  else
    inf.refuse(rank == "3d" ? "compute_columns3d" : "slow_conv2d_cpu", dtype);
}

static bool checkConvolution(Inference &inf, const TensorMeta &input, const TensorMeta &weight,
                             const ConvParams &p) {
  if (input.dim() != weight.dim()) {
    inf.raise("Expected {0}-dimensional input for {0}-dimensional weight {1}, but got "
              "{2}-dimensional input of size {3} instead",
              weight.dim(), inf.str(weight.sizes), input.dim(), inf.str(input.sizes));
    return false;
  }
  refuseConvolved(inf, input.dtype, p);
  const TensorMeta *bias = inf.tensor("bias");
  if (input.dtype != weight.dtype) {
    inf.settle();
    // oneDNN's kernels, which do not take the other types, say more.
    inf.raise("expected scalar type {0} but found {1}", scalarTypeName(input.dtype),
              scalarTypeName(weight.dtype));
    return false;
  }
  if (!checkGroups(inf, weight, p.groups))
    return false;
  Expr channels = p.transposed ? weight.sizes[0] : inf.sym.mul(weight.sizes[1], p.groups);
  if (!inf.isEqual(input.sizes[1], channels, "channels of a convolution")) {
    inf.raise("Given {0}, weight of size {1}, expected input{2} to have {3} channels, but got {4} "
              "channels instead",
              p.transposed ? "transposed=1" : "groups=" + inf.str(p.groups), inf.str(weight.sizes),
              inf.str(input.sizes), inf.str(channels), inf.str(input.sizes[1]));
    return false;
  }
  Expr outputs = p.transposed ? inf.sym.mul(weight.sizes[1], p.groups) : weight.sizes[0];
  if (bias &&
      (bias->dim() != 1 || !inf.isEqual(bias->sizes[0], outputs, "channels of a convolution"))) {
    inf.raise("Given {3}weight of size {0}, expected bias to be 1-dimensional with {1} elements, "
              "but got bias of size {2} instead",
              inf.str(weight.sizes), inf.str(outputs), inf.str(bias->sizes),
              p.transposed ? "transposed=1, " : "");
    return false;
  }
  if (!p.transposed)
    checkKernelFits(inf, input, weight, p);
  if (inf.isVacant(weight) && inf.isEqual(input.sizes[0], 0, kNothing))
    inf.raiseAs(PyErrorKind::IndexError,
                "select(): index 0 out of range for tensor of size [0] at dimension 0");
  bool isKernelEmpty = !areAll(inf, llvm::ArrayRef(weight.sizes).drop_front(2), 1);
  if (isKernelEmpty && inf.isEqual(input.sizes[1], 0, kNothing))
    inf.unsupported("a convolution of no channels with a kernel of no elements");
  else if (isKernelEmpty)
    inf.raise("kernel size should be greater than zero");
  else if (!areAll(inf, llvm::ArrayRef(input.sizes).drop_front(2), 1))
    inf.raise("Only zero batch or zero channel inputs are supported, but got input shape: {0}",
              inf.str(input.sizes));
  if (p.transposed && inf.isEqual(weight.sizes[1], 0, kNothing))
    inf.raise("non-empty weight tensor expected, but got: {0}", inf.str(weight.sizes));
  // Some of eager's kernels do not look.
  bool isAsked = !p.transposed && inf.op.shapeRule != ShapeRule::ConvNdPadding &&
                 (input.dtype == DType::Float32 || input.dtype == DType::Float64);
  if (bias && bias->dtype != input.dtype && !isAsked)
    inf.unsupported("a bias of another type than the input");
  else if (bias && bias->dtype != input.dtype)
    inf.raise("Input type ({0}) and bias type ({1}) should be the same", cppTypeName(input.dtype),
              cppTypeName(bias->dtype));
  return !inf.failed();
}

static constexpr llvm::StringLiteral kConvWhy = "memory layout of a convolution";

/// As eager sees what lies along one dimension: pictures of height 1.
static TensorMeta asPicture(Inference &inf, TensorMeta t) {
  t.strides.insert(t.strides.begin() + 2, inf.sym.mul(t.sizes[2], t.strides[2]));
  t.sizes.insert(t.sizes.begin() + 2, inf.constant(1));
  return t;
}

/// Strides of lines that eager makes as pictures.
static Exprs lineStrides(Inference &inf, Exprs sizes, MemoryFormat format) {
  sizes.insert(sizes.begin() + 2, inf.constant(1));
  Exprs strides = denseStrides(inf.sym, sizes, format);
  strides.erase(strides.begin() + 2);
  return strides;
}

/// Whether eager, on one thread, gives a convolution of volumes to oneDNN: its own loops know
/// row-major results alone.
static bool isForOneDnn(Inference &inf, const TensorMeta &input, const TensorMeta &weight,
                        const ConvParams &p) {
  if (input.dtype == DType::BFloat16)
    return true;
  if (input.dtype != DType::Float32 && input.dtype != DType::Complex64)
    return false;
  auto isAbove = [&](Expr e, int64_t n) { return inf.isLess(inf.constant(n), e, kConvWhy); };
  auto isOne = [](Expr e) { return e.isOne(); };
  bool isPlain = llvm::all_of(p.stride, isOne) && llvm::all_of(p.dilation, isOne) &&
                 weight.sizes[3].isOne() && weight.sizes[4].isOne();
  if (isPlain && !isAbove(input.sizes[0], 15))
    return false;
  return isAbove(p.groups, 1) || (isAbove(weight.sizes[4], 3) && isAbove(weight.sizes[3], 3)) ||
         isAbove(input.sizes[0], 1) ||
         isAbove(inf.sym.product(llvm::ArrayRef(input.sizes).drop_back()), 20480);
}

/// Strides of a result of that many sizes: channels-last if the input or the weight is. Lines are
/// made contiguous first, which those with dimensions of size 1 are in more than one order; parts
/// of complex numbers are not.
static Exprs convStrides(Inference &inf, TensorMeta input, const TensorMeta &weight,
                         const ConvParams &p, const Exprs &sizes) {
  bool isLine = sizes.size() == 3;
  if (isLine && (isComplex(input.dtype) || !inf.isContiguous(input)))
    input.strides = inf.contiguous(input.sizes);
  auto formatOf = [&](const TensorMeta &t) {
    return inf.suggestMemoryFormat(isLine ? asPicture(inf, t) : t);
  };
  MemoryFormat format = formatOf(input);
  if (format == MemoryFormat::Contiguous)
    format = formatOf(weight);
  if (format == MemoryFormat::ChannelsLast3d && !isForOneDnn(inf, input, weight, p))
    format = MemoryFormat::Contiguous;
  // Of no images eager makes a view of other sizes, whose strides are row-major.
  if (format != MemoryFormat::Contiguous && inf.isEqual(input.sizes[0], 0, kConvWhy))
    format = sizes == input.sizes ? format : MemoryFormat::Contiguous;
  return isLine ? lineStrides(inf, sizes, format) : denseStrides(inf.sym, sizes, format);
}

static void convolve(Inference &inf, TensorMeta input, const TensorMeta &weight, ConvParams p) {
  if (weight.dim() < 3)
    return inf.raise("weight should have at least three dimensions");
  size_t rank = weight.dim() - 2;
  for (Exprs *list : {&p.stride, &p.padding, &p.dilation, &p.outputPadding})
    *list = spread(*list, rank);
  if (!checkConvParams(inf, p, rank) || !checkConvolution(inf, input, weight, p))
    return;
  Expr channels = p.transposed ? inf.sym.mul(weight.sizes[1], p.groups) : weight.sizes[0];
  if (inf.isEqual(input.sizes[1], 0,
                  kNothing)) // eager convolves nothing, and gives as many channels
    channels = input.sizes[1];
  Exprs sizes{input.sizes[0], channels};
  sizes.append(convolvedSizes(inf, input, weight, p));
  if (p.transposed && !areAll(inf, llvm::ArrayRef(sizes).drop_front(2), 1))
    return inf.raise("Given input size per channel: {0}. Calculated output size per channel: {1}. "
                     "Output size is too small",
                     sizeText(inf, llvm::ArrayRef(input.sizes).drop_front(2)),
                     sizeText(inf, llvm::ArrayRef(sizes).drop_front(2)));
  inf.add(inf.make(input.dtype, sizes, convStrides(inf, input, weight, p, sizes)));
}

void ptc::aten::inferConvolution(Inference &inf) {
  ConvParams p{Exprs(inf.exprList("stride")),   Exprs(inf.exprList("padding")),
               Exprs(inf.exprList("dilation")), Exprs(inf.exprList("output_padding")),
               inf.boolValue("transposed"),     inf.intExpr("groups")};
  convolve(inf, inf.self(), *inf.tensor("weight"), std::move(p));
}

/// The batch dimension that convNd adds.
static void addBatch(Inference &inf, TensorMeta &input) {
  input.strides.insert(input.strides.begin(), inf.sym.mul(input.sizes[0], input.strides[0]));
  input.sizes.insert(input.sizes.begin(), inf.constant(1));
}

/// Input with the batch dimension, the result without it.
static void convolveMaybeUnbatched(Inference &inf, ConvParams p) {
  const TensorMeta &weight = *inf.tensor("weight");
  TensorMeta input = inf.self();
  int64_t rank = inf.op.baseName().drop_back().back() - '0';
  for (Exprs *list : {&p.stride, &p.padding, &p.dilation, &p.outputPadding})
    *list = spread(*list, size_t(rank)); // those that go by the weight's rank must be as many
  bool isBatched = input.dim() == rank + 2;
  if (!isBatched && input.dim() != rank + 1)
    return inf.raise("Expected {0}D (unbatched) or {1}D (batched) input to {2}, but got input of "
                     "size: {3}",
                     rank + 1, rank + 2, inf.op.baseName(), inf.str(input.sizes));
  if (!isBatched)
    addBatch(inf, input);
  const TensorMeta *bias = inf.tensor("bias");
  if (inf.op.shapeRule == ShapeRule::ConvNd && bias && bias->dtype != input.dtype)
    return inf.raise("Input type ({0}) and bias type ({1}) should be the same",
                     cppTypeName(input.dtype), cppTypeName(bias->dtype));
  convolve(inf, std::move(input), weight, std::move(p));
  if (inf.failed() || isBatched)
    return;
  TensorMeta &result = inf.result.results.front().tensors.front().meta;
  result.sizes.erase(result.sizes.begin());
  result.strides.erase(result.strides.begin());
}

void ptc::aten::inferConvNd(Inference &inf) {
  convolveMaybeUnbatched(inf, {Exprs(inf.exprList("stride")),
                               Exprs(inf.exprList("padding")),
                               Exprs(inf.exprList("dilation")),
                               {inf.constant(0)},
                               false,
                               inf.intExpr("groups")});
}

void ptc::aten::inferConvTranspose(Inference &inf) {
  convolveMaybeUnbatched(inf, {Exprs(inf.exprList("stride")), Exprs(inf.exprList("padding")),
                               Exprs(inf.exprList("dilation")),
                               Exprs(inf.exprList("output_padding")), true, inf.intExpr("groups")});
}

void ptc::aten::inferConvNdPadding(Inference &inf) {
  llvm::StringRef word = inf.strValue("padding");
  const TensorMeta &weight = *inf.tensor("weight");
  Exprs stride(inf.exprList("stride")), dilation(inf.exprList("dilation"));
  if (word != "same" && word != "valid")
    return inf.raise("Invalid padding string: '{0}'", word);
  bool isSame = word == "same";
  size_t rank = size_t(std::max<int64_t>(weight.dim() - 2, 1));
  for (auto [name, list] : {std::pair("stride", &stride), std::pair("dilation", &dilation)})
    if (isSame && list->size() != rank && list->size() != 1)
      return inf.raise("{0} cannot broadcast to {1} dimensions", name, rank);
  if (isSame && llvm::any_of(stride, [](Expr s) { return !s.isOne(); }))
    return inf.raise("padding='same' is not supported for strided convolutions");
  ConvParams params = {stride, {inf.constant(0)},    dilation, {inf.constant(0)},
                       false,  inf.intExpr("groups")};
  convolveMaybeUnbatched(inf, params);
  if (!isSame || (inf.failed() && !llvm::StringRef(inf.result.text).starts_with("Calculated")))
    return;
  // Padding makes the sizes those of the input; without it the kernel need not fit.
  Exprs sizes = inf.self().sizes;
  MetaResult unpadded = std::exchange(inf.result, MetaResult());
  if (isAnyZero(inf, llvm::ArrayRef(sizes).take_back(rank)))
    inf.result = std::move(unpadded);
  if (inf.failed())
    return;
  Expr &channels = sizes[sizes.size() - (weight.dim() - 1)];
  if (!inf.isEqual(channels, 0, kNothing))
    channels = weight.sizes[0];
  TensorMeta input = inf.self();
  bool isBatched = input.dim() == weight.dim();
  if (!isBatched)
    addBatch(inf, input);
  Exprs batched = sizes;
  if (!isBatched)
    batched.insert(batched.begin(), inf.constant(1));
  Exprs strides = convStrides(inf, std::move(input), weight, params, batched);
  if (!isBatched)
    strides.erase(strides.begin());
  inf.add(inf.make(inf.self().dtype, sizes, strides));
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

namespace {
struct PoolParams {
  Exprs kernel, stride, padding, dilation;
  bool ceil = false;
};
} // namespace

static PoolParams poolParams(Inference &inf, size_t rank) {
  PoolParams p;
  p.kernel = spread(inf.exprList("kernel_size"), rank);
  llvm::ArrayRef<Expr> stride = inf.exprList("stride");
  p.stride = stride.empty() ? p.kernel : spread(stride, rank);
  p.padding = spread(inf.exprList("padding"), rank);
  p.dilation = Exprs(rank, inf.constant(1));
  if (inf.hasArg("dilation"))
    p.dilation = spread(inf.exprList("dilation"), rank);
  p.ceil = inf.boolValue("ceil_mode");
  return p;
}

static Expr pooledSize(Inference &inf, Expr in, const PoolParams &p, size_t i) {
  Expr room = inf.sym.sub(inf.sym.add(in, inf.sym.mul(inf.constant(2), p.padding[i])),
                          extent(inf, p.kernel[i], p.dilation[i]));
  if (!p.ceil)
    return plus(inf, inf.sym.floordiv(room, p.stride[i]), 1);
  Expr out = plus(inf, inf.sym.ceildiv(room, p.stride[i]), 1);
  // The last window must start inside the input or its left padding.
  Expr lastStart = inf.sym.mul(plus(inf, out, -1), p.stride[i]);
  if (inf.isTrue(Cmp::GE, lastStart, inf.sym.add(in, p.padding[i]), "ceil_mode"))
    out = plus(inf, out, -1);
  return out;
}

static bool checkPool(Inference &inf, const PoolParams &p, size_t rank) {
  std::pair<llvm::StringLiteral, const Exprs *> lists[] = {{"kernel_size", &p.kernel},
                                                           {"stride", &p.stride},
                                                           {"padding", &p.padding},
                                                           {"dilation", &p.dilation}};
  for (auto [name, list] : lists) {
    if (list->size() != rank)
      inf.raise("{0}: {1} must either be a single int, or a tuple of {2} ints", inf.op.baseName(),
                name, rank);
    for (Expr e : *list)
      if (inf.isLess(e, inf.constant(name == "padding" ? 0 : 1), "pooling"))
        inf.raise("{0} should {1}, but got {2}", name,
                  name == "padding" ? "not be negative" : "be greater than zero", inf.str(*list));
  }
  if (inf.failed())
    return false;
  for (size_t i = 0; i < rank; ++i) {
    Expr half = inf.sym.floordiv(extent(inf, p.kernel[i], p.dilation[i]), inf.constant(2));
    if (!inf.isTrue(Cmp::LE, p.padding[i], half, "pooling")) {
      inf.raise("pad should be at most half of effective kernel size, but got pad={0}, "
                "kernel_size={1} and dilation={2}",
                inf.str(p.padding[i]), inf.str(p.kernel[i]), inf.str(p.dilation[i]));
      return false;
    }
  }
  return !inf.failed();
}

/// "3x2x2".
static std::string planeText(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  std::string text;
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i ? "x" : "") + inf.str(sizes[i]);
  return text;
}

/// Of one image of three dimensions: channels last only where elements lie so and in no other order
/// (DilatedMaxPool3d.cpp).
static bool isVolumeChannelsLast(Inference &inf) {
  TensorMeta batch = inf.self();
  addBatch(inf, batch);
  return !inf.isContiguous(batch) && inf.isContiguous(batch, MemoryFormat::ChannelsLast3d);
}

/// Sizes and strides of the result with the last dimensions replaced.
static TensorMeta pooledMeta(Inference &inf, DType dtype, llvm::ArrayRef<Expr> last) {
  const TensorMeta &self = inf.self();
  Exprs sizes(self.sizes.begin(), self.sizes.end() - last.size());
  sizes.append(last.begin(), last.end());
  // These have loops for rows alone.
  if (inf.op.id == OpId::max_pool1d || inf.op.id == OpId::avg_pool3d ||
      (inf.op.shapeRule == ShapeRule::Upsample && last.size() == 1))
    return inf.make(dtype, sizes, inf.contiguous(sizes));
  if (last.size() == 1 && self.dim() == 3)
    return inf.make(dtype, sizes,
                    lineStrides(inf, sizes, inf.suggestMemoryFormat(asPicture(inf, self))));
  if (last.size() == 3 && self.dim() == 4) {
    sizes.insert(sizes.begin(), inf.constant(1));
    Exprs strides = denseStrides(inf.sym, sizes,
                                 isVolumeChannelsLast(inf) ? MemoryFormat::ChannelsLast3d
                                                           : MemoryFormat::Contiguous);
    return inf.make(dtype, Exprs(llvm::drop_begin(sizes)), Exprs(llvm::drop_begin(strides)));
  }
  return inf.make(dtype, sizes, denseStrides(inf.sym, sizes, inf.suggestMemoryFormat(self)));
}

static bool checkImage(Inference &inf, size_t rank) {
  int64_t dims = inf.self().dim();
  if (inf.op.id == OpId::avg_pool2d)
    inf.wrapDim(-3, dims);
  if (dims == int64_t(rank) + 1 || dims == int64_t(rank) + 2)
    return true;
  inf.raise("non-empty {0}D or {1}D (batch mode) tensor expected for input", rank + 1, rank + 2);
  return false;
}

/// The digit in the name: avg_pool2d is 2.
static size_t spatialRank(const OpInfo &op) {
  llvm::StringRef name = op.baseName();
  return name[name.find_first_of("123")] - '0';
}

/// One image of max_pool3d looks to eager like a batch of images of two dimensions, whose order it
/// asks for, and refuses.
static bool checkImageOrder(Inference &inf) {
  if (inf.op.id != OpId::max_pool3d || inf.self().dim() != 4 ||
      inf.suggestMemoryFormat(inf.self()) != MemoryFormat::ChannelsLast)
    return true;
  inf.raise("Unsupported memory format. Supports only ChannelsLast3d, Contiguous");
  return false;
}

static std::optional<Exprs> poolSizes(Inference &inf) {
  size_t rank = spatialRank(inf.op);
  if (!checkImage(inf, rank))
    return std::nullopt;
  PoolParams p = poolParams(inf, rank);
  if (inf.failed() || !checkPool(inf, p, rank) || !checkImageOrder(inf))
    return std::nullopt;
  if (isAnyZero(inf, llvm::ArrayRef(inf.self().sizes).take_back(rank + 1)))
    inf.raise("Expected {0}D or {1}D (batch mode) tensor with optional 0 dim batch size for "
              "input, but got:{2}",
              rank + 1, rank + 2, inf.str(inf.self().sizes));
  if (inf.hasArg("divisor_override") && inf.arg("divisor_override").is<ArgValue::Int>() &&
      inf.isEqual(inf.intExpr("divisor_override"), 0, "pooling"))
    inf.raise("divisor must be not zero");
  llvm::ArrayRef<Expr> in = llvm::ArrayRef(inf.self().sizes).take_back(rank);
  Exprs out;
  bool isEmpty = false;
  for (size_t i = 0; i < rank; ++i) {
    if (inf.op.id == OpId::avg_pool3d && inf.isLess(in[i], p.kernel[i], "pooling"))
      inf.raise("input image smaller than kernel size");
    out.push_back(pooledSize(inf, in[i], p, i));
    isEmpty |= inf.isLess(out.back(), inf.constant(1), "pooling");
  }
  if (isEmpty) {
    Expr planes = inf.self().sizes[inf.self().dim() - rank - 1];
    Exprs from{planes}, to{planes};
    from.append(in.begin(), in.end());
    to.append(out);
    inf.raise("Given input size: ({0}). Calculated output size: ({1}). Output size is too small",
              planeText(inf, from), planeText(inf, to));
  }
  return inf.failed() ? std::nullopt : std::optional(out);
}

/// The kernel of channels-last images keeps the places of maxima in integers of the elements'
/// width.
static void checkPlaces(Inference &inf) {
  const TensorMeta &self = inf.self();
  int64_t bytes = getDTypeInfo(self.dtype).bytes;
  size_t rank = spatialRank(inf.op);
  if (!isInteger(self.dtype) || bytes > 2 || rank < 2)
    return;
  bool isBatch = self.dim() == int64_t(rank) + 2;
  bool isLast = isBatch ? inf.suggestMemoryFormat(self) != MemoryFormat::Contiguous
                        : rank == 3 && isVolumeChannelsLast(inf);
  if (!isLast)
    return;
  Expr places = inf.sym.product(llvm::ArrayRef(self.sizes).take_back(rank));
  if (inf.isLess(inf.constant(bytes == 1 ? 127 : 32767), places, "places of maxima"))
    inf.raise("Expected input_depth * input_height * input_width <= "
              "std::numeric_limits<integer_t>::max() to be true, but got false.  (Could this error "
              "message be improved?  If so, please report an enhancement request to PyTorch.)");
}

void ptc::aten::inferMaxPool(Inference &inf) {
  std::optional<Exprs> out = poolSizes(inf);
  if (!out)
    return;
  checkPlaces(inf);
  inf.add(pooledMeta(inf, inf.self().dtype, *out));
  if (inf.op.returns.size() == 2)
    inf.add(pooledMeta(inf, DType::Int64, *out));
}

void ptc::aten::inferAvgPool(Inference &inf) {
  std::optional<Exprs> out = poolSizes(inf);
  if (!out)
    return;
  inf.add(pooledMeta(inf, inf.self().dtype, *out));
}

void ptc::aten::inferAdaptivePool(Inference &inf) {
  size_t rank = spatialRank(inf.op);
  Exprs out(inf.exprList("output_size"));
  if (out.size() != rank)
    return inf.raise("{0}: output_size must be {1}", inf.op.baseName(), rank);
  for (Expr size : out)
    if (inf.isLess(size, inf.constant(0), "adaptive pooling"))
      return inf.raise("{0}: elements of output_size must be greater than or equal to 0 but "
                       "received {1}",
                       inf.op.baseName(), inf.str(out));
  // One element per plane is a mean, of any planes.
  bool isMax = inf.op.baseName().contains("max");
  bool isMean = !isMax && llvm::all_of(out, [](Expr e) { return e.isOne(); });
  const Exprs &in = inf.self().sizes;
  bool isImage = in.size() == rank + 1 || in.size() == rank + 2;
  llvm::ArrayRef<Expr> pooled = !isImage
                                    ? llvm::ArrayRef<Expr>()
                                    : llvm::ArrayRef(in).take_back(isMax ? in.size() - 1 : rank);
  const Expr *none = llvm::find_if(pooled, [&](Expr size) { return isAnyZero(inf, size); });
  bool isEmpty = none != pooled.end();
  if (isMean && (!isImage || isEmpty))
    return inf.unsupported("the mean of planes without elements, or of another number of them");
  if (!checkImage(inf, rank))
    return;
  if (isEmpty)
    return inf.raise("{0}(): Expected input to have non-zero size for non-batch dimensions, but "
                     "input has sizes {1} with dimension {2} being empty",
                     inf.op.baseName(), inf.str(inf.self().sizes),
                     in.size() - size_t(pooled.end() - none));
  DType dtype = inf.self().dtype;
  if (inf.op.id == OpId::adaptive_avg_pool1d || inf.op.id == OpId::adaptive_avg_pool2d) {
    if (isMean && !isFloat(dtype) && !isComplex(dtype))
      return inf.raise("mean(): could not infer output dtype. Input dtype must be either a "
                       "floating point or complex dtype. Got: {0}",
                       scalarTypeName(dtype));
    if (!isMean && !isFloat(dtype))
      inf.refuse("adaptive_avg_pool2d", dtype);
  }
  inf.add(pooledMeta(inf, inf.self().dtype, out));
  if (inf.op.returns.size() == 2)
    inf.add(pooledMeta(inf, DType::Int64, out));
}

/// "H: 4, W: 5", of one to three sizes.
static std::string namedSizes(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  llvm::StringRef names = llvm::StringRef("DHW").take_back(sizes.size());
  std::string text;
  for (auto [name, size] : llvm::zip_equal(names, sizes))
    text += (text.empty() ? "" : ", ") + std::string(1, name) + ": " + inf.str(size);
  return text;
}

void ptc::aten::inferUpsample(Inference &inf) {
  const TensorMeta &self = inf.self();
  size_t rank = spatialRank(inf.op);
  if (self.dim() != int64_t(rank) + 2)
    return inf.raise("It is expected input_size equals to {0}, but got size {1}", rank + 2,
                     self.dim());
  Exprs out(inf.exprList("output_size"));
  if (inf.isNone("output_size")) {
    const auto *scales = inf.arg("scale_factors").getIf<ArgValue::FloatList>();
    if (!scales || scales->values.size() != rank)
      return inf.raise("Must specify exactly one of output_size and scale_factors");
    for (size_t i = 0; i < rank; ++i) {
      Expr in = self.sizes[i + 2];
      double scale = scales->values[i];
      std::optional<int64_t> known = in.asConstant();
      if (known)
        out.push_back(inf.constant(int64_t(double(*known) * scale)));
      else if (scale == std::floor(scale) && std::abs(scale) < 0x1p31)
        out.push_back(inf.sym.mul(in, inf.constant(int64_t(scale))));
      else
        return inf.unsupported("a symbolic size scaled by a fraction");
    }
  }
  if (out.size() != rank)
    return inf.raise("It is expected output_size equals to {0}, but got size {1}", rank,
                     out.size());
  if (isAnyZero(inf, llvm::ArrayRef(self.sizes).drop_front()))
    return inf.raise("Non-empty {0}D data tensor expected but got a tensor with sizes {1}",
                     rank + 2, inf.str(self.sizes));
  auto isEmpty = [&](Expr size) {
    return inf.isLess(size, inf.constant(1), "upsampling to or from no elements");
  };
  llvm::ArrayRef<Expr> in = llvm::ArrayRef(self.sizes).drop_front(2);
  if (llvm::any_of(in, isEmpty) || llvm::any_of(out, isEmpty))
    return inf.raise("Input and output sizes should be greater than 0, but got input ({0}){1} "
                     "output ({2})",
                     namedSizes(inf, in), rank == 1 ? " and" : "", namedSizes(inf, out));
  inf.add(pooledMeta(inf, self.dtype, out));
}
