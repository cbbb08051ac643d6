//===- HostLists.cpp - Lists as long as a loop made them --------------------------------------===//
//
// In: lists of tensors or numbers. Out: chains of nodes in memory of the call, from the last
// element to the first: an element behind the last one is a node that points to the list as it was,
// which stays what it is. The empty list is the address null. A node also points to one further
// back, so that the way to any element takes a number of steps that grows as the logarithm of the
// length (Myers, An Applicative Random-Access Stack, 1983).
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

using IP = arith::CmpIPredicate;

// A node: the node before it, the length of the list that ends here, a node further back, then the
// element: a number or an address. Behind that are sizes and strides of a tensor, also those that
// its type says: one list may be read as of elements that have each their own. Then what else the
// type names.
static constexpr uint64_t kBefore = 0, kLength = 8, kJump = 16, kElement = 24, kSizes = 32;

static LLVM::LLVMPointerType pointerType(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

static Type elementOf(Value list) {
  return cast<program::ListType>(list.getType()).getElementType();
}

Value Host::lengthOf(Value list) {
  Block *counts = newBlock(), *after = newBlock({b.getI64Type()});
  cf::CondBranchOp::create(b, isNull(list), after, ValueRange(i64(0)), counts, ValueRange());
  b.setInsertionPointToEnd(counts);
  cf::BranchOp::create(b, after, load(b.getI64Type(), list, kLength));
  b.setInsertionPointToEnd(after);
  return after->getArgument(0);
}

/// Names in the type of an element, and where its node says what they stand for.
SmallVector<std::pair<sym::SymbolId, uint64_t>, 2> Host::namesInNode(Type type) {
  SmallVector<std::pair<sym::SymbolId, uint64_t>, 2> names;
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<aten::TensorMeta> meta = tensor ? aten::toMeta(tensor, symbols) : std::nullopt;
  if (!meta)
    return names;
  SmallVector<sym::Expr> extents(meta->sizes.begin(), meta->sizes.end());
  llvm::append_range(extents, meta->strides);
  uint64_t next = kSizes + 8 * extents.size();
  for (sym::SymbolId id : dataSymbolsOf(type)) {
    auto *extent = llvm::find(extents, symbols.symbol(id));
    bool isAlone = extent != extents.end();
    names.emplace_back(id, isAlone ? kSizes + 8 * uint64_t(extent - extents.begin()) : next);
    next += isAlone ? 0 : 8;
  }
  return names;
}

/// What the type of the element in `node` names is what that says.
void Host::bindNode(Value node, Type type) {
  for (auto [id, at] : namesInNode(type))
    bindSymbol(id, load(b.getI64Type(), node, at));
}

/// The node that one behind `list` jumps to: where two jumps in a row are equally long, behind
/// both.
Value Host::jumpBehind(Value list) {
  Type pointer = pointerType(b.getContext());
  Block *far = newBlock(), *after = newBlock({pointer});
  cf::CondBranchOp::create(b, isNull(list), after, ValueRange(list), far, ValueRange());
  b.setInsertionPointToEnd(far);
  Value once = load(pointer, list, kJump);
  Block *further = newBlock();
  cf::CondBranchOp::create(b, isNull(once), after, ValueRange(list), further, ValueRange());
  b.setInsertionPointToEnd(further);
  Value twice = load(pointer, once, kJump);
  Value atOnce = load(b.getI64Type(), once, kLength), atTwice = lengthOf(twice);
  Value first = arith::SubIOp::create(b, load(b.getI64Type(), list, kLength), atOnce);
  Value second = arith::SubIOp::create(b, atOnce, atTwice);
  Value areEqual = arith::CmpIOp::create(b, IP::eq, first, second);
  cf::BranchOp::create(b, after, ValueRange(arith::SelectOp::create(b, areEqual, twice, list)));
  b.setInsertionPointToEnd(after);
  return after->getArgument(0);
}

/// The bytes of a node that holds an element of this type.
static uint64_t nodeSize(Type type, size_t names) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return kSizes + 8 * (names + (tensor ? 2 * uint64_t(tensor.getRank()) : 0));
}

