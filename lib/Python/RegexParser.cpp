//===- RegexParser.cpp - From the text of a regular expression to a tree ---------------------===//
//
// In: a pattern and flags. Out: a tree, or the error that CPython's re has for it.
//
//===----------------------------------------------------------------------===//
#include "Raise.h"
#include "RegexReader.h"

#include "ptc/Python/Str.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::py;
using namespace ptc::py::re;
namespace re = ptc::py::re;

using llvm::Twine;

constexpr unsigned kDeepest = 200; ///< groups in groups

static constexpr uint32_t kTypeFlags = Ascii | Locale | Unicode;

static uint64_t saturated(uint64_t a, uint64_t b) {
  return a && b > kMaxRepeat / a ? kMaxRepeat : std::min<uint64_t>(a * b, kMaxRepeat);
}

static Width widthOf(const Node &node, llvm::ArrayRef<Width> groups) {
  auto ofPart = [&](size_t n) { return re::widthOf(node.parts[n], groups); };
  switch (node.kind) {
  case NodeKind::Literal:
  case NodeKind::Any:
  case NodeKind::Set:
    return {1, 1};
  case NodeKind::At:
  case NodeKind::Look:
    return {};
  case NodeKind::Group:
  case NodeKind::Atomic:
    return ofPart(0);
  case NodeKind::Repeat: {
    Width one = ofPart(0);
    return {saturated(one.min, node.min), saturated(one.max, node.max)};
  }
  case NodeKind::GroupRef:
    return groups[node.group];
  case NodeKind::Branch:
  case NodeKind::Conditional: {
    Width all = ofPart(0);
    for (size_t n = 1; n < node.parts.size(); ++n) {
      Width one = ofPart(n);
      all = {std::min(all.min, one.min), std::max(all.max, one.max)};
    }
    if (node.kind == NodeKind::Conditional && node.parts.size() == 1)
      all.min = 0;
    return all;
  }
  }
  llvm_unreachable("closed enum");
}

Width re::widthOf(const Sequence &sequence, llvm::ArrayRef<Width> groups) {
  Width sum;
  for (const Node &node : sequence) {
    Width one = ::widthOf(node, groups);
    sum = {sum.min + one.min, sum.max + one.max};
  }
  return {std::min<uint64_t>(sum.min, kMaxRepeat - 1), std::min<uint64_t>(sum.max, kMaxRepeat)};
}

static uint32_t flagOf(char32_t letter) {
  switch (letter) {
  case 'i':
    return IgnoreCase;
  case 'L':
    return Locale;
  case 'm':
    return MultiLine;
  case 's':
    return DotAll;
  case 'x':
    return Verbose;
  case 'a':
    return Ascii;
  case 'u':
    return Unicode;
  default:
    return 0;
  }
}

static std::optional<SetItem> categoryOf(char32_t letter) {
  SetItem item;
  item.isNegated = letter == 'D' || letter == 'S' || letter == 'W';
  switch (letter | 32) {
  case 'd':
    item.category = Category::Digit;
    break;
  case 's':
    item.category = Category::Space;
    break;
  case 'w':
    item.category = Category::Word;
    break;
  default:
    return std::nullopt;
  }
  return letter < 128 ? std::optional(item) : std::nullopt;
}

namespace {
class Parser : Reader {
public:
  Parser(const Subject &source, uint32_t flags, unsigned minor)
      : Reader(source, minor), flags(flags) {}

  std::variant<Tree, PatternError, Raised> run(Pattern &pattern);

private:
  struct Group {
    std::optional<Width> width; ///< once it is closed
    std::string name;
  };

