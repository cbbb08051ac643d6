//===- Format.h - format(), % and str.format -*- C++ -*-===//
//
// Three ways of Python to make text of values. The engine resolves names, arguments and __format__;
// what is here parses templates and lays out builtin values.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_FORMAT_H
#define PTC_PYTHON_FORMAT_H

#include "ptc/Python/BigInt.h"
#include "ptc/Python/Complex.h"
#include "ptc/Python/Text.h"

#include <optional>
#include <variant>
#include <vector>

namespace ptc::py {

//===----------------------------------------------------------------------===//
// format(value, spec): [[fill]align][sign][z][#][0][width][grouping][.precision][type]
//===----------------------------------------------------------------------===//

/// `typeName` is what error texts call the type: a subclass has its own. An empty spec gives
/// str(value) here; the engine calls __str__ itself where a subclass (bool among them) has one.
Result<Str> formatInt(const PyInt &value, StrRef spec, StrRef typeName = "int");
Result<Str> formatFloat(double value, StrRef spec, StrRef typeName = "float");
Result<Str> formatStr(StrRef value, StrRef spec, StrRef typeName = "str");
Result<Str> formatComplex(Complex value, StrRef spec, StrRef typeName = "complex");
/// format(True, spec)
Result<Str> formatBool(bool value, StrRef spec);

//===----------------------------------------------------------------------===//
// template % arguments
//===----------------------------------------------------------------------===//

/// A width or precision: absent, a number, or * (the next argument, an int).
struct PercentSize {
  enum class Kind : uint8_t { Absent, Number, Argument } kind = Kind::Absent;
  int64_t number = 0;
};

/// One conversion, as %(key)-08.3f.
struct PercentSpec {
  std::optional<Str> key;
  bool leftAlign = false, plus = false, space = false, alternate = false, zero = false;
  PercentSize width, precision;
  char32_t conversion = 0;
  /// Of the conversion character in the template, for error texts.
  size_t position = 0;

  /// Puts in what * took from the arguments: nullopt for what is no int.
  std::optional<Raised> setWidth(const std::optional<PyInt> &argument);
  std::optional<Raised> setPrecision(const std::optional<PyInt> &argument);
};

struct PercentPart {
  Str literal;
  /// What follows the literal.
  std::optional<PercentSpec> spec;
};

/// CPython parses while it formats: `error` is raised after the parts before it are done.
struct PercentTemplate {
  std::vector<PercentPart> parts;
  std::optional<Raised> error;
};

PercentTemplate parsePercent(StrRef text);
/// The template of bytes % arguments: literals and keys hold one character (U+0000 to U+00FF) per
/// byte.
PercentTemplate parsePercentBytes(std::string_view text);

/// An argument. For s, r and a (and b): str(), repr() or ascii() of it, done already.
struct PercentValue {
  std::variant<std::monostate, PyInt, double, Str> value;
  /// type(argument).__name__
  std::string typeName;
};

/// The text of one conversion, its sizes set. Raises for arguments that do not fit it and for
/// conversions that do not exist.
Result<Str> formatPercent(const PercentSpec &spec, const PercentValue &argument);
/// For bytes: `value` holds a str of one character per byte where the argument is bytes.
Result<Str> formatPercentBytes(const PercentSpec &spec, const PercentValue &argument);

/// What the engine raises itself while it fetches arguments.
Raised percentTooFewArguments();
Raised percentTooManyArguments(bool isBytes);
Raised percentNeedsMapping();

//===----------------------------------------------------------------------===//
// template.format(...)
//===----------------------------------------------------------------------===//

struct FormatPart;

/// As for %, `error` is raised after the parts before it are done.
struct FormatTemplate {
  std::vector<FormatPart> parts;
  std::optional<Raised> error;
};

/// .name or [key] after a field's first name.
struct FormatAccess {
  bool isAttribute = false;
  std::variant<int64_t, Str> key;
};

/// {first.access[access]!conversion:spec}, in the order in which it is evaluated.
struct FormatField {
  /// A positional argument (automatic numbers are filled in) or a keyword.
  std::variant<int64_t, Str> first;
  std::vector<FormatAccess> accesses;
  /// Raised after `accesses` were followed.
  std::optional<Raised> accessError;
  /// 0, r, s or a; anything else was made conversionError.
  char32_t conversion = 0;
  /// Raised when the value is there.
  std::optional<Raised> conversionError;
  /// The format spec, with fields of its own.
  FormatTemplate spec;
};

struct FormatPart {
  Str literal;
  std::optional<FormatField> field;
};

FormatTemplate parseFormat(StrRef text);
/// The IndexError of a positional argument that is not there.
Raised formatIndexError(int64_t index);

} // namespace ptc::py

#endif // PTC_PYTHON_FORMAT_H
