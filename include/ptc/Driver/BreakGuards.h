//===- BreakGuards.h - Calls that violate one guard ------------------*- C++ -*-===//
#ifndef PTC_DRIVER_BREAKGUARDS_H
#define PTC_DRIVER_BREAKGUARDS_H

#include "ptc/Driver/Pipeline.h"

namespace ptc {

/// A copy whose tensors have storages of their own; arguments that shared one still do.
ExampleCall cloneCall(const ExampleCall &call);
/// The same call with other contents of its tensors: same types, sizes and strides, elements drawn
/// from a distribution like theirs.
ExampleCall redrawCall(const ExampleCall &call, uint64_t seed);

/// A call that violates a guard.
struct BrokenGuard {
  enum class Kind : uint8_t {
    Call,        ///< `call` violates it
    Observation, ///< only `seen` does: no such argument can be made here (another device)
    Implied,     ///< proven: whoever violates it violates another guard, too
    NotFound,
  } kind = Kind::NotFound;
  ExampleCall call;
  sym::Observation seen;
  std::string change;  ///< "x.shape[0]: 3 -> 4"
  unsigned others = 0; ///< guards of the variant that fail along with it
};

/// Looks for a call that violates guard `guard` of variant `variant` and as few others as possible,
/// near to `call`, which satisfies all of them. With `isWanted` only a call that it accepts.
BrokenGuard breakGuard(CompiledProgram &program, unsigned variant, size_t guard,
                       const ExampleCall &call,
                       llvm::function_ref<bool(const sym::Observation &)> isWanted = nullptr);

} // namespace ptc

#endif // PTC_DRIVER_BREAKGUARDS_H
