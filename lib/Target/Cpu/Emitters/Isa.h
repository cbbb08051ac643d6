//===- Isa.h - What an emitter asks of an instruction set ---------------*- C++ -*-===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_ISA_H
#define PTC_LIB_TARGET_CPU_EMITTERS_ISA_H

#include "ptc/Target/Cpu/Code.h"

namespace ptc::cpu {

/// Adds products of pairs of bfloat16.
inline constexpr llvm::StringLiteral kPairsIntrinsic = "llvm.x86.avx512bf16.dpbf16ps.512";

struct Isa {
  int64_t vectorBits = 128;
  bool hasFma = false;
  /// Accumulators of a product in registers: rows, and vectors of columns. Rows whose addresses
  /// differ by a multiple of 4 KiB share a set of the first-level cache: no more rows than ways.
  int64_t tileRows = 4, tileVectors = 2;
  /// An instruction adds products of pairs of bfloat16 to each float of a vector of 512 bits.
  bool hasPairProducts = false;

  int64_t lanes(int64_t elementBits) const { return vectorBits / elementBits; }
};

/// That of `options.cpu`. Errors: UsageError for a CPU that LLVM does not know.
llvm::Expected<Isa> isaOf(const CodeOptions &options);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_ISA_H
