//===- TensorWrites.h - What was written in place ---------------------------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_TENSORWRITES_H
#define PTC_LIB_CAPTURE_TENSORWRITES_H

#include "Engine.h"

namespace ptc::capture {

/// Writes since somebody cleared this, on any side and whether or not what wrote was rolled back: a
/// join may put another storage in the place of one. Each is a tuple: the tensor that was written
/// to, what its storage held before (raw), and what it held then (raw).
std::vector<Value> &writtenInPlace(Engine &e);

/// A call of the entry begins: objects made from here on are its own, but for what noteGiven()
/// names.
void beginWrites(Engine &e);
void noteGiven(Engine &e, const Value &tensor);
/// The caller holds an object, or a storage, which is as it is before the call.
void noteHeld(Engine &e, ObjectId id);
/// Is one of these another than before, on the path that is being followed?
bool hasChangedHeld(Engine &e);
/// The call has made a tensor with strides of the program's choice: what it makes is looked at.
void noteStrided(Engine &e);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_TENSORWRITES_H
