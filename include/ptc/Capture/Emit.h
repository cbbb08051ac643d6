//===- Emit.h - From a captured program to IR --------------------*- C++ -*-===//
#ifndef PTC_CAPTURE_EMIT_H
#define PTC_CAPTURE_EMIT_H

#include "ptc/Capture/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ptc::capture {

/// The module of one entry with one `program.variant` per program, in their order; they were
/// captured from the same entry and agree in states; `owner` is the one that holds the tape, top
/// block and literals of all. Loads the dialects it needs into `context`. Never fails: what capture
/// hands over is complete.
mlir::OwningOpRef<mlir::ModuleOp> emitModule(mlir::MLIRContext &context,
                                             llvm::ArrayRef<const Program *> variants,
                                             const Program &owner);

} // namespace ptc::capture

#endif // PTC_CAPTURE_EMIT_H
