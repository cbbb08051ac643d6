//===- Index.cpp - Reading by index ----------------------------------------------------------===//
//
// In: a tensor and indices or masks. Out: the elements they name. Indices out of range raise what
// eager raises; sizes that depend on a mask are made here.
//
//===----------------------------------------------------------------------===//
#include "AdvancedIndex.h"
#include "Elements.h"

using namespace ptc;
using namespace ptc::aten;

static void copyElement(HostTensor &to, int64_t toOffset, const HostTensor &from,
                        int64_t fromOffset) {
  size_t width = to.elementBytes();
  std::copy_n(from.bytes() + fromOffset * int64_t(width), width,
              to.bytes() + toOffset * int64_t(width));
}

HostTensor ptc::aten::nonzeroOf(const HostTensor &tensor) {
  Array<int64_t> found;
  int64_t flat = 0;
  Array<Complex> values = load<Complex>(tensor);
  for (Complex value : values) {
    if (value != 0.0) {
      Ints index(tensor.dim());
      for (int64_t d = tensor.dim(), rest = flat; d-- > 0; rest /= tensor.size(d))
        index[d] = rest % tensor.size(d);
      found.insert(found.end(), index.begin(), index.end());
    }
    ++flat;
  }
  int64_t rank = tensor.dim();
  int64_t count =
      rank ? int64_t(found.size()) / rank : int64_t(!values.empty() && values[0] != 0.0);
  HostTensor result = HostTensor::zeros(DType::Int64, {count, rank});
  std::copy(found.begin(), found.end(), result.data<int64_t>());
  return result;
}

AdvancedIndex::AdvancedIndex(EvalCall &call, const HostTensor &self,
                             llvm::ArrayRef<HostTensor> given) {
  // Masks become one index per dimension that they cover.
  llvm::SmallVector<HostTensor, 4> indices;
  for (const HostTensor &index : given) {
    bool isMask = index.isDefined() && (isBool(index.dtype()) || index.dtype() == DType::UInt8);
    if (!isMask) {
      indices.push_back(index);
      continue;
    }
    HostTensor places = nonzeroOf(index);
    for (int64_t d = 0; d < index.dim(); ++d)
      indices.push_back(places.view({places.size(0)}, {places.size(1)}, d));
  }
  indices.resize(self.dim());
  for (const HostTensor &index : indices) {
    if (!index.isDefined())
      continue;
    Ints merged(std::max<size_t>(shape.size(), index.dim()), 1);
    for (size_t d = 0; d < merged.size(); ++d) {
      int64_t a = d < merged.size() - shape.size() ? 1 : shape[d - (merged.size() - shape.size())];
      int64_t missing = int64_t(merged.size()) - index.dim();
      int64_t b = int64_t(d) < missing ? 1 : index.size(int64_t(d) - missing);
      if (a != b && a != 1 && b != 1) {
        call.raise(PyErrorKind::IndexError,
                   "shape mismatch: indexing tensors could not be broadcast together");
        return;
      }
      merged[d] = a == 1 ? b : a;
    }
    shape = merged;
  }
  addOffsets(call, self, indices);
}

void AdvancedIndex::addOffsets(EvalCall &call, const HostTensor &self,
                               llvm::ArrayRef<HostTensor> indices) {
  indexed.assign(product(shape), 0);
  int64_t rows = 1; // elements that each index stands for
  for (int64_t d = 0; d < self.dim(); ++d) {
    rows *= indices[d].isDefined() ? 1 : self.size(d);
    if (indices[d].isDefined() && self.size(d) == 0 && !indexed.empty())
      return call.raise(PyErrorKind::IndexError,
                        "index is out of bounds for dimension with size 0");
  }
  int64_t first = -1, last = -1, count = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (!indices[d].isDefined()) {
      sizes.push_back(self.size(d));
      strides.push_back(self.stride(d));
      continue;
    }
    if (first < 0) {
      first = d;
      place = sizes.size();
    }
    last = d;
    ++count;
    Array<int64_t> values = load<int64_t>(expandTo(indices[d], shape));
    for (size_t i = 0; i < values.size(); ++i) {
      int64_t index = values[i] < 0 ? values[i] + self.size(d) : values[i];
      if (rows && (index < 0 || index >= self.size(d)))
        return call.raise(PyErrorKind::IndexError,
                          "index {0} is out of bounds for dimension {1} with size {2}", values[i],
                          count - 1, self.size(d));
      indexed[i] += index * self.stride(d);
    }
  }
  if (count && last - first + 1 != count) // apart: the indexed dimensions come first
    place = 0;
}

