//===- RunTimeLists.cpp - Lists that grew in a run-time loop ---------------------------------===//
//
// In: list operations of the program on contents that are a RunTimeList. Out: list operations on
// the tape, which copy: a tensor that went in or came out is frozen. Elements are tensors of one
// rank, numbers of one type, or tuples of these (control.md, loops, 4). A size that is not the same
// for all elements is a name that means another number in each (sizeOfEach).
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "ListedViews.h"
#include "NumberLists.h"
#include "Objects.h"
#include "Positions.h"
#include "SizeLoops.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;

/// The type of what a column of the list holds, as a value of its own.
static TapeValue elementType(Engine &e, ValueId column) {
  TapeValue type = e.tape.type(column);
  type.type = type.number == NumberType::NotNumber ? TapeType::Tensor : tapeTypeOf(type.number);
  return type;
}

sym::Expr capture::sizeOfEach(Engine &e, size_t dimension) {
  std::string name = "each" + std::to_string(dimension);
  for (;; name += '_') {
    std::optional<sym::SymbolId> known = e.sizes().findSymbol(name);
    if (!known)
      return e.sizes().symbol({.name = name, .lower = 0, .kind = sym::SymbolKind::Unbacked});
    // Another one may be declared for an argument.
    if (e.sizes().symbolInfo(*known).kind == sym::SymbolKind::Unbacked)
      return e.sizes().symbol(*known);
  }
}

bool capture::sizesDiffer(Engine &e, const TapeValue &element) {
  for (auto [d, size] : llvm::enumerate(element.sizes))
    if (size == sizeOfEach(e, d))
      return true;
  return false;
}

bool capture::forgetSizes(Engine &e, TapeValue &element, const llvm::SmallBitVector &which) {
  if (which.none())
    return true;
  const bool isContiguous = e.isContiguous(element.sizes, element.strides);
  // Of other formulas with names that data decide, lists do not say what these are.
  if (!isContiguous && !llvm::all_of(element.strides, [&](sym::Expr stride) {
        return stride.kind() == sym::ExprKind::Symbol || e.isInputSize(stride);
      }))
    return false;
  for (auto [d, size] : llvm::enumerate(element.sizes))
    if (which.test(unsigned(d)) || !e.isInputSize(size))
      size = sizeOfEach(e, d);
  if (isContiguous)
    element.strides = e.contiguousStrides(element.sizes);
  return true;
}

std::optional<TapeValue> capture::commonElement(Engine &e, const TapeValue &a, const TapeValue &b) {
  if (a.number != b.number || a.dtype != b.dtype || a.requiresGrad != b.requiresGrad ||
      a.device != b.device || a.sizes.size() != b.sizes.size())
    return std::nullopt;
  TapeValue common = a;
  if (a.sizes == b.sizes && a.strides == b.strides)
    return common;
  const bool areContiguous =
      e.isContiguous(a.sizes, a.strides) && e.isContiguous(b.sizes, b.strides);
  if (!areContiguous && a.strides != b.strides)
    return std::nullopt;
  llvm::SmallBitVector differ(unsigned(a.sizes.size()));
  for (auto [d, size] : llvm::enumerate(b.sizes))
    if (size != a.sizes[d])
      differ.set(unsigned(d));
  if (!forgetSizes(e, common, differ))
    return std::nullopt;
  return common;
}

bool capture::holdsNumberLists(const Value &contents) {
  const Value &form = asRunTimeList(contents).form;
  return form.is(Kind::Tuple) && form.sub() == uint8_t(TupleTag::NumberList);
}

