// Artefacts of a program whose code is a few instructions: linked, opened, stripped, made twice.
#include "ptc/Package/Artefact.h"
#include "ptc/Package/ElfObject.h"
#include "ptc/Package/MainTable.h"
#include "ptc/Runtime/Hash.h"
#include "ptc/Support/Error.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"

#include <catch2/catch.hpp>

using namespace ptc;

namespace {

/// `run`: outputs[0] = the first 8 bytes of the weights as an int, outcome 0. `dispatch`: variant
/// 0.
std::string smallCode() {
  constexpr char kWeights = offsetof(ptc_frame, weights), kOutputs = offsetof(ptc_frame, outputs),
                 kOutcome = offsetof(ptc_frame, outcome);
  const char run[] = {'\x48', '\x8b', '\x47',   kWeights, '\x48', '\x8b', 0,        '\x48',
                      '\x8b', '\x4f', kOutputs, '\xc6',   1,      2,      '\x48',   '\x89',
                      '\x41', 8,      '\x31',   '\xc0',   '\x89', '\x47', kOutcome, '\xc3'};
  const char dispatch[] = {'\x31', '\xc0', '\xc3'};
  ElfObject object;
  auto text = object.addSection(".text", llvm::ELF::SHF_ALLOC | llvm::ELF::SHF_EXECINSTR);
  uint64_t at = object.append(text, llvm::StringRef(run, sizeof run), 16);
  object.define("run_v0", text, at, sizeof run, llvm::ELF::STT_FUNC);
  at = object.append(text, llvm::StringRef(dispatch, sizeof dispatch), 16);
  object.define("dispatch", text, at, sizeof dispatch, llvm::ELF::STT_FUNC);
  return object.write();
}

struct Small {
  sym::ObservableSpace space;
  std::vector<sym::CallStructure> structures = std::vector<sym::CallStructure>(1);
  ArtefactTables tables;

  explicit Small(const std::string &model, int64_t first = 0x1122334455667788) {
    tables.model = model;
    tables.entry = "entry";
    tables.dispatchSymbol = "dispatch";
    tables.entrySymbol = "ptc_entry_0";
    tables.space = &space;
    tables.structures = structures;
    tables.variants = {{"v0", "run_v0", 0, 0, 1, 0, 0, {{1, 0, nullptr, 0, 0}}}};
    tables.weights = {{"a", 0, HostTensor::ofValues<int64_t>({first, 2, 3}), std::nullopt},
                      {"b", 64, HostTensor::ofValues<float>({1, 2, 3, 4, 5}), std::nullopt}};
    tables.weightBytes = 128;
    tables.manifest = "{}\n";
    tables.ir = "module {}\n";
  }
};

struct Folder {
  llvm::SmallString<128> path;
  Folder() { REQUIRE(!llvm::sys::fs::createUniqueDirectory("ptc-artefact-test", path)); }
  ~Folder() { CHECK(!llvm::sys::fs::remove_directories(path)); }
  std::string file(const llvm::Twine &name) const { return (path + "/" + name).str(); }
};

std::string contents(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  REQUIRE(buffer);
  return (*buffer)->getBuffer().str();
}

/// The exit code of a command, run with an empty environment; what it prints goes to `out`.
int run(llvm::ArrayRef<llvm::StringRef> command, llvm::StringRef out = "") {
  std::optional<llvm::StringRef> streams[] = {llvm::StringRef(), out, std::nullopt};
  return llvm::sys::ExecuteAndWait(command.front(), command, llvm::ArrayRef<llvm::StringRef>(),
                                   streams);
}

void write(const std::string &path, ArtefactKind kind, Small &small,
           const std::string &weights = "") {
  OutputFiles out;
  llvm::Error error = writeArtefact(path, kind, smallCode(), small.tables, weights, out);
  if (!error)
    error = out.commit();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << error;
  INFO(text);
  REQUIRE(!error);
}

int64_t firstWeight(const std::string &path, const ptc_options *options = nullptr) {
  ptc_model *model = nullptr;
  ptc_context *context = nullptr;
  REQUIRE(ptc_model_load(path.c_str(), options, &model) == ptc_status_ok);
  REQUIRE(ptc_context_create(model, &context) == ptc_status_ok);
  ptc_value out = ptc_of_none();
  REQUIRE(ptc_call(context, 0, nullptr, 0, &out, 1) == ptc_status_ok);
  ptc_context_destroy(context);
  ptc_model_close(model);
  return out.as.integer;
}

} // namespace

