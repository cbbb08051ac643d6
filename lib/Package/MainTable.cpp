//===- MainTable.cpp - What a compiled program knows beside its artefact -----------------===//
//
// In: a call, how results are shown. Out: an object with the ptc_main_table of Runtime/Main.h. The
// call's tensors go to a section that can be written, as the program may write them.
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/MainTable.h"

#include "ptc/Support/Error.h"

#include "TableObject.h"

#include <map>

using namespace ptc;
using namespace llvm::ELF;

namespace {

class MainWriter : TableObject {
public:
  explicit MainWriter(const MainExample &example)
      : example(example),
        writable(object.addSection(".data.ptc", SHF_ALLOC | SHF_WRITE, PTC_ALIGNMENT)) {}

  std::string run(llvm::StringRef name, const ShownResults &results, uint32_t numOutputs);

private:
  /// Bytes of a storage that leaves look at.
  struct Span {
    uint64_t begin = UINT64_MAX, end = 0;
    Place place = {0, 0};
  };

  void findSpans();
  Place tensor(const HostTensor &tensor);
  Place inputs();
  Place paths();
  Place diags();

  const MainExample &example;
  ElfObject::SectionId writable;
  std::map<const void *, Span> spans; ///< by storage
};

} // namespace

static uint64_t firstByte(const HostTensor &tensor) {
  return uint64_t(tensor.storageOffset()) * tensor.elementBytes();
}

/// Behind the last element.
static uint64_t endByte(const HostTensor &tensor) {
  if (tensor.numel() == 0)
    return firstByte(tensor);
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip_equal(tensor.sizes(), tensor.strides()))
    last += (size - 1) * stride;
  return firstByte(tensor) + uint64_t(last + 1) * tensor.elementBytes();
}

/// Storages may be whole files. Elements keep their alignment.
void MainWriter::findSpans() {
  std::vector<std::pair<Span *, const HostTensor *>> order;
  for (const MainLeaf &leaf : example.leaves) {
    if (leaf.value.tag != ptc_tag_Tensor)
      continue;
    Span &span = spans[leaf.tensor.storage().get()];
    if (span.begin > span.end)
      order.emplace_back(&span, &leaf.tensor);
    uint64_t begin = firstByte(leaf.tensor) / PTC_ALIGNMENT * PTC_ALIGNMENT;
    span.begin = std::min(span.begin, begin);
    span.end = std::max(span.end, endByte(leaf.tensor));
  }
  for (auto [span, tensor] : order) {
    llvm::StringRef bytes(reinterpret_cast<const char *>(tensor->storage()->data()),
                          tensor->storage()->size());
    bytes = bytes.slice(size_t(span->begin), size_t(span->end));
    span->place = {writable, object.append(writable, bytes, PTC_ALIGNMENT)};
  }
}

Place MainWriter::tensor(const HostTensor &tensor) {
  const Span &span = spans[tensor.storage().get()];
  const DTypeInfo &info = getDTypeInfo(tensor.dtype());
  DLTensor row = {nullptr,
                  {kDLCPU, 0},
                  int32_t(tensor.dim()),
                  {info.dlCode, uint8_t(info.bytes * 8), 1},
                  nullptr,
                  nullptr,
                  firstByte(tensor) - span.begin};
  Place place = rowsIn<DLTensor>(writable, row);
  std::vector<int64_t> sizes(tensor.sizes()), strides(tensor.strides());
  sizes.resize(std::max<size_t>(sizes.size(), 1)); // somewhere to point at
  strides.resize(sizes.size());
  point(place, offsetof(DLTensor, data), span.place);
  point(place, offsetof(DLTensor, shape), rowsIn<int64_t>(writable, sizes));
  point(place, offsetof(DLTensor, strides), rowsIn<int64_t>(writable, strides));
  return place;
}

