//===- Tiles.h - What emitters of tiles share ---------------------------*- C++ -*-===//
//
// Private to lib/Target/Cuda.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CUDA_TILES_H
#define PTC_LIB_TARGET_CUDA_TILES_H

#include "Kernels.h"

namespace ptc::cuda {

/// One of the inputs, as a block sees it.
struct TileSide {
  mlir::OpOperand *operand;
  llvm::ArrayRef<unsigned> loops; ///< parallel ones that are its own
  mlir::Value extent;             ///< turns of these loops
  mlir::Value first;              ///< turn where the tile begins
  bool alongSum;                  ///< neighbours in memory are turns of the sum
};

/// Goes through tiles; who derives from it makes one.
class TileEmitter {
public:
  TileEmitter(const Step &step, const TiledProduct &product);
  virtual ~TileEmitter() = default;
  void emit();

protected:
  /// Called once, in front of all tiles.
  virtual void begin() = 0;
  virtual void emitTile() = 0;

  mlir::Value constant(int64_t v);
  /// Whether the turns of a side end where a tile does.
  bool isWhole(const TileSide &side);
  /// Whether this turn of a side and this turn of the sum, of which the first is whole or not,
  /// exist.
  mlir::Value exists(const TileSide &side, mlir::Value turn, mlir::Value step);
  /// The place of an input's element.
  llvm::SmallVector<mlir::Value> place(const TileSide &side, mlir::Value turn, mlir::Value step);
  /// Stores the results that this thread has: in these rows and columns of the tile.
  void finish(llvm::ArrayRef<mlir::Value> rows, llvm::ArrayRef<mlir::Value> columns,
              llvm::function_ref<mlir::Value(size_t row, size_t column)> total);

  const Step &step;
  Flow flow;
  mlir::linalg::LinalgOp op;
  const TiledProduct &product;
  mlir::ImplicitLocOpBuilder b;
  llvm::SmallVector<mlir::Value> sizes;
  mlir::Type type; ///< of sums
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value thread, depth;
  TileSide sides[2];

private:
  TileSide makeSide(mlir::OpOperand *operand, llvm::ArrayRef<unsigned> loops);
  void beginTile(mlir::Value number);
  void store(mlir::ValueRange indices, mlir::Value total);
  mlir::Value computeEnd(mlir::linalg::LinalgOp end, mlir::OpOperand &read,
                         llvm::ArrayRef<mlir::Value> turns, mlir::Value number);
};

/// By multiply-adds of single numbers, f32 and f64.
std::unique_ptr<TileEmitter> makeFmaTiles(const Step &step, const TiledProduct &product);

/// By matrix instructions, for f16 and bf16 (PTX ISA, mma.sync m16n8k16).
std::unique_ptr<TileEmitter> makeMatrixTiles(const Step &step, const TiledProduct &product);
/// Bytes of shared memory, given at launch.
uint32_t matrixTileBytes(int64_t size);

} // namespace ptc::cuda

#endif // PTC_LIB_TARGET_CUDA_TILES_H
