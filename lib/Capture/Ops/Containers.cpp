//===- Containers.cpp - Building and unpacking containers and strings
//--------------------------===//
#include "Handlers.h"

#include "../NumberLists.h"
#include "../Positions.h"
#include "../RunTimeTables.h"
#include "../SetMembers.h"
#include "../SizeLoops.h"
#include "../Template.h"
#include "../Tensors.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

PTC_OP(BUILD_TUPLE) {
  e.push(frame, Value::tuple(e.popN(frame, instr.arg)));
  return Flow::Next;
}

PTC_OP(BUILD_LIST) {
  e.push(frame, e.makeList(e.popN(frame, instr.arg)));
  return Flow::Next;
}

PTC_OP(BUILD_SET) {
  std::vector<Value> items = e.popN(frame, instr.arg);
  bool python = llvm::any_of(items, [&](const Value &v) { return needsPythonKey(e, v); });
  if (python)
    return e.finish(frame,
                    e.callPrelude("_make_set", {Value::ref(e.builtinClass(WellKnown::SetType)),
                                                e.makeList(std::move(items))}));
  return e.finish(frame, makeSet(e, items, false));
}

static Flow buildMap(Engine &e, ObjectId frame, std::vector<Value> items) {
  for (size_t i = 0; i < items.size(); i += 2)
    if (needsPythonKey(e, items[i]))
      return e.finish(frame, e.callPrelude("_dict_of", {Value::tuple(std::move(items))}));
  Value dict = e.makeDict({});
  for (size_t i = 0; i < items.size(); i += 2)
    PTC_DO(dictSet(e, dict, items[i], items[i + 1]));
  e.push(frame, std::move(dict));
  return Flow::Next;
}

PTC_OP(BUILD_MAP) { return buildMap(e, frame, e.popN(frame, size_t(instr.arg) * 2)); }

PTC_OP(BUILD_CONST_KEY_MAP) {
  Value keys = e.pop(frame);
  if (keys.parts().size() != instr.arg)
    return ops::unfit(e, frame, instr, "has another number of keys than of values");
  std::vector<Value> values = e.popN(frame, instr.arg), items;
  for (size_t i = 0; i < values.size(); ++i) {
    items.push_back(keys.parts()[i]);
    items.push_back(std::move(values[i]));
  }
  return buildMap(e, frame, std::move(items));
}

static Value operandAt(Engine &e, ObjectId frame, uint32_t n) {
  return e.decide(e.heap.get(frame, e.stackSlot(frame, n - 1)));
}

PTC_OP(LIST_APPEND) {
  Value v = e.pop(frame);
  PTC_LET(list, operandAt(e, frame, instr.arg));
  return e.listAppend(list, v);
}

PTC_OP(SET_ADD) {
  Value v = e.pop(frame);
  PTC_LET(set, operandAt(e, frame, instr.arg));
  if (isRunTimeTable(e, set))
    return addToTable(e, set, v).isFail() ? Flow::Fail : Flow::Next;
  if (asksMethods(e, set, v)) {
    Value done = e.callPrelude("_set_add", {set, v}, ReturnAction::Drop);
    return done.isFail() ? Flow::Fail : Flow::Next;
  }
  return setAdd(e, set, v);
}

PTC_OP(MAP_ADD) {
  Value value = e.pop(frame);
  Value key = e.pop(frame);
  PTC_LET(dict, operandAt(e, frame, instr.arg));
  return setItem(e, dict, key, value).isFail() ? Flow::Fail : Flow::Next;
}

static Flow dropped(const Value &done) { return done.isFail() ? Flow::Fail : Flow::Next; }

PTC_OP(LIST_EXTEND) {
  PTC_LET(iterable, e.decide(e.pop(frame)));
  PTC_LET(list, operandAt(e, frame, instr.arg));
  if (std::optional<std::vector<Value>> items = collectedElements(e, iterable)) {
    PTC_DO(extendList(e, list, *items));
    return Flow::Next;
  }
  if (specialMethod(e, iterable, WellKnown::Iter).isAbsent() &&
      specialMethod(e, iterable, WellKnown::GetItem).isAbsent() && !iterable.is(Kind::Tensor))
    return e.raise(WellKnown::TypeError,
                   "Value after * must be an iterable, not " + typeName(e, iterable));
  return dropped(e.callPrelude("_list_fill", {list, iterable}, ReturnAction::Drop));
}

PTC_OP(SET_UPDATE) {
  PTC_LET(iterable, e.decide(e.pop(frame)));
  PTC_LET(set, operandAt(e, frame, instr.arg));
  std::optional<std::vector<Value>> items = listElements(e, iterable);
  // The order is that of one table copied into another.
  const bool isSet = iterable.is(Kind::FrozenSet) || isRefTo(e, iterable, ObjectKind::Set);
  if (items && isSet && hasHashTable(e, iterable) &&
      (setItems(e, set).empty() || hasHashTable(e, set)))
    return dropped(setOperate(e, BinaryOp::Or, set, iterable, /*inPlace=*/true));
  if (!items || llvm::any_of(*items, [&](const Value &v) { return asksMethods(e, set, v); }))
    return dropped(e.callPrelude("_set_update", {set, iterable}, ReturnAction::Drop));
  for (const Value &item : *items)
    PTC_DO(setAdd(e, set, item));
  return Flow::Next;
}

