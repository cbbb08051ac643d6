//===- Containers.cpp - Lists, dicts and sets as heap objects ----------------------===//
//
// In: containers and keys. Out: elements and changed contents. Contents are one immutable value per
// container, changed in place while nobody else holds it. A key whose hash or equality is written
// in Python sends the operation to the prelude.
//
//===----------------------------------------------------------------------===//
#include "Positions.h"

#include <unordered_map>

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

/// Contents of `kind`. Contents that are not decided leave a fork pending, and none: the executor
/// drops what the instruction does with them and begins it again on each side.
static llvm::ArrayRef<Value> contentItems(Engine &e, ObjectId container, Kind kind) {
  const Value &content = e.heap.get(container, slot::kContent);
  if (content.is(kind))
    return content.parts();
  Value decided = e.decide(content);
  return decided.is(kind) ? decided.parts() : llvm::ArrayRef<Value>();
}

llvm::ArrayRef<Value> capture::listItems(Engine &e, const Value &list) {
  return contentItems(e, list.asRef(), Kind::Tuple);
}

/// Is the attribute kept in a slot of the class (__slots__) and not in __dict__?
static bool isSlot(Engine &e, const Value &object, NameId name) {
  Value found = e.lookupInClass(e.typeOf(object), name);
  return isRefTo(e, found, ObjectKind::Instance) &&
         e.heap.header(found.asRef()).cls == e.builtinClass(WellKnown::SlotType);
}

std::vector<std::pair<NameId, Value>> capture::shownAttributes(Engine &e, const Value &owner) {
  std::vector<std::pair<NameId, Value>> shown;
  // What a function is made with is kept like attributes, but is not in its __dict__.
  bool exception = isException(e, owner) || isRefTo(e, owner, ObjectKind::Function);
  bool instance = isRefTo(e, owner, ObjectKind::Instance);
  e.heap.forEachSlot(owner.asRef(), [&](uint32_t key, const Value &v) {
    if (!isAttrKey(key) || (exception && e.nameText(nameOfKey(key)).starts_with("__")))
      return;
    if (!instance || !isSlot(e, owner, nameOfKey(key)))
      shown.emplace_back(nameOfKey(key), v);
  });
  return shown;
}

/// The dict that obj.__dict__ gave: its content is what the object's attributes are now.
static Flow refreshLinked(Engine &e, const Value &dict) {
  if (e.heap.get(dict.asRef(), slot::kOwner).isAbsent())
    return Flow::Next;
  PTC_LET(owner, e.decide(e.heap.get(dict.asRef(), slot::kOwner)));
  if (owner.isAbsent())
    return Flow::Next;
  std::vector<Value> items;
  for (auto &[name, v] : shownAttributes(e, owner)) {
    PTC_LET(own, e.boundValue(v));
    if (own.isAbsent())
      continue;
    items.push_back(Value::str(e.nameText(name)));
    items.push_back(std::move(own));
  }
  e.heap.set(dict.asRef(), slot::kContent, Value::composite(Kind::DictItems, std::move(items)));
  return Flow::Next;
}

/// Writes an attribute through obj.__dict__.
static void writeLinked(Engine &e, const Value &dict, const Value &key, const Value &value) {
  Value owner = e.decide(e.heap.get(dict.asRef(), slot::kOwner));
  if (owner.is(Kind::Ref) && key.is(Kind::Str))
    e.heap.set(owner.asRef(), attrKey(e.intern(key.asStr())), value);
}

llvm::ArrayRef<Value> capture::dictItems(Engine &e, const Value &dict) {
  if (refreshLinked(e, dict) == Flow::Fail)
    return {};
  return contentItems(e, dict.asRef(), Kind::DictItems);
}

llvm::ArrayRef<Value> capture::setItems(Engine &e, const Value &set) {
  if (set.is(Kind::FrozenSet))
    return set.parts();
  return contentItems(e, set.asRef(), Kind::SetItems);
}

Flow capture::openContent(Engine &e, const Value &container) {
  if (e.heap.kind(container.asRef()) == ObjectKind::Dict)
    PTC_DO(refreshLinked(e, container));
  const Value &content = e.heap.get(container.asRef(), slot::kContent);
  if (!content.is(Kind::Choice))
    return Flow::Next;
  PTC_LET(decided, e.decide(content));
  e.heap.set(container.asRef(), slot::kContent, std::move(decided));
  return Flow::Next;
}

/// As contentItems(), for writing.
static Value decidedContent(Engine &e, ObjectId container, const Value &content) {
  Value decided = e.decide(content);
  if (!decided.isFail())
    return decided;
  ObjectKind kind = e.heap.kind(container);
  return Value::composite(kind == ObjectKind::Dict  ? Kind::DictItems
                          : kind == ObjectKind::Set ? Kind::SetItems
                                                    : Kind::Tuple,
                          {});
}

