//===- RegexMatcher.cpp - Runs programs of regular expressions -------------------------------===//
//
// In: a program and a text. Out: the first match by the order of backtracking. One stack holds
// where to go on after a failure and what has to be undone before; only bodies of assertions and
// of atomic parts are runs of their own, which nest as the pattern does.
//
//===----------------------------------------------------------------------===//
#include "Raise.h"
#include "Regex.h"

#include <span>

using namespace ptc::py;
using namespace ptc::py::re;
namespace re = ptc::py::re;

/// About a second.
constexpr uint64_t kMostSteps = 100'000'000;
/// Of the stack: 24 bytes each.
constexpr size_t kMostEntries = size_t(1) << 26;

static bool isMember(const CharSet &set, char32_t point) {
  point = toLower(point, set.folding);
  bool isIn = point < set.members.size() && set.members[point];
  for (const SetItem &item : set.items) {
    if (isIn)
      break;
    if (item.category) {
      isIn = isInCategory(point, *item.category, set.isAscii) != item.isNegated;
      continue;
    }
    isIn = item.first <= point && point <= item.last;
    if (!isIn && set.folding == Folding::Unicode) {
      char32_t upper = toUpper(point);
      isIn = item.first <= upper && upper <= item.last;
    }
  }
  return isIn != set.isNegated;
}

namespace {
template <typename Unit> class Matcher {
public:
  Matcher(const Program &program, std::span<const Unit> text)
      : program(program), text(text), marks(2 * (size_t(program.groups) + 1), -1),
        registers(program.registers) {}

  /// Whether there is a match from `from` on; `mustAdvance`: it is not empty if it starts there.
  bool search(int64_t from, Mode mode, bool mustAdvance);

  Match match() const {
    Match found;
    found.spans.assign(marks.begin(), marks.end());
    for (size_t n = 0; n < found.spans.size(); n += 2)
      if (found.spans[n] < 0 || found.spans[n + 1] < 0)
        found.spans[n] = found.spans[n + 1] = -1;
    found.spans[0] = start;
    found.spans[1] = end;
    found.lastIndex = lastIndex;
    return found;
  }
  int64_t matchStart() const { return start; }
  int64_t matchEnd() const { return end; }
  bool isExhausted() const { return exhausted; }

private:
  struct Register {
    int64_t count = -1, last = -1; ///< turns that are done; where the last one began
  };
  enum class What : uint8_t {
    GoOn,       ///< at `pc`, `at`
    GiveBack,   ///< a greedy RepeatOne at `pc` has matched up to `at`, and keeps up to `other`
    TakeOne,    ///< a lazy RepeatOne at `pc` has matched `other` times up to `at`
    TakeTurn,   ///< a lazy RepeatNext at `pc`
    UndoMark,   ///< `pc` was `at`
    UndoTurn,   ///< register `pc` was `at`, `other`
    UndoClosed, ///< the last group that was closed was `pc`
  };
  struct Entry {
    What what;
    uint32_t pc;
    int64_t at, other;
  };

  bool run(uint32_t pc, int64_t at, size_t base);
  bool backtrack(uint32_t &pc, int64_t &at, size_t base);
  bool step(uint32_t &pc, int64_t &at);
  void undo(const Entry &entry);
  bool isAt(const Instruction &inst, int64_t at) const;
  bool isOne(const Instruction &inst, char32_t c) const;
  bool repeatOne(uint32_t &pc, int64_t &at);
  bool repeatNext(uint32_t &pc, int64_t &at);
  bool repeatAtoms(uint32_t &pc, int64_t &at);
  bool look(uint32_t &pc, int64_t &at);
  bool isSameAsGroup(const Instruction &inst, int64_t &at) const;
  bool isSet(size_t group) const { return marks[2 * group] >= 0 && marks[2 * group + 1] >= 0; }
  /// Runs a body; if it matches, what it could still try is given up.
  bool runBody(uint32_t pc, int64_t &at);
  void setRegister(uint32_t n, Register to) {
    stack.push_back({What::UndoTurn, n, registers[n].count, registers[n].last});
    registers[n] = to;
  }
  int64_t size() const { return int64_t(text.size()); }

  const Program &program;
  std::span<const Unit> text; ///< up to where a match may end
  std::vector<int64_t> marks;
  std::vector<Register> registers;
  std::vector<Entry> stack;
  uint32_t lastIndex = 0;
  uint64_t steps = 0;     ///< of this search
  bool exhausted = false; ///< it is given up
  int64_t start = 0, end = 0;
  bool isFull = false, isAdvancing = false;
  int64_t bodyEnd = 0; ///< where the body that was run last ended
};
} // namespace

