//===- Overrides.h - Objects with a __torch_function__ ---------------*- C++ -*-===//
//
// A tensor of a class that the program derives from torch.Tensor is an instance that holds a plain
// tensor. Calls of torch with such an object, or with any other that has a __torch_function__, go
// to lib/Prelude/torch/_overridden.py, which asks it as eager does.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_OVERRIDES_H
#define PTC_LIB_CAPTURE_OVERRIDES_H

#include "Engine.h"

namespace ptc::capture {

namespace slot {
/// Class: Bool: its instances have a __torch_function__.
inline constexpr uint32_t kClassOverrides = 10;
static_assert(kClassOverrides != kNameOrder, "slots of one object");
/// Of the machine: Bool, or Absent: no class of the program has one.
inline constexpr uint32_t kAnyOverrides = 14;
} // namespace slot

/// Is it an object that eager asks before a function of torch that it is given to?
bool isOverriding(Engine &e, const Value &v);
/// Is it a tensor of a class of the program?
bool isDerivedTensor(Engine &e, const Value &v);
bool isDerivedTensorClass(Engine &e, ObjectId cls);
/// The order of a class that the program derives from torch.Tensor: in front of that, what its
/// objects have in Python.
void addOverridden(Engine &e, std::vector<ObjectId> &mro);
/// Notes of a new class whether its instances have a __torch_function__.
void noteOverrides(Engine &e, ObjectId cls);
/// `tensor`, which nothing else is, as an object of a class derived from torch.Tensor.
Value makeDerivedTensor(Engine &e, ObjectId cls, const Value &tensor);

/// What a call of `callee` gives where an argument is such an object and `callee` a function of
/// torch that asks it. Absent: it is called as it is. `isMethod`: as a method of its first
/// argument.
Value callOverridden(Engine &e, const Value &callee, CallArgs &args, bool isMethod = false);
/// What tensor[key] gives, and tensor[key] = value does, where the key or the value is or has such
/// an object; Absent: it is as it is.
Value getOverriddenItem(Engine &e, const Value &container, const Value &key);
Value setOverriddenItem(Engine &e, const Value &container, const Value &key, const Value &value);
/// Is a TorchFunctionMode asked before every function of torch?
bool isFunctionModeActive(Engine &e);
/// Refuses what the engine would do with a tensor without asking it.
Flow checkNoFunctionMode(Engine &e, llvm::StringRef what);
/// Whether an operator on these values asks one.
bool isAskedInMode(Engine &e, const Value &a, const Value &b);
/// What objects of derived classes have in Python for a special method or an attribute of
/// torch.Tensor.
Value overriddenMember(Engine &e, NameId name);
/// An operation of torch that is a method of objects of a class, taken from one (`object`) or from
/// the class; Absent: there is none of the name.
Value derivedMethod(Engine &e, ObjectId cls, const Value &object, NameId name);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_OVERRIDES_H
