//===- RegexCompiler.cpp - From a tree to a program of the matcher ---------------------------===//
//
// In: a tree and the flags of its pattern. Out: instructions. Flags of a part are resolved here:
// what a letter equals, what ends a line, what a dot is.
//
//===----------------------------------------------------------------------===//
#include "Raise.h"
#include "Regex.h"
#include "Unicode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace ptc::py;
using namespace ptc::py::re;
namespace re = ptc::py::re;

static constexpr uint32_t kTypeFlags = Ascii | Locale | re::Unicode;
/// Ranges up to here are bits of a set.
constexpr uint32_t kBits = 0x10000;

static constexpr struct {
  char32_t point;
  std::u32string_view others;
} kSameUpper[] = {
#define PTC_UNICODE_SAME_UPPER(Point, Others) {Point, Others},
#include "Unicode.inc"
#undef PTC_UNICODE_SAME_UPPER
};

llvm::ArrayRef<char32_t> re::alsoLower(char32_t lower) {
  const auto *found = llvm::lower_bound(
      kSameUpper, lower, [](const auto &row, char32_t point) { return row.point < point; });
  if (found == std::end(kSameUpper) || found->point != lower)
    return {};
  return {found->others.data(), found->others.size()};
}

/// The mapping to one code point: of those that have several, the first is that of U+0130 alone.
static char32_t simpleLower(char32_t point) {
  std::u32string mapped;
  unicode::appendMapped(mapped, point, unicode::Mapping::Lower);
  return mapped[0];
}

char32_t re::toUpper(char32_t point) {
  for (unicode::Mapping mapping : {unicode::Mapping::Upper, unicode::Mapping::Title}) {
    std::u32string mapped;
    unicode::appendMapped(mapped, point, mapping);
    if (mapped.size() == 1)
      return mapped[0];
  }
  return point;
}

char32_t re::toLower(char32_t point, Folding folding) {
  if (point < 128)
    return folding != Folding::None && point >= 'A' && point <= 'Z' ? point + 32 : point;
  return folding == Folding::Unicode ? simpleLower(point) : point;
}

bool re::isInCategory(char32_t point, Category category, bool isAscii) {
  if (isAscii && point >= 128)
    return false;
  switch (category) {
  case Category::Digit:
    return unicode::has(point, unicode::Decimal);
  case Category::Space: // the four separators of ASCII are white space of str alone
    return isAscii ? point == ' ' || (point >= '\t' && point <= '\r')
                   : unicode::has(point, unicode::Space);
  case Category::Word:
    return point == '_' || unicode::has(point, unicode::Alpha | unicode::Decimal | unicode::Digit |
                                                   unicode::Numeric);
  }
  llvm_unreachable("closed enum");
}

namespace {
class Compiler {
public:
  Compiler(const Tree &tree, Program &program) : tree(tree), program(program) {}

  void emitAll(const Sequence &sequence, uint32_t flags) {
    for (const Node &node : sequence)
      emit(node, flags);
  }
  Instruction &add(Opcode op) { return program.code.emplace_back(Instruction{op}); }

  std::optional<PatternError> error;
  /// Is a group repeated possessively, and may it be met again once it has matched?
  bool repeatsGroupsPossessively = false, meetsThemAgain = false;

private:
  void emit(const Node &node, uint32_t flags);
  void emitSet(const Node &node, uint32_t flags);
  void emitBranch(const Node &node, uint32_t flags);
  void emitRepeat(const Node &node, uint32_t flags);
  void emitLook(const Node &node, uint32_t flags);
  void emitConditional(const Node &node, uint32_t flags);
  uint32_t here() const { return program.code.size(); }
  Instruction &at(uint32_t n) { return program.code[n]; }
  /// Emits an instruction that will know where `body`, which is next, ends.
  uint32_t emitBody(Instruction start, const Sequence &body, uint32_t flags);

  const Tree &tree;
  Program &program;
  bool isInLoop = false; ///< is the code met again in one match?
};
} // namespace

static Folding foldingOf(uint32_t flags) {
  return !(flags & IgnoreCase) ? Folding::None
         : flags & re::Unicode ? Folding::Unicode
                               : Folding::Ascii;
}

static bool isAsciiOf(uint32_t flags) { return !(flags & re::Unicode); }

