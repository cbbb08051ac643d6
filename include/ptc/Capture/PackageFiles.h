//===- PackageFiles.h - Folders and archives that modules are in ---*- C++ -*-===//
//
// A path that modules are imported from is a folder, a zip archive, or a folder in one:
// `lib.zip/package/module.pyc` names a member as CPython's zipimport does.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_PACKAGEFILES_H
#define PTC_CAPTURE_PACKAGEFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptc::capture {

class PackageFiles {
public:
  PackageFiles();
  ~PackageFiles();
  PackageFiles(PackageFiles &&) noexcept;

  /// Opens those of the paths that are archives, or folders in one. Errors: FileNotReadable.
  llvm::Error open(llvm::ArrayRef<std::string> paths);

  bool isFile(llvm::StringRef path) const;
  bool isFolder(llvm::StringRef path) const;
  /// Is it a folder of an archive that has no entry of its own, and is there because files lie in
  /// it?
  bool isImplied(llvm::StringRef folder) const;
  /// Is it an archive that was opened, or in one?
  bool isInArchive(llvm::StringRef path) const;
  /// Why a member cannot be read; empty: it can, or the path is not in an archive.
  std::string whyUnreadable(llvm::StringRef path) const;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> read(llvm::StringRef path) const;
  /// Name of each entry, and whether it is a folder; of what is no folder nothing.
  std::vector<std::pair<std::string, bool>> list(llvm::StringRef folder) const;
  /// Does a file of the extension lie in the folder, or in one within it?
  bool hasExtension(llvm::StringRef folder, llvm::StringRef extension) const;

  /// When it was changed, in seconds since 1970, and its size; of members that is a time of two
  /// seconds' precision on the machine's clock, as zipimport takes it.
  struct Stamp {
    int64_t seconds;
    uint64_t size;
  };
  std::optional<Stamp> stamp(llvm::StringRef path) const;

private:
  struct Archive;
  /// The archive that a path is in, and its place there: no '/' at its ends.
  std::pair<const Archive *, llvm::StringRef> placeOf(llvm::StringRef path) const;
  std::vector<std::unique_ptr<Archive>> archives;
};

/// The file of the system that holds what a path names: an archive for its members.
std::string fileHolding(llvm::StringRef path);

} // namespace ptc::capture

#endif // PTC_CAPTURE_PACKAGEFILES_H