/// Byte by byte, into zeros: values have padding.
Place MainWriter::inputs() {
  constexpr size_t kAs = offsetof(ptc_value, as);
  std::string bytes(example.leaves.size() * sizeof(ptc_value), '\0');
  std::vector<std::pair<size_t, Place>> pointers;
  for (auto [i, leaf] : llvm::enumerate(example.leaves)) {
    const ptc_value &value = leaf.value;
    char *row = bytes.data() + i * sizeof(ptc_value);
    size_t to = i * sizeof(ptc_value) + kAs;
    row[offsetof(ptc_value, tag)] = char(value.tag);
    row[offsetof(ptc_value, requires_grad)] = char(value.requires_grad);
    if (value.tag == ptc_tag_Tensor) {
      pointers.emplace_back(to, tensor(leaf.tensor));
    } else if (value.tag == ptc_tag_Str) {
      llvm::StringRef whole(value.as.str.data, value.as.str.length);
      pointers.emplace_back(to + offsetof(ptc_value, as.str.data) - kAs, text(whole));
      uint64_t length = whole.size();
      memcpy(row + offsetof(ptc_value, as.str.length), &length, sizeof length);
    } else if (value.tag == ptc_tag_DType) {
      memcpy(row + kAs, &value.as.dtype, sizeof value.as.dtype);
    } else if (value.tag != ptc_tag_None) {
      memcpy(row + kAs, &value.as.integer, sizeof value.as.integer);
    }
  }
  Place all = {writable, object.append(writable, bytes, alignof(ptc_value))};
  for (auto [offset, target] : pointers)
    point(all, offset, target);
  return all;
}

Place MainWriter::paths() {
  std::vector<uint64_t> list(std::max<size_t>(example.leaves.size(), 1));
  Place all = rows<uint64_t>(list, true);
  for (auto [i, leaf] : llvm::enumerate(example.leaves))
    pointText(all, i * sizeof(uint64_t), leaf.path);
  return all;
}

/// The rows of Diag.def that Runtime/MainDiags.def names.
Place MainWriter::diags() {
  static constexpr DiagId kIds[] = {
#define PTC_MAIN_DIAG(Name) DiagId::Name,
#include "ptc/Runtime/MainDiags.def"
  };
  static_assert(std::size(kIds) == ptc_num_main_diags);
  std::vector<ptc_main_diag> list;
  for (DiagId id : kIds)
    list.push_back({nullptr, nullptr, uint32_t(id), uint32_t(getDiagInfo(id).exitCode)});
  Place all = rows<ptc_main_diag>(list, true);
  for (auto [i, id] : llvm::enumerate(kIds)) {
    Place row = {all.section, all.offset + i * sizeof(ptc_main_diag)};
    pointText(row, offsetof(ptc_main_diag, text), getDiagInfo(id).text);
    pointText(row, offsetof(ptc_main_diag, hint), getDiagInfo(id).hint);
  }
  return all;
}

std::string MainWriter::run(llvm::StringRef name, const ShownResults &results,
                            uint32_t numOutputs) {
  findSpans();
  ptc_main_table row = {};
  row.num_inputs = uint32_t(example.leaves.size());
  row.structure = example.structure;
  row.num_outputs = numOutputs;
  row.num_variants = uint32_t(results.variantBegins.size() - 1);
  row.num_identities = results.numIdentities;
  row.has_seed = example.seed.has_value();
  row.seed = example.seed.value_or(0);
  Place table = rows<ptc_main_table>(row, true);
  object.define("ptc_this_main", table.section, table.offset, sizeof row);
  pointText(table, offsetof(ptc_main_table, entry), name);
  point(table, offsetof(ptc_main_table, diags), diags());
  pointText(table, offsetof(ptc_main_table, texts), results.texts);
  point(table, offsetof(ptc_main_table, shown), rows<ptc_shown>(results.nodes, false));
  point(table, offsetof(ptc_main_table, roots), rows<uint32_t>(results.roots, false));
  point(table, offsetof(ptc_main_table, variant_begins),
        rows<uint32_t>(results.variantBegins, false));
  point(table, offsetof(ptc_main_table, inputs), inputs());
  point(table, offsetof(ptc_main_table, paths), paths());
  return object.write();
}

std::string ptc::makeMainTable(llvm::StringRef name, const MainExample &example,
                               const ShownResults &results, uint32_t numOutputs) {
  return MainWriter(example).run(name, results, numOutputs);
}
