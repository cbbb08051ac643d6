//===- TensorOps.cpp - Operators and attributes of tensors ------------------------------------===//
//
// In: Python operators and attribute names on tensors. Out: calls of the overload sets behind them,
// and metadata.
//
//===----------------------------------------------------------------------===//
#include "Modes.h"
#include "Overrides.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptc;
using namespace ptc::capture;

// Operators
// -------------------------------------------------------------------------------------------

namespace {
struct OperatorRow {
  llvm::StringLiteral forward, inPlace, reflected;
  bool swap; ///< reflected: the same overload set with the operands changed over
};
} // namespace

static constexpr OperatorRow kOperators[] = {
    {"Tensor.__add__", "Tensor.__iadd__", "Tensor.__radd__", false},
    {"Tensor.__and__", "Tensor.__iand__", "Tensor.__rand__", false},
    {"Tensor.__floordiv__", "Tensor.__ifloordiv__", "Tensor.__rfloordiv__", true},
    {"Tensor.__lshift__", "Tensor.__ilshift__", "Tensor.__rlshift__", true},
    {"Tensor.__matmul__", "Tensor.__imatmul__", "Tensor.__rmatmul__", true},
    {"Tensor.__mul__", "Tensor.__imul__", "Tensor.__rmul__", false},
    {"Tensor.__mod__", "Tensor.__imod__", "Tensor.__rmod__", true},
    {"Tensor.__or__", "Tensor.__ior__", "Tensor.__ror__", false},
    {"Tensor.__pow__", "Tensor.__ipow__", "Tensor.__rpow__", true},
    {"Tensor.__rshift__", "Tensor.__irshift__", "Tensor.__rrshift__", true},
    {"Tensor.__sub__", "Tensor.__isub__", "Tensor.__rsub__", true},
    {"Tensor.__truediv__", "Tensor.__itruediv__", "Tensor.__rtruediv__", true},
    {"Tensor.__xor__", "Tensor.__ixor__", "Tensor.__rxor__", false},
};

static constexpr llvm::StringLiteral kComparisons[] = {"Tensor.__lt__", "Tensor.__le__",
                                                       "Tensor.__eq__", "Tensor.__ne__",
                                                       "Tensor.__gt__", "Tensor.__ge__"};

/// What may stand beside a tensor in an operator; anything else makes eager return NotImplemented.
static bool isOperand(Engine &e, const Value &v) {
  return e.isTensorLike(v) || numberType(v) != NumberType::NotNumber || v.is(Kind::Complex);
}

Value Engine::tensorBinary(BinaryOp op, const Value &left, const Value &right, bool inPlace) {
  PTC_DO(checkNoFunctionMode(*this, "an operator of tensors"));
  PTC_LET(a, isTensorLike(left) ? left : unboxed(decide(left)));
  PTC_LET(b, isTensorLike(right) ? right : unboxed(decide(right)));
  if (!isOperand(*this, a) || !isOperand(*this, b))
    return Value::notImplemented();
  const OperatorRow &row = kOperators[size_t(op)];
  CallArgs args;
  args.positional = {a, b};
  if (isTensorLike(a)) {
    if (inPlace && !aten::findSpelling(row.inPlace).empty())
      return callTorch(row.inPlace, args);
    return callTorch(row.forward, args);
  }
  // A number on the left: commutative operators swap, the others have the number as a tensor.
  if (!row.swap) {
    args.positional = {b, a};
    return callTorch(row.forward, args);
  }
  if (op == BinaryOp::TrueDiv) { // torch/_tensor.py, Tensor.__rdiv__
    args.positional = {b};
    PTC_LET(inverse, callTorch("Tensor.reciprocal", args));
    args = {};
    args.positional = {inverse, a};
    return callTorch("Tensor.__mul__", args);
  }
  if (!aten::findSpelling(row.reflected).empty()) {
    args.positional = {b, a};
    return callTorch(row.reflected, args);
  }
  return callTorch(row.forward, args);
}

