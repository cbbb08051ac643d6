// Tensor files: what NumPy, safetensors and torch.save wrote is read; what we write is read back;
// damaged bytes are a numbered error, whatever they are.
#include "ptc/TensorFile/TensorFile.h"

#include "ptc/Support/Error.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <catch2/catch.hpp>

#include <functional>
#include <map>

using namespace ptc;

static std::string input(const char *name) { return std::string(PTC_INPUTS) + name; }

static std::string bytesOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  REQUIRE(buffer);
  return (*buffer)->getBuffer().str();
}

static std::shared_ptr<TensorStorage> storageOf(llvm::StringRef bytes) {
  auto storage = std::make_shared<TensorStorage>(bytes.size());
  llvm::copy(bytes, reinterpret_cast<char *>(storage->data()));
  return storage;
}

template <typename T> static T take(llvm::Expected<T> value) {
  if (!value)
    FAIL(llvm::toString(value.takeError()));
  return std::move(*value);
}

static Diagnostic diagnosticOf(llvm::Error error) {
  REQUIRE(bool(error));
  std::vector<Diagnostic> diags = takeDiagnostics(std::move(error));
  REQUIRE(diags.size() == 1);
  return diags[0];
}

static std::map<std::string, HostTensor> byName(std::vector<NamedTensor> tensors) {
  std::map<std::string, HostTensor> map;
  for (NamedTensor &named : tensors)
    map.emplace(named.name, named.tensor);
  CHECK(map.size() == tensors.size());
  return map;
}

/// A directory that goes away with the test.
struct ScratchDir {
  llvm::SmallString<128> path;
  ScratchDir() { REQUIRE_FALSE(llvm::sys::fs::createUniqueDirectory("ptc-test", path)); }
  ~ScratchDir() { llvm::sys::fs::remove_directories(path); }
  std::string file(const char *name) const { return (path + "/" + name).str(); }
};

TEST_CASE("npy files of NumPy are read, Fortran order and byte order included") {
  HostTensor f4 = take(readNpy(input("f4_2x3.npy")));
  CHECK(f4.dtype() == DType::Float32);
  CHECK(f4.sizes() == llvm::ArrayRef<int64_t>{2, 3});
  CHECK(f4.getDouble({1, 2}) == 5);
  HostTensor i2 = take(readNpy(input("big_i2_fortran.npy")));
  CHECK(i2.dtype() == DType::Int16);
  CHECK(i2.strides() == llvm::ArrayRef<int64_t>{1, 2});
  CHECK(i2.getInt({1, 0}) == 3);
  CHECK(i2.getInt({0, 2}) == 2);
  CHECK(take(readNpy(input("scalar_c16.npy"))).getComplex({}) == std::complex<double>(1, 2));
}

TEST_CASE("npy round trip of every element type that npy has") {
  ScratchDir dir;
  for (const DTypeInfo &info : getAllDTypeInfos()) {
    CAPTURE(info.alias.str());
    HostTensor t = HostTensor::zeros(info.dtype, {2, 2});
    t.bytes()[0] = t.bytes()[3 * info.bytes] = std::byte(1);
    HostTensor transposed = t.view({2, 2}, {1, 2}, 0);
    llvm::Error error = writeNpy(dir.file("t.npy"), transposed);
    if (info.dtype == DType::BFloat16) {
      CHECK(diagnosticOf(std::move(error)).id == DiagId::NpyElementType);
      continue;
    }
    REQUIRE_FALSE(bool(error));
    HostTensor back = take(readTensorFile(dir.file("t.npy")))[0].tensor;
    CHECK(back.dtype() == info.dtype);
    CHECK(back.contiguousBytes() == transposed.clone().contiguousBytes());
  }
}

TEST_CASE("safetensors files are read and written; equal tensors give equal bytes") {
  auto tensors = byName(take(readSafetensors(input("mixed.safetensors"))));
  REQUIRE(tensors.size() == 3);
  CHECK(tensors.at("w").dtype() == DType::BFloat16);
  CHECK(tensors.at("w").getDouble({1, 1}) == 4);
  CHECK(tensors.at("b").getInt({0}) == 1);
  CHECK(tensors.at("n").getInt({}) == 7);

  ScratchDir dir;
  std::vector<NamedTensor> list;
  for (auto &[name, tensor] : tensors)
    list.push_back({name, tensor});
  list.push_back({"none", HostTensor::zeros(DType::Float16, {3, 0})});
  REQUIRE_FALSE(bool(writeSafetensors(dir.file("a.safetensors"), list)));
  std::reverse(list.begin(), list.end());
  REQUIRE_FALSE(bool(writeSafetensors(dir.file("b.safetensors"), list)));
  CHECK(bytesOf(dir.file("a.safetensors")) == bytesOf(dir.file("b.safetensors")));
  auto back = byName(take(readTensorFile(dir.file("a.safetensors"))));
  CHECK(back.size() == 4);
  CHECK(back.at("none").sizes() == llvm::ArrayRef<int64_t>{3, 0});
  CHECK(back.at("w").contiguousBytes() == tensors.at("w").contiguousBytes());
}

TEST_CASE("a state dict of torch.save is read; tied tensors share storage") {
  auto tensors = byName(take(readTensorFile(input("tied.pt"))));
  REQUIRE(tensors.size() == 5);
  CHECK(tensors.at("a.weight").sharesStorageWith(tensors.at("b.weight")));
  HostTensor t = tensors.at("t");
  CHECK(t.sharesStorageWith(tensors.at("a.weight")));
  CHECK(t.strides() == llvm::ArrayRef<int64_t>{1, 3});
  CHECK(t.storageOffset() == 1);
  CHECK(t.getDouble({1, 1}) == 5);
  CHECK(tensors.at("n").getInt({}) == 5);
  CHECK(tensors.at("h").getDouble({0}) == 1.5);
}

