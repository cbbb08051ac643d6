//===- Maps.h - Memory as tensor maps show it ---------------------------*- C++ -*-===//
//
// Private to lib/Target/Cuda.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CUDA_MAPS_H
#define PTC_LIB_TARGET_CUDA_MAPS_H

#include "Tiles.h"

#include "ptc/Runtime/Frame.h"

namespace ptc::cuda {

/// A number times sizes of dimensions of a memory, and the stride of one that the run knows.
struct Extent {
  int64_t factor = 1;
  llvm::SmallVector<unsigned> dimensions = {};
  std::optional<unsigned> stride = std::nullopt; ///< dimension

  Extent times(const Extent &other) const;
  bool operator==(const Extent &) const = default;
};

/// How the loops of a nest go through the memory of an input.
class Strides {
public:
  Strides(mlir::linalg::LinalgOp op, mlir::OpOperand &in);

  bool isKnown() const { return areKnown; }
  /// Whether a loop with more than one turn is a function of none of these.
  bool leavesAlone(llvm::ArrayRef<unsigned> loops) const;
  /// Elements between turns of these loops, of which the last is the innermost; none: they are
  /// not as far from each other everywhere, or have one turn.
  std::optional<Extent> ofAll(llvm::ArrayRef<unsigned> loops) const;

private:
  std::optional<std::pair<unsigned, int64_t>> dimensionOf(unsigned d) const;

  mlir::AffineMap map;
  llvm::SmallVector<int64_t> ranges;
  llvm::SmallVector<Extent> distances; ///< of the memory's dimensions
  bool areKnown = false;
};

/// On the host: writes `ptc_tensor_map`s of inputs of a nest, one behind the other.
class MapWriter {
public:
  MapWriter(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op, unsigned count);

  mlir::Value maps() const { return first; }
  /// What follows is the next map: of the memory of `in` from turn 0 of all loops on.
  void begin(mlir::linalg::LinalgOp op, mlir::OpOperand &in);
  /// A member of `ptc_tensor_map`; others are 0.
  void put(uint64_t member, mlir::Value v);
  void putWide(uint64_t member, int64_t v);
  void putWord(uint64_t member, int64_t v);
  /// Bytes between neighbours.
  void putPitch(uint64_t member, const Extent &elements);

private:
  mlir::ImplicitLocOpBuilder &b;
  mlir::Value first, memory;
  int64_t offset = -int64_t(sizeof(ptc_tensor_map));
};

/// Each for steps of its own; null: it is none of them.
std::unique_ptr<MappedKernel> findMappedProduct(const Step &step);
std::unique_ptr<MappedKernel> findMappedAttention(const Step &step);

/// Images, channels last, that windows go through. Numbers of columns come before those of rows.
struct MappedImages {
  int64_t channels;
  std::array<int64_t, 2> sizes, windows, steps, dilations;
  std::array<int64_t, 2> begins;  ///< places where the first windows begin, at most 0
  std::array<int64_t, 2> ends;    ///< where the last ones do, seen from the last place
  std::array<int64_t, 3> pitches; ///< elements between columns, rows, images
  std::optional<unsigned> image;  ///< loop of images; none: there is one
  std::array<unsigned, 2> places; ///< loops of the places of windows
};
/// An input of a product whose loops are three dimensions of its memory at most: the sum and its
/// own, one of which is the innermost, and those of the batch.
struct MappedInput {
  bool alongSum = false;            ///< neighbours are turns of the sum
  Extent pitch;                     ///< elements between turns of what is not the innermost
  std::optional<Extent> batchPitch; ///< none: it is the same for the whole batch
  /// Else the sum goes through the channels of a window, its own loops through its places.
  std::optional<MappedImages> images;
};
/// A product whose inputs come to shared memory by tensor maps.
struct MappedProduct {
  TiledProduct tiles;
  std::array<MappedInput, 2> inputs; ///< rows, columns
  int64_t groups;                    ///< of four warps that multiply
  /// Whether groups have tiles of their own: one multiplies while the other computes results. Else
  /// each has 64 rows of all tiles.
  bool byTurns;
  int64_t parts;      ///< of the ring
  int64_t shares = 1; ///< of the sum: blocks that make a tile together, one share each

  int64_t partBytes() const;
};
/// Its tensor maps are the last arguments of the function around it.
KernelShape emitMappedProduct(const Step &step, const MappedProduct &product);

} // namespace ptc::cuda

#endif // PTC_LIB_TARGET_CUDA_MAPS_H
