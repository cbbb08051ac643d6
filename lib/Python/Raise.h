//===- Raise.h - Short ways to raise -*- C++ -*-===//
//
// One function per kind of exception, so that a refusal reads like the Python it stands for.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PYTHON_RAISE_H
#define PTC_LIB_PYTHON_RAISE_H

#include "ptc/Python/Result.h"

#include "llvm/ADT/Twine.h"

namespace ptc::py {

inline Raised valueError(const llvm::Twine &text) { return {ExcKind::ValueError, text.str()}; }
inline Raised typeError(const llvm::Twine &text) { return {ExcKind::TypeError, text.str()}; }
inline Raised indexError(const llvm::Twine &text) { return {ExcKind::IndexError, text.str()}; }
inline Raised overflowError(const llvm::Twine &text) {
  return {ExcKind::OverflowError, text.str()};
}
inline Raised zeroDivision(const llvm::Twine &text) {
  return {ExcKind::ZeroDivisionError, text.str()};
}
inline Raised limitExceeded(const llvm::Twine &what) { return {ExcKind::Limit, what.str()}; }

} // namespace ptc::py

#endif // PTC_LIB_PYTHON_RAISE_H
