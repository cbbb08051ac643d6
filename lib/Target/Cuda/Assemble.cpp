//===- Assemble.cpp - PTX to machine code ----------------------------------------------------===//
//
// In: PTX. Out: a cubin, made in this process by nvJitLink where the library is there, else by
// ptxas.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "ptc/Support/Error.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace ptc;
using namespace ptc::cuda;

//===----------------------------------------------------------------------===//
// Where tools are
//===----------------------------------------------------------------------===//

static std::optional<std::string> variable(const char *name) {
  auto value = llvm::sys::Process::GetEnv(name);
  return value && !value->empty() ? value : std::nullopt;
}

/// Where PTC_CUDA says, and nowhere else.
static bool isNamed() { return variable("PTC_CUDA").has_value(); }

/// Folders of a toolkit or of Python packages.
static llvm::SmallVector<std::string> roots() {
  if (auto named = variable("PTC_CUDA"))
    return {*named};
  llvm::SmallVector<std::string> found;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (auto value = variable(name))
      found.push_back(*value);
  found.emplace_back("/usr/local/cuda");
  return found;
}

/// The first of `names` below a root that there is.
static std::string findBelow(llvm::ArrayRef<llvm::StringRef> names) {
  for (const std::string &root : roots())
    for (llvm::StringRef name : names) {
      llvm::SmallString<128> path(root);
      llvm::sys::path::append(path, name);
      if (llvm::sys::fs::exists(path))
        return path.str().str();
    }
  return "";
}

std::string cuda::findLibdevice() {
  return findBelow({"nvvm/libdevice/libdevice.10.bc", "nvidia/cu13/nvvm/libdevice/libdevice.10.bc",
                    "nvidia/cuda_nvcc/nvvm/libdevice/libdevice.10.bc"});
}

static std::string findNvJitLink() {
  return findBelow({"lib64/libnvJitLink.so.13", "nvidia/cu13/lib/libnvJitLink.so.13"});
}

static std::string findPtxas() {
  if (auto path = llvm::sys::findProgramByName("ptxas"); path && !isNamed())
    return *path;
  return findBelow({"bin/ptxas", "nvidia/cu13/bin/ptxas"});
}

//===----------------------------------------------------------------------===//
// nvJitLink
//===----------------------------------------------------------------------===//

namespace {
/// What is used of nvJitLink.h of CUDA 13. A status of 0 is success; a PTX input is number 2.
struct NvJitLink {
  using Handle = void *;
  int (*create)(Handle *, uint32_t, const char **) = nullptr;
  int (*destroy)(Handle *) = nullptr;
  int (*addData)(Handle, int, const void *, size_t, const char *) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*cubinSize)(Handle, size_t *) = nullptr;
  int (*cubin)(Handle, void *) = nullptr;
  int (*errorSize)(Handle, size_t *) = nullptr;
  int (*error)(Handle, char *) = nullptr;

  /// False: the library lacks a function.
  bool open(void *library) {
    bool all = true;
    auto find = [&](auto &function, const char *name) {
      // Names have the version behind them, apart from those without.
      void *symbol = dlsym(library, (std::string("__") + name + "_13_0").c_str());
      if (!symbol)
        symbol = dlsym(library, name);
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
      all &= symbol != nullptr;
    };
    find(create, "nvJitLinkCreate");
    find(destroy, "nvJitLinkDestroy");
    find(addData, "nvJitLinkAddData");
    find(complete, "nvJitLinkComplete");
    find(cubinSize, "nvJitLinkGetLinkedCubinSize");
    find(cubin, "nvJitLinkGetLinkedCubin");
    find(errorSize, "nvJitLinkGetErrorLogSize");
    find(error, "nvJitLinkGetErrorLog");
    return all;
  }
};
constexpr int kPtxInput = 2;
} // namespace

/// Null: it is not there. Never closed: it is used again.
static const NvJitLink *theNvJitLink() {
  static const NvJitLink *const found = []() -> const NvJitLink * {
    static NvJitLink functions;
    std::string path = findNvJitLink();
    if (path.empty() && isNamed())
      return nullptr;
    void *library = dlopen(path.empty() ? "libnvJitLink.so.13" : path.c_str(), RTLD_NOW);
    return library && functions.open(library) ? &functions : nullptr;
  }();
  return found;
}

