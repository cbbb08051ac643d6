//===- RunTimeTables.cpp - Dicts and sets whose keys the run decides -------------------------===//
//
// In: operations of the program on a dict or a set whose contents are a list of the run (of keys no
// two of which are equal, or of pairs, in the order in which they came). Out: calls of lib/Prelude
// (_builtins/tables.py), which walks over the list. What shows the order of a set is refused: it is
// that of CPython's hash table. Whatever else asks for such contents is refused where it reads them
// (openContent, listElements).
//
//===----------------------------------------------------------------------===//
#include "RunTimeTables.h"

#include "Builtins/Builtins.h"
#include "Failures.h"
#include "Positions.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;

// What has such contents
// --------------------------------------------------------------------------------------------

bool capture::isRunTimeTable(Engine &e, const Value &given) {
  const Value v = e.known(given);
  if (!isRefTo(e, v, ObjectKind::Dict) && !isRefTo(e, v, ObjectKind::Set))
    return false;
  const Value contents = e.known(e.heap.get(v.asRef(), slot::kContent));
  return llvm::any_of(alternativesOf(contents),
                      [](const Value &one) { return one.is(Kind::RunTimeList); });
}

bool capture::isViewOfTable(Engine &e, const Value &given) {
  const Value v = e.known(given);
  return v.is(Kind::Ref) && isDictView(e, v) &&
         isRunTimeTable(e, e.heap.get(v.asRef(), slot::kContent));
}

/// Is it a key that equals only what is equal to it as a number, a string or a tuple? `strictly`:
/// one that such a table may have. Of a bool or a float that is equal to an int only one of the two
/// stays in a table.
static bool isKey(const Value &v, bool strictly) {
  if (v.is(Kind::Tuple))
    return TupleTag(v.sub()) == TupleTag::Plain &&
           llvm::all_of(v.parts(), [&](const Value &part) { return isKey(part, strictly); });
  if (numberType(v) == NumberType::NotNumber)
    return v.isNone() || v.is(Kind::Str);
  return !strictly || (numberType(v) == NumberType::Int && !v.is(Kind::BigInt));
}

bool capture::isTableKeyForm(const Value &form, llvm::ArrayRef<TapeValue> leaves) {
  if (form.is(Kind::Ip))
    return leaves[form.asIp()].number == NumberType::Int;
  if (form.is(Kind::Tuple))
    return TupleTag(form.sub()) == TupleTag::Plain &&
           llvm::all_of(form.parts(),
                        [&](const Value &part) { return isTableKeyForm(part, leaves); });
  return form.isNone() || form.is(Kind::Str);
}

static Flow checkKey(Engine &e, const Value &key, bool strictly) {
  if (isKey(key, strictly))
    return Flow::Next;
  return e.refuse(
      DiagId::Unsupported,
      "a key of type '" + typeName(e, key) +
          "' of a dict or a set whose keys the run decides: they are ints, or tuples of "
          "ints and strings");
}

FailAny capture::refuseTable(Engine &e) {
  if (e.pending.isOpen())
    return {};
  return e.refuse(DiagId::Unsupported, "this use of a dict or a set whose keys the run decides");
}

// Operations
// --------------------------------------------------------------------------------------------

Value capture::callOnKey(Engine &e, llvm::StringRef function, const Value &table, const Value &key,
                         ReturnAction action) {
  PTC_LET(k, e.decide(key));
  PTC_DO(checkKey(e, k, /*strictly=*/false));
  return e.callPrelude(function, {table, k}, action);
}

Value capture::setTableItem(Engine &e, const Value &table, const Value &key, const Value &value) {
  PTC_LET(k, e.decide(key));
  PTC_DO(checkKey(e, k, /*strictly=*/true));
  return e.callPrelude("_table_setitem", {table, k, value}, ReturnAction::Drop);
}

Value capture::addToTable(Engine &e, const Value &set, const Value &item) {
  PTC_LET(k, e.decide(item));
  PTC_DO(checkKey(e, k, /*strictly=*/true));
  return e.callPrelude("_table_add", {set, k}, ReturnAction::Drop);
}

static FailAny refuseOrder(Engine &e) {
  ptc::Diagnostic diag = makeDiagnostic(DiagId::Unsupported, e.here(),
                                        "the order of a set whose members the run decides");
  diag.hint("use `sorted()` of the set, or a dict, which keeps the order of its keys");
  return e.refuse(std::move(diag));
}

