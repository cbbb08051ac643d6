//===- AdvancedIndex.h - Which elements `x[i, :, j]` names ---------*- C++ -*-===//
#ifndef PTC_LIB_DIALECT_ATEN_EVAL_ADVANCEDINDEX_H
#define PTC_LIB_DIALECT_ATEN_EVAL_ADVANCEDINDEX_H

#include "EvalCall.h"

namespace ptc::aten {

/// Coordinates of the elements that are not zero, [count, rank], row-major.
HostTensor nonzeroOf(const HostTensor &tensor);

/// numpy's advanced indexing: index tensors broadcast together to `shape`; where they are adjacent
/// it takes their place among the dimensions that stay, else it comes first.
class AdvancedIndex {
public:
  /// Undefined indices keep their dimension. Check `call.failed()`.
  AdvancedIndex(EvalCall &call, const HostTensor &self, llvm::ArrayRef<HostTensor> indices);

  Ints resultSizes() const;
  /// Offset in `self` of each element of the result, row-major.
  std::vector<int64_t> offsets() const;

private:
  void addOffsets(EvalCall &call, const HostTensor &self, llvm::ArrayRef<HostTensor> indices);

  Ints shape;                   ///< of the index tensors together
  std::vector<int64_t> indexed; ///< offset that they add, one per element of `shape`
  Ints sizes, strides;          ///< of the dimensions that stay
  size_t place = 0;             ///< where `shape` goes among them
};

} // namespace ptc::aten

#endif // PTC_LIB_DIALECT_ATEN_EVAL_ADVANCEDINDEX_H
