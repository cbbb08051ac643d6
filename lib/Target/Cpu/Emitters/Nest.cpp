//===- Nest.cpp - A loop nest on memory ----------------------------------------------------===//
//
// In: linalg.generic on memrefs. Out: its loops and streams; loads and stores on plain pointers.
//
//===----------------------------------------------------------------------===//
#include "Nest.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc::cpu;

namespace {
/// Where the first element of a memref lies, and its strides as index values.
struct Layout {
  Value pointer;
  SmallVector<Value> strides;
};
} // namespace

/// Booleans lie in memory as bytes. LLVM takes masked vectors of bfloat16 apart with calls of a
/// library that artefacts do not have: they are moved as integers.
static Type memoryType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return element.isBF16() ? IntegerType::get(element.getContext(), 16) : element;
}

static Value gep(LoopBuilder &l, Value pointer, Type element, Value elements) {
  if (LoopBuilder::isConstant(elements, 0))
    return pointer;
  Value offset = arith::IndexCastOp::create(l.b, l.b.getI64Type(), elements);
  return LLVM::GEPOp::create(l.b, pointer.getType(), memoryType(element), pointer,
                             ArrayRef<LLVM::GEPArg>(offset));
}

static Layout layoutOf(LoopBuilder &l, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool isStrided = succeeded(type.getStridesAndOffset(strides, offset));
  assert(isStrided && "kernels have strided memrefs alone");
  (void)isStrided;
  LLVMTypeConverter converter(l.b.getContext());
  Value held =
      UnrealizedConversionCastOp::create(l.b, converter.convertType(type), memref).getResult(0);
  MemRefDescriptor descriptor(held);
  auto known = [&](int64_t number, llvm::function_ref<Value()> read) -> Value {
    if (!ShapedType::isDynamic(number))
      return l.index(number);
    return arith::IndexCastOp::create(l.b, l.b.getIndexType(), read());
  };
  Location loc = l.b.getLoc();
  Value start = known(offset, [&] { return descriptor.offset(l.b, loc); });
  Layout layout{gep(l, descriptor.alignedPtr(l.b, loc), type.getElementType(), start), {}};
  for (auto [d, stride] : llvm::enumerate(strides))
    layout.strides.push_back(
        known(stride, [&, d = unsigned(d)] { return descriptor.stride(l.b, loc, d); }));
  return layout;
}

/// Whether every place is a sum of loops times constants.
static bool isLinear(AffineMap map) {
  bool isLinear = map.getNumSymbols() == 0;
  for (AffineExpr place : map.getResults())
    place.walk([&](AffineExpr part) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(part);
      isLinear &=
          !binary || binary.getKind() == AffineExprKind::Add ||
          (binary.getKind() == AffineExprKind::Mul && isa<AffineConstantExpr>(binary.getRHS()));
    });
  return isLinear;
}

/// Adds `factor` * `e` to the strides of the loops that the linear `e` names and to `constant`.
static void addTerms(LoopBuilder &l, AffineExpr e, Value factor, SmallVectorImpl<Value> &strides,
                     Value &constant) {
  if (auto loop = dyn_cast<AffineDimExpr>(e)) {
    Value &stride = strides[loop.getPosition()];
    stride = l.add(stride, factor);
  } else if (auto number = dyn_cast<AffineConstantExpr>(e)) {
    constant = l.add(constant, l.mul(l.index(number.getValue()), factor));
  } else {
    auto binary = cast<AffineBinaryOpExpr>(e);
    bool isSum = binary.getKind() == AffineExprKind::Add;
    addTerms(l, binary.getLHS(),
             isSum ? factor
                   : l.mul(l.index(cast<AffineConstantExpr>(binary.getRHS()).getValue()), factor),
             strides, constant);
    if (isSum)
      addTerms(l, binary.getRHS(), factor, strides, constant);
  }
}