llvm::Expected<Value> Host::pushed(Value list, Type listType, Value operand, Operation *op) {
  Type type = operand.getType();
  Value element = get(operand);
  Value length = arith::AddIOp::create(b, lengthOf(list), i64(1));
  Value jump = jumpBehind(list);
  auto names = namesInNode(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  Value node = blockOf(i64(1), int64_t(nodeSize(type, names.size())), /*isList=*/true);
  if (tensor) {
    if (type != cast<program::ListType>(listType).getElementType())
      return refuse(op, "elements that lie differently");
    Value given = use(operand, op);
    llvm::Expected<Geometry> shape = geometryOf(type, op);
    if (!shape)
      return shape.takeError();
    for (auto [i, extent] :
         llvm::enumerate(llvm::concat<OpFoldResult>(shape->sizes, shape->strides)))
      store(asValue(extent), node, kSizes + 8 * i);
    llvm::Expected<Value> bytes = byteCount(type, op);
    if (!bytes)
      return bytes.takeError();
    element = blockOf(*bytes, 1, /*isList=*/!program.onDevice); // nodes are the host's
    if (llvm::Error error = copy(given, element, type, op))
      return error;
  } else if (type.isInteger(1)) {
    element = arith::ExtUIOp::create(b, b.getI64Type(), element);
  }
  store(list, node, kBefore);
  store(length, node, kLength);
  store(jump, node, kJump);
  store(element, node, kElement);
  for (auto [id, at] : names)
    store(symbolValues.lookup(id), node, at);
  return node;
}

llvm::Error Host::emitListPush(program::ListPushOp op) {
  llvm::Expected<Value> node =
      pushed(get(op.getList()), op.getList().getType(), op.getElement(), op);
  if (!node)
    return node.takeError();
  set(op.getResult(), *node);
  return llvm::Error::success();
}

/// `list` from the place behind `place` on, element by element behind `first`, which is a list with
/// as many elements as lie before.
Value Host::copiesBehind(Value place, Value list, Value first, uint64_t nodeSize) {
  Type pointer = pointerType(b.getContext());
  Block *head = newBlock({pointer, b.getI64Type()}), *turn = newBlock(), *after = newBlock();
  cf::BranchOp::create(b, head,
                       ValueRange{first, arith::AddIOp::create(b, place, i64(1)).getResult()});
  b.setInsertionPointToEnd(head);
  Value made = head->getArgument(0), at = head->getArgument(1);
  Value goesOn = arith::CmpIOp::create(b, IP::slt, at, load(b.getI64Type(), list, kLength));
  cf::CondBranchOp::create(b, goesOn, turn, ValueRange(), after, ValueRange());
  b.setInsertionPointToEnd(turn);
  Value from = nodeAt(list, at);
  Value jump = jumpBehind(made);
  Value node = blockOf(i64(1), int64_t(nodeSize), /*isList=*/true);
  Value next = arith::AddIOp::create(b, at, i64(1));
  store(made, node, kBefore);
  store(next, node, kLength);
  store(jump, node, kJump);
  for (uint64_t word = kElement; word < nodeSize; word += 8)
    store(load(b.getI64Type(), from, word), node, word);
  cf::BranchOp::create(b, head, ValueRange{node, next});
  b.setInsertionPointToEnd(after);
  return made;
}

/// What lies before the place is shared with the list as it was.
llvm::Error Host::emitListSet(program::ListSetOp op) {
  Value list = get(op.getList()), index = get(op.getIndex());
  Type type = op.getElement().getType();
  Block *sets = newBlock(), *after = newBlock({list.getType()});
  cf::CondBranchOp::create(b, arith::CmpIOp::create(b, IP::ult, index, lengthOf(list)), sets,
                           ValueRange(), after, ValueRange(list));
  b.setInsertionPointToEnd(sets);
  Value before = load(pointerType(b.getContext()), nodeAt(list, index), kBefore);
  llvm::Expected<Value> first = pushed(before, op.getList().getType(), op.getElement(), op);
  if (!first)
    return first.takeError();
  Value made = copiesBehind(index, list, *first, nodeSize(type, namesInNode(type).size()));
  cf::BranchOp::create(b, after, ValueRange(made));
  b.setInsertionPointToEnd(after);
  set(op.getResult(), after->getArgument(0));
  return llvm::Error::success();
}

/// The list that the last node points to.
void Host::emitListDrop(program::ListDropOp op) {
  Value list = get(op.getList());
  Block *some = newBlock(), *after = newBlock({list.getType()});
  cf::CondBranchOp::create(b, isNull(list), after, ValueRange(list), some, ValueRange());
  b.setInsertionPointToEnd(some);
  cf::BranchOp::create(b, after, load(pointerType(b.getContext()), list, kBefore));
  b.setInsertionPointToEnd(after);
  set(op.getResult(), after->getArgument(0));
}

/// What a node holds becomes `value`, with the numbers that its type names.
void Host::readNode(Value node, Value value) {
  Type type = value.getType();
  if (type.isInteger(1))
    set(value, LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne,
                                    load(b.getI64Type(), node, kElement), i64(0)));
  else
    set(value, load(lowerType(type), node, kElement));
  bindNode(node, type);
}

