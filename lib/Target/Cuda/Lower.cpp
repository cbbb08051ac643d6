//===- Lower.cpp - Device functions become the llvm dialect ----------------------------------===//
//
// In: functions on scf, memref, arith and math. Out: the llvm dialect; functions of libm are those
// of libdevice.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "ptc/Runtime/Frame.h"
#include "ptc/Support/Error.h"
#include "ptc/Target/Cpu/Lowering.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

/// The function of libdevice for an operation, without the `f` of single precision; empty: LLVM has
/// an instruction for it. LLVM's remainder on a GPU is x - trunc(x / y) * y, rounded twice: wrong
/// by a multiple of y where the quotient is.
static StringRef libdeviceName(Operation *op) {
  static const llvm::StringMap<StringRef> names = {
      {"math.exp", "exp"},     {"math.exp2", "exp2"},   {"math.expm1", "expm1"},
      {"math.log", "log"},     {"math.log2", "log2"},   {"math.log10", "log10"},
      {"math.log1p", "log1p"}, {"math.sin", "sin"},     {"math.cos", "cos"},
      {"math.tan", "tan"},     {"math.asin", "asin"},   {"math.acos", "acos"},
      {"math.atan", "atan"},   {"math.sinh", "sinh"},   {"math.cosh", "cosh"},
      {"math.tanh", "tanh"},   {"math.asinh", "asinh"}, {"math.acosh", "acosh"},
      {"math.atanh", "atanh"}, {"math.atan2", "atan2"}, {"math.powf", "pow"},
      {"math.erf", "erf"},     {"math.erfc", "erfc"},   {"math.cbrt", "cbrt"},
      {"math.rsqrt", "rsqrt"}, {"arith.remf", "fmod"}};
  return names.lookup(op->getName().getStringRef());
}

/// Calls libdevice, in single precision for narrower types.
static void callLibdevice(ModuleOp device, Operation *op, StringRef name) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Type type = op->getResult(0).getType();
  Type computed = type.isF64() ? type : b.getF32Type();
  std::string symbol = ("__nv_" + name + (type.isF64() ? "" : "f")).str();
  auto function = device.lookupSymbol<func::FuncOp>(symbol);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(device.getBody());
    SmallVector<Type> types(op->getNumOperands(), computed);
    function = func::FuncOp::create(b, symbol, b.getFunctionType(types, computed));
    function.setPrivate();
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(type == computed ? operand
                                        : Value(arith::ExtFOp::create(b, computed, operand)));
  Value result = func::CallOp::create(b, function, operands).getResult(0);
  if (type != computed)
    result = arith::TruncFOp::create(b, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

llvm::Error ptc::cuda::lowerToNvvm(ModuleOp device) {
  SmallVector<std::pair<Operation *, StringRef>> functions;
  device.walk([&](Operation *op) {
    if (StringRef name = libdeviceName(op); !name.empty())
      functions.emplace_back(op, name);
  });
  for (auto [op, name] : functions)
    callLibdevice(device, op, name);
  PassManager passes(device.getContext());
  passes.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  passes.addPass(createExactCanonicalizer());
  passes.addPass(createCSEPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertNVVMToLLVMPass());
  addLastPasses(passes);
  if (failed(passes.run(device)))
    return makeError(DiagId::InternalError, {}, "code of the device does not become llvm");
  device.walk([](LLVM::LLVMFuncOp function) {
    if (auto resident = dyn_cast_or_null<DenseI32ArrayAttr>(function->removeAttr(kResidentAttr))) {
      OpBuilder b(function.getContext());
      function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                        b.getDenseI32ArrayAttr(resident.asArrayRef().take_front()));
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        b.getI32IntegerAttr(resident.asArrayRef().back()));
    }
    if (auto blocks = dyn_cast_or_null<IntegerAttr>(function->removeAttr(kClusterAttr)))
      function->setAttr(
          NVVM::NVVMDialect::getClusterDimAttrName(),
          OpBuilder(function.getContext()).getDenseI32ArrayAttr({int32_t(blocks.getInt()), 1, 1}));
    if (auto maps = dyn_cast_or_null<IntegerAttr>(function->removeAttr(kMapsAttr))) {
      OpBuilder b(function.getContext());
      auto bytes = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                    LLVM::LLVMArrayType::get(b.getI8Type(), 128));
      for (unsigned i = 0, end = function.getNumArguments(); i < unsigned(maps.getInt()); ++i) {
        unsigned arg = end - 1 - i;
        function.setArgAttr(arg, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
        function.setArgAttr(arg, LLVM::LLVMDialect::getAlignAttrName(),
                            b.getI64IntegerAttr(PTC_ALIGNMENT));
        function.setArgAttr(arg, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
      }
    }
    function->removeAttr(kTf32Attr);
    if (function->removeAttr(kKernelAttr))
      function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                        UnitAttr::get(function.getContext()));
  });
  return llvm::Error::success();
}
