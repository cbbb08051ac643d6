//===- Groups.h - Tiles by groups of four warps -------------------------*- C++ -*-===//
//
// Private to lib/Target/Cuda.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CUDA_GROUPS_H
#define PTC_LIB_TARGET_CUDA_GROUPS_H

#include "Tiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ptc::cuda {

/// Threads of a group.
inline constexpr int64_t kGroupThreads = 4 * kWarp;
/// Bytes of a panel of 64 rows of 128 bytes.
inline constexpr int64_t kPanelBytes = kPanel * kPanel * kHalf;
/// Rows of a warp of a group.
inline constexpr int64_t kWarpRows = kGroupRows / 4;

/// Tiles whose inputs come by tensor maps: a thread of one group asks for them, others multiply.
/// Shared memory has what comes, what results pass through on their way to memory, and barriers.
class GroupTiles : public HalfTiles {
public:
  /// `groups` multiply; `incoming` bytes are for inputs; `shares` blocks make a tile together.
  GroupTiles(const Step &step, const TiledProduct &product, int64_t groups, int64_t incoming,
             int64_t shares = 1)
      : HalfTiles(step, product), groups(groups), incoming(incoming), shares(shares) {}

  /// Of shared memory.
  int64_t bytes() const;
  /// Columns that pass shared memory together on their way to the results, of 16 rows of each warp,
  /// and their bytes, as f32.
  static int64_t stagedColumns(int64_t width);
  static int64_t stagedBytes(int64_t groups, int64_t width);

protected:
  virtual void initBarriers() = 0;
  virtual void bringTiles() = 0; ///< of one thread
  virtual void multiplyTiles() = 0;
  void begin() override;
  void emitTiles() override;

  mlir::scf::IfOp ifEqual(mlir::Value x, int64_t y, bool hasElse = false);
  mlir::Value word32(mlir::Value v);

  /// Number `first + i`.
  mlir::Value barrier(int64_t first, mlir::Value i);
  void initBarrier(mlir::Value barrier, int64_t arrivals);
  void await(mlir::Value barrier, mlir::Value phase);
  /// So many bytes will come, and it is complete then.
  void expect(mlir::Value barrier, int64_t bytes);
  /// Of a group: it has read what this barrier guards.
  void leave(mlir::Value barrier);
  /// Both groups come here by turns: `passTurn` lets the other one go on. The first of all turns is
  /// passed on by the second group.
  void awaitTurn();
  void passTurn();
  /// Of blocks that make a tile together: the number of this one.
  mlir::Value shareNumber();
  /// All their threads that are left come here before any goes on.
  void meetShares();
  /// {part, phase} of what follows in a ring.
  llvm::SmallVector<mlir::Value> nextOf(mlir::Value part, mlir::Value phase, int64_t parts);
  /// Asks for the box of a map that begins `at`, or, with `offsets`, for places of windows.
  void bringBox(mlir::Value to, size_t map, mlir::ValueRange at, mlir::Value barrier,
                mlir::ValueRange offsets = {});

  /// Each warp has 16 of the 64 rows from `rows` on, whose sums go through its shared memory some
  /// columns at a time.
  void computeResults(mlir::Value mine, mlir::Value rows, mlir::Value totals);

  mlir::ValueRange maps;
  mlir::Value group; ///< 0: it brings

private:
  mlir::Value sumOfShares(mlir::Type vector, mlir::Value place);
  /// Results of what the rows of a warp have in shared memory, of which `place` says where a group
  /// is: by its row, its number and the place in it.
  void finishStaged(llvm::function_ref<mlir::Value(mlir::Value, mlir::Value, mlir::Value)> place,
                    mlir::Value firstRow, mlir::Value firstColumn);

  int64_t groups, incoming, shares;
  mlir::Value results, areGroups;
};

} // namespace ptc::cuda

#endif // PTC_LIB_TARGET_CUDA_GROUPS_H
