//===- Team.h - Kernels that threads run together -----------------------*- C++ -*-===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_TEAM_H
#define PTC_LIB_TARGET_CPU_EMITTERS_TEAM_H

#include "Isa.h"
#include "LoopBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ptc::cpu {

/// Of a kernel's function: seconds that a call takes one thread, as its plan's cost says.
inline constexpr llvm::StringLiteral kSecondsAttr = "ptc.seconds";
/// Some of its sizes only the run knows: the seconds are those of sizes as they often are.
inline constexpr llvm::StringLiteral kTypicalAttr = "ptc.typical";
/// The function is for a team: it takes TeamArguments behind its others.
inline constexpr llvm::StringLiteral kTeamAttr = "ptc.team";

/// Last arguments of a function for a team.
struct TeamArguments {
  mlir::Value thread, num; ///< i32: which thread this is, of how many
  mlir::Value barrier;     ///< the service of that name
};

/// An estimate of what one operation of a body costs, in cycles per vector.
double operationCycles(mlir::Operation &op);
/// An estimate of what one turn of a body costs, in cycles per vector.
double bodyCycles(mlir::Block &body);

/// Whether threads can run the function together: its operations come one after the other, on
/// memory that all of them see; `apart`: memory of which each will have its own.
bool suitsTeam(mlir::func::FuncOp function, llvm::ArrayRef<mlir::memref::AllocOp> apart);

/// Adds the arguments.
TeamArguments addTeamArguments(mlir::func::FuncOp function);
/// Those of a function for a team.
TeamArguments teamArgumentsOf(mlir::func::FuncOp function);

/// Waits there for all threads.
void emitBarrier(LoopBuilder &l, const TeamArguments &team);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_TEAM_H