static Stream readStream(LoopBuilder &l, Value operand, AffineMap map) {
  SmallVector<Value> strides(map.getNumDims(), l.index(0));
  auto memref = dyn_cast<MemRefType>(operand.getType());
  if (!memref)
    return {operand, operand.getType(), strides};
  Layout layout = layoutOf(l, operand);
  Stream stream{layout.pointer, memref.getElementType(), strides};
  Value constant = l.index(0);
  for (auto [place, stride] : llvm::zip_equal(map.getResults(), layout.strides))
    addTerms(l, place, stride, stream.strides, constant);
  stream.pointer = gep(l, stream.pointer, stream.element, constant);
  return stream;
}

Stream ptc::cpu::streamOf(LoopBuilder &l, Value memref) {
  auto rank = unsigned(cast<MemRefType>(memref.getType()).getRank());
  return readStream(l, memref, l.b.getMultiDimIdentityMap(rank));
}

std::optional<Nest> ptc::cpu::readNest(LoopBuilder &l, linalg::GenericOp op) {
  for (AffineMap map : op.getIndexingMapsArray())
    if (!isLinear(map))
      return std::nullopt;
  Nest nest;
  nest.body = op.getBody();
  nest.readsIndices = op.hasIndexSemantics();
  for (Range range : cast<linalg::LinalgOp>(*op).createLoopRanges(l.b, l.b.getLoc()))
    nest.sizes.push_back(l.index(range.size));
  for (utils::IteratorType kind : op.getIteratorTypesArray())
    nest.reduces.push_back(kind == utils::IteratorType::reduction);
  for (OpOperand &operand : op->getOpOperands()) {
    Stream stream = readStream(l, operand.get(), op.getMatchingIndexingMap(&operand));
    (op.isDpsInput(&operand) ? nest.inputs : nest.outputs).push_back(stream);
  }
  return nest;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void eraseLoop(Nest &nest, size_t loop) {
  nest.sizes.erase(nest.sizes.begin() + int64_t(loop));
  nest.reduces.erase(nest.reduces.begin() + int64_t(loop));
  nest.forEachStream([&](Stream &s) { s.strides.erase(s.strides.begin() + int64_t(loop)); });
}

/// Whether one loop of sizes[outer] * sizes[inner] steps visits the same elements in the same
/// order.
static bool passesEvenly(const Stream &s, size_t outer, size_t inner, int64_t innerSize) {
  auto step = LoopBuilder::constantOf(s.strides[inner]),
       far = LoopBuilder::constantOf(s.strides[outer]);
  return step && far && *far == *step * innerSize;
}

void ptc::cpu::mergeLoops(LoopBuilder &l, Nest &nest) {
  if (nest.readsIndices || !nest.clips.empty())
    return;
  for (size_t d = nest.numLoops(); d-- > 0;)
    if (LoopBuilder::isConstant(nest.sizes[d], 1))
      eraseLoop(nest, d);
  for (size_t d = nest.numLoops(); d-- > 1;) {
    std::optional<int64_t> inner = LoopBuilder::constantOf(nest.sizes[d]);
    bool isEven = inner && nest.reduces[d] == nest.reduces[d - 1];
    nest.forEachStream([&](Stream &s) { isEven = isEven && passesEvenly(s, d - 1, d, *inner); });
    if (!isEven)
      continue;
    nest.forEachStream([&](Stream &s) { s.strides[d - 1] = s.strides[d]; });
    nest.sizes[d - 1] = l.mul(nest.sizes[d - 1], nest.sizes[d]);
    eraseLoop(nest, d);
  }
}

/// A stride that only the run knows counts as longer than all others: it is a product of sizes.
static int64_t stepOf(const Stream &s, size_t loop) {
  return LoopBuilder::constantOf(s.strides[loop]).value_or(INT64_MAX);
}

template <typename T> static void permute(SmallVectorImpl<T> &list, ArrayRef<size_t> order) {
  SmallVector<T> old(list.begin(), list.end());
  for (auto [to, from] : llvm::zip_equal(list, order))
    to = old[from];
}

void ptc::cpu::orderLoops(Nest &nest) {
  if (nest.readsIndices || nest.outputs.empty())
    return;
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(nest.numLoops()));
  auto rankOf = [&](size_t loop) {
    bool reduces = nest.reduces[loop];
    bool isRead = reduces && !nest.inputs.empty();
    const Stream &s = isRead ? nest.inputs[0] : nest.outputs[0];
    return std::tuple(reduces, -stepOf(s, loop), loop);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return rankOf(a) < rankOf(b); });
  permute(nest.sizes, order);
  permute(nest.reduces, order);
  nest.forEachStream([&](Stream &s) { permute(s.strides, order); });
  auto placeIn = [&](size_t loop) { return size_t(llvm::find(order, loop) - order.begin()); };
  for (Clip &clip : nest.clips) {
    clip.place = placeIn(clip.place);
    clip.entry = placeIn(clip.entry);
  }
}

