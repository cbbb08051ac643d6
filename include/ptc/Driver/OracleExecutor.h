//===- OracleExecutor.h - LibTorch as executor -----------------------*- C++ -*-===//
#ifndef PTC_DRIVER_ORACLEEXECUTOR_H
#define PTC_DRIVER_ORACLEEXECUTOR_H

#include "ptc/Dialect/Program/Eval/Eval.h"

namespace ptc {

/// LibTorch through the oracle library at `path`, loaded now. Errors: OracleMissing.
llvm::Expected<std::unique_ptr<program::OpExecutor>> makeOracleExecutor(llvm::StringRef path);

} // namespace ptc

#endif // PTC_DRIVER_ORACLEEXECUTOR_H
