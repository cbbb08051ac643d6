//===- Allocations.cpp - Memory that kernels fill besides their results ---------------------===//
//
// In: kernels as loops on memory that they allocate. Out: the same with that memory on the stack,
// in the scratch of the call, or, where only the run knows its size, in a block that the stub keeps
// for the thread: a call with sizes that were seen before allocates nothing.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "Emitters/Nest.h"
#include "Emitters/Team.h"

#include "ptc/Runtime/Frame.h"
#include "ptc/Target/Cpu/Lowering.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

/// Larger temporary memory does not go to the stack.
static constexpr int64_t kStackBytes = 4096;
static constexpr int64_t kAlignment = 64;

static int64_t widthOf(memref::AllocOp alloc) {
  return (alloc.getType().getElementTypeBitWidth() + 7) / 8;
}

/// A GEPArg holds constants of 29 bits.
static Value offsetBy(ImplicitLocOpBuilder &b, Value base, uint64_t bytes) {
  Value offset = LLVM::ConstantOp::create(b, b.getI64Type(), int64_t(bytes));
  return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>(offset));
}

/// The service at that offset of the table.
static Value serviceOf(ImplicitLocOpBuilder &b, Value frame, uint64_t offset) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto load = [&](Value from, uint64_t at) -> Value {
    return LLVM::LoadOp::create(b, pointer, offsetBy(b, from, at));
  };
  return load(load(frame, offsetof(ptc_frame, services)), offset);
}

/// Moves what `v` is computed from out of `loop`, if nothing there changes it.
static bool moveOut(Value v, Operation *loop) {
  Operation *op = v.getDefiningOp();
  if (!op)
    return !loop->isAncestor(cast<BlockArgument>(v).getOwner()->getParentOp());
  if (!loop->isProperAncestor(op))
    return true;
  if (op->getNumRegions() || !isPure(op) ||
      !llvm::all_of(op->getOperands(), [&](Value from) { return moveOut(from, loop); }))
    return false;
  op->moveBefore(loop);
  return true;
}

/// Memory whose size is the same in every turn is allocated once.
static void moveOutOfLoops(memref::AllocOp alloc) {
  auto *all = alloc->getParentOfType<func::FuncOp>().getOperation();
  SmallVector<Operation *> around;
  for (Operation *op = alloc->getParentOp(); op != all; op = op->getParentOp())
    around.push_back(op);
  for (Operation *op : llvm::reverse(around)) // the outermost that is possible
    if (llvm::all_of(alloc.getOperands(), [&](Value size) { return moveOut(size, op); }))
      return alloc->moveBefore(op);
}

/// Moves what `v` is computed from in front of `place`, in one block; false if that is not
/// possible.
static bool moveInFront(Value v, Operation *place) {
  Operation *op = v.getDefiningOp();
  if (!op || op->isBeforeInBlock(place))
    return true;
  if (op->getNumRegions() || !isPure(op) ||
      !llvm::all_of(op->getOperands(), [&](Value from) { return moveInFront(from, place); }))
    return false;
  op->moveBefore(place);
  return true;
}

namespace {

/// Finds places for what a kernel allocates: on the stack, in the scratch that it is given, or,
/// where its size is known only then, in a block of the thread that the stub keeps. Scratch that
/// the threads of a team share comes first, then as much for each of them as it needs for itself.
class Allocations {
public:
  explicit Allocations(func::FuncOp function)
      : function(function), isTeam(function->hasAttr(kTeamAttr)) {
    // Pointers come first: scratch is the last of them.
    for (BlockArgument arg : function.getArguments().take_while(
             [](Value v) { return isa<LLVM::LLVMPointerType>(v.getType()); }))
      scratch = arg;
  }

