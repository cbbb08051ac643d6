//===- Descriptors.h - Properties, class and static methods -------------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_DESCRIPTORS_H
#define PTC_LIB_CAPTURE_DESCRIPTORS_H

#include "Objects.h"

namespace ptc::capture {

/// What `property`, `classmethod` and `staticmethod` themselves make of an attribute that is one of
/// theirs, whatever __get__ its class has; Absent for others. `object` is absent for an attribute
/// of the class.
Value bindBuiltinDescriptor(Engine &e, const Value &attribute, const Value &object, ObjectId cls);
/// ModuleType.__getattribute__: what the module has, or what its own __getattr__ says.
Value moduleGetAttr(Engine &e, const Value &module, NameId name);

/// Does it come before what an object has under the same name?
bool isDataDescriptor(Engine &e, const Value &attribute);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_DESCRIPTORS_H