/// The node of the element in a place that there is.
Value Host::nodeAt(Value list, Value index) {
  Block *head = newBlock({list.getType()}), *back = newBlock(), *after = newBlock();
  cf::BranchOp::create(b, head, list);
  b.setInsertionPointToEnd(head);
  Value node = head->getArgument(0);
  Value last = arith::AddIOp::create(b, index, i64(1));
  cf::CondBranchOp::create(
      b, arith::CmpIOp::create(b, IP::eq, load(b.getI64Type(), node, kLength), last), after,
      ValueRange(), back, ValueRange());
  b.setInsertionPointToEnd(back);
  Value jump = load(pointerType(b.getContext()), node, kJump);
  Value isTooFar = arith::CmpIOp::create(b, IP::slt, lengthOf(jump), last);
  Value before = load(pointerType(b.getContext()), node, kBefore);
  cf::BranchOp::create(b, head, ValueRange(arith::SelectOp::create(b, isTooFar, before, jump)));
  b.setInsertionPointToEnd(after);
  return node;
}

llvm::Error Host::emitListGet(program::ListGetOp op) {
  if (elementOf(op.getList()) != op.getResult().getType())
    return refuse(op, "elements that lie differently");
  Value list = get(op.getList()), index = get(op.getIndex()), length = lengthOf(list);
  Value isBelow = arith::CmpIOp::create(b, IP::slt, index, i64(0));
  index = arith::SelectOp::create(b, isBelow, arith::AddIOp::create(b, index, length), index);
  failIf(arith::CmpIOp::create(b, IP::uge, index, length), op, ptc_status_raised, "IndexError",
         "list index out of range");
  readNode(nodeAt(list, index), op.getResult());
  return llvm::Error::success();
}

/// Emits `body` for each node, from the last to the first.
llvm::Error Host::forEachNode(Value list, llvm::function_ref<llvm::Error(Value node)> body) {
  Block *head = newBlock({list.getType()}), *turn = newBlock(), *after = newBlock();
  cf::BranchOp::create(b, head, list);
  b.setInsertionPointToEnd(head);
  Value node = head->getArgument(0);
  cf::CondBranchOp::create(b, isNull(node), after, ValueRange(), turn, ValueRange());
  b.setInsertionPointToEnd(turn);
  if (llvm::Error error = body(node))
    return error;
  cf::BranchOp::create(b, head, load(pointerType(b.getContext()), node, kBefore));
  b.setInsertionPointToEnd(after);
  return llvm::Error::success();
}

