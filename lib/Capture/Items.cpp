//===- Items.cpp - Subscripts, membership and length --------------------------------===//
//
// In: containers and keys. Out: elements, slices and changes by CPython's rules; user classes are
// entered through their special methods.
//
//===----------------------------------------------------------------------===//
#include "Members.h"
#include "NumberLists.h"
#include "NumpyObjects.h"
#include "Overrides.h"
#include "Positions.h"
#include "RangeMembers.h"
#include "RunTimeTables.h"
#include "SetMembers.h"
#include "Template.h"
#include "Tensors.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Str.h"
#include <cmath>

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

std::optional<py::Range> capture::rangeOf(const Value &range) {
  llvm::ArrayRef<Value> p = range.parts();
  if (!isIntConst(p[0]) || !isIntConst(p[1]) || !isIntConst(p[2]))
    return std::nullopt;
  py::Result<py::Range> r = py::Range::make(asPyInt(p[0]), asPyInt(p[1]), asPyInt(p[2]));
  return r ? std::optional<py::Range>(*r) : std::nullopt;
}

static Value ofRange(const py::Range &r) {
  return Value::composite(Kind::Range, {ofPyInt(r.start()), ofPyInt(r.stop()), ofPyInt(r.step())});
}

/// The parts of a slice as numbers.
static std::optional<py::SliceArgs> sliceArgs(Engine &e, const Value &slice) {
  py::SliceArgs args;
  std::optional<py::PyInt> *out[] = {&args.start, &args.stop, &args.step};
  for (size_t i = 0; i < 3; ++i) {
    PTC_LET(part, e.decide(slice.parts()[i]));
    if (part.isNone())
      continue;
    PTC_LET(index, indexOf(e, part));
    if (index.isAbsent())
      return e.raise(WellKnown::TypeError,
                     "slice indices must be integers or None or have an __index__ method");
    *out[i] = asPyInt(index);
  }
  return args;
}

/// Bounds known at run time are decided: only which elements they take matters.
static Value settledSlice(Engine &e, const Value &slice, size_t length) {
  std::vector<Value> parts;
  for (const Value &given : slice.parts()) {
    PTC_LET(object, e.isTensorLike(given) ? given : e.decide(given));
    PTC_LET(part, indexNumber(e, object));
    if (!isRunTimeInt(e, part)) {
      parts.push_back(std::move(object));
      continue;
    }
    // A step beyond the length takes the first element, as any such step does.
    bool step = parts.size() == 2;
    int64_t n = int64_t(length);
    PTC_GET(bound, step ? settleWithin(e, part, -n - 1, n + 1) : settleBound(e, part, n));
    parts.push_back(Value::integer(bound));
  }
  return Value::composite(Kind::Slice, std::move(parts));
}

std::optional<py::SliceIndices> capture::sliceOf(Engine &e, const Value &given, size_t length) {
  PTC_LET(slice, settledSlice(e, given, length));
  PTC_GET(args, sliceArgs(e, slice));
  py::Result<py::SliceIndices> r = py::sliceIndices(args, int64_t(length));
  if (!r)
    return (void)raised(e, r.error()), std::nullopt;
  return *r;
}

static std::vector<Value> pick(llvm::ArrayRef<Value> items, const py::SliceIndices &s) {
  std::vector<Value> result;
  result.reserve(size_t(s.count));
  for (int64_t i = 0, at = s.start; i < s.count; ++i, at += s.step)
    result.push_back(items[size_t(at)]);
  return result;
}

Value capture::indexOf(Engine &e, const Value &given) {
  if (e.isTensorLike(given)) {
    PTC_LET(number, indexNumber(e, given));
    return indexOf(e, number);
  }
  Value v = e.unboxed(given);
  if (isIntConst(v))
    return v;
  if (v.is(Kind::Size) || (v.is(Kind::Scalar) && numberType(v) != NumberType::Float))
    return e.constantIndex(v);
  return Value();
}

Value capture::integerOf(Engine &e, const Value &v) {
  PTC_LET(index, indexOf(e, v));
  if (index.isAbsent())
    return e.raise(WellKnown::TypeError,
                   "'" + typeName(e, v) + "' object cannot be interpreted as an integer");
  return index;
}