/// Is it matched by one instruction, one code point long?
static bool isUnit(const Node &node) {
  return node.kind == NodeKind::Literal || node.kind == NodeKind::Any || node.kind == NodeKind::Set;
}

void Compiler::emitSet(const Node &node, uint32_t flags) {
  CharSet set;
  set.isNegated = node.isNegated;
  set.isAscii = isAsciiOf(flags);
  set.folding = foldingOf(flags);
  auto insert = [&](char32_t point) {
    if (point >= set.members.size())
      set.members.resize(std::max<size_t>(128, llvm::NextPowerOf2(point)));
    set.members.set(point);
  };
  for (const SetItem &item : node.set) {
    if (item.category) {
      set.items.push_back(item);
      continue;
    }
    for (uint32_t point = item.first; point <= item.last && point < kBits; ++point) {
      char32_t lower = re::toLower(point, set.folding);
      insert(lower);
      if (set.folding == Folding::Unicode)
        for (char32_t other : alsoLower(lower))
          insert(other);
    }
    if (item.last >= kBits)
      set.items.push_back(item);
  }
  add(Opcode::Set).a = program.sets.size();
  program.sets.push_back(std::move(set));
}

void Compiler::emitBranch(const Node &node, uint32_t flags) {
  std::vector<uint32_t> ends;
  for (const Sequence &part : node.parts) {
    const bool isLast = &part == &node.parts.back();
    const uint32_t split = here();
    if (!isLast)
      add(Opcode::Split);
    emitAll(part, flags);
    if (isLast)
      break;
    ends.push_back(here());
    add(Opcode::Jump);
    at(split).a = here();
  }
  for (uint32_t end : ends)
    at(end).a = here();
}

uint32_t Compiler::emitBody(Instruction start, const Sequence &body, uint32_t flags) {
  const uint32_t first = here();
  program.code.push_back(start);
  emitAll(body, flags);
  add(Opcode::BodyEnd);
  at(first).a = here();
  return first;
}

void Compiler::emitRepeat(const Node &node, uint32_t flags) {
  const Sequence &body = node.parts[0];
  // A group that only delimits is its contents.
  const Node *unit = &body[0];
  while (unit->kind == NodeKind::Group && !unit->group && unit->parts[0].size() == 1 &&
         !unit->addedFlags && !unit->removedFlags)
    unit = &unit->parts[0][0];
  Instruction repeat{Opcode::RepeatOne, node.mode};
  repeat.min = node.min;
  repeat.max = node.max;
  if (isUnit(*unit)) {
    program.code.push_back(repeat);
    emit(*unit, flags);
    return;
  }
  llvm::SaveAndRestore inLoop(isInLoop, isInLoop || node.max > 1);
  if (node.mode == RepeatMode::Possessive) {
    repeat.op = Opcode::RepeatAtoms;
    const uint32_t first = emitBody(repeat, body, flags);
    for (uint32_t n = first; n < here(); ++n)
      if (at(n).op == Opcode::Mark) {
        repeatsGroupsPossessively = true;
        meetsThemAgain |= isInLoop;
      }
    return;
  }
  repeat.a = program.registers++;
  add(Opcode::RepeatStart).a = repeat.a;
  const uint32_t jump = here();
  add(Opcode::Jump);
  repeat.b = here();
  emitAll(body, flags);
  at(jump).a = here();
  repeat.op = Opcode::RepeatNext;
  program.code.push_back(repeat);
}

void Compiler::emitLook(const Node &node, uint32_t flags) {
  Instruction look{Opcode::Look};
  look.isNegated = node.isNegated;
  if (node.isBehind) {
    Width width = widthOf(node.parts[0], tree.groupWidths);
    if (width.min > UINT32_MAX)
      error = error.value_or(PatternError{"looks too much behind", std::nullopt});
    if (width.min != width.max)
      error =
          error.value_or(PatternError{"look-behind requires fixed-width pattern", std::nullopt});
    look.min = uint32_t(width.min);
  }
  emitBody(look, node.parts[0], flags);
}

