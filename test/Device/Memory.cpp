//===- Memory.cpp - Memory of the device -----------------------------------------------===//
//
// In: sizes. Out: addresses in pages without access, and memory of the host behind each.
//
//===----------------------------------------------------------------------===//
#include "Memory.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>

using namespace device;

/// By their last byte. Never destroyed: artefacts give memory back while the process ends.
static std::map<uint64_t, Region> &regions() {
  static auto *all = new std::map<uint64_t, Region>;
  return *all;
}

static size_t inPages(size_t bytes) {
  constexpr size_t kPage = 4096;
  return (bytes + kPage - 1) / kPage * kPage;
}

uint64_t device::allocate(size_t bytes, unsigned char filled) {
  void *place =
      mmap(nullptr, inPages(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  auto *memory = static_cast<unsigned char *>(std::malloc(bytes));
  if (place == MAP_FAILED || !memory)
    return 0;
  std::memset(memory, filled, bytes);
  auto begin = reinterpret_cast<uint64_t>(place);
  regions()[begin + bytes - 1] = {begin, bytes, memory};
  return begin;
}

const Region *device::findRegion(uint64_t address) {
  auto found = regions().lower_bound(address);
  return found == regions().end() || address < found->second.begin ? nullptr : &found->second;
}

bool device::release(uint64_t address) {
  const Region *found = findRegion(address);
  if (!found || found->begin != address)
    return false;
  void *place = reinterpret_cast<void *>(address); // NOLINT(performance-no-int-to-ptr)
  munmap(place, inPages(found->bytes));
  std::free(found->behind);
  regions().erase(address + found->bytes - 1);
  return true;
}

size_t device::numAllocations() { return regions().size(); }

unsigned char *device::behind(uint64_t address, size_t bytes) {
  const Region *in = findRegion(address);
  if (!in || bytes > in->bytes - (address - in->begin))
    return nullptr;
  return in->behind + (address - in->begin);
}
