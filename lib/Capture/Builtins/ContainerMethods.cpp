//===- ContainerMethods.cpp - list, tuple, dict, set, range, slice --------------------------===//
#include "Builtins.h"

#include "../Answers.h"
#include "../NumberLists.h"
#include "../Positions.h"
#include "../RangeMembers.h"
#include "../RunTimeTables.h"
#include "../SetMembers.h"
#include "../Tensors.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;
namespace py = ptc::py;
using ptc::DiagId;

/// Writes of subclasses go to the object itself, past the methods of the subclass.
static Value base(Engine &e, CallArgs &args) { return e.known(arg(args, 0)); }

static FailAny notIterable(Engine &e, const Value &v) {
  return e.raise(WellKnown::TypeError, "'" + capture::typeName(e, v) + "' object is not iterable");
}
static bool isIterable(Engine &e, const Value &v) {
  return !specialMethod(e, v, WellKnown::Iter).isAbsent() ||
         !specialMethod(e, v, WellKnown::GetItem).isAbsent() || v.is(Kind::Tensor) ||
         v.is(Kind::Opaque) || isClass(e, v);
}

// list
// -------------------------------------------------------------------------------------------------

Value builtins::listNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  if (cls > e.world->classes.back())
    return Value::ref(allocateInstance(e, cls));
  if (args.positional.size() > 2)
    return e.raise(WellKnown::TypeError, "list expected at most 1 argument, got " +
                                             llvm::Twine(args.positional.size() - 1));
  if (!args.keywords.empty())
    return e.raise(WellKnown::TypeError, "list() takes no keyword arguments");
  if (!given(args, 1))
    return e.makeList({});
  PTC_LET(v, e.decide(arg(args, 1)));
  if (std::optional<std::vector<Value>> items = collectedElements(e, v))
    return e.makeList(std::move(*items));
  if (!isIterable(e, v))
    return notIterable(e, v);
  return e.callPrelude("_list_of", {v}, args.action);
}

Value builtins::listInit(Engine &e, CallArgs &args) {
  Value list = base(e, args);
  PTC_DO(openContent(e, list));
  mutableContent(e, list.asRef()).clear();
  if (!given(args, 1))
    return Value::none();
  PTC_LET(v, e.decide(arg(args, 1)));
  if (std::optional<std::vector<Value>> items = collectedElements(e, v)) {
    PTC_DO(extendList(e, list, *items));
    return Value::none();
  }
  if (!isIterable(e, v))
    return notIterable(e, v);
  return e.callPrelude("_list_init", {list, v}, args.action);
}

Value builtins::listAppend(Engine &e, CallArgs &args) {
  PTC_DO(e.listAppend(base(e, args), arg(args, 1)));
  return Value::none();
}

Value builtins::listExtend(Engine &e, CallArgs &args) {
  Value list = base(e, args);
  PTC_LET(v, e.decide(arg(args, 1)));
  PTC_DO(openContent(e, list));
  if (std::optional<std::vector<Value>> items = collectedElements(e, v)) {
    PTC_DO(extendList(e, list, *items));
    return Value::none();
  }
  if (!isIterable(e, v))
    return notIterable(e, v);
  return e.callPrelude("_list_extend", {list, v}, args.action);
}

/// An int argument that counts in a sequence of `size`: what is known at run time only is decided.
static std::optional<int64_t> indexArg(Engine &e, CallArgs &args, size_t n, int64_t missing,
                                       int64_t size) {
  if (!given(args, n))
    return missing;
  PTC_LET(v, plainArg(e, args, n));
  PTC_LET(number, indexNumber(e, v));
  if (isRunTimeInt(e, number))
    return settleBound(e, number, size);
  PTC_LET(index, integerOf(e, v));
  return asPyInt(index).clampToInt64();
}

Value builtins::listInsert(Engine &e, CallArgs &args) {
  Value list = base(e, args);
  PTC_DO(openContent(e, list));
  int64_t size = int64_t(listItems(e, list).size());
  PTC_GET(at, indexArg(e, args, 1, 0, size));
  if (at < 0)
    at = std::max<int64_t>(0, at + size);
  if (at <= 0 || at >= size) {
    Value &content = ownContent(e, list.asRef());
    at <= 0 ? content.addFirstPart(arg(args, 2)) : content.addPart(arg(args, 2));
    return Value::none();
  }
  std::vector<Value> &content = mutableContent(e, list.asRef());
  content.insert(content.begin() + at, arg(args, 2));
  return Value::none();
}

