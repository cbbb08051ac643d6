//===- HostResult.cpp - How a call ends -----------------------------------------------------===//
//
// In: program.finish. Out: leaves of the result, written inputs, next contents of slots, or the
// exception. What callers hold is written last: nothing that is read lies there any more.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

static LLVM::LLVMPointerType pointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

//===----------------------------------------------------------------------===//
// Numbers in ptc_value
//===----------------------------------------------------------------------===//

void Host::storeNumber(Value number, Value to) {
  bool isBool = number.getType().isInteger(1), isReal = number.getType().isF64();
  uint8_t tag = isBool ? ptc_tag_Bool : isReal ? ptc_tag_Float : ptc_tag_Int;
  // The whole word: the bytes behind the tag are reserved.
  store(i64(tag), to, offsetof(ptc_value, tag));
  if (isBool)
    number = arith::ExtUIOp::create(b, b.getI64Type(), number);
  else if (number.getType().isIndex())
    number = arith::IndexCastOp::create(b, b.getI64Type(), number);
  store(number, to, offsetof(ptc_value, as));
}

Value Host::loadNumber(Type type, Value from) {
  if (type.isF64())
    return load(type, from, offsetof(ptc_value, as));
  Value integer = load(b.getI64Type(), from, offsetof(ptc_value, as));
  if (type.isInteger(1))
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, integer, i64(0));
  if (type.isIndex())
    return arith::IndexCastOp::create(b, type, integer);
  return integer;
}

//===----------------------------------------------------------------------===//
// Storages
//===----------------------------------------------------------------------===//

/// Memory for what `op` places: of the one leaf that is exactly this, or shared by several.
llvm::Expected<Value> Host::outputMemory(program::PlaceOp op) {
  Type type = op.getResult().getType();
  Value memory;
  if (auto leaf = soleLeafOf.find(op); leaf != soleLeafOf.end()) {
    llvm::Expected<Value> shape = shapeOf(type, op);
    if (!shape)
      return shape.takeError();
    memory = callService(offsetof(ptc_services, output), pointerType(b.getContext()),
                         {frame, i32(leaf->second), *shape})
                 .getResult();
  } else {
    llvm::Expected<Value> bytes = byteCount(type, op);
    if (!bytes)
      return bytes.takeError();
    memory = callService(offsetof(ptc_services, storage), pointerType(b.getContext()),
                         {frame, i32(storageOf.lookup(op)), *bytes})
                 .getResult();
  }
  returnIfNull(memory);
  return memory;
}

/// Which leaves are whole storages, and the numbers of those that several leaves share.
void Host::numberStorages(Block &block) {
  soleLeafOf.clear();
  storageOf.clear();
  outcomePlaces = llvm::to_vector(block.getOps<program::PlaceOp>());
  auto end = cast<program::EndOp>(block.getTerminator());
  unsigned storages = 0;
  for (program::PlaceOp place : outcomePlaces) {
    if (place.getInput())
      continue;
    bool isSole = place.getResult().hasOneUse() && *place.getResult().user_begin() == end;
    if (isSole)
      soleLeafOf[place] = place.getResult().use_begin()->getOperandNumber();
    else
      storageOf[place] = storages++;
  }
  out->numStorages = std::max(out->numStorages, storages);
}

llvm::Error Host::emitPlace(program::PlaceOp op) {
  if (std::optional<uint64_t> input = op.getInput()) {
    set(op.getResult(), get(variant.getBody().getArgument(unsigned(*input))));
    return llvm::Error::success(); // what is written there is written last
  }
  plan::PlaceAttr given;
  if (auto result = dyn_cast<OpResult>(op.getContents()))
    given = plan::placeOf(result);
  Value contents = get(op.getContents());
  if (given && given.getKind() == plan::PlaceKind::Output) {
    set(op.getResult(), contents);
    return llvm::Error::success();
  }
  // An alternative of the result that this path does not have stays null: nothing chooses it.
  Block *copies = newBlock(), *after = newBlock({contents.getType()});
  Value null = LLVM::ZeroOp::create(b, contents.getType());
  cf::CondBranchOp::create(b, isNull(contents), after, ValueRange(null), copies, ValueRange());
  b.setInsertionPointToEnd(copies);
  llvm::Expected<Value> memory = outputMemory(op);
  if (!memory)
    return memory.takeError();
  if (llvm::Error error = copy(contents, *memory, op.getContents().getType(), op))
    return error;
  cf::BranchOp::create(b, after, *memory);
  b.setInsertionPointToEnd(after);
  set(op.getResult(), after->getArgument(0));
  return llvm::Error::success();
}

