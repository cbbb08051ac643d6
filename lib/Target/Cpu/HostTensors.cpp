//===- HostTensors.cpp - Tensors of the host program --------------------------------------===//
//
// In: kernels, views, literals, weights, slots. Out: addresses and calls; every tensor that an
// operation makes is where the plan places it.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using IP = arith::CmpIPredicate;

static LLVM::LLVMPointerType pointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

/// Elements as they lie in memory: a bool is a byte.
static Type memoryType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  if (element.isInteger())
    return IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
  return element;
}

static int64_t bytesPer(Type element) { return (element.getIntOrFloatBitWidth() + 7) / 8; }

llvm::Expected<Value> Host::placeFor(Value result, plan::PlaceAttr place, Operation *op) {
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
    auto finish = cast<program::FinishOp>(variant.getBody().front().getTerminator());
    auto places = llvm::to_vector(finish.getOutcomes().front().getOps<program::PlaceOp>());
    unsigned number = 0;
    if (StringRef(place.getAt()).getAsInteger(10, number) || number >= places.size())
      return refuse(op, "an output that is none");
    return outputMemory(places[number]);
  }
  case plan::PlaceKind::Block: {
    llvm::Expected<Value> bytes = byteCount(result.getType(), op);
    if (!bytes)
      return bytes.takeError();
    Value memory =
        callService(offsetof(ptc_services, scratch), pointerType(b.getContext()), {frame, *bytes})
            .getResult();
    returnIfNull(memory);
    return memory;
  }
  }
  llvm_unreachable("closed enum");
}

