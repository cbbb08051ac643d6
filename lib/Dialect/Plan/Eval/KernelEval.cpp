//===- KernelEval.cpp - Kernels on plain loops ------------------------------------------===//
//
// In: a kernel and its inputs. Out: its results. Operations run in their order; a tensor that
// nothing has written yet is full of NaN, so that reading it shows.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/Eval/KernelEval.h"

#include "LoopRun.h"
#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/Eval/Eval.h"
#include "ptc/Support/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

/// The same bytes as another type of the same width.
static HostTensor withType(const HostTensor &tensor, DType dtype) {
  return HostTensor(dtype, tensor.sizes(), tensor.strides(), tensor.storageOffset(),
                    tensor.storage());
}

/// NaN, or all ones; no truth value is undefined.
static HostTensor makeUnwritten(DType dtype, ArrayRef<int64_t> sizes) {
  HostTensor tensor = HostTensor::zeros(dtype, sizes);
  if (!isBool(dtype))
    std::fill_n(tensor.bytes(), tensor.storage()->size(), std::byte(0xff));
  return tensor;
}

namespace {

/// What the types of tensors say of sizes and strides by name, and what the names stand for.
class Layouts {
public:
  /// Learns names that stand for a size or stride of `tensor`.
  void learn(Type type, const HostTensor &tensor) {
    auto meta = metaOf(type);
    if (!meta)
      return;
    learn(meta.getSizes(), tensor.sizes());
    learn(meta.getStrides(), tensor.strides());
  }

  /// `tensor` with the strides of `type`. Errors: InternalError for one that no input names.
  llvm::Expected<HostTensor> arrange(Type type, const HostTensor &tensor) {
    auto meta = metaOf(type);
    if (!meta || !meta.getStrides() || tensor.numel() == 0)
      return tensor.contiguous();
    SmallVector<int64_t> strides;
    for (Attribute attr : meta.getStrides()) {
      auto text = dyn_cast<aten::ExprAttr>(attr);
      std::optional<sym::Expr> parsed =
          text ? symbols.parse(text.getText()) : symbols.constant(cast<IntegerAttr>(attr).getInt());
      std::optional<int64_t> value = parsed ? symbols.evaluateHint(*parsed) : std::nullopt;
      if (!value)
        return makeError(DiagId::InternalError, {}, "a stride of a kernel's result is not known");
      strides.push_back(*value);
    }
    HostTensor arranged = HostTensor::zerosStrided(tensor.dtype(), tensor.sizes(), strides);
    arranged.copyFrom(tensor);
    return arranged;
  }

private:
  static aten::MetaAttr metaOf(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? dyn_cast_or_null<aten::MetaAttr>(tensor.getEncoding()) : aten::MetaAttr();
  }
  static bool isName(StringRef text) {
    return llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  }
  void learn(ArrayAttr texts, ArrayRef<int64_t> values) {
    if (!texts)
      return;
    for (auto [attr, value] : llvm::zip_equal(texts, values))
      if (auto text = dyn_cast<aten::ExprAttr>(attr))
        if (isName(text.getText()) && !symbols.findSymbol(text.getText()))
          symbols.symbol({.name = text.getText().str(), .hint = value});
  }

  sym::Context symbols;
};

class KernelRun {
public:
  explicit KernelRun(KernelOp kernel) : kernel(kernel) {}

  llvm::Expected<SmallVector<HostTensor, 1>> run(ArrayRef<HostValue> inputs) {
    Block &body = kernel.getBody().front();
    for (auto [arg, input] : llvm::zip_equal(body.getArguments(), inputs)) {
      auto type = dyn_cast<RankedTensorType>(arg.getType());
      if (type)
        layouts.learn(kernel.getInputs()[arg.getArgNumber()].getType(), input.tensor());
      if (type)
        tensors[arg] = withType(input.tensor(), storageType(type.getElementType()));
      else if (arg.getType().isInteger())
        scalars[arg] = {.integer = input.asInt()};
      else
        scalars[arg] = {.real = input.asDouble()};
    }
    for (Operation &op : body.without_terminator())
      if (llvm::Error error = execute(op))
        return std::move(error);
    return arrangeResults();
  }

private:
  llvm::Expected<SmallVector<HostTensor, 1>> arrangeResults() {
    SmallVector<HostTensor, 1> results;
    auto yield = cast<YieldOp>(kernel.getBody().front().getTerminator());
    for (auto [value, type] : llvm::zip_equal(yield.getValues(), kernel.getResultTypes())) {
      Type element = cast<RankedTensorType>(type).getElementType();
      HostTensor tensor = withType(
          tensors.lookup(value), element.isUnsignedInteger() ? DType::UInt8 : storageType(element));
      layouts.learn(type, tensor);
      auto arranged = layouts.arrange(type, tensor);
      if (!arranged)
        return arranged.takeError();
      results.push_back(std::move(*arranged));
    }
    return results;
  }

