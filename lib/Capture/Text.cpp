//===- Text.cpp - Truth, identity and texts of any value
//---------------------------------------===//
//
// In: values. Out: bool(), `is`, str(), repr() and format() natively where no Python code decides,
// as templates where a part is known at run time only, else through the prelude.
//
//===----------------------------------------------------------------------===//
#include "Objects.h"

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
  for (const Value &alternative : choice.alternatives)
    table.push_back(sameAs(e, alternative, other));
  return e.mapOf(choice.selector, table);
}

bool capture::needsPythonKey(Engine &e, const Value &given) {
  Value v = e.known(given);
  if (v.is(Kind::Tuple) || v.is(Kind::FrozenSet))
    return llvm::any_of(v.parts(), [&](const Value &part) { return needsPythonKey(e, part); });
  if (v.is(Kind::Choice) || v.is(Kind::Scalar) || v.is(Kind::Size))
    return true;
  return v.is(Kind::Ref) && isPythonFunction(e, specialMethod(e, v, WellKnown::Hash));
}

static bool isRunTime(const Value &v) {
  return v.is(Kind::Scalar) || v.is(Kind::Size) || v.is(Kind::Tensor) || v.is(Kind::Template);
}

Value capture::toStr(Engine &e, const Value &given, ReturnAction action) {
  PTC_LET(v, e.decide(given));
  if (v.is(Kind::Str))
    return v;
  if (isRunTime(v))
    return e.templateOf(v, 's', {});
  if (v.is(Kind::Ref)) {
    Value method = specialMethod(e, v, WellKnown::Str);
    if (isPythonFunction(e, method))
      return e.callPrelude("_str", {v}, action);
  }
  if (std::optional<std::string> text = nativeStr(e, v))
    return Value::str(*text);
  if (e.pending.kind != Pending::Kind::None)
    return Value::fail();
  return e.callPrelude("_str", {v}, action);
}

Value capture::toRepr(Engine &e, const Value &given, ReturnAction action, bool ascii) {
  PTC_LET(v, e.decide(given));
  if (v.is(Kind::Str) && ascii)
    return ofStr(py::str::ascii(strRef(v)));
  if (isRunTime(v))
    return e.templateOf(v, 'r', {});
  if (std::optional<std::string> text = nativeRepr(e, v))
    return Value::str(*text);
  if (e.pending.kind != Pending::Kind::None)
    return Value::fail();
  return e.callPrelude("_repr", {v}, action);
}

Value capture::formatValue(Engine &e, const Value &given, const Value &givenSpec,
                           ReturnAction action) {
  PTC_LET(object, e.decide(given));
  PTC_LET(spec, e.decide(givenSpec));
  if (!spec.is(Kind::Str))
    return e.raise(WellKnown::TypeError,
                   "format() argument 2 must be str, not " + typeName(e, spec));
  if (isRunTime(object))
    return e.templateOf(object, 'f', spec.asStr());
  if (object.is(Kind::Ref) &&
      isPythonFunction(e, e.lookupInClass(e.typeOf(object), e.intern("__format__"))))
    return e.callPrelude("_format", {object, spec}, action);
  if (spec.asStr().empty())
    return toStr(e, object, action);
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

Value capture::percentFormat(Engine &e, const Value &format, const Value &values) {
  return e.callPrelude("_percent", {format, values});
}

// Templates
// --------------------------------------------------------------------------------------------

/// A part of a template: (value, conversion, spec).
Value Engine::templateOf(const Value &v, char conversion, llvm::StringRef spec) {
  if (v.is(Kind::Template) && spec.empty() && conversion != 'r')
    return v;
  Value part = Value::tuple({v, Value::str(llvm::StringRef(&conversion, 1)), Value::str(spec)});
  return Value::composite(Kind::Template, {std::move(part)});
}

Value Engine::templateConcat(const Value &a, const Value &b) {
  std::vector<Value> parts;
  for (const Value *v : {&a, &b}) {
    if (v->is(Kind::Template))
      parts.insert(parts.end(), v->parts().begin(), v->parts().end());
    else if (!v->is(Kind::Str))
      return raise(WellKnown::TypeError,
                   "can only concatenate str (not \"" + typeName(*this, *v) + "\") to str");
    else if (!v->asStr().empty())
      parts.push_back(*v);
  }
  return Value::composite(Kind::Template, std::move(parts));
}

Value Engine::printParts(llvm::ArrayRef<Value> parts, bool toStderr) {
  bool constant = llvm::all_of(parts, [](const Value &v) { return v.is(Kind::Str); });
  if (constant && !recording()) {
    auto &sink = toStderr ? world->errorOutput : world->output;
    std::string text;
    for (const Value &part : parts)
      text += part.asStr();
    if (sink)
      sink(text);
    return Value::none();
  }
  return recordPrint(parts, toStderr);
}

Value Engine::recordPrint(llvm::ArrayRef<Value> parts, bool toStderr) {
  std::vector<TapeArg> args;
  for (const Value &part : parts) {
    llvm::ArrayRef<Value> pieces(part);
    if (part.is(Kind::Template))
      pieces = part.parts();
    for (const Value &piece : pieces) {
      if (piece.is(Kind::Str)) {
        args.push_back(TapeArg::str(piece.asStr()));
        continue;
      }
      const Value &v = piece.parts()[0];
      TapeArg value = v.is(Kind::Tensor) ? TapeArg::value(readTensor(v)) : operand(v);
      args.push_back(TapeArg::list(
          {value, TapeArg::str(piece.parts()[1].asStr()), TapeArg::str(piece.parts()[2].asStr())}));
    }
  }
  emitEffect(TapeOp::Print, std::move(args), {TapeArg::str(toStderr ? "stderr" : "stdout")});
  return Value::none();
}