static std::optional<Position> position(Engine &e, const Value &key, size_t length,
                                        llvm::StringRef type, llvm::StringRef what) {
  PTC_LET(number, indexNumber(e, key));
  if (isRunTimeInt(e, number))
    return positionOf(e, number, int64_t(length),
                      (what.empty() ? std::string() : what.str() + " ") + "index out of range");
  PTC_LET(index, indexOf(e, key));
  if (index.isAbsent())
    return e.raise(WellKnown::TypeError,
                   type + " indices must be integers or slices, not " + typeName(e, key));
  py::Result<int64_t> at = py::checkIndex(asPyInt(index), int64_t(length), what);
  if (!at)
    return (void)raised(e, at.error()), std::nullopt;
  return Position{*at, kUndef};
}

/// The same where the position must be known: a fork over those that exist.
static std::optional<int64_t> settledPosition(Engine &e, const Value &key, size_t length,
                                              llvm::StringRef type, llvm::StringRef what) {
  PTC_GET(at, position(e, key, length, type, what));
  return settlePosition(e, at, int64_t(length));
}

static Value elementOf(Engine &e, llvm::ArrayRef<Value> items, const Value &key,
                       llvm::StringRef type) {
  PTC_GET(at, position(e, key, items.size(), type, type));
  return elementAt(e, items, at);
}

static Value textItem(Engine &e, const Value &s, const Value &key) {
  if (key.is(Kind::Slice)) {
    PTC_GET(slice, sliceOf(e, key, strRef(s).length()));
    return ofStr(py::str::slice(strRef(s), slice));
  }
  PTC_LET(number, indexNumber(e, key));
  if (isRunTimeInt(e, number)) {
    PTC_GET(characters, listElements(e, s));
    return elementOf(e, characters, number, "string");
  }
  PTC_LET(index, indexOf(e, key));
  if (index.isAbsent())
    return e.raise(WellKnown::TypeError,
                   "string indices must be integers, not '" + typeName(e, key) + "'");
  PTC_GET(at, settledPosition(e, index, strRef(s).length(), "string", "string"));
  py::Result<py::Str> r = py::str::at(strRef(s), at);
  return r ? ofStr(*r) : raised(e, r.error());
}

static Value bytesItem(Engine &e, const Value &b, const Value &key) {
  if (key.is(Kind::Slice)) {
    PTC_GET(slice, sliceOf(e, key, b.asBytes().size()));
    return Value::bytes(py::bytes::slice(b.asBytes(), slice));
  }
  PTC_GET(at, position(e, key, b.asBytes().size(), "byte", ""));
  PTC_GET(numbers, listElements(e, b));
  return elementAt(e, numbers, at);
}

static Value rangeItem(Engine &e, const Value &v, const Value &key) {
  std::optional<py::Range> r = rangeOf(v);
  if (!r)
    return key.is(Kind::Slice)
               ? Value(e.refuse(DiagId::Unsupported, "a slice of a range with run-time bounds"))
               : e.callPrelude("_range_item", {v, key});
  if (key.is(Kind::Slice)) {
    PTC_GET(args, sliceArgs(e, key));
    py::Result<py::Range> part = r->slice(args);
    return part ? ofRange(*part) : raised(e, part.error());
  }
  PTC_LET(number, indexNumber(e, key));
  if (isRunTimeInt(e, number)) {
    py::Result<int64_t> n = r->len();
    if (!n)
      return raised(e, n.error());
    PTC_LET(at, wrappedIndex(e, number, *n, "range object index out of range"));
    PTC_LET(offset, nativeBinary(e, BinaryOp::Mul, at, v.parts()[2], false));
    return nativeBinary(e, BinaryOp::Add, v.parts()[0], offset, false);
  }
  PTC_LET(index, indexOf(e, key));
  if (index.isAbsent())
    return e.raise(WellKnown::TypeError,
                   "range indices must be integers or slices, not " + typeName(e, key));
  py::Result<py::PyInt> item = r->at(asPyInt(index));
  return item ? ofPyInt(*item) : raised(e, item.error());
}

