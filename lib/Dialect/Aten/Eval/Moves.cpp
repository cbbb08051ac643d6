//===- Moves.cpp - Overloads that copy elements to other places ------------------===//
//
// In: tensors. Out: the same elements converted, repeated, joined, shifted or padded. Views are
// made from meta alone (Evaluate.cpp); what comes here of a view rule is the copy that eager makes
// where strides do not allow a view.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"

using namespace ptc;
using namespace ptc::aten;

/// The elements of argument 0 in row-major order, converted to the result's type.
static void copyElements(EvalCall &call) {
  HostTensor source = convertTensor(call.self(), call.out().dtype()).contiguous();
  HostTensor &out = call.out();
  out.copyFrom(source.view(out.sizes(), contiguousStrides(out.sizes()), source.storageOffset()));
}

/// out[i] = source[index(i)] with `index` in elements of the row-major source.
template <typename Index>
static void gatherElements(EvalCall &call, const HostTensor &source, Index &&index) {
  HostTensor dense = source.contiguous();
  HostTensor &out = call.out();
  assert(dense.dtype() == out.dtype());
  size_t width = out.elementBytes();
  int64_t next = 0;
  forEachOffset(out.sizes(), out.strides(), [&](int64_t o) {
    std::copy_n(dense.bytes() + index(next++) * int64_t(width), width,
                out.bytes() + o * int64_t(width));
  });
}

/// Copies `source` to the part of `out` that starts at `offset` with `out`'s strides times `steps`.
static void copyInto(HostTensor &out, int64_t offset, llvm::ArrayRef<int64_t> strides,
                     const HostTensor &source) {
  if (source.numel())
    out.view(source.sizes(), strides, out.storageOffset() + offset)
        .copyFrom(convertTensor(source, out.dtype()));
}