Value builtins::listPop(Engine &e, CallArgs &args) {
  Value list = base(e, args);
  PTC_DO(openContent(e, list));
  int64_t size = int64_t(listItems(e, list).size());
  PTC_GET(at, indexArg(e, args, 1, -1, size));
  if (!size)
    return e.raise(WellKnown::IndexError, "pop from empty list");
  if (at < 0)
    at += size;
  if (at < 0 || at >= size)
    return e.raise(WellKnown::IndexError, "pop index out of range");
  Value v = listItems(e, list)[size_t(at)];
  ownContent(e, list.asRef()).dropParts(size_t(at), 1);
  return e.known(v);
}

Value builtins::listClear(Engine &e, CallArgs &args) {
  PTC_DO(checkListReplaced(e, base(e, args)));
  e.heap.set(base(e, args).asRef(), slot::kContent, Value::tuple({}));
  return Value::none();
}
Value builtins::listCopy(Engine &e, CallArgs &args) {
  const Value list = base(e, args);
  if (isGrownList(e, list))
    return itemOfGrownList(e, list, e.known(e.heap.get(list.asRef(), slot::kContent)),
                           Value::composite(Kind::Slice, std::vector<Value>(3, Value::none())));
  Value copy = e.makeList({});
  e.heap.set(copy.asRef(), slot::kContent, e.heap.get(list.asRef(), slot::kContent));
  return copy;
}
Value builtins::listReverse(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, base(e, args)));
  std::vector<Value> &content = mutableContent(e, base(e, args).asRef());
  std::reverse(content.begin(), content.end());
  return Value::none();
}
Value builtins::listSort(Engine &e, CallArgs &args) {
  Value key = given(args, 1) ? arg(args, 1) : Value::none();
  Value reverse = given(args, 2) ? arg(args, 2) : Value::boolean(false);
  return e.callPrelude("_sort", {base(e, args), key, reverse}, args.action);
}

/// Position of an equal item: -1 if there is none, -2 where Python code compares.
static int64_t findItem(Engine &e, llvm::ArrayRef<Value> items, const Value &v) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (areOneItem(items[i], v))
      return int64_t(i);
    std::optional<bool> same = nativeEqual(e, items[i], v);
    if (!same)
      return -2;
    if (*same)
      return int64_t(i);
  }
  return -1;
}

static llvm::ArrayRef<Value> itemsOf(Engine &e, const Value &v) {
  return v.is(Kind::Tuple) ? v.parts() : listItems(e, v);
}

Value builtins::listRemove(Engine &e, CallArgs &args) {
  Value list = base(e, args);
  PTC_DO(openContent(e, list));
  PTC_LET(v, e.decide(arg(args, 1)));
  int64_t at = findItem(e, listItems(e, list), v);
  if (at == -2)
    return e.callPrelude("_list_remove", {list, v}, args.action);
  if (at < 0)
    return e.raise(WellKnown::ValueError, "list.remove(x): x not in list");
  ownContent(e, list.asRef()).dropParts(size_t(at), 1);
  return Value::none();
}

Value builtins::sequenceIndex(Engine &e, CallArgs &args) {
  Value s = e.unboxed(base(e, args));
  PTC_LET(v, e.decide(arg(args, 1)));
  llvm::ArrayRef<Value> items = itemsOf(e, s);
  int64_t size = int64_t(items.size());
  PTC_DO(checkSliceIndex(e, args, 2, /*takesNone=*/false));
  PTC_DO(checkSliceIndex(e, args, 3, /*takesNone=*/false));
  PTC_GET(start, indexArg(e, args, 2, 0, size));
  PTC_GET(stop, indexArg(e, args, 3, INT64_MAX, size));
  start = std::clamp<int64_t>(start < 0 ? start + size : start, 0, size);
  stop = std::clamp<int64_t>(stop < 0 ? stop + size : stop, start, size);
  int64_t at = findItem(e, items.slice(size_t(start), size_t(stop - start)), v);
  if (at == -2)
    return e.callPrelude("_sequence_index", {s, v, Value::integer(start), Value::integer(stop)},
                         args.action);
  if (at >= 0)
    return Value::integer(at + start);
  if (s.is(Kind::Tuple))
    return e.raise(WellKnown::ValueError, "tuple.index(x): x not in tuple");
  std::optional<std::string> text = nativeRepr(e, v);
  return e.raise(WellKnown::ValueError, text.value_or("x") + " is not in list");
}

Value builtins::sequenceCount(Engine &e, CallArgs &args) {
  Value s = e.unboxed(base(e, args));
  PTC_LET(v, e.decide(arg(args, 1)));
  int64_t n = 0;
  for (const Value &item : itemsOf(e, s)) {
    std::optional<bool> same = areOneItem(item, v) ? true : nativeEqual(e, item, v);
    if (!same)
      return e.callPrelude("_sequence_count", {s, v}, args.action);
    n += *same;
  }
  return Value::integer(n);
}