static Value missingKey(Engine &e, const Value &key) {
  return e.raiseNew(e.makeException(e.builtinClass(WellKnown::KeyError), {key}));
}

/// The value of a key known at run time: that there is one is decided, which one is picked.
static Value runTimeDictItem(Engine &e, const Value &dict, const Value &key) {
  std::vector<Value> items(dictItems(e, dict)), values;
  PTC_LET(place, keyPlace(e, items, key));
  if (place.isAbsent())
    return place;
  PTC_LET(any, e.numberOrConstantCompare(CompareOp::Ne, place, Value::integer(0)));
  PTC_GET(there, e.truth(any));
  if (!there)
    return missingKey(e, key);
  for (size_t i = 1; i < items.size(); i += 2)
    values.push_back(items[i]);
  PTC_LET(index, nativeBinary(e, BinaryOp::Sub, place, Value::integer(1), false));
  PTC_GET(at, positionOf(e, index, int64_t(values.size()), ""));
  return elementAt(e, values, at);
}

static Value dictItem(Engine &e, const Value &dict, const Value &key) {
  if (isRunTimeTable(e, dict))
    return callOnKey(e, "_table_getitem", dict, key, ReturnAction::Push);
  PTC_DO(openContent(e, dict));
  if (!isUserObject(e, dict) && comparesRunTime(e, {}, key)) {
    PTC_LET(value, runTimeDictItem(e, dict, key));
    if (!value.isAbsent())
      return value;
  }
  PTC_GET(found, dictFind(e, dict, key));
  if (found.needsPython)
    return e.callPrelude("_dict_getitem", {dict, key});
  if (found.position >= 0)
    return e.known(dictItems(e, dict)[size_t(found.position) * 2 + 1]);
  Value missing = e.lookupInClass(e.typeOf(dict), e.intern("__missing__"));
  if (!missing.isAbsent())
    return e.call(missing, {dict, key});
  return missingKey(e, key);
}

/// The container that a boxed instance holds, if its class leaves the method `name` alone.
static Value plainContainer(Engine &e, const Value &v, WellKnown name) {
  if (!v.is(Kind::Ref) || !isUserObject(e, v))
    return v;
  Value method = specialMethod(e, v, name);
  if (isPythonFunction(e, method) || isRefTo(e, method, ObjectKind::Instance))
    return Value();
  return e.unboxed(v);
}

static bool hasIndex(Engine &e, const Value &v) {
  return !e.lookupInClass(e.typeOf(v), e.intern("__index__")).isAbsent();
}

Value capture::getItem(Engine &e, const Value &givenContainer, const Value &givenKey) {
  PTC_LET(given, e.decide(givenContainer));
  PTC_LET(key, e.isTensorLike(givenKey) ? givenKey : e.decide(givenKey));
  if (Value held = e.isTensorLike(given) ? tensorOfNumpy(e, key) : Value(); e.isTensorLike(held))
    key = std::move(held);
  if (Value other = getOverriddenItem(e, given, key); !other.isAbsent())
    return other;
  Value container = plainContainer(e, given, WellKnown::GetItem);
  if (container.isAbsent())
    return e.call(specialMethod(e, given, WellKnown::GetItem), {given, key});
  if (!isIntConst(key) && isUserObject(e, key) && !isRefTo(e, container, ObjectKind::Dict) &&
      e.unboxed(key) == key && !container.is(Kind::Opaque) && !isClass(e, container))
    return e.callPrelude("_index_getitem", {given, key});
  if (container.is(Kind::Tensor) && isRefTo(e, key, ObjectKind::List)) {
    PTC_DO(openContents(e, {key}));
    if (isGrownTuple(e, key))
      return e.refuse(DiagId::RunTimeListArgument);
    if (isGrownList(e, key))
      return e.callPrelude("_tensor_at_grown", {container, key});
  }
  if (key.is(Kind::Slice) && !isRefTo(e, container, ObjectKind::Dict) &&
      llvm::any_of(key.parts(), [&](const Value &part) {
        Value bound = e.known(part);
        return isUserObject(e, bound) && e.unboxed(bound) == bound && hasIndex(e, bound);
      }))
    return e.callPrelude("_slice_by_index",
                         {given, key.parts()[0], key.parts()[1], key.parts()[2]});
  return getItemOf(e, container, key);
}

