//===- Embedded.cpp - The image of the prelude as a part of ptc ----------------------===//
//
// In: the file that ptc-bake has written. Out: its bytes, which no cache of compilations may keep.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringRef.h"

// NOLINTBEGIN(readability-identifier-naming): symbols of the assembler
__asm__(".section .rodata\n.balign 16\nptc_prelude_image:\n.incbin \"" PTC_PRELUDE_IMAGE "\"\n"
        "ptc_prelude_image_end:\n.previous\n");
extern "C" const char ptc_prelude_image[], ptc_prelude_image_end[];
// NOLINTEND(readability-identifier-naming)

namespace ptc::capture {
llvm::StringRef imageBytes();
} // namespace ptc::capture

llvm::StringRef ptc::capture::imageBytes() {
  return {ptc_prelude_image, size_t(ptc_prelude_image_end - ptc_prelude_image)};
}
