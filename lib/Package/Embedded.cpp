//===- Embedded.cpp - Files that are part of ptc --------------------------------------===//
//
// In: files that the build made (their paths are given by CMake). Out: their bytes, which no cache
// of compilations may keep.
//
//===----------------------------------------------------------------------===//
#include "Embedded.h"

// NOLINTBEGIN(readability-identifier-naming): symbols of the assembler
#define PTC_EMBED(Name, Path)                                                                      \
  __asm__(".section .rodata\n.balign 16\n" #Name ":\n.incbin \"" Path "\"\n" #Name                 \
          "_end:\n.previous\n");                                                                   \
  extern "C" const char Name[], Name##_end[];
PTC_EMBED(ptc_embedded_stub, PTC_STUB_OBJECT)
PTC_EMBED(ptc_embedded_shown, PTC_SHOWN_OBJECT)
PTC_EMBED(ptc_embedded_main, PTC_MAIN_OBJECT)
PTC_EMBED(ptc_embedded_cuda, PTC_CUDA_OBJECT)
PTC_EMBED(ptc_embedded_libc, PTC_LIBC_STUB)
PTC_EMBED(ptc_embedded_libm, PTC_LIBM_STUB)
PTC_EMBED(ptc_embedded_libpthread, PTC_LIBPTHREAD_STUB)
PTC_EMBED(ptc_embedded_libdl, PTC_LIBDL_STUB)
// NOLINTEND(readability-identifier-naming)

static llvm::StringRef between(const char *begin, const char *end) {
  return {begin, size_t(end - begin)};
}
llvm::StringRef ptc::embedded::stub() { return between(ptc_embedded_stub, ptc_embedded_stub_end); }
llvm::StringRef ptc::embedded::shown() {
  return between(ptc_embedded_shown, ptc_embedded_shown_end);
}
llvm::StringRef ptc::embedded::program() {
  return between(ptc_embedded_main, ptc_embedded_main_end);
}
llvm::StringRef ptc::embedded::cuda() { return between(ptc_embedded_cuda, ptc_embedded_cuda_end); }
llvm::StringRef ptc::embedded::libc() { return between(ptc_embedded_libc, ptc_embedded_libc_end); }
llvm::StringRef ptc::embedded::libm() { return between(ptc_embedded_libm, ptc_embedded_libm_end); }
llvm::StringRef ptc::embedded::libpthread() {
  return between(ptc_embedded_libpthread, ptc_embedded_libpthread_end);
}
llvm::StringRef ptc::embedded::libdl() {
  return between(ptc_embedded_libdl, ptc_embedded_libdl_end);
}