  bool parseBranches(Sequence &out, bool isVerbose, unsigned depth);
  bool parseSequence(Sequence &out, bool isVerbose, unsigned depth, bool isFirst);
  bool parseEscape(Sequence &out);
  bool parseSet(Sequence &out);
  bool parseSetMember(Token token, std::optional<SetItem> &category, char32_t &point);
  bool parseRepeat(Sequence &out, Token token);
  bool parseGroup(Sequence &out, bool &isVerbose, unsigned depth, bool isFirst);
  bool parseNamed(Sequence &out, std::optional<Token> &name);
  bool parseLook(Sequence &out, Token token, size_t start, bool isVerbose, unsigned depth);
  bool parseConditional(Sequence &out, size_t start, bool isVerbose, unsigned depth);
  bool parseFlags(Token token, uint32_t &added, uint32_t &removed, bool &isGlobal);
  bool parseGroupBody(Sequence &out, Node node, size_t start, bool isVerbose, unsigned depth);
  /// The number behind \x, \u, \U; nothing of other escapes.
  bool parseCode(Token token, std::optional<char32_t> &point);
  void readOctal(std::u32string &digits);
  bool openGroup(std::optional<Token> name, uint32_t &group);
  bool addGroupRef(Sequence &out, uint32_t group, size_t offset);
  bool checkBehind(uint32_t group);
  bool checkFlags();
  bool endGroup(size_t start) {
    return tokens.match(')') || fail("missing ), unterminated subpattern", tokens.tell() - start);
  }
  std::optional<uint32_t> groupNamed(Token name) const {
    std::string wanted = fromCodePoints(name).bytes();
    for (size_t n = 1; n < groups.size(); ++n)
      if (groups[n].name == wanted)
        return n;
    return std::nullopt;
  }
  bool isClosed(uint32_t group) const { return group < groups.size() && groups[group].width; }
  std::vector<Width> widths() const {
    std::vector<Width> all;
    all.reserve(groups.size());
    for (const Group &group : groups)
      all.push_back(group.width.value_or(Width{}));
    return all;
  }

  uint32_t flags;
  std::vector<Group> groups = std::vector<Group>(1);
  std::optional<size_t> behindGroups; ///< inside of a lookbehind: the groups before it
  std::vector<std::pair<uint32_t, size_t>> conditions; ///< groups that may come later, where
};
} // namespace

bool Parser::openGroup(std::optional<Token> name, uint32_t &group) {
  group = groups.size();
  std::string text = name ? fromCodePoints(*name).bytes() : "";
  if (name)
    if (std::optional<uint32_t> other = groupNamed(*name))
      return fail("redefinition of group name " + str::repr(text).bytes() + " as group " +
                      Twine(group) + "; was group " + Twine(*other),
                  name->size() + 1);
  groups.push_back({std::nullopt, std::move(text)});
  return true;
}

bool Parser::checkBehind(uint32_t group) {
  if (!behindGroups)
    return true;
  if (!isClosed(group))
    return fail("cannot refer to an open group");
  return group < *behindGroups ||
         fail("cannot refer to group defined in the same lookbehind subpattern");
}

bool Parser::addGroupRef(Sequence &out, uint32_t group, size_t offset) {
  if (!isClosed(group))
    return fail("cannot refer to an open group", offset);
  if (!checkBehind(group))
    return false;
  Node node{NodeKind::GroupRef};
  node.group = group;
  out.push_back(std::move(node));
  return true;
}

static Node literal(char32_t point) {
  Node node{NodeKind::Literal};
  node.point = point;
  return node;
}

static Node position(Position where) {
  Node node{NodeKind::At};
  node.position = where;
  return node;
}

bool Parser::parseCode(Token token, std::optional<char32_t> &point) {
  const char32_t letter = token[1];
  const unsigned digits = letter == 'x'    ? 2
                          : tokens.isBytes ? 0
                          : letter == 'u'  ? 4
                          : letter == 'U'  ? 8
                                           : 0;
  if (letter == 'N' && !tokens.isBytes) {
    if (!tokens.match('{'))
      return fail("missing {");
    return getUntil('}', "character name") &&
           raise(limitExceeded("a name of a character in a regular expression"));
  }
  if (!digits)
    return true;
  std::u32string all(token);
  uint64_t value = 0;
  while (all.size() < digits + 2 && tokens.next().size() == 1 && tokens.next()[0] < 128 &&
         llvm::isHexDigit(char(tokens.next()[0]))) {
    value = value * 16 + llvm::hexDigitValue(char(tokens.next()[0]));
    all += tokens.get();
  }
  if (all.size() != digits + 2)
    return fail("incomplete escape " + shown(all), all.size());
  if (value > 0x10ffff)
    return fail("bad escape " + shown(all), all.size());
  point = value;
  return true;
}

/// Up to two more digits of an octal number.
void Parser::readOctal(std::u32string &digits) {
  for (unsigned n = 0; n < 2 && tokens.isAtOctal(); ++n)
    digits += tokens.get();
}

