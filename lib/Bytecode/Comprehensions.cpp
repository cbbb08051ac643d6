// Makes comprehensions part of the function around them, the same way for all versions: 3.11 calls
// a function for each, later versions run them in place and save and restore the variables that
// have a name of the function's (PEP 709). In: reachable instructions with their depths. Out: no
// such call, and each comprehension has variables of its own, so that nothing is saved.
//
// Where a function looks at its variables as a whole (locals() and the like), its version's form is
// what it sees; such a function stays as it is.
#include "Translate.h"

#include "ptc/Bytecode/Decode.h"
#include "ptc/Support/Error.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptc;

namespace {

/// Nodes that are looked at for one comprehension; instructions and locals of one function.
constexpr size_t kMaxRegion = 2000, kMaxInstrs = 1 << 16, kMaxLocals = 1 << 10;

bool usesLocal(const Instr &instr) {
  OperandKind kind = instr.info().operand;
  return kind == OperandKind::Local || kind == OperandKind::Cell;
}

bool isStore(const Instr &instr) {
  return instr.op == Opcode::STORE_FAST || instr.op == Opcode::STORE_DEREF;
}

bool seesVariables(llvm::ArrayRef<llvm::StringRef> names) {
  return llvm::any_of(names, [](llvm::StringRef name) {
    return llvm::StringSwitch<bool>(name)
        .Cases({"locals", "vars", "dir", "eval", "exec", "super"}, true)
        .Default(false);
  });
}

/// Does the instruction touch the value at `place`, counted from the bottom of the stack?
bool touches(const CanonicalCode &code, uint32_t index, uint32_t place) {
  const Instr &instr = code.instrs[index];
  uint32_t left = code.depths[index] - getStackEffect(instr).pops;
  if (left <= place || (instr.op == Opcode::SWAP && left == place + 1))
    return true;
  return instr.info().operand == OperandKind::Depth && left - instr.arg == place;
}

class Predecessors {
public:
  explicit Predecessors(const CanonicalCode &code) : of(code.size()) {
    llvm::SmallVector<uint32_t, 4> next;
    for (uint32_t i = 0; i < code.size(); ++i) {
      next.clear();
      appendSuccessors(code, i, next);
      for (uint32_t s : next)
        if (s < code.size())
          of[s].push_back(i);
    }
  }
  llvm::ArrayRef<uint32_t> operator[](uint32_t index) const { return of[index]; }

private:
  std::vector<llvm::SmallVector<uint32_t, 2>> of;
};

//===-- Calls of 3.11 -----------------------------------------------------------------------===//

/// A comprehension that is made a function of and called.
struct Site {
  uint32_t begin, end; ///< the instructions that make the function
  uint32_t call;
  const CanonicalCode *body;
  llvm::SmallVector<uint32_t, 4> cells; ///< locals for the free variables of the body
};

class Inliner {
public:
  explicit Inliner(CanonicalCode &code) : code(code), before(code) {}
  /// False if there was nothing to do.
  bool run();

private:
  bool findBody(Site &site, uint32_t load) const;
  bool findStart(Site &site, uint32_t load) const;
  bool findCall(Site &site) const;
  std::vector<uint32_t> mapLocals(const Site &site);
  void emit(const Site &site);
  void openCells(size_t given);