namespace ptc::aten {

#define PTC_COPY(Rule)                                                                             \
  void eval##Rule(EvalCall &call) { copyElements(call); }
PTC_COPY(View)
PTC_COPY(ViewDType)
PTC_COPY(Reshape)
PTC_COPY(ViewAs)
PTC_COPY(ReshapeAs)
PTC_COPY(Flatten)
PTC_COPY(Unflatten)
PTC_COPY(Squeeze)
PTC_COPY(Unsqueeze)
PTC_COPY(Expand)
PTC_COPY(ExpandAs)
PTC_COPY(AsStrided)
PTC_COPY(Permute)
PTC_COPY(Transpose)
PTC_COPY(MatrixTranspose)
PTC_COPY(Movedim)
PTC_COPY(Select)
PTC_COPY(Slice)
PTC_COPY(Narrow)
PTC_COPY(Diagonal)
PTC_COPY(Unfold)
PTC_COPY(Split)
PTC_COPY(SplitSizes)
PTC_COPY(Chunk)
PTC_COPY(TensorSplit)
PTC_COPY(Unbind)
PTC_COPY(Alias)
PTC_COPY(ViewAsReal)
PTC_COPY(ViewAsComplex)
PTC_COPY(Real)
PTC_COPY(Contiguous)
PTC_COPY(To)
PTC_COPY(ToCopy)
PTC_COPY(Clone)
#undef PTC_COPY

void evalCat(EvalCall &call) {
  HostTensor &out = call.out();
  int64_t dim = call.dim("dim", out.dim()), start = 0;
  for (const HostTensor &tensor : call.arg("tensors").get<HostValue::TensorList>()) {
    if (tensor.dim() == 1 && tensor.size(0) == 0) // eager skips these, whatever the rank
      continue;
    copyInto(out, start * out.stride(dim), out.strides(), tensor);
    start += tensor.size(dim);
  }
}

void evalStack(EvalCall &call) {
  HostTensor &out = call.out();
  int64_t dim = call.dim("dim", out.dim()), index = 0;
  Ints strides(out.strides());
  strides.erase(strides.begin() + dim);
  for (const HostTensor &tensor : call.arg("tensors").get<HostValue::TensorList>())
    copyInto(out, index++ * out.stride(dim), strides, tensor);
}

/// repeat and tile: each index wraps around the source's size.
static void repeatElements(EvalCall &call) {
  const HostTensor &self = call.self();
  HostTensor &out = call.out();
  int64_t missing = out.dim() - self.dim();
  gatherElements(call, self, [&](int64_t flat) {
    int64_t source = 0, scale = 1;
    for (int64_t d = out.dim(); d-- > missing;) {
      source += flat % out.size(d) % self.size(d - missing) * scale;
      scale *= self.size(d - missing);
      flat /= out.size(d);
    }
    return source;
  });
}
void evalRepeat(EvalCall &call) { repeatElements(call); }
void evalTile(EvalCall &call) { repeatElements(call); }

void evalRepeatInterleave(EvalCall &call) {
  HostTensor source = call.self().contiguous();
  int64_t dim = 0;
  if (call.arg("dim").isNone())
    source = source.view({source.numel()}, {1}, source.storageOffset());
  else
    dim = call.dim("dim", source.dim());
  Axis axis(source.sizes(), dim);
  Array<int64_t> from; // the source index of each entry along dim
  const auto *counts = call.arg("repeats").getIf<HostTensor>();
  Array<int64_t> repeats =
      counts ? load<int64_t>(*counts) : Array<int64_t>{call.integer("repeats")};
  for (int64_t i = 0; i < axis.size; ++i) {
    int64_t count = repeats[repeats.size() == 1 ? 0 : i];
    if (count < 0)
      return call.raise(PyErrorKind::RuntimeError, "repeats can not be negative");
    from.insert(from.end(), count, i);
  }
  if (call.outs.empty()) {
    Ints sizes(source.sizes());
    if (sizes.empty())
      sizes.push_back(1);
    sizes[dim] = int64_t(from.size());
    call.outs.push_back(HostTensor::zeros(source.dtype(), sizes));
  }
  int64_t count = int64_t(from.size());
  if (call.out().dim() && call.out().size(dim) != count)
    return call.raise(PyErrorKind::RuntimeError, "allocated size does not match required size");
  gatherElements(call, source, [&](int64_t flat) {
    int64_t n = flat % axis.inner, i = flat / axis.inner % count, o = flat / axis.inner / count;
    return axis.at(o, from[i], n);
  });
}

void evalRoll(EvalCall &call) {
  HostTensor source = call.self();
  Ints shifts = call.ints("shifts"), dims = call.ints("dims");
  Ints sizes(source.sizes());
  if (dims.empty()) {
    dims = {0};
    sizes = {source.numel()};
  }
  gatherElements(call, source, [&](int64_t flat) {
    int64_t from = 0, scale = 1;
    for (int64_t d = int64_t(sizes.size()); d-- > 0; flat /= sizes[d], scale *= sizes[d]) {
      int64_t i = flat % sizes[d];
      for (auto [dim, shift] : llvm::zip_equal(dims, shifts))
        if (EvalCall::wrapDim(dim, int64_t(sizes.size())) == d)
          i = ((i - shift) % sizes[d] + sizes[d]) % sizes[d];
      from += i * scale;
    }
    return from;
  });
}

void evalFlip(EvalCall &call) {
  const HostTensor &self = call.self();
  Ints dims = call.ints("dims");
  llvm::SmallVector<bool, 6> mask(self.dim(), false);
  for (int64_t d : dims)
    if (self.dim())
      mask[EvalCall::wrapDim(d, self.dim())] = true;
  gatherElements(call, self, [&](int64_t flat) {
    int64_t from = 0, scale = 1;
    for (int64_t d = self.dim(); d-- > 0; flat /= self.size(d), scale *= self.size(d)) {
      int64_t i = flat % self.size(d);
      from += (mask[d] ? self.size(d) - 1 - i : i) * scale;
    }
    return from;
  });
}

/// `pad` counts from the last dimension: before, after; negative ones cut.
static void padWith(EvalCall &call, Complex value) {
  HostTensor source = call.self().contiguous();
  HostTensor &out = call.out();
  Ints pad = call.ints("pad"), starts(source.dim(), 0);
  for (size_t i = 0; i + 1 < pad.size(); i += 2)
    starts[source.dim() - 1 - int64_t(i / 2)] = pad[i];
  out.copyFrom(expandTo(scalarTensor(out.dtype(), value), out.sizes()));
  Ints from(source.dim(), 0), to(source.dim(), 0), sizes(source.dim(), 0);
  int64_t fromOffset = 0, toOffset = 0;
  for (int64_t d = 0; d < source.dim(); ++d) {
    from[d] = std::max<int64_t>(-starts[d], 0);
    to[d] = std::max<int64_t>(starts[d], 0);
    sizes[d] = std::min(source.size(d) - from[d], out.size(d) - to[d]);
    if (sizes[d] <= 0)
      return;
    fromOffset += from[d] * source.stride(d);
    toOffset += to[d] * out.stride(d);
  }
  copyInto(out, toOffset, out.strides(),
           source.view(sizes, source.strides(), source.storageOffset() + fromOffset));
}

void evalConstantPad(EvalCall &call) { padWith(call, call.arg("value").asComplex()); }

/// Where entry `i` of a dimension of `size`, padded by mode, comes from.
static int64_t paddedFrom(llvm::StringRef mode, int64_t i, int64_t size, int64_t before,
                          int64_t after) {
  if (mode == "circular") { // what is cut off is not repeated
    int64_t cut = std::max<int64_t>(-before, 0);
    int64_t kept = size - cut - std::max<int64_t>(-after, 0);
    i -= std::max<int64_t>(before, 0);
    return cut + (i % kept + kept) % kept;
  }
  i -= before;
  if (mode == "replicate")
    return std::clamp<int64_t>(i, 0, size - 1);
  assert(mode == "reflect" && "meta checked the mode");
  i = i < 0 ? -i : i;
  return i >= size ? 2 * (size - 1) - i : i;
}

void evalPad(EvalCall &call) {
  llvm::StringRef mode = call.text("mode");
  if (mode == "constant")
    return padWith(call, call.arg("value").isNone() ? 0 : call.arg("value").asComplex());
  const HostTensor &self = call.self();
  HostTensor &out = call.out();
  Ints pad = call.ints("pad");
  gatherElements(call, self, [&](int64_t flat) {
    int64_t from = 0, scale = 1;
    for (int64_t d = self.dim(); d-- > 0; flat /= out.size(d), scale *= self.size(d)) {
      size_t k = size_t(self.dim() - 1 - d) * 2;
      bool isPadded = k < pad.size();
      from += paddedFrom(mode, flat % out.size(d), self.size(d), isPadded ? pad[k] : 0,
                         isPadded ? pad[k + 1] : 0) *
              scale;
    }
    return from;
  });
}

void evalTriangle(EvalCall &call) {
  HostTensor &out = call.out();
  out.copyFrom(call.self());
  int64_t diagonal = call.integer("diagonal"), rank = out.dim();
  bool isLower = call.op.baseName() == "tril";
  HostTensor zero = scalarTensor(out.dtype(), 0);
  Ints outer(out.sizes().drop_back(2)), outerStrides(out.strides().drop_back(2));
  forEachOffset(outer, outerStrides, [&](int64_t o) {
    for (int64_t i = 0; i < out.size(rank - 2); ++i)
      for (int64_t j = 0; j < out.size(rank - 1); ++j)
        if (isLower ? j - i > diagonal : j - i < diagonal)
          copyInto(out, o + i * out.stride(rank - 2) + j * out.stride(rank - 1), {}, zero);
  });
}

/// The diagonal `offset` of the last two of `sizes` and `strides`: start, length.
static std::pair<int64_t, int64_t> diagonalOf(int64_t rows, int64_t columns, int64_t rowStride,
                                              int64_t columnStride, int64_t offset) {
  int64_t length =
      offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns);
  return {offset >= 0 ? offset * columnStride : -offset * rowStride, std::max<int64_t>(length, 0)};
}