Value capture::getItemOf(Engine &e, const Value &container, const Value &key) {
  const Value &given = container;
  switch (container.kind()) {
  case Kind::Tuple:
    if (key.is(Kind::Slice)) {
      PTC_GET(slice, sliceOf(e, key, container.parts().size()));
      bool isSize = container.sub() == uint8_t(TupleTag::TorchSize);
      return Value::tuple(pick(container.parts(), slice)).withSub(isSize ? container.sub() : 0);
    }
    return elementOf(e, container.parts(), key, "tuple");
  case Kind::Str:
    return textItem(e, container, key);
  case Kind::Bytes:
    return bytesItem(e, container, key);
  case Kind::Range:
    return rangeItem(e, container, key);
  case Kind::Tensor:
    return e.tensorGetItem(container, key);
  case Kind::Opaque:
    return e.opaqueItem(container, key, /*makesType=*/true);
  case Kind::Template:
    return refuseTemplate(e, "characters of");
  case Kind::Ref:
    break;
  default:
    return e.raise(WellKnown::TypeError,
                   "'" + typeName(e, given) + "' object is not subscriptable");
  }
  switch (e.heap.kind(container.asRef())) {
  case ObjectKind::List: {
    PTC_DO(openContent(e, container));
    Value content = e.heap.get(container.asRef(), slot::kContent);
    if (!content.is(Kind::Tuple))
      return itemOfGrownList(e, container, content, key);
    if (key.is(Kind::Slice)) {
      PTC_GET(slice, sliceOf(e, key, content.parts().size()));
      return e.makeList(pick(content.parts(), slice));
    }
    return elementOf(e, content.parts(), key, "list");
  }
  case ObjectKind::Dict:
    return dictItem(e, container, key);
  case ObjectKind::Class: {
    Value hook = e.lookupInClass(container.asRef(), e.intern("__class_getitem__"));
    if (!hook.isAbsent()) {
      PTC_LET(method, bindAttribute(e, hook, Value(), container.asRef()));
      return e.call(method, {key});
    }
    if (container.asRef() == e.builtinClass(WellKnown::TypeType) ||
        makesGenericAliases(e, container.asRef()))
      return e.callPrelude("_generic_alias", {container, key});
    return e.raise(WellKnown::TypeError,
                   "type '" + className(e, container.asRef()) + "' is not subscriptable");
  }
  default:
    return e.raise(WellKnown::TypeError,
                   "'" + typeName(e, given) + "' object is not subscriptable");
  }
}

// Writing
// ----------------------------------------------------------------------------------------------

static Value setSlice(Engine &e, const Value &list, const Value &key, const Value &given) {
  PTC_LET(value, e.decide(given));
  PTC_DO(openContent(e, value));
  auto items = listElements(e, value);
  if (!items && isRefTo(e, value, ObjectKind::List))
    return e.refuse(DiagId::Unsupported, "a slice set to a list whose length data decides");
  if (!items && specialMethod(e, value, WellKnown::Iter).isAbsent())
    return e.raise(WellKnown::TypeError, "can only assign an iterable");
  if (!items)
    return e.callPrelude("_setslice", {list, key, value}, ReturnAction::Drop);
  PTC_GET(s, sliceOf(e, key, listItems(e, list).size()));
  std::vector<Value> &content = mutableContent(e, list.asRef());
  if (s.step == 1) {
    auto at = content.begin() + s.start;
    content.insert(content.erase(at, at + std::max<int64_t>(s.count, 0)), items->begin(),
                   items->end());
    return Value::none();
  }
  if (int64_t(items->size()) != s.count)
    return e.raise(WellKnown::ValueError, "attempt to assign sequence of size " +
                                              llvm::Twine(items->size()) +
                                              " to extended slice of size " + llvm::Twine(s.count));
  for (int64_t i = 0; i < s.count; ++i)
    content[size_t(s.start + i * s.step)] = (*items)[size_t(i)];
  return Value::none();
}

