//===- WeakNatives.cpp - Objects of weak references ------------------------------------------===//
//
// In: objects that weak references are about. Out: whether each is still there. CPython lets go of
// an object when the last reference to it goes, and of objects in a cycle when its collector runs:
// of those nothing is known once the program does not reach them.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "../Objects.h"
#include "../Reachable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace ptc::capture;
using ptc::DiagId;

namespace {
/// Who refers to objects that the program does not reach.
class Holders {
public:
  Holders(Engine &e, const Reachable &reachable) {
    const uint32_t weak = weakKey(e);
    for (ObjectId id = 1; id < e.heap.nextId(); ++id) {
      if (!e.heap.exists(id) || reachable.contains(id))
        continue;
      // A frame that was left holds nothing.
      if (e.heap.kind(id) == ObjectKind::Frame && !e.generatorPoint(id))
        continue;
      e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
        if (key != weak)
          forEachRef(v, [&](ObjectId next) { holders[next].push_back(id); });
      });
    }
  }

  /// Does an object refer to itself, or one that it is held by?
  bool isInCycle(ObjectId object) const {
    llvm::DenseSet<ObjectId> done, open;
    return visit(object, done, open);
  }

private:
  bool visit(ObjectId object, llvm::DenseSet<ObjectId> &done,
             llvm::DenseSet<ObjectId> &open) const {
    if (open.contains(object))
      return true;
    if (!done.insert(object).second)
      return false;
    auto of = holders.find(object);
    if (of == holders.end())
      return false;
    constexpr size_t kDeepest = 1000; // what is deeper counts as a cycle
    if (open.size() == kDeepest)
      return true;
    open.insert(object);
    for (ObjectId holder : of->second)
      if (visit(holder, done, open))
        return true;
    open.erase(object);
    return false;
  }

  llvm::DenseMap<ObjectId, llvm::SmallVector<ObjectId, 2>> holders;
};
} // namespace

/// (Bool of each): is it there?
Value builtins::ptcHeld(Engine &e, CallArgs &args) {
  PTC_LET(objects, e.decide(arg(args, 0)));
  std::vector<Value> answers;
  std::optional<Reachable> reachable;
  std::optional<Holders> holders;
  for (const Value &given : objects.parts()) {
    PTC_LET(object, e.decide(given));
    if (!object.is(Kind::Ref) && !object.is(Kind::Tensor))
      return e.refuse(DiagId::Unsupported, "a weak reference to '" + typeName(e, object) + "'");
    if (object.is(Kind::Tensor)) // a value, which nobody can be seen to hold
      return e.refuse(DiagId::Unsupported, "a weak reference to a tensor");
    if (!reachable)
      reachable.emplace(e);
    bool isHeld = reachable->contains(object.asRef());
    if (!isHeld) {
      if (!holders)
        holders.emplace(e, *reachable);
      if (holders->isInCycle(object.asRef()))
        return e.refuse(DiagId::Unsupported,
                        "a weak reference to an object that only a cycle of references keeps");
    }
    answers.push_back(Value::boolean(isHeld));
  }
  return Value::tuple(std::move(answers));
}

/// The plain weak reference to an object, or None; another argument than None becomes it.
Value builtins::ptcWeakReference(Engine &e, CallArgs &args) {
  PTC_LET(object, e.decide(arg(args, 0)));
  PTC_LET(reference, e.decide(arg(args, 1)));
  if (!object.is(Kind::Ref))
    return Value::none();
  const uint32_t key = attrKey(e.intern("_ptc_weak_reference"));
  if (!reference.isNone())
    e.heap.set(object.asRef(), key, reference);
  const Value &known = e.heap.get(object.asRef(), key);
  return known.isAbsent() ? Value::none() : known;
}
