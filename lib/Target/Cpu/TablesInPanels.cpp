//===- TablesInPanels.cpp - Rows picked out of the panels of a product
//-------------------------===//
//
// In: kernels on buffers that pick rows of a weight, as an embedding does, and calls that give them
// one which a product wants in panels (tied embeddings). Out: calls of kernels that pick the rows
// out of the panels, so that the weight lies there once.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "ptc/Target/Cpu/Lowering.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

/// The memref that is all that is seen of the table `number`, and all of whose readers take single
/// elements; null: it is none.
static Value findTable(func::FuncOp function, unsigned number) {
  if (!function.getArgAttr(number, kWeightAttr))
    return {};
  Value table;
  function.walk([&](UnrealizedConversionCastOp cast) {
    if (cast.getNumResults() == 1 && isa<MemRefType>(cast.getResult(0).getType()) &&
        memoryOf(cast.getResult(0)) == function.getArgument(number))
      table = cast.getResult(0);
  });
  auto type = table ? cast<MemRefType>(table.getType()) : MemRefType();
  auto isPick = [](Operation *op) { return isa<memref::LoadOp>(op); };
  bool isTable = type && type.getRank() == 2 && type.hasStaticShape() && !table.use_empty() &&
                 llvm::all_of(table.getUsers(), isPick);
  return isTable ? table : Value();
}

/// Whether the rows of a table of this type are the columns of the panels.
static bool areColumns(MemRefType table, const PackFormat &format) {
  int64_t rows = table.getDimSize(0), row = table.getDimSize(1);
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  auto is = [](ArrayRef<PackFormat::Loop> loops, int64_t size, int64_t stride) {
    return loops.size() == 1 && loops[0].size == size && loops[0].stride == stride;
  };
  return succeeded(table.getStridesAndOffset(strides, offset)) &&
         ArrayRef(strides) == ArrayRef<int64_t>{row, 1} && is(format.columns, rows, row) &&
         is(format.sum, row, 1);
}

/// Reads `table` out of panels: element (i, k) is entry (i / width, k, i % width) of them.
static void readPanels(func::FuncOp function, unsigned number, Value table,
                       const PackFormat &format) {
  ImplicitLocOpBuilder b(table.getLoc(), table.getDefiningOp());
  int64_t row = format.sum[0].size, width = format.width;
  int64_t sizes[] = {int64_t(llvm::divideCeil(uint64_t(format.columns[0].size), uint64_t(width))),
                     width, row};
  int64_t strides[] = {row * width, 1, width};
  auto type = MemRefType::get(sizes, cast<MemRefType>(table.getType()).getElementType(),
                              StridedLayoutAttr::get(b.getContext(), 0, strides));
  LLVMTypeConverter converter(b.getContext());
  auto descriptor = MemRefDescriptor::fromStaticShape(b, b.getLoc(), converter, type,
                                                      function.getArgument(number));
  Value panels = UnrealizedConversionCastOp::create(b, type, Value(descriptor)).getResult(0);
  for (Operation *user : llvm::make_early_inc_range(table.getUsers())) {
    auto load = cast<memref::LoadOp>(user);
    b.setInsertionPoint(load);
    Value place = load.getIndices()[0], wide = arith::ConstantIndexOp::create(b, width);
    Value from[] = {arith::DivUIOp::create(b, place, wide), arith::RemUIOp::create(b, place, wide),
                    load.getIndices()[1]};
    load.replaceAllUsesWith(memref::LoadOp::create(b, panels, from).getResult());
    load.erase();
  }
  function.setArgAttr(number, kPackAttr, b.getDenseI64ArrayAttr(format.toNumbers()));
}

TablesInPanels::TablesInPanels(ModuleOp kernels) {
  for (auto function : kernels.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (findTable(function, i)) {
        pickers[function.getName()] = OwningOpRef<func::FuncOp>(function.clone());
        break;
      }
}

using Formats = SmallVector<DenseI64ArrayAttr, 1>;

/// In which panels the products read each weight, by its name.
static llvm::StringMap<Formats> findPanels(ModuleOp code, ModuleOp kernels) {
  llvm::StringMap<Formats> panels;
  SymbolTable symbols(kernels);
  code.walk([&](func::CallOp call) {
    auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
    for (unsigned i = 0; kernel && i < call.getNumOperands(); ++i)
      if (auto format = kernel.getArgAttrOfType<DenseI64ArrayAttr>(i, kPackAttr))
        panels[weightOf(call.getOperand(i))].push_back(format);
  });
  return panels;
}

SmallVector<func::FuncOp> TablesInPanels::redirect(ModuleOp code, ModuleOp kernels) {
  SmallVector<func::FuncOp> made;
  if (pickers.empty())
    return made;
  llvm::StringMap<Formats> panels = findPanels(code, kernels);
  /// The panels of the weight that a call gives as a table, if its rows are columns of some.
  auto formatFor = [&](func::FuncOp picker, func::CallOp call, unsigned i) -> DenseI64ArrayAttr {
    Value table = findTable(picker, i);
    auto found = panels.find(table ? weightOf(call.getOperand(i)) : StringRef());
    if (found == panels.end())
      return {};
    for (DenseI64ArrayAttr format : found->second)
      if (areColumns(cast<MemRefType>(table.getType()),
                     *PackFormat::fromNumbers(format.asArrayRef())))
        return format;
    return {};
  };
  Builder b(code.getContext());
  llvm::DenseMap<Attribute, func::FuncOp> known; // by picker and formats
  code.walk([&](func::CallOp call) {
    auto picker = pickers.find(call.getCallee());
    if (picker == pickers.end())
      return;
    func::FuncOp before = *picker->second;
    SmallVector<Attribute> key{before.getNameAttr()};
    for (unsigned i = 0; i < before.getNumArguments(); ++i)
      if (DenseI64ArrayAttr format = formatFor(before, call, i))
        key.append({b.getI64IntegerAttr(i), format});
    if (key.size() == 1)
      return;
    func::FuncOp &function = known[b.getArrayAttr(key)];
    if (!function) {
      function = before.clone();
      function.setName((before.getName() + "_" + Twine(made.size())).str());
      for (size_t k = 1; k < key.size(); k += 2) {
        auto number = unsigned(cast<IntegerAttr>(key[k]).getInt());
        auto format = cast<DenseI64ArrayAttr>(key[k + 1]).asArrayRef();
        readPanels(function, number, findTable(function, number), *PackFormat::fromNumbers(format));
      }
      kernels.push_back(function);
      made.push_back(function);
    }
    call.setCallee(function.getName());
  });
  return made;
}

void TablesInPanels::eraseUncalled(ModuleOp code, ModuleOp kernels) const {
  llvm::StringSet<> called;
  code.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
  for (const auto &picker : pickers)
    if (!called.contains(picker.first()))
      kernels.lookupSymbol<func::FuncOp>(picker.first()).erase();
}
