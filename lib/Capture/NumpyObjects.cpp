//===- NumpyObjects.cpp - Arrays and scalars of numpy among torch's arguments -------------===//
//
// In: values where natives of torch ask for numbers, tensors or indices. Out: what
// lib/Prelude/numpy holds in them, by its attributes: an array a tensor, or how its tensor is made;
// a scalar a number.
//
//===----------------------------------------------------------------------===//
#include "NumpyObjects.h"

#include "Objects.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;

static bool isNumpyObject(Engine &e, const Value &v) {
  return isRefTo(e, v, ObjectKind::Instance) &&
         e.lookupInClass(e.typeOf(v), e.intern("_ptc_is_of_numpy")).is(Kind::Bool);
}

bool capture::holdsNumpyObject(Engine &e, const Value &given) {
  constexpr size_t kDeepest = 128; // what eager nests at most
  llvm::SmallVector<std::pair<Value, size_t>> pending{{given, 0}};
  while (!pending.empty()) {
    auto [next, depth] = pending.pop_back_val();
    const Value v = e.isTensorLike(next) ? next : e.known(next);
    if (isNumpyObject(e, v))
      return true;
    const bool isSequence = v.is(Kind::Tuple) || isRefTo(e, v, ObjectKind::List);
    if (!isSequence || e.isTensorLike(v) || depth == kDeepest)
      continue;
    const Value items = v.is(Kind::Tuple) ? v : e.known(e.heap.get(v.asRef(), slot::kContent));
    if (!items.is(Kind::Tuple))
      continue;
    for (const Value &item : items.parts())
      if (item.is(Kind::Ref) || item.is(Kind::Tuple))
        pending.push_back({item, depth + 1});
  }
  return false;
}

Value capture::tensorOfNumpyObjects(Engine &e, const Value &data, std::vector<Value> named,
                                    ReturnAction action) {
  const ObjectId arrays = findModule(e, "numpy._arrays"); // it has made them
  const Value make = e.heap.get(arrays, attrKey(e.intern("_tensor_of")));
  return e.call(make, {data, e.makeDict(std::move(named))}, action);
}

Value capture::numberOfNumpy(Engine &e, const Value &given) {
  const Value v = e.known(given);
  if (!isNumpyObject(e, v))
    return Value();
  const Value number = e.unboxed(v); // a float64 is a float
  return number.is(Kind::Ref) ? e.known(e.heap.get(v.asRef(), attrKey(e.intern("_ptc_value"))))
                              : number;
}

Value capture::tensorOfNumpy(Engine &e, const Value &given) {
  const Value v = e.known(given);
  if (!isNumpyObject(e, v))
    return Value();
  const Value make = e.known(e.heap.get(v.asRef(), attrKey(e.intern("_ptc_make"))));
  return make.isNone() ? e.known(e.heap.get(v.asRef(), attrKey(e.intern("_ptc_t")))) : Value();
}
