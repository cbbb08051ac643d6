//===- OpenGenerators.h - Generators that CPython would close when they are dropped -*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_OPENGENERATORS_H
#define PTC_LIB_CAPTURE_OPENGENERATORS_H

#include "Objects.h"

namespace ptc::capture {

/// A generator was suspended: kept in mind if a handler would see it closed.
void noteSuspended(Engine &e, ObjectId generator);
/// Could `instr`, which runs next, drop the last reference to a generator?
bool mayDropGenerator(Engine &e, ObjectId frame, const Instr &instr);
/// Does a local or operand of the frame refer to a generator?
bool holdsGenerator(Engine &e, ObjectId frame);
/// Enters the closing of a generator that nothing refers to any more, if there is one.
bool closeDropped(Engine &e);
/// Enters the closing of the oldest one, at the end of the program.
bool closeAny(Engine &e);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_OPENGENERATORS_H
