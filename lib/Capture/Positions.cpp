//===- Positions.cpp - Run-time numbers as positions and keys ---------------------===//
//
// In: containers of known length and run-time numbers. Out: elements picked by selectors, or forks
// over the positions that exist; out of range is a branch like any other, decided first.
//
//===----------------------------------------------------------------------===//
#include "Positions.h"
#include "RunTimeTables.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;

/// As many cases as the facts about a selector hold.
static constexpr int64_t kMaxCases = 64;

bool capture::isRunTimeInt(Engine &e, const Value &v) {
  if (v.is(Kind::Size))
    return !e.shapes || !e.isInputSize(v.asSize());
  return v.is(Kind::Scalar) && v.scalarType() != ScalarType::Float;
}

Value capture::indexNumber(Engine &e, const Value &given) {
  if (!e.isTensorLike(given)) {
    Value v = e.unboxed(given);
    return numberType(v) == NumberType::Int || numberType(v) == NumberType::Bool ? v : Value();
  }
  PTC_LET(item, e.tensorItem(given));
  if (numberType(item) == NumberType::Float)
    return e.raise(WellKnown::TypeError,
                   "only integer tensors of a single element can be converted to an index");
  return item;
}

static FailAny tooMany(Engine &e) {
  return e.refuse(DiagId::Unsupported,
                  "a run-time position among more than 64 elements of different kinds");
}

static TapeValue scalarType(NumberType type) {
  TapeValue value;
  value.type = type == NumberType::Bool    ? TapeType::Bool
               : type == NumberType::Float ? TapeType::Float
                                           : TapeType::Int;
  return value;
}

static Value compare(Engine &e, CompareOp op, const Value &a, const Value &b) {
  return e.numberOrConstantCompare(op, a, b);
}

// Positions
// --------------------------------------------------------------------------------------

Position capture::selectorOf(Engine &e, const Value &number, int64_t n) {
  // A number outside is on a path that no run takes.
  if (number.isSmallInt())
    return {std::clamp<int64_t>(number.asInt(), 0, std::max<int64_t>(n - 1, 0)), kUndef};
  if (n == 1)
    return {0, kUndef};
  ValueId from = kUndef;
  std::vector<int64_t> table;
  if (number.is(Kind::Scalar))
    if (const std::vector<Value> *constants = e.tableOf(number.scalarId(), from)) {
      table.reserve(constants->size());
      for (const Value &v : *constants) {
        bool inside = v.isSmallInt() && v.asInt() >= 0 && v.asInt() < n;
        table.push_back(inside ? v.asInt() : -1);
      }
      return {-1, e.mapIn(*e.block, from, table)};
    }
  std::vector<TapeArg> row;
  row.reserve(size_t(n));
  for (int64_t i = 0; i < n; ++i)
    row.push_back(TapeArg::integer(i));
  TapeValue type;
  type.type = TapeType::Selector;
  return {-1, e.emit(TapeOp::Map, {e.operand(number)}, type, {TapeArg::list(std::move(row))})};
}

Value capture::wrappedIndex(Engine &e, const Value &index, int64_t n, const llvm::Twine &text) {
  PTC_LET(low, compare(e, CompareOp::Ge, index, Value::integer(-n)));
  PTC_GET(notBelow, e.truth(low));
  if (!notBelow || n == 0)
    return e.raise(WellKnown::IndexError, text);
  PTC_LET(high, compare(e, CompareOp::Lt, index, Value::integer(n)));
  PTC_GET(notAbove, e.truth(high));
  if (!notAbove)
    return e.raise(WellKnown::IndexError, text);
  // Brings -n..n-1 into 0..n-1.
  return nativeBinary(e, BinaryOp::Mod, index, Value::integer(n), false);
}

std::optional<Position> capture::positionOf(Engine &e, const Value &index, int64_t n,
                                            const llvm::Twine &text) {
  PTC_LET(at, wrappedIndex(e, index, n, text));
  return selectorOf(e, at, n);
}

static bool allOf(llvm::ArrayRef<Value> items, llvm::function_ref<bool(const Value &)> holds) {
  return llvm::all_of(items, holds);
}

