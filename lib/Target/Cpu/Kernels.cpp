//===- Kernels.cpp - Functions of kernels -------------------------------------------------===//
//
// In: kernels in value form, and how their operands and results lie. Out: functions on pointers;
// then loops on memrefs with scratch memory given by the caller; then the llvm dialect.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "Emitters/Emitters.h"
#include "Emitters/RowTiles.h"
#include "Emitters/Team.h"

#include "ptc/Dialect/Plan/IR/Recomputed.h"
#include "ptc/Support/Error.h"
#include "ptc/Target/Cpu/Lowering.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

void ptc::cpu::loadDialects(MLIRContext &context) {
  DialectRegistry registry;
  registry.insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                  cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect,
                  linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect, ub::UBDialect, vector::VectorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

namespace {

/// Builds functions on pointers to tensors that lie as `shapes` say.
class TensorFunction {
public:
  TensorFunction(Location loc, ArrayRef<Geometry> tensors)
      : shapes(tensors), b(loc, loc.getContext()), converter(loc.getContext()) {
    for (const Geometry &shape : shapes)
      for (ArrayRef<OpFoldResult> list : {ArrayRef(shape.sizes), ArrayRef(shape.strides)})
        for (OpFoldResult number : list)
          if (auto value = dyn_cast<Value>(number))
            dynamic.push_back(value);
  }

  SmallVector<Value> dynamic; ///< sizes and strides that are arguments

protected:
  /// The memref at pointer `index`, sizes and strides as its geometry says.
  Value memrefOf(Block &entry, unsigned index, RankedTensorType type) {
    auto numbers = [&](ArrayRef<OpFoldResult> list, SmallVectorImpl<int64_t> &known) {
      SmallVector<Value> values;
      for (OpFoldResult number : list) {
        std::optional<int64_t> constant = getConstantIntValue(number);
        bool isValue = isa<Value>(number);
        known.push_back(isValue ? ShapedType::kDynamic : *constant);
        values.push_back(isValue ? Value(entry.getArgument(nextNumber++))
                                 : LLVM::ConstantOp::create(b, b.getI64Type(), *constant));
      }
      return values;
    };
    SmallVector<int64_t> sizes, strides;
    SmallVector<Value> sizeValues = numbers(shapes[index].sizes, sizes);
    SmallVector<Value> strideValues = numbers(shapes[index].strides, strides);
    auto memref = MemRefType::get(sizes, type.getElementType(),
                                  StridedLayoutAttr::get(b.getContext(), 0, strides));
    auto descriptor = MemRefDescriptor::poison(b, b.getLoc(), converter.convertType(memref));
    descriptor.setAllocatedPtr(b, b.getLoc(), entry.getArgument(index));
    descriptor.setAlignedPtr(b, b.getLoc(), entry.getArgument(index));
    descriptor.setConstantOffset(b, b.getLoc(), 0);
    for (unsigned d = 0; d < sizes.size(); ++d) {
      descriptor.setSize(b, b.getLoc(), d, sizeValues[d]);
      descriptor.setStride(b, b.getLoc(), d, strideValues[d]);
    }
    Value held = UnrealizedConversionCastOp::create(b, memref, Value(descriptor)).getResult(0);
    // The region's own type may know less than the geometry.
    auto wanted = MemRefType::get(type.getShape(), type.getElementType(),
                                  StridedLayoutAttr::get(b.getContext(), 0, strides));
    return wanted == memref ? held : memref::CastOp::create(b, wanted, held);
  }

  SmallVector<Geometry> shapes;
  ImplicitLocOpBuilder b;
  LLVMTypeConverter converter;
  unsigned nextNumber = 0; ///< the argument that is the next size or stride
};

/// Builds the function of one kernel.
class KernelFunction : public TensorFunction {
public:
  KernelFunction(plan::KernelOp kernel, ArrayRef<Geometry> tensors)
      : TensorFunction(kernel.getLoc(), tensors), kernel(kernel) {}

  func::FuncOp build(ModuleOp code) {
    Block &body = kernel.getBody().front();
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    SmallVector<Type> types(shapes.size() + 1, pointer);
    types.append(dynamic.size(), b.getI64Type());
    for (Type type : body.getArgumentTypes())
      if (!isa<RankedTensorType>(type))
        types.push_back(type);
    b.setInsertionPointToEnd(code.getBody());
    auto function = func::FuncOp::create(b, "kernel", b.getFunctionType(types, {}));
    function.setPrivate();
    Block *entry = function.addEntryBlock();
    b.setInsertionPointToStart(entry);
    nextNumber = unsigned(shapes.size()) + 1;
    unsigned nextShape = 0, nextScalar = nextNumber + unsigned(dynamic.size());
    IRMapping mapping;
    for (BlockArgument arg : body.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(arg.getType());
      mapping.map(arg, type ? Value(bufferization::ToTensorOp::create(
                                  b, type, memrefOf(*entry, nextShape++, type), /*restrict=*/true))
                            : Value(entry->getArgument(nextScalar++)));
    }
    SmallVector<Value> memory;
    for (Value result : body.getTerminator()->getOperands())
      memory.push_back(memrefOf(*entry, nextShape++, cast<RankedTensorType>(result.getType())));
    findAssemblies(body, memory);
    for (Operation &op : body.without_terminator())
      cloneInto(op, mapping);
    for (auto [value, at] : llvm::zip_equal(body.getTerminator()->getOperands(), memory))
      if (!assembled.contains(value))
        store(mapping.lookupOrDefault(value), at);
    func::ReturnOp::create(b);
    function.walk([](Operation *op) { op->removeDiscardableAttr(plan::kRecomputedAttr); });
    return function;
  }

private:
  /// From this many parts on, a tensor that is put together of slices is written part by part into
  /// its memory: what the analysis of insertions into tensors costs grows with their fourth power.
  static constexpr size_t kManyParts = 8;

  /// Finds the tensors of many parts and their memory: a result's, or a temporary.
  void findAssemblies(Block &body, ArrayRef<Value> memory) {
    for (Operation &op : body) {
      auto last = dyn_cast<tensor::InsertSliceOp>(op);
      if (!last || (last->hasOneUse() && isa<tensor::InsertSliceOp>(*last->user_begin()) &&
                    last->use_begin()->getOperandNumber() == 1))
        continue;
      SmallVector<tensor::InsertSliceOp> chain{last};
      Value whole = last.getDest();
      while (auto before = whole.getDefiningOp<tensor::InsertSliceOp>()) {
        if (!whole.hasOneUse())
          break;
        chain.push_back(before);
        whole = before.getDest();
      }
      if (chain.size() < kManyParts || !whole.getDefiningOp<tensor::EmptyOp>())
        continue;
      Value at;
      bool isTemporary = false;
      for (OpOperand &use : last->getUses())
        if (use.getOwner() == body.getTerminator() && !at)
          at = memory[use.getOperandNumber()];
        else
          isTemporary = true;
      if (isTemporary && !last.getDestType().hasStaticShape())
        continue;
      if (isTemporary)
        at = memref::AllocOp::create(
            b, MemRefType::get(last.getDestType().getShape(), last.getDestType().getElementType()));
      else
        assembled.insert(last.getResult());
      IRMapping none;
      for (tensor::InsertSliceOp insert : chain) {
        // What computes a part may write it where it is to be, if the place is known before.
        bool isKnown =
            insert.getOffsets().empty() && insert.getSizes().empty() && insert.getStrides().empty();
        parts[insert] = {at, isKnown ? placeOf(insert, at, none) : Value(),
                         isTemporary && insert == last};
      }
    }
  }

  /// Where the slice lies in the memory of the whole.
  Value placeOf(tensor::InsertSliceOp insert, Value whole, IRMapping &mapping) {
    auto mapped = [&](ArrayRef<OpFoldResult> list) {
      return llvm::map_to_vector(list, [&](OpFoldResult number) {
        auto value = dyn_cast<Value>(number);
        return value ? OpFoldResult(mapping.lookupOrDefault(value)) : number;
      });
    };
    auto offsets = mapped(insert.getMixedOffsets()), sizes = mapped(insert.getMixedSizes()),
         strides = mapped(insert.getMixedStrides());
    MemRefType type = memref::SubViewOp::inferRankReducedResultType(
        insert.getSourceType().getShape(), cast<MemRefType>(whole.getType()), offsets, sizes,
        strides);
    return memref::SubViewOp::create(b, type, whole, offsets, sizes, strides);
  }

  void cloneInto(Operation &op, IRMapping &mapping) {
    auto found = parts.find(&op);
    if (found == parts.end()) {
      b.clone(op, mapping);
      return;
    }
    auto insert = cast<tensor::InsertSliceOp>(op);
    const Part &part = found->second;
    store(mapping.lookupOrDefault(insert.getSource()),
          part.place ? part.place : placeOf(insert, part.whole, mapping));
    if (part.completes)
      mapping.map(insert.getResult(), bufferization::ToTensorOp::create(
                                          b, insert.getType(), part.whole, /*restrict=*/true));
  }

  void store(Value value, Value at) {
    bufferization::MaterializeInDestinationOp::create(b, Type(), value, at, /*restrict=*/true,
                                                      /*writable=*/true);
  }

  plan::KernelOp kernel;
  struct Part {
    Value whole, place; ///< memory; the place is found where the part is written if there is none
    bool completes = false; ///< a tensor that is read in the kernel
  };
  DenseMap<Operation *, Part> parts; ///< of insertions
  DenseSet<Value> assembled;         ///< what needs no copy into its result: it was made there
};

/// Builds functions that copy.
class CopyFunction : public TensorFunction {
public:
  using TensorFunction::TensorFunction;

  func::FuncOp build(ModuleOp code, Type element) {
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    SmallVector<Type> types(3, pointer);
    types.append(dynamic.size(), b.getI64Type());
    b.setInsertionPointToEnd(code.getBody());
    auto function = func::FuncOp::create(b, "kernel", b.getFunctionType(types, {}));
    function.setPrivate();
    Block *entry = function.addEntryBlock();
    b.setInsertionPointToStart(entry);
    nextNumber = 3;
    Value memory[2];
    for (unsigned i = 0; i < 2; ++i) {
      SmallVector<int64_t> sizes;
      for (OpFoldResult size : shapes[i].sizes)
        sizes.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
      memory[i] = memrefOf(*entry, i, RankedTensorType::get(sizes, element));
    }
    linalg::CopyOp::create(b, ValueRange{memory[0]}, ValueRange{memory[1]});
    func::ReturnOp::create(b);
    return function;
  }
};

} // namespace

func::FuncOp KernelLibrary::functionFor(plan::KernelOp kernel, ArrayRef<Geometry> inputs,
                                        ArrayRef<Geometry> results, ArrayRef<bool> areWeights,
                                        SmallVectorImpl<Value> &dynamic) {
  SmallVector<Geometry> tensors(inputs);
  llvm::append_range(tensors, results);
  KernelFunction builder(kernel, tensors);
  dynamic.append(builder.dynamic.begin(), builder.dynamic.end());
  func::FuncOp function = builder.build(code);
  for (auto [i, isWeight] : llvm::enumerate(areWeights))
    if (isWeight)
      function.setArgAttr(unsigned(i), kWeightAttr, UnitAttr::get(code.getContext()));
  if (llvm::is_contained({plan::Family::Rows, plan::Family::Attention, plan::Family::Reduction},
                         kernel.getFamily()))
    function->setAttr(kRowsAttr, UnitAttr::get(code.getContext()));
  plan::KernelCost estimate = plan::costOf(kernel, cost);
  Builder b(code.getContext());
  function->setAttr(kSecondsAttr, b.getF64FloatAttr(estimate.seconds()));
  if (estimate.isTypical)
    function->setAttr(kTypicalAttr, b.getUnitAttr());
  return onlyOne(function, stringifyFamily(kernel.getFamily()));
}

func::FuncOp KernelLibrary::onlyOne(func::FuncOp function, StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The function alone: else the whole module would be verified and numbered for each kernel.
  function->print(os, OpPrintingFlags().useLocalScope().assumeVerified());
  auto [found, isNew] = known.try_emplace(text, function);
  if (!isNew) {
    function.erase();
    return found->second;
  }
  // One copy each: a name in profiles, and no more code where several variants call it.
  Builder b(function.getContext());
  function->setAttr("passthrough", b.getArrayAttr(b.getStringAttr("noinline")));
  function.setName(("ptc_" + name + "_" + Twine(known.size() - 1)).str());
  return function;
}

func::FuncOp KernelLibrary::copyFor(Type element, const Geometry &from, const Geometry &to,
                                    SmallVectorImpl<Value> &arguments) {
  CopyFunction builder(UnknownLoc::get(code.getContext()), {from, to});
  func::FuncOp function = builder.build(code, element);
  llvm::append_range(arguments, builder.dynamic);
  return onlyOne(function, "copy");
}

func::FuncOp KernelLibrary::storeFor(Type element) {
  ImplicitLocOpBuilder b(UnknownLoc::get(code.getContext()), code.getContext());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  b.setInsertionPointToEnd(code.getBody());
  auto function =
      func::FuncOp::create(b, "kernel", b.getFunctionType({pointer, pointer, b.getI64Type()}, {}));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  Value bits = entry->getArgument(2);
  if (element != bits.getType())
    bits = arith::TruncIOp::create(b, element, bits);
  LLVM::StoreOp::create(b, bits, entry->getArgument(0));
  func::ReturnOp::create(b);
  return onlyOne(function, "store");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static llvm::Error internal(llvm::StringRef text) {
  return makeError(DiagId::InternalError, {}, text);
}

llvm::Expected<OwningOpRef<ModuleOp>> ptc::cpu::bufferizeKernels(ModuleOp code) {
  // In a module of their own: the functions that call them hold numbers that are filled in later.
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(code.getLoc());
  SmallVector<func::FuncOp> functions;
  for (auto function : code.getOps<func::FuncOp>())
    if (function.isPrivate())
      functions.push_back(function);
  for (func::FuncOp function : functions)
    function->moveBefore(kernels->getBody(), kernels->getBody()->end());
  PassManager passes(code.getContext());
  passes.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions inside;
  inside.bufferizeFunctionBoundaries = false;
  passes.addPass(bufferization::createOneShotBufferizePass(inside));
  // Function by function, while it is in the processor's caches.
  OpPassManager &each = passes.nest<func::FuncOp>();
  each.addPass(createExactCanonicalizer());
  each.addPass(createCSEPass());
  each.addPass(createExactCanonicalizer());
  if (failed(passes.run(*kernels)))
    return internal("a kernel does not become buffers");
  // Copies become loops as well: the library function that they would call is not in artefacts.
  kernels->walk([](memref::CopyOp copy) {
    OpBuilder b(copy);
    linalg::CopyOp::create(b, copy.getLoc(), ValueRange{copy.getSource()},
                           ValueRange{copy.getTarget()});
    copy.erase();
  });
  return kernels;
}

llvm::Expected<LoweredKernels> ptc::cpu::lowerKernels(ModuleOp code, const Isa &isa,
                                                      const CodeOptions &options) {
  llvm::Expected<OwningOpRef<ModuleOp>> taken = bufferizeKernels(code);
  if (!taken)
    return taken.takeError();
  ModuleOp kernels = **taken;
  LoweredKernels lowered;
  auto emit = [&](func::FuncOp function) {
    orderTemporaries(function);
    lowered.code[function.getSymName()] = emitKernels(function, isa, options.teamSeconds);
    return expandMathFunctions(function, isa);
  };
  TablesInPanels tables(kernels);
  SmallVector<func::FuncOp> functions(kernels.getOps<func::FuncOp>());
  LogicalResult isExpanded = success();
  for (func::FuncOp function : functions)
    isExpanded = success(succeeded(emit(function)) && succeeded(isExpanded));
  for (func::FuncOp function : tables.redirect(code, kernels))
    isExpanded = success(succeeded(emit(function)) && succeeded(isExpanded));
  if (failed(isExpanded))
    return internal("a function of vectors does not become arithmetic");
  tables.eraseUncalled(code, kernels);
  PassManager loops(code.getContext());
  loops.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  if (failed(loops.run(kernels)))
    return internal("a kernel does not become loops");
  Scratch &most = lowered.scratch;
  for (auto function : llvm::make_early_inc_range(kernels.getOps<func::FuncOp>())) {
    Scratch used = placeAllocations(function);
    most.shared = std::max(most.shared, used.shared);
    most.perThread = std::max(most.perThread, used.perThread);
    function->moveBefore(code.getBody(), code.getBody()->end());
    for (func::FuncOp part : splitLoops(function))
      code.push_back(part);
  }
  return lowered;
}

/// e^x - 1 by libm: LLVM has no function for it, and MLIR would subtract, which cancels near zero.
static void callExpm1(ModuleOp code, math::ExpM1Op op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type element = getElementTypeOrSelf(op.getType());
  StringRef name = element.isF64() ? "expm1" : "expm1f";
  auto function = code.lookupSymbol<func::FuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(code.getBody());
    function = func::FuncOp::create(b, name, b.getFunctionType(element, element));
    function.setPrivate();
  }
  auto call = [&](Value x) { return func::CallOp::create(b, function, x).getResult(0); };
  auto vector = dyn_cast<VectorType>(op.getType());
  SmallVector<Value> lanes;
  for (int64_t i = 0; vector && i < vector.getDimSize(0); ++i)
    lanes.push_back(call(vector::ExtractOp::create(b, op.getOperand(), ArrayRef<int64_t>{i})));
  Value result =
      vector ? Value(vector::FromElementsOp::create(b, vector, lanes)) : call(op.getOperand());
  op.replaceAllUsesWith(result);
  op.erase();
}

/// A bfloat16 or a vector of them in single precision: it has the upper half of the bits.
static Value widenBFloat16(OpBuilder &b, Location loc, Value v) {
  auto as = [&](Type element) -> Type {
    auto vector = dyn_cast<VectorType>(v.getType());
    return vector ? Type(vector.clone(element)) : element;
  };
  Type word = as(b.getI32Type());
  Value bits = arith::BitcastOp::create(b, loc, as(b.getI16Type()), v);
  Value wide = arith::ExtUIOp::create(b, loc, word, bits);
  Value half = arith::ConstantOp::create(b, loc, b.getIntegerAttr(b.getI32Type(), 16));
  if (isa<VectorType>(word))
    half = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(cast<ShapedType>(word), b.getI32IntegerAttr(16)));
  return arith::BitcastOp::create(b, loc, as(b.getF32Type()),
                                  Value(arith::ShLIOp::create(b, loc, wide, half)));
}

