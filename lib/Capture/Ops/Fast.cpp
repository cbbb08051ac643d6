//===- Fast.cpp - Instructions that can neither fork nor raise ---------------------------===//
//
// The common moves and arithmetic on small constants, without a mark. What does not fit is left to
// the handler: nothing is changed before that is known.
//
//===----------------------------------------------------------------------===//
#include "../Aside.h"
#include "../Builtins/Builtins.h"
#include "../Comparison.h"
#include "FastFrame.h"
#include "Handlers.h"

#include "llvm/Support/MathExtras.h"

using namespace ptc::capture;

using ops::Frame;

namespace {
/// What is left of a run.
struct Run {
  const ptc::CanonicalCode &code;
  uint64_t left; ///< instructions, with the one that runs
  uint32_t pause;
};
} // namespace

static Value fastBinary(uint32_t arg, const Value &a, const Value &b) {
  auto op = BinaryOp(arg % ptc::kNumBinaryOps);
  if (a.is(Kind::Int) && b.is(Kind::Int)) {
    int64_t x = a.asInt(), y = b.asInt(), r;
    switch (op) {
    case BinaryOp::Add:
      return __builtin_add_overflow(x, y, &r) ? Value() : Value::integer(r);
    case BinaryOp::Sub:
      return __builtin_sub_overflow(x, y, &r) ? Value() : Value::integer(r);
    case BinaryOp::Mul:
      return __builtin_mul_overflow(x, y, &r) ? Value() : Value::integer(r);
    case BinaryOp::And:
      return Value::integer(x & y);
    case BinaryOp::Mod:
      return x >= 0 && y > 0 ? Value::integer(x % y) : Value();
    case BinaryOp::FloorDiv:
      return x >= 0 && y > 0 ? Value::integer(x / y) : Value();
    default:
      return Value();
    }
  }
  if (!a.is(Kind::Float) || !b.is(Kind::Float))
    return Value();
  switch (op) {
  case BinaryOp::Add:
    return Value::real(a.asFloat() + b.asFloat());
  case BinaryOp::Sub:
    return Value::real(a.asFloat() - b.asFloat());
  case BinaryOp::Mul:
    return Value::real(a.asFloat() * b.asFloat());
  default:
    return Value();
  }
}

/// Is it a builtin container, no object of a derived class, whose contents are decided?
static bool isPlain(Engine &e, const Value &v, ObjectKind kind, Kind contents) {
  return isRefTo(e, v, kind) && !e.heap.header(v.asRef()).cls &&
         e.heap.get(v.asRef(), slot::kContent).is(contents);
}

/// The end of a loop: its iterator leaves the stack.
static bool endLoop(Frame &f, const Instr &instr) {
  f.drop(1);
  return f.go(instr.target);
}

/// Pushes what enumerate() gives. Where it is unpacked at once no tuple is made: that is an
/// instruction more.
static bool pushNumbered(Engine &e, Frame &f, Value number, Value element, Run &run) {
  const uint32_t ip = f.position();
  const Instr &next = run.code.instrs[ip + 1];
  if (run.left < 2 || run.pause == ip + 1 || next.op != Opcode::UNPACK_SEQUENCE || next.arg != 2) {
    f.push(Value::tuple({std::move(number), std::move(element)}));
    return f.next();
  }
  f.push(std::move(element));
  f.push(std::move(number));
  --run.left;
  ++e.steps;
  return f.go(ip + 2);
}

