//===- ArtefactIr.h - The IR that an artefact carries ------------------*- C++ -*-===//
#ifndef PTC_DRIVER_ARTEFACTIR_H
#define PTC_DRIVER_ARTEFACTIR_H

#include "ptc/Package/Artefact.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ptc {

/// Whether `path` names a shared library, or holds one, rather than bytecode or IR.
bool isArtefact(llvm::StringRef path);

/// Success unless `path` is a program (`ptc compile --emit=exe`), which only the system can load.
/// Errors: UsageError that says to run it itself.
llvm::Error checkIsNoProgram(llvm::StringRef path);

/// The IR of an artefact as text, behind phase normalise. Errors: FileNotReadable, also of what is
/// no artefact; IrMalformed without it.
llvm::Expected<std::string> readArtefactIr(llvm::StringRef path);

/// What an artefact was compiled from: the JSON that `ptc compile` gave it. Errors: as above.
llvm::Expected<std::string> readArtefactRequest(llvm::StringRef path);

/// How the packed weights of an artefact lie. Errors: as above.
llvm::Expected<std::vector<WeightLayout>> readArtefactLayout(llvm::StringRef path);

/// Bytes of a file.
struct FilePart {
  std::string path;
  uint64_t offset = 0, bytes = 0;
};

/// Whether `path` is a file of packed weights: what `ptc compile` writes beside a library.
bool isPackedWeights(llvm::StringRef path);

/// Whether the artefact at `path` has its packed weights in itself. False where it cannot be read.
bool hasWeightsInside(llvm::StringRef path);

/// Where the packed weights of the artefact at `path` are: in itself, or in its .weights file,
/// `weights` or beside it. No bytes: it has none. Errors: FileNotReadable, also where that file is
/// not there or is none.
llvm::Expected<FilePart> packedWeightsOf(llvm::StringRef path, llvm::StringRef weights);

} // namespace ptc

#endif // PTC_DRIVER_ARTEFACTIR_H
