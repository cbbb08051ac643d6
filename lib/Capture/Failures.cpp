//===- Failures.cpp - Who notices an exception --------------------------------------------===//
//
// In: a class of exceptions and the frames on the stack. Out: what their exception tables say about
// it: it leaves the program, code runs on its way, or it is caught. Only what is certain counts: a
// clause whose class is not known here may catch.
//
//===----------------------------------------------------------------------===//
#include "Failures.h"

#include "Imports.h"
#include "Positions.h"
#include "TensorWrites.h"

#include "llvm/ADT/BitVector.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::CanonicalCode;
using ptc::Instr;
using ptc::Opcode;

namespace {
/// Follows one exception from handler to handler, outwards.
class Flight {
public:
  /// No class: any exception.
  /// `toSame`: handlers of the prelude, and what goes on as if there were none, do not count.
  explicit Flight(Engine &e, ObjectId cls, bool toSame = false) : e(e), cls(cls), toSame(toSame) {}

  Fate from(Value frame) {
    for (unsigned hops = 0;
         frame.is(Kind::Ref) && fate != Fate::Caught && !absorbed && hops < kMaxHops; ++hops) {
      ObjectId f = frame.asRef();
      uint32_t ip = e.heap.get(f, slot::kIp).asIp();
      if (ip > 0 && !(toSame && e.frameInfo(f).hidden)) {
        behind = toSame && hops == 0 ? behindStatement(e.code(f), ip - 1) : std::nullopt;
        through(f, ip - 1);
      }
      imports |= isModuleBody(e, f);
      frame = e.heap.get(f, slot::kCaller);
    }
    return fate;
  }
  /// The clause, `with` or `finally` that catches.
  ptc::SourceLoc caughtAt() const {
    return catcher ? catcher->location(catches) : ptc::SourceLoc();
  }
  /// The first clause that catches nothing but ImportErrors, around an import in whose code this
  /// is.
  std::optional<ptc::SourceLoc> passedAt() const { return passed; }
  /// The handlers of one frame around instruction `ip`.
  Fate within(ObjectId frame, uint32_t ip) { return through(frame, ip), fate; }

private:
  static constexpr unsigned kMaxHops = 4096;

  void through(ObjectId frame, uint32_t ip);
  std::optional<uint32_t> clauses(ObjectId frame, uint32_t at);
  bool mayMatch(const Value &pattern) const;
  bool isAboutImports(const Value &pattern) const;
  static std::optional<uint32_t> behindStatement(const CanonicalCode &code, uint32_t ip);
  void leaveWith(ObjectId frame, uint32_t depth);
  void leaveGeneratorManager(const Value &manager);
  void atLeast(Fate other) { fate = std::max(fate, other); }

  Engine &e;
  ObjectId cls; ///< of what is in flight; 0: any
  bool toSame;
  Fate fate = Fate::Leaves;
  unsigned depth = 0; ///< generators of context managers in one another
  /// Where the innermost frame goes on if there is no exception, and nobody asks for a result.
  std::optional<uint32_t> behind;
  bool absorbed = false; ///< by a clause that makes no difference
  bool imports = false;  ///< a frame that was left runs the code of a module
  std::optional<ptc::SourceLoc> passed;
  const CanonicalCode *catcher = nullptr;
  uint32_t catches = 0; ///< the instruction of `catcher` that decided
};
} // namespace

/// Where the code from `at` on raises again what is handled; none if it may leave in another way.
static std::optional<uint32_t> nextReraise(const CanonicalCode &code, uint32_t at) {
  std::optional<uint32_t> found;
  llvm::BitVector seen(code.unwindNode() + 1);
  llvm::SmallVector<uint32_t, 16> open{at};
  while (!open.empty()) {
    uint32_t node = open.pop_back_val();
    if (node == code.exitNode())
      return std::nullopt;
    if (node == code.unwindNode() || seen.test(node))
      continue;
    seen.set(node);
    if (code.instrs[node].op == Opcode::RERAISE) {
      found = found ? std::min(*found, node) : node;
      continue;
    }
    for (uint32_t next : code.flow.successors(node))
      if (next != code.handlers[node].target)
        open.push_back(next);
  }
  return found;
}

