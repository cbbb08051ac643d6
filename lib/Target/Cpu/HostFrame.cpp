//===- HostFrame.cpp - Fields of the frame, services, exits -----------------------------===//
//
// In: offsets of Runtime/Frame.h. Out: loads, stores and calls at these offsets; ways out of the
// function.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

static_assert(sizeof(ptc_value) == 24 && offsetof(ptc_value, as) == 8 && sizeof(ptc_site) == 32 &&
                  sizeof(ptc_shape) == 32 && sizeof(ptc_text_part) == 40,
              "the frame of x86-64");

static LLVM::LLVMPointerType pointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

Value Host::i64(int64_t v) { return LLVM::ConstantOp::create(b, b.getI64Type(), v); }
Value Host::i32(int64_t v) {
  return LLVM::ConstantOp::create(b, b.getI32Type(), b.getI32IntegerAttr(int32_t(v)));
}

Value Host::offsetBy(Value base, uint64_t offset) {
  if (!offset)
    return base;
  return offsetBy(base, i64(int64_t(offset)));
}

Value Host::offsetBy(Value base, Value bytes) {
  return LLVM::GEPOp::create(b, pointerType(b.getContext()), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>(bytes));
}

Value Host::load(Type type, Value base, uint64_t offset) {
  return LLVM::LoadOp::create(b, type, offsetBy(base, offset));
}

void Host::store(Value v, Value base, uint64_t offset) {
  LLVM::StoreOp::create(b, v, offsetBy(base, offset));
}

LLVM::CallOp Host::callService(uint64_t offset, Type result, ValueRange args) {
  auto pointer = pointerType(b.getContext());
  SmallVector<Type> types;
  SmallVector<Value> operands{load(pointer, services, offset)};
  for (Value arg : args) {
    types.push_back(arg.getType());
    operands.push_back(arg);
  }
  Type returned = result ? result : Type(LLVM::LLVMVoidType::get(b.getContext()));
  return LLVM::CallOp::create(b, LLVM::LLVMFunctionType::get(returned, types), operands);
}

void Host::returnIfDeviceFailed() {
  if (program.onDevice)
    returnIfFailed(
        callService(offsetof(ptc_services, frame_status), b.getI32Type(), {frame}).getResult());
}

/// Memory of the function's own frame, made where it begins.
Value Host::stackSlot(uint64_t bytes) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(b, pointerType(b.getContext()), b.getI8Type(), i64(int64_t(bytes)),
                                /*alignment=*/16);
}

Value Host::siteAt(Location where, StringRef type, StringRef text) {
  SourceLoc loc = sourceLocOf(where);
  auto pointer = pointerType(b.getContext());
  auto layout =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer, pointer, pointer, b.getI32Type()});
  return program.constant(b, layout, "site", [&](Builder &at) {
    Value row = LLVM::PoisonOp::create(at, layout);
    Value fields[] = {program.text(at, type), program.text(at, text), program.text(at, loc.file),
                      LLVM::ConstantOp::create(at, at.getI32Type(), int64_t(loc.line))};
    for (auto [i, field] : llvm::enumerate(fields))
      row = LLVM::InsertValueOp::create(at, row, field, int64_t(i));
    return row;
  });
}

void Host::failIf(Value condition, Operation *op, ptc_status status, StringRef type,
                  StringRef text) {
  Block *bad = newBlock(), *good = newBlock();
  cf::CondBranchOp::create(b, condition, bad, ValueRange(), good, ValueRange());
  b.setInsertionPointToEnd(bad);
  auto call = callService(offsetof(ptc_services, fail), b.getI32Type(),
                          {frame, i32(status), siteAt(op->getLoc(), type, text)});
  func::ReturnOp::create(b, call.getResult());
  b.setInsertionPointToEnd(good);
}

void Host::returnIfNull(Value pointer) {
  Value null = LLVM::ZeroOp::create(b, pointer.getType());
  Value isNull = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, pointer, null);
  Block *bad = newBlock(), *good = newBlock();
  cf::CondBranchOp::create(b, isNull, bad, ValueRange(), good, ValueRange());
  b.setInsertionPointToEnd(bad);
  auto call = callService(offsetof(ptc_services, frame_status), b.getI32Type(), {frame});
  func::ReturnOp::create(b, call.getResult());
  b.setInsertionPointToEnd(good);
}