/// A name that stands for the length of the list: the type of what is joined says how often it has
/// an element's size.
void Host::bindLength(RankedTensorType type, RankedTensorType element, int64_t dim, Value length) {
  auto whole = aten::toMeta(type, symbols), part = aten::toMeta(element, symbols);
  if (!whole || !part || part->dim() != whole->dim())
    return;
  for (sym::SymbolId id : dataSymbolsOf(type)) {
    sym::Expr all = symbols.mul(part->sizes[size_t(dim)], symbols.symbol(id));
    if (!symbolValues.lookup(id) && symbols.isEqual(whole->sizes[size_t(dim)], all) == true)
      bindSymbol(id, length);
  }
}

/// torch.stack and torch.cat: each element is copied to its part of the result.
llvm::Error Host::emitListJoin(Operation *op, int64_t dim, bool stacks) {
  auto element = dyn_cast<RankedTensorType>(elementOf(op->getOperand(0)));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!element || element.getElementType() != type.getElementType())
    return refuse(op, "elements of another type");
  dim += dim < 0 ? type.getRank() : 0;
  if (dim < 0 || dim >= type.getRank())
    return refuse(op, "a dimension that is not there");
  Value list = get(op->getOperand(0)), length = lengthOf(list);
  failIf(arith::CmpIOp::create(b, IP::eq, length, i64(0)), op, ptc_status_raised, "RuntimeError",
         stacks ? "stack expects a non-empty TensorList"
                : "torch.cat(): expected a non-empty list of Tensors");
  // Names of data may mean another number for each element: along `dim`, those of the last one are
  // those of all in other dimensions.
  bindNode(list, element);
  llvm::Expected<Geometry> part = geometryOf(element, op);
  if (!part)
    return part.takeError();
  llvm::Expected<Value> extent = stacks ? length : extentOfAll(list, element, dim, op);
  if (!extent)
    return extent.takeError();
  bindNode(list, element); // what was bound in the loop over all is not known behind it
  Geometry whole;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    int64_t from = stacks && d > dim ? d - 1 : d;
    whole.sizes.push_back(d == dim ? *extent : asValue(part->sizes[size_t(from)]));
  }
  bindNames(type, whole);
  bindLength(type, element, dim, length);
  llvm::Expected<Value> memory = placeFor(op->getResult(0), plan::placeOf(op->getResult(0)), op);
  if (!memory)
    return memory.takeError();
  llvm::Expected<Geometry> made = geometryOf(type, op);
  if (!made)
    return made.takeError();
  set(op->getResult(0), *memory);
  const SmallVector<OpFoldResult, 4> strides = made->strides;
  if (stacks)
    made->strides.erase(made->strides.begin() + dim);
  Value unit = i64((memoryType(type.getElementType()).getIntOrFloatBitWidth() + 7) / 8);
  Value step = arith::MulIOp::create(b, asValue(strides[size_t(dim)]), unit);
  // From the last element to the first: what is before the present one.
  Value before = stackSlot(8);
  store(*extent, before, 0);
  llvm::Error failed = forEachNode(list, [&](Value node) -> llvm::Error {
    bindNode(node, element);
    llvm::Expected<Geometry> one = geometryOf(element, op);
    if (!one)
      return one.takeError();
    Value rows = stacks ? i64(1) : asValue(one->sizes[size_t(dim)]);
    Value at = arith::SubIOp::create(b, load(b.getI64Type(), before, 0), rows);
    store(at, before, 0);
    Value to = offsetBy(*memory, Value(arith::MulIOp::create(b, at, step)));
    copy(load(pointerType(b.getContext()), node, kElement), *one, to,
         Geometry{one->sizes, made->strides}, type.getElementType());
    return llvm::Error::success();
  });
  bindNames(type, whole);
  return failed;
}

