//===- OpenGenerators.h - Generators that CPython would close when they are dropped -*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_OPENGENERATORS_H
#define PTC_LIB_CAPTURE_OPENGENERATORS_H

#include "Objects.h"

namespace ptc::capture {

/// A generator was suspended: kept in mind if a handler would see an exception there.
void noteSuspended(Engine &e, ObjectId generator);
/// A join has made one generator of several.
void noteJoined(Engine &e, ObjectId generator);
/// Could `instr`, which runs next, drop the last reference to a generator?
bool mayDropGenerator(Engine &e, ObjectId frame, const Instr &instr);
/// Was a generator suspended that the code which runs now does not hold, as `next(make())` does?
bool wasSuspendedUnheld(Engine &e);
/// May a local or operand of the frame hold an open generator?
bool holdsGenerator(Engine &e, ObjectId frame);
using Held = llvm::SmallVector<ObjectId, 16>;
/// What the variables of a frame that is left hold, if the traceback of an exception keeps them.
Held keptVariables(Engine &e, ObjectId frame, bool raised);
enum class Closing : uint8_t { None, Entered, Refused };
/// Enters the closing of a generator that nothing refers to any more, if there is one. `kept`: what
/// the frame held that was just left, and CPython drops later. Refused where the order in which
/// CPython closes several is not known.
Closing closeDropped(Engine &e, Held kept);
/// Enters the closing of one, at the end of the program.
Closing closeAny(Engine &e);
/// While an entry is captured: refuses if the present state has a generator that a handler would
/// see closed and that what goes on cannot reach (`reach`; null: the entry is left).
Flow refuseLost(Engine &e, const llvm::DenseSet<ObjectId> *reach);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_OPENGENERATORS_H