llvm::Error Host::emitKernel(plan::KernelOp op) {
  SmallVector<Geometry> inputs, results;
  SmallVector<Value> pointers;
  for (Value input : op.getInputs()) {
    if (!isa<RankedTensorType>(input.getType()))
      return refuse(op, "a kernel that reads numbers has no code yet");
    llvm::Expected<Geometry> shape = geometryOf(input.getType(), op);
    if (!shape)
      return shape.takeError();
    inputs.push_back(std::move(*shape));
    pointers.push_back(use(input, op));
  }
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
  func::FuncOp function = program.kernels.functionFor(op, inputs, results, numbers);
  llvm::append_range(pointers, numbers);
  func::CallOp::create(b, function, pointers);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void Host::copy(Value from, const Geometry &fromShape, Value to, const Geometry &toShape,
                Type element) {
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> index;
  OpBuilder::InsertionGuard guard(b);
  for (OpFoldResult size : toShape.sizes) {
    Value count = arith::IndexCastOp::create(b, b.getIndexType(), asValue(size));
    auto loop = scf::ForOp::create(b, zero, count, one);
    b.setInsertionPointToStart(loop.getBody());
    index.push_back(arith::IndexCastOp::create(b, b.getI64Type(), loop.getInductionVar()));
  }
  auto element_at = [&](Value base, const Geometry &shape) {
    Value offset = arith::ConstantIntOp::create(b, 0, 64);
    for (auto [i, stride] : llvm::zip_equal(index, shape.strides))
      offset =
          b.createOrFold<arith::AddIOp>(offset, b.createOrFold<arith::MulIOp>(i, asValue(stride)));
    return LLVM::GEPOp::create(b, pointerType(b.getContext()), memoryType(element), base,
                               ArrayRef<LLVM::GEPArg>(offset));
  };
  Value value = LLVM::LoadOp::create(b, memoryType(element), element_at(from, fromShape));
  LLVM::StoreOp::create(b, value, element_at(to, toShape));
}

/// Between tensors of one type.
llvm::Error Host::copy(Value from, Value to, Type tensor, Operation *op) {
  auto type = cast<RankedTensorType>(tensor);
  auto meta = dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  if (!meta || !meta.getStrides()) {
    llvm::Expected<Value> bytes = byteCount(tensor, op);
    if (!bytes)
      return bytes.takeError();
    LLVM::MemmoveOp::create(b, to, from, *bytes, /*isVolatile=*/false);
    return llvm::Error::success();
  }
  llvm::Expected<Geometry> shape = geometryOf(tensor, op);
  if (!shape)
    return shape.takeError();
  copy(from, *shape, to, *shape, type.getElementType());
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {

/// Answers what the algebra proves, and nothing else: views that need more were guarded.
class ProvenContext final : public aten::MetaContext {
public:
  explicit ProvenContext(sym::Context &context) : context(context) {}
  sym::Context &symbols() override { return context; }
  std::optional<bool> decide(aten::Cmp cmp, sym::Expr a, sym::Expr b, StringRef) override {
    switch (cmp) {
    case aten::Cmp::EQ:
      return context.isEqual(a, b);
    case aten::Cmp::NE:
      return inverse(context.isEqual(a, b));
    case aten::Cmp::LT:
      return context.isLess(a, b);
    case aten::Cmp::LE:
      return context.isLessEqual(a, b);
    case aten::Cmp::GT:
      return inverse(context.isLessEqual(a, b));
    case aten::Cmp::GE:
      return inverse(context.isLess(a, b));
    }
    llvm_unreachable("closed enum");
  }
  sym::Expr freshUnbacked(int64_t, sym::Expr, StringRef) override { return {}; }

private:
  static std::optional<bool> inverse(std::optional<bool> v) {
    return v ? std::optional<bool>(!*v) : std::nullopt;
  }
  sym::Context &context;
};

/// Constants of a step as meta takes them; none for what is known only at run time.
std::optional<aten::ArgValue> constantOf(Attribute attr, sym::Context &symbols) {
  if (isa<aten::NoneAttr>(attr))
    return aten::ArgValue(aten::ArgValue::None());
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return aten::ArgValue(aten::ArgValue::Bool{flag.getValue()});
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return aten::ArgValue(aten::ArgValue::Int{symbols.constant(integer.getInt())});
  if (auto text = dyn_cast<aten::ExprAttr>(attr)) {
    std::optional<sym::Expr> e = symbols.parse(text.getText());
    return e ? std::optional(aten::ArgValue(aten::ArgValue::Int{*e})) : std::nullopt;
  }
  auto list = dyn_cast<ArrayAttr>(attr);
  if (!list)
    return std::nullopt;
  aten::ArgValue::IntList ints;
  for (Attribute element : list) {
    std::optional<aten::ArgValue> value = constantOf(element, symbols);
    const auto *integer = value ? value->getIf<aten::ArgValue::Int>() : nullptr;
    if (!integer)
      return std::nullopt;
    ints.values.push_back(integer->value);
  }
  return aten::ArgValue(std::move(ints));
}

} // namespace

/// `x[i]` in one dimension, with an index known at run time. Out of range the view is undefined:
/// its address is null, and who reads it raises.
llvm::Expected<Value> Host::selectAt(Operation *op, Value base, aten::TensorMeta &meta, int64_t dim,
                                     Value index) {
  if (dim < 0)
    dim += meta.dim();
  if (dim < 0 || dim >= meta.dim())
    return refuse(op, "a dimension that is not there");
  llvm::Expected<Value> size = evaluate(meta.sizes[dim], op);
  if (!size)
    return size.takeError();
  llvm::Expected<Value> stride = evaluate(meta.strides[dim], op);
  if (!stride)
    return stride.takeError();
  Value zero = arith::ConstantIntOp::create(b, 0, 64);
  Value isBelow = arith::CmpIOp::create(b, IP::slt, index, zero);
  Value wrapped =
      arith::SelectOp::create(b, isBelow, arith::AddIOp::create(b, index, *size), index);
  Value isOut = arith::CmpIOp::create(b, IP::uge, wrapped, *size);
  meta.sizes.erase(meta.sizes.begin() + dim);
  meta.strides.erase(meta.strides.begin() + dim);
  Value unit = arith::ConstantIntOp::create(b, int64_t(getDTypeInfo(meta.dtype).bytes), 64);
  Value bytes = arith::MulIOp::create(b, arith::MulIOp::create(b, wrapped, *stride), unit);
  return Value(arith::SelectOp::create(b, isOut, LLVM::ZeroOp::create(b, base.getType()),
                                       offsetBy(base, bytes)));
}

/// Whether a tensor may be undefined, which is the address null.
static bool mayBeUndefined(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return !isa<program::VariantOp>(cast<BlockArgument>(tensor).getOwner()->getParentOp());
  if (auto view = dyn_cast<program::ViewOp>(op))
    return !view.getValues().empty() || mayBeUndefined(view.getBase());
  return !isa<plan::KernelOp, program::ScatterOp, program::TensorOp, program::LiteralOp,
              program::WeightOp, program::GetStateOp>(op);
}

Value Host::use(Value tensor, Operation *op) {
  Value address = get(tensor);
  if (!mayBeUndefined(tensor))
    return address;
  Value null = LLVM::ZeroOp::create(b, address.getType());
  failIf(LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, address, null), op, ptc_status_raised,
         "IndexError", "index out of range");
  return address;
}

llvm::Expected<Value> Host::applySteps(Operation *op, Value base, RankedTensorType type,
                                       ArrayAttr steps, ValueRange operands,
                                       aten::TensorMeta *out) {
  std::optional<aten::TensorMeta> meta = aten::toMeta(type, symbols);
  if (!meta)
    return refuse(op, "a tensor whose sizes depend on data");
  ProvenContext proven(symbols);
  for (auto step : steps.getAsRange<ArrayAttr>()) {
    StringRef name = cast<StringAttr>(step[0]).getValue();
    const aten::OpInfo *info = aten::findOp(name);
    if (!info || step.size() < info->args.size())
      return refuse(op, "the view " + name);
    auto runTime = step.size() > 2 ? dyn_cast<aten::ArgAttr>(step[2]) : aten::ArgAttr();
    auto dim = step.size() > 1 ? dyn_cast<IntegerAttr>(step[1]) : IntegerAttr();
    if (name == "select.int" && runTime && dim) {
      llvm::Expected<Value> at =
          selectAt(op, base, *meta, dim.getInt(), get(operands[runTime.getIndex()]));
      if (!at)
        return at.takeError();
      base = *at;
      continue;
    }
    SmallVector<aten::ArgValue, 8> args;
    args.push_back(&*meta);
    for (size_t i = 1; i < info->args.size(); ++i) {
      std::optional<aten::ArgValue> value = constantOf(step[i], symbols);
      if (!value)
        return refuse(op, "the view " + name + " with bounds known only at run time");
      args.push_back(std::move(*value));
    }
    aten::MetaResult result = aten::infer(*info, args, proven);
    size_t element = 0;
    if (step.size() > info->args.size())
      element = size_t(cast<IntegerAttr>(step[info->args.size()]).getInt());
    if (!result.isOk() || result.results.empty() ||
        element >= result.results.front().tensors.size())
      return refuse(op, "the view " + name + " of these sizes");
    aten::TensorResult view = result.results.front().tensors[element];
    if (view.aliasing.kind == aten::Aliasing::Kind::Fresh || view.aliasing.isOffsetAbsolute ||
        view.meta.dtype != meta->dtype)
      return refuse(op, "the view " + name);
    if (view.aliasing.kind == aten::Aliasing::Kind::View && view.aliasing.offset.isSupported()) {
      llvm::Expected<Value> offset = evaluate(view.aliasing.offset, op);
      if (!offset)
        return offset.takeError();
      Value unit = arith::ConstantIntOp::create(b, int64_t(getDTypeInfo(meta->dtype).bytes), 64);
      base = offsetBy(base, b.createOrFold<arith::MulIOp>(*offset, unit));
    }
    meta = view.meta;
  }
  *out = *meta;
  return base;
}

llvm::Error Host::emitView(program::ViewOp op) {
  aten::TensorMeta meta;
  llvm::Expected<Value> address =
      applySteps(op, get(op.getBase()), cast<RankedTensorType>(op.getBase().getType()),
                 op.getSteps(), op.getValues(), &meta);
  if (!address)
    return address.takeError();
  // Readers see the geometry of the result's type.
  auto wanted = aten::toMeta(cast<RankedTensorType>(op.getResult().getType()), symbols);
  if (!wanted || wanted->sizes != meta.sizes || wanted->strides != meta.strides)
    return refuse(op, "a view whose strides its type does not say");
  if (mayBeUndefined(op.getBase())) {
    Value null = LLVM::ZeroOp::create(b, address->getType());
    Value isNull = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, get(op.getBase()), null);
    address = Value(arith::SelectOp::create(b, isNull, null, *address));
  }
  set(op.getResult(), *address);
  return llvm::Error::success();
}

