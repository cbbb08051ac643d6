//===- Value.cpp - Nodes, equality and traversal of values ----------------------===//
//
// In: constants and parts. Out: shared immutable nodes. Nodes are freed without recursion, so that
// a chain of a million tuples is as good as any other value.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/Value.h"
#include "ptc/Python/BigInt.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <cstdlib>
#include <cstring>

using namespace ptc;
using namespace ptc::capture;

namespace {
struct BigIntNode : Node {
  py::PyInt value;
};
} // namespace

// Ownership
// ----------------------------------------------------------------------------------------

static void deleteNode(Kind kind, const Node *node) {
  switch (kind) {
  case Kind::BigInt:
    delete static_cast<const BigIntNode *>(node);
    return;
  case Kind::Complex:
    delete static_cast<const ComplexNode *>(node);
    return;
  case Kind::Str:
    delete static_cast<const StrNode *>(node);
    return;
  case Kind::Bytes:
    delete static_cast<const BytesNode *>(node);
    return;
  case Kind::Code:
    delete static_cast<const CodeNode *>(node);
    return;
  case Kind::DictItems:
    delete static_cast<const DictNode *>(node);
    return;
  case Kind::FrozenSet:
  case Kind::SetItems:
    delete static_cast<const SetNode *>(node);
    return;
  case Kind::Tensor:
    delete static_cast<const TensorNode *>(node);
    return;
  case Kind::RunTimeList:
    delete static_cast<const RunTimeListNode *>(node);
    return;
  case Kind::Choice:
    delete static_cast<const ChoiceNode *>(node);
    return;
  case Kind::Opaque:
    delete static_cast<const OpaqueNode *>(node);
    return;
  default:
    assert(isComposite(kind) && "a kind with a node");
    delete static_cast<const CompositeNode *>(node);
  }
}

void capture::destroyNode(Kind kind, const Node *node) {
  // The parts of the outermost node that is being freed wait here instead of recursing.
  static thread_local std::vector<std::pair<Kind, const Node *>> *waiting = nullptr;
  if (waiting) {
    waiting->emplace_back(kind, node);
    return;
  }
  std::vector<std::pair<Kind, const Node *>> queue{{kind, node}};
  waiting = &queue;
  while (!queue.empty()) {
    auto [nextKind, next] = queue.back();
    queue.pop_back();
    deleteNode(nextKind, next);
  }
  waiting = nullptr;
}

// Making
// -------------------------------------------------------------------------------------------

Value Value::size(sym::Expr e) {
  if (std::optional<int64_t> constant = e.asConstant())
    return integer(*constant);
  Value v(Kind::Size);
  static_assert(sizeof(sym::Expr) == 8);
  v.payload.bits = std::bit_cast<uint64_t>(e);
  return v;
}

Value Value::str(llvm::StringRef utf8) {
  auto *node = new StrNode;
  node->own = utf8.str();
  return Value::node(Kind::Str, node);
}

/// Strs below this are copied: a buffer of their own costs more.
static constexpr size_t kGrowingFrom = 256;

Value Value::concat(const Value &a, const Value &b) {
  const auto &left = a.nodeAs<StrNode>(Kind::Str), &right = b.nodeAs<StrNode>(Kind::Str);
  size_t size = left.text().size() + right.text().size();
  auto *node = new StrNode;
  Value made = Value::node(Kind::Str, node);
  if (left.length >= 0 && right.length >= 0)
    node->length = left.length + right.length;
  if (size < kGrowingFrom) {
    node->own = left.text().str();
    node->own += right.text();
    return made;
  }
  if (left.growing && left.growing->size() == left.size) {
    node->growing = left.growing;
  } else {
    node->growing = std::make_shared<std::string>();
    node->growing->reserve(size * 2);
    node->growing->append(left.text());
  }
  if (right.growing == node->growing)
    node->growing->append(right.text().str());
  else
    node->growing->append(right.text());
  node->size = size;
  return made;
}

Value Value::bytes(llvm::StringRef data) {
  auto *node = new BytesNode;
  node->data = data.str();
  return Value::node(Kind::Bytes, node);
}

Value Value::complex(std::complex<double> c) {
  auto *node = new ComplexNode;
  node->value = c;
  return Value::node(Kind::Complex, node);
}

Value Value::bigInt(const py::PyInt &i) {
  if (std::optional<int64_t> small = i.asInt64())
    return integer(*small);
  auto *node = new BigIntNode;
  node->value = i;
  return Value::node(Kind::BigInt, node);
}

Value Value::code(const CodeObject *code) {
  auto *node = new CodeNode;
  node->code = code;
  return Value::node(Kind::Code, node);
}

static CompositeNode *compositeNode(Kind kind) {
  switch (kind) {
  case Kind::DictItems:
    return new DictNode;
  case Kind::FrozenSet:
  case Kind::SetItems:
    return new SetNode;
  default:
    return new CompositeNode;
  }
}

