//===- Text.cpp - Truth, identity and texts of any value
//---------------------------------------===//
//
// In: values. Out: bool(), `is`, str(), repr() and format() natively where no Python code decides,
// as templates where a part is known at run time only, else through the prelude.
//
//===----------------------------------------------------------------------===//
#include "Template.h"

#include "ptc/Python/Format.h"
#include "ptc/Python/Str.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
using ptc::DiagId;

Value capture::truthOf(Engine &e, const Value &v, ReturnAction action) {
  if (!isUserObject(e, v))
    return e.truthValue(v);
  Value method = specialMethod(e, v, WellKnown::Bool);
  if (isPythonFunction(e, method))
    return e.call(method, {v}, ReturnAction::Bool);
  Value length = specialMethod(e, v, WellKnown::Len);
  if (isPythonFunction(e, length))
    return e.call(length, {v}, ReturnAction::LenBool);
  (void)action;
  Value content = e.unboxed(v);
  if (content == v && isRefTo(e, v, ObjectKind::Instance))
    return Value::boolean(true);
  return e.truthValue(content);
}

static Value sameAs(Engine &e, const Value &a, const Value &b) {
  if (a.kind() != b.kind())
    return Value::boolean(false);
  if (a.is(Kind::Float) || isComposite(a.kind()) || a.is(Kind::BigInt) || a.is(Kind::Complex))
    return Value::boolean(hasNode(a.kind()) ? a.node() == b.node() || a == b : a == b);
  (void)e;
  return Value::boolean(a == b);
}

Value capture::identical(Engine &e, const Value &givenA, const Value &givenB) {
  Value a = e.known(givenA), b = e.known(givenB);
  if (a.is(Kind::Choice) && b.is(Kind::Choice)) {
    PTC_LET(decided, e.decide(a));
    a = std::move(decided);
  }
  if (!a.is(Kind::Choice) && !b.is(Kind::Choice))
    return sameAs(e, a, b);
  const ChoiceNode &choice = asChoice(a.is(Kind::Choice) ? a : b);
  const Value &other = a.is(Kind::Choice) ? b : a;
  std::vector<Value> table;
  table.reserve(choice.alternatives.size());
  for (const Value &alternative : choice.alternatives)
    table.push_back(sameAs(e, alternative, other));
  return e.mapOf(choice.selector, table);
}

bool capture::needsPythonKey(Engine &e, const Value &given) {
  Value v = e.known(given);
  if (v.is(Kind::Tuple) || v.is(Kind::FrozenSet))
    return llvm::any_of(v.parts(), [&](const Value &part) { return needsPythonKey(e, part); });
  if (v.is(Kind::Choice))
    return true;
  return v.is(Kind::Ref) && isPythonFunction(e, specialMethod(e, v, WellKnown::Hash));
}

Value capture::toStr(Engine &e, const Value &given, ReturnAction action) {
  if (e.isTensorLike(given))
    return e.templateOf(given, 's', {});
  PTC_LET(v, e.decide(given));
  if (v.is(Kind::Str))
    return v;
  if (isRunTimeText(v))
    return e.templateOf(v, 's', {});
  if (v.is(Kind::Ref)) {
    Value method = specialMethod(e, v, WellKnown::Str);
    if (isPythonFunction(e, method))
      return e.callPrelude("_str", {v}, action);
  }
  if (std::optional<Value> text = nativeText(e, v, /*repr=*/false))
    return *text;
  if (e.pending.kind != Pending::Kind::None)
    return Value::fail();
  return e.callPrelude("_str", {v}, action);
}

Value capture::toRepr(Engine &e, const Value &given, ReturnAction action, bool ascii) {
  char conversion = ascii ? 'a' : 'r';
  if (e.isTensorLike(given))
    return e.templateOf(given, conversion, {});
  PTC_LET(v, e.decide(given));
  if (v.is(Kind::Str) && ascii)
    return ofStr(py::str::ascii(strRef(v)));
  if (isRunTimeText(v))
    return e.templateOf(v, conversion, {});
  if (std::optional<Value> text = nativeText(e, v, /*repr=*/true)) {
    if (!ascii || !text->is(Kind::Str))
      return *text;
    // Escapes stand for what is not ASCII in the texts of the parts.
    py::Result<std::string> escaped =
        py::str::encode(strRef(*text), py::StrRef("ascii"), py::StrRef("backslashreplace"));
    return escaped ? Value::str(*escaped) : raised(e, escaped.error());
  }
  if (e.pending.kind != Pending::Kind::None)
    return Value::fail();
  return e.callPrelude(ascii ? "_ascii" : "_repr", {v}, action);
}

