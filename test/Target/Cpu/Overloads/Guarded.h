//===- Guarded.h - Memory with nothing around it ------------------------*- C++ -*-===//
//
// Every piece lies between pages that cannot be touched: its last byte before one of them, or its
// first byte behind one. Code that reads or writes outside of a piece is stopped there.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_TARGET_CPU_OVERLOADS_GUARDED_H
#define PTC_TEST_TARGET_CPU_OVERLOADS_GUARDED_H

#include "ptc/TensorFile/HostTensor.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace overloads {

/// At which side of a piece the page lies that cannot be touched.
enum class Border : uint8_t { Behind, Before };

/// Pieces of memory that are freed together.
class GuardedMemory {
public:
  explicit GuardedMemory(Border border) : border(border) {}
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;
  ~GuardedMemory();

  /// All bits set: NaN where floats are read. With Border::Behind, up to `alignment` - 1 bytes lie
  /// between the piece and the page.
  std::byte *allocate(uint64_t bytes, uint64_t alignment);
  /// A copy with the same strides in a piece just large enough for them. Between its elements, too,
  /// all bits are set.
  ptc::HostTensor copyOf(const ptc::HostTensor &tensor);
  /// Whether what lies on the pages of the pieces besides them is as it was.
  bool isIntact() const;

private:
  struct Mapping {
    std::byte *base; ///< of the page before the first one that can be touched
    size_t bytes;
    std::byte *piece, *end;
  };
  Border border;
  std::vector<Mapping> mappings;
};

/// Runs `body`; false if it touched memory that it must not, or was an instruction that the machine
/// does not have. `body` must hold nothing that a destructor frees: it is left where it stands.
bool runTrapped(llvm::function_ref<void()> body);

} // namespace overloads

#endif // PTC_TEST_TARGET_CPU_OVERLOADS_GUARDED_H
