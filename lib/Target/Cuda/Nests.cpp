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

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

SmallVector<Value> ptc::cuda::loopSizes(ImplicitLocOpBuilder &b, linalg::LinalgOp op) {
  SmallVector<Value> sizes;
  for (const Range &range : op.createLoopRanges(b, b.getLoc()))
    sizes.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size));
  return sizes;
}

void ptc::cuda::takeApart(ImplicitLocOpBuilder &b, Value number, ArrayRef<unsigned> loops,
                          ArrayRef<Value> sizes, MutableArrayRef<Value> indices) {
  for (unsigned d : llvm::reverse(loops)) {
    bool isLast = d == loops.front();
    indices[d] = isLast ? number : Value(arith::RemUIOp::create(b, number, sizes[d]));
    if (!isLast)
      number = arith::DivUIOp::create(b, number, sizes[d]);
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
