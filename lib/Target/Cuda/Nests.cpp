//===- Nests.cpp - Loops of a nest, and the threads that go through them ---------------------===//
//
// What the emitters of this target share: sizes of loops, places of elements, numbers of threads.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

SmallVector<Value> ptc::cuda::loopSizes(ImplicitLocOpBuilder &b, linalg::LinalgOp op) {
  SmallVector<Value> sizes;
  for (const Range &range : op.createLoopRanges(b, b.getLoc()))
    sizes.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size));
  return sizes;
}

Value ptc::cuda::rootOf(Value memory) {
  while (Operation *op = memory.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      memory = view.getViewSource();
    else if (isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1)
      memory = op->getOperand(0);
    else if (auto field = dyn_cast<LLVM::InsertValueOp>(op)) {
      bool isPointer = isa<LLVM::LLVMPointerType>(field.getValue().getType());
      memory = isPointer ? field.getValue() : field.getContainer();
    } else if (auto at = dyn_cast<LLVM::GEPOp>(op))
      memory = at.getBase();
    else
      break;
  }
  return memory;
}

/// Whether so many turns, and a tile behind their end, have numbers of 31 bits.
static bool areFew(ArrayRef<unsigned> loops, ArrayRef<Value> sizes) {
  int64_t turns = 1;
  for (unsigned d : loops) {
    std::optional<int64_t> size = getConstantIntValue(sizes[d]);
    if (!size || *size > INT32_MAX / 2 / std::max<int64_t>(turns, 1))
      return false;
    turns *= *size;
  }
  return true;
}

void ptc::cuda::takeApart(ImplicitLocOpBuilder &b, Value number, ArrayRef<unsigned> loops,
                          ArrayRef<Value> sizes, MutableArrayRef<Value> indices) {
  if (loops.size() < 2) {
    for (unsigned d : loops)
      indices[d] = number;
    return;
  }
  // Divisions of 64 bits are many instructions.
  bool isNarrow = areFew(loops, sizes);
  Type type = isNarrow ? Type(b.getI32Type()) : Type(b.getIndexType());
  auto convert = [&](Value v, Type to) -> Value {
    return isNarrow ? Value(arith::IndexCastUIOp::create(b, to, v)) : v;
  };
  number = convert(number, type);
  for (unsigned d : llvm::reverse(loops)) {
    bool isLast = d == loops.front();
    Value size = isLast ? Value() : convert(sizes[d], type);
    Value index = isLast ? number : Value(arith::RemUIOp::create(b, number, size));
    indices[d] = convert(index, b.getIndexType());
    if (!isLast)
      number = arith::DivUIOp::create(b, number, size);
  }
}

SmallVector<Value> ptc::cuda::placeOf(ImplicitLocOpBuilder &b, AffineMap map,
                                      ArrayRef<Value> indices) {
  SmallVector<Value> place;
  SmallVector<OpFoldResult> at(indices.begin(), indices.end());
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    place.push_back(getValueOrCreateConstantIndexOp(
        b, b.getLoc(), affine::makeComposedFoldedAffineApply(b, b.getLoc(), map.getSubMap(i), at)));
  return place;
}

bool ptc::cuda::liesAlong(linalg::LinalgOp op, OpOperand &operand, unsigned d) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return false;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [stride, at] : llvm::zip_equal(strides, map.getResults()))
    if (stride == 1 && at.isFunctionOfDim(d))
      return true;
  return false;
}

