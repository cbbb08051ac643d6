//===- ExitBuilder.cpp - What the caller gets at an end of the program -------------------===//
//
// In: the heap at an end. Out: the result as a tree of leaves, in which shared objects and shared
// storages keep their identity, and the caller's tensors that were written.
//
//===----------------------------------------------------------------------===//
#include "CallLoop.h"
#include "ElementOrigins.h"
#include "ListedViews.h"
#include "NumberLists.h"
#include "OpaqueCalls.h"
#include "Overrides.h"
#include "Positions.h"
#include "RunTimeTables.h"
#include "Template.h"
#include "Tensors.h"

using namespace ptc::capture;

/// May a list hold what fills a storage? What is a view of one is known to share it.
static bool mayHold(Engine &e, ValueId column, ValueId contents) {
  const TapeValue &element = e.tape.type(column), &whole = e.tape.type(contents);
  auto mayBeEqual = [](const auto &sizes) {
    auto a = std::get<0>(sizes).asConstant(), b = std::get<1>(sizes).asConstant();
    return !a || !b || *a == *b;
  };
  return element.dtype == whole.dtype && element.device == whole.device &&
         element.sizes.size() == whole.sizes.size() &&
         llvm::all_of(llvm::zip_equal(element.sizes, whole.sizes), mayBeEqual);
}

bool ExitBuilder::losesAliases() const {
  if (listShares || elementLeaves.size() + !listLeaves.empty() < 2)
    return listShares;
  const ElementOrigins origins(*e.block);
  for (auto [i, contents] : llvm::enumerate(elementLeaves)) {
    const auto others = llvm::ArrayRef(elementLeaves).drop_front(i + 1);
    if ((i >= numInputLeaves &&
         llvm::any_of(others, [&](ValueId other) { return origins.mayMeet(contents, other); })) ||
        llvm::any_of(listLeaves, [&](ValueId column) {
          return mayHold(e, column, contents) && origins.mayHold(column, contents);
        }))
      return true;
  }
  return false;
}

uint32_t ExitBuilder::storage(ObjectId id) {
  auto [place, fresh] = storages.try_emplace(id, uint32_t(exit.storages.size()));
  if (fresh) {
    if (e.isFrozen(id))
      elementLeaves.push_back(e.heap.get(id, slot::kContent).asRaw());
    sharedLeaves |= e.sharedElements.contains(id);
    numMaybeViews += e.maybeViews.views.contains(id);
    hasMaybeBase |= e.maybeViews.bases.contains(id);
    OutStorage out;
    out.contents = TapeArg::value(e.heap.get(id, slot::kContent).asRaw());
    out.kept = kept.contains(id);
    for (size_t i = 0; i < inputStorages.size(); ++i)
      if (inputStorages[i] == id)
        out.input = int32_t(i);
    exit.storages.push_back(std::move(out));
  }
  return place->second;
}

OutValue ExitBuilder::tensor(const TensorNode &t) {
  OutValue out;
  out.kind = OutValue::Kind::Tensor;
  out.storage = storage(t.storage);
  out.steps = e.stepsIn(*e.block, t);
  out.offset = t.steps.empty() ? -1 : e.offsetInContents(t).value_or(-1);
  out.type.type = TapeType::Tensor;
  out.type.dtype = t.dtype;
  out.type.sizes = t.sizes;
  out.type.strides = t.strides;
  out.type.device = t.device;
  out.type.requiresGrad = requiresGrad(e, t);
  return out;
}

static OutValue::Kind kindOfObject(ObjectKind kind) {
  switch (kind) {
  case ObjectKind::List:
    return OutValue::Kind::List;
  case ObjectKind::Dict:
    return OutValue::Kind::Dict;
  case ObjectKind::Set:
    return OutValue::Kind::Set;
  case ObjectKind::Instance:
    return OutValue::Kind::Object;
  case ObjectKind::Engine:
  case ObjectKind::Frame:
  case ObjectKind::Cell:
  case ObjectKind::Function:
  case ObjectKind::Class:
  case ObjectKind::Module:
  case ObjectKind::ByteArray:
  case ObjectKind::Iterator:
  case ObjectKind::Storage:
  case ObjectKind::Generator:
    return OutValue::Kind::Other;
  }
  llvm_unreachable("closed enum");
}

