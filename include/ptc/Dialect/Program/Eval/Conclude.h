//===- Conclude.h - Results from the leaves of an outcome -----------*- C++ -*-===//
#ifndef PTC_DIALECT_PROGRAM_EVAL_CONCLUDE_H
#define PTC_DIALECT_PROGRAM_EVAL_CONCLUDE_H

#include "ptc/Dialect/Program/Eval/Eval.h"

namespace ptc::program {

/// What the trees of an outcome that does not raise make of the values of its operands: the result
/// and the containers that changed. Errors: PythonError of a text that cannot be formatted.
llvm::Expected<CallResult> concludeCall(EndOp end, llvm::ArrayRef<HostValue> leaves);

} // namespace ptc::program

#endif // PTC_DIALECT_PROGRAM_EVAL_CONCLUDE_H