void evalDiag(EvalCall &call) {
  const HostTensor &self = call.self();
  HostTensor &out = call.out();
  int64_t offset = call.integer("diagonal");
  if (self.dim() == 1) {
    auto [start, length] =
        diagonalOf(out.size(0), out.size(1), out.stride(0), out.stride(1), offset);
    return copyInto(out, start, {out.stride(0) + out.stride(1)}, self);
  }
  auto [start, length] =
      diagonalOf(self.size(0), self.size(1), self.stride(0), self.stride(1), offset);
  copyInto(out, 0, out.strides(),
           self.view({length}, {self.stride(0) + self.stride(1)}, self.storageOffset() + start));
}

/// A view of the diagonal of dimensions dim1 and dim2 of `out`, last.
static std::pair<int64_t, Ints> diagonalView(EvalCall &call, const HostTensor &out) {
  int64_t dim1 = call.dim("dim1", out.dim()), dim2 = call.dim("dim2", out.dim());
  auto [start, length] = diagonalOf(out.size(dim1), out.size(dim2), out.stride(dim1),
                                    out.stride(dim2), call.integer("offset"));
  Ints strides;
  for (int64_t d = 0; d < out.dim(); ++d)
    if (d != dim1 && d != dim2)
      strides.push_back(out.stride(d));
  strides.push_back(out.stride(dim1) + out.stride(dim2));
  return {start, strides};
}

