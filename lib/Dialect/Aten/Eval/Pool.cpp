//===- Pool.cpp - Pooling and upsampling ---------------------------------------------------===//
//
// In: [N, C, spatial…] or [C, spatial…]. Out: one value per window, or interpolated positions. One
// to three spatial dimensions are handled as three.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"

#include <cmath>

using namespace ptc;
using namespace ptc::aten;

using Three = std::array<int64_t, 3>;

namespace {

/// Entries first, first + step, … below `end` of one dimension.
struct Span {
  int64_t first, end, step;
  int64_t divisor; ///< entries that an average counts
};

struct Planes {
  int64_t count; ///< batches times channels
  Three size;
  int64_t area() const { return size[0] * size[1] * size[2]; }
};

} // namespace

static Planes planesOf(const HostTensor &t, size_t spatial) {
  Planes planes{product(t.sizes().drop_back(spatial)), {1, 1, 1}};
  std::copy(t.sizes().end() - spatial, t.sizes().end(), planes.size.end() - spatial);
  return planes;
}

/// The number in the name: max_pool2d pools two dimensions.
static size_t spatialRank(const EvalCall &call) {
  llvm::StringRef name = call.op.baseName();
  size_t at = name.find_first_of("123");
  assert(at != llvm::StringRef::npos && "a pooling overload names its rank");
  return size_t(name[at] - '0');
}

/// Calls fn(plane, output index in plane, spans) for each window.
template <typename SpanOf, typename Fn>
static void forEachWindow(const Planes &out, SpanOf &&spanOf, Fn &&fn) {
  for (int64_t p = 0; p < out.count; ++p)
    for (int64_t d = 0, place = 0; d < out.size[0]; ++d)
      for (int64_t h = 0; h < out.size[1]; ++h)
        for (int64_t w = 0; w < out.size[2]; ++w, ++place)
          fn(p, place, std::array<Span, 3>{spanOf(0, d), spanOf(1, h), spanOf(2, w)});
}

/// Calls fn(index in plane) for each element of the window.
template <typename Fn>
static void forEachEntry(const Three &size, const std::array<Span, 3> &spans, Fn &&fn) {
  for (int64_t d = spans[0].first; d < spans[0].end; d += spans[0].step)
    for (int64_t h = spans[1].first; h < spans[1].end; h += spans[1].step)
      for (int64_t w = spans[2].first; w < spans[2].end; w += spans[2].step)
        fn((d * size[1] + h) * size[2] + w);
}

/// The largest of each window, NaN above all, and where it is.
template <typename SpanOf> static void maxPool(EvalCall &call, size_t spatial, SpanOf &&spanOf) {
  const HostTensor &self = call.self();
  Planes in = planesOf(self, spatial), out = planesOf(call.out(), spatial);
  visitWide(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (!IsComplexElement<T>::value) {
      Array<T> x = load<T>(self), values(out.count * out.area());
      Array<int64_t> places(values.size());
      forEachWindow(out, spanOf, [&](int64_t p, int64_t place, const std::array<Span, 3> &spans) {
        int64_t best = -1;
        forEachEntry(in.size, spans, [&](int64_t i) {
          T value = x[p * in.area() + i];
          if (best < 0 || value > x[p * in.area() + best] || value != value)
            best = i;
        });
        places[p * out.area() + place] = best;
        values[p * out.area() + place] = x[p * in.area() + best];
      });
      store<T>(values, call.out());
      if (call.outs.size() > 1)
        store<int64_t>(places, call.out(1));
    }
  });
}

template <typename SpanOf>
static void averagePool(EvalCall &call, size_t spatial, SpanOf &&spanOf) {
  const HostTensor &self = call.self();
  if (isComplex(self.dtype()))
    return call.unsupported("averages of complex numbers");
  Planes in = planesOf(self, spatial), out = planesOf(call.out(), spatial);
  int64_t fixedDivisor = call.has("divisor_override") && !call.arg("divisor_override").isNone()
                             ? call.integer("divisor_override")
                             : 0;
  Array<double> x = load<double>(self), values(out.count * out.area());
  forEachWindow(out, spanOf, [&](int64_t p, int64_t place, const std::array<Span, 3> &spans) {
    double sum = 0;
    forEachEntry(in.size, spans, [&](int64_t i) { sum += x[p * in.area() + i]; });
    int64_t divisor = spans[0].divisor * spans[1].divisor * spans[2].divisor;
    values[p * out.area() + place] =
        inRange(sum, sumType(self.dtype())) / double(fixedDivisor ? fixedDivisor : divisor);
  });
  store<double>(values, call.out());
}

static Three three(EvalCall &call, llvm::StringRef name, size_t spatial, int64_t fill,
                   llvm::ArrayRef<int64_t> otherwise) {
  Three result{fill, fill, fill};
  Ints given = call.ints(name, spatial, otherwise);
  std::copy(given.begin(), given.end(), result.end() - spatial);
  return result;
}

/// Which input entries an output entry of adaptive pooling covers.
static Span adaptiveSpan(int64_t i, int64_t in, int64_t out) {
  int64_t first = i * in / out, end = ((i + 1) * in + out - 1) / out;
  return {first, end, 1, end - first};
}

