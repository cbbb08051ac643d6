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
  node->text = utf8.str();
  return Value::node(Kind::Str, node);
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
  node->parts = std::move(parts);
  Value v(kind);
  v.payload.node = node;
  v.retain();
  return v;
}

// Asking
// -------------------------------------------------------------------------------------------

sym::Expr Value::asSize() const {
  check(Kind::Size);
  return std::bit_cast<sym::Expr>(payload.bits);
}

llvm::StringRef Value::asStr() const { return nodeAs<StrNode>(Kind::Str).text; }
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

bool Value::operator==(const Value &other) const {
  if (kindTag != other.kindTag || subTag != other.subTag)
    return false;
  if (!hasNode(kindTag))
    return payload.bits == other.payload.bits;
  if (payload.node == other.payload.node)
    return true;
  switch (kindTag) {
  case Kind::BigInt:
    return asBigInt() == other.asBigInt();
  case Kind::Complex:
    return std::bit_cast<std::array<uint64_t, 2>>(asComplex()) ==
           std::bit_cast<std::array<uint64_t, 2>>(other.asComplex());
  case Kind::Str:
    return asStr() == other.asStr();
  case Kind::Bytes:
    return asBytes() == other.asBytes();
  case Kind::Code:
    return asCode() == other.asCode();
  case Kind::Tensor:
    return sameTensor(asTensor(*this), asTensor(other));
  case Kind::RunTimeList:
    return nodeAs<RunTimeListNode>(kindTag).list == other.nodeAs<RunTimeListNode>(kindTag).list;
  case Kind::Choice:
    return asChoice(*this).selector == asChoice(other).selector &&
           asChoice(*this).alternatives == asChoice(other).alternatives;
  case Kind::Opaque:
    return nodeAs<OpaqueNode>(kindTag).path == other.nodeAs<OpaqueNode>(kindTag).path;
  default:
    return parts() == other.parts();
  }
}

size_t Value::hash() const {
  switch (kindTag) {
  case Kind::Str:
    return llvm::hash_combine(kindTag, asStr());
  case Kind::Bytes:
    return llvm::hash_combine(kindTag, asBytes());
  case Kind::Tensor:
    return llvm::hash_combine(kindTag, asTensor(*this).storage);
  case Kind::Choice:
    return llvm::hash_combine(kindTag, asChoice(*this).selector);
  case Kind::BigInt:
  case Kind::Complex:
  case Kind::Code:
  case Kind::RunTimeList:
  case Kind::Opaque:
    return llvm::hash_value(uint8_t(kindTag));
  default:
    break;
  }
  if (!hasNode(kindTag))
    return llvm::hash_combine(kindTag, subTag, payload.bits);
  size_t h = llvm::hash_combine(kindTag, parts().size());
  for (const Value &part : parts())
    h = llvm::hash_combine(h, part.hash());
  return h;
}

void capture::forEachRef(const Value &v, llvm::function_ref<void(ObjectId)> see) {
  switch (v.kind()) {
  case Kind::Ref:
    return see(v.asRef());
  case Kind::Tensor:
    return see(asTensor(v).storage);
  case Kind::Choice:
    for (const Value &alternative : asChoice(v).alternatives)
      forEachRef(alternative, see);
    return;
  default:
    if (isComposite(v.kind()))
      for (const Value &part : v.parts())
        forEachRef(part, see);
  }
}