Value builtins::containerSetItem(Engine &e, CallArgs &args) {
  Value c = base(e, args);
  PTC_LET(key, e.decide(arg(args, 1)));
  if (isRefTo(e, c, ObjectKind::Dict)) {
    PTC_GET(found, dictFind(e, c, key));
    if (found.needsPython)
      return e.callPrelude("_dict_setitem", {c, key, arg(args, 2)}, args.action);
    if (found.position >= 0)
      dictPut(e, c, found.position, arg(args, 2));
    else
      dictAppend(e, c, key, arg(args, 2));
    return Value::none();
  }
  PTC_LET(value, e.decide(arg(args, 2)));
  // setItemOf drops what the prelude returns, which a call does not.
  if (isRefTo(e, c, ObjectKind::List) && key.is(Kind::Slice) && isUserObject(e, value) &&
      !listElements(e, value))
    return e.callPrelude("_setslice", {c, key, value}, args.action);
  return setItemOf(e, c, key, value);
}
/// How many views a bytearray has that were not released; `change` is added first.
Value builtins::ptcExports(Engine &e, CallArgs &args) {
  const ObjectId id = arg(args, 0).asRef();
  const uint32_t key = attrKey(e.intern("_ptc_exports"));
  PTC_LET(held, e.decide(e.heap.get(id, key)));
  const int64_t count = (held.isSmallInt() ? held.asInt() : 0) + arg(args, 1).asInt();
  if (arg(args, 1).asInt())
    e.heap.set(id, key, Value::integer(count));
  return Value::integer(count);
}
Value builtins::containerDelItem(Engine &e, CallArgs &args) {
  return deleteItemOf(e, base(e, args), arg(args, 1));
}
Value builtins::containerGetItem(Engine &e, CallArgs &args) {
  return getItemOf(e, base(e, args), arg(args, 1));
}
Value builtins::containerLen(Engine &e, CallArgs &args) {
  Value c = base(e, args);
  return isGrownList(e, c) ? lengthOf(e, c) : Value::integer(int64_t(itemCount(e, c)));
}
Value builtins::containerIter(Engine &e, CallArgs &args) {
  Value c = base(e, args);
  PTC_DO(openContent(e, c));
  if (isRefTo(e, c, ObjectKind::Set))
    return getIterator(e, c, false);
  Value length;
  if (isRefTo(e, c, ObjectKind::Dict))
    length = Value::integer(int64_t(dictItems(e, c).size()));
  return makeIterator(e, c, length);
}
Value builtins::containerContains(Engine &e, CallArgs &args) {
  return containsItemOf(e, base(e, args), arg(args, 1), args.action);
}

// tuple
// ------------------------------------------------------------------------------------------------

Value builtins::tupleNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  if (!given(args, 1))
    return box(e, cls, Value::tuple({}));
  PTC_LET(v, e.decide(arg(args, 1)));
  if (v.is(Kind::Tuple)) // of a torch.Size, too
    return box(e, cls, v.withSub(uint8_t(TupleTag::Plain)));
  if (std::optional<std::vector<Value>> items = collectedElements(e, v))
    return box(e, cls, Value::tuple(std::move(*items)));
  if (!isIterable(e, v))
    return notIterable(e, v);
  if (cls > e.world->classes.back())
    return e.callPrelude("_tuple_sub", {arg(args, 0), v}, args.action);
  return e.callPrelude("_tuple_of", {v}, args.action);
}

// dict
// -------------------------------------------------------------------------------------------------

static Value pairsTuple(Engine &e, CallArgs &args) {
  std::vector<Value> pairs;
  for (const KeywordArg &k : args.keywords) {
    pairs.push_back(Value::str(e.nameText(k.name)));
    pairs.push_back(k.value);
  }
  return Value::tuple(std::move(pairs));
}

/// Are the items of a dict taken as they are, whatever methods its class has? As in CPython that is
/// said by its __iter__; a class with `_ptc_keyed` has one of its own there.
bool capture::mergesAsDict(Engine &e, const Value &other) {
  if (!isRefTo(e, other, ObjectKind::Dict))
    return false;
  ObjectId cls = e.typeOf(other);
  auto isOwn = [&](llvm::StringRef name) {
    return isPythonFunction(e, e.lookupInClass(cls, e.intern(name)));
  };
  bool isKeyed = !e.lookupInClass(cls, e.intern("_ptc_keyed")).isAbsent();
  return !isOwn("__iter__") && !(isKeyed && (isOwn("keys") || isOwn("__getitem__")));
}