/// One pass of a loop over a tuple or a plain list, or over enumerate() of one.
static bool fastNextElement(Engine &e, Frame &f, ObjectId id, const Value &sequence,
                            const Value &position, const Instr &instr, Run &run) {
  const Value &content = isPlain(e, sequence, ObjectKind::List, Kind::Tuple)
                             ? e.heap.get(sequence.asRef(), slot::kContent)
                             : sequence;
  if (!content.is(Kind::Tuple))
    return false;
  const uint64_t n = uint64_t(position.asInt());
  if (n >= content.parts().size()) {
    e.heap.set(id, slot::kPosition, Value::integer(INT64_MAX));
    return endLoop(f, instr);
  }
  Value element = content.parts()[n];
  const Value &first = e.heap.get(id, slot::kFirst);
  int64_t number = 0;
  const bool isNumbered = !first.isAbsent();
  if (element.is(Kind::Choice) ||
      (isNumbered && __builtin_add_overflow(first.asInt(), int64_t(n), &number)))
    return false;
  e.heap.set(id, slot::kPosition, Value::integer(int64_t(n) + 1));
  if (isNumbered)
    return pushNumbered(e, f, Value::integer(number), std::move(element), run);
  f.push(std::move(element));
  return f.next();
}

/// One pass of a loop over a range of constants, or over known elements.
static bool fastNext(Engine &e, Frame &f, const Instr &instr, Run &run) {
  const Value &it = f.top();
  if (!isRefTo(e, it, ObjectKind::Iterator))
    return false;
  ObjectId id = it.asRef();
  const Value &sequence = e.heap.get(id, slot::kSequence);
  const Value &position = e.heap.get(id, slot::kPosition);
  if (!position.is(Kind::Int))
    return false;
  if (!sequence.is(Kind::Range))
    return fastNextElement(e, f, id, sequence, position, instr, run);
  llvm::ArrayRef<Value> p = sequence.parts();
  if (!p[0].is(Kind::Int) || !p[1].is(Kind::Int) || !p[2].is(Kind::Int))
    return false;
  int64_t n = position.asInt(), offset, now;
  if (e.sizeLoops && n >= 2 && llvm::isPowerOf2_64(uint64_t(n)))
    return false; // now and then it is asked whether the loop had better be one of the run
  if (__builtin_mul_overflow(n, p[2].asInt(), &offset) ||
      __builtin_add_overflow(p[0].asInt(), offset, &now))
    return false;
  if (p[2].asInt() > 0 ? now >= p[1].asInt() : now <= p[1].asInt())
    return !e.sizeLoops && e.heap.get(id, slot::kFirst).isAbsent() && endLoop(f, instr);
  e.heap.set(id, slot::kPosition, Value::integer(n + 1));
  f.push(Value::integer(now));
  return f.next();
}

static bool fastJump(Frame &f, const Instr &instr, bool on) {
  if (!f.top().is(Kind::Bool))
    return false;
  bool jumps = f.top().asBool() == on;
  f.drop(1);
  return f.go(jumps ? instr.target : f.position() + 1);
}

/// A list's contents, to be changed in place; null where it must be looked at more closely.
static Value *plainList(Engine &e, const Value &list) {
  return isPlain(e, list, ObjectKind::List, Kind::Tuple) && !e.frozenStorages.contains(list.asRef())
             ? &ownContent(e, list.asRef())
             : nullptr;
}

/// Does the class of a dict leave the method `name` alone?
static bool isDictWith(Engine &e, const Value &v, WellKnown name) {
  return isRefTo(e, v, ObjectKind::Dict) &&
         (!e.heap.header(v.asRef()).cls || specialMethod(e, v, name).is(Kind::Builtin));
}

/// Is it a key whose hash is known here, and does it compare without Python code? The parts of
/// tuples count, a few levels deep.
static bool isPlainKey(Engine &e, const Value &key, unsigned depth = 3) {
  switch (key.kind()) {
  case Kind::None:
  case Kind::Bool:
  case Kind::Int:
  case Kind::BigInt:
  case Kind::Float:
  case Kind::Str:
  case Kind::Bytes:
    return true;
  case Kind::Tuple:
    return depth && key.parts().size() <= 16 && llvm::all_of(key.parts(), [&](const Value &part) {
             return isPlainKey(e, part, depth - 1);
           });
  case Kind::Ref:
    // An object that is a key by its identity.
    return isRefTo(e, key, ObjectKind::Instance) && e.unboxed(key) == key &&
           specialMethod(e, key, WellKnown::Hash).is(Kind::Builtin) &&
           specialMethod(e, key, WellKnown::Eq).is(Kind::Builtin);
  default:
    return false;
  }
}

