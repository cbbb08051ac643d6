//===- Checkpoint.h - What torch.save wrote, as data ----------------*- C++ -*-===//
//
// The objects of a checkpoint, of the kinds that `torch.load(weights_only=True)` gives: nothing in
// a file is ever executed. Tensors of one storage share it.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TENSORFILE_CHECKPOINT_H
#define PTC_TENSORFILE_CHECKPOINT_H

#include "ptc/TensorFile/HostTensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace ptc {

/// Index of an object in Pickle::objects. Objects may contain each other in cycles.
using PickleRef = uint32_t;

struct PickleObject {
  enum class Kind : uint8_t {
    None,
    Bool,
    Int,
    Float,
    String,
    Tuple,
    Size, ///< torch.Size
    List,
    Set,
    Dict,
    OrderedDict,
    DType,
    Device, ///< text
    Global,
    Storage,
    Tensor,
    Parameter ///< a Tensor as well
  };
  Kind kind = Kind::None;
  DType dtype = DType::Float32;   ///< Storage: of its elements; DType
  bool requiresGrad = false;      ///< Tensor, Parameter
  int64_t number = 0;             ///< Bool, Int; Global: index of its row
  double real = 0;                ///< Float
  llvm::StringRef text;           ///< String, Device; Storage, Tensor: "cpu", where it was saved
  std::vector<PickleRef> items;   ///< Tuple, Size, List, Set; of a dict: key, value, key, value …
  std::optional<PickleRef> state; ///< OrderedDict: a Dict of its attributes
  std::shared_ptr<void> payload;  ///< Storage: a TensorStorage; Tensor: a HostTensor

  bool isDict() const { return kind == Kind::Dict || kind == Kind::OrderedDict; }
  bool isTensor() const { return kind == Kind::Tensor || kind == Kind::Parameter; }
  const HostTensor &tensor() const { return *static_cast<const HostTensor *>(payload.get()); }
};

/// What a checkpoint holds; texts are slices of its file, which lives as long.
struct Pickle {
  std::vector<PickleObject> objects;
  PickleRef root = 0;
  std::shared_ptr<TensorStorage> file;
};

/// Reads what `torch.save(object, path)` wrote (zip form). Errors: FileNotReadable,
/// CheckpointMalformed, CheckpointRefused.
llvm::Expected<Pickle> readCheckpointObjects(llvm::StringRef path);

} // namespace ptc

#endif // PTC_TENSORFILE_CHECKPOINT_H
