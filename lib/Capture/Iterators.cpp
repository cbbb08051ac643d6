//===- Iterators.cpp - iter() and next() over builtins -------------------------------===//
//
// In: iterables. Out: Iterator objects (a sequence and a position), generators, or a call of the
// prelude, which wraps what user classes give into a generator so that loops can step it.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "InputNumbers.h"
#include "Positions.h"
#include "RunTimeTables.h"
#include "SetMembers.h"
#include "SizeLoops.h"
#include "Template.h"
#include "Tensors.h"

#include "ptc/Python/Str.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

bool capture::isSetView(Engine &e, const Value &v) {
  return isDictView(e, v) && e.typeOf(v) != e.builtinClass(WellKnown::DictValuesType);
}

bool capture::isItemsView(Engine &e, const Value &v) {
  return isDictView(e, v) && e.typeOf(v) == e.builtinClass(WellKnown::DictItemsType);
}

bool capture::isDictView(Engine &e, const Value &v) {
  if (!isRefTo(e, v, ObjectKind::Instance))
    return false;
  ObjectId cls = e.heap.header(v.asRef()).cls;
  return cls >= e.builtinClass(WellKnown::DictKeysType) &&
         cls <= e.builtinClass(WellKnown::DictItemsType);
}

static Value viewElement(Engine &e, const Value &view, llvm::ArrayRef<Value> items, size_t n) {
  ObjectId cls = e.typeOf(view);
  if (cls == e.builtinClass(WellKnown::DictKeysType))
    return items[2 * n];
  if (cls == e.builtinClass(WellKnown::DictValuesType))
    return items[2 * n + 1];
  return Value::tuple({items[2 * n], items[2 * n + 1]});
}

static std::vector<Value> characters(const Value &text) {
  std::vector<Value> result;
  llvm::StringRef bytes = text.asStr();
  for (size_t at = 0; at < bytes.size();) {
    size_t from = at;
    (void)py::readCodePoint(bytes, at);
    result.push_back(Value::str(bytes.slice(from, at)));
  }
  return result;
}

static bool customIteration(Engine &e, const Value &v) {
  return isUserObject(e, v) && isPythonFunction(e, specialMethod(e, v, WellKnown::Iter));
}

std::optional<std::vector<Value>> capture::collectedElements(Engine &e, const Value &given) {
  const Value length = isUserObject(e, given) ? specialMethod(e, given, WellKnown::Len) : Value();
  if (isPythonFunction(e, length) && !functionOf(e, length.asRef()).hidden)
    return std::nullopt;
  return listElements(e, given);
}

