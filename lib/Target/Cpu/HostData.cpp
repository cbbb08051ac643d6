//===- HostData.cpp - Sizes that depend on data ---------------------------------------------===//
//
// In: tensors whose types name sizes that no argument has. Out: for each of them the numbers that
// these names stand for, beside its address: they go with it through branches and loops. What a
// name stands for is asked of the operands of the operation that is being emitted, and of nothing
// else: the same name means another number in another turn of a loop.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "ptc/Dialect/Aten/IR/Refused.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using IP = arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static aten::MetaAttr metaOf(Type type) {
  if (auto list = dyn_cast<program::ListType>(type))
    type = list.getElementType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<aten::MetaAttr>(tensor.getEncoding()) : aten::MetaAttr();
}

/// Names that types of the function use become symbols, so that types can be read.
void Host::declareSymbols() {
  auto lookup = [&](StringRef name) -> std::optional<sym::Expr> {
    if (std::optional<sym::SymbolId> known = symbols.findSymbol(name))
      return symbols.symbol(*known);
    return symbols.symbol(
        {.name = name.str(), .lower = sym::Interval::kMin, .kind = sym::SymbolKind::Unbacked});
  };
  auto declare = [&](Type type) {
    aten::MetaAttr meta = metaOf(type);
    for (ArrayAttr list :
         {meta ? meta.getSizes() : ArrayAttr(), meta ? meta.getStrides() : ArrayAttr()})
      for (Attribute attr : list ? list.getValue() : ArrayRef<Attribute>())
        if (auto text = dyn_cast<aten::ExprAttr>(attr))
          symbols.parse(text.getText(), lookup);
  };
  owner->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      declare(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          declare(type);
  });
}

SmallVector<sym::SymbolId, 2> Host::dataSymbolsOf(Type type) {
  SmallVector<sym::SymbolId, 2> found;
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<aten::TensorMeta> meta = tensor ? aten::toMeta(tensor, symbols) : std::nullopt;
  if (!meta)
    return found;
  for (ArrayRef<sym::Expr> list : {ArrayRef(meta->sizes), ArrayRef(meta->strides)})
    for (sym::Expr e : list)
      for (sym::SymbolId id : symbols.symbolsOf(e))
        if (!inputSymbols.contains(id) && !llvm::is_contained(found, id))
          found.push_back(id);
  return found;
}

void Host::bind(Value tensor) {
  auto known = extents.find(tensor);
  if (known == extents.end())
    return;
  for (auto [id, number] : llvm::zip_equal(dataSymbolsOf(tensor.getType()), known->second))
    bindSymbol(id, number);
}

void Host::bindSymbol(sym::SymbolId id, Value number) {
  symbolValues[id] = number;
  boundSymbols.push_back(id);
}

void Host::bindOperands(ValueRange operands) {
  for (sym::SymbolId id : boundSymbols)
    symbolValues.erase(id);
  boundSymbols.clear();
  for (Value operand : operands)
    bind(operand);
}

/// Results have the numbers that their names stand for now.
llvm::Error Host::keepExtents(Operation *op) {
  for (Value result : op->getResults()) {
    SmallVector<sym::SymbolId, 2> names = dataSymbolsOf(result.getType());
    if (names.empty() || extents.contains(result))
      continue;
    Values numbers;
    for (sym::SymbolId id : names) {
      Value number = symbolValues.lookup(id);
      if (!number)
        return refuse(op, "a size that depends on data: " + symbols.symbolInfo(id).name);
      numbers.push_back(number);
    }
    extents[result] = std::move(numbers);
  }
  return llvm::Error::success();
}

/// Names that stand alone for a size or stride of `type` get the numbers of what lies like `shape`.
void Host::bindNames(RankedTensorType type, const Geometry &shape) {
  std::optional<aten::TensorMeta> meta = aten::toMeta(type, symbols);
  if (!meta)
    return;
  auto bindList = [&](ArrayRef<sym::Expr> exprs, ArrayRef<OpFoldResult> numbers) {
    for (auto [e, number] : llvm::zip(exprs, numbers))
      if (e.kind() == sym::ExprKind::Symbol && !inputSymbols.contains(e.symbol()))
        bindSymbol(e.symbol(), asValue(number));
  };
  bindList(meta->strides, shape.strides);
  bindList(meta->sizes, shape.sizes);
}

//===----------------------------------------------------------------------===//
// Values that go from block to block
//===----------------------------------------------------------------------===//

SmallVector<Type> Host::lowerTypes(TypeRange types) {
  SmallVector<Type> lowered;
  for (Type type : types) {
    lowered.push_back(lowerType(type));
    lowered.append(dataSymbolsOf(type).size(), b.getI64Type());
  }
  return lowered;
}

void Host::append(Value value, SmallVectorImpl<Value> &out) {
  out.push_back(get(value));
  llvm::append_range(out, extents.lookup(value));
}

