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
  int64_t tile;                   ///< turns of these loops in a tile
  mlir::Value extent;             ///< turns of these loops
  mlir::Value first;              ///< turn where the tile begins
  bool alongSum;                  ///< neighbours in memory are turns of the sum
};

/// What a size is taken for that only the run knows.
inline constexpr int64_t kTypicalSize = 256;
/// Turns of these loops, of all loops together.
int64_t extentOf(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loops);
int64_t extentOf(mlir::linalg::LinalgOp op);
/// Bytes of an element of the inputs of a product that matrix instructions make.
int64_t elementBytesOf(const TiledProduct &product);
/// Whether the body adds the product of both inputs to the result.
bool isSumOfProducts(mlir::linalg::LinalgOp op);
/// Whether neighbours in the memory of an input with its own `loops` are turns of the sum.
bool isAlongSum(mlir::linalg::LinalgOp op, const TiledProduct &product, mlir::OpOperand *operand,
                llvm::ArrayRef<unsigned> loops);
/// The memory that is seen through views of the same order.
mlir::Value seenThrough(mlir::Value memory);
/// For each dimension of what views of the same order show, that of the memory.
llvm::SmallVector<unsigned> dimensionsThrough(mlir::Value view);
/// The operand by which each turn of `op` gets one element of `memory`, and each element goes to
/// one turn, which writes one element; null: it is not so.
mlir::OpOperand *findRead(mlir::linalg::LinalgOp op, mlir::Value memory);
/// The place of what `next` writes, where `place` is that of what it gets by `read`.
mlir::AffineMap placeBehind(mlir::linalg::LinalgOp next, mlir::OpOperand &read,
                            mlir::AffineMap place);
/// Of a product: the loop along which its results lie at last.
inline constexpr llvm::StringLiteral kAlongAttr = "ptc.along";
/// Whether it fills `memory` with one number.
bool fills(mlir::linalg::LinalgOp op, mlir::Value memory);

/// Goes through tiles; who derives from it makes one.
class TileEmitter {
public:
  TileEmitter(const Step &step, const TiledProduct &product);
  virtual ~TileEmitter() = default;
  void emit();

protected:
  /// Called once, in front of all tiles.
  virtual void begin() = 0;
  /// What the threads of a block do: one tile after the other.
  virtual void emitTiles();
  virtual void emitTile() {}
  /// A loop over the tiles of this block, in the order of their numbers: `body` makes the one that
  /// `sides` and `indices` name, with what the one before carries on to it.
  /// `first`, `step`: of the numbers; null: those of the block.
  void forTiles(mlir::Value first, mlir::Value step, mlir::ValueRange carried,
                llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)> body);

  /// `sides` and `indices` name the tile with this number.
  void beginTile(mlir::Value number);

  mlir::Value constant(int64_t v);
  /// Whether the turns of a side end where a tile does.
  bool isWhole(const TileSide &side);
  /// Whether this turn of a side and this turn of the sum, of which the first is whole or not,
  /// exist.
  mlir::Value exists(const TileSide &side, mlir::Value turn, mlir::Value step);
  /// Turns of all loops.
  llvm::SmallVector<mlir::Value> turnsAt(const TileSide &side, mlir::Value turn, mlir::Value step);
  /// The place of an input's element.
  llvm::SmallVector<mlir::Value> place(const TileSide &side, mlir::Value turn, mlir::Value step);
  /// A result on its way to memory.
  struct Result {
    mlir::Value number, memory;
    llvm::SmallVector<mlir::Value> place;
  };
  /// What becomes of a sum in the turn at `indices`.
  Result resultAt(mlir::ValueRange indices, mlir::Value total);
  /// Visits what there is in these rows and columns of the tile: the turn, which row, which column.
  void visit(llvm::ArrayRef<mlir::Value> rows, llvm::ArrayRef<mlir::Value> columns,
             llvm::function_ref<void(mlir::ValueRange indices, size_t row, size_t column)> use);
  /// Stores the results that this thread has: in these rows and columns of the tile.
  void finish(llvm::ArrayRef<mlir::Value> rows, llvm::ArrayRef<mlir::Value> columns,
              llvm::function_ref<mlir::Value(size_t row, size_t column)> total);

  /// What a nest makes of `number`, which it gets by `read`.
  mlir::Value computeEnd(mlir::linalg::LinalgOp end, mlir::OpOperand &read,
                         llvm::ArrayRef<mlir::Value> turns, mlir::Value number);
  /// Called in front of what becomes of results in a row of the tile.
  virtual void atRow(mlir::Value row) {}

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
  llvm::DenseMap<mlir::Value, mlir::Value> known; ///< elements of memory that nobody writes
  /// What operands of ends have in the present turn.
  llvm::DenseMap<mlir::OpOperand *, mlir::Value> present;
  /// Visits operands that ends read beside the results: the place of what they read, as a function
  /// of the product's loops. Gives that of the last results, and their memory.
  std::pair<mlir::AffineMap, mlir::Value>
  followEnds(llvm::function_ref<void(mlir::OpOperand &, mlir::AffineMap)> use);