bool ptc::cuda::comesInGroups(linalg::LinalgOp op, AffineMap map, MemRefType memory,
                              ArrayRef<unsigned> loops, int64_t size, bool isOpen) {
  SmallVector<int64_t> strides, extents = op.getStaticLoopRanges();
  int64_t offset = 0, together = 1;
  if (failed(memory.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
      offset % size)
    return false;
  SmallVector<bool> isWithin(strides.size());
  for (size_t i = loops.size(); i-- > 0 && together % size;) {
    unsigned d = loops[i];
    for (size_t r = 0; r < strides.size(); ++r)
      if (AffineExpr at = map.getResult(unsigned(r)); at.isFunctionOfDim(d)) {
        bool follows =
            strides[r] == together && !isWithin[r] && at == getAffineDimExpr(d, op.getContext());
        if (!follows || (ShapedType::isDynamic(extents[d]) && !isOpen))
          return false;
        isWithin[r] = true;
      }
    together *= ShapedType::isDynamic(extents[d]) ? size : extents[d];
  }
  return together % size == 0 && llvm::is_contained(isWithin, true) &&
         llvm::all_of(llvm::zip_equal(strides, isWithin), [&](auto of) {
           auto [stride, within] = of;
           return within || ShapedType::isDynamic(stride) || stride % size == 0;
         });
}

SmallVector<Value> ptc::cuda::stridesOf(ImplicitLocOpBuilder &b, Value memory) {
  SmallVector<int64_t> known;
  int64_t offset = 0;
  (void)cast<MemRefType>(memory.getType()).getStridesAndOffset(known, offset);
  ValueRange open;
  if (llvm::any_of(known, ShapedType::isDynamic))
    open = memref::ExtractStridedMetadataOp::create(b, memory).getStrides();
  SmallVector<Value> strides;
  for (auto [d, stride] : llvm::enumerate(known))
    strides.push_back(
        ShapedType::isDynamic(stride) ? open[d] : Value(arith::ConstantIndexOp::create(b, stride)));
  return strides;
}

Value ptc::cuda::addressOf(ImplicitLocOpBuilder &b, Value memory, ValueRange place, Value isThere) {
  auto constant = [&](int64_t v) -> Value { return arith::ConstantIndexOp::create(b, v); };
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  (void)type.getStridesAndOffset(strides, offset);
  Value at = constant(offset);
  for (auto [stride, index] : llvm::zip_equal(stridesOf(b, memory), place))
    at = arith::AddIOp::create(b, at, Value(arith::MulIOp::create(b, index, stride)));
  at = arith::MulIOp::create(b, at, constant(type.getElementTypeBitWidth() / 8));
  if (isThere)
    at = arith::SelectOp::create(b, isThere, at, constant(0));
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, memory);
  return arith::AddIOp::create(b, base, at);
}

Value ptc::cuda::pointerTo(ImplicitLocOpBuilder &b, Value memory, ValueRange place, Value isThere) {
  Value at = addressOf(b, memory, place, isThere);
  Value address = arith::IndexCastOp::create(b, b.getI64Type(), at);
  auto generic = LLVM::LLVMPointerType::get(b.getContext());
  auto global = LLVM::LLVMPointerType::get(b.getContext(), unsigned(NVVM::NVVMMemorySpace::Global));
  return LLVM::AddrSpaceCastOp::create(b, global,
                                       Value(LLVM::IntToPtrOp::create(b, generic, address)));
}

Value ptc::cuda::areAligned(ImplicitLocOpBuilder &b, ArrayRef<Value> memories) {
  Value bits;
  auto ask = [&](Value v) { bits = bits ? Value(arith::OrIOp::create(b, bits, v)) : v; };
  for (Value memory : memories) {
    ask(memref::ExtractAlignedPointerAsIndexOp::create(b, memory));
    auto type = cast<MemRefType>(memory.getType());
    Value bytes = arith::ConstantIndexOp::create(b, type.getElementTypeBitWidth() / 8);
    for (Value stride : stridesOf(b, memory))
      if (!stride.getDefiningOp<arith::ConstantIndexOp>())
        ask(arith::MulIOp::create(b, stride, bytes));
  }
  Value wide = arith::ConstantIndexOp::create(b, kWideAccess);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                               Value(arith::RemUIOp::create(b, bits, wide)),
                               Value(arith::ConstantIndexOp::create(b, 0)));
}

int64_t ptc::cuda::groupFor(ArrayRef<Value> memories) {
  int64_t narrowest = 8 * kWideAccess;
  for (Value memory : memories)
    if (auto type = dyn_cast<MemRefType>(memory.getType()))
      if (int64_t bits = type.getElementTypeBitWidth(); bits >= 16)
        narrowest = std::min(narrowest, bits);
  return 8 * kWideAccess / narrowest;
}

