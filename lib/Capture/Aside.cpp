//===- Aside.cpp - What a call that cannot be followed takes with it ------------------------===//
//
// In: what the call may change. Out: a heap in which nothing that the program still reaches refers
// to it. The objects themselves stay as they are, for what later calls of the same kind may reach.
//
//===----------------------------------------------------------------------===//
#include "Aside.h"
#include "Escape.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

/// Names by which the engine finds a module, and which nobody gives another value.
static bool isOfImports(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {"__name__", "__package__", "__path__"};
  return llvm::is_contained(kNames, name);
}

/// Is everything that makes the class the program's, but for `object`?
static bool isWholly(Engine &e, ObjectId cls) {
  return llvm::all_of(e.classInfo(cls).mro, [&](ObjectId base) {
    return isProgramClass(e, base) || base == e.builtinClass(WellKnown::ObjectType);
  });
}

namespace {
class Removal {
public:
  Removal(Engine &e, Changes changes, uint32_t refusal)
      : e(e), changes(std::move(changes)), standIn(Engine::poison(refusal)) {}

  bool run() {
    if (!close())
      return false;
    for (ObjectId id = 0; id < e.heap.nextId(); ++id)
      if (e.heap.exists(id) && !isTaken(id))
        replaceIn(id);
    for (SlotKey variable : changes.variables)
      replaceVariable(variable);
    for (ObjectId module : changes.modules)
      replaceNames(module);
    for (ObjectId id : changes.objects)
      if (e.heap.kind(id) == ObjectKind::Class)
        e.heap.set(id, slot::kClassStandIn, standIn);
    return true;
  }

private:
  bool isTaken(ObjectId id) const { return changes.objects.contains(id); }
  bool mentions(const Value &v) const {
    bool found = false;
    forEachRef(v, [&](ObjectId id) { found |= isTaken(id); });
    return found;
  }
  /// Adds what cannot be without the rest.
  bool close() {
    bool can = llvm::all_of(changes.objects, [&](ObjectId id) { return canBeTaken(id); }) &&
               llvm::all_of(changes.modules, [&](ObjectId id) { return !isPrelude(id); });
    for (bool grew = true; can && grew;) {
      grew = false;
      for (ObjectId id = 0; can && id < e.heap.nextId(); ++id)
        if (e.heap.exists(id) && !isTaken(id) && (isOfTaken(id) || holdsWithin(id))) {
          can = canBeTaken(id);
          changes.objects.insert(id);
          grew = true;
        }
    }
    return can;
  }
  bool isPrelude(ObjectId module) const {
    const auto *info = static_cast<const ModuleInfo *>(e.heap.header(module).info);
    return !info || info->prelude;
  }
  bool canBeTaken(ObjectId id) const {
    switch (e.heap.kind(id)) {
    case ObjectKind::Engine:
    case ObjectKind::Module:
    case ObjectKind::Cell:
      return false;
    case ObjectKind::Frame:
      return !e.heap.get(id, slot::kGenState).isAbsent() && !e.frameInfo(id).hidden;
    case ObjectKind::Class:
      return isProgramClass(e, id);
    case ObjectKind::Function:
      return !functionOf(e, id).hidden;
    case ObjectKind::Instance:
    case ObjectKind::List:
    case ObjectKind::Dict:
    case ObjectKind::Set:
    case ObjectKind::ByteArray:
    case ObjectKind::Iterator:
    case ObjectKind::Storage:
    case ObjectKind::Generator:
      return id >= e.world->ownObjects && id != e.world->modules;
    }
    llvm_unreachable("closed enum");
  }
  /// Is its class, or one that this derives from, taken?
  bool isOfTaken(ObjectId id) const {
    bool isClass = e.heap.kind(id) == ObjectKind::Class;
    ObjectId cls = isClass ? id : e.heap.header(id).cls;
    auto derives = [&](ObjectId derived) {
      return derived &&
             llvm::any_of(e.classInfo(derived).mro, [&](ObjectId base) { return isTaken(base); });
    };
    return derives(cls) || (isClass && derives(e.classInfo(id).meta));
  }
  /// Does it refer to a taken object where nothing else can stand?
  bool holdsWithin(ObjectId id) const {
    bool within = false;
    e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
      bool isOwner = key == slot::kOwner && e.heap.kind(id) == ObjectKind::Dict &&
                     v.is(Kind::Ref) && changes.modules.contains(v.asRef());
      within |= isOwner || (!isShownOnly(id, key) && mentions(v) && !isPlace(id, key, v));
    });
    return within;
  }
  /// The content of obj.__dict__, which is read from the object.
  bool isShownOnly(ObjectId id, uint32_t key) const {
    return e.heap.kind(id) == ObjectKind::Dict && key == slot::kContent &&
           !e.heap.get(id, slot::kOwner).isAbsent();
  }
  /// May the slot hold any value, or a tuple of any?
  bool isPlace(ObjectId id, uint32_t key, const Value &v) const {
    bool isPrivate = isAttrKey(key) && e.nameText(nameOfKey(key)).starts_with("_");
    switch (e.heap.kind(id)) {
    case ObjectKind::Module:
      return isAttrKey(key) && !(isPrivate && isPrelude(id));
    case ObjectKind::Class:
      return isAttrKey(key) && isProgramClass(e, id);
    case ObjectKind::Instance:
      return isAttrKey(key) && (!isPrivate || isWholly(e, e.heap.header(id).cls));
    case ObjectKind::Function:
      return isAttrKey(key) ||
             ((key == slot::kDefaults || key == slot::kKwDefaults) && v.is(Kind::Tuple));
    case ObjectKind::Cell:
      return key == slot::kContent;
    case ObjectKind::List:
      return isAttrKey(key) || (key == slot::kContent && v.is(Kind::Tuple));
    case ObjectKind::Dict:
      return isAttrKey(key) ||
             (key == slot::kContent && v.is(Kind::DictItems) && !isKeyTaken(v.parts()));
    case ObjectKind::Set:
      return isAttrKey(key);
    case ObjectKind::Iterator:
      return key == slot::kSequence && v.is(Kind::Tuple);
    case ObjectKind::Frame:
      return (key >= slot::kLocals || key == slot::kActionArg) && !e.frameInfo(id).hidden;
    case ObjectKind::ByteArray:
    case ObjectKind::Storage:
    case ObjectKind::Generator:
    case ObjectKind::Engine:
      return false;
    }
    llvm_unreachable("closed enum");
  }
  bool isKeyTaken(llvm::ArrayRef<Value> items) const {
    for (size_t i = 0; i < items.size(); i += 2)
      if (mentions(items[i]))
        return true;
    return false;
  }

  Value replaced(const Value &v) const {
    if (!mentions(v))
      return v;
    if (!v.is(Kind::Tuple))
      return standIn;
    std::vector<Value> parts;
    for (const Value &part : v.parts())
      parts.push_back(replaced(part));
    return Value::tuple(std::move(parts)).withSub(v.sub());
  }
  void replaceIn(ObjectId id) {
    std::vector<std::pair<uint32_t, Value>> found;
    e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
      if (!isShownOnly(id, key) && mentions(v))
        found.emplace_back(key, v);
    });
    for (auto &[key, v] : found) {
      if (!v.is(Kind::DictItems)) {
        e.heap.set(id, key, replaced(v));
        continue;
      }
      for (size_t i = 1; i < v.parts().size(); i += 2)
        if (mentions(v.parts()[i]))
          dictPut(e, Value::ref(id), int64_t(i / 2), replaced(v.parts()[i]));
    }
  }
  void replaceVariable(SlotKey variable) {
    // Whether it is there is not known, either.
    if (e.heap.get(variable).isAbsent() && e.heap.kind(variable.object) == ObjectKind::Module)
      e.heap.set(variable.object, slot::kUnknownNames, standIn);
    else
      e.heap.set(variable, standIn);
  }
  void replaceNames(ObjectId module) {
    std::vector<uint32_t> keys;
    e.heap.forEachSlot(module, [&](uint32_t key, const Value &) {
      if (isAttrKey(key) && !isOfImports(e.nameText(nameOfKey(key))))
        keys.push_back(key);
    });
    for (uint32_t key : keys)
      e.heap.set(module, key, standIn);
    e.heap.set(module, slot::kUnknownNames, standIn);
  }

  Engine &e;
  Changes changes;
  const Value standIn;
};
} // namespace

bool capture::takeOut(Engine &e, Changes changes, uint32_t refusal) {
  return Removal(e, std::move(changes), refusal).run();
}

Flow capture::checkNoName(Engine &e, ObjectId module) {
  const Value &unknown = unknownNames(e, module);
  return unknown.isAbsent() ? Flow::Next : Flow(e.refuseOpaque(unknown));
}

Value capture::classOrStandIn(const Engine &e, ObjectId cls) {
  const Value &standIn = e.heap.get(cls, slot::kClassStandIn);
  return standIn.isAbsent() ? Value::ref(cls) : standIn;
}
