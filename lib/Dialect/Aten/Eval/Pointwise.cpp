//===- Pointwise.cpp - Elementwise overloads by their payloads ------------------===//
//
// In: operands that broadcast. Out: the payload's value at each element, computed in the promoted
// type (16-bit floats in float, integers in int64_t) and rounded when stored.
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "EvalCall.h"
#include "ScalarFunctions.h"
#include "ptc/Dialect/Aten/IR/Payload.h"
#include "ptc/Dialect/Aten/IR/Promote.h"

#include <cmath>
#include <limits>

using namespace ptc;
using namespace ptc::aten;

/// Calls `fn` with the type that a payload on `dtype` is computed in.
template <typename Fn> static void visitCompute(DType dtype, Fn &&fn) {
  switch (dtype) {
  case DType::Bool:
  case DType::UInt8:
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int64:
    return fn(ElementTag<int64_t>());
  case DType::Float16:
  case DType::BFloat16:
  case DType::Float32:
    return fn(ElementTag<float>());
  case DType::Float64:
    return fn(ElementTag<double>());
  case DType::Complex64:
    return fn(ElementTag<std::complex<float>>());
  case DType::Complex128:
    return fn(ElementTag<Complex>());
  }
  llvm_unreachable("closed enum");
}

static DType numberDType(const HostValue &number) {
  if (number.is<bool>())
    return DType::Bool;
  if (number.is<int64_t>())
    return DType::Int64;
  return number.is<double>() ? DType::Float64 : DType::Complex128;
}

static DType resultType(const EvalCall &call) {
  llvm::SmallVector<PromotedOperand, 4> operands;
  for (auto [value, info] : llvm::zip_equal(call.args, call.op.args)) {
    const auto *tensor = value.getIf<HostTensor>();
    if (!info.isOperand || value.isNone() || (tensor && !tensor->isDefined()))
      continue;
    OperandClass kind = !tensor              ? OperandClass::Number
                        : tensor->dim() == 0 ? OperandClass::ZeroDim
                                             : OperandClass::Dimensioned;
    operands.push_back({tensor ? tensor->dtype() : numberDType(value), kind});
  }
  assert(!operands.empty() && "a payload has an operand");
  return aten::resultType(operands, call.context.defaultDType);
}

/// The type that eager computes `call` in.
static DType computeDType(const EvalCall &call) {
  bool isTrueDivision = call.op.dtypeRule == DTypeRule::PromoteFloat ||
                        (call.has("rounding_mode") && call.arg("rounding_mode").isNone());
  for (DTypeRule rule : {DTypeRule::SameAsSelf, DTypeRule::SameFloat, DTypeRule::RealOfSelf})
    if (call.op.dtypeRule == rule)
      return call.self().dtype();
  DType dtype = resultType(call);
  return isTrueDivision && (isInteger(dtype) || isBool(dtype)) ? call.context.defaultDType : dtype;
}

/// The number as eager wraps it: bool, int64, double or complex double.
static HostTensor numberTensor(const HostValue &number) {
  if (number.is<bool>() || number.is<int64_t>())
    return HostTensor::ofValues<int64_t>({number.asInt()}).view({}, {}, 0);
  return scalarTensor(number.is<double>() ? DType::Float64 : DType::Complex128, number.asComplex());
}

namespace {

/// Evaluates a payload node by node; a node is one value for all elements or one for each.
template <typename T> class PayloadRun {
public:
  PayloadRun(EvalCall &call, DType dtype) : call(call) { state.dtype = dtype; }

  Array<T> run(llvm::ArrayRef<PayloadNode> nodes) {
    for (const PayloadNode &node : nodes) {
      values.push_back(evaluate(node));
      if (call.failed())
        return {};
    }
    if (state.hasZeroDivision)
      call.raise(PyErrorKind::RuntimeError, "ZeroDivisionError");
    return std::move(values.back().elements);
  }

private:
  struct Value {
    Array<T> elements; ///< one, or as many as the result has
    bool isPresent = true;
    llvm::StringRef word = {};
    bool isSingle = false; ///< a number, or a tensor of one element
  };

  Value evaluate(const PayloadNode &node) {
    switch (node.kind) {
    case PayloadNode::Kind::Number:
      return {{convertElement<T>(node.number)}, true, {}, true};
    case PayloadNode::Kind::Argument:
      return argument(node.argument);
    case PayloadNode::Kind::Call:
      return apply(node);
    }
    llvm_unreachable("closed enum");
  }

  Value argument(unsigned index) {
    const HostValue &value = call.args[index];
    if (const auto *word = value.getIf<std::string>())
      return {{T(0)}, true, *word};
    const auto *tensor = value.getIf<HostTensor>();
    if (value.isNone() || (tensor && !tensor->isDefined()))
      return {{T(0)}, false};
    bool isParameter = !call.op.args[index].isOperand;
    if (!tensor) {
      if (keepsNumberWide(call.op, index) && !std::is_same_v<T, int64_t>)
        return {{convertElement<T>(value.asComplex())}, true, {}, true};
      return {load<T>(convertTensor(numberTensor(value), state.dtype)), true, {}, true};
    }
    // Conditions and masks are tested against zero in their own type.
    bool isCondition = tensor->dtype() == DType::Bool || tensor->dtype() == DType::UInt8;
    bool isSingle = tensor->numel() == 1;
    bool isWide = std::is_same_v<T, float> && isSingle && keepsNumberWide(call.op, index);
    DType dtype = isWide ? DType::Float32 : state.dtype;
    HostTensor typed = isParameter && isCondition ? *tensor : convertTensor(*tensor, dtype);
    return {load<T>(expandTo(typed, call.out().sizes())), true, {}, isSingle};
  }

  Value apply(const PayloadNode &node) {
    const ScalarFunctionRow *row = findScalarFunction(node.function);
    ScalarFunction<T> function = row ? row->get<T>() : nullptr;
    if (!function) {
      call.unsupported(llvm::formatv("{0} has no meaning for {1}", node.function,
                                     getDTypeInfo(state.dtype).torchName));
      return {};
    }
    size_t count = 1;
    state.present = state.single = 0;
    state.word = {};
    for (auto [i, operand] : llvm::enumerate(node.operands)) {
      const Value &value = values[operand];
      if (value.elements.size() != 1)
        count = value.elements.size();
      state.present |= uint32_t(value.isPresent) << i;
      state.single |= uint32_t(value.isSingle) << i;
      if (!value.word.empty())
        state.word = value.word;
    }
    Value result{Array<T>(count)};
    T operands[4] = {};
    for (size_t i = 0; i < count; ++i) {
      for (auto [k, operand] : llvm::enumerate(node.operands)) {
        const Array<T> &elements = values[operand].elements;
        operands[k] = elements[elements.size() == 1 ? 0 : i];
      }
      result.elements[i] = function(operands, state);
    }
    return result;
  }

  EvalCall &call;
  ScalarState state;
  std::vector<Value> values;
};

} // namespace