TEST_CASE("a library holds its weights, also when it is stripped") {
  Folder folder;
  Small small("small");
  std::string path = folder.file("libsmall.so");
  write(path, ArtefactKind::Library, small);
  CHECK(firstWeight(path) == 0x1122334455667788);
  std::string stripped = folder.file("libstripped.so");
  REQUIRE(run({"/usr/bin/strip", "-o", stripped, path}) == 0);
  CHECK(firstWeight(stripped) == 0x1122334455667788);
  CHECK(contents(path).find("module {}\n") != std::string::npos);
}

TEST_CASE("how the weights lie, as text and back") {
  Small small("small");
  small.tables.weights[1].format = PackFormat{{{5, 1}}, {{1, 5}}, 16};
  small.tables.weights.push_back(
      {"c", 512, HostTensor::ofValues<float>({1}), std::nullopt, /*isLiteral=*/true});
  auto rows = llvm::cantFail(readLayout(layoutText(small.tables)));
  REQUIRE(rows.size() == 2);
  CHECK((rows[0].name == "a" && rows[0].offset == 0 && !rows[0].format));
  CHECK((rows[1].name == "b" && rows[1].offset == 64));
  CHECK(rows[1].format->toNumbers() == small.tables.weights[1].format->toNumbers());
  for (llvm::StringRef text :
       {"", "{}", "[1]", R"([{"name":"a"}])", R"([{"name":"a","offset":-1}])",
        R"([{"name":"a","offset":0,"format":[16,1]}])",
        R"([{"name":"a","offset":0,"format":["x"]}])"}) {
    auto bad = readLayout(text);
    CHECK(!bad);
    llvm::consumeError(bad.takeError());
  }
}

TEST_CASE("a library needs glibc alone and exports one function and the pool") {
  Folder folder;
  Small small("small");
  write(folder.file("libsmall.so"), ArtefactKind::Library, small);
  std::string bytes = contents(folder.file("libsmall.so"));
  auto object = llvm::object::ELFObjectFile<llvm::object::ELF64LE>::create(
      llvm::MemoryBufferRef(bytes, "libsmall.so"));
  REQUIRE(bool(object));
  std::vector<std::string> exported;
  for (llvm::object::ELFSymbolRef symbol : object->getDynamicSymbolIterators()) {
    if (llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined)
      continue;
    exported.push_back(llvm::cantFail(symbol.getName()).str());
  }
  llvm::sort(exported);
  CHECK(exported == std::vector<std::string>{"ptc_pool_v2", "small_ptc_v1"});
  auto entries = llvm::cantFail(object->getELFFile().dynamicEntries());
  uint64_t names = 0;
  llvm::SmallVector<uint64_t> needed;
  for (const auto &entry : entries) {
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      names = entry.getVal();
    if (entry.getTag() == llvm::ELF::DT_NEEDED)
      needed.push_back(entry.getVal());
  }
  const auto *table = llvm::cantFail(object->getELFFile().toMappedAddr(names));
  std::vector<std::string> libraries;
  for (uint64_t at : needed)
    libraries.emplace_back(reinterpret_cast<const char *>(table) + at);
  llvm::sort(libraries);
  CHECK(libraries == std::vector<std::string>{"libc.so.6", "libm.so.6", "libpthread.so.0"});
}

TEST_CASE("two artefacts of one process each have their own tables") {
  Folder folder;
  Small first("first", 1), second("second", 2);
  write(folder.file("libfirst.so"), ArtefactKind::Library, first);
  write(folder.file("libsecond.so"), ArtefactKind::Library, second);
  CHECK(firstWeight(folder.file("libfirst.so")) == 1);
  CHECK(firstWeight(folder.file("libsecond.so")) == 2);
}

TEST_CASE("the same input gives the same bytes, and leaves the file alone") {
  Folder folder, other;
  Small small("small"), again("small");
  for (ArtefactKind kind : {ArtefactKind::Library, ArtefactKind::Object, ArtefactKind::Archive}) {
    if (kind != ArtefactKind::Library)
      small.tables.placement = again.tables.placement = WeightPlacement::Argument;
    write(folder.file("libsmall.so"), kind, small, folder.file("small.weights"));
    write(other.file("libsmall.so"), kind, again, other.file("small.weights"));
    CHECK(contents(folder.file("libsmall.so")) == contents(other.file("libsmall.so")));
    llvm::sys::fs::file_status before, after;
    REQUIRE(!llvm::sys::fs::status(folder.file("libsmall.so"), before));
    write(folder.file("libsmall.so"), kind, small, folder.file("small.weights"));
    REQUIRE(!llvm::sys::fs::status(folder.file("libsmall.so"), after));
    CHECK(before.getUniqueID() == after.getUniqueID());
  }
}