Ints AdvancedIndex::resultSizes() const {
  Ints result = sizes;
  result.insert(result.begin() + place, shape.begin(), shape.end());
  return result;
}

Array<int64_t> AdvancedIndex::offsets() const {
  Array<int64_t> result;
  llvm::ArrayRef<int64_t> allSizes(sizes), allStrides(strides);
  forEachOffset(allSizes.take_front(place), allStrides.take_front(place), [&](int64_t before) {
    for (int64_t middle : indexed)
      forEachOffset(allSizes.drop_front(place), allStrides.drop_front(place),
                    [&](int64_t after) { result.push_back(before + middle + after); });
  });
  return result;
}

namespace {

/// Elements along one dimension named by an index tensor of the same rank.
struct AlongDim {
  HostTensor self, index;
  int64_t dim;
};

} // namespace

/// Result positions take self's element with coordinate `dim` replaced.
static void gatherAlong(EvalCall &call, const AlongDim &along) {
  HostTensor self =
      along.self.dim() ? along.self : along.self.view({1}, {1}, along.self.storageOffset());
  HostTensor &out = call.out();
  Array<int64_t> indices = load<int64_t>(along.index), places;
  forEachOffset(out.sizes(), out.strides(), [&](int64_t o) { places.push_back(o); });
  for (size_t flat = 0; flat < indices.size(); ++flat) {
    int64_t index = indices[flat], size = self.size(along.dim);
    if (index < 0 || index >= size)
      return call.raise(PyErrorKind::RuntimeError,
                        "index {0} is out of bounds for dimension {1} with size {2}", index,
                        along.dim, size);
    int64_t from = index * self.stride(along.dim);
    for (int64_t d = along.index.dim(), rest = int64_t(flat); d-- > 0; rest /= along.index.size(d))
      if (d != along.dim)
        from += rest % along.index.size(d) * self.stride(d);
    copyElement(out, places[flat], self, from);
  }
}

namespace ptc::aten {

static void indexTensors(EvalCall &call) {
  const HostTensor &self = call.self();
  AdvancedIndex index(call, self, call.arg("indices").get<HostValue::TensorList>());
  if (call.failed())
    return;
  if (call.outs.empty())
    call.outs.push_back(HostTensor::zeros(self.dtype(), index.resultSizes()));
  HostTensor &out = call.out();
  Array<int64_t> from = index.offsets();
  size_t next = 0;
  forEachOffset(out.sizes(), out.strides(),
                [&](int64_t o) { copyElement(out, o, self, from[next++]); });
}
void evalIndex(EvalCall &call) { indexTensors(call); }
void evalIndexTensors(EvalCall &call) { indexTensors(call); }

/// Whether `index` names one of the rows of `self` along `dim`; raises if not, as the kernel that
/// eager chooses for it.
static bool isRow(EvalCall &call, const HostTensor &self, int64_t dim, int64_t index) {
  int64_t size = self.dim() ? self.size(dim) : 1;
  if (index >= 0 && index < size)
    return true;
  bool isEmpty = self.dim() > 1 && self.numel() == 0;
  if (isEmpty && size == 0)
    call.raise(PyErrorKind::RuntimeError,
               "index_select(): self indexing axis dim should be positive");
  else if (isEmpty || (dim == 1 && self.dim() > 1))
    call.raise(PyErrorKind::RuntimeError,
               "INDICES element is out of DATA bounds, id={0} axis_dim={1}", index, size);
  else
    call.raise(PyErrorKind::IndexError, "index out of range in self");
  return false;
}

void evalIndexSelect(EvalCall &call) {
  const HostTensor &self = call.self();
  HostTensor &out = call.out();
  int64_t dim = call.dim("dim", self.dim()), next = 0;
  for (int64_t index : load<int64_t>(call.tensor("index"))) {
    if (!isRow(call, self, dim, index))
      return;
    if (self.dim() == 0) {
      copyElement(out, 0, self, 0);
      continue;
    }
    Ints sizes(self.sizes());
    sizes[dim] = 1;
    out.view(sizes, out.strides(), out.storageOffset() + next++ * out.stride(dim))
        .copyFrom(
            self.view(sizes, self.strides(), self.storageOffset() + index * self.stride(dim)));
  }
}

void evalGather(EvalCall &call) {
  gatherAlong(call, {call.self(), call.tensor("index"), call.dim("dim", call.self().dim())});
}

/// Indices beyond the dimension count on from its start.
static HostTensor wrapIndices(EvalCall &call, const HostTensor &index, int64_t size) {
  HostTensor wrapped = HostTensor::zeros(DType::Int64, index.sizes());
  Array<int64_t> values = load<int64_t>(index);
  if (size == 0 && !values.empty())
    call.raise(PyErrorKind::RuntimeError, "ZeroDivisionError");
  for (size_t i = 0; i < values.size() && size; ++i)
    wrapped.data<int64_t>()[i] = (values[i] % size + size) % size;
  return wrapped;
}

/// Both broadcast, but for `dim`; without it both are flattened.
void evalTakeAlongDim(EvalCall &call) {
  HostTensor self = call.self(), index = call.tensor("indices");
  int64_t dim = 0;
  if (call.arg("dim").isNone()) {
    self = self.contiguous();
    self = self.view({self.numel()}, {1}, self.storageOffset());
    index = index.contiguous();
    index = index.view({index.numel()}, {1}, index.storageOffset());
  } else {
    dim = call.dim("dim", self.dim());
    Ints selfSizes(call.out().sizes()), indexSizes(call.out().sizes());
    selfSizes[dim] = self.size(dim);
    self = expandTo(self, selfSizes);
    index = wrapIndices(call, expandTo(index, indexSizes), self.dim() ? self.size(dim) : 1);
    if (call.failed())
      return;
  }
  gatherAlong(call, {self, index, dim});
}

void evalMaskedSelect(EvalCall &call) {
  const HostTensor &mask = call.tensor("mask"), &self = call.self();
  Ints sizes(std::max(self.dim(), mask.dim()), 1);
  for (const HostTensor &t : {self, mask})
    for (int64_t d = 0; d < t.dim(); ++d)
      if (t.size(d) != 1)
        sizes[sizes.size() - t.dim() + d] = t.size(d);
  HostTensor source = expandTo(self, sizes).contiguous();
  Array<int64_t> kept, wanted = load<int64_t>(expandTo(mask, sizes));
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i])
      kept.push_back(int64_t(i));
  HostTensor out = HostTensor::zeros(self.dtype(), {int64_t(kept.size())});
  for (size_t i = 0; i < kept.size(); ++i)
    copyElement(out, int64_t(i), source, kept[i]);
  call.results.push_back(out);
}

