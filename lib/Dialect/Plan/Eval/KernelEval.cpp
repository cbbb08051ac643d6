//===- KernelEval.cpp - Kernels on plain loops ------------------------------------------===//
//
// In: a kernel and tensors. Out: its results. Each linalg operation walks its iteration space in
// order and evaluates its region at each point; nothing is reordered, blocked or skipped.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/Eval/KernelEval.h"

#include "ScalarEval.h"
#include "ptc/Support/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

static DType dtypeOf(Type type) {
  if (type.isF16())
    return DType::Float16;
  if (type.isBF16())
    return DType::BFloat16;
  if (type.isF32())
    return DType::Float32;
  if (type.isF64())
    return DType::Float64;
  unsigned width = type.getIntOrFloatBitWidth();
  if (type.isUnsignedInteger())
    return DType::UInt8;
  return width == 1    ? DType::Bool
         : width == 8  ? DType::Int8
         : width == 16 ? DType::Int16
         : width == 32 ? DType::Int32
                       : DType::Int64;
}

static Scalar load(const HostTensor &tensor, ArrayRef<int64_t> index) {
  if (isFloat(tensor.dtype()))
    return {.real = tensor.getDouble(index)};
  return {.integer = tensor.getInt(index)};
}

static void store(HostTensor &tensor, ArrayRef<int64_t> index, Scalar value) {
  int64_t offset = 0;
  for (auto [i, stride] : llvm::zip_equal(index, tensor.strides()))
    offset += i * stride;
  visitDType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>)
      tensor.data<T>()[offset] = T(value.integer);
    else if constexpr (std::is_constructible_v<T, float>)
      tensor.data<T>()[offset] = T(value.real);
  });
}

namespace {

class KernelRun {
public:
  explicit KernelRun(KernelOp kernel) : kernel(kernel) {}

  llvm::Expected<SmallVector<HostTensor, 1>> run(ArrayRef<HostTensor> inputs) {
    Block &body = kernel.getBody().front();
    for (auto [arg, input] : llvm::zip_equal(body.getArguments(), inputs))
      tensors[arg] = input;
    for (Operation &op : body.without_terminator())
      if (llvm::Error error = execute(op))
        return std::move(error);
    SmallVector<HostTensor, 1> results;
    for (Value value : cast<YieldOp>(body.getTerminator()).getValues())
      results.push_back(tensors.lookup(value));
    return results;
  }

private:
  static llvm::Error unknown(Operation *op) {
    return makeError(DiagId::InternalError, {},
                     ("no plain evaluation of " + op->getName().getStringRef()).str());
  }

  llvm::Error execute(Operation &op) {
    return llvm::TypeSwitch<Operation *, llvm::Error>(&op)
        .Case([&](tensor::EmptyOp empty) { return makeEmpty(empty); })
        .Case([&](tensor::DimOp dim) -> llvm::Error {
          std::optional<int64_t> which = dim.getConstantIndex();
          if (!which)
            return unknown(dim);
          scalars[dim.getResult()] = {.integer = tensors.lookup(dim.getSource()).size(*which)};
          return llvm::Error::success();
        })
        .Case([&](arith::ConstantOp constant) -> llvm::Error {
          scalars[constant.getResult()] = constantOf(constant);
          return llvm::Error::success();
        })
        .Case([&](linalg::GenericOp loops) { return runLoops(loops); })
        .Default([&](Operation *other) { return unknown(other); });
  }

  static Scalar constantOf(arith::ConstantOp constant) {
    if (auto real = dyn_cast<FloatAttr>(constant.getValue()))
      return {.real = real.getValueAsDouble()};
    const llvm::APInt &bits = cast<IntegerAttr>(constant.getValue()).getValue();
    return {.integer =
                bits.getBitWidth() == 1 ? int64_t(bits.getZExtValue()) : bits.getSExtValue()};
  }

