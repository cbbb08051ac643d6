// Pages that cannot be touched, and what happens when they are.
#include "Guarded.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <csetjmp>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace ptc;
using namespace overloads;

GuardedMemory::~GuardedMemory() {
  for (const Mapping &m : mappings)
    munmap(m.base, m.bytes);
}

std::byte *GuardedMemory::allocate(uint64_t bytes, uint64_t alignment) {
  static const auto kPage = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t inside = llvm::alignTo(std::max<uint64_t>(bytes, 1), kPage), all = inside + 2 * kPage;
  void *base = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    llvm::report_fatal_error("no memory");
  auto *start = static_cast<std::byte *>(base), *piece = start + kPage;
  if (mprotect(piece, inside, PROT_READ | PROT_WRITE) != 0)
    llvm::report_fatal_error("no memory");
  memset(piece, 0xff, inside);
  if (border == Border::Behind)
    piece += inside - llvm::alignTo(bytes, std::max<uint64_t>(alignment, 1));
  mappings.push_back({start, all, piece, piece + bytes});
  return piece;
}

bool GuardedMemory::isIntact() const {
  static const auto kPage = uint64_t(sysconf(_SC_PAGESIZE));
  auto isUntouched = [](std::byte b) { return b == std::byte(0xff); };
  return llvm::all_of(mappings, [&](const Mapping &m) {
    return std::all_of(m.base + kPage, m.piece, isUntouched) &&
           std::all_of(m.end, m.base + m.bytes - kPage, isUntouched);
  });
}

HostTensor GuardedMemory::copyOf(const HostTensor &tensor) {
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip_equal(tensor.sizes(), tensor.strides()))
    last += (size - 1) * stride;
  uint64_t bytes = tensor.numel() ? uint64_t(last + 1) * tensor.elementBytes() : 0;
  auto storage = std::make_shared<TensorStorage>(allocate(bytes, tensor.elementBytes()),
                                                 size_t(bytes), nullptr);
  HostTensor copy(tensor.dtype(), tensor.sizes(), tensor.strides(), 0, storage);
  copy.copyFrom(tensor);
  return copy;
}

static sigjmp_buf landing;
static volatile std::sig_atomic_t isWatching = 0;

static void leave(int) {
  if (isWatching)
    siglongjmp(landing, 1);
  _exit(70); // not the code that is tried
}

bool overloads::runTrapped(llvm::function_ref<void()> body) {
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  struct sigaction before[std::size(kSignals)], mine = {};
  mine.sa_handler = leave;
  mine.sa_flags = SA_NODEFER;
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &mine, &before[i]);
  volatile bool isDone = false;
  if (sigsetjmp(landing, 1) == 0) {
    isWatching = 1;
    body();
    isDone = true;
  }
  isWatching = 0;
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &before[i], nullptr);
  return isDone;
}
