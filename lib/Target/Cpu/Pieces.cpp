//===- Pieces.cpp - Long functions as several, many arguments as one ------------------------===//
//
// In: the llvm dialect: functions as long as the program that they carry out, and calls of as many
// arguments as it has tensors. Out: the same in functions of a bounded length that take few
// arguments: LLVM's analyses of a function, and of a call, take more than its length.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ptc::cpu;

/// Operations of one piece; a function of twice as many is worth taking apart.
static constexpr size_t kPiece = 256;
/// Less than this is not worth a call.
static constexpr size_t kLeast = 32;
/// Operations of a block without successors, of which each piece has a copy of its own.
static constexpr size_t kMostOfReturnBlock = 16;
static constexpr unsigned kMostArguments = 64, kMostExits = 4;
/// Of records; memory of a function that wants more stays where it is.
static constexpr uint64_t kAlignment = 64;

static size_t lengthOf(Block &block) { return block.getOperations().size(); }

namespace {
/// Memory of a function in which values lie that other functions use.
struct Record {
  Value address;
  LLVM::ConstantOp bytes;

  void reserve(uint64_t size) {
    auto known = uint64_t(cast<IntegerAttr>(bytes.getValue()).getInt());
    bytes.setValueAttr(OpBuilder(bytes).getI64IntegerAttr(int64_t(std::max(known, size))));
  }
};

/// Places values one behind the other.
class Places {
public:
  explicit Places(ModuleOp code) : layout(code) {}

  uint64_t add(Type type, uint64_t count = 1, uint64_t alignment = 1) {
    uint64_t at = llvm::alignTo(size, std::max(alignment, layout.getTypeABIAlignment(type)));
    size = at + layout.getTypeSize(type).getFixedValue() * count;
    return at;
  }
  uint64_t size = 0;

private:
  DataLayout layout;
};
} // namespace

/// Made where the function begins.
static Record makeRecord(LLVM::LLVMFuncOp function) {
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  b.setInsertionPointToStart(&function.getBody().front());
  auto bytes = LLVM::ConstantOp::create(b, b.getI64Type(), 0);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  return {LLVM::AllocaOp::create(b, pointer, b.getI8Type(), bytes, kAlignment), bytes};
}

static Value placeIn(OpBuilder &b, Location loc, Value record, uint64_t at) {
  return LLVM::GEPOp::create(b, loc, record.getType(), b.getI8Type(), record,
                             ArrayRef<LLVM::GEPArg>{int32_t(at)});
}
static void store(OpBuilder &b, Location loc, Value value, Value record, uint64_t at) {
  LLVM::StoreOp::create(b, loc, value, placeIn(b, loc, record, at));
}
static Value load(OpBuilder &b, Location loc, Type type, Value record, uint64_t at) {
  return LLVM::LoadOp::create(b, loc, type, placeIn(b, loc, record, at));
}
/// Loads for each of the operands, in front of its operation.
static void loadFor(ArrayRef<OpOperand *> uses, Value record, uint64_t at) {
  for (OpOperand *use : uses) {
    OpBuilder b(use->getOwner());
    use->set(load(b, use->getOwner()->getLoc(), use->get().getType(), record, at));
  }
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Gives `function` its arguments in a record that its callers fill.
static void takeRecord(LLVM::LLVMFuncOp function, ArrayRef<LLVM::CallOp> calls,
                       llvm::DenseMap<Operation *, Record> &records) {
  Places places(function->getParentOfType<ModuleOp>());
  Block &entry = function.getBody().front();
  auto pointer = LLVM::LLVMPointerType::get(function.getContext());
  BlockArgument taken = entry.addArgument(pointer, function.getLoc());
  SmallVector<uint64_t> at;
  for (BlockArgument argument : entry.getArguments().drop_back()) {
    at.push_back(places.add(argument.getType()));
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : argument.getUses())
      uses.push_back(&use);
    loadFor(uses, taken, at.back());
  }
  entry.eraseArguments(0, unsigned(at.size()));
  function.removeArgAttrsAttr();
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(function.getFunctionType().getReturnType(), {pointer}));
  for (LLVM::CallOp call : calls) {
    auto caller = call->getParentOfType<LLVM::LLVMFuncOp>();
    auto [record, isNew] = records.try_emplace(caller);
    if (isNew)
      record->second = makeRecord(caller);
    record->second.reserve(places.size);
    OpBuilder b(call);
    for (auto [operand, place] : llvm::zip_equal(call.getCalleeOperands(), at))
      store(b, call.getLoc(), operand, record->second.address, place);
    call.removeArgAttrsAttr();
    call.getCalleeOperandsMutable().assign(record->second.address);
  }
}

