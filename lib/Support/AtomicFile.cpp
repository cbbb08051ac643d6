//===- AtomicFile.cpp - Output files that appear whole or not at all ---------===//
//
// In: paths and bytes. Out: the files with exactly these bytes, or an error and the old files.
//
//===----------------------------------------------------------------------===//
#include "ptc/Support/AtomicFile.h"

#include "ptc/Support/Error.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <fstream>

using namespace ptc;
namespace fs = llvm::sys::fs;

static constexpr llvm::StringLiteral kStandardOutput = "-";

static llvm::Error cannotWrite(llvm::StringRef path, llvm::StringRef why) {
  return makeError(DiagId::OutputNotWritten, {}, path, why);
}

/// Success, or why `os`, which is to be `path`, did not take all bytes.
static llvm::Error flushed(llvm::raw_fd_ostream &os, llvm::StringRef path) {
  os.flush();
  if (!os.has_error())
    return llvm::Error::success();
  std::string why = os.error().message();
  os.clear_error();
  return cannotWrite(path, why);
}

/// Block by block: files with weights may be larger than memory.
static bool haveSameBytes(const std::string &a, const std::string &b) {
  constexpr std::streamsize kBlock = 1 << 20;
  std::ifstream first(a, std::ios::binary), second(b, std::ios::binary);
  std::vector<char> x(kBlock), y(kBlock);
  while (first && second) {
    first.read(x.data(), kBlock);
    second.read(y.data(), kBlock);
    if (first.gcount() != second.gcount() ||
        memcmp(x.data(), y.data(), size_t(first.gcount())) != 0)
      return false;
  }
  return first.eof() && second.eof();
}

/// There is something at `path` that a file cannot take the place of.
static bool isNoFile(llvm::StringRef path) {
  fs::file_status status;
  return !fs::status(path, status) && status.type() != fs::file_type::regular_file;
}

//===----------------------------------------------------------------------===//
// One file
//===----------------------------------------------------------------------===//

struct OutputFiles::File {
  std::string path;
  std::optional<fs::TempFile> temp;             ///< none: `contents` are written through
  std::unique_ptr<llvm::raw_fd_ostream> stream; ///< into `temp`
  std::string contents;

  ~File() {
    if (!temp)
      return;
    stream->flush();
    stream->clear_error(); // else its destructor aborts
    stream.reset();
    llvm::consumeError(temp->discard());
  }
  llvm::Error writeThrough() const;
  llvm::Error keep();
};

llvm::Error OutputFiles::File::writeThrough() const {
  if (path == kStandardOutput) {
    llvm::outs() << contents;
    return flushed(llvm::outs(), "<stdout>");
  }
  std::error_code ec;
  llvm::raw_fd_ostream os(path, ec);
  if (ec)
    return cannotWrite(path, ec.message());
  os << contents;
  return flushed(os, path);
}

llvm::Error OutputFiles::File::keep() {
  if (!temp) // it was written through
    return llvm::Error::success();
  stream.reset();
  fs::TempFile written = std::move(*temp);
  temp.reset();
  llvm::Error error = haveSameBytes(path, written.TmpName) ? written.discard() : written.keep(path);
  return error ? cannotWrite(path, llvm::toString(std::move(error))) : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

OutputFiles::OutputFiles() = default;
OutputFiles::OutputFiles(OutputFiles &&) noexcept = default;
OutputFiles &OutputFiles::operator=(OutputFiles &&) noexcept = default;
OutputFiles::~OutputFiles() = default;

llvm::Error OutputFiles::checkNew(llvm::StringRef path) const {
  for (const std::unique_ptr<File> &file : files)
    if (file->path == path && path != kStandardOutput && !isNoFile(path))
      return cannotWrite(path, "another output has the same name");
  return llvm::Error::success();
}

llvm::Expected<llvm::raw_ostream *> OutputFiles::begin(llvm::StringRef path, bool isExecutable) {
  if (llvm::Error error = checkNew(path))
    return std::move(error);
  if (isNoFile(path))
    return cannotWrite(path, "there is something that is not a file");
  // As open(2) makes a new file: for all, less the umask.
  auto mode = isExecutable ? fs::all_all : fs::all_read | fs::all_write;
  auto temp =
      fs::TempFile::create(path + ".tmp%%%%%%", fs::perms(mode & ~llvm::sys::fs::getUmask()));
  if (!temp)
    return cannotWrite(path, llvm::toString(temp.takeError()));
  auto file = std::make_unique<File>();
  file->path = path.str();
  file->temp = std::move(*temp);
  file->stream = std::make_unique<llvm::raw_fd_ostream>(file->temp->FD, /*shouldClose=*/false);
  files.push_back(std::move(file));
  return files.back()->stream.get();
}

llvm::Error OutputFiles::add(llvm::StringRef path, llvm::StringRef contents) {
  if (path == kStandardOutput || isNoFile(path)) {
    auto file = std::make_unique<File>();
    file->path = path.str();
    file->contents = contents.str();
    files.push_back(std::move(file));
    return llvm::Error::success();
  }
  auto os = begin(path);
  if (!os)
    return os.takeError();
  **os << contents;
  return llvm::Error::success();
}

/// All bytes are on their way before any name changes.
llvm::Error OutputFiles::finish() {
  llvm::Error error = llvm::Error::success();
  for (const std::unique_ptr<File> &file : files)
    if (file->stream) {
      llvm::Error own = flushed(*file->stream, file->path);
      error = llvm::joinErrors(std::move(error), std::move(own));
    }
  if (error)
    return error;
  for (const std::unique_ptr<File> &file : files)
    if (!file->temp)
      if (llvm::Error own = file->writeThrough())
        return own;
  return llvm::Error::success();
}

llvm::Error OutputFiles::commit() {
  llvm::Error error = finish();
  for (const std::unique_ptr<File> &file : files)
    if (!error)
      error = file->keep();
  files.clear();
  return error;
}

std::vector<std::string> OutputFiles::paths() const {
  std::vector<std::string> all;
  all.reserve(files.size());
  for (const std::unique_ptr<File> &file : files)
    all.push_back(file->path);
  return all;
}

llvm::Error ptc::checkOutputPlace(llvm::StringRef path) {
  if (path == kStandardOutput)
    return llvm::Error::success();
  fs::file_status status;
  if (!fs::status(path, status) && status.type() != fs::file_type::regular_file)
    return fs::is_directory(status) ? cannotWrite(path, "it is a folder") : llvm::Error::success();
  if (path.ends_with("/"))
    return cannotWrite(path, "it is the name of a folder");
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  std::error_code ec = fs::status(folder, status);
  if (!ec && !fs::is_directory(status))
    ec = std::make_error_code(std::errc::not_a_directory);
  if (!ec)
    ec = fs::access(folder, fs::AccessMode::Write);
  return ec ? cannotWrite(path, ec.message()) : llvm::Error::success();
}

llvm::Error ptc::writeFileAtomically(llvm::StringRef path, llvm::StringRef contents) {
  OutputFiles file;
  if (llvm::Error error = file.add(path, contents))
    return error;
  return file.commit();
}
