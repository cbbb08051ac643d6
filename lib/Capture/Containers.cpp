//===- Containers.cpp - Lists, dicts and sets as heap objects ----------------------===//
//
// In: containers and keys. Out: elements and changed contents. Contents are one immutable value per
// container, changed in place while nobody else holds it. A key whose hash or equality is written
// in Python sends the operation to the prelude.
//
//===----------------------------------------------------------------------===//
#include "Aside.h"
#include "Escape.h"
#include "Members.h"
#include "Positions.h"
#include "RunTimeTables.h"
#include "SetMembers.h"

#include <unordered_map>

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

bool capture::hasUnknownContents(Engine &e, const Value &v) {
  return (isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict)) &&
         e.heap.get(v.asRef(), slot::kContent).isNone();
}

FailAny capture::refuseContents(Engine &e, ObjectId container) {
  if (e.pending.isOpen())
    return {};
  // Contents that only one side of a join does not know have a reason there.
  const Value what = e.heap.get(container, attrKey(e.intern("_ptc_contents")));
  const Value *reason =
      llvm::find_if(alternativesOf(what), [](const Value &one) { return one.is(Kind::Str); });
  assert(reason != alternativesOf(what).end() && "contents that are not known without a reason");
  (void)e.refuse(DiagId::Unsupported, reason->asStr());
  e.pending.isOfContents = true;
  return {};
}

