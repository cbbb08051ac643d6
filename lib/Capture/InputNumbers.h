//===- InputNumbers.h - Numbers among the entry's arguments -------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_INPUTNUMBERS_H
#define PTC_LIB_CAPTURE_INPUTNUMBERS_H

#include "Engine.h"

#include "ptc/Symbolic/Guard.h"

namespace ptc::capture {

/// `a op b` is `b mirrored(op) a`.
CompareOp mirrored(CompareOp op);
/// A size, or a constant that can be one; and which.
bool isSizeOperand(const Value &v);
sym::Expr sizeOf(Engine &e, const Value &v);
TapeOp comparisonOf(CompareOp op);
sym::Relation relationOf(CompareOp op);
/// A comparison of a float argument with a constant, decided by the example, with a guard; none:
/// the operands are others.
std::optional<bool> guardFloat(Engine &e, CompareOp op, const Value &a, const Value &b);

/// What the algebra of sizes proves of a comparison.
std::optional<bool> proven(sym::Context &sizes, CompareOp op, sym::Expr a, sym::Expr b);
/// The same from all that this capture has decided, without a guard.
std::optional<bool> provenSizes(Engine &e, CompareOp op, sym::Expr a, sym::Expr b);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_INPUTNUMBERS_H