template <typename Unit> void Matcher<Unit>::undo(const Entry &entry) {
  switch (entry.what) {
  case What::UndoMark:
    marks[entry.pc] = entry.at;
    break;
  case What::UndoTurn:
    registers[entry.pc] = {entry.at, entry.other};
    break;
  case What::UndoClosed:
    lastIndex = entry.pc;
    break;
  default:
    break;
  }
}

template <typename Unit> bool Matcher<Unit>::isAt(const Instruction &inst, int64_t at) const {
  auto isWord = [&](int64_t n) {
    return n >= 0 && n < size() && isInCategory(text[n], Category::Word, inst.isAscii);
  };
  switch (Position(inst.a)) {
  case Position::TextStart:
    return at == 0;
  case Position::TextEnd:
    return at == size();
  case Position::Start:
    return at == 0 || (inst.isMultiLine && text[at - 1] == '\n');
  case Position::End:
    return at == size() || (text[at] == '\n' && (inst.isMultiLine || at + 1 == size()));
  case Position::Boundary:
    return isWord(at - 1) != isWord(at);
  case Position::NotBoundary:
    return isWord(at - 1) == isWord(at) && !(text.empty() && program.emptyHasNoBoundary);
  }
  llvm_unreachable("closed enum");
}

template <typename Unit> bool Matcher<Unit>::isOne(const Instruction &inst, char32_t c) const {
  switch (inst.op) {
  case Opcode::Char:
    return c == inst.a;
  case Opcode::FoldedChar:
    return toLower(c, inst.folding) == inst.a;
  case Opcode::Set:
    return isMember(program.sets[inst.a], c);
  case Opcode::Any:
    return c != '\n';
  default:
    assert(inst.op == Opcode::AnyAll && "not of one code point");
    return true;
  }
}

template <typename Unit>
bool Matcher<Unit>::isSameAsGroup(const Instruction &inst, int64_t &at) const {
  if (!isSet(inst.a))
    return false;
  const size_t mark = 2 * size_t(inst.a);
  const int64_t from = marks[mark], length = marks[mark + 1] - from;
  if (length < 0 || size() - at < length)
    return false;
  for (int64_t n = 0; n < length; ++n)
    if (toLower(text[from + n], inst.folding) != toLower(text[at + n], inst.folding))
      return false;
  at += length;
  return true;
}

template <typename Unit> bool Matcher<Unit>::repeatOne(uint32_t &pc, int64_t &at) {
  const Instruction &inst = program.code[pc], &one = program.code[pc + 1];
  const int64_t least = inst.min;
  int64_t most = inst.max == kMaxRepeat ? size() - at : std::min<int64_t>(inst.max, size() - at);
  if (inst.mode == RepeatMode::Lazy)
    most = std::min(most, least);
  int64_t count = 0;
  while (count < most && isOne(one, text[at + count]))
    ++count;
  steps += count;
  if (count < least)
    return false;
  if (inst.mode == RepeatMode::Lazy)
    stack.push_back({What::TakeOne, pc, at + count, count});
  else if (inst.mode == RepeatMode::Greedy && count > least)
    stack.push_back({What::GiveBack, pc, at + count, at + least});
  at += count;
  pc += 2;
  return true;
}

template <typename Unit> bool Matcher<Unit>::repeatNext(uint32_t &pc, int64_t &at) {
  const Instruction &inst = program.code[pc];
  const Register now = registers[inst.a];
  const int64_t count = now.count + 1;
  if (count < inst.min) {
    setRegister(inst.a, {count, now.last});
    pc = inst.b;
    return true;
  }
  if (inst.mode == RepeatMode::Lazy) {
    stack.push_back({What::TakeTurn, pc, at, 0});
  } else if ((inst.max == kMaxRepeat || count < inst.max) && at != now.last) {
    stack.push_back({What::GoOn, pc + 1, at, 0});
    setRegister(inst.a, {count, at});
    pc = inst.b;
    return true;
  }
  ++pc;
  return true;
}

