//===- Parts.cpp - Kernels of many loops as several functions -----------------------------===//
//
// In: a kernel's function as loops, its memory placed. Out: the same where they are few; else one
// that calls functions of a bounded number of loops each. LLVM looks at the loops in front of a
// loop to bound what it computes, so that the time for one function grows with their square.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ptc::cpu;

/// Loops and branches of one function: more cost time to compile, fewer cost calls.
static constexpr size_t kMostLoops = 32;

static size_t loopsIn(Operation &op) {
  size_t loops = 0;
  op.walk([&](Operation *inner) { loops += inner->getNumRegions() != 0; });
  return loops;
}

/// Gives memory that other operations work on, or ends its life.
static bool managesMemory(Operation &op) {
  return isa<memref::AllocaOp, memref::AllocOp, memref::DeallocOp>(op) ||
         (isa<LLVM::CallOp>(op) && op.getNumResults());
}

namespace {

/// Takes operations that follow each other out of a function. What is computed of its arguments
/// alone stays: numbers become arguments, constants and descriptors of memory are made again.
class Parts {
public:
  explicit Parts(func::FuncOp function) : function(function) {}

  SmallVector<func::FuncOp> split() {
    for (Block &block : function.getBody())
      findParts(block);
    SmallVector<func::FuncOp> made;
    if (parts.size() <= 1)
      return made;
    for (ArrayRef<Operation *> part : parts)
      made.push_back(outline(part, made.size()));
    function->setAttr(kStepsAttr, UnitAttr::get(function.getContext()));
    return made;
  }

private:
  using Part = SmallVector<Operation *>;

  void findParts(Block &block) {
    Part part;
    size_t loops = 0;
    Operation *lastUser = nullptr; ///< of what the operations of the part give
    auto finish = [&](Operation *end) {
      bool isClosed = !lastUser || lastUser->isBeforeInBlock(end);
      if (loops && isClosed)
        parts.push_back(part);
      part.clear();
      loops = 0;
      lastUser = nullptr;
    };
    for (Operation &op : block.without_terminator()) {
      if (findFree(op))
        continue;
      if (managesMemory(op)) {
        finish(&op);
        continue;
      }
      size_t more = loopsIn(op);
      if (loops + more > kMostLoops && (!lastUser || lastUser->isBeforeInBlock(&op)))
        finish(&op);
      part.push_back(&op);
      loops += more;
      for (Operation *user : op.getUsers()) {
        Operation *last = block.findAncestorOpInBlock(*user);
        last = last ? last : block.getTerminator();
        if (!lastUser || lastUser->isBeforeInBlock(last))
          lastUser = last;
      }
    }
    finish(block.getTerminator());
  }

  /// Whether `op` is computed of what any part may have, and of nothing in memory.
  bool findFree(Operation &op) {
    bool isFree = op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
                  llvm::all_of(op.getOperands(), [&](Value v) {
                    Operation *from = v.getDefiningOp();
                    return !from || free.contains(from) || managesMemory(*from);
                  });
    if (isFree)
      free.insert(&op);
    return isFree;
  }

  func::FuncOp outline(ArrayRef<Operation *> part, size_t number) {
    Location loc = part.front()->getLoc();
    OpBuilder b(part.back()->getNextNode());
    OpBuilder::InsertPoint call = b.saveInsertionPoint();
    auto made = func::FuncOp::create(loc, (function.getName() + "_part_" + Twine(number)).str(),
                                     b.getFunctionType({}, {}));
    made.setPrivate();
    made->setAttr("passthrough", b.getArrayAttr(b.getStringAttr("noinline")));
    Block *body = made.addEntryBlock();
    b.setInsertionPointToStart(body);
    IRMapping mapping;
    SmallVector<Value> arguments;
    for (Value v : takenBy(part))
      bring(v, b, mapping, arguments);
    made.setFunctionType(b.getFunctionType(ValueRange(arguments).getTypes(), {}));
    for (Operation *op : part) {
      op->moveBefore(body, body->end());
      op->walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands())
          operand.set(mapping.lookupOrDefault(operand.get()));
      });
    }
    b.setInsertionPointToEnd(body);
    func::ReturnOp::create(b, loc);
    b.restoreInsertionPoint(call);
    func::CallOp::create(b, loc, made, arguments);
    return made;
  }

  /// What the operations use of what others define.
  static llvm::SetVector<Value> takenBy(ArrayRef<Operation *> part) {
    llvm::SetVector<Value> taken;
    for (Operation *op : part) {
      taken.insert_range(op->getOperands());
      getUsedValuesDefinedAbove(op->getRegions(), taken);
    }
    llvm::DenseSet<Operation *> own(llvm::from_range, part);
    taken.remove_if([&](Value v) { return own.contains(v.getDefiningOp()); });
    return taken;
  }

  /// Makes `v` again in the function of a part, or an argument of it.
  void bring(Value v, OpBuilder &inside, IRMapping &mapping, SmallVectorImpl<Value> &arguments) {
    if (mapping.contains(v))
      return;
    Operation *op = v.getDefiningOp();
    bool isMadeAgain = free.contains(op) && (op->hasTrait<OpTrait::ConstantLike>() ||
                                             !v.getType().isIntOrIndexOrFloat());
    if (!isMadeAgain) {
      arguments.push_back(v);
      mapping.map(v, inside.getBlock()->addArgument(v.getType(), v.getLoc()));
      return;
    }
    for (Value operand : op->getOperands())
      bring(operand, inside, mapping, arguments);
    inside.clone(*op, mapping);
  }

  func::FuncOp function;
  llvm::DenseSet<Operation *> free;
  SmallVector<Part> parts;
};

} // namespace

SmallVector<func::FuncOp> ptc::cpu::splitLoops(func::FuncOp function) {
  size_t loops = 0;
  for (Block &block : function.getBody())
    for (Operation &op : block)
      loops += loopsIn(op);
  return loops > kMostLoops ? Parts(function).split() : SmallVector<func::FuncOp>();
}