TEST_CASE("weights in a file of their own, or from the caller") {
  Folder folder;
  Small small("small");
  small.tables.placement = WeightPlacement::External;
  std::string path = folder.file("libsmall.so"), weights = folder.file("small.weights");
  write(path, ArtefactKind::Library, small, weights);
  ptc_options options = {};
  options.size = sizeof options;
  options.weights_path = weights.c_str();
  CHECK(firstWeight(path, &options) == 0x1122334455667788);
  ptc_model *model = nullptr;
  CHECK(ptc_model_load(path.c_str(), nullptr, &model) == ptc_status_weights);
  // Another file of the same shape is only taken when it was asked for.
  Small other("small", 5);
  other.tables.placement = WeightPlacement::External;
  write(folder.file("libother.so"), ArtefactKind::Library, other, folder.file("other.weights"));
  std::string otherWeights = folder.file("other.weights");
  options.weights_path = otherWeights.c_str();
  CHECK(ptc_model_load(path.c_str(), &options, &model) == ptc_status_weights);
  options.swap_weights = 1;
  CHECK(firstWeight(path, &options) == 5);
  options.weights_path = "/nonexistent";
  CHECK(ptc_model_load(path.c_str(), &options, &model) == ptc_status_weights);
  alignas(64) int64_t mine[16] = {77};
  options.weights_path = nullptr;
  options.weights = mine;
  options.weights_bytes = sizeof mine;
  CHECK(firstWeight(path, &options) == 77);
  options.weights_bytes = 8;
  CHECK(ptc_model_load(path.c_str(), &options, &model) == ptc_status_weights);
  // Bytes without the file's header cannot be compared with what was compiled.
  options.weights_bytes = sizeof mine;
  options.swap_weights = 0;
  CHECK(ptc_model_load(path.c_str(), &options, &model) == ptc_status_weights);
}

/// The status of opening, and in `why` what is said of it.
static ptc_status opened(const std::string &path, ptc_options options, std::string &why) {
  ptc_model *model = nullptr;
  options.size = sizeof options;
  ptc_status status = ptc_model_load(path.c_str(), &options, &model);
  why = ptc_load_error();
  ptc_model_close(model);
  return status;
}

TEST_CASE("bytes of weights that are not those that were compiled are noticed") {
  Folder folder;
  for (WeightPlacement placement : {WeightPlacement::External, WeightPlacement::Embed}) {
    bool isFile = placement == WeightPlacement::External;
    Small small("small");
    small.tables.placement = placement;
    std::string path = folder.file(isFile ? "libapart.so" : "libin.so"),
                weights = folder.file("w.weights"), why;
    write(path, ArtefactKind::Library, small, weights);
    ptc_options options = {};
    options.weights_path = isFile ? weights.c_str() : nullptr;
    for (uint32_t check : {ptc_check_small, ptc_check_always, ptc_check_never}) {
      options.check_weights = check;
      CHECK(opened(path, options, why) == ptc_status_ok);
    }
    std::string bytes = contents(isFile ? weights : path);
    size_t at = bytes.find("\x88\x77\x66\x55\x44\x33\x22\x11");
    REQUIRE(at != std::string::npos);
    // An element, and what lies between the weights.
    for (size_t offset : {at, at + 30, at + 127}) {
      std::string other = bytes, place = folder.file("changed" + std::to_string(offset));
      other[offset] ^= 1;
      std::error_code ec;
      llvm::raw_fd_ostream(place, ec) << other;
      REQUIRE(!ec);
      if (isFile)
        options.weights_path = place.c_str();
      std::string library = isFile ? path : place;
      options.check_weights = ptc_check_small;
      CHECK(opened(library, options, why) == (isFile ? ptc_status_weights : ptc_status_ok));
      options.check_weights = ptc_check_always;
      CHECK(opened(library, options, why) == ptc_status_weights);
      CHECK(why ==
            (isFile ? place : "small") +
                ": its bytes are not those that were compiled: it was changed or is damaged");
      options.check_weights = ptc_check_never;
      CHECK(opened(library, options, why) == ptc_status_ok);
    }
  }
}