/// Functions of the object that are called by name alone, by what they have for arguments.
static void boundArguments(ModuleOp code) {
  llvm::MapVector<StringAttr, SmallVector<LLVM::CallOp, 1>> calls;
  code.walk([&](LLVM::CallOp call) {
    if (FlatSymbolRefAttr callee = call.getCalleeAttr();
        callee && call.getCalleeOperands().size() > kMostArguments)
      calls[callee.getAttr()].push_back(call);
  });
  if (calls.empty())
    return;
  code.walk([&](LLVM::AddressOfOp address) { calls.erase(address.getGlobalNameAttr().getAttr()); });
  SymbolTable symbols(code);
  llvm::DenseMap<Operation *, Record> records;
  for (auto &[name, callers] : calls) {
    auto function = symbols.lookup<LLVM::LLVMFuncOp>(name);
    if (!function.isExternal() && function.getLinkage() == LLVM::Linkage::Internal)
      takeRecord(function, callers, records);
  }
}

//===----------------------------------------------------------------------===//
// Length
//===----------------------------------------------------------------------===//

namespace {

/// Takes stretches of blocks out of a function that are entered at their first block and left for
/// few others or for good. Values that are used on both sides of such a border lie in a record.
class Pieces {
public:
  explicit Pieces(LLVM::LLVMFuncOp function)
      : function(function), places(function->getParentOfType<ModuleOp>()) {}

  void run();

private:
  /// Blocks that are entered at the first one, as far as anything is known.
  struct Stretch {
    SmallVector<Block *> blocks;
    size_t length = 0;

    void append(const Stretch &other) {
      blocks.append(other.blocks);
      length += other.length;
    }
  };

  bool isRematerializable(Operation *op) const;
  void hoistToEntry();
  void cut(Operation *op);
  void boundBlocks();
  void findTree();
  SmallVector<Stretch> walk(Block *root);
  bool isPiece(ArrayRef<Block *> blocks) const;
  llvm::SetVector<Block *> exitsOf(ArrayRef<Block *> blocks) const;
  Stretch outline(SmallVector<Block *> blocks);
  Block *enterFromRecord(Block *block);
  void cloneReturnBlocks(SmallVectorImpl<Block *> &blocks);
  Block *getCommonReturn();
  LLVM::LLVMFuncOp makeFunction();
  void connectLiveValues(ArrayRef<Block *> blocks, OpBuilder &b, Value record);
  uint64_t slotOf(Value value);

  LLVM::LLVMFuncOp function;
  Record record;
  Places places;
  llvm::DenseMap<Value, uint64_t> slots;
  std::optional<uint64_t> result;                         ///< where the function's result lies
  llvm::DenseMap<Block *, SmallVector<Block *, 2>> below; ///< in the dominator tree
  llvm::DenseMap<Block *, size_t> lengths;                ///< of blocks with what is below them
  llvm::DenseSet<Block *> returnBlocks;                   ///< short ones without successors
  /// By block that pieces go to: where its arguments lie, and the block that goes there with them.
  llvm::DenseMap<Block *, SmallVector<uint64_t, 4>> given;
  llvm::DenseMap<Block *, Block *> enter;
  Block *commonReturn = nullptr; ///< returns what a piece has left as the result
  SmallVector<LLVM::LLVMFuncOp> made;
};

} // namespace