void Host::define(ValueRange defined, ValueRange lowered) {
  size_t next = 0;
  for (Value value : defined) {
    set(value, lowered[next++]);
    Values numbers;
    for (size_t i = 0, n = dataSymbolsOf(value.getType()).size(); i < n; ++i)
      numbers.push_back(lowered[next++]);
    if (!numbers.empty())
      extents[value] = std::move(numbers);
  }
}

void Host::alias(Value value, Value same) {
  set(value, get(same));
  if (auto known = extents.find(same); known != extents.end())
    extents[value] = Values(known->second);
}

llvm::Error Host::emitRetype(program::RetypeOp op) {
  set(op.getResult(), get(op.getValue()));
  auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!type || dataSymbolsOf(type).empty())
    return llvm::Error::success();
  llvm::Expected<Geometry> shape = geometryOf(op.getValue().getType(), op);
  if (!shape)
    return shape.takeError();
  bindNames(type, *shape);
  if (ArrayAttr names = op.getSymbolsAttr())
    for (auto [name, number] : llvm::zip_equal(names.getAsRange<StringAttr>(), op.getNumbers()))
      if (std::optional<sym::SymbolId> id = symbols.findSymbol(name.getValue()))
        bindSymbol(*id, get(number));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Sizes that a kernel computes
//===----------------------------------------------------------------------===//

namespace {

/// Emits, outside of a kernel, what its region says about the size of a tensor.
class SizeOfResult {
public:
  SizeOfResult(plan::KernelOp kernel, ArrayRef<Value> inputs, ArrayRef<Geometry> shapes,
               ImplicitLocOpBuilder &b)
      : kernel(kernel), inputs(inputs), shapes(shapes), b(b) {}

  /// An index; null: it is not a size that can be known before.
  Value sizeOf(Value tensor, unsigned d) {
    if (auto arg = dyn_cast<BlockArgument>(tensor))
      return indexOf(shapes[arg.getArgNumber()].sizes[d]);
    Operation *op = tensor.getDefiningOp();
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      return sizeOf(loops.getDpsInitOperand(cast<OpResult>(tensor).getResultNumber())->get(), d);
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](tensor::EmptyOp empty) { return scalar(empty.getMixedSizes()[d]); })
        .Case([&](tensor::CastOp cast) { return sizeOf(cast.getSource(), d); })
        .Case([&](tensor::InsertSliceOp insert) { return sizeOf(insert.getDest(), d); })
        .Case([&](scf::ForOp loop) {
          return sizeOf(loop.getInitArgs()[cast<OpResult>(tensor).getResultNumber()], d);
        })
        .Case([&](tensor::ExpandShapeOp expand) { return scalar(expand.getMixedOutputShape()[d]); })
        .Case([&](tensor::CollapseShapeOp collapse) {
          Value size;
          for (int64_t part : collapse.getReassociationIndices()[d]) {
            Value one = sizeOf(collapse.getSrc(), unsigned(part));
            if (!one)
              return Value();
            size = size ? Value(arith::MulIOp::create(b, size, one)) : one;
          }
          return size;
        })
        .Default([](Operation *) { return Value(); });
  }

private:
  Value indexOf(OpFoldResult size) {
    if (std::optional<int64_t> constant = getConstantIntValue(size))
      return arith::ConstantIndexOp::create(b, *constant);
    return arith::IndexCastOp::create(b, b.getIndexType(), cast<Value>(size));
  }

  Value scalar(OpFoldResult size) {
    if (auto value = dyn_cast<Value>(size))
      return scalar(value);
    return indexOf(size);
  }

  Value scalar(Value value) {
    if (auto arg = dyn_cast<BlockArgument>(value))
      return arg.getOwner() == &kernel.getBody().front() ? inputs[arg.getArgNumber()] : Value();
    Operation *op = value.getDefiningOp();
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      std::optional<int64_t> which = dim.getConstantIndex();
      return which ? sizeOf(dim.getSource(), unsigned(*which)) : Value();
    }
    if (!isa<arith::ArithDialect>(op->getDialect()))
      return {};
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Value lowered = scalar(operand);
      if (!lowered)
        return {};
      mapping.map(operand, lowered);
    }
    return b.clone(*op, mapping)->getResult(0);
  }

  plan::KernelOp kernel;
  ArrayRef<Value> inputs;
  ArrayRef<Geometry> shapes;
  ImplicitLocOpBuilder &b;
};

} // namespace

/// `inputs`: numbers by operand; `shapes`: of tensors by operand.
void Host::bindResultSizes(plan::KernelOp op, ArrayRef<Value> inputs, ArrayRef<Geometry> shapes) {
  SizeOfResult sizes(op, inputs, shapes, b);
  auto yield = cast<plan::YieldOp>(op.getBody().front().getTerminator());
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), yield.getValues())) {
    auto meta = aten::toMeta(cast<RankedTensorType>(result.getType()), symbols);
    for (auto [d, e] : llvm::enumerate(meta ? ArrayRef(meta->sizes) : ArrayRef<sym::Expr>())) {
      if (e.kind() != sym::ExprKind::Symbol || symbolValues.lookup(e.symbol()))
        continue;
      if (Value size = sizes.sizeOf(tensor, unsigned(d)))
        bindSymbol(e.symbol(), arith::IndexCastOp::create(b, b.getI64Type(), size));
    }
  }
}

