//===- Groups.h - Members of exception groups, and what except* makes of them -------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_GROUPS_H
#define PTC_LIB_CAPTURE_GROUPS_H

#include "Objects.h"

namespace ptc::capture {

/// Sets what a group is made of, which its `args` may differ from later.
void setGroupMembers(Engine &e, const Value &group, Value text, std::vector<Value> exceptions);

/// Is `group` a part of the one that except* caught, and was it only raised again: with the
/// traceback, cause and context that the whole had?
bool isRaisedAgain(Engine &e, const Value &group, const Value &caught);

/// except* names classes of exceptions that are no groups.
Flow checkStarPattern(Engine &e, const Value &pattern);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_GROUPS_H
