//===- Operators.cpp - Operators on any values --------------------------------------===//
//
// In: operands. Out: the result, by kind: tensors and run-time numbers record, constants are
// computed, objects of user classes go to the prelude's operator protocol.
//
//===----------------------------------------------------------------------===//
#include "Comparison.h"
#include "NumberLists.h"
#include "Overrides.h"
#include "Positions.h"
#include "RunTimeTables.h"
#include "SetMembers.h"
#include "SizeLoops.h"
#include "Template.h"

#include "ptc/Python/Str.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

namespace {
struct OperatorNames {
  llvm::StringLiteral method, reflected, inPlace;
};
} // namespace

static constexpr OperatorNames kBinary[] = {
    {"__add__", "__radd__", "__iadd__"},
    {"__and__", "__rand__", "__iand__"},
    {"__floordiv__", "__rfloordiv__", "__ifloordiv__"},
    {"__lshift__", "__rlshift__", "__ilshift__"},
    {"__matmul__", "__rmatmul__", "__imatmul__"},
    {"__mul__", "__rmul__", "__imul__"},
    {"__mod__", "__rmod__", "__imod__"},
    {"__or__", "__ror__", "__ior__"},
    {"__pow__", "__rpow__", "__ipow__"},
    {"__rshift__", "__rrshift__", "__irshift__"},
    {"__sub__", "__rsub__", "__isub__"},
    {"__truediv__", "__rtruediv__", "__itruediv__"},
    {"__xor__", "__rxor__", "__ixor__"},
};
struct CompareNames {
  llvm::StringLiteral method, swapped;
};
static constexpr CompareNames kCompare[] = {
    {"__lt__", "__gt__"}, {"__le__", "__ge__"}, {"__eq__", "__eq__"},
    {"__ne__", "__ne__"}, {"__gt__", "__lt__"}, {"__ge__", "__le__"},
};

/// text % anything: tensors format themselves.
static bool isTextFormat(BinaryOp op, const Value &a) {
  return op == BinaryOp::Mod && (a.is(Kind::Str) || a.is(Kind::Template) || a.is(Kind::Bytes));
}

static bool hasTable(Engine &e, const Value &scalar) {
  ValueId selector = kUndef;
  return e.tableOf(scalar.scalarId(), selector) != nullptr;
}

/// An operator of something unknown may do what it likes with its operands.
static Value opaqueOperation(Engine &e, BinaryOp op, const Value &a, const Value &b) {
  const Value &unknown = a.is(Kind::Opaque) ? a : b, &other = a.is(Kind::Opaque) ? b : a;
  bool isObject = other.is(Kind::Tensor);
  forEachRef(other, [&](ObjectId) { isObject = true; });
  bool isKnown = e.recording() || e.plainPython || e.isPoison(unknown);
  return isObject && isKnown ? Value(e.refuseOpaque(unknown))
                             : e.opaqueItem(unknown, other, /*makesType=*/op == BinaryOp::Or);
}

Value capture::nativeBinary(Engine &e, BinaryOp op, const Value &a, const Value &b, bool inPlace) {
  if (isTextFormat(op, a))
    return percentFormat(e, a, b);
  if (a.is(Kind::Tensor) || b.is(Kind::Tensor))
    return e.tensorBinary(op, a, b, inPlace);
  if ((isRunTimeNumber(a) || isRunTimeNumber(b)) && isNumber(a) && isNumber(b))
    return isOfNumbers(op, a, b) ? e.numberBinary(op, a, b)
                                 : Value(unsupportedOperands(e, op, a, b, inPlace));
  if ((isRunTimeNumber(a) && b.is(Kind::Complex)) || (a.is(Kind::Complex) && isRunTimeNumber(b)))
    return e.refuse(DiagId::Unsupported,
                    "arithmetic of a complex number and one known at run time");
  if (a.is(Kind::Opaque) || b.is(Kind::Opaque))
    return opaqueOperation(e, op, a, b);
  if (op == BinaryOp::Add && (a.is(Kind::Template) || b.is(Kind::Template)))
    return e.templateConcat(a, b);
  if (op == BinaryOp::Mul && (a.is(Kind::Template) || b.is(Kind::Template)))
    return templateRepeat(e, a.is(Kind::Template) ? a : b, a.is(Kind::Template) ? b : a);
  if ((isGrownList(e, a) || isGrownList(e, b)) && !(inPlace && op == BinaryOp::Add))
    return e.refuse(DiagId::Unsupported, "this operator on a list that grew in a run-time loop");
  if (isRunTimeNumber(a) || isRunTimeNumber(b)) {
    const Value &count = isRunTimeNumber(a) ? a : b;
    if (op == BinaryOp::Mul && numberType(count) == NumberType::Int) {
      if (isRunTimeInt(e, count) && !(count.is(Kind::Scalar) && hasTable(e, count)))
        return e.refuse(DiagId::Unsupported, "a sequence repeated a run-time number of times");
      PTC_LET(n, e.constantIndex(count));
      return isRunTimeNumber(a) ? constantBinary(e, op, n, b, inPlace)
                                : constantBinary(e, op, a, n, inPlace);
    }
    return Value();
  }
  return constantBinary(e, op, a, b, inPlace);
}