OutValue ExitBuilder::choice(const ChoiceNode &choice,
                             llvm::function_ref<OutValue(const Value &)> make) {
  OutValue out;
  out.kind = OutValue::Kind::Choice;
  out.value = TapeArg::value(choice.selector);
  out.children.reserve(choice.alternatives.size());
  for (const Value &alternative : choice.alternatives)
    out.children.push_back(make(alternative));
  return out;
}

/// What a list, dict or set holds; the same object may hold one of several contents.
OutValue ExitBuilder::contents(OutValue::Kind kind, const Value &given) {
  Value v = e.known(given);
  if (v.is(Kind::Choice))
    return choice(asChoice(v), [&](const Value &one) { return contents(kind, one); });
  if (v.is(Kind::RunTimeList))
    return value(v);
  if (v.is(Kind::Tensor)) { // numbers of a list that lie side by side
    OutValue numbers = tensor(asTensor(v));
    numbers.text = "list";
    return numbers;
  }
  OutValue out;
  out.kind = kind;
  out.children.reserve(v.parts().size());
  for (const Value &part : v.parts())
    out.children.push_back(value(part));
  return out;
}

/// An instance of a class derived from tuple, str, int … or torch.Tensor.
static bool isBoxed(Engine &e, ObjectId id) {
  const ObjectHeader &header = e.heap.header(id);
  if (isDerivedTensor(e, Value::ref(id)))
    return true;
  return header.kind == ObjectKind::Instance && header.cls &&
         e.classInfo(header.cls).layout == Layout::Boxed;
}

/// More sets than this are too many to write down.
static constexpr uint32_t kMostAttributeSets = 64;

uint64_t ExitBuilder::possibleAfter(const Taken &taken, const ChoiceNode &choice) {
  Heap::Mark mark = e.heap.mark();
  for (const auto &[selector, n] : taken)
    e.assume(selector, n);
  size_t n = choice.alternatives.size();
  uint64_t cases = e.possible(choice.selector, n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1);
  e.heap.rollback(mark);
  return cases;
}

/// Appends names and values to `shown`. Where only some sides have an attribute, there is one node
/// for each set of names that there may be. What the attributes hold is described as it is without
/// knowing the set: other sets may mean the same objects.
OutValue ExitBuilder::attributes(OutValue shown, Attributes rest, const Taken &taken) {
  auto add = [&](OutValue &to, NameId name, const Value &v) {
    OutValue key;
    key.kind = OutValue::Kind::Str;
    key.text = e.nameText(name).str();
    to.children.push_back(std::move(key));
    to.children.push_back(value(v));
  };
  for (; !rest.empty(); rest = rest.drop_front()) {
    NameId name = rest[0].first;
    Value v = e.known(rest[0].second);
    if (!mayBeAbsent(v)) {
      if (!v.isAbsent())
        add(shown, name, v);
      continue;
    }
    const ChoiceNode &held = asChoice(v);
    uint64_t cases = possibleAfter(taken, held);
    attributeSets += uint32_t(llvm::popcount(cases)) - 1;
    if (attributeSets > kMostAttributeSets) {
      e.diags.push_back(makeDiagnostic(ptc::DiagId::Unsupported, e.locationOfSource(v.source()),
                                       "an object that leaves the program and whose attributes "
                                       "exist under many conditions"));
      return shown;
    }
    OutValue out;
    out.kind = OutValue::Kind::Choice;
    out.value = TapeArg::value(held.selector);
    out.children.resize(held.alternatives.size());
    for (size_t i = 0; i < held.alternatives.size(); ++i) {
      if (!(cases >> i & 1))
        continue;
      OutValue side = shown;
      if (!held.alternatives[i].isAbsent())
        add(side, name, held.alternatives[i]);
      Taken now = taken;
      now.emplace_back(held.selector, uint32_t(i));
      out.children[i] = attributes(std::move(side), rest.drop_front(), now);
    }
    return out;
  }
  return shown;
}

