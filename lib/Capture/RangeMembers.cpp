//===- RangeMembers.cpp - What is in a range ------------------------------------------------===//
//
// In: a range, whose bounds may be known at run time only, and a value. Out: whether it is among
// the range's numbers, found by its bounds and its step.
//
//===----------------------------------------------------------------------===//
#include "RangeMembers.h"

#include "Positions.h"

#include "ptc/Python/Slice.h"

#include <cmath>

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
using ptc::DiagId;

static constexpr double kWholeBelow = 0x1p62;

Value capture::asWholeNumber(const Value &v) {
  if (!v.is(Kind::Float) || !(std::abs(v.asFloat()) < kWholeBelow) ||
      v.asFloat() != std::trunc(v.asFloat()))
    return v;
  return Value::integer(int64_t(v.asFloat()));
}

bool capture::equalsNoInteger(const Value &v) {
  if (v.is(Kind::Float))
    return v.asFloat() != std::trunc(v.asFloat()) || std::isinf(v.asFloat());
  return v.isNone() || v.is(Kind::Str) || v.is(Kind::Bytes) || v.is(Kind::Tuple);
}

bool capture::hasOwnEquality(Engine &e, const Value &v) {
  if (!isRefTo(e, v, ObjectKind::Instance))
    return false;
  const Value &equal = e.lookupInClass(e.heap.header(v.asRef()).cls, e.intern("__eq__"));
  bool isModels = isRefTo(e, equal, ObjectKind::Function) && functionOf(e, equal.asRef()).hidden;
  return !isModels && !equal.is(Kind::Builtin);
}

/// number in range(start, stop, step), whose step is a constant.
static Value inRange(Engine &e, const Value &range, const Value &number) {
  llvm::ArrayRef<Value> p = range.parts();
  PTC_LET(up, nativeCompare(e, CompareOp::Gt, p[2], Value::integer(0)));
  const Value &low = up.asBool() ? p[0] : p[1], &high = up.asBool() ? p[1] : p[0];
  PTC_LET(above, nativeCompare(e, up.asBool() ? CompareOp::Ge : CompareOp::Gt, number, low));
  PTC_LET(below, nativeCompare(e, up.asBool() ? CompareOp::Lt : CompareOp::Le, number, high));
  PTC_LET(offset, nativeBinary(e, BinaryOp::Sub, number, p[0], false));
  PTC_LET(rest, nativeBinary(e, BinaryOp::Mod, offset, p[2], false));
  PTC_LET(onStep, nativeCompare(e, CompareOp::Eq, rest, Value::integer(0)));
  PTC_LET(inside, nativeBinary(e, BinaryOp::And, above, below, false));
  return nativeBinary(e, BinaryOp::And, inside, onStep, false);
}

Value capture::rangeContains(Engine &e, const Value &range, const Value &item,
                             ReturnAction action) {
  std::optional<py::Range> bounds = rangeOf(range);
  if (!bounds && !range.parts()[2].isSmallInt())
    return e.refuse(DiagId::Unsupported, "membership in a range whose step the run decides");
  if (hasOwnEquality(e, item))
    return e.callPrelude("_contains_any", {range, item}, action);
  Value number = e.unboxed(item);
  if (number.is(Kind::Size) || (number.is(Kind::Scalar) && isRunTimeInt(e, number)))
    return inRange(e, range, number);
  if (number.is(Kind::Scalar))
    return e.refuse(DiagId::Unsupported, "membership in a range of a run-time float");
  number = asWholeNumber(number);
  if (isIntConst(number) && bounds)
    return Value::boolean(bounds->contains(asPyInt(number)));
  if (number.isSmallInt())
    return inRange(e, range, number);
  if (equalsNoInteger(number))
    return Value::boolean(false);
  return bounds
             ? e.callPrelude("_contains_any", {range, item}, action)
             : e.refuse(DiagId::Unsupported, "membership of this in a range with run-time bounds");
}
