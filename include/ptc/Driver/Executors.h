//===- Executors.h - Who computes the tensor operations ------------*- C++ -*-===//
#ifndef PTC_DRIVER_EXECUTORS_H
#define PTC_DRIVER_EXECUTORS_H

#include "ptc/Dialect/Program/Eval/Eval.h"

namespace ptc {

/// The reference evaluator: plain loops, eager's random numbers.
std::unique_ptr<program::OpExecutor> makeNullExecutor();

/// LibTorch through the oracle library at `path`, loaded now. Errors: OracleMissing.
llvm::Expected<std::unique_ptr<program::OpExecutor>> makeOracleExecutor(llvm::StringRef path);

} // namespace ptc

#endif // PTC_DRIVER_EXECUTORS_H