  Scratch place() {
    SmallVector<memref::AllocOp> allocs, own, open;
    function.walk([&](memref::AllocOp alloc) {
      bool isOpen = !alloc.getType().hasStaticShape();
      (isOpen ? open : isTeam && alloc->hasAttr(kPrivateAttr) ? own : allocs).push_back(alloc);
    });
    placeOpen(open);
    Scratch used;
    for (memref::AllocOp alloc : allocs)
      placeOne(alloc, used.shared, isTeam, scratch);
    Value mine;
    if (!own.empty()) {
      ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
      b.setInsertionPointToStart(&function.getBody().front());
      mine = offsetBy(b, scratch, used.shared);
      for (memref::AllocOp alloc : own)
        placeOne(alloc, used.perThread, false, mine);
      // Now it is known how much each thread has.
      Value thread = teamArgumentsOf(function).thread;
      b.setInsertionPointAfter(mine.getDefiningOp());
      Value before =
          LLVM::MulOp::create(b, LLVM::ZExtOp::create(b, b.getI64Type(), thread),
                              LLVM::ConstantOp::create(b, b.getI64Type(), int64_t(used.perThread)));
      Value there = LLVM::GEPOp::create(b, mine.getType(), b.getI8Type(), mine,
                                        ArrayRef<LLVM::GEPArg>(before));
      mine.replaceAllUsesExcept(there, there.getDefiningOp());
    }
    return used;
  }

private:
  /// What has a size of the run lies in one block, which is asked for where the first begins. What
  /// that place cannot know the size of is on the heap until its block ends.
  void placeOpen(ArrayRef<memref::AllocOp> allocs) {
    SmallVector<memref::AllocOp> together;
    Block *entry = &function.getBody().front();
    for (memref::AllocOp alloc : allocs) {
      moveOutOfLoops(alloc);
      bool isFirst = together.empty();
      if (alloc->getBlock() == entry && alloc.getType().getLayout().isIdentity() &&
          (isFirst || llvm::all_of(alloc.getOperands(), [&](Value size) {
             return moveInFront(size, together.front());
           }))) {
        together.push_back(alloc);
        continue;
      }
      OpBuilder b(alloc->getBlock()->getTerminator());
      memref::DeallocOp::create(b, alloc.getLoc(), alloc);
    }
    if (together.empty())
      return;
    ImplicitLocOpBuilder b(together.front().getLoc(), together.front());
    Value total = number(b, 0), overflows = arith::ConstantIntOp::create(b, 0, 1);
    SmallVector<Value> starts;
    for (memref::AllocOp alloc : together) {
      starts.push_back(total);
      total =
          checked<LLVM::UAddWithOverflowOp>(b, total, openBytes(b, alloc, overflows), overflows);
    }
    // There is no memory for what 64 bits do not count.
    Value memory = askFor(b, arith::SelectOp::create(b, overflows, number(b, -1), total));
    for (auto [alloc, start] : llvm::zip_equal(together, starts)) {
      Value at = LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), memory,
                                     ArrayRef<LLVM::GEPArg>(start));
      alloc.replaceAllUsesWith(describeMemory(b, alloc, at));
    }
    for (memref::AllocOp alloc : together)
      alloc.erase();
    leaveIfNull(memory);
  }

  static Value number(ImplicitLocOpBuilder &b, int64_t v) {
    return arith::ConstantIntOp::create(b, v, 64);
  }
  /// x op y; adds to `overflows` whether it does not fit.
  template <typename OpT>
  static Value checked(ImplicitLocOpBuilder &b, Value x, Value y, Value &overflows) {
    auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {b.getI64Type(), b.getI1Type()});
    Value both = OpT::create(b, type, x, y);
    overflows = arith::OrIOp::create(b, overflows, Value(LLVM::ExtractValueOp::create(b, both, 1)));
    return LLVM::ExtractValueOp::create(b, both, 0);
  }
  /// Aligned for what comes behind.
  static Value openBytes(ImplicitLocOpBuilder &b, memref::AllocOp alloc, Value &overflows) {
    Value bytes = number(b, widthOf(alloc));
    for (Value size : sizesOf(b, alloc))
      bytes = checked<LLVM::UMulWithOverflowOp>(b, bytes, size, overflows);
    Value more = checked<LLVM::UAddWithOverflowOp>(b, bytes, number(b, kAlignment - 1), overflows);
    return arith::AndIOp::create(b, more, number(b, -kAlignment));
  }

  /// Adds the frame to the arguments, in front of those of a team, and asks for the memory.
  Value askFor(ImplicitLocOpBuilder &b, Value bytes) {
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    unsigned at = function.getNumArguments() - (isTeam ? 3 : 0);
    LogicalResult added = function.insertArgument(at, pointer, {}, function.getLoc());
    assert(succeeded(added) && "a function with a body takes another argument");
    (void)added;
    function->setAttr(kFrameAttr, b.getUnitAttr());
    Value frame = function.getArgument(at);
    Value service = serviceOf(b, frame, offsetof(ptc_services, temporary));
    Value thread = isTeam ? teamArgumentsOf(function).thread
                          : Value(LLVM::ConstantOp::create(b, b.getI32Type(), 0));
    auto type = LLVM::LLVMFunctionType::get(pointer, {pointer, b.getI32Type(), b.getI64Type()});
    return LLVM::CallOp::create(b, type, ValueRange{service, frame, thread, bytes}).getResult();
  }

  /// Whoever calls looks whether there was memory. A thread of a team goes to the barriers that the
  /// others go to, of which none is in a loop.
  void leaveIfNull(Value memory) {
    Operation *asked = memory.getDefiningOp();
    size_t meetings = 0;
    if (isTeam)
      meetings = llvm::range_size(teamArgumentsOf(function).barrier.getUsers());
    Block *entry = asked->getBlock(), *rest = entry->splitBlock(asked->getNextNode());
    ImplicitLocOpBuilder b(asked->getLoc(), asked->getContext());
    Block *leaves = b.createBlock(&function.getBody());
    LoopBuilder l(leaves);
    for (size_t i = 0; i < meetings; ++i)
      emitBarrier(l, teamArgumentsOf(function));
    b.setInsertionPointToEnd(leaves);
    func::ReturnOp::create(b);
    b.setInsertionPointToEnd(entry);
    Value null = LLVM::ZeroOp::create(b, memory.getType());
    Value isNull = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, memory, null);
    cf::CondBranchOp::create(b, isNull, leaves, ValueRange(), rest, ValueRange());
  }

  void placeOne(memref::AllocOp alloc, uint64_t &used, bool isShared, Value base) {
    ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
    int64_t bytes = alloc.getType().getNumElements() * widthOf(alloc);
    if (bytes <= kStackBytes && !isShared) {
      b.setInsertionPointToStart(&function.getBody().front());
      alloc.replaceAllUsesWith(
          memref::AllocaOp::create(b, alloc.getType(), b.getI64IntegerAttr(kAlignment))
              .getResult());
    } else {
      LLVMTypeConverter converter(b.getContext());
      Value at = offsetBy(b, base, used);
      Value descriptor =
          MemRefDescriptor::fromStaticShape(b, b.getLoc(), converter, alloc.getType(), at);
      alloc.replaceAllUsesWith(
          UnrealizedConversionCastOp::create(b, alloc.getType(), descriptor).getResult(0));
      used += llvm::alignTo(uint64_t(bytes), kAlignment);
    }
    alloc.erase();
  }

  func::FuncOp function;
  bool isTeam;
  Value scratch;
};

} // namespace

