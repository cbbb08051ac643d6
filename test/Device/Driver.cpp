//===- Driver.cpp - A CUDA driver without a GPU ----------------------------------------------===//
//
// Built as libcuda.so.1 for the tests, which load it in front of any real one. It has the functions
// that artefacts use and no others, and checks each call. Memory of the device is addresses that
// fault: whoever reads or writes them on the host is caught. Kernels of PTX are executed; those of
// machine code are found in the images, their launches checked and written down, and they compute
// nothing: results are what the host copied there, else 0.
//
// FAKE_CUDA_LOG: a file: one line for each call that changes something, and, where the process
// ends, what is left.
//
// FAKE_CUDA_FAIL: `name:n=result`: the n-th call of a function, since this was said, gives this
// result and does nothing. `name:n+=result`: this one and all that follow. `*`: of any name.
//
// FAKE_CUDA_ARCH: compute capability, default 90.
//
// FAKE_CUDA_PTX: set: machine code is refused, so that kernels are executed.
//
// FAKE_CUDA_RACES: set: threads that use shared memory at the same time are faults.
//
//===----------------------------------------------------------------------===//
#include "Calls.h"
#include "Memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>

using namespace device;

// The names are the driver's. NOLINTBEGIN(readability-identifier-naming)

namespace {
/// What a process has of the device.
struct State {
  int depth = 0, retained = 0;
  bool isInitialized = false, executes = false;
  char context = 0, stream = 0;
  std::string fault;
  std::string wish; ///< FAKE_CUDA_FAIL
  int wishes = 0;   ///< so many different ones came
};
State state;
} // namespace

//===----------------------------------------------------------------------===//
// What is written down
//===----------------------------------------------------------------------===//

void device::say(const std::string &text) {
  const char *path = std::getenv("FAKE_CUDA_LOG");
  FILE *file = path ? std::fopen(path, "a") : nullptr;
  if (!file)
    return;
  std::fprintf(file, "%s\n", text.c_str());
  std::fclose(file);
}

Result device::wrong(const std::string &what) {
  say("WRONG " + what);
  return kInvalidValue;
}

Result device::noteFault(const char *text) {
  wrong(text);
  state.fault = text;
  return kLaunchFailed;
}

__attribute__((destructor)) static void atEnd() {
  say("end: " + std::to_string(numAllocations()) + " allocations, " + std::to_string(numGraphs()) +
      " graphs, " + std::to_string(state.depth) + " contexts current, " +
      std::to_string(state.retained) + " retained");
}

int device::failure(const char *name, Counted &counted) {
  const char *given = std::getenv("FAKE_CUDA_FAIL");
  std::string wish = given ? given : "";
  if (wish != state.wish) {
    state.wish = wish;
    ++state.wishes;
  }
  if (counted.since != state.wishes)
    counted = {0, state.wishes};
  ++counted.calls;
  std::string of = wish.substr(0, 1) == "*" ? "*" : name;
  if (wish.compare(0, of.size() + 1, of + ":") != 0)
    return kOk;
  char *end = nullptr;
  long number = std::strtol(wish.c_str() + of.size() + 1, &end, 10);
  bool areAllBehind = *end == '+';
  end += areAllBehind;
  if (*end != '=' || (areAllBehind ? counted.calls < number : counted.calls != number))
    return kOk;
  auto code = int(std::strtol(end + 1, nullptr, 10));
  say(std::string(name) + " fails with " + std::to_string(code));
  return code;
}

bool device::hasContext(const char *name) {
  if (state.depth == 0)
    say("WRONG " + std::string(name) + " without a context");
  return state.depth != 0;
}

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

