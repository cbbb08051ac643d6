//===- Regex.h - Syntax trees and programs of regular expressions -*- C++ -*-===//
//
// Private to the parser, the compiler and the matcher.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_REGEX_H
#define PTC_LIB_PYTHON_REGEX_H

#include "ptc/Python/Regex.h"

#include "llvm/ADT/BitVector.h"

namespace ptc::py::re {

inline constexpr uint32_t kMaxRepeat = UINT32_MAX;
inline constexpr uint32_t kMaxGroups = INT32_MAX / 2;

enum class Category : uint8_t { Digit, Space, Word };

/// A range of code points, or those of a category or not.
struct SetItem {
  uint32_t first = 0, last = 0;
  std::optional<Category> category = std::nullopt;
  bool isNegated = false; ///< of a category

  bool operator==(const SetItem &) const = default;
};

enum class Position : uint8_t {
  Start,       ///< ^
  End,         ///< $
  TextStart,   ///< \A
  TextEnd,     ///< \Z
  Boundary,    ///< \b
  NotBoundary, ///< \B
};

enum class RepeatMode : uint8_t { Greedy, Lazy, Possessive };

enum class NodeKind : uint8_t {
  Literal,
  Any,
  Set,
  At,
  Branch, ///< parts: alternatives
  Group,  ///< capturing where `group` is not 0
  Atomic, ///< (?>...)
  Repeat,
  Look, ///< (?=...), (?!...), (?<=...), (?<!...)
  GroupRef,
  Conditional, ///< parts: yes, and no if there is one
};

struct Node;
using Sequence = std::vector<Node>;

struct Node {
  NodeKind kind;
  bool isNegated = false; ///< Set, Look
  bool isBehind = false;  ///< Look
  Position position = Position::Start;
  RepeatMode mode = RepeatMode::Greedy;
  uint32_t point = 0; ///< Literal
  uint32_t group = 0;
  uint32_t addedFlags = 0, removedFlags = 0; ///< Group
  uint32_t min = 0, max = 0;                 ///< Repeat
  std::vector<SetItem> set = {};
  std::vector<Sequence> parts = {};
};

/// How many code points a match has.
struct Width {
  uint64_t min = 0, max = 0;
};
/// `groups`: of the groups that are closed.
Width widthOf(const Sequence &sequence, llvm::ArrayRef<Width> groups);

struct Tree {
  Sequence body;
  std::vector<Width> groupWidths; ///< by group, 0 first
};

/// Fills in what `pattern` says of itself.
std::variant<Tree, PatternError, Raised> parse(Subject source, uint32_t flags, unsigned minor,
                                               Pattern &pattern);

/// How letters compare.
enum class Folding : uint8_t { None, Ascii, Unicode };

enum class Opcode : uint8_t {
  Char,       ///< point
  FoldedChar, ///< lower case is point; folding
  Set,        ///< a: of sets
  Any,        ///< but the end of a line
  AnyAll,
  At,          ///< a: a Position; isMultiLine, isAscii
  Jump,        ///< a: to
  Split,       ///< the next instruction first, then a
  Mark,        ///< a: 2 * group, + 1 at its end
  RepeatStart, ///< a: register
  RepeatNext,  ///< a: register; min, max, mode; b: the body. The tail is next
  RepeatOne,   ///< min, max, mode; the next instruction is what is repeated, its next the tail
  Look,        ///< isNegated; min: how far back; a: behind the body, which is next
  Atomic,      ///< a: behind the body
  RepeatAtoms, ///< min, max; a: behind the body
  BodyEnd,     ///< of the three
  GroupRef,    ///< a: group; folding
  Conditional, ///< a: group; b: where to go if it is not set
  Success,
};

struct Instruction {
  Opcode op;
  RepeatMode mode = RepeatMode::Greedy;
  Folding folding = Folding::None;
  bool isNegated = false;
  bool isMultiLine = false;
  bool isAscii = false;
  uint32_t a = 0, b = 0;
  uint32_t min = 0, max = 0;
};

/// Members of a set by code point, after letters have been made lower case if it folds.
struct CharSet {
  bool isNegated = false;
  bool isAscii = false; ///< of its categories
  Folding folding = Folding::None;
  llvm::BitVector members;    ///< of the code points below its size
  std::vector<SetItem> items; ///< categories, and ranges beyond
};

struct Program {
  std::vector<Instruction> code;
  std::vector<CharSet> sets;
  uint32_t registers = 0;
  uint32_t groups = 0;
  bool emptyHasNoBoundary = false; ///< \B does not match in an empty text
};

std::variant<Program, PatternError, Raised> lower(const Tree &tree, const Pattern &pattern,
                                                  unsigned minor);

char32_t toLower(char32_t point, Folding folding);
/// Of one code point, as sre has it.
char32_t toUpper(char32_t point);
bool isInCategory(char32_t point, Category category, bool isAscii);
/// Other lower case letters that a letter equals when case is ignored; the letter itself is not
/// among them.
llvm::ArrayRef<char32_t> alsoLower(char32_t lower);

} // namespace ptc::py::re

#endif // PTC_LIB_PYTHON_REGEX_H
