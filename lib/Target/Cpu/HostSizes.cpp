//===- HostSizes.cpp - Sizes while the program runs ---------------------------------------===//
//
// In: expressions over size symbols, types of tensors. Out: 64-bit numbers of the host function.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using P = arith::CmpIPredicate;

/// Rounds down, as Python does; a divisor of 0 stands where nothing reads the result.
static Value floorDivide(ImplicitLocOpBuilder &b, Value x, Value y) {
  Value zero = arith::ConstantIntOp::create(b, 0, 64), one = arith::ConstantIntOp::create(b, 1, 64);
  Value isZero = arith::CmpIOp::create(b, P::eq, y, zero);
  Value divisor = arith::SelectOp::create(b, isZero, one, y);
  Value quotient = arith::DivSIOp::create(b, x, divisor);
  Value rest = arith::SubIOp::create(b, x, arith::MulIOp::create(b, quotient, divisor));
  Value differs = arith::CmpIOp::create(b, P::slt, arith::XOrIOp::create(b, rest, divisor), zero);
  Value isExact = arith::CmpIOp::create(b, P::eq, rest, zero);
  Value less = arith::SubIOp::create(b, quotient, one);
  return arith::SelectOp::create(b, isExact, quotient,
                                 arith::SelectOp::create(b, differs, less, quotient));
}

llvm::Expected<Value> Host::evaluate(sym::Expr e, Operation *op, Value *flag) {
  auto add = [&](Value x, Value y) {
    return flag ? flagged(x, y, /*multiplies=*/false, *flag) : b.createOrFold<arith::AddIOp>(x, y);
  };
  auto mul = [&](Value x, Value y) {
    return flag ? flagged(x, y, /*multiplies=*/true, *flag) : b.createOrFold<arith::MulIOp>(x, y);
  };
  if (std::optional<int64_t> constant = e.asConstant())
    return Value(arith::ConstantIntOp::create(b, *constant, 64));
  if (!e.isSupported())
    return refuse(op, "a size that is not known");
  if (e.kind() == sym::ExprKind::Symbol) {
    Value known = symbolValues.lookup(e.symbol());
    if (!known)
      return refuse(op, "a size that depends on data: " + symbols.symbolInfo(e).name);
    return known;
  }
  SmallVector<Value, 4> parts;
  if (e.kind() == sym::ExprKind::Sum) {
    Value sum;
    for (const sym::Term &term : e.terms()) {
      Value product = arith::ConstantIntOp::create(b, term.coefficient, 64);
      for (const sym::Factor &factor : term.factors) {
        llvm::Expected<Value> atom = evaluate(factor.atom, op, flag);
        if (!atom)
          return atom.takeError();
        for (uint32_t i = 0; i < factor.power; ++i)
          product = mul(product, *atom);
      }
      sum = sum ? add(sum, product) : product;
    }
    return sum;
  }
  for (sym::Expr operand : e.operands()) {
    llvm::Expected<Value> part = evaluate(operand, op, flag);
    if (!part)
      return part.takeError();
    parts.push_back(*part);
  }
  Value result = parts.front();
  for (Value part : ArrayRef(parts).drop_front())
    result = e.kind() == sym::ExprKind::FloorDiv ? floorDivide(b, result, part)
             : e.kind() == sym::ExprKind::Min    ? Value(arith::MinSIOp::create(b, result, part))
                                                 : Value(arith::MaxSIOp::create(b, result, part));
  return result;
}

