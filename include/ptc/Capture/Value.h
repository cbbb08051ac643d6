//===- Value.h - The closed sum of symbolic values --------------*- C++ -*-===//
//
// What the executor computes with. Values are immutable and 16 bytes; everything that Python code
// can change lives in the Heap and is named by an object id. Composite values share immutable,
// reference-counted nodes, so copying a value never copies its parts.
//
// Every value carries a provenance id (Source.h): where the user's program got it. Provenance never
// takes part in equality.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_VALUE_H
#define PTC_CAPTURE_VALUE_H

#include "ptc/Support/DType.h"
#include "ptc/Symbolic/Expr.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cassert>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ptc::py {
class PyInt;
} // namespace ptc::py

namespace ptc {
struct CodeObject;
} // namespace ptc

namespace ptc::capture {

/// Names an object of the heap. Never reused within one capture; 0 is no object.
using ObjectId = uint32_t;
/// Names an SSA value of the tape. Grows in the order of recording, so `id < n` says "made
/// before"; 0 is undefined.
using ValueId = uint32_t;
/// An interned attribute, global or keyword name.
using NameId = uint32_t;
/// A row of the provenance table; 0 is unknown.
using SourceId = uint32_t;

enum class Kind : uint8_t {
  // No Python value.
  Fail,   ///< a computation did not finish: the engine's pending state says why
  Absent, ///< content of a slot that does not exist: unbound local, missing attribute
  Null,   ///< the interpreter's NULL on the operand stack
  Ip,     ///< a position in code or a stack depth: never becomes a run-time number
  Raw,    ///< contents of a tensor storage: an SSA value

  // Constants without a node.
  None,
  Ellipsis,
  NotImplemented,
  Bool,
  Int, ///< fits 64 bits; larger ones are BigInt, never the other way round
  Float,
  DType,
  Device,       ///< payload: device type in the high, index + 1 in the low 32 bits
  Layout,       ///< torch.strided …
  MemoryFormat, ///< torch.channels_last …
  Builtin,      ///< a native function: row of Builtins.def
  TorchOp,      ///< a torch function that is one operation or overload set: row of the op table

  // Run-time values without a node.
  Scalar, ///< run-time int, float or bool; sub: ScalarType; payload: ValueId
  Size,   ///< non-constant int expression over sizes; payload: sym::Expr
  Ref,    ///< a heap object

