// template % arguments, for str and bytes.
// In: the template's text, then one argument per conversion. Out: literals and conversions in
// order, then the text of each; texts of errors as CPython 3.11 to 3.14 have them.
#include "ptc/Python/Format.h"
#include "ptc/Python/Str.h"

#include "FloatText.h"
#include "Layout.h"

#include "llvm/ADT/StringExtras.h"

namespace ptc::py {

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
enum class Target : uint8_t { Str, Bytes };

class PercentParser {
public:
  PercentParser(std::u32string text, Target target) : text(std::move(text)), target(target) {}
  PercentTemplate parse();

private:
  bool atEnd() const { return at >= text.size(); }
  std::optional<Raised> parseSpec(PercentSpec &spec);
  std::optional<Raised> parseKey(PercentSpec &spec);
  void parseFlags(PercentSpec &spec);
  std::optional<Raised> parseSize(PercentSize &size, int64_t limit, const char *tooBig);

  std::u32string text;
  Target target;
  size_t at = 0;
};
} // namespace

std::optional<Raised> PercentParser::parseKey(PercentSpec &spec) {
  if (atEnd() || text[at] != '(')
    return std::nullopt;
  const size_t start = ++at;
  for (int depth = 1; depth > 0; ++at) {
    if (atEnd())
      return valueError("incomplete format key");
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
  }
  spec.key = fromCodePoints(std::u32string_view(text).substr(start, at - 1 - start));
  return std::nullopt;
}

void PercentParser::parseFlags(PercentSpec &spec) {
  for (; !atEnd(); ++at) {
    switch (text[at]) {
    case '-':
      spec.leftAlign = true;
      continue;
    case '+':
      spec.plus = true;
      continue;
    case ' ':
      spec.space = true;
      continue;
    case '#':
      spec.alternate = true;
      continue;
    case '0':
      spec.zero = true;
      continue;
    default:
      return;
    }
  }
}

std::optional<Raised> PercentParser::parseSize(PercentSize &size, int64_t limit,
                                               const char *tooBig) {
  if (!atEnd() && text[at] == '*') {
    ++at;
    size.kind = PercentSize::Kind::Argument;
    return std::nullopt;
  }
  for (; !atEnd() && text[at] >= '0' && text[at] <= '9'; ++at) {
    const auto digit = static_cast<int64_t>(text[at] - '0');
    size.kind = PercentSize::Kind::Number;
    if (size.number > (limit - digit) / 10)
      return valueError(tooBig);
    size.number = size.number * 10 + digit;
  }
  return std::nullopt;
}

/// Behind the %.
std::optional<Raised> PercentParser::parseSpec(PercentSpec &spec) {
  if (auto raised = parseKey(spec))
    return raised;
  parseFlags(spec);
  if (auto raised = parseSize(spec.width, INT64_MAX, "width too big"))
    return raised;
  if (!atEnd() && text[at] == '.') {
    ++at;
    spec.precision.kind = PercentSize::Kind::Number;
    if (auto raised = parseSize(spec.precision, INT32_MAX,
                                target == Target::Bytes ? "prec too big" : "precision too big"))
      return raised;
  }
  // C's sizes mean nothing here.
  if (!atEnd() && (text[at] == 'h' || text[at] == 'l' || text[at] == 'L'))
    ++at;
  if (atEnd())
    return valueError("incomplete format");
  spec.position = at;
  spec.conversion = text[at++];
  return std::nullopt;
}

PercentTemplate PercentParser::parse() {
  PercentTemplate result;
  std::u32string literal;
  while (!atEnd()) {
    const char32_t c = text[at++];
    if (c != '%') {
      literal += c;
      continue;
    }
    if (!atEnd() && text[at] == '%') {
      literal += text[at++];
      continue;
    }
    PercentSpec spec;
    result.error = parseSpec(spec);
    if (result.error)
      break;
    result.parts.push_back({fromCodePoints(literal), std::move(spec)});
    literal.clear();
  }
  if (!literal.empty())
    result.parts.push_back({fromCodePoints(literal), std::nullopt});
  return result;
}

PercentTemplate parsePercent(StrRef text) {
  return PercentParser(toCodePoints(text.bytes()), Target::Str).parse();
}