/// What lib/Prelude keeps in an object is no attribute.
static bool isKeptByPrelude(Engine &e, NameId name) {
  return e.nameText(name).starts_with("_ptc_");
}

/// Where a value, or else one of its parts, was computed; else the entry's definition.
static ptc::SourceLoc placeOf(Engine &e, const Value &v) {
  SourceId source = v.source();
  if (v.is(Kind::Ref))
    e.heap.forEachSlot(
        v.asRef(), [&](uint32_t, const Value &held) { source = source ? source : held.source(); });
  else
    for (const Value &part : v.parts())
      source = source ? source : part.source();
  return source ? e.locationOfSource(source) : e.entryAt;
}

/// Refuses an object whose attributes come in an order that is not known.
bool ExitBuilder::refusesOrder(ObjectId id) {
  if (e.heap.isNameOrderKnown(id))
    return false;
  const Value v = Value::ref(id);
  Diagnostic diag = makeDiagnostic(
      ptc::DiagId::Unsupported, placeOf(e, v),
      llvm::formatv("a result that holds a {0} whose attributes were set in another order on "
                    "another path that data decides",
                    e.classInfo(e.typeOf(v)).name)
          .str());
  diag.hint("set them in one order, to None at first where their values are not known yet");
  e.diags.push_back(std::move(diag));
  return true;
}

/// The dict that obj.__dict__ gave, shown as the attributes are now.
OutValue ExitBuilder::linkedDict(ObjectId dict, const Value &given) {
  Value owner = e.known(given);
  if (owner.is(Kind::Choice))
    return choice(asChoice(owner), [&](const Value &one) { return linkedDict(dict, one); });
  if (owner.isAbsent())
    return contents(OutValue::Kind::Dict, e.heap.get(dict, slot::kContent));
  OutValue shown;
  if (refusesOrder(owner.asRef()))
    return shown;
  shown.kind = OutValue::Kind::Dict;
  attributeSets = 1;
  auto held = shownAttributes(e, owner);
  llvm::erase_if(held, [&](const auto &one) { return isKeptByPrelude(e, one.first); });
  return attributes(std::move(shown), held, {});
}

/// What to return instead of what has no form among results; empty: it has one.
static std::string insteadOf(Engine &e, const Value &v) {
  const ObjectKind kind = e.heap.kind(v.asRef());
  if (llvm::is_contained({ObjectKind::Iterator, ObjectKind::Generator, ObjectKind::Frame}, kind))
    return "return `list(v)` of an iterator `v`";
  if (kind != ObjectKind::Instance && kind != ObjectKind::ByteArray)
    return "";
  // Classes of lib/Prelude whose instances are more than their attributes.
  Value said = e.lookupInClass(e.typeOf(v), e.intern("_ptc_as_result"));
  return said.is(Kind::Str) ? said.asStr().str() : "";
}

bool ExitBuilder::refusesResult(const Value &v) {
  std::string instead = insteadOf(e, v);
  if (instead.empty())
    return false;
  Diagnostic diag = makeDiagnostic(ptc::DiagId::Unsupported, placeOf(e, v),
                                   "a result that holds a " + className(e, e.typeOf(v)));
  diag.hint(std::move(instead));
  e.diags.push_back(std::move(diag));
  return true;
}

static llvm::SmallVector<std::pair<NameId, Value>> attributesOf(Engine &e, ObjectId id) {
  llvm::SmallVector<std::pair<NameId, Value>> held;
  e.heap.forEachSlot(id, [&](uint32_t slotKey, const Value &v) {
    if (isAttrKey(slotKey) && !isKeptByPrelude(e, nameOfKey(slotKey)))
      held.emplace_back(nameOfKey(slotKey), v);
  });
  return held;
}

