//===- FormatNatives.cpp - str.format and % for the prelude ---------------------------------===//
//
// Templates become tuples that the prelude walks, because fields may call Python code.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Template.h"

#include "ptc/Python/Bytes.h"

#include "ptc/Python/Format.h"
#include "ptc/Python/Str.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;
namespace py = ptc::py;
using ptc::DiagId;

static Value errorRow(const std::optional<py::Raised> &error) {
  if (!error)
    return Value::none();
  return Value::tuple({Value::str(py::getExcName(error->kind)), Value::str(error->text)});
}

static Value pointText(char32_t point) {
  if (!point)
    return Value::none();
  std::string text;
  py::appendCodePoint(text, point);
  return Value::str(text);
}

static Value keyOf(const std::variant<int64_t, py::Str> &key) {
  if (const auto *n = std::get_if<int64_t>(&key))
    return Value::integer(*n);
  return ofStr(std::get<py::Str>(key));
}

static Value templateRows(const py::FormatTemplate &t);

/// (first, accesses, access error, conversion, conversion error, spec template)
static Value fieldRow(const py::FormatField &field) {
  std::vector<Value> accesses;
  accesses.reserve(field.accesses.size());
  for (const py::FormatAccess &a : field.accesses)
    accesses.push_back(Value::tuple({Value::boolean(a.isAttribute), keyOf(a.key)}));
  return Value::tuple({keyOf(field.first), Value::tuple(std::move(accesses)),
                       errorRow(field.accessError), pointText(field.conversion),
                       errorRow(field.conversionError), templateRows(field.spec)});
}

/// ((literal, field or None)…, error)
static Value templateRows(const py::FormatTemplate &t) {
  std::vector<Value> parts;
  parts.reserve(t.parts.size());
  for (const py::FormatPart &part : t.parts)
    parts.push_back(
        Value::tuple({ofStr(part.literal), part.field ? fieldRow(*part.field) : Value::none()}));
  return Value::tuple({Value::tuple(std::move(parts)), errorRow(t.error)});
}

/// The string that says how to format.
static Value formatText(Engine &e, CallArgs &args) {
  PTC_LET(text, plainArg(e, args, 0));
  if (text.is(Kind::Template))
    return e.refuse(DiagId::Unsupported, "formatting by a string known at run time only");
  return text;
}

Value builtins::ptcFormatParse(Engine &e, CallArgs &args) {
  PTC_LET(text, formatText(e, args));
  return templateRows(py::parseFormat(strRef(text)));
}

Value builtins::ptcFormatIndexError(Engine &e, CallArgs &args) {
  return raised(e, py::formatIndexError(arg(args, 0).asInt()));
}

/// For each argument that % takes, in order: its conversion, or "*".
Value builtins::ptcPercentConversions(Engine &e, CallArgs &args) {
  PTC_LET(text, formatText(e, args));
  bool isBytes = text.is(Kind::Bytes);
  py::PercentTemplate t =
      isBytes ? py::parsePercentBytes(text.asBytes()) : py::parsePercent(strRef(text));
  std::vector<Value> rows;
  for (const py::PercentPart &part : t.parts) {
    if (!part.spec)
      continue;
    if (part.spec->width.kind == py::PercentSize::Kind::Argument)
      rows.push_back(Value::tuple({Value::str("*"), Value::none()}));
    if (part.spec->precision.kind == py::PercentSize::Kind::Argument)
      rows.push_back(Value::tuple({Value::str("*"), Value::none()}));
    rows.push_back(Value::tuple({pointText(part.spec->conversion),
                                 part.spec->key ? ofStr(*part.spec->key) : Value::none()}));
  }
  return Value::tuple(std::move(rows));
}

namespace {
/// An argument of %, decided: its text for %s, %r and %a, else None and its value, which `plain`
/// is without the class derived from its own.
struct PercentArg {
  Value text, value, plain;
};

/// Formats with the arguments at hand, by position.
class Percent {
public:
  Percent(Engine &e, llvm::ArrayRef<PercentArg> given, bool isBytes)
      : e(e), given(given), isBytes(isBytes) {}

  Value run(const py::PercentTemplate &t, bool mapping, bool single);
  bool isOpen = false; ///< a width or precision is known at run time only

private:
  std::optional<py::PyInt> star() {
    const Value &v = given[next++].plain;
    isOpen |= isNumber(v) && numberType(v) != NumberType::Float && !isNumberConst(v);
    return isIntConst(v) ? std::optional<py::PyInt>(asPyInt(v)) : std::nullopt;
  }
  Value runTime(const py::PercentSpec &spec, size_t n);
  bool isRunTime(size_t n) {
    return given[n].text.is(Kind::Template) ||
           (!given[n].text.is(Kind::Str) && isRunTimeText(given[n].plain));
  }
  py::PercentValue valueOf(size_t n) {
    py::PercentValue value;
    const auto &[given, boxed, v] = this->given[n];
    value.typeName = capture::typeName(e, boxed);
    if (given.is(Kind::Str))
      value.value = py::Str(given.asStr().str());
    else if (isIntConst(v))
      value.value = asPyInt(v);
    else if (v.is(Kind::Float))
      value.value = v.asFloat();
    else if (v.is(Kind::Str))
      value.value = py::Str(v.asStr().str());
    else if (v.is(Kind::Bytes))
      if (auto text = py::bytes::decode(v.asBytes(), "latin-1", "strict"))
        value.value = *text;
    return value;
  }