/// How far all elements of the list reach together along `dim`.
llvm::Expected<Value> Host::extentOfAll(Value list, RankedTensorType element, int64_t dim,
                                        Operation *op) {
  if (namesInNode(element).empty()) {
    llvm::Expected<Geometry> each = geometryOf(element, op);
    if (!each)
      return each.takeError();
    return Value(arith::MulIOp::create(b, lengthOf(list), asValue(each->sizes[size_t(dim)])));
  }
  Value all = stackSlot(8);
  store(i64(0), all, 0);
  llvm::Error failed = forEachNode(list, [&](Value node) -> llvm::Error {
    bindNode(node, element);
    llvm::Expected<Geometry> one = geometryOf(element, op);
    if (!one)
      return one.takeError();
    store(arith::AddIOp::create(b, load(b.getI64Type(), all, 0), asValue(one->sizes[size_t(dim)])),
          all, 0);
    return llvm::Error::success();
  });
  if (failed)
    return std::move(failed);
  return load(b.getI64Type(), all, 0);
}

/// A ptc_value at `to` that is a list of numbers.
llvm::Error Host::storeNumbers(Value list, Value to) {
  Type type = elementOf(list);
  Value chain = get(list), length = lengthOf(chain);
  Value items = blockOf(length, sizeof(ptc_value), /*isList=*/true);
  store(i64(ptc_tag_List), to, offsetof(ptc_value, tag));
  store(items, to, offsetof(ptc_value, as.list.items));
  store(length, to, offsetof(ptc_value, as.list.length));
  return forEachNode(chain, [&](Value node) -> llvm::Error {
    Value number = arith::SubIOp::create(b, load(b.getI64Type(), node, kLength), i64(1));
    Value item =
        offsetBy(items, Value(arith::MulIOp::create(b, number, i64(int64_t(sizeof(ptc_value))))));
    uint8_t tag = type.isInteger(1) ? ptc_tag_Bool : type.isF64() ? ptc_tag_Float : ptc_tag_Int;
    store(i64(tag), item, offsetof(ptc_value, tag));
    store(load(b.getI64Type(), node, kElement), item, offsetof(ptc_value, as));
    return llvm::Error::success();
  });
}

/// A list among the leaves of a result whose elements lie in the memory of what they are views of.
llvm::Error Host::giveViews(program::ListViewsOp views, unsigned leaf) {
  auto tensor = cast<RankedTensorType>(elementOf(views.getResult()));
  Value start = get(views.getBase()), slot = stackSlot(sizeof(ptc_value));
  SmallVector<Value> lists{get(views.getOffsets())};
  for (Value extent : views.getExtents())
    if (isa<program::ListType>(extent.getType()))
      lists.push_back(get(extent));
  returnIfFailed(callService(offsetof(ptc_services, give_list), b.getI32Type(),
                             {frame, i32(leaf), lengthOf(lists[0])})
                     .getResult());
  Type pointer = pointerType(b.getContext());
  Block *head = newBlock(SmallVector<Type>(lists.size(), pointer)), *turn = newBlock(),
        *after = newBlock();
  cf::BranchOp::create(b, head, lists);
  b.setInsertionPointToEnd(head);
  ValueRange nodes = head->getArguments();
  cf::CondBranchOp::create(b, isNull(nodes[0]), after, ValueRange(), turn, ValueRange());
  b.setInsertionPointToEnd(turn);
  Geometry shape;
  size_t next = 1, rank = views.getExtents().size() / 2;
  for (auto [i, extent] : llvm::enumerate(views.getExtents())) {
    Value number = isa<program::ListType>(extent.getType())
                       ? load(b.getI64Type(), nodes[next++], kElement)
                       : get(extent);
    (i < rank ? shape.sizes : shape.strides).push_back(number);
  }
  Value offset = arith::MulIOp::create(b, load(b.getI64Type(), nodes[0], kElement),
                                       i64(int64_t(elementBytes(tensor))));
  store(i64(ptc_tag_Tensor), slot, offsetof(ptc_value, tag));
  store(offsetBy(start, offset), slot, offsetof(ptc_value, as));
  Value number = arith::SubIOp::create(b, load(b.getI64Type(), nodes[0], kLength), i64(1));
  returnIfFailed(callService(offsetof(ptc_services, give_element), b.getI32Type(),
                             {frame, i32(leaf), number, slot,
                              describe(shape, tensor.getElementType(), i64(0))})
                     .getResult());
  SmallVector<Value> before;
  for (Value node : nodes)
    before.push_back(load(pointer, node, kBefore));
  cf::BranchOp::create(b, head, before);
  b.setInsertionPointToEnd(after);
  return llvm::Error::success();
}