private:
  TileSide makeSide(mlir::OpOperand *operand, llvm::ArrayRef<unsigned> loops, int64_t tile);
};

/// By multiply-adds of single numbers, f32 and f64.
std::unique_ptr<TileEmitter> makeFmaTiles(const Step &step, const TiledProduct &product);

/// By threads that share each sum, for a product with a narrow side.
std::unique_ptr<TileEmitter> makeNarrowTiles(const Step &step, const TiledProduct &product);
/// `product`, of which sides and loops are known, as such a one; none: it has no narrow side, or is
/// too small.
std::optional<TiledProduct> findNarrowProduct(mlir::linalg::LinalgOp op, TiledProduct product);

/// By matrix instructions of a warp, for f16 and bf16 (PTX ISA, mma.sync m16n8k16), and for f32
/// that may be as exact as tf32 (m16n8k8).
std::unique_ptr<TileEmitter> makeMatrixTiles(const Step &step, const TiledProduct &product);
/// By those of four warps (PTX ISA, wgmma.mma_async m64n128k16), where `fitsWarpgroups`.
std::unique_ptr<TileEmitter> makeWarpgroupTiles(const Step &step, const TiledProduct &product);
bool fitsWarpgroups(mlir::linalg::LinalgOp op, const TiledProduct &product);
/// Bytes of shared memory for them, given at launch.
uint32_t ringBytes(const TiledProduct &product);
uint32_t warpgroupRingBytes();

/// Elements of f16 and bf16 that an access to memory brings to the ring, which are also the results
/// that are written together; bytes of each.
inline constexpr int64_t kGroup = 8, kHalf = 2;
/// Rows of a matrix instruction of four warps, and turns of its sum.
inline constexpr int64_t kGroupRows = 64, kGroupTurns = 16;
/// Elements of f16 and bf16 that 128 bytes hold, in which their shared memory has groups of bytes
/// exchanged.
inline constexpr int64_t kPanel = 64;

/// Bytes of shared memory that a block has on GPUs with tensor maps; of the ring, the most parts
/// and the barriers behind it.
inline constexpr int64_t kMostShared = 232448, kMostMapped = 8, kBarrierBytes = 256;
/// Products with fewer rows or columns have no use for tensor maps.
inline constexpr int64_t kSmallestMapped = 32;

/// Tiles by matrix instructions, of f16 or bf16, or of f32 as tf32.
class HalfTiles : public TileEmitter {
public:
  using TileEmitter::TileEmitter;

protected:
  void begin() override;
  void put(mlir::Value group, mlir::Value at);
  /// The byte of shared memory that is so far from its beginning.
  mlir::Value sharedAt(mlir::Value bytes);
  /// The one so far behind `pointer`.
  mlir::Value bytesBehind(mlir::Value pointer, mlir::Value bytes);
  mlir::Value bytesBehind(mlir::Value pointer, int64_t bytes);
  /// Bytes of an element of the inputs, and elements that an access brings.
  int64_t elementBytes() const { return element.getIntOrFloatBitWidth() / 8; }
  int64_t inAccess() const { return kWideAccess / elementBytes(); }
  /// Turns of the sum that 128 bytes of an input have, where it lies along.
  int64_t inPanel() const { return kPanel * kHalf / elementBytes(); }

  mlir::Value word(int64_t v);
  mlir::Value add(mlir::Value x, int64_t y);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value times(mlir::Value x, int64_t y);
  mlir::Value over(mlir::Value x, int64_t y);
  mlir::Value modulo(mlir::Value x, int64_t y);

  /// Describes shared memory, so many bytes from its beginning, for matrix instructions of four
  /// warps. `panel`: 16-byte units between panels of 64 elements of what lies across the sum.
  mlir::Value describeShared(mlir::Value bytes, int64_t panel = 1);
  /// Begins to add products of 64 rows and the next 128 bytes of turns to `sums`, the results of a
  /// matrix instruction. `alongSum`: neighbours of rows, of columns are turns of the sum, as those
  /// of tf32 have to be; `isFirst`: what `sums` holds is of no account.
  mlir::Value multiplyGroup(mlir::Value rows, mlir::Value columns, mlir::Value sums,
                            std::array<bool, 2> alongSum, bool isFirst = false);
  /// As `multiplyGroup`, for rows that registers have: four words for each 16 turns. Columns lie
  /// across the sum.
  mlir::Value multiplyOwn(llvm::ArrayRef<mlir::Value> rows, mlir::Value columns, mlir::Value sums);

  /// Memory that gets the results by whole groups; null: they lie otherwise.
  mlir::Value groupedResults();
  /// What becomes of the sums of a group of columns of a row of the tile goes to memory.
  /// `areGroups`: whether it can be written by groups, null: it lies otherwise.
  void finishGroup(mlir::Value row, mlir::Value column, mlir::Value sums, mlir::Value memory,
                   mlir::Value areGroups);

