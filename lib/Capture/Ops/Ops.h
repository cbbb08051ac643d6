//===- Ops.h - One handler per canonical instruction ------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_OPS_OPS_H
#define PTC_LIB_CAPTURE_OPS_OPS_H

#include "../Engine.h"

namespace ptc::capture::ops {

/// Runs one instruction; the frame's kIp stands behind it already. A handler that jumps writes kIp.
Flow dispatch(Engine &e, ObjectId frame, const Instr &instr);

/// How far runFast() goes.
struct FastRun {
  uint64_t most;     ///< instructions, one at least
  uint32_t pause;    ///< a position to stop before
  bool stopsAtLoops; ///< before the heads of loops
};
/// Runs instructions of a frame from its position on that can neither fork nor raise nor enter a
/// frame on the values at hand (moves between locals, stack and constants, jumps, constants and
/// builtin containers). The first one counts as a step already; a run ends before what does not
/// fit. False: not even the first did, and nothing was changed: dispatch() must run it.
bool runFast(Engine &e, ObjectId frame, const CanonicalCode &code, const FastRun &run);

} // namespace ptc::capture::ops

#endif // PTC_LIB_CAPTURE_OPS_OPS_H
