// str.format's templates: literals and replacement fields.
// In: the template's text. Out: its parts in the order of evaluation, errors among them where
// CPython finds them (Objects/stringlib/unicode_format.h parses while it formats).
#include "ptc/Python/Format.h"

#include "Raise.h"
#include "Unicode.h"

#include "llvm/ADT/StringExtras.h"

namespace ptc::py {

namespace {
/// Whether fields count themselves or are numbered; one per template, nested specs included.
struct Numbering {
  enum class Mode : uint8_t { Unknown, Automatic, Manual } mode = Mode::Unknown;
  int64_t next = 0;
};

using View = std::u32string_view;

class TemplateParser {
public:
  TemplateParser(View text, Numbering &numbering, int depth)
      : text(text), numbering(numbering), depth(depth) {}
  FormatTemplate parse();

private:
  /// Reads a literal up to the next field; true where a field follows.
  Result<bool> parseLiteral(std::u32string &literal);
  std::optional<Raised> parseField(FormatField &field);
  std::optional<Raised> parseTail(FormatField &field, char32_t mark);
  View fieldName(char32_t &mark, std::optional<Raised> &error);
  bool atEnd() const { return at >= text.size(); }

  View text;
  Numbering &numbering;
  /// How many templates may still be nested, this one included.
  int depth;
  size_t at = 0;
};
} // namespace

/// A number of decimal digits of any script; -1 for other text, the empty one included.
static Result<int64_t> toIndex(View text) {
  int64_t value = text.empty() ? -1 : 0;
  for (char32_t c : text) {
    const int digit = unicode::getDecimal(c);
    if (digit < 0)
      return -1;
    if (value > (INT64_MAX - digit) / 10)
      return valueError("Too many decimal digits in format string");
    value = value * 10 + digit;
  }
  return value;
}

/// The first name, with automatic numbers filled in.
static std::optional<Raised> parseFirst(View name, Numbering &numbering, FormatField &field) {
  Result<int64_t> index = toIndex(name);
  if (!index)
    return std::move(index).error();
  if (*index < 0 && !name.empty()) {
    field.first = fromCodePoints(name);
    return std::nullopt;
  }
  using Mode = Numbering::Mode;
  const Mode mode = name.empty() ? Mode::Automatic : Mode::Manual;
  if (numbering.mode == Mode::Unknown)
    numbering.mode = mode;
  if (numbering.mode != mode)
    return valueError(mode == Mode::Automatic ? "cannot switch from manual field specification to "
                                                "automatic field numbering"
                                              : "cannot switch from automatic field numbering to "
                                                "manual field specification");
  field.first = name.empty() ? numbering.next++ : *index;
  return std::nullopt;
}

/// One .name or [key] at the start of `rest`, which is moved behind it.
static Result<FormatAccess> parseAccess(View &rest) {
  const bool isAttribute = rest[0] == '.';
  if (!isAttribute && rest[0] != '[')
    return valueError("Only '.' or '[' may follow ']' in format field specifier");
  const size_t end = rest.find_first_of(isAttribute ? View(U".[") : View(U"]"), 1);
  if (!isAttribute && end == rest.npos)
    return valueError("Missing ']' in format string");
  const View name = rest.substr(1, end == rest.npos ? end : end - 1);
  rest = end == rest.npos ? View() : rest.substr(isAttribute ? end : end + 1);
  FormatAccess access{isAttribute, fromCodePoints(name)};
  if (!isAttribute) {
    Result<int64_t> index = toIndex(name);
    if (!index)
      return std::move(index).error();
    if (*index >= 0)
      access.key = *index;
  }
  if (name.empty())
    return valueError("Empty attribute in format string");
  return access;
}

/// The name of a field, up to `mark`: one of } : ! or the end (0).
View TemplateParser::fieldName(char32_t &mark, std::optional<Raised> &error) {
  const size_t start = at;
  mark = 0;
  while (!atEnd()) {
    const char32_t c = text[at++];
    if (c == '{') {
      error = valueError("unexpected '{' in field name");
      return {};
    }
    if (c == '[')
      while (!atEnd() && text[at] != ']')
        ++at;
    if (c == '}' || c == ':' || c == '!') {
      mark = c;
      return text.substr(start, at - 1 - start);
    }
  }
  error = valueError("expected '}' before end of string");
  return {};
}

/// What follows the name: [!conversion][:spec]}
std::optional<Raised> TemplateParser::parseTail(FormatField &field, char32_t mark) {
  if (mark == '!') {
    if (atEnd())
      return valueError("end of string while looking for conversion specifier");
    field.conversion = text[at++];
    if (!atEnd()) {
      const char32_t next = text[at++];
      if (next == '}')
        return std::nullopt;
      if (next != ':')
        return valueError("expected ':' after conversion specifier");
    }
  }
  const size_t start = at;
  bool hasFields = false;
  for (int open = 1; !atEnd(); ++at) {
    hasFields |= text[at] == '{';
    open += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (open > 0)
      continue;
    const View spec = text.substr(start, at++ - start);
    if (hasFields)
      field.spec = TemplateParser(spec, numbering, depth - 1).parse();
    else if (!spec.empty())
      field.spec.parts.push_back({fromCodePoints(spec), std::nullopt});
    return std::nullopt;
  }
  return valueError("unmatched '{' in format spec");
}

static std::optional<Raised> checkConversion(char32_t conversion) {
  if (conversion == 0 || conversion == 'r' || conversion == 's' || conversion == 'a')
    return std::nullopt;
  if (conversion > 32 && conversion < 127)
    return valueError("Unknown conversion specifier " + llvm::Twine(static_cast<char>(conversion)));
  return valueError("Unknown conversion specifier \\x" +
                    llvm::utohexstr(conversion, /*LowerCase=*/true));
}

/// Behind the {.
std::optional<Raised> TemplateParser::parseField(FormatField &field) {
  char32_t mark = 0;
  std::optional<Raised> error;
  const View name = fieldName(mark, error);
  if (error)
    return error;
  // The numbers of nested fields come after this one's, but an error behind the name comes first.
  const Numbering before = numbering;
  const size_t nameEnd = std::min(name.find_first_of(U".["), name.size());
  std::optional<Raised> firstError = parseFirst(name.substr(0, nameEnd), numbering, field);
  if (mark != '}')
    if (auto raised = parseTail(field, mark)) {
      numbering = before;
      return raised;
    }
  if (firstError)
    return firstError;
  View rest = name.substr(nameEnd);
  while (!rest.empty()) {
    Result<FormatAccess> access = parseAccess(rest);
    if (!access) {
      field.accessError = std::move(access).error();
      break;
    }
    field.accesses.push_back(*access);
  }
  field.conversionError = checkConversion(field.conversion);
  return std::nullopt;
}

Result<bool> TemplateParser::parseLiteral(std::u32string &literal) {
  while (!atEnd()) {
    const char32_t c = text[at++];
    if (c != '{' && c != '}') {
      literal += c;
      continue;
    }
    if (!atEnd() && text[at] == c) {
      literal += c;
      ++at;
      continue;
    }
    if (c == '}')
      return valueError("Single '}' encountered in format string");
    if (atEnd())
      return valueError("Single '{' encountered in format string");
    return true;
  }
  return false;
}

FormatTemplate TemplateParser::parse() {
  FormatTemplate result;
  if (depth <= 0) {
    result.error = valueError("Max string recursion exceeded");
    return result;
  }
  while (!atEnd()) {
    std::u32string literal;
    Result<bool> hasField = parseLiteral(literal);
    if (!hasField) {
      result.error = std::move(hasField).error();
      return result;
    }
    FormatPart part{fromCodePoints(literal), std::nullopt};
    if (*hasField) {
      part.field.emplace();
      result.error = parseField(*part.field);
      if (result.error)
        return result;
    }
    result.parts.push_back(std::move(part));
  }
  return result;
}

FormatTemplate parseFormat(StrRef text) {
  const std::u32string points = toCodePoints(text.bytes());
  Numbering numbering;
  return TemplateParser(points, numbering, /*depth=*/2).parse();
}

Raised formatIndexError(int64_t index) {
  return indexError("Replacement index " + llvm::Twine(index) +
                    " out of range for positional args tuple");
}

} // namespace ptc::py