  Engine &e;
  llvm::ArrayRef<PercentArg> given;
  bool isBytes;
  size_t next = 0;
};
} // namespace

/// One conversion as it is written behind its %: its sizes are known.
static std::string specText(const py::PercentSpec &spec) {
  std::string text;
  for (auto [flag, character] :
       {std::pair(spec.leftAlign, '-'), std::pair(spec.plus, '+'), std::pair(spec.space, ' '),
        std::pair(spec.alternate, '#'), std::pair(spec.zero, '0')})
    if (flag)
      text += character;
  if (spec.width.kind == py::PercentSize::Kind::Number)
    text += std::to_string(spec.width.number);
  if (spec.precision.kind == py::PercentSize::Kind::Number)
    text += "." + std::to_string(spec.precision.number);
  py::appendCodePoint(text, spec.conversion);
  return text;
}

/// A conversion of a value that is known at run time only. Whether it fits depends on the type
/// alone, but for %c.
Value Percent::runTime(const py::PercentSpec &spec, size_t n) {
  Value v = given[n].plain;
  py::PercentValue sample;
  sample.typeName = capture::typeName(e, v);
  if (given[n].text.is(Kind::Template)) {
    v = given[n].text;
    sample.value = py::Str();
  } else if (spec.conversion == 'c') {
    return e.refuse(DiagId::Unsupported, "'%c' of a value known at run time only");
  } else if (numberType(v) == NumberType::Float) {
    sample.value = 0.5;
  } else if (numberType(v) != NumberType::NotNumber) {
    sample.value = py::PyInt(1);
  }
  py::Result<py::Str> text = py::formatPercent(spec, sample);
  return text ? e.templateOf(v, '%', specText(spec)) : raised(e, text.error());
}

Value Percent::run(const py::PercentTemplate &t, bool mapping, bool single) {
  TextBuilder out;
  for (const py::PercentPart &part : t.parts) {
    out += part.literal.bytes();
    if (!part.spec)
      continue;
    py::PercentSpec spec = *part.spec;
    if (spec.key && !mapping)
      return raised(e, py::percentNeedsMapping());
    if (spec.width.kind == py::PercentSize::Kind::Argument) {
      if (next >= given.size())
        return raised(e, py::percentTooFewArguments());
      if (std::optional<py::Raised> wrong = spec.setWidth(star()))
        return raised(e, *wrong);
    }
    if (spec.precision.kind == py::PercentSize::Kind::Argument) {
      if (next >= given.size())
        return raised(e, py::percentTooFewArguments());
      if (std::optional<py::Raised> wrong = spec.setPrecision(star()))
        return raised(e, *wrong);
    }
    if (next >= given.size())
      return raised(e, py::percentTooFewArguments());
    if (isRunTime(next)) {
      if (isBytes)
        return e.refuse(DiagId::Unsupported, "bytes of a value known at run time only");
      PTC_LET(text, runTime(spec, next++));
      out.append(text);
      continue;
    }
    py::PercentValue value = valueOf(next++);
    py::Result<py::Str> text =
        isBytes ? py::formatPercentBytes(spec, value) : py::formatPercent(spec, value);
    if (!text)
      return raised(e, text.error());
    out += text->bytes();
  }
  if (t.error)
    return raised(e, *t.error);
  if (next < given.size() && !mapping && !single)
    return raised(e, py::percentTooManyArguments(isBytes));
  Value text = out.take();
  return isBytes ? Value::bytes(text.asStr()) : text;
}

/// _percent_with(text, values, texts, mapping, lenient)
Value builtins::ptcPercentWith(Engine &e, CallArgs &args) {
  PTC_LET(text, formatText(e, args));
  bool isBytes = text.is(Kind::Bytes);
  std::vector<Value> values(listItems(e, arg(args, 1))), texts(listItems(e, arg(args, 2)));
  texts.resize(values.size(), Value::none());
  std::vector<PercentArg> given;
  given.reserve(values.size());
  for (auto [n, text] : llvm::enumerate(texts)) {
    PTC_LET(shown, e.decide(text));
    bool open = !shown.is(Kind::Str) && !shown.is(Kind::Template);
    PTC_LET(value, open ? e.decide(values[n]) : values[n]);
    PTC_LET(plain, open ? e.decide(e.unboxed(value)) : value);
    given.push_back({std::move(shown), std::move(value), std::move(plain)});
  }
  Percent percent(e, given, isBytes);
  Value made =
      percent.run(isBytes ? py::parsePercentBytes(text.asBytes()) : py::parsePercent(strRef(text)),
                  arg(args, 3).asBool(), arg(args, 4).asBool());
  if (percent.isOpen)
    return e.refuse(DiagId::Unsupported, "a width or precision known at run time only");
  return made;
}
