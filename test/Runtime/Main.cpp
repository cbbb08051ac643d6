// The main of compiled programs, with the program of HandMade.h and under AddressSanitizer: what it
// reads, writes and prints beside what the compiler itself makes of the same bytes and tensors.
#include "HandMade.h"

extern "C" {
#include "../../lib/Runtime/Main/Main.h"
}

#include "ptc/Support/Error.h"
#include "ptc/TensorFile/Example.h"
#include "ptc/TensorFile/TensorFile.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <unistd.h>

using namespace ptc;

//===----------------------------------------------------------------------===//
// The table: x of 4 floats; one tensor, or a tuple of two
//===----------------------------------------------------------------------===//

namespace {

float kExample[] = {1, 2, 3, 4};
int64_t kSizes[] = {4}, kStrides[] = {1};
DLTensor kTensor = {kExample, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, kSizes, kStrides, 0};
ptc_value kInputs[] = {ptc_of_tensor(&kTensor)};
const char *const kPaths[] = {"x"};
const char kTexts[] = "(, )";
const ptc_shown kShown[] = {{ptc_shown_Leaf, 0, 0, 0, 0, 0, 0},  {ptc_shown_All, -1, 0, 2, 5, 0, 0},
                            {ptc_shown_Text, -1, 0, 0, 0, 0, 1}, {ptc_shown_Leaf, 0, 1, 0, 0, 0, 0},
                            {ptc_shown_Text, -1, 0, 0, 0, 1, 2}, {ptc_shown_Leaf, 1, 0, 0, 0, 0, 0},
                            {ptc_shown_Text, -1, 0, 0, 0, 3, 1}};
const uint32_t kRoots[] = {0, 1}, kBegins[] = {0, 1, 2};

ptc_main_diag rowOf(DiagId id) {
  const DiagInfo &row = getDiagInfo(id);
  return {row.text.data(), row.hint.data(), uint32_t(id), uint32_t(row.exitCode)};
}
const ptc_main_diag kDiags[] = {
#define PTC_MAIN_DIAG(Name) rowOf(DiagId::Name),
#include "ptc/Runtime/MainDiags.def"
};

} // namespace

extern "C" {
extern const ptc_main_table ptc_this_main = {
    "scale", kDiags, kTexts, kShown, kRoots, kBegins, kInputs, kPaths, 1, 0, 2, 2, 1, 0, 0};
}

namespace {

struct Seen {
  int code;
  std::string out, err;
};

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder of its own, gone with this object.
struct Folder {
  std::string path;
  Folder() {
    const char *place = std::getenv("TMPDIR");
    path = std::string(place ? place : P_tmpdir) + "/ptc-main-XXXXXX";
    REQUIRE(mkdtemp(path.data()));
  }
  Folder(const Folder &) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string &name) const { return path + "/" + name; }
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
};

/// A stream of this process, written to a file while this object lives.
class Redirected {
public:
  Redirected(FILE *stream, const std::string &path) : stream(stream), old(dup(fileno(stream))) {
    (void)std::fflush(stream);
    FILE *file = std::fopen(path.c_str(), "w");
    REQUIRE(file);
    dup2(fileno(file), fileno(stream));
    (void)std::fclose(file);
  }
  Redirected(const Redirected &) = delete;
  ~Redirected() {
    (void)std::fflush(stream);
    dup2(old, fileno(stream));
    close(old);
  }

private:
  FILE *stream;
  int old;
};

Seen run(const Folder &folder, std::vector<std::string> args) {
  args.insert(args.begin(), "model");
  std::vector<char *> argv;
  argv.reserve(args.size() + 1);
  for (std::string &arg : args)
    argv.push_back(arg.data());
  argv.push_back(nullptr);
  Seen seen;
  {
    Redirected out(stdout, folder.file("stdout")), err(stderr, folder.file("stderr"));
    seen.code = ptc_main(int(args.size()), argv.data());
  }
  seen.out = contents(folder.file("stdout"));
  seen.err = contents(folder.file("stderr"));
  return seen;
}

/// As numpy writes it.
std::string npyOf(const HostTensor &tensor) {
  Folder folder;
  llvm::Error error = writeNpy(folder.file("x.npy"), tensor);
  REQUIRE(!error);
  return contents(folder.file("x.npy"));
}

std::shared_ptr<TensorStorage> storageOf(const std::string &bytes) {
  auto storage = std::make_shared<TensorStorage>(bytes.size());
  memcpy(storage->data(), bytes.data(), bytes.size());
  return storage;
}

