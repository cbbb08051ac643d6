//===- HostMemory.cpp - Elements of tensors, wherever they lie --------------------------------===//
//
// In: addresses of tensors. Out: code that reads, writes and copies elements: itself where they lie
// in its memory; where they lie on a device, by services and small kernels.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

static LLVM::LLVMPointerType pointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

Type ptc::cpu::memoryType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  if (element.isInteger())
    return IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
  if (auto pair = dyn_cast<ComplexType>(element)) // is moved, and not computed with
    return IntegerType::get(element.getContext(),
                            2 * pair.getElementType().getIntOrFloatBitWidth());
  return element;
}

Value Host::readElement(Type type, Value at) {
  if (!program.onDevice)
    return LLVM::LoadOp::create(b, type, at);
  Value here = stackSlot(8);
  returnIfFailed(callService(offsetof(ptc_services, read), b.getI32Type(),
                             {frame, here, at, i64(type.getIntOrFloatBitWidth() / 8)})
                     .getResult());
  return LLVM::LoadOp::create(b, type, here);
}

/// On a device by a kernel, so that it comes in order.
void Host::writeElement(Value value, Value at) {
  if (!program.onDevice) {
    LLVM::StoreOp::create(b, value, at);
    return;
  }
  Type bits = b.getIntegerType(value.getType().getIntOrFloatBitWidth());
  if (value.getType() != bits)
    value = LLVM::BitcastOp::create(b, bits, value);
  if (bits != b.getI64Type())
    value = LLVM::ZExtOp::create(b, b.getI64Type(), value);
  func::FuncOp function = program.kernels.storeFor(bits);
  func::CallOp::create(b, function, ValueRange{at, scratch, value});
}

void Host::copy(Value from, const Geometry &fromShape, Value to, const Geometry &toShape,
                Type element) {
  if (program.onDevice) {
    SmallVector<Value> arguments = {from, to, scratch};
    func::FuncOp function =
        program.kernels.copyFor(memoryType(element), fromShape, toShape, arguments);
    func::CallOp::create(b, function, arguments);
    return;
  }
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> index;
  OpBuilder::InsertionGuard guard(b);
  for (OpFoldResult size : toShape.sizes) {
    Value count = arith::IndexCastOp::create(b, b.getIndexType(), asValue(size));
    auto loop = scf::ForOp::create(b, zero, count, one);
    b.setInsertionPointToStart(loop.getBody());
    index.push_back(arith::IndexCastOp::create(b, b.getI64Type(), loop.getInductionVar()));
  }
  auto elementAt = [&](Value base, const Geometry &shape) {
    Value offset = arith::ConstantIntOp::create(b, 0, 64);
    for (auto [i, stride] : llvm::zip_equal(index, shape.strides))
      offset =
          b.createOrFold<arith::AddIOp>(offset, b.createOrFold<arith::MulIOp>(i, asValue(stride)));
    return LLVM::GEPOp::create(b, pointerType(b.getContext()), memoryType(element), base,
                               ArrayRef<LLVM::GEPArg>(offset));
  };
  Value value = LLVM::LoadOp::create(b, memoryType(element), elementAt(from, fromShape));
  LLVM::StoreOp::create(b, value, elementAt(to, toShape));
}

/// Between tensors of one type.
llvm::Error Host::copy(Value from, Value to, Type tensor, Operation *op) {
  auto type = cast<RankedTensorType>(tensor);
  auto meta = dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  if (!meta || !meta.getStrides()) {
    llvm::Expected<Value> bytes = byteCount(tensor, op);
    if (!bytes)
      return bytes.takeError();
    if (!program.onDevice) {
      LLVM::MemmoveOp::create(b, to, from, *bytes, /*isVolatile=*/false);
      return llvm::Error::success();
    }
    Value width = i64((memoryType(type.getElementType()).getIntOrFloatBitWidth() + 7) / 8);
    Geometry line{{Value(LLVM::UDivOp::create(b, *bytes, width))}, {b.getI64IntegerAttr(1)}};
    copy(from, line, to, line, type.getElementType());
    return llvm::Error::success();
  }
  llvm::Expected<Geometry> shape = geometryOf(tensor, op);
  if (!shape)
    return shape.takeError();
  copy(from, *shape, to, *shape, type.getElementType());
  return llvm::Error::success();
}