/// Where a constant key lies in a plain dict; none where the handler is needed.
static std::optional<int64_t> plainPlace(Engine &e, const Value &dict, const Value &key) {
  if (!isPlainDict(e, dict) || !isPlainKey(e, key))
    return std::nullopt;
  std::optional<Found> found = dictFind(e, dict, key);
  if (found && !found->needsPython)
    return found->position;
  e.pending = {};
  return std::nullopt;
}

/// Is a constant key in a plain set? None where the handler is needed.
static std::optional<bool> plainMember(Engine &e, const Value &set, const Value &key) {
  bool isKey = key.isNone() || key.is(Kind::Str) || key.is(Kind::Bytes) || key.is(Kind::Float) ||
               key.is(Kind::BigInt) || key.isSmallInt();
  if (!isKey || !isPlain(e, set, ObjectKind::Set, Kind::SetItems) || !hashesAreKnown(e, set))
    return std::nullopt;
  std::optional<bool> held = holdsKey(e, set, key);
  if (!held)
    e.pending = {};
  return held;
}

/// Where `key` lies in a sequence of `size`; none if it is no small int or out of range.
static std::optional<size_t> placeOf(const Value &key, size_t size) {
  if (!key.is(Kind::Int))
    return std::nullopt;
  int64_t at = key.asInt() < 0 ? key.asInt() + int64_t(size) : key.asInt();
  return at >= 0 && at < int64_t(size) ? std::optional<size_t>(size_t(at)) : std::nullopt;
}

/// container[key] of a builtin list or tuple; Absent where the handler is needed.
static Value fastItem(Engine &e, const Value &container, const Value &key) {
  llvm::ArrayRef<Value> items;
  if (container.is(Kind::Tuple)) {
    items = container.parts();
  } else if (isRefTo(e, container, ObjectKind::List) && !e.heap.header(container.asRef()).cls) {
    const Value &content = e.heap.get(container.asRef(), slot::kContent);
    if (!content.is(Kind::Tuple))
      return Value();
    items = content.parts();
  } else if (isRefTo(e, container, ObjectKind::Dict) && !e.heap.header(container.asRef()).cls) {
    const int64_t place = plainPlace(e, container, key).value_or(-1);
    if (place < 0)
      return Value();
    const Value &found = dictItems(e, container)[size_t(place) * 2 + 1];
    return found.is(Kind::Choice) ? Value() : found;
  }
  std::optional<size_t> at = placeOf(key, items.size());
  return at && !items[*at].is(Kind::Choice) ? items[*at] : Value();
}

namespace {
/// A method called on `self` with `n` arguments, the last of which is on top.
struct MethodCall {
  Engine &e;
  Frame &f;
  const Value &self;
  uint32_t n;
  const Value &arg(uint32_t i) const { return f.top(n - 1 - i); }
};
using FitsFn = bool (*)(const MethodCall &);
struct FastMethod {
  NativeFn fn;
  uint32_t least, most; ///< arguments
  FitsFn fits;          ///< Can it neither fail nor fork nor call?
};
} // namespace

static bool popsItem(const MethodCall &c) {
  if (!isPlain(c.e, c.self, ObjectKind::List, Kind::Tuple))
    return false;
  size_t size = itemCount(c.e, c.self);
  return c.n ? placeOf(c.arg(0), size).has_value() : size != 0;
}

static bool insertsItem(const MethodCall &c) {
  return isPlain(c.e, c.self, ObjectKind::List, Kind::Tuple) && c.arg(0).is(Kind::Int) &&
         !c.arg(1).is(Kind::Choice);
}

