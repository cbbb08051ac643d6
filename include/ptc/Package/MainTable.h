//===- MainTable.h - What a compiled program knows beside its artefact -*- C++ -*-===//
#ifndef PTC_PACKAGE_MAINTABLE_H
#define PTC_PACKAGE_MAINTABLE_H

#include "ptc/Package/ShownResult.h"
#include "ptc/TensorFile/HostTensor.h"

namespace ptc {

/// A leaf of the example's arguments.
struct MainLeaf {
  std::string path;
  ptc_value value;   ///< texts are in the caller's memory
  HostTensor tensor; ///< of one whose tag is Tensor
};

/// The call that a program makes.
struct MainExample {
  uint32_t structure = 0;
  std::vector<MainLeaf> leaves;
  std::optional<int64_t> seed;
};

/// The object with `ptc_this_main` for the entry called `name`. Tensors that share memory share it
/// in the program, too.
std::string makeMainTable(llvm::StringRef name, const MainExample &example,
                          const ShownResults &results, uint32_t numOutputs);

} // namespace ptc

#endif // PTC_PACKAGE_MAINTABLE_H
