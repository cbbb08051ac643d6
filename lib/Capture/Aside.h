//===- Aside.h - What a call that cannot be followed takes with it ---------------*- C++ -*-===//
//
// While modules are imported, what a call without a model may change is taken out of the program:
// whoever refers to it holds something that stands for the call from then on, and using that is the
// refusal.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_ASIDE_H
#define PTC_LIB_CAPTURE_ASIDE_H

#include "Objects.h"

namespace ptc::capture {

/// What a call may change.
struct Changes {
  llvm::DenseSet<ObjectId> objects;
  llvm::DenseSet<SlotKey> variables; ///< contents of cells; names of the program's modules
  llvm::DenseSet<ObjectId> modules;  ///< all of their names may be others, and there may be more
};

/// Takes it out, with what cannot be without it: instances and subclasses of classes, and who has
/// such an object in a place that holds nothing else. False: nothing was done, because the engine
/// or lib/Prelude has one of these objects for itself, or a call that goes on.
bool takeOut(Engine &e, Changes changes, uint32_t refusal);

/// What stands for the names that a module may have got without the program; Absent: for none.
inline const Value &unknownNames(const Engine &e, ObjectId module) {
  return e.heap.get(module, slot::kUnknownNames);
}
/// Refuses where the module may have a name that it does not have here.
Flow checkNoName(Engine &e, ObjectId module);
/// The class, or what stands for it once it was taken out.
Value classOrStandIn(const Engine &e, ObjectId cls);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_ASIDE_H
