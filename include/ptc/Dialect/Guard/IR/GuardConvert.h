//===- GuardConvert.h - Guard sets as IR and back -------------------*- C++ -*-===//
#ifndef PTC_DIALECT_GUARD_IR_GUARDCONVERT_H
#define PTC_DIALECT_GUARD_IR_GUARDCONVERT_H

#include "ptc/Dialect/Guard/IR/Guard.h"
#include "ptc/Symbolic/Guard.h"

#include "mlir/IR/Builders.h"

namespace ptc::guard {

/// A `guard.set` for `variant` at the builder's place, with all guards of `set` in order.
SetOp emitGuards(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef variant,
                 const sym::ObservableSpace &space, const sym::GuardSet &set);

/// The guards of `op`; its observables get symbols of `space`. Fails with an error on an operation
/// that is not integer arithmetic on observables, or that does not fit.
mlir::FailureOr<sym::GuardSet> readGuards(SetOp op, sym::ObservableSpace &space);

} // namespace ptc::guard

#endif // PTC_DIALECT_GUARD_IR_GUARDCONVERT_H
