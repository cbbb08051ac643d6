//===- Text.cpp - Truth, identity and texts of any value
//---------------------------------------===//
//
// In: values. Out: bool(), `is`, str(), repr() and format() natively where no Python code decides,
// as templates where a part is known at run time only, else through the prelude.
//
//===----------------------------------------------------------------------===//
#include "CallCaches.h"
#include "Failures.h"
#include "NumberLists.h"
#include "Overrides.h"
#include "Template.h"

#include "ptc/Python/Format.h"
#include "ptc/Python/Str.h"

#include <cmath>

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
  (void)action;
  Value content = e.unboxed(v);
  Value length = specialMethod(e, v, WellKnown::Len);
  // A number has a truth of its own, whatever length a subclass gives it.
  if (isPythonFunction(e, length) && !isNumber(content) && !content.is(Kind::Complex))
    return e.call(length, {v}, ReturnAction::LenBool);
  if (content == v && isRefTo(e, v, ObjectKind::Instance))
    return Value::boolean(true);
  return e.truthValue(content);
}

namespace {
enum class Identity : uint8_t {
  Different,
  Same,
  IfEqual, ///< CPython has one object for each such value
  Unknown, ///< equal, and nothing says whether they are one object
  Perhaps, ///< as far as is known they may be equal, and one object
};
} // namespace

static bool isCachedInt(const Value &v) {
  return v.isSmallInt() && v.asInt() >= -5 && v.asInt() <= 256;
}

static bool isConstNumber(const Value &v) {
  return numberType(v) != NumberType::NotNumber && !v.is(Kind::Scalar) && !v.is(Kind::Size);
}

static bool isOneNode(const Value &a, const Value &b) {
  return a.kind() == b.kind() && hasNode(a.kind()) && a.node() == b.node();
}

static Identity identityOfNumbers(const Value &a, const Value &b) {
  bool constant = isConstNumber(a) && isConstNumber(b);
  if (constant && !(a == b))
    return Identity::Different;
  if (numberType(a) == NumberType::Bool || isCachedInt(a) || isCachedInt(b))
    return constant ? Identity::Same : Identity::IfEqual;
  return isOneNode(a, b) ? Identity::Same : Identity::Unknown;
}

/// Can the two have the same value, on some path?
static bool mayBeEqual(const Value &a, const Value &b, unsigned depth = 0) {
  constexpr unsigned kDeepest = 32;
  if (a == b || depth == kDeepest || a.is(Kind::Choice) || b.is(Kind::Choice))
    return true;
  if (isConstNumber(a) && isConstNumber(b))
    return false;
  if (numberType(a) != NumberType::NotNumber && numberType(b) != NumberType::NotNumber)
    return true;
  if (a.kind() != b.kind())
    return false;
  if (!isComposite(a.kind()))
    return a.is(Kind::Tensor) || a.is(Kind::Template);
  return a.partCount() == b.partCount() &&
         llvm::all_of(llvm::zip_equal(a.parts(), b.parts()), [&](const auto &both) {
           return mayBeEqual(std::get<0>(both), std::get<1>(both), depth + 1);
         });
}

/// A join makes an object anew of the parts of its sides', so only values that differ are different
/// objects for sure.
static Identity identityOfComposites(const Value &a, const Value &b) {
  if (isOneNode(a, b) || (a.is(Kind::Tuple) && a.parts().empty() && b.parts().empty()))
    return Identity::Same;
  if (!mayBeEqual(a, b))
    return Identity::Different;
  return a == b ? Identity::Unknown : Identity::Perhaps;
}

static Identity identityOf(Engine &e, const Value &a, const Value &b) {
  NumberType number = numberType(a);
  if (number != NumberType::NotNumber)
    return number == numberType(b) ? identityOfNumbers(a, b) : Identity::Different;
  if (a.kind() != b.kind())
    return Identity::Different;
  noteDistinct(e, a, b);
  if (a.is(Kind::Tensor)) {
    // Views of one storage are different objects even if they show the same elements.
    if (asTensor(a).storage != asTensor(b).storage) {
      // What went into a list of the run comes out as a copy: that may be the same object.
      if (e.isFrozen(asTensor(a).storage) && e.isFrozen(asTensor(b).storage))
        return Identity::Unknown;
      e.guardDistinct(a, b);
      e.noteIdentityShown(a);
      e.noteIdentityShown(b);
      return Identity::Different;
    }
    std::optional<bool> same = e.sameObject(asTensor(a).made, asTensor(b).made);
    return !same ? Identity::Unknown : *same ? Identity::Same : Identity::Different;
  }
  if (!(a == b) && mayBeOneElement(e, a, b))
    return Identity::Unknown;
  // Each obj.__dict__ makes a dict; all that show one object are one to the program.
  if (isRefTo(e, a, ObjectKind::Dict) && isRefTo(e, b, ObjectKind::Dict) && !(a == b)) {
    Value shownA = e.known(e.heap.get(a.asRef(), slot::kOwner));
    Value shownB = e.known(e.heap.get(b.asRef(), slot::kOwner));
    if (shownA.is(Kind::Choice) || shownB.is(Kind::Choice))
      return Identity::Unknown;
    return shownA.is(Kind::Ref) && shownA == shownB ? Identity::Same : Identity::Different;
  }
  if (isComposite(a.kind()))
    return identityOfComposites(a, b);
  return a == b ? Identity::Same : Identity::Different;
}