  llvm::Error makeEmpty(tensor::EmptyOp empty) {
    SmallVector<int64_t> sizes;
    auto dynamic = empty.getDynamicSizes().begin();
    for (int64_t size : empty.getType().getShape())
      sizes.push_back(ShapedType::isDynamic(size) ? scalars.lookup(*dynamic++).integer : size);
    tensors[empty.getResult()] =
        HostTensor::zeros(dtypeOf(empty.getType().getElementType()), sizes);
    return llvm::Error::success();
  }

  /// Sizes of the loops, from the operands whose maps name them.
  SmallVector<int64_t> loopSizes(linalg::GenericOp loops) {
    SmallVector<int64_t> sizes(loops.getNumLoops(), 0);
    for (OpOperand &operand : loops->getOpOperands()) {
      const HostTensor &tensor = tensors.find(operand.get())->second;
      for (auto [d, expr] : llvm::enumerate(loops.getMatchingIndexingMap(&operand).getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          sizes[dim.getPosition()] = tensor.size(int64_t(d));
    }
    return sizes;
  }

  llvm::Error runLoops(linalg::GenericOp loops) {
    SmallVector<HostTensor> out;
    for (Value init : loops.getOutputs())
      out.push_back(tensors.lookup(init).clone());
    SmallVector<int64_t> sizes = loopSizes(loops), point(sizes.size(), 0);
    bool isEmpty = llvm::is_contained(sizes, 0);
    while (!isEmpty) {
      if (llvm::Error error = runPoint(loops, point, out))
        return error;
      size_t d = point.size();
      while (d > 0 && ++point[d - 1] == sizes[d - 1])
        point[--d] = 0;
      isEmpty = d == 0;
    }
    for (auto [result, tensor] : llvm::zip_equal(loops.getResults(), out))
      tensors[result] = tensor;
    return llvm::Error::success();
  }

  /// Where an operand is read at this point: affine dimensions and constants.
  static SmallVector<int64_t> place(AffineMap map, ArrayRef<int64_t> point) {
    SmallVector<int64_t> index;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      index.push_back(dim ? point[dim.getPosition()] : cast<AffineConstantExpr>(expr).getValue());
    }
    return index;
  }

  llvm::Error runPoint(linalg::GenericOp loops, ArrayRef<int64_t> point,
                       MutableArrayRef<HostTensor> out) {
    Block &body = loops.getRegion().front();
    unsigned numInputs = loops.getNumDpsInputs();
    for (OpOperand &operand : loops->getOpOperands()) {
      unsigned n = operand.getOperandNumber();
      SmallVector<int64_t> index = place(loops.getMatchingIndexingMap(&operand), point);
      const HostTensor &source =
          n < numInputs ? tensors.find(operand.get())->second : out[n - numInputs];
      scalars[body.getArgument(n)] = load(source, index);
    }
    for (Operation &op : body.without_terminator()) {
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        scalars[constant.getResult()] = constantOf(constant);
        continue;
      }
      ScalarFunction function = findScalarFunction(&op);
      if (!function)
        return unknown(&op);
      SmallVector<Scalar, 3> operands;
      for (Value operand : op.getOperands())
        operands.push_back(scalars.lookup(operand));
      scalars[op.getResult(0)] = narrow(function(&op, operands), op.getResult(0).getType());
    }
    for (auto [n, value] : llvm::enumerate(body.getTerminator()->getOperands()))
      store(out[n], place(loops.getMatchingIndexingMap(loops.getDpsInitOperand(int64_t(n))), point),
            scalars.lookup(value));
    return llvm::Error::success();
  }

  KernelOp kernel;
  llvm::DenseMap<Value, HostTensor> tensors;
  llvm::DenseMap<Value, Scalar> scalars;
};

} // namespace

llvm::Expected<SmallVector<HostTensor, 1>> ptc::plan::evaluateKernel(KernelOp kernel,
                                                                     ArrayRef<HostTensor> inputs) {
  return KernelRun(kernel).run(inputs);
}