std::optional<Value> capture::formOfElement(Engine &e, const Value &element,
                                            std::vector<Value> &leaves, ContentsOf contentsOf,
                                            unsigned depth) {
  static constexpr unsigned kMostLevels = 8;
  const bool isTensor =
      llvm::all_of(alternativesOf(element), [](const Value &v) { return v.is(Kind::Tensor); });
  if (element.is(Kind::Tensor))
    if (std::optional<Value> view = formOfView(e, asTensor(element), leaves))
      return view;
  if (isTensor || (numberType(element) != NumberType::NotNumber && !element.is(Kind::BigInt))) {
    leaves.push_back(element);
    return Value::ip(uint32_t(leaves.size() - 1));
  }
  if (element.isNone() || element.is(Kind::Str))
    return element.withSource(0);
  if (depth == 0 &&
      llvm::all_of(alternativesOf(element), [](const Value &v) { return v.is(Kind::Ref); })) {
    std::vector<Value> contents;
    for (const Value &list : alternativesOf(element)) {
      contents.push_back(contentsOf(list.asRef()));
      const Value &last = contents.back();
      if (!areNumbersAlike(last) && (!last.is(Kind::Tensor) || asTensor(last).sizes.size() != 1))
        return std::nullopt;
    }
    if (element.is(Kind::Choice)) {
      auto *choice = new ChoiceNode;
      choice->selector = asChoice(element).selector;
      choice->alternatives = std::move(contents);
      contents = {Value::node(Kind::Choice, choice)};
    }
    leaves.push_back(std::move(contents[0]));
    return Value::tuple({Value::ip(uint32_t(leaves.size() - 1))})
        .withSub(uint8_t(TupleTag::NumberList));
  }
  if (!element.is(Kind::Tuple) || TupleTag(element.sub()) != TupleTag::Plain ||
      depth == kMostLevels)
    return std::nullopt;
  std::vector<Value> parts;
  for (const Value &part : element.parts()) {
    std::optional<Value> form = formOfElement(e, part, leaves, contentsOf, depth + 1);
    if (!form)
      return std::nullopt;
    parts.push_back(std::move(*form));
  }
  return Value::tuple(std::move(parts));
}

/// The element of this form that has `leaves`.
static Value elementOf(Engine &e, const Value &form, llvm::ArrayRef<Value> leaves) {
  if (form.is(Kind::Ip))
    return leaves[form.asIp()];
  if (!form.is(Kind::Tuple))
    return form;
  if (form.sub() == uint8_t(TupleTag::NumberList))
    return makeNumberList(e, leaves[form.parts()[0].asIp()]);
  if (isViewForm(form))
    return viewOfForm(e, form, leaves);
  std::vector<Value> parts;
  for (const Value &part : form.parts())
    parts.push_back(elementOf(e, part, leaves));
  return Value::tuple(std::move(parts));
}

/// Gives the sizes that each element has its own of names of this one's.
static void nameSizes(Engine &e, TapeValue &element) {
  if (!sizesDiffer(e, element))
    return;
  const bool isContiguous = e.isContiguous(element.sizes, element.strides);
  for (auto [d, size] : llvm::enumerate(element.sizes))
    if (size == sizeOfEach(e, d))
      size = e.freshSize(0, {});
  if (isContiguous)
    element.strides = e.contiguousStrides(element.sizes);
}

/// The length, of which only the run asks.
static Value lengthAtRunTime(Engine &e, const Value &contents) {
  TapeValue type;
  type.type = TapeType::Int;
  return Value::scalar(
      e.emit(TapeOp::ListLen, {TapeArg::value(asRunTimeList(contents).columns[0])}, type),
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
    if (name == "out" && known(keyword.value).isNone())
      continue;
    if (args.positional.size() > 1 || (name != "dim" && name != "axis"))
      return refuse(DiagId::UnsupportedOperation, spelling,
                    ("the argument '" + name + "' with a list that grew in a loop on data").str());
    dim = keyword.value;
  }
  PTC_LET(d, decide(dim));
  if (!d.isSmallInt())
    return refuse(DiagId::UnsupportedTorchFunction, "a dimension that is no constant");
  if (isViewForm(asRunTimeList(contents).form))
    return callPrelude("_joined_views", {list, d, Value::boolean(stack)}, args.action);
  if (!asRunTimeList(contents).isPlain())
    return refuse(DiagId::RunTimeListArgument);
  const ValueId column = asRunTimeList(contents).columns[0];
  TapeValue type = elementType(*this, column);
  PTC_DO(checkJoined(*this, contents, type, stack));
  const bool isChannelsLast = !stack && (type.sizes.size() == 4 || type.sizes.size() == 5) &&
                              !llvm::equal(type.strides, contiguousStrides(type.sizes));
  if (isChannelsLast) // then the result of torch.cat() is, too
    return refuse(
        DiagId::UnsupportedTorchFunction,
        "torch.cat of a list whose length the run knows, of elements in another memory order");
  PTC_GET(at, wrapDimension(*this, d.asInt(), type.sizes.size() + stack));
  bool differs = false; // may sizes differ that must not?
  for (auto [i, size] : llvm::enumerate(type.sizes))
    differs |= size == sizeOfEach(*this, i) && (stack || i != at);
  if (differs)
    return callPrelude("_joined_alike", {list, Value::integer(int64_t(at)), Value::boolean(stack)},
                       args.action);
  return joinRunTimeList(*this, contents, at, stack);
}