Value &capture::ownContent(Engine &e, ObjectId id) {
  Value &content = e.heap.getForUpdate(id, slot::kContent);
  if (content.is(Kind::Choice))
    content = decidedContent(e, id, content);
  if (!content.isUnique())
    content = Value::composite(content.kind(), content.parts());
  return content;
}

std::vector<Value> &capture::mutableContent(Engine &e, ObjectId id) {
  return ownContent(e, id).mutableParts();
}

// Lists
// ------------------------------------------------------------------------------------------------

void capture::appendItems(Engine &e, const Value &list, llvm::ArrayRef<Value> items) {
  std::vector<Value> copy(items); // may be the list's own
  Value &content = ownContent(e, list.asRef());
  for (Value &item : copy)
    content.addPart(std::move(item));
}

Flow capture::extendList(Engine &e, const Value &list, llvm::ArrayRef<Value> items) {
  PTC_DO(openContent(e, list));
  if (!isGrownList(e, list)) {
    appendItems(e, list, items);
    return Flow::Next;
  }
  for (const Value &item : items)
    PTC_DO(e.listAppend(list, item));
  return Flow::Next;
}

// Dicts
// ------------------------------------------------------------------------------------------------

/// Where keys without a hash known now are listed: CPython's hash(-1), so others may be there, too.
static constexpr int64_t kUnhashed = -2;

/// Pairs are numbered as they are added. Taking one out leaves the numbers of the others, until so
/// many are gone that numbering them anew costs less.
struct DictNode::Index {
  /// hash → numbers of pairs. Any int may be a hash; DenseMap keeps two for itself.
  std::unordered_map<int64_t, llvm::SmallVector<uint32_t, 1>> places;
  std::vector<uint32_t> gone; ///< numbers of pairs that were taken out, in order

  size_t positionOf(uint32_t number) const {
    return number - size_t(llvm::lower_bound(gone, number) - gone.begin());
  }
};
static constexpr size_t kMostGone = 1024;

static const DictNode &dictNode(const Value &content) {
  return content.nodeAs<DictNode>(Kind::DictItems);
}

static const DictNode::Index &hashIndex(Engine &e, const DictNode &node) {
  if (node.index)
    return *node.index;
  node.index = std::make_shared<DictNode::Index>();
  for (size_t i = 0; i < node.parts().size(); i += 2) {
    bool needsPython = false;
    if (std::optional<int64_t> h = nativeHash(e, node.parts()[i], needsPython))
      node.index->places[*h].push_back(uint32_t(i / 2));
    else
      node.index->places[kUnhashed].push_back(uint32_t(i / 2));
  }
  return *node.index;
}

static int64_t findSmall(llvm::ArrayRef<Value> parts, llvm::StringRef key) {
  for (size_t i = 0; i < parts.size(); i += 2)
    if (parts[i].is(Kind::Str) && parts[i].asStr() == key)
      return int64_t(i / 2);
  return -1;
}

static bool holdsObjectKey(llvm::ArrayRef<Value> parts) {
  for (size_t i = 0; i < parts.size(); i += 2)
    if (parts[i].is(Kind::Ref))
      return true;
  return false;
}

static bool holdsTemplateKey(llvm::ArrayRef<Value> parts) {
  for (size_t i = 0; i < parts.size(); i += 2)
    if (parts[i].is(Kind::Template))
      return true;
  return false;
}

/// A run-time number among the keys: the place is decided by comparisons.
static std::optional<Found> findRunTime(Engine &e, const Value &content, const Value &key) {
  PTC_LET(place, keyPlace(e, content.parts(), key));
  if (place.isAbsent())
    return Found{-1, true};
  PTC_GET(at, settleKeyPlace(e, place, content.parts().size() / 2));
  return Found{at, false};
}

