//===- Tables.cpp - The constant tables of an artefact ---------------------------------===//
//
// In: what is known of a program. Out: an object with its ptc_program and all that it points to.
// Rows are the C structs of Runtime/Frame.h as this compiler lays them out, which is how the stub
// reads them on x86-64; pointers in them are relocations.
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/Artefact.h"
#include "ptc/Package/ExampleText.h"
#include "ptc/Package/GuardTable.h"

#include "TableObject.h"

using namespace ptc;
using namespace llvm::ELF;

static constexpr uint64_t kPage = 4096;

namespace {

class TableWriter : TableObject {
public:
  TableWriter(const ArtefactTables &tables, const WeightHashes &hashes)
      : tables(tables), hashes(hashes) {}

  llvm::Expected<std::string> run();

private:
  Place guardTable(const ptc_guard_table &view);
  Place structures();
  void leafTexts(Place row, const ExampleText &example);
  Place variants();
  Place strings();
  Place states();
  Place device();
  llvm::Error entry();
  void program();
  void weights();
  void exportedFunction();

  const ArtefactTables &tables;
  const WeightHashes &hashes;
};

} // namespace

Place TableWriter::guardTable(const ptc_guard_table &view) {
  uint32_t numGuards = view.variant_begins[view.num_variants];
  uint64_t numCells = 0, numTextBytes = 0;
  auto seeText = [&](ptc_text text) {
    numTextBytes = std::max<uint64_t>(numTextBytes, text + strlen(view.texts + text) + 1);
  };
  for (const ptc_guard_row &row : llvm::ArrayRef(view.guards, numGuards)) {
    numCells = std::max<uint64_t>(numCells, uint64_t(row.code) + row.code_length);
    for (ptc_text text : {row.expected, row.assumption, row.file, row.hint})
      seeText(text);
  }
  for (uint32_t i = 0; i < view.num_observables; ++i)
    seeText(view.observables[i].subject);
  for (uint32_t i = 0; i < view.num_names; ++i)
    seeText(view.names[i].name);
  ptc_guard_table row = {};
  row.num_observables = view.num_observables;
  row.num_names = view.num_names;
  row.num_variants = view.num_variants;
  Place table = rows<ptc_guard_table>(row, true);
  auto list = [&](size_t field, auto *data, uint64_t count) {
    point(table, field, rows(llvm::ArrayRef(data, count), false));
  };
  list(offsetof(ptc_guard_table, code), view.code, numCells);
  list(offsetof(ptc_guard_table, observables), view.observables, view.num_observables);
  list(offsetof(ptc_guard_table, names), view.names, view.num_names);
  list(offsetof(ptc_guard_table, guards), view.guards, numGuards);
  list(offsetof(ptc_guard_table, variant_begins), view.variant_begins, view.num_variants + 1);
  list(offsetof(ptc_guard_table, texts), view.texts, std::max<uint64_t>(numTextBytes, 1));
  return table;
}

void TableWriter::leafTexts(Place row, const ExampleText &example) {
  pointText(row, offsetof(ptc_structure, before), example.before);
  std::vector<ptc_leaf_text> list(example.leaves.size());
  Place all = rows<ptc_leaf_text>(list, true);
  point(row, offsetof(ptc_structure, texts), all);
  for (auto [i, leaf] : llvm::enumerate(example.leaves)) {
    Place at = {all.section, all.offset + i * sizeof(ptc_leaf_text)};
    pointText(at, offsetof(ptc_leaf_text, place), leaf.place);
    pointText(at, offsetof(ptc_leaf_text, constant), leaf.constant);
    pointText(at, offsetof(ptc_leaf_text, behind), leaf.behind);
  }
}

Place TableWriter::structures() {
  std::vector<ptc_structure> list;
  for (const sym::CallStructure &structure : tables.structures)
    list.push_back({nullptr, uint32_t(structure.leaves().size()), 0, nullptr, nullptr});
  Place all = rows<ptc_structure>(list, true);
  for (auto [i, structure] : llvm::enumerate(tables.structures)) {
    // Field by field, into zeros: these rows have padding.
    std::vector<ptc_source> sources(tables.space->numObservables());
    for (auto [id, row] : llvm::enumerate(sources)) {
      ptc_source source = structure.source(tables.space->observable(sym::SymbolId(id)));
      row.kind = source.kind;
      row.leaf = source.leaf;
      row.other = source.other;
      row.index = source.index;
    }
    Place row = {all.section, all.offset + i * sizeof(ptc_structure)};
    point(row, offsetof(ptc_structure, sources), rows<ptc_source>(sources, false));
    if (auto example = exampleText(tables.space->strings(), structure, tables.parameters))
      leafTexts(row, *example);
  }
  return all;
}