/// What it says is wrong.
static std::string readErrors(const NvJitLink &link, NvJitLink::Handle handle) {
  size_t bytes = 0;
  if (link.errorSize(handle, &bytes) != 0 || bytes == 0)
    return "";
  std::string text(bytes, '\0');
  if (link.error(handle, text.data()) != 0)
    return "";
  return llvm::StringRef(text).rtrim('\0').str();
}

static llvm::Expected<std::string> assembleHere(const NvJitLink &link, llvm::StringRef ptx,
                                                llvm::StringRef target, unsigned level) {
  std::string arch = ("-arch=" + target).str();
  const char *arguments[] = {arch.c_str(), level == 0 ? "-O0" : "-O3"};
  NvJitLink::Handle handle = nullptr;
  if (link.create(&handle, 2, arguments) != 0)
    return makeError(DiagId::InternalError, {}, ("nvJitLink does not know " + target).str());
  std::string text = ptx.str(); // terminated
  std::string cubin;
  size_t bytes = 0;
  bool made = link.addData(handle, kPtxInput, text.c_str(), text.size() + 1, "ptc") == 0 &&
              link.complete(handle) == 0 && link.cubinSize(handle, &bytes) == 0;
  if (made) {
    cubin.resize(bytes);
    made = link.cubin(handle, cubin.data()) == 0;
  }
  std::string words = made ? "" : readErrors(link, handle);
  link.destroy(&handle);
  if (!made)
    return makeError(DiagId::InternalError, {}, "nvJitLink: " + words);
  return cubin;
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

static llvm::Expected<std::string> assembleBy(llvm::StringRef program, llvm::StringRef ptx,
                                              llvm::StringRef target, unsigned level) {
  llvm::SmallString<128> in, out, said;
  for (auto [path, suffix] : {std::pair(&in, "ptx"), {&out, "cubin"}, {&said, "log"}})
    if (std::error_code ec = llvm::sys::fs::createTemporaryFile("ptc", suffix, *path))
      return makeError(DiagId::OutputNotWritten, {}, "temporary folder", ec.message());
  llvm::FileRemover removers[] = {llvm::FileRemover(in), llvm::FileRemover(out),
                                  llvm::FileRemover(said)};
  std::error_code ec;
  {
    llvm::raw_fd_ostream os(in, ec);
    os << ptx;
    os.close();
    ec = os.error();
    os.clear_error();
  }
  if (ec)
    return makeError(DiagId::OutputNotWritten, {}, "temporary folder", ec.message());
  std::string arch = ("-arch=" + target).str();
  llvm::StringRef arguments[] = {program, arch, level == 0 ? "-O0" : "-O3", in, "-o", out};
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, said.str(), said.str()};
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects,
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  auto words = llvm::MemoryBuffer::getFile(said);
  auto cubin = llvm::MemoryBuffer::getFile(out);
  llvm::StringRef text = words ? (*words)->getBuffer().trim() : "";
  if (status == 0 && cubin && (*cubin)->getBuffer().starts_with("\177ELF"))
    return (*cubin)->getBuffer().str();
  if (status > 0 && text.contains((in + ", line ").str())) // something is wrong with the PTX
    return makeError(DiagId::InternalError, {}, text);
  if (!text.empty())
    problem = text.str();
  else if (problem.empty())
    problem = status == 0 ? "it writes none" : "it ends with exit code " + std::to_string(status);
  return makeError(DiagId::AssemblerFailed, {}, program, problem);
}

bool cuda::hasAssembler() { return theNvJitLink() || !findPtxas().empty(); }

llvm::Expected<std::string> cuda::assemble(llvm::StringRef ptx, llvm::StringRef target,
                                           unsigned level) {
  // nvJitLink compiles for several units: it ignores `setmaxnreg`, and spills or waits instead.
  if (std::string program = findPtxas(); !program.empty())
    return assembleBy(program, ptx, target, level);
  const NvJitLink *link = theNvJitLink();
  return link ? assembleHere(*link, ptx, target, level) : std::string();
}
