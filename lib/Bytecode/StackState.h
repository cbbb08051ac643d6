//===- StackState.h - What is known of CPython's value stack -----*- C++ -*-===//
//
// CPython's stack as the translation sees it. Slots of kind Null are not on the canonical stack:
// NULL beside a callable, the index slot of 3.15's iterators, `lasti` of a handler, the self of a
// `with` block's __exit__.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_BYTECODE_STACKSTATE_H
#define PTC_LIB_BYTECODE_STACKSTATE_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace ptc {

enum class Slot : uint8_t {
  Value,
  Bool,       ///< a value that is certainly True or False
  Null,       ///< not on the canonical stack
  MethodSelf, ///< self or NULL, above the callable that LOAD_METHOD pushed
  Unbound     ///< what LOAD_FAST_AND_CLEAR found, perhaps nothing
};

using StackState = llvm::SmallVector<Slot, 8>;

/// Joins `from` into `into`; false if they cannot hold at one place.
inline bool joinStacks(StackState &into, const StackState &from, bool &changed) {
  if (into.size() != from.size())
    return false;
  for (unsigned i = 0; i < into.size(); ++i) {
    Slot a = into[i], b = from[i];
    if (a == b)
      continue;
    bool plain = (a == Slot::Value || a == Slot::Bool || a == Slot::Unbound) &&
                 (b == Slot::Value || b == Slot::Bool || b == Slot::Unbound);
    if (!plain)
      return false;
    Slot joined = a == Slot::Unbound || b == Slot::Unbound ? Slot::Unbound : Slot::Value;
    changed |= joined != a;
    into[i] = joined;
  }
  return true;
}

/// Values on the canonical stack among the slots from `first` up to `last`, not included.
inline uint32_t countValues(const StackState &stack, uint32_t first, uint32_t last) {
  uint32_t n = 0;
  for (uint32_t i = first; i < last; ++i)
    n += stack[i] != Slot::Null;
  return n;
}

} // namespace ptc

#endif // PTC_LIB_BYTECODE_STACKSTATE_H