  // Values with a node from here on.
  BigInt,
  Complex,
  Str,
  Bytes,
  Code,
  Tuple,
  FrozenSet,   ///< parts in iteration order
  Slice,       ///< parts: start, stop, step
  Range,       ///< parts: start, stop, step
  Bound,       ///< parts: receiver, function
  Template,    ///< string with run-time parts
  DictItems,   ///< contents of a dict: keys and values alternate, in order
  SetItems,    ///< contents of a set, in iteration order
  RunTimeList, ///< contents of a list that grew in a run-time loop
  Tensor,
  Choice, ///< one of several alternatives, by a run-time selector
  Opaque, ///< what a lenient import gave, or what stands for a refused computation
};

constexpr bool hasNode(Kind kind) { return kind >= Kind::BigInt; }
/// Has parts() and joins part by part.
constexpr bool isComposite(Kind kind) { return kind >= Kind::Tuple && kind <= Kind::SetItems; }

/// What a Tuple is in Python besides a tuple; its sub().
/// From NamedResult on: torch.return_types, numbered as namedResultTag() does.
/// NumberList, View: in forms of elements of lists of the run, a list and a view (RunTimeListNode).
enum class TupleTag : uint8_t { Plain, TorchSize, NamedResult, NumberList, View };

enum class ScalarType : uint8_t { Bool, Int, Float };

/// Shared immutable payload of a composite value.
struct Node {
  mutable uint32_t refs = 0;
};

class Value;
void destroyNode(Kind kind, const Node *node);

class Value {
public:
  Value() : kindTag(Kind::Absent), subTag(0), src(0) { payload.bits = 0; }
  Value(const Value &other)
      : kindTag(other.kindTag), subTag(other.subTag), src(other.src), payload(other.payload) {
    retain();
  }
  Value(Value &&other) noexcept
      : kindTag(other.kindTag), subTag(other.subTag), src(other.src), payload(other.payload) {
    other.kindTag = Kind::Absent;
  }
  Value &operator=(const Value &other) {
    Value copy(other);
    swap(copy);
    return *this;
  }
  Value &operator=(Value &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Value() {
    if (hasNode(kindTag) && --payload.node->refs == 0)
      destroyNode(kindTag, payload.node);
  }
  void swap(Value &other) noexcept {
    std::swap(kindTag, other.kindTag);
    std::swap(subTag, other.subTag);
    std::swap(src, other.src);
    std::swap(payload, other.payload);
  }

  // Making values ---------------------------------------------------------------------------

  static Value fail() { return Value(Kind::Fail); }
  static Value absent() { return Value(); }
  static Value null() { return Value(Kind::Null); }
  static Value none() { return Value(Kind::None); }
  static Value ellipsis() { return Value(Kind::Ellipsis); }
  static Value notImplemented() { return Value(Kind::NotImplemented); }
  static Value ip(uint32_t n) { return Value(Kind::Ip, 0, n); }
  /// An interned name, where the heap keeps the order of an object's names.
  static Value name(uint32_t id) { return Value(Kind::Ip, 1, id); }
  static Value raw(ValueId id) { return Value(Kind::Raw, 0, id); }
  static Value boolean(bool b) { return Value(Kind::Bool, 0, b); }
  static Value integer(int64_t i) { return Value(Kind::Int, 0, static_cast<uint64_t>(i)); }
  static Value real(double d) {
    Value v(Kind::Float);
    v.payload.real = d;
    return v;
  }
  static Value dtype(ptc::DType t) { return Value(Kind::DType, 0, uint64_t(t)); }
  static Value constant(Kind kind, uint64_t payload, uint8_t sub = 0) {
    assert(!hasNode(kind));
    return Value(kind, sub, payload);
  }
  static Value scalar(ValueId id, ScalarType type) {
    return Value(Kind::Scalar, uint8_t(type), id);
  }
  /// An int that depends on sizes; a constant expression becomes Int.
  static Value size(sym::Expr e);
  static Value ref(ObjectId id) { return Value(Kind::Ref, 0, id); }
  static Value str(llvm::StringRef utf8);
  /// a + b of two strs. What is appended to the longest str of a buffer lengthens the buffer, so
  /// that a str that grows piece by piece costs its pieces.
  static Value concat(const Value &a, const Value &b);
  static Value bytes(llvm::StringRef data);
  static Value complex(std::complex<double> c);
  /// Int if it fits 64 bits.
  static Value bigInt(const py::PyInt &i);
  static Value code(const CodeObject *code);
  /// Tuple, FrozenSet, Slice, Range, Bound, Template, DictItems or SetItems.
  static Value composite(Kind kind, std::vector<Value> parts);
  static Value tuple(std::vector<Value> parts) { return composite(Kind::Tuple, std::move(parts)); }
  static Value bound(Value receiver, Value function) {
    return composite(Kind::Bound, {std::move(receiver), std::move(function)});
  }
  template <typename N> static Value node(Kind kind, N *fresh) {
    Value v(kind);
    v.payload.node = fresh;
    v.retain();
    return v;
  }

  // Asking ------------------------------------------------------------------------------------

  Kind kind() const { return kindTag; }
  uint8_t sub() const { return subTag; }
  bool is(Kind kind) const { return kindTag == kind; }
  bool isFail() const { return kindTag == Kind::Fail; }
  bool isAbsent() const { return kindTag == Kind::Absent; }
  bool isNone() const { return kindTag == Kind::None; }
  /// int or bool known now (True is 1), small.
  bool isSmallInt() const { return kindTag == Kind::Int || kindTag == Kind::Bool; }

  uint64_t bits() const { return payload.bits; }
  bool asBool() const { return check(Kind::Bool), payload.bits != 0; }
  /// Of an int or bool.
  int64_t asInt() const {
    assert(isSmallInt() && "value of another kind");
    return static_cast<int64_t>(payload.bits);
  }
  double asFloat() const { return check(Kind::Float), payload.real; }
  uint32_t asIp() const { return check(Kind::Ip), uint32_t(payload.bits); }
  ValueId asRaw() const { return check(Kind::Raw), ValueId(payload.bits); }
  ptc::DType asDType() const { return check(Kind::DType), ptc::DType(payload.bits); }
  ValueId scalarId() const { return check(Kind::Scalar), ValueId(payload.bits); }
  ScalarType scalarType() const { return check(Kind::Scalar), ScalarType(subTag); }
  sym::Expr asSize() const;
  ObjectId asRef() const { return check(Kind::Ref), ObjectId(payload.bits); }
  llvm::StringRef asStr() const;
  llvm::StringRef asBytes() const;
  std::complex<double> asComplex() const;
  const py::PyInt &asBigInt() const;
  const CodeObject *asCode() const;
  /// Parts of a composite made by composite().
  llvm::ArrayRef<Value> parts() const;
  size_t partCount() const;
  /// The node's parts, to be changed in place: the value must be unique.
  std::vector<Value> &mutableParts();
  /// One part, to be changed in place; the ends of the parts, in constant time on average. The
  /// value must be unique.
  Value &mutablePart(size_t n);
  void addPart(Value v);
  void addFirstPart(Value v);
  /// Takes parts out; the shorter side is moved.
  void dropParts(size_t at, size_t n);
  /// Before an unshared value is changed that may be wanted again as it is: gives what is wanted
  /// then. Its parts stay here and what is changed is noted; they go back when this value dies, and
  /// are copied where it is read before. So a change costs what it changes, and so does taking it
  /// back. None where a copy costs no more.
  std::optional<Value> keepVersion();
  template <typename N> const N &nodeAs(Kind kind) const {
    check(kind);
    return *static_cast<const N *>(payload.node);
  }
  const Node *node() const { return hasNode(kindTag) ? payload.node : nullptr; }
  /// True if nobody else shares the node: its owner may change it in place.
  bool isUnique() const { return hasNode(kindTag) && payload.node->refs == 1; }

  SourceId source() const { return src; }
  Value withSource(SourceId id) const {
    Value v(*this);
    v.src = id;
    return v;
  }

  /// The same node with another tag (tuples: TupleTag).
  Value withSub(uint8_t sub) const {
    Value v(*this);
    v.subTag = sub;
    return v;
  }

  /// Same value for the join: constants by type and bits (1, True and 1.0 differ, so do 0.0 and
  /// -0.0), composites part by part, objects by identity, run-time values by SSA value.
  bool operator==(const Value &other) const;
  size_t hash() const;

private:
  explicit Value(Kind kind, uint8_t sub = 0, uint64_t bits = 0)
      : kindTag(kind), subTag(sub), src(0) {
    payload.bits = bits;
  }
  void retain() const {
    if (hasNode(kindTag))
      ++payload.node->refs;
  }
  void check([[maybe_unused]] Kind kind) const {
    assert(kindTag == kind && "value of another kind");
  }

  Kind kindTag;
  uint8_t subTag;
  SourceId src;
  union {
    uint64_t bits;
    double real;
    const Node *node;
    const void *pointer;
  } payload;
};
static_assert(sizeof(Value) == 16);

// Nodes --------------------------------------------------------------------------------------

struct CompositeNode : Node {
  /// Where the parts are to be found.
  enum class PartsAt : uint8_t {
    Store,
    Layout, ///< SetNode: they are to be read from the layout
    Newer,  ///< a newer version has them, changed since
  };
  /// How to take back one change.
  struct Change {
    enum Kind : uint8_t { Set, Added, AddedFirst, Dropped } kind;
    size_t at = 0;
    Value old; ///< Set, Dropped
  };
  /// A chain: each node but the newest has lent its parts to the next one.
  struct Versions {
    const CompositeNode *older = nullptr, *newer = nullptr;
    std::vector<Change> back; ///< from the newer one to this, the last to be taken back first
  };

