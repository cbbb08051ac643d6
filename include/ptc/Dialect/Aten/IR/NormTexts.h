//===- NormTexts.h - What eager says of norms without a value -------*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_NORMTEXTS_H
#define PTC_DIALECT_ATEN_IR_NORMTEXTS_H

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <optional>
#include <string>

namespace ptc::aten {

/// Norms of infinite and of negative order are order statistics, of which no elements have none.
inline bool needsElements(double order) { return std::isinf(order) || order < 0; }

/// What eager says of them (linalg_vector_norm in ATen/native/LinearAlgebra.cpp); `dim` is one that
/// is empty, none where all are reduced.
inline std::string noElementsText(double order, std::optional<int64_t> dim) {
  std::string what =
      dim ? "the dimension " + std::to_string(*dim) + "because this dimension is empty and"
          : "an empty tensor because";
  return llvm::formatv("linalg.vector_norm cannot compute the {0} norm on {1} the operation does "
                       "not have an identity",
                       llvm::format("%g", order), what);
}

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_NORMTEXTS_H
