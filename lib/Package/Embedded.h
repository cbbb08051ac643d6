//===- Embedded.h - Files that are part of ptc ------------------------*- C++ -*-===//
#ifndef PTC_LIB_PACKAGE_EMBEDDED_H
#define PTC_LIB_PACKAGE_EMBEDDED_H

#include "llvm/ADT/StringRef.h"

namespace ptc::embedded {

llvm::StringRef stub();    ///< the object of lib/Runtime
llvm::StringRef shown();   ///< beside it: texts of tensors, for artefacts that print them
llvm::StringRef program(); ///< that of lib/Runtime/Main, for programs
llvm::StringRef cuda();    ///< that of lib/Runtime/Cuda, for programs on NVIDIA GPUs
/// Libraries that only say what artefacts may use of the real ones.
llvm::StringRef libc();
llvm::StringRef libm();
llvm::StringRef libpthread();
llvm::StringRef libdl(); ///< for artefacts that open drivers

} // namespace ptc::embedded

#endif // PTC_LIB_PACKAGE_EMBEDDED_H
