//===- Regex.h - Regular expressions of module re -*- C++ -*-===//
//
// The syntax of CPython's re and what its matcher finds: the first match in the order in which
// backtracking tries alternatives, with the groups that it leaves. Positions count code points of a
// str, or bytes.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_REGEX_H
#define PTC_PYTHON_REGEX_H

#include "ptc/Python/Result.h"
#include "ptc/Python/Text.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ptc::py::re {

/// As RegexFlag has them.
enum Flag : uint32_t {
  Template = 1,
  IgnoreCase = 2,
  Locale = 4,
  MultiLine = 8,
  DotAll = 16,
  Unicode = 32,
  Verbose = 64,
  Debug = 128,
  Ascii = 256,
};

/// A str, or bytes as they are. It refers to memory of somebody else.
struct Subject {
  StrRef text;
  bool isBytes = false;

  size_t length() const { return isBytes ? text.bytes().size() : text.length(); }
};

/// re.error: `text` with the position, where the message has one.
struct PatternError {
  std::string message;
  std::optional<size_t> position;
};

/// A warning of the parser.
struct PatternWarning {
  std::string text;
  bool isDeprecation = false; ///< else a FutureWarning
};

struct Program;

/// A compiled pattern. Immutable.
class Pattern {
public:
  struct Name {
    std::string name;
    uint32_t group;
  };

  Pattern();
  Pattern(Pattern &&) noexcept;
  Pattern &operator=(Pattern &&) noexcept;
  ~Pattern();

  uint32_t flags = 0;  ///< with those written in the pattern
  uint32_t groups = 0; ///< without group 0
  bool isBytes = false;
  std::vector<Name> names; ///< in the order of the groups
  std::vector<PatternWarning> warnings;
  std::unique_ptr<const Program> program;

  std::optional<uint32_t> findName(llvm::StringRef name) const;
};

/// `minor`: of CPython 3. Raises ValueError for flags that exclude each other, OverflowError for
/// numbers of repetitions, and a Limit for patterns that are nested too deeply and for names of
/// characters.
using Compiled = std::variant<Pattern, PatternError, Raised>;
Compiled compile(Subject pattern, uint32_t flags, unsigned minor);

enum class Mode : uint8_t { Search, Match, FullMatch };

struct Match {
  /// Start and end of group 0, 1, ...; -1 of groups that took no part.
  std::vector<int64_t> spans;
  uint32_t lastIndex = 0; ///< the last group that was closed; 0: none
};

/// The first match from `from` on, that ends before `to`. Requires from <= length, to <= length.
/// A Limit where backtracking takes too many steps.
Result<std::optional<Match>> find(const Pattern &pattern, Subject subject, size_t from, size_t to,
                                  Mode mode);

/// All matches that finditer() gives, `most` at most (0: all).
Result<std::vector<Match>> findAll(const Pattern &pattern, Subject subject, size_t from, size_t to,
                                   size_t most = 0);

/// A part of a replacement: text, or a group's.
using TemplatePart = std::variant<Str, uint32_t>;
using ReplacementTemplate = std::vector<TemplatePart>;

/// What sub() and expand() take: IndexError for names that the pattern does not have. Bytes are
/// given and returned as code points 0 to 255.
std::variant<ReplacementTemplate, PatternError, Raised> parseTemplate(const Pattern &pattern,
                                                                      Subject text, unsigned minor);

} // namespace ptc::py::re

#endif // PTC_PYTHON_REGEX_H