void Compiler::emitConditional(const Node &node, uint32_t flags) {
  const uint32_t test = here();
  add(Opcode::Conditional).a = node.group;
  emitAll(node.parts[0], flags);
  const uint32_t jump = here();
  if (node.parts.size() == 2)
    add(Opcode::Jump);
  at(test).b = here();
  if (node.parts.size() == 2) {
    emitAll(node.parts[1], flags);
    at(jump).a = here();
  }
}

void Compiler::emit(const Node &node, uint32_t flags) {
  switch (node.kind) {
  case NodeKind::Literal: {
    const Folding folding = foldingOf(flags);
    const char32_t lower = re::toLower(node.point, folding);
    if (folding == Folding::Unicode && !alsoLower(lower).empty()) {
      Node set{NodeKind::Set};
      set.set.push_back({lower, lower});
      return emitSet(set, flags);
    }
    Instruction &inst = add(folding == Folding::None ? Opcode::Char : Opcode::FoldedChar);
    inst.a = lower;
    inst.folding = folding;
    return;
  }
  case NodeKind::Any:
    add(flags & DotAll ? Opcode::AnyAll : Opcode::Any);
    return;
  case NodeKind::Set:
    return emitSet(node, flags);
  case NodeKind::At: {
    Instruction &inst = add(Opcode::At);
    inst.a = uint32_t(node.position);
    inst.isMultiLine = flags & MultiLine;
    inst.isAscii = isAsciiOf(flags);
    return;
  }
  case NodeKind::Branch:
    return emitBranch(node, flags);
  case NodeKind::Group: {
    uint32_t inner = flags;
    if (node.addedFlags & kTypeFlags)
      inner &= ~kTypeFlags;
    inner = (inner | node.addedFlags) & ~node.removedFlags;
    if (node.group)
      add(Opcode::Mark).a = 2 * node.group;
    emitAll(node.parts[0], inner);
    if (node.group)
      add(Opcode::Mark).a = 2 * node.group + 1;
    return;
  }
  case NodeKind::Atomic:
    emitBody({Opcode::Atomic}, node.parts[0], flags);
    return;
  case NodeKind::Repeat:
    return emitRepeat(node, flags);
  case NodeKind::Look:
    return emitLook(node, flags);
  case NodeKind::GroupRef: {
    Instruction &inst = add(Opcode::GroupRef);
    inst.a = node.group;
    inst.folding = foldingOf(flags);
    return;
  }
  case NodeKind::Conditional:
    return emitConditional(node, flags);
  }
}

std::variant<Program, PatternError, Raised> re::lower(const Tree &tree, const Pattern &pattern,
                                                      unsigned minor) {
  Program program;
  program.groups = pattern.groups;
  program.emptyHasNoBoundary = minor < 14;
  Compiler compiler(tree, program);
  compiler.emitAll(tree.body, pattern.flags);
  compiler.add(Opcode::Success);
  if (compiler.error)
    return *compiler.error;
  // The matcher of 3.12 leaves the start of a turn that failed in a group that has matched before,
  // the first of 3.11 in any.
  if (minor < 12 ? compiler.repeatsGroupsPossessively : compiler.meetsThemAgain && minor < 13)
    return limitExceeded("a possessive repetition with a group before CPython 3.13");
  return program;
}

Pattern::Pattern() = default;
Pattern::Pattern(Pattern &&) noexcept = default;
Pattern &Pattern::operator=(Pattern &&) noexcept = default;
Pattern::~Pattern() = default;

std::optional<uint32_t> Pattern::findName(llvm::StringRef name) const {
  auto found = llvm::find_if(names, [&](const Name &n) { return n.name == name; });
  return found == names.end() ? std::nullopt : std::optional(found->group);
}

Compiled re::compile(Subject source, uint32_t flags, unsigned minor) {
  Pattern pattern;
  auto tree = parse(source, flags, minor, pattern);
  if (auto *error = std::get_if<PatternError>(&tree))
    return std::move(*error);
  if (auto *raised = std::get_if<Raised>(&tree))
    return std::move(*raised);
  auto program = lower(std::get<Tree>(tree), pattern, minor);
  if (auto *error = std::get_if<PatternError>(&program))
    return std::move(*error);
  if (auto *raised = std::get_if<Raised>(&program))
    return std::move(*raised);
  pattern.program = std::make_unique<const Program>(std::move(std::get<Program>(program)));
  return pattern;
}
