//===- HostTensors.cpp - Tensors of the host program --------------------------------------===//
//
// In: kernels, literals, weights, slots. Out: addresses and calls; every tensor that an operation
// makes is where the plan places it.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using IP = arith::CmpIPredicate;

static LLVM::LLVMPointerType pointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

static int64_t bytesPer(Type element) {
  if (auto pair = dyn_cast<ComplexType>(element))
    return 2 * bytesPer(pair.getElementType());
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

llvm::Expected<Value> Host::placeFor(Value result, plan::PlaceAttr place, Operation *op) {
  // What makes a context runs once: it has no plan.
  if (!place && !variant)
    place = plan::PlaceAttr::get(b.getContext(), plan::PlaceKind::Block, "", "", -1);
  if (!place)
    return refuse(op, "it has no place in the plan");
  switch (place.getKind()) {
  case plan::PlaceKind::Arena: {
    std::optional<sym::Expr> at = symbols.parse(place.getAt());
    if (!at)
      return refuse(op, "a place that is no expression over sizes");
    llvm::Expected<Value> offset = evaluate(*at, op);
    if (!offset)
      return offset.takeError();
    return offsetBy(arena, *offset);
  }
  case plan::PlaceKind::Output: {
    unsigned number = 0;
    if (StringRef(place.getAt()).getAsInteger(10, number) || number >= outcomePlaces.size())
      return refuse(op, "an output that is none");
    return outputMemory(outcomePlaces[number]);
  }
  case plan::PlaceKind::Block: {
    llvm::Expected<Value> bytes = byteCount(result.getType(), op);
    if (!bytes)
      return bytes.takeError();
    return blockOf(*bytes, 1);
  }
  }
  llvm_unreachable("closed enum");
}

llvm::Error Host::emitKernel(plan::KernelOp op) {
  SmallVector<Geometry> inputs, results, shapes;
  SmallVector<Value> pointers, scalars, numbersOf;
  SmallVector<bool> areWeights;
  for (Value input : op.getInputs()) {
    if (!isa<RankedTensorType>(input.getType())) {
      scalars.push_back(get(input));
      numbersOf.push_back(scalars.back());
      shapes.emplace_back();
      continue;
    }
    bindOperands(input);
    llvm::Expected<Geometry> shape = geometryOf(input.getType(), op);
    if (!shape)
      return shape.takeError();
    inputs.push_back(*shape);
    shapes.push_back(std::move(*shape));
    numbersOf.emplace_back();
    pointers.push_back(use(input, op));
    areWeights.push_back(input.getDefiningOp<program::WeightOp>() != nullptr);
  }
  bindOperands(op.getInputs());
  bindResultSizes(op, numbersOf, shapes);
  for (Value result : op.getResults()) {
    llvm::Expected<Geometry> shape = geometryOf(result.getType(), op);
    if (!shape)
      return shape.takeError();
    results.push_back(std::move(*shape));
    llvm::Expected<Value> memory = placeFor(result, plan::placeOf(result), op);
    if (!memory)
      return memory.takeError();
    set(result, *memory);
    pointers.push_back(*memory);
  }
  pointers.push_back(scratch);
  SmallVector<Value> numbers;
  func::FuncOp function = program.kernels.functionFor(op, inputs, results, areWeights, numbers);
  llvm::append_range(pointers, numbers);
  llvm::append_range(pointers, scalars);
  auto call = func::CallOp::create(b, function, pointers);
  if (auto number = kernelNumbers.find(op); number != kernelNumbers.end())
    call->setAttr(kKernelAttr, b.getI64IntegerAttr(int64_t(out->firstKernel + number->second)));
  return llvm::Error::success();
}

/// Slots `{0}`, `{1}`, … of a text as parts, each filled once.
static SmallVector<TextPart> partsOf(StringRef text, size_t numValues) {
  SmallVector<std::pair<size_t, size_t>> slots; // place, value
  for (size_t i = 0; i < numValues; ++i)
    if (size_t at = text.find("{" + std::to_string(i) + "}"); at != StringRef::npos)
      slots.emplace_back(at, i);
  llvm::sort(slots);
  SmallVector<TextPart> parts;
  size_t done = 0;
  for (auto [at, value] : slots) {
    parts.push_back({text.slice(done, at).str(), -1, 0});
    parts.push_back({"", int32_t(value), 's'});
    done = at + std::to_string(value).size() + 2;
  }
  parts.push_back({text.drop_front(done).str(), -1, 0});
  return parts;
}

void Host::emitCheck(plan::CheckOp op) {
  Value failed = readElement(b.getI8Type(), use(op.getFailed(), op));
  Value zero = LLVM::ConstantOp::create(b, b.getI8Type(), b.getI8IntegerAttr(0));
  Block *bad = newBlock(), *good = newBlock();
  cf::CondBranchOp::create(b, LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, failed, zero), bad,
                           ValueRange(), good, ValueRange());
  b.setInsertionPointToEnd(bad);
  SmallVector<Value> values;
  for (Value value : op.getValues())
    values.push_back(readElement(b.getI64Type(), get(value)));
  raiseWith(op, op.getErrorClass(), partsOf(op.getText(), values.size()), values);
  b.setInsertionPointToEnd(good);
}

