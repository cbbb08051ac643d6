//===- Sets.cpp - Sets with CPython's order --------------------------------------------===//
//
// In: items. Out: set contents whose parts lie in the order in which CPython iterates. A contents
// node keeps the hash table beside its parts, so that what a set went through decides where the
// next item lies, and so that look-ups do not walk the parts. Contents are changed in place while
// nobody else holds them; else what was not changed is shared.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "Positions.h"
#include "RunTimeTables.h"
#include "SetMembers.h"

#include "ptc/Python/SetTable.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

struct SetNode::Layout {
  py::SetTable table;
  py::SharedVector<Value> items;     ///< by the numbers that the table knows
  py::SharedVector<uint32_t> unused; ///< numbers of items that were taken out
  bool ofPath = false;               ///< hashes of some items hold for what this path knows only
  bool noted = false;                ///< what the order rests on was noted
  bool byMethod = false;             ///< Python code gave some of the hashes
};

void CompositeNode::readLayout() const {
  const SetNode::Layout &layout = *static_cast<const SetNode *>(this)->layout;
  store.clear();
  for (const py::SetItem &item : layout.table.items())
    store.push_back(layout.items[item.id]);
  partsAt = PartsAt::Store;
}

size_t CompositeNode::layoutSize() const {
  return static_cast<const SetNode *>(this)->layout->table.size();
}

static const SetNode &setNode(const Value &contents) {
  return contents.nodeAs<SetNode>(contents.kind());
}

bool capture::writeSetLayout(const Value &contents, llvm::function_ref<void(uint64_t)> number,
                             llvm::function_ref<void(const Value &)> value) {
  const SetNode::Layout *layout = setNode(contents).layout.get();
  number(layout != nullptr);
  if (!layout)
    return true;
  layout->table.write(number);
  llvm::SmallDenseSet<uint32_t> unused;
  for (size_t n = 0; n < layout->unused.size(); ++n)
    unused.insert(layout->unused[n]);
  number(layout->items.size());
  for (size_t n = 0; n < layout->items.size(); ++n)
    value(unused.contains(n) ? Value() : layout->items[n]);
  number(layout->unused.size());
  for (size_t n = 0; n < layout->unused.size(); ++n)
    number(layout->unused[n]);
  number(layout->noted);
  number(layout->byMethod);
  return !layout->ofPath;
}

void capture::readSetLayout(const Value &contents, llvm::function_ref<uint64_t()> number,
                            llvm::function_ref<Value()> value) {
  if (!number())
    return;
  auto layout = std::make_shared<SetNode::Layout>();
  layout->table = py::SetTable::read(number);
  for (uint64_t n = number(); n; --n)
    layout->items.push_back(value());
  for (uint64_t n = number(); n; --n)
    layout->unused.push_back(uint32_t(number()));
  layout->noted = number();
  layout->byMethod = number();
  setNode(contents).layout = std::move(layout);
}

namespace {
/// A set being computed with.
class Members {
public:
  explicit Members(Engine &e) : e(e), at(std::make_shared<SetNode::Layout>()) {}
  /// The members of a set or frozenset, to be changed: `ok` is false where that failed.
  Members(Engine &e, const Value &contents, bool copy = true);

  bool ok = true;

  bool add(const Value &v);
  bool addAll(llvm::ArrayRef<Value> values);
  std::optional<bool> contains(const Value &v);
  std::optional<bool> discard(const Value &v);
  Value pop();
  void insert(const Value &v, int64_t hash);
  void erase(int64_t hash, size_t candidate);
  void reserveFor(size_t more) { at->table.reserveFor(more); }
  std::vector<Value> candidates(int64_t hash) const {
    std::vector<Value> found;
    for (const py::SetItem &item : at->table.candidates(hash))
      found.push_back(at->items[item.id]);
    return found;
  }
  /// this op= other, for what CPython tells apart.
  bool update(const Value &other);
  bool apply(BinaryOp op, const Value &other, bool inPlace);
  bool applyToItself(BinaryOp op, bool inPlace);

