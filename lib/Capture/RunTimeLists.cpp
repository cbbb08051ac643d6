//===- RunTimeLists.cpp - Lists that grew in a run-time loop ---------------------------------===//
//
// In: list operations of the program on contents that are a RunTimeList. Out: list operations on
// the tape, which copy: a tensor that went in or came out is frozen. Elements are tensors of one
// shape or numbers of one type (control.md, loops, 4).
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "Objects.h"
#include "SizeLoops.h"
#include "Tensors.h"

using namespace ptc;
using namespace ptc::capture;

static const RunTimeListNode &listNode(const Value &contents) {
  return contents.nodeAs<RunTimeListNode>(Kind::RunTimeList);
}

/// The type of an element, as a value of its own.
static TapeValue elementType(Engine &e, const Value &contents) {
  TapeValue type = e.tape.type(listNode(contents).list);
  type.type = type.number == NumberType::NotNumber ? TapeType::Tensor : tapeTypeOf(type.number);
  return type;
}

static bool agree(const TapeValue &a, const TapeValue &b) {
  return a.number == b.number && a.dtype == b.dtype && a.device == b.device && a.sizes == b.sizes &&
         a.strides == b.strides;
}

/// The length, of which only the run asks.
static Value lengthAtRunTime(Engine &e, const Value &contents) {
  TapeValue type;
  type.type = TapeType::Int;
  return Value::scalar(e.emit(TapeOp::ListLen, {TapeArg::value(listNode(contents).list)}, type),
                       ScalarType::Int);
}

/// What eager says before it looks at the dimension; none if the list is fit to be joined.
static Flow checkJoined(Engine &e, const Value &contents, const TapeValue &element, bool stack) {
  PTC_LET(nonEmpty, e.truthValue(lengthAtRunTime(e, contents)));
  PTC_GET(any, e.truth(nonEmpty));
  if (!any)
    return stack ? e.raise(WellKnown::RuntimeError, "stack expects a non-empty TensorList")
                 : e.raise(WellKnown::ValueError,
                           "torch.cat(): expected a non-empty list of Tensors");
  if (element.number != NumberType::NotNumber) {
    PTC_LET(first, e.runTimeListGet(contents, Value::integer(0)));
    return e.raise(WellKnown::TypeError,
                   "expected Tensor as element 0 in argument 0, but got " + typeName(e, first));
  }
  if (!stack && element.sizes.empty())
    return e.raise(WellKnown::RuntimeError,
                   "zero-dimensional tensor (at position 0) cannot be concatenated");
  return Flow::Next;
}

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
  if (!contents.is(Kind::RunTimeList))
    return Value::absent();
  Value dim = args.positional.size() > 1 ? args.positional[1] : Value::integer(0);
  for (const KeywordArg &keyword : args.keywords) {
    llvm::StringRef name = nameText(keyword.name);
    if (args.positional.size() > 1 || (name != "dim" && name != "axis"))
      return refuse(DiagId::UnsupportedOperation, spelling,
                    ("the argument '" + name + "' with a list that grew in a loop on data").str());
    dim = keyword.value;
  }
  PTC_LET(d, decide(dim));
  if (!d.isSmallInt())
    return refuse(DiagId::UnsupportedTorchFunction, "a dimension that is no constant");
  TapeValue type = elementType(*this, contents);
  PTC_DO(checkJoined(*this, contents, type, stack));
  PTC_GET(at, wrapDimension(*this, d.asInt(), type.sizes.size() + stack));
  PTC_LET(length, runTimeListLength(contents));
  sym::Expr n =
      length.is(Kind::Scalar) ? sizeOfScalar(length.scalarId(), 0) : formulaOf(*this, length);
  if (stack)
    type.sizes.insert(type.sizes.begin() + ptrdiff_t(at), n);
  else
    type.sizes[at] = sizes().mul(type.sizes[at], n);
  type.strides = contiguousStrides(type.sizes);
  return newTensor(emit(stack ? TapeOp::ListStack : TapeOp::ListCat,
                        {TapeArg::value(listNode(contents).list)}, type,
                        {TapeArg::integer(int64_t(at))}));
}