llvm::Error Host::emitScatter(program::ScatterOp op) {
  llvm::Expected<Value> memory = placeFor(op.getResult(), plan::placeOf(op.getResult()), op);
  if (!memory)
    return memory.takeError();
  if (op.getBase().getType() != op.getResult().getType())
    return refuse(op, "a result of another type than its base");
  if (llvm::Error error = copy(use(op.getBase(), op), *memory, op.getBase().getType(), op))
    return error;
  aten::TensorMeta meta;
  llvm::Expected<Value> part =
      applySteps(op, *memory, cast<RankedTensorType>(op.getResult().getType()), op.getSteps(),
                 op.getValues(), &meta);
  if (!part)
    return part.takeError();
  llvm::Expected<Geometry> from = geometryOf(op.getPart().getType(), op);
  if (!from)
    return from.takeError();
  Geometry to{from->sizes, {}};
  for (sym::Expr stride : meta.strides) {
    llvm::Expected<Value> value = evaluate(stride, op);
    if (!value)
      return value.takeError();
    to.strides.push_back(*value);
  }
  if (to.strides.size() != from->strides.size())
    return refuse(op, "a part of another shape");
  copy(use(op.getPart(), op), *from, *part, to,
       cast<RankedTensorType>(op.getPart().getType()).getElementType());
  set(op.getResult(), *memory);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Tensors and numbers
//===----------------------------------------------------------------------===//

llvm::Error Host::emitItem(program::ItemOp op) {
  Type element = cast<RankedTensorType>(op.getTensor().getType()).getElementType();
  Type type = op.getResult().getType();
  if (!element.isIntOrFloat())
    return refuse(op, "a complex number");
  Value value = LLVM::LoadOp::create(b, memoryType(element), use(op.getTensor(), op));
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
  } else if (from.isInteger() && element.isF64()) {
    value = from.isInteger(1) ? Value(arith::UIToFPOp::create(b, element, value))
                              : Value(arith::SIToFPOp::create(b, element, value));
  } else if (from.isInteger(1) && element.isInteger(64)) {
    value = arith::ExtUIOp::create(b, element, value);
  } else if (from != element) {
    return refuse(op, "a tensor of another type than its number");
  }
  LLVM::StoreOp::create(b, value, *memory);
  set(op.getResult(), *memory);
  return llvm::Error::success();
}

llvm::Error Host::emitWeight(program::WeightOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto meta = aten::toMeta(type, symbols);
  if (!meta || !type.hasStaticShape())
    return refuse(op, "a weight whose sizes are not known");
  auto bytes = uint64_t(type.getNumElements() * bytesPer(type.getElementType()));
  uint64_t offset = program.weightOffset(op.getName(), meta->dtype, bytes);
  Value weights = load(pointerType(b.getContext()), frame, offsetof(ptc_frame, weights));
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
  if (isa<RankedTensorType>(type)) {
    Value data = load(pointer, row, offsetof(ptc_slot, tensor) + offsetof(DLTensor, data));
    set(op.getResult(), data);
    return llvm::Error::success();
  }
  set(op.getResult(), loadNumber(type, offsetBy(row, offsetof(ptc_slot, value))));
  return llvm::Error::success();
}