bool ExitBuilder::holdsOnEach(const Value &v, llvm::function_ref<bool(const Value &)> test) {
  const ChoiceNode &choice = asChoice(v);
  uint64_t cases = possibleAfter({}, choice);
  for (size_t i = 0; i < choice.alternatives.size(); ++i) {
    if (!(cases >> i & 1))
      continue;
    Heap::Mark mark = e.heap.mark();
    e.assume(choice.selector, uint32_t(i));
    bool holds = test(choice.alternatives[i]);
    e.heap.rollback(mark);
    if (!holds)
      return false;
  }
  return true;
}

/// Whether the caller misses nothing of an attribute of what holds this: of a dict it is the item
/// of its name, or None, as fields of models' results are that are not set.
bool ExitBuilder::isAmongItems(NameId name, const Value &attribute, const Value &items) {
  Value held = e.known(attribute), content = e.known(items);
  if (held.isAbsent())
    return true;
  if (content.is(Kind::Choice))
    return holdsOnEach(content, [&](const Value &one) { return isAmongItems(name, held, one); });
  if (content.is(Kind::DictItems) && held.isNone())
    return true;
  for (size_t i = 0; content.is(Kind::DictItems) && i + 1 < content.parts().size(); i += 2)
    if (Value key = e.known(content.parts()[i]);
        key.is(Kind::Str) && key.asStr() == e.nameText(name))
      return isSame(held, content.parts()[i + 1]);
  return held.is(Kind::Choice) &&
         holdsOnEach(held, [&](const Value &one) { return isAmongItems(name, one, content); });
}

bool ExitBuilder::isSame(const Value &left, const Value &right) {
  Value a = e.known(left), b = e.known(right);
  if (a == b || a.isNone() || a.isAbsent())
    return true;
  if (b.is(Kind::Choice))
    return holdsOnEach(b, [&](const Value &one) { return isSame(a, one); });
  return a.is(Kind::Choice) && holdsOnEach(a, [&](const Value &one) { return isSame(one, b); });
}

static bool isEnumeration(Engine &e, ObjectId cls) {
  ObjectId module = findModule(e, "enum");
  const Value base = module ? e.heap.get(module, attrKey(e.intern("Enum"))) : Value();
  return cls && isClass(e, base) && e.isSubclass(cls, base.asRef());
}

/// Refuses an instance of a class derived from list, dict, set, tuple, str, int … with an attribute
/// that the caller would not get: it gets what these hold. Members of enumerations are their
/// values.
bool ExitBuilder::refusesAttributes(const Value &v) {
  ObjectId id = v.asRef();
  bool isDict = e.heap.kind(id) == ObjectKind::Dict;
  if (isDict && !e.heap.get(id, slot::kOwner).isAbsent())
    return false; // what obj.__dict__ gave has no attributes
  if (isEnumeration(e, e.heap.header(id).cls))
    return false;
  Value content = isDict ? e.heap.get(id, slot::kContent) : Value::none();
  // How a generic class was called, by typing; versions of modules beside a state dict.
  const NameId generic = e.intern("__orig_class__"), metadata = e.intern("_metadata");
  auto attributes = attributesOf(e, id);
  const auto *found = llvm::find_if(attributes, [&](const auto &attribute) {
    return attribute.first != generic && attribute.first != metadata &&
           !isAmongItems(attribute.first, attribute.second, content);
  });
  if (found == attributes.end())
    return false;
  llvm::StringRef missed = e.nameText(found->first);
  const std::string &cls = e.classInfo(e.typeOf(v)).name;
  const bool hasItems = !isBoxed(e, id) || e.heap.get(id, slot::kContent).is(Kind::Tuple);
  Diagnostic diag = makeDiagnostic(
      ptc::DiagId::Unsupported, placeOf(e, v),
      llvm::formatv("a result that holds a {0} with the attribute '{1}' beside its {2}", cls,
                    missed, hasItems ? "items" : "value")
          .str());
  diag.hint(llvm::formatv("return `(v, v.{0})` of a {1} `v`{2}", missed, cls,
                          hasItems ? ", or make it an item" : "")
                .str());
  e.diags.push_back(std::move(diag));
  return true;
}

