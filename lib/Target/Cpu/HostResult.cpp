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
  store(number, to, offsetof(ptc_value, as));
}

Value Host::loadNumber(Type type, Value from) {
  if (type.isF64())
    return load(type, from, offsetof(ptc_value, as));
  Value integer = load(b.getI64Type(), from, offsetof(ptc_value, as));
  if (type.isInteger(1))
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, integer, i64(0));
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
  auto end = cast<program::EndOp>(block.getTerminator());
  unsigned storages = 0;
  for (auto place : block.getOps<program::PlaceOp>()) {
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
  Value isNull = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, contents, null);
  cf::CondBranchOp::create(b, isNull, after, ValueRange(null), copies, ValueRange());
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
    Value from = use(op.getContents(), op);
    if (mayReadInput(op.getContents())) {
      llvm::Expected<Value> bytes = byteCount(op.getContents().getType(), op);
      if (!bytes)
        return bytes.takeError();
      Value aside =
          callService(offsetof(ptc_services, scratch), pointerType(b.getContext()), {frame, *bytes})
              .getResult();
      returnIfNull(aside);
      if (llvm::Error error = copy(from, aside, op.getContents().getType(), op))
        return error;
      from = aside;
    }
    sources.push_back(from);
  }
  for (auto [place, from] : llvm::zip_equal(places, sources)) {
    program::PlaceOp op = place;
    BlockArgument home = variant.getBody().getArgument(unsigned(*op.getInput()));
    llvm::Expected<Geometry> given = geometryOf(op.getContents().getType(), op);
    if (!given)
      return given.takeError();
    llvm::Expected<Geometry> kept = geometryOf(home.getType(), op);
    if (!kept)
      return kept.takeError();
    copy(from, *given, get(home), *kept, cast<RankedTensorType>(home.getType()).getElementType());
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

llvm::Error Host::emitSetState(program::SetStateOp op) {
  std::optional<unsigned> slot = program.slotOf(op.getState());
  if (!slot)
    return refuse(op, "a slot that is not there");
  Operation *parent = op->getParentOp();
  if (parent != owner && !isa<program::FinishOp>(parent))
    return refuse(op, "state that is set on some paths only");
  Type type = op.getValue().getType();
  if (!isa<RankedTensorType>(type)) {
    if (!isa<IntegerType, Float64Type>(type))
      return refuse(op, "state of this type");
    nextStates.push_back({*slot, get(op.getValue())});
    return llvm::Error::success();
  }
  llvm::Expected<Value> shape = shapeOf(type, op);
  if (!shape)
    return shape.takeError();
  Value memory = callService(offsetof(ptc_services, state), pointerType(b.getContext()),
                             {frame, i32(*slot), *shape})
                     .getResult();
  returnIfNull(memory);
  nextStates.push_back({*slot, {}});
  return copy(use(op.getValue(), op), memory, type, op);
}

void Host::commit(unsigned outcome) {
  Value slots;
  for (const NextState &next : nextStates) {
    if (!next.number) {
      callService(offsetof(ptc_services, state_commit), {}, {frame, i32(next.slot)});
      continue;
    }
    if (!slots)
      slots = load(pointerType(b.getContext()), frame, offsetof(ptc_frame, state));
    storeNumber(next.number,
                offsetBy(slots, next.slot * sizeof(ptc_slot) + offsetof(ptc_slot, value)));
  }
  store(i32(outcome), frame, offsetof(ptc_frame, outcome));
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

llvm::Error Host::storeLeaf(Value leaf, unsigned index, Value base, Operation *op) {
  if (!isa<RankedTensorType>(leaf.getType())) {
    if (!isa<IntegerType, Float64Type>(leaf.getType()))
      return refuse(op, "a result of this type");
    storeNumber(get(leaf), offsetBy(base, index * sizeof(ptc_value)));
    return llvm::Error::success();
  }
  if (Operation *maker = leaf.getDefiningOp(); maker && soleLeafOf.contains(maker))
    return llvm::Error::success();
  Value address = get(leaf);
  Value null = LLVM::ZeroOp::create(b, address.getType());
  Value isNull = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, address, null);
  Block *shows = newBlock(), *after = newBlock();
  cf::CondBranchOp::create(b, isNull, after, ValueRange(), shows, ValueRange());
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

/// Appends the parts of a text; none: a part that native code cannot make.
static bool collectParts(program::OutAttr node, SmallVectorImpl<TextPart> &parts) {
  using K = program::OutKind;
  switch (node.getKind()) {
  case K::Str:
    parts.push_back({node.getText().getValue().str(), -1, 0});
    return true;
  case K::Int:
    if (node.getConstant())
      parts.push_back({std::to_string(cast<IntegerAttr>(node.getConstant()).getInt()), -1, 0});
    else
      parts.push_back({node.getText().getValue().str(), -1, 0});
    return true;
  case K::Leaf:
    parts.push_back({"", int32_t(node.getLeaf()), 's'});
    return true;
  case K::Template:
    return llvm::all_of(node.getChildren(),
                        [&](program::OutAttr child) { return collectParts(child, parts); });
  case K::Field: {
    program::OutAttr shown = node.getChildren().front();
    StringRef how = node.getText().getValue();
    bool hasSpec = how.front() == '%' || (how.front() == 'f' && how.size() > 1);
    if (shown.getKind() != K::Leaf || hasSpec)
      return false;
    parts.push_back({how.drop_front().str(), int32_t(shown.getLeaf()), how.front()});
    return true;
  }
  case K::None:
  case K::Bool:
  case K::Float:
  case K::Bytes:
  case K::Other:
  case K::List:
  case K::Tuple:
  case K::Dict:
  case K::Set:
  case K::Object:
  case K::Choice:
  case K::Same:
    return false;
  }
  llvm_unreachable("closed enum");
}

llvm::Expected<std::pair<Value, unsigned>> Host::textParts(program::OutAttr text, Operation *op) {
  SmallVector<TextPart> parts;
  if (!collectParts(text, parts))
    return refuse(op, "a text of this form");
  auto pointer = pointerType(b.getContext());
  auto row = LLVM::LLVMStructType::getLiteral(
      b.getContext(),
      {pointer, b.getI32Type(), b.getI32Type(), b.getI8Type(), b.getI32Type(), b.getI64Type()});
  auto table = LLVM::LLVMArrayType::get(row, unsigned(parts.size()));
  Value address = program.constant(b, table, "parts", [&](Builder &at) {
    Value rows = LLVM::PoisonOp::create(at, table);
    for (auto [i, part] : llvm::enumerate(parts)) {
      auto number = [&](Type type, int64_t v) -> Value {
        return LLVM::ConstantOp::create(at, type, at.getIntegerAttr(type, v));
      };
      Value fields[] = {
          program.text(at, part.text),         number(at.getI32Type(), int64_t(part.text.size())),
          number(at.getI32Type(), part.value), number(at.getI8Type(), part.conversion),
          number(at.getI32Type(), -1),         number(at.getI64Type(), 0)};
      for (auto [f, field] : llvm::enumerate(fields))
        rows =
            LLVM::InsertValueOp::create(at, rows, field, ArrayRef<int64_t>{int64_t(i), int64_t(f)});
    }
    return rows;
  });
  return std::pair(address, unsigned(parts.size()));
}

llvm::Error Host::emitPrint(program::PrintOp op) {
  auto parts = textParts(op.getText(), op);
  if (!parts)
    return parts.takeError();
  Value shown = stackSlot(sizeof(ptc_value) * std::max<size_t>(op.getValues().size(), 1));
  for (auto [i, value] : llvm::enumerate(op.getValues())) {
    if (!isa<IntegerType, Float64Type>(value.getType()))
      return refuse(op, "a tensor in a text");
    storeNumber(get(value), offsetBy(shown, i * sizeof(ptc_value)));
  }
  int64_t stream = op.getStream() == program::Stream::Stderr ? 2 : 1;
  returnIfFailed(callService(offsetof(ptc_services, print), b.getI32Type(),
                             {frame, i32(stream), parts->first, i32(parts->second), shown})
                     .getResult());
  return llvm::Error::success();
}

/// The tree of what is raised: the exception object, its text, and the file and line.
llvm::Error Host::emitRaise(program::EndOp op) {
  program::OutAttr tree = op.getResult();
  if (tree.getKind() != program::OutKind::Tuple || tree.getChildren().size() != 3)
    return refuse(op, "one of several exceptions");
  program::OutAttr exception = tree.getChildren()[0], place = tree.getChildren()[2];
  if (exception.getKind() != program::OutKind::Object ||
      place.getKind() != program::OutKind::Tuple || place.getChildren().size() != 2)
    return refuse(op, "an exception of this form");
  auto parts = textParts(tree.getChildren()[1], op);
  if (!parts)
    return parts.takeError();
  Value raised = load(pointerType(b.getContext()), frame, offsetof(ptc_frame, raised));
  for (auto [i, leaf] : llvm::enumerate(op.getLeaves())) {
    if (!isa<IntegerType, Float64Type>(leaf.getType()))
      return refuse(op, "a tensor in the text of an exception");
    storeNumber(get(leaf), offsetBy(raised, i * sizeof(ptc_value)));
  }
  auto line = cast<IntegerAttr>(place.getChildren()[1].getConstant());
  auto loc = FileLineColLoc::get(b.getContext(), place.getChildren()[0].getText().getValue(),
                                 unsigned(line.getInt()), 0);
  Value at = siteAt(loc, exception.getText().getValue(), "");
  Value status = callService(offsetof(ptc_services, raise), b.getI32Type(),
                             {frame, at, parts->first, i32(parts->second)})
                     .getResult();
  func::ReturnOp::create(b, status);
  return llvm::Error::success();
}

llvm::Error Host::emitOutcome(Block &block, unsigned number) {
  auto end = cast<program::EndOp>(block.getTerminator());
  numberStorages(block);
  size_t keptStates = nextStates.size();
  SmallVector<program::PlaceOp> written;
  for (Operation &op : block.without_terminator()) {
    if (llvm::Error error = emit(&op))
      return error;
    if (auto place = dyn_cast<program::PlaceOp>(op); place && place.getWritten())
      written.push_back(place);
  }
  if (end.getMutated() && !end.getMutated()->empty())
    return refuse(end, "containers of the caller that change");
  if (llvm::Error error = writeInputs(written))
    return error;
  if (end.getRaised()) {
    commit(number);
    if (llvm::Error error = emitRaise(end))
      return error;
  } else {
    Value outputs = load(pointerType(b.getContext()), frame, offsetof(ptc_frame, outputs));
    for (auto [i, leaf] : llvm::enumerate(end.getLeaves()))
      if (llvm::Error error = storeLeaf(leaf, unsigned(i), outputs, end))
        return error;
    commit(number);
    func::ReturnOp::create(b, i32(ptc_status_ok));
  }
  nextStates.truncate(keptStates);
  return llvm::Error::success();
}

llvm::Error Host::emitFinish(program::FinishOp op) {
  SmallVector<Block *> blocks;
  for (Region &outcome : op.getOutcomes()) {
    auto end = cast<program::EndOp>(outcome.front().getTerminator());
    auto leaves = uint32_t(end.getLeaves().size());
    out->outcomes.push_back({leaves, bool(end.getRaised())});
    uint32_t &most = end.getRaised() ? out->numRaised : out->numOutputs;
    most = std::max(most, leaves);
    blocks.push_back(newBlock());
  }
  if (blocks.size() == 1) {
    cf::BranchOp::create(b, blocks.front());
  } else {
    Value selector = get(op.getSelector());
    if (selector.getType().isIndex())
      selector = arith::IndexCastOp::create(b, b.getI64Type(), selector);
    else
      selector = arith::ExtUIOp::create(b, b.getI64Type(), selector);
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