/// Contents of `kind`. Contents that are not decided leave a fork pending, and those that are not
/// known a refusal, and none: the executor drops what the instruction does with them.
static llvm::ArrayRef<Value> contentItems(Engine &e, ObjectId container, Kind kind) {
  const Value &content = e.heap.get(container, slot::kContent);
  if (content.is(kind))
    return content.parts();
  if (content.isNone())
    return (void)refuseContents(e, container), llvm::ArrayRef<Value>();
  Value decided = e.decide(content);
  if (decided.is(Kind::Tensor) && !e.pending.isOpen())
    (void)e.refuse(DiagId::RunTimeListArgument);
  if (decided.is(Kind::RunTimeList) && kind != Kind::Tuple)
    (void)refuseTable(e);
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

/// Is an attribute of an object kept like those of its __dict__, and not one of them?
static bool isOfItself(Engine &e, const Value &owner, NameId name) {
  if (isException(e, owner))
    return e.nameText(name).starts_with("__");
  return isRefTo(e, owner, ObjectKind::Function) &&
         llvm::any_of(llvm::ArrayRef{WellKnown::Name, WellKnown::QualName, WellKnown::Module,
                                     WellKnown::Doc},
                      [&](WellKnown own) { return name == NameId(own); });
}

std::vector<std::pair<NameId, Value>> capture::shownAttributes(Engine &e, const Value &owner) {
  std::vector<std::pair<NameId, Value>> shown;
  bool instance = isRefTo(e, owner, ObjectKind::Instance);
  e.heap.forEachSlot(owner.asRef(), [&](uint32_t key, const Value &v) {
    if (!isAttrKey(key) || isOfItself(e, owner, nameOfKey(key)))
      return;
    if (!instance || !isSlot(e, owner, nameOfKey(key)))
      shown.emplace_back(nameOfKey(key), v);
  });
  return shown;
}

/// Of the dict that obj.__dict__ gave to the program, which does not see what lib/Prelude keeps in
/// objects.
static uint32_t ofProgramKey(Engine &e) { return attrKey(e.intern("<program>.dict")); }

Value capture::attributeDict(Engine &e, const Value &owner) {
  if (isRefTo(e, owner, ObjectKind::Module))
    PTC_DO(checkNoName(e, owner.asRef()));
  Value dict = e.makeDict({});
  showAttributes(e, dict, owner);
  return dict;
}

void capture::showAttributes(Engine &e, const Value &dict, const Value &owner) {
  e.heap.set(dict.asRef(), slot::kOwner, owner);
  if (isProgramsQuestion(e))
    e.heap.set(dict.asRef(), ofProgramKey(e), Value::boolean(true));
}

/// What the __dict__ of a class of CPython has and the model has not.
static void addMissing(Engine &e, ObjectId cls, std::vector<Value> &items) {
  std::vector<std::string> names;
  if (!addOwnKnownNames(e, cls, names))
    return;
  for (llvm::StringRef name : names) {
    if (!e.heap.get(cls, attrKey(e.intern(name))).isAbsent())
      continue;
    items.push_back(Value::str(name));
    items.push_back(makeOpaqueMember(e, knownPathOf(e, cls) + "." + name.str(), false));
  }
}

/// What ABCMeta keeps in a class of the program.
static void addAbstractData(Engine &e, ObjectId cls, std::vector<Value> &items) {
  ObjectId module = findModule(e, "abc");
  const Value meta = module ? e.heap.get(module, attrKey(e.intern("ABCMeta"))) : Value();
  if (!isProgramClass(e, cls) || !isClass(e, meta) ||
      !e.isSubclass(e.typeOf(Value::ref(cls)), meta.asRef()))
    return;
  items.push_back(Value::str("_abc_impl"));
  items.push_back(makeOpaque(e, className(e, cls) + "._abc_impl", OpaqueIs::Object));
}

/// Descriptors that a class of the program has for its instances, where CPython puts them.
static void addDescriptors(Engine &e, ObjectId cls, std::vector<Value> &items) {
  const Value &own = e.heap.get(cls, slot::kClassOwn);
  if (!own.is(Kind::Tuple))
    return;
  std::vector<Value> added;
  if (own.parts()[1].asBool()) {
    added.push_back(Value::str("__dict__"));
    added.push_back(e.heap.get(e.builtinClass(WellKnown::ObjectType), attrKey(WellKnown::Dict)));
  }
  if (own.parts()[2].asBool()) {
    added.push_back(Value::str("__weakref__"));
    added.push_back(makeOpaque(e, className(e, cls) + ".__weakref__"));
  }
  // Behind the last of the namespace, or before the text that is added where there is none.
  size_t at = items.size();
  for (size_t i = 0; i < items.size(); i += 2)
    if (items[i] == own.parts()[0])
      at = i + (items[i].asStr() == "__doc__" && items[i + 1].isNone() ? 0 : 2);
  items.insert(items.begin() + ptrdiff_t(at), added.begin(), added.end());
}

/// The dict that obj.__dict__ gave: its content is what the object's attributes are now.
static Flow refreshLinked(Engine &e, const Value &dict) {
  if (e.heap.get(dict.asRef(), slot::kOwner).isAbsent())
    return Flow::Next;
  PTC_LET(owner, e.decide(e.heap.get(dict.asRef(), slot::kOwner)));
  if (owner.isAbsent())
    return Flow::Next;
  if (!e.heap.isNameOrderKnown(owner.asRef()))
    return e.refuse(DiagId::Unsupported,
                    "the __dict__ of an object whose attributes were set in another order on "
                    "another path that data decides");
  std::vector<Value> items;
  const bool isOfProgram = !e.heap.get(dict.asRef(), ofProgramKey(e)).isAbsent();
  for (auto &[name, v] : shownAttributes(e, owner)) {
    PTC_LET(own, e.boundValue(v));
    if (own.isAbsent() || (isOfProgram && isOwnOfLibrary(e.nameText(name))))
      continue;
    items.push_back(Value::str(e.nameText(name)));
    // Getting it from the class gives the function, and what stands there is a staticmethod.
    const bool isWrapped = isOfProgram && own.is(Kind::Builtin) && isClass(e, owner) &&
                           builtinRows()[own.bits()].kind == BuiltinKind::Static &&
                           name != NameId(WellKnown::New);
    items.push_back(
        isWrapped ? makeOpaqueMember(
                        e, knownPathOf(e, owner.asRef()) + "." + e.nameText(name).str(), false)
                  : std::move(own));
  }
  if (isOfProgram && isClass(e, owner)) {
    addDescriptors(e, owner.asRef(), items);
    addAbstractData(e, owner.asRef(), items);
    addMissing(e, owner.asRef(), items);
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

bool capture::isPlainDict(Engine &e, const Value &v) {
  return isRefTo(e, v, ObjectKind::Dict) &&
         e.heap.get(v.asRef(), slot::kContent).is(Kind::DictItems) &&
         e.heap.get(v.asRef(), slot::kOwner).isAbsent();
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
  if (!container.is(Kind::Ref) || e.heap.kind(container.asRef()) == ObjectKind::Frame)
    return Flow::Next;
  if (e.heap.kind(container.asRef()) == ObjectKind::Dict)
    PTC_DO(refreshLinked(e, container));
  const Value &content = e.heap.get(container.asRef(), slot::kContent);
  if (content.isNone() && hasUnknownContents(e, container))
    return refuseContents(e, container.asRef());
  // Of a list it is what whoever asks can read.
  const bool isTable = e.heap.kind(container.asRef()) != ObjectKind::List;
  if (content.is(Kind::RunTimeList) && isTable)
    return refuseTable(e);
  if (!content.is(Kind::Choice))
    return Flow::Next;
  PTC_LET(decided, e.decide(content));
  e.heap.set(container.asRef(), slot::kContent, decided);
  if (decided.is(Kind::RunTimeList) && isTable)
    return refuseTable(e);
  return decided.isNone() && hasUnknownContents(e, container)
             ? Flow(refuseContents(e, container.asRef()))
             : Flow::Next;
}

/// As contentItems(), for writing.
static Value decidedContent(Engine &e, ObjectId container, const Value &content) {
  Value decided = e.decide(content);
  if (decided.isNone())
    decided = refuseContents(e, container);
  if (!decided.isFail())
    return decided;
  ObjectKind kind = e.heap.kind(container);
  return Value::composite(kind == ObjectKind::Dict  ? Kind::DictItems
                          : kind == ObjectKind::Set ? Kind::SetItems
                                                    : Kind::Tuple,
                          {});
}

static Value copyOf(const Value &content);

Value &capture::ownContent(Engine &e, ObjectId id) {
  Value &content = e.heap.getForUpdate(id, slot::kContent);
  if (content.is(Kind::Choice) || content.isNone())
    content = decidedContent(e, id, content);
  if (!content.isUnique())
    content = copyOf(content);
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

/// Pairs are numbered as they are added. Taking one out leaves the numbers of the others, until so
/// many are gone that numbering them anew costs less.
struct DictNode::Index {
  /// hash → numbers of pairs, in order. Any int may be a hash; DenseMap keeps two for itself.
  std::unordered_map<int64_t, llvm::SmallVector<uint32_t, 1>> places;
  std::vector<uint32_t> gone;     ///< numbers of pairs that were taken out, in order
  std::vector<uint32_t> unhashed; ///< numbers of pairs whose keys have no hash known here, in order
  /// What Python code gave as the hash of a pair's key when it was added, by the pair's number. It
  /// is not asked again, whatever becomes of the key.
  std::map<uint32_t, int64_t> given;

  size_t positionOf(uint32_t number) const {
    return number - size_t(llvm::lower_bound(gone, number) - gone.begin());
  }
  uint32_t numberAt(size_t position) const {
    // The numbers gone before a number are those that leave it a position above their own.
    size_t before = 0, end = gone.size();
    while (before < end) {
      size_t middle = (before + end) / 2;
      if (gone[middle] - middle <= position)
        before = middle + 1;
      else
        end = middle;
    }
    return uint32_t(position + before);
  }
  void add(uint32_t number, std::optional<int64_t> hash) {
    if (hash)
      places[*hash].push_back(number);
    else
      unhashed.push_back(number);
  }
  void give(uint32_t number, int64_t hash) {
    llvm::erase(unhashed, number);
    auto &numbers = places[hash];
    numbers.insert(llvm::lower_bound(numbers, number), number);
    given[number] = hash;
  }
};
static constexpr size_t kMostGone = 1024;

static const DictNode &dictNode(const Value &content) {
  return content.nodeAs<DictNode>(Kind::DictItems);
}

bool DictNode::hasUnknownHashes() const {
  return index && (!index->given.empty() || !index->unhashed.empty());
}

/// A copy to be changed. Hashes that Python code gave cannot be found again: they are copied, too.
static Value copyOf(const Value &content) {
  Value copy = Value::composite(content.kind(), content.parts());
  if (content.is(Kind::DictItems))
    if (const auto &index = dictNode(content).index; index && !index->given.empty())
      dictNode(copy).index = std::make_shared<DictNode::Index>(*index);
  return copy;
}

/// The hash of a key; none where only Python code or a decision gives it.
static std::optional<int64_t> keyHash(Engine &e, const Value &key) {
  bool needsPython = false;
  return nativeHash(e, key, needsPython);
}

/// Makes the index; without `old`, no hashes that Python code gave are known.
static void makeIndex(Engine &e, const DictNode &node, const DictNode::Index *old = nullptr) {
  auto index = std::make_shared<DictNode::Index>();
  for (size_t i = 0; i < node.parts().size() / 2; ++i) {
    if (old)
      if (auto given = old->given.find(old->numberAt(i)); given != old->given.end()) {
        index->give(uint32_t(i), given->second);
        continue;
      }
    index->add(uint32_t(i), keyHash(e, node.parts()[2 * i]));
  }
  node.index = std::move(index);
}

std::map<uint32_t, int64_t> capture::givenHashes(const Value &contents) {
  std::map<uint32_t, int64_t> hashes;
  if (const auto &index = dictNode(contents).index)
    for (const auto &[number, hash] : index->given)
      hashes[uint32_t(index->positionOf(number))] = hash;
  return hashes;
}

void capture::giveHashes(Engine &e, const Value &contents, std::map<uint32_t, int64_t> hashes) {
  DictNode::Index given;
  given.given = std::move(hashes);
  makeIndex(e, dictNode(contents), &given);
}

static const DictNode::Index &hashIndex(Engine &e, const DictNode &node) {
  if (!node.index)
    makeIndex(e, node);
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
  // Strings with parts that are known at run time only have no hash: they are compared
  // (numbersAlike).
  bool allHashed = node.index && node.index->unhashed.empty();
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
  if (!h && needsPythonKey(e, key))
    return Found{-1, true};
  // The same run-time value is the same key, whatever it is.
  if (!h) {
    for (size_t i = 0; i < parts.size(); i += 2)
      if (parts[i] == key)
        return Found{int64_t(i / 2), false};
    return Found{-1, !parts.empty()};
  }
  const DictNode::Index &index = hashIndex(e, node);
  if (!index.unhashed.empty() && comparesRunTime(e, content.parts(), key))
    return findRunTime(e, content, key);
  // Any of those may have the same hash, and be asked first.
  if (!index.unhashed.empty())
    return Found{-1, true};
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

/// Appends a pair; its number in the index, if there is one.
static uint32_t appendPair(Engine &e, const Value &dict, const Value &key, Value value) {
  writeLinked(e, dict, key, value);
  Value &content = ownContent(e, dict.asRef());
  size_t position = content.partCount() / 2;
  content.addPart(key);
  content.addPart(std::move(value));
  const DictNode &node = dictNode(content);
  return uint32_t(position + (node.index ? node.index->gone.size() : 0));
}

void capture::dictAppend(Engine &e, const Value &dict, const Value &key, Value value) {
  uint32_t number = appendPair(e, dict, key, std::move(value));
  const DictNode &node = dictNode(e.heap.get(dict.asRef(), slot::kContent));
  if (node.index)
    node.index->add(number, keyHash(e, key));
}

void capture::dictAppendHashed(Engine &e, const Value &dict, const Value &key, Value value,
                               int64_t hash) {
  // The index is made before, so that it counts this pair once.
  (void)hashIndex(e, dictNode(ownContent(e, dict.asRef())));
  uint32_t number = appendPair(e, dict, key, std::move(value));
  dictNode(e.heap.get(dict.asRef(), slot::kContent)).index->give(number, hash);
}

std::vector<int64_t> capture::dictUnhashed(Engine &e, const Value &dict) {
  const DictNode::Index &index = hashIndex(e, dictNode(e.heap.get(dict.asRef(), slot::kContent)));
  std::vector<int64_t> positions;
  positions.reserve(index.unhashed.size());
  for (uint32_t number : index.unhashed)
    positions.push_back(int64_t(index.positionOf(number)));
  return positions;
}

void capture::dictNoteHash(Engine &e, const Value &dict, int64_t position, int64_t hash) {
  // What a key is that the path has decided holds for this path only, and so does its hash.
  if (anyElement(dictItems(e, dict)[size_t(position) * 2],
                 [](const Value &part) { return part.is(Kind::Choice); }))
    return;
  // In contents of this path's own: other paths may see another hash.
  const DictNode &node = dictNode(ownContent(e, dict.asRef()));
  (void)hashIndex(e, node);
  node.index->give(node.index->numberAt(size_t(position)), hash);
}

std::vector<int64_t> capture::dictCandidates(Engine &e, const Value &dict, int64_t hash) {
  const DictNode::Index &index = hashIndex(e, dictNode(e.heap.get(dict.asRef(), slot::kContent)));
  llvm::SmallVector<std::pair<uint32_t, bool>> numbers;
  if (auto at = index.places.find(hash); at != index.places.end())
    for (uint32_t number : at->second)
      numbers.emplace_back(number, true);
  for (uint32_t number : index.unhashed)
    numbers.emplace_back(number, false);
  llvm::sort(numbers);
  std::vector<int64_t> positions;
  for (auto [number, hashed] : numbers) {
    auto position = int64_t(index.positionOf(number));
    positions.push_back(hashed ? position : ~position);
  }
  return positions;
}

void capture::dictPut(Engine &e, const Value &dict, int64_t position, Value value) {
  writeLinked(e, dict, dictItems(e, dict)[size_t(position) * 2], value);
  // A copy made here shares no index, but the positions stay.
  ownContent(e, dict.asRef()).mutablePart(size_t(position) * 2 + 1) = std::move(value);
}

/// Takes the pair at `position`, of this key, out of the index, if it is listed by its hash.
static bool forget(Engine &e, DictNode::Index &index, const Value &key, size_t position) {
  uint32_t number = index.numberAt(position);
  std::optional<int64_t> h;
  if (auto given = index.given.find(number); given != index.given.end()) {
    h = given->second;
    index.given.erase(given);
  } else if (auto at = llvm::find(index.unhashed, number); at != index.unhashed.end()) {
    index.unhashed.erase(at);
    index.gone.insert(llvm::lower_bound(index.gone, number), number);
    return true;
  } else {
    h = keyHash(e, key);
  }
  auto at = h ? index.places.find(*h) : index.places.end();
  if (at == index.places.end() || !llvm::is_contained(at->second, number))
    return false; // the path has decided since what the key is
  llvm::erase(at->second, number);
  if (at->second.empty())
    index.places.erase(at);
  index.gone.insert(llvm::lower_bound(index.gone, number), number);
  return true;
}

void capture::disturbWalkers(Engine &e, ObjectId dict, bool clears) {
  auto walkers = e.world->walkers.find(dict);
  if (walkers == e.world->walkers.end())
    return;
  for (ObjectId it : walkers->second)
    if (e.heap.exists(it) && walkedDict(e, it) == dict)
      // One without a length walks over a table of the run, and is told alike.
      if (const bool ofTable = e.heap.get(it, slot::kLength).isAbsent();
          ofTable || !clears || e.heap.get(it, slot::kDisturbed).isAbsent())
        e.heap.set(it, slot::kDisturbed, Value::boolean(ofTable || !clears));
  // Told once, told for good, where no path is taken back.
  if (e.plainPython && !clears)
    walkers->second.clear();
}

void capture::dictErase(Engine &e, const Value &dict, int64_t position) {
  Value key = dictItems(e, dict)[size_t(position) * 2];
  writeLinked(e, dict, key, Value());
  disturbWalkers(e, dict.asRef());
  Value &content = ownContent(e, dict.asRef());
  const DictNode &node = dictNode(content);
  bool listed = node.index && forget(e, *node.index, key, size_t(position));
  std::shared_ptr<DictNode::Index> old = node.index;
  content.dropParts(size_t(position) * 2, 2);
  if (listed && old->gone.size() > kMostGone)
    makeIndex(e, node, old.get());
  else if (!listed)
    node.index.reset();
}

Flow capture::dictClear(Engine &e, const Value &dict) {
  PTC_LET(owner, e.decide(e.heap.get(dict.asRef(), slot::kOwner)));
  while (owner.is(Kind::Ref) && !dictItems(e, dict).empty())
    dictErase(e, dict, 0);
  disturbWalkers(e, dict.asRef(), /*clears=*/true);
  e.heap.set(dict.asRef(), slot::kContent, Value::composite(Kind::DictItems, {}));
  return Flow::Next;
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

/// As dictSet(), of a key whose hash another dict knows.
static Flow setHashed(Engine &e, const Value &dict, const Value &key, Value value, int64_t hash) {
  for (int64_t position : dictCandidates(e, dict, hash)) {
    if (position < 0 || !areOneItem(dictItems(e, dict)[size_t(position) * 2], key))
      return e.refuse(DiagId::Unsupported, "a dict key whose equality is written in Python here");
    dictPut(e, dict, position, std::move(value));
    return Flow::Next;
  }
  dictAppendHashed(e, dict, key, std::move(value), hash);
  return Flow::Next;
}

Value capture::copyDict(Engine &e, const Value &dict) {
  PTC_DO(openContent(e, dict));
  Value copy = e.makeDict({});
  e.heap.set(copy.asRef(), slot::kContent, e.heap.get(dict.asRef(), slot::kContent));
  return copy;
}

Value capture::mergeDicts(Engine &e, const Value &a, const Value &b, bool inPlace) {
  PTC_LET(target, inPlace ? a : copyDict(e, a));
  PTC_DO(openContents(e, {target, b}));
  Value other = e.heap.get(b.asRef(), slot::kContent);
  const DictNode::Index &index = hashIndex(e, dictNode(other));
  for (size_t i = 0; i < other.partCount() / 2; ++i) {
    const Value &key = other.parts()[2 * i], &value = other.parts()[2 * i + 1];
    auto given = index.given.find(index.numberAt(i));
    PTC_DO(given == index.given.end() ? dictSet(e, target, key, value)
                                      : setHashed(e, target, key, value, given->second));
  }
  return target;
}
