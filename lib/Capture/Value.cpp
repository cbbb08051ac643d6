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

// Versions
// -------------------------------------------------------------------------------------------

using Change = CompositeNode::Change;

/// Below this many parts a copy is made.
static constexpr size_t kVersionFrom = 32;

static void closeFront(const CompositeNode &node) {
  node.store.erase(node.store.begin(), node.store.begin() + ptrdiff_t(node.front));
  node.front = 0;
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

/// A free place in front of part `at`, or behind the last one.
static void makePlace(const CompositeNode &node, size_t at) {
  std::vector<Value> &store = node.store;
  const size_t size = store.size() - node.front;
  if (at * 2 < size) {
    if (!node.front) {
      std::vector<Value> wider(size * 2 + 1);
      std::move(store.begin(), store.end(), wider.begin() + ptrdiff_t(size) + 1);
      store = std::move(wider);
      node.front = size + 1;
    }
    --node.front;
    shift(store.data() + node.front + 1, at, -1);
    return;
  }
  store.emplace_back();
  shift(store.data() + node.front + at, size - at, 1);
}

static void takeBack(const CompositeNode &node, const Change &change) {
  switch (change.kind) {
  case Change::Set:
    node.store[node.front + change.at] = change.old;
    return;
  case Change::Added:
    node.store.pop_back();
    return;
  case Change::AddedFirst:
    node.store[node.front++] = Value();
    return;
  case Change::Dropped:
    makePlace(node, change.at);
    node.store[node.front + change.at] = change.old;
    return;
  }
  llvm_unreachable("closed enum");
}

/// Ends the bond of two neighbours. Without versions on either side a node forgets that it had any.
static void part(const CompositeNode &older, const CompositeNode &newer) {
  older.versions->newer = nullptr;
  newer.versions->older = nullptr;
  for (const CompositeNode *node : {&older, &newer})
    if (!node->versions->older && !node->versions->newer)
      node->versions.reset();
}

/// The parts of an older version, copied; it needs its newer one no longer.
static void copyBack(const CompositeNode &node) {
  llvm::SmallVector<const CompositeNode *> path{&node};
  while (path.back()->partsAt == CompositeNode::PartsAt::Newer)
    path.push_back(path.back()->versions->newer);
  llvm::ArrayRef<Value> now = path.pop_back_val()->parts();
  node.store.assign(now.begin(), now.end());
  node.front = 0;
  node.partsAt = CompositeNode::PartsAt::Store;
  for (const CompositeNode *version : llvm::reverse(path))
    for (const Change &change : llvm::reverse(version->versions->back))
      takeBack(node, change);
  node.versions->back.clear();
  part(node, *node.versions->newer);
}

void CompositeNode::readParts() const {
  if (partsAt == PartsAt::Layout)
    readLayout();
  else
    copyBack(*this);
}

void CompositeNode::leaveVersions() {
  const CompositeNode *older = versions->older, *newer = versions->newer;
  if (!older) {
    part(*this, *newer);
    return;
  }
  std::vector<Change> &back = older->versions->back;
  if (newer) {
    std::move(versions->back.begin(), versions->back.end(), std::back_inserter(back));
    older->versions->newer = newer;
    newer->versions->older = older;
    versions.reset();
    return;
  }
  older->store = std::move(store);
  older->front = front;
  older->partsAt = PartsAt::Store;
  for (const Change &change : llvm::reverse(back))
    takeBack(*older, change);
  back.clear();
  part(*older, *this);
}

std::optional<Value> Value::keepVersion() {
  if ((!is(Kind::Tuple) && !is(Kind::DictItems)) || !isUnique())
    return std::nullopt;
  auto &node = const_cast<CompositeNode &>(*static_cast<const CompositeNode *>(payload.node));
  if (node.partsAt != CompositeNode::PartsAt::Store || node.size() < kVersionFrom)
    return std::nullopt;
  if (is(Kind::DictItems) && static_cast<DictNode &>(node).hasUnknownHashes())
    return std::nullopt;
  // The node becomes the older version: those before it know it by its address.
  Value older = withSource(src);
  Value newer = composite(kindTag, {});
  newer.subTag = subTag;
  newer.src = src;
  auto &next = const_cast<CompositeNode &>(*static_cast<const CompositeNode *>(newer.payload.node));
  next.store = std::move(node.store);
  node.store.clear();
  next.front = std::exchange(node.front, 0);
  if (is(Kind::DictItems))
    static_cast<DictNode &>(next).index = std::move(static_cast<DictNode &>(node).index);
  node.partsAt = CompositeNode::PartsAt::Newer;
  if (!node.versions)
    node.versions = std::make_unique<CompositeNode::Versions>();
  next.versions = std::make_unique<CompositeNode::Versions>();
  node.versions->newer = &next;
  next.versions->older = &node;
  *this = std::move(newer);
  return older;
}

// Changing in place
// --------------------------------------------------------------------------------

static CompositeNode &unshared(const Value &v) {
  assert(isComposite(v.kind()) && v.isUnique() && "only an unshared node may change");
  auto &node = const_cast<CompositeNode &>(*static_cast<const CompositeNode *>(v.node()));
  (void)node.parts(); // read
  return node;
}

/// Where to note how `n` changes that are about to be made are taken back; null: nowhere.
static std::vector<Change> *notesOf(const CompositeNode &node, size_t n = 1) {
  if (!node.versions || !node.versions->older)
    return nullptr;
  const CompositeNode &older = *node.versions->older;
  if (older.versions->back.size() + n <= node.size())
    return &older.versions->back;
  copyBack(older); // costs less than more changes than parts
  return nullptr;
}

std::vector<Value> &Value::mutableParts() {
  CompositeNode &node = unshared(*this);
  if (node.versions && node.versions->older)
    copyBack(*node.versions->older);
  closeFront(node);
  return node.store;
}

Value &Value::mutablePart(size_t n) {
  CompositeNode &node = unshared(*this);
  assert(n < node.size() && "a part that is there");
  Value &part = node.store[node.front + n];
  if (std::vector<Change> *notes = notesOf(node))
    notes->push_back({Change::Set, n, part});
  return part;
}

void Value::addPart(Value v) {
  CompositeNode &node = unshared(*this);
  if (std::vector<Change> *notes = notesOf(node))
    notes->push_back({Change::Added, 0, {}});
  node.store.push_back(std::move(v));
}

void Value::addFirstPart(Value v) {
  CompositeNode &node = unshared(*this);
  if (std::vector<Change> *notes = notesOf(node))
    notes->push_back({Change::AddedFirst, 0, {}});
  makePlace(node, 0);
  node.store[node.front] = std::move(v);
}

void Value::dropParts(size_t at, size_t n) {
  CompositeNode &node = unshared(*this);
  assert(at + n <= node.size() && "parts that are there");
  if (std::vector<Change> *notes = notesOf(node, n))
    for (size_t i = 0; i < n; ++i)
      notes->push_back({Change::Dropped, at, node.store[node.front + at + i]});
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

static bool sameOpaque(const OpaqueNode &a, const OpaqueNode &b) {
  return a.path == b.path && a.is == b.is && a.poison == b.poison && a.refusal == b.refusal;
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
    return asRunTimeList(a).columns == asRunTimeList(b).columns &&
           asRunTimeList(a).form == asRunTimeList(b).form &&
           asRunTimeList(a).shared == asRunTimeList(b).shared;
  default:
    assert(a.is(Kind::Opaque) && "a kind with a node and without parts");
    return sameOpaque(a.nodeAs<OpaqueNode>(Kind::Opaque), b.nodeAs<OpaqueNode>(Kind::Opaque));
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
  llvm::SmallVector<llvm::ArrayRef<Value>, 4> open;
  /// Most values refer to one object or to none.
  auto visit = [&](const Value &next) {
    if (next.is(Kind::Ref))
      see(next.asRef());
    else if (next.is(Kind::Tensor))
      see(asTensor(next).storage);
    else if (next.is(Kind::RunTimeList))
      open.emplace_back(asRunTimeList(next).form); // of views
    else if (hasNode(next.kind()))
      if (llvm::ArrayRef<Value> parts = partsOf(next); !parts.empty())
        open.push_back(parts);
  };
  visit(v);
  while (!open.empty()) {
    const Value &next = open.back().front();
    open.back() = open.back().drop_front();
    if (open.back().empty())
      open.pop_back();
    visit(next);
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
