//===- PackageFiles.cpp - Folders and archives that modules are in --------------------------===//
//
// In: paths of -I. Out: files and folders below them, those in zip archives like all others.
// Members are unpacked when they are read, each time, and bounded before: an archive may come
// from anywhere.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/PackageFiles.h"

#include "ptc/Capture/ModuleFiles.h"
#include "ptc/Support/Error.h"
#include "ptc/TensorFile/Zip.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <ctime>
#include <map>

using namespace ptc;
using namespace ptc::capture;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// No module or its data is larger, and all that an archive unpacks to fits into memory.
static constexpr uint64_t kMostOfMember = uint64_t(256) << 20, kMostOfArchive = uint64_t(4) << 30;

struct PackageFiles::Archive {
  std::string given, absolute; ///< its path, as it may be spelled
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::map<std::string, ZipMember, std::less<>> files;
  std::map<std::string, bool, std::less<>> folders; ///< true: with an entry of its own
};

PackageFiles::PackageFiles() = default;
PackageFiles::~PackageFiles() = default;
PackageFiles::PackageFiles(PackageFiles &&) noexcept = default;

std::string capture::fileHolding(llvm::StringRef given) {
  for (llvm::StringRef at = given; !at.empty(); at = path::parent_path(at)) {
    fs::file_status status;
    if (!fs::status(at, status))
      return status.type() == fs::file_type::regular_file ? at.str() : given.str();
  }
  return given.str();
}

/// A text if the archive is none of Python's modules.
static std::optional<std::string> problemOf(const std::vector<ZipMember> &members) {
  uint64_t total = 0;
  for (const ZipMember &member : members) {
    if (member.size > kMostOfMember)
      return "member '" + member.name.str() + "' has more than 256 MiB without compression";
    total += member.size;
  }
  if (total > kMostOfArchive)
    return "its members have more than 4 GiB without compression";
  return std::nullopt;
}

llvm::Error PackageFiles::open(llvm::ArrayRef<std::string> paths) {
  for (const std::string &given : paths) {
    const std::string file = fileHolding(given);
    if (!fs::is_regular_file(file) || isInArchive(file))
      continue;
    auto bytes = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
    if (!bytes)
      return makeError(DiagId::FileNotReadable, {}, file, bytes.getError().message());
    auto members = listZip((*bytes)->getBuffer(), /*mayBegin=*/true);
    std::optional<std::string> problem =
        members ? problemOf(*members) : std::optional(llvm::toString(members.takeError()));
    if (problem)
      return makeError(std::move(
          makeDiagnostic(DiagId::FileNotReadable, {}, file, *problem)
              .note("what -I names is a folder, or a zip archive that modules are imported from")));
    auto archive = std::make_unique<Archive>();
    archive->given = file;
    archive->absolute = absolutePath(file);
    archive->bytes = std::move(*bytes);
    for (const ZipMember &member : *members) {
      llvm::StringRef name = member.name;
      if (name.consume_back("/"))
        archive->folders[name.str()] = true;
      else
        archive->files.emplace(name.str(), member);
      for (name = path::parent_path(name); !name.empty(); name = path::parent_path(name))
        archive->folders.try_emplace(name.str(), false);
    }
    archives.push_back(std::move(archive));
  }
  return llvm::Error::success();
}

std::pair<const PackageFiles::Archive *, llvm::StringRef>
PackageFiles::placeOf(llvm::StringRef given) const {
  for (const auto &archive : archives)
    for (llvm::StringRef own : {archive->given, archive->absolute})
      if (llvm::StringRef rest = given; rest.consume_front(own)) {
        if (rest.empty())
          return {archive.get(), rest};
        if (rest.consume_front("/"))
          return {archive.get(), rest.rtrim('/')};
      }
  return {nullptr, {}};
}

bool PackageFiles::isInArchive(llvm::StringRef given) const {
  return placeOf(given).first != nullptr;
}

bool PackageFiles::isFile(llvm::StringRef given) const {
  auto [archive, place] = placeOf(given);
  return archive ? archive->files.find(place) != archive->files.end() : fs::is_regular_file(given);
}

bool PackageFiles::isFolder(llvm::StringRef given) const {
  auto [archive, place] = placeOf(given);
  return archive ? place.empty() || archive->folders.find(place) != archive->folders.end()
                 : fs::is_directory(given);
}

bool PackageFiles::isImplied(llvm::StringRef folder) const {
  auto [archive, place] = placeOf(folder);
  if (!archive)
    return false;
  auto found = archive->folders.find(place);
  return found != archive->folders.end() && !found->second;
}

std::string PackageFiles::whyUnreadable(llvm::StringRef given) const {
  auto [archive, place] = placeOf(given);
  if (!archive)
    return {};
  auto found = archive->files.find(place);
  if (found == archive->files.end())
    return "the archive has no such member";
  auto text = unpackZip(found->second);
  return text ? "" : llvm::toString(text.takeError());
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> PackageFiles::read(llvm::StringRef given) const {
  auto [archive, place] = placeOf(given);
  if (!archive)
    return llvm::MemoryBuffer::getFile(given, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  auto found = archive->files.find(place);
  if (found == archive->files.end())
    return std::make_error_code(std::errc::no_such_file_or_directory);
  auto text = unpackZip(found->second);
  if (!text) {
    llvm::consumeError(text.takeError());
    return std::make_error_code(std::errc::io_error);
  }
  return llvm::MemoryBuffer::getMemBufferCopy(*text, given);
}

std::vector<std::pair<std::string, bool>> PackageFiles::list(llvm::StringRef folder) const {
  std::vector<std::pair<std::string, bool>> entries;
  auto [archive, place] = placeOf(folder);
  if (!archive) {
    std::error_code ec;
    for (fs::directory_iterator it(folder.empty() ? "." : folder, ec), end; it != end && !ec;
         it.increment(ec))
      entries.emplace_back(path::filename(it->path()), fs::is_directory(it->path()));
  } else {
    auto add = [&](llvm::StringRef name, bool isFolder) {
      if (path::parent_path(name) == place)
        entries.emplace_back(path::filename(name), isFolder);
    };
    for (const auto &[name, member] : archive->files)
      add(name, false);
    for (const auto &[name, isOwn] : archive->folders)
      add(name, true);
  }
  llvm::sort(entries);
  return entries;
}

bool PackageFiles::hasExtension(llvm::StringRef folder, llvm::StringRef extension) const {
  for (const auto &[name, isFolder] : list(folder)) {
    llvm::SmallString<128> entry(folder);
    path::append(entry, name);
    if (isFolder ? hasExtension(entry, extension) : path::extension(name) == extension)
      return true;
  }
  return false;
}

std::optional<PackageFiles::Stamp> PackageFiles::stamp(llvm::StringRef given) const {
  auto [archive, place] = placeOf(given);
  if (!archive) {
    fs::file_status status;
    if (fs::status(given, status))
      return std::nullopt;
    return Stamp{llvm::sys::toTimeT(status.getLastModificationTime()), status.getSize()};
  }
  auto found = archive->files.find(place);
  if (found == archive->files.end())
    return std::nullopt;
  const ZipMember &member = found->second;
  std::tm local{};
  local.tm_year = (member.date >> 9) + 80;
  local.tm_mon = ((member.date >> 5) & 15) - 1;
  local.tm_mday = member.date & 31;
  local.tm_hour = member.time >> 11;
  local.tm_min = (member.time >> 5) & 63;
  local.tm_sec = (member.time & 31) * 2;
  local.tm_isdst = -1;
  return Stamp{std::mktime(&local), member.size};
}
