//===- KnownNames.cpp - What is known to exist, modelled or not ------------------------------===//
//
// In: paths of modules, classes and their members, and a version of CPython. Out: what the packed
// table says about them. It is read where it lies, by binary search; nothing is made at start-up.
//
//===----------------------------------------------------------------------===//
#include "KnownNames.h"
#include "Known/KnownTable.h"
#include "MergeOrders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace known = ptc::capture::known;

static uint32_t word(llvm::StringRef section, uint32_t n) {
  assert(size_t(n) * 4 + 4 <= section.size() && "outside of the table");
  return llvm::support::endian::read32le(section.data() + size_t(n) * 4);
}

static llvm::StringRef stringAt(llvm::StringRef text, llvm::StringRef offsets, uint32_t n) {
  return text.slice(word(offsets, n), word(offsets, n + 1));
}

/// The first string that is not less than `wanted`.
static uint32_t lowerBound(llvm::StringRef text, llvm::StringRef offsets, llvm::StringRef wanted) {
  auto all = llvm::seq<uint32_t>(0, uint32_t(offsets.size() / 4 - 1));
  return *llvm::partition_point(all,
                                [&](uint32_t n) { return stringAt(text, offsets, n) < wanted; });
}

namespace {
/// A module or a class of the table, in one version.
class Space {
public:
  Space(uint32_t place, unsigned version) : place(place), version(version) {}

  static std::optional<Space> find(llvm::StringRef path, bool isClass, unsigned version);

  llvm::StringRef path() const {
    return stringAt(known::getPathText(), known::getPathOffsets(), place);
  }
  bool isClass() const { return field(4) & 1; }
  bool exists() const { return flag(0); }
  bool isOpen() const { return flag(1); }
  bool hasOwnCheck() const { return isClass() && flag(2); }
  bool isSource() const { return !isClass() && flag(2); }
  bool isPackage() const { return !isClass() && flag(3); }
  bool isStatic() const { return isClass() && flag(3); }
  bool isFixed() const { return isClass() && flag(4); }
  bool hasInstanceDict() const { return isClass() && flag(5); }
  bool operator==(const Space &other) const { return place == other.place; }

  /// The place of an entry of this name, one that its methods set in instances aside.
  std::optional<uint32_t> entry(llvm::StringRef name) const;
  bool setsInInstances(llvm::StringRef name) const;
  void forEachName(llvm::function_ref<void(llvm::StringRef)> see) const;
  llvm::SmallVector<Space, 2> links(unsigned what) const;
  bool isLoadedByTorch() const {
    auto all = llvm::seq<uint32_t>(0, known::getTorchLoads().size() / 4); // in order
    auto at = llvm::partition_point(
        all, [&](uint32_t n) { return word(known::getTorchLoads(), n) < place; });
    return at != all.end() && word(known::getTorchLoads(), *at) == place;
  }

  uint32_t place;
  unsigned version; ///< its bit in masks

private:
  uint32_t field(unsigned n) const {
    return word(known::getSpaces(), place * known::kSpaceWords + n);
  }
  bool flag(unsigned n) const { return field(4) >> (1 + 5 * n + version) & 1; }
  std::optional<uint32_t> findEntry(llvm::StringRef name, bool inInstances) const;
};

enum : unsigned { kBase, kMeta, kAlias };

struct Entry {
  uint32_t bits, to;
  unsigned kind() const { return bits >> 6 & 7; }
  bool isAfterImport() const { return bits >> 5 & 1; }
};
} // namespace

constexpr uint32_t kNowhere = ~0U;
constexpr unsigned kSetInInstances = 6; ///< kind of an entry: see Known/pack.py

std::optional<Space> Space::find(llvm::StringRef path, bool isClass, unsigned version) {
  uint32_t at = lowerBound(known::getPathText(), known::getPathOffsets(), path);
  const uint32_t end = uint32_t(known::getPathOffsets().size() / 4 - 1);
  for (; at < end; ++at) {
    Space space(at, version);
    if (space.path() != path)
      return std::nullopt;
    if (space.isClass() == isClass && space.exists())
      return space;
  }
  return std::nullopt;
}

std::optional<uint32_t> Space::entry(llvm::StringRef name) const { return findEntry(name, false); }
bool Space::setsInInstances(llvm::StringRef name) const {
  return findEntry(name, true).has_value();
}