void Host::raiseWith(Operation *op, StringRef type, ArrayRef<TextPart> parts, ValueRange values) {
  Value raised = load(pointerType(b.getContext()), frame, offsetof(ptc_frame, raised));
  for (auto [i, value] : llvm::enumerate(values))
    storeNumber(value, offsetBy(raised, i * sizeof(ptc_value)));
  out->numRaised = std::max(out->numRaised, uint32_t(values.size()));
  Value status = callService(offsetof(ptc_services, raise), b.getI32Type(),
                             {frame, siteAt(op->getLoc(), type, ""), textTable(parts),
                              i32(int64_t(parts.size()))})
                     .getResult();
  func::ReturnOp::create(b, status);
}

//===----------------------------------------------------------------------===//
// Tensors and numbers
//===----------------------------------------------------------------------===//

llvm::Error Host::emitItem(program::ItemOp op) {
  Type element = cast<RankedTensorType>(op.getTensor().getType()).getElementType();
  Type type = op.getResult().getType();
  if (!element.isIntOrFloat())
    return refuse(op, "a complex number");
  Value value = readElement(memoryType(element), use(op.getTensor(), op));
  bool isReal = isa<FloatType>(element);
  if (element.isInteger(1) || type.isInteger(1)) {
    // A bool is a byte; a number is true where it is not 0.
    if (isReal)
      value =
          arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value,
                                Value(arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0))));
    else
      value = arith::CmpIOp::create(
          b, IP::ne, value,
          Value(arith::ConstantOp::create(b, b.getIntegerAttr(value.getType(), 0))));
    if (!type.isInteger(1))
      value = arith::ExtUIOp::create(b, b.getI64Type(), value);
  } else if (isReal) {
    value = element.isF64() ? value : Value(arith::ExtFOp::create(b, b.getF64Type(), value));
  } else if (element.getIntOrFloatBitWidth() < 64) {
    value = element.isUnsignedInteger() ? Value(arith::ExtUIOp::create(b, b.getI64Type(), value))
                                        : Value(arith::ExtSIOp::create(b, b.getI64Type(), value));
  }
  if (value.getType() != type && type.isF64())
    value = arith::SIToFPOp::create(b, type, value);
  if (value.getType() != type)
    return refuse(op, "a number of another type than its tensor");
  set(op.getResult(), value);
  return llvm::Error::success();
}

