//===- RegexReader.h - Tokens of regular expressions and of replacements -*- C++ -*-===//
//
// Private to the two parsers.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_REGEXREADER_H
#define PTC_LIB_PYTHON_REGEXREADER_H

#include "Regex.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace ptc::py::re {

inline bool isDigit(char32_t c) { return c >= '0' && c <= '9'; }
inline bool isOctal(char32_t c) { return c >= '0' && c <= '7'; }
inline bool isLetter(char32_t c) { return c < 128 && llvm::isAlpha(char(c)); }

/// The character that a backslash and this letter stand for.
std::optional<char32_t> escapedCharacter(char32_t letter);
uint32_t octalValue(std::u32string_view digits);

/// What ends a parse: an error of re, or another exception.
using Failure = std::variant<PatternError, Raised>;

/// A character of the source, or a backslash and the one behind it. Empty: the end.
using Token = std::u32string_view;

/// The source, one token ahead.
class Tokens {
public:
  explicit Tokens(const Subject &source);

  Token next() const { return ahead; }
  bool isAt(char32_t c) const { return ahead.size() == 1 && ahead[0] == c; }
  bool isAtDigit() const { return ahead.size() == 1 && isDigit(ahead[0]); }
  bool isAtOctal() const { return ahead.size() == 1 && isOctal(ahead[0]); }
  Token get() {
    Token token = ahead;
    advance();
    return token;
  }
  bool match(char32_t c) {
    bool isIt = isAt(c);
    if (isIt)
      advance();
    return isIt;
  }
  size_t tell() const { return index - ahead.size(); }
  void seek(size_t to) {
    index = to;
    advance();
  }
  size_t size() const { return text.size(); }

  std::u32string_view source() const { return text; }

  const bool isBytes;
  /// A backslash is the last character.
  bool endsInEscape = false;

private:
  void advance() {
    size_t length = std::min<size_t>(index < text.size() && text[index] == '\\' ? 2 : 1,
                                     text.size() - std::min(index, text.size()));
    endsInEscape |= length == 1 && text[index] == '\\';
    ahead = Token(text).substr(std::min(index, text.size()), length);
    index += length;
  }

  const std::u32string text;
  size_t index = 0;
  Token ahead;
};

/// What patterns and templates have in common: names, numbers, errors. Members that can fail return
/// false and leave the failure here.
class Reader {
public:
  Reader(const Subject &source, unsigned minor) : tokens(source), minor(minor) {}

  std::optional<Failure> failure;

protected:
  bool fail(const llvm::Twine &message, size_t offset = 0);
  bool failAt(const llvm::Twine &message, std::optional<size_t> position);
  bool raise(Raised raised);
  /// CPython sees a backslash at the end as soon as it is ahead: before what comes after that.
  bool checkEnd();
  /// What failed, in place of a result.
  template <typename Result> Result takeFailure() {
    Failure why = failure.value_or(PatternError());
    return std::visit([](auto &one) -> Result { return std::move(one); }, why);
  }

  std::string shown(Token token) const;
  /// repr() of a name.
  std::string quoted(Token token) const;
  static bool isIdentifier(Token token);
  static bool isAscii(Token token);
  static bool isAsciiNumber(Token token);

  /// Up to a terminator, which is read, too.
  std::optional<Token> getUntil(char32_t terminator, const char *what);
  /// A name of a group that is an identifier.
  bool checkGroupName(Token name, size_t offset);
  /// A number as int() reads it, or nothing.
  static std::optional<uint64_t> numberOf(Token text);
  /// Of decimal digits.
  static uint64_t valueOf(Token digits) { return numberOf(digits).value_or(0); }

  Tokens tokens;
  const unsigned minor;
  std::vector<PatternWarning> warnings;
};

} // namespace ptc::py::re

#endif // PTC_LIB_PYTHON_REGEXREADER_H