std::optional<uint32_t> Space::findEntry(llvm::StringRef name, bool inInstances) const {
  uint32_t id = lowerBound(known::getNameText(), known::getNameOffsets(), name);
  if (id + 1 >= known::getNameOffsets().size() / 4 ||
      stringAt(known::getNameText(), known::getNameOffsets(), id) != name)
    return std::nullopt;
  auto bits = [](uint32_t n) { return word(known::getEntries(), n * known::kEntryWords); };
  auto own = llvm::seq(field(0), field(0) + field(1));
  auto first = llvm::partition_point(own, [&](uint32_t n) { return bits(n) >> 9 < id; });
  for (; first != own.end() && bits(*first) >> 9 == id; ++first)
    if (bits(*first) >> version & 1 &&
        (Entry{bits(*first), 0}.kind() == kSetInInstances) == inInstances)
      return *first;
  return std::nullopt;
}

void Space::forEachName(llvm::function_ref<void(llvm::StringRef)> see) const {
  for (uint32_t n : llvm::seq(field(0), field(0) + field(1))) {
    const uint32_t bits = word(known::getEntries(), n * known::kEntryWords);
    if (bits >> version & 1 && !Entry{bits, 0}.isAfterImport() &&
        Entry{bits, 0}.kind() != kSetInInstances)
      see(stringAt(known::getNameText(), known::getNameOffsets(), bits >> 9));
  }
}

llvm::SmallVector<Space, 2> Space::links(unsigned what) const {
  llvm::SmallVector<Space, 2> found;
  for (uint32_t n : llvm::seq(field(2), field(2) + field(3))) {
    uint32_t link = word(known::getLinks(), n);
    if ((link >> 5 & 3) == what && link >> version & 1)
      found.emplace_back(link >> 8, version);
  }
  return found;
}

static std::optional<unsigned> versionBit(unsigned minor) {
  return minor >= 11 && minor <= 15 ? std::optional(minor - 11) : std::nullopt;
}

static Entry entryAt(uint32_t n) {
  return {word(known::getEntries(), n * known::kEntryWords),
          word(known::getEntries(), n * known::kEntryWords + 1)};
}

static std::optional<Space> findModuleSpace(llvm::StringRef name, unsigned version) {
  std::optional<Space> found = Space::find(name, false, version);
  if (found)
    if (auto meant = found->links(kAlias); !meant.empty())
      return meant[0];
  return found;
}

/// Places of a class and of all that it is derived from, in the order of its MRO.
static std::vector<uint32_t> orderOf(const Space &cls) {
  std::vector<uint32_t> order = {cls.place};
  const llvm::SmallVector<Space, 2> bases = cls.links(kBase);
  if (bases.size() == 1) {
    llvm::append_range(order, orderOf(bases[0]));
    return order;
  }
  std::vector<std::vector<uint32_t>> lists;
  for (const Space &base : bases)
    lists.push_back(orderOf(base));
  std::vector<uint32_t> &direct = lists.emplace_back();
  for (const Space &base : bases)
    direct.push_back(base.place);
  [[maybe_unused]] bool isOrdered = mergeOrders(lists, order);
  assert(isOrdered && "of classes that an interpreter has made");
  return order;
}

/// Calls `see` for a class and all that it is derived from, in the order of its MRO, until it says
/// true.
static bool anyBase(const Space &cls, llvm::function_ref<bool(const Space &)> see) {
  return llvm::any_of(orderOf(cls), [&](uint32_t place) { return see(Space(place, cls.version)); });
}

static std::optional<Space> metaclass(const Space &cls) {
  if (auto meta = cls.links(kMeta); !meta.empty())
    return meta[0];
  return Space::find("builtins.type", true, cls.version);
}

static std::optional<uint32_t> memberOf(const Space &cls, llvm::StringRef name) {
  std::optional<uint32_t> found;
  anyBase(cls, [&](const Space &base) {
    found = base.entry(name);
    return found.has_value();
  });
  return found;
}

/// Names that a module or class may have and that the tables leave out.
static bool isLeftOut(const Space &space, llvm::StringRef name) {
  static constexpr llvm::StringLiteral kOfModules[] = {
      "__annotate__", "__annotations__", "__builtins__",
      "__cached__",   "__dir__",         "__conditional_annotations__",
      "__file__",     "__getattr__",     "__warningregistry__"};
  static constexpr llvm::StringLiteral kOfClasses[] = {
      "__abstractmethods__",   "__annotate__",    "__annotate_func__", "__annotations__",
      "__annotations_cache__", "__firstlineno__", "__qualname__",      "__static_attributes__",
      "__text_signature__",    "__weakref__"};
  return space.isClass() ? llvm::is_contained(kOfClasses, name)
                         : llvm::is_contained(kOfModules, name);
}