/// A list repeated as often as a size of an argument or a number of the run says is made by a loop;
/// Absent: not such an operation.
static Value repeatAtRunTime(Engine &e, BinaryOp op, const Value &a, const Value &b,
                             ReturnAction action) {
  const bool listFirst = isRefTo(e, a, ObjectKind::List);
  const Value &list = listFirst ? a : b, &count = listFirst ? b : a;
  if (op != BinaryOp::Mul || !isRefTo(e, list, ObjectKind::List))
    return Value();
  const bool isCount = count.is(Kind::Size) ? e.sizeLoops && e.sizeLoops->isCount(count.asSize())
                                            : count.is(Kind::Scalar) && isRunTimeInt(e, count) &&
                                                  !hasTable(e, count);
  if (!isCount)
    return Value();
  const Value contents = e.known(e.heap.get(list.asRef(), slot::kContent));
  const bool isOneNumber = areNumbersAlike(contents) && contents.parts().size() == 1;
  return e.callPrelude(isOneNumber ? "_number_times" : "_list_times", {list, count}, action);
}

static bool isSequence(Engine &e, const Value &v) {
  return v.is(Kind::Str) || v.is(Kind::Bytes) || v.is(Kind::Tuple) ||
         isRefTo(e, v, ObjectKind::List);
}

/// A tensor and something that no operator of tensors takes is a TypeError, as in eager.
static Value tensorOperation(Engine &e, BinaryOp op, const Value &a, const Value &b, bool inPlace) {
  if (a.is(Kind::Opaque) || b.is(Kind::Opaque))
    return e.refuseOpaque(a.is(Kind::Opaque) ? a : b);
  PTC_LET(result, e.tensorBinary(op, a, b, inPlace));
  if (!result.is(Kind::NotImplemented))
    return result;
  PTC_LET(left, e.decide(a));
  PTC_LET(right, e.decide(b));
  // A sequence is repeated as often as a tensor of one int says.
  if (op == BinaryOp::Mul && (isSequence(e, left) || isSequence(e, right))) {
    PTC_LET(times, indexNumber(e, isSequence(e, left) ? right : left));
    if (!times.isAbsent())
      return isSequence(e, left) ? nativeBinary(e, op, left, times, inPlace)
                                 : nativeBinary(e, op, times, right, inPlace);
  }
  return unsupportedOperands(e, op, left, right, inPlace);
}

