//===- Ops.h - One handler per canonical instruction ------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_OPS_OPS_H
#define PTC_LIB_CAPTURE_OPS_OPS_H

#include "../Engine.h"

namespace ptc::capture::ops {

/// Runs one instruction; the frame's kIp stands behind it already. A handler that jumps writes kIp.
Flow dispatch(Engine &e, ObjectId frame, const Instr &instr);

/// Runs an instruction that can neither fork nor raise on the values at hand (moves between locals,
/// stack and constants, jumps, arithmetic on small constants), including its step of kIp. False:
/// nothing was changed, dispatch must run it.
bool fastStep(Engine &e, ObjectId frame, const Instr &instr);

} // namespace ptc::capture::ops

#endif // PTC_LIB_CAPTURE_OPS_OPS_H