  Value contents(Kind kind) const;
  /// Why something returned false.
  FailAny failed() const {
    if (undecided)
      return e.refuse(DiagId::Unsupported, "a set of elements that data decides");
    if (needsPython)
      return e.refuse(DiagId::Unsupported, "a set of objects whose equality is written in Python");
    return {};
  }

private:
  uint32_t place(const Value &v);
  std::optional<py::SetItem> number(const Value &v);
  std::optional<std::vector<py::SetItem>> numbers(llvm::ArrayRef<Value> values);
  std::optional<py::SetTable> adopt(const Value &set);
  bool combine(BinaryOp op, const py::SetTable &with, bool inPlace);
  bool equal(uint32_t a, uint32_t b) {
    const Value &x = at->items[a], &y = at->items[b];
    std::optional<bool> same = areOneItem(x, y) ? std::optional<bool>(true) : nativeEqual(e, x, y);
    unknown |= !same;
    return same && *same;
  }
  /// What elements an operand has is not known here; where a fork is pending, not yet.
  bool unlisted() {
    undecided |= e.pending.kind == Pending::Kind::None;
    return false;
  }
  auto equality() {
    return [this](uint32_t a, uint32_t b) { return equal(a, b); };
  }
  /// Was every comparison so far possible?
  bool compared() {
    needsPython |= unknown && e.pending.kind == Pending::Kind::None;
    return !unknown;
  }

  Engine &e;
  std::shared_ptr<SetNode::Layout> at;
  bool needsPython = false, undecided = false, unknown = false;
};
} // namespace

/// Contents of a set object, or the frozenset itself. None, with a fork pending, where the path has
/// not decided between contents.
static Value contentsOf(Engine &e, const Value &set) {
  if (!set.is(Kind::Ref))
    return set;
  Value decided = e.decide(e.heap.get(set.asRef(), slot::kContent));
  if (decided.is(Kind::RunTimeList))
    decided = refuseTable(e);
  return decided.isFail() ? Value::composite(Kind::SetItems, {}) : decided;
}

Members::Members(Engine &e, const Value &contents, bool copy) : e(e) {
  const SetNode &node = setNode(contents);
  if (node.layout) {
    at = copy ? std::make_shared<SetNode::Layout>(*node.layout) : node.layout;
    return;
  }
  at = std::make_shared<SetNode::Layout>();
  ok = addAll(contents.parts());
  if (ok && !copy)
    node.layout = at;
}

uint32_t Members::place(const Value &v) {
  if (at->unused.empty()) {
    at->items.push_back(v);
    return uint32_t(at->items.size() - 1);
  }
  const uint32_t id = at->unused.pop_back();
  at->items.mutableAt(id) = v;
  return id;
}

std::optional<py::SetItem> Members::number(const Value &v) {
  Value known = e.known(v);
  at->ofPath |= anyElement(v, [](const Value &part) { return part.is(Kind::Choice); });
  undecided |= known.is(Kind::Scalar) || known.is(Kind::Size) || known.is(Kind::Choice);
  std::optional<int64_t> h = nativeHash(e, known, needsPython);
  if (!h)
    return std::nullopt;
  return py::SetItem{*h, place(v)};
}

std::optional<std::vector<py::SetItem>> Members::numbers(llvm::ArrayRef<Value> values) {
  std::vector<py::SetItem> result;
  result.reserve(values.size());
  for (const Value &v : values) {
    PTC_GET(item, number(v));
    result.push_back(item);
  }
  return result;
}

bool Members::add(const Value &v) {
  std::optional<py::SetItem> item = number(v);
  if (!item)
    return false;
  if (!at->table.add(*item, equality()))
    at->unused.push_back(item->id);
  else if (at->noted)
    noteHash(e, v);
  return compared();
}

