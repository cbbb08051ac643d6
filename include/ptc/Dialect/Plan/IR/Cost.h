//===- Cost.h - What a kernel costs -------------------------------------*- C++ -*-===//
//
// A roofline of one machine, what its emitters want, and where a kernel stands under it: what is
// decided between kernels is decided by these numbers, and what is decided is shown with them.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_PLAN_IR_COST_H
#define PTC_DIALECT_PLAN_IR_COST_H

#include "ptc/Dialect/Plan/IR/Plan.h"

#include <string>

namespace ptc::plan {

/// What a machine does in a second: one thread of a CPU, a whole GPU. A target fills it from what
/// it has measured; the default stands for a machine of today with vectors of 256 bits.
struct CostModel {
  std::string machine = "one thread of a CPU of today"; ///< for people
  double launch = 20e-9; ///< seconds that each kernel costs beside its work
  /// Multiplications, additions and their like on elements of 32 bits; a product that is added to a
  /// sum is one of them. Elements of 64 bits: half as many, and so on.
  double operations = 65e9;
  double functions = 2e9; ///< exponentials and their relatives on elements of 32 bits
  double calls = 100e6;   ///< functions of single elements
  double steps = 1e9;     ///< turns of plain loops: families that no vector code is made of
  /// Products of elements of 16 bits that are added to a sum of 32, by matrix instructions. 0: they
  /// are operations.
  double products = 0;

  /// A level of memory: what fits into so many bytes moves at this speed.
  struct Memory {
    double bytes, perSecond;
  };
  /// From the nearest; the last one holds everything.
  llvm::SmallVector<Memory> memories = {{32e3, 300e9}, {1e6, 100e9}, {32e6, 50e9}, {1e18, 15e9}};

  /// Stands for a size that only the run knows.
  double typicalSize = 64;
  /// Around convolutions, elements of so many bits at most lie with channels last whatever that
  /// costs loops: matrix instructions read them so. 0: costs decide.
  unsigned channelsLastBits = 0;
  /// Inputs of products are read as they lie: nothing is computed in front of them in their kernel.
  bool productsReadMemory = false;
};

enum class Bound : uint8_t { Compute, Memory, Launch };
llvm::StringRef stringifyBound(Bound bound);

/// What one call of a kernel does and how long that takes at least.
struct KernelCost {
  double iterations = 0; ///< of all its loop nests
  double flops = 0;      ///< operations on floats; a product in a sum counts as two
  double bytesRead = 0, bytesWritten = 0;
  double compute = 0, memory = 0, launch = 0; ///< seconds
  bool isTypical = false; ///< some size is known at run time only: CostModel::typicalSize

  double seconds() const { return launch + std::max(compute, memory); }
  Bound bound() const {
    return std::max(compute, memory) < launch ? Bound::Launch
           : compute >= memory                ? Bound::Compute
                                              : Bound::Memory;
  }
};

KernelCost costOf(KernelOp kernel, const CostModel &model);

/// Seconds to move `bytes` of memory whose whole working set is `bytes`.
double moveSeconds(double bytes, const CostModel &model);
/// Elements of a tensor type, or 1 of a number.
double elementsOf(mlir::Type type, const CostModel &model);
/// Bytes of a tensor type or of a number: i1 takes one.
double bytesOf(mlir::Type type, const CostModel &model);

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_IR_COST_H