  /// Sums of neighbour columns of a row of the tile.
  struct GroupOfSums {
    mlir::Value row, column, sums;
  };
  /// As `finishGroup` for several of them, where `areWhole`: what they read is on its way before
  /// the first is computed.
  void finishGroups(llvm::ArrayRef<GroupOfSums> groups, mlir::Value memory);
  /// Whether there are so many rows and columns from these on, and all that is read and written
  /// there can be so by groups.
  mlir::Value areWhole(mlir::Value row, int64_t rows, mlir::Value column, int64_t columns,
                       mlir::Value areGroups);

  /// Operands of ends that come by whole groups; asks whether their memory is aligned.
  void findReads();

  mlir::Type element;
  mlir::Value ring, lane;
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::AffineMap>> reads;
  mlir::Value areReadsAligned;

private:
  /// What ends read beside the sums of a group of columns that begins with this turn.
  llvm::SmallVector<mlir::Value> loadReads(llvm::ArrayRef<mlir::Value> turn);
  llvm::SmallVector<mlir::Value> loadGroups(llvm::ArrayRef<mlir::Value> turn, bool areWide);
  /// What becomes of a group whose first column is in the turn `at`, with what is read beside it.
  Result computeGroup(const GroupOfSums &sums, llvm::ArrayRef<mlir::Value> at,
                      mlir::ValueRange read);
  void storeResults(mlir::Value memory, mlir::ValueRange place, mlir::Value group,
                    mlir::Value isAligned);
};

/// Parts of both inputs come to a ring of parts of shared memory, 16 bytes at a time and without
/// passing registers where neighbours in memory allow it.
class RingTiles : public HalfTiles {
public:
  /// `turns` of the sum are in each part.
  RingTiles(const Step &step, const TiledProduct &product, int64_t parts, int64_t turns)
      : HalfTiles(step, product), parts(parts), turns(turns) {}

protected:
  void begin() override;
  /// Bytes of a side in a part, and where an element is in them.
  virtual int64_t sideBytes() const = 0;
  virtual mlir::Value placeInSide(unsigned s, mlir::Value inTile, mlir::Value inDepth) = 0;
  /// Bytes between the lines of a side: what lies along the sum has turns of its own below each
  /// other, what lies across has those of the sum.
  virtual int64_t lineBytes(unsigned s) const = 0;
  /// The ring gets its first parts.
  void fillRing(int64_t count);
  /// Begins to bring what a part gets, of turns from `from` on; what passes registers comes back.
  llvm::SmallVector<mlir::Value> fetch(mlir::Value from, mlir::Value part);
  void settle(llvm::ArrayRef<mlir::Value> held, mlir::Value part);
  /// Where an element lies, in shared memory, or what is so many bytes behind it: in an access
  /// these take no register.
  mlir::Value placeInRing(unsigned s, mlir::Value part, mlir::Value inTile, mlir::Value inDepth,
                          int64_t behind = 0);
  /// Bytes in front of a side of a part.
  mlir::Value offsetInRing(unsigned s, mlir::Value part);

  using PointerTo = llvm::function_ref<mlir::Value(mlir::Value alongSide, mlir::Value alongSum)>;
  /// Four matrices of 8 rows of 16 bytes along the sum, operands of matrix instructions: two along
  /// the side and two along the sum. `isCrossed`: they lie across the sum; `sideFirst`: which two
  /// are neighbours in the result; `pointer`: to an element, by where it is from the first one.
  llvm::SmallVector<mlir::Value> loadMatrices(bool isCrossed, bool sideFirst, PointerTo pointer);
  /// Adds the product of matrices of 16 rows and 8 columns of 32 bytes along the sum to four sums.
  void multiplyAdd(mlir::ValueRange row, mlir::ValueRange column,
                   llvm::MutableArrayRef<mlir::Value> sums);
  /// As an operand of instructions for tf32, which do not look at the last 13 bits.
  mlir::Value roundToTf32(mlir::Value number);
  /// A group without a detour through registers; 0 where nothing is there.
  void bringGroup(mlir::Value memory, mlir::ValueRange place, mlir::Value isThere, mlir::Value to);

  /// As `finish`, through shared memory and by whole groups where the results lie so.
  void finishInGroups(llvm::ArrayRef<mlir::Value> rows, llvm::ArrayRef<mlir::Value> columns,
                      llvm::function_ref<mlir::Value(size_t row, size_t column)> total);

  /// Lines between those of a side that a thread brings groups of.
  int64_t linesBetween(const TileSide &side) const;

  int64_t parts, turns;

private:
  int64_t groupsInLine(const TileSide &side) const;
  /// What this thread brings: {turn within the tile, turn of the sum} of the first element; the
  /// other groups lie below it.
  std::pair<mlir::Value, mlir::Value> firstGroup(const TileSide &side);
  int64_t numGroups() const;
  int64_t bytesBetween(unsigned s) const;
  mlir::Value gather(const TileSide &side, mlir::Value turn, mlir::Value step);
  /// The same number; what is computed of it in a loop is not computed in front of it.
  mlir::Value anew(mlir::Value number);
  void bring(unsigned s, mlir::Value turn, mlir::Value step, mlir::Value to);
  bool isWide[2];
  mlir::Value isAligned; ///< both inputs, where they are wide
};

} // namespace ptc::cuda

#endif // PTC_LIB_TARGET_CUDA_TILES_H