bool Members::addAll(llvm::ArrayRef<Value> values) {
  return llvm::all_of(values, [&](const Value &v) { return add(v); });
}

std::optional<bool> Members::contains(const Value &v) {
  std::optional<py::SetItem> item = number(v);
  if (!item)
    return std::nullopt;
  bool found = at->table.find(*item, equality()).has_value();
  at->items.mutableAt(item->id) = Value();
  at->unused.push_back(item->id);
  if (!compared())
    return std::nullopt;
  return found;
}

std::optional<bool> Members::discard(const Value &v) {
  std::optional<py::SetItem> item = number(v);
  if (!item)
    return std::nullopt;
  std::optional<py::SetItem> gone = at->table.discard(*item, equality());
  at->unused.push_back(item->id);
  if (gone) {
    at->items.mutableAt(gone->id) = Value();
    at->unused.push_back(gone->id);
  }
  if (!compared())
    return std::nullopt;
  return gone.has_value();
}

Value Members::pop() {
  std::optional<py::SetItem> gone = at->table.pop();
  assert(gone && "popping from an empty set");
  at->unused.push_back(gone->id);
  return std::exchange(at->items.mutableAt(gone->id), Value());
}

void Members::insert(const Value &v, int64_t hash) {
  at->byMethod |= needsPythonKey(e, v);
  at->table.add({hash, place(v)}, [](uint32_t, uint32_t) { return false; });
  if (at->noted)
    noteHash(e, v);
}

void Members::erase(int64_t hash, size_t candidate) {
  const py::SetItem item = at->table.candidates(hash)[candidate];
  // The number alone finds it.
  at->table.discard(item, [](uint32_t, uint32_t) { return false; });
  at->items.mutableAt(item.id) = Value();
  at->unused.push_back(item.id);
}

/// Another set's table with its items numbered here.
std::optional<py::SetTable> Members::adopt(const Value &set) {
  Members other(e, contentsOf(e, set), /*copy=*/false);
  if (!other.ok)
    return (void)other.failed(), std::nullopt;
  at->byMethod |= other.at->byMethod;
  at->ofPath |= other.at->ofPath;
  uint32_t offset = uint32_t(at->items.size());
  for (size_t i = 0, n = other.at->items.size(); i < n; ++i)
    at->items.push_back(other.at->items[i]);
  py::SetTable table = other.at->table;
  table.renumber([&](uint32_t id) { return id + offset; });
  return table;
}

static bool isSet(Engine &e, const Value &v) {
  return v.is(Kind::FrozenSet) || v.is(Kind::SetItems) || isRefTo(e, v, ObjectKind::Set);
}

bool Members::update(const Value &other) {
  if (isSet(e, other)) {
    std::optional<py::SetTable> table = adopt(other);
    if (!table)
      return false;
    at->table.merge(*table, equality());
    return compared();
  }
  std::optional<std::vector<Value>> values = listElements(e, other);
  if (!values)
    return unlisted();
  if (!isRefTo(e, other, ObjectKind::Dict))
    return addAll(*values);
  std::optional<std::vector<py::SetItem>> keys = numbers(*values);
  if (!keys)
    return false;
  at->table.mergeKeys(*keys, equality());
  return compared();
}

bool Members::combine(BinaryOp op, const py::SetTable &with, bool inPlace) {
  switch (op) {
  case BinaryOp::And:
    if (inPlace)
      at->table.takeMembers(at->table.intersect(with, equality()));
    else
      at->table = at->table.intersect(with, equality());
    break;
  case BinaryOp::Sub:
    if (inPlace)
      at->table.subtractInPlace(with, equality());
    else
      at->table = at->table.subtract(with, equality());
    break;
  default:
    assert(op == BinaryOp::Xor && "union is update()");
    if (inPlace)
      at->table.symmetricDifferenceInPlace(with, equality());
    else
      at->table = at->table.symmetricDifference(with, equality());
  }
  return compared();
}

