//===- RangeMembers.h - What is looked for in a range ----------------------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_RANGEMEMBERS_H
#define PTC_LIB_CAPTURE_RANGEMEMBERS_H

#include "Objects.h"

namespace ptc::capture {

/// The integer that a float equals; any other value, and floats beyond 2**62, as they are.
Value asWholeNumber(const Value &v);
/// Does a constant of a builtin type certainly equal no integer?
bool equalsNoInteger(const Value &v);
/// Is it of a subclass of a builtin type that has an __eq__ of the program's?
bool hasOwnEquality(Engine &e, const Value &v);
/// item in range
Value rangeContains(Engine &e, const Value &range, const Value &item, ReturnAction action);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_RANGEMEMBERS_H
