//===- Arithmetic.cpp - Binary operators on constants and builtin containers -------===//
//
// In: two decided values that need no Python code. Out: the result, CPython's exception, or
// Absent where the types do not support the operator.
//
//===----------------------------------------------------------------------===//
#include "Positions.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Complex.h"
#include "ptc/Python/Str.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

py::PyInt capture::asPyInt(const Value &v) {
  return v.is(Kind::BigInt) ? v.asBigInt() : py::PyInt(v.asInt());
}

Value capture::ofPyInt(const py::PyInt &i) { return Value::bigInt(i); }

py::StrRef capture::strRef(const Value &v) {
  const StrNode &node = v.nodeAs<StrNode>(Kind::Str);
  if (node.length < 0)
    node.length = int64_t(py::countCodePoints(node.text()));
  return py::StrRef(std::string_view(node.text()), size_t(node.length));
}

FailAny capture::unsupportedOperands(Engine &e, BinaryOp op, const Value &a, const Value &b,
                                     bool inPlace) {
  llvm::StringRef shown =
      op == BinaryOp::Pow && !inPlace ? "** or pow()" : ptc::getBinaryOpSymbol(op, inPlace);
  return e.raise(WellKnown::TypeError, llvm::Twine("unsupported operand type(s) for ") + shown +
                                           ": '" + typeName(e, a) + "' and '" + typeName(e, b) +
                                           "'");
}

template <typename T> static Value ofResult(Engine &e, py::Result<T> r) {
  if (!r)
    return raised(e, r.error());
  if constexpr (std::is_same_v<T, py::PyInt>)
    return ofPyInt(*r);
  else if constexpr (std::is_same_v<T, double>)
    return Value::real(*r);
  else if constexpr (std::is_same_v<T, py::Complex>)
    return Value::complex(*r);
  else if constexpr (std::is_same_v<T, py::FloatOrComplex>)
    return std::holds_alternative<double>(*r) ? Value::real(std::get<double>(*r))
                                              : Value::complex(std::get<py::Complex>(*r));
  else if constexpr (std::is_same_v<T, py::IntOrFloat>)
    return std::holds_alternative<double>(*r) ? Value::real(std::get<double>(*r))
                                              : ofPyInt(std::get<py::PyInt>(*r));
  else if constexpr (std::is_same_v<T, py::Str>)
    return ofStr(*r);
  else
    return Value::bytes(*r);
}

// Numbers
// ----------------------------------------------------------------------------------------------

static Value smallInts(BinaryOp op, int64_t a, int64_t b) {
  int64_t r;
  switch (op) {
  case BinaryOp::Add:
    return __builtin_add_overflow(a, b, &r) ? Value() : Value::integer(r);
  case BinaryOp::Sub:
    return __builtin_sub_overflow(a, b, &r) ? Value() : Value::integer(r);
  case BinaryOp::Mul:
    return __builtin_mul_overflow(a, b, &r) ? Value() : Value::integer(r);
  default:
    return Value();
  }
}

static Value intBinary(Engine &e, BinaryOp op, const Value &a, const Value &b) {
  if (a.isSmallInt() && b.isSmallInt()) {
    Value fast = smallInts(op, a.asInt(), b.asInt());
    if (!fast.isAbsent())
      return fast;
  }
  py::PyInt x = asPyInt(a), y = asPyInt(b);
  bool bools = a.is(Kind::Bool) && b.is(Kind::Bool);
  auto logical = [&](const py::PyInt &r) {
    return bools ? Value::boolean(!r.isZero()) : ofPyInt(r);
  };
  switch (op) {
  case BinaryOp::Add:
    return ofPyInt(py::add(x, y));
  case BinaryOp::Sub:
    return ofPyInt(py::sub(x, y));
  case BinaryOp::Mul:
    return ofResult(e, py::mul(x, y));
  case BinaryOp::FloorDiv:
    return ofResult(e, py::floorDiv(x, y));
  case BinaryOp::Mod:
    return ofResult(e, py::mod(x, y));
  case BinaryOp::TrueDiv:
    return ofResult(e, py::trueDiv(x, y));
  case BinaryOp::Pow:
    return ofResult(e, py::pow(x, y));
  case BinaryOp::LShift:
    return ofResult(e, py::shiftLeft(x, y));
  case BinaryOp::RShift:
    return ofResult(e, py::shiftRight(x, y));
  case BinaryOp::And:
    return logical(py::bitAnd(x, y));
  case BinaryOp::Or:
    return logical(py::bitOr(x, y));
  case BinaryOp::Xor:
    return logical(py::bitXor(x, y));
  case BinaryOp::MatMul:
    return Value();
  }
  llvm_unreachable("closed enum");
}