/// Whether what `tensor` shows may lie in memory of an argument.
bool Host::mayReadInput(Value tensor) const {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return true; // an argument, or what a loop hands on
  if (auto view = dyn_cast<program::ViewOp>(op))
    return mayReadInput(view.getBase());
  if (auto retype = dyn_cast<program::RetypeOp>(op))
    return mayReadInput(retype.getValue());
  return !isa<plan::KernelOp, program::ScatterOp, program::TensorOp, program::LiteralOp,
              program::WeightOp, program::GetStateOp>(op);
}

llvm::Error Host::writeInputs(ArrayRef<program::PlaceOp> places) {
  // What comes from an argument is set aside first: the same memory may be written before it is
  // read.
  SmallVector<Value> sources;
  for (program::PlaceOp op : places) {
    bindOperands(op.getContents());
    Value from = use(op.getContents(), op);
    if (mayReadInput(op.getContents())) {
      llvm::Expected<Value> bytes = byteCount(op.getContents().getType(), op);
      if (!bytes)
        return bytes.takeError();
      Value aside = blockOf(*bytes, 1);
      if (llvm::Error error = copy(from, aside, op.getContents().getType(), op))
        return error;
      from = aside;
    }
    sources.push_back(from);
  }
  for (auto [place, from] : llvm::zip_equal(places, sources)) {
    program::PlaceOp op = place;
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): all of `places` are arguments
    BlockArgument home = variant.getBody().getArgument(unsigned(*op.getInput()));
    bindOperands(op.getContents());
    llvm::Expected<Geometry> given = geometryOf(op.getContents().getType(), op);
    if (!given)
      return given.takeError();
    llvm::Expected<Geometry> kept = geometryOf(home.getType(), op);
    if (!kept)
      return kept.takeError();
    if (program.onDevice)
      callService(offsetof(ptc_services, writes), {},
                  {frame, i32(variant.getLeaves()[home.getArgNumber()])});
    copy(from, *given, get(home), *kept, cast<RankedTensorType>(home.getType()).getElementType());
  }
  return llvm::Error::success();
}

/// Whether what `tensor` shows is memory that the result shares with the caller.
static bool isPlaced(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto view = dyn_cast_or_null<program::ViewOp>(op))
    return isPlaced(view.getBase());
  if (auto retype = dyn_cast_or_null<program::RetypeOp>(op))
    return isPlaced(retype.getValue());
  return isa_and_nonnull<program::PlaceOp>(op);
}

