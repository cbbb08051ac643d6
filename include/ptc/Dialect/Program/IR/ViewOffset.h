//===- ViewOffset.h - Where a view begins -------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PROGRAM_IR_VIEWOFFSET_H
#define PTC_DIALECT_PROGRAM_IR_VIEWOFFSET_H

#include "llvm/ADT/StringRef.h"

namespace ptc::program {

/// On a program.view, or the part of a program.scatter, that begins, in all calls, so many elements
/// behind its base: an expression over sizes of inputs, as text. With it the type of the result
/// says all that its steps do.
inline constexpr llvm::StringLiteral kViewOffsetAttr = "program.offset";

/// On a program.scatter, beside that: strides of the part in its base, as texts.
inline constexpr llvm::StringLiteral kPartStridesAttr = "program.strides";

} // namespace ptc::program

#endif // PTC_DIALECT_PROGRAM_IR_VIEWOFFSET_H
