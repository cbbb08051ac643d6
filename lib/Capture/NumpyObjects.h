//===- NumpyObjects.h - Arrays and scalars of numpy among torch's arguments -----*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_NUMPYOBJECTS_H
#define PTC_LIB_CAPTURE_NUMPYOBJECTS_H

#include "Engine.h"

namespace ptc::capture {

/// Is it an array or a scalar of lib/Prelude/numpy, or a list or tuple that holds one?
bool holdsNumpyObject(Engine &e, const Value &given);
/// torch.tensor() of such, with arguments by name.
Value tensorOfNumpyObjects(Engine &e, const Value &data, std::vector<Value> named,
                           ReturnAction action);
/// The Python number that a scalar of numpy is; absent of anything else.
Value numberOfNumpy(Engine &e, const Value &given);
/// The tensor whose memory an array of numpy is; absent of anything else.
Value tensorOfNumpy(Engine &e, const Value &given);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_NUMPYOBJECTS_H
