//===- ShownResult.h - How a program shows its results ----------------*- C++ -*-===//
#ifndef PTC_PACKAGE_SHOWNRESULT_H
#define PTC_PACKAGE_SHOWNRESULT_H

#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Runtime/Main.h"

#include "llvm/Support/Error.h"

namespace ptc {

/// Nodes that make repr() of what calls give, as Runtime/Main.h describes them.
struct ShownResults {
  std::vector<ptc_shown> nodes;
  std::string texts;
  std::vector<uint32_t> roots;         ///< by outcome, variant after variant
  std::vector<uint32_t> variantBegins; ///< in `roots`; one more at the end
  uint32_t numIdentities = 0;
};

/// Errors: UnsupportedOperation for a text in a result that native code cannot make: format specs
/// beyond `[.N]` and a letter.
llvm::Expected<ShownResults> showResults(program::EntryOp entry);

} // namespace ptc

#endif // PTC_PACKAGE_SHOWNRESULT_H