std::optional<std::vector<Value>> capture::listElements(Engine &e, const Value &given) {
  Value v = e.known(given);
  if (customIteration(e, v))
    return std::nullopt;
  v = e.unboxed(v);
  switch (v.kind()) {
  case Kind::FrozenSet:
    if (hasUnknownOrder(e, v.parts()))
      return std::nullopt;
    noteSetOrder(e, v.parts());
    return v.parts().vec();
  case Kind::Tuple:
    return v.parts().vec();
  case Kind::Str:
    return characters(v);
  case Kind::Bytes: {
    std::vector<Value> items;
    for (char c : v.asBytes())
      items.push_back(Value::integer(uint8_t(c)));
    return items;
  }
  case Kind::Range: {
    std::optional<py::Range> r = rangeOf(v);
    std::optional<int64_t> first = r ? r->start().asInt64() : std::nullopt;
    py::Result<int64_t> n = r ? r->len() : py::Result<int64_t>(0);
    std::optional<int64_t> step = r ? r->step().asInt64() : std::nullopt;
    if (!first || !step || !n || *n > 10'000'000)
      return std::nullopt;
    std::vector<Value> items;
    items.reserve(size_t(*n));
    for (int64_t i = 0; i < *n; ++i)
      items.push_back(Value::integer(*first + i * *step));
    return items;
  }
  case Kind::Ref:
    break;
  default:
    return std::nullopt;
  }
  switch (e.heap.kind(v.asRef())) {
  case ObjectKind::List: {
    Value content = e.known(e.heap.get(v.asRef(), slot::kContent));
    if (!content.is(Kind::Tuple))
      return std::nullopt;
    return content.parts().vec();
  }
  case ObjectKind::Set:
    if (isRunTimeTable(e, v) || hasUnknownOrder(e, setItems(e, v)))
      return std::nullopt;
    noteSetOrder(e, setItems(e, v));
    return setItems(e, v).vec();
  case ObjectKind::Dict: {
    if (isRunTimeTable(e, v))
      return std::nullopt;
    std::vector<Value> keys;
    llvm::ArrayRef<Value> items = dictItems(e, v);
    for (size_t i = 0; i < items.size(); i += 2)
      keys.push_back(items[i]);
    return keys;
  }
  default:
    break;
  }
  if (!isDictView(e, v) || isViewOfTable(e, v))
    return std::nullopt;
  std::vector<Value> elements;
  PTC_LET(dict, viewedDict(e, v));
  PTC_DO(openContent(e, dict));
  llvm::ArrayRef<Value> items = dictItems(e, dict);
  elements.reserve(items.size() / 2);
  for (size_t i = 0; i < items.size() / 2; ++i)
    elements.push_back(viewElement(e, v, items, i));
  return elements;
}

/// The class of the iterator that iter() makes of a builtin.
static WellKnown iteratorType(Engine &e, const Value &v) {
  switch (v.kind()) {
  case Kind::Tuple:
    return WellKnown::TupleIteratorType;
  case Kind::FrozenSet:
    return WellKnown::SetIteratorType;
  case Kind::Range:
    return WellKnown::RangeIteratorType;
  case Kind::Ref:
    break;
  default:
    return WellKnown::IteratorType;
  }
  switch (e.heap.kind(v.asRef())) {
  case ObjectKind::List:
    return WellKnown::ListIteratorType;
  case ObjectKind::Set:
    return WellKnown::SetIteratorType;
  case ObjectKind::Dict:
    return WellKnown::DictKeyIteratorType;
  default:
    break;
  }
  ObjectId cls = e.typeOf(v);
  if (cls == e.builtinClass(WellKnown::DictValuesType))
    return WellKnown::DictValueIteratorType;
  return cls == e.builtinClass(WellKnown::DictItemsType) ? WellKnown::DictItemIteratorType
                                                         : WellKnown::DictKeyIteratorType;
}

ObjectId capture::walkedDict(Engine &e, ObjectId iterator) {
  if (e.heap.kind(iterator) != ObjectKind::Iterator)
    return 0;
  Value sequence = e.known(e.heap.get(iterator, slot::kSequence));
  if (isDictView(e, sequence))
    sequence = e.known(e.heap.get(sequence.asRef(), slot::kContent));
  return isRefTo(e, sequence, ObjectKind::Dict) ? sequence.asRef() : 0;
}

Value capture::makeIterator(Engine &e, Value sequence, Value length, WellKnown type) {
  if (type == WellKnown::ObjectType)
    type = iteratorType(e, sequence);
  ObjectId id = e.heap.allocate(ObjectKind::Iterator, e.builtinClass(type));
  e.heap.set(id, slot::kSequence, std::move(sequence));
  e.heap.set(id, slot::kPosition, Value::integer(0));
  if (!length.isAbsent())
    e.heap.set(id, slot::kLength, std::move(length));
  if (ObjectId dict = walkedDict(e, id))
    e.world->walkers[dict].push_back(id);
  return Value::ref(id);
}