Value capture::binaryOperation(Engine &e, BinaryOp op, Value givenA, Value givenB, bool inPlace,
                               ReturnAction action) {
  const bool isAsked = isAskedInMode(e, givenA, givenB);
  if ((e.isTensorLike(givenA) || e.isTensorLike(givenB)) && !isTextFormat(op, givenA) && !isAsked)
    if (!isUserObject(e, givenA) && !isUserObject(e, givenB))
      return tensorOperation(e, op, givenA, givenB, inPlace);
  PTC_LET(a, e.decide(std::move(givenA)));
  PTC_LET(b, e.decide(std::move(givenB)));
  if (a.is(Kind::Opaque) || b.is(Kind::Opaque))
    return opaqueOperation(e, op, a, b);
  if (isUserObject(e, a) || isUserObject(e, b) || isClass(e, a) || isClass(e, b) || isAsked) {
    const OperatorNames &names = kBinary[size_t(op)];
    std::vector<Value> args{a, b, Value::str(names.method), Value::str(names.reflected),
                            Value::str(ptc::getBinaryOpSymbol(op, false))};
    if (inPlace) {
      args.push_back(Value::str(names.inPlace));
      return e.callPrelude("_inplace_op", std::move(args), action);
    }
    return e.callPrelude("_binary_op", std::move(args), action);
  }
  if (Value made = tableOperation(e, ptc::getBinaryOpSymbol(op, false), a, b, inPlace, action);
      !made.isAbsent())
    return made;
  PTC_DO(openContents(e, {a, b}));
  if (isGrownTuple(e, a) || isGrownTuple(e, b)) {
    auto isTuple = [&](const Value &v) { return v.is(Kind::Tuple) || isGrownTuple(e, v); };
    if (op == BinaryOp::Add && isTuple(a) && isTuple(b))
      return e.callPrelude("_grown_tuple_concat", {a, b}, action);
    return e.refuse(DiagId::RunTimeListArgument);
  }
  if (op == BinaryOp::Add && !inPlace && (isGrownList(e, a) || isGrownList(e, b)) &&
      isRefTo(e, a, ObjectKind::List) && isRefTo(e, b, ObjectKind::List))
    return e.callPrelude("_grown_concat", {a, b}, action);
  if (op == BinaryOp::Add && inPlace && isNumberList(e, a))
    return e.callPrelude("_extend_apart", {a, b}, action);
  if (Value repeated = inPlace ? Value() : repeatAtRunTime(e, op, a, b, action);
      !repeated.isAbsent())
    return repeated;
  if (op == BinaryOp::And && (isItemsView(e, a) || isItemsView(e, b))) // may have no hash
    return e.callPrelude("_view_set", {a, b, Value::str("&")}, action);
  PTC_LET(result, nativeBinary(e, op, a, b, inPlace));
  if (!result.isAbsent())
    return result;
  // list += any iterable
  if (op == BinaryOp::Add && inPlace && isRefTo(e, a, ObjectKind::List))
    return e.callPrelude("_list_iadd", {a, b}, action);
  // dict |= any mapping or pairs
  if (op == BinaryOp::Or && inPlace && isRefTo(e, a, ObjectKind::Dict))
    return e.callPrelude("_dict_ior", {a, b}, action);
  // A view of a dict and any iterable.
  bool isOfSets =
      op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Sub || op == BinaryOp::Xor;
  if (isOfSets && (isSetView(e, a) || isSetView(e, b)))
    return e.callPrelude("_view_set", {a, b, Value::str(ptc::getBinaryOpSymbol(op, false))},
                         action);
  return unsupportedOperands(e, op, a, b, inPlace);
}

// Comparison
// -------------------------------------------------------------------------------------------

static bool compareBy(CompareOp op, std::partial_ordering order) {
  if (order == std::partial_ordering::unordered)
    return op == CompareOp::Ne;
  return compareAs(op, order < 0 ? -1 : int(order > 0), 0);
}

static FailAny notOrdered(Engine &e, CompareOp op, const Value &a, const Value &b) {
  return e.raise(WellKnown::TypeError, "'" + ptc::getCompareOpSymbol(op) +
                                           "' not supported between instances of '" +
                                           typeName(e, a) + "' and '" + typeName(e, b) + "'");
}

static Value compareNumbers(Engine &e, CompareOp op, const Value &a, const Value &b) {
  if (a.isSmallInt() && b.isSmallInt())
    return Value::boolean(compareAs(op, a.asInt(), b.asInt()));
  if (isIntConst(a) && isIntConst(b))
    return Value::boolean(compareAs(op, asPyInt(a), asPyInt(b)));
  if (a.is(Kind::Complex) || b.is(Kind::Complex))
    return notOrdered(e, op, a, b);
  if (a.is(Kind::Float) && b.is(Kind::Float))
    return Value::boolean(compareAs(op, a.asFloat(), b.asFloat()));
  std::partial_ordering order = a.is(Kind::Float) ? 0 <=> py::compare(asPyInt(b), a.asFloat())
                                                  : py::compare(asPyInt(a), b.asFloat());
  return Value::boolean(compareBy(op, order));
}

/// Sequences: the first unequal pair decides. Absent: Python code is needed.
static Value compareItems(Engine &e, CompareOp op, llvm::ArrayRef<Value> a,
                          llvm::ArrayRef<Value> b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    std::optional<bool> same = nativeEqual(e, a[i], b[i]);
    if (!same)
      return Value();
    if (!*same)
      return constantCompare(e, op, e.known(a[i]), e.known(b[i]));
  }
  return Value::boolean(compareAs(op, a.size(), b.size()));
}