/// Whether a spec fits depends on the type alone, but for "c".
static Value formatRunTime(Engine &e, const Value &v, llvm::StringRef spec) {
  if (spec.ends_with("c"))
    return e.refuse(DiagId::Unsupported, "the format spec 'c' for a number known at run time only");
  py::StrRef text{std::string_view(spec)};
  py::Result<py::Str> sample = py::Raised{py::ExcKind::TypeError, ""};
  switch (numberType(v)) {
  case NumberType::Bool:
    sample = py::formatBool(true, text);
    break;
  case NumberType::Int:
    sample = py::formatInt(py::PyInt(1), text);
    break;
  case NumberType::Float:
    sample = py::formatFloat(0.5, text);
    break;
  case NumberType::NotNumber:
    sample = py::formatStr(py::StrRef(), text);
    break;
  }
  return sample ? e.templateOf(v, 'f', spec) : raised(e, sample.error());
}

/// A tensor without dimensions is formatted as its number.
static Value formatTensor(Engine &e, const Value &given, llvm::StringRef spec) {
  PTC_LET(tensor, e.readable(given));
  const TensorNode &t =
      asTensor(tensor.is(Kind::Choice) ? asChoice(tensor).alternatives[0] : tensor);
  if (!t.sizes.empty() || t.isParameter) {
    if (spec.empty())
      return e.templateOf(tensor, 's', {});
    return e.raise(
        WellKnown::TypeError,
        "unsupported format string passed to " +
            llvm::Twine(
                typeName(e, tensor.is(Kind::Choice) ? asChoice(tensor).alternatives[0] : tensor)) +
            ".__format__");
  }
  PTC_LET(number, e.tensorItem(tensor));
  return formatRunTime(e, number, spec);
}

static Value formatConstant(Engine &e, const Value &object, const Value &spec) {
  Value v = e.unboxed(object);
  std::string type = typeName(e, object);
  py::Result<py::Str> text = py::Raised{py::ExcKind::TypeError, ""};
  if (isIntConst(v) && !v.is(Kind::Bool))
    text = py::formatInt(asPyInt(v), strRef(spec), type);
  else if (v.is(Kind::Bool))
    text = py::formatBool(v.asBool(), strRef(spec));
  else if (v.is(Kind::Float))
    text = py::formatFloat(v.asFloat(), strRef(spec), type);
  else if (v.is(Kind::Complex))
    text = py::formatComplex(v.asComplex(), strRef(spec), type);
  else if (v.is(Kind::Str))
    text = py::formatStr(strRef(v), strRef(spec), type);
  else
    return e.raise(WellKnown::TypeError,
                   "unsupported format string passed to " + typeName(e, object) + ".__format__");
  return text ? ofStr(*text) : raised(e, text.error());
}

Value capture::formatValue(Engine &e, const Value &given, const Value &givenSpec,
                           ReturnAction action) {
  PTC_LET(spec, e.decide(givenSpec));
  if (spec.is(Kind::Template))
    return e.refuse(DiagId::Unsupported, "a format spec that is known at run time only");
  if (!spec.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "format() argument 2 must be str, not " + typeName(e, spec));
  if (e.isTensorLike(given))
    return formatTensor(e, given, spec.asStr());
  PTC_LET(object, e.decide(given));
  if (isRunTimeText(object))
    return formatRunTime(e, object, spec.asStr());
  if (object.is(Kind::Ref) &&
      isPythonFunction(e, e.lookupInClass(e.typeOf(object), e.intern("__format__"))))
    return e.callPrelude("_format", {object, spec}, action);
  if (spec.asStr().empty())
    return toStr(e, object, action);
  return formatConstant(e, object, spec);
}

Value capture::percentFormat(Engine &e, const Value &format, const Value &values) {
  return e.callPrelude("_percent", {format, values});
}