template <typename Unit> bool Matcher<Unit>::runBody(uint32_t pc, int64_t &at) {
  const size_t base = stack.size();
  if (!run(pc, at, base))
    return false;
  auto isChoice = [](const Entry &entry) { return entry.what < What::UndoMark; };
  stack.erase(std::remove_if(stack.begin() + base, stack.end(), isChoice), stack.end());
  at = bodyEnd;
  return true;
}

template <typename Unit> bool Matcher<Unit>::look(uint32_t &pc, int64_t &at) {
  const Instruction &inst = program.code[pc];
  const size_t base = stack.size();
  int64_t from = at - inst.min;
  bool matches = from >= 0 && runBody(pc + 1, from);
  if (exhausted)
    return false;
  if (inst.isNegated)
    while (stack.size() > base) {
      undo(stack.back());
      stack.pop_back();
    }
  pc = inst.a;
  return matches != inst.isNegated;
}

template <typename Unit> bool Matcher<Unit>::repeatAtoms(uint32_t &pc, int64_t &at) {
  const Instruction &inst = program.code[pc];
  int64_t last = -1;
  for (int64_t count = 0; inst.max == kMaxRepeat || count < inst.max; ++count) {
    if (count >= inst.min) {
      if (at == last)
        break;
      last = at;
    }
    if (isExhausted() || !runBody(pc + 1, at)) {
      if (count < inst.min)
        return false;
      break;
    }
  }
  pc = inst.a;
  return true;
}

/// Takes one instruction; false: it does not match.
template <typename Unit> bool Matcher<Unit>::step(uint32_t &pc, int64_t &at) {
  const Instruction &inst = program.code[pc];
  switch (inst.op) {
  case Opcode::Char:
  case Opcode::FoldedChar:
  case Opcode::Set:
  case Opcode::Any:
  case Opcode::AnyAll:
    if (at >= size() || !isOne(inst, text[at]))
      return false;
    ++at;
    break;
  case Opcode::At:
    if (!isAt(inst, at))
      return false;
    break;
  case Opcode::Jump:
    pc = inst.a;
    return true;
  case Opcode::Split:
    stack.push_back({What::GoOn, inst.a, at, 0});
    break;
  case Opcode::Mark:
    stack.push_back({What::UndoMark, inst.a, marks[inst.a], 0});
    marks[inst.a] = at;
    if (inst.a & 1) {
      stack.push_back({What::UndoClosed, lastIndex, 0, 0});
      lastIndex = inst.a / 2;
    }
    break;
  case Opcode::RepeatStart:
    setRegister(inst.a, {});
    break;
  case Opcode::RepeatNext:
    return repeatNext(pc, at);
  case Opcode::RepeatOne:
    return repeatOne(pc, at);
  case Opcode::RepeatAtoms:
    return repeatAtoms(pc, at);
  case Opcode::Look:
    return look(pc, at);
  case Opcode::Atomic:
    if (!runBody(pc + 1, at))
      return false;
    pc = program.code[pc].a;
    return true;
  case Opcode::GroupRef:
    if (!isSameAsGroup(inst, at))
      return false;
    break;
  case Opcode::Conditional:
    if (!isSet(inst.a)) {
      pc = inst.b;
      return true;
    }
    break;
  case Opcode::BodyEnd:
  case Opcode::Success:
    llvm_unreachable("ends a run");
  }
  ++pc;
  return true;
}