std::optional<double> capture::toFloat(Engine &e, const Value &v) {
  if (v.is(Kind::Float))
    return v.asFloat();
  if (v.isSmallInt())
    return double(v.asInt());
  py::Result<double> r = py::toDouble(asPyInt(v));
  if (!r)
    return (void)raised(e, r.error()), std::nullopt;
  return *r;
}

static Value floatBinary(Engine &e, BinaryOp op, double x, double y) {
  switch (op) {
  case BinaryOp::Add:
    return Value::real(x + y);
  case BinaryOp::Sub:
    return Value::real(x - y);
  case BinaryOp::Mul:
    return Value::real(x * y);
  case BinaryOp::TrueDiv:
    return ofResult(e, py::divFloat(x, y));
  case BinaryOp::FloorDiv:
    return ofResult(e, py::floorDivFloat(x, y));
  case BinaryOp::Mod:
    return ofResult(e, py::modFloat(x, y));
  case BinaryOp::Pow:
    return ofResult(e, py::powFloat(x, y));
  default:
    return Value();
  }
}

static Value complexBinary(Engine &e, BinaryOp op, py::Complex x, py::Complex y) {
  switch (op) {
  case BinaryOp::Add:
    return Value::complex(x + y);
  case BinaryOp::Sub:
    return Value::complex(x - y);
  case BinaryOp::Mul:
    return Value::complex(py::mulComplex(x, y));
  case BinaryOp::TrueDiv:
    return ofResult(e, py::divComplex(x, y));
  case BinaryOp::Pow:
    return ofResult(e, py::powComplex(x, y));
  default:
    return Value();
  }
}

static Value numbers(Engine &e, BinaryOp op, const Value &a, const Value &b) {
  if (isIntConst(a) && isIntConst(b))
    return intBinary(e, op, a, b);
  if (a.is(Kind::Complex) || b.is(Kind::Complex)) {
    auto part = [&](const Value &v) -> std::optional<py::Complex> {
      if (v.is(Kind::Complex))
        return v.asComplex();
      return toFloat(e, v);
    };
    PTC_GET(x, part(a));
    PTC_GET(y, part(b));
    return complexBinary(e, op, x, y);
  }
  PTC_GET(x, toFloat(e, a));
  PTC_GET(y, toFloat(e, b));
  return floatBinary(e, op, x, y);
}

// Sequences
// --------------------------------------------------------------------------------------------

static std::vector<Value> joined(llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b) {
  std::vector<Value> items(a);
  items.insert(items.end(), b.begin(), b.end());
  return items;
}

static std::optional<std::vector<Value>> repeated(Engine &e, llvm::ArrayRef<Value> items,
                                                  const Value &count) {
  std::optional<int64_t> given = asPyInt(count).asInt64();
  if (!given)
    return e.raise(WellKnown::OverflowError, "cannot fit 'int' into an index-sized integer");
  int64_t n = std::max<int64_t>(0, *given);
  if (!items.empty() && n > 1)
    PTC_DO(checkItemCount(e, *py::mul(py::PyInt(n), py::PyInt(int64_t(items.size())))));
  std::vector<Value> result;
  result.reserve(items.size() * size_t(n));
  for (int64_t i = 0; i < n; ++i)
    result.insert(result.end(), items.begin(), items.end());
  return result;
}

static bool isList(Engine &e, const Value &v) { return isRefTo(e, v, ObjectKind::List); }

/// Tuples made with a torch.Size are torch.Sizes.
static uint8_t sizeTag(const Value &a, const Value &b) {
  constexpr auto kSize = uint8_t(TupleTag::TorchSize);
  return a.sub() == kSize || b.sub() == kSize ? kSize : uint8_t(TupleTag::Plain);
}

