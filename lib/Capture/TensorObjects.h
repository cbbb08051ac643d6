//===- TensorObjects.h - Parameters, and tensors that become others --------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_TENSOROBJECTS_H
#define PTC_LIB_CAPTURE_TENSOROBJECTS_H

#include "Engine.h"

#include "llvm/ADT/DenseSet.h"

namespace ptc::capture {

/// torch.nn.Parameter of a tensor: an object of its own that shares memory with it.
Value makeParameter(Engine &e, const Value &data, bool requiresGrad);

/// Which objects hold tensors of a storage. To ask again costs what has changed since.
class TensorHolders {
public:
  /// By id: all that do, and maybe some that did.
  std::vector<ObjectId> holdersOf(Heap &heap, llvm::ArrayRef<ObjectId> storages);

private:
  void update(Heap &heap);
  llvm::DenseMap<ObjectId, llvm::SmallVector<ObjectId, 2>> holders; ///< by storage
  llvm::DenseSet<std::pair<ObjectId, ObjectId>> known;              ///< the same as pairs
};

/// Whoever holds the first of a pair holds the second from now on; both are tensors, of which the
/// first is one object. Refused in a dict that cannot be looked up anew.
Flow replaceTensors(Engine &e, llvm::ArrayRef<std::pair<Value, Value>> pairs);

/// `tensor.name = value`. There are no gradients to drop; names that torch.Tensor has not are kept
/// beside the tensor while modules are imported and objects are made.
Value setTensorAttr(Engine &e, const Value &tensor, NameId name, const Value &value);
/// What the program gave a tensor under this name; absent: nothing.
Value givenTensorAttr(Engine &e, const Value &tensor, NameId name);
bool hasGivenAttrs(Engine &e, const Value &tensor);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_TENSOROBJECTS_H