static Value compareSets(Engine &e, CompareOp op, const Value &a, const Value &b) {
  std::optional<std::vector<Value>> left = listElements(e, a), right = listElements(e, b);
  if (!left || !right)
    return e.refuse(DiagId::Unsupported, "a comparison of sets of run-time numbers");
  bool swap = op == CompareOp::Gt || op == CompareOp::Ge;
  const std::vector<Value> &small = swap ? *right : *left;
  size_t other = swap ? left->size() : right->size();
  PTC_LET(big, makeSet(e, swap ? *left : *right, true));
  bool strict = op == CompareOp::Lt || op == CompareOp::Gt;
  if (small.size() > other || (strict && small.size() == other))
    return Value::boolean(false);
  for (const Value &item : small) {
    PTC_GET(found, setContains(e, big, item));
    if (!found)
      return Value::boolean(false);
  }
  return Value::boolean(true);
}

static bool isSetLike(Engine &e, const Value &v) {
  return v.is(Kind::FrozenSet) || isRefTo(e, v, ObjectKind::Set) || isSetView(e, v);
}

Value capture::constantCompare(Engine &e, CompareOp op, const Value &givenA, const Value &givenB) {
  if (op == CompareOp::Eq || op == CompareOp::Ne) {
    std::optional<bool> same = nativeEqual(e, givenA, givenB);
    return same ? Value::boolean(*same == (op == CompareOp::Eq)) : Value();
  }
  if (isUserObject(e, givenA) || isUserObject(e, givenB))
    return Value();
  const Value &a = givenA, &b = givenB;
  if (isNumberConst(a) && isNumberConst(b))
    return compareNumbers(e, op, a, b);
  if (a.is(Kind::Scalar) || a.is(Kind::Size) || b.is(Kind::Scalar) || b.is(Kind::Size))
    return Value();
  if (a.is(Kind::Str) && b.is(Kind::Str))
    return Value::boolean(compareAs(op, a.asStr(), b.asStr()));
  if (a.is(Kind::Bytes) && b.is(Kind::Bytes))
    return Value::boolean(compareAs(op, a.asBytes(), b.asBytes()));
  if (a.is(Kind::Tuple) && b.is(Kind::Tuple))
    return compareItems(e, op, a.parts(), b.parts());
  if (isRefTo(e, a, ObjectKind::List) && isRefTo(e, b, ObjectKind::List)) {
    Value left = e.heap.get(a.asRef(), slot::kContent),
          right = e.heap.get(b.asRef(), slot::kContent);
    if (left.is(Kind::Tuple) && right.is(Kind::Tuple))
      return compareItems(e, op, left.parts(), right.parts());
    return Value();
  }
  if (isSetLike(e, a) && isSetLike(e, b)) // what dict.items() has may have no hash
    return isItemsView(e, a) || isItemsView(e, b) ? Value() : compareSets(e, op, a, b);
  return notOrdered(e, op, a, b);
}

/// A tensor is equal to nothing that its operators do not take.
static Value tensorComparison(Engine &e, CompareOp op, const Value &a, const Value &b) {
  if (a.is(Kind::Opaque) || b.is(Kind::Opaque))
    return e.refuseOpaque(a.is(Kind::Opaque) ? a : b);
  PTC_LET(result, e.tensorCompare(op, a, b));
  if (!result.is(Kind::NotImplemented))
    return result;
  if (op == CompareOp::Eq || op == CompareOp::Ne)
    return Value::boolean(op == CompareOp::Ne);
  PTC_LET(left, e.decide(a));
  PTC_LET(right, e.decide(b));
  return notOrdered(e, op, left, right);
}

static Value opaqueComparison(Engine &e, CompareOp op, const Value &a, const Value &b) {
  if (op != CompareOp::Eq && op != CompareOp::Ne)
    return e.refuseOpaque(a.is(Kind::Opaque) ? a : b);
  PTC_LET(equal, e.opaqueEquals(a, b));
  return op == CompareOp::Ne ? e.notValue(equal) : equal;
}