  /// The parts, behind `front` free places that a queue leaves.
  mutable std::vector<Value> store;
  mutable size_t front = 0;
  mutable PartsAt partsAt = PartsAt::Store;
  mutable std::unique_ptr<Versions> versions; ///< if there is an older or a newer one

  CompositeNode() = default;
  CompositeNode(const CompositeNode &) = delete;
  CompositeNode &operator=(const CompositeNode &) = delete;
  ~CompositeNode() {
    if (versions)
      leaveVersions();
  }

  llvm::ArrayRef<Value> parts() const {
    if (partsAt != PartsAt::Store)
      readParts();
    return llvm::ArrayRef<Value>(store).drop_front(front);
  }
  size_t size() const { return partsAt == PartsAt::Layout ? layoutSize() : parts().size(); }
  void readParts() const;
  void leaveVersions();
  // Sets.cpp
  void readLayout() const;
  size_t layoutSize() const;
};
/// Keys and values alternate, in insertion order. The index is built on the first look-up.
struct DictNode : CompositeNode {
  struct Index;
  mutable std::shared_ptr<Index> index;
  /// Were some given by Python code, or left to it or to a decision? Containers.cpp
  bool hasUnknownHashes() const;
};
/// Contents of a set or frozenset: parts in the order of iteration, which the table decides. The
/// layout is made on the first look-up.
struct SetNode : CompositeNode {
  struct Layout;
  mutable std::shared_ptr<Layout> layout;
};
struct StrNode : Node {
  std::string own;                      ///< UTF-8; lone surrogates as WTF-8
  std::shared_ptr<std::string> growing; ///< if set, its first `size` bytes are the text instead
  size_t size = 0;
  mutable int64_t length = -1; ///< code points, once counted