static bool extendsList(const MethodCall &c) {
  return isPlain(c.e, c.self, ObjectKind::List, Kind::Tuple) &&
         (c.arg(0).is(Kind::Tuple) || isPlain(c.e, c.arg(0), ObjectKind::List, Kind::Tuple));
}

static bool findsMember(const MethodCall &c) {
  return plainMember(c.e, c.self, c.arg(0)).has_value();
}
static bool removesMember(const MethodCall &c) {
  return plainMember(c.e, c.self, c.arg(0)).value_or(false);
}
static bool popsMember(const MethodCall &c) {
  return isPlain(c.e, c.self, ObjectKind::Set, Kind::SetItems) && hashesAreKnown(c.e, c.self) &&
         itemCount(c.e, c.self) != 0;
}

static bool takesKey(const MethodCall &c) {
  return plainPlace(c.e, c.self, c.arg(0)).value_or(-1) >= 0;
}
static bool findsPlace(const MethodCall &c) {
  return plainPlace(c.e, c.self, c.arg(0)).has_value() && (c.n < 2 || !c.arg(1).is(Kind::Choice));
}
static bool takesPair(const MethodCall &c) {
  return isPlainDict(c.e, c.self) && itemCount(c.e, c.self) != 0;
}

static bool isText(const Value &v) { return v.is(Kind::Str); }

/// startswith() and endswith() take several texts, too.
static bool isOfAffixes(const MethodCall &c) {
  return isText(c.self) &&
         (isText(c.arg(0)) || (c.arg(0).is(Kind::Tuple) && llvm::all_of(c.arg(0).parts(), isText)));
}

/// A method of texts, whose arguments are texts too.
static bool isOfTexts(const MethodCall &c) {
  bool all = c.self.is(Kind::Str);
  for (uint32_t i = 0; i < c.n; ++i)
    all &= c.arg(i).is(Kind::Str);
  return all;
}

static constexpr FastMethod kFastMethods[] = {
    {builtins::strStartsWith, 1, 1, isOfAffixes},
    {builtins::strEndsWith, 1, 1, isOfAffixes},
    {builtins::strStrip, 0, 1, isOfTexts},
    {builtins::strReplace, 2, 2, isOfTexts},
    {builtins::listPop, 0, 1, popsItem},
    {builtins::listInsert, 2, 2, insertsItem},
    {builtins::listExtend, 1, 1, extendsList},
    {builtins::setAddMethod, 1, 1, findsMember},
    {builtins::setDiscardMethod, 1, 1, findsMember},
    {builtins::setRemove, 1, 1, removesMember},
    {builtins::setPop, 0, 0, popsMember},
    {builtins::dictPop, 1, 2, takesKey},
    {builtins::dictSetDefault, 1, 2, findsPlace},
    {builtins::dictGetMethod, 1, 2, findsPlace},
    {builtins::dictPopItem, 0, 0, takesPair},
};

/// Methods of texts and those that change a builtin container in place. With a mark, each call
/// would copy the contents for the way back. The result takes the place of the method, the object
/// and the arguments.
static bool fastMethod(Engine &e, Frame &f, const Instr &instr) {
  uint32_t n = instr.arg;
  if (instr.keywords != ptc::kNoIndex || !f.top(n + 1).is(Kind::Builtin))
    return false;
  NativeFn fn = builtinRows()[f.top(n + 1).bits()].fn;
  if (fn == builtins::listAppend) {
    Value *items = n == 1 ? plainList(e, f.top(1)) : nullptr;
    if (!items || f.top().is(Kind::Choice))
      return false;
    items->addPart(f.top());
    f.replace(3, Value::none());
    return f.next();
  }
  const auto *row = llvm::find_if(kFastMethods, [&](const FastMethod &m) { return m.fn == fn; });
  if (row == std::end(kFastMethods) || n < row->least || n > row->most ||
      !row->fits({e, f, f.top(n), n}))
    return false;
  CallArgs args;
  for (uint32_t i = 0; i <= n; ++i)
    args.positional.push_back(f.top(n - i));
  f.next();
  f.sync();
  Value result = fn(e, args);
  assert(!result.isFail() && !Engine::isCalled(result) && "a call that was found to be plain");
  f.replace(n + 2, std::move(result));
  return true;
}