TEST_CASE("bytes of other weights are compared with what their file says") {
  Folder folder;
  Small small("small"), other("small", 5);
  small.tables.placement = other.tables.placement = WeightPlacement::External;
  std::string path = folder.file("libsmall.so"), weights = folder.file("o.weights"), why;
  write(path, ArtefactKind::Library, small, folder.file("small.weights"));
  write(folder.file("libother.so"), ArtefactKind::Library, other, weights);
  ptc_options options = {};
  options.weights_path = weights.c_str();
  options.check_weights = ptc_check_always;
  CHECK(opened(path, options, why) == ptc_status_weights);
  CHECK(why == weights + ": it has the weights of another artefact");
  options.swap_weights = 1;
  CHECK(opened(path, options, why) == ptc_status_ok);
  std::string bytes = contents(weights);
  bytes[4096] ^= 1;
  std::error_code ec;
  llvm::raw_fd_ostream(weights, ec) << bytes;
  CHECK(opened(path, options, why) == ptc_status_weights);
  // Of 0.2, or without a header, they have no hash.
  bytes.replace(24, 8, std::string(8, 0));
  llvm::raw_fd_ostream(weights, ec) << bytes;
  CHECK(opened(path, options, why) == ptc_status_weights);
  CHECK(why == weights + ": there is no hash to check the bytes by");
  options.check_weights = ptc_check_small;
  CHECK(opened(path, options, why) == ptc_status_ok);
  alignas(64) int64_t mine[16] = {77};
  options.weights_path = nullptr;
  options.weights = mine;
  options.weights_bytes = sizeof mine;
  CHECK(opened(path, options, why) == ptc_status_ok);
  options.check_weights = ptc_check_always;
  CHECK(opened(path, options, why) == ptc_status_weights);
}

TEST_CASE("weights that cannot be taken are refused with the reason") {
  Folder folder;
  Small small("small"), embedded("embedded");
  small.tables.placement = WeightPlacement::External;
  std::string path = folder.file("libsmall.so"), weights = folder.file("w.weights"), why;
  write(path, ArtefactKind::Library, small, weights);
  std::string bytes = contents(weights), place = folder.file("other");
  std::error_code ec;
  ptc_options options = {};
  CHECK(opened(path, options, why) == ptc_status_weights);
  CHECK(why == folder.file("libsmall.weights") + ": No such file or directory");
  options.weights_path = place.c_str();
  llvm::raw_fd_ostream(place, ec) << bytes.substr(0, 4200);
  CHECK(opened(path, options, why) == ptc_status_weights);
  CHECK(why == place + ": it has 4200 bytes and needs 4224: it is cut short, or no file of these "
                       "weights");
  llvm::raw_fd_ostream(place, ec) << "X" + bytes.substr(1);
  CHECK(opened(path, options, why) == ptc_status_weights);
  CHECK(why == place + ": it is no .weights file");
  options.weights_path = nullptr;
  options.weights = bytes.data() + (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64) + 8;
  options.weights_bytes = bytes.size();
  CHECK(opened(path, options, why) == ptc_status_weights);
  CHECK(why == "the bytes of the weights do not lie at an address that 64 divides");
  write(folder.file("libembedded.so"), ArtefactKind::Library, embedded);
  CHECK(opened(folder.file("libembedded.so"), options, why) == ptc_status_invalid_argument);
  options.weights = nullptr;
  options.weights_path = weights.c_str();
  CHECK(opened(folder.file("libembedded.so"), options, why) == ptc_status_invalid_argument);
  CHECK(why == "the weights of this artefact, if it has any, are in it: it takes no others");
}

TEST_CASE("a library for a CPU that this one is not is refused before its code runs") {
  Folder folder;
  Small small("small");
  small.tables.cpuFeatures = UINT64_MAX; // of makers that never had all of them in one CPU
  std::string path = folder.file("libsmall.so"), why;
  write(path, ArtefactKind::Library, small);
  CHECK(opened(path, {}, why) == ptc_status_cpu);
  CHECK(why.find("this CPU lacks instructions that the code may have: ") == 0);
  CHECK((why.find("fma4") != std::string::npos || why.find("avx512f") != std::string::npos));
}

TEST_CASE("the hash of weights is XXH64, of whatever pieces") {
  std::string bytes;
  for (int i = 0; i < 200; ++i)
    bytes += char(i * 37 + i / 7);
  for (size_t size = 0; size <= bytes.size(); ++size)
    for (size_t piece : {size_t(1), size_t(7), size_t(31), size_t(32), size_t(33), size + 1}) {
      ptc_hash hash;
      ptc_hash_begin(&hash);
      for (size_t at = 0; at < size; at += piece)
        ptc_hash_add(&hash, bytes.data() + at, std::min(piece, size - at));
      INFO(size << " bytes by " << piece);
      REQUIRE(ptc_hash_end(&hash) == llvm::xxHash64(llvm::StringRef(bytes).take_front(size)));
    }
}