Value capture::joinRunTimeList(Engine &e, const Value &contents, size_t at, bool stack) {
  const ValueId column = asRunTimeList(contents).columns[0];
  TapeValue type = elementType(e, column);
  const bool isSum = !stack && type.sizes[at] == sizeOfEach(e, at);
  nameSizes(e, type);
  PTC_LET(length, e.runTimeListLength(contents));
  sym::Expr n =
      length.is(Kind::Scalar) ? e.sizeOfScalar(length.scalarId(), 0) : formulaOf(e, length);
  if (stack)
    type.sizes.insert(type.sizes.begin() + ptrdiff_t(at), n);
  else if (!isSum) // of sizes that differ, which the list knows
    type.sizes[at] = e.sizes().mul(type.sizes[at], n);
  type.strides = e.contiguousStrides(type.sizes);
  ValueId id = e.emit(stack ? TapeOp::ListStack : TapeOp::ListCat, {TapeArg::value(column)}, type,
                      {TapeArg::integer(int64_t(at))});
  e.bindFreshSizes(id);
  return e.newTensor(id);
}

Value capture::sizeValue(sym::Expr formula) {
  std::optional<int64_t> constant = formula.asConstant();
  return constant ? Value::integer(*constant) : Value::size(formula);
}

Value Engine::runTimeListLength(const Value &contents) {
  if (contents.is(Kind::Tensor))
    return tensorLen(contents);
  sym::Expr known = sizeLoops ? sizeLoops->lengthOf(contents) : sym::Expr();
  if (!known.isSupported())
    return lengthAtRunTime(*this, contents);
  return sizeValue(known);
}

/// The element at a run-time or constant position, which is known to be in range.
Value Engine::runTimeListGet(const Value &contents, const Value &position) {
  // What follows may change the slot that it is in.
  const Value kept = contents; // NOLINT(performance-unnecessary-copy-initialization)
  if (kept.is(Kind::Tensor))
    return numberListGet(*this, kept, position);
  std::vector<Value> leaves;
  for (ValueId column : asRunTimeList(kept).columns) {
    TapeValue type = elementType(*this, column);
    NumberType number = std::exchange(type.number, NumberType::NotNumber);
    if (number == NumberType::NotNumber)
      nameSizes(*this, type);
    ValueId id = emit(TapeOp::ListGet, {TapeArg::value(column), operand(position)}, type);
    bindFreshSizes(id);
    if (number != NumberType::NotNumber) {
      leaves.push_back(Value::scalar(id, scalarTypeOf(number)));
      continue;
    }
    leaves.push_back(newTensor(id));
    heap.set(asTensor(leaves.back()).storage, slot::kFrozen, Value::boolean(true));
    if (asRunTimeList(kept).shared)
      sharedElements.insert(asTensor(leaves.back()).storage);
  }
  return elementOf(*this, asRunTimeList(kept).form, leaves);
}

