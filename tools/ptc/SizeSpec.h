//===- SizeSpec.h - What is said of sizes, as text ------------------*- C++ -*-===//
//
// A dimension of a tensor, and an int that is a size, is a number or
//
//   CLAUSE [and CLAUSE]…
//   CLAUSE   := SIZE [in DOMAIN] | NAME = VALUE [in DOMAIN] | SIZE RELATION SIZE
//   SIZE     := a formula of Python over names and numbers: + - * // % min max
//   VALUE    := NUMBER, what is typical | {NUMBER,…}, variants of their own | SIZE, a relation
//   DOMAIN   := LOW..HIGH | LOW.. | {NUMBER,…}
//   RELATION := == != < <= > >=
//
// The first clause says what the dimension is: its name or formula; of a relation the left side,
// without a divisor (`L % 16 == 0` is L).
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TOOLS_PTC_SIZESPEC_H
#define PTC_TOOLS_PTC_SIZESPEC_H

#include "ptc/TensorFile/Example.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>

namespace ptc::tool {

/// Numbers for names of sizes.
using SizeValues = std::map<std::string, int64_t, std::less<>>;

/// What a call says of its sizes.
struct SizeFacts {
  std::vector<std::string> names; ///< in the order in which they are mentioned
  std::vector<DeclaredSize> sizes;
  std::vector<DeclaredRelation> relations;
  /// Numbers that names have in this call, whatever is typical.
  SizeValues values;

  bool empty() const { return names.empty(); }
};

/// Parts of a text between commas that stand in no brackets.
llvm::SmallVector<llvm::StringRef> splitList(llvm::StringRef text);

/// Adds what a dimension says that is no number, and gives its formula. Errors: a text that names
/// the piece that is wrong.
llvm::Expected<std::string> parseSize(llvm::StringRef text, SizeFacts &facts);
/// The same of a line that stands for itself: `B=8 in 1..64`.
llvm::Error parseFact(llvm::StringRef text, SizeFacts &facts);
/// Does a text begin as NAME in DOMAIN, whatever is wrong behind?
bool namesDomain(llvm::StringRef text);
/// One line for each name and relation, which parseFact() reads.
std::vector<std::string> factTexts(llvm::ArrayRef<DeclaredSize> sizes,
                                   llvm::ArrayRef<DeclaredRelation> relations);

/// Numbers for all names that satisfy what is said: those that are typical, neither 0 nor 1 if
/// that is possible. With a `limit`, one more for each combination of values that have variants of
/// their own; these come first. Errors: a text, also for more than `limit`.
llvm::Expected<std::vector<SizeValues>> chooseSizes(const SizeFacts &facts, size_t limit);

/// The number that a formula is; none for one that does not fit.
std::optional<int64_t> evaluateSize(llvm::StringRef size, const SizeValues &values);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_SIZESPEC_H
