//===- NumberLists.cpp - Lists of numbers that lie side by side ------------------------------===//
//
// In: lists whose lengths sizes say and whose elements are numbers of one type, or such lists of
// one length: what tolist() gives, a list repeated as often as a size says. Out: contents that are
// a tensor (bool, int64 or float64) with a storage that no tensor of the program shares. An element
// is read as item() is, and written in place; a list that is an element is a view. What else
// changes such a list makes a list of the run of it first.
//
//===----------------------------------------------------------------------===//
#include "NumberLists.h"

#include "Objects.h"
#include "Positions.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;

bool capture::isNumberList(Engine &e, const Value &given) {
  Value v = e.known(given);
  return isRefTo(e, v, ObjectKind::List) &&
         e.known(e.heap.get(v.asRef(), slot::kContent)).is(Kind::Tensor);
}

Value capture::makeNumberList(Engine &e, const Value &tensor) {
  Value list = e.makeList({});
  e.heap.set(list.asRef(), slot::kContent, tensor);
  return list;
}

Value capture::numberListGet(Engine &e, const Value &contents, const Value &position) {
  const Value kept = contents; // NOLINT(performance-unnecessary-copy-initialization)
  PTC_LET(part, e.tensorOp("select.int", {kept, Value::integer(0), position}));
  if (!asTensor(part).sizes.empty())
    return makeNumberList(e, part);
  PTC_LET(number, e.tensorItem(part));
  if (number.is(Kind::Scalar)) // it may be the object that another element was made of
    e.tape.type(number.scalarId()).makers.clear();
  return number;
}

std::optional<std::vector<Value>> capture::numberListItems(Engine &e, const Value &contents) {
  std::optional<int64_t> count = asTensor(contents).sizes[0].asConstant();
  if (!count)
    return std::nullopt;
  std::vector<Value> items;
  for (int64_t i = 0; i < *count; ++i) {
    PTC_LET(item, numberListGet(e, contents, Value::integer(i)));
    items.push_back(std::move(item));
  }
  return items;
}

static NumberType numberTypeOf(DType type) {
  return isBool(type) ? NumberType::Bool : isFloat(type) ? NumberType::Float : NumberType::Int;
}

static DType dtypeOf(NumberType type) {
  return type == NumberType::Bool    ? DType::Bool
         : type == NumberType::Float ? DType::Float64
                                     : DType::Int64;
}

bool capture::areNumbersAlike(const Value &contents) {
  if (!contents.is(Kind::Tuple) || contents.parts().empty())
    return false;
  const NumberType type = numberType(contents.parts()[0]);
  return type != NumberType::NotNumber && llvm::all_of(contents.parts(), [&](const Value &v) {
           return numberType(v) == type && !v.is(Kind::BigInt);
         });
}

TapeValue capture::typeOfNumbers(Engine &e, const Value &contents) {
  TapeValue type;
  type.type = TapeType::Tensor;
  type.dtype = dtypeOf(numberType(contents.parts()[0]));
  type.sizes = {e.sizes().constant(int64_t(contents.parts().size()))};
  type.strides = e.contiguousStrides(type.sizes);
  return type;
}

Flow capture::layNumbers(Engine &e, const Value &list) {
  const Value contents = e.known(e.heap.get(list.asRef(), slot::kContent));
  if (!areNumbersAlike(contents) || e.frozenStorages.contains(list.asRef()))
    return Flow::Next;
  const DType dtype = dtypeOf(numberType(contents.parts()[0]));
  PTC_LET(laid, e.stackScalars({int64_t(contents.parts().size())}, contents.parts(), dtype));
  e.heap.set(list.asRef(), slot::kContent, laid);
  return Flow::Next;
}

Shown capture::shownBy(Engine &e, ObjectId list, const Value &contents,
                       llvm::function_ref<bool(ObjectId)> isFrozen) {
  Shown shown = e.frozenStorages.contains(list) ? Shown::Element : Shown::Nothing;
  for (const Value &one : alternativesOf(contents)) {
    if (one.is(Kind::RunTimeList) && holdsNumberLists(one) && asRunTimeList(one).shared)
      return Shown::Rows;
    if (one.is(Kind::Tensor) && isFrozen(asTensor(one).storage))
      shown = Shown::Element;
  }
  return shown;
}

/// The same on the path that is followed.
static Shown shownHere(Engine &e, ObjectId list) {
  return shownBy(e, list, e.heap.get(list, slot::kContent),
                 [&](ObjectId storage) { return !e.heap.exists(storage) || e.isFrozen(storage); });
}

Value capture::numberListSet(Engine &e, const Value &list, const Value &key, const Value &value) {
  const Value contents = e.known(e.heap.get(list.asRef(), slot::kContent));
  const TensorNode &t = asTensor(contents);
  PTC_LET(v, e.decide(value));
  if (t.sizes.size() != 1 || numberType(v) != numberTypeOf(t.dtype) || v.is(Kind::BigInt))
    return e.refuse(DiagId::RunTimeListElement);
  PTC_LET(index, indexNumber(e, key));
  if (index.isAbsent() || index.is(Kind::BigInt))
    return e.raise(WellKnown::TypeError,
                   "list indices must be integers or slices, not " + typeName(e, key));
  PTC_LET(length, e.tensorLen(contents));
  PTC_LET(at, positionInList(e, index, length, "list assignment index out of range"));
  PTC_DO(e.tensorSetItem(contents, at, v));
  return Value::none();
}