SmallVector<Value> ptc::cuda::loadGroup(ImplicitLocOpBuilder &b, Value memory, AffineMap map,
                                        ArrayRef<SmallVector<Value>> indices, bool isWide) {
  SmallVector<Value> values;
  if (!isWide) {
    for (ArrayRef<Value> at : indices)
      values.push_back(memref::LoadOp::create(b, memory, placeOf(b, map, at)));
    return values;
  }
  auto element = cast<MemRefType>(memory.getType()).getElementType();
  auto type = VectorType::get(int64_t(indices.size()), element);
  Value group = LLVM::LoadOp::create(
      b, type, pointerTo(b, memory, placeOf(b, map, indices.front())), unsigned(kWideAccess));
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    values.push_back(vector::ExtractOp::create(b, group, ArrayRef<int64_t>{i}));
  return values;
}

void ptc::cuda::storeGroup(ImplicitLocOpBuilder &b, ArrayRef<Value> values, Value memory,
                           AffineMap map, ArrayRef<SmallVector<Value>> indices, bool isWide) {
  if (!isWide) {
    for (auto [value, at] : llvm::zip_equal(values, indices))
      memref::StoreOp::create(b, value, memory, placeOf(b, map, at));
    return;
  }
  auto type = VectorType::get(int64_t(values.size()), values.front().getType());
  Value group = vector::FromElementsOp::create(b, type, values);
  LLVM::StoreOp::create(b, group, pointerTo(b, memory, placeOf(b, map, indices.front())),
                        unsigned(kWideAccess));
}

static Value special(ImplicitLocOpBuilder &b, Value read) {
  return arith::IndexCastUIOp::create(b, b.getIndexType(), read);
}
Value ptc::cuda::blockNumber(ImplicitLocOpBuilder &b) {
  return special(b, NVVM::BlockIdXOp::create(b, b.getI32Type()));
}
Value ptc::cuda::numBlocks(ImplicitLocOpBuilder &b) {
  return special(b, NVVM::GridDimXOp::create(b, b.getI32Type()));
}
Value ptc::cuda::threadOfBlock(ImplicitLocOpBuilder &b) {
  return special(b, NVVM::ThreadIdXOp::create(b, b.getI32Type()));
}
Value ptc::cuda::threadsOfBlock(ImplicitLocOpBuilder &b) {
  return special(b, NVVM::BlockDimXOp::create(b, b.getI32Type()));
}

Value ptc::cuda::sharedMemory(ImplicitLocOpBuilder &b, StringRef name, Type element,
                              ArrayRef<int64_t> sizes) {
  auto type = MemRefType::get(sizes, element, AffineMap(),
                              b.getI64IntegerAttr(int64_t(NVVM::NVVMMemorySpace::Shared)));
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string symbol;
  llvm::raw_string_ostream os(symbol);
  os << "ptc_" << name << "_" << element;
  llvm::interleave(sizes, os, "x");
  if (!module.lookupSymbol(symbol)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    memref::GlobalOp::create(b, symbol, b.getStringAttr("private"), type, b.getUnitAttr(), false,
                             b.getI64IntegerAttr(kWideAccess));
  }
  return memref::GetGlobalOp::create(b, type, symbol);
}

void ptc::cuda::awaitKernelsBefore(ImplicitLocOpBuilder &b) {
  NVVM::GriddepcontrolOp::create(b, NVVM::GridDepActionKind::launch_dependents);
  NVVM::GriddepcontrolOp::create(b, NVVM::GridDepActionKind::wait);
}

Value ptc::cuda::dynamicSharedMemory(ImplicitLocOpBuilder &b) {
  static constexpr llvm::StringLiteral symbol = "ptc_shared";
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto space = unsigned(NVVM::NVVMMemorySpace::Shared);
  if (!module.lookupSymbol(symbol)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), 0), /*isConstant=*/false,
                           LLVM::Linkage::External, symbol, Attribute(), /*alignment=*/1024, space);
  }
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), space);
  return LLVM::AddressOfOp::create(b, pointer, symbol);
}

SmallVector<Value> ptc::cuda::cloneBody(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
                                        ArrayRef<Value> indices, IRMapping &mapping) {
  Block *body = op.getBlock();
  for (Operation &inner : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), indices[index.getDim()]);
      continue;
    }
    Operation *copy = b.clone(inner, mapping);
    copy->walk([&](linalg::IndexOp index) {
      index.getResult().replaceAllUsesWith(indices[index.getDim()]);
      index.erase();
    });
  }
  SmallVector<Value> made;
  for (Value yielded : body->getTerminator()->getOperands())
    made.push_back(mapping.lookupOrDefault(yielded));
  return made;
}