  llvm::StringRef text() const {
    return growing ? llvm::StringRef(*growing).take_front(size) : llvm::StringRef(own);
  }
};
struct BytesNode : Node {
  std::string data;
};
struct ComplexNode : Node {
  std::complex<double> value;
};
struct CodeNode : Node {
  const CodeObject *code;
};

/// Where a tensor lives: cpu is {Cpu, -1}.
enum class DeviceType : uint8_t { Cpu, Cuda, Meta };

/// One step from a storage to a view: an ATen view operation and its arguments behind `self`.
/// Arguments are constants, sizes or run-time scalars; int lists are Tuples.
struct ViewStep {
  uint16_t op; ///< aten::OpId
  llvm::SmallVector<Value, 3> args;
  bool operator==(const ViewStep &other) const;
};

/// A tensor: a view of a storage, whose current contents are a slot of the storage object.
struct TensorNode : Node {
  ObjectId storage = 0;
  std::vector<ViewStep> steps; ///< from the storage's base shape to this view
  /// Which Python object this is, as equal views of a storage are different objects: 0 for the
  /// storage's own tensor, else a number in the order of the tape's values. Engine::sameObject().
  ValueId made = 0;
  ptc::DType dtype = ptc::DType::Float32;
  llvm::SmallVector<sym::Expr, 4> sizes, strides;
  sym::Expr offset;          ///< of the first element in the storage, in elements; unsupported: 0
  bool isOffsetKnown = true; ///< false: paths that met here view different places
  uint64_t device = 0;       ///< as in a Device value
  bool requiresGrad = false;
  bool isParameter = false; ///< torch.nn.Parameter
};

/// Exactly one of `alternatives`, by `selector` (a bool selects 0 or 1).
struct ChoiceNode : Node {
  ValueId selector = 0;
  std::vector<Value> alternatives;
};

/// As many elements as the list `list` of the tape holds, whose type says what they are: tensors of
/// one dtype, shape and strides, or numbers of one type.
struct RunTimeListNode : Node {
  /// Lists on the tape, equally long: one for each number or tensor in an element.
  llvm::SmallVector<ValueId, 1> columns;
  /// An element: Ip(n) stands for what it has in column n, in tuples and beside what is the same in
  /// all elements. A tuple with TupleTag::NumberList is a list whose numbers column n has; one with
  /// TupleTag::View a view that is not copied: how it leads from its storage, the column that says
  /// where it begins, then those of sizes that each has of its own (ListedViews.h).
  Value form;
  bool shared = false; ///< tensors in it may have shared a storage before they were copied in

