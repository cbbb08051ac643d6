//===- RegexReader.cpp - Tokens of regular expressions and of replacements --------------------===//
#include "RegexReader.h"

#include "ptc/Python/BigInt.h"
#include "ptc/Python/Str.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::py;
using namespace ptc::py::re;
namespace re = ptc::py::re;

using llvm::Twine;

std::optional<char32_t> re::escapedCharacter(char32_t letter) {
  switch (letter) {
  case 'a':
    return '\a';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case 'v':
    return '\v';
  case '\\':
    return '\\';
  default:
    return std::nullopt;
  }
}

uint32_t re::octalValue(std::u32string_view digits) {
  uint32_t value = 0;
  for (char32_t c : digits)
    value = value * 8 + (c - '0');
  return value;
}

static std::u32string codePointsOf(const Subject &source) {
  if (!source.isBytes)
    return toCodePoints(source.text.bytes());
  std::u32string points;
  for (unsigned char c : source.text.bytes())
    points += c;
  return points;
}

Tokens::Tokens(const Subject &source) : isBytes(source.isBytes), text(codePointsOf(source)) {
  advance();
}

bool Reader::fail(const Twine &message, size_t offset) {
  return failAt(message, tokens.tell() - std::min(offset, tokens.tell()));
}

bool Reader::failAt(const Twine &message, std::optional<size_t> position) {
  if (checkEnd())
    failure = PatternError{message.str(), position};
  return false;
}

bool Reader::raise(Raised raised) {
  if (checkEnd())
    failure = std::move(raised);
  return false;
}

bool Reader::checkEnd() {
  if (!failure && tokens.endsInEscape)
    failure = PatternError{"bad escape (end of pattern)", tokens.size() - 1};
  return !failure;
}

static std::string backslashed(Token token) {
  std::string text;
  for (char32_t c : token)
    if (c < 128)
      text += char(c);
    else
      text += "\\x" + llvm::utohexstr(c, /*LowerCase=*/true, 2);
  return text;
}

std::string Reader::shown(Token token) const {
  return tokens.isBytes ? backslashed(token) : fromCodePoints(token).bytes();
}

std::string Reader::quoted(Token token) const {
  std::string text = str::repr(fromCodePoints(token)).bytes();
  return tokens.isBytes ? backslashed(toCodePoints(text)) : text;
}

bool Reader::isIdentifier(Token token) { return str::isidentifier(fromCodePoints(token)); }

bool Reader::isAscii(Token token) {
  return llvm::all_of(token, [](char32_t c) { return c < 128; });
}

bool Reader::isAsciiNumber(Token token) { return !token.empty() && llvm::all_of(token, isDigit); }

std::optional<Token> Reader::getUntil(char32_t terminator, const char *what) {
  const size_t start = tokens.tell();
  while (true) {
    Token token = tokens.get();
    const size_t end = tokens.tell();
    if (token.empty()) {
      if (end == start)
        fail(Twine("missing ") + what);
      else
        fail(Twine("missing ") + Twine(char(terminator)) + ", unterminated name", end - start);
      return std::nullopt;
    }
    if (token.size() == 1 && token[0] == terminator) {
      if (end - 1 == start) {
        fail(Twine("missing ") + what, 1);
        return std::nullopt;
      }
      return tokens.source().substr(start, end - 1 - start);
    }
  }
}

bool Reader::checkGroupName(Token name, size_t offset) {
  if (!isIdentifier(name) || (minor >= 12 && tokens.isBytes && !isAscii(name)))
    return fail("bad character in group name " + quoted(name), name.size() + offset);
  if (tokens.isBytes && !isAscii(name))
    warnings.push_back({"bad character in group name " + str::ascii(fromCodePoints(name)).bytes() +
                            " at position " + std::to_string(tokens.tell() - name.size() - offset),
                        true});
  return true;
}

std::optional<uint64_t> Reader::numberOf(Token text) {
  Result<PyInt> number = parseInt(fromCodePoints(text).bytes());
  if (!number || number->isNegative())
    return std::nullopt;
  return number->clampToInt64();
}
