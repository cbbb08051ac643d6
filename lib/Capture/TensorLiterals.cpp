//===- TensorLiterals.cpp - Tensors of Python data ---------------------------------------===//
//
// In: nested lists, tuples, ranges and numbers, and the options of torch.tensor. Out: a literal
// where all numbers are constants, else tensors without dimensions that are stacked; eager's
// exception for data that is no tensor and for numbers that the element type cannot hold.
//
//===----------------------------------------------------------------------===//
#include "Failures.h"
#include "Modes.h"
#include "Objects.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;

// Nested data
// -----------------------------------------------------------------------------------------------

namespace {
/// Nested Python data flattened for torch.tensor.
struct Nested {
  std::vector<int64_t> sizes;
  std::vector<Value> leaves;
  std::string uneven;              ///< what eager says about lists of different lengths
  bool misplaced = false;          ///< a number beside a list
  std::optional<Value> listInside; ///< a list where its neighbours are numbers
};
} // namespace

static bool isSequence(Engine &e, const Value &v) {
  return !e.isTensorLike(v) && (v.is(Kind::Tuple) || v.is(Kind::Range) ||
                                (v.is(Kind::Ref) && e.heap.kind(v.asRef()) == ObjectKind::List));
}

/// What eager nests at most (MAX_DIMS of tensor_new.cpp).
static constexpr size_t kMostDims = 128;

static Flow flatten(Engine &e, const Value &given, size_t depth, Nested &out) {
  NativeLevel level(e);
  if (!level.ok)
    return tooDeep(e);
  PTC_LET(v, e.isTensorLike(given) ? given : e.unboxed(e.decide(given)));
  if (!isSequence(e, v)) {
    out.misplaced |= depth != out.sizes.size();
    out.leaves.push_back(v);
    return Flow::Next;
  }
  auto items = e.sequenceItems(v);
  if (!items)
    return Flow::Fail;
  int64_t length = int64_t(items->size());
  bool isFirst = out.sizes.size() == depth && out.leaves.empty();
  if (isFirst && depth == kMostDims)
    return e.raise(WellKnown::ValueError, "too many dimensions '" + typeName(e, v) + "'");
  if (isFirst)
    out.sizes.push_back(length);
  else if (depth >= out.sizes.size())
    out.listInside = v;
  else if (out.sizes[depth] != length && out.uneven.empty())
    out.uneven = ("expected sequence of length " + llvm::Twine(out.sizes[depth]) + " at dim " +
                  llvm::Twine(depth) + " (got " + llvm::Twine(length) + ")")
                     .str();
  for (const Value &item : *items)
    PTC_DO(flatten(e, item, depth + 1, out));
  return Flow::Next;
}

static bool isText(Engine &e, const Value &v) {
  return v.is(Kind::Str) || typeName(e, v) == "bytes";
}

/// A value that is no number where `type` is wanted.
static FailAny notANumber(Engine &e, DType type, const Value &v) {
  if (isFloat(type))
    return e.raise(WellKnown::TypeError, "must be real number, not " + typeName(e, v));
  return e.raise(WellKnown::TypeError,
                 "'" + typeName(e, v) + "' object cannot be interpreted as an integer");
}

/// Text is a sequence of its own to eager; other objects have no element type.
static Flow checkLeaves(Engine &e, const Nested &nested, const Value &dtype) {
  for (size_t i = 0; i < nested.leaves.size(); ++i) {
    const Value &leaf = nested.leaves[i];
    if (e.isTensorLike(leaf) || numberType(leaf) != NumberType::NotNumber || leaf.is(Kind::Complex))
      continue;
    if (isText(e, leaf) && i == 0 && !nested.sizes.empty())
      return e.raise(WellKnown::ValueError, "too many dimensions '" + typeName(e, leaf) + "'");
    if (isText(e, leaf) && (dtype.isNone() || nested.sizes.empty()))
      return e.raise(WellKnown::TypeError, "new(): invalid data type '" + typeName(e, leaf) + "'");
    if (leaf.is(Kind::Opaque))
      return e.refuseOpaque(leaf);
    if (dtype.isNone())
      return e.raise(WellKnown::RuntimeError, "Could not infer dtype of " + typeName(e, leaf));
    return notANumber(e, dtype.asDType(), leaf);
  }
  return Flow::Next;
}

static Flow checkShape(Engine &e, const Nested &nested, DType type) {
  if (!nested.uneven.empty())
    return e.raise(WellKnown::ValueError, nested.uneven);
  if (nested.listInside)
    return notANumber(e, type, *nested.listInside);
  if (nested.misplaced)
    return e.raise(WellKnown::TypeError, "not a sequence");
  return Flow::Next;
}

// Numbers
// -----------------------------------------------------------------------------------------------