/// Where the body of a clause at `at` raises, if it does nothing else whatever way it takes.
static std::optional<uint32_t> raiseOfClause(const CanonicalCode &code, uint32_t at) {
  std::optional<uint32_t> found;
  llvm::BitVector seen(code.unwindNode() + 1);
  llvm::SmallVector<uint32_t, 16> open{at};
  while (!open.empty()) {
    uint32_t node = open.pop_back_val();
    if (node == code.exitNode() || code.instrs[node].op == Opcode::POP_EXCEPT)
      return std::nullopt;
    if (seen.test(node))
      continue;
    seen.set(node);
    if (code.instrs[node].op == Opcode::RAISE_VARARGS || code.instrs[node].op == Opcode::RERAISE) {
      found = found ? std::min(*found, node) : node;
      continue;
    }
    for (uint32_t next : code.flow.successors(node))
      if (next != code.handlers[node].target && next != code.unwindNode())
        open.push_back(next);
  }
  return found;
}

/// Does the body of a clause at `at` raise the exception that it is for, at once?
static bool raisesTheSame(const CanonicalCode &code, uint32_t at) {
  const Instr &bound = code.instrs[at], &next = code.instrs[at + 1];
  auto isRaise = [&](uint32_t i, uint32_t values) {
    return i < code.size() && code.instrs[i].op == Opcode::RAISE_VARARGS &&
           code.instrs[i].arg == values;
  };
  if (bound.op != Opcode::POP_TOP && bound.op != Opcode::STORE_FAST &&
      bound.op != Opcode::STORE_NAME)
    return false;
  const bool loads = next.arg == bound.arg &&
                     (bound.op == Opcode::STORE_FAST
                          ? next.op == Opcode::LOAD_FAST || next.op == Opcode::LOAD_FAST_CHECK
                          : bound.op == Opcode::STORE_NAME && next.op == Opcode::LOAD_NAME);
  return isRaise(at + 1, 0) || (loads && isRaise(at + 2, 1));
}

/// Where the handler of a `with` at `at` raises again what its manager did not swallow.
static std::optional<uint32_t> reraiseOfWith(const CanonicalCode &code, uint32_t at) {
  for (; at < code.size() && code.instrs[at].info().flow == ptc::OpFlow::Next; ++at)
    ;
  if (at >= code.size() || code.instrs[at].target == ptc::kNoIndex)
    return std::nullopt;
  bool jumps = code.instrs[at].op == Opcode::POP_JUMP_IF_FALSE;
  return nextReraise(code, jumps ? code.instrs[at].target : at + 1);
}

/// The call behind the attribute at `ip` that calls it with constants and variables; `ip` if there
/// is none.
static uint32_t callOfAttribute(const CanonicalCode &code, uint32_t ip) {
  for (uint32_t at = ip + 1; at < code.size(); ++at) {
    const Instr &instr = code.instrs[at];
    switch (instr.op) {
    case Opcode::LOAD_CONST:
    case Opcode::LOAD_NAME:
    case Opcode::LOAD_GLOBAL:
    case Opcode::LOAD_FAST:
    case Opcode::LOAD_ATTR:
    case Opcode::LOAD_METHOD:
      continue;
    case Opcode::CALL:
    case Opcode::CALL_METHOD:
      return code.depths[at] - ptc::getStackEffect(instr).pops == code.depths[ip] - 1 ? at : ip;
    default:
      return ip;
    }
  }
  return ip;
}

/// Behind the statement of which the instruction at `ip` is the only step with an effect; none if
/// its result is used.
std::optional<uint32_t> Flight::behindStatement(const CanonicalCode &code, uint32_t ip) {
  if (code.instrs[ip].op == Opcode::LOAD_ATTR || code.instrs[ip].op == Opcode::LOAD_METHOD)
    ip = callOfAttribute(code, ip);
  uint32_t pushes = ptc::getStackEffect(code.instrs[ip]).pushes;
  if (pushes == 0)
    return ip + 1;
  bool dropped = pushes == 1 && ip + 1 < code.size() && code.instrs[ip + 1].op == Opcode::POP_TOP;
  return dropped ? std::optional(ip + 2) : std::nullopt;
}

