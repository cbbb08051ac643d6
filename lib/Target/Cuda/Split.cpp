//===- Split.cpp - What a kernel does, as launches -------------------------------------------===//
//
// In: functions on memrefs whose operations follow each other in one block. Out: for each operation
// that writes memory, or several that go on in registers, a function of the device, with the
// arguments of the whole; in its place its launch. What a function fills besides its results lies
// in its scratch, or, where only the run knows its size, in a block that the stub keeps.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "ptc/Runtime/Frame.h"
#include "ptc/Support/Error.h"
#include "ptc/Target/Cpu/Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

static constexpr int64_t kAlignment = 256;
/// Bytes of memory: no device has so many.
static constexpr uint64_t kTooMuch = uint64_t(1) << 50;
/// Bytes that a launch brings along; room for tensor maps among them.
static constexpr unsigned kMostArguments = PTC_MAX_ARGUMENTS,
                          kMapBytes = PTC_MAX_MAPS * 128 + PTC_ALIGNMENT;

static llvm::Error internal(const llvm::Twine &text) {
  return makeError(DiagId::InternalError, {}, text.str());
}

/// Named operations as loops with a body; copies too.
static void generalize(func::FuncOp function) {
  SmallVector<memref::CopyOp> copies;
  function.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    OpBuilder b(copy);
    linalg::CopyOp::create(b, copy.getLoc(), ValueRange{copy.getSource()},
                           ValueRange{copy.getTarget()});
    copy.erase();
  }
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    IRRewriter rewriter(op);
    if (!isa<linalg::GenericOp>(*op))
      (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

/// Whether a step writes to that memory, or to something that is not known.
static bool mayWrite(Operation *step, Value root) {
  bool writes = false;
  step->walk([&](Operation *op) {
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      writes |= llvm::any_of(loops.getDpsInits(), [&](Value to) { return rootOf(to) == root; });
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      writes |= rootOf(store.getMemRef()) == root;
    else
      writes |= !isa<memref::LoadOp>(op) && op->getNumRegions() == 0 && !isMemoryEffectFree(op);
  });
  return writes;
}

namespace {

/// Splits one function.
class Splitter {
public:
  Splitter(func::FuncOp function, SplitKernels &code) : function(function), code(code) {
    // Pointers come first: scratch is the last of them.
    for (BlockArgument arg : function.getArguments().take_while(
             [](Value v) { return isa<LLVM::LLVMPointerType>(v.getType()); }))
      scratch = arg;
  }

  llvm::Error run() {
    if (!llvm::hasSingleElement(function.getBody()))
      return internal("a kernel has control flow");
    generalize(function);
    layAlongSums(function);
    readWithoutBorders(function);
    cutReductions(function, bool(code.withWarpgroups));
    generalize(function); // what fills partial results
    computeInReaders(function);
    SmallVector<Operation *> ops;
    for (Operation &op : function.getBody().front().without_terminator())
      if (isStep(op))
        ops.push_back(&op);
    SmallVector<Step> steps = joinSteps(ops);
    if (llvm::Error error = placeMemory(steps))
      return error;
    std::vector<Launch> launches;
    for (const Step &step : steps)
      if (llvm::Error error = makeKernels(ops, step, launches.emplace_back()))
        return error;
    Block &body = function.getBody().front();
    SmallVector<Value> arguments(body.getArguments());
    frame = body.addArgument(LLVM::LLVMPointerType::get(function.getContext()), function.getLoc());
    if (open)
      if (llvm::Error error = askForMemory(arguments))
        return error;
    storeArguments(arguments);
    for (auto [step, made] : llvm::zip_equal(steps, launches))
      launch(step, made);
    for (Operation *op : llvm::reverse(ops))
      op->erase();
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isOpTriviallyDead(&op)) // the host reads nothing that lies on the device
        op.erase();
    function.setType(FunctionType::get(function.getContext(), body.getArgumentTypes(), {}));
    function->setAttr(kFrameAttr, UnitAttr::get(function.getContext()));
    return llvm::Error::success();
  }

private:
  /// Whether it does something: what is not is copied to where it is used.
  static bool isStep(Operation &op) {
    return !isa<memref::AllocOp>(op) && (op.getNumRegions() || !isMemoryEffectFree(&op)) &&
           !isa<memref::LoadOp>(op);
  }

  Value number(ImplicitLocOpBuilder &b, int64_t v) {
    return arith::ConstantIntOp::create(b, v, 64);
  }

  /// Of a known size, in whole units of alignment; kTooMuch at most.
  static uint64_t bytesOf(MemRefType type) {
    uint64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    for (int64_t size : type.getShape())
      bytes = std::min(llvm::SaturatingMultiply(bytes, uint64_t(size)), kTooMuch);
    return llvm::alignTo(bytes, kAlignment);
  }

  /// The end of memory of `width` bytes for each element behind `start`; all ones where a product
  /// or the sum is more than 63 bits: there is no such memory, and the stub says so.
  Value endOf(ImplicitLocOpBuilder &b, memref::AllocOp alloc, Value start, int64_t width) {
    Value bytes = number(b, width), none = number(b, -1), zero = number(b, 0);
    for (Value size : sizesOf(b, alloc)) {
      auto product = arith::MulUIExtendedOp::create(b, bytes, size);
      Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, product.getHigh(), zero);
      bytes = arith::SelectOp::create(b, fits, product.getLow(), none);
    }
    Value end = arith::AddIOp::create(b, start, bytes);
    Value all = arith::OrIOp::create(b, arith::OrIOp::create(b, start, bytes), end);
    Value isTooMuch = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, all, zero);
    Value aligned = arith::AndIOp::create(
        b, arith::AddIOp::create(b, end, number(b, kAlignment - 1)), number(b, -kAlignment));
    return arith::SelectOp::create(b, isTooMuch, none, aligned);
  }

  /// Known sizes: in the scratch; others behind each other in one block, an argument for now.
  llvm::Error placeMemory(ArrayRef<Step> steps) {
    DenseSet<Value> inRegisters;
    for (const Step &step : steps)
      inRegisters.insert_range(memoryLeft(step));
    SmallVector<memref::AllocOp> allocs;
    for (auto alloc : function.getBody().front().getOps<memref::AllocOp>())
      allocs.push_back(alloc);
    uint64_t used = 0;
    Value start;
    for (memref::AllocOp alloc : allocs) {
      ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
      MemRefType type = alloc.getType();
      int64_t width = (type.getElementTypeBitWidth() + 7) / 8;
      Value at;
      if (inRegisters.contains(alloc)) { // nobody writes there
        at = scratch;
      } else if (type.hasStaticShape()) {
        at = offsetBy(b, scratch, number(b, int64_t(used)));
        used += bytesOf(type);
        if (used >= kTooMuch)
          return makeError(DiagId::UnsupportedOperation, {}, "a kernel",
                           "what it computes on its way takes more memory than any GPU has");
      } else {
        if (!open) {
          open = function.getBody().addArgument(LLVM::LLVMPointerType::get(b.getContext()),
                                                alloc.getLoc());
          start = number(b, 0);
        }
        at = offsetBy(b, open, start);
        start = endOf(b, alloc, start, width);
      }
      alloc.replaceAllUsesWith(describeMemory(b, alloc, at));
      alloc.erase();
    }
    openBytes = start;
    code.scratchBytes = std::max(code.scratchBytes, used);
    return llvm::Error::success();
  }

  static Value offsetBy(ImplicitLocOpBuilder &b, Value base, Value bytes) {
    return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>(bytes));
  }

  /// What a step starts: the number of a kernel, and of the one with tensor maps that is tried
  /// first, if there is one.
  struct Launch {
    size_t kernel = 0;
    size_t withMaps = 0;
    std::unique_ptr<MappedKernel> mapped = nullptr;
  };

  std::string nextName() {
    return (function.getSymName() + "_" + Twine(code.kernels.size())).str();
  }
  void addKernel(StringRef name, const KernelShape &shape) {
    code.kernels.push_back({name.str(), shape.threads, shape.sharedBytes, shape.perProcessor,
                            static_cast<bool>(code.withWarpgroups)});
  }

  /// Copies of the function that do one of its steps alone.
  llvm::Error makeKernels(ArrayRef<Operation *> ops, const Step &step, Launch &made) {
    if (std::unique_ptr<MappedKernel> mapped = findMapped(step)) {
      std::string name = nextName();
      auto shape =
          makeKernel(ops, step, name, *code.withWarpgroups, Means::TensorMaps, mapped->numMaps());
      if (!shape)
        return shape.takeError();
      made.withMaps = code.kernels.size();
      made.mapped = std::move(mapped);
      addKernel(name, *shape);
    }
    std::string name = nextName();
    llvm::Expected<KernelShape> shape = makeKernel(ops, step, name, *code.module, Means::Common);
    if (!shape)
      return shape.takeError();
    if (code.withWarpgroups) {
      auto other = makeKernel(ops, step, name, *code.withWarpgroups, Means::Warpgroups);
      if (!other)
        return other.takeError();
      assert(shape->threads == other->threads && "one launch is for both");
      shape->sharedBytes = std::max(shape->sharedBytes, other->sharedBytes);
    }
    made.kernel = code.kernels.size();
    addKernel(name, *shape);
    return llvm::Error::success();
  }

  std::unique_ptr<MappedKernel> findMapped(const Step &step) {
    bool isIt = code.withWarpgroups && step.rows.empty() &&
                8 * function.getNumArguments() + kMapBytes <= kMostArguments;
    // What is read in front of a kernel's own work is read before it waits for those before it.
    isIt = isIt && llvm::none_of(makersOf(step.all()), llvm::IsaPred<memref::LoadOp>);
    return isIt ? findMappedKernel(step) : nullptr;
  }

  llvm::Expected<KernelShape> makeKernel(ArrayRef<Operation *> ops, const Step &step,
                                         const std::string &name, ModuleOp module, Means means,
                                         unsigned numMaps = 0) {
    ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
    b.setInsertionPointToEnd(module.getBody());
    Block &source = function.getBody().front();
    if (8 * source.getNumArguments() > kMostArguments)
      return makeError(DiagId::UnsupportedOperation, {}, "a kernel",
                       "on a GPU its tensors and their sizes are at most 512 numbers");
    SmallVector<Type> types;
    for (Type type : source.getArgumentTypes()) {
      bool isBool = type.isInteger(1); // all arguments take eight bytes
      if (!isBool && !isa<LLVM::LLVMPointerType>(type) && !type.isInteger(64) && !type.isF64())
        return internal("an argument of a kernel has an unexpected type");
      types.push_back(isBool ? b.getI64Type() : type);
    }
    types.append(numMaps, LLVM::LLVMPointerType::get(b.getContext()));
    auto kernel = func::FuncOp::create(b, name, b.getFunctionType(types, {}));
    if (numMaps)
      kernel->setAttr(kMapsAttr, b.getI32IntegerAttr(int32_t(numMaps)));
    kernel->setAttr(kKernelAttr, b.getUnitAttr());
    if (Attribute tf32 = function->getAttr(kTf32Attr))
      kernel->setAttr(kTf32Attr, tf32);
    Block *body = kernel.addEntryBlock();
    b.setInsertionPointToStart(body);
    IRMapping mapping;
    for (auto [from, to] :
         llvm::zip_equal(source.getArguments(), body->getArguments().drop_back(numMaps)))
      mapping.map(from, from.getType() == to.getType()
                            ? Value(to)
                            : Value(arith::TruncIOp::create(b, from.getType(), to)));
    SmallVector<Operation *> own = step.all();
    for (Operation *op : makersOf(own)) {
      if (llvm::is_contained(ops, op))
        return internal("a kernel computes numbers on its way");
      // A copy reads when its kernel runs, behind all steps before it.
      auto load = dyn_cast<memref::LoadOp>(op);
      bool isLate = load && llvm::any_of(ops, [&](Operation *other) {
                      return op->isBeforeInBlock(other) && other->isBeforeInBlock(own.back()) &&
                             mayWrite(other, rootOf(load.getMemRef()));
                    });
      if (isLate)
        return internal("a kernel reads an element that it may write");
      b.clone(*op, mapping);
    }
    auto copied = [&](Operation *op) { return op ? b.clone(*op, mapping) : nullptr; };
    Step mine{nullptr};
    for (RowNest nest : step.rows)
      mine.rows.push_back({cast<linalg::LinalgOp>(copied(nest.op)), nest.isKept});
    for (Operation *op : step.scores)
      mine.scores.push_back(copied(op));
    mine.start = copied(step.start);
    mine.op = mine.rows.empty() ? copied(step.op) : mine.rows.front().op;
    for (linalg::LinalgOp end : step.ends)
      mine.ends.push_back(cast<linalg::LinalgOp>(copied(end)));
    func::ReturnOp::create(b);
    KernelShape shape = emitStep(mine, means);
    if (means != Means::Common)
      waitAtBegin(kernel);
    return shape;
  }

  /// The kernel after this one is brought to the processors early, and waits there.
  static void waitAtBegin(func::FuncOp kernel) {
    bool waits = false;
    kernel.walk([&](NVVM::GriddepcontrolOp) { waits = true; });
    if (waits)
      return;
    ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
    b.setInsertionPointToStart(&kernel.getBody().front());
    awaitKernelsBefore(b);
  }

  /// What the operations of a step are made from, in order.
  SmallVector<Operation *> makersOf(ArrayRef<Operation *> own) {
    DenseSet<Operation *> needed;
    SmallVector<Operation *> todo(own);
    while (!todo.empty())
      todo.pop_back_val()->walk([&](Operation *inner) {
        for (Value from : inner->getOperands())
          if (Operation *maker = from.getDefiningOp();
              maker && maker->getBlock() == own.front()->getBlock() && needed.insert(maker).second)
            todo.push_back(maker);
      });
    SmallVector<Operation *> makers(needed.begin(), needed.end());
    llvm::sort(makers, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    return makers;
  }

  /// The block for memory whose size the run knows: what the size is computed from comes first.
  llvm::Error askForMemory(SmallVectorImpl<Value> &arguments) {
    DenseSet<Operation *> needed;
    SmallVector<Operation *> todo = {openBytes.getDefiningOp()};
    while (!todo.empty()) {
      Operation *op = todo.pop_back_val();
      if (!op || !needed.insert(op).second)
        continue;
      if (op->getNumRegions() || !isPure(op) || llvm::is_contained(op->getOperands(), open))
        return internal("the size of a kernel's memory is not known in front of it");
      for (Value from : op->getOperands())
        todo.push_back(from.getDefiningOp());
    }
    Block &block = function.getBody().front();
    Operation *last = nullptr;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!needed.contains(&op))
        continue;
      last ? op.moveAfter(last) : op.moveBefore(&block, block.begin());
      last = &op;
    }
    ImplicitLocOpBuilder b(function.getLoc(), last->getNextNode());
    Value zero = LLVM::ConstantOp::create(b, b.getI32Type(), 0);
    Value memory = callService(b, offsetof(ptc_services, temporary),
                               LLVM::LLVMPointerType::get(b.getContext()), {frame, zero, openBytes})
                       .getResult();
    open.replaceAllUsesWith(memory);
    llvm::replace(arguments, Value(open), memory);
    block.eraseArgument(open.getArgNumber());
    return llvm::Error::success();
  }

  LLVM::CallOp callService(ImplicitLocOpBuilder &b, uint64_t offset, Type result, ValueRange args) {
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto load = [&](Value from, uint64_t at) -> Value {
      Value field =
          LLVM::GEPOp::create(b, pointer, b.getI8Type(), from, ArrayRef<LLVM::GEPArg>(int32_t(at)));
      return LLVM::LoadOp::create(b, pointer, field);
    };
    SmallVector<Value> all = {load(load(frame, offsetof(ptc_frame, services)), offset)};
    llvm::append_range(all, args);
    SmallVector<Type> types(args.getTypes());
    Type returned = result ? result : LLVM::LLVMVoidType::get(b.getContext());
    return LLVM::CallOp::create(b, LLVM::LLVMFunctionType::get(returned, types), all);
  }

  /// Arguments lie in one block of memory, as a kernel of the device reads them.
  void storeArguments(ArrayRef<Value> arguments) {
    ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
    b.setInsertionPointToStart(&function.getBody().front());
    for (Value arg : arguments)
      if (Operation *made = arg.getDefiningOp())
        b.setInsertionPointAfter(made);
    blockBytes = 8 * arguments.size();
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value count = LLVM::ConstantOp::create(b, b.getI32Type(), int64_t(blockBytes));
    argumentBlock = LLVM::AllocaOp::create(b, pointer, b.getI8Type(), count, 8);
    for (auto [i, arg] : llvm::enumerate(arguments)) {
      Value value = arg;
      if (value.getType().isInteger(1))
        value = arith::ExtUIOp::create(b, b.getI64Type(), value);
      Value at = LLVM::GEPOp::create(b, pointer, b.getI8Type(), argumentBlock,
                                     ArrayRef<LLVM::GEPArg>(int32_t(8 * i)));
      LLVM::StoreOp::create(b, value, at);
    }
  }

  void launch(const Step &step, const Launch &made) {
    ImplicitLocOpBuilder b(step.op->getLoc(), step.all().back());
    Value threads = countThreads(b, step);
    auto constant = [&](uint64_t v) -> Value {
      return LLVM::ConstantOp::create(b, b.getI32Type(), int64_t(v));
    };
    if (!made.mapped) {
      callService(b, offsetof(ptc_services, launch), {},
                  {frame, constant(made.kernel), threads, argumentBlock, constant(blockBytes)});
      return;
    }
    Value maps = made.mapped->describeMaps(b);
    Value ofMapped = arith::IndexCastOp::create(b, b.getI64Type(), made.mapped->countThreads(b));
    callService(b, offsetof(ptc_services, launch_mapped), {},
                {frame, constant(made.withMaps), ofMapped, constant(made.kernel), threads,
                 argumentBlock, constant(blockBytes), maps, constant(made.mapped->numMaps())});
  }

  func::FuncOp function;
  SplitKernels &code;
  Value scratch, frame;
  BlockArgument open; ///< memory whose size the run knows, while it is an argument
  Value openBytes;
  Value argumentBlock;
  uint64_t blockBytes = 0;
};

} // namespace

llvm::Expected<SplitKernels> ptc::cuda::splitKernels(ModuleOp kernels, SplitOptions options) {
  SplitKernels code;
  kernels.getContext()->loadDialect<NVVM::NVVMDialect>();
  code.module = ModuleOp::create(kernels.getLoc());
  if (options.hasWarpgroups)
    code.withWarpgroups = ModuleOp::create(kernels.getLoc());
  for (auto function : kernels.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (options.allowsTf32 && !function->hasAttr(kRowsAttr))
      function->setAttr(kTf32Attr, UnitAttr::get(kernels.getContext()));
    if (llvm::Error error = Splitter(function, code).run())
      return std::move(error);
    function->removeAttr(kTf32Attr);
  }
  return std::move(code);
}
