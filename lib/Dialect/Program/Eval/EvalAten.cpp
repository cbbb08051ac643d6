//===- EvalAten.cpp - Arguments of ATen operations --------------------------------===//
//
// In: aten operations and view steps, whose arguments are attributes with unit for operands. Out:
// calls of the executor, one value per schema argument.
//
//===----------------------------------------------------------------------===//
#include "Frame.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::program;

HostTensor program::cloneStrided(const HostTensor &tensor) {
  HostTensor copy = HostTensor::zerosStrided(tensor.dtype(), tensor.sizes(), tensor.strides());
  copy.copyFrom(tensor);
  return copy;
}

namespace {
/// Turns argument attributes into host values.
class ArgumentReader {
public:
  ArgumentReader(Frame &frame, Operation *op, ValueRange operands)
      : frame(frame), op(op), operands(operands) {}

  llvm::Expected<HostValue> read(Attribute attr, const aten::ArgInfo &info) {
    if (auto list = dyn_cast<ArrayAttr>(attr))
      return readList(list, info);
    return llvm::TypeSwitch<Attribute, llvm::Expected<HostValue>>(attr)
        .Case([&](aten::ArgAttr arg) -> llvm::Expected<HostValue> {
          if (arg.getIndex() >= operands.size())
            return internalError(op, "fewer operands than its arguments name");
          return frame.get(operands[arg.getIndex()]);
        })
        .Case([](aten::NoneAttr) { return HostValue(); })
        .Case([](aten::DTypeAttr a) { return HostValue(a.getValue()); })
        .Case([](aten::DeviceAttr a) {
          return HostValue(
              HostValue::Device{int8_t(a.getValue().type), int8_t(a.getValue().index)});
        })
        .Case([](aten::LayoutAttr a) { return HostValue(HostValue::Layout{int8_t(a.getValue())}); })
        .Case([](aten::MemoryFormatAttr a) {
          return HostValue(HostValue::MemoryFormat{int8_t(a.getValue())});
        })
        .Case([](aten::ComplexAttr a) {
          return HostValue(
              std::complex<double>(a.getReal().getValueAsDouble(), a.getImag().getValueAsDouble()));
        })
        .Case([](StringAttr a) { return HostValue(a.getValue().str()); })
        .Case([](BoolAttr a) { return HostValue(a.getValue()); })
        .Case([](FloatAttr a) { return HostValue(a.getValueAsDouble()); })
        .Case([&](IntegerAttr a) { return integerFor(a.getInt(), info); })
        .Default([&](Attribute) {
          return internalError(op, "an argument of a form that is not known");
        });
  }

private:
  static HostValue integerFor(int64_t value, const aten::ArgInfo &info) {
    if (info.type == aten::ArgType::Float)
      return double(value);
    return value;
  }

  llvm::Expected<HostValue> readList(ArrayAttr list, const aten::ArgInfo &info) {
    SmallVector<HostValue, 4> items;
    aten::ArgInfo element = info;
    element.isList = false;
    for (Attribute attr : list) {
      auto item = read(attr, element);
      if (!item)
        return item.takeError();
      items.push_back(std::move(*item));
    }
    switch (info.type) {
    case aten::ArgType::Tensor: {
      HostValue::TensorList tensors;
      for (const HostValue &item : items)
        tensors.push_back(item.isNone() ? HostTensor() : item.tensor());
      return HostValue(std::move(tensors));
    }
    case aten::ArgType::Bool: {
      HostValue::BoolList flags;
      for (const HostValue &item : items)
        flags.push_back(item.asInt() != 0);
      return HostValue(std::move(flags));
    }
    case aten::ArgType::Int: {
      HostValue::IntList ints;
      for (const HostValue &item : items)
        ints.push_back(item.asInt());
      return HostValue(std::move(ints));
    }
    default: {
      HostValue::FloatList reals;
      for (const HostValue &item : items)
        reals.push_back(item.asDouble());
      return HostValue(std::move(reals));
    }
    }
  }

  Frame &frame;
  Operation *op;
  ValueRange operands;
};
} // namespace

llvm::Error program::executeAten(Frame &frame, Operation *op) {
  const aten::OpInfo *info = aten::findOp(op->getName().getStringRef());
  auto attrs = op->getAttrOfType<ArrayAttr>("args");
  if (!info || !attrs || attrs.size() != info->args.size())
    return internalError(op, "no overload with these arguments");
  ArgumentReader reader(frame, op, op->getOperands());
  SmallVector<HostValue, 8> args;
  for (auto [attr, arg] : llvm::zip_equal(attrs, info->args)) {
    auto value = reader.read(attr, arg);
    if (!value)
      return value.takeError();
    args.push_back(std::move(*value));
  }
  auto generator = op->getAttrOfType<IntegerAttr>("program.generator");
  frame.executor.enter(op);
  auto results = frame.executor.call(*info, args, generator ? generator.getInt() : 0);
  if (!results)
    return results.takeError();
  size_t n = 0;
  for (HostValue &value : *results) {
    // Elements of a list result are results of the operation.
    if (const auto *list = value.getIf<HostValue::TensorList>()) {
      for (const HostTensor &element : *list) {
        if (n == op->getNumResults())
          return internalError(op, "more results than it declares");
        frame.set(op->getResult(n++), element);
      }
    } else if (n < op->getNumResults()) {
      frame.set(op->getResult(n++), std::move(value));
    }
  }
  if (n != op->getNumResults())
    return internalError(op, "fewer results than it declares");
  return llvm::Error::success();
}

llvm::Expected<HostTensor> program::applySteps(Frame &frame, Operation *op, HostTensor base,
                                               ArrayAttr steps, ValueRange operands) {
  ArgumentReader reader(frame, op, operands);
  for (auto step : steps.getAsRange<ArrayAttr>()) {
    const aten::OpInfo *info = aten::findOp(cast<StringAttr>(step[0]).getValue());
    if (!info || step.size() < info->args.size())
      return internalError(op, "a step that is no overload");
    SmallVector<HostValue, 8> args{base};
    for (size_t i = 1; i < info->args.size(); ++i) {
      auto value = reader.read(step[i], info->args[i]);
      if (!value)
        return value.takeError();
      args.push_back(std::move(*value));
    }
    frame.executor.enter(op);
    auto results = frame.executor.call(*info, args, 0);
    if (!results)
      return results.takeError();
    HostValue &first = results->front();
    if (const auto *list = first.getIf<HostValue::TensorList>()) {
      size_t element = size_t(cast<IntegerAttr>(step[info->args.size()]).getInt());
      if (element >= list->size())
        return internalError(op, "a step takes an element that is not there");
      base = HostTensor((*list)[element]);
    } else {
      base = HostTensor(first.tensor());
    }
  }
  return base;
}