/// A leaf for a text, which is made when the arguments are written already: a copy in memory that
/// stays for the caller. Null where the path does not have the tensor.
llvm::Expected<Value> Host::keepShown(Value tensor, unsigned storage, program::EndOp end) {
  bindOperands(tensor);
  Value address = get(tensor), null = LLVM::ZeroOp::create(b, address.getType());
  Block *copies = newBlock(), *after = newBlock({address.getType()});
  cf::CondBranchOp::create(b, isNull(address), after, ValueRange(null), copies, ValueRange());
  b.setInsertionPointToEnd(copies);
  llvm::Expected<Value> bytes = byteCount(tensor.getType(), end);
  if (!bytes)
    return bytes.takeError();
  Value memory =
      callService(offsetof(ptc_services, storage), address.getType(), {frame, i32(storage), *bytes})
          .getResult();
  out->numStorages = std::max(out->numStorages, storage + 1);
  returnIfNull(memory);
  if (llvm::Error error = copy(address, memory, tensor.getType(), end))
    return std::move(error);
  cf::BranchOp::create(b, after, memory);
  b.setInsertionPointToEnd(after);
  return after->getArgument(0);
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

llvm::Error Host::emitSetState(program::SetStateOp op) {
  std::optional<unsigned> slot = program.slotOf(op.getState());
  if (!slot)
    return refuse(op, "a slot that is not there");
  Type type = op.getValue().getType();
  bool isTensor = isa<RankedTensorType>(type);
  if (!isTensor && !isa<IntegerType, IndexType, Float64Type>(type))
    return refuse(op, "state of this type");
  Value pending = pendingStates.lookup(*slot);
  // What a path does not have is not read by the next call either.
  Block *after = pending && isTensor ? newBlock() : nullptr;
  if (after) {
    Block *sets = newBlock();
    cf::CondBranchOp::create(b, isNull(get(op.getValue())), after, ValueRange(), sets,
                             ValueRange());
    b.setInsertionPointToEnd(sets);
  }
  if (pending)
    store(i64(1), pending, 0);
  else
    nextStates[*slot] = isTensor ? Value() : get(op.getValue());
  if (!isTensor) {
    if (pending)
      storeNumber(get(op.getValue()), offsetBy(pending, 8));
    return llvm::Error::success();
  }
  llvm::Expected<Value> shape = shapeOf(type, op);
  if (!shape)
    return shape.takeError();
  Value memory = callService(offsetof(ptc_services, state), pointerType(b.getContext()),
                             {frame, i32(*slot), *shape})
                     .getResult();
  returnIfNull(memory);
  if (llvm::Error error = copy(get(op.getValue()), memory, type, op))
    return error;
  if (after) {
    cf::BranchOp::create(b, after);
    b.setInsertionPointToEnd(after);
  }
  return llvm::Error::success();
}

/// Slots that are set within branches and loops, or with what some paths do not have.
void Host::findPendingStates() {
  owner->walk([&](program::SetStateOp op) {
    Operation *parent = op->getParentOp();
    std::optional<unsigned> slot = program.slotOf(op.getState());
    bool isSet =
        (parent == owner || isa<program::FinishOp>(parent)) &&
        (!isa<RankedTensorType>(op.getValue().getType()) || !mayBeUndefined(op.getValue()));
    if (isSet || !slot || pendingStates.lookup(*slot))
      return;
    Value memory = stackSlot(8 + sizeof(ptc_value));
    store(i64(0), memory, 0);
    pendingStates[*slot] = memory;
  });
}

void Host::commitSlot(unsigned slot, Value number) {
  if (!number) {
    callService(offsetof(ptc_services, state_commit), {}, {frame, i32(slot)});
    return;
  }
  Value slots = load(pointerType(b.getContext()), frame, offsetof(ptc_frame, state));
  storeNumber(number, offsetBy(slots, slot * sizeof(ptc_slot) + offsetof(ptc_slot, value)));
}

void Host::commit(unsigned outcome) {
  if (program.onDevice) // slots keep what they have
    returnIfFailed(
        callService(offsetof(ptc_services, settle), b.getI32Type(), {frame}).getResult());
  for (auto [slot, number] : nextStates)
    commitSlot(slot, number);
  for (auto [slot, memory] : pendingStates) {
    Value isSet =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, load(b.getI64Type(), memory, 0), i64(0));
    Block *sets = newBlock(), *after = newBlock();
    cf::CondBranchOp::create(b, isSet, sets, ValueRange(), after, ValueRange());
    b.setInsertionPointToEnd(sets);
    Type type = program.code.states[slot].type;
    commitSlot(slot, isa<RankedTensorType>(type) ? Value() : loadNumber(type, offsetBy(memory, 8)));
    cf::BranchOp::create(b, after);
    b.setInsertionPointToEnd(after);
  }
  store(i32(outcome), frame, offsetof(ptc_frame, outcome));
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

llvm::Error Host::storeLeaf(Value leaf, unsigned index, Value base, Operation *op) {
  if (isa<program::ListType>(leaf.getType()))
    return giveList(leaf, index, op);
  if (!isa<RankedTensorType>(leaf.getType())) {
    if (!isa<IntegerType, IndexType, Float64Type>(leaf.getType()))
      return refuse(op, "a result of this type");
    storeNumber(get(leaf), offsetBy(base, index * sizeof(ptc_value)));
    return llvm::Error::success();
  }
  if (Operation *maker = leaf.getDefiningOp(); maker && soleLeafOf.contains(maker))
    return llvm::Error::success();
  bindOperands(leaf);
  Value address = get(leaf);
  Block *shows = newBlock(), *after = newBlock();
  cf::CondBranchOp::create(b, isNull(address), after, ValueRange(), shows, ValueRange());
  b.setInsertionPointToEnd(shows);
  llvm::Expected<Value> shape = shapeOf(leaf.getType(), op);
  if (!shape)
    return shape.takeError();
  returnIfFailed(callService(offsetof(ptc_services, view), b.getI32Type(),
                             {frame, i32(index), address, *shape})
                     .getResult());
  cf::BranchOp::create(b, after);
  b.setInsertionPointToEnd(after);
  return llvm::Error::success();
}

/// The number of an alternative, as 64 bits.
static Value asSelector(ImplicitLocOpBuilder &b, Value number) {
  if (number.getType().isIndex())
    return arith::IndexCastOp::create(b, b.getI64Type(), number);
  return number.getType().isInteger(1) ? Value(arith::ExtUIOp::create(b, b.getI64Type(), number))
                                       : number;
}

/// The last alternative stands for every selector beyond, of which there is none.
llvm::Error Host::emitRaiseOneOf(program::EndOp op, program::OutAttr choice) {
  Value selector = asSelector(b, get(op.getLeaves()[size_t(choice.getLeaf())]));
  for (auto [i, alternative] : llvm::enumerate(choice.getChildren())) {
    if (i + 1 == choice.getChildren().size())
      return emitRaise(op, alternative);
    Block *raises = newBlock(), *next = newBlock();
    Value isThis = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, selector, i64(int64_t(i)));
    cf::CondBranchOp::create(b, isThis, raises, ValueRange(), next, ValueRange());
    b.setInsertionPointToEnd(raises);
    if (llvm::Error error = emitRaise(op, alternative))
      return error;
    b.setInsertionPointToEnd(next);
  }
  return refuse(op, "a choice of no exception");
}

