//===- KernelEval.h - Kernels on plain loops -------------------------*- C++ -*-===//
#ifndef PTC_DIALECT_PLAN_EVAL_KERNELEVAL_H
#define PTC_DIALECT_PLAN_EVAL_KERNELEVAL_H

#include "ptc/Dialect/Plan/IR/Plan.h"
#include "ptc/TensorFile/HostTensor.h"

#include "llvm/Support/Error.h"

namespace ptc::plan {

/// Runs the region of `kernel` on its inputs, element by element: what each linalg operation says,
/// in the types that it says. Results are contiguous. Errors: InternalError for an operation that
/// this evaluator does not know, naming it.
llvm::Expected<llvm::SmallVector<HostTensor, 1>> evaluateKernel(KernelOp kernel,
                                                                llvm::ArrayRef<HostTensor> inputs);

} // namespace ptc::plan

#endif // PTC_DIALECT_PLAN_EVAL_KERNELEVAL_H