bool capture::areOneItem(const Value &a, const Value &b) {
  if (isOneNode(a, b))
    return true;
  // Each NaN that a program makes has bits of its own; a run-time float says nothing about them.
  bool mayDiffer = numberType(a) == NumberType::Float && !a.is(Kind::Float);
  mayDiffer |= a.is(Kind::Opaque) || b.is(Kind::Opaque);
  return !mayDiffer && !isComposite(a.kind()) && a == b;
}

static bool areTuplesAlike(const Value &a, const Value &b) {
  return a.is(Kind::Tuple) && b.is(Kind::Tuple) && a.parts().size() == b.parts().size();
}

static bool equalityTellsOfItems(Engine &e, const Value &a, const Value &b) {
  if (numberType(a) == NumberType::NotNumber && numberType(b) == NumberType::NotNumber)
    return false;
  if (numberType(a) != numberType(b) || numberType(a) != NumberType::Float)
    return true;
  auto isNumber = [](const Value &v) { return v.is(Kind::Float) && !std::isnan(v.asFloat()); };
  if (isNumber(a) || isNumber(b))
    return true;
  if (!a.is(Kind::Scalar) || !b.is(Kind::Scalar))
    return false;
  llvm::ArrayRef<ValueId> makersOfA = e.tape.type(a.scalarId()).makers,
                          makersOfB = e.tape.type(b.scalarId()).makers;
  return !makersOfA.empty() && !makersOfB.empty() &&
         llvm::none_of(makersOfA, [&](ValueId m) { return llvm::is_contained(makersOfB, m); });
}

bool capture::equalityTells(Engine &e, const Value &a, const Value &b) {
  if (!areTuplesAlike(a, b))
    return equalityTellsOfItems(e, a, b);
  llvm::SmallVector<std::pair<Value, Value>, 4> open{{a, b}};
  while (!open.empty()) {
    auto [left, right] = open.pop_back_val();
    for (const auto &[x, y] : llvm::zip_equal(left.parts(), right.parts())) {
      if (areOneItem(x, y))
        continue;
      if (areTuplesAlike(x, y))
        open.emplace_back(x, y);
      else if (!equalityTellsOfItems(e, x, y))
        return false;
    }
  }
  return true;
}

/// `a is b` of two items that may be one object: the same as `a == b` unless both are NaN. Then the
/// call ends.
static Value nanItems(Engine &e, const Value &a, const Value &b) {
  std::string what = "a comparison of items that may be one object of type '" + typeName(e, a) +
                     "' that holds NaN";
  ptc::Diagnostic refusal = ptc::makeDiagnostic(DiagId::Unsupported, e.here(), what);
  for (const Value &v : {a, b}) {
    if (numberType(v) != NumberType::Float)
      return e.refuse(std::move(refusal));
    PTC_LET(isNaN, e.numberOrConstantCompare(CompareOp::Ne, v, v));
    PTC_GET(none, e.truth(isNaN));
    if (!none)
      return Value::boolean(false);
  }
  return endUncomputed(e, what, std::move(refusal));
}

static Value sameAs(Engine &e, const Value &a, const Value &b, bool asItems) {
  Identity identity = identityOf(e, a, b);
  if (asItems &&
      (identity == Identity::Perhaps || (identity == Identity::Unknown && equalityTells(e, a, b))))
    return Value::boolean(false);
  if (identity == Identity::Unknown && asItems)
    return nanItems(e, a, b);
  if (identity == Identity::Unknown || identity == Identity::Perhaps)
    return e.refuse(DiagId::Unsupported, "'is' between equal objects of type '" + typeName(e, a) +
                                             "', which may or may not be one object,");
  if (identity != Identity::IfEqual)
    return Value::boolean(identity == Identity::Same);
  if (numberType(a) != NumberType::Bool)
    return e.numberOrConstantCompare(CompareOp::Eq, a, b);
  if (a.is(Kind::Bool))
    return a.asBool() ? b : e.notValue(b);
  if (b.is(Kind::Bool))
    return b.asBool() ? a : e.notValue(a);
  return e.numberOrConstantCompare(CompareOp::Eq, e.numberCast(a, ScalarType::Int),
                                   e.numberCast(b, ScalarType::Int));
}

