//===- HostRandom.cpp - Random numbers ----------------------------------------------------===//
//
// In: random operations of aten. Out: calls of the stub, which draws what eager draws for the same
// seed; here it is said what to draw: the distribution and its numbers.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

/// The attribute of argument `name`; null: the overload has none.
static Attribute argumentOf(Operation *op, StringRef name) {
  const aten::OpInfo *info = aten::findOp(op->getName().getStringRef());
  auto args = op->getAttrOfType<ArrayAttr>("args");
  if (!info || !args)
    return {};
  for (auto [arg, attr] : llvm::zip(info->args, args))
    if (arg.name == name)
      return attr;
  return {};
}

/// A number among the arguments; null: it is none.
Value Host::realArgument(Operation *op, StringRef name, double otherwise) {
  Attribute attr = argumentOf(op, name);
  if (auto arg = dyn_cast_or_null<aten::ArgAttr>(attr)) {
    Value number = get(op->getOperand(unsigned(arg.getIndex())));
    return isa<LLVM::LLVMPointerType>(number.getType()) ? Value() : toFloat(number);
  }
  double constant = otherwise;
  if (auto real = dyn_cast_or_null<FloatAttr>(attr))
    constant = real.getValueAsDouble();
  else if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    constant = double(integer.getInt());
  else if (attr && !isa<aten::NoneAttr>(attr))
    return {};
  return LLVM::ConstantOp::create(b, b.getF64Type(), b.getF64FloatAttr(constant));
}

/// Sizes that are arguments of the operation itself have no name in its operands.
void Host::bindSizeArgument(Operation *op) {
  auto list = dyn_cast_or_null<ArrayAttr>(argumentOf(op, "size"));
  Attribute count = argumentOf(op, "n");
  SmallVector<Attribute> sizes;
  if (list)
    llvm::append_range(sizes, list.getValue());
  else if (count)
    sizes.push_back(count);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<aten::TensorMeta> meta = aten::toMeta(type, symbols);
  if (!meta || sizes.size() != meta->sizes.size())
    return;
  for (auto [e, attr] : llvm::zip_equal(meta->sizes, sizes))
    if (auto arg = dyn_cast<aten::ArgAttr>(attr))
      if (e.kind() == sym::ExprKind::Symbol && !inputSymbols.contains(e.symbol()))
        bindSymbol(e.symbol(), get(op->getOperand(unsigned(arg.getIndex()))));
}

/// `low` and `high` of randint: none where they are not constants that every type holds exactly.
static std::optional<std::pair<int64_t, int64_t>> integerRange(Operation *op, Type element) {
  auto low = argumentOf(op, "low"), high = argumentOf(op, "high");
  auto first = dyn_cast_or_null<IntegerAttr>(low), last = dyn_cast_or_null<IntegerAttr>(high);
  if (!last || (low && !first))
    return std::nullopt;
  std::pair<int64_t, int64_t> range(first ? first.getInt() : 0, last.getInt());
  int64_t exact =
      element.isInteger() ? int64_t(1) << (element.getIntOrFloatBitWidth() - 2) : int64_t(1) << 24;
  bool isExact = std::abs(range.first) <= exact && std::abs(range.second) <= exact;
  return isExact && range.first < range.second ? std::optional(range) : std::nullopt;
}

llvm::Error Host::emitDraw(Operation *op) {
  StringRef name = op->getName().stripDialect();
  StringRef base = name.split('.').first;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  bool isReal = element.isF32() || element.isF64(), isInteger = isa<IntegerType>(element);
  Value first = i64(0), second = i64(0);
  uint32_t kind = ptc_draw_Uniform;
  if (base == "randperm") {
    kind = ptc_draw_Permutation;
  } else if (base == "randint" || base == "randint_like") {
    kind = ptc_draw_Integers;
    auto range = integerRange(op, element);
    if (!range || element.isInteger(1))
      return refuse(op, "a range known only at run time, or too wide for its type");
    first = i64(range->first);
    second = i64(int64_t(uint64_t(range->second) - uint64_t(range->first)));
  } else if (!isReal && !(base == "bernoulli" && isInteger)) {
    return refuse(op, "random numbers of this type");
  } else if (base == "bernoulli") {
    kind = ptc_draw_Bernoulli;
    first = argumentOf(op, "p") ? realArgument(op, "p", 0.5) : Value();
  } else if (base == "normal" || base == "normal_functional" || base.starts_with("randn")) {
    kind = ptc_draw_Normal;
    first = realArgument(op, "mean", 0);
    second = realArgument(op, "std", 1);
  } else {
    first = realArgument(op, "from", 0);
    second = realArgument(op, "to", 1);
  }
  if (!first || !second)
    return refuse(op, "a distribution whose parameters are tensors");
  bindSizeArgument(op);
  llvm::Expected<Value> memory = placeFor(op->getResult(0), plan::placeOf(op->getResult(0)), op);
  if (!memory)
    return memory.takeError();
  llvm::Expected<Value> shape = shapeOf(type, op);
  if (!shape)
    return shape.takeError();
  auto generator = op->getAttrOfType<IntegerAttr>("program.generator");
  int64_t number = generator ? generator.getInt() : 0;
  program.code.numGenerators = std::max(program.code.numGenerators, uint32_t(number) + 1);
  Value row = stackSlot(sizeof(ptc_draw));
  store(i32(kind), row, offsetof(ptc_draw, kind));
  store(i32(number), row, offsetof(ptc_draw, generator));
  store(first, row, offsetof(ptc_draw, first));
  store(second, row, offsetof(ptc_draw, second));
  callService(offsetof(ptc_services, draw), {}, {frame, row, *memory, *shape});
  set(op->getResult(0), *memory);
  return llvm::Error::success();
}

llvm::Error Host::emitSeed(program::SeedOp op) {
  auto number = op.getGenerator().getDefiningOp<arith::ConstantOp>();
  if (!number)
    return refuse(op, "a generator known only at run time");
  int64_t generator = cast<IntegerAttr>(number.getValue()).getInt();
  program.code.numGenerators = std::max(program.code.numGenerators, uint32_t(generator) + 1);
  returnIfFailed(callService(offsetof(ptc_services, seed), b.getI32Type(),
                             {frame, i32(generator), get(op.getSeed())})
                     .getResult());
  return llvm::Error::success();
}
