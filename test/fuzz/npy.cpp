// Arbitrary bytes as an npy file: an array that can be read, or a typed error.
#include "TensorBytes.h"

using namespace ptc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::Expected<HostTensor> array = parseNpy(fuzz::storageOf(data, size), "fuzz");
  if (array)
    return fuzz::touch(*array);
  fuzz::expectOnly(array.takeError(), {DiagId::NpyMalformed, DiagId::NpyElementType});
  return 0;
}