void Host::returnIfFailed(Value status) {
  Value isBad = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, status, i32(ptc_status_ok));
  Block *bad = newBlock(), *good = newBlock();
  cf::CondBranchOp::create(b, isBad, bad, ValueRange(), good, ValueRange());
  b.setInsertionPointToEnd(bad);
  func::ReturnOp::create(b, status);
  b.setInsertionPointToEnd(good);
}

//===----------------------------------------------------------------------===//
// Constants of the object
//===----------------------------------------------------------------------===//

ProgramBuilder::ProgramBuilder(ModuleOp source, ProgramCode &code, plan::CostModel cost,
                               bool onDevice)
    : source(source), code(code), kernels(*code.module, std::move(cost)), onDevice(onDevice) {
  auto entry = *source.getOps<program::EntryOp>().begin();
  for (auto [i, state] : llvm::enumerate(entry.getBody().getOps<program::StateOp>()))
    slots.try_emplace(state.getSymName(), unsigned(i));
}

Value ProgramBuilder::address(ImplicitLocOpBuilder &b, StringRef symbol) {
  return LLVM::AddressOfOp::create(b, pointerType(b.getContext()), symbol);
}

Value ProgramBuilder::constant(ImplicitLocOpBuilder &b, Type type, StringRef name,
                               llvm::function_ref<Value(ImplicitLocOpBuilder &)> init) {
  std::string symbol = ("ptc_" + name + "_" + Twine(numConstants++)).str();
  ImplicitLocOpBuilder at(unknownLoc(b.getContext()), b.getContext());
  at.setInsertionPointToStart(code.module->getBody());
  auto global = LLVM::GlobalOp::create(at, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                       symbol, Attribute());
  at.setInsertionPointToEnd(&global.getInitializerRegion().emplaceBlock());
  Value value = init(at);
  LLVM::ReturnOp::create(at, value);
  return address(b, symbol);
}

Value ProgramBuilder::text(ImplicitLocOpBuilder &b, StringRef text) {
  std::string &symbol = texts[text];
  if (symbol.empty()) {
    symbol = "ptc_text_" + std::to_string(texts.size());
    std::string bytes = text.str();
    bytes.push_back('\0');
    OpBuilder at(b.getContext());
    at.setInsertionPointToStart(code.module->getBody());
    LLVM::GlobalOp::create(at, unknownLoc(b.getContext()),
                           LLVM::LLVMArrayType::get(b.getI8Type(), unsigned(bytes.size())),
                           /*isConstant=*/true, LLVM::Linkage::Internal, symbol,
                           StringAttr::get(b.getContext(), bytes));
  }
  return address(b, symbol);
}

Value ProgramBuilder::int64Array(ImplicitLocOpBuilder &b, ArrayRef<int64_t> values) {
  std::string key;
  for (int64_t value : values)
    key += std::to_string(value) + ",";
  std::string &symbol = arrays[key];
  if (symbol.empty()) {
    symbol = "ptc_numbers_" + std::to_string(arrays.size());
    OpBuilder at(b.getContext());
    at.setInsertionPointToStart(code.module->getBody());
    auto data = DenseElementsAttr::get(
        RankedTensorType::get({int64_t(values.size())}, b.getI64Type()), values);
    LLVM::GlobalOp::create(at, unknownLoc(b.getContext()),
                           LLVM::LLVMArrayType::get(b.getI64Type(), unsigned(values.size())),
                           /*isConstant=*/true, LLVM::Linkage::Internal, symbol, data);
  }
  return address(b, symbol);
}

Value ProgramBuilder::bytes(ImplicitLocOpBuilder &b, ArrayRef<char> bytes) {
  std::string symbol = "ptc_literal_" + std::to_string(numConstants++);
  OpBuilder at(b.getContext());
  at.setInsertionPointToStart(code.module->getBody());
  auto data = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(bytes.size())}, b.getI8Type()),
      ArrayRef(reinterpret_cast<const int8_t *>(bytes.data()), bytes.size()));
  LLVM::GlobalOp::create(at, unknownLoc(b.getContext()),
                         LLVM::LLVMArrayType::get(b.getI8Type(), unsigned(bytes.size())),
                         /*isConstant=*/true, LLVM::Linkage::Internal, symbol, data,
                         /*alignment=*/64);
  return address(b, symbol);
}

std::optional<unsigned> ProgramBuilder::slotOf(StringRef symbol) {
  auto found = slots.find(symbol);
  return found == slots.end() ? std::nullopt : std::optional(found->second);
}
