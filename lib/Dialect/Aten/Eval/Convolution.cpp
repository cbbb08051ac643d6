//===- Convolution.cpp - Convolutions of one to three dimensions -------------------------===//
//
// In: input [N, C, spatial…], weight, what the overload says of strides and padding. Out: the sums,
// in double. Fewer than three spatial dimensions become three by sizes of 1 in front.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"

using namespace ptc;
using namespace ptc::aten;

using Three = std::array<int64_t, 3>;

namespace {

struct Convolution {
  Three stride, padding, dilation; ///< padding: before the first element
  bool isTransposed;
  int64_t groups;
};

/// [batch, channels, d, h, w].
template <typename T> struct Volume {
  Array<T> values;
  int64_t batch, channels;
  Three size;
  T &at(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    return values[(((n * channels + c) * size[0] + d) * size[1] + h) * size[2] + w];
  }
};

} // namespace

static Three inFront(llvm::ArrayRef<int64_t> values, int64_t fill) {
  Three result{fill, fill, fill};
  std::copy(values.begin(), values.end(), result.end() - values.size());
  return result;
}

template <typename T> static Volume<T> loadVolume(const HostTensor &t, size_t spatial) {
  llvm::ArrayRef<int64_t> sizes = t.sizes();
  bool isBatched = sizes.size() == spatial + 2;
  return {load<T>(t), isBatched ? sizes[0] : 1, sizes[isBatched ? 1 : 0],
          inFront(sizes.take_back(spatial), 1)};
}

/// Calls fn(input position, kernel position, output position) where they meet.
template <typename Fn>
static void forEachTap(const Convolution &c, const Three &in, const Three &kernel, const Three &out,
                       Fn &&fn) {
  // A transposed convolution scatters: the output takes the input's part.
  const Three &from = c.isTransposed ? in : out, &to = c.isTransposed ? out : in;
  for (int64_t d = 0; d < from[0]; ++d)
    for (int64_t h = 0; h < from[1]; ++h)
      for (int64_t w = 0; w < from[2]; ++w)
        for (int64_t i = 0; i < kernel[0]; ++i)
          for (int64_t j = 0; j < kernel[1]; ++j)
            for (int64_t k = 0; k < kernel[2]; ++k) {
              Three p{d * c.stride[0] - c.padding[0] + i * c.dilation[0],
                      h * c.stride[1] - c.padding[1] + j * c.dilation[1],
                      w * c.stride[2] - c.padding[2] + k * c.dilation[2]};
              if (p[0] < 0 || p[0] >= to[0] || p[1] < 0 || p[1] >= to[1] || p[2] < 0 ||
                  p[2] >= to[2])
                continue;
              Three q{d, h, w};
              fn(c.isTransposed ? q : p, Three{i, j, k}, c.isTransposed ? p : q);
            }
}

template <typename T>
static void convolve(EvalCall &call, const Convolution &c, const HostTensor &input) {
  const HostTensor &weight = call.tensor("weight"), *bias = call.optional("bias");
  size_t spatial = size_t(weight.dim()) - 2;
  Volume<T> x = loadVolume<T>(input, spatial), w = loadVolume<T>(weight, spatial),
            y = loadVolume<T>(call.out(), spatial);
  if (bias) {
    Array<T> added = load<T>(*bias);
    int64_t plane = y.size[0] * y.size[1] * y.size[2];
    for (size_t i = 0; i < y.values.size(); ++i)
      y.values[i] = added[int64_t(i) / plane % y.channels];
  }
  int64_t inPer = x.channels / c.groups, outPer = y.channels / c.groups;
  for (int64_t n = 0; n < x.batch; ++n)
    forEachTap(c, x.size, w.size, y.size, [&](const Three &p, const Three &k, const Three &q) {
      for (int64_t o = 0; o < y.channels; ++o)
        for (int64_t i = 0; i < inPer; ++i) {
          int64_t from = o / outPer * inPer + i;
          T tap = c.isTransposed ? w.at(from, o % outPer, k[0], k[1], k[2])
                                 : w.at(o, i, k[0], k[1], k[2]);
          y.at(n, o, q[0], q[1], q[2]) += x.at(n, from, p[0], p[1], p[2]) * tap;
        }
    });
  store<T>(y.values, call.out());
}

static void run(EvalCall &call, Convolution c) {
  const HostTensor &input = call.self();
  visitWide(call.out().dtype(),
            [&](auto tag) { convolve<typename decltype(tag)::Type>(call, c, input); });
}

/// Reads what the overloads have in common; `padding` if it is numbers.
static Convolution readConvolution(EvalCall &call) {
  size_t spatial = size_t(call.tensor("weight").dim()) - 2;
  Convolution c{inFront(call.ints("stride", spatial, {1}), 1),
                {},
                inFront(call.ints("dilation", spatial, {1}), 1),
                false,
                call.integer("groups")};
  if (!call.arg("padding").is<std::string>())
    c.padding = inFront(call.ints("padding", spatial, {0}), 0);
  return c;
}

namespace ptc::aten {

void evalConvolution(EvalCall &call) {
  Convolution c = readConvolution(call);
  c.isTransposed = call.flag("transposed");
  run(call, c);
}

void evalConvNd(EvalCall &call) { run(call, readConvolution(call)); }

/// "same" puts the odd element of padding behind.
void evalConvNdPadding(EvalCall &call) {
  Convolution c = readConvolution(call);
  c.padding = {0, 0, 0};
  if (call.text("padding") == "same") {
    Three kernel = inFront(call.tensor("weight").sizes().drop_front(2), 1);
    for (int d = 0; d < 3; ++d)
      c.padding[d] = c.dilation[d] * (kernel[d] - 1) / 2;
  }
  run(call, c);
}

void evalConvTranspose(EvalCall &call) {
  Convolution c = readConvolution(call);
  c.isTransposed = true;
  run(call, c);
}

} // namespace ptc::aten