/// Column-major, as eager's kernel leaves it.
void evalNonzero(EvalCall &call) {
  HostTensor found = nonzeroOf(call.self());
  HostTensor out = HostTensor::zerosStrided(DType::Int64, found.sizes(), {1, found.size(0)});
  out.copyFrom(found);
  call.results.push_back(out);
}

void evalNonzeroList(EvalCall &call) {
  HostTensor self = call.self();
  if (self.dim() == 0)
    self = self.view({1}, {1}, self.storageOffset());
  HostTensor found = nonzeroOf(self);
  HostTensor columns = HostTensor::zerosStrided(DType::Int64, found.sizes(), {1, found.size(0)});
  columns.copyFrom(found);
  HostValue::TensorList list;
  for (int64_t d = 0; d < found.size(1); ++d)
    list.push_back(columns.view({found.size(0)}, {1}, d * found.size(0)));
  call.results.push_back(std::move(list));
}

void evalEmbedding(EvalCall &call) {
  const HostTensor &weight = call.tensor("weight");
  HostTensor &out = call.out();
  int64_t width = weight.size(1), row = 0;
  HostTensor rows = out.contiguous(), table = weight.contiguous();
  for (int64_t index : load<int64_t>(call.tensor("indices"))) {
    if (!isRow(call, weight, 0, index))
      return;
    std::copy_n(table.bytes() + index * width * int64_t(table.elementBytes()),
                size_t(width) * table.elementBytes(),
                rows.bytes() + row++ * width * int64_t(table.elementBytes()));
  }
  if (!out.isContiguous())
    out.copyFrom(rows);
}

void evalOneHot(EvalCall &call) {
  const HostTensor &self = call.self();
  Array<int64_t> classes = load<int64_t>(self);
  int64_t most = -1, least = 0, count = call.integer("num_classes");
  for (int64_t c : classes) {
    most = std::max(most, c);
    least = std::min(least, c);
  }
  if (least < 0)
    return call.raise(PyErrorKind::RuntimeError, "Class values must be non-negative.");
  if (count >= 0 && most >= count)
    return call.raise(PyErrorKind::RuntimeError, "Class values must be smaller than num_classes.");
  if (count < 0)
    count = most + 1;
  Ints sizes(self.sizes());
  sizes.push_back(count);
  HostTensor out = HostTensor::zeros(DType::Int64, sizes);
  for (size_t i = 0; i < classes.size(); ++i)
    out.data<int64_t>()[int64_t(i) * count + classes[i]] = 1;
  call.results.push_back(out);
}

} // namespace ptc::aten