static Value setListItem(Engine &e, const Value &list, const Value &key, const Value &value) {
  size_t size = listItems(e, list).size();
  PTC_GET(at, position(e, key, size, "list", "list assignment"));
  if (at.selector == kUndef) {
    ownContent(e, list.asRef()).mutablePart(size_t(at.known)) = value;
    return Value::none();
  }
  // Numbers of one type: each element is the new one or stays, without a fork.
  NumberType type = numberType(value);
  std::vector<Value> items(listItems(e, list));
  bool alike = type != NumberType::NotNumber && !value.is(Kind::BigInt) && size <= 64 &&
               llvm::all_of(items, [&](const Value &v) {
                 return numberType(v) == type && !v.is(Kind::BigInt);
               });
  if (!alike) {
    PTC_GET(n, settlePosition(e, at, int64_t(size)));
    ownContent(e, list.asRef()).mutablePart(size_t(n)) = value;
    return Value::none();
  }
  for (size_t i = 0; i < size; ++i) {
    std::vector<int64_t> isHere(size, 0);
    isHere[i] = 1;
    Position which{-1, e.mapIn(*e.block, at.selector, isHere)};
    PTC_LET(now, elementAt(e, {items[i], value}, which));
    items[i] = std::move(now);
  }
  e.heap.set(list.asRef(), slot::kContent, Value::tuple(std::move(items)));
  return Value::none();
}

static FailAny noItems(Engine &e, const Value &container, llvm::StringRef what) {
  return e.raise(WellKnown::TypeError, "'" + typeName(e, container) + "' object " + what);
}

/// Is it a position in a list that the key's __index__ says?
static bool isConvertedIndex(Engine &e, const Value &container, const Value &key) {
  return isRefTo(e, container, ObjectKind::List) && isUserObject(e, key) && e.unboxed(key) == key &&
         hasIndex(e, key);
}

Value capture::setItem(Engine &e, const Value &givenContainer, const Value &givenKey,
                       const Value &value) {
  PTC_LET(given, e.decide(givenContainer));
  PTC_LET(key, e.isTensorLike(givenKey) ? givenKey : e.decide(givenKey));
  if (Value held = e.isTensorLike(given) ? tensorOfNumpy(e, key) : Value(); e.isTensorLike(held))
    key = std::move(held);
  if (Value other = setOverriddenItem(e, given, key, value); !other.isAbsent())
    return other;
  Value container = plainContainer(e, given, WellKnown::SetItem);
  if (container.isAbsent())
    return e.call(specialMethod(e, given, WellKnown::SetItem), {given, key, value},
                  ReturnAction::Drop);
  if (isConvertedIndex(e, container, key))
    return e.callPrelude("_index_setitem", {given, key, value}, ReturnAction::Drop);
  if (container.is(Kind::Tensor)) {
    PTC_DO(e.tensorSetItem(container, key, value));
    return Value::none();
  }
  if (container.is(Kind::Opaque)) {
    CallArgs args;
    args.positional = {key, value};
    PTC_DO(e.checkOpaqueCall(container, args));
    return Value::none();
  }
  return setItemOf(e, container, key, value);
}

Value capture::setItemOf(Engine &e, const Value &container, const Value &key, const Value &value) {
  if (!container.is(Kind::Ref) || isGrownTuple(e, container))
    return noItems(e, container, "does not support item assignment");
  if (isRefTo(e, container, ObjectKind::Dict) && isRunTimeTable(e, container))
    return setTableItem(e, container, key, value);
  PTC_DO(openContent(e, container));
  switch (e.heap.kind(container.asRef())) {
  case ObjectKind::List: {
    PTC_DO(checkListWrite(e, container));
    if (isNumberList(e, container) && !key.is(Kind::Slice))
      return numberListSet(e, container, key, value);
    if (isGrownList(e, container) && !key.is(Kind::Slice))
      return setInGrownList(e, container, key, value);
    if (isGrownList(e, container) || (key.is(Kind::Slice) && isGrownList(e, value)))
      return changeGrownList(e, "_grown_setslice", {container, key, value});
    if (key.is(Kind::Slice))
      return setSlice(e, container, key, value);
    return setListItem(e, container, key, value);
  }
  case ObjectKind::Dict: {
    PTC_GET(found, dictFind(e, container, key));
    if (found.needsPython)
      return e.callPrelude("_dict_setitem", {container, key, value}, ReturnAction::Drop);
    if (found.position >= 0)
      dictPut(e, container, found.position, value);
    else
      dictAppend(e, container, key, value);
    return Value::none();
  }
  default:
    return noItems(e, container, "does not support item assignment");
  }
}