/// Whether a function that has the record can make it again at no cost.
bool Pieces::isRematerializable(Operation *op) const {
  if (auto place = dyn_cast_or_null<LLVM::GEPOp>(op))
    return place.getBase() == record.address && place.getDynamicIndices().empty();
  return op && op->getNumOperands() == 0 &&
         (op->hasTrait<OpTrait::ConstantLike>() || isa<LLVM::AddressOfOp>(op));
}

/// Moves what every piece can make again in front of the others, and puts memory that lives as long
/// as the function into the record.
void Pieces::hoistToEntry() {
  Block &entry = function.getBody().front();
  Operation *last = record.address.getDefiningOp();
  auto moveUp = [&](Operation *op) {
    op->moveAfter(last);
    last = op;
  };
  SmallVector<Operation *> free;
  SmallVector<LLVM::AllocaOp> memory;
  function.walk([&](Operation *op) {
    if (op != record.bytes && isRematerializable(op))
      free.push_back(op);
    if (auto alloca = dyn_cast<LLVM::AllocaOp>(op);
        alloca && op != last && op->getBlock() == &entry &&
        alloca.getAlignment().value_or(1) <= kAlignment &&
        alloca.getArraySize().getDefiningOp<LLVM::ConstantOp>())
      memory.push_back(alloca);
  });
  llvm::for_each(free, moveUp);
  for (LLVM::AllocaOp alloca : memory) {
    auto count = alloca.getArraySize().getDefiningOp<LLVM::ConstantOp>();
    uint64_t at =
        places.add(alloca.getElemType(), uint64_t(cast<IntegerAttr>(count.getValue()).getInt()),
                   alloca.getAlignment().value_or(1));
    OpBuilder b(function.getContext());
    b.setInsertionPointAfter(last);
    Value place = placeIn(b, alloca.getLoc(), record.address, at);
    last = place.getDefiningOp();
    alloca.replaceAllUsesWith(place);
    alloca.erase();
  }
  cut(last->getNextNode());
}

/// The block goes on in a block of its own from `op` on.
void Pieces::cut(Operation *op) {
  Block *block = op->getBlock(), *rest = block->splitBlock(op);
  OpBuilder b = OpBuilder::atBlockEnd(block);
  LLVM::BrOp::create(b, function.getLoc(), ValueRange(), rest);
}

/// Blocks get at most the length of a piece.
void Pieces::boundBlocks() {
  SmallVector<Operation *> cuts;
  for (Block &block : function.getBody())
    if (!block.isEntryBlock())
      for (auto [i, op] : llvm::enumerate(block))
        if (i && i % kPiece == 0)
          cuts.push_back(&op);
  for (Operation *op : llvm::reverse(cuts))
    cut(op);
}

/// The dominator tree of the blocks, without short blocks that return.
void Pieces::findTree() {
  for (Block &block : function.getBody())
    if (block.getTerminator()->getNumSuccessors() == 0 && lengthOf(block) <= kMostOfReturnBlock)
      returnBlocks.insert(&block);
  DominanceInfo dominance(function);
  SmallVector<Block *> order; // what is below comes behind
  for (DominanceInfoNode *node : llvm::depth_first(dominance.getRootNode(&function.getBody())))
    if (!returnBlocks.contains(node->getBlock())) {
      order.push_back(node->getBlock());
      if (node->getIDom())
        below[node->getIDom()->getBlock()].push_back(node->getBlock());
    }
  for (Block *block : llvm::reverse(order)) {
    size_t length = lengthOf(*block);
    for (Block *child : below[block])
      length += lengths[child];
    lengths[block] = length;
  }
}