Value Value::composite(Kind kind, std::vector<Value> parts) {
  assert(isComposite(kind));
  CompositeNode *node = compositeNode(kind);
  node->store = std::move(parts);
  Value v(kind);
  v.payload.node = node;
  v.retain();
  return v;
}

// Changing in place
// --------------------------------------------------------------------------------

static CompositeNode &unshared(const Value &v) {
  assert(isComposite(v.kind()) && v.isUnique() && "only an unshared node may change");
  auto &node = const_cast<CompositeNode &>(*static_cast<const CompositeNode *>(v.node()));
  (void)node.parts(); // read
  return node;
}

static void closeFront(CompositeNode &node) {
  node.store.erase(node.store.begin(), node.store.begin() + ptrdiff_t(node.front));
  node.front = 0;
}

std::vector<Value> &Value::mutableParts() {
  CompositeNode &node = unshared(*this);
  closeFront(node);
  return node.store;
}

void Value::addPart(Value v) { unshared(*this).store.push_back(std::move(v)); }

void Value::addFirstPart(Value v) {
  CompositeNode &node = unshared(*this);
  if (!node.front) {
    node.front = node.store.size() + 1;
    std::vector<Value> wider(node.front + node.store.size());
    std::move(node.store.begin(), node.store.end(), wider.begin() + ptrdiff_t(node.front));
    node.store = std::move(wider);
  }
  node.store[--node.front] = std::move(v);
}

/// Moves n values by `by` places, to where the values are absent.
static void shift(Value *from, size_t n, ptrdiff_t by) {
  if (!by || !n)
    return;
  // A value's bytes are all of it: the holders of its node are as many as before.
  // NOLINTNEXTLINE(bugprone-undefined-memory-manipulation): vacated places are made anew below
  std::memmove(static_cast<void *>(from + by), from, n * sizeof(Value));
  const size_t left = std::min(n, size_t(std::abs(by)));
  Value *vacated = by < 0 ? from + n - left : from;
  for (size_t i = 0; i < left; ++i)
    new (vacated + i) Value;
}

void Value::dropParts(size_t at, size_t n) {
  CompositeNode &node = unshared(*this);
  assert(at + n <= node.size() && "parts that are there");
  const size_t behind = node.size() - at - n;
  Value *first = node.store.data() + node.front, *gone = first + at;
  for (size_t i = 0; i < n; ++i)
    gone[i] = Value();
  if (at < behind) {
    shift(first, at, ptrdiff_t(n));
    node.front += n;
    if (node.front * 2 > node.store.size())
      closeFront(node);
    return;
  }
  shift(gone + n, behind, -ptrdiff_t(n));
  node.store.resize(node.store.size() - n);
}

// Asking
// -------------------------------------------------------------------------------------------

sym::Expr Value::asSize() const {
  check(Kind::Size);
  return std::bit_cast<sym::Expr>(payload.bits);
}

llvm::StringRef Value::asStr() const { return nodeAs<StrNode>(Kind::Str).text(); }
llvm::StringRef Value::asBytes() const { return nodeAs<BytesNode>(Kind::Bytes).data; }
std::complex<double> Value::asComplex() const { return nodeAs<ComplexNode>(Kind::Complex).value; }
const py::PyInt &Value::asBigInt() const { return nodeAs<BigIntNode>(Kind::BigInt).value; }
const CodeObject *Value::asCode() const { return nodeAs<CodeNode>(Kind::Code).code; }

NumberType capture::numberType(const Value &v) {
  switch (v.kind()) {
  case Kind::Bool:
    return NumberType::Bool;
  case Kind::Int:
  case Kind::BigInt:
  case Kind::Size:
    return NumberType::Int;
  case Kind::Float:
    return NumberType::Float;
  case Kind::Scalar:
    switch (v.scalarType()) {
    case ScalarType::Bool:
      return NumberType::Bool;
    case ScalarType::Int:
      return NumberType::Int;
    case ScalarType::Float:
      return NumberType::Float;
    }
    llvm_unreachable("closed enum");
  default:
    return NumberType::NotNumber;
  }
}

bool ViewStep::operator==(const ViewStep &other) const {
  return op == other.op && llvm::equal(args, other.args);
}

static bool sameTensor(const TensorNode &a, const TensorNode &b) {
  return a.storage == b.storage && a.made == b.made && a.dtype == b.dtype && a.device == b.device &&
         a.requiresGrad == b.requiresGrad && a.isParameter == b.isParameter && a.sizes == b.sizes &&
         a.strides == b.strides && a.steps == b.steps;
}