Value capture::deleteItem(Engine &e, const Value &givenContainer, const Value &givenKey) {
  PTC_LET(given, e.decide(givenContainer));
  PTC_LET(key, e.isTensorLike(givenKey) ? givenKey : e.decide(givenKey));
  Value container = plainContainer(e, given, WellKnown::DelItem);
  if (container.isAbsent())
    return e.call(specialMethod(e, given, WellKnown::DelItem), {given, key}, ReturnAction::Drop);
  if (isConvertedIndex(e, container, key))
    return e.callPrelude("_index_delitem", {given, key}, ReturnAction::Drop);
  return deleteItemOf(e, container, key);
}

Value capture::deleteItemOf(Engine &e, const Value &container, const Value &key) {
  const Value &given = container;
  if (!container.is(Kind::Ref) || isGrownTuple(e, container))
    return noItems(e, given, "doesn't support item deletion");
  if (isRefTo(e, container, ObjectKind::Dict) && isRunTimeTable(e, container))
    return callOnKey(e, "_table_delitem", container, key, ReturnAction::Drop);
  PTC_DO(openContent(e, container));
  switch (e.heap.kind(container.asRef())) {
  case ObjectKind::List: {
    PTC_DO(checkListWrite(e, container));
    if (isGrownList(e, container))
      return changeGrownList(e, "_grown_delitem", {container, key});
    size_t size = listItems(e, container).size();
    if (!key.is(Kind::Slice)) {
      PTC_GET(at, settledPosition(e, key, size, "list", "list assignment"));
      ownContent(e, container.asRef()).dropParts(size_t(at), 1);
      return Value::none();
    }
    PTC_GET(s, sliceOf(e, key, size));
    std::vector<Value> kept, old(listItems(e, container));
    std::vector<bool> gone(size);
    for (int64_t i = 0; i < s.count; ++i)
      gone[size_t(s.start + i * s.step)] = true;
    for (size_t i = 0; i < size; ++i)
      if (!gone[i])
        kept.push_back(old[i]);
    e.heap.set(container.asRef(), slot::kContent, Value::tuple(std::move(kept)));
    return Value::none();
  }
  case ObjectKind::Dict: {
    PTC_GET(found, dictFind(e, container, key));
    if (found.needsPython)
      return e.callPrelude("_dict_delitem", {container, key}, ReturnAction::Drop);
    if (found.position < 0)
      return missingKey(e, key);
    dictErase(e, container, found.position);
    return Value::none();
  }
  default:
    return noItems(e, given, "doesn't support item deletion");
  }
}

// Membership and length
// ------------------------------------------------------------------------------------

/// Membership of run-time numbers, without a fork; Absent where others compare, too.
static Value inNumbers(Engine &e, llvm::ArrayRef<Value> items, const Value &item) {
  if (!e.recording() || !comparesRunTime(e, items, item) ||
      !llvm::all_of(items, [&](const Value &other) { return equalityTells(e, other, item); }))
    return Value();
  std::vector<Value> all(items);
  return amongNumbers(e, all, item);
}

static Value inSequence(Engine &e, llvm::ArrayRef<Value> items, const Value &item,
                        const Value &container, ReturnAction action) {
  PTC_LET(among, inNumbers(e, items, item));
  if (!among.isAbsent())
    return among;
  for (const Value &other : items) {
    if (areOneItem(other, item))
      return Value::boolean(true);
    std::optional<bool> same = nativeEqual(e, other, item);
    if (!same)
      return e.callPrelude("_contains_any", {container, item}, action);
    if (*same)
      return Value::boolean(true);
  }
  return Value::boolean(false);
}