Place TableWriter::variants() {
  std::vector<ptc_variant> list;
  list.reserve(tables.variants.size());
  for (const ArtefactVariant &variant : tables.variants)
    list.push_back({nullptr, nullptr, variant.arenaBytes, variant.numOutputs, variant.numRaised,
                    variant.numStorages, uint32_t(variant.outcomes.size()), nullptr,
                    variant.threadBytes});
  Place all = rows<ptc_variant>(list, true);
  for (auto [i, variant] : llvm::enumerate(tables.variants)) {
    Place row = {all.section, all.offset + i * sizeof(ptc_variant)};
    pointText(row, offsetof(ptc_variant, name), variant.name);
    point(row, offsetof(ptc_variant, run), variant.runSymbol);
    Place outcomes = rows<ptc_outcome>(variant.outcomes, true);
    point(row, offsetof(ptc_variant, outcomes), outcomes);
    for (auto [number, kept] : llvm::enumerate(variant.kept))
      if (!kept.empty())
        point(outcomes, number * sizeof(ptc_outcome) + offsetof(ptc_outcome, kept),
              rows<uint32_t>(kept, false));
  }
  return all;
}

/// Texts have numbers; those that guards compare with are all that a call's are looked for in.
static int64_t countStrings(const ArtefactTables &tables) {
  int64_t count = 0;
  for (const sym::GuardSet &set : tables.guards)
    for (const sym::Guard &guard : set.guards())
      if (std::optional<sym::UnaryAtom> unary = sym::asUnary(guard.atom))
        if (tables.space->observable(unary->symbol).kind == sym::ObservableKind::StringValue)
          count = std::max(count, unary->value + 1);
  return count;
}

Place TableWriter::strings() {
  const sym::StringTable &texts = tables.space->strings();
  std::vector<ptc_string> list;
  list.reserve(size_t(countStrings(tables)));
  for (int64_t i = 0; i < countStrings(tables); ++i)
    list.push_back({nullptr, texts.text(i).size()});
  Place all = rows<ptc_string>(list, true);
  for (size_t i = 0; i < list.size(); ++i)
    pointText(all, i * sizeof(ptc_string) + offsetof(ptc_string, data), texts.text(int64_t(i)));
  return all;
}

Place TableWriter::states() {
  std::vector<ptc_state_row> list;
  list.reserve(tables.states.size());
  for (const ArtefactState &state : tables.states)
    list.push_back({nullptr, uint32_t(state.tag), state.dtype, state.rank, 0, nullptr, nullptr});
  Place all = rows<ptc_state_row>(list, true);
  for (auto [i, state] : llvm::enumerate(tables.states)) {
    Place row = {all.section, all.offset + i * sizeof(ptc_state_row)};
    pointText(row, offsetof(ptc_state_row, name), state.name);
    if (state.sizes.empty())
      continue;
    point(row, offsetof(ptc_state_row, sizes), rows<int64_t>(state.sizes, false));
    point(row, offsetof(ptc_state_row, strides), rows<int64_t>(state.strides, false));
  }
  return all;
}

Place TableWriter::device() {
  ptc_device_code row = {};
  row.num_images = uint32_t(tables.images.size());
  row.num_kernels = uint32_t(tables.kernels.size());
  row.first_draw = tables.firstDraw;
  Place code = rows<ptc_device_code>(row, true);
  point(code, offsetof(ptc_device_code, runtime), "ptc_cuda_runtime");
  std::vector<ptc_device_image> images;
  images.reserve(tables.images.size());
  for (const ArtefactImage &image : tables.images)
    images.push_back({nullptr, image.bytes.size(), image.kind, image.capability});
  Place allImages = rows<ptc_device_image>(images, true);
  for (auto [i, image] : llvm::enumerate(tables.images))
    point(allImages, i * sizeof(ptc_device_image) + offsetof(ptc_device_image, data),
          Place{plain, object.append(plain, image.bytes, 64)});
  point(code, offsetof(ptc_device_code, images), allImages);
  std::vector<ptc_device_kernel> kernels;
  kernels.reserve(tables.kernels.size());
  for (const ArtefactKernel &kernel : tables.kernels)
    kernels.push_back(
        {nullptr, kernel.threads, kernel.sharedBytes, kernel.perProcessor, kernel.awaits});
  Place allKernels = rows<ptc_device_kernel>(kernels, true);
  for (auto [i, kernel] : llvm::enumerate(tables.kernels))
    pointText(allKernels, i * sizeof(ptc_device_kernel) + offsetof(ptc_device_kernel, name),
              kernel.name);
  point(code, offsetof(ptc_device_code, kernels), allKernels);
  return code;
}

