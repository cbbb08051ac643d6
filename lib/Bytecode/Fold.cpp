// Makes one of the copies that a compiler made of a piece of code, and orders what is left by the
// flow graph alone, so that neither a version's choice of copies nor its layout is seen behind this
// library. In: reachable instructions with their depths. Out: the same behaviour, each instruction
// once.
//
// Instructions are one if they have the same operands and source positions, stand at one depth, and
// go on to instructions that are one: the coarsest such partition, as a finite automaton is
// minimised (Hopcroft 1971). So a `while` test that stands before the loop and again at its bottom,
// or a short way out of the function that was copied to every jump that led there, folds however
// long it is.
#include "Translate.h"

#include "llvm/Support/xxhash.h"

#include <array>
#include <numeric>
#include <utility>

using namespace ptc;

namespace {

class CopyFolder {
public:
  explicit CopyFolder(CanonicalCode &code)
      : code(code), instrs(code.instrs), count(code.instrs.size()) {}

  void run() {
    findSuccessors();
    findEndings();
    groupByContent();
    refine();
    order();
    emit();
  }

private:
  /// What a branch on truth or on None does in two ways is one opcode here, with the way that is
  /// taken when the condition holds in `Jump`.
  enum Way : uint8_t { Next, Jump, Raise };
  static constexpr unsigned kWays = 3;
  static constexpr Way kWaysInAll[] = {Next, Jump, Raise};

  struct Class {
    uint32_t begin = 0, end = 0; ///< in `members`
    uint32_t marked = 0;         ///< so many of them, at the front, are told from the others
    bool queued = true;
    uint32_t first = kNoIndex; ///< the instruction that stands for all

    uint32_t size() const { return end - begin; }
  };

  /// All that instructions which are one have in common, but for where they go.
  using Content = std::array<uint32_t, 11>;

  uint32_t resolve(uint32_t index) const;
  Content contentOf(uint32_t index) const;
  void findSuccessors();
  void findEndings();
  void groupByContent();
  void refine();
  void split(uint32_t which);
  uint32_t classAfter(uint32_t which, Way way) const {
    uint32_t to = next[way][classes[which].first];
    return to == kNoIndex ? kNoIndex : classOf[to];
  }
  void order();
  void emit();
  void emitClass(uint32_t which, uint32_t following, CanonicalCode &out);