/// An attribute of a module or class by what the table lists.
static std::optional<uint32_t> attributeOf(const Space &space, llvm::StringRef name) {
  if (!space.isClass()) {
    if (auto found = space.entry(name))
      return found;
    std::optional<Space> type = Space::find("builtins.module", true, space.version);
    return type ? memberOf(*type, name) : std::nullopt;
  }
  auto found = memberOf(space, name);
  // Descriptors of `type` come first, and may raise AttributeError.
  if (isLeftOut(space, name) && !(found && name == "__abstractmethods__"))
    return std::nullopt;
  if (found)
    return found;
  std::optional<Space> meta = metaclass(space);
  return meta ? memberOf(*meta, name) : std::nullopt;
}

/// What every module, or every class, has: the tables leave it out.
static std::optional<KnownName> universalName(const Space &space, llvm::StringRef name) {
  static constexpr llvm::StringLiteral kOfModules[] = {"__doc__", "__loader__", "__name__",
                                                       "__package__", "__spec__"};
  static constexpr llvm::StringLiteral kOfSources[] = {"__builtins__", "__cached__", "__file__"};
  static constexpr llvm::StringLiteral kOfClasses[] = {"__dict__", "__doc__", "__module__"};
  if (space.isClass() ? llvm::is_contained(kOfClasses, name)
                      : llvm::is_contained(kOfModules, name) ||
                            (space.isSource() && llvm::is_contained(kOfSources, name)) ||
                            (space.isPackage() && name == "__path__"))
    return KnownName();
  return std::nullopt;
}

static KnownName describe(const Space &space) {
  KnownName name;
  name.kind = space.isClass() ? KnownKind::Class : KnownKind::Module;
  name.isCallable = space.isClass();
  name.hasPlainInstanceCheck = space.isClass() && !space.hasOwnCheck() && !space.isOpen();
  name.type = "module";
  if (space.isClass()) {
    auto meta = space.links(kMeta);
    name.type = meta.empty() ? llvm::StringRef("type") : meta[0].path();
  }
  name.definedAs = space.path();
  return name;
}

static KnownName describe(const Entry &entry, unsigned version) {
  if (entry.kind() < 2 && entry.to != kNowhere)
    return describe(Space(entry.to, version));
  KnownName name;
  switch (entry.kind()) {
  case 0:
    name.kind = KnownKind::Module;
    name.type = "module";
    break;
  case 1:
    name.kind = KnownKind::Class;
    name.isCallable = true;
    break;
  case 2:
    name.kind = KnownKind::Function;
    name.isCallable = true;
    break;
  case 4:
    name.kind = KnownKind::None;
    name.type = "NoneType";
    break;
  default:
    assert((entry.kind() == 3 || entry.kind() == 5) && "kind that pack.py does not write");
    name.isCallable = entry.kind() == 5;
  }
  if (entry.kind() != 4 && entry.kind() > 1)
    name.type = stringAt(known::getTypeText(), known::getTypeOffsets(), entry.to);
  return name;
}

namespace {
/// Follows a path, one name after the other.
struct Walk {
  std::optional<Space> space;    ///< the module or class that the last name is
  std::optional<KnownName> name; ///< what the last name is; none: not known
  std::optional<Space> owner;    ///< whose attribute it is
};
} // namespace

static KnownSince sinceImport(const Space &module) {
  // What of the standard library torch loads was read with CPython 3.11.
  bool isOfTorch = module.path().starts_with("torch");
  return module.isLoadedByTorch() && (isOfTorch || module.version == 0) ? KnownSince::TorchImport
                                                                        : KnownSince::OwnImport;
}

static bool isDescriptorOfC(llvm::StringRef type) {
  return type == "getset_descriptor" || type == "member_descriptor";
}

/// Is an entry of a metaclass one that says something else of each class?
static bool isOfEachClass(const Space &owner, const Entry &entry) {
  if (!owner.isClass() || entry.kind() != 3)
    return false;
  llvm::StringRef type = stringAt(known::getTypeText(), known::getTypeOffsets(), entry.to);
  return isDescriptorOfC(type) &&
         anyBase(owner, [](const Space &base) { return base.path() == "builtins.type"; });
}

