//===- Verify.h - A program against eager PyTorch ---------------------*- C++ -*-===//
//
// Calls are made twice, by what is under test (an executor on the graph, or native code made of it)
// and by a reference on the graph; then each guard of each variant is violated once. State goes
// from call to call on both sides.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_DRIVER_VERIFY_H
#define PTC_DRIVER_VERIFY_H

#include "ptc/Driver/CompareCalls.h"

namespace ptc {

struct VerifyOptions {
  unsigned samples = 3;         ///< random calls per example
  uint64_t seed = 0;            ///< of their tensors, and of the program's random numbers
  uint64_t maxOps = 10'000'000; ///< of one call
  bool breakGuards = true;
  bool bisect = false; ///< find the first value that differs
  /// An artefact made of the program, whose native code makes our calls; empty: the executor does.
  std::string library;
  std::string libraryWeights; ///< external weights; empty: beside it
};

/// One call, made twice.
struct VerifiedCall {
  enum class Outcome : uint8_t { Agrees, Differs, NotCompared } outcome = Outcome::Agrees;
  std::string name; ///< "example 0", "random 0.1"
  unsigned variant = 0;
  Comparison comparison;
  std::string why; ///< Differs, NotCompared
};

/// One guard, violated.
struct VerifiedGuard {
  enum class Outcome : uint8_t {
    Refused,
    OtherVariant, ///< `other` took the call and agrees with eager
    Implied,      ///< cannot be violated alone
    NotTried,     ///< no call was found
    Accepted,     ///< by its own variant, or by native code though no variant fits: wrong
    Differs,      ///< another variant took it and differs from eager
  } outcome = Outcome::NotTried;
  unsigned variant = 0;
  std::string guard, change, why;
  unsigned other = 0;
  unsigned together = 0; ///< guards that fail along with it
  SourceLoc loc;         ///< of what needed it
};

/// The first operation whose result differs.
struct FirstDifference {
  std::string call, operation;
  SourceLoc loc;
  uint64_t number = 0; ///< how many tensor operations came before it
  std::string difference;
  /// What the operation alone makes of the reference's own operands: empty if that agrees, so that
  /// the difference has grown in operations before.
  std::string alone;
};

struct VerifyReport {
  std::vector<VerifiedCall> calls;
  std::vector<VerifiedGuard> guards;
  std::optional<FirstDifference> first;
};

/// Errors: what the executor under test cannot execute.
llvm::Expected<VerifyReport> verifyProgram(CompiledProgram &program,
                                           llvm::ArrayRef<NamedTensor> weights,
                                           llvm::ArrayRef<ExampleCall> examples,
                                           program::OpExecutor &ours, program::OpExecutor &eager,
                                           const VerifyOptions &options);

} // namespace ptc

#endif // PTC_DRIVER_VERIFY_H