Value capture::nativeCompare(Engine &e, CompareOp op, const Value &a, const Value &b) {
  if (a.is(Kind::Tensor) || b.is(Kind::Tensor))
    return tensorComparison(e, op, a, b);
  if (isNumber(a) && isNumber(b) && (isRunTimeNumber(a) || isRunTimeNumber(b)))
    return e.numberCompare(op, a, b);
  if ((op == CompareOp::Eq || op == CompareOp::Ne) &&
      ((isRunTimeNumber(a) && b.is(Kind::Complex)) || (a.is(Kind::Complex) && isRunTimeNumber(b))))
    return e.refuse(DiagId::Unsupported, "comparing a complex number with one known at run time");
  if (a.is(Kind::Opaque) || b.is(Kind::Opaque))
    return opaqueComparison(e, op, a, b);
  if (a.is(Kind::Template) || b.is(Kind::Template)) {
    bool areTexts = a.kind() == b.kind() || a.is(Kind::Str) || b.is(Kind::Str);
    if (areTexts && (op == CompareOp::Eq || op == CompareOp::Ne)) {
      PTC_LET(equal, numbersAlike(e, a, b));
      if (!equal.isAbsent())
        return op == CompareOp::Eq ? equal : e.notValue(equal);
    }
    if (areTexts)
      return e.refuse(DiagId::RunTimeStringCompared);
    if (op == CompareOp::Eq || op == CompareOp::Ne)
      return Value::boolean(op == CompareOp::Ne);
  }
  return constantCompare(e, op, a, b);
}

/// `a op b` of truth values.
static Value joinedTruth(Engine &e, BinaryOp op, const Value &a, const Value &b) {
  for (const auto &[one, other] : {std::pair{a, b}, std::pair{b, a}})
    if (one.is(Kind::Bool))
      return one.asBool() == (op == BinaryOp::Or) ? one : other;
  return e.numberBinary(op, a, b);
}

/// Tuples of numbers of which the run knows some are compared without a branch; Absent: others.
static Value compareNumberTuples(Engine &e, CompareOp op, const Value &a, const Value &b) {
  auto isNumbers = [&](const Value &v) {
    return v.is(Kind::Tuple) && llvm::all_of(v.parts(), [&](const Value &part) {
             return isNumber(e.known(part)) && !e.known(part).is(Kind::Complex);
           });
  };
  if (!e.recording() || !isNumbers(a) || !isNumbers(b) ||
      llvm::none_of(llvm::concat<const Value>(a.parts(), b.parts()),
                    [&](const Value &part) { return isRunTimeNumber(e.known(part)); }))
    return Value();
  const bool asksEquality = op == CompareOp::Eq || op == CompareOp::Ne;
  const size_t lengths[] = {a.parts().size(), b.parts().size()};
  if (asksEquality && lengths[0] != lengths[1])
    return Value::boolean(op == CompareOp::Ne);
  const CompareOp strict =
      op == CompareOp::Lt || op == CompareOp::Le ? CompareOp::Lt : CompareOp::Gt;
  // What is so where all parts from one on are equal; the first that are not decide.
  Value rest = Value::boolean(asksEquality || compareAs(op, lengths[0], lengths[1]));
  for (size_t i = std::min(lengths[0], lengths[1]); i-- > 0;) {
    const Value x = e.known(a.parts()[i]), y = e.known(b.parts()[i]);
    PTC_LET(equal, e.numberOrConstantCompare(CompareOp::Eq, x, y));
    // A NaN is equal to itself where it is one object.
    PTC_LET(same, identicalItems(e, x, y));
    PTC_LET(alike, joinedTruth(e, BinaryOp::Or, equal, same));
    PTC_LET(goesOn, joinedTruth(e, BinaryOp::And, alike, rest));
    rest = goesOn;
    if (asksEquality)
      continue;
    PTC_LET(decides, e.numberOrConstantCompare(strict, x, y));
    PTC_LET(either, joinedTruth(e, BinaryOp::Or, decides, rest));
    rest = std::move(either);
  }
  return op == CompareOp::Ne ? e.notValue(rest) : rest;
}