static Value identicalAs(Engine &e, const Value &givenA, const Value &givenB, bool asItems) {
  Value a = e.known(givenA), b = e.known(givenB);
  if (a.is(Kind::Choice) && b.is(Kind::Choice)) {
    PTC_LET(decided, e.decide(a));
    a = std::move(decided);
  }
  if (mayBeOpaque(a) || mayBeOpaque(b)) {
    PTC_LET(x, e.decide(a));
    PTC_LET(y, e.decide(b));
    return x.is(Kind::Opaque) || y.is(Kind::Opaque) ? e.opaqueEquals(x, y)
                                                    : sameAs(e, x, y, asItems);
  }
  if (!a.is(Kind::Choice) && !b.is(Kind::Choice))
    return sameAs(e, a, b, asItems);
  const ChoiceNode &choice = asChoice(a.is(Kind::Choice) ? a : b);
  const Value &other = a.is(Kind::Choice) ? b : a;
  std::vector<Value> table;
  table.reserve(choice.alternatives.size());
  for (const Value &alternative : choice.alternatives) {
    Identity identity = identityOf(e, alternative, other);
    if (alternative.is(Kind::Choice) || identity == Identity::IfEqual ||
        identity == Identity::Unknown || identity == Identity::Perhaps) {
      PTC_LET(x, e.decide(a));
      PTC_LET(y, e.decide(b));
      return sameAs(e, x, y, asItems);
    }
    table.push_back(Value::boolean(identity == Identity::Same));
  }
  return e.mapOf(choice.selector, table);
}

Value capture::identical(Engine &e, const Value &a, const Value &b) {
  return identicalAs(e, a, b, /*asItems=*/false);
}

Value capture::identicalItems(Engine &e, const Value &a, const Value &b) {
  return identicalAs(e, a, b, /*asItems=*/true);
}

bool capture::needsPythonKey(Engine &e, const Value &given) {
  llvm::SmallVector<Value, 4> open{e.known(given)};
  while (!open.empty()) {
    Value v = open.pop_back_val();
    if (v.is(Kind::Choice) ||
        (v.is(Kind::Ref) && isPythonFunction(e, specialMethod(e, v, WellKnown::Hash))))
      return true;
    if (v.is(Kind::Tuple) || v.is(Kind::FrozenSet))
      for (const Value &part : v.parts())
        open.push_back(e.known(part));
  }
  return false;
}

bool capture::overridesBuiltin(Engine &e, const Value &v, WellKnown method) {
  const ObjectId cls = e.typeOf(v);
  const Value &found = e.lookupInClass(cls, NameId(method));
  if (!found.is(Kind::Builtin))
    return !found.isAbsent();
  const std::vector<ObjectId> &mro = e.classInfo(cls).mro;
  const auto base = llvm::find_if(mro, [&](ObjectId id) { return id <= e.world->classes.back(); });
  return base != mro.end() && found != e.lookupInClass(*base, NameId(method));
}

Value capture::toStr(Engine &e, const Value &given, ReturnAction action) {
  if (e.isTensorLike(given)) {
    PTC_DO(checkNoFunctionMode(e, "the text of tensors"));
    return e.templateOf(given, 's', {});
  }
  PTC_LET(v, e.decide(given));
  if (v.is(Kind::Str))
    return v;
  if (isRunTimeText(v))
    return e.templateOf(v, 's', {});
  if (v.is(Kind::Ref) && overridesBuiltin(e, v, WellKnown::Str))
    return e.callPrelude("_str", {v}, action);
  if (isNumberList(e, v))
    return e.callPrelude("_text_apart", {v}, action);
  if (std::optional<Value> text = nativeText(e, v, /*repr=*/false))
    return *text;
  if (e.pending.kind != Pending::Kind::None)
    return Value::fail();
  return e.callPrelude("_str", {v}, action);
}

Value capture::toRepr(Engine &e, const Value &given, ReturnAction action, bool ascii) {
  char conversion = ascii ? 'a' : 'r';
  if (e.isTensorLike(given)) {
    PTC_DO(checkNoFunctionMode(e, "the text of tensors"));
    return e.templateOf(given, conversion, {});
  }
  PTC_LET(v, e.decide(given));
  if (v.is(Kind::Str) && ascii)
    return ofStr(py::str::ascii(strRef(v)));
  if (isRunTimeText(v))
    return e.templateOf(v, conversion, {});
  if (isNumberList(e, v))
    return e.callPrelude("_text_apart", {v}, action);
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
  const TensorNode &t = anyTensor(tensor);
  if (!t.sizes.empty() || t.isParameter) {
    if (spec.empty())
      return e.templateOf(tensor, 's', {});
    return e.raise(WellKnown::TypeError,
                   "unsupported format string passed to " +
                       llvm::Twine(typeName(e, alternativesOf(tensor).front())) + ".__format__");
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
  PTC_DO(e.isTensorLike(given) ? checkNoFunctionMode(e, "the text of tensors") : Flow::Next);
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