Value capture::iterateTable(Engine &e, const Value &v, ReturnAction action) {
  if (isRefTo(e, v, ObjectKind::Set))
    return refuseOrder(e);
  const bool isDict = isRefTo(e, v, ObjectKind::Dict);
  PTC_LET(dict, isDict ? v : viewedDict(e, v));
  // What tells the walk that keys are taken out meanwhile.
  const Value walk = makeIterator(e, dict, Value(), WellKnown::DictKeyIteratorType);
  e.heap.set(walk.asRef(), slot::kDisturbed, Value::boolean(false));
  if (isDict)
    return e.callPrelude("_table_keys", {dict, walk}, action);
  const ObjectId cls = e.typeOf(v);
  return e.callPrelude(cls == e.builtinClass(WellKnown::DictItemsType)    ? "_table_items"
                       : cls == e.builtinClass(WellKnown::DictValuesType) ? "_table_values"
                                                                          : "_table_keys",
                       {dict, walk}, action);
}

Value capture::makeTable(Engine &e, const Value &v, const std::optional<std::vector<Value>> &items,
                         bool frozen, ReturnAction action) {
  constexpr size_t kMostBranches = 8;
  const bool isTable = isRefTo(e, v, ObjectKind::Set) && isRunTimeTable(e, v);
  if (isTable || isGrownList(e, v)) {
    if (frozen)
      return e.refuse(DiagId::Unsupported, "a frozenset whose members the run decides");
    return e.callPrelude(isTable ? "_table_copy" : "_set_of_grown", {v}, action);
  }
  // Each number is compared with all before it: behind some, by a loop of the run.
  if (items && items->size() > kMostBranches && !frozen && hasUnknownOrder(e, *items))
    return e.callPrelude("_set_of_grown", {Value::tuple(*items)}, action);
  return Value();
}

namespace {
/// A method and the function of lib/Prelude that does the same on a table.
struct TableMethod {
  WellKnown owner;
  llvm::StringLiteral name, function;
  bool takesKey; ///< Is the first argument a key?
};
} // namespace

static bool isSetLike(Engine &e, const Value &v) {
  return v.is(Kind::FrozenSet) || isRefTo(e, v, ObjectKind::Set);
}

/// a.__eq__(b) and the like of a table, which subclasses inherit; Absent: no such method.
static Value compareByMethod(Engine &e, llvm::StringRef name, CallArgs &args) {
  static constexpr std::pair<llvm::StringLiteral, ptc::CompareOp> kMethods[] = {
      {"__lt__", ptc::CompareOp::Lt}, {"__le__", ptc::CompareOp::Le},
      {"__eq__", ptc::CompareOp::Eq}, {"__ne__", ptc::CompareOp::Ne},
      {"__gt__", ptc::CompareOp::Gt}, {"__ge__", ptc::CompareOp::Ge}};
  const auto *method = llvm::find_if(kMethods, [&](const auto &m) { return m.first == name; });
  if (method == std::end(kMethods))
    return Value();
  PTC_LET(a, e.decide(builtins::arg(args, 0)));
  if (!isRefTo(e, a, ObjectKind::Dict) && !isRefTo(e, a, ObjectKind::Set))
    return Value(); // object.__ne__ of another object, which asks its __eq__
  PTC_LET(given, e.decide(builtins::arg(args, 1)));
  const Value b = e.unboxed(given);
  const bool areDicts = isRefTo(e, a, ObjectKind::Dict) && isRefTo(e, b, ObjectKind::Dict);
  const bool isEquality =
      method->second == ptc::CompareOp::Eq || method->second == ptc::CompareOp::Ne;
  if (areDicts ? !isEquality : !(isSetLike(e, a) && isSetLike(e, b)))
    return Value::notImplemented();
  return tableOperation(e, ptc::getCompareOpSymbol(method->second), a, b, /*inPlace=*/false,
                        args.action);
}

