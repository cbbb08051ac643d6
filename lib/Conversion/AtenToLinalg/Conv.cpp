//===- Conv.cpp - Convolutions as kernels --------------------------------------------------===//
//
// In: input [N, C, spatial…] or without batch, weight [O, C / groups, kernel…]. Out: a kernel of
// family conv: the input inserted into zeros where there is padding, sums of products over windows
// that are affine in the loops, then bias and rounding. A transposed convolution inserts its input
// in steps and reads its kernel backwards.
//
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"

using namespace mlir;
using namespace ptc;

namespace {

using Numbers = SmallVector<int64_t, 4>;

/// What an overload says, for each spatial dimension.
struct Parameters {
  Numbers stride, padding, dilation; ///< padding: in front
  int64_t groups = 1;
  bool isTransposed = false;
};

class Convolution {
public:
  Convolution(KernelBuilder &k, Tensor input, Tensor weight, Parameters parameters)
      : k(k), input(input), weight(weight), given(std::move(parameters)),
        spatial(size_t(weight.rank()) - 2), t(computeType(input.dtype)) {}

  LogicalResult convert() {
    std::optional<Sizes> sizes = k.resultSizes();
    if (!sizes)
      return k.refuse("a size of the result is no input's");
    Sizes batched = *sizes;
    if (size_t(input.rank()) == spatial + 1) { // without batch
      Mask isNew(spatial + 2, false);
      isNew[0] = true;
      input = k.withOnes(input, isNew);
      batched.insert(batched.begin(), k.constant(1));
    }
    splitGroups(batched);
    if (failed(pad()))
      return failure();
    Tensor sums = accumulate();
    DType result = k.resultDType();
    if (Tensor bias = k.tensor("bias"))
      sums = addBias(sums, bias);
    return k.finish(plan::Family::Conv, k.reshape(k.convert(sums, result), *sizes));
  }

private:
  /// Per channel out, in the type of the sums.
  Tensor addBias(Tensor sums, Tensor bias) {
    Access in{k.reshape(bias, {out[1], out[2]}), k.mapOf(sums.rank(), {k.at(1), k.at(2)})};
    return k
        .loops(in, Access{sums, k.identity(sums.rank())},
               [&](ElementBuilder &e, ValueRange x) {
                 return SmallVector<Value, 2>{e.add(t, x[1], e.convert(x[0], bias.dtype, t))};
               })
        .front();
  }

  /// Channels as [groups, channels of a group], in input, weight and result.
  void splitGroups(const Sizes &batched) {
    int64_t first = weight.size(0), second = weight.size(1), groups = given.groups;
    int64_t inPer = given.isTransposed ? first / groups : second;
    int64_t outPer = given.isTransposed ? second : first / groups;
    auto split = [&](Sizes sizes, size_t d, int64_t size) {
      sizes[d] = k.constant(size);
      sizes.insert(sizes.begin() + int64_t(d), k.constant(groups));
      return sizes;
    };
    input = k.reshape(input, split(k.sizesOf(input), 1, inPer));
    weight = k.reshape(weight, split(k.sizesOf(weight), 0, given.isTransposed ? inPer : outPer));
    out = split(batched, 1, outPer);
  }

  /// Inserts the input where windows reach beyond it.
  LogicalResult pad() {
    SmallVector<Span, 3> spans;
    for (size_t d = 0; d < spatial; ++d)
      spans.push_back(
          {weight.size(3 + int64_t(d)), given.stride[d], given.padding[d], given.dilation[d]});
    Value zero = k.top().integer(input.dtype, 0);
    if (!given.isTransposed) {
      input = k.padForWindows(input, spans, ArrayRef(out).drop_front(3), zero);
      return success();
    }
    Sizes sizes = k.sizesOf(input), starts(sizes.size(), k.constant(0)),
          steps(sizes.size(), k.constant(1));
    for (auto [d, span] : llvm::enumerate(spans)) {
      int64_t before = (span.kernel - 1) * span.dilation - span.padding;
      if (before < 0)
        return k.refuse("padding of a transposed convolution beyond its kernel");
      starts[3 + d] = k.constant(before);
      steps[3 + d] = k.constant(span.stride);
      sizes[3 + d] = k.sum(out[3 + d], k.constant((span.kernel - 1) * span.dilation));
    }
    Tensor zeros = k.fill(sizes, input.dtype, zero);
    bool isEmpty = input.hasZero();
    input = isEmpty ? zeros : k.insert(input, zeros, starts, steps);
    return success();
  }

