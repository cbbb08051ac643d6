//===- Emitters.cpp - Vector code for nests ------------------------------------------------===//
//
// In: a kernel's function on memrefs. Out: the same, with every linalg operation that some emitter
// takes replaced by its code.
//
//===----------------------------------------------------------------------===//
#include "Emitters.h"
#include "Epilogue.h"
#include "RowTiles.h"
#include "Team.h"
#include "Windows.h"

#include "ptc/Dialect/Plan/IR/Plan.h"
#include "ptc/Target/Cpu/Lowering.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

/// Named operations as loops with a body.
static linalg::GenericOp asGeneric(linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(*op))
    return generic;
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
  return generic.value_or(linalg::GenericOp());
}

/// Erases what depends on the memory as far as nobody uses it, then the memory itself.
static void eraseUnused(memref::AllocOp memory) {
  llvm::SetVector<Operation *> all;
  all.insert(memory);
  for (size_t i = 0; i < all.size(); ++i)
    all.insert_range(all[i]->getUsers());
  for (Operation *op : llvm::reverse(all))
    if (op->use_empty() && (op == memory || isOpTriviallyDead(op)))
      op->erase();
}

/// Memory that a step went on from in registers has no more users.
static void eraseWithMemory(linalg::GenericOp op) {
  auto memory = wholeOf(op.getDpsInitOperand(0)->get()).getDefiningOp<memref::AllocOp>();
  op.erase();
  if (memory)
    eraseUnused(memory);
}

namespace {
/// Operations of one function, in order.
class FunctionEmitter {
public:
  FunctionEmitter(func::FuncOp function, const Isa &isa, double teamSeconds)
      : function(function), isa(isa),
        isLarge(function->getAttrOfType<FloatAttr>(kSecondsAttr).getValueAsDouble() >=
                teamSeconds) {}

  ptc::cpu::KernelCode run() {
    SmallVector<linalg::LinalgOp> ops;
    function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (linalg::GenericOp generic = asGeneric(op))
        generics.push_back(generic);
      else
        code.loops.push_back({Form::Plain, "no loop nest says what it does"});
    keepWeightsReadOnce();
    bool isPlain = generics.size() == ops.size() && llvm::hasSingleElement(function.getBody());
    std::optional<RowGroup> rows;
    if (isPlain && function->hasAttr(kRowsAttr))
      rows = findRowGroup(generics, isLarge);
    if (!rows) {
      findWindows();
      if (isPlain)
        sinkFills();
    }
    SmallVector<memref::AllocOp> apart;
    if (rows)
      apart = temporariesOf(*rows);
    if (isLarge && isPlain && suitsTeam(function, apart))
      team = addTeamArguments(function);
    code.forTeam = team.has_value();
    code.byRows = rows.has_value();
    function.walk([&](scf::ForOp) {
      code.loops.push_back({Form::Plain, "it goes from element to element"});
      return WalkResult::interrupt();
    });
    emitSorts();
    rows ? emitRows(*rows) : emitAll(generics);
    code.function = function.getSymName().str();
    return std::move(code);
  }

private:
  void emitAll(ArrayRef<linalg::GenericOp> ops) {
    while (!ops.empty())
      ops = ops.drop_front(emit(ops));
  }

  /// What counts and what fills its memory go with the sort that it is for.
  void emitSorts() {
    for (linalg::GenericOp placing : SmallVector<linalg::GenericOp>(generics)) {
      if (!placing->hasAttr(plan::kOrderAttr))
        continue;
      linalg::GenericOp counting, fill;
      for (linalg::GenericOp op : generics)
        if (op != placing && placing.getNumDpsInputs() &&
            op.getDpsInitOperand(0)->get() == placing.getDpsInputOperand(0)->get())
          (op.getNumDpsInputs() ? counting : fill) = op;
      if (!counting)
        continue;
      LoopBuilder l = builderAt(placing);
      bool isEmitted = false;
      l.together([&] { isEmitted = emitSort(l, counting, placing, isa); });
      if (!isEmitted)
        continue;
      code.loops.push_back({Form::Sort, ""});
      waitAfter(l, placing);
      for (linalg::GenericOp op : {placing, fill, counting}) {
        llvm::erase(generics, op);
        if (op)
          eraseWithMemory(op);
      }
    }
  }

  /// The threads of a team take tiles of rows, each by itself.
  void emitRows(RowGroup &rows) {
    for (linalg::GenericOp copy : turnColumns(rows))
      emitOne(copy);
    LoopBuilder l = builderAt(generics.back());
    SmallVector<SmallVector<linalg::GenericOp>> loops;
    l.together([&] { loops = emitRowTiles(l, rows); });
    team.reset();
    for (ArrayRef<linalg::GenericOp> ops : loops)
      emitAll(ops);
  }

  /// A weight is packed for one operation: one that several read stays as it is.
  void keepWeightsReadOnce() {
    llvm::DenseMap<Value, unsigned> readers;
    for (linalg::GenericOp generic : generics)
      for (Value operand : generic->getOperands())
        if (BlockArgument memory = memoryOf(operand))
          ++readers[memory];
    for (BlockArgument arg : function.getArguments())
      if (readers.lookup(arg) != 1)
        function.removeArgAttr(arg.getArgNumber(), kWeightAttr);
  }

  /// Reductions over windows go without what makes a border and starts for them.
  void findWindows() {
    for (linalg::GenericOp op : SmallVector<linalg::GenericOp>(generics)) {
      std::optional<Window> window = findWindow(op, generics);
      LoopBuilder l(op);
      std::optional<Nest> nest = window ? readNest(l, *window) : std::nullopt;
      if (!nest)
        continue;
      arrangeLoops(l, *nest);
      if (!takesWindow(*nest))
        continue;
      for (linalg::GenericOp needless : {window->begin, window->border, window->copy})
        llvm::erase(generics, needless);
      windows.try_emplace(op, *window);
    }
  }