Value capture::makeEnumerate(Engine &e, const Value &iterable, const Value &first) {
  const bool isPlainList = isRefTo(e, iterable, ObjectKind::List) &&
                           !e.heap.header(iterable.asRef()).cls &&
                           e.heap.get(iterable.asRef(), slot::kContent).is(Kind::Tuple);
  if (!first.isSmallInt() || !(iterable.is(Kind::Tuple) || iterable.is(Kind::Str) || isPlainList))
    return Value();
  Value made =
      makeIterator(e, iterable.is(Kind::Str) ? Value::tuple(characters(iterable)) : iterable,
                   Value(), WellKnown::EnumerateType);
  e.heap.set(made.asRef(), slot::kFirst, first);
  return made;
}

Value capture::getIterator(Engine &e, const Value &given, bool loop, ReturnAction action) {
  PTC_LET(v, e.decide(given));
  if (isUserObject(e, v)) {
    Value method = specialMethod(e, v, WellKnown::Iter);
    bool python = !method.isAbsent() && !method.is(Kind::Builtin);
    if (python || e.unboxed(v) == v) {
      bool container = isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict) ||
                       isRefTo(e, v, ObjectKind::Set);
      if (python || !container)
        return e.callPrelude(loop ? "_loop_iter" : "_iter", {v}, action);
    }
    v = e.unboxed(v);
  }
  if (isRunTimeTable(e, v) || isViewOfTable(e, v))
    return iterateTable(e, v, action);
  PTC_DO(openContents(e, v));
  if (v.is(Kind::FrozenSet) || isRefTo(e, v, ObjectKind::Set)) {
    if (hasUnknownOrder(e, setItems(e, v)))
      return e.refuse(DiagId::Unsupported, "the order of a set of run-time numbers");
    noteSetOrder(e, setItems(e, v));
  }
  switch (v.kind()) {
  case Kind::Tuple:
  case Kind::Range:
  case Kind::FrozenSet:
    return makeIterator(e, v);
  case Kind::Str:
    return makeIterator(e, Value::tuple(characters(v)), Value(),
                        llvm::all_of(v.asStr(), [](char c) { return (c & 0x80) == 0; })
                            ? WellKnown::StrAsciiIteratorType
                            : WellKnown::StrIteratorType);
  case Kind::Bytes: {
    PTC_GET(items, listElements(e, v));
    return makeIterator(e, Value::tuple(std::move(items)), Value(),
                        isInstance(e, given, WellKnown::ByteArrayType)
                            ? WellKnown::ByteArrayIteratorType
                            : WellKnown::BytesIteratorType);
  }
  case Kind::Tensor:
    return makeIterator(e, v);
  case Kind::Opaque:
    return e.refuseOpaque(v);
  case Kind::Template:
    return refuseTemplate(e, "iterating over");
  case Kind::Ref:
    break;
  default:
    return e.raise(WellKnown::TypeError, "'" + typeName(e, v) + "' object is not iterable");
  }
  switch (e.heap.kind(v.asRef())) {
  case ObjectKind::List:
    return makeIterator(e, v);
  case ObjectKind::Iterator:
    return v;
  case ObjectKind::Frame:
    if (!e.code(v.asRef()).code->hasFlag(ptc::CO_GENERATOR))
      break;
    return v;
  case ObjectKind::Dict:
    PTC_DO(openContent(e, v));
    return makeIterator(e, v, Value::integer(int64_t(dictItems(e, v).size())));
  case ObjectKind::Set:
    PTC_DO(openContent(e, v));
    return makeIterator(e, v, Value::integer(int64_t(setItems(e, v).size())));
  default:
    break;
  }
  if (isDictView(e, v)) {
    PTC_LET(dict, viewedDict(e, v));
    PTC_DO(openContent(e, dict));
    return makeIterator(e, v, Value::integer(int64_t(dictItems(e, dict).size())));
  }
  if (isClass(e, v) && !specialMethod(e, v, WellKnown::Iter).isAbsent())
    return e.callPrelude(loop ? "_loop_iter" : "_iter", {v}, action);
  return e.raise(WellKnown::TypeError, "'" + typeName(e, v) + "' object is not iterable");
}