/// What `root` dominates: a chain of blocks, each with what it dominates besides the next one.
/// Stretches of the chain become pieces.
SmallVector<Pieces::Stretch> Pieces::walk(Block *root) {
  SmallVector<Stretch> chain;
  for (Block *block = root; block;) {
    Block *next = nullptr;
    for (Block *child : below[block])
      if (!next || lengths[child] > lengths[next])
        next = child;
    Stretch &stretch = chain.emplace_back();
    stretch.blocks.push_back(block);
    stretch.length = lengthOf(*block);
    for (Block *child : below[block])
      if (child != next)
        for (const Stretch &part : walk(child))
          stretch.append(part);
    block = next;
  }
  SmallVector<Stretch> left;
  for (size_t i = 0; i < chain.size();) {
    Stretch piece;
    size_t end = i;
    while (end < chain.size() && (end == i || piece.length + chain[end].length <= kPiece))
      piece.append(chain[end++]);
    bool isFirst = piece.blocks.front() == &function.getBody().front();
    if (isFirst || piece.length < kLeast || !isPiece(piece.blocks)) {
      left.push_back(std::move(chain[i++]));
      continue;
    }
    left.push_back(outline(std::move(piece.blocks)));
    i = end;
  }
  return left;
}

/// Where blocks go to besides each other and blocks that return.
llvm::SetVector<Block *> Pieces::exitsOf(ArrayRef<Block *> blocks) const {
  llvm::DenseSet<Block *> inside(llvm::from_range, blocks);
  llvm::SetVector<Block *> exits;
  for (Block *block : blocks)
    for (Block *to : block->getSuccessors())
      if (!inside.contains(to) && !returnBlocks.contains(to))
        exits.insert(to);
  return exits;
}

/// Whether the blocks are entered at the first alone, left for few others, and own no memory.
bool Pieces::isPiece(ArrayRef<Block *> blocks) const {
  llvm::DenseSet<Block *> inside(llvm::from_range, blocks);
  for (Block *block : blocks)
    if (!block->getOps<LLVM::AllocaOp>().empty() ||
        (block != blocks.front() && !llvm::all_of(block->getPredecessors(), [&](Block *from) {
           return inside.contains(from);
         })))
      return false;
  return exitsOf(blocks).size() <= kMostExits;
}

/// Gives the blocks copies of the short blocks without successors that they go to.
void Pieces::cloneReturnBlocks(SmallVectorImpl<Block *> &blocks) {
  llvm::MapVector<Block *, Block *> copies;
  for (Block *block : blocks) {
    Operation *branch = block->getTerminator();
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
      Block *end = branch->getSuccessor(i);
      if (!returnBlocks.contains(end))
        continue;
      Block *&copy = copies[end];
      if (!copy) {
        copy = new Block();
        function.getBody().push_back(copy);
        IRMapping mapping;
        for (BlockArgument argument : end->getArguments())
          mapping.map(argument, copy->addArgument(argument.getType(), argument.getLoc()));
        OpBuilder b = OpBuilder::atBlockEnd(copy);
        for (Operation &op : *end)
          b.clone(op, mapping);
      }
      branch->setSuccessor(copy, i);
    }
  }
  for (auto [end, copy] : copies) {
    blocks.push_back(copy);
    if (end->hasNoPredecessors() && end != commonReturn) {
      returnBlocks.erase(end);
      end->erase();
    }
  }
}

/// `i32 f(record)`: which exit it takes, counted from 1; 0: the function returns.
LLVM::LLVMFuncOp Pieces::makeFunction() {
  OpBuilder b(function.getContext());
  b.setInsertionPointAfter(made.empty() ? function : made.back());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer});
  auto piece = LLVM::LLVMFuncOp::create(
      b, function.getLoc(), (function.getSymName() + "_piece_" + Twine(made.size())).str(), type,
      LLVM::Linkage::Internal);
  SmallVector<Attribute> attributes{b.getStringAttr("noinline")};
  if (ArrayAttr given = function.getPassthroughAttr())
    attributes.append(given.begin(), given.end());
  llvm::SmallSetVector<Attribute, 4> unique(llvm::from_range, attributes);
  piece.setPassthroughAttr(b.getArrayAttr(unique.getArrayRef()));
  made.push_back(piece);
  return piece;
}

