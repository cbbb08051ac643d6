//===- JsonProblem.cpp - What is wrong with JSON, in words for its author ---------------===//
//
// In: text that should be one JSON value. Out: the first place where it is not, with what was
// expected there. What Python's or JavaScript's notation has beyond JSON gets a hint.
//
//===----------------------------------------------------------------------===//
#include "JsonProblem.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <cmath>

using namespace ptc;
using namespace ptc::tool;

namespace {
class JsonChecker {
public:
  explicit JsonChecker(llvm::StringRef text) : text(text) {}

  std::optional<JsonProblem> check() {
    const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
    const llvm::UTF8 *end = begin + text.size();
    if (const llvm::UTF8 *bad = begin; !llvm::isLegalUTF8String(&bad, end)) {
      at = size_t(bad - begin);
      fail("a character that is not UTF-8");
      return std::move(problem);
    }
    at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; // a byte order mark
    if (!value("a value"))
      return std::move(problem);
    skipBlanks();
    if (at < text.size())
      expected("the end of the text");
    return std::move(problem);
  }

private:
  // Each of these returns false behind a problem.

  bool value(llvm::StringRef what) {
    skipBlanks();
    switch (peek()) {
    case '{':
      return object();
    case '[':
      return array();
    case '"':
      return string();
    default:
      return llvm::isDigit(peek()) || peek() == '-' ? number() : word(what);
    }
  }

  bool array() {
    ++at;
    skipBlanks();
    if (take(']'))
      return true;
    do {
      if (!value("a value"))
        return false;
      skipBlanks();
    } while (take(','));
    return take(']') || expected("',' or ']'");
  }

  bool object() {
    ++at;
    skipBlanks();
    if (take('}'))
      return true;
    do {
      skipBlanks();
      if (peek() != '"')
        return expected("a name in double quotes");
      if (!string())
        return false;
      skipBlanks();
      if (!take(':'))
        return expected("':' behind the name");
      if (!value("a value behind ':'"))
        return false;
      skipBlanks();
    } while (take(','));
    return take('}') || expected("',' or '}'");
  }

  bool string() {
    size_t start = at++;
    while (peek() != '"') {
      if (at == text.size() || peek() == '\n') {
        at = start;
        return fail("a string without its closing quote");
      }
      if (uint8_t(peek()) < 0x20)
        return fail("a control character in a string", "write it as \\t or \\u0001");
      if (peek() != '\\')
        ++at;
      else if (!escape())
        return false;
    }
    ++at;
    return true;
  }

  bool escape() {
    if (text.substr(at, 2) != "\\u") {
      if (!llvm::StringRef("\"\\/bfnrt").contains(text.substr(at + 1, 1)) || at + 1 == text.size())
        return fail("a backslash before what needs none", "a backslash itself is \\\\");
      at += 2;
      return true;
    }
    std::optional<uint32_t> unit = codeUnit();
    bool high = unit && *unit >= 0xd800 && *unit < 0xdc00;
    bool low = unit && *unit >= 0xdc00 && *unit < 0xe000;
    std::optional<uint32_t> second = high ? codeUnit(6) : std::nullopt;
    if (!unit || low || (high && !(second && *second >= 0xdc00 && *second < 0xe000)))
      return fail("\\u that stands for no character",
                  "\\u takes four hexadecimal digits; characters beyond them are two of a pair");
    at += high ? 12 : 6;
    return true;
  }

  /// Of the \uXXXX that starts `offset` behind here.
  std::optional<uint32_t> codeUnit(size_t offset = 0) const {
    llvm::StringRef digits = text.substr(at + offset, 6);
    uint32_t unit;
    if (!digits.consume_front("\\u") || digits.size() != 4 ||
        !llvm::all_of(digits, llvm::isHexDigit) || digits.getAsInteger(16, unit))
      return std::nullopt;
    return unit;
  }

  bool number() {
    size_t start = at;
    take('-');
    if (llvm::isAlpha(peek())) {
      at = start;
      return word("a number");
    }
    size_t first = at;
    if (!digits())
      return expected("a digit");
    if (text[first] == '0' && at > first + 1) {
      at = start;
      return fail("a number that starts with 0", "leave out the leading zeros");
    }
    bool isFloat = take('.');
    if (isFloat && !digits())
      return expected("a digit behind the point");
    if (take('e') || take('E')) {
      isFloat = true;
      if (!take('-'))
        take('+');
      if (!digits())
        return expected("a digit of the exponent");
    }
    if (!isFloat || std::isfinite(std::strtod(text.slice(start, at).str().c_str(), nullptr)))
      return true;
    at = start;
    return fail("a number that no float holds", "infinity is {\"$float\": \"inf\"}");
  }

  bool digits() {
    size_t start = at;
    while (llvm::isDigit(peek()))
      ++at;
    return at > start;
  }

  /// true, false and null; anything else is none of JSON's.
  bool word(llvm::StringRef what) {
    llvm::StringRef found = wordHere();
    if (found == "true" || found == "false" || found == "null") {
      at += found.size();
      return true;
    }
    llvm::StringRef name = found;
    bool negative = name.consume_front("-");
    if (name.equals_insensitive("nan"))
      return expected(what, "not a number is {\"$float\": \"nan\"}");
    if (name.equals_insensitive("infinity") || name.equals_insensitive("inf"))
      return expected(what, std::string("infinity is {\"$float\": \"") + (negative ? "-" : "") +
                                "inf\"}");
    if (name == "True" || name == "False" || name == "None")
      return expected(what, "JSON writes true, false and null");
    if (peek() == '\'')
      return expected(what, "strings stand in double quotes");
    if (peek() == '(')
      return expected(what, "a tuple is {\"$tuple\": [1, 2]}");
    return expected(what);
  }

  llvm::StringRef wordHere() const {
    llvm::StringRef rest = text.substr(at);
    size_t sign = rest.starts_with("-");
    return rest.take_front(
        sign + rest.drop_front(sign).take_while([](char c) { return llvm::isAlnum(c); }).size());
  }

  bool expected(llvm::StringRef what, std::string hint = "") {
    std::string found = "the end of the text";
    if (at < text.size()) {
      llvm::StringRef here = wordHere();
      if (here.empty() || here == "-") // one character, however many bytes it has
        here = text.substr(at, std::max(1u, llvm::getNumBytesForUTF8(uint8_t(text[at]))));
      found = ("'" + here.take_front(40) + "'").str();
    }
    bool closes = peek() == ']' || peek() == '}';
    if (hint.empty() && closes && llvm::StringRef(text).take_front(at).rtrim().ends_with(","))
      hint = "no comma stands behind the last element";
    return fail(("expected " + what + ", found " + found).str(), std::move(hint));
  }

  bool fail(std::string what, std::string hint = "") {
    llvm::StringRef before = text.take_front(at);
    size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    problem = {uint32_t(before.count('\n') + 1), uint32_t(at - lineStart + 1), std::move(what),
               std::move(hint)};
    return false;
  }

  void skipBlanks() {
    while (at < text.size() && llvm::StringRef(" \t\r\n").contains(text[at]))
      ++at;
  }
  char peek() const { return at < text.size() ? text[at] : '\0'; }
  bool take(char c) {
    bool here = at < text.size() && text[at] == c;
    at += here;
    return here;
  }

  llvm::StringRef text;
  size_t at = 0;
  std::optional<JsonProblem> problem;
};
} // namespace

std::optional<JsonProblem> tool::findJsonProblem(llvm::StringRef text) {
  return JsonChecker(text).check();
}