static uint32_t followJumps(const CanonicalCode &code, uint32_t at) {
  for (unsigned hops = 0; code.instrs[at].op == Opcode::JUMP && hops < code.size(); ++hops)
    at = code.instrs[at].target;
  return at;
}

/// Does a clause whose body begins at `at` do nothing, and go on at `behind`?
static bool onlyGoesOn(const CanonicalCode &code, uint32_t at, uint32_t behind) {
  if (code.instrs[at].op != Opcode::POP_TOP || code.instrs[at + 1].op != Opcode::POP_EXCEPT)
    return false;
  at = followJumps(code, at + 2);
  behind = followJumps(code, behind);
  auto returnsConstant = [&](uint32_t i) {
    return code.instrs[i].op == Opcode::LOAD_CONST && code.instrs[i + 1].op == Opcode::RETURN_VALUE;
  };
  return at == behind || (returnsConstant(at) && returnsConstant(behind) &&
                          code.instrs[at].arg == code.instrs[behind].arg);
}

void Flight::through(ObjectId frame, uint32_t ip) {
  const CanonicalCode &code = e.code(frame);
  for (unsigned hops = 0; hops < kMaxHops && fate != Fate::Caught; ++hops) {
    const ptc::Handler &handler = code.handlers[ip];
    if (!handler.exists())
      return;
    uint32_t at = handler.target;
    std::optional<uint32_t> next;
    if (code.instrs[at].op == Opcode::STOPITERATION_ERROR)
      return; // StopIteration alone is changed there
    // What the compiler put there to tidy up does not begin to handle.
    bool handles = code.instrs[at].op == Opcode::PUSH_EXC_INFO;
    catcher = &code;
    catches = handles ? at + 1 : at;
    if (handles && code.instrs[at + 1].op == Opcode::WITH_EXCEPT_START) {
      leaveWith(frame, handler.depth);
      next = reraiseOfWith(code, at);
    } else {
      next = handles ? clauses(frame, at + 1) : nextReraise(code, at);
    }
    if (absorbed)
      return;
    if (!next) {
      fate = Fate::Caught;
      return;
    }
    ip = *next;
  }
}

/// Whether a clause of the handler at `at` catches; else where the exception is raised again.
std::optional<uint32_t> Flight::clauses(ObjectId frame, uint32_t at) {
  const CanonicalCode &code = e.code(frame);
  std::vector<Value> stack;
  const Value unknown;
  for (; at < code.size(); ++at) {
    const Instr &instr = code.instrs[at];
    const std::vector<NameId> &names = e.frameInfo(frame).record->names;
    switch (instr.op) {
    case Opcode::LOAD_GLOBAL:
    case Opcode::LOAD_NAME: {
      uint32_t key = attrKey(names[instr.arg]);
      Value v = e.known(e.heap.get(e.frameInfo(frame).globals, key));
      stack.push_back(v.isAbsent() ? e.known(e.heap.get(e.world->builtins, key)) : v);
      continue;
    }
    case Opcode::LOAD_FAST:
    case Opcode::LOAD_FAST_CHECK:
      stack.push_back(e.known(e.heap.get(frame, slot::kLocals + instr.arg)));
      continue;
    case Opcode::LOAD_DEREF:
      stack.push_back(unknown);
      continue;
    case Opcode::LOAD_ATTR: {
      if (stack.empty())
        break;
      bool module = isRefTo(e, stack.back(), ObjectKind::Module);
      stack.back() =
          module ? e.known(e.heap.get(stack.back().asRef(), attrKey(names[instr.arg]))) : unknown;
      continue;
    }
    case Opcode::BUILD_TUPLE: {
      if (stack.size() < instr.arg)
        break;
      std::vector<Value> parts(stack.end() - instr.arg, stack.end());
      stack.resize(stack.size() - instr.arg);
      stack.push_back(Value::tuple(std::move(parts)));
      continue;
    }
    case Opcode::CHECK_EXC_MATCH:
      if (stack.empty() || at + 1 == code.size() || code.instrs[at + 1].target == ptc::kNoIndex ||
          (!isAboutImports(stack.back()) && mayMatch(stack.back()) &&
           !(behind && onlyGoesOn(code, at + 2, *behind)))) {
        if (toSame && at + 3 < code.size())
          if (std::optional<uint32_t> raise = raiseOfClause(code, at + 2)) {
            if (!raisesTheSame(code, at + 2))
              cls = 0; // another exception from here on
            return raise;
          }
        catches = at;
        return std::nullopt;
      }
      if (!passed && isAboutImports(stack.back()))
        passed = code.location(at);
      stack.clear();
      at = code.instrs[at + 1].target - 1;
      continue;
    case Opcode::RERAISE:
      return at;
    case Opcode::POP_TOP: // a clause without a class
      absorbed = behind && onlyGoesOn(code, at, *behind);
      [[fallthrough]];
    case Opcode::CHECK_EG_MATCH:
      catches = at;
      return std::nullopt;
    default:
      break;
    }
    break;
  }
  atLeast(Fate::Passes); // `finally`
  return nextReraise(code, at);
}