static Value advance(Engine &e, ObjectId it, int64_t position, const Value &element) {
  e.heap.set(it, slot::kPosition, Value::integer(position + 1));
  return element.is(Kind::Choice) ? e.known(element) : element;
}

static FailAny changedSize(Engine &e, ObjectId it, llvm::StringRef what) {
  e.heap.set(it, slot::kPosition, Value::integer(INT64_MAX));
  return e.raise(WellKnown::RuntimeError, what + " changed size during iteration");
}

/// An int that is the same on every path or decided by the case that the path is in.
static Value settledNumber(Engine &e, const Value &v) {
  return v.is(Kind::Scalar) ? e.constantIndex(v) : v;
}

/// No more elements, even if the sequence grows.
static Value ended(Engine &e, ObjectId it) {
  e.heap.set(it, slot::kPosition, Value::integer(INT64_MAX));
  return Value();
}

bool capture::isOrderedDict(Engine &e, ObjectId dict) {
  ObjectId cls = e.heap.header(dict).cls;
  return cls && llvm::any_of(e.classInfo(cls).mro, [&](ObjectId base) {
           return e.classInfo(base).name == "OrderedDict" &&
                  classFullName(e, base) == "collections.OrderedDict";
         });
}

/// An OrderedDict may not change at all, until its last key was given.
static Flow checkOrderKept(Engine &e, ObjectId it, int64_t position, int64_t size) {
  PTC_LET(length, settledNumber(e, e.heap.get(it, slot::kLength)));
  PTC_LET(disturbed, e.decide(e.heap.get(it, slot::kDisturbed)));
  if ((disturbed.isAbsent() && size == length.asInt()) || 2 * position >= length.asInt())
    return Flow::Next;
  (void)ended(e, it);
  // clear() alone counted as no change of the order until 3.12.
  bool cleared =
      e.world->minorVersion() < 12 && disturbed.is(Kind::Bool) && !disturbed.asBool() && size == 0;
  return e.raise(WellKnown::RuntimeError, llvm::Twine("OrderedDict ") +
                                              (cleared ? "changed size" : "mutated") +
                                              " during iteration");
}

/// Keys were taken out of the dict that is walked over, and as many put in. Where CPython goes on
/// depends on where they lay in its table.
static Flow checkKeysKept(Engine &e, ObjectId it) {
  PTC_LET(disturbed, e.decide(e.heap.get(it, slot::kDisturbed)));
  if (disturbed.isAbsent())
    return Flow::Next;
  return e.refuse(DiagId::Unsupported,
                  "iterating over a dict from which keys were taken, and others put in, meanwhile");
}

/// Dicts and sets may not change their size while somebody walks over them.
static Flow checkSizeKept(Engine &e, ObjectId it, const Value &sequence, size_t count) {
  if (!sequence.is(Kind::Ref) || isRefTo(e, sequence, ObjectKind::List))
    return Flow::Next;
  Value kept = e.heap.get(it, slot::kLength);
  if (kept.isAbsent())
    return Flow::Next;
  bool set = e.heap.kind(sequence.asRef()) == ObjectKind::Set;
  PTC_LET(length, settledNumber(e, kept));
  if (length.asInt() == int64_t(set ? count : 2 * count))
    return set ? Flow::Next : checkKeysKept(e, it);
  (void)changedSize(e, it, set ? "Set" : "dictionary");
  return Flow::Fail;
}

/// `a op b`, which says whether an iteration goes on.
static Value compareCount(Engine &e, CompareOp op, const Value &a, const Value &b) {
  if (e.sizeLoops && isSizeOperand(a) && isSizeOperand(b)) {
    Value goesOn = e.sizeLoops->compareCount(op, sizeOf(e, a), sizeOf(e, b));
    if (!goesOn.isAbsent())
      return goesOn;
  }
  return nativeCompare(e, op, a, b);
}

