//===- Races.cpp - Who reads and writes shared memory at the same time -----------------===//
//
// In: accesses, and what threads wait for. Out: a fault at the second of two accesses of one byte
// by two threads, one of which writes, without a barrier between them; two may write the same.
//
//===----------------------------------------------------------------------===//
#include "Races.h"

#include <algorithm>

using namespace device;

Races::Races(const std::vector<unsigned char> &memory, unsigned threads)
    : memory(memory), warps(threads / kLanes + 1), bytes(memory.size()) {}

/// What an access writes is there when the next one comes.
void Races::checkWritten() {
  for (const Shared &byte : written)
    if (memory[byte.at] != byte.value)
      throw Fault("shared memory was written while thread " + std::to_string(byte.thread) +
                  " wrote something else");
  written.clear();
}

void Races::passBlock() {
  checkWritten();
  ++now;
}

void Races::clear() {
  ++now;
  written.clear();
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

void Races::noteByte(uint64_t at, const Accessor &by) {
  Byte &byte = bytes[at];
  const bool reads = by.access == Access::Read;
  if (isConcurrent(byte.write, by.thread)) {
    if (by.access != Access::Write)
      throw Fault(std::string(reads ? "shared memory is read" : "a copy to shared memory begins") +
                  " while thread " + std::to_string(byte.write.thread) + " writes it");
    written.push_back({at, memory[at], byte.write.thread});
  }
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
  checkWritten();
  for (uint64_t k = at; k < at + count; ++k)
    noteByte(k, by);
}