llvm::Error TableWriter::entry() {
  ptc_entry row = {};
  row.num_structures = uint32_t(tables.structures.size());
  row.num_variants = uint32_t(tables.variants.size());
  row.num_strings = uint32_t(countStrings(tables));
  Place entry = rows<ptc_entry>(row, true);
  object.define(tables.entrySymbol, entry.section, entry.offset, sizeof row);
  pointText(entry, offsetof(ptc_entry, name), tables.entry);
  point(entry, offsetof(ptc_entry, dispatch), tables.dispatchSymbol);
  if (!tables.guards.empty()) {
    llvm::Expected<GuardTable> guards = GuardTable::create(*tables.space, tables.guards);
    if (!guards)
      return guards.takeError();
    point(entry, offsetof(ptc_entry, guards), guardTable(guards->view()));
  }
  point(entry, offsetof(ptc_entry, structures), structures());
  point(entry, offsetof(ptc_entry, variants), variants());
  point(entry, offsetof(ptc_entry, strings), strings());
  return llvm::Error::success();
}

void TableWriter::program() {
  ptc_program row = {};
  row.size = sizeof row;
  row.major = PTC_VERSION_MAJOR;
  row.minor = PTC_VERSION_MINOR;
  row.init_arena_bytes = tables.initArenaBytes;
  row.num_entries = 1;
  row.num_states = uint32_t(tables.states.size());
  row.num_generators = tables.numGenerators;
  row.weights_external = tables.placement != WeightPlacement::Embed;
  row.weights_bytes = tables.weightBytes;
  row.weights_hash = hashes.identity;
  row.weights_content = hashes.content;
  row.cpu_features = tables.cpuFeatures;
  Place program = rows<ptc_program>(row, true);
  object.define("ptc_this_program", program.section, program.offset, sizeof row);
  Place name = text(tables.model);
  object.define("ptc_this_name", name.section, name.offset, tables.model.size() + 1);
  point(program, offsetof(ptc_program, name), name);
  point(program, offsetof(ptc_program, entries), tables.entrySymbol);
  point(program, offsetof(ptc_program, states), states());
  if (!tables.initSymbol.empty())
    point(program, offsetof(ptc_program, init), tables.initSymbol);
  pointText(program, offsetof(ptc_program, manifest), tables.manifest);
  if (!tables.images.empty())
    point(program, offsetof(ptc_program, device), device());
}

/// Embedded weights get a section without bytes, far from everything else; these are put behind
/// the linked file.
void TableWriter::weights() {
  Place pointer = rows<uint64_t>(uint64_t(0), true);
  object.define("ptc_this_weights", pointer.section, pointer.offset, sizeof(uint64_t));
  if (tables.placement != WeightPlacement::Embed || tables.weightBytes == 0)
    return;
  ElfObject::SectionId section = object.addEmptySection(
      kWeightsSection, SHF_ALLOC | SHF_X86_64_LARGE, kPage, tables.weightBytes);
  object.relocate(pointer.section, pointer.offset, section, 0);
}

/// `const ptc_api *MODEL_ptc_v1(void)`: lea rax, [rip + ptc_stub_api]; ret.
void TableWriter::exportedFunction() {
  static constexpr char kCode[] = {'\x48', '\x8d', '\x05', 0, 0, 0, 0, '\xc3'};
  ElfObject::SectionId code = object.addSection(".text.ptc", SHF_ALLOC | SHF_EXECINSTR);
  object.append(code, llvm::StringRef(kCode, sizeof kCode));
  object.relocate(code, 3, "ptc_stub_api", -4, R_X86_64_PC32);
  object.define(tables.model + "_ptc_v1", code, 0, sizeof kCode, STT_FUNC, STV_DEFAULT);
}

llvm::Expected<std::string> TableWriter::run() {
  if (llvm::Error error = entry())
    return std::move(error);
  program();
  weights();
  exportedFunction();
  if (!tables.ir.empty())
    object.append(object.addSection(kIrSection, 0, 1), tables.ir);
  if (!tables.ir.empty() && !tables.weights.empty())
    object.append(object.addSection(kLayoutSection, 0, 1), layoutText(tables));
  if (!tables.request.empty())
    object.append(object.addSection(kRequestSection, 0, 1), tables.request);
  return object.write();
}

llvm::Expected<std::string> ptc::makeTables(const ArtefactTables &tables,
                                            const WeightHashes &hashes) {
  return TableWriter(tables, hashes).run();
}