//===----------------------------------------------------------------------===//
// Operations whose results are as long as data say
//===----------------------------------------------------------------------===//

/// Memory for that many elements, until the call ends or a turn of a loop that does not hand it on.
Value Host::blockOf(Value count, int64_t elementBytes, bool isList) {
  Value bytes = arith::MulIOp::create(b, count, i64(elementBytes));
  uint64_t service = isList ? offsetof(ptc_services, list) : offsetof(ptc_services, scratch);
  Value memory =
      callService(service, LLVM::LLVMPointerType::get(b.getContext()), {frame, bytes}).getResult();
  ++numBlocks;
  returnIfNull(memory);
  return memory;
}

llvm::Error Host::emitNonzero(Operation *op) {
  Value tensor = op->getOperand(0), data = use(tensor, op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  llvm::Expected<Value> shape = shapeOf(tensor.getType(), op);
  if (!shape)
    return shape.takeError();
  Value count =
      callService(offsetof(ptc_services, count_nonzero), b.getI64Type(), {frame, data, *shape})
          .getResult();
  returnIfDeviceFailed();
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  Value places = blockOf(count, 8 * rank);
  callService(offsetof(ptc_services, put_nonzero), {}, {frame, data, *shape, places, count});
  returnIfDeviceFailed();
  set(op->getResult(0), places);
  Geometry made{{count, b.getI64IntegerAttr(rank)}, {b.getI64IntegerAttr(1), count}};
  bindNames(type, made);
  return llvm::Error::success();
}

/// A ptc_shape of `tensor` seen with sizes to which it is broadcast.
Value Host::broadcastShape(Value tensor, const Geometry &own, ArrayRef<OpFoldResult> sizes) {
  Geometry seen{llvm::to_vector<4>(sizes), {}};
  size_t more = sizes.size() - own.sizes.size();
  for (size_t d = 0; d < sizes.size(); ++d) {
    bool isSpread = d < more || (isConstantIntValue(own.sizes[d - more], 1) &&
                                 !isConstantIntValue(sizes[d], 1));
    seen.strides.push_back(isSpread ? OpFoldResult(b.getI64IntegerAttr(0)) : own.strides[d - more]);
  }
  return describe(seen, cast<RankedTensorType>(tensor.getType()).getElementType(), i64(0));
}

llvm::Error Host::emitMaskedSelect(Operation *op) {
  Value tensor = op->getOperand(0), mask = op->getOperand(1);
  Value data = use(tensor, op), flags = use(mask, op);
  llvm::Expected<Geometry> from = geometryOf(tensor.getType(), op);
  if (!from)
    return from.takeError();
  llvm::Expected<Geometry> by = geometryOf(mask.getType(), op);
  if (!by)
    return by.takeError();
  SmallVector<OpFoldResult> sizes(std::max(from->sizes.size(), by->sizes.size()));
  for (size_t i = 0; i < sizes.size(); ++i) {
    auto at = [&](const Geometry &g) {
      return i < g.sizes.size() ? g.sizes[g.sizes.size() - 1 - i]
                                : OpFoldResult(b.getI64IntegerAttr(1));
    };
    sizes[sizes.size() - 1 - i] = isConstantIntValue(at(*from), 1) ? at(*by) : at(*from);
  }
  Value fromShape = broadcastShape(tensor, *from, sizes),
        byShape = broadcastShape(mask, *by, sizes);
  Value count =
      callService(offsetof(ptc_services, count_nonzero), b.getI64Type(), {frame, flags, byShape})
          .getResult();
  returnIfDeviceFailed();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value memory =
      blockOf(count, (memoryType(type.getElementType()).getIntOrFloatBitWidth() + 7) / 8);
  callService(offsetof(ptc_services, masked_select), {},
              {frame, data, fromShape, flags, byShape, memory});
  returnIfDeviceFailed();
  set(op->getResult(0), memory);
  bindNames(type, {{count}, {b.getI64IntegerAttr(1)}});
  return llvm::Error::success();
}

llvm::Error Host::emitAten(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (name == "nonzero" || name == "argwhere")
    return emitNonzero(op);
  if (name == "masked_select")
    return emitMaskedSelect(op);
  const aten::OpInfo *info = aten::findOp(op->getName().stripDialect());
  if (info && info->has(aten::OpFlag::Random))
    return emitDraw(op);
  auto isComplex = [](Type type) { return isa<ComplexType>(getElementTypeOrSelf(type)); };
  if (llvm::any_of(op->getResultTypes(), isComplex) ||
      llvm::any_of(op->getOperandTypes(), isComplex))
    if (Operation *ofComplex = keepsComplex())
      return refuse(ofComplex, "complex numbers");
  if (auto why = op->getAttrOfType<StringAttr>(aten::kRefusedAttr))
    return refuse(op, why.getValue());
  return refuse(op, "this target has no code for it yet");
}
