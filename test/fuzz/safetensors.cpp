// Arbitrary bytes as a safetensors file: views that can be read, or a typed error.
#include "TensorBytes.h"

using namespace ptc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto tensors = parseSafetensors(fuzz::storageOf(data, size), "fuzz");
  if (!tensors) {
    fuzz::expectOnly(tensors.takeError(),
                     {DiagId::SafetensorsMalformed, DiagId::SafetensorsElementType});
    return 0;
  }
  int odd = 0;
  for (const NamedTensor &named : *tensors)
    odd += fuzz::touch(named.tensor);
  return odd == -1;
}
