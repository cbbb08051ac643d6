//===- Guards.h - Dispatch as generated code ---------------------------*- C++ -*-===//
#ifndef PTC_TARGET_CPU_GUARDS_H
#define PTC_TARGET_CPU_GUARDS_H

#include "ptc/Symbolic/CallStructure.h"

#include "mlir/IR/Builders.h"

namespace ptc::cpu {

/// What the dispatch function of an entry is made of.
struct DispatchRequest {
  const sym::ObservableSpace &space;
  llvm::ArrayRef<sym::GuardSet> variants;
  llvm::ArrayRef<sym::CallStructure> structures;
  llvm::StringRef function; ///< its name: `int32_t function(const ptc_frame *)`
  llvm::StringRef entry;    ///< symbol of the entry's ptc_entry, for what the stub reads
};

/// Emits the dispatch function in the LLVM dialect at the builder's place, at module level: the
/// variant whose guards hold, as sym::DecisionTree has it, else -1. Reads the frame as Frame.h lays
/// it out; no memory behind an argument is touched before the guards have shown that it is there.
void emitDispatch(mlir::OpBuilder &builder, mlir::Location loc, const DispatchRequest &request);

} // namespace ptc::cpu

#endif // PTC_TARGET_CPU_GUARDS_H