Value capture::itemOfGrownList(Engine &e, const Value &list, const Value &content,
                               const Value &key) {
  const bool isTuple = isGrownTuple(e, list);
  if (key.is(Kind::Slice)) {
    if (!llvm::all_of(key.parts(), [](const Value &part) { return part.isNone(); }))
      return e.callPrelude(isTuple ? "_grown_tuple_slice" : "_grown_slice",
                           {list, key.parts()[0], key.parts()[1], key.parts()[2]});
    if (isTuple)
      return list;
    if (content.is(Kind::Tensor) || holdsNumberLists(content))
      return e.callPrelude("_grown_slice", {list, Value::none(), Value::none(), Value::none()});
    Value copy = e.makeList({});
    e.heap.set(copy.asRef(), slot::kContent, content);
    return copy;
  }
  PTC_LET(index, indexNumber(e, key));
  if (index.isAbsent() || index.is(Kind::BigInt))
    return e.raise(WellKnown::TypeError, typeName(e, list) +
                                             " indices must be integers or slices, not " +
                                             typeName(e, key));
  const Value laid = content.is(Kind::RunTimeList) ? laidOut(e, list, content) : content;
  if (laid.isFail())
    return Value::fail();
  PTC_LET(length, e.runTimeListLength(laid));
  PTC_LET(at, positionInList(e, index, length, typeName(e, list) + " index out of range"));
  return e.runTimeListGet(laid, at);
}

Value capture::positionInList(Engine &e, const Value &index, const Value &length,
                              const llvm::Twine &outside) {
  PTC_LET(negative, e.numberOrConstantCompare(CompareOp::Lt, index, Value::integer(0)));
  PTC_GET(fromEnd, e.truth(negative));
  Value at = index;
  if (fromEnd) {
    PTC_LET(counted, nativeBinary(e, BinaryOp::Add, length, index, /*inPlace=*/false));
    at = std::move(counted);
  }
  PTC_LET(inside, fromEnd ? e.numberOrConstantCompare(CompareOp::Ge, at, Value::integer(0))
                          : e.numberOrConstantCompare(CompareOp::Lt, at, length));
  PTC_GET(there, e.truth(inside));
  if (!there)
    return e.raise(WellKnown::IndexError, outside);
  return at;
}

/// What the parts of an element are where it is read.
static Value partsNow(Engine &e, const Value &element) {
  if (e.isTensorLike(element))
    return e.readable(element);
  Value v = e.known(element);
  if (!v.is(Kind::Tuple))
    return v;
  std::vector<Value> parts;
  for (const Value &part : v.parts()) {
    PTC_LET(now, partsNow(e, part));
    parts.push_back(std::move(now));
  }
  return Value::composite(Kind::Tuple, std::move(parts)).withSub(v.sub());
}

/// One more element in a column, or another one; nothing is recorded if it is of another type.
std::optional<ValueId> Engine::pushToColumn(ValueId column, const Value &leaf, bool &shared,
                                            const Value *at) {
  TapeValue type = elementType(*this, column), list = tape.type(column);
  TapeArg pushed;
  if (type.number != NumberType::NotNumber) {
    if (numberType(leaf) != type.number)
      return std::nullopt;
    pushed = operand(leaf);
  } else {
    if (!isTensorLike(leaf))
      return std::nullopt;
    llvm::ArrayRef<Value> alternatives = alternativesOf(leaf);
    for (const Value &one : alternatives) {
      std::optional<TapeValue> common =
          commonElement(*this, type, tapeTypeOf(metaOf(asTensor(one))));
      if (!common)
        return std::nullopt;
      type = std::move(*common);
    }
    list.sizes = type.sizes;
    list.strides = type.strides;
    pushed = TapeArg::value(readTensor(leaf));
    for (const Value &one : alternatives) {
      shared |= !asTensor(one).steps.empty() || isFrozen(asTensor(one).storage);
      heap.set(asTensor(one).storage, slot::kFrozen, Value::boolean(true));
    }
  }
  if (at)
    return emit(TapeOp::ListSet, {TapeArg::value(column), operand(*at), std::move(pushed)}, list);
  return emit(TapeOp::ListPush, {TapeArg::value(column), std::move(pushed)}, list);
}