Value capture::callOnTable(Engine &e, const BuiltinRow &row, CallArgs &args) {
  static constexpr TableMethod kMethods[] = {
      {WellKnown::DictType, "__contains__", "_table_contains", true},
      {WellKnown::DictType, "__getitem__", "_table_getitem", true},
      {WellKnown::DictType, "__setitem__", "_table_setitem", true},
      {WellKnown::DictType, "__delitem__", "_table_delitem", true},
      {WellKnown::DictType, "get", "_table_get", true},
      {WellKnown::DictType, "setdefault", "_table_setdefault", true},
      {WellKnown::DictType, "pop", "_table_pop", true},
      {WellKnown::DictType, "popitem", "_table_popitem", false},
      {WellKnown::DictType, "update", "_table_update", false},
      {WellKnown::DictType, "clear", "_table_clear", false},
      {WellKnown::DictType, "copy", "_table_copy", false},
      {WellKnown::SetType, "add", "_table_add", true},
      {WellKnown::SetType, "discard", "_table_discard", true},
      {WellKnown::SetType, "remove", "_table_remove", true},
      {WellKnown::SetType, "clear", "_table_clear", false},
      {WellKnown::SetType, "copy", "_table_copy", false},
      {WellKnown::SetType, "union", "_table_union", false},
      {WellKnown::SetType, "intersection", "_table_intersection", false},
      {WellKnown::SetType, "difference", "_table_difference", false},
      {WellKnown::SetType, "symmetric_difference", "_table_symmetric_difference", false},
      {WellKnown::SetType, "update", "_table_union_update", false},
      {WellKnown::SetType, "intersection_update", "_table_intersection_update", false},
      {WellKnown::SetType, "difference_update", "_table_difference_update", false},
      {WellKnown::SetType, "symmetric_difference_update", "_table_symmetric_difference_update",
       false},
      {WellKnown::SetType, "issubset", "_table_issubset", false},
      {WellKnown::SetType, "issuperset", "_table_issuperset", false},
      {WellKnown::SetType, "isdisjoint", "_table_isdisjoint", false}};
  const bool isMethod = row.kind == BuiltinKind::Method &&
                        (row.owner == WellKnown::DictType || row.owner == WellKnown::SetType ||
                         row.fn == builtins::objectNe);
  if (!isMethod ||
      llvm::none_of(args.positional, [&](const Value &v) { return isRunTimeTable(e, v); }))
    return Value();
  if (Value made = compareByMethod(e, row.name, args); !made.isAbsent())
    return made;
  const auto *method = llvm::find_if(
      kMethods, [&](const TableMethod &m) { return row.owner == m.owner && row.name == m.name; });
  if (method == std::end(kMethods))
    return row.owner == WellKnown::SetType && row.name == llvm::StringRef("pop")
               ? Value(refuseOrder(e))
               : Value();
  if (!args.keywords.empty())
    return e.refuse(DiagId::Unsupported,
                    llvm::StringRef(row.name) +
                        "() with keywords on a dict whose keys the run decides");
  std::vector<Value> given;
  for (const Value &v : args.positional)
    if (!v.isAbsent())
      given.push_back(v);
  // What is no dict, or has methods of its own, is asked for its keys, or walked over.
  if (row.owner == WellKnown::DictType && method->name == "update" && given.size() > 1) {
    PTC_LET(other, e.decide(given[1]));
    if (!mergesAsDict(e, other))
      return e.callPrelude("_dict_update", {given[0], other, Value::tuple({})}, args.action);
  }
  if (method->takesKey) {
    const bool isAdded =
        method->name == "setdefault" || method->name == "add" || method->name == "__setitem__";
    PTC_LET(key, e.decide(given[1]));
    PTC_DO(checkKey(e, key, isAdded));
    given[1] = std::move(key);
  }
  return e.callPrelude(method->function, std::move(given), args.action);
}

Value capture::tableOperation(Engine &e, llvm::StringRef symbol, const Value &a, const Value &b,
                              bool inPlace, ReturnAction action) {
  if (!isRunTimeTable(e, a) && !isRunTimeTable(e, b))
    return Value();
  const bool areDicts = isRefTo(e, a, ObjectKind::Dict) && isRefTo(e, b, ObjectKind::Dict);
  const bool isEquality = symbol == "==" || symbol == "!=";
  if (isEquality && !(areDicts || (isSetLike(e, a) && isSetLike(e, b))))
    return e.refuse(DiagId::Unsupported,
                    "comparing a dict or a set whose keys the run decides with another object");
  if (a.is(Kind::FrozenSet) || b.is(Kind::FrozenSet) ||
      !(areDicts ? isEquality : isSetLike(e, a) && isSetLike(e, b)))
    return e.refuse(DiagId::Unsupported,
                    "the operator '" + symbol + "' of a dict or a set whose keys the run decides");
  return e.callPrelude(inPlace ? "_table_in_place" : "_table_operation", {a, b, Value::str(symbol)},
                       action);
}

// What lib/Prelude asks
// --------------------------------------------------------------------------------------------

/// A list with the members of a set, or the pairs of a dict.
Value builtins::ptcTableMembers(Engine &e, CallArgs &args) {
  const Value table = e.known(arg(args, 0));
  PTC_LET(contents, e.decide(e.heap.get(table.asRef(), slot::kContent)));
  Value list = e.makeList({});
  if (contents.is(Kind::RunTimeList)) {
    e.heap.set(list.asRef(), slot::kContent, contents);
    return list;
  }
  const bool isSet = isRefTo(e, table, ObjectKind::Set);
  llvm::ArrayRef<Value> items = isSet ? setItems(e, table) : dictItems(e, table);
  std::vector<Value> members;
  for (size_t i = 0; i < items.size(); i += isSet ? 1 : 2) {
    PTC_DO(checkKey(e, e.known(items[i]), /*strictly=*/true));
    members.push_back(isSet ? e.known(items[i])
                            : Value::tuple({e.known(items[i]), e.known(items[i + 1])}));
  }
  return e.makeList(std::move(members));
}

