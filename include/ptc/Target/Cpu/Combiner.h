//===- Combiner.h - What a reduction does to its accumulator ------------*- C++ -*-===//
#ifndef PTC_TARGET_CPU_COMBINER_H
#define PTC_TARGET_CPU_COMBINER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

#include <optional>

namespace ptc {

/// How a reduction combines its accumulator with one more element.
struct Combiner {
  mlir::Value accumulator, element;         ///< values of the body
  llvm::SmallVector<mlir::Operation *> ops; ///< from both to the result, in order
  mlir::Value result;
  bool startsAtZero = false, startsAtOne = false; ///< else f(f(a, x), x) = f(a, x)

  /// What changes nothing; null: where the accumulator starts, any number of times.
  mlir::TypedAttr neutral() const;
};

/// The combiner of the body of a linalg operation with one output; none if the order of the
/// elements could matter.
std::optional<Combiner> findCombiner(mlir::Block &body);

} // namespace ptc

#endif // PTC_TARGET_CPU_COMBINER_H
