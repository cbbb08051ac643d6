//===- AtomicFile.cpp - Output files that appear whole or not at all ---------===//
//
// In: a path and bytes. Out: the file with exactly these bytes, or an error and the old file.
//
//===----------------------------------------------------------------------===//
#include "ptc/Support/AtomicFile.h"

#include "ptc/Support/Error.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptc;

static llvm::Error cannotWrite(llvm::StringRef path, llvm::StringRef why) {
  return makeError(DiagId::OutputNotWritten, {}, path, why);
}

static bool holds(llvm::StringRef path, llvm::StringRef contents) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status) || status.getSize() != contents.size())
    return false;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return buffer && (*buffer)->getBuffer() == contents;
}

llvm::Error ptc::writeFileAtomically(llvm::StringRef path, llvm::StringRef contents) {
  if (path == "-") {
    llvm::outs() << contents;
    llvm::outs().flush();
    if (!llvm::outs().has_error())
      return llvm::Error::success();
    std::string why = llvm::outs().error().message();
    llvm::outs().clear_error();
    return cannotWrite("<stdout>", why);
  }
  llvm::sys::fs::file_status status;
  bool exists = !llvm::sys::fs::status(path, status);
  if (exists && status.type() != llvm::sys::fs::file_type::regular_file) {
    // A device or a pipe (/dev/null) cannot be replaced: write through it.
    std::error_code ec;
    llvm::raw_fd_ostream os(path, ec);
    if (ec)
      return cannotWrite(path, ec.message());
    os << contents;
    os.close();
    if (!os.has_error())
      return llvm::Error::success();
    ec = os.error();
    os.clear_error();
    return cannotWrite(path, ec.message());
  }
  if (exists && holds(path, contents))
    return llvm::Error::success();

  // As open(2) makes a new file: readable by all, less the umask.
  auto mode = llvm::sys::fs::all_read | llvm::sys::fs::all_write;
  auto temp = llvm::sys::fs::TempFile::create(
      path + ".tmp%%%%%%", llvm::sys::fs::perms(mode & ~llvm::sys::fs::getUmask()));
  if (!temp)
    return cannotWrite(path, llvm::toString(temp.takeError()));
  llvm::raw_fd_ostream os(temp->FD, /*shouldClose=*/false);
  os << contents;
  os.flush();
  if (os.has_error()) {
    std::string why = os.error().message();
    os.clear_error();
    llvm::consumeError(temp->discard());
    return cannotWrite(path, why);
  }
  if (llvm::Error error = temp->keep(path)) {
    std::string why = llvm::toString(std::move(error));
    return cannotWrite(path, why);
  }
  return llvm::Error::success();
}