bool Parser::parseEscape(Sequence &out) {
  Token token = tokens.get();
  if (token.size() < 2)
    return checkEnd();
  const char32_t letter = token[1];
  if (std::optional<SetItem> category = categoryOf(letter)) {
    Node node{NodeKind::Set};
    node.set.push_back(*category);
    out.push_back(std::move(node));
    return true;
  }
  switch (letter) {
  case 'A':
    out.push_back(position(Position::TextStart));
    return true;
  case 'Z':
    out.push_back(position(Position::TextEnd));
    return true;
  case 'b':
    out.push_back(position(Position::Boundary));
    return true;
  case 'B':
    out.push_back(position(Position::NotBoundary));
    return true;
  case 'z':
    if (minor >= 14) {
      out.push_back(position(Position::TextEnd));
      return true;
    }
    break;
  default:
    break;
  }
  std::optional<char32_t> point = escapedCharacter(letter);
  if (!point && !parseCode(token, point))
    return false;
  if (!point && isDigit(letter)) {
    std::u32string digits(token.substr(1));
    if (letter == '0') {
      readOctal(digits);
      point = octalValue(digits);
    } else {
      if (tokens.isAtDigit()) {
        digits += tokens.get();
        if (isOctal(digits[0]) && isOctal(digits[1]) && tokens.isAtOctal()) {
          digits += tokens.get();
          point = octalValue(digits);
          if (*point > 0377)
            return fail("octal escape value \\" + shown(digits) + " outside of range 0-0o377",
                        digits.size() + 1);
        }
      }
      if (!point) {
        const uint32_t group = uint32_t(valueOf(digits));
        return group < groups.size()
                   ? addGroupRef(out, group, digits.size() + 1)
                   : fail("invalid group reference " + Twine(group), digits.size());
      }
    }
  }
  if (!point && isLetter(letter))
    return fail("bad escape " + shown(token), 2);
  out.push_back(literal(point.value_or(letter)));
  return true;
}

bool Parser::parseSetMember(Token token, std::optional<SetItem> &category, char32_t &point) {
  category.reset();
  point = token[0];
  if (token[0] != '\\')
    return true;
  if (token.size() < 2)
    return checkEnd();
  const char32_t letter = token[1];
  category = categoryOf(letter);
  if (category)
    return true;
  std::optional<char32_t> found = letter == 'b' ? U'\b' : escapedCharacter(letter);
  if (!found && !parseCode(token, found))
    return false;
  if (!found && isOctal(letter)) {
    std::u32string digits(token.substr(1));
    readOctal(digits);
    found = octalValue(digits);
    if (*found > 0377)
      return fail("octal escape value \\" + shown(digits) + " outside of range 0-0o377",
                  digits.size() + 1);
  }
  if (!found && (isDigit(letter) || isLetter(letter)))
    return fail("bad escape " + shown(token), 2);
  point = found.value_or(letter);
  return true;
}

bool Parser::parseSet(Sequence &out) {
  const size_t here = tokens.tell() - 1;
  auto warn = [&](const char *what, size_t at) {
    warnings.push_back({("Possible " + Twine(what) + " at position " + Twine(at)).str()});
  };
  if (tokens.isAt('['))
    warn("nested set", tokens.tell());
  Node node{NodeKind::Set};
  node.isNegated = tokens.match('^');
  auto add = [&](SetItem item) {
    if (!llvm::is_contained(node.set, item))
      node.set.push_back(item);
  };
  for (bool isFirst = true;; isFirst = false) {
    Token token = tokens.get();
    if (token.empty())
      return fail("unterminated character set", tokens.tell() - here);
    if (!isFirst && token == U"]")
      break;
    if (!isFirst && token.size() == 1 && tokens.next() == token) {
      const char *what = token == U"-"   ? "set difference"
                         : token == U"&" ? "set intersection"
                         : token == U"~" ? "set symmetric difference"
                         : token == U"|" ? "set union"
                                         : nullptr;
      if (what)
        warn(what, tokens.tell() - 1);
    }
    std::optional<SetItem> category, lastCategory;
    char32_t first = 0, last = 0;
    if (!parseSetMember(token, category, first))
      return false;
    SetItem item = category.value_or(SetItem{first, first});
    if (!tokens.match('-')) {
      add(item);
      continue;
    }
    Token to = tokens.get();
    if (to.empty())
      return fail("unterminated character set", tokens.tell() - here);
    if (to == U"]") {
      add(item);
      add({'-', '-'});
      break;
    }
    if (to == U"-")
      warn("set difference", tokens.tell() - 2);
    if (!parseSetMember(to, lastCategory, last))
      return false;
    if (category || lastCategory || last < first)
      return fail("bad character range " + shown(token) + "-" + shown(to),
                  token.size() + 1 + to.size());
    add({first, last});
  }
  if (node.set.size() == 1 && !node.isNegated && !node.set[0].category &&
      node.set[0].first == node.set[0].last)
    node = literal(node.set[0].first);
  out.push_back(std::move(node));
  return true;
}