/// Members that are known as a list of the run. They lie in CPython's table as they came, which
/// nobody knows any more.
static Value unordered(Engine &e, llvm::ArrayRef<Value> members) {
  std::vector<Value> leaves;
  std::optional<Value> form =
      formOfElement(e, members.front(), leaves, [](ObjectId) { return Value(); });
  if (!form)
    return refuseTable(e);
  auto *node = new RunTimeListNode;
  node->form = *form;
  for (const Value &leaf : leaves) {
    TapeValue type;
    type.type = TapeType::List;
    type.number = numberType(leaf);
    node->columns.push_back(e.emit(TapeOp::ListNew, {}, type));
  }
  Value list = Value::node(Kind::RunTimeList, node).withSource(e.sourceHere());
  for (const Value &member : members) {
    PTC_LET(longer, e.runTimeListPush(list, member));
    list = std::move(longer);
  }
  return list;
}

/// Gives a dict or a set the contents of such a list.
Value builtins::ptcTableAssign(Engine &e, CallArgs &args) {
  const Value table = e.known(arg(args, 0)), list = e.known(arg(args, 1));
  const bool isSet = isRefTo(e, table, ObjectKind::Set);
  PTC_LET(contents, e.decide(e.heap.get(list.asRef(), slot::kContent)));
  if (contents.is(Kind::Tensor))
    return e.refuse(DiagId::RunTimeListChanged);
  if (contents.is(Kind::RunTimeList)) {
    e.heap.set(table.asRef(), slot::kContent, contents);
    return Value::none();
  }
  std::vector<Value> items;
  for (const Value &part : contents.parts()) {
    if (isSet)
      items.push_back(part);
    else
      llvm::append_range(items, e.known(part).parts());
  }
  if (isSet && items.size() > 1) {
    PTC_LET(list, unordered(e, items));
    e.heap.set(table.asRef(), slot::kContent, std::move(list));
    return Value::none();
  }
  e.heap.set(table.asRef(), slot::kContent,
             Value::composite(isSet ? Kind::SetItems : Kind::DictItems, std::move(items)));
  return Value::none();
}

/// Gives the pair at a place, which is there, another value.
Value builtins::ptcTablePut(Engine &e, CallArgs &args) {
  const Value table = e.known(arg(args, 0));
  const Value contents = e.known(e.heap.get(table.asRef(), slot::kContent));
  if (!contents.is(Kind::RunTimeList))
    return refuseTable(e);
  const Value at = arg(args, 1), keyForm = asRunTimeList(contents).form.parts()[0];
  PTC_LET(pair, e.runTimeListGet(contents, at));
  size_t keyColumns = 0;
  anyElement(keyForm, [&](const Value &part) {
    keyColumns += part.is(Kind::Ip);
    return false;
  });
  PTC_LET(changed, e.runTimeListWith(contents, Value::tuple({pair.parts()[0], arg(args, 2)}), &at,
                                     keyColumns));
  e.heap.set(table.asRef(), slot::kContent, std::move(changed));
  return Value::none();
}

/// Where the order does not matter: the members of a set that the run decides, in a list. Others as
/// they are.
Value builtins::ptcTableUnordered(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  if (!isRefTo(e, v, ObjectKind::Set) || !isRunTimeTable(e, v) ||
      isPythonFunction(e, specialMethod(e, v, WellKnown::Iter)))
    return v;
  return ptcTableMembers(e, args);
}

/// Is it a list or a tuple whose length the run decides?
Value builtins::ptcIsGrown(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(isGrownList(e, v));
}

/// Is it a dict or a set whose keys the run decides?
Value builtins::ptcIsTable(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(isRunTimeTable(e, v));
}

/// Keys are taken out of a dict: those who walk over it are told.
Value builtins::ptcTableDisturb(Engine &e, CallArgs &args) {
  disturbWalkers(e, e.known(arg(args, 0)).asRef());
  return Value::none();
}

/// Were keys taken out since the walk began?
Value builtins::ptcTableDisturbed(Engine &e, CallArgs &args) {
  return e.decide(e.heap.get(e.known(arg(args, 0)).asRef(), slot::kDisturbed));
}

/// Ends a call whose values no compiled program computes.
Value builtins::ptcUncomputed(Engine &e, CallArgs &args) {
  PTC_LET(what, plainArg(e, args, 0));
  return endUncomputed(e, what.asStr(),
                       makeDiagnostic(DiagId::Unsupported, e.here(), what.asStr()));
}

/// Refuses what is no key of a table.
Value builtins::ptcTableKey(Engine &e, CallArgs &args) {
  PTC_LET(key, e.decide(arg(args, 0)));
  PTC_DO(checkKey(e, key, /*strictly=*/true));
  return key;
}