/// Is it a text, or a builtin container of no derived class?
static bool isBuiltinData(Engine &e, const Value &v) {
  return v.is(Kind::Str) || ((isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict) ||
                              isRefTo(e, v, ObjectKind::Set)) &&
                             !e.heap.header(v.asRef()).cls);
}

/// Methods that such classes have.
static bool fastLoadMethod(Engine &e, Frame &f, NameId name) {
  Value self = f.top();
  if (!isBuiltinData(e, self))
    return false;
  for (ObjectId cls : e.classInfo(e.typeOf(self)).mro) {
    const Value &method = e.heap.get(cls, attrKey(name));
    if (method.isAbsent())
      continue;
    if (!method.is(Kind::Builtin) || builtinRows()[method.bits()].kind != BuiltinKind::Method)
      return false;
    f.replace(1, method);
    f.push(std::move(self));
    return f.next();
  }
  return false;
}

static bool fastUnpack(Frame &f, const Instr &instr) {
  if (!f.top().is(Kind::Tuple) || f.top().parts().size() != instr.arg)
    return false;
  const Value tuple = f.top();
  f.drop(1);
  for (const Value &part : llvm::reverse(tuple.parts()))
    f.push(part);
  return f.next();
}

/// Is it None? No answer where it may be, or where who asks may not be told.
static std::optional<bool> isNone(const Value &v) {
  switch (v.kind()) {
  case Kind::None:
    return true;
  case Kind::Bool:
  case Kind::Int:
  case Kind::Float:
  case Kind::Str:
  case Kind::Tuple:
  case Kind::Ref:
    return false;
  default:
    return std::nullopt;
  }
}

static bool fastJumpIfNone(Frame &f, const Instr &instr, bool on) {
  std::optional<bool> none = isNone(f.top());
  if (!none)
    return false;
  f.drop(1);
  return f.go(*none == on ? instr.target : f.position() + 1);
}

/// Is it a function by which the prelude changes a dict whose keys are hashed by Python code?
static bool changesDict(NativeFn fn) {
  return fn == builtins::ptcDictAppend || fn == builtins::ptcDictPut ||
         fn == builtins::ptcDictErase || fn == builtins::ptcDictNoteHash;
}

/// The same for those functions, whose other arguments the prelude has found out.
static bool fastCall(Engine &e, Frame &f, const Instr &instr) {
  uint32_t n = instr.arg;
  if (n < 2 || instr.keywords != ptc::kNoIndex || !f.top(n).is(Kind::Builtin))
    return false;
  const BuiltinRow &row = builtinRows()[f.top(n).bits()];
  if (!changesDict(row.fn) || !isPlainDict(e, f.top(n - 1)))
    return false;
  CallArgs args;
  for (uint32_t i = 1; i <= n; ++i)
    args.positional.push_back(f.top(n - i));
  // The place or the hash: that of a number of the run is not known.
  const bool appends = row.fn == builtins::ptcDictAppend;
  const bool hashes = appends || row.fn == builtins::ptcDictNoteHash;
  if (llvm::any_of(args.positional, [](const Value &v) { return v.is(Kind::Choice); }) ||
      (!appends && !args.positional[1].is(Kind::Int)) ||
      (hashes && !args.positional[n - 1].is(Kind::Int)))
    return false;
  f.next();
  f.sync();
  Value result = row.fn(e, args);
  assert(!result.isFail() && "a change that was found to be plain");
  f.replace(n + 1, std::move(result));
  return true;
}

/// dict[key] = v with a constant key.
static bool fastPut(Engine &e, const Value &dict, const Value &key, const Value &v) {
  if (!isDictWith(e, dict, WellKnown::SetItem))
    return false;
  std::optional<int64_t> place = plainPlace(e, dict, key);
  if (!place)
    return false;
  if (*place >= 0)
    dictPut(e, dict, *place, v);
  else
    dictAppend(e, dict, key, v);
  return true;
}