bool Parser::parseRepeat(Sequence &out, Token token) {
  const size_t here = tokens.tell();
  const char32_t sign = token[0];
  uint64_t min = sign == '+', max = sign == '?' ? 1 : kMaxRepeat;
  if (sign == '{') {
    if (tokens.isAt('}')) {
      out.push_back(literal(sign));
      return true;
    }
    std::u32string low, high;
    while (tokens.isAtDigit())
      low += tokens.get();
    if (tokens.match(','))
      while (tokens.isAtDigit())
        high += tokens.get();
    else
      high = low;
    if (!tokens.match('}')) {
      out.push_back(literal(sign));
      tokens.seek(here);
      return true;
    }
    if (!low.empty())
      min = valueOf(low);
    if (!high.empty())
      max = valueOf(high);
    if (min >= kMaxRepeat || (!high.empty() && max >= kMaxRepeat))
      return raise(overflowError("the repetition number is too large"));
    if (max < min)
      return fail("min repeat greater than max repeat", tokens.tell() - here);
  }
  if (out.empty() || out.back().kind == NodeKind::At)
    return fail("nothing to repeat", tokens.tell() - here + 1);
  if (out.back().kind == NodeKind::Repeat)
    return fail("multiple repeat", tokens.tell() - here + 1);
  Node node{NodeKind::Repeat};
  node.min = min;
  node.max = max;
  node.mode = tokens.match('?')   ? RepeatMode::Lazy
              : tokens.match('+') ? RepeatMode::Possessive
                                  : RepeatMode::Greedy;
  node.parts.emplace_back();
  node.parts[0].push_back(std::move(out.back()));
  out.back() = std::move(node);
  return true;
}

bool Parser::parseFlags(Token token, uint32_t &added, uint32_t &removed, bool &isGlobal) {
  auto isFlag = [](Token t) { return t.size() == 1 && flagOf(t[0]); };
  auto unknown = [&](Token t, const char *missing) {
    bool isAlpha = str::isalpha(fromCodePoints(t));
    return fail(isAlpha ? "unknown flag" : missing, t.size());
  };
  if (token != U"-")
    while (true) {
      const uint32_t flag = flagOf(token[0]);
      if (!tokens.isBytes && flag == Locale)
        return fail("bad inline flags: cannot use 'L' flag with a str pattern");
      if (tokens.isBytes && flag == Unicode)
        return fail("bad inline flags: cannot use 'u' flag with a bytes pattern");
      added |= flag;
      if ((flag & kTypeFlags) && (added & kTypeFlags) != flag)
        return fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
      token = tokens.get();
      if (token.empty())
        return fail("missing -, : or )");
      if (token == U")" || token == U"-" || token == U":")
        break;
      if (!isFlag(token))
        return unknown(token, "missing -, : or )");
    }
  isGlobal = token == U")";
  if (isGlobal) {
    flags |= added;
    return true;
  }
  if (added & Debug)
    return fail("bad inline flags: cannot turn on global flag", 1);
  if (token == U"-") {
    token = tokens.get();
    if (token.empty())
      return fail("missing flag");
    if (!isFlag(token))
      return unknown(token, "missing flag");
    while (true) {
      if (flagOf(token[0]) & kTypeFlags)
        return fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
      removed |= flagOf(token[0]);
      token = tokens.get();
      if (token.empty())
        return fail("missing :");
      if (token == U":")
        break;
      if (!isFlag(token))
        return unknown(token, "missing :");
    }
  }
  return !(added & removed) || fail("bad inline flags: flag turned on and off", 1);
}

/// Behind (?P: a name for the group, or a reference, which is added.
bool Parser::parseNamed(Sequence &out, std::optional<Token> &name) {
  if (tokens.match('<')) {
    name = getUntil('>', "group name");
    return name && checkGroupName(*name, 1);
  }
  if (tokens.match('=')) {
    std::optional<Token> wanted = getUntil(')', "group name");
    if (!wanted || !checkGroupName(*wanted, 1))
      return false;
    std::optional<uint32_t> group = groupNamed(*wanted);
    if (!group)
      return fail("unknown group name " + quoted(*wanted), wanted->size() + 1);
    return addGroupRef(out, *group, wanted->size() + 1);
  }
  Token token = tokens.get();
  return token.empty() ? fail("unexpected end of pattern")
                       : fail("unknown extension ?P" + shown(token), token.size() + 2);
}

