//===- RunTimeLists.cpp - Lists that grew in a run-time loop ---------------------------------===//
//
// In: list operations of the program on contents that are a TensorList. Out: list operations on the
// tape, which copy: a tensor that went in or came out is frozen. Elements are tensors of one shape
// or numbers of one type (control.md, loops, 4).
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "Tensors.h"

using namespace ptc;
using namespace ptc::capture;

/// torch.stack and torch.cat of a list that grew in a loop; Absent: not such a call.
Value Engine::callOnRunTimeList(llvm::StringRef spelling, CallArgs &args) {
  bool stack = spelling == "torch.stack",
       cat = spelling == "torch.cat" || spelling == "torch.concat";
  if ((!stack && !cat) || args.positional.empty())
    return Value::absent();
  Value list = known(args.positional[0]);
  if (!list.is(Kind::Ref) || heap.kind(list.asRef()) != ObjectKind::List)
    return Value::absent();
  Value contents = known(heap.get(list.asRef(), slot::kContent));
  if (!contents.is(Kind::TensorList))
    return Value::absent();
  Value dim = args.positional.size() > 1 ? args.positional[1] : Value::integer(0);
  for (const KeywordArg &keyword : args.keywords)
    if (nameText(keyword.name) == "dim")
      dim = keyword.value;
  PTC_LET(d, decide(dim));
  if (!d.isSmallInt())
    return refuse(DiagId::UnsupportedTorchFunction, "a dimension that is no constant");
  const auto &node = contents.nodeAs<TensorListNode>(Kind::TensorList);
  int64_t rank = int64_t(node.sizes.size()) + stack;
  int64_t at = d.asInt() < 0 ? d.asInt() + rank : d.asInt();
  if (at < 0 || at >= rank)
    return raise(WellKnown::IndexError, "Dimension out of range");
  PTC_LET(length, runTimeListLength(contents));
  PTC_LET(nonEmpty, truthValue(length));
  PTC_GET(any, truth(nonEmpty));
  if (!any)
    return raise(WellKnown::RuntimeError,
                 stack ? "stack expects a non-empty TensorList"
                       : "torch.cat(): expected a non-empty list of Tensors");
  TapeValue type;
  type.type = TapeType::Tensor;
  type.dtype = node.dtype;
  type.device = node.device;
  type.sizes = node.sizes;
  sym::Expr n = sizeOfScalar(length.scalarId());
  if (stack)
    type.sizes.insert(type.sizes.begin() + at, n);
  else
    type.sizes[size_t(at)] = sizes().mul(type.sizes[size_t(at)], n);
  type.strides = contiguousStrides(type.sizes);
  return newTensor(emit(stack ? TapeOp::ListStack : TapeOp::ListCat, {TapeArg::value(node.list)},
                        type, {TapeArg::integer(at)}));
}

Value Engine::runTimeListLength(const Value &contents) {
  TapeValue type;
  type.type = TapeType::Int;
  ValueId list = contents.nodeAs<TensorListNode>(Kind::TensorList).list;
  return Value::scalar(emit(TapeOp::ListLen, {TapeArg::value(list)}, type), ScalarType::Int);
}

/// The element at a run-time or constant position, which is known to be in range.
Value Engine::runTimeListGet(const Value &contents, const Value &position) {
  const auto &node = contents.nodeAs<TensorListNode>(Kind::TensorList);
  TapeValue type;
  std::vector<TapeArg> args{TapeArg::value(node.list), operand(position)};
  if (node.number != NumberType::NotNumber) {
    type.type = tapeTypeOf(node.number);
    return Value::scalar(emit(TapeOp::ListGet, std::move(args), type), scalarTypeOf(node.number));
  }
  type.type = TapeType::Tensor;
  type.dtype = node.dtype;
  type.device = node.device;
  type.sizes = node.sizes;
  type.strides = node.strides;
  Value element = newTensor(emit(TapeOp::ListGet, std::move(args), type));
  heap.set(asTensor(element).storage, slot::kFrozen, Value::boolean(true));
  return element;
}

