//===- Lowering.cpp - What kernels of CPUs and GPUs have in common ---------------------------===//
//
// In: allocations of kernels, a pipeline. Out: descriptors of memory that lies elsewhere; the
// passes from memrefs to the llvm dialect.
//
//===----------------------------------------------------------------------===//
#include "ptc/Target/Cpu/Lowering.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

std::unique_ptr<Pass> ptc::createExactCanonicalizer() {
  static const std::string kRoundsOnce[] = {"(anonymous namespace)::TruncFSIToFPToSIToFP",
                                            "(anonymous namespace)::TruncFUIToFPToUIToFP"};
  // Blocks that are alike are LLVM's business: finding them here takes the square of their number.
  return createCanonicalizerPass(
      GreedyRewriteConfig().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal),
      kRoundsOnce);
}

void ptc::addLastPasses(PassManager &passes) {
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createUBToLLVMConversionPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
}

static Value number(ImplicitLocOpBuilder &b, int64_t v) {
  return arith::ConstantIntOp::create(b, v, 64);
}

SmallVector<Value> ptc::sizesOf(ImplicitLocOpBuilder &b, memref::AllocOp alloc) {
  SmallVector<Value> sizes;
  for (OpFoldResult size : alloc.getMixedSizes())
    sizes.push_back(isa<Value>(size)
                        ? Value(arith::IndexCastOp::create(b, b.getI64Type(), cast<Value>(size)))
                        : number(b, cast<IntegerAttr>(cast<Attribute>(size)).getInt()));
  return sizes;
}

Value ptc::describeMemory(ImplicitLocOpBuilder &b, memref::AllocOp alloc, Value at) {
  LLVMTypeConverter converter(b.getContext());
  auto descriptor = MemRefDescriptor::poison(b, b.getLoc(), converter.convertType(alloc.getType()));
  descriptor.setAllocatedPtr(b, b.getLoc(), at);
  descriptor.setAlignedPtr(b, b.getLoc(), at);
  descriptor.setConstantOffset(b, b.getLoc(), 0);
  SmallVector<Value> sizes = sizesOf(b, alloc);
  Value stride = number(b, 1);
  for (size_t d = sizes.size(); d-- > 0;) {
    descriptor.setSize(b, b.getLoc(), unsigned(d), sizes[d]);
    descriptor.setStride(b, b.getLoc(), unsigned(d), stride);
    stride = arith::MulIOp::create(b, stride, sizes[d]);
  }
  return UnrealizedConversionCastOp::create(b, alloc.getType(), Value(descriptor)).getResult(0);
}

/// What the builder of a kernel's function puts together: a descriptor with the argument as its
/// aligned pointer, seen as a memref, cast or reshaped.
BlockArgument ptc::memoryOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(op)) {
      memref = op->getOperand(0);
      continue;
    }
    if (!isa<UnrealizedConversionCastOp>(op))
      return {};
    constexpr int64_t kAligned = 1;
    Value descriptor = op->getOperand(0);
    while (auto insert = descriptor.getDefiningOp<LLVM::InsertValueOp>()) {
      if (insert.getPosition() == ArrayRef<int64_t>{kAligned})
        return dyn_cast<BlockArgument>(insert.getValue());
      descriptor = insert.getContainer();
    }
    return {};
  }
  return {};
}
