//===- TensorObjects.h - Parameters, and tensors that become others --------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_TENSOROBJECTS_H
#define PTC_LIB_CAPTURE_TENSOROBJECTS_H

#include "Engine.h"

namespace ptc::capture {

/// torch.nn.Parameter of a tensor: an object of its own that shares memory with it.
Value makeParameter(Engine &e, const Value &data, bool requiresGrad);

/// Whoever holds the first of a pair holds the second from now on; both are tensors, of which the
/// first is one object. Refused in a dict that cannot be looked up anew.
Flow replaceTensors(Engine &e, llvm::ArrayRef<std::pair<Value, Value>> pairs);

/// `tensor.name = value`. There are no gradients to drop; others than `grad`, `requires_grad` and
/// `data` are no attributes that are kept.
Value setTensorAttr(Engine &e, const Value &tensor, NameId name, const Value &value);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_TENSOROBJECTS_H
