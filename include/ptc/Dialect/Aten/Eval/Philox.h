//===- Philox.h - Eager's CUDA generator as a value ---------------*- C++ -*-===//
//
// The state that `torch.manual_seed` sets for a GPU: a seed and an offset. A draw reads blocks of
// four words, of a stream per thread; which element gets which word follows from the grid of
// eager's kernels, so from the GPU. A plain value: copying it is saving the state.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_EVAL_PHILOX_H
#define PTC_DIALECT_ATEN_EVAL_PHILOX_H

#include <array>
#include <cstdint>

namespace ptc::aten {

using PhiloxBlock = std::array<uint32_t, 4>;

/// philox4x32_10 (Salmon, Moraes, Dror and Shaw 2011).
PhiloxBlock philox4x32(PhiloxBlock counter, std::array<uint32_t, 2> key);

/// What grids of eager's kernels depend on.
struct GridLimits {
  uint32_t processors = 132, threadsPerProcessor = 2048; ///< of an H100 and an H200
};

class Philox {
public:
  /// PyTorch's default seed of a new generator.
  explicit Philox(uint64_t seed = 67280421310721ULL, GridLimits limits = {})
      : seed(seed), limits(limits) {}

  /// Words 4 * number and on of a stream, which curand calls a subsequence.
  PhiloxBlock block(uint64_t stream, uint64_t number) const;

  uint64_t seed;
  uint64_t offset = 0; ///< words of each stream that are drawn: a multiple of 4
  GridLimits limits;
};

/// One kernel of eager's (ATen/native/cuda/DistributionTemplates.h: calc_execution_policy): `count`
/// elements, of which a thread makes `perBlock` of each block of words. Making it advances the
/// generator.
class PhiloxDraw {
public:
  PhiloxDraw(Philox &generator, int64_t count, int64_t perBlock);

  struct Place {
    PhiloxBlock words;
    unsigned component; ///< which of `perBlock`
  };
  /// Neighbours are of neighbouring threads, a block of words goes to elements a grid apart.
  Place at(int64_t element) const;
  /// Where each thread takes `width` neighbours at a time: a thread's turn takes whole blocks.
  Place atVector(int64_t element, int64_t width) const;

private:
  Philox start;
  int64_t threads, perBlock;
};

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_EVAL_PHILOX_H