/// list[key] = v and dict[key] = v with a constant key.
static bool fastStore(Engine &e, Frame &f) {
  const Value &container = f.top(1), &key = f.top();
  if (f.top(2).is(Kind::Choice))
    return false;
  if (fastPut(e, container, key, f.top(2))) {
    f.drop(3);
    return f.next();
  }
  Value *items = plainList(e, container);
  std::optional<size_t> at = items ? placeOf(key, items->partCount()) : std::nullopt;
  if (!at)
    return false;
  items->mutablePart(*at) = f.top(2);
  f.drop(3);
  return f.next();
}

/// del dict[key] with a constant key that is there.
static bool fastDelete(Engine &e, Frame &f) {
  if (!isDictWith(e, f.top(1), WellKnown::DelItem))
    return false;
  int64_t place = plainPlace(e, f.top(1), f.top()).value_or(-1);
  if (place < 0)
    return false;
  dictErase(e, f.top(1), place);
  f.drop(2);
  return f.next();
}

/// What a comprehension adds to its set or dict.
static bool fastSetAdd(Engine &e, Frame &f, const Instr &instr) {
  std::optional<bool> held = plainMember(e, f.top(instr.arg), f.top());
  if (!held)
    return false;
  [[maybe_unused]] Flow added = setAdd(e, f.top(instr.arg), f.top());
  assert(added == Flow::Next && "a plain key was looked up before");
  f.drop(1);
  return f.next();
}
static bool fastMapAdd(Engine &e, Frame &f, const Instr &instr) {
  if (f.top().is(Kind::Choice) || !fastPut(e, f.top(instr.arg + 1), f.top(1), f.top()))
    return false;
  f.drop(2);
  return f.next();
}

/// Appends to the list that a comprehension makes.
static bool fastListAppend(Engine &e, Frame &f, const Instr &instr) {
  Value *items = plainList(e, f.top(instr.arg));
  if (!items || f.top().is(Kind::Choice))
    return false;
  items->addPart(f.top());
  f.drop(1);
  return f.next();
}

/// What TO_BOOL makes of constants and builtin containers.
static bool fastTruth(Engine &e, Frame &f) {
  const Value &v = f.top();
  bool truth;
  switch (v.kind()) {
  case Kind::Bool:
    return f.next();
  case Kind::None:
    truth = false;
    break;
  case Kind::Int:
    truth = v.asInt() != 0;
    break;
  case Kind::Str:
    truth = !v.asStr().empty();
    break;
  default:
    if (!isPlain(e, v, ObjectKind::List, Kind::Tuple))
      return false;
    truth = itemCount(e, v) != 0;
  }
  f.setTop(0, Value::boolean(truth));
  return f.next();
}

static bool fastTuple(Frame &f, const Instr &instr) {
  std::vector<Value> parts;
  parts.reserve(instr.arg);
  for (uint32_t i = instr.arg; i-- > 0;)
    parts.push_back(f.top(i));
  f.drop(instr.arg);
  f.push(Value::tuple(std::move(parts)));
  return f.next();
}

/// An iterator over a tuple, a range or a plain list.
static bool fastIterator(Engine &e, Frame &f) {
  Value v = f.top();
  if (!(v.is(Kind::Tuple) || v.is(Kind::Range) || isPlain(e, v, ObjectKind::List, Kind::Tuple)))
    return false;
  f.setTop(0, makeIterator(e, std::move(v)));
  return f.next();
}

/// Is it one object, wherever it is met?
static bool isSingleton(Engine &e, const Value &v) {
  return v.isNone() || v.is(Kind::Bool) || v.is(Kind::NotImplemented) || v.is(Kind::Ellipsis) ||
         isRefTo(e, v, ObjectKind::Class) || isRefTo(e, v, ObjectKind::Module);
}