OutValue ExitBuilder::object(const Value &v) {
  OutValue out;
  ObjectId id = v.asRef();
  if (refusesResult(v))
    return out;
  if (e.heap.kind(id) == ObjectKind::Dict)
    if (Value owner = e.known(e.heap.get(id, slot::kOwner)); owner.is(Kind::Ref))
      id = dicts.try_emplace(owner.asRef(), id).first->second;
  auto [place, fresh] = identities.try_emplace(id, uint32_t(identities.size()) + 1);
  out.identity = place->second;
  if (!fresh) {
    out.kind = OutValue::Kind::Same;
    return out;
  }
  out.kind = kindOfObject(e.heap.kind(id));
  if (e.heap.kind(id) == ObjectKind::List)
    if (std::optional<llvm::StringRef> why = whyNotShown(e, id)) {
      e.diags.push_back(
          makeDiagnostic(DiagId::Unsupported, placeOf(e, v), (*why + " as a result").str()));
      return out;
    }
  if (isRunTimeTable(e, Value::ref(id))) {
    const bool isDict = e.heap.kind(id) == ObjectKind::Dict;
    Diagnostic diag = makeDiagnostic(DiagId::Unsupported, placeOf(e, v),
                                     isDict ? "a dict whose keys the run decides as a result"
                                            : "a set whose members the run decides as a result");
    diag.hint(isDict ? "return `list(v.items())` of a dict `v`"
                     : "return `sorted(v)` of a set `v`");
    e.diags.push_back(std::move(diag));
    return out;
  }
  if (hasUnknownContents(e, Value::ref(id)))
    out.kind = OutValue::Kind::Other;
  if (out.kind == OutValue::Kind::Other) {
    out.text = e.describeObject(id);
    return out;
  }
  if ((out.kind != OutValue::Kind::Object || isBoxed(e, id)) && refusesAttributes(Value::ref(id)))
    return out;
  Value content = e.heap.get(id, slot::kContent);
  if (out.kind != OutValue::Kind::Object || isBoxed(e, id)) {
    OutValue held = out.kind == OutValue::Kind::Object ? value(content)
                    : out.kind == OutValue::Kind::Dict
                        ? linkedDict(id, e.heap.get(id, slot::kOwner))
                        : contents(out.kind, content);
    if (isGrownTuple(e, Value::ref(id))) {
      OutValue tuple;
      tuple.kind = OutValue::Kind::Tuple;
      tuple.text = "*";
      tuple.children.push_back(std::move(held));
      held = std::move(tuple);
    }
    held.identity = out.identity;
    return held;
  }
  if (refusesOrder(id))
    return out;
  out.text = e.classInfo(e.heap.header(id).cls).name;
  std::vector<std::pair<NameId, Value>> held;
  if (!content.isAbsent())
    held.emplace_back(e.intern("args"), content);
  llvm::append_range(held, attributesOf(e, id));
  uint32_t identity = std::exchange(out.identity, 0);
  attributeSets = 1;
  OutValue shown = attributes(std::move(out), held, {});
  shown.identity = identity;
  return shown;
}

/// Elements that are views of one storage.
OutValue ExitBuilder::views(const RunTimeListNode &list, const Value &form) {
  const TensorNode &view = asTensor(form.parts()[0]);
  auto numbers = [&](const Value &place) {
    OutValue out;
    out.kind = OutValue::Kind::RunTimeList;
    out.value = TapeArg::value(list.columns[place.asIp()]);
    return out;
  };
  OutValue out = numbers(form.parts()[1]);
  out.kind = OutValue::Kind::Views;
  out.storage = storage(view.storage);
  out.type = tapeTypeOf(metaOf(view));
  out.type.type = TapeType::List;
  size_t next = 2;
  for (auto [d, size] : llvm::enumerate(view.sizes))
    out.children.push_back(size == sizeOfEach(e, d) ? numbers(form.parts()[next++])
                                                    : value(sizeValue(size)));
  for (sym::Expr stride : view.strides)
    out.children.push_back(isOfEach(e, stride, view.sizes.size()) ? numbers(form.parts()[next++])
                                                                  : value(sizeValue(stride)));
  return out;
}