DLTensor viewOf(const HostTensor &tensor) {
  const DTypeInfo &info = getDTypeInfo(tensor.dtype());
  return {tensor.storage()->data(),
          {kDLCPU, 0},
          int32_t(tensor.dim()),
          {info.dlCode, uint8_t(info.bytes * 8), 1},
          const_cast<int64_t *>(tensor.sizes().data()),
          const_cast<int64_t *>(tensor.strides().data()),
          uint64_t(tensor.storageOffset()) * info.bytes};
}

std::string textOf(const DLTensor &tensor, const std::string &suffix = "") {
  ptc_text_buffer out = {nullptr, 0, 0, false};
  DLTensor shown = tensor;
  ptc_value value = ptc_of_tensor(&shown);
  ptc_put_tensor(&out, &value, suffix.data(), suffix.size());
  std::string text(out.data, out.length);
  free(out.data);
  return text;
}

/// What our reader and the compiler's say of the same bytes, which lie at the end of a block.
void compareReaders(const std::string &bytes) {
  std::vector<unsigned char> block(bytes.begin(), bytes.end());
  main_tensor tensor;
  char why[128] = "";
  main_npy_status status = main_parse_npy(block.data(), block.size(), &tensor, why);
  auto theirs = parseNpy(storageOf(bytes), "x.npy");
  INFO(bytes);
  CHECK(bool(theirs) == (status == main_npy_ok));
  if (theirs) {
    HostTensor copy = theirs->contiguous();
    std::vector<unsigned char> dense(size_t(ptc_num_elements(&tensor.view)) *
                                     tensor.view.dtype.bits / 8);
    ptc_copy_dense(&tensor.view, dense.data());
    CHECK(llvm::ArrayRef(tensor.view.shape, size_t(tensor.view.ndim)) == theirs->sizes());
    CHECK(llvm::ArrayRef(tensor.view.strides, size_t(tensor.view.ndim)) == theirs->strides());
    CHECK(llvm::ArrayRef(reinterpret_cast<const std::byte *>(dense.data()), dense.size()) ==
          copy.contiguousBytes());
    main_free_tensor(&tensor);
    return;
  }
  Diagnostic diag = takeDiagnostics(theirs.takeError()).front();
  main_free_tensor(&tensor);
  CHECK(status == (diag.id == DiagId::NpyElementType ? main_npy_type : main_npy_malformed));
  CHECK(diag.text.find(why) != std::string::npos);
}

HostTensor four() { return HostTensor::ofValues<float>({1, 2, 3, 4}); }

} // namespace

TEST_CASE("a program shows the result of its example, or of other tensors") {
  Folder folder;
  Seen seen = run(folder, {});
  CHECK(seen.code == 0);
  CHECK(seen.out == "tensor([ 3.,  6.,  9., 12.])\n");
  CHECK(seen.err.empty());
  seen = run(folder, {"--calls", "2", "--threads=2", "--entry=scale"});
  CHECK(seen.out == "tensor([ 3.,  6.,  9., 12.])\ntensor([ 3.,  6.,  9., 12.])\n");
  std::string five = folder.write("5.npy", npyOf(HostTensor::ofValues<float>({1, 2, 3, 4, 5})));
  seen = run(folder, {"--", five});
  CHECK(seen.code == 0);
  CHECK(seen.out.substr(0, 34) == "(tensor([ 3.,  6.,  9., 12., 15.])");
}

TEST_CASE("a program writes its result as numpy does") {
  Folder folder;
  REQUIRE(run(folder, {"--output", folder.path}).code == 0);
  CHECK(contents(folder.file("out0.npy")) == npyOf(HostTensor::ofValues<float>({3, 6, 9, 12})));
  CHECK(!std::ifstream(folder.file("out0.npy.tmp")));
  Seen seen = run(folder, {"--output", folder.file("nowhere")});
  CHECK(seen.code == 6);
  CHECK(seen.err.find("[PTC4001]") != std::string::npos);
}

TEST_CASE("a program prints the times of its calls") {
  Folder folder;
  Seen seen = run(folder, {"--bench", "--calls", "20"});
  CHECK(seen.code == 0);
  CHECK(seen.out.find("variation  us of a call\n") != std::string::npos);
  CHECK(seen.out.find("guards   dispatch    kernels  us of a call, medians\n") !=
        std::string::npos);
}