  bool isPlain() const { return form.is(Kind::Ip); }
};
inline const RunTimeListNode &asRunTimeList(const Value &v) {
  return v.nodeAs<RunTimeListNode>(Kind::RunTimeList);
}

/// What is known of an opaque value. Modules, classes and functions are true and equal to nothing
/// but themselves; an Object is not None; a Type is a class with parameters or a union of classes,
/// whose `[…]` and `|` only compute; what a call gave may be anything.
enum class OpaqueIs : uint8_t { Unknown, Module, Class, Function, Object, Type };

/// `path` names what the program asked for ("PIL.Image.open").
struct OpaqueNode : Node {
  std::string path;
  SourceId importedAt = 0;
  OpaqueIs is = OpaqueIs::Unknown;
  /// Stands for a computation that was refused.
  bool poison = false;
  uint32_t refusal = 0; ///< of poison: the number of a refusal that was set aside, from 1
};

inline llvm::ArrayRef<Value> Value::parts() const {
  assert(isComposite(kindTag) && "value without parts");
  return static_cast<const CompositeNode *>(payload.node)->parts();
}
inline size_t Value::partCount() const {
  assert(isComposite(kindTag) && "value without parts");
  return static_cast<const CompositeNode *>(payload.node)->size();
}

inline const TensorNode &asTensor(const Value &v) { return v.nodeAs<TensorNode>(Kind::Tensor); }
inline const ChoiceNode &asChoice(const Value &v) { return v.nodeAs<ChoiceNode>(Kind::Choice); }
/// What `v` may be: the alternatives of a choice, or the value itself.
inline llvm::ArrayRef<Value> alternativesOf(const Value &v) {
  return v.is(Kind::Choice) ? llvm::ArrayRef<Value>(asChoice(v).alternatives)
                            : llvm::ArrayRef<Value>(v);
}

inline bool mayBeOpaque(const Value &v) {
  return std::ranges::any_of(alternativesOf(v),
                             [](const Value &part) { return part.is(Kind::Opaque); });
}

inline bool mayBeAbsent(const Value &v) {
  return std::ranges::any_of(alternativesOf(v), [](const Value &part) { return part.isAbsent(); });
}

/// Are the bits of such a value the number of an interned name, which another engine numbers anew?
inline bool isOfName(Kind kind, uint8_t sub) {
  return kind == Kind::TorchOp || (kind == Kind::Ip && sub != 0);
}

/// One of the tensors that a readable `v` may be: they have one type, in sizes and strides as well.
inline const TensorNode &anyTensor(const Value &v) { return asTensor(alternativesOf(v).front()); }

/// int, float or bool, known now or at run time; none for anything else. BigInt and Size are Int.
enum class NumberType : uint8_t { NotNumber, Bool, Int, Float };
NumberType numberType(const Value &v);
inline ScalarType scalarTypeOf(NumberType type) {
  assert(type != NumberType::NotNumber && "a number");
  return type == NumberType::Bool  ? ScalarType::Bool
         : type == NumberType::Int ? ScalarType::Int
                                   : ScalarType::Float;
}

/// A number that no path knows before the program runs.
inline bool isRunTimeNumber(const Value &v) { return v.is(Kind::Scalar) || v.is(Kind::Size); }

/// Is `test` true of `v`, or of an element of it at any depth where it is a tuple or frozenset?
bool anyElement(const Value &v, llvm::function_ref<bool(const Value &)> test);

/// Calls `see` for each object id that `v` mentions, through parts and alternatives.
void forEachRef(const Value &v, llvm::function_ref<void(ObjectId)> see);

} // namespace ptc::capture

#endif // PTC_CAPTURE_VALUE_H