bool Members::apply(BinaryOp op, const Value &other, bool inPlace) {
  // A copy has room for its members alone, not what the set went through.
  if (!inPlace && (op == BinaryOp::Or || op == BinaryOp::Sub) &&
      (op == BinaryOp::Or || !isSet(e, other)))
    at->table = at->table.copy();
  if (op == BinaryOp::Or)
    return update(other);
  if (isSet(e, other)) {
    std::optional<py::SetTable> with = adopt(other);
    return with && combine(op, *with, inPlace);
  }
  std::optional<std::vector<Value>> values = listElements(e, other);
  if (!values)
    return unlisted();
  bool dict = isRefTo(e, other, ObjectKind::Dict);
  if (op == BinaryOp::Xor || (dict && op == BinaryOp::Sub && !inPlace)) {
    Members made(e);
    if (!made.update(other))
      return (void)made.failed(), false;
    std::optional<py::SetTable> with = adopt(made.contents(Kind::FrozenSet));
    return with && combine(op, *with, inPlace);
  }
  std::optional<std::vector<py::SetItem>> items = numbers(*values);
  if (!items)
    return false;
  if (op == BinaryOp::Sub)
    at->table.subtractItems(*items, equality());
  else if (inPlace)
    at->table.takeMembers(at->table.intersectItems(*items, equality()));
  else
    at->table = at->table.intersectItems(*items, equality());
  return compared();
}

/// With the set itself as the other operand: CPython asks for that first. False: nothing special.
bool Members::applyToItself(BinaryOp op, bool inPlace) {
  if (op == BinaryOp::Or || op == BinaryOp::And) {
    py::SetTable copy = at->table.copy();
    if (!inPlace)
      at->table = std::move(copy);
    else if (op == BinaryOp::And)
      at->table.takeMembers(std::move(copy));
    return true;
  }
  if (inPlace)
    at->table.clear();
  return inPlace;
}

Value Members::contents(Kind kind) const {
  Value made = Value::composite(kind, {});
  setNode(made).layout = at;
  setNode(made).partsAt = CompositeNode::PartsAt::Layout;
  return made;
}

// What the rest of the engine calls
// ------------------------------------------------------------------------------------------

bool capture::hasNoHash(Engine &e, const Value &item) {
  const Value v = e.known(item);
  if (v.is(Kind::Ref))
    return e.lookupInClass(e.typeOf(v), NameId(WellKnown::Hash)).isNone();
  return v.is(Kind::Tuple) &&
         llvm::any_of(v.parts(), [&](const Value &part) { return hasNoHash(e, part); });
}

bool capture::hasUnknownOrder(Engine &e, llvm::ArrayRef<Value> items) {
  return items.size() > 1 && comparesRunTime(e, items, Value::none());
}

/// Is `item`, or what it is compared with, a run-time number, and is it among `items`? Decided.
static std::optional<bool> amongRunTime(Engine &e, llvm::ArrayRef<Value> items, const Value &item) {
  std::vector<Value> all(items);
  PTC_LET(among, amongNumbers(e, all, item));
  if (among.isAbsent())
    return e.refuse(DiagId::Unsupported, "a set of run-time numbers and objects that compare "
                                         "with them in Python");
  return e.truth(among);
}

/// The distinct ones of items with run-time numbers. Their order in CPython's table is not known.
static std::optional<std::vector<Value>> distinct(Engine &e, llvm::ArrayRef<Value> items) {
  std::vector<Value> result;
  for (const Value &item : items) {
    bool needsPython = false;
    if (!nativeHash(e, item, needsPython) && !needsPython)
      return std::nullopt;
    PTC_GET(there, amongRunTime(e, result, item));
    if (!there)
      result.push_back(item);
  }
  return result;
}

