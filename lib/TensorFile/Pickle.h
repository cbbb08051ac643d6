//===- Pickle.h - Data of a pickle, without running it ----------*- C++ -*-===//
#ifndef PTC_LIB_TENSORFILE_PICKLE_H
#define PTC_LIB_TENSORFILE_PICKLE_H

#include "ptc/TensorFile/HostTensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
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
    List,
    Dict,
    Global,
    Storage,
    Tensor
  };
  Kind kind = Kind::None;
  DType storageType = DType::Float32; ///< Storage
  int64_t number = 0;                 ///< Bool, Int; Global: index of its row
  double real = 0;                    ///< Float
  llvm::StringRef text;               ///< String: a slice of the pickle
  std::vector<PickleRef> items;       ///< Tuple, List; Dict: key, value, key, value …
  std::shared_ptr<void> payload;      ///< Storage: a TensorStorage; Tensor: a HostTensor

  const HostTensor &tensor() const { return *static_cast<const HostTensor *>(payload.get()); }
};

struct Pickle {
  std::vector<PickleObject> objects;
  PickleRef root = 0;
};

/// What went wrong: the bytes are damaged, or they ask for something that is not on the list.
struct PickleFailure : llvm::ErrorInfo<PickleFailure> {
  static char ID;
  PickleFailure(bool refused, std::string text) : refused(refused), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  bool refused;
  std::string text;
};

/// Gives the bytes of storage `key`, or none if there is no such storage.
using StorageLookup = std::function<std::shared_ptr<TensorStorage>(llvm::StringRef key)>;

/// Interprets the opcodes that torch.save emits for state dicts (protocols 2 to 5 of CPython's
/// pickletools.py). Callables are rows of a table: dict, tensor, parameter. Iterative, bounded.
llvm::Expected<Pickle> readPickle(llvm::StringRef bytes, const StorageLookup &storages);

} // namespace ptc

#endif // PTC_LIB_TENSORFILE_PICKLE_H