  /// What begins a product's sums as zero stands in front of the product, so that both become one.
  void sinkFills() {
    for (linalg::GenericOp fill : SmallVector<linalg::GenericOp>(generics)) {
      auto *at = llvm::find(generics, fill);
      linalg::GenericOp product = productOfFill(ArrayRef(at, generics.end()));
      if (!product)
        continue;
      fill->moveBefore(product);
      std::rotate(at, at + 1, llvm::find(generics, product));
    }
  }

  LoopBuilder builderAt(Operation *op) {
    LoopBuilder l(op->getNextNode());
    if (team) {
      auto number = [&](Value v) -> Value {
        return arith::IndexCastUIOp::create(l.b, l.b.getIndexType(), v);
      };
      l.team = {number(team->thread), number(team->num)};
    }
    return l;
  }

  /// Emits the first of `ops`, with those behind it that belong to it; gives their number.
  size_t emit(ArrayRef<linalg::GenericOp> ops) {
    if (size_t count = emitProduct(ops))
      return count;
    emitOne(ops.front());
    return 1;
  }

  /// 0: it is no product.
  size_t emitProduct(ArrayRef<linalg::GenericOp> ops) {
    std::optional<Neighbours> n = findNeighbours(ops);
    while (n) {
      size_t count = (n->fill ? 2 : 1) + n->epilogue.size();
      LoopBuilder l = builderAt(ops[count - 1]);
      std::optional<Form> form;
      l.together([&] {
        std::optional<Nest> nest = readNest(l, *n);
        if (nest)
          arrangeLoops(l, *nest);
        form = nest ? emitContraction(l, *nest, isa) : std::nullopt;
      });
      if (form) {
        code.loops.push_back({*form, ""});
        waitAfter(l, ops[count - 1]);
        for (linalg::GenericOp op : ops.take_front(count))
          eraseWithMemory(op);
        return count;
      }
      if (n->epilogue.empty())
        return 0;
      n->epilogue.clear();
    }
    return 0;
  }

  void emitOne(linalg::GenericOp generic) {
    LoopBuilder l = builderAt(generic);
    Form form = Form::Plain;
    StringRef whyNot = "an element's place is no sum of loops times constants";
    l.together([&] {
      auto window = windows.find(generic);
      std::optional<Nest> nest =
          window == windows.end() ? readNest(l, generic) : readNest(l, window->second);
      if (nest) {
        arrangeLoops(l, *nest);
        std::tie(form, whyNot) = emitNest(l, generic, *nest);
      }
      if (form == Form::Plain && team)
        generic->moveBefore(l.b.getInsertionBlock(), l.b.getInsertionPoint());
    });
    waitAfter(l, generic);
    code.loops.push_back({form, whyNot.str()});
    if (form != Form::Plain)
      generic.erase();
    eraseAround(generic);
  }

  /// The operations that a reduction over windows goes without.
  void eraseAround(Operation *reduction) {
    Window window = windows.lookup(reduction);
    windows.erase(reduction);
    for (linalg::GenericOp needless : {window.begin, window.copy, window.border}) {
      if (!needless)
        continue;
      Value memory = needless.getDpsInitOperand(0)->get();
      needless.erase();
      while (Operation *view = memory.getDefiningOp()) {
        if (auto alloc = dyn_cast<memref::AllocOp>(view)) {
          eraseUnused(alloc);
          break;
        }
        if (!mlir::isa<memref::CastOp, memref::CollapseShapeOp, memref::SubViewOp,
                       memref::TransposeOp>(view))
          break;
        memory = view->getOperand(0);
      }
    }
  }

  /// What it became; plain loops: nothing, and why.
  std::pair<Form, StringRef> emitNest(LoopBuilder &l, linalg::GenericOp generic, const Nest &nest) {
    if (emitFirst(l, generic, nest, isa))
      return {Form::First, ""};
    if (emitScan(l, nest, isa))
      return {Form::Scan, ""};
    StringRef whyNot = emitVectorLoops(l, nest, isa);
    return {whyNot.empty() ? Form::Vectors : Form::Plain, whyNot};
  }

  static void arrangeLoops(LoopBuilder &l, Nest &nest) {
    orderLoops(nest);
    mergeLoops(l, nest);
  }

  void waitAfter(LoopBuilder &l, linalg::GenericOp op) {
    if (team && op != generics.back())
      emitBarrier(l, *team);
  }

  func::FuncOp function;
  const Isa &isa;
  bool isLarge; ///< enough for a team
  SmallVector<linalg::GenericOp> generics;
  llvm::DenseMap<Operation *, Window> windows; ///< of reductions over them
  std::optional<TeamArguments> team;
  ptc::cpu::KernelCode code; ///< what became of it so far
};
} // namespace

ptc::cpu::KernelCode ptc::cpu::emitKernels(func::FuncOp function, const Isa &isa,
                                           double teamSeconds) {
  return FunctionEmitter(function, isa, teamSeconds).run();
}

StringRef ptc::cpu::stringifyForm(Form form) {
  switch (form) {
  case Form::Panels:
    return "panels";
  case Form::Dots:
    return "dots";
  case Form::PanelsOrDots:
    return "panels or dots";
  case Form::Vectors:
    return "vectors";
  case Form::Scan:
    return "scan";
  case Form::Sort:
    return "sort";
  case Form::First:
    return "first of an order";
  case Form::Plain:
    return "plain loops";
  }
  llvm_unreachable("closed enum");
}
