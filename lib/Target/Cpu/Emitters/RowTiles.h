//===- RowTiles.h - Operations that go on together, some rows at a time ---*- C++ -*-===//
//
// A softmax, a norm, attention: several passes over the same rows. Done for a few rows at a time,
// each pass finds in the cache what the one before it left there, and what lies between passes is
// small memory of one thread.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_ROWTILES_H
#define PTC_LIB_TARGET_CPU_EMITTERS_ROWTILES_H

#include "Isa.h"
#include "LoopBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

namespace ptc::cpu {

/// One operation of a group.
struct RowStep {
  mlir::linalg::GenericOp op;
  llvm::SmallVector<unsigned> loops; ///< which of its loops each loop of the rows is
  std::optional<unsigned> column;    ///< its loop that need not go beyond a tile's last row
};

/// All operations of a function, and the loops that they have in common: what one of them writes
/// in one turn of these, others read in the same turn alone.
struct RowGroup {
  llvm::SmallVector<RowStep> steps;
  /// Memory that some step writes: which of its dimensions each loop of the rows walks.
  llvm::MapVector<mlir::Value, llvm::SmallVector<unsigned>> written;
  llvm::DenseMap<mlir::Value, unsigned> columns; ///< of it: the dimension that these loops walk
  llvm::SmallVector<int64_t> sizes;              ///< of the loops; dynamic: known to the run
  llvm::SmallVector<int64_t> tile;               ///< turns of each that are taken together
};

/// The group that the operations of a function make, in order; none if they are no group, or if
/// all of its memory stays in the cache anyway. `forTeam`: there are tiles for many threads.
std::optional<RowGroup> findRowGroup(llvm::ArrayRef<mlir::linalg::GenericOp> ops, bool forTeam);

/// The memory between the steps; each thread gets its own.
llvm::SmallVector<mlir::memref::AllocOp> temporariesOf(const RowGroup &group);

/// A product that all tiles of rows read columns for, across the memory, reads copies that lie the
/// other way round. Gives the operations that make these, to be done before the group.
llvm::SmallVector<mlir::linalg::GenericOp> turnColumns(RowGroup &group);

/// Loops over tiles, shared by the team of `l`, with the steps on views of one tile in them; a
/// second such loop where tiles of another size are left over. Erases the group's operations and
/// memory; gives those of each loop, in order.
llvm::SmallVector<llvm::SmallVector<mlir::linalg::GenericOp>> emitRowTiles(LoopBuilder &l,
                                                                           RowGroup &group);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_ROWTILES_H