static Value inDict(Engine &e, const Value &dict, const Value &item, ReturnAction action) {
  PTC_DO(openContent(e, dict));
  if (comparesRunTime(e, {}, item)) {
    std::vector<Value> items(dictItems(e, dict));
    PTC_LET(place, keyPlace(e, items, item));
    if (!place.isAbsent())
      return e.numberOrConstantCompare(CompareOp::Ne, place, Value::integer(0));
  }
  PTC_GET(found, dictFind(e, dict, item));
  if (found.needsPython)
    return e.callPrelude("_dict_contains", {dict, item}, action);
  return Value::boolean(found.position >= 0);
}

static Value inSet(Engine &e, const Value &set, const Value &item) {
  bool plain = hashesAreKnown(e, set) && !comparesRunTime(e, {}, item);
  PTC_LET(among, plain ? Value() : inNumbers(e, setItems(e, set), item));
  if (!among.isAbsent())
    return among;
  PTC_LET(key, asSetKey(e, item));
  PTC_GET(found, setContains(e, set, key));
  return Value::boolean(found);
}

static Value inObject(Engine &e, const Value &container, const Value &item, ReturnAction action) {
  if (isRunTimeTable(e, container))
    return callOnKey(e, "_table_contains", container, item, action);
  switch (e.heap.kind(container.asRef())) {
  case ObjectKind::List: {
    PTC_DO(openContent(e, container));
    Value content = e.heap.get(container.asRef(), slot::kContent);
    if (!content.is(Kind::Tuple))
      return e.callPrelude("_contains_any", {container, item}, action);
    return inSequence(e, content.parts(), item, container, action);
  }
  case ObjectKind::Dict:
    return inDict(e, container, item, action);
  case ObjectKind::Set:
    PTC_DO(openContent(e, container));
    return inSet(e, container, item);
  default:
    break;
  }
  if (e.typeOf(container) == e.builtinClass(WellKnown::DictKeysType)) {
    PTC_LET(dict, viewedDict(e, container));
    return inObject(e, dict, item, action);
  }
  if (isViewOfTable(e, container)) {
    PTC_LET(dict, viewedDict(e, container));
    return e.callPrelude(isItemsView(e, container) ? "_table_has_pair" : "_table_has_value",
                         {dict, item}, action);
  }
  if (std::optional<std::vector<Value>> items = listElements(e, container))
    return inSequence(e, *items, item, container, action);
  return e.callPrelude("_contains", {container, item}, action);
}

Value capture::containsItem(Engine &e, const Value &givenContainer, const Value &givenItem,
                            ReturnAction action) {
  PTC_LET(given, e.decide(givenContainer));
  PTC_LET(item, e.decide(givenItem));
  Value container = plainContainer(e, given, WellKnown::Contains);
  if (container.isAbsent() || given.is(Kind::Tensor))
    return e.callPrelude("_contains", {given, item}, action);
  if ((container.is(Kind::FrozenSet) || isRefTo(e, container, ObjectKind::Set)) &&
      !isRunTimeTable(e, container)) {
    PTC_DO(openContents(e, {container}));
    if (asksMethods(e, container, item))
      return e.callPrelude("_in_items", {container, item}, action);
  }
  return containsItemOf(e, container, item, action);
}

Value capture::containsItemOf(Engine &e, const Value &container, const Value &item,
                              ReturnAction action) {
  const Value &given = container;
  switch (container.kind()) {
  case Kind::Str:
    if (item.is(Kind::Template))
      return refuseTemplate(e, "membership of");
    if (const Value text = e.unboxed(item); text.is(Kind::Str))
      return Value::boolean(py::str::contains(strRef(container), strRef(text)));
    return e.raise(WellKnown::TypeError,
                   "'in <string>' requires string as left operand, not " + typeName(e, item));
  case Kind::Bytes:
    if (item.is(Kind::Bytes))
      return Value::boolean(py::bytes::contains(container.asBytes(), item.asBytes()));
    if (isIntConst(item)) {
      py::Result<bool> r = py::bytes::containsInt(container.asBytes(), asPyInt(item));
      return r ? Value::boolean(*r) : raised(e, r.error());
    }
    if (item.is(Kind::Ref))
      if (Value content = e.unboxed(item); content.is(Kind::Bytes))
        return Value::boolean(py::bytes::contains(container.asBytes(), content.asBytes()));
    if (isNumber(item) && numberType(item) != NumberType::Float)
      return e.refuse(DiagId::Unsupported, "membership in bytes of a run-time number");
    return e.raise(WellKnown::TypeError,
                   "a bytes-like object is required, not '" + typeName(e, item) + "'");
  case Kind::Tuple:
    return inSequence(e, container.parts(), item, container, action);
  case Kind::FrozenSet:
    return inSet(e, container, item);
  case Kind::Range:
    return rangeContains(e, container, item, action);
  case Kind::Opaque:
    return e.refuseOpaque(container);
  case Kind::Template:
    return refuseTemplate(e, "looking for text in");
  case Kind::Ref:
    return inObject(e, container, item, action);
  default:
    return e.raise(WellKnown::TypeError,
                   "argument of type '" + typeName(e, given) + "' is not iterable");
  }
}

