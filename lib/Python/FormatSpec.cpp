// format(value, spec) of builtin types: the format specification mini-language.
// In: a value and the spec's text. Out: the text that CPython 3.11 makes
// (Python/formatter_unicode.c), or its exception.
#include "ptc/Python/Format.h"
#include "ptc/Python/Str.h"

#include "FloatText.h"
#include "Layout.h"
#include "Unicode.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace ptc::py {

namespace {
struct Spec {
  char32_t fill = ' ';
  char32_t align = '>';
  char32_t sign = 0;
  bool noNegativeZero = false;
  bool alternate = false;
  /// -1: none.
  int64_t width = -1, precision = -1;
  /// 0, ',' or '_'
  char grouping = 0;
  char32_t type = 0;
};

/// What a type's format starts from.
struct Defaults {
  char32_t type;
  char32_t align;
};

/// A number in parts, as it is laid out: padding sign prefix [zeros] digits rest padding.
struct Number {
  bool negative = false;
  std::string prefix;
  /// Digits before the point, which grouping applies to.
  std::string digits;
  /// Point, fraction, exponent, %, or what is no number at all (inf, a character).
  std::string rest;
  /// Of rest, in characters.
  size_t restLength = 0;
};

class SpecParser {
public:
  SpecParser(StrRef text, StrRef typeName)
      : text(text), typeName(typeName), spec(toCodePoints(text.bytes())) {}
  Result<Spec> parse(Defaults defaults);

private:
  bool has(size_t i) const { return i < spec.size(); }
  bool eat(char32_t c) {
    if (!has(at) || spec[at] != c)
      return false;
    ++at;
    return true;
  }
  static bool isAlign(char32_t c) { return c == '<' || c == '>' || c == '=' || c == '^'; }
  /// Digits of any script; false where there are none. The number is clipped.
  std::optional<Raised> number(int64_t &value);
  void parseFlags(Spec &result, char32_t defaultAlign);
  std::optional<Raised> parseGrouping(Spec &result);
  std::optional<Raised> parsePrecision(Spec &result);