static Value fillDict(Engine &e, const Value &dict, CallArgs &args, llvm::StringRef name) {
  if (args.positional.size() > 2)
    return e.raise(WellKnown::TypeError, name + " expected at most 1 argument, got " +
                                             llvm::Twine(args.positional.size() - 1));
  Value pairs = pairsTuple(e, args);
  if (given(args, 1)) {
    PTC_LET(other, e.decide(arg(args, 1)));
    if (!mergesAsDict(e, other)) {
      if (!isIterable(e, other))
        return notIterable(e, other);
      return e.callPrelude(name == "update" ? "_dict_update" : "_dict_init", {dict, other, pairs},
                           args.action);
    }
    if (isRunTimeTable(e, other) || isRunTimeTable(e, dict))
      return e.callPrelude("_table_fill", {dict, other, pairs}, args.action);
    PTC_LET(done, mergeDicts(e, dict, other, true));
  }
  for (size_t i = 0; i < pairs.parts().size(); i += 2)
    PTC_DO(dictSet(e, dict, pairs.parts()[i], pairs.parts()[i + 1]));
  return dict;
}

Value builtins::dictNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  if (cls > e.world->classes.back())
    return Value::ref(allocateInstance(e, cls));
  return fillDict(e, e.makeDict({}), args, "dict");
}
Value builtins::dictInit(Engine &e, CallArgs &args) {
  PTC_LET(done, fillDict(e, base(e, args), args, "update"));
  return Engine::isCalled(done) ? done : Value::none();
}
Value builtins::dictUpdate(Engine &e, CallArgs &args) { return dictInit(e, args); }

Value builtins::dictFromKeys(Engine &e, CallArgs &args) {
  return e.callPrelude("_dict_fromkeys",
                       {arg(args, 0), arg(args, 1), given(args, 2) ? arg(args, 2) : Value::none()},
                       args.action);
}

Value builtins::dictGetMethod(Engine &e, CallArgs &args) {
  Value d = base(e, args);
  PTC_LET(key, e.decide(arg(args, 1)));
  PTC_GET(found, dictFind(e, d, key));
  Value missing = given(args, 2) ? arg(args, 2) : Value::none();
  if (found.needsPython)
    return e.callPrelude("_dict_get", {d, key, missing}, args.action);
  return found.position < 0 ? missing : e.known(dictItems(e, d)[size_t(found.position) * 2 + 1]);
}

Value builtins::dictSetDefault(Engine &e, CallArgs &args) {
  Value d = base(e, args);
  PTC_LET(key, e.decide(arg(args, 1)));
  PTC_GET(found, dictFind(e, d, key));
  Value missing = given(args, 2) ? arg(args, 2) : Value::none();
  if (found.needsPython)
    return e.callPrelude("_dict_setdefault", {d, key, missing}, args.action);
  if (found.position >= 0)
    return e.known(dictItems(e, d)[size_t(found.position) * 2 + 1]);
  dictAppend(e, d, key, missing);
  return missing;
}

Value builtins::dictPop(Engine &e, CallArgs &args) {
  Value d = base(e, args);
  PTC_LET(key, e.decide(arg(args, 1)));
  PTC_GET(found, dictFind(e, d, key));
  if (found.needsPython) {
    Value none = e.heap.get(e.world->prelude, attrKey(e.intern("_missing")));
    return e.callPrelude("_dict_pop", {d, key, given(args, 2) ? arg(args, 2) : none}, args.action);
  }
  if (found.position < 0) {
    if (given(args, 2))
      return arg(args, 2);
    return e.raiseNew(e.makeException(e.builtinClass(WellKnown::KeyError), {key}));
  }
  Value v = e.known(dictItems(e, d)[size_t(found.position) * 2 + 1]);
  dictErase(e, d, found.position);
  return v;
}

Value builtins::dictPopItem(Engine &e, CallArgs &args) {
  Value d = base(e, args);
  PTC_DO(openContent(e, d));
  llvm::ArrayRef<Value> items = dictItems(e, d);
  if (items.empty())
    return e.raise(WellKnown::KeyError, "popitem(): dictionary is empty");
  Value pair = Value::tuple(items.take_back(2).vec());
  dictErase(e, d, int64_t(items.size() / 2) - 1);
  return pair;
}

Value builtins::dictClear(Engine &e, CallArgs &args) {
  Value d = base(e, args);
  PTC_DO(openContent(e, d));
  PTC_DO(dictClear(e, d));
  return Value::none();
}
Value builtins::dictCopy(Engine &e, CallArgs &args) { return copyDict(e, base(e, args)); }