static Value repeatSequence(Engine &e, const Value &s, const Value &n, bool inPlace) {
  if (s.is(Kind::Str))
    return ofResult(e, py::str::repeat(strRef(s), asPyInt(n)));
  if (s.is(Kind::Bytes))
    return ofResult(e, py::bytes::repeat(s.asBytes(), asPyInt(n)));
  if (s.is(Kind::Tuple)) {
    PTC_GET(items, repeated(e, s.parts(), n));
    return Value::tuple(std::move(items)).withSub(sizeTag(s, s));
  }
  if (!isList(e, s))
    return Value();
  Value content = e.heap.get(s.asRef(), slot::kContent);
  PTC_GET(items, repeated(e, content.parts(), n));
  if (!inPlace)
    return e.makeList(std::move(items));
  e.heap.set(s.asRef(), slot::kContent, Value::tuple(std::move(items)));
  return s;
}

static Value concatenate(Engine &e, const Value &a, const Value &b, bool inPlace) {
  if (a.is(Kind::Str) && b.is(Kind::Str)) {
    (void)strRef(a), (void)strRef(b); // count them, so that nobody counts the sum
    return Value::concat(a, b);
  }
  if (a.is(Kind::Bytes) && b.is(Kind::Bytes))
    return Value::bytes((a.asBytes() + b.asBytes()).str());
  if (a.is(Kind::Tuple) && b.is(Kind::Tuple))
    return Value::tuple(joined(a.parts(), b.parts())).withSub(sizeTag(a, b));
  if (isList(e, a) && inPlace) {
    if (std::optional<std::vector<Value>> items = collectedElements(e, b)) {
      PTC_DO(extendList(e, a, *items));
      return a;
    }
    return Value();
  }
  if (isList(e, a) && isList(e, b))
    return e.makeList(joined(listItems(e, a), listItems(e, b)));
  if (a.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "can only concatenate str (not \"" + typeName(e, b) + "\") to str");
  if (a.is(Kind::Bytes))
    return e.raise(WellKnown::TypeError, "can't concat " + typeName(e, b) + " to bytes");
  if (a.is(Kind::Tuple))
    return e.raise(WellKnown::TypeError,
                   "can only concatenate tuple (not \"" + typeName(e, b) + "\") to tuple");
  if (isList(e, a))
    return e.raise(WellKnown::TypeError,
                   "can only concatenate list (not \"" + typeName(e, b) + "\") to list");
  return Value();
}

static bool isSequence(Engine &e, const Value &v) {
  return v.is(Kind::Str) || v.is(Kind::Bytes) || v.is(Kind::Tuple) || isList(e, v);
}

Value capture::constantBinary(Engine &e, BinaryOp op, const Value &a, const Value &b,
                              bool inPlace) {
  if (isNumberConst(a) && isNumberConst(b))
    return numbers(e, op, a, b);
  if (op == BinaryOp::Add && (isSequence(e, a)))
    return concatenate(e, a, b, inPlace);
  if (op == BinaryOp::Mul) {
    if (isSequence(e, a)) {
      if (isIntConst(b))
        return repeatSequence(e, a, b, inPlace);
      return e.raise(WellKnown::TypeError,
                     "can't multiply sequence by non-int of type '" + typeName(e, b) + "'");
    }
    if (isSequence(e, b)) {
      if (isIntConst(a))
        return repeatSequence(e, b, a, false);
      return e.raise(WellKnown::TypeError,
                     "can't multiply sequence by non-int of type '" + typeName(e, a) + "'");
    }
  }
  if (op == BinaryOp::Mod && (a.is(Kind::Str) || a.is(Kind::Bytes)))
    return percentFormat(e, a, b);
  if (op == BinaryOp::Or && isRefTo(e, a, ObjectKind::Dict) && isRefTo(e, b, ObjectKind::Dict))
    return mergesAsDict(e, a) && mergesAsDict(e, b)
               ? mergeDicts(e, a, b, inPlace)
               : e.callPrelude("_dict_or", {a, b, Value::boolean(inPlace)});
  if (op == BinaryOp::Or || op == BinaryOp::And || op == BinaryOp::Sub || op == BinaryOp::Xor)
    return setBinary(e, op, a, b, inPlace);
  return Value();
}
