//===- Ptx.h - PTX, read so that it can be executed -----------*- C++ -*-===//
//
// A module of PTX as the driver of the tests keeps it: instructions in one sequence, with places of
// registers in place of names.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_PTX_H
#define PTC_TEST_DEVICE_PTX_H

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace device {

constexpr unsigned kLanes = 32;
using Mask = uint32_t; ///< a bit for each lane
constexpr Mask kAll = ~Mask(0);

/// What is wrong with a program: the load or the launch fails with this text.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Warp;
struct Instruction;
using Handler = void (*)(Warp &, const Instruction &);

enum class Space : uint8_t { Generic, Global, Shared, Local, Parameter };

/// How places of memory of other spaces look as generic addresses. No memory of the host lies
/// there.
constexpr uint64_t kSharedWindow = uint64_t(1) << 60, kLocalWindow = uint64_t(1) << 61;
/// Where shared memory begins whose size the launch says: what runs over its own does not reach it.
constexpr uint64_t kDynamicShared = uint64_t(1) << 24;

/// Bytes of a register; predicates are one mask for all lanes.
enum Width : uint8_t { kPredicate = 1, kWidth16 = 2, kWidth32 = 4, kWidth64 = 8 };

constexpr uint32_t kNoGuard = ~uint32_t(0);
constexpr unsigned kMaxOperands = 16;

struct Function;

/// `at` has places of operands in the registers of a warp, results first; handlers say what the
/// other fields are for them.
struct Instruction {
  Handler run = nullptr;
  std::array<uint32_t, kMaxOperands> at{};
  int64_t number = 0; ///< an offset of an address, or the instruction that is jumped to
  uint32_t guard = kNoGuard;
  uint32_t line = 0;
  bool isGuardNegated = false;
  bool isSigned = false;
  Space space = Space::Generic;
  uint8_t bytes = 0; ///< of an element in memory
  uint8_t count = 0; ///< elements, or operands
  uint8_t width = 0; ///< of registers
  uint8_t kind = 0;
  const Function *callee = nullptr;
  std::vector<uint32_t> places; ///< of arguments of a call, behind them of results
  std::string_view text;        ///< as it was written
};

struct Constant {
  uint32_t at;
  Width width;
  uint64_t bits;
};

/// Of a lane in memory of parameters; of a kernel in its arguments.
struct Parameter {
  uint32_t offset, bytes;
};

struct Function {
  std::string name;
  bool isKernel = false;
  uint32_t begin = 0; ///< its first instruction
  std::vector<Parameter> parameters, results;
  std::vector<Constant> constants;
  uint32_t registerBytes = 0;  ///< of a warp, with what it calls
  uint32_t parameterBytes = 0; ///< of a lane
  uint32_t localBytes = 0;     ///< of a lane
  uint32_t argumentBytes = 0;  ///< of a kernel
  uint32_t sharedBytes = 0;    ///< without what the launch adds
  uint32_t maxThreads = 1024;
};

/// Places of the registers that every function has: 32 bits, one for each lane.
enum Special : uint32_t {
  kThread = 0,
  kThreads = kThread + 3 * 4 * kLanes,
  kBlock = kThreads + 3 * 4 * kLanes,
  kBlocks = kBlock + 3 * 4 * kLanes,
  kLane = kBlocks + 3 * 4 * kLanes,
  kWarp = kLane + 4 * kLanes,
  kSink = kWarp + 4 * kLanes, ///< nobody reads it
  kNumSpecialBytes = kSink + 8 * kLanes
};

/// Memory of a module is allocated when it is loaded, and filled.
struct GlobalVariable {
  std::string name;
  uint64_t address = 0;
  std::vector<unsigned char> contents;
};

struct Module {
  std::string text;
  std::vector<Instruction> code;
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;
  std::vector<std::unique_ptr<GlobalVariable>> globals;
  std::vector<Constant> constants; ///< of functions that are called

  const Function *kernel(std::string_view name) const;
};

/// Gives memory of the device: the address of so many bytes.
using Allocate = uint64_t (*)(size_t bytes);

/// Throws a fault where it is no PTX as LLVM writes it. Unknown instructions are faults of
/// launches.
std::unique_ptr<Module> readModule(std::string text, Allocate allocate);

} // namespace device

#endif // PTC_TEST_DEVICE_PTX_H