bool Flight::mayMatch(const Value &pattern) const {
  auto matches = [&](const Value &one) {
    return !cls || !isExceptionClass(e, one) || e.isSubclass(cls, one.asRef());
  };
  return pattern.is(Kind::Tuple) ? llvm::any_of(pattern.parts(), matches) : matches(pattern);
}

/// Any exception, in the code of a module that the program imports: a clause of ImportErrors, or of
/// these and what else a module that cannot be loaded ends in, is there for one that is not
/// installed.
bool Flight::isAboutImports(const Value &pattern) const {
  auto isA = [&](const Value &one, WellKnown of) {
    return isExceptionClass(e, one) && e.isSubclass(one.asRef(), e.builtinClass(of));
  };
  auto isImportError = [&](const Value &one) { return isA(one, WellKnown::ImportError); };
  auto isOfLoading = [&](const Value &one) {
    return isImportError(one) || isA(one, WellKnown::RuntimeError) ||
           isA(one, WellKnown::AttributeError) || isA(one, WellKnown::OSError);
  };
  // A module that is missing in there is another matter.
  const bool isOfCode = !cls || !e.isSubclass(cls, e.builtinClass(WellKnown::ImportError));
  return isOfCode && imports && toSame &&
         (pattern.is(Kind::Tuple) ? llvm::all_of(pattern.parts(), isOfLoading) &&
                                        llvm::any_of(pattern.parts(), isImportError)
                                  : isImportError(pattern));
}

/// Does every return of the function give None or False?
static bool neverSwallows(const CanonicalCode &code) {
  for (uint32_t i = 0; i < code.size(); ++i) {
    if (code.instrs[i].op != Opcode::RETURN_VALUE)
      continue;
    if (i == 0 || code.instrs[i - 1].op != Opcode::LOAD_CONST)
      return false;
    const ptc::Constant *returned = code.consts[code.instrs[i - 1].arg];
    const auto *flag = llvm::dyn_cast<ptc::BoolConstant>(returned);
    if (!returned->isNone() && (!flag || flag->value))
      return false;
  }
  return true;
}