Scratch ptc::cpu::placeAllocations(func::FuncOp function) { return Allocations(function).place(); }

void ptc::cpu::giveFrames(ModuleOp code) {
  SymbolTable symbols(code);
  SmallVector<func::CallOp> calls;
  for (auto function : code.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      function.walk([&](func::CallOp call) {
        auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
        if (callee && callee->hasAttr(kFrameAttr))
          calls.push_back(call);
      });
  for (func::CallOp call : calls) {
    auto function = call->getParentOfType<func::FuncOp>();
    Value frame = function.getArgument(0);
    call.getOperandsMutable().append(frame);
    if (!symbols.lookup<func::FuncOp>(call.getCallee())->hasAttr(kTeamAttr))
      returnIfFailed(function, call);
  }
}

void ptc::cpu::returnIfFailed(func::FuncOp function, Operation *call) {
  Value frame = function.getArgument(0);
  ImplicitLocOpBuilder b(call->getLoc(), call->getNextNode());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value service = serviceOf(b, frame, offsetof(ptc_services, frame_status));
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer});
  Value status = LLVM::CallOp::create(b, type, ValueRange{service, frame}).getResult();
  Value ok = LLVM::ConstantOp::create(b, b.getI32Type(), int64_t(ptc_status_ok));
  Value isBad = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, status, ok);
  Block *rest = isBad.getParentBlock()->splitBlock(isBad.getDefiningOp()->getNextNode());
  Block *bad = b.createBlock(&function.getBody());
  func::ReturnOp::create(b, status);
  b.setInsertionPointToEnd(isBad.getParentBlock());
  cf::CondBranchOp::create(b, isBad, bad, ValueRange(), rest, ValueRange());
}