/// The next of known elements at a position that only the run knows.
static Value nextAtRunTime(Engine &e, ObjectId it, llvm::ArrayRef<Value> given,
                           const Value &position) {
  std::vector<Value> items(given);
  int64_t n = int64_t(items.size());
  PTC_LET(more, nativeCompare(e, CompareOp::Lt, position, Value::integer(n)));
  PTC_GET(goesOn, e.truth(more));
  if (!goesOn)
    return ended(e, it);
  PTC_GET(at, positionOf(e, position, n, ""));
  PTC_LET(element, elementAt(e, items, at));
  PTC_LET(next, nativeBinary(e, BinaryOp::Add, position, Value::integer(1), false));
  e.heap.set(it, slot::kPosition, next);
  return element;
}

/// A position in something that a size counts is a size: what is computed of it stays in their
/// algebra. Where the program has ended iterators it may be no place at all.
static Value asSize(Engine &e, const Value &position, const Value &length) {
  ValueId selector = kUndef;
  if (!position.is(Kind::Scalar) || !length.is(Kind::Size) ||
      e.tableOf(position.scalarId(), selector))
    return position;
  return Value::size(e.sizeOfScalar(position.scalarId(), 0));
}

/// The next number of a range, of which the run knows the bounds or the position.
static Value nextInRange(Engine &e, ObjectId it, const Value &range, const Value &place) {
  llvm::ArrayRef<Value> p = range.parts();
  const Value position = asSize(e, place, p[0].is(Kind::Size) ? p[0] : p[1]);
  PTC_LET(offset, nativeBinary(e, BinaryOp::Mul, position, p[2], false));
  PTC_LET(now, nativeBinary(e, BinaryOp::Add, p[0], offset, false));
  PTC_LET(backwards, nativeCompare(e, CompareOp::Lt, p[2], Value::integer(0)));
  PTC_GET(down, e.truth(backwards));
  PTC_LET(more, compareCount(e, down ? CompareOp::Gt : CompareOp::Lt, now, p[1]));
  PTC_GET(goesOn, e.truth(more));
  if (!goesOn)
    return Value(); // the position stays behind the last, since a range does not grow
  PTC_LET(next, nativeBinary(e, BinaryOp::Add, position, Value::integer(1), false));
  e.heap.set(it, slot::kPosition, next);
  return now;
}

/// The next number of a range that a loop of the run goes over although its bounds are known.
static Value nextOfRolled(Engine &e, ObjectId it, const Value &range, const Value &place,
                          int64_t turns) {
  if (place.is(Kind::Int) && place.asInt() >= turns)
    return Value();
  ptc::sym::Expr at =
      place.is(Kind::Scalar) ? e.sizeOfScalar(place.scalarId(), 0) : formulaOf(e, place);
  PTC_GET(goesOn, e.truth(e.sizeLoops->compareTurn(at, turns)));
  if (!goesOn) {
    e.heap.set(it, slot::kPosition, Value::integer(turns));
    return Value();
  }
  const Value position = sizeValue(at);
  PTC_LET(offset, nativeBinary(e, BinaryOp::Mul, position, range.parts()[2], false));
  PTC_LET(now, nativeBinary(e, BinaryOp::Add, range.parts()[0], offset, false));
  PTC_LET(next, nativeBinary(e, BinaryOp::Add, position, Value::integer(1), false));
  e.heap.set(it, slot::kPosition, next);
  return now;
}