static Value dictView(Engine &e, CallArgs &args, WellKnown cls) {
  ObjectId id = e.heap.allocate(ObjectKind::Instance, e.builtinClass(cls));
  e.heap.set(id, slot::kContent, base(e, args));
  return Value::ref(id);
}
Value builtins::dictKeys(Engine &e, CallArgs &args) {
  return dictView(e, args, WellKnown::DictKeysType);
}
Value builtins::dictValues(Engine &e, CallArgs &args) {
  return dictView(e, args, WellKnown::DictValuesType);
}
Value builtins::dictItemsMethod(Engine &e, CallArgs &args) {
  return dictView(e, args, WellKnown::DictItemsType);
}
Value builtins::viewIsDisjoint(Engine &e, CallArgs &args) {
  if (isItemsView(e, e.known(arg(args, 0)))) // may have no hash
    return e.callPrelude("_view_is_disjoint", {arg(args, 0), arg(args, 1)}, args.action);
  return setIsDisjoint(e, args);
}
// set
// --------------------------------------------------------------------------------------------------

static FailAny unknownOrder(Engine &e) {
  return e.refuse(DiagId::Unsupported, "the order of a set of run-time numbers");
}

/// Sets take the members of others as they lie, past an __iter__ of their class.
static Value pastIteration(Engine &e, const Value &v) {
  const Value plain = e.unboxed(v);
  const bool isSet = plain.is(Kind::FrozenSet) || isRefTo(e, plain, ObjectKind::Set);
  return isSet && isUserObject(e, v) && isPythonFunction(e, specialMethod(e, v, WellKnown::Iter))
             ? copySet(e, plain, plain.is(Kind::FrozenSet))
             : v;
}

Value builtins::setNew(Engine &e, CallArgs &args) {
  ObjectId cls = arg(args, 0).asRef();
  bool frozen = e.isSubclass(cls, e.builtinClass(WellKnown::FrozenSetType));
  if (!frozen && cls > e.world->classes.back())
    return Value::ref(allocateInstance(e, cls));
  if (!given(args, 1)) {
    PTC_LET(empty, makeSet(e, {}, frozen));
    return box(e, cls, empty);
  }
  PTC_LET(from, e.decide(arg(args, 1)));
  PTC_LET(v, pastIteration(e, from));
  if (frozen && v.is(Kind::FrozenSet))
    return box(e, cls, v);
  std::optional<std::vector<Value>> items = listElements(e, v);
  if (!items && !isIterable(e, v))
    return notIterable(e, v);
  if (Value made = makeTable(e, v, items, frozen, args.action); !made.isAbsent())
    return made;
  if (!items)
    return e.callPrelude("_set_of", {arg(args, 0), v}, args.action);
  const Value held = e.unboxed(v);
  const bool isTable =
      (held.is(Kind::FrozenSet) || isRefTo(e, held, ObjectKind::Set)) && hasHashTable(e, held);
  if (!isTable && llvm::any_of(*items, [&](const Value &item) { return needsPythonKey(e, item); }))
    return e.callPrelude("_set_python", {arg(args, 0), v}, args.action);
  bool iterates = isUserObject(e, v) && isRefTo(e, held, ObjectKind::Dict);
  PTC_LET(set, iterates ? makeSet(e, *items, frozen) : copySet(e, held, frozen));
  return frozen ? box(e, cls, set) : set;
}

Value builtins::setInit(Engine &e, CallArgs &args) {
  (void)setClear(e, args); // of what it holds already
  return given(args, 1) ? setUpdate(e, args) : Value::none();
}

