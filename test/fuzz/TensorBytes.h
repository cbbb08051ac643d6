//===- TensorBytes.h - Bytes into a tensor file's parser --------*- C++ -*-===//
#ifndef PTC_TEST_FUZZ_TENSORBYTES_H
#define PTC_TEST_FUZZ_TENSORBYTES_H

#include "ptc/Support/Error.h"
#include "ptc/TensorFile/TensorFile.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace ptc::fuzz {

inline std::shared_ptr<TensorStorage> storageOf(const uint8_t *data, size_t size) {
  auto storage = std::make_shared<TensorStorage>(size);
  if (size)
    std::memcpy(storage->data(), data, size);
  return storage;
}

/// Stops the fuzzer on a diagnostic that is none of these.
inline void expectOnly(llvm::Error error, llvm::ArrayRef<DiagId> expected) {
  for (const Diagnostic &diag : takeDiagnostics(std::move(error)))
    if (!llvm::is_contained(expected, diag.id)) {
      llvm::errs() << diag.text << '\n';
      __builtin_trap();
    }
}

/// Reads every element, so that a view beyond its storage is found.
inline int touch(const HostTensor &tensor) {
  unsigned sum = 0;
  // An expanded view may have many more elements than the file has bytes.
  if (tensor.numel() <= int64_t(1) << 20) {
    HostTensor dense = tensor.contiguous();
    for (std::byte b : dense.contiguousBytes())
      sum += unsigned(b);
  }
  return sum == ~0U;
}

} // namespace ptc::fuzz

#endif // PTC_TEST_FUZZ_TENSORBYTES_H
