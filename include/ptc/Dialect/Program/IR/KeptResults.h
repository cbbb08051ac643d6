//===- KeptResults.h - Results that are state of the program ------*- C++ -*-===//
#ifndef PTC_DIALECT_PROGRAM_IR_KEPTRESULTS_H
#define PTC_DIALECT_PROGRAM_IR_KEPTRESULTS_H

#include "ptc/Dialect/Program/IR/Program.h"

namespace ptc::program {

/// Of a program.place, without a value: its contents are in eager state of the program that later
/// calls write in place, or may write where they get it as an argument. Callers have a copy, which
/// is not to be such an argument.
inline constexpr llvm::StringLiteral kKeptAttr = "kept";

/// The leaves that show what such a place holds.
llvm::SmallVector<uint32_t> keptLeaves(EndOp end);

} // namespace ptc::program

#endif // PTC_DIALECT_PROGRAM_IR_KEPTRESULTS_H