PTC_DRIVER int cuInit(unsigned flags) {
  PTC_MAY_FAIL("cuInit");
  state.isInitialized = true;
  return flags ? wrong("flags of cuInit") : kOk;
}
PTC_DRIVER int cuDeviceGet(int *device, int ordinal) {
  PTC_MAY_FAIL("cuDeviceGet");
  *device = 0;
  return !state.isInitialized ? kNotInitialized : ordinal ? wrong("ordinal") : kOk;
}
PTC_DRIVER int cuDeviceGetAttribute(int *value, int attribute, int device) {
  PTC_MAY_FAIL("cuDeviceGetAttribute");
  constexpr int kProcessors = 16, kThreads = 39, kMajor = 75, kMinor = 76;
  const char *arch = std::getenv("FAKE_CUDA_ARCH");
  int capability = arch ? int(std::strtol(arch, nullptr, 10)) : 90;
  if (device != 0)
    return wrong("device");
  switch (attribute) {
  case kProcessors:
    *value = 132;
    return kOk;
  case kThreads: // of a processor
    *value = 2048;
    return kOk;
  case kMajor:
    *value = capability / 10;
    return kOk;
  case kMinor:
    *value = capability % 10;
    return kOk;
  default:
    return wrong("attribute");
  }
}
PTC_DRIVER int cuDevicePrimaryCtxRetain(void **context, int device) {
  PTC_MAY_FAIL("cuDevicePrimaryCtxRetain");
  *context = &state.context;
  ++state.retained;
  return device ? wrong("device") : kOk;
}
PTC_DRIVER int cuDevicePrimaryCtxRelease_v2(int device) {
  --state.retained;
  return device || state.retained < 0 ? wrong("release of a context") : kOk;
}
PTC_DRIVER int cuCtxGetCurrent(void **context) {
  PTC_MAY_FAIL("cuCtxGetCurrent");
  *context = state.depth ? &state.context : nullptr;
  return kOk;
}
PTC_DRIVER int cuCtxPushCurrent_v2(void *context) {
  PTC_MAY_FAIL("cuCtxPushCurrent");
  ++state.depth;
  return context != &state.context ? wrong("context") : kOk;
}
PTC_DRIVER int cuCtxPopCurrent_v2(void **context) {
  if (state.depth == 0)
    return wrong("pop without a push");
  --state.depth;
  *context = &state.context;
  return kOk;
}
/// What a kernel did wrong is told with the line of its PTX.
PTC_DRIVER int cuGetErrorString(int code, const char **text) {
  *text = code != kLaunchFailed ? nullptr
          : state.fault.empty() ? "unspecified launch failure"
                                : state.fault.c_str();
  return *text ? kOk : kInvalidValue;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What no kernel wrote shows, if there are kernels that write.
static uint64_t allocateFilled(size_t bytes) { return allocate(bytes, state.executes ? 0xff : 0); }

PTC_DRIVER int cuMemAlloc_v2(uint64_t *at, size_t bytes) {
  PTC_NEEDS_CONTEXT("cuMemAlloc");
  PTC_MAY_FAIL("cuMemAlloc");
  if (bytes == 0)
    return wrong("an allocation of nothing");
  *at = allocateFilled(bytes);
  say("alloc " + std::to_string(bytes));
  return *at ? kOk : kOutOfMemory;
}
PTC_DRIVER int cuMemFree_v2(uint64_t at) {
  PTC_NEEDS_CONTEXT("cuMemFree");
  return release(at) ? kOk : wrong("free of what was not allocated");
}

/// A stream that callers make; artefacts make none.
PTC_DRIVER int cuStreamCreate(void **stream, unsigned flags) {
  *stream = &state.stream;
  return flags ? wrong("flags of a stream") : kOk;
}
bool device::isStream(const void *stream) { return !stream || stream == &state.stream; }
std::string device::on(const void *stream) { return stream ? " on a stream" : ""; }

static bool isOfDevice(const void *at) { return findRegion(reinterpret_cast<uint64_t>(at)); }

PTC_DRIVER int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  PTC_NEEDS_CONTEXT("cuMemcpyHtoD");
  PTC_MAY_FAIL("cuMemcpyHtoD");
  unsigned char *at = behind(to, bytes);
  if (!at || !isStream(stream) || isOfDevice(from))
    return wrong("copy to the device");
  std::memcpy(at, from, bytes);
  say("to device " + std::to_string(bytes) + on(stream));
  return kOk;
}
PTC_DRIVER int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  PTC_NEEDS_CONTEXT("cuMemcpyDtoH");
  PTC_MAY_FAIL("cuMemcpyDtoH");
  const unsigned char *at = behind(from, bytes);
  if (!at || !isStream(stream) || isOfDevice(to))
    return wrong("copy to the host");
  std::memcpy(to, at, bytes);
  say("to host " + std::to_string(bytes) + on(stream));
  return kOk;
}
PTC_DRIVER int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  PTC_NEEDS_CONTEXT("cuMemcpyDtoD");
  PTC_MAY_FAIL("cuMemcpyDtoD");
  unsigned char *at = behind(to, bytes);
  const unsigned char *source = behind(from, bytes);
  if (!at || !source || !isStream(stream))
    return wrong("copy on the device");
  std::memmove(at, source, bytes);
  return kOk;
}
PTC_DRIVER int cuStreamSynchronize(void *stream) {
  PTC_NEEDS_CONTEXT("cuStreamSynchronize");
  PTC_MAY_FAIL("cuStreamSynchronize");
  say("synchronize" + on(stream));
  return isStream(stream) ? kOk : wrong("stream");
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static bool isElf(const char *data) { return std::memcmp(data, ELFMAG, SELFMAG) == 0; }

/// Whether machine code has a kernel: a global function of the symbol table.
static bool hasFunction(const char *data, const char *name) {
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(data);
  const auto *sections = reinterpret_cast<const Elf64_Shdr *>(data + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    const auto *symbols = reinterpret_cast<const Elf64_Sym *>(data + sections[i].sh_offset);
    const char *names = data + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; ++k)
      if (ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC &&
          std::strcmp(names + symbols[k].st_name, name) == 0)
        return true;
  }
  return false;
}

