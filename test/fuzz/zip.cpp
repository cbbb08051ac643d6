// Arbitrary bytes as a zip archive: members that can be unpacked, or an error with a text.
#include "ptc/TensorFile/Zip.h"

#include <cstdlib>

using namespace ptc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  for (bool mayBegin : {false, true}) {
    auto members = listZip(bytes, mayBegin);
    if (!members) {
      if (llvm::toString(members.takeError()).empty())
        std::abort();
      continue;
    }
    for (const ZipMember &member : *members) {
      if (member.size > 1 << 20)
        continue;
      auto unpacked = unpackZip(member);
      if (unpacked ? unpacked->size() != member.size : llvm::toString(unpacked.takeError()).empty())
        std::abort();
    }
  }
  return 0;
}
