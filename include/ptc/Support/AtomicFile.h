//===- AtomicFile.h - Output files that appear whole or not at all -*- C++ -*-===//
#ifndef PTC_SUPPORT_ATOMICFILE_H
#define PTC_SUPPORT_ATOMICFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ptc {

/// Output files that appear together: each is written into a temporary file beside its place, and
/// commit() renames all of them. Without it, or if one cannot be written, none appears. A file that
/// holds its bytes already is left alone, so that its time stamp does not change.
class OutputFiles {
public:
  OutputFiles();
  OutputFiles(OutputFiles &&) noexcept;
  OutputFiles &operator=(OutputFiles &&) noexcept;
  ~OutputFiles();

  /// Begins the file at `path`, which replaces files only; the stream lives until commit(), which
  /// says what could not be written to it. Errors: OutputNotWritten.
  llvm::Expected<llvm::raw_ostream *> begin(llvm::StringRef path, bool isExecutable = false);
  /// A file with these bytes; what is no file (a device, a pipe, `-`: stdout) is written at
  /// commit(). Errors: OutputNotWritten.
  llvm::Error add(llvm::StringRef path, llvm::StringRef contents);
  /// Puts all of them in their places. Errors: OutputNotWritten.
  llvm::Error commit();
  /// Where they go, in the order of `add`.
  std::vector<std::string> paths() const;

private:
  struct File;
  llvm::Error checkNew(llvm::StringRef path) const;
  llvm::Error finish();

  std::vector<std::unique_ptr<File>> files;
};

/// Whether a file can be made at `path`, as far as can be said beforehand: its folder is there, and
/// it is none itself. Errors: OutputNotWritten.
llvm::Error checkOutputPlace(llvm::StringRef path);

/// One file of OutputFiles. Errors: OutputNotWritten.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

} // namespace ptc

#endif // PTC_SUPPORT_ATOMICFILE_H
