//===- Outcome.h - What comes of a call, by us and by eager ---------*- C++ -*-===//
#ifndef PTC_TEST_NUMERICS_OUTCOME_H
#define PTC_TEST_NUMERICS_OUTCOME_H

#include "Cases.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"

#include <string>

namespace ptc::numerics {

/// Results, or an exception's class and text.
struct Outcome {
  llvm::SmallVector<HostValue, 1> results;
  std::string raised;
  std::string text;
  bool isUnsupported = false; ///< ours: a refusal with a diagnostic, no exception
};

/// By LibTorch's dispatcher, of the overload or in-place form `name`. It may write the arguments.
Outcome runEager(llvm::StringRef name, const Call &call);
/// By the reference evaluator.
Outcome runOurs(const aten::OpInfo &op, const Call &call, aten::Mt19937 &generator);

/// A copy whose tensors share nothing with the originals.
Call cloneCall(const Call &call);
/// `f32[2,3], 1, None`.
std::string describe(const Call &call);
/// True if no result has elements, but for fills of an identity.
bool isEmptyResult(const Outcome &outcome);

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_OUTCOME_H
