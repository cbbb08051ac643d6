//===- Memory.h - Memory of the device ------------------------*- C++ -*-===//
//
// Addresses of the device fault where the host reads or writes them; what they stand for is behind
// them.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_MEMORY_H
#define PTC_TEST_DEVICE_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace device {

struct Region {
  uint64_t begin = 0;
  size_t bytes = 0;
  unsigned char *behind = nullptr;
};

/// 0: there is no room. Fresh memory has this byte everywhere.
uint64_t allocate(size_t bytes, unsigned char filled);
/// False: nothing begins there.
bool release(uint64_t address);
size_t numAllocations();
/// Null: the address lies in none.
const Region *findRegion(uint64_t address);
/// The memory behind an address that so many bytes lie at; null: they do not.
unsigned char *behind(uint64_t address, size_t bytes);

} // namespace device

#endif // PTC_TEST_DEVICE_MEMORY_H