/// The ptc_site of an exception of class `type`; its line may be a number of the run, its place one
/// of several. Null: of another form.
Value Host::siteOfRaised(program::EndOp op, StringRef type, program::OutAttr place) {
  using program::OutKind;
  if (place.getKind() == OutKind::Choice) {
    Value selector = asSelector(b, get(op.getLeaves()[size_t(place.getLeaf())])), site;
    for (auto [i, alternative] : llvm::enumerate(place.getChildren())) {
      Value one = siteOfRaised(op, type, alternative);
      if (!one)
        return {};
      Value isThis = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, selector, i64(int64_t(i)));
      site = site ? Value(arith::SelectOp::create(b, isThis, one, site)) : one;
    }
    return site;
  }
  if (place.getKind() != OutKind::Tuple || place.getChildren().size() != 2 ||
      place.getChildren()[0].getKind() != OutKind::Str)
    return {};
  program::OutAttr given = place.getChildren()[1];
  auto known = dyn_cast_or_null<IntegerAttr>(given.getConstant());
  Value line = known || given.getKind() != OutKind::Leaf
                   ? Value()
                   : get(op.getLeaves()[size_t(given.getLeaf())]);
  if (!known && (!line || !line.getType().isInteger(64)))
    return {};
  auto loc = FileLineColLoc::get(b.getContext(), place.getChildren()[0].getText().getValue(),
                                 known ? unsigned(known.getInt()) : 0, 0);
  Value site = siteAt(loc, type, "");
  if (known)
    return site;
  Value own = stackSlot(sizeof(ptc_site));
  for (size_t at : {offsetof(ptc_site, type), offsetof(ptc_site, text), offsetof(ptc_site, file)})
    store(load(pointerType(b.getContext()), site, at), own, at);
  store(arith::TruncIOp::create(b, b.getI32Type(), line), own, offsetof(ptc_site, line));
  return own;
}

