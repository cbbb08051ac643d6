//===- Evaluate.h - The reference evaluator for executors ----------------*- C++ -*-===//
#ifndef PTC_LIB_TARGET_NULL_EVALUATE_H
#define PTC_LIB_TARGET_NULL_EVALUATE_H

#include "ptc/Dialect/Aten/Eval/Eval.h"
#include "ptc/Support/Error.h"

namespace ptc {

/// aten::evaluate; what eager raises becomes a program::PythonError. Errors: NotEvaluated,
/// OutOfMemory.
llvm::Expected<llvm::SmallVector<HostValue, 1>> evaluateOverload(const aten::OpInfo &op,
                                                                 llvm::ArrayRef<HostValue> args,
                                                                 aten::EvalContext &context);

} // namespace ptc

#endif // PTC_LIB_TARGET_NULL_EVALUATE_H