bool capture::mayBeOneElement(Engine &e, const Value &a, const Value &b) {
  if (!isRefTo(e, a, ObjectKind::List) || !isRefTo(e, b, ObjectKind::List))
    return false;
  // A list whose contents are not known any more may have been one: hideCopied().
  auto isElement = [&](const Value &v) {
    const Value contents = e.known(e.heap.get(v.asRef(), slot::kContent));
    return llvm::any_of(alternativesOf(contents), [](const Value &one) { return one.isNone(); }) ||
           shownHere(e, v.asRef()) == Shown::Element ||
           llvm::any_of(alternativesOf(contents), [&](const Value &one) {
             return one.is(Kind::Tensor) && !asTensor(one).steps.empty();
           });
  };
  return isElement(a) && isElement(b);
}

Flow capture::checkListWrite(Engine &e, const Value &list) {
  if (!isRefTo(e, list, ObjectKind::List))
    return Flow::Next;
  const Value contents = e.known(e.heap.get(list.asRef(), slot::kContent));
  if (e.frozenStorages.contains(list.asRef()) ||
      (contents.is(Kind::Tensor) && asTensor(contents).sizes.size() == 1 &&
       e.isFrozen(asTensor(contents).storage)))
    return e.refuse(DiagId::Unsupported,
                    "writing to a list that is an element of a list whose length the run knows");
  return Flow::Next;
}

Flow capture::checkListReplaced(Engine &e, const Value &list) {
  PTC_DO(checkListWrite(e, list));
  const Value contents = e.known(e.heap.get(list.asRef(), slot::kContent));
  if (contents.is(Kind::Tensor) && !asTensor(contents).steps.empty())
    return e.refuse(DiagId::RunTimeListChanged);
  return Flow::Next;
}

// Elements that are written to
// ------------------------------------------------------------------------------------------

/// Does the instruction behind the running one, or one that follows it in line, write to an element
/// of the result?
static bool isResultWritten(Engine &e) {
  const ObjectId frame = e.currentFrame();
  const CanonicalCode &code = e.code(frame);
  uint32_t above = 0; // values on the stack above the result
  for (uint32_t ip = e.heap.get(frame, slot::kIp).asIp(); ip < code.exitNode(); ++ip) {
    const Instr &instr = code.instrs[ip];
    StackEffect effect = getStackEffect(instr);
    if (instr.op == Opcode::COPY && instr.arg == above + 1)
      return above > 0; // an element is read first: a[i][j] += 1
    if (above < effect.pops)
      return instr.op == Opcode::STORE_SUBSCR
                 ? above == 1
                 : above == 0 && instr.op == Opcode::STORE_FAST &&
                       llvm::any_of(code.instrs, [](const Instr &other) {
                         return other.op == Opcode::STORE_SUBSCR;
                       });
    if (instr.info().flow != OpFlow::Next)
      return false;
    above += effect.pushes - effect.pops;
  }
  return false;
}

static constexpr llvm::StringLiteral kWrittenSince =
    "a list that is an element of another, which was written to since,";

std::optional<llvm::StringRef> capture::whyNotShown(Engine &e, ObjectId list) {
  const Value contents = e.known(e.heap.get(list, slot::kContent));
  const Value reason = e.heap.get(list, attrKey(e.intern("_ptc_contents")));
  const bool isHidden =
      llvm::any_of(alternativesOf(contents), [](const Value &v) { return v.isNone(); }) &&
      llvm::any_of(alternativesOf(reason),
                   [](const Value &v) { return v.is(Kind::Str) && v.asStr() == kWrittenSince; });
  return isHidden ? std::optional<llvm::StringRef>(kWrittenSince) : std::nullopt;
}

/// The list holds what an element was: from now on nobody may ask.
static void hideCopied(Engine &e, ObjectId list) {
  e.heap.set(list, attrKey(e.intern("_ptc_contents")),
             Value::str(kWrittenSince).withSource(e.sourceHere()));
  e.heap.set(list, slot::kContent, Value::none());
}

Value capture::laidOut(Engine &e, const Value &list, const Value &contents) {
  const RunTimeListNode &node = asRunTimeList(contents);
  if (!holdsNumberLists(contents) || node.shared || !isResultWritten(e))
    return contents;
  std::vector<ObjectId> copied;
  for (ObjectId id = 1; id < e.heap.nextId(); ++id) {
    if (!e.heap.exists(id) || e.heap.kind(id) != ObjectKind::List || id == list.asRef())
      continue;
    const Shown shown = shownHere(e, id);
    if (shown == Shown::Rows)
      return contents;
    if (shown == Shown::Element)
      copied.push_back(id);
  }
  const ValueId column = node.columns[0];
  if (sizesDiffer(e, e.tape.type(column)))
    return contents;
  PTC_LET(length, e.runTimeListLength(contents));
  PTC_LET(some, e.numberOrConstantCompare(CompareOp::Gt, length, Value::integer(0)));
  PTC_GET(any, e.truth(some));
  if (!any)
    return contents;
  PTC_LET(made, joinRunTimeList(e, contents, 0, /*stack=*/true));
  for (ObjectId id : copied)
    hideCopied(e, id);
  e.heap.set(list.asRef(), slot::kContent, made);
  return made;
}