Value builtins::setAddMethod(Engine &e, CallArgs &args) {
  PTC_DO(openContent(e, base(e, args)));
  if (asksMethods(e, base(e, args), arg(args, 1)))
    return e.callPrelude("_set_add", {base(e, args), arg(args, 1)}, args.action);
  PTC_DO(setAdd(e, base(e, args), arg(args, 1)));
  return Value::none();
}
Value builtins::setDiscardMethod(Engine &e, CallArgs &args) {
  PTC_LET(key, asSetKey(e, arg(args, 1)));
  PTC_DO(openContent(e, base(e, args)));
  if (asksMethods(e, base(e, args), key))
    return e.callPrelude("_set_discard", {base(e, args), key}, args.action);
  PTC_GET(there, setDiscard(e, base(e, args), key));
  (void)there;
  return Value::none();
}
Value builtins::setRemove(Engine &e, CallArgs &args) {
  PTC_LET(key, asSetKey(e, arg(args, 1)));
  PTC_DO(openContent(e, base(e, args)));
  if (asksMethods(e, base(e, args), key))
    return e.callPrelude("_set_remove", {base(e, args), key, arg(args, 1)}, args.action);
  PTC_GET(there, setDiscard(e, base(e, args), key));
  if (!there)
    return e.raiseNew(e.makeException(e.builtinClass(WellKnown::KeyError), {arg(args, 1)}));
  return Value::none();
}
Value builtins::setPop(Engine &e, CallArgs &args) {
  Value s = base(e, args);
  PTC_DO(openContent(e, s));
  if (!itemCount(e, s))
    return e.raise(WellKnown::KeyError, "pop from an empty set");
  if (!hashesAreKnown(e, s) && hasUnknownOrder(e, setItems(e, s)))
    return unknownOrder(e);
  noteOrderOf(e, s);
  return setPopMember(e, s);
}
Value builtins::setClear(Engine &e, CallArgs &args) {
  e.heap.set(base(e, args).asRef(), slot::kContent, Value::composite(Kind::SetItems, {}));
  return Value::none();
}
Value builtins::setCopy(Engine &e, CallArgs &args) {
  Value s = e.unboxed(base(e, args));
  return s.is(Kind::FrozenSet) ? s : copySet(e, s, false);
}

/// The iterables of a method's arguments; none where Python code lists one first (called).
static std::optional<std::vector<std::vector<Value>>> iterables(Engine &e, CallArgs &args,
                                                                bool &python) {
  std::vector<std::vector<Value>> lists;
  for (size_t i = 1; i < args.positional.size(); ++i) {
    PTC_LET(given, e.decide(arg(args, i)));
    PTC_LET(v, pastIteration(e, given));
    std::optional<std::vector<Value>> items = listElements(e, v);
    if (!items && !isIterable(e, v))
      return (void)notIterable(e, v), std::nullopt;
    if (!items) {
      python = true;
      return lists;
    }
    lists.push_back(std::move(*items));
  }
  return lists;
}

static Value withLists(Engine &e, CallArgs &args, llvm::StringRef method,
                       llvm::StringRef how = "_with_list") {
  Value f = e.lookupInClass(e.builtinClass(WellKnown::SetType), e.intern(method));
  std::vector<Value> rest(args.positional.begin() + 1, args.positional.end());
  return e.callPrelude(how, {f, arg(args, 0), Value::tuple(std::move(rest))}, args.action);
}

static Value setMethod(Engine &e, CallArgs &args, BinaryOp op, llvm::StringRef name, bool inPlace) {
  // These change the set until they come to an item without a hash.
  const bool isByItem = inPlace && (op == BinaryOp::Or || op == BinaryOp::Sub);
  for (size_t i = 1; i < args.positional.size(); ++i) {
    PTC_LET(given, e.decide(arg(args, i)));
    PTC_LET(v, pastIteration(e, given));
    Value other = e.unboxed(v);
    const std::optional<std::vector<Value>> items = listElements(e, v);
    if (!items)
      return isIterable(e, v) ? withLists(e, args, name) : Value(notIterable(e, v));
    if (isByItem && llvm::any_of(*items, [&](const Value &item) { return hasNoHash(e, item); }))
      return withLists(e, args, name, "_item_by_item");
    args.positional[i] = isUserObject(e, v) && v == other ? v : other;
  }
  Value s = base(e, args);
  if (inPlace && op == BinaryOp::Or && args.positional.size() == 2) {
    const Value &other = arg(args, 1);
    const bool isTable =
        (other.is(Kind::FrozenSet) || isRefTo(e, other, ObjectKind::Set)) && hasHashTable(e, other);
    PTC_DO(openContent(e, s));
    const std::optional<std::vector<Value>> items = listElements(e, other);
    if (!isTable && items &&
        llvm::any_of(*items, [&](const Value &v) { return asksMethods(e, s, v); }))
      return e.callPrelude("_set_update", {s, other}, args.action);
  }
  Value result = inPlace ? s : e.unboxed(s);
  if (args.positional.size() == 1 && !inPlace)
    return result.is(Kind::FrozenSet) ? result : copySet(e, result, false);
  // After the first operand the result is a fresh set, which the others change.
  bool again = op != BinaryOp::And && result.is(Kind::Ref);
  for (size_t i = 1; i < args.positional.size(); ++i) {
    PTC_LET(next, setOperate(e, op, result, arg(args, i), inPlace || (i > 1 && again)));
    result = std::move(next);
  }
  return inPlace ? Value::none() : result;
}
Value builtins::setUnion(Engine &e, CallArgs &args) {
  return setMethod(e, args, BinaryOp::Or, "union", false);
}
Value builtins::setIntersection(Engine &e, CallArgs &args) {
  return setMethod(e, args, BinaryOp::And, "intersection", false);
}
Value builtins::setDifference(Engine &e, CallArgs &args) {
  return setMethod(e, args, BinaryOp::Sub, "difference", false);
}
Value builtins::setSymmetricDifference(Engine &e, CallArgs &args) {
  return setMethod(e, args, BinaryOp::Xor, "symmetric_difference", false);
}
Value builtins::setUpdate(Engine &e, CallArgs &args) {
  return setMethod(e, args, BinaryOp::Or, "update", true);
}
Value builtins::setIntersectionUpdate(Engine &e, CallArgs &args) {
  return setMethod(e, args, BinaryOp::And, "intersection_update", true);
}
Value builtins::setDifferenceUpdate(Engine &e, CallArgs &args) {
  return setMethod(e, args, BinaryOp::Sub, "difference_update", true);
}
Value builtins::setSymmetricDifferenceUpdate(Engine &e, CallArgs &args) {
  return setMethod(e, args, BinaryOp::Xor, "symmetric_difference_update", true);
}