Value capture::compareOperation(Engine &e, CompareOp op, Value givenA, Value givenB,
                                ReturnAction action) {
  const bool isAsked = isAskedInMode(e, givenA, givenB);
  if ((e.isTensorLike(givenA) || e.isTensorLike(givenB)) && !isUserObject(e, givenA) &&
      !isUserObject(e, givenB) && !isAsked)
    return tensorComparison(e, op, givenA, givenB);
  PTC_LET(a, e.decide(std::move(givenA)));
  PTC_LET(b, e.decide(std::move(givenB)));
  const bool asksOrder = op != CompareOp::Eq && op != CompareOp::Ne;
  if (asksOrder && (isGrownTuple(e, a) || isGrownTuple(e, b)))
    return e.refuse(DiagId::RunTimeListArgument);
  if (a.is(Kind::Slice) && b.is(Kind::Slice)) {
    // As tuples of their three members, as CPython does.
    a = Value::tuple(a.parts().vec());
    b = Value::tuple(b.parts().vec());
  }
  // A method of the program's is not asked before what is unknown has declined.
  bool user = isUserObject(e, a) || isUserObject(e, b) || isAsked;
  if (user && (a.is(Kind::Opaque) || b.is(Kind::Opaque))) {
    const Value &unknown = a.is(Kind::Opaque) ? a : b;
    // A module, a class or a function declines.
    if ((op == CompareOp::Eq || op == CompareOp::Ne) && Engine::existsAsName(unknown) &&
        e.sameObject(a, b) == false)
      return e.callPrelude(
          "_compare_with_name",
          {a.is(Kind::Opaque) ? b : a, unknown, Value::boolean(op == CompareOp::Eq)}, action);
    return e.refuseOpaque(unknown);
  }
  if (Value made =
          user ? Value()
               : tableOperation(e, ptc::getCompareOpSymbol(op), a, b, /*inPlace=*/false, action);
      !made.isAbsent())
    return made;
  if (Value made = user ? Value() : compareNumberTuples(e, op, a, b); !made.isAbsent())
    return made;
  if (!user) {
    PTC_DO(openContents(e, {a, b}));
    PTC_LET(result, nativeCompare(e, op, a, b));
    if (!result.isAbsent())
      return result;
    // Containers of objects: element by element in the prelude.
    return e.callPrelude("_compare_containers", {a, b, Value::str(ptc::getCompareOpSymbol(op))},
                         action);
  }
  const CompareNames &names = kCompare[size_t(op)];
  return e.callPrelude("_compare_op",
                       {a, b, Value::str(names.method), Value::str(names.swapped),
                        Value::str(ptc::getCompareOpSymbol(op))},
                       action);
}

// Unary
// ------------------------------------------------------------------------------------------------

Value capture::unaryOperation(Engine &e, llvm::StringRef method, const Value &given,
                              ReturnAction action) {
  PTC_LET(v, e.decide(given));
  if (isAskedInMode(e, v, v))
    return e.call(overriddenMember(e, e.intern(method)), {v}, action);
  if (isUserObject(e, v)) {
    Value f = e.lookupInClass(e.typeOf(v), e.intern(method));
    if (isPythonFunction(e, f))
      return e.call(f, {v}, action);
    v = e.unboxed(v);
  }
  char symbol = method == "__neg__" ? '-' : method == "__pos__" ? '+' : '~';
  if (v.is(Kind::Tensor) && symbol == '+') {
    if (asTensor(v).dtype == ptc::DType::Bool)
      return e.raise(WellKnown::RuntimeError,
                     "The `+` operator, on a bool tensor is not supported.");
    return v;
  }
  if (v.is(Kind::Tensor))
    return e.tensorUnary(method, v);
  if (v.is(Kind::Scalar) || v.is(Kind::Size)) {
    if (symbol == '-')
      return e.numberNegate(v);
    if (symbol == '+')
      return numberType(v) == NumberType::Bool ? e.numberCast(v, ScalarType::Int) : v;
    return e.numberBinary(BinaryOp::Sub, Value::integer(-1), v);
  }
  if (v.is(Kind::Opaque))
    return e.opaqueItem(v, v);
  if (isIntConst(v)) {
    py::PyInt i = asPyInt(v);
    return ofPyInt(symbol == '-' ? py::neg(i) : symbol == '~' ? py::invert(i) : i);
  }
  if (v.is(Kind::Float) && symbol != '~')
    return symbol == '-' ? Value::real(-v.asFloat()) : v;
  if (v.is(Kind::Complex) && symbol != '~')
    return symbol == '-' ? Value::complex(-v.asComplex()) : v;
  return e.raise(WellKnown::TypeError, llvm::Twine("bad operand type for unary ") +
                                           llvm::Twine(symbol) + ": '" + typeName(e, v) + "'");
}