/// Infinities do not fit integers: a payload that compares with one runs in double.
static bool needsFloats(llvm::ArrayRef<PayloadNode> nodes) {
  return llvm::any_of(nodes, [](const PayloadNode &node) {
    return node.kind == PayloadNode::Kind::Number && std::isinf(node.number);
  });
}

static void evalPayload(EvalCall &call) {
  llvm::SmallVector<PayloadNode, 8> nodes = parsePayload(call.op);
  DType dtype = computeDType(call);
  DType runType = !isFloat(dtype) && needsFloats(nodes) ? DType::Float64 : dtype;
  visitCompute(runType, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    int64_t count = call.out().numel();
    Array<T> values;
    if (count) // else an element of a size-1 operand could not be told from a number
      values = PayloadRun<T>(call, dtype).run(nodes);
    if (call.failed())
      return;
    if (values.size() == 1 && count != 1)
      values.resize(count, values[0]);
    store<T>(values, call.out());
  });
}

namespace ptc::aten {

void evalPointwise(EvalCall &call) { evalPayload(call); }
void evalWhere(EvalCall &call) { evalPayload(call); }

/// Eager refuses a value that the type cannot hold, which a tensor shows only when it is read.
void evalMaskedFill(EvalCall &call) {
  if (const HostTensor *value = call.optional("value"))
    call.checkItem(*value, call.self().dtype());
  evalPayload(call);
}

void evalCopy(EvalCall &call) {
  HostTensor src = convertTensor(call.tensor("src"), call.out().dtype());
  call.out().copyFrom(expandTo(src, call.out().sizes()));
}

void evalFill(EvalCall &call) {
  HostTensor value = scalarTensor(call.out().dtype(), 0);
  if (call.has("value")) {
    const HostValue &given = call.arg("value");
    const auto *tensor = given.getIf<HostTensor>();
    value = convertTensor(tensor ? *tensor : numberTensor(given), call.out().dtype());
    value = value.view({}, {}, value.storageOffset());
  }
  call.out().copyFrom(expandTo(value, call.out().sizes()));
}

/// Each step is rounded, as in eager's kernel; halves compute in float.
template <typename T> void gluOf(EvalCall &call) {
  const HostTensor &self = call.self();
  Axis axis(self.sizes(), call.dim("dim", self.dim()));
  Array<T> x = load<T>(self), y(x.size() / 2);
  int64_t half = axis.size / 2;
  for (int64_t o = 0; o < axis.outer; ++o)
    for (int64_t i = 0; i < half; ++i)
      for (int64_t n = 0; n < axis.inner; ++n) {
        T gate = T(1) / (T(1) + T(std::exp(double(-x[axis.at(o, i + half, n)]))));
        y[(o * half + i) * axis.inner + n] = x[axis.at(o, i, n)] * gate;
      }
  store<T>(y, call.out());
}

void evalGlu(EvalCall &call) {
  if (call.out().dtype() == DType::Float64)
    return gluOf<double>(call);
  gluOf<float>(call);
}

/// One slope, or one for each entry of dimension 1.
void evalPrelu(EvalCall &call) {
  const HostTensor &self = call.self();
  Array<double> x = load<double>(self), slopes = load<double>(call.tensor("weight"));
  Axis axis(self.sizes(), self.dim() > 1 ? 1 : 0);
  for (int64_t o = 0; o < axis.outer; ++o)
    for (int64_t i = 0; i < axis.size; ++i)
      for (int64_t n = 0; n < axis.inner; ++n)
        if (double &v = x[axis.at(o, i, n)]; !(v > 0))
          v *= slopes[slopes.size() == 1 ? 0 : i];
  store<double>(x, call.out());
}

} // namespace ptc::aten