  CanonicalCode &code;
  std::vector<Instr> &instrs;
  uint32_t count;
  std::vector<uint32_t> next[kWays]; ///< per instruction, jumps followed
  std::vector<bool> isEnding;
  std::vector<Class> classes;
  std::vector<uint32_t> members, placeOf, classOf;
  std::vector<uint32_t> layout; ///< classes in their new order
};

/// A branch on a condition, by what it asks.
std::optional<Opcode> getCondition(Opcode op) {
  if (op == Opcode::POP_JUMP_IF_TRUE || op == Opcode::POP_JUMP_IF_FALSE)
    return Opcode::POP_JUMP_IF_TRUE;
  if (op == Opcode::POP_JUMP_IF_NONE || op == Opcode::POP_JUMP_IF_NOT_NONE)
    return Opcode::POP_JUMP_IF_NONE;
  return std::nullopt;
}

Opcode getOpposite(Opcode condition) {
  return condition == Opcode::POP_JUMP_IF_TRUE ? Opcode::POP_JUMP_IF_FALSE
                                               : Opcode::POP_JUMP_IF_NOT_NONE;
}

/// Where control arrives that goes to `index`. A chain of more jumps is followed by its own nodes.
uint32_t CopyFolder::resolve(uint32_t index) const {
  for (unsigned hops = 0; hops < 8 && instrs[index].op == Opcode::JUMP; ++hops)
    index = instrs[index].target;
  return index;
}

void CopyFolder::findSuccessors() {
  for (std::vector<uint32_t> &ways : next)
    ways.assign(count, kNoIndex);
  for (uint32_t i = 0; i < count; ++i) {
    const Instr &instr = instrs[i];
    OpFlow flow = instr.info().flow;
    if (flow == OpFlow::Next || flow == OpFlow::Branch)
      next[Next][i] = resolve(i + 1);
    if (instr.target != kNoIndex)
      next[Jump][i] = resolve(instr.target);
    std::optional<Opcode> condition = getCondition(instr.op);
    if (condition && *condition != instr.op)
      std::swap(next[Next][i], next[Jump][i]);
    if (code.handlers[i].exists())
      next[Raise][i] = resolve(code.handlers[i].target);
  }
}

/// Instructions behind which the function ends without a word to anybody. Only these may lose their
/// position: `i = 0` before a loop and `i = 0; continue` in it go on alike, too, but as one they
/// would be the head of another loop.
void CopyFolder::findEndings() {
  isEnding.assign(count, false);
  for (uint32_t i = count; i-- > 0;) {
    OpFlow flow = instrs[i].info().flow;
    if (flow == OpFlow::Next)
      isEnding[i] = !instrs[i].info().mayRaise && next[Next][i] > i && isEnding[next[Next][i]];
    else
      isEnding[i] =
          flow == OpFlow::Return || (instrs[i].op == Opcode::RERAISE && !code.handlers[i].exists());
  }
}

CopyFolder::Content CopyFolder::contentOf(uint32_t index) const {
  const Instr &i = instrs[index];
  bool isSeen = i.op != Opcode::LOAD_FAST && i.op != Opcode::RERAISE && !isEnding[index];
  SourceRange range = isSeen ? i.range : SourceRange();
  const Handler &handler = code.handlers[index];
  Opcode op = getCondition(i.op).value_or(i.op);
  return {uint32_t(op),
          i.arg,
          i.arg2,
          i.keywords,
          range.line,
          range.column,
          range.endLine,
          range.endColumn,
          code.depths[index],
          handler.exists(),
          handler.exists() ? handler.depth : 0};
}

/// The order of the classes shows nowhere, so what is cheap to compare comes first: hashes.
void CopyFolder::groupByContent() {
  struct Row {
    uint64_t hash;
    Content content;
    auto operator<=>(const Row &) const = default;
  };
  std::vector<Row> rows;
  rows.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    Content content = contentOf(i);
    rows.push_back({llvm::xxh3_64bits(llvm::ArrayRef(
                        reinterpret_cast<const uint8_t *>(content.data()), sizeof content)),
                    content});
  }
  members.resize(count);
  std::iota(members.begin(), members.end(), 0U);
  llvm::sort(members, [&](uint32_t a, uint32_t b) { return rows[a] < rows[b]; });
  placeOf.resize(count);
  classOf.resize(count);
  for (uint32_t at = 0; at < count; ++at) {
    if (at == 0 || rows[members[at - 1]] != rows[members[at]])
      classes.emplace_back().begin = at;
    classes.back().end = at + 1;
    placeOf[members[at]] = at;
    classOf[members[at]] = classes.size() - 1;
  }
}

/// The smaller of the two parts becomes a class of its own: each instruction is then looked at as a
/// successor at most log(count) times.
void CopyFolder::split(uint32_t which) {
  Class &old = classes[which];
  uint32_t border = old.begin + old.marked;
  old.marked = 0;
  if (border == old.end)
    return;
  Class part;
  if (border - old.begin <= old.end - border) {
    part.begin = old.begin;
    part.end = old.begin = border;
  } else {
    part.end = old.end;
    part.begin = old.end = border;
  }
  for (uint32_t at = part.begin; at < part.end; ++at)
    classOf[members[at]] = classes.size();
  classes.push_back(part);
}