/// Are all of `a` in `b`?
static std::optional<bool> allIn(Engine &e, llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b) {
  PTC_LET(big, makeSet(e, b, true));
  for (const Value &item : a) {
    PTC_GET(found, setContains(e, big, item));
    if (!found)
      return false;
  }
  return true;
}
static Value compareSets(Engine &e, CallArgs &args, llvm::StringRef name, bool swap) {
  bool python = false;
  PTC_GET(lists, iterables(e, args, python));
  if (python)
    return withLists(e, args, name);
  std::optional<std::vector<Value>> own = listElements(e, e.unboxed(base(e, args)));
  if (!own)
    return unknownOrder(e);
  PTC_GET(result, swap ? allIn(e, lists[0], *own) : allIn(e, *own, lists[0]));
  return Value::boolean(result);
}
Value builtins::setIsSubset(Engine &e, CallArgs &args) {
  return compareSets(e, args, "issubset", false);
}
Value builtins::setIsSuperset(Engine &e, CallArgs &args) {
  return compareSets(e, args, "issuperset", true);
}
Value builtins::setIsDisjoint(Engine &e, CallArgs &args) {
  bool python = false;
  PTC_GET(lists, iterables(e, args, python));
  if (python)
    return withLists(e, args, "isdisjoint");
  std::optional<std::vector<Value>> own = listElements(e, e.unboxed(base(e, args)));
  if (!own)
    return unknownOrder(e);
  PTC_LET(big, makeSet(e, *own, true));
  for (const Value &item : lists[0]) {
    PTC_GET(found, setContains(e, big, item));
    if (found)
      return Value::boolean(false);
  }
  return Value::boolean(true);
}

// range, slice
// -------------------------------------------------------------------------------------------

Value builtins::rangeNew(Engine &e, CallArgs &args) {
  size_t n = args.positional.size() - 1;
  if (n == 0)
    return e.raise(WellKnown::TypeError, "range expected at least 1 argument, got 0");
  if (n > 3)
    return e.raise(WellKnown::TypeError,
                   "range expected at most 3 arguments, got " + llvm::Twine(n));
  std::vector<Value> parts;
  for (size_t i = 1; i <= n; ++i) {
    PTC_LET(object, e.decide(arg(args, i)));
    Value v = e.unboxed(object);
    if (v.is(Kind::Bool))
      v = Value::integer(v.asInt());
    if (numberType(v) != NumberType::Int) {
      if (isPythonFunction(e, e.lookupInClass(e.typeOf(object), e.intern("__index__"))))
        return e.callPrelude("_range_of",
                             {Value::tuple({args.positional.begin() + 1, args.positional.end()})},
                             args.action);
      return e.raise(WellKnown::TypeError, "'" + capture::typeName(e, v) +
                                               "' object cannot be interpreted as an integer");
    }
    parts.push_back(std::move(v));
  }
  if (n == 1)
    parts.insert(parts.begin(), Value::integer(0));
  if (n < 3)
    parts.push_back(Value::integer(1));
  PTC_LET(still, nativeCompare(e, CompareOp::Eq, parts[2], Value::integer(0)));
  PTC_GET(isStill, e.truth(still));
  if (isStill)
    return e.raise(WellKnown::ValueError, "range() arg 3 must not be zero");
  return Value::composite(Kind::Range, std::move(parts));
}