TEST_CASE("what a program cannot do has a number and an exit code") {
  Folder folder;
  std::string wrong = folder.write("w.npy", npyOf(HostTensor::ofValues<double>({1, 2, 3, 4})));
  std::string odd = folder.write("odd.npy", "\x93NUMPY\1"),
              right = folder.write("r.npy", npyOf(four()));
  struct Row {
    std::vector<std::string> args;
    int code;
    const char *says;
  };
  const Row rows[] = {{{"--nothing"}, 2, "'--nothing' [PTC2001]"},
                      {{"--calls"}, 2, "--calls needs a value [PTC2001]"},
                      {{"--calls", "0"}, 2, "--calls '0'"},
                      {{"--calls", "1e3"}, 2, "--calls '1e3'"},
                      {{"--calls", "99999999999999999999999"}, 2, "--calls '999"},
                      {{"--calls="}, 2, "--calls ''"},
                      {{"--threads", "65"}, 2, "1 to 64"},
                      {{"--bench=1"}, 2, "'--bench=1'"},
                      {{"--entry", "other"}, 2, "there is no entry 'other' in 'model' [PTC3307]"},
                      {{"--weights", "w"}, 2, "--weights are not used"},
                      {{"--bench", "--output", "."}, 2, "--output and --bench"},
                      {{"--calls", "2", "--output", "."}, 2, "--output and --calls"},
                      {{right, right}, 2, "2 files of tensors are given"},
                      {{folder.file("gone.npy")}, 3, "[PTC3001]"},
                      {{folder.path}, 3, "[PTC3001]"},
                      {{odd}, 4, "[PTC3210]"},
                      {{wrong}, 14, "[PTC7001]\nnote: "},
                      {{"--bench", wrong}, 14, "[PTC7001]"}};
  for (const Row &row : rows) {
    Seen seen = run(folder, row.args);
    INFO(row.args.front() << ": " << seen.err);
    CHECK(seen.code == row.code);
    CHECK(seen.err.find(row.says) != std::string::npos);
    CHECK(seen.out.empty());
  }
}

TEST_CASE("every cut and every changed bit of a file ends in an exit code") {
  Folder folder;
  std::string whole = npyOf(four());
  auto check = [&](const std::string &bytes) {
    compareReaders(bytes);
    int code = run(folder, {folder.write("x.npy", bytes)}).code;
    CHECK((code == 0 || code == 4 || code == 14));
  };
  for (size_t size = 0; size < whole.size(); ++size)
    check(whole.substr(0, size));
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = char(bytes[bit / 8] ^ 1 << bit % 8);
    check(bytes);
  }
}