static DType typeOfLeaf(Engine &e, const Value &leaf) {
  if (e.isTensorLike(leaf))
    return anyTensor(leaf).dtype;
  if (leaf.is(Kind::Complex))
    return e.defaultDType() == DType::Float64 ? DType::Complex128 : DType::Complex64;
  switch (numberType(leaf)) {
  case NumberType::Bool:
    return DType::Bool;
  case NumberType::Int:
    return DType::Int64;
  case NumberType::Float:
  case NumberType::NotNumber:
    break;
  }
  return e.defaultDType();
}

static DType inferredType(Engine &e, llvm::ArrayRef<Value> leaves) {
  if (leaves.empty())
    return e.defaultDType();
  DType widest = typeOfLeaf(e, leaves[0]);
  for (const Value &leaf : leaves.drop_front())
    widest = aten::promoteTypes(widest, typeOfLeaf(e, leaf));
  return widest;
}

namespace {
/// What an integer type holds of whole numbers and of floats.
struct Range {
  int64_t low, high;
  double floatLow, floatHigh;
};
} // namespace

template <typename T> static Range rangeOf() {
  using Limits = std::numeric_limits<T>;
  // Eager takes negative ints for an unsigned type as far as their magnitude fits.
  int64_t high = int64_t(Limits::max());
  return {Limits::is_signed ? int64_t(Limits::min()) : -high, high, double(Limits::min()),
          double(Limits::max())};
}

static std::optional<Range> rangeOf(DType type) {
  switch (type) {
  case DType::UInt8:
    return rangeOf<uint8_t>();
  case DType::Int8:
    return rangeOf<int8_t>();
  case DType::Int16:
    return rangeOf<int16_t>();
  case DType::Int32:
    return rangeOf<int32_t>();
  case DType::Int64:
    return rangeOf<int64_t>();
  default:
    return std::nullopt;
  }
}

/// Fails where a number, constant or of the run, is none of an integer type.
static Flow checkRange(Engine &e, const Value &number, DType type) {
  std::optional<Range> range = rangeOf(type);
  NumberType is = numberType(number);
  if (!range || is == NumberType::Bool || (is == NumberType::Int && type == DType::Int64))
    return Flow::Next;
  bool whole = is == NumberType::Int;
  Value low = whole ? Value::integer(range->low) : Value::real(range->floatLow),
        high = whole ? Value::integer(range->high) : Value::real(range->floatHigh);
  // NaN is neither.
  for (const auto &[op, bound] : {std::pair(CompareOp::Ge, low), std::pair(CompareOp::Le, high)}) {
    PTC_LET(holds, e.numberOrConstantCompare(op, number, bound));
    PTC_GET(fits, e.truth(holds));
    if (!fits)
      return e.raise(WellKnown::RuntimeError, "value cannot be converted to type " +
                                                  llvm::Twine(getDTypeInfo(type).torchName) +
                                                  " without overflow");
  }
  return Flow::Next;
}

/// A leaf as a number that an element of `type` is made of.
static Value numberFor(Engine &e, const Value &leaf, DType type) {
  PTC_LET(number, e.isTensorLike(leaf) ? e.tensorItem(leaf) : leaf);
  bool whole = !isFloat(type) && !isComplex(type);
  if (number.is(Kind::Complex) && isBool(type))
    return Value::boolean(number.asComplex() != 0.0);
  if (number.is(Kind::Complex) && !isComplex(type))
    return notANumber(e, type, number);
  if (number.is(Kind::BigInt)) {
    if (isBool(type))
      return Value::boolean(true);
    if (whole)
      return e.raise(WellKnown::ValueError, "Overflow when unpacking long long");
    py::Result<double> real = py::toDouble(asPyInt(number));
    return real ? Value::real(*real) : raised(e, real.error());
  }
  PTC_DO(checkRange(e, number, type));
  return number;
}

static void store(std::vector<char> &data, DType t, const Value &v) {
  double real = v.is(Kind::Float) ? v.asFloat() : double(v.asInt());
  // The one float in range that is no integer of 64 bits becomes the least one, as in eager.
  int64_t integer = !v.is(Kind::Float) ? v.asInt()
                    : real >= 0x1p63   ? std::numeric_limits<int64_t>::min()
                    : std::isnan(real) ? 0
                                       : int64_t(real);
  auto put = [&](auto x) {
    const char *bytes = reinterpret_cast<const char *>(&x);
    data.insert(data.end(), bytes, bytes + sizeof(x));
  };
  switch (t) {
  case DType::Bool:
    return put(uint8_t(real != 0));
  case DType::UInt8:
    return put(uint8_t(integer));
  case DType::Int8:
    return put(int8_t(integer));
  case DType::Int16:
    return put(int16_t(integer));
  case DType::Int32:
    return put(int32_t(integer));
  case DType::Int64:
    return put(integer);
  case DType::Float32:
    return put(float(real));
  case DType::Float64:
    return put(real);
  case DType::Float16:
  case DType::BFloat16:
  case DType::Complex64:
  case DType::Complex128:
    break;
  }
  llvm_unreachable("made in another type and converted");
}