  CanonicalCode &code;
  Predecessors before;
  CanonicalCode out;
  std::vector<uint32_t> behind; ///< jumps that go on behind the call, by index in `out`
};

bool Inliner::findBody(Site &site, uint32_t load) const {
  const auto *object = llvm::dyn_cast<CodeObject>(code.consts[code.instrs[load].arg]);
  bool isComprehension = object && llvm::StringSwitch<bool>(object->name)
                                       .Cases({"<listcomp>", "<setcomp>", "<dictcomp>"}, true)
                                       .Default(false);
  if (!isComprehension || object->isGeneratorLike() || object->parameterCount() != 1 ||
      !object->hasFlag(CO_OPTIMIZED))
    return false;
  llvm::Expected<const CanonicalCode *> body = getCanonical(*object);
  if (!body) {
    llvm::consumeError(body.takeError()); // told where it is decoded for itself
    return false;
  }
  site.body = *body;
  if (seesVariables(site.body->names) ||
      llvm::any_of(site.body->handlers, [](const Handler &h) { return h.exists(); }))
    return false;
  // A variable that may be unbound would be bound by the last time.
  return llvm::none_of(site.body->instrs, [&](const Instr &instr) {
    return instr.op == Opcode::IMPORT_NAME || instr.op == Opcode::DELETE_FAST ||
           (instr.op == Opcode::LOAD_FAST_CHECK && !site.body->locals[instr.arg].isFree);
  });
}

/// The cells, the tuple of them and the code before MAKE_FUNCTION, one behind the other.
bool Inliner::findStart(Site &site, uint32_t load) const {
  size_t free = llvm::count_if(site.body->locals, [](const LocalSlot &s) { return s.isFree; });
  site.begin = load;
  site.end = load + 2;
  if (code.instrs[load + 1].op != Opcode::MAKE_FUNCTION)
    return false;
  if (free) {
    const Instr &last = code.instrs[site.end++];
    if (last.op != Opcode::SET_FUNCTION_ATTRIBUTE ||
        FunctionAttribute(last.arg) != FunctionAttribute::Closure || load < free + 1 ||
        code.instrs[load - 1].op != Opcode::BUILD_TUPLE || code.instrs[load - 1].arg != free)
      return false;
    site.begin = load - 1 - free;
    for (uint32_t i = site.begin; i < load - 1; ++i) {
      if (code.instrs[i].op != Opcode::LOAD_CLOSURE || !code.locals[code.instrs[i].arg].holdsCell())
        return false;
      site.cells.push_back(code.instrs[i].arg);
    }
  }
  for (uint32_t i = site.begin + 1; i <= site.end && i < code.size(); ++i)
    if (before[i].size() != 1)
      return false;
  return site.end < code.size();
}

/// The one call that all ways from here lead to, and nothing else takes the function.
bool Inliner::findCall(Site &site) const {
  uint32_t place = code.depths[site.begin];
  llvm::DenseSet<uint32_t> seen{site.end};
  std::vector<uint32_t> work{site.end};
  site.call = kNoIndex;
  llvm::SmallVector<uint32_t, 4> next;
  while (!work.empty()) {
    uint32_t i = work.back();
    work.pop_back();
    const Instr &instr = code.instrs[i];
    if (code.handlers[i].exists() && code.handlers[i].depth > place)
      return false;
    if (instr.op == Opcode::CALL && code.depths[i] == place + 2) {
      if (instr.arg != 1 || instr.keywords != kNoIndex || (site.call != kNoIndex && site.call != i))
        return false;
      site.call = i;
      continue;
    }
    if (touches(code, i, place) || seen.size() > kMaxRegion)
      return false;
    next.clear();
    if (instr.info().flow == OpFlow::Next || instr.info().flow == OpFlow::Branch)
      next.push_back(i + 1);
    if (instr.target != kNoIndex)
      next.push_back(instr.target);
    for (uint32_t s : next)
      if (seen.insert(s).second)
        work.push_back(s);
  }
  // Nothing comes in from elsewhere.
  return site.call != kNoIndex && llvm::all_of(seen, [&](uint32_t i) {
           return i == site.end ||
                  llvm::all_of(before[i], [&](uint32_t p) { return seen.contains(p); });
         });
}

/// The body's locals among those of the function around it.
std::vector<uint32_t> Inliner::mapLocals(const Site &site) {
  std::vector<uint32_t> map;
  const uint32_t *cell = site.cells.begin();
  for (LocalSlot local : site.body->locals) {
    map.push_back(local.isFree ? *cell++ : uint32_t(code.locals.size()));
    if (!local.isFree)
      code.locals.push_back(local);
  }
  return map;
}

void Inliner::emit(const Site &site) {
  const CanonicalCode &body = *site.body;
  std::vector<uint32_t> map = mapLocals(site);
  uint32_t consts = code.consts.size(), names = code.names.size();
  llvm::append_range(code.consts, body.consts);
  llvm::append_range(code.names, body.names);
  auto add = [&](Instr instr) {
    bool raises = instr.info().mayRaise;
    out.instrs.push_back(instr);
    out.handlers.push_back(raises ? code.handlers[site.call] : Handler());
  };
  Instr store = code.instrs[site.call];
  store.op = Opcode::STORE_FAST;
  store.arg = map[0];
  add(store);
  uint32_t base = out.instrs.size();
  for (Instr instr : body.instrs) {
    if (instr.op == Opcode::RETURN_VALUE) {
      instr.op = Opcode::JUMP;
      instr.arg = 0;
      behind.push_back(out.instrs.size());
      add(instr);
      out.instrs.back().target = site.call + 1;
      continue;
    }
    OperandKind kind = instr.info().operand;
    if (usesLocal(instr))
      instr.arg = map[instr.arg];
    else if (kind == OperandKind::Const)
      instr.arg += consts;
    else if (kind == OperandKind::Name)
      instr.arg += names;
    if (instr.keywords != kNoIndex)
      instr.keywords += consts;
    if (instr.target != kNoIndex)
      instr.target += base;
    // What the body knows as a free variable says so when it is unbound.
    if (instr.op == Opcode::LOAD_DEREF && llvm::is_contained(site.cells, instr.arg))
      instr.arg2 = 1;
    add(instr);
  }
}

/// Variables that only comprehensions made cells of are plain again. LOAD_FAST_CHECK remembers in
/// arg2 that the variable was free where it was read.
void Inliner::openCells(size_t given) {
  std::vector<bool> closed(code.locals.size());
  for (const Instr &instr : code.instrs)
    if (instr.op == Opcode::LOAD_CLOSURE || instr.op == Opcode::LOAD_FROM_DICT_OR_DEREF ||
        instr.info().operand == OperandKind::Local)
      closed[instr.arg] = closed[instr.arg] || code.locals[instr.arg].isCell;
  for (uint32_t i = 0; i < code.size(); ++i) {
    Instr &instr = code.instrs[i];
    if (instr.info().operand != OperandKind::Cell)
      continue;
    if (instr.arg >= given || closed[instr.arg] || !code.locals[instr.arg].isCell) {
      instr.arg2 = 0;
      continue;
    }
    switch (instr.op) {
    case Opcode::MAKE_CELL:
      instr.op = Opcode::JUMP;
      instr.arg = 0;
      instr.target = i + 1;
      break;
    case Opcode::LOAD_DEREF:
      instr.op = Opcode::LOAD_FAST_CHECK;
      break;
    case Opcode::STORE_DEREF:
      instr.op = Opcode::STORE_FAST;
      break;
    case Opcode::DELETE_DEREF:
      instr.op = Opcode::DELETE_FAST;
      break;
    default:
      llvm_unreachable("closed over");
    }
  }
  for (size_t i = 0; i < given; ++i)
    code.locals[i].isCell = code.locals[i].isCell && closed[i];
}

bool Inliner::run() {
  llvm::DenseMap<uint32_t, Site> calls;
  std::vector<bool> dropped(code.size());
  size_t size = code.size(), given = code.locals.size(), locals = given;
  for (uint32_t i = 0; i + 2 < code.size(); ++i) {
    Site site;
    if (code.instrs[i].op != Opcode::LOAD_CONST || !findBody(site, i) || !findStart(site, i) ||
        !findCall(site) || size + site.body->size() > kMaxInstrs ||
        locals + site.body->locals.size() > kMaxLocals)
      continue;
    size += site.body->size() + 1;
    locals += site.body->locals.size();
    std::fill(dropped.begin() + site.begin, dropped.begin() + site.end, true);
    calls.try_emplace(site.call, std::move(site));
  }
  if (calls.empty())
    return false;
  std::vector<uint32_t> indexOf(code.size());
  std::vector<uint32_t> own; ///< instructions of this function in `out`
  for (uint32_t i = 0; i < code.size(); ++i) {
    indexOf[i] = out.instrs.size();
    if (dropped[i])
      continue;
    if (auto at = calls.find(i); at != calls.end()) {
      emit(at->second);
      continue;
    }
    own.push_back(out.instrs.size());
    out.instrs.push_back(code.instrs[i]);
    out.handlers.push_back(code.handlers[i]);
  }
  for (const std::vector<uint32_t> &list : {own, behind})
    for (uint32_t i : list)
      if (out.instrs[i].target != kNoIndex)
        out.instrs[i].target = indexOf[out.instrs[i].target];
  for (Handler &handler : out.handlers)
    if (handler.exists())
      handler.target = indexOf[handler.target];
  code.instrs = std::move(out.instrs);
  code.handlers = std::move(out.handlers);
  openCells(given);
  return true;
}

//===-- Variables of 3.12 and later ---------------------------------------------------------===//

/// The code between LOAD_FAST_AND_CLEAR and the stores that give the variable back what it had.
class SavedVariable {
public:
  SavedVariable(CanonicalCode &code, const Predecessors &before, uint32_t begin)
      : code(code), before(before), begin(begin), local(code.instrs[begin].arg) {}
  /// Does this code use the variable in no other way than as its own?
  bool isClosed();
  void rename();

private:
  struct State {
    uint32_t place; ///< of what was saved, from the bottom of the stack
    bool bound;     ///< on every path
  };
  bool flowTo(uint32_t index, State state);
  bool visit(uint32_t index);