static bool isBFloat16(Value v) { return getElementTypeOrSelf(v.getType()).isBF16(); }

namespace {
/// Comparisons are those of the same numbers in single precision.
struct WidenComparison : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpFOp op, PatternRewriter &rewriter) const override {
    if (!isBFloat16(op.getLhs()))
      return rewriter.notifyMatchFailure(op, "no bfloat16");
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, op.getPredicate(),
                                               widenBFloat16(rewriter, op.getLoc(), op.getLhs()),
                                               widenBFloat16(rewriter, op.getLoc(), op.getRhs()));
    return success();
  }
};

/// To double by way of float.
struct WidenToDouble : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    if (!isBFloat16(op.getIn()) || !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not from bfloat16 to double");
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(),
                                               widenBFloat16(rewriter, op.getLoc(), op.getIn()));
    return success();
  }
};
} // namespace

/// LLVM converts and moves bfloat16 by calls of a library that artefacts do not have: conversions
/// and comparisons become arithmetic of integers, ...
static LogicalResult expandBFloat16(ModuleOp code) {
  RewritePatternSet patterns(code.getContext());
  patterns.add<WidenComparison, WidenToDouble>(code.getContext());
  arith::populateExpandBFloat16Patterns(patterns);
  return applyPatternsGreedily(
      code, std::move(patterns),
      GreedyRewriteConfig()
          .setMaxIterations(GreedyRewriteConfig::kNoLimit)
          .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal));
}