/// The list with one more element; a tensor's storage is frozen.
Value Engine::runTimeListPush(const Value &contents, const Value &element) {
  const auto &node = contents.nodeAs<TensorListNode>(Kind::TensorList);
  PTC_LET(t, isTensorLike(element) ? readable(element) : known(element));
  TapeArg value;
  bool shares = false;
  if (node.number != NumberType::NotNumber) {
    if (numberType(t) != node.number || t.is(Kind::BigInt))
      return refuse(DiagId::RunTimeListElement);
    value = operand(t);
  } else if (isTensorLike(t)) {
    llvm::ArrayRef<Value> which(t);
    if (t.is(Kind::Choice))
      which = asChoice(t).alternatives;
    for (const Value &one : which)
      if (asTensor(one).dtype != node.dtype || asTensor(one).sizes != node.sizes ||
          asTensor(one).device != node.device)
        return refuse(DiagId::RunTimeListElement);
    value = TapeArg::value(readTensor(t));
    for (const Value &one : which) {
      shares |= !asTensor(one).steps.empty() || isFrozen(asTensor(one).storage);
      heap.set(asTensor(one).storage, slot::kFrozen, Value::boolean(true));
    }
  } else {
    return refuse(DiagId::RunTimeListElement);
  }
  auto *grown = new TensorListNode(node);
  grown->refs = 0;
  grown->shared |= shares;
  grown->list =
      emit(TapeOp::ListPush, {TapeArg::value(node.list), std::move(value)}, tape.type(node.list));
  return Value::node(Kind::TensorList, grown).withSource(sourceHere());
}

/// The contents as a list on the tape: an operand of the join of a loop's states.
std::optional<TapeArg> Executor::listOperand(TapeBlock &block, const Delta &delta,
                                             const Value &contents, ListElement &element) {
  auto agree = [&](const TapeValue &type) {
    if (!element.known)
      element.type = type;
    element.known = true;
    return element.type.number == type.number && element.type.dtype == type.dtype &&
           element.type.device == type.device && element.type.sizes == type.sizes;
  };
  if (contents.is(Kind::TensorList)) {
    const auto &node = contents.nodeAs<TensorListNode>(Kind::TensorList);
    if (!agree(e.tape.type(node.list)))
      return std::nullopt;
    element.shared |= node.shared;
    return TapeArg::value(node.list);
  }
  std::vector<TapeArg> pushed;
  llvm::DenseSet<ObjectId> seen;
  for (const Value &item : contents.parts()) {
    if (NumberType number = numberType(item); number != NumberType::NotNumber) {
      TapeValue type;
      type.number = number;
      if (item.is(Kind::BigInt) || !agree(type))
        return std::nullopt;
      pushed.push_back(e.operandIn(block, item));
      continue;
    }
    if (!item.is(Kind::Tensor))
      return std::nullopt;
    const TensorNode &tensor = asTensor(item);
    SlotKey slot{tensor.storage, slot::kContent};
    auto changed = delta.find(slot);
    Value raw = changed != delta.end()       ? changed->second
                : e.heap.exists(slot.object) ? e.heap.get(slot)
                                             : Value::absent();
    if (!raw.is(Kind::Raw))
      return std::nullopt;
    TapeValue type = tensor.steps.empty() ? e.tape.type(raw.asRaw()) : tapeTypeOf(metaOf(tensor));
    if (!agree(type))
      return std::nullopt;
    ValueId id = raw.asRaw();
    if (!tensor.steps.empty())
      id = e.emitIn(block, TapeOp::AtenView, {TapeArg::value(id), e.stepsIn(block, tensor)}, type);
    pushed.push_back(TapeArg::value(id));
    element.shared |= !tensor.steps.empty() || !seen.insert(slot.object).second;
    e.frozenStorages.insert(slot.object);
  }
  TapeValue type = element.type;
  type.type = TapeType::TensorList;
  ValueId list = e.emitIn(block, TapeOp::ListNew, {}, type);
  for (TapeArg &item : pushed)
    list = e.emitIn(block, TapeOp::ListPush, {TapeArg::value(list), std::move(item)}, type);
  return TapeArg::value(list);
}
