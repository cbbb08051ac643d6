//===- UnpackWeights.h - The weights that an artefact carries ------*- C++ -*-===//
#ifndef PTC_DRIVER_UNPACKWEIGHTS_H
#define PTC_DRIVER_UNPACKWEIGHTS_H

#include "ptc/TensorFile/TensorFile.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ptc {

/// The weights of an artefact by state-dict name, in the form that its program reads: out of its
/// own section, or of `weights`, or of the file of weights beside it. None if there are neither, or
/// if its kernels are a GPU's. Errors: UsageError for weights that are packed for other code than
/// this ptc makes.
llvm::Expected<std::vector<NamedTensor>> readArtefactWeights(const std::string &path,
                                                             const std::string &weights);

} // namespace ptc

#endif // PTC_DRIVER_UNPACKWEIGHTS_H