void evalDiagEmbed(EvalCall &call) {
  auto [start, strides] = diagonalView(call, call.out());
  copyInto(call.out(), start, strides, call.self());
}

void evalDiagonalScatter(EvalCall &call) {
  call.out().copyFrom(call.self());
  auto [start, strides] = diagonalView(call, call.out());
  copyInto(call.out(), start, strides, call.tensor("src"));
}

void evalSliceScatter(EvalCall &call) {
  HostTensor &out = call.out();
  out.copyFrom(call.self());
  int64_t dim = call.dim("dim", out.dim()), size = out.size(dim);
  int64_t start = call.arg("start").isNone() ? 0 : call.integer("start");
  start = std::clamp<int64_t>(start < 0 ? start + size : start, 0, size);
  Ints strides(out.strides());
  strides[dim] *= call.integer("step");
  copyInto(out, start * out.stride(dim), strides, call.tensor("src"));
}

void evalSelectScatter(EvalCall &call) {
  HostTensor &out = call.out();
  out.copyFrom(call.self());
  int64_t dim = call.dim("dim", out.dim()), index = call.integer("index");
  Ints strides(out.strides());
  strides.erase(strides.begin() + dim);
  copyInto(out, (index < 0 ? index + out.size(dim) : index) * out.stride(dim), strides,
           call.tensor("src"));
}

void evalAsStridedScatter(EvalCall &call) {
  HostTensor &out = call.out();
  out.copyFrom(call.self());
  int64_t offset = call.arg("storage_offset").isNone() ? 0 : call.integer("storage_offset");
  const HostTensor &src = call.tensor("src");
  std::optional<size_t> needed =
      storageBytes(out.dtype(), src.sizes(), call.ints("stride"), offset);
  if (!needed || *needed > out.storage()->size())
    return call.raise(
        PyErrorKind::RuntimeError,
        "setStorage: sizes, strides and storage offset require more bytes than the storage has");
  copyInto(out, offset, call.ints("stride"), src);
}

/// out[…, c, h * r + i, w * r + j] = in[…, c * r * r + i * r + j, h, w], or the reverse.
void evalPixelShuffle(EvalCall &call) {
  bool isShuffle = call.op.baseName() == "pixel_shuffle";
  int64_t r = call.integer(isShuffle ? "upscale_factor" : "downscale_factor");
  const HostTensor &big = isShuffle ? call.out() : call.self();
  int64_t rank = big.dim(), channels = big.size(rank - 3), h = big.size(rank - 2) / r,
          w = big.size(rank - 1) / r;
  // Index in the many-channel tensor of an element of the big one.
  auto small = [&](int64_t flat) {
    int64_t x = flat % (w * r), y = flat / (w * r) % (h * r), c = flat / (w * r * h * r) % channels;
    int64_t outer = flat / (w * r * h * r * channels);
    int64_t channel = c * r * r + y % r * r + x % r;
    return ((outer * channels * r * r + channel) * h + y / r) * w + x / r;
  };
  if (isShuffle)
    return gatherElements(call, call.self(), small);
  Array<int64_t> inverse(big.numel());
  for (int64_t flat = 0; flat < big.numel(); ++flat)
    inverse[small(flat)] = flat;
  gatherElements(call, call.self(), [&](int64_t flat) { return inverse[flat]; });
}

} // namespace ptc::aten
