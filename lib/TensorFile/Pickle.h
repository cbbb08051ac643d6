//===- Pickle.h - Data of a pickle, without running it ----------*- C++ -*-===//
#ifndef PTC_LIB_TENSORFILE_PICKLE_H
#define PTC_LIB_TENSORFILE_PICKLE_H

#include "ptc/TensorFile/Checkpoint.h"

#include "llvm/Support/Error.h"

#include <functional>

namespace ptc {

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
