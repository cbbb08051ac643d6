//===- ElementBounds.h - What the elements of index tensors are below --------*- C++ -*-===//
//
// Positions that operations give, as nonzero() and topk() do, are in a tensor of known sizes, and
// so are those that are picked from them. Who indexes with such asks no branch whether they are
// outside.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_ELEMENTBOUNDS_H
#define PTC_LIB_CAPTURE_ELEMENTBOUNDS_H

#include "Engine.h"

#include "ptc/Dialect/Aten/IR/OpTable.h"

namespace ptc::capture {

/// Notes what is known of the elements of what `op` has given.
void noteElements(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                  const TensorCall &call, llvm::ArrayRef<ValueId> results);
/// The elements of `view` are some of those of `base`.
void noteElementsOfView(Engine &e, ValueId base, ValueId view);
/// Are all elements of a tensor of integers from 0 on and less than `size`? False: not known.
bool haveElementsBelow(Engine &e, ValueId tensor, sym::Expr size);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_ELEMENTBOUNDS_H
