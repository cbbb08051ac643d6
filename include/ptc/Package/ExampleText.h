//===- ExampleText.h - How calls of a structure are written ------------*- C++ -*-===//
#ifndef PTC_PACKAGE_EXAMPLETEXT_H
#define PTC_PACKAGE_EXAMPLETEXT_H

#include "ptc/Symbolic/CallStructure.h"

namespace ptc {

/// Example JSON with holes for the leaves, as the rows `ptc_structure` and `ptc_leaf_text` have it.
struct ExampleText {
  struct Leaf {
    std::string place, constant, behind;
  };
  std::string before;
  std::vector<Leaf> leaves; ///< by leaf of the structure
};

/// None: the notation has no form for such calls (instances, keys that are neither texts nor
/// numbers).
std::optional<ExampleText> exampleText(const sym::StringTable &texts,
                                       const sym::CallStructure &structure,
                                       llvm::ArrayRef<std::string> parameters);

} // namespace ptc

#endif // PTC_PACKAGE_EXAMPLETEXT_H
