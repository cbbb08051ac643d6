//===- DataclassNatives.cpp - Fields of plain dataclasses --------------------------===//
//
// In: objects of dataclasses all of whose fields are arguments of __init__, from
// lib/Prelude/dataclasses.py. Out: fields set or read without a pass of Python code for each.
// Configurations of libraries have dozens of fields, and there are thousands of them.
//
//===----------------------------------------------------------------------===//
#include "../Descriptors.h"
#include "Builtins.h"

using namespace ptc::capture;
using namespace ptc::capture::builtins;

/// Are attributes of these names set and read in the object alone?
static bool areOwnNames(Engine &e, const Value &object, llvm::ArrayRef<NameId> names) {
  if (!isRefTo(e, object, ObjectKind::Instance))
    return false;
  const ObjectId cls = e.typeOf(object);
  return llvm::none_of(names, [&](NameId name) {
    const Value &inClass = e.lookupInClass(cls, name);
    return inClass.is(Kind::Choice) || inClass.is(Kind::Opaque) || isDataDescriptor(e, inClass);
  });
}

/// The attributes of their own that fields have, in order.
static llvm::SmallVector<NameId> namesOf(Engine &e, const Value &names) {
  llvm::SmallVector<NameId> ids;
  for (const Value &name : names.parts())
    ids.push_back(e.intern(name.asStr()));
  return ids;
}

/// Sets fields from the arguments of __init__ and the defaults, of which those that are `missing`
/// stand for none. False, and nothing is done: it takes Python code, or raises.
Value builtins::ptcInitFields(Engine &e, CallArgs &args) {
  const Value self = e.known(arg(args, 0)), missing = arg(args, 3);
  const llvm::ArrayRef<Value> names = arg(args, 1).parts(), given = arg(args, 4).parts();
  const llvm::SmallVector<NameId> ids = namesOf(e, arg(args, 1));
  if (given.size() > names.size() || !isPlainDict(e, arg(args, 5)) || !areOwnNames(e, self, ids) ||
      !e.lookupInClass(e.typeOf(self), NameId(WellKnown::GetAttribute)).is(Kind::Builtin))
    return Value::boolean(false);
  const bool isFrozen = arg(args, 6).asBool();
  if (!isFrozen &&
      specialMethod(e, self, WellKnown::SetAttr) !=
          e.lookupInClass(e.builtinClass(WellKnown::ObjectType), NameId(WellKnown::SetAttr)))
    return Value::boolean(false);
  llvm::SmallVector<Value> values(given.begin(), given.end());
  values.resize(names.size());
  const llvm::ArrayRef<Value> items = dictItems(e, arg(args, 5));
  for (size_t i = 0; i < items.size(); i += 2) {
    const auto *at = llvm::find(names, items[i]);
    if (at == names.end() || !values[size_t(at - names.begin())].isAbsent())
      return Value::boolean(false);
    values[size_t(at - names.begin())] = items[i + 1];
  }
  for (const auto &[value, byDefault] : llvm::zip_equal(values, arg(args, 2).parts()))
    if (value.isAbsent() && byDefault == missing)
      return Value::boolean(false);
    else if (value.isAbsent())
      value = byDefault;
  for (const auto &[id, value] : llvm::zip_equal(ids, values))
    if (genericSetAttr(e, self, id, value).isFail())
      return Value::fail();
  return Value::boolean(true);
}

/// Adds the fields of an object that a dict does not have to it. False, and nothing is done: some
/// are not attributes of its own.
Value builtins::ptcAddFields(Engine &e, CallArgs &args) {
  const Value object = e.known(arg(args, 0)), &into = arg(args, 2);
  const llvm::SmallVector<NameId> ids = namesOf(e, arg(args, 1));
  if (!isPlainDict(e, into) || !areOwnNames(e, object, ids) ||
      !e.lookupInClass(e.typeOf(object), NameId(WellKnown::GetAttribute)).is(Kind::Builtin))
    return Value::boolean(false);
  llvm::SmallVector<Value> values;
  for (NameId id : ids)
    if (values.push_back(e.heap.get(object.asRef(), attrKey(id))); values.back().isAbsent())
      return Value::boolean(false);
  for (const auto &[name, value] : llvm::zip_equal(arg(args, 1).parts(), values)) {
    std::optional<Found> found = dictFind(e, into, name);
    if (!found)
      return Value::fail();
    if (found->position < 0)
      dictAppend(e, into, name, value);
  }
  return Value::boolean(true);
}