std::optional<Found> capture::dictFind(Engine &e, const Value &dict, const Value &given) {
  Value key = e.known(given);
  PTC_DO(openContent(e, dict));
  Value content = e.heap.get(dict.asRef(), slot::kContent);
  const DictNode &node = dictNode(content);
  llvm::ArrayRef<Value> parts = node.parts();
  // Strings known at run time only are compared, which is refused, and not by their hashes.
  bool allHashed = node.index && !node.index->places.contains(kUnhashed);
  if (!allHashed && holdsTemplateKey(parts)) {
    for (size_t i = 0; i < parts.size(); i += 2)
      if (parts[i] == key)
        return Found{int64_t(i / 2), false};
    return Found{-1, true};
  }
  if (key.is(Kind::Str) && parts.size() <= 16) {
    // A key of a class derived from str may be equal, too.
    int64_t at = findSmall(parts, key.asStr());
    if (at >= 0 || !holdsObjectKey(parts))
      return Found{at, false};
  }
  if (comparesRunTime(e, {}, key))
    return findRunTime(e, content, key);
  bool needsPython = false;
  std::optional<int64_t> h = nativeHash(e, key, needsPython);
  if (!h && !needsPython)
    return std::nullopt;
  // The same object is the same key, whatever its methods say.
  if (!h) {
    for (size_t i = 0; i < parts.size(); i += 2)
      if (parts[i] == key)
        return Found{int64_t(i / 2), false};
    return Found{-1, !parts.empty()};
  }
  const DictNode::Index &index = hashIndex(e, node);
  if (index.places.contains(kUnhashed) && comparesRunTime(e, content.parts(), key))
    return findRunTime(e, content, key);
  auto at = index.places.find(*h);
  if (at == index.places.end())
    return Found{};
  for (uint32_t number : at->second) {
    size_t place = index.positionOf(number);
    const Value &other = parts[place * 2];
    if (areOneItem(other, key))
      return Found{int64_t(place), false};
    std::optional<bool> same = nativeEqual(e, other, key);
    if (!same)
      return Found{-1, true};
    if (*same)
      return Found{int64_t(place), false};
  }
  return Found{};
}

Value capture::dictGet(Engine &e, const Value &dict, llvm::StringRef key) {
  llvm::ArrayRef<Value> items = dictItems(e, dict);
  int64_t at = findSmall(items, key);
  return at < 0 ? Value() : items[size_t(at) * 2 + 1];
}

void capture::dictAppend(Engine &e, const Value &dict, const Value &key, Value value) {
  writeLinked(e, dict, key, value);
  Value &content = ownContent(e, dict.asRef());
  const DictNode &node = dictNode(content);
  size_t position = content.partCount() / 2;
  content.addPart(key);
  content.addPart(std::move(value));
  if (!node.index)
    return;
  bool needsPython = false;
  std::optional<int64_t> h = nativeHash(e, key, needsPython);
  node.index->places[h ? *h : kUnhashed].push_back(uint32_t(position + node.index->gone.size()));
}

void capture::dictPut(Engine &e, const Value &dict, int64_t position, Value value) {
  writeLinked(e, dict, dictItems(e, dict)[size_t(position) * 2], value);
  // A copy made here shares no index, but the positions stay.
  ownContent(e, dict.asRef()).mutablePart(size_t(position) * 2 + 1) = std::move(value);
}

/// Takes the pair at `position`, of this key, out of the index, if it is listed by its hash.
static bool forget(Engine &e, DictNode::Index &index, const Value &key, size_t position) {
  bool needsPython = false;
  std::optional<int64_t> h = nativeHash(e, key, needsPython);
  auto &numbers = index.places[h ? *h : kUnhashed];
  auto *number =
      llvm::find_if(numbers, [&](uint32_t other) { return index.positionOf(other) == position; });
  if (number == numbers.end())
    return false; // the path has decided since what the key is
  index.gone.insert(llvm::lower_bound(index.gone, *number), *number);
  numbers.erase(number);
  return true;
}

void capture::dictErase(Engine &e, const Value &dict, int64_t position) {
  Value key = dictItems(e, dict)[size_t(position) * 2];
  writeLinked(e, dict, key, Value());
  Value &content = ownContent(e, dict.asRef());
  const DictNode &node = dictNode(content);
  if (node.index &&
      (node.index->gone.size() >= kMostGone || !forget(e, *node.index, key, size_t(position))))
    node.index.reset();
  content.dropParts(size_t(position) * 2, 2);
}

Flow capture::dictSet(Engine &e, const Value &dict, const Value &key, Value value) {
  PTC_GET(found, dictFind(e, dict, key));
  if (found.needsPython)
    return e.refuse(DiagId::Unsupported, "a dict key whose equality is written in Python here");
  if (found.position >= 0)
    dictPut(e, dict, found.position, std::move(value));
  else
    dictAppend(e, dict, key, std::move(value));
  return Flow::Next;
}

Value capture::mergeDicts(Engine &e, const Value &a, const Value &b, bool inPlace) {
  Value target = a;
  if (!inPlace) {
    target = e.makeDict(dictItems(e, a));
  }
  std::vector<Value> items(dictItems(e, b));
  for (size_t i = 0; i < items.size(); i += 2)
    PTC_DO(dictSet(e, target, items[i], items[i + 1]));
  return target;
}