/// `is` between singletons, or where one is None.
static bool fastIs(Engine &e, Frame &f, const Instr &instr) {
  const Value &a = f.top(1), &b = f.top();
  std::optional<bool> same;
  if (isSingleton(e, a) && isSingleton(e, b))
    same = a == b;
  else if (b.isNone())
    same = isNone(a);
  else if (a.isNone())
    same = isNone(b);
  if (!same)
    return false;
  f.replace(2, Value::boolean(*same != (instr.arg != 0)));
  return f.next();
}

/// `in` of a text in a text or in a tuple of texts, and of a constant key.
static std::optional<bool> plainContains(Engine &e, const Value &container, const Value &item) {
  if (container.is(Kind::Str) && item.is(Kind::Str))
    return std::string_view(container.asStr()).find(item.asStr()) != std::string_view::npos;
  if (container.is(Kind::Tuple)) {
    if (!isText(item) || !llvm::all_of(container.parts(), isText))
      return std::nullopt;
    return llvm::any_of(container.parts(),
                        [&](const Value &v) { return v.asStr() == item.asStr(); });
  }
  if (isRefTo(e, container, ObjectKind::Set))
    return plainMember(e, container, item);
  if (!isRefTo(e, container, ObjectKind::Dict) || e.heap.header(container.asRef()).cls)
    return std::nullopt;
  std::optional<int64_t> place = plainPlace(e, container, item);
  return place ? std::optional(*place >= 0) : std::nullopt;
}

static bool fastContains(Engine &e, Frame &f, const Instr &instr) {
  f.sync();
  std::optional<bool> found = plainContains(e, f.top(), f.top(1));
  if (!found)
    return false;
  f.replace(2, Value::boolean(*found != (instr.arg != 0)));
  return f.next();
}

/// A comparison of two small ints, or whether two texts are equal.
static bool fastCompare(Frame &f, const Instr &instr) {
  const Value &a = f.top(1), &b = f.top();
  const CompareOp op = instr.compareOp();
  bool holds;
  if (a.is(Kind::Int) && b.is(Kind::Int))
    holds = compareAs(op, a.asInt(), b.asInt());
  else if (a.is(Kind::Str) && b.is(Kind::Str) && (op == CompareOp::Eq || op == CompareOp::Ne))
    holds = (a.asStr() == b.asStr()) == (op == CompareOp::Eq);
  else
    return false;
  f.replace(2, Value::boolean(holds));
  return f.next();
}

/// isinstance(), which is Python in the prelude, where no class has a say.
static bool fastInstanceTest(Engine &e, Frame &f, const Instr &instr) {
  if (instr.arg != 2 || instr.keywords != ptc::kNoIndex ||
      !isRefTo(e, f.top(2), ObjectKind::Function))
    return false;
  const FunctionRecord &function = functionOf(e, f.top(2).asRef());
  if (!function.hidden || function.code->name != "isinstance" ||
      function.code->fileName != "<_builtins.objects>")
    return false;
  std::optional<bool> is = builtins::plainIsInstance(e, f.top(1), f.top());
  if (!is)
    return false;
  f.replace(3, Value::boolean(*is));
  return f.next();
}

