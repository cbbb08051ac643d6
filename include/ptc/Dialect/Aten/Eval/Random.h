//===- Random.h - Eager's CPU generator as a value ----------------*- C++ -*-===//
//
// The state that `torch.manual_seed` sets for the CPU: a Mersenne Twister and the second sample of
// the last Box-Muller pair. A plain value: copying it is saving the state.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_ATEN_EVAL_RANDOM_H
#define PTC_DIALECT_ATEN_EVAL_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ptc::aten {

/// mt19937 (Matsumoto and Nishimura 1998) with PyTorch's seeding and its cached normals.
class Mt19937 {
public:
  /// 5489 is mt19937's own default; PyTorch's default generator starts with 67280421310721.
  explicit Mt19937(uint64_t seed = 67280421310721ULL);

  uint32_t random32();
  /// Two 32-bit draws, the first in the upper half.
  uint64_t random64();

  /// Second samples kept from the last pair of normals; each is used once.
  std::optional<double> nextDoubleNormal;
  std::optional<float> nextFloatNormal;

private:
  void refill();

  std::array<uint32_t, 624> state;
  uint32_t next = 0; ///< index of the next number in `state`; 624: refill first
};

/// How closely a random operation follows eager for the same seed.
enum class RandomFidelity : uint8_t {
  Exact,   ///< the same bits
  Ulp,     ///< the same draws; values differ in the last places of vectorised log, sin and cos
  Refused, ///< eager's numbers cannot be had; evaluating it is an error
};

struct RandomRow {
  llvm::StringLiteral op; ///< base name
  RandomFidelity fidelity;
  llvm::StringLiteral how;
};

/// One row per random base name, found by comparison with LibTorch (test/Numerics).
llvm::ArrayRef<RandomRow> getRandomRows();

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_EVAL_RANDOM_H