  static llvm::Error unknown(Operation *op) {
    return makeError(DiagId::InternalError, {},
                     ("no plain evaluation of " + op->getName().getStringRef()).str());
  }

  llvm::Error execute(Operation &op) {
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      return runLoops(loops, tensors, scalars);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return runTurns(loop);
    if (isa<tensor::TensorDialect>(op.getDialect()))
      return executeTensor(op);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      scalars[constant.getResult()] = constantOf(constant.getValue());
      return llvm::Error::success();
    }
    ScalarFunction function = findScalarFunction(&op);
    if (!function)
      return unknown(&op);
    SmallVector<Scalar, 3> operands;
    for (Value operand : op.getOperands())
      operands.push_back(scalars.lookup(operand));
    scalars[op.getResult(0)] =
        narrow(function(&op, operands), storageType(op.getResult(0).getType()));
    return llvm::Error::success();
  }

  /// A loop that carries tensors, each of which its turns change in place.
  llvm::Error runTurns(scf::ForOp loop) {
    for (auto [arg, init] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs())) {
      bool isInput = isa_and_nonnull<KernelOp>(init.getParentBlock()->getParentOp()) &&
                     isa<BlockArgument>(init);
      tensors[arg] =
          isInput || !init.hasOneUse() ? tensors.lookup(init).clone() : tensors.lookup(init);
    }
    int64_t end = scalars.lookup(loop.getUpperBound()).integer,
            step = scalars.lookup(loop.getStep()).integer;
    for (int64_t i = scalars.lookup(loop.getLowerBound()).integer; i < end; i += step) {
      scalars[loop.getInductionVar()] = {.integer = i};
      for (Operation &op : loop.getBody()->without_terminator())
        if (llvm::Error error = execute(op))
          return error;
      for (auto [arg, next] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
        tensors[arg] = HostTensor(tensors.lookup(next));
    }
    for (auto [result, arg] : llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
      tensors[result] = HostTensor(tensors.lookup(arg));
    return llvm::Error::success();
  }

  llvm::Error executeTensor(Operation &op) {
    return llvm::TypeSwitch<Operation *, llvm::Error>(&op)
        .Case([&](tensor::EmptyOp empty) {
          RankedTensorType type = empty.getType();
          return define(empty, makeUnwritten(storageType(type.getElementType()),
                                             numbers(empty.getMixedSizes())));
        })
        .Case([&](tensor::CastOp cast) { return define(cast, tensors.lookup(cast.getSource())); })
        .Case([&](tensor::DimOp dim) { return readSize(dim); })
        .Case([&](tensor::ExtractOp extract) { return readElement(extract); })
        .Case([&](tensor::InsertOp insert) { return writeElement(insert); })
        .Case([&](tensor::ExtractSliceOp slice) {
          HostTensor part = sliceOf(tensors.lookup(slice.getSource()), slice);
          return define(slice, withoutDims(part, slice.getDroppedDims()));
        })
        .Case([&](tensor::InsertSliceOp insert) {
          HostTensor whole = tensors.lookup(insert.getDest()).clone();
          sliceOf(whole, insert)
              .copyFrom(
                  reshaped(tensors.lookup(insert.getSource()), numbers(insert.getMixedSizes())));
          return define(insert, whole);
        })
        .Case([&](tensor::ExpandShapeOp expand) {
          return define(expand, reshaped(tensors.lookup(expand.getSrc()),
                                         numbers(expand.getMixedOutputShape())));
        })
        .Case([&](tensor::CollapseShapeOp collapse) {
          HostTensor source = tensors.lookup(collapse.getSrc());
          SmallVector<int64_t> sizes;
          for (ArrayRef<int64_t> group : collapse.getReassociationIndices()) {
            sizes.push_back(1);
            for (int64_t d : group)
              sizes.back() *= source.size(d);
          }
          return define(collapse, reshaped(source, sizes));
        })
        .Default([&](Operation *other) { return unknown(other); });
  }

  llvm::Error define(Operation *op, HostTensor tensor) {
    tensors[op->getResult(0)] = std::move(tensor);
    return llvm::Error::success();
  }

  SmallVector<int64_t> numbers(ArrayRef<OpFoldResult> values) {
    SmallVector<int64_t> result;
    for (OpFoldResult value : values)
      result.push_back(isa<Attribute>(value) ? cast<IntegerAttr>(cast<Attribute>(value)).getInt()
                                             : scalars.lookup(cast<Value>(value)).integer);
    return result;
  }

  static HostTensor reshaped(const HostTensor &tensor, ArrayRef<int64_t> sizes) {
    HostTensor dense = tensor.contiguous();
    return dense.view(sizes, contiguousStrides(sizes), dense.storageOffset());
  }

  HostTensor sliceOf(const HostTensor &tensor, OffsetSizeAndStrideOpInterface op) {
    SmallVector<int64_t> strides = numbers(op.getMixedStrides());
    int64_t offset = tensor.storageOffset();
    for (auto [d, start] : llvm::enumerate(numbers(op.getMixedOffsets()))) {
      offset += start * tensor.stride(int64_t(d));
      strides[d] *= tensor.stride(int64_t(d));
    }
    return tensor.view(numbers(op.getMixedSizes()), strides, offset);
  }

  static HostTensor withoutDims(const HostTensor &tensor, const llvm::SmallBitVector &dropped) {
    SmallVector<int64_t> sizes, strides;
    for (int64_t d = 0; d < tensor.dim(); ++d)
      if (!dropped[unsigned(d)]) {
        sizes.push_back(tensor.size(d));
        strides.push_back(tensor.stride(d));
      }
    return tensor.view(sizes, strides, tensor.storageOffset());
  }

  llvm::Error readSize(tensor::DimOp dim) {
    int64_t which = scalars.lookup(dim.getIndex()).integer;
    scalars[dim.getResult()] = {.integer = tensors.lookup(dim.getSource()).size(which)};
    return llvm::Error::success();
  }

  std::optional<int64_t> offsetOf(const HostTensor &tensor, ValueRange indices) {
    return offsetIn(tensor, numbers(getAsOpFoldResult(indices)));
  }

  /// In place, where nobody reads what was there before.
  llvm::Error writeElement(tensor::InsertOp insert) {
    HostTensor whole = tensors.lookup(insert.getDest());
    bool isLastUse = llvm::all_of(insert.getDest().getUsers(), [&](Operation *user) {
      return user == insert ||
             (user->getBlock() == insert->getBlock() && user->isBeforeInBlock(insert));
    });
    if (!isLastUse)
      whole = whole.clone();
    std::optional<int64_t> offset = offsetOf(whole, insert.getIndices());
    if (!offset)
      return unknown(insert);
    storeElement(whole, *offset, scalars.lookup(insert.getScalar()));
    return define(insert, whole);
  }

  llvm::Error readElement(tensor::ExtractOp extract) {
    const HostTensor &tensor = tensors.find(extract.getTensor())->second;
    std::optional<int64_t> offset = offsetOf(tensor, extract.getIndices());
    if (!offset)
      return unknown(extract);
    scalars[extract.getResult()] = loadElement(tensor, *offset);
    return llvm::Error::success();
  }

  KernelOp kernel;
  Layouts layouts;
  Tensors tensors;
  Scalars scalars;
};

} // namespace

llvm::Expected<SmallVector<HostTensor, 1>> ptc::plan::evaluateKernel(KernelOp kernel,
                                                                     ArrayRef<HostValue> inputs) {
  return KernelRun(kernel).run(inputs);
}

llvm::Error ptc::plan::evaluateCheck(CheckOp check, ArrayRef<HostValue> operands) {
  if (!operands.front().tensor().getInt({}))
    return llvm::Error::success();
  std::string text = check.getText().str();
  for (auto [i, value] : llvm::enumerate(operands.drop_front())) {
    std::string slot = "{" + std::to_string(i) + "}";
    if (size_t at = text.find(slot); at != std::string::npos)
      text.replace(at, slot.size(), std::to_string(value.tensor().getInt({})));
  }
  return llvm::make_error<program::PythonError>(check.getErrorClass().str(), text);
}