/// Sets with run-time numbers have no table: only the one member decides where others lie.
static Value withoutTable(Engine &e, std::vector<Value> members, bool frozen) {
  if (frozen)
    return Value::composite(Kind::FrozenSet, std::move(members));
  ObjectId id = e.heap.allocate(ObjectKind::Set);
  e.heap.set(id, slot::kContent, Value::composite(Kind::SetItems, std::move(members)));
  return Value::ref(id);
}

static Value finished(Engine &e, const Members &members, bool frozen) {
  if (frozen)
    return members.contents(Kind::FrozenSet);
  ObjectId id = e.heap.allocate(ObjectKind::Set);
  e.heap.set(id, slot::kContent, members.contents(Kind::SetItems));
  return Value::ref(id);
}

Value capture::makeSet(Engine &e, llvm::ArrayRef<Value> items, bool frozen) {
  if (!items.empty() && comparesRunTime(e, items, Value::none())) {
    PTC_GET(members, distinct(e, items));
    return withoutTable(e, std::move(members), frozen);
  }
  Members members(e);
  if (!members.addAll(items))
    return members.failed();
  return finished(e, members, frozen);
}

Value capture::copySet(Engine &e, const Value &set, bool frozen) {
  Members members(e);
  if (!members.update(set))
    return members.failed();
  return finished(e, members, frozen);
}

bool capture::hashesAreKnown(Engine &e, const Value &set) {
  Value contents = set.is(Kind::Ref) ? e.known(e.heap.get(set.asRef(), slot::kContent)) : set;
  if (!contents.is(Kind::SetItems) && !contents.is(Kind::FrozenSet))
    return false;
  const std::shared_ptr<SetNode::Layout> &layout = setNode(contents).layout;
  return layout && !layout->ofPath && !layout->byMethod;
}

bool capture::hasHashTable(Engine &e, const Value &set) {
  const Value contents = contentsOf(e, set);
  return (contents.is(Kind::SetItems) || contents.is(Kind::FrozenSet)) && setNode(contents).layout;
}

bool capture::asksMethods(Engine &e, const Value &set, const Value &item) {
  if (needsPythonKey(e, item))
    return true;
  const Value contents = contentsOf(e, set);
  if (const std::shared_ptr<SetNode::Layout> &layout = setNode(contents).layout)
    return layout->byMethod;
  return llvm::any_of(contents.parts(), [&](const Value &v) { return needsPythonKey(e, v); });
}

std::optional<std::vector<Value>> capture::setCandidates(Engine &e, const Value &set,
                                                         int64_t hash) {
  const Value contents = contentsOf(e, set);
  if (!setNode(contents).layout &&
      llvm::any_of(contents.parts(), [&](const Value &v) { return needsPythonKey(e, v); }))
    return std::nullopt;
  const Members members(e, contents, /*copy=*/false);
  if (!members.ok)
    return (void)members.failed(), std::nullopt;
  return members.candidates(hash);
}

Value capture::frozen(Engine &e, const Value &set) {
  return Members(e, contentsOf(e, set)).contents(Kind::FrozenSet);
}

Value capture::withMembers(Engine &e, const Value &contents, std::vector<Value> parts) {
  llvm::ArrayRef<Value> before = contents.parts();
  const std::shared_ptr<SetNode::Layout> &layout = setNode(contents).layout;
  bool isSame = true, keeps = layout != nullptr;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i] != before[i]) {
      isSame = false;
      keeps = keeps && needsPythonKey(e, before[i]); // another address is another hash
    }
  if (isSame)
    return contents;
  if (!keeps)
    return Value::composite(contents.kind(), std::move(parts));
  auto changed = std::make_shared<SetNode::Layout>(*layout);
  for (auto [item, part] : llvm::zip(layout->table.items(), parts))
    changed->items.mutableAt(item.id) = part;
  Value made = Value::composite(contents.kind(), {});
  setNode(made).layout = std::move(changed);
  setNode(made).partsAt = CompositeNode::PartsAt::Layout;
  return made;
}