/// Without putting the members in order.
static size_t sizeOfSet(Engine &e, const Value &set) {
  const Value &content = e.heap.get(set.asRef(), slot::kContent);
  return content.is(Kind::SetItems) ? content.partCount() : setItems(e, set).size();
}

/// The length of a dict or a set whose keys the run decides.
static Value tableLength(Engine &e, const Value &table) {
  PTC_LET(contents, e.decide(e.heap.get(table.asRef(), slot::kContent)));
  if (contents.is(Kind::RunTimeList))
    return e.runTimeListLength(contents);
  return Value::integer(int64_t(itemCount(e, table)));
}

Value capture::lengthOf(Engine &e, const Value &given) {
  PTC_LET(v, e.decide(given));
  Value container = plainContainer(e, v, WellKnown::Len);
  if (container.isAbsent())
    return e.callPrelude("_len", {v});
  switch (container.kind()) {
  case Kind::Str:
    return Value::integer(int64_t(strRef(container).length()));
  case Kind::Bytes:
    return Value::integer(int64_t(container.asBytes().size()));
  case Kind::Tuple:
  case Kind::FrozenSet:
    return Value::integer(int64_t(container.parts().size()));
  case Kind::Range: {
    std::optional<py::Range> r = rangeOf(container);
    if (!r)
      return e.callPrelude("_range_len", {container});
    py::Result<int64_t> n = r->len();
    return n ? Value::integer(*n) : raised(e, n.error());
  }
  case Kind::Tensor:
    return e.tensorLen(container);
  case Kind::Template:
    return templateLength(e, container);
  case Kind::Opaque:
    return e.refuseOpaque(container);
  case Kind::Ref:
    break;
  default:
    return e.raise(WellKnown::TypeError, "object of type '" + typeName(e, v) + "' has no len()");
  }
  if (isRunTimeTable(e, container))
    return tableLength(e, container);
  switch (e.heap.kind(container.asRef())) {
  case ObjectKind::List: {
    PTC_DO(openContent(e, container));
    Value content = e.heap.get(container.asRef(), slot::kContent);
    if (!content.is(Kind::Tuple))
      return e.runTimeListLength(content);
    return Value::integer(int64_t(content.parts().size()));
  }
  case ObjectKind::Dict:
    PTC_DO(openContent(e, container));
    return Value::integer(int64_t(dictItems(e, container).size() / 2));
  case ObjectKind::Set:
    PTC_DO(openContent(e, container));
    return Value::integer(int64_t(sizeOfSet(e, container)));
  default:
    break;
  }
  if (isDictView(e, container)) {
    PTC_LET(dict, viewedDict(e, container));
    if (isRunTimeTable(e, dict))
      return tableLength(e, dict);
    PTC_DO(openContent(e, dict));
    return Value::integer(int64_t(dictItems(e, dict).size() / 2));
  }
  return e.raise(WellKnown::TypeError, "object of type '" + typeName(e, v) + "' has no len()");
}

size_t capture::itemCount(Engine &e, const Value &container) {
  switch (e.heap.kind(container.asRef())) {
  case ObjectKind::Dict:
    return dictItems(e, container).size() / 2;
  case ObjectKind::Set:
    return sizeOfSet(e, container);
  default:
    return listItems(e, container).size();
  }
}