llvm::Expected<Geometry> Host::geometryOf(Type tensor, Operation *op, Value *sizeFlag,
                                          Value *strideFlag) {
  auto type = cast<RankedTensorType>(tensor);
  auto meta = aten::toMeta(type, symbols);
  if (!meta)
    return refuse(op, "a tensor whose sizes depend on data");
  Geometry out;
  auto add = [&](ArrayRef<sym::Expr> exprs, SmallVectorImpl<OpFoldResult> &list,
                 Value *flag) -> llvm::Error {
    for (sym::Expr e : exprs) {
      if (std::optional<int64_t> constant = e.asConstant()) {
        list.push_back(b.getI64IntegerAttr(*constant));
        continue;
      }
      llvm::Expected<Value> value = evaluate(e, op, flag);
      if (!value)
        return value.takeError();
      list.push_back(*value);
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = add(meta->sizes, out.sizes, sizeFlag))
    return std::move(error);
  if (llvm::Error error = add(meta->strides, out.strides, strideFlag))
    return std::move(error);
  return out;
}

Value Host::asValue(OpFoldResult size) {
  if (auto value = dyn_cast<Value>(size))
    return value;
  return arith::ConstantIntOp::create(b, cast<IntegerAttr>(cast<Attribute>(size)).getInt(), 64);
}

unsigned Host::elementBytes(Type type) {
  return (memoryType(cast<RankedTensorType>(type).getElementType()).getIntOrFloatBitWidth() + 7) /
         8;
}

Value Host::orTooMuch(Value bytes, Value flag) {
  Value most = arith::ConstantIntOp::create(b, INT64_MAX, 64);
  return flag ? b.createOrFold<arith::SelectOp>(flag, most, bytes) : bytes;
}

llvm::Expected<Value> Host::byteCount(Type tensor, Operation *op) {
  Value sizeFlag, flag;
  llvm::Expected<Geometry> shape = geometryOf(tensor, op, &sizeFlag, &flag);
  if (!shape)
    return shape.takeError();
  // Up to the end of the last element; no element: nothing.
  Value one = arith::ConstantIntOp::create(b, 1, 64), zero = arith::ConstantIntOp::create(b, 0, 64);
  Value last = zero, isEmpty = arith::ConstantIntOp::create(b, 0, 1);
  for (auto [size, stride] : llvm::zip_equal(shape->sizes, shape->strides)) {
    Value n = asValue(size);
    Value none = b.createOrFold<arith::CmpIOp>(P::eq, n, zero);
    isEmpty = b.createOrFold<arith::OrIOp>(isEmpty, none);
    Value far = flagged(b.createOrFold<arith::SubIOp>(n, one), asValue(stride), true, flag);
    last = flagged(last, far, false, flag);
  }
  Value count = flagged(last, one, false, flag);
  Value element = arith::ConstantIntOp::create(b, elementBytes(tensor), 64);
  Value bytes = orTooMuch(flagged(count, element, true, flag), flag);
  return orTooMuch(b.createOrFold<arith::SelectOp>(isEmpty, zero, bytes), sizeFlag);
}

/// DLDataType as the 32 bits that it is in memory.
static int64_t dlType(Type element) {
  uint32_t bits = memoryType(element).getIntOrFloatBitWidth();
  uint32_t code = element.isInteger(1)          ? kDLBool
                  : isa<ComplexType>(element)   ? kDLComplex
                  : element.isBF16()            ? kDLBfloat
                  : isa<FloatType>(element)     ? kDLFloat
                  : element.isUnsignedInteger() ? kDLUInt
                                                : kDLInt;
  return int64_t(code | bits << 8 | 1u << 16);
}

/// The arrays of a ptc_shape are constants of the object where its sizes are.
llvm::Expected<Value> Host::shapeOf(Type tensor, Operation *op) {
  llvm::Expected<Geometry> shape = geometryOf(tensor, op);
  if (!shape)
    return shape.takeError();
  llvm::Expected<Value> bytes = byteCount(tensor, op);
  if (!bytes)
    return bytes.takeError();
  return describe(*shape, cast<RankedTensorType>(tensor).getElementType(), *bytes);
}

Value Host::describe(const Geometry &shape, Type element, Value bytes) {
  size_t rank = shape.sizes.size();
  auto array = [&](ArrayRef<OpFoldResult> list) {
    SmallVector<int64_t> known;
    for (OpFoldResult number : list)
      if (std::optional<int64_t> constant = getConstantIntValue(number))
        known.push_back(*constant);
    if (known.size() == list.size() && rank)
      return program.int64Array(b, known);
    Value slot = stackSlot(8 * std::max<size_t>(rank, 1));
    for (auto [i, number] : llvm::enumerate(list))
      store(asValue(number), slot, 8 * i);
    return slot;
  };
  Value sizes = array(shape.sizes), strides = array(shape.strides);
  Value slot = stackSlot(sizeof(ptc_shape));
  store(i32(dlType(element)), slot, offsetof(ptc_shape, dtype));
  store(i32(int64_t(rank)), slot, offsetof(ptc_shape, rank));
  store(sizes, slot, offsetof(ptc_shape, sizes));
  store(strides, slot, offsetof(ptc_shape, strides));
  store(bytes, slot, offsetof(ptc_shape, bytes));
  return slot;
}

llvm::Error Host::emitSizeOf(program::SizeOfOp op) {
  llvm::Expected<Geometry> shape = geometryOf(op.getTensor().getType(), op);
  if (!shape)
    return shape.takeError();
  auto d = size_t(op.getDimension());
  if (d >= shape->sizes.size())
    return refuse(op, "there is no such dimension");
  set(op.getResult(), asValue(op.getStride() ? shape->strides[d] : shape->sizes[d]));
  return llvm::Error::success();
}

llvm::Error Host::emitSizeExpr(program::SizeExprOp op) {
  llvm::StringMap<sym::Expr> named;
  for (auto [name, value] : llvm::zip_equal(op.getSymbols(), op.getValues())) {
    // The operand, whatever the variant calls by that name.
    sym::Expr symbol = symbolOf(get(value), sym::Interval::kMin);
    named[cast<StringAttr>(name).getValue()] = symbol;
  }
  auto lookup = [&](StringRef name) -> std::optional<sym::Expr> {
    if (auto found = named.find(name); found != named.end())
      return found->second;
    std::optional<sym::SymbolId> id = symbols.findSymbol(name);
    return id ? std::optional<sym::Expr>(symbols.symbol(*id)) : std::nullopt;
  };
  std::optional<sym::Expr> parsed = symbols.parse(op.getExpr(), lookup);
  if (!parsed)
    return refuse(op, "an expression over sizes that are not known");
  Value overflows;
  llvm::Expected<Value> value = evaluate(*parsed, op, &overflows);
  if (!value)
    return value.takeError();
  if (overflows)
    failIf(overflows, op, ptc_status_int_overflow);
  set(op.getResult(), *value);
  return llvm::Error::success();
}