void ptc::cpu::makeInnermost(Nest &nest, size_t from) {
  auto move = [&](auto &list) {
    std::rotate(list.begin() + int64_t(from), list.begin() + int64_t(from) + 1, list.end());
  };
  move(nest.sizes);
  move(nest.reduces);
  nest.forEachStream([&](Stream &s) { move(s.strides); });
  auto moved = [&](size_t loop) {
    return loop == from ? nest.numLoops() - 1 : loop - (loop > from);
  };
  for (Clip &clip : nest.clips) {
    clip.place = moved(clip.place);
    clip.entry = moved(clip.entry);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value ptc::cpu::addressOf(LoopBuilder &l, const Stream &stream, ValueRange indices) {
  Value elements = l.index(0);
  for (auto [i, stride] : llvm::zip(indices, stream.strides))
    elements = l.add(elements, l.mul(i, stride));
  return gep(l, stream.pointer, stream.element, elements);
}

Stream ptc::cpu::advance(LoopBuilder &l, const Stream &stream, ValueRange indices) {
  Stream result = stream;
  result.pointer = addressOf(l, stream, indices);
  return result;
}

static VectorType vectorOf(Type element, int64_t lanes) {
  return VectorType::get({lanes}, element);
}
static unsigned alignmentOf(Type element) {
  return std::max(memoryType(element).getIntOrFloatBitWidth() / 8, 1U);
}
static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(element) : element;
}
/// Integers to truth values and bfloat16, and back.
static Value fromMemory(LoopBuilder &l, Value v, Type element) {
  if (element.isBF16())
    return arith::BitcastOp::create(l.b, withElement(v.getType(), element), v);
  if (!element.isInteger(1))
    return v;
  Value zero = arith::ConstantOp::create(l.b, l.b.getZeroAttr(v.getType()));
  return arith::CmpIOp::create(l.b, arith::CmpIPredicate::ne, v, zero);
}
static Value toMemory(LoopBuilder &l, Value v) {
  Type element = getElementTypeOrSelf(v.getType());
  Type stored = withElement(v.getType(), memoryType(element));
  if (element.isBF16())
    return arith::BitcastOp::create(l.b, stored, v);
  return element.isInteger(1) ? arith::ExtUIOp::create(l.b, stored, v).getResult() : v;
}

Value ptc::cpu::loadElement(LoopBuilder &l, Value address, Type element) {
  return fromMemory(
      l, LLVM::LoadOp::create(l.b, memoryType(element), address, alignmentOf(element)), element);
}
void ptc::cpu::storeElement(LoopBuilder &l, Value address, Value value) {
  LLVM::StoreOp::create(l.b, toMemory(l, value), address, alignmentOf(value.getType()));
}

Value ptc::cpu::loadVector(LoopBuilder &l, Value address, Type element, int64_t lanes, Value mask) {
  VectorType type = vectorOf(memoryType(element), lanes);
  unsigned alignment = alignmentOf(element);
  if (!mask)
    return fromMemory(l, LLVM::LoadOp::create(l.b, type, address, alignment), element);
  Value zeros = arith::ConstantOp::create(l.b, l.b.getZeroAttr(type));
  return fromMemory(l, LLVM::MaskedLoadOp::create(l.b, type, address, mask, zeros, alignment),
                    element);
}
Value ptc::cpu::loadEverySecond(LoopBuilder &l, Value address, Type element, int64_t lanes,
                                Value count) {
  // Nothing behind the last of them is read.
  Value all = count ? count : l.index(lanes), one = l.index(1), width = l.index(lanes);
  Value span = l.sub(l.mul(all, l.index(2)), one);
  Value low = loadVector(l, address, element, lanes,
                         count ? maskOf(l, l.min(span, width), lanes) : Value());
  Value behind = l.b.createOrFold<arith::MaxSIOp>(l.sub(span, width), l.index(0));
  Value high =
      loadVector(l, gep(l, address, element, width), element, lanes, maskOf(l, behind, lanes));
  SmallVector<int64_t> even;
  for (int64_t i = 0; i < lanes; ++i)
    even.push_back(2 * i);
  return vector::ShuffleOp::create(l.b, low, high, even);
}

Value ptc::cpu::loadApart(LoopBuilder &l, Value address, Type element, Value stride, int64_t lanes,
                          Value mask) {
  if (LoopBuilder::isConstant(stride, 1))
    return loadVector(l, address, element, lanes, mask);
  Value steps =
      arith::MulIOp::create(l.b, vector::StepOp::create(l.b, vectorOf(l.b.getIndexType(), lanes)),
                            broadcast(l, stride, lanes));
  steps = arith::IndexCastOp::create(l.b, vectorOf(l.b.getI64Type(), lanes), steps);
  Type stored = memoryType(element);
  Value addresses = LLVM::GEPOp::create(l.b, vectorOf(address.getType(), lanes), stored, address,
                                        ArrayRef<LLVM::GEPArg>{steps});
  VectorType type = vectorOf(stored, lanes);
  if (!mask)
    mask = arith::ConstantOp::create(
        l.b, DenseElementsAttr::get(vectorOf(l.b.getI1Type(), lanes), true));
  Value zeros = arith::ConstantOp::create(l.b, l.b.getZeroAttr(type));
  return fromMemory(l,
                    LLVM::masked_gather::create(l.b, type, addresses, mask, ValueRange{zeros},
                                                alignmentOf(element)),
                    element);
}

void ptc::cpu::storeVector(LoopBuilder &l, Value address, Value value, Value mask) {
  unsigned alignment = alignmentOf(getElementTypeOrSelf(value.getType()));
  Value stored = toMemory(l, value);
  if (mask)
    LLVM::MaskedStoreOp::create(l.b, stored, address, mask, alignment);
  else
    LLVM::StoreOp::create(l.b, stored, address, alignment);
}

Value ptc::cpu::maskOf(LoopBuilder &l, Value count, int64_t lanes) {
  return vector::CreateMaskOp::create(l.b, vectorOf(l.b.getI1Type(), lanes), ValueRange{count});
}
Value ptc::cpu::broadcast(LoopBuilder &l, Value scalar, int64_t lanes) {
  return vector::BroadcastOp::create(l.b, vectorOf(scalar.getType(), lanes), scalar);
}

Value ptc::cpu::allocate(LoopBuilder &l, Value elements, Type element) {
  std::optional<int64_t> known = LoopBuilder::constantOf(elements);
  auto type = MemRefType::get({known ? *known : ShapedType::kDynamic}, element);
  auto memory = known ? memref::AllocOp::create(l.b, type)
                      : memref::AllocOp::create(l.b, type, ValueRange{elements});
  memory->setAttr(kPrivateAttr, l.b.getUnitAttr());
  return layoutOf(l, memory).pointer;
}