/// Of two values of one kind, whose nodes differ and have no parts.
static bool sameLeaf(const Value &a, const Value &b) {
  switch (a.kind()) {
  case Kind::BigInt:
    return a.asBigInt() == b.asBigInt();
  case Kind::Complex:
    return std::bit_cast<std::array<uint64_t, 2>>(a.asComplex()) ==
           std::bit_cast<std::array<uint64_t, 2>>(b.asComplex());
  case Kind::Str:
    return a.asStr() == b.asStr();
  case Kind::Bytes:
    return a.asBytes() == b.asBytes();
  case Kind::Code:
    return a.asCode() == b.asCode();
  case Kind::Tensor:
    return sameTensor(asTensor(a), asTensor(b));
  case Kind::RunTimeList:
    return a.nodeAs<RunTimeListNode>(Kind::RunTimeList).list ==
           b.nodeAs<RunTimeListNode>(Kind::RunTimeList).list;
  default:
    assert(a.is(Kind::Opaque) && "a kind with a node and without parts");
    return a.nodeAs<OpaqueNode>(Kind::Opaque).path == b.nodeAs<OpaqueNode>(Kind::Opaque).path;
  }
}

/// What a composite or a choice is made of.
static llvm::ArrayRef<Value> partsOf(const Value &v) {
  if (v.is(Kind::Choice))
    return asChoice(v).alternatives;
  return isComposite(v.kind()) ? v.parts() : llvm::ArrayRef<Value>();
}

// Values may be nested deeper than the native stack is: these walk them without recursion.

bool Value::operator==(const Value &other) const {
  llvm::SmallVector<std::pair<llvm::ArrayRef<Value>, llvm::ArrayRef<Value>>, 4> open;
  auto alike = [&](const Value &a, const Value &b) {
    if (a.kindTag != b.kindTag || a.subTag != b.subTag)
      return false;
    if (!hasNode(a.kindTag))
      return a.payload.bits == b.payload.bits;
    if (a.payload.node == b.payload.node)
      return true;
    if (!isComposite(a.kindTag) && !a.is(Kind::Choice))
      return sameLeaf(a, b);
    if (a.is(Kind::Choice) && asChoice(a).selector != asChoice(b).selector)
      return false;
    if (partsOf(a).size() != partsOf(b).size())
      return false;
    open.emplace_back(partsOf(a), partsOf(b));
    return true;
  };
  if (!alike(*this, other))
    return false;
  while (!open.empty()) {
    auto [left, right] = open.pop_back_val();
    for (size_t i = 0; i < left.size(); ++i)
      if (!alike(left[i], right[i]))
        return false;
  }
  return true;
}

/// Without the parts.
static size_t hashOfHead(const Value &v) {
  switch (v.kind()) {
  case Kind::Str:
    return llvm::hash_combine(v.kind(), v.asStr());
  case Kind::Bytes:
    return llvm::hash_combine(v.kind(), v.asBytes());
  case Kind::Tensor:
    return llvm::hash_combine(v.kind(), asTensor(v).storage);
  case Kind::Choice:
    return llvm::hash_combine(v.kind(), asChoice(v).selector);
  case Kind::BigInt:
  case Kind::Complex:
  case Kind::Code:
  case Kind::RunTimeList:
  case Kind::Opaque:
    return llvm::hash_value(uint8_t(v.kind()));
  default:
    break;
  }
  if (!hasNode(v.kind()))
    return llvm::hash_combine(v.kind(), v.sub(), v.bits());
  return llvm::hash_combine(v.kind(), v.parts().size());
}

size_t Value::hash() const {
  size_t h = hashOfHead(*this);
  llvm::SmallVector<llvm::ArrayRef<Value>, 4> open;
  if (isComposite(kindTag))
    open.push_back(parts());
  while (!open.empty())
    for (const Value &part : llvm::ArrayRef<Value>(open.pop_back_val())) {
      h = llvm::hash_combine(h, hashOfHead(part));
      if (isComposite(part.kind()))
        open.push_back(part.parts());
    }
  return h;
}

void capture::forEachRef(const Value &v, llvm::function_ref<void(ObjectId)> see) {
  llvm::SmallVector<llvm::ArrayRef<Value>, 4> open{llvm::ArrayRef<Value>(v)};
  while (!open.empty()) {
    if (open.back().empty()) {
      open.pop_back();
      continue;
    }
    const Value &next = open.back().front();
    open.back() = open.back().drop_front();
    if (next.is(Kind::Ref))
      see(next.asRef());
    else if (next.is(Kind::Tensor))
      see(asTensor(next).storage);
    else
      open.push_back(partsOf(next));
  }
}

bool capture::anyElement(const Value &v, llvm::function_ref<bool(const Value &)> test) {
  llvm::SmallVector<llvm::ArrayRef<Value>, 4> open{llvm::ArrayRef<Value>(v)};
  while (!open.empty())
    for (const Value &part : llvm::ArrayRef<Value>(open.pop_back_val())) {
      if (test(part))
        return true;
      if (part.is(Kind::Tuple) || part.is(Kind::FrozenSet))
        open.push_back(part.parts());
    }
  return false;
}
