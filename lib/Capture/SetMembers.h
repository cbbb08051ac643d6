//===- SetMembers.h - What is looked for in a set, what is like one ----------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_SETMEMBERS_H
#define PTC_LIB_CAPTURE_SETMEMBERS_H

#include "Objects.h"

namespace ptc::capture {

/// What is looked for in a set: a set stands for the frozenset with its members.
Value asSetKey(Engine &e, const Value &item);
/// The keys or the items of a dict, which have the operators of sets.
bool isSetView(Engine &e, const Value &v);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SETMEMBERS_H