/// A list of the run with what `change` makes of each column, longer by `more`.
static Value withColumns(Engine &e, const RunTimeListNode &was, std::vector<ValueId> columns,
                         bool shared, int64_t more) {
  auto *node = new RunTimeListNode(was);
  node->refs = 0;
  node->columns.assign(columns.begin(), columns.end());
  node->shared = shared;
  if (e.sizeLoops)
    if (sym::Expr length = e.sizeLoops->lengthOf(was.columns[0]); length.isSupported())
      for (ValueId column : node->columns)
        e.sizeLoops->noteLength(column, e.sizes().add(length, e.sizes().constant(more)));
  return Value::node(Kind::RunTimeList, node).withSource(e.sourceHere());
}

/// An element as its form says and its numbers and tensors are.
static std::string elementText(Engine &e, const Value &form, llvm::ArrayRef<TapeValue> leaves) {
  if (form.is(Kind::Ip)) {
    const TapeValue &leaf = leaves[form.asIp()];
    if (leaf.number != NumberType::NotNumber)
      return leaf.number == NumberType::Bool  ? "bool"
             : leaf.number == NumberType::Int ? "int"
                                              : "float";
    std::string sizes;
    for (auto [d, size] : llvm::enumerate(leaf.sizes))
      sizes += (d ? "," : "") + (size == sizeOfEach(e, d) ? "?" : e.sizes().str(size));
    return getDTypeInfo(leaf.dtype).alias.str() + "[" + sizes + "]";
  }
  if (isViewForm(form))
    return "a view of a tensor";
  if (!form.is(Kind::Tuple))
    return e.describeConstant(form);
  std::string parts;
  for (const Value &part : form.parts())
    parts += (parts.empty() ? "" : ", ") + elementText(e, part, leaves);
  return form.sub() == uint8_t(TupleTag::NumberList) ? "a list as long as " + parts
                                                     : "(" + parts + ")";
}

/// Refuses an element of another form than those that the list has.
static FailAny refuseElement(Engine &e, const RunTimeListNode &list,
                             const std::optional<Value> &form, llvm::ArrayRef<Value> leaves) {
  Diagnostic diag = makeDiagnostic(DiagId::RunTimeListElement, e.here());
  std::vector<TapeValue> held, given;
  for (ValueId column : list.columns)
    held.push_back(elementType(e, column));
  for (const Value &leaf : leaves) {
    given.emplace_back();
    given.back().number = numberType(leaf);
    if (leaf.is(Kind::Tensor) || e.isTensorLike(leaf))
      given.back() = tapeTypeOf(metaOf(asTensor(alternativesOf(leaf)[0])));
    else if (leaf.is(Kind::Tuple))
      given.back() = typeOfNumbers(e, leaf);
  }
  std::string text = form ? elementText(e, *form, given) : "";
  // Known numbers of a list that another one has are not laid side by side.
  if (text == elementText(e, list.form, held) &&
      llvm::any_of(leaves, [](const Value &leaf) { return leaf.is(Kind::Tuple); }))
    text = "an element of another list already";
  diag.note("its elements are " + elementText(e, list.form, held) +
            (text.empty() ? text : ", and this one is " + text));
  return e.refuse(std::move(diag));
}

Value Engine::runTimeListPush(const Value &contents, const Value &element) {
  return runTimeListWith(contents, element, nullptr);
}

Value Engine::runTimeListSet(const Value &contents, const Value &position, const Value &element) {
  return runTimeListWith(contents, element, &position);
}

