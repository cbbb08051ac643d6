//===- Matmul.cpp - Products of matrices and vectors, attention -----------------------===//
//
// In: matrices, batches of them, vectors. Out: sums of products, in double or int64_t, in the order
// of the inner dimension.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"

#include <cmath>
#include <limits>

using namespace ptc;
using namespace ptc::aten;

template <typename T> static T numberOf(const HostValue &value) {
  return convertElement<T>(value.asComplex());
}

/// The largest finite part of an element.
template <typename T> static double largestOf(const Array<T> &values) {
  double most = 0;
  for (T v : values)
    for (double part : {std::fabs(double(std::real(v))), std::fabs(double(std::imag(v)))})
      if (std::isfinite(part))
        most = std::max(most, part);
  return most;
}

/// [b, n, k] x [b, k, m] -> [b, n, m]; a batch of one repeats. Terms that eager's type does not
/// hold are infinite to it, and of both signs NaN.
template <typename T> static Array<T> multiply(const HostTensor &a, const HostTensor &b) {
  int64_t batch = std::max(a.size(0), b.size(0)), n = a.size(1), k = a.size(2), m = b.size(2);
  if (a.size(0) == 0 || b.size(0) == 0)
    batch = 0;
  Array<T> x = load<T>(a), y = load<T>(b), z(batch * n * m);
  DType type = sumType(a.dtype());
  bool isLarge = std::isinf(inRange(2 * largestOf(x) * largestOf(y), type));
  for (int64_t g = 0; g < batch; ++g)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t l = 0; l < k; ++l) {
        T left = x[((a.size(0) == 1 ? 0 : g) * n + i) * k + l];
        const T *right = &y[((b.size(0) == 1 ? 0 : g) * k + l) * m];
        for (int64_t j = 0; j < m; ++j)
          z[(g * n + i) * m + j] += isLarge ? inRange(left * right[j], type) : left * right[j];
      }
  return z;
}

/// As three dimensions: batches flattened after broadcasting to `batch`, a matrix, a vector as a
/// row (`isLeft`) or a column.
static HostTensor asBatch(const HostTensor &t, llvm::ArrayRef<int64_t> batch, bool isLeft) {
  if (t.dim() == 1) {
    Ints sizes{1, t.size(0)}, strides{0, t.stride(0)};
    if (!isLeft) {
      std::swap(sizes[0], sizes[1]);
      std::swap(strides[0], strides[1]);
    }
    return t.view({1, sizes[0], sizes[1]}, {0, strides[0], strides[1]}, t.storageOffset());
  }
  Ints sizes(batch);
  sizes.append({t.size(t.dim() - 2), t.size(t.dim() - 1)});
  HostTensor dense = expandTo(t, sizes).contiguous();
  Ints flat{product(batch), sizes[sizes.size() - 2], sizes.back()};
  return dense.view(flat, contiguousStrides(flat), dense.storageOffset());
}

static Ints broadcastBatch(const HostTensor &a, const HostTensor &b) {
  Ints batch;
  int64_t ra = std::max<int64_t>(a.dim() - 2, 0), rb = std::max<int64_t>(b.dim() - 2, 0);
  int64_t rank = std::max(ra, rb);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t sa = d < rank - ra ? 1 : a.size(d - (rank - ra));
    int64_t sb = d < rank - rb ? 1 : b.size(d - (rank - rb));
    batch.push_back(sa == 1 ? sb : sa);
  }
  return batch;
}

/// out = a x b as torch.matmul reads their dimensions.
static void matmulInto(HostTensor &out, const HostTensor &a, const HostTensor &b) {
  Ints batch = broadcastBatch(a, b);
  visitWide(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    store<T>(multiply<T>(asBatch(a, batch, true), asBatch(b, batch, false)), out);
  });
}

/// out = beta * self + alpha * (a x b); a beta of zero drops self, NaN included.
static void addProduct(EvalCall &call, const HostTensor &a, const HostTensor &b) {
  HostTensor &out = call.out();
  Ints batch = broadcastBatch(a, b);
  visitWide(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T beta = numberOf<T>(call.arg("beta")), alpha = numberOf<T>(call.arg("alpha"));
    Array<T> z = multiply<T>(asBatch(a, batch, true), asBatch(b, batch, false));
    Array<T> added = load<T>(expandTo(call.self(), out.sizes()));
    for (size_t i = 0; i < z.size(); ++i)
      z[i] = beta == T(0) ? alpha * z[i] : beta * added[i] + alpha * z[i];
    store<T>(z, out);
  });
}

namespace {

/// scaled_dot_product_attention's arguments; heads of key and value repeat when there are fewer.
struct Attention {
  HostTensor query, key, value; ///< three dimensions
  Array<double> mask;           ///< added to the scores; empty: none
  bool isCausal;
  double scale;