/// The number of turns of a loop over a range that is known and whose loop is one of the run, at
/// least from `place` on.
static std::optional<int64_t> rolledTurns(Engine &e, ObjectId it, const Value &range,
                                          const Value &place) {
  if (!e.sizeLoops || !llvm::all_of(range.parts(), [](const Value &v) { return v.isSmallInt(); }))
    return std::nullopt;
  ValueId selector = kUndef;
  if (place.is(Kind::Scalar) &&
      (!e.sizeLoops->isRolled(it) || e.tableOf(place.scalarId(), selector)))
    return std::nullopt;
  if (!place.is(Kind::Scalar) && !place.is(Kind::Size) && !place.is(Kind::Int))
    return std::nullopt;
  std::optional<py::Range> numbers = rangeOf(range);
  py::Result<int64_t> turns = numbers ? numbers->len() : py::Result<int64_t>(0);
  if (!turns)
    return std::nullopt;
  const int64_t done = place.is(Kind::Int) ? place.asInt() : 0;
  bool rolls =
      e.sizeLoops->isRolled(it) || (done < *turns && e.sizeLoops->rolls(it, *turns - done));
  return rolls ? std::optional(*turns) : std::nullopt;
}

/// The next of a sequence whose length or position is known at run time only: a comparison decides
/// whether there is one.
static Value runTimeNext(Engine &e, ObjectId it, const Value &given, const Value &place) {
  Value length;
  Value sequence = given;
  const bool isList = isRefTo(e, given, ObjectKind::List);
  if (isList) {
    PTC_LET(contents, e.decide(e.heap.get(given.asRef(), slot::kContent)));
    sequence = std::move(contents);
  }
  if (sequence.is(Kind::Range)) {
    std::optional<int64_t> turns = rolledTurns(e, it, sequence, place);
    return turns ? nextOfRolled(e, it, sequence, place, *turns)
                 : nextInRange(e, it, sequence, place);
  }
  if (sequence.is(Kind::Tensor)) {
    PTC_LET(n, e.tensorLen(sequence));
    length = std::move(n);
  } else if (sequence.is(Kind::RunTimeList)) {
    PTC_LET(n, e.runTimeListLength(sequence));
    length = std::move(n);
  } else if (std::optional<std::vector<Value>> items =
                 sequence.is(Kind::Tuple) ? sequence.parts().vec() : listElements(e, sequence)) {
    PTC_DO(checkSizeKept(e, it, sequence, items->size()));
    return nextAtRunTime(e, it, *items, place);
  } else {
    return e.refuse(DiagId::Unsupported, "iterating over this value");
  }
  const Value position = asSize(e, place, length);
  PTC_LET(more, compareCount(e, CompareOp::Lt, position, length));
  PTC_GET(goesOn, e.truth(more));
  if (!goesOn)
    return ended(e, it);
  PTC_LET(got, sequence.is(Kind::Tensor) && !isList
                   ? e.tensorOp("select.int", {sequence, Value::integer(0), position})
                   : e.runTimeListGet(sequence, position));
  PTC_LET(next, nativeBinary(e, BinaryOp::Add, position, Value::integer(1), false));
  e.heap.set(it, slot::kPosition, next);
  return got;
}

static Value nextInObject(Engine &e, ObjectId it, const Value &sequence, int64_t position) {
  ObjectId id = sequence.asRef();
  switch (e.heap.kind(id)) {
  case ObjectKind::List: {
    PTC_DO(openContent(e, sequence));
    const Value &content = e.heap.get(id, slot::kContent);
    if (!content.is(Kind::Tuple))
      return runTimeNext(e, it, content, Value::integer(position));
    if (position >= int64_t(content.parts().size()))
      return Value();
    return advance(e, it, position, content.parts()[size_t(position)]);
  }
  case ObjectKind::Set: {
    PTC_DO(openContent(e, sequence));
    PTC_LET(length, settledNumber(e, e.heap.get(it, slot::kLength)));
    llvm::ArrayRef<Value> items = setItems(e, sequence);
    if (int64_t(items.size()) != length.asInt())
      return changedSize(e, it, "Set");
    if (position >= int64_t(items.size()))
      return Value();
    return advance(e, it, position, items[size_t(position)]);
  }
  default:
    break;
  }
  bool view = e.heap.kind(id) == ObjectKind::Instance;
  PTC_LET(dict, view ? viewedDict(e, sequence) : sequence);
  PTC_DO(openContent(e, dict));
  PTC_LET(length, settledNumber(e, e.heap.get(it, slot::kLength)));
  llvm::ArrayRef<Value> items = dictItems(e, dict);
  if (isOrderedDict(e, dict.asRef())) {
    PTC_DO(checkOrderKept(e, it, position, int64_t(items.size())));
    if (2 * position >= length.asInt())
      return Value();
    return advance(e, it, position,
                   view ? viewElement(e, sequence, items, size_t(position))
                        : items[size_t(position) * 2]);
  }
  if (int64_t(items.size()) != length.asInt())
    return changedSize(e, it, "dictionary");
  PTC_DO(checkKeysKept(e, it));
  if (position * 2 >= int64_t(items.size()))
    return Value();
  Value element =
      view ? viewElement(e, sequence, items, size_t(position)) : items[size_t(position) * 2];
  return advance(e, it, position, element);
}