/// Where the value lies in the record; it is put there where it is defined.
uint64_t Pieces::slotOf(Value value) {
  auto [slot, isNew] = slots.try_emplace(value, 0);
  if (isNew) {
    slot->second = places.add(value.getType());
    OpBuilder b(function.getContext());
    b.setInsertionPointAfterValue(value);
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner()->isEntryBlock())
      b.setInsertionPointAfter(record.address.getDefiningOp());
    store(b, value.getLoc(), value, record.address, slot->second);
  }
  return slot->second;
}

/// Live-in and live-out values of the blocks, which are those of a function now: through the
/// record, or made again.
void Pieces::connectLiveValues(ArrayRef<Block *> blocks, OpBuilder &b, Value taken) {
  llvm::DenseSet<Block *> inside(llvm::from_range, blocks);
  llvm::DenseMap<Value, Value> reloaded;
  reloaded[record.address] = taken;
  auto reload = [&](Value value) {
    Value &here = reloaded[value];
    if (here)
      return here;
    if (Operation *op = value.getDefiningOp(); isRematerializable(op)) {
      IRMapping mapping;
      mapping.map(record.address, taken);
      return here = b.clone(*op, mapping)->getResult(0);
    }
    uint64_t at = slotOf(value);
    return here = load(b, value.getLoc(), value.getType(), taken, at);
  };
  auto spillLiveOuts = [&](Value value) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (!inside.contains(use.getOwner()->getBlock()))
        uses.push_back(&use);
    if (uses.empty())
      return;
    uint64_t at = slotOf(value);
    loadFor(uses, record.address, at);
  };
  for (Block *block : blocks) {
    for (BlockArgument argument : block->getArguments())
      spillLiveOuts(argument);
    for (Operation &op : llvm::make_early_inc_range(*block))
      for (Value value : op.getResults())
        spillLiveOuts(value);
  }
  for (Block *block : blocks)
    for (Operation &op : *block)
      for (OpOperand &operand : op.getOpOperands())
        if (!inside.contains(operand.get().getParentBlock()))
          operand.set(reload(operand.get()));
}

/// Sends those of `blocks` that go to `from`, or with `outside` all others, to `to`.
static void redirect(Block *from, Block *to, ArrayRef<Block *> blocks, bool outside) {
  llvm::DenseSet<Block *> inside(llvm::from_range, blocks);
  for (BlockOperand &use : llvm::make_early_inc_range(from->getUses()))
    if (inside.contains(use.getOwner()->getBlock()) != outside)
      use.set(to);
}

/// The block that goes to `block` with the arguments that a piece has left in the record.
Block *Pieces::enterFromRecord(Block *block) {
  Block *&from = enter[block];
  if (from)
    return from;
  from = new Block();
  function.getBody().getBlocks().insert(block->getIterator(), from);
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  b.setInsertionPointToEnd(from);
  SmallVector<Value> values;
  for (Type type : block->getArgumentTypes()) {
    given[block].push_back(places.add(type));
    values.push_back(load(b, b.getLoc(), type, record.address, given[block].back()));
  }
  LLVM::BrOp::create(b, values, block);
  return from;
}