/// What all elements of a list of the run have where `form` is in each: lists, in tuples and beside
/// what is the same in all.
OutValue ExitBuilder::elementsOf(const Value &contents, const Value &form) {
  const RunTimeListNode &list = asRunTimeList(contents);
  OutValue out;
  if (isViewForm(form))
    return views(list, form);
  if (form.is(Kind::Tuple)) {
    out.kind = OutValue::Kind::Tuple;
    for (const Value &part : form.parts())
      out.children.push_back(elementsOf(contents, part));
    return out;
  }
  if (!form.is(Kind::Ip))
    return value(form);
  const ValueId column = list.columns[form.asIp()];
  out.kind = OutValue::Kind::RunTimeList;
  if (holdsNumberLists(contents))
    out.text = "list";
  if (holdsNumberLists(contents) && list.shared)
    e.diags.push_back(makeDiagnostic(
        DiagId::Unsupported, contents.source() ? e.locationOfSource(contents.source()) : e.entryAt,
        "a list of lists that others hold, too, as a result"));
  if (!holdsNumberLists(contents) && e.tape.type(column).number == NumberType::NotNumber) {
    listLeaves.push_back(column);
    listShares |= list.shared;
    grownAt = e.locationOfSource(contents.source());
  }
  out.value = TapeArg::value(column);
  return out;
}

OutValue ExitBuilder::value(const Value &given) {
  WalkLevel here(level);
  if (!here.ok && !tooDeep)
    e.reportLimit(DiagId::ValueDepthLimit, kRecursionLimit);
  tooDeep |= !here.ok;
  if (tooDeep)
    return {};
  Value v = e.known(given);
  OutValue out;
  switch (v.kind()) {
  case Kind::None:
    return out;
  case Kind::Bool:
    out.kind = OutValue::Kind::Bool;
    out.value = TapeArg::boolean(v.asBool());
    return out;
  case Kind::Int:
    out.kind = OutValue::Kind::Int;
    out.value = TapeArg::integer(v.asInt());
    return out;
  case Kind::Float:
    out.kind = OutValue::Kind::Float;
    out.value = TapeArg::real(v.asFloat());
    return out;
  case Kind::Str:
    out.kind = OutValue::Kind::Str;
    out.text = v.asStr().str();
    return out;
  case Kind::Bytes:
    out.kind = OutValue::Kind::Bytes;
    out.text = v.asBytes().str();
    return out;
  case Kind::Scalar:
  case Kind::Size:
    out.kind = OutValue::Kind::Scalar;
    out.value = e.operand(v);
    out.type.type = tapeTypeOf(numberType(v));
    return out;
  case Kind::Tensor:
    return tensor(asTensor(v));
  case Kind::RunTimeList: {
    const RunTimeListNode &list = asRunTimeList(v);
    if (list.isPlain() || isViewForm(list.form))
      return elementsOf(v, list.form);
    if (holdsNumberLists(v))
      return elementsOf(v, list.form.parts()[0]);
    out.kind = OutValue::Kind::List;
    out.text = "rows";
    out.children.push_back(elementsOf(v, list.form));
    return out;
  }
  case Kind::Ref:
    return object(v);
  case Kind::Choice:
    return choice(asChoice(v), [&](const Value &one) { return value(one); });
  case Kind::Template:
    out.kind = OutValue::Kind::Template;
    out.value = textOperand(e, v);
    return out;
  case Kind::FrozenSet:
    out = contents(OutValue::Kind::Set, v);
    out.text = "frozenset";
    return out;
  case Kind::Tuple:
    out = contents(OutValue::Kind::Tuple, v);
    if (v.sub() == uint8_t(TupleTag::TorchSize))
      out.text = "torch.Size";
    return out;
  case Kind::DType:
    out.kind = OutValue::Kind::Other;
    out.value = TapeArg::dtype(v.asDType());
    return out;
  case Kind::Device:
    out.kind = OutValue::Kind::Other;
    out.value = {TapeArg::Kind::Device, v.bits(), 0, {}, {}};
    return out;
  case Kind::BigInt:
    out.kind = OutValue::Kind::Int;
    out.text = nativeRepr(e, v).value_or("");
    return out;
  case Kind::Opaque: {
    const auto &node = v.nodeAs<OpaqueNode>(Kind::Opaque);
    if (node.refusal) {
      e.diags.push_back(e.world->setAside[node.refusal - 1]);
      return out;
    }
    Diagnostic diag =
        makeDiagnostic(ptc::DiagId::OpaqueUsed, e.locationOfSource(node.importedAt), node.path);
    diag.note("it is part of what the entry returns");
    diag.hint(hintOnModule("do not return it"));
    e.diags.push_back(std::move(diag));
    return out;
  }
  default: {
    out.kind = OutValue::Kind::Other;
    std::optional<std::string> text = nativeRepr(e, v);
    out.text = text.value_or(e.describeConstant(v));
    if (!text && (v.is(Kind::Slice) || v.is(Kind::Range)))
      e.diags.push_back(makeDiagnostic(ptc::DiagId::Unsupported, placeOf(e, v),
                                       v.is(Kind::Slice)
                                           ? "a slice of run-time numbers in a result"
                                           : "a range of run-time numbers in a result"));
    e.pending = {};
    return out;
  }
  }
}

