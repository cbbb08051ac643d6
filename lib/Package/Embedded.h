//===- Embedded.h - Files that are part of ptc ------------------------*- C++ -*-===//
#ifndef PTC_LIB_PACKAGE_EMBEDDED_H
#define PTC_LIB_PACKAGE_EMBEDDED_H

#include "llvm/ADT/StringRef.h"

namespace ptc::embedded {

llvm::StringRef stub();    ///< the object of lib/Runtime
llvm::StringRef shown();   ///< beside it: texts of tensors, for artefacts that print them
llvm::StringRef program(); ///< that of lib/Runtime/Main, for programs
/// Libraries that only say what artefacts may use of the real ones.
llvm::StringRef libc();
llvm::StringRef libm();

} // namespace ptc::embedded

#endif // PTC_LIB_PACKAGE_EMBEDDED_H