/// A list among the leaves of a result.
llvm::Error Host::giveList(Value list, unsigned leaf, Operation *op) {
  if (auto views = list.getDefiningOp<program::ListViewsOp>())
    return giveViews(views, leaf);
  Type type = elementOf(list);
  Value chain = get(list), slot = stackSlot(sizeof(ptc_value));
  returnIfFailed(callService(offsetof(ptc_services, give_list), b.getI32Type(),
                             {frame, i32(leaf), lengthOf(chain)})
                     .getResult());
  return forEachNode(chain, [&](Value node) -> llvm::Error {
    Value number = arith::SubIOp::create(b, load(b.getI64Type(), node, kLength), i64(1));
    Value shape = LLVM::ZeroOp::create(b, pointerType(b.getContext()));
    if (isa<RankedTensorType>(type)) {
      bindOperands({});
      bindNode(node, type);
      llvm::Expected<Value> described = shapeOf(type, op);
      if (!described)
        return described.takeError();
      shape = *described;
      store(i64(ptc_tag_None), slot, offsetof(ptc_value, tag));
      store(load(pointerType(b.getContext()), node, kElement), slot, offsetof(ptc_value, as));
    } else {
      uint8_t tag = type.isInteger(1) ? ptc_tag_Bool : type.isF64() ? ptc_tag_Float : ptc_tag_Int;
      store(i64(tag), slot, offsetof(ptc_value, tag));
      store(load(b.getI64Type(), node, kElement), slot, offsetof(ptc_value, as));
    }
    returnIfFailed(callService(offsetof(ptc_services, give_element), b.getI32Type(),
                               {frame, i32(leaf), number, slot, shape})
                       .getResult());
    return llvm::Error::success();
  });
}

llvm::Expected<bool> Host::emitList(Operation *op) {
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return std::move(error);
    return true;
  };
  return llvm::TypeSwitch<Operation *, llvm::Expected<bool>>(op)
      .Case([&](program::ListNewOp list) -> llvm::Expected<bool> {
        set(list.getResult(), LLVM::ZeroOp::create(b, pointerType(b.getContext())));
        return true;
      })
      .Case([&](program::ListPushOp push) { return done(emitListPush(push)); })
      .Case([&](program::ListSetOp put) { return done(emitListSet(put)); })
      .Case([&](program::ListDropOp drop) -> llvm::Expected<bool> {
        emitListDrop(drop);
        return true;
      })
      .Case([&](program::ListGetOp element) { return done(emitListGet(element)); })
      .Case([&](program::ListLenOp length) -> llvm::Expected<bool> {
        set(length.getResult(), lengthOf(get(length.getList())));
        return true;
      })
      .Case([&](program::ListViewsOp) -> llvm::Expected<bool> {
        return true; // giveViews() reads its operands
      })
      .Case([&](program::ListStackOp stack) {
        return done(emitListJoin(op, int64_t(stack.getDim()), /*stacks=*/true));
      })
      .Case([&](program::ListCatOp cat) {
        return done(emitListJoin(op, int64_t(cat.getDim()), /*stacks=*/false));
      })
      .Default([](Operation *) -> llvm::Expected<bool> { return false; });
}