static void step(Walk &walk, llvm::StringRef part, llvm::StringRef moduleName, unsigned version) {
  std::optional<Space> module = findModuleSpace(moduleName, version);
  walk.owner = walk.space;
  walk.space.reset();
  walk.name.reset();
  if (walk.owner && walk.owner->isClass() && part == "__class__") {
    walk.space = metaclass(*walk.owner);
    if (walk.space)
      walk.name = describe(*walk.space);
    return;
  }
  if (walk.owner) {
    if (std::optional<uint32_t> at = attributeOf(*walk.owner, part)) {
      Entry entry = entryAt(*at);
      walk.name = isOfEachClass(*walk.owner, entry) ? KnownName() : describe(entry, version);
      if (entry.kind() < 2 && entry.to != kNowhere)
        walk.space = Space(entry.to, version);
      else
        walk.space = module; // a function of the name of its module
      if (walk.name->kind == KnownKind::Module && entry.isAfterImport())
        walk.name->since = module ? sinceImport(*module) : KnownSince::OwnImport;
      return;
    }
    walk.name = universalName(*walk.owner, part);
    if (walk.name)
      return;
  }
  if (!module)
    return;
  walk.space = module;
  walk.name = describe(*module);
  if (walk.owner)
    walk.name->since = sinceImport(*module);
}

static Walk follow(llvm::StringRef path, unsigned version, llvm::StringRef module = {}) {
  Walk walk;
  size_t from = 0;
  if (std::optional<Space> start = findModuleSpace(module, version)) {
    walk.space = start;
    walk.name = describe(*start);
    from = module.size() + 1;
  }
  for (; from <= path.size();) {
    size_t end = std::min(path.find('.', from), path.size());
    bool isFirst = from == 0;
    if (!isFirst && !walk.space) {
      walk.name.reset();
      walk.owner.reset();
      return walk;
    }
    step(walk, path.slice(from, end), path.take_front(end), version);
    from = end + 1;
  }
  return walk;
}

std::optional<KnownName> capture::findKnownName(llvm::StringRef path, unsigned minor,
                                                llvm::StringRef module) {
  std::optional<unsigned> version = versionBit(minor);
  return version && !path.empty() ? follow(path, *version, module).name : std::nullopt;
}

void capture::forEachKnownName(llvm::StringRef module, unsigned minor,
                               llvm::function_ref<void(llvm::StringRef)> see) {
  if (std::optional<unsigned> version = versionBit(minor))
    if (std::optional<Space> space = findModuleSpace(module, *version))
      space->forEachName(see);
}

bool capture::isKnownModule(llvm::StringRef name, unsigned minor) {
  std::optional<unsigned> version = versionBit(minor);
  return version && findModuleSpace(name, *version);
}

bool capture::isKnownPackage(llvm::StringRef name, unsigned minor) {
  std::optional<unsigned> version = versionBit(minor);
  std::optional<Space> space = version ? findModuleSpace(name, *version) : std::nullopt;
  return space && space->isPackage();
}

bool capture::isLoadedWithTorch(llvm::StringRef name, unsigned minor) {
  std::optional<unsigned> version = versionBit(minor);
  std::optional<Space> space = version ? findModuleSpace(name, *version) : std::nullopt;
  return space && sinceImport(*space) == KnownSince::TorchImport;
}

static bool isComplete(const Space &space) {
  if (!space.isClass())
    return !space.isOpen();
  auto isOpen = [](const Space &base) { return base.isOpen(); };
  std::optional<Space> meta = metaclass(space);
  return !anyBase(space, isOpen) && meta && !anyBase(*meta, isOpen) &&
         !memberOf(*meta, "__getattr__");
}

bool capture::isCompletelyKnown(llvm::StringRef path, unsigned minor) {
  std::optional<unsigned> version = versionBit(minor);
  if (!version)
    return false;
  Walk walk = follow(path, *version);
  return walk.space && isComplete(*walk.space);
}

bool capture::isKnownAbsent(llvm::StringRef path, unsigned minor, llvm::StringRef module) {
  auto [owner, name] = path.rsplit('.');
  std::optional<unsigned> version = versionBit(minor);
  if (!version || name.empty())
    return false;
  Walk walk = follow(owner, *version, module);
  return walk.space && isComplete(*walk.space) && !isLeftOut(*walk.space, name) &&
         !findKnownName(path, minor, module);
}

/// A class by where it is defined, or by another path.
static std::optional<Space> findClassSpace(llvm::StringRef path, unsigned version) {
  if (std::optional<Space> found = Space::find(path, true, version))
    return found;
  std::optional<Space> found = follow(path, version).space;
  return found && found->isClass() ? found : std::nullopt;
}

