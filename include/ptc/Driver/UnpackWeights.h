//===- UnpackWeights.h - The weights that an artefact carries ------*- C++ -*-===//
#ifndef PTC_DRIVER_UNPACKWEIGHTS_H
#define PTC_DRIVER_UNPACKWEIGHTS_H

#include "ptc/TensorFile/TensorFile.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ptc {

/// The weights of an artefact by state-dict name, in the form that its program reads: out of its
/// own section, or of `weights`, or of the file of weights beside it. None if it has none.
/// Errors: those of readArtefactIr and readArtefactLayout; FileNotReadable, also for a file that is
/// not there, or whose bytes are not those that were compiled; UsageError for weights of which its
/// code reads a part.
llvm::Expected<std::vector<NamedTensor>> readArtefactWeights(const std::string &path,
                                                             const std::string &weights);

/// What a program is run with by others than its own code: `given`, where there are any; else, of
/// an artefact, what readArtefactWeights gives.
llvm::Expected<std::vector<NamedTensor>>
weightsToRun(std::vector<NamedTensor> given, const std::string &path, const std::string &weights);

} // namespace ptc

#endif // PTC_DRIVER_UNPACKWEIGHTS_H