/// One instruction. False: nothing was changed, its handler must run it.
static bool step(Engine &e, Frame &f, Run &run) {
  const ptc::CanonicalCode &code = run.code;
  const Instr &instr = code.instrs[f.position()];
  switch (instr.op) {
  case Opcode::LOAD_FAST:
  case Opcode::LOAD_FAST_CHECK: {
    const Value &v = f.local(instr.arg);
    if (v.isAbsent() || v.is(Kind::Choice))
      return false;
    f.push(v);
    return f.next();
  }
  case Opcode::LOAD_CONST:
    f.push(f.constant(instr));
    return f.next();
  case Opcode::STORE_FAST:
    if (f.top().is(Kind::Null))
      return false;
    f.setLocal(instr.arg, f.pop());
    return f.next();
  case Opcode::POP_TOP:
    f.drop(1);
    return f.next();
  case Opcode::COPY:
    f.push(f.top(instr.arg - 1));
    return f.next();
  case Opcode::SWAP: {
    Value v = f.top();
    f.setTop(0, f.top(instr.arg - 1));
    f.setTop(instr.arg - 1, std::move(v));
    return f.next();
  }
  case Opcode::JUMP:
    return f.go(instr.target);
  case Opcode::POP_JUMP_IF_TRUE:
    return fastJump(f, instr, true);
  case Opcode::POP_JUMP_IF_FALSE:
    return fastJump(f, instr, false);
  case Opcode::POP_JUMP_IF_NONE:
    return fastJumpIfNone(f, instr, true);
  case Opcode::POP_JUMP_IF_NOT_NONE:
    return fastJumpIfNone(f, instr, false);
  case Opcode::UNPACK_SEQUENCE:
    return fastUnpack(f, instr);
  case Opcode::RETURN_VALUE:
    if (f.top().is(Kind::Choice))
      return false;
    f.setReturn(f.pop());
    return f.go(code.exitNode());
  case Opcode::LOAD_METHOD:
    return fastLoadMethod(e, f, f.name(instr));
  case Opcode::TO_BOOL:
    return fastTruth(e, f);
  case Opcode::GET_ITER:
    return fastIterator(e, f);
  case Opcode::FOR_ITER:
    return fastNext(e, f, instr, run);
  case Opcode::BUILD_TUPLE:
    return fastTuple(f, instr);
  case Opcode::BINARY_OP: {
    Value r = fastBinary(instr.arg, f.top(1), f.top());
    if (r.isAbsent())
      return false;
    f.replace(2, std::move(r));
    return f.next();
  }
  case Opcode::BINARY_SUBSCR: {
    f.sync();
    Value item = fastItem(e, f.top(1), f.top());
    if (item.isAbsent())
      return false;
    f.replace(2, std::move(item));
    return f.next();
  }
  case Opcode::STORE_SUBSCR:
    return fastStore(e, f);
  case Opcode::LIST_APPEND:
    return fastListAppend(e, f, instr);
  case Opcode::SET_ADD:
    return fastSetAdd(e, f, instr);
  case Opcode::MAP_ADD:
    return fastMapAdd(e, f, instr);
  case Opcode::DELETE_SUBSCR:
    return fastDelete(e, f);
  case Opcode::CALL:
    return fastCall(e, f, instr) || fastInstanceTest(e, f, instr);
  case Opcode::CALL_METHOD:
    return fastMethod(e, f, instr);
  case Opcode::IS_OP:
    return fastIs(e, f, instr);
  case Opcode::CONTAINS_OP:
    return fastContains(e, f, instr);
  case Opcode::COMPARE_OP:
    return fastCompare(f, instr);
  case Opcode::LOAD_GLOBAL: {
    uint32_t key = attrKey(f.name(instr));
    const Value *v = &e.heap.get(f.globals(), key);
    if (v->isAbsent() && unknownNames(e, f.globals()).isAbsent())
      v = &e.heap.get(e.world->builtins, key);
    if (v->isAbsent() || v->is(Kind::Choice) || v->is(Kind::Opaque))
      return false;
    f.push(*v);
    return f.next();
  }
  default:
    return false;
  }
}

bool ops::runFast(Engine &e, ObjectId frame, const CanonicalCode &code, const FastRun &limits) {
  Frame f(e, frame, code);
  Run run{code, limits.most, limits.pause};
  if (!f.mayRead() || !step(e, f, run))
    return false;
  while (--run.left) {
    const uint32_t ip = f.position();
    if (ip >= code.exitNode() || ip == run.pause || (limits.stopsAtLoops && code.flow.loopAt(ip)))
      break;
    ++e.steps;
    if (!step(e, f, run)) {
      --e.steps;
      break;
    }
  }
  f.sync();
  return true;
}
