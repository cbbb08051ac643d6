//===- KernelRows.h - What a plan shows of its kernels ------------------*- C++ -*-===//
//
// One row per kernel of a variant: where it comes from, what it does, what it costs on a machine
// and where its results lie. Whoever numbers kernels (tables, code, measurements) does so in the
// order of kernelsOf.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DIALECT_PLAN_IR_KERNELROWS_H
#define PTC_DIALECT_PLAN_IR_KERNELROWS_H

#include "ptc/Dialect/Plan/IR/Cost.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Support/SourceLoc.h"

namespace ptc::plan {

/// The kernels of a variant in the order of the text, those on all paths included.
llvm::SmallVector<KernelOp> kernelsOf(program::VariantOp variant);

/// An operation of the program that a kernel computes.
struct FusedOperation {
  std::string name; ///< `aten.linear`; empty: it is not known
  SourceLoc loc;
  bool operator==(const FusedOperation &) const = default;
};

/// The operations that are named in a location, each once, in the order of fusion.
std::vector<FusedOperation> operationsAt(mlir::Location loc);

/// Where one result of a kernel lies.
struct ResultPlace {
  PlaceKind kind;
  std::string at, bytes; ///< texts over the sizes of the variant; `at`: a byte of the arena, or an
                         ///< output's number
  std::optional<unsigned> over; ///< arena: the operand that it takes the place of
  /// Kernels that run while it is needed, both inclusive.
  unsigned firstKernel = 0, lastKernel = 0;
};

struct KernelRow {
  unsigned number; ///< in kernelsOf
  KernelOp kernel;
  Family family;
  std::vector<FusedOperation> operations;
  /// Of its largest loop nest, in loops: names of sizes that only the run knows, or `?`.
  std::vector<std::string> space, reduced;
  KernelCost cost;
  std::vector<ResultPlace> places; ///< by result; none before phase plan
};

/// The rows of a variant, by number.
std::vector<KernelRow> kernelRows(program::VariantOp variant, const CostModel &model);

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_IR_KERNELROWS_H