static Value part(Engine &e, CallArgs &args, size_t n) { return base(e, args).parts()[n]; }
Value builtins::partStart(Engine &e, CallArgs &args) { return part(e, args, 0); }
Value builtins::partStop(Engine &e, CallArgs &args) { return part(e, args, 1); }
Value builtins::partStep(Engine &e, CallArgs &args) { return part(e, args, 2); }

/// The argument of a range's method, which has to know it.
static Value rangeMember(Engine &e, CallArgs &args) {
  PTC_LET(given, e.decide(arg(args, 1)));
  PTC_LET(v, plainArg(e, args, 1));
  if (v.is(Kind::Scalar) || v.is(Kind::Size))
    return e.refuse(DiagId::Unsupported, "looking for a run-time number in a range");
  v = asWholeNumber(v);
  if (hasOwnEquality(e, given) || (!isIntConst(v) && !equalsNoInteger(v)))
    return e.refuse(DiagId::Unsupported,
                    "looking for an object of type '" + typeName(e, given) + "' in a range");
  return v;
}

Value builtins::rangeIndex(Engine &e, CallArgs &args) {
  std::optional<py::Range> r = rangeOf(base(e, args));
  PTC_LET(v, rangeMember(e, args));
  if (!r || !isIntConst(v)) {
    std::optional<std::string> text = nativeRepr(e, v);
    return e.raise(WellKnown::ValueError, text.value_or("x") + " is not in range");
  }
  return toValue(e, r->index(asPyInt(v)));
}
Value builtins::rangeCount(Engine &e, CallArgs &args) {
  std::optional<py::Range> r = rangeOf(base(e, args));
  PTC_LET(v, rangeMember(e, args));
  return Value::integer(r && isIntConst(v) && r->contains(asPyInt(v)));
}
/// A range with bounds of the run, backwards: from its last number, which is below the first one of
/// a range without any.
static Value reversedAtRunTime(Engine &e, llvm::ArrayRef<Value> range) {
  const Value &start = range[0], &stop = range[1], &step = range[2];
  if (!step.isSmallInt() || step.asInt() == INT64_MIN)
    return e.refuse(DiagId::Unsupported, "reversed() of a range whose step the run decides");
  auto of = [&](BinaryOp op, const Value &a, const Value &b) {
    return nativeBinary(e, op, a, b, false);
  };
  PTC_LET(width, of(BinaryOp::Sub, stop, start));
  PTC_LET(inside, of(BinaryOp::Sub, width, Value::integer(step.asInt() > 0 ? 1 : -1)));
  PTC_LET(steps, of(BinaryOp::FloorDiv, inside, step));
  PTC_LET(offset, of(BinaryOp::Mul, steps, step));
  PTC_LET(last, of(BinaryOp::Add, start, offset));
  PTC_LET(before, of(BinaryOp::Sub, start, step));
  return makeIterator(e,
                      Value::composite(Kind::Range, {last, before, Value::integer(-step.asInt())}));
}

Value builtins::rangeReversed(Engine &e, CallArgs &args) {
  const Value &range = base(e, args);
  std::optional<py::Range> r = rangeOf(range);
  if (!r)
    return reversedAtRunTime(e, range.parts());
  py::Range back = r->reversed();
  return makeIterator(e, Value::composite(Kind::Range, {ofPyInt(back.start()), ofPyInt(back.stop()),
                                                        ofPyInt(back.step())}));
}

Value builtins::sliceNew(Engine &e, CallArgs &args) {
  size_t n = args.positional.size() - 1;
  if (!args.keywords.empty())
    return e.raise(WellKnown::TypeError, "slice() takes no keyword arguments");
  if (n == 0 || n > 3)
    return e.raise(WellKnown::TypeError,
                   llvm::Twine("slice expected at ") +
                       (n ? "most 3 arguments, got " : "least 1 argument, got ") + llvm::Twine(n));
  std::vector<Value> parts(args.positional.begin() + 1, args.positional.end());
  if (n == 1)
    parts.insert(parts.begin(), Value::none());
  parts.resize(3, Value::none());
  return Value::composite(Kind::Slice, std::move(parts));
}
Value builtins::sliceIndices(Engine &e, CallArgs &args) {
  PTC_LET(length, plainArg(e, args, 1));
  if (!length.isSmallInt())
    return e.refuse(DiagId::Unsupported, "slice.indices() of this length");
  if (length.asInt() < 0)
    return e.raise(WellKnown::ValueError, "length should not be negative");
  PTC_GET(s, sliceOf(e, base(e, args), size_t(length.asInt())));
  return Value::tuple({Value::integer(s.start), Value::integer(s.stop), Value::integer(s.step)});
}