void CopyFolder::refine() {
  // An instruction has one successor each way, so lists of predecessors are threaded through it.
  std::vector<uint32_t> lastBefore[kWays], otherBefore[kWays];
  for (Way way : kWaysInAll) {
    lastBefore[way].assign(count, kNoIndex);
    otherBefore[way].assign(count, kNoIndex);
    for (uint32_t i = 0; i < count; ++i)
      if (next[way][i] != kNoIndex)
        otherBefore[way][i] = std::exchange(lastBefore[way][next[way][i]], i);
  }
  std::vector<uint32_t> work(classes.size()), from, touched;
  std::iota(work.begin(), work.end(), 0U);
  while (!work.empty()) {
    Class &splitter = classes[work.back()];
    work.pop_back();
    splitter.queued = false;
    from.assign(members.begin() + splitter.begin, members.begin() + splitter.end);
    for (Way way : kWaysInAll) {
      touched.clear();
      for (uint32_t target : from)
        for (uint32_t i = lastBefore[way][target]; i != kNoIndex; i = otherBefore[way][i]) {
          Class &of = classes[classOf[i]];
          if (of.size() == 1)
            continue;
          if (of.marked == 0)
            touched.push_back(classOf[i]);
          uint32_t place = of.begin + of.marked++, other = members[place];
          std::swap(members[place], members[placeOf[i]]);
          std::swap(placeOf[i], placeOf[other]);
        }
      for (uint32_t which : touched) {
        uint32_t known = classes.size();
        split(which);
        if (classes.size() > known)
          work.push_back(known);
      }
    }
  }
  for (uint32_t i = count; i-- > 0;)
    classes[classOf[i]].first = i;
}

/// Reverse post-order. What is entered last stands first: behind a branch the way taken when its
/// condition holds, handlers behind everything that they do not lead to.
void CopyFolder::order() {
  struct Visit {
    uint32_t which;
    uint8_t step;
  };
  std::vector<bool> entered(classes.size());
  std::vector<Visit> stack;
  auto enter = [&](uint32_t which) {
    if (which == kNoIndex || entered[which])
      return;
    entered[which] = true;
    stack.push_back({which, 0});
  };
  enter(classOf[resolve(0)]);
  while (!stack.empty()) {
    Visit &visit = stack.back();
    if (visit.step == kWays) {
      layout.push_back(visit.which);
      stack.pop_back();
      continue;
    }
    bool asks = getCondition(instrs[classes[visit.which].first].op).has_value();
    const Way ways[] = {Raise, asks ? Next : Jump, asks ? Jump : Next};
    enter(classAfter(visit.which, ways[visit.step++]));
  }
  std::reverse(layout.begin(), layout.end());
}

/// Targets are classes until all have their place.
void CopyFolder::emitClass(uint32_t which, uint32_t following, CanonicalCode &out) {
  uint32_t first = classes[which].first;
  Instr instr = instrs[first];
  uint32_t through = classAfter(which, Next);
  instr.target = classAfter(which, Jump);
  if (std::optional<Opcode> condition = getCondition(instr.op)) {
    instr.op = *condition;
    if (through != following) {
      std::swap(through, instr.target);
      instr.op = getOpposite(*condition);
    }
  }
  Handler handler = code.handlers[first];
  if (handler.exists())
    handler.target = classAfter(which, Raise);
  out.instrs.push_back(instr);
  out.handlers.push_back(handler);
  if (through == kNoIndex || through == following)
    return;
  Instr jump;
  jump.op = Opcode::JUMP;
  jump.target = through;
  jump.offset = instr.offset;
  jump.range = instr.range;
  out.instrs.push_back(jump);
  out.handlers.emplace_back();
}

void CopyFolder::emit() {
  CanonicalCode out;
  std::vector<uint32_t> indexOf(classes.size());
  for (size_t at = 0; at < layout.size(); ++at) {
    indexOf[layout[at]] = out.instrs.size();
    emitClass(layout[at], at + 1 < layout.size() ? layout[at + 1] : kNoIndex, out);
  }
  for (size_t i = 0; i < out.instrs.size(); ++i) {
    if (out.instrs[i].target != kNoIndex)
      out.instrs[i].target = indexOf[out.instrs[i].target];
    if (out.handlers[i].exists())
      out.handlers[i].target = indexOf[out.handlers[i].target];
  }
  instrs = std::move(out.instrs);
  code.handlers = std::move(out.handlers);
}

} // namespace

void ptc::foldCopies(CanonicalCode &code) { CopyFolder(code).run(); }