std::optional<KnownClass> capture::findKnownClass(llvm::StringRef path, unsigned minor) {
  std::optional<unsigned> version = versionBit(minor);
  std::optional<Space> space = version ? findClassSpace(path, *version) : std::nullopt;
  if (!space)
    return std::nullopt;
  bool isOpen = anyBase(*space, [](const Space &base) { return base.isOpen(); });
  return KnownClass{!isOpen, space->isStatic(), space->isFixed(), space->hasInstanceDict()};
}

KnownAttribute capture::findKnownAttribute(llvm::StringRef cls, llvm::StringRef name,
                                           unsigned minor, bool ofInstance) {
  std::optional<unsigned> version = versionBit(minor);
  std::optional<Space> space = version ? findClassSpace(cls, *version) : std::nullopt;
  if (!space)
    return {};
  std::string path = (space->path() + "." + name).str();
  if (name == "__doc__")
    return {KnownMember::Yes, path};
  KnownAttribute found;
  if (space->entry(name))
    found = {KnownMember::Yes, (cls + "." + name).str()};
  else
    anyBase(*space, [&](const Space &base) {
      if (base.entry(name))
        found = {KnownMember::Yes, (base.path() + "." + name).str()};
      return found.is == KnownMember::Yes;
    });
  if (name == "__abstractmethods__" && !found.path.empty()) {
    std::optional<KnownName> set = findKnownName(found.path, minor);
    found.is = set && set->type == "frozenset" ? KnownMember::Yes : KnownMember::Perhaps;
  }
  // Where the class has a member of this name, it is the member: models have those.
  std::optional<KnownName> known =
      ofInstance || found.path.empty() ? std::nullopt : findKnownName(found.path, minor);
  if (known && known->isOfEnumMembers())
    return {};
  if (found.is != KnownMember::No)
    return found;
  if ((name == "__dict__" && (!ofInstance || space->hasInstanceDict())) ||
      (name == "__module__" &&
       (!ofInstance || !space->isStatic() || space->path() == "types.UnionType")))
    return {KnownMember::Yes, path};
  bool isLeftOutOfIt = isLeftOut(*space, name) && name != "__qualname__" &&
                       name != "__text_signature__" && !space->isStatic() &&
                       !(ofInstance && space->isFixed());
  bool isPerhaps = anyBase(*space, [&](const Space &base) {
    return base.isOpen() || (ofInstance && base.setsInInstances(name));
  });
  return isPerhaps || isLeftOutOfIt ? KnownAttribute{KnownMember::Perhaps, path} : KnownAttribute{};
}

bool capture::isKnownDescriptor(llvm::StringRef path, unsigned minor) {
  std::optional<KnownName> known = findKnownName(path, minor);
  return known && isDescriptorOfC(known->type);
}

bool capture::hasKnownMember(llvm::StringRef cls, llvm::StringRef name, unsigned minor) {
  std::optional<unsigned> version = versionBit(minor);
  std::optional<Space> space = version ? findClassSpace(cls, *version) : std::nullopt;
  return space && space->entry(name);
}

void capture::forEachKnownMember(llvm::StringRef cls, unsigned minor, bool withBases,
                                 llvm::function_ref<void(llvm::StringRef)> see) {
  std::optional<unsigned> version = versionBit(minor);
  if (std::optional<Space> space = version ? findClassSpace(cls, *version) : std::nullopt)
    anyBase(*space, [&](const Space &base) {
      base.forEachName(see);
      return !withBases;
    });
}

bool capture::forEachKnownBase(llvm::StringRef cls, unsigned minor, bool direct,
                               llvm::function_ref<void(llvm::StringRef)> see) {
  std::optional<unsigned> version = versionBit(minor);
  std::optional<Space> space = version ? findClassSpace(cls, *version) : std::nullopt;
  if (!space)
    return false;
  bool isKnown = true;
  anyBase(*space, [&](const Space &base) {
    for (const Space &next : base.links(kBase))
      see(next.path());
    isKnown &= !base.links(kBase).empty() || base.path() == "builtins.object";
    return direct;
  });
  return isKnown;
}

std::optional<bool> capture::isKnownSubclass(llvm::StringRef cls, llvm::StringRef base,
                                             unsigned minor) {
  std::optional<unsigned> version = versionBit(minor);
  if (!version)
    return std::nullopt;
  std::optional<Space> first = findClassSpace(cls, *version),
                       second = findClassSpace(base, *version);
  if (!first || !second)
    return std::nullopt;
  bool isUnknown = false;
  if (anyBase(*first, [&](const Space &at) {
        isUnknown |= at.links(kBase).empty() && at.path() != "builtins.object";
        return at == *second;
      }))
    return true;
  return isUnknown ? std::nullopt : std::optional(false);
}
