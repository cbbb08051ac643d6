//===- Recomputed.h - What more than one kernel computes ----------------*- C++ -*-===//
#ifndef PTC_DIALECT_PLAN_IR_RECOMPUTED_H
#define PTC_DIALECT_PLAN_IR_RECOMPUTED_H

#include "llvm/ADT/StringRef.h"

namespace ptc::plan {

/// Of an operation on elements in a kernel: what it computes is computed elsewhere, too.
inline constexpr llvm::StringLiteral kRecomputedAttr = "plan.recomputed";

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_IR_RECOMPUTED_H
