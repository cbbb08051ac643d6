//===- Epilogue.h - What follows a sum of products ----------------------*- C++ -*-===//
//
// Operations of a kernel that begin the output of a product, or that go on with each of its sums:
// the emitter of the product does them on its tiles.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_EMITTERS_EPILOGUE_H
#define PTC_LIB_TARGET_CPU_EMITTERS_EPILOGUE_H

#include "Nest.h"

namespace ptc::cpu {

/// Operations around a product, neighbours in the order of the text.
struct Neighbours {
  mlir::linalg::GenericOp fill;    ///< gives the sums their start, zero; or null
  mlir::linalg::GenericOp product; ///< adds to its output
  llvm::SmallVector<mlir::linalg::GenericOp> epilogue; ///< elementwise, on what the one before gave
};

/// The memory of which `memref` is a view that has the same elements in the same order.
mlir::Value wholeOf(mlir::Value memref);

/// The product to which the first of `ops` gives its start, zero, if nothing before the product
/// has to do with that memory; null if there is none.
mlir::linalg::GenericOp productOfFill(llvm::ArrayRef<mlir::linalg::GenericOp> ops);

/// The product that is the first of `ops`, or the second behind its fill, with what follows it;
/// none if it is not known to be one.
std::optional<Neighbours> findNeighbours(llvm::ArrayRef<mlir::linalg::GenericOp> ops);

/// The nest of the product with start and epilogue; none if an access is not affine.
std::optional<Nest> readNest(LoopBuilder &l, Neighbours neighbours);

/// What the epilogue makes of `sum`, an element or a vector of `lanes`: `load` reads from the
/// stream of that number in Nest::more.
mlir::Value finish(LoopBuilder &l, const Nest &nest, mlir::Value sum, int64_t lanes,
                   llvm::function_ref<mlir::Value(size_t)> load);

/// An estimate of the cycles that the epilogue takes for a vector.
double epilogueCycles(const Nest &nest);

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_EMITTERS_EPILOGUE_H