PTC_OP(DICT_UPDATE) {
  PTC_LET(other, e.decide(e.pop(frame)));
  PTC_LET(dict, operandAt(e, frame, instr.arg));
  if (!mergesAsDict(e, other)) {
    if (e.lookupInClass(e.typeOf(other), e.intern("keys")).isAbsent())
      return e.raise(WellKnown::TypeError, "'" + typeName(e, other) + "' object is not a mapping");
    return dropped(e.callPrelude("_dict_merge", {dict, other}, ReturnAction::Drop));
  }
  PTC_LET(done, mergeDicts(e, dict, other, true));
  return Flow::Next;
}

std::string capture::functionText(Engine &e, const Value &given) {
  Value callee = given.is(Kind::Bound) ? given.parts()[1] : given;
  if (isClass(e, callee))
    return classFullName(e, callee.asRef()) + "()";
  Value name = plainAttr(e, callee, NameId(WellKnown::QualName));
  if (callee.is(Kind::Builtin))
    return builtinRows()[callee.bits()].name + std::string("()");
  if (!isPythonFunction(e, callee) || !name.is(Kind::Str))
    return typeName(e, callee) + " object";
  Value module = plainAttr(e, callee, NameId(WellKnown::Module));
  bool shown = module.is(Kind::Str) && module.asStr() != "builtins";
  return (shown ? module.asStr() + "." : llvm::Twine()).str() + name.asStr().str() + "()";
}

PTC_OP(DICT_MERGE) {
  PTC_LET(other, e.decide(e.pop(frame)));
  PTC_LET(dict, operandAt(e, frame, instr.arg));
  // Below the dict lie the positional arguments and the callee.
  if (e.heap.get(frame, slot::kSp).asIp() < instr.arg + 2)
    return ops::unfit(e, frame, instr, "does not find a call");
  PTC_LET(callee, operandAt(e, frame, instr.arg + 2));
  if (!mergesAsDict(e, other)) {
    if (e.lookupInClass(e.typeOf(other), e.intern("keys")).isAbsent())
      return e.raise(WellKnown::TypeError, functionText(e, callee) +
                                               " argument after ** must be a mapping, not " +
                                               typeName(e, other));
    return dropped(e.callPrelude("_dict_merge", {dict, other}, ReturnAction::Drop));
  }
  std::vector<Value> items(dictItems(e, other));
  for (size_t i = 0; i < items.size(); i += 2) {
    PTC_GET(found, dictFind(e, dict, items[i]));
    if (found.position >= 0 && items[i].is(Kind::Str))
      return e.raise(WellKnown::TypeError, functionText(e, callee) +
                                               " got multiple values for keyword argument '" +
                                               items[i].asStr() + "'");
    PTC_DO(dictSet(e, dict, items[i], items[i + 1]));
  }
  return Flow::Next;
}

PTC_OP(LIST_TO_TUPLE) {
  (void)instr;
  Value list = e.pop(frame);
  PTC_DO(openContent(e, list));
  Value content = e.heap.get(list.asRef(), slot::kContent);
  if (isNumberList(e, list) || (content.is(Kind::RunTimeList) && holdsNumberLists(content)))
    return e.refuse(DiagId::RunTimeListArgument);
  e.push(frame, content.is(Kind::RunTimeList) ? makeGrownTuple(e, content) : std::move(content));
  return Flow::Next;
}

// Unpacking
// --------------------------------------------------------------------------------------------

static Flow pushReversed(Engine &e, ObjectId frame, llvm::ArrayRef<Value> items) {
  for (const Value &item : llvm::reverse(items))
    e.push(frame, e.known(item));
  return Flow::Next;
}

