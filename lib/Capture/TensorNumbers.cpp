//===- TensorNumbers.cpp - Numbers of the run that become elements ---------------------------===//
//
// In: numbers that an operation converts to the type of its elements. Out: eager's exception where
// the type has no such value.
//
//===----------------------------------------------------------------------===//
#include "Failures.h"
#include "Objects.h"
#include "Tensors.h"

#include "ptc/Dialect/Aten/IR/Promote.h"

using namespace ptc;
using namespace ptc::capture;

static Value either(Engine &e, const Value &a, const Value &b) {
  if (a.isFail() || b.isFail())
    return Value::fail();
  return nativeBinary(e, BinaryOp::Or, a, b, false);
}

/// Whether elements of type `from` have values of `to`, all of them.
static bool contains(DType to, DType from) {
  if (!isFloat(from) || !isFloat(to))
    return false;
  return aten::convertibleRange(from, true).second <= aten::convertibleRange(to, true).second;
}

/// Whether an int has no value of `dtype`.
static Value isBeyondInt(Engine &e, const Value &number, DType dtype) {
  auto [least, greatest] = aten::convertibleRange(dtype, /*isFromFloat=*/false);
  return either(e,
                e.numberOrConstantCompare(CompareOp::Gt, number, Value::integer(int64_t(greatest))),
                e.numberOrConstantCompare(CompareOp::Lt, number, Value::integer(int64_t(least))));
}

/// Whether a float has no value of `dtype`: floats have infinities and NaN, integers have not.
static Value isBeyondFloat(Engine &e, const Value &number, DType dtype) {
  auto [least, greatest] = aten::convertibleRange(dtype, /*isFromFloat=*/true);
  PTC_LET(outside, either(e, e.numberCompare(CompareOp::Gt, number, Value::real(greatest)),
                          e.numberCompare(CompareOp::Lt, number, Value::real(least))));
  PTC_LET(difference, e.numberBinary(BinaryOp::Sub, number, number));
  if (!isInteger(dtype)) {
    PTC_LET(isFinite, e.numberCompare(CompareOp::Eq, difference, Value::real(0)));
    return nativeBinary(e, BinaryOp::And, outside, isFinite, false);
  }
  return either(e, outside, e.numberCompare(CompareOp::Ne, difference, Value::real(0)));
}

/// Integers have no negative integer powers.
static Flow checkExponent(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound) {
  if (op.id != aten::OpId::pow_Tensor_Scalar || !isInteger(bound[0].tensor()->dtype))
    return Flow::Next;
  const auto *exponent = bound[1].getIf<aten::ArgValue::Int>();
  if (!exponent || exponent->value.isConstant())
    return Flow::Next;
  Value number = Value::size(exponent->value);
  return failIf(e, e.numberOrConstantCompare(CompareOp::Lt, number, Value::integer(0)),
                WellKnown::RuntimeError, "Integers to negative integer powers are not allowed.");
}

Flow capture::checkNumbers(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                           const aten::MetaResult &meta, const TensorCall &call) {
  PTC_DO(checkExponent(e, op, bound));
  for (const aten::OpenNumber &open : meta.openNumbers) {
    Value number = call.numberOf(open.number);
    bool isInt = open.number.is<aten::ArgValue::Int>();
    if (!isInt)
      if (auto item = e.itemTypes.find(number.scalarId());
          item != e.itemTypes.end() && contains(open.dtype, item->second))
        continue;
    Value beyond =
        isInt ? isBeyondInt(e, number, open.dtype) : isBeyondFloat(e, number, open.dtype);
    PTC_DO(failIf(e, beyond, WellKnown::RuntimeError, aten::conversionText(open.dtype)));
  }
  return Flow::Next;
}
