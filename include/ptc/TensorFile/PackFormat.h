//===- PackFormat.h - How a weight lies for a kernel --------------------*- C++ -*-===//
//
// A matrix whose columns a kernel reads a vector at a time lies in panels: [panels][sum][width].
// Entry (p, k, j) of them is the element of row k of the sum, column p * width + j; what lies
// behind the last column is zero.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TENSORFILE_PACKFORMAT_H
#define PTC_TENSORFILE_PACKFORMAT_H

#include "ptc/TensorFile/HostTensor.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace ptc {

struct PackFormat {
  /// A loop over a dense row-major tensor: turns, and elements from one to the next.
  struct Loop {
    int64_t size, stride;
  };
  llvm::SmallVector<Loop, 2> sum, columns; ///< outermost first
  int64_t width = 0;

  int64_t numElements() const;
  /// The elements of `plain` as this says, one after the other: [numElements()], of its dtype.
  HostTensor pack(const HostTensor &plain) const;

  /// As numbers, and back; equal formats have equal numbers.
  llvm::SmallVector<int64_t> toNumbers() const;
  /// None: they are no format's.
  static std::optional<PackFormat> fromNumbers(llvm::ArrayRef<int64_t> numbers);

  /// Whether it takes each element at most once, out of a tensor of so many.
  bool fits(int64_t numElements) const;
};

} // namespace ptc

#endif // PTC_TENSORFILE_PACKFORMAT_H