namespace ptc::aten {

void evalMaxPool(EvalCall &call) {
  size_t spatial = spatialRank(call);
  Three kernel = three(call, "kernel_size", spatial, 1, {1});
  Ints window(kernel.end() - spatial, kernel.end());
  Three stride = three(call, "stride", spatial, 1, window);
  Three padding = three(call, "padding", spatial, 0, {0});
  Three dilation = three(call, "dilation", spatial, 1, {1});
  Three size = planesOf(call.self(), spatial).size;
  maxPool(call, spatial, [&](int d, int64_t i) {
    int64_t first = i * stride[d] - padding[d];
    int64_t end = std::min(first + (kernel[d] - 1) * dilation[d] + 1, size[d]);
    while (first < 0)
      first += dilation[d];
    return Span{first, end, dilation[d], 1};
  });
}

void evalAvgPool(EvalCall &call) {
  size_t spatial = spatialRank(call);
  Three kernel = three(call, "kernel_size", spatial, 1, {1});
  Ints window(kernel.end() - spatial, kernel.end());
  Three stride = three(call, "stride", spatial, 1, window);
  Three padding = three(call, "padding", spatial, 0, {0});
  Three size = planesOf(call.self(), spatial).size;
  bool countsPadding = call.flag("count_include_pad");
  averagePool(call, spatial, [&](int d, int64_t i) {
    int64_t first = i * stride[d] - padding[d];
    int64_t end = std::min(first + kernel[d], size[d] + padding[d]);
    int64_t padded = end - first;
    first = std::max<int64_t>(first, 0);
    end = std::min(end, size[d]);
    return Span{first, end, 1, countsPadding ? padded : end - first};
  });
}

void evalAdaptivePool(EvalCall &call) {
  size_t spatial = spatialRank(call);
  Three in = planesOf(call.self(), spatial).size, out = planesOf(call.out(), spatial).size;
  auto spanOf = [&](int d, int64_t i) { return adaptiveSpan(i, in[d], out[d]); };
  if (call.op.baseName().contains("max"))
    maxPool(call, spatial, spanOf);
  else
    averagePool(call, spatial, spanOf);
}

/// Scales as eager takes them: from the factors where given, else from the sizes.
void evalUpsample(EvalCall &call) {
  size_t spatial = spatialRank(call);
  Planes in = planesOf(call.self(), spatial), out = planesOf(call.out(), spatial);
  if (call.has("align_corners") && isInteger(call.out().dtype()))
    return call.unsupported("interpolation of bytes: eager computes it in fixed point");
  bool isLinear = call.has("align_corners"), isAligned = isLinear && call.flag("align_corners");
  HostValue::FloatList given;
  if (call.has("scale_factors")) {
    if (const auto *list = call.arg("scale_factors").getIf<HostValue::FloatList>())
      given = *list;
  } else {
    for (llvm::StringRef name : {"scales_h", "scales_w"})
      if (!call.arg(name).isNone())
        given.push_back(call.real(name));
  }
  // Nearest places are found in float, linear ones in the type itself.
  bool isWide = isLinear && call.out().dtype() == DType::Float64;
  auto rounded = [&](double x) { return isWide ? x : double(float(x)); };
  std::array<double, 3> scale;
  for (size_t d = 0; d < 3; ++d) {
    size_t fromEnd = 3 - d;
    // Pictures that keep a size or double it: eager takes the places from the sizes.
    bool isPlain =
        !isLinear && spatial == 2 && (out.size[d] == in.size[d] || out.size[d] == 2 * in.size[d]);
    bool isGiven = given.size() == spatial && fromEnd <= spatial && !isPlain;
    scale[d] =
        rounded(isGiven ? 1 / given[spatial - fromEnd] : double(in.size[d]) / double(out.size[d]));
    if (isAligned)
      scale[d] = out.size[d] > 1 ? rounded(double(in.size[d] - 1) / double(out.size[d] - 1)) : 0;
  }
  // Two neighbours and the weight of the second.
  struct Place {
    int64_t first, second;
    double weight;
  };
  auto placeOf = [&](int d, int64_t i) -> Place {
    int64_t last = in.size[d] - 1;
    if (!isLinear) {
      int64_t nearest = std::min(int64_t(std::floor(float(i) * float(scale[d]))), last);
      return {nearest, nearest, 0};
    }
    if (in.size[d] == out.size[d])
      return {i, i, 0};
    double at = isAligned ? rounded(scale[d] * double(i))
                          : std::max(rounded(rounded(scale[d] * (double(i) + 0.5)) - 0.5), 0.0);
    int64_t first = std::min(int64_t(at), last);
    return {first, std::min(first + 1, last), rounded(at - double(first))};
  };
  Array<double> x = load<double>(call.self()), values(out.count * out.area());
  for (int64_t p = 0; p < out.count; ++p)
    for (int64_t d = 0, place = p * out.area(); d < out.size[0]; ++d)
      for (int64_t h = 0; h < out.size[1]; ++h)
        for (int64_t w = 0; w < out.size[2]; ++w, ++place) {
          Place at[] = {placeOf(0, d), placeOf(1, h), placeOf(2, w)};
          // All corners count, those without weight as well: they make NaN of an infinity.
          for (unsigned corner = 0; corner < (isLinear ? 1U << spatial : 1U); ++corner) {
            double weight = 1;
            int64_t index = p;
            for (size_t k = 0; k < 3; ++k) {
              bool isSecond = k + spatial >= 3 && (corner >> (k + spatial - 3) & 1);
              weight *= isSecond ? at[k].weight : 1 - at[k].weight;
              index = index * in.size[k] + (isSecond ? at[k].second : at[k].first);
            }
            values[place] = corner ? values[place] + weight * x[index] : weight * x[index];
          }
        }
  store<double>(values, call.out());
}

} // namespace ptc::aten