std::optional<bool> capture::holdsKey(Engine &e, const Value &set, const Value &key) {
  assert(hashesAreKnown(e, set) && "a set that is looked up by hashes");
  return Members(e, contentsOf(e, set), /*copy=*/false).contains(key);
}

void capture::noteOrderOf(Engine &e, const Value &set) {
  Value contents = contentsOf(e, set);
  const std::shared_ptr<SetNode::Layout> &layout = setNode(contents).layout;
  if (contents.partCount() < 2 || (layout && layout->noted))
    return;
  noteSetOrder(e, contents.parts());
  if (layout)
    layout->noted = true;
}

/// Is `item`, or one of these members, known at run time only?
static bool meetsRunTime(Engine &e, const Value &contents, const Value &item) {
  llvm::ArrayRef<Value> members;
  if (!hashesAreKnown(e, contents))
    members = contents.parts();
  return comparesRunTime(e, members, item);
}

std::optional<bool> capture::setContains(Engine &e, const Value &set, const Value &given) {
  Value contents = contentsOf(e, set), item = e.known(given);
  if (meetsRunTime(e, contents, item))
    return amongRunTime(e, contents.parts(), item);
  Members members(e, contents, /*copy=*/false);
  std::optional<bool> found;
  if (members.ok)
    found = members.contains(item);
  if (!found)
    return members.failed();
  return found;
}

Value capture::asSetKey(Engine &e, const Value &item) {
  Value known = e.known(item);
  return isRefTo(e, known, ObjectKind::Set) ? copySet(e, known, /*frozen=*/true) : item;
}

/// Writes what `change` made of the set's members: in place where nobody else holds them.
template <typename F> static Flow changeSet(Engine &e, const Value &set, F change) {
  PTC_DO(openContent(e, set));
  Value &slotValue = e.heap.getForUpdate(set.asRef(), slot::kContent);
  bool own = slotValue.isUnique() && setNode(slotValue).layout &&
             setNode(slotValue).layout.use_count() == 1;
  Members members(e, slotValue, /*copy=*/!own);
  if (!members.ok || !change(members))
    return members.failed();
  if (own)
    setNode(slotValue).partsAt = CompositeNode::PartsAt::Layout;
  else
    slotValue = members.contents(Kind::SetItems);
  return Flow::Next;
}

Flow capture::setAdd(Engine &e, const Value &set, const Value &item) {
  PTC_GET(there, setContains(e, set, item));
  if (there)
    return Flow::Next;
  if (meetsRunTime(e, contentsOf(e, set), e.known(item))) {
    std::vector<Value> members(setItems(e, set));
    members.push_back(e.known(item));
    e.heap.set(set.asRef(), slot::kContent, Value::composite(Kind::SetItems, std::move(members)));
    return Flow::Next;
  }
  return changeSet(e, set, [&](Members &members) { return members.add(e.known(item)); });
}

Flow capture::setInsertHashed(Engine &e, const Value &set, const Value &item, int64_t hash) {
  return changeSet(e, set, [&](Members &members) {
    members.insert(e.known(item), hash);
    return true;
  });
}

Flow capture::setEraseHashed(Engine &e, const Value &set, int64_t hash, size_t number) {
  return changeSet(e, set, [&](Members &members) {
    members.erase(hash, number);
    return true;
  });
}

Flow capture::setReserve(Engine &e, const Value &set, size_t more) {
  return changeSet(e, set, [&](Members &members) {
    members.reserveFor(more);
    return true;
  });
}

