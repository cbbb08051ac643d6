//===- Refused.h - Why an operation is no kernel -------------------*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_REFUSED_H
#define PTC_DIALECT_ATEN_IR_REFUSED_H

#include "llvm/ADT/StringRef.h"

namespace ptc::aten {

/// On an operation that lowering to kernels has left: what it does not take, as text. Whoever needs
/// a kernel of it says so.
inline constexpr llvm::StringLiteral kRefusedAttr = "ptc.refused";

/// On the first operation of a body that does not take complex numbers by their parts: why the body
/// has complex tensors still.
inline constexpr llvm::StringLiteral kOfComplexAttr = "ptc.of_complex";

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_REFUSED_H