Value Engine::runTimeListLength(const Value &contents) {
  sym::Expr known = sizeLoops ? sizeLoops->lengthOf(contents) : sym::Expr();
  if (!known.isSupported())
    return lengthAtRunTime(*this, contents);
  return known.isConstant() ? Value::integer(*known.asConstant()) : Value::size(known);
}

/// The element at a run-time or constant position, which is known to be in range.
Value Engine::runTimeListGet(const Value &contents, const Value &position) {
  TapeValue type = elementType(*this, contents);
  NumberType number = std::exchange(type.number, NumberType::NotNumber);
  ValueId id = emit(TapeOp::ListGet, {TapeArg::value(listNode(contents).list), operand(position)},
                    std::move(type));
  if (number != NumberType::NotNumber)
    return Value::scalar(id, scalarTypeOf(number));
  Value element = newTensor(id);
  heap.set(asTensor(element).storage, slot::kFrozen, Value::boolean(true));
  return element;
}

/// The list with one more element; a tensor's storage is frozen.
Value Engine::runTimeListPush(const Value &contents, const Value &element) {
  const RunTimeListNode &node = listNode(contents);
  TapeValue type = elementType(*this, contents);
  PTC_LET(v, isTensorLike(element) ? readable(element) : known(element));
  auto *grown = new RunTimeListNode(node);
  grown->refs = 0;
  Value longer = Value::node(Kind::RunTimeList, grown).withSource(sourceHere());
  TapeArg pushed;
  if (type.number != NumberType::NotNumber) {
    if (numberType(v) != type.number || v.is(Kind::BigInt))
      return refuse(DiagId::RunTimeListElement);
    pushed = operand(v);
  } else {
    if (!isTensorLike(v))
      return refuse(DiagId::RunTimeListElement);
    llvm::ArrayRef<Value> alternatives(v);
    if (v.is(Kind::Choice))
      alternatives = asChoice(v).alternatives;
    for (const Value &one : alternatives)
      if (!agree(type, tapeTypeOf(metaOf(asTensor(one)))))
        return refuse(DiagId::RunTimeListElement);
    pushed = TapeArg::value(readTensor(v));
    for (const Value &one : alternatives) {
      grown->shared |= !asTensor(one).steps.empty() || isFrozen(asTensor(one).storage);
      heap.set(asTensor(one).storage, slot::kFrozen, Value::boolean(true));
    }
  }
  grown->list =
      emit(TapeOp::ListPush, {TapeArg::value(node.list), std::move(pushed)}, tape.type(node.list));
  if (sizeLoops)
    if (sym::Expr length = sizeLoops->lengthOf(node.list); length.isSupported())
      sizeLoops->noteLength(grown->list, sizes().add(length, sizes().constant(1)));
  return longer;
}

/// The contents as a list on the tape: an operand of the join of a loop's states.
std::optional<TapeArg> Executor::listOperand(TapeBlock &block, const Delta &delta,
                                             const Value &contents, ListElement &element) {
  auto fits = [&](const TapeValue &type) {
    if (!element.known)
      element.type = type;
    element.known = true;
    return agree(element.type, type);
  };
  if (contents.is(Kind::RunTimeList)) {
    const RunTimeListNode &node = listNode(contents);
    if (!fits(e.tape.type(node.list)))
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
      if (item.is(Kind::BigInt) || !fits(type))
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
    if (!fits(type))
      return std::nullopt;
    ValueId id = raw.asRaw();
    if (!tensor.steps.empty())
      id = e.emitIn(block, TapeOp::AtenView, {TapeArg::value(id), e.stepsIn(block, tensor)}, type);
    pushed.push_back(TapeArg::value(id));
    element.shared |= !tensor.steps.empty() || !seen.insert(slot.object).second;
    e.frozenStorages.insert(slot.object);
  }
  TapeValue type = element.type;
  type.type = TapeType::List;
  ValueId list = e.emitIn(block, TapeOp::ListNew, {}, type);
  for (TapeArg &item : pushed)
    list = e.emitIn(block, TapeOp::ListPush, {TapeArg::value(list), std::move(item)}, type);
  return TapeArg::value(list);
}