/// Takes the first member that is equal to `item` out, compared one by one.
static std::optional<bool> discardRunTime(Engine &e, const Value &set, const Value &item) {
  std::vector<Value> items(setItems(e, set));
  for (size_t i = 0; i < items.size(); ++i) {
    PTC_GET(same, amongRunTime(e, items[i], item));
    if (!same)
      continue;
    if (hashesAreKnown(e, set)) {
      PTC_DO(changeSet(e, set,
                       [&](Members &members) { return members.discard(items[i]).has_value(); }));
      return true;
    }
    items.erase(items.begin() + ptrdiff_t(i));
    e.heap.set(set.asRef(), slot::kContent, Value::composite(Kind::SetItems, std::move(items)));
    return true;
  }
  return false;
}

std::optional<bool> capture::setDiscard(Engine &e, const Value &set, const Value &item) {
  PTC_DO(openContent(e, set));
  if (meetsRunTime(e, contentsOf(e, set), item))
    return discardRunTime(e, set, item);
  PTC_GET(there, setContains(e, set, item));
  if (!there)
    return false;
  PTC_DO(changeSet(e, set,
                   [&](Members &members) { return members.discard(e.known(item)).has_value(); }));
  return true;
}

Value capture::setPopMember(Engine &e, const Value &set) {
  Value member;
  PTC_DO(changeSet(e, set, [&](Members &members) {
    member = members.pop();
    return true;
  }));
  return e.known(member);
}

Value capture::setOperate(Engine &e, BinaryOp op, const Value &self, const Value &other,
                          bool inPlace) {
  bool frozen = self.is(Kind::FrozenSet);
  bool itself = frozen ? other.is(Kind::FrozenSet) && setNode(self).layout &&
                             setNode(self).layout == setNode(other).layout
                       : self == other;
  if (inPlace) {
    PTC_DO(changeSet(e, self, [&](Members &members) {
      return (itself && members.applyToItself(op, true)) || members.apply(op, other, true);
    }));
    return self;
  }
  Members members(e, contentsOf(e, self));
  if (!members.ok ||
      !((itself && members.applyToItself(op, false)) || members.apply(op, other, false)))
    return members.failed();
  return finished(e, members, frozen);
}

// Dict views
// -----------------------------------------------------------------------------------------

static bool isSetOrView(Engine &e, const Value &v, bool &view) {
  if (isSet(e, v))
    return true;
  if (!isRefTo(e, v, ObjectKind::Instance))
    return false;
  ObjectId cls = e.typeOf(v);
  view = cls == e.builtinClass(WellKnown::DictKeysType) ||
         cls == e.builtinClass(WellKnown::DictItemsType);
  return view;
}

Value capture::setBinary(Engine &e, BinaryOp op, const Value &a, const Value &b, bool inPlace) {
  bool viewA = false, viewB = false;
  if (!isSetOrView(e, a, viewA))
    return Value();
  if (!isSetOrView(e, b, viewB) && !viewA)
    return Value();
  PTC_DO(openContents(e, {a, b}));
  if (!viewA && !viewB)
    return setOperate(e, op, a, b, inPlace && a.is(Kind::Ref));
  if (!listElements(e, b) || !listElements(e, a))
    return Value();
  if (op == BinaryOp::And) {
    // The members of the side that is no view, or of the shorter view, in their order.
    bool swap = !viewA || (viewB && itemCount(e, b) > itemCount(e, a));
    const Value &self = swap ? b : a, &other = swap ? a : b;
    PTC_LET(both, copySet(e, other, false));
    return setOperate(e, op, both, self, /*inPlace=*/false);
  }
  PTC_LET(made, copySet(e, a, false));
  return setOperate(e, op, made, b, /*inPlace=*/true);
}

std::optional<bool> capture::viewsEqual(Engine &e, const Value &a, const Value &b) {
  bool viewA = false, viewB = false;
  if (!isSetOrView(e, a, viewA) || !isSetOrView(e, b, viewB))
    return false;
  PTC_DO(openContents(e, {a, b}));
  PTC_LET(right, copySet(e, b, true));
  PTC_LET(left, copySet(e, a, true));
  return nativeEqual(e, left, right);
}
