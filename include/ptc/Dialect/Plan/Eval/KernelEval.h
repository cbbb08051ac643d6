//===- KernelEval.h - Kernels on plain loops -------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PLAN_EVAL_KERNELEVAL_H
#define PTC_DIALECT_PLAN_EVAL_KERNELEVAL_H

#include "ptc/Dialect/Plan/IR/Plan.h"
#include "ptc/TensorFile/HostValue.h"

#include "llvm/Support/Error.h"

namespace ptc::plan {

/// Runs the region of `kernel` on its inputs, tensors and numbers, element by element: what each
/// operation says, in the types that it says. Results have the strides that their types give them.
/// Errors: InternalError for an operation that this evaluator does not know, or a place outside of
/// a tensor, naming it.
llvm::Expected<llvm::SmallVector<HostTensor, 1>> evaluateKernel(KernelOp kernel,
                                                                llvm::ArrayRef<HostValue> inputs);

/// A program::PythonError if the check failed, else success.
llvm::Error evaluateCheck(CheckOp check, llvm::ArrayRef<HostValue> operands);

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_EVAL_KERNELEVAL_H