/// ... and what is left, which moves elements alone, moves integers.
static void moveBFloat16AsIntegers(ModuleOp code) {
  Type bits = IntegerType::get(code.getContext(), 16);
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](BFloat16Type) { return bits; });
  replacer.addReplacement([=](FloatAttr number) -> std::optional<Attribute> {
    if (!number.getType().isBF16())
      return std::nullopt;
    return IntegerAttr::get(bits, number.getValue().bitcastToAPInt());
  });
  replacer.addReplacement([=](DenseElementsAttr elements) -> std::optional<Attribute> {
    if (!elements.getElementType().isBF16())
      return std::nullopt;
    return elements.bitcast(bits);
  });
  replacer.recursivelyReplaceElementsIn(code, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  // The instruction for pairs of them takes them as such.
  code.walk([&](LLVM::CallIntrinsicOp call) {
    if (call.getIntrin() != kPairsIntrinsic)
      return;
    OpBuilder b(call);
    for (OpOperand &operand : llvm::drop_begin(call.getArgsMutable()))
      operand.set(LLVM::BitcastOp::create(
          b, call.getLoc(), cast<VectorType>(operand.get().getType()).clone(b.getBF16Type()),
          operand.get()));
  });
}

llvm::Error ptc::cpu::lowerToLLVM(ModuleOp code) {
  code.walk([&](math::ExpM1Op op) { callExpm1(code, op); });
  if (failed(expandBFloat16(code)))
    return internal("numbers of 16 bits do not become integers");
  PassManager passes(code.getContext());
  OpPassManager &each = passes.nestAny(); // sections are llvm.func
  each.addPass(createExactCanonicalizer());
  each.addPass(createCSEPass());
  each.addPass(memref::createExpandStridedMetadataPass());
  each.addPass(createLowerAffinePass());
  each.addPass(createSCFToControlFlowPass());
  ConvertMathToLLVMPassOptions exact;
  exact.approximateLog1p = false;
  each.addPass(createConvertMathToLLVMPass(exact));
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createConvertVectorToLLVMPass());
  addLastPasses(passes);
  // All of them are MLIR's, and looking at all code behind each costs more than some of them.
  passes.enableVerifier(false);
  if (failed(passes.run(code)) || failed(verify(code)))
    return internal("code does not become the llvm dialect");
  moveBFloat16AsIntegers(code);
  return llvm::Error::success();
}