/// The tree of what is raised: the exception object, its text, and the file and line.
llvm::Error Host::emitRaise(program::EndOp op, program::OutAttr tree) {
  if (tree.getKind() == program::OutKind::Choice)
    return emitRaiseOneOf(op, tree);
  if (tree.getKind() != program::OutKind::Tuple || tree.getChildren().size() != 3)
    return refuse(op, "an exception of this form");
  program::OutAttr exception = tree.getChildren()[0];
  if (exception.getKind() != program::OutKind::Object)
    return refuse(op, "an exception of this form");
  Value raised = load(pointerType(b.getContext()), frame, offsetof(ptc_frame, raised));
  auto parts = textParts(tree.getChildren()[1], op.getLeaves(), raised, op);
  if (!parts)
    return parts.takeError();
  Value at = siteOfRaised(op, exception.getText().getValue(), tree.getChildren()[2]);
  if (!at)
    return refuse(op, "an exception of this form");
  Value status = callService(offsetof(ptc_services, raise), b.getI32Type(),
                             {frame, at, parts->first, i32(parts->second)})
                     .getResult();
  func::ReturnOp::create(b, status);
  return llvm::Error::success();
}

/// What is raised is a text; what containers of the caller hold then are leaves.
static bool givesLeaves(program::EndOp end) {
  std::optional<ArrayAttr> changed = end.getMutated();
  return !end.getRaised() || (changed && !changed->empty());
}

llvm::Error Host::emitOutcome(Block &block, unsigned number) {
  auto end = cast<program::EndOp>(block.getTerminator());
  numberStorages(block);
  auto keptStates = nextStates;
  SmallVector<program::PlaceOp> written;
  for (Operation &op : block.without_terminator()) {
    if (llvm::Error error = emit(&op))
      return error;
    if (auto place = dyn_cast<program::PlaceOp>(op); place && place.getWritten())
      written.push_back(place);
  }
  llvm::SmallDenseMap<Value, Value> kept; // by leaf: its copy
  for (Value leaf : written.empty() ? ValueRange() : ValueRange(end.getLeaves())) {
    if (!isa<RankedTensorType>(leaf.getType()) || isPlaced(leaf) || !mayReadInput(leaf) ||
        kept.contains(leaf))
      continue;
    auto storage = unsigned(storageOf.size() + kept.size());
    llvm::Expected<Value> copied = keepShown(leaf, storage, end);
    if (!copied)
      return copied.takeError();
    kept[leaf] = *copied;
  }
  if (llvm::Error error = writeInputs(written))
    return error;
  for (auto &[leaf, address] : kept)
    std::swap(values[leaf], address);
  if (givesLeaves(end)) {
    Value outputs = load(pointerType(b.getContext()), frame, offsetof(ptc_frame, outputs));
    for (auto [i, leaf] : llvm::enumerate(end.getLeaves()))
      if (llvm::Error error = storeLeaf(leaf, unsigned(i), outputs, end))
        return error;
  }
  commit(number);
  if (!end.getRaised())
    func::ReturnOp::create(b, i32(ptc_status_ok));
  else if (llvm::Error error = emitRaise(end, end.getResult()))
    return error;
  nextStates = std::move(keptStates);
  for (auto [leaf, address] : kept)
    set(leaf, address);
  return llvm::Error::success();
}

llvm::Error Host::emitFinish(program::FinishOp op) {
  SmallVector<Block *> blocks;
  for (Region &outcome : op.getOutcomes()) {
    auto end = cast<program::EndOp>(outcome.front().getTerminator());
    auto leaves = uint32_t(end.getLeaves().size());
    out->outcomes.push_back({leaves, bool(end.getRaised())});
    if (end.getRaised())
      out->numRaised = std::max(out->numRaised, leaves);
    if (givesLeaves(end))
      out->numOutputs = std::max(out->numOutputs, leaves);
    blocks.push_back(newBlock());
  }
  if (blocks.size() == 1) {
    cf::BranchOp::create(b, blocks.front());
  } else {
    Value selector = asSelector(b, get(op.getSelector()));
    SmallVector<APInt> numbers;
    for (size_t i = 1; i < blocks.size(); ++i)
      numbers.emplace_back(64, i);
    SmallVector<ValueRange> noOperands(blocks.size() - 1);
    cf::SwitchOp::create(b, selector, blocks.front(), ValueRange(), numbers,
                         ArrayRef(blocks).drop_front(), noOperands);
  }
  for (auto [i, block] : llvm::enumerate(blocks)) {
    b.setInsertionPointToEnd(block);
    if (llvm::Error error = emitOutcome(op.getOutcomes()[i].front(), unsigned(i)))
      return error;
  }
  return llvm::Error::success();
}