bool Parser::parseLook(Sequence &out, Token token, size_t start, bool isVerbose, unsigned depth) {
  Node node{NodeKind::Look};
  std::optional<size_t> outer = behindGroups;
  if (token == U"<") {
    token = tokens.get();
    if (token.empty())
      return fail("unexpected end of pattern");
    if (token != U"=" && token != U"!")
      return fail("unknown extension ?<" + shown(token), token.size() + 2);
    node.isBehind = true;
    if (!outer)
      behindGroups = groups.size();
  }
  node.isNegated = token == U"!";
  node.parts.emplace_back();
  if (!parseBranches(node.parts[0], isVerbose, depth + 1))
    return false;
  behindGroups = outer;
  if (!endGroup(start))
    return false;
  out.push_back(std::move(node));
  return true;
}

bool Parser::parseConditional(Sequence &out, size_t start, bool isVerbose, unsigned depth) {
  std::optional<Token> name = getUntil(')', "group name");
  if (!name)
    return false;
  Node node{NodeKind::Conditional};
  if (isIdentifier(*name)) {
    if (!checkGroupName(*name, 1))
      return false;
    std::optional<uint32_t> group = groupNamed(*name);
    if (!group)
      return fail("unknown group name " + quoted(*name), name->size() + 1);
    node.group = *group;
  } else {
    std::optional<uint64_t> group = numberOf(*name);
    if (!group || (minor >= 12 && !isAsciiNumber(*name)))
      return fail("bad character in group name " + quoted(*name), name->size() + 1);
    if (!*group)
      return fail("bad group number", name->size() + 1);
    if (*group >= kMaxGroups)
      return fail("invalid group reference " + Twine(*group), name->size() + 1);
    node.group = *group;
    conditions.emplace_back(node.group, tokens.tell() - name->size() - 1);
    if (!isAsciiNumber(*name))
      warnings.push_back({"bad character in group name " + quoted(*name) + " at position " +
                              std::to_string(tokens.tell() - name->size() - 1),
                          true});
  }
  if (!checkBehind(node.group))
    return false;
  node.parts.emplace_back();
  if (!parseSequence(node.parts[0], isVerbose, depth + 1, false))
    return false;
  if (tokens.match('|')) {
    node.parts.emplace_back();
    if (!parseSequence(node.parts[1], isVerbose, depth + 1, false))
      return false;
    if (tokens.isAt('|'))
      return fail("conditional backref with more than two branches");
  }
  if (!endGroup(start))
    return false;
  out.push_back(std::move(node));
  return true;
}

bool Parser::parseGroupBody(Sequence &out, Node node, size_t start, bool isVerbose,
                            unsigned depth) {
  node.parts.emplace_back();
  bool isInnerVerbose =
      (isVerbose || (node.addedFlags & Verbose)) && !(node.removedFlags & Verbose);
  if (!parseBranches(node.parts[0], isInnerVerbose, depth + 1) || !endGroup(start))
    return false;
  if (node.group)
    groups[node.group].width = re::widthOf(node.parts[0], widths());
  out.push_back(std::move(node));
  return true;
}

bool Parser::parseGroup(Sequence &out, bool &isVerbose, unsigned depth, bool isFirst) {
  const size_t start = tokens.tell() - 1;
  Node node{NodeKind::Group};
  std::optional<Token> name;
  bool captures = true;
  if (tokens.match('?')) {
    Token token = tokens.get();
    if (token.empty())
      return fail("unexpected end of pattern");
    if (token == U"P") {
      if (!parseNamed(out, name))
        return false;
      if (!name)
        return true;
    } else if (token == U":") {
      captures = false;
    } else if (token == U"#") {
      while (!tokens.next().empty())
        if (tokens.get() == U")")
          return true;
      return fail("missing ), unterminated comment", tokens.tell() - start);
    } else if (token == U"=" || token == U"!" || token == U"<") {
      return parseLook(out, token, start, isVerbose, depth);
    } else if (token == U"(") {
      return parseConditional(out, start, isVerbose, depth);
    } else if (token == U">") {
      captures = false;
      node.kind = NodeKind::Atomic;
    } else if (token == U"-" || (token.size() == 1 && flagOf(token[0]))) {
      bool isGlobal = false;
      if (!parseFlags(token, node.addedFlags, node.removedFlags, isGlobal))
        return false;
      if (isGlobal) {
        if (!isFirst || !out.empty())
          return fail("global flags not at the start of the expression", tokens.tell() - start);
        isVerbose = flags & Verbose;
        return true;
      }
      captures = false;
    } else {
      return fail("unknown extension ?" + shown(token), token.size() + 1);
    }
  }
  return (!captures || openGroup(name, node.group)) &&
         parseGroupBody(out, std::move(node), start, isVerbose, depth);
}