  StrRef text, typeName;
  std::u32string spec;
  size_t at = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

std::optional<Raised> SpecParser::number(int64_t &value) {
  value = -1;
  for (; has(at); ++at) {
    const int digit = unicode::getDecimal(spec[at]);
    if (digit < 0)
      break;
    value = std::max<int64_t>(value, 0);
    if (value > (INT64_MAX - digit) / 10)
      return valueError("Too many decimal digits in format string");
    value = value * 10 + digit;
  }
  return std::nullopt;
}

void SpecParser::parseFlags(Spec &result, char32_t defaultAlign) {
  bool hasFill = false, hasAlign = false;
  if (has(1) && isAlign(spec[1])) {
    result.fill = spec[0];
    result.align = spec[1];
    hasFill = hasAlign = true;
    at = 2;
  } else if (has(0) && isAlign(spec[0])) {
    result.align = spec[0];
    hasAlign = true;
    at = 1;
  }
  if (has(at) && (spec[at] == ' ' || spec[at] == '+' || spec[at] == '-'))
    result.sign = spec[at++];
  result.noNegativeZero = eat('z');
  result.alternate = eat('#');
  if (!hasFill && eat('0')) {
    result.fill = '0';
    if (!hasAlign && defaultAlign == '>')
      result.align = '=';
  }
}

std::optional<Raised> SpecParser::parseGrouping(Spec &result) {
  Raised both = valueError("Cannot specify both ',' and '_'.");
  if (eat(','))
    result.grouping = ',';
  if (eat('_')) {
    if (result.grouping)
      return both;
    result.grouping = '_';
  }
  if (has(at) && spec[at] == ',' && result.grouping == '_')
    return both;
  return std::nullopt;
}

std::optional<Raised> SpecParser::parsePrecision(Spec &result) {
  if (!eat('.'))
    return std::nullopt;
  if (auto raised = number(result.precision))
    return raised;
  if (result.precision < 0)
    return valueError("Format specifier missing precision");
  return std::nullopt;
}

/// 'x', or '\x20ac' for what is not plain ASCII.
static std::string showType(char32_t type) {
  if (type > 32 && type < 128)
    return std::string{'\'', static_cast<char>(type), '\''};
  return "'\\x" + llvm::utohexstr(type, /*LowerCase=*/true) + "'";
}

static bool canGroup(const Spec &spec) {
  switch (spec.type) {
  case 'd':
  case 'e':
  case 'f':
  case 'g':
  case 'E':
  case 'G':
  case '%':
  case 'F':
  case 0:
    return true;
  case 'b':
  case 'o':
  case 'x':
  case 'X':
    return spec.grouping == '_';
  default:
    return false;
  }
}

Result<Spec> SpecParser::parse(Defaults defaults) {
  Spec result;
  result.type = defaults.type;
  result.align = defaults.align;
  parseFlags(result, defaults.align);
  if (auto raised = number(result.width))
    return *raised;
  if (auto raised = parseGrouping(result))
    return *raised;
  if (auto raised = parsePrecision(result))
    return *raised;
  if (has(at + 1))
    return valueError("Invalid format specifier '" + llvm::Twine(text.bytes()) +
                      "' for object of type '" + typeName.bytes() + "'");
  if (has(at))
    result.type = spec[at];
  if (result.grouping && !canGroup(result))
    return valueError("Cannot specify '" + llvm::Twine(result.grouping) + "' with " +
                      showType(result.type) + ".");
  if (result.width > int64_t(kMaxStrBytes))
    return textTooLong();
  return result;
}

static Raised unknownType(const Spec &spec, StrRef typeName) {
  return valueError("Unknown format code " + llvm::Twine(showType(spec.type)) +
                    " for object of type '" + typeName.bytes() + "'");
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// The digits in groups from the right, with zeros in front until there are `minimum` characters.
static std::string groupDigits(const std::string &digits, int64_t minimum, const Spec &spec) {
  if (!spec.grouping)
    return std::string(size_t(std::max<int64_t>(minimum - int64_t(digits.size()), 0)), '0') +
           digits;
  const bool isDecimal =
      spec.type != 'b' && spec.type != 'o' && spec.type != 'x' && spec.type != 'X';
  const int64_t size = isDecimal ? 3 : 4;
  std::string reversed;
  auto remaining = static_cast<int64_t>(digits.size());
  while (true) {
    const int64_t count = std::min(size, std::max<int64_t>({remaining, minimum, 1}));
    for (int64_t i = 0; i < count; ++i)
      reversed += remaining > 0 ? digits[size_t(--remaining)] : '0';
    minimum -= count;
    if (remaining <= 0 && minimum <= 0)
      break;
    reversed += spec.grouping;
    --minimum;
  }
  return {reversed.rbegin(), reversed.rend()};
}

static void appendFill(std::string &out, char32_t fill, int64_t count) {
  for (; count > 0; --count)
    appendCodePoint(out, fill);
}

static std::string signText(const Spec &spec, bool negative) {
  if (negative)
    return "-";
  if (spec.sign == '+' || spec.sign == ' ')
    return std::string(1, static_cast<char>(spec.sign));
  return "";
}

static Str layOut(const Number &number, const Spec &spec) {
  const std::string sign = signText(spec, number.negative);
  const auto others = int64_t(sign.size() + number.prefix.size() + number.restLength);
  const int64_t minimum = spec.fill == '0' && spec.align == '=' ? spec.width - others : 0;
  const std::string digits =
      number.digits.empty() ? std::string() : groupDigits(number.digits, minimum, spec);
  const int64_t padding = std::max<int64_t>(spec.width - others - int64_t(digits.size()), 0);
  const int64_t left = spec.align == '>' ? padding : spec.align == '^' ? padding / 2 : 0;
  const int64_t inner = spec.align == '=' ? padding : 0;
  std::string out;
  appendFill(out, spec.fill, left);
  out += sign + number.prefix;
  appendFill(out, spec.fill, inner);
  out += digits + number.rest;
  appendFill(out, spec.fill, padding - left - inner);
  return Str(std::move(out));
}

/// Text that is padded as a whole.
static Str padText(StrRef text, const Spec &spec) {
  const int64_t padding = std::max<int64_t>(spec.width - int64_t(text.length()), 0);
  const int64_t left = spec.align == '>' ? padding : spec.align == '^' ? padding / 2 : 0;
  std::string out;
  appendFill(out, spec.fill, left);
  out += text.bytes();
  appendFill(out, spec.fill, padding - left);
  return Str(std::move(out));
}

//===----------------------------------------------------------------------===//
// str and int
//===----------------------------------------------------------------------===//

Result<Str> formatStr(StrRef value, StrRef text, StrRef typeName) {
  if (text.empty())
    return Str(value);
  Result<Spec> spec = SpecParser(text, typeName).parse({'s', '<'});
  if (!spec)
    return std::move(spec).error();
  if (spec->type != 's')
    return unknownType(*spec, typeName);
  if (spec->sign)
    return valueError((spec->sign == ' ' ? "Space" : "Sign") +
                      llvm::Twine(" not allowed in string format specifier"));
  if (spec->noNegativeZero)
    return valueError("Negative zero coercion (z) not allowed in string format specifier");
  if (spec->alternate)
    return valueError("Alternate form (#) not allowed in string format specifier");
  if (spec->align == '=')
    return valueError("'=' alignment not allowed in string format specifier");
  if (spec->precision < 0 || spec->precision >= int64_t(value.length()))
    return padText(value, *spec);
  return padText(str::slice(value, {0, spec->precision, 1, spec->precision}), *spec);
}

static Result<Str> formatCharacter(const PyInt &value, const Spec &spec) {
  if (spec.sign)
    return valueError("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate)
    return valueError("Alternate form (#) not allowed with integer format specifier 'c'");
  auto point = value.asInt64();
  if (!point)
    return overflowError("Python int too large to convert to C long");
  if (*point < 0 || *point > 0x10ffff)
    return overflowError("%c arg not in range(0x110000)");
  Number number;
  appendCodePoint(number.rest, static_cast<char32_t>(*point));
  number.restLength = 1;
  return layOut(number, spec);
}

static Result<Str> formatInteger(const PyInt &value, const Spec &spec) {
  if (spec.precision >= 0)
    return valueError("Precision not allowed in integer format specifier");
  if (spec.noNegativeZero)
    return valueError("Negative zero coercion (z) not allowed in integer format specifier");
  if (spec.type == 'c')
    return formatCharacter(value, spec);
  Number number;
  number.negative = value.isNegative();
  if (spec.type == 'd' || spec.type == 'n') {
    Result<std::string> digits = toDecimal(abs(value));
    if (!digits)
      return std::move(digits).error();
    number.digits = *digits;
    return layOut(number, spec);
  }
  const unsigned base = spec.type == 'b' ? 2 : spec.type == 'o' ? 8 : 16;
  number.digits = toDigits(value, base);
  if (spec.alternate)
    number.prefix = std::string{'0', static_cast<char>(spec.type)};
  if (spec.type == 'X')
    number.digits = llvm::StringRef(number.digits).upper();
  return layOut(number, spec);
}

static Result<Str> formatReal(double value, const Spec &spec);

Result<Str> formatInt(const PyInt &value, StrRef text, StrRef typeName) {
  if (text.empty()) {
    Result<std::string> digits = toDecimal(value);
    if (!digits)
      return std::move(digits).error();
    return Str(*digits);
  }
  Result<Spec> spec = SpecParser(text, typeName).parse({'d', '>'});
  if (!spec)
    return std::move(spec).error();
  switch (spec->type) {
  case 'b':
  case 'c':
  case 'd':
  case 'o':
  case 'x':
  case 'X':
  case 'n':
    return formatInteger(value, *spec);
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case '%': {
    Result<double> real = toDouble(value);
    if (!real)
      return std::move(real).error();
    return formatReal(*real, *spec);
  }
  default:
    return unknownType(*spec, typeName);
  }
}

Result<Str> formatBool(bool value, StrRef text) {
  if (text.empty())
    return Str(std::string(value ? "True" : "False"));
  return formatInt(value ? 1 : 0, text, "bool");
}

//===----------------------------------------------------------------------===//
// float and complex
//===----------------------------------------------------------------------===//

static bool isFloatType(char32_t type) {
  switch (type) {
  case 0:
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'n':
    return true;
  default:
    return false;
  }
}

static std::optional<Raised> checkPrecision(const Spec &spec) {
  if (spec.precision > INT32_MAX)
    return valueError("precision too big");
  if (spec.precision > int64_t(kMaxStrBytes))
    return textTooLong();
  return std::nullopt;
}

/// The style of a spec: without a type as repr, and with a precision as well as g, where
/// `dotZero` keeps it looking like a float.
static FloatStyle styleOf(const Spec &spec, bool dotZero) {
  FloatStyle style;
  style.alternate = spec.alternate;
  style.noNegativeZero = spec.noNegativeZero;
  style.precision = static_cast<int>(spec.precision < 0 ? 6 : spec.precision);
  if (spec.type == 0) {
    style.type = spec.precision < 0 ? 'r' : 'g';
    style.dotZero = dotZero;
  } else {
    style.type = spec.type == 'n' ? 'g' : spec.type == '%' ? 'f' : static_cast<char>(spec.type);
  }
  return style;
}

static Number splitNumber(std::string text) {
  Number number;
  number.negative = text[0] == '-';
  text.erase(0, number.negative ? 1 : 0);
  const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  number.digits = text.substr(0, count);
  number.rest = text.substr(count);
  number.restLength = number.rest.size();
  return number;
}

static Result<Str> formatReal(double value, const Spec &spec) {
  if (auto raised = checkPrecision(spec))
    return *raised;
  std::string text = writeFloat(spec.type == '%' ? value * 100 : value, styleOf(spec, true));
  if (spec.type == '%')
    text += '%';
  return layOut(splitNumber(std::move(text)), spec);
}

Result<Str> formatFloat(double value, StrRef text, StrRef typeName) {
  if (text.empty())
    return Str(reprFloat(value));
  Result<Spec> spec = SpecParser(text, typeName).parse({0, '>'});
  if (!spec)
    return std::move(spec).error();
  if (!isFloatType(spec->type) && spec->type != '%')
    return unknownType(*spec, typeName);
  return formatReal(value, *spec);
}

Result<Str> formatComplex(Complex value, StrRef text, StrRef typeName) {
  if (text.empty())
    return Str(reprComplex(value));
  Result<Spec> spec = SpecParser(text, typeName).parse({0, '>'});
  if (!spec)
    return std::move(spec).error();
  if (!isFloatType(spec->type))
    return unknownType(*spec, typeName);
  if (auto raised = checkPrecision(*spec))
    return *raised;
  if (spec->fill == '0')
    return valueError("Zero padding is not allowed in complex format specifier");
  if (spec->align == '=')
    return valueError("'=' alignment flag is not allowed in complex format specifier");
  const bool isPlain = spec->type == 0;
  const bool skipReal = isPlain && value.real() == 0 && !std::signbit(value.real());
  const FloatStyle style = styleOf(*spec, /*dotZero=*/false);
  // The parts are not padded themselves; the imaginary part has a sign where it follows another.
  Spec part = *spec;
  part.width = -1;
  std::string out;
  if (!skipReal) {
    out = layOut(splitNumber(writeFloat(value.real(), style)), part).bytes();
    part.sign = '+';
  }
  out += layOut(splitNumber(writeFloat(value.imag(), style)), part).bytes() + "j";
  if (isPlain && !skipReal)
    out = "(" + out + ")";
  return padText(out, *spec);
}

} // namespace ptc::py
