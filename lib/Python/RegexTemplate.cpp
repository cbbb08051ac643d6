//===- RegexTemplate.cpp - Replacements of re.sub() ------------------------------------------===//
//
// In: the text of a replacement. Out: its literal parts and the groups between them.
//
//===----------------------------------------------------------------------===//
#include "RegexReader.h"

#include "ptc/Python/Str.h"

using namespace ptc::py;
using namespace ptc::py::re;
namespace re = ptc::py::re;

using llvm::Twine;

namespace {
class TemplateParser : Reader {
public:
  TemplateParser(const Pattern &pattern, const Subject &source, unsigned minor)
      : Reader(source, minor), pattern(pattern) {}

  std::variant<ReplacementTemplate, PatternError, Raised> run();

private:
  bool parseEscape(Token token);
  bool parseNamed();
  bool parseNumber(char32_t digit);
  bool addGroup(uint64_t group, size_t offset);
  void flush() {
    if (!literal.empty())
      parts.push_back(fromCodePoints(literal));
    literal.clear();
  }

  const Pattern &pattern;
  ReplacementTemplate parts;
  std::u32string literal;
};
} // namespace

bool TemplateParser::addGroup(uint64_t group, size_t offset) {
  if (group > pattern.groups)
    return fail("invalid group reference " + Twine(group), offset);
  flush();
  parts.push_back(uint32_t(group));
  return true;
}

bool TemplateParser::parseNamed() {
  if (!tokens.match('<'))
    return fail("missing <");
  std::optional<Token> name = getUntil('>', "group name");
  if (!name)
    return false;
  if (isIdentifier(*name)) {
    if (!checkGroupName(*name, 1))
      return false;
    std::optional<uint32_t> group = pattern.findName(fromCodePoints(*name).bytes());
    if (!group)
      return raise({ExcKind::IndexError, "unknown group name " + quoted(*name)});
    return addGroup(*group, name->size() + 1);
  }
  std::optional<uint64_t> group = numberOf(*name);
  if (!group || (minor >= 12 && !isAsciiNumber(*name)))
    return fail("bad character in group name " + quoted(*name), name->size() + 1);
  return addGroup(*group, name->size() + 1);
}

bool TemplateParser::parseNumber(char32_t digit) {
  std::u32string digits(1, digit);
  if (digit == '0') {
    for (unsigned n = 0; n < 2 && tokens.isAtOctal(); ++n)
      digits += tokens.get();
    literal += char32_t(octalValue(digits) & 0xff);
    return true;
  }
  if (tokens.isAtDigit()) {
    digits += tokens.get();
    if (isOctal(digits[0]) && isOctal(digits[1]) && tokens.isAtOctal()) {
      digits += tokens.get();
      if (octalValue(digits) > 0377)
        return fail("octal escape value \\" + shown(digits) + " outside of range 0-0o377",
                    digits.size() + 1);
      literal += char32_t(octalValue(digits));
      return true;
    }
  }
  return addGroup(valueOf(digits), digits.size());
}

bool TemplateParser::parseEscape(Token token) {
  if (token.size() < 2)
    return checkEnd();
  const char32_t letter = token[1];
  if (letter == 'g')
    return parseNamed();
  if (isDigit(letter))
    return parseNumber(letter);
  if (std::optional<char32_t> point = letter == 'b' ? U'\b' : escapedCharacter(letter))
    literal += *point;
  else if (isLetter(letter))
    return fail("bad escape " + shown(token), 2);
  else
    literal += token;
  return true;
}

std::variant<ReplacementTemplate, PatternError, Raised> TemplateParser::run() {
  while (!tokens.next().empty()) {
    Token token = tokens.get();
    if (token[0] != '\\')
      literal += token;
    else if (!parseEscape(token))
      break;
  }
  if (!checkEnd())
    return takeFailure<std::variant<ReplacementTemplate, PatternError, Raised>>();
  flush();
  return std::move(parts);
}

std::variant<ReplacementTemplate, PatternError, Raised>
re::parseTemplate(const Pattern &pattern, Subject text, unsigned minor) {
  return TemplateParser(pattern, text, minor).run();
}
