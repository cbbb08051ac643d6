//===- Races.cpp - Who reads and writes shared memory at the same time
//--------------------------===//
//
// In: accesses, and what threads wait for. Out: a fault at the second of two accesses of one byte
// by two threads, one of which writes, without a barrier between them.
//
//===----------------------------------------------------------------------===//
#include "Races.h"

#include <algorithm>

using namespace device;

Races::Races(size_t bytes, unsigned threads) : warps(threads / kLanes + 1), bytes(bytes) {}

void Races::clear() {
  ++now;
  std::ranges::fill(bytes, Byte());
}

Races::Event Races::event(unsigned thread) const {
  unsigned warp = thread / kLanes;
  return {now, thread, warp, warps[warp]};
}

bool Races::isConcurrent(const Event &event, unsigned thread) const {
  if (event.when != now || event.thread == thread || event.thread == kNobody)
    return false;
  unsigned warp = thread / kLanes;
  return event.thread == kManyWarps || event.warp != warp || event.whenOfWarp == warps[warp];
}

void Races::noteByte(Byte &byte, const Accessor &by) const {
  const bool reads = by.access == Access::Read;
  if (isConcurrent(byte.write, by.thread))
    throw Fault(std::string(reads ? "shared memory is read" : "shared memory is written") +
                " while thread " + std::to_string(byte.write.thread) + " writes it");
  if (!reads && isConcurrent(byte.read, by.thread))
    throw Fault("shared memory is written while another thread reads it");
  if (by.access == Access::Atomic)
    return;
  Event &last = reads ? byte.read : byte.write;
  Event made = event(by.thread);
  if (reads && last.when == now && last.thread != by.thread && last.thread != kNobody)
    made.thread = last.thread == kManyWarps || last.warp != made.warp ? kManyWarps : kMany;
  last = made;
}

void Races::note(uint64_t at, unsigned count, const Accessor &by) {
  for (uint64_t k = at; k < at + count; ++k)
    noteByte(bytes[k], by);
}
