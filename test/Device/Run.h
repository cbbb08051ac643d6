//===- Run.h - Grids of blocks of warps of lanes --------------*- C++ -*-===//
//
// What handlers of instructions see of the machine.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_RUN_H
#define PTC_TEST_DEVICE_RUN_H

#include "Ptx.h"

#include <deque>
#include <optional>

namespace device {

class Block;
class Races;

/// Begun: of a copy that will write.
enum class Access : uint8_t { Read, Write, Atomic, Begun };

struct Accessor {
  unsigned thread;
  Access access;
};

struct Launch {
  const Module *module = nullptr;
  const Function *kernel = nullptr;
  std::array<unsigned, 3> grid{1, 1, 1}, threads{1, 1, 1};
  unsigned sharedBytes = 0; ///< besides those of the kernel
  std::vector<unsigned char> arguments;
};

/// Runs every block, one after the other. Throws a fault with the kernel and the line.
void run(const Launch &launch);

struct Frame {
  const Instruction *call;
  uint32_t back;
  bool operator==(const Frame &other) const = default;
};

/// Lanes of a warp that are at the same place.
struct Fragment {
  uint32_t next = 0;
  Mask mask = 0;
  bool waits = false; ///< for other lanes to come to this place
  std::vector<Frame> frames;
};

/// Bytes of a copy from global to shared memory that is under way.
struct Copy {
  uint64_t to = 0;
  uint64_t group = 0;
  uint8_t bytes = 0;
  std::array<unsigned char, 16> contents{};
};

class Warp {
public:
  Warp(Block &block, const Launch &launch, unsigned number);

  /// At the kernel's first instruction, in the block with that number.
  void start(std::array<unsigned, 3> block);
  /// Until it is done or waits at a barrier of the block.
  void run();
  bool isDone() const { return fragments.empty(); }
  Mask live() const;

  template <class T> T *at(uint32_t place) {
    return reinterpret_cast<T *>(registers.data() + place);
  }
  /// The memory behind an address; throws a fault where there is none, or it is not aligned.
  unsigned char *place(Space space, uint64_t address, unsigned bytes, unsigned lane, Access access);
  /// Memory of a lane that calls pass parameters in.
  unsigned char *parameter(unsigned lane, uint32_t offset) {
    return parameters.data() + size_t(lane) * parameterBytes + offset;
  }
  /// False: lanes of `mask` are somewhere else; the instruction comes again once they are here.
  bool needs(Mask mask);
  /// The instruction's lanes go on there, the others behind it.
  void jump(uint32_t target);
  void exit();
  void enter(const Instruction &call);
  void leave();
  void waitAt(unsigned barrier, unsigned threads);
  /// Behind this, lanes see what others of the warp wrote.
  void passLanes();

  const Launch &launch;
  Block &block;
  const unsigned number;
  Mask active = 0;                 ///< lanes that the instruction is for
  Mask carry = 0;                  ///< of each lane
  std::optional<unsigned> barrier; ///< where it waits
  std::array<std::deque<Copy>, kLanes> copies;
  std::array<uint64_t, kLanes> groups{}; ///< of copies, that were committed

private:
  Fragment *pick();
  void merge();
  void step(Fragment &fragment);
  uint32_t limitOf(const Fragment &fragment) const;
  unsigned char *globalPlace(uint64_t address, unsigned bytes);
  [[noreturn]] void fail(const Instruction &instruction, const std::string &text) const;

  std::vector<unsigned char> registers, parameters, locals;
  uint32_t parameterBytes, localBytes;
  std::vector<Fragment> fragments;
  Fragment *current = nullptr;
  bool isOver = false;                       ///< another fragment, or nobody, goes on
  uint64_t regionBegin = 0, regionBytes = 0; ///< found last
  unsigned char *regionAt = nullptr;
};

class Block {
public:
  explicit Block(const Launch &launch);
  ~Block();
  void run(std::array<unsigned, 3> number);
  void arrive(unsigned barrier, unsigned lanes) { arrived[barrier] += lanes; }

  /// Of shared memory. Throws a fault where the block has none.
  unsigned char *place(uint64_t address, unsigned bytes, const Accessor &by);

  static constexpr unsigned kNumBarriers = 16;
  std::array<unsigned, kNumBarriers> arrived{}, expected{}; ///< 0 expected: everybody
  std::unique_ptr<Races> races;                             ///< null: nobody looks for them

private:
  bool release();
  const Launch &launch;
  uint32_t ownBytes, addedBytes;     ///< of the kernel, of the launch
  std::vector<unsigned char> shared; ///< one behind the other
  std::vector<std::unique_ptr<Warp>> warps;
};

} // namespace device

#endif // PTC_TEST_DEVICE_RUN_H