/// Undoes and takes the next choice above `base`; false: there is none.
template <typename Unit> bool Matcher<Unit>::backtrack(uint32_t &pc, int64_t &at, size_t base) {
  while (stack.size() > base) {
    Entry entry = stack.back();
    stack.pop_back();
    const Instruction &inst = program.code[entry.what < What::UndoMark ? entry.pc : 0];
    switch (entry.what) {
    case What::GoOn:
      pc = entry.pc;
      at = entry.at;
      return true;
    case What::GiveBack:
      at = entry.at - 1;
      if (at > entry.other)
        stack.push_back({What::GiveBack, entry.pc, at, entry.other});
      pc = entry.pc + 2;
      return true;
    case What::TakeOne:
      if ((inst.max != kMaxRepeat && entry.other >= inst.max) || entry.at >= size() ||
          !isOne(program.code[entry.pc + 1], text[entry.at]))
        break;
      at = entry.at + 1;
      stack.push_back({What::TakeOne, entry.pc, at, entry.other + 1});
      pc = entry.pc + 2;
      return true;
    case What::TakeTurn: {
      const Register now = registers[inst.a];
      if ((inst.max != kMaxRepeat && now.count + 1 >= inst.max) || entry.at == now.last)
        break;
      setRegister(inst.a, {now.count + 1, entry.at});
      pc = inst.b;
      at = entry.at;
      return true;
    }
    default:
      undo(entry);
      break;
    }
  }
  return false;
}

template <typename Unit> bool Matcher<Unit>::run(uint32_t pc, int64_t at, size_t base) {
  while (true) {
    exhausted |= ++steps >= kMostSteps || stack.size() >= kMostEntries;
    if (exhausted)
      return false;
    const Opcode op = program.code[pc].op;
    if (op == Opcode::BodyEnd) {
      bodyEnd = at;
      return true;
    }
    if (op == Opcode::Success && !(isFull && at != size()) && !(isAdvancing && at == start)) {
      end = at;
      return true;
    }
    if (op != Opcode::Success && step(pc, at))
      continue;
    if (isExhausted() || !backtrack(pc, at, base))
      return false;
  }
}

template <typename Unit> bool Matcher<Unit>::search(int64_t from, Mode mode, bool mustAdvance) {
  isFull = mode == Mode::FullMatch;
  steps = 0;
  const Instruction &first = program.code[0];
  for (start = from; start <= size(); ++start) {
    isAdvancing = mustAdvance && start == from;
    if (mode == Mode::Search && first.op == Opcode::Char) {
      while (start < size() && text[start] != first.a)
        ++start;
      isAdvancing &= start == from;
    }
    std::fill(marks.begin(), marks.end(), -1);
    lastIndex = 0;
    stack.clear();
    if (run(0, start, 0))
      return true;
    if (isExhausted() || mode != Mode::Search)
      return false;
  }
  return false;
}

/// Calls `use` with a matcher over the units of `subject` up to `to`.
template <typename Use>
static auto withMatcher(const Pattern &pattern, const Subject &subject, size_t to, Use use) {
  std::string_view bytes = subject.text.bytes();
  if (subject.isBytes || subject.text.isAscii()) {
    std::span units(reinterpret_cast<const unsigned char *>(bytes.data()), to);
    return use(Matcher<unsigned char>(*pattern.program, units));
  }
  std::u32string points = toCodePoints(bytes);
  return use(Matcher<char32_t>(*pattern.program, std::span(points).first(to)));
}

static Raised tooManySteps() {
  return limitExceeded("a regular expression that backtracks this often");
}

Result<std::optional<Match>> re::find(const Pattern &pattern, Subject subject, size_t from,
                                      size_t to, Mode mode) {
  return withMatcher(pattern, subject, to, [&](auto matcher) -> Result<std::optional<Match>> {
    if (from > to)
      return std::optional<Match>();
    if (matcher.search(int64_t(from), mode, false))
      return std::optional(matcher.match());
    if (matcher.isExhausted())
      return tooManySteps();
    return std::optional<Match>();
  });
}

Result<std::vector<Match>> re::findAll(const Pattern &pattern, Subject subject, size_t from,
                                       size_t to, size_t most) {
  return withMatcher(pattern, subject, to, [&](auto matcher) -> Result<std::vector<Match>> {
    std::vector<Match> all;
    int64_t at = int64_t(from);
    bool mustAdvance = false;
    while (at <= int64_t(to) && (!most || all.size() < most) &&
           matcher.search(at, Mode::Search, mustAdvance)) {
      all.push_back(matcher.match());
      at = matcher.matchEnd();
      mustAdvance = matcher.matchStart() == at;
    }
    if (matcher.isExhausted())
      return tooManySteps();
    return all;
  });
}