/// Numbers of one type: a table if all are constants, else a pick.
static Value pickNumber(Engine &e, llvm::ArrayRef<Value> items, ValueId selector) {
  bool constants = allOf(items, [](const Value &v) { return !isRunTimeNumber(v); });
  if (constants && int64_t(items.size()) <= kMaxCases)
    return e.mapOf(selector, items);
  NumberType number = numberType(items[0]);
  std::vector<TapeArg> args{TapeArg::value(selector)};
  for (const Value &v : items)
    args.push_back(e.operand(v));
  ScalarType type = number == NumberType::Bool    ? ScalarType::Bool
                    : number == NumberType::Float ? ScalarType::Float
                                                  : ScalarType::Int;
  return Value::scalar(e.emit(TapeOp::Pick, std::move(args), scalarType(number)), type);
}

Value capture::elementAt(Engine &e, llvm::ArrayRef<Value> items, const Position &position) {
  if (position.selector == kUndef)
    return e.known(items[size_t(position.known)]);
  std::vector<Value> now;
  now.reserve(items.size());
  for (const Value &v : items)
    now.push_back(e.known(v));
  if (allOf(now, [&](const Value &v) { return v == now[0]; }))
    return now[0];
  NumberType type = numberType(now[0]);
  bool alike = type != NumberType::NotNumber && allOf(now, [&](const Value &v) {
                 return numberType(v) == type && !v.is(Kind::BigInt);
               });
  if (alike)
    return pickNumber(e, now, position.selector);
  if (int64_t(now.size()) > kMaxCases)
    return tooMany(e);
  if (!allOf(now, [](const Value &v) { return !v.is(Kind::Choice); })) {
    PTC_GET(at, settlePosition(e, position, int64_t(now.size())));
    return e.known(now[size_t(at)]);
  }
  auto *node = new ChoiceNode;
  node->selector = position.selector;
  node->alternatives = std::move(now);
  return e.known(Value::node(Kind::Choice, node).withSource(e.sourceHere()));
}

std::optional<int64_t> capture::settlePosition(Engine &e, const Position &position, int64_t n) {
  if (position.selector == kUndef)
    return position.known;
  if (n > kMaxCases)
    return tooMany(e);
  PTC_GET(at, e.settle(position.selector, uint32_t(n)));
  return int64_t(at);
}

std::optional<int64_t> capture::settleWithin(Engine &e, const Value &number, int64_t low,
                                             int64_t high) {
  if (number.isSmallInt())
    return std::clamp(number.asInt(), low, high);
  // The outer cases are branches of their own, so that the value between them is in range.
  PTC_LET(below, compare(e, CompareOp::Le, number, Value::integer(low)));
  PTC_GET(isBelow, e.truth(below));
  if (isBelow)
    return low;
  if (high <= low + 1)
    return high; // nothing is between them
  PTC_LET(above, compare(e, CompareOp::Ge, number, Value::integer(high)));
  PTC_GET(isAbove, e.truth(above));
  if (isAbove)
    return high;
  // Strictly between: low + 1 … high - 1.
  int64_t n = high - low - 1;
  if (n > kMaxCases)
    return tooMany(e);
  PTC_LET(offset, e.numberBinary(BinaryOp::Sub, number, Value::integer(low + 1)));
  PTC_GET(at, settlePosition(e, selectorOf(e, offset, n), n));
  return low + 1 + at;
}

std::optional<int64_t> capture::settleBound(Engine &e, const Value &number, int64_t n) {
  if (number.isSmallInt())
    return std::clamp(number.asInt(), -n - 1, n);
  PTC_LET(negative, compare(e, CompareOp::Lt, number, Value::integer(0)));
  PTC_GET(isNegative, e.truth(negative));
  return isNegative ? settleWithin(e, number, -n - 1, -1) : settleWithin(e, number, 0, n);
}

// Keys
// -----------------------------------------------------------------------------------------------

