//===- Fast.cpp - Instructions that can neither fork nor raise ---------------------------===//
//
// The common moves and arithmetic on small constants, without a mark. What does not fit is left to
// the handler: nothing is changed before that is known.
//
//===----------------------------------------------------------------------===//
#include "../Builtins/Builtins.h"
#include "../Comparison.h"
#include "Handlers.h"

using namespace ptc::capture;

namespace {
/// The frame's stack, read and written in place.
class Frame {
public:
  Frame(Engine &e, ObjectId id)
      : heap(e.heap), id(id), base(e.stackBase(id)), sp(heap.get(id, slot::kSp).asIp()) {}

  const Value &top(uint32_t depth = 0) const { return heap.get(id, base + sp - 1 - depth); }
  void push(Value v) {
    heap.set(id, base + sp, std::move(v));
    heap.set(id, slot::kSp, Value::ip(++sp));
  }
  void drop(uint32_t n) {
    for (uint32_t i = 0; i < n; ++i)
      heap.set(id, base + --sp, Value());
    heap.set(id, slot::kSp, Value::ip(sp));
  }
  /// Replaces the n topmost values.
  void replace(uint32_t n, Value v) {
    for (uint32_t i = 1; i < n; ++i)
      heap.set(id, base + --sp, Value());
    heap.set(id, base + sp - 1, std::move(v));
    if (n > 1)
      heap.set(id, slot::kSp, Value::ip(sp));
  }
  bool next(uint32_t ip) {
    heap.set(id, slot::kIp, Value::ip(ip));
    return true;
  }

private:
  Heap &heap;
  ObjectId id;
  uint32_t base, sp;
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

/// One pass of a loop over a range of constants.
static bool fastNext(Engine &e, Frame &f, uint32_t ip) {
  const Value &it = f.top();
  if (!isRefTo(e, it, ObjectKind::Iterator))
    return false;
  ObjectId id = it.asRef();
  const Value &sequence = e.heap.get(id, slot::kSequence);
  const Value &position = e.heap.get(id, slot::kPosition);
  if (!sequence.is(Kind::Range) || !position.is(Kind::Int))
    return false;
  llvm::ArrayRef<Value> p = sequence.parts();
  if (!p[0].is(Kind::Int) || !p[1].is(Kind::Int) || !p[2].is(Kind::Int))
    return false;
  int64_t n = position.asInt(), offset, now;
  if (__builtin_mul_overflow(n, p[2].asInt(), &offset) ||
      __builtin_add_overflow(p[0].asInt(), offset, &now))
    return false;
  if (p[2].asInt() > 0 ? now >= p[1].asInt() : now <= p[1].asInt())
    return false;
  e.heap.set(id, slot::kPosition, Value::integer(n + 1));
  f.push(Value::integer(now));
  return f.next(ip + 1);
}

static bool fastJump(Frame &f, const Instr &instr, uint32_t ip, bool on) {
  if (!f.top().is(Kind::Bool))
    return false;
  bool jumps = f.top().asBool() == on;
  f.drop(1);
  return f.next(jumps ? instr.target : ip + 1);
}

/// A list's elements, to be changed in place; null where it must be looked at more closely.
static std::vector<Value> *plainList(Engine &e, const Value &list) {
  if (!isRefTo(e, list, ObjectKind::List) || e.heap.header(list.asRef()).cls ||
      !e.heap.get(list.asRef(), slot::kContent).is(Kind::Tuple))
    return nullptr;
  return &mutableContent(e, list.asRef());
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
  }
  std::optional<size_t> at = placeOf(key, items.size());
  return at && !items[*at].is(Kind::Choice) ? items[*at] : Value();
}

/// list.append(v), called as a method. The result None takes the place of the three operands.
static bool fastAppend(Engine &e, Frame &f, const Instr &instr, uint32_t ip) {
  if (instr.arg != 1 || instr.keywords != ptc::kNoIndex || !f.top(2).is(Kind::Builtin) ||
      builtinRows()[f.top(2).bits()].fn != builtins::listAppend)
    return false;
  std::vector<Value> *items = plainList(e, f.top(1));
  if (!items || f.top().is(Kind::Choice))
    return false;
  items->push_back(f.top());
  f.replace(3, Value::none());
  return f.next(ip + 1);
}

/// list[key] = v and dict[key] = v with a constant key.
static bool fastStore(Engine &e, Frame &f, uint32_t ip) {
  const Value &container = f.top(1), &key = f.top();
  if (f.top(2).is(Kind::Choice))
    return false;
  if (isRefTo(e, container, ObjectKind::Dict) && !e.heap.header(container.asRef()).cls &&
      (key.is(Kind::Int) || key.is(Kind::Str)) &&
      e.heap.get(container.asRef(), slot::kOwner).isAbsent() &&
      e.heap.get(container.asRef(), slot::kContent).is(Kind::DictItems)) {
    std::optional<Found> found = dictFind(e, container, key);
    if (!found || found->needsPython) {
      e.pending = {};
      return false;
    }
    if (found->position >= 0)
      dictPut(e, container, found->position, f.top(2));
    else
      dictAppend(e, container, key, f.top(2));
    f.drop(3);
    return f.next(ip + 1);
  }
  std::vector<Value> *items = plainList(e, container);
  std::optional<size_t> at = items ? placeOf(key, items->size()) : std::nullopt;
  if (!at)
    return false;
  (*items)[*at] = f.top(2);
  f.drop(3);
  return f.next(ip + 1);
}

/// Appends to the list that a comprehension makes.
static bool fastListAppend(Engine &e, Frame &f, const Instr &instr, uint32_t ip) {
  std::vector<Value> *items = plainList(e, f.top(instr.arg));
  if (!items || f.top().is(Kind::Choice))
    return false;
  items->push_back(f.top());
  f.drop(1);
  return f.next(ip + 1);
}

bool ops::fastStep(Engine &e, ObjectId frame, const Instr &instr) {
  uint32_t ip = e.heap.get(frame, slot::kIp).asIp();
  Frame f(e, frame);
  switch (instr.op) {
  case Opcode::LOAD_FAST:
  case Opcode::LOAD_FAST_CHECK: {
    const Value &v = e.heap.get(frame, slot::kLocals + instr.arg);
    if (v.isAbsent() || v.is(Kind::Choice))
      return false;
    f.push(v);
    return f.next(ip + 1);
  }
  case Opcode::LOAD_CONST:
    f.push(e.frameInfo(frame).record->constants[instr.arg]);
    return f.next(ip + 1);
  case Opcode::STORE_FAST: {
    if (f.top().is(Kind::Null))
      return false;
    Value v = f.top();
    f.drop(1);
    e.heap.set(frame, slot::kLocals + instr.arg, std::move(v));
    return f.next(ip + 1);
  }
  case Opcode::POP_TOP:
    f.drop(1);
    return f.next(ip + 1);
  case Opcode::JUMP:
    return f.next(instr.target);
  case Opcode::POP_JUMP_IF_TRUE:
    return fastJump(f, instr, ip, true);
  case Opcode::POP_JUMP_IF_FALSE:
    return fastJump(f, instr, ip, false);
  case Opcode::TO_BOOL:
    if (!f.top().is(Kind::Bool))
      return false;
    return f.next(ip + 1);
  case Opcode::FOR_ITER:
    return fastNext(e, f, ip);
  case Opcode::BINARY_OP: {
    Value r = fastBinary(instr.arg, f.top(1), f.top());
    if (r.isAbsent())
      return false;
    f.replace(2, std::move(r));
    return f.next(ip + 1);
  }
  case Opcode::BINARY_SUBSCR: {
    Value item = fastItem(e, f.top(1), f.top());
    if (item.isAbsent())
      return false;
    f.replace(2, std::move(item));
    return f.next(ip + 1);
  }
  case Opcode::STORE_SUBSCR:
    return fastStore(e, f, ip);
  case Opcode::LIST_APPEND:
    return fastListAppend(e, f, instr, ip);
  case Opcode::CALL_METHOD:
    return fastAppend(e, f, instr, ip);
  case Opcode::COMPARE_OP: {
    const Value &a = f.top(1), &b = f.top();
    if (!a.is(Kind::Int) || !b.is(Kind::Int))
      return false;
    f.replace(2, Value::boolean(compareAs(instr.compareOp(), a.asInt(), b.asInt())));
    return f.next(ip + 1);
  }
  case Opcode::LOAD_GLOBAL: {
    uint32_t key = attrKey(nameOf(e, frame, instr));
    const Value *v = &e.heap.get(e.frameInfo(frame).globals, key);
    if (v->isAbsent())
      v = &e.heap.get(e.world->builtins, key);
    if (v->isAbsent() || v->is(Kind::Choice))
      return false;
    f.push(*v);
    return f.next(ip + 1);
  }
  default:
    return false;
  }
}