// Making them
// -----------------------------------------------------------------------------------------------

Value Engine::literal(TensorLiteral made) {
  TapeValue type;
  type.type = TapeType::Tensor;
  type.dtype = made.dtype;
  for (int64_t size : made.sizes)
    type.sizes.push_back(sizes().constant(size));
  type.strides = contiguousStrides(type.sizes);
  size_t index = 0;
  while (index < literals.size() &&
         !(literals[index].dtype == made.dtype && literals[index].sizes == made.sizes &&
           literals[index].data == made.data))
    ++index;
  if (index == literals.size())
    literals.push_back(std::move(made));
  return newTensor(emit(TapeOp::Literal, {}, type, {TapeArg::integer(int64_t(index))}));
}

/// The type in which literals of `type` are written down.
static DType literalType(DType type) {
  if (type == DType::Float16 || type == DType::BFloat16 || type == DType::Complex64)
    return DType::Float32;
  return type == DType::Complex128 ? DType::Float64 : type;
}

static Value constantTensor(Engine &e, const Nested &nested, llvm::ArrayRef<Value> numbers,
                            DType type) {
  TensorLiteral made{literalType(type), nested.sizes, {}};
  for (const Value &number : numbers)
    store(made.data, made.dtype, number);
  PTC_LET(result, e.literal(std::move(made)));
  return literalType(type) == type ? result : e.castTensor(e.readTensor(result), type);
}

/// Constants of which some are complex: pairs of their parts are a literal.
static Value complexTensor(Engine &e, const Nested &nested, llvm::ArrayRef<Value> numbers,
                           DType type) {
  std::vector<int64_t> sizes(nested.sizes.begin(), nested.sizes.end());
  sizes.push_back(2);
  TensorLiteral made{literalType(type), std::move(sizes), {}};
  for (const Value &number : numbers) {
    bool both = number.is(Kind::Complex);
    store(made.data, made.dtype, both ? Value::real(number.asComplex().real()) : number);
    store(made.data, made.dtype, Value::real(both ? number.asComplex().imag() : 0));
  }
  PTC_LET(pairs, e.literal(std::move(made)));
  return e.tensorOp("view_as_complex", {pairs});
}

static Value tensorOfNumbers(Engine &e, const Nested &nested, DType type) {
  std::vector<Value> numbers;
  numbers.reserve(nested.leaves.size());
  bool constant = true, complex = false;
  for (const Value &leaf : nested.leaves) {
    PTC_LET(number, numberFor(e, leaf, type));
    constant &= number.isSmallInt() || number.is(Kind::Float) || number.is(Kind::Complex);
    complex |= number.is(Kind::Complex);
    numbers.push_back(std::move(number));
  }
  if (constant)
    return complex ? complexTensor(e, nested, numbers, type)
                   : constantTensor(e, nested, numbers, type);
  if (complex)
    return e.refuse(DiagId::UnsupportedOperation, "torch.tensor",
                    "complex numbers beside numbers of the run");
  if (!isComplex(type))
    return e.stackScalars(nested.sizes, numbers, type);
  PTC_LET(real, e.stackScalars(nested.sizes, numbers, literalType(type)));
  return e.castTensor(e.readTensor(real), type);
}

/// A tensor of numbers known at run time: 0-dim tensors, stacked and reshaped.
Value Engine::stackScalars(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Value> leaves,
                           DType dtype) {
  std::vector<Value> cells;
  cells.reserve(leaves.size());
  for (const Value &leaf : leaves) {
    PTC_LET(number, isTensorLike(leaf) ? tensorItem(leaf) : leaf);
    TapeValue type;
    type.type = TapeType::Tensor;
    type.dtype = dtype;
    cells.push_back(
        newTensor(emit(TapeOp::Tensor0, {operand(number)}, type, {TapeArg::dtype(dtype)})));
  }
  if (shape.empty())
    return cells[0];
  PTC_LET(stacked, tensorOp("stack", {Value::tuple(std::move(cells)), Value::integer(0)}));
  if (shape.size() == 1)
    return stacked;
  std::vector<Value> sizeValues;
  sizeValues.reserve(shape.size());
  for (int64_t size : shape)
    sizeValues.push_back(Value::integer(size));
  return tensorOp("reshape", {stacked, Value::tuple(std::move(sizeValues))});
}

// torch.tensor
// -----------------------------------------------------------------------------------------------

