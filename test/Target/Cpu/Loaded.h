//===- Loaded.h - Compiled variants in this process ---------------------*- C++ -*-===//
//
// Links the object of a program in process and makes calls of its variants, with services that are
// as plain as they can be: every result, slot and scratch has memory of its own, filled with NaN.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_TARGET_CPU_LOADED_H
#define PTC_TEST_TARGET_CPU_LOADED_H

// What the stub computes by itself is compared with the null target, too.
extern "C" {
#include "../../../lib/Runtime/Stub.h"
}

#include "ptc/Target/Cpu/Code.h"
#include "ptc/TensorFile/HostValue.h"

#include <deque>
#include <functional>

namespace llvm::orc {
class LLJIT; // seconds to compile for who includes it
}

namespace loaded {

struct Outcome {
  ptc_status status = ptc_status_ok;
  uint32_t number = 0;
  std::string raisedType, raisedText;
  uint32_t raisedLine = 0;
  std::vector<ptc::HostValue> leaves; ///< None where nothing was written
  std::string printed;
};

/// What stands in for the plain way to get memory and to enter code.
struct Hooks {
  /// Bytes with some contents, at a multiple of `alignment`. Who gives them frees them.
  std::function<std::byte *(uint64_t bytes, uint64_t alignment)> allocate;
  std::function<ptc_status(llvm::function_ref<ptc_status()>)> enter;
};

/// A context of a program: slots go on from call to call.
class Program {
public:
  Hooks hooks;
  uint32_t threads = 1; ///< of each call

  ~Program();
  /// Errors: what linking reports.
  static llvm::Expected<std::unique_ptr<Program>> load(llvm::StringRef object,
                                                       ptc::cpu::ProgramCode code);
  /// Sets the bytes that the weight table asks for.
  void setWeight(llvm::StringRef name, const ptc::HostTensor &tensor);
  /// What program.init does.
  Outcome init();
  /// Tensors are written as the program says.
  Outcome call(unsigned variant, llvm::ArrayRef<ptc::HostValue> inputs);

  const ptc::cpu::ProgramCode &code() const { return info; }

private:
  friend struct Services;
  Program();
  Outcome run(const ptc::cpu::VariantCode &variant, llvm::ArrayRef<ptc::HostValue> inputs);
  /// What callers give has the alignment of its elements alone.
  std::byte *allocate(uint64_t bytes, uint64_t alignment = PTC_ALIGNMENT);
  ptc::HostTensor tensorAt(void *data, const ptc_shape &shape);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  ptc::cpu::ProgramCode info;
  std::byte *weights = nullptr;
  std::vector<ptc_slot> slots;
  std::vector<ptc_generator> generators;
  std::deque<std::vector<std::byte>> memory;
  struct Block {
    std::byte *data;
    uint64_t bytes;
    bool isList;
  };
  std::vector<Block> blocks; ///< beside the arena, that were not given back
  Outcome outcome;           ///< of the call that runs
};

} // namespace loaded

#endif // PTC_TEST_TARGET_CPU_LOADED_H
