//===- Reachable.h - What the program can still reach -------------------------------*- C++ -*-===//
//
// The heap counts no references; who must know whether an object is still held marks all that is.
// Frames hold what is in them until they are left, as CPython's do. A weak reference (weakref.py)
// does not hold its object.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_REACHABLE_H
#define PTC_LIB_CAPTURE_REACHABLE_H

#include "Engine.h"
#include "Objects.h"

namespace ptc::capture {

/// The attribute of lib/Prelude's weak references that has the object.
inline uint32_t weakKey(Engine &e) { return attrKey(e.intern("_ptc_referent")); }

class Reachable {
public:
  explicit Reachable(Engine &e) : e(e), weak(weakKey(e)), seen(e.heap.nextId()) {
    see(kMachine);
    see(e.world->modules);
    see(e.world->prelude);
    while (!queue.empty())
      visit(queue.pop_back_val());
  }
  bool contains(ObjectId id) const { return seen[id]; }

private:
  void see(ObjectId id) {
    if (seen[id] || !e.heap.exists(id))
      return;
    seen[id] = true;
    queue.push_back(id);
  }
  void visit(ObjectId id) {
    const ObjectHeader &header = e.heap.header(id);
    if (header.cls)
      see(header.cls);
    if (header.kind == ObjectKind::Class)
      for (ObjectId base : e.classInfo(id).mro)
        see(base);
    e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
      if (key != weak)
        forEachRef(v, [&](ObjectId next) { see(next); });
    });
  }

  Engine &e;
  uint32_t weak;
  std::vector<bool> seen;
  llvm::SmallVector<ObjectId, 64> queue;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_REACHABLE_H