  /// Loops: batch, group, channel out, places; then channel in, kernel.
  Tensor accumulate() {
    int64_t outer = int64_t(spatial) + 3, numLoops = outer + 1 + int64_t(spatial);
    SmallVector<AffineExpr> from{k.at(0), k.at(1), k.at(outer)}, taps{k.at(1)};
    taps.push_back(given.isTransposed ? k.at(outer) : k.at(2));
    taps.push_back(given.isTransposed ? k.at(2) : k.at(outer));
    for (size_t d = 0; d < spatial; ++d) {
      AffineExpr place = k.at(3 + int64_t(d)), tap = k.at(outer + 1 + int64_t(d));
      int64_t last = (weight.size(3 + int64_t(d)) - 1) * given.dilation[d];
      from.push_back(given.isTransposed ? place - tap * given.dilation[d] + last
                                        : place * given.stride[d] + tap * given.dilation[d]);
      taps.push_back(tap);
    }
    Mask mask(size_t(outer), false);
    mask.resize(size_t(numLoops), true);
    Access sums{k.fill(out, t, k.top().integer(t, 0)), k.without(mask)};
    return k.sumProducts({input, k.mapOf(numLoops, from)}, {weight, k.mapOf(numLoops, taps)}, sums);
  }

  KernelBuilder &k;
  Tensor input, weight;
  Parameters given;
  size_t spatial;
  DType t;
  Sizes out; ///< [N, groups, channels, spatial…]
};

} // namespace

/// As many numbers as there are spatial dimensions: one stands for all, none for `otherwise`.
static std::optional<Numbers> numbersOf(KernelBuilder &k, StringRef name, size_t spatial,
                                        int64_t otherwise) {
  std::optional<SmallVector<int64_t, 4>> given = k.ints(name);
  if (!given)
    return std::nullopt;
  if (given->empty())
    given->push_back(otherwise);
  if (given->size() == 1)
    given->resize(spatial, given->front());
  return given;
}

static LogicalResult convertConvolution(KernelBuilder &k) {
  Tensor input = k.self(), weight = k.tensor("weight");
  if (!input || !weight)
    return k.refuse("complex numbers");
  if (weight.rank() < 3 || !weight.type().hasStaticShape())
    return k.refuse("a weight whose sizes are known only at run time");
  if (weight.type().getNumElements() == 0)
    return k.refuse("a weight without elements");
  size_t spatial = size_t(weight.rank()) - 2;
  std::optional<StringRef> word = k.arg("padding").getString();
  std::optional<Numbers> stride = numbersOf(k, "stride", spatial, 1),
                         dilation = numbersOf(k, "dilation", spatial, 1),
                         padding = word ? Numbers(spatial, 0) : numbersOf(k, "padding", spatial, 0);
  std::optional<int64_t> groups = k.arg("groups").getInt();
  std::optional<bool> transposed =
      k.has("transposed") ? k.flag("transposed") : std::optional(false);
  if (!stride || !dilation || !padding || !groups || !transposed)
    return k.refuse("parameters are known only at run time");
  Parameters parameters{*stride, *padding, *dilation, *groups, *transposed};
  parameters.isTransposed |= k.info().shapeRule == aten::ShapeRule::ConvTranspose;
  bool isSame = word && *word == "same";
  for (size_t d = 0; isSame && d < spatial; ++d) // the odd element of padding lies behind
    parameters.padding[d] = (*dilation)[d] * (weight.size(2 + int64_t(d)) - 1) / 2;
  return Convolution(k, input, weight, parameters).convert();
}

ArrayRef<ConverterRow> ptc::getConvRows() {
  using S = aten::ShapeRule;
  static constexpr ConverterRow kRows[] = {
      {S::Convolution, convertConvolution},
      {S::ConvNd, convertConvolution},
      {S::ConvNdPadding, convertConvolution},
      {S::ConvTranspose, convertConvolution},
  };
  return kRows;
}