Value capture::withGradient(Engine &e, const Value &tensor, const Value &wanted) {
  PTC_GET(requiresGrad, e.truth(wanted));
  PTC_LET(t, e.decide(tensor));
  const TensorNode &node = asTensor(t);
  if (node.requiresGrad == requiresGrad)
    return t;
  if (!isFloat(node.dtype) && !isComplex(node.dtype))
    return e.raise(WellKnown::RuntimeError,
                   "Only Tensors of floating point and complex dtype can require gradients");
  auto *changed = new TensorNode(node);
  changed->refs = 0;
  changed->requiresGrad = requiresGrad;
  changed->made = e.tape.makeValue({});
  if (requiresGrad)
    e.heap.set(changed->storage, slot::kLeaf, Value::boolean(true));
  return Value::node(Kind::Tensor, changed).withSource(t.source());
}

Value capture::dtypeValue(Engine &e, const Value &given) {
  PTC_LET(v, e.decide(given));
  static constexpr std::pair<WellKnown, DType> kTypes[] = {
      {WellKnown::BoolType, DType::Bool},
      {WellKnown::IntType, DType::Int64},
      {WellKnown::FloatType, DType::Float64},
      {WellKnown::ComplexType, DType::Complex128}};
  if (v.is(Kind::Ref))
    for (const auto &[cls, dtype] : kTypes)
      if (v.asRef() == e.builtinClass(cls))
        return Value::dtype(dtype);
  return v;
}

namespace {
struct TensorOptions {
  Value data, dtype = Value::none(), device = Value::none(), requiresGrad = Value::boolean(false);
};
} // namespace

static std::optional<TensorOptions> optionsOf(Engine &e, CallArgs &args) {
  TensorOptions options;
  if (!args.positional.empty())
    options.data = args.positional[0];
  if (args.positional.size() > 1)
    return e.raise(WellKnown::TypeError, "tensor() takes 1 positional argument but " +
                                             llvm::Twine(args.positional.size()) + " were given");
  for (const KeywordArg &keyword : args.keywords) {
    llvm::StringRef name = e.nameText(keyword.name);
    Value unused, *place = name == "dtype"                             ? &options.dtype
                           : name == "device"                          ? &options.device
                           : name == "requires_grad"                   ? &options.requiresGrad
                           : name == "data" && options.data.isAbsent() ? &options.data
                           : name == "pin_memory" || name == "names"   ? &unused
                                                                       : nullptr;
    if (!place)
      return e.raise(WellKnown::TypeError,
                     "tensor() got an unexpected keyword argument '" + name + "'");
    *place = keyword.value;
  }
  if (options.data.isAbsent())
    return e.raise(WellKnown::TypeError,
                   "tensor() missing 1 required positional arguments: \"data\"");
  PTC_LET(dtype, dtypeValue(e, options.dtype));
  if (!dtype.isNone() && !dtype.is(Kind::DType))
    return e.raise(WellKnown::TypeError,
                   "tensor(): argument 'dtype' must be torch.dtype, not " + typeName(e, dtype));
  options.dtype = std::move(dtype);
  return options;
}

static Value tensorOfData(Engine &e, const TensorOptions &options) {
  const Value &wanted = options.dtype;
  if (e.isTensorLike(options.data)) {
    PTC_LET(copy, e.tensorOp("clone", {options.data}));
    PTC_LET(detached, e.tensorOp("detach", {copy}));
    return wanted.isNone() ? detached : e.castTensor(e.readTensor(detached), wanted.asDType());
  }
  Nested nested;
  PTC_DO(flatten(e, options.data, 0, nested));
  PTC_DO(checkLeaves(e, nested, wanted));
  // Where the first lists say that there are no elements, eager does not look at the others.
  if (llvm::is_contained(nested.sizes, 0)) {
    Nested empty;
    empty.sizes = std::move(nested.sizes);
    nested = std::move(empty);
  }
  DType type = wanted.isNone() ? inferredType(e, nested.leaves) : wanted.asDType();
  PTC_DO(checkShape(e, nested, type));
  return tensorOfNumbers(e, nested, type);
}

/// torch.tensor(data, dtype=None, device=None, requires_grad=False, pin_memory=False)
Value Engine::makeTensor(CallArgs &args) {
  PTC_GET(options, optionsOf(*this, args));
  PTC_LET(made, tensorOfData(*this, options));
  if (options.device.isNone())
    options.device = defaultDeviceOf(*this, "torch.tensor");
  if (!options.device.isNone()) {
    CallArgs moved;
    moved.positional = {made, options.device};
    PTC_LET(placed, callTorch("Tensor.to", moved));
    made = std::move(placed);
  }
  return withGradient(*this, made, options.requiresGrad);
}
