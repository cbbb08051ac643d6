//===- Races.h - Who reads and writes shared memory at the same time ---*- C++ -*-===//
//
// Of each byte: who wrote it and who read it since threads waited for each other. Threads of a
// block do at its barriers, lanes of a warp at those of the warp as well.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_RACES_H
#define PTC_TEST_DEVICE_RACES_H

#include "Run.h"

namespace device {

class Races {
public:
  /// Of that memory.
  Races(const std::vector<unsigned char> &memory, unsigned threads);
  void clear();
  /// Throws a fault where another thread did what must not be at the same time.
  void note(uint64_t at, unsigned bytes, const Accessor &by);
  void passBlock();
  void passWarp(unsigned warp) { ++warps[warp]; }

private:
  static constexpr uint32_t kNobody = ~uint32_t(0), kMany = kNobody - 1, kManyWarps = kMany - 1;
  struct Event {
    uint32_t when = 0;         ///< barriers of the block
    uint32_t thread = kNobody; ///< or several, of one warp or not
    uint32_t warp = 0, whenOfWarp = 0;
  };
  struct Byte {
    Event write, read;
  };
  bool isConcurrent(const Event &event, unsigned thread) const;
  Event event(unsigned thread) const;
  void noteByte(uint64_t at, const Accessor &by);
  void checkWritten();

  /// A byte that two threads write: both write the same.
  struct Shared {
    uint64_t at;
    unsigned char value;
    uint32_t thread;
  };

  const std::vector<unsigned char> &memory;
  std::vector<Shared> written; ///< by the access before
  uint32_t now = 1;
  std::vector<uint32_t> warps; ///< barriers of each
  std::vector<Byte> bytes;
};

} // namespace device

#endif // PTC_TEST_DEVICE_RACES_H
