//===- Prelude.h - Python modules that are embedded in ptc ------*- C++ -*-===//
#ifndef PTC_CAPTURE_PRELUDE_H
#define PTC_CAPTURE_PRELUDE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ptc::capture {

/// A module of lib/Prelude, compiled when ptc was built.
struct PreludeModule {
  llvm::StringRef name; ///< "builtins", "torch.nn"
  bool isPackage;
  llvm::StringRef bytes; ///< .pyc
};

/// Null if there is none.
const PreludeModule *findPreludeModule(llvm::StringRef name);
llvm::ArrayRef<PreludeModule> getPreludeModules();

} // namespace ptc::capture

#endif // PTC_CAPTURE_PRELUDE_H
