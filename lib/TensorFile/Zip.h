//===- Zip.h - The members of a zip archive ---------------------*- C++ -*-===//
#ifndef PTC_LIB_TENSORFILE_ZIP_H
#define PTC_LIB_TENSORFILE_ZIP_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ptc {

/// Name to contents, as slices of `bytes`. Members must be stored, not compressed, as torch.save
/// writes them; zip64 is understood. Errors: a text for the caller's diagnostic.
llvm::Expected<llvm::StringMap<llvm::StringRef>> readZip(llvm::StringRef bytes);

} // namespace ptc

#endif // PTC_LIB_TENSORFILE_ZIP_H