PercentTemplate parsePercentBytes(std::string_view text) {
  std::u32string points;
  for (char c : text)
    points += static_cast<uint8_t>(c);
  return PercentParser(std::move(points), Target::Bytes).parse();
}

Raised percentTooFewArguments() { return typeError("not enough arguments for format string"); }
Raised percentTooManyArguments(bool isBytes) {
  return typeError(isBytes ? "not all arguments converted during bytes formatting"
                           : "not all arguments converted during string formatting");
}
Raised percentNeedsMapping() { return typeError("format requires a mapping"); }

std::optional<Raised> PercentSpec::setWidth(const std::optional<PyInt> &argument) {
  if (!argument)
    return typeError("* wants int");
  if (!argument->asInt64())
    return overflowError("Python int too large to convert to C ssize_t");
  width = {PercentSize::Kind::Number, *argument->asInt64()};
  if (width.number < 0) {
    leftAlign = true;
    width.number = width.number == INT64_MIN ? INT64_MAX : -width.number;
  }
  return std::nullopt;
}

std::optional<Raised> PercentSpec::setPrecision(const std::optional<PyInt> &argument) {
  if (!argument)
    return typeError("* wants int");
  auto value = argument->asInt64();
  if (!value || *value > INT32_MAX || *value < INT32_MIN)
    return overflowError("Python int too large to convert to C int");
  precision = {PercentSize::Kind::Number, std::max<int64_t>(*value, 0)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Formatting
//===----------------------------------------------------------------------===//

namespace {
/// The text of a conversion before it is padded.
struct Converted {
  std::string sign, prefix, body;
  bool isNumber = false;
};
} // namespace

/// In error texts; bytes call %i what it is short for.
static std::string conversionName(const PercentSpec &spec, Target target) {
  const bool isLong = spec.conversion == 'i' && target == Target::Bytes;
  return std::string{'%', isLong ? 'd' : static_cast<char>(spec.conversion)};
}

static std::string signOf(const PercentSpec &spec, bool negative) {
  return negative ? "-" : spec.plus ? "+" : spec.space ? " " : "";
}

static Result<Converted> convertInt(const PercentSpec &spec, const PercentValue &argument,
                                    Target target) {
  const bool isDecimal = spec.conversion == 'd' || spec.conversion == 'i' || spec.conversion == 'u';
  PyInt value;
  if (const auto *integer = std::get_if<PyInt>(&argument.value)) {
    value = *integer;
  } else if (const auto *real = std::get_if<double>(&argument.value); real && isDecimal) {
    Result<PyInt> truncated = truncToInt(*real);
    if (!truncated)
      return std::move(truncated).error();
    value = *truncated;
  } else {
    return typeError(conversionName(spec, target) +
                     " format: " + (isDecimal ? "a real number" : "an integer") +
                     " is required, not " + argument.typeName);
  }
  Converted result{signOf(spec, value.isNegative()), "", "", true};
  if (isDecimal) {
    Result<std::string> digits = toDecimal(abs(value));
    if (!digits)
      return std::move(digits).error();
    result.body = *digits;
  } else {
    result.body = toDigits(value, spec.conversion == 'o' ? 8 : 16);
    if (spec.conversion == 'X')
      result.body = llvm::StringRef(result.body).upper();
    if (spec.alternate)
      result.prefix = std::string{'0', static_cast<char>(spec.conversion)};
  }
  const int64_t missing = spec.precision.number - static_cast<int64_t>(result.body.size());
  if (missing > int64_t(kMaxStrBytes))
    return textTooLong();
  if (missing > 0)
    result.body.insert(0, size_t(missing), '0');
  return result;
}

static Result<Converted> convertFloat(const PercentSpec &spec, const PercentValue &argument,
                                      Target target) {
  double value = 0;
  if (const auto *integer = std::get_if<PyInt>(&argument.value)) {
    Result<double> real = toDouble(*integer);
    if (!real)
      return std::move(real).error();
    value = *real;
  } else if (const auto *real = std::get_if<double>(&argument.value)) {
    value = *real;
  } else {
    return typeError(
        (target == Target::Bytes ? "float argument required, not " : "must be real number, not ") +
        argument.typeName);
  }
  const bool hasPrecision = spec.precision.kind != PercentSize::Kind::Absent;
  if (hasPrecision && spec.precision.number > int64_t(kMaxStrBytes))
    return textTooLong();
  std::string text =
      writeFloat(value, {.type = static_cast<char>(spec.conversion),
                         .precision = hasPrecision ? static_cast<int>(spec.precision.number) : 6,
                         .alternate = spec.alternate});
  const bool negative = text[0] == '-';
  text.erase(0, negative ? 1 : 0);
  return Converted{signOf(spec, negative), "", std::move(text), true};
}

static Result<Converted> convertCharacter(const PercentSpec &spec, const PercentValue &argument,
                                          Target target) {
  const bool isBytes = target == Target::Bytes;
  Converted result;
  if (const auto *text = std::get_if<Str>(&argument.value); text && text->length() == 1) {
    result.body = text->bytes();
    return result;
  }
  const auto *integer = std::get_if<PyInt>(&argument.value);
  if (!integer)
    return typeError(isBytes ? "%c requires an integer in range(256) or a single byte"
                             : "%c requires int or char");
  if (integer->isNegative() || *integer > PyInt(isBytes ? 0xff : 0x10ffff))
    return overflowError(isBytes ? "%c arg not in range(256)" : "%c arg not in range(0x110000)");
  appendCodePoint(result.body, static_cast<char32_t>(integer->clampToInt64()));
  return result;
}

static Result<Converted> convertText(const PercentSpec &spec, const PercentValue &argument) {
  const auto *text = std::get_if<Str>(&argument.value);
  if (!text)
    return typeError("%b requires a bytes-like object, or an object that implements __bytes__, "
                     "not '" +
                     argument.typeName + "'");
  StrRef shown = *text;
  Str cut;
  if (spec.precision.kind != PercentSize::Kind::Absent &&
      spec.precision.number < int64_t(shown.length())) {
    cut = str::slice(shown, {0, spec.precision.number, 1, spec.precision.number});
    shown = cut;
  }
  return Converted{"", "", std::string(shown.bytes()), false};
}

static Result<Converted> convert(const PercentSpec &spec, const PercentValue &argument,
                                 Target target) {
  switch (spec.conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    return convertInt(spec, argument, target);
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    return convertFloat(spec, argument, target);
  case 'c':
    return convertCharacter(spec, argument, target);
  case 's':
  case 'r':
  case 'a':
    return convertText(spec, argument);
  case 'b':
    if (target == Target::Bytes)
      return convertText(spec, argument);
    break;
  }
  const bool isPrintable = spec.conversion > 31 && spec.conversion < 127;
  return valueError("unsupported format character '" +
                    llvm::Twine(isPrintable ? static_cast<char>(spec.conversion) : '?') + "' (0x" +
                    llvm::utohexstr(spec.conversion, /*LowerCase=*/true) + ") at index " +
                    llvm::Twine(spec.position));
}

static Result<Str> formatConversion(const PercentSpec &spec, const PercentValue &argument,
                                    Target target) {
  assert(spec.width.kind != PercentSize::Kind::Argument &&
         spec.precision.kind != PercentSize::Kind::Argument && "a * was not filled in");
  Result<Converted> parts = convert(spec, argument, target);
  if (!parts)
    return std::move(parts).error();
  if (spec.width.number > int64_t(kMaxStrBytes))
    return textTooLong();
  const std::string front = parts->sign + parts->prefix;
  const int64_t padding =
      spec.width.number - int64_t(front.size()) - int64_t(countCodePoints(parts->body));
  const std::string fill(size_t(std::max<int64_t>(padding, 0)),
                         spec.zero && parts->isNumber && !spec.leftAlign ? '0' : ' ');
  if (spec.leftAlign)
    return Str(front + parts->body + fill);
  if (spec.zero && parts->isNumber)
    return Str(front + fill + parts->body);
  return Str(fill + front + parts->body);
}

Result<Str> formatPercent(const PercentSpec &spec, const PercentValue &argument) {
  return formatConversion(spec, argument, Target::Str);
}
Result<Str> formatPercentBytes(const PercentSpec &spec, const PercentValue &argument) {
  return formatConversion(spec, argument, Target::Bytes);
}

} // namespace ptc::py