/// Pops the iterable: its elements, none if Python code must make a list of it first (entered: the
/// instruction runs again on that list).
static std::optional<std::vector<Value>> elements(Engine &e, ObjectId frame, bool &again) {
  PTC_LET(v, e.readable(e.pop(frame)));
  again = false;
  if (v.is(Kind::Tensor) || v.is(Kind::Choice)) {
    PTC_LET(length, e.tensorLen(v));
    PTC_LET(count, indexOf(e, length));
    std::vector<Value> rows;
    for (int64_t i = 0; i < count.asInt(); ++i) {
      PTC_LET(row, e.tensorGetItem(v, Value::integer(i)));
      rows.push_back(std::move(row));
    }
    return rows;
  }
  PTC_DO(openContents(e, v));
  if (isNumberList(e, v))
    if (auto items = numberListItems(e, e.known(e.heap.get(v.asRef(), slot::kContent))))
      return items;
  if (isGrownList(e, v)) {
    const int64_t limit = e.unpackLimit(frame);
    assert(limit > 0 && "UNPACK_EX has taken such a list apart");
    again = true;
    Value called =
        e.callPrelude("_unpack_all", {v, Value::integer(limit - 1)}, ReturnAction::PushAgain);
    return called.isFail() ? std::nullopt : std::optional<std::vector<Value>>(std::in_place);
  }
  if (std::optional<std::vector<Value>> items = listElements(e, v))
    return items;
  if (specialMethod(e, v, WellKnown::Iter).isAbsent() &&
      specialMethod(e, v, WellKnown::GetItem).isAbsent())
    return (void)e.raise(WellKnown::TypeError,
                         "cannot unpack non-iterable " + typeName(e, v) + " object"),
           std::nullopt;
  again = true;
  Value called =
      e.callPrelude("_unpack", {v, Value::integer(e.unpackLimit(frame))}, ReturnAction::PushAgain);
  if (called.isFail())
    return std::nullopt;
  return std::vector<Value>();
}

PTC_OP(UNPACK_SEQUENCE) {
  bool again;
  PTC_GET(items, elements(e, frame, again));
  if (again)
    return Flow::Next;
  if (items.size() < instr.arg)
    return e.raise(WellKnown::ValueError, "not enough values to unpack (expected " +
                                              llvm::Twine(instr.arg) + ", got " +
                                              llvm::Twine(items.size()) + ")");
  if (items.size() > instr.arg)
    return e.raise(WellKnown::ValueError,
                   "too many values to unpack (expected " + llvm::Twine(instr.arg) + ")");
  return pushReversed(e, frame, items);
}

/// Is it a list, a tuple or a tensor whose length the run decides?
static bool hasLengthOfRun(Engine &e, const Value &v) {
  if (v.is(Kind::Tensor))
    return !asTensor(v).sizes.empty() && e.sizeLoops && e.sizeLoops->isCount(asTensor(v).sizes[0]);
  if (!isGrownList(e, v))
    return false;
  const Value contents = e.known(e.heap.get(v.asRef(), slot::kContent));
  return contents.is(Kind::RunTimeList) || !asTensor(contents).sizes[0].isConstant();
}

PTC_OP(UNPACK_EX) {
  PTC_LET(given, e.readable(e.heap.get(frame, e.stackSlot(frame, 0))));
  if (hasLengthOfRun(e, given)) {
    (void)e.pop(frame);
    return dropped(e.callPrelude(
        "_unpack_grown", {given, Value::integer(instr.arg & 255), Value::integer(instr.arg >> 8)},
        ReturnAction::PushAgain));
  }
  // What _unpack_grown() gave.
  const Value mark = e.heap.get(e.world->prelude, attrKey(e.intern("_missing")));
  if (given.is(Kind::Tuple) && !given.parts().empty() && given.parts()[0] == mark) {
    (void)e.pop(frame);
    return pushReversed(e, frame, given.parts().drop_front());
  }
  bool again;
  PTC_GET(items, elements(e, frame, again));
  if (again)
    return Flow::Next;
  size_t before = instr.arg & 255, after = instr.arg >> 8;
  if (items.size() < before + after)
    return e.raise(WellKnown::ValueError, "not enough values to unpack (expected at least " +
                                              llvm::Twine(before + after) + ", got " +
                                              llvm::Twine(items.size()) + ")");
  llvm::ArrayRef<Value> all(items);
  (void)pushReversed(e, frame, all.take_back(after));
  e.push(frame, e.makeList(all.drop_front(before).drop_back(after)));
  return pushReversed(e, frame, all.take_front(before));
}

// Strings
// ----------------------------------------------------------------------------------------------

PTC_OP(BUILD_STRING) {
  std::vector<Value> parts = e.popN(frame, instr.arg);
  TextBuilder text;
  for (const Value &part : parts) {
    PTC_LET(decided, e.decide(part));
    if (decided.is(Kind::Opaque))
      return e.refuseOpaque(decided);
    if (!decided.is(Kind::Str) && !decided.is(Kind::Template))
      return ops::unfit(e, frame, instr, "does not find strings");
    text.append(decided);
  }
  e.push(frame, text.take());
  return Flow::Next;
}

PTC_OP(CONVERT_VALUE) {
  Value v = e.pop(frame);
  if (instr.arg == 1)
    return e.finish(frame, toStr(e, v, ReturnAction::Push));
  return e.finish(frame, toRepr(e, v, ReturnAction::Push, instr.arg == 3));
}

PTC_OP(FORMAT_SIMPLE) {
  (void)instr;
  Value v = e.pop(frame);
  return e.finish(frame, formatValue(e, v, Value::str(""), ReturnAction::Push));
}

PTC_OP(FORMAT_WITH_SPEC) {
  (void)instr;
  Value spec = e.pop(frame);
  Value v = e.pop(frame);
  return e.finish(frame, formatValue(e, v, spec, ReturnAction::Push));
}
