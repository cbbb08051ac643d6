//===- Weights.cpp - Where weights lie, and how -------------------------------------------===//
//
// In: host functions that give kernels the addresses of weights, as offsets that are not known yet;
// kernels that want some of them packed. Out: the offsets, and the rows of the weights that are
// read: plain, packed, or both.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "ptc/Runtime/Frame.h"
#include "ptc/Target/Cpu/Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

/// Of the constant that is a weight's offset: its name, its dtype, its bytes, its format.
static constexpr llvm::StringLiteral kName = "ptc.name", kType = "ptc.dtype", kBytes = "ptc.bytes",
                                     kLiteral = "ptc.literal";

Value ptc::cpu::weightOffset(ImplicitLocOpBuilder &b, const WeightRow &row) {
  auto offset = LLVM::ConstantOp::create(b, b.getI64Type(), 0);
  offset->setAttr(kName, b.getStringAttr(row.name));
  offset->setAttr(kType, b.getI64IntegerAttr(int64_t(row.dtype)));
  offset->setAttr(kBytes, b.getI64IntegerAttr(int64_t(row.bytes)));
  if (!row.literal.empty())
    offset->setAttr(kLiteral, b.getStringAttr(row.literal));
  return offset;
}

/// The constant that is the offset of the weight at this address; null: there is none.
static LLVM::ConstantOp offsetOf(Value address) {
  auto at = address.getDefiningOp<LLVM::GEPOp>();
  if (!at || at.getDynamicIndices().empty())
    return {};
  auto offset = at.getDynamicIndices().front().getDefiningOp<LLVM::ConstantOp>();
  return offset && offset->hasAttr(kName) ? offset : LLVM::ConstantOp();
}

StringRef ptc::cpu::weightOf(Value address) {
  LLVM::ConstantOp offset = offsetOf(address);
  return offset ? offset->getAttrOfType<StringAttr>(kName).getValue() : StringRef();
}

/// A call gets the packed weight where its kernel says so.
static void choosePacked(const SymbolTable &symbols, func::CallOp call) {
  auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
  for (unsigned i = 0; kernel && i < call.getNumOperands(); ++i) {
    auto format = kernel.getArgAttrOfType<DenseI64ArrayAttr>(i, kPackAttr);
    if (!format)
      continue;
    auto address = call.getOperand(i).getDefiningOp<LLVM::GEPOp>();
    LLVM::ConstantOp offset = offsetOf(address);
    OpBuilder b(call);
    Operation *packed = b.clone(*offset);
    packed->setAttr(kPackAttr, format);
    IRMapping mapping;
    mapping.map(offset.getResult(), packed->getResult(0));
    call.setOperand(i, b.clone(*address, mapping)->getResult(0));
  }
}

void ptc::cpu::placeWeights(ModuleOp code, ProgramCode &program) {
  SymbolTable symbols(code);
  code.walk([&](func::CallOp call) { choosePacked(symbols, call); });
  SmallVector<LLVM::ConstantOp> offsets;
  code.walk([&](LLVM::ConstantOp constant) {
    if (constant->hasAttr(kName))
      offsets.push_back(constant);
  });
  std::map<std::pair<StringRef, std::vector<int64_t>>, uint64_t> places;
  for (LLVM::ConstantOp offset : offsets) {
    bool isRead = llvm::any_of(offset->getUsers(), [](Operation *op) { return !op->use_empty(); });
    if (!isRead)
      continue;
    WeightRow row{offset->getAttrOfType<StringAttr>(kName).str(),
                  DType(offset->getAttrOfType<IntegerAttr>(kType).getInt()),
                  program.weightBytes,
                  uint64_t(offset->getAttrOfType<IntegerAttr>(kBytes).getInt()),
                  std::nullopt,
                  ""};
    if (auto literal = offset->getAttrOfType<StringAttr>(kLiteral))
      row.literal = literal.str();
    std::vector<int64_t> numbers;
    if (auto format = offset->getAttrOfType<DenseI64ArrayAttr>(kPackAttr)) {
      numbers = format.asArrayRef().vec();
      row.format = *PackFormat::fromNumbers(numbers);
      row.bytes = uint64_t(row.format->numElements()) * getDTypeInfo(row.dtype).bytes;
    }
    auto [found, isNew] = places.try_emplace(
        {offset->getAttrOfType<StringAttr>(kName).getValue(), numbers}, row.offset);
    if (isNew) {
      program.weightBytes = llvm::alignTo(row.offset + row.bytes, PTC_ALIGNMENT);
      program.weights.push_back(std::move(row));
    }
    offset.setValueAttr(Builder(offset.getContext()).getI64IntegerAttr(int64_t(found->second)));
  }
  for (LLVM::ConstantOp offset : offsets)
    for (StringRef attr : {StringRef(kName), StringRef(kType), StringRef(kBytes),
                           StringRef(kPackAttr), StringRef(kLiteral)})
      offset->removeAttr(attr);
}