/// A `with` is left: its manager's __exit__ may run code, and swallow the exception.
void Flight::leaveWith(ObjectId frame, uint32_t depth) {
  Value exit = e.known(e.heap.get(frame, e.stackBase(frame) + depth - 1));
  if (!exit.is(Kind::Bound) || !isRefTo(e, exit.parts()[1], ObjectKind::Function))
    return atLeast(Fate::Caught);
  ObjectId function = exit.parts()[1].asRef();
  ObjectId globals = functionOf(e, function).globals;
  const auto &module = *static_cast<const ModuleInfo *>(e.heap.header(globals).info);
  llvm::StringRef name = module.name;
  // Modes of torch end with their scope, which nobody sees once the call has ended.
  if (module.prelude && (name == "torch" || name.starts_with("torch.")))
    return;
  const Value &manager = exit.parts()[0];
  if (module.prelude && name == "contextlib" && isRefTo(e, manager, ObjectKind::Instance) &&
      !e.heap.get(manager.asRef(), attrKey(e.intern("gen"))).isAbsent())
    return leaveGeneratorManager(manager);
  const FrameInfo *body = bodyOf(e, function);
  atLeast(body && neverSwallows(*body->code) ? Fate::Passes : Fate::Caught);
}

/// A manager made by @contextmanager: the exception goes on at the `yield` of its generator.
void Flight::leaveGeneratorManager(const Value &manager) {
  Value generator = e.known(e.heap.get(manager.asRef(), attrKey(e.intern("gen"))));
  if (!isRefTo(e, generator, ObjectKind::Frame) || depth > 64)
    return atLeast(Fate::Caught);
  Value place = e.known(e.heap.get(generator.asRef(), slot::kGenState));
  if (!place.is(Kind::Ip))
    return atLeast(Fate::Caught);
  GenPoint point = pointOf(place);
  if (point.state != GenState::Suspended || point.ip == 0)
    return;
  ++depth;
  through(generator.asRef(), point.ip - 1);
  --depth;
}

/// Has the call changed what outlives it, on some path?
static bool hasChangedState(const Engine &e) {
  bool changed = false;
  e.heap.forEachWritten([&](ObjectId id) {
    const auto *module = e.heap.kind(id) == ObjectKind::Module
                             ? static_cast<const ModuleInfo *>(e.heap.header(id).info)
                             : nullptr;
    // Modules of the prelude hold modes of torch, which end with the call.
    changed |= e.heap.kind(id) != ObjectKind::Engine && !(module && module->prelude);
  });
  return changed;
}

Fate capture::fateOf(Engine &e, ObjectId cls) {
  Fate fate = Flight(e, cls).from(e.heap.get(kMachine, slot::kCurrentFrame));
  if (fate == Fate::Leaves && (hasChangedState(e) || hasChangedHeld(e)))
    return Fate::Passes;
  return fate;
}

/// Notes that an import does not end with the exception that the clause at `catcher` is for.
static void assumeImported(Engine &e, const ptc::SourceLoc &catcher) {
  static constexpr llvm::StringLiteral kText =
      "what is imported here is installed with all that it needs, and raises no exception that is "
      "caught here";
  if (llvm::none_of(e.world->assumptions, [&](const Program::Assumption &known) {
        return known.text == kText && known.loc == catcher;
      }))
    e.world->assumptions.push_back({kText.str(), catcher});
}

std::optional<ptc::SourceLoc> capture::catcherOf(Engine &e, ObjectId cls) {
  Flight flight(e, cls, /*toSame=*/true);
  const Fate fate = flight.from(e.heap.get(kMachine, slot::kCurrentFrame));
  if (fate == Fate::Caught)
    return flight.caughtAt();
  if (std::optional<ptc::SourceLoc> passed = flight.passedAt())
    assumeImported(e, *passed);
  return std::nullopt;
}

Fate capture::fateAt(Engine &e, ObjectId cls, ObjectId frame, uint32_t ip) {
  return Flight(e, cls).within(frame, ip);
}

FailAny capture::endUncomputed(Engine &e, const llvm::Twine &what, ptc::Diagnostic refusal) {
  if (fateOf(e, e.builtinClass(WellKnown::NotImplementedError)) == Fate::Caught)
    return e.refuse(std::move(refusal));
  return e.raise(WellKnown::NotImplementedError, what + ", which compiled programs do not compute");
}

Flow capture::failIf(Engine &e, const Value &fails, WellKnown cls, const llvm::Twine &text) {
  if (fails.isFail())
    return Flow::Fail;
  PTC_GET(failed, e.truth(fails));
  if (failed)
    return e.raise(cls, text);
  return Flow::Next;
}
