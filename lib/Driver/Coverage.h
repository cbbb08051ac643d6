//===- Coverage.h - --require-total ---------------------------------*- C++ -*-===//
#ifndef PTC_LIB_DRIVER_COVERAGE_H
#define PTC_LIB_DRIVER_COVERAGE_H

#include "ptc/Symbolic/Guard.h"

namespace ptc {

/// `variants` as captured, before simplification merges where guards came from; not empty.
/// `declared`: what is said of sizes; `outside`: the calls among them that are not meant. Errors:
/// NotTotal with a call that no variant accepts, TotalNotDecided.
llvm::Error requireTotal(sym::ObservableSpace &space, llvm::ArrayRef<sym::GuardSet> variants,
                         const sym::GuardSet &declared, llvm::ArrayRef<sym::GuardSet> outside);

} // namespace ptc

#endif // PTC_LIB_DRIVER_COVERAGE_H
