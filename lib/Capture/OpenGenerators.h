//===- OpenGenerators.h - Generators that CPython would close when they are dropped -*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_OPENGENERATORS_H
#define PTC_LIB_CAPTURE_OPENGENERATORS_H

#include "Objects.h"

namespace ptc::capture {

/// A generator was suspended: kept in mind if a handler would see an exception there.
void noteSuspended(Engine &e, ObjectId generator);
/// Could `instr`, which runs next, drop the last reference to a generator?
bool mayDropGenerator(Engine &e, ObjectId frame, const Instr &instr);
/// Was a generator suspended that the code which runs now does not hold, as `next(make())` does?
bool wasSuspendedUnheld(Engine &e);
/// May a local or operand of the frame hold an open generator?
bool holdsGenerator(Engine &e, ObjectId frame);
/// Enters the closing of a generator that nothing refers to any more, if there is one.
bool closeDropped(Engine &e);
/// Enters the closing of the oldest one, at the end of the program.
bool closeAny(Engine &e);
/// While an entry is captured: refuses if the present state has a generator that a handler would
/// see closed and that what goes on cannot reach (`reach`; null: the entry is left).
Flow refuseLost(Engine &e, const llvm::DenseSet<ObjectId> *reach);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_OPENGENERATORS_H