static Value nextElement(Engine &e, ObjectId it) {
  PTC_LET(place, e.decide(e.heap.get(it, slot::kPosition)));
  PTC_LET(sequence, e.decide(e.heap.get(it, slot::kSequence)));
  if (!place.is(Kind::Int))
    return runTimeNext(e, it, sequence, place);
  int64_t position = place.asInt();
  if (position == INT64_MAX)
    return Value();
  if (sequence.is(Kind::Range))
    if (std::optional<int64_t> turns = rolledTurns(e, it, sequence, place))
      return nextOfRolled(e, it, sequence, place, *turns);
  Value element;
  switch (sequence.kind()) {
  case Kind::Tuple:
  case Kind::FrozenSet:
    if (position < int64_t(sequence.parts().size()))
      element = advance(e, it, position, sequence.parts()[size_t(position)]);
    break;
  case Kind::Range: {
    llvm::ArrayRef<Value> p = sequence.parts();
    if (!p[0].is(Kind::Int) || !p[1].is(Kind::Int) || !p[2].is(Kind::Int)) {
      std::optional<py::Range> r = rangeOf(sequence);
      if (!r)
        return runTimeNext(e, it, sequence, place);
      py::Result<py::PyInt> item = r->at(py::PyInt(position));
      if (item && py::PyInt(position) < r->length())
        element = advance(e, it, position, ofPyInt(*item));
      break;
    }
    __int128 now = p[0].asInt() + __int128(position) * p[2].asInt();
    if (p[2].asInt() > 0 ? now < p[1].asInt() : now > p[1].asInt())
      element = advance(e, it, position, Value::integer(int64_t(now)));
    break;
  }
  case Kind::Ref: {
    if (isRefTo(e, sequence, ObjectKind::List)) {
      PTC_LET(contents, e.decide(e.heap.get(sequence.asRef(), slot::kContent)));
      if (contents.is(Kind::RunTimeList) || contents.is(Kind::Tensor))
        return runTimeNext(e, it, sequence, place);
    }
    PTC_LET(next, nextInObject(e, it, sequence, position));
    element = std::move(next);
    break;
  }
  default:
    return runTimeNext(e, it, sequence, place);
  }
  if (element.isAbsent() && !sequence.is(Kind::Range))
    (void)ended(e, it);
  return element;
}

Value capture::nextOf(Engine &e, const Value &iterator) {
  const ObjectId it = iterator.asRef();
  const Value first = e.heap.get(it, slot::kFirst);
  if (first.isAbsent())
    return nextElement(e, it);
  PTC_LET(place, e.decide(e.heap.get(it, slot::kPosition)));
  PTC_LET(element, nextElement(e, it));
  if (element.isAbsent())
    return element;
  PTC_LET(number, nativeBinary(e, BinaryOp::Add, place, first, false));
  return Value::tuple({number, element});
}