// Exceptions
// ------------------------------------------------------------------------------------------

static OutValue tupleOf(std::vector<OutValue> children) {
  OutValue out;
  out.kind = OutValue::Kind::Tuple;
  out.children = std::move(children);
  return out;
}

OutValue ExitBuilder::text(const Value &given, bool repr) {
  Value v = e.known(given);
  if (v.is(Kind::Choice) && !e.isTensorLike(v))
    return choice(asChoice(v), [&](const Value &one) { return text(one, repr); });
  if (std::optional<Value> known = nativeText(e, v, repr))
    return value(*known);
  e.pending = {};
  Diagnostic diag = makeDiagnostic(DiagId::Unsupported, raisedAt,
                                   "an exception that leaves the program and whose text is made "
                                   "by Python code");
  diag.hint("give its text to super().__init__ instead of making it in __str__ or __repr__");
  e.diags.push_back(std::move(diag));
  return {};
}

/// str() of an exception with these arguments.
OutValue ExitBuilder::argsText(const Value &given, bool key) {
  Value args = e.known(given);
  if (args.is(Kind::Choice))
    return choice(asChoice(args), [&](const Value &one) { return argsText(one, key); });
  if (args.parts().empty())
    return value(Value::str(""));
  return args.parts().size() == 1 ? text(args.parts()[0], key) : text(args, /*repr=*/true);
}

/// Where an exception was raised: the innermost line of its traceback.
OutValue ExitBuilder::place(const Value &given) {
  Value trace = e.known(given);
  if (trace.is(Kind::Choice))
    return choice(asChoice(trace), [&](const Value &one) { return place(one); });
  if (!trace.is(Kind::Tuple) || trace.parts().empty())
    return tupleOf({value(Value::str("")), value(Value::integer(0))});
  if (!trace.parts()[0].is(Kind::Str))
    return place(trace.parts()[0]);
  return tupleOf({value(trace.parts()[0]), value(trace.parts()[1])});
}

static bool isBuiltinMethod(Engine &e, const Value &v, WellKnown name) {
  Value method = e.lookupInClass(e.typeOf(v), NameId(name));
  return method.isAbsent() || method.is(Kind::Builtin);
}