/// The list with one more element, or another one in place of that at `at`; a tensor's storage is
/// frozen.
Value Engine::runTimeListWith(const Value &contents, const Value &element, const Value *at,
                              size_t same) {
  const Value kept = contents; // NOLINT(performance-unnecessary-copy-initialization)
  const RunTimeListNode &node = asRunTimeList(kept);
  PTC_LET(now, partsNow(*this, element));
  if (now.is(Kind::Choice) && !isTensorLike(now)) {
    PTC_LET(one, decide(now));
    now = std::move(one);
  }
  if (isRefTo(*this, now, ObjectKind::List) && holdsNumberLists(kept))
    PTC_DO(layNumbers(*this, now));
  std::vector<Value> leaves;
  llvm::SaveAndRestore asViews(keeps.listedViews, keeps.listedViews && holdsViews(node.form));
  std::optional<Value> form = formOfElement(*this, now, leaves, [&](ObjectId id) {
    return heap.kind(id) == ObjectKind::List && !heap.header(id).cls
               ? known(heap.get(id, slot::kContent))
               : Value();
  });
  if (!form || *form != node.form)
    return refuseElement(*this, node, form, leaves);
  std::vector<ValueId> columns;
  bool shared = node.shared;
  for (const auto &[column, leaf] : llvm::zip_equal(node.columns, leaves)) {
    if (columns.size() < same) {
      columns.push_back(column);
      continue;
    }
    std::optional<ValueId> longer = pushToColumn(column, leaf, shared, at);
    if (!longer)
      return refuseElement(*this, node, form, leaves);
    columns.push_back(*longer);
  }
  return withColumns(*this, node, std::move(columns), shared, at ? 0 : 1);
}

/// Takes the last element off; the list is known to have one.
Value Engine::runTimeListDrop(const Value &contents) {
  const RunTimeListNode &node = asRunTimeList(contents);
  std::vector<ValueId> columns;
  for (ValueId column : node.columns)
    columns.push_back(emit(TapeOp::ListDrop, {TapeArg::value(column)}, tape.type(column)));
  return withColumns(*this, node, std::move(columns), node.shared, -1);
}

/// list.pop() of the last element.
Value capture::popOfGrownList(Engine &e, const Value &list) {
  Value contents = e.known(e.heap.get(list.asRef(), slot::kContent));
  PTC_LET(length, e.runTimeListLength(contents));
  PTC_LET(nonEmpty, e.numberOrConstantCompare(CompareOp::Gt, length, Value::integer(0)));
  PTC_GET(any, e.truth(nonEmpty));
  if (!any)
    return e.raise(WellKnown::IndexError, "pop from empty list");
  PTC_LET(last, e.numberBinary(BinaryOp::Sub, length, Value::integer(1)));
  PTC_LET(element, e.runTimeListGet(contents, last));
  e.heap.set(list.asRef(), slot::kContent, e.runTimeListDrop(contents));
  return element;
}

Value capture::setInGrownList(Engine &e, const Value &list, const Value &key, const Value &value) {
  const Value contents = e.known(e.heap.get(list.asRef(), slot::kContent));
  PTC_LET(index, indexNumber(e, key));
  if (index.isAbsent() || index.is(Kind::BigInt))
    return e.raise(WellKnown::TypeError,
                   "list indices must be integers or slices, not " + typeName(e, key));
  PTC_LET(length, e.runTimeListLength(contents));
  PTC_LET(at, positionInList(e, index, length, "list assignment index out of range"));
  PTC_LET(changed, e.runTimeListSet(contents, at, value));
  e.heap.set(list.asRef(), slot::kContent, std::move(changed));
  return Value::none();
}

Value capture::changeGrownList(Engine &e, llvm::StringRef function, std::vector<Value> args) {
  if (args[1].is(Kind::Slice)) {
    const Value slice = args[1];
    Value step = e.known(slice.parts()[2]);
    if (!step.isNone() && !(step.isSmallInt() && step.asInt() == 1))
      return e.refuse(DiagId::RunTimeListChanged);
    Value values = args.size() > 2 ? args[2] : Value::tuple({});
    return e.callPrelude("_grown_setslice", {args[0], slice.parts()[0], slice.parts()[1], values},
                         ReturnAction::Drop);
  }
  return e.callPrelude(function, std::move(args), ReturnAction::Drop);
}