  CanonicalCode &code;
  const Predecessors &before;
  uint32_t begin, local;
  llvm::DenseMap<uint32_t, State> states;
  llvm::SmallVector<uint32_t, 2> restores;
  std::vector<uint32_t> work;
};

bool SavedVariable::flowTo(uint32_t index, State state) {
  auto [at, fresh] = states.try_emplace(index, state);
  if (at->second.place != state.place || states.size() > kMaxRegion)
    return false;
  if (fresh || (at->second.bound && !state.bound)) {
    at->second.bound = state.bound;
    work.push_back(index);
  }
  return true;
}

bool SavedVariable::visit(uint32_t index) {
  const Instr &instr = code.instrs[index];
  State state = states.lookup(index);
  uint32_t depth = code.depths[index];
  bool isMine = usesLocal(instr) && instr.arg == local;
  if (isMine && instr.op == Opcode::STORE_FAST && state.place + 1 == depth)
    return true;
  if (instr.op == Opcode::SWAP && instr.arg <= depth) {
    uint32_t other = depth - instr.arg;
    if (state.place == other || state.place + 1 == depth)
      state.place = state.place == other ? depth - 1 : other;
  } else if (touches(code, index, state.place)) {
    return false;
  }
  if (isMine) {
    bool stores = instr.op == Opcode::STORE_FAST || instr.op == Opcode::MAKE_CELL;
    if (instr.op == Opcode::LOAD_FAST_AND_CLEAR || instr.op == Opcode::DELETE_FAST ||
        (!stores && !state.bound))
      return false;
    state.bound = true;
  }
  if (code.handlers[index].exists() && (code.handlers[index].depth <= state.place ||
                                        !flowTo(code.handlers[index].target, states.lookup(index))))
    return false;
  OpFlow flow = instr.info().flow;
  if ((flow == OpFlow::Next || flow == OpFlow::Branch) && !flowTo(index + 1, state))
    return false;
  return instr.target == kNoIndex || flowTo(instr.target, state);
}

bool SavedVariable::isClosed() {
  if (!flowTo(begin + 1, {code.depths[begin], false}))
    return false;
  while (!work.empty()) {
    uint32_t index = work.back();
    work.pop_back();
    if (!visit(index))
      return false;
  }
  return llvm::all_of(states, [&](const auto &at) {
    return llvm::all_of(before[at.first],
                        [&](uint32_t p) { return p == begin || states.contains(p); });
  });
}

void SavedVariable::rename() {
  LocalSlot own = code.locals[local];
  own.isLocal = true;
  own.isFree = false;
  own.isCell = llvm::any_of(states, [&](const auto &at) {
    const Instr &instr = code.instrs[at.first];
    return instr.op == Opcode::MAKE_CELL && instr.arg == local;
  });
  uint32_t fresh = code.locals.size();
  code.locals.push_back(own);
  // In place of what was saved stands an empty tuple.
  code.instrs[begin].op = Opcode::BUILD_TUPLE;
  code.instrs[begin].arg = 0;
  for (const auto &[index, state] : states) {
    Instr &instr = code.instrs[index];
    if (!usesLocal(instr) || instr.arg != local)
      continue;
    if (instr.op == Opcode::STORE_FAST && state.place + 1 == code.depths[index]) {
      instr.op = Opcode::POP_TOP;
      instr.arg = instr.arg2 = 0;
      continue;
    }
    instr.arg = fresh;
    if (instr.op == Opcode::LOAD_CLOSURE && !own.isCell)
      instr.op = Opcode::LOAD_FAST_CHECK;
  }
}

/// Where an exception that arrives at the handler goes on, if the handler only drops values, or
/// does what an executor does with a StopIteration that leaves a generator; nothing if it does
/// more.
std::optional<Handler> passesOn(const CanonicalCode &code, uint32_t at) {
  uint32_t exception = code.depths[at] - 1, lowest = exception;
  bool leaves = false;
  for (unsigned steps = 0; steps < 64; ++steps, ++at) {
    const Instr &instr = code.instrs[at];
    uint32_t depth = code.depths[at];
    switch (instr.op) {
    case Opcode::SWAP:
      // What stays must stay where it is: only the exception is moved.
      if (exception + 1 == depth)
        exception = depth - instr.arg;
      else if (exception == depth - instr.arg)
        exception = depth - 1;
      else
        return std::nullopt;
      lowest = std::min(lowest, exception);
      break;
    case Opcode::POP_TOP:
      if (exception + 1 == depth)
        return std::nullopt;
      break;
    case Opcode::STOPITERATION_ERROR:
      if (exception + 1 != depth || !code.code->hasFlag(CO_GENERATOR))
        return std::nullopt;
      leaves = true;
      break;
    case Opcode::RERAISE:
      if (exception + 1 != depth || (leaves && code.handlers[at].exists()) ||
          (code.handlers[at].exists() && code.handlers[at].depth > lowest))
        return std::nullopt;
      return code.handlers[at];
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// A variable that shared its slot with a comprehension's cell is none itself.
void dropCellMarks(CanonicalCode &code) {
  std::vector<bool> isCell(code.locals.size());
  for (const Instr &instr : code.instrs)
    if (instr.info().operand == OperandKind::Cell && instr.op != Opcode::LOAD_CLOSURE)
      isCell[instr.arg] = true;
  for (size_t i = 0; i < isCell.size(); ++i)
    code.locals[i].isCell = code.locals[i].isCell && isCell[i];
  for (Instr &instr : code.instrs)
    if (instr.op == Opcode::LOAD_CLOSURE && !code.locals[instr.arg].holdsCell())
      instr.op = Opcode::LOAD_FAST_CHECK;
}

} // namespace

bool ptc::inlineComprehensions(CanonicalCode &code) {
  if (!code.code->hasFlag(CO_OPTIMIZED) || seesVariables(code.names))
    return false;
  return Inliner(code).run();
}

void ptc::separateComprehensions(CanonicalCode &code) {
  if (!code.code->hasFlag(CO_OPTIMIZED) || seesVariables(code.names))
    return;
  bool changed = false;
  // Inner ones first: they stand behind.
  std::optional<Predecessors> before;
  for (uint32_t i = code.size(); i-- > 0;) {
    if (code.instrs[i].op != Opcode::LOAD_FAST_AND_CLEAR)
      continue;
    if (!before)
      before.emplace(code);
    SavedVariable variable(code, *before, i);
    if (!variable.isClosed())
      continue;
    variable.rename();
    changed = true;
  }
  if (changed)
    dropCellMarks(code);
}

void ptc::dropIdleHandlers(CanonicalCode &code) {
  for (uint32_t i = 0; i < code.size(); ++i)
    if (code.handlers[i].exists())
      if (std::optional<Handler> further = passesOn(code, code.handlers[i].target))
        code.handlers[i] = *further;
}

void ptc::orderLocals(CanonicalCode &code) {
  if (!code.code->hasFlag(CO_OPTIMIZED) || seesVariables(code.names))
    return;
  size_t parameters = code.code->parameterCount();
  std::vector<uint32_t> placeOf(code.locals.size(), kNoIndex);
  std::vector<LocalSlot> ordered;
  auto place = [&](uint32_t local) {
    if (placeOf[local] != kNoIndex)
      return;
    placeOf[local] = ordered.size();
    ordered.push_back(code.locals[local]);
  };
  for (uint32_t i = 0; i < parameters; ++i)
    place(i);
  auto placeAll = [&](llvm::ArrayRef<Instr> instrs) {
    llvm::SmallVector<std::pair<llvm::StringRef, size_t>> used; // names, and which instruction's
    for (auto [i, instr] : llvm::enumerate(instrs))
      if (usesLocal(instr) && !code.locals[instr.arg].isFree)
        used.emplace_back(code.locals[instr.arg].name, i);
    llvm::sort(used);
    for (const auto &use : used)
      place(instrs[use.second].arg);
  };
  // Versions store what was unpacked in different orders.
  llvm::ArrayRef<Instr> left = code.instrs;
  while (!left.empty()) {
    size_t stores = left.take_while(isStore).size();
    placeAll(left.take_front(std::max<size_t>(stores, 1)));
    left = left.drop_front(std::max<size_t>(stores, 1));
  }
  for (uint32_t i = 0; i < code.locals.size(); ++i)
    if (code.locals[i].isFree)
      place(i);
  for (Instr &instr : code.instrs)
    if (usesLocal(instr))
      instr.arg = placeOf[instr.arg];
  code.locals = std::move(ordered);
}
