// Arbitrary bytes as a safetensors file: views that can be read, or a typed error.
#include "ptc/Support/Error.h"
#include "ptc/TensorFile/TensorFile.h"

#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace ptc;
  auto storage = std::make_shared<TensorStorage>(size);
  if (size)
    std::memcpy(storage->data(), data, size);
  llvm::Expected<std::vector<NamedTensor>> tensors = parseSafetensors(storage, "fuzz");
  if (!tensors) {
    for (const Diagnostic &diag : takeDiagnostics(tensors.takeError()))
      if (diag.id != DiagId::SafetensorsMalformed && diag.id != DiagId::SafetensorsElementType)
        __builtin_trap();
    return 0;
  }
  unsigned sum = 0;
  for (const NamedTensor &named : *tensors)
    for (std::byte b : named.tensor.contiguousBytes())
      sum += unsigned(b);
  return sum == ~0U;
}