PTC_DRIVER int cuModuleLoadData(void **module, const void *data) {
  PTC_NEEDS_CONTEXT("cuModuleLoadData");
  PTC_MAY_FAIL("cuModuleLoadData");
  const auto *text = static_cast<const char *>(data);
  if (reinterpret_cast<uintptr_t>(data) % 8)
    return wrong("an image that is not aligned");
  if (isElf(text) && std::getenv("FAKE_CUDA_PTX"))
    return kNoBinary;
  auto image = std::make_unique<Image>();
  if (isElf(text)) {
    image->machineCode = text;
  } else {
    try {
      image->module = readModule(text, allocateFilled);
    } catch (const Fault &fault) {
      wrong(fault.what());
      std::fprintf(stderr, "%s\n", fault.what()); // a load has no text of its own
      return kInvalidPtx;
    }
    state.executes = true;
  }
  say(isElf(text) ? "load machine code" : "load PTX");
  *module = image.release();
  return kOk;
}
PTC_DRIVER int cuModuleUnload(void *module) {
  PTC_NEEDS_CONTEXT("cuModuleUnload");
  if (!module)
    return wrong("module");
  std::unique_ptr<Image> image(static_cast<Image *>(module));
  if (image->module)
    for (const auto &variable : image->module->globals)
      release(variable->address);
  return kOk;
}
PTC_DRIVER int cuModuleGetFunction(void **function, void *module, const char *name) {
  PTC_NEEDS_CONTEXT("cuModuleGetFunction");
  PTC_MAY_FAIL("cuModuleGetFunction");
  const auto *image = static_cast<const Image *>(module);
  const Function *found = image->module ? image->module->kernel(name) : nullptr;
  if (image->module ? !found : !hasFunction(image->machineCode, name))
    return kNotFound;
  static auto *kernels = new std::vector<std::unique_ptr<Kernel>>;
  kernels->push_back(std::make_unique<Kernel>(Kernel{name, image, found}));
  *function = kernels->back().get();
  return kOk;
}
PTC_DRIVER int cuFuncSetAttribute(void * /*function*/, int attribute, int value) {
  PTC_MAY_FAIL("cuFuncSetAttribute");
  constexpr int kMostShared = 8;
  return attribute == kMostShared && value > 0 ? kOk : wrong("attribute of a function");
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Of 16-bit floats, or of 32-bit ones that are rounded, 128 bytes of the innermost dimension in a
/// box: what is written down in place of a map is its memory, how much of it the map covers, and
/// zeros.
PTC_DRIVER int cuTensorMapEncodeTiled(uint64_t *map, int type, unsigned rank, void *at,
                                      const uint64_t *sizes, const uint64_t *pitches,
                                      const uint32_t *box, const uint32_t *steps, int interleave,
                                      int swizzle, int promotion, int fill) {
  PTC_MAY_FAIL("cuTensorMapEncodeTiled");
  constexpr int kFloat16 = 6, kBFloat16 = 9, kTFloat32 = 11;
  auto address = reinterpret_cast<uint64_t>(at);
  if (reinterpret_cast<uintptr_t>(map) % 64 ||
      (type != kFloat16 && type != kBFloat16 && type != kTFloat32) || rank < 2 || rank > 5 ||
      address % 16 || interleave || swizzle != 3 || promotion < 0 || promotion > 3 || fill)
    return wrong("tensor map");
  uint64_t last = 0, width = type == kTFloat32 ? 4 : 2;
  for (unsigned d = 0; d < rank; ++d) {
    uint64_t pitch = d ? pitches[d - 1] : width;
    if (sizes[d] == 0 || sizes[d] >> 32 || steps[d] != 1 || box[d] == 0 || box[d] > 256 ||
        (d && pitch % 16) || (d == 0 && box[d] * width != 128))
      return wrong("dimension of a tensor map");
    last += (sizes[d] - 1) * pitch;
  }
  if (!behind(address, last + width))
    return wrong("memory of a tensor map");
  std::memset(map, 0, 128);
  map[0] = address;
  map[1] = last + width;
  return kOk;
}

/// Images, channels last: windows that begin between the corners.
PTC_DRIVER int cuTensorMapEncodeIm2col(uint64_t *map, int type, unsigned rank, void *at,
                                       const uint64_t *sizes, const uint64_t *pitches,
                                       const int *lower, const int *upper, uint32_t channels,
                                       uint32_t pixels, const uint32_t *steps, int interleave,
                                       int swizzle, int promotion, int fill) {
  const uint32_t box[4] = {channels, 1, 1, 1}, ones[4] = {1, 1, 1, 1};
  if (rank != 4 || pixels == 0 || pixels > 1024 || steps[0] != 1 || steps[3] != 1)
    return wrong("tensor map of images");
  for (unsigned d = 0; d < 2; ++d)
    if (lower[d] < -128 || lower[d] > 127 || upper[d] < -128 || upper[d] > 127 ||
        steps[d + 1] == 0 || steps[d + 1] > 8 || int64_t(sizes[d + 1]) + upper[d] - lower[d] <= 0)
      return wrong("window of a tensor map");
  return cuTensorMapEncodeTiled(map, type, rank, at, sizes, pitches, box, ones, interleave, swizzle,
                                promotion, fill);
}

// NOLINTEND(readability-identifier-naming)