/// Makes the blocks a function; the block that calls it stands for them.
Pieces::Stretch Pieces::outline(SmallVector<Block *> blocks) {
  cloneReturnBlocks(blocks);
  llvm::SetVector<Block *> exits = exitsOf(blocks);
  for (Block *exit : exits)
    if (auto from = enter.find(exit);
        from != enter.end() && llvm::is_contained(blocks, from->second)) {
      enter.erase(from); // goes into the piece
      given.erase(exit);
    }
  LLVM::LLVMFuncOp piece = makeFunction();
  Block *head = blocks.front(), *call = new Block();
  function.getBody().getBlocks().insert(head->getIterator(), call);
  redirect(head, call, blocks, /*outside=*/true);
  Stretch left{{call}, 0};
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  Block *entry = piece.addEntryBlock(b);
  Value taken = entry->getArgument(0);
  auto answer = [&](size_t exit) {
    Value number = LLVM::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(exit)));
    LLVM::ReturnOp::create(b, number);
  };
  bool mayEnd = exits.empty();
  for (Block *block : blocks) {
    auto end = dyn_cast<LLVM::ReturnOp>(block->getTerminator());
    if (!end)
      continue;
    b.setInsertionPoint(end);
    if (Value value = end.getArg(); value && result)
      store(b, b.getLoc(), value, record.address, *result);
    answer(0);
    end.erase();
    mayEnd = true;
  }
  SmallVector<uint64_t> taking;
  SmallVector<Value> values;
  b.setInsertionPointToEnd(entry);
  for (BlockArgument argument : head->getArguments()) {
    taking.push_back(places.add(argument.getType()));
    values.push_back(load(b, b.getLoc(), argument.getType(), taken, taking.back()));
  }
  Operation *begin = LLVM::BrOp::create(b, values, head);
  SmallVector<Block *> targets;
  for (auto [i, exit] : llvm::enumerate(exits)) {
    bool isNew = !enter.contains(exit);
    targets.push_back(enterFromRecord(exit));
    if (isNew)
      left.blocks.push_back(targets.back());
    Block *leave = new Block();
    function.getBody().push_back(leave);
    redirect(exit, leave, blocks, /*outside=*/false);
    b.setInsertionPointToEnd(leave);
    for (auto [type, at] : llvm::zip_equal(exit->getArgumentTypes(), given[exit]))
      store(b, b.getLoc(), leave->addArgument(type, b.getLoc()), record.address, at);
    answer(i + 1);
    blocks.push_back(leave);
  }
  for (Block *block : blocks)
    block->moveBefore(&piece.getBody(), piece.getBody().end());
  b.setInsertionPoint(begin);
  connectLiveValues(blocks, b, taken);

  b.setInsertionPointToEnd(call);
  for (auto [type, at] : llvm::zip_equal(head->getArgumentTypes(), taking))
    store(b, b.getLoc(), call->addArgument(type, b.getLoc()), record.address, at);
  Value exit = LLVM::CallOp::create(b, piece, record.address).getResult();
  if (mayEnd)
    targets.insert(targets.begin(), getCommonReturn());
  SmallVector<int32_t> numbers;
  for (size_t i = 1; i < targets.size(); ++i)
    numbers.push_back(int32_t(i) + !mayEnd);
  if (numbers.empty())
    LLVM::BrOp::create(b, ValueRange(), targets.front());
  else
    LLVM::SwitchOp::create(b, exit, targets.front(), ValueRange(), numbers,
                           ArrayRef(targets).drop_front(), SmallVector<ValueRange>(numbers.size()));
  for (Block *block : left.blocks)
    left.length += lengthOf(*block);
  return left;
}

/// The block that returns what a piece has left as the result.
Block *Pieces::getCommonReturn() {
  if (commonReturn)
    return commonReturn;
  commonReturn = new Block();
  function.getBody().push_back(commonReturn);
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  b.setInsertionPointToEnd(commonReturn);
  Type type = function.getFunctionType().getReturnType();
  SmallVector<Value> values;
  if (result)
    values.push_back(load(b, b.getLoc(), type, record.address, *result));
  LLVM::ReturnOp::create(b, values);
  returnBlocks.insert(commonReturn);
  return commonReturn;
}

void Pieces::run() {
  size_t length = 0;
  for (Block &block : function.getBody())
    length += lengthOf(block);
  if (length <= 2 * kPiece)
    return;
  record = makeRecord(function);
  if (Type type = function.getFunctionType().getReturnType(); !isa<LLVM::LLVMVoidType>(type))
    result = places.add(type);
  hoistToEntry();
  boundBlocks();
  findTree();
  walk(&function.getBody().front());
  record.reserve(places.size);
}

void ptc::cpu::boundFunctions(ModuleOp code) {
  boundArguments(code);
  for (auto function : llvm::make_early_inc_range(code.getOps<LLVM::LLVMFuncOp>()))
    if (function->hasAttr(kStepsAttr))
      Pieces(function).run();
}