static Value both(Engine &e, const Value &a, const Value &b, BinaryOp op) {
  bool conjunction = op == BinaryOp::And;
  for (const auto &[constant, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (constant->is(Kind::Bool))
      return constant->asBool() == conjunction ? *other : *constant;
  return e.numberBinary(op, a, b);
}

namespace {
/// A string that is constant but for one int, as str() shows it.
struct NumberedText {
  std::string before, after;
  Value number;
};
} // namespace

static std::optional<NumberedText> numberedText(const Value &v) {
  NumberedText text;
  if (!v.is(Kind::Template))
    return std::nullopt;
  llvm::ArrayRef<Value> parts = v.parts();
  for (size_t i = 0; i < parts.size(); i += 2) {
    if (parts[i + 1].isNone()) {
      (text.number.isAbsent() ? text.before : text.after) += parts[i].asStr();
      continue;
    }
    llvm::StringRef how = parts[i + 1].asStr();
    if (!text.number.isAbsent() || numberType(parts[i]) != NumberType::Int ||
        (how != "s" && how != "f"))
      return std::nullopt;
    text.number = parts[i];
  }
  return text;
}

/// Is it the constant? Absent where that is not asked of a number.
static Value isText(Engine &e, const Value &v, llvm::StringRef constant) {
  std::optional<NumberedText> text = numberedText(v);
  if (!text)
    return Value();
  int64_t number = 0;
  bool isNumber = constant.consume_front(text->before) && constant.consume_back(text->after) &&
                  !constant.getAsInteger(10, number) && std::to_string(number) == constant;
  return isNumber ? e.numberCompare(CompareOp::Eq, text->number, Value::integer(number))
                  : Value::boolean(false);
}

Value capture::numbersAlike(Engine &e, const Value &givenA, const Value &givenB) {
  Value a = e.unboxed(e.known(givenA)), b = e.unboxed(e.known(givenB));
  if (a.is(Kind::Choice) || b.is(Kind::Choice) || isUserObject(e, givenA) ||
      isUserObject(e, givenB))
    return Value();
  if (isNumber(a) && isNumber(b) && (isRunTimeNumber(a) || isRunTimeNumber(b)))
    return e.numberCompare(CompareOp::Eq, a, b);
  for (const auto &[text, constant] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (text->is(Kind::Template) && constant->is(Kind::Str))
      return isText(e, *text, constant->asStr());
  if (a.is(Kind::Template) && b.is(Kind::Template)) {
    std::optional<NumberedText> one = numberedText(a), other = numberedText(b);
    if (one && other && one->before == other->before && one->after == other->after)
      return e.numberCompare(CompareOp::Eq, one->number, other->number);
    return a == b ? Value::boolean(true) : Value();
  }
  if (a.is(Kind::Tuple) && b.is(Kind::Tuple) && a.parts().size() == b.parts().size()) {
    NativeLevel level(e);
    if (!level.ok)
      return tooDeep(e, " in comparison");
    Value all = Value::boolean(true);
    for (size_t i = 0; i < a.parts().size(); ++i) {
      PTC_LET(one, numbersAlike(e, a.parts()[i], b.parts()[i]));
      if (one.isAbsent())
        return one;
      all = both(e, all, one, BinaryOp::And);
    }
    return all;
  }
  bool runTime = isRunTimeNumber(a) || isRunTimeNumber(b);
  const Value &other = isRunTimeNumber(a) ? b : a;
  if (runTime && (other.is(Kind::Tensor) || other.is(Kind::Opaque)))
    return Value();
  if (runTime)
    return Value::boolean(false);
  std::optional<bool> same = nativeEqual(e, a, b);
  if (!same && e.pending.kind != Pending::Kind::None)
    return Value::fail();
  return same ? Value::boolean(*same) : Value();
}

bool capture::anyKnown(Engine &e, const Value &given,
                       llvm::function_ref<bool(const Value &)> test) {
  if (!given.is(Kind::Tuple) && !given.is(Kind::Choice))
    return test(given);
  llvm::SmallVector<Value, 4> open{e.known(given)};
  while (!open.empty()) {
    Value v = open.pop_back_val();
    if (test(v))
      return true;
    if (v.is(Kind::Tuple))
      for (const Value &part : v.parts())
        open.push_back(e.known(part));
  }
  return false;
}

static bool holdsRunTime(Engine &e, const Value &v) {
  return anyKnown(e, v,
                  [](const Value &part) { return isRunTimeNumber(part) || numberedText(part); });
}

bool capture::comparesRunTime(Engine &e, llvm::ArrayRef<Value> items, const Value &item) {
  return holdsRunTime(e, item) ||
         llvm::any_of(items, [&](const Value &v) { return holdsRunTime(e, v); });
}

Value capture::amongNumbers(Engine &e, llvm::ArrayRef<Value> items, const Value &item) {
  Value any = Value::boolean(false);
  for (const Value &other : items) {
    PTC_LET(one, numbersAlike(e, other, item));
    if (one.isAbsent())
      return one;
    any = both(e, any, one, BinaryOp::Or);
  }
  return any;
}

/// Where the key is a constant for each case of a selector, so is its place.
static Value placeByTable(Engine &e, llvm::ArrayRef<Value> pairs, ValueId selector,
                          llvm::ArrayRef<Value> table) {
  std::vector<Value> places;
  for (const Value &v : table) {
    if (v.isAbsent())
      return Value();
    PTC_LET(place, keyPlace(e, pairs, v));
    if (!place.isSmallInt())
      return Value();
    places.push_back(std::move(place));
  }
  return e.mapOf(selector, places);
}

Value capture::keyPlace(Engine &e, llvm::ArrayRef<Value> pairs, const Value &key) {
  ValueId selector = kUndef;
  if (key.is(Kind::Scalar))
    if (const std::vector<Value> *table = e.tableOf(key.scalarId(), selector)) {
      std::vector<Value> constants = *table;
      PTC_LET(place, placeByTable(e, pairs, selector, constants));
      if (!place.isAbsent())
        return place;
    }
  // Keys differ from one another, so at most one place counts.
  Value place = Value::integer(0);
  for (size_t i = 0; i < pairs.size(); i += 2) {
    PTC_LET(one, numbersAlike(e, pairs[i], key));
    if (one.isAbsent())
      return one;
    Value number = Value::integer(int64_t(i / 2) + 1);
    if (one.is(Kind::Bool)) {
      if (one.asBool())
        return number;
      continue;
    }
    PTC_LET(counted, e.numberBinary(BinaryOp::Mul, one, number));
    PTC_LET(sum, e.numberBinary(BinaryOp::Add, place, counted));
    place = std::move(sum);
  }
  return place;
}

std::optional<int64_t> capture::settleKeyPlace(Engine &e, const Value &place, size_t pairs) {
  int64_t n = int64_t(pairs) + 1;
  PTC_GET(at, settlePosition(e, selectorOf(e, place, n), n));
  return at - 1;
}

// Contents
// -------------------------------------------------------------------------------------------

Value capture::viewedDict(Engine &e, const Value &view) {
  PTC_LET(dict, e.decide(e.heap.get(view.asRef(), slot::kContent)));
  e.heap.set(view.asRef(), slot::kContent, dict);
  return dict;
}

Flow capture::decideContents(Engine &e, llvm::ArrayRef<Value> values) {
  for (const Value &given : values) {
    Value v = e.known(given);
    if (!v.is(Kind::Ref))
      continue;
    if (isDictView(e, v)) {
      PTC_LET(dict, viewedDict(e, v));
      v = std::move(dict);
    }
    if (hasUnknownContents(e, v) || isRunTimeTable(e, v))
      continue;
    switch (e.heap.kind(v.asRef())) {
    case ObjectKind::List:
    case ObjectKind::Dict:
    case ObjectKind::Set:
      PTC_DO(openContent(e, v));
      break;
    default:
      break;
    }
  }
  return Flow::Next;
}

Flow capture::openContents(Engine &e, llvm::ArrayRef<Value> values) {
  for (const Value &v : values) {
    if (hasUnknownContents(e, e.known(v)))
      return refuseContents(e, e.known(v).asRef());
    if (isRunTimeTable(e, v) || isViewOfTable(e, v))
      return refuseTable(e);
  }
  return decideContents(e, values);
}

bool capture::isUndecided(Engine &e, const Value &v) {
  if (!v.is(Kind::Ref))
    return false;
  if (isDictView(e, v)) {
    Value dict = e.known(e.heap.get(v.asRef(), slot::kContent));
    return dict.is(Kind::Choice) || isUndecided(e, dict);
  }
  switch (e.heap.kind(v.asRef())) {
  case ObjectKind::List:
  case ObjectKind::Dict:
  case ObjectKind::Set:
    return e.known(e.heap.get(v.asRef(), slot::kContent)).is(Kind::Choice);
  default:
    return false;
  }
}

bool capture::isGrownTuple(Engine &e, const Value &given) {
  Value v = e.known(given);
  return isRefTo(e, v, ObjectKind::List) &&
         e.heap.header(v.asRef()).cls == e.builtinClass(WellKnown::TupleType);
}

Value capture::makeGrownTuple(Engine &e, const Value &contents) {
  ObjectId id = e.heap.allocate(ObjectKind::List, e.builtinClass(WellKnown::TupleType));
  e.heap.set(id, slot::kContent, contents);
  return Value::ref(id);
}

bool capture::isGrownList(Engine &e, const Value &given) {
  Value v = e.known(given);
  if (!isRefTo(e, v, ObjectKind::List))
    return false;
  Value contents = e.known(e.heap.get(v.asRef(), slot::kContent));
  return contents.is(Kind::RunTimeList) || contents.is(Kind::Tensor);
}