llvm::Error Host::emitTensor(program::TensorOp op) {
  llvm::Expected<Value> memory = placeFor(op.getResult(), plan::placeOf(op.getResult()), op);
  if (!memory)
    return memory.takeError();
  Value value = get(op.getValue());
  Type element = cast<RankedTensorType>(op.getResult().getType()).getElementType();
  Type from = value.getType();
  if (from.isF64() && element.isF32()) {
    value = arith::TruncFOp::create(b, element, value);
  } else if (from.isInteger(1) && element.isInteger(1)) {
    value = arith::ExtUIOp::create(b, b.getI8Type(), value);
  } else if (from.isInteger() && (element.isF64() || element.isF32())) {
    Type real = b.getF64Type();
    value = from.isInteger(1) ? Value(arith::UIToFPOp::create(b, real, value))
                              : Value(arith::SIToFPOp::create(b, real, value));
    if (element.isF32()) // by way of double, as eager does
      value = arith::TruncFOp::create(b, element, value);
  } else if (from.isInteger(1) && element.isInteger(64)) {
    value = arith::ExtUIOp::create(b, element, value);
  } else if (from != element) {
    return refuse(op, "a tensor of another type than its number");
  }
  writeElement(value, *memory);
  set(op.getResult(), *memory);
  return llvm::Error::success();
}

llvm::Error Host::emitWeight(program::WeightOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto meta = aten::toMeta(type, symbols);
  if (!meta || !type.hasStaticShape())
    return refuse(op, "a weight whose sizes are not known");
  auto bytes = uint64_t(type.getNumElements() * bytesPer(type.getElementType()));
  Value offset = weightOffset(b, {op.getName().str(), meta->dtype, 0, bytes, std::nullopt, ""});
  set(op.getResult(), offsetBy(weights, offset));
  return llvm::Error::success();
}

llvm::Error Host::emitLiteral(program::LiteralOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || !elements.getElementType().isIntOrFloat())
    return refuse(op, "a literal of this type");
  auto count = size_t(elements.getNumElements());
  auto size = size_t(bytesPer(elements.getElementType()));
  std::vector<char> raw(std::max<size_t>(count * size, 1));
  if (elements.getElementType().isInteger(1))
    llvm::transform(elements.getValues<bool>(), raw.begin(), [](bool v) { return char(v); });
  else
    for (size_t i = 0; i < count; ++i)
      memcpy(raw.data() + i * size,
             elements.getRawData().data() + (elements.isSplat() ? 0 : i * size), size);
  if (program.onDevice) {
    std::string name = "literal " + std::to_string(program.numLiterals++);
    Value offset = weightOffset(
        b, {name, DType::UInt8, 0, raw.size(), std::nullopt, std::string(raw.begin(), raw.end())});
    set(op.getResult(), offsetBy(weights, offset));
    return llvm::Error::success();
  }
  set(op.getResult(), program.bytes(b, raw));
  return llvm::Error::success();
}

llvm::Error Host::emitGetState(program::GetStateOp op) {
  std::optional<unsigned> slot = program.slotOf(op.getState());
  if (!slot)
    return refuse(op, "a slot that is not there");
  auto pointer = pointerType(b.getContext());
  Value slots = load(pointer, frame, offsetof(ptc_frame, state));
  Value row = offsetBy(slots, *slot * sizeof(ptc_slot));
  Type type = op.getResult().getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    Value data = load(pointer, row, offsetof(ptc_slot, tensor) + offsetof(DLTensor, data));
    set(op.getResult(), data);
    Geometry kept;
    for (int64_t d = 0; d < tensor.getRank() && !dataSymbolsOf(type).empty(); ++d) {
      kept.sizes.push_back(load(b.getI64Type(), row, offsetof(ptc_slot, sizes) + 8 * uint64_t(d)));
      kept.strides.push_back(
          load(b.getI64Type(), row, offsetof(ptc_slot, strides) + 8 * uint64_t(d)));
    }
    bindNames(tensor, kept);
    return llvm::Error::success();
  }
  set(op.getResult(), loadNumber(type, offsetBy(row, offsetof(ptc_slot, value))));
  return llvm::Error::success();
}