TEST_CASE("files are read as the compiler reads them") {
  auto file = [](const std::string &header, const std::string &data, char major = 1) {
    std::string out = "\x93NUMPY";
    out += {major, 0, char(header.size()), char(header.size() >> 8)};
    out += major == 1 ? "" : std::string(2, '\0');
    return out + header + data;
  };
  const std::string sixteen("\1\0\0\1\0\1\1\0\0\1\0\0\1\1\1\0", 16);
  for (const char *type :
       {"b1", "u1", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16", "O", "U3", "u2", ""})
    for (const char *order : {"<", ">", "|", "=", "", "!"})
      for (const char *shape : {"()", "(1,)", "(2, 2)", "(2, 1, 2)", "(0, 3)", "(3, 5)", "(-1,)",
                                "(4294967296, 4294967296, 0)", "(4294967296, 4294967296)",
                                "(9223372036854775808,)", "(2 2)", "(2,,)", "2"})
        for (const char *fortran : {"True", "False", "None"})
          for (char major : {'\1', '\2', '\3', '\4'})
            compareReaders(file(std::string("{'descr': '") + order + type + "', 'fortran_order': " +
                                    fortran + ", 'shape': " + shape + ", }",
                                sixteen, major));
  for (const char *header : {"{}", "{", "", "{'descr': '<f4'}", "{'descr': '<f4', 'descr': '<f4'}",
                             "{\"shape\": (2,), 'fortran_order':False,'descr':\"<f4\"}   \n",
                             "{'shape': (2,), 'fortran_order': False, 'descr': '<f4'} x",
                             "{'shape': (2,), 'fortran_order': False, 'descr': '<f4"})
    compareReaders(file(header, sixteen));
  std::string dims = "{'descr': '|u1', 'fortran_order': True, 'shape': (";
  for (int i = 0; i < 64; ++i)
    dims += "1, ";
  compareReaders(file(dims + ")}", sixteen));
  compareReaders(file(dims + "1)}", sixteen));
}

/// Numbers of many magnitudes, whole ones and special ones among them.
static double drawn(std::mt19937 &random, int kind) {
  double unit = double(random()) / 4294967296.0 - 0.5;
  switch (kind) {
  case 0:
    return unit;
  case 1:
    return std::round(unit * 2000);
  case 2:
    return unit * std::pow(10, double(random() % 20) - 10);
  case 3:
    return random() % 4 ? unit * 9 : random() % 2 ? NAN : random() % 2 ? INFINITY : -INFINITY;
  case 4:
    return random() % 3 ? 0 : std::round(unit * 1e10);
  default:
    return random() % 2 ? 0.0 : -0.0;
  }
}

/// The same elements with dimensions reversed; every second of them; each one several times.
static std::vector<HostTensor> viewsOf(const HostTensor &tensor) {
  std::vector<int64_t> sizes(tensor.sizes()), strides(tensor.strides());
  std::vector<int64_t> halves = sizes, steps = strides, repeated = sizes, still = strides;
  for (size_t d = 0; d < sizes.size(); ++d) {
    halves[d] = (sizes[d] + 1) / 2;
    steps[d] = strides[d] * 2;
  }
  repeated.push_back(5);
  still.push_back(0);
  std::vector<HostTensor> views = {tensor.view(halves, steps, 0), tensor.view(repeated, still, 0)};
  std::reverse(sizes.begin(), sizes.end());
  std::reverse(strides.begin(), strides.end());
  views.push_back(tensor.view(sizes, strides, 0));
  return views;
}

TEST_CASE("tensors are shown as the compiler shows them") {
  std::mt19937 random(7); // NOLINT(bugprone-random-generator-seed): the same in every run
  const std::vector<std::vector<int64_t>> shapes = {
      {},        {0},         {1},       {7},          {30},          {1000},       {1001},
      {2, 3},    {0, 3},      {3, 0, 2}, {40, 40},     {8, 200},      {2, 3, 4},    {1, 1, 1, 1},
      {2, 7, 9}, {12, 9, 11}, {7, 1, 7}, {2, 2, 2, 2}, {3, 3, 3, 40}, {2, 0, 2, 2}, {6, 200}};
  for (const DTypeInfo &info : getAllDTypeInfos())
    for (const auto &shape : shapes)
      for (int kind = 0; kind < 6; ++kind) {
        HostTensor tensor = HostTensor::zeros(info.dtype, shape);
        visitDType(info.dtype, [&](auto tag) {
          using T = typename decltype(tag)::Type;
          for (int64_t i = 0; i < tensor.numel(); ++i)
            tensor.data<T>()[i] =
                convertElement<T>(std::complex<double>(drawn(random, kind), drawn(random, kind)));
        });
        INFO(info.torchName.str() << ' ' << shape.size() << " dimensions, kind " << kind);
        CHECK(textOf(viewOf(tensor)) == tensorRepr(tensor));
        CHECK(textOf(viewOf(tensor), "requires_grad=True") ==
              tensorRepr(tensor, "requires_grad=True"));
        for (const HostTensor &view : viewsOf(tensor))
          CHECK(textOf(viewOf(view)) == tensorRepr(view));
      }
}

TEST_CASE("views are shown and written by their strides") {
  HostTensor base = HostTensor::ofValues<float>({0, 1, 2, 3, 4, 5, 6, 7});
  HostTensor view = base.view({2, 3}, {1, 2}, 1);
  CHECK(textOf(viewOf(view)) == tensorRepr(view));
  Folder folder;
  DLTensor row = viewOf(view);
  const DLTensor *rows[] = {&row, &row};
  REQUIRE(main_write_npys(folder.path.c_str(), rows, 2) == 0);
  CHECK(contents(folder.file("out1.npy")) == npyOf(view));
  HostTensor brain = HostTensor::zeros(DType::BFloat16, {2});
  DLTensor other = viewOf(brain);
  rows[1] = &other;
  Folder empty;
  Redirected err(stderr, folder.file("stderr"));
  CHECK(main_write_npys(empty.path.c_str(), rows, 2) == 4);
  CHECK(!std::ifstream(empty.file("out0.npy")));
}
