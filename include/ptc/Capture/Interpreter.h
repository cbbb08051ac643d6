//===- Interpreter.h - Running Python without a tensor in sight -*- C++ -*-===//
#ifndef PTC_CAPTURE_INTERPRETER_H
#define PTC_CAPTURE_INTERPRETER_H

#include "ptc/Bytecode/Reader.h"
#include "ptc/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace ptc::capture {

struct PythonOptions {
  uint64_t steps = ~uint64_t(0);
  uint32_t depth = 1000;
  std::vector<std::string> argv;
  std::string moduleName = "__main__";
  /// What print writes; stdout and stderr of the process if empty.
  std::function<void(llvm::StringRef)> output, errorOutput;
};

struct PythonResult {
  int exitCode = 0;
  /// What CPython would print for an uncaught exception: traceback and last line; empty if none.
  std::string uncaught;
  /// The exception that ended the program; SystemExit only if its code is no success.
  std::string raisedType, raisedText;
  ptc::SourceLoc raisedAt;
  uint64_t steps = 0;
};

/// Runs module code as `__main__`. Errors: diagnostics of what the engine refuses and of limits.
llvm::Expected<PythonResult> runPython(const CodeObject &module, const PythonOptions &options = {});

} // namespace ptc::capture

#endif // PTC_CAPTURE_INTERPRETER_H