OutValue ExitBuilder::raised(const Value &given) {
  Value v = e.known(given);
  if (v.is(Kind::Choice))
    return choice(asChoice(v), [&](const Value &one) { return raised(one); });
  raisedAt = e.raisedAt(v);
  bool key = isInstance(e, v, WellKnown::KeyError);
  // Where other exceptions leave, this one has no text.
  Value kept = e.known(e.heap.get(v.asRef(), exceptionTextKey(e)));
  auto keptText = [&](const Value &one) { return value(one.isAbsent() ? Value::str("") : one); };
  OutValue shown = kept.is(Kind::Choice) ? choice(asChoice(kept), keptText)
                   : !kept.isAbsent()    ? value(kept)
                   : isBuiltinMethod(e, v, WellKnown::Str) && !hasOwnText(e, v)
                       ? argsText(e.heap.get(v.asRef(), slot::kContent), key)
                       : text(v, /*repr=*/false);
  return tupleOf({value(v), std::move(shown), place(e.heap.get(v.asRef(), slot::kTrace))});
}

static bool isChanged(Engine &e, const CallerObject &object) {
  std::vector<std::pair<uint32_t, Value>> now;
  e.heap.forEachSlot(object.id,
                     [&](uint32_t key, const Value &value) { now.emplace_back(key, value); });
  return now != object.slots;
}

/// Those of the caller that changed, or have a part that did.
static std::vector<const CallerObject *> changedObjects(Engine &e, const CallerObjects &all) {
  std::vector<const CallerObject *> changed, out;
  for (const CallerObject &object : all)
    if (e.heap.exists(object.id) && isChanged(e, object))
      changed.push_back(&object);
  for (const CallerObject &object : all)
    if (e.heap.exists(object.id) && llvm::any_of(changed, [&](const CallerObject *part) {
          llvm::StringRef rest = part->path;
          return rest.consume_front(object.path) &&
                 (rest.empty() || llvm::is_contained(".[", rest[0]));
        }))
      out.push_back(&object);
  return out;
}

ProgramExit ExitBuilder::build(bool raises, const CallerObjects &callerObjects) {
  exit.raised = raises;
  Value result = e.heap.get(kMachine, slot::kResult);
  // The caller's tensors come first: what was written to them is seen whatever is returned.
  for (size_t i = 0; i < inputStorages.size(); ++i)
    if (inputStorages[i] && e.heap.exists(inputStorages[i])) {
      uint32_t n = storage(inputStorages[i]);
      exit.storages[n].written =
          !exit.storages[n].contents.isValue() || exit.storages[n].contents.id() != inputs[i].value;
    }
  numInputLeaves = elementLeaves.size();
  exit.result = raises ? raised(result) : value(result);
  exit.raisedAt = raisedAt;
  for (const CallerObject *object : changedObjects(e, callerObjects))
    exit.mutatedInputs.emplace_back(object->path, value(Value::ref(object->id)));
  const bool holdsInputs = !hasState && llvm::any_of(inputStorages, [&](ObjectId id) {
    return id && e.heap.exists(id) && e.isFrozen(id);
  });
  // Two of them may be views of one base; state may keep the base, or another.
  const bool mayMeet = hasMaybeBase || numMaybeViews > 1 || e.maybeViews.isOfArgument || hasState;
  e.shows.sharing |= numMaybeViews && mayMeet;
  e.shows.sharing |= !e.maybeViews.views.empty() &&
                     (!listLeaves.empty() || (hasState && e.maybeViews.isOfArgument));
  e.shows.idleStrides |= hasState && !e.looseStrides.empty();
  if (sharedLeaves && holdsInputs && listLeaves.empty()) {
    e.shows.listedViews = true;
    e.diags.push_back(
        makeDiagnostic(DiagId::Unsupported,
                       result.source() ? e.locationOfSource(result.source()) : e.entryAt,
                       "a result that is an element of a list of views of an argument")
            .hint("return a copy: `.clone()`"));
  } else if (losesAliases()) {
    e.shows.listedViews = true;
    Diagnostic diag = makeDiagnostic(DiagId::RunTimeListShared,
                                     grownAt.isKnown() ? grownAt
                                     : result.source() ? e.locationOfSource(result.source())
                                                       : e.entryAt);
    diag.hint("append a copy: `.append(x.clone())`, or return `torch.stack` of the list");
    e.diags.push_back(std::move(diag));
  }
  return exit;
}