  Array<double> run() const {
    Array<double> q = load<double>(query), k = load<double>(key), v = load<double>(value);
    int64_t batch = query.size(0), rows = query.size(1), columns = key.size(1);
    int64_t width = query.size(2), outWidth = value.size(2);
    Array<double> out(batch * rows * outWidth), scores(columns);
    for (int64_t g = 0; g < batch; ++g)
      for (int64_t i = 0; i < rows; ++i) {
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (int64_t j = 0; j < columns; ++j) {
          double score = 0;
          for (int64_t e = 0; e < width; ++e)
            score += q[(g * rows + i) * width + e] * k[(g * columns + j) * width + e];
          score *= scale;
          if (!mask.empty())
            score += mask[(g * rows + i) * columns + j];
          if (isCausal && j > i)
            score = -std::numeric_limits<double>::infinity();
          scores[j] = score;
          most = std::isnan(score) ? score : std::max(most, score);
        }
        if (std::isinf(most) && most < 0) // a row that sees nothing is zero
          continue;
        for (double &score : scores)
          sum += score = std::exp(score - most);
        for (int64_t j = 0; j < columns; ++j)
          for (int64_t e = 0; e < outWidth; ++e)
            out[(g * rows + i) * outWidth + e] +=
                scores[j] / sum * v[(g * columns + j) * outWidth + e];
      }
    return out;
  }
};

} // namespace

/// Repeats each head of dimension -3 so that there are `heads`.
static HostTensor repeatHeads(const HostTensor &t, int64_t heads) {
  int64_t d = t.dim() - 3;
  if (t.size(d) == heads || t.size(d) == 0)
    return t;
  Ints sizes(t.sizes()), strides(t.strides());
  int64_t times = heads / t.size(d);
  sizes.insert(sizes.begin() + d + 1, times);
  strides.insert(strides.begin() + d + 1, 0);
  HostTensor dense = t.view(sizes, strides, t.storageOffset()).clone();
  sizes.erase(sizes.begin() + d + 1);
  sizes[d] = heads;
  return dense.view(sizes, contiguousStrides(sizes), 0);
}

namespace ptc::aten {

void evalMm(EvalCall &call) { matmulInto(call.out(), call.self(), call.tensor("mat2")); }
void evalBmm(EvalCall &call) { matmulInto(call.out(), call.self(), call.tensor("mat2")); }
void evalMv(EvalCall &call) { matmulInto(call.out(), call.self(), call.tensor("vec")); }
void evalDot(EvalCall &call) { matmulInto(call.out(), call.self(), call.tensor("tensor")); }
void evalMatmul(EvalCall &call) { matmulInto(call.out(), call.self(), call.tensor("other")); }
void evalAddmm(EvalCall &call) { addProduct(call, call.tensor("mat1"), call.tensor("mat2")); }
void evalBaddbmm(EvalCall &call) { addProduct(call, call.tensor("batch1"), call.tensor("batch2")); }
void evalAddmv(EvalCall &call) { addProduct(call, call.tensor("mat"), call.tensor("vec")); }

void evalOuter(EvalCall &call) {
  HostTensor &out = call.out();
  HostTensor a = convertTensor(call.self(), out.dtype());
  HostTensor b = convertTensor(call.tensor("vec2"), out.dtype());
  visitWide(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Array<T> x = load<T>(a), y = load<T>(b), z;
    z.reserve(x.size() * y.size());
    for (T left : x)
      for (T right : y)
        z.push_back(left * right);
    store<T>(z, out);
  });
}

void evalLinear(EvalCall &call) {
  const HostTensor &weight = call.tensor("weight"), *bias = call.optional("bias");
  HostTensor &out = call.out();
  HostTensor turned = weight; // [k] stays a vector
  if (weight.dim() == 2)
    turned = weight.view({weight.size(1), weight.size(0)}, {weight.stride(1), weight.stride(0)},
                         weight.storageOffset());
  visitWide(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    Ints batch = broadcastBatch(call.self(), turned);
    Array<T> z = multiply<T>(asBatch(call.self(), batch, true), asBatch(turned, batch, false));
    if (bias) {
      Array<T> added = load<T>(expandTo(*bias, out.sizes()));
      for (size_t i = 0; i < z.size(); ++i)
        z[i] += added[i];
    }
    store<T>(z, out);
  });
}

void evalAttention(EvalCall &call) {
  HostTensor query = call.tensor("query"), key = call.tensor("key"), value = call.tensor("value");
  if (call.real("dropout_p") != 0)
    return call.unsupported("dropout inside attention: eager's numbers depend on its kernel");
  if (call.flag("enable_gqa")) {
    key = repeatHeads(key, query.size(query.dim() - 3));
    value = repeatHeads(value, query.size(query.dim() - 3));
  }
  Ints batch = broadcastBatch(query, key);
  if (value.dim() > int64_t(batch.size()) + 2)
    return call.unsupported("attention whose values have more dimensions than its keys");
  Attention attention{asBatch(query, batch, true), asBatch(key, batch, true),
                      asBatch(value, batch, true), {},
                      call.flag("is_causal"),      0};
  attention.scale =
      call.arg("scale").isNone() ? 1 / std::sqrt(double(query.sizes().back())) : call.real("scale");
  if (const HostTensor *mask = call.optional("attn_mask")) {
    Ints sizes(batch);
    sizes.append({query.size(query.dim() - 2), key.size(key.dim() - 2)});
    attention.mask = load<double>(expandTo(*mask, sizes));
    if (isBool(mask->dtype()))
      for (double &m : attention.mask)
        m = m != 0 ? 0 : -std::numeric_limits<double>::infinity();
  }
  store<double>(attention.run(), call.out());
}

} // namespace ptc::aten