TEST_CASE("weights in memory are as much checked as those of a file") {
  Folder folder;
  auto open = [&](const char *of, uint32_t swaps) {
    auto bytes = llvm::MemoryBuffer::getFile(folder.file(of));
    REQUIRE(bool(bytes));
    size_t size = (*bytes)->getBufferSize();
    std::unique_ptr<void, decltype(&std::free)> memory(
        std::aligned_alloc(64, (size + 63) / 64 * 64), &std::free);
    std::memcpy(memory.get(), (*bytes)->getBufferStart(), size);
    ptc_options options = {};
    options.size = sizeof options;
    options.swap_weights = swaps;
    options.weights = memory.get();
    options.weights_bytes = size;
    ptc_model *model = nullptr;
    ptc_status status = ptc_model_load(folder.file("libsmall.so").c_str(), &options, &model);
    ptc_model_close(model);
    return status;
  };
  for (const char *name : {"other", "small"}) {
    Small made("small", name == llvm::StringRef("other") ? 5 : 1);
    made.tables.placement = WeightPlacement::External;
    write(folder.file("libsmall.so"), ArtefactKind::Library, made,
          folder.file(llvm::Twine(name) + ".weights"));
  }
  CHECK(open("small.weights", 0) == ptc_status_ok);
  CHECK(open("other.weights", 0) == ptc_status_weights);
  CHECK(open("other.weights", 1) == ptc_status_ok);
}

TEST_CASE("a library is found by its name alone, and its weights beside it") {
  Folder folder;
  Small made("small");
  made.tables.placement = WeightPlacement::External;
  write(folder.file("libhere.so"), ArtefactKind::Library, made, folder.file("libhere.weights"));
  CHECK(firstWeight(folder.file("libhere.so")) == 0x1122334455667788);
  llvm::SmallString<128> before;
  REQUIRE(!llvm::sys::fs::current_path(before));
  REQUIRE(!llvm::sys::fs::set_current_path(folder.path));
  CHECK(firstWeight("libhere.so") == 0x1122334455667788);
  ptc_model *model = nullptr;
  CHECK(ptc_model_load("libgone.so", nullptr, &model) == ptc_status_file);
  REQUIRE(!llvm::sys::fs::set_current_path(before));
}

TEST_CASE("names that are not there, and places that cannot be written") {
  Folder folder;
  Small small("small");
  small.tables.variants[0].runSymbol = "nowhere";
  OutputFiles out;
  std::string said = llvm::toString(writeArtefact(folder.file("libsmall.so"), ArtefactKind::Library,
                                                  smallCode(), small.tables, "", out));
  CHECK(said.find("nowhere") != std::string::npos);
  CHECK(!llvm::sys::fs::exists(folder.file("libsmall.so")));
  Small fine("small");
  said = llvm::toString(writeArtefact("/nonexistent/libsmall.so", ArtefactKind::Library,
                                      smallCode(), fine.tables, "", out));
  CHECK(said.find("cannot write") != std::string::npos);
}

TEST_CASE("names of models") {
  CHECK(modelNameOf("out/libmlp.so") == "mlp");
  CHECK(modelNameOf("my-model.v2.so") == "my_model_v2");
  CHECK(modelNameOf("lib3d.so") == "model3d");
  CHECK(modelNameOf("lib.so") == "model");
}

TEST_CASE("the header declares the table") {
  Small small("small");
  small.structures[0].addLeaf("x");
  small.structures[0].addLeaf("batch[\"*/\"]");
  small.tables.structures = small.structures;
  for (ArtefactVariant &variant : small.tables.variants)
    variant.names.resize(variant.outcomes.size());
  std::string header = makeHeader(small.tables);
  CHECK(header.find("const ptc_api *small_ptc_v1(void);") != std::string::npos);
  CHECK(header.find("enum { small_num_inputs = 2 };") != std::string::npos);
  CHECK(header.find("inputs[1]: batch[\"* /\"]") != std::string::npos);
}

TEST_CASE("a program runs by itself, with the weights that are in it") {
  Folder folder;
  Small small("small");
  ShownResults results = {{{ptc_shown_Leaf, 0, 0, 0, 0, 0, 0}}, "", {0}, {0, 1}, 0};
  small.tables.main = makeMainTable("entry", {}, results, 1);
  std::string path = folder.file("small"), out = folder.file("out");
  write(path, ArtefactKind::Program, small);
  REQUIRE(run({path}, out) == 0);
  CHECK(contents(out) == std::to_string(0x1122334455667788) + "\n");
  std::string again = folder.file("again");
  write(again, ArtefactKind::Program, small);
  CHECK(contents(again) == contents(path));
}