bool Parser::parseSequence(Sequence &out, bool isVerbose, unsigned depth, bool isFirst) {
  if (depth > kDeepest)
    return raise(limitExceeded("a regular expression that is nested this deeply"));
  while (true) {
    Token token = tokens.next();
    if (token.empty() || token == U"|" || token == U")")
      return checkEnd();
    const char32_t c = token[0];
    if (c == '\\') {
      if (!parseEscape(out))
        return false;
      continue;
    }
    tokens.get();
    if (isVerbose && llvm::StringRef(" \t\n\r\v\f").contains(char(c)) && c < 128)
      continue;
    if (isVerbose && c == '#') {
      while (!tokens.next().empty() && tokens.get() != U"\n")
        ;
      continue;
    }
    switch (c) {
    case '[':
      if (!parseSet(out))
        return false;
      break;
    case '?':
    case '*':
    case '+':
    case '{':
      if (!parseRepeat(out, token))
        return false;
      break;
    case '.':
      out.push_back(Node{NodeKind::Any});
      break;
    case '(':
      if (!parseGroup(out, isVerbose, depth, isFirst))
        return false;
      break;
    case '^':
      out.push_back(position(Position::Start));
      break;
    case '$':
      out.push_back(position(Position::End));
      break;
    default:
      out.push_back(literal(c));
      break;
    }
  }
}

bool Parser::parseBranches(Sequence &out, bool isVerbose, unsigned depth) {
  std::vector<Sequence> all;
  do {
    all.emplace_back();
    if (!parseSequence(all.back(), isVerbose, depth + 1, depth == 0 && all.size() == 1))
      return false;
    if (depth == 0)
      isVerbose = flags & Verbose;
  } while (tokens.match('|'));
  if (all.size() == 1) {
    out = std::move(all[0]);
    return true;
  }
  Node node{NodeKind::Branch};
  node.parts = std::move(all);
  out.push_back(std::move(node));
  return true;
}

bool Parser::checkFlags() {
  if (tokens.isBytes) {
    if (flags & Unicode)
      return raise(valueError("cannot use UNICODE flag with a bytes pattern"));
    if ((flags & Locale) && (flags & Ascii))
      return raise(valueError("ASCII and LOCALE flags are incompatible"));
    return true;
  }
  if (flags & Locale)
    return raise(valueError("cannot use LOCALE flag with a str pattern"));
  if ((flags & Ascii) && (flags & Unicode))
    return raise(valueError("ASCII and UNICODE flags are incompatible"));
  if (!(flags & Ascii))
    flags |= Unicode;
  return true;
}

std::variant<Tree, PatternError, Raised> Parser::run(Pattern &pattern) {
  Tree tree;
  bool isDone = parseBranches(tree.body, flags & Verbose, 0) && checkFlags() &&
                (tokens.next().empty() || fail("unbalanced parenthesis"));
  for (auto [group, at] : conditions)
    if (isDone && group >= groups.size())
      isDone = failAt("invalid group reference " + Twine(group), at);
  if (!isDone || !checkEnd())
    return takeFailure<std::variant<Tree, PatternError, Raised>>();
  pattern.flags = flags;
  pattern.groups = groups.size() - 1;
  pattern.isBytes = tokens.isBytes;
  for (size_t n = 1; n < groups.size(); ++n)
    if (!groups[n].name.empty())
      pattern.names.push_back({groups[n].name, uint32_t(n)});
  pattern.warnings = std::move(warnings);
  tree.groupWidths = widths();
  return tree;
}

std::variant<Tree, PatternError, Raised> re::parse(Subject source, uint32_t flags, unsigned minor,
                                                   Pattern &pattern) {
  return Parser(source, flags, minor).run(pattern);
}