TEST_CASE("what is refused, and how") {
  struct Row {
    const char *file;
    DiagId id;
    const char *text;
  } rows[] = {{"u2.npy", DiagId::NpyElementType, "<u2"},
              {"training.pt", DiagId::CheckpointRefused, "'model' that is not a tensor"},
              {"evil.pt", DiagId::CheckpointRefused, "a reference to posix.system"},
              {"compressed.pt", DiagId::CheckpointMalformed, "compressed or encrypted"},
              {"missing.npy", DiagId::FileNotReadable, "missing.npy"},
              {"missing.safetensors", DiagId::FileNotReadable, "missing.safetensors"},
              {"weights.bin", DiagId::TensorFileUnknown, ".safetensors"}};
  for (const Row &row : rows) {
    CAPTURE(row.file);
    Diagnostic diag = diagnosticOf(readTensorFile(input(row.file)).takeError());
    CHECK(diag.id == row.id);
    CHECK_THAT(diag.text, Catch::Contains(row.text));
  }
  HostTensor complex = HostTensor::zeros(DType::Complex128, {1});
  CHECK(diagnosticOf(writeSafetensors("unwritten", {{"c", complex}})).id ==
        DiagId::SafetensorsElementType);
  CHECK(diagnosticOf(writeNpy("/nonexistent/dir/x.npy", complex)).id == DiagId::OutputNotWritten);
}

static std::string safetensorsBytes(const std::string &header, size_t dataSize) {
  std::string bytes(8, '\0');
  llvm::support::endian::write64le(bytes.data(), header.size());
  return bytes + header + std::string(dataSize, '\2');
}

TEST_CASE("malformed safetensors headers") {
  struct Row {
    std::string header;
    size_t dataSize;
    const char *why;
  } rows[] = {
      {"", 0, "does not start with '{'"},
      {"[]", 0, "does not start with '{'"},
      {"{", 0, "not valid JSON"},
      {"{}}", 0, "unbalanced"},
      {"{}", 4, "goes on after the last tensor"},
      {R"({"a":1})", 0, "'a' is not an object"},
      {R"({"a":{"b":[[[[]]]]}})", 0, "nested too deeply"},
      {R"({"__metadata__":{"a":1}})", 0, "not text"},
      {R"({"a":{"dtype":"U8","shape":[4]}})", 4, "exactly dtype"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"x":1}})", 4, "exactly dtype"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0]}})", 4, "exactly dtype"},
      {R"({"a":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}})", 4, "natural number"},
      {R"({"a":{"dtype":"U8","shape":[4.5],"data_offsets":[0,4]}})", 4, "natural number"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,5]}})", 4, "outside the file"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[4,0]}})", 4, "outside the file"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[-1,3]}})", 4, "outside the file"},
      {R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,4]}})", 4, "do not fit"},
      {R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0,
       "do not fit"},
      {R"({"a":{"dtype":"U8","shape":[0,4294967296,4294967296],"data_offsets":[0,0]}})", 0,
       "do not fit"},
      {R"({"a":{"dtype":"BOOL","shape":[4],"data_offsets":[0,4]}})", 4, "neither 0 nor 1"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", 4, "hole"},
      {R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
       R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
       4, "overlaps"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
       R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})",
       2, "occurs twice"},
      {R"({"a":{"dtype":"U8","shape":[4],"shape":[4],"data_offsets":[0,4]}})", 4, "occurs twice"}};
  for (const Row &row : rows) {
    CAPTURE(row.header);
    Diagnostic diag = diagnosticOf(
        parseSafetensors(storageOf(safetensorsBytes(row.header, row.dataSize)), "f").takeError());
    CHECK(diag.id == DiagId::SafetensorsMalformed);
    CHECK_THAT(diag.text, Catch::Contains(row.why));
  }
  std::string unknown = R"({"a":{"dtype":"F8_E5M2","shape":[4],"data_offsets":[0,4]}})";
  CHECK(
      diagnosticOf(parseSafetensors(storageOf(safetensorsBytes(unknown, 4)), "f").takeError()).id ==
      DiagId::SafetensorsElementType);
}

TEST_CASE("files cut at every byte and with every bit flipped are read or refused") {
  using Parse = std::function<llvm::Error(std::shared_ptr<TensorStorage>)>;
  struct Row {
    const char *file;
    Parse parse;
  } rows[] = {
      {"f4_2x3.npy", [](auto s) { return parseNpy(s, "f").takeError(); }},
      {"mixed.safetensors", [](auto s) { return parseSafetensors(s, "f").takeError(); }},
      {"tied.pt", [](auto s) { return parseCheckpoint(s, "f").takeError(); }},
  };
  for (const Row &row : rows) {
    std::string bytes = bytesOf(input(row.file));
    for (size_t cut = 0; cut < bytes.size(); ++cut)
      CHECK_THAT(diagnosticOf(row.parse(storageOf(llvm::StringRef(bytes).take_front(cut)))).text,
                 Catch::StartsWith("'f' "));
    for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      std::string flipped = bytes;
      flipped[bit / 8] ^= char(1 << bit % 8);
      llvm::consumeError(row.parse(storageOf(flipped)));
    }
  }
}