Value Engine::tensorCompare(CompareOp op, const Value &left, const Value &right) {
  PTC_DO(checkNoFunctionMode(*this, "a comparison of tensors"));
  PTC_LET(a, isTensorLike(left) ? left : unboxed(decide(left)));
  PTC_LET(b, isTensorLike(right) ? right : unboxed(decide(right)));
  if (!isOperand(*this, a) || !isOperand(*this, b))
    return Value::notImplemented();
  static constexpr CompareOp kMirrored[] = {CompareOp::Gt, CompareOp::Ge, CompareOp::Eq,
                                            CompareOp::Ne, CompareOp::Lt, CompareOp::Le};
  CallArgs args;
  bool swap = !isTensorLike(a);
  args.positional = swap ? std::vector<Value>{b, a} : std::vector<Value>{a, b};
  return callTorch(kComparisons[size_t(swap ? kMirrored[size_t(op)] : op)], args);
}

Value Engine::tensorUnary(llvm::StringRef method, const Value &a) {
  PTC_DO(checkNoFunctionMode(*this, "an operator of tensors"));
  PTC_LET(t, readable(a));
  DType dtype = anyTensor(t).dtype;
  if (method == "__invert__" && (isFloat(dtype) || isComplex(dtype)))
    return raise(WellKnown::TypeError,
                 "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
  CallArgs args;
  args.positional = {a};
  return callTorch((llvm::Twine("Tensor.") + method).str(), args);
}

// Attributes
// --------------------------------------------------------------------------------------------

static Value shapeOf(llvm::ArrayRef<sym::Expr> sizes) {
  std::vector<Value> parts;
  for (sym::Expr size : sizes)
    parts.push_back(Value::size(size));
  return Value::tuple(std::move(parts)).withSub(uint8_t(TupleTag::TorchSize));
}

Value Engine::tensorShape(const Value &tensor) {
  PTC_LET(t, readable(tensor));
  return shapeOf(anyTensor(t).sizes).withSource(sourceHere());
}

namespace {
enum class TensorAttribute {
  Unknown,
  Shape,
  DType,
  Device,
  Dims,
  RequiresGrad,
  IsCuda,
  IsCpu,
  IsSparse,
  IsQuantized,
  IsMeta,
  Layout,
  Grad,
  GradFn,
  OutputNumber,
  IsLeaf,
  ItemSize,
  NBytes,
  Real,
  Imag,
  Data,
  T,
  MT,
  MH,
  H,
  Name,
};
} // namespace

static TensorAttribute attributeOf(llvm::StringRef name) {
  return llvm::StringSwitch<TensorAttribute>(name)
      .Case("shape", TensorAttribute::Shape)
      .Case("dtype", TensorAttribute::DType)
      .Case("device", TensorAttribute::Device)
      .Case("ndim", TensorAttribute::Dims)
      .Case("requires_grad", TensorAttribute::RequiresGrad)
      .Case("is_cuda", TensorAttribute::IsCuda)
      .Cases({"is_sparse", "is_sparse_csr", "is_mkldnn", "is_nested", "is_xla", "is_mps", "is_xpu",
              "is_ipu", "is_vulkan", "is_maia", "is_mtia"},
             TensorAttribute::IsSparse)
      .Case("is_quantized", TensorAttribute::IsQuantized)
      .Case("is_meta", TensorAttribute::IsMeta)
      .Case("layout", TensorAttribute::Layout)
      .Case("grad", TensorAttribute::Grad)
      .Cases({"grad_fn", "_grad_fn"}, TensorAttribute::GradFn)
      .Case("output_nr", TensorAttribute::OutputNumber)
      .Case("name", TensorAttribute::Name)
      .Case("itemsize", TensorAttribute::ItemSize)
      .Case("nbytes", TensorAttribute::NBytes)
      .Case("real", TensorAttribute::Real)
      .Case("imag", TensorAttribute::Imag)
      .Case("is_cpu", TensorAttribute::IsCpu)
      .Case("is_leaf", TensorAttribute::IsLeaf)
      .Case("data", TensorAttribute::Data)
      .Case("T", TensorAttribute::T)
      .Case("mT", TensorAttribute::MT)
      .Case("mH", TensorAttribute::MH)
      .Case("H", TensorAttribute::H)
      .Default(TensorAttribute::Unknown);
}

/// `name`: mT, mH or H, of which the last is for matrices alone. ATen/native/TensorShape.cpp
static Value matrixTransposed(Engine &e, const Value &t, llvm::StringRef name) {
  const TensorNode &node = anyTensor(t);
  size_t dims = node.sizes.size();
  bool isBatched = name != "H";
  if (dims == 1 || (dims > 2 && !isBatched))
    return e.raise(WellKnown::RuntimeError,
                   llvm::Twine("tensor.") + name + " is only supported on matrices " +
                       (isBatched ? "or batches of matrices" : "(2-D tensors)") + ". Got " +
                       llvm::Twine(dims) + "-D tensor." +
                       (dims > 2 ? " For batches of matrices, consider using tensor.mH" : ""));
  if (isComplex(node.dtype) && name != "mT")
    return e.refuse(DiagId::UnsupportedTorchFunction,
                    llvm::Twine("torch.Tensor.") + name + " of complex numbers");
  if (dims == 0) {
    PTC_DO(checkWarning(e, "x." + name + " of a tensor without dimensions"));
    return e.tensorOp("alias", {t});
  }
  return e.tensorOp("transpose.int", {t, Value::integer(-2), Value::integer(-1)});
}

Value Engine::tensorAttr(const Value &tensor, NameId name) {
  PTC_LET(t, readable(tensor));
  const TensorNode &node = anyTensor(t);
  TensorAttribute which = attributeOf(nameText(name));
  switch (which) {
  case TensorAttribute::Shape:
    return tensorShape(t);
  case TensorAttribute::DType:
    return Value::dtype(node.dtype);
  case TensorAttribute::Device:
    return Value::constant(Kind::Device, node.device);
  case TensorAttribute::Dims:
    return Value::integer(int64_t(node.sizes.size()));
  case TensorAttribute::RequiresGrad:
    return Value::boolean(requiresGrad(*this, node));
  case TensorAttribute::IsCuda:
    return Value::boolean(unpackDevice(node.device).type == aten::DeviceType::CUDA);
  case TensorAttribute::IsCpu:
    return Value::boolean(unpackDevice(node.device).type == aten::DeviceType::CPU);
  case TensorAttribute::NBytes:
    return Value::size(
        sizes().mul(sizes().product(node.sizes), sizes().constant(getDTypeInfo(node.dtype).bytes)));
  case TensorAttribute::Real:
    return isComplex(node.dtype) ? tensorOp("real", {t}) : t;
  case TensorAttribute::Imag:
    if (!isComplex(node.dtype))
      return raise(WellKnown::RuntimeError,
                   "imag is not implemented for tensors with non-complex dtypes.");
    return tensorOp("imag", {t});
  case TensorAttribute::IsMeta:
    return Value::boolean(unpackDevice(node.device).type == aten::DeviceType::Meta);
  case TensorAttribute::IsSparse:
  case TensorAttribute::IsQuantized:
    return Value::boolean(false);
  case TensorAttribute::Layout:
    return Value::constant(Kind::Layout, 0);
  case TensorAttribute::Grad:
    return Value::none();
  case TensorAttribute::ItemSize:
    return Value::integer(getDTypeInfo(node.dtype).bytes);
  case TensorAttribute::Data:
    return tensorOp("detach", {t});
  case TensorAttribute::T:
    if (node.sizes.size() != 2)
      PTC_DO(checkWarning(*this, "x.T of a tensor that is no matrix"));
    return tensorOp("numpy_T", {t});
  case TensorAttribute::MT:
  case TensorAttribute::MH:
  case TensorAttribute::H:
    return matrixTransposed(*this, t, nameText(name));
  // What requires a gradient was made by the program or is a parameter.
  case TensorAttribute::IsLeaf:
    if (!requiresGrad(*this, node) || capture::isLeaf(*this, node))
      return Value::boolean(true);
    return refuse(DiagId::UnsupportedTorchFunction, "torch.Tensor.is_leaf");
  // Results that need no gradient have no function that computes it, nor a number among its
  // results.
  case TensorAttribute::GradFn:
  case TensorAttribute::OutputNumber:
    if (requiresGrad(*this, node) && !node.isParameter)
      return Value::absent();
    return which == TensorAttribute::GradFn ? Value::none() : Value::integer(0);
  case TensorAttribute::Name:
    return Value::none();
  case TensorAttribute::Unknown:
    break;
  }
  return Value::absent();
}
