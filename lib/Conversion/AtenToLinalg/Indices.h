//===- Indices.h - Elements that name places -------------------------*- C++ -*-===//
//
// What reading and writing by index share: places of elements, and what eager raises for elements
// that name none. Gather.cpp holds it.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CONVERSION_ATENTOLINALG_INDICES_H
#define PTC_LIB_CONVERSION_ATENTOLINALG_INDICES_H

#include "KernelBuilder.h"

#include <functional>

namespace ptc {

/// What eager raises for an index out of range. `{0}` of the text is the index, `{1}` the size.
struct OutOfRange {
  llvm::StringRef errorClass;
  std::string text;
  bool mayBeNegative = false; ///< counts from the end
  /// Whether the indices are looked at, as a truth value of the check's kernel; empty: always.
  std::function<mlir::Value(KernelBuilder &check)> isAsked = {};
};

/// Makes the kernel and the check that raise for the first of `elements`, as int64, that `isBad`.
/// `{0}` of the text is that element, `{1}` is `limit` where there is one.
void raiseForFirst(KernelBuilder &check, Tensor elements, mlir::Value limit,
                   llvm::function_ref<mlir::Value(ElementBuilder &, mlir::Value)> isBad,
                   llvm::StringRef errorClass, llvm::StringRef text);
/// Raises for the first element of `index` that is no place of dimension `d` of `source`.
void raiseOutside(KernelBuilder &k, mlir::Value index, mlir::Value source, int64_t d,
                  const OutOfRange &error);

/// An element of an index tensor as a place of a dimension of `size`, whatever the element is.
mlir::Value placeOf(ElementBuilder &e, mlir::Value element, DType from, mlir::Value size,
                    bool mayBeNegative);

inline bool isIndexType(Tensor t) { return t && isInteger(t.dtype) && t.dtype != DType::UInt8; }

/// Of an index out of range of dimension `dim`.
std::string boundsText(int64_t dim);

/// Index tensors by dimension: what they name becomes the broadcast of the indices, in place of the
/// first of them if they are neighbours, else in front.
struct AdvancedIndex {
  llvm::SmallVector<Tensor, 4> indices; ///< by dimension; false: taken whole
  int64_t place = 0; ///< where the dimensions of the indices are in what is named
  int64_t rank = 0;  ///< how many they are

  /// How loops over the sizes of what is named reach the indices. None if that is not known.
  std::optional<llvm::SmallVector<Access>> reach(KernelBuilder &k,
                                                 llvm::ArrayRef<mlir::OpFoldResult> sizes) const;
  /// The place that `elements` of the indices and the counters of the loops name; `limits`: the
  /// sizes of the tensor.
  llvm::SmallVector<mlir::Value> placeAt(ElementBuilder &e, mlir::ValueRange elements,
                                         llvm::ArrayRef<mlir::Value> loops,
                                         llvm::ArrayRef<mlir::Value> limits) const;
  /// Makes the checks that raise IndexError for indices out of range of `self`.
  void raiseOutside(KernelBuilder &k) const;
};

/// The argument `indices`, which index `self`; none if one is a mask.
std::optional<AdvancedIndex> readIndices(KernelBuilder &k, Tensor self);

} // namespace ptc

#endif // PTC_LIB_CONVERSION_ATENTOLINALG_INDICES_H
